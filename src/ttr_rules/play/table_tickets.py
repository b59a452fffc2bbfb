"""The tickets of a table or position, as people write them."""

from __future__ import annotations

from typing import Any

from ttr_rules._internal.guards import is_list
from ttr_rules._internal.messages import brief
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.events.arranged import TicketsArranged
from ttr_rules.kernel.table import Position, Report, city_id
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Board, Ticket


def put_tickets(tx: Transaction, position: Position, report: Report, *, of_the_deck: bool) -> None:
    """Give the players their tickets; unless they must be of the deck, new ones are kept in `position.new_tickets`."""
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
    """The id of a ticket written as an id or as two cities and perhaps its points; None, reported, if there is none.

    A ticket that the decks do not hold joins `new`; without that it is a mistake.
    """
    if isinstance(written, str):
        if written in rules.tickets:
            if written not in taken:
                return written
            report.add(place, f"{written} is somewhere else already")
            return None
        entry: list[Any] = written.split("-")
        if len(entry) != 2:
            report.add(place, f"no ticket {brief(written)} in the deck")
            return None
    elif is_list(written) and len(written) in (2, 3):
        entry = list(written)
    else:
        report.add(place, f"a ticket is two cities, and its points if the deck does not hold it, not {brief(written)}")
        return None
    if not all(isinstance(city, str) for city in entry[:2]):
        report.add(place, f"a ticket names two cities, not {brief(entry[:2])}")
        return None
    cities = [city_id(rules.board, city) for city in entry[:2]]
    points = entry[2] if len(entry) == 3 else None
    known = [ticket for ticket in rules.tickets.values() if _joins(ticket, cities)]
    if not known:
        return _new_ticket(rules.board, cities, points, new, place, report)
    if points is not None and points != known[0].points:
        report.add(place, f"this ticket is in the deck and worth {known[0].points}, not {brief(points)}")
        return None
    free = [ticket for ticket in known if ticket.id not in taken]
    if not free:
        report.add(place, f"{known[0].id} is somewhere else already; the deck has {len(known)} of it")
        return None
    return free[0].id


def _joins(ticket: Ticket, cities: list[str]) -> bool:
    if ticket.alternatives:
        return sorted(cities) == sorted([ticket.cities[0], "countries"])
    return sorted(ticket.cities) == sorted(cities)


def _new_ticket(
    board: Board, cities: list[str], points: Any, new: dict[str, Ticket] | None, place: str, report: Report
) -> str | None:
    before = len(report.problems)
    for city in cities:
        if not board.place(city):
            report.add(place, f"no city {brief(city)} on the board {board.name}")
    if cities[0] == cities[1]:
        report.add(place, "a ticket joins two cities, not one with itself")
    if len(report.problems) > before:
        return None
    id = f"{cities[0]}-{cities[1]}"
    if new is None:
        report.add(place, f"no ticket {id} in the deck, and a game is played with tickets of the deck only")
    elif points is None:
        report.add(place, f"no ticket {id} in the deck; if there is one, give its points as a third entry")
    elif type(points) is not int or not 0 < points < 1000:
        report.add(place, f"the points of a ticket are a whole number above 0, not {brief(points)}")
    else:
        copies = sum(known == id or known.startswith(f"{id}-") for known in new)
        id = f"{id}-{copies + 1}" if copies else id
        new[id] = Ticket(id, (cities[0], cities[1]), points)
        return id
    return None
