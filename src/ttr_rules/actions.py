"""For action rules of your own: what pays for what they sell, numbers in place of actions, draws, the end of a turn.

The bases `ActionRule` and `PaidRule` are in `ttr_rules.plugins`.
"""

from ttr_rules._internal.native import i64 as i64
from ttr_rules.kernel.action_rule import (
    ListedRule as ListedRule,
    NumberedRule as NumberedRule,
)
from ttr_rules.kernel.answers import can_act as can_act
from ttr_rules.kernel.economy import (
    LazyPayments as LazyPayments,
    cheapest_first as cheapest_first,
    economy_layers as economy_layers,
    economy_of as economy_of,
    pays_with as pays_with,
)
from ttr_rules.kernel.extensions import (
    cards_drawn as cards_drawn,
    claim_cars as claim_cars,
    tickets_drawn as tickets_drawn,
)
from ttr_rules.kernel.paid_rule import Tariff as Tariff
from ttr_rules.kernel.prices import Prices as Prices, PursePrices as PursePrices
from ttr_rules.kernel.state import FREE as FREE, FieldOf as FieldOf
from ttr_rules.kernel.turn import (
    after_claim as after_claim,
    end_turn as end_turn,
    finish_turn as finish_turn,
    following_seat as following_seat,
)
from ttr_rules.mechanics.claims import (
    ClaimRule as ClaimRule,
    claim_route as claim_route,
    claimable_routes as claimable_routes,
    menu_points as menu_points,
    perform_claim as perform_claim,
    points_of_claim as points_of_claim,
    unbarred_routes as unbarred_routes,
)
from ttr_rules.mechanics.tariffs import route_cost as route_cost
from ttr_rules.mechanics.ticket_mix import draw_tickets as draw_tickets
from ttr_rules.mechanics.tickets import put_back_tickets as put_back_tickets
