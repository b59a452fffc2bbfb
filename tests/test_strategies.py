"""The Hypothesis strategies: what `st.from_type` gives is valid, boards are playable, games are in mid-play."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st

import ttr_rules as ttr
from ttr_rules import Board, Counts, Route, Ticket
from ttr_rules.model import Card, City, Color
from ttr_rules.plugins import options_of
from ttr_tools.testing import strategies

SLOW = settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.slow
@given(city=st.from_type(City), route=st.from_type(Route), ticket=st.from_type(Ticket), color=st.from_type(Color))
def test_parts_of_a_board_are_valid(city: City, route: Route, ticket: Ticket, color: Color) -> None:
    assert city.name and 0 <= city.x <= 1 and 0 <= city.y <= 1
    assert len(set(route.cities)) == 2 and route.length in strategies.POINTS
    assert route.ferry_locomotives <= route.length and not (route.tunnel and route.ferry_locomotives)
    assert len(set(ticket.cities)) == len(ticket.cities) >= 2 and ticket.points > 0
    assert color in Color


@given(counts=st.from_type(Counts), card=st.from_type(Card))
def test_cards_are_valid(counts: Counts, card: Card) -> None:
    assert set(counts) <= set(Card) and card in Card


@pytest.mark.slow
@given(rulings=strategies.rulings(ttr.compile_rules("europe", "dice")))
def test_rulings_decide_every_open_case_of_a_stack(rulings: dict[str, object]) -> None:
    options = ttr.compile_rules("europe", "dice", rulings=rulings).options
    decided = {name: value for each in options.values() for name, value in each.items()}
    assert rulings.items() <= {**OPEN_CASES, **decided}.items()
    assert rulings.keys() == OPEN_CASES.keys()


#: Rulings with their defaults: those of plugins below the stack are told in it only where they are others.
OPEN_CASES = {
    option.name: option.default
    for plugin in ttr.compile_rules("europe", "dice").plugins.values()
    for option in options_of(plugin).values()
    if option.alternatives
}


@pytest.mark.slow
@SLOW
@given(board=st.from_type(Board), stack=st.sampled_from(["north-america", "europe"]), seed=st.integers(0, 999))
def test_boards_are_valid_and_playable(board: Board, stack: str, seed: int) -> None:
    rules = ttr.compile_rules(stack, board=board)
    assert ttr.playout(rules, 2, seed).winners


@pytest.mark.slow_cases("double", "ferry", "two cities")
@pytest.mark.parametrize(
    "wanted",
    [
        lambda board: any(route.double_group for route in board.routes.values()),
        lambda board: any(route.ferry_locomotives for route in board.routes.values()),
        lambda board: any(route.tunnel for route in board.routes.values()),
        lambda board: len(board.routes) > len(board.cities),
        lambda board: len(board.cities) == 2,
    ],
    ids=["double", "ferry", "tunnel", "loop", "two cities"],
)
def test_boards_are_of_every_kind(wanted: object) -> None:
    # Any board will do: to look for the smallest would take its time.
    sought = settings(SLOW, max_examples=2000, phases=[Phase.generate], database=None)
    assert find(strategies.boards(4), wanted, settings=sought, random=Random(1)) is not None  # type: ignore[arg-type]


@SLOW
@given(data=st.data(), game=strategies.games("europe", players=3, most_actions=60))
def test_games_are_in_mid_play_and_actions_are_legal(data: st.DataObject, game: ttr.Game) -> None:
    assert game.to_act and len(game.players) == 3 and len(game.moves) <= 62
    action = data.draw(strategies.legal_actions(game))
    assert game.is_legal(action)
    if isinstance(game.decision(game.to_act[0]), ttr.Turn):
        assert isinstance(data.draw(strategies.legal_actions(game, ttr.DrawTickets | ttr.DrawBlind)), ttr.Action)  # type: ignore[arg-type]
    game.play(action)


@settings(SLOW, max_examples=3)
@given(game=strategies.games("north-america", over=True))
def test_finished_games_have_scores(game: ttr.Game) -> None:
    assert game.final_scores is not None


@pytest.mark.slow
def test_they_are_registered_where_the_library_is_installed() -> None:
    program = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "import ttr_rules as ttr; assert 'hypothesis' not in sys.modules\n"
        "from hypothesis import strategies as st\n"
        "print(repr(st.from_type(ttr.Route)).startswith('sampled_from'), st.from_type(ttr.Board))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("True boards()\n", "")


@pytest.mark.slow
def test_the_strategies_may_be_what_imports_hypothesis_first() -> None:
    program = (
        "import ttr_tools.testing.strategies as kit\n"
        "from hypothesis import strategies as st\n"
        "print(all(repr(st.from_type(kind)) == repr(make()) for kind, make in kit.BY_TYPE.items()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("True\n", "")
