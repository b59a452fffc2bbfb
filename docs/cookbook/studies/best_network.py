"""The network that scores most with 45 cars, by simulated annealing: `python best_network.py best_network.json 113`.

Each seed gives one network; the last argument is the first seed, and the search ends with the first network of 285 points.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from math import exp
from pathlib import Path
from random import Random

import ttr_rules as ttr

CARS, MOST = 45, 285
STEPS = 60_000
HOT, COLD = 14.0, 0.3  #: Temperatures, in points.


class Search:
    """The links of a board (one route of each double), and what a set of them scores with all tickets on offer."""

    def __init__(self, rules: ttr.Rules) -> None:
        self.network = network = rules.network
        links = {tuple(sorted(ends)): route for route, ends in enumerate(network.ends)}
        self.ends = list(links)
        self.routes = list(links.values())
        self.cars = [network.cars[route] for route in self.routes]
        self.points = [network.points[route] for route in self.routes]
        goals = {id: goal[0] for id, goal in rules.ticket_goals.items()}
        self.goals = {id: ([place[0] for place in places], points) for id, (points, places) in goals.items()}

    def completed(self, links: set[int]) -> list[str]:
        """The tickets that some links complete."""
        joined = list(range(len(self.network.city_ids)))

        def find(city: int) -> int:
            while joined[city] != city:
                joined[city] = joined[joined[city]]
                city = joined[city]
            return city

        for link in links:
            one, two = self.ends[link]
            joined[find(one)] = find(two)
        return [id for id, ((one, two), _) in self.goals.items() if find(one) == find(two)]

    def score(self, links: set[int]) -> int:
        """The points of some links and of the tickets that they complete."""
        return sum(self.points[link] for link in links) + sum(self.goals[id][1] for id in self.completed(links))

    def anneal(self, seed: int) -> tuple[int, set[int]]:
        """The best network of one run, and its points."""
        random = Random(seed)
        now: set[int] = set()
        score, best = 0, (0, now)
        for step in range(STEPS):
            temperature = HOT * (1 - step / STEPS) + COLD
            new = self.changed(now, random)
            points = self.score(new)
            if points >= score or random.random() < exp((points - score) / temperature):
                now, score = new, points
            best = max(best, (points, new), key=lambda each: each[0])
        return best

    def changed(self, links: set[int], random: Random) -> set[int]:
        """The network with a link more, mostly one that touches it, or with one less; never with too many cars."""
        new = set(links)
        if random.random() < 0.75 or not new:
            every = [link for link in range(len(self.ends)) if link not in new]
            if new and random.random() < 0.8:
                cities = {city for link in new for city in self.ends[link]}
                every = [link for link in every if cities.intersection(self.ends[link])]
            new.add(random.choice(every))
        else:
            new.remove(random.choice(list(new)))
        cars = sum(self.cars[link] for link in new)
        while cars > CARS:
            link = random.choice(list(new))
            new.remove(link)
            cars -= self.cars[link]
        return new


def main(target: str, first: str = "0") -> None:
    search = Search(ttr.compile_rules("north-america"))
    for seed in count(int(first)):
        points, links = search.anneal(seed)
        print(f"seed {seed}: {points} points", flush=True)  # noqa: T201 - somebody waits
        if points >= MOST:
            break
    ids = sorted(search.network.route_ids[search.routes[link]] for link in links)
    found = {"points": points, "routes": ids, "tickets": search.completed(links)}
    Path(target).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
