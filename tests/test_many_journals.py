"""A server with many journals: few of their files are open, and what others write to an idle one is noticed all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from test_journals import STACK, fails, first_action, needs_locks, refuses
from test_saves import played

import ttr_rules as ttr
from ttr_rules.errors import SaveError
from ttr_rules.saves import linefile, open_files, read_journal

MANY = """
import resource, sys
import ttr_rules as ttr
from ttr_rules.saves import read_journal

folder = sys.argv[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
rules = ttr.compile_rules("europe")
journals = [ttr.Journal.begin(f"{folder}/{number}.jsonl", ttr.new_game(rules=rules, players=2, seed=number)) for number in range(200)]
for round in range(2):
    for journal in journals:
        game = journal.game
        journal.play(game.legal_actions(game.to_act[0])[0])
for journal in journals[:100]:
    journal.undo()
for number, journal in enumerate(journals):
    journal.close()
    assert read_journal(f"{folder}/{number}.jsonl", rules=rules) == journal.game
journals = [ttr.Journal.resume(f"{folder}/{number}.jsonl", rules=rules) for number in range(200)]
for journal in journals[:100]:
    journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
# And where other parts of the server leave but a few descriptors.
others = []
try:
    while True:
        others.append(open(sys.executable, "rb"))
except OSError:
    others.pop().close()
for journal in journals[50:]:
    journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
more = ttr.Journal.begin(f"{folder}/more.jsonl", ttr.new_game(rules=rules, players=2, seed=1))
more.play(first := more.game.legal_actions(0)[0])
print(sum(journal.game.played for journal in journals))
"""


@pytest.mark.slow
def test_two_hundred_journals_need_forty_descriptors(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path)], check=False, capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, f"{100 * 1 + 100 * 2 + 100 + 150}\n"), done.stderr


@pytest.fixture
def idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ttr.Journal]:
    """A journal whose file is closed, as others were used since."""
    monkeypatch.setattr(open_files.FILES, "most", 2)
    game = played(STACK, 3, 5)
    with ttr.Journal.begin(tmp_path / "game.jsonl", game.copy()) as journal:
        assert is_open(journal)
        others = [ttr.Journal.begin(tmp_path / f"{number}.jsonl", game.copy()) for number in range(2)]
        assert not is_open(journal) and all(map(is_open, others))
        for other in others:
            other.close()
        yield journal


def is_open(journal: ttr.Journal) -> bool:
    return journal._lines.is_open


def test_files_are_closed_only_where_there_are_too_many(tmp_path: Path) -> None:
    """Those used least recently: a game that is played keeps its file, and its lock."""
    game = played(STACK, 3, 5)
    with ttr.Journal.begin(tmp_path / "busy.jsonl", game.copy()) as busy:
        others: list[ttr.Journal] = []
        for number in range(2 * open_files.MOST_OPEN):
            others.append(ttr.Journal.begin(tmp_path / f"{number}.jsonl", game.copy()))
            if number % 5 == 0:
                busy.play(first_action(busy.game))
                busy.undo()
            count = sum(map(is_open, [busy, *others]))
            assert is_open(busy) and is_open(others[-1]) and count == min(number + 2, open_files.MOST_OPEN)
        for other in others:
            other.close()
            assert not is_open(other)
    assert not is_open(busy)


def test_an_idle_journal_goes_on(idle: ttr.Journal) -> None:
    for _ in range(2):
        idle.play(first_action(idle.game))
        assert is_open(idle)
        open_files.FILES.make_room(None, 0)
        assert not is_open(idle)
        idle.undo()
        idle.play(first_action(idle.game))
        open_files.FILES.make_room(None, 0)
    idle.close()
    with pytest.raises(ttr.InvalidInputError, match="closed"):
        idle.play(first_action(idle.game))
    with ttr.Journal.resume(idle._lines.path, verify=True) as again:
        assert again.game == idle.game


def test_an_idle_journal_is_not_taken_up_a_second_time_in_its_process(idle: ttr.Journal) -> None:
    path = idle._lines.path
    other_name = path.with_name("link.jsonl")
    other_name.symlink_to(path)
    for name in (path, other_name):
        with pytest.raises(SaveError, match="another journal has the file open"):
            ttr.Journal.resume(name)
    idle.play(first_action(idle.game))
    idle.close()
    ttr.Journal.resume(path).close()


OTHER_PROCESS = """
import sys
import ttr_rules as ttr
with ttr.Journal.resume(sys.argv[1]) as journal:
    print("open", flush=True)
    if sys.stdin.readline() == "play\\n":
        journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
"""


@needs_locks
@pytest.mark.parametrize("plays", [True, False])
def test_another_process_takes_an_idle_journal_over_or_gives_it_back(plays: bool, idle: ttr.Journal) -> None:
    """Never do two write: while it is open there this one is refused, and for good if something was written."""
    path = idle._lines.path
    command = [sys.executable, "-c", OTHER_PROCESS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        assert other.stdout.readline() == "open\n"
        refuses(idle, "another journal has the file open")
        other.stdin.write("play\n" if plays else "leave\n")
        other.stdin.close()
        assert other.wait(60) == 0
    if plays:
        refuses(idle, "somebody else has written to the file")
        assert read_journal(path, verify=True).played == idle.game.played + 1
    else:
        idle.play(first_action(idle.game))
        assert read_journal(path, verify=True) == idle.game


def test_a_change_of_the_same_length_is_noticed_too(idle: ttr.Journal) -> None:
    path = idle._lines.path
    data = path.read_bytes()
    changed = data.replace(b'"chance_calls":4', b'"chance_calls":5', 1)
    assert changed != data
    for other in (changed, data + b"\n", data[:-1], b""):
        path.write_bytes(other)
        refuses(idle, "somebody else has written to the file")
        assert path.read_bytes() == other
    path.write_bytes(data)
    idle.play(first_action(idle.game))
    assert read_journal(path, verify=True) == idle.game


def test_an_idle_file_that_is_gone_or_another_one_is_noticed(idle: ttr.Journal) -> None:
    path = idle._lines.path
    data = path.read_bytes()
    elsewhere = path.with_name("elsewhere")
    path.rename(elsewhere)
    gone = "the file was moved or removed, or another one has taken its place"
    refuses(idle, gone)
    path.write_bytes(data)
    refuses(idle, gone)
    with ttr.Journal.resume(path) as other:  # which is not the file of the idle journal
        other.play(first_action(other.game))
    elsewhere.replace(path)
    idle.play(first_action(idle.game))
    path.unlink()
    refuses(idle, gone)


def test_a_file_that_cannot_be_put_right_is_not_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a move that was written in part, on a disk that cannot even be cut, its lock is kept."""
    with ttr.Journal.begin(tmp_path / "game.jsonl", played(STACK, 3, 5)) as journal:
        with monkeypatch.context() as broken:
            broken.setattr("ttr_rules.saves.linefile.os.fsync", fails)
            broken.setattr(linefile.LineFile, "_cut", fails)
            with pytest.raises(SaveError, match="no luck"):
                journal.play(first_action(journal.game))
            open_files.FILES.make_room(None, 0)
            assert is_open(journal)
        open_files.FILES.make_room(None, 0)
        assert not is_open(journal)
        journal.play(first_action(journal.game))
    assert read_journal(tmp_path / "game.jsonl", verify=True) == journal.game


def test_an_idle_file_that_cannot_be_opened_takes_the_move_back(
    idle: ttr.Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(Path, "open", lambda *_, **__: fails())
        refuses(idle, "no luck")
    idle.play(first_action(idle.game))
    assert read_journal(idle._lines.path, verify=True) == idle.game


def test_journals_of_many_threads_share_few_descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_files.FILES, "most", 3)
    rules = ttr.compile_rules("europe")

    def serve(number: int) -> bool:
        path = tmp_path / f"{number}.jsonl"
        with ttr.Journal.begin(path, ttr.new_game(rules=rules, players=2, seed=number)) as journal:
            for _ in range(12):
                journal.play(first_action(journal.game))
            journal.undo()
        return read_journal(path, verify=True) == journal.game

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(serve, range(16)))


def test_a_journal_that_is_given_up_leaves_no_file_open(tmp_path: Path) -> None:
    count = len(open_files.FILES.all())
    journal = ttr.Journal.begin(tmp_path / "game.jsonl", played(STACK, 3, 5))
    open_files.FILES.make_room(None, 0)
    assert len(open_files.FILES.all()) == count + 1
    del journal
    assert len(open_files.FILES.all()) == count
    if os.name != "nt":
        ttr.Journal.resume(tmp_path / "game.jsonl").close()
