"""Readings: the ways to read a cost, each with lots of cards that fill its spaces (C1, C2, F1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

from ttr_rules.errors import PluginError
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief


def _check(kind: str, name: str, number: object, least: int) -> None:
    if type(number) is not int or number < least:
        raise PluginError(f"{name!r} of a {kind} is {brief(number)}: it is a whole number from {least} on")


class Lot:
    """Cards that fill some spaces of a cost: `worth` says which kinds serve, and how many spaces a card of each fills.

    Wild cards fill the spaces that are left, as far as the reading lets them. Cards may be worth up to `spare` more than
    the spaces, if none of them could be left out. With `alike`, cards of a kind serve in twos, threes and so on.
    Raises `PluginError` for cards that fill no space or part of one, for an `alike` below 1, and for less than nothing.

    >>> Lot({"red": 1}, 3), Lot({"ship": 1, "double_ship": 2}, 3, spare=1)
    (Lot({'red': 1}, 3), Lot({'ship': 1, 'double_ship': 2}, 3, spare=1))
    >>> two_pairs = Reading(Lot({"red": 1, "blue": 1}, 4, alike=2), wilds=0)
    >>> [str(payment) for payment in two_pairs.payments({"red": 4, "blue": 3, "locomotive": 1})]
    ['2 red, 2 blue', '4 red']
    """

    def __init__(self, worth: Mapping[str, int], spaces: int, *, spare: int = 0, alike: int = 1) -> None:
        for name, number in (*worth.items(), ("alike", alike)):
            _check("Lot", name, number, 1)
        _check("Lot", "spaces", spaces, 0)
        _check("Lot", "spare", spare, 0)
        self.worth: Mapping[str, int] = dict(worth)
        self.spaces = spaces
        self.spare = spare
        self.alike = alike

    def __repr__(self) -> str:
        more = f", spare={self.spare}" if self.spare else ""
        more += f", alike={self.alike}" if self.alike > 1 else ""
        return f"Lot({self.worth}, {self.spaces}{more})"


class Reading:
    """One way to read a cost: every lot is filled, by at least `needs_wilds` and at most `wilds` wild cards among others.

    `wilds` of None sets no limit, and with `wilds=0` none stands in: the lots are filled without locomotives. A lot that names
    locomotives itself takes them as cards of their own, which are not counted here. Where any four cards stand for a locomotive, two red spaces of a ferry with one symbol
    can be read as

    >>> proper = Reading(Lot({"red": 1}, 2), needs_wilds=1)
    >>> replaced = Reading(Lot({"red": 1}, 1), Lot(dict.fromkeys(["red", "blue", "green"], 1), 4))
    >>> [str(payment) for payment in proper.payments({"red": 3, "locomotive": 1})]
    ['1 red, 1 locomotive']
    """

    def __init__(self, *lots: Lot, wilds: int | None = None, needs_wilds: int = 0) -> None:
        _check("Reading", "needs_wilds", needs_wilds, 0)
        _check("Reading", "wilds", 0 if wilds is None else wilds, 0)
        self.lots = lots
        self.wilds = wilds
        self.needs_wilds = needs_wilds

    def __repr__(self) -> str:
        more = "" if self.wilds is None else f", wilds={self.wilds}"
        more += f", needs_wilds={self.needs_wilds}" if self.needs_wilds else ""
        return f"Reading({', '.join(map(repr, self.lots))}{more})"

    def size(self, hand: Mapping[str, int]) -> int:
        """At most so many ways to choose cards for the lots are tried."""
        return prod([min(hand.get(kind, 0), lot.spaces + lot.spare) + 1 for lot in self.lots for kind in lot.worth])

    def payments(self, hand: Mapping[str, int], wilds: Sequence[str] = ("locomotive",)) -> Iterator[Counts]:
        """The payments out of a hand, found by trying; one may come more than once. Cards of the first wild kind stand in."""
        return self._fill(0, hand, {}, 0, wilds)

    def _fill(
        self, number: int, hand: Mapping[str, int], taken: dict[str, int], stood: int, wilds: Sequence[str]
    ) -> Iterator[Counts]:
        if number == len(self.lots):
            wild, *others = wilds
            count = stood + sum([taken.get(kind, 0) for kind in others])
            paid = {**taken, wild: taken.get(wild, 0) + stood}
            if self.needs_wilds <= count <= (count if self.wilds is None else self.wilds) and paid[wild] <= hand.get(
                wild, 0
            ):
                yield _counts(tuple([(kind, paid[kind]) for kind in hand if paid.get(kind)]))
            return
        lot = self.lots[number]
        kinds = [kind for kind in lot.worth if hand.get(kind)]
        left = [hand[kind] - taken.get(kind, 0) for kind in kinds]
        for used in product(
            *[
                range(0, min(n, (lot.spaces + lot.spare) // lot.worth[kind]) + 1, lot.alike)
                for kind, n in zip(kinds, left, strict=True)
            ]
        ):
            cards = {kind: count for kind, count in zip(kinds, used, strict=True) if count}
            over = sum([count * lot.worth[kind] for kind, count in cards.items()]) - lot.spaces
            if over <= lot.spare and (over <= 0 or over < min([lot.worth[kind] for kind in cards])):
                more = {**taken, **{kind: taken.get(kind, 0) + count for kind, count in cards.items()}}
                yield from self._fill(number + 1, hand, more, stood + max(-over, 0), wilds)


@cache
def _counts(cards: tuple[tuple[str, int], ...]) -> Counts:
    """The same few hundred payments stand in the tables of many hands."""
    return Counts(dict(cards))
