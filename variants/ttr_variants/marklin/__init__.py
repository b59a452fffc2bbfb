"""Märklin: passengers, two stacks of tickets, "+4" locomotives (V11, M1–M8, X12)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from importlib.resources import files
from typing import Any

from attrs import evolve, field, frozen
from attrs.converters import optional

import ttr_maps
from ttr_rules import Board, Event, InvalidInputError, Ticket
from ttr_rules.errors import PluginError
from ttr_rules.plugins import (
    MOST_TICKETS,
    ActionRule,
    AfterClaim,
    Bonus,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Mix,
    PartSpec,
    PluginInfo,
    RuleFile,
    ScoringTerm,
    Setup,
    Stage,
    TicketDeck,
    TieBreak,
    hookimpl,
    make_tickets,
    read_tickets,
)
from ttr_rules.train_cards import TrainCards

from .cards import PASSENGER, PLUS_FOUR, MarklinCards
from .journeys import EndJourney, EndJourneyRule, Journey, MovePassenger, MovePassengerRule, TravelOn, TravelOnRule
from .passengers import (
    MORE_TOKENS,
    PLACING,
    TOKENS,
    KeepPassengerRule,
    PassengerPlacing,
    PlacePassenger,
    PlacePassengerRule,
)
from .state import (
    EVENTS,
    PassengerArrived,
    PassengerPlaced,
    Passengers,
    PassengersArranged,
    PassengerSetOut,
    PassengerTravelled,
    TokensArranged,
    TokenTaken,
)
from .tables import PART

PILES = ("short", "long")
NEEDED = """\
the 46 tickets of Märklin are not known to this library; it has no list of those cards. What you can do:
    play with the 89 tickets of the later edition Germany, which are known:
      "marklin", "germany-tickets"
    or give the tickets yourself, in a list or in a file:
      from ttr_variants.marklin import Marklin
      Marklin(tickets=[["City", "Other city", 0, "short"], ...])
      Marklin(tickets="my-tickets.toml")
    or on the command line:
      ttr-rules play marklin:tickets=my-tickets.toml
    with the cities, the points and the kind of your cards: 23 "short" ones worth 5 to 11, 23 "long" ones worth 12 to 22.
    The file looks like this one, with your rows in it:
"""


def deck_of(tickets: Iterable[Ticket]) -> TicketDeck:
    """Two piles, short and long (M2); whatever is not long goes to the short ones."""
    listed = tuple(tickets)
    short = [ticket for ticket in listed if ticket.kind != "long"]
    return TicketDeck({"short": short, "long": [ticket for ticket in listed if ticket.kind == "long"]})


@frozen
class Marklin:
    """Märklin, with the tickets that the caller gives: anything that `read_tickets` reads.

    Without any it needs a plugin on top that has some, such as "germany-tickets".

    >>> Marklin(tickets=[["Berlin", "Ulm", 9, "short"]]).tickets
    ({'cities': ['Berlin', 'Ulm'], 'points': 9, 'kind': 'short'},)
    """

    tickets: tuple[Mapping[str, Any], ...] | None = field(default=None, converter=optional(read_tickets), hash=False)

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("marklin", "Märklin", "Passengers and tokens; its tickets are given by the caller.")

    @hookimpl
    def board(self) -> Board:
        return ttr_maps.load("marklin")

    @hookimpl
    def ticket_deck(self, board: Board) -> TicketDeck:
        if self.tickets is None:
            template = files(__name__).joinpath("tickets.toml").read_text(encoding="utf-8")
            raise PluginError(NEEDED + template)
        try:
            return deck_of(make_tickets(board, self.tickets, set="marklin", kinds=PILES))
        except InvalidInputError as error:
            raise PluginError(str(error)) from error

    @hookimpl
    def setup(self) -> Setup:
        return (Stage(deals=(), keep=KeepAtLeast(2), mix=Mix(4, PILES), rule="M2"),)

    @hookimpl
    def draw_counts(self) -> DrawCounts:
        return DrawCounts(drawn=4, pile=PILES[0], more_piles=PILES[1:])

    @hookimpl(wrapper=True)
    def economy(self) -> Generator[None, Economy, Economy]:
        """Where one pays with train cards, these are Märklin's (M1); another economy stays as it is."""
        below = yield
        if type(below) is not TrainCards:
            return below
        return MarklinCards(below.hand, below.row, below.sweep_at, locomotive_ends_draw=below.locomotive_ends_draw)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        return (evolve(MOST_TICKETS, name="most_tickets"),)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        return (TieBreak("more completed tickets", lambda player: player.completed_tickets), MORE_TOKENS)

    @hookimpl
    def action_rules(self, economy: Economy) -> Iterable[ActionRule[Any, Any]]:
        return (
            MovePassengerRule(economy),
            TravelOnRule(economy),
            EndJourneyRule(),
            PlacePassengerRule(),
            KeepPassengerRule(),
        )

    @hookimpl
    def state_parts(self) -> Iterable[PartSpec]:
        return (PART,)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS

    @hookimpl
    def after_claims(self) -> Iterable[AfterClaim]:
        return (PLACING,)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (TOKENS,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.marklin"),)


__all__ = [
    "EndJourney",
    "Journey",
    "Marklin",
    "MarklinCards",
    "MovePassenger",
    "PASSENGER",
    "PLUS_FOUR",
    "PassengerArrived",
    "PassengerPlaced",
    "PassengerPlacing",
    "PassengerSetOut",
    "PassengerTravelled",
    "Passengers",
    "PassengersArranged",
    "PlacePassenger",
    "TokenTaken",
    "TokensArranged",
    "TravelOn",
    "deck_of",
]
