"""Steps a second of the environments for reinforcement learning, beside the classic games of PettingZoo.

    pip install -e '.[learning]' 'pettingzoo[classic]'
    python tests/bench/environments.py --steps 3000

A step is `last`, a random legal action, and `step`, as PettingZoo's own measurement has it.
Games of libraries that are not installed are named.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

STACKS = (("london",), ("north-america",), ("europe",), ("europe", "dice"), ("nordic-countries",))
CLASSIC = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5", "go_v5", "chess_v6")


def pettingzoo_steps(make: Callable[[], Any], steps: int) -> float:
    """Steps a second of a PettingZoo environment, in CPU time."""
    game, random, done = make(), np.random.default_rng(1), 0
    game.reset(seed=1)
    start = process_time()
    while done < steps:
        for _ in game.agent_iter():
            seen, _, termination, truncation, info = game.last()
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            over = termination or truncation
            game.step(None if over else int(random.choice(np.flatnonzero(mask))))
            done += not over
            if done >= steps:
                break
        else:
            game.reset()
    return steps / (process_time() - start)


def measure(name: str, rate: Callable[..., float], *given: Any) -> None:
    """Print the steps a second of a game, or why they are not measured."""
    try:
        print(f"{name:40} {rate(*given):10,.0f}", flush=True)
    except ImportError as error:
        print(f"{name:40} not measured: {error}")


def ours(stack: tuple[str, ...], steps: int) -> float:
    """Steps a second of a stack."""
    from ttr_tools.learning import env

    return pettingzoo_steps(partial(env, *stack), steps)


def classic(name: str, steps: int) -> float:
    """Steps a second of one of PettingZoo's classic games."""
    return pettingzoo_steps(import_module(f"pettingzoo.classic.{name}").env, steps)


def main() -> None:
    """Measure all."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=3000)
    steps = options.parse_args().steps
    for stack in STACKS:
        measure(" + ".join(stack), ours, stack, steps)
    for name in CLASSIC:
        measure(f"pettingzoo {name}", classic, name, steps)


if __name__ == "__main__":
    main()
