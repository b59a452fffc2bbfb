"""The technologies: what they are, who owns them, which of them a route needs (U7–U14, U21)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from attrs import define, frozen

from ttr_rules import Event, Refusal, Route, State
from ttr_rules.plugins import ClaimCondition, GameData, Message, Part, PrintedName, Seat, anded, plural, public

from .options import BritishOptions


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

# -- ownership ---------------------------------------------------------------------------------------------


@define(eq=False, repr=False)
class Technologies(Part):
    """Who owns which technologies, and how many are left; all of it is public (UR16).

    `owned` holds what each seat bought, in that order; `left` how many copies are for sale; `bought_in` the number of
    the turn of the last purchase; `second_claim` says whether the turn still has a second claim (U22).
    """

    owned: list[tuple[str, ...]] = public(factory=list, label="Technologies")
    left: dict[str, int] = public(factory=dict, label="For sale")
    bought_in: int = public(default=0, label="")
    second_claim: bool = public(default=False, label="")

    def validate(self) -> str | None:
        sold_out = [id for id, left in self.left.items() if left < 0]
        return f"more copies of {' and '.join(sold_out)} are owned than there are" if sold_out else None

    def owns(self, seat: int, technology: str) -> bool:
        """Whether a seat owns a technology."""
        return technology in self.owned[seat]


def start(rules: GameData, players: int) -> Part:
    """The start of a game: nobody owns anything, and the advanced technologies are for sale only by option (U21)."""
    advanced = rules.plugin(BritishOptions).advanced
    sold = [card for card in TECHNOLOGIES.values() if advanced or not card.advanced]
    return Technologies([()] * players, {card.id: card.copies for card in sold})


@frozen
class TechnologyBought(Event):
    """A seat bought a technology (U9). One that is used up at once is for sale again (U16, U22)."""

    message = "{seat} buys {technology}"

    seat: int
    technology: str

    @staticmethod
    def effect(state: State, seat: int, technology: str) -> None:
        part = state.part(Technologies)
        part.bought_in = state.turn_number
        part.second_claim = technology == THERMOCOMPRESSOR
        if not TECHNOLOGIES[technology].at_once:
            part.owned[seat] = (*part.owned[seat], technology)
            part.left[technology] -= 1


@frozen
class TechnologiesBoxed(Event):
    """Technologies for sale only until the first reshuffle of the discards left the game (U26)."""

    message = "{technologies} leave the game"

    technologies: tuple[str, ...]

    @staticmethod
    def effect(state: State, technologies: tuple[str, ...]) -> None:
        part = state.part(Technologies)
        part.left.update(dict.fromkeys(technologies, 0))


# -- what a route needs ----------------------------------------------------------------------------------------


class Requirements:
    """The technologies that each route of a board needs: computed once per rules, with masks of closed routes."""

    def __init__(self, rules: GameData) -> None:
        regions: Mapping[str, Sequence[str]] = rules.board.extra.get("regions", {})
        self._region = {city: region for region, cities in regions.items() for city in cities}
        self.of = {route.id: self._needed(route) for route in rules.board.routes.values()}
        self._closed: dict[tuple[str, ...], int] = {}

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

    def closed(self, owned: tuple[str, ...]) -> int:
        """The mask of the routes that are closed to an owner of only these technologies."""
        if owned not in self._closed:
            closed = [number for number, needs in enumerate(self.of.values()) if not set(needs) <= set(owned)]
            self._closed[owned] = sum([1 << number for number in closed])
        return self._closed[owned]


def _refusal(state: State, seat: int, route: str) -> Refusal | None:
    needs, owned = state.rules.derived(Requirements).of[route], state.part(Technologies).owned[seat]
    lacking = [TECHNOLOGIES[id].name for id in needs if id not in owned]
    if not lacking:
        return None
    needed = anded(TECHNOLOGIES[id].name for id in needs)
    missing = anded(Message("no {technology}", technology=each) for each in lacking)
    template = "{route} needs {needed}; {seat} has {missing}"
    return Refusal("U10", Message(template, route=route, needed=needed, seat=Seat(seat), missing=missing))


def _closed(state: State, seat: int) -> int:
    part: Technologies = state.parts[Technologies]
    return state.rules.derived(Requirements).closed(part.owned[seat])


#: U7, U10: what a seat may not claim for lack of technologies.
CONDITION = ClaimCondition("technologies", _refusal, _closed)
