"""Clients in any language: the messages between a server and its clients, as JSON, and their JSON Schema.

`messages` has the classes of messages and of the board in them. `converting` turns what a seat may see into plain
data, and plain data back, whoever it comes from. `schema` describes all of it, and saved games.
"""

from ttr_rules.clients.converting import (
    action_from_json as action_from_json,
    event_from_json as event_from_json,
    read_client_message as read_client_message,
    read_server_message as read_server_message,
    rules_from_json as rules_from_json,
    to_json as to_json,
    view_from_json as view_from_json,
)
from ttr_rules.clients.messages import (
    PROTOCOL as PROTOCOL,
    Accepted as Accepted,
    Act as Act,
    Actions as Actions,
    BoardInfo as BoardInfo,
    BoardLayout as BoardLayout,
    CityLayout as CityLayout,
    ClientMessage as ClientMessage,
    Country as Country,
    ErrorMessage as ErrorMessage,
    Hello as Hello,
    Join as Join,
    ListActions as ListActions,
    ListPayments as ListPayments,
    Over as Over,
    Payments as Payments,
    Refused as Refused,
    RouteInfo as RouteInfo,
    RouteLayout as RouteLayout,
    ServerMessage as ServerMessage,
    SpaceLayout as SpaceLayout,
    StackEntry as StackEntry,
    TicketGoal as TicketGoal,
    TicketInfo as TicketInfo,
    Update as Update,
    board as board,
)
from ttr_rules.clients.schema import client_schema as client_schema, json_schema as json_schema
