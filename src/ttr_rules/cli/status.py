"""What a person at the table has before them: the players, the row, the hand, the tickets; each in a line or two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from rich import box
from rich.table import Table
from rich.text import Text

from ttr_rules.cli.labels import cards_label, plain, ticket_label, value_label
from ttr_rules.cli.screen import Screen, painted
from ttr_rules.cli.sheets import style_of
from ttr_rules.cli.words import Names, spaced, titled
from ttr_rules.kernel.fields import told
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board
from ttr_rules.model.cards import Counts
from ttr_rules.play.game import Game

#: Parts of a view that have lines of their own, or that the questions tell.
_TOLD = frozenset(
    {"hand", "hand_sizes", "face_up", "draw_pile_size", "discards", "laid", "revealed", "stations", "lends"}
)
#: What columns are called that are not called like their parts.
_COLUMNS: Mapping[str, str] = {"hand_sizes": "Cards", "stations_left": "Stations"}
_LABEL = 9


def show_status(screen: Screen, game: Game, seat: int, names: Names) -> None:
    """Print what `seat` sees of the table, as compact as it can be."""
    view = game.view(seat)
    width = screen.width
    with screen.console.capture() as captured:
        screen.console.print(_players(view, names), width=width)
    screen.say()
    for line in captured.get().splitlines():
        screen.say(Text.from_ansi(line.rstrip()))
    for label, text in [*_table(view, names), *_own(view, names), *_tickets(game, view, names)]:
        screen.say(Text.assemble((f"{label:{_LABEL}} ", "bold"), painted(text)), indent=_LABEL + 1)
    screen.say()


def _players(view: View, names: Names) -> Table:
    """The players line by line: scores, cars, and everything else that each of them has a number of."""
    columns: dict[str, list[str]] = {
        "Points": [str(points) for points in view.scores],
        "Cars": [str(cars) for cars in view.cars],
        "Tickets": ["?" if count is None else str(count) for count in view.ticket_counts],
    }
    for name, value in _shown(view):
        if _is_column(value, view):
            columns[_COLUMNS.get(name, titled(name))] = [_short(each) for each in value]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True, overflow="ellipsis", max_width=24)
    for title in columns:
        table.add_column(title, justify="right")
    for seat in range(len(view.players)):
        player = Text(names.player(seat), style=style_of(seat))
        if seat == view.seat:
            player.append(" (you)", style="not bold")
        table.add_row(player, *(cells[seat] for cells in columns.values()))
    return table


def _shown(view: View) -> Iterator[tuple[str, Any]]:
    for part in view.parts.values():
        yield from told(part).items()


def _is_column(value: object, view: View) -> bool:
    """Whether something is one number, or one stock, for each player."""
    if not isinstance(value, tuple):
        return False
    each = cast("tuple[object, ...]", value)
    return len(each) == len(view.players) and all(isinstance(one, int | Counts) for one in each)


def _short(value: object) -> str:
    return (cards_label(value) if value else "none") if isinstance(value, Counts) else str(value)


def _table(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """What lies on the table for everybody."""
    parts = dict(_shown(view))
    if "face_up" in parts:
        pile = f"; {parts['draw_pile_size']} in the pile" if "draw_pile_size" in parts else ""
        yield "Face up", (", ".join(map(spaced, parts["face_up"])) or "nothing") + pile
    if parts.get("stations"):
        built = (f"{names.place(city)} ({names.player(seat)})" for city, seat in parts["stations"].items())
        yield "Stations", ", ".join(built)
    if view.turns_left:
        yield (
            "Last round",
            f"{view.turns_left} more turn{'' if view.turns_left == 1 else 's'} in all, this one included",
        )


def _own(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """The hand, and what plugins show to this seat; nothing of what they hold secret from it is in a view."""
    parts = dict(_shown(view))
    if parts.get("hand") is not None:
        yield "Hand", cards_label(parts["hand"]).replace(" + ", ", ")
    if parts.get("unused") and Counts(_tally(parts.get("dice"))) == parts["unused"]:
        del parts["unused"]
    for name, value in parts.items():
        if name in _TOLD or _is_column(value, view) or value in ((), {}, None, ""):
            continue
        text = value_label(value, names, name)[0]
        yield titled(name), text if len(text) <= 200 else f"{text[:200]}…"


def _tally(things: object) -> dict[str, int]:
    names = cast("tuple[str, ...]", things) if isinstance(things, tuple) else ()
    return {name: names.count(name) for name in names}


def _tickets(game: Game, view: View, names: Names) -> Iterator[tuple[str, str]]:
    """The tickets held, those that are completed already apart from the others."""
    assert view.seat is not None, "only a player has a status"
    if not view.tickets:
        return
    sheet = final_scores(game.state, game.players).players[view.seat]
    done: list[str] = []
    still: list[str] = []
    for id, ticket in zip(view.tickets, sheet.tickets, strict=True):
        (done if ticket.completed else still).append(ticket_label(game.rules.tickets[id], names))
    if still:
        yield "Tickets", f"to do: {', '.join(still)}"
    if done:
        yield "" if still else "Tickets", f"completed: {', '.join(done)}"


# -- looking at the board ------------------------------------------------------------------------------------------


def show_routes(screen: Screen, game: Game, seat: int, names: Names, wanted: str) -> None:
    """Print the routes of the cities with these letters in their names; without letters, all that are claimed."""
    board = game.rules.board
    owners = game.view(seat).owners
    cities = _cities(board, wanted)
    if wanted and not cities:
        screen.say(f"No city has “{wanted[:40]}” in its name.")
        return
    routes = [
        route for route in board.routes.values() if (set(route.cities) & cities if wanted else route.id in owners)
    ]
    if not routes:
        screen.say("Nobody has claimed a route yet. /paris shows the routes of a city.")
    for route in sorted(routes, key=lambda route: (owners.get(route.id, -1), plain(names.between(route.cities)))):
        whose = Text("free")
        if route.id in owners:
            whose = Text(names.player(owners[route.id]), style=style_of(owners[route.id]))
        screen.say(Text("   ") + painted(value_label(route.id, names)[0]) + Text(": ") + whose, indent=5)


def _cities(board: Board, wanted: str) -> set[str]:
    """The cities whose names begin with these letters; if there are none, those that have them anywhere."""
    letters = plain(wanted)
    names = {city.id: (plain(city.name), plain(city.id)) for city in board.cities.values()}
    begin = {id for id, each in names.items() if any(name.startswith(letters) for name in each)}
    return begin or {id for id, each in names.items() if any(letters in name for name in each)}
