"""The marks that a plugin adds to pictures of the board: notes at cities and routes, and the pieces of players.

Marks are data, not drawings: whoever draws a board decides what they look like. They are made from the rules and a view,
never from a state, so that a picture shows a seat nothing that it may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Literal, cast

from attrs import field, frozen

from ttr_rules.errors import PluginError, blamed
from ttr_rules.kernel.view import View
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


@frozen
class MapMark:
    """The base of what `MapMarks` gives. `title` says in words what a mark means, for those who hover over it or do not see it.

    A title that has values in it is a `Message`, so that it can be translated.

    >>> issubclass(CityNote, MapMark), issubclass(MapMarks, MapMark)
    (True, False)
    """


@frozen
class CityNote(MapMark):
    """A few characters below the name of a city, such as the values of what lies there.

    >>> CityNote("berlin", "7 6 5", "Tokens, top first: 7, 6, 5").text
    '7 6 5'
    """

    city: str
    text: str
    title: str = ""


@frozen
class CityPiece(MapMark):
    """A piece of a player at a city. Several at the same city stand side by side.

    >>> CityPiece("berlin", 0, "person", "Passenger of Ada").seat
    0
    """

    city: str
    seat: int
    shape: Literal["house", "person", "disc"] = "disc"
    title: str = ""


@frozen
class RouteNote(MapMark):
    """A few characters on a route that tell it apart until it is claimed, such as initials or signs.

    Several words stand on several spaces, and so do the notes of several plugins on one route.
    A route with a note does not show its `marks`, which otherwise appear as initials.

    >>> RouteNote("berlin-wien-green", "NR", "Northern Railway").text
    'NR'
    """

    route: str
    text: str
    title: str = ""


@frozen
class MapMarks:
    """The marks that a plugin adds to pictures of the board, checked: `method` is its answer to the hook `map_marks`.

    `legend` is a sentence below the picture that explains the marks; without marks it is not shown.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("europe")
    >>> depots = MapMarks("depots", lambda rules, view: [CityPiece("wien", 0, "house", "Depot of Ada")])
    >>> list(depots.marks(rules, None))
    [CityPiece(city='wien', seat=0, shape='house', title='Depot of Ada')]
    """

    name: str
    method: Callable[[Rules, View | None], Iterable[object]] = field(repr=False)
    legend: str = field(default="", repr=brief)

    def marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        """The marks; before a game, without a view, what is printed on the board.

        Raises `PluginError` if the plugin's method fails or gives what cannot be drawn.
        """
        source = f"the map marks of plugin {self.name!r}"
        for mark in blamed(source, lambda: list(self.method(rules, view)), passing=()):
            problem = _problem(mark, rules, view)
            if problem:
                raise PluginError(f"{source} gave {brief(mark)}: {problem}")
            yield cast("MapMark", mark)


def _problem(mark: object, rules: Rules, view: View | None) -> str:
    """Why a mark cannot be drawn; "" if it can."""
    if isinstance(mark, CityNote | CityPiece) and mark.city not in rules.board.cities:
        return f"{mark.city!r} is no city of {rules.board.name}"
    if isinstance(mark, RouteNote) and mark.route not in rules.board.routes:
        return f"{mark.route!r} is no route of {rules.board.name}"
    seats = len(view.players) if view is not None else rules.components.max_players
    if isinstance(mark, CityPiece) and not 0 <= mark.seat < seats:
        return f"there is no seat {mark.seat}"
    if isinstance(mark, CityPiece) and mark.shape not in ("house", "person", "disc"):
        return "a shape is 'house', 'person' or 'disc'"
    return (
        "" if isinstance(mark, CityNote | CityPiece | RouteNote) else "expected a CityNote, a CityPiece or a RouteNote"
    )
