"""A player's column of the score sheet: numbers when a game is scored, objects when they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ttr_rules._internal.native import i64
from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.player_score import Score, TicketScore
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import counted_points

NOTHING: FrozenMap[Any, Any] = FrozenMap()
FIELDS = (
    "seat", "name", "route_points", "tickets", "longest_path", "lends", "terms", "bonuses", "rank", "needed_loans",
)  # fmt: skip


class Findings:
    """The numbers behind a column. A subclass makes tickets, path and loans of them when they are first read."""

    def tickets(self) -> tuple[TicketScore, ...]:
        raise NotImplementedError

    def longest_path(self) -> LongestPath:
        raise NotImplementedError

    def lends(self) -> Mapping[str, str]:
        raise NotImplementedError

    def needed_loans(self) -> tuple[str, ...]:
        raise NotImplementedError


class PlayerScore:
    """A player's column of the score sheet, with the source of every point.

    `lends` gives, for each city where the player may borrow, the other player's route used there; `needed_loans` are
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
    path_length: i64
    rank: i64

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
        findings: Findings | None = None,
    ) -> None:
        self.seat = seat
        self.name = name
        self.route_points = route_points
        self._terms = terms
        self._bonuses = bonuses
        self.rank = rank
        self._findings = findings
        self._tickets: tuple[TicketScore, ...] | None = None
        self._longest_path = longest_path
        self._lends: Mapping[str, str] | None = None
        self._needed_loans: tuple[str, ...] | None = None
        self.ticket_points = 0
        self.completed_tickets = 0
        self.path_length = 0
        if findings is None:
            self._tickets = tuple(tickets)
            self._lends = FrozenMap(lends)
            self._needed_loans = tuple(needed_loans)
            self.ticket_points = sum([ticket.signed for ticket in tickets])
            self.completed_tickets = sum([1 for ticket in tickets if ticket.completed])
            self.path_length = 0 if longest_path is None else longest_path.length

    def __repr__(self) -> str:
        return f"<PlayerScore {self.name}: {counted_points(self.total)}, rank {self.rank}>"

    @property
    def tickets(self) -> tuple[TicketScore, ...]:
        """The tickets, each a `TicketScore`."""
        if self._tickets is None and self._findings is not None:
            self._tickets = self._findings.tickets()
        return self._tickets or ()

    @property
    def longest_path(self) -> LongestPath:
        """A longest continuous path."""
        if self._longest_path is None:
            self._longest_path = LongestPath(0, ()) if self._findings is None else self._findings.longest_path()
        return self._longest_path

    @property
    def lends(self) -> Mapping[str, str]:
        """The route lent at each city."""
        if self._lends is None and self._findings is not None:
            self._lends = self._findings.lends()
        return self._lends or NOTHING

    @property
    def needed_loans(self) -> tuple[str, ...]:
        """The cities without which a ticket would be worth less."""
        if self._needed_loans is None and self._findings is not None:
            self._needed_loans = self._findings.needed_loans()
        return self._needed_loans or ()

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
    def total(self) -> int:
        """The grand total."""
        total: i64 = self.route_points + self.ticket_points
        for term in self._terms.values():
            points: i64 = term.points
            total += points
        for bonus in self._bonuses.values():
            total += bonus
        return total

    def award(self, bonus: str, points: int) -> None:
        """Give the player a bonus, by its name."""
        self._bonuses = {**self._bonuses, bonus: points}

    def __replace__(self, **changes: object) -> PlayerScore:
        """A copy with other values; `copy.replace` calls this."""
        values: dict[str, Any] = {**dict(zip(FIELDS, self._values(), strict=True)), **changes}
        return PlayerScore(**values)

    def _values(self) -> list[object]:
        return [getattr(self, name) for name in FIELDS]

    def __reduce__(self) -> tuple[object, ...]:
        return PlayerScore, tuple(self._values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlayerScore) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(tuple(self._values()))
