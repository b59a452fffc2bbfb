"""Tickets that callers give: from files, rows, lists and tickets, with every mistake told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ttr_maps
import ttr_rules as ttr
from ttr_rules.boards import Row, make_tickets, read_tickets, tickets_option
from ttr_rules.errors import InvalidTableError

BOARD = ttr_maps.load("marklin")
ROW = {"cities": ["berlin", "ulm"], "points": 901, "kind": "short"}


def made(*rows: Any, **more: Any) -> tuple[ttr.Ticket, ...]:
    return make_tickets(BOARD, read_tickets(list(rows)), set="mine", **{"kinds": ("short", "long"), **more})


def test_all_forms_read_the_same(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('tickets = [{cities = ["berlin", "ulm"], points = 901, kind = "short"}]', encoding="utf-8")
    ticket = ttr.Ticket("berlin-ulm", ("berlin", "ulm"), 901, "short", "other")
    forms: list[Any] = [
        [ROW], (ROW,), [["berlin", "ulm", 901, "short"]], [("berlin", "ulm", 901, "short")], {"tickets": [ROW]}, file, str(file), [ticket],
    ]  # fmt: skip
    for form in forms:
        assert read_tickets(form) in ((ROW,), ({**ROW, "logos": []},))
        assert read_tickets(read_tickets(form)) == read_tickets(form)


def test_marks_and_alternatives_are_kept() -> None:
    row = {
        "cities": ["ulm"],
        "points": 903,
        "alternatives": {"country_denmark": 903, "berlin": 902},
        "logos": ["x"],
        "id": "mine",
    }
    (ticket,) = made({**row, "kind": "long"}, logos=("x", "y"))
    assert (ticket.id, ticket.goals, ticket.logos) == (
        "mine",
        (("country_denmark", 903), ("berlin", 902)),
        frozenset({"x"}),
    )
    assert read_tickets([ticket])[0]["alternatives"] == row["alternatives"]


@pytest.mark.parametrize("read", [read_tickets, tickets_option])
def test_a_penalty_of_0_is_kept(read: Callable[[Any], tuple[Row, ...]]) -> None:
    rows = [{**ROW, "penalty": 0}, ttr.Ticket("mine", ("berlin", "ulm"), 901, "short", penalty=0), ROW]
    tickets = make_tickets(BOARD, read(rows), set="mine", kinds=["short"])
    assert [ticket.penalty for ticket in tickets] == [0, 0, 901]


@pytest.mark.parametrize(("key", "value"), [("in_order", 0), ("id", "")])
def test_wrong_values_of_a_row_are_not_left_out(key: str, value: object) -> None:
    with pytest.raises(InvalidTableError, match=rf"tickets\[0\]\.{key}: "):
        made({**ROW, key: value})


def test_printed_names_of_cities_and_countries_do() -> None:
    first, second = made(["München", "KOLN", 901, "long"], ["denmark", "Berlin", 902, "short"])
    assert (first.id, second.id) == ("munchen-koln", "country_denmark-berlin")
    assert first.set == "mine"


def test_copies_get_ids_of_their_own() -> None:
    assert [ticket.id for ticket in made(ROW, ROW)] == ["berlin-ulm", "berlin-ulm-2"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ([], "tickets: there are none"),
        (7, "expected a file or a mapping, got 7"),
        ("nowhere.toml", "nowhere.toml: cannot be read"),
        ([7], "tickets[0]: expected a table, got 7"),
        ([["berlin", "ulm"]], "tickets[0]: expected a table, got ['berlin', 'ulm']"),
        ([{"cities": ["berlin"], "points": 5}], "tickets[0]: expected two to 8 cities, got 1"),
        ([["berlin", 5, "short"]], "tickets[0]: expected two to 8 cities, got 1"),
        ([["berlin", 5, "ulm", 7, "short"]], "tickets[0].cities[1]: expected a string, got 5"),
        ([{**ROW, "value": 5}], "tickets[0]: unknown key 'value'"),
        ({"cards": [ROW]}, "unknown key 'cards'"),
    ],
)
def test_sources_with_mistakes(source: Any, told: str) -> None:
    with pytest.raises(InvalidTableError) as caught:
        read_tickets(source)
    assert told in str(caught.value)


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(InvalidTableError) as caught:
        made(["berlin", "atlantis", 0, "short"], ["ulm", "ulm", 5, "tiny"])
    assert len(caught.value.problems) == 4
    assert "the tickets of mine on the board Märklin" in str(caught.value)


@pytest.mark.parametrize(
    ("stack", "row"),
    [
        (("marklin",), '{cities = ["Berlin", "Ulm"], points = 5, kind = "short"}'),
        (
            ("europe", "orient-express"),
            '{cities = ["Paris", "Wien"], points = 5, kind = "regular", logos = ["europe"]}',
        ),
        (("europe", "max"), '{cities = ["Paris", "Wien"], points = 5, kind = "regular", logos = ["europe"]}'),
    ],
    ids=["marklin", "orient-express", "max"],
)
def test_the_way_out_where_cards_are_not_known_runs_as_it_is_told(
    stack: tuple[str, ...], row: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ttr.TTRError, match="not known to this library") as caught:
        ttr.compile_rules(*stack)
    lines = [line.strip() for line in str(caught.value).splitlines()]
    code = [
        line for line in lines if line.startswith("from ") or line.endswith('(tickets=read_tickets("my-tickets.toml"))')
    ]
    assert len(code) == 3
    (tmp_path / "my-tickets.toml").write_text(f"tickets = [{row}]", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec("\n".join([*code[:2], f"made = {code[2]}"]), names)
    assert [each["points"] for each in names["made"].tickets] == [5]
