"""What is on a picture of the board: the board, the owners of routes, what plugins add, what is lit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from attrs import frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.wording import spaced
from ttr_rules.kernel.map_marks import CityNote, CityPiece, MapMark, RouteNote
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board, Route
from ttr_rules.render.plan import Plan, plan_of


@frozen
class Scene:
    """Everything that is drawn on a board."""

    board: Board
    plan: Plan
    players: tuple[str, ...] = ()
    #: The seats that hold each route.
    seats: Mapping[str, tuple[int, ...]] = FrozenMap[str, tuple[int, ...]]()
    city_notes: Mapping[str, CityNote] = FrozenMap[str, CityNote]()
    route_notes: Mapping[str, RouteNote] = FrozenMap[str, RouteNote]()
    pieces: Mapping[str, tuple[CityPiece, ...]] = FrozenMap[str, tuple[CityPiece, ...]]()
    #: Sentences that explain what plugins added.
    legends: tuple[str, ...] = ()
    #: The routes that are lit, and the cities that are marked as wanted.
    lit: Collection[str] = ()
    wanted: Collection[str] = ()

    def name(self, seat: int) -> str:
        """The name of a player."""
        return self.players[seat] if seat < len(self.players) else f"seat {seat}"


def scene_of(
    board: Board,
    rules: Rules | None = None,
    view: View | None = None,
    *,
    lit: Collection[str] = (),
    wanted: Collection[str] = (),
) -> Scene:
    """A board by itself, with what its rules add, or as a view shows it."""
    printed: list[MapMark] = []
    marks: list[MapMark] = []
    legends: list[str] = []
    for given in () if rules is None else rules.map_marks:
        bare = list(given.marks(rules, None)) if rules is not None else []
        found = bare if view is None or rules is None else list(given.marks(rules, view))
        printed += bare
        marks += found
        if given.legend and (found or bare):
            legends.append(given.legend)
    notes = {each.city: each.text for each in _city_notes(printed).values()}
    routes = {each.route: each for each in marks if isinstance(each, RouteNote)}
    generic = {route.id: _initials(route) for route in board.routes.values() if route.marks and route.id not in routes}
    legends += _explained(board, generic)
    pieces: dict[str, tuple[CityPiece, ...]] = {}
    for each in marks:
        if isinstance(each, CityPiece):
            pieces[each.city] = (*pieces.get(each.city, ()), each)
    return Scene(
        board,
        plan_of(board, notes),
        view.players if view is not None else (),
        {} if view is None else {id: (seat, *view.shared.get(id, ())) for id, seat in view.owners.items()},
        _city_notes(marks),
        {**generic, **routes},
        pieces,
        tuple(legends),
        lit,
        wanted,
    )


def _city_notes(marks: Iterable[MapMark]) -> dict[str, CityNote]:
    """The notes of each city, those of several plugins as one."""
    found: dict[str, CityNote] = {}
    for each in marks:
        if isinstance(each, CityNote) and each.text:
            first = found.get(each.city)
            found[each.city] = (
                each
                if first is None
                else CityNote(each.city, f"{first.text} {each.text}", f"{first.title}; {each.title}".strip("; "))
            )
    return found


def _initials(route: Route) -> RouteNote:
    """The marks of a route as initials, for a board without rules that say what they mean: "FFO" for four_for_one."""
    counts = Counter(route.marks)
    short = [f"{_short(mark)}{count if count > 1 else ''}" for mark, count in counts.items()]
    return RouteNote(route.id, " ".join(short), f"Marks: {', '.join(map(spaced, route.marks))}")


def _short(mark: str) -> str:
    return "".join(word[0] for word in spaced(mark).split()).upper()


def _explained(board: Board, notes: Mapping[str, RouteNote]) -> list[str]:
    """What the initials stand for."""
    marks = dict.fromkeys(mark for id in notes for mark in board.routes[id].marks)
    words = [f"{_short(mark)} {spaced(mark)}" for mark in marks]
    return [f"Marks of routes: {', '.join(words)}."] if words else []
