"""Layers that take pieces of their own in payments, such as coins, over any economy: what is offered, refused, paid and taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import pytest
from attrs import evolve
from helpers import rules_of
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import LazyPayments, Prices, pays_with
from ttr_rules.clients.converting import pays_with_cards
from ttr_rules.errors import PluginError
from ttr_rules.events import PiecesSpent
from ttr_rules.model import Cost
from ttr_rules.parts import PrintedName
from ttr_rules.plugins import ActionRule, EconomyLayer, Part, Transaction, points_in_play, public
from ttr_rules.train_cards import CardDeck, NextCard, TrainCards
from ttr_tools.narration import Names, Narrator, narrate
from ttr_tools.narration.menus import payment_label
from ttr_tools.testing import check_variant
from ttr_variants.europe import BuildStation

RED, WHITE, TUNNEL = "berlin-frankfurt-red", "frankfurt-paris-white", "paris-zurich-gray"  # three spaces each
STACKS = [
    ("europe",), ("europe", "dice"), ("london",), ("nordic-countries",), ("united-kingdom",), ("switzerland",),
    ("pennsylvania",), ("germany-tickets",),
]  # fmt: skip
#: The economies of cards and of dice.
QUICK = STACKS[:2]
DECKS = (CardDeck("day", {"red": 20, "blue": 20, "locomotive": 9}), CardDeck("night", {"black": 20, "white": 20}))
TWO_DECKS = plugin("two-decks", economy=giving(TrainCards(decks=DECKS)))


class Bank(Part):
    """The pieces of each seat."""

    coins: list[int] = public(each=5, key="coins")
    notes: list[int] = public(each=0, key="notes")


class Moved(ttr.Event):
    """A seat has more or fewer pieces than before."""

    seat: int
    coins: int
    notes: int

    def apply(self, state: ttr.State) -> None:
        bank = state.part(Bank)
        bank.coins[self.seat] += self.coins
        bank.notes[self.seat] += self.notes


class CoinLayer(EconomyLayer):
    """A coin stands for one card of a claim, but not of what a tunnel costs extra."""

    pieces: tuple[str, ...] = ("coin", "note")

    def held(self, state: ttr.State, seat: int) -> Mapping[str, int]:
        bank = state.part(Bank)
        return {"coin": bank.coins[seat], "note": bank.notes[seat]}

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, ttr.Counts]]:
        if cost.kind not in ("single", "double") or cost.extra:
            return [(cost, ttr.Counts())]
        return [(cost, ttr.Counts()), (less(cost), ttr.Counts(coin=1))]

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Moved, seat, -pieces["coin"], -pieces["note"])

    def take_back(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Moved, seat, pieces["coin"], pieces["note"])


def less(cost: Cost) -> Cost | None:
    return evolve(cost, spaces=cost.spaces - 1, wilds=max(cost.wilds - 1, 0)) if cost.spaces > 1 else None


class Rich(CoinLayer):
    """Two coins or a note pay for any claim, and every ferry costs a coin besides."""

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, ttr.Counts]]:
        if cost.wilds:
            return [(cost, ttr.Counts(coin=1)), (None, ttr.Counts(note=1))]
        return [(cost, ttr.Counts()), (None, ttr.Counts(coin=2)), (None, ttr.Counts(note=1))]


class Dearer(CoinLayer):
    """Whoever has a coin left pays a space more: the same layer changes costs, too."""

    def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces + 1) if state.part(Bank).coins[seat] else cost


def bank(kind: type[EconomyLayer] = CoinLayer, **hooks: Any) -> type[ttr.plugins.Variant]:
    return plugin(
        "bank", (), __name__, parts=lambda rules: (Bank,), economy=lambda below, board: kind(below()), **hooks
    )


def arranged(rules: ttr.Rules, *players: dict[str, Any], **more: object) -> ttr.Game:
    return ttr.arrange(rules, {"seed": 1, "players": [*players], **more})


def at(game: ttr.Game, seat: int = 0) -> tuple[int, int]:
    found = game.view(1).part(Bank)
    return found.coins[seat], found.notes[seat]


def told(game: ttr.Game, action: ttr.Action) -> str:
    return str(game.refusal(action) or "")


def claim(route: str, **payment: int) -> ttr.ClaimRoute:
    return ttr.ClaimRoute(0, route, payment)


# -- what is offered and refused -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("stack6-CoinLayer", "stack2-Dearer", "stack4-Rich", "stack24-CoinLayer")
@pytest.mark.parametrize(
    ("stack", "kind"),
    [
        pytest.param(stack, kind, marks=() if kind is CoinLayer or stack in QUICK else pytest.mark.thorough)
        for stack in [*STACKS, ("north-america", TWO_DECKS)]
        for kind in (CoinLayer, Rich, Dearer)
    ],
)
def test_pieces_pay_over_any_economy(stack: tuple[Any, ...], kind: type[EconomyLayer]) -> None:
    """All ways to ask what is legal agree, and pieces are paid; payments of big hands are not listed."""
    rules = ttr.compile_rules(*stack, bank(kind))
    game, random = ttr.new_game(rules=rules, players=rules.components.min_players, seed=3), Random(3)
    for _ in range(40):
        if game.is_over:
            break
        seat = game.to_act[0]
        legal = game.legal_actions(seat)
        paid = [action for action in legal if isinstance(action, ttr.ClaimRoute)][:300]
        for action in random.sample(paid, min(len(paid), 3)):
            page = game.payments(action, limit=100)
            assert action in page.actions or page.total > 100
            assert game.refusal(action) is None and legal[legal.index(action)] == action
        routes = {
            action.route: rules.economy.payments(game.state, seat, cost_of(game, seat, action)) for action in paid
        }
        if len(paid) < 300:
            assert sum(map(len, map(listed, routes.values()))) == len(paid)
        some = [action for action in paid if "coin" in action.payment or "note" in action.payment]
        game.play(random.choice(some) if some and random.random() < 0.5 else legal[random.randrange(len(legal))])
    assert any("coin" in move.action.payment for move in game.moves if isinstance(move.action, ttr.ClaimRoute)) or (
        kind is Rich and "dice" in stack
    )
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


def cost_of(game: ttr.Game, seat: int, action: ttr.ClaimRoute) -> Cost:
    return ttr.actions.route_cost(game.state, seat, action.route)


def listed(payments: Iterable[ttr.Counts]) -> Sequence[ttr.Counts]:
    return payments if isinstance(payments, Sequence) else list(payments)


@pytest.mark.slow
@pytest.mark.thorough_but("Rich-stack2")
@pytest.mark.parametrize(
    ("kind", "stack"),
    [(CoinLayer, ("europe",)), (CoinLayer, ("europe", "dice")), (Rich, ("london",)), (Dearer, ("nordic-countries",))],
)
def test_a_layer_with_pieces_passes_the_checks(kind: type[EconomyLayer], stack: tuple[str, ...]) -> None:
    assert check_variant(*stack, bank(kind), players=2, games=1, skip=["processes"]).games


def test_a_playout_lists_no_payments() -> None:
    class Unlisted(CoinLayer):
        def payments(self, state: ttr.State, seat: int, cost: Cost) -> Iterable[ttr.Counts]:
            raise AssertionError("payments are listed")

        def prices(self, costs: Sequence[Cost]) -> Prices:
            return CoinLayer(self.below).prices(costs)

    assert ttr.playout(ttr.compile_rules("united-kingdom", bank(Unlisted)), players=2, seed=1)


def test_prices_of_a_changed_cost_are_those_of_listed_payments() -> None:
    class Listed(Dearer):
        def prices(self, costs: Sequence[Cost]) -> Prices:
            return Prices(self, costs)

    quick, slow = (ttr.compile_rules("europe", bank(kind)) for kind in (Dearer, Listed))
    hand = {"white": 4, "red": 3, "locomotive": 2}
    for coins in (0, 1):
        offers = [set(arranged(rules, {"hand": hand, "coins": coins}, {}).legal_actions(0)) for rules in (quick, slow)]
        assert offers[0] == offers[1] and len(offers[0]) > 50


class Closed(CoinLayer):
    """White routes cannot be paid for at all."""

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, ttr.Counts]]:
        return [] if cost.color == "white" else super().alternatives(cost)


def test_what_has_no_alternative_cannot_be_paid_for() -> None:
    game = arranged(ttr.compile_rules("europe", bank(Closed)), {"hand": {"white": 3}}, {})
    assert told(game, claim(WHITE, white=3)) == "[C1] this cannot be paid for now"
    assert told(game, claim(WHITE, white=2, coin=1)) == "[C1] 1 coin cannot be part of this payment"


def test_refusals_say_which_pieces_would_do() -> None:
    game = arranged(ttr.compile_rules("europe", bank()), {"hand": {"white": 3, "red": 1}}, {"coins": 0})
    assert told(game, claim(WHITE, white=2, coin=1)) == ""
    assert told(game, claim(WHITE, white=1, coin=2)) == "[C1] 2 coin cannot be part of this payment; 1 coin can"
    assert told(game, claim(WHITE, white=1, coin=1)) == "[C1] this costs 2 cards; you paid 1 (1 white)"
    assert told(game, claim(WHITE, red=1, white=1, coin=1)).startswith("[C1] the cards must be of one color")
    assert told(game, BuildStation(0, "wien", ttr.Counts(coin=1))) == "[B2] 1 coin cannot be part of this payment"
    poor = arranged(game.rules, {"hand": {"white": 3}, "coins": 0}, {})
    assert (
        told(poor, claim(WHITE, white=2, coin=1)) == "[C1] seat 0 does not hold 1 coin; the payment was 2 white, 1 coin"
    )


def test_people_read_of_missing_pieces_and_cards_as_of_paid_ones() -> None:
    game = arranged(ttr.compile_rules("europe", bank(Rich)), {"coins": 1, "hand": {"white": 2}}, {})
    short = {"Ada does not hold two coins; the payment was two coins": {"coin": 2}}
    short["Ada does not hold three white cards; the payment was three white cards"] = {"white": 3}
    for words, payment in short.items():
        refusal = game.refusal(claim(WHITE, **payment))
        assert refusal and Names(game.rules, ["Ada", "Bo"]).text(refusal.reason) == words
    refusal = game.refusal(claim(WHITE, white=3))
    german = "Ada hat nicht: drei weiße Karten; gezahlt werden sollte: drei weiße Karten"
    assert refusal and Names(game.rules, ["Ada", "Bo"], "de").text(refusal.reason) == german


def test_pieces_may_pay_for_everything_or_have_to_be_paid() -> None:
    game = arranged(ttr.compile_rules("europe", bank(Rich)), {"hand": {"white": 3, "locomotive": 2}, "notes": 1}, {})
    ferry = "amsterdam-london-gray"
    refusal = game.refusal(claim(ferry, locomotive=2))
    assert refusal is not None and str(refusal) == "[C1] 1 coin or 1 note must be part of this payment"
    assert Names(game.rules, game.players).text(refusal.reason) == "a coin or a note must be part of this payment"
    assert told(game, claim(ferry, locomotive=2, coin=1)) == ""
    assert told(game, claim(WHITE, white=1, coin=2)) == "[C1] with 2 coin nothing else is paid; leave out 1 white"
    game.play(claim(WHITE, coin=2))
    assert at(game) == (3, 1) and game.state.owners == {WHITE: 0} and ttr.cards(game.state).hands[0].total == 5


def test_payments_with_pieces_are_dearer_than_all_others() -> None:
    game = arranged(ttr.compile_rules("united-kingdom", bank()), {"hand": {"red": 9, "blue": 9, "locomotive": 4}}, {})
    route = next(
        action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute) and "coin" in action.payment
    )
    payments = game.rules.economy.payments(game.state, 0, cost_of(game, 0, route))
    assert isinstance(payments, LazyPayments)
    coins = [payment["coin"] for payment in payments.cheapest_first()]
    assert coins == sorted(coins) and {*coins} == {0, 1}
    ranks = [game.rules.economy.payment_rank(payment) for payment in payments.cheapest_first()]
    assert ranks == sorted(ranks)


# -- tunnels ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("T4")
def test_a_coin_laid_for_a_tunnel_is_spent_or_comes_back() -> None:
    rules = ttr.compile_rules("europe", bank())
    for seats, last, coins, red in ((2, ttr.PayTunnel(0, {"red": 2}), 4, 0), (1, ttr.AbandonTunnel(0), 5, 4)):
        game = arranged(rules, {"hand": {"red": 4}}, *[{}] * seats, draw_pile=["red", "red", "blue"])
        game.play(claim(TUNNEL, red=2, coin=1))
        due: Any = game.decision(0)
        assert at(game) == (4, 0) and due.laid == {"red": 2, "coin": 1} and due.extra.extra and due.extra.spaces == 2
        assert told(game, ttr.PayTunnel(0, {"red": 1, "coin": 1})) == "[T2] 1 coin cannot be part of this payment"
        game.play(last)
        assert at(game) == (coins, 0) and ttr.cards(game.state).hands[0]["red"] == red


@pytest.mark.rule("T4")
def test_what_was_laid_down_is_given_back_whatever_is_asked() -> None:
    state = arranged(ttr.compile_rules("europe", bank()), {"hand": {"red": 4}}, {}).state
    tx, economy, laid = Transaction(state, []), state.rules.economy, ttr.Counts(red=2, coin=1)
    economy.lay(tx, 0, Cost("single", 3, "red", tunnel=True), laid)
    assert ttr.cards(state).hands[0] == {"red": 2} and state.part(Bank).coins[0] == 4
    economy.take_back_laid(tx, 0, laid)
    assert ttr.cards(state).hands[0] == {"red": 4} and state.part(Bank).coins[0] == 5


def test_pieces_pay_a_whole_tunnel_and_what_it_costs_extra() -> None:
    rules = ttr.compile_rules("europe", bank(Rich))
    game = arranged(rules, {"hand": {"red": 1}, "notes": 1}, {}, draw_pile=["locomotive", "red", "blue"])
    game.play(claim(TUNNEL, note=1))
    due: Any = game.decision(0)
    assert due.extra.only_wilds and at(game) == (5, 0)
    game.play(ttr.PayTunnel(0, {"coin": 2}))
    assert at(game) == (3, 0) and game.state.owners == {TUNNEL: 0}


# -- mistakes of authors ---------------------------------------------------------------------------------------------


def mistaken(alternatives: Any) -> type[EconomyLayer]:
    class Mistaken(CoinLayer):
        def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, ttr.Counts]]:
            answer: Sequence[tuple[Cost | None, ttr.Counts]] = alternatives
            return answer

    return Mistaken


@pytest.mark.parametrize(
    ("alternatives", "message"),
    [
        ([(None, ttr.Counts(gem=1))], "Mistaken.alternatives takes gem: name all kinds in Mistaken.pieces"),
        ([(None, ttr.Counts(coin=1)), (Cost("single", 1), ttr.Counts(coin=1))], "has two ways to pay .* with 1 coin"),
        ([("nothing", ttr.Counts(coin=1))], "Mistaken.alternatives must give a Cost"),
        ([Cost("single", 1)], "Mistaken.alternatives must give pairs of a Cost, or None, and Counts for Cost"),
        ([(None, 1)], "Mistaken.alternatives must give pairs of a Cost, or None, and Counts for Cost"),
        (None, "Mistaken.alternatives must give pairs of a Cost, or None, and Counts for Cost"),
    ],
)
def test_wrong_alternatives_are_reported(alternatives: Any, message: str) -> None:
    with pytest.raises(PluginError, match=message):
        ttr.compile_rules("europe", bank(mistaken(alternatives)))


@pytest.mark.parametrize("method", ["spend", "take_back"])
def test_a_layer_without_a_way_to_take_its_pieces_says_so(method: str) -> None:
    class Forgetful(CoinLayer):
        pass

    setattr(Forgetful, method, getattr(EconomyLayer, method))
    game = arranged(ttr.compile_rules("europe", bank(Forgetful)), {"hand": {"red": 4}}, {}, draw_pile=["red"] * 3)
    with pytest.raises(PluginError, match=f"it needs a method {method}"):
        for action in (claim(TUNNEL, red=2, coin=1), ttr.AbandonTunnel(0)):
            game.play(action)


def test_train_cards_name_the_layer_that_should_have_taken_its_share() -> None:
    class Careless(CoinLayer):
        def spend_laid(self, tx: Transaction, seat: int, extra: ttr.Counts) -> None:
            self.below.spend_laid(tx, seat, extra)

    game = arranged(ttr.compile_rules("europe", bank(Careless)), {"hand": {"red": 4}}, {})
    tx, economy = Transaction(game.state, []), game.rules.economy
    economy.lay(tx, 0, Cost("single", 2, tunnel=True), ttr.Counts(red=2))
    with pytest.raises(PluginError, match="Careless, the layer over them, must take 'coin' in pay, lay and spend_laid"):
        economy.spend_laid(tx, 0, ttr.Counts(red=1, coin=1))


def test_a_layer_with_pieces_does_not_pay_with_cards_alone() -> None:
    with_pieces, plain = ttr.compile_rules("europe", bank()), rules_of("europe")
    assert pays_with(with_pieces.economy, TrainCards)
    assert [pays_with_cards(rules) for rules in (with_pieces, plain)] == [False, True]


# -- the second card of a draw ---------------------------------------------------------------------------------------


class TakeCoin(ttr.Action):
    """Take a coin instead of the second card of the draw."""


class TakeCoinRule(ActionRule[NextCard, TakeCoin]):
    """Not instead of a card that a plugin grants."""

    def offers(self, state: ttr.State, decision: NextCard) -> Sequence[TakeCoin]:
        return (TakeCoin(decision.seat),) if decision.of_draw else ()

    def perform(self, tx: Transaction, decision: NextCard, action: TakeCoin) -> None:
        tx.emit(Moved, action.seat, 1, 0)


@pytest.mark.rule("D1")
@pytest.mark.parametrize("held", [None, ["coin"], {"coin": "1"}, {"coin": 1.0}])
def test_an_author_learns_that_held_gives_numbers_of_pieces(held: Any) -> None:
    class Mistaken(CoinLayer):
        def held(self, state: ttr.State, seat: int) -> Mapping[str, int]:
            pieces: Mapping[str, int] = held
            return pieces

    game = arranged(ttr.compile_rules("europe", bank(Mistaken)), {"hand": {"white": 3}}, {})
    message = re.escape(f"Mistaken.held must give how many of each of its pieces a seat has, not {held!r}")
    for ask in (game.legal_actions, lambda: game.refusal(claim(WHITE, white=2, coin=1))):
        with pytest.raises(PluginError, match=message):
            _ = ask()


@pytest.mark.parametrize("pieces", ["coin", None])
def test_an_author_learns_that_pieces_are_several(pieces: Any) -> None:
    class Mistaken(CoinLayer):
        pass

    Mistaken.pieces = pieces
    with pytest.raises(PluginError, match=r'Mistaken.pieces must be several kinds of pieces, as \("coin",\), not'):
        ttr.compile_rules("europe", bank(Mistaken))


def test_the_second_card_of_a_draw_is_told_from_a_card_that_a_plugin_grants() -> None:
    one_more = plugin("one-more", on_claim=lambda tx, seat, route, points: NextCard(seat, 2))
    rules = ttr.compile_rules("europe", bank(actions=lambda rules: (TakeCoinRule(),)), one_more)
    game = arranged(rules, {"hand": {"white": 3}}, {})
    game.play(claim(WHITE, white=3))
    for left in (2, 1):
        assert game.decision(0) == NextCard(0, left) and TakeCoin(0) not in game.legal_actions(0)
        game.play(ttr.DrawBlind(0))
    game.play(ttr.DrawBlind(1))
    assert game.decision(1) == NextCard(1, 1, of_draw=True)
    game.play(TakeCoin(1))
    assert at(game, 1) == (6, 0) and game.to_act == (0,)


# -- the story -------------------------------------------------------------------------------------------------------


class WithCoin(ttr.Event):
    """A coin is taken."""

    message = "with thanks"
    seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Bank).coins[self.seat] -= 1


class Early(CoinLayer):
    """Takes the coin before the cards."""

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(WithCoin, seat)


class Late(EconomyLayer):
    """Takes a coin for every claim after the cards."""

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts) -> None:
        super().pay(tx, seat, cost, payment)
        tx.emit(WithCoin, seat)


@pytest.mark.parametrize(("kind", "coins"), [(Early, 1), (Late, 0)])
def test_a_claim_tells_its_cards_and_then_what_else_was_paid(kind: type[EconomyLayer], coins: int) -> None:
    game = arranged(ttr.compile_rules("europe", bank(kind)), {"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"})
    narrator = Narrator(game.rules, game.players)
    _ = narrator.tell(game.events)
    lines = narrator.tell(game.play(claim(WHITE, white=3 - coins, coin=coins)))
    paid = ("three white cards", "two white cards and a coin")[coins]
    assert lines[0].text == f"Ada claims Frankfurt–Paris (white) for 4 points with {paid}, with thanks."


class Left(ttr.Event):
    """A seat has so many coins now."""

    message = "with {coins:coin} left"
    seat: int
    coins: int

    def apply(self, state: ttr.State) -> None:
        state.part(Bank).coins[self.seat] = self.coins


class Telling(CoinLayer):
    """Tells how many coins are left."""

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Left, seat, tx.state.part(Bank).coins[seat] - pieces["coin"])

    def take_back(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Left, seat, tx.state.part(Bank).coins[seat] + pieces["coin"])


LAYS = "lays two white cards and a coin for the tunnel Paris–Zürich, with four coins left: {}, one more is due."


@pytest.mark.parametrize(
    ("pile", "answer", "lines"),
    [
        (
            ("red", "white", "blue"),
            ttr.AbandonTunnel(0),
            [
                LAYS.format("red, white and blue turned up"),
                "abandons the tunnel and takes back the cards, with five coins left.",
            ],
        ),
        (
            ("red", "white", "blue"),
            ttr.PayTunnel(0, {"white": 1}),
            [
                LAYS.format("red, white and blue turned up"),
                "adds a white card and claims the tunnel Paris–Zürich for 4 points.",
            ],
        ),
        (
            ("red", "green", "blue"),
            None,
            [
                "claims the tunnel Paris–Zürich for 4 points with two white cards and a coin, with four coins left "
                "(red, green and blue turned up, nothing more due)."
            ],
        ),
    ],
)
def test_a_tunnel_tells_what_else_was_paid_and_taken_back(
    pile: tuple[str, ...], answer: ttr.Action | None, lines: list[str]
) -> None:
    rules = ttr.compile_rules("europe", bank(Telling))
    game = arranged(rules, {"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}, draw_pile=[*pile])
    narrator = Narrator(rules, game.players)
    _ = narrator.tell(game.events)
    events = [*game.play(claim(TUNNEL, white=2, coin=1)), *(() if answer is None else game.play(answer))]
    assert [line.text for line in narrator.tell(events)][: len(lines)] == [f"Ada {line}" for line in lines]


def test_pieces_with_a_printed_name_are_called_by_it_in_payments() -> None:
    class Purse(Part):
        names: ClassVar[Mapping[str, PrintedName]] = {"coin": PrintedName("Taler"), "note": PrintedName("bank note")}

    rules = ttr.compile_rules("europe", bank(), plugin("purse", parts=lambda rules: (Purse,)))
    game = arranged(rules, {"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"})
    names = Names(rules, game.players)
    assert names.cards({"coin": 2, "note": 1}) == "two Talers and a bank note"
    assert payment_label(claim(WHITE, white=2, coin=1), names) == "2 white + 1 Taler"
    refusal = game.refusal(claim(WHITE, white=1, coin=2))
    assert refusal is not None
    assert names.text(refusal.reason) == "two Talers cannot be part of this payment; a Taler can"


def test_a_layer_says_what_the_economy_does_not() -> None:
    class Mail(CoinLayer):
        card_words: Mapping[str, str] = {"coin": "mail bag"}
        may_pass = True
        part_keys = ("bags",)

    europe = ttr.compile_rules("europe").economy
    layer = CoinLayer(Mail(europe))
    assert layer.card_words == {"coin": "mail bag"}
    assert layer.may_pass and not CoinLayer(europe).may_pass
    assert layer.part_keys == ("bags", *europe.part_keys)
    assert (layer.route_rules, layer.tunnel_rule) == (europe.route_rules, europe.tunnel_rule)
    assert Names(ttr.compile_rules("europe", bank(Mail)), ["Ada", "Bo"]).cards({"coin": 2}) == "two mail bags"


class ShortLayer(EconomyLayer):
    """Claims may be one card short, for two points."""

    pieces = ("short",)

    def held(self, state: ttr.State, seat: int) -> Mapping[str, int]:
        return {"short": 1}

    def alternatives(self, cost: Cost) -> list[tuple[Cost, ttr.Counts]]:
        usual = [(cost, ttr.Counts())]
        return [*usual, (evolve(cost, spaces=cost.spaces - 1), ttr.Counts(short=1))] if cost.is_for_route else usual

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.score(seat, -2, "short")


def test_points_scored_while_something_is_paid_are_told_after_it() -> None:
    terms = (points_in_play("short", "Short"),)
    short = plugin("short", economy=lambda below, board: ShortLayer(below()), scoring=giving(terms))
    rules = ttr.compile_rules("europe", short)

    def story(action: ttr.Action) -> tuple[str, ...]:
        players = [{"name": "Ada", "hand": {"white": 2, "yellow": 3}}, {"name": "Bo"}]
        game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players})
        game.play(action)
        return narrate(game, 0, seat=None)

    claim = ttr.ClaimRoute(0, WHITE, {"white": 2, "short": 1})
    told = "Ada claims Frankfurt–Paris (white) for 4 points with two white cards and a short and loses 2 for Short."
    assert story(claim) == (told,)
    tunnel = ttr.ClaimRoute(0, "munchen-zurich-yellow", {"yellow": 1, "short": 1})
    assert story(tunnel)[-2:] == (
        "Ada lays a yellow card and a short for the tunnel München–Zürich: yellow, red and red turned up, one more is due.",
        "Ada loses 2 for Short.",
    )


class FinedLayer(ShortLayer):
    """The points go to the other seat, which is told first."""

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.score(1 - seat, 2, "short")
        tx.score(seat, -2, "short")


@pytest.mark.parametrize("route", [WHITE, "munchen-zurich-yellow"])
def test_points_of_others_that_are_scored_while_something_is_paid_stay_theirs(route: str) -> None:
    terms = (points_in_play("short", "Short"),)
    fined = plugin("fined", economy=lambda below, board: FinedLayer(below()), scoring=giving(terms))
    players = [{"name": "Ada", "hand": {"white": 2, "yellow": 3}}, {"name": "Bo"}]
    position = {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players}
    game = ttr.arrange(ttr.compile_rules("europe", fined), position)
    color = "white" if route == WHITE else "yellow"
    game.play(ttr.ClaimRoute(0, route, {color: game.rules.board.routes[route].length - 1, "short": 1}))
    told = narrate(game, 0, seat=None)
    if route == WHITE:
        claim = (
            "Ada claims Frankfurt–Paris (white) for 4 points with two white cards and a short and loses 2 for Short."
        )
        assert told == (claim, "Bo scores 2 for Short.")
    else:
        assert told[0].startswith("Ada lays a yellow card and a short") and told[0].endswith("one more is due.")
        assert told[1:] == ("Ada loses 2 for Short.", "Bo scores 2 for Short.")


class Permits(EconomyLayer):
    """A permit pays for a card, and stays; a coin does so once."""

    pieces = ("permit", "coin")
    reusable = ("permit",)

    def held(self, state: ttr.State, seat: int) -> Mapping[str, int]:
        return {"permit": 1, "coin": state.part(Bank).coins[seat]}

    def alternatives(self, cost: Cost) -> Sequence[tuple[Cost | None, ttr.Counts]]:
        usual = (cost, ttr.Counts())
        return (
            [usual]
            if cost.extra
            else [usual, (less(cost), ttr.Counts(permit=1)), (less(cost), ttr.Counts(permit=1, coin=1))]
        )

    def spend(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Moved, seat, -pieces["coin"], -pieces["permit"])

    def take_back(self, tx: Transaction, seat: int, pieces: ttr.Counts) -> None:
        tx.emit(Moved, seat, pieces["coin"], pieces["permit"])


def test_pieces_that_stay_with_the_seat_are_neither_spent_nor_taken_back() -> None:
    rules = ttr.compile_rules("europe", bank(Permits))
    players = [{"hand": {"white": 2, "yellow": 1}}, {}]
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players})
    before = at(game)
    assert any(isinstance(event, PiecesSpent) for event in game.play(claim(WHITE, white=2, permit=1)))
    assert at(game) == before
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players})
    game.play(claim("munchen-zurich-yellow", yellow=1, permit=1, coin=1))
    assert at(game) == (before[0] - 1, before[1])
    game.play(ttr.AbandonTunnel(0))
    assert at(game) == before


def test_reusable_names_pieces_of_the_layer() -> None:
    unknown = type("Unknown", (Permits,), {"reusable": ("gem", "coin")})
    with pytest.raises(PluginError, match=r"Unknown\.reusable has gem, which is not among its pieces"):
        ttr.compile_rules("europe", bank(unknown))
