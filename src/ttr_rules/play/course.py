"""A game as it moves: its state, its history, the legal actions asked for last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import get_ident
from typing import Any

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import GameInUseError, InvalidInputError, OutdatedActionError
from ttr_rules.kernel.answers import Answers, Moment, an_action, checked, legal_at, perform, replayed
from ttr_rules.kernel.events import Event, fold
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.views import check_seat
from ttr_rules.model.decisions import Action, Decision


class Events:
    """The events of a move, made when they are first read of their types and fields: a read-only sequence."""

    __slots__ = ("_made", "_records")

    def __init__(self, records: list[Any] | None, made: tuple[Any, ...] = ()) -> None:
        self._records = records
        self._made = made

    def all(self) -> tuple[Any, ...]:
        """All of them."""
        records = self._records
        if records is not None:
            self._made = tuple([kind(*values) for kind, values in zip(records[::2], records[1::2], strict=True)])
            self._records = None
        return self._made

    def __len__(self) -> int:
        records = self._records
        return len(self._made) if records is None else len(records) // 2

    def __getitem__(self, index: Any) -> Any:
        return self.all()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.all())

    def __contains__(self, event: object) -> bool:
        return event in self.all()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Events):
            return self.all() == other.all()
        return self.all() == other

    def __hash__(self) -> int:
        return hash(self.all())

    def __repr__(self) -> str:
        return repr(self.all())

    def __reduce__(self) -> tuple[object, ...]:
        return Events, (None, self.all())


SEQUENCE: Any = Sequence
SEQUENCE.register(Events)


class Move:
    """One step of a history: the action (None for the set-up), its events, and the chance calls made so far.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> game.last_move.action, game.last_move.chance_calls
    (DrawTickets(seat=0), 2)
    """

    __slots__ = ("action", "chance_calls", "events")
    chance_calls: i64

    def __init__(self, action: Any, events: Any, chance_calls: i64) -> None:
        self.action: Action | None = action
        self.events: Sequence[Event] = events
        self.chance_calls = chance_calls

    def __repr__(self) -> str:
        what = "set-up" if self.action is None else repr(self.action)
        return f"<Move {what}: {len(self.events)} event{'' if len(self.events) == 1 else 's'}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and (self.action, tuple(self.events), self.chance_calls) == (
            other.action, tuple(other.events), other.chance_calls,
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.action, self.chance_calls))

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.action, tuple(self.events), self.chance_calls)


def asked_at(seat: int, start: State, moves: Sequence[Any]) -> int:
    """After how many actions a seat got its current pending decision; `start` is the state before the first move."""
    pending: Decision | None = None
    since = 0
    for number, move in enumerate(moves):
        fold(start, move.events)
        decision = start.decision(seat)
        if decision != pending or (move.action is not None and move.action.seat == seat):
            pending, since = decision, number
    return since


@mypyc_attr(allow_interpreted_subclasses=True)
class Course:
    """The part of a `Game` that moves. Its arguments come from callers and may be anything."""

    __slots__ = ("_changes", "_moment", "_moves", "_player", "_state", "_tx")

    def __init__(self, state: State, moves: Sequence[Move]) -> None:
        self._state = state
        self._moves: list[Any] = list(moves)
        self._tx = Transaction(state, later=True)
        #: The moment of the legal actions that were asked for since the last change.
        self._moment: Moment | None = None
        # The number of times that a change of the game began or ended. It is read before actions are listed, so that a list which
        # another thread made in the middle of a change counts for nothing.
        self._changes: i64 = 0
        # The thread that is currently playing. Between checking this and setting it nothing is called, so no
        # other thread interferes; in Python without the global lock it can, rarely.
        self._player: int = 0

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; () if and only if the game is over."""
        return self._state.to_act

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return self._state.actor < 0

    @property
    def played(self) -> int:
        """The number of actions played so far; see `moment`."""
        return len(self._moves) - 1

    def _legal(self, seat: Any) -> Any:
        """The legal actions of a seat; of the only one that may act for None."""
        changes = self._changes
        state = self._state
        players: int = state.players  # a seat from outside may be too large for a native integer
        if seat is None or type(seat) is not int or not 0 <= seat < players:
            seat = self._asked_seat(seat)
            if seat is None:
                return ()
        moment = self._moment
        if moment is None or moment.changes != changes or moment.current is not state:
            moment = self._moment = Moment(state, self._moves, changes)
        return legal_at(moment, seat)

    def _asked_seat(self, seat: Any) -> Any:
        """The given seat, checked; by default the one that may act, or None if the game is over."""
        check_seat(seat, self._state.players)
        seats = self._state.to_act if seat is None else (seat,)
        if len(seats) > 1:
            who = ", ".join(map(str, seats))
            raise InvalidInputError(f"seats {who} may act now: say whose legal actions are meant")
        return seats[0] if seats else None

    def _replayed(self, moves: list[Any]) -> State:
        state = self._state
        return replayed(state.rules, state.players, state.chance, moves)

    def _change(self) -> None:
        """Note that the game is about to change, or has changed: what was legal until now is so no more."""
        self._changes += 1
        if self._moment is not None:
            self._moment.current = None
            self._moment = None

    def _play(self, action: Any, expected: Any) -> Any:
        me: int = get_ident()
        if self._player and self._player != me:
            raise GameInUseError("game")
        try:
            self._player = me
            state = self._state
            moment = self._moment
            if expected is not None:
                an_action(action)
                if not self._is_moment(expected, action.seat):
                    raise OutdatedActionError(expected, self.played)
            answers: Answers | None = None
            if moment is not None and moment.picked is action and moment.changes == self._changes:
                answers = moment.answers
            if answers is None:
                checked(state, an_action(action))
            self._change()
            try:
                tx = self._tx
                if tx.state is not state:
                    tx = self._tx = Transaction(state, later=True)
                log: list[Any] = []
                tx.log = log
                if answers is not None and moment is not None:
                    answers.perform_picked(tx, action, moment.which, moment.code)
                else:
                    perform(tx, action)
                events = Events(log)
                self._moves.append(Move(action, events, state.chance_calls))
            except BaseException:  # a caller's chance object, a plugin or an interrupt broke it off
                self._state = self._replayed(self._moves)
                raise
            finally:
                self._change()
        finally:
            self._player = 0
        return events

    def undo(self) -> Move:
        """Undo the last move and return it.

        With a seed, the same action has the same outcome again, so a player may already know it. A caller's chance
        object continues from its current state. Raises `InvalidInputError` if there is only the set-up.
        """
        me: int = get_ident()
        if self._player and self._player != me:
            raise GameInUseError("game")
        try:
            self._player = me
            if len(self._moves) == 1:
                raise InvalidInputError("nothing to undo")
            kept = self._moves[:-1]
            move: Move = self._moves[-1]
            state = self._replayed(kept)
            self._change()
            # In one statement, so that an interrupt comes before or after all of it.
            self._state, self._moves = state, kept
        finally:
            self._change()
            self._player = 0
        return move

    def _since(self, seat: int) -> int:
        """The number of actions after which a seat got its decision; `played` if others' actions matter to it."""
        state = self._state
        decision = state.decision(seat)
        if decision is None or not decision.concurrent:
            return self.played
        return asked_at(seat, State(state.rules, state.players, state.chance), self._moves)

    def _is_moment(self, expected: Any, seat: Any) -> bool:
        """True if `seat` has needed to see nothing new since this number of actions."""
        if type(expected) is not int or not 0 <= expected <= self.played:
            return False
        known = type(seat) is int and 0 <= seat < self._state.players
        return expected == self.played or (known and expected >= self._since(seat))
