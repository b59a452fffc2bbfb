"""Passengers: placing after a claim, journeys, what they cost with cards and with dice (M4, M5, M7, X12)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from helpers import arranged, happened, legal, play, refused, rules_of
from playing import check_choices, check_mutants

import ttr_rules as ttr
from ttr_rules import ClaimRoute, DrawBlind, Pass
from ttr_rules.events import RouteClaimed, TurnEnded
from ttr_rules.plugins import Transaction, Variant, hookimpl
from ttr_variants.dice import DicePlugin, Reroll, RerollChoice, TakeTokens, TokenChoice
from ttr_variants.marklin import Marklin
from ttr_variants.marklin.passengers import (
    EndJourney,
    Journey,
    MovePassenger,
    PassengerArrived,
    PassengerPlacing,
    Passengers,
    PlacePassenger,
    TokenTaken,
    TravelOn,
)

STACK = "germany-tickets"
#: The other ruling on one locomotive die a journey (R19).
ONE_WILD = {"one_wild_a_journey": True}
#: A ring of four cities with a chord, a tail and a country; B–C is a double. Nobody's cards.
TOY: dict[str, Any] = {
    "id": "toy",
    "name": "Toy",
    "points": {1: 1, 2: 2},
    "cities": [
        *({"id": id, "name": id.upper()} for id in "abcdef"),
        {"id": "land_1", "name": "Land", "country": "country_land"},
    ],
    "routes": [
        {"cities": ["a", "b"], "length": 1, "color": "red"},
        {"cities": ["b", "c"], "length": 1, "color": "blue", "double_group": "bc"},
        {"cities": ["b", "c"], "length": 1, "color": "green", "double_group": "bc"},
        {"cities": ["c", "d"], "length": 1, "color": "white"},
        {"cities": ["d", "a"], "length": 1, "color": "black"},
        {"cities": ["a", "c"], "length": 2, "color": "gray"},
        {"cities": ["d", "e"], "length": 1, "color": "yellow"},
        {"cities": ["e", "f"], "length": 2, "color": "gray"},
        {"cities": ["d", "land_1"], "length": 1, "color": "gray"},
    ],
    "extra": {
        "tokens": [
            {"city": "a", "tokens": [9]},
            {"city": "b", "tokens": [4, 3, 2]},
            {"city": "c", "tokens": [2]},
            {"city": "d", "tokens": [3, 1]},
            {"city": "e", "tokens": [7, 6]},
        ]
    },
}
DECK = [["a", "d", 5, "short"], ["a", "e", 6, "long"]] * 8


@cache
def toy(*more: object) -> ttr.Rules:
    return ttr.compile_rules(Marklin(tickets=DECK), *more, board=ttr.load_board(TOY))


def steps(game: ttr.Game) -> list[tuple[str, int]]:
    """The routes that a passenger may travel next, each with what it costs."""
    actions: list[MovePassenger | TravelOn] = [*legal(game, MovePassenger), *legal(game, TravelOn)]
    return [(action.route, action.payment.total) for action in actions]


def tokens(game: ttr.Game, seat: int = 0) -> tuple[int, ...]:
    return game.state.part(Passengers).taken[seat]


# -- placing (M4) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("M4")
def test_after_a_claim_a_passenger_may_be_placed_in_either_city() -> None:
    game = arranged(toy(), {"hand": {"red": 1}}, {})
    events = play(game, ClaimRoute(0, "a-b-red", {"red": 1}))
    assert happened(events, RouteClaimed)
    assert not happened(events, TurnEnded)
    assert game.decision(0) == PassengerPlacing(0, "a-b-red", ("a", "b"))
    assert list(game.legal_actions()) == [PlacePassenger(0, "a"), PlacePassenger(0, "b"), Pass(0)]
    assert refused(game, PlacePassenger(0, "c")) == "S8"
    assert refused(game, DrawBlind(0)) == "S8"
    other = game.copy()
    events = play(game, PlacePassenger(0, "b"))
    assert game.state.part(Passengers).standing == {"b": 0}
    assert game.state.part(Passengers).left == [2, 3]
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=False)]
    assert game.decision(1) == ttr.Turn(1)
    play(other, Pass(0))
    assert other.state.part(Passengers).standing == {}
    assert other.decision(1) == ttr.Turn(1)


@pytest.mark.rule("M4")
def test_one_passenger_a_city_whoever_it_belongs_to() -> None:
    player = {"routes": ["a-b-red"], "passengers": ["b"]}
    game = arranged(toy(), {"hand": {"blue": 1}}, player)
    play(game, ClaimRoute(0, "b-c-blue", {"blue": 1}))
    assert game.decision(0) == PassengerPlacing(0, "b-c-blue", ("c",))
    assert refused(game, PlacePassenger(0, "b")) == "S8"
    taken = {"routes": ["a-b-red", "c-d-white"], "passengers": ["b", "c"]}
    game = arranged(toy(), {"hand": {"blue": 1}}, taken)
    play(game, ClaimRoute(0, "b-c-blue", {"blue": 1}))
    assert game.decision(1) == ttr.Turn(1), "nobody is asked where there is no room"


@pytest.mark.rule("M4")
def test_a_city_is_free_again_when_its_passenger_has_left() -> None:
    player = {"routes": ["a-b-red"], "passengers": ["b"], "hand": {"blue": 1}}
    game = arranged(toy(), player, {}, draw_pile=["red"] * 5)
    play(game, MovePassenger(0, "b", "a-b-red"), DrawBlind(1), DrawBlind(1), ClaimRoute(0, "b-c-blue", {"blue": 1}))
    assert game.decision(0) == PassengerPlacing(0, "b-c-blue", ("b", "c"))


@pytest.mark.rule("M4", "M1")
def test_three_passengers_a_game() -> None:
    for gone, asked in ((2, True), (3, False)):
        game = arranged(toy(), {"hand": {"red": 1}, "passengers_gone": gone}, {})
        play(game, ClaimRoute(0, "a-b-red", {"red": 1}))
        assert isinstance(game.decision(0), PassengerPlacing) == asked


@pytest.mark.rule("M4", "M7")
def test_no_passenger_stands_in_a_country() -> None:
    game = arranged(toy(), {"hand": {"red": 1}}, {})
    play(game, ClaimRoute(0, "d-land_1-gray", {"red": 1}))
    assert game.decision(0) == PassengerPlacing(0, "d-land_1-gray", ("d",))
    assert refused(game, PlacePassenger(0, "land_1")) == "S8"
    game = arranged(toy(), {"routes": ["d-land_1-gray"], "passengers": ["d"]}, {})
    assert legal(game, MovePassenger) == []
    assert refused(game, MovePassenger(0, "d", "d-land_1-gray")) == "M5"


@pytest.mark.rule("M4")
def test_what_follows_a_claim_is_asked_in_turn() -> None:
    """A plugin of one's own asks after Märklin's, and the turn ends after both; or asks nothing."""
    seen: list[str] = []

    class Notes(Variant, name="notes", requires=("marklin",)):
        @hookimpl
        def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
            seen.append(route.id)

    rules = ttr.compile_rules(Marklin(tickets=DECK), Notes(), board=ttr.load_board(TOY))
    assert [plugin for plugin, _ in rules.on_claim] == ["marklin", "notes"]
    for answer in (PlacePassenger(0, "a"), Pass(0)):
        game = arranged(rules, {"hand": {"red": 1}}, {})
        seen.clear()
        play(game, ClaimRoute(0, "a-b-red", {"red": 1}))
        assert seen == []
        play(game, answer)
        assert seen == ["a-b-red"]
        assert game.to_act == (1,)


# -- journeys (M5) ---------------------------------------------------------------------------------------------

OWN = ["a-b-red", "b-c-blue", "c-d-white", "a-c-gray"]


@pytest.mark.rule("M5")
def test_a_journey_takes_the_top_token_of_every_city() -> None:
    game = arranged(toy(), {"routes": OWN, "passengers": ["b"]}, {"routes": ["d-e-yellow"]})
    assert steps(game) == [("a-b-red", 0), ("b-c-blue", 0)]
    events = play(game, MovePassenger(0, "b", "b-c-blue"))
    assert happened(events, TokenTaken) == [TokenTaken(0, "c", 2)]
    assert game.decision(0) == Journey(0, ("b", "c"), ("b-c-blue",))
    assert game.state.part(Passengers).standing == {}
    assert game.state.part(Passengers).city_tokens["c"] == ()
    assert steps(game) == [("c-d-white", 0), ("a-c-gray", 0)]
    play(game, TravelOn(0, "a-c-gray"))
    assert tokens(game) == (2, 9)
    play(game, TravelOn(0, "a-b-red"))
    assert tokens(game) == (2, 9), "none where it set out"
    # Every route of b is used up: the journey is over.
    assert game.to_act == (1,)
    assert game.state.part(Passengers).city_tokens["b"] == (4, 3, 2)
    assert game.state.part(Passengers).left == [2, 3]


@pytest.mark.rule("M5")
def test_a_city_passed_twice_gives_one_token() -> None:
    """B has three tokens and is passed twice: once round the ring and back over the other half of the double."""
    own = ["a-b-red", "b-c-blue", "a-c-gray", "c-d-white"]
    player = {"routes": own, "passengers": ["d"], "hand": {"passenger": 1}}
    game = arranged(toy(), player, {"routes": ["b-c-green"]}, {}, {}, draw_pile=["red"] * 3)
    way = [("c-d-white", "c"), ("b-c-blue", "b"), ("a-b-red", "a"), ("a-c-gray", "c")]
    play(game, MovePassenger(0, "d", way[0][0]), *[TravelOn(0, route) for route, _ in way[1:]])
    assert tokens(game) == (2, 4, 9)
    events = play(game, TravelOn(0, "b-c-green", {"passenger": 1}))
    assert happened(events, TokenTaken) == []
    assert tokens(game) == (2, 4, 9)
    assert game.state.part(Passengers).city_tokens["b"] == (3, 2), "two tokens are left, and stay"
    assert game.decision(1) == ttr.Turn(1)


@pytest.mark.rule("M4", "M5", "S6")
def test_everybody_sees_where_a_passenger_may_stand_and_where_it_has_been() -> None:
    game = arranged(toy(), {"passengers": ["d"], "routes": ["c-d-white", "b-c-blue"], "hand": {"red": 1}}, {})
    play(game, ClaimRoute(0, "a-b-red", {"red": 1}))
    assert game.view(1).pending == game.view(None).pending == (PassengerPlacing(0, "a-b-red", ("a", "b")),)
    game = arranged(toy(), {"passengers": ["d"], "routes": ["c-d-white", "b-c-blue"]}, {})
    play(game, MovePassenger(0, "d", "c-d-white"))
    assert game.view(1).pending == game.view(None).pending == (Journey(0, ("d", "c"), ("c-d-white",)),)


@pytest.mark.rule("M5")
def test_where_it_starts_a_passenger_takes_nothing_when_it_comes_back() -> None:
    own = ["a-b-red", "b-c-blue", "a-c-gray"]
    game = arranged(toy(), {"routes": own, "passengers": ["b"]}, {})
    play(game, MovePassenger(0, "b", "b-c-blue"), TravelOn(0, "a-c-gray"), TravelOn(0, "a-b-red"))
    assert tokens(game) == (2, 9)
    assert game.state.part(Passengers).city_tokens["b"] == (4, 3, 2)


@pytest.mark.rule("M5")
def test_the_next_passenger_takes_the_next_token_of_a_city() -> None:
    player = {"routes": ["a-b-red"], "passengers": ["a"]}
    game = arranged(toy(), player, {"routes": ["b-c-blue"], "passengers": ["c"]})
    play(game, MovePassenger(0, "a", "a-b-red"), EndJourney(0), MovePassenger(1, "c", "b-c-blue"), EndJourney(1))
    assert (tokens(game), tokens(game, 1)) == ((4,), (3,))
    assert game.state.part(Passengers).city_tokens["b"] == (2,)


@pytest.mark.rule("M5")
def test_a_passenger_may_stop_anywhere_and_leaves_the_game() -> None:
    game = arranged(toy(), {"routes": OWN, "passengers": ["b", "d"]}, {}, draw_pile=["red"] * 5)
    play(game, MovePassenger(0, "b", "a-b-red"))
    events = play(game, EndJourney(0))
    assert happened(events, PassengerArrived) == [PassengerArrived(0, "a")]
    assert tokens(game) == (9,)
    assert game.state.part(Passengers).standing == {"d": 0}
    play(game, DrawBlind(1), DrawBlind(1))
    assert refused(game, MovePassenger(0, "b", "a-b-red")) == "M5"
    assert {action.city for action in legal(game, MovePassenger)} == {"d"}


@pytest.mark.rule("M5")
def test_what_a_passenger_cannot_do() -> None:
    game = arranged(toy(), {"routes": OWN, "passengers": ["b"]}, {"routes": ["d-a-black"], "passengers": ["d"]})
    assert refused(game, MovePassenger(0, "a", "a-b-red")) == "M5"  # nobody stands there
    assert refused(game, MovePassenger(0, "d", "c-d-white")) == "M5"  # somebody else's passenger
    assert refused(game, MovePassenger(0, "b", "c-d-white")) == "M5"  # another place
    assert refused(game, MovePassenger(0, "b", "nowhere")) == "M5"
    assert refused(game, MovePassenger(0, "b", "a-b-red", {"passenger": 1})) == "M5"  # one's own route is free
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert refused(game, TravelOn(0, "a-b-red")) == "M5"  # a second time
    assert refused(game, TravelOn(0, "d-a-black")) == "M5"  # without a card
    assert refused(game, TravelOn(0, "d-a-black", {"locomotive": 1})) == "M5"
    assert refused(game, TravelOn(0, "c-d-white")) == "M5"
    assert refused(game, MovePassenger(0, "b", "b-c-blue")) == "S8"
    game = arranged(toy(), {"routes": ["a-b-red"], "passengers": ["b"]}, {})
    assert refused(game, MovePassenger(0, "b", "b-c-blue")) == "M5"  # nobody's route


@pytest.mark.rule("M5")
def test_a_passenger_card_opens_one_route_of_somebody_else() -> None:
    player = {"routes": ["a-b-red"], "passengers": ["b"], "hand": {"passenger": 2, "red": 1}}
    others = {"routes": ["d-a-black", "c-d-white", "d-e-yellow"], "passengers": ["d"]}
    game = arranged(toy(), player, others, draw_pile=["blue"] * 3)
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert steps(game) == [("d-a-black", 1)]
    play(game, TravelOn(0, "d-a-black", {"passenger": 1}))
    assert ttr.cards(game.state).hands[0] == {"passenger": 1, "red": 1}
    assert ttr.cards(game.state).discards == ("passenger",)
    assert game.state.part(Passengers).standing == {"d": 1}, "passing another passenger is allowed"
    play(game, TravelOn(0, "d-e-yellow", {"passenger": 1}))
    assert tokens(game) == (9, 3, 7)
    assert game.to_act == (1,), "nobody has claimed a route that leads on"


@pytest.mark.rule("M5", "S6")
def test_being_asked_on_tells_nothing_about_a_hand() -> None:
    """Where a route of somebody else leads on the player is asked, with a passenger card or without."""
    for hand in ({"passenger": 1}, {"red": 1}):
        player = {"routes": ["a-b-red"], "passengers": ["b"], "hand": hand}
        game = arranged(toy(), player, {"routes": ["d-a-black"]})
        play(game, MovePassenger(0, "b", "a-b-red"))
        assert game.decision(0) == Journey(0, ("b", "a"), ("a-b-red",))
        assert len(game.legal_actions()) == 1 + ("passenger" in hand)


@pytest.mark.rule("M5", "E1")
def test_a_journey_is_the_whole_turn_in_the_last_round_too() -> None:
    game = arranged(toy(), {"routes": ["a-b-red"], "passengers": ["b"]}, {}, turns_left=1)
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert game.is_over
    sheet = game.final_scores
    assert sheet is not None
    assert (sheet.players[0].terms["tokens"].points, sheet.players[0].total) == (9, 10)


@pytest.mark.rule("M5", "R4")
def test_a_passenger_that_can_move_must_if_nothing_else_can_be_done() -> None:
    game = arranged(toy(), {"routes": ["a-b-red"], "passengers": ["b"]}, {}, face_up=[])
    assert refused(game, Pass(0)) == "R4"


# -- all journeys, by trying -----------------------------------------------------------------------------------


def journeys(game: ttr.Game) -> Iterator[tuple[tuple[str, ...], ttr.Game]]:
    """Every journey that the engine lets the seat that is asked make, as its routes, with the game after it."""

    def go_on(game: ttr.Game, routes: tuple[str, ...], seat: int) -> Iterator[tuple[tuple[str, ...], ttr.Game]]:
        if not isinstance(game.decision(seat), Journey):
            yield routes, game
            return
        for action in game.legal_actions(seat):
            after = game.copy()
            after.play(action)
            if isinstance(action, TravelOn):
                yield from go_on(after, (*routes, action.route), seat)
            else:
                assert isinstance(action, EndJourney)
                yield routes, after

    for action in legal(game, MovePassenger):
        after = game.copy()
        after.play(action)
        yield from go_on(after, (action.route,), action.seat)


def trails(game: ttr.Game, seat: int, start: str, cards: int) -> set[tuple[str, ...]]:
    """The same from the board alone: trails over claimed routes with at most so many of somebody else's."""
    board, owners = game.rules.board, game.state.owners
    found: set[tuple[str, ...]] = set()

    def walk(city: str, used: tuple[str, ...], left: int) -> None:
        for id, route in board.routes.items():
            if id in used or id not in owners or city not in route.cities:
                continue
            there = route.cities[0] if city == route.cities[1] else route.cities[1]
            price = owners[id] != seat
            if board.cities[there].country is None and left >= price:
                found.add((*used, id))
                walk(there, (*used, id), left - price)

    walk(start, (), cards)
    return found


@pytest.mark.rule("M5", "M7")
@pytest.mark.parametrize("seed", range(25))
def test_journeys_are_the_trails_found_by_trying(seed: int) -> None:
    random = Random(seed)
    routes = [route for route in toy().board.routes if route != "b-c-green"]
    random.shuffle(routes)
    claimed = random.randint(1, len(routes))
    mine: list[str] = []
    others: list[str] = []
    for route in routes[:claimed]:
        (mine if random.random() < 0.6 else others).append(route)
    ends = sorted({city for id in mine for city in toy().board.routes[id].cities if not city.startswith("land")})
    if not ends:
        return
    start, cards = random.choice(ends), random.randint(0, 3)
    player = {"routes": mine, "passengers": [start], "hand": {"passenger": cards}}
    game = arranged(toy(), player, {"routes": others}, draw_pile=["red"] * 3)
    found = dict(journeys(game))
    assert set(found) == trails(game, 0, start, cards)
    for trail, after in found.items():
        way, here = [start], start
        for id in trail:
            here = game.rules.board.routes[id].other_end(here)
            way.append(here)
        stacks = game.state.part(Passengers).city_tokens
        entered = [city for city in dict.fromkeys(way) if city != start]
        assert tokens(after) == tuple(stacks[city][0] for city in entered if stacks.get(city))
        for city, stack in after.state.part(Passengers).city_tokens.items():
            assert stack == (stacks[city][1:] if city in entered else stacks[city])
        foreign = sum(id in others for id in trail)
        assert ttr.cards(after.state).hands[0]["passenger"] == cards - foreign
        assert after.state.part(Passengers).left == [2, 3]
        assert start not in after.state.part(Passengers).standing
        assert after.to_act == (1,)


@pytest.mark.rule("M5")
@pytest.mark.parametrize("stack", ["cards", "dice"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_generator_and_validator_agree_on_the_way(stack: str, seed: int) -> None:
    random = Random(seed)
    rules = toy() if stack == "cards" else toy("dice")
    game = ttr.new_game(rules=rules, players=2 + seed % 3, seed=seed)
    kinds = set()
    while game.to_act:
        seat = random.choice(game.to_act)
        choices = list(game.legal_actions(seat))
        moves = [each for each in choices if isinstance(each, MovePassenger | TravelOn | PlacePassenger)]
        action = random.choice(moves or choices)
        kinds.add(type(action))
        check_choices(game, seat)
        check_mutants(game, action, random)
        game.play(action)
    assert {MovePassenger, PlacePassenger} <= kinds


# -- dice (X12) ------------------------------------------------------------------------------------------------


def with_dice(
    *faces: str, routes: list[str], others: list[str], passengers: list[str], one_wild_a_journey: bool = False
) -> ttr.Game:
    """A game in mid-turn: these dice lie there and stand."""
    rules = toy(DicePlugin(one_wild_a_journey=True)) if one_wild_a_journey else toy("dice")
    players = [{"name": "A", "routes": routes, "passengers": passengers}, {"name": "B", "routes": others}]
    game = ttr.arrange(rules, {"players": players}, chance=_Rolls(faces))
    assert isinstance(game.decision(0), RerollChoice)
    play(game, Reroll(0, {}))
    return game


class _Rolls:
    """Dice that fall as told, then as they like; shuffles leave everything as it is."""

    def __init__(self, faces: tuple[str, ...]) -> None:
        self.faces = list(faces)

    def shuffled(self, items: Any) -> Any:
        return items

    def roll(self, faces: Any) -> Any:
        return self.faces.pop(0) if self.faces else faces[0]


@pytest.mark.rule("X12", "X5")
def test_with_dice_a_route_of_somebody_else_takes_a_wild_die() -> None:
    others = ["d-a-black", "c-d-white", "d-e-yellow"]
    faces = ("locomotive", "locomotive", "single", "double", "station")
    game = with_dice(*faces, routes=["a-b-red"], others=others, passengers=["b"])
    assert steps(game) == [("a-b-red", 0)]
    play(game, MovePassenger(0, "b", "a-b-red"))
    for payment in ({}, {"single": 1}, {"single_token": 1}, {"passenger": 1}, {"locomotive": 2}):
        assert refused(game, TravelOn(0, "d-a-black", payment)) == "M5"
    play(game, TravelOn(0, "d-a-black", {"locomotive": 1}), TravelOn(0, "d-e-yellow", {"locomotive": 1}))
    assert tokens(game) == (9, 3, 7)
    # No other action, but a token for a pair of unused dice (X6).
    assert game.decision(0) == TokenChoice(0, 1)
    play(game, TakeTokens(0, {"single_token": 1}))


@pytest.mark.rule("X12")
def test_with_dice_ones_own_routes_are_free_and_no_wild_die_opens_none() -> None:
    game = with_dice(*["single"] * 5, routes=["a-b-red", "b-c-blue"], others=["d-a-black"], passengers=["b"])
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert list(game.legal_actions()) == [EndJourney(0)]
    assert refused(game, TravelOn(0, "d-a-black", {"locomotive": 1})) == "M5"
    play(game, EndJourney(0))
    assert game.decision(0) == TokenChoice(0, 2)


#: A journey from b to a on one's own route, then on routes of somebody else to d, and back to c.
FOREIGN: dict[str, Any] = {
    "routes": ["a-b-red"],
    "others": ["d-a-black", "c-d-white", "d-e-yellow"],
    "passengers": ["b"],
}


@pytest.mark.rule("R19", "X12")
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_each_route_of_somebody_else_takes_a_wild_die_of_its_own(dice: int) -> None:
    game = with_dice(*["locomotive"] * dice, *["single"] * (5 - dice), **FOREIGN)
    play(game, MovePassenger(0, "b", "a-b-red"), TravelOn(0, "d-a-black", {"locomotive": 1}))
    assert steps(game) == ([("c-d-white", 1), ("d-e-yellow", 1)] if dice > 1 else [])
    assert refused(game, TravelOn(0, "c-d-white")) == "M5"
    if dice > 1:
        play(game, TravelOn(0, "c-d-white", {"locomotive": 1}))
        assert game.decision(0) == TokenChoice(0, 1)


@pytest.mark.rule("R19", "X12")
def test_under_the_other_ruling_one_wild_die_opens_all_routes_of_a_journey() -> None:
    game = with_dice("locomotive", *["single"] * 4, **FOREIGN, one_wild_a_journey=True)
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert steps(game) == [("d-a-black", 1)], "the first costs a die, whatever of one's own came before"
    assert refused(game, TravelOn(0, "d-a-black")) == "M5"
    play(game, TravelOn(0, "d-a-black", {"locomotive": 1}))
    assert steps(game) == [("c-d-white", 0), ("d-e-yellow", 0)]
    assert refused(game, TravelOn(0, "c-d-white", {"locomotive": 1})) == "M5"
    check_choices(game, 0)
    play(game, TravelOn(0, "d-e-yellow"))
    assert tokens(game) == (9, 3, 7)
    assert game.decision(0) == TokenChoice(0, 2), "four dice are left"


@pytest.mark.rule("R19", "X12")
def test_under_the_other_ruling_the_first_route_of_somebody_else_must_still_be_paid() -> None:
    game = with_dice(*["single"] * 5, **FOREIGN, one_wild_a_journey=True)
    play(game, MovePassenger(0, "b", "a-b-red"))
    assert list(game.legal_actions()) == [EndJourney(0)]
    game = with_dice(
        *["single"] * 5, routes=["a-b-red"], others=["b-c-blue"], passengers=["b"], one_wild_a_journey=True
    )
    assert refused(game, MovePassenger(0, "b", "b-c-blue")) == "M5"


@pytest.mark.rule("R19", "M5")
def test_with_cards_every_route_of_somebody_else_takes_a_card_and_there_is_no_other_ruling() -> None:
    player = {"routes": ["a-b-red"], "passengers": ["b"], "hand": {"passenger": 2}}
    game = arranged(toy(), player, {"routes": ["d-a-black", "c-d-white"]}, draw_pile=["blue"] * 3)
    play(game, MovePassenger(0, "b", "a-b-red"), TravelOn(0, "d-a-black", {"passenger": 1}))
    assert steps(game) == [("c-d-white", 1)]
    assert refused(game, TravelOn(0, "c-d-white")) == "M5"
    with pytest.raises(ttr.InvalidInputError, match="one_wild_a_journey"):
        ttr.compile_rules(STACK, rulings=ONE_WILD)


@pytest.mark.rule("R19")
def test_a_game_with_one_wild_die_a_journey_plays_out_and_is_saved_with_its_ruling() -> None:
    rules = ttr.compile_rules(STACK, "dice", rulings=ONE_WILD)
    random, game = Random(2), ttr.new_game(rules=rules, players=3, seed=2)
    free = 0
    while game.to_act:
        seat = random.choice(game.to_act)
        choices = game.legal_actions(seat)
        moves = [each for each in choices if isinstance(each, MovePassenger | TravelOn | PlacePassenger)]
        check_choices(game, seat) if isinstance(game.decision(seat), Journey) else None
        action = random.choice(moves or choices)
        if isinstance(action, TravelOn) and not action.payment:
            free += game.state.owners[action.route] != seat
        game.play(action)
    assert free, "no passenger traveled on for nothing"
    text = ttr.dumps(game)
    assert dict(json.loads(text)["stack"])["dice"]["one_wild_a_journey"] is True
    assert ttr.loads(text, verify=True) == game
    assert ttr.loads(text).rules.fingerprint == rules.fingerprint != rules_of(STACK, "dice").fingerprint


@pytest.mark.rule("X12", "V11")
def test_neither_side_knows_the_other() -> None:
    one, other = ttr.compile_rules(STACK, "dice"), ttr.compile_rules("dice", STACK)
    for rules in (one, other):
        assert type(rules.economy).__name__ == "DiceEconomy"
        assert rules.draw_counts.keep == 0
        assert set(rules.answers) == set(one.answers)
    assert rules_of(STACK).draw_counts.keep == 1
