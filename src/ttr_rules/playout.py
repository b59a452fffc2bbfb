"""Whole games of uniformly random legal actions, the fast way."""

from __future__ import annotations

from random import Random

from .chance import SeededChance, checked_seed
from .engine import advance, offers
from .errors import InvalidInputError, brief
from .game import check_tickets, player_names, set_up
from .rules import Rules
from .scores import FinalScores
from .scoring import final_scores
from .state import State
from .transaction import Transaction


def playout(rules: Rules, players: int, seed: int | str) -> FinalScores:
    """Play a game of random legal actions to its end and score it; no events are made.

    The actions come from a stream of their own. Set-up is answered in the order of seats.

    >>> from ttr_rules import compile_rules
    >>> len(playout(compile_rules("europe"), 3, seed=1).players)
    3
    """
    if not isinstance(rules, Rules):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInputError(f"rules are needed, as compile_rules gives them, not {brief(rules)}")
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    checked_seed(seed)
    state = State(rules, len(names), SeededChance(seed))
    set_up(Transaction(state), names, None)
    random = Random(f"playout {seed!r}").random  # the one method that Python promises to keep
    while state.asked:
        choices = offers(state, state.asked[0])
        advance(state, choices[int(random() * len(choices))])
    return final_scores(state, names)
