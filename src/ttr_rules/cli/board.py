"""`ttr-rules board`: the board of a stack as tables: its cities, its routes and what they score, its tickets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_rules.cli.labels import plain
from ttr_rules.cli.screen import painted
from ttr_rules.cli.sheets import WIDTH
from ttr_rules.cli.terminal import console, examples, stack_argument, write_json
from ttr_rules.cli.words import Names, printable
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Board, Route, Ticket
from ttr_rules.plugins.compiler import compile_rules


@click.command(
    short_help="Show the board of a stack as tables.",
    epilog=examples("""
        Examples:
          ttr-rules board europe                       everything
          ttr-rules board north-america --routes       the routes and their points
          ttr-rules board mega-europa --tickets        the tickets of this stack
          ttr-rules board switzerland --json > board.json
    """),
)
@stack_argument
@click.option("--cities", is_flag=True, help="Show the cities and their neighbours.")
@click.option("--routes", is_flag=True, help="Show the routes, and the points by length.")
@click.option("--tickets", is_flag=True, help="Show the tickets of the stack's deck.")
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON, with the ids that Python uses.")
def board(stack: tuple[str, ...], cities: bool, routes: bool, tickets: bool, as_json: bool) -> None:
    """Show the board of a STACK as tables: cities, routes, points and tickets; only some of them if asked.

    The tickets are those of the STACK, as a plugin may choose others from the board. In the column of spaces, a ferry tells
    how many of them ask for a locomotive.
    """
    rules = compile_rules(*stack)
    every = not (cities or routes or tickets)
    if as_json:
        write_json(_as_json(rules, cities or every, routes or every, tickets or every))
        return
    screen = console()
    names = Names(rules, ())
    counts = f"{len(rules.board.cities)} cities, {len(rules.board.routes)} routes, {len(rules.deck.tickets)} tickets"
    screen.print(Text(printable(f"{rules.board.name}: {counts}."), style="bold"), soft_wrap=True)
    if cities or every:
        _print(screen, _cities(rules.board, names))
    if routes or every:
        _print(screen, _routes(rules.board, names))
        _print(screen, _points(rules.board))
    if tickets or every:
        _print(screen, _tickets(rules, names))


def _print(screen: Console, table: Table) -> None:
    """A table below a blank line; in a file or pipe without the blanks that fill its lines."""
    screen.print()
    width = min(WIDTH, screen.width)
    if screen.is_terminal:
        screen.print(table, width=width)
        return
    with screen.capture() as captured:
        screen.print(table, width=width)
    for line in captured.get().splitlines():
        screen.print(Text(line.rstrip()), soft_wrap=True)


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


# -- the tables ----------------------------------------------------------------------------------------------------


def _cities(board: Board, names: Names) -> Table:
    """The cities by name, with the cities that a route leads to."""
    neighbours: dict[str, list[str]] = {city: [] for city in board.cities}
    for route in board.routes.values():
        for city in route.cities:
            neighbours[city].append(names.place(route.other_end(city)))
    crossings = any(city.country for city in board.cities.values())
    table = _table("City", *(["Country"] if crossings else []), "Routes", "Leads to", right=["Routes"])
    for place in sorted(board.cities.values(), key=lambda each: plain(each.name)):
        ends = Counter(sorted(neighbours[place.id], key=plain))
        leads = ", ".join(f"{end} ({count})" if count > 1 else end for end, count in ends.items())
        country = [names.place(place.country) if place.country else ""] if crossings else []
        table.add_row(names.place(place.id), *country, str(len(neighbours[place.id])), leads)
    return table


def _routes(board: Board, names: Names) -> Table:
    """The routes by the names of their cities."""
    table = _table("From", "To", "Spaces", "Colour", "Points", "Kind", right=["Spaces", "Points"])
    for route in sorted(
        board.routes.values(), key=lambda each: tuple(plain(names.place(city)) for city in each.cities)
    ):
        first, second = map(names.place, route.cities)
        kinds = ", ".join(kinds_of(route, board))
        points = str(board.points[route.length])
        table.add_row(first, second, str(route.length), painted(str(route.color)), points, kinds)
    return table


def kinds_of(route: Route, board: Board) -> Iterator[str]:
    """What is special about a route, each in a word or two."""
    if route.tunnel:
        yield "tunnel"
    if route.ferry_locomotives:
        yield f"ferry {route.ferry_locomotives}"
    if route.double_group is not None:
        among = sum(other.double_group == route.double_group for other in board.routes.values())
        yield {2: "double", 3: "triple"}.get(among, f"one of {among}")


def _points(board: Board) -> Table:
    """What routes score by their length."""
    lengths = Counter(route.length for route in board.routes.values())
    table = _table("Spaces", "Points", "Routes", right=["Spaces", "Points", "Routes"])
    for length, points in sorted(board.points.items()):
        table.add_row(str(length), str(points), str(lengths[length]))
    return table


def _tickets(rules: Rules, names: Names) -> Table:
    """The tickets of the deck, pile by pile in their order, then by name."""
    table = _table("From", "To", "Points", "Kind", "Logos", right=["Points"])
    if not any(ticket.logos for ticket in rules.deck.tickets):
        table.columns.pop()
    for pile in rules.deck.piles.values():
        for ticket in sorted(pile, key=lambda each: tuple(plain(names.place(place)) for place in each.cities)):
            logos = [", ".join(sorted(map(names.value, ticket.logos)))][: len(table.columns) - 4]
            table.add_row(*_goals(ticket, names), ticket.kind, *logos)
    return table


def _goals(ticket: Ticket, names: Names) -> tuple[str, str, str]:
    """From where a ticket leads, to where, for how many points; line by line if there are several places."""
    places = "\n".join(names.place(place) for place, _ in ticket.goals)
    return names.place(ticket.cities[0]), places, "\n".join(str(points) for _, points in ticket.goals)


# -- JSON ----------------------------------------------------------------------------------------------------------


def _as_json(rules: Rules, cities: bool, routes: bool, tickets: bool) -> dict[str, Any]:
    board = rules.board
    found: dict[str, Any] = {"stack": list(rules.stack), "board": {"id": board.id, "name": board.name}}
    if cities:
        found["cities"] = [
            {"id": city.id, "name": city.name, "country": city.country} for city in board.cities.values()
        ]
    if routes:
        found["routes"] = [_route_as_json(route, board) for route in board.routes.values()]
        found["points"] = {str(length): points for length, points in sorted(board.points.items())}
    if tickets:
        piles = rules.deck.piles.items()
        found["tickets"] = [_ticket_as_json(ticket, pile) for pile, each in piles for ticket in each]
    return found


def _route_as_json(route: Route, board: Board) -> dict[str, Any]:
    return {
        "id": route.id,
        "cities": list(route.cities),
        "length": route.length,
        "color": str(route.color),
        "points": board.points[route.length],
        "tunnel": route.tunnel,
        "ferry_locomotives": route.ferry_locomotives,
        "double_group": route.double_group,
    }


def _ticket_as_json(ticket: Ticket, pile: str) -> dict[str, Any]:
    return {
        "id": ticket.id,
        "cities": list(ticket.cities),
        "points": ticket.points,
        "kind": ticket.kind,
        "pile": pile,
        "set": ticket.set,
        "logos": sorted(ticket.logos),
        "alternatives": dict(ticket.alternatives),
    }
