"""Hints that help bots with a plugin: how to borrow, what an action is worth, what a route is worth.

Hints say what a sensible player knows at a glance. They read a view, never at a state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.view import View
from ttr_rules.model.actions import Action
from ttr_rules.model.board import Route


@frozen
class BotHint:
    """The base of what the hook `bot_hints` returns."""


@frozen
class BorrowHint(BotHint):
    """An action that lets its seat use others' routes at a city, for tickets, with fields `city` and `payment`.

    `built(view)` gives the cities where this has been done, with the seats; `left(view, seat)` how often a seat still
    may. `turns` is roughly its cost in tenths of a turn, `points` the value of not doing it.
    """

    action: type[Action]
    built: Callable[[View], Mapping[str, int]] = field(repr=False)
    left: Callable[[View, int], int] = field(repr=False)
    turns: int
    points: int = 0


@frozen
class LoanHint(BotHint):
    """An action that chooses which routes of other players are used for tickets: `routes(action)` gives their ids."""

    action: type[Action]
    routes: Callable[[Any], tuple[str, ...]] = field(repr=False)


@frozen
class ActionValue(BotHint):
    """What an action is worth, in points, minus its cost: `value(view, rules, action)`.

    Of the actions that do not end the turn, a bot takes the best one above 0; others it weighs against its current
    plan, is worth about two points a turn.
    """

    action: type[Action]
    value: Callable[[View, GameData, Any], float] = field(repr=False)


@frozen
class RouteValue(BotHint):
    """What a route is worth to a seat besides its points and tickets: `value(view, rules, route)`, in points."""

    value: Callable[[View, GameData, Route], float] = field(repr=False)
