"""The pictures that can be drawn, each from data alone: a board, a position, what a seat sees, a final sheet.

Below a map stand lines of text: its signs, the players, tickets and cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypedDict, Unpack

from attrs import evolve

from ttr_rules import FinalScores, Rules, View
from ttr_rules.errors import InvalidInputError
from ttr_rules.graph import components, longest_path, points_of
from ttr_rules.language import SOURCE, language
from ttr_rules.model import Board, Color
from ttr_rules.play import Game
from ttr_tools.narration.sheet import WIDTH, Role, count_cells, sheet_lines, victory
from ttr_tools.narration.words import Names, find_cards, player_facts
from ttr_tools.render.layout import Box
from ttr_tools.render.scene import Scene, draw_map, make_scene
from ttr_tools.render.svg import (
    LETTERS,
    PLAYER_COLORS,
    Picture,
    Theme,
    color_letter,
    document,
    element,
    group,
    text,
    text_line,
    text_width,
)


class Style(TypedDict, total=False):
    """Options of all pictures: the language, such as "de", the colors, and the prefix of the ids of elements.

    Pictures in one page need different `ids`.

    >>> from ttr_maps import load
    >>> style: Style = {"lang": "de", "theme": "dark"}
    >>> draw_board(load("london"), **style).theme
    'dark'
    """

    lang: str
    theme: Theme
    ids: str


def draw_board(board: Board | Rules, *, about: str | None = None, **style: Unpack[Style]) -> Picture:
    """The board alone: its cities and routes, and what is printed on it if rules are given.

    `about` replaces its description.

    >>> from ttr_maps import load
    >>> draw_board(load("switzerland")).svg.count('<g class="city')
    51
    """
    drawn, rules = (board, None) if isinstance(board, Board) else (board.board, board)
    lang = style.get("lang", SOURCE)
    scene = make_scene(drawn, rules, language=language(lang) if rules is None else rules.language(lang))
    name = scene.language.gettext("Board {name}", name=scene.language.name(drawn.name))
    return _finish(scene, name, about or _about(scene), legend_lines(scene), **style)


def draw_position(game: Game, *, seat: int | None = None, paths: bool = False, **style: Unpack[Style]) -> Picture:
    """The board of a game as `seat` sees it, None for a spectator: the cars of all players, their points, what plugins add.

    After the end, the points are the final ones, with who won. With `paths`, the longest path is lit, or several if they are equally long.

    >>> from ttr_rules import arrange
    >>> players = [{"name": "Ada", "routes": [["london", "dieppe"]]}, {"name": "Bo"}]
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> 'data-owner="0"' in draw_position(game).svg
    True
    """
    return draw_view(game.view(seat), game.rules, scores=game.final_scores, paths=paths, **style)


def draw_view(
    view: View, rules: Rules, *, scores: FinalScores | None = None, paths: bool = False, **style: Unpack[Style]
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
    board, names = rules.board, Names(rules, view.players, style.get("lang", SOURCE))
    own = [rules.tickets[id] for id in view.tickets if id in rules.tickets]
    wanted = {city for ticket in own for place in ticket.places for city in board.place(place)}
    lit = _longest(view, board, scores) if paths else ()
    scene = evolve(make_scene(board, rules, view, language=names.language), lit=lit, wanted=wanted)
    say = names.language.gettext
    name = names.language.name(board.name)
    if view.seat is not None:
        name = say("{board}, as {player} sees it", board=name, player=view.players[view.seat])
    points = view.scores if scores is None else [player.total for player in scores.players]
    listed = ", ".join(f"{player} {score}" for player, score in zip(view.players, points, strict=True))
    about = f"{_about(scene)} {say('Points: {scores}.', scores=listed)}"
    about += "" if scores is None else f" {victory(scores.players, names.language)}"
    lines = [*view_lines(view, names, scores), *([(legend, "faint")] for legend in scene.legends)]
    return _finish(scene, name, about, lines, **style)


def _longest(view: View, board: Board, scores: FinalScores | None) -> set[str]:
    """The routes of the longest path, or of several that are equally long: as scored, otherwise by their spaces."""
    if scores is not None:
        paths = [player.longest_path for player in scores.players]
    else:
        paths = [longest_path(board, view.routes(seat)) for seat in range(len(view.players))]
    best = max((path.length for path in paths), default=0)
    return {id for path in paths if path.length == best for id in path.routes}


def _about(scene: Scene) -> str:
    counts = {"cities": len(scene.board.cities), "routes": len(scene.board.routes)}
    return scene.language.gettext("A map of {cities} cities and {routes} routes.", **counts)


def _finish(scene: Scene, name: str, about: str, lines: Sequence[Line], **style: Unpack[Style]) -> Picture:
    """A map with lines of text below it."""
    frame = scene.plan.frame
    below, height = draw_panel(lines, frame.left + 16, frame.top + frame.height, frame.width - 32)
    body = f"{draw_map(scene, style.get('ids', ''))}\n{below}"
    return document(name, about, body, evolve(frame, height=frame.height + height), scene.board.id, **style)


# -- lines of text ----------------------------------------------------------------------------------------------------


#: A piece of a line: its text, and its classes; "owner-0" puts it on the color of a player.
Piece = tuple[str, str]
Line = list[Piece]
SIZE, STEP, PAD = 14.0, 21.0, 10.0


def draw_panel(lines: Sequence[Line], left: float, top: float, width: float) -> tuple[str, float]:
    """Lines of text, wrapped to a width, and their height together."""
    elements: list[str] = []
    y = top
    for line in lines:
        badges = [piece for piece in line if piece[1].startswith("owner-")]
        for number, words in enumerate(_wrap(line, width - 28)):
            y += STEP
            if badges and not number:
                elements.append(_badge(*badges[0], left, y))
            x = left + (28.0 if badges or number else 0.0)
            for word, kind in words:
                bold = "strong" in kind
                elements.append(text_line(word, SIZE, bold=bold, class_=f"line {kind}".rstrip(), x=x, y=y))
                x += text_width(word, SIZE, bold=bold)
    height = y - top + PAD if lines else 0.0
    return group("panel", elements) if elements else "", height


def _wrap(line: Line, width: float) -> Iterator[Line]:
    """The words of a line in lines that are not longer than a width."""
    row: Line = []
    x = 0.0
    pieces = [piece for piece in line if not piece[1].startswith("owner-")]
    for word, kind in [(word, kind) for written, kind in pieces for word in written.split()]:
        long = text_width(f"{word} ", SIZE, bold="strong" in kind)
        if row and x + long > width and kind != "completed":  # a tick stays with its ticket
            yield row
            row, x = [], 0.0
        if row and row[-1][1] == kind:
            row[-1] = (f"{row[-1][0]}{word} ", kind)
        else:
            row.append((f"{word} ", kind))
        x += long
    yield row


def _badge(word: str, kind: str, x: float, y: float) -> str:
    """The number of a player on the player's color."""
    shape = element("rect", class_="shape", x=0.0, y=-12.0, width=20.0, height=16.0, rx=4)
    number = element("text", text(word), class_="owner-mark", x=10.0, y=0.0)
    return element("g", shape, number, class_=kind, transform=f"translate({x:.1f} {y:.1f})")


def legend_lines(scene: Scene) -> list[Line]:
    """The meanings of the signs on a map."""
    say = scene.language.gettext
    routes = scene.board.routes.values()
    colors = {*[route.color for route in routes], *[note.color for note in scene.route_notes.values()]}
    lettered = [color for color, letter in LETTERS.items() if letter and color in colors]
    signs = [f"{color_letter(color, scene.language)} {scene.language.name(color)}" for color in lettered]
    if Color.GRAY in colors:
        signs.append(say("plain gray: any color"))
    signs += [say("dashed: tunnel")] if any(route.tunnel for route in routes) else []
    signs += [say("engine: ferry")] if any(route.ferry_locomotives for route in routes) else []
    return [[(line, "faint")] for line in (", ".join(signs), *scene.legends) if line]


def view_lines(view: View, names: Names, scores: FinalScores | None = None) -> list[Line]:
    """The players of a game, what a seat has, and who won if there are final scores."""
    say = names.language.gettext
    lines: list[Line] = []
    for seat, facts in enumerate(player_facts(view, names, scores)):
        badge = str(seat + 1), f"owner-{seat % PLAYER_COLORS}"
        lines.append([badge, (f"{names.player(seat)}: ", "strong"), (", ".join(facts), "")])
    if scores is not None:
        lines.insert(0, [(victory(scores.players, names.language), "strong")])
        lines += [[(names.language.text(tie), "faint")] for tie in scores.ties]
    else:
        told = say("The game is over. The points above are those of play; the score sheet has the final ones.")
        if view.to_act:
            told = say("To act: {players}", players=names.language.joined(map(names.player, view.to_act)))
            told += f"; {say('the last round has begun')}" if view.turns_left else ""
        lines.append([(told, "")])
    if view.seat is not None:
        lines.append([(f"{say('Tickets')}: ", "strong"), *_tickets(view, names, view.seat, scores)])
        if (cards := find_cards(view)) is not None and cards.hand is not None:
            hand = names.cards_label(cards.hand) if cards.hand else say("none")
            lines.append([(f"{say('Cards')}: ", "strong"), (hand, "")])
    return lines


def _tickets(view: View, names: Names, seat: int, scores: FinalScores | None) -> Line:
    """The tickets of a seat, with a tick at those that its own routes complete, or at the end also its loans.

    A tick is a piece of its own: programs that take another font for it take that font for all of the piece.
    """
    network, rules = names.rules.network, names.rules
    held = [id for id in view.tickets if id in rules.tickets]
    if scores is None:
        links = [network.ends[network.route_number[id]] for id in view.routes(seat)]
        connected = components(links, len(network.city_ids))
        completed = {id for id in held if points_of([rules.ticket_goals[id]], connected)[1][0]}
    else:
        completed = {ticket.id for ticket in scores.players[seat].tickets if ticket.completed}
    line: Line = []
    for number, id in enumerate(held, start=1):
        comma = "," if number < len(held) else ""
        label = names.ticket_label(rules.tickets[id])
        if id in completed:
            line += [(label, ""), (f"{COMPLETED}{comma}", "completed")]
        else:
            line.append((f"{label}{comma}", ""))
    return line or [(names.language.gettext("none"), "")]


# -- the final sheet --------------------------------------------------------------------------------------------------


#: The width of a letter and the height of a line of a sheet, and the air around it.
CELL, HEIGHT, MARGIN = 8.4, 20.0, 18.0
#: The sign of a completed ticket.
COMPLETED = "✓"
#: The classes of the pieces of a sheet, by their roles.
_SHEET_CLASSES = {"completed": "completed", "failed": "failed", "total": "strong"}


def draw_sheet(scores: FinalScores, **style: Unpack[Style]) -> Picture:
    """The sheet of a finished game, laid out as on a terminal.

    >>> from ttr_rules import score
    >>> draw_sheet(score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Bo"}]})).name
    'Ada and Bo share the victory with 12 points.'
    """
    lang = style.get("lang", SOURCE)
    lines, words = list(sheet_lines(scores, lang)), scores.words.in_language(lang)
    elements = [
        _draw_piece(piece, role, MARGIN + CELL * sum(count_cells(before) for before, _ in line[:place]), y)
        for y, line in zip(count(MARGIN + HEIGHT / 2, HEIGHT), lines, strict=False)
        for place, (piece, role) in enumerate(line)
        if piece.strip()
    ]
    totals = ", ".join(f"{player.name} {player.total}" for player in scores.players)
    about = words.language.gettext("Points: {scores}.", scores=totals)
    whole = Box(0.0, 0.0, 2 * MARGIN + CELL * WIDTH, 2 * MARGIN + HEIGHT * len(lines))
    return document(victory(scores.players, words.language), about, "\n".join(elements), whole, None, **style)


def _draw_piece(piece: str, role: Role, x: float, y: float) -> str:
    """A piece of a sheet. The name of a player is on the player's color."""
    left, width = count_cells(piece) - count_cells(piece.lstrip()), count_cells(piece.strip())
    x, fitted = x + CELL * left, {"textLength": CELL * width, "lengthAdjust": "spacingAndGlyphs"}
    words = text(piece.strip()).replace(" ", "\u00a0")  # as many spaces as there are
    if isinstance(role, str):
        return element("text", words, class_=f"cells {_SHEET_CLASSES.get(role, '')}".rstrip(), x=x, y=y, **fitted)
    shape = element("rect", class_="shape", x=x - 4, y=y - 14, width=CELL * width + 8, height=HEIGHT - 1, rx=4)
    name = element("text", words, class_="cells owner-mark", x=x + CELL * width / 2, y=y, **fitted)
    return element("g", shape, name, class_=f"owner-{role % PLAYER_COLORS}")


# -- in a notebook ---------------------------------------------------------------------------------------------


def svg_of(thing: object) -> str | None:
    """The SVG of an object, None if it is shown as text: a view that has been pickled does not know its board.

    A game is shown as spectators see it.
    """
    if isinstance(thing, Board):
        return draw_board(thing).svg
    if isinstance(thing, Game):
        return draw_position(thing, paths=thing.is_over).svg
    if isinstance(thing, FinalScores):
        return draw_sheet(thing).svg
    if isinstance(thing, View) and hasattr(thing, "drawn_with"):
        rules: object = thing.drawn_with()
        return draw_view(thing, rules).svg if isinstance(rules, Rules) else None
    return None
