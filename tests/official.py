"""The official stacks, as parameters of tests."""

from __future__ import annotations

import pytest

from ttr_rules.testing import official_stacks

#: Every stack of one or two official variants that can be played, in order of their names.
STACKS = sorted({each.stack for each in official_stacks() if each.problem is None})
#: With dice a stack of the other variants seldom breaks where the variant alone and dice on Europe hold: those are slow tests.
QUICK = [stack for stack in STACKS if "dice" not in stack or stack == ("europe", "dice")]

#: Marks a test of every official stack.
every_stack = pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack), marks=() if stack in QUICK else pytest.mark.slow) for stack in STACKS],
)
