"""Telegraph offices: a turn may be spent on an office in a city that one's routes reach, two for each player.

An office costs one space more than the offices built before it by the same player. At the end it is worth a point for every
route of its owner in that city.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from ttr_rules import Action, Counts, Event, Refusal, State, Turn, View
from ttr_rules.hints import ActionValue, BotHint
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    ActionRule,
    PaidRule,
    Part,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    public,
)

OFFICES_EACH = 2


class Offices(Part):
    """Which seat has an office in which city, in the order of building."""

    offices: dict[str, int] = public(
        label="Telegraph offices",
        seats=True,
        key="offices",
        help="The cities with a telegraph office of this player.",
    )

    def value(self) -> object:
        return tuple(self.offices.items())

    def built(self, seat: int) -> int:
        """How many offices a seat has."""
        return sum(owner == seat for owner in self.offices.values())


class OpenOffice(Action):
    """Open an office in a city."""

    city: str
    payment: Counts

    message: ClassVar[str | None] = "Open a telegraph office"


class OfficeOpened(Event):
    """A seat opened an office in a city."""

    seat: int
    city: str

    message: ClassVar[str | None] = "{seat} opens a telegraph office in {city}"

    def apply(self, state: State) -> None:
        state.part(Offices).offices[self.city] = self.seat


def routes_at(state: State, seat: int, city: str) -> int:
    """How many routes of a seat end in a city."""
    routes = state.rules.board.routes
    return sum(owner == seat and city in routes[id].cities for id, owner in state.owners.items())


class OpenOfficeRule(PaidRule[Turn, OpenOffice]):
    """Open an office as the action of a turn."""

    def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
        return [
            (city, Cost("telegraph", spaces)) for spaces in range(1, OFFICES_EACH + 1) for city in rules.board.cities
        ]

    def cost(self, state: State, seat: int, thing: str) -> Cost:
        return Cost("telegraph", 1 + state.part(Offices).built(seat))

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        offices = state.part(Offices)
        if thing in offices.offices:
            return Refusal("telegraph", f"there is an office in {thing} already")
        if offices.built(seat) == OFFICES_EACH:
            return Refusal("telegraph", f"seat {seat} has {OFFICES_EACH} offices already")
        if not routes_at(state, seat, thing):
            return Refusal("telegraph", f"no route of seat {seat} ends in {thing}")
        return None

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        tx.emit(OfficeOpened, seat, thing)


def worth(state: State, seat: int) -> Score:
    """A point for each route of the owner in the city of each office."""
    cities = [city for city, owner in state.part(Offices).offices.items() if owner == seat]
    return Score(sum(routes_at(state, seat, city) for city in cities), len(cities))


def promise(view: View, rules: Rules, action: OpenOffice) -> float:
    """What bots should think of an office: most of its points are still to come, but so are other things to pay for."""
    routes = [route for id, route in rules.board.routes.items() if view.owners.get(id) == action.seat]
    return 1.5 * sum(action.city in route.cities for route in routes) - action.payment.total


class Telegraph(Variant, name="telegraph", title="Telegraph offices"):
    """Offices in one's cities, worth a point for each route there."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Offices,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (OpenOfficeRule(),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("telegraph", worth, label="Telegraph offices"),)

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (ActionValue(OpenOffice, promise),)
