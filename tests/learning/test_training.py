"""The training script of the docs, as its reader runs it; the session `learning` of nox runs it, as it takes a while."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from loading import module_at

SCRIPT = Path(__file__).parents[2] / "docs" / "how-to" / "train_a_policy.py"


@pytest.mark.slow
def test_a_policy_learns_to_beat_the_random_bot() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--games", "600", "--seed", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    won = re.search(r"^wins (\d+)% of 200 new games against the random bot$", done.stdout, re.MULTILINE)
    assert won is not None and int(won[1]) >= 75, done.stdout


def test_what_has_not_learned_does_not_beat_it() -> None:
    training = module_at(SCRIPT)
    assert training.win_rate(training.train(games=0, seed=1), games=60, seed=3) < 0.7


def test_a_seed_gives_the_same_policy(capsys: object) -> None:
    training = module_at(SCRIPT)
    one, two = (training.train(games=40, seed=2).weights for _ in range(2))
    assert np.abs(one).max() > 0 and np.array_equal(one, two)
    assert not np.array_equal(one, training.train(games=40, seed=3).weights)
