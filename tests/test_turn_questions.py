"""Questions at the end of a turn: what the turn was is not lost over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import ClaimRule
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.events import GameEnded, TurnBegun, TurnEnded, TurnPassed
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.plugins import ActionRule, Around, Choice, Question, Rules, Transaction, Variant, hookimpl
from ttr_rules.train_cards import NextCard
from ttr_tools.narration.telling import Narrator


class Nod(Decision):
    """A question at the end of every turn."""

    public = True
    message = "Nod?"


class Nodded(Action):
    """Its only answer."""

    message = "Nod"


class NodRule(ActionRule[Nod, Nodded]):
    def offers(self, state: ttr.State, decision: Nod) -> Sequence[Nodded]:
        return (Nodded(decision.seat),)

    def perform(self, tx: Transaction, decision: Nod, action: Nodded) -> None:
        """The game goes on."""


class Nods(Variant, name="nods"):
    """Nods: a question at the end of every turn."""

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question | None:
        return Nod(seat)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (NodRule(),)


def stuck(*plugins: object) -> ttr.Game:
    """A game in which nobody can do anything: no cards are left, and tickets may not be drawn."""
    rules = ttr.compile_rules("north-america", *plugins, NoTickets)
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": []}
    return ttr.arrange(rules, {"seed": 1, **nothing, "players": [{}, {}]})


class NoTickets(Variant, name="no-tickets"):
    """No tickets: no tickets are drawn."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(ttr.DrawTickets, refuse=lambda state, action: Refusal("X1", "closed")),)


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
    class Grants(Variant, name="grants"):
        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> None:
            if tx.state.turn_number == 1:
                tx.grant_turn(seat)

    game = stuck(Grants, Nods)
    game.play(ttr.Pass(0))
    game.play(Nodded(0))
    assert not game.state.passed and game.to_act == (0,)


def test_granted_turns_belong_to_the_round_of_the_turn_before_them() -> None:
    class Grants(Variant, name="grants"):
        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> None:
            if tx.state.turn_number in (2, 3):
                tx.grant_turn(seat)

    game = ttr.new_game("europe", Grants, players=2, seed=1, first_seat=1)
    assert game.state.round == 0
    turns: list[tuple[int, int]] = []
    while len(turns) < 7:
        if isinstance(game.decision(game.to_act[0]), ttr.Turn):
            turns.append((game.state.turn, game.state.round))
            assert game.view(0).round == ttr.determinize(game.view(0), game.rules, 1).state.round == game.state.round
            assert ttr.loads(ttr.dumps(game), rules=game.rules).state.round == game.state.round
        game.play(game.legal_actions(game.to_act[0])[0])
    assert turns == [(1, 1), (0, 1), (0, 1), (0, 1), (1, 2), (0, 2), (1, 3)]


# -- at the beginning of a turn ------------------------------------------------------------------------------------


class Greets(Variant, name="greets"):
    """Greets: a question at the beginning of every turn."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (NodRule(),)


class GreetsAgain(Variant, name="greets-again", requires=("greets",)):
    """Greets again: a second one."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)


def test_a_turn_goes_on_after_the_questions_at_its_beginning() -> None:
    """It begins once, whatever is decided first; then the seat has its turn, and the economy opens it."""
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Greets, GreetsAgain), {"seed": 1, "players": players})
    assert game.decision(0) == Nod(0)
    game.play(Nodded(0))
    assert game.decision(0) == Nod(0), "the second question"
    game.play(Nodded(0))
    assert game.decision(0) == ttr.Turn(0)
    assert [event for event in game.events if isinstance(event, TurnBegun)] == [TurnBegun(0)]

    game = ttr.arrange(ttr.compile_rules("europe", "dice", Greets, GreetsAgain), {"seed": 1, "players": players})
    assert game.decision(0) == Nod(0), "no dice are rolled yet"
    game.play(Nodded(0))
    game.play(Nodded(0))
    assert type(game.decision(0)).__name__ == "RerollChoice"


def test_a_turn_without_a_question_goes_on_at_once() -> None:
    class Silent(Variant, name="silent"):
        @hookimpl
        def on_turn_start(self, tx: Transaction, seat: int) -> Question:
            return ()

    game = ttr.arrange(ttr.compile_rules("europe", "dice", Silent), {"seed": 1, "players": [{}, {}]})
    assert type(game.decision(0)).__name__ == "RerollChoice"


def test_a_hook_that_returns_nothing_asked_nothing() -> None:
    """As with any function of Python that ends without a word."""
    called: set[str] = set()

    class Wordless(Variant, name="wordless"):
        @hookimpl
        def on_turn_start(self, tx: Transaction, seat: int) -> None:
            called.add("begins")

        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> None:
            called.add("ends")

        @hookimpl
        def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
            called.add(route.id)

    ttr.playout(ttr.compile_rules("london", Wordless), 2, seed=1)
    assert {"begins", "ends"} < called and len(called) > 5


WHITE = "frankfurt-paris-white"


class Beg(Choice[int]):
    """A question beside those for cards: with 2, another card follows."""

    def options(self, state: ttr.State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> Question | None:
        return NextCard(self.seat) if option == 2 else None


class Bid(Choice[int]):
    """A sealed question beside those for cards."""

    sealed = True
    public = True

    def options(self, state: ttr.State) -> Sequence[int]:
        return (0, 1)

    def all_chosen(self, tx: Transaction, chosen: Mapping[int, int]) -> None:
        assert chosen == {0: 1, 1: 0}


class Begging(Variant, name="begging"):
    """Begging: somebody may be begged."""


def after_a_claim(question: Sequence[Decision], **pile: object) -> ttr.Game:
    asking = plugin("asking", on_claim=lambda tx, seat, route, points: question)
    players = [{"hand": {"white": 3}}, {}, {}]
    game = ttr.arrange(ttr.compile_rules("europe", Begging, asking), {"seed": 1, "players": players, **pile})
    game.play(ttr.ClaimRoute(0, WHITE, {"white": 3}))
    return game


def test_cards_for_several_seats_are_asked_for_one_after_the_other() -> None:
    game = after_a_claim([NextCard(2), NextCard(0, 2), NextCard(1)])
    asked: list[Decision] = []
    while game.state.turn == 0:
        asked.append(*game.state.pending)
        game.play(ttr.DrawBlind(game.to_act[0]))
        assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state
    assert asked == [NextCard(2), NextCard(0, 2), NextCard(0, 1), NextCard(1)]


def test_a_seat_for_which_no_card_is_left_is_not_asked() -> None:
    last = {"draw_pile": ["red"], "draw_pile_complete": True, "face_up": ["blue"] * 5}
    game = after_a_claim([NextCard(2, 4), NextCard(1)], **last)  # the claim's three cards make a new pile
    for _ in range(4):
        game.play(ttr.DrawBlind(2))
    assert game.state.pending == (ttr.Turn(1),)


def test_the_first_of_several_seats_is_not_asked_either_if_no_card_is_left() -> None:
    last = {"draw_pile": [], "draw_pile_complete": True, "face_up": []}
    asking = plugin("asking", on_turn_end=lambda tx, seat: [NextCard(2), NextCard(0)])
    game = ttr.arrange(ttr.compile_rules("europe", asking), {"seed": 1, "players": [{}, {}, {}], **last})
    game.play(ttr.DrawTickets(0))
    game.play(game.legal_actions(0)[0])
    assert game.state.pending == (ttr.Turn(1),)


class Share(Action):
    """Another card for both, instead of the second one of a draw."""


class ShareRule(ActionRule[NextCard, Share]):
    def offers(self, state: ttr.State, decision: NextCard) -> Sequence[Share]:
        return (Share(decision.seat),) if decision.of_draw else ()

    def perform(self, tx: Transaction, decision: NextCard, action: Share) -> Question:
        return tx.in_turn(NextCard)


def test_a_turn_ends_if_no_card_is_left_for_the_last_of_several_seats() -> None:
    sharing = plugin("sharing", (), __name__, actions=lambda rules: (ShareRule(),))
    last = {"draw_pile": ["red"] * 2, "draw_pile_complete": True, "face_up": ["blue"] * 5}
    game = ttr.arrange(ttr.compile_rules("europe", sharing), {"seed": 1, "players": [{}, {}], **last})
    for action in (ttr.DrawBlind(0), Share(0), ttr.DrawBlind(0)):
        told = game.play(action)
    assert game.state.pending == (ttr.Turn(1),) and TurnEnded(0, passed=False) in told


def test_questions_of_plugins_are_asked_together_before_those_for_cards() -> None:
    game = after_a_claim([Bid(0), NextCard(2), Bid(1)])
    asked = [game.to_act]
    for action in (Bid(1).choose(0), Bid(0).choose(1), ttr.DrawBlind(2)):
        game.play(action)
        asked.append(game.to_act)
    assert asked == [(0, 1), (0,), (2,), (1,)]


@pytest.mark.parametrize("first", [0, 1])
def test_a_card_that_an_answer_brings_waits_for_the_other_answers(first: int) -> None:
    game = after_a_claim([Beg(0), Beg(1)])
    game.play(Beg(first).choose(2))
    assert game.to_act == (1 - first,)
    game.play(Beg(1 - first).choose(2))
    for seat in (1 - first, first):
        assert game.state.pending == (NextCard(seat),)
        game.play(ttr.DrawBlind(seat))
    assert game.state.pending == (ttr.Turn(1),)


class OwnClaimRule(ClaimRule[ttr.Turn]):
    """The rule for claims of another plugin."""

    replaces = True


class AskingRule(OwnClaimRule):
    """A rule that asks although the turn has ended."""

    def perform(self, tx: Transaction, decision: ttr.Turn, action: ttr.ClaimRoute) -> Question:
        super().perform(tx, decision, action)
        return Nod(decision.seat)


@pytest.mark.parametrize("rule", [OwnClaimRule, AskingRule])
def test_a_rule_that_ends_the_turn_itself_does_so_once(rule: type[OwnClaimRule]) -> None:
    claims = plugin(
        "claims",
        (),
        __name__,
        actions=lambda rules: [rule(), NodRule()],
        on_claim=lambda tx, seat, *_: tx.grant_turn(seat),
    )
    game = ttr.arrange(ttr.compile_rules("europe", claims), {"seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    claim = next(action for action in game.legal_actions() if isinstance(action, ttr.ClaimRoute))
    if rule is AskingRule:
        with pytest.raises(PluginError, match="AskingRule returns a question, although it ends the turn itself"):
            game.play(claim)
    else:
        game.play(claim)
        assert (game.to_act, game.state.extra_turns) == ((0,), 0)
