"""The course of a game: turns go round, the last round, passes, the end (S5, S8, E1, R4)."""

from __future__ import annotations

from ttr_rules.kernel.events.course import GameEnded, LastRoundBegun, TicketsRevealed, TurnBegun, TurnEnded
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.transaction import Transaction


def begin_turn(tx: Transaction, seat: int) -> None:
    """Begin a seat's turn; the economy may ask something first."""
    tx.emit(TurnBegun, seat)
    opening = tables_of(tx.state).opening
    if opening is not None:
        opening(tx, seat)


def end_turn(tx: Transaction, seat: int, passed: bool = False) -> None:
    """End a seat's turn after its action or pass, unless the economy has a question left."""
    closing = tables_of(tx.state).closing
    if closing is None or not closing(tx, seat, passed):
        finish_turn(tx, seat, passed)


def finish_turn(tx: Transaction, seat: int, passed: bool = False) -> None:
    """End a turn for good: begin the last round (E1), end the game, or begin the next seat's turn."""
    state = tx.state
    in_last_round = state.turns_left > 0
    tx.emit(TurnEnded, seat, passed)
    if in_last_round:
        if state.turns_left == 0:
            end_game(tx, "last round")
            return
    elif state.cars[seat] <= tx.rules.components.last_round_at:
        tx.emit(LastRoundBegun, state.players)
    if state.passes >= state.players and tables_of(state).economy.exhausted(state):
        end_game(tx, "deadlock")
        return
    begin_turn(tx, (seat + 1) % state.players)


def end_game(tx: Transaction, reason: str) -> None:
    """End the game: show the tickets (S6), then ask what is asked last (R8)."""
    if not tx.state.revealed:
        tx.emit(TicketsRevealed, tuple(tx.state.tickets))
    for ending in tables_of(tx.state).endings:
        if ending.ask(tx, reason):
            return
    tx.emit(GameEnded, reason)
