"""Mail: bags lie in cities by chance. A claim into such a city takes them along: two points each, and one more train car.

Gray routes of three spaces are mail lines: worth a point more. Who draws tickets draws one more for every bag carried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ttr_rules import Board, DrawTickets, Event, Refusal, Route, State, Turn
from ttr_rules.actions import draw_tickets
from ttr_rules.model import Color
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Part,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    option,
    points_in_play,
    public,
)

LINE, POINTS = "mail_line", 2


class MailBags(Part):
    """Where bags lie, and how many each seat has carried."""

    cities: list[str] = public(label="Mail bags")
    carried: list[int] = public(each=0, label="Mail carried")


class BagsLaid(Event):
    """Mail bags lie in cities."""

    message = "Mail bags lie in {cities}"
    cities: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(MailBags).cities = list(self.cities)


class BagCarried(Event):
    """A seat took a mail bag along."""

    message = "{seat} takes the mail of {city} along"
    seat: int
    city: str

    def apply(self, state: State) -> None:
        part = state.part(MailBags)
        part.cities.remove(self.city)
        part.carried[self.seat] += 1


def is_line(route: Route) -> bool:
    return route.color == Color.GRAY and route.length == 3


class DrawMoreTicketsRule(ActionRule[Turn, DrawTickets]):
    """Draw a ticket more for every bag carried, in place of the usual draw."""

    replaces = True

    def offers(self, state: State, decision: Turn) -> Sequence[DrawTickets]:
        return [DrawTickets(decision.seat)] if state.has_tickets else ()

    def refusal(self, state: State, decision: Turn, action: DrawTickets) -> Refusal | None:
        return None if state.has_tickets else Refusal("mail", "no tickets are left to draw")

    def perform(self, tx: Transaction, decision: Turn, action: DrawTickets) -> None:
        more = min(tx.state.part(MailBags).carried[action.seat], 2)
        draw_tickets(tx, action.seat, tx.rules.draw_counts.drawn + more)


class Mail(Variant, name="mail"):
    """Mail: mail bags wait in cities."""

    bags: int = option(6, 4, 8, rule="mail", meaning="so many cities have mail")

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        board = below()
        routes = {
            id: evolve(each, marks=(*each.marks, LINE)) if is_line(each) else each for id, each in board.routes.items()
        }
        return evolve(board, routes=routes)

    @hookimpl
    def route_points(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {id: each + (LINE in board.routes[id].marks) for id, each in below().items()}

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (MailBags,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (DrawMoreTicketsRule(),)

    @hookimpl
    def on_deal(self, tx: Transaction) -> None:
        cities = [city.id for city in tx.rules.board.cities.values() if city.country is None]
        tx.emit(BagsLaid, tx.shuffled(cities)[: self.bags])

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        for city in route.cities:
            if city in tx.state.part(MailBags).cities and tx.state.cars[seat]:
                tx.emit(BagCarried, seat, city)
                tx.use_cars(seat, 1)
                tx.score(seat, POINTS, "mail")

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("mail", "Mail"),)

    @hookimpl
    def notes(self, rules: Rules) -> Iterable[str]:
        lines = sum(LINE in route.marks for route in rules.board.routes.values())
        return (f"Mail lies in {self.bags} cities; {lines} routes are mail lines, worth a point more",)
