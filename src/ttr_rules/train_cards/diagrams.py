"""Decision diagrams: the payments that some readings allow, counted and picked kind by kind without listing any.

A node stands for all that may still be paid once cards of the first few kinds are chosen, whatever reading, or cost, it came
from: where two choices leave the same, they lead to the same node. So readings that overlap are counted once, and a
diagram is made once for any hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ttr_rules.train_cards.readings import Reading

#: So many hands are remembered at each node.
HANDS_KEPT = 64
#: More wild cards than any deck has.
MANY = 1 << 20


class OpenLot(NamedTuple):
    """A lot that cards of later kinds may serve, by the `worth` of each; `least` is the smallest of the cards in it so far."""

    worth: tuple[int, ...]
    spaces: int
    spare: int
    alike: int
    least: int

    def with_first(self, used: int) -> OpenLot:
        """The lot with so many cards of the first kind in it, open to the other kinds."""
        worth, *later = self.worth
        least = min(worth, self.least or worth) if used and self.spare else self.least
        return OpenLot(tuple(later), self.spaces - used * worth, self.spare, self.alike, least)


class Left(NamedTuple):
    """All that is left of one reading: cards to be paid, spaces that wild cards fill, other wild cards needed and allowed."""

    cards: int
    stood: int
    needs: int
    most: int
    lots: tuple[OpenLot, ...]


class Node:
    """What may still be paid, with cards of the kinds from `kind` on: an edge for each number of cards of that kind."""

    __slots__ = ("_diagram", "_edges", "_left", "_ways", "kind")

    def __init__(self, diagram: Diagram, kind: int, left: frozenset[Left]) -> None:
        self._diagram = diagram
        self._left = left
        self._edges: list[tuple[int, Node]] | None = None
        self._ways: dict[tuple[int, ...], int] = {}
        self.kind = kind

    @property
    def edges(self) -> list[tuple[int, Node]]:
        """The numbers of cards of this kind that can be chosen, and what is left then."""
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
        """True if these cards, of each kind from this one on, are a payment."""
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
    """The ways to fill lots with the cards of a deck. `wilds` are the wild kinds, that which stands in first.

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
        #: Past this kind there is no other wild one.
        self._no_more = max([number for number, other in enumerate(self._others) if other], default=-1) + 1
        self._nodes: dict[tuple[int, frozenset[Left]], Node] = {}
        self._steps: dict[tuple[int, Left], list[tuple[int, Left]]] = {}

    def node(self, kind: int, left: Iterable[Left]) -> Node:
        """The node for all that is left, from a kind on."""
        key = kind, frozenset(left)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(self, *key)
        return node

    # -- where it begins -------------------------------------------------------------------------------------

    def read(self, readings: Iterable[Reading]) -> list[Left]:
        """The readings in their plainest form, each once, before any card is chosen."""
        kinds = (self.wild, *self.kinds)
        plain: dict[Left, None] = {}
        for reading in readings:
            lots = [
                OpenLot(tuple([lot.worth.get(kind, 0) for kind in kinds]), lot.spaces, lot.spare, lot.alike, 0)
                for lot in reading.lots
            ]
            most = MANY if reading.wilds is None else reading.wilds
            plain[Left(0, 0, reading.needs_wilds, most, tuple(_merged(lots)))] = None
        return [*plain]

    def starts(self, readings: Iterable[Left], wilds: int) -> list[tuple[int, Node]]:
        """The nodes where payments with so many wild cards begin, by the number of their other cards."""
        begun: dict[int, set[Left]] = {}
        for reading in readings:
            for inside, lots in _filled(reading.lots, wilds):
                stood = wilds - inside
                if stood > reading.most:
                    continue
                begin = self._closed(0, Left(0, stood, reading.needs - stood, reading.most - stood, lots))
                if begin is not None:
                    for cards in _sizes(begin):
                        begun.setdefault(cards, set()).add(begin._replace(cards=cards))
        return [(cards, self.node(0, begun[cards])) for cards in sorted(begun)]

    # -- kind by kind ----------------------------------------------------------------------------------------

    def steps(self, kind: int, left: Left) -> list[tuple[int, Left]]:
        """What can be left after each number of cards of a kind."""
        key = kind, left
        steps = self._steps.get(key)
        if steps is None:
            steps = self._steps[key] = []
            for count, lots in _filled(left.lots, min(self._deck[kind], left.cards)):
                others = count if self._others[kind] else 0
                rest = Left(left.cards - count, left.stood, left.needs - others, left.most - others, lots)
                closed = self._closed(kind + 1, rest)
                if closed is not None:
                    steps.append((count, closed))
        return steps

    def _closed(self, kind: int, left: Left) -> Left | None:
        """The same in its plainest form, without lots that nothing can be added to; None if it is in vain."""
        most = left.most
        needs = max(left.needs, 0)
        if most < 0 or left.cards < 0:
            return None
        if kind >= self._no_more:  # enough wild cards are there, and not too many
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
        return Left(left.cards, stood, needs, most, tuple(_merged(lots)))


def _merged(lots: list[OpenLot]) -> list[OpenLot]:
    """The lots in order, with one in place of several that the same cards serve alike."""
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


def _filled(lots: Sequence[OpenLot], most: int) -> list[tuple[int, tuple[OpenLot, ...]]]:
    """Every way to put cards of the first kind into lots, `most` at most: how many, and the lots without that kind."""
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
    """The numbers of cards that could fill the spaces that wild cards do not stand in for."""
    spaces = sum([lot.spaces for lot in left.lots]) - left.stood
    if all(lot.spare == 0 and max(lot.worth) == 1 for lot in left.lots):
        return (spaces,) if spaces >= 0 else ()
    largest = max([max(lot.worth) for lot in left.lots])
    return range(max(-(-spaces // largest), 0), spaces + left.stood + sum([lot.spare for lot in left.lots]) + 1)


#: A place on the way through the kinds: the first kind that is paid, and what may still be paid. Past the last: no cards.
Place: TypeAlias = tuple[int, Node]


class FilledLots:
    """The payments out of a hand, as a diagram has them. `most` has the cards held of each kind but the wild one."""

    def __init__(self, diagram: Diagram, most: tuple[int, ...]) -> None:
        self.most = most
        self._after = [most[number:] for number in range(len(most) + 1)]
        self._kinds = len(diagram.kinds)

    def starts(self, start: Node) -> Iterator[tuple[Place, int]]:
        """The places where the payments from a node begin, by their first kind, each with their number."""
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
        """Each number of cards of the next kind, the place that it leads to, and the number of payments from there, if any."""
        first, node = place
        held, after = self.most[node.kind], self._after[node.kind + 1]
        paid = range(0 if node.kind != first else 1, held + 1 if node.kind >= first else 1)
        return [
            (count, (first, rest), ways) for count, rest in node.edges if count in paid and (ways := rest.ways(after))
        ]
