"""Trains a policy that beats the random bot on New York: a policy gradient in NumPy, about half a minute on one core.

`python train_a_policy.py --games 1500 --seed 1` prints how it does while it learns, then how often it wins games that it has not
seen. The policy gives each action a score that is linear in what the seat sees; it chooses a legal one by softmax.
The same seed gives the same result on the same machine.
"""

from __future__ import annotations

import argparse
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ttr_tools.learning import SeatEnv

Numbers: TypeAlias = NDArray[np.float32]
Step: TypeAlias = tuple[Numbers, NDArray[np.intp], Numbers, int]

STACK = "new-york"
BATCH = 20  # games from one update to the next
RATE = 0.02  # how far an update goes
TEST_GAMES = 200


class Policy:
    """A linear softmax policy over the legal actions."""

    def __init__(self, inputs: int, actions: int, seed: int) -> None:
        self.weights: Numbers = np.zeros((actions, inputs + 1), dtype=np.float32)
        self.moments = [np.zeros_like(self.weights), np.zeros_like(self.weights)]  # of Adam
        self.updates = 0
        self.random = np.random.default_rng(seed)

    def step(self, observation: Numbers, mask: NDArray[np.int8]) -> Step:
        """Choose a legal action: what was seen, the legal actions, their probabilities, which of them was chosen."""
        seen = np.append(observation, np.float32(1))
        legal = np.flatnonzero(mask)
        scores = self.weights[legal] @ seen
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        place = int(np.searchsorted(np.cumsum(chances), self.random.random() * chances.sum()))
        return seen, legal, chances, min(place, len(legal) - 1)

    def learn(self, games: list[tuple[list[Step], float]]) -> None:
        """Make the actions of games with good rewards more likely, and those of the others less (REINFORCE with Adam)."""
        rewards = np.array([reward for _, reward in games])
        gradient = np.zeros_like(self.weights)
        for (steps, _), gain in zip(games, (rewards - rewards.mean()) / (rewards.std() + 1e-6), strict=True):
            for seen, legal, chances, place in steps:
                change = -chances
                change[place] += 1
                gradient[legal] += np.outer(change * np.float32(gain), seen)
        gradient /= sum(len(steps) for steps, _ in games)
        self.updates += 1
        first, second = self.moments
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient**2 - second)
        late = np.sqrt(second / (1 - 0.999**self.updates)) + 1e-8
        self.weights += RATE * (first / (1 - 0.9**self.updates)) / late


def play(env: SeatEnv, policy: Policy, seed: int | None = None) -> tuple[list[Step], float]:
    """Play a game: the steps of the policy, and the reward."""
    observation, info = env.reset(seed=seed)
    steps: list[Step] = []
    while True:
        step = policy.step(observation, info["action_mask"])
        steps.append(step)
        observation, reward, terminated, truncated, info = env.step(int(step[1][step[3]]))
        if terminated or truncated:
            return steps, reward


def train(games: int, seed: int) -> Policy:
    """A policy that has learned from so many games, rewarded by its lead."""
    env = SeatEnv(STACK, opponents="random", reward="lead")
    policy = Policy(env.table.encoder.size, env.table.choices.size, seed)
    env.reset(seed=seed)
    for batch in range(games // BATCH):
        played = [play(env, policy) for _ in range(BATCH)]
        policy.learn(played)
        if batch % 10 == 9:
            lead = 100 * np.mean([reward for _, reward in played])
            print(f"{(batch + 1) * BATCH} games: {lead:+.0f} points ahead of the random bot")
    return policy


def win_rate(policy: Policy, games: int, seed: int) -> float:
    """How many of so many new games the policy wins; a shared victory is half of one."""
    env = SeatEnv(STACK, opponents="random", reward="win")
    env.reset(seed=seed)
    return float(np.mean([(play(env, policy)[1] + 1) / 2 for _ in range(games)]))


def main() -> None:
    """Train and test."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=1500)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    policy = train(given.games, given.seed)
    rate = win_rate(policy, TEST_GAMES, seed=given.seed + 1_000_000)
    print(f"wins {rate:.0%} of {TEST_GAMES} new games against the random bot")


if __name__ == "__main__":
    main()
