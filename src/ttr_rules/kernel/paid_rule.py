"""Rules that sell things: routes, and things of plugins."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Final, TypeVar

from ttr_rules._internal.native import as_given, i64, mypyc_attr, overrides
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import NumberedRule, value_refusal
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.effects import enter_tunnel
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, join_commas, join_few
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import Action, Decision, Question
from ttr_rules.reading import is_list
from ttr_rules.text import brief

D = TypeVar("D", bound=Decision)
A = TypeVar("A", bound=Action)
NO_EXTRA: Final = Counts()


class Tariff:
    """The costs of the items of a `PaidRule`, as numbers in `prices`: `cost_of` by item, and the `items` of each cost.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("north-america", players=2, seed=1)
    >>> claims = game.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    >>> tariff = claims.tariff(game.state, 0)
    >>> len(tariff.cost_of), tariff.prices.costs[tariff.cost_of[0]].spaces
    (100, 2)
    """

    def __init__(self, prices: Prices, cost_of: list[int]) -> None:
        self.prices = prices
        self.cost_of = cost_of
        self.items: list[list[int]] = [[] for _ in prices.costs]
        for item, cost in enumerate(cost_of):
            self.items[cost].append(item)


@mypyc_attr(allow_interpreted_subclasses=True)
class PaidRule(NumberedRule[D, A]):
    """An action that buys one of several things. Its fields are `seat`, the thing and `payment`, in this order.

    A subclass defines the things with their possible costs (`every`), refuses those that are not for sale now
    (`no_sale`), and carries out a purchase (`bought`). Counting, listing, numbering, refusing and paying follow from
    that. What a decision offers in its fields is read from `state.decision(seat)`. `payment_rule` is the id of the rule that
    refusals of payments cite. A thing is the value of the field between
    `seat` and `payment`. If there are several such fields or none, it is a tuple.

    Internally an *item* is a thing at one of its costs, as a number: its index in `every`. `cost_of[item]` is the
    number of its cost in `prices`. Where costs depend on the position, a rule overrides `tariff`. Cost numbers are
    valid only within one `Prices` object. A code combines an item and a way to pay for it. For speed, a rule may
    override `on_sale`, `stock`, `items` and `item`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["north-america"], "seed": 1, "players": players})
    >>> claims = game.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute]
    >>> isinstance(claims, PaidRule), claims.action_of(game.state, 0, claims.nth(game.state, 0, 0)).payment
    (True, Counts(white=2))
    """

    #: The rule that refuses payments, instead of those that the economy cites for routes.
    payment_rule: ClassVar[str] = ""
    #: True if things are routes, and cards are turned up for those whose cost is a tunnel, as for a claim.
    enters_tunnels: ClassVar[bool] = False

    # -- defined by subclasses ---------------------------------------------------------------------------------

    @abstractmethod
    def every(self, rules: Rules) -> Iterable[tuple[Hashable, Cost]]:
        """All things that can ever be for sale, each paired with every cost that it can have."""
        raise NotImplementedError(f"{type(self).__name__} needs a method every")

    def cost(self, state: State, seat: int, thing: Any) -> Cost:
        """The cost of a thing for a seat now: by default its first cost in the tariff, by which things are counted, too.

        `ClaimRule` works it out anew, so that its refusals check what is counted.
        """
        tariff = self.tariff(state, seat)
        cost: Cost = tariff.prices.costs[tariff.cost_of[self._first_item[thing]]]
        return cost

    def no_sale(self, state: State, seat: int, thing: Any) -> Refusal | None:
        """A refusal if a seat cannot buy a thing now, whatever it pays, or None if it can."""
        return None

    @abstractmethod
    def bought(self, tx: Transaction, seat: int, thing: Any) -> Question | None:
        """Carry out a purchase that has been paid for: emit events. A returned question is asked next."""
        raise NotImplementedError(f"{type(self).__name__} needs a method bought")

    def pay(self, tx: Transaction, seat: int, thing: Any, payment: Counts) -> None:
        """Take a payment that is not for a tunnel.

        A rule whose payment goes elsewhere, such as to another player, overrides it. A payment may hold pieces of an
        `EconomyLayer`, such as coins, which `super().pay` takes.
        """
        self.economy.pay(tx, seat, self.cost(tx.state, seat, thing), payment)

    # -- items -----------------------------------------------------------------------------------------------

    def bind(self, rules: Rules) -> None:
        self.economy: Economy = rules.economy
        self._pays_itself = overrides(self, PaidRule, "pay")
        if "payment" not in self.action.__match_args__:
            raise PluginError(
                f"{type(self).__name__} sells by {self.action.__name__}, which has no payment: write payment: Counts in it"
            )
        if self.action.__match_args__[-1] != "payment":
            raise PluginError(
                f"{type(self).__name__} sells by {self.action.__name__}, whose fields are {', '.join(self.action.__match_args__)}: "
                "what is bought comes first, and payment last"
            )
        self._fields = [name for name in self.action.__match_args__ if name not in ("seat", "payment")]
        pairs = list(self.every(rules))
        numbers: dict[Cost, int] = {}
        self.cost_of: list[int] = [numbers.setdefault(cost, len(numbers)) for _, cost in pairs]
        self.things: list[Any] = [thing for thing, _ in pairs]
        if self.enters_tunnels and (self.free or not rules.board.routes.keys() >= {*self.things}):
            raise PluginError(f"{type(self).__name__} enters tunnels: it must sell routes, by id, and not be free")
        self._first_item: dict[Hashable, int] = {}
        self._item_at: dict[tuple[Hashable, int], int] = {}
        for item, (thing, cost) in enumerate(zip(self.things, self.cost_of, strict=True)):
            self._first_item.setdefault(thing, item)
            self._item_at[thing, cost] = item
        self._several = len(self._first_item) < len(pairs)
        self._cost_numbers = numbers
        self.prices: Prices = self.make_prices(list(numbers))
        self._usual = Tariff(self.prices, self.cost_of)
        #: The tariff, if it is always the same: it is needed several times for each action.
        self.constant_tariff: Tariff | None = None if self.changes_costs(rules) else self._usual
        self.first_code: list[int] = []
        self._item_of_code: list[int] = []
        sizes = self.prices.sizes()
        if sizes:
            for item, number in enumerate(self.cost_of):
                self.first_code.append(len(self._item_of_code))
                self._item_of_code += [item] * sizes[number]
        # Where costs change, a code has no fixed meaning.
        self.fixed_codes = bool(self.first_code) and self.constant_tariff is not None

    @property
    def sold_by(self) -> str:
        """The name of this rule in a `TunnelDue`."""
        return type(self).__name__

    def make_prices(self, costs: Sequence[Cost]) -> Prices:
        """The prices of all costs."""
        return self.economy.prices(costs)

    def changes_costs(self, rules: Rules) -> bool:
        """True if costs may differ from those in `every`, or change: if `tariff` is overridden."""
        return overrides(self, PaidRule, "tariff")

    def tariff(self, state: State, seat: i64) -> Tariff:
        """The tariff that applies to a seat now."""
        return self._usual

    def on_sale(self, state: State, seat: i64) -> list[int]:
        """The items that are for sale now. Raises `PluginError` for a cost that is not in `every`."""
        return [
            self._item(state, seat, thing) for thing in self._first_item if self.no_sale(state, seat, thing) is None
        ]

    def _item(self, state: State, seat: i64, thing: Hashable) -> i64:
        """The item of a thing at its cost now. Raises `PluginError` for a cost that is not in `every`."""
        if not self._several:
            return self._first_item[thing]
        cost = self.cost(state, seat, thing)
        try:
            return self._item_at[thing, self._cost_numbers[cost]]
        except KeyError:
            words = self.action.__name__ if thing == () else f"{self.action.__name__} of {brief(thing)}"
            raise PluginError(
                f"{type(self).__name__}.cost gives {cost} for {words}, a cost that its method every does not name: let every "
                f"yield ({thing!r}, {cost!r}) too"
            ) from None

    def stock(self, state: State, seat: i64) -> list[int]:
        """The number of items for sale at each cost. Do not modify the result.

        At each cost that the seat can pay it is the number of `items`. At others it may be 0, whatever is for sale.
        """
        tariff = self.tariff(state, seat)
        stock = [0] * len(tariff.items)
        for item in self.on_sale(state, seat):
            stock[tariff.cost_of[item]] += 1
        return stock

    def items(self, state: State, seat: i64, cost: i64) -> list[int]:
        """The items that are for sale at a cost."""
        cost_of = self.tariff(state, seat).cost_of
        return [item for item in self.on_sale(state, seat) if cost_of[item] == cost]

    def item(self, state: State, seat: i64, cost: i64, which: i64) -> i64:
        """The item with an index among those for sale at a cost."""
        return self.items(state, seat, cost)[which]

    def item_of(self, state: State, action: A) -> i64:
        """The item that an action buys."""
        return self._item(state, action.seat, self.thing_of(action))

    def thing_of(self, action: A) -> Hashable:
        """The thing that an action buys."""
        values: list[Hashable] = [getattr(action, name) for name in self._fields]
        return values[0] if len(values) == 1 else tuple(values)

    def make(self, state: State, seat: i64, item: i64, payment: Counts) -> A:
        """The action that buys an item."""
        thing = self.things[item]
        action: A = self.action(seat, *(thing if len(self._fields) != 1 else (thing,)), payment)
        return action

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> Question | None:
        """Pay for an item and carry out the purchase."""
        item, way = self.decode(code)
        tariff = self.constant_tariff or self.tariff(tx.state, seat)
        prices = tariff.prices
        cost: i64 = tariff.cost_of[item]
        if prices.tunnels[cost] and self.enters_tunnels:
            payment = prices.payment(tx.state, seat, cost, way)
            revealed, extra = prices.enter_tunnel(tx, seat, cost, way)
            if extra is not None:
                enter_tunnel(tx, seat, (self.things[item], payment, revealed, extra, self.sold_by))
                return None
            self.economy.spend_laid(tx, seat, NO_EXTRA)
        elif self._pays_itself:
            self.pay(tx, seat, self.things[item], prices.payment(tx.state, seat, cost, way))
        else:
            prices.pay(tx, seat, cost, way)
        return self.bought(tx, seat, self.things[item])

    # -- the rest follows ------------------------------------------------------------------------------------

    def refusal(self, state: State, decision: D, action: A) -> Refusal | None:
        thing, payment, seat = self.thing_of(action), as_given(action, "payment"), decision.seat
        if thing not in self._first_item:
            template, first = "{thing} is not one of {things}", join_few(map(_in_words, self._first_item))
            given = _in_words(thing) if is_list(thing) else brief(thing)
            return Refusal("S8", Message(template, thing=given, things=first))
        if not isinstance(payment, Counts):
            return value_refusal("payment", Counts, payment)
        refused = self.no_sale(state, seat, thing)
        return refused or self.payment_refusal(state, action, self.cost(state, seat, thing))

    def payment_refusal(self, state: State, action: Any, cost: Cost) -> Refusal | None:
        """A refusal if the payment of an action does not pay a cost."""
        if self.payment_rule:
            return self.economy.refusal_under(self.payment_rule, state, action.seat, cost, action.payment)
        return self.economy.refusal(state, action.seat, cost, action.payment)

    def number_of_codes(self, rules: Rules) -> int | None:
        return len(self._item_of_code) if self.fixed_codes else None

    def count(self, state: State, seat: i64) -> i64:
        tariff = self.constant_tariff or self.tariff(state, seat)
        return tariff.prices.count(state, seat, self.stock(state, seat))

    def nth(self, state: State, seat: i64, index: i64) -> i64:
        tariff = self.constant_tariff or self.tariff(state, seat)
        cost, way, which = tariff.prices.nth(state, seat, self.stock(state, seat), index)
        return self._code(self.item(state, seat, cost, which), way)

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        codes: list[int] = []
        items: dict[int, list[int]] = {}
        for cost, way in self.tariff(state, seat).prices.listed(state, seat, self.stock(state, seat)):
            if cost not in items:
                items[cost] = self.items(state, seat, cost)
            codes += [self._code(item, way) for item in items[cost]]
        return codes

    def _code(self, item: i64, way: i64) -> i64:
        if self.fixed_codes:
            return self.first_code[item] + way
        return item + len(self.cost_of) * way

    def decode(self, code: i64) -> tuple[i64, i64]:
        """The item and the way to pay."""
        if self.fixed_codes:
            item: i64 = self._item_of_code[code]
            return item, code - self.first_code[item]
        items: i64 = len(self.cost_of)
        return code % items, code // items

    def action_of(self, state: State, seat: i64, code: i64) -> A:
        return self._make_at(state, seat, code, self.tariff(state, seat))

    def actions_of(self, state: State, seat: i64, codes: Sequence[int]) -> Iterator[A]:
        tariff = self.tariff(state, seat)  # asked once, as plugins may be slow
        for code in codes:
            yield self._make_at(state, seat, code, tariff)

    def _make_at(self, state: State, seat: i64, code: i64, tariff: Tariff) -> A:
        item, way = self.decode(code)
        return self.make(state, seat, item, tariff.prices.payment(state, seat, tariff.cost_of[item], way))

    def code_of(self, state: State, seat: i64, action: A) -> i64:
        item, tariff = self.item_of(state, action), self.tariff(state, seat)
        return self._code(item, tariff.prices.way_of(state, seat, tariff.cost_of[item], _read_payment(action)))

    def perform(self, tx: Transaction, decision: D, action: A) -> Question | None:
        seat = decision.seat
        item, tariff = self.item_of(tx.state, action), self.tariff(tx.state, seat)
        way = tariff.prices.checked_way_of(tx.state, seat, tariff.cost_of[item], _read_payment(action))
        return self.perform_code(tx, seat, self._code(item, way))

    def purchases(
        self, state: State, seat: i64, things: Container[object] | None = None
    ) -> Iterable[tuple[A, Sequence[Counts]]]:
        tariff = self.tariff(state, seat)
        by_cost: dict[int, Sequence[Counts]] = {}
        purchases: list[tuple[A, Sequence[Counts]]] = []
        for item in sorted(self.on_sale(state, seat)):
            if things is None or self.things[item] in things:
                cost = tariff.cost_of[item]
                if cost not in by_cost:
                    by_cost[cost] = tariff.prices.payments(state, seat, cost)
                if payments := by_cost[cost]:
                    purchases.append((self.make(state, seat, item, payments[0]), payments))
        return purchases


def _read_payment(action: Any) -> Counts:
    payment: Counts = action.payment
    return payment


def _in_words(thing: object) -> object:
    """A thing on sale as a value of a message."""
    return Message("({values})", values=join_commas(thing)) if is_list(thing) else thing
