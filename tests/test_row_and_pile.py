"""What plugins do with the row and the draw pile: cards that seats have looked at, that leave the row, and that lie in another order."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import pytest
from attrs import evolve
from helpers import arranged
from hypothesis import given, strategies as st
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.clients import json_schema
from ttr_rules.errors import InvalidTableError
from ttr_rules.events import (
    CardDrawn,
    CardsLookedAt,
    CardsReordered,
    CardsTurnedUp,
    FaceUpCleared,
    FaceUpTaken,
    PileShuffled,
    RowReordered,
    RowSwept,
    Unknown,
)
from ttr_rules.model import CardDraw
from ttr_rules.plugins import ActionRule, Around, Choice, PluginError, Rules, Transaction, Variant, hookimpl
from ttr_rules.train_cards import CardDeck, CardPiles, LookedAtCard, SeenCards, TrainCards
from ttr_tools.testing import check_variant

PILE = ["red", "blue", "white", "green", "black"]


class Scout(ttr.Action):
    message = "Look at the three top cards"


class WhichOnTop(Choice[str]):
    """Which of the three cards lies on top; the last goes under the pile."""

    message = "Which card lies on top?"

    def options(self, state: ttr.State) -> list[str]:
        return sorted({*ttr.cards(state).draw_pile[:3]})

    def chosen(self, tx: Transaction, option: str) -> None:
        rest = list(ttr.cards(tx.state).draw_pile[:3])
        rest.remove(option)
        economy_of(tx.rules.economy, TrainCards).reorder(tx, self.seat, [option, rest[0]], rest[1:])


class ScoutRule(ActionRule[ttr.Turn, Scout]):
    def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Scout]:
        return [Scout(decision.seat)] if len(ttr.cards(state).draw_pile) >= 3 else []

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Scout) -> WhichOnTop:
        economy_of(tx.rules.economy, TrainCards).look(tx, action.seat, 3)
        return WhichOnTop(action.seat)


class Scouting(Variant, name="scouting"):
    """Scouting: look at the three top cards of the pile, and lay one under it."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (ScoutRule(),)


RULES = ttr.compile_rules("europe", Scouting)


def known(game: ttr.Game, seat: int | None) -> list[tuple[int, str | None]]:
    return [(looked.place, looked.card) for looked in ttr.cards(game.view(seat)).looked_at]


def scouted() -> ttr.Game:
    """A game in which seat 0 has looked at three cards and laid white on top, red next, and blue under the pile."""
    game = ttr.arrange(RULES, {"seed": 1, "players": [{}, {}], "draw_pile": PILE})
    game.play(Scout(0))
    game.play(next(action for action in game.legal_actions(0) if getattr(action, "option", "") == "white"))
    return game


def test_only_who_looks_sees_which_cards_they_are() -> None:
    game = arranged(RULES, {}, {}, draw_pile=PILE)
    events = game.play(Scout(0))
    assert events[0] == CardsLookedAt(0, ("red", "blue", "white"), "train")
    assert events[0].seen_by(1).event == CardsLookedAt(0, Unknown(3), "train")
    assert known(game, 0) == [(0, "red"), (1, "blue"), (2, "white")]
    assert ttr.cards(game.view(1)).looked_at == tuple(LookedAtCard("train", place, (0,), None) for place in range(3))
    assert known(game, None) == known(game, 1)


def test_cards_stay_known_until_they_are_drawn() -> None:
    game = scouted()
    left = ttr.cards(game.state).draw_pile
    assert left[:3] == ("white", "red", "green") and left[-1] == "blue"
    assert known(game, 0) == [(0, "white"), (1, "red"), (len(left) - 1, "blue")]
    game.play(ttr.DrawBlind(1))
    assert known(game, 0) == [(0, "red"), (len(left) - 2, "blue")]
    assert known(game, 1) == [(0, None), (len(left) - 2, None)]


def test_sampled_worlds_leave_known_cards_in_place() -> None:
    game = scouted()
    own = [ttr.determinize(game.view(0), RULES, seed) for seed in range(20)]
    assert all(world.view(0) == game.view(0) for world in own)
    piles = [ttr.cards(world.state).draw_pile for world in own]
    assert {(pile[0], pile[1], pile[-1]) for pile in piles} == {("white", "red", "blue")} and len(set(piles)) == 20
    others = [ttr.determinize(game.view(1), RULES, seed) for seed in range(20)]
    assert len({ttr.cards(world.state).draw_pile[0] for world in others}) > 2
    assert all(known(world, 0)[0][0] == 0 and known(world, 0)[0][1] for world in others)  # it knows what lies there


def test_a_pile_that_is_formed_anew_is_known_to_nobody() -> None:
    pile = {"draw_pile": PILE[:3], "draw_pile_complete": True, "discards": ["yellow"] * 4 + ["purple"] * 4}
    game = ttr.arrange(RULES, {"seed": 1, "players": [{}, {}], "face_up": ["green"] * 5, **pile})
    game.play(Scout(0))
    game.play(next(iter(game.legal_actions(0))))
    assert len(known(game, 0)) == 3
    for seat in (1, 1, 0):
        game.play(ttr.DrawBlind(seat))
    assert len(ttr.cards(game.state).draw_pile) == 8 and known(game, 0) == []


def test_another_order_is_forgotten_by_the_others() -> None:
    tx = Transaction(arranged(RULES, {}, {}, draw_pile=PILE).state, [])
    cards = economy_of(tx.rules.economy, TrainCards)
    cards.look(tx, 1, 3)
    cards.look(tx, 0, 2)
    cards.reorder(tx, 0, ["blue", "red"])
    cards.reorder(tx, 0, [])
    assert tx.log is not None and len(tx.log) == 3
    looked = tx.state.part(CardPiles).seen_by(1).looked_at
    assert [(card.place, card.seats, card.card) for card in looked] == [
        (0, (0,), None),
        (1, (0,), None),
        (2, (1,), "white"),
    ]
    cards.look(tx, 1)
    assert tx.state.part(CardPiles).seen_by(1).looked_at[0] == LookedAtCard("train", 0, (0, 1), "blue")


def test_a_card_that_is_put_back_is_known_to_who_put_it_there() -> None:
    piles = arranged(RULES, {}, {}, draw_pile=PILE).state.part(CardPiles)
    piles.look(1, ("red",), "train")
    piles.draw("red")
    piles.put_back("red", 0)
    assert [card.card for card in piles.seen_by(0).looked_at] == ["red"] and not piles.seen_by(1).looked_at[0].card
    piles.draw("red")
    piles.put_back("red", 1, 0)
    assert [card.card for seat in (0, 1) for card in piles.seen_by(seat).looked_at] == ["red", "red"]
    piles.draw("red")
    piles.put_back("red")
    assert piles.seen_by(0).looked_at == ()
    before = piles.copy()
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="the seats are 0 to 1"):
            piles.put_back("red", seat)
    with pytest.raises(ValueError, match="'coal' is no train card"):
        piles.discard_stored(ttr.Counts(red=1, coal=1))
    assert piles == before


def test_positions_say_how_many_cards_a_player_has_looked_at() -> None:
    game = ttr.arrange(
        RULES, {"seed": 1, "players": [{}, {"looked_at": 2}], "draw_pile": PILE, "face_up": ["green"] * 5}
    )
    assert known(game, 1) == [(0, "red"), (1, "blue")] and known(game, 0) == [(0, None), (1, None)]
    with pytest.raises(InvalidTableError, match="a whole number from 0 to 110"):
        ttr.arrange(RULES, {"seed": 1, "players": [{}, {"looked_at": -1}]})


def test_each_deck_has_a_top_of_its_own() -> None:
    trains, ships = (
        CardDeck("train", dict.fromkeys(["red", "blue"], 12)),
        CardDeck("ship", dict.fromkeys(["ship", "ferry"], 9), hand=0, row=0),
    )
    decks = ttr.compile_rules("north-america", plugin("two-decks", economy=giving(TrainCards(decks=(trains, ships)))))
    pile = {"train": ["red", "blue"], "ship": ["ferry", "ship", "ship"]}
    game = ttr.arrange(decks, {"seed": 1, "players": [{}, {}], "draw_pile": pile})
    other = ttr.arrange(decks, {"seed": 1, "players": [{}, {"looked_at": {"ship": 2}}], "draw_pile": pile})
    assert [card.card for card in ttr.cards(other.view(1)).looked_at] == ["ferry", "ship"]
    state = game.state
    game = ttr.Game(state, game.players, 1, game.moves)
    tx = Transaction(state, [])
    economy_of(decks.economy, TrainCards).look(tx, 1, 2, "ship")
    assert ttr.cards(game.view(1)).looked_at == (
        LookedAtCard("ship", 0, (1,), "ferry"),
        LookedAtCard("ship", 1, (1,), "ship"),
    )
    worlds = [ttr.determinize(game.view(1), decks, seed) for seed in range(9)]
    assert {ttr.cards(world.state).name_cards(ttr.cards(world.state).top(1, 2)) for world in worlds} == {
        ("ferry", "ship")
    }
    economy_of(decks.economy, TrainCards).reorder(tx, 1, ["ship"], ["ferry"], "ship")
    left = ttr.cards(state).size(1)
    assert [(card.place, card.card) for card in ttr.cards(game.view(1)).looked_at] == [(0, "ship"), (left - 1, "ferry")]
    assert [event.seen_by(0).event for event in tx.log or ()][-1] == CardsReordered(1, Unknown(1), Unknown(1), "ship")


def test_it_is_saved_copied_and_pickled() -> None:
    game = scouted()
    assert ttr.loads(ttr.dumps(game), rules=RULES, verify=True) == game
    assert pickle.loads(pickle.dumps(game)).view(0) == game.view(0) == game.copy().view(0)
    piles = game.state.part(CardPiles)
    other = piles.copy()
    other.looked = {}
    assert piles != other


def test_bad_orders_and_decks_are_refused() -> None:
    tx = Transaction(arranged(RULES, {}, {}, draw_pile=PILE).state, [])
    cards = economy_of(tx.rules.economy, TrainCards)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: cards.look(tx, 2), "there is no seat 2: the seats are 0 to 1"),
        (lambda: cards.look(tx, 0, -1), "looks at -1 cards"),
        (lambda: cards.look(tx, 0, True), "looks at True cards"),
        (lambda: cards.look(tx, 0, 1, "ship"), "there is no deck 'ship', only train"),
        (
            lambda: cards.reorder(tx, 0, ["red", "white"]),
            "cannot reorder red, white: the top cards of the pile are red, blue",
        ),
        (lambda: cards.reorder(tx, 0, ["red", "blue"]), "must look at them first"),
    ]
    for call, words in calls:
        with pytest.raises(PluginError, match=words):
            call()
    with pytest.raises(ValueError, match="are not the top cards"):
        CardsLookedAt(0, ("blue",), "train").apply(tx.state)
    with pytest.raises(ValueError, match="are not the top cards"):
        CardsReordered(0, ("blue",), ("red", "black"), "train").apply(tx.state)
    assert tx.log == []


@pytest.mark.parametrize(
    ("looked", "problem"),
    [
        ([LookedAtCard("train", 900, (0,), "red")], "lies in no draw pile"),
        ([LookedAtCard("train", -1, (0,), None)], "lies in no draw pile"),
        ([LookedAtCard("train", 0, (4 * 10**9,), None)], "seats who are not at the table"),
        ([LookedAtCard("train", place, (0,), "red") for place in range(13)], "more train cards than the deck has"),
        ([LookedAtCard("boat", 0, (0,), None)], "inconsistent view"),
    ],
)
def test_a_view_with_cards_that_cannot_lie_there_is_refused(looked: list[LookedAtCard], problem: str) -> None:
    view = scouted().view(0)
    parts = {
        name: evolve(part, looked_at=tuple(looked)) if isinstance(part, SeenCards) else part
        for name, part in view.parts.items()
    }
    with pytest.raises(ttr.InvalidInputError, match=problem):
        ttr.determinize(evolve(view, parts=parts), RULES, 1)


TWO_DECKS = ttr.compile_rules(
    "north-america",
    plugin(
        "two-decks",
        economy=giving(
            TrainCards(
                decks=(
                    CardDeck("train", dict.fromkeys(["red", "blue"], 8)),
                    CardDeck("ship", dict.fromkeys(["ship", "ferry"], 6), hand=0, row=2),
                )
            )
        ),
    ),
)
SMALL = ttr.compile_rules(
    "north-america", plugin("small", economy=giving(TrainCards({"red": 9, "blue": 6, "locomotive": 4})))
)


def test_a_view_with_a_card_in_the_pile_of_another_deck_is_refused() -> None:
    view = ttr.arrange(TWO_DECKS, {"seed": 1, "players": [{"looked_at": {"ship": 1}}, {}]}).view(0)
    wrong = LookedAtCard("ship", 0, (0,), "red")
    parts = {
        name: evolve(part, looked_at=(wrong,)) if isinstance(part, SeenCards) else part
        for name, part in view.parts.items()
    }
    with pytest.raises(ttr.InvalidInputError, match="lies in no draw pile"):
        ttr.determinize(evolve(view, parts=parts), TWO_DECKS, 1)


def test_clients_are_told_what_a_deck_is() -> None:
    """It is no kind of card in the types of cards; a field of a plugin may be called so and hold something else."""

    class Pick(ttr.Action):
        deck: int

    class PickRule(ActionRule[ttr.Turn, Pick]):
        def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Pick]:
            return [Pick(decision.seat, 3)]

        def perform(self, tx: Transaction, decision: ttr.Turn, action: Pick) -> None:
            """Nothing happens."""

    class Picks(Variant, name="picks"):
        """Picks: a number of a deck is named."""

        @hookimpl
        def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
            return (PickRule(),)

    schema = json_schema(ttr.compile_rules("europe", Picks))
    found: dict[str, Any] = schema["definitions"]
    assert found["LookedAtCard"]["properties"]["deck"] == {"type": "string"}
    assert "$ref" in str(found["LookedAtCard"]["properties"]["card"])
    assert found["picks.Pick"]["properties"]["deck"]["type"] == "integer"


class Shadow:
    """Who knows which card of each pile, from the top, as it follows from the events alone."""

    def __init__(self, piles: CardPiles) -> None:
        self.piles = piles
        self.known: list[list[set[int]]] = [
            [set() for _ in range(piles.size(deck))] for deck in range(len(piles.piles))
        ]

    def deck(self, card: str) -> list[set[int]]:
        return self.known[self.piles.deck_of[self.piles.number[card]]]

    def follow(self, event: ttr.Event) -> None:
        names = self.piles.decks.names
        match event:
            case CardsLookedAt(seat, cards, deck):
                for place in range(len(known_cards(cards))):
                    self.known[names.index(deck)][place].add(seat)
            case CardsReordered(seat, top, bottom, deck):
                pile = self.known[names.index(deck)]
                above, under = len(known_cards(top)), len(known_cards(bottom))
                pile[:] = [{seat} for _ in range(above)] + pile[above + under :] + [{seat} for _ in range(under)]
            case FaceUpCleared(card, replacement, under_pile):
                if replacement:
                    self.deck(replacement).pop(0)
                if under_pile:
                    self.deck(card).append(set(range(len(self.piles.hand))))
            case CardDrawn(_, card):
                self.deck(str(card)).pop(0)
            case FaceUpTaken(_, _, replacement):
                if replacement:
                    self.deck(replacement).pop(0)
            case CardsTurnedUp(cards):
                for card in cards:
                    self.deck(card).pop(0)
            case PileShuffled(cards):
                order = known_cards(cards)
                if order:
                    self.deck(order[0])[:] = [set() for _ in order]
            case _:
                assert isinstance(event, RowSwept), event

    def check(self) -> None:
        for seat in (None, *range(len(self.piles.hand))):
            expected = [
                LookedAtCard(name, place, tuple(sorted(seats)), card if seat in seats else None)
                for deck, name in enumerate(self.piles.decks.names)
                for place, (seats, card) in enumerate(
                    zip(self.known[deck], self.piles.name_cards(self.piles.top(deck, 99)), strict=True)
                )
                if seats
            ]
            assert list(self.piles.seen_by(seat).looked_at) == expected


def known_cards(cards: tuple[str, ...] | Unknown) -> tuple[str, ...]:
    assert not isinstance(cards, Unknown)
    return cards


@pytest.mark.parametrize("rules", [SMALL, TWO_DECKS], ids=["one deck", "two decks"])
@given(random=st.randoms(use_true_random=False))
def test_who_knows_a_card_follows_from_the_events(rules: ttr.Rules, random: Random) -> None:
    game = ttr.arrange(rules, {"seed": random.randrange(99), "players": [{}, {}, {}]})
    state = game.state
    game = ttr.Game(state, game.players, 1, game.moves)
    economy, piles = economy_of(rules.economy, TrainCards), ttr.cards(state)
    shadow = Shadow(piles)
    for _ in range(25):
        tx, seat, deck = Transaction(state, []), random.randrange(3), random.randrange(len(piles.piles))
        name = piles.decks.names[deck]
        match random.randrange(7):
            case 0 | 1:
                economy.look(tx, seat, random.randrange(4), name)
            case 2:
                top = list(economy.look(tx, seat, random.randrange(4), name))
                random.shuffle(top)
                cut = random.randrange(len(top) + 1)
                economy.reorder(tx, seat, top[:cut], top[cut:], name)
            case 3:
                if piles.face_up:
                    economy.clear_face_up(tx, random.choice(piles.face_up), under_pile=random.random() < 0.5)
            case 4:
                economy.draw(tx, seat, name)
            case 5:
                if piles.face_up:
                    economy.take_face_up(tx, seat, random.choice(piles.face_up))
            case _:
                economy.replace_row(tx)
        for event in tx.log or ():
            shadow.follow(event)
        shadow.check()
        assert piles.validate(game.rules) is None and pickle.loads(pickle.dumps(piles)) == piles
    for watcher in (None, 0, 1):
        assert ttr.determinize(game.view(watcher), rules, 1).view(watcher) == game.view(watcher)


ROW = ["orange", "yellow", "purple", "green", "black"]


def test_a_card_that_leaves_the_row_is_discarded_or_goes_under_the_pile() -> None:
    game = arranged(RULES, {}, {}, face_up=ROW, draw_pile=PILE)
    tx = Transaction(game.state, [])
    cards = economy_of(tx.rules.economy, TrainCards)
    cards.clear_face_up(tx, "yellow")
    assert tx.log == [FaceUpCleared("yellow", "red", under_pile=False)]
    piles = ttr.cards(tx.state)
    assert piles.face_up == ("orange", "red", "purple", "green", "black") and piles.discards == ("yellow",)
    cards.clear_face_up(tx, "red", under_pile=True)
    assert piles.face_up[1:3] == ("blue", "purple") and piles.draw_pile == ("white", "green", "black", "red")
    for seat in (0, 1):  # all saw it go there
        looked = piles.seen_by(seat).looked_at
        assert [(card.place, card.seats, card.card) for card in looked] == [(3, (0, 1), "red")]
    with pytest.raises(PluginError, match="no white lies face up"):
        cards.clear_face_up(tx, "white")
    assert piles.validate(game.rules) is None


def test_the_last_cards_leave_the_row_too() -> None:
    game = arranged(RULES, {}, {}, face_up=["orange", "yellow"], draw_pile=[])
    tx = Transaction(game.state, [])
    cards = economy_of(tx.rules.economy, TrainCards)
    cards.clear_face_up(tx, "orange", under_pile=True)
    assert ttr.cards(tx.state).face_up == ("yellow", "orange") and not ttr.cards(tx.state).draw_pile


@pytest.mark.rule("S4")
def test_the_row_is_swept_if_a_locomotive_comes_up() -> None:
    row = ["red", "locomotive", "locomotive", "green", "black"]
    game = arranged(RULES, {}, {}, face_up=row, draw_pile=["locomotive", *PILE, "white"])
    tx = Transaction(game.state, [])
    economy_of(tx.rules.economy, TrainCards).clear_face_up(tx, "red")
    assert ttr.cards(tx.state).face_up == tuple(PILE)


@pytest.mark.rule("D7", "R3")
def test_a_stored_card_is_discarded_and_the_pile_is_rebuilt_from_it() -> None:
    piles = {"face_up": ROW[:4], "draw_pile": ["red"], "draw_pile_complete": True}
    tx = Transaction(ttr.arrange(RULES, {"seed": 1, "players": [{}, {}], **piles}).state, [])
    state = ttr.cards(tx.state)
    assert state.face_up == (*ROW[:4], "red") and state.left == 0
    state.discard_stored(ttr.Counts(blue=2))
    assert len(state.discards) == 2
    economy_of(tx.rules.economy, TrainCards).settle(tx)
    assert [len(state.draw_pile), len(state.discards)] == [2, 0]
    with pytest.raises(ValueError, match="'coal' is no train card"):
        state.discard_stored(ttr.Counts(coal=1))


class Belt(Variant, name="belt"):
    """Belt: cards move up, and a new card lies at the end. After a claim the first card goes under the pile."""

    @hookimpl
    def on_row_changed(self, tx: Transaction, seat: int | None, places: Sequence[int]) -> None:
        row = list(ttr.cards(tx.state).face_up)
        if len(places) == 1 and len(row) == 5:
            row.append(row.pop(places[0]))
            economy_of(tx.rules.economy, TrainCards).reorder_row(tx, row)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        if row := ttr.cards(tx.state).face_up:
            economy_of(tx.rules.economy, TrainCards).clear_face_up(tx, row[0], under_pile=True)


def test_the_row_moves_up() -> None:
    rules = ttr.compile_rules("europe", Belt)
    game = arranged(rules, {"hand": {"white": 3}}, {}, face_up=ROW, draw_pile=PILE)
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert ttr.cards(game.state).face_up == ("yellow", "purple", "green", "black", "red")
    events = game.play(ttr.DrawFaceUp(1, "green"))
    assert RowReordered(("yellow", "purple", "black", "red", "blue")) in events
    assert ttr.cards(game.state).face_up == ("yellow", "purple", "black", "red", "blue")
    tx = Transaction(game.state, [])
    with pytest.raises(PluginError, match="lie face up"):
        economy_of(rules.economy, TrainCards).reorder_row(tx, ["red"])
    with pytest.raises(ValueError, match="the row is"):
        RowReordered(("red",)).apply(tx.state)


@pytest.mark.slow
@pytest.mark.thorough_cases("north-america")
@pytest.mark.parametrize("map", ["europe", "north-america"])
def test_a_moving_row_passes_its_check(map: str) -> None:
    check_variant(map, Belt, players=(2, 5), games=1)


@pytest.mark.slow
@pytest.mark.thorough_cases("europe")
@pytest.mark.parametrize("map", ["europe", "india"])
def test_the_variant_passes_its_check(map: str) -> None:
    check_variant(map, Scouting, players=(2, 4), games=1)


def test_cards_on_the_table_are_taken_off_it_only_if_they_lie_there() -> None:
    players = [{"hand": {"yellow": 1, "locomotive": 1}}, {}]
    game = ttr.arrange(
        ttr.compile_rules("europe"), {"seed": 1, "draw_pile": ["yellow", "red", "red"], "players": players}
    )
    game.play(ttr.ClaimRoute(0, "munchen-zurich-yellow", {"yellow": 1, "locomotive": 1}))
    piles = game.state.part(CardPiles)
    with pytest.raises(ValueError, match="2 locomotive cannot be taken off the table: 1 yellow, 1 locomotive was laid"):
        piles.take_laid(ttr.Counts(locomotive=2))
    piles.take_laid(ttr.Counts(locomotive=1))
    assert piles.laid == ttr.Counts(yellow=1)
    piles.take_laid(ttr.Counts(yellow=1))
    with pytest.raises(ValueError, match="1 yellow cannot be taken off the table: nothing was laid down"):
        piles.take_laid(ttr.Counts(yellow=1))


def test_cards_are_taken_out_of_the_pile_from_below() -> None:
    game = ttr.arrange(
        None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "red", "green"], "players": [{}, {}]}
    )
    piles = game.state.part(CardPiles)
    economy = economy_of(game.rules.economy, TrainCards)
    economy.look(Transaction(game.state, []), 0, 1)
    before = piles.draw_pile
    piles.take_out(ttr.Counts(red=1, blue=1))
    gone = list(before)
    for card in ("red", "blue"):
        del gone[len(gone) - 1 - gone[::-1].index(card)]
    assert piles.draw_pile == tuple(gone) and piles.left == len(before) - 2
    with pytest.raises(ValueError, match="99 red do not lie in the draw piles"):
        piles.take_out(ttr.Counts(red=99))


def test_the_newest_card_is_the_one_that_was_drawn_or_taken_last() -> None:
    position = {"seed": 1, "draw_pile": ["red", "blue", "green"], "face_up": ["white"] * 5, "players": [{}, {}]}
    told: list[str] = []

    def note(tx: Transaction, action: ttr.Action) -> None:
        told.append(tx.state.part(CardPiles).newest_card)

    rules = ttr.compile_rules("europe", plugin("note", around=lambda rules: [Around(CardDraw, after=note)]))
    game = ttr.arrange(rules, position)
    assert game.state.part(CardPiles).newest_card == ""
    for action in (ttr.DrawBlind(0), ttr.DrawFaceUp(0, "white"), ttr.DrawBlind(1)):
        game.play(action)
    assert told == ["red", "white", "green"]
    assert game.copy().state.part(CardPiles).newest_card == "green"
