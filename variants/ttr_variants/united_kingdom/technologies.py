"""The technologies: what they are, who owns them, which of them a route needs (U7–U14, U21)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from attrs import frozen

from ttr_rules import Route
from ttr_rules.plugins import (
    Message,
    PrintedName,
    Rules,
    plural,
)


@frozen
class Technology:
    """A technology card: its table in `technologies.toml`, where the keys are explained."""

    id: str
    name: str
    meaning: str
    price: int
    copies: int
    regions: Sequence[str] = ()
    lengths: Sequence[int] = ()
    ferries: bool = False
    a_route: int = 0
    a_ferry: int = 0
    advanced: bool = False
    at_once: bool = False
    early: bool = False

    @property
    def printed(self) -> PrintedName:
        """What people are told about it."""
        one, many = "{count} locomotive, {meaning}", "{count} locomotives, {meaning}"
        return PrintedName(self.name, plural(one, many, self.price, meaning=Message(self.meaning)))


def _read() -> Mapping[str, Technology]:
    text = files("ttr_variants.united_kingdom").joinpath("technologies.toml").read_text(encoding="utf-8")
    rows: Mapping[str, dict[str, Any]] = tomllib.loads(text)
    return {id: Technology(id, **row) for id, row in rows.items()}


TECHNOLOGIES = _read()


def technology_called(written: object) -> str | None:
    """The id of a technology that is given by its id or its printed name, if there is one."""
    word = written.casefold() if isinstance(written, str) else ""
    return next((id for id, card in TECHNOLOGIES.items() if word in (id, card.name.casefold())), None)


# Those that the code knows by name.
PROPELLERS, BOOSTER, DOUBLE_HEADING, DIESEL = "propellers", "booster", "double_heading", "diesel_power"
RIGHT_OF_WAY, THERMOCOMPRESSOR, WATER_TENDERS = "right_of_way", "thermocompressor", "water_tenders"
RISKY_CONTRACTS, EQUALISING_BEAM = "risky_contracts", "equalising_beam"
#: The mark of a route that needs no technology at all (U8).
OPEN_TO_ALL = "open_to_all"


# -- what a route needs ----------------------------------------------------------------------------------------


class Requirements:
    """The technologies that each route of a board needs: computed once per rules."""

    def __init__(self, rules: Rules) -> None:
        regions: Mapping[str, Sequence[str]] = rules.board.extra.get("regions", {})
        self._region = {city: region for region, cities in regions.items() for city in cities}
        self.of = {route.id: self._needed(route) for route in rules.board.routes.values()}

    def __repr__(self) -> str:
        return f"<Requirements of {len(self.of)} routes>"

    def _needed(self, route: Route) -> tuple[str, ...]:
        """Every technology that applies (U10 to U12); none for a route that is open to all (U8)."""
        if OPEN_TO_ALL in route.marks:
            return ()
        regions = {self._region.get(city) for city in route.cities}
        return tuple(
            card.id
            for card in TECHNOLOGIES.values()
            if regions.intersection(card.regions)
            or route.length in card.lengths
            or (card.ferries and route.ferry_locomotives)
        )
