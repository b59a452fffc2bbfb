"""The packages of third parties, as installed in the process of the tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import invalidate_caches

import pytest
from processes import THIRD_PARTY, installed_in

import ttr_rules as ttr
from ttr_tools.testing.runs import Picks

PROJECTS = {path.parent.name: path.parent for path in sorted(THIRD_PARTY.glob("*/pyproject.toml"))}
PLUGINS = tuple(name.replace("_", "-") for name in PROJECTS)
BASES = ("north-america", "europe", "nordic-countries")
STACKS = [(base, *dice) for base in BASES for dice in ((), ("dice",))]


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All packages count as installed in this process."""
    folder = tmp_path_factory.mktemp("site")
    for project in PROJECTS.values():
        installed_in(folder, project)
    added = [str(folder), *(str(project / "src") for project in PROJECTS.values())]
    sys.path[:0] = added
    invalidate_caches()
    assert {each.name for each in ttr.installed() if each.distribution != "ttr-rules"} >= set(PLUGINS)
    yield
    for path in added:
        sys.path.remove(path)
    invalidate_caches()
    ttr.installed()  # forgets what was found


def played_to_the_end(*stack: str, players: int, seed: int) -> ttr.Game:
    """A whole game of random choices."""
    game, picks = ttr.new_game(*stack, players=players, seed=seed), Picks(seed)
    while game.to_act:
        game.play(picks.action(game.legal_actions(picks.seat(game))))
    return game
