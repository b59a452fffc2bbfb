"""`ttr-rules render`: pictures in files, and what people are told who ask for what cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import refused, run

import ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.render import draw_board, draw_position, draw_sheet


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    game = ttr.new_game("london", players=["Ada", "Bo"], seed=7)
    play_game(game)
    file = tmp_path / "game.json"
    file.write_text(ttr.dumps(game), encoding="utf-8")
    return file


def written(file: Path, *arguments: object) -> str:
    result = run("render", *map(str, arguments), "-o", str(file))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(f"{file}: ") and result.stderr == ""
    return file.read_text(encoding="utf-8").rstrip("\n")


@pytest.mark.slow
def test_the_board_of_a_stack_is_written(tmp_path: Path) -> None:
    rules = ttr.compile_rules("london")
    assert written(tmp_path / "a.svg", "london") == draw_board(rules).svg
    assert written(tmp_path / "a.svg", "london", "--theme", "dark") == draw_board(rules, theme="dark").svg


def test_a_saved_game_is_written(saved: Path, tmp_path: Path) -> None:
    game = ttr.loads(saved.read_text(encoding="utf-8"))
    out = tmp_path / "game.svg"
    assert written(out, saved) == draw_position(game).svg
    assert written(out, saved, "--paths") == draw_position(game, paths=True).svg
    early = draw_position(game.at(9), seat=1).svg
    assert written(out, saved, "--at", 9, "--seat", "Bo") == early == written(out, saved, "--at", 9, "--seat", 1)
    assert game.final_scores is not None
    assert written(out, saved, "--sheet") == draw_sheet(game.final_scores).svg


def test_a_dash_is_the_standard_output() -> None:
    assert run("render", "london", "-o", "-").stdout == draw_board(ttr.compile_rules("london")).svg + "\n"


@pytest.mark.slow
def test_a_png_is_written(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    assert run("render", "london", "-o", str(tmp_path / "a.png")).exit_code == 0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_people_are_told_what_cannot_be_drawn(saved: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "x.svg")
    for arguments, message in (
        (("europa", "-o", out), "no plugin 'europa' is installed; did you mean 'europe'?"),
        (("nothing.json", "-o", out), "nothing.json: no such file"),
        (("london", "-o", str(tmp_path / "x.gif")), "ends in .svg or .png, not x.gif"),
        (("london", "-o", str(tmp_path / "no" / "x.svg")), "cannot be written: No such file or directory"),
        (("london", "--sheet", "-o", out), "--sheet is for a saved game: give its file, not the STACK london"),
        (("london", "--at", "3", "-o", out), "--at is for a saved game"),
        ((str(saved), "--seat", "Cy", "-o", out), "--seat must be Ada, Bo or spectator, not 'Cy'"),
        ((str(saved), "--seat", "2", "-o", out), "--seat must be Ada, Bo or spectator, not '2'"),
        ((str(saved), "--at", "9999", "-o", out), "actions were played, not 9999"),
        ((str(saved), "--at", "5", "--sheet", "-o", out), "this game is not over, so there is no score sheet yet"),
        (("london", "-o", out, "--theme", "sepia"), "'sepia' is not one of 'auto', 'light', 'dark'"),
    ):
        assert message in refused("render", *arguments), arguments
    assert not Path(out).exists()


@pytest.mark.slow
def test_what_is_written_is_named_in_the_language_asked_for(tmp_path: Path) -> None:
    save = tmp_path / "game.json"
    save.write_text(ttr.dumps(ttr.new_game("united-kingdom", players=["Anna", "Bo"], seed=1)), encoding="utf-8")
    out, page = str(tmp_path / "a.svg"), tmp_path / "a.html"
    assert run("render", "europe", "-o", out, "--lang", "de").stdout == f"{out}: Spielplan Europa\n"
    told = run("render", str(save), "-o", out, "--lang", "de", "--seat", "Anna").stdout
    assert told == f"{out}: Vereinigtes Königreich, wie Anna das Spiel sieht\n"
    told = run("replay", str(save), "-o", str(page), "--lang", "de", "--seat", "all").stdout
    assert told == f"{page}: 0 Züge, mit allen Handkarten und Zielkarten.\n"
    assert ">Spielplan Vereinigtes Königreich</title>" in page.read_text(encoding="utf-8")
