"""The Hypothesis strategies: what `st.from_type` gives is valid, boards are playable, games are in mid-play."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st

import ttr_rules as ttr
from ttr_rules import Board, Counts, Route, Ticket
from ttr_rules.boards import load_board
from ttr_rules.model import CARD_COLORS, Card, City, Color
from ttr_tools.testing import strategies

SLOW = settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@pytest.mark.slow
@given(city=st.from_type(City), route=st.from_type(Route), ticket=st.from_type(Ticket), color=st.from_type(Color))
def test_parts_of_a_board_are_valid(city: City, route: Route, ticket: Ticket, color: Color) -> None:
    assert city.name and 0 <= city.x <= 1 and 0 <= city.y <= 1
    assert len(set(route.cities)) == 2 and route.length in POINTS
    assert route.ferry_locomotives <= route.length and not (route.tunnel and route.ferry_locomotives)
    assert len(set(ticket.cities)) == len(ticket.cities) >= 2 and ticket.points > 0
    assert color in Color


@given(counts=st.from_type(Counts), card=st.from_type(Card))
def test_cards_are_valid(counts: Counts, card: Card) -> None:
    assert set(counts) <= set(Card) and card in Card


#: The points of routes by length, as most maps have them.
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}


@st.composite
def _route_rows(draw: st.DrawFn, first: str, second: str, length: int | None = None) -> dict[str, Any]:
    """A row of a map file: a plain route, a tunnel or a ferry."""
    kind = draw(st.sampled_from(["plain", "plain", "plain", "tunnel", "ferry"]))
    spaces = draw(st.integers(1, 6)) if length is None else length
    row: dict[str, Any] = {"cities": [first, second], "length": spaces}
    row["color"] = "gray" if kind == "ferry" else str(draw(st.sampled_from([*CARD_COLORS, Color.GRAY, Color.GRAY])))
    if kind == "ferry":
        row["ferry_locomotives"] = draw(st.integers(1, min(spaces, 3)))
    if kind == "tunnel":
        row["tunnel"] = True
    return row


@st.composite
def boards(draw: st.DrawFn, most_cities: int = 7) -> Board:
    """A small board that `load_board` accepts: connected, with doubles, ferries, tunnels, long and regular tickets.

    Some tickets name three cities. There are enough of them for two players of the stacks `north-america` and `europe`,
    among others.
    """
    names = [chr(ord("a") + number) * 3 for number in range(draw(st.integers(2, max(2, most_cities))))]
    pairs = [(names[draw(st.integers(0, number - 1))], names[number]) for number in range(1, len(names))]  # a tree
    free = [(a, b) for number, a in enumerate(names) for b in names[number + 1 :] if (a, b) not in pairs]
    if free:
        pairs += draw(st.lists(st.sampled_from(free), unique=True, max_size=6))
    rows: list[dict[str, Any]] = []
    for first, second in pairs:
        row = draw(_route_rows(first, second))
        rows.append(row)
        if draw(st.integers(0, 3)) == 0:
            group = f"{first}-{second}"
            rows[-1] = {**row, "double_group": group}
            rows.append({**draw(_route_rows(first, second, row["length"])), "double_group": group})
    places = st.lists(st.sampled_from(names), min_size=2, max_size=min(len(names), 3), unique=True)
    regular = draw(st.lists(places, min_size=10, max_size=20))
    long = draw(st.lists(places, min_size=5, max_size=6))
    return load_board({
        "id": "drawn",
        "name": "Drawn",
        "points": dict(POINTS),
        "cities": [{"id": name, "name": name.title()} for name in names],
        "routes": rows,
        "tickets": [
            *({"cities": ends, "points": draw(st.integers(1, 12))} for ends in regular),
            *({"cities": ends, "points": draw(st.integers(13, 21)), "kind": "long", "id": f"long-{number}"}
              for number, ends in enumerate(long)),
        ],
    })  # fmt: skip


@pytest.mark.slow
@SLOW
@given(board=boards(), stack=st.sampled_from(["north-america", "europe"]), seed=st.integers(0, 999))
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
    assert find(boards(4), wanted, settings=sought, random=Random(1)) is not None  # type: ignore[arg-type]


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
        "print(repr(st.from_type(ttr.Route)).startswith('sampled_from'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.slow
def test_the_strategies_may_be_what_imports_hypothesis_first() -> None:
    program = (
        "import ttr_tools.testing.strategies\n"
        "from hypothesis import strategies as st\n"
        "from ttr_rules.model import Card, City, Color, Counts, Route, Ticket\n"
        "print([repr(st.from_type(kind)).partition('(')[0] for kind in (Card, City, Color, Counts, Route, Ticket)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    kinds = ["sampled_from", "sampled_from", "sampled_from", "dictionaries", "sampled_from", "sampled_from"]
    assert (done.stdout, done.stderr) == (f"{kinds}\n", "")
