"""Claiming routes and ferries: C1 to C7, F1, F2."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from helpers import COLORS, arranged, happened, legal, play, refused, rules_of
from hypothesis import HealthCheck, given, settings, strategies as st

import ttr_rules as ttr
from ttr_rules.errors import NotYourTurnError
from ttr_rules.events import CardsRevealed, CardsSpent, LastRoundBegun, RouteClaimed
from ttr_rules.kernel.numbering import action_numbers
from ttr_rules.kernel.state import open_routes
from ttr_rules.model import Card

EUROPE = rules_of("europe")
AMERICA = rules_of("north-america")
KINDS = (*COLORS, "locomotive")
#: Points by length, from the rules and not from the map.
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}


def pays(route: ttr.Route, cards: Counter[str]) -> bool:
    """The rules C1, C2, F1 in one sentence each, apart from the library."""
    colors = {card for card in cards if card != "locomotive"}
    one_color = len(colors) <= 1 and (route.color == "gray" or colors <= {str(route.color)})
    return cards.total() == route.length and one_color and cards["locomotive"] >= route.ferry_locomotives


def picks(hand: dict[str, int], size: int) -> list[Counter[str]]:
    """Every different set of so many cards of a hand."""
    cards = sorted(Counter(hand).elements())
    return [Counter(pick) for pick in sorted(set(combinations(cards, size)))]


def expected_claims(rules: ttr.Rules, hand: dict[str, int]) -> set[tuple[str, ttr.Counts]]:
    """Every route with every way to pay for it, found by trying every set of cards of the hand."""
    sets = {size: picks(hand, size) for size in {route.length for route in rules.board.routes.values()}}
    return {
        (route.id, ttr.Counts(pick))
        for route in rules.board.routes.values()
        for pick in sets[route.length]
        if pays(route, pick)
    }


# -- C1, C2: what pays -----------------------------------------------------------------------------------------


@pytest.mark.rule("C1", "C2", "F1")
@pytest.mark.parametrize(
    "hand",
    [
        {},
        {"locomotive": 1},
        {"locomotive": 9},
        {"red": 9},
        {"red": 2, "locomotive": 2},
        {"red": 1, "blue": 1, "green": 1, "white": 1, "locomotive": 1},
        {"purple": 6, "locomotive": 3},
        {"orange": 3, "yellow": 3, "black": 3, "locomotive": 3},
        {color: 1 for color in COLORS},
        {"green": 5, "white": 2, "locomotive": 4},
    ],
    ids=str,
)
@pytest.mark.parametrize("stack", ["europe", "north-america"])
def test_claims_are_exactly_those_that_brute_force_finds(stack: str, hand: dict[str, int]) -> None:
    game = arranged(stack, {"hand": hand}, {})
    claims = legal(game, ttr.ClaimRoute)
    found = [(claim.route, claim.payment) for claim in claims]
    assert len(found) == len(set(found))
    assert set(found) == expected_claims(rules_of(stack), hand)


@pytest.mark.rule("C1", "C2", "F1")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cards=st.lists(st.sampled_from(KINDS), max_size=11), stack=st.sampled_from(["europe", "north-america"]))
def test_claims_of_any_hand(cards: list[str], stack: str) -> None:
    hand = dict(Counter(cards))
    game = arranged(stack, {"hand": hand}, {})
    claims = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
    assert {(claim.route, claim.payment) for claim in claims} == expected_claims(rules_of(stack), hand)


@pytest.mark.rule("C1", "C2", "F1")
@pytest.mark.parametrize(
    "route",
    ["frankfurt-paris-white", "barcelona-marseille-gray", "amsterdam-london-gray", "erzurum-sochi-red"],
)
def test_every_set_of_cards_is_either_offered_or_refused(route: str) -> None:
    hand = {"white": 3, "red": 3, "blue": 1, "locomotive": 3}
    game = arranged("europe", {"hand": hand}, {})
    offered = {claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == route}
    for size in range(6):
        for pick in picks(hand, size):
            action = ttr.ClaimRoute(0, route, pick)
            right = pays(EUROPE.board.routes[route], pick)
            assert (game.refusal(action) is None) is right, action
            assert (action.payment in offered) is right, action


@pytest.mark.rule("C2")
def test_locomotives_alone_are_one_payment_and_not_eight() -> None:
    game = arranged("europe", {"hand": {"locomotive": 2}}, {})
    claims = [claim for claim in legal(game, ttr.ClaimRoute) if claim.route == "danzig-warszawa-gray"]
    assert claims == [ttr.ClaimRoute(0, "danzig-warszawa-gray", {"locomotive": 2})]


@pytest.mark.rule("C2")
def test_locomotives_stand_in_for_any_number_of_cards() -> None:
    game = arranged("europe", {"hand": {"white": 3, "locomotive": 3}}, {})
    payments = [claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == "frankfurt-paris-white"]
    ways = [{"white": 3}, {"white": 2, "locomotive": 1}, {"white": 1, "locomotive": 2}, {"locomotive": 3}]
    assert len(payments) == 4
    assert all(way in payments for way in ways)


@pytest.mark.rule("C1")
def test_a_payment_may_be_written_with_the_enum_and_with_zeros() -> None:
    game = arranged("europe", {"hand": {"white": 2, "locomotive": 1}}, {}, draw_pile=["red"])
    payment = {Card.WHITE: 2, Card.LOCOMOTIVE: 1, "red": 0}
    action = ttr.ClaimRoute(0, "frankfurt-paris-white", payment)
    assert action in list(game.legal_actions())
    game.play(action)
    assert game.state.owners == {"frankfurt-paris-white": 0}


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("payment", "why"),
    [
        ({"white": 2}, "one card too few"),
        ({"white": 4}, "one card too many"),
        ({}, "nothing"),
        ({"orange": 3}, "another color"),
        ({"white": 2, "orange": 1}, "two colors"),
        ({"white": 1, "orange": 1, "locomotive": 1}, "two colors and a locomotive"),
        ({"orange": 2, "locomotive": 1}, "another color and a locomotive"),
        ({"white": 5}, "more than in hand"),
        ({"blue": 3}, "none in hand"),
        ({"white": 1, "locomotive": 2}, "more locomotives than in hand"),
        ({"pink": 3}, "no card at all"),
        ({"white": 2, "gray": 1}, "gray is no card"),
    ],
)
def test_payments_that_are_refused(payment: dict[str, int], why: str) -> None:
    game = arranged("europe", {"hand": {"white": 4, "orange": 3, "locomotive": 1}}, {})
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", payment)) == "C1", why


@pytest.mark.rule("C1")
def test_a_gray_route_takes_one_color_and_not_two() -> None:
    game = arranged("europe", {"hand": {"red": 2, "blue": 2, "locomotive": 1}}, {})
    route = "danzig-warszawa-gray"
    assert refused(game, ttr.ClaimRoute(0, route, {"red": 1, "blue": 1})) == "C1"
    assert {claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == route} == {
        ttr.Counts(red=2),
        ttr.Counts(red=1, locomotive=1),
        ttr.Counts(blue=2),
        ttr.Counts(blue=1, locomotive=1),
    }


@pytest.mark.rule("C1")
@pytest.mark.parametrize("payment", [{"red": -1}, {"red": 1.0}, {"red": True}, {1: 1}, "red", None, ["red"], 3])
def test_what_is_no_payment_is_an_error_of_its_own(payment: object) -> None:
    with pytest.raises(ttr.InvalidInputError):
        ttr.ClaimRoute(0, "frankfurt-paris-white", payment)  # type: ignore[arg-type]


@pytest.mark.rule("C3")
@pytest.mark.parametrize(
    "route",
    ["frankfurt-atlantis-white", "", "frankfurt", "boston-montreal-gray-1", "dieppe-london-gray-3", None, 7],
)
def test_an_unknown_route_is_refused(route: object) -> None:
    game = arranged("europe", {"hand": {"white": 3}}, {})
    assert refused(game, ttr.ClaimRoute(0, route, {"white": 3})) == "C3"  # type: ignore[arg-type]


@pytest.mark.rule("C1", "S8")
def test_one_route_a_turn() -> None:
    game = arranged("europe", {"hand": {"white": 3, "blue": 2}}, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert game.to_act == (1,)
    assert game.decision(1) == ttr.Turn(1)
    assert refused(game, ttr.ClaimRoute(0, "bruxelles-frankfurt-blue", {"blue": 2})) == "S5"


@pytest.mark.rule("S5")
@pytest.mark.parametrize("seat", [1, 2, -1, 7, True, "0", None, 0.0])
def test_another_seat_is_refused(seat: object) -> None:
    game = arranged("europe", {"hand": {"white": 3}}, {"hand": {"white": 3}})
    action = ttr.ClaimRoute(seat, "frankfurt-paris-white", {"white": 3})  # type: ignore[arg-type]
    refusal = game.refusal(action)
    assert refusal is not None
    assert refusal.rule == "S5"
    before = game.state
    with pytest.raises(NotYourTurnError):
        game.play(action)
    assert game.state == before


@pytest.mark.rule("S8")
def test_a_claim_answers_no_other_question() -> None:
    game = arranged("europe", {"hand": {"white": 3}}, {}, draw_pile=["red", "red", "red"])
    game.play(ttr.DrawBlind(0))
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) == "S8"
    game = arranged("europe", {"hand": {"white": 3}}, {})
    game.play(ttr.DrawTickets(0))
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) == "S8"


# -- C3: any open route, with cars enough ------------------------------------------------------------------------


@pytest.mark.rule("C3")
def test_a_route_need_not_touch_the_others() -> None:
    mine = {"routes": ["kharkov-rostov-green"], "hand": {"blue": 2}}
    game = arranged("europe", mine, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, "cadiz-lisboa-blue", {"blue": 2}))
    assert game.state.owners == {"kharkov-rostov-green": 0, "cadiz-lisboa-blue": 0}


@pytest.mark.rule("C3")
@pytest.mark.parametrize("owner", [0, 1])
def test_a_claimed_route_is_refused(owner: int) -> None:
    players: list[dict[str, object]] = [{}, {}]
    players[owner]["routes"] = ["frankfurt-munchen-purple"]
    players[0]["hand"] = {"purple": 2}
    game = arranged("europe", *players)
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-munchen-purple", {"purple": 2})) == "C3"


@pytest.mark.rule("C3")
@pytest.mark.parametrize("cars", range(10))
def test_a_route_is_no_longer_than_the_cars_left(cars: int) -> None:
    hand = {"red": 12, "locomotive": 14, "blue": 8, "green": 8, "white": 8, "black": 8}
    game = arranged("europe", {"hand": hand, "cars": cars}, {})
    claims = legal(game, ttr.ClaimRoute)
    lengths = {EUROPE.board.routes[claim.route].length for claim in claims}
    assert lengths == {length for length in (1, 2, 3, 4, 6, 8) if length <= cars}
    for length, route in [(1, "budapest-wien-red"), (4, "kharkov-kyiv-gray"), (6, "palermo-smyrna-gray")]:
        if length > cars:
            assert refused(game, ttr.ClaimRoute(0, route, {"locomotive": length})) == "C3"


@pytest.mark.rule("C3")
def test_the_last_car_may_be_placed() -> None:
    game = arranged("europe", {"hand": {"red": 4}, "cars": 4}, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, "kharkov-kyiv-gray", {"red": 4}))
    assert game.state.cars == [0, 45]


@pytest.mark.rule("C3")
def test_cars_that_the_routes_leave_limit_the_next_one() -> None:
    routes = ["petrograd-stockholm-gray", "budapest-kyiv-gray", "palermo-smyrna-gray"]  # 8 + 6 + 6
    routes += ["barcelona-marseille-gray", "bucuresti-kyiv-gray", "kharkov-kyiv-gray", "kharkov-moskva-gray"]  # 16
    routes += ["berlin-danzig-gray"]  # 4: 40 in all
    mine = {"routes": routes, "hand": {"locomotive": 6, "green": 3, "red": 2}}
    game = arranged("europe", mine, {}, draw_pile=["red"])
    assert game.state.cars == [5, 45]
    game.play(ttr.ClaimRoute(0, "berlin-wien-green", {"green": 3}))
    assert game.state.cars == [2, 45]
    game.play(ttr.DrawTickets(1))
    game.play(next(iter(game.legal_actions())))
    claims = legal(game, ttr.ClaimRoute)
    assert claims
    assert max(EUROPE.board.routes[claim.route].length for claim in claims) == 2


# -- C4: cards, cars, points -------------------------------------------------------------------------------------

BY_LENGTH = [
    *[("north-america", length) for length in (1, 2, 3, 4, 5, 6)],
    *[("europe", length) for length in (1, 2, 3, 4, 6)],
]


@pytest.mark.rule("C4", "P1")
@pytest.mark.parametrize(("stack", "length"), BY_LENGTH)
def test_points_cars_and_cards_at_once(stack: str, length: int) -> None:
    routes = rules_of(stack).board.routes.values()
    plain = next(r for r in routes if r.length == length and not r.tunnel)
    wilds = plain.ferry_locomotives
    color = "red" if plain.color == "gray" else str(plain.color)
    payment = {color: length - wilds, "locomotive": wilds}
    game = arranged(stack, {"hand": {color: length, "locomotive": 3}}, {}, draw_pile=["red"])
    events = game.play(ttr.ClaimRoute(0, plain.id, payment))
    points = POINTS[length]
    assert happened(events, RouteClaimed) == [RouteClaimed(0, plain.id, points)]
    assert happened(events, CardsSpent) == [CardsSpent(0, ttr.Counts(payment))]
    state = game.state
    assert state.scores == [points, 0]
    assert state.cars == [45 - length, 45]
    assert state.owners == {plain.id: 0}
    assert ttr.cards(state).hands[0] == {color: wilds, "locomotive": 3 - wilds}
    assert Counter(ttr.cards(state).discards) == Counter(payment) - Counter()


@pytest.mark.rule("C4")
def test_the_eight_spaces_of_europe_are_worth_21() -> None:
    hand = {"red": 8}
    game = arranged("europe", {"hand": hand}, {}, draw_pile=["blue", "blue", "blue", "blue"])
    game.play(ttr.ClaimRoute(0, "petrograd-stockholm-gray", hand))
    assert game.state.scores == [21, 0]
    assert game.state.cars == [37, 45]


@pytest.mark.rule("C4")
def test_cards_are_discarded_color_first_then_locomotives() -> None:
    hand = {"locomotive": 2, "white": 1}
    game = arranged("europe", {"hand": hand}, {}, draw_pile=["red"], discards=["locomotive", "black"])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"locomotive": 2, "white": 1}))
    assert ttr.cards(game.state).discards == ("locomotive", "black", "white", "locomotive", "locomotive")


@pytest.mark.rule("C4", "E1")
def test_a_claim_down_to_two_cars_begins_the_last_round() -> None:
    for cars, left, turns in [(6, 3, 0), (5, 2, 2), (3, 0, 2)]:
        game = arranged("europe", {"hand": {"white": 3}, "cars": cars}, {}, draw_pile=["red"])
        events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
        assert game.state.cars[0] == left
        assert [event.turns_left for event in happened(events, LastRoundBegun)] == [turns] * bool(turns)


@pytest.mark.rule("C4")
def test_a_plain_route_turns_no_cards_up() -> None:
    game = arranged("europe", {"hand": {"white": 3}}, {}, draw_pile=["white", "white", "white"])
    events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert not happened(events, CardsRevealed)
    assert ttr.cards(game.state).draw_pile == ("white", "white", "white")


# -- C5, C6, C7: double routes -------------------------------------------------------------------------------------

FULL = {"purple": 4, "blue": 4, "orange": 4, "white": 4, "green": 4, "yellow": 4, "black": 4, "red": 4}


def table(players: int, owner: int, route: str, hand: dict[str, int]) -> ttr.Game:
    """`owner` holds `route`; seat 0 is to act and has this hand."""
    entries: list[dict[str, object]] = [{} for _ in range(players)]
    entries[owner]["routes"] = [route]
    entries[0]["hand"] = hand
    return arranged("europe", *entries)


@pytest.mark.rule("C5")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_one_player_never_holds_both_halves(players: int) -> None:
    game = table(players, 0, "frankfurt-paris-orange", FULL)
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) == "C5"


@pytest.mark.rule("C6")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_or_three_players_the_other_half_is_closed_for_everybody(players: int) -> None:
    for owner in range(1, players):
        game = table(players, owner, "frankfurt-paris-orange", FULL)
        assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) == "C6"


@pytest.mark.rule("C5", "C6")
def test_a_refusal_says_who_holds_the_other_half_or_why_it_is_closed() -> None:
    claim = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})
    assert str(table(2, 0, "frankfurt-paris-orange", FULL).refusal(claim)) == (
        "[C5] seat 0 holds frankfurt-paris-orange already, another half of the double route frankfurt-paris-white"
    )
    assert str(table(2, 1, "frankfurt-paris-orange", FULL).refusal(claim)) == (
        "[C6] with 2 players frankfurt-paris-white is closed: frankfurt-paris-orange beside it is claimed"
    )


@pytest.mark.rule("C6", "C5")
@pytest.mark.parametrize("players", [4, 5])
def test_with_four_or_five_players_two_of_them_share_a_double(players: int) -> None:
    hand = {"white": 3, "orange": 3}
    everybody = [{"hand": hand if seat < 3 else {}} for seat in range(players)]
    game = arranged("europe", *everybody, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-orange", {"orange": 3}))
    assert refused(game, ttr.ClaimRoute(1, "frankfurt-paris-orange", {"orange": 3})) == "C3"
    game.play(ttr.ClaimRoute(1, "frankfurt-paris-white", {"white": 3}))
    assert game.state.owners == {"frankfurt-paris-orange": 0, "frankfurt-paris-white": 1}
    # Both halves are gone for the third.
    assert not [c for c in legal(game, ttr.ClaimRoute) if c.route.startswith("frankfurt-paris")]
    assert refused(game, ttr.ClaimRoute(2, "frankfurt-paris-white", {"white": 3})) == "C3"


@pytest.mark.rule("C5", "C6")
@pytest.mark.parametrize("players", [2, 4])
def test_the_half_closes_when_it_is_claimed_in_play(players: int) -> None:
    everybody = [{"hand": {"white": 3, "orange": 3} if seat < 3 else {}} for seat in range(players)]
    game = arranged("europe", *everybody, draw_pile=["red"] * 12)
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-orange", {"orange": 3}))
    offered = [c.route for c in legal(game, ttr.ClaimRoute) if c.route.startswith("frankfurt-paris")]
    if players == 2:
        assert offered == []
        assert refused(game, ttr.ClaimRoute(1, "frankfurt-paris-white", {"white": 3})) == "C6"
    else:
        assert offered == ["frankfurt-paris-white"]
    for seat in range(1, players):
        play(game, ttr.DrawBlind(seat), ttr.DrawBlind(seat))
    assert refused(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) == "C5"


@pytest.mark.rule("C5", "C6", "C7")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("stack", ["europe", "north-america"])
def test_what_a_claim_closes_is_the_route_itself_and_its_parallels_only(stack: str, players: int) -> None:
    """Route by route: only routes between the same two cities are touched, however close others run (C7)."""
    routes = rules_of(stack).board.routes
    rich = {"locomotive": 8}  # they pay for every route, in one way
    everything = {route.id for route in routes.values()}
    for route in list(routes.values())[::3]:
        parallel = {r.id for r in routes.values() if set(r.cities) == set(route.cities)} - {route.id}
        for owner in (0, 1):
            entries: list[dict[str, object]] = [{} for _ in range(players)]
            entries[owner]["routes"] = [route.id]
            entries[0]["hand"] = rich
            game = arranged(stack, *entries)
            claims = game.legal_actions()
            offered = {action.route for action in claims if isinstance(action, ttr.ClaimRoute)}
            closed = parallel if owner == 0 or players < 4 else set()
            assert everything - offered == {route.id, *closed}, (route.id, owner)


@pytest.mark.rule("C7")
def test_neighboring_routes_to_different_cities_are_no_double() -> None:
    hand = {"red": 5, "locomotive": 2}
    game = arranged("europe", {"routes": ["palermo-roma-gray"], "hand": hand}, {}, draw_pile=["red"])
    game.play(ttr.ClaimRoute(0, "brindisi-palermo-gray", {"red": 2, "locomotive": 1}))
    assert game.state.owners == {"palermo-roma-gray": 0, "brindisi-palermo-gray": 0}


# -- F1, F2: ferries -----------------------------------------------------------------------------------------------


@pytest.mark.rule("F2")
def test_palermo_smyrna_takes_four_cards_of_a_color_and_two_locomotives() -> None:
    route = EUROPE.board.routes["palermo-smyrna-gray"]
    assert (route.length, route.ferry_locomotives) == (6, 2)
    game = arranged("europe", {"hand": {"green": 4, "locomotive": 2}}, {}, draw_pile=["red"])
    claims = [claim for claim in legal(game, ttr.ClaimRoute) if claim.route == route.id]
    assert claims == [ttr.ClaimRoute(0, route.id, {"green": 4, "locomotive": 2})]
    game.play(claims[0])
    assert game.state.scores == [15, 0]
    assert game.state.cars == [39, 45]
    assert ttr.cards(game.state).discards == ("green", "green", "green", "green", "locomotive", "locomotive")


@pytest.mark.rule("F1")
def test_a_ferry_wants_its_locomotives() -> None:
    route = "palermo-smyrna-gray"
    game = arranged("europe", {"hand": {"green": 6, "red": 2, "locomotive": 6}}, {})
    assert refused(game, ttr.ClaimRoute(0, route, {"green": 6})) == "F1"
    assert refused(game, ttr.ClaimRoute(0, route, {"green": 5, "locomotive": 1})) == "F1"
    assert refused(game, ttr.ClaimRoute(0, route, {"green": 2, "red": 2, "locomotive": 2})) == "C1"
    assert refused(game, ttr.ClaimRoute(0, route, {"green": 4, "locomotive": 3})) == "C1"
    payments = {claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == route}
    assert payments == {
        ttr.Counts(green=4, locomotive=2),
        ttr.Counts(green=3, locomotive=3),
        ttr.Counts(green=2, locomotive=4),
        ttr.Counts(green=1, locomotive=5),
        ttr.Counts(red=2, locomotive=4),
        ttr.Counts(red=1, locomotive=5),
        ttr.Counts(locomotive=6),
    }


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    ("route", "cards", "said"),
    [
        ("dieppe-paris-purple", 2, "this costs 1 card; you paid 2"),
        ("athina-sarajevo-green", 1, "this costs 4 cards; you paid 1"),
    ],
)
def test_a_refusal_says_how_many_cards_a_route_asks_for(route: str, cards: int, said: str) -> None:
    color = route.rsplit("-", 1)[1]
    game = arranged("europe", {"hand": {color: 5}}, {})
    refusal = game.refusal(ttr.ClaimRoute(0, route, {color: cards}))
    assert refusal is not None and refusal.reason.startswith(f"{said} (")


@pytest.mark.rule("F1")
@pytest.mark.parametrize(
    ("route", "cards", "said"),
    [
        ("brindisi-palermo-gray", 3, "at least 1 locomotive"),
        ("amsterdam-london-gray", 2, "at least 2 locomotives"),
    ],
)
def test_a_refusal_says_how_many_locomotives_a_ferry_wants(route: str, cards: int, said: str) -> None:
    game = arranged("europe", {"hand": {"green": 3}}, {})
    refusal = game.refusal(ttr.ClaimRoute(0, route, {"green": cards}))
    assert refusal is not None and refusal.reason == f"this costs {said}; you paid 0"


@pytest.mark.rule("F1")
def test_a_ferry_of_locomotives_only() -> None:
    route = EUROPE.board.routes["amsterdam-london-gray"]
    assert (route.length, route.ferry_locomotives) == (2, 2)
    game = arranged("europe", {"hand": {"red": 2, "locomotive": 2}}, {})
    claims = [claim for claim in legal(game, ttr.ClaimRoute) if claim.route == route.id]
    assert claims == [ttr.ClaimRoute(0, route.id, {"locomotive": 2})]
    assert refused(game, ttr.ClaimRoute(0, route.id, {"red": 1, "locomotive": 1})) == "F1"


@pytest.mark.rule("F1")
def test_a_ferry_turns_no_cards_up() -> None:
    hand = {"red": 1, "locomotive": 1}
    game = arranged("europe", {"hand": hand}, {}, draw_pile=["red", "red", "red"])
    game.play(ttr.ClaimRoute(0, "athina-smyrna-gray", hand))
    assert game.state.owners == {"athina-smyrna-gray": 0}


def test_legal_claims_come_in_a_stable_order() -> None:
    hand = {"red": 3, "blue": 2, "locomotive": 2}
    first, second = (list(arranged("europe", {"hand": hand}, {}).legal_actions()) for _ in range(2))
    assert first == second
    assert all(one != other for one, other in pairwise(first))


@pytest.mark.rule("C5", "C6")
@pytest.mark.parametrize("players", [2, 4])
def test_the_masks_of_open_routes_are_those_of_the_routes_that_are_taken(players: int) -> None:
    """In a whole game, on a map whose first route is one of a double."""
    state, random = ttr.new_game("new-york", players=players, seed=1).state, Random(players).random
    numbers = action_numbers(rules_of("new-york"))
    while state.pending:
        seat = state.pending[0].seat
        numbers.perform(state, seat, numbers.pick(state, seat, random()))
        assert state.open == open_routes(state)
