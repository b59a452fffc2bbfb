"""Questions at the end of a turn: what the turn was is not lost over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

import ttr_rules as ttr
from ttr_rules.errors import Refusal
from ttr_rules.events import GameEnded, TurnBegun, TurnEnded, TurnPassed
from ttr_rules.model.actions import Action
from ttr_rules.model.decisions import Decision
from ttr_rules.narration.narrator import Narrator
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    Guard,
    PluginInfo,
    Transaction,
    TurnHook,
    begin_turn,
    end_turn,
    grant_turn,
    hookimpl,
)


@frozen
class Nod(Decision):
    """A question at the end of every turn."""

    public = True
    message = "Nod?"


@frozen
class Nodded(Action):
    """Its only answer."""

    message = "Nod"


def ask(tx: Transaction, seat: int) -> bool:
    tx.ask(Nod(seat))
    return True


ASKS = TurnHook("nod", ask)


class NodRule(ActionRule[Nod, Nodded]):
    on = Nod
    action = Nodded

    def offers(self, state: ttr.State, decision: Nod) -> Sequence[Nodded]:
        return (Nodded(decision.seat),)

    def perform(self, tx: Transaction, decision: Nod, action: Nodded) -> None:
        end_turn(tx, action.seat, after=ASKS)


class Nods:
    info = PluginInfo("nods", "Nods", "A question at the end of every turn.")

    @hookimpl
    def turn_ends(self) -> Iterable[TurnHook]:
        return (ASKS,)

    @hookimpl
    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (NodRule(),)


def stuck(*plugins: object) -> ttr.Game:
    """A game in which nobody can do anything: no cards are left, and tickets may not be drawn."""
    rules = ttr.compile_rules("north-america", *plugins, NoTickets())
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": []}
    return ttr.arrange(rules, {"seed": 1, **nothing, "players": [{}, {}]})


class NoTickets:
    info = PluginInfo("no-tickets", "No tickets", "No tickets are drawn.")

    @hookimpl
    def guards(self) -> Iterable[Guard]:
        return (Guard("no-tickets", ttr.DrawTickets, lambda state, decision, action: Refusal("X1", "closed")),)


def until_the_end(game: ttr.Game) -> list[ttr.Event]:
    told: list[ttr.Event] = []
    for _ in range(20):
        if game.to_act:
            told += game.play(game.legal_actions(game.to_act[0])[0])
    return told


def test_a_pass_stays_one_over_a_question() -> None:
    game = stuck(Nods())
    told = until_the_end(game)
    assert [each for each in told if isinstance(each, TurnEnded)] == [TurnEnded(0, True), TurnEnded(1, True)]
    assert told[-1] == GameEnded("deadlock")
    assert not game.state.passed


def test_views_saves_and_stories_know_of_it() -> None:
    game = stuck(Nods())
    events = game.play(ttr.Pass(0))
    assert TurnPassed(0) in events and game.view(1).passed and game.decision(0) == Nod(0)
    assert ttr.determinize(game.view(1), game.rules, 1).state.passed
    loaded = ttr.loads(ttr.dumps(game), rules=game.rules)
    assert loaded == game and loaded.state.passed
    narrator = Narrator(game.rules, game.players)
    until_the_end(game)
    told = " ".join(line.text for line in narrator.tell(game.events))
    assert told.count("passes") == 2


def test_another_turn_is_no_pass() -> None:
    class Grants(Nods):
        @hookimpl
        def turn_ends(self) -> Iterable[TurnHook]:
            return (TurnHook("first", self.grant), ASKS)

        @staticmethod
        def grant(tx: Transaction, seat: int) -> bool:
            if tx.state.turn_number == 1:
                grant_turn(tx, seat)
            return False

    game = stuck(Grants())
    game.play(ttr.Pass(0))
    game.play(Nodded(0))
    assert not game.state.passed and game.to_act == (0,)


# -- at the beginning of a turn ------------------------------------------------------------------------------------


def ask_first(tx: Transaction, seat: int) -> bool:
    tx.ask(Nod(seat))
    return True


def ask_second(tx: Transaction, seat: int) -> bool:
    tx.ask(Nod(seat))
    return True


FIRST, SECOND = TurnHook("first", ask_first), TurnHook("second", ask_second)


class GreetRule(NodRule):
    """Goes on after the first question, then after the second."""

    def __init__(self) -> None:
        self.answered = 0

    def perform(self, tx: Transaction, decision: Nod, action: Nodded) -> None:
        self.answered += 1
        begin_turn(tx, action.seat, after=FIRST if self.answered % 2 else SECOND)


class Greets:
    info = PluginInfo("greets", "Greets", "Two questions at the beginning of every turn.")

    @hookimpl
    def turn_begins(self) -> Iterable[TurnHook]:
        return (FIRST, SECOND)

    @hookimpl
    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (GreetRule(),)


def test_a_turn_goes_on_after_the_questions_at_its_beginning() -> None:
    """It begins once, whatever is decided first; then the seat has its turn, and the economy opens it."""
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Greets()), {"seed": 1, "players": players})
    assert game.decision(0) == Nod(0)
    game.play(Nodded(0))
    assert game.decision(0) == Nod(0), "the second question"
    game.play(Nodded(0))
    assert game.decision(0) == ttr.Turn(0)
    assert [event for event in game.events if isinstance(event, TurnBegun)] == [TurnBegun(0)]

    game = ttr.arrange(ttr.compile_rules("europe", "dice", Greets()), {"seed": 1, "players": players})
    assert game.decision(0) == Nod(0), "no dice are rolled yet"
    game.play(Nodded(0))
    game.play(Nodded(0))
    assert type(game.decision(0)).__name__ == "RerollChoice"


def test_a_turn_without_a_question_goes_on_at_once() -> None:
    class Silent:
        info = PluginInfo("silent", "Silent", "A hook that asks nothing.")

        @hookimpl
        def turn_begins(self) -> Iterable[TurnHook]:
            return (TurnHook("silent", lambda tx, seat: False),)

    game = ttr.arrange(ttr.compile_rules("europe", "dice", Silent()), {"seed": 1, "players": [{}, {}]})
    assert type(game.decision(0)).__name__ == "RerollChoice"


def test_a_hook_that_returns_nothing_asked_nothing() -> None:
    """As with any function of Python that ends without a word."""
    called: set[str] = set()

    def say(tx: Transaction, seat: int) -> Any:
        called.add("turn")

    def tell(tx: Transaction, seat: int, route: str) -> Any:
        called.add(route)

    class Wordless:
        info = PluginInfo("wordless", "Wordless", "Hooks that end without a word.")

        @hookimpl
        def turn_begins(self) -> Iterable[TurnHook]:
            return (TurnHook("begins", say),)

        @hookimpl
        def turn_ends(self) -> Iterable[TurnHook]:
            return (TurnHook("ends", say),)

        @hookimpl
        def after_claims(self) -> Iterable[AfterClaim]:
            return (AfterClaim("claims", tell),)

    ttr.playout(ttr.compile_rules("london", Wordless()), 2, seed=1)
    assert "turn" in called and len(called) > 5
