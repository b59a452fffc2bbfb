"""Parts: the state of one mechanic or economy, kept by the plugin that brings it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

import attrs

from ttr_rules.kernel.fields import copier_of, seen, visible_fields
from ttr_rules.kernel.view import View
from ttr_rules.model.dealer import Dealer
from ttr_rules.model.decisions import Decision, HiddenDecision
from ttr_rules.model.unknown import Unknown


class Part:
    """The state of one mechanic or economy. A plugin keeps what it must remember in a part of its own.

    Declare it as an attrs class whose fields say who may see them:

    >>> from attrs import define
    >>> from ttr_rules.kernel.fields import public, secret_by_seat
    >>> @define(eq=False)
    ... class Depots(Part):
    ...     built: dict[str, int] = public(factory=dict)
    ...     cards: list[tuple[str, ...]] = secret_by_seat(factory=list)
    >>> depots = Depots({"wien": 0}, [("red",), ("blue", "blue")])
    >>> depots.seen_by(0)
    Depots(built={'wien': 0}, cards=[('red',), Unknown(count=2)])
    >>> depots.copy() == depots
    True

    A field that is declared neither public nor secret is never shown. Copying, comparing and showing follow from the
    declaration; a part that keeps its state in another form overrides these methods.
    """

    __slots__ = ()

    def copy(self) -> Self:
        """An independent copy, made often: it must be cheap."""
        kind: Any = type(self)
        copied: Self = copier_of(kind)(self)
        return copied

    def value(self) -> object:
        """What makes two parts equal, as a plain value."""
        kind: Any = type(self)
        return [getattr(self, each.name) for each in attrs.fields(kind)]

    def seen_by(self, seat: int | None) -> object | None:
        """What `seat` (None: a spectator) may see of it: a value of its own; None for nothing at all."""
        return seen(self, seat) if visible_fields(type(self)) else None

    def validate(self) -> str | None:
        """Why this part is one that no game can have; None, the default, if nothing speaks against it.

        Called when a saved game is loaded, whose events somebody may have edited.
        """
        return None

    def sample_hidden(self, view: View, dealer: Dealer) -> None:
        """Become, from the start of a game, what this part may be in a game that looks like `view`.

        What the view shows is taken over; what it hides is dealt by `dealer`, every way as likely as any other. See
        `determinize`. Parts without secrets need not override this. Raises `NotImplementedError` for one that has some.
        """
        name = type(self).__name__
        shown = next((each for each in view.parts.values() if type(each) is type(self)), view.parts.get(name))
        if shown is None:
            return
        if not isinstance(shown, type(self)):
            raise NotImplementedError
        copy = shown.copy()
        for name in visible_fields(type(self)):
            value: object = getattr(copy, name)
            entries = cast("list[object]", value) if isinstance(value, list) else [value]
            if any(isinstance(entry, Unknown) for entry in entries):
                raise NotImplementedError
            setattr(self, name, value)

    def share_hidden(self, parts: Mapping[type[Part], Any]) -> None:
        """Take over what another part dealt for this one, once all parts were sampled: see `ttr_rules.train_cards.CardStore`."""

    def sample_decision(self, hidden: HiddenDecision, view: View, dealer: Dealer) -> Decision | None:
        """The whole of another seat's pending decision of which `view` tells the kind, after `sample_hidden`; None if it is not this part's."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Part) and other.value() == self.value()

    __hash__ = None  # type: ignore[assignment]
