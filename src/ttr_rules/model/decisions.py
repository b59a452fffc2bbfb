"""Decisions that a seat can have to make. A game is over if and only if none is pending."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost


@frozen
class Decision:
    """Something that a seat has to decide now. Plugins add their own.

    Its fields are visible to that seat only, unless the class sets `public = True`.
    """

    #: Whether all players may see all fields; otherwise the others see a `HiddenDecision`.
    public: ClassVar[bool] = False

    #: The prompt for people, with the decision's fields in braces: "Which dice do you roll again? They show {faces}."
    message: ClassVar[str | None] = None

    #: Whether actions of other seats cannot affect the answer, as when all choose simultaneously: see `Game.moment`.
    concurrent: ClassVar[bool] = False

    seat: int

    def seen_by(self, seat: int | None) -> Decision:
        """The decision as `seat` may see it; None is a spectator."""
        return self if self.public or seat == self.seat else HiddenDecision(self.seat, type(self).__name__)


@frozen
class HiddenDecision(Decision):
    """A decision of another seat: it shows only the `kind`, the name of its class.

    `count` is how many tickets it is about, if it is about tickets: the number is public.
    """

    public = True

    kind: str
    count: int | None = None


@frozen
class TicketSetup(Decision):
    """Which of the tickets dealt at set-up to keep; all seats decide simultaneously (S7).

    `stage` counts the rounds of dealing from 0: most games have one. The tickets are secret to the seat.
    """

    concurrent = True

    tickets: tuple[str, ...]
    stage: int = 0

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


@frozen
class Turn(Decision):
    """Take exactly one action (S8)."""

    public = True


@frozen
class TicketChoice(Decision):
    """Which of the tickets just drawn to keep (K1). The tickets are secret to the seat."""

    tickets: tuple[str, ...]

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


@frozen
class TicketMix(Decision):
    """How many tickets to draw from each of several piles, `count` in all; `stage` is None except at set-up."""

    public = True
    concurrent = True
    message = "You draw {count} tickets. How many from each pile?"

    count: int
    stage: int | None = None


@frozen
class TunnelDue(Decision):
    """Pay the extra cost of a tunnel, or abandon it (T4). All of this is public.

    `laid` is the payment already on the table, `revealed` the cards turned up for the tunnel, `extra` the resulting
    extra cost.
    """

    public = True

    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost
