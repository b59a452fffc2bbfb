"""Readings: the ways to read a cost, each with lots of cards that fill its spaces (C1, C2, F1), and diagrams that count payments.

A diagram is a decision diagram over the kinds of cards. A node stands for the rest of a payment after cards of the first
kinds are chosen. Choices that leave the same rest lead to the same node, whatever reading or cost they came from, so that
payments of overlapping readings are counted once. A diagram serves all hands: payments are counted and picked kind by kind,
without listing them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from ttr_rules.errors import PluginError
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief

#: The most hands that are cached at each node.
HANDS_KEPT = 64
#: More wild cards than any deck has.
MANY = 1 << 20


def _check(kind: str, numbers: Iterable[tuple[str, object, int]]) -> None:
    """Raise `PluginError` for a number that is not whole or too small. `numbers` holds names, values and least values."""
    for name, number, least in numbers:
        if type(number) is not int or number < least:
            raise PluginError(f"{name!r} of a {kind} is {brief(number)}: it is a whole number of at least {least}")


class Lot:
    """Cards that fill some spaces of a cost: `worth` is the number of spaces that a card fills, by kind.

    Wild cards fill the spaces that are left, as far as the reading allows. Cards may be worth up to `spare` more than the
    spaces, if none of them could be left out. With `alike`, cards of a kind count only in twos, threes and so on.
    Raises `PluginError` for a worth or an `alike` below 1, for negative numbers, and for numbers that are not whole.

    >>> Lot({"red": 1}, 3), Lot({"ship": 1, "double_ship": 2}, 3, spare=1)
    (Lot({'red': 1}, 3), Lot({'ship': 1, 'double_ship': 2}, 3, spare=1))
    >>> two_pairs = Reading(Lot({"red": 1, "blue": 1}, 4, alike=2), wilds=0)
    >>> [str(payment) for payment in two_pairs.payments({"red": 4, "blue": 3, "locomotive": 1})]
    ['2 red, 2 blue', '4 red']
    """

    def __init__(self, worth: Mapping[str, int], spaces: int, *, spare: int = 0, alike: int = 1) -> None:
        filled = [(name, number, 1) for name, number in worth.items()]
        _check("Lot", (*filled, ("alike", alike, 1), ("spaces", spaces, 0), ("spare", spare, 0)))
        self.worth: Mapping[str, int] = dict(worth)
        self.spaces = spaces
        self.spare = spare
        self.alike = alike

    def __repr__(self) -> str:
        more = f", spare={self.spare}" if self.spare else ""
        more += f", alike={self.alike}" if self.alike > 1 else ""
        return f"Lot({self.worth}, {self.spaces}{more})"


class Reading:
    """One way to read a cost: cards fill every lot, among them at least `needs_wilds` and at most `wilds` wild cards.

    `wilds` of None sets no limit; with `wilds=0` the lots are filled without wild cards. Locomotives that a lot names itself
    are not counted here. If any four cards stand for a locomotive, two red spaces of a ferry with one symbol have these
    readings:

    >>> proper = Reading(Lot({"red": 1}, 2), needs_wilds=1)
    >>> replaced = Reading(Lot({"red": 1}, 1), Lot(dict.fromkeys(["red", "blue", "green"], 1), 4))
    >>> [str(payment) for payment in proper.payments({"red": 3, "locomotive": 1})]
    ['1 red, 1 locomotive']
    """

    def __init__(self, *lots: Lot, wilds: int | None = None, needs_wilds: int = 0) -> None:
        _check("Reading", (("needs_wilds", needs_wilds, 0), ("wilds", 0 if wilds is None else wilds, 0)))
        self.lots = lots
        self.wilds = wilds
        self.needs_wilds = needs_wilds

    def __repr__(self) -> str:
        more = "" if self.wilds is None else f", wilds={self.wilds}"
        more += f", needs_wilds={self.needs_wilds}" if self.needs_wilds else ""
        return f"Reading({', '.join(map(repr, self.lots))}{more})"

    def size(self, hand: Mapping[str, int]) -> int:
        """An upper limit for the number of ways to choose cards for the lots."""
        return prod([min(hand.get(kind, 0), lot.spaces + lot.spare) + 1 for lot in self.lots for kind in lot.worth])

    def payments(self, hand: Mapping[str, int], wilds: Sequence[str] = ("locomotive",)) -> Iterator[Counts]:
        """The payments out of a hand, possibly repeated, by trying all ways. Cards of the first wild kind stand in."""
        return self._fill(0, hand, {}, 0, wilds)

    def takes(self, payment: Counts, wilds: Sequence[str] = ("locomotive",)) -> bool:
        """True if these cards and no others fill the lots, found by trying all ways."""
        few = payment.total <= sum([lot.spaces + lot.spare for lot in self.lots])
        return few and payment in self.payments(payment, wilds)

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
                yield Counts({kind: paid[kind] for kind in hand if paid.get(kind)})
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


# -- diagrams ------------------------------------------------------------------------------------------------------


class OpenLot(NamedTuple):
    """A lot that is being filled: the `worth` of each later kind, and the `least` worth among the cards in it so far."""

    worth: tuple[int, ...]
    spaces: int
    spare: int
    alike: int
    least: int

    def with_first(self, used: int) -> OpenLot:
        """The lot after adding a number of cards of the first kind."""
        worth, *later = self.worth
        least = min(worth, self.least or worth) if used and self.spare else self.least
        return OpenLot(tuple(later), self.spaces - used * worth, self.spare, self.alike, least)


class Left(NamedTuple):
    """The rest of one reading: cards to be paid, spaces that wild cards fill, other wild cards needed and allowed, open lots."""

    cards: int
    stood: int
    needs: int
    most: int
    lots: tuple[OpenLot, ...]


class Node:
    """The rest of a payment, with cards of the kinds from `kind` on. There is an edge for each number of cards of that kind."""

    __slots__ = ("_diagram", "_edges", "_left", "_ways", "kind")

    def __init__(self, diagram: Diagram, kind: int, left: frozenset[Left]) -> None:
        self._diagram = diagram
        self._left = left
        self._edges: list[tuple[int, Node]] | None = None
        self._ways: dict[tuple[int, ...], int] = {}
        self.kind = kind

    @property
    def edges(self) -> list[tuple[int, Node]]:
        """The numbers of cards of this kind that can be chosen, each with the next node."""
        edges = self._edges
        if edges is None:
            after: dict[int, set[Left]] = {}
            for left in self._left:
                for count, rest in self._diagram.steps(self.kind, left):
                    after.setdefault(count, set()).add(rest)
            edges = [(count, self._diagram.node(self.kind + 1, after[count])) for count in sorted(after)]
            self._edges = edges
        return edges

    def ways(self, held: tuple[int, ...]) -> int:
        """The number of payments out of a hand: `held` has the cards of each kind from this one on."""
        if not held:
            return 1
        ways = self._ways.get(held)
        if ways is None:
            rest = held[1:]
            most = held[0]
            ways = 0
            for count, node in self.edges:
                if count > most:
                    break
                ways += node.ways(rest)
            if len(self._ways) >= HANDS_KEPT:
                self._ways.clear()
            self._ways[held] = ways
        return ways

    def takes(self, counts: Sequence[int]) -> bool:
        """True if these numbers of cards, for each kind from this one on, complete a payment."""
        node = self
        for wanted in counts:
            for count, after in node.edges:
                if count == wanted:
                    node = after
                    break
            else:
                return False
        return True


class Diagram:
    """The ways to fill lots with the cards of a deck. `wilds` are the wild kinds; the first one stands in for others.

    >>> from ttr_rules.train_cards import Lot, Reading
    >>> diagram = Diagram({"red": 5, "blue": 5, "locomotive": 3}, ["locomotive"])
    >>> pairs = [Reading(Lot({"red": 1}, 1), Lot({"red": 1, "blue": 1}, 2, alike=2))]
    >>> [(cards, node.ways((3, 3))) for cards, node in diagram.starts(diagram.read(pairs), wilds=0)]     # three red, or a red one and two blue ones
    [(3, 2)]
    """

    def __init__(self, deck: Mapping[str, int], wilds: Sequence[str]) -> None:
        self.wild, *others = wilds
        self.kinds = tuple([kind for kind in deck if kind != self.wild])
        self._deck = [deck[kind] for kind in self.kinds]
        self._others = [kind in others for kind in self.kinds]
        #: From this kind on, no kind is wild.
        self._no_more = max([number for number, other in enumerate(self._others) if other], default=-1) + 1
        self._nodes: dict[tuple[int, frozenset[Left]], Node] = {}
        self._steps: dict[tuple[int, Left], list[tuple[int, Left]]] = {}

    def node(self, kind: int, left: Iterable[Left]) -> Node:
        """The node for some rests of readings, from a kind on."""
        key = kind, frozenset(left)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(self, *key)
        return node

    # -- the first nodes -------------------------------------------------------------------------------------

    def read(self, readings: Iterable[Reading]) -> list[Left]:
        """The readings in normal form, each once, before any card is chosen."""
        kinds = (self.wild, *self.kinds)
        plain: dict[Left, None] = {}
        for reading in readings:
            lots = [
                OpenLot(tuple([lot.worth.get(kind, 0) for kind in kinds]), lot.spaces, lot.spare, lot.alike, 0)
                for lot in reading.lots
            ]
            most = MANY if reading.wilds is None else reading.wilds
            plain[Left(0, 0, reading.needs_wilds, most, tuple(_combine(lots)))] = None
        return [*plain]

    def starts(self, readings: Iterable[Left], wilds: int, most: int = MANY) -> list[tuple[int, Node]]:
        """The first nodes of payments with `wilds` wild cards of the first kind, by the number of other cards.

        Payments have at most `most` wild cards.
        """
        begun: dict[int, set[Left]] = {}
        for reading in readings:
            for inside, lots in _fill_lots(reading.lots, wilds):
                stood = wilds - inside
                left = min(reading.most - stood, most - wilds)
                begin = self._normalize(0, Left(0, stood, reading.needs - stood, left, lots))
                if begin is not None:
                    for cards in _sizes(begin):
                        begun.setdefault(cards, set()).add(begin._replace(cards=cards))
        return [(cards, self.node(0, begun[cards])) for cards in sorted(begun)]

    # -- kind by kind ----------------------------------------------------------------------------------------

    def steps(self, kind: int, left: Left) -> list[tuple[int, Left]]:
        """The possible rests after each number of cards of a kind."""
        key = kind, left
        steps = self._steps.get(key)
        if steps is None:
            steps = list[tuple[int, Left]]()
            for count, lots in _fill_lots(left.lots, min(self._deck[kind], left.cards)):
                others = count if self._others[kind] else 0
                rest = Left(left.cards - count, left.stood, left.needs - others, left.most - others, lots)
                closed = self._normalize(kind + 1, rest)
                if closed is not None:
                    steps.append((count, closed))
            self._steps[key] = steps  # only when complete, as another thread may read it
        return steps

    def _normalize(self, kind: int, left: Left) -> Left | None:
        """A rest in normal form, without lots that are full; None if it cannot be completed."""
        most = left.most
        needs = max(left.needs, 0)
        if most < 0 or left.cards < 0:
            return None
        if kind >= self._no_more:  # no wild kind follows
            if needs:
                return None
            most = 0
        stood = left.stood
        lots: list[OpenLot] = []
        for lot in left.lots:
            if lot.spaces <= 0:
                if -lot.spaces >= lot.least > 0:  # a card could be left out
                    return None
            elif any(lot.worth):
                lots.append(lot)
            else:
                stood -= lot.spaces
        if stood < 0 or (kind == len(self.kinds) and (stood or left.cards)):
            return None
        return Left(left.cards, stood, needs, most, tuple(_combine(lots)))


def _combine(lots: list[OpenLot]) -> list[OpenLot]:
    """The lots in order, with lots that take the same cards combined."""
    if len(lots) < 2:
        return lots
    merged: dict[tuple[tuple[int, ...], int], int] = {}
    others: list[OpenLot] = []
    for lot in lots:
        if lot.spare == 0 and max(lot.worth) == 1 and lot.spaces % lot.alike == 0:
            one = lot.worth, lot.alike
            merged[one] = merged.get(one, 0) + lot.spaces
        else:
            others.append(lot)
    return sorted([*others, *[OpenLot(worth, spaces, 0, alike, 0) for (worth, alike), spaces in merged.items()]])


def _fill_lots(lots: Sequence[OpenLot], most: int) -> list[tuple[int, tuple[OpenLot, ...]]]:
    """Every way to put at most `most` cards of the first kind into lots: their number, and the lots after that."""
    others = [OpenLot(lot.worth[1:], *lot[1:]) for lot in lots if not lot.worth[0]]
    ways: list[tuple[int, tuple[OpenLot, ...]]] = [(0, tuple(others))]
    for lot in lots:
        worth = lot.worth[0]
        if worth:
            ways = [
                (count + used, (*filled, lot.with_first(used)))
                for count, filled in ways
                for used in range(0, min(most - count, (lot.spaces + lot.spare) // worth) + 1, lot.alike)
            ]
    return ways


def _sizes(left: Left) -> Iterable[int]:
    """The numbers of cards that can fill the spaces without wild cards."""
    spaces = sum([lot.spaces for lot in left.lots]) - left.stood
    if all(lot.spare == 0 and max(lot.worth) == 1 for lot in left.lots):
        return (spaces,) if spaces >= 0 else ()
    largest = max([max(lot.worth) for lot in left.lots])
    return range(max(-(-spaces // largest), 0), spaces + left.stood + sum([lot.spare for lot in left.lots]) + 1)


#: A position while choosing kind by kind: the first kind that is paid (past the last kind for none), and the node.
Place: TypeAlias = tuple[int, Node]


class FilledLots:
    """The payments out of a hand by a diagram. `most` are the cards held of each kind, without the wild one."""

    def __init__(self, diagram: Diagram, most: tuple[int, ...]) -> None:
        self.most = most
        self._after = [most[number:] for number in range(len(most) + 1)]
        self._kinds = len(diagram.kinds)

    def starts(self, start: Node) -> Iterator[tuple[Place, int]]:
        """The first places of the payments from a node, by the first kind that is paid, each with the number of payments."""
        node = start
        for kind in range(self._kinds):
            place = kind, node
            ways = sum([ways for _, _, ways in self.steps(place)])
            if ways:
                yield (kind, start), ways
            if not node.edges or node.edges[0][0]:
                return
            node = node.edges[0][1]
        yield (self._kinds, start), 1

    def steps(self, place: Place) -> list[tuple[int, Place, int]]:
        """Each possible number of cards of the next kind, the place that it leads to, and the number of payments from there."""
        first, node = place
        held, after = self.most[node.kind], self._after[node.kind + 1]
        paid = range(0 if node.kind != first else 1, held + 1 if node.kind >= first else 1)
        return [
            (count, (first, rest), ways) for count, rest in node.edges if count in paid and (ways := rest.ways(after))
        ]
