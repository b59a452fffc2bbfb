"""Tables and statistics of results, with the real libraries."""

from __future__ import annotations

import pytest

pytest.importorskip("polars", reason="the extra data is not installed")

import polars as pl
from official import every_map

import ttr_rules as ttr
from ttr_tools.simulation import (
    GameResult,
    ResultTables,
    RouteResult,
    SeatResult,
    TicketResult,
    draws,
    endings,
    route_rates,
    scores,
    simulate,
    tabulate,
    ticket_rates,
    win_rates,
)

COLUMNS = {
    "games": ["game", "seed", "ending", "rounds", "margin"],
    "seats": [
        "game", "seed", "seat", "bot", "order", "score", "rank", "turns",
        "blind_draws", "face_up_draws", "ticket_draws", "failed_tunnels",
    ],
    "points": ["game", "seat", "term", "points"],
    "tickets": ["game", "seat", "ticket", "kept", "completed", "points"],
    "routes": ["game", "route", "owner", "turn"],
}  # fmt: skip


def seat(number: int, bot: str, score: int, rank: int) -> SeatResult:
    return SeatResult(number, bot, number + 1, score, rank, 10, {"routes": score - 3, "tickets": 3})


def result(game: int, ranks: tuple[int, int], routes: tuple[RouteResult, ...]) -> GameResult:
    tickets = (
        TicketResult(0, "a-b", "set-up", ranks[0] == 1, 3 if ranks[0] == 1 else -3),
        TicketResult(1, "c-d", "drawn", True, 3),
    )
    seats = (seat(0, "one", 40 - 10 * ranks[0], ranks[0]), seat(1, "two", 40 - 10 * ranks[1], ranks[1]))
    return GameResult(game, f"1:{game}", seats, tickets, routes, "deadlock" if game == 2 else "last round", 10 + game)


@pytest.fixture(scope="module")
def few() -> ResultTables:
    """Four games: seat 0 wins two, seat 1 one, and one is shared."""
    near, far = RouteResult("near", 0, 2), RouteResult("near", 1, 4)
    return tabulate([
        result(0, (1, 2), (near,)), result(1, (1, 2), (near, far)), result(2, (2, 1), ()),
        result(3, (1, 1), (RouteResult("rare", 1, 9),)),
    ])  # fmt: skip


@every_map
def test_the_columns_are_the_same_on_every_stack(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    bots = ["random"] * rules.components.min_players
    results = list(simulate(rules, bots, games=1, seed=1))
    tables = tabulate(results)
    for name, columns in COLUMNS.items():
        table: pl.DataFrame = getattr(tables, name)
        assert table.columns == columns
        assert table.schema == getattr(tabulate([]), name).schema
        assert table.height and not any(column.null_count() for column in table)
    assert tables.seats["score"].to_list() == list(results[0].scores)
    sums = tables.points.group_by("seat").agg(pl.col("points").sum()).sort("seat")
    assert sums["points"].to_list() == list(results[0].scores)
    assert tables.routes.height == len(results[0].routes)


def test_wins_are_counted_with_wilsons_interval(few: ResultTables) -> None:
    rates = win_rates(few)
    assert rates.select("seat", "bot", "games", "wins", "rate").rows() == [
        (0, "one", 4, 3, 0.75),
        (1, "two", 4, 2, 0.5),
    ]
    # Wilson's interval for 2 of 4, from its formula: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    assert rates.row(1)[-2:] == pytest.approx((0.15003898915214948, 0.8499610108478506))
    assert win_rates(few, ["bot"])["wins"].to_list() == [3, 2]


def test_intervals_of_very_many_games_are_narrow() -> None:
    """The square of 65,536 has no room in 32 bits."""
    seats = pl.DataFrame({"bot": ["one"] * 65_536, "rank": [1, 2] * 32_768})
    tables = ResultTables(**dict.fromkeys(("games", "points", "tickets", "routes"), pl.DataFrame()), seats=seats)
    assert win_rates(tables, ["bot"]).row(0)[-2:] == pytest.approx((0.49617, 0.50383), abs=1e-5)


def test_scores(few: ResultTables) -> None:
    rows = scores(few).to_dicts()
    assert [(row["mean"], row["least"], row["median"], row["most"]) for row in rows] == [
        (27.5, 20, 30, 30),
        (25, 20, 25, 30),
    ]
    assert rows[0]["deviation"] == pytest.approx(5.0)


def test_tickets_are_told_by_ticket(few: ResultTables) -> None:
    keys = ("ticket", "held", "completed", "rate", "at_setup", "mean_points", "winners")
    assert ticket_rates(few).select(keys).rows() == [
        ("c-d", 4, 4, 1.0, 0.0, 3.0, 0.5),
        ("a-b", 4, 3, 0.75, 1.0, 1.5, 0.75),
    ]


def test_endings_have_their_share_with_rounds_and_margins(few: ResultTables) -> None:
    keys = ("ending", "games", "rate", "rounds", "margin")
    assert endings(few).select(keys).rows() == [
        ("last round", 3, 0.75, pytest.approx(34 / 3), pytest.approx(20 / 3)),
        ("deadlock", 1, 0.25, 12.0, 10.0),
    ]


def test_draws_are_the_means_of_a_game() -> None:
    tables = tabulate(simulate("europe", ["planner", "random"], games=2, seed=1))
    rows = draws(tables).to_dicts()
    for row in rows:
        own = tables.seats.filter(seat=row["seat"])
        for name in ("turns", "blind_draws", "face_up_draws", "ticket_draws", "failed_tunnels"):
            assert row[name] == sum(own[name]) / 2
    assert [row["bot"] for row in rows] == ["planner", "random"]


def test_routes_are_told_with_those_that_nobody_claimed(few: ResultTables) -> None:
    rates = route_rates(few, ["near", "rare", "never"])
    assert rates.select("route", "games", "claimed", "rate", "turn").rows() == [
        ("near", 4, 2, 0.5, pytest.approx(8 / 3)), ("rare", 4, 1, 0.25, 9.0), ("never", 4, 0, 0.0, None),
    ]  # fmt: skip


def test_no_results_have_no_rates() -> None:
    nothing = tabulate([])
    assert [len(each(nothing)) for each in (win_rates, scores, ticket_rates, route_rates)] == [0, 0, 0, 0]
