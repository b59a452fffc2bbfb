"""The official stacks, as parameters of tests, and the playthroughs that are kept of them.

`python tests/official.py` writes these playthroughs anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from stacks import official_stacks

import ttr_rules as ttr
from ttr_tools.testing import played, playthrough

#: Worked out once, as all of them are compiled for it.
OFFICIAL = official_stacks()
#: Every stack of one or two official variants that can be played, in order of their names.
STACKS = sorted({each.stack for each in OFFICIAL if each.problem is None})
#: Each map, and dice on three of them; `test_stacks.py` runs the whole kit on the others with dice.
MAPS = [stack for stack in STACKS if "dice" not in stack or stack[0] in ("europe", "germany-tickets", "pennsylvania")]
#: One of each economy and way to deal tickets: where these hold the others seldom break, so those are thorough tests.
QUICK = [("europe",), ("europe", "dice"), ("germany-tickets",), ("nordic-countries",), ("united-kingdom",)]


#: Marks a test of all these.
every_map = pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack), marks=() if stack in QUICK else pytest.mark.thorough) for stack in MAPS],
)

# -- playthroughs --------------------------------------------------------------------------------------------------

FOLDER = Path(__file__).parent / "playthroughs"
#: The bases on which variants without a map are shown; others are shown on the first that they fit.
SHOWN_ON = {"dice": ("europe", "germany-tickets")}
#: How many seeds are tried to find the shortest game for a file, and how many actions a file with many players shows.
SEEDS, TOLD = 20, 80


def files() -> dict[str, tuple[str, ...]]:
    """The stack of each file, one for a variant: a map with the fewest players, what is built on another one with the most."""
    found: dict[str, tuple[str, ...]] = {}
    shown: set[str] = set()
    for official in OFFICIAL:
        *bases, name = official.stack
        if official.problem is None and (name not in shown if name not in SHOWN_ON else bases[0] in SHOWN_ON[name]):
            shown.add(name)
            rules = ttr.compile_rules(*official.stack)
            few = bases or len(rules.stack) == 1
            count = rules.components.min_players if few else rules.components.max_players
            found[f"{'+'.join(official.stack)}-{count}.txt"] = official.stack
    return found


def text(stack: tuple[str, ...], players: int) -> str:
    """A whole game for few players, the beginning of a game for many: of the first seeds the one with the fewest actions."""
    rules = ttr.compile_rules(*stack)
    games = {seed: played(rules=rules, players=players, seed=seed) for seed in range(1, SEEDS + 1)}
    seed = min(games, key=lambda seed: len(games[seed].moves))
    actions = TOLD if players > rules.components.min_players else None
    return playthrough(*stack, players=players, seed=seed, actions=actions)


if __name__ == "__main__":
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name, stack in files().items():
        players = int(name.removesuffix(".txt").rpartition("-")[2])
        (FOLDER / name).write_text(text(stack, players), encoding="utf-8", newline="\n")
