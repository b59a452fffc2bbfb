"""Bots: they finish games, complete their tickets, see no secrets, and cope with what they do not know."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from helpers import arranged, happened, rules_of
from plugins import excursions
from plugins.coins import CoinsPlugin

import ttr_maps
import ttr_rules as ttr
from ttr_rules.engine import legal_actions, view_of
from ttr_rules.events import GameEnded, TicketsChosen, TurnEnded
from ttr_rules.graph import Goal
from ttr_rules.model.network import Network
from ttr_rules.play import Move
from ttr_rules.train_cards.piles import CardPiles
from ttr_tools.bots import Bot, play_game
from ttr_tools.bots.links import LinkGraph, TicketGoal
from ttr_tools.bots.planner import Options
from ttr_variants.europe import LendRoutes
from ttr_variants.europe.stations import BuildStation, Stations

BOARDS = ("europe", "north-america")
AT_LEAST = 0.6  # of the tickets kept at set-up


def played(stack: str | ttr.Rules, players: int, seed: int | str) -> ttr.Game:
    rules = rules_of(stack) if isinstance(stack, str) else stack
    game = ttr.new_game(rules=rules, players=players, seed=seed)
    play_game(game)
    return game


def first_tickets(game: ttr.Game) -> list[bool]:
    """Of every ticket that any seat kept at set-up, whether it was completed."""
    sheet = game.final_scores
    assert sheet is not None
    state = game.state
    completed = [
        dict(zip(state.tickets[player.seat], (ticket.completed for ticket in player.tickets), strict=True))
        for player in sheet.players
    ]
    chosen = [(event.seat, event.kept) for event in happened(game.events, TicketsChosen)]
    return [completed[seat][ticket] for seat, kept in chosen if isinstance(kept, tuple) for ticket in kept]


def share_completed(stack: str, players: int, seeds: Sequence[int]) -> float:
    tickets = [done for seed in seeds for done in first_tickets(played(stack, players, seed))]
    assert len(tickets) >= 2 * players * len(seeds)
    return sum(tickets) / len(tickets)


def choice(game: ttr.Game, seed: int = 1) -> ttr.Action:
    """What a new bot does in the seat that is asked."""
    (seat,) = game.to_act
    return Bot(seed).choose(game.view(seat), game.rules, game.legal_actions(seat))


# -- whole games -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe-2", "north-america-5")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("stack", BOARDS)
def test_bots_play_to_a_regular_end(stack: str, players: int) -> None:
    for seed in range(2):
        game = played(stack, players, seed)
        assert [event.reason for event in happened(game.events, GameEnded)] == ["last round"]
        assert 20 <= len(happened(game.events, TurnEnded)) / players <= 60
        sheet = game.final_scores
        assert sheet is not None
        assert all(player.total > 0 for player in sheet.players)


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.parametrize("stack", BOARDS)
def test_four_bots_complete_most_of_the_tickets_kept_at_set_up(stack: str) -> None:
    assert share_completed(stack, 4, range(10)) >= AT_LEAST


def test_a_bot_beats_three_seats_that_play_at_random() -> None:
    rules = rules_of("europe")
    for seed in range(3):
        game = ttr.new_game(rules=rules, players=4, seed=seed)
        bot, random = Bot(seed), Random(seed)
        while game.to_act:
            seat = game.to_act[0]
            actions = game.legal_actions(seat)
            game.play(bot.choose(game.view(0), rules, actions) if seat == 0 else random.choice(actions))
        assert game.final_scores is not None
        assert game.final_scores.winners == ("Player 1",)


@pytest.mark.slow
def test_bots_build_stations_and_take_more_tickets() -> None:
    games = [played("europe", 5, seed) for seed in range(3)]
    assert any(state.part(Stations).built for state in (game.state for game in games))
    assert any(isinstance(move.action, ttr.DrawTickets) for game in games for move in game.moves)


# -- the same again ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game() -> None:
    assert played("europe", 3, 8) == played("europe", 3, 8)
    assert played("europe", 3, 8).moves != played("europe", 3, 9).moves
    with_bots = []
    for seed in (1, 1, "1"):
        game = ttr.new_game(rules=rules_of("europe"), players=2, seed=5)
        play_game(game, [Bot(seed), Bot(seed)])
        with_bots.append(game)
    assert with_bots[0] == with_bots[1]
    assert with_bots[0].moves != with_bots[2].moves


def test_a_game_without_a_seed_gets_bots_of_seed_0() -> None:
    class InOrder:
        def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
            return items

        def roll(self, faces: Sequence[Any]) -> Any:
            return faces[0]

    games = [ttr.new_game(rules=rules_of("europe"), players=2, chance=InOrder()) for _ in range(2)]
    play_game(games[0])
    play_game(games[1], [Bot("0 0"), Bot("0 1")])
    assert games[0].moves == games[1].moves


@pytest.mark.slow
def test_the_game_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import ttr_rules as ttr; from ttr_tools.bots import play_game; game = ttr.new_game('europe', players=4, seed=3);"
        "play_game(game); print([move.action for move in game.moves])"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for hash_seed in ("0", "4711")
    ]
    assert told[0] == told[1] != ""


# -- secrets -------------------------------------------------------------------------------------------------------


def redealt(state: ttr.State, seat: int, random: Random) -> ttr.State:
    """The state with everything dealt anew that `seat` does not see: hands, draw pile, tickets of others."""
    new = state.copy()
    piles = new.part(CardPiles)
    others = [other for other in range(state.players) if other != seat]
    cards = [card for other in others for card, count in enumerate(piles.hand[other]) for _ in range(count)]
    cards += piles.undrawn
    random.shuffle(cards)
    for other in others:
        size = sum(piles.hand[other])
        dealt, cards = cards[:size], cards[size:]
        piles.hand[other] = [dealt.count(card) for card in range(len(piles.kinds))]
    piles.lay_piles(cards)
    tickets = [ticket for other in others for ticket in new.tickets[other]] + list(new.ticket_piles["regular"])
    random.shuffle(tickets)
    for other in others:
        size = len(new.tickets[other])
        new.tickets[other], tickets = tuple(tickets[:size]), tickets[size:]
    new.ticket_piles["regular"] = tuple(tickets)
    return new


@pytest.mark.slow
@pytest.mark.parametrize("stack", BOARDS)
def test_a_choice_depends_on_nothing_that_the_seat_does_not_see(stack: str) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=3, seed=2)
    random = Random(6)
    bots, twins = ([Bot(seat) for seat in range(3)] for _ in range(2))
    changed = 0
    while game.to_act:
        seat = game.to_act[0]
        state = game.state
        other = redealt(state, seat, random)
        changed += other != state
        view = view_of(other, game.players, seat)
        assert view == game.view(seat)
        action = bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat))
        assert twins[seat].choose(view, game.rules, legal_actions(other, seat)) == action
        game.play(action)
    assert changed > 100


def test_choosing_changes_nothing() -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=1)
    before = game.copy()
    for seat in game.to_act:
        Bot(0).choose(game.view(seat), game.rules, game.legal_actions(seat))
    assert game == before


# -- single choices ------------------------------------------------------------------------------------------------


def test_a_bot_claims_what_joins_its_ticket() -> None:
    player = {"tickets": ["paris-wien"], "hand": {"white": 5, "black": 1}, "routes": ["munchen-wien-orange"]}
    action = choice(arranged("europe", player, {}))
    assert isinstance(action, ttr.ClaimRoute)
    assert action.route == "frankfurt-paris-white"
    assert action.payment == {"white": 3}


def test_a_bot_draws_the_color_that_it_misses() -> None:
    player = {
        "tickets": ["paris-wien"],
        "routes": ["munchen-wien-orange", "frankfurt-munchen-purple"],
        "hand": {"white": 1, "orange": 1},
        "cars": 3,
    }
    row = ["red", "green", "white", "green", "blue"]
    action = choice(arranged("europe", player, {}, face_up=row, draw_pile=["red"] * 4))
    assert action == ttr.DrawFaceUp(0, "white")


def test_in_its_last_turn_a_bot_claims_what_scores_most() -> None:
    ticket = {"tickets": ["paris-wien"], "routes": ["munchen-wien-orange", "frankfurt-munchen-purple"]}
    hand = {"white": 3, "green": 6, "red": 2}
    completes = choice(arranged("europe", {**ticket, "hand": hand}, {}, turns_left=1))
    assert isinstance(completes, ttr.ClaimRoute)
    assert completes.route == "frankfurt-paris-white"
    longest = choice(arranged("europe", {"hand": hand}, {}, turns_left=1))
    assert isinstance(longest, ttr.ClaimRoute)
    assert longest.payment == {"green": 6}


@pytest.mark.parametrize("turns_left", [0, 1])
def test_a_bot_builds_a_station_where_a_ticket_needs_one(turns_left: int) -> None:
    player = {
        "tickets": ["paris-wien"],
        "routes": ["munchen-wien-orange", "frankfurt-munchen-purple"],
        "hand": {"red": 1},
        "cars": 1,
    }
    other = {"routes": ["frankfurt-paris-white"]}
    action = choice(arranged("europe", player, other, turns_left=turns_left, draw_pile=["red"] * 4))
    assert isinstance(action, BuildStation)
    assert action.city in ("frankfurt", "paris")


def test_a_bot_keeps_its_stations_when_no_ticket_needs_them() -> None:
    action = choice(arranged("europe", {"hand": {"red": 1}, "cars": 0}, {}, turns_left=1, draw_pile=["red"] * 4))
    assert not isinstance(action, BuildStation)


def test_a_bot_pays_for_a_tunnel_with_as_few_locomotives_as_it_can() -> None:
    due = {"tickets": ["zurich-brindisi"], "hand": {"green": 3, "locomotive": 2}, "cars": 10}
    game = arranged("europe", due, {}, draw_pile=["green", "red", "red", "red"])
    (tunnel,) = game.rules.board.routes_between("venezia", "zurich")
    game.play(ttr.ClaimRoute(0, tunnel.id, {"green": 2}))
    assert choice(game) == ttr.PayTunnel(0, {"green": 1})


def test_a_bot_keeps_the_ticket_that_is_done_and_leaves_those_that_it_cannot_do() -> None:
    routes = [["chicago", "saint_louis"], ["little_rock", "saint_louis"], ["little_rock", "new_orleans"]]
    drawn = ["seattle-new_york", "chicago-new_orleans", "los_angeles-miami"]
    game = arranged("north-america", {"routes": routes, "cars": 6}, {}, ticket_pile=drawn)
    game.play(ttr.DrawTickets(0))
    assert choice(game) == ttr.KeepTickets(0, ["chicago-new_orleans"])


def test_a_bot_with_its_tickets_done_draws_more_while_there_is_time() -> None:
    assert choice(arranged("north-america", {}, {}, draw_pile=["red"] * 9)) == ttr.DrawTickets(0)
    assert choice(arranged("north-america", {}, {"cars": 9}, draw_pile=["red"] * 9)) != ttr.DrawTickets(0)


@pytest.mark.slow_cases(
    "germany-tickets-3-0-5db214c4c5be",
    "europe-4-0-d9e620f065b6",
    "india-2-0-eddce16894db",
    "united-kingdom:advanced=true-2-3-eb8582ade693",
    "nordic-countries-3-0-749ebce32e53",
)
@pytest.mark.parametrize(
    ("stack", "players", "per_point", "choices"),
    [
        ("north-america", 2, 0, "36ea81913759"),
        ("europe", 4, 0, "d9e620f065b6"),
        ("europe dice", 2, 3, "d199988d2b27"),
        ("switzerland", 2, 0, "cd0f0bc00a94"),
        ("germany-tickets", 3, 0, "5db214c4c5be"),
        ("india", 2, 0, "eddce16894db"),
        ("nordic-countries", 3, 0, "749ebce32e53"),
        ("united-kingdom:advanced=true", 2, 3, "eb8582ade693"),
    ],
)
def test_bots_choose_as_they_always_have(stack: str, players: int, per_point: float, choices: str) -> None:
    """The same on every platform, and after changes that only make them faster; a cleverer bot gets new digests."""
    game = ttr.new_game(rules=rules_of(*stack.split()), players=players, seed=7)
    play_game(game, [Bot(seat, per_point) for seat in range(players)])
    actions = "\n".join(str(move.action) for move in game.moves)
    assert sha256(actions.encode()).hexdigest()[:12] == choices


def test_what_cannot_be_chosen_from() -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=1)
    with pytest.raises(ttr.InvalidInputError):
        Bot(1).choose(game.view(0), game.rules, [])
    with pytest.raises(ttr.InvalidInputError):
        Bot(1).choose(game.view(None), game.rules, game.legal_actions(0))
    with pytest.raises(ttr.InvalidInputError):
        Bot(1.5)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError):
        play_game(game, [Bot(1)])
    for worth in (-1, float("nan"), "many", True):
        with pytest.raises(ttr.InvalidInputError, match="per_point is a number from 0 to 100, not"):
            Bot(1, per_point=worth)  # type: ignore[arg-type]
    assert (repr(Bot("Ada")), repr(Bot(1, per_point=3))) == ("Bot('Ada')", "Bot(1, per_point=3)")


def test_every_move_is_told_once_and_in_order() -> None:
    game = ttr.new_game(rules=rules_of("north-america"), players=2, seed=4)
    begin = len(game.moves)
    told: list[Move] = []
    play_game(game, on_move=told.append)
    assert tuple(told) == game.moves[begin:]
    assert [move.action.seat for move in told[:2] if move.action is not None] == [0, 1]


# -- what bots do not know -----------------------------------------------------------------------------------------

STACKS: Mapping[str, tuple[object, ...]] = {
    "coins": ("north-america", CoinsPlugin()),
    "europe+coins": ("europe", CoinsPlugin()),
    "excursions": ("north-america", excursions),
    "europe+coins+excursions": ("europe", CoinsPlugin(), excursions),
}


@pytest.mark.slow
@pytest.mark.thorough_but("europe+coins+excursions")
@pytest.mark.parametrize("name", STACKS)
def test_bots_play_with_plugins_that_they_do_not_know(name: str) -> None:
    rules = ttr.compile_rules(*STACKS[name])
    for seed in range(2):
        game = played(rules, 3, seed)
        assert game.is_over
        assert game == played(rules, 3, seed)


@pytest.mark.slow
def test_bots_complete_tickets_whatever_pays_for_routes() -> None:
    rules = ttr.compile_rules("north-america", CoinsPlugin())
    tickets = [done for seed in range(5) for done in first_tickets(played(rules, 4, seed))]
    assert sum(tickets) / len(tickets) >= AT_LEAST


@pytest.mark.slow
@pytest.mark.parametrize("map", ["switzerland", "nordic_countries"])
def test_bots_play_on_boards_with_countries_and_many_ferries(map: str) -> None:
    rules = ttr.compile_rules("north-america", board=ttr_maps.load(map))
    for seed in range(3):
        assert any(first_tickets(played(rules, 3, seed)))


@pytest.mark.slow
@pytest.mark.thorough_but("ruling0")
@pytest.mark.parametrize(
    "ruling", [{"second_card_optional": True}, {"face_up_when_exhausted": True}, {"station_choice": "ask"}]
)
def test_bots_play_under_other_rulings(ruling: dict[str, Any]) -> None:
    rules = ttr.compile_rules("europe", rulings=ruling)
    games = [played(rules, 5, seed) for seed in range(2)]
    assert all(game.is_over for game in games)
    if "station_choice" in ruling:
        assert any(isinstance(move.action, LendRoutes) for game in games for move in game.moves)


@pytest.mark.slow
def test_lent_routes_are_chosen_as_well_as_the_rules_would() -> None:
    for seed in range(2):
        asked = played(ttr.compile_rules("europe", rulings={"station_choice": "ask"}), 5, seed)
        best = played("europe", 5, seed)
        points = [[player.total for player in game.final_scores.players] for game in (asked, best) if game.final_scores]
        assert points[0] == points[1]


# -- links ---------------------------------------------------------------------------------------------------------


def test_a_light_way_goes_around_what_is_closed() -> None:
    network = Network(ttr_maps.load("europe"))
    links = LinkGraph(network)
    paris, wien = (network.city_number[city] for city in ("paris", "wien"))
    weights = [min(network.lengths[route] for route in routes) for routes in links.routes]
    direct = links.way(weights, [paris], {wien: 0})
    assert direct is not None
    weight, way = direct
    assert weight == sum(weights[link] for link in way)
    for link in way:
        weights[link] = 10**9
    around = links.way(weights, [paris], {wien: 0})
    assert around is not None
    assert around[0] >= weight
    assert not set(way) & set(around[1])
    assert links.way([10**9] * len(weights), [paris], {wien: 0}) is None


def test_a_ticket_to_several_places_prefers_the_best_that_is_not_much_farther() -> None:
    goal: Goal = [(9, [(0,), (5, 6)]), (4, [(0,), (1,)])]
    wish = TicketGoal.of("some", goal)
    assert wish == TicketGoal("some", 9, (0,), {5: 0, 6: 0, 1: 20}, penalty=9)


# -- options -------------------------------------------------------------------------------------------------------


def test_options_are_sorted_alike_whether_they_come_rule_by_rule_or_in_a_list() -> None:
    game = arranged("europe", {"hand": {"white": 3, "red": 2, "locomotive": 1}}, {})
    actions = game.legal_actions(0)
    stations = [action for action in actions if isinstance(action, BuildStation)]
    for options in (Options(actions, game.rules), Options(list(actions), game.rules)):
        assert set(options.all) == set(actions) and len(options.all) == len(actions)
        assert list(options.borrows) and {*map(str, options.borrows)} == {*map(str, stations)}
        claims = [action for action in actions if isinstance(action, ttr.ClaimRoute)]
        number = game.rules.network.route_number
        some = {claim.route for claim in claims[::3]}
        assert set(options.claims_on(sum(1 << number[route] for route in some))) == {
            claim for claim in claims if claim.route in some
        }
        assert {claim.route for claim in options.claims} == {claim.route for claim in claims} != some
        assert set(options.claims) <= set(claims)
        assert not options.unknown and not list(options.openings({"license"}))
        assert not options.best_valued(game.view(0), game.rules)
