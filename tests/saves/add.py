"""Writes games to keep, one of every official stack, in the form of today: run it when the form of saved games is new.

Files that are there are never written again: every form that there was must be read for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from stacks import official_stacks

import ttr_rules as ttr
from ttr_rules.saves.saving import FORMAT

FOLDER = Path(__file__).parent / f"format-{FORMAT}"
ACTIONS = 40


def played(rules: ttr.Rules, actions: int) -> ttr.Game:
    """A game in play, drawn by a sequence as simple as can be."""
    game = ttr.new_game(rules=rules, players=rules.components.min_players, seed=1912)
    number = 1
    while game.to_act and len(game.moves) <= actions:
        choices = game.legal_actions(game.to_act[number % len(game.to_act)])
        number = (number * 48271) % 2147483647
        game.play(choices[number % len(choices)])
    return game


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in official_stacks():
        path = FOLDER / f"{'+'.join(each.stack)}.json"
        if each.problem is None and not path.exists():
            path.write_text(ttr.dumps(played(ttr.compile_rules(*each.stack), ACTIONS)) + "\n", encoding="utf-8")
            print("written:", path)
