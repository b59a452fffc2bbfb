"""Where the names of cities stand: beside their cities, never on a space or another city, and apart from each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import cos, radians, sin

from attrs import frozen

from ttr_rules.model import Board
from ttr_tools.render.ground import Ground
from ttr_tools.render.names import Label, Shape, shapes_of
from ttr_tools.render.places import Places, Point
from ttr_tools.render.ways import CITY, Way

#: The gaps between a city and its name that are tried.
_GAPS = (3.0, 5.0, 8.0, 12.0)
_ANGLES = (0, 180, -90, 90, -45, 45, -135, 135, -20, 20, -160, 160, -70, 70, -110, 110)
#: About how many places further from a city are tried.
_MANY = 240
#: What it costs to cover anything, more than any free place; and each pixel of a free place's distance.
_COVERS, _PER_PIXEL = 160.0, 0.2
_ROUNDS = 12
#: A name that costs more than this asks others to move, for the best of its positions, at most so many.
_DEAR, _TRIED = 24.0, 24


@frozen
class _Choice:
    label: Label
    cost: float


def place_labels(
    board: Board, places: Places, ways: Mapping[str, Way], notes: Mapping[str, str], names: Mapping[str, str]
) -> dict[str, Label]:
    """A label for each city, on nothing else if possible.

    Every name takes the best position beside its city. Those that find none look further away, and the last that are far
    from their cities ask others to move.
    """
    shapes = {
        city.id: list(shapes_of(names.get(city.id, city.name), notes.get(city.id, "")))
        for city in board.cities.values()
    }
    search = _Search(places.cities, shapes, Ground(places, ways.values()))
    search.settle()
    while stuck := [id for id in search.stuck() if id not in search.looked]:
        for id in stuck:
            search.look_further(id)
        search.settle()
    for id in sorted(board.cities, key=lambda city: (-search.chosen[city].cost, city)):
        if search.chosen[id].cost > _DEAR:
            search.make_room(id)
    return {id: search.chosen[id].label for id in board.cities}


class _Search:
    """The positions that each name can have, the cheapest first, and the one that it has."""

    def __init__(
        self, cities: Mapping[str, Point], shapes: Mapping[str, Sequence[tuple[float, Shape]]], ground: Ground
    ) -> None:
        self.cities, self.shapes, self.ground = cities, shapes, ground
        self.choices = {id: sorted(_beside(cities[id], shapes[id], ground), key=_cost) for id in shapes}
        self.chosen: dict[str, _Choice] = {}
        #: The cities whose names may also be further away.
        self.looked: set[str] = set()

    def look_further(self, id: str) -> None:
        """Add the free places of a name that are further from its city."""
        if id not in self.looked:
            self.looked.add(id)
            further = _further(self.cities[id], self.shapes[id], self.ground)
            self.choices[id] = sorted([*self.choices[id], *further], key=_cost)

    def settle(self) -> None:
        """Let every name take its best position in turn, until none moves. Names with few good positions choose first."""
        choices, chosen = self.choices, self.chosen
        order = sorted(choices, key=lambda city: (-choices[city][min(6, len(choices[city]) - 1)].cost, city))
        for _ in range(_ROUNDS):
            before = dict(chosen)
            for id in order:
                chosen.pop(id, None)
                chosen[id] = _best(choices[id], chosen.values())
            if chosen == before:
                break

    def stuck(self) -> Iterator[str]:
        """The names that cover something, or are in the way of another one."""
        return (id for id, choice in self.chosen.items() if self._total(id, choice, self.chosen) >= _COVERS / 2)

    def make_room(self, id: str) -> None:
        """Move a name that is far from its city to a better position, if the names that are there find another one."""
        least = self._total(id, self.chosen[id], self.chosen)
        for choice in self.choices[id][:_TRIED]:
            if choice.cost >= least:
                break
            moved = [city for city, other in self.chosen.items() if city != id and other.label.trouble(choice.label)]
            if len(moved) > 2:
                continue
            before = least + sum(self._total(city, self.chosen[city], self.chosen) for city in moved)
            after, tried = choice.cost, {**self.chosen, id: choice}
            for city in moved:
                self.look_further(city)
                del tried[city]
                tried[city] = _best(self.choices[city], tried.values())
                after += self._total(city, tried[city], tried)
                if after >= before - 1:
                    break
            else:
                self.chosen = tried
                return

    def _total(self, id: str, choice: _Choice, chosen: Mapping[str, _Choice]) -> float:
        """What a position costs among the others."""
        return choice.cost + sum(choice.label.trouble(other.label) for city, other in chosen.items() if city != id)


def _cost(choice: _Choice) -> float:
    return choice.cost


def _best(choices: Sequence[_Choice], others: Collection[_Choice]) -> _Choice:
    """The cheapest position, where another label in the way costs more than anything else."""
    best, least = choices[0], float("inf")
    for choice in choices:  # the cheapest first
        if choice.cost >= least:
            break
        cost = choice.cost
        for other in others:
            cost += choice.label.trouble(other.label)
            if cost >= least:
                break
        if cost < least:
            best, least = choice, cost
    return best


def _beside(city: Point, shapes: Iterable[tuple[float, Shape]], ground: Ground) -> Iterator[_Choice]:
    """Every position of a name beside its city, on one line or two, with its cost apart from other names."""
    for dearer, shape in shapes:
        for number, gap in enumerate(_GAPS):
            for place, angle in enumerate(_ANGLES):
                x, y = _around(city, angle, CITY + gap, shape.width, shape.height)
                cost = dearer + 2.0 * number + 0.15 * place
                covered = ground.covered(shape, x, y)
                yield (
                    _Choice(shape.label(city, x, y), cost + _COVERS + covered)
                    if covered
                    else _free(shape, city, x, y, cost, ground)
                )


def _further(city: Point, shapes: Sequence[tuple[float, Shape]], ground: Ground) -> Iterator[_Choice]:
    """The free places of a name that are further from its city."""
    for dearer, shape in shapes:
        places = list(ground.free_places(shape, city))
        for x, y in places[:: 1 + len(places) * len(shapes) // _MANY]:
            yield _free(shape, city, x, y, dearer + 6.0, ground)


def _free(shape: Shape, city: Point, x: float, y: float, cost: float, ground: Ground) -> _Choice:
    """A position on nothing else: it costs how far it is from its city, and what its leader crosses."""
    label = shape.label(city, x, y)
    far = max(0.0, label.box.far(city) - CITY - 3)
    cost += _PER_PIXEL * far
    if label.leader is not None:
        cost += 4.0 + 0.005 * far * far + ground.crossed(*label.leader)
    if ground.doubtful(label.box, city):
        cost += 14.0 if label.leader is None else 5.0
    return _Choice(label, min(cost, _COVERS - 1))


def _around(city: Point, angle: float, far: float, width: float, height: float) -> Point:
    """The middle of a box in a direction from a city, whose edge is this far from the middle of the city."""
    across, down = cos(radians(angle)), sin(radians(angle))
    # The box touches the circle with the side or the corner that looks toward the city.
    return (
        city[0] + across * far + width / 2 * max(-1.0, min(1.0, across * 1.6)) * (abs(across) > 0.01),
        city[1] + down * far + height / 2 * max(-1.0, min(1.0, down * 1.6)) * (abs(down) > 0.01),
    )
