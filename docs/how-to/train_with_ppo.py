"""Trains a policy that beats the random bot on New York with a library: MaskablePPO of sb3-contrib, about 20 seconds on one core.

`python train_with_ppo.py --steps 20000 --seed 1` prints how it does while it learns, then how many games it wins that it has not
seen. The same seed gives the same result on the same machine. It needs sb3-contrib, which brings Stable-Baselines3 and PyTorch.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv

from ttr_tools.learning import SeatEnv

STACK = "new-york"
TABLES = 16  # games at once, in this process: the network reads one observation of each at a time
REPORT = 4096  # steps from one line of progress to the next
TEST_GAMES = 200


def new_model(seed: int) -> MaskablePPO:
    """A policy that has learned nothing, at its tables: it is rewarded by its lead, from another seat in each game."""
    tables = make_vec_env(partial(SeatEnv, STACK, opponents="random", reward="lead"), TABLES)
    return MaskablePPO(
        "MlpPolicy",
        tables,
        learning_rate=1e-3,
        n_steps=64,  # at each table, from one update to the next
        batch_size=256,
        n_epochs=5,
        gamma=1.0,  # the reward comes at the end of a game, and is worth as much at its beginning
        ent_coef=0.01,
        device="cpu",
        seed=seed,
    )


def train(steps: int, seed: int) -> MaskablePPO:
    """A policy that has learned from so many steps."""
    model = new_model(seed)
    while model.num_timesteps < steps:
        model.learn(REPORT, reset_num_timesteps=False)
        lead = 100 * np.mean([game["r"] for game in model.ep_info_buffer or ()])
        print(f"{model.num_timesteps} steps: {lead:+.0f} points ahead of the random bot", flush=True)
    return model


def games_won(model: MaskablePPO, games: int, seed: int) -> int:
    """How many of so many new games the policy wins, every other one from the second seat, if it does what it thinks best."""
    tables = DummyVecEnv([partial(SeatEnv, STACK, seat=seat, opponents="random", reward="win") for seat in (0, 1)])
    tables.seed(seed)
    rewards, _ = evaluate_policy(model, tables, games, deterministic=True, return_episode_rewards=True, warn=False)
    return int(np.sum(np.asarray(rewards) == 1))  # 0 is a shared victory


def main() -> None:
    """Train and test."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    torch.set_num_threads(1)  # the network is so small that more threads only wait for each other
    model = train(given.steps, given.seed)
    won = games_won(model, TEST_GAMES, seed=given.seed + 1_000_000)
    print(f"wins {won} of {TEST_GAMES} new games against the random bot")


if __name__ == "__main__":
    main()
