"""What the engine looks up at every step of a game, in one place: found once, when a stack is compiled."""

from __future__ import annotations

from typing import Any

from ttr_rules.model.network import Network


class Course:
    """The hooks of a turn, the turns themselves, and what answers each decision.

    `offering` holds an `offering.Offering` for every type of decision. The economy's `opening` and `closing` of a turn are
    None where it does nothing then.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.offering: dict[Any, Any] = {}
        self.opening: Any = None
        self.closing: Any = None
        self.turn_begins: tuple[Any, ...] = ()
        self.turn_ends: tuple[Any, ...] = ()
        self.turns: tuple[Any, ...] = ()
        self.after_claims: tuple[Any, ...] = ()
        self.claim_conditions: tuple[Any, ...] = ()
        self.cost_changes: tuple[Any, ...] = ()
        self.last_round_at = 0
        #: The pile that tickets are drawn from in play, and the others if there are several.
        self.ticket_pile = ""
        self.more_ticket_piles: tuple[str, ...] = ()
