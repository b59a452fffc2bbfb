"""The methods of plugins that are called in a game, as the kernel calls them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from attrs import field, frozen

from ttr_rules.errors import Refusal
from ttr_rules.kernel.extensions import (
    ClaimCondition,
    CostChange,
)
from ttr_rules.kernel.hints import RouteValue
from ttr_rules.kernel.map_marks import MapMarks
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import ScoringTerm
from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Route
from ttr_rules.plugins.hook_calls import HookCalls, Method

#: So many answers are kept for the keys of one plugin.
MOST_KEPT = 10_000


def _same(method: Any) -> object:
    """What makes two methods equal: the plugin, which may be another object, and the function."""
    return getattr(method, "__self__", None), getattr(method, "__func__", method)


@frozen
class _Refusal:
    """Why a plugin does not let a seat claim a route, by the id of the route."""

    refuse: Method = field(eq=_same)

    def __call__(self, state: State, seat: int, route: str) -> Refusal | None:
        found: Refusal | None = self.refuse(state, seat, state.rules.board.routes[route])
        return found


def conditions(ask: HookCalls) -> list[ClaimCondition]:
    """The conditions of plugins on claims."""
    conditions: list[ClaimCondition] = []
    for plugin, refuse in ask.methods("claim_refusal"):
        closed, key = ask.method(plugin, "closed_routes"), ask.method(plugin, "claim_key")
        if closed is not None:
            conditions.append(ClaimCondition(plugin, _Refusal(refuse), _Numbered(closed)))
        elif key is not None:
            kept = _Kept(refuse, key)
            conditions.append(ClaimCondition(plugin, _Refusal(refuse), kept.closed, kept.lasting))
        else:
            conditions.append(ClaimCondition(plugin, _Refusal(refuse)))
    return conditions


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
    """The routes that a plugin closes, and those that stay closed, as masks, kept while its key is equal."""

    __slots__ = ("_kept", "key", "refuse")

    def __init__(self, refuse: Method, key: Method) -> None:
        self.refuse = refuse
        self.key = key
        self._kept: dict[tuple[int, Hashable], tuple[int, int]] = {}

    def closed(self, state: State, seat: int) -> int:
        """The routes that are closed now."""
        return self._masks(state, seat)[0]

    def lasting(self, state: State, seat: int) -> int:
        """Those that stay closed."""
        return self._masks(state, seat)[1]

    def _masks(self, state: State, seat: int) -> tuple[int, int]:
        key: Hashable = self.key(state, seat)
        known = None if key is None else self._kept.get((seat, key))
        if known is not None:
            return known
        closed = lasting = 0
        for number, route in enumerate(state.rules.board.routes.values()):
            refusal: Refusal | None = self.refuse(state, seat, route)
            if refusal is not None:
                closed |= 1 << number
                lasting |= refusal.lasting << number
        if key is not None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[seat, key] = closed, lasting
        return closed, lasting


def cost_changes(ask: HookCalls) -> list[CostChange]:
    """The changes of plugins to what claims cost."""
    return [CostChange(plugin, method, ask.method(plugin, "claim_key")) for plugin, method in ask.methods("claim_cost")]


def loans(ask: HookCalls, terms: Sequence[ScoringTerm]) -> list[tuple[str, Method]]:
    """The loans of plugins, each with the scoring term at which sheets show them: the last one of the plugin."""
    last = {ask.given_by.get(id(term), ""): term.name for term in terms}
    return [(last.get(plugin, plugin), method) for plugin, method in ask.methods("loans")]


def map_marks(ask: HookCalls) -> list[MapMarks]:
    """What plugins add to pictures of the board."""
    return [
        MapMarks(plugin, method, getattr(ask.plugins[plugin], "legend", ""))
        for plugin, method in ask.methods("map_marks")
    ]


@frozen
class _Worth:
    """What a route is worth, as bots ask."""

    method: Method = field(eq=_same)

    def __call__(self, view: View, rules: Rules, route: Route) -> float:
        found: float = self.method(rules, view, route)
        return found


def route_values(ask: HookCalls) -> list[RouteValue]:
    """What routes are worth to bots, according to plugins."""
    hints: list[RouteValue] = []
    for plugin, method in ask.methods("route_worth"):
        hints.append(RouteValue(_Worth(method)))
        ask.given_by[id(hints[-1])] = plugin
    return hints
