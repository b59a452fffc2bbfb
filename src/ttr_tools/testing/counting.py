"""Perft: the number of ways a game can continue, counted to a depth; the classic test of a move generator."""

from __future__ import annotations

from ttr_rules import Rules, State
from ttr_rules.engine import advance, check_tickets, offers, player_names, set_up
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import Action, SeededChance
from ttr_rules.plugins import Transaction
from ttr_rules.text import brief

#: The greatest depth: even with only two actions each time there are 10**9 sequences.
DEEPEST = 30


def start_state(rules: Rules, players: int, seed: int | str = 1) -> State:
    """The state after the set-up of a seeded game.

    >>> from ttr_rules import compile_rules
    >>> start_state(compile_rules("europe"), players=2)
    <State of europe: scores [0, 0], pending TicketSetup of seat 0, TicketSetup of seat 1>
    """
    names = player_names(players, rules)
    check_tickets(rules, players)
    state = State(rules, players, SeededChance(seed))
    set_up(Transaction(state), names, None)
    return state


def perft(rules: Rules, players: int, depth: int, seed: int | str = 1) -> int:
    """The number of sequences of `depth` legal actions from the set-up of a seeded game.

    Seats that decide simultaneously (S7) act in order. As chance is a function of the seed and the number
    of the call, the number is exact. A game that ends earlier counts once.

    >>> from ttr_rules import compile_rules
    >>> perft(compile_rules("europe"), players=2, depth=2)  # 2 or more of 4 tickets each: 11 ways
    121
    """
    return count(start_state(rules, players, seed), depth)


def count(state: State, depth: int) -> int:
    """The number of sequences of `depth` legal actions from a state."""
    if not 0 <= depth <= DEEPEST:
        raise InvalidInputError(f"a depth is from 0 to {DEEPEST}, not {brief(depth)}")
    if depth == 0 or not state.pending:
        return 1
    choices = offers(state, state.pending[0])
    if depth == 1:
        return len(choices)
    total = 0
    for action in choices:
        after = state.copy()
        advance(after, action)
        total += count(after, depth - 1)
    return total


def divide(state: State, depth: int) -> dict[Action, int]:
    """The same for each first action separately: if a number is wrong, this shows in which branch.

    >>> from ttr_rules import compile_rules
    >>> list(divide(start_state(compile_rules("europe"), 2), 2).values())
    [11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11]
    """
    if not 1 <= depth <= DEEPEST:
        raise InvalidInputError(f"a depth to divide is from 1 to {DEEPEST}, not {brief(depth)}")
    found: dict[Action, int] = {}
    for action in offers(state, state.pending[0]) if state.pending else ():
        after = state.copy()
        advance(after, action)
        found[action] = count(after, depth - 1)
    return found
