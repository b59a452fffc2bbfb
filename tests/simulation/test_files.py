"""Results kept in Parquet files: whole or not at all, continued where they stopped, never mixed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("polars", reason="the extra data is not installed")

import polars as pl

import ttr_rules as ttr
from ttr_tools.simulation import GameResult, read_results, simulate, simulate_to, tables as module, tabulate
from ttr_tools.simulation.running import make_plan

RANDOM = ["random", "random"]


def rows(tables: object) -> dict[str, list[dict[str, Any]]]:
    return {name: getattr(tables, name).to_dicts() for name in ("games", "seats", "points", "tickets", "routes")}


@pytest.fixture(scope="module")
def whole() -> dict[str, list[dict[str, object]]]:
    """The rows of ten games that were played in one go."""
    return rows(tabulate(simulate("london", RANDOM, games=10, seed=1)))


def kept(folder: Path, games: int = 10) -> list[int]:
    """Continue the simulation of these tests; the games that were played for it."""
    return [result.game for result in simulate_to(folder, "london", RANDOM, games, seed=1)]


def test_a_simulation_goes_on_where_it_stopped(tmp_path: Path, whole: Any) -> None:
    assert kept(tmp_path / "games.parquet", 4) == [0, 1, 2, 3]
    assert kept(tmp_path / "games.parquet", 3) == []
    assert kept(tmp_path / "games.parquet") == [4, 5, 6, 7, 8, 9]
    assert rows(read_results(tmp_path / "games.parquet")) == whole
    assert kept(tmp_path / "games.parquet") == []


def test_what_was_played_before_an_interrupt_is_there(tmp_path: Path, whole: Any) -> None:
    def interrupted() -> Iterator[GameResult]:
        yield from results
        raise AssertionError("it ended")

    results = simulate_to(tmp_path, "london", RANDOM, games=10, seed=1)
    for result in interrupted():
        if result.game == 3:
            break
    results.close()  # as a `with closing(...)` does, whatever ends it
    assert rows(read_results(tmp_path))["seats"][-1]["game"] == 3
    assert kept(tmp_path) == [4, 5, 6, 7, 8, 9]
    assert rows(read_results(tmp_path)) == whole


def test_what_was_played_before_an_error_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Any) -> None:
    plan = type(make_plan("london", RANDOM, 1))
    play = plan.play

    def stopped(self: object, game: int) -> GameResult:
        if game == 6:
            raise KeyboardInterrupt
        return play(self, game)  # type: ignore[arg-type]

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(plan, "play", stopped)
        kept(tmp_path)
    assert kept(tmp_path) == [6, 7, 8, 9]
    assert rows(read_results(tmp_path)) == whole


@pytest.mark.slow_cases(*map(str, range(1, 5)))
@pytest.mark.parametrize("written", range(6))
def test_a_process_killed_while_writing_leaves_no_half_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int, whole: Any
) -> None:
    """It is killed before any of the files of six more games is in place, or after some of them are."""
    kept(tmp_path, 4)
    replace, count = Path.replace, 0

    def killed(self: Path, target: Path) -> Path:
        nonlocal count
        count += 1
        if count > written:
            raise SystemError("killed")
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        if written < 5:
            with pytest.raises(SystemError):
                kept(tmp_path)
        else:
            kept(tmp_path)
    for name, those in rows(read_results(tmp_path)).items():
        assert those == [row for row in whole[name] if row["game"] < (4 if written < 5 else 10)], name
    assert kept(tmp_path, 12) == ([4, 5, 6, 7, 8, 9, 10, 11] if written < 5 else [10, 11])
    for name, those in rows(read_results(tmp_path)).items():
        assert [row for row in those if row["game"] < 10] == whole[name], name
    assert not [file for file in tmp_path.rglob("*") if file.name.startswith(".")]


def test_results_are_written_while_the_games_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Any) -> None:
    monkeypatch.setattr(module, "MOST_GAMES", 3)
    results = simulate_to(tmp_path, "london", RANDOM, games=10, seed=1)
    for _ in range(7):
        next(results)
    assert rows(read_results(tmp_path))["seats"][-1]["game"] == 5
    assert [result.game for result in results] == [7, 8, 9]
    assert rows(read_results(tmp_path)) == whole
    monkeypatch.setattr(module, "MOST_GAMES", 10**6)
    monkeypatch.setattr(module, "monotonic", iter(range(0, 10**6, 10)).__next__)
    results = simulate_to(tmp_path / "timed", "london", RANDOM, games=10, seed=1)
    for _ in range(3):
        next(results)
    assert len(list((tmp_path / "timed" / "seats").iterdir())) == 1


def test_every_reader_of_parquet_reads_them(tmp_path: Path, whole: dict[str, list[dict[str, object]]]) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pandas = pytest.importorskip("pandas")
    kept(tmp_path, 4)
    kept(tmp_path)
    assert pandas.read_parquet(tmp_path / "games").to_dict("records") == whole["games"]
    assert read_results(tmp_path).games.to_pandas().to_dict("records") == whole["games"]
    for name, those in whole.items():
        assert pl.read_parquet(tmp_path / name / "*.parquet").sort("game", maintain_order=True).to_dicts() == those
        assert pq.read_table(tmp_path / name).num_rows == len(those)
    about = json.loads(pq.read_metadata(next((tmp_path / "routes").iterdir())).metadata[b"ttr_rules"])
    assert about == {
        "kind": "simulation",
        "stack": ["london"], "rules": ttr.compile_rules("london").fingerprint, "bots": RANDOM, "players": 2, "seed": 1,
        "version": ttr.__version__,
    }  # fmt: skip


def other(folder: Path, **changed: object) -> None:
    arguments: dict[str, object] = {"stack": "london", "bots": RANDOM, "games": 2, "seed": 1, **changed}
    list(simulate_to(folder, **arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"stack": "new-york"}, "stack london, not new-york"),
        ({"bots": ["random", "planner"]}, "bots random, random, not random, planner"),
        ({"bots": ["random"] * 3}, "bots random, random, not random, random, random"),
        ({"players": 2, "bots": ["random", "planner"]}, "kind 'simulation', not 'tournament'"),
        ({"seed": 2}, "seed 1, not 2"),
        ({"seed": "1"}, "seed 1, not '1'"),
    ],
)
def test_results_of_another_simulation_are_refused(
    tmp_path: Path, changed: dict[str, object], message: str, whole: Any
) -> None:
    kept(tmp_path, 3)
    with pytest.raises(ttr.InvalidInputError, match=message):
        other(tmp_path, **changed)
    assert kept(tmp_path) == [3, 4, 5, 6, 7, 8, 9]
    assert rows(read_results(tmp_path)) == whole


def test_results_under_other_options_are_refused(tmp_path: Path) -> None:
    other(tmp_path, stack="europe", games=1)
    with pytest.raises(ttr.InvalidInputError, match="rules '.*', not '"):
        other(tmp_path, stack="europe:tie_break=P6", games=1)


def test_results_of_another_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(tmp_path, 1)
    monkeypatch.setattr(module, "__version__", "99.0")
    with pytest.raises(ttr.InvalidInputError, match=r"version '.*', not '99\.0'"):
        kept(tmp_path)


def test_a_folder_or_a_file_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ttr.InvalidInputError, match="holds other files: name a new folder"):
        kept(tmp_path)
    with pytest.raises(ttr.InvalidInputError, match=r"notes\.txt is a file: results are kept in a folder"):
        kept(tmp_path / "notes.txt")
    with pytest.raises(ttr.InvalidInputError, match="no results of a simulation"):
        read_results(tmp_path)
    (tmp_path / "seats").mkdir()
    (tmp_path / "seats" / "games-1-2.parquet").write_text("mine too")
    with pytest.raises(ttr.InvalidInputError, match=r"games-1-2\.parquet: not a file of results"):
        kept(tmp_path)
    pl.DataFrame({"game": [1]}).write_parquet(tmp_path / "seats" / "games-1-2.parquet")
    with pytest.raises(ttr.InvalidInputError, match=r"games-1-2\.parquet: not a file of results"):
        kept(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
