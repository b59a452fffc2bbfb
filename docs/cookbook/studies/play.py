"""The games of the page on studies: `python play.py played.json`. On any machine they are the same."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

from styles import STYLES

import ttr_rules as ttr
from ttr_tools.simulation import GameResult, simulate

STACK, SEED, AGAIN = "north-america", 2017, 3
STYLE_GAMES = {2: 600, 4: 480}
PLANNER_GAMES = {2: 500, 3: 200, 4: 200}


def styles(players: int, games: int, executor: ProcessPoolExecutor | None = None) -> Iterable[GameResult]:
    """The four styles against each other, in every order of seats equally often."""
    return simulate(STACK, STYLES, games=games, seed=SEED, executor=executor, players=players)


def planners(players: int, games: int, executor: ProcessPoolExecutor | None = None) -> Iterable[GameResult]:
    """Planners among themselves."""
    return simulate(STACK, ["planner"] * players, games=games, seed=SEED, executor=executor)


def counts(results: Iterable[GameResult]) -> dict[str, object]:
    """Of every style, ticket and link, how many winners and how many losers there were; and the first scores."""
    ends = {id: "-".join(sorted(route.cities)) for id, route in ttr.compile_rules(STACK).board.routes.items()}
    bots: dict[str, Counter[bool]] = {}
    tickets: dict[str, Counter[tuple[bool, bool]]] = {}
    links: dict[str, Counter[bool]] = {link: Counter() for link in sorted(set(ends.values()))}
    first: list[list[int]] = []
    for result in results:
        won = {seat.seat: seat.rank == 1 for seat in result.seats}
        for seat in result.seats:
            bots.setdefault(seat.bot, Counter())[seat.rank == 1] += 1
        for ticket in result.tickets:
            tickets.setdefault(ticket.ticket, Counter())[won[ticket.seat], ticket.completed] += 1
        for route in result.routes:
            links[ends[route.route]][won[route.owner]] += 1
        if len(first) < AGAIN:
            first.append([seat.score for seat in result.seats])
    return {
        "first": first,
        "styles": _pairs(bots),
        "tickets": {
            id: {"winners": [n[True, True], n[True, False]], "losers": [n[False, True], n[False, False]]}
            for id, n in sorted(tickets.items())
        },
        "links": _pairs(links),
    }


def _pairs(found: Mapping[str, Counter[bool]]) -> dict[str, list[int]]:
    return {name: [count[True], count[False]] for name, count in sorted(found.items())}


def main(target: str) -> None:
    with ProcessPoolExecutor() as executor:
        played = {
            "styles": {str(n): counts(styles(n, games, executor)) for n, games in STYLE_GAMES.items()},
            "planners": {str(n): counts(planners(n, games, executor)) for n, games in PLANNER_GAMES.items()},
        }
    text = re.sub(
        r"\[\s+(\d[\d,\s]*?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", json.dumps(played, indent=1)
    )
    Path(target).write_text(text + "\n", encoding="utf-8")


def first_again(kind: str, players: int) -> list[list[int]]:
    """The scores of the first few games, played again."""
    play = styles if kind == "styles" else planners
    games = STYLE_GAMES if kind == "styles" else PLANNER_GAMES
    return [[seat.score for seat in result.seats] for result in islice(play(players, games[players]), AGAIN)]


if __name__ == "__main__":
    main(*sys.argv[1:])
