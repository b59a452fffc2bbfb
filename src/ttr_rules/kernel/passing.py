"""Passing as the answer to a decision that a plugin or an economy opens."""

from __future__ import annotations

from typing import TypeVar

from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import SingleActionRule
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.decisions import Decision, Pass, Question

D = TypeVar("D", bound=Decision)


class PassRule(SingleActionRule[D, Pass]):
    """Do nothing about a decision: by default always legal; the game goes on.

    A subclass sets `on`, the type of the decision, and overrides `refusal` if an answer may be compulsory, or `perform`
    if something else follows.

    >>> from ttr_rules import Decision
    >>> class Toast(Decision):
    ...     public = True
    >>> class NoToast(PassRule[Toast]):
    ...     on = Toast
    >>> from ttr_rules import new_game
    >>> NoToast().offers(new_game("europe", players=2, seed=1).state, Toast(0))
    (Pass(seat=0),)
    """

    action = Pass

    def refusal(self, state: State, decision: D, action: Pass) -> Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: D, action: Pass) -> Question | None:
        return ()
