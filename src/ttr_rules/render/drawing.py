"""The pictures that can be drawn, each from data alone."""

from __future__ import annotations

from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Board
from ttr_rules.play.game import Game
from ttr_rules.render.board import Owned, draw_map
from ttr_rules.render.picture import Picture, document
from ttr_rules.render.plan import plan_of
from ttr_rules.render.style import Theme


def draw_board(board: Board | Rules, *, theme: Theme = "auto", ids: str = "", about: str | None = None) -> Picture:
    """The board alone, of rules or by itself: its cities and routes. `about` replaces the description of the picture.

    >>> from ttr_maps import load
    >>> draw_board(load("switzerland")).svg.count('<g class="city')
    51
    """
    drawn = board if isinstance(board, Board) else board.board
    return _on_board(drawn, Owned(), f"Board {drawn.name}", about or _about(drawn), theme, ids)


def draw_position(game: Game, *, theme: Theme = "auto", ids: str = "") -> Picture:
    """The board of a game with the cars of all players: what a spectator sees.

    >>> from ttr_rules import ClaimRoute, arrange
    >>> players = [{"name": "Ada", "routes": [["london", "dieppe"]]}, {"name": "Bo"}]
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> 'data-owner="0"' in draw_position(game).svg
    True
    """
    board, view = game.rules.board, game.view(None)
    about = f"{', '.join(f'{name} {points}' for name, points in zip(view.players, view.scores, strict=True))}."
    return _on_board(board, _owned(view), f"{board.name}: {' and '.join(view.players)}", about, theme, ids)


def _owned(view: View) -> Owned:
    seats = {route: (seat, *view.shared.get(route, ())) for route, seat in view.owners.items()}
    return Owned(seats, view.players)


def _about(board: Board) -> str:
    return f"A map of {len(board.cities)} cities and {len(board.routes)} routes."


def _on_board(board: Board, owned: Owned, name: str, about: str, theme: Theme, ids: str) -> Picture:
    body = draw_map(board, owned, ids)
    return document(name, about, body, plan_of(board).frame, theme=theme, ids=ids, board=board.id)
