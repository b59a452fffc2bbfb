"""What a seat can do. Every action says whose it is; the rules refuse it or turn it into events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar, TypeVar

from attrs import field, frozen

from ttr_rules._internal.limits import MOST_ROWS
from ttr_rules._internal.messages import brief
from ttr_rules.errors import InvalidInputError
from ttr_rules.model.cards import Counts

T = TypeVar("T")


def to_counts(payment: Mapping[str, int]) -> Counts:
    """A payment given as any mapping. Raises `InvalidInputError` for anything else."""
    if type(payment) is Counts:
        return payment
    kind: type[object] = type(payment)
    if kind is dict:
        return Counts(payment)
    try:
        if issubclass(kind, Mapping):
            return Counts({name: payment[name] for name in _few(payment)})
    except InvalidInputError:
        raise
    except Exception as error:  # of the mapping's own code
        raise InvalidInputError(f"a payment that cannot be read: {brief(error)}") from error
    raise InvalidInputError(f"a payment reads like {{'red': 2, 'locomotive': 1}}, not {brief(payment)}")


def to_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids in any order, sorted: the order of a choice means nothing."""
    kind: type[object] = type(ids)
    found = tuple(ids) if kind is tuple or kind is list else _read(ids)
    for id in found:
        if type(id) is not str:
            return _odd(found)
    return tuple(sorted(found))


def _read(ids: Iterable[Any]) -> tuple[Any, ...]:
    """What is neither a tuple nor a list, read to its end or as far as makes sense: code of its own may run in it."""
    try:
        kind: type[object] = type(ids)
        if not issubclass(kind, str) and issubclass(kind, Iterable):
            return _few(ids)
    except InvalidInputError:
        raise
    except Exception as error:
        raise InvalidInputError(f"a list of ids that cannot be read: {brief(error)}") from error
    raise InvalidInputError(f"tickets are given as a list of ids, not {brief(ids)}")


def _few(things: Iterable[T]) -> tuple[T, ...]:
    found = tuple(islice(things, MOST_ROWS + 1))
    if len(found) > MOST_ROWS:
        raise InvalidInputError(f"too many: {MOST_ROWS} at most can be meant")
    return found


def _odd(ids: tuple[Any, ...]) -> tuple[str, ...]:
    """Ids of classes of their own, whose order is that of their texts, whatever they say of themselves."""
    if not all(issubclass(type(id), str) for id in ids):
        raise InvalidInputError(f"tickets are given as a list of ids, not {brief(ids)}")
    return tuple(sorted(ids, key=str.__str__))


@frozen
class Action:
    """Something that one seat does. Plugins add their own."""

    #: What a menu calls this kind of action: "Build a station".
    message: ClassVar[str | None] = None

    seat: int


@frozen
class ClaimRoute(Action):
    """Claim a whole route and pay for it (C1).

    >>> ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1})
    ClaimRoute(seat=0, route='frankfurt-paris-white', payment=Counts(white=2, locomotive=1))
    """

    route: str
    payment: Counts = field(converter=to_counts)


@frozen
class PayTunnel(Action):
    """Pay the extra cost of a tunnel (T2)."""

    payment: Counts = field(converter=to_counts)


@frozen
class AbandonTunnel(Action):
    """Take the cards back and claim nothing (T4)."""


@frozen
class DrawTickets(Action):
    """Draw tickets (K1)."""


@frozen
class AnnounceMix(Action):
    """Draw so many tickets from each pile, by the names of the piles (M2)."""

    mix: Counts = field(converter=to_counts)


@frozen
class KeepTickets(Action):
    """Keep these of the tickets dealt or drawn (K1); their order means nothing."""

    tickets: tuple[str, ...] = field(converter=to_ids)


@frozen
class Pass(Action):
    """Do nothing: legal only when nothing else is (R4), or to forgo a second card that need not be drawn (R5)."""
