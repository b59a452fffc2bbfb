"""Questions after actions of others: what `after` of an `Around` returns is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from helpers import arranged
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import State, cards
from ttr_rules.errors import PluginError
from ttr_rules.hidden import missing
from ttr_rules.model import TicketChoice
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Choice,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    points_in_play,
    public,
)
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, NextCard
from ttr_tools.testing import check_variant


class Tip(Choice[int]):
    """Points for a tip."""

    public = True
    message = "How many points do you give?"

    def options(self, state: State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, -option, "tips")

    def worth(self, view: ttr.View, rules: Rules, option: int) -> float:
        return -option


class Tips(Variant, name="tips"):
    """Tips: whoever has drawn cards or tickets gives a tip, whoever passes gives two."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (
            Around(DrawBlind, after=self.ask),
            Around(DrawFaceUp, after=self.ask),
            Around(ttr.KeepTickets, after=self.ask_at_once),
            Around(ttr.Pass, after=self.ask),
            Around(ttr.Pass, after=self.ask),
        )

    def ask(self, tx: Transaction, action: ttr.Action) -> Question | None:
        return None if tx.state.to_act else Tip(action.seat)

    def ask_at_once(self, tx: Transaction, action: ttr.Action) -> Question:
        return Tip(action.seat)

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("tips", "Tips"),)


def begun_with(*plugins: type[Variant]) -> ttr.Game:
    return ttr.arrange(ttr.compile_rules("north-america", *plugins), {"seed": 1, "players": [{}, {}]})


def begun() -> ttr.Game:
    return ttr.arrange(ttr.compile_rules("europe", Tips), {"seed": 1, "players": [{}, {}]})


def test_a_question_follows_the_last_card_of_a_turn_not_the_first() -> None:
    game = begun()
    game.play(DrawBlind(0))
    assert type(game.decision(0)).__name__ == "NextCard"
    game.play(DrawBlind(0))
    assert game.decision(0) == Tip(0) and game.to_act == (0,)
    restored = ttr.loads(ttr.dumps(game), rules=game.rules)
    for each in (game, restored):
        each.play(Tip(0).choose(2))
        assert each.to_act == (1,) and isinstance(each.decision(1), ttr.Turn)
        assert each.view(None).scores == (-2, 0)
    assert game.state == restored.state


def test_what_was_pending_is_asked_again_after_the_question() -> None:
    game = ttr.new_game("europe", Tips, players=2, seed=1)
    game.play(game.legal_actions(1)[0])
    assert game.to_act == (1,) and game.decision(1) == Tip(1)
    game.play(Tip(1).choose(1))
    assert game.to_act == (0,) and type(game.decision(0)).__name__ == "TicketSetup"
    game.play(game.legal_actions(0)[0])
    assert game.to_act == (0,) and game.decision(0) == Tip(0)
    game.play(Tip(0).choose(1))
    assert isinstance(game.decision(game.to_act[0]), ttr.Turn)


def test_each_of_several_questions_is_asked_and_a_pass_stays_one() -> None:
    rules = ttr.compile_rules("north-america", Tips)
    first = {"tickets": [ticket.id for ticket in rules.deck.tickets]}
    game = arranged(rules, first, {}, face_up=[], draw_pile=[], discards=[])
    assert [*game.legal_actions(0)] == [ttr.Pass(0)], "nothing else is legal"
    game.play(ttr.Pass(0))
    game.play(Tip(0).choose(1))
    assert game.decision(0) == Tip(0), "the second question"
    game.play(Tip(0).choose(2))
    assert game.view(None).scores == (-3, 0)
    assert game.state.passes == 1


@pytest.mark.slow
def test_the_kit_has_nothing_against_them() -> None:
    check_variant("europe", Tips, players=2, games=1, skip=["processes"])


class TicketTips(Variant, name="tips-for-tickets"):
    """Tips for tickets: whoever draws or keeps tickets gives a tip."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(ttr.DrawTickets, after=self.ask), Around(ttr.KeepTickets, after=self.ask))

    def ask(self, tx: Transaction, action: ttr.Action) -> Question:
        return Tip(action.seat)


def test_tickets_to_choose_from_are_not_lost_while_a_question_comes_first() -> None:
    game = ttr.new_game("north-america", Tips, TicketTips, players=2, seed=1)
    game.play(game.legal_actions(0)[0])
    assert game.decision(0) == Tip(0) and missing(game.state)["tickets"] == {}
    game = begun_with(Tips, TicketTips)
    game.play(ttr.DrawTickets(0))
    assert game.decision(0) == Tip(0) and missing(game.state)["tickets"] == {}
    game.play(Tip(0).choose(1))
    assert isinstance(game.decision(0), TicketChoice)


def test_a_question_that_no_rule_answers_is_told_when_it_is_asked() -> None:
    game = begun_with(
        plugin("stranger", around=lambda rules: [Around(ttr.DrawTickets, after=lambda tx, action: Tip(action.seat))])
    )
    before = game.state
    with pytest.raises(
        PluginError, match=r"asked Tip\(seat=0\), which no action rule answers in north-america \+ stranger"
    ):
        game.play(ttr.DrawTickets(0))
    assert game.state == before and isinstance(game.decision(0), ttr.Turn)


class CardTips(Variant, name="tips-for-cards"):
    """Tips for cards: whoever draws a card gives a tip before the next one."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(DrawBlind, DrawFaceUp, after=self.ask),)

    def ask(self, tx: Transaction, action: ttr.Action) -> Question:
        return Tip(action.seat)


@pytest.mark.slow
@pytest.mark.thorough_but("CardTips")
@pytest.mark.parametrize("plugin", [TicketTips, CardTips])
def test_the_kit_knows_that_what_is_pending_waits_for_the_question(plugin: type[Variant]) -> None:
    check_variant("north-america", Tips, plugin, players=2, games=1, skip=["processes"])


def test_each_plugin_adds_a_card_to_a_draw_and_the_turn_ends_once() -> None:
    ended: list[int] = []

    def adding(name: str) -> type[Variant]:
        def one_more(tx: Transaction, action: ttr.Action) -> Question:
            return NextCard(action.seat, 1) if tx.ends_turn else ()

        return plugin(name, around=lambda rules: [Around(DrawBlind, DrawFaceUp, after=one_more)])

    def told(tx: Transaction, action: ttr.Action) -> None:
        if tx.ends_turn:
            ended.append(tx.state.turn_number)

    teller = plugin("zoo", around=lambda rules: [Around(DrawBlind, DrawFaceUp, after=told)])
    game = begun_with(adding("a"), adding("b"), teller)
    for _ in range(4):
        assert game.to_act == (0,)
        game.play(DrawBlind(0))
    assert (game.to_act, ended) == ((1,), [1])


class Rest(ttr.Action):
    """Rest instead of drawing the first card."""


class RestRule(ActionRule[ttr.Turn, Rest]):
    on = ttr.Turn
    action = Rest

    def offers(self, state: State, decision: ttr.Turn) -> Sequence[Rest]:
        return [Rest(decision.seat)]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Rest) -> Question:
        return NextCard(action.seat, 2, True)


def test_a_draw_that_an_action_of_a_plugin_began_ends_the_turn_with_its_last_card() -> None:
    ended: list[bool] = []
    teller = plugin(
        "told", around=lambda rules: [Around(DrawBlind, after=lambda tx, action: ended.append(tx.ends_turn))]
    )
    game = begun_with(plugin("rest", (), __name__, actions=lambda rules: (RestRule(),)), teller)
    for action in (Rest(0), DrawBlind(0), DrawBlind(0)):
        game.play(action)
    assert ended == [False, True] and game.to_act == (1,)


def test_what_follows_the_answer_to_an_earlier_question_knows_whether_the_turn_goes_on() -> None:
    ended: list[tuple[bool, tuple[int, ...]]] = []

    def asks(tx: Transaction, action: DrawBlind) -> Question:
        return Tip(action.seat)

    def told(tx: Transaction, action: DrawBlind) -> None:
        ended.append((tx.ends_turn, tx.state.to_act))

    asker = plugin(
        "a", (), __name__, around=lambda rules: [Around(DrawBlind, after=asks)],
        scoring=lambda rules: [points_in_play("tips", "Tips")],
    )  # fmt: skip
    game = begun_with(asker, plugin("b", around=lambda rules: [Around(DrawBlind, after=told)]))
    for _ in range(2):
        game.play(DrawBlind(0))
        game.play(game.legal_actions(0)[0])
    assert ended == [(False, (0,)), (True, ())] and game.to_act == (1,)


# -- actions that are canceled -----------------------------------------------------------------------------------------


class Stop(Choice[bool]):
    """Whether an action that waits is canceled."""

    public = True
    message = "Do you stop it?"
    passing = "No"

    def options(self, state: State) -> Sequence[bool]:
        return [True]

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.cancel_action()


class FreeRest(Rest):
    """Rest, before the action of the turn."""


class FreeRestRule(RestRule):
    action = FreeRest
    free = True

    def offers(self, state: State, decision: ttr.Turn) -> Sequence[Rest]:
        return [FreeRest(decision.seat)]


def stoppable(*others: type[Variant]) -> ttr.Game:
    """A game in which the two other players may stop a claim, a drawn card or a rest, one after the other."""

    def ask(tx: Transaction, action: ttr.Action) -> Question:
        return tx.in_turn(Stop, [1, 2])

    around = [Around(ttr.ClaimRoute, DrawBlind, before=ask), Around(FreeRest, before=ask)]
    stops = plugin("stops", (), __name__, around=lambda rules: around, actions=lambda rules: (FreeRestRule(),))
    rules = ttr.compile_rules("europe", stops, *others)
    return ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"green": 4}}, {}, {}]})


def test_a_canceled_action_is_not_played_and_the_turn_ends() -> None:
    after: list[ttr.Action] = []
    ended: list[int] = []
    reacts = plugin(
        "reacts",
        around=lambda rules: [Around(ttr.ClaimRoute, after=lambda tx, action: after.append(action))],
        on_turn_end=lambda tx, seat: ended.append(seat),
    )
    claim = ttr.ClaimRoute(0, "kharkov-moskva-gray", {"green": 4})
    for stopping in (1, 2):  # the second is not asked if the first stops it
        game = stoppable(reacts)
        game.play(claim)
        for seat in range(1, stopping):
            game.play(ttr.Pass(seat))
        game.play(Stop(stopping).choose(True))
        assert game.to_act == (1,) and isinstance(game.decision(1), ttr.Turn)
        assert not game.state.owners and cards(game.state).hands[0] == ttr.Counts(green=4)
    assert not after and ended == [0, 0]
    game = stoppable(reacts)
    for action in (claim, ttr.Pass(1), ttr.Pass(2)):
        game.play(action)
    assert game.state.owners == {claim.route: 0} and after == [claim] and ended == [0, 0, 0]


def test_a_canceled_action_ends_the_turn_of_a_seat_that_would_act_again() -> None:
    game = stoppable(plugin("again", acts_again=lambda state, seat: True))
    game.play(ttr.ClaimRoute(0, "kharkov-moskva-gray", {"green": 4}))
    game.play(Stop(1).choose(True))
    assert game.to_act == (1,) and isinstance(game.decision(1), ttr.Turn)


def test_a_turn_goes_on_after_a_free_action_that_was_canceled() -> None:
    game = stoppable()
    game.play(FreeRest(0))
    game.play(Stop(1).choose(True))
    assert game.to_act == (0,) and isinstance(game.decision(0), ttr.Turn)


@pytest.mark.rule("T4", "T5")
def test_a_canceled_payment_for_a_tunnel_abandons_it() -> None:
    """Whoever stops it, the cards laid down come back, and the turn ends."""
    stops = plugin(
        "stops", (), __name__,
        around=lambda rules: [Around(ttr.PayTunnel, before=lambda tx, action: tx.in_turn(Stop, [1, 2]))],
    )  # fmt: skip
    players: list[dict[str, Any]] = [{"name": "Ada", "hand": {"red": 4}}, {}, {}]
    position = {"seed": 1, "draw_pile": ["red", "white", "white"], "face_up": ["black"] * 5, "players": players}
    for stopped in (True, False):
        game = ttr.arrange(ttr.compile_rules("europe", stops), position)
        game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
        game.play(ttr.PayTunnel(0, {"red": 1}))
        game.play(ttr.Pass(1))
        game.play(Stop(2).choose(True) if stopped else ttr.Pass(2))
        assert game.state.turn == 1 and game.to_act == (1,)
        assert cards(game.state).hands[0] == ({"red": 4} if stopped else {})
        assert game.state.owners == ({} if stopped else {"paris-zurich-gray": 0})
        assert Counter(cards(game.state).discards) == Counter(
            ["red", "white", "white", *([] if stopped else ["red"] * 4)]
        )


def test_what_waits_for_no_answer_in_a_turn_cannot_be_canceled() -> None:
    with pytest.raises(PluginError, match="cancels an action, but no action of a turn waits for an answer"):
        Transaction(stoppable().state).cancel_action()
    game = stoppable()
    for action in (DrawBlind(0), ttr.Pass(1), ttr.Pass(2), DrawBlind(0)):
        game.play(action)
    before = game.state
    with pytest.raises(PluginError, match="no action of a turn waits"):  # the second card is not the action of the turn
        game.play(Stop(1).choose(True))
    assert game.state == before


# -- around the answers to one kind of decision ------------------------------------------------------------------------


class Toll(Choice[int]):
    """Asked when a turn begins; nobody need pay."""

    public = True
    passing = "Pay nothing"

    def options(self, state: ttr.State) -> list[int]:
        return [1]

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, -option, "tips")


def passes(*around: Around) -> ttr.Game:
    """A game in which everybody may pass, and is asked for a toll when a turn begins."""
    tolls = plugin(
        "tolls", (), __name__, may_pass=lambda state, seat: True, around=lambda rules: around,
        on_turn_start=lambda tx, seat: Toll(seat), scoring=lambda rules: (points_in_play("tips", "Tips"),),
    )  # fmt: skip
    return begun_with(tolls)


def test_what_is_around_an_action_may_be_limited_to_a_decision() -> None:
    log: list[str] = []

    def noting(word: str, question: Question = ()) -> Any:
        def note(tx: Transaction, action: ttr.Action) -> Question:
            log.append(word)
            return question

        return note

    game = passes(
        Around(ttr.Pass, on=ttr.Turn, before=noting("before a turn's"), after=noting("turn's", Tip(0))),
        Around(ttr.Pass, on=Toll, before=noting("before a toll's"), after=noting("toll's")),
        Around(ttr.Pass, after=noting("any")),
    )
    game.play(ttr.Pass(0))
    assert log == ["before a toll's", "toll's", "any"] and game.decision(0) == ttr.Turn(0)
    log.clear()
    game.play(ttr.Pass(0))
    assert log == ["before a turn's", "turn's"] and game.decision(0) == Tip(0)
    restored = ttr.loads(ttr.dumps(game), rules=game.rules)
    game.play(Tip(0).choose(1))
    assert log == ["before a turn's", "turn's", "any"] and game.decision(1) == Toll(1)
    restored.play(Tip(0).choose(1))
    assert restored.state == game.state and log[-1] == "any"


@pytest.mark.parametrize("drawer", [0, 1])
def test_the_second_card_of_a_draw_falls_away_if_a_granted_card_was_the_last(drawer: int) -> None:
    def grant(tx: Transaction, action: DrawBlind) -> Question:
        return NextCard(drawer)

    granting = plugin("granting", around=lambda rules: (Around(DrawBlind, on=ttr.Turn, after=grant),))
    # After the row is laid out, two cards are left in the pile.
    few = {"face_up": [], "draw_pile": ["red"] * 7, "draw_pile_complete": True}
    game = ttr.arrange(ttr.compile_rules("europe", granting), {"seed": 1, "players": [{}, {}], **few})
    game.play(DrawBlind(0))
    assert game.decision(drawer) == NextCard(drawer)
    game.play(DrawBlind(drawer))
    assert game.to_act == (1,) and game.decision(1) == ttr.Turn(1)
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state


@pytest.mark.parametrize("cards", [6, 7])
@pytest.mark.parametrize("question", [NextCard(1, 2), [NextCard(0), NextCard(1)]], ids=["one", "several"])
def test_nobody_is_asked_for_a_card_if_none_is_left(cards: int, question: Question) -> None:
    granting = plugin("granting", on_turn_end=lambda tx, seat: question if seat == 0 and tx.state.round == 1 else ())
    few = {"face_up": [], "draw_pile": ["red"] * cards, "draw_pile_complete": True}
    game = ttr.arrange(ttr.compile_rules("europe", granting), {"seed": 1, "players": [{}, {}], **few})
    game.play(DrawBlind(0))  # after the row is laid out, one card is left in the pile, or two
    if cards == 7:
        game.play(DrawBlind(0))
    assert game.to_act == (1,) and game.decision(1) == ttr.Turn(1)
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state


def test_what_answers_another_decision_is_not_refused() -> None:
    def late(state: ttr.State, action: ttr.Action) -> ttr.Refusal:
        return ttr.Refusal("late", "it is too late for that")

    first = plugin("first", around=lambda rules: (Around(DrawBlind, on=ttr.Turn, refuse=late),))
    game = begun_with(first)
    assert str(game.refusal(DrawBlind(0))) == "[late] it is too late for that"
    game.play(
        next(
            action for action in game.legal_actions(0) if isinstance(action, DrawFaceUp) and action.card != "locomotive"
        )
    )
    game.play(DrawBlind(0))
    assert game.to_act == (1,)


@pytest.mark.parametrize("on", ["Turn", 3, ttr.DrawBlind, ttr.Turn(0)])
def test_actions_answer_a_type_of_decisions(on: Any) -> None:
    with pytest.raises(PluginError, match=r"Around\(on=…\) takes a type of decisions, such as Turn, not"):
        Around(ttr.DrawBlind, on=on, after=lambda tx, action: None)


def test_a_draw_ends_if_plugins_refuse_every_answer_to_the_question_for_the_next_card() -> None:
    def single(state: ttr.State, action: DrawBlind | DrawFaceUp) -> ttr.Refusal | None:
        second = isinstance(state.decision(action.seat), NextCard)
        return ttr.Refusal("single", "one card a turn") if second else None

    game = begun_with(plugin("single", around=lambda rules: (Around(DrawBlind, DrawFaceUp, refuse=single),)))
    game.play(DrawBlind(0))
    assert game.to_act == (1,) and game.decision(1) == ttr.Turn(1)


class TakeTwo(ActionRule[NextCard, DrawFaceUp]):
    """A later card from the row takes the place of two."""

    replaces = True

    def offers(self, state: State, decision: NextCard) -> Sequence[DrawFaceUp]:
        row = sorted({*ttr.cards(state).face_up}) if decision.left > 1 else []
        return [DrawFaceUp(decision.seat, card) for card in row]

    def perform(self, tx: Transaction, decision: NextCard, action: DrawFaceUp) -> Question:
        raise NotImplementedError


@pytest.mark.rule("D8", "R2", "R5")
@pytest.mark.parametrize(("cards", "more"), [(2, False), (3, True)])
def test_a_draw_ends_if_a_rule_that_replaces_another_leaves_no_answer(cards: int, more: bool) -> None:
    two = plugin("two", actions=lambda rules: (TakeTwo(),), cards_drawn=lambda state, seat, count: cards)
    rules = ttr.compile_rules("europe", two, rulings={"face_up_when_exhausted": True})
    last = {"face_up": ["blue"] * 5, "draw_pile": ["red"], "draw_pile_complete": True}
    game = ttr.arrange(rules, {"seed": 1, **last, "players": [{}, {}]})
    game.play(DrawBlind(0))
    assert (DrawFaceUp(0, "blue") in game.legal_actions(0)) == more == (game.decision(0) is not None)


class Purses(Part):
    coins: list[int] = public(each=1, key="coins", label="Coins")


class CoinPaid(ttr.Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Purses).coins[self.seat] -= 1


class PaidDraws(Variant, name="paid-draws"):
    """Paid draws: every face-up card costs a coin, paid after it is taken."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Purses,)

    def too_dear(self, state: State, action: DrawFaceUp) -> ttr.Refusal | None:
        return None if state.part(Purses).coins[action.seat] else ttr.Refusal("paid-1", "no coin is left")

    def pay(self, tx: Transaction, action: DrawFaceUp) -> None:
        tx.emit(CoinPaid, action.seat)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return (Around(DrawFaceUp, refuse=self.too_dear, after=self.pay),)


@pytest.mark.rule("D1", "D8")
def test_a_draw_ends_if_what_follows_a_card_leaves_no_legal_next_card() -> None:
    rules = ttr.compile_rules("europe", "train-cards:face_up_when_exhausted=true", PaidDraws)
    row = {"face_up": ["red", "blue", "white"], "draw_pile": [], "draw_pile_complete": True}
    game = ttr.arrange(rules, {**row, "seed": 1, "players": [{}, {"coins": 2}]})
    game.play(DrawFaceUp(0, "red"))
    assert game.to_act == (1,) and game.decision(1) == ttr.Turn(1)  # seat 0 has no coin for the second card
    game.play(DrawFaceUp(1, "blue"))
    assert game.decision(1) == NextCard(1, 1, True)
    game.play(DrawFaceUp(1, "white"))
    assert game.to_act == (0,)


@pytest.mark.slow
def test_what_is_paid_after_a_draw_passes_the_check() -> None:
    check_variant("europe", PaidDraws, players=(2, 4), games=1)


class Shut(Part):
    seats: list[bool] = public(each=False)


class SeatShut(ttr.Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Shut).seats[self.seat] = True


class Grab(Choice[int]):
    """A number, unless the seat is shut."""

    public = True
    message = "Which one do you grab?"

    def options(self, state: State) -> Sequence[int]:
        return () if state.part(Shut).seats[self.seat] else (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, option, "grabs")


@pytest.mark.parametrize("shut", [(), (0,), (0, 2)])
def test_a_seat_that_can_answer_no_longer_is_not_asked(shut: tuple[int, ...]) -> None:
    """The others still are. The turn ends once nobody is."""

    class Grabs(Variant, name="grabs"):
        """Grabs: at the end of the first turn all grab something; what seat 1 takes shuts others out."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Shut,)

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (points_in_play("grabs"),)

        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> Question:
            return [Grab(other) for other in range(3)] if tx.state.turn_number == 1 else ()

        def close(self, tx: Transaction, action: ttr.Action) -> None:
            for seat in shut if action.seat == 1 else ():
                tx.emit(SeatShut, seat)

        @hookimpl
        def around(self, rules: Rules) -> Iterable[Around]:
            return (Around(Grab.action, after=self.close),)

    game = ttr.arrange(ttr.compile_rules("europe", Grabs), {"seed": 1, "players": [{}, {}, {}]})
    for _ in range(2):
        game.play(DrawBlind(0))
    assert game.to_act == (0, 1, 2)
    game.play(game.legal_actions(1)[0])
    left = tuple(seat for seat in (0, 2) if seat not in shut)
    assert game.to_act == (left or (1,))
    for seat in left:
        assert isinstance(game.decision(seat), Grab)
        game.play(game.legal_actions(seat)[0])
    assert game.decision(1) == ttr.Turn(1)
