"""London: a short game with buses; connecting all places of a district scores its number (O1–O8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import ttr_maps
from ttr_rules import Board, Route, State, View
from ttr_rules.model import Color, networks
from ttr_rules.plugins import Below, CityNote, Detail, Message, Rules, ScoringTerm, Term, hookimpl

from .short_games import ShortGame

BUSES = 17
COLORS = (Color.PURPLE, Color.BLUE, Color.ORANGE, Color.GREEN, Color.YELLOW, Color.BLACK)


def districts(board: Board) -> Mapping[str, Sequence[str]]:
    """The places of each district of a map, by the number that it scores; empty on a map without districts.

    >>> districts(ttr_maps.load("london"))["1"]
    ['british_museum', 'covent_garden']
    """
    found: Mapping[str, Sequence[str]] = board.extra.get("districts", {})
    return found


def pieces(places: Iterable[str], joined: Mapping[str, frozenset[str]]) -> set[frozenset[str]]:
    """The pieces that some places form in these `networks`, directly or through other places.

    >>> len(pieces(["waterloo", "big_ben", "hyde_park"], networks([("waterloo", "soho"), ("big_ben", "soho")])))
    2
    """
    return {joined.get(place, frozenset([place])) for place in places}


def joined_districts(state: State, seat: int) -> Term:
    """The districts in which a seat has connected all places; each scores its number (O6)."""
    board, ids = state.rules.board, state.rules.network.route_ids
    own = networks(board.routes[ids[route]].cities for route in state.routes_of(seat))
    joined = [number for number, places in districts(board).items() if len(pieces(places, own)) == 1]
    details = tuple(Detail(Message("district {number}", number=number), int(number)) for number in joined)
    return Term(sum(map(int, joined)), len(joined), details)


@lru_cache(maxsize=64)  # asked about every open route
def _districts_left(
    rules: Rules, seat: int | None, owners: Mapping[str, int]
) -> tuple[Mapping[str, frozenset[str]], Sequence[tuple[int, set[frozenset[str]]]]]:
    """The networks of a seat, and the pieces that each district still has."""
    own = networks(rules.board.routes[id].cities for id, owner in owners.items() if owner == seat)
    return own, [(int(number), pieces(places, own)) for number, places in districts(rules.board).items()]


def worth_for_districts(view: View, rules: Rules, route: Route) -> float:
    """For bots: a route that joins pieces of a district is worth more, the fewer pieces remain."""
    owners: Any = view.owners  # hashable
    own, left = _districts_left(rules, view.seat, owners)
    ends = {own.get(place, frozenset([place])) for place in route.cities}
    return sum(number / (len(apart) - 1) ** 2 for number, apart in left if len(ends) == 2 and ends <= apart)


DISTRICTS = ScoringTerm("districts", joined_districts, label="Districts")


class London(ShortGame, name="london", title="London"):
    """A short game for two to four; points for joining all places of a district."""

    rulebook = "london.toml"
    legend = "Numbers at places are districts."
    vehicles = BUSES
    colors = COLORS
    setup_rule = "O4"

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return ttr_maps.load("london")

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (DISTRICTS,)

    @hookimpl
    def route_worth(self, rules: Rules, view: View, route: Route) -> float:
        return worth_for_districts(view, rules, route)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[CityNote]:
        """The number of each place's district."""
        for number, places in districts(rules.board).items():
            for place in places:
                yield CityNote(place, number, Message("district {number}", number=number))
