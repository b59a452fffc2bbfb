"""London: a short game with buses, in which connecting all places of a district scores its number (O1–O8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import ttr_maps
from ttr_rules import State, View
from ttr_rules.boards import read_extra
from ttr_rules.hints import CityNote
from ttr_rules.language import Message
from ttr_rules.model import Color, networks
from ttr_rules.plugins import Rules, Score, ScoringTerm, always, hookimpl
from ttr_rules.scores import Detail

from .short_games import ShortGame


def districts(rules: Rules) -> Mapping[str, Sequence[str]]:
    """The places of each district of a map, by the number that it scores, empty on a map without districts.

    >>> from ttr_rules import compile_rules
    >>> compile_rules("london").derived(districts)["1"]
    ['british_museum', 'covent_garden']
    """
    return read_extra(rules.board, "districts", dict[str, list[str]])


def pieces(places: Iterable[str], joined: Mapping[str, frozenset[str]]) -> set[frozenset[str]]:
    """The pieces that some places form in these `networks`, directly or through other places.

    >>> len(pieces(["waterloo", "big_ben", "hyde_park"], networks([("waterloo", "soho"), ("big_ben", "soho")])))
    2
    """
    return {joined.get(place, frozenset([place])) for place in places}


def score_districts(state: State, seat: int) -> Score:
    """The districts in which a seat has connected all places. Each scores its number (O6)."""
    rules = state.rules
    own = networks(rules.board.routes[id].cities for id in state.routes(seat))
    joined = [number for number, places in rules.derived(districts).items() if len(pieces(places, own)) == 1]
    details = tuple(Detail(Message("district {number}", number=number), int(number)) for number in joined)
    return Score(sum(map(int, joined)), len(joined), details)


DISTRICTS = ScoringTerm("districts", score_districts, label="Districts")


class London(ShortGame, name="london", title="London"):
    """A short game for two to four; points for joining all places of a district."""

    rulebook = "london.toml"
    legend = "Numbers at places are districts."
    vehicles = 17
    colors = (Color.PURPLE, Color.BLUE, Color.ORANGE, Color.GREEN, Color.YELLOW, Color.BLACK)
    setup_rule = "O4"

    board = always(ttr_maps.load("london"))
    scoring = always((DISTRICTS,))

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """A route that joins pieces of a district is worth more, the fewer pieces remain."""
        routes = rules.board.routes
        own = networks(routes[id].cities for id in view.routes(view.seat or 0))
        left = [(int(number), pieces(places, own)) for number, places in rules.derived(districts).items()]
        values: dict[str, float] = {}
        for route in routes.values():
            ends = pieces(route.cities, own)
            if len(ends) == 2:
                values[route.id] = sum([number / (len(apart) - 1) ** 2 for number, apart in left if ends <= apart])
        return values

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[CityNote]:
        """The number of each place's district."""
        for number, places in rules.derived(districts).items():
            for place in places:
                yield CityNote(place, number, Message("district {number}", number=number))
