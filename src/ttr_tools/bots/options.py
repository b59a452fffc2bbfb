"""The legal actions of a seat, sorted by their use for a bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ttr_rules import Rules, View
from ttr_rules.engine import LegalActions
from ttr_rules.hints import ActionValue, BorrowHint, DrawHint, LoanHint
from ttr_rules.model import Action, ClaimRoute, DrawTickets, KeepTickets, PayTunnel
from ttr_rules.sequences import LazyActions, sampled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp
from ttr_tools.bots.openings import opening_hint

#: Bots look at so many payments for a route.
MOST_PAYMENTS = 100
WORTH_OF_A_TURN = 2.0  # roughly the points of an ordinary turn


class Options:
    """Legal actions sorted by type (a sample if there are very many); those of plugins by their hints.

    Claims are created when they are asked for, as most are of routes that a bot does not want.
    """

    def __init__(self, actions: Sequence[Action], rules: Rules) -> None:
        self._rules = rules
        self._groups = actions.groups if isinstance(actions, LegalActions) else [actions]
        self._claims: list[Sequence[Any]] = []
        self.keeps: list[KeepTickets] = []
        self.pays: list[PayTunnel] = []
        self.face_up: list[DrawFaceUp] = []
        self.blind: list[Any] = []
        self.tickets: list[DrawTickets] = []
        self._borrows: list[Sequence[Any]] = []
        self.lends: list[Any] = []
        self.opening: list[Any] = []
        self.valued: list[tuple[ActionValue, Action]] = []
        self._cards: dict[type[Action], int] = {}
        self.others: list[Action] = []
        kinds: dict[type[Action], list[Any]] = {
            KeepTickets: self.keeps,
            PayTunnel: self.pays,
            DrawFaceUp: self.face_up,
            DrawBlind: self.blind,
            DrawTickets: self.tickets,
        }
        values: dict[type[Action], ActionValue] = {}
        borrowing: list[Any] = []  # stands for `_borrows`, and stays empty
        self._routes: dict[type[Action], Callable[[Any], tuple[str, ...]]] = {}
        for hint in rules.bot_hints:
            if isinstance(hint, BorrowHint):
                kinds[hint.action] = borrowing
            elif isinstance(hint, LoanHint):
                kinds[hint.action] = self.lends
                self._routes[hint.action] = hint.routes
            elif isinstance(hint, DrawHint):
                kinds[hint.action] = self.blind
                self._cards[hint.action] = hint.cards
            elif isinstance(hint, ActionValue):
                values[hint.action] = hint
        opens = opening_hint(rules)
        opening = None if opens is None else opens.action
        by_type = self._groups if isinstance(actions, LegalActions) else [[action] for action in sampled(actions)]
        for group in by_type:
            first: Action = group[0]
            kind = type(first)
            those = kinds.get(kind, kinds.get(kind.instead_of or kind, self.others))
            if kind is ClaimRoute:
                self._claims.append(group)
                continue
            if kind is opening or kind in values:
                some = list(sampled(group))
                self.opening += some if kind is opening else ()
                self.valued += [(values[kind], action) for action in some] if kind in values else ()
            elif those is borrowing:
                self._borrows.append(group)  # often a hundred of them, seldom needed: not created yet
            else:
                those += sampled(group)
        self._all_valued = all(type(group[0]) in values for group in by_type)
        self.blind.sort(key=self.drawn, reverse=True)

    @property
    def all(self) -> list[Action]:
        """All legal actions, or a sample if there are very many; created anew each time."""
        return [action for group in self._groups for action in sampled(group)]

    @cached_property
    def claims(self) -> list[ClaimRoute]:
        """Claims of every route, one for each price."""
        return [claim for group in self._claims for claim in sampled(group, 1)]

    def claims_of(self, routes: int) -> list[ClaimRoute]:
        """The claims of some routes, given as a mask."""
        number = self._rules.network.route_number
        found: list[ClaimRoute] = []
        for group in self._claims:
            things = group.purchases() if isinstance(group, LazyActions) else None
            if things is None:
                found += [claim for claim in sampled(group) if routes >> number[claim.route] & 1]
                continue
            for claim, payments in things:
                if routes >> number[claim.route] & 1:
                    found += [ClaimRoute(claim.seat, claim.route, payment) for payment in payments[:MOST_PAYMENTS]]
        return found

    @property
    def borrows(self) -> list[Any]:
        """The actions that borrow another player's route; created anew each time."""
        return [action for group in self._borrows for action in sampled(group)]

    def drawn(self, action: Action) -> int:
        """How many cards an action draws from the pile in a turn."""
        return self._cards.get(type(action), 2)

    def routes_of(self, action: Action) -> tuple[str, ...]:
        """The routes that an action borrows."""
        return self._routes[type(action)](action)

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
        return [each for value, each in worths if value == worth]

    def any(self, chance: float) -> Action:
        """Any action except drawing tickets: mostly of unknown types, which may earn something in a plugin."""
        if self.others and chance < 0.875:
            return self.others[int(chance / 0.875 * len(self.others))]
        pool = [each for each in self.all if DrawTickets not in (type(each), each.instead_of)] or self.all
        return pool[int(chance * len(pool))]
