"""Checks that plugins' events do not show to all what the state then hides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, cast

import attrs

from ttr_rules import State
from ttr_rules.engine import view_of
from ttr_rules.events import Event
from ttr_rules.fields import SECRET
from ttr_rules.model import Counts
from ttr_rules.play import Game
from ttr_rules.train_cards import CardPiles
from ttr_tools.testing.compare import view_differences
from ttr_tools.testing.names import class_name, is_core, short
from ttr_tools.testing.problems import CheckFailed

#: How many events of a type are remembered, and how many other values are tried for a field.
REMEMBERED, TRIED = 20, 4


class OpenEvents:
    """Follows the events of a game. A different value in a public field must make a visible difference afterwards.

    If a seat that is shown the value then sees the same state either way, although the state differs, the value is a
    secret that the event leaks.
    """

    def __init__(self, game: Game, random: Random) -> None:
        state = game.state
        self.state = State(game.rules, state.players, state.chance)
        self.players = game.players
        self.random = random
        self.pools: list[list[str]] = [
            list(game.rules.tickets),
            list(game.rules.board.cities),
            list(game.rules.board.routes),
        ]
        if CardPiles in state.parts:
            self.pools.append([*state.part(CardPiles).kinds])
        self.seen: dict[type[Event], list[Event]] = {}

    def follow(self, events: Sequence[Event]) -> None:
        """Check some events, and apply them."""
        for event in events:
            self._remember(event)
        for event in events:
            if not is_core(type(event)):
                self._look(event)
            event.apply(self.state)

    def _remember(self, event: Event) -> None:
        known = self.seen.setdefault(type(event), [])
        if not is_core(type(event)) and len(known) < REMEMBERED:
            known.append(event)

    def _look(self, event: Event) -> None:
        after = self._after(event)
        own: object = getattr(event, "seat", None)
        watchers = [None, *(seat for seat in range(len(self.players)) if seat != own)]
        for field in attrs.fields(type(event)):
            if field.name == "seat" or SECRET in field.metadata or after is None:
                continue
            for value in self._others(event, field.name):
                there = self._after(attrs.evolve(cast("Any", event), **{field.name: value}))
                if there is None or there == after:
                    continue
                watcher = self.random.choice(watchers)
                here, elsewhere = (view_of(state, self.players, watcher) for state in (after, there))
                if not any(view_differences(here, elsewhere)):
                    who = "a spectator" if watcher is None else f"seat {watcher}"
                    raise CheckFailed(
                        f"the event {class_name(type(event))} tells {who} {field.name!r}, which it cannot know, as the state hides it: "
                        f"{short(event)} or with {short(value)} there, {who} sees the same table afterwards; declare the field "
                        'secret("seat") and annotate it with | Unknown, or show it in the part'
                    )

    def _after(self, event: Event) -> State | None:
        """The state after an event; None if it cannot be applied."""
        state = self.state.copy()
        try:
            event.apply(state)
            view_of(state, self.players, None)
        except Exception:  # a made-up value need not be valid
            return None
        return state

    def _others(self, event: Event, name: str) -> Iterator[object]:
        """Some other values of a field: from other events, and similar ones."""
        value: object = getattr(event, name)
        known = [getattr(each, name) for each in self.seen[type(event)]]
        others = [*known, *self._like(value)]
        different = [each for each in others if each != value]
        yield from self.random.sample(different, min(TRIED, len(different)))

    def _like(self, value: object) -> Iterable[object]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        if isinstance(value, str):
            return [self.random.choice(pool) for pool in self.pools if value in pool] or [f"{value}?"]
        if isinstance(value, Counts):
            kinds = next((pool for pool in self.pools if set(value) <= set(pool)), None)
            return [Counts({self.random.choice(kinds): value.total})] if kinds and value else []
        if isinstance(value, tuple) and value:
            first, *rest = cast("tuple[object, ...]", value)
            return [(each, *rest) for each in self._like(first)]
        return []
