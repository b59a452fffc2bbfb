"""Games at the terminal that are kept move by move: whatever ends them, they go on where they were."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import refused, run
from test_cli_human import Pty

import ttr_rules as ttr


def read_journal(file: Path) -> ttr.Game:
    """The only game of a file."""
    with ttr.Journals(file) as journals:
        (id,) = journals
        return journals.read(id)


needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")


def test_a_game_of_bots_is_kept_and_is_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    sheet = run("play", "north-america", "--seed", "5", "--players", "2", "--json", "--journal", str(file)).stdout
    assert sheet == run("play", "north-america", "--seed", "5", "--players", "2", "--json").stdout
    kept = read_journal(file)
    assert kept.is_over and kept.final_scores is not None
    assert kept.final_scores.to_json().items() <= json.loads(sheet).items()


def test_q_keeps_the_game_and_says_how_it_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "my game.db"
    options = ("--human", "Mary", "--seed", "5")
    story = run("play", "europe", *options, "--journal", str(file), input="1\ny\n1\n1\nq\n").stdout
    assert "q to stop." in story and "Save the game" not in story
    how = f"ttr-rules play --resume '{file}' --human Mary"
    assert story.endswith(f"Stopped. The game is kept in {file}. To go on:\n{how}\n")
    before = read_journal(file)
    assert before.played > 3 and before.to_act == (0,)
    more = run("play", "--resume", str(file), "--human", "Mary", input="1\n1\nq\n").stdout
    assert f"It goes on after {before.played} actions." in more and "To go on:\nttr-rules play --resume" in more
    after = read_journal(file)
    assert after.played > before.played and after.at(before.played) == before


@pytest.mark.slow
def test_bots_play_on_in_a_journal_only_when_they_are_told_to(tmp_path: Path) -> None:
    file = tmp_path / "mary.db"
    options = ("--human", "Mary O", "--seed", "5", "--players", "2")
    run("play", "north-america", *options, "--journal", str(file), input="1\ny\nq\n")
    before = read_journal(file)
    said = refused("play", "--resume", str(file))
    assert "Mary O, Ada" in said and "such as --human 'Mary O', or --bots" in said
    assert "--human" in refused("play", "--resume", str(file), "--bots", "--human", "Mary O")
    assert "--bots needs --resume FILE" in refused("play", "north-america", "--bots")
    assert read_journal(file) == before
    assert run("play", "--resume", str(file), "--bots", "--quiet").exit_code == 0 and read_journal(file).is_over
    assert run("play", "--resume", str(file), "--quiet").exit_code == 0, "a game that is over has nobody to play it"


def test_the_command_that_goes_on_names_the_language(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    options = ("--human", "Mary", "--seed", "5", "--lang", "de")
    story = run("play", "europe", *options, "--journal", str(file), input="q\n").stdout
    how = f"ttr-rules play --lang de --resume {file} --human Mary"
    assert story.endswith(f"Angehalten. Der Spielstand ist in {file} gespeichert. So geht es weiter:\n{how}\n")
    story = run("play", "europe", *options, input=f"q\n{tmp_path / 'save.json'}\n").stdout
    assert f"ttr-rules play --lang de --resume {tmp_path / 'save.json'} --human Mary\n" in story


@pytest.mark.slow
def test_a_saved_game_goes_on_in_a_journal(tmp_path: Path) -> None:
    save, file = tmp_path / "game.json", tmp_path / "games.db"
    save.write_text(ttr.dumps(ttr.new_game("europe", players=["Ada", "Bo"], seed=5)), encoding="utf-8")
    assert run("play", "--resume", str(save), "--journal", str(file), "--quiet").exit_code == 0
    assert read_journal(file).is_over and not ttr.loads(save.read_text(encoding="utf-8")).is_over


def test_one_file_has_many_games(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    mary = ("play", "europe", "--human", "Mary", "--seed", "5")
    run(*mary, "--journal", f"{file}#first", input="1\ny\nq\n")
    story = run(*mary, "--journal", str(file), input="q\n").stdout
    with ttr.Journals(file) as journals:
        first, second = journals
        assert first == "first" and journals.read(first).played > journals.read(second).played == 0
    assert story.endswith(f"To go on:\nttr-rules play --resume '{file}#{second}' --human Mary\n")
    said = refused("play", "--resume", str(file), "--human", "Mary")
    assert "has 2 games; say which one:" in said
    assert f"{file}#first: " in said and f"{file}#{second}: Ada, Isambard and Mary to act" in said
    assert "has no game 'third'" in refused("play", "--resume", f"{file}#third", "--human", "Mary")
    assert "already has a game first" in refused(*mary, "--journal", f"{file}#first")
    story = run("play", "--resume", f"{file}#first", "--human", "Mary", input="q\n").stdout
    assert story.endswith(f"To go on:\nttr-rules play --resume '{file}#first' --human Mary\n")


def test_a_game_of_a_journal_is_exported_as_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    games = {id: ttr.new_game("europe", players=["Ada", "Bo"], seed=id) for id in ("a", "b")}
    with ttr.Journals(file) as journals:
        journals.begin(games["a"], "a")
        assert run("export", str(file)).stdout == ttr.dumps(games["a"]) + "\n", "it may be in use"
        journals.begin(games["b"], "b")
    assert run("export", f"{file}#b").stdout == ttr.dumps(games["b"]) + "\n"
    assert "has 2 games; say which one:" in refused("export", str(file))
    assert "no such file" in refused("export", str(tmp_path / "none.db")) and not (tmp_path / "none.db").exists()
    (tmp_path / "save.json").write_text(ttr.dumps(games["a"]), encoding="utf-8")
    assert "cannot keep journals here: file is not a database" in refused("export", str(tmp_path / "save.json"))
    ttr.Journals(tmp_path / "empty.db").close()
    assert "has no games yet" in refused("export", str(tmp_path / "empty.db"))


def test_a_mark_in_the_name_of_a_file_is_part_of_it(tmp_path: Path) -> None:
    file = tmp_path / "game #5.json"
    file.write_text(ttr.dumps(ttr.new_game("europe", players=["Ada", "Bo"], seed=5)), encoding="utf-8")
    assert "Ada" in run("play", "--resume", str(file), "--quiet").stdout
    assert "this is no journal" in refused("play", "--resume", f"{file}#5", "--quiet")


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    run("play", "europe", "--human", "Mary", "--seed", "5", "--journal", str(file), input="1\ny\nq\n")
    assert "cannot keep journals here" in refused("play", "europe", "--journal", str(tmp_path / "no" / "such.db"))
    again = refused("play", "--resume", str(file), "--journal", str(tmp_path / "other.db"))
    assert "which goes on in its own file: leave out --journal" in again and not (tmp_path / "other.db").exists()
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("UPDATE moves SET data = 'nonsense' WHERE number = 1")
    said = refused("play", "--resume", str(file))
    assert said.count(str(file)) == 1 and "not a saved game: not JSON at column" in said


@pytest.mark.slow
@needs_terminal
def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    terminal = Pty("play", "europe", "--human", "Mary", "--seed", "3", "--journal", str(file))
    terminal.until("Mary> ")
    terminal.type("1\ny\n")
    terminal.until("Your turn:")
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    before = read_journal(file)
    assert before.state.tickets[0] and before.to_act == (0,)
    again = Pty("play", "--resume", str(file), "--human", "Mary")
    assert f"It goes on after {before.played} actions." in " ".join(again.until("Mary> ").split())
    again.type("q\n")
    again.until("The game is kept in")
    assert again.end() == 0 and read_journal(file) == before


@pytest.mark.slow
@needs_terminal
def test_an_interrupt_says_how_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    terminal = Pty("play", "europe", "--human", "Mary", "--seed", "3", "--journal", str(file))
    terminal.until("Mary> ")
    said = terminal.interrupted()
    assert re.search(r"The game is kept in \S+\.\s+To\s+go\s+on:\s+ttr-rules\s+play\s+--resume", said)
    assert terminal.end() == 130 and read_journal(file).played < 3
