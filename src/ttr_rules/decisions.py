"""What a seat can be asked. A game is over exactly when nobody is asked anything."""

from __future__ import annotations

from attrs import frozen

from .cards import Counts
from .economy import Cost


@frozen
class Decision:
    """Something that one seat has to decide now. Plugins add their own."""

    seat: int


@frozen
class TicketSetup(Decision):
    """Which of the tickets dealt at set-up to keep; all seats are asked at once (S7).

    `stage` counts the rounds of dealing from 0: most games have one. The tickets are the seat's secret.
    """

    tickets: tuple[str, ...]
    stage: int = 0


@frozen
class Turn(Decision):
    """Exactly one action (S8)."""


@frozen
class SecondCard(Decision):
    """The second train card of the turn (D1)."""


@frozen
class TicketChoice(Decision):
    """Which of the tickets just drawn to keep (K1). The tickets are the seat's secret."""

    tickets: tuple[str, ...]


@frozen
class TicketMix(Decision):
    """How many tickets to draw from each of several piles, `count` in all (M2); `stage` is None but at set-up."""

    count: int
    stage: int | None = None


@frozen
class TunnelDue(Decision):
    """Pay the extra cost of a tunnel, or abandon it (T2, T4).

    `laid` is the payment already on the table, `revealed` what was turned up against it, `extra` what that costs.
    """

    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost
