"""Tickets of several places: scored, told, drawn, planned for, as cards in a deck of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from helpers import rules_of
from hypothesis import given, strategies as st
from test_progress import ENDLESS, distances

import ttr_rules as ttr
from ttr_rules.boards import make_tickets, read_tickets
from ttr_rules.clients import TicketGoal, TicketInfo
from ttr_rules.graph import components
from ttr_rules.graph.lending import passes_in_order
from ttr_rules.play import ticket_progress
from ttr_rules.plugins import Below, TicketDeck, Variant, hookimpl
from ttr_rules.plugins.compiler import with_tickets
from ttr_rules.scores import TicketScore
from ttr_tools.bots.evaluation import Evaluation, Plan
from ttr_tools.bots.planner import worth_keeping
from ttr_tools.narration import Names, sheet_text
from ttr_tools.testing import check_variant

GRAND = ttr.Ticket("grand", ("paris", "wien", "roma"), 20, "long", penalty=6)
NORTH = ttr.Ticket("north", ("london", "amsterdam", "essen", "berlin"), 9)
ORDERED = ttr.Ticket("ordered", ("paris", "zurich", "venezia"), 9, in_order=14, penalty=3)


class Tours(Variant, name="tours"):
    """Tours: tickets of several places."""

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: ttr.Board) -> TicketDeck:
        return below().beside([GRAND, NORTH, ORDERED], "regular")


RULES = ttr.compile_rules("europe", Tours)
#: Routes from Paris to Wien, and on to Roma.
PARIS_WIEN = [["Paris", "Zürich"], ["Zürich", "München"], ["München", "Wien"]]
ZURICH_ROMA = [["Zürich", "Venezia"], ["Venezia", "Roma"]]


def scored(*tickets: object, routes: list[Any], rules: ttr.Rules = RULES) -> ttr.PlayerScore:
    table = {"players": [{"name": "Ada", "tickets": list(tickets), "routes": routes}, {"name": "Bo"}]}
    return ttr.score(rules, table).players[0]


@pytest.mark.rule("P2")
def test_all_places_in_one_network_complete_it() -> None:
    assert scored("grand", routes=[*PARIS_WIEN, *ZURICH_ROMA]).ticket_points == 20
    player = scored("grand", routes=PARIS_WIEN)
    assert (player.ticket_points, player.completed_tickets) == (-6, 0)
    assert player.tickets[0].cities == GRAND.cities and player.tickets[0].signed == -6
    apart = scored("grand", routes=[*PARIS_WIEN, ["Venezia", "Roma"]])
    assert apart.ticket_points == -6


@pytest.mark.rule("P2")
def test_any_crossing_of_a_country_in_the_middle_counts() -> None:
    rules = rules_of("switzerland")
    ticket = ["delemont", "country_france", "la_chaux_de_fonds", 9]
    crossings = ["delemont-country_france_4-black", "la_chaux_de_fonds-country_france_3-green"]
    assert scored(ticket, routes=crossings, rules=rules).ticket_points == -9
    assert scored(ticket, routes=[crossings[1], "basel-delemont-yellow"], rules=rules).ticket_points == -9
    assert scored(ticket, routes=[crossings[1], "delemont-la_chaux_de_fonds-white"], rules=rules).ticket_points == 9


@pytest.mark.rule("P2")
def test_a_path_of_own_routes_in_order_is_worth_more() -> None:
    line = [["Paris", "Zürich"], ["Zürich", "Venezia"]]
    assert scored("ordered", routes=line).ticket_points == 14
    round_about = [["Paris", "Zürich"], ["Zürich", "München"], ["München", "Venezia"]]
    assert scored("ordered", routes=[*round_about, ["Venezia", "Roma"]]).ticket_points == 14
    spur = [["Paris", "Frankfurt"], ["Frankfurt", "München"], ["München", "Zürich"], ["München", "Venezia"]]
    assert scored("ordered", routes=spur).ticket_points == 9
    player = scored("ordered", routes=[*spur, ["Zürich", "Venezia"]])
    assert player.ticket_points == 14 and player.tickets[0] == TicketScore(ORDERED.cities, 14, True, "ordered")
    assert scored("ordered", routes=line[:1]).ticket_points == -3
    turned = ["Zürich", "Paris", "Venezia"]
    assert scored(turned, routes=line).ticket_points == 14, "a table may name the places in any order"


@pytest.mark.rule("P2", "B4")
def test_a_lent_route_completes_a_ticket_but_not_in_order() -> None:
    ada = {"name": "Ada", "tickets": ["ordered"], "routes": [["Paris", "Zürich"]], "stations": ["Zürich"]}
    bo = {"name": "Bo", "routes": [["Zürich", "Venezia"]]}
    assert ttr.score(RULES, {"players": [ada, bo]}).players[0].ticket_points == 9


def test_plugins_change_the_value_in_order_too() -> None:
    class Doubled(Variant, name="doubled"):
        """Doubled: tickets count twice."""

        @hookimpl
        def ticket_points(self, state: ttr.State, seat: int, ticket: ttr.Ticket, points: int) -> int:
            assert ticket.id != "ordered" or ticket == ORDERED
            return 2 * points

    rules = ttr.compile_rules("europe", Tours, Doubled)
    line = [["Paris", "Zürich"], ["Zürich", "Venezia"]]
    assert scored("ordered", routes=line, rules=rules).ticket_points == 28
    assert scored("ordered", routes=line[:1], rules=rules).ticket_points == -6


Link = tuple[int, int]
links = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda ends: ends[0] != ends[1]), max_size=7)
places = st.permutations(range(6)).flatmap(lambda cities: st.integers(2, 4).map(lambda count: cities[:count]))


def paths(links: Sequence[Link], cities: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The cities of every path that goes on from some cities, by the words of P3: no link twice."""
    yield cities
    for number, ends in enumerate(links):
        for here, there in (ends, ends[::-1]):
            if here == cities[-1]:
                yield from paths([*links[:number], *links[number + 1 :]], (*cities, there))


@pytest.mark.rule("P2", "P3")
@given(links, places, st.integers(0, 5))
def test_order_agrees_with_every_path(links: list[Link], cities: list[int], other: int) -> None:
    wanted = [[city] for city in cities]
    wanted[1].append(other)  # a country with two crossings

    def passes(path: tuple[int, ...]) -> bool:
        left = iter(path)
        return all(any(city in place for city in left) for place in wanted)

    assert passes_in_order(links, wanted) == any(passes(path) for start in wanted[0] for path in paths(links, (start,)))


@pytest.mark.rule("B4", "R8")
def test_a_station_lends_the_route_that_it_lacks() -> None:
    ada = {"name": "Ada", "tickets": ["grand"], "routes": [*PARIS_WIEN, ["Venezia", "Roma"]], "stations": ["Zürich"]}
    bo = {"name": "Bo", "routes": [["Zürich", "Venezia"]]}
    player = ttr.score(RULES, {"players": [ada, bo]}).players[0]
    assert player.ticket_points == 20 and player.needed_loans == ("zurich",)


def test_sheets_and_clients_name_all_places() -> None:
    table = {"players": [{"name": "Ada", "tickets": ["grand", "north"], "routes": PARIS_WIEN}, {"name": "Bo"}]}
    text = sheet_text(ttr.score(RULES, table))
    assert "Paris–Wien–Roma" in text and "London–Amsterdam–Essen–Berlin" in text
    info = TicketInfo.of(GRAND)
    assert (info.start, info.via, info.goals, info.penalty) == ("paris", ("wien",), (TicketGoal("roma", 20),), 6)
    assert TicketInfo.of(RULES.tickets["paris-wien"]).via == () and TicketInfo.of(ORDERED).in_order == 14
    assert Names(RULES, ["Ada", "Bo"]).ticket_label(ORDERED) == "Paris–Zürich–Venezia 9/14"


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ("grand", "grand"),
        (["Paris", "Wien", "Roma"], "grand"),
        (["Roma", "Paris", "Wien", 20], "grand"),
        (["Paris", "Zürich", "Venezia", 14], "ordered"),
        (["Paris", "Zürich", "Venezia", 9], "ordered"),
        (["Paris", "Wien"], "paris-wien"),
        (["Paris", "Wien", "Berlin", 7], "paris-wien-berlin"),
    ],
)
def test_tables_name_it_by_its_places(written: object, id: str) -> None:
    assert scored(written, routes=[]).tickets[0].id == id


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (["Paris", "Wien", "Roma", 19], "this ticket is in the deck and worth 20, not 19"),
        (["Paris", "Wien", "Berlin"], "give its points as the last entry"),
        (["Paris", "Wien", "Wien", 7], "a ticket joins two cities, not one with itself"),
        (["Paris"] * 9, "a ticket is 2 to 8 places"),
    ],
)
def test_what_tables_may_not_say(written: object, told: str) -> None:
    with pytest.raises(ttr.InvalidInputError, match=told):
        scored(written, routes=[])


def test_rows_and_tickets_say_the_same() -> None:
    rows = read_tickets([GRAND, ["paris", "wien", "roma", 20, "long"], ["paris", "wien", "roma", 20], ORDERED])
    first, second, third, last = make_tickets(RULES.board, rows, set="mine", kinds=("long", "regular"))
    assert (last.in_order, last.penalty) == (14, 3)
    assert (first.cities, first.points, first.penalty) == (GRAND.cities, 20, 6)
    assert (second.id, second.penalty, third.kind) == ("paris-wien-roma-2", 20, "regular")


@pytest.mark.parametrize("count", [0, 1, 9])
def test_a_ticket_names_some_places(count: int) -> None:
    with pytest.raises(ttr.InvalidInputError, match=f"a ticket names 2 to 8 places, not {count}"):
        ttr.Ticket("odd", tuple("abcdefghi"[:count]), 5)


def test_the_penalty_follows_the_points_unless_the_card_has_its_own() -> None:
    assert ttr.Ticket("a", ("a", "b"), 5).penalty == 5
    assert GRAND.penalty == 6 and "penalty=6" in repr(GRAND) and "penalty" not in repr(NORTH)


@pytest.mark.parametrize("seed", range(12))
def test_what_it_misses_agrees_with_every_way_to_branch(seed: int) -> None:
    """Three places are joined in some city, four in two."""
    chance = Random(seed)
    single = sorted(id for id, route in RULES.board.routes.items() if route.double_group is None)
    routes = chance.sample(single, 10)
    ada = {"name": "Ada", "tickets": ["grand", "north"], "routes": routes[:2]}
    game = ttr.arrange(RULES, {"seed": 1, "players": [ada, {"name": "Bo", "routes": routes[2:]}]})
    far = distances(game.state, 0, set())
    number = RULES.network.city_number
    grand, north = ticket_progress(game.state, 0)
    a, b, c = (number[city] for city in GRAND.cities)
    least = min(far[a][by] + far[b][by] + far[c][by] for by in range(len(far)))
    assert grand.spaces == (least if least < ENDLESS else None)
    places = [number[city] for city in NORTH.cities]
    pairs = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)]
    least = min(
        far[places[a]][one] + far[places[b]][one] + far[one][two] + far[places[c]][two] + far[places[d]][two]
        for one, two in product(range(len(far)), repeat=2)
        for a, b, c, d in pairs
    )
    assert north.spaces == (least if least < ENDLESS else None)
    assert sum(RULES.board.routes[id].length for id in north.missing) == (north.spaces or 0)


def test_bots_plan_for_all_of_its_places() -> None:
    ada = {"name": "Ada", "tickets": ["grand", "north"], "routes": PARIS_WIEN}
    game = ttr.arrange(RULES, {"seed": 1, "players": [ada, {"name": "Bo"}]})
    evaluation = Evaluation(game.view(0), RULES)
    plan = evaluation.plan(Plan())
    ends = evaluation.links.ends
    labels = components([ends[link] for link in plan.claims | evaluation.owned], len(RULES.network.city_ids))
    for ticket in (GRAND, NORTH):
        assert len({labels[RULES.network.city_number[city]] for city in ticket.cities}) == 1


def evaluated(ticket: ttr.Ticket, *, rules: ttr.Rules | None = None, **ada: object) -> Evaluation:
    """What a bot thinks of Europe that holds a ticket which no deck has, and some routes."""
    rules = with_tickets(ttr.compile_rules("europe"), [ticket]) if rules is None else rules
    table = {"seed": 1, "players": [{"name": "Ada", "tickets": [ticket.id], **ada}, {"name": "Bo"}]}
    return Evaluation(ttr.arrange(rules, table).view(0), rules)


def test_bots_rather_keep_a_ticket_that_costs_little_if_it_fails() -> None:
    far = ("lisboa", "moskva")
    worth: dict[int, float] = {}
    for penalty in (1, 20):
        evaluation = evaluated(ttr.Ticket("far", far, 20, penalty=penalty), cars=25)
        worth[penalty] = worth_keeping(evaluation, ttr.KeepTickets(0, ()))
    assert worth[1] > worth[20]


@pytest.mark.thorough
def test_a_game_with_them_is_saved_seen_and_sampled() -> None:
    assert check_variant("europe", Tours, players=3, games=1, skip=["processes"]).games == 1
