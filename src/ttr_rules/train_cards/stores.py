"""Train cards that a plugin stores apart from hands and piles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from attrs import define

from ttr_rules.kernel.fields import secret_by_seat, visible_fields
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Dealer


@runtime_checkable
class DealsForStores(Protocol):
    """The part that deals the hidden cards of card stores, when a world is sampled: `reserved` has them by store."""

    reserved: dict[Any, list[Counts]]


@define(eq=False)
class CardStore(Part):
    """Train cards that a plugin stores apart from hands and piles, one lot per seat, hidden from the others.

    Derive a part from it: the economy takes its cards into account when it samples hidden information. Use
    `CardPiles.take` and `CardPiles.give` in the effects of events to move cards.

    >>> @define(eq=False)
    ... class Warehouses(CardStore):
    ...     pass
    >>> Warehouses([Counts(red=2), Counts(blue=1)]).seen_by(0)
    Warehouses(stored=[Counts(red=2), Unknown(count=1)])
    """

    stored: list[Counts] = secret_by_seat(factory=list)

    def known(self) -> list[Counts]:
        """The lots whose cards are visible in a seat's view."""
        return [lot for lot in self.stored if isinstance(lot, Counts)]

    def unknown(self) -> list[int]:
        """The sizes of the other lots, seat by seat."""
        lots: list[object] = list(self.stored)
        return [lot.count or 0 for lot in lots if isinstance(lot, Unknown)]

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        shown = next((each for each in view.parts.values() if type(each) is type(self)), None)
        if shown is not None:
            copied = shown.copy()
            for name in visible_fields(type(self)):
                setattr(self, name, getattr(copied, name))

    def share_hidden(self, parts: Mapping[type[Part], Any]) -> None:
        """Take over the hidden lots that the economy dealt from the unseen cards."""
        dealt: Iterator[Counts] = iter(())
        for part in parts.values():
            if isinstance(part, DealsForStores):
                dealt = iter(part.reserved.pop(type(self), ()))
        lots: list[object] = list(self.stored)
        self.stored = [lot if isinstance(lot, Counts) else next(dealt, Counts()) for lot in lots]
