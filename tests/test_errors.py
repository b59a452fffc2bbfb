"""Bad input: whatever a caller gives, one `TTRError` with a message for a person, and the game is as it was."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import attrs
import pytest
from helpers import keep_all, rules_of
from playing import frozen, label
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Event
from ttr_rules.clients import json_schema
from ttr_rules.errors import GameOverError, InvalidTableError, MapError, NotYourTurnError, PluginError, SaveError
from ttr_rules.graph import longest_path
from ttr_rules.model import Card, Color, Cost, TicketSetup
from ttr_rules.parts import Position, Report
from ttr_rules.plugins import ActionRule, Part, Rules, Transaction, Variant, hookimpl
from ttr_variants.europe.stations import BuildStation


def ready(stack: str = "europe", players: int = 3) -> ttr.Game:
    """A game in its first turn, seat 0 to act."""
    game = ttr.new_game(stack, players=players, seed=2, first_seat=0)
    keep_all(game)
    return game


def readable(error: BaseException) -> str:
    """The message of an error, which must be for a person."""
    message = str(error)
    assert len(message) > 8
    assert "Traceback" not in message and "\n    " not in message
    return message


def told(call: Callable[[], object], kind: type[ttr.TTRError] = ttr.TTRError) -> str:
    with pytest.raises(ttr.TTRError) as caught:
        call()
    assert isinstance(caught.value, kind), repr(caught.value)
    return readable(caught.value)


def unplayable(game: ttr.Game, action: ttr.Action, rule: str | None = None) -> str:
    """An action that is refused everywhere and changes nothing; the message."""
    before, moves, seats = frozen(game.state), game.moves, game.to_act
    refusal = game.refusal(action)
    assert refusal is not None, f"{action} is legal"
    if rule is not None:
        assert refusal.rule == rule, refusal
    assert not game.is_legal(action)
    with pytest.raises(ttr.IllegalActionError) as caught:
        game.play(action)
    assert caught.value.refusal == refusal
    assert caught.value.action == action
    assert not hasattr(caught.value, "state")  # it would hold every secret
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == f"[{refusal.rule}] {refusal.reason}"
    assert (frozen(game.state), game.moves, game.to_act) == (before, moves, seats)
    return readable(caught.value)


# -- set-up ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    "players",
    [
        0, 1, 6, -2, 10**9, "x", "23", "", True, False, None, 2.0, float("nan"), [], ["Ada"], ["a"] * 6, list("abcdef"),
        ["Ada", "Ada"], ["Ada", ""], ["Ada", "  "], ["Ada", None], ["Ada", 5], ["Ada", ["Isambard"]], [["a"], ["b"]],
        {"Ada", "Isambard"}, {"Ada": 1, "Isambard": 2}, object(), b"ab", range(3), lambda: 2,
    ],
    ids=label,
)  # fmt: skip
def test_players_that_cannot_be(players: Any) -> None:
    told(lambda: ttr.new_game("europe", players=players, seed=1), ttr.InvalidInputError)
    told(lambda: ttr.playout(rules_of("europe"), players, 1), ttr.InvalidInputError)


@pytest.mark.rule("S1")
@pytest.mark.parametrize("players", [0, 1, 6, ["Ada"], list("abcdef")])
def test_the_wrong_number_of_players_is_told_with_the_right_ones(players: Any) -> None:
    message = told(lambda: ttr.new_game("europe", players=players, seed=1))
    assert "2 to 5" in message and "S1" in message


def test_the_caller_keeps_the_list_of_names() -> None:
    names = ["Ada", "Isambard"]
    game = ttr.new_game("europe", players=names, seed=1)
    names[0] = "Somebody else"
    assert game.players == ("Ada", "Isambard")


@pytest.mark.parametrize("seed", [1.5, True, [1], {}, object(), b"x", ("a",), 10**5000, "\ud800"], ids=label)
def test_seeds_that_cannot_be(seed: Any) -> None:
    """A seed is a whole number or a text. One that cannot be used is refused at once."""
    if isinstance(seed, int | str) and not isinstance(seed, bool):
        try:
            game = ttr.new_game("europe", players=2, seed=seed)
        except ttr.TTRError as error:
            readable(error)
        else:
            assert ttr.loads(ttr.dumps(game)) == game
    else:
        told(lambda: ttr.new_game("europe", players=2, seed=seed), ttr.InvalidInputError)
        told(lambda: ttr.playout(rules_of("europe"), 2, seed), ttr.InvalidInputError)


@pytest.mark.parametrize("seed", [0, -1, 2**64, -(2**200), "", "Zürich → 東京", "x" * 200])
def test_numbers_and_texts_are_seeds(seed: int | str) -> None:
    game = ttr.new_game("europe", players=2, seed=seed)
    assert ttr.loads(ttr.dumps(game)) == game
    assert ttr.new_game("europe", players=2, seed=seed) == game


@pytest.mark.rule("S5")
@pytest.mark.parametrize("seat", [-1, 3, 99, "0", 0.0, True, [0], object()], ids=label)
def test_a_first_seat_that_cannot_be(seat: Any) -> None:
    message = told(lambda: ttr.new_game("europe", players=3, seed=1, first_seat=seat), ttr.InvalidInputError)
    assert "first_seat" in message


@pytest.mark.parametrize(
    "stack", [("europ",), ("",), ("europe", "dicee"), ("europe", "north-america"), (5,), (None,), (["europe"],), ()]
)
def test_stacks_that_cannot_be(stack: tuple[Any, ...]) -> None:
    told(lambda: ttr.compile_rules(*stack), PluginError)
    told(lambda: ttr.new_game(*stack, players=2, seed=1), PluginError)


def test_a_stack_that_does_not_agree_with_the_rules_given() -> None:
    rules = rules_of("europe")
    message = told(lambda: ttr.new_game("north-america", rules=rules, players=2), ttr.InvalidInputError)
    assert "north-america" in message and "europe" in message
    told(lambda: ttr.new_game(rules=rules, board=rules.board, players=2), ttr.InvalidInputError)
    told(lambda: ttr.new_game(rules=rules, rulings={}, players=2), ttr.InvalidInputError)
    assert ttr.new_game("europe", rules=rules, players=2, seed=1).rules is rules
    others: tuple[Any, ...] = ("europe", 5, rules.board)
    for wrong in others:
        told(lambda: ttr.new_game(rules=wrong, players=2, seed=1))


# -- whose turn --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S5")
@pytest.mark.parametrize("seat", [1, 2, 3, -1, 99, "0", None, 0.0, True, [0], {}])
def test_an_action_of_a_seat_that_is_not_asked(seat: Any) -> None:
    game = ready()
    message = unplayable(game, ttr.DrawBlind(seat), "S5")
    assert "seat 0" in message
    with pytest.raises(NotYourTurnError):
        game.play(ttr.DrawBlind(seat))


@pytest.mark.rule("S7")
def test_at_set_up_a_seat_answers_once() -> None:
    game = ttr.new_game("europe", players=3, seed=1)
    answer = game.legal_actions(1)[0]
    game.play(answer)
    unplayable(game, answer, "S5")
    unplayable(game, ttr.DrawBlind(0), "S8")
    assert game.to_act == (0, 2)


@pytest.mark.parametrize("seat", [1, 2])
def test_a_seat_that_is_not_asked_has_no_legal_actions_and_no_decision(seat: int) -> None:
    game = ready()
    assert tuple(game.legal_actions(seat)) == ()
    assert game.decision(seat) is None


@pytest.mark.parametrize("seat", [3, -1, True, False, "0", 1.5, 0.0, [0], 10**5000], ids=label)
def test_what_is_no_seat_at_the_table_is_refused_wherever_one_is_named(seat: Any) -> None:
    """Not taken for another one that it equals, such as True for 1."""
    game = ready()
    for call in (game.view, game.legal_actions, game.decision, lambda seat: game.events_since(0, seat)):
        message = told(lambda: call(seat), ttr.InvalidInputError)
        assert "a seat is one of 0 to 2" in message


@pytest.mark.parametrize("rules", ["europe", None, {"stack": ["europe"]}, ttr.Rules], ids=label)
def test_clients_data_needs_compiled_rules(rules: Any) -> None:
    game = ready()
    for call in (
        lambda: json_schema(rules),
        lambda: ttr.to_json(rules, game.view(0)),
        lambda: ttr.to_json(rules, ttr.DrawBlind(0)),
        lambda: ttr.action_from_json(rules, {"type": "core.DrawBlind", "seat": 0}),
    ):
        assert "expected rules, as compile_rules gives them" in told(call, ttr.InvalidInputError)


def test_without_a_seat_it_must_be_clear_who_is_meant() -> None:
    game = ttr.new_game("europe", players=3, seed=1)
    with pytest.raises(ValueError, match="0, 1, 2") as caught:
        game.legal_actions()
    assert isinstance(caught.value, ttr.TTRError)
    keep_all(game)
    assert game.legal_actions() == game.legal_actions(game.to_act[0])


@pytest.mark.rule("E1")
def test_nothing_is_played_after_the_end() -> None:
    game, random = ttr.new_game("north-america", players=2, seed=1), Random(1)
    while game.to_act:
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[random.randrange(len(choices))])
    assert tuple(game.legal_actions()) == ()
    scores = game.final_scores
    for action in (ttr.DrawBlind(0), ttr.Pass(1), ttr.DrawTickets("x"), ttr.ClaimRoute(7, "nowhere", {})):  # type: ignore[arg-type]
        unplayable(game, action, "E1")
        with pytest.raises(GameOverError):
            game.play(action)
    assert game.final_scores == scores


# -- actions of another game, board or moment ------------------------------------------------------------------------------------


def test_actions_of_another_board_are_refused() -> None:
    game = ready("north-america")
    unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}), "C3")
    unplayable(game, BuildStation(0, "paris", {"red": 1}), "S8")
    unplayable(ready(), ttr.ClaimRoute(0, "boston-montreal-gray-1", {"red": 2}), "C3")


def test_actions_of_another_game_are_refused() -> None:
    """Tickets that another game dealt are not among those to choose from here."""
    game, other = (ttr.new_game("europe", players=2, seed=seed) for seed in (1, 2))
    foreign = other.legal_actions(0)[-1]
    assert isinstance(foreign, ttr.KeepTickets)
    unplayable(game, foreign, "V2")


@pytest.mark.rule("S8")
def test_answers_to_another_question_are_refused() -> None:
    game = ready()
    for action in (ttr.PayTunnel(0, {"red": 1}), ttr.AbandonTunnel(0), ttr.KeepTickets(0, ()), ttr.Action(0)):
        unplayable(game, action, "S8")
    unplayable(game, ttr.Pass(0), "R4")
    game.play(ttr.DrawBlind(0))
    for action in (ttr.DrawTickets(0), ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}), ttr.AbandonTunnel(0)):
        unplayable(game, action, "S8")


def test_a_subclass_with_surprises_is_no_action_of_this_game() -> None:
    class Sly(ttr.DrawBlind):
        extra: str = "and the whole pile"

    unplayable(ready(), Sly(0), "S8")


# -- routes, cities, payments ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    "route",
    [
        "",
        "nowhere",
        "frankfurt",
        "frankfurt-paris",
        "frankfurt-paris-pink",
        None,
        5,
        b"x",
    ],
    ids=label,
)
def test_a_route_that_is_not_there(route: Any) -> None:
    game = ready()
    message = unplayable(game, ttr.ClaimRoute(0, route, {"white": 3}))
    assert repr(route) in message or str(route) in message


@pytest.mark.rule("S8")
@pytest.mark.parametrize("city", ["", "atlantis", "Paris", None, 5, b"paris"], ids=label)
def test_a_city_that_is_not_there(city: Any) -> None:
    message = unplayable(ready(), BuildStation(0, city, {"red": 1}), "S8")
    assert repr(city) in message


@pytest.mark.rule("C1")
def test_cards_that_are_not_in_hand() -> None:
    game = ready()
    hand = ttr.cards(game.state).hands[0]
    for card in Card:
        payment: dict[str, int] = {card: 3}
        if hand[card] < 3:
            unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", payment), "C1")
        unplayable(game, BuildStation(0, "paris", {card: hand[card] + 1}), "B2")
    unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 10**30}), "C1")
    unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"gold": 3}), "C1")
    unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {"gray": 3}), "C1")
    unplayable(game, ttr.ClaimRoute(0, "frankfurt-paris-white", {}), "C1")


@pytest.mark.parametrize(
    "payment",
    [
        None, 5, "red", "", ["red"], [("red", 1)], ("red", "red"), {"red"}, {"red": -1}, {"red": 1.0}, {"red": True},
        {"red": "1"}, {"red": None}, {5: 1}, {None: 1}, {("red",): 1}, {"red": float("nan")}, {b"red": 1}, {"red": [1]},
    ],
    ids=label,
)  # fmt: skip
def test_a_payment_that_is_no_payment_cannot_be_made(payment: Any) -> None:
    for make in (
        lambda: ttr.ClaimRoute(0, "frankfurt-paris-white", payment),
        lambda: ttr.PayTunnel(0, payment),
        lambda: BuildStation(0, "paris", payment),
    ):
        told(make, ttr.InvalidInputError)


def test_a_payment_cannot_be_changed_after_the_action_is_made() -> None:
    payment = {"red": 1}
    action = BuildStation(0, "paris", payment)
    payment["red"] = 2
    assert action.payment == {"red": 1}
    with pytest.raises(TypeError):
        action.payment["red"] = 5  # type: ignore[index]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        action.city = "wien"  # type: ignore[misc]


@pytest.mark.parametrize("card", ["", "pink", "gray", None, 5, Color.GRAY], ids=label)
def test_a_card_that_does_not_lie_face_up(card: Any) -> None:
    unplayable(ready(), ttr.DrawFaceUp(0, card), "D1")


@pytest.mark.parametrize("tickets", [None, 5, "paris-wien", [5], [None], [["paris", "wien"]], object()], ids=label)
def test_tickets_that_are_no_tickets_cannot_be_chosen(tickets: Any) -> None:
    told(lambda: ttr.KeepTickets(0, tickets), ttr.InvalidInputError)


@pytest.mark.rule("V2", "K1")
def test_tickets_that_were_not_offered_or_are_too_few() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    decision = game.decision(0)
    assert isinstance(decision, TicketSetup)
    other = next(id for id in game.rules.tickets if id not in decision.tickets)
    first, second, *_ = decision.tickets
    for tickets in (
        (),
        (first,),
        (first, first),
        (first, other),
        (first, second, other),
        (first, second, second),
        ("nowhere", first),
    ):
        unplayable(game, ttr.KeepTickets(0, tickets), "V2")
    game = ready()
    game.play(ttr.DrawTickets(0))
    unplayable(game, ttr.KeepTickets(0, ()), "K1")
    unplayable(game, ttr.KeepTickets(0, ("nowhere",)), "K1")


# -- no actions at all ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "thing",
    [None, 5, "DrawBlind", {"type": "DrawBlind", "seat": 0}, ttr.DrawBlind, object(), ("draw",), ttr.Turn(0), []],
    ids=label,
)
def test_something_that_is_no_action(thing: Any) -> None:
    game = ready()
    before = frozen(game.state)
    for call in (game.play, game.refusal, game.is_legal):
        told(lambda: call(thing))
    assert frozen(game.state) == before and len(game.moves) == 4


# -- what an error holds -------------------------------------------------------------------------------------------------


def test_an_error_can_be_sent_to_another_process() -> None:
    with pytest.raises(ttr.IllegalActionError) as caught:
        ready().play(ttr.DrawBlind(1))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is NotYourTurnError
    assert (again.action, again.refusal, str(again)) == (caught.value.action, caught.value.refusal, str(caught.value))
    with pytest.raises(MapError) as wrong:
        ttr.load_board({})
    assert pickle.loads(pickle.dumps(wrong.value)).problems == wrong.value.problems


def test_a_state_that_a_caller_changes_is_not_the_games() -> None:
    game = ready()
    before = frozen(game.state)
    state = game.state
    state.scores[0] = 99
    state.owner[0] = 1
    state.tickets[1] = ()
    state.ticket_piles.clear()
    state.pending = ()
    assert frozen(game.state) == before


class Bribe(ttr.Action):
    """Pay a red card for nothing."""


def test_a_plugin_that_breaks_off_in_the_middle_leaves_the_game_as_it_was() -> None:
    """The fault is told as the plugin's, with its rule and the action; the game goes on as if nothing had happened."""

    class SickRule(ActionRule[ttr.Turn, Bribe]):
        on, action = ttr.Turn, Bribe

        def refusal(self, state: ttr.State, decision: ttr.Turn, action: Bribe) -> ttr.Refusal | None:
            return None

        def perform(self, tx: Transaction, decision: ttr.Turn, action: Bribe) -> None:
            tx.rules.economy.pay(tx, action.seat, Cost("single", 1), ttr.Counts(red=1))
            raise RuntimeError("out of order")

    class Sick(Variant, name="sick"):
        """Sick: it breaks off after the payment."""

        @hookimpl
        def actions(self, rules: Rules) -> list[ActionRule[Any, Any]]:
            return [SickRule()]

    position = {
        "players": [{"name": "Ada", "hand": {"red": 3}, "routes": ["frankfurt-paris-white"]}, {"name": "Bo"}],
        "seed": 1,
    }
    game = ttr.arrange(ttr.compile_rules("europe", Sick), position)
    before = frozen(game.state)
    assert Bribe(0) in list(game.legal_actions())
    told = r"^plugin 'sick' failed in .*SickRule\.perform \(test_errors\.py, line \d+\), when Bribe\(seat=0\) was played: RuntimeError: out of order"
    with pytest.raises(PluginError, match=told):
        game.play(Bribe(0))
    assert frozen(game.state) == before and len(game.moves) == 1


def sick_game(**hooks: Callable[..., object]) -> ttr.Game:
    stack = ttr.compile_rules("europe", plugin("sick", (), __name__, **hooks))
    return ttr.arrange(stack, {"seed": 1, "players": [{"hand": {"white": 3}}, {}]})


WHITE = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})


@pytest.mark.parametrize(
    ("hook", "play", "when"),
    [
        ("claim_refusal", ttr.Game.legal_actions, "when legal actions were looked for"),
        ("claim_cost", ttr.Game.legal_actions, "when legal actions were looked for"),
        ("claim_refusal", lambda game: game.offer(0), "when legal actions were looked for"),
        ("claim_refusal", lambda game: game.payments(WHITE), r"when payments for ClaimRoute\(.*\) were looked for"),
        ("claim_refusal", lambda game: game.refusal(WHITE), r"when ClaimRoute\(.*\) was checked"),
        ("claim_refusal", lambda game: game.view(0), "when a view was made"),
        ("claim_points", lambda game: game.play(WHITE), r"when ClaimRoute\(.*\) was played"),
        ("on_claim", lambda game: game.play(WHITE), r"when ClaimRoute\(.*\) was played"),
        ("on_turn_end", lambda game: game.play(WHITE), r"when ClaimRoute\(.*\) was played"),
        ("on_deal", lambda game: ttr.new_game(rules=game.rules, players=2, seed=1), "when a game was set up"),
        ("loans", lambda game: ttr.playout(game.rules, players=2, seed=1), "in the playout 1"),
        ("loans", lambda game: ttr.score(game.rules, {"players": [{}, {}]}), "when a table was scored"),
    ],
)  # fmt: skip
def test_a_hook_that_fails_in_a_game_is_told_as_the_plugins(
    hook: str, play: Callable[[ttr.Game], object], when: str
) -> None:
    def fails(*_: object) -> Any:
        return dict[str, int]()["nosuch"]

    game = sick_game(**{hook: fails})
    with pytest.raises(
        PluginError,
        match=rf"^plugin 'sick' failed in .*\.fails \(test_errors\.py, line \d+\), {when}: KeyError: 'nosuch'",
    ):
        play(game)
    assert game.played == 0


@pytest.mark.parametrize(
    ("hook", "answer", "play", "needed"),
    [
        ("claim_refusal", "no", ttr.Game.legal_actions, "a Refusal, or None, not 'no'"),
        ("claim_refusal", True, lambda game: game.refusal(WHITE), "a Refusal, or None, not True"),
        ("closed_routes", [WHITE], ttr.Game.legal_actions, r"the numbers of routes, as in rules\.network\.route_ids, .*, not \[Claim"),
        ("closed_routes", None, ttr.Game.legal_actions, "the numbers of routes, .*, not None"),
        ("closed_routes", {-1}, lambda game: game.view(0), r"the numbers of routes, .*, not \[-1\]"),
        ("closed_routes", {101}, ttr.Game.legal_actions, r"the numbers of routes, .*, not \[101\]"),
        ("closed_routes", 1 << 101, ttr.Game.legal_actions, "the numbers of routes, .*, or their mask, not 2535"),
        ("claim_cost", 3, ttr.Game.legal_actions, "a Cost in place of .*, not 3"),
        ("claim_points", None, lambda game: game.play(WHITE), "whole numbers of points by seat, {seat: points}, not None"),
        ("claim_points", {0: "3"}, lambda game: game.play(WHITE), "whole numbers of points by seat, .*, not {0: '3'}"),
        ("claim_points", {2: 3}, lambda game: game.play(WHITE), "whole numbers of points by seat, .*, not {2: 3}"),
        ("ticket_points", 2.5, lambda game: ttr.playout(game.rules, players=2, seed=1), "a whole number of points, not 2.5"),
        ("may_pass", "no", ttr.Game.legal_actions, "True or False, not 'no'"),
        ("may_pass", None, lambda game: game.refusal(ttr.Pass(0)), "True or False, not None"),
        ("loans", [WHITE], lambda game: ttr.score(game.rules, {"players": [{}, {}]}), "several of Loan, not Claim"),
        ("ticket_routes", None, lambda game: ttr.score(game.rules, {"players": [{}, {}]}), "several of str, not None"),
        ("never_hidden", 3, lambda game: ttr.determinize(game.view(0), game.rules, 1), "several of str, not 3"),
        ("next_seat", 2.0, lambda game: game.play(WHITE), r"a seat, 0 to 1, not 2\.0"),
        ("on_claim", "north", lambda game: game.play(WHITE), "a question, not 'north': a question is a decision"),
        ("on_turn_end", 3, lambda game: game.play(WHITE), "a question, not 3: a question is a decision"),
    ],
)  # fmt: skip
def test_a_hook_that_answers_with_something_else_in_a_game_is_named_with_what_it_must_give(
    hook: str, answer: object, play: Callable[[ttr.Game], object], needed: str
) -> None:
    hooks = {"claim_refusal": lambda *_: None, hook: lambda *_: answer}
    game = sick_game(**hooks)
    with pytest.raises(PluginError, match=rf"^{hook} of plugin 'sick' must give {needed}"):
        play(game)
    assert game.played == 0


def test_routes_that_fail_while_they_are_given_are_told_as_any_failure() -> None:
    game = sick_game(claim_refusal=lambda *_: None, closed_routes=lambda *_: (each + 1 for each in "ab"))  # type: ignore[operator]
    with pytest.raises(PluginError, match=r"^plugin 'sick' failed in .*: TypeError: can only concatenate str"):
        game.legal_actions()


def test_what_a_plugin_got_by_a_wrong_call_is_told_with_its_name() -> None:
    game = sick_game(on_claim=lambda tx, seat, route, points: tx.use_cars(seat, 99))
    with pytest.raises(
        PluginError,
        match=r"^plugin 'sick' failed in .*, when ClaimRoute\(.*\) was played: a plugin of europe \+ sick takes 99",
    ):
        game.play(WHITE)
    game = sick_game(on_claim=lambda tx, seat, route, points: tx.rules.board.find_routes("paris", "nowhere"))
    with pytest.raises(PluginError, match=r"^plugin 'sick' failed in .*, when ClaimRoute\(.*\) was played: no city"):
        game.play(WHITE)
    assert game.played == 0


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ((2, 1, "tolls"), r"tx.score\(2, 1, 'tolls'\): the seats are 0 to 1"),
        ((-1, 1, "tolls"), "the seats are 0 to 1"),
        (("tolls", 0, 1), r"tx.score\('tolls', 0, 1\): the seats are 0 to 1"),
        ((0, "tolls", 1), "points are a whole number"),
        ((0, 1.5, "tolls"), "points are a whole number"),
        ((0, 1, None), r"tx.score\(0, 1, None\): the term is the name of one of points_in_play"),
    ],
)
def test_points_that_cannot_be_scored_are_told_with_the_call(given: tuple[Any, Any, Any], problem: str) -> None:
    game = sick_game(on_claim=lambda tx, seat, route, points: tx.score(*given))
    calls = rf"a plugin of europe \+ sick calls .*{problem}"
    if ttr.compiled and not all(isinstance(value, kind) for value, kind in zip(given, (int, int, str), strict=True)):
        calls = "TypeError: "  # of the compiled method itself
    with pytest.raises(PluginError, match=rf"^plugin 'sick' failed in .*{calls}"):
        game.play(WHITE)
    assert game.played == 0


def test_a_hook_that_fails_in_a_position_is_told_as_the_plugins() -> None:
    with pytest.raises(
        PluginError, match="^plugin 'sick' failed in .*, when a position was arranged: ZeroDivisionError"
    ):
        sick_game(on_turn_start=lambda tx, seat: 1 // 0)


class Careless(Variant, name="careless"):
    """Careless: it fails when a turn begins."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        raise RuntimeError("not today")


class Careful(Variant, name="careful"):
    """Careful: from the same module as one that fails."""


@pytest.mark.parametrize("stack", [(Careless, Careful), (Careful, Careless)])
def test_of_two_plugins_in_one_module_the_one_that_failed_is_named(stack: tuple[type[Variant], ...]) -> None:
    with pytest.raises(PluginError, match=r"^plugin 'careless' failed in Careless\.on_turn_start \("):
        ttr.arrange(ttr.compile_rules("europe", *stack), {"players": [{}, {}]})


def test_plugins_of_one_module_are_all_named_where_a_function_beside_them_fails() -> None:
    failing = plugin("sick", (), __name__, on_turn_start=lambda tx, seat: 1 // 0)
    rules = ttr.compile_rules("europe", Careful, failing)
    with pytest.raises(PluginError, match=r"^plugin '(careful or sick|sick or careful)' failed in "):
        ttr.arrange(rules, {"players": [{}, {}]})


def test_a_die_without_faces_is_the_plugins_and_what_a_chance_object_raises_is_not() -> None:
    class Broken:
        def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
            return items

        def roll(self, faces: Sequence[Any]) -> Any:
            raise RuntimeError("the die fell off the table")

    def rolling(*faces: int) -> ttr.Rules:
        return ttr.compile_rules("europe", plugin("sick", (), __name__, on_turn_start=lambda tx, seat: tx.roll(faces)))

    with pytest.raises(
        PluginError, match="^plugin 'sick' failed in .*, when a position was arranged: ZeroDivisionError"
    ):
        ttr.arrange(rolling(), {"seed": 1, "players": [{}, {}]})
    with pytest.raises(RuntimeError, match="fell off"):
        ttr.arrange(rolling(1, 2), {"players": [{}, {}]}, chance=Broken())


class Illegible(Event):
    seat: int

    def apply(self, state: ttr.State) -> None:
        """Nothing changes."""

    def seen_by(self, seat: int | None) -> Any:
        raise RuntimeError("too small")


class Unreadable(Part):
    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        raise RuntimeError("smudged")


def test_an_event_and_a_part_that_fail_are_told_as_the_plugins() -> None:
    game = sick_game(on_turn_start=lambda tx, seat: tx.emit(Illegible, seat))
    with pytest.raises(
        PluginError, match=r"^plugin 'sick' failed in Illegible\.seen_by .*, when messages were made: Runtime"
    ):
        game.messages(None, 0)
    rules = ttr.compile_rules("europe", plugin("sick", (), __name__, parts=lambda rules: [Unreadable]))
    for read in (ttr.arrange, ttr.score):
        with pytest.raises(PluginError, match=r"failed in Unreadable\.arrange .*, when a table was read: RuntimeError"):
            read(rules, {"players": [{}, {}]})


@pytest.mark.parametrize("hook", ["claim_refusal", "claim_cost"])
def test_a_key_that_cannot_be_hashed_is_told_as_the_plugins(hook: str) -> None:
    game = sick_game(
        claim_key=lambda state, seat: [seat],
        **{hook: lambda *given: given[3] if given[3:] and given[0].round else None},
    )
    with pytest.raises(PluginError, match=r"^claim_key of plugin 'sick' must give a number, a text or a tuple"):
        game.legal_actions()


# -- saved games, tables, positions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "null", '"x"', "{}", '{"format": 1}', "\x00", "[" * 100_000], ids=label
)
def test_a_text_that_is_no_saved_game(text: str) -> None:
    told(lambda: ttr.loads(text), SaveError)


@pytest.mark.parametrize("text", [None, 5, b"\xff", ["x"], object()], ids=label)
def test_something_that_is_no_text_is_no_saved_game(text: Any) -> None:
    told(lambda: ttr.loads(text), SaveError)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "another format": lambda d: {**d, "format": 99},
    "a format that is no number": lambda d: {**d, "format": "1"},
    "an unknown plugin": lambda d: {**d, "stack": [["europ", {}]]},
    "no stack": lambda d: {**d, "stack": []},
    "a stack that is a text": lambda d: {**d, "stack": "europe"},
    "a stack of numbers": lambda d: {**d, "stack": [5]},
    "options that are a text": lambda d: {**d, "stack": [["europe", "x"]]},
    "an unknown ruling": lambda d: {**d, "rulings": {"no_such_ruling": True}},
    "rulings that are a list": lambda d: {**d, "rulings": [1]},
    "rulings that are a number": lambda d: {**d, "rulings": 7},
    "players that are a text": lambda d: {**d, "players": "AB"},
    "no players": lambda d: {**d, "players": []},
    "too few players": lambda d: {**d, "players": d["players"][:1]},
    "players that are numbers": lambda d: {**d, "players": [1, 2, 3]},
    "two players of one name": lambda d: {**d, "players": ["A", "A", "A"]},
    "a seed that is a list": lambda d: {**d, "seed": [1]},
    "no seed": lambda d: {**d, "seed": None},
    "no moves": lambda d: {**d, "moves": []},
    "moves that are a text": lambda d: {**d, "moves": "x"},
    "a move that is a number": lambda d: {**d, "moves": [5]},
    "moves without the set-up": lambda d: {**d, "moves": d["moves"][1:]},
    "a move without its events": lambda d: {**d, "moves": [{**d["moves"][0], "events": []}, *d["moves"][1:]]},
    "an event of an unknown type": lambda d: {**d, "moves": [{**d["moves"][0], "events": [{"type": "core.Nothing"}]}]},
    "an event without a type": lambda d: {**d, "moves": [{**d["moves"][0], "events": [{}]}]},
    "chance calls that are a text": lambda d: {**d, "moves": [{**d["moves"][0], "chance_calls": "x"}]},
    "chance calls below zero": lambda d: {**d, "moves": [*d["moves"][:-1], {**d["moves"][-1], "chance_calls": -1}]},
}  # fmt: skip


@pytest.mark.parametrize("how", CHANGES)
def test_a_saved_game_that_was_changed(how: str) -> None:
    document = json.loads(ttr.dumps(ready()))
    told(lambda: ttr.loads(json.dumps(CHANGES[how](document))), SaveError)


def test_a_saved_game_cut_short_anywhere() -> None:
    text = ttr.dumps(ready())
    for end in range(0, len(text) - 1, 97):
        told(lambda: ttr.loads(text[:end]), SaveError)


def test_a_saved_game_without_its_last_moves_is_the_game_before_them() -> None:
    game = ready()
    text = ttr.dumps(game)
    copy = game.copy()
    game.play(ttr.DrawTickets(0))
    document = json.loads(ttr.dumps(game))
    document["moves"] = document["moves"][:-1]
    assert ttr.loads(json.dumps(document)) == copy == ttr.loads(text)


@pytest.mark.parametrize(
    "table", [None, 5, "europe", [], {}, {"stack": ["europe"]}, {"stack": "europe", "players": 3}, {"stack": ["europ"], "players": []},
              {"stack": ["europe"], "players": "AB"}, {"stack": ["europe"], "players": [1, 2]}, {"stack": [5], "players": []}], ids=label
)  # fmt: skip
def test_a_table_or_position_that_is_none(table: Any) -> None:
    told(lambda: ttr.score(None, table))
    told(lambda: ttr.arrange(None, table))


def test_all_mistakes_of_a_position_are_told_at_once() -> None:
    position = {
        "stack": ["europe"], "to_act": "Nobody", "seed": 1.5, "face_up": ["pink"],
        "players": [
            {"name": "Ada", "routes": ["nowhere"], "tickets": [["paris", "atlantis"]], "hand": {"red": -1}},
            {"name": "Ada", "stations": ["atlantis"], "surprise": 1},
        ],
    }  # fmt: skip
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(None, position)
    text = readable(caught.value)
    for word in ("Nobody", "seed", "nowhere", "atlantis", "Ada", "surprise"):
        assert word in text
    assert len(caught.value.problems) >= 6


@pytest.mark.parametrize(
    "routes", [["nowhere"], [5], [None], "frankfurt-paris-white", [["frankfurt-paris-white"]]], ids=label
)
def test_routes_without_a_longest_path(routes: Any) -> None:
    told(lambda: longest_path(rules_of("europe").board, routes))


def test_errors_can_be_caught_as_one_family() -> None:
    game = ready()
    caught = 0
    for call in (
        lambda: game.play(ttr.DrawBlind(1)),
        lambda: ttr.compile_rules("nothing"),
        lambda: ttr.new_game("europe", players=9),
        lambda: ttr.loads("x"),
        lambda: ttr.score(None, {}),
        lambda: ttr.load_board("/no/such/file.toml"),
        lambda: ttr.load_board({}),
    ):
        try:
            call()
        except ttr.TTRError as error:
            readable(error)
            caught += 1
    assert caught == 7


@pytest.mark.parametrize("board", ["europe", None, 7])
def test_paths_need_a_board(board: Any) -> None:
    with pytest.raises(ttr.InvalidInputError, match="expected a board"):
        longest_path(board, ["berlin-essen-blue"])


@pytest.mark.rule("C1")
def test_one_card_is_one_card() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "players": [{"hand": {"red": 2}}, {}]})
    refusal = game.refusal(ttr.ClaimRoute(0, "budapest-wien-red", {"red": 2}))
    assert str(refusal) == "[C1] this costs 1 card; you paid 2 (2 red)"
