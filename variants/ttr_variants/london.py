"""London: a short game with buses; connecting all places of a district scores its number (O1–O8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import ttr_maps
from ttr_rules import Board, Route, State, View
from ttr_rules.model import Color
from ttr_rules.plugins import (
    BotHint,
    Catalog,
    CityNote,
    Components,
    Detail,
    Economy,
    GameData,
    MapMarks,
    Message,
    PluginInfo,
    RouteValue,
    RuleFile,
    ScoringTerm,
    Setup,
    Term,
    hookimpl,
)

from . import short_games

info = PluginInfo("london", "London", "A short game for two to four; points for joining all places of a district.")

#: Hooks that both short games have in common.
bonuses, draw_counts, tie_break = short_games.bonuses, short_games.draw_counts, short_games.tie_break

BUSES = 17
COLORS = (Color.PURPLE, Color.BLUE, Color.ORANGE, Color.GREEN, Color.YELLOW, Color.BLACK)


def districts(board: Board) -> Mapping[str, Sequence[str]]:
    """The places of each district of a map, by the number that it scores; empty on a map without districts.

    >>> districts(ttr_maps.load("london"))["1"]
    ['british_museum', 'covent_garden']
    """
    found: Mapping[str, Sequence[str]] = board.extra.get("districts", {})
    return found


def pieces(places: Iterable[str], links: Iterable[tuple[str, str]]) -> int:
    """The number of pieces that some places form when connected by these links, directly or through others.

    >>> pieces(["waterloo", "big_ben", "hyde_park"], [("waterloo", "soho"), ("big_ben", "soho")])
    2
    """
    joined: dict[str, frozenset[str]] = {}
    for first, second in links:
        together = joined.get(first, frozenset([first])) | joined.get(second, frozenset([second]))
        joined.update(dict.fromkeys(together, together))
    return len({joined.get(place, frozenset([place])) for place in places})


def joined_districts(state: State, seat: int) -> Term:
    """The districts in which a seat has connected all places; each scores its number (O6)."""
    board, ids = state.rules.board, state.rules.network.route_ids
    links = [board.routes[ids[route]].cities for route in state.routes_of(seat)]
    joined = [number for number, places in districts(board).items() if pieces(places, links) == 1]
    return Term(
        sum(map(int, joined)),
        len(joined),
        tuple(Detail(Message("district {number}", number=each), int(each)) for each in joined),
    )


def worth_for_districts(view: View, rules: GameData, route: Route) -> float:
    """For bots: a route that joins pieces of a district is worth more, the fewer pieces remain."""
    board = rules.board
    links = [board.routes[id].cities for id, owner in view.owners.items() if owner == view.seat]
    worth = 0.0
    for number, places in districts(board).items():
        left = pieces(places, [*links, route.cities])
        if left < pieces(places, links):
            worth += int(number) / left**2
    return worth


def district_notes(rules: GameData, view: View | None) -> Iterator[CityNote]:
    """For pictures of the board: the number of each place's district."""
    for number, places in districts(rules.board).items():
        for place in places:
            yield CityNote(place, number, Message("district {number}", number=number))


DISTRICTS = ScoringTerm("districts", joined_districts, label="Districts")
MARKS = MapMarks("districts", district_notes, legend="Numbers at places are districts.")


@hookimpl
def board() -> Board:
    return ttr_maps.load("london")


@hookimpl
def components() -> Components:
    return short_games.components(BUSES)


@hookimpl
def economy() -> Economy:
    return short_games.economy(*COLORS)


@hookimpl
def setup() -> Setup:
    return short_games.setup("O4")


@hookimpl
def scoring_terms() -> Iterable[ScoringTerm]:
    return (DISTRICTS,)


@hookimpl
def rulebooks() -> Iterable[RuleFile]:
    return (RuleFile("ttr_variants", "london.toml"),)


@hookimpl
def catalogs() -> Iterable[Catalog]:
    return (Catalog("ttr_variants"),)


@hookimpl
def bot_hints() -> Iterable[BotHint]:
    return (RouteValue(worth_for_districts),)


@hookimpl
def map_marks() -> Iterable[MapMarks]:
    return (MARKS,)
