"""Twice: four points for every completed ticket whose cities stay joined when any one route of its owner is taken away."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import State
from ttr_rules.plugins import Rules, Score, ScoringTerm, Variant, hookimpl
from ttr_rules.scores import Detail

POINTS = 4


def reached(links: list[tuple[str, str]], start: str) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        city = waiting.pop()
        for ends in links:
            if city in ends:
                new = {*ends} - found
                found |= new
                waiting += new
    return found


def joined_twice(links: list[tuple[str, str]], first: str, second: str) -> bool:
    """No single link is needed to come from one city to the other: two paths share no route."""
    return second in reached(links, first) and all(
        second in reached(links[:number] + links[number + 1 :], first) for number in range(len(links))
    )


def score(state: State, seat: int) -> Score:
    routes = state.rules.board.routes
    links = [routes[id].cities for id, owner in state.owners.items() if owner == seat]
    tickets = [state.rules.tickets[id] for id in state.tickets[seat]]
    twice = [
        ticket.id
        for ticket in tickets
        if any(
            joined_twice(links, start, end)
            for start in state.rules.board.place(ticket.cities[0])
            for place, _ in ticket.goals
            for end in state.rules.board.place(place)
        )
    ]
    return Score(POINTS * len(twice), len(twice), tuple(Detail(id, POINTS) for id in twice))


class Twice(Variant, name="twice"):
    """Twice: four points for a ticket joined twice."""

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("twice", score, label="Joined twice"),)
