"""What a seat can do stays small to tell, and quick to ask, however many legal actions it has."""

from __future__ import annotations

import json
import operator
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import CO_GENERATOR
from itertools import islice, product
from random import Random
from types import FrameType
from typing import Any, TypeVar

import pytest
from attrs import field
from helpers import COLORS, PLAIN_ROW, arranged, rules_of
from official import every_map
from plugins import coins, excursions
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import LazyPayments
from ttr_rules.model import Cost, TunnelDue, to_counts
from ttr_rules.model.decisions import replace
from ttr_rules.play import Offer, OfferedKind, PaymentPage, Purchase
from ttr_rules.plugins import ActionRule, Around, EconomyLayer, Transaction
from ttr_rules.sequences import LazySequence
from ttr_rules.train_cards import TrainCards
from ttr_tools.bots import Bot
from ttr_variants.dice import DrawTicketsWithDice
from ttr_variants.europe import BuildStation, LendRoutes, StationLinks

T = TypeVar("T")

#: Python functions and C functions that a question may call: to count millions of payments none calls many fewer, to list them far more.
MOST_CALLS = 60_000
MOST_BYTES = 50_000
SIXTY = {**dict.fromkeys(COLORS, 6), "locomotive": 12}
SIXTY_GERMAN = {**dict.fromkeys(COLORS, 5), "locomotive": 11, "locomotive_4": 5, "passenger": 4}


class TooMuchWork(AssertionError):
    pass


def work(question: Callable[[], T]) -> tuple[T, int]:
    """The answer to a question, and how many functions it called; stopped where these are too many."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1
            # Not in a generator: what is raised in one that is being closed is lost.
            if calls > MOST_CALLS and not frame.f_code.co_flags & CO_GENERATOR:
                sys.setprofile(None)
                raise TooMuchWork(f"more than {MOST_CALLS} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        return question(), calls
    finally:
        sys.setprofile(before)


def cheaply(question: Callable[[], T]) -> T:
    return work(question)[0]


def rich(stack: str, **player: Any) -> ttr.Game:
    """A game in which the first seat holds sixty cards, or of a small deck all but a few."""
    economy = rules_of(stack).economy
    assert isinstance(economy, TrainCards)
    row = [color for color in economy.colors if color != "red"][:5]
    sixty = SIXTY_GERMAN if stack.startswith("germany") else SIXTY
    lying = {kind: economy.cards[kind] - (kind in row) - (kind in economy.colors) for kind in economy.cards}
    hand = {kind: min(count, lying[kind]) for kind, count in sixty.items() if kind in lying}
    assert sum(hand.values()) == 60 or sum(economy.cards.values()) < 60
    return arranged(stack, {"hand": hand, **player}, {}, face_up=row, draw_pile=[economy.colors[-1]])


def size(game: ttr.Game, thing: Any) -> int:
    return len(json.dumps(ttr.to_json(game.rules, thing)).encode())


def purchases(offer: Offer) -> Iterator[Purchase]:
    for kind in offer.kinds:
        yield from kind.purchases


def ask_everything(game: ttr.Game, seat: int) -> None:
    """Every question that a server asks a game for one seat: each takes little work, and little room as JSON."""
    legal = cheaply(lambda: game.legal_actions(seat))
    count = cheaply(lambda: len(legal))
    for index in (0, count // 2, count - 1, -1):
        action = cheaply(lambda: legal[index])
        assert cheaply(lambda: game.is_legal(action))
        assert cheaply(lambda: action in legal)
    assert len(cheaply(lambda: legal[-20:])) == min(count, 20)
    assert len(cheaply(lambda: repr(legal))) < 1000
    assert cheaply(lambda: game.legal_actions(seat) == legal)
    offer = cheaply(lambda: game.offer(seat))
    assert cheaply(lambda: size(game, offer)) < MOST_BYTES
    assert offer.total == count == sum(kind.total for kind in offer.kinds)
    for each in islice(purchases(offer), 0, None, 9):
        page = cheaply(lambda: game.payments(each.cheapest))
        assert page.total == each.payments and page.start == 0 and page.actions[0] == each.cheapest
        last = cheaply(lambda: game.payments(each.cheapest, max(0, each.payments - 100), 100))
        assert cheaply(lambda: size(game, last)) < MOST_BYTES
        assert all(cheaply(lambda: game.is_legal(action)) for action in (*page.actions, *last.actions))
    cheaply(lambda: game.refusal(ttr.Pass(seat)))
    view = cheaply(lambda: game.view(seat))
    assert cheaply(lambda: size(game, view)) < MOST_BYTES


@pytest.mark.slow_cases("united-kingdom", "nordic-countries")
@every_map
def test_no_question_takes_much_work_or_room(stack: tuple[str, ...]) -> None:
    """With sixty cards in hand; and along a game, for seats that are asked anything."""
    rules = rules_of(*stack)
    if isinstance(rules.economy, TrainCards) and not {"white", "yellow", "red"} - set(rules.economy.cards):
        assert len(stack) == 1  # the short games have a smaller deck, and never so many cards in one hand
        game = rich(stack[0])
        assert len(game.legal_actions(0)) > (400 if sum(rules.economy.cards.values()) > 60 else 100)
        ask_everything(game, 0)
    game, random = ttr.new_game(rules=rules, players=2, seed="offer"), Random("+".join(stack))
    asked: set[type[ttr.Decision]] = set()
    while game.to_act:
        seat = random.choice(game.to_act)
        decision = game.decision(seat)
        assert decision is not None
        kind = type(decision)
        if kind not in asked or len(game.moves) % 40 == 0:
            asked.add(kind)
            ask_everything(game, seat)
        choices = game.legal_actions(seat)
        game.play(choices[random.randrange(len(choices))])
    assert len(asked) > 3


def test_work_is_counted_and_stopped() -> None:
    with pytest.raises(TooMuchWork):
        cheaply(lambda: list(rich("nordic-countries").legal_actions(0)))
    assert sys.getprofile() is None or "coverage" in repr(sys.getprofile())


@pytest.mark.rule("N5")
def test_a_hand_of_stand_ins_has_millions_of_claims_and_a_small_offer() -> None:
    game = rich("nordic-countries")
    offer = game.offer(0)
    claims = next(kind for kind in offer.kinds if kind.type == "core.ClaimRoute")
    assert claims.total > 20_000_000 and len(claims.purchases) > 60 and not claims.actions
    assert sum(each.payments for each in claims.purchases) == claims.total
    after = claims.first + claims.total
    last, next_kind = game.legal_actions(0)[after - 1 : after + 1]
    assert isinstance(last, ttr.ClaimRoute) and next_kind == ttr.DrawTickets(0)
    most = max(claims.purchases, key=lambda each: each.payments)
    middle = game.payments(most.cheapest, start=most.payments // 2, limit=3)
    assert len(middle.actions) == 3 and middle.start == most.payments // 2


# -- an offer says what the list says ------------------------------------------------------------------------------


def everything(game: ttr.Game, seat: int) -> Iterator[ttr.Action]:
    """All that an offer leads to, page by page; and that the payments of a thing stand in order."""
    offer, legal = game.offer(seat), game.legal_actions(seat)
    rank = game.rules.economy.payment_rank
    for kind in offer.kinds:
        assert {type(each) for each in legal[kind.first : kind.first + kind.total]} == {game.rules.types[kind.type]}
        yield from kind.actions
        if not kind.purchases:
            yield from legal[kind.first + len(kind.actions) : kind.first + kind.total]
        for each in kind.purchases:
            page = game.payments(each.cheapest, limit=7)
            found = list(page.actions)
            while len(found) < each.payments:
                page = game.payments(each.cheapest, start=len(found), limit=7)
                assert page.total == each.payments and page.start == len(found) and 0 < len(page.actions) <= 7
                found += page.actions
            ranks = [rank(action.payment) for action in found]  # type: ignore[attr-defined]
            assert ranks == sorted(ranks) and found[0] == each.cheapest
            assert game.payments(each.cheapest, start=each.payments).actions == ()
            yield from found


HANDS: tuple[dict[str, int], ...] = (
    {"red": 4, "blue": 3, "green": 1, "locomotive": 3},
    {"red": 2, "white": 2, "black": 2, "yellow": 2, "locomotive": 1},
    {"locomotive": 4},
    {"red": 1},
    {},
)


@pytest.mark.slow_cases("nordic-countries", "europe")
@pytest.mark.rule("C1", "C2", "B2", "N5", "N6", "M5")
@pytest.mark.parametrize("stack", ["europe", "nordic-countries", "switzerland", "germany-tickets"])
def test_an_offer_leads_to_exactly_the_legal_actions(stack: str) -> None:
    for hand in HANDS:
        game = arranged(stack, {"hand": hand}, {}, draw_pile=["red"])
        found = list(everything(game, 0))
        assert Counter(found) == Counter(game.legal_actions(0)), hand


@pytest.mark.slow_cases("stack1", "stack3")
@pytest.mark.parametrize(
    "stack", [["europe"], ["germany-tickets", "dice"], ["north-america", excursions], ["europe", coins.CoinsPlugin()]]
)
def test_an_offer_leads_to_the_legal_actions_throughout_a_game(stack: list[object]) -> None:
    game, random = ttr.new_game(rules=ttr.compile_rules(*stack), players=2, seed=4), Random(4)
    kinds: set[str] = set()
    while game.to_act:
        seat = random.choice(game.to_act)
        if random.random() < 0.2:
            found = list(everything(game, seat))
            assert Counter(found) == Counter(game.legal_actions(seat))
            kinds |= {kind.type for kind in game.offer(seat).kinds if kind.purchases}
        choices = game.legal_actions(seat)
        game.play(choices[random.randrange(len(choices))])
    assert game.offer() == Offer(0, ()) and "core.ClaimRoute" in kinds
    assert (excursions not in stack) or "excursions.Travel" in kinds


@pytest.mark.rule("N5", "N6")
def test_stand_ins_are_ordered_without_a_list_as_a_list_is() -> None:
    game = arranged("nordic-countries", {"hand": {"red": 4, "blue": 3, "green": 2, "locomotive": 3}}, {})
    economy, state = game.rules.economy, game.state
    lazy = 0
    for route in game.rules.board.routes.values():
        payments = economy.payments(state, 0, Cost.of_route(route))
        if isinstance(payments, LazyPayments):
            lazy += 1
            ordered = payments.cheapest_first()
            assert list(ordered) == sorted(payments, key=economy.payment_rank)
            assert [ordered[index] for index in range(len(ordered))] == list(ordered)
    assert lazy > 10


def test_few_actions_are_listed_whole_and_claims_by_route() -> None:
    game = arranged("europe", {"hand": {"red": 3, "locomotive": 1}}, {}, draw_pile=["red"])
    offer = game.offer(0)
    kinds = {kind.type: kind for kind in offer.kinds}
    assert list(kinds) == [
        "train-cards.DrawBlind",
        "train-cards.DrawFaceUp",
        "core.ClaimRoute",
        "core.DrawTickets",
        "europe.BuildStation",
    ]
    assert kinds["train-cards.DrawBlind"] == OfferedKind("train-cards.DrawBlind", 1, 0, (ttr.DrawBlind(0),), ())
    row = [action.card for action in kinds["train-cards.DrawFaceUp"].actions]  # type: ignore[attr-defined]
    assert row == list(PLAIN_ROW)
    claims = kinds["core.ClaimRoute"]
    routes = [each.cheapest.route for each in claims.purchases]  # type: ignore[attr-defined]
    assert routes == [id for id in game.rules.board.routes if id in routes]
    stations = kinds["europe.BuildStation"].purchases
    assert len(stations) == len(game.rules.board.cities) and {each.payments for each in stations} == {2}
    assert stations[0].cheapest == BuildStation(0, next(iter(game.rules.board.cities)), {"red": 1})
    page = game.payments(BuildStation(0, "paris", {"green": 9}))
    assert page == PaymentPage(
        2, 0, (BuildStation(0, "paris", {"red": 1}), BuildStation(0, "paris", {"locomotive": 1}))
    )


def test_an_offer_is_for_the_seat_that_is_asked_or_for_one_that_is_named() -> None:
    game = ttr.new_game("europe", players=2, seed=1, first_seat=0)
    with pytest.raises(ttr.InvalidInputError, match="seats 0, 1 may act now"):
        game.offer()
    for bad in (2, -1, "0", True):
        with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 1"):
            game.offer(bad)  # type: ignore[arg-type]
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    assert game.offer() == game.offer(0) and game.offer(1) == Offer(0, ())


def test_what_cannot_be_bought_has_no_payments() -> None:
    game = arranged("europe", {"hand": {"red": 3}}, {"routes": ["berlin-danzig-gray"]}, draw_pile=["red"])
    nothing = PaymentPage(0, 0, ())
    for action in (
        ttr.ClaimRoute(0, "berlin-danzig-gray", {"red": 4}),
        ttr.ClaimRoute(0, "nowhere", {}),
        ttr.ClaimRoute(1, "frankfurt-paris-white", {}),
        ttr.ClaimRoute("0", "frankfurt-paris-white", {}),  # type: ignore[arg-type]
        ttr.PayTunnel(0, {"red": 1}),
    ):
        assert game.payments(action) == nothing, action
    free = next(each for each in purchases(game.offer(0)) if isinstance(each.cheapest, ttr.ClaimRoute))
    claim: Any = free.cheapest
    assert game.payments(replace(claim, payment={})).total == free.payments
    with pytest.raises(ttr.InvalidInputError, match="DrawBlind has no payment"):
        game.payments(ttr.DrawBlind(0))
    with pytest.raises(ttr.InvalidInputError, match="expected an action"):
        game.payments("berlin-danzig-gray")  # type: ignore[arg-type]
    for start in (-1, "0", None, True):
        with pytest.raises(ttr.InvalidInputError, match="start is the number of payments to skip"):
            game.payments(free.cheapest, start)  # type: ignore[arg-type]
    for limit in (0, 101, "20", None, True):
        with pytest.raises(ttr.InvalidInputError, match="limit is 1 to 100"):
            game.payments(free.cheapest, 0, limit)  # type: ignore[arg-type]


@pytest.mark.rule("T2")
def test_the_payments_of_a_tunnel_are_listed_and_can_be_paged_too() -> None:
    hand = {"white": 8, "locomotive": 3}
    game = arranged("europe", {"hand": hand}, {}, draw_pile=["white", "white", "red", "red", "red"])
    tunnel = next(each for each in purchases(game.offer(0)) if game.rules.board.routes[each.cheapest.route].tunnel)  # type: ignore[attr-defined]
    game.play(tunnel.cheapest)
    assert isinstance(game.decision(0), TunnelDue)
    pays = game.offer(0).kinds[0]
    assert pays.type == "core.PayTunnel" and len(pays.actions) == pays.total == 3 and not pays.purchases
    page = game.payments(ttr.PayTunnel(0, {}))
    assert page.total == 3 and set(page.actions) == set(pays.actions)
    assert page.actions[0] == ttr.PayTunnel(0, {"white": 2})


# -- refusals list nothing -----------------------------------------------------------------------------------------


def never(*arguments: object) -> None:
    raise AssertionError("a rule was asked what it offers")


@pytest.mark.rule("R4")
def test_passing_is_refused_by_the_first_thing_that_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rich("nordic-countries")
    rules = game.rules.action_rules

    first = next(rule for rule in rules if rule.offers(game.state, ttr.Turn(0)))
    assert first.action is ttr.DrawBlind
    for rule in rules:
        if rule is not first and type(rule) is not type(first):
            monkeypatch.setattr(type(rule), "count", never)
    refusal = game.refusal(ttr.Pass(0))
    assert refusal is not None and refusal.rule == "R4" and "DrawBlind is legal for seat 0" in refusal.reason


@every_map
def test_refusing_asks_no_other_rule_than_the_one_it_is_about(
    stack: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether one action is legal is never answered from the list of all that are; but for a pass."""
    game, random = ttr.new_game(rules=ttr.compile_rules(*stack), players=2, seed=8), Random(8)
    asked = 0
    kinds = {type(rule) for rule in game.rules.action_rules}
    assert kinds
    while game.to_act and asked < 150:
        seat = random.choice(game.to_act)
        choices = game.legal_actions(seat)
        some = [choices[random.randrange(len(choices))] for _ in range(3)]
        with monkeypatch.context() as patch:
            for kind in kinds:
                for method in ("offers", "count", "nth", "codes"):
                    patch.setattr(kind, method, never)
            for action in some:
                if type(action) is not ttr.Pass:
                    asked += 1
                    assert game.is_legal(action)
                    assert not game.is_legal(replace(action, seat=1 - seat)) or len(game.to_act) > 1
        game.play(some[0])
    assert asked >= 100


# -- what plugins offer --------------------------------------------------------------------------------------------


class Buy(ttr.Action):
    """Buy so much of something."""

    what: str
    payment: ttr.Counts

    def __init__(self, seat: int, what: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, what, to_counts(payment))


class Ring(ttr.Action):
    """Ring so often."""

    times: int


class Counted(Sequence[Any]):
    """A very long sequence that counts what is read of it."""

    def __init__(self, size: int, make: Callable[[int], ttr.Action]) -> None:
        self.size = size
        self.make = make
        self.read = 0

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(self.size))]
        if not 0 <= index < self.size:
            raise IndexError(index)
        self.read += 1
        return self.make(index)


def shop(actions: Sequence[ttr.Action], kind: type[ttr.Action]) -> ttr.Rules:
    """North America with one more rule, which has nothing but these offers; it groups them if they know how."""

    class ShopRule(ActionRule[ttr.Turn, Any]):
        on = ttr.Turn
        action = kind

        def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[ttr.Action]:
            return actions

        def refusal(self, state: ttr.State, decision: ttr.Turn, action: Any) -> ttr.Refusal | None:
            return None

        def perform(self, tx: Transaction, decision: ttr.Turn, action: Any) -> None:
            """Only the turn ends."""

    if isinstance(actions, Goods):
        ShopRule.purchases = actions.purchases  # type: ignore[assignment, method-assign]
    return ttr.compile_rules("north-america", plugin("shop", actions=lambda rules: [ShopRule()]))


def test_a_rule_that_only_has_offers_is_grouped_by_what_is_paid_for() -> None:
    payments = [ttr.Counts(locomotive=2), ttr.Counts(red=3), ttr.Counts(red=2), ttr.Counts(blue=2)]
    game = arranged(shop([Buy(0, what, payment) for what in "ab" for payment in payments], Buy), {}, {})
    kind = game.offer(0).kinds[-1]
    assert (kind.type, kind.total, kind.actions) == ("shop.Buy", 8, ())
    assert kind.purchases == (Purchase(Buy(0, "a", {"red": 2}), 4), Purchase(Buy(0, "b", {"red": 2}), 4))
    page = game.payments(Buy(0, "b", {}), start=1, limit=2)
    assert page == PaymentPage(4, 1, (Buy(0, "b", {"blue": 2}), Buy(0, "b", {"red": 3})))


def test_a_rule_with_very_many_offers_is_shown_by_a_page() -> None:
    """Whatever they are, and however their author made them."""
    rings = Counted(10**7, lambda index: Ring(0, index))
    buys = Counted(10**7, lambda index: Buy(0, "all", {"red": index + 1}))
    for actions, kind in ((rings, Ring), (buys, Buy)):
        game = arranged(shop(actions, kind), {}, {})
        offered = cheaply(lambda: game.offer(0)).kinds[-1]
        assert (offered.total, len(offered.actions), offered.purchases) == (10**7, 100, ())
        assert offered.actions[-1] == actions.make(99) and actions.read < 300
        end = offered.first + offered.total
        assert cheaply(lambda: list(game.legal_actions(0)[end - 2 : end])) == [
            actions.make(10**7 - 2), actions.make(10**7 - 1),
        ]  # fmt: skip
        assert size(game, game.offer(0)) < MOST_BYTES
        assert game.is_legal(actions.make(5)) and game.refusal(ttr.Pass(0)) is not None
        assert actions.read < 1000
    with pytest.raises(ttr.InvalidInputError, match=r"the 10000000 legal actions Buy of seat 0 .*no method purchases"):
        cheaply(lambda: game.payments(Buy(0, "all", {})))


class Goods(LazySequence[Buy]):
    """A thousand goods, each for any number of coins: grouped by its author in one small method."""

    def __init__(self, goods: int) -> None:
        super().__init__(goods * 1000)

    def nth(self, index: int) -> Buy:
        return Buy(0, f"good {index // 1000}", {"coin": index % 1000 + 1})

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Buy) and any(
            (each.seat, each.what) == (action.seat, action.what) and action.payment in payments
            for each, payments in self.purchases()
        )

    def purchases(
        self, state: object = None, seat: int = 0, things: object = None
    ) -> Iterator[tuple[Buy, Sequence[ttr.Counts]]]:
        payments = [ttr.Counts(coin=number + 1) for number in range(1000)]
        for index in range(0, len(self), 1000):
            yield self.nth(index), payments


def test_a_rule_groups_very_many_offers_by_one_small_method() -> None:
    game = arranged(shop(Goods(200), Buy), {}, {})
    kind = cheaply(lambda: game.offer(0)).kinds[-1]
    assert kind.total == 200_000 and not kind.actions
    assert [each.payments for each in kind.purchases] == [1000] * 200
    legal = game.legal_actions(0)
    assert cheaply(lambda: Buy(0, "good 199", {"coin": 1000}) in legal and game.is_legal(legal[-1]))
    for absent in (Buy(0, "good 200", {"coin": 1}), Buy(0, "good 3", {"coin": 1001}), Buy(1, "good 3", {"coin": 1})):
        assert cheaply(lambda: absent not in legal)
    page = game.payments(Buy(0, "good 7", {}), start=998)
    assert page == PaymentPage(1000, 998, (Buy(0, "good 7", {"coin": 999}), Buy(0, "good 7", {"coin": 1000})))
    kind = arranged(shop(Goods(1001), Buy), {}, {}).offer(0).kinds[-1]  # more things than anybody can look through
    assert kind.purchases == () and len(kind.actions) == 100


def test_fields_that_cannot_be_compared_quickly_are_listed() -> None:
    class Odd(ttr.Action):
        where: dict[str, str] = field(hash=False)
        payment: ttr.Counts

    odd = [Odd(0, {"a": name}, ttr.Counts(red=1)) for name in "abc"]
    game = arranged(shop(odd, Odd), {}, {})
    kind = game.offer(0).kinds[-1]
    assert kind.actions == tuple(odd) and kind.purchases == ()
    with pytest.raises(ttr.InvalidInputError, match="have fields without a hash"):
        game.payments(odd[0])


def test_what_a_guard_refuses_is_not_offered() -> None:
    def elsewhere(state: ttr.State, action: BuildStation) -> ttr.Refusal | None:
        return ttr.Refusal("guard", "not here") if action.city == "paris" else None

    guarded = plugin("guarded", around=lambda rules: [Around(BuildStation, refuse=elsewhere)])
    game = arranged(ttr.compile_rules("europe", guarded), {"hand": {"red": 3}}, {})
    stations = game.offer(0).kinds[-1]
    assert stations.total == len(stations.purchases) == len(game.rules.board.cities) - 1
    assert "paris" not in {each.cheapest.city for each in stations.purchases}  # type: ignore[attr-defined]
    assert game.payments(BuildStation(0, "paris", {"red": 1})) == PaymentPage(0, 0, ())
    assert game.payments(BuildStation(0, "roma", {})).total == 1


def test_a_guard_also_applies_to_the_action_that_replaces_its_own() -> None:
    """With dice, tickets are drawn by another action: who writes the guard need not know it."""

    def refuse(state: ttr.State, action: ttr.DrawTickets) -> ttr.Refusal:
        return ttr.Refusal("closed", "no tickets")

    closed = plugin("closed", around=lambda rules: [Around(ttr.DrawTickets, refuse=refuse)])
    for plugins, offered in (((), 1), ((closed,), 0)):
        game = ttr.new_game("europe", "dice", *plugins, players=2, seed=1)
        while type(game.decision(game.to_act[0])) is not ttr.Turn:
            game.play(game.legal_actions(game.to_act[0])[0])
        kinds = [kind.type for kind in game.offer(game.to_act[0]).kinds]
        assert kinds.count("dice.DrawTicketsWithDice") == offered
        refusal = game.refusal(DrawTicketsWithDice(game.to_act[0], {"locomotive": 1}))
        assert refusal == (None if offered else ttr.Refusal("closed", "no tickets"))


@pytest.mark.rule("N5")
def test_payments_stay_unlisted_under_a_layer_of_a_plugin() -> None:
    class Layer(EconomyLayer):
        """Changes nothing."""

    layered = plugin("layered", economy=lambda below, board: Layer(below()))
    rules = ttr.compile_rules("nordic-countries", layered)
    game = arranged(rules, {"hand": SIXTY}, {}, draw_pile=["red"])
    plain = rich("nordic-countries")
    assert cheaply(lambda: len(game.legal_actions(0))) == len(plain.legal_actions(0))
    offer = cheaply(lambda: game.offer(0))
    assert {each.cheapest: each.payments for each in purchases(offer)} == {
        each.cheapest: each.payments for each in purchases(plain.offer(0))
    }
    most = max(purchases(offer), key=lambda each: each.payments).cheapest
    assert cheaply(lambda: game.payments(most, 10**6)) == plain.payments(most, 10**6)


# -- sequences -----------------------------------------------------------------------------------------------------


def test_a_sequence_of_millions_is_no_trap() -> None:
    game = rich("nordic-countries")
    legal = game.legal_actions(0)
    text = cheaply(lambda: repr(legal))
    assert text.startswith(f"<LegalActions of {len(legal)}: DrawBlind(seat=0), DrawFaceUp(") and text.endswith(", …>")
    with pytest.raises(TypeError, match="unhashable"):
        hash(legal)
    assert cheaply(lambda: game.legal_actions(0) == legal)
    other = rich("nordic-countries").legal_actions(0)
    assert other is not legal and cheaply(lambda: other == legal)
    fewer = arranged("nordic-countries", {"hand": {**SIXTY, "red": 5}}, {}, draw_pile=["red"]).legal_actions(0)
    assert cheaply(lambda: fewer != legal)
    others: tuple[object, ...] = ("actions", 3)
    assert all(legal != each for each in others)
    for part in (slice(5), slice(-3, None), slice(10**6, 10**6 + 40, 7), slice(-1, -60, -11)):
        wanted = [legal[index] for index in range(*part.indices(len(legal)))]
        assert list(cheaply(partial(operator.getitem, legal, part))) == wanted


def test_a_short_sequence_is_shown_whole_and_equals_its_list() -> None:
    game = ttr.new_game("north-america", players=2, seed=1, first_seat=0)
    legal = game.legal_actions(0)
    assert len(legal) == 4 and repr(legal).startswith("<LegalActions of 4: KeepTickets(") and repr(legal).endswith("…>")
    same: tuple[object, ...] = (list(legal), tuple(legal))
    assert all(legal == each for each in same) and list(legal)[::-1] != legal
    assert repr(legal[:2]) == repr(tuple(legal)[:2])


def test_ways_to_lend_come_in_the_order_of_the_stations() -> None:
    options = {"berlin": ("x", "y"), "wien": ("z",), "paris": ("u", "v", "w")}
    wanted = [
        LendRoutes(0, dict(zip(options, choice, strict=True)))
        for choice in product(*options.values())
    ]  # fmt: skip
    state = ttr.new_game("europe:station_choice=ask", players=2, seed=1).state
    rule = state.rules.answers[StationLinks].by_action[LendRoutes]
    assert rule.offers(state, StationLinks(0, options)) == wanted and len(wanted) == 6


# -- bots ----------------------------------------------------------------------------------------------------------


def test_bots_look_at_some_of_very_many_actions() -> None:
    buys = Counted(10**7, lambda index: Buy(0, "all", {"red": index + 1}))
    game = arranged(shop(buys, Buy), {}, {}, draw_pile=["red"])
    for actions in (game.legal_actions(0), buys):
        buys.read = 0
        chosen = Bot(1).choose(game.view(0), game.rules, actions)
        assert game.is_legal(chosen) and 0 < buys.read < 6000
    game = rich("nordic-countries")
    assert game.is_legal(Bot(1).choose(game.view(0), game.rules, game.legal_actions(0)))


def test_an_index_is_found_without_creating_the_actions_after_it() -> None:
    buys = Counted(10**7, lambda index: Buy(0, "all", {"red": index + 1}))
    actions = arranged(shop(buys, Buy), {}, {}, draw_pile=["red"]).legal_actions(0)
    third = actions[3]
    buys.read = 0
    assert actions.index(third) == 3 and buys.read < 20
    with pytest.raises(ValueError, match="ClaimRoute.* is not in this sequence"):
        actions.index(ttr.ClaimRoute(0, "paris-wien-red", {"red": 1}))
    assert buys.read < 20


def test_legal_actions_and_what_a_move_brought_have_all_methods_of_sequences() -> None:
    players: Any = [{"hand": {"red": 3}}, {}]
    game = ttr.arrange(rules_of("europe"), {"seed": 1, "players": players})
    brought = game.play(ttr.DrawBlind(0))
    for sequence in (game.legal_actions(), brought):
        listed: list[Any] = list(sequence)
        last = listed[-1]
        assert sequence.index(last) == sequence.index(last, 1, 999) == len(listed) - 1
        assert sequence.count(last) == 1 and [*reversed(sequence)] == listed[::-1]
        for bounds in ((0, len(listed) - 1), (len(listed),)):
            with pytest.raises(ValueError, match="not in"):
                sequence.index(last, *bounds)
