"""What stations lend to their owners: ticket links, and the final decision if owners choose (B3–B5, R8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from attrs import field, frozen

from ttr_rules import Action, Decision, Event, InvalidInputError, Refusal, State
from ttr_rules.plugins import (
    FREE,
    ActionRule,
    Ending,
    FrozenMap,
    GameData,
    LazyActions,
    Loan,
    Message,
    Seat,
    TicketLink,
    Transaction,
    anded,
    brief,
    end_game,
    listed,
)

from .stations import StationOptions, Stations


def borrowable(state: State, seat: int, city: str) -> list[str]:
    """The routes of other players that end in a city, by id (B3, B5)."""
    network = state.rules.network
    owner = state.owner
    routes = network.routes_at[network.city_number[city]]
    return sorted(network.route_ids[route] for route in routes if owner[route] not in (FREE, seat))


def loans(state: State, seat: int) -> list[Loan]:
    """The loans from a seat's stations: one route each (B3), the same for all tickets (B4)."""
    part = state.part(Stations)
    return [Loan(city, tuple(borrowable(state, seat, city)), part.lends.get(city)) for city in part.of(seat)]


@frozen
class StationLinks(Decision):
    """Which route each of the seat's stations lends, decided at the end under R8 "ask"."""

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
    """Choose the route that each of the seat's stations lends (B4), by city."""

    message = "Lend"

    lends: Mapping[str, str] = field(converter=to_lends)


@frozen
class RoutesLent(Event):
    """A seat chose which routes its stations lend (B4)."""

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
    """Let the owner choose, after all tickets are revealed (B4, R8)."""

    on = StationLinks
    action = LendRoutes

    def number_of_codes(self, rules: GameData) -> int | None:
        return None if rules.plugin(StationOptions).station_choice == "ask" else 0  # else it is never asked

    def offers(self, state: State, decision: StationLinks) -> Sequence[LendRoutes]:
        return Lends(decision.seat, decision.options)

    def refusal(self, state: State, decision: StationLinks, action: LendRoutes) -> Refusal | None:
        for city, route in action.lends.items():
            if city not in decision.options:
                template = "{seat} has no station in {city} that could lend a route"
                return Refusal("B3", Message(template, seat=Seat(decision.seat), city=brief(city)))
            if route not in decision.options[city]:
                there = listed(decision.options[city])
                template = "the station in {city} can lend {routes}, not {route}"
                return Refusal("B3", Message(template, city=city, routes=there, route=brief(route)))
        missing = [city for city in decision.options if city not in action.lends]
        if missing:
            template = "a route must be chosen for the station in {cities} too"
            return Refusal("B4", Message(template, cities=anded(missing)))
        return None

    def perform(self, tx: Transaction, decision: StationLinks, action: LendRoutes) -> None:
        tx.emit(RoutesLent, action.seat, action.lends)
        end_game(tx, decision.reason)


def ask_owners(tx: Transaction, reason: str) -> bool:
    """Under R8 "ask", open the decision for the next owner whose stations can lend something."""
    state = tx.state
    # survives >: the other choice is "best"
    if tx.rules.plugin(StationOptions).station_choice != "ask":
        return False
    for seat in range(state.players):
        options = {loan.city: loan.routes for loan in loans(state, seat) if loan.routes and loan.chosen is None}
        if options:
            tx.ask(StationLinks(seat, options, reason))
            return True
    return False


LOANS = TicketLink("stations", loans)
ASK_OWNERS = Ending("stations", ask_owners)
