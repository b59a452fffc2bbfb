"""What the engine looks up at every step of a game, in one place: found once, when a stack is compiled."""

from __future__ import annotations

from typing import Any

from ttr_rules._internal.native import i64
from ttr_rules.model.board import Board, Cost
from ttr_rules.model.network import Network, numbers


class Course:
    """The hooks of a turn, the turns themselves, and what answers each decision.

    `answers` holds an `answers.Answers` for every type of decision. The economy's `opening` and `closing` of a turn are
    None where it does nothing then.
    """

    def __init__(self, network: Network, board: Board) -> None:
        self.network = network
        #: The routes by class: those of equal cost.
        self.class_costs: list[Cost] = []
        self.class_routes: list[list[int]] = []
        self.class_of: list[int] = []
        last: dict[Cost, int] = {}
        for number, route in enumerate(board.routes.values()):
            cost = Cost.of_route(route)
            kind = last.get(cost, -1)
            if kind < 0:
                kind = last[cost] = len(self.class_costs)
                self.class_costs.append(cost)
                self.class_routes.append([])
            self.class_of.append(kind)
            self.class_routes[kind].append(number)
        #: What classes begin with.
        self.class_size: list[int] = [len(routes) for routes in self.class_routes]
        self.cars: list[int] = list(network.cars)
        self.points: list[int] = list(network.points)
        self.longest: i64 = network.longest
        self.doubles_from: i64 = 0
        #: How many tickets are drawn in play and how many kept at least; whether the others simply go under the only pile.
        self.drawn: i64 = 0
        self.keep: i64 = 0
        self.tickets_return = False
        #: How many cards are drawn, and whether a face-up locomotive ends the draw.
        self.cards_drawn: i64 = 0
        self.wild_ends_draw = True
        #: Plugins' conditions on claims: what gives their masks, None for those that have to be asked route by route.
        self.barring: list[tuple[Any, Any]] = []
        self.claimable: list[bool] = []
        self.shuffles_returned = False
        self.twins: list[list[int]] = [numbers(twins) for twins in network.twins]
        self.routes_by_cars: list[list[int]] = [
            [route for route, cars in enumerate(self.cars) if cars == most] for most in range(self.longest + 1)
        ]
        #: The names of the ticket piles, with the tickets of each, and the set-ups of parts.
        self.deck: list[tuple[str, tuple[str, ...]]] = []
        self.part_set_ups: tuple[Any, ...] = ()
        self.answers: dict[Any, Any] = {}
        #: The same by number; the number of each type of decision, the types, and the numbers of `Turn` and `TicketChoice`.
        self.answer_list: list[Any] = []
        self.scratch: list[int] = []  # room for a number for each rule of a decision
        self.numbers_of: dict[Any, int] = {}
        self.kinds: list[Any] = []
        self.turn_asked: i64 = -1
        self.choice_asked: i64 = -1
        #: Where `State.kept` has the part of each type.
        self.parts: dict[Any, int] = {}
        #: How many numbers actions have, and how many rules have none of their own.
        self.numbers = 0
        self.unnumbered = 0
        self.economy: Any = None
        self.endings: tuple[Any, ...] = ()
        self.opening: Any = None
        self.opens = False  # whether anything happens when a turn begins
        self.closing: Any = None
        self.turn_begins: tuple[Any, ...] = ()
        self.turn_ends: tuple[Any, ...] = ()
        self.turns: tuple[Any, ...] = ()
        #: What is pending when a seat begins its turn.
        self.turn_of: list[tuple[Any, ...]] = []
        self.after_claims: tuple[Any, ...] = ()
        self.game_begins: tuple[Any, ...] = ()
        self.claim_conditions: tuple[Any, ...] = ()
        self.cost_changes: tuple[Any, ...] = ()
        self.claim_points: tuple[Any, ...] = ()
        self.last_round_at: i64 = 0
        self.last_turns: i64 = 1
        #: The pile that tickets are drawn from in play, and the others if there are several.
        self.ticket_pile = ""
        self.more_ticket_piles: tuple[str, ...] = ()
