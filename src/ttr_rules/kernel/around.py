"""What a plugin does about actions of others: refuse them, ask something before them, or follow them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.decisions import Action, Question

A = TypeVar("A", bound=Action)


class Around:
    """What a plugin does about actions of a type; with another economy also about those that replace it (`Action.instead_of`).

    `refuse(state, action)` says why such an action may not be taken now; for claims there is the hook `claim_refusal`,
    which need not read every payment. What `before(tx, action)` returns is asked first; then the action goes on, or its
    seat decides again if it is no longer legal. `after(tx, action)` follows the action, before the turn ends if that ends
    it.

    A plugin gives it with the hook `around`.

    >>> import ttr_rules as ttr
    >>> def not_at_the_start(state, action):
    ...     return Refusal("X2", "no tickets in the first round") if state.turn_number <= state.players else None
    >>> around = Around(ttr.DrawTickets, refuse=not_at_the_start)
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> print(around.refuse(game.state, ttr.DrawTickets(0)))
    [X2] no tickets in the first round
    """

    # Not generic: in `Iterable[Around[Any]]` checkers would take `Any` for the action.
    __slots__ = ("action", "after", "before", "refuse")

    action: type[Action]
    refuse: Callable[[State, Any], Refusal | None] | None
    before: Callable[[Transaction, Any], Question | None] | None
    after: Callable[[Transaction, Any], None] | None

    def __init__(
        self,
        action: type[A],
        *,
        refuse: Callable[[State, A], Refusal | None] | None = None,
        before: Callable[[Transaction, A], Question | None] | None = None,
        after: Callable[[Transaction, A], None] | None = None,
    ) -> None:
        self.action = action
        self.refuse = refuse
        self.before = before
        self.after = after

    def __repr__(self) -> str:
        does = [name for name in ("refuse", "before", "after") if getattr(self, name) is not None]
        return f"<Around {self.action.__name__}: {', '.join(does) or 'nothing'}>"
