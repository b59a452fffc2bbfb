"""The lines below a map: what its signs mean, the players, and a seat's own tickets and cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_rules import FinalScores, View
from ttr_rules.model import Board, Ticket
from ttr_rules.train_cards import SeenCards
from ttr_tools.narration.labels import cards_label, ticket_label
from ttr_tools.narration.sheet import victory
from ttr_tools.narration.shown import columns_of, shown_fields
from ttr_tools.narration.words import Names
from ttr_tools.render.elements import element, text
from ttr_tools.render.letters import width_of
from ttr_tools.render.scene import Scene
from ttr_tools.render.style import LETTERS, PLAYER_COLORS, color_letter

#: A piece of a line: its text, and its classes; "owner-0" puts it on the color of a player.
Piece = tuple[str, str]
Line = list[Piece]
SIZE, STEP, PAD = 14.0, 21.0, 10.0


def draw_panel(lines: Sequence[Line], left: float, top: float, width: float) -> tuple[str, float]:
    """Lines of text, wrapped to a width; and how high they are together."""
    found: list[str] = []
    y = top
    for line in lines:
        badges = [piece for piece in line if piece[1].startswith("owner-")]
        start = left + (28.0 if badges else 0.0)
        for number, words in enumerate(_wrapped(line, width - 28)):
            y += STEP
            if badges and not number:
                found.append(_badge(*badges[0], left, y))
            x = start if badges or not number else left + 28.0
            spans = [element("tspan", text(word), class_=kind or None) for word, kind in words]
            found.append(element("text", *spans, class_="line", x=x, y=y))
    height = y - top + PAD if lines else 0.0
    return element("g", "\n", "\n".join(found), "\n", class_="panel") if found else "", height


def _wrapped(line: Line, width: float) -> Iterator[Line]:
    """The words of a line in lines that are not longer than a width."""
    row: Line = []
    x = 0.0
    for word, kind in _words(line):
        long = width_of(f"{word} ", SIZE, bold="strong" in kind)
        if row and x + long > width:
            yield row
            row, x = [], 0.0
        row.append((f"{word} ", kind))
        x += long
    yield row


def _words(line: Line) -> Iterator[Piece]:
    """The pieces of a line that are not broken: parts up to a comma or a semicolon, or single words if they are long."""
    for written, kind in line:
        if kind.startswith("owner-"):
            continue
        word = ""
        for each in written.split(" "):
            if word and (word[-1] in ",;:." or len(word) > 40):
                yield word, kind
                word = each
            else:
                word = f"{word} {each}" if word else each
        if word:
            yield word, kind


def _badge(word: str, kind: str, x: float, y: float) -> str:
    """The number of a player on the player's color."""
    return element(
        "g",
        element("rect", class_="shape", x=0.0, y=-12.0, width=20.0, height=16.0, rx=4),
        element("text", text(word), class_="owner-mark", x=10.0, y=0.0),
        class_=kind,
        transform=f"translate({x:.1f} {y:.1f})",
    )


def badge(seat: int) -> Piece:
    """The number of a player, for a line."""
    return str(seat + 1), f"owner-{seat % PLAYER_COLORS}"


# -- what is said --------------------------------------------------------------------------------------------------


def legend_lines(scene: Scene) -> list[Line]:
    """What the signs on a map mean."""
    say = scene.language.gettext
    routes = scene.board.routes.values()
    colors = dict.fromkeys(route.color for route in routes)
    signs = [
        f"{color_letter(color, scene.language)} {scene.language.name(color)}"
        for color, letter in LETTERS.items()
        if letter and color in colors
    ]
    signs += [say("plain gray: any color")] if any(not LETTERS.get(color) for color in colors) else []
    signs += [say("dashed: tunnel")] if any(route.tunnel for route in routes) else []
    signs += [say("engine: ferry")] if any(route.ferry_locomotives for route in routes) else []
    return [[(", ".join(signs), "faint")], *([(each, "faint")] for each in scene.legends)]


def view_lines(view: View, names: Names, scene: Scene, scores: FinalScores | None) -> list[Line]:
    """The players of a game, what a seat has, and what plugins explain; who won if there are final scores."""
    say = names.language.gettext
    columns = [*columns_of(view, names), *_stocks(view, names)]
    lines = [_player(view, seat, columns, names, scores) for seat in range(len(view.players))]
    if scores is not None:
        lines.insert(0, [(victory(scores.players, names.language), "strong")])
        lines += [[(names.language.text(tie), "faint")] for tie in scores.ties]
    elif not view.to_act:
        over = say("The game is over. The points above are those of play; the score sheet has the final ones.")
        lines.append([(over, "")])
    else:
        acting = say("To act: {players}", players=names.language.joined(map(names.player, view.to_act)))
        last = f"; {say('the last round has begun')}" if view.turns_left else ""
        lines.append([(f"{acting}{last}", "")])
    if view.seat is not None:
        lines.append([(f"{say('Tickets')}: ", "strong"), (_tickets(view, names), "")])
        cards = next((part.hand for part in view.parts.values() if isinstance(part, SeenCards)), None)
        if cards is not None:
            hand = cards_label(cards, names.card_words, names.language) if cards else say("none")
            lines.append([(f"{say('Cards')}: ", "strong"), (hand, "")])
    return [*lines, *([(each, "faint")] for each in scene.legends)]


def _player(
    view: View, seat: int, columns: Sequence[tuple[str, list[str]]], names: Names, scores: FinalScores | None
) -> Line:
    count = names.language.ngettext
    held = view.ticket_counts[seat]
    final = None if scores is None else scores.players[seat]
    facts = [] if final is None else [names.language.gettext("rank {rank}", rank=final.rank)]
    facts.append(count("{count} point", "{count} points", view.scores[seat] if final is None else final.total))
    facts.append(count("{count} car", "{count} cars", view.cars[seat]))
    facts += [] if held is None else [f"{names.language.gettext('Tickets')} {held}"]
    facts += [f"{label} {cells[seat]}" for label, cells in columns if cells[seat]]
    return [badge(seat), (f"{names.player(seat)}: ", "strong"), (", ".join(facts), "")]


def _stocks(view: View, names: Names) -> Iterator[tuple[str, list[str]]]:
    """What parts of the state show of each player that is no number: things by name, or how many if only that is known."""
    for shown in shown_fields(view, names):
        if not shown.seats and len(shown.row) == len(view.players) and not shown.is_column(len(view.players)):
            entries = shown.entries(names)
            if len(entries) == len(view.players):
                cells = [each.removeprefix(f"{name}: ") for name, each in zip(names.players, entries, strict=True)]
                yield f"{shown.label}:", ["" if not held else cell for held, cell in zip(shown.row, cells, strict=True)]


def _tickets(view: View, names: Names) -> str:
    """The tickets of a seat, with a tick at those that its own routes complete."""
    home = _pieces(view, names.board)
    listed: list[str] = []
    for id in view.tickets:
        ticket = names.rules.tickets.get(id)
        if ticket is not None:
            done = " ✓" if _connected(ticket, names.board, home) else ""
            listed.append(f"{ticket_label(ticket, names)}{done}")
    return ", ".join(listed) or names.language.gettext("none")


def _pieces(view: View, board: Board) -> dict[str, str]:
    """The cities that the seat's own routes connect: for each a city that stands for all of them."""
    home = {city: city for city in board.cities}

    def root(city: str) -> str:
        while home[city] != city:
            city = home[city]
        return city

    for id, owner in view.owners.items():
        if view.seat in (owner, *view.shared.get(id, ())):
            first, second = board.routes[id].cities
            home[root(first)] = root(second)
    return {city: root(city) for city in board.cities}


def _connected(ticket: Ticket, board: Board, home: dict[str, str]) -> bool:
    start = {home[city] for city in board.place(ticket.cities[0])}
    return any(home[city] in start for goal, _ in ticket.goals for city in board.place(goal))
