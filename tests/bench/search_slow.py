"""Search for slow positions by annealing, and keep the worst: `python tests/bench/search_slow.py [SECONDS]`.

Writes `src/ttr_rules/bench/slow_positions.json`. Seeded; every search takes so many seconds of CPU time (10 unless said
otherwise). A position is never made better by being unreal: 45 cars, three stations, the tickets of the deck, forty
cards of one deck.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, TypeVar

import ttr_rules as ttr
from ttr_rules.bench import positions
from ttr_rules.bench.operations import SLOW
from ttr_rules.bench.positions import Position
from ttr_rules.paths import longest_trail

T = TypeVar("T")
CARS = 45
CARDS = 40


def annealed(start: T, change: Callable[[T, Random], T], cost: Callable[[T], float], seconds: float) -> T:
    """The costliest thing found by small changes, a worse one taken now and then and ever more rarely."""
    random = Random(1912)
    now, now_cost = start, cost(start)
    best, best_cost = now, now_cost
    begin = process_time()
    while (gone := (process_time() - begin) / seconds) < 1:
        tried = change(now, random)
        tried_cost = cost(tried)
        heat = 0.3 * (1 - gone) + 1e-3
        if tried_cost >= now_cost or random.random() < math.exp((tried_cost / now_cost - 1) / heat):
            now, now_cost = tried, tried_cost
        if tried_cost > best_cost:
            best, best_cost = tried, tried_cost
    return best


def seconds_of(position: Position, repeats: int = 2) -> float:
    """How long the slow thing of a position takes: the least of a few."""
    work, _ = SLOW[position.what][0](position)
    found = []
    for _ in range(repeats):
        begin = process_time()
        work()
        found.append(process_time() - begin)
    return min(found)


# -- longest paths ---------------------------------------------------------------------------------------------


def path_position(stack: str, routes: frozenset[str]) -> Position:
    table = {"stack": [stack], "players": [{"routes": sorted(routes)}, *[{}] * (3 if stack != "switzerland" else 2)]}
    return Position("longest path", stack, table)


def slow_path(stack: str, seconds: float) -> Position:
    rules = ttr.compile_rules(stack)
    board = rules.board
    cars = min(CARS, rules.components.cars)

    def refilled(routes: frozenset[str], random: Random) -> frozenset[str]:
        kept = set(routes)
        for route in random.sample(sorted(kept), min(len(kept), random.randint(1, 4))):
            kept.remove(route)
        groups = {board.routes[route].double_group for route in kept} - {None}
        left = cars - sum(board.routes[route].length for route in kept)
        near = {city for route in kept for city in board.routes[route].cities}
        free = [route for id, route in board.routes.items() if id not in kept]
        random.shuffle(free)
        free.sort(key=lambda route: -len(near & set(route.cities)) - random.random())
        for route in free:
            if route.length <= left and (route.double_group is None or route.double_group not in groups):
                kept.add(route.id)
                groups.add(route.double_group)
                left -= route.length
        return frozenset(kept)

    network = rules.network

    def cost(routes: frozenset[str]) -> float:
        numbers = [network.route_number[id] for id in sorted(routes)]
        edges = [(*network.ends[number], network.lengths[number]) for number in numbers]
        begin = process_time()
        longest_trail(edges)
        first = process_time()
        longest_trail(edges)
        return min(first - begin, process_time() - first)

    return path_position(stack, annealed(refilled(frozenset(), Random(1)), refilled, cost, seconds))


# -- stations ----------------------------------------------------------------------------------------------------


def station_position(cities: tuple[str, ...], own: frozenset[str], tickets: tuple[str, ...]) -> Position:
    """Three stations; every other route belongs to somebody else, as far as doubles let it and cars last."""
    board = ttr.compile_rules("europe").board
    others: list[list[str]] = [[], [], [], []]
    left = [CARS] * 4
    wanted = sorted(set(board.routes) - own, key=lambda each: (not set(board.routes[each].cities) & set(cities), each))
    for id in wanted:
        route = board.routes[id]
        twins = {each for each in board.routes if board.routes[each].double_group == route.double_group is not None}
        for seat in range(4):
            if left[seat] >= route.length and not twins & set(others[seat]):
                others[seat].append(id)
                left[seat] -= route.length
                break
    players: list[dict[str, Any]] = [
        {"routes": sorted(own), "stations": list(cities), "tickets": [list(board_ticket(id)) for id in tickets]},
        *[{"routes": sorted(routes)} for routes in others],
    ]
    return Position("stations", "europe", {"stack": ["europe"], "players": players})


def board_ticket(id: str) -> tuple[str, str]:
    return ttr.compile_rules("europe").tickets[id].cities


def slow_stations(seconds: float) -> Position:
    rules = ttr.compile_rules("europe")
    board = rules.board
    cities = sorted(board.cities, key=lambda city: -sum(city in route.cities for route in board.routes.values()))[:14]
    all_tickets = sorted(ticket.id for ticket in rules.deck.tickets)
    Given = tuple[tuple[str, ...], frozenset[str], tuple[str, ...]]

    def changed(given: Given, random: Random) -> Given:
        where, own, tickets = given
        what = random.randrange(3)
        if what == 0:
            where = tuple(random.sample(cities, 3))
        elif what == 1:
            kept = set(own) ^ set(random.sample(sorted(board.routes), 2))
            groups: set[str] = set()
            room = CARS
            fit = []
            for id in sorted(kept):
                route = board.routes[id]
                if route.length <= room and route.double_group not in groups:
                    fit.append(id)
                    room -= route.length
                    if route.double_group:
                        groups.add(route.double_group)
            own = frozenset(fit)
        else:
            tickets = tuple(random.sample(all_tickets, 30))
        return where, own, tickets

    start: Given = (tuple(cities[:3]), frozenset(), tuple(all_tickets[:30]))
    return station_position(*annealed(start, changed, lambda given: seconds_of(station_position(*given), 5), seconds))


# -- payments ----------------------------------------------------------------------------------------------------


def hand_position(stack: tuple[str, ...], hand: dict[str, int], ferry: tuple[int, int] | None = None) -> Position:
    players: list[dict[str, Any]] = [{"hand": {card: count for card, count in hand.items() if count}}, {}]
    title = " + ".join(stack) + (f", a gray ferry of {ferry[0]}" if ferry else "")
    return Position("payments", f"{title}, {CARDS} cards", {"stack": list(stack), "players": players}, ferry)


def slow_hand(stack: tuple[str, ...], seconds: float, ferry: tuple[int, int] | None = None) -> Position:
    most = {str(card): 14 if card == "locomotive" else 12 for card in ttr.Card}

    def changed(hand: dict[str, int], random: Random) -> dict[str, int]:
        hand = dict(hand)
        for _ in range(random.randint(1, 3)):
            hand[random.choice([card for card, count in hand.items() if count])] -= 1
            hand[random.choice([card for card in hand if hand[card] < most[card]])] += 1
        return hand

    def count(hand: dict[str, int]) -> float:
        game = hand_position(stack, hand, ferry).game()
        return float(len(game.legal_actions(game.to_act[0])))

    start = {card: 4 for card in most}
    start["locomotive"] += CARDS - sum(start.values())
    return hand_position(stack, annealed(start, changed, count, seconds), ferry)


def slow_dice() -> Position:
    """Few rolls and tokens differ: all are tried."""
    best: tuple[int, Position] | None = None
    for roll in [(1, 1, 1, 1, 1), (2, 2, 0, 0, 1), (3, 0, 0, 0, 2), (0, 3, 0, 0, 2), (2, 1, 0, 0, 2), (1, 1, 0, 0, 3)]:
        faces = [
            name
            for name, n in zip(("single", "double", "station", "station", "locomotive"), roll, strict=True)
            for _ in range(n)
        ]
        for singles in range(4):
            tokens = {"single_token": singles, "double_token": 3 - singles}
            table = {
                "stack": ["europe", "dice"], "parts": {"dice": {"faces": faces[:5], "tokens": {"A": tokens}}},
                "players": [{"name": "A"}, {"name": "B"}],
            }  # fmt: skip
            position = Position("payments", "europe + dice", table)
            game = position.game()
            size = len(game.legal_actions(game.to_act[0]))
            if best is None or size > best[0]:
                best = size, position
    assert best is not None
    return best[1]


def main(seconds: float) -> None:
    found = [
        *(slow_path(stack, seconds) for stack in ("europe", "north-america", "switzerland")),
        slow_stations(seconds),
        *(slow_hand(stack, seconds / 4) for stack in (("europe",), ("nordic-countries",), ("switzerland",))),
        slow_hand(("europe",), seconds / 4, (20, 6)),
        slow_hand(("nordic-countries",), seconds / 4, (12, 4)),
        slow_dice(),
    ]
    for position in found:
        print(f"{seconds_of(position, 5) * 1e3:8.3f} ms  {position.what}: {position.title}")
    kept = [
        {"what": p.what, "title": p.title, "table": p.table, **({"ferry": p.ferry} if p.ferry else {})} for p in found
    ]
    path = Path(str(positions.__file__)).with_name(positions.FILE)
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)
