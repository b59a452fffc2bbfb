"""What bots should think of what a plugin brings: how to borrow, what an action is worth, what a route is worth.

Hints say what a sensible player knows at a glance. They look at a view, never at a state.
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
    """The base of what the hook `bot_hints` gives."""


@frozen
class BorrowHint(BotHint):
    """An action that lets its seat use routes of others at a city, for tickets: it has the fields `city` and `payment`.

    `built(view)` tells the cities where somebody did so, with the seats; `left(view, seat)` how often a seat still may.
    `turns` is about what it costs, in tenths of a turn, `points` what not doing it is worth.
    """

    action: type[Action]
    built: Callable[[View], Mapping[str, int]] = field(repr=False)
    left: Callable[[View, int], int] = field(repr=False)
    turns: int
    points: int = 0


@frozen
class LoanHint(BotHint):
    """An action that chooses which routes of others are used for tickets: `routes(action)` gives their ids."""

    action: type[Action]
    routes: Callable[[Any], tuple[str, ...]] = field(repr=False)


@frozen
class ActionValue(BotHint):
    """What an action is worth, in points, less what it costs: `value(view, rules, action)`.

    A bot takes the best one above 0 of those that do not end the turn; others it weighs against what it had in mind, which
    is worth about two points a turn.
    """

    action: type[Action]
    value: Callable[[View, GameData, Any], float] = field(repr=False)


@frozen
class RouteValue(BotHint):
    """What a route is worth to a seat beside its points and tickets: `value(view, rules, route)`, in points."""

    value: Callable[[View, GameData, Route], float] = field(repr=False)
