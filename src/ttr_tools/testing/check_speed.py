"""Advice on speed: conditions on claims that execute much Python in every turn."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from ttr_rules import Rules, State
from ttr_tools.testing.game_run import played

#: How far the game goes in which conditions are asked: routes have been claimed, and many are open.
ACTIONS = 60
#: More lines than this take longer than what the engine itself does to count the claims of a seat.
MOST_LINES = 60


def slow_conditions(rules: Rules, players: int, seed: int) -> tuple[str, ...]:
    """Which conditions on claims are slow, and what to do about it.

    What counts is how many lines of Python they execute when they are asked, so that every machine says the same.
    """
    conditions: tuple[Any, ...] = rules.claim_conditions
    if not conditions:
        return ()
    state = played(rules=rules, players=players, seed=seed, actions=ACTIONS).state
    found: list[str] = []
    for condition in conditions:
        lines = max(_lines(condition, state, seat) for seat in range(players))
        if condition.closed is None:
            found.append(
                f"claim_refusal of {condition.name!r} is asked about every open route, at least twice a turn: add claim_key, "
                "what its answers depend on, or closed_routes"
            )
        elif lines > MOST_LINES:
            found.append(
                f"to find the routes that {condition.name!r} closes takes {lines} lines of Python, at least twice a turn: keep "
                "them in a part of the state, updated in the effects of events, and return them in closed_routes"
            )
    return tuple(found)


def _lines(condition: Any, state: State, seat: int) -> int:
    """How many lines of Python a condition executes when it is asked for the second time: the first may fill tables."""
    routes = state.open[seat]
    condition.mask(state, seat, routes)
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        condition.mask(state, seat, routes)
    finally:
        sys.settrace(before)
    return lines
