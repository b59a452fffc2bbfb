"""The legal actions of a seat, sorted by their use for a bot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import evolve

from ttr_rules import Rules, View
from ttr_rules.engine import LegalActions, sampled
from ttr_rules.hints import ActionValue, BorrowHint, DrawHint, LoanHint, OpeningHint
from ttr_rules.model import Action, ClaimRoute, Counts, DrawTickets, KeepTickets, PayTunnel, Turn
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.bots.links import opening_hint

#: The number of payments for one thing that bots look at.
MOST_PAYMENTS = 100
WORTH_OF_A_TURN = 2.0  # roughly the points of an ordinary turn

A = TypeVar("A", bound=Action)

if TYPE_CHECKING:

    class PaidAction(Action):
        """An action with a payment, such as the purchase of a license."""

        payment: Mapping[str, int]

    class Borrow(PaidAction):
        """An action that borrows another player's route at a city."""

        city: str


class Options:
    """Legal actions by their use (a sample if there are very many); those of plugins by their hints.

    Actions are created when they are asked for: most claim a route that a bot does not want, or pay for the same thing
    in one of a hundred ways.
    """

    def __init__(self, actions: Sequence[Action], rules: Rules) -> None:
        self._rules = rules
        self._all: Sequence[Sequence[Action]] = actions.groups if isinstance(actions, LegalActions) else [actions]
        groups = self._all if isinstance(actions, LegalActions) else [[action] for action in self.all]
        uses: dict[type[Action], object] = {
            kind: kind for kind in (KeepTickets, PayTunnel, DrawFaceUp, DrawBlind, DrawTickets)
        }
        self._draws: dict[type[Action], DrawHint] = {}
        self._loans: dict[type[Action], LoanHint] = {}
        self._values: dict[type[Action], ActionValue] = {}
        for hint in rules.bot_hints:
            if isinstance(hint, ActionValue):
                self._values[hint.action] = hint
            elif isinstance(hint, BorrowHint):
                uses[hint.action] = BorrowHint
            elif isinstance(hint, LoanHint):
                uses[hint.action] = LoanHint
                self._loans[hint.action] = hint
            elif isinstance(hint, DrawHint):
                uses[hint.action] = DrawBlind
                self._draws[hint.action] = hint
        self._opening = opening_hint(rules)
        self._groups: defaultdict[object, list[Sequence[Action]]] = defaultdict(list)
        for group in groups:
            first: Action = group[0]
            kind = type(first)
            opens = self._opening is not None and kind is self._opening.action
            if opens or kind in self._values:
                self._groups[OpeningHint] += [group] if opens else []
                self._groups[ActionValue] += [group] if kind in self._values else []
            elif kind is ClaimRoute:
                self._groups[ClaimRoute].append(group)
            else:
                self._groups[uses.get(kind, uses.get(kind.instead_of or kind, Action))].append(group)
        self._all_valued = len(self._groups[ActionValue]) == len(groups)

    def of(self, use: type[A]) -> list[A]:
        """The actions that keep tickets, pay for a tunnel, draw a card face up, or draw tickets."""
        return list(self._sampled(use))

    @cached_property
    def unknown(self) -> list[Action]:
        """The actions of unknown use."""
        return list(self._sampled(Action))

    def _sampled(self, use: object) -> Iterator[Any]:
        return chain.from_iterable(map(sampled, self._groups[use]))

    @property
    def all(self) -> list[Action]:
        """All legal actions, or a sample if there are very many; created anew each time."""
        return list(chain.from_iterable(map(sampled, self._all)))

    @cached_property
    def blind(self) -> list[Action]:
        """The draws from the pile, of most cards first."""
        return sorted(self._sampled(DrawBlind), key=self.cards_drawn, reverse=True)

    def cards_drawn(self, action: Action) -> int:
        """The number of cards that an action draws from the pile in a turn."""
        hint = self._draws.get(type(action))
        return 2 if hint is None else hint.cards

    @cached_property
    def lends(self) -> list[tuple[Action, tuple[str, ...]]]:
        """The actions that borrow routes for the end of the game, each with its routes."""
        return [(action, self._loans[type(action)].routes(action)) for action in self._sampled(LoanHint)]

    @cached_property
    def borrows(self) -> list[Borrow]:
        """The actions that borrow another player's route."""
        return list(self._sampled(BorrowHint))

    @cached_property
    def claims(self) -> list[ClaimRoute]:
        """Claims of every route, one for each price."""
        groups = cast("Sequence[Sequence[ClaimRoute]]", self._groups[ClaimRoute])
        return [claim for group in groups for claim in sampled(group, 1)]

    def claims_on(self, routes: int) -> list[ClaimRoute]:
        """The claims of some routes, given as a mask."""
        wanted = {id for number, id in enumerate(self._rules.network.route_ids) if routes >> number & 1}
        claims: list[ClaimRoute] = []
        for claim, payments in self._purchases(ClaimRoute, wanted):
            if claim.route in wanted:
                claims += [ClaimRoute(claim.seat, claim.route, payment) for payment in payments] or [claim]
        return claims

    def openings(self, names: Container[str]) -> Iterator[tuple[str, Action]]:
        """The actions that open routes by one of some names, each with that name."""
        for action, payments in self._purchases(OpeningHint):
            assert self._opening is not None, "nothing opens routes without this hint"
            name = self._opening.opens(action)
            if name in names:
                yield from ((name, evolve(action, payment=payment)) for payment in payments)
                if not payments:
                    yield name, action

    def _purchases(self, use: object, things: Container[str] | None = None) -> Iterator[tuple[Any, Sequence[Counts]]]:
        """An action for each thing on sale, with the payments for it; or an action alone. All, or at least some things."""
        for group in self._groups[use]:
            purchases = group.purchases(things) if isinstance(group, LegalActions) else None
            if purchases is None:
                yield from ((action, ()) for action in sampled(group))
                continue
            read: dict[int, tuple[Sequence[Counts], Sequence[Counts]]] = {}  # things of the same price share payments
            for action, payments in purchases:
                if id(payments) not in read:
                    read[id(payments)] = payments, payments[:MOST_PAYMENTS]
                yield action, read[id(payments)][1]

    def best_valued(self, view: View, rules: Rules) -> list[Action]:
        """The actions with the highest value by their hints; none if all are worth less than the alternatives."""
        worths: list[tuple[float, Any, Counts | None]] = []
        for thing, payments in self._purchases(ActionValue):
            value = self._values[type(thing)].value
            by_rank: dict[tuple[int, ...], float] = {}  # the same for payments that are equally cheap
            for payment in payments:
                rank = rules.economy.payment_rank(payment)
                if rank not in by_rank:
                    by_rank[rank] = value(view, rules, evolve(thing, payment=payment))
                worths.append((by_rank[rank], thing, payment))
            if not payments:
                worths.append((value(view, rules, thing), thing, None))
        if not worths:
            return []
        best: Action
        worth, best, _ = max(worths, key=lambda valued: valued[0])
        rule = rules.answers[Turn].by_action.get(type(best))
        takes_turn = isinstance(view.decision, Turn) and not (rule is not None and rule.free)
        least = WORTH_OF_A_TURN if takes_turn else 0.0
        if worth <= least and not self._all_valued:
            return []
        return [
            thing if payment is None else evolve(thing, payment=payment)
            for value, thing, payment in worths
            if value == worth
        ]

    def forget_values(self) -> None:
        """Take actions whose value a hint gives for actions of unknown use."""
        self._groups[Action] += self._groups.pop(ActionValue, [])

    def any(self, chance: float) -> Action:
        """Any action except drawing tickets: mostly of unknown types, which may earn something in a plugin."""
        if self.unknown and chance < 0.875:
            return self.unknown[int(chance / 0.875 * len(self.unknown))]
        pool = [action for action in self.all if DrawTickets not in (type(action), action.instead_of)] or self.all
        return pool[int(chance * len(pool))]
