"""The length of a longest path (P3), in plain numbers: which routes it takes is searched only when somebody reads it."""

from __future__ import annotations

from ttr_rules._internal.native import i64
from ttr_rules.graph.trails import SEARCH_BUDGET, search


def longest_length(
    labels: list[int], first: list[int], second: list[int], lengths: list[int], routes: list[int]
) -> i64:
    """The length of a longest path over some routes, by number; `labels` say which cities these join.

    As `search`, in plain numbers; only a tangle is searched.

    >>> longest_length([0, 0, 0, 0], [0, 0, 1, 2], [1, 2, 2, 3], [2, 3, 1, 4], [0, 1, 2, 3])
    10
    """
    cities = len(labels)
    count: list[int] = [0] * cities  # of each city the routes and the sum of their numbers; of each label the length
    sums: list[int] = [0] * cities
    totals: list[int] = [0] * cities
    edges: list[int] = [0] * cities  # of each label the routes, twice, less the cities, twice: -2 for a tree
    odds: list[int] = [0] * cities
    ends: list[int] = []
    for route in routes:
        label: i64 = labels[first[route]]
        length: i64 = lengths[route]
        total: i64 = totals[label]
        totals[label] = total + length
        _end(first[route], route, ends, count, sums)
        _end(second[route], route, ends, count, sums)
    for city in ends:
        label = labels[city]
        here: i64 = count[city]
        total = edges[label]
        edges[label] = total + here - 2
        if here & 1:
            total = odds[label]
            odds[label] = total + 1
    best: i64 = 0
    while True:
        most: i64 = best
        which: i64 = -1
        for city in ends:
            total = totals[city]
            if total > most:
                most = total
                which = city
        if which < 0:
            return best
        totals[which] = 0
        here = odds[which]
        if here <= 2:
            return most  # the others are no longer
        here = edges[which]
        if here == -2:
            within: i64 = _longest_branches(labels, which, first, second, lengths, ends, count, sums)
            best = max(best, within)
        else:
            mine = [route for route in routes if labels[first[route]] == which]
            edges_of_mine = [(first[route], second[route], lengths[route]) for route in mine]
            within = search(edges_of_mine, SEARCH_BUDGET) >> len(mine)
            best = max(best, within)


def _end(city: i64, route: i64, ends: list[int], count: list[int], sums: list[int]) -> None:
    """Count a route at one of its cities."""
    here: i64 = count[city]
    if here == 0:
        ends.append(city)
    count[city] = here + 1
    total: i64 = sums[city]
    sums[city] = total + route


def _longest_branches(
    labels: list[int],
    label: i64,
    first: list[int],
    second: list[int],
    lengths: list[int],
    ends: list[int],
    count: list[int],
    sums: list[int],
) -> i64:
    """The longest way through a tree: its leaves are taken off one after the other, and what they reached handed on."""
    leaves = [city for city in ends if labels[city] == label and count[city] == 1]
    branch: list[int] = [0] * len(labels)
    best: i64 = 0
    while leaves:
        city: i64 = leaves.pop()
        if count[city] == 0:
            break  # the last one
        route: i64 = sums[city]
        start: i64 = first[route]
        end: i64 = second[route]
        other = start + end - city
        reach: i64 = branch[city]
        length: i64 = lengths[route]
        reach += length
        rest: i64 = branch[other]
        best = max(best, rest + reach)
        if reach > rest:
            branch[other] = reach
        left: i64 = count[other]
        count[other] = left - 1
        total: i64 = sums[other]
        sums[other] = total - route
        if left == 2:
            leaves.append(other)
    return best
