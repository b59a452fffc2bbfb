"""Payments in the United Kingdom: four cards for a locomotive, three with a booster, one fewer with diesel (U5, U13, U27)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from helpers import arranged, legal, refused
from hypothesis import given, settings, strategies as st

import ttr_rules as ttr
from ttr_rules.model import Cost
from ttr_rules.train_cards import StandInPayments
from ttr_variants.united_kingdom import BritishCards, BuyTechnology
from ttr_variants.united_kingdom.purchases import COLORS, payments_that_leave

LOCO = "locomotive"
LONDON_READING = "london-reading-green"  # one space
BRISTOL_SOUTHAMPTON = "bristol-southampton-green"  # two spaces
FERRY = "barrow-liverpool-gray"  # one space, one symbol
NEW_YORK = "new_york-southampton-gray"  # ten spaces, three symbols


def table(hand: dict[str, int], *technologies: str, **more: Any) -> ttr.Game:
    owned = {"technologies": list(technologies)} if technologies else {}
    return arranged("united-kingdom:advanced=true", {"hand": hand, **owned}, {}, draw_pile=["red"] * 2, **more)


def ways(game: ttr.Game, route: str) -> set[ttr.Counts]:
    return {claim.payment for claim in legal(game, ttr.ClaimRoute) if claim.route == route}


def counts(*payments: dict[str, int]) -> set[ttr.Counts]:
    return {ttr.Counts(payment) for payment in payments}


# -- the rules, one by one ----------------------------------------------------------------------------------------


@pytest.mark.rule("U5")
def test_any_four_cards_stand_for_a_locomotive_on_a_plain_route() -> None:
    game = table({"green": 2, "red": 3, "blue": 1, LOCO: 1})
    assert ways(game, LONDON_READING) == counts(
        {"green": 1}, {LOCO: 1}, {"red": 3, "blue": 1}, {"green": 1, "red": 3}, {"green": 1, "red": 2, "blue": 1},
        {"green": 2, "red": 2}, {"green": 2, "red": 1, "blue": 1},
    )  # fmt: skip


@pytest.mark.rule("U5")
def test_the_cards_need_not_match_and_are_spent_in_that_payment() -> None:
    game = table({"green": 1, "red": 1, "blue": 1, "white": 1, "black": 1})
    payment = {"green": 1, "red": 1, "blue": 1, "white": 1, "black": 1}
    game.play(ttr.ClaimRoute(0, BRISTOL_SOUTHAMPTON, payment))
    assert ttr.cards(game.state).hands[0] == {}
    assert sorted(ttr.cards(game.state).discards) == sorted(payment)


@pytest.mark.rule("U5")
def test_of_the_other_spaces_one_color_is_asked() -> None:
    game = table({"green": 1, "red": 4, "blue": 1})
    assert refused(game, ttr.ClaimRoute(0, BRISTOL_SOUTHAMPTON, {"blue": 1, "red": 4})) == "C1"
    assert game.is_legal(ttr.ClaimRoute(0, BRISTOL_SOUTHAMPTON, {"green": 1, "red": 4}))
    assert refused(game, ttr.ClaimRoute(0, BRISTOL_SOUTHAMPTON, {"green": 1, "red": 3})) == "U5"
    assert refused(game, ttr.ClaimRoute(0, BRISTOL_SOUTHAMPTON, {"green": 2, "red": 4})) == "C1"


@pytest.mark.rule("U5", "U27")
def test_barrow_to_liverpool() -> None:
    """One space with one symbol: a locomotive, or any four cards; diesel saves nothing."""
    for technologies in (["propellers"], ["propellers", "diesel_power"]):
        game = table({"green": 2, "red": 1, "blue": 1, LOCO: 1}, *technologies)
        assert ways(game, FERRY) == counts({LOCO: 1}, {"green": 2, "red": 1, "blue": 1})
    game = table({"green": 2, "red": 1, "blue": 1, LOCO: 1}, "propellers", "booster")
    assert ways(game, FERRY) == counts(
        {LOCO: 1}, {"green": 2, "red": 1}, {"green": 2, "blue": 1}, {"green": 1, "red": 1, "blue": 1}
    )


@pytest.mark.rule("U8", "U5", "U27")
@pytest.mark.parametrize(
    ("hand", "technologies"),
    [
        ({"red": 7, LOCO: 3}, []),
        ({"red": 7, "blue": 5, "green": 7}, []),  # three times four cards and seven of a color
        ({"red": 6, LOCO: 4}, []),
        ({"red": 7, "blue": 5, "green": 4}, ["booster"]),
        ({"red": 6, LOCO: 3}, ["diesel_power"]),
    ],
)
def test_new_york(hand: dict[str, int], technologies: list[str]) -> None:
    game = table(hand, *technologies)
    assert game.is_legal(ttr.ClaimRoute(0, NEW_YORK, hand))
    game.play(ttr.ClaimRoute(0, NEW_YORK, hand))
    assert (game.state.scores[0], game.state.cars[0]) == (40, 25)


@pytest.mark.rule("U8", "U27")
@pytest.mark.parametrize(
    ("hand", "technologies", "rule"),
    [
        ({"red": 8, LOCO: 2}, [], "F1"),
        ({"red": 7, LOCO: 2}, ["diesel_power"], "F1"),
        ({"red": 5, "blue": 1, LOCO: 4}, [], "C1"),
        ({"red": 5, LOCO: 3}, ["diesel_power"], "U5"),
        ({"red": 6, LOCO: 3}, [], "U5"),
    ],
)
def test_what_does_not_pay_for_new_york(hand: dict[str, int], technologies: list[str], rule: str) -> None:
    assert refused(table(hand, *technologies), ttr.ClaimRoute(0, NEW_YORK, hand)) == rule


@pytest.mark.rule("U13")
def test_with_a_booster_three_cards_stand_for_a_locomotive() -> None:
    game = table({"red": 3, "blue": 1}, "booster")
    assert ways(game, LONDON_READING) == counts({"red": 3}, {"red": 2, "blue": 1})
    assert refused(game, ttr.ClaimRoute(0, LONDON_READING, {"red": 3, "blue": 1})) == "U5"
    assert {action.payment for action in legal(game, BuyTechnology) if action.technology == "propellers"} == set()
    game = table({"red": 5, "blue": 1}, "booster")
    assert {action.payment for action in legal(game, BuyTechnology) if action.technology == "propellers"} == counts(
        {"red": 5, "blue": 1}
    )


@pytest.mark.rule("U13", "U27")
def test_a_booster_and_diesel_power_are_for_their_owner() -> None:
    hand, claim = {"hand": {"red": 3, "blue": 1}}, ttr.ClaimRoute(0, LONDON_READING, {"red": 3})
    other = {"technologies": ["booster", "diesel_power"]}
    for mine in ([], ["boiler_lagging"]):
        game = arranged("united-kingdom:advanced=true", {**hand, "technologies": mine}, other, draw_pile=["red"] * 2)
        assert refused(game, claim) == "U5"
        assert ways(game, LONDON_READING) == counts({"red": 3, "blue": 1})
        assert ways(game, BRISTOL_SOUTHAMPTON) == set()


@pytest.mark.rule("U27", "UR13", "UR14")
def test_with_diesel_power_a_card_fewer_may_be_played() -> None:
    game = table({"green": 2, LOCO: 1}, "diesel_power")
    assert ways(game, BRISTOL_SOUTHAMPTON) == counts({"green": 1}, {LOCO: 1}, {"green": 2}, {"green": 1, LOCO: 1})
    assert ways(game, LONDON_READING) == counts({"green": 1}, {LOCO: 1})
    game = table({"red": 4}, "diesel_power")
    assert ways(game, BRISTOL_SOUTHAMPTON) == counts({"red": 4})  # four cards are one locomotive


@pytest.mark.rule("U27")
def test_diesel_power_saves_nothing_on_technologies() -> None:
    game = table({LOCO: 1}, "diesel_power")
    assert {action.technology for action in legal(game, BuyTechnology)} == {
        "wales_concession", "scotland_concession", "ireland_france_concession", "mechanical_stoker",
    }  # fmt: skip


@pytest.mark.rule("UR2")
def test_locomotives_are_not_among_the_cards_that_stand_for_one_unless_the_ruling_says_so() -> None:
    player = {"hand": {"red": 3, LOCO: 1}}
    wasteful = ttr.ClaimRoute(0, LONDON_READING, {"red": 3, LOCO: 1})
    assert refused(arranged("united-kingdom", player, {}), wasteful) == "UR2"
    game = arranged("united-kingdom:substitute_with_locomotives=true", player, {})
    assert ways(game, LONDON_READING) == counts({LOCO: 1}, {"red": 3, LOCO: 1})
    two = {"hand": {"green": 1, "red": 2, LOCO: 3}}
    game = arranged("united-kingdom:substitute_with_locomotives=true", two, {})
    assert ttr.Counts({"green": 1, "red": 2, LOCO: 2}) in ways(game, BRISTOL_SOUTHAMPTON)


# -- counted against listed ----------------------------------------------------------------------------------------


Powers = tuple[bool, bool]  # a booster, diesel power


def sure(cost: Cost, payment: ttr.Counts, powers: Powers, *, mixed: bool) -> bool:
    """Whether a payment fits, by trying every way to read it: slow, and written from the rules."""
    boosted, diesel = powers
    step = 3 if boosted else 4
    lengths = {cost.spaces}
    if diesel and cost.spaces - 1 >= max(cost.wilds, 1):
        lengths.add(cost.spaces - 1)
    for spaces, wild in product(lengths, range(payment[LOCO] + 1)):
        for color in [cost.color] if cost.color else COLORS:
            for own in range(payment[color] + 1):
                bundles = spaces - wild - own
                rest = payment.total - wild - own
                loose = payment[LOCO] - wild
                if bundles >= 0 and rest == bundles * step and wild + bundles >= cost.wilds and (mixed or not loose):
                    return True
    return False


@st.composite
def costs(draw: st.DrawFn) -> Cost:
    spaces = draw(st.integers(1, 4))
    color = draw(st.sampled_from([None, "red", "blue"]))
    return Cost("single", spaces, color, wilds=draw(st.integers(0, min(spaces, 2))))


powers = st.tuples(st.booleans(), st.booleans())
hands = st.fixed_dictionaries(
    {"red": st.integers(0, 4), "blue": st.integers(0, 3), "green": st.integers(0, 3), LOCO: st.integers(0, 3)}
)


def every(hand: dict[str, int]) -> list[ttr.Counts]:
    """All parts of a hand."""
    return [
        ttr.Counts(dict(zip(hand, some, strict=True)))
        for some in product(*(range(count + 1) for count in hand.values()))
    ]


def whole(hand: dict[str, int]) -> dict[str, int]:
    return {kind: hand.get(kind, 0) for kind in (*COLORS, LOCO)}


def paying(cards: BritishCards, hand: dict[str, int], cost: Cost, powers: Powers) -> list[ttr.Counts]:
    payments = cards.bill(cost, powers).payments(whole(hand))
    listed = list(payments)
    assert [payments[index] for index in range(len(payments))] == listed
    return listed


@pytest.mark.rule("U5", "U13", "U27", "UR2", "UR13", "UR14")
@settings(max_examples=60, deadline=None)
@given(hand=hands, cost=costs(), powers=powers, mixed=st.booleans())
def test_payments_are_all_that_fit_and_no_others(hand: dict[str, int], cost: Cost, powers: Powers, mixed: bool) -> None:
    cards = BritishCards(mixed=mixed)
    found = paying(cards, hand, cost, powers)
    assert len(set(found)) == len(found)
    fitting = {payment for payment in every(hand) if sure(cost, payment, powers, mixed=mixed)}
    assert set(found) == fitting
    assert {payment for payment in every(hand) if cards.mismatch(cost, payment, powers) is None} == fitting
    payments = cards.bill(cost, powers).payments(whole(hand))
    assert isinstance(payments, StandInPayments)
    assert {payment for payment in every(hand) if payment in payments} == fitting
    assert list(payments.cheapest_first()) == sorted(found, key=cards.payment_rank)


@pytest.mark.rule("UR7", "UR10")
@settings(max_examples=60, deadline=None)
@given(hand=hands, price=st.integers(1, 3), powers=powers, then=st.lists(costs(), max_size=3), mixed=st.booleans())
def test_payments_after_which_something_can_be_paid(
    hand: dict[str, int], price: int, powers: Powers, then: list[Cost], mixed: bool
) -> None:
    cards = BritishCards(mixed=mixed)
    cost = Cost("technology", price, only_wilds=True)
    costs = [cards.stand_ins(each, powers) for each in then]
    payments = payments_that_leave(cards.stand_ins(cost, powers), costs, whole(hand))
    wanted = [
        payment
        for payment in paying(cards, hand, cost, powers)
        if any(sure(each, part, powers, mixed=mixed) for each in then for part in every({kind: count - payment[kind] for kind, count in hand.items()}))
    ]  # fmt: skip
    assert set(payments) == set(wanted) and len(payments) == len(wanted)
    assert [payments[index] for index in range(len(payments))] == list(payments)
    assert {payment for payment in every(hand) if payment in payments} == set(wanted)


@pytest.mark.rule("U5")
def test_a_large_hand_is_counted_not_listed() -> None:
    hand = {**dict.fromkeys(COLORS, 10), LOCO: 9}
    game = table(hand, "propellers", "superheated_steam_boiler")
    choices = game.legal_actions(0)
    assert len(choices) > 10**8
    for index in (0, len(choices) // 2, len(choices) - 1):
        assert game.refusal(choices[index]) is None and choices[index] in choices
    kinds = {kind.type.partition(".")[2]: kind for kind in game.offer(0).kinds}
    claims = [each.cheapest for each in kinds["ClaimRoute"].purchases if isinstance(each.cheapest, ttr.ClaimRoute)]
    cheapest = {claim.route: claim.payment for claim in claims}
    assert cheapest[NEW_YORK].total == 10 and cheapest[LONDON_READING] == ttr.Counts(green=1)
    offered = [each.cheapest for each in kinds["BuyTechnology"].purchases if isinstance(each.cheapest, BuyTechnology)]
    bought = {each.technology: each.payment for each in offered}
    assert bought["double_heading"] == ttr.Counts(locomotive=4)
