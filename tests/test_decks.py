"""Several decks of train cards: each has its own pile and discards, hands hold cards of all, and backs are seen."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve
from helpers import AS_IS, COLORS, arranged
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules import Event
from ttr_rules.actions import economy_of
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.events import (
    CardExchanged,
    CardsDealt,
    CardsGiven,
    CardsRevealed,
    CardsTurnedUp,
    DeckCardDrawn,
    DeckShuffled,
    OpenCardDrawn,
    OpenCardsDealt,
    OpenCardsGiven,
    PileShuffled,
    RowSwept,
    Unknown,
)
from ttr_rules.hidden.sampling import missing
from ttr_rules.model import Cost
from ttr_rules.parts import KeyHelp
from ttr_rules.plugins import (
    Around,
    Choice,
    EconomyLayer,
    Part,
    Score,
    ScoringTerm,
    Transaction,
    by_seat,
    known,
    public,
    secret,
)
from ttr_rules.train_cards import (
    STANDARD_CARDS,
    CardDeck,
    DrawFrom,
    Lot,
    NextCard,
    Reading,
    SeenDecks,
    TakeFaceUp,
    TrainCards,
)
from ttr_tools.bots import Bot
from ttr_tools.narration import Names, Narrator
from ttr_tools.narration.words import player_columns
from ttr_tools.replay import snapshot
from ttr_tools.testing import check_variant

LOCO = "locomotive"
TRAINS = CardDeck("train", {"red": 12, "blue": 12, LOCO: 6}, hand=3, row=3)
SHIPS = CardDeck("ship", {"ship": 12, "double_ship": 6}, hand=2, row=2)


#: Two decks without locomotives.
DAY_AND_NIGHT = (
    CardDeck("day", dict.fromkeys(COLORS[:4], 20)),
    CardDeck("night", dict.fromkeys(COLORS[4:], 20)),
)


class TwoDecks(TrainCards):
    """Gray routes take a train card and ships, others trains."""

    def __init__(self, shared_row: bool, ships: CardDeck = SHIPS) -> None:
        super().__init__(decks=(TRAINS, ships), shared_row=shared_row)
        self.colors = ("red", "blue")

    def readings(self, cost: Cost, powers: object) -> Sequence[Reading]:
        trains = dict.fromkeys(self.colors, 1)
        if cost.color is None and cost.spaces > 1:
            ships = Lot({"ship": 1, "double_ship": 2}, cost.spaces - 1, spare=1)
            return [Reading(Lot(trains, 1), ships)]
        return [Reading(Lot(trains, cost.spaces))]


OWN = ttr.compile_rules("north-america", plugin("two-rows", economy=giving(TwoDecks(False))))
SHARED = ttr.compile_rules("north-america", plugin("one-row", economy=giving(TwoDecks(True))))
ROW = ["red", "red", "blue", "ship", "double_ship"]


def seen(game: ttr.Game, seat: int | None = None) -> SeenDecks:
    return game.view(seat).part(SeenDecks)


@pytest.mark.rule("S3")
@pytest.mark.parametrize("rules", [OWN, SHARED], ids=["two rows", "one row"])
def test_hands_and_rows_come_from_each_deck(rules: ttr.Rules) -> None:
    game = ttr.new_game(rules=rules, players=3, seed=1)
    assert seen(game).held == ((3, 2),) * 3
    assert seen(game).pile_sizes == (30 - 9 - 3, 18 - 6 - 2)
    assert [card in SHIPS.cards for card in seen(game).face_up] == [False] * 3 + [True] * 2
    assert seen(game).hand is None and len(str(seen(game, 0).hand)) > 0


@pytest.mark.rule("D1")
def test_a_card_is_drawn_from_the_deck_that_is_named() -> None:
    game = arranged(OWN, {}, {}, face_up=ROW, draw_pile={"train": ["red", "blue", "red"], "ship": ["ship"]})
    game.play(DrawFrom(0, "ship"))
    assert ttr.cards(game.state).hands[0] == {"ship": 1} and seen(game).pile_sizes == (3, 0)
    assert game.decision(0) == NextCard(0, 1, of_draw=True)
    assert [str(game.refusal(DrawFrom(0, deck))) for deck in ("ship", "wagon", 5)] == [  # type: ignore[arg-type]
        "[D8] no card of the deck ship is left to draw",
        "[D1] there is no deck 'wagon', only train, ship",
        "[D1] there is no deck 5, only train, ship",
    ]
    game.play(DrawFrom(0, "train"))
    assert ttr.cards(game.state).hands[0] == {"ship": 1, "red": 1}
    assert seen(game, 1).held == ((1, 1), (0, 0))


def test_the_draw_piles_of_a_position_are_written_by_deck() -> None:
    with pytest.raises(ttr.errors.InvalidTableError) as error:
        arranged(OWN, {}, {}, face_up=ROW, draw_pile={"train": ["ship"], "boat": []})
    assert [*error.value.problems] == [
        "draw_pile: unknown key 'boat'; known keys: train, ship",
        "draw_pile.train[0]: expected one of red, blue, locomotive, got 'ship'",
    ]
    with pytest.raises(ttr.errors.InvalidTableError, match="draw_pile: expected a table"):
        arranged(OWN, {}, {}, face_up=ROW, draw_pile=["ship"])


@pytest.mark.rule("D1")
def test_each_deck_fills_a_row_of_its_own() -> None:
    game = arranged(OWN, {}, {}, face_up=ROW, draw_pile={"train": ["blue", "red"], "ship": ["ship"]})
    taken = [action for action in game.legal_actions(0) if isinstance(action, TakeFaceUp)]
    assert {(action.card, action.deck) for action in taken} == {
        ("red", "train"),
        ("blue", "train"),
        ("ship", "ship"),
        ("double_ship", "ship"),
    }
    assert (
        str(game.refusal(TakeFaceUp(0, "ship", "train"))) == "[D1] the place of ship is filled from ship, not 'train'"
    )
    game.play(TakeFaceUp(0, "double_ship", "ship"))
    assert seen(game).face_up == ("red", "red", "blue", "ship", "ship")


@pytest.mark.rule("D1")
def test_who_takes_from_a_shared_row_chooses_what_fills_it() -> None:
    game = arranged(SHARED, {}, {}, face_up=ROW, draw_pile={"train": ["blue", "red"], "ship": ["ship"]})
    game.play(TakeFaceUp(0, "red", "ship"))
    assert seen(game).face_up == ("ship", "red", "blue", "ship", "double_ship")
    assert str(game.refusal(TakeFaceUp(0, "blue", "ship"))) == "[D1] the place of blue is filled from train, not 'ship'"


@pytest.mark.rule("D7")
def test_a_deck_is_shuffled_anew_from_its_own_discards() -> None:
    game = arranged(
        OWN,
        {},
        {},
        face_up=ROW,
        draw_pile={"train": ["red"], "ship": ["ship"]},
        discards=["ship", "blue", "ship", "blue"],
        chance=[AS_IS],
    )
    game.play(DrawFrom(0, "ship"))
    assert seen(game).pile_sizes == (1, 2) and seen(game).discards == ("blue", "blue")
    shuffled = [event.seen_by(1) for event in game.last_move.events if isinstance(event, PileShuffled)]
    assert [seen.event for seen in shuffled] == [DeckShuffled(Unknown(count=2), "ship")]


@pytest.mark.rule("S4")
def test_a_sweep_leaves_the_row_of_another_deck() -> None:
    row = ["red", LOCO, LOCO, "ship", "ship"]
    pile = {"train": [LOCO, "blue", "blue", "red", "red"], "ship": ["ship"] * 3}
    own, shared = (arranged(rules, {}, {}, face_up=row, draw_pile=pile) for rules in (OWN, SHARED))
    own.play(TakeFaceUp(0, "red", "train"))
    assert seen(own).face_up == ("ship", "ship", "blue", "blue", "red")
    shared.play(TakeFaceUp(0, "red", "train"))
    assert {*seen(shared).discards} == {LOCO, "ship"}


@pytest.mark.rule("C1")
def test_a_payment_takes_cards_of_both_decks() -> None:
    hand = {"red": 1, "blue": 1, "ship": 1, "double_ship": 2}
    game = arranged(OWN, {"hand": hand}, {}, face_up=ROW, draw_pile={"train": ["red"], "ship": ["ship"]})
    route = next(route for route in OWN.board.routes.values() if route.color == "gray" and route.length == 3)
    paid = {
        str(claim.payment)
        for claim in game.legal_actions(0)
        if isinstance(claim, ttr.ClaimRoute) and claim.route == route.id
    }
    assert paid == {"1 red, 1 double_ship", "1 blue, 1 double_ship"}
    game.play(ttr.ClaimRoute(0, route.id, {"red": 1, "double_ship": 1}))
    assert seen(game).discards == ("red", "double_ship")


def test_a_kind_of_card_is_in_one_deck_only() -> None:
    with pytest.raises(ttr.errors.PluginError) as error:
        TrainCards(decks=(TRAINS, CardDeck("ship", {"ship": 12, "red": 6})))
    assert str(error.value) == (
        "'red' is in two decks, and a card shows its deck by its kind: "
        "give the deck 'ship' kinds of its own, such as 'ship_red'"
    )


@pytest.mark.parametrize(
    "economy",
    [
        TrainCards(dict.fromkeys(COLORS, 12)),
        TrainCards(decks=DAY_AND_NIGHT),
    ],
    ids=["one deck", "two decks"],
)
def test_decks_without_locomotives_are_played_with(economy: TrainCards) -> None:
    rules = ttr.compile_rules("north-america", plugin("plain", economy=giving(economy)))
    for seed in range(2):
        game, random = ttr.new_game(rules=rules, players=3, seed=seed), Random(seed)
        while game.to_act and game.played < 200:
            choices = game.legal_actions(random.choice(game.to_act))
            game.play(choices[random.randrange(len(choices))])
        assert game.state.owners and "locomotive" not in ttr.cards(game.state).face_up
        assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


@pytest.mark.rule("T1")
def test_tunnels_turn_up_cards_of_the_deck_that_the_economy_names() -> None:
    class Undersea(TwoDecks):
        tunnel_deck = 1

    rules = ttr.compile_rules("europe", plugin("undersea", economy=giving(Undersea(False))))
    piles = {"train": ["red"] * 3, "ship": ["ship"] * 4}
    game = arranged(rules, {"hand": {"red": 1, "ship": 2}}, {}, face_up=ROW, draw_pile=piles)
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 1, "ship": 2}))
    revealed = [event for event in game.last_move.events if isinstance(event, CardsRevealed)]
    assert revealed == [CardsRevealed(("ship", "ship", "ship"))]


def test_a_bot_draws_from_the_deck_that_its_plan_needs() -> None:
    rules = ttr.compile_rules("north-america", plugin("night", economy=giving(TrainCards(decks=DAY_AND_NIGHT))))
    drawn = Counter[str]()
    for seed in range(2):
        game, bots = ttr.new_game(rules=rules, players=2, seed=seed), [Bot(0), Bot(1)]
        while game.to_act and game.played < 60:
            seat = game.to_act[0]
            action = bots[seat].choose(game.view(seat), rules, game.legal_actions(seat))
            drawn[getattr(action, "deck", "") if isinstance(action, DrawFrom) else ""] += 1
            game.play(action)
    assert min(drawn["day"], drawn["night"]) > 3, drawn


@pytest.mark.slow
@pytest.mark.parametrize("rules", [OWN, SHARED], ids=["two rows", "one row"])
def test_games_are_saved_copied_sampled_and_counted(rules: ttr.Rules) -> None:
    for seed in range(3):
        game, random = ttr.new_game(rules=rules, players=3, seed=seed), Random(seed)
        while game.to_act and game.played < 150:
            choices = game.legal_actions(random.choice(game.to_act))
            game.play(choices[random.randrange(len(choices))])
            assert missing(game.state) == {"cards": {}, "tickets": {}}
            piles = ttr.cards(game._state)  # not a copy, which would look for its top cards anew
            lying = [[card for card in piles.undrawn if piles.deck_of[card] == deck] for deck in (0, 1)]
            assert [piles.top_card(deck) for deck in (0, 1)] == [cards[0] if cards else -1 for cards in lying]
            assert piles.open_decks == [deck for deck in (0, 1) if lying[deck]]
            assert [piles.top(deck, 3) for deck in (0, 1)] == [tuple(cards[:3]) for cards in lying]
        assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
        piles = ttr.cards(game.state)
        assert pickle.loads(pickle.dumps(piles)) == piles == piles.copy()
        for seat in range(3):
            world = ttr.determinize(game.view(seat), rules, seed=seed)
            assert world.view(seat) == game.view(seat)


def test_which_pile_is_drawn_from_is_told() -> None:
    def told(decks: Sequence[str], viewer: int | None, language: str = "en") -> str:
        game = arranged(OWN, {}, {}, face_up=ROW, draw_pile={"train": ["red", "red"], "ship": ["ship"]})
        narrator = Narrator(OWN, game.players, viewer, language)
        narrator.tell(game.events)
        before = game.state.copy()
        events = [event for deck in decks for event in game.play(DrawFrom(0, deck))]
        ttr.events.fold(before, events)
        assert ttr.cards(before).hands == ttr.cards(game.state).hands
        return narrator.tell(events)[0].text

    each, both = ("ship", "train"), ("train", "train")
    assert told(each, 1) == "A draws a card from the ship pile and one from the train pile."
    assert told(each, 0) == "A draws a card from the ship pile (a ship) and one from the train pile (red)."
    assert told(both, None) == "A draws two cards from the train pile."
    assert told(each, 1, "de") == "A zieht eine Karte vom Stapel ship und eine vom Stapel train."


def test_which_pile_is_shuffled_anew_is_told() -> None:
    piles = {"train": ["red", "red"], "ship": ["ship"]}
    game = arranged(OWN, {}, {}, face_up=ROW, draw_pile=piles, discards=["ship", "blue", "ship"], chance=[AS_IS])
    narrator = Narrator(OWN, game.players, None, "en")
    narrator.tell(game.events)
    game.play(DrawFrom(0, "ship"))
    assert "The discards are shuffled into a new ship pile." in [
        line.text for line in narrator.tell(game.last_move.events)
    ]


def test_cards_with_words_of_their_own_turn_up_with_articles() -> None:
    economy = TwoDecks(False)
    economy.card_words = {"ship": "ship card"}
    rules = ttr.compile_rules("north-america", plugin("words", economy=giving(economy)))
    turned_up = CardsTurnedUp(("ship", "double_ship", "ship")), CardsTurnedUp(("red", "red", LOCO))
    assert [line.text for line in Narrator(rules, ["Ada", "Bo"]).tell(turned_up)] == [
        "Turned up: two ship cards and a double ship.",
        "Turned up: red, red and locomotive.",
    ]


@pytest.mark.slow
def test_replays_and_terminals_say_how_many_cards_are_in_each_pile() -> None:
    pytest.importorskip("rich")
    from test_cli_words import Seen

    game = arranged(OWN, {}, {}, face_up=ROW, draw_pile={"train": ["red", "red"], "ship": ["ship"]})
    assert snapshot(game.state, game.players, None, Names(OWN, game.players))["pile"] == "train 2, ship 1"
    assert "double ship; 2 in the train pile and 1 in the ship pile\n" in Seen(game).status
    europe = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red"], "players": [{}, {}]})
    assert snapshot(europe.state, europe.players, None, Names(europe.rules, europe.players))["pile"] == "105"
    assert "; 105 in the pile\n" in Seen(europe).status


class Lockers(Part):
    """Cards that each seat keeps apart, unseen by others."""

    stored: list[ttr.Counts] = by_seat(pool="cards")


class CardLocked(Event):
    """A seat keeps a card apart."""

    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        card = ttr.Counts({known(self.card): 1})
        ttr.cards(state).take(self.seat, card)
        state.part(Lockers).stored[self.seat] = card


def lock(tx: Transaction) -> None:
    """Each seat keeps a ship apart."""
    for seat in range(tx.state.players):
        hand = ttr.cards(tx.state).hands[seat]
        tx.emit(CardLocked, seat, "ship" if hand["ship"] else "double_ship")


def test_cards_of_any_deck_are_kept_apart() -> None:
    lockers = plugin("lockers", parts=lambda rules: [Lockers], on_deal=lock)
    rules = ttr.compile_rules("north-america", plugin("two-rows", economy=giving(TwoDecks(False))), lockers)
    game = ttr.new_game(rules=rules, players=3, seed=1)
    for seed in range(5):
        world = ttr.determinize(game.view(0), rules, seed=seed)
        assert world.view(0) == game.view(0)
        assert {card for lot in world.state.part(Lockers).stored for card in lot} <= {"ship", "double_ship"}


LAND = CardDeck("terrain", {"forest": 8, "hill": 8}, hand=2, row=1, open=True)
WITH_LAND = plugin("land", economy=giving(TrainCards(decks=(TRAINS, LAND))))
WITH_OPEN_CARDS = plugin("all-open", economy=giving(TrainCards(decks=(CardDeck("train", STANDARD_CARDS, open=True),))))
TRAINS_AND_LAND = ttr.compile_rules("north-america", WITH_LAND)
ALL_OPEN = ttr.compile_rules("north-america", WITH_OPEN_CARDS)


def test_cards_of_an_open_deck_lie_open_before_their_owner() -> None:
    game = ttr.new_game(rules=TRAINS_AND_LAND, players=2, seed=1)
    dealt = [event.seen_by(1).event for event in game.events if isinstance(event, CardsDealt)]
    assert dealt[:2] == [CardsDealt(0, Unknown(3)), OpenCardsDealt(0, ("hill", "forest"))]
    assert [type(event) for event in dealt] == [CardsDealt, OpenCardsDealt] * 2
    assert seen(game).open_hands == (ttr.Counts(forest=1, hill=1),) * 2 and seen(game).hand is None

    piles = {"train": ["red"], "terrain": ["forest"]}
    row = ["red", "red", "blue", "hill"]
    game = arranged(TRAINS_AND_LAND, {"hand": {"red": 2, "hill": 1}}, {}, face_up=row, draw_pile=piles)
    assert seen(game).open_hands == (ttr.Counts(hill=1), ttr.Counts())
    (drawn, *_) = game.play(DrawFrom(0, "terrain"))
    assert drawn == drawn.seen_by(1).event == OpenCardDrawn(0, "forest")
    (drawn, *_) = game.play(DrawFrom(0, "train"))
    assert drawn.seen_by(1).event == DeckCardDrawn(0, Unknown(1), "train")
    assert seen(game, 1).open_hands == (ttr.Counts(hill=1, forest=1), ttr.Counts()) and seen(game, 1).hand == {}
    names = Names(TRAINS_AND_LAND, ["Ada", "Bo"])
    assert ("Open cards", ["1 forest + 1 hill", "none"]) in [*player_columns(game.view(1), names)]


def test_cards_are_given_to_another_player_secretly_unless_they_lie_open() -> None:
    state = arranged(
        TRAINS_AND_LAND, {"hand": {"red": 2, "hill": 1}}, {}, {}, face_up=["red", "red", "blue", "hill"]
    ).state
    economy, tx = economy_of(state.rules.economy, TrainCards), Transaction(state.copy(), [])
    economy.give(tx, 0, 2, ttr.Counts(red=1, hill=1))
    assert [event.seen_by(1).event for event in tx.log or ()] == [
        CardsGiven(0, 2, Unknown(1)),
        OpenCardsGiven(0, 2, ttr.Counts(hill=1)),
    ]
    assert [event.seen_by(2).event for event in tx.log or ()][0] == CardsGiven(0, 2, ttr.Counts(red=1))
    hands = [dict(hand) for hand in ttr.cards(tx.state).hands]
    assert hands == [{"red": 1}, {}, {"red": 1, "hill": 1}]
    for event in tx.log or ():
        event.apply(state)
    assert state == tx.state  # events do what the method does
    wrong: list[Any] = [
        (0, 1, {"red": 2}), (0, 1, {"ship": 1}), (0, 3, {"red": 1}), (-1, 0, {"red": 1}), (0, True, {"red": 1}),
        (0, 0, {"red": 1}), (0, 1, {"red": -1}), (0, 1, {"red": 1.5}), (0, 1, 7),
    ]  # fmt: skip
    for seat, other, cards in wrong:
        with pytest.raises(PluginError, match="does not hold|the seats are 0 to 2|to itself|from seat 0"):
            economy.give(tx, seat, other, cards)
    assert [dict(hand) for hand in ttr.cards(tx.state).hands] == hands


def test_a_gift_may_be_made_openly() -> None:
    state = arranged(TRAINS_AND_LAND, {"hand": {"red": 2}}, {}, {}, face_up=["red", "red", "blue", "hill"]).state
    tx = Transaction(state, [])
    economy_of(state.rules.economy, TrainCards).give(tx, 0, 2, ttr.Counts(red=2), openly=True)
    assert [event.seen_by(1).event for event in tx.log or ()] == [OpenCardsGiven(0, 2, ttr.Counts(red=2))]
    assert [dict(hand) for hand in ttr.cards(state).hands] == [{}, {}, {"red": 2}]


def test_gifts_are_told_in_two_languages() -> None:
    gift = CardsGiven(0, 1, ttr.Counts(red=1))
    for language, viewer, text in (
        ("en", 1, "Ada gives Bo a red card."),
        ("en", None, "Ada gives Bo a card."),
        ("de", 1, "Ada gibt Bo eine rote Karte."),
        ("de", None, "Ada gibt Bo eine Karte."),
    ):
        narrator = Narrator(ALL_OPEN, ["Ada", "Bo"], viewer, language=ALL_OPEN.language(language))
        assert [line.text for line in (*narrator.tell([gift]), *narrator.unfinished())] == [text]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [TRAINS_AND_LAND, ALL_OPEN], ids=["one of two decks", "the only deck"])
def test_worlds_keep_open_cards(rules: ttr.Rules) -> None:
    game, random = ttr.new_game(rules=rules, players=3, seed=2), Random(2)
    while game.to_act and game.played < 150:
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
        assert missing(game.state) == {"cards": {}, "tickets": {}}
        if game.played % 10 == 0:
            for seat in (None, 0, 1):
                world = ttr.determinize(game.view(seat), rules, seed=game.played)
                assert world.view(seat) == game.view(seat) and seen(world).open_hands == seen(game).open_hands
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    piles = ttr.cards(game.state)
    assert pickle.loads(pickle.dumps(piles)) == piles == piles.copy()


class Wave(Choice[int]):
    """A question that changes nothing."""

    public = True

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1,)

    def chosen(self, tx: Transaction, option: int) -> None:
        """The game goes on."""


def test_a_hand_in_a_world_pays_for_an_announced_claim_with_hidden_cards_beside_open_ones() -> None:
    asking = plugin(
        "waving", (), __name__, around=lambda rules: [Around(ttr.ClaimRoute, before=lambda tx, claim: Wave(1))]
    )
    ships = TwoDecks(False, evolve(SHIPS, open=True))
    rules = ttr.compile_rules("north-america", plugin("open-ships", economy=giving(ships)), asking)
    game = arranged(rules, {"hand": {"blue": 1, "red": 3, "ship": 3}}, {}, face_up=ROW)
    claim = ttr.ClaimRoute(0, "calgary-vancouver-gray", {"blue": 1, "ship": 2})
    game.play(claim)
    for seed in range(20):
        hand = ttr.cards(ttr.determinize(game.view(1), rules, seed).state).hands[0]
        assert hand.total == 7 and hand["blue"] >= 1 and hand["ship"] == 3


@pytest.mark.slow
@pytest.mark.thorough_but("the only deck")
@pytest.mark.parametrize("variant", [WITH_LAND, WITH_OPEN_CARDS], ids=["one of two decks", "the only deck"])
def test_the_kit_finds_nothing_wrong_with_open_cards(variant: object) -> None:
    check_variant("north-america", variant, players=2, games=1, skip=["processes"])


class Table(Part):
    """Cards on the table, open, in lots."""

    lots: list[ttr.Counts] = public(pool="cards")


def test_lots_of_cards_in_a_pool_are_counted_and_known_in_worlds() -> None:
    def lay(tx: Transaction) -> None:
        red = next(kind for kind in ttr.cards(tx.state).hands[0])
        ttr.cards(tx.state).take(0, ttr.Counts({red: 1}))
        tx.state.part(Table).lots = [ttr.Counts(), ttr.Counts({red: 1}), ttr.Counts()]

    state = ttr.new_game("europe", plugin("table", parts=lambda rules: [Table]), players=2, seed=1).state
    lay(Transaction(state, []))
    assert missing(state) == {"cards": {}, "tickets": {}}
    game = ttr.Game(state, ("Ada", "Bo"), 1, ())
    for seed in range(3):
        assert missing(ttr.determinize(game.view(1), state.rules, seed).state)["cards"] == {}


def test_a_tunnel_lays_down_a_payment_as_the_economy_says() -> None:
    laid: list[ttr.Counts] = []

    class Counting(TrainCards):
        def lay(self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts) -> None:
            laid.append(payment)
            super().lay(tx, seat, cost, payment)

    rules = ttr.compile_rules("europe", plugin("counting", economy=giving(Counting())))
    game = arranged(rules, {"hand": {"red": 4}}, {}, draw_pile=["red", "blue", "green"])
    game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    assert laid == [{"red": 3}] and str(game.decision(0)).count("red") and ttr.cards(game.state).laid == {"red": 3}


@pytest.mark.slow
@pytest.mark.thorough_but("True")
@pytest.mark.parametrize("shared_row", [False, True])
def test_the_kit_finds_nothing_wrong_with_two_decks(shared_row: bool) -> None:
    check_variant(
        "north-america", plugin("decks", economy=giving(TwoDecks(shared_row))), players=3, games=1, skip=["processes"]
    )


def test_a_card_is_handed_to_nobody_who_is_not_at_the_table_and_from_no_unknown_deck() -> None:
    tx = Transaction(ttr.new_game(rules=OWN, players=2, seed=1).state, [])
    economy, before = economy_of(OWN.economy, TrainCards), tx.state.copy()
    for seat in (-1, 2):
        with pytest.raises(PluginError, match=f"there is no seat {seat}: the seats are 0 to 1"):
            economy.draw(tx, seat)
        with pytest.raises(PluginError, match=f"there is no seat {seat}: the seats are 0 to 1"):
            economy.take_face_up(tx, seat, ttr.cards(tx.state).face_up[0])
    with pytest.raises(PluginError, match="there is no deck 'boat', only train, ship"):
        economy.draw(tx, 0, "boat")
    assert tx.state == before and tx.log == []


def test_the_row_is_replaced_and_what_is_told_is_true() -> None:
    row = ["red", "blue", "green", "locomotive", "black"]
    game = arranged("europe", {}, {}, face_up=row, draw_pile=["white", "white", "yellow", "yellow", "purple", "red"])
    state, log = game.state, list[Event]()
    economy_of(state.rules.economy, TrainCards).replace_row(Transaction(state, log))
    assert ttr.cards(state).face_up == ("white", "white", "yellow", "yellow", "purple")
    assert sorted(ttr.cards(state).discards) == sorted(row)
    told = [line.text for line in Narrator(state.rules, game.players, None, "en").tell(log)]
    assert told == ["All cards face up are replaced.", "Turned up: white, white, yellow, yellow and purple."]


def test_a_card_from_a_hand_takes_the_place_of_a_face_up_one() -> None:
    row = ["red", "blue", "locomotive", "locomotive", "black"]
    game = arranged("europe", {"hand": {"locomotive": 1, "white": 1}}, {}, face_up=row, draw_pile=["white"] * 6)
    state, log = game.state, list[Event]()
    tx, cards = Transaction(state, log), economy_of(state.rules.economy, TrainCards)
    cards.exchange(tx, 0, "white", "blue")
    assert ttr.cards(state).face_up == ("red", "white", "locomotive", "locomotive", "black")
    assert ttr.cards(state).hands[0] == {"locomotive": 1, "blue": 1} and log == [CardExchanged(0, "white", "blue")]
    assert log[0].seen_by(1).event == log[0]
    cards.exchange(tx, 0, "locomotive", "red")  # the third one in the row (S4)
    assert ttr.cards(state).face_up == ("white",) * 5 and isinstance(log[2], RowSwept)
    told = [line.text for line in Narrator(state.rules, game.players, None, "en").tell(log[:2])]
    assert told == ["A exchanges a white card for a blue card and exchanges a locomotive for a red card."]
    before = state.copy()
    for card, face_up, problem in (
        ("green", "white", "seat 0 does not hold 1 green"),
        ("red", "purple", "no purple lies face up, only white"),
    ):
        with pytest.raises(PluginError, match=problem):
            cards.exchange(tx, 0, card, face_up)
    assert state == before


def test_cards_of_two_decks_are_not_exchanged() -> None:
    game = arranged(OWN, {"hand": {"red": 1}}, {}, face_up=ROW)
    with pytest.raises(PluginError, match="exchanges red for ship, which is of another deck"):
        economy_of(OWN.economy, TrainCards).exchange(Transaction(game.state, []), 0, "red", "ship")


def test_a_layer_has_hands_read_from_a_table_to_score() -> None:
    class CountedHands(EconomyLayer):
        score_keys = {"hand": KeyHelp("The train cards left in hand.", "{{red = 2}}")}

    def in_hand(state: ttr.State, seat: int) -> Score:
        return Score(ttr.cards(state).hands[seat].total)

    rules = ttr.compile_rules(
        "europe",
        plugin(
            "hoard",
            economy=lambda below, board: CountedHands(below()),
            scoring=lambda rules: [ScoringTerm("hoard", in_hand)],
        ),
    )
    players: list[dict[str, object]] = [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]
    assert [player.terms["hoard"].points for player in ttr.score(rules, {"players": players}).players] == [3, 0]
    with pytest.raises(InvalidTableError, match="the deck has 12"):
        ttr.score(rules, {"players": [{"hand": {"red": 13}}, {}]})
    with pytest.raises(InvalidTableError, match="unknown key 'hand'"):
        ttr.score(ttr.compile_rules("europe"), {"players": players})


def test_an_empty_row_is_not_replaced_and_only_a_sweep_has_a_reason() -> None:
    rules = ttr.compile_rules("north-america", plugin("two", economy=giving(TwoDecks(False))))
    game = arranged(rules, {}, {}, face_up=["ship", "ship", "ship", "red", "blue"])
    told = Narrator(rules, game.players, None, "en").tell([RowSwept(("ship", "ship", "ship", "red", "blue"))])
    assert [line.text for line in told] == ["All cards face up are replaced."]
    game = arranged("europe", {}, {}, face_up=[], draw_pile=[], draw_pile_complete=True)
    state, log = game.state, list[Event]()
    economy_of(state.rules.economy, TrainCards).replace_row(Transaction(state, log))
    assert not log


def test_score_keys_are_those_that_an_economy_reads() -> None:
    def layer(keys: object) -> type[EconomyLayer]:
        return type("Layer", (EconomyLayer,), {"score_keys": keys})

    help = KeyHelp("What is left.", "2")
    for keys, words in (
        ({"nope": help}, "score key 'nope', which nobody reads"),
        ({"hand": "two cards"}, "score_keys must be KeyHelp by key"),
        ({"hand": KeyHelp("What is left.", "{red = 2}")}, "'hand' of Layer.score_keys is .* braces are doubled"),
        (("hand",), "score_keys must be KeyHelp by key"),
    ):
        over = layer(keys)
        odd = plugin("odd", economy=lambda below, board, over=over: over(below()))
        with pytest.raises(PluginError, match=words):
            ttr.compile_rules("europe", odd)
    with pytest.raises(PluginError, match="score key 'hand', which nobody reads"):
        ttr.compile_rules("europe", "dice", plugin("odd", economy=lambda below, board: layer({"hand": help})(below())))

    needed = layer({"hand": KeyHelp("What is left.", "{{red = 2}}", required=True)})
    rules = ttr.compile_rules("europe", plugin("odd", economy=lambda below, board: needed(below())))
    with pytest.raises(
        InvalidTableError, match=r"players\[1\]\.hand: missing: What is left\. For example: hand = {red = 2}"
    ):
        ttr.score(rules, {"players": [{"hand": {}}, {}]})

    class Open(TrainCards):
        player_keys = ("hand", "coins")
        score_keys = {"coins": help}

    economy = Open(
        decks=[CardDeck("train", STANDARD_CARDS), CardDeck("terrain", {"hill": 1}, hand=0, row=1, open=True)]
    )
    assert economy.score_keys == {
        "hand": KeyHelp("The cards that lie open in front of this player.", "{{hill = 1}}"),
        "coins": help,
    }
