"""Steps a second of the environments for reinforcement learning, beside the classic games of PettingZoo and OpenSpiel.

    pip install -e '.[learning,openspiel]' 'pettingzoo[classic]'
    python tests/bench/environments.py --steps 3000

A step is `last`, a random legal action, and `step`, as PettingZoo's own measurement has it, or what OpenSpiel asks for the
same. Games of libraries that are not installed are named.
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
SPIEL = (
    "ttr_rules(stack=europe)",
    "python_tic_tac_toe",
    "python_block_dominoes",
    "tic_tac_toe",
    "leduc_poker",
    "chess",
)


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


def spiel_steps(name: str, steps: int) -> float:
    """Steps a second of an OpenSpiel game, with the tensor that the player sees, in CPU time."""
    import pyspiel

    if name.startswith("ttr_rules"):
        import_module("ttr_tools.learning.spiel")
    elif name.startswith("python_"):
        import_module(f"open_spiel.python.games.{name.removeprefix('python_')}")
    game, random, done = pyspiel.load_game(name), np.random.default_rng(1), 0
    start = process_time()
    while done < steps:
        state = game.new_initial_state()
        while not state.is_terminal() and done < steps:
            if not state.is_chance_node():
                if game.get_type().provides_observation_tensor:
                    state.observation_tensor()
                done += 1
            state.apply_action(int(random.choice(state.legal_actions())))
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
    for name in SPIEL:
        measure(f"openspiel {name}", spiel_steps, name, steps)


if __name__ == "__main__":
    main()
