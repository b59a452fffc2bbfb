"""What is searched for slow positions: how a position is begun, changed, and what it costs.

A cost counts work, never time: with the same seed and the same code, the same position is found on every machine.
A position is never made slower by being unreal: the cars of the game, three stations, the tickets of the deck, forty
cards of one deck.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, Generic, TypeVar

from attrs import frozen
from ttr_bench.operations import lend_of
from ttr_bench.positions import Position

import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.graph import frontier, lending
from ttr_rules.graph.lengths import longest_trail
from ttr_rules.train_cards import TrainCards

T = TypeVar("T")
CARDS = 40

#: One stack for each official map: how long a path takes depends on the map and the cars alone.
MAPS = ("europe", "north-america", "switzerland", "nordic-countries", "germany-tickets")


@frozen
class Search(Generic[T]):
    """One search. Its candidates are plain values; `position` makes one of them a position, `candidate` reads one."""

    what: str
    title: str
    start: Callable[[Random], T]
    change: Callable[[T, Random], T]
    cost: Callable[[T], int]
    position: Callable[[T], Position]
    candidate: Callable[[Position], T]


# -- longest paths -----------------------------------------------------------------------------------------------

Routes = frozenset[int]


def path_search(stack: str) -> Search[Routes]:
    """Networks of all cars, whose cost is the number of choices that the frontier looks at."""
    rules = ttr.compile_rules(stack)
    network = rules.network
    cars = rules.components.cars

    def changed(routes: Routes, random: Random) -> Routes:
        kept = set(routes)
        for route in random.sample(sorted(kept), min(len(kept), random.randint(1, 5))):
            kept.remove(route)
        near = {city for route in kept for city in network.ends[route]}
        wish = [len(near & {*ends}) + 1.5 * random.random() for ends in network.ends]
        return fitting([*sorted(kept), *sorted(range(len(wish)), key=wish.__getitem__, reverse=True)])

    def fitting(order: Iterable[int]) -> Routes:
        found: set[int] = set()
        closed, left = 0, cars
        for route in order:
            if network.lengths[route] <= left and not closed >> route & 1:
                found.add(route)
                closed |= network.twins[route] | network.bits[route]
                left -= network.lengths[route]
        return frozenset(found)

    def cost(routes: Routes) -> int:
        with choices_counted() as counts:
            longest_trail([(*network.ends[route], network.lengths[route]) for route in sorted(routes)])
        return sum(counts)

    def position(routes: Routes) -> Position:
        ids = sorted(network.route_ids[route] for route in routes)
        return Position("longest path", stack, {"stack": [stack], "players": [{"routes": ids}, {}]})

    def candidate(position: Position) -> Routes:
        return frozenset(network.route_number[id] for id in position.table["players"][0]["routes"])

    return Search(
        "longest path", stack, lambda random: changed(frozenset(), random), changed, cost, position, candidate
    )


@contextmanager
def choices_counted() -> Iterator[list[int]]:
    """How many choices the frontier has, at every route that it decides on."""
    decide = frontier._decide
    counts: list[int] = []

    def counted(states: Any, *arguments: Any) -> Any:
        counts.append(sum(map(len, states.values())))
        return decide(states, *arguments)

    frontier._decide = counted  # type: ignore[assignment]  # counts, and hands on what it is given
    try:
        yield counts
    finally:
        frontier._decide = decide


# -- stations ----------------------------------------------------------------------------------------------------

#: The cities of the stations, own routes, tickets.
Lending = tuple[tuple[str, ...], frozenset[str], tuple[str, ...]]


def station_search() -> Search[Lending]:
    """Three stations; every other route belongs to somebody else, as far as doubles let it and cars last.

    The cost is the number of pairs of labels that are looked at for all choices of all stations.
    """
    rules = ttr.compile_rules("europe")
    routes = rules.board.routes
    cars = rules.components.cars
    groups = {id: route.double_group or id for id, route in routes.items()}
    touching = {city: sum(city in route.cities for route in routes.values()) for city in rules.board.cities}
    cities = sorted(touching, key=lambda city: -touching[city])[:14]
    ends = {ticket.id: list(ticket.cities) for ticket in rules.deck.tickets}

    def share(wanted: Iterable[str]) -> tuple[list[str], list[str]]:
        """What of these one player can own, and what is left."""
        own: list[str] = []
        rest: list[str] = []
        left, taken = cars, set[str]()
        for id in wanted:
            if routes[id].length <= left and groups[id] not in taken:
                own.append(id)
                taken.add(groups[id])
                left -= routes[id].length
            else:
                rest.append(id)
        return own, rest

    def changed(given: Lending, random: Random) -> Lending:
        where, own, tickets = given
        what = random.randrange(3)
        if what == 0:
            kept = random.sample(where, 2)
            where = (*kept, random.choice([city for city in cities if city not in kept]))
        elif what == 1:
            own = frozenset(share(sorted(set(own) ^ set(random.sample(sorted(routes), 2))))[0])
        else:
            some = random.sample(tickets, random.randint(20, 29))
            tickets = (*some, *random.sample(sorted(ends.keys() - some), 30 - len(some)))
        return where, own, tickets

    def position(given: Lending) -> Position:
        where, own, tickets = given
        others: list[list[str]] = []
        rest = sorted(set(routes) - own, key=lambda route: (not {*routes[route].cities} & {*where}, route))
        for _ in range(4):
            taken, rest = share(rest)
            others.append(sorted(taken))
        first = {"routes": sorted(own), "stations": list(where), "tickets": [ends[id] for id in tickets]}
        players: list[dict[str, Any]] = [first, *({"routes": each} for each in others)]
        return Position("stations", "europe", {"stack": ["europe"], "players": players})

    def candidate(position: Position) -> Lending:
        first = position.table["players"][0]
        ids = {tuple(cities): id for id, cities in ends.items()}
        return (
            tuple(first["stations"]),
            frozenset(first["routes"]),
            tuple(ids[tuple(each)] for each in first["tickets"]),
        )

    def cost(given: Lending) -> int:
        with pairs_counted() as counts:
            lend_of(position(given).game().state)()
        return sum(counts)

    def start(random: Random) -> Lending:
        return tuple(random.sample(cities, 3)), frozenset(), tuple(random.sample(sorted(ends), 30))

    return Search("stations", "europe", start, changed, cost, position, candidate)


@contextmanager
def pairs_counted() -> Iterator[list[int]]:
    """How many pairs of labels the choices of a station look at, each time it is chosen for."""
    search = lending.LendingSearch
    counts: list[int] = []

    class Counted(lending.LendingSearch[int]):
        def _choose(self, station: int, gain: int, group: list[int], members: list[list[int]]) -> None:
            pairs = [(group[first], group[second]) for _, first, second in self.merges[station]]
            counts.append(sum(1 + len(members[a]) * len(members[b]) * (a != b) for a, b in pairs))
            super()._choose(station, gain, group, members)

    lending.LendingSearch = Counted  # type: ignore[misc, assignment]
    try:
        yield counts
    finally:
        lending.LendingSearch = search  # type: ignore[misc]


# -- payments ----------------------------------------------------------------------------------------------------

Hand = dict[str, int]


def hand_search(stack: str, ferry: tuple[int, int] | None = None) -> Search[Hand]:
    """Forty cards of one deck, whose cost is the number of legal actions."""
    title = stack + (f", ferry of {ferry[0]}" if ferry else "")
    economy = economy_of(ttr.compile_rules(stack).economy, TrainCards)
    supply = {str(card): count for card, count in economy.cards.items()}

    def start(random: Random) -> Hand:
        deck = [card for card, count in supply.items() for _ in range(count)]
        hand = random.sample(deck, CARDS)
        return {card: hand.count(card) for card in supply}

    def changed(hand: Hand, random: Random) -> Hand:
        hand = dict(hand)
        for _ in range(random.randint(1, 3)):
            hand[random.choice([card for card, count in hand.items() if count])] -= 1
            hand[random.choice([card for card in hand if hand[card] < supply[card]])] += 1
        return hand

    def position(hand: Hand) -> Position:
        players: list[dict[str, Any]] = [{"hand": {card: count for card, count in hand.items() if count}}, {}]
        return Position("payments", title, {"stack": [stack], "seed": 1, "players": players}, ferry)

    def candidate(position: Position) -> Hand:
        held: Hand = position.table["players"][0]["hand"]
        return dict.fromkeys(supply, 0) | held

    return Search("payments", title, start, changed, lambda hand: legal(position(hand)), position, candidate)


def legal(position: Position) -> int:
    """The number of legal actions."""
    game = position.game()
    return len(game.legal_actions(game.to_act[0]))


#: The dice that show, by face, and the single tokens held: few differ, so all are candidates.
Roll = tuple[tuple[int, ...], int]
FACES = ("single", "double", "station", "locomotive")
ROLLS = ((1, 1, 2, 1), (2, 2, 0, 1), (3, 0, 0, 2), (0, 3, 0, 2), (2, 1, 0, 2), (1, 1, 0, 3))


def dice_search() -> Search[Roll]:
    """Rolls and tokens of the dice."""

    def some(random: Random) -> Roll:
        return random.choice(ROLLS), random.randrange(4)

    def position(roll: Roll) -> Position:
        faces = [name for name, count in zip(FACES, roll[0], strict=True) for _ in range(count)]
        tokens = {"single_token": roll[1], "double_token": 3 - roll[1]}
        parts = {"dice": {"faces": faces, "tokens": {"A": tokens}}}
        table = {"stack": ["europe", "dice"], "seed": 1, "parts": parts, "players": [{"name": "A"}, {"name": "B"}]}
        return Position("payments", "europe + dice", table)

    def candidate(position: Position) -> Roll:
        dice = position.table["parts"]["dice"]
        return tuple(dice["faces"].count(name) for name in FACES), dice["tokens"]["A"]["single_token"]

    return Search(
        "payments", "europe + dice", some, lambda _, random: some(random), lambda roll: legal(position(roll)), position, candidate
    )  # fmt: skip


def all_searches() -> list[Search[Any]]:
    """All of them, in the order in which their positions are kept."""
    return [
        *map(path_search, MAPS),
        station_search(),
        *map(hand_search, ("europe", "nordic-countries", "switzerland")),
        hand_search("europe", (20, 6)),
        hand_search("nordic-countries", (12, 4)),
        dice_search(),
    ]
