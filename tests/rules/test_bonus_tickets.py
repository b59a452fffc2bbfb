"""Bonus tickets: they join the deck below by the logos they bear (V6, V7). The values here are made up, and look it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers import rules_of
from playing import Watch

import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_variants.bonus_tickets import Max, OrientExpress

EUROPES = ("europe", "europa-1912", "mega-europa", "big-cities")


def card(
    *logos: str, cities: tuple[str, str] = ("Zagrab", "Sofia"), points: int = 901, kind: str = "regular"
) -> dict[str, Any]:
    return {"cities": list(cities), "points": points, "kind": kind, "logos": list(logos)}


#: Six cards that nobody has: all decks, one deck each, a long one, and a pair that the base deck has too.
SIX = [
    card("europe", "europa_1912", "big_city"),
    card("europe", points=902),
    card("europa_1912", points=903),
    card("big_city", points=904),
    card("europe", "europa_1912", points=905, kind="long"),
    card("europe", cities=("Paris", "Wien"), points=906),
]


def joined(*stack: object) -> dict[str, list[int]]:
    """The values of the bonus tickets in the deck of a stack, by pile."""
    deck = ttr.compile_rules(*stack).deck
    return {name: [ticket.points for ticket in pile if ticket.points > 900] for name, pile in deck.piles.items()}


@pytest.mark.rule("V6", "V7")
@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [("orient-express", "OrientExpress", "six bonus tickets"), ("max", "Max", "bonus ticket")],
)
@pytest.mark.parametrize("below", [(), *((name,) for name in EUROPES), ("mega-europa", "dice")])
def test_the_bare_names_are_refused_and_say_what_is_needed(
    name: str, kind: str, count: str, below: tuple[str, ...]
) -> None:
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules(*below, name)
    text = str(caught.value)
    for needed in (
        count,
        f"{kind}(tickets=",
        ".toml",
        '"europe"',
        '"europa_1912"',
        '"big_city"',
        "tickets = [",
        "points",
    ):
        assert needed in text
    assert any(each.name == name and each.problem is None for each in ttr.installed())


@pytest.mark.rule("V6")
def test_a_ticket_joins_the_decks_whose_logo_it_bears() -> None:
    express = OrientExpress(tickets=SIX)
    assert joined("europe", express) == {"long": [905], "regular": [901, 902, 906]}
    assert joined(express) == joined("europe", express)
    assert joined("europa-1912", express) == {"long": [905], "regular": [901, 903]}
    assert joined("mega-europa", express) == {"long": [905], "regular": [901, 902, 903, 906]}
    assert joined("big-cities", express) == {"regular": [901, 904]}


@pytest.mark.rule("V6")
def test_the_rest_of_the_deck_and_the_setup_stay_as_they_are() -> None:
    for name in EUROPES:
        rules, plain = ttr.compile_rules(name, OrientExpress(tickets=SIX)), rules_of(name)
        assert (rules.setup, rules.draw_counts) == (plain.setup, plain.draw_counts)
        for pile, tickets in plain.deck.piles.items():
            assert rules.deck.piles[pile][: len(tickets)] == tickets


@pytest.mark.rule("V6")
def test_a_pair_of_cities_that_the_deck_has_already_gets_an_id_of_its_own() -> None:
    rules = ttr.compile_rules("europe", OrientExpress(tickets=SIX))
    assert (rules.tickets["paris-wien"].points, rules.tickets["paris-wien-2"].points) == (8, 906)
    assert rules.tickets["paris-wien-2"].set == "orient_express"
    ids = [ticket.id for ticket in rules.deck.tickets]
    assert len(ids) == len(set(ids)) == 50


@pytest.mark.rule("V7")
def test_max_joins_likewise_and_beside_the_orient_express() -> None:
    one = Max(tickets=[card("europe", points=907, cities=("Smyrna", "Sofia"))])
    assert joined("europe", one) == {"long": [], "regular": [907]}
    assert joined("big-cities", one) == {"regular": []}
    for both in (("mega-europa", OrientExpress(tickets=SIX), one), (one, OrientExpress(tickets=SIX), "mega-europa")):
        assert joined(*both) == {"long": [905], "regular": [901, 902, 903, 906, 907]}


def noted(*stack: object) -> list[str]:
    """What `explain` notes of a stack."""
    lines = ttr.compile_rules(*stack).explain().splitlines()
    return [line.strip() for line in lines[lines.index("notes:") + 1 :]] if "notes:" in lines else []


@pytest.mark.rule("V6", "V5")
def test_a_long_ticket_of_a_big_city_stays_out_of_a_deck_without_long_ones_and_is_reported() -> None:
    """The decks with a pile of long tickets take it; the big cities have none (V5)."""
    long = OrientExpress(tickets=[card("big_city", "europe", points=905, kind="long"), card("big_city", points=906)])
    assert joined("grossstaedte", long) == {"regular": [906]}
    assert noted("grossstaedte", long) == [
        "orient-express: the ticket Zágráb–Sofia (905) is not in play: it is a long ticket, and this deck has only regular ones (V6)"
    ]
    assert joined("europe", long) == {"long": [905], "regular": []}
    assert noted("europe", long) == [
        "orient-express: the ticket Zágráb–Sofia (906) is not in play: its logos are big_city, those of this deck europe (V6)"
    ]


@pytest.mark.rule("V6", "V7")
def test_every_ticket_that_joins_no_deck_is_reported() -> None:
    express, one = OrientExpress(tickets=SIX), Max(tickets=[card("europe", points=907, cities=("Smyrna", "Sofia"))])
    for name in EUROPES:
        rules = ttr.compile_rules(name, express, one)
        there = {ticket.points for ticket in rules.deck.tickets}
        notes = noted(name, express, one)
        assert len(notes) == len(rules.notes)
        for points in range(901, 908):
            told = [note for note in notes if f"({points})" in note]
            assert bool(told) is (points not in there), (name, points, notes)
            assert all(note.startswith("max: " if points == 907 else "orient-express: ") for note in told)
    (only,) = noted("grossstaedte", one)
    assert (
        only
        == "max: the ticket Smyrna–Sofia (907) is not in play: its logos are europe, those of this deck big_city (V7)"
    )
    assert noted("europe", OrientExpress(tickets=[card("europe")])) == noted("europe") == []


@pytest.mark.rule("V6", "V7")
def test_no_more_tickets_than_there_are_cards(tmp_path: Path) -> None:
    seven = [card("europe", points=901 + number) for number in range(7)]
    assert OrientExpress(tickets=seven[:6]).tickets is not None
    with pytest.raises(ttr.InvalidInputError, match=r"orient-express has 6 bonus tickets; 7 were given \(V6\)"):
        OrientExpress(tickets=seven)
    assert Max(tickets=seven[:1]).tickets is not None
    with pytest.raises(ttr.InvalidInputError, match=r"max has 1 bonus ticket; 2 were given \(V7\)"):
        Max(tickets=seven[:2])
    row = '{cities = ["zagrab", "sofia"], points = 901, logos = ["europe"]}'
    file = tmp_path / "two.toml"
    file.write_text(f"tickets = [{row}, {row}]", encoding="utf-8")
    with pytest.raises(ttr.InvalidInputError, match="max has 1 bonus ticket; 2 were given"):
        ttr.compile_rules("europe", Max(tickets=file))


@pytest.mark.rule("V6")
def test_they_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('tickets = [{cities = ["zagrab", "sofia"], points = 901, logos = ["europe"]}]', encoding="utf-8")
    assert joined("europe", OrientExpress(tickets=file)) == {"long": [], "regular": [901]}
    with pytest.raises(InvalidTableError, match="nowhere.toml"):
        OrientExpress(tickets=tmp_path / "nowhere.toml")


@pytest.mark.rule("V6")
@pytest.mark.parametrize(
    ("row", "told"),
    [
        (card(), "tickets[0].logos: missing; there are europe, europa_1912, big_city"),
        (card("north_america"), "tickets[0].logos: unknown logo 'north_america'"),
        (card("europe", kind="short"), "tickets[0].kind: unknown kind 'short'; there are regular, long"),
        (card("europe", cities=("Paris", "Atlantis")), "tickets[0].cities: unknown city or country 'Atlantis'"),
    ],
)
def test_cards_that_cannot_be_are_refused(row: dict[str, Any], told: str) -> None:
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules("europe", OrientExpress(tickets=[row]))
    assert told in str(caught.value)
    assert "orient_express" in str(caught.value)


@pytest.mark.slow
@pytest.mark.rule("V6", "V7", "V8")
@pytest.mark.parametrize("stack", [(name, *more) for name in EUROPES for more in ((), ("dice",))])
def test_games_with_bonus_tickets_play_out(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack, OrientExpress(tickets=SIX), Max(tickets=[card("europe", "big_city", points=907)]))
    for players in (2, 5):
        assert ttr.playout(rules, players, seed=players).winners
    game = ttr.new_game(rules=rules, players=3, seed=7)
    watch = Watch(game)
    while game.to_act and watch.step < 150:
        choices = game.legal_actions(game.to_act[0])
        watch.play(choices[(7 * watch.step) % len(choices)])
    assert ttr.loads(ttr.dumps(game)) == game
