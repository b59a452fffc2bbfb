"""The benchmarks run and measure what they say; nothing here depends on how fast the machine is."""

from __future__ import annotations

import pytest

pytest.importorskip("click")

from click.testing import CliRunner

from ttr_rules.bench import tables
from ttr_rules.bench.games import GAMES
from ttr_rules.bench.kernel import run_kernel
from ttr_rules.bench.operations import operations
from ttr_rules.bench.positions import Position, slow_positions
from ttr_rules.cli import commands

POSITIONS = slow_positions()


def test_one_command_prints_every_line_with_its_goal() -> None:
    result = CliRunner().invoke(commands, ["bench", "--quick"])
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    for name in [each.name for each in (*GAMES, *operations())]:
        (line,) = [line for line in lines if line.startswith(f"  {name}  ")]
        assert "s" in line.removeprefix(f"  {name}")
    for goal in ("80 ms", "60 ms", "6 kB", "1000 MB", "1.88", "0.69"):
        assert any(line.endswith(goal) for line in lines), goal


def test_the_kernel_is_the_one_that_goals_were_set_by() -> None:
    assert run_kernel() == 11019


def test_a_goal_that_is_missed_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [("fast", "1 ms", "2 ms", True), ("slow", "3 ms", "2 ms", False), ("free", "3 ms", "", None)]
    for part in ("game_lines", "operation_lines", "process_lines", "memory_lines"):
        monkeypatch.setattr(tables, part, lambda quick, part=part: lines if part == "game_lines" else [])
    output = CliRunner().invoke(commands, ["bench"]).output
    assert [line.split()[0] for line in output.splitlines() if line.endswith("missed")] == ["slow"]


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
        assert list(state.stations.values()) == [0, 0, 0]
    if position.what == "payments" and "dice" not in rules.stack:
        assert state.hands[0].total == 40
        assert all(count <= rules.economy.cards[card] for card, count in state.hands[0].items())


def test_every_kind_of_slow_position_is_there() -> None:
    assert {each.what for each in POSITIONS} == {"longest path", "stations", "payments"}
    assert any(each.ferry for each in POSITIONS)
    assert any("dice" in each.table["stack"] for each in POSITIONS)
