"""The claims that a seat can make, created as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_rules.kernel.lazy_actions import LazyActions
from ttr_rules.kernel.payments import joined_payments
from ttr_rules.kernel.prices import Layers, Price
from ttr_rules.model.actions import ClaimRoute
from ttr_rules.model.cards import Counts
from ttr_rules.model.network import nth_number, numbers


class Claims(LazyActions[ClaimRoute]):
    """The claims that a seat can make: for every price, the open routes of that price times the ways to pay it.

    `payable` holds, for each of the `layers`, the open part of its bits: a bit for each route and way to pay. After
    those come the `deep` prices, each with the routes that are open.
    """

    __slots__ = ("_deep", "_ids", "_layers", "_payable", "_seat", "_width")

    def __init__(
        self,
        seat: int,
        ids: tuple[str, ...],
        layers: Sequence[Layers],
        payable: Sequence[int],
        deep: Sequence[tuple[int, Price]],
        size: int,
        width: int,
    ) -> None:
        self._size = size
        self._seat = seat
        self._ids = ids
        self._layers = layers
        self._payable = payable
        self._deep = deep
        self._width = width

    def nth(self, index: int) -> ClaimRoute:
        for layers, payable in zip(self._layers, self._payable, strict=True):
            size = payable.bit_count()
            if index < size:
                way, route = divmod(nth_number(payable, index), self._width)
                return ClaimRoute(self._seat, self._ids[route], layers.at(route)[way])
            index -= size
        for routes, price in self._deep:
            count = routes.bit_count()
            if index < count * price.ways:
                way, which = divmod(index, count)
                return ClaimRoute(self._seat, self._ids[nth_number(routes, which)], price.payments[way])
            index -= count * price.ways
        raise IndexError("no such claim")

    def __iter__(self) -> Iterator[ClaimRoute]:
        return self.sample(self._size)

    def __contains__(self, action: object) -> bool:
        if type(action) is not ClaimRoute or action.seat != self._seat or action.route not in self._ids:
            return False
        route = self._ids.index(action.route)
        for layers, payable in zip(self._layers, self._payable, strict=True):
            if payable >> route & 1 and action.payment in layers.at(route):
                return True
        return any(routes >> route & 1 and action.payment in price.payments for routes, price in self._deep)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Claims) and self._priced() == other._priced():  # fast: creates no claim
            return True
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def _priced(self) -> object:
        shallow = [[(place, price.payments) for place, price in layers.shallow] for layers in self._layers]
        deep = [(routes, price.payments) for routes, price in self._deep]
        return self._seat, self._ids, self._width, shallow, list(self._payable), deep

    def purchases(self) -> Iterator[tuple[ClaimRoute, Sequence[Counts]]]:
        """Every route that can be claimed, in board order; routes with the same price share their payments."""
        ways: dict[int, list[Sequence[Counts]]] = {}
        for layers, payable in zip(self._layers, self._payable, strict=True):
            open_routes = payable & (1 << self._width) - 1
            for routes, price in layers.shallow:
                for route in numbers(routes & open_routes):
                    ways.setdefault(route, []).append(price.payments)
        for routes, price in self._deep:
            for route in numbers(routes):
                ways.setdefault(route, []).append(price.payments)
        joined: dict[tuple[int, ...], tuple[Sequence[Counts], Counts]] = {}
        for route, parts in sorted(ways.items()):
            key = tuple(map(id, parts))
            if key not in joined:
                payments = joined_payments(parts)
                joined[key] = payments, payments[0]
            payments, first = joined[key]
            yield ClaimRoute(self._seat, self._ids[route], first), payments

    # survives 101, 99: how large a sample is, is a choice
    def sample(self, most: int = 100) -> Iterator[ClaimRoute]:
        """The first ways to pay for every route, `most` for each price."""
        seat, ids = self._seat, self._ids
        for layers, payable in zip(self._layers, self._payable, strict=True):
            for route, payment in layers.payments(payable, most):
                yield ClaimRoute(seat, ids[route], payment)
        for routes, price in self._deep:
            open_routes = numbers(routes)
            for payment in price.payments[:most]:
                for route in open_routes:
                    yield ClaimRoute(seat, ids[route], payment)
