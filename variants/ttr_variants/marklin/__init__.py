"""Märklin: passengers, two stacks of tickets, "+4" locomotives (V11, M1–M8, X12)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from attrs import field, frozen

import ttr_maps
from ttr_rules import Board, Event, InvalidInputError, Rules, Ticket
from ttr_rules.errors import PluginError
from ttr_rules.plugins import (
    MORE_TICKETS,
    MOST_TICKETS,
    ActionRule,
    AfterClaim,
    Bonus,
    Catalog,
    DrawCounts,
    Economy,
    KeepAtLeast,
    MapMarks,
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
    option_metadata,
    pays_with,
    tickets_option,
)
from ttr_rules.train_cards import TrainCards

from . import marks
from .cards import MarklinCards, has_cards_of_its_own
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
from .prices import PASSENGER, PLUS_FOUR
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
      from ttr_rules.plugins import read_tickets
      from ttr_variants.marklin import Marklin
      Marklin(tickets=[["City", "Other city", 0, "short"], ...])
      Marklin(tickets=read_tickets("my-tickets.toml"))
    or on the command line:
      ttr-rules play marklin --ticket-file marklin=my-tickets.toml
    with the cities, the points and the kind of your cards: 23 "short" ones worth 5 to 11, 23 "long" ones worth 12 to 22.
    The file looks like this one, with your rows in it:
"""


def deck_of(tickets: Iterable[Ticket]) -> TicketDeck:
    """Two piles, short and long (M2); whatever is not long counts as short."""
    listed = tuple(tickets)
    short = [ticket for ticket in listed if ticket.kind != "long"]
    return TicketDeck({"short": short, "long": [ticket for ticket in listed if ticket.kind == "long"]})


@frozen
class Marklin:
    """Märklin, with the tickets given by the caller: anything that `tickets_option` takes.

    Without any it needs a plugin on top that supplies them, such as "germany-tickets".

    >>> Marklin(tickets=[["Berlin", "Ulm", 9, "short"]]).tickets
    ({'cities': ['Berlin', 'Ulm'], 'points': 9, 'kind': 'short'},)
    """

    tickets: tuple[Mapping[str, Any], ...] | None = field(
        default=None,
        converter=tickets_option,
        hash=False,
        metadata=option_metadata(meaning="the tickets, supplied by the caller"),
    )

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("marklin", "Märklin", "Passengers and tokens; you supply the tickets.")

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

    @hookimpl
    def notes(self, rules: Rules) -> Iterator[str]:
        """Whether its train cards are in play."""
        if not pays_with(rules.economy, MarklinCards):
            yield "marklin: its train cards (M1) are not in play, as another plugin of the stack replaces all train cards"

    @hookimpl(wrapper=True, trylast=True)
    def economy(self) -> Generator[None, Economy, Economy]:
        """Replace train cards with Märklin's (M1); an economy without train cards is unchanged.

        It adjusts first, so that other plugins adjust Märklin's cards. Raises `PluginError` for train cards other than
        those of the core, because it cannot combine its own with them.
        """
        below = yield
        if type(below) is TrainCards:
            return MarklinCards(below.hand, below.row, below.sweep_at, locomotive_ends_draw=below.locomotive_ends_draw)
        if has_cards_of_its_own(below):
            raise PluginError(
                f"marklin has train cards of its own (M1), and cannot put them into {type(below).__name__}: build that on "
                "MarklinCards, adjust the cards with a wrapper, or leave one of the two out"
            )
        return below

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        return (MOST_TICKETS,)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        return (MORE_TICKETS, MORE_TOKENS)

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
    def map_marks(self) -> Iterable[MapMarks]:
        return (marks.PASSENGERS,)

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.marklin"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)


__all__ = [
    "PASSENGER",
    "PLUS_FOUR",
    "EndJourney",
    "Journey",
    "Marklin",
    "MarklinCards",
    "MovePassenger",
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
