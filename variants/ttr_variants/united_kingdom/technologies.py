"""The technologies: what they are, who owns them, which of them a route needs (U7–U14, U21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, frozen

from ttr_rules import Event, Refusal, Route, State
from ttr_rules.plugins import ClaimCondition, GameData, Message, Part, Seat, anded, named, public

from .options import BritishOptions


@frozen
class Technology:
    """A technology card: its price in locomotives, how many copies there are, and whether it is used up at once."""

    id: str
    price: int
    copies: int = 4
    advanced: bool = False
    at_once: bool = False
    early: bool = False  # for sale only until the discards are shuffled for the first time (U26)

    @property
    def name(self) -> str:
        """The printed name."""
        return self.id.replace("_", " ")


WALES, SCOTLAND, IRELAND_FRANCE = "wales_concession", "scotland_concession", "ireland_france_concession"
STOKER, BOILER, PROPELLERS = "mechanical_stoker", "superheated_steam_boiler", "propellers"
BOOSTER, LAGGING, TURBINES, DOUBLE_HEADING = "booster", "boiler_lagging", "steam_turbines", "double_heading"
RIGHT_OF_WAY, THERMOCOMPRESSOR, WATER_TENDERS = "right_of_way", "thermocompressor", "water_tenders"
RISKY_CONTRACTS, EQUALISING_BEAM, DIESEL = "risky_contracts", "equalising_beam", "diesel_power"

CARDS = (
    Technology(WALES, 1),  # U11
    Technology(IRELAND_FRANCE, 1),
    Technology(SCOTLAND, 1),
    Technology(STOKER, 1),  # U12
    Technology(BOILER, 2),
    Technology(PROPELLERS, 2),
    Technology(BOOSTER, 2),  # U13
    Technology(LAGGING, 2),  # U14
    Technology(TURBINES, 2),
    Technology(DOUBLE_HEADING, 4),  # U15
    Technology(RIGHT_OF_WAY, 4, copies=1, at_once=True),  # U16
    Technology(THERMOCOMPRESSOR, 1, copies=1, advanced=True, at_once=True),  # U22
    Technology(WATER_TENDERS, 2, copies=2, advanced=True),  # U23
    Technology(RISKY_CONTRACTS, 2, copies=1, advanced=True, early=True),  # U24
    Technology(EQUALISING_BEAM, 2, copies=1, advanced=True, early=True),  # U25
    Technology(DIESEL, 3, copies=1, advanced=True),  # U27
)
TECHNOLOGIES: Mapping[str, Technology] = {card.id: card for card in CARDS}
#: Their names, for translators.
NAMES = (
    named("wales concession"),
    named("ireland france concession"),
    named("scotland concession"),
    named("mechanical stoker"),
    named("superheated steam boiler"),
    named("propellers"),
    named("booster"),
    named("boiler lagging"),
    named("steam turbines"),
    named("double heading"),
    named("right of way"),
    named("thermocompressor"),
    named("water tenders"),
    named("risky contracts"),
    named("equalising beam"),
    named("diesel power"),
)
CONCESSIONS = {"wales": WALES, "scotland": SCOTLAND, "ireland": IRELAND_FRANCE, "france": IRELAND_FRANCE}
#: The mark of a route that needs no technology at all (U8).
OPEN_TO_ALL = "open_to_all"


def for_sale(rules: GameData) -> Sequence[Technology]:
    """The technologies in the game: the advanced ones only if the option says so (U21)."""
    advanced = rules.plugin(BritishOptions).advanced
    return [card for card in CARDS if advanced or not card.advanced]


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
        for id, left in self.left.items():
            held = sum(each.count(id) for each in self.owned)
            if left < 0 or held + left > TECHNOLOGIES[id].copies:
                return f"{held} of {id} are owned and {left} for sale; there are {TECHNOLOGIES[id].copies}"
        return None

    def owns(self, seat: int, technology: str) -> bool:
        """Whether a seat owns a technology."""
        return technology in self.owned[seat]


def start(rules: GameData, players: int) -> Part:
    """The start of a game: nobody owns anything."""
    return Technologies([()] * players, {card.id: card.copies for card in for_sale(rules)})


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
        self._needs = list(self.of.values())
        self._closed: dict[tuple[str, ...], int] = {}

    def __repr__(self) -> str:
        return f"<Requirements of {len(self.of)} routes>"

    def _needed(self, route: Route) -> tuple[str, ...]:
        if OPEN_TO_ALL in route.marks:  # U8
            return ()
        regions = [self._region.get(city, "") for city in route.cities]
        needed = [CONCESSIONS[region] for region in regions if region in CONCESSIONS]  # U11
        if route.length == 3:  # U12
            needed.append(STOKER)
        elif route.length > 3:
            needed.append(BOILER)
        if route.ferry_locomotives:
            needed.append(PROPELLERS)
        return tuple(dict.fromkeys(needed))

    def closed(self, owned: tuple[str, ...]) -> int:
        """The mask of the routes that are closed to an owner of only these technologies."""
        if owned not in self._closed:
            closed = [number for number, needs in enumerate(self._needs) if not set(needs) <= set(owned)]
            self._closed[owned] = sum([1 << number for number in closed])
        return self._closed[owned]


def missing(state: State, seat: int, route: str) -> list[str]:
    """The technologies that a seat lacks for a route (U10)."""
    owned = state.part(Technologies).owned[seat]
    return [id for id in state.rules.derived(Requirements).of[route] if id not in owned]


def _refusal(state: State, seat: int, route: str) -> Refusal | None:
    lacking = missing(state, seat, route)
    if not lacking:
        return None
    needed = anded(TECHNOLOGIES[id].name for id in state.rules.derived(Requirements).of[route])
    without = anded(TECHNOLOGIES[id].name for id in lacking)
    told = "{route} needs {needed}; {seat} has no {missing}"
    return Refusal("U10", Message(told, route=route, needed=needed, seat=Seat(seat), missing=without))


def _closed(state: State, seat: int) -> int:
    part: Technologies = state.parts[Technologies]
    return state.rules.derived(Requirements).closed(part.owned[seat])


#: U7, U10: what a seat may not claim for lack of technologies.
CONDITION = ClaimCondition("technologies", _refusal, _closed)
