"""Stations on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator

from ttr_rules import View
from ttr_rules.plugins import CityPiece, GameData, MapMarks, Message

from .stations import Stations


def _built(rules: GameData, view: View | None) -> Iterator[CityPiece]:
    if view is not None:
        for city, seat in view.part(Stations).built.items():
            yield CityPiece(city, seat, "house", Message("station of {player}", player=view.players[seat]))


STATIONS = MapMarks("stations", _built, legend="Houses are stations.")
