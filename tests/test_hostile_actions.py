"""Actions from a client that means no good: refused with a rule id, and the game is as it was."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import count, repeat
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from helpers import rules_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import frozen, mutants
from ttr_rules._internal.strangers import strange

import ttr_rules as ttr
from ttr_rules.errors import NotYourTurnError, OutdatedActionError
from ttr_rules.model.chance import SeededChance
from ttr_rules.testing import official_stacks
from ttr_rules.testing.trial import Picks

if TYPE_CHECKING:
    from decimal import Decimal

BASES = sorted({each.stack for each in official_stacks() if each.problem is None and "dice" not in each.stack})
STACKS = [*BASES, *((*base, "dice") for base in BASES)]
TRIED = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])


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


def unchanged(game: ttr.Game, action: ttr.Action, error: type[ttr.TTRError] = ttr.IllegalActionError) -> ttr.Refusal:
    """The refusal of an action; nothing changes, nothing else is raised."""
    before, moves, seen = frozen(game.state), game.moves, game.view(0)
    refusal = game.refusal(action)
    assert refusal is not None and refusal.rule and refusal.reason, f"{action!r} is not refused"
    with pytest.raises(error) as caught:
        game.play(action)
    assert caught.value.refusal == refusal  # type: ignore[attr-defined]
    with pytest.raises(ttr.IllegalActionError):
        game.rules.play(game.state, action)
    assert (frozen(game.state), game.moves, game.view(0)) == (before, moves, seen)
    return refusal


class Sly(str):  # noqa: SLOT000
    """A text that is equal to whatever it is compared with."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


@pytest.mark.rule("S8")
@pytest.mark.parametrize("route", [Sly("x"), {Sly("x"): 1}, {"x": Sly("y")}, [{"x": [Sly("y")]}], ("x", Sly("y"))])
def test_what_pretends_to_be_a_text_is_found_wherever_it_is(route: Any) -> None:
    game = ttr.new_game("north-america", players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    refusal = unchanged(game, ttr.ClaimRoute(0, route, {"red": 1}))
    assert refusal.rule == "S8" and refusal.reason.startswith("route of ClaimRoute is or holds no plain value, but ")


# -- the same for every official stack -----------------------------------------------------------------------------


@pytest.mark.rule("S5", "S8")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
@TRIED
@given(st.integers(0, 2**32))
def test_an_action_of_another_seat_or_another_moment_is_refused(stack: tuple[str, ...], seed: int) -> None:
    """Of a seat that is not asked; and every action once more after it was played, unless it is legal again."""
    old: list[ttr.Action] = []
    for game, action in moments(stack, seed):
        for seat in {-1, 3, 10**30, *range(3)} - set(game.to_act):
            assert unchanged(game, attrs.evolve(action, seat=seat), NotYourTurnError).rule == "S5"
        for replayed in old[-3:]:
            if game.refusal(replayed) is not None:
                unchanged(game, replayed)
            else:
                assert replayed in game.legal_actions(replayed.seat)
        old.append(action)


@pytest.mark.rule("S8")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
@TRIED
@given(st.integers(0, 2**32))
def test_a_forged_action_is_refused_and_changes_nothing(stack: tuple[str, ...], seed: int) -> None:
    random = Random(seed)
    for game, action in moments(stack, seed, actions=25):
        forged = [each for each in mutants(game, action, random) if game.refusal(each) is not None]
        for each in random.sample(forged, min(8, len(forged))):
            unchanged(game, each)


class SlyText(str):
    """A text that is equal to every other."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return str.__hash__(self)


class SlyNumber(int):
    """A number that is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class SlyTable(dict):  # type: ignore[type-arg]
    """A table that shows something else every time."""

    def items(self) -> Any:
        return [("red", 10**6)]

    def __getitem__(self, key: object) -> int:
        return -5


def sly(kind: type[ttr.Action]) -> type[ttr.Action]:
    """A subclass of an action whose attributes cannot be read and which is equal to anything."""

    def explode(self: object) -> object:
        raise RuntimeError("surprise")

    return type(
        f"Sly{kind.__name__}",
        (kind,),
        {
            "__eq__": lambda self, other: True,
            "__hash__": lambda self: 0,
            "seat": property(explode),
            "__repr__": explode,
        },
    )


@pytest.mark.rule("S8")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_a_subclass_with_surprises_is_refused(stack: tuple[str, ...]) -> None:
    """Whatever legal action it pretends to be; nothing of it is read."""
    kinds: set[type[ttr.Action]] = set()
    for game, action in moments(stack, seed=3, actions=40):
        if type(action) in kinds:
            continue
        kinds.add(type(action))
        pretender = object.__new__(sly(type(action)))
        refusal = unchanged(game, pretender)
        assert refusal.rule == "S8" and "is no action of these rules" in refusal.reason
        for field in attrs.fields(type(action)):
            value = getattr(action, field.name)
            if field.name == "seat":
                for strange in (True, 1.0, SlyNumber(action.seat), str(action.seat), [action.seat], None, 10**300):
                    if strange is not True or action.seat != 1:
                        assert unchanged(game, attrs.evolve(action, seat=strange), NotYourTurnError).rule == "S5"
            elif isinstance(value, str):
                assert unchanged(game, attrs.evolve(action, **{field.name: SlyText("anything")})).rule == "S8"
            elif isinstance(value, tuple) and value:
                assert unchanged(game, attrs.evolve(action, **{field.name: tuple(map(SlyText, value))})).rule == "S8"
    assert len(kinds) >= 4


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
    refusal = unchanged(game, ttr.ClaimRoute(0, "frankfurt-paris-white", payment))
    assert len(refusal.reason) < 600


@pytest.mark.parametrize(
    "payment",
    [{"red": True}, {"red": SlyNumber(1)}, {"red": 1.0}, {"red": "1"}, {"red": -1}, {1: 1}, {None: 1}, [("red", 1)]],
    ids=lambda each: str(type(each)),
)
def test_a_payment_of_other_things_than_whole_numbers_is_none(payment: Any) -> None:
    with pytest.raises(ttr.InvalidInputError):
        ttr.ClaimRoute(0, "frankfurt-paris-white", payment)


def test_a_table_with_surprises_is_read_once_and_is_plain_afterwards() -> None:
    game = ready()
    payment = SlyTable(red=1)
    try:
        action = ttr.ClaimRoute(0, "frankfurt-paris-white", payment)
    except ttr.InvalidInputError:
        return
    assert type(action.payment) is ttr.Counts
    unchanged(game, action)


def test_names_with_surprises_are_plain_in_counts() -> None:
    counts = ttr.Counts({SlyText("red"): 2})
    assert [type(name) for name in counts] == [str]
    assert counts == {"red": 2} and counts != {"blue": 2}


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
        yield from (attrs.evolve(action, **{field.name: each}) for each in new)


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
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
        {"type": "core.DrawBlind", "seat": text},
        {"type": "core.DrawBlind", "seat": 0, text: 1},
        {"type": "core.DrawBlind", "seat": 0, text: 1, "more": 2},
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
        ({"type": "core.DrawBlind", "seat": [[]] * 900}, "whole number"),
        ({"type": "core.DrawBlind", "seat": 0, **{f"key{number}": 0 for number in range(900)}}, "unknown keys"),
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


# -- things of Python that no JSON holds -----------------------------------------------------------------------------


def surprise(*_: object) -> Any:
    raise RuntimeError("surprise")


def of_class(**methods: Any) -> Any:
    """A thing of a class with such methods."""
    return type("Odd", (methods.pop("base", object),), methods)()


def in_itself() -> list[Any]:
    found: list[Any] = []
    found.append(found)
    return found


def deep() -> tuple[Any, ...]:
    found: tuple[Any, ...] = ()
    for _ in range(100_000):
        found = (found,)
    return found


def mapping(iterated: Any = surprise, looked_up: Any = surprise) -> Any:
    return of_class(base=Mapping, __iter__=iterated, __getitem__=looked_up, __len__=lambda _: 1)


class AnyRoute(str, Enum):
    """Equal to everything, and found where the route is that it is not."""

    NOWHERE = "nowhere"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("frankfurt-paris-white")


ODD: dict[str, Any] = {
    "in itself": in_itself(),
    "deep": deep(),
    "equal to all": of_class(__eq__=lambda *_: True, __hash__=lambda _: hash("frankfurt-paris-white")),
    "== raises": of_class(__eq__=surprise, __hash__=object.__hash__),
    "hash raises": of_class(__hash__=surprise),
    "repr raises": of_class(__repr__=surprise),
    "class raises": of_class(__class__=property(surprise)),
    "class lies": of_class(__class__=str),
    "mapping raises": mapping(),
    "mapping without values": mapping(lambda _: iter(["white"])),
    "mapping without end": mapping(lambda _: map(str, count()), lambda *_: 1),
    "sequence raises": of_class(base=Sequence, __getitem__=surprise, __len__=lambda _: 1),
    "sequence without end": of_class(base=Sequence, __getitem__=lambda *_: "x", __len__=lambda _: 1),
    "iterator without end": repeat("cadiz-stockholm"),
    "iterator raises": map(surprise, "ab"),
    "enumeration": AnyRoute.NOWHERE,
    "giant number": 10**5000,
    "payment of a giant number": {"white": 10**5000},
    "payment of many": {str(number): 1 for number in range(100_000)},
    "texts of their own": [of_class(base=str, __lt__=surprise, __gt__=surprise)] * 2,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize(
    "make",
    [
        lambda odd: ttr.ClaimRoute(0, odd, {"white": 3}),
        lambda odd: ttr.ClaimRoute(0, "frankfurt-paris-white", odd),
        lambda odd: ttr.ClaimRoute(odd, "frankfurt-paris-white", {"white": 3}),
        lambda odd: ttr.DrawFaceUp(0, odd),
        lambda odd: ttr.KeepTickets(0, odd),
        lambda odd: ttr.KeepTickets(0, (odd,)),
    ],
    ids=["route", "payment", "seat", "card", "tickets", "ticket"],
)
def test_things_with_surprises_are_refused_in_words(make: Callable[[Any], ttr.Action], odd: str) -> None:
    """Whether the action can be made or not: a `TTRError`, nothing else, and the game is as it was."""
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"hand": {"white": 3}}, {}]})
    before, text = frozen(game.state), ttr.dumps(game)
    with pytest.raises((ttr.InvalidInputError, ttr.IllegalActionError)) as caught:
        game.play(make(ODD[odd]))
    harmless(str(caught.value))
    assert frozen(game.state) == before and ttr.dumps(game) == text


@pytest.mark.rule("S8")
def test_an_action_without_its_fields_is_none() -> None:
    game = ready()
    bare = ttr.ClaimRoute.__new__(ttr.ClaimRoute)
    assert str(unchanged(game, bare)) == "[S8] seat of ClaimRoute is missing"
    object.__setattr__(bare, "seat", 0)
    assert str(unchanged(game, bare)) == "[S8] route of ClaimRoute is missing"


def test_something_that_lies_about_its_class_is_no_action() -> None:
    for liar in (of_class(__class__=ttr.DrawBlind, seat=0), of_class(__class__=property(surprise))):
        with pytest.raises(ttr.InvalidInputError, match="an action is needed"):
            ready().play(liar)


class Mood(Enum):
    """Declared by the action below."""

    GOOD = "good"


@attrs.frozen
class TicketGoal:
    """A value that a plugin declares for its action."""

    word: Any


@attrs.frozen
class Hope(ttr.Action):
    """An action of a plugin with values of classes of its own."""

    wish: TicketGoal | None = None
    moods: tuple[Mood, ...] = ()


@attrs.frozen
class Guess(ttr.Action):
    """An action with a class that is not to be found when it runs."""

    number: Decimal | None = None


class OtherMood(Enum):
    """Not declared by it."""

    BAD = "bad"


@attrs.frozen
class Bet(ttr.Action):
    """An action that takes anything, which is no class that it declares."""

    on: object = None


def knowing(kind: type[ttr.Action]) -> ttr.State:
    """A state whose rules know an action."""
    rules = attrs.evolve(ready().rules)
    names = tuple(field.name for field in attrs.fields(kind))
    object.__setattr__(rules, "action_fields", {id(kind): names})
    state = ttr.State(rules, 2, SeededChance(1))
    state.pending = (ttr.Turn(0),)
    return state


def lists(levels: int) -> list[Any]:
    """Lists in each other."""
    return [lists(levels - 1)] if levels > 1 else []


def test_an_action_may_hold_values_of_the_classes_that_it_declares() -> None:
    state = knowing(Hope)
    for fine in (
        Hope(0),
        Hope(0, TicketGoal("snow"), (Mood.GOOD,)),
        Hope(0, TicketGoal(["snow", {"red": (1, None)}, {2.5}])),
    ):
        assert strange(state, fine) is None
    for odd in (Hope(0, TicketGoal(OtherMood.BAD)), Hope(0, None, (OtherMood.BAD,)), Hope(0, TicketGoal(object()))):  # type: ignore[arg-type]
        refusal = strange(state, odd)
        assert refusal is not None and refusal.rule == "S8" and "no plain value" in refusal.reason


@pytest.mark.parametrize(
    "action",
    [Bet(0, object()), Bet(0, Mood.GOOD), Guess(0, Mood.GOOD)],  # type: ignore[arg-type]
    ids=["a thing", "a mood", "a guess"],
)
def test_where_no_class_is_declared_plain_values_alone_are_held(action: ttr.Action) -> None:
    state = knowing(type(action))
    refusal = strange(state, action)
    assert refusal is not None and refusal.rule == "S8" and "no plain value" in refusal.reason
    for fine in (type(action)(0), type(action)(0, "snow"), type(action)(0, ["snow"])):  # type: ignore[call-arg]
        assert strange(state, fine) is None


def test_values_of_an_action_may_lie_eight_deep_in_each_other() -> None:
    state = knowing(Bet)
    for fine in (lists(8), [1, (lists(6), {"a": lists(5)}), lists(7)]):
        assert strange(state, Bet(0, fine)) is None
    for deep in (lists(9), [1, {"a": lists(7)}], [1, lists(8)], {"a": (lists(7),)}):
        refusal = strange(state, Bet(0, deep))
        assert refusal is not None and refusal.rule == "S8" and refusal.reason.startswith("on of Bet is or holds")


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


@pytest.mark.parametrize(
    "expected", [True, 2.0, "2", -1, 3, 10**5000, [2], SlyNumber(2)], ids=lambda each: type(each).__name__
)
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
        game.play("DrawBlind", expected=1)  # type: ignore[arg-type]
