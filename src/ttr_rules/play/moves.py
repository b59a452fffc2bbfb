"""The history of a game: its moves, and what they imply."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules.kernel.events.base import SeenEvent, fold
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.model.chance import Chance, SeededChance
from ttr_rules.play.move import Move as Move  # noqa: PLC0414 (handed on)


@frozen(repr=False)
class SeenMove:
    """One step of a history as a seat or a spectator sees it: who played, and what happened. Made by `Game.messages`.

    `number` counts the actions from 1; the set-up has the number 0 and the `seat` None. The action is not included: the
    events show what was played.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawBlind(0))
    >>> move, = game.messages(0, seat=1)
    >>> move.number, move.seat, move.events[0]
    (1, 0, SeenEvent(CardDrawn(seat=0, card=Unknown(count=1))))
    """

    number: int
    seat: int | None
    events: tuple[SeenEvent, ...]

    @classmethod
    def of(cls, move: Move, number: int, seat: int | None) -> SeenMove:
        """A move, the `number`-th of its game, as a seat may see it."""
        events = tuple([event.seen_by(seat) for event in move.events])
        return cls(number, None if move.action is None else move.action.seat, events)

    def __repr__(self) -> str:
        who = "" if self.seat is None else f" by seat {self.seat}"
        return f"<SeenMove {self.number}{who}: {len(self.events)} event{'' if len(self.events) == 1 else 's'}>"


def replayed(rules: Rules, players: int, chance: SeededChance | Chance, moves: Sequence[Move]) -> State:
    """The state after these moves: rebuilt by folding their events, without applying the rules again."""
    state = State(rules, players, chance)
    for move in moves:
        fold(state, move.events)
    state.chance_calls = moves[-1].chance_calls
    return state


def asked_at(seat: int, start: State, moves: Sequence[Move]) -> int:
    """After how many actions a seat got its current pending decision; `start` is the state before the first move."""
    pending, found = None, 0
    for number, move in enumerate(moves):
        fold(start, move.events)
        decision = start.decision(seat)
        if decision != pending or (move.action is not None and move.action.seat == seat):
            pending, found = decision, number
    return found
