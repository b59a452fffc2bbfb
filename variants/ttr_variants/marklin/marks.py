"""Tokens and passengers on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_rules import View
from ttr_rules.plugins import CityNote, CityPiece, GameData, MapMark, MapMarks, Message

from .state import Passengers, stacks_of


def _marks(rules: GameData, view: View | None) -> Iterator[MapMark]:
    tokens = stacks_of(rules.board) if view is None else view.part(Passengers).city_tokens
    for city, values in tokens.items():
        if values:
            yield CityNote(
                city, " ".join(map(str, values)), Message("tokens {values}", values=" ".join(map(str, values)))
            )
    if view is not None:
        for city, seat in view.part(Passengers).standing.items():
            yield CityPiece(city, seat, "person", Message("passenger of {player}", player=view.players[seat]))


PASSENGERS = MapMarks("passengers", _marks, legend="Numbers at cities are tokens, top first; figures are passengers.")
