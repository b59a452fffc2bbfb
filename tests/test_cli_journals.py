"""Games at the terminal that are kept move by move: whatever ends them, they go on where they were."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import refused, run
from test_cli_human import Pty

import ttr_rules as ttr
from ttr_rules.saves import read_journal

needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")


def test_a_game_of_bots_is_kept_and_is_the_same_game(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    sheet = run("play", "north-america", "--seed", "5", "--players", "2", "--json", "--journal", str(file)).stdout
    assert sheet == run("play", "north-america", "--seed", "5", "--players", "2", "--json").stdout
    kept = read_journal(file)
    assert kept.is_over and kept.final_scores is not None
    assert kept.final_scores.to_json().items() <= json.loads(sheet).items()


def test_q_keeps_the_game_and_says_how_it_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "my game.jsonl"
    options = ("--human", "Mary", "--seed", "5")
    story = run("play", "europe", *options, "--journal", str(file), input="1\ny\n1\n1\nq\n").stdout
    assert "q to stop." in story and "Save the game" not in story
    how = f"ttr-rules play --resume '{file}' --human Mary"
    assert story.endswith(f"Stopped. The game is kept in {file}. To go on: {how}\n")
    before = read_journal(file)
    assert before.played > 3 and before.to_act == (0,)
    more = run("play", "--resume", str(file), "--human", "Mary", input="1\n1\nq\n").stdout
    assert f"It goes on after {before.played} actions." in more and "To go on: ttr-rules play --resume" in more
    after = read_journal(file)
    assert after.played > before.played and after.at(before.played) == before


def test_bots_play_on_in_a_journal_only_when_they_are_told_to(tmp_path: Path) -> None:
    file = tmp_path / "mary.jsonl"
    options = ("--human", "Mary O", "--seed", "5", "--players", "2")
    run("play", "north-america", *options, "--journal", str(file), input="1\ny\nq\n")
    written = file.read_bytes()
    said = refused("play", "--resume", str(file))
    assert "Mary O, Ada" in said and "such as --human 'Mary O', or --bots" in said
    assert "--human" in refused("play", "--resume", str(file), "--bots", "--human", "Mary O")
    assert "--bots needs --resume FILE" in refused("play", "north-america", "--bots")
    assert file.read_bytes() == written
    assert run("play", "--resume", str(file), "--bots", "--quiet").exit_code == 0 and read_journal(file).is_over
    assert run("play", "--resume", str(file), "--quiet").exit_code == 0, "a game that is over has nobody to play it"


def test_the_command_that_goes_on_names_the_language(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    options = ("--human", "Mary", "--seed", "5", "--lang", "de")
    story = run("play", "europe", *options, "--journal", str(file), input="q\n").stdout
    how = f"ttr-rules play --lang de --resume {file} --human Mary"
    assert story.endswith(f"Angehalten. Der Spielstand ist in {file} gespeichert. So geht es weiter: {how}\n")
    story = run("play", "europe", *options, input=f"q\n{tmp_path / 'save.json'}\n").stdout
    assert f"ttr-rules play --lang de --resume {tmp_path / 'save.json'} --human Mary\n" in story


def test_a_saved_game_goes_on_in_a_journal(tmp_path: Path) -> None:
    save, file = tmp_path / "game.json", tmp_path / "game.jsonl"
    save.write_text(ttr.dumps(ttr.new_game("europe", players=["Ada", "Bo"], seed=5)), encoding="utf-8")
    assert run("play", "--resume", str(save), "--journal", str(file), "--quiet").exit_code == 0
    assert read_journal(file).is_over and not ttr.loads(save.read_text(encoding="utf-8")).is_over


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run("play", "europe", "--human", "Mary", "--seed", "5", "--journal", str(file), input="1\ny\nq\n")
    written = file.read_bytes()
    assert f"already exists: --resume {file} goes on" in refused("play", "europe", "--journal", str(file))
    assert "cannot be begun here" in refused("play", "europe", "--journal", str(tmp_path / "no" / "such.jsonl"))
    again = refused("play", "--resume", str(file), "--journal", str(tmp_path / "other.jsonl"))
    assert "which goes on in its own file: leave out --journal" in again and not (tmp_path / "other.jsonl").exists()
    with ttr.Journal.resume(file):
        assert "another journal has the file open" in refused("play", "--resume", str(file))
    assert file.read_bytes() == written
    file.write_bytes(written.partition(b"\n")[0] + b"\nnonsense\n")
    said = refused("play", "--resume", str(file))
    assert said.count(str(file)) == 1 and "line 2: not JSON" in said


@pytest.mark.slow
@needs_terminal
def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    terminal = Pty("play", "europe", "--human", "Mary", "--seed", "3", "--journal", str(file))
    terminal.until("Mary> ")
    terminal.type("1\ny\n")
    terminal.until("Your turn:")
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL
    before = read_journal(file)
    assert before.state.tickets[0] and before.to_act == (0,)
    again = Pty("play", "--resume", str(file), "--human", "Mary")
    assert f"It goes on after {before.played} actions." in again.until("Mary> ")
    again.type("q\n")
    again.until("The game is kept in")
    assert again.end() == 0 and read_journal(file) == before


@pytest.mark.slow
@needs_terminal
def test_an_interrupt_says_how_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    terminal = Pty("play", "europe", "--human", "Mary", "--seed", "3", "--journal", str(file))
    terminal.until("Mary> ")
    said = terminal.interrupted()
    assert re.search(r"The game is kept\. To go on: ttr-rules play\s+--resume", said)
    assert terminal.end() == 130 and read_journal(file).played < 3
