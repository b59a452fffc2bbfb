"""Fast games of uniformly random legal actions."""

from __future__ import annotations

from random import Random

from ttr_rules.kernel.engine import play_on
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.model.chance import SeededChance, checked_seed
from ttr_rules.play.starting import check_rules_are_compiled, check_tickets, player_names


def playout(rules: Rules, players: int, seed: int | str) -> FinalScores:
    """Play a game of random legal actions to its end and score it; no event objects are created.

    The actions come from a separate random stream. At set-up, seats choose in order. Raises `InvalidInputError` for
    invalid players, seeds or rules.

    >>> from ttr_rules import compile_rules
    >>> len(playout(compile_rules("europe"), 3, seed=1).players)
    3
    """
    check_rules_are_compiled(rules)
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    checked_seed(seed)
    state = State(rules, len(names), SeededChance(seed))
    tx = Transaction(state)
    set_up(tx, names, None)
    play_on(tx, Random(f"playout {seed!r}").random)  # the only method whose results Python guarantees not to change
    return final_scores(state, names)
