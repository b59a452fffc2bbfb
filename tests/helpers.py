"""What the tests share: chance by script, positions in one line, and questions about a game.

Import it plainly: `from helpers import ScriptedChance, arranged, refused`.

**Chance by script.** `ScriptedChance(*answers)` answers the calls of a game in order and is loud (`ScriptError`)
when the script is used up or when an answer does not fit what is handed over. An answer to a shuffle is

- `AS_IS`: leave the items in the order in which they are handed over,
- `Top("red", "blue")`: these on top, the others below in the order handed over,
- a list or tuple: the whole result, which must hold exactly the items handed over,
- `Expect(items, answer)`: as `answer`, but the items handed over must be exactly these, in this order.

An answer to a roll is the face. `ScriptedChance(..., otherwise=AS_IS)` leaves everything as it is, for ever, once
the script is used up. `chance.calls` lists what was asked since the script began, each a `Call(kind, items,
result)`; `chance.done()` fails unless the whole script was used; `chance.script(*answers)` begins a new one.

**Positions.** `arranged("europe", {"hand": {"red": 2}}, {}, draw_pile=[...])` is a game in the middle of play: the
stack, a table for each player (at least two), and the keys of a position. Names are A, B, C …; A (seat 0) is to act.
Unless told otherwise the draw pile holds the cards given and no more (the other cards are out of the game), the row
is five cards of five colors, and the ticket pile is in file order, so that no chance is needed to arrange it. `chance=[...]` is the script for what
follows (default: none, so that any chance call fails the test); `chance_of(game)` gets at it.

**Questions.** `play(game, *actions)` plays them and returns all events; `refused(game, action)` is the rule id that
refuses an action, checked for agreement between `refusal`, `legal_actions` and `play`, and that nothing changed;
`legal(game, kind)` the legal actions of one type; `happened(events, kind)` the events of one type;
`keep_all(game)` lets every seat keep all its first tickets; `names_in(module)` the public names of one; `all_but(*names)` is what `check_variant` skips to look at these properties alone.

**Translations.** `missing_in(language)` is the set of texts without a translation that are asked for from then on.

**Pictures.** `overlap(box, other)` is the area that two boxes share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from gettext import NullTranslations
from types import ModuleType
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import attrs
import pytest
from attrs import frozen

import ttr_rules as ttr
from ttr_rules.language import PLACE, Language
from ttr_rules.model import TicketSetup
from ttr_rules.plugins import compiler
from ttr_tools.render.layout import Box
from ttr_tools.testing import property_names

T = TypeVar("T")


def names_in(module: ModuleType) -> list[str]:
    """The public names of a module: those in `__all__`, or all that it defines, or imports, if it only hands them on."""
    own = [name for name, value in vars(module).items() if name[0] != "_" and not isinstance(value, ModuleType)]
    defined = [name for name in own if getattr(vars(module)[name], "__module__", "") == module.__name__]
    return getattr(module, "__all__", sorted(defined or own))


COLORS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
PLAIN_ROW = ("purple", "blue", "orange", "white", "green")

# -- chance by script ----------------------------------------------------------------------------------------


class ScriptError(AssertionError):
    """The game asked chance for something that the script does not say."""


class AsIs:
    def __repr__(self) -> str:
        return "AS_IS"


AS_IS = AsIs()


class Top:
    """These items on top, in this order; the others below them as they were."""

    def __init__(self, *items: object) -> None:
        self.items = items

    def __repr__(self) -> str:
        return f"Top{self.items}"


class Expect:
    """Exactly these items must be handed over, in this order; then `answer`."""

    def __init__(self, items: Iterable[object], answer: object = AS_IS) -> None:
        self.items = tuple(items)
        self.answer = answer

    def __repr__(self) -> str:
        return f"Expect({self.items}, {self.answer!r})"


@frozen
class Call:
    """One call of chance: "shuffled" or "roll", what was handed over, what came back."""

    kind: str
    items: tuple[Any, ...]
    result: Any


class ScriptedChance:
    """Chance that does what the test says; see the docstring of this module."""

    def __init__(self, *answers: object, otherwise: AsIs | None = None) -> None:
        self.script(*answers, otherwise=otherwise)

    def script(self, *answers: object, otherwise: AsIs | None = None) -> None:
        """Begin a new script, with no calls so far."""
        self.answers = list(answers)
        self.otherwise = otherwise
        self.calls: list[Call] = []

    def done(self) -> None:
        """Fail unless the whole script was used."""
        assert not self.answers, f"chance was never asked for {self.answers}"

    def shuffled(self, items: Sequence[T]) -> Sequence[T]:
        given = tuple(items)
        if len(given) < 2:
            raise ScriptError(f"chance is asked for two or more items only, not {given}")
        result = self._order(given, self._next(f"shuffled{given}"))
        self.calls.append(Call("shuffled", given, result))
        return result

    def roll(self, faces: Sequence[T]) -> T:
        given = tuple(faces)
        answer = self._next(f"roll{given}")
        if isinstance(answer, Expect):
            self._check(answer, given)
            answer = answer.answer
        if answer is AS_IS:
            answer = given[0]
        if answer not in given:
            raise ScriptError(f"the script says {answer!r}; the faces are {given}")
        self.calls.append(Call("roll", given, answer))
        return answer

    def _next(self, asked: str) -> object:
        if self.answers:
            return self.answers.pop(0)
        if self.otherwise is None:
            raise ScriptError(f"after {len(self.calls)} calls the script is used up; now chance is asked for {asked}")
        return self.otherwise

    def _order(self, given: tuple[T, ...], answer: object) -> tuple[T, ...]:
        if isinstance(answer, Expect):
            self._check(answer, given)
            return self._order(given, answer.answer)
        if answer is AS_IS:
            return given
        if isinstance(answer, Top):
            rest = list(given)
            for item in answer.items:
                if item not in rest:
                    raise ScriptError(f"{item!r} is not among the items left: {rest}")
                rest.remove(item)
            return cast("tuple[T, ...]", (*answer.items, *rest))
        if isinstance(answer, list | tuple):
            if Counter(answer) != Counter(given):
                raise ScriptError(f"the script says {answer}; the items handed over are {given}")
            return tuple(answer)
        raise ScriptError(f"{answer!r} is no answer to a shuffle of {given}")

    @staticmethod
    def _check(answer: Expect, given: tuple[object, ...]) -> None:
        if answer.items == given:
            return
        both = zip(answer.items, given, strict=False)
        index = next((i for i, (one, other) in enumerate(both) if one != other), min(len(answer.items), len(given)))
        expected, found = answer.items[index : index + 5], given[index : index + 5]
        raise ScriptError(
            f"the script expects {len(answer.items)} items, {len(given)} are handed over; from number {index} on "
            f"{expected} … is expected, {found} … handed over"
        )


# -- games and positions -------------------------------------------------------------------------------------


@cache
def rules_of(*stack: str) -> ttr.Rules:
    """The compiled rules of a stack, once a test run."""
    return ttr.compile_rules(*stack)


def unused_rules(*stack: object) -> ttr.Rules:
    """Rules that no game has been played by: `compile_rules` gives equal rules that are in use."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "_compiled", {})
        patch.setattr(compiler, "_in_use", WeakKeyDictionary())
        return ttr.compile_rules(*stack)


def arranged(
    stack: str | ttr.Rules, *players: Mapping[str, Any], chance: Sequence[object] = (), **position: Any
) -> ttr.Game:
    """A game in the middle of play; see the docstring of this module."""
    assert len(players) >= 2, "a game has two players at least: give {} for one who has nothing"
    tables = [{"name": "ABCDE"[seat], **player} for seat, player in enumerate(players)]
    given = {"face_up": PLAIN_ROW, "draw_pile_complete": True, **position, "players": tables}
    scripted = ScriptedChance(otherwise=AS_IS)
    game = ttr.arrange(rules_of(stack) if isinstance(stack, str) else stack, given, chance=scripted)
    scripted.script(*chance)
    return game


def chance_of(game: ttr.Game) -> ScriptedChance:
    """The scripted chance of a game."""
    chance = game.state.chance
    assert isinstance(chance, ScriptedChance)
    return chance


def keep_all(game: ttr.Game) -> None:
    """Every seat keeps all its first tickets, in seat order."""
    for seat in game.to_act:
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup)
        game.play(ttr.KeepTickets(seat, decision.tickets))


# -- questions -----------------------------------------------------------------------------------------------


def play(game: ttr.Game, *actions: ttr.Action) -> tuple[ttr.Event, ...]:
    """Play actions one after the other and return all that happened."""
    return tuple(event for action in actions for event in game.play(action))


def offered_to(game: ttr.Game, seat: object) -> Sequence[ttr.Action]:
    """The legal actions of a seat, none for what is no seat at the table."""
    there = type(seat) is int and 0 <= seat < len(game.players)
    return list(game.legal_actions(cast("int", seat))) if there else ()


def refused(game: ttr.Game, action: ttr.Action) -> str:
    """The id of the rule that refuses an action; fails if it is legal, or if anything disagrees or changes."""
    refusal = game.refusal(action)
    assert refusal is not None, f"{action} is legal"
    assert refusal.reason
    assert action not in offered_to(game, action.seat)
    before, events = game.state, game.events
    with pytest.raises(ttr.IllegalActionError) as caught:
        game.play(action)
    assert caught.value.refusal == refusal
    assert game.state == before
    assert game.events == events
    return refusal.rule


def legal(game: ttr.Game, kind: type[T], seat: int | None = None) -> list[T]:
    """The legal actions of one type, of the seat that is asked (or `seat`); all of them are accepted."""
    found: list[T] = []
    for action in game.legal_actions(seat):
        if isinstance(action, kind):
            assert game.refusal(action) is None
            found.append(action)
    return found


def happened(events: Iterable[ttr.Event], kind: type[T]) -> list[T]:
    """The events of one type."""
    return [event for event in events if isinstance(event, kind)]


def whole(thing: Any) -> str:
    """All that is in an attrs object, a view above all, as one text: its repr is short."""
    return repr(attrs.asdict(thing, value_serializer=_whole))


def _whole(_: object, __: object, value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def all_but(*names: str) -> tuple[str, ...]:
    """What to skip to look at these properties alone."""
    return tuple(name for name in property_names() if name not in names)


def overlap(one: Box, two: Box) -> float:
    """The area that two boxes of a picture share."""
    wide = min(one.left + one.width, two.left + two.width) - max(one.left, two.left)
    high = min(one.top + one.height, two.top + two.height) - max(one.top, two.top)
    return max(wide, 0.0) * max(high, 0.0)


# -- translations ----------------------------------------------------------------------------------------------


class Noting(NullTranslations):
    """The end of a chain of catalogs, which notes the texts that reach it, except places."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: set[tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        return self.pgettext("", message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.npgettext("", msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        if context != PLACE:
            self.texts.add((context, message))
        return message

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        self.texts.add((context, msgid1))
        return msgid1 if n == 1 else msgid2


_noting: dict[int, Noting] = {}


def missing_in(german: Language) -> set[tuple[str, str]]:
    """The texts without a translation that are asked for from now on, each with its context."""
    if id(german) not in _noting:  # languages are made once
        _noting[id(german)] = Noting()
        german._catalog.add_fallback(_noting[id(german)])
    _noting[id(german)].texts.clear()
    return _noting[id(german)].texts
