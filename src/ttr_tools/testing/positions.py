"""Positions for the check: values for the keys of a stack, a game near its last round, and hands for long routes."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, combinations
from random import Random
from typing import Any, TypeAlias

from attrs import frozen

from ttr_rules import Rules, State
from ttr_rules.actions import economy_of, pays_with
from ttr_rules.engine import never_hidden
from ttr_rules.errors import InvalidTableError
from ttr_rules.graph import shortest_path
from ttr_rules.model import Card, Counts
from ttr_rules.parts import TICKETS, KeyHelp, PartField, Place, keys_of, part_fields
from ttr_rules.play import Game, arrange
from ttr_rules.plugins import Part
from ttr_rules.reading import is_list, is_table
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import TrainCards
from ttr_rules.train_cards.piles import POOL as CARDS

#: A table as it is written: `players`, `parts`, and further keys.
Table: TypeAlias = dict[str, Any]
#: The most routes that complete a ticket.
COMPLETING = 4
#: The routes, tickets and train cards of each player, and the items under a key that takes several.
ROUTES_HELD, TICKETS_HELD, CARDS_HELD, ITEMS = 2, 2, 4, 2
#: The cards of one color, and the locomotives, of each player in the position for long routes.
OF_ONE_COLOR, LOCOMOTIVES = 12, 5
#: The length of those routes at most, so that train cars are left, if there are enough that short.
LONGEST_HELD = 3
#: The most values with one city, route or id that are tried for a key.
MOST_VALUES = 24


@frozen
class Entry:
    """A key of a part, with its help: that of a player at a seat, or of the table `parts`."""

    part: Part
    key: str
    about: KeyHelp
    seat: int | None

    @property
    def place(self) -> str:
        """The place of the key in a table, as errors name it."""
        return f"parts.{self.key}" if self.seat is None else f"players[{self.seat}].{self.key}"

    @property
    def field(self) -> str | None:
        """The field with this key, or None for one that only `Part.arrange` of the plugin reads."""
        fields = part_fields(type(self.part))
        return next((name for name, declared in fields.items() if declared.key == self.key), None)

    @property
    def has_own_example(self) -> bool:
        """True if its field declares an example."""
        return self.field is not None and bool(part_fields(type(self.part))[self.field].example)


class Values:
    """Values for the keys of a stack, at random, but the same for a seed. They fit each other.

    The cities and routes of a seat are its own first, and no two keys name the same one. No box runs out.
    """

    def __init__(self, rules: Rules, players: int, seed: int | str) -> None:
        self.rules = rules
        self.names = [f"Player {seat + 1}" for seat in range(players)]
        self._random = Random(f"position {seed!r}").random  # the only method whose results never change
        routes = self._choose_routes(players)
        self.routes = [routes[seat::players][:ROUTES_HELD] for seat in range(players)]
        parts = rules.new_parts(players)
        kinds = {*rules.part_types}
        self.entries = [
            Entry(part, key, about, seat)
            for part in parts
            if type(part) in kinds
            for seats, keys in zip((range(players), (None,)), keys_of(type(part)), strict=True)
            for key, about in keys.items()
            for seat in seats
        ]
        self._boxes = {TICKETS: self._shuffle(rules.tickets)}
        for part in parts:
            for pool, inside in part.box(rules).items():
                self._boxes[pool] = self._boxes.get(pool, []) + self._shuffle(inside)
        self._named: set[str] = set()
        #: The ids `of` which a field is, by key, in the order in which they are taken.
        self._orders: dict[str, list[str]] = {}
        #: The single routes that complete no ticket of a player.
        self._free = {id: route.length for id, route in rules.board.routes.items() if not route.double_group}

    def _shuffle(self, ids: Iterable[object]) -> list[str]:
        texts = [id for id in ids if isinstance(id, str)]
        return [id for _, id in sorted((self._random(), id) for id in texts)]

    def _choose_routes(self, players: int) -> list[str]:
        """The routes in the order in which players hold them: single ones that are short enough, then the shortest others.

        There is one of each double route. Each player's first is as long as may be.
        """
        routes = [self.rules.board.routes[id] for id in self._shuffle(self.rules.board.routes)]
        routes.sort(key=lambda route: (max(route.length, LONGEST_HELD), bool(route.double_group)))
        one_of_each: dict[str, str] = {}
        for route in routes:
            one_of_each.setdefault(route.double_group or route.id, route.id)
        long = [id for id in one_of_each.values() if self.rules.board.routes[id].length == LONGEST_HELD]
        return [*dict.fromkeys((*long[:players], *one_of_each.values()))]

    def example(self, entry: Entry) -> object:
        """The value in the example for a key, with a city of the seat and a route of the next one."""
        board, seat = self.rules.board, entry.seat or 0
        near, far = (
            board.routes[(held or self.routes[0])[0]].cities for held in (self.routes[seat], self.routes[seat - 1])
        )
        written = entry.about.filled(board.place_name(near[0]), [*map(board.place_name, far)], seat)
        return tomllib.loads(f"value = {written}")["value"]

    def others(self, entry: Entry) -> Iterator[object]:
        """Values with one city, route or id each, the seat's own first. There are none for other keys."""
        declared = None if entry.field is None else part_fields(type(entry.part))[entry.field]
        if declared and not declared.pool and (declared.of or declared.locations):
            ids = self._order(declared, entry.seat) if declared.of else self._locations(declared, entry.seat)
            for id in ids[:MOST_VALUES]:
                yield self.value(entry, [id])

    def value(self, entry: Entry, ids: list[str] | None = None) -> object:
        """A value for a key: one that its field may hold, with these ids if there are any, or the example."""
        name, part, seat = entry.field, entry.part, entry.seat
        if name is None:
            return self.example(entry)
        declared = part_fields(type(part))[name]
        place = Place(part, name, seat if declared.each else None)
        content: object = place.content
        if is_table(content) and not isinstance(content, Counts):
            return self._fill_table(declared, place, seat, [*map(str, content)], ids)
        if declared.seats:
            return self._name_player(place, seat)
        if declared.of or declared.locations or declared.pool:
            ids = ids or self._ids(declared, seat, 1 if place.is_one else ITEMS)
            if place.is_one:
                return ids[0] if ids else self.example(entry)
            return Counter(ids) if place.kind is Counts else ids
        return True if type(content) is bool else self._number(seat)

    def _fill_table(
        self, declared: PartField, place: Place, seat: int | None, stores: list[str], ids: list[str] | None
    ) -> object:
        """A value for a table by id: items for each store, some ids of a player, or a value for each id."""
        if declared.pool:
            return {
                store: self._take(declared.pool, ITEMS, declared.of)
                for store in stores or self._name_locations(declared, seat)
            }
        ids = ids or self._ids(declared, seat)
        if seat is not None:
            return ids
        kind = Place(place.part, place.field, None, "").kind
        return {id: {bool: True, int: self._number()}.get(kind, "x") for id in ids}

    def _name_player(self, place: Place, seat: int | None) -> object:
        """The name of another player, in a list if there may be several."""
        others = [other for number, other in enumerate(self.names) if number != seat]
        return others[0] if place.is_one else others[:1]

    def holdings(self, seat: int) -> dict[str, object]:
        """Other holdings of a player: some routes, tickets, few cars and, in an economy with train cards, a hand."""
        box = self.rules.components
        held: dict[str, object] = {"routes": self.routes[seat], "tickets": self.take_tickets()}
        if box.last_round_at is not None:
            few = box.last_round_at
            held["cars"] = {kind: 0 if number else few for number, kind in enumerate(box.fleets)} if box.fleets else few
        if "hand" in self.rules.economy.player_keys:
            held["hand"] = Counter(self._take(CARDS, CARDS_HELD))
        return held

    def required(self) -> dict[str, object]:
        """Values for the keys that every table must have, by place: the examples if others are refused."""
        entries = [entry for entry in self.entries if entry.about.required]
        if not entries:
            return {}
        made_up = {entry.place: self.value(entry) for entry in entries}
        for written in (made_up, {entry.place: self.example(entry) for entry in entries}):
            with suppress(Exception):  # what else fails is told where the position is looked at
                arrange(self.rules, self.table(written, seed=1))
                return written
        return made_up

    def take_completed(self, seat: int) -> dict[str, object]:
        """A ticket and the routes that complete it, which no other player holds, and for every other seat one more ticket.

        If no path is short enough, some tickets.
        """
        board, tickets = self.rules.board, self._boxes[TICKETS]
        for ticket in tickets:
            places = self.rules.tickets[ticket].places
            if len(places) == 2 and board.cities.keys() >= {*places}:
                path = shortest_path(board, self._free, places[:1], places[1:])
                if path and len(path[1]) <= COMPLETING and path[0] <= self.rules.components.cars // 2:
                    tickets.remove(ticket)
                    for route in path[1]:
                        del self._free[route]
                    return {"tickets": [ticket, *self._take(TICKETS, seat % 2)], "routes": [*path[1]]}
        return {"tickets": self.take_tickets()}

    def take_tickets(self) -> list[str]:
        """Some tickets for a player."""
        return self._take(TICKETS, TICKETS_HELD)

    def table(
        self, written: Mapping[str, object], of_players: Iterable[Mapping[str, object]] = (), **more: object
    ) -> Table:
        """A table with these values of keys, by place, with what else the players have, and with further keys."""
        players: list[dict[str, object]] = [{"name": name} for name in self.names]
        parts: dict[str, object] = {}
        for player, held in zip(players, of_players, strict=False):
            player.update(held)
        for entry in self.entries:
            if entry.place in written:
                of = parts if entry.seat is None else players[entry.seat]
                of[entry.key] = written[entry.place]
        return {"players": players, "parts": parts, **more}

    def _number(self, seat: int | None = None) -> int:
        """A number, larger for every other seat."""
        return 1 + int(3 * self._random()) + (6 if seat is not None and seat % 2 else 0)

    def _ids(self, declared: PartField, seat: int | None, count: int = ITEMS) -> list[str]:
        """Some of the ids that a field may hold."""
        if declared.pool:
            return self._take(declared.pool, count, declared.of)
        return (
            self._order(declared, seat, count)[:count] if declared.of else self._name_locations(declared, seat, count)
        )

    def _order(self, declared: PartField, seat: int | None, count: int = 1) -> list[str]:
        """The ids of which a field is, others first for each seat."""
        order = self._orders.setdefault(declared.key, self._shuffle(declared.of))
        first = (seat or 0) * count % len(order)
        return order[first:] + order[:first]

    def _take(self, pool: str, count: int, of: Collection[str] = ()) -> list[str]:
        """The next items in a box, from which they are taken. With `of`, the next of these kinds."""
        inside = self._boxes.get(pool, [])
        taken = [item for item in inside if not of or item in of][:count]
        for item in taken:
            inside.remove(item)
        return taken

    def _name_locations(self, declared: PartField, seat: int | None, count: int = ITEMS) -> list[str]:
        """The next cities or routes that no other key names, those of the seat first."""
        named = [id for id in self._locations(declared, seat) if id not in self._named][:count]
        self._named.update(named)
        return named

    def _locations(self, declared: PartField, seat: int | None) -> list[str]:
        """All cities or routes, those of the seat first, then those of nobody."""
        board = self.rules.board
        own = [] if seat is None else self.routes[seat]
        every = self._shuffle(board.routes)
        if declared.locations != "routes":
            own, every = [city for id in own for city in board.routes[id].cities], self._shuffle(board.cities)
        held = {*chain.from_iterable(self.routes)}
        return [*dict.fromkeys((*own, *sorted(every, key=held.__contains__)))]


def required_table(rules: Rules) -> Table:
    """A table with the keys that every table must have, and no others, for the fewest players."""
    values = Values(rules, rules.components.min_players, 1)
    return values.table(values.required())


def arrange_last_turns(rules: Rules, players: int, seed: int) -> tuple[Game, Mapping[str, str]]:
    """A position in which the keys of all parts hold something, and that soon comes to its last round.

    It begins after the next turn, by the cars left, or else after a fixed number of rounds. A key that is refused whatever is
    written is left out, or written with its example if it is required. All of these are returned by place, each with
    the problem. Raises `InvalidTableError` if nothing helps.
    """
    last = LastTurns(rules, players, seed)
    while True:
        try:
            return last.arrange(), last.refused
        except InvalidTableError as error:
            if not last.write_otherwise(error.problems):
                raise


class LastTurns:
    """What is written for the keys of all parts in a position near the last round, until it is accepted.

    A key that is refused is written again with the example of its field, with only one of its items, then with other cities,
    routes or ids, and at last with the examples of all keys of its part.
    """

    def __init__(self, rules: Rules, players: int, seed: int) -> None:
        self.rules = rules
        self.values = Values(rules, players, seed)
        self.course = {"seed": seed, **_late(rules, players)}
        self.of_players = [self.values.holdings(seat) for seat in range(players)]
        self.written = {entry.place: self.values.value(entry) for entry in self.values.entries}
        #: By place, what else may be written.
        self.others = {entry.place: self._list_others(entry) for entry in self.values.entries}
        #: By place, the problem of each key that is given up.
        self.refused: dict[str, str] = {}
        #: The parts whose examples have been written together.
        self.agreed: set[type[Part]] = set()

    def arrange(self, *left_out: str, instead: Mapping[str, object] = FrozenMap()) -> Game:
        """The position, without some keys of all players or parts, and with other values in some places."""
        keys = {entry.place for entry in self.values.entries if entry.key in left_out and not entry.about.required}
        written = {place: value for place, value in {**self.written, **instead}.items() if place not in keys}
        return arrange(self.rules, self.values.table(written, self.of_players, **self.course))

    def problems(self, *left_out: str, instead: Mapping[str, object] = FrozenMap()) -> Sequence[str]:
        """The problems of such a position."""
        try:
            self.arrange(*left_out, instead=instead)
        except InvalidTableError as error:
            return error.problems
        return ()

    def write_otherwise(self, problems: Sequence[str]) -> bool:
        """Write something else where there are problems. Returns false if that has been given up everywhere."""
        now = self._blame(problems)
        again = [entry for entry in self.values.entries if entry.place in self.written and entry.place in now]
        if all(entry.place in self.refused for entry in again):
            return False
        for entry in again:
            other = next(self.others[entry.place], None)
            if other is not None:
                self.written[entry.place] = other
            elif examples := self._find_agreeing(entry.part):
                self.written |= examples
                break
            else:
                self._give_up(entry, now[entry.place])
        return True

    def _list_others(self, entry: Entry) -> Iterator[object]:
        """The other values for a key, those with more in them first."""
        made_up = self.written[entry.place]
        if entry.has_own_example:
            yield self.values.example(entry)
        if is_table(made_up) and len(made_up) > 1:
            yield dict([*made_up.items()][:1])
        elif is_list(made_up) and len(made_up) > 1:
            yield [*made_up][:1]
        yield from self.values.others(entry)

    def _blame(self, problems: Sequence[str]) -> dict[str, str]:
        """By the place of an entry, the first problem that is about it.

        A problem is about the entries that it names. If it names none, it is about the first key without which nothing is
        wrong at this place, or else about the first key, or the first two, without which this problem does not arise.
        """
        left = cache(self.problems)  # the same for all problems
        every = self.values.entries
        about: dict[str, str] = {}
        for problem in reversed(problems):
            place = problem.partition(":")[0]
            entries = [entry for entry in every if _is_at(problem, entry.place)]
            if not entries:
                here = [entry for entry in every if _is_at(problem, self.rules.part_names[type(entry.part)])] or every
                keys = list(dict.fromkeys(entry.key for entry in (*here, *every) if entry.place in self.written))
                alone = [(key,) for key in keys]
                curing = (some for some in alone if not any(_is_at(other, place) for other in left(*some)))
                helping = (some for some in chain(alone, combinations(keys, 2)) if problem not in left(*some))
                guilty = next(chain(curing, helping), ())
                entries = [entry for entry in every if entry.key in guilty] or here
            about |= dict.fromkeys((entry.place for entry in entries), problem)
        return about

    def _find_agreeing(self, part: Part) -> dict[str, object]:
        """The examples of all keys of a part, by place, once and if nothing is wrong with them together."""
        if type(part) in self.agreed:
            return {}
        self.agreed.add(type(part))
        entries = [entry for entry in self.values.entries if entry.part is part and entry.has_own_example]
        examples = {entry.place: self.values.example(entry) for entry in entries}
        places = [self.rules.part_names[type(part)], *examples]
        wrong = any(_is_at(problem, place) for problem in self.problems(instead=examples) for place in places)
        return {} if wrong else examples

    def _give_up(self, entry: Entry, problem: str) -> None:
        """Leave a key out, or write its example if it is required."""
        self.refused[entry.place] = problem
        if entry.about.required:
            self.written[entry.place] = self.values.example(entry)
        else:
            del self.written[entry.place]


def wrongly_hidden(state: State) -> Iterator[tuple[int, str]]:
    """The seats that hold a ticket in secret which `never_hidden` says that they cannot, each with the ticket."""
    for seat, held in enumerate(state.tickets if state.rules.never_hidden else ()):
        for ticket in never_hidden(state, seat) & {*held} - state.open_tickets:
            yield seat, ticket


def arrange_long_routes(rules: Rules, players: int, seed: int) -> Game:
    """A position in which seats have completed a ticket and, if train cards pay, have many cards of one color and locomotives.

    They have some other tickets if completed ones are refused, or cannot be hidden. Raises `InvalidTableError` if it is still
    refused.
    """
    with suppress(InvalidTableError):
        values = Values(rules, players, seed)
        game = _arrange_long_routes(values, [values.take_completed(seat) for seat in range(players)], seed)
        if not any(wrongly_hidden(game.state)):
            return game
    values = Values(rules, players, seed)
    return _arrange_long_routes(values, [{"tickets": values.take_tickets()} for _ in range(players)], seed)


def _arrange_long_routes(values: Values, hands: Sequence[dict[str, object]], seed: int) -> Game:
    """The position in which seats have these tickets and routes, and cards for long routes."""
    rules, players = values.rules, len(hands)
    if pays_with(rules.economy, TrainCards):
        cards = economy_of(rules.economy, TrainCards)
        left = Counter(cards.cards)
        colors = sorted(cards.colors, key=lambda color: -cards.cards[color])
        for seat, held in enumerate(hands):
            color = colors[seat % len(colors)]
            hand = {
                color: min(left[color], OF_ONE_COLOR),
                Card.LOCOMOTIVE: min(left[Card.LOCOMOTIVE] // (players - seat), LOCOMOTIVES),
            }
            left -= Counter(hand)
            held["hand"] = hand
    return arrange(rules, values.table(values.required(), hands, seed=seed))


def _late(rules: Rules, players: int) -> dict[str, object]:
    """The course of a position that soon comes to its last round, if it does not depend on train cars alone."""
    box = rules.components
    if box.rounds is not None:
        return {"round": box.rounds - 1}
    return {"turns_left": players * box.last_turns} if box.last_round_at is None else {}


def _is_at(problem: str, place: str) -> bool:
    """True if a problem is about a key, or about something in its value."""
    return problem.startswith(place) and problem[len(place) :][:1] in (":", ".", "[")
