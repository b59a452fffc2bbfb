"""Interrupts at every step of playing and taking back: a move is made as a whole or not at all, in the game and in its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from helpers import arranged
from test_saves import played

import ttr_rules as ttr
from ttr_rules.saves import read_journal

LIBRARY = str(Path(ttr.__file__).parent)


def interrupted(call: Callable[[], object], step: int, *, within_lines: bool = False) -> bool:
    """Whether an interrupt broke a call off, at the step of this number that it takes through lines of the library.

    It may also fall `within_lines`, where a real one falls only after a call.
    """

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal step
        if not frame.f_code.co_filename.startswith(LIBRARY):
            return None
        frame.f_trace_opcodes = within_lines
        step -= 1
        if step < 0:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def at_every_step(call: Callable[[], object], *, within_lines: bool = False) -> Iterator[int]:
    """Interrupt a call at its first step, then at its second one, and so on, until it comes to its end."""
    step = 0
    while interrupted(call, step, within_lines=within_lines):
        yield step
        step += 1
    assert step > 50


def last_action(game: ttr.Game) -> ttr.Action:
    action = game.last_move.action
    assert action is not None
    return action


@pytest.mark.parametrize("actions", [2, 30])
def test_a_game_is_played_on_or_not_whenever_it_is_interrupted(actions: int) -> None:
    after = played(("europe",), 3, actions)
    before, action = after.at(actions - 1), last_action(after)
    game = before.copy()
    for step in at_every_step(lambda: game.play(action), within_lines=True):
        assert game in (before, after), step
        game = before.copy()
    assert game == after


def test_a_game_that_is_over_is_taken_back_or_not_whenever_that_is_interrupted() -> None:
    after = arranged("europe", {}, {}, turns_left=1, draw_pile=["red"] * 6)
    for _ in range(2):
        after.play(ttr.DrawBlind(0))
    before, sheet = after.at(1), after.final_scores
    game = after.copy()
    assert sheet is not None and game.final_scores == sheet
    for step in at_every_step(lambda: game.undo()):  # noqa: PLW0108 (it is another game each time)
        assert game in (before, after), step
        assert game.final_scores == (sheet if game == after else None), step
        game = after.copy()
        assert game.final_scores == sheet
    assert game == before


@pytest.mark.parametrize("actions", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_a_journal_agrees_with_its_game_whenever_it_is_interrupted(actions: int, tmp_path: Path) -> None:
    after = played(("europe",), 3, actions)
    before, action = after.at(actions - 1), last_action(after)
    path, files = tmp_path / "game.jsonl", [tmp_path / "before", tmp_path / "after"]
    for file, game in zip(files, (before, after), strict=True):
        ttr.Journal.begin(file, game).close()
        assert read_journal(file) == game
    moments = list(zip((before, after), map(Path.read_bytes, files), strict=True))
    with ttr.Journal.begin(path, before.copy()) as journal:
        for step in at_every_step(lambda: journal.play(action)):
            assert (journal.game, path.read_bytes()) in moments, step
            if journal.game == after:
                journal.undo()
        assert journal.game == after
        for step in at_every_step(journal.undo):
            assert (journal.game, path.read_bytes()) in moments, step
            if journal.game == before:
                journal.play(action)
        assert (journal.game, path.read_bytes()) == moments[0]


def test_a_journal_that_could_not_follow_its_game_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(("europe",), 3, 5)) as journal:

        def stopped(_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr(ttr.Game, "undo", stopped)  # a second interrupt, while the first one is dealt with
            with pytest.raises(KeyboardInterrupt):
                journal.undo()
        calls: list[Callable[[], object]] = [
            lambda: journal.play(journal.game.legal_actions(journal.game.to_act[0])[0]), journal.undo
        ]  # fmt: skip
        for call in calls:
            with pytest.raises(ttr.InvalidInputError, match="broken off in the middle"):
                call()
    with ttr.Journal.resume(path) as journal:
        assert journal.game == played(("europe",), 3, 5).at(4)
