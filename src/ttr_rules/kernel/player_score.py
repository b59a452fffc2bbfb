"""The entries in a player's column of the score sheet: tickets, and the points of scoring terms."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief


@frozen
class TicketScore:
    """A ticket on the score sheet: `points` is added if it is completed, subtracted otherwise (P2).

    `cities` are the places on the card. If the ticket has several values, the last of them is the goal that counted, and
    `goals` are all goals. `id` is the ticket's id.

    >>> from ttr_rules import score
    >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> sheet = score(None, {"stack": ["europe"], "players": players})
    >>> ticket = sheet.players[0].tickets[0]
    >>> ticket.completed, ticket.points, ticket.signed
    (False, 8, -8)
    """

    cities: tuple[str, ...]
    points: int
    completed: bool
    id: str = ""
    goals: tuple[str, ...] = field(default=(), repr=False)

    @property
    def signed(self) -> int:
        """Points that the ticket adds to the total."""
        return self.points if self.completed else -self.points


@frozen
class Detail:
    """One item that a term counted: its name, in words or as an id, and its points.

    >>> depots = Score(6, count=2, details=(Detail("wien", 4), Detail("roma", 2)))
    >>> sum(detail.points for detail in depots.details) == depots.points
    True
    """

    what: str
    points: int = 0


def to_details(items: Iterable[Detail]) -> tuple[Detail, ...]:
    """The details as a tuple. Raises `InvalidInputError` for anything else."""
    details = tuple(items)
    for detail in details:
        value: object = detail
        if not isinstance(value, Detail):
            raise InvalidInputError(f"each of the details must be a Detail(what, points), not {brief(value)}")
    return details


@frozen
class Score:
    """A player's points for a `ScoringTerm`: `count` items, worth `points` in all. `details` may list them.

    >>> from ttr_rules import score
    >>> sheet = score(None, {"stack": ["europe"], "players": [{"name": "Ada", "stations": ["Paris"]}, {"name": "Bo"}]})
    >>> {name: (term.count, term.points) for name, term in sheet.players[0].terms.items()}
    {'stations': (2, 8)}
    """

    points: int
    count: int = 0
    details: tuple[Detail, ...] = field(default=(), converter=to_details)
