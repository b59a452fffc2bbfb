"""Actions from a client that means no good: refused with a rule id, and the game is as it was."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import attrs
import pytest
from helpers import rules_of
from hypothesis import HealthCheck, given, settings, strategies as st
from official import every_map
from playing import frozen, mutants

import ttr_rules as ttr
from ttr_rules.errors import NotYourTurnError, OutdatedActionError
from ttr_rules.model.decisions import replace
from ttr_tools.testing.runs import Picks

TRIED = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def moments(
    stack: tuple[str, ...], seed: int, players: int = 3, actions: int = 60
) -> Iterator[tuple[ttr.Game, ttr.Action]]:
    """Moments of a game, each with an action that is legal in it and is played afterwards."""
    game, picks = ttr.new_game(rules=rules_of(*stack), players=players, seed=seed), Picks(seed)
    for _ in range(actions):
        if not game.to_act:
            return
        action = picks.action(game.legal_actions(picks.seat(game)))
        yield game, action
        game.play(action)


def unchanged(
    game: ttr.Game, *actions: ttr.Action, error: type[ttr.TTRError] = ttr.IllegalActionError
) -> list[ttr.Refusal]:
    """The refusals of some actions; nothing changes, nothing else is raised."""
    before, moves, seen = frozen(game.state), game.moves, game.view(0)
    refusals: list[ttr.Refusal] = []
    for action in actions:
        refusal = game.refusal(action)
        assert refusal is not None and refusal.rule and refusal.reason, f"{action!r} is not refused"
        with pytest.raises(error) as caught:
            game.play(action)
        assert caught.value.refusal == refusal  # type: ignore[attr-defined]
        with pytest.raises(ttr.IllegalActionError):
            game.rules.play(game.state, action)
        refusals.append(refusal)
    assert (frozen(game.state), game.moves, game.view(0)) == (before, moves, seen), actions
    return refusals


# -- the same for every official stack -----------------------------------------------------------------------------


@pytest.mark.slow_cases("europe+dice", "united-kingdom", "nordic-countries", "germany-tickets")
@pytest.mark.rule("S5", "S8")
@every_map
@TRIED
@given(st.integers(0, 2**32))
def test_an_action_of_another_seat_or_another_moment_is_refused(stack: tuple[str, ...], seed: int) -> None:
    """Of a seat that is not asked; and every action once more after it was played, unless it is legal again."""
    old: list[ttr.Action] = []
    for game, action in moments(stack, seed):
        nobody = (-1, 3, 10**30)[game.played % 3]
        foreign = [replace(action, seat=seat) for seat in {nobody, *range(3)} - set(game.to_act)]
        assert {refusal.rule for refusal in unchanged(game, *foreign, error=NotYourTurnError)} == {"S5"}
        refused = [each for each in old[-3:] if game.refusal(each) is not None]
        unchanged(game, *refused)
        assert all(each in game.legal_actions(each.seat) for each in old[-3:] if each not in refused)
        old.append(action)


@pytest.mark.slow_cases("united-kingdom", "europe", "germany-tickets")
@pytest.mark.rule("S8")
@every_map
@TRIED
@given(st.integers(0, 2**32))
def test_a_forged_action_is_refused_and_changes_nothing(stack: tuple[str, ...], seed: int) -> None:
    random = Random(seed)
    for game, action in moments(stack, seed, actions=25):
        forged = [each for each in mutants(game, action, random) if game.refusal(each) is not None]
        unchanged(game, *random.sample(forged, min(8, len(forged))))


@pytest.mark.rule("S8")
@every_map
def test_an_action_of_a_class_that_the_rules_do_not_know_is_refused(stack: tuple[str, ...]) -> None:
    """Also of one derived from an action that is legal now."""
    kinds: set[type[ttr.Action]] = set()
    for game, action in moments(stack, seed=3, actions=40):
        if type(action) in kinds:
            continue
        kinds.add(type(action))
        derived = type(f"My{type(action).__name__}", (type(action),), {})
        values = {field.alias: getattr(action, field.name) for field in attrs.fields(type(action))}
        (refusal,) = unchanged(game, derived(**values))
        assert refusal.rule == "S8" and f"My{type(action).__name__}" in refusal.reason
    assert len(kinds) >= 4


#: Values of simple types that are none of a field's own: mistakes that programs make.
WRONG: tuple[Any, ...] = (
    None,
    0,
    7,
    2.5,
    True,
    "x",
    b"red",
    (),
    ("x",),
    [],
    ["x"],
    [["x"]],
    {},
    {"x": 1},
    {"x": ["y"]},
    [None],
)


@every_map
def test_a_field_of_the_wrong_type_changes_nothing(stack: tuple[str, ...]) -> None:
    """Type checkers find it. A program that is not checked gets a refusal, or the error of Python, and the game goes on."""
    kinds: set[type[ttr.Action]] = set()
    tried = 0
    for game, action in moments(stack, seed=3, actions=40):
        if type(action) in kinds:
            continue
        kinds.add(type(action))
        legal = list(game.legal_actions(action.seat))
        before, moves = frozen(game.state), game.moves
        for field in attrs.fields(type(action)):
            for wrong in WRONG:
                with contextlib.suppress(ttr.InvalidInputError):
                    changed = replace(action, **{field.name: wrong})
                    if changed not in legal:
                        with pytest.raises((ttr.TTRError, TypeError, AttributeError, KeyError, ValueError)):
                            game.play(changed)
                        assert (frozen(game.state), game.moves) == (before, moves)
                        tried += 1
    assert len(kinds) >= 4 and tried > 20


@pytest.mark.pure
def test_a_mistake_in_a_rule_is_not_taken_for_one_in_the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ready()

    def stumble(*_: object) -> ttr.Refusal | None:
        raise TypeError("a mistake of mine")

    for rule in game.rules.answers[ttr.Turn].by_action.values():
        monkeypatch.setattr(type(rule), "refusal", stumble)
    with pytest.raises(TypeError, match="a mistake of mine"):
        game.refusal(ttr.DrawBlind(0))


@pytest.mark.parametrize(
    "thing", [None, 5, "DrawBlind", {"type": "train-cards.DrawBlind", "seat": 0}, ttr.DrawBlind, ttr.Turn(0)]
)
def test_what_is_no_action_is_told_as_such(thing: Any) -> None:
    game = ready()
    for call in (game.play, game.refusal, game.is_legal, lambda each: game.rules.play(game.state, each)):
        with pytest.raises(ttr.InvalidInputError, match="expected an action"):
            call(thing)


# -- payments ------------------------------------------------------------------------------------------------------


def ready() -> ttr.Game:
    game = ttr.new_game("europe", players=2, seed=7, first_seat=0)
    for seat in game.to_act:
        game.play(game.legal_actions(seat)[0])
    return game


@pytest.mark.rule("C1")
@pytest.mark.parametrize(
    "payment", [{"red": 10**40}, {"red": 3, "blue": 0}, {"gold": 3}, {"\x00": 1}, {"x" * 10_000: 3}, {}], ids=repr
)
def test_a_payment_that_nobody_has_is_refused(payment: dict[str, int]) -> None:
    game = ready()
    (refusal,) = unchanged(game, ttr.ClaimRoute(0, "frankfurt-paris-white", payment))
    assert len(refusal.reason) < 600


@pytest.mark.parametrize(
    "payment",
    [{"red": True}, {"red": 1.0}, {"red": "1"}, {"red": -1}, {1: 1}, {None: 1}, [("red", 1)]],
    ids=lambda each: str(type(each)),
)
def test_a_payment_of_other_things_than_whole_numbers_is_none(payment: Any) -> None:
    with pytest.raises(ttr.InvalidInputError):
        ttr.ClaimRoute(0, "frankfurt-paris-white", payment)


# -- texts that do harm where errors are written --------------------------------------------------------------------

#: Halves of surrogate pairs cannot be encoded; others move the cursor, begin a new line of a log, or turn it around.
HARMFUL = ["\ud800", "\x1b[2J", "a\nb", "a\rb", "\x9b2J", "\u2028", "\u202e", "\x00", "x" * 100_000]


def harmless(text: str) -> None:
    assert len(text) < 1000
    assert text.isprintable() and text.encode(), ascii(text)


def mentions(action: ttr.Action, text: str) -> Iterator[ttr.Action]:
    """The action with a text in each place that may hold one."""
    for field in attrs.fields(type(action)):
        value = getattr(action, field.name)
        new: list[Any] = []
        if isinstance(value, str):
            new = [text]
        elif isinstance(value, tuple):
            new = [(text,), (*value, text)]
        elif isinstance(value, ttr.Counts):
            new = [{text: 1}, {**value, text: 1}]
        elif isinstance(value, Mapping):
            new = [{text: text}, *({**value, key: text} for key in value)]
        yield from (replace(action, **{field.name: each}) for each in new)


@every_map
def test_what_a_client_wrote_is_harmless_in_the_reason_of_a_refusal(stack: tuple[str, ...]) -> None:
    kinds: set[type[ttr.Action]] = set()
    for game, action in moments(stack, seed=3, actions=40):
        if type(action) in kinds:
            continue
        kinds.add(type(action))
        for text in HARMFUL:
            for each in mentions(action, text):
                refusal = game.refusal(each)
                assert refusal is not None
                harmless(str(refusal))
    assert len(kinds) >= 4


@pytest.mark.parametrize("text", HARMFUL, ids=lambda text: ascii(text[:9]))
def test_what_a_client_wrote_is_harmless_where_it_is_no_action(text: str) -> None:
    rules = rules_of("europe")
    claim = {"type": "core.ClaimRoute", "seat": 0, "route": "a", "payment": {}}
    for document in (
        text,
        [text],
        {"type": text},
        {"type": "train-cards.DrawBlind", "seat": text},
        {"type": "train-cards.DrawBlind", "seat": 0, text: 1},
        {"type": "train-cards.DrawBlind", "seat": 0, text: 1, "more": 2},
        {**claim, "payment": {text: -1}},
        {**claim, "payment": {text: text}},
        {**claim, "payment": text},
        {**claim, "route": [text]},
        {"type": "core.KeepTickets", "seat": 0, "tickets": [[text]]},
        {"type": "core.KeepTickets", "seat": text, "tickets": [5, {text: text}]},
    ):
        with pytest.raises(ttr.InvalidInputError) as caught:
            ttr.action_from_json(rules, document)
        harmless(str(caught.value))


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"type": "core.KeepTickets", "seat": 0, "tickets": [0] * 200_000}, "too many values"),
        ({"type": "core.KeepTickets", "seat": 0, "tickets": ["a"] * 900 + [0]}, "action.tickets[900]"),
        ({"type": "train-cards.DrawBlind", "seat": [[]] * 900}, "whole number"),
        ({"type": "train-cards.DrawBlind", "seat": 0, **{f"key{number}": 0 for number in range(900)}}, "unknown key"),
        ({"type": "x" * 10**7}, "of the type 'xxxxx"),
        ([[[[[]]]]] * 400, "too many values"),
    ],
    ids=["tickets", "some tickets", "seat", "keys", "type", "list"],
)
def test_a_giant_action_has_a_short_answer(document: object, words: str) -> None:
    with pytest.raises(ttr.InvalidInputError) as caught:
        ttr.action_from_json(rules_of("europe"), document)
    message = str(caught.value)[:2000]
    assert words in message and len(message) < 2000


# -- an action for an earlier moment -------------------------------------------------------------------------------


def test_an_action_for_an_earlier_moment_is_not_played() -> None:
    game = ready()
    assert game.played == len(game.moves) - 1 == 2
    seen = game.played
    game.play(ttr.DrawBlind(0), expected=seen)
    before = frozen(game.state)
    # The client sends it twice; as a second card it would be legal.
    assert game.is_legal(ttr.DrawBlind(0))
    with pytest.raises(OutdatedActionError, match="after 2 actions; 3 are played by now") as caught:
        game.play(ttr.DrawBlind(0), expected=seen)
    assert (caught.value.expected, caught.value.played) == (2, 3)
    assert isinstance(caught.value, ttr.TTRError) and frozen(game.state) == before and game.played == 3
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.expected, again.played, str(again)) == (2, 3, str(caught.value))
    game.play(ttr.DrawBlind(0), expected=3)
    assert game.played == 4


@pytest.mark.parametrize("expected", [True, 2.0, "2", -1, 3, 10**5000, [2]], ids=lambda each: type(each).__name__)
def test_what_is_no_moment_of_this_game_is_refused(expected: Any) -> None:
    game = ready()
    before = frozen(game.state)
    with pytest.raises(OutdatedActionError) as caught:
        game.play(ttr.DrawBlind(0), expected=expected)
    assert len(str(caught.value)) < 300
    assert frozen(game.state) == before and game.played == 2


def test_the_rules_are_asked_only_in_the_right_moment() -> None:
    """An action of another moment is refused as such, whether it is legal or not."""
    game = ready()
    calls: list[Callable[[], object]] = [
        lambda: game.play(ttr.DrawBlind(1), expected=1),
        lambda: game.play(ttr.Pass(0), expected=9),
    ]
    for call in calls:
        with pytest.raises(OutdatedActionError):
            call()
    with pytest.raises(NotYourTurnError):
        game.play(ttr.DrawBlind(1), expected=2)
    with pytest.raises(ttr.InvalidInputError):
        game.play("DrawBlind", expected=1)  # type: ignore[call-overload]
