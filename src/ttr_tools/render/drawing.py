"""The pictures that can be drawn, each from data alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve

from ttr_rules import FinalScores, Rules, State, View
from ttr_rules.engine import final_scores, view_of
from ttr_rules.errors import InvalidInputError
from ttr_rules.graph import longest_path
from ttr_rules.language import SOURCE, language
from ttr_rules.model import Board
from ttr_rules.play import Game
from ttr_tools.narration.sheet import victory
from ttr_tools.narration.words import Names
from ttr_tools.render.board import draw_map
from ttr_tools.render.labels import SIZE
from ttr_tools.render.layout import Box
from ttr_tools.render.panel import draw_panel, legend_lines, view_lines
from ttr_tools.render.scene import Scene, make_scene
from ttr_tools.render.svg import Picture, Theme, document, element, text_line

#: The height of the bar that explains the colors of shares, and the number of colors in it.
SHARES_BAR, SHARES_STEPS = 64.0, 50


def draw_board(
    board: Board | Rules, *, lang: str = SOURCE, theme: Theme = "auto", ids: str = "", about: str | None = None
) -> Picture:
    """The board alone: its cities and routes, and what is printed on it if rules are given.

    `lang` is the language of the picture, such as "de"; `about` replaces its description.

    >>> from ttr_maps import load
    >>> draw_board(load("switzerland")).svg.count('<g class="city')
    51
    """
    drawn, rules = (board, None) if isinstance(board, Board) else (board.board, board)
    scene = make_scene(drawn, rules, language=language(lang) if rules is None else rules.language(lang))
    name = scene.language.gettext("Board {name}", name=scene.language.name(drawn.name))
    return _finish(scene, name, about or _about(scene), legend_lines(scene), theme, ids)


def draw_shares(
    board: Board, shares: Mapping[str, tuple[float, str]], color: Callable[[float], str], caption: str
) -> Picture:
    """The board with a color for each route that stands for a share, from 0 to 1, with a bar that explains the colors.

    `shares` has the share of each route and what it says in words, `color` the color of a share, `caption` the words
    above the bar.
    """
    shades = {route: (color(share), words) for route, (share, words) in shares.items()}
    scene = evolve(make_scene(board), shades=shades)
    picture = _finish(scene, f"Board {board.name}: routes", f"{caption}.", legend_lines(scene), "light", "", SHARES_BAR)
    frame = scene.plan.frame
    left, wide, y = frame.left + frame.width / 4, frame.width / 2, frame.top + picture.height - SHARES_BAR
    steps = [(step / SHARES_STEPS, step / (SHARES_STEPS - 1)) for step in range(SHARES_STEPS)]
    parts = [text_line(caption, SIZE, bold=True, class_="label", x=left + wide / 2, y=y + 14)]
    parts += [
        element("rect", x=left + wide * at, y=y + 22, width=wide / SHARES_STEPS + 0.5, height=14.0, fill=color(share))
        for at, share in steps
    ]
    parts += [
        text_line(f"{share:.0%}", SIZE, bold=True, class_="label", x=left + wide * share, y=y + 52)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    bar = element("g", *parts, class_="legend")
    return evolve(picture, svg=f"{picture.svg.removesuffix('</svg>')}{bar}</svg>")


def draw_position(
    game: Game | State,
    *,
    seat: int | None = None,
    paths: bool = False,
    lang: str = SOURCE,
    theme: Theme = "auto",
    ids: str = "",
) -> Picture:
    """The board of a game as `seat` sees it, None for a spectator: the cars of all players, their points, what plugins add.

    After the end, the points are the final ones, with who won. With `paths`, the longest path is lit, or several if they are equally long.

    >>> from ttr_rules import arrange
    >>> players = [{"name": "Ada", "routes": [["london", "dieppe"]]}, {"name": "Bo"}]
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> 'data-owner="0"' in draw_position(game).svg
    True
    """
    if isinstance(game, State):
        view = view_of(game, [f"Player {number + 1}" for number in range(game.players)], seat)
        scores = None if game.pending else final_scores(game, view.players)
    else:
        scores, view = game.final_scores, game.view(seat)
    if not isinstance(game.rules, Rules):
        raise InvalidInputError(f"the state of {game.rules} cannot be drawn: its rules were not compiled")
    return draw_view(view, game.rules, scores=scores, paths=paths, lang=lang, theme=theme, ids=ids)


def draw_view(
    view: View,
    rules: Rules,
    *,
    scores: FinalScores | None = None,
    paths: bool = False,
    lang: str = SOURCE,
    theme: Theme = "auto",
    ids: str = "",
) -> Picture:
    """A view on its board: everything public, and of what is secret the seat's own tickets and cards.

    `scores` are those at the end of the game: `game.final_scores`, or those of the message `Over`. Raises `InvalidInputError`
    if they are those of other players.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=2, seed=1)
    >>> draw_view(game.view(0), game.rules).name
    'Europe, as Player 1 sees it'
    """
    if scores is not None and [player.name for player in scores.players] != list(view.players):
        others = ", ".join(player.name for player in scores.players)
        raise InvalidInputError(f"these scores are those of {others}, and {', '.join(view.players)} play")
    board, names = rules.board, Names(rules, view.players, rules.language(lang))
    own = [rules.tickets[id] for id in view.tickets if id in rules.tickets]
    wanted = {city for ticket in own for place in ticket.places for city in board.place(place)}
    scene = make_scene(
        board, rules, view, lit=_longest(view, board) if paths else (), wanted=wanted, language=names.language
    )
    say = names.language.gettext
    name = names.language.name(board.name)
    if view.seat is not None:
        name = say("{board}, as {player} sees it", board=name, player=view.players[view.seat])
    points = view.scores if scores is None else [player.total for player in scores.players]
    listed = ", ".join(f"{player} {score}" for player, score in zip(view.players, points, strict=True))
    about = f"{_about(scene)} {say('Points: {scores}.', scores=listed)}"
    about += "" if scores is None else f" {victory(scores.players, names.language)}"
    return _finish(scene, name, about, view_lines(view, names, scene, scores), theme, ids)


def _longest(view: View, board: Board) -> set[str]:
    """The routes of the longest path, or of several that are equally long."""
    held: list[list[str]] = [[] for _ in view.players]
    for id, owner in view.owners.items():
        for seat in (owner, *view.shared.get(id, ())):
            held[seat].append(id)
    paths = [longest_path(board, routes) for routes in held]
    best = max((path.length for path in paths), default=0)
    return {id for path in paths if path.length == best for id in path.routes}


def _about(scene: Scene) -> str:
    counts = {"cities": len(scene.board.cities), "routes": len(scene.board.routes)}
    return scene.language.gettext("A map of {cities} cities and {routes} routes.", **counts)


def _finish(
    scene: Scene, name: str, about: str, lines: list[list[tuple[str, str]]], theme: Theme, ids: str, room: float = 0.0
) -> Picture:
    """A map with lines of text below it, and room for more."""
    frame = scene.plan.frame
    below, height = draw_panel(lines, frame.left + 16, frame.top + frame.height, frame.width - 32)
    whole = Box(frame.left, frame.top, frame.width, frame.height + height + room)
    body = f"{draw_map(scene, ids)}\n{below}"
    return document(name, about, body, whole, theme=theme, ids=ids, board=scene.board.id)
