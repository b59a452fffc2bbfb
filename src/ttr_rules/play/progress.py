"""Progress with tickets: completed, or the routes missing on the shortest way that is still open."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from attrs import frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.graph.lending import Places
from ttr_rules.kernel.scoring import final_scores, ticket_routes
from ttr_rules.kernel.state import State
from ttr_rules.kernel.views import check_seat
from ttr_rules.model.network import numbers
from ttr_rules.text import brief


@frozen
class TicketProgress:
    """A player's progress with a ticket.

    `spaces` is the smallest number of spaces that must still be claimed to complete it, and `missing` are the routes of
    one such way, by id, in the order of travel. A ticket of several places may need branches. Both consider only routes
    that the player can still claim, with enough cars left for each one. For a completed ticket nothing is missing. If
    it cannot be completed by claiming routes, `spaces` is None.

    >>> from ttr_rules import arrange
    >>> ada = {"name": "Ada", "routes": ["Paris-Dieppe"], "tickets": ["Brest-Marseille"]}
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, {"name": "Bo"}]})
    >>> progress, = ticket_progress(game.state, 0)
    >>> progress.completed, progress.spaces, progress.missing
    (False, 6, ('brest-dieppe-orange', 'marseille-paris-gray'))
    """

    ticket: str
    completed: bool
    spaces: int | None
    missing: tuple[str, ...] = ()


def ticket_progress(state: State, seat: int) -> tuple[TicketProgress, ...]:
    """A player's progress with each ticket in hand, in that order.

    It depends only on information that this player may see. Raises `InvalidInputError` for anything but a state, and for a
    seat that is not at the table.

    >>> from ttr_rules import arrange
    >>> ada = {"name": "Ada", "routes": ["Paris-Dieppe"], "tickets": ["Brest-Marseille"]}
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, {"name": "Bo"}]})
    >>> ticket_progress(game.state, 0)
    (TicketProgress(ticket='brest-marseille', completed=False, spaces=6, missing=('brest-dieppe-orange', 'marseille-paris-gray')),)
    """
    argument: object = state
    if not isinstance(argument, State):
        raise InvalidInputError(f"expected a state, as game.state or determinize(…).state, not {brief(argument)}")
    check_seat(seat, state.players)
    if not state.tickets[seat]:
        return ()
    sheet = final_scores(state, [""] * state.players).players[seat]
    network = state.rules.network
    lent = [network.route_number[route] for route in sheet.lends.values()]
    own = {*state.routes_of(seat), *ticket_routes(state, seat), *lent}
    free = dict.fromkeys(own, 0) | {route: network.lengths[route] for route in numbers(state.open_to(seat))}
    progress: list[TicketProgress] = []
    for id, score in zip(state.tickets[seat], sheet.tickets, strict=True):
        goals = () if score.completed else state.rules.ticket_goals[id]
        ways = [way for way in (_way(state, free, places) for _, places in goals) if way is not None]
        nothing = 0 if score.completed else None, ()  # no way is missing, or there is none
        spaces, best = min(ways, default=nothing, key=lambda way: way[0])
        missing = tuple(network.route_ids[route] for route in best if route not in own)
        progress.append(TicketProgress(id, score.completed, spaces, missing))
    return tuple(progress)


def _way(state: State, free: Mapping[int, int], places: Places) -> tuple[int, tuple[int, ...]] | None:
    """The shortest way that joins all places over the `free` routes, given with their lengths, or None.

    From each city, the shortest ways to every group of places but the last one are put together from those of smaller
    groups (Dreyfus and Wagner).
    """
    network = state.rules.network
    *others, last = places
    groups = 1 << len(others)  # sets of places as bits
    shortest: list[dict[int, tuple[int, tuple[int, ...]]]] = [{}]
    for group in range(1, groups):
        waiting: list[tuple[int, int, tuple[int, ...]]] = [
            (0, city, ()) for bit, place in enumerate(others) if group == 1 << bit for city in place
        ]
        part = (group - 1) & group
        while part:
            rest = shortest[group ^ part]
            for city in shortest[part].keys() & rest.keys():
                (far, way), (farther, more) = shortest[part][city], rest[city]
                waiting.append((far + farther, city, way + more))
            part = (part - 1) & group
        heapify(waiting)
        done: dict[int, tuple[int, tuple[int, ...]]] = {}
        while waiting:
            far, city, way = heappop(waiting)
            if city in done:
                continue
            done[city] = far, way
            for route in network.routes_at[city]:
                if route in free:
                    one, two = network.ends[route]
                    heappush(waiting, (far + free[route], two if one == city else one, (*way, route)))
        shortest.append(done)
    return min([shortest[-1][city] for city in last if city in shortest[-1]], default=None)
