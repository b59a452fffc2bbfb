"""Payments in which cards of any kind may stand in, and the multisets that count them, against lists of them all."""

from __future__ import annotations

from itertools import product

import pytest
from helpers import COLORS
from hypothesis import example, given
from hypothesis import strategies as st

import ttr_rules as ttr
from ttr_rules.train_cards import Lot, Pool, Reading, StandIns, lots

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


readings = st.builds(
    Reading, st.integers(1, 5), st.integers(0, 2), st.integers(0, 4), st.booleans(), st.none() | st.integers(0, 3)
)
hands = st.fixed_dictionaries(
    {"red": st.integers(0, 3), "blue": st.integers(0, 3), "green": st.integers(0, 2), LOCO: st.integers(0, 3)}
)


@given(readings, hands, st.sampled_from([None, "red", "black"]))
def test_payments_are_what_a_reading_says(reading: Reading, hand: dict[str, int], color: str | None) -> None:
    def fits(payment: dict[str, int]) -> bool:
        wilds = payment[LOCO]
        most = reading.cards if reading.most_wilds is None else reading.most_wilds
        of_one = (
            max(payment[each] for each in hand if each != LOCO and color in (None, each)) if color != "black" else 0
        )
        enough = of_one + (wilds if reading.joined else 0) >= reading.least
        return sum(payment.values()) == reading.cards and reading.wilds <= wilds <= most and enough

    every = [dict(zip(hand, some, strict=True)) for some in product(*(range(count + 1) for count in hand.values()))]
    pool = pool_of(hand)
    payments = StandIns(pool, lots([reading], pool, hand[LOCO], color))
    assert {*payments} == {ttr.Counts(payment) for payment in every if fits(payment)}
    listed = [*payments]
    assert [payments[index] for index in range(len(payments))] == listed and len(set(listed)) == len(listed)
    assert [payments.index(payment) for payment in listed] == list(range(len(listed)))
    assert all((ttr.Counts(payment) in payments) == fits(payment) for payment in every)
    ranked = [(payment[LOCO], payment.total) for payment in payments.cheapest_first()]
    assert ranked == sorted(ranked)


def test_a_lot_may_say_what_is_kept_in_the_hand() -> None:
    """Of three red and two blue ones two are kept, a red one at least among them."""
    pool = pool_of({"red": 3, "blue": 2})
    needs = tuple([1 if color == "red" else None for color in COLORS])
    kept = StandIns(pool, [Lot(0, 2, needs, pool.count(2, needs), keeps=True)])
    assert {*kept} == {ttr.Counts(red=1, blue=2), ttr.Counts(red=2, blue=1)}
    assert [kept.index(payment) for payment in kept] == [0, 1]
    assert ttr.Counts(red=3) not in kept and ttr.Counts(red=2) not in kept
    for stranger in ({"red": 2, "coin": 1}, None, 7, "red"):
        assert stranger not in kept


def test_payments_are_equal_when_all_of_them_are() -> None:
    hand, other = pool_of({"red": 2, "blue": 2}), pool_of({"red": 2, "blue": 2, "green": 1})
    cost = [Reading(2, wilds=0, least=2)]
    first, same, more = (
        StandIns(pool, lots(cost, pool, 0, None)) for pool in (hand, pool_of({"red": 2, "blue": 2}), other)
    )
    assert first == same == [*first] and [*first] == [*more] and first == more
    assert first != StandIns(hand, lots(cost, hand, 0, "red")) and first != 5
