"""What a person can look up: the parts of the state by label, and the routes of the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs
from attrs import frozen
from rich.text import Text

from ttr_rules._internal.guards import is_list, is_table
from ttr_rules._internal.wording import spaced, titled
from ttr_rules.cli.labels import cards_label, value_label
from ttr_rules.cli.screen import Screen, painted
from ttr_rules.cli.sheets import style_of
from ttr_rules.cli.words import Names
from ttr_rules.kernel.fields import LABEL, SEATS, visible_fields
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board
from ttr_rules.model.cards import Counts
from ttr_rules.model.placenames import plain
from ttr_rules.model.unknown import Unknown
from ttr_rules.play.game import Game
from ttr_rules.train_cards.piles import SeenCards

#: For up to this many cities, what is there is shown with their routes.
_FEW_CITIES = 3


@frozen
class Shown:
    """A field that a part of the state exposes: its label, its value, and whether its numbers are seats."""

    label: str
    value: object
    seats: bool = False

    @property
    def table(self) -> Mapping[str, object]:
        """The value if it is a table, by city for example; otherwise an empty one."""
        return self.value if is_table(self.value) and not isinstance(self.value, Counts) else {}

    @property
    def row(self) -> Sequence[object]:
        """The value if it is a list, otherwise an empty one."""
        return self.value if is_list(self.value) else ()

    def is_column(self, players: int) -> bool:
        """Whether it is a number, a stock or a list of numbers per player; seats do not count as numbers."""
        if self.seats or len(self.row) != players:
            return False
        return all(isinstance(one, int | Counts | Unknown) or _is_numbers(one) for one in self.row)

    def text(self, names: Names) -> str:
        """All of it on one line."""
        return "; ".join(self.entries(names))

    def entries(self, names: Names) -> list[str]:
        """Its entries in words: those of a table one by one."""
        if self.table:
            return [self.entry(names.value(key) + names.meant(key), value, names) for key, value in self.table.items()]
        if self.seats:
            return [names.value(self.value, "seat")]
        if len(self.row) == len(names.players) and all(is_list(each) or isinstance(each, Unknown) for each in self.row):
            return [f"{names.player(seat)}: {_things(each, names)}" for seat, each in enumerate(self.row)]
        return [value_label(self.value, names)[0]]

    def entry(self, key: str, value: object, names: Names) -> str:
        """An entry of a table in words: `Berlin (Ada)`, `Berlin: 7, 6 and 5`."""
        if self.seats and isinstance(value, int):
            return f"{key} ({names.player(value)})"
        return f"{key}: {value_label(value, names)[0]}"


def _things(value: object, names: Names) -> str:
    """What one player has of something, or how much if only that is known."""
    if isinstance(value, Unknown):
        return _short(value, names)
    return value_label(value, names)[0] if value else "none"


def _is_numbers(value: object) -> bool:
    return isinstance(value, tuple) and all(type(one) is int for one in cast("tuple[object, ...]", value))


def shown_fields(view: View) -> Iterator[Shown]:
    """What the parts of the state expose to a seat, field by field; train cards are shown separately."""
    for part in view.parts.values():
        kind: Any = type(part)
        if isinstance(part, SeenCards) or not attrs.has(kind):
            continue
        visible = visible_fields(kind)
        for each in attrs.fields(kind):
            label = each.metadata.get(LABEL)
            if label != "" and (not visible or each.name in visible):
                yield Shown(label or titled(each.name), getattr(part, each.name), bool(each.metadata.get(SEATS)))


def columns_of(view: View, names: Names) -> Iterator[tuple[str, list[str]]]:
    """The numbers and stocks of each player, as columns of a table."""
    for part in view.parts.values():
        if isinstance(part, SeenCards):
            yield "Cards", [str(size) for size in part.hand_sizes]
    for shown in shown_fields(view):
        if shown.is_column(len(view.players)):
            yield shown.label, [_short(each, names) for each in shown.row]


def _short(value: object, names: Names) -> str:
    if isinstance(value, Unknown):
        return "?" if value.count is None else str(value.count)
    if isinstance(value, Counts):
        return cards_label(value, names.card_words) if value else "none"
    if isinstance(value, tuple):
        return "+".join(map(str, cast("tuple[object, ...]", value))) or "none"
    return str(value)


# -- looking at the board ------------------------------------------------------------------------------------------


def show_routes(screen: Screen, game: Game, seat: int, names: Names, wanted: str) -> None:
    """Print what a person wants to look up.

    Without a word: the claimed routes; with `*`: those with a mark; otherwise the routes of matching cities and what
    is there; or, if no city matches, the field with that label.
    """
    board, view = game.rules.board, game.view(seat)
    cities = _cities(board, wanted) if wanted not in ("", "*") else set[str]()
    if wanted == "*":
        routes = [route for route in board.routes.values() if route.marks]
    elif cities:
        routes = [route for route in board.routes.values() if set(route.cities) & cities]
    elif wanted:
        routes = [
            route for route in board.routes.values() if any(plain(wanted) in spaced(mark) for mark in route.marks)
        ]
        called = [each for each in shown_fields(view) if plain(each.label).startswith(plain(wanted))]
        for shown in called:
            screen.say(f"{shown.label}: {shown.text(names) if shown.value else 'none'}", indent=3)
        if not routes and not called:
            screen.say(f"No city has “{wanted[:40]}” in its name.")
            return
    else:
        routes = [board.routes[id] for id in view.owners]
    if not routes and wanted in ("", "*"):
        nothing = "No route of this board has a mark." if wanted else "Nobody has claimed a route yet."
        screen.say(f"{nothing} /paris shows the routes of a city.")
    for route in sorted(routes, key=lambda each: (view.owners.get(each.id, -1), plain(names.between(each.cities)))):
        whose = Text("free")
        if route.id in view.owners:
            whose = Text(names.player(view.owners[route.id]), style=style_of(view.owners[route.id]))
        screen.say(Text("   ") + painted(value_label(route.id, names)[0]) + Text(": ") + whose, indent=5)
    if len(cities) <= _FEW_CITIES:
        for line in _there(view, cities, names):
            screen.say(f"   {line}", indent=5)


def _there(view: View, cities: set[str], names: Names) -> Iterator[str]:
    """What the parts of the state have at these cities."""
    for shown in shown_fields(view):
        for city in sorted(cities & set(shown.table)):
            yield f"{shown.label}: {shown.entry(names.place(city), shown.table[city], names)}"


def _cities(board: Board, wanted: str) -> set[str]:
    """The cities with a name, or a word in one, that begins with these letters, or else contains them anywhere."""
    letters = plain(wanted)
    names = {city: f" {board.names.words[city]}" for city in board.cities}
    begin = {city for city, words in names.items() if f" {letters}" in words}
    return begin or {city for city, words in names.items() if letters in words}
