"""The methods of plugins that are called in a game, as the kernel calls them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from attrs import field, frozen

from ttr_rules.errors import Refusal
from ttr_rules.kernel.extensions import (
    AfterClaim,
    ClaimCondition,
    CostChange,
    Ending,
    FollowUp,
    Guard,
    PartSpec,
    TurnHook,
)
from ttr_rules.kernel.hints import RouteValue
from ttr_rules.kernel.map_marks import MapMark, MapMarks
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import Loan, ScoringTerm, TicketLink
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import asked
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Route
from ttr_rules.model.decisions import ToDo
from ttr_rules.plugins.hook_calls import HookCalls, Method

#: So many answers are kept for the keys of one plugin.
MOST_KEPT = 10_000


# What is called is an instance of a class, not a function within another, so that it can be pickled and compared.


def _same(method: Any) -> object:
    """What makes two methods equal: the plugin, which may be another object, and the function."""
    return getattr(method, "__self__", None), getattr(method, "__func__", method)


@frozen
class _Arrange:
    """The method `arrange` of a part of the state."""

    kind: type[Part]

    def __call__(self, tx: Transaction, position: Position, report: Report) -> None:
        tx.state.part(self.kind).arrange(tx, position, report)


def part_spec(kind: type[Part]) -> PartSpec:
    """How a part is created, and read from a table or position."""
    return PartSpec(
        kind,
        kind.start,
        player_keys=tuple(kind.player_keys),
        arrange=None if kind.arrange is Part.arrange else _Arrange(kind),
        part_keys=tuple(kind.part_keys),
        key_help=kind.key_help,
        names=kind.names,
    )


@frozen
class _Refusal:
    """Why a plugin does not let a seat claim a route, by the id of the route."""

    refuse: Method = field(eq=_same)

    def __call__(self, state: State, seat: int, route: str) -> Refusal | None:
        found: Refusal | None = self.refuse(state, seat, state.rules.board.routes[route])
        return found


def conditions(ask: HookCalls) -> list[ClaimCondition]:
    """The conditions of plugins on claims."""

    def made(plugin: str, refuse: Method) -> ClaimCondition:
        closed, key = ask.method(plugin, "closed_routes"), ask.method(plugin, "claim_key")
        if closed is not None:
            return ClaimCondition(plugin, _Refusal(refuse), _Numbered(closed))
        return ClaimCondition(plugin, _Refusal(refuse), None if key is None else _Kept(refuse, key))

    return ask.in_play("claim_refusal", made)


@frozen
class _Numbered:
    """The routes that a plugin closes, which it numbers itself, as a mask."""

    closed: Callable[[State, int], Iterable[int]] = field(eq=_same)

    def __call__(self, state: State, seat: int) -> int:
        found = 0
        for route in self.closed(state, seat):
            found |= 1 << route
        return found


class _Kept:
    """The routes that a plugin closes, as a mask, kept while its key is equal."""

    __slots__ = ("_kept", "key", "refuse")

    def __init__(self, refuse: Method, key: Method) -> None:
        self.refuse = refuse
        self.key = key
        self._kept: dict[tuple[int, Hashable], int] = {}

    def __call__(self, state: State, seat: int) -> int:
        key: Hashable = self.key(state, seat)
        found = None if key is None else self._kept.get((seat, key))
        if found is None:
            found = 0
            for number, route in enumerate(state.rules.board.routes.values()):
                if self.refuse(state, seat, route) is not None:
                    found |= 1 << number
            if key is not None:
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[seat, key] = found
        return found


def cost_changes(ask: HookCalls) -> list[CostChange]:
    """The changes of plugins to what claims cost."""

    def made(plugin: str, change: Method) -> CostChange:
        return CostChange(plugin, change, ask.method(plugin, "claim_key"))

    return ask.in_play("claim_cost", made)


@frozen
class _Loans:
    """The loans of a plugin, as a list."""

    loans: Method = field(eq=_same)

    def __call__(self, state: State, seat: int) -> list[Loan]:
        return list(self.loans(state, seat))


def links(ask: HookCalls, terms: Sequence[ScoringTerm]) -> list[TicketLink]:
    """The loans of plugins. Sheets show them at the last scoring term of the plugin."""

    def made(plugin: str, loans: Method) -> TicketLink:
        own = [term.name for term in terms if ask.given_by.get(id(term)) == plugin]
        return TicketLink(own[-1] if own else plugin, _Loans(loans))

    return ask.in_play("loans", made)


@frozen
class _Asking:
    """A method that may return a question, by its hook: what it returns is asked, and what comes after it noted."""

    hook: str
    plugin: str
    method: Method = field(eq=_same)


class _AfterClaim(_Asking):
    def __call__(self, tx: Transaction, seat: int, route: str) -> bool:
        question = self.method(tx, seat, tx.rules.board.routes[route])
        return asked(tx, question, ToDo(self.hook, self.plugin, seat, route))


class _InTurn(_Asking):
    def __call__(self, tx: Transaction, seat: int) -> bool:
        return asked(tx, self.method(tx, seat), ToDo(self.hook, self.plugin, seat))


class _AtStart(_Asking):
    def __call__(self, tx: Transaction, seat: int) -> bool:
        return asked(tx, self.method(tx), ToDo(self.hook, self.plugin))


class _AtEnd(_Asking):
    def __call__(self, tx: Transaction, reason: str) -> bool:
        return asked(tx, self.method(tx), ToDo(self.hook, self.plugin, what=reason))


def after_claims(ask: HookCalls) -> list[AfterClaim]:
    """What plugins do after claims."""
    hook = "on_claim"
    return ask.in_play(hook, lambda plugin, method: AfterClaim(plugin, _AfterClaim(hook, plugin, method)))


def turn_hooks(ask: HookCalls, hook: str) -> list[TurnHook]:
    """What plugins do when a turn begins or ends."""
    return ask.in_play(hook, lambda plugin, method: TurnHook(plugin, _InTurn(hook, plugin, method)))


def game_starts(ask: HookCalls) -> list[TurnHook]:
    """What plugins do before the first turn."""
    hook = "on_game_start"
    return ask.in_play(hook, lambda plugin, method: TurnHook(plugin, _AtStart(hook, plugin, method)))


def endings(ask: HookCalls) -> list[Ending]:
    """What plugins do after the last turn."""
    hook = "on_game_end"
    return ask.in_play(hook, lambda plugin, method: Ending(plugin, _AtEnd(hook, plugin, method)))


def deals(ask: HookCalls) -> list[Method]:
    """What plugins deal before the first tickets."""
    return ask.in_play("on_deal", lambda plugin, method: method)


def around(ask: HookCalls, rules: Rules) -> tuple[list[Guard], list[FollowUp]]:
    """What plugins do about actions of others."""
    guards: list[Guard] = []
    follow_ups: list[FollowUp] = []
    for each in ask.things("around", rules=rules):
        name = ask.given_by[id(each)]
        if each.refuse is not None:
            guards.append(Guard(name, each.action, _Refusing(each.refuse)))
        if each.after is not None:
            follow_ups.append(FollowUp(name, each.action, each.after))
    return guards, follow_ups


@frozen
class _Refusing:
    """Why an action may not be taken now, as the kernel asks."""

    refuse: Callable[[State, Any], Refusal | None]

    def __call__(self, state: State, decision: object, action: object) -> Refusal | None:
        return self.refuse(state, action)


@frozen
class _Marks:
    """The marks of a plugin."""

    method: Method = field(eq=_same)

    def __call__(self, rules: Rules, view: View | None) -> Iterable[MapMark]:
        found: Iterable[MapMark] = self.method(rules, view)
        return found


def map_marks(ask: HookCalls) -> list[MapMarks]:
    """What plugins add to pictures of the board."""

    def made(plugin: str, method: Method) -> MapMarks:
        legend: str = getattr(ask.plugins[plugin], "legend", "")
        return MapMarks(plugin, _Marks(method), legend=legend)

    return ask.in_play("map_marks", made)


@frozen
class _Worth:
    """What a route is worth, as bots ask."""

    method: Method = field(eq=_same)

    def __call__(self, view: View, rules: Rules, route: Route) -> float:
        found: float = self.method(rules, view, route)
        return found


def route_values(ask: HookCalls) -> list[RouteValue]:
    """What routes are worth to bots, according to plugins."""
    return ask.in_play("route_worth", lambda plugin, method: RouteValue(_Worth(method)))
