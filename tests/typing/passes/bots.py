"""Players of one's own: anything with a method `choose` may sit beside a `Bot`."""

from __future__ import annotations

from collections.abc import Sequence

import ttr_rules as ttr
from ttr_tools.bots import Bot, play_game


class Hasty:
    """Claims what it can, else draws: it derives from nothing."""

    def choose(self, view: ttr.View, rules: ttr.Rules, actions: Sequence[ttr.Action]) -> ttr.Action:
        hand = ttr.cards(view).hand or ttr.Counts()
        claims = [action for action in actions if isinstance(action, ttr.ClaimRoute)]
        if claims and hand.total > 8:
            return max(claims, key=lambda claim: rules.board.routes[claim.route].length)
        return actions[0]


class Timid:
    """Takes the last choice, and calls its arguments what it likes."""

    def choose(self, seen: ttr.View, by: ttr.Rules, offered: Sequence[ttr.Action]) -> ttr.Action:
        return offered[-1]


def played(seed: int) -> tuple[str, ...]:
    """Who won."""
    game = ttr.new_game("europe", players=3, seed=seed)
    play_game(game, [Hasty(), Bot(seed=1), Timid()])
    assert game.final_scores is not None
    return game.final_scores.winners
