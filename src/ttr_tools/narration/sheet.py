"""The score sheet as lines: where every point of each player comes from, all players side by side, and who won.

One layout for plain text and for terminals: a line consists of pieces of text, each with a role that a terminal may
color.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import TypeAlias
from unicodedata import combining, east_asian_width

from attrs import evolve, frozen

from ttr_rules import FinalScores, PlayerScore
from ttr_rules.language import ENGLISH, SOURCE, Language, marked
from ttr_rules.play import SheetWords
from ttr_rules.scores import Detail
from ttr_rules.text import printable

#: The width of a sheet, if there is room for it.
WIDTH = 76
#: On a terminal that is narrower than this, lines are cut or wrapped by the terminal.
NARROWEST = 36
#: The role of a piece of text: a seat for the name of a player, "completed" and "failed" for marks of tickets, "total" for
#: a sum, "" for anything else.
Role: TypeAlias = str | int
#: A line: pieces of text with their roles.
SheetLine: TypeAlias = Sequence[tuple[str, Role]]

_LABEL, _MARK, _POINTS = 12, 9, 4
#: The marks of a ticket.
_COMPLETED, _FAILED = marked("completed"), marked("failed")


@frozen
class Row:
    """A row of a player's column: the label, what it is, a mark, and its points.

    The points are None if it only explains another row.
    """

    label: str
    text: str = ""
    mark: str = ""
    points: int | None = None


def sheet_text(scores: FinalScores, lang: str = SOURCE) -> str:
    """The whole score sheet as plain text in a language, such as "de", without trailing blanks.

    >>> from ttr_rules import score
    >>> scores = score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Isambard"}]})
    >>> sheet_text(scores, "de").splitlines()[-1]
    'Ada und Isambard teilen sich den Sieg mit 12 Punkten.'
    """
    return "\n".join("".join(text for text, _ in line).rstrip() for line in sheet_lines(scores, lang))


def sheet_lines(scores: FinalScores, lang: str = SOURCE, width: int = WIDTH) -> Iterator[SheetLine]:
    """The whole score sheet: a breakdown for each player, the comparison, why ranks differ, and who won."""
    players, width = scores.players, min(max(width, NARROWEST), WIDTH)
    names = {player.seat: printable(player.name) for player in players}
    words = evolve(scores.words.in_language(lang), players=names)
    for player in players:
        yield from _breakdown(player, words, width)
        yield []
    yield from _comparison(players, words, width)
    yield []
    for tie in scores.ties:
        yield from ([(line, "")] for line in _wrap(printable(words.language.text(tie)), width))
    yield from ([(line, "total")] for line in _wrap(victory(players, words.language), width))


# -- words -----------------------------------------------------------------------------------------------------


def victory(players: Sequence[PlayerScore], language: Language = ENGLISH) -> str:
    """The winners in a sentence."""
    winners = [player for player in players if player.rank == 1]
    if not winners:
        return language.gettext("Nobody has won yet.")
    who = printable(language.joined(player.name for player in winners))
    points = winners[0].total
    one, many = "{who} share the victory with {points} point.", "{who} share the victory with {points} points."
    if len(winners) == 1:
        one, many = "{who} wins with {points} point.", "{who} wins with {points} points."
    return language.ngettext(one, many, abs(points), who=who, points=points)


# -- one player ------------------------------------------------------------------------------------------------


def rows(player: PlayerScore, words: SheetWords) -> Iterator[Row]:
    """The sources of a player's points, which add up to the total."""
    yield Row(words.language.gettext("Routes"), points=player.route_points)
    yield from _ticket_rows(player, words)
    loans = list(_loan_rows(player, words))
    last = next((name for name in reversed(list(player.terms)) if name in words.loans_of), None)
    for name, term in player.terms.items():
        yield Row(words.label(name), str(term.count or ""), points=term.points)
        yield from _detail_rows(term.details, words)
        if name == last:
            yield from loans
    if last is None:
        yield from loans
    yield from _bonus_rows(player, words)


def _ticket_rows(player: PlayerScore, words: SheetWords) -> Iterator[Row]:
    label = words.language.gettext("Tickets")
    for ticket in sorted(player.tickets, key=lambda ticket: (not ticket.completed, -ticket.points)):
        *places, end = map(words.name, ticket.cities)  # a failed ticket has all its goals: `Bern–Italia/France`
        goals = "" if ticket.completed else "/".join(map(words.name, ticket.goals))
        yield Row(label, "–".join([*places, goals or end]), _COMPLETED if ticket.completed else _FAILED, ticket.signed)
        label = ""
    if not player.tickets:
        yield Row(label, words.language.gettext("none"), points=0)


def _loan_rows(player: PlayerScore, words: SheetWords) -> Iterator[Row]:
    """The loans that a ticket needs, without those that make no difference."""
    for city in dict.fromkeys(player.needed_loans):
        named = {"city": words.name(city), "route": words.name(player.lends[city])}
        template = "{city} lends {route}" if player.needed_loans.count(city) == 1 else "{city} lends {route} and others"
        yield Row("", words.language.gettext(template, **named))


def _bonus_rows(player: PlayerScore, words: SheetWords) -> Iterator[Row]:
    """The longest path if it counts for anything, then the bonuses won."""
    path = player.longest_path
    cars = words.language.ngettext("{count} car", "{count} cars", path.length)
    way = " – ".join(words.name(city) for city in path.cities)
    text = f"{cars}: {way}" if way else cars
    earning = [name for name in words.path_bonuses if path.length or name in player.bonuses]
    if words.shows_path and not earning and path.length:
        yield Row(words.label("longest_path"), text)
    for name in dict.fromkeys((*earning, *player.bonuses)):
        yield Row(words.label(name), text if name in earning[:1] else "", points=player.bonuses.get(name, 0))
        yield from _detail_rows(player.bonus_details.get(name, ()), words)


def _detail_rows(details: Iterable[Detail], words: SheetWords) -> Iterator[Row]:
    """The rows that say what a term or a bonus is for."""
    for detail in details:
        yield Row("", f"{words.name(detail.what)}{f': {detail.points}' if detail.points else ''}")


def _breakdown(player: PlayerScore, words: SheetWords, width: int) -> Iterator[SheetLine]:
    """A player's rows as lines, whose right column adds up to the total."""
    for line in _wrap(printable(player.name), width):
        yield [(line, player.seat)]
    listed = [*rows(player, words)]
    label = min(max([_LABEL, *(count_cells(row.label) for row in listed)]), width // 3)
    points = max([_POINTS, len(str(player.total)), *(len(str(row.points)) for row in listed if row.points is not None)])
    marks = {mark: words.language.gettext(mark) for mark in ("", _COMPLETED, _FAILED)}
    mark = max([_MARK, *map(count_cells, marks.values())]) if any(row.mark for row in listed) else 0
    room = max(width - label - mark - points - 3, 8)
    for row in listed:
        number = "" if row.points is None else str(row.points)
        labels, texts = _wrap(printable(row.label), label), _wrap(printable(row.text), room)
        for index, (left, text) in enumerate(zip_longest(labels, texts, fillvalue="")):
            yield [
                (f"{_pad(left, label)} {_pad(text, room)} ", ""),
                (_pad("" if index else marks[row.mark], mark), row.mark),
                (f" {'' if index else number:>{points}}", ""),
            ]
    total = _pad(words.language.gettext("Total"), label + room + mark + 2)
    yield [(f"{total} {player.total:>{points}}", "total")]


# -- all players -----------------------------------------------------------------------------------------------


def _comparison(players: Sequence[PlayerScore], words: SheetWords, width: int) -> Iterator[SheetLine]:
    """The players side by side: one row for each source of points, the total and the rank."""
    say = words.language.gettext
    lines, own = [*map(points_by_line, players)], {"routes": say("Routes"), "tickets": say("Tickets")}
    every = dict.fromkeys(chain(*lines))
    points = [(own.get(name) or words.label(name), [str(line[name]) for line in lines]) for name in every]
    total = say("Total"), [str(player.total) for player in players]
    tickets = say("Tickets done"), [f"{player.completed_tickets}/{len(player.tickets)}" for player in players]
    rank = say("Rank"), [str(player.rank) for player in players]
    names, table = [printable(player.name) for player in players], [*points, total, tickets, rank]
    label = min(max(count_cells(title) for title, _ in table), width // 3)
    room = (width - label - 1) // max(len(names), 1)
    least = 1 + max(len(cell) for _, cells in table for cell in cells)
    column = min(max([least + 1, *(count_cells(name) + 2 for name in names)]), max(room, least))

    def row(title: str, texts: Sequence[str], role: Role = "", *, heading: bool = False) -> Iterator[SheetLine]:
        """A row in as many lines as its cells have. The heading has the players' roles."""
        cells = [_wrap(text, column - 1) for text in texts]
        for left, *parts in zip_longest(_wrap(printable(title), label), *cells, fillvalue=""):
            line: list[tuple[str, Role]] = [(f" {_pad(left, label)}", role)]
            for seat, part in enumerate(parts):
                line.append((f"{' ' * (column - count_cells(part))}{part}", seat if heading else role))
            yield line

    yield from row(say("Points"), names, heading=True)
    yield [("─" * (label + 1 + column * len(names)), "")]
    for title, texts in points:
        yield from row(title, texts)
    yield from row(*total, "total")
    yield []
    yield from row(*tickets)
    yield from row(*rank)


def points_by_line(player: PlayerScore, bonuses: Iterable[str] = ()) -> Counter[str]:
    """The points of a player's sheet by line: routes, tickets, terms and bonuses. Lines of the same name are added up.

    `bonuses` are listed even if the player has none of them.
    """
    points = Counter(routes=player.route_points, tickets=player.ticket_points)
    for name, term in player.terms.items():
        points[name] += term.points
    for name in dict.fromkeys((*bonuses, *player.bonuses)):
        points[name] += player.bonuses.get(name, 0)
    return points


# -- layout ----------------------------------------------------------------------------------------------------


def count_cells(text: str) -> int:
    """The number of columns that a text takes on a terminal."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - count_cells(text))


def _wrap(text: str, width: int) -> list[str]:
    """Wrap text between words. A word that is too long is cut, after a dash or a slash if there is one in range."""
    lines = [""]
    for word in text.split(" "):
        joint = " " if lines[-1] else ""
        if count_cells(lines[-1]) + len(joint) + count_cells(word) <= width:
            lines[-1] += joint + word
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if count_cells(lines[-1]) + count_cells(letter) > width:
                cut = max(lines[-1].rfind(dash) for dash in "–/-") + 1
                head, tail = (lines[-1][:cut], lines[-1][cut:]) if cut else (lines[-1], "")
                lines[-1:] = [head, tail]
            lines[-1] += letter
    return lines
