"""Bonus tickets, added to the deck below according to their logos (V6, V7).

This library does not know their cards: their owners supply them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from itertools import chain, count
from typing import Any, ClassVar

from attrs import evolve

from ttr_rules import Board, InvalidInputError, Ticket
from ttr_rules.boards import make_tickets, tickets_option
from ttr_rules.errors import PluginError
from ttr_rules.plugins import Below, Rules, TicketDeck, Variant, hookimpl, option

LOGOS = ("europe", "europa_1912", "big_city")
SETS = ("orient_express", "max")
NEEDED = """\
not known to this library: the {cards} of {title}.
    Read the cities, the points and the logos off the cards, and give them:
      from ttr_rules.boards import read_tickets
      from ttr_variants.bonus_tickets import {kind}
      {kind}(tickets=[{{"cities": ["City", "Other city"], "points": 0, "logos": ["europe", "big_city"]}}])
      {kind}(tickets=read_tickets("my-tickets.toml"))
    or on the command line:
      ttr-rules play europe {name}:tickets=my-tickets.toml
    The file looks like this one, with your rows in it:
"""


def find_marks(deck: TicketDeck) -> frozenset[str]:
    """The marks of a deck, one of which a bonus ticket needs to join it.

    A deck chosen by a logo, such as that of the big cities, has the logos that all its tickets bear (V5). Any other
    deck has the sets that its tickets come from.
    """
    tickets = deck.tickets
    on_all = {logo for ticket in tickets for logo in ticket.logos if all(logo in other.logos for other in tickets)}
    return frozenset(on_all or {ticket.set for ticket in tickets})


def why_not(deck: TicketDeck, ticket: Ticket) -> str | None:
    """Explain why a bonus ticket does not join a deck, regardless of other bonus tickets. Returns None if it does."""
    marks = find_marks(TicketDeck({"": [other for other in deck.tickets if other.set not in SETS]}))
    if not ticket.logos & marks:
        return f"its logos are {', '.join(sorted(ticket.logos))}, those of this deck {', '.join(sorted(marks))}"
    if ticket.kind not in deck.piles:
        return f"it is a {ticket.kind} ticket, and this deck has only {' and '.join(deck.piles)} ones"
    return None


def join_deck(deck: TicketDeck, bonus: Iterable[Ticket]) -> TicketDeck:
    """A deck with the bonus tickets that bear its logo, each in the pile of its kind, if there is one."""
    known = {ticket.id for ticket in deck.tickets}
    piles = dict(deck.piles)
    for ticket in bonus:
        if why_not(deck, ticket) is None:
            # The deck may already have a ticket between these cities.
            ids = chain([ticket.id], (f"{ticket.id}-{number}" for number in count(2)))
            id = next(id for id in ids if id not in known)
            known.add(id)
            piles[ticket.kind] += (evolve(ticket, id=id),)
    # Bonus tickets come last, and the order of the sets does not depend on the stack.
    last = {name: place for place, name in enumerate(SETS, start=1)}
    return TicketDeck({name: sorted(pile, key=lambda ticket: last.get(ticket.set, 0)) for name, pile in piles.items()})


def _check_count(plugin: _BonusTickets, _: object, tickets: tuple[Mapping[str, Any], ...] | None) -> None:
    if tickets is not None and len(tickets) > plugin.most:
        known = f"{plugin.most} bonus ticket{'' if plugin.most == 1 else 's'}"
        raise InvalidInputError(f"{plugin.info.name} has {known}; {len(tickets)} were given ({plugin.rule})")


class _BonusTickets(Variant):
    """The common base of both plugins. `tickets` is anything that `tickets_option` takes."""

    rulebook = "bonus_tickets_rules.toml"

    #: The number of tickets in the set, and the rule that says so. Fewer may be given.
    most: ClassVar[int]
    rule: ClassVar[str]
    #: The cards of this rule, in words.
    cards: ClassVar[str]

    tickets: Any = option(
        None,
        converter=tickets_option,
        validator=_check_count,
        hash=False,
        meaning="the bonus tickets, supplied by the caller",
    )

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        """The deck below, plus the bonus tickets that bear its logo."""
        if self.tickets is None:
            template = files("ttr_variants").joinpath("bonus_tickets.toml").read_text(encoding="utf-8")
            words = {"cards": self.cards, "title": self.info.title, "kind": type(self).__name__, "name": self.info.name}
            raise PluginError(NEEDED.format(**words) + template)
        return join_deck(below(), self._make_tickets(board))

    @hookimpl
    def notes(self, rules: Rules) -> Iterator[str]:
        """The tickets that are not in the deck, and why."""
        for ticket in self._make_tickets(rules.board):
            reason = why_not(rules.deck, ticket)
            if reason is not None:
                names = "–".join(rules.board.cities[city].name for city in ticket.cities)
                yield f"{self.info.name}: the ticket {names} ({ticket.points}) is not in play: {reason} ({self.rule})"

    def _make_tickets(self, board: Board) -> tuple[Ticket, ...]:
        set_name = self.info.name.replace("-", "_")
        return make_tickets(board, self.tickets or (), set=set_name, kinds=("regular", "long"), logos=LOGOS)


class OrientExpress(_BonusTickets, name="orient-express", title="Orient Express", requires=("europe",)):
    """Six bonus tickets, supplied by you.

    They are the tickets of the Orient Express (V6). Raises `InvalidInputError` for more than six.

    >>> OrientExpress(tickets=[{"cities": ["Paris", "Wien"], "points": 1, "logos": ["europe"]}]).info.name
    'orient-express'
    """

    most = 6
    rule = "V6"
    cards = "six bonus tickets"


class Max(_BonusTickets, name="max", title="With Max", requires=("europe",)):
    """One bonus ticket, supplied by you.

    It is the ticket of Ticket to Ride with Max (V7). Raises `InvalidInputError` for several.
    """

    most = 1
    rule = "V7"
    cards = "bonus ticket"
