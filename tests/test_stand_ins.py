"""Payments in which cards of any kind may stand in, and the multisets that count them, against lists of them all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from helpers import COLORS
from hypothesis import example, given
from hypothesis import strategies as st
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.model import Cost
from ttr_rules.train_cards import Batch, Bill, Lot, Pool, Reading, StandIns, TrainCards

LOCO = "locomotive"


@st.composite
def pools(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int | None, ...] | None]:
    most = draw(st.lists(st.integers(0, 3), min_size=1, max_size=5))
    enough = st.one_of(st.none(), st.integers(0, 4))
    return tuple(most), draw(st.one_of(st.none(), st.tuples(*[enough] * len(most))))


@example(((2, 0, 3), (0, None, None)), 4)
@example(((2, 0, 3), (None, None, None)), 2)
@given(pools(), st.integers(0, 7))
def test_a_pool_counts_what_it_lists(supply: tuple[tuple[int, ...], tuple[int | None, ...] | None], size: int) -> None:
    most, needs = supply
    pool = Pool(most)
    listed = [
        some
        for some in product(*(range(count + 1) for count in most))
        if sum(some) == size
        and (needs is None or any(need is not None and n >= need for n, need in zip(some, needs, strict=True)))
    ]
    assert list(pool.each(size, needs)) == listed
    assert pool.count(size, needs) == len(listed)
    assert [pool.nth(index, size, needs) for index in range(len(listed))] == listed
    assert [pool.index(some, needs) for some in listed] == list(range(len(listed)))
    assert all(pool.has(some, needs) for some in listed)
    with pytest.raises(IndexError, match="no such multiset"):
        pool.nth(len(listed), size, needs)
    with pytest.raises(ValueError, match="no such multiset"):
        pool.index([count + 1 for count in most], needs)


def test_what_is_in_a_pool() -> None:
    pool = Pool((2, 0, 3))
    assert pool.size == 5 and pool.count(-1) == pool.count(6) == 0
    assert pool.has((2, 0, 3)) and not pool.has((2, 1, 3)) and not pool.has((-1, 0, 3))
    assert pool.has((2, 0, 0), (2, None, None)) and not pool.has((1, 0, 3), (2, None, None))


def pool_of(hand: dict[str, int]) -> Pool:
    return Pool([hand.get(color, 0) for color in COLORS])


hands = st.fixed_dictionaries(
    {"red": st.integers(0, 3), "blue": st.integers(0, 3), "green": st.integers(0, 2), LOCO: st.integers(0, 3)}
)
CARDS = TrainCards()


def whole(hand: dict[str, int]) -> dict[str, int]:
    return {kind: hand.get(kind, 0) for kind in CARDS.kinds}


def bill(
    color: str | None, readings: list[tuple[int, int]], kinds: Sequence[str], wilds: int | None, least: int
) -> Bill:
    """A cost that takes so many cards of a color, or of any one, with so many others."""
    asked = [color] if color else COLORS
    made = [
        Reading(Lot({each: 1}, proper), Lot(dict.fromkeys(kinds, 1), others), wilds=wilds, needs_wilds=least)
        for proper, others in readings
        for each in asked
    ]
    return Bill(Cost("single", 1, color), made, CARDS)


@st.composite
def stand_ins(draw: st.DrawFn) -> tuple[list[tuple[int, int]], bool, int | None, int]:
    one, other = draw(st.tuples(st.integers(0, 3), st.integers(0, 4))), draw(st.integers(0, 2))
    more = [(other, sum(one) + 1 - other)] if other <= sum(one) and draw(st.booleans()) else []
    return [one, *more], draw(st.booleans()), draw(st.none() | st.integers(0, 3)), draw(st.integers(0, 2))


@given(stand_ins(), hands, st.sampled_from([None, "red", "black"]))
def test_what_is_counted_is_what_is_found_by_trying(
    asked: tuple[list[tuple[int, int]], bool, int | None, int], hand: dict[str, int], color: str | None
) -> None:
    readings, mixed, wilds, least = asked
    cost = bill(color, readings, [*COLORS, LOCO] if mixed else COLORS, wilds, least)
    payments, all_of_it = cost.payments(whole(hand)), ttr.Counts(hand)
    assert isinstance(payments, StandIns) and cost.every is None
    tried = {payment for reading in cost.readings for payment in reading.payments(whole(hand))}
    listed = [*payments]
    assert set(listed) == tried and len(set(listed)) == len(listed)
    assert [payments[index] for index in range(len(payments))] == listed
    assert [payments.index(payment) for payment in listed] == list(range(len(listed)))
    parts = [ttr.Counts(dict(zip(hand, some, strict=True))) for some in product(*(range(n + 1) for n in hand.values()))]
    assert all((part in payments) == cost.pays(part) == (part in tried) for part in parts)
    ranked = [CARDS.payment_rank(payment) for payment in payments.cheapest_first()]
    assert ranked == sorted(ranked) and all_of_it.total == sum(hand.values())


def test_a_batch_may_say_what_is_kept_in_the_hand() -> None:
    """Of three red and two blue ones two are kept, a red one at least among them."""
    pool = pool_of({"red": 3, "blue": 2})
    needs = tuple([1 if color == "red" else None for color in COLORS])
    kept = StandIns(pool, [Batch(0, 2, needs, pool.count(2, needs), keeps=True)], (*COLORS, LOCO), CARDS.payment_rank)
    assert {*kept} == {ttr.Counts(red=1, blue=2), ttr.Counts(red=2, blue=1)}
    assert [kept.index(payment) for payment in kept] == [0, 1]
    assert ttr.Counts(red=3) not in kept and ttr.Counts(red=2) not in kept
    for stranger in ({"red": 2, "coin": 1}, None, 7, "red"):
        assert stranger not in kept


def test_payments_are_equal_when_all_of_them_are() -> None:
    cost = bill(None, [(2, 0)], COLORS, None, 0)
    hand, other = whole({"red": 2, "blue": 2}), whole({"red": 2, "blue": 2, "green": 1})
    first, same, more = (cost.payments(each) for each in (hand, dict(hand), other))
    assert first == same == [*first] and [*first] == [*more] and first == more
    assert first != bill("red", [(2, 0)], COLORS, None, 0).payments(hand)


def test_what_fits_no_other_form_is_looked_for_in_each_hand() -> None:
    """Two pairs, of one color or of two: too many payments for a table."""
    pairs = [Reading(Lot({one: 1}, 2), Lot({other: 1}, 2)) for one in COLORS for other in COLORS]

    class Pairs(TrainCards):
        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return pairs

    prices = Pairs().prices([Cost("single", 4)])
    assert prices.every() is None
    game = ttr.arrange(
        ttr.compile_rules("north-america"), {"seed": 1, "players": [{"hand": {"red": 3, "blue": 2, LOCO: 1}}, {}]}
    )
    payments = prices.payments(game.state, 0, 0)
    assert {*payments} == {
        ttr.Counts(counts)
        for counts in (
            {"red": 2, "blue": 2},
            {"red": 3, LOCO: 1},
            {"red": 2, "blue": 1, LOCO: 1},
            {"red": 1, "blue": 2, LOCO: 1},
        )
    }
    assert prices.count(game.state, 0, [3]) == 12
    ways = prices.listed(game.state, 0, [1])
    assert [prices.payment(game.state, 0, cost, way) for cost, way in ways] == [*payments]
    assert [prices.way_of(game.state, 0, 0, payment) for payment in payments] == [way for _, way in ways]


def test_powers_of_a_seat_change_what_stands_in_and_readings_are_kept_by_powers() -> None:
    """Who has claimed a tunnel pays two cards of any color for one; everybody else pays three."""
    asked: list[tuple[Cost, object]] = []

    class Traders(TrainCards):
        def powers(self, state: ttr.State, seat: int) -> int:
            routes = state.rules.board.routes
            return 2 if any(routes[id].tunnel for id, owner in state.owners.items() if owner == seat) else 3

        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            assert isinstance(powers, int)
            asked.append((cost, powers))
            others = dict.fromkeys(self.colors, 1)
            return [
                Reading(Lot({color: 1}, cost.spaces - n), Lot(others, powers * n), needs_wilds=cost.wilds)
                for n in range(cost.spaces + 1)
                for color in self.colors_for(cost)
            ]

    rules = ttr.compile_rules("europe", plugin("traders", economy=giving(Traders())))
    hand = {"white": 2, "red": 1, "blue": 1}
    table = [{"hand": hand, "routes": [["Zürich", "Venezia"]]}, {"hand": hand}]
    game = ttr.arrange(rules, {"seed": 1, "players": table})
    prices = rules.economy.prices([Cost("single", 3, "white")])
    assert [[str(way) for way in prices.payments(game.state, seat, 0)] for seat in (0, 1)] == [
        ["1 blue, 2 white, 1 red"],
        [],
    ]
    for seed in range(3):
        ttr.playout(rules, players=3, seed=seed)
    assert {powers for _, powers in asked} == {2, 3}
    assert len(asked) == len(set(asked))


def test_cards_worth_more_than_one_space_and_cards_of_several_kinds_have_tables() -> None:
    """Ships of one color, some worth two spaces, one of them perhaps too many."""
    deck = {"red": 6, "double_red": 4, "blue": 6, "double_blue": 4, LOCO: 5}

    class Ships(TrainCards):
        def __init__(self) -> None:
            super().__init__(deck)
            self.colors = ("red", "blue")

        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return [
                Reading(Lot({color: 1, f"double_{color}": 2}, cost.spaces, spare=1)) for color in self.colors_for(cost)
            ]

    variant = plugin("ships", economy=giving(Ships()))
    rules = ttr.compile_rules("north-america", variant)
    prices = rules.economy.prices([Cost("single", 3), Cost("single", 3, "red")])
    hand = {"red": 2, "double_red": 1, "blue": 1, "double_blue": 2, LOCO: 1}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
    assert [str(payment) for payment in prices.payments(game.state, 0, 1)] == [
        "1 red, 1 double_red",
        "2 red, 1 locomotive",
        "1 double_red, 1 locomotive",
    ]
    assert ttr.Counts(double_blue=2) in prices.payments(game.state, 0, 0)
    assert prices.ways(game.state, 0, 0) == len(prices.payments(game.state, 0, 0)) and prices.sizes() is not None
