"""A player's column of the score sheet: plain numbers while a game is scored, objects once they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ttr_rules._internal.native import i64
from ttr_rules.graph.lengths import longest_length
from ttr_rules.graph.paths import LongestPath, path_over
from ttr_rules.kernel.player_score import Detail, Score, TicketScore
from ttr_rules.model.network import Network
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import counted_points

NOTHING: FrozenMap[Any, Any] = FrozenMap()
FIELDS = (
    "seat", "name", "route_points", "tickets", "longest_path", "lends", "terms", "bonuses", "rank", "needed_loans",
    "bonus_details",
)  # fmt: skip


class Details(NamedTuple):
    """Details about tickets and loans, created only when they are read: a total does not need them."""

    tickets: tuple[TicketScore, ...]
    lends: Mapping[str, str]
    needed_loans: tuple[str, ...]


class PlayerScore:
    """A player's column of the score sheet, with the source of every point.

    `lends` gives, for each city where the player may borrow, the other player's route used there. `needed_loans` are
    the cities without which a ticket would be worth less. `bonuses` holds only those won. `rank` is 1 for the winner,
    and equal for players whom no tie-break separates (R7).

    >>> from ttr_rules import score
    >>> sheet = score(None, {"stack": ["europe"], "players": [
    ...     {"name": "Ada", "routes": [["Paris", "Zürich"]], "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]})
    >>> ada = sheet.players[0]
    >>> ada.route_points, ada.ticket_points, dict(ada.bonuses), ada.total, ada.rank
    (4, -8, {'longest_path': 10}, 18, 1)
    """

    seat: i64
    route_points: i64
    ticket_points: i64
    completed_tickets: i64
    rank: i64
    _path_length: i64

    def __init__(
        self,
        seat: i64,
        name: str,
        route_points: i64,
        tickets: Sequence[TicketScore] = (),
        longest_path: LongestPath | None = None,
        lends: Mapping[str, str] = NOTHING,
        terms: Mapping[str, Score] = NOTHING,
        bonuses: Mapping[str, int] = NOTHING,
        rank: i64 = 0,
        needed_loans: tuple[str, ...] = (),
        bonus_details: Mapping[str, tuple[Detail, ...]] = NOTHING,
        find: Callable[[], Details] | None = None,
        network: Network | None = None,
        routes: list[int] | None = None,
        lengths: list[int] | None = None,
    ) -> None:
        self.seat = seat
        self.name = name
        self.route_points = route_points
        self._terms = terms
        self._bonuses = bonuses
        self._bonus_details = bonus_details
        self.rank = rank
        self.ticket_points = 0
        self.completed_tickets = 0
        #: The details, or the function that finds them when they are first read.
        self._found: Details | Callable[[], Details] = find or Details(
            tuple(tickets), FrozenMap(lends), tuple(needed_loans)
        )
        #: The longest path, and its length (-1 until it is read). With a network, both are found from these routes. The
        #: lengths are those of all routes by number.
        self._network = network
        self._routes: list[int] = routes or []
        self._lengths: list[int] = lengths or []
        self._path = longest_path
        self._path_length = -1
        if find is None:
            self.ticket_points = sum([ticket.signed for ticket in tickets])
            self.completed_tickets = sum([1 for ticket in tickets if ticket.completed])

    def __repr__(self) -> str:
        return f"<PlayerScore {self.name}: {counted_points(self.total)}, rank {self.rank}>"

    def _details(self) -> Details:
        details = self._found
        if not isinstance(details, Details):
            details = self._found = details()
        return details

    @property
    def tickets(self) -> tuple[TicketScore, ...]:
        """The tickets, each a `TicketScore`."""
        return self._details().tickets

    @property
    def path_length(self) -> int:
        """The length of a longest continuous path."""
        network = self._network
        if network is None:
            return self.longest_path.length
        if self._path_length < 0:
            cities = len(network.city_ids)
            self._path_length = longest_length(self._routes, network.first, network.second, self._lengths, cities)
        return self._path_length

    @property
    def longest_path(self) -> LongestPath:
        """A longest continuous path."""
        network = self._network
        if self._path is None and network is not None:
            edges = [(*network.ends[route], self._lengths[route]) for route in self._routes]
            ids = [network.route_ids[route] for route in self._routes]
            self._path = path_over(edges, ids, network.city_ids)
        return self._path or LongestPath(0, ())

    @property
    def lends(self) -> Mapping[str, str]:
        """The route lent at each city."""
        return self._details().lends

    @property
    def needed_loans(self) -> tuple[str, ...]:
        """The cities without which a ticket would be worth less."""
        return self._details().needed_loans

    @property
    def terms(self) -> Mapping[str, Score]:
        """Points from plugins' scoring terms, each a `Score`."""
        if not isinstance(self._terms, FrozenMap):
            self._terms = FrozenMap(self._terms)
        return self._terms

    @property
    def bonuses(self) -> Mapping[str, int]:
        """The bonuses won."""
        if not isinstance(self._bonuses, FrozenMap):
            self._bonuses = FrozenMap(self._bonuses)
        return self._bonuses

    @property
    def bonus_details(self) -> Mapping[str, tuple[Detail, ...]]:
        """The things that bonuses were won for, where a bonus lists them."""
        if not isinstance(self._bonus_details, FrozenMap):
            self._bonus_details = FrozenMap(self._bonus_details)
        return self._bonus_details

    @property
    def total(self) -> int:
        """The grand total."""
        total: i64 = self.route_points + self.ticket_points
        for term in self._terms.values():
            points: i64 = term.points
            total += points
        for bonus in self._bonuses.values():
            total += bonus
        return total

    def award(self, bonus: str, points: int, details: tuple[Detail, ...] = ()) -> None:
        """Give the player a bonus, by its name."""
        self._bonuses = {**self._bonuses, bonus: points}
        if details:
            self._bonus_details = {**self._bonus_details, bonus: details}

    def _values(self) -> list[object]:
        return [getattr(self, name) for name in FIELDS]

    def __reduce__(self) -> tuple[object, ...]:
        return PlayerScore, tuple(self._values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayerScore) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(tuple(self._values()))
