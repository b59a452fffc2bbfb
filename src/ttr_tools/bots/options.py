"""The legal actions of a seat, sorted by their use for a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from ttr_rules import Rules, View
from ttr_rules.engine import LegalActions
from ttr_rules.hints import ActionValue, BorrowHint, DrawHint, LoanHint
from ttr_rules.model import Action, ClaimRoute, DrawTickets, KeepTickets, PayTunnel
from ttr_rules.sequences import sampled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.bots.links import opening_hint

#: The number of payments for a route that bots look at.
MOST_PAYMENTS = 100
WORTH_OF_A_TURN = 2.0  # roughly the points of an ordinary turn


if TYPE_CHECKING:

    class PaidAction(Action):
        """An action with a payment, such as the purchase of a license."""

        payment: Mapping[str, int]

    class Borrow(PaidAction):
        """An action that borrows another player's route at a city."""

        city: str


class Options:
    """Legal actions sorted by type (a sample if there are very many); those of plugins by their hints.

    Claims are created when they are asked for, as most are of routes that a bot does not want; so are borrows, of which
    there are often a hundred.
    """

    def __init__(self, actions: Sequence[Action], rules: Rules) -> None:
        self._rules = rules
        self._groups = actions.groups if isinstance(actions, LegalActions) else [actions]
        by_type = self._groups if isinstance(actions, LegalActions) else [[action] for action in sampled(actions)]
        opens = opening_hint(rules)
        opening = None if opens is None else opens.action
        self._loan_routes: dict[type[Action], Callable[[Action], tuple[str, ...]]] = {}
        self._cards: dict[type[Action], int] = {}
        self._claims: list[Sequence[ClaimRoute]] = []
        self._borrows: list[Sequence[Action]] = []
        self.keeps: list[KeepTickets] = []
        self.pays: list[PayTunnel] = []
        self.face_up: list[DrawFaceUp] = []
        self.blind: list[Action] = []
        self.tickets: list[DrawTickets] = []
        self.lends: list[Action] = []
        self.opening: list[PaidAction] = []
        self.valued: list[tuple[ActionValue, Action]] = []
        self.others: list[Action] = []
        values: dict[type[Action], ActionValue] = {}
        lists: dict[type[Action], list[Any] | None] = {
            KeepTickets: self.keeps,
            PayTunnel: self.pays,
            DrawFaceUp: self.face_up,
            DrawBlind: self.blind,
            DrawTickets: self.tickets,
        }
        for hint in rules.bot_hints:
            if isinstance(hint, BorrowHint):
                lists[hint.action] = None
            elif isinstance(hint, LoanHint):
                lists[hint.action] = self.lends
                self._loan_routes[hint.action] = hint.routes
            elif isinstance(hint, DrawHint):
                lists[hint.action] = self.blind
                self._cards[hint.action] = hint.cards
            elif isinstance(hint, ActionValue):
                values[hint.action] = hint
        for group in by_type:
            kind: type[Any] = type(cast("object", group[0]))
            if kind is ClaimRoute:
                self._claims.append(cast("Sequence[ClaimRoute]", group))
            elif kind is opening or kind in values:
                some = list(sampled(group))
                self.opening += cast("list[PaidAction]", some) if kind is opening else ()
                self.valued += [(values[kind], action) for action in some] if kind in values else ()
            elif (same := lists.get(kind, lists.get(kind.instead_of or kind, self.others))) is not None:
                same += sampled(group)
            else:
                self._borrows.append(group)
        self._all_valued = all(type(group[0]) in values for group in by_type)
        self.blind.sort(key=self.cards_drawn, reverse=True)

    @property
    def all(self) -> list[Action]:
        """All legal actions, or a sample if there are very many; created anew each time."""
        return [action for group in self._groups for action in sampled(group)]

    @cached_property
    def claims(self) -> list[ClaimRoute]:
        """Claims of every route, one for each price."""
        return [claim for group in self._claims for claim in sampled(group, 1)]

    def claims_on(self, routes: int) -> list[ClaimRoute]:
        """The claims of some routes, given as a mask."""
        wanted = {id for number, id in enumerate(self._rules.network.route_ids) if routes >> number & 1}
        claims: list[ClaimRoute] = []
        for group in self._claims:
            purchases = group.purchases(wanted) if isinstance(group, LegalActions) else None
            if purchases is None:
                claims += [claim for claim in sampled(group) if claim.route in wanted]
                continue
            for claim, payments in purchases:
                claims += [ClaimRoute(claim.seat, claim.route, payment) for payment in payments[:MOST_PAYMENTS]]
        return claims

    @property
    def borrows(self) -> list[Borrow]:
        """The actions that borrow another player's route; created anew each time."""
        return [cast("Borrow", action) for group in self._borrows for action in sampled(group)]

    def cards_drawn(self, action: Action) -> int:
        """The number of cards that an action draws from the pile in a turn."""
        return self._cards.get(type(action), 2)

    def lent_routes(self, action: Action) -> tuple[str, ...]:
        """The routes that an action borrows."""
        return self._loan_routes[type(action)](action)

    def best_valued(self, view: View, rules: Rules) -> list[Action]:
        """The actions with the highest value by their hints; none if all are worth less than the alternatives."""
        if not self.valued:
            return []
        worths = [(hint.value(view, rules, action), action) for hint, action in self.valued]
        worth, action = max(worths, key=lambda pair: pair[0])
        free = False
        if view.decision is not None and (answers := rules.answers.get(type(view.decision))) is not None:
            rule = answers.by_action.get(type(action))
            free = rule is not None and rule.free
        if worth <= (0.0 if free else WORTH_OF_A_TURN) and not self._all_valued:
            return []
        return [action for value, action in worths if value == worth]

    def any(self, chance: float) -> Action:
        """Any action except drawing tickets: mostly of unknown types, which may earn something in a plugin."""
        if self.others and chance < 0.875:
            return self.others[int(chance / 0.875 * len(self.others))]
        pool = [action for action in self.all if DrawTickets not in (type(action), action.instead_of)] or self.all
        return pool[int(chance * len(pool))]
