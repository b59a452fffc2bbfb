"""What a seat can do. Every action names its seat; the rules refuse it or turn it into events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from attrs import field, frozen

from ttr_rules._internal.messages import brief
from ttr_rules.errors import InvalidInputError
from ttr_rules.model.cards import Counts


def to_counts(payment: Mapping[str, int]) -> Counts:
    """A payment given as any mapping. Raises `InvalidInputError` for anything else."""
    if isinstance(payment, Mapping):
        return Counts.of(payment)
    raise InvalidInputError(f"a payment reads like {{'red': 2, 'locomotive': 1}}, not {brief(payment)}")


def to_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids, sorted, because their order does not matter. Raises `InvalidInputError` for anything else."""
    if not isinstance(ids, str) and isinstance(ids, Iterable):
        found = tuple(ids)
        if all(isinstance(id, str) for id in found):
            return tuple(sorted(found))
    raise InvalidInputError(f"tickets are given as a list of ids, not {brief(ids)}")


@frozen
class Action:
    """Something that one seat does. Plugins add their own."""

    #: The menu text for this type of action: "Build a station".
    message: ClassVar[str | None] = None
    #: The action that this one replaces in another economy: guards and follow-ups for that action apply to this one too.
    instead_of: ClassVar[type[Action] | None] = None

    seat: int


@frozen
class ClaimRoute(Action):
    """Claim a whole route and pay for it (C3).

    >>> ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1})
    ClaimRoute(seat=0, route='frankfurt-paris-white', payment=Counts(white=2, locomotive=1))
    """

    route: str
    payment: Counts = field(converter=to_counts)


@frozen
class PayTunnel(Action):
    """Pay the extra cost of a tunnel (T4)."""

    payment: Counts = field(converter=to_counts)


@frozen
class AbandonTunnel(Action):
    """Take the cards back and claim nothing (T4)."""


@frozen
class DrawTickets(Action):
    """Draw tickets (K1)."""


@frozen
class AnnounceMix(Action):
    """Announce how many tickets to draw from each pile, by name."""

    mix: Counts = field(converter=to_counts)


@frozen
class KeepTickets(Action):
    """Keep these of the tickets dealt or drawn (K1); their order does not matter."""

    tickets: tuple[str, ...] = field(converter=to_ids)


@frozen
class Pass(Action):
    """Do nothing: legal only when nothing else is (R4), or where a plugin allows it."""
