"""The shapes of pieces: locomotives on ferries, and what players have at cities."""

from __future__ import annotations

from ttr_rules.marks import CityPiece
from ttr_tools.render.elements import element, title
from ttr_tools.render.style import PLAYER_COLORS

#: A locomotive from the side, about 18 long and 9 high around the origin: what stands on a space of a ferry.
ENGINE = (
    "M -9 2 V -1 H -7 V -4.5 H -5 V -1.5 H 1 V -5 H 8 V -3.6 H 7.2 V 2 Z "
    "M -6.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M -1.5 2.4 a1.9 1.9 0 1 0 .1 0 Z M 4.5 2.4 a1.9 1.9 0 1 0 .1 0 Z"
)
#: The shapes of pieces around the origin.
SHAPES = {
    "disc": "M -8 0 a8 8 0 1 0 16 0 a8 8 0 1 0 -16 0 Z",
    "house": "M -8.5 9 V -3 L 0 -11 L 8.5 -3 V 9 Z",
    "person": "M -3.6 -8 a3.6 3.6 0 1 1 7.2 0 C 7.5 -4 8.5 4 8.5 9 H -8.5 C -8.5 4 -7.5 -4 -3.6 -8 Z",
}


def piece(given: CityPiece, x: float, y: float) -> str:
    """A piece in its player's color, with the player's number."""
    return element(
        "g",
        title(given.title or f"Piece of seat {given.seat}"),
        element("path", class_="shape", d=SHAPES[given.shape]),
        element("text", str(given.seat + 1), class_="owner-mark", y=4.5),
        class_=f"piece {given.shape} owner-{given.seat % PLAYER_COLORS}",
        data_owner=given.seat,
        transform=f"translate({x:.1f} {y:.1f})",
    )
