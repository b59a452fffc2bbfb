"""`ttr-rules score`: the score sheet of a game that was played at a table, from a file.

Mistakes in the file are reported with its lines and players; a commented file to fill in has everything a stack needs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from attrs import evolve, frozen

from ttr_rules import Rules
from ttr_rules.errors import InvalidTableError, TTRError
from ttr_rules.model import Board, Color, Route, Ticket
from ttr_rules.play import POINTS_IN_PLAY, ROUTE_POINTS, stack_of, terms_in_play
from ttr_rules.play import score as score_table
from ttr_rules.reading import LONGEST_TABLE, decode, is_list, is_object, is_table, name_problem, read_json, read_toml
from ttr_rules.text import cut, joined
from ttr_tools.cli.options import Problem, Stack, blame, command, console, language_option, stack_options, write_json
from ttr_tools.cli.terminal import print_sheet


@command()
@click.argument("words", nargs=-1, required=True, metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON.")
@click.option("--template", is_flag=True, help="Print a commented file to fill in, for a STACK given in place of FILE.")
@stack_options(argument=False, rulings=False)
@language_option
def score(words: tuple[str, ...], stack: Stack, as_json: bool, template: bool, lang: str) -> None:
    """Score a game that was played at a table.

    FILE is small, TOML or JSON (`-` reads the standard input). It names the stack and, for each player, the routes claimed, the tickets held, and whatever else the stack has
    (--template shows it). Cities can be given by their printed names, ids, or other common names. The longest path and the
    best use of routes that may be borrowed are worked out; every mistake in the file is reported with its line and player, in
    English whatever the language of the sheet.

    Example, game.toml:
      stack = ["europe"]

      [[players]]
      name = "Ada"
      routes = [
        ["paris", "zurich"],
        ["london", "edinburgh", "black"],   # which one of a double
        "frankfurt-paris-white",            # or the id of a route
      ]
      tickets = [
        ["paris", "wien"],
        ["paris", "lisboa", 9],             # points: only for a ticket in no deck
      ]

      [[players]]
      name = "Isambard"
      routes = [["berlin", "wien", "green"]]

    Then:
      ttr-rules score game.toml
      ttr-rules score --json - < game.json

    For a file to fill in, with everything that the stack has:
      ttr-rules score --template europe > game.toml
    """
    if template:
        if as_json:
            raise click.UsageError("--template prints a file to fill in: it cannot be combined with --json")
        rules = evolve(stack, names=words).rules()
        names = (*words, *(name for name in rules.requested[len(words) :] if name not in words))
        click.echo(score_template(rules, names), nl=False)
        return
    file, *more = words
    if more:
        raise click.UsageError(f"one FILE is scored at a time, not {len(words)}: {' '.join(words)}")
    text, table = read_table(file)
    try:
        has_files = stack.ticket_files or stack.variant_files
        scores = score_table(evolve(stack, names=tuple(stack_of(table))).rules() if has_files else None, table)
    except InvalidTableError as error:
        problems = locate(error.problems, table, text)
        raise Problem(f"{_name(file)}: {InvalidTableError(error.what, problems)}") from error
    except TTRError as error:
        raise Problem(f"{_name(file)}: {error}") from error
    if as_json:
        write_json(scores.to_json())
    else:
        print_sheet(console(), scores, lang)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file or "a file without a name"


def read_table(file: str) -> tuple[str, Mapping[str, object]]:
    """The text of a TOML or JSON file, depending on its suffix or else its first character, and the table in it.

    `-` is the standard input. Raises `Problem` for a file that cannot be read as either.
    """
    name = _name(file)
    with blame(name, "cannot be read"):
        with click.open_file(file, "rb") as stream:
            data: bytes = stream.read(LONGEST_TABLE + 1)
        if len(data) > LONGEST_TABLE:
            raise ValueError(f"it is too long for a table: more than {LONGEST_TABLE:,} bytes")
        text = decode(data)
        suffix = Path(file).suffix.lower()
        is_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
        table = read_json(text) if is_json else read_toml(text)
    if not is_object(table):
        raise Problem(f"{name}: expected a table with a stack and players, got {cut(json.dumps(table))}")
    return text, table


# -- files to fill in ----------------------------------------------------------------------------------------------

_CORE = (
    ("name", "The player's name."),
    ("routes", "The routes claimed: two cities each; with a color, one route of a double; or the id of a route."),
    ("tickets", "The tickets held: two cities each; with points, a ticket that is not in the deck."),
)
_HEAD = """\
# A game to score. Fill in what was played, then run
#     ttr-rules score {file}
#
# Cities can be given by their printed names, ids, or other common names; accents and capitals make no difference.
# A # with no space after it marks an example: remove the # to use the example.

stack = {stack}
"""


@frozen
class ScoreKey:
    """A key that a player of a score file may have, what it is for, and a value for it as TOML."""

    name: str
    summary: str
    example: str


def score_keys(rules: Rules) -> tuple[ScoreKey, ...]:
    """The keys that a player of a score file may have under these rules.

    >>> from ttr_rules import compile_rules
    >>> [key.name for key in score_keys(compile_rules("europe"))]
    ['name', 'routes', 'tickets', 'stations', 'lends']
    """
    examples = _Examples.on(rules)
    core = {"name": "Ada", "routes": [examples.near], "tickets": examples.tickets[:1]}
    keys = [ScoreKey(name, summary, _toml(core[name])) for name, summary in _CORE]
    terms = terms_in_play(rules)
    if terms:
        labels = joined(rules.sheet_words.label(name) for name in terms)
        example = f"{{{', '.join(f'{_toml(name)} = 0' for name in terms)}}}"
        keys.append(ScoreKey(POINTS_IN_PLAY, f"The points scored during play: {labels}.", example))
    if rules.claim_points:
        keys.append(ScoreKey(ROUTE_POINTS, "The points for routes, as they were scored.", "0"))
    for kind in rules.part_types:
        keys += [ScoreKey(key, about.summary, examples.fill(about.example)) for key, about in kind.player_keys.items()]
    return tuple(keys)


def score_template(rules: Rules, stack: Sequence[str] = (), file: str = "game.toml") -> str:
    """A commented TOML file for a game of these rules: it can be scored as it is, or after filling it in.

    `stack` is the stack written to the file, including options of plugins; by default the names in `rules`.

    >>> from ttr_rules import compile_rules, score
    >>> import tomllib
    >>> text = score_template(compile_rules("europe"))
    >>> score(None, tomllib.loads(text))
    <FinalScores: Ada 12, Isambard 12>
    """
    least, most = rules.components.min_players, rules.components.max_players
    names = ("Ada", "Isambard", "Grace", "Otto", "Clara", *(f"Player {seat + 1}" for seat in range(5, least)))[:least]
    parts = [_HEAD.format(file=file, stack=_toml([*(stack or rules.requested)]))]
    parts += [
        f"# {about.summary}\n#parts.{key} = {about.example.format()}\n"
        for kind in rules.part_types
        for key, about in kind.part_keys.items()
    ]
    parts += ["\n".join(_player(name, seat, rules)) for seat, name in enumerate(names)]
    if most > least:
        parts.append(f"# For more players, up to {most}, repeat the last table.\n")
    return "\n".join(parts)


def _player(name: str, seat: int, rules: Rules) -> Iterator[str]:
    """The table of a player; with full explanations for the first one, short ones for the others."""
    examples = _Examples.on(rules)
    explained = seat == 0
    routes = [examples.near, *examples.doubles] if explained else [examples.far] if seat == 1 else []
    yield "[[players]]"
    yield f"name = {_toml(name)}"
    lists: dict[str, Sequence[object]] = {"routes": routes, "tickets": examples.tickets if explained else []}
    for key, entries in lists.items():
        if explained:
            yield f"# {dict(_CORE)[key]}"
        yield f"{key} = ["
        yield from (f"    #{_toml(entry)}," for entry in entries)
        yield "]"
    if rules.claim_points:
        yield f"{ROUTE_POINTS} = 0"
    more = [key for key in score_keys(rules)[len(_CORE) :] if key.name != ROUTE_POINTS]
    if explained:
        yield from (f"# {key.summary}\n#{key.name} = {key.example}" for key in more)
    elif more:
        yield f"# {', '.join(key.name for key in more)}: as above"
    yield ""


@frozen
class _Examples:
    """Items of a board for examples: two routes that meet, halves of doubles, tickets, with printed city names."""

    city: str
    near: list[str]
    far: list[str]
    doubles: list[list[str]]
    tickets: list[list[object]]

    @classmethod
    def on(cls, rules: Rules) -> _Examples:
        """Examples from the board and the deck of these rules."""
        board = rules.board
        abroad = {id for id, city in board.cities.items() if city.country}
        inner = [route for route in board.routes.values() if not abroad & {*route.cities}]
        near, far, city = _meeting(inner or list(board.routes.values()))
        double = next((route for route in inner if _is_half(route) and not set(route.cities) & {city}), None)
        crossing = next((route for route in board.routes.values() if route not in inner), None)
        marked = [[*_cities(board, double), str(double.color)]] if double else []
        if crossing and crossing is not near and crossing is not far:
            marked.append([board.place_name(end) for end in sorted(crossing.cities, key=abroad.__contains__)])
        kinds: dict[bool, Ticket] = {}
        for ticket in rules.deck.tickets:
            kinds.setdefault(any(place not in board.cities for place in ticket.places), ticket)
        tickets: list[list[object]] = [[*map(board.place_name, ticket.cities)] for ticket in kinds.values()]
        return cls(board.place_name(city), _cities(board, near), _cities(board, far), marked, tickets)

    def fill(self, example: str) -> str:
        """Fill a city and a route into a plugin's example."""
        return example.format(city=_toml(self.city), route=_toml(self.far))


def _meeting(routes: list[Route]) -> tuple[Route, Route, str]:
    """Two routes that meet in a city, preferably neither of them part of a double, and the city."""
    single = [route for route in routes if route.double_group is None]
    for known in (single, routes):
        for near in known:
            for far in known:
                common = set(near.cities) & set(far.cities)
                if len(common) == 1:
                    return near, far, common.pop()
    return routes[0], routes[-1], routes[0].cities[0]


def _is_half(route: Route) -> bool:
    return route.double_group is not None and route.color is not Color.GRAY


def _cities(board: Board, route: Route) -> list[str]:
    return [board.place_name(city) for city in route.cities]


def _toml(value: object) -> str:
    """A text, or a list of them, as TOML: JSON output is valid TOML here."""
    return json.dumps(value, ensure_ascii=False)


# -- the lines of mistakes -----------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""
      \"{3} (?: [^"\\] | \\. | "(?!"") )*+ "{3,5}      # strings
    | '{3} (?: [^'] | '(?!'') )*+ '{3,5}
    | " (?: [^"\\\n] | \\. )*+ "
    | ' [^'\n]*+ '
    | [][{},=:]
    | (?P<left_out> \s++ | \# [^\n]*+ )
    | [^][{},=:"'\s\#] [^][{},="'\s\#]*+              # bare keys and other values
    """,
    re.DOTALL | re.VERBOSE,
)
_UNKNOWN = re.compile(r"unknown key '([^']+)'")
_PLAYER = re.compile(r"players\[(\d+)\]")


def locate(problems: Sequence[str], table: Mapping[str, object], text: str) -> list[str]:
    r"""Replace the places of problems such as `players[0].routes[2]` by the lines of the file and the names of players.

    `text` is the file, valid TOML or JSON, from which `table` was read.

    >>> text = 'stack = ["europe"]\\n[[players]]\\nname = "Ada"\\nroutes = [\\n  ["paris", "wien"],\\n]'
    >>> locate(["players[0].routes[0]: no route 'paris-wien'"], {"players": [{"name": "Ada"}]}, text)
    ["line 5 (Ada, routes): no route 'paris-wien'"]
    """
    if not any(problem.startswith((*table, "unknown key")) for problem in problems):
        return list(problems)  # such as that it is nested too deeply
    lines = find_lines(text)
    return [_locate(problem, table, lines) for problem in problems]


def _locate(problem: str, table: Mapping[str, object], lines: Mapping[str, int]) -> str:
    places = [place for place in lines if problem.startswith((f"{place}:", f"{place}.", f"{place}["))]
    known = max(places, key=len, default="")
    rest, _, what = problem[len(known) :].partition(": ") if known else ("", "", problem)
    keys = known + rest
    unknown = _UNKNOWN.match(what)
    inner = ".".join(filter(None, (keys, unknown[1]))) if unknown else keys
    line = lines.get(inner) or lines.get(known)
    if line is None:
        return problem
    words: list[str] = []
    player = _PLAYER.match(keys)
    if player:
        keys = keys[player.end() + 1 :]
        entries = table["players"]
        entry = entries[int(player[1])] if is_list(entries) else None
        name = entry.get("name") if is_table(entry) else None
        words.append(f"Player {int(player[1]) + 1}" if name_problem(name) else str(name))
    words += [re.sub(r"\[\d+\]", "", keys)] if keys else []
    return f"line {line} ({', '.join(words)}): {what}" if words else f"line {line}: {what}"


def find_lines(text: str) -> dict[str, int]:
    r"""The line in which each value of a TOML or JSON document begins, by a place such as `players[0].routes[2]`.

    >>> find_lines('stack = "europe"\\n[[players]]\\nroutes = [\\n  7,\\n  8,\\n]')
    {'stack': 1, 'players': 2, 'players[0]': 2, 'players[0].routes': 3, 'players[0].routes[0]': 4, 'players[0].routes[1]': 5}
    """
    document = _Document(text)
    document.read()
    return document.lines


class _Document:
    """A reader of the places in a document that is known to be valid."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.lines: dict[str, int] = {}
        self.tables: dict[str, int] = {}  # how many of each `[[array of tables]]` there are
        self.step()

    def step(self) -> str:
        """Go to the next token, and return the one read before."""
        before = getattr(self, "word", "")
        self.word, self.line = next(self.tokens, ("", 0))
        return before

    def read(self) -> None:
        """Read the whole document."""
        place = ""
        while self.word:
            if self.word == "{":  # JSON
                self.value("")
            elif self.word == "[":
                place = self.header()
            else:
                self.pair(place)

    def header(self) -> str:
        """Read the header of a TOML table: the place of the table."""
        line = self.line
        opened = 0
        while self.word == "[":
            self.step()
            opened += 1
        place = ""
        for part in self.key("]"):
            if place in self.tables:
                place += f"[{self.tables[place] - 1}]"
            place = f"{place}.{part}" if place else part
        for _ in range(opened):
            self.step()
        self.lines.setdefault(place, line)
        if opened == 2:
            count = self.tables[place] = self.tables.get(place, 0) + 1
            place += f"[{count - 1}]"
            self.lines[place] = line
        return place

    def key(self, end: str) -> list[str]:
        """Read a key, up to the sign after it: its parts."""
        parts: list[str] = [""]
        while self.word not in end:
            token = self.step()
            if token[0] in "\"'":
                parts[-1] = token[1:-1]
            else:
                first, *more = token.split(".")
                parts[-1] += first
                parts += more
        return parts

    def pair(self, place: str) -> None:
        """Read a key with its value, in the table at a place."""
        name = ".".join(self.key("=:"))
        self.step()
        self.value(f"{place}.{name}" if place else name)

    def value(self, place: str) -> None:
        """Read the value at a place, with all that is in it."""
        self.lines.setdefault(place, self.line)
        opening = self.step()
        if opening not in ("[", "{"):
            return
        number = 0
        while self.word not in ("]", "}"):
            if opening == "[":
                self.value(f"{place}[{number}]")
            else:
                self.pair(place)
            number += 1
            if self.word == ",":
                self.step()
        self.step()


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a document, without space and comments, each with its line."""
    line = 1
    for token in _TOKEN.finditer(text):
        if token["left_out"] is None:
            yield token[0], line
        line += token[0].count("\n")
