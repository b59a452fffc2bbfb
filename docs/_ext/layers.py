"""Nodes and arrows in layers: what uses something stands above it, and few arrows cross."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise

from attrs import frozen

SPACE = 24
SWEEPS = 24


def circles(graph: Mapping[str, Iterable[str]]) -> list[frozenset[str]]:
    """Packages that use each other go together; everything else is alone. Those that are used come first."""
    reach = {name: reachable(graph, name) for name in graph}
    groups = {frozenset({name} | {other for other in reach[name] if name in reach[other]}) for name in graph}
    return sorted(groups, key=lambda group: (len(set().union(*(reach[name] for name in group)) | group), sorted(group)))


def reachable(graph: Mapping[str, Iterable[str]], start: str) -> set[str]:
    """The nodes that can be reached from a node by one arrow or several."""
    found: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph[node]
    return found


def essential(graph: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    """The arrows of an acyclic graph that do not follow from others: A → C goes if A → B → C is there."""
    reach = {name: reachable(graph, name) for name in graph}
    return {
        name: {each for each in targets if not any(each in reach[other] for other in targets if other != each)}
        for name, targets in graph.items()
    }


def rows(graph: Mapping[str, Iterable[str]], width: int) -> list[list[str]]:
    """The nodes of an acyclic graph in rows from the bottom up: each above everything it uses, at most `width` in a row."""
    placed: dict[str, int] = {}
    found: list[list[str]] = []
    for name in sorted(graph, key=lambda name: (len(reachable(graph, name)), name)):
        row = max((placed[used] + 1 for used in graph[name]), default=0)
        while row < len(found) and len(found[row]) >= width:
            row += 1
        found += [[] for _ in range(row + 1 - len(found))]
        found[row].append(name)
        placed[name] = row
    return found


@frozen
class Layout:
    """Places of the nodes: for each row, from the bottom up, the middles of its nodes; and the paths of the arrows."""

    rows: list[dict[str, float]]
    #: For each arrow, the rows it passes through on its way down, and where.
    ways: dict[tuple[str, str], list[tuple[int, float]]]


def layout(graph: Mapping[str, Iterable[str]], per_row: int, width: float) -> Layout:
    """Nodes of some width in rows, ordered so that arrows are short and cross little. `graph` is acyclic."""
    lines = rows(graph, per_row)
    level = {name: number for number, line in enumerate(lines) for name in line}
    widths = dict.fromkeys(level, width)
    links: dict[str, list[str]] = {}
    chains: dict[tuple[str, str], list[str]] = {}
    for name, targets in essential(graph).items():
        for target in sorted(targets):
            between = range(level[name] - 1, level[target], -1)
            passed = [f"{name} > {target} @ {row}" for row in between]
            for row, each in zip(between, passed, strict=True):
                lines[row].append(each)
                widths[each] = 0
            chains[name, target] = passed
            chain = [name, *passed, target]
            for upper, lower in pairwise(chain):
                links.setdefault(upper, []).append(lower)
                links.setdefault(lower, []).append(upper)
    middle: dict[str, float] = {}
    for line in lines:
        middle |= spread(line, [number * (width + SPACE) for number in range(len(line))], widths)
    for sweep in range(SWEEPS):
        for line in lines if sweep % 2 else reversed(lines):
            ideal = {each: _mean([middle[other] for other in links.get(each, [each])]) for each in line}
            line.sort(key=lambda each: (ideal[each], each))
            middle |= spread(line, [ideal[each] for each in line], widths)
    left = min(middle[each] - widths[each] / 2 for each in middle)
    return Layout(
        [{each: middle[each] - left for each in line if each in graph} for line in lines],
        {arrow: [(level[arrow[0]] - 1 - number, middle[each] - left) for number, each in enumerate(passed)]
         for arrow, passed in chains.items()},
    )  # fmt: skip


def spread(line: Sequence[str], ideal: Sequence[float], widths: Mapping[str, float]) -> dict[str, float]:
    """The places nearest to the ideal ones at which nodes in this order do not overlap (an isotonic regression).

    >>> spread("ab", [0, 0], {"a": 10, "b": 10})
    {'a': -17.0, 'b': 17.0}
    """
    steps = [(widths[one] + widths[next]) / 2 + SPACE for one, next in pairwise(line)]
    offsets = list(accumulate(steps, initial=0.0))
    blocks: list[list[float]] = []
    for place, offset in zip(ideal, offsets, strict=False):
        blocks.append([place - offset])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    starts = [_mean(block) for block in blocks for _ in block]
    return {name: start + offset for name, start, offset in zip(line, starts, offsets, strict=False)}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
