"""Barred routes that a seat can open, such as by buying a license: what they need, and what that costs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ttr_rules import Rules, View
from ttr_rules.hints import OpeningHint
from ttr_rules.model import Cost, Route


def opening_hint(rules: Rules) -> OpeningHint | None:
    """The hint about what opens routes: the first, as bots buy for one plugin only."""
    return next((hint for hint in rules.bot_hints if isinstance(hint, OpeningHint)), None)


class Openings:
    """What the barred routes of a view still need, according to the hint of a plugin; nothing without one.

    `locked` holds, for each barred route that can be opened, the names of what it needs.
    """

    def __init__(self, view: View, rules: Rules) -> None:
        self._view, self._rules = view, rules
        self.hint = opening_hint(rules)
        self.locked: dict[str, tuple[str, ...]] = {}
        if self.hint is not None:
            lacking = {id: self.hint.lacking(view, rules, rules.board.routes[id]) for id in view.barred}
            self.locked = {id: names for id, names in lacking.items() if names}
        self._costs: dict[str, Cost] = {}
        self._prices: dict[str, int] = {}

    def of(self, route: Route) -> tuple[str, ...]:
        """What a route still needs."""
        return self.locked.get(route.id, ())

    def cost(self, name: str) -> Cost:
        """The cost of something that opens routes."""
        assert self.hint is not None
        if name not in self._costs:
            self._costs[name] = self.hint.cost(self._view, self._rules, name)
        return self._costs[name]

    def price(self, names: Iterable[str]) -> int:
        """What some things cost in cards: a locomotive counts as two."""
        price = 0
        for name in names:
            if name not in self._prices:
                cost = self.cost(name)
                self._prices[name] = cost.spaces * (2 if cost.only_wilds else 1)
            price += self._prices[name]
        return price

    def needs(self, links: Iterable[Sequence[Route]]) -> frozenset[str]:
        """What must be bought before one of the routes of every link can be claimed."""
        if not self.locked:
            return frozenset()
        cheapest = [min(map(self.of, routes), key=self.price) for routes in links if routes]
        return frozenset(name for names in cheapest for name in names)

    def paid_first(self, wild: int, names: Collection[str]) -> tuple[int, int]:
        """The locomotives left after buying some things, below 0 if too few, and the other cards that these cost."""
        if not names:
            return wild, 0
        costs = list(map(self.cost, names))
        wilds = sum(cost.spaces for cost in costs if cost.only_wilds)
        return wild - wilds, sum(cost.spaces for cost in costs) - wilds
