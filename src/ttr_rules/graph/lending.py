"""The best routes for a player to borrow from others, given its tickets.

Each loan yields one route, the same one for all tickets. The search finds the choice with the most ticket points. Ties are
broken by the number of completed tickets, then by route ids, loan by loan.

Everything is done on component labels: two cities have the same label when the player's own routes join them. A lent
route merges two labels, so routes of a loan that merge the same two labels are as good as each other, and the one with
the smallest id stands for all of them. The remaining choices are tried exhaustively, in the order of the ids. A ticket
that lacks one pair of labels is an entry in a table of gains, and merging two groups of labels gains the entries across
them. Only tickets with more places to join, or several values to gain, are looked at each time.

Gains are single integers: points times a scale above the number of tickets, plus the tickets completed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from ttr_rules._internal.native import i64
from ttr_rules.model.board import Ticket
from ttr_rules.model.network import Network

#: What identifies a route that may be lent.
R = TypeVar("R")
#: The places of a ticket, each as the cities that stand for it: one, or the crossings of a country.
Places = Sequence[Sequence[int]]
#: A ticket: each value with the places that have to be in one network for it, the best value first (P2).
Goal = Sequence[tuple[int, Places]]
#: The places of a value that nothing reaches: the last one of a ticket whose penalty is not its lowest value.
NOWHERE: Places = ((),)
#: A ticket that lent routes may improve: gains, the best first, each with its places as groups of labels.
OpenTicket = list[tuple[int, list[list[int]]]]


def goals_of(ticket: Ticket, network: Network, places: Mapping[str, tuple[str, ...]]) -> Goal:
    """A ticket as numbers: for each value, best first, the places that earn it."""
    number = network.city_number
    cities = {place: tuple([number[city] for city in places[place]]) for place in ticket.places}
    first = [cities[place] for place in ticket.cities[:-1]]
    values = [(points, (*first, cities[place])) for place, points in ticket.goals]
    return tuple(values) if ticket.penalty == values[-1][0] else (*values, (ticket.penalty, NOWHERE))


def components(links: Sequence[tuple[int, int]], n_cities: int) -> list[int]:
    """A label for each city, the same for connected cities: the smallest city of the component (P2).

    >>> components([(0, 2), (4, 3), (2, 3)], 6)
    [0, 1, 0, 0, 0, 5]
    """
    first = [city for city, _ in links]
    second = [city for _, city in links]
    return joined(list(range(n_cities)), first, second, list(range(len(links))))


def joined(labels: list[int], first: list[int], second: list[int], routes: list[int]) -> list[int]:
    """As `components`, for routes by number, in place of `labels`: those from before, each city its own label at first.

    Labels only ever point to smaller ones, so following them ends at the smallest city.
    """
    for route in routes:
        a: i64 = first[route]
        b: i64 = second[route]
        label: i64 = labels[a]
        while label != a:
            a = label
            label = labels[a]
        label = labels[b]
        while label != b:
            b = label
            label = labels[b]
        if a < b:
            labels[b] = a
        elif b < a:
            labels[a] = b
    city: i64 = 0
    for label in labels:  # most cities have their own one
        if label != city:
            labels[city] = labels[label]
        city += 1
    return labels


def reached(goal: Goal, labels: list[int]) -> int:
    """The number of the best ticket value that the connected cities reach, or -1 for none (P2).

    >>> labels = components([(0, 1)], 3)
    >>> reached([(9, [[0], [2]]), (4, [[0], [1]])], labels), reached([(9, [[0], [1], [2]])], labels)
    (1, -1)
    """
    for number, (_, places) in enumerate(goal):
        if in_one_network(places, labels):
            return number
    return -1


def in_one_network(places: Places, labels: list[int]) -> bool:
    """True if some city of every place has the same label.

    >>> labels = [5, 6, 5, 5]
    >>> in_one_network([[0], [1, 3], [2]], labels), in_one_network([[0], [1], [2]], labels), in_one_network(NOWHERE, [])
    (True, False, False)
    """
    for city in places[0]:
        label = labels[city]
        for place in places[1:]:
            for other in place:
                if labels[other] == label:
                    break
            else:
                break
        else:
            return True
    return False


def passes_in_order(links: Sequence[tuple[int, int]], places: Sequence[Sequence[int]]) -> bool:
    """True if a continuous path over some links passes a city of each place, in this order, whatever lies between (P2).

    As for the longest path, it uses no link twice, and a city may be passed again.

    >>> line, fork = [(0, 1), (1, 2)], [(0, 3), (1, 3), (2, 3)]
    >>> [passes_in_order(links, [[0], [1], [2]]) for links in (line, fork, [*fork, (1, 2)])]
    [True, False, True]
    """
    around: dict[int, list[tuple[int, int]]] = {}
    for number, (first, second) in enumerate(links):
        around.setdefault(first, []).append((second, 1 << number))
        around.setdefault(second, []).append((first, 1 << number))
    waiting = [(city, 0, 0) for city in places[0]]
    tried: set[tuple[int, int, int]] = set()
    while waiting:
        city, passed, used = waiting.pop()
        if city in places[passed]:
            passed += 1
            if passed == len(places):
                return True
        if (city, passed, used) not in tried:
            tried.add((city, passed, used))
            for other, bit in around.get(city, ()):
                if not used & bit:
                    waiting.append((other, passed, used | bit))
    return False


def points_of(goals: Sequence[Goal], labels: list[int]) -> tuple[int, tuple[bool, ...]]:
    """The points of all tickets together, and which of them are completed (P2).

    >>> points_of([[(7, [[0], [1]])], [(9, [[0], [2]]), (4, [[1], [2]])]], components([(0, 1)], 3))
    (3, (True, False))
    """
    values = [(goal, reached(goal, labels)) for goal in goals]
    points = sum([-goal[-1][0] if number < 0 else goal[number][0] for goal, number in values])
    return points, tuple([number >= 0 for _, number in values])


def best_lending(
    labels: list[int], goals: Sequence[Goal], options: Sequence[Sequence[tuple[R, int, int]]]
) -> tuple[R | None, ...]:
    """The best route for each loan, None for a loan without options.

    `labels` are those of all cities. `options` holds for each loan the routes it may lend, sorted by id: (route id,
    city, city).

    >>> best_lending(components([(0, 1)], 4), [[(8, [[0], [3]])]], [[("b", 1, 2), ("c", 1, 3)], []])
    ('c', None)
    """
    loans = [loan for loan in options if loan]
    if not loans:
        return (None,) * len(options)
    search = LendingSearch(loans, labels, len(goals) + 1)
    for goal in goals:
        search.add(goal, labels)
    chosen = iter(search.best())
    return tuple([next(chosen) if loan else None for loan in options])


class LendingSearch(Generic[R]):
    """The choices of all loans, each tried in turn.

    The labels that some route could merge are numbered from 0. A partition of them is two lists: `group` has
    the group of each label, `members` the labels of each group.
    """

    def __init__(self, loans: Sequence[Sequence[tuple[R, int, int]]], labels: list[int], scale: int) -> None:
        self.scale = scale
        self.number: dict[int, int] = {}
        self.merges: list[list[tuple[R, int, int]]] = []
        for loan in loans:
            pairs: dict[tuple[int, int], R] = {}
            for route, first, second in loan:
                a = self.number.setdefault(labels[first], len(self.number))
                b = self.number.setdefault(labels[second], len(self.number))
                pairs.setdefault((a, b) if a < b else (b, a), route)
            self.merges.append([(route, a, b) for (a, b), route in pairs.items()])
        size = len(self.number)
        self.table = [[0] * size for _ in range(size)]
        self.open_tickets: list[OpenTicket] = []
        self.most = 0
        self.chosen = [merges[0][0] for merges in self.merges]
        self.best_chosen = self.chosen.copy()
        self.best_gain = -1

    def add(self, goal: Goal, labels: list[int]) -> None:
        """Include a ticket if lent routes can improve it."""
        number = self.number
        scale = self.scale
        now = -goal[-1][0] * scale
        open_ticket: OpenTicket = []
        for points, places in goal:
            if in_one_network(places, labels):
                now = points * scale + 1
                break
            groups: list[list[int]] = []
            for place in places:
                group = [number[labels[city]] for city in place if labels[city] in number]
                if group not in groups:
                    groups.append(group)
            if all(groups):
                open_ticket.append((points * scale + 1, groups))
        if not open_ticket:
            return
        open_ticket = [(value - now, groups) for value, groups in open_ticket]
        gain, groups = open_ticket[0]
        self.most += gain
        if len(open_ticket) == 1 and len(groups) == 2 and len(groups[0]) == len(groups[1]) == 1:
            a, b = groups[0][0], groups[1][0]
            self.table[a][b] += gain
            self.table[b][a] += gain
        else:
            self.open_tickets.append(open_ticket)

    def best(self) -> list[R]:
        """The best route of each loan, the first of equally good ones."""
        if self.most:
            size = len(self.number)
            self._choose(0, 0, list(range(size)), [[label] for label in range(size)])
        return self.best_chosen

    def _choose(self, loan: int, gain: int, group: list[int], members: list[list[int]]) -> None:
        """Try all routes of a loan and of those after it, given the gain and the partition so far."""
        table = self.table
        is_last = loan + 1 == len(self.merges)
        for route, first, second in self.merges[loan]:
            a = group[first]
            b = group[second]
            more = gain
            merged = group
            if a != b:
                for label in members[a]:
                    row = table[label]
                    for other in members[b]:
                        more += row[other]
                if self.open_tickets or not is_last:
                    merged = [a if of == b else of for of in group]
            self.chosen[loan] = route
            if is_last:
                if self.open_tickets:
                    more += self._sum_gains(merged)
                if more > self.best_gain:
                    self.best_gain = more
                    self.best_chosen = self.chosen.copy()
            elif a == b:
                self._choose(loan + 1, more, group, members)
            else:
                joined = members.copy()
                joined[a] = members[a] + members[b]
                self._choose(loan + 1, more, merged, joined)
            if self.best_gain == self.most:
                return

    def _sum_gains(self, group: list[int]) -> int:
        """The gains of the open tickets, the best of each."""
        gain = 0
        for open_ticket in self.open_tickets:
            for value, places in open_ticket:
                if in_one_network(places, group):
                    gain += value
                    break
        return gain
