"""What a seat can be asked. A game is over exactly when nobody is asked anything."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost


@frozen
class Decision:
    """Something that one seat has to decide now. Plugins add their own.

    What is asked is the seat's own affair unless the class says `public = True`.
    """

    #: Whether everybody may see all fields; otherwise the others see a `HiddenDecision`.
    public: ClassVar[bool] = False

    #: How people are asked, with the decision's fields in braces: "Which dice do you roll again? They show {faces}."
    message: ClassVar[str | None] = None

    #: Whether what other seats do meanwhile cannot matter to the answer, as where all choose at once: see `Game.moment`.
    concurrent: ClassVar[bool] = False

    seat: int

    def seen_by(self, seat: int | None) -> Decision:
        """The decision as `seat` may see it; None is a spectator."""
        return self if self.public or seat == self.seat else HiddenDecision(self.seat, type(self).__name__)


@frozen
class HiddenDecision(Decision):
    """A decision of another seat: all that is told is its `kind`, the name of its class.

    `count` is how many tickets it is about, where it is about tickets: that is public.
    """

    public = True

    kind: str
    count: int | None = None


@frozen
class TicketSetup(Decision):
    """Which of the tickets dealt at set-up to keep; all seats are asked at once (S7).

    `stage` counts the rounds of dealing from 0: most games have one. The tickets are the seat's secret.
    """

    concurrent = True

    tickets: tuple[str, ...]
    stage: int = 0

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


@frozen
class Turn(Decision):
    """Exactly one action (S8)."""

    public = True


@frozen
class TicketChoice(Decision):
    """Which of the tickets just drawn to keep (K1). The tickets are the seat's secret."""

    tickets: tuple[str, ...]

    def seen_by(self, seat: int | None) -> Decision:
        return self if seat == self.seat else HiddenDecision(self.seat, type(self).__name__, len(self.tickets))


@frozen
class TicketMix(Decision):
    """How many tickets to draw from each of several piles, `count` in all (M2); `stage` is None but at set-up."""

    public = True
    concurrent = True
    message = "You draw {count} tickets. How many from each pile?"

    count: int
    stage: int | None = None


@frozen
class TunnelDue(Decision):
    """Pay the extra cost of a tunnel, or abandon it (T2, T4). All of it lies on the table.

    `laid` is the payment already on the table, `revealed` what was turned up against it, `extra` what that costs.
    """

    public = True

    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost
