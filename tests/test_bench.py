"""The benchmarks run and measure what they say; nothing here depends on how fast the machine is."""

from __future__ import annotations

import importlib
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from ttr_rules.actions import economy_of
from ttr_rules.train_cards import TrainCards

pytest.importorskip("click")

import ttr_bench.measure
from click.testing import CliRunner
from ttr_bench import tables
from ttr_bench.__main__ import bench
from ttr_bench.games import GAMES
from ttr_bench.kernel import KERNEL, run_kernel
from ttr_bench.measure import Measured, Prepared, measure
from ttr_bench.operations import operations
from ttr_bench.positions import Position, read, slow_positions, write

from ttr_rules import cards
from ttr_variants.europe.stations import Stations

POSITIONS = slow_positions()


@pytest.fixture
def no_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring without collecting garbage before each round: among all that a run of the tests keeps, that takes the most time."""
    monkeypatch.setattr(ttr_bench.measure, "gc", SimpleNamespace(collect=int))


@pytest.mark.pure  # compiled, some have other goals
@pytest.mark.slow
@pytest.mark.usefixtures("no_collection")
def test_one_command_prints_every_line_with_its_goal() -> None:
    result = CliRunner().invoke(bench, ["--quick"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert f"kernel {KERNEL}" in lines[0] and platform.python_version() in lines[0]
    assert max(map(len, lines)) <= 80
    for name in [*(each.name for each in GAMES), *(each.name for each in operations())]:
        (line,) = [line for line in lines if line.startswith(f"  {name}  ")]
        assert len(line.removeprefix(f"  {name}").split()) >= 2
    for goal in ("80 ms", "50 ms", "60 ms", "6 kB", "1000 MB", "40 C", "35 C", "75 C", "1.5 E"):
        assert any(line.endswith(goal) for line in lines), goal


def test_without_click_the_command_says_what_to_install() -> None:
    folder = Path(__file__).parent / "bench" / "ttr_bench"
    program = f"import sys, runpy; sys.modules['click'] = None; runpy.run_path({str(folder)!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "The benchmarks need the package click; install it with: pip install 'ttr-rules[cli]'\n"


def test_the_kernel_is_the_one_that_goals_were_set_by() -> None:
    """Whoever changes what it does counts KERNEL on, and writes the new sum here."""
    assert (KERNEL, run_kernel()) == (2, 11019)


def test_lines_fit_into_80_columns() -> None:
    for table in tables.tables():
        assert 2 + sum(table.widths) + len(" missed") <= 80
        assert len(table.columns) + 1 == len(table.widths)
    names = [[each.name for each in GAMES], [each.name for each in operations()]]
    for table, of_table in zip(tables.tables(), names, strict=False):
        assert max(map(len, of_table)) <= table.widths[0]


def test_a_goal_that_is_missed_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [("fast", ("1 ms", "2 ms"), True), ("slow", ("3 ms", "2 ms"), False), ("free", ("3 ms", ""), None)]
    table = tables.Table("Some", ("ours", "goal"), (10, 8, 8), lambda quick: iter(lines), ("A note.",))
    monkeypatch.setattr(tables, "tables", lambda: (table,))
    output = CliRunner().invoke(bench, []).output
    assert [line.split()[0] for line in output.splitlines() if line.endswith("missed")] == ["slow"]
    assert output.endswith("  A note.\n") and "median of 5 rounds" in output


def measured(seconds: float, beside: float = 0.0) -> Measured:
    return Measured(seconds, beside, seconds / beside if beside else 0.0, 0.25)


@pytest.mark.pure
def test_games_are_compared_with_the_c_program_or_with_europe_as_measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.005, 0.002, 0.003, 0.0045, 0.004, 0.0055, 0.006, 0.0075, 0.0076, 0.001, 0.010])
    monkeypatch.setattr(tables, "measure", lambda work, rounds, least, beside: measured(next(times), 0.004))
    found = list(tables.game_lines(quick=False))
    assert found[0] == ("playout: europe", ("200", "1.25", "25%", "50 C", "40 C"), False)
    assert [columns[-2:] for _, columns, _ in found[1:]] == [
        ("25.5 C", "35 C"), ("30 C", "75 C"), ("45 C", "48 C"), ("40 C", "48 C"), ("1.1 E", "1.3 E"), ("1.2 E", "1.5 E"), ("1.5 E", "1.5 E"), ("1.52 E", "1.5 E"), ("0.2 E", "1.5 E"),
        ("2 E", "1.5 E"),
    ]  # fmt: skip
    assert [met for _, _, met in found[1:]] == [True, True, True, True, True, True, True, False, True, False]


@pytest.mark.slow
def test_verified_loading_has_its_goal_on_top_of_the_game_that_is_measured_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measure(work: Prepared, rounds: int, least: float, beside: Prepared | None) -> Measured:
        return measured(0.016, 0.005 if beside else 0.0)

    monkeypatch.setattr(tables, "measure", measure)
    lines = {name: (columns[-1], met) for name, columns, met in tables.operation_lines(quick=False)}
    assert lines["loads(verify=True), finished game"] == ("15 ms", False)
    assert lines["loads, finished game"] == ("10 ms", False)


def test_a_new_process_has_the_byte_code_of_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    cached = "import os, json; assert os.path.exists(json.__cached__)"
    assert ttr_bench.measure.in_new_process("pass", cached, 1).seconds > 0


# -- the measuring, by a clock of its own ------------------------------------------------------------------------


class Clock:
    """A clock that goes on by what work takes, and shows only whole ticks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tick: float) -> None:
        self.now = tick * 0.9
        self.tick = tick
        monkeypatch.setattr(ttr_bench.measure, "process_time", self)

    def __call__(self) -> float:
        return self.now // self.tick * self.tick

    def work(self, seconds: float) -> Callable[[], None]:
        def run() -> None:
            self.now += seconds

        return run


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("least", [0.0, 0.2])
@pytest.mark.parametrize("seconds", [1e-4, 0.002, 0.05])
def test_a_clock_that_stands_still_for_long_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, seconds: float, least: float
) -> None:
    clock = Clock(monkeypatch, 1 / 64)
    found = measure((clock.work(seconds), 1), 2, least, beside=(clock.work(2 * seconds), 1))
    assert found.seconds > 0 and found.beside > 0 and found.ratio > 0
    if least:
        assert found.seconds == pytest.approx(seconds, rel=0.1)
        assert found.ratio == pytest.approx(0.5, rel=0.2)


@pytest.mark.usefixtures("no_collection")
def test_what_is_measured_is_the_time_of_a_unit_beside_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, 1e-9)
    found = measure((clock.work(0.03), 3), 4, 0.1, beside=(clock.work(0.04), 2))
    assert (found.seconds, found.beside, found.ratio) == pytest.approx((0.01, 0.02, 0.5))
    assert found.noise == pytest.approx(0, abs=1e-6)


def test_noise_is_how_far_the_rounds_lie_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    each = iter([0.0, 0.01, 0.012, 0.014])  # the first warms up

    def take(work: Prepared, least: float) -> float:
        return next(each)

    monkeypatch.setattr(ttr_bench.measure, "seconds_of", take)
    next(each)
    found = measure((lambda: None, 1), 3, 0.0)
    assert found.seconds == 0.012 and found.noise == pytest.approx(1 / 3)


# -- slow positions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: f"{each.what}: {each.title}")
def test_slow_positions_are_real(position: Position) -> None:
    """No more cars, stations or cards than a player can have."""
    state = position.game().state
    rules = state.rules
    used = sum(rules.network.lengths[route] for route in state.routes_of(0))
    assert used <= rules.components.cars
    if position.what == "longest path":
        assert used >= rules.components.cars - 5
    if position.what == "stations":
        assert list(state.part(Stations).built.values()) == [0, 0, 0]
    if position.what == "payments" and "dice" not in rules.stack:
        assert cards(state).hands[0].total == 40
        assert all(
            count <= economy_of(state.rules.economy, TrainCards).cards[card]
            for card, count in cards(state).hands[0].items()
        )


def test_every_kind_of_slow_position_is_there() -> None:
    assert {each.what for each in POSITIONS} == {"longest path", "stations", "payments"}
    assert any(each.ferry for each in POSITIONS)
    assert any("dice" in each.table["stack"] for each in POSITIONS)


def test_positions_are_read_as_they_were_written() -> None:
    assert read(write(POSITIONS)) == POSITIONS


# -- the search for them -----------------------------------------------------------------------------------------


@pytest.fixture
def search_slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "bench"))
    yield importlib.import_module("search_slow")
    for name in ("search_slow", "searches"):
        sys.modules.pop(name)


@pytest.mark.pure
def test_there_is_a_search_for_every_position_that_is_kept(search_slow: Any) -> None:
    assert search_slow.KEPT.is_file()
    searches = search_slow.all_searches()
    assert [(each.what, each.title) for each in POSITIONS] == [(each.what, each.title) for each in searches]
    for search, position in zip(searches, POSITIONS, strict=True):
        candidate = search.candidate(position)
        assert search.candidate(search.position(candidate)) == candidate
        assert search.cost(candidate) == search.cost(candidate) > 0
        assert search.position(candidate).game().state.routes_of(0) == position.game().state.routes_of(0)


@pytest.mark.pure
def test_costs_count_the_work(search_slow: Any) -> None:
    """More routes, tickets and cards cost more; a network that is no tangle costs nothing."""
    path, *_, dice = search_slow.all_searches()
    (europe,) = [each for each in POSITIONS if each.what == "longest path" and each.title == "europe"]
    routes = path.candidate(europe)
    assert path.cost(frozenset(sorted(routes)[:3])) == 0 < path.cost(routes)
    assert dice.cost(((2, 1, 0, 2), 3)) != dice.cost(((1, 1, 2, 1), 0))


@pytest.mark.parametrize("number", [0, 5, 8, 11], ids=["path", "stations", "payments", "dice"])
def test_what_is_found_depends_on_the_seed_alone_and_never_costs_less(search_slow: Any, number: int) -> None:
    search = search_slow.all_searches()[number]
    random = Random(7)
    start = search.start(random)
    for _ in range(20):
        start = search.change(start, random)
        search.position(start).game()  # `arrange` refuses what is unreal
    found = [search_slow.annealed(search, start, 5, Random(8)) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0][0] == search.cost(found[0][1]) >= search.cost(start)


def test_only_a_position_that_costs_more_replaces_the_kept_one(
    search_slow: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_slow, "seconds", lambda position: "some time")
    file = tmp_path / "kept.json"
    hand = search_slow.all_searches()[8]
    cheap = hand.position(
        {**dict.fromkeys(hand.candidate(POSITIONS[8]), 0), "red": 12, "blue": 12, "green": 12, "black": 4}
    )
    told: list[str] = []
    arguments = ["--steps", "3", "--seeds", "1", "--only", "payments: switzerland", "--file", str(file)]
    for before, stays in (([POSITIONS[0], cheap], False), (POSITIONS, True), ([], False)):
        file.write_text(write(before), encoding="utf-8")
        told.clear()
        search_slow.main(arguments, told.append)
        after = read(file.read_text(encoding="utf-8"))
        assert (after == before) == stays == told[-1].strip().startswith("stays")
        assert after[:-1] == before[:-1]
        assert stays or hand.cost(hand.candidate(after[-1])) > hand.cost(hand.candidate(cheap))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["foo"], "unrecognized"), (["--only", "foo"], "no search is called 'foo'"), (["--steps", "x"], "no whole number"),
        (["--seeds", "0"], "no whole number"), (["--help"], "usage"),
    ],
)  # fmt: skip
def test_the_search_explains_itself(search_slow: Any, arguments: list[str], word: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        search_slow.main(arguments)
    told = capsys.readouterr()
    assert word in told.out + told.err


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_comparison_with_no_commit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "bench"))
    compare = importlib.import_module("compare")
    sys.modules.pop("compare")
    with pytest.raises(SystemExit, match="nosuch is no commit"):
        compare.main("nosuch")
