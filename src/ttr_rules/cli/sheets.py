"""The score sheet for a terminal: where every point of each player comes from, then all players side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from rich import box
from rich.console import Console, ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from ttr_rules.cli.words import Names, joined, titled
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores, PlayerScore
from ttr_rules.model.board import Board

#: The colours of the players on a terminal, seat by seat.
PLAYER_STYLES = ("bold cyan", "bold magenta", "bold yellow", "bold green", "bold blue")

#: The width of a sheet, if the terminal has it.
WIDTH = 76


def style_of(seat: int) -> str:
    """The style in which the player of a seat is shown."""
    return PLAYER_STYLES[seat % len(PLAYER_STYLES)]


def print_sheet(console: Console, scores: FinalScores, rules: Rules) -> None:
    """Print the whole score sheet; in a file or pipe without the blanks that fill a terminal's lines."""
    width = min(WIDTH, console.width)
    if console.is_terminal:
        console.print(sheet(scores, rules), width=width)
        return
    with console.capture() as captured:
        console.print(sheet(scores, rules), width=width)
    for line in captured.get().splitlines():
        console.print(Text(line.rstrip()), soft_wrap=True)


def sheet(scores: FinalScores, rules: Rules) -> ConsoleRenderable:
    """The whole score sheet: a breakdown for each player, the comparison, and who won."""
    names = Names(rules, [player.name for player in scores.players])
    parts: list[ConsoleRenderable] = []
    for player in scores.players:
        parts += [Text(), breakdown(player, names)] if parts else [breakdown(player, names)]
    parts.append(comparison(scores, names))
    parts += [Text(line) for line in ties(scores, rules, names)]
    parts.append(Text(victory(scores, names), style="bold"))
    return Group(*parts)


# -- one player ------------------------------------------------------------------------------------------------


def breakdown(player: PlayerScore, names: Names) -> Table:
    """Where each point of a player comes from; the right column adds up to the total."""
    name = Text(names.player(player.seat), style=style_of(player.seat))
    table = Table(title=name, title_justify="left", box=None, show_header=False, padding=(0, 1, 0, 0), expand=True)
    table.add_column(min_width=12, no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(width=9, no_wrap=True)
    table.add_column(justify="right", min_width=4, no_wrap=True)
    for label, text, mark, points in _rows(player, names):
        table.add_row(label, Text(text), _marked(mark), "" if points is None else str(points))
    table.add_row("Total", "", "", str(player.total), style="bold")
    return table


#: A row of a breakdown: the label, what it is, a mark, and its points, None if it only explains another row.
_Row = tuple[str, str, str, int | None]


def _rows(player: PlayerScore, names: Names) -> Iterator[_Row]:
    yield "Routes", "", "", player.route_points
    label = "Tickets"
    for ticket in sorted(player.tickets, key=lambda each: (not each.completed, -each.points)):
        mark = "completed" if ticket.completed else "failed"
        yield label, names.between(ticket.cities), mark, ticket.signed
        label = ""
    if not player.tickets:
        yield label, "none", "", 0
    for name, term in player.terms.items():
        yield (
            titled(name),
            f"{term.count} left" if name == "stations" else str(term.count or ""),
            "",
            term.points,
        )
    for city, route in player.lends.items():
        yield "", f"{names.place(city)} lends {names.route(route)}", "", None
    bonuses = dict(player.bonuses)
    path = player.longest_path
    if path.length:
        cars = f"{path.length} car{'' if path.length == 1 else 's'}"
        way = " – ".join(map(names.place, way_of(names.board, path.routes)))
        yield "Longest path", f"{cars}: {way}", "", bonuses.pop("longest_path", None)
    for name, points in bonuses.items():
        yield titled(name), "", "", points


def _marked(mark: str) -> Text:
    return Text(mark, style={"completed": "green", "failed": "red"}.get(mark, ""))


def way_of(board: Board, routes: Sequence[str]) -> list[str]:
    """The cities that a path passes, given its routes in the order of travel."""
    for start in board.routes[routes[0]].cities if routes else ():
        way = [start]
        for id in routes:
            if way[-1] not in board.routes[id].cities:
                break
            way.append(board.routes[id].other_end(way[-1]))
        else:
            return way
    return []


# -- all players -----------------------------------------------------------------------------------------------


def comparison(scores: FinalScores, names: Names) -> Table:
    """The players side by side: one row for each source of points, the total and the rank."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("Points", no_wrap=True)
    for player in scores.players:
        header = Text(names.player(player.seat), style=style_of(player.seat))
        table.add_column(header, justify="right", overflow="fold", min_width=4)
    players = scores.players
    table.add_row("Routes", *(str(player.route_points) for player in players))
    table.add_row("Tickets", *(str(player.ticket_points) for player in players))
    for name in _all_names(player.terms for player in players):
        table.add_row(
            titled(name),
            *(str(player.terms[name].points if name in player.terms else 0) for player in players),
        )
    for name in _all_names(player.bonuses for player in players):
        table.add_row(titled(name), *(str(player.bonuses.get(name, 0)) for player in players))
    table.add_row("Total", *(str(player.total) for player in players), style="bold")
    table.add_section()
    completed = (f"{player.completed_tickets} of {len(player.tickets)}" for player in players)
    table.add_row("Tickets done", *completed)
    table.add_row("Rank", *(str(player.rank) for player in players))
    return table


def _all_names(found: Iterable[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(name for names in found for name in names))


def ties(scores: FinalScores, rules: Rules, names: Names) -> list[str]:
    """Why players with equal points do not share a rank."""
    ranked = sorted(scores.players, key=lambda player: player.rank)
    lines: list[str] = []
    for ahead, behind in pairwise(ranked):
        if ahead.total != behind.total or ahead.rank == behind.rank:
            continue
        reason = next((tie.name for tie in rules.tie_break if tie.key(ahead) != tie.key(behind)), "")
        lines.append(f"{names.player(ahead.seat)} is ahead of {names.player(behind.seat)} at equal points: {reason}.")
    return lines


def victory(scores: FinalScores, names: Names) -> str:
    """Who won, in a sentence."""
    winners = [player for player in scores.players if player.rank == 1]
    who = joined(names.player(player.seat) for player in winners)
    points = f"{winners[0].total} point{'' if abs(winners[0].total) == 1 else 's'}"
    return f"{who} wins with {points}." if len(winners) == 1 else f"{who} share the victory with {points}."
