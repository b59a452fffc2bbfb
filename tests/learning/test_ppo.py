"""The training script that uses a library, as its reader runs it, with the library; the session `ppo` of nox installs that."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from loading import module_at

from ttr_tools.learning import SeatEnv

#: The session `ppo` says so, that nothing is skipped there.
if os.environ.get("TTR_PPO") != "required":
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")

SCRIPT = Path(__file__).parents[2] / "docs" / "how-to" / "train_with_ppo.py"


@pytest.fixture(scope="module")
def training() -> ModuleType:
    module = module_at(SCRIPT)
    module.torch.set_num_threads(1)
    return module


@pytest.mark.slow
def test_a_policy_learns_to_beat_the_random_bot() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", SCRIPT, "--steps", "12288", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    won = re.search(r"^wins (\d+) of 200 new games against the random bot$", done.stdout, re.MULTILINE)
    assert won is not None and int(won[1]) >= 170, done.stdout


def test_what_has_not_learned_does_not_beat_it(training: ModuleType) -> None:
    """What a network prefers before it has learned wins a third of its games or four fifths, depending on its seed: so several."""
    won = [training.games_won(training.train(steps=0, seed=seed), games=10, seed=3) for seed in range(8)]
    assert sum(won) < 60, won


@pytest.mark.parametrize("stack", [("new-york",), ("europe", "dice")], ids="+".join)
def test_the_library_finds_nothing_wrong(stack: tuple[str, ...]) -> None:
    """It warns of spaces, types and methods that it cannot use."""
    checker: Any = importlib.import_module("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(SeatEnv(*stack))


def test_the_library_reads_the_masks(training: ModuleType) -> None:
    """They come through its wrappers, table by table; so what a policy chooses is legal, also before it has learned anything."""
    masks: Any = importlib.import_module("sb3_contrib.common.maskable.utils")
    model = training.new_model(seed=1)
    tables = model.get_env()
    assert masks.is_masking_supported(tables)
    seen = tables.reset()
    infos = tables.reset_infos
    for _ in range(100):
        legal = masks.get_action_masks(tables)
        assert np.array_equal(legal, [info["action_mask"] for info in infos])
        chosen, _ = model.predict(seen, action_masks=legal)
        seen, _, over, infos = tables.step(chosen)
        assert not any("illegal" in info for info in infos)
        infos = [fresh if ended else info for fresh, ended, info in zip(tables.reset_infos, over, infos, strict=True)]


def test_a_seed_gives_the_same_policy(training: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "REPORT", 1024)
    one, two, other = (training.train(1024, seed).policy.state_dict() for seed in (2, 2, 3))
    assert all(one[name].equal(two[name]) for name in one)
    assert not all(one[name].equal(other[name]) for name in one)
