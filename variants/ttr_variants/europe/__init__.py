"""Europe, classic: one long and three regular tickets at the start, and stations (V2, B1–B6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import ttr_maps
from ttr_rules import Board, State, View
from ttr_rules.hints import BorrowHint, BotHint, CityPiece, LoanHint
from ttr_rules.language import Message
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Deal,
    KeepAtLeast,
    Question,
    Rules,
    Stage,
    TicketDeck,
    TieBreak,
    Transaction,
    always,
    hookimpl,
    option,
)
from ttr_rules.scores import MORE_TICKETS, PATH_HOLDER, TIE_BREAK_P5, Loan

from .station_rule import BuildStationRule, LendRoutesRule, loans, next_owner
from .stations import (
    FEWER_STATIONS as FEWER_STATIONS,
    POINTS_UNBUILT,
    UNBUILT,
    BuildStation as BuildStation,
    LendRoutes as LendRoutes,
    RoutesLent as RoutesLent,
    StationBuilt as StationBuilt,
    StationLinks as StationLinks,
    StationOptions as StationOptions,
    Stations as Stations,
)


def _built(view: View) -> Mapping[str, int]:
    return view.part(Stations).built


def _count_left(view: View, seat: int) -> int:
    return view.part(Stations).left[seat]


def _list_lent(action: LendRoutes) -> tuple[str, ...]:
    return tuple(action.lends.values())


#: A station costs its cards, its turn, and the points for not building it (B6).
HINTS: tuple[BotHint, ...] = (
    BorrowHint(BuildStation, built=_built, left=_count_left, turns=48, points=POINTS_UNBUILT),
    LoanHint(LendRoutes, routes=_list_lent),
)


#: The tie-break of the first edition (P6).
TIE_BREAK_P6: tuple[TieBreak, ...] = (MORE_TICKETS, FEWER_STATIONS, PATH_HOLDER)


class Europe(StationOptions, name="europe", title="Europe (classic)"):
    """Ferries, tunnels and stations; six long tickets, one a player.

    `tie_break` is "P5" (anniversary edition) or "P6" (first edition).

    >>> Europe(tie_break="P6").info.title
    'Europe (classic)'
    """

    legend = "Houses are stations."

    tie_break: Literal["P5", "P6"] = option(
        "P5", "P6", rule="P5", meaning="the tie-break of the anniversary edition, or of the first (P6)"
    )

    board = always(ttr_maps.load("europe"))
    setup = always(
        (Stage(deals=(Deal("long", 1), Deal("regular", 3)), keep=KeepAtLeast(2), box_rest=("long",), rule="V2"),)
    )
    parts = always((Stations,))
    scoring = always((UNBUILT,))
    hints = always(HINTS)

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        """The tickets of the base set, or on a custom map, those without a set."""
        return TicketDeck.by_kind([ticket for ticket in board.tickets if ticket.set in ("", "europe")])

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        return TIE_BREAK_P6 if self.tie_break == "P6" else TIE_BREAK_P5

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (BuildStationRule(), LendRoutesRule())

    @hookimpl
    def loans(self, state: State, seat: int) -> Iterable[Loan]:
        return loans(state, seat)

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question:
        """Owners choose what their stations lend, if the ruling says so (R8)."""
        return next_owner(tx.state) if self.station_choice == "ask" else ()

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[CityPiece]:
        """The stations."""
        if view is not None:
            for city, seat in view.part(Stations).built.items():
                yield CityPiece(city, seat, "house", Message("station of {player}", player=view.players[seat]))
