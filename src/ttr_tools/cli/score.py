"""`ttr-rules score`: the score sheet of a game that was played at a table, from a file.

A commented file to fill in has everything a stack needs.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from pathlib import Path

import click
from attrs import frozen

from ttr_rules import Rules, compile_rules
from ttr_rules.errors import TTRError
from ttr_rules.language import SOURCE, Language, marked
from ttr_rules.model import Color
from ttr_rules.parts import KeyHelp, keys_of
from ttr_rules.play import POINTS_IN_PLAY, ROUTE_POINTS, score as score_table
from ttr_rules.reading import LONGEST_TABLE, decode, is_object, read_json, read_toml
from ttr_rules.text import cut
from ttr_tools.cli.options import Problem, Stack, blame, command, console, fill_names, language_option, write_json
from ttr_tools.cli.terminal import print_sheet


@command()
@click.argument("words", nargs=-1, required=True, metavar="FILE [STACK...]")
@click.option("--json", "as_json", is_flag=True, help="Print the score sheet as JSON.")
@click.option("--template", is_flag=True, help="Print a commented file to fill in, for a STACK given in place of FILE.")
@language_option
def score(words: tuple[str, ...], as_json: bool, template: bool, lang: str) -> None:
    """Score a game that was played at a table.

    FILE is small, TOML or JSON (`-` reads the standard input). It names the stack (unless a STACK is given, such as one with variants from files) and, for each player, the routes claimed, the tickets held, and whatever else the stack has
    (--template shows it). Cities can be given by their printed names, ids, or other common names. The longest path and the
    best use of routes that may be borrowed are worked out; every mistake in the file is reported with its place, such as
    players[0].routes[2] for the third route of the first player, in English whatever the language of the sheet.

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
        plugins = Stack(words).plugins()
        rules = compile_rules(*plugins)
        named = zip(plugins, rules.requested, strict=True)
        stack = [plugin if isinstance(plugin, str) else name for plugin, name in named]
        command = shlex.join(["ttr-rules", "score", "game.toml", *(words if Stack(words).has_files else ())])
        click.echo(score_template(rules, stack, command, lang), nl=False)
        return
    file, *names = words
    table = read_table(file)
    try:
        scores = score_table(Stack(tuple(names)).rules() if names else None, table)
    except TTRError as error:
        raise Problem(f"{_name(file)}: {error}") from error
    if as_json:
        write_json(scores.to_json())
    else:
        print_sheet(console(), scores, lang)


def _name(file: str) -> str:
    return "standard input" if file == "-" else file or "a file without a name"


def read_table(file: str) -> Mapping[str, object]:
    """The table in a TOML or JSON file, depending on its suffix or else its first character.

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
    return table


# -- files to fill in ----------------------------------------------------------------------------------------------

_CORE = {
    "name": marked("The player's name."),
    "routes": marked("The routes claimed: two cities each; with a color, one route of a double; or the id of a route."),
    "tickets": marked("The tickets held: two cities each; with points, a ticket that is not in the deck."),
}
_HEAD = marked("""\
# A game to score. Fill in what was played, then run
#     {command}
#
# Cities can be given by their printed names, ids, or other common names; accents and capitals make no difference.
# A # with no space after it marks an example: remove the # to use the example.""")


@frozen
class ScoreKey:
    """A key that a player of a score file may have, or must have, what it is for, and a value for it as TOML."""

    name: str
    summary: str
    example: str
    required: bool = False


def score_keys(rules: Rules, lang: str = SOURCE, seat: int = 0) -> tuple[ScoreKey, ...]:
    """The keys that a player of a score file may have under these rules, explained in a language.

    Where the example for a key of a plugin names a city or a route, each seat gets a different one as long as there are enough.

    >>> from ttr_rules import compile_rules
    >>> [key.name for key in score_keys(compile_rules("europe"))]
    ['name', 'routes', 'tickets', 'stations', 'lends']
    """
    examples, words = rules.derived(_Examples), rules.sheet_words.in_language(lang)
    say = rules.language(lang).gettext
    core = {"name": "Ada", "routes": [examples.near], "tickets": examples.tickets}
    keys = [ScoreKey(name, say(summary), _toml(core[name])) for name, summary in _CORE.items()]
    if terms := rules.terms_in_play:
        labels = words.language.joined(map(words.label, terms))
        example = f"{{{', '.join(f'{_toml(name)} = 0' for name in terms)}}}"
        keys.append(ScoreKey(POINTS_IN_PLAY, say("The points scored during play: {labels}.", labels=labels), example))
    if rules.claim_points:
        keys.append(ScoreKey(ROUTE_POINTS, say("The points for routes, as they were scored."), "0"))
    for read in (*(keys_of(kind)[0] for kind in rules.part_types), rules.economy.score_keys):
        for name, about in read.items():
            keys.append(ScoreKey(name, _explain(about, words.language), examples.fill(about, seat), about.required))
    return tuple(keys)


def _explain(about: KeyHelp, language: Language) -> str:
    """The purpose of a key, and that it is required if it is."""
    text = language.text(about.summary)
    return language.gettext("{help} It is required.", help=text) if about.required else text


def score_template(
    rules: Rules, stack: Sequence[str] = (), command: str = "ttr-rules score game.toml", lang: str = SOURCE
) -> str:
    """A commented TOML file for a game of these rules, which can be scored as it is or filled in first.

    `stack` is the stack written to the file, including options of plugins, by default the names in `rules`. `command`
    scores the file, and names the stack again if variants of it are in files. The comments are in the language `lang`.

    >>> from ttr_rules import compile_rules, score
    >>> import tomllib
    >>> text = score_template(compile_rules("europe"))
    >>> score(None, tomllib.loads(text))
    <FinalScores: Ada 12, Isambard 12>
    """
    least, most = rules.components.min_players, rules.components.max_players
    language, examples = rules.language(lang), rules.derived(_Examples)
    parts = [f"{language.gettext(_HEAD, command=command)}\n\nstack = {_toml([*(stack or rules.requested)])}\n"]
    for key, about in chain.from_iterable(keys_of(kind)[1].items() for kind in rules.part_types):
        mark = "" if about.required else "#"
        parts.append(f"# {_explain(about, language)}\n{mark}parts.{key} = {examples.fill(about)}\n")
    for seat, name in enumerate(fill_names((), least)):
        parts.append("\n".join(_player(name, seat, rules, score_keys(rules, lang, seat))))
    if most > least:
        parts.append(f"# {language.gettext('For more players, up to {most}, repeat the last table.', most=most)}\n")
    return "\n".join(parts)


def _player(name: str, seat: int, rules: Rules, keys: Sequence[ScoreKey]) -> Iterator[str]:
    """The table of a player, with full explanations for the first one, short ones for the others."""
    examples = rules.derived(_Examples)
    explained = seat == 0
    routes = [examples.near, *examples.more] if explained else [examples.far] if seat == 1 else []
    lists = {"routes": routes, "tickets": examples.tickets if explained else []}
    yield "[[players]]"
    yield f"name = {_toml(name)}"
    for key in keys[1:]:
        if key.name in lists:
            yield from [f"# {key.summary}"] if explained else []
            yield f"{key.name} = ["
            yield from (f"    #{_toml(entry)}," for entry in lists[key.name])
            yield "]"
        elif key.name == ROUTE_POINTS:
            yield f"{ROUTE_POINTS} = 0"
        elif explained or key.required:
            yield from [f"# {key.summary}"] if explained else []
            yield f"{'' if key.required else '#'}{key.name} = {key.example}"
    yield ""


class _Examples:
    """Items of a board for examples, with printed city names, preferably without doubles and countries.

    They are two routes that meet in a city, others, a ticket, and all cities and routes, those for the first seats first.
    """

    def __init__(self, rules: Rules) -> None:
        board, name = rules.board, rules.board.place_name
        routes = board.routes.values()
        abroad = [route for route in routes if any(board.cities[city].country for city in route.cities)]
        plain = sorted(routes, key=lambda route: (route.double_group is not None, route in abroad))
        pairs = combinations([route.cities for route in plain], 2)
        near, far = next((pair for pair in pairs if {*pair[0]} & {*pair[1]}), (plain[0].cities, plain[-1].cities))
        city = next((city for city in near if city in far), near[0])
        halves = [route for route in routes if route.double_group and route.color is not Color.GRAY]
        self.near, self.far = [*map(name, near)], [*map(name, far)]
        self.more = [[*map(name, route.cities), str(route.color)] for route in halves if city not in route.cities][:1]
        self.more += [[*map(name, route.cities)] for route in abroad if route.cities not in (near, far)][:1]
        self.tickets = [[*map(name, ticket.cities)] for ticket in rules.deck.tickets[:1]]
        self.cities = [*map(name, dict.fromkeys((city, *far, *near, *board.cities)))]
        self.routes = [[*map(name, ends)] for ends in dict.fromkeys((far, near, *[route.cities for route in plain]))]

    def fill(self, about: KeyHelp, seat: int = 0) -> str:
        """A plugin's example with a city and a route, others for each seat as long as there are any."""
        return about.filled(self.cities[seat % len(self.cities)], self.routes[seat % len(self.routes)], seat)


def _toml(value: object) -> str:
    """A text, or a list of them, as TOML: JSON output is valid TOML here."""
    return json.dumps(value, ensure_ascii=False)
