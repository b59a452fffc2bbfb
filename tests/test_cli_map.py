"""The map in a terminal: every city where it is, routes by their owners, in color and without, and what tickets miss."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from helpers import rules_of
from rich.console import Console
from test_cli import refused, run
from test_cli_human import Pty

import ttr_maps
import ttr_rules as ttr
from ttr_rules.model import TicketSetup
from ttr_rules.model.board import plain
from ttr_tools.bots import play_game
from ttr_tools.cli.map import PLAIN, Signs, map_lines, print_map
from ttr_tools.narration import Names

EUROPE = rules_of("europe")


def drawn(board: ttr.Board, width: int = 100, owners: dict[str, Sequence[int]] | None = None) -> list[str]:
    return [line.plain for line in map_lines(board, owners or {}, width, board.place_name)]


@pytest.mark.parametrize("name", ttr_maps.NAMES)
@pytest.mark.parametrize("width", [60, 78, 120])
def test_every_city_is_on_the_map_with_its_name_or_the_beginning_of_it(name: str, width: int) -> None:
    board = ttr_maps.load(name)
    lines = drawn(board, width)
    assert sum(line.count("●") for line in lines) == len(board.cities)
    assert max(map(len, lines)) <= width and lines == [line.rstrip() for line in lines]
    text = "\n".join(lines)
    named = [city.name for city in board.cities.values() if city.name[:3] in text]
    assert len(named) >= (0.95 if width > 60 else 0.85) * len(board.cities)


def test_cities_lie_to_each_other_as_on_the_board() -> None:
    lines = drawn(EUROPE.board, 110)
    at = {
        name: (y, line.index(name))
        for name in ("Lisboa", "Edinburgh", "Moskva", "Palermo")
        for y, line in enumerate(lines)
        if name in line
    }
    assert at["Edinburgh"][0] < at["Moskva"][0] < at["Lisboa"][0] < at["Palermo"][0] + 9
    assert at["Lisboa"][1] < at["Edinburgh"][1] < at["Palermo"][1] < at["Moskva"][1]


def test_a_claimed_route_has_the_number_of_its_owner_and_no_letter() -> None:
    free = "\n".join(drawn(EUROPE.board))
    assert not re.search(r"[0-9]", free) and "R" in free
    claimed = "\n".join(drawn(EUROPE.board, owners={"marseille-pamplona-red": [2]}))
    assert set(re.findall(r"[0-9]", claimed)) == {"3"} and claimed.count("3") > 5
    shared = "\n".join(drawn(EUROPE.board, owners={"palermo-smyrna-gray": [0, 3]}))
    assert shared.count("1") - shared.count("4") in (0, 1) and "14141" in shared


@pytest.mark.slow
def test_every_route_is_drawn() -> None:
    """Each one changes the map when it is claimed."""
    free = drawn(EUROPE.board, 120)
    assert [id for id in EUROPE.board.routes if drawn(EUROPE.board, 120, {id: [0]}) == free] == []


def test_a_terminal_that_has_few_characters() -> None:
    game = ttr.new_game(rules=EUROPE, players=["Ada", "Bo"], seed=1)
    written = io.BytesIO()
    file = io.TextIOWrapper(written, encoding="ascii", errors="replace")
    print_map(Console(file=file, width=78), game.view(None), Names(EUROPE, game.players), {"paris"})
    file.flush()
    text = written.getvalue().decode("ascii")
    assert Signs().city not in text and PLAIN.city in text and f"{PLAIN.wanted} cities of your tickets" in text


# -- the command board ---------------------------------------------------------------------------------------------


def saved(tmp_path: Path) -> tuple[ttr.Game, Path]:
    game = ttr.new_game(rules=EUROPE, players=["Ada", "Bo", "Cy"], seed=3)
    play_game(game)
    file = tmp_path / "game.json"
    file.write_text(ttr.dumps(game), encoding="utf-8")
    return game, file


@pytest.mark.slow
def test_the_map_of_a_saved_game_and_of_a_journal(tmp_path: Path) -> None:
    game, file = saved(tmp_path)
    text = run("board", str(file)).stdout
    assert text.startswith("Europe: 47 cities, 101 routes, 46 tickets.\n") and " 1  Ada    2  Bo    3  Cy" in text
    points = ", ".join(f"{name} {score}" for name, score in zip(game.players, game.view(None).scores, strict=True))
    assert text.endswith(f"Points after {game.played} actions: {points}.\n")
    assert not any(ticket in plain(text) for ticket in ("face up", "hand"))
    journal = tmp_path / "games.db"
    with ttr.Journals(journal) as journals:
        journals.begin(game, "a")
    for name in (journal, f"{journal}#a"):
        assert run("board", str(name)).stdout == text
    assert run("board", str(file), "--json").stdout == run("board", "europe", "--json").stdout


def test_the_map_of_a_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = run("board", "europe", "--map").stdout
    assert "Paris" in text and "Spaces" not in text and "1" not in text.partition("\n")[2]
    assert "Niederlande" in run("board", "marklin", "--map").stdout, "also where the tickets are not known"
    monkeypatch.chdir(tmp_path)
    Path("europe").write_text("no save", encoding="utf-8")
    assert run("board", "europe", "--map").stdout == text, "a plugin is meant before a file"
    Path("game.json").write_text("{}", encoding="utf-8")
    assert "game.json: not a saved game" in refused("board", "game.json")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo terminal")
def test_colors_on_a_terminal_that_wants_them(tmp_path: Path) -> None:
    _, file = saved(tmp_path)
    terminal = Pty("board", str(file))
    colored = terminal.until("Points after")
    assert terminal.end() == 0 and re.search(r"\x1b\[[0-9;]*m1", colored)
    terminal = Pty("board", str(file), NO_COLOR="1")
    bare = terminal.until("Points after")
    assert terminal.end() == 0 and "\x1b[" not in bare and "Paris" in bare and "111" in bare


# -- at the prompt -------------------------------------------------------------------------------------------------


def test_the_map_and_the_tickets_at_the_prompt() -> None:
    result = run(
        "play", "europe", "--human", "Mary", "--seed", "5", input="/tickets\n1\ny\n/map\n/MAP\n/tickets\n?\nq\n\n"
    )
    assert result.exit_code == 0
    story = result.stdout
    assert "You have no tickets yet." in story
    assert story.count("◆ cities of your tickets that are not completed") == 2
    game = ttr.new_game("europe", players=["Mary", "Ada", "Isambard"], seed=5)
    decision = game.decision(0)
    assert isinstance(decision, TicketSetup)
    wanted = {city for id in decision.tickets for city in game.rules.tickets[id].cities}
    assert story.count("◆") == 2 * (len(wanted) + 1)
    long = next(ticket for id in decision.tickets if (ticket := game.rules.tickets[id]).kind == "long")
    names = "–".join(game.rules.board.cities[city].name for city in long.cities)
    assert re.search(rf"{names} {long.points} \(long\): \d+ spaces missing: .+–.+ \d", story)
    assert "/map        the whole board; /tickets: what your tickets still miss" in story


def test_what_is_completed_and_what_is_lost() -> None:
    from ttr_tools.cli.people import Person
    from ttr_tools.cli.terminal import Screen

    mary = {
        "name": "Mary",
        "routes": [["brest", "paris"]],
        "tickets": ["brest-marseille", "edinburgh-athina", "paris-wien"],
    }
    bo = {"name": "Bo", "routes": [["edinburgh", "london"]]}
    for routes, told in (([], "4 spaces missing: Marseille–Paris 4"), ([["paris", "marseille"]], "completed")):
        game = ttr.arrange(EUROPE, {"players": [{**mary, "routes": [*mary["routes"], *routes]}, bo], "seed": 1})
        file = io.StringIO()
        screen = Screen(Console(file=file, width=100))
        Person(game, 0, Names(EUROPE, game.players), screen).look("tickets")
        assert f"Brest–Marseille 7: {told}\n" in file.getvalue()
        assert "Edinburgh–Athína 21 (long): cannot be completed any more\n" in file.getvalue()
        Person(game, 0, Names(EUROPE, game.players), screen).look("map")
        assert file.getvalue().count("◆") == (6 if told != "completed" else 4) + 1
