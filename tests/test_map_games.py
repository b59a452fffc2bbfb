"""Whole games of India, Legendary Asia and Pennsylvania, with every number of players: what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import given, settings
from playing import PLAYED, follow, picks, seeds

import ttr_rules as ttr
from ttr_rules.events import RouteClaimed
from ttr_variants.legendary_asia import MountainsCrossed
from ttr_variants.pennsylvania import DummyShareTaken, Shares, ShareTaken

#: The numbers of players that each map is made for. With dice, and with four or five players, the games are thorough tests.
TABLES = [("india", (2, 3, 4)), ("legendary-asia", (2, 3, 4, 5)), ("pennsylvania", (2, 3, 4, 5))]
GAMES = [
    pytest.param(
        (name, *more),
        count,
        marks=[pytest.mark.thorough] * bool(more or count > 3),
        id="+".join((name, *more, str(count))),
    )
    for name, counts in TABLES
    for count in counts
    for more in ((), ("dice",))
]


def test_every_number_of_players_is_played() -> None:
    for name, counts in TABLES:
        components = rules_of(name).components
        assert [*counts] == [*range(components.min_players, components.max_players + 1)]


@pytest.mark.slow_cases(
    "pennsylvania+3",
    "india+2",
    "legendary-asia+3",
    "pennsylvania+4",
    "india+3",
    "legendary-asia+4",
    "pennsylvania+5",
    "legendary-asia+5",
    "india+4",
)
@pytest.mark.rule("L6", "Y5", "Y12", "Y13")
@pytest.mark.parametrize(("stack", "players"), GAMES)
@settings(PLAYED, max_examples=1)
@given(seed=seeds, choice=picks)
def test_a_random_game_keeps_every_invariant(
    stack: tuple[str, ...], players: int, seed: int | str, choice: int
) -> None:
    game = ttr.new_game(rules=rules_of(*stack), players=players, seed=seed)
    follow(game, Random(choice))
    claims = [event for event in game.events if isinstance(event, RouteClaimed)]
    if stack[0] == "legendary-asia":
        crosses = {event.route: game.rules.board.routes[event.route].marks.count("cross") for event in claims}
        crossed = {event.route: event.cars for event in game.events if isinstance(event, MountainsCrossed)}
        assert crossed == {route: count for route, count in crosses.items() if count}
        for seat in range(players):
            own = [event.route for event in claims if event.seat == seat]
            used = sum(game.rules.board.routes[route].length + crosses[route] for route in own)
            assert game.state.cars[seat] == 45 - used
    if stack[0] == "pennsylvania":
        taken = [event for event in game.events if isinstance(event, ShareTaken)]
        dummy = [event for event in taken if isinstance(event, DummyShareTaken)]
        part = game.state.part(Shares)
        assert len(taken) - len(dummy) <= len(claims) and (players == 2 or not dummy)
        assert sum(map(len, part.piles.values())) + sum(map(len, part.held)) + len(part.dummy) == 60
        assert part.turned_up is not None and len(part.turned_up) == (len(part.dummy) + 1) // 2
