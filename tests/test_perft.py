"""Perft: the ways that small positions can go on, against numbers that were counted by hand in the files of `perft/`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import ttr_rules as ttr
import ttr_tools.testing
from ttr_rules.engine import legal_actions
from ttr_tools.testing import divide, perft
from ttr_tools.testing.names import short

FILES = sorted((Path(__file__).parent / "perft").glob("*.perft"))


def read(path: Path) -> tuple[dict[str, Any], ttr.State]:
    """What a file says, and the state of its position."""
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    board = ttr.load_board(found["board"]) if "board" in found else None
    rules = ttr.compile_rules(*found["stack"], board=board, rulings=found.get("rulings"))
    return found, ttr.arrange(rules, found["position"]).state


def told(state: ttr.State, depth: int) -> str:
    """The count under each first action, for a message."""
    lines = [f"{number:>8}  {short(action, without=('seat',))}" for action, number in divide(state, depth).items()]
    return "\n".join(["", *lines])


def test_there_are_files_and_each_is_counted_by_hand() -> None:
    assert len(FILES) >= 3
    for path in FILES:
        assert path.read_text(encoding="utf-8").count("# Depth ") >= 2, f"{path.name} does not say how it was counted"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_ways_to_go_on_are_as_many_as_counted_by_hand(path: Path) -> None:
    found, state = read(path)
    for depth, wanted in ((int(depth), wanted) for depth, wanted in found["counts"].items()):
        number = perft(state, depth)
        assert number == wanted, (
            f"depth {depth}: {number} ways, not {wanted}; under each first action:{told(state, depth)}"
        )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_legal_actions_have_their_order(path: Path) -> None:
    found, state = read(path)
    actions = legal_actions(state, state.to_act[0])
    assert [short(action, without=("seat",)) for action in actions] == found["order"]


# The first 2 or more of 4, or of 3, tickets of each seat: 11 or 4 ways; all kept or not, a turn follows.
@pytest.mark.parametrize(
    ("stack", "players", "choices"), [("europe", 2, 11), ("europe", 3, 11), ("north-america", 2, 4)]
)
def test_the_set_up_is_counted_seat_by_seat(stack: str, players: int, choices: int) -> None:
    rules = ttr.compile_rules(stack)
    state = ttr.new_game(rules=rules, players=players, seed=5).state
    for depth in range(players + 1):
        assert perft(state, depth) == choices**depth


def test_divide_adds_up_and_names_the_first_actions() -> None:
    state = ttr.new_game("north-america", players=2, seed=9).state
    parts = divide(state, 3)
    assert sum(parts.values()) == perft(state, 3)
    assert list(parts) == list(legal_actions(state, 0))


def test_a_count_leaves_the_state_as_it_was() -> None:
    state = ttr.new_game("europe", players=2, seed=1).state
    before = repr(state.values())
    assert perft(state, 3) > 1000
    assert repr(state.values()) == before


def test_a_game_that_is_over_counts_once_and_depths_are_checked() -> None:
    state = ttr_tools.testing.played("north-america", players=2, seed=1).state
    assert perft(state, 5) == 1 and divide(state, 2) == {}
    with pytest.raises(ttr.InvalidInputError):
        perft(state, -1)
    with pytest.raises(ttr.InvalidInputError):
        divide(state, 0)
    for depth in (31, 10**12, 10**5000):
        for call in (perft, divide):
            with pytest.raises(ttr.InvalidInputError, match="to 30, not"):
                call(state, depth)
