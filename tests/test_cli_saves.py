"""Games of people that end before their end: saved to a file, and taken up again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ttr_rules.saves import pack

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import refused, run

import ttr_rules as ttr
from ttr_tools.bots import play_game


def begun(*answers: str, people: tuple[str, ...] = ("Mary",), stack: tuple[str, ...] = ("europe",)) -> str:
    """What is printed of a game with these answers; then the input ends."""
    humans = [part for name in people for part in ("--human", name)]
    result = run("play", *stack, *humans, "--seed", "5", input="\n".join([*answers, ""]))
    assert result.exit_code == 0 and result.stderr == ""
    return result.stdout


def test_q_offers_to_save_and_resume_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "my evening.json"
    story = begun("1", "y", *["1"] * 6, "q", str(file))
    assert "Save the game, to go on later?" in story
    assert f"Saved. To go on:\nttr-rules play --resume '{file}' --human Mary\n" in story
    assert story.endswith("The game ends here. --seed 5 deals it again.\n")
    game = ttr.loads(file.read_text(encoding="utf-8"))
    assert game.players == ("Mary", "Ada", "Isambard") and game.state.tickets[0] and game.to_act == (0,)

    result = run("play", "--resume", str(file), "--human", "Mary", input="1\n1\nq\n\n")
    assert result.exit_code == 0
    assert f"The seed is 5. It goes on after {len(game.moves) - 1} actions." in result.stdout
    before, asked = result.stdout.split("Your turn:")[:2]
    last = [line for line in story.split("Save the game")[0].splitlines() if " claims " in line or " draws " in line][
        -1
    ]
    assert last in before and "All have chosen" not in before, "only the last lines are told again"
    assert "Mary (you)" in before and "Mary draws two cards from the pile" in asked + result.stdout
    assert game == ttr.loads(file.read_text(encoding="utf-8")), "a file that was read is as it was"


@pytest.mark.slow
def test_a_resumed_game_can_be_played_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    begun("1", "y", *["1"] * 10, "q", str(file))
    rest = run("play", "--resume", str(file), "--human", "Mary", input="1\n" * 3000)
    assert rest.exit_code == 0 and "The game is over." in rest.stdout and rest.stdout.rstrip().endswith("points.")


def test_nothing_is_saved_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for answers in (["q", ""], ["q"], ["q", "q"], ["1", "q", "quit"], []):
        assert "Saved" not in begun(*answers) and list(tmp_path.iterdir()) == []
    assert "Save the game" not in begun("1", "y"), "where the input ends, nobody is asked"


def test_yes_and_no_are_answers_and_no_names_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for no in ("n", "No"):
        assert "Saved" not in begun("q", no, "late.json") and list(tmp_path.iterdir()) == []
    story = begun("q", "y", "YES", "mine.json")
    assert story.count("Under which name?") == 2 and "Saved." in story
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


def test_a_file_that_is_there_or_cannot_be_written_is_left_and_another_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "there.json"
    file.write_text("mine", encoding="utf-8")
    story = begun("q", str(file), str(tmp_path), str(tmp_path / "no" / "such.json"), "\0", str(tmp_path / "b.json"))
    assert story.count(" cannot be written: ") == 4 and "Saved." in story and (tmp_path / "b.json").exists()
    assert file.read_text(encoding="utf-8") == "mine"


def test_several_people_go_on_each_in_their_own_seat(tmp_path: Path) -> None:
    file = tmp_path / "two.json"
    story = begun("", "1", "y", "", "1", "y", "", "q", str(file), people=("Mary", "Paul O'Hara"))
    assert "--human Mary --human 'Paul O'\"'\"'Hara'" in story
    result = run("play", "--resume", str(file), "--human", "Paul O'Hara", input="1\nq\n\n")
    assert "Paul O'Hara (you)" in result.stdout and "Mary (you)" not in result.stdout


@pytest.mark.slow
def test_bots_play_a_saved_game_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    begun("1", "y", "q", str(file))
    assert "wins with" in run("play", "--resume", str(file)).stdout
    sheet = json.loads(run("play", "--resume", str(file), "--json").stdout)
    assert sheet["stack"] == ["europe"] and sheet["seed"] == 5
    packed = tmp_path / "packed"
    packed.write_bytes(pack(ttr.loads(file.read_text(encoding="utf-8"))))
    assert json.loads(run("play", "--resume", str(packed), "--json").stdout) == sheet
    over = ttr.loads(file.read_text(encoding="utf-8"))
    play_game(over)
    file.write_text(ttr.dumps(over), encoding="utf-8")
    ended = run("play", "--resume", str(file), "--human", "Mary")
    assert ended.exit_code == 0 and ended.stdout.rstrip().endswith("points.")


def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    begun("1", "y", "q", str(file))
    for more, problem in (
        (["europe"], "cannot be combined with a STACK"),
        (["--seed", "1"], "cannot be combined with --seed"),
        (["--seed", "0"], "cannot be combined with --seed"),
        (["--players", "0"], "cannot be combined with --players"),
        (["--players", "3"], "cannot be combined with --players"),
        (["--human", "Rosa"], "--human names Rosa; those who play are Mary, Ada, Isambard"),
    ):
        assert problem in refused("play", "--resume", str(file), *more)
    for content, problem in ((b"{}", "no saved game"), (b"\xff\xfe", "no saved game"), (b"{\xff", "cannot be read")):
        file.write_bytes(content)
        said = refused("play", "--resume", str(file))
        assert str(file) in said and (problem in said or "saved game" in said)
    file.write_text("Dear diary", encoding="utf-8")
    said = refused("replay", str(file), "-o", str(tmp_path / "page.html"))
    assert f"{file}: expected a saved game, as JSON or packed, or a journal; " in said
    assert "cannot be read" in refused("play", "--resume", str(tmp_path / "none.json"))
    assert "cannot be read" in refused("play", "--resume", str(tmp_path))
    assert "Missing argument 'STACK...'; or give --resume FILE." in refused("play")
