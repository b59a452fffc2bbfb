"""The final decision about what stations lend, if owners choose (B4, R8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from attrs import field, frozen

from ttr_rules import Action, Decision, Refusal, State
from ttr_rules.plugins import (
    ActionRule,
    FrozenMap,
    LazyActions,
    Message,
    Question,
    Rules,
    Seat,
    Transaction,
    brief,
    join_and,
    join_commas,
)

from .station_rule import loans
from .stations import RoutesLent, StationOptions, to_lends


@frozen
class StationLinks(Decision):
    """Which route each of the seat's stations lends, decided at the end under R8 "ask"."""

    public = True
    message = "Which route does each of your stations lend?"

    options: Mapping[str, tuple[str, ...]] = field(converter=FrozenMap[str, tuple[str, ...]])


@frozen
class LendRoutes(Action):
    """Choose the route that each of the seat's stations lends (B4), by city."""

    message = "Lend"

    lends: Mapping[str, str] = field(converter=to_lends)


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

    def number_of_codes(self, rules: Rules) -> int | None:
        return None if rules.plugin(StationOptions).station_choice == "ask" else 0  # else it is never asked

    def offers(self, state: State, decision: StationLinks) -> Sequence[LendRoutes]:
        return Lends(decision.seat, decision.options)

    def refusal(self, state: State, decision: StationLinks, action: LendRoutes) -> Refusal | None:
        for city, route in action.lends.items():
            if city not in decision.options:
                template = "{seat} has no station in {city} that could lend a route"
                return Refusal("B3", Message(template, seat=Seat(decision.seat), city=brief(city)))
            if route not in decision.options[city]:
                there = join_commas(decision.options[city])
                template = "the station in {city} can lend {routes}, not {route}"
                return Refusal("B3", Message(template, city=city, routes=there, route=brief(route)))
        missing = [city for city in decision.options if city not in action.lends]
        if missing:
            template = "a route must be chosen for the station in {cities} too"
            return Refusal("B4", Message(template, cities=join_and(missing)))
        return None

    def perform(self, tx: Transaction, decision: StationLinks, action: LendRoutes) -> Question:
        tx.emit(RoutesLent, action.seat, action.lends)
        return next_owner(tx.state)


def next_owner(state: State) -> Question:
    """The decision of the next owner whose stations can lend something, under R8 "ask"."""
    for seat in range(state.players):
        options = {loan.city: loan.routes for loan in loans(state, seat) if loan.routes and loan.chosen is None}
        if options:
            return StationLinks(seat, options)
    return ()
