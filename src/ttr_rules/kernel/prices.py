"""Prices that can be paid, in tables that are computed once: mechanics ask for them in every turn of every game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from ttr_rules._internal.native import mypyc_attr
from ttr_rules.kernel.payments import LazyPayments
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Counts
from ttr_rules.model.cost import Cost
from ttr_rules.model.network import numbers


class Price:
    """One item of a price list that a seat can afford now, with every way to pay for it.

    >>> price = Price(0, [Counts(white=3), Counts(white=2, locomotive=1)])
    >>> price.ways, price
    (2, <Price of item 0: 2 ways to pay>)
    """

    __slots__ = ("item", "numbers", "payments", "ways")

    def __init__(self, item: int, payments: Sequence[Counts]) -> None:
        self.item = item
        self.payments = payments
        self.ways = len(payments)
        #: The codes of the payments, once a mechanic has numbered them: see `PriceList.all_payments`.
        self.numbers: list[int] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return Price, (self.item, self.payments)

    def __repr__(self) -> str:
        return f"<Price of item {self.item}: {self.ways} ways to pay>"


class PriceTable:
    """The prices that the same cards can pay, computed once and then shared; `ways` counts the payments of them all.

    >>> table = PriceTable([Price(0, [Counts(red=1)]), Price(4, [Counts(red=2), Counts(red=1, locomotive=1)])])
    >>> table.ways, table.payment(2)
    (3, Counts(red=1, locomotive=1))
    """

    __slots__ = ("layers", "prices", "ways")

    def __init__(self, prices: Iterable[Price]) -> None:
        self.prices = tuple(prices)
        self.ways = sum([price.ways for price in self.prices])
        self.layers: Layers | None = None  # what the mechanic of a price list makes of the table, kept with it

    def __reduce__(self) -> tuple[Any, ...]:
        return PriceTable, (self.prices,)

    def __repr__(self) -> str:
        return f"<PriceTable of {len(self.prices)} items: {self.ways} ways to pay>"

    def payment(self, way: int) -> Counts:
        """One of the payments, by its index among all of them."""
        for price in self.prices:
            if way < price.ways:
                return price.payments[way]
            way -= price.ways
        raise IndexError("no such payment")


#: A price with more ways to pay than this is `deep`: its payments are counted separately.
LAYERS = 6


class Layers:
    """A table of prices as bits, for counting: `places` says where each item applies, as a mask of routes, for example.

    `bits` is one integer: its lowest `width` bits are the places that have a price at all, the next `width` bits the
    places with at least two ways to pay, and so on. The number of bits set is the number of pairs of a place and a way
    to pay. Prices counted this way are `shallow`; those with too many ways to pay are `deep`. Both have each price with
    its place.
    """

    __slots__ = ("_at", "_made_of", "bits", "deep", "shallow")

    def __init__(self, prices: Sequence[Price], places: Sequence[int], width: int) -> None:
        self._made_of = prices, places, width
        self.shallow: list[tuple[int, Price]] = []
        self.deep: list[tuple[int, Price]] = []
        layers = [0] * LAYERS
        for price in prices:
            place = places[price.item]
            if price.ways > LAYERS or place & layers[0]:  # the second: an item that occurs twice
                self.deep.append((place, price))
            else:
                self.shallow.append((place, price))
                for way in range(price.ways):
                    layers[way] |= place
        self.bits = sum([layer << width * way for way, layer in enumerate(layers)])
        self._at: dict[int, Price] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Layers, self._made_of

    def at(self, number: int) -> Sequence[Counts]:
        """The ways to pay at one of the places that are in `bits`, by bit number."""
        return self.price_at(number).payments

    def price_at(self, number: int) -> Price:
        """The price at one of the places that are in `bits`, by bit number."""
        found = self._at.get(number)
        if found is None:
            found = self._at[number] = next(price for place, price in self.shallow if place >> number & 1)
        return found

    def payments(self, bits: int, most: int) -> list[tuple[int, Counts]]:
        """The places and payments that some of `bits` stand for: the first way to pay at each place, then the second, up to `most`."""
        found: list[tuple[int, Counts]] = []
        _, _, width = self._made_of
        for number in numbers(bits):
            way, place = divmod(number, width)
            if way < most:
                found.append((place, self.price_at(place).payments[way]))
        return found

    @staticmethod
    def repeat(width: int) -> int:
        """What repeats a mask of places in every layer, when multiplied with it."""
        return sum([1 << width * layer for layer in range(LAYERS)])


class Payer(Protocol):
    """What pays: an `Economy`."""

    def payments(self, state: State, seat: int, cost: Cost) -> Iterable[Counts]:
        """Every distinct payment for `cost` that `seat` could make now, in a stable order."""
        ...


@mypyc_attr(allow_interpreted_subclasses=True)
class PriceList:
    """The costs that a mechanic charges, and which of them a seat can pay.

    This default asks the economy about every cost in turn; an economy may return a faster one from
    `Economy.price_list`, with `tables` of its own that it keeps for the next time.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> from ttr_rules.model import Cost
    >>> prices = game.rules.economy.price_list([Cost("single", 3, color="white"), Cost("single", 6)])
    >>> [(price.item, [str(payment) for payment in price.payments]) for price in prices.affordable(game.state, 0)]
    [(0, ['3 white', '2 white, 1 locomotive'])]
    """

    __slots__ = ("costs", "economy")

    def __init__(self, economy: Payer, costs: Sequence[Cost]) -> None:
        self.economy = economy
        self.costs = tuple(costs)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.economy, self.costs)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.costs)} costs>"

    def tables(self, state: State, seat: int) -> Sequence[PriceTable]:
        """What `seat` can pay now, in a stable order; each table may be shared with other hands."""
        return (PriceTable(self.asked(state, seat)),)

    def affordable(self, state: State, seat: int) -> list[Price]:
        """The items that `seat` can pay now, out of all tables; `Price.item` is an index into `costs`."""
        return [price for table in self.tables(state, seat) for price in table.prices]

    def all_payments(self) -> Sequence[Sequence[Counts]] | None:
        """Every payment that each cost can ever have, so that they can be numbered; None if there are too many."""
        return None

    def asked(self, state: State, seat: int) -> list[Price]:
        """The same from the economy's `payments`, cost by cost."""
        found: list[Price] = []
        for item, cost in enumerate(self.costs):
            ways = self.economy.payments(state, seat, cost)
            payments = ways if isinstance(ways, LazyPayments) else tuple(ways)
            if payments:
                found.append(Price(item, payments))
        return found
