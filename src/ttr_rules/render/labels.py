"""Where the names of cities stand: beside their cities, on nothing else if possible, and never on each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, radians, sin

from attrs import frozen

from ttr_rules.model.board import Board
from ttr_rules.render.letters import two_lines, width_of
from ttr_rules.render.places import Places, Point
from ttr_rules.render.ways import CITY, WIDE, Way

#: The size of the font of names and of notes below them, the height of a line, and the air around a label.
SIZE, NOTE, LINE, AIR = 13.5, 11.0, 14.5, 1.0
#: What separates a name from a note beside it.
SPACE = 5.0
#: The gaps between a city and its name that are tried.
_GAPS = (3.0, 8.0, 15.0, 24.0, 36.0, 50.0)
_ANGLES = (0, 180, -90, 90, -45, 45, -135, 135, -20, 20, -160, 160, -70, 70, -110, 110)
_ROUNDS = 12


@frozen
class Box:
    """A rectangle by its top left corner."""

    left: float
    top: float
    width: float
    height: float

    def over(self, other: Box) -> float:
        """The area that it shares with another."""
        wide = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        high = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


@frozen
class Label:
    """The name of a city: its lines, whether a note stands beside the last of them or below, and the box that they fill."""

    lines: tuple[str, ...]
    beside: bool
    box: Box
    #: How far the box is from the middle of the city.
    gap: float


@frozen
class _Choice:
    label: Label
    cost: float


def place_labels(
    board: Board, places: Places, ways: Mapping[str, Way], notes: Mapping[str, str], names: Mapping[str, str]
) -> dict[str, Label]:
    """A label for each city: of all positions around the cities those with the least overlap, improved round by round."""
    ground = _Ground(places.cities.values(), ways.values())
    choices = {
        city.id: sorted(
            _choices(places.cities[city.id], names.get(city.id, city.name), notes.get(city.id, ""), ground), key=_cost
        )
        for city in board.cities.values()
    }
    # Names with few good positions choose first.
    order = sorted(choices, key=lambda city: (-choices[city][min(6, len(choices[city]) - 1)].cost, city))
    chosen: dict[str, _Choice] = {}
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for id in order:
            chosen.pop(id, None)
            chosen[id] = _best(choices[id], [each.label.box for each in chosen.values()])
        if chosen == before:
            break
    return {id: chosen[id].label for id in board.cities}


def _cost(choice: _Choice) -> float:
    return choice.cost


def _best(choices: Sequence[_Choice], others: Sequence[Box]) -> _Choice:
    """The cheapest position, where every bit of another label costs more than anything else."""
    best, least = choices[0], float("inf")
    for choice in choices:  # the cheapest first
        if choice.cost >= least:
            break
        box = choice.label.box
        cost = choice.cost + sum(100 + 10 * over for other in others if (over := box.over(other)))
        if cost < least:
            best, least = choice, cost
    return best


def _choices(city: Point, name: str, note: str, ground: _Ground) -> Iterator[_Choice]:
    """Every position of a name, on one line or two, with its cost apart from other names."""
    broken = two_lines(name)
    for lines, dearer in (((name,), 0.0), *([(broken, 1.5)] if broken else [])):
        for beside in (True, False) if note else (False,):
            width, height = _size(lines, note, beside=beside)
            for number, gap in enumerate(_GAPS):
                for place, angle in enumerate(_ANGLES):
                    box = _around(city, angle, CITY + gap, width, height)
                    cost = dearer + 4.0 * number + 0.15 * place + ground.cost(box, city)
                    cost += 14.0 if ground.doubtful(box, city) else 0.0
                    yield _Choice(Label(tuple(lines), beside, box, gap), cost)


def _size(lines: Sequence[str], note: str, *, beside: bool) -> tuple[float, float]:
    """The width and height of a name with its note."""
    widths = [width_of(each, SIZE, bold=True) for each in lines]
    if beside:
        widths[-1] += SPACE + width_of(note, NOTE)
    height = LINE * len(lines) + (NOTE + 2 if note and not beside else 0)
    return max(*widths, 0.0 if beside else width_of(note, NOTE)) + 6 * AIR, height + 2 * AIR


def _around(city: Point, angle: float, far: float, width: float, height: float) -> Box:
    """A box in a direction from a city, whose edge is this far from the middle of the city."""
    across, down = cos(radians(angle)), sin(radians(angle))
    # The box touches the circle with the side or the corner that looks towards the city.
    x = city[0] + across * far + width / 2 * max(-1.0, min(1.0, across * 1.6)) * (abs(across) > 0.01)
    y = city[1] + down * far + height / 2 * max(-1.0, min(1.0, down * 1.6)) * (abs(down) > 0.01)
    return Box(x - width / 2, y - height / 2, width, height)


def _far(box: Box, city: Point) -> float:
    """How far a city is from a box."""
    x = max(box.left - city[0], 0.0, city[0] - box.left - box.width)
    y = max(box.top - city[1], 0.0, city[1] - box.top - box.height)
    return hypot(x, y)


class _Ground:
    """What is on the picture already, as small squares in cells: cities and spaces."""

    _CELL = 40.0

    def __init__(self, cities: Iterable[Point], ways: Iterable[Way]) -> None:
        self.cells: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}
        self.cities = tuple(cities)
        for x, y in self.cities:
            self._put(x, y, CITY + 1.5, 0.5)
        for each in ways:
            for space in each.spaces:
                pieces = max(1, round(space.length / WIDE))
                along, down = cos(radians(space.angle)), sin(radians(space.angle))
                for piece in range(pieces):
                    shift = (piece + 0.5 - pieces / 2) * space.length / pieces
                    self._put(space.x + along * shift, space.y + down * shift, WIDE / 2 + 0.5, 0.10)

    def _put(self, x: float, y: float, half: float, weight: float) -> None:
        self.cells.setdefault((int(x // self._CELL), int(y // self._CELL)), []).append((x, y, half, weight))

    def doubtful(self, box: Box, own: Point) -> bool:
        """Whether a name there could be taken for that of another city."""
        far = _far(box, own) + 5
        return any(_far(box, city) < far for city in self.cities if city != own)

    def cost(self, box: Box, own: Point) -> float:
        """What it costs to cover what is below a box; its own city is in nobody's way."""
        found = 0.0
        reach = CITY + 2
        for column in range(
            int((box.left - reach) // self._CELL), int((box.left + box.width + reach) // self._CELL) + 1
        ):
            for row in range(
                int((box.top - reach) // self._CELL), int((box.top + box.height + reach) // self._CELL) + 1
            ):
                for x, y, half, weight in self.cells.get((column, row), ()):
                    wide = min(box.left + box.width, x + half) - max(box.left, x - half)
                    high = min(box.top + box.height, y + half) - max(box.top, y - half)
                    if wide > 0 and high > 0:
                        near = hypot(x - own[0], y - own[1]) < 1
                        found += wide * high * (weight if not near else 0.5)
        return found
