"""What pays in the Nordic Countries: N4, N5, N6, against every set of cards that a literal reading allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from helpers import COLORS, PLAIN_ROW, arranged, legal, refused, rules_of
from hypothesis import given, settings, strategies as st

import ttr_rules as ttr
from ttr_rules.model import Cost
from ttr_variants.nordic_countries import FOUR_FOR_ONE

NORDIC = rules_of("nordic-countries")
ROUTES = NORDIC.board.routes
KINDS = (*COLORS, "locomotive")
LONG = "lieksa-murmansk-gray"
FERRIES = [route for route in ROUTES.values() if route.ferry_locomotives]
BIG = {"red": 12, "blue": 9, "green": 5, "locomotive": 7}


def payable(route: ttr.Route, payment: Mapping[str, int]) -> bool:
    """Whether some reading of the rules lets these cards pay: a base of proper cards, and the stand-ins beside it."""
    total = sum(payment.values())
    return any(
        total == needed and all(payment.get(card, 0) >= count for card, count in base.items())
        for base, needed in readings(route)
    )


@cache
def readings(route: ttr.Route) -> list[tuple[Mapping[str, int], int]]:
    """The proper cards and the number of all cards, for every color and every number of cards replaced."""
    symbols, spaces = route.ferry_locomotives, route.length
    found: list[tuple[Mapping[str, int], int]] = []
    for color in COLORS if route.color == "gray" else [str(route.color)]:
        if route.id == LONG:
            found += [({color: spaces - replaced}, spaces + 3 * replaced) for replaced in range(spaces + 1)]
            continue
        wild = spaces - symbols if symbols or route.tunnel else 0
        found += [
            ({color: spaces - symbols - more, "locomotive": symbols - replaced + more}, spaces + 2 * replaced)
            for replaced in range(symbols + 1)
            for more in range(wild + 1)
        ]
    return found


def every_set(hand: Mapping[str, int]) -> Iterator[dict[str, int]]:
    kinds = list(hand)
    for counts in product(*(range(hand[kind] + 1) for kind in kinds)):
        yield {kind: count for kind, count in zip(kinds, counts, strict=True) if count}


def table(hand: Mapping[str, int], **position: Any) -> ttr.Game:
    return arranged("nordic-countries", {"hand": dict(hand)}, {}, **position)


def ways(game: ttr.Game, route: ttr.Route) -> list[ttr.Counts]:
    return list(NORDIC.economy.payments(game.state, 0, Cost.of_route(route)))


@st.composite
def hands(draw: st.DrawFn, most: int, kinds: int = 9) -> dict[str, int]:
    some = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=kinds, unique=True))
    cards = draw(st.lists(st.sampled_from(some), max_size=most))
    limits = {kind: 14 if kind == "locomotive" else 12 - (kind in PLAIN_ROW) for kind in some}
    return {kind: min(cards.count(kind), limits[kind]) for kind in some}


# -- every payment, and nothing else ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("N4", "N5", "N6")
@settings(deadline=None, max_examples=40)
@given(hand=hands(most=10))
def test_all_claims_of_a_small_hand(hand: dict[str, int]) -> None:
    """The claims offered are those that the literal reading allows, each once; the validator allows the same."""
    game = table(hand)
    sets = list(every_set(hand))
    expected = {(id, ttr.Counts(cards)) for id, route in ROUTES.items() for cards in sets if payable(route, cards)}
    offered = [(claim.route, claim.payment) for claim in legal(game, ttr.ClaimRoute)]
    assert len(offered) == len(set(offered))
    assert set(offered) == expected


@pytest.mark.slow
@pytest.mark.rule("N5", "N6")
@settings(deadline=None, max_examples=40)
@given(hand=hands(most=26, kinds=4), pick=st.integers(0, 2**16))
def test_all_payments_of_a_bigger_hand(hand: dict[str, int], pick: int) -> None:
    random = Random(pick)
    game = table(hand)
    sets = list(every_set(hand))
    for route in (ROUTES[LONG], ROUTES["helsinki-stockholm-gray"], random.choice(FERRIES)):
        offered = ways(game, route)
        assert len(offered) == len(set(offered))
        assert set(offered) == {ttr.Counts(cards) for cards in sets if payable(route, cards)}
        for cards in random.sample(sets, min(60, len(sets))):
            accepted = game.refusal(ttr.ClaimRoute(0, route.id, cards)) is None
            assert accepted == payable(route, cards), (route, cards)


@pytest.mark.slow
@pytest.mark.rule("N5", "N6")
@pytest.mark.parametrize(
    "hand",
    [
        BIG,
        pytest.param({"red": 9, "yellow": 9, "black": 9, "locomotive": 3}, marks=pytest.mark.slow),
        pytest.param(dict.fromkeys(COLORS[:4], 7), marks=pytest.mark.slow),
    ],
)
def test_the_number_of_payments_of_a_big_hand(hand: dict[str, int]) -> None:
    game = table(hand)
    sets = list(every_set(hand))
    for route in (ROUTES[LONG], ROUTES["mo_i_rana-trondheim-red"], ROUTES["helsinki-stockholm-gray"]):
        payments = NORDIC.economy.payments(game.state, 0, Cost.of_route(route))
        assert len(payments) == sum(payable(route, cards) for cards in sets)  # type: ignore[arg-type]


@pytest.mark.rule("N6")
def test_a_whole_deck_in_hand_is_counted_and_not_listed() -> None:
    """Every card but those of the row: millions of payments, each found again where it stands."""
    deck = {kind: (14 if kind == "locomotive" else 12) - (kind in COLORS[:5]) for kind in KINDS}
    game = table(deck)
    choices = game.legal_actions(0)
    assert len(choices) > 100_000_000
    random = Random(1)
    for index in (0, len(choices) - 1, *(random.randrange(len(choices)) for _ in range(200))):
        claim = choices[index]
        assert claim in choices
        if isinstance(claim, ttr.ClaimRoute):
            assert payable(ROUTES[claim.route], claim.payment)
            assert game.refusal(claim) is None
    payments = NORDIC.economy.payments(game.state, 0, Cost.of_route(ROUTES[LONG]))
    for index in (random.randrange(len(payments)) for _ in range(50)):  # type: ignore[arg-type]
        assert payments.index(payments[index]) == index  # type: ignore[attr-defined,index]


@pytest.mark.rule("N5", "N6")
@pytest.mark.parametrize("id", [LONG, "helsinki-stockholm-gray", "mo_i_rana-trondheim-red", "umea-vaasa-gray"])
def test_payments_are_a_sequence_like_any_other(id: str) -> None:
    game = table({"red": 7, "blue": 4, "purple": 2, "locomotive": 3})
    payments = NORDIC.economy.payments(game.state, 0, Cost.of_route(ROUTES[id]))
    listed = list(payments)
    assert listed
    assert [payments[index] for index in range(len(payments))] == listed  # type: ignore[arg-type,index]
    assert [payments.index(payment) for payment in listed] == list(range(len(listed)))  # type: ignore[attr-defined]
    assert payments[-1] == listed[-1]  # type: ignore[index]
    assert list(payments[1:7:2]) == listed[1:7:2] and list(payments[::-1]) == listed[::-1]  # type: ignore[index]
    assert [payment.total for payment in listed] == sorted(payment.total for payment in listed)
    assert all(payment in payments for payment in listed)
    strangers: tuple[Any, ...] = ({}, {"red": 1}, {"red": 99}, {"coin": 3}, {**listed[0], "coin": 1}, None, 7, "red")
    for stranger in strangers:
        assert stranger not in payments
    for index in (len(listed), -len(listed) - 1):
        with pytest.raises(IndexError):
            payments[index]  # type: ignore[index]
    with pytest.raises(ValueError, match="is not one of these payments"):
        payments.index(listed[0], 1)  # type: ignore[attr-defined]


# -- examples and refusals ----------------------------------------------------------------------------------------


@pytest.mark.rule("N4")
def test_a_locomotive_is_of_no_use_on_a_plain_route() -> None:
    game = table({"red": 2, "locomotive": 5})
    assert refused(game, ttr.ClaimRoute(0, "helsinki-imatra-red", {"red": 2, "locomotive": 1})) == "N4"
    assert refused(game, ttr.ClaimRoute(0, "helsinki-imatra-red", {"locomotive": 3})) == "N4"
    assert refused(game, ttr.ClaimRoute(0, "goteborg-norrkoping-gray", {"red": 2, "locomotive": 1})) == "N4"
    assert refused(game, ttr.ClaimRoute(0, "helsinki-imatra-red", {"red": 2})) == "C1"
    assert refused(game, ttr.ClaimRoute(0, "helsinki-imatra-red", {"red": 3})) == "C1"
    claims = {claim.route for claim in legal(game, ttr.ClaimRoute) if "locomotive" in claim.payment}
    assert claims
    assert all(ROUTES[id].tunnel or ROUTES[id].ferry_locomotives for id in claims)


@pytest.mark.rule("N4")
def test_locomotives_are_wild_in_tunnels_and_on_ferries() -> None:
    game = table({"red": 1, "purple": 1, "locomotive": 4})
    assert game.is_legal(ttr.ClaimRoute(0, "bergen-oslo-red", {"red": 1, "locomotive": 3}))
    assert game.is_legal(ttr.ClaimRoute(0, "bergen-oslo-red", {"locomotive": 4}))
    assert game.is_legal(ttr.ClaimRoute(0, "bergen-stavanger-purple", {"locomotive": 2}))
    assert game.is_legal(ttr.ClaimRoute(0, "bergen-stavanger-purple", {"purple": 1, "locomotive": 1}))


@pytest.mark.rule("N5")
def test_three_cards_of_any_kind_for_a_locomotive() -> None:
    """Two spaces of purple with one symbol: a purple one, and a locomotive or any three cards."""
    ferry = "bergen-stavanger-purple"
    game = table({"purple": 4, "red": 2, "white": 1, "locomotive": 1})
    for payment in (
        {"purple": 1, "locomotive": 1},
        {"purple": 1, "red": 2, "white": 1},
        {"purple": 4},
        {"purple": 2, "red": 2},
        {"purple": 3, "locomotive": 1},  # three purple ones, though the locomotive is there
        {"red": 2, "white": 1, "locomotive": 1},  # the locomotive stands for the purple one
    ):
        assert game.is_legal(ttr.ClaimRoute(0, ferry, payment)), payment
    for payment in (
        {"purple": 2},
        {"purple": 3},
        {"purple": 1, "red": 1, "white": 1},
        {"red": 1, "locomotive": 1},
        {"purple": 4, "red": 1},
        {"purple": 4, "red": 2},
        {},
    ):
        assert refused(game, ttr.ClaimRoute(0, ferry, payment)) == "N5", payment


@pytest.mark.rule("N5")
def test_a_ferry_with_two_symbols() -> None:
    ferry = "honningsvag-tromso-purple"  # four spaces, two symbols
    game = table({"purple": 2, "red": 4, "blue": 3, "locomotive": 1})
    assert game.is_legal(ttr.ClaimRoute(0, ferry, {"purple": 2, "red": 4, "blue": 2}))
    assert game.is_legal(ttr.ClaimRoute(0, ferry, {"purple": 2, "red": 3, "locomotive": 1}))
    assert game.is_legal(ttr.ClaimRoute(0, ferry, {"purple": 1, "red": 4, "blue": 2, "locomotive": 1}))
    assert refused(game, ttr.ClaimRoute(0, ferry, {"purple": 2, "red": 4})) == "N5"
    assert refused(game, ttr.ClaimRoute(0, ferry, {"purple": 1, "red": 4, "locomotive": 1})) == "N5"
    assert refused(game, ttr.ClaimRoute(0, ferry, {"purple": 1, "red": 4, "blue": 3})) == "N5"


@pytest.mark.rule("N5")
def test_the_cards_that_stood_in_are_discarded_and_the_ferry_takes_its_cars_alone() -> None:
    game = table({"purple": 1, "red": 2, "white": 1}, draw_pile=["green"])
    game.play(ttr.ClaimRoute(0, "bergen-stavanger-purple", {"purple": 1, "red": 2, "white": 1}))
    assert game.state.cars[0] == 38
    assert game.state.scores[0] == 2
    assert ttr.cards(game.state).hands[0].total == 0
    assert ttr.cards(game.state).discards == ("purple", "white", "red", "red")


@pytest.mark.rule("N6")
def test_four_cards_of_any_kind_for_one_of_the_color() -> None:
    game = table({"red": 9, "blue": 3, "locomotive": 5})
    for payment in (
        {"red": 9},
        {"red": 8, "locomotive": 4},
        {"red": 8, "blue": 3, "locomotive": 1},
        {"red": 7, "blue": 3, "locomotive": 5},
        {"red": 9, "blue": 3},  # the ninth red one among the four
    ):
        assert game.is_legal(ttr.ClaimRoute(0, LONG, payment)), payment
    for payment in (
        {"red": 8, "locomotive": 1},
        {"red": 8, "blue": 1},
        {"red": 8, "blue": 3},
        {"red": 7, "locomotive": 5},
        {"red": 6, "blue": 3, "locomotive": 3},
        {"locomotive": 5},
        {"red": 9, "locomotive": 1},
        {},
    ):
        assert refused(game, ttr.ClaimRoute(0, LONG, payment)) == "N6", payment


@pytest.mark.slow
@pytest.mark.rule("N6")
def test_thirty_six_cards_of_any_kind_pay_for_the_longest_route() -> None:
    mix = {**dict.fromkeys(COLORS, 3), "locomotive": 12}
    game = table(mix, draw_pile=["green"])
    assert game.is_legal(ttr.ClaimRoute(0, LONG, mix))
    assert refused(game, ttr.ClaimRoute(0, LONG, {**mix, "locomotive": 11})) == "N6"
    game.play(ttr.ClaimRoute(0, LONG, mix))
    assert game.state.cars[0] == 31
    assert game.state.scores[0] == 27


@pytest.mark.rule("N6")
def test_the_route_is_known_by_its_mark() -> None:
    """The data say which route it is: a plain route of nine spaces is a plain route."""
    assert [route.id for route in ROUTES.values() if FOUR_FOR_ONE in route.marks] == [LONG]
    rows = [
        {"cities": ["ada", "bree"], "length": 9, "color": "gray"},
        {"cities": ["bree", "cole"], "length": 2, "color": "red", "marks": [FOUR_FOR_ONE]},
    ]
    board = ttr.load_board(
        {
            "id": "toy", "name": "Toy", "points": {2: 2, 9: 27}, "routes": rows,
            "cities": [{"id": id, "name": id.title()} for id in ("ada", "bree", "cole")],
            "tickets": [{"cities": [a, b], "points": 2, "id": f"{a}-{b}-{n}"} for a, b in (("ada", "bree"), ("ada", "cole")) for n in range(20)],
        }
    )  # fmt: skip
    rules = ttr.compile_rules("nordic-countries", board=board)
    game = arranged(rules, {"hand": {"blue": 9, "red": 1, "white": 4, "locomotive": 4}}, {})
    assert {claim.route: claim.payment.total for claim in legal(game, ttr.ClaimRoute)} == {
        "ada-bree-gray": 9,
        "bree-cole-red": 8,
    }
    assert refused(game, ttr.ClaimRoute(0, "ada-bree-gray", {"blue": 8, "locomotive": 4})) == "N4"
    assert game.is_legal(ttr.ClaimRoute(0, "bree-cole-red", {"red": 1, "locomotive": 4}))
    assert game.is_legal(ttr.ClaimRoute(0, "bree-cole-red", {"blue": 8}))
    assert refused(game, ttr.ClaimRoute(0, "bree-cole-red", {"blue": 1, "white": 4})) == "N6"


@pytest.mark.rule("N5")
def test_one_multiset_is_one_payment_however_it_can_be_read() -> None:
    """Six cards for a gray ferry of four spaces and two symbols: red and blue could both be its color."""
    game = table({"red": 3, "blue": 3, "locomotive": 1})
    claims = [c for c in legal(game, ttr.ClaimRoute) if c.route == "helsinki-stockholm-gray"]
    assert [c.payment for c in claims].count(ttr.Counts(red=3, blue=2, locomotive=1)) == 1


def test_shapes_that_are_forgotten_are_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What price lists remember is bounded, and remembering changes nothing."""
    game = table({"red": 4, "blue": 2, "locomotive": 1})
    first = list(game.legal_actions(0))
    monkeypatch.setattr("ttr_rules.train_cards.prices.SHAPES_KEPT", 1)
    list(table({"green": 3, "locomotive": 2}).legal_actions(0))
    assert list(game.legal_actions(0)) == first
