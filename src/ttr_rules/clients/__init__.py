"""Clients in any language: the messages between a server and its clients, as JSON, and their JSON Schema.

`messages` are what a server sends, `requests` what a client sends, `boards` what a client has to know of a board.
`writing` turns what a seat may see into plain data, `reading` turns plain data back, whoever it comes from. `schema`
describes all of it, and saved games.
"""

from ttr_rules.clients.boards import (
    BoardInfo,
    BoardLayout,
    CityLayout,
    Country,
    RouteInfo,
    RouteLayout,
    SpaceLayout,
    TicketGoal,
    TicketInfo,
    board,
)
from ttr_rules.clients.messages import (
    PROTOCOL,
    Accepted,
    Actions,
    ErrorMessage,
    Hello,
    Over,
    Payments,
    Refused,
    ServerMessage,
    StackEntry,
    Update,
)
from ttr_rules.clients.reading import (
    action_from_json,
    event_from_json,
    read_client_message,
    read_server_message,
    rules_from_json,
    view_from_json,
)
from ttr_rules.clients.requests import Act, ClientMessage, Join, ListActions, ListPayments
from ttr_rules.clients.schema import client_schema, json_schema
from ttr_rules.clients.writing import to_json

__all__ = [
    "PROTOCOL",
    "Accepted",
    "Act",
    "Actions",
    "BoardInfo",
    "BoardLayout",
    "CityLayout",
    "ClientMessage",
    "Country",
    "ErrorMessage",
    "Hello",
    "Join",
    "ListActions",
    "ListPayments",
    "Over",
    "Payments",
    "Refused",
    "RouteInfo",
    "RouteLayout",
    "ServerMessage",
    "SpaceLayout",
    "StackEntry",
    "TicketGoal",
    "TicketInfo",
    "Update",
    "action_from_json",
    "board",
    "client_schema",
    "event_from_json",
    "json_schema",
    "read_client_message",
    "read_server_message",
    "rules_from_json",
    "to_json",
    "view_from_json",
]
