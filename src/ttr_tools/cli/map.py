"""The board as a map of characters: cities in their places, routes as lines between them, claimed ones by their owners.

A character says the same as a color: the number of a player along a claimed route, dots along a free one with
the letter of its color in the middle, as on pictures of a board.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from attrs import frozen
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ttr_rules import View
from ttr_rules.language import ENGLISH, Language
from ttr_rules.model import Board, Color, Route
from ttr_rules.sequences import FrozenMap
from ttr_tools.cli.terminal import CARD_STYLES, WIDTH, player_style
from ttr_tools.narration.words import Names
from ttr_tools.render.layout import place_cities
from ttr_tools.render.svg import color_letter

#: The narrowest and the widest map, in characters.
NARROWEST, WIDEST = 40, 132
#: The height of a character over its width.
TALL = 2.0

#: The styles of free routes: what is reversed is claimed.
_STYLES: Mapping[str, str] = {**CARD_STYLES, Color.BLACK: "bright_black", Color.GRAY: "dim"}

#: A cell: its character and its style; "" for the second half of a wide character.
Cell = tuple[str, str]
Spot = tuple[int, int]


@frozen
class Signs:
    """The characters of a map: a city, one that is wanted, and a free route."""

    city: str = "●"
    wanted: str = "◆"
    free: str = "·"


PLAIN = Signs("o", "#", ".")


def map_lines(
    board: Board,
    owners: Mapping[str, Sequence[int]],
    width: int,
    name: Callable[[str], str],
    wanted: Collection[str] = (),
    signs: Signs = Signs(),
    language: Language = ENGLISH,
) -> list[Text]:
    """The lines of a map that is this wide. `owners` are the seats that hold each route, `wanted` cities are marked.

    >>> from ttr_maps import load
    >>> board = load("europe")
    >>> lines = map_lines(board, {}, 78, board.place_name)
    >>> len(lines) > 20, any("Paris" in line.plain for line in lines)
    (True, True)
    """
    at, height = _spots(board, min(max(width, NARROWEST), WIDEST))
    cells: dict[Spot, Cell] = {}
    # Claimed routes last: where lines cross, they are seen.
    for route, aside in sorted(_parallel(board), key=lambda line: line[0].id in owners):
        seats = owners.get(route.id, ())
        spots = list(_line(at[route.cities[0]], at[route.cities[1]], aside))
        for number, spot in enumerate(spots):
            cells[spot] = _mark(route, seats, number, len(spots) // 2, signs, language)
    for city, spot in at.items():
        cells[spot] = (signs.wanted, "bold underline") if city in wanted else (signs.city, "bold")
    routes = set(cells) - set(at.values())
    taken = set(at.values())
    for city in sorted(at, key=lambda city: (city not in wanted, -len(name(city)), city)):
        label, start = _label(name(city), at[city], taken, routes, width)
        _write(cells, start, label, "bold underline" if city in wanted else "bold")
        for beside in (start[0] - 1, start[0] + cell_len(label)):
            if (beside, start[1]) in routes:
                cells[beside, start[1]] = (" ", "")
        taken |= {(start[0] + offset, start[1]) for offset in range(-1, cell_len(label) + 1)}
    return [_row(cells, y, width) for y in range(height)]


def print_board(
    console: Console,
    board: Board,
    name: Callable[[str], str],
    owners: Mapping[str, Sequence[int]] = FrozenMap[str, Sequence[int]](),
    wanted: Collection[str] = (),
    language: Language = ENGLISH,
) -> None:
    """Print a map as wide as the console, in color where it has colors. `name` gives the name of a city."""
    width = console.width if console.is_terminal else WIDTH
    for line in map_lines(board, owners, width, name, wanted, _signs(console), language):
        console.print(line, soft_wrap=True)


def print_map(console: Console, view: View, names: Names, wanted: Collection[str] = ()) -> None:
    """Print the map of a position, and whose the routes are. Cities that are `wanted` are marked."""
    owners = {route: (seat, *view.shared.get(route, ())) for route, seat in view.owners.items()}
    print_board(console, names.board, names.place, owners, wanted, names.language)
    say = names.language.gettext
    players = [
        Text.assemble((f" {seat + 1} ", f"{player_style(seat)} reverse"), f" {name}")
        for seat, name in enumerate(names.players)
    ]
    console.print(Text("   ").join(players))
    if wanted:
        console.print(Text(say("{sign} cities of your tickets that are not completed", sign=_signs(console).wanted)))


def _signs(console: Console) -> Signs:
    """The characters that a console can show."""
    signs = Signs()
    try:
        f"{signs.city}{signs.wanted}{signs.free}".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return PLAIN
    return signs


# -- places --------------------------------------------------------------------------------------------------------


def _spots(board: Board, width: int) -> tuple[dict[str, Spot], int]:
    """The cell of each city, no two in the same, and how many lines the map has."""
    cities = place_cities(board)
    left, top = (min(point[axis] for point in cities.values()) for axis in (0, 1))
    wide, high = (max(point[axis] for point in cities.values()) - least for axis, least in ((0, left), (1, top)))
    scale = (width - 13) / max(wide, 1.0)  # room for the names on both sides
    lines = max(round(high * scale / TALL), 1)
    spots: dict[str, Spot] = {}
    for city, (x, y) in cities.items():
        spot = (6 + round((x - left) * scale), 1 + round((y - top) * scale / TALL))
        while spot in spots.values():
            spot = (spot[0] + 1, spot[1])
        spots[city] = spot
    return spots, lines + 3


def _parallel(board: Board) -> Iterator[tuple[Route, int]]:
    """The routes, each with how far it is shifted beside others between the same cities."""
    before: dict[frozenset[str], int] = {}
    for route in board.routes.values():
        ends = frozenset(route.cities)
        before[ends] = before.get(ends, -1) + 1
        yield route, before[ends]


def _line(start: Spot, end: Spot, aside: int) -> Iterator[Spot]:
    """The cells between two spots, shifted: up and down if the line is flat, else to the sides."""
    shift = (aside + 1) // 2 * (1 if aside % 2 else -1)
    (x, y), (other_x, other_y) = start, end
    steps = max(abs(other_x - x), abs(other_y - y))
    flat = abs(other_x - x) >= abs(other_y - y)
    for step in range(1, steps):
        along = (round(x + (other_x - x) * step / steps), round(y + (other_y - y) * step / steps))
        yield (along[0], along[1] + shift) if flat else (along[0] + shift, along[1])


def _mark(route: Route, seats: Sequence[int], number: int, middle: int, signs: Signs, language: Language) -> Cell:
    """The character for a cell of a route."""
    if seats:
        seat = seats[number % len(seats)]
        return str(seat + 1), f"{player_style(seat)} reverse"
    return (number == middle and color_letter(route.color, language)) or signs.free, _STYLES[route.color]


# -- names ---------------------------------------------------------------------------------------------------------


def _label(name: str, at: Spot, taken: set[Spot], routes: set[Spot], width: int) -> tuple[str, Spot]:
    """A name, or the beginning of one, and where it stands: where it covers no other and as little as possible."""
    x, y = at
    best: tuple[float, str, Spot] | None = None
    for cut in dict.fromkeys((len(name), 8, 5, 3)):
        label = name if cut >= len(name) else name[:cut]
        long = cell_len(label)
        places = [(x + 2, y), (x - long - 1, y), (x - long // 2, y + 1), (x - long // 2, y - 1)]
        places += [(x + 1, y + 1), (x - long, y + 1), (x + 1, y - 1), (x - long, y - 1)]
        for place, (left, line) in enumerate(places):
            spots = {(left + offset, line) for offset in range(long)}
            if left < 0 or left + long > width or line < 0 or spots & taken:
                continue
            cost = len(spots & routes) + 0.1 * place + 2.5 * (len(name) - len(label))
            if best is None or cost < best[0]:
                best = (cost, label, (left, line))
    return best[1:] if best is not None else ("", at)


def _write(cells: dict[Spot, Cell], start: Spot, label: str, style: str) -> None:
    x, y = start
    for letter in label:
        cells[x, y] = (letter, style)
        if cell_len(letter) == 2:
            cells[x + 1, y] = ("", "")
        x += max(cell_len(letter), 1)


def _row(cells: Mapping[Spot, Cell], y: int, width: int) -> Text:
    row = Text()
    for x in range(width):
        letter, style = cells.get((x, y), (" ", ""))
        row.append(letter, style)
    row.rstrip()
    return row
