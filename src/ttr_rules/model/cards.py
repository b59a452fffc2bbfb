"""Colors, train cards, `Counts` (multisets such as a hand or a payment), and `Unknown` for secrets."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from attrs import frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.reading import is_table
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, word


class Color(StrEnum):
    """The color of a route: one of the eight card colors, or gray (any one color).

    >>> import ttr_maps
    >>> routes = ttr_maps.load("europe").routes.values()
    >>> sum(route.color is Color.GRAY for route in routes), next(route.id for route in routes if route.color == "red")
    (37, 'berlin-frankfurt-red')
    """

    PURPLE = "purple"
    BLUE = "blue"
    ORANGE = "orange"
    WHITE = "white"
    GREEN = "green"
    YELLOW = "yellow"
    BLACK = "black"
    RED = "red"
    GRAY = "gray"

    def __repr__(self) -> str:  # a function, which Sphinx can tell from that of Enum
        return repr(self.value)


class Card(StrEnum):
    """The train cards of the base games. The eight colors, in the order used throughout, then the locomotive.

    >>> Card("red") is Card.RED, Card.LOCOMOTIVE == "locomotive"
    (True, True)
    >>> Counts({Card.RED: 2, Card.LOCOMOTIVE: 1})
    Counts(red=2, locomotive=1)
    """

    PURPLE = "purple"
    BLUE = "blue"
    ORANGE = "orange"
    WHITE = "white"
    GREEN = "green"
    YELLOW = "yellow"
    BLACK = "black"
    RED = "red"
    LOCOMOTIVE = "locomotive"

    def __repr__(self) -> str:  # a function, which Sphinx can tell from that of Enum
        return repr(self.value)


#: The eight colors of cards, in the order used throughout.
CARD_COLORS: tuple[Card, ...] = tuple(card for card in Card if card is not Card.LOCOMOTIVE)

#: The upper limit for a hand, payment or roll: larger ones cannot be created.
LARGEST_COUNT = 2**256


class Counts(FrozenMap[str, int]):
    """Counts by name: an immutable, hashable mapping in which missing items count 0.

    Used for hands, payments and rolls alike. Equal to any mapping with the same counts. `+` and `-` take any mapping of
    counts.

    Raises `InvalidInputError` for a name that is not a string or a count that is not a whole number of at least 0.

    >>> payment = Counts(red=2, locomotive=1)
    >>> payment["red"], payment["blue"], payment.total
    (2, 0, 3)
    >>> payment == {"locomotive": 1, "red": 2}
    True
    >>> payment
    Counts(red=2, locomotive=1)
    """

    __slots__ = ("total",)

    def __init__(self, counts: Mapping[str, int] | None = None, /, **more: int) -> None:
        kept: dict[str, int] = {}
        total = 0
        for name, count in {**(counts or {}), **more}.items():
            if not isinstance(name, str) or type(count) is not int or count < 0:
                raise InvalidInputError(
                    f"cannot count {brief(name)}: {brief(count)}; expected a name and a whole number of at least 0"
                )
            if count:
                kept[str.__str__(name)] = count
                total += count
        if total > LARGEST_COUNT:
            raise InvalidInputError(f"cannot count that much: {brief(total)}")
        self._items = kept
        self._hash = None
        #: The sum of all counts.
        self.total = total

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Counts:
        """`counts` itself if it is already `Counts`, else `Counts` made from it."""
        return counts if type(counts) is cls else cls(counts)

    def __getitem__(self, name: str) -> int:
        return self._items.get(name, 0)

    def __eq__(self, other: object) -> bool:
        if type(other) is Counts:
            return self._items == other._items
        if is_table(other):
            return self._items == {name: count for name, count in other.items() if count}
        return NotImplemented

    __hash__ = FrozenMap[str, int].__hash__

    def __add__(self, more: Mapping[str, int]) -> Counts:
        """The sum of both counts.

        >>> Counts(red=2) + {"blue": 1}
        Counts(red=2, blue=1)
        """
        given: object = more
        if not is_table(given):
            return NotImplemented
        added = Counts.of(more)
        return Counts({**self._items, **{name: self[name] + added[name] for name in added}})

    def __sub__(self, less: Mapping[str, int]) -> Counts:
        """The counts that are left without `less`. Raises `InvalidInputError` if more is taken than there is.

        >>> Counts(red=2, blue=1) - Counts(red=2)
        Counts(blue=1)
        """
        given: object = less
        if not is_table(given):
            return NotImplemented
        taken = Counts.of(less)
        return Counts({**self._items, **{name: self[name] - taken[name] for name in taken}})

    def within(self, supply: Mapping[str, int]) -> bool:
        """True if there is as much of everything in a supply.

        >>> Counts(red=2).within(Counts(red=3, blue=1)), Counts(red=2).within({"blue": 2})
        (True, False)
        """
        return all(count <= supply.get(name, 0) for name, count in self._items.items())

    def __repr__(self) -> str:
        return f"Counts({', '.join(f'{word(name)}={count}' for name, count in self._items.items())})"

    def __str__(self) -> str:
        return ", ".join(f"{count} {word(name)}" for name, count in self._items.items()) or "nothing"


@frozen
class Unknown:
    """The placeholder in events and views for what a seat may not see.

    `count` is None if even the number is secret.

    >>> Unknown(4)
    Unknown(count=4)
    """

    count: int | None = None
