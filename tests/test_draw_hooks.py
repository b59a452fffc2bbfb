"""Hooks about draws: places of the face-up row, the number of tickets, actions of turns that are refused together."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from helpers import arranged, happened
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import draw_tickets, economy_of
from ttr_rules.errors import HookTypeError, PluginError, Refusal
from ttr_rules.events import FaceUpTaken, RowSwept, TurnBegun
from ttr_rules.model import Decision, TicketChoice, TicketMix
from ttr_rules.plugins import Around, Part, Rules, Transaction, Variant, hookimpl, points_in_play, public
from ttr_rules.train_cards import CardPiles, DrawFaceUp, TrainCards
from ttr_tools.narration import Names
from ttr_tools.narration.menus import kind_label
from ttr_tools.testing import check_variant
from ttr_variants.dice import DrawTicketsWithDice
from ttr_variants.europe import BuildStation

# -- the row -----------------------------------------------------------------------------------------------------

Change = tuple[int | None, tuple[int, ...]]


def noting(changes: list[Change]) -> type[Variant]:
    return plugin("noting", on_row_changed=lambda tx, seat, places: changes.append((seat, tuple(places))))


def row_game(row: Sequence[str], pile: Sequence[str], changes: list[Change], **position: Any) -> ttr.Game:
    rules = ttr.compile_rules("europe", noting(changes))
    return arranged(rules, {}, {}, face_up=list(row), draw_pile=list(pile), **position)


def test_the_place_of_a_card_that_is_taken_is_told_once_another_lies_there() -> None:
    changes: list[Change] = []
    rows: list[tuple[str, ...]] = []
    look = plugin("look", on_row_changed=lambda tx, seat, places: rows.append(tx.state.part(CardPiles).face_up))
    rules = ttr.compile_rules("europe", noting(changes), look)
    row = ["red", "blue", "white", "blue", "black"]
    game = arranged(rules, {}, {}, face_up=row, draw_pile=["orange", "green", "green"])
    game.play(DrawFaceUp(0, "blue"))
    assert changes == [(0, (1,))] and rows == [("red", "orange", "white", "blue", "black")]
    game.play(DrawFaceUp(0, "blue"))
    assert changes[1:] == [(0, (3,))]


def test_the_places_of_several_cards_that_are_taken_are_told_together() -> None:
    changes: list[Change] = []
    tx = Transaction(row_game(["red", "blue", "green", "red", "black"], ["red", "white"], changes).state)
    assert economy_of(tx.rules.economy, TrainCards).take_face_up(tx, 0, "red", "red") == 2
    assert changes == [(0, (0, 3))] and tx.state.part(CardPiles).face_up == ("white", "blue", "green", "red", "black")


def test_a_place_that_nothing_fills_is_told_too() -> None:
    changes: list[Change] = []
    tx = Transaction(row_game(["red", "blue", "white"], [], changes).state)
    economy_of(tx.rules.economy, TrainCards).take_face_up(tx, 0, "blue")
    assert changes == [(0, (1,))] and tx.state.part(CardPiles).face_up == ("red", "white")


def test_all_places_of_a_row_that_is_swept_are_told_each_time() -> None:
    changes: list[Change] = []
    locomotives = ["locomotive", "locomotive"]
    pile = ["locomotive", *locomotives, "locomotive", "red", "red", *["blue", "white", "black", "red", "green"] * 3]
    game = row_game([*locomotives, "red", "white", "black"], pile, changes)
    game.play(DrawFaceUp(0, "red"))
    swept = happened(game.events, RowSwept)
    assert len(swept) == 2
    assert changes == [(0, (2,)), (None, (0, 1, 2, 3, 4)), (None, (0, 1, 2, 3, 4))]


def test_rows_that_plugins_change_are_told() -> None:
    changes: list[Change] = []
    state = row_game(["red", "blue", "white"], ["orange", *["green", "red", "blue", "white"] * 3], changes).state
    tx = Transaction(state, [])
    economy = economy_of(tx.rules.economy, TrainCards)
    economy.take_face_up(tx, 1, "white")
    economy.replace_row(tx)
    assert changes[0] == (1, (2,)) and changes[1][0] is None


class Ages(Part):
    """By place: how many changes of the row its card has seen."""

    age: list[int] = public(default=[0] * 5)


class Aged(ttr.Event):
    places: tuple[int, ...]
    length: int

    def apply(self, state: ttr.State) -> None:
        ages = [0 if place in self.places else age + 1 for place, age in enumerate(state.part(Ages).age)]
        state.part(Ages).age = ages[: self.length] + [0] * (self.length - len(ages))


class Ageing(Variant, name="ageing"):
    """Ageing: a card of the row grows older whenever another one leaves."""

    @hookimpl
    def parts(self, rules: Rules) -> tuple[type[Part], ...]:
        return (Ages,)

    @hookimpl
    def on_row_changed(self, tx: Transaction, seat: int | None, places: Sequence[int]) -> None:
        tx.emit(Aged, tuple(places), len(tx.state.part(CardPiles).row))


class Shadow:
    """The row as the reports of its changes tell it, every change, and those that did not happen."""

    def __init__(self) -> None:
        self.row: list[str] = []
        self.changes: list[Change] = []
        self.wrong: list[object] = []

    def look(self, tx: Transaction) -> list[str]:
        return list(tx.state.part(CardPiles).face_up)

    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        self.row = self.look(tx)  # it may have grown

    def on_row_changed(self, tx: Transaction, seat: int | None, places: Sequence[int]) -> None:
        row = self.look(tx)
        self.changes.append((seat, tuple(places)))
        if seat is not None:
            (place,) = places
            taken = self.row.copy()
            taken[place : place + 1] = row[place : place + 1] if len(row) == len(taken) else []
            if taken != row:
                self.wrong.append((self.row, places, row))
        elif not row and (tx.state.part(CardPiles).left or tx.state.part(CardPiles).discarded):
            self.wrong.append("told before the new row lies there")
        self.row = row

    def plugin(self) -> type[Variant]:
        return plugin("shadow", on_turn_start=self.on_turn_start, on_row_changed=self.on_row_changed)


@pytest.mark.parametrize(
    "stack", ["europe", "germany-tickets", "nordic-countries", "pennsylvania", "london", "united-kingdom"]
)
def test_changes_of_the_row_are_those_of_its_events_in_whole_games(stack: str) -> None:
    shadow = Shadow()
    rules = ttr.compile_rules(stack, shadow.plugin())
    for seed in range(3):
        shadow.changes.clear()
        game, random = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
        while not game.is_over:
            game.play(random.choice(game.legal_actions(game.to_act[0])))
        events = list(game.events)
        begun = next(number for number, event in enumerate(events) if isinstance(event, TurnBegun))
        events = [event for event in events[begun:] if isinstance(event, FaceUpTaken | RowSwept)]
        expected = [event.seat if isinstance(event, FaceUpTaken) else None for event in events]
        assert [seat for seat, _ in shadow.changes] == expected and expected
        assert not shadow.wrong


def test_a_row_that_a_plugin_replaces_comes_from_a_rebuilt_pile() -> None:
    changes: list[Change] = []
    rows: list[int] = []
    look = plugin("look", on_row_changed=lambda tx, seat, places: rows.append(len(tx.state.part(CardPiles).row)))
    rules = ttr.compile_rules("europe", noting(changes), look)
    position: dict[str, Any] = {"face_up": ["red"] * 5, "draw_pile": [], "draw_pile_complete": True}
    tx = Transaction(ttr.arrange(rules, {"seed": 1, "discards": ["blue"] * 9, "players": [{}, {}], **position}).state)
    economy_of(tx.rules.economy, TrainCards).replace_row(tx)
    assert changes[0] == (None, (0, 1, 2, 3, 4)) and rows[0] == 5


def test_nothing_is_told_of_the_row_before_the_first_turn() -> None:
    changes: list[Change] = []
    rules = ttr.compile_rules("europe", noting(changes))
    swept = [ttr.new_game(rules=rules, players=2, seed=seed) for seed in range(120)]
    assert any(isinstance(event, RowSwept) for game in swept for event in game.events) and not changes


@pytest.mark.thorough
def test_the_kit_has_nothing_against_what_lies_on_cards_of_the_row() -> None:
    assert check_variant("europe", Ageing, players=2, games=1, skip=["processes"]).games == 1


def test_a_change_of_the_row_asks_nothing() -> None:
    asking = plugin("asking", on_row_changed=lambda tx, seat, places: ttr.Turn(0))
    game = arranged(ttr.compile_rules("europe", asking), {}, {}, face_up=["red", "blue"], draw_pile=["red"] * 5)
    with pytest.raises(HookTypeError, match="on_row_changed of plugin 'asking' must give nothing"):
        game.play(DrawFaceUp(0, "blue"))


# -- the number of tickets -----------------------------------------------------------------------------------------


def drawing(count: object) -> type[Variant]:
    return plugin("drawing", tickets_drawn=lambda state, seat, usual: count if seat == 0 else usual)


@pytest.mark.parametrize(("stack", "usual"), [(("europe",), 3), (("germany-tickets",), 4)])
def test_plugins_say_how_many_tickets_a_seat_draws(stack: tuple[str, ...], usual: int) -> None:
    rules = ttr.compile_rules(*stack, drawing(5))
    for first, number in ((0, 5), (1, usual)):
        game = arranged(rules, {}, {}, {}, to_act=first)
        game.play(ttr.DrawTickets(first))
        asked = game.decision(first)
        assert asked == TicketMix(first, number) or isinstance(asked, TicketChoice) and len(asked.tickets) == number


def test_plugins_change_the_number_of_dice_that_draw_tickets() -> None:
    rules = ttr.compile_rules("europe", "dice", plugin("more", tickets_drawn=lambda state, seat, count: count + 1))
    game, random = ttr.new_game(rules=rules, players=2, seed=1), Random(1)
    while not any(isinstance(action, DrawTicketsWithDice) for action in game.legal_actions(game.to_act[0])):
        game.play(random.choice(game.legal_actions(game.to_act[0])))
    seat = game.to_act[0]
    draw = next(action for action in game.legal_actions(seat) if isinstance(action, DrawTicketsWithDice))
    game.play(draw)
    asked = game.decision(seat)
    assert isinstance(asked, TicketChoice) and len(asked.tickets) == draw.payment.total + 1


def test_more_tickets_than_can_be_drawn_with_dice_are_the_fault_of_the_hook() -> None:
    rules = ttr.compile_rules("europe", "dice", plugin("more", tickets_drawn=lambda state, seat, count: 9))
    game, random = ttr.new_game(rules=rules, players=2, seed=1), Random(1)
    with pytest.raises(HookTypeError, match="tickets_drawn of plugin 'more' must give"):
        while not game.is_over:
            game.play(random.choice(game.legal_actions(game.to_act[0])))


def test_menus_tell_no_number_of_tickets_that_depends_on_the_seat() -> None:
    game = arranged(ttr.compile_rules("europe", drawing(5)), {}, {})
    assert kind_label(ttr.DrawTickets, ttr.Turn(0), Names(game.rules, game.players)) == "Draw tickets"


def test_each_plugin_changes_the_number_of_those_below() -> None:
    more = plugin("more", tickets_drawn=lambda state, seat, count: count + 1)
    twice = plugin("twice", tickets_drawn=lambda state, seat, count: count * 2 if count == 4 else 1)
    game = arranged(ttr.compile_rules("europe", more, twice), {}, {})
    with pytest.raises(HookTypeError, match="tickets_drawn of plugin 'twice' must give a number of tickets, .* not 8"):
        game.play(ttr.DrawTickets(0))
    tx = Transaction(game.state)
    draw_tickets(tx, 0, 2)
    asked = tx.state.decision(0)
    assert isinstance(asked, TicketChoice) and len(asked.tickets) == 2, "what a plugin draws itself is its own number"


@pytest.mark.parametrize("count", [0, True, None, 2.0])
def test_a_number_of_tickets_is_one_at_least(count: object) -> None:
    game = arranged(ttr.compile_rules("europe", drawing(count)), {}, {})
    with pytest.raises(HookTypeError, match="tickets_drawn of plugin 'drawing'"):
        game.play(ttr.DrawTickets(0))


# -- all actions of turns ----------------------------------------------------------------------------------------------


def counting(played: list[str]) -> type[Variant]:
    around = Around(ttr.Action, on=ttr.Turn, after=lambda tx, action: played.append(type(action).__name__))
    return plugin("counting", around=lambda rules: (around,))


def test_all_actions_of_turns_are_followed() -> None:
    played: list[str] = []
    rules = ttr.compile_rules("europe", counting(played))
    hand = {"locomotive": 4, "white": 2}
    game = arranged(rules, {"hand": hand}, {}, draw_pile=["red"] * 9)
    stations = [action for action in game.legal_actions(0) if isinstance(action, BuildStation)]
    for action in (next(action for action in stations if action.payment == {"locomotive": 1}), ttr.DrawTickets(1)):
        game.play(action)
    game.play(game.legal_actions(1)[0])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 2, "locomotive": 1}))
    game.play(ttr.DrawBlind(1))
    game.play(ttr.DrawBlind(1))
    assert played == ["BuildStation", "DrawTickets", "ClaimRoute", "DrawBlind"]


def test_a_pass_of_a_turn_is_followed() -> None:
    played: list[str] = []
    nothing: dict[str, Any] = {"face_up": [], "draw_pile": [], "discards": []}
    rules = ttr.compile_rules("north-america", counting(played))
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets]}
    game = arranged(rules, first, {}, **nothing)
    game.play(ttr.Pass(0))
    assert played == ["Pass"]


@pytest.mark.parametrize("wrong", [{}, {"on": Decision}, {"on": ttr.Turn, "refuse": lambda state, action: None}])
def test_what_follows_all_actions_says_of_which_decision(wrong: dict[str, Any]) -> None:
    with pytest.raises(PluginError, match=r"write on=Turn, or name their types"):
        Around(ttr.Action, **wrong)


CLOSED = Refusal("closed-1", "closed for now")


def closing(
    *kinds: type[ttr.Action], base: type[ttr.Action] = ttr.Action, asked: list[str] | None = None
) -> type[Variant]:
    def refuse(state: ttr.State, seat: int, kind: type[ttr.Action]) -> Refusal | None:
        if asked is not None:
            asked.append(kind.__name__)
        return CLOSED if seat == 0 and (not kinds or kind in kinds) else None

    return plugin("closing", around=lambda rules: (Around(base, on=ttr.Turn, refuse_all=refuse),))


@pytest.mark.parametrize("closed", [ttr.ClaimRoute, BuildStation, ttr.DrawTickets, ttr.DrawBlind, DrawFaceUp])
def test_all_actions_of_a_type_are_refused_together(closed: type[ttr.Action]) -> None:
    position: dict[str, Any] = {"draw_pile": ["red"] * 9, "face_up": ["white"] * 5}
    seats = [{"hand": {"locomotive": 4, "white": 2}}, {"hand": {"locomotive": 4, "white": 2}}]
    plain = arranged(ttr.compile_rules("europe"), *seats, **position)
    for base in (ttr.Action, closed):
        game = arranged(ttr.compile_rules("europe", closing(closed, base=base)), *seats, **position)
        left = [action for action in plain.legal_actions(0) if type(action) is not closed]
        assert list(game.legal_actions(0)) == left
        assert len(game.legal_actions(0)) == len(left)
        refused = next(action for action in plain.legal_actions(0) if type(action) is closed)
        assert game.refusal(refused) == CLOSED
        with pytest.raises(ttr.IllegalActionError, match=r"\[closed-1\] closed for now"):
            game.play(refused)


def test_payments_offers_and_purchases_are_those_without_a_guard_that_refuses_nothing() -> None:
    open_to_all = plugin(
        "open", around=lambda rules: (Around(ttr.ClaimRoute, refuse_all=lambda state, seat, kind: None),)
    )
    hand = dict.fromkeys(["red", "blue", "white", "black", "green"], 4) | {"locomotive": 6}
    plain, game = (
        arranged(ttr.compile_rules("nordic-countries", *more), {"hand": hand}, {}) for more in ((), (open_to_all,))
    )
    claim = next(action for action in plain.legal_actions(0) if isinstance(action, ttr.ClaimRoute))
    assert game.payments(claim) == plain.payments(claim)
    assert game.offer(0) == plain.offer(0)


@pytest.mark.parametrize("answer", [False, True, "closed"])
def test_what_refuses_all_gives_a_refusal(answer: Any) -> None:
    around = Around(ttr.DrawTickets, refuse_all=lambda state, seat, kind: answer)
    wrong = plugin("wrong", around=lambda rules: (around,))
    with pytest.raises(HookTypeError, match="refuse_all of an Around for DrawTickets must give a Refusal"):
        len(arranged(ttr.compile_rules("europe", wrong), {}, {}).legal_actions(0))


@pytest.mark.parametrize("name", ["refuse", "refuse_all", "before", "after"])
def test_an_around_takes_functions(name: str) -> None:
    wrong: dict[str, Any] = {name: CLOSED}
    with pytest.raises(PluginError, match=r"Around\(…\) takes functions, not"):
        Around(ttr.DrawTickets, **wrong)


def test_plugins_follow_actions_in_the_order_of_the_stack_whatever_they_replace() -> None:
    for stack in (("europe",), ("london",)):
        followed: list[str] = []
        one = plugin(
            "one", around=lambda rules: (Around(ttr.DrawBlind, after=lambda tx, action: followed.append("one")),)
        )
        two = plugin(
            "two",
            around=lambda rules: (Around(ttr.Action, on=ttr.Turn, after=lambda tx, action: followed.append("two")),),
        )
        rules = ttr.compile_rules(*stack, one, two)
        game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
        game.play(
            next(action for action in game.legal_actions(0) if type(action).__name__ in ("DrawBlind", "DrawFrom"))
        )
        assert followed == ["one", "two"]


def test_who_may_do_nothing_passes() -> None:
    game = arranged(ttr.compile_rules("europe", closing()), {}, {})
    assert list(game.legal_actions(0)) == [ttr.Pass(0)]


def test_claims_are_refused_together_without_reading_them() -> None:
    asked: list[str] = []
    rules = ttr.compile_rules("north-america", closing(ttr.ClaimRoute, asked=asked))
    hand = dict.fromkeys(["red", "blue", "white", "black", "green", "locomotive"], 8)
    game = arranged(rules, {"hand": hand}, {})
    asked.clear()
    assert not [action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)]
    assert asked.count("ClaimRoute") <= 3


class ThirdRound(Variant, name="third-round"):
    """Third round: in every third round nobody claims a route, and cards score a point."""

    @hookimpl
    def around(self, rules: Rules) -> tuple[Around, ...]:
        return (
            Around(ttr.ClaimRoute, refuse_all=self.refuse),
            Around(ttr.Action, on=ttr.Turn, after=lambda tx, action: tx.score(action.seat, 1, "third")),
        )

    def refuse(self, state: ttr.State, seat: int, kind: type[ttr.Action]) -> Refusal | None:
        return CLOSED if state.round % 3 == 0 else None

    @hookimpl
    def goes_on(self, state: ttr.State) -> bool:
        return state.passes < 4 * state.players

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ttr.plugins.ScoringTerm, ...]:
        return (points_in_play("third", "Third"),)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("stack", [("europe",), ("north-america", "dice"), ("united-kingdom",)], ids=" + ".join)
def test_the_kit_has_nothing_against_it(stack: tuple[str, ...]) -> None:
    assert check_variant(*stack, ThirdRound, players=2, games=1, skip=["processes", "planner"]).games == 1
