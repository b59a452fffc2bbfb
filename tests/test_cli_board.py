"""The board as tables: everything that is on it, in eighty columns, on a terminal and in a pipe."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from test_cli import refused, run

import ttr_rules as ttr
from ttr_rules.text import spaced

STACKS = [["north-america"], ["europe"], ["mega-europa"], ["big-cities", "dice"], ["switzerland"]]


def tables(*arguments: str) -> tuple[str, list[list[list[str]]]]:
    """The first line, and the tables as rows of cells, headers first; a wrapped cell's further lines are rows of their own."""
    result = run("board", *arguments)
    assert result.exit_code == 0 and result.stderr == "" and "\x1b" not in result.stdout
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80 and lines == [line.rstrip() for line in lines]
    first, *parts = result.stdout.split("\n\n")
    rows = [[re.split(r"  +", line.strip()) for line in part.splitlines() if "──" not in line] for part in parts]
    return first, rows


@pytest.mark.parametrize("stack", STACKS)
def test_every_route_stands_in_the_table_with_all_that_it_is(stack: list[str]) -> None:
    board = ttr.compile_rules(*stack).board
    _, (routes, _) = tables(*stack)
    assert routes[0] == ["From", "To", "Spaces", "Color", "Points", "Kind"]
    expected: list[list[str]] = []
    for route in board.routes.values():
        cities = [board.place_name(city) for city in route.cities]
        told = ["tunnel"] * route.tunnel + [f"ferry {route.ferry_locomotives}"] * bool(route.ferry_locomotives)
        kinds = ", ".join([*told, *["double"] * bool(route.double_group), *map(spaced, route.marks)])
        score = str(board.points[route.length])
        expected.append([*cities, str(route.length), str(route.color), score, *([kinds] if kinds else [])])
    assert sorted(routes[1:]) == sorted(expected)


@pytest.mark.parametrize("stack", STACKS)
def test_every_ticket_of_the_deck_stands_in_the_table(stack: list[str]) -> None:
    rules = ttr.compile_rules(*stack)
    first, (_, table) = tables(*stack)
    board = rules.board
    expected = sorted(
        [board.place_name(ticket.cities[0]), board.place_name(ticket.goals[0][0]), str(ticket.goals[0][1]), ticket.kind]
        for ticket in rules.deck.tickets
    )
    assert sorted(row[:4] for row in table[1:] if len(row) >= 4) == expected
    counts = f"{len(board.cities)} cities, {len(board.routes)} routes, {len(rules.deck.tickets)} tickets"
    assert first == f"{board.name}: {counts}."
    others = [str(points) for ticket in rules.deck.tickets for _, points in ticket.goals[1:]]
    assert sorted(row[-1] for row in table[1:] if len(row) < 4) == sorted(others)


def test_doubles_ferries_and_tunnels_are_told() -> None:
    text = run("board", "europe").stdout
    assert re.search(r"^Dieppe +London +2  gray +2  ferry 1, double$", text, re.MULTILINE)
    assert re.search(r"^Paris +Zürich +3  gray +4  tunnel$", text, re.MULTILINE)
    assert re.search(r"^Brest +Paris +3  black +4$", text, re.MULTILINE)


@pytest.mark.parametrize("stack", STACKS)
def test_the_board_as_json(stack: list[str]) -> None:
    """It is what servers send to clients, after the stack."""
    rules = ttr.compile_rules(*stack)
    shown = json.loads(run("board", *stack, "--json").stdout)
    assert shown.pop("stack") == list(rules.stack)
    assert shown == ttr.to_json(rules, ttr.board(rules))


def test_marks_of_routes_are_in_the_table_and_in_json() -> None:
    (row,) = [each for each in json.loads(run("board", "nordic-countries", "--json").stdout)["routes"] if each["marks"]]
    assert (row["id"], row["marks"]) == ("lieksa-murmansk-gray", ["four_for_one"])
    assert re.search(r"^Lieksa +Murmansk .* four for one$", run("board", "nordic-countries").stdout, re.MULTILINE)


def test_a_board_needs_its_tickets() -> None:
    """The 46 tickets of Märklin are not known: a plugin brings those of another edition."""
    assert "the 46 tickets of Märklin are not known" in refused("board", "marklin")
    assert run("board", "germany-tickets").stdout.startswith("Märklin: 49 cities, 110 routes, ")


def test_boards_that_cannot_be_shown(tmp_path: Path) -> None:
    assert "did you mean 'europe'" in refused("board", "europ")
    assert "Missing argument" in refused("board")
    assert "No such option" in refused("board", "europe", "--picture")


def test_a_narrow_terminal_wraps_names_and_loses_nothing() -> None:
    text = run("board", "europe", env={"COLUMNS": "46"}).stdout
    assert max(map(len, text.splitlines()[1:])) <= 46
    assert len(re.findall(r"\b(red|gray|blue|black|white|green|yellow|orange|purple)\b", text)) == 101


def test_the_help_teaches() -> None:
    text = run("board", "--help").stdout
    assert "board switzerland --json" in text
    assert "board europe" in run("--help").stdout


@pytest.mark.parametrize("stack", ["europe", "nordic-countries", "united-kingdom"])
def test_the_tables_follow_the_language(stack: str) -> None:
    german = ttr.compile_rules(stack).language("de")
    first, (routes, tickets) = tables(stack, "--lang", "de")
    assert first.startswith(f"{german.name(ttr.compile_rules(stack).board.name)}: ") and first.endswith(" Zielkarten.")
    assert (routes[0], tickets[0][:4]) == (
        ["Von", "Nach", "Felder", "Farbe", "Punkte", "Art"],
        ["Von", "Nach", "Punkte", "Art"],
    )


def test_what_is_special_is_told_in_german() -> None:
    _, (routes, tickets) = tables("europe", "--lang", "de")
    assert ["Athen", "Brindisi", "4", "grau", "7", "Fähre 1"] in routes
    assert ["Frankfurt", "Paris", "3", "orange", "4", "Doppelstrecke"] in routes
    assert ["Athen", "Angora", "5", "normal", "Großstadt"] in tickets
