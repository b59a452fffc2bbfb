"""Files to score a table with: the keys that a player may have, and a commented file to fill in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from ttr_rules import Rules
from ttr_rules.model import Board, Color, Route, Ticket
from ttr_rules.play import POINTS_IN_PLAY, ROUTE_POINTS, terms_in_play
from ttr_rules.plugins import KeyHelp
from ttr_rules.text import joined

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
    for spec in rules.part_specs:
        for name in spec.player_keys:
            about = spec.key_help.get(name) or KeyHelp("See the plugin that reads it.", "[]")
            keys.append(ScoreKey(name, about.summary, examples.fill(about.example)))
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
    for key, entries in (("routes", routes), ("tickets", examples.tickets if explained else [])):
        if explained:
            yield f"# {dict(_CORE)[key]}"
        yield f"{key} = ["
        yield from (f"    #{_toml(entry)}," for entry in entries)
        yield "]"
    if rules.claim_points:
        yield f"{ROUTE_POINTS} = 0"
    more = [key for key in score_keys(rules)[len(_CORE) :] if key.name != ROUTE_POINTS]
    for each in more if explained else ():
        yield f"# {each.summary}"
        yield f"#{each.name} = {each.example}"
    if more and not explained:
        yield f"# {', '.join(each.name for each in more)}: as above"
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
        inner = [
            route for route in board.routes.values() if not any(board.cities[each].country for each in route.cities)
        ]
        near, far, city = _meeting(inner or list(board.routes.values()))
        double = next((route for route in inner if _is_half(route) and not set(route.cities) & {city}), None)
        crossing = next((route for route in board.routes.values() if route not in inner), None)
        marked = [[*_cities(board, double), str(double.color)]] if double else []
        if crossing and crossing is not near and crossing is not far:
            ends = sorted(crossing.cities, key=lambda each: board.cities[each].country is not None)
            marked.append([board.place_name(each) for each in ends])
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
