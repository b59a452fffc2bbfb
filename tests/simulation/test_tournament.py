"""Tournaments: ratings, each against each, and the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("polars", reason="the extra data is not installed")
pytest.importorskip("openskill", reason="the extra data is not installed")
pytest.importorskip("click")
pytest.importorskip("rich")

from click.testing import CliRunner, Result

from ttr_tools.cli import commands
from ttr_tools.simulation import GameResult, SeatResult, duels, ratings, read_results, tabulate


def game(number: int, *ranked: tuple[str, int]) -> GameResult:
    seats = [
        SeatResult(seat, bot, seat + 1, -rank, rank, 1, {"routes": -rank}) for seat, (bot, rank) in enumerate(ranked)
    ]
    return GameResult(number, str(number), tuple(seats), (), (), "last round", 1)


def test_ratings_order_bots_by_the_ranks_in_their_games() -> None:
    results = [game(number, ("good", 1), ("bad", 3), ("fair", 2)) for number in range(20)]
    rated = ratings(tabulate(results))
    assert rated["bot"].to_list() == ["good", "fair", "bad"]
    assert rated["rating"][0] > 30 and abs(rated["rating"][1] - 25) < 2 and rated["rating"][2] < 20
    assert all(deviation < 25 / 3 for deviation in rated["deviation"])
    assert rated.select("games", "wins").rows() == [(20, 20), (20, 0), (20, 0)]
    fewer = ratings(tabulate(results[:2]))
    assert fewer["deviation"][0] > rated["deviation"][0]


def test_those_who_are_equal_are_rated_equally() -> None:
    rated = ratings(tabulate([game(number, ("one", 1), ("two", 1)) for number in range(4)]))
    assert rated["rating"][0] == pytest.approx(rated["rating"][1])


def test_duels_leave_out_shared_ranks() -> None:
    results = [
        game(0, ("a", 1), ("b", 2), ("c", 2)),
        game(1, ("b", 1), ("a", 1), ("c", 3)),
        game(2, ("c", 1), ("b", 2), ("a", 3)),
    ]
    assert duels(tabulate(results)).select("bot", "other", "games", "ahead").rows() == [
        ("a", "b", 2, 1), ("a", "c", 3, 2), ("b", "a", 2, 1), ("b", "c", 2, 1), ("c", "a", 3, 1), ("c", "b", 2, 1),
    ]  # fmt: skip


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["tournament", *map(str, words)], env={"COLUMNS": "120", "NO_COLOR": "1"})


def test_a_tournament_is_told_and_goes_on(tmp_path: Path) -> None:
    words = ("london", "--seed", 1, "--workers", 1, "--out", tmp_path / "cup.parquet", "--bots", "random,planner")
    done = run(*words, "--games", 2)
    assert done.exit_code == 0, done.output
    assert "2 games of London with 2 players each." in done.stdout
    done = run(*words, "--games", 6)
    assert "6 games of London with 2 players each." in done.stdout
    assert re.search(
        r"^planner +\d+\.\d +\d\.\d +6 +100\.0% .*\nrandom +\d+\.\d +\d\.\d +6 +0\.0% ", done.stdout, re.MULTILINE
    )
    assert re.search(r"^planner +random +6 +100\.0% ", done.stdout, re.MULTILINE)
    assert read_results(tmp_path / "cup.parquet").seats.height == 12
    refused = run(*words[:-1], "planner,random", "--games", 6)
    assert refused.exit_code == 2 and "bots random, planner, not planner, random" in refused.stderr


def test_quick_bots_play_if_none_are_named() -> None:
    done = run("london", "--seed", 1, "--workers", 1, "--games", 2)
    assert done.exit_code == 0, done.output
    assert "planner" in done.stdout and "random" in done.stdout and "search" not in done.stdout


def test_a_tournament_of_too_few_is_told_in_a_sentence() -> None:
    done = run("london", "--bots", "planner")
    assert done.exit_code == 2
    assert "games of 2 players need 2 different bots at least, not 1" in done.stderr
