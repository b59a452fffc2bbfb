"""Playing by numbers: legal actions are counted, picked and performed without being created."""

from __future__ import annotations

from collections.abc import Callable

from ttr_rules.kernel.offering import Offering
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn, follow_up
from ttr_rules.model.decisions import Decision


def play_on(tx: Transaction, random: Callable[[], float]) -> None:
    """Play uniformly random legal actions to the end of the game. At set-up, seats choose in order."""
    state = tx.state
    while state.pending:
        step(tx, state.pending[0], random())


def step(tx: Transaction, decision: Decision, fraction: float) -> None:
    """Play the legal action that lies at a fraction, from 0 to below 1, of the way through all of them.

    As ordered by `offers`. No action is created where its rule can do without.
    """
    state = tx.state
    offering: Offering = tx.course.offering[type(decision)]
    rules = offering.rules
    counts: list[int] = []
    total = 0
    for rule in rules:
        count = rule.count(state, decision)
        counts.append(count)
        total += count
    if (not total or offering.free) and offering.must_pass(counts, decision):
        total += 1
        index = int(fraction * total) - 1  # R4: passing comes before the free actions
        if index < 0:
            end_turn(tx, decision.seat, passed=True)
            return
    else:
        index = int(fraction * total)
    which = 0
    while index >= counts[which]:
        index -= counts[which]
        which += 1
    perform_code(tx, offering, which, decision, rules[which].nth(state, decision, index))


def perform_code(tx: Transaction, offering: Offering, which: int, decision: Decision, code: int) -> None:
    """Perform the action that a code of one of the rules stands for. It is created only for follow-ups."""
    rule = offering.rules[which]
    following = offering.follow_ups[which]
    if following:
        action = rule.action_of(tx.state, decision, code)
        tx.performing = type(action)
        tx.following = tuple([(each, action) for each in following])
        rule.perform(tx, decision, action)
        follow_up(tx)
    else:
        rule.perform_code(tx, decision, code)
