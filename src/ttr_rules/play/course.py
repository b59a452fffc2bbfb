"""The changing half of a game: its state, its history, and the legal actions last asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import get_ident
from typing import Any, SupportsIndex, overload

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import GameInUseError, InvalidInputError, OutdatedActionError
from ttr_rules.kernel.answers import Source, check_legal, hide, perform, require_action
from ttr_rules.kernel.events import Event, fold
from ttr_rules.kernel.plugin import blame
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.views import check_seat
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.text import brief


@mypyc_attr(acyclic=True)  # the garbage collector need not look at it
class Move:
    """One step of a history: the action (None for the set-up), and the chance calls made so far.

    It is a read-only sequence of its events, which are created when they are first read.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> game.last_move.action, game.last_move.chance_calls, len(game.last_move)
    (DrawTickets(seat=0), 2, 1)
    """

    __slots__ = ("_events", "_noted", "action", "chance_calls")
    chance_calls: i64

    def __init__(
        self, action: Action | None, events: tuple[Event, ...], chance_calls: i64, noted: list[Any] | None = None
    ) -> None:
        self.action = action
        self.chance_calls = chance_calls
        self._events = events
        self._noted = noted  # the types and fields, in turn, of events that are not created yet

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of this move."""
        noted = self._noted
        if noted is not None:
            self._events = tuple([kind(*values) for kind, values in zip(noted[::2], noted[1::2], strict=True)])
            self._noted = None
        return self._events

    def __len__(self) -> int:
        noted = self._noted
        return len(self._events) if noted is None else len(noted) // 2

    def __getitem__(self, index: SupportsIndex | slice) -> Event | tuple[Event, ...]:
        return self.events[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __reversed__(self) -> Iterator[Event]:  # compiled classes have none
        return reversed(self.events)

    def index(self, event: Event, *bounds: int) -> int:
        """The index of an event, as that of a tuple. Raises `ValueError` if it did not happen."""
        return self.events.index(event, *bounds)

    def count(self, event: Event) -> int:
        """The number of times that an event happened."""
        return self.events.count(event)

    def __repr__(self) -> str:
        return repr(self.events)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return self.events == other
        return (self.action, self.events, self.chance_calls) == (other.action, other.events, other.chance_calls)

    def __hash__(self) -> int:
        return hash(self.events)

    def __reduce__(self) -> tuple[object, ...]:
        return Move, (self.action, self.events, self.chance_calls)


SEQUENCE: Any = Sequence
SEQUENCE.register(Move)


def find_question(seat: int, start: State, moves: Sequence[Move]) -> int:
    """The number of actions after which a seat got its pending decision. `start` is the state before the first move."""
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
    """The mutable half of a `Game`. Arguments come from callers and may be anything."""

    __slots__ = ("_player", "_seal", "_source", "_tx")

    def __init__(self, state: State, moves: Sequence[Move]) -> None:
        self._source = Source(state, moves)
        self._seal = hide(self._source)
        self._tx = Transaction(state, later=True)
        # The thread that is currently playing. Nothing is called between checking this and setting it, so no other
        # thread can interfere, except, rarely, in a Python without the global lock.
        self._player: int = 0

    @property
    def _state(self) -> State:
        return self._source.state

    @property
    def _moves(self) -> list[Move]:
        return self._source.moves

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now, () if and only if the game is over."""
        return self._source.state.to_act

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return self._source.state.actor < 0

    @property
    def played(self) -> int:
        """The number of actions played so far (see `moment`)."""
        return len(self._source.moves) - 1

    @overload
    def legal_actions(self) -> Sequence[Action]: ...
    @overload
    def legal_actions(self, seat: int | None) -> Sequence[Action]: ...
    def legal_actions(self, seat: object = None) -> Sequence[Action]:
        """Every legal action of a seat in a stable order, () for a seat without a pending decision.

        Without `seat`, those of the only seat that may act. Raises `InvalidInputError`, a `ValueError`, if several may,
        or for a seat that is not at the table.
        """
        try:
            players: int = self._source.state.players  # a seat from outside may be too large for a native integer
            if type(seat) is int and 0 <= seat < players:
                return self._source.legal(seat, self._seal)
            asked = self._check_seat(seat)
            return () if asked is None else self._source.legal(asked, self._seal)
        except Exception as failure:
            blame(failure, self._state.rules.plugins.values(), "when legal actions were looked for")
            raise

    def _check_seat(self, seat: object) -> int | None:
        """The given seat, checked, or by default the one that may act, None if the game is over."""
        check_seat(seat, self._state.players)
        if isinstance(seat, int):
            return seat
        seats = self._state.to_act
        if len(seats) > 1:
            who = ", ".join(map(str, seats))
            raise InvalidInputError(f"seats {who} may act now: say whose legal actions are meant")
        return seats[0] if seats else None

    @overload
    def play(self, action: Action) -> Sequence[Event]: ...
    @overload
    def play(self, action: Action, *, expected: int | None) -> Sequence[Event]: ...
    def play(self, action: Action, *, expected: object = None) -> Sequence[Event]:
        """Play an action and return its events. With `expected`, only if it was meant for this moment.

        `expected` is the number of actions after which the seat saw the game: `played`, or `moment(seat)`. After `undo`
        the same number can occur again and then means a different moment.

        Raises `IllegalActionError` (`NotYourTurnError`, `GameOverError`) for an action that the rules refuse,
        `OutdatedActionError` for one that was meant for another moment. The game is then unchanged. Raises
        `GameInUseError` while another thread plays.
        """
        me: int = get_ident()
        if self._player and self._player != me:
            raise GameInUseError("game")
        try:
            self._player = me
            source = self._source
            state = source.state
            if expected is not None:
                checked: Any = require_action(action)  # its seat may be anything, which compiled code could not read
                self._check_moment(expected, checked.seat)
            picked = action is source.picked and source.picked_at == source.changes
            if not picked:
                check_legal(state, require_action(action))
            source.changes += 1
            try:
                tx = self._tx
                if tx.state is not state:
                    tx = self._tx = Transaction(state, later=True)
                log: list[Any] = []
                tx.log = log
                if picked:
                    tx.performing = type(action)
                    source.entry.perform(tx, source.seat, source.code, action)
                else:
                    perform(tx, action)
                move: Any = Move(action, (), state.chance_calls, log)
                source.moves.append(move)
            except BaseException:  # a caller's chance object or a plugin failed, or it was interrupted
                source.state = source.replay(len(source.moves))
                raise
            finally:
                source.changes += 1
        except Exception as failure:
            blame(failure, self._state.rules.plugins.values(), f"when {brief(action)} was played")
            raise
        finally:
            self._player = 0
        events: Sequence[Event] = move
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
            source, moves = self._source, self._moves
            if len(moves) == 1:
                raise InvalidInputError("nothing to undo")
            before = source.replay(len(moves) - 1)
            undone = Source(before, moves[:-1], source.changes + 1)
            # In one statement, so that an interrupt comes before or after all of it.
            self._source, self._seal = undone, hide(undone)
        finally:
            self._player = 0
        return moves[-1]

    def _since(self, seat: int) -> int:
        """The number of actions after which a seat got its decision, or `played` if others' actions matter to it."""
        state = self._state
        decision = state.decision(seat)
        if decision is None or not decision.concurrent:
            return self.played
        return find_question(seat, State(state.rules, state.players, state.chance), self._moves)

    def _check_moment(self, expected: object, seat: object) -> None:
        """Raise `OutdatedActionError` if `seat` needs to see something that happened after this number of actions."""
        if type(expected) is int and 0 <= expected <= self.played:
            known = type(seat) is int and 0 <= seat < self._state.players and expected >= self._since(seat)
            if known or expected == self.played:
                return
        raise OutdatedActionError(expected, self.played)
