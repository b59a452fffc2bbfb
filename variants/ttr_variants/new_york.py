"""New York: a short game with taxis and a point for every tourist attraction that a player's route reaches (W1–W7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import ttr_maps
from ttr_rules import State, View
from ttr_rules.boards import read_extra
from ttr_rules.hints import CityNote
from ttr_rules.language import Message
from ttr_rules.model import Color
from ttr_rules.plugins import Rules, Score, ScoringTerm, always, hookimpl
from ttr_rules.scores import Detail

from .short_games import ShortGame


def attractions(rules: Rules) -> Sequence[str]:
    """The places with a tourist attraction, if the map has any.

    >>> from ttr_rules import compile_rules
    >>> len(compile_rules("new-york").derived(attractions))
    9
    """
    return read_extra(rules.board, "attractions", list[str])


def score_attractions(state: State, seat: int) -> Score:
    """The attractions at which a route of a seat ends, one point each, regardless of the number of routes (W5)."""
    network = state.rules.network
    reached = {network.city_ids[city] for route in state.routes_of(seat) for city in network.ends[route]}
    visited = [place for place in state.rules.derived(attractions) if place in reached]
    return Score(len(visited), len(visited), tuple(Detail(place, 1) for place in visited))


ATTRACTIONS = ScoringTerm("attractions", score_attractions, label="Tourist attractions")


class NewYork(ShortGame, name="new-york", title="New York"):
    """A short game for two to four; points for the tourist attractions reached."""

    rulebook = "new_york.toml"
    legend = "Stars are tourist attractions."
    vehicles = 15
    colors = (Color.PURPLE, Color.BLUE, Color.ORANGE, Color.GREEN, Color.BLACK, Color.RED)
    setup_rule = "W3"

    board = always(ttr_maps.load("new_york"))
    scoring = always((ATTRACTIONS,))

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """A point for each end with an attraction that the seat has not reached yet."""
        routes = rules.board.routes
        reached = {city for id, owner in view.owners.items() if owner == view.seat for city in routes[id].cities}
        left = set(rules.derived(attractions)) - reached
        return {id: len(left.intersection(route.cities)) for id, route in routes.items()}

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[CityNote]:
        """A star at each attraction."""
        for place in rules.derived(attractions):
            yield CityNote(place, "★", Message("tourist attraction"))
