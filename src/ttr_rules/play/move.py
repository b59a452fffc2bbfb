"""One step of the history of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ttr_rules._internal.native import i64
from ttr_rules.kernel.events.base import Event
from ttr_rules.model.decisions import Action


class Events:
    """The events of a move, made of what was recorded when they are first read: a read-only sequence."""

    __slots__ = ("_made", "_records")

    def __init__(self, records: list[Any] | None, made: tuple[Any, ...] = ()) -> None:
        self._records = records
        self._made = made

    def all(self) -> tuple[Any, ...]:
        """All of them."""
        records = self._records
        if records is not None:
            self._made = tuple([kind(*values) for kind, values in records])
            self._records = None
        return self._made

    def __len__(self) -> int:
        records = self._records
        return len(self._made) if records is None else len(records)

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

    def __reduce__(self) -> tuple[Any, ...]:
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

    def __init__(self, action: Any, events: Sequence[Event], chance_calls: i64) -> None:
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

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.action, tuple(self.events), self.chance_calls)
