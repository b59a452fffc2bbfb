"""Journals: many games in one file, of which no move that was played is lost, and which two never write at once."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from helpers import rules_of
from test_saves import played

import ttr_rules as ttr
from ttr_rules.errors import OutdatedActionError, SaveError
from ttr_rules.plugins import Variant
from ttr_rules.saves import Journal, saving

T = TypeVar("T")
STACK = ("europe",)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def journals(path: Path) -> Iterator[ttr.Journals]:
    with ttr.Journals(path) as opened:
        yield opened


def first_action(game: ttr.Game) -> ttr.Action:
    return game.legal_actions(game.to_act[0])[0]


def play_one(journal: Journal) -> None:
    journal.play(first_action(journal.game))


def execute(path: Path, *statements: str) -> None:
    """Change a file without the library."""
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


def refuses(journal: Journal, match: str) -> None:
    """Neither plays nor undoes: the game stays as it is."""
    before = journal.game.copy()
    calls: list[Callable[[], object]] = [lambda: play_one(journal), journal.undo]
    for call in calls:
        with pytest.raises(SaveError, match=match):
            call()
        assert journal.game == before


# -- games in a file -------------------------------------------------------------------------------------------------


def test_games_of_one_file_go_on_where_they_were(path: Path) -> None:
    stacks: dict[str, tuple[str, ...]] = {"one": STACK, "two": ("north-america",), "three": ("europe", "dice")}
    with ttr.Journals(path) as journals:
        for id, stack in stacks.items():
            journals.begin(played(stack, 3, 4), id)
        for id in stacks:
            play_one(journals.resume(id))
    with ttr.Journals(str(path)) as journals:
        assert list(journals) == list(stacks) and "two" in journals and "four" not in journals
        for id in stacks:
            journal = journals.resume(id, verify=True)
            play_one(journal)
            assert journal.game.played == 6 and journal.id == id
            assert journals.read(id, verify=True) == journal.game
            assert journals.save(id) == ttr.dumps(journal.game)
    assert [file.name for file in path.parent.iterdir()] == ["games.db"]


def test_whose_turn_it_is_can_be_asked_without_reading_games(journals: ttr.Journals) -> None:
    game = ttr.new_game("london", players=["Ada", "Bo", "Cy"], seed=3)
    journal = journals.begin(game, "tea")
    journals.begin(ttr.new_game("london", players=["Ada", "Di"], seed=3), "supper")
    while not game.is_over:
        assert journals.to_act("tea") == tuple(game.players[seat] for seat in game.to_act)
        for name in game.players:
            waiting = {"supper"} if name == "Ada" else set[str]()
            assert set(journals.waiting_for(name)) == waiting | ({"tea"} if name in journals.to_act("tea") else set())
        play_one(journal)
    assert journals.to_act("tea") == () == journals.waiting_for("Cy")
    journal.undo()
    assert len(journals.to_act("tea")) == 1
    assert journals.to_act("nosuch") == () == journals.waiting_for("Nobody")


def test_what_belongs_to_a_game_is_kept_with_it(journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 2), about={"room": "Größe", "tokens": ["a", None]})
    assert len(journal.id) == 16 and journals.about(journal.id) == {"room": "Größe", "tokens": ["a", None]}
    assert journals.about(journals.begin(played(STACK, 3, 2)).id) == {}


def test_a_game_that_is_removed_is_gone(journals: ttr.Journals, path: Path) -> None:
    journal = journals.begin(played(STACK, 3, 2), "old")
    journals.begin(played(STACK, 3, 2), "new")
    journals.remove("old")
    assert list(journals) == ["new"] and journals.to_act("old") == ()
    refuses(journal, "somebody else has written to this game")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT DISTINCT game FROM moves UNION SELECT DISTINCT game FROM turns").fetchall() == [
            ("new",)
        ]
    db.close()
    journals.begin(played(STACK, 3, 2), "old")


def test_an_undone_move_is_gone_from_game_and_file(journals: ttr.Journals) -> None:
    game = played(STACK, 3, 6)
    journal = journals.begin(game.copy(), "a")
    for count in (5, 4, 3):
        assert journal.undo() == game.moves[count + 1]
        assert journal.game == journals.read("a") == game.at(count)
    for move in game.moves[4:]:
        assert move.action is not None
        assert journal.play(move.action, expected=journal.game.played) == move.events
    assert journals.save("a") == ttr.dumps(game)
    while journal.game.played:
        journal.undo()
    with pytest.raises(ttr.InvalidInputError, match="nothing to undo"):
        journal.undo()
    assert journals.read("a") == journal.game == game.at(0)


def test_a_refused_action_changes_nothing(journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    with pytest.raises(OutdatedActionError):
        journal.play(first_action(journal.game), expected=4)
    with pytest.raises(ttr.IllegalActionError):
        journal.play(ttr.DrawBlind(journal.game.to_act[0] ^ 1))
    assert journals.read("a") == journal.game == played(STACK, 3, 5)
    journal.play(first_action(journal.game), expected=5)
    assert journals.read("a", verify=True) == journal.game


BEHIND: dict[str, Callable[[ttr.Game], object]] = {
    "played": lambda game: game.play(first_action(game)),
    "undone": lambda game: game.undo(),
    "played another way": lambda game: (game.undo(), game.play(game.legal_actions(game.to_act[0])[1])),
    "played again": lambda game: (game.undo(), game.play(first_action(game))),
}


@pytest.mark.parametrize("change", BEHIND)
def test_a_game_that_was_changed_without_its_journal_is_not_written(change: str, journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    BEHIND[change](journal.game)
    calls: list[Callable[[], object]] = [lambda: play_one(journal), journal.undo]
    for call in calls:
        with pytest.raises(ttr.InvalidInputError, match="played or undone directly"):
            call()
    assert journals.read("a") == played(STACK, 3, 5)


def test_a_game_that_was_put_back_goes_on(journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    journal.game.play(first_action(journal.game))
    journal.game.undo()
    play_one(journal)
    assert journals.read("a") == journal.game


# -- what cannot be kept or read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["", " ", "two\nlines", "x" * 201, "\ud800", 5, b"x"])
def test_an_id_that_cannot_be_shown_is_refused(id: Any, journals: ttr.Journals) -> None:
    with pytest.raises(ttr.InvalidInputError, match="the id of a game"):
        journals.begin(played(STACK, 3, 0), id)
    for call in (journals.resume, journals.read, journals.save, journals.about, journals.remove):
        with pytest.raises(SaveError):
            call(id)
    assert list(journals) == []


def test_a_game_that_cannot_be_begun(journals: ttr.Journals) -> None:
    game: Any = played(STACK, 3, 1)
    journals.begin(game, "a")
    with pytest.raises(SaveError, match=r"games\.db already has a game a: resume it, or choose another id"):
        journals.begin(game, "a")
    for about in ({"what": {1}}, {"self": float}, 5):
        with pytest.raises(ttr.InvalidInputError, match="^about: "):
            journals.begin(game, "b", about=about)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(SaveError, match="expected a game"):
        journals.begin("game")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert list(journals) == ["a"]
    with pytest.raises(SaveError, match=r"games\.db has no game 'c'"):
        journals.read("c")


@pytest.mark.parametrize("path", [None, 3, b"x", "a\0b", "", "/", "nowhere/x", "/dev/zero", "\ud800"])
def test_a_place_that_cannot_have_journals(path: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SaveError, match="cannot keep journals here") as caught:
        ttr.Journals(path)
    assert str(caught.value).isprintable() and list(tmp_path.iterdir()) == []


def test_files_of_other_programs_are_refused_and_stay_as_they_are(path: Path) -> None:
    execute(path, "CREATE TABLE games (id)", "INSERT INTO games VALUES (1)")
    other = path.read_bytes()
    for content in (other, b"What is this?" * 100, ttr.dumps(played(STACK, 3, 1)).encode(), b"x"):
        path.write_bytes(content)
        with pytest.raises(SaveError, match="not a database|not a file of journals"):
            ttr.Journals(path)
        assert path.read_bytes() == content and list(path.parent.iterdir()) == [path]


def test_an_empty_file_becomes_one_of_journals(path: Path) -> None:
    """As one is left behind by a crash while the file was being created."""
    path.touch()
    with ttr.Journals(path) as journals:
        journals.begin(played(STACK, 3, 1), "a")
    with ttr.Journals(path) as journals:
        assert list(journals) == ["a"]


def test_a_file_of_a_newer_library_is_refused_with_both_versions(path: Path) -> None:
    ttr.Journals(path).close()
    execute(path, "PRAGMA user_version = 7")
    with pytest.raises(SaveError, match="the file has version 7; this library reads version 1"):
        ttr.Journals(path)


def test_a_damaged_game_is_named_with_its_place_and_the_others_go_on(path: Path, journals: ttr.Journals) -> None:
    for id in ("a", "b", "c"):
        journals.begin(played(STACK, 3, 6), id)
    execute(
        path,
        "UPDATE moves SET data = replace(data, '\"action\":', '\"deed\":') WHERE game = 'a' AND number = 5",
        "UPDATE moves SET data = x'ff00' WHERE game = 'b' AND number = 5",
    )
    for call in (journals.read, journals.resume):
        with pytest.raises(SaveError, match=r"games\.db, game a: .* moves\[5\]: unknown key 'deed'"):
            call("a")
        with pytest.raises(SaveError, match=r"games\.db, game b: not a saved game"):
            call("b")
    play_one(journals.resume("c", verify=True))


def test_edited_moves_are_trusted_unless_verified(path: Path, journals: ttr.Journals) -> None:
    journals.begin(played(STACK, 3, 2), "a")
    execute(path, """UPDATE moves SET data = replace(data, '"chance_calls":4', '"chance_calls":5') WHERE number = 2""")
    assert journals.read("a").played == 2
    for call in (journals.read, journals.resume):
        with pytest.raises(SaveError, match=r"game a: moves\[2\]: chance was asked 4 times"):
            call("a", verify=True)


def test_a_game_grows_no_longer_than_what_is_read(journals: ttr.Journals, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(STACK, 3, 6)
    size, last = len(ttr.dumps(game).encode()), game.last_move.action
    assert last is not None
    journal = journals.begin(game.at(5), "a")
    monkeypatch.setattr("ttr_rules.saves.journal.LONGEST_SAVE", size - 1)
    too_long = rf"the game is too long: {size} bytes \(limit {size - 1}\)$"
    with pytest.raises(SaveError, match=f"^the move could not be written: {too_long}"):
        journal.play(last)
    assert journal.game == journals.read("a") == game.at(5)
    with pytest.raises(SaveError, match=f"games.db: the game could not be written: {too_long}"):
        journals.begin(game, "b")
    assert list(journals) == ["a"]
    monkeypatch.setattr("ttr_rules.saves.journal.LONGEST_SAVE", size)
    journal.play(last)
    monkeypatch.setattr("ttr_rules.saves.journal.LONGEST_SAVE", size - 1)
    with pytest.raises(SaveError, match=f"games.db: cannot be read: {too_long}"):
        journals.read("a")


def test_closed_journals_say_so(path: Path) -> None:
    with ttr.Journals(path) as journals:
        journal = journals.begin(played(STACK, 3, 2), "a")
    journals.close()
    calls: list[Callable[[], object]] = [
        lambda: play_one(journal), journal.undo, lambda: journals.read("a"), lambda: list(journals)
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ttr.InvalidInputError, match="these journals are closed: open the file again"):
            call()
    assert journal.game == played(STACK, 3, 2)


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_the_files_of_journals_are_for_their_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        with ttr.Journals(path) as journals:
            journals.begin(played(STACK, 3, 2))
            assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    finally:
        os.umask(before)


# -- crashes and full disks --------------------------------------------------------------------------------------------

KILLED = """
import sys
import ttr_rules as ttr
journals = ttr.Journals(sys.argv[1])
journal = journals.resume("a") if "a" in journals else journals.begin(ttr.new_game("europe", players=2, seed=3), "a")
game = journal.game
print(game.played, flush=True)
while True:
    if game.played % 7 == 6:
        print("undoing", flush=True)
        journal.undo()
        journal.undo()
    else:
        choices = game.legal_actions(game.to_act[0])
        journal.play(choices[len(choices) // 2])
    print(game.played, flush=True)
"""


@pytest.mark.slow
def test_no_move_that_was_played_is_lost_when_the_process_is_killed(path: Path) -> None:
    for round in range(6):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(3 + 5 * round)]
            process.kill()
            lines += process.stdout.readlines()
            assert process.wait(60) == -signal.SIGKILL
        told = [line.strip() for line in lines if line.endswith("\n")]
        with ttr.Journals(path) as journals:
            count = journals.read("a", verify=True).played
            last = told[-1]
            expected = {4, 5, 6} if last == "undoing" else {int(last), int(last) + 1}
            assert count in expected, told


FULL_DISK = """
import os, resource, signal, sys
import ttr_rules as ttr
from ttr_rules.errors import SaveError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = sys.argv[1]
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


new = ttr.new_game("switzerland", players=2, seed=3)
refused(100, lambda: ttr.Journals(path))
journals = ttr.Journals(path)
refused(100, lambda: journals.begin(new, "a"))
assert list(journals) == []
journal = journals.begin(new, "a")
for seat in (0, 1):
    journal.play(journal.game.legal_actions(seat)[0])
before, size = journal.game.copy(), os.path.getsize(path + "-wal")
choices = before.legal_actions(before.to_act[0])
for room in (0, 1, 30, 5000):
    refused(size + room, lambda: journal.play(choices[0]))
    assert journal.game == journals.read("a") == before, room
    refused(size + room, journal.undo)
    assert journal.game == journals.read("a") == before, room
journal.play(choices[1])
journals.close()
with ttr.Journals(path) as journals:
    assert journals.read("a", verify=True) == journal.game and journal.game.played == 3
"""


@pytest.mark.slow
def test_a_move_that_does_not_fit_on_the_disk_is_undone_and_play_goes_on_later(path: Path) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", FULL_DISK, str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    told = done.stdout.splitlines()
    assert "cannot keep journals here: " in told[0] and "games.db: the game could not be written: " in told[1]
    problems = {line.rpartition(": ")[0] for line in told[2:]}
    assert problems == {"the move could not be written", "the move could not be undone"}
    assert {line.rpartition(": ")[2] for line in told} <= {"database or disk is full", "disk I/O error"}


def test_a_move_that_the_database_refuses_is_undone(path: Path, journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    execute(path, "CREATE TRIGGER broken BEFORE UPDATE ON games BEGIN SELECT raise(FAIL, 'no luck'); END")
    with pytest.raises(SaveError, match="^the move could not be written: no luck$"):
        play_one(journal)
    with pytest.raises(SaveError, match="^the move could not be undone: no luck$"):
        journal.undo()
    with pytest.raises(SaveError, match=r"games\.db: the game could not be written: no luck$"):
        journals.begin(played(STACK, 3, 5), "b")
    assert journal.game == journals.read("a") == played(STACK, 3, 5) and list(journals) == ["a"]
    execute(path, "DROP TRIGGER broken")
    play_one(journal)
    assert journals.read("a", verify=True) == journal.game


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be moved there")
def test_nothing_is_written_to_a_file_that_was_moved_or_removed(path: Path) -> None:
    """Moves that went to a file without a name would be lost."""
    elsewhere = path.with_name("elsewhere.db")
    with ttr.Journals(path) as journals:
        journal = journals.begin(played(STACK, 3, 5), "a")
        path.rename(elsewhere)
        refuses(journal, "No such file or directory")
        path.write_bytes(b"another file")
        refuses(journal, "another file has taken the place of this one")
        assert path.read_bytes() == b"another file"
        elsewhere.replace(path)
        play_one(journal)
        path.unlink()
        refuses(journal, "No such file or directory")


def test_a_file_is_found_after_a_change_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    with ttr.Journals("games.db") as journals:
        journal = journals.begin(played(STACK, 3, 5), "a")
        monkeypatch.chdir(tmp_path / "below")
        play_one(journal)
        assert journals.read("a") == journal.game


# -- two writers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", [play_one, Journal.undo])
def test_two_journals_never_write_to_one_game(change: Callable[[Journal], object], path: Path) -> None:
    with ttr.Journals(path) as here, ttr.Journals(path) as there:
        journal = here.begin(played(STACK, 3, 5), "a")
        for journals in (here, there):
            other = journals.resume("a")
            change(other)
            refuses(journal, "somebody else has written to this game: resume it")
            assert here.read("a", verify=True) == there.read("a") == other.game
            journal = other
        play_one(here.resume("a"))


def test_an_undo_and_another_move_of_another_journal_are_noticed(journals: ttr.Journals) -> None:
    """The number of moves is the same then."""
    journal = journals.begin(played(STACK, 3, 5), "a")
    other = journals.resume("a")
    other.undo()
    play_one(other)
    refuses(journal, "somebody else has written to this game")


OTHER_PROCESS = """
import sys
import ttr_rules as ttr
with ttr.Journals(sys.argv[1]) as journals:
    for id in sys.argv[2:]:
        journal = journals.resume(id)
        for _ in range(10):
            journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
"""


@pytest.mark.slow
def test_processes_play_different_games_of_one_file_at_once(path: Path, journals: ttr.Journals) -> None:
    mine = journals.begin(played(STACK, 3, 0), "mine")
    taken = journals.begin(played(STACK, 3, 1), "taken")
    journals.begin(played(STACK, 3, 0), "theirs")
    with subprocess.Popen([sys.executable, "-c", OTHER_PROCESS, str(path), "theirs", "taken"]) as process:
        for _ in range(10):
            play_one(mine)
        assert process.wait(60) == 0
    refuses(taken, "somebody else has written to this game")
    assert [journals.read(id, verify=True).played for id in journals] == [10, 11, 10]


def test_a_file_that_another_program_writes_to_for_long_is_told(
    path: Path, journals: ttr.Journals, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    journals._file.column("PRAGMA busy_timeout = 10")  # pyright: ignore[reportPrivateUsage]
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refuses(journal, "database is locked")
    other.close()
    play_one(journal)


def test_a_file_that_another_program_writes_to_can_be_opened(path: Path, journals: ttr.Journals) -> None:
    journals.begin(played(STACK, 3, 5), "a")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with ttr.Journals(path) as again:
        assert again.read("a").played == 5
    other.close()


def test_threads_play_the_games_of_one_file(journals: ttr.Journals) -> None:
    def serve(number: int) -> bool:
        journal = journals.begin(ttr.new_game(rules=rules_of("europe"), players=2, seed=number))
        for _ in range(12):
            play_one(journal)
        journal.undo()
        return journals.read(journal.id, verify=True) == journal.game

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(serve, range(16)))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="descriptors cannot be counted here")
def test_many_games_need_few_descriptors(journals: ttr.Journals) -> None:
    game, before = played(STACK, 3, 2), len(list(Path("/proc/self/fd").iterdir()))
    begun = [journals.begin(game.copy()) for _ in range(60)]
    for journal in begun:
        play_one(journal)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_forked_process_opens_the_file_again(path: Path, journals: ttr.Journals) -> None:
    journal = journals.begin(played(STACK, 3, 5), "a")
    child = os.fork()
    if not child:
        try:
            play_one(journal)
        except ttr.InvalidInputError as error:
            os._exit(7 if "open the file again in this one" in str(error) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    play_one(journal)
    assert journals.read("a", verify=True) == journal.game


# -- other forms, other chance -----------------------------------------------------------------------------------------


class Seats(Variant, name="seats"):
    """Seats: the first version wrote who draws a card under another name."""


class LaterSeats(Variant, name="seats", save_version=2):
    """Seats: the second version."""

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        for move in document["moves"]:
            if (move["action"] or {}).get("type") == "train-cards.DrawBlind":
                move["action"] = {"type": "train-cards.DrawBlind", "seat": move["action"]["who"]}
        return document


@pytest.mark.parametrize("change", [lambda journal: journal.play(ttr.DrawBlind(1)), Journal.undo])
def test_a_game_that_a_plugin_brought_up_to_date_is_rewritten_with_its_next_change(
    change: Callable[[Journal], object], path: Path, journals: ttr.Journals
) -> None:
    game = ttr.new_game(rules=ttr.compile_rules("europe", Seats), players=2, seed=1, first_seat=0)
    journal = journals.begin(game, "a")
    for seat in (0, 1):
        journal.play(game.legal_actions(seat)[0])
    for _ in range(2):
        journal.play(ttr.DrawBlind(0))
    today = '{"type":"train-cards.DrawBlind","seat"'
    execute(path, f"UPDATE moves SET data = replace(data, '{today}', '{today.replace('seat', 'who')}')")
    old, rules = journals.save("a"), ttr.compile_rules("europe", LaterSeats)
    journal = journals.resume("a", rules=rules)
    with pytest.raises(ttr.IllegalActionError):
        journal.play(ttr.DrawBlind(0))
    assert journals.save("a") == old and '"who"' in old
    change(journal)
    assert journals.save("a") == ttr.dumps(journal.game) and json.loads(journals.save("a"))["versions"] == {"seats": 2}
    play_one(journal)
    assert journals.read("a", rules=rules, verify=True) == journal.game


def test_a_game_in_an_older_format_is_rewritten_with_its_next_change(
    journals: ttr.Journals, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals.begin(played(STACK, 3, 5), "a")
    monkeypatch.setattr(saving, "UPCASTS", {1: lambda document: {**document, "format": 2}})
    monkeypatch.setattr(saving, "FORMAT", 2)
    journal = journals.resume("a", verify=True)
    assert json.loads(journals.save("a"))["format"] == 1
    play_one(journal)
    assert journals.save("a") == ttr.dumps(journal.game) and json.loads(journals.save("a"))["format"] == 2


class Odd:
    """A caller's chance: everything the other way round."""

    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        return items[::-1]

    def roll(self, faces: Sequence[T]) -> T:
        return faces[-1]


def test_a_game_has_no_seed_any_more_when_another_chance_plays(journals: ttr.Journals) -> None:
    journals.begin(played(STACK, 3, 5), "a")
    text = journals.save("a")
    journal = journals.resume("a", chance=Odd())
    assert journals.save("a") == text
    play_one(journal)
    assert journals.read("a", chance=Odd()) == journal.game and journal.game.seed is None
    with pytest.raises(SaveError, match="caller's chance object: give one"):
        journals.read("a")
    play_one(journals.resume("a", chance=Odd()))
    assert journals.read("a", chance=Odd()).played == 7
