"""Switzerland: H1 to H6, V10."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers import arranged, happened, keep_all, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.errors import InvalidTableError
from ttr_rules.events import CardsRevealed, RowSwept, TicketsReturned, TunnelEntered
from ttr_rules.model import TicketSetup
from ttr_rules.scores import LONGEST_PATH, TIE_BREAK_P5, TicketScore
from ttr_tools.bots import play_game
from ttr_tools.testing import played

SWISS = rules_of("switzerland")
LOCO = "locomotive"


def routes_between(*cities: str) -> list[str]:
    """The ids of routes along these cities."""
    return [SWISS.board.find_route(first, second).id for first, second in zip(cities, cities[1:], strict=False)]


def sheet(*players: dict[str, object]) -> tuple[ttr.PlayerScore, ...]:
    """The scores of players with these routes and tickets."""
    return ttr.score(SWISS, {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]}).players


def scored(routes: Sequence[str], *tickets: object) -> list[TicketScore]:
    return list(sheet({"routes": list(routes), "tickets": list(tickets)}, {})[0].tickets)


# -- players, doubles, tickets ------------------------------------------------------------------------------------


@pytest.mark.rule("H1", "V10")
@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_players_with_forty_cars(players: int) -> None:
    game = ttr.new_game(rules=SWISS, players=players, seed=1)
    assert tuple(game.state.cars) == (40,) * players
    assert all(hand.total == 4 for hand in ttr.cards(game.state).hands)
    assert (len(SWISS.board.routes), len(SWISS.deck.tickets)) == (88, 46)
    for wrong in (1, 4):
        with pytest.raises(ttr.InvalidInputError, match="2 to 3"):
            ttr.new_game(rules=SWISS, players=wrong, seed=1)


@pytest.mark.rule("H1")
def test_doubles_with_two_and_three_players() -> None:
    first, second = (route.id for route in SWISS.board.routes_between("bellinzona", "wassen"))
    cost = SWISS.board.routes[second]
    payment = {"red" if cost.color == "gray" else str(cost.color): cost.length}
    assert SWISS.board.routes[first].double_group == cost.double_group is not None
    game = arranged("switzerland", {"hand": payment}, {"routes": [first]})
    assert refused(game, ttr.ClaimRoute(0, second, payment)) == "C6"
    game = arranged("switzerland", {"hand": payment}, {"routes": [first]}, {})
    assert game.is_legal(ttr.ClaimRoute(0, second, payment))
    game = arranged("switzerland", {"hand": payment, "routes": [first]}, {}, {})
    assert refused(game, ttr.ClaimRoute(0, second, payment)) == "C5"


@pytest.mark.rule("H2")
def test_five_tickets_two_kept_and_the_others_leave_the_game() -> None:
    game = ttr.new_game(rules=SWISS, players=3, seed=1, first_seat=0)
    assert len(game.state.ticket_pile) == 31
    first = game.decision(0)
    assert isinstance(first, TicketSetup) and len(first.tickets) == 5
    assert refused(game, ttr.KeepTickets(0, first.tickets[:1])) == "H2"
    game.play(ttr.KeepTickets(0, first.tickets[3:]))
    keep_all(game)
    assert len(game.state.ticket_pile) == 31
    assert not happened(game.events, TicketsReturned)
    assert not set(first.tickets[:3]) & set(game.state.ticket_pile)


@pytest.mark.rule("H2")
def test_tickets_drawn_in_play_and_not_kept_leave_the_game() -> None:
    game = arranged("switzerland", {}, {})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    events = game.play(ttr.KeepTickets(0, before[:1]))
    assert not happened(events, TicketsReturned)
    assert (game.state.tickets[0], game.state.ticket_pile) == (before[:1], before[3:])


# -- locomotives --------------------------------------------------------------------------------------------------


@pytest.mark.rule("H3")
def test_locomotives_pay_for_tunnels_only() -> None:
    game = arranged("switzerland", {"hand": {"yellow": 1, "red": 1, LOCO: 4}}, {})
    plain = SWISS.board.find_route("geneve", "country_france_2")
    assert plain.length == 1 and not plain.tunnel
    assert game.is_legal(ttr.ClaimRoute(0, plain.id, {"yellow": 1}))
    assert refused(game, ttr.ClaimRoute(0, plain.id, {LOCO: 1})) == "H3"
    gray = SWISS.board.find_route("st_gallen", "country_germany_5")
    assert refused(game, ttr.ClaimRoute(0, gray.id, {LOCO: 2})) == "H3"
    assert refused(game, ttr.ClaimRoute(0, gray.id, {"red": 1, LOCO: 1})) == "H3"
    assert refused(game, ttr.ClaimRoute(0, gray.id, {"red": 1, "yellow": 1})) == "C1"
    tunnel = SWISS.board.find_route("st_gallen", "country_austria_1")
    assert game.is_legal(ttr.ClaimRoute(0, tunnel.id, {"red": 1, LOCO: 3}))
    assert game.is_legal(ttr.ClaimRoute(0, tunnel.id, {LOCO: 4}))


@pytest.mark.rule("H3")
@pytest.mark.parametrize(
    ("route", "reason"),
    [
        ("baden-olten-purple", "this costs purple cards, not blue"),
        ("baden-basel-red", "this costs red cards, or locomotives in their place, not blue"),
    ],
)
def test_a_refusal_names_locomotives_only_where_they_pay(route: str, reason: str) -> None:
    game = arranged("switzerland", {"hand": {"blue": 6}}, {})
    refusal = game.refusal(ttr.ClaimRoute(0, route, {"blue": SWISS.board.routes[route].length}))
    assert refusal is not None and refusal.reason == reason


@pytest.mark.rule("H3", "C2")
def test_every_claim_of_a_hand() -> None:
    """Of plain routes those in cards of one color, of tunnels those with any number of locomotives, and no others."""
    hand = {"red": 3, "blue": 1, LOCO: 2}
    game = arranged("switzerland", {"hand": hand}, {})
    expected: set[tuple[str, ttr.Counts]] = set()
    for route in SWISS.board.routes.values():
        for color in ("red", "blue") if route.color == "gray" else (str(route.color),):
            for wild in range(min(2 if route.tunnel else 0, route.length) + 1):
                if route.length - wild <= hand.get(color, 0):
                    expected.add((route.id, ttr.Counts({color: route.length - wild, LOCO: wild})))
    offered = [(claim.route, claim.payment) for claim in legal(game, ttr.ClaimRoute)]
    assert set(offered) == expected
    assert len(offered) == len(expected)


@pytest.mark.rule("H3")
def test_locomotives_pay_extra_cards_too() -> None:
    pile = [LOCO, "red", "white", "blue"]
    game = arranged("switzerland", {"hand": {"red": 3, LOCO: 3}}, {}, draw_pile=pile)
    tunnel = SWISS.board.find_route("vaduz", "country_austria_2")
    assert tunnel.tunnel and (tunnel.length, tunnel.color) == (1, "red")
    events = game.play(ttr.ClaimRoute(0, tunnel.id, {"red": 1}))
    assert happened(events, CardsRevealed)[0].cards == (LOCO, "red", "white")
    assert happened(events, TunnelEntered)[0].extra.spaces == 2
    assert {action.payment for action in legal(game, ttr.PayTunnel)} == {
        ttr.Counts(red=2), ttr.Counts(red=1, locomotive=1), ttr.Counts(locomotive=2),
    }  # fmt: skip
    game.play(ttr.PayTunnel(0, {LOCO: 2}))
    assert game.state.owners == {tunnel.id: 0}


@pytest.mark.rule("H3")
def test_both_cards_may_be_face_up_locomotives_but_three_are_swept() -> None:
    row = [LOCO, LOCO, "red", "blue", "green"]
    game = arranged("switzerland", {}, {}, face_up=row, draw_pile=["red", "blue", "white"])
    play(game, ttr.DrawFaceUp(0, LOCO), ttr.DrawFaceUp(0, LOCO))
    assert ttr.cards(game.state).hands[0] == {LOCO: 2}
    assert game.decision(1) == ttr.Turn(1)
    pile = [LOCO, "red", "blue", "white", "green", "black", "red"]
    game = arranged("switzerland", {}, {}, face_up=row, draw_pile=pile)
    events = game.play(ttr.DrawFaceUp(0, "red"))
    assert happened(events, RowSwept)
    assert ttr.cards(game.state).face_up == ("red", "blue", "white", "green", "black")


# -- countries ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("H4")
def test_a_country_is_a_set_of_crossings_each_the_end_of_one_route() -> None:
    crossings = [city for city in SWISS.board.cities.values() if city.country]
    assert len(crossings) == 17
    assert {country: len(SWISS.board.place(country)) for country in sorted({str(c.country) for c in crossings})} == {
        "country_austria": 3, "country_france": 4, "country_germany": 5, "country_italy": 5,
    }  # fmt: skip
    for city in crossings:
        assert sum(city.id in route.cities for route in SWISS.board.routes.values()) == 1


@pytest.mark.rule("H4")
def test_nothing_passes_through_a_country() -> None:
    """Two crossings into Germany join nothing: neither the cities on this side nor a path."""
    routes = [
        *routes_between("kreuzlingen", "country_germany_3"),
        *routes_between("schaffhausen", "country_germany_2"),
    ]
    (player, _) = sheet({"routes": routes, "tickets": [["schaffhausen", "st_gallen"]]}, {})
    assert [(ticket.points, ticket.completed) for ticket in player.tickets] == [(4, False)]
    assert player.longest_path.length == 1


@pytest.mark.rule("H5")
def test_no_country_reached_takes_away_the_lowest_value() -> None:
    assert [ticket.signed for ticket in scored([], "bern-countries")] == [-5]
    assert [ticket.signed for ticket in scored([], ["chur", "countries"], ["lugano", "countries"])] == [-3, -2]
    # The way there without the crossing is not enough, nor is the crossing alone.
    assert [ticket.signed for ticket in scored(routes_between("brig", "country_italy_5"), "bern-countries")] == [-5]


@pytest.mark.rule("H5")
def test_the_highest_value_reached_counts() -> None:
    """Lugano: Italy 2, Germany 12, Austria 13, France 14."""
    italy = routes_between("lugano", "country_italy_3")
    (ticket,) = scored(italy, "lugano-countries")
    assert (ticket.cities, ticket.points, ticket.completed) == (("lugano", "country_italy"), 2, True)
    north = _way("lugano", "vaduz")
    austria = [*italy, *north, *routes_between("vaduz", "country_austria_2")]
    (ticket,) = scored(austria, "lugano-countries")
    assert (ticket.cities, ticket.points, ticket.completed) == (("lugano", "country_austria"), 13, True)


@pytest.mark.rule("H5")
def test_any_crossing_of_a_country_will_do() -> None:
    for crossing in SWISS.board.place("country_italy"):
        (ticket,) = scored(_way("zurich", crossing), "zurich-countries")
        assert (ticket.cities[1], ticket.points) == ("country_italy", 11)


@pytest.mark.rule("H5")
def test_a_ticket_from_country_to_country() -> None:
    """Germany: Italy 13, Austria 5, France 5. Both copies of a card count."""
    names = ["country_germany-countries", "country_germany-countries-2"]
    assert all(name in SWISS.tickets for name in names)
    way = _way("country_germany_1", "country_italy_5")
    assert [ticket.signed for ticket in scored(way, *names)] == [13, 13]
    assert [ticket.signed for ticket in scored(way, *[["country_germany", "countries"]] * 2)] == [13, 13]
    assert [ticket.signed for ticket in scored(_way("country_germany_1", "country_germany_2"), *names)] == [-5, -5]


@pytest.mark.rule("H5")
def test_how_a_table_names_a_ticket_to_countries() -> None:
    by_id = scored(_way("bern", "country_france_3"), "bern-countries")
    assert [ticket.signed for ticket in by_id] == [5]
    for written in (["bern", "countries"], ["Bern", "countries"], ["countries", "bern"], ["bern", "countries", 11]):
        assert scored(_way("bern", "country_france_3"), written) == by_id, written
    for wrong in (["bern", "countries", 5], ["geneve", "countries"], "bern-countries-2"):
        with pytest.raises(InvalidTableError):
            scored([], wrong)
    with pytest.raises(InvalidTableError, match="the deck has 1 of it"):
        scored([], ["bern", "countries"], ["bern", "countries"])
    with pytest.raises(InvalidTableError, match="the deck has 2 of it"):
        scored([], *[["country_italy", "countries"]] * 3)


def _way(start: str, end: str) -> list[str]:
    """A shortest way between two cities, as routes; border crossings lead nowhere."""
    reached: dict[str, list[str]] = {start: []}
    todo = [start]
    while end not in reached:
        city = todo.pop(0)
        for route in SWISS.board.routes.values():
            other = route.other_end(city) if city in route.cities else city
            if other not in reached:
                reached[other] = [*reached[city], route.id]
                todo.append(other)
    return reached[end]


# -- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("H6")
def test_the_longest_path_and_the_tie_break_are_those_of_the_base_games() -> None:
    assert SWISS.bonuses == (LONGEST_PATH,)
    assert SWISS.tie_break == TIE_BREAK_P5
    assert dict(SWISS.board.points) == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}
    first, second = sheet({"routes": routes_between("kreuzlingen", "country_germany_3")}, {})
    assert (first.bonuses, second.bonuses) == ({"longest_path": 10}, {})


@pytest.mark.rule("H6", "H4")
def test_a_path_may_end_in_a_country() -> None:
    (player, _) = sheet({"routes": _way("country_germany_1", "country_italy_5")}, {})
    lengths = [SWISS.board.routes[id].length for id in _way("country_germany_1", "country_italy_5")]
    assert player.longest_path.length == sum(lengths)


@pytest.mark.rule("V10")
def test_a_finished_game_scores_the_same_from_a_table() -> None:
    for seed in range(3):
        game = played(rules=SWISS, players=3, seed=seed)
        players = [
            {
                "name": name,
                "routes": [id for id, owner in game.state.owners.items() if owner == seat],
                "tickets": list(game.state.tickets[seat]),
            }
            for seat, name in enumerate(game.players)
        ]
        assert ttr.score(None, {"stack": ["switzerland"], "players": players}) == game.final_scores


@pytest.mark.rule("V10")
def test_dice_on_top() -> None:
    rules = ttr.compile_rules("switzerland", "dice")
    assert type(rules.economy).__name__ == "DiceEconomy"
    game = ttr.new_game(rules=rules, players=2, seed=2)
    play_game(game)
    assert game.is_over
