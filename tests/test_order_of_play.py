"""The course of a game as plugins change it: who has the next turn, when the last round begins, how many rounds there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import pytest
from attrs import evolve
from helpers import arranged, happened, keep_all
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import cards_drawn, following_seat, put_back_tickets
from ttr_rules.engine import advance, view_of
from ttr_rules.errors import HookTypeError, InvalidTableError, PluginError, Refusal
from ttr_rules.events import (
    GameEnded,
    LastRoundBegun,
    RoundBegun,
    RoundEnded,
    TicketsDealt,
    TurnBegun,
    TurnEnded,
    Unknown,
)
from ttr_rules.model import Components, TicketChoice, TicketSetup, Unkept
from ttr_rules.plugins import (
    Around,
    Below,
    Choice,
    Confirm,
    DrawCounts,
    Question,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    known,
    load_variant,
    points_in_play,
    secret,
    tryfirst,
)
from ttr_rules.train_cards import NextCard
from ttr_tools.bots import RandomBot, play_game
from ttr_tools.bots.evaluation import evaluate
from ttr_tools.narration import Names, Narrator
from ttr_tools.narration.menus import kind_label, question
from ttr_tools.simulation.running import summarize_game
from ttr_tools.testing import check_variant

SEATS = 3
PLENTY = ["black"] * 12 + ["blue"] * 11 + ["white"] * 10


class Again(Choice[int]):
    """A question that is asked again."""

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1,)

    def chosen(self, tx: Transaction, option: int) -> Question:
        return Again(self.seat)


class Nod(Choice[int]):
    """A question that changes nothing."""

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None: ...


BACK_AND_FORTH = plugin(
    "back-and-forth",
    next_seat=lambda state, seat, following: (
        seat if state.ends_round else following if state.round % 2 else (seat - 1) % state.players
    ),
)


def rounds(number: int, last_round_at: int | None = None) -> type[Variant]:
    return plugin("rounds", components=lambda below, board: evolve(below(), rounds=number, last_round_at=last_round_at))


def turns_of(game: ttr.Game, most: int = 200) -> list[int]:
    """Who has the turns from now on, each of them drawing two cards, to the end of the game."""
    seats: list[int] = []
    while game.to_act and len(seats) < most:
        seats += game.to_act
        for _ in range(2):
            game.play(ttr.DrawBlind(seats[-1]))
    return seats


def begun(game: ttr.Game) -> ttr.Game:
    keep_all(game)
    return game


def told(game: ttr.Game, language: str = "en") -> list[str]:
    narrator = Narrator(game.rules, game.players, language=game.rules.language(language))
    return [line.text for line in narrator.tell(game.events)]


# -- before the first tickets ------------------------------------------------------------------------------------


class Side(Nod):
    """A question at the deal, to which everybody hears the answer."""

    public = True

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, option, "sides")


def dealing(question: Callable[[Transaction], Question | None]) -> type[Variant]:
    return plugin("dealing", (), __name__, on_deal=question, scoring=lambda rules: (points_in_play("sides"),))


@pytest.mark.parametrize("stack", ["europe", "mega-europa", "germany-tickets", "north-america"])
def test_a_question_comes_before_the_first_tickets(stack: str) -> None:
    asks = dealing(lambda tx: [Side(seat) for seat in range(tx.state.players)])
    game = ttr.new_game(stack, asks, players=3, seed=1)
    plain = ttr.new_game(stack, players=3, seed=1)
    for seat in (2, 0, 1):
        assert not happened(game.events, TicketsDealt) and game.view(seat).ticket_counts == (0, 0, 0)
        for viewer in (None, 0, 1, 2):
            world = ttr.determinize(game.view(viewer), game.rules, seat)
            for other in world.to_act:
                world.play(Side(other).choose(1))
            assert [type(each) for each in world.state.pending] == [type(each) for each in plain.state.pending]
        assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
        game.play(Side(seat).choose(2))
    assert game.view(None).points["sides"] == (2, 2, 2)
    assert game.state.pending == plain.state.pending


def test_a_seat_is_asked_several_times_in_turn() -> None:
    asks = dealing(lambda tx: tx.in_turn(Side, [0, 1, 1, 0]))
    game = ttr.new_game("europe", asks, players=2, seed=1)
    for seat, option in ((0, 1), (1, 2), (1, 1), (0, 2)):
        assert game.to_act == (seat,) and not happened(game.events, TicketsDealt)
        assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
        assert ttr.determinize(game.view(0), game.rules, 1).view(0) == game.view(0)
        game.play(Side(seat).choose(option))
    assert game.view(None).points["sides"] == (3, 3) and len(game.to_act) == 2


class Sealed(Choice[int]):
    """A number, opened with all others."""

    public = True
    sealed = True

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1, 2)

    def all_chosen(self, tx: Transaction, answers: Mapping[int, int]) -> None: ...


@pytest.mark.parametrize("asked", [lambda tx: [Side(0), Side(0)], lambda tx: tx.in_turn(Sealed, [0, 1, 0])])
def test_together_or_sealed_a_seat_is_asked_once(asked: Callable[[Transaction], Question]) -> None:
    with pytest.raises(HookTypeError, match="on_deal of plugin 'dealing' must give a question, not"):
        ttr.new_game("europe", dealing(asked), players=2, seed=1)


class Gift(ttr.Event):
    """A ticket goes from the pile to a hand at the deal."""

    seat: int
    ticket: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        state.give_ticket(self.seat, state.take_ticket(known(self.ticket)))


@pytest.mark.parametrize("stack", ["europe", "mega-europa", "germany-tickets"])
def test_worlds_fit_tickets_that_plugins_give_before_the_first_tickets(stack: str) -> None:
    def give(tx: Transaction) -> Question:
        for seat in (0, 1, 1):
            tx.emit(Gift, seat, tx.state.ticket_piles[tx.rules.draw_counts.pile][0])
        return Side(0)

    game = ttr.new_game(stack, dealing(give), players=3, seed=1)
    for viewer in (None, 0, 1, 2):
        for seed in range(10):
            world = ttr.determinize(game.view(viewer), game.rules, seed)
            assert [len(held) for held in world.state.tickets] == [1, 2, 0]


def test_plugins_deal_in_turn_and_a_deal_without_a_question_goes_on() -> None:
    order: list[str] = []

    def ask(tx: Transaction) -> Question:
        order.append("first")
        return tx.in_turn(Side)

    first = dealing(ask)
    second = plugin("second", on_deal=lambda tx: order.append("second"))
    game = ttr.new_game("europe", first, second, players=2, seed=1, first_seat=1)
    for seat in (1, 0):
        assert game.to_act == (seat,) and order == ["first"]
        game.play(Side(seat).choose(1))
    assert order == ["first", "second"] and len(game.to_act) == 2
    assert isinstance(game.decision(0), TicketSetup)


# -- the start of a round ------------------------------------------------------------------------------------------


class First(Choice[int]):
    """Which seat begins the round."""

    public = True
    begins: ClassVar[dict[int, int]] = {}

    def options(self, state: ttr.State) -> Sequence[int]:
        return range(state.players)

    def chosen(self, tx: Transaction, option: int) -> None:
        if tx.state.turn_number:
            First.begins[tx.state.round + 1] = option
        else:
            tx.first_seat(option)


#: In each round the seat with the number of the round chooses who begins it.
CHOOSING = plugin(
    "choosing",
    (),
    __name__,
    on_round_start=lambda tx, number: First(number % tx.state.players),
    next_seat=lambda state, seat, following: First.begins[state.round + 1] if state.ends_round else following,
)


def test_a_question_at_the_start_of_a_round_comes_before_its_first_seat_is_known() -> None:
    game = begun(ttr.new_game("europe", CHOOSING, rounds(3), players=3, seed=1))
    order: list[int] = []
    while not game.is_over:
        (seat,) = game.to_act
        if isinstance(game.decision(seat), First):
            number = game.state.round + 1
            assert seat == number % 3 and len(order) == 3 * (number - 1)
            assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
            assert ttr.determinize(game.view(0), game.rules, 1).view(0) == game.view(0)
            game.play(First(seat).choose({1: 2, 2: 1, 3: 0}[number]))
        else:
            order.append(seat)
            game.play(ttr.DrawBlind(seat))
            game.play(ttr.DrawBlind(seat))
    assert order == [2, 0, 1, 1, 2, 0, 0, 1, 2]
    assert game.events[-1] == GameEnded("last round")
    assert [event.number for event in happened(game.events, RoundBegun)] == [1, 2, 3]


def test_what_happens_at_the_start_of_a_round_is_told_below_its_heading() -> None:
    bells = plugin(
        "bells",
        on_round_start=lambda tx, number: tx.score(0, 1, "bells"),
        scoring=lambda rules: (points_in_play("bells", "Bells"),),
    )
    rules = ttr.compile_rules("europe", bells, rounds(7))
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(rules, {"seed": 1, "round": 5, "draw_pile": PLENTY, "players": players})
    turns_of(game)
    assert [line for line in told(game) if line.startswith(("Round", "Ada scores"))] == [
        "Round 5",
        "Round 6",
        "Ada scores 1 for Bells.",
        "Round 7",
        "Ada scores 1 for Bells.",
    ]


def test_rounds_start_after_granted_turns_and_ended_rounds() -> None:
    started: list[tuple[int, int]] = []

    def end(tx: Transaction, seat: int) -> None:
        if tx.state.turn_number == 3:
            tx.grant_turn(seat)
        if tx.state.turn_number == 6:
            tx.end_round()

    told = plugin(
        "told", on_round_start=lambda tx, number: started.append((number, tx.state.turn_number)), on_turn_end=end
    )
    turns_of(begun(ttr.new_game("europe", told, rounds(4), players=3, seed=1, first_seat=0)))
    assert started == [(1, 0), (2, 4), (3, 6), (4, 9)]


def test_another_turn_is_not_granted_between_two_rounds() -> None:
    class Grant(First):
        def chosen(self, tx: Transaction, option: int) -> None:
            tx.grant_turn(tx.state.turn)

    for asks in (lambda tx, number: tx.grant_turn(tx.state.turn), lambda tx, number: Grant(0)):
        granting = plugin(
            "granting", (), __name__, on_round_start=lambda tx, number: asks(tx, number) if number == 2 else ()
        )
        game = begun(ttr.new_game("europe", granting, players=2, seed=1, first_seat=0))
        with pytest.raises(PluginError, match="grants another turn to seat 1, which has no turn now"):
            while True:
                (seat,) = game.to_act
                asked = game.decision(seat)
                game.play(asked.choose(0) if isinstance(asked, Grant) else ttr.DrawBlind(seat))


@pytest.mark.parametrize("asked", [False, True])
def test_a_last_round_that_begins_with_a_round_has_as_many_turns_as_it_says(asked: bool) -> None:
    class Enough(First):
        def chosen(self, tx: Transaction, option: int) -> None:
            tx.begin_last_round("That is enough", 2)

    def begin(tx: Transaction, number: int) -> Question | None:
        if number < 2:
            return None
        if asked:
            return Enough(0)
        tx.begin_last_round("That is enough", 2)
        return None

    game = begun(ttr.new_game("europe", plugin("enough", (), __name__, on_round_start=begin), players=3, seed=1))
    turns = 0
    while not game.is_over:
        (seat,) = game.to_act
        if isinstance(game.decision(seat), Enough):
            game.play(game.legal_actions(seat)[0])
        else:
            turns += 1
            game.play(ttr.DrawBlind(seat))
            game.play(ttr.DrawBlind(seat))
    assert turns == 5


# -- whose turn follows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plugins", [(), (BACK_AND_FORTH,)])
def test_the_seat_that_follows_is_the_one_that_has_the_next_turn(plugins: tuple[type[Variant], ...]) -> None:
    said: list[int] = []

    def end(tx: Transaction, seat: int) -> None:
        if tx.state.turn_number in (2, 7):
            tx.grant_turn(seat)
        if tx.state.turn_number in (5, 11):
            tx.end_round()
        said.append(following_seat(tx.state))

    saying = plugin("saying", on_turn_end=end)
    game = arranged(
        ttr.compile_rules("europe", *plugins, rounds(6), saying),
        {},
        {},
        {},
        draw_pile=PLENTY + ["red"] * 11 + ["green"] * 10,
    )
    turns = turns_of(game)
    assert turns[1:] == said[:-1] and len(turns) > 12


# -- the last round --------------------------------------------------------------------------------------------


def enough(turns: int | None, hook: str = "on_turn_end") -> type[Variant]:
    """Seat 1 has had enough in every turn of its own, or at any moment before the first turn."""

    def begin(tx: Any, seat: int = 1) -> None:
        if seat == 1:
            tx.begin_last_round("{seat} has had enough", turns)

    return plugin("enough", **{hook: begin})


@pytest.mark.parametrize("hook", ["on_turn_start", "on_turn_end"])
@pytest.mark.parametrize("turns", [None, 0, 1, 2, 7])
def test_so_many_turns_follow_the_current_one(hook: str, turns: int | None) -> None:
    game = arranged(ttr.compile_rules("europe", enough(turns, hook)), {}, {}, {}, draw_pile=PLENTY)
    assert len(turns_of(game)) == 2 + (SEATS if turns is None else turns)
    assert happened(game.events, GameEnded) == [GameEnded("last round")]
    left = 1 + (SEATS if turns is None else turns)
    assert happened(game.events, LastRoundBegun) == [LastRoundBegun(left, "{seat} has had enough")]


def test_before_the_first_turn_they_are_those_of_the_game() -> None:
    rules = ttr.compile_rules("europe", enough(4, "on_game_start"))
    assert len(turns_of(begun(ttr.new_game(rules=rules, players=3, seed=1)))) == 4


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_round_is_played_to_its_end_and_no_further(seat: int) -> None:
    def end(tx: Transaction, ended: int) -> None:
        if ended == seat and tx.state.round == 2:
            tx.begin_last_round("Enough", tx.state.turns_left_in_round)
        if ended == 0 and tx.state.turn_number == 1:
            tx.grant_turn(0)

    game = arranged(ttr.compile_rules("europe", plugin("dusk", on_turn_end=end)), {}, {}, {}, draw_pile=PLENTY)
    assert turns_of(game) == [0, 0, 1, 2, 0, 1, 2]


def test_another_turn_of_the_same_player_counts_to_the_current_one() -> None:
    again = plugin("again", on_turn_end=lambda tx, seat: tx.grant_turn(seat) if tx.state.turn_number == 2 else None)
    game = arranged(ttr.compile_rules("europe", enough(2), again), {}, {}, {}, draw_pile=PLENTY)
    assert turns_of(game) == [0, 1, 1, 2, 0]


def test_a_last_round_never_gets_longer_but_may_be_cut_short() -> None:
    def begin(tx: Any, seat: int) -> None:
        tx.begin_last_round("Dusk falls", {1: 5, 2: 9, 3: 1}.get(tx.state.turn_number, 3))

    game = arranged(ttr.compile_rules("europe", plugin("dusk", on_turn_end=begin)), {}, {}, {}, draw_pile=PLENTY)
    assert len(turns_of(game)) == 4
    assert [event.turns_left for event in happened(game.events, LastRoundBegun)] == [6, 2]


@pytest.mark.parametrize("turns", [1, 2])
def test_between_two_turns_so_many_are_left(turns: int) -> None:
    soon = plugin("soon", on_last_round=lambda tx: tx.begin_last_round("It is late", turns))
    game = arranged(ttr.compile_rules("europe", soon), {"cars": 2}, {}, {}, draw_pile=PLENTY)
    assert turns_of(game) == [0, 1, 2][: 1 + turns]
    assert [event.turns_left for event in happened(game.events, LastRoundBegun)] == [SEATS, turns]


def test_between_two_turns_the_one_before_cannot_be_the_last() -> None:
    soon = plugin("soon", on_last_round=lambda tx: tx.begin_last_round("It is late", 0))
    game = arranged(ttr.compile_rules("europe", soon), {"cars": 2}, {}, {}, draw_pile=PLENTY)
    game.play(ttr.DrawBlind(0))
    with pytest.raises(PluginError, match="turns=0, which must be a whole number of at least 1"):
        game.play(ttr.DrawBlind(0))


@pytest.mark.parametrize("turns", [-1, "two", 1.0, True])
def test_turns_that_cannot_be_counted_are_refused(turns: Any) -> None:
    game = arranged(ttr.compile_rules("europe", enough(turns)), {}, {}, {}, draw_pile=PLENTY, to_act=1)
    game.play(ttr.DrawBlind(1))
    with pytest.raises(PluginError, match="a whole number of at least 0|int or None object expected"):
        game.play(ttr.DrawBlind(1))
    assert game.to_act == (1,)


@pytest.mark.parametrize("reason", ["", " ", None, 5])
def test_a_last_round_without_a_reason_is_refused(reason: Any) -> None:
    silent = plugin("silent", on_turn_end=lambda tx, seat: tx.begin_last_round(reason))
    game = arranged(ttr.compile_rules("europe", silent), {}, {}, draw_pile=PLENTY)
    game.play(ttr.DrawBlind(0))
    with pytest.raises(PluginError, match="for the reason .*: write a sentence|str object expected"):
        game.play(ttr.DrawBlind(0))
    assert game.to_act == (0,) and not game.state.turns_left


class Farewell(Confirm):
    """A question at the end."""

    message = "Do you say farewell?"
    passing = "Say nothing"

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.begin_last_round("It is late")


def test_after_the_last_turn_no_last_round_begins() -> None:
    def end(tx: Transaction) -> Question:
        tx.begin_last_round("It is late")
        return Farewell(0)

    late = plugin("late", (), __name__, on_game_end=end)
    game = arranged(ttr.compile_rules("europe", rounds(2), late), {}, {}, draw_pile=PLENTY)
    while game.to_act and not isinstance(game.decision(game.to_act[0]), Farewell):
        game.play(ttr.DrawBlind(game.to_act[0]))
    game.play(Farewell(0).choose(True))
    assert game.is_over and not game.state.turns_left
    assert [event.turns_left for event in happened(game.events, LastRoundBegun)] == [2]


@pytest.mark.parametrize("turns", [40, 10**30])
@pytest.mark.parametrize("hook", ["on_turn_start", "on_turn_end", "on_game_start"])
def test_a_last_round_gives_no_more_than_the_number_of_rounds(hook: str, turns: int) -> None:
    game = begun(ttr.new_game("europe", rounds(3), enough(turns, hook), players=3, seed=1, first_seat=0))
    assert len(turns_of(game)) == 9
    assert game.state.round == 3


@pytest.mark.parametrize(
    ("turns", "german", "english"),
    [
        (0, "Mit diesem Zug endet das Spiel.", "the game ends with this turn."),
        (1, "noch ein Zug.", "one more turn."),
        (2, "noch zwei Züge.", "two more turns."),
        (3, "Alle sind noch einmal an der Reihe.", "everybody has one more turn."),
        (6, "Alle haben noch zwei Züge.", "everybody has two more turns."),
        (39, "Alle haben noch 13 Züge.", "everybody has 13 more turns."),
    ],
)
def test_the_reason_is_told_with_what_remains(turns: int, german: str, english: str) -> None:
    game = arranged(ttr.compile_rules("europe", enough(turns)), {}, {}, {}, draw_pile=PLENTY, to_act=1)
    for _ in range(2):
        game.play(ttr.DrawBlind(1))
    name = game.players[1]
    assert f"{name} has had enough: {english}" in told(game)
    assert f"{name} has had enough: {german}" in told(game, "de")
    narrator = Narrator(game.rules, game.players)  # somebody who comes later
    assert f"{name} has had enough: {english}" in [line.text for line in narrator.tell(game.moves[-1].events)]


# -- a number of rounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [2, 5])
def test_a_game_of_so_many_rounds(number: int) -> None:
    game = begun(ttr.new_game("europe", rounds(number), players=3, seed=1, first_seat=2))
    assert len(turns_of(game)) == 3 * number
    assert game.state.round == number
    assert "This is the last round: everybody has one more turn." in told(game)
    assert (
        told(game).index(f"Round {number}")
        == told(game).index("This is the last round: everybody has one more turn.") + 1
    )


def test_few_train_cars_do_not_begin_the_last_round_if_no_number_does() -> None:
    game = arranged(ttr.compile_rules("europe", rounds(4)), {"cars": 0}, {}, draw_pile=PLENTY)
    assert len(turns_of(game)) == 8


@pytest.mark.parametrize(("number", "turns"), [(2, 4), (4, 5)])
def test_few_train_cars_end_a_game_of_rounds_earlier_but_never_later(number: int, turns: int) -> None:
    two = plugin("two", components=lambda below, board: evolve(below(), rounds=number, last_turns=2))
    game = arranged(ttr.compile_rules("europe", two), {"cars": 0}, {}, draw_pile=PLENTY)
    assert len(turns_of(game)) == turns


@pytest.mark.parametrize("changes", [{"rounds": 1}, {"rounds": 0}, {"rounds": "5"}, {"last_round_at": "soon"}])
def test_numbers_that_are_none_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(PluginError):
        ttr.compile_rules("europe", plugin("odd", components=lambda below, board: evolve(below(), **changes)))


def test_a_variant_file_says_it_too_and_explain_shows_it() -> None:
    variant = load_variant({"name": "x", "title": "X", "components": {"rounds": 9, "last_round_at": "never"}})
    rules = ttr.compile_rules("europe", variant)
    assert (rules.components.rounds, rules.components.last_round_at) == (9, None)
    assert rules.explain().endswith(
        "notes:\n  few train cars do not begin the last round\n  the game ends after round 9"
    )
    assert rules.fingerprint != ttr.compile_rules("europe").fingerprint


def test_bots_know_how_many_rounds_are_left() -> None:
    rules = ttr.compile_rules("europe", rounds(5))
    game = arranged(rules, {}, {"cars": 2}, draw_pile=PLENTY)
    horizons: list[int] = []
    while not game.is_over:
        horizons.append(evaluate(game.view(game.to_act[0]), rules).horizon)
        for _ in range(2):
            game.play(ttr.DrawBlind(game.to_act[0]))
    assert horizons == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


# -- the order of play -----------------------------------------------------------------------------------------


def test_a_plugin_says_whose_turn_is_next() -> None:
    rules = ttr.compile_rules("europe", BACK_AND_FORTH, rounds(4))
    game = begun(ttr.new_game(rules=rules, players=3, seed=1, first_seat=0))
    assert turns_of(game) == [0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0]
    headings = [line.text for line in Narrator(game.rules, game.players).tell(game.events) if line.heading]
    assert headings == ["Round 1", "Round 2", "Round 3", "Round 4"]
    assert "This is the last round: three more turns." in told(game)  # not of everybody, for all that is known
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


def test_a_position_may_have_a_whole_round_after_the_one_being_played() -> None:
    """Where plugins say who is next, the end may follow later than after a turn of each."""
    table = {"seed": 1, "players": [{}, {}, {}], "round": 3, "turns_left_in_round": 1, "turns_left": 5}
    game = ttr.arrange(ttr.compile_rules("europe", BACK_AND_FORTH), table)
    assert game.view(0).turns_left_in_round == 1 and len(turns_of(game)) == 5 and game.is_over
    for stack, turns in ((("europe", BACK_AND_FORTH), 6), (("europe",), 4)):
        with pytest.raises(InvalidTableError, match=f"turns_left: expected a whole number from 0 to {turns - 1}"):
            ttr.arrange(ttr.compile_rules(*stack), {**table, "turns_left": turns})


def test_several_plugins_are_asked_in_turn() -> None:
    skip = plugin("skip", ("back-and-forth",), next_seat=lambda state, seat, following: (following + 1) % state.players)
    game = begun(ttr.new_game("europe", BACK_AND_FORTH, skip, rounds(2), players=3, seed=1, first_seat=0))
    assert turns_of(game)[:3] == [0, 2, 1]


@pytest.mark.parametrize("answer", [3, -1, "0", None, True, 1.0])
def test_a_seat_that_is_not_at_the_table_is_refused(answer: Any) -> None:
    game = arranged(
        ttr.compile_rules("europe", plugin("odd", next_seat=lambda state, seat, following: answer)),
        {},
        {},
        {},
        draw_pile=PLENTY,
    )
    game.play(ttr.DrawBlind(0))
    with pytest.raises(PluginError, match=r"next_seat of plugin 'odd' must give a seat, 0 to 2, not "):
        game.play(ttr.DrawBlind(0))


@pytest.mark.rule("R4")
def test_a_deadlock_waits_until_everybody_has_had_to_pass_in_any_order() -> None:
    """With 0 1 2 2 1 0, three passes in a row may be those of two seats."""
    rules = ttr.compile_rules("north-america", BACK_AND_FORTH)
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets], "hand": {"red": 2}}
    nothing: dict[str, Any] = {"face_up": [], "draw_pile": [], "discards": []}
    game = arranged(rules, first, {}, {}, **nothing)
    game.play(ttr.ClaimRoute(0, "atlanta-nashville-gray", {"red": 1}))
    for seat in (1, 2, 2, 1):
        assert game.to_act == (seat,)
        game.play(ttr.Pass(seat))
    game.play(game.legal_actions(0)[0])
    for _ in range(2 * SEATS - 1):
        assert not game.is_over
        game.play(ttr.Pass(game.to_act[0]))
    assert happened(game.events, GameEnded) == [GameEnded("deadlock")]


@pytest.mark.rule("R4")
@pytest.mark.parametrize(("last_round_at", "reason", "number"), [(None, "last round", 4), (2, "deadlock", 3)])
def test_only_a_game_that_rounds_alone_end_goes_on_though_everybody_passes(
    last_round_at: int | None, reason: str, number: int
) -> None:
    rules = ttr.compile_rules("north-america", rounds(4, last_round_at))
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets], "hand": {"red": 2}}
    nothing: dict[str, Any] = {"face_up": [], "draw_pile": [], "discards": []}
    game = arranged(rules, first, {}, **nothing)
    game.play(ttr.ClaimRoute(0, "atlanta-nashville-gray", {"red": 1}))
    while not game.is_over:
        game.play(game.legal_actions(game.to_act[0])[0])
    assert happened(game.events, GameEnded) == [GameEnded(reason)]
    assert game.state.round == number


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.parametrize("stack", [("europe",), ("switzerland", "dice"), ("pennsylvania",)], ids=" + ".join)
def test_all_that_must_hold_of_a_variant_holds(stack: tuple[str, ...]) -> None:
    assert check_variant(*stack, BACK_AND_FORTH, rounds(6), enough(4), players=3, games=1, skip=["processes"]).games


# -- positions ---------------------------------------------------------------------------------------------------


def course_of(rules: ttr.Rules, position: dict[str, Any]) -> list[tuple[int, int]]:
    """The round and the seat of each turn of a position that is drawn to its end."""
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}, {}], **position})
    turns: list[tuple[int, int]] = []
    while not game.is_over:
        turns.append((game.state.round, game.to_act[0]))
        game.play(ttr.DrawBlind(game.to_act[0]))
        game.play(ttr.DrawBlind(game.to_act[0]))
    return turns


def test_a_position_begins_with_a_round_and_goes_on_to_the_last() -> None:
    rules = ttr.compile_rules("europe", rounds(9))
    in_8 = [(8, 1), (8, 2), (8, 0), (9, 1), (9, 2), (9, 0)]
    assert course_of(rules, {"round": 8, "to_act": 1}) == in_8
    assert course_of(rules, {"round": 9, "to_act": 1}) == in_8[3:]
    assert course_of(rules, {"round": 9, "to_act": 1, "turns_left": 3}) == in_8[3:]
    assert course_of(rules, {"round": 9, "to_act": 2, "turns_left": 2}) == in_8[4:]
    assert course_of(rules, {"round": 8, "to_act": 1, "turns_left": 4}) == in_8[:4]
    game = ttr.arrange(rules, {"seed": 1, "round": 9, "turns_left": 1, "players": [{}, {}]})
    assert (game.state.turn_number, game.state.turns_left, game.view(0).round, game.state.ends_round) == (
        18,
        1,
        9,
        True,
    )
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


def test_a_round_that_there_is_not_is_refused() -> None:
    rules = ttr.compile_rules("europe", rounds(9))
    for position, problem in (
        ({"round": 10}, "round: expected a whole number from 1 to 9, got 10"),
        ({"round": 0}, "round: expected a whole number from 1 to 9, got 0"),
        ({"round": 8, "turns_left": 5}, "turns_left: expected a whole number from 0 to 4, got 5"),
    ):
        with pytest.raises(InvalidTableError) as caught:
            ttr.arrange(rules, {"seed": 1, "players": [{}, {}], **position})
        assert caught.value.problems == (problem,)
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "round": 30, "players": [{}, {}]})
    assert (game.state.round, game.state.turns_left) == (30, 0)
    with pytest.raises(InvalidTableError, match="unknown key 'round'"):
        ttr.score(rules, {"round": 3, "players": [{}, {}]})


# -- who hears of it -------------------------------------------------------------------------------------------


def hearing(heard: list[tuple[int, int]]) -> type[Variant]:
    def listen(tx: Transaction) -> None:
        heard.append((tx.state.turn, tx.state.turns_left))
        tx.begin_last_round("once more", 9)  # it has begun, and does not begin again

    return plugin("hearing", on_last_round=listen)


@pytest.mark.rule("E1")
def test_plugins_hear_once_that_the_last_round_begins() -> None:
    heard: list[tuple[int, int]] = []
    rules = ttr.compile_rules("europe", hearing(heard))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"cars": 2}, {}, {}]})
    assert not heard
    assert turns_of(game) == [0, 1, 2, 0] and heard == [(0, 3)]
    heard.clear()
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state and not heard


def test_a_last_round_that_is_cut_short_does_not_begin_again() -> None:
    heard: list[tuple[int, int]] = []
    game = arranged(ttr.compile_rules("europe", hearing(heard), enough(0)), {"cars": 2}, {}, {}, draw_pile=PLENTY)
    assert turns_of(game) == [0, 1] and heard == [(0, 3)]


@pytest.mark.parametrize(
    ("more", "expected"), [(rounds(2), [(2, 3)]), (enough(1), [(1, 2)]), (enough(2, "on_turn_start"), [(1, 3)])]
)
def test_plugins_hear_of_a_last_round_by_number_and_by_plugins(
    more: type[Variant], expected: list[tuple[int, int]]
) -> None:
    heard: list[tuple[int, int]] = []
    turns_of(arranged(ttr.compile_rules("europe", hearing(heard), more), {}, {}, {}, draw_pile=PLENTY))
    assert heard == expected


def test_when_the_last_round_begins_nothing_is_asked() -> None:
    def low(answer: object) -> ttr.Game:
        rules = ttr.compile_rules("europe", plugin("asking", on_last_round=lambda tx: answer))
        return ttr.arrange(rules, {"seed": 1, "players": [{"cars": 4, "hand": {"white": 3}}, {}]})

    claim = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})
    assert LastRoundBegun(2) in low(()).play(claim)
    needed = "on_last_round of plugin 'asking' must give nothing, and ask questions in on_turn_start"
    with pytest.raises(PluginError, match=rf"{needed}, not Turn\(seat=0\)"):
        low(ttr.Turn(0)).play(claim)


def test_only_the_seat_whose_turn_it_is_gets_another_one() -> None:
    def grant(tx: Transaction, seat: int) -> None:
        tx.grant_turn(1 - seat)

    game = arranged(ttr.compile_rules("europe", plugin("gift", on_turn_end=grant)), {}, {}, draw_pile=PLENTY)
    game.play(ttr.DrawBlind(0))
    before = game.state.copy()
    with pytest.raises(
        PluginError, match="grants another turn to seat 1, but the turn is that of seat 0; the hook next_seat"
    ):
        game.play(ttr.DrawBlind(0))
    assert game.state == before


# -- a round of passes -----------------------------------------------------------------------------------------


@pytest.mark.rule("R4")
@pytest.mark.parametrize("until", [4, 5, 6])
def test_a_round_of_passes_ends_the_game_unless_a_plugin_says_that_it_goes_on(until: int) -> None:
    closed = Refusal("closed", "no tickets before round 7")
    shut = plugin(
        "shut",
        around=lambda rules: (
            Around(ttr.DrawTickets, refuse=lambda state, action: closed if state.round < 7 else None),
        ),
        goes_on=lambda state: state.round <= until,
    )
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": [], "players": [{}, {}]}
    game = ttr.arrange(ttr.compile_rules("europe", shut), {"seed": 1, "round": 5, **nothing})
    while not game.is_over and game.refusal(ttr.DrawTickets(game.to_act[0])) == closed:
        game.play(ttr.Pass(game.to_act[0]))
    assert game.is_over == (until < 6)
    assert game.state.round == {4: 5, 5: 6, 6: 7}[until]


@pytest.mark.rule("R4")
def test_rounds_of_passes_do_not_go_on_for_ever() -> None:
    closed = Around(ttr.DrawTickets, refuse=lambda state, action: Refusal("closed", "no tickets"))
    shut = plugin("shut", around=lambda rules: (closed,), goes_on=lambda state: True)
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": [], "players": [{}, {}]}
    game = ttr.arrange(ttr.compile_rules("europe", shut), {"seed": 1, **nothing})
    with pytest.raises(PluginError, match="goes_on of plugin 'shut' is still True after 100 rounds in which everybody"):
        for turn in range(300):
            game.play(ttr.Pass(turn % 2))
    assert game.played == 200


@pytest.mark.slow
def test_a_game_of_questions_without_end_is_broken_off() -> None:
    rules = ttr.compile_rules("europe", plugin("asking", (), __name__, on_turn_end=lambda tx, seat: Again(seat)))
    with pytest.raises(PluginError, match="the game does not end: 20000 actions were played; `ttr-rules check`"):
        ttr.playout(rules, 2, seed=1)
    with pytest.raises(
        PluginError,
        match="bots play 5000 actions, in the end mostly ChooseAgain, and the game does not end: something must run out",
    ):
        play_game(ttr.new_game(rules=rules, players=2, seed=1), [RandomBot(1), RandomBot(2)])


@pytest.mark.parametrize("answer", [None, 1, "yes"])
def test_whether_a_game_goes_on_is_true_or_false(answer: Any) -> None:
    closed = Around(ttr.DrawTickets, refuse=lambda state, action: Refusal("closed", "no tickets"))
    rules = ttr.compile_rules("europe", plugin("vague", around=lambda rules: (closed,), goes_on=lambda state: answer))
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": [], "players": [{}, {}]}
    game = ttr.arrange(rules, {"seed": 1, **nothing})
    game.play(ttr.Pass(0))
    before = game.state.copy()
    with pytest.raises(PluginError, match="goes_on of plugin 'vague' must give True or False, not"):
        game.play(ttr.Pass(1))
    assert game.state == before


# -- how many cards are drawn ----------------------------------------------------------------------------------


def fill_up(state: ttr.State, seat: int, count: int) -> int:
    return count + 1 if ttr.cards(state).hands[seat].total < 5 else count


@pytest.mark.rule("D1", "D4")
@pytest.mark.parametrize(("held", "drawn"), [(0, 3), (4, 3), (5, 2), (9, 2)])
@pytest.mark.parametrize("first", ["pile", "row"])
def test_the_number_of_cards_depends_on_the_hand_before_the_draw(held: int, drawn: int, first: str) -> None:
    rules = ttr.compile_rules("europe", plugin("fill-up", cards_drawn=fill_up))
    game = arranged(rules, {"hand": {"red": held}}, {}, draw_pile=PLENTY)
    game.play(ttr.DrawBlind(0) if first == "pile" else ttr.DrawFaceUp(0, "purple"))
    for left in range(drawn - 1, 0, -1):
        assert game.decision(0) == NextCard(0, left, True)
        game.play(ttr.DrawBlind(0))
    assert game.to_act == (1,) and ttr.cards(game.state).hands[0].total == held + drawn


@pytest.mark.parametrize(
    ("plugins", "decision", "asked"),
    [
        ((), NextCard(0, 1, True), "Your second card:"),
        ((), NextCard(0, 1), "Your next card:"),
        ((plugin("fill-up", cards_drawn=fill_up),), NextCard(0, 1, True), "Your next card:"),
    ],
)
def test_a_card_is_called_the_second_only_where_it_is(
    plugins: tuple[type[Variant], ...], decision: NextCard, asked: str
) -> None:
    assert question(decision, Names(ttr.compile_rules("europe", *plugins), ["Ada", "Bo"])) == asked


def test_an_action_that_counts_as_a_card_asks_for_their_number() -> None:
    game = arranged(ttr.compile_rules("europe", plugin("fill-up", cards_drawn=fill_up)), {}, {"hand": {"red": 5}})
    assert [cards_drawn(game.state, seat) for seat in (0, 1)] == [3, 2]


def test_several_plugins_change_the_number_of_cards() -> None:
    """Each gets what the one before it answered."""
    more = [plugin(f"more-{n}", cards_drawn=lambda state, seat, count: count + 1) for n in range(3)]
    game = arranged(ttr.compile_rules("europe", *more), {}, {}, draw_pile=PLENTY)
    game.play(ttr.DrawBlind(0))
    assert game.decision(0) == NextCard(0, 4, True)


@pytest.mark.parametrize("answer", [0, -1, True, 2.0, None, "2", 10**30])
def test_what_is_no_number_of_cards_is_refused_and_changes_nothing(answer: Any) -> None:
    game = arranged(
        ttr.compile_rules("europe", plugin("odd", cards_drawn=lambda state, seat, count: answer)),
        {},
        {},
        draw_pile=PLENTY,
    )
    before = game.state.copy()
    with pytest.raises(
        PluginError, match="cards_drawn of plugin 'odd' must give a number of cards, from 1 to 1000, not"
    ):
        game.play(ttr.DrawBlind(0))
    assert game.state == before


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong_with_them() -> None:
    hear: list[tuple[int, int]] = []
    check_variant(
        "europe", plugin("fill-up", cards_drawn=fill_up), hearing(hear), players=2, games=1, skip=["processes"]
    )


# -- how many tickets a seat must keep -----------------------------------------------------------------------------


def patient(state: ttr.State, seat: int, keep: int) -> int:
    """The last seat need keep no ticket, the first must keep one more than the others."""
    return 0 if seat == SEATS - 1 else keep + (seat == 0)


PATIENT = plugin("patient", tickets_kept=patient)


@pytest.mark.rule("S7")
def test_the_number_of_first_tickets_to_keep_depends_on_the_seat() -> None:
    game = ttr.new_game("europe", PATIENT, players=SEATS, seed=1)
    for seat, least in enumerate((3, 2, 0)):
        offered = {len(action.tickets) for action in game.legal_actions(seat) if isinstance(action, ttr.KeepTickets)}
        assert min(offered) == least and max(offered) == 4
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup)
        few = ttr.KeepTickets(seat, decision.tickets[: least - 1])
        refused = f"[V2] at least {least} of the 4 tickets must be kept, not {least - 1}"
        assert least == 0 or str(game.refusal(few)) == refused
        game.play(ttr.KeepTickets(seat, decision.tickets[:least]))
    assert [len(tickets) for tickets in game.state.tickets] == [3, 2, 0]


@pytest.mark.rule("K1")
def test_the_number_of_drawn_tickets_to_keep_depends_on_the_seat_and_is_told_by_the_choice_alone() -> None:
    rules = ttr.compile_rules("europe", PATIENT)
    for seat, least in enumerate((2, 1, 0)):
        game = arranged(rules, {}, {}, {}, to_act=seat)
        assert kind_label(ttr.DrawTickets, ttr.Turn(seat), Names(rules, game.players)) == "Draw tickets: 3"
        game.play(ttr.DrawTickets(seat))
        counts = {len(action.tickets) for action in game.legal_actions(seat) if isinstance(action, ttr.KeepTickets)}
        assert counts == set(range(least, 4))
        assert game.is_legal(ttr.KeepTickets(seat, ())) == (least == 0)


def test_no_more_tickets_must_be_kept_than_are_on_offer_or_may_be_kept() -> None:
    """Each plugin gets what the one before it answered."""
    seen: list[int] = []

    def hear(state: ttr.State, seat: int, keep: int) -> int:
        seen.append(keep)
        return keep

    stack = [plugin("all", tickets_kept=lambda state, seat, keep: 99), plugin("hear", tickets_kept=hear)]
    game = ttr.new_game("mega-europa", *stack, players=2, seed=1)
    most = [len(action.tickets) for action in game.legal_actions(0) if isinstance(action, ttr.KeepTickets)]
    assert most == [1, 1] and set(seen) == {1}  # one of two long tickets
    game = arranged(ttr.compile_rules("europe", *stack), {}, {})
    game.play(ttr.DrawTickets(0))
    assert len(game.legal_actions(0)) == 1 and seen[-1] == 3


@pytest.mark.parametrize("answer", [-1, True, 2.0, None, "2"])
def test_what_is_no_number_of_tickets_is_refused(answer: Any) -> None:
    game = ttr.new_game("europe", plugin("odd", tickets_kept=lambda state, seat, keep: answer), players=2, seed=1)
    with pytest.raises(
        PluginError, match="tickets_kept of plugin 'odd' must give a number of tickets, at least 0, not"
    ):
        game.legal_actions(0)


def test_tickets_that_are_not_kept_go_back_but_for_those_that_plugins_take() -> None:
    """Each plugin gets those that the one before it leaves. At set-up nobody is asked."""
    seen: list[tuple[int, tuple[str, ...]]] = []

    def hear(tx: Transaction, seat: int, tickets: tuple[str, ...]) -> tuple[str, ...]:
        seen.append((seat, tickets))
        return tickets

    def take(tx: Transaction, seat: int, tickets: tuple[str, ...]) -> list[str]:
        tx.emit(GivenAway, 1 - seat, tickets[0])
        return list(tickets[1:])

    stack = [
        plugin("a-hears", tickets_put_back=hear),
        plugin("b-takes", tickets_put_back=take),
        plugin("c-hears", tickets_put_back=hear),
    ]
    game = ttr.new_game("europe", *stack, players=2, seed=1)
    keep_all(game)
    assert not seen
    seat = game.to_act[0]
    game.play(ttr.DrawTickets(seat))
    asked = game.decision(seat)
    assert isinstance(asked, TicketChoice)
    kept, *rest = asked.tickets
    game.play(ttr.KeepTickets(seat, (kept,)))
    assert seen == [(seat, tuple(rest)), (seat, (rest[1],))]
    assert kept in game.state.tickets[seat] and rest[0] in game.state.tickets[1 - seat]
    assert game.state.ticket_pile[-1] == rest[1] and rest[0] not in game.state.ticket_pile


class GivenAway(ttr.Event):
    seat: int
    ticket: str | Unknown = secret()

    def apply(self, state: ttr.State) -> None:
        state.give_ticket(self.seat, known(self.ticket))


@pytest.mark.parametrize("answer", [None, 2, "paris-wien", ["paris-paris"], "twice", [1]])
def test_what_is_no_ticket_to_put_back_is_refused(answer: Any) -> None:
    odd = plugin("odd", tickets_put_back=lambda tx, seat, tickets: tickets * 2 if answer == "twice" else answer)
    game = arranged(ttr.compile_rules("europe", odd), {}, {})
    game.play(ttr.DrawTickets(0))
    asked = game.decision(0)
    assert isinstance(asked, TicketChoice)
    before = game.state.copy()
    with pytest.raises(
        PluginError, match="tickets_put_back of plugin 'odd' must give a list or tuple of ids of the tickets"
    ):
        game.play(ttr.KeepTickets(0, asked.tickets[:1]))
    assert game.state == before


@pytest.mark.parametrize("unkept", list(Unkept))
@pytest.mark.parametrize("shuffled", [False, True])
def test_tickets_are_put_back_where_the_map_puts_those_of_a_draw(unkept: Unkept, shuffled: bool) -> None:
    class Back(Variant, name="back"):
        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return evolve(below(), unkept=unkept)

    rules = ttr.compile_rules("europe", Back, rulings={"shuffle_returned_tickets": shuffled})
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    game.play(ttr.DrawTickets(0))
    asked = game.decision(0)
    assert isinstance(asked, TicketChoice)
    by_rule, by_hand = game.state.copy(), game.state.copy()
    advance(by_rule, ttr.KeepTickets(0, asked.tickets[:1]))
    put_back_tickets(Transaction(by_hand), asked.tickets[1:])
    assert by_rule.ticket_piles == by_hand.ticket_piles
    lying = by_hand.ticket_piles["regular"]
    assert (set(asked.tickets[1:]) <= {*lying[-2:]}) is (unkept is Unkept.UNDER_PILE)


@pytest.mark.parametrize("early", [False, True])
def test_the_turns_of_the_last_round_are_known(early: bool) -> None:
    """Those after the turn in which it began, by E1 or by a plugin."""
    seen: list[tuple[int, bool]] = []

    def look(tx: Transaction, seat: int) -> None:
        seen.append((seat, tx.state.in_last_round))
        assert view_of(tx.state, ("Ada", "Bo"), None).in_last_round == tx.state.in_last_round

    def end(tx: Transaction, seat: int) -> None:
        if early and tx.state.turn_number == 2:
            tx.begin_last_round("It is late")
        look(tx, seat)

    rules = ttr.compile_rules("europe", plugin("late", on_turn_start=look, on_turn_end=end))
    cars = {} if early else {"cars": 5}
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {"hand": {"white": 3}, **cars}]})

    def draw(seat: int) -> None:
        game.play(ttr.DrawBlind(seat))
        game.play(ttr.DrawBlind(seat))

    draw(0)
    game.play(ttr.ClaimRoute(1, "frankfurt-paris-white", {"white": 3}))
    draw(0)
    draw(1)
    assert game.is_over
    assert seen == [(0, False), (0, False), (1, False), (1, False), (0, True), (0, True), (1, True), (1, True)]


@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_seat_that_began_is_known_to_the_end(first: int) -> None:
    """Also while a round is cut short, between rounds, in turns granted, and when the game is over."""
    seen: list[int] = []

    def end(tx: Transaction, seat: int) -> None:
        seen.append(tx.state.starting_seat)
        if tx.state.turn_number == 2:
            tx.end_round()
            seen.append(tx.state.starting_seat)
        if tx.state.turn_number in (5, 9):
            tx.grant_turn(seat)
            seen.append(tx.state.starting_seat)

    every = plugin(
        "every", on_turn_end=end, on_game_start=lambda tx: seen.append(tx.state.starting_seat),
        on_round_start=lambda tx, number: seen.append(tx.state.starting_seat), on_game_end=lambda tx: seen.append(tx.state.starting_seat),
    )  # fmt: skip
    game = ttr.new_game("europe", every, players=3, seed=1, first_seat=first)
    play_game(game, [RandomBot(seed) for seed in range(3)])
    assert game.state.starting_seat == first and set(seen) == {first} and len(seen) > 100


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong_with_seats_that_keep_fewer_tickets() -> None:
    check_variant("mega-europa", PATIENT, hearing([]), players=3, games=1, skip=["processes"])


# -- a round that ends early -------------------------------------------------------------------------------------


def ending(hook: str, *turns: int, first: Any = None, **more: Any) -> type[Variant]:
    """The round ends with each of these turns, by their number in the game."""

    def end(tx: Any, seat: int = -1) -> Any:
        if tx.state.turn_number in turns:
            if first is not None:
                first(tx, seat)
            tx.end_round()
            tx.end_round()  # once is enough

    return plugin("ending", **{hook: end}, **more)


@pytest.mark.parametrize("hook", ["on_turn_start", "on_turn_end"])
def test_a_round_that_is_ended_skips_the_seats_that_had_no_turn_in_it(hook: str) -> None:
    game = begun(ttr.new_game("europe", ending(hook, 5, 6, 9), rounds(5), players=SEATS, seed=1, first_seat=1))
    assert turns_of(game) == [1, 2, 0, 1, 2, 1, 1, 2, 0, 1, 2, 0]  # the ninth ended its round anyway
    assert happened(game.events, RoundEnded) == [RoundEnded(1, 0), RoundEnded(2, 0), RoundEnded(0, 0)]
    assert summarize_game(game, ["somebody"] * SEATS).rounds == 5
    assert [line for line in told(game) if line.startswith("Round ")] == [f"Round {n}" for n in range(1, 6)]
    assert told(game, "de").count("Die Runde endet mit diesem Zug.") == 3
    assert ttr.loads(ttr.dumps(game), rules=game.rules, verify=True) == game


@pytest.mark.parametrize(("turn", "expected"), [(4, [0, 1, 2, 0, 0, 1, 2]), (6, [0, 1, 2, 0, 1, 2, 0])])
@pytest.mark.parametrize("later", [True, False])
def test_turns_granted_lapse_with_the_round(turn: int, expected: list[int], later: bool) -> None:
    def grant(tx: Any, seat: int) -> None:
        if tx.state.turn_number == turn:
            tx.grant_turn(seat)

    stack = [plugin("after", on_turn_end=grant), ending("on_turn_end", turn, first=None if later else grant)]
    game = begun(ttr.new_game("europe", *stack, players=SEATS, seed=1, first_seat=0))
    assert turns_of(game, 7) == expected
    assert (game.state.extra_turns, game.state.seats_to_skip) == (0, -1)


@pytest.mark.parametrize("hook", ["on_game_start", "on_last_round", "on_game_end"])
def test_no_turn_is_granted_outside_of_turns(hook: str) -> None:
    grants = plugin("grants", **{hook: lambda tx: tx.grant_turn(tx.state.turn)})
    with pytest.raises(
        PluginError, match=r"grants another turn to seat \d, which has no turn now: grant it during the turn"
    ):
        play_game(ttr.new_game("new-york", grants, players=2, seed=1))


def test_turns_skipped_in_the_last_round_are_lost() -> None:
    number = plugin("three", components=lambda below, board: evolve(below(), rounds=3))
    game = begun(ttr.new_game("europe", number, ending("on_turn_end", 8), players=SEATS, seed=1, first_seat=0))
    assert turns_of(game) == [0, 1, 2, 0, 1, 2, 0, 1]
    low = arranged(ttr.compile_rules("europe", ending("on_turn_start", 2)), {"cars": 2}, {}, {}, draw_pile=PLENTY)
    assert turns_of(low) == [0, 1, 0]


@pytest.mark.parametrize("last", [True, False])
def test_a_last_round_has_no_more_rounds_than_the_game(last: bool) -> None:
    def begin(tx: Any, seat: int) -> None:
        tx.begin_last_round("Enough")

    number = plugin("five", components=lambda below, board: evolve(below(), rounds=5, last_turns=2))
    after = plugin("after", on_turn_end=lambda tx, seat: begin(tx, seat) if tx.state.turn_number == 10 else None)
    stack = [number, *([after] if last else []), ending("on_turn_end", 10, first=None if last else begin)]
    game = begun(ttr.new_game("europe", *stack, players=SEATS, seed=1, first_seat=0))
    assert len(turns_of(game)) == 13 and game.state.round == 5
    cut = plugin("cut", on_last_round=lambda tx: tx.end_round())
    low = arranged(ttr.compile_rules("europe", number, cut), {"cars": 2}, {}, {}, round=4, draw_pile=PLENTY)
    assert turns_of(low) == [0, 0, 1, 2] and low.state.round == 5


class Bell(Choice[int]):
    """One of the answers ends the round."""

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None:
        if option == 1:
            tx.end_round()


@pytest.mark.parametrize("asked", [True, False])
def test_it_is_the_same_however_the_game_came_to_this_action(asked: bool) -> None:
    """The last round begins in the turn whose round is ended, in another action of it."""

    def begin(tx: Any, seat: int) -> None:
        if tx.state.turn_number == 1:
            tx.begin_last_round("Enough")

    def end(tx: Any, seat: int) -> Any:
        if tx.state.turn_number == 1 and asked:
            return Bell(2)
        return tx.end_round() if tx.state.turn_number == 1 else None

    rules = ttr.compile_rules("europe", plugin("bell", (), __name__, on_turn_start=begin, on_turn_end=end))
    game = begun(ttr.new_game(rules=rules, players=SEATS, seed=1, first_seat=0))
    while game.to_act:
        seat = game.to_act[0]
        action: Any = ttr.DrawBlind(seat) if not isinstance(game.decision(seat), Bell) else game.legal_actions(seat)[0]
        others = [game.copy(), game.copy(), ttr.loads(ttr.dumps(game), rules=rules)]
        others[0].play(game.legal_actions(seat)[-1])
        others[0].undo()
        state, world = game.state.copy(), ttr.determinize(game.view(seat), rules, 3)
        game.play(action)
        for other in others:
            other.play(action)
            assert other == game
        advance(state, action)
        world.play(action)
        for public in ("turn", "round", "turns_left", "last_round_turn", "seats_to_skip", "to_act"):
            assert getattr(world.state, public) == getattr(game.state, public)
        assert state == game.state
    assert happened(game.events, RoundEnded) == [RoundEnded(2, 1 + SEATS)]
    assert [event.seat for event in happened(game.events, TurnBegun)] == [0, 0, 1, 2]
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game


@pytest.mark.parametrize("stack", [(), (BACK_AND_FORTH,)])
def test_a_whole_last_round_follows_the_round_that_it_ends(stack: tuple[type[Variant], ...]) -> None:
    cut = plugin("cut", on_last_round=lambda tx: tx.end_round())
    low = arranged(ttr.compile_rules("europe", cut, *stack), {"cars": 2}, {}, {}, draw_pile=PLENTY)
    assert turns_of(low) == [0, 0, *((1, 2) if not stack else (2, 1))]
    enough = plugin("enough", on_turn_end=lambda tx, seat: tx.begin_last_round("Enough"))
    game = arranged(ttr.compile_rules("europe", cut, enough, *stack), {}, {}, {}, draw_pile=PLENTY)
    assert len(turns_of(game)) == 1 + SEATS


def test_a_question_may_follow_before_the_next_round_begins() -> None:
    asks = plugin("asks", (), __name__, on_turn_end=lambda tx, seat: Nod(2))
    rules = ttr.compile_rules("europe", asks, ending("on_turn_start", 1))
    game = arranged(rules, {}, {}, {}, draw_pile=PLENTY)
    for _ in range(2):
        game.play(ttr.DrawBlind(0))
    for world in (game, ttr.determinize(game.view(1), rules, 3), ttr.determinize(game.view(2), rules, 3), game.copy()):
        world.play(world.legal_actions(2)[0])
        assert world.to_act == (0,) and world.state.round == 2


def test_a_round_ends_only_while_there_is_one() -> None:
    early = plugin("early", on_game_start=lambda tx: tx.end_round())
    with pytest.raises(PluginError, match="ends a round before the first turn"):
        begun(ttr.new_game("europe", early, players=SEATS, seed=1))
    late = plugin("late", on_game_end=lambda tx: tx.end_round())
    game = arranged(ttr.compile_rules("europe", late), {}, {}, turns_left=1, draw_pile=PLENTY)
    turns_of(game)
    assert game.is_over and not happened(game.events, RoundEnded)


@pytest.mark.rule("R4")
def test_seats_that_are_skipped_have_not_passed() -> None:
    """Seat 0 has to pass turn after turn, and seat 1, which could act, has none."""
    rules = ttr.compile_rules("north-america", ending("on_turn_end", 1, 2))
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets]}
    nothing: dict[str, Any] = {"face_up": [], "draw_pile": [], "discards": []}
    game = arranged(rules, first, {"hand": {"red": 3}}, **nothing)
    for _ in range(3):
        game.play(ttr.Pass(0))
    assert not game.is_over and game.to_act == (1,)


@pytest.mark.rule("R4")
def test_a_pass_counts_if_no_seat_is_skipped_after_it() -> None:
    rules = ttr.compile_rules("north-america", ending("on_turn_end", 2))
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets]}
    game = arranged(rules, first, {}, face_up=[], draw_pile=[], discards=[])
    game.play(ttr.Pass(0))
    game.play(ttr.Pass(1))
    assert game.is_over and happened(game.events, RoundEnded) == [RoundEnded(0, 0)]


# -- the end of a round ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("granting_first", [True, False])
def test_what_happens_at_the_end_of_a_round_is_told_before_the_next(granting_first: bool) -> None:
    class Stock(Variant, name="stock"):
        @hookimpl
        def scoring(self, rules: ttr.Rules) -> tuple[ScoringTerm, ...]:
            return (points_in_play("stock", "stock"),)

        @tryfirst
        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> None:
            if tx.state.ends_round and not tx.state.extra_turns:
                tx.score(0, 1, "stock")

    def grant(tx: Transaction, seat: int) -> None:
        if tx.state.turn_number == 2:
            tx.grant_turn(seat)

    gift = plugin("gift", on_turn_end=grant)
    stack = (gift, Stock) if granting_first else (Stock, gift)
    game = arranged(ttr.compile_rules("europe", *stack), {"name": "Ada"}, {"name": "Bo"}, draw_pile=PLENTY)
    for seat in (0, 0, 1, 1, 1, 1):
        game.play(ttr.DrawBlind(seat))
    lines = told(game)
    assert lines[-1] == "Round 2" and "stock" in lines[-2] and sum("stock" in line for line in lines) == 1


@pytest.mark.parametrize("rounds", [None, 6])
def test_the_turn_that_brings_about_the_last_round_knows_it(rounds: int | None) -> None:
    told: list[bool] = []

    def on_turn_end(tx: Transaction, seat: int) -> None:
        told.append(tx.state.last_round_follows)

    def few_cars(below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), cars=12, rounds=rounds)

    rules = ttr.compile_rules("europe", plugin("telling", components=few_cars, on_turn_end=on_turn_end))
    for seed in range(4):
        told.clear()
        game = ttr.new_game(rules=rules, players=3, seed=seed)
        assert not game.state.last_round_follows
        play_game(game, [RandomBot(seed)] * 3)
        begun: list[bool] = []
        for event in game.events:
            if isinstance(event, TurnEnded):
                begun.append(False)
            elif isinstance(event, LastRoundBegun):
                begun[-1] = True
        assert told == begun and any(told)
