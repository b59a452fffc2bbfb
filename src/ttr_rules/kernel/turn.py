"""The course of a game: turn order, the last round, passes, the end (S5, S8, E1, R4).

Additions by plugins run in this order: at the beginning of a turn the hooks `turn_begins`, then the economy; at its end
what follows the action, the hooks `turn_ends`, then the economy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules.kernel.events.course import (
    ExtraTurnBegun,
    GameEnded,
    LastRoundBegun,
    TicketsRevealed,
    TurnBegun,
    TurnEnded,
    TurnGranted,
    TurnPassed,
)
from ttr_rules.kernel.extensions import TurnHook
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction


def begin_turn(tx: Transaction, seat: int, after: TurnHook | None = None) -> None:
    """Begin a seat's turn; hooks and the economy may open a decision first, which then continues with `after`.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> begin_turn(tx, 1)
    >>> tx.log, tx.state.to_act
    ([TurnBegun(seat=1)], (1,))
    """
    if after is None:
        tx.state.turn_begun(seat)
        if tx.log is not None:
            tx.record(TurnBegun, (seat,))
    _open(tx, seat, after)


def _open(tx: Transaction, seat: int, after: TurnHook | None) -> None:
    course = tx.course
    if course.turn_begins:
        if _asked(tx, seat, course.turn_begins, after):
            return
        if after is not None:
            tx.ask(course.turns[seat])
    if course.opening is not None:
        course.opening(tx, seat)


def end_turn(tx: Transaction, seat: int, passed: bool = False, after: TurnHook | None = None) -> None:
    """End a seat's turn after its action or pass, unless a hook or the economy opens another decision.

    Whoever opened it goes on with `after`; a turn that was passed stays one, whatever is decided before it ends (R4).

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> end_turn(tx, 0)
    >>> tx.log
    [TurnEnded(seat=0, passed=False), TurnBegun(seat=1)]
    """
    if tx.following:
        follow_up(tx)
    course = tx.course
    if course.turn_ends and _asked(tx, seat, course.turn_ends, after):
        if passed and not tx.state.passed:
            tx.emit(TurnPassed, seat)
        return
    passed = passed or tx.state.passed
    if course.closing is None or not course.closing(tx, seat, passed):
        finish_turn(tx, seat, passed)


def follow_up(tx: Transaction) -> None:
    """Run the follow-ups of the action being played, once."""
    following = tx.following
    tx.following = ()
    for each, action in following:
        each.then(tx, action)


def _asked(tx: Transaction, seat: int, hooks: Sequence[TurnHook], after: TurnHook | None) -> bool:
    """Call the hooks that come after the given one, until one of them opens a decision."""
    start = 0 if after is None else hooks.index(after) + 1
    for hook in hooks[start:]:
        call: Any = hook.call  # one that returns None opened nothing
        if call(tx, seat):
            return True
    return False


def grant_turn(tx: Transaction, seat: int) -> None:
    """Grant the current seat another turn after this one.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> grant_turn(tx, 0)
    >>> end_turn(tx, 0)
    >>> tx.state.to_act
    (0,)
    """
    tx.emit(TurnGranted, seat)


def finish_turn(tx: Transaction, seat: int, passed: bool = False) -> None:
    """End a turn for good: begin the last round (E1), end the game, or begin the next turn.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> finish_turn(tx, 0, passed=True)
    >>> tx.log, tx.state.passes
    ([TurnEnded(seat=0, passed=True), TurnBegun(seat=1)], 1)
    """
    state = tx.state
    if state.extra_turns:
        tx.emit(ExtraTurnBegun, seat)
        _open(tx, seat, None)
        return
    # survives !=: there are never fewer turns left than none
    in_last_round = state.turns_left > 0
    passed = passed or state.passed
    state.turn_ended(passed)
    if tx.log is not None:
        tx.record(TurnEnded, (seat, passed))
    if in_last_round:
        # survives <=: there are never fewer turns left than none
        if state.turns_left == 0:
            end_game(tx, "last round")
            return
    elif state.cars[seat] <= tx.course.last_round_at:
        tx.emit(LastRoundBegun, state.players)
    if state.passes >= state.players and tables_of(state).economy.exhausted(state):
        end_game(tx, "deadlock")
        return
    begin_turn(tx, (seat + 1) % state.players)


def end_game(tx: Transaction, reason: str) -> None:
    """End the game: reveal the tickets (S6), then open the final decisions.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> end_game(tx, "closing time")
    >>> tx.log[-1], tx.state.to_act
    (GameEnded(reason='closing time'), ())
    """
    if not tx.state.revealed:
        tx.emit(TicketsRevealed, tuple(tx.state.tickets))
    for ending in tables_of(tx.state).endings:
        ask: Any = ending.ask
        if ask(tx, reason):
            return
    tx.emit(GameEnded, reason)
