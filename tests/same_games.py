"""Digests of random games, a line for every official stack: equal wherever the same rules are played.

`python tests/same_games.py 100 > games.txt`. The session `compiled` compares the lines of the compiled build with those
of the source; with `--compiled` or `--pure` it is an error if the library is another build.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from random import Random

from stacks import official_stacks

import ttr_rules as ttr
from ttr_rules.engine import action_numbers

#: One game in so many is also played by actions, with all its events.
BY_ACTIONS = 10


def played(rules: ttr.Rules, players: int, seed: int) -> str:
    """A game by actions, as text: every action with its place among the legal ones, every event, the score."""
    game, random, text = ttr.new_game(rules=rules, players=players, seed=seed), Random(seed).random, []
    numbers, state = action_numbers(rules), game.state
    while not game.is_over:
        seat = game.to_act[0]
        legal = game.legal_actions(seat)
        index = int(random() * len(legal))
        numbers.perform(state, seat, numbers.nth(state, seat, index))
        text.append(f"{index} of {len(legal)}: {legal[index]!r}: {tuple(game.play(legal[index]))!r}")
        assert state == game.state
    return "\n".join([*text, repr(game.final_scores)])


def digest(stack: tuple[str, ...], games: int) -> str:
    """The digest of some games of a stack, with all numbers of players in turn."""
    rules, found = ttr.compile_rules(*stack), sha256()
    least, most = rules.components.min_players, rules.components.max_players
    for seed in range(games):
        players = least + seed % (most - least + 1)
        found.update(json.dumps(ttr.playout(rules, players, seed).to_json(), sort_keys=True).encode())
        if seed % BY_ACTIONS == 0:
            found.update(played(rules, players, seed).encode())
    return found.hexdigest()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Digests of random games, a line for every official stack.")
    parser.add_argument("games", type=int, help="how many games of each stack")
    build = parser.add_mutually_exclusive_group()
    build.add_argument("--compiled", dest="build", action="store_const", const=True, help="fail on the pure build")
    build.add_argument("--pure", dest="build", action="store_const", const=False, help="fail on the compiled build")
    given = parser.parse_args(arguments)
    if given.build not in (None, ttr.compiled):
        sys.exit(f"{ttr.__file__} is the {'compiled' if ttr.compiled else 'pure'} build")
    games = given.games
    for stack in sorted({each.stack for each in official_stacks() if each.problem is None}):
        print(digest(stack, games), games, "games of", " + ".join(stack), flush=True)


if __name__ == "__main__":
    main()
