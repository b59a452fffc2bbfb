"""The playthroughs kept in `playthroughs/`: a game of every official variant, told with all that is legal and seen.

A difference is a change of the rules, of what somebody sees, or of an order that saved games and bots rely on. Where it is
meant, write the files anew with `python tests/official.py` and read what changed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from difflib import unified_diff

import pytest
import stacks
from official import FOLDER, OFFICIAL, files

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_tools.narration import sheet_text
from ttr_tools.testing import played, playthrough

LARGEST = 110_000  # a game of many questions is told at length
FILES = files()


def test_every_variant_has_its_playthrough() -> None:
    told = {name for stack in FILES.values() for name in stack}
    needs_cards = {"marklin", "max", "orient-express"}  # they cannot be played without cards that the caller gives
    there = {each.name for each in ttr.installed() if each.distribution == "ttr-rules"}
    assert told == there - needs_cards
    refused = {("united-kingdom", "dice")}  # nothing to buy with
    assert {each.stack for each in OFFICIAL if each.problem is not None} == {(name,) for name in needs_cards} | refused
    missing = [name for name in FILES if not (FOLDER / name).is_file()]
    assert not missing, f"{missing}: python tests/official.py"


def test_every_file_has_its_stack() -> None:
    assert {path.name for path in FOLDER.iterdir()} <= set(FILES), "a stack is gone, or cannot be compiled any more"
    assert {"europe-2.txt", "europa-1912-5.txt", "europe+dice-2.txt"} <= set(FILES)
    assert len(FILES) <= len(OFFICIAL) / 2 + 4, "one file a variant is enough"


@pytest.mark.slow_cases(
    "united-kingdom-2.txt",
    "germany-tickets+dice-2.txt",
    "germany-tickets-5.txt",
    "nordic-countries-2.txt",
    "pennsylvania-2.txt",
    "mega-europa-5.txt",
    "big-cities-5.txt",
    "europa-1912-5.txt",
    "switzerland-2.txt",
    "india-2.txt",
)
@pytest.mark.parametrize("name", FILES)
def test_a_playthrough_is_as_it_was(name: str) -> None:
    path = FOLDER / name
    if not path.is_file():
        pytest.skip("missing: another test says so")
    kept = path.read_text(encoding="utf-8")
    assert len(kept.encode()) < LARGEST
    head = re.match(r".*, (\d+) players, seed (\d+)\n.*?(?:--actions (\d+))?\n", kept)
    assert head is not None
    actions = None if head[3] is None else int(head[3])
    now = playthrough(*FILES[name], players=int(head[1]), seed=int(head[2]), actions=actions)
    if now != kept:
        changes = list(unified_diff(kept.splitlines(), now.splitlines(), name, "now", lineterm="", n=2))
        raise AssertionError("\n".join([f"{len(changes)} lines differ:", *changes[:60]]))


@pytest.mark.slow
def test_a_playthrough_is_the_same_in_every_process() -> None:
    program = "from ttr_tools.testing import playthrough; print(playthrough('europe', players=3, seed=4, actions=60))"
    texts = [
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True, timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert texts[0] == texts[1] == playthrough("europe", players=3, seed=4, actions=60) + "\n"


def test_a_playthrough_tells_the_game_that_is_played() -> None:
    text = playthrough("north-america", players=2, seed=3)
    game = played("north-america", players=2, seed=3)
    assert text.count(" legal") == len(game.moves) - 1
    assert game.final_scores is not None
    assert text.endswith(f"\n\nScores\n\n{sheet_text(game.final_scores)}\n")
    assert all(f"owners.{route} {seat}" in text for route, seat in game.state.owners.items())


def test_what_cannot_be_played_as_it_is_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ttr.compile_rules

    def refusing(*stack: object, **more: object) -> ttr.Rules:
        if "dice" in stack:
            raise PluginError("the faces of the dice are needed")
        return real(*stack, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(stacks, "compile_rules", refusing)
    found = {each.stack: each for each in stacks.official_stacks()}
    assert found["dice",] == stacks.OfficialStack(("dice",), "the faces of the dice are needed")
    assert found["europe",].problem is found["mega-europa",].problem is None and ("europe", "dice") not in found
