"""The tickets of a table or position, as people write them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from attrs import field, frozen

from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.events.arranged import TicketsArranged
from ttr_rules.kernel.table import Position, Report, place_named
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Board, Ticket
from ttr_rules.reading import MOST_ROWS, is_list, is_table
from ttr_rules.text import brief

#: Stands for all places that a ticket to several places names.
ANY = "countries"


def put_tickets(tx: Transaction, position: Position, report: Report, *, of_the_deck: bool) -> None:
    """Give the players their tickets; unless they must be in the deck, new ones are added to `position.new_tickets`."""
    taken: set[str] = set()
    for player in position.players:
        held: list[str] = []
        for number, written in enumerate(player.listed("tickets", report)):
            place = f"{player.place}.tickets[{number}]"
            id = find_ticket(tx.rules, written, taken, None if of_the_deck else position.new_tickets, place, report)
            if id is not None:
                held.append(id)
                taken.add(id)
        if held:
            tx.emit(TicketsArranged, player.seat, tuple(held))


def find_ticket(
    rules: GameData, written: Any, taken: set[str], new: dict[str, Ticket] | None, place: str, report: Report
) -> str | None:
    """The id of a ticket given by id, or by places and perhaps points; None, and reported, if there is none.

    A ticket that is not in the decks is added to `new`; without `new` it is a mistake.
    """
    if isinstance(written, str) and written in rules.tickets:
        if written not in taken:
            return written
        report.add(place, f"{written} is somewhere else already")
        return None
    wanted = _read(rules.board, written, place, report)
    if wanted is None:
        return None
    known = [ticket for ticket in rules.tickets.values() if _fits(ticket, wanted)]
    known = known or [ticket for ticket in rules.tickets.values() if _fits_reversed(ticket, wanted)]
    if not known:
        return _new_ticket(rules.board, wanted, new, place, report)
    worth = [ticket for ticket in known if _agrees(ticket, wanted)]
    if not worth:
        report.add(place, f"this ticket is in the deck and worth {_worth(rules.board, known[0])}, not {wanted.said}")
        return None
    if len({ticket.goals for ticket in worth if ticket.alternatives}) > 1:
        report.add(place, f"several tickets fit; give the id: {', '.join(ticket.id for ticket in worth)}")
        return None
    free = [ticket for ticket in worth if ticket.id not in taken]
    if not free:
        report.add(place, f"{worth[0].id} is somewhere else already; the deck has {len(worth)} of it")
        return None
    return free[0].id


@frozen
class _Wanted:
    """A ticket as written: the start, the destinations (none: those it has), and the points, if given."""

    start: str
    goals: tuple[str, ...]
    points: int | None = None
    values: Mapping[str, int] = field(factory=dict[str, int])

    @property
    def said(self) -> str:
        """The points as given."""
        return ", ".join(map(str, self.values.values())) or str(self.points)


def _read(board: Board, written: object, place: str, report: Report) -> _Wanted | None:
    """What an entry says: `Paris–Wien`, two cities and perhaps points, a city and several places, or a table of places."""
    if isinstance(written, str):
        pair = next(board.names.pairs(written), None)
        if pair is None:
            report.add(place, f"no ticket {brief(written)} in the deck")
            return None
        return _Wanted(pair[0], pair[1:])
    entry = list(written) if is_list(written) else []
    if len(entry) == 2 and is_table(entry[1]):
        return _read_table(board, entry[0], entry[1], place, report)
    points = entry.pop() if len(entry) > 2 and not isinstance(entry[-1], str) else None
    if len(entry) < 2 or not all(isinstance(each, str) for each in entry):
        report.add(place, f"a ticket is two cities, and its points if the deck does not hold it, not {brief(written)}")
        return None
    if points is not None and (type(points) is not int or not 0 < points < 1000):
        report.add(place, f"the points of a ticket are a whole number above 0, not {brief(points)}")
        return None
    named = ([each for each in entry if each != ANY] if len(entry) == 2 else []) or entry
    found = [place_named(board, each, place, report) for each in named]
    ids = [each for each in found if each is not None]
    return _Wanted(ids[0], tuple(ids[1:]), points) if len(ids) == len(named) else None


def _read_table(board: Board, start: object, table: Mapping[Any, Any], place: str, report: Report) -> _Wanted | None:
    """A ticket to several places with a value each, as it is printed: `["Bern", {Deutschland = 6, France = 5}]`."""
    values: dict[str, int] = {}
    before = len(report.problems)
    first = place_named(board, start, place, report)
    for name, points in islice(table.items(), MOST_ROWS):
        goal = place_named(board, name, place, report)
        if type(points) is not int or not 0 < points < 1000:
            report.add(place, f"the points of a ticket are a whole number above 0, not {brief(points)}")
        elif goal is not None and goal in values:
            report.add(place, f"{goal} is already there")
        elif goal is not None:
            values[goal] = points
    if first is None or len(report.problems) > before:
        return None
    if not values:
        report.add(place, "a ticket leads to one place at least")
        return None
    return _Wanted(first, tuple(values), None, values)


def _fits(ticket: Ticket, wanted: _Wanted) -> bool:
    """Whether a ticket matches what is written; for a ticket to several places, some of them are enough."""
    if ticket.alternatives:
        return ticket.cities[0] == wanted.start and set(wanted.goals) <= {place for place, _ in ticket.goals}
    return sorted(ticket.cities) == sorted([wanted.start, *wanted.goals])


def _fits_reversed(ticket: Ticket, wanted: _Wanted) -> bool:
    """Whether a ticket to several places is written in reverse: `["Deutschland", "Bern"]`."""
    return bool(ticket.alternatives) and wanted.goals == ticket.cities[:1] and wanted.start in dict(ticket.goals)


def _agrees(ticket: Ticket, wanted: _Wanted) -> bool:
    """Whether a ticket has the points written with it."""
    goals = dict(ticket.goals)
    if wanted.points is None:
        return all(goals.get(place) == points for place, points in wanted.values.items())
    named = [goals[place] for place in (wanted.start, *wanted.goals) if place in goals]
    return wanted.points in ((ticket.points, *named) if ticket.alternatives else (ticket.points,))


def _worth(board: Board, ticket: Ticket) -> str:
    if not ticket.alternatives:
        return str(ticket.points)
    return ", ".join(f"{points} to {board.place_name(place)}" for place, points in ticket.goals)


def _new_ticket(board: Board, wanted: _Wanted, new: dict[str, Ticket] | None, place: str, report: Report) -> str | None:
    id = "-".join([wanted.start, *wanted.goals]) if len(wanted.goals) == 1 else f"{wanted.start}-{ANY}"
    starts = set(board.place(wanted.start))
    if any(starts & set(board.place(goal)) for goal in wanted.goals):
        report.add(place, "a ticket joins two cities, not one with itself")
    elif new is None:
        report.add(place, f"no ticket {id} in the deck, and a game is played with tickets of the deck only")
    elif len(wanted.goals) != 1 and not wanted.values:
        report.add(place, f"no ticket {id} in the deck; if there is one, give its places as a table with points")
    elif wanted.points is None and not wanted.values:
        report.add(place, f"no ticket {id} in the deck; if there is one, give its points as a third entry")
    else:
        copies = sum(known == id or known.startswith(f"{id}-") for known in new)
        id = f"{id}-{copies + 1}" if copies else id
        goals = sorted(wanted.values.items(), key=lambda goal: -goal[1])
        best, points = goals[0] if goals else (wanted.goals[0], wanted.points or 0)
        new[id] = Ticket(id, (wanted.start, best), points, alternatives=tuple(goals) if len(goals) > 1 else ())
        return id
    return None
