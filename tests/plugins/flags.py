"""A tiny mechanic, once a seat and turn: raise a flag with a number on it. Made with one fault planted, or with none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from attrs import field, frozen

from ttr_rules import Action, Board, Decision, Event, Refusal, State, Turn, View
from ttr_rules.events import Unknown
from ttr_rules.model import Dealer
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Components,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    known,
    option,
    secret,
)

MOST = 6
NUMBERS = (1, 2, 3)


class Flags(Part):
    """The flags raised (number, seat), and each seat's secret number."""

    __slots__ = ("fault", "raised", "secret")

    def __init__(self, players: int, fault: str) -> None:
        self.raised: list[tuple[int, int]] = []
        self.secret: list[int] = [0] * players
        self.fault = fault

    @classmethod
    def start(cls, rules: Rules, players: int) -> Flags:
        return cls(players, rules.plugin(FlagsPlugin).fault)

    def copy(self) -> Flags:
        new = Flags.__new__(Flags)
        new.raised = self.raised if self.fault == "shared copy" else self.raised.copy()
        new.secret = self.secret.copy()
        new.fault = self.fault
        return new

    def value(self) -> object:
        return (tuple(self.raised), tuple(self.secret))

    def seen_by(self, seat: int | None) -> SeenFlags:
        if self.fault == "live view":
            return SeenFlags(self.raised)  # type: ignore[arg-type]
        number: Any = None if seat is None else self.secret[seat]
        if self.fault == "leaking part":
            number = tuple(self.secret)
        if self.fault == "untyped part" and seat is not None:
            number = (MOST, MOST)
        back = self if self.fault == "way back" else None
        return SeenFlags(tuple(self.raised), tuple(map(bool, self.secret)), number, back)

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        """The numbers of others may be any; that somebody has none yet is public."""
        shown = view.part(SeenFlags)
        self.raised = list(shown.flags)
        numbered = shown.numbered or (False,) * len(self.secret)
        self.secret = [NUMBERS[dealer.below(len(NUMBERS))] if some else 0 for some in numbered]
        if view.seat is not None and shown.number is not None and self.fault != "leaking part":
            self.secret[view.seat] = shown.number


@frozen
class SeenFlags:
    """The flags as a seat sees them: those raised, who has a number, and its own."""

    flags: tuple[tuple[int, int], ...]
    numbered: tuple[bool, ...] = ()
    number: Any = None
    part: Any = None


class RaiseFlag(Action):
    number: int


class TagFlag(Action):
    tags: Any = field(factory=list)


class Nothing(Decision):
    """Something that nobody can answer."""


class FlagRaised(Event):
    seat: int
    number: int

    def apply(self, state: State) -> None:
        state.part(Flags).raised.append((known(self.number), self.seat))


class NumberDrawn(Event):
    seat: int
    number: int | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Flags).secret[self.seat] = known(self.number)


class NumberTaken(NumberDrawn):
    """The same, in a module that is not the plugin's."""

    __module__ = "elsewhere"


class NumberTold(Event):
    """The secret number, told to everybody."""

    seat: int
    number: int

    def apply(self, state: State) -> None:
        state.part(Flags).secret[self.seat] = self.number


class TicketShown(Event):
    seat: int
    ticket: str


class FlagSaluted(Event):
    """Shown to everybody as it happened, but for the type."""

    seat: int

    def seen_by(self, seat: int | None) -> Any:
        return self


class BadlyTyped(Event):
    """Says that it holds a number and holds a text."""

    seat: int
    number: int


class RaiseFlagRule(ActionRule[Turn, RaiseFlag]):
    def __init__(self, fault: str) -> None:
        self.fault = fault
        self.pending = 0
        self.random = Random(1)

    def offers(self, state: State, decision: Turn) -> Sequence[RaiseFlag]:
        flags = state.part(Flags)
        fault = self.fault
        if len(flags.raised) >= MOST:
            return ()
        numbers: tuple[int, ...] = NUMBERS
        if fault == "generator misses one":
            numbers = NUMBERS[:-1]
        elif fault == "validator misses one":
            numbers = (*NUMBERS, 9)
        elif fault == "offered twice":
            numbers = (*NUMBERS, 1)
        elif fault == "unstable order":
            self.pending += 1
            first = self.pending % len(NUMBERS)
            numbers = (*NUMBERS[first:], *NUMBERS[:first])
        elif fault == "offers leak" and any(held == ("x",) or held[:1] > ("m",) for held in state.tickets[1:]):
            numbers = NUMBERS[:-1]
        elif fault == "offers change the state":
            flags.secret[0] += 1
        return [RaiseFlag(decision.seat, number) for number in numbers]

    def refusal(self, state: State, decision: Turn, action: RaiseFlag) -> Refusal | None:
        if self.fault == "validator fails" and NUMBERS[action.number - 1] != action.number:  # there is no place for 4
            return Refusal("flag", "too high")
        allowed: tuple[int, ...] = NUMBERS
        if self.fault == "offers leak" and any(held == ("x",) or held[:1] > ("m",) for held in state.tickets[1:]):
            allowed = NUMBERS[:-1]
        if len(state.part(Flags).raised) >= MOST:
            return Refusal("flag", "all flags are raised")
        if type(action.number) is not int or action.number not in allowed:
            return Refusal("" if self.fault == "no reason" else "flag", f"there is no flag {action.number!r}")
        return None

    def perform(self, tx: Transaction, decision: Turn, action: RaiseFlag) -> Question:
        seat, fault, flags = action.seat, self.fault, tx.state.part(Flags)
        if fault == "no effect":
            flags.secret[seat - 1] += 7
        if fault == "looks at the log" and tx.log is None:
            tx.roll(NUMBERS)
        number = action.number
        if fault == "own chance":
            number = self.random.choice(NUMBERS)
        tx.emit(FlagRaised, seat, number)
        if fault == "told to all":
            tx.emit(NumberTold, seat, flags.secret[seat])
        tx.emit(NumberTaken if fault == "event not registered" else NumberDrawn, seat, tx.roll(NUMBERS))
        if fault == "seen as it happened":
            tx.emit(FlagSaluted, seat)
        if fault == "ticket shown":
            tx.emit(TicketShown, seat, tx.state.tickets[seat][0])
        if fault == "badly typed":
            tx.emit(BadlyTyped, seat, "three")  # type: ignore[arg-type]
        if fault == "no answer":
            return Nothing(seat)
        if fault == "breaks off" and len(flags.raised) == 3:
            raise RuntimeError("the mast is broken")
        if fault == "points":
            tx.state.scores[seat] += 1
        return ()


class TagRule(ActionRule[Turn, TagFlag]):
    def offers(self, state: State, decision: Turn) -> Sequence[TagFlag]:
        return [TagFlag(decision.seat)]

    def refusal(self, state: State, decision: Turn, action: TagFlag) -> Refusal | None:
        return None if action.tags == [] else Refusal("flag", "no tags")

    def perform(self, tx: Transaction, decision: Turn, action: TagFlag) -> None:
        """Only the turn ends."""


class FlagsPlugin(Variant, name="flags"):
    """Flags: flags with numbers, with the fault of this name."""

    fault: str = option("")

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return Components(cars=14)  # short games

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Flags,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (RaiseFlagRule(self.fault), *([TagRule()] if self.fault == "unhashable" else []))

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        def score(state: State, seat: int) -> Score:
            if self.fault == "scoring changes the state":
                state.part(Flags).raised.clear()
            return Score(sum(owner == seat for _, owner in state.part(Flags).raised))

        return (ScoringTerm("flags", score),)


def faulty_flags(fault: str) -> FlagsPlugin:
    """The mechanic with a fault."""
    return FlagsPlugin(fault=fault)
