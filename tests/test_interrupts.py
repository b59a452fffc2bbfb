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
from ttr_rules.saves import Journal, journal

LIBRARY = str(Path(ttr.__file__).parent)
#: The modules of journals.
JOURNALS = (journal.__file__,)
#: The action that is interrupted in a journal, by its number: the fewer come before it, the less is read back at every line.
LAST = 5


def interrupted(
    call: Callable[[], object],
    step: int,
    *,
    within_lines: bool = False,
    within: str | tuple[str, ...] = LIBRARY,
    again: int | None = None,
) -> bool:
    """Whether an interrupt broke a call off, at the step of this number that it takes through lines of the library.

    It may also fall `within_lines`, where a real one falls only after a call. `within` is the folder, or the modules, whose
    lines count. With `again`, another interrupt comes that many steps later.
    """

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal step, again
        if not frame.f_code.co_filename.startswith(within):
            return None
        frame.f_trace_opcodes = within_lines
        step -= 1
        if step < 0:
            if again is not None:
                step, again = again, None
            else:
                step = 1_000_000
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


def at_every_step(call: Callable[[], object], **how: Any) -> Iterator[int]:
    """Interrupt a call at its first step, then at its second one, and so on, until it comes to its end."""
    step = 0
    while interrupted(call, step, **how):
        yield step
        step += 1
    assert step > 40


def last_action(game: ttr.Game) -> ttr.Action:
    action = game.last_move.action
    assert action is not None
    return action


# Compiled code has no lines to interrupt.
@pytest.mark.slow
@pytest.mark.parametrize("actions", [2, pytest.param(30, marks=[pytest.mark.slow, pytest.mark.pure])])
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


@pytest.mark.slow
@pytest.mark.thorough_but("4")
@pytest.mark.parametrize("again", [None, *range(12)])
def test_a_journal_agrees_with_its_game_whenever_it_is_interrupted(again: int | None, tmp_path: Path) -> None:
    """At each of its lines; and once more, while it deals with that: then it may ask to be resumed."""
    after = played(("europe",), 2, LAST)
    before, action = after.at(LAST - 1), last_action(after)
    with ttr.Journals(tmp_path / "games.db") as journals:
        journal = journals.begin(before.copy(), "a")
        for start, end in ((before, after), (after, before)):
            for step in at_every_step(lambda: change(journal, action), within=JOURNALS, again=again):
                kept = journals.read("a")
                assert kept in (before, after), step
                if again is None:
                    assert journal.game == kept, step
                try:
                    change(journal, action)
                except (ttr.InvalidInputError, ttr.errors.SaveError) as error:
                    assert again is not None and "resume" in str(error), step
                    assert journals.read("a") == kept, step
                    journal = journals.resume("a")
                assert journal.game == journals.read("a"), step
                if journal.game == end:
                    change(journal, action)
                assert journal.game == journals.read("a") == start, step
            assert journal.game == journals.read("a", verify=True) == end


def change(journal: Journal, action: ttr.Action) -> None:
    """Play the action, or undo it if it was played."""
    if journal.game.played < LAST:
        journal.play(action)
    else:
        journal.undo()


def test_a_journal_that_could_not_follow_its_game_asks_to_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ttr.Journals(tmp_path / "games.db") as journals:
        journal = journals.begin(played(("europe",), 3, 5), "a")

        def stopped(_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr(ttr.Game, "undo", stopped)  # the second time, while the first interrupt is dealt with
            with pytest.raises(KeyboardInterrupt):
                journal.undo()
        calls: list[Callable[[], object]] = [
            lambda: journal.play(journal.game.legal_actions(journal.game.to_act[0])[0]), journal.undo
        ]  # fmt: skip
        for call in calls:
            with pytest.raises(ttr.InvalidInputError, match="a move was interrupted"):
                call()
        assert journals.resume("a").game == played(("europe",), 3, 5).at(4)
