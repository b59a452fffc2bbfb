"""The official stacks, as parameters of tests."""

from __future__ import annotations

import pytest

from ttr_tools.testing import official_stacks

#: Worked out once, as all of them are compiled for it.
OFFICIAL = official_stacks()
#: Every stack of one or two official variants that can be played, in order of their names.
STACKS = sorted({each.stack for each in OFFICIAL if each.problem is None})
#: One of each economy and way to deal tickets: where these hold the others seldom break, so those are slow tests.
QUICK = [("europe",), ("europe", "dice"), ("germany-tickets",), ("nordic-countries",), ("united-kingdom",)]

#: Marks a test of every official stack.
every_stack = pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack), marks=() if stack in QUICK else pytest.mark.slow) for stack in STACKS],
)
