"""Legal actions with one thing changed, which a validator has to tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, cast

import attrs

from ttr_rules.errors import TTRError
from ttr_rules.model import AbandonTunnel, Action, Card, ClaimRoute, Counts, DrawTickets, KeepTickets, Pass, PayTunnel
from ttr_rules.play import Game
from ttr_rules.train_cards import DrawBlind

#: The number of remembered values per field.
MOST_KEPT = 40
#: Texts that no field of an action may have. Values of other types are for type checkers to find.
JUNK = ("", "nowhere")


class Mutants:
    """Creates changed actions; remembers previous offers, the best source of nearly legal actions."""

    def __init__(self, game: Game, random: Random) -> None:
        board = game.rules.board
        self.random = random
        self.players = len(game.players)
        self.pools: dict[str, list[str]] = {
            "routes": list(board.routes),
            "cities": list(board.cities),
            "cards": [str(card) for card in Card],
            "tickets": list(game.rules.tickets) or ["nowhere-else"],
        }
        self._seen: dict[tuple[type[Action], str], list[Any]] = {}
        self._kinds: dict[type[Action], Action] = {}

    def learn(self, actions: Sequence[Action]) -> None:
        """Keep the values of some offered actions for later."""
        for action in actions:
            self._kinds[type(action)] = action
            for field in attrs.fields(type(action)):
                values = self._seen.setdefault((type(action), field.name), [])
                value = getattr(action, field.name)
                if field.name != "seat" and len(values) < MOST_KEPT and value not in values:
                    values.append(value)

    def near(self, action: Action) -> list[Action]:
        """Actions like `action` with one thing changed, and answers to other decisions. Some are legal, most are not.

        Actions that cannot be created because their class raises a `TTRError` are left out.
        """
        seats: list[Any] = [*range(-1, self.players + 1), None, str(action.seat)]
        changes: list[tuple[Action, str, Any]] = [(action, "seat", seat) for seat in seats if seat != action.seat]
        for field in attrs.fields(type(action)):
            if field.name != "seat":
                value = getattr(action, field.name)
                changes += [(action, field.name, new) for new in self._changed(value)]
                seen = self._seen.get((type(action), field.name), [])
                changes += [(action, field.name, new) for new in self.random.sample(seen, min(8, len(seen)))]
        for other in self._kinds.values():
            changes.append((other, "seat", action.seat))
        found: list[Action] = []
        for original, name, value in changes:
            try:
                found.append(attrs.evolve(original, **{name: value}))
            except TTRError:
                continue
        return [*found, *self._of_the_core(action.seat)]

    def _of_the_core(self, seat: int) -> list[Action]:
        some = {self.random.choice(self.pools["cards"]): self.random.randint(1, 3)}
        return [
            DrawBlind(seat), DrawTickets(seat), Pass(seat), AbandonTunnel(seat), PayTunnel(seat, some),
            KeepTickets(seat, ()), KeepTickets(seat, (self.random.choice(self.pools["tickets"]),)),
            ClaimRoute(seat, self.random.choice(self.pools["routes"]), some),
        ]  # fmt: skip

    def _changed(self, value: object) -> Iterator[Any]:
        """Values near `value`: counts one more, one less, renamed; ids of other items; tuples longer and shorter."""
        choose = self.random.choice
        if isinstance(value, Counts):
            kinds = [*value, *self.pools["cards"]]
            for kind in {choose(kinds): None, **dict.fromkeys(value)}:
                yield {**value, kind: value[kind] + 1}
                yield {**value, kind: max(value[kind] - 1, 0)}
                rest = {name: count for name, count in value.items() if name != kind}
                other = choose(kinds)
                yield {**rest, other: rest.get(other, 0) + value[kind]}
            yield {}
            yield {choose(kinds): value.total}
            yield {name: count * 9 for name, count in value.items()}
        elif isinstance(value, tuple):
            items = cast("tuple[object, ...]", value)
            ticket = choose(self.pools["tickets"])
            yield from (items[1:], items[:-1], (*items, *items[:1]), (*items, ticket), (ticket,), (), ("nowhere",))
        elif isinstance(value, str):
            for pool in self.pools.values():
                yield choose(pool)
            yield from JUNK
        elif isinstance(value, bool):
            yield not value
        elif isinstance(value, int):
            yield from (value + 1, value - 1, value + 2, -value)
        elif isinstance(value, Mapping):
            pairs = cast("Mapping[object, object]", value)
            yield {}
            yield {choose(self.pools["cities"]): choose(self.pools["routes"])}
            yield {city: choose(self.pools["routes"]) for city in pairs}
            yield dict(list(pairs.items())[1:])
