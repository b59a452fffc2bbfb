"""Hints for bots about technologies that their plans need and the worth of others, and regions on pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from ttr_rules import View
from ttr_rules.boards import read_extra
from ttr_rules.hints import ActionValue, BotHint, CityNote, DrawHint, MapMark, OpeningHint, RouteNote
from ttr_rules.language import Message
from ttr_rules.model import Cost, networks
from ttr_rules.plugins import Rules
from ttr_rules.train_cards import cards

from . import technologies as named
from .purchases import LOCOMOTIVE, BuyTechnology, DrawThree, ShareRoute, price
from .technologies import (
    A_TICKET,
    LONGEST_PATH,
    MOST_TICKETS,
    OPEN_TO_ALL,
    TECHNOLOGIES,
    Technologies,
    bonus_points,
    requirements,
)

PER_CARD = 0.3  # what a card is worth, in points
PER_TURN = 2.0  # and a turn
PER_ROUTE = 2.5  # roughly how many cars a claim takes
LATE = 6  # with so few claims left, what only counts at the end is bought
SURE = 0.8  # the share of planned points that is expected to come true


def lacking(view: View, rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """The technologies that each route still needs, unless one of them is sold out."""
    part = view.part(Technologies)
    return _lacking(rules, part.owned[view.seat or 0], tuple([id for id, left in part.left.items() if left]))


@lru_cache(maxsize=256)  # asked in every turn
def _lacking(rules: Rules, owned: tuple[str, ...], on_sale: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    needed = rules.derived(requirements)
    missing = {needs: tuple([id for id in needs if id not in owned]) for needs in {*needed.values()}}
    open_to = {needs for needs, lacking in missing.items() if lacking and set(lacking).issubset(on_sale)}
    return {route: missing[needs] for route, needs in needed.items() if needs in open_to}


def worth(view: View, rules: Rules, action: BuyTechnology) -> float:
    """The value of a technology that opens no routes, minus its price, in points."""
    return gain(view, rules, action.technology) - PER_CARD * (action.payment.total + action.payment[LOCOMOTIVE])


def gain(view: View, rules: Rules, technology: str) -> float:
    """The points that a technology which opens no routes may bring to the seat from now on."""
    seat = view.seat or 0
    claims = 1.0 if view.turns_left else view.cars[seat] / PER_ROUTE
    if technology == named.DOUBLE_HEADING:
        return A_TICKET * SURE * len(view.tickets) if claims < LATE else 0.0
    if technology in (named.DIESEL, named.WATER_TENDERS):
        return PER_CARD * claims
    if technology == named.RIGHT_OF_WAY:
        values, cars = share_values(view, rules), view.cars[seat]
        return max([value for id, value in values.items() if rules.route_cars[id] <= cars], default=0.0) - PER_TURN
    if technology == named.THERMOCOMPRESSOR:
        return float([*payable(view, rules), 0, 0][1]) if view.turns_left else 0.0
    if technology in (named.RISKY_CONTRACTS, named.EQUALISING_BEAM):
        risky = technology == named.RISKY_CONTRACTS
        lengths = [rules.components.cars - cars for cars in view.cars]
        counts = [count or 0 for count in view.ticket_counts] if risky else lengths
        mine, others = counts[seat], max(count for other, count in enumerate(counts) if other != seat)
        points = MOST_TICKETS if risky else LONGEST_PATH
        return points * (SURE - 0.5) if mine > others * (1 if risky else 2) else 0.0
    card, owned = TECHNOLOGIES[technology], view.part(Technologies).owned[seat]
    ferries = rules.derived(share_of_ferries) if named.PROPELLERS in owned else 0.0
    return SURE * claims * (card.a_route + card.a_ferry * ferries)


def share_of_ferries(rules: Rules) -> float:
    """The share of ferries among the routes."""
    routes = rules.board.routes.values()
    return sum(bool(route.ferry_locomotives) for route in routes) / len(routes)


def payable(view: View, rules: Rules) -> list[int]:
    """The points of routes that the hand could pay for together, roughly: without locomotives, the longest first."""
    left = dict(cards(view).hand or {})
    routes = [rules.board.routes[id] for id in rules.board.routes if id not in view.owners and id not in view.barred]
    points: list[int] = []
    for route in sorted(routes, key=lambda route: -route.length):
        color = max(left, key=lambda card: left[card]) if left and route.color == "gray" else str(route.color)
        if not route.ferry_locomotives and left.get(color, 0) >= route.length:
            left[color] -= route.length
            points.append(rules.route_points[route.id])
    return points


def share_values(view: View, rules: Rules) -> Mapping[str, float]:
    """The worth of holding each route of another player too: its points, and the tickets that it completes."""
    own = frozenset(view.routes(view.seat or 0))
    return _calculate_share_values(rules, own, frozenset(view.owners) - own, view.tickets)


@lru_cache(maxsize=64)  # asked about every payment
def _calculate_share_values(
    rules: Rules, own: frozenset[str], others: frozenset[str], tickets: tuple[str, ...]
) -> Mapping[str, float]:
    goals = [id for id in tickets if not is_complete(rules, own, id)]
    values: dict[str, float] = {}
    for route in others:
        completed = sum(2 * rules.tickets[id].points for id in goals if is_complete(rules, own | {route}, id))
        values[route] = completed + rules.route_points[route] - PER_CARD * rules.board.routes[route].length
    return values


def is_complete(rules: Rules, routes: frozenset[str], ticket: str) -> bool:
    """True if routes complete a ticket."""
    own = networks(rules.board.routes[id].cities for id in routes)
    start, end = map(rules.board.place, rules.tickets[ticket].cities)
    return any(not own.get(city, frozenset()).isdisjoint(end) for city in start)


def share(view: View, rules: Rules, action: ShareRoute) -> float:
    """The worth of claiming another player's route, minus its locomotives."""
    return share_values(view, rules)[action.route] - PER_CARD * action.payment[LOCOMOTIVE]


@lru_cache(maxsize=64)  # asked in every turn
def extra_points(rules: Rules, owned: tuple[str, ...]) -> Mapping[str, float]:
    """The points from some technologies for the claim of each route (U14)."""
    return {id: sum([points for _, points in bonus_points(rules, owned, id)]) for id in rules.board.routes}


def read_technology(action: BuyTechnology) -> str:
    """The technology that an action buys."""
    return action.technology


def price_now(view: View, rules: Rules, technology: str) -> Cost:
    """The cost of a technology, which is always the same."""
    return price(technology)


HINTS: tuple[BotHint, ...] = (
    OpeningHint(BuyTechnology, lacking, read_technology, price_now),
    ActionValue(BuyTechnology, worth),
    ActionValue(ShareRoute, share),
    DrawHint(DrawThree, 3),
)

# -- pictures ----------------------------------------------------------------------------------------------------


def region_notes(rules: Rules) -> Iterator[MapMark]:
    """The regions of cities, and the routes that need no technology."""
    regions = read_extra(rules.board, "regions", dict[str, list[str]])
    for card in TECHNOLOGIES.values():
        for region in card.regions:
            for city in regions.get(region, ()):
                yield CityNote(city, region[:2].title(), Message("needs {technology}", technology=card.name))
    for route in rules.board.routes.values():
        if OPEN_TO_ALL in route.marks:
            yield RouteNote(route.id, "★", Message("needs no technology"))
