"""Choices: decisions for one of several options, and passing, without rules of the author."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from helpers import all_but, happened, keep_all
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Event, State, View
from ttr_rules.clients import json_schema, to_json, view_from_json
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.events import ChoiceSealed, ChoicesOpened, Unknown
from ttr_rules.language import Message
from ttr_rules.model import HiddenAction, InTurn
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Choice,
    Confirm,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    points_in_play,
    public,
    secret,
)
from ttr_tools.bots import Bot
from ttr_tools.narration import narrate
from ttr_tools.testing import VariantError, check_variant


class Present(Choice[str]):
    """A color that scores its number of letters."""

    public = True
    message = "Which color do you name?"
    passing = "Name none"

    again: bool = False

    def options(self, state: State) -> Sequence[str]:
        return ("red", "white") if self.again else ("red", "white", "purple")

    def chosen(self, tx: Transaction, option: str) -> Question | None:
        tx.score(self.seat, len(option), "presents")
        return Present(self.seat, again=True) if option == "purple" else ()

    def pass_refusal(self, state: State) -> Refusal | None:
        return Refusal("X1", "a color must be named") if self.again else None

    def on_pass(self, tx: Transaction) -> None:
        tx.score(self.seat, 1, "presents")

    def worth(self, view: View, rules: Rules, option: str) -> float:
        return float(len(option))

    @classmethod
    def every(cls, rules: Rules) -> Sequence[str]:
        return ("white", "red", "purple")


class Where(Choice[int]):
    """A place: these have no numbers of their own."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return range(state.turn_number % 3 + 1)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.score(self.seat, option, "presents")


class Presents(Variant, name="presents"):
    """Presents: a color before the first turn, a place after each claim."""

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [Present(seat) for seat in range(tx.state.players)]

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Where(seat)

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("presents", "Presents"),)


def begun() -> ttr.Game:
    game = ttr.new_game("europe", Presents, players=2, seed=1)
    for seat in game.to_act:
        game.play(game.legal_actions(seat)[0])
    return game


class NamePlace(ttr.Action):
    message = "Name a place"

    place: int


class Somewhere(Where):
    """A place, chosen by an action of its own."""

    action = NamePlace

    def worth(self, view: View, rules: Rules, option: int) -> float:
        return float(option)


class Elsewhere(Somewhere):
    """Another decision with the same action."""

    message = "Where else?"


class NamedPlaces(Variant, name="named-places"):
    """Named places: after each claim two places are named."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return tx.in_turn(Somewhere, [seat]) if points == 1 else Elsewhere(seat)

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("presents", "Presents"),)


def test_a_choice_may_have_an_action_of_its_own() -> None:
    rules = ttr.compile_rules("europe", NamedPlaces)
    assert Elsewhere.action is Somewhere.action is NamePlace
    assert [hint.action for hint in rules.bot_hints if hint.action is NamePlace] == [NamePlace]  # type: ignore[attr-defined]
    players = [{"hand": {"white": 3}}, {}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert game.decision(0) == Elsewhere(0) and list(game.legal_actions()) == [NamePlace(0, 0), NamePlace(0, 1)]
    assert Elsewhere(0).choose(1) == NamePlace(0, 1)
    assert str(game.refusal(NamePlace(0, 7))) == "[S8] seat 0 chooses one of 0, 1, not 7"
    assert game.refusal(NamePlace(0, True)) is not None
    assert pickle.loads(pickle.dumps(game)) == game
    game.play(NamePlace(0, 1))
    assert game.state.points["presents"] == [1, 0]


def test_one_of_the_options_is_chosen() -> None:
    game = begun()
    assert game.to_act == (0, 1), "all at once"
    decision = game.decision(1)
    assert isinstance(decision, Present)
    assert [*game.legal_actions(1)] == [*map(decision.choose, ("red", "white", "purple")), ttr.Pass(1)]
    game.play(decision.choose("red"))
    assert game.decision(1) is None
    assert game.state.points["presents"] == [0, 3]
    assert str(game.refusal(Present(0).choose("blue"))) == "[S8] seat 0 chooses one of red, white, purple, not 'blue'"


def test_what_is_chosen_may_ask_again() -> None:
    game = begun()
    game.play(Present(0).choose("purple"))
    assert game.decision(0) == Present(0, again=True)
    assert ttr.Pass(0) not in game.legal_actions(0)
    assert game.refusal(ttr.Pass(0)) == Refusal("X1", "a color must be named")


def test_what_follows_a_pass() -> None:
    game = begun()
    game.play(ttr.Pass(0))
    game.play(ttr.Pass(1))
    assert game.state.points["presents"] == [1, 1]
    assert isinstance(game.decision(game.to_act[0]), ttr.Turn)


def test_without_passing_an_option_must_be_chosen() -> None:
    game = ttr.arrange(ttr.compile_rules("europe", Presents), {"seed": 1, "players": [{"hand": {"white": 3}}, {}]})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert game.decision(0) == Where(0)
    assert ttr.Pass(0) not in game.legal_actions(0)
    assert "does not answer" in str(game.refusal(ttr.Pass(0)))


def test_options_have_numbers_of_their_own_where_all_are_known() -> None:
    rules = ttr.compile_rules("europe", Presents)
    numbered = rules.answers[Present].by_action[Present.action]
    assert numbered.number_of_codes(rules) == 3
    game = begun()
    assert [numbered.code_of(game.state, 0, Present(0).choose(color)) for color in ("red", "white")] == [1, 0]
    assert rules.answers[Where].by_action[Where.action].number_of_codes(rules) is None


def test_a_game_with_choices_is_saved_shown_and_sent() -> None:
    game = begun()
    game.play(Present(0).choose("white"))
    text = ttr.dumps(game)
    assert '"type":"presents.ChoosePresent"' in text
    assert ttr.loads(text, rules=game.rules).state == game.state
    action = Present(1).choose("red")
    assert pickle.loads(pickle.dumps(action)) == action
    assert "presents.ChoosePresent" in json_schema(game.rules)["definitions"]
    assert str(Where(0).choose(2)) == "ChooseWhere(seat=0, option=2)"


def test_bots_choose_what_is_worth_most() -> None:
    game = begun()
    assert Bot(1).choose(game.view(0), game.rules, game.legal_actions(0)) == Present(0).choose("purple")


@pytest.mark.parametrize("worth", [0.5, -0.5])
def test_bots_take_what_is_worth_anything_and_pass_otherwise(worth: float, monkeypatch: pytest.MonkeyPatch) -> None:
    def worth_of(self: Present, view: View, rules: Rules, option: str) -> float:
        return worth if option == "white" else -1.0

    monkeypatch.setattr(Present, "worth", worth_of)
    game = begun()
    expected = Present(0).choose("white") if worth > 0 else ttr.Pass(0)
    for seed in range(4):
        assert Bot(seed).choose(game.view(0), game.rules, game.legal_actions(0)) == expected


@pytest.mark.slow
def test_the_kit_has_nothing_against_them() -> None:
    assert "properties hold" in str(check_variant("london", Presents, players=2, games=1, skip=["processes"]))


# -- a question before an action -------------------------------------------------------------------------------


class Toll(Choice[int]):
    """How many cars to give up before an action."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return [cars for cars in (0, 1, 43) if cars <= state.cars[self.seat]]

    def chosen(self, tx: Transaction, option: int) -> None:
        if option:
            tx.use_cars(self.seat, option)


class Tolls(Variant, name="tolls-first"):
    """Tolls first: before a claim cars are given up, twice if one car is."""

    def first(self, tx: Transaction, action: ttr.ClaimRoute) -> Question:
        return Toll(action.seat)

    def second(self, tx: Transaction, action: ttr.ClaimRoute) -> Question:
        return Toll(action.seat) if tx.state.cars[action.seat] == 44 else ()

    @hookimpl
    def around(self, rules: Rules) -> tuple[Around, ...]:
        return (Around(ttr.ClaimRoute, before=self.first), Around(ttr.ClaimRoute, before=self.second))


CLAIM = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})


def asked_first() -> ttr.Game:
    players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Tolls), {"seed": 1, "players": players})
    game.play(CLAIM)
    return game


def test_what_comes_before_an_action_is_asked_and_the_action_goes_on() -> None:
    game = asked_first()
    assert (game.state.pending, game.state.owners) == ((Toll(0),), {})
    assert game.view(1).pending == (Toll(0),)
    game.play(Toll(0).choose(0))
    assert (game.state.owners, game.to_act, game.state.todo) == ({CLAIM.route: 0}, (1,), ())


def test_several_questions_come_before_an_action() -> None:
    game = asked_first()
    game.play(Toll(0).choose(1))
    assert (game.state.pending, game.state.owners) == ((Toll(0),), {})
    game.play(Toll(0).choose(0))
    assert (game.state.cars[0], game.to_act) == (41, (1,))


def test_who_can_no_longer_act_so_decides_again() -> None:
    game = asked_first()
    game.play(Toll(0).choose(43))
    assert (game.decision(0), game.state.owners, game.state.todo) == (ttr.Turn(0), {}, ())
    assert ttr.cards(game.state).hands[0] == {"white": 3}, "nothing was paid"
    game.play(ttr.DrawBlind(0))


def test_a_game_stopped_before_an_action_is_saved() -> None:
    game = asked_first()
    again = ttr.loads(ttr.dumps(game), rules=game.rules)
    assert again.state == game.state
    again.play(Toll(0).choose(0))
    assert again.state.owners == {CLAIM.route: 0}
    assert ttr.loads(ttr.dumps(again), rules=game.rules).state == again.state


@pytest.mark.slow
def test_the_kit_has_nothing_against_questions_before_actions() -> None:
    assert "properties hold" in str(check_variant("europe", Tolls, players=2, games=1, skip=["processes"]))


class Owed(Choice[int]):
    """A number for another seat: everybody knows who owes it to whom, and only its seat the number."""

    public = True
    secret_answer = True
    message = "Which number for {other_seat}?"
    other_seat: int

    def options(self, state: State) -> Sequence[int]:
        return range(3)

    def chosen(self, tx: Transaction, option: int) -> None:
        tx.emit(Noted, self.seat, option)


class Noted(Event):
    seat: int
    number: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        """Nothing comes of it."""


class Owing(Variant, name="owing"):
    """Owing: after each claim a number is noted in secret, and before and after that some cars may be given up."""

    def ask(self, tx: Transaction, action: Any) -> Question:
        return Toll(action.seat)

    @hookimpl
    def around(self, rules: Rules) -> tuple[Around, ...]:
        return (Around(Owed.action, before=self.ask, after=self.ask),)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return Owed(seat, (seat + 1) % tx.state.players)


def test_a_question_that_everybody_reads_may_have_a_secret_answer() -> None:
    players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}, {"name": "Cy"}]
    game = ttr.arrange(ttr.compile_rules("europe", Owing), {"seed": 1, "players": players})
    game.play(CLAIM)
    assert [game.view(seat).pending for seat in (0, 1, None)] == [(Owed(0, 1),)] * 3
    assert ttr.determinize(game.view(2), game.rules, seed=1).state.pending == (Owed(0, 1),)
    game.play(Owed(0, 1).choose(2))
    hidden = HiddenAction(0, "ChooseOwed")
    assert [game.view(seat).todo[-1].action for seat in (0, 1, None)] == [Owed(0, 1).choose(2), hidden, hidden]
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state
    assert view_from_json(game.rules, to_json(game.rules, game.view(1))) == game.view(1)
    worlds = [ttr.determinize(game.view(1), game.rules, seed).state for seed in range(20)]
    assert {world.todo[-1].action for world in worlds} == {Owed(0, 1).choose(option) for option in range(3)}


def test_a_question_that_nobody_can_sample_is_told_to_be_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Owed, "public", False)
    players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Owing), {"seed": 1, "players": players})
    game.play(CLAIM)
    with pytest.raises(
        PluginError, match=r"an? Owed of another seat .*: declare it public, with secret_answer = True if"
    ):
        ttr.determinize(game.view(1), game.rules, seed=1)


def test_a_choice_with_a_secret_answer_cannot_be_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Owed, "passing", "Owe nothing")
    with pytest.raises(PluginError, match="Owed has a secret answer, and everybody sees who passes: give it an option"):
        ttr.compile_rules("europe", Owing)


@pytest.mark.parametrize("fields", [(), ("one", "two")])
def test_the_action_of_a_choice_has_one_field(fields: tuple[str, ...]) -> None:
    from ttr_rules.kernel.choices import choice_rule

    action = type("Odd", (ttr.Action,), {"__annotations__": dict.fromkeys(fields, str)})
    elsewhere = {"__module__": "elsewhere"}  # so that no plugin of this module has it
    kind = type("OddChoice", (Nodding,), {"action": action, **elsewhere})
    with pytest.raises(PluginError, match="it must be an Action with one field besides its seat"):
        choice_rule(kind)
    with pytest.raises(PluginError, match="OddChoice has the action 'x': it must be"):
        choice_rule(type("OddChoice", (Nodding,), {"action": "x", **elsewhere}))


class Stake(Choice[ttr.Counts]):
    """A number of cards."""

    def options(self, state: State) -> Sequence[ttr.Counts]:
        return (ttr.Counts(red=1), ttr.Counts(red=2))

    def chosen(self, tx: Transaction, option: ttr.Counts) -> None:
        """The game goes on."""


def test_a_dict_is_not_one_of_the_counts_to_choose_from() -> None:
    rules = ttr.compile_rules("europe", Presents, plugin("stakes", on_turn_start=lambda tx, seat: Stake(seat)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    stake: Any = {"red": 2}
    assert game.is_legal(Stake(0).choose(ttr.Counts(red=2)))
    assert str(game.refusal(Stake(0).choose(stake))).endswith(", not {'red': 2}")


class Nodding(Choice[int]):
    def options(self, state: State) -> Sequence[int]:
        return (1,)

    def chosen(self, tx: Transaction, option: int) -> None:
        """The game goes on."""


def test_a_decision_with_a_secret_answer_cannot_be_declined_either() -> None:
    class Vote(ttr.Decision):
        public = True
        secret_answer = True
        passing = "Do not vote"

    class Yes(ttr.Action):
        pass

    class VoteRule(ActionRule[Vote, Yes]):
        def offers(self, state: ttr.State, decision: Vote) -> Sequence[Yes]:
            return [Yes(decision.seat)]

        def perform(self, tx: Transaction, decision: Vote, action: Yes) -> None:
            """The game goes on."""

    words = "the decision Vote has a secret answer, and everybody sees who passes: give it an action for that"
    with pytest.raises(PluginError, match=words):
        ttr.compile_rules("europe", plugin("votes", actions=lambda rules: (VoteRule(),)))


@pytest.mark.slow
def test_the_kit_has_nothing_against_secret_answers() -> None:
    check_variant("europe", Owing, players=2, games=1, skip=["processes"])


def test_a_choice_that_lacks_a_method_is_told() -> None:
    from ttr_rules.kernel.choices import choice_rule

    for name in ("options", "chosen"):
        unfinished = type("Unfinished", (Where,), {name: getattr(Choice, name)})
        Choice.every_kind.remove(unfinished)
        with pytest.raises(PluginError, match=f"Unfinished lacks the method '{name}'"):
            choice_rule(unfinished)


class Bid(Choice[int]):
    """A sealed bid: the highest scores what it bid."""

    public = True
    sealed = True

    def options(self, state: State) -> Sequence[int]:
        return range(4)

    def all_chosen(self, tx: Transaction, answers: Mapping[int, int]) -> Question | None:
        assert list(answers) == sorted(answers)
        best = [seat for seat in answers if answers[seat] == max(answers.values())]
        if len(best) > 1:
            return [Bid(seat) for seat in best]
        tx.score(best[0], answers[best[0]], "bids")
        return None


class Bids(Variant, name="bids"):
    """Bids: after each claim all bid."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return [Bid(other) for other in range(tx.state.players)]

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("bids", "Bids"),)


def bidding(*more: object) -> ttr.Game:
    """A game of three in which all bid."""
    players = [{"name": name, "hand": {"white": 3}} for name in ("Ada", "Bo", "Cy")]
    game = ttr.arrange(ttr.compile_rules("europe", Bids, *more), {"seed": 1, "players": players})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    return game


def test_nobody_else_knows_a_sealed_answer() -> None:
    game = bidding()
    events = game.play(Bid(1).choose(2))
    assert events[0] == ChoiceSealed(1, Bid(1).choose(2))
    assert [events[0].seen_by(seat).event == events[0] for seat in (0, 1, None)] == [False, True, False]
    assert [game.view(seat).todo[-1].action for seat in (0, 1, None)] == [
        HiddenAction(1, "ChooseBid"),
        Bid(1).choose(2),
        HiddenAction(1, "ChooseBid"),
    ]
    assert game.to_act == (0, 2)
    again = ttr.loads(ttr.dumps(game), rules=game.rules)
    assert again.state == game.state
    sampled = {ttr.determinize(game.view(0), game.rules, seed).state.todo[-1].action for seed in range(40)}
    assert sampled == {Bid(1).choose(option) for option in range(4)}


def test_sealed_answers_are_opened_by_the_last_one() -> None:
    game = bidding()
    for seat, bid in ((2, 1), (0, 3)):
        game.play(Bid(seat).choose(bid))
        assert not any(game.state.points["bids"])
    events = game.play(Bid(1).choose(2))
    assert events[1] == ChoicesOpened(tuple(Bid(seat).choose(bid) for seat, bid in enumerate((3, 2, 1))))
    assert game.state.points["bids"] == [3, 0, 0]
    assert game.decision(1) == ttr.Turn(1)
    assert not game.state.todo
    lines = " ".join(narrate(game, 0, seat=None))
    assert "Cy has chosen." in lines
    assert "All have chosen: Ada (3), Bo (2) and Cy (1)." in lines


class NameRival(ttr.Action):
    """Name another player."""

    rival_seat: int


class Rival(Choice[int]):
    """The player whom each wants to beat."""

    public = True
    sealed = True
    action = NameRival

    def options(self, state: State) -> Sequence[int]:
        return [seat for seat in range(state.players) if seat != self.seat]

    def all_chosen(self, tx: Transaction, answers: Mapping[int, int]) -> None:
        """Nothing follows."""


class Wish(Choice[str]):
    """The route that each wants to claim."""

    public = True
    sealed = True

    def options(self, state: State) -> Sequence[str]:
        return list(state.rules.board.routes)

    def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> None:
        """Nothing follows."""


NOTHING, TWO_CARDS = ttr.Counts(), ttr.Counts({"red": 1, "locomotive": 1})


class Gift(Choice[ttr.Counts]):
    """Cards that each would give, for whatever reason: a question with a field."""

    public = sealed = True
    reason: str = "taxes"

    def options(self, state: State) -> Sequence[ttr.Counts]:
        return [NOTHING, TWO_CARDS]

    def all_chosen(self, tx: Transaction, answers: Mapping[int, ttr.Counts]) -> None:
        """Nothing follows."""


class Vote(Choice[str]):
    """A route, or none, each with a text of its own."""

    public = sealed = True
    message = "Which route?"

    def options(self, state: State) -> Sequence[str]:
        return ["", *state.rules.board.routes]

    def label(self, option: str) -> str:
        return Message("for {option}", option=option) if option else "abstains"

    def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> None:
        """Nothing follows."""


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        (Rival, (1, 0), "Ada (Bo) and Bo (Ada)"),
        (Gift, (NOTHING, TWO_CARDS), "Ada (nothing) and Bo (1 red + 1 locomotive)"),
        (Vote, ("", "berlin-wien-green"), "Ada (abstains) and Bo (for Berlin–Wien)"),
        (
            Wish,
            ("paris-zurich-gray", "berlin-wien-green"),
            "Ada (Paris–Zürich) and Bo (Berlin–Wien)",
        ),
    ],
)
def test_opened_answers_are_told_with_the_names_of_a_menu(kind: Any, options: Any, told: str) -> None:
    asking = plugin("asking", on_turn_end=lambda tx, seat: [kind(0), kind(1)])
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = ttr.arrange(ttr.compile_rules("europe", Bids, asking), {"seed": 1, "players": players})
    for _ in range(2):
        game.play(ttr.DrawBlind(0))
    for seat in (0, 1):
        game.play(kind(seat).choose(options[seat]))
    assert f"All have chosen: {told}." in narrate(game, None, seat=None)


def test_after_sealed_answers_some_may_be_asked_again() -> None:
    game = bidding()
    for seat, bid in ((0, 3), (1, 3), (2, 1)):
        game.play(Bid(seat).choose(bid))
    assert game.to_act == (0, 1)
    game.play(Bid(1).choose(0))
    game.play(Bid(0).choose(1))
    assert game.state.points["bids"] == [1, 0, 0]
    assert game.decision(1) == ttr.Turn(1)


class Sure(Confirm):
    """A question before and after a bid."""

    message = "Sure?"
    passing = "Not quite"
    public = True

    def chosen(self, tx: Transaction, option: bool) -> None:
        assert option is True
        tx.score(self.seat, 10, "presents")


class SureOfBids(Variant, name="sure-of-bids"):
    """Sure: who bids is asked something before it and after it."""

    @hookimpl
    def around(self, rules: Rules) -> tuple[Around, ...]:
        return (Around(Bid.action, before=self.ask, after=self.ask),)

    def ask(self, tx: Transaction, action: ttr.Action) -> Question:
        return Sure(action.seat)

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("presents", "Sure"),)


def test_other_plugins_may_ask_between_sealed_answers() -> None:
    game = bidding(SureOfBids)
    for seat, bid in ((1, 2), (2, 0), (0, 3)):
        game.play(Bid(seat).choose(bid))
        assert game.decision(seat) == Sure(seat)
        assert list(game.legal_actions(seat)) == [Sure(seat).choose(True), ttr.Pass(seat)]
        assert all(game.view(other).todo[-1].action == HiddenAction(seat, "ChooseBid") for other in {0, 1, 2} - {seat})
        game.play(Sure(seat).choose(True))
        assert ttr.determinize(game.view(0), game.rules, 1).view(0) == game.view(0)
        game.play(ttr.Pass(seat))
    assert game.state.points == {"presents": [10, 10, 10], "bids": [3, 0, 0]}
    assert game.decision(1) == ttr.Turn(1)


def test_sealed_answers_that_are_asked_in_turn_are_opened_by_the_last_one() -> None:
    in_turn = plugin("in-turn", on_game_start=lambda tx: tx.in_turn(Bid))
    game = ttr.new_game("europe", Bids, in_turn, players=3, seed=1, first_seat=1)
    keep_all(game)
    for seat, bid in ((1, 2), (2, 3), (0, 1)):
        assert game.to_act == (seat,) and not any(game.state.points["bids"])
        assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state
        assert ttr.determinize(game.view(seat), game.rules, seat).view(seat) == game.view(seat)
        game.play(Bid(seat).choose(bid))
    assert game.state.points["bids"] == [0, 0, 3]
    assert game.decision(1) == ttr.Turn(1)


def test_another_question_may_come_between_sealed_answers_in_turn() -> None:
    mixed = plugin("mixed", on_game_start=lambda tx: InTurn([Bid(0), Sure(1), Bid(2)]))
    game = ttr.new_game("europe", Bids, SureOfBids, mixed, players=3, seed=1, first_seat=0)
    keep_all(game)
    while game.state.turn_number == 0:
        (seat,) = game.to_act
        game.play(Bid(seat).choose(seat + 1) if isinstance(game.decision(seat), Bid) else ttr.Pass(seat))
    assert happened(game.events, ChoicesOpened) == [ChoicesOpened((Bid(0).choose(1), Bid(2).choose(3)))]


@pytest.mark.parametrize("seat", [3, -1, True, "0"])
@pytest.mark.parametrize("wrap", [lambda asked: asked, lambda asked: [asked], lambda asked: InTurn([asked])])
def test_a_question_to_nobody_is_told_with_its_plugin(seat: Any, wrap: Any) -> None:
    asking = plugin("asking", on_turn_end=lambda tx, seat_: wrap(Bid(seat)))
    game = ttr.arrange(ttr.compile_rules("europe", Bids, asking), {"seed": 1, "players": [{}, {}, {}]})
    game.play(ttr.DrawBlind(0))
    with pytest.raises(
        PluginError, match="on_turn_end of plugin 'asking' must give a question to a seat, 0 to 2, not Bid"
    ):
        game.play(ttr.DrawBlind(0))
    assert game.to_act == (0,)


@pytest.mark.parametrize("answer", [5, [5], "red", Where(7), [Where(0), Where(0)]])
def test_what_an_answer_gives_is_a_question(monkeypatch: pytest.MonkeyPatch, answer: Any) -> None:
    monkeypatch.setattr(Sure, "chosen", lambda self, tx, option: answer)
    game = bidding(SureOfBids)
    game.play(Bid(1).choose(2))
    before = game.state.copy()
    with pytest.raises(PluginError, match="the answer to Sure must give a question"):
        game.play(Sure(1).choose(True))
    assert game.state == before


@pytest.mark.parametrize("option", [1, 1.0, True])
def test_a_yes_is_true_and_no_number_that_equals_it(option: Any) -> None:
    asking = plugin("asking", on_turn_start=lambda tx, seat: Sure(seat))
    game = ttr.arrange(ttr.compile_rules("europe", SureOfBids, Bids, asking), {"seed": 1, "players": [{}, {}]})
    if option is not True:
        with pytest.raises(ttr.IllegalActionError):
            game.play(Sure(0).choose(option))
    else:
        game.play(Sure(0).choose(option))
        assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


@pytest.mark.thorough
def test_the_kit_has_nothing_against_sealed_answers() -> None:
    assert "properties hold" in str(
        check_variant("europe", Bids, SureOfBids, players=3, games=1, skip=["planner", "processes"])
    )


def test_a_confirm_is_one_option_that_may_be_declined() -> None:
    rules = ttr.compile_rules("europe", Bids, SureOfBids)
    assert rules.answers[Sure].by_action[Sure.action].number_of_codes(rules) == 1
    game = bidding(SureOfBids)
    game.play(Bid(0).choose(1))
    with pytest.raises(ttr.IllegalActionError):
        game.play(Sure(0).choose(False))
    game.play(Sure(0).choose(True))
    assert '"type":"bids.ChooseSure","seat":0,"option":true' in ttr.dumps(game)


def test_a_sealed_choice_is_whole_and_cannot_be_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    from ttr_rules.kernel.choices import choice_rule, with_passing

    monkeypatch.setattr(Bid, "passing", "Bid nothing")
    with pytest.raises(PluginError, match="Bid is sealed, and everybody sees who passes: give it an option for that"):
        with_passing([choice_rule(Bid)])
    monkeypatch.setattr(Bid, "all_chosen", Choice.all_chosen)
    with pytest.raises(PluginError, match="Bid lacks the method 'all_chosen'"):
        choice_rule(Bid)


class Place(Choice[int]):
    """A place at the table: each that others have left."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return [place for place in range(5) if place not in state.part(Table).taken]

    def chosen(self, tx: Transaction, option: int) -> Question | None:
        tx.emit(PlaceTaken, option)
        return tx.in_turn(Place, [self.seat, *range(self.seat)]) if option == 4 else None


class Table(Part):
    taken: tuple[int, ...] = public()
    now: list[int] = public(each=7, per_turn=True)


class PlaceTaken(ttr.Event):
    place: int

    def apply(self, state: State) -> None:
        state.part(Table).taken += (self.place,)
        state.part(Table).now[0] = self.place


class Places(Variant, name="places"):
    """Places: one after the other takes a place, and at each claim once more."""

    @hookimpl
    def parts(self, rules: Rules) -> tuple[type[Part], ...]:
        return (Table,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return tx.in_turn(Place)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        tx.grant_turn(seat)
        return Place(seat)


def test_one_seat_after_the_other_is_asked() -> None:
    game = ttr.new_game("europe", Places, players=3, seed=1, first_seat=1)
    for seat in range(3):
        game.play(game.legal_actions(seat)[0])
    asked = []
    for option in (3, 4, 0, 1, 2):
        (seat,) = game.to_act
        asked.append(seat)
        assert list(game.legal_actions(seat)) == [
            Place(seat).choose(place) for place in Place(seat).options(game.state)
        ]
        game = ttr.loads(ttr.dumps(game), rules=game.rules)
        assert ttr.determinize(game.view(0), game.rules, 1).view(0) == game.view(0)
        game.play(Place(seat).choose(option))
        if option == 2:
            break
    assert asked == [1, 2, 2, 0, 1], "the answer of seat 2 asks seats 2, 0 and 1 before seat 0 comes"
    assert game.state.part(Table).taken == (3, 4, 0, 1, 2)


def test_fields_of_a_turn_begin_anew_with_each() -> None:
    players = [{"name": name, "hand": {"white": 3, "red": 3}} for name in ("Ada", "Bo")]
    game = ttr.arrange(ttr.compile_rules("europe", Places), {"seed": 1, "players": players})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert game.state.part(Table).now == [7, 7]
    game.play(Place(0).choose(2))
    assert (game.state.part(Table).now, game.to_act) == ([7, 7], (0,)), "a granted turn is a turn too"
    assert game.state.part(Table).taken == (2,)
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state
    with pytest.raises(PluginError, match="leave out per_turn=True"):
        public(pool="tickets", per_turn=True)
    with pytest.raises(PluginError, match="resets a field with per_turn=True: leave out key="):
        public(default=0, key="announced", per_turn=True)


def test_what_has_been_drawn_of_a_deck_is_left_out() -> None:
    tx = Transaction(ttr.new_game("europe", players=2, seed=1).state)
    assert sorted(tx.shuffled((1, 1, 2, 3, 3), without=(1, 3, 3))) == [1, 2]
    assert tx.shuffled((1,), without=[1]) == ()


# -- sealed choices among secrets --------------------------------------------------------------------------------

LEADERS = tuple("abcdefghijkl")


class Leaders(Part):
    """The cards that each seat chooses from, those that it has kept, and the rest."""

    pack: list[tuple[str, ...] | Unknown] = by_seat(pool="leaders")
    kept: list[tuple[str, ...] | Unknown] = by_seat(pool="leaders")
    pile: tuple[str, ...] | Unknown = hidden(default=LEADERS, pool="leaders")

    def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return {"leaders": LEADERS}


class LeadersDealt(Event):
    seat: int
    leaders: tuple[str, ...] | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        part, leaders = state.part(Leaders), known(self.leaders)
        part.pack[self.seat], part.pile = leaders, tuple(card for card in known(part.pile) if card not in leaders)


class LeaderKept(Event):
    seat: int
    leader: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        part, leader = state.part(Leaders), known(self.leader)
        pack = known(part.pack[self.seat])
        if leader not in pack:
            raise AssertionError(leader)
        part.pack[self.seat] = tuple(card for card in pack if card != leader)
        part.kept[self.seat] = (*known(part.kept[self.seat]), leader)


class KeepLeader(Choice[str]):
    """A secret choice among the cards of a secret pack, twice."""

    sealed = True
    message = "Which leader do you keep?"

    def options(self, state: State) -> Sequence[str]:
        return known(state.part(Leaders).pack[self.seat])

    def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> Question | None:
        for seat, leader in answers.items():
            tx.emit(LeaderKept, seat, leader)
        return [KeepLeader(seat) for seat in answers if len(known(tx.state.part(Leaders).kept[seat])) == 1]


class LeadersVariant(Variant, name="leaders"):
    """Leaders: everybody keeps two of three cards."""

    @hookimpl
    def parts(self, rules: Rules) -> Sequence[type[Part]]:
        return (Leaders,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question | None:
        cards = tx.shuffled(LEADERS)
        for seat in range(tx.state.players):
            tx.emit(LeadersDealt, seat, cards[3 * seat : 3 * seat + 3])
        return [KeepLeader(seat) for seat in range(tx.state.players)]


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("seed", [4, 5])
def test_sealed_answers_among_secrets_of_a_pool_are_checked_in_worlds_that_fit(seed: int) -> None:
    skip = ["planner", "processes"]
    assert "properties hold" in str(check_variant("europe", LeadersVariant, players=4, games=1, seed=seed, skip=skip))


class Told(Event):
    message = "{seat} has {leader}"

    seat: int
    leader: str

    def apply(self, state: State) -> None: ...


class NameColor(Choice[str]):
    """A sealed choice that everybody sees at last, and with it something that nobody may know."""

    sealed = True
    public = True
    message = "Which color do you name?"

    def options(self, state: State) -> Sequence[str]:
        return ("red", "white")

    def all_chosen(self, tx: Transaction, answers: Mapping[int, str]) -> Question | None:
        for seat in answers:
            tx.emit(Told, seat, known(tx.state.part(Leaders).pack[seat])[0])
        return None


class Indiscreet(LeadersVariant, name="indiscreet"):
    """Indiscreet: everybody names a color, and a secret card is told."""

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question | None:
        super().on_game_start(tx)
        return [NameColor(seat) for seat in range(tx.state.players)]


def test_a_secret_told_when_sealed_answers_are_opened_is_found() -> None:
    with pytest.raises(VariantError, match="the event .*Told tells seat . what it cannot know"):
        check_variant("europe", Indiscreet, players=3, games=2, seed=4, skip=all_but("secrets"))
