"""What a person can look up: the map, their tickets, the routes of the board, and the parts of the state by label."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ttr_rules import View
from ttr_rules.language import named
from ttr_rules.model import Board, plain
from ttr_rules.play import Game, ticket_progress
from ttr_rules.text import spaced
from ttr_tools.cli.map import print_map
from ttr_tools.cli.screen import Screen, painted
from ttr_tools.cli.sheets import style_of
from ttr_tools.narration.labels import ticket_label, value_label
from ttr_tools.narration.shown import shown_fields
from ttr_tools.narration.words import Names

#: For up to this many cities, what is there is shown with their routes.
_FEW_CITIES = 3


#: What can be looked up besides routes.
MAP, TICKETS = named("map", "answer"), named("tickets", "answer")


def look_up(screen: Screen, game: Game, seat: int, names: Names, wanted: str) -> None:
    """Print what a person wants to see: the map, their tickets, or routes as `show_routes` does."""
    if screen.means(wanted, MAP):
        todo = [each.ticket for each in ticket_progress(game.state, seat) if not each.completed]
        places = [place for ticket in todo for place in game.rules.tickets[ticket].places]
        cities = {city for place in places for city in game.rules.board.place(place)}
        print_map(screen.console, game.view(seat), names, cities)
    elif screen.means(wanted, TICKETS):
        show_tickets(screen, game, seat, names)
    else:
        show_routes(screen, game, seat, names, wanted)


def show_tickets(screen: Screen, game: Game, seat: int, names: Names) -> None:
    """Print how far a person is with each ticket: what is missing on the shortest way that is still open."""
    say, board = names.language, game.rules.board
    progress = ticket_progress(game.state, seat)
    if not progress:
        screen.say(say.gettext("You have no tickets yet."))
    for each in progress:
        label = ticket_label(game.rules.tickets[each.ticket], names)
        if each.completed:
            text = Text(say.gettext("completed"), style="green")
        elif each.spaces is None:
            text = Text(say.gettext("cannot be completed any more"), style="red")
        else:
            ways = [f"{names.between(board.routes[id].cities)} {board.routes[id].length}" for id in each.missing]
            text = Text(f"{missing_spaces(each.spaces, names)}: {', '.join(ways)}")
        screen.say(Text.assemble("   ", (label, "bold"), ": ", text), indent=5)


def missing_spaces(spaces: int, names: Names) -> str:
    """How many spaces a ticket misses, in words."""
    return names.language.ngettext("{count} space missing", "{count} spaces missing", spaces)


def show_routes(screen: Screen, game: Game, seat: int, names: Names, wanted: str) -> None:
    """Print what a person wants to look up.

    Without a word: the claimed routes; with `*`: those with a mark; otherwise the routes of matching cities and what
    is there; or, if no city matches, the field with that label.
    """
    board, view, say = game.rules.board, game.view(seat), names.language
    cities = _cities(board, wanted) if wanted not in ("", "*") else set[str]()
    if wanted == "*":
        routes = [route for route in board.routes.values() if route.marks]
    elif cities:
        routes = [route for route in board.routes.values() if set(route.cities) & cities]
    elif wanted:
        routes = [
            route
            for route in board.routes.values()
            if any(plain(wanted) in plain(f"{spaced(mark)} {say.name(spaced(mark))}") for mark in route.marks)
        ]
        called = [each for each in shown_fields(view, names) if plain(each.label).startswith(plain(wanted))]
        called = [each for each in called if not each.is_empty] or called
        for shown in called:
            screen.say(f"{shown.label}: {shown.text(names) if shown.value else say.gettext('none')}", indent=3)
        if not routes and not called:
            screen.say(say.gettext("No city has “{text}” in its name.", text=wanted[:40]))
            return
    else:
        routes = [board.routes[id] for id in view.owners]
    if not routes and wanted in ("", "*"):
        nothing = "No route of this board has a mark." if wanted else "Nobody has claimed a route yet."
        screen.say(f"{say.gettext(nothing)} {say.gettext('/paris shows the routes of a city.')}")
    for route in sorted(routes, key=lambda each: (view.owners.get(each.id, -1), plain(names.between(each.cities)))):
        whose = Text(say.gettext("free"))
        if route.id in view.owners:
            whose = Text(names.player(view.owners[route.id]), style=style_of(view.owners[route.id]))
        screen.say(Text("   ") + painted(value_label(route.id, names)[0], say) + Text(": ") + whose, indent=5)
    if len(cities) <= _FEW_CITIES:
        for line in _there(view, cities, names):
            screen.say(f"   {line}", indent=5)


def _there(view: View, cities: set[str], names: Names) -> Iterator[str]:
    """What the parts of the state have at these cities."""
    for shown in shown_fields(view, names):
        for city in sorted(cities & set(shown.table)):
            yield f"{shown.label}: {shown.entry(names.place(city), shown.table[city], names)}"


def _cities(board: Board, wanted: str) -> set[str]:
    """The cities with this name, else those with a word in one that begins with it, else those that contain it."""
    named = {city for place in board.names.meant(wanted) for city in board.place(place)}
    if named:
        return named
    letters = plain(wanted)
    names = {city: f" {board.names.words[city]}" for city in board.cities}
    begin = {city for city, words in names.items() if f" {letters}" in words}
    return begin or {city for city, words in names.items() if letters in words}
