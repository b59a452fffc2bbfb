"""Payments in which cards of any kind may stand in, and the multisets that count them, against lists of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from time import process_time
from typing import Any

import pytest
from helpers import COLORS
from hypothesis import example, given, strategies as st
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.errors import PluginError
from ttr_rules.model import Cost
from ttr_rules.train_cards import Batch, Bill, Lot, Pool, Reading, StandInPayments, TrainCards
from ttr_rules.train_cards.prices import CountedCosts
from ttr_rules.train_cards.readings import PackedHand

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
    assert pool.count(size, needs) == len(listed)
    kinds = [f"kind{number}" for number in range(len(most))]
    choices = StandInPayments(pool, [Batch(0, size, needs)], (*kinds, LOCO), CARDS.payment_rank)
    payments = [ttr.Counts(dict(zip(kinds, some, strict=True))) for some in listed]
    assert list(choices) == [choices[index] for index in range(len(choices))] == payments
    assert [choices.index(payment) for payment in payments] == list(range(len(listed)))
    with pytest.raises(IndexError):
        choices[len(listed)]
    with pytest.raises(ValueError, match="not one of these payments"):
        choices.index({kind: count + 1 for kind, count in zip(kinds, most, strict=True)})


def test_what_is_in_a_pool() -> None:
    pool = Pool((2, 0, 3))
    assert pool.size == 5 and pool.count(-1) == pool.count(6) == 0
    assert pool.count(3, (2, None, None)) == 1 and pool.count(3, (3, None, None)) == 0
    assert pool.count_with(3, 2, 2) == 1 and pool.count_with(3, 3, 4) == pool.count_with(6, -1, 1) == 0


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
    assert isinstance(payments, StandInPayments) and cost.all_payments is None
    wanted = {payment for reading in cost.readings for payment in reading.payments(whole(hand))}
    listed = [*payments]
    assert set(listed) == wanted and len(set(listed)) == len(listed)
    assert [payments[index] for index in range(len(payments))] == listed
    assert [payments.index(payment) for payment in listed] == list(range(len(listed)))
    rows = CountedCosts([cost], [0], CARDS).rows([hand.get(kind, 0) for kind in CARDS.kinds])
    assert sum([row.ways for row in rows]) == len(wanted)
    parts = [ttr.Counts(dict(zip(hand, some, strict=True))) for some in product(*(range(n + 1) for n in hand.values()))]
    assert all(
        (part in payments) == any(reading.takes(part) for reading in cost.readings) == (part in wanted)
        for part in parts
    )
    ranked = [CARDS.payment_rank(payment) for payment in payments.cheapest_first()]
    assert ranked == sorted(ranked) and all_of_it.total == sum(hand.values())


def test_a_batch_may_say_what_is_kept_in_the_hand() -> None:
    """Of three red and two blue ones two are kept, a red one at least among them."""
    pool = pool_of({"red": 3, "blue": 2})
    needs = tuple([1 if color == "red" else None for color in COLORS])
    kept = StandInPayments(pool, [Batch(0, 2, needs, keeps=True)], (*COLORS, LOCO), CARDS.payment_rank)
    assert {*kept} == {ttr.Counts(red=1, blue=2), ttr.Counts(red=2, blue=1)}
    assert [kept.index(payment) for payment in kept] == [0, 1]
    assert ttr.Counts(red=3) not in kept and ttr.Counts(red=2) not in kept
    for stranger in ({"red": 2, "coin": 1}, None, 7, "red"):
        assert stranger not in kept


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(0, 9), st.integers(0, 4), st.integers(-1, 3))
def test_a_pool_counts_by_the_cards_held_of_a_color(most: list[int], size: int, needed: int, kind: int) -> None:
    kind = min(kind, len(most) - 1)
    pool, held = Pool(most), -1 if kind < 0 else most[kind]
    enough = [
        some
        for some in product(*(range(count + 1) for count in most))
        if sum(some) == size and (max(some) if kind < 0 else some[kind]) >= needed
    ]
    assert pool.count_with(size, held, needed) == len(enough)


def test_a_reading_that_stands_there_twice_is_one_reading() -> None:
    """With two colors in the deck, two equal readings are not one for each color."""
    cards = TrainCards({"red": 6, "blue": 6, LOCO: 2})
    reading = Reading(Lot({"red": 1}, 1), Lot({"red": 1, "blue": 1}, 1))
    found = Bill(Cost("single", 2), [reading, reading], cards)
    assert isinstance(found.payments({"red": 1, "blue": 2, LOCO: 0}), StandInPayments)
    assert [*found.payments({"red": 1, "blue": 2, LOCO: 0})] == [ttr.Counts(red=1, blue=1)]


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
    assert prices.all_payments() is None
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


# -- readings of any form --------------------------------------------------------------------------------------


class FewCards(TrainCards):
    """Cards of three colors, and wild ones of two kinds; `short` is the second."""

    wilds = (LOCO, "short")

    def __init__(self) -> None:
        super().__init__({"red": 5, "blue": 5, "short": 2, "green": 4, LOCO: 4})


FEW = FewCards()
few_hands = st.fixed_dictionaries({kind: st.integers(0, min(count, 4)) for kind, count in FEW.cards.items()})
worths = st.dictionaries(st.sampled_from(FEW.kinds), st.integers(1, 2), max_size=4)
lots = st.builds(Lot, worths, st.integers(0, 4), spare=st.integers(0, 1), alike=st.sampled_from([1, 1, 2, 3]))
any_readings = st.builds(
    lambda inside, wilds, least: Reading(*inside, wilds=wilds, needs_wilds=least),
    st.lists(lots, max_size=3),
    st.none() | st.integers(0, 3),
    st.integers(0, 2),
)


@example(
    [Reading(Lot({"red": 2, "blue": 1}, 3, spare=1))], {"red": 2, "blue": 2, "short": 0, "green": 0, LOCO: 1}, None
)
@example(
    [Reading(Lot({"red": 1}, 2, alike=2), Lot({"red": 1, LOCO: 1}, 3))], {**dict.fromkeys(FEW.kinds, 4), "short": 2}, 2
)
@example([Reading(Lot({"short": 1}, 1), needs_wilds=1), Reading(Lot({}, 1))], dict.fromkeys(FEW.kinds, 1), None)
@example([Reading(Lot({"short": 1}, 3))], {**dict.fromkeys(FEW.kinds, 4), "short": 2}, 2)
@given(st.lists(any_readings, min_size=1, max_size=4), few_hands, st.none() | st.integers(0, 3))
def test_any_readings_are_counted_as_they_are_found_by_trying(
    readings: list[Reading], hand: dict[str, int], most: int | None
) -> None:
    cost = Bill(Cost("single", 1, most_wilds=most), readings, FEW)
    tried = {payment for reading in readings for payment in reading.payments(hand, FEW.wilds)}
    wanted = {payment for payment in tried if most is None or FEW.wilds_in(payment) <= most}
    payments = cost.payments(hand)
    assert len(payments) == cost.number_of_payments(PackedHand(hand, FEW.wilds)) == len(wanted)
    assert {*payments} == wanted
    if not cost.stand_ins and cost.all_payments is None:
        prices = [FEW.payment_rank(payment) for payment in payments]
        assert prices == sorted(prices)
    for counts in product(*(range(count + 1) for count in list(hand.values())[:3])):
        part = ttr.Counts(dict(zip(hand, counts, strict=False)))
        few_wilds = most is None or part[LOCO] + part["short"] <= most
        takes = few_wilds and any(reading.takes(part, FEW.wilds) for reading in readings)
        assert (part in payments) == takes == (part in wanted)
    assert ttr.Counts(red=9) not in payments and ttr.Counts(coin=1) not in payments


@pytest.mark.parametrize(("worth", "alike"), [({"red": 0}, 1), ({"red": 1.5}, 1), ({"red": 1}, 0), ({"red": 1}, "2")])
def test_a_lot_of_cards_that_fill_nothing_is_refused(worth: dict[str, Any], alike: Any) -> None:
    with pytest.raises(PluginError, match="of a Lot is .*: it is a whole number of at least 1"):
        Lot(worth, 2, alike=alike)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Lot({"red": 1}, -1), "'spaces' of a Lot is -1: it is a whole number of at least 0"),
        (lambda: Lot({"red": 1}, 2, spare=-1), "'spare' of a Lot is -1"),
        (lambda: Reading(Lot({"red": 1}, 2), needs_wilds=-1), "'needs_wilds' of a Reading is -1"),
        (lambda: Reading(Lot({"red": 1}, 2), wilds=-1), "'wilds' of a Reading is -1"),
        (
            lambda: Bill(Cost("x", 1), [Reading(Lot({"rde": 1}, 1))], CARDS),
            "a Lot for Cost.* takes 'rde': the cards are ",
        ),
    ],
)
def test_a_reading_that_no_cards_can_have_is_refused(made: Callable[[], object], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        made()


class Tinkers(TrainCards):
    """Any two equal cards stand for a card of the color: up to six pairs."""

    def readings(self, cost: Cost, powers: object) -> list[Reading]:
        any_color = dict.fromkeys(self.colors, 1)
        return [
            Reading(Lot({color: 1}, cost.spaces - pairs), Lot(any_color, 2 * pairs, alike=2), wilds=cost.spaces - pairs)
            for pairs in range(min(cost.spaces, 6) + 1)
            for color in self.colors_for(cost)
        ]


@pytest.mark.slow
def test_large_hands_with_six_pairs_are_fast() -> None:
    """Tens of thousands of payments out of a hand of 38 cards: listing them takes minutes."""
    rules = ttr.compile_rules("europe", plugin("tinkers", economy=giving(Tinkers())))
    hand = {"red": 5, "blue": 4, "white": 6, "black": 3, "green": 4, "purple": 5, "orange": 3, "yellow": 4, LOCO: 4}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
    begun = process_time()
    choices = game.legal_actions(0)
    assert len(choices) > 50_000
    for index in range(0, len(choices), len(choices) // 40):
        assert game.refusal(choices[index]) is None
    assert process_time() - begun < 10
    claim = choices[len(choices) // 2]
    assert isinstance(claim, ttr.ClaimRoute)
    game.play(claim)
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    assert ttr.playout(rules, players=2, seed=3).players


def test_a_hand_that_pays_in_too_many_ways_names_the_cost() -> None:
    """Two lots of any six cards: a million ways out of the hand."""
    six = Lot(dict.fromkeys(COLORS, 1), 6)
    cost = Bill(Cost("single", 12), [Reading(six, six)], CARDS)
    assert [reading.takes(ttr.Counts(red=6, blue=count)) for reading in cost.readings for count in (6, 12)] == [
        True,
        False,
    ]
    assert cost.examples() == [ttr.Counts({COLORS[0]: 12})]
    few = cost.payments(whole({"red": 6, "blue": 6}))
    assert few == [ttr.Counts(red=6, blue=6)]
    with pytest.raises(PluginError, match=r"a hand can pay Cost\(kind='single', spaces=12.* in too many ways"):
        cost.payments(dict.fromkeys(CARDS.kinds, 5))


def test_any_cards_are_counted_where_a_deck_has_more_kinds_than_colors() -> None:
    cards = economy_of(ttr.compile_rules("marklin", "germany-tickets").economy, TrainCards)
    hand = dict.fromkeys(cards.kinds, 5)
    assert len(cards.bill(Cost("loan", 10, any_cards=True)).payments(hand)) > 100_000
    few = cards.bill(Cost("loan", 2, wilds=1, any_cards=True)).payments(hand)
    assert len(few) == 2 * (len(cards.kinds) - 2) + 3  # both are wild, or one of either kind


def test_costs_that_merge_many_kinds_are_counted() -> None:
    """A pair each of two colors: all eight colors are one group, for which there are no tables."""

    class TwoPairs(TrainCards):
        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return [Reading(Lot(dict.fromkeys(self.colors, 1), 4, alike=2), wilds=0)]

    cards = TwoPairs()
    prices = cards.prices([Cost("single", 2)])
    rules = ttr.compile_rules("north-america")
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3, "blue": 4, "white": 2, LOCO: 2}}, {}]})
    payments = prices.payments(game.state, 0, 0)
    assert {str(each) for each in payments} == {"2 blue, 2 white", "2 white, 2 red", "2 blue, 2 red", "4 blue"}
    ways = [prices.way(game.state, 0, 0, index) for index in range(len(payments))]
    assert [prices.payment(game.state, 0, 0, way) for way in ways] == [*payments]
    assert [prices.way_of(game.state, 0, 0, payment) for payment in payments] == ways


def test_payments_with_very_many_kinds_are_numbered_by_their_place() -> None:
    kinds = {f"kind{number}": 4 for number in range(16)}

    class Many(TrainCards):
        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return [Reading(Lot(dict.fromkeys(kinds, 1), 4, alike=2))]

    variant = plugin("many", economy=giving(Many({**kinds, LOCO: 4})))
    rules = ttr.compile_rules("north-america", variant)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"kind1": 3, "kind15": 2, LOCO: 2}}, {}]})
    prices = rules.economy.prices([Cost("single", 4)])
    payments = prices.payments(game.state, 0, 0)
    assert {str(each) for each in payments} == {"2 kind1, 2 kind15", "2 kind1, 2 locomotive", "2 kind15, 2 locomotive"}
    ways = [prices.way(game.state, 0, 0, index) for index in range(len(payments))]
    assert [prices.payment(game.state, 0, 0, way) for way in ways] == [*payments]
    assert [prices.way_of(game.state, 0, 0, payment) for payment in payments] == ways


# -- bills that are shared -------------------------------------------------------------------------------------------


def test_payments_of_very_many_cards_of_a_kind_are_offered_and_played() -> None:
    class Sixes(TrainCards):
        """Six cards of any kinds stand for one of the color."""

        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return [
                Reading(Lot({color: 1}, cost.spaces - sixes), Lot(dict.fromkeys(self.kinds, 1), 6 * sixes), wilds=0)
                for sixes in range(cost.spaces + 1)
                for color in self.colors_for(cost)
            ]

    cards = Sixes({**dict.fromkeys(COLORS, 40), LOCO: 14}, sweep_at=None)
    rules = ttr.compile_rules("north-america", plugin("sixes", economy=giving(cards)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 36}}, {}]})
    offered = [action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute)]
    assert not [action for action in offered if game.refusal(action)]
    game.play(ttr.ClaimRoute(0, "calgary-winnipeg-white", {"red": 36}))
    assert ttr.cards(game.state).hands[0] == {}


def test_economies_with_the_same_cards_share_their_bills_and_no_others() -> None:
    class Dear(TrainCards):
        def readings(self, cost: Cost, powers: object) -> Sequence[Reading]:
            return [Reading(Lot({color: 1}, cost.spaces + 1)) for color in self.colors]

    cost, ours = Cost("single", 2), TrainCards()
    assert TrainCards(hand=5, sweep_at=None).bill(cost) is ours.bill(cost)
    other_order = TrainCards(dict([*ours.cards.items()][::-1]))
    assert other_order.bill(cost) is not ours.bill(cost)
    assert other_order.bill(cost).all_payments != ours.bill(cost).all_payments
    assert Dear().bill(cost).all_payments != ours.bill(cost).all_payments
    assert TrainCards({"red": 3}).bill(cost).all_payments == [ttr.Counts({"red": 2})]


def test_refusals_do_not_rest_on_the_stand_ins_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = economy_of(ttr.compile_rules("nordic-countries").economy, TrainCards)
    ferry = Cost("single", 2, "red", wilds=1)
    stand_ins = cards.bill(ferry).stand_ins
    assert stand_ins is not None
    monkeypatch.setattr(stand_ins, "readings", [reading._replace(proper=0) for reading in stand_ins.readings])
    assert cards.mismatch(ferry, ttr.Counts(blue=1, locomotive=1)) is not None
    assert cards.mismatch(ferry, ttr.Counts(red=1, locomotive=1)) is None
