"""Events of the course of a game: turns, decisions, the end."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.state import State
from ttr_rules.model.decisions import Decision


@frozen
class TurnBegun(Event):
    """A seat's turn began (S5)."""

    interned = True

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.turn = seat
        state.turn_number += 1
        state.pending = (state.rules.turns[seat],)


@frozen
class DecisionOpened(Event):
    """A seat has a further decision to make."""

    decision: Decision

    def seen_by(self, seat: int | None) -> SeenEvent:
        return SeenEvent(DecisionOpened(self.decision.seen_by(seat)))

    @staticmethod
    def effect(state: State, decision: Decision) -> None:
        state.pending = (decision,)


@frozen
class TurnEnded(Event):
    """A seat's turn ended; `passed` if it had to pass (R4)."""

    interned = True

    seat: int
    passed: bool

    @staticmethod
    def effect(state: State, seat: int, passed: bool) -> None:
        state.passes = state.passes + 1 if passed else 0
        state.passed = False
        if state.turns_left:
            state.turns_left -= 1


@frozen
class TurnPassed(Event):
    """A seat passed, and is asked something before its turn ends: the turn will have ended with a pass (R4)."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.passed = True


@frozen
class TurnGranted(Event):
    """A seat was granted another turn after this one."""

    message = "{seat} will have another turn"

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.extra_turns += 1


@frozen
class ExtraTurnBegun(Event):
    """An extra turn began; it counts neither as a pass nor towards the last round."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.extra_turns -= 1
        state.turn_number += 1
        state.passes = 0
        state.passed = False
        state.pending = (state.rules.turns[seat],)


@frozen
class LastRoundBegun(Event):
    """The last round begins: `turns_left` turns remain (E1)."""

    turns_left: int

    @staticmethod
    def effect(state: State, turns_left: int) -> None:
        state.turns_left = turns_left


@frozen
class TicketsRevealed(Event):
    """The last turn is over: all tickets are revealed, seat by seat (S6)."""

    tickets: tuple[tuple[str, ...], ...]

    @staticmethod
    def effect(state: State, tickets: tuple[tuple[str, ...], ...]) -> None:
        state.revealed = True


@frozen
class GameEnded(Event):
    """The game is over. `reason` is "last round" or "deadlock" (R4)."""

    reason: str

    @staticmethod
    def effect(state: State, reason: str) -> None:
        state.pending = ()
