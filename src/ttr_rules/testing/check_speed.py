"""Advice on speed: conditions on claims that execute much Python in every turn."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from ttr_rules.kernel.extensions import ClaimCondition
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.testing.game_run import played

#: How far the game goes in which conditions are asked: routes have been claimed, and many are open.
ACTIONS = 60
#: More lines than this take longer than what the engine itself does to count the claims of a seat.
MOST_LINES = 60


def slow_conditions(rules: Rules, players: int, seed: int) -> tuple[str, ...]:
    """Which conditions on claims are slow, and what to do about it.

    What counts is how many lines of Python they execute when they are asked, so that every machine says the same.
    """
    conditions: tuple[ClaimCondition, ...] = rules.course.claim_conditions
    if not conditions:
        return ()
    state = played(rules=rules, players=players, seed=seed, actions=ACTIONS).state
    found: list[str] = []
    for condition in conditions:
        lines = max(_lines(condition, state, seat) for seat in range(players))
        if condition.closed is None:
            found.append(
                f"the ClaimCondition {condition.name!r} is asked about every open route, at least twice a turn: give it "
                "`closed`, a mask of route numbers"
            )
        elif lines > MOST_LINES:
            found.append(
                f"the ClaimCondition {condition.name!r} executes {lines} lines of Python each time it is asked, at least twice "
                "a turn: keep the mask that `closed` returns in a part of the state, and update it in the effects of events"
            )
    return tuple(found)


def _lines(condition: ClaimCondition, state: State, seat: int) -> int:
    """How many lines of Python a condition executes when it is asked for the second time: the first may fill tables."""
    condition.mask(state, seat, state.open[seat])
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        condition.mask(state, seat, state.open[seat])
    finally:
        sys.settrace(before)
    return lines
