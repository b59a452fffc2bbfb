"""Europe's stations: an action, a state part, a scoring term, ticket links and a last question (B1–B6, R8)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import prod
from typing import Literal

from attrs import define, field, frozen

from ttr_rules import Action, Counts, Decision, Event, InvalidInputError, Refusal, State, Turn, View
from ttr_rules.model import Cost, to_counts
from ttr_rules.plugins import (
    FREE,
    ActionRule,
    BorrowHint,
    BotHint,
    Economy,
    Ending,
    FrozenMap,
    GameData,
    KeyHelp,
    LazyActions,
    Loan,
    LoanHint,
    Part,
    PartSpec,
    Position,
    PriceTable,
    Report,
    ScoringTerm,
    Term,
    TicketLink,
    TieBreak,
    Transaction,
    brief,
    end_game,
    end_turn,
    joined_payments,
    option,
    public,
)

STATIONS_EACH = 3


@frozen
class StationOptions:
    """How the open case about stations is decided (R8)."""

    station_choice: Literal["best", "ask"] = option(
        "best",
        "ask",
        rule="R8",
        meaning='"best" finds the routes that stations lend, "ask" lets their owners choose at the end, in seat order',
    )


POINTS_UNBUILT = 4


@define(eq=False)
class Stations(Part):
    """Who built where, and which routes owners chose to be lent; all of it public (S6).

    `built` maps cities to seats in the order of building, `left` counts those not built by seat, `lends` maps
    cities to the routes that their stations lend once the owners have chosen (R8).
    """

    built: dict[str, int] = public(factory=dict, label="Stations", seats=True)
    left: list[int] = public(factory=list, label="Stations left")
    lends: dict[str, str] = public(factory=dict, label="")

    def value(self) -> object:
        return (tuple(self.built.items()), self.left, self.lends)

    def validate(self) -> str | None:
        for seat, left in enumerate(self.left):
            built = list(self.built.values()).count(seat)
            if built + left != STATIONS_EACH or left < 0:
                return (
                    f"seat {seat} has {left} stations left and {built} on the board, not {STATIONS_EACH} together (B1)"
                )
        return None

    def of(self, seat: int) -> list[str]:
        """The cities where `seat` built, in the order of their ids."""
        return sorted(city for city, owner in self.built.items() if owner == seat)


# -- building --------------------------------------------------------------------------------------------------


@frozen
class BuildStation(Action):
    """Build a station in a city without one (B1), for one card more each time (B2)."""

    message = "Build a station"

    city: str
    payment: Counts = field(converter=to_counts)


@frozen
class StationBuilt(Event):
    """A seat built a station (B1)."""

    message = "{seat} builds a station in {city}"

    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        part = state.part(Stations)
        part.built[city] = seat
        part.left[seat] -= 1


def station_cost(number: int) -> Cost:
    """What the `number`-th station of a player costs, counted from 1 (B2)."""
    return Cost(kind="station", spaces=number)


class Sites(LazyActions[BuildStation]):
    """Every free city times every way to pay."""

    __slots__ = ("_cities", "_seat", "_tables", "_taken")

    def __init__(
        self, seat: int, cities: Sequence[str], taken: Collection[str], tables: Sequence[PriceTable], ways: int
    ) -> None:
        self._size = (len(cities) - len(taken)) * ways
        self._seat = seat
        self._cities = cities
        self._taken = taken
        self._tables = tables

    def free(self) -> list[str]:
        """The cities without a station."""
        return [city for city in self._cities if city not in self._taken]

    def nth(self, index: int) -> BuildStation:
        free = self.free()
        way, city = divmod(index, len(free))
        for table in self._tables:
            if way < table.ways:
                return BuildStation(self._seat, free[city], table.payment(way))
            way -= table.ways
        raise IndexError("no such station")

    def __iter__(self) -> Iterator[BuildStation]:
        free = self.free()
        payments = (payment for table in self._tables for _, price in table.prices for payment in price.payments)
        return (BuildStation(self._seat, city, payment) for payment in payments for city in free)

    def purchases(self) -> Iterator[tuple[BuildStation, Sequence[Counts]]]:
        """Every free city; they all share their payments."""
        payments = joined_payments([price.payments for table in self._tables for _, price in table.prices])
        first = payments[0]
        for city in self.free():
            yield BuildStation(self._seat, city, first), payments

    def __contains__(self, action: object) -> bool:
        if type(action) is not BuildStation or action.seat != self._seat or action.city not in self.free():
            return False
        return any(action.payment in price.payments for table in self._tables for _, price in table.prices)


class BuildStationRule(ActionRule[Turn, BuildStation]):
    """Build one station in any city without one (B1, B2)."""

    on = Turn
    action = BuildStation

    def __init__(self, economy: Economy) -> None:
        self.economy = economy
        self._prices = [economy.price_list([station_cost(number)]) for number in range(1, STATIONS_EACH + 1)]

    def offers(self, state: State, decision: Turn) -> Sequence[BuildStation]:
        part: Stations = state.parts[Stations]
        left = part.left[decision.seat]
        if not left:
            return ()
        tables = self._prices[STATIONS_EACH - left].tables(state, decision.seat)
        ways = 0
        for table in tables:
            ways += table.ways
        if not ways:
            return ()
        return Sites(decision.seat, state.rules.network.city_ids, part.built.copy(), tables, ways)

    def refusal(self, state: State, decision: Turn, action: BuildStation) -> Refusal | None:
        part = state.part(Stations)
        if not isinstance(action.city, str) or action.city not in state.rules.board.cities:
            return Refusal("B1", f"there is no city {brief(action.city)} on the board {state.rules.board.name}")
        if action.city in part.built:
            return Refusal("B1", f"seat {part.built[action.city]} has a station in {action.city} already")
        if not part.left[action.seat]:
            return Refusal("B1", f"seat {action.seat} has built all {STATIONS_EACH} stations")
        cost = station_cost(STATIONS_EACH - part.left[action.seat] + 1)
        refused = self.economy.refusal(state, action.seat, cost, action.payment)
        return None if refused is None else refused.on_behalf_of("B2")

    def perform(self, tx: Transaction, decision: Turn, action: BuildStation) -> None:
        self.economy.pay(tx, action.seat, action.payment)
        tx.emit(StationBuilt, action.seat, tx.rules.board.cities[action.city].id)
        end_turn(tx, action.seat)


# -- lending ---------------------------------------------------------------------------------------------------


def borrowable(state: State, seat: int, city: str) -> list[str]:
    """The routes of other players that end in a city, by id (B3, B5)."""
    network = state.rules.network
    owner = state.owner
    routes = network.routes_at[network.city_number[city]]
    return sorted(network.route_ids[route] for route in routes if owner[route] not in (FREE, seat))


def loans(state: State, seat: int) -> list[Loan]:
    """What the stations of a seat lend it: one route each (B3), the same for all tickets (B4)."""
    part = state.part(Stations)
    return [Loan(city, tuple(borrowable(state, seat, city)), part.lends.get(city)) for city in part.of(seat)]


@frozen
class StationLinks(Decision):
    """Which route each of the seat's stations lends, asked at the end under R8 "ask"."""

    public = True
    message = "Which route does each of your stations lend?"

    options: Mapping[str, tuple[str, ...]] = field(converter=FrozenMap[str, tuple[str, ...]])
    reason: str = "last round"


def to_lends(lends: Mapping[str, str]) -> Mapping[str, str]:
    """A choice of routes by city, in the order of the cities."""
    if not isinstance(lends, Mapping) or not all(isinstance(item, str) for pair in lends.items() for item in pair):
        raise InvalidInputError(f"lent routes read like {{'berlin': 'berlin-wien-green'}}, not {brief(lends)}")
    return FrozenMap(dict(sorted(lends.items())))


@frozen
class LendRoutes(Action):
    """Choose the route that each of one's stations lends (B4), by city."""

    message = "Lend"

    lends: Mapping[str, str] = field(converter=to_lends)


@frozen
class RoutesLent(Event):
    """A seat settled which routes its stations lend (B4)."""

    message = "{seat} settles what the stations lend: {lends}"

    seat: int
    lends: Mapping[str, str] = field(converter=to_lends)

    @staticmethod
    def effect(state: State, seat: int, lends: Mapping[str, str]) -> None:
        state.part(Stations).lends.update(lends)


class Lends(LazyActions[LendRoutes]):
    """Every way to choose a route for each station."""

    __slots__ = ("_options", "_seat")

    def __init__(self, seat: int, options: Mapping[str, Sequence[str]]) -> None:
        super().__init__(prod(map(len, options.values())))
        self._seat = seat
        self._options = options

    def nth(self, index: int) -> LendRoutes:
        chosen: dict[str, str] = {}
        for city, routes in reversed(list(self._options.items())):
            index, which = divmod(index, len(routes))
            chosen[city] = routes[which]
        return LendRoutes(self._seat, chosen)


class LendRoutesRule(ActionRule[StationLinks, LendRoutes]):
    """The owner chooses, after all tickets are revealed (B4, R8)."""

    on = StationLinks
    action = LendRoutes

    def offers(self, state: State, decision: StationLinks) -> Sequence[LendRoutes]:
        return Lends(decision.seat, decision.options)

    def refusal(self, state: State, decision: StationLinks, action: LendRoutes) -> Refusal | None:
        for city, route in action.lends.items():
            if city not in decision.options:
                return Refusal("B3", f"seat {decision.seat} has no station in {brief(city)} that could lend a route")
            if route not in decision.options[city]:
                there = ", ".join(decision.options[city])
                return Refusal("B3", f"the station in {city} can lend {there}, not {brief(route)}")
        missing = [city for city in decision.options if city not in action.lends]
        if missing:
            return Refusal("B4", f"a route must be chosen for the station in {' and '.join(missing)} too")
        return None

    def perform(self, tx: Transaction, decision: StationLinks, action: LendRoutes) -> None:
        tx.emit(RoutesLent, action.seat, action.lends)
        end_game(tx, decision.reason)


def ask_owners(tx: Transaction, reason: str) -> bool:
    """Under R8 "ask", ask the next owner whose stations can lend something."""
    state = tx.state
    if tx.rules.plugin(StationOptions).station_choice != "ask":
        return False
    for seat in range(state.players):
        options = {loan.city: loan.routes for loan in loans(state, seat) if loan.routes and loan.chosen is None}
        if options:
            tx.ask(StationLinks(seat, options, reason))
            return True
    return False


# -- scores, tables --------------------------------------------------------------------------------------------


def unbuilt(state: State, seat: int) -> Term:
    """Four points for every station not built (B6)."""
    left = state.part(Stations).left[seat]
    return Term(POINTS_UNBUILT * left, left)


def arrange_stations(tx: Transaction, position: Position, report: Report) -> None:
    """Read `stations` and `lends` of the players of a table."""
    part = tx.state.part(Stations)
    for player in position.players:
        for place, city in player.cities("stations", report):
            if city in part.built:
                report.add(place, f"{city} has a station already (B1)")
            elif not part.left[player.seat]:
                report.add(place, f"a player has {STATIONS_EACH} stations only (B1)")
            else:
                tx.emit(StationBuilt, player.seat, city)
    for player in position.players:
        chosen: dict[str, str] = {}
        for city, name in player.table("lends", report).items():
            place = f"{player.place}.lends.{city}"
            routes = player.routes(name, place, report)
            if not routes:
                continue
            free = [route for route in routes if route in borrowable(tx.state, player.seat, city)]
            if part.built.get(city) != player.seat:
                report.add(place, f"{player.name} has no station in {city} (B3)")
            elif not free:
                report.add(place, f"{' and '.join(routes)}: no route of another player that ends in {city} (B3)")
            else:
                chosen[city] = free[0]
        if chosen:
            tx.emit(RoutesLent, player.seat, chosen)


def _built(view: View) -> Mapping[str, int]:
    return view.part(Stations).built


def _left(view: View, seat: int) -> int:
    return view.part(Stations).left[seat]


def _lent(action: LendRoutes) -> tuple[str, ...]:
    return tuple(action.lends.values())


#: For bots: a station costs its cards, its turn, and the points for not building it (B6).
HINTS: tuple[BotHint, ...] = (
    BorrowHint(
        BuildStation,
        built=_built,
        left=_left,
        turns=48,
        points=POINTS_UNBUILT,
    ),
    LoanHint(LendRoutes, routes=_lent),
)


def _start(rules: GameData, players: int) -> Part:
    return Stations(left=[STATIONS_EACH] * players)


PART = PartSpec(
    Stations,
    _start,
    ("stations", "lends"),
    arrange_stations,
    key_help={
        "stations": KeyHelp("The cities with a station of this player.", "[{city}]"),
        "lends": KeyHelp("Which route each station lends; left out, the best choice is found.", "{{{city} = {route}}}"),
    },
)
UNBUILT = ScoringTerm("stations", unbuilt, label="Stations left", keys=("station_points", "stations_left"))
#: P6: fewer stations built; on maps without any it decides nothing.
FEWER_STATIONS = TieBreak(
    "fewer stations built", lambda player: player.terms["stations"].count if "stations" in player.terms else 0
)
LOANS = TicketLink("stations", loans)
ASK_OWNERS = Ending("stations", ask_owners)

__all__ = ["BuildStation", "LendRoutes", "RoutesLent", "StationBuilt", "StationLinks", "Stations"]
