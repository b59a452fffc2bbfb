"""The score sheet, and the terms that variants add to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.state import State


@frozen
class TicketScore:
    """A ticket on the score sheet: `points` is what it adds when completed, else what it subtracts (P2).

    `cities` are the two ids on the card; of a ticket with several goals the one that counted.
    """

    cities: tuple[str, str]
    points: int
    completed: bool

    @property
    def signed(self) -> int:
        """What the ticket adds to the total."""
        return self.points if self.completed else -self.points


@frozen
class Term:
    """What a `ScoringTerm` gave a player: `count` things, worth `points` in all."""

    points: int
    count: int = 0


@frozen
class PlayerScore:
    """A player's column of the score sheet: where every point comes from.

    `lends` names, for each station, the route of another player that it lends (B3); `bonuses` holds those won
    alone. `rank` is 1 for the winner, equal for players whom no tie-break parts (R7).
    """

    seat: int
    name: str
    route_points: int
    tickets: tuple[TicketScore, ...]
    longest_path: LongestPath
    lends: Mapping[str, str] = field(factory=FrozenMap[str, str], converter=FrozenMap[str, str])
    terms: Mapping[str, Term] = field(factory=FrozenMap[str, Term], converter=FrozenMap[str, Term])
    bonuses: Mapping[str, int] = field(factory=FrozenMap[str, int], converter=FrozenMap[str, int])
    rank: int = 0

    @property
    def ticket_points(self) -> int:
        """The tickets' sum; may be negative."""
        return sum(ticket.signed for ticket in self.tickets)

    @property
    def completed_tickets(self) -> int:
        """How many tickets were completed."""
        return sum(ticket.completed for ticket in self.tickets)

    @property
    def stations_left(self) -> int:
        """The stations not built; 0 on maps without any (B6)."""
        return self.terms["stations"].count if "stations" in self.terms else 0

    @property
    def station_points(self) -> int:
        """What the stations not built are worth (B6)."""
        return self.terms["stations"].points if "stations" in self.terms else 0

    @property
    def total(self) -> int:
        """The sum of everything."""
        terms = sum(term.points for term in self.terms.values())
        return self.route_points + self.ticket_points + terms + sum(self.bonuses.values())


@frozen
class FinalScores:
    """The score sheet of a finished game, players in the order of their seats.

    `winners` are names: several share the victory when no tie-break parts them (R7).
    """

    players: tuple[PlayerScore, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of those who won."""
        return tuple(player.name for player in self.players if player.rank == 1)

    def to_json(self) -> dict[str, Any]:
        """The sheet as plain data, for JSON."""
        return {
            "players": [_player_json(player) for player in self.players],
            "winners": list(self.winners),
        }


def _player_json(player: PlayerScore) -> dict[str, Any]:
    more = {
        name: {"points": term.points, "count": term.count} for name, term in player.terms.items() if name != "stations"
    }
    return {
        "name": player.name,
        "route_points": player.route_points,
        "tickets": [
            {"cities": list(ticket.cities), "points": ticket.points, "completed": ticket.completed}
            for ticket in player.tickets
        ],
        "ticket_points": player.ticket_points,
        "stations_left": player.stations_left,
        "station_points": player.station_points,
        "lends": dict(player.lends),
        "longest_path": {"length": player.longest_path.length, "routes": list(player.longest_path.routes)},
        "bonuses": dict(player.bonuses),
        **({"terms": more} if more else {}),
        "total": player.total,
        "rank": player.rank,
    }


# -- what variants add -----------------------------------------------------------------------------------------


@frozen
class ScoringTerm:
    """Points that a player gets at the end for what is the player's own: `score(state, seat)` gives a `Term`."""

    name: str
    score: Callable[[State, int], Term] = field(repr=False)


@frozen
class Bonus:
    """Points for the best at something: `holders(players)` gives the seats that get them, from the sheets without bonuses."""

    name: str
    points: int
    holders: Callable[[Sequence[PlayerScore]], Sequence[int]] = field(repr=False)


@frozen
class Loan:
    """What a player may borrow at one city, for tickets only: one of `routes` (ids), or `chosen` if that is settled."""

    city: str
    routes: tuple[str, ...]
    chosen: str | None = None


@frozen
class TicketLink:
    """A source of loans: `loans(state, seat)` gives those of a seat (B3)."""

    name: str
    loans: Callable[[State, int], Sequence[Loan]] = field(repr=False)


@frozen
class TieBreak:
    """What decides between players with equal points: the one with the greater `key` is ahead."""

    name: str
    key: Callable[[PlayerScore], int] = field(repr=False)


# -- the common ones -------------------------------------------------------------------------------------------


def _longest(players: Sequence[PlayerScore]) -> list[int]:
    best = max(player.longest_path.length for player in players)
    return [player.seat for player in players if best and player.longest_path.length == best]


#: P3: the longest continuous path; R6: nobody gets it when nobody holds a route.
LONGEST_PATH = Bonus("longest_path", 10, _longest)


def _most_tickets(players: Sequence[PlayerScore]) -> list[int]:
    best = max(player.completed_tickets for player in players)
    return [player.seat for player in players if best and player.completed_tickets == best]


#: N8: the most completed tickets, to all tied; R6: nobody gets it when none is completed.
MOST_TICKETS = Bonus("globetrotter", 10, _most_tickets)

#: P5, P6: more completed tickets.
MORE_TICKETS = TieBreak("more completed tickets", lambda player: player.completed_tickets)
#: P5, P6: the holder of the longest path.
PATH_HOLDER = TieBreak("holder of the longest path", lambda player: player.bonuses.get("longest_path", 0))
#: N9: the longer path, where no bonus is given for it.
LONGER_PATH = TieBreak("longer path", lambda player: player.longest_path.length)
#: P6: fewer stations built.
FEWER_STATIONS = TieBreak("fewer stations built", lambda player: player.stations_left)

#: The tie-break of North America and of the anniversary edition of Europe (P5).
TIE_BREAK_P5: tuple[TieBreak, ...] = (MORE_TICKETS, PATH_HOLDER)
#: The tie-break of the first edition of Europe (P6).
TIE_BREAK_P6: tuple[TieBreak, ...] = (MORE_TICKETS, FEWER_STATIONS, PATH_HOLDER)
