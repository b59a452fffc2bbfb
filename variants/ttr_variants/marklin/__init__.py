"""Märklin: passengers, two stacks of tickets, "+4" locomotives (V11, M1–M8, X12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import ttr_maps
from ttr_rules import Board, Route, Ticket, View
from ttr_rules.actions import pays_with
from ttr_rules.boards import make_tickets, read_tickets, tickets_option
from ttr_rules.errors import PluginError
from ttr_rules.hints import CityNote, CityPiece, MapMark
from ttr_rules.language import Message
from ttr_rules.plugins import (
    ActionRule,
    Below,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Mix,
    Question,
    Rules,
    Stage,
    TicketDeck,
    Transaction,
    Variant,
    always,
    hookimpl,
    option,
    trylast,
)
from ttr_rules.scores import MORE_TICKETS, MOST_TICKETS
from ttr_rules.train_cards import DrawBlind, TrainCards

from .cards import MarklinCards
from .journeys import EndJourneyRule, MovePassengerRule, TravelOnRule
from .passengers import (
    MORE_TOKENS,
    TOKENS,
    EndJourney as EndJourney,
    Journey as Journey,
    MovePassenger as MovePassenger,
    PassengerArrived as PassengerArrived,
    PassengerPlaced as PassengerPlaced,
    PassengerPlacing as PassengerPlacing,
    Passengers as Passengers,
    PassengerSetOut as PassengerSetOut,
    PassengerTravelled as PassengerTravelled,
    PlacePassenger as PlacePassenger,
    TokenTaken as TokenTaken,
    TravelOn as TravelOn,
    read_stacks,
)

PILES = ("short", "long")
NEEDED = """\
the 46 tickets of Märklin are not known to this library; it has no list of those cards. What you can do:
    take the 89 tickets of the later edition Germany, which are known; the board is the same:
      ttr-rules play marklin germany-tickets
      ttr-rules board marklin germany-tickets
    or give the tickets yourself, in a list or in a file:
      from ttr_rules.boards import read_tickets
      from ttr_variants.marklin import Marklin
      Marklin(tickets=[["City", "Other city", 0, "short"], ...])
      Marklin(tickets=read_tickets("my-tickets.toml"))
    or on the command line:
      ttr-rules play marklin:tickets=my-tickets.toml
    with the cities, the points and the kind of your cards: 23 "short" ones worth 5 to 11, 23 "long" ones worth 12 to 22.
    The file looks like this one, with your rows in it:
"""


def make_deck(tickets: Sequence[Ticket]) -> TicketDeck:
    """Two piles, short and long (M2). Whatever is not long counts as short."""
    short = [ticket for ticket in tickets if ticket.kind != "long"]
    return TicketDeck({"short": short, "long": [ticket for ticket in tickets if ticket.kind == "long"]})


class Marklin(Variant, name="marklin", title="Märklin"):
    """Passengers and tokens; you supply the tickets.

    `tickets` is anything that `tickets_option` takes. Without any it needs a plugin on top that supplies them, such as
    "germany-tickets".

    >>> Marklin(tickets=[["Berlin", "Ulm", 9, "short"]]).tickets
    ({'cities': ['Berlin', 'Ulm'], 'points': 9, 'kind': 'short'},)
    """

    legend = "Numbers at cities are tokens, top first; figures are passengers."

    tickets: Sequence[Any] | Path | None = option(
        None, converter=tickets_option, hash=False, meaning="the tickets, supplied by the caller"
    )

    board = always(ttr_maps.load("marklin"))
    setup = always((Stage(deals=(), keep=KeepAtLeast(2), mix=Mix(4, PILES), rule="M2"),))
    draw_counts = always(DrawCounts(drawn=4, pile=PILES[0], more_piles=PILES[1:]))
    bonuses = always((MOST_TICKETS,))
    tie_breaks = always((MORE_TICKETS, MORE_TOKENS))
    parts = always((Passengers,))
    scoring = always((TOKENS,))

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        if self.tickets is None:
            template = files(__name__).joinpath("tickets.toml").read_text(encoding="utf-8")
            raise PluginError(NEEDED + template)
        return make_deck(make_tickets(board, read_tickets(self.tickets), set="marklin", kinds=PILES))

    @hookimpl
    def notes(self, rules: Rules) -> Iterator[str]:
        """Note if its train cards are not in play."""
        if not pays_with(rules.economy, MarklinCards):
            yield "marklin: its train cards (M1) are not in play, as another plugin of the stack replaces all train cards"

    @trylast
    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        """Replace train cards with Märklin's (M1). An economy without train cards is unchanged.

        It adjusts first, so that other plugins adjust Märklin's cards. Raises `PluginError` for train cards other than
        those of the core, because it cannot combine its own with them.
        """
        cards = below()
        if type(cards) is TrainCards:
            return MarklinCards(cards.hand, cards.row, cards.sweep_at)
        draws = pays_with(cards, TrainCards) or any(rule.action is DrawBlind for rule in cards.action_rules())
        if draws and not pays_with(cards, MarklinCards):
            raise PluginError(
                f"marklin has train cards of its own (M1), and cannot put them into {type(cards).__name__}: build that on "
                "MarklinCards, let it adjust the cards below, or leave one of the two out"
            )
        return cards

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (MovePassengerRule(), TravelOnRule(), EndJourneyRule())

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        """A passenger may be put into a city of the route: not a country, not beside another passenger (M4, M7)."""
        part, cities = tx.state.part(Passengers), tx.rules.board.cities
        if not part.left[seat]:
            return ()
        free = [city for city in route.cities if city not in part.standing and cities[city].country is None]
        return PassengerPlacing(seat, route.id, tuple(free)) if free else ()

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        """Tokens and passengers."""
        tokens = rules.derived(read_stacks) if view is None else view.part(Passengers).city_tokens
        for city, values in tokens.items():
            if values:
                written = " ".join(map(str, values))
                yield CityNote(city, written, Message("tokens {values}", values=written))
        if view is not None:
            for city, seat in view.part(Passengers).standing.items():
                yield CityPiece(city, seat, "person", Message("passenger of {player}", player=view.players[seat]))
