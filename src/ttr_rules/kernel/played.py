"""The result of `Rules.play`."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.state import State
from ttr_rules.text import cut


@frozen(repr=False)
class Played:
    """The result of playing an action on a state: the new state and the events.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> played = game.rules.play(game.state, ttr.DrawTickets(0))
    >>> [type(event).__name__ for event in played.events], played.state.pending[0].seat
    (['TicketsDrawn'], 0)
    """

    state: State
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        return cut(f"<Played: {', '.join(type(event).__name__ for event in self.events)}; {self.state!r}>")
