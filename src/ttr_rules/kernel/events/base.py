"""The base of events, and how much of an event a seat may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeGuard

import attrs
from attrs import frozen

from ttr_rules.kernel.fields import size_of
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Unknown
from ttr_rules.model.values import SECRET, Value, replace


class Event(Value):
    """Something that happened. Plugins add their own: a class with fields, and `apply` for its effect.

    >>> import ttr_rules as ttr
    >>> class CarLost(ttr.Event):
    ...     message = "{seat} loses a train car"
    ...     seat: int
    ...     def apply(self, state):
    ...         state.cars[self.seat] -= 1
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> CarLost(seat=1).apply(state)
    >>> state.cars
    [45, 44]

    An event whose effect is a method of a part says so, and needs no `apply`: `effect = Stations.build` calls
    `state.part(Stations).build(…)` with the fields in their order. Where nobody keeps the events, none is created for it.
    """

    #: How the command line describes this event, with its fields in braces; plugins' events may set it (see
    #: `narration.telling`).
    message: ClassVar[str | None] = None

    #: All classes of events, so that saved games know those of a stack's plugins.
    every: ClassVar[list[type[Event]]] = []

    @staticmethod
    def effect(*args: Any, **kwargs: Any) -> None:
        """The effect, in place of `apply`: a method of a part, or a function of the state; then come the fields in order."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        Event.every.append(cls)
        kind: Any = cls
        method: Any = vars(cls).get("effect")
        if "apply" in vars(cls):
            kind.effect = None
        elif method is not None and not isinstance(method, staticmethod):
            part = getattr(method, "part", None) or getattr(method, "__objclass__", None)
            if part is not None and part is not State:
                kind.effect = _part_effect(part, method)

    def apply(self, state: State) -> None:
        """Apply this event to `state`; by default it changes nothing."""
        effect: Any = type(self).effect
        if effect is not None:
            effect(state, *_values(self))

    def seen_by(self, seat: int | None) -> SeenEvent:
        """The event as `seat` may see it; None is a spectator, who sees no secrets."""
        hidden: dict[str, Unknown] = {}
        for attribute in attrs.fields(type(self)):
            if SECRET not in attribute.metadata:
                continue
            owner, counted = attribute.metadata[SECRET]
            if owner is None or seat is None or getattr(self, owner) != seat:
                hidden[attribute.name] = Unknown(size_of(getattr(self, attribute.name)) if counted else None)
        return SeenEvent(replace(self, **hidden) if hidden else self)


def _part_effect(part: Any, method: Callable[..., None]) -> Callable[..., None]:
    """A function that calls a method of a part in a state."""

    def effect(state: State, *values: object) -> None:
        method(state.part(part), *values)

    effect.__wrapped__ = method  # type: ignore[attr-defined]
    return staticmethod(effect)


@frozen(repr=False)
class SeenEvent:
    """An event as one seat or a spectator sees it: safe to send to them. Made by `Event.seen_by`.

    `event` has `Unknown` in place of whatever they may not see. Seen events have a type of their own, so that a server
    cannot send a full event by mistake: `to_json` refuses a bare `Event`.

    >>> from ttr_rules.events import CardDrawn
    >>> CardDrawn(seat=0, card="red").seen_by(1)
    SeenEvent(CardDrawn(seat=0, card=Unknown(count=1)))
    """

    event: Event

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.event!r})"


_names: dict[type[Event], tuple[str, ...]] = {}


def _values(event: Event) -> list[object]:
    """The fields of an event, in order."""
    kind = type(event)
    if kind not in _names:
        _names[kind] = tuple(attribute.name for attribute in attrs.fields(kind))
    return [getattr(event, name) for name in _names[kind]]


def fold(state: State, events: Iterable[Event]) -> None:
    """Apply recorded events to `state`.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> state = State(game.rules, 2, game.state.chance)
    >>> fold(state, game.events)
    >>> state.tickets == game.state.tickets, state.pending == game.state.pending
    (True, True)
    """
    for event in events:
        event.apply(state)


def events_in(names: Mapping[str, object]) -> tuple[type[Event], ...]:
    """The types of events among the names of a module: give `events_in(globals())` to the hook `event_types`.

    >>> from ttr_rules.train_cards import events
    >>> [kind.__name__ for kind in events_in(vars(events)) if kind.__module__ == events.__name__][:2]
    ['PileShuffled', 'CardsDealt']
    """
    return tuple([each for each in names.values() if isinstance(each, type) and _is_event(each)])


def _is_event(kind: type[object]) -> TypeGuard[type[Event]]:
    return issubclass(kind, Event) and kind is not Event
