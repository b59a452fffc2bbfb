"""Journals: cut anywhere, on a full disk, of older forms, taken back, and played behind their back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from helpers import rules_of
from older_saves import in_format
from test_saves import played

import ttr_rules as ttr
from ttr_rules._internal.limits import LONGEST_SAVE
from ttr_rules.errors import OutdatedActionError, SaveError
from ttr_rules.plugins import PluginInfo
from ttr_rules.saves import read_journal
from ttr_rules.saves.journal import MOST_LINES
from ttr_rules.saves.saving import written

T = TypeVar("T")
STACK = ("europe",)
needs_locks = pytest.mark.skipif(os.name == "nt", reason="no locks there")


def first_action(game: ttr.Game) -> ttr.Action:
    return game.legal_actions(game.to_act[0])[0]


# -- cut, garbled, and taken up ---------------------------------------------------------------------------------------


def journaled(path: Path, actions: int = 12) -> ttr.Game:
    game = played(("europe",), 3, actions)
    with ttr.Journal.begin(path, ttr.new_game("europe", players=2, seed=3)) as journal:
        for move in game.moves[1:]:
            assert move.action is not None and journal.play(move.action) == move.events
    return game


@pytest.mark.slow
def test_a_journal_cut_at_every_byte_loses_one_move_at_most(tmp_path: Path) -> None:
    path, cut = tmp_path / "game.jsonl", tmp_path / "cut.jsonl"
    game, rules = journaled(path, actions=2), rules_of("europe")
    data = path.read_bytes()
    assert read_journal(path) == game and data.count(b"\n") == 1 + len(game.moves)
    for end in range(len(data) + 1):
        cut.write_bytes(data[:end])
        whole = data[:end].count(b"\n")
        if whole < 2:  # not even the set-up: there is no game yet
            with pytest.raises(SaveError):
                read_journal(cut, rules=rules)
        else:
            assert len(read_journal(cut, rules=rules).moves) == whole - 1


def test_a_journal_is_taken_up_again_after_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    path.write_bytes(path.read_bytes()[:-5])
    with ttr.Journal.resume(path, verify=True) as journal:
        assert journal.game == game.at(game.played - 1)
        action = game.last_move.action
        assert action is not None and journal.play(action) == game.last_move.events
    assert read_journal(path, verify=True) == game
    with pytest.raises(ttr.InvalidInputError, match="closed"):
        journal.play(game.legal_actions(game.to_act[0])[0])
    with pytest.raises(SaveError, match="cannot be begun"):
        ttr.Journal.begin(path, game)


def test_what_is_wrong_in_a_journal_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journaled(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, wrong, match in (
        (0, "garbage\n", "line 1: "),
        (5, "garbage\n", "line 6: "),
        (5, "[]\n", "line 6: expected an object"),
        (5, lines[5].replace("core.", "score."), "line 6"),
        (3, lines[3].replace('"action":', '"deed":'), "line 4"),
        (4, lines[4].replace('"action":', '"deed":'), "line 5"),
        (0, '{"format":2}\n', "missing "),
        (0, '{"format":3}\n', "missing "),
        (0, lines[0].replace("{", '{"moves":[],', 1), "line 1: the moves of a journal are the lines that follow"),
        (0, lines[0].replace("{", '{"seed":3,', 1), "line 1: the key 'seed' is there twice"),
    ):
        path.write_text("".join([*lines[:number], wrong, *lines[number + 1 :]]), encoding="utf-8")
        for read in (read_journal, ttr.Journal.resume):
            with pytest.raises(SaveError, match=match):
                read(path)
    with pytest.raises(SaveError, match="cannot be read"):
        read_journal(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["A", "AA"])
def test_a_journal_of_any_length_is_gone_on_with_at_its_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, ttr.new_game("europe", players=[name, "B"], seed=3)) as journal:
        journal.play(journal.game.legal_actions(0)[0])
    with ttr.Journal.resume(path=path, chance=None, rules=rules_of("europe")) as journal:
        journal.play(journal.game.legal_actions(1)[0])
    assert read_journal(path=path, chance=None, rules=rules_of("europe")) == journal.game


def test_edited_facts_of_a_journal_are_trusted_unless_verified(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, ttr.new_game("europe", players=2, seed=3)) as journal:
        for seat in (0, 1):
            journal.play(journal.game.legal_actions(seat)[0])
    text = path.read_text(encoding="utf-8")
    assert text.count('"chance_calls":4') == 3
    path.write_text('"chance_calls":5'.join(text.rsplit('"chance_calls":4', 1)), encoding="utf-8")
    assert read_journal(path).played == 2
    ttr.Journal.resume(path).close()
    for read in (read_journal, ttr.Journal.resume):
        with pytest.raises(SaveError, match="line 4: chance was asked 4 times"):
            read(path, verify=True)


def test_what_the_system_says_of_a_journal_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path, actions=2)
    with pytest.raises(SaveError, match=r"game.jsonl: a journal cannot be begun here: File exists$"):
        ttr.Journal.begin(path, game)
    with pytest.raises(SaveError, match=r"nowhere: cannot be read: No such file or directory$"):
        read_journal(tmp_path / "nowhere")
    with pytest.raises(SaveError, match=r"cannot be read: .*null (byte|character)"):
        read_journal("\0")
    opened = Path.open

    def read_only(self: Path, mode: str = "r", **more: Any) -> Any:
        if "+" in mode:
            raise PermissionError(13, "Permission denied")
        return opened(self, mode, **more)

    monkeypatch.setattr(Path, "open", read_only)
    with pytest.raises(SaveError, match=r"game.jsonl: cannot be written: Permission denied$"):
        ttr.Journal.resume(path)


def test_a_move_that_cannot_be_written_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(("europe",), 3, 5)) as journal:
        before, game = path.read_bytes(), journal.game.copy()
        with monkeypatch.context() as full:

            def no_space(_: int) -> None:
                raise OSError(28, "No space left on device")

            full.setattr("ttr_rules.saves.journal.os.fsync", no_space)
            with pytest.raises(SaveError, match=r"^the move could not be written: No space left on device$"):
                journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
        assert journal.game == game and path.read_bytes() == before
        with pytest.raises(ttr.IllegalActionError):
            journal.play(ttr.DrawBlind(journal.game.to_act[0] ^ 1))
        journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
    assert len(read_journal(path).moves) == len(game.moves) + 1


# -- full disks -------------------------------------------------------------------------------------------------------

FULL_DISK = """
import os, resource, signal, sys
import ttr_rules as ttr
from ttr_rules.errors import SaveError
from ttr_rules.saves import read_journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = sys.argv[1]
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]


def refused(room, call):
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        call()
    except SaveError as error:
        print(error)
    else:
        raise SystemExit(f"written, with room for {room} bytes")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


new, path = ttr.new_game("switzerland", players=2, seed=3), f"{folder}/new.jsonl"
refused(100, lambda: ttr.Journal.begin(path, new))
assert os.listdir(folder) == [], os.listdir(folder)
journal = ttr.Journal.begin(path, new)
for seat in (0, 1):
    journal.play(journal.game.legal_actions(seat)[0])
before, size = journal.game.copy(), os.path.getsize(path)
seat = before.to_act[0]
choices = before.legal_actions(seat)
for room in (0, 1, 30):
    refused(size + room, lambda: journal.play(choices[0]))
    assert journal.game == before and os.path.getsize(path) == size, room
journal.play(choices[1])
journal.close()
assert read_journal(path, verify=True) == journal.game and journal.game.played == 3
assert os.listdir(folder) == ["new.jsonl"], os.listdir(folder)
"""


def test_a_journal_on_a_full_disk_holds_the_moves_that_were_played_and_no_others(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout.splitlines()
    assert "cannot be begun here: File too large" in told[0]
    assert told[1:] == ["the move could not be written: File too large"] * 3


def test_a_disk_that_cannot_even_be_cut_is_written_right_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        with monkeypatch.context() as broken:
            for name in ("fsync", "_cut"):
                where = (
                    "ttr_rules.saves.linefile.os.fsync" if name == "fsync" else "ttr_rules.saves.linefile.LineFile._cut"
                )
                broken.setattr(where, fails)
            for _ in range(2):
                with pytest.raises(SaveError, match="no luck"):
                    journal.play(first_action(journal.game))
        assert journal.game == played(STACK, 3, 5)
        journal.play(journal.game.legal_actions(journal.game.to_act[0])[1])
    assert read_journal(path, verify=True) == journal.game


def fails(*_: object) -> None:
    raise OSError(5, "no luck")


def test_a_move_is_taken_back_when_anything_breaks_off_its_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        before = path.read_bytes()
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.os.fsync", stopped)
            with pytest.raises(KeyboardInterrupt):
                journal.play(first_action(journal.game))
        assert journal.game == played(STACK, 3, 5) and path.read_bytes() == before


@pytest.mark.parametrize("path", [None, 3, b"x", "a\0b", "", "/", "nowhere/x"])
def test_what_is_no_place_for_a_journal_is_told(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    game = played(STACK, 3, 0)
    calls: list[Callable[[], object]] = [
        lambda: ttr.Journal.begin(path, game), lambda: ttr.Journal.resume(path), lambda: read_journal(path)
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(SaveError) as caught:
            call()
        assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_a_file_system_without_links_has_journals_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "hardlink_to", fails)
    game, path = played(STACK, 3, 2), tmp_path / "game.jsonl"
    ttr.Journal.begin(path, game).close()
    with pytest.raises(SaveError, match="already exists"):
        ttr.Journal.begin(path, played(STACK, 4, 2))
    assert read_journal(path) == game and list(tmp_path.iterdir()) == [path]


# -- older forms ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [1, 2])
def test_a_journal_of_an_older_form_is_taken_up_in_the_form_of_today(form: int, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    header, *moves = path.read_bytes().splitlines(keepends=True)
    path.write_text(in_format(form, path.read_text()) + '{"action":')
    path.chmod(0o641)
    assert read_journal(path) == game
    with ttr.Journal.resume(path) as journal:
        journal.play(first_action(journal.game))
    assert path.read_bytes().startswith(header) and path.read_bytes().count(b"\n") == 2 + len(moves)
    assert read_journal(path, verify=True) == journal.game
    assert path.stat().st_mode & 0o777 == 0o641 and list(tmp_path.iterdir()) == [path]


class Seats:
    """A plugin whose first version wrote who draws a card under another name."""

    def __init__(self, version: int) -> None:
        self.info = PluginInfo("seats", "Seats", save_version=version)

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        for move in document["moves"]:
            if (move["action"] or {}).get("type") == "train-cards.DrawBlind":
                move["action"] = {"type": "train-cards.DrawBlind", "seat": move["action"]["who"]}
        return document


def test_a_journal_that_a_plugin_brought_up_to_date_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = ttr.new_game(rules=ttr.compile_rules("europe", Seats(1)), players=2, seed=1, first_seat=0)
    with ttr.Journal.begin(path, game) as journal:
        for seat in (0, 1):
            journal.play(game.legal_actions(seat)[0])
        for _ in range(2):
            journal.play(ttr.DrawBlind(0))
    today = '{"type":"train-cards.DrawBlind","seat"'
    path.write_text(path.read_text().replace(today, today.replace("seat", "who")))
    rules = ttr.compile_rules("europe", Seats(2))
    with ttr.Journal.resume(path, rules=rules) as journal:
        journal.play(ttr.DrawBlind(1))
    assert read_journal(path, rules=rules, verify=True) == journal.game
    assert json.loads(path.read_bytes().splitlines()[0])["versions"] == {"seats": 2}


def test_a_journal_that_cannot_be_written_anew_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    journaled(path)
    path.write_text(in_format(1, path.read_text()))
    before = path.read_bytes()
    with monkeypatch.context() as broken:
        broken.setattr("ttr_rules.saves.linefile.os.fsync", fails)
        with pytest.raises(SaveError, match="cannot be written: no luck") as caught:
            ttr.Journal.resume(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    ttr.Journal.resume(path).close()  # the file was closed, though the error that was caught still knows of it
    assert caught and path.read_bytes() != before


# -- back, and for another moment -------------------------------------------------------------------------------------


def test_a_journal_takes_moves_back_in_game_and_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path, actions=6)
    data = path.read_bytes()
    with ttr.Journal.resume(path) as journal:
        for played_then in (5, 4, 3):
            assert journal.undo() == game.moves[played_then + 1]
            assert journal.game == read_journal(path) == game.at(played_then)
        for move in game.moves[4:]:
            assert move.action is not None
            journal.play(move.action, expected=journal.game.played)
        assert path.read_bytes() == data
        while journal.game.played:
            journal.undo()
        with pytest.raises(ttr.InvalidInputError, match="nothing to undo"):
            journal.undo()
    assert read_journal(path) == game.at(0)
    with pytest.raises(ttr.InvalidInputError, match="closed"):
        journal.undo()


def test_a_move_that_cannot_be_taken_back_from_the_file_stays_in_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.LineFile.prepare", fails)
            with pytest.raises(SaveError, match="could not be undone: no luck"):
                journal.undo()
        assert journal.game == read_journal(path) == played(STACK, 3, 5)
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.os.fsync", fails)
            with pytest.raises(SaveError, match="is undone, but the disk may still contain it: no luck"):
                journal.undo()
        assert journal.game == read_journal(path) == played(STACK, 3, 5).at(4)
        journal.play(first_action(journal.game))
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.LineFile._cut", fails)
            with pytest.raises(SaveError, match="is undone, but the disk may still contain it: no luck"):
                journal.undo()
        assert journal.game == played(STACK, 3, 5).at(4) and read_journal(path).played == 5
        journal.play(journal.game.legal_actions(journal.game.to_act[0])[1])
    assert read_journal(path, verify=True) == journal.game


def test_an_action_for_another_moment_is_refused_by_a_journal_too(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        with pytest.raises(OutdatedActionError):
            journal.play(first_action(journal.game), expected=4)
        with pytest.raises(TypeError):
            journal.play(first_action(journal.game), 5)  # type: ignore[call-arg]
        journal.play(first_action(journal.game), expected=5)
    assert read_journal(path).played == 6


BEHIND: dict[str, Callable[[ttr.Game], object]] = {
    "played": lambda game: game.play(first_action(game)),
    "taken back": lambda game: game.undo(),
    "played another way": lambda game: (game.undo(), game.play(game.legal_actions(game.to_act[0])[1])),
    "played again": lambda game: (
        game.undo(),
        game.undo(),
        game.play(first_action(game)),
        game.play(first_action(game)),
    ),
}


@pytest.mark.parametrize("change", BEHIND)
def test_what_is_done_behind_the_back_of_a_journal_stops_it(change: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        BEHIND[change](journal.game)
        calls: list[Callable[[], object]] = [lambda: journal.play(first_action(journal.game)), journal.undo]
        for call in calls:
            with pytest.raises(ttr.InvalidInputError, match="played or undone without it"):
                call()
        with pytest.raises(AttributeError):
            journal.game = played(STACK, 3, 5)  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    assert read_journal(path) == played(STACK, 3, 5)


def test_a_game_that_was_put_back_goes_on_in_its_journal(tmp_path: Path) -> None:
    with ttr.Journal.begin(tmp_path / "game.jsonl", played(STACK, 3, 5)) as journal:
        journal.game.play(first_action(journal.game))
        journal.game.undo()
        journal.play(first_action(journal.game))
    assert read_journal(tmp_path / "game.jsonl") == journal.game


# -- two writers ------------------------------------------------------------------------------------------------------


class Odd:
    """A caller's chance: everything the other way round."""

    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        return items[::-1]

    def roll(self, faces: Sequence[T]) -> T:
        return faces[-1]


def unlocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system without locks."""
    monkeypatch.setattr("ttr_rules.saves.linefile._lock", lambda _: None)  # pyright: ignore[reportUnknownLambdaType]


def test_a_second_writer_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        with ttr.Journal.resume(path) as other:
            other.play(first_action(other.game))
        refuses(journal, "somebody else has written")
        assert journal.game == played(STACK, 3, 5)
    assert read_journal(path, verify=True) == other.game


def test_another_writers_undo_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        with ttr.Journal.resume(path) as other:
            other.undo()
        refuses(journal, "somebody else has written")
    assert read_journal(path, verify=True) == other.game


def refuses(journal: ttr.Journal, match: str) -> None:
    """Neither plays nor takes back: game and file stay as they are."""
    before = journal.game.copy()
    calls: list[Callable[[], object]] = [lambda: journal.play(first_action(journal.game)), journal.undo]
    for call in calls:
        with pytest.raises(SaveError, match=match):
            call()
        assert journal.game == before


@needs_locks
def test_a_second_writer_is_refused_until_the_first_one_closes(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        data = path.read_bytes()
        with pytest.raises(SaveError, match=r"game\.jsonl: cannot be written: another journal has the file open$"):
            ttr.Journal.resume(path)
        assert read_journal(path) == journal.game and path.read_bytes() == data
        journal.play(first_action(journal.game))
    with ttr.Journal.resume(path) as again:
        assert again.game == journal.game


@needs_locks
def test_a_journal_that_is_closed_is_taken_up_though_a_child_was_forked_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journal = ttr.Journal.begin(path, played(STACK, 3, 5))
    # A descriptor of the same opened file, as a child has it.
    inherited = os.dup(journal._lines._file.fileno())  # pyright: ignore[reportPrivateUsage]
    try:
        journal.close()
        ttr.Journal.resume(path).close()
    finally:
        os.close(inherited)


def test_a_disk_without_locks_has_journals_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", fails)
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    with ttr.Journal.resume(path) as journal:
        assert journal.game == game


def test_what_is_written_between_reading_and_opening_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path, actions=4)
    data = path.read_bytes()
    last = data.splitlines(keepends=True)[-1]
    for then in (data + last, data[:-5], data.replace(b'"A"', b'"C"'), data[:-3] + b"!}\n", data + b"\n"):
        if then == data:
            continue

        def written_meanwhile(_: object, then: bytes = then) -> None:
            path.write_bytes(then)

        path.write_bytes(data)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr("ttr_rules.saves.linefile._lock", written_meanwhile)
            with pytest.raises(SaveError, match="cannot be written: somebody else has written to the file"):
                ttr.Journal.resume(path)
        assert path.read_bytes() == then
    path.write_bytes(data)
    assert read_journal(path) == game


def test_a_journal_whose_file_is_gone_or_another_one_writes_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    path, elsewhere = folder / "game.jsonl", folder / "old.jsonl"
    gone = "the file was moved or removed, or another one has taken its place"
    with ttr.Journal.begin(path, played(STACK, 3, 5)) as journal:
        data = path.read_bytes()
        path.rename(elsewhere)
        refuses(journal, gone)
        path.write_bytes(data)
        refuses(journal, gone)
        assert path.read_bytes() == elsewhere.read_bytes() == data
        elsewhere.replace(path)
        journal.play(first_action(journal.game))
        journal.undo()
        path.unlink()
        refuses(journal, gone)
        folder.rmdir()
        folder.write_text("no folder any more", encoding="utf-8")
        refuses(journal, gone)


def test_a_journal_finds_its_file_after_a_change_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    with ttr.Journal.begin("game.jsonl", played(STACK, 3, 5)) as journal:
        monkeypatch.chdir(tmp_path / "below")
        journal.play(first_action(journal.game))
    monkeypatch.chdir(tmp_path)
    assert read_journal("game.jsonl") == journal.game


# -- another chance ---------------------------------------------------------------------------------------------------


def drawing(journal: ttr.Journal) -> None:
    """Play until chance is asked: cards are drawn, whatever else could be done."""
    calls = journal.game.last_move.chance_calls
    while journal.game.last_move.chance_calls == calls:
        choices = journal.game.legal_actions(journal.game.to_act[0])
        journal.play(next((each for each in choices if isinstance(each, ttr.DrawBlind)), choices[0]))


def test_a_journal_is_that_of_another_chance_when_that_plays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    path.chmod(0o640)
    data = path.read_bytes()
    with ttr.Journal.resume(path, chance=Odd()) as journal:
        assert path.read_bytes() == data
        journal.undo()
        with pytest.raises(ttr.IllegalActionError):
            journal.play(ttr.DrawBlind(journal.game.to_act[0] ^ 1))
        assert read_journal(path) == game.at(game.played - 1) and data.startswith(path.read_bytes())
        with ttr.Journal.begin(tmp_path / "reference", journal.game.copy()) as reference:
            drawing(reference)
        old = journal._lines  # pyright: ignore[reportPrivateUsage]
        journal.play(first_action(journal.game))
        assert old.closed
        journal.undo()
        inode = path.stat().st_ino
        drawing(journal)
        assert path.stat().st_ino == inode, "written anew once is enough"
        assert read_journal(path, chance=Odd()) == journal.game == reference.game
        assert path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(SaveError, match="caller's chance object: give one"):
        read_journal(path)
    data = path.read_bytes()
    with ttr.Journal.resume(path, chance=Odd()) as journal:
        inode = path.stat().st_ino
        journal.play(first_action(journal.game))
        assert path.stat().st_ino == inode and path.read_bytes().startswith(data)
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "reference"]


def test_a_move_of_another_chance_that_cannot_be_written_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    data = path.read_bytes()
    with ttr.Journal.resume(path, chance=Odd()) as journal:
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.os.fsync", fails)
            with pytest.raises(SaveError, match="^the move could not be written: no luck$"):
                journal.play(first_action(journal.game))
        assert path.read_bytes() == data and journal.game.moves == game.moves
        assert list(tmp_path.iterdir()) == [path]
        path.rename(tmp_path / "old.jsonl")
        path.write_bytes(b"what somebody else has put here")
        refuses(journal, "another one has taken its place")
        assert path.read_bytes() == b"what somebody else has put here"
        (tmp_path / "old.jsonl").replace(path)
        journal.play(first_action(journal.game))
    assert read_journal(path, chance=Odd()) == journal.game


def test_a_journal_of_format_1_keeps_its_seed_until_another_chance_plays(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path)
    today = path.read_bytes()
    path.write_text(in_format(1, path.read_text()))
    with ttr.Journal.resume(path, chance=Odd()) as journal:
        assert path.read_bytes() == today and read_journal(path) == game
        journal.play(first_action(journal.game))
    assert read_journal(path, chance=Odd()) == journal.game


# -- how long, how it is told, and who may read it ---------------------------------------------------------------------


def test_a_journal_grows_no_longer_than_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    game = journaled(path, actions=6)
    size = path.stat().st_size
    last = game.last_move.action
    assert last is not None
    told = f"the journal would be of {size} bytes, and {size - 1} at most are read$"
    with ttr.Journal.resume(path) as journal:
        journal.undo()
        monkeypatch.setattr("ttr_rules.saves.journal.LONGEST_SAVE", size - 1)
        with pytest.raises(SaveError, match=f"^the move could not be written: {told}"):
            journal.play(last)
        assert journal.game == read_journal(path) == game.at(5)
        with pytest.raises(SaveError, match=f"begun.jsonl: a journal cannot be begun here: {told}"):
            ttr.Journal.begin(tmp_path / "begun.jsonl", game)
        monkeypatch.setattr("ttr_rules.saves.journal.LONGEST_SAVE", size)
        journal.play(last)
    assert read_journal(path) == game
    ttr.Journal.begin(tmp_path / "begun.jsonl", game).close()


def test_a_line_that_is_no_json_is_told_by_its_own_number_and_the_column(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    journaled(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for wrong, told in (
        (b"\n", "Expecting value at column 1"),
        (b'{"action" 3}\n', "Expecting ':' delimiter at column 11"),
        (b'{"action":\n', "Expecting value at column 11"),
    ):
        path.write_bytes(b"".join([*lines[:4], wrong, *lines[4:]]))
        with pytest.raises(SaveError) as caught:
            read_journal(path)
        assert str(caught.value) == f"{path}, line 5: not JSON: {told}"


def test_a_journal_of_too_many_lines_is_refused_before_they_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"{}\n" * 600_000)
    looked: list[object] = []
    with monkeypatch.context() as watched:
        watched.setattr("ttr_rules.saves.journal.object_of", looked.append)
        with pytest.raises(SaveError, match="it has 600000 lines, and 50000 at most are read"):
            read_journal(path)
    assert not looked
    path.write_bytes(b"{}\n" * 50_001)
    with pytest.raises(SaveError, match="it has 50001 lines"):
        read_journal(path)
    path.write_bytes(b"{}\n" * 50_000)
    with pytest.raises(SaveError, match="format None"):
        read_journal(path)


def test_the_line_of_a_move_is_longer_than_what_the_bound_of_lines_allows_for() -> None:
    shortest: dict[str, object] = {"action": None, "chance_calls": 0, "events": []}
    assert len(written(shortest)) + 1 > LONGEST_SAVE / MOST_LINES


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_journal_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    before = os.umask(0)
    try:
        journaled(path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_a_crash_leaves_behind_is_named_after_its_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[tuple[str, int]] = []

    def crash(_: int) -> None:
        left.extend((each.name, each.stat().st_mode & 0o777) for each in tmp_path.glob(".*"))
        raise KeyboardInterrupt

    for name in ("game.jsonl", "x" * 250):
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.os.fsync", crash)
            with pytest.raises(KeyboardInterrupt):
                ttr.Journal.begin(tmp_path / name, played(STACK, 3, 1))
        ((found, mode),) = left
        assert re.fullmatch(rf"\.{name[:50]}\.[0-9a-f]{{16}}\.new", found)
        assert os.name == "nt" or mode == 0o600
        left.clear()
        ttr.Journal.begin(tmp_path / name, played(STACK, 3, 1)).close()
    assert len(list(tmp_path.iterdir())) == 2
