"""`ttr-rules board`: the board of a stack as tables: its cities, its routes and what they score, its tickets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_rules import Rules
from ttr_rules.errors import PluginError
from ttr_rules.language import ENGLISH, Language, marked
from ttr_rules.model import Board, City, Route, TicketDeck, plain
from ttr_rules.play import Game
from ttr_rules.plugins import compile_rules, compile_without_tickets, installed
from ttr_rules.reading import to_jsonable
from ttr_rules.text import printable, spaced
from ttr_tools.cli.map import print_board, print_map
from ttr_tools.cli.saves import divided, saved_game
from ttr_tools.cli.screen import WIDTH, painted
from ttr_tools.cli.terminal import console, examples, language_option, stack_argument, write_json
from ttr_tools.cli.ticket_files import ticket_file_option, variant_file_option, with_tickets
from ttr_tools.narration.words import Names


@click.command(
    short_help="Show the board of a stack as tables.",
    epilog=examples("""
        Examples:
          ttr-rules board europe                       everything
          ttr-rules board north-america --routes       the routes and their points
          ttr-rules board mega-europa --tickets        the tickets of this stack
          ttr-rules board switzerland --json > board.json
          ttr-rules board europe --map                 the map alone
          ttr-rules board evening.json                 the map of a saved game
    """),
)
@stack_argument
@ticket_file_option
@variant_file_option
@click.option("--map", "as_map", is_flag=True, help="Show the map.")
@click.option("--cities", is_flag=True, help="Show the cities and their neighbors.")
@click.option("--routes", is_flag=True, help="Show the routes, and the points by length.")
@click.option("--tickets", is_flag=True, help="Show the tickets of the stack's deck.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print the board as JSON, with the ids that Python uses.")
def board(
    stack: tuple[str, ...],
    ticket_files: Mapping[str, str],
    variant_files: tuple[str, ...],
    as_map: bool,
    cities: bool,
    routes: bool,
    tickets: bool,
    lang: str,
    as_json: bool,
) -> None:
    """Show the board of a STACK as tables: cities, routes, points and tickets, or only some of them.

    The tickets are those of the STACK; a plugin may use only some of the board's. In the column "Kind", a ferry says how many
    of its spaces require a locomotive; marks are words by which plugins select routes. If the tickets are not known, the
    board is shown without them.

    In place of a STACK, the file of a saved game or a journal shows its map: the routes by their owners.
    """
    game = saved_game(stack[0]) if len(stack) == 1 and _is_file(stack[0]) else None
    rules, has_tickets = (
        (game.rules, True) if game else _compiled(with_tickets(stack, ticket_files, variant_files), tickets)
    )
    board, words, deck = rules.board, rules.language(lang), rules.deck if has_tickets else None
    every = not (cities or routes or tickets)
    if as_json:
        parts = _as_json(board, deck, cities or every, routes or every, tickets or every)
        write_json({"stack": list(rules.stack), "board": {"id": board.id, "name": board.name}, **parts})
        return
    screen = console()
    screen.print(Text(printable(_headline(board, deck, words)), style="bold"), soft_wrap=True)
    as_map = as_map or (every and game is not None)
    every = every and not as_map
    if as_map:
        _map(screen, board, game, words)
    if cities or every:
        _print(screen, _cities(board, words))
    if routes or every:
        _print(screen, _routes(board, words))
        _print(screen, _points(board, words))
    if (tickets or every) and deck is not None:
        _print(screen, _tickets(board, deck, words))


def _compiled(stack: tuple[object, ...], tickets: bool) -> tuple[Rules, bool]:
    """The rules of a stack, and whether its tickets are known; if not, the reason is printed once to stderr."""
    try:
        return compile_rules(*stack), True
    except PluginError as error:
        if tickets:
            raise
        rules = compile_without_tickets(*stack)
        reason = str(error).split("\n", 1)[0].partition(". ")[0].rstrip(":.")
        click.echo(printable(f"The board without its tickets: {reason}."), err=True)
        return rules, False


def _is_file(name: str) -> bool:
    """Whether this is a file and no plugin."""
    return divided(name)[0].is_file() and name not in {each.name for each in installed()}


def _map(screen: Console, board: Board, game: Game | None, language: Language) -> None:
    """The map of a board, or of a game as a spectator sees it."""
    screen.print()
    if game is None:
        print_board(screen, board, lambda city: printable(language.place(board.place_name(city))), language=language)
        return
    view = game.view(None)
    print_map(screen, view, Names(game.rules, game.players, language))
    points = ", ".join(f"{name} {score}" for name, score in zip(game.players, view.scores, strict=True))
    text = language.ngettext(
        "Points after {count} action: {points}.", "Points after {count} actions: {points}.", game.played, points=points
    )
    screen.print(Text(printable(text)), soft_wrap=True)


def _print(screen: Console, table: Table) -> None:
    """Print a table after a blank line; in a file or pipe without trailing blanks."""
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


def _headline(board: Board, deck: TicketDeck | None, words: Language) -> str:
    """What the board is called, and how much is on it."""
    counts = [
        words.ngettext("{count} city", "{count} cities", len(board.cities)),
        words.ngettext("{count} route", "{count} routes", len(board.routes)),
    ]
    if deck is not None:
        counts.append(words.ngettext("{count} ticket", "{count} tickets", len(deck.tickets)))
    return f"{words.name(board.name)}: {', '.join(counts)}."


def _place(board: Board, id: str, words: Language) -> str:
    return printable(words.place(board.place_name(id)))


def _cities(board: Board, words: Language) -> Table:
    """The cities by name, with their neighbors."""
    say = words.gettext
    neighbors: dict[str, list[str]] = {city: [] for city in board.cities}
    for route in board.routes.values():
        for city in route.cities:
            neighbors[city].append(_place(board, route.other_end(city), words))
    crossings = any(city.country for city in board.cities.values())
    country = [say("Country")] if crossings else []
    table = _table(say("City"), *country, say("Routes"), say("Leads to"), right=[say("Routes")])
    for name, city in sorted(((_place(board, id, words), id) for id in board.cities), key=lambda each: plain(each[0])):
        ends = Counter(sorted(neighbors[city], key=plain))
        leads = ", ".join(f"{end} ({count})" if count > 1 else end for end, count in ends.items())
        of = board.cities[city].country
        country = [_place(board, of, words) if of else ""] if crossings else []
        table.add_row(name, *country, str(len(neighbors[city])), leads)
    return table


def _routes(board: Board, words: Language) -> Table:
    """The routes by the names of their cities."""
    say = words.gettext
    right = [say("Spaces"), say("Points")]
    table = _table(say("From"), say("To"), say("Spaces"), say("Color"), say("Points"), say("Kind"), right=right)
    named = [([_place(board, city, words) for city in route.cities], route) for route in board.routes.values()]
    for (first, second), route in sorted(named, key=lambda each: [plain(city) for city in each[0]]):
        kinds = ", ".join(kinds_of(route, board, words))
        points = str(board.points[route.length])
        color = painted(words.name(str(route.color)), words)
        table.add_row(first, second, str(route.length), color, points, kinds)
    return table


def kinds_of(route: Route, board: Board, words: Language = ENGLISH) -> Iterator[str]:
    """What is special about a route, each in a word or two."""
    if route.tunnel:
        yield words.gettext("tunnel")
    if route.ferry_locomotives:
        yield words.gettext("ferry {count}", count=route.ferry_locomotives)
    if route.double_group is not None:
        among = sum(other.double_group == route.double_group for other in board.routes.values())
        some = {2: marked("double"), 3: marked("triple")}.get(among, marked("one of {count}"))
        yield words.gettext(some, count=among)
    yield from (words.name(spaced(mark)) for mark in route.marks)


def _points(board: Board, words: Language) -> Table:
    """What routes score by their length."""
    lengths = Counter(route.length for route in board.routes.values())
    columns = [words.gettext("Spaces"), words.gettext("Points"), words.gettext("Routes")]
    table = _table(*columns, right=columns)
    for length, points in sorted(board.points.items()):
        table.add_row(str(length), str(points), str(lengths[length]))
    return table


def _tickets(board: Board, deck: TicketDeck, words: Language) -> Table:
    """The tickets of the deck, pile by pile in their order, then by name."""
    say = words.gettext
    has_logos = any(ticket.logos for ticket in deck.tickets)
    logos = [say("Logos")] if has_logos else []
    table = _table(say("From"), say("To"), say("Points"), say("Kind"), *logos, right=[say("Points")])
    for pile in deck.piles.values():
        named = [([_place(board, city, words) for city in ticket.cities], ticket) for ticket in pile]
        for (start, *_), ticket in sorted(named, key=lambda each: [plain(city) for city in each[0]]):
            places = "\n".join(_place(board, place, words) for place, _ in ticket.goals)
            points = "\n".join(str(points) for _, points in ticket.goals)
            logos = [", ".join(sorted(words.name(spaced(logo)) for logo in ticket.logos))] if has_logos else []
            table.add_row(start, places, points, words.name(ticket.kind), *logos)
    return table


# -- JSON ----------------------------------------------------------------------------------------------------------


def _as_json(board: Board, deck: TicketDeck | None, cities: bool, routes: bool, tickets: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if cities:
        ends: dict[str, dict[str, None]] = {city: {} for city in board.cities}
        for route in board.routes.values():
            for city in route.cities:
                ends[city][route.other_end(city)] = None
        found["cities"] = [_city_as_json(city, board, list(ends[city.id])) for city in board.cities.values()]
        countries = list(dict.fromkeys(city.country for city in board.cities.values() if city.country is not None))
        if countries:
            found["countries"] = [
                {"id": id, "name": board.place_name(id), "aliases": list(board.aliases.get(id, ()))} for id in countries
            ]
    if routes:
        found["routes"] = [_route_as_json(route, board) for route in board.routes.values()]
        found["points"] = {str(length): points for length, points in sorted(board.points.items())}
    if tickets:
        found["tickets"] = None if deck is None else list(_tickets_as_json(deck))
    return found


def _tickets_as_json(deck: TicketDeck) -> Iterator[dict[str, Any]]:
    for pile, tickets in deck.piles.items():
        for ticket in tickets:
            yield {**to_jsonable(ticket), "pile": pile, "alternatives": dict(ticket.alternatives)}


def _city_as_json(city: City, board: Board, neighbors: list[str]) -> dict[str, Any]:
    return {**to_jsonable(city), "aliases": list(board.aliases.get(city.id, ())), "neighbors": neighbors}


def _route_as_json(route: Route, board: Board) -> dict[str, Any]:
    return {**to_jsonable(route), "points": board.points[route.length]}
