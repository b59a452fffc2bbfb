"""Pennsylvania: shares of railway companies, taken with routes and counted at the end (Y1–Y14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from attrs import evolve

import ttr_maps
from ttr_rules import Board, Route, View
from ttr_rules.hints import BotHint, RouteNote
from ttr_rules.language import Message, join_commas
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Bonus,
    Components,
    Deal,
    DrawCounts,
    KeepAtLeast,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Setup,
    Stage,
    TieBreak,
    Transaction,
    hookimpl,
    option,
)
from ttr_rules.scores import LONGER_PATH, LONGEST_PATH, MORE_TICKETS, MOST_TICKETS, TIE_BREAK_P5

from .shares import (
    HINT,
    RULES,
    SHARES,
    DummyShareChoice,
    DummyShareTaken,
    ShareChoice,
    ShareOptions,
    Shares,
    SharesTurnedUp,
    ShareTaken,
    TakeShare,
    companies_of,
    share_choice,
    turn_up,
)


def _either(names: Sequence[str]) -> str:
    """Names to choose from: `A, B or C`."""
    *most, last = names
    return Message("{one} or {other}", one=join_commas(most), other=last) if most else last


class Pennsylvania(ShareOptions, name="pennsylvania", title="Pennsylvania"):
    """Shares of companies, taken with routes; majorities at the end.

    For two to five players; with two of them a dummy takes shares too.

    >>> Pennsylvania(open_shares=True).info.title
    'Pennsylvania'
    """

    legend = (
        "Tags on routes are companies, of which a claim brings a share: BO Baltimore and Ohio, BR Buffalo Rochester and "
        "Pittsburgh, ER Erie Lackawanna, JC Jersey Central Lines, LV Lehigh Valley, NY New York Central System, "
        "PR Pennsylvania Railroad, RE Reading Lines, WM Western Maryland."
    )

    doubles_from: Literal[4, 2, 3] = option(
        4, 2, 3, rule="YR1", meaning="from how many players on both routes of a double may be used"
    )
    longest_path: bool = option(False, True, rule="YR2", meaning="whether the longest path brings 10 points")
    tie_break: Literal["P5", "path"] = option(
        "P5",
        "path",
        rule="YR4",
        meaning="what breaks a tie after the completed tickets: nothing, or the longer path",
    )

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return ttr_maps.load("pennsylvania")

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return Components(doubles_from=self.doubles_from)

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """Five tickets, at least three kept, the others under the pile (Y2)."""
        return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="Y2"),)

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn=4)

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Shares,)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        """A share of a company on the route may be taken (Y6)."""
        return share_choice(tx.state, seat, route)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return RULES

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        turn_up(tx)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (SHARES,)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        """Fifteen points for the most completed tickets; for the longest path only if a ruling says so (Y10, YR2)."""
        return (evolve(MOST_TICKETS, points=15, label="Globetrotter"), *([LONGEST_PATH] if self.longest_path else []))

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """As P5, whose second step has no effect if nobody holds the longest path (Y14)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break == "path" else TIE_BREAK_P5

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (HINT,)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        """The initials of the companies on each route."""
        companies = rules.derived(companies_of)
        for route in rules.board.routes.values():
            if on_route := [companies[mark] for mark in route.marks if mark in companies]:
                initials = " ".join(company.short[:2].upper() for company in on_route)
                names = _either([company.name for company in on_route])
                yield RouteNote(route.id, initials, Message("share of {companies}", companies=names))


__all__ = [
    "DummyShareChoice",
    "DummyShareTaken",
    "Pennsylvania",
    "ShareChoice",
    "ShareTaken",
    "Shares",
    "SharesTurnedUp",
    "TakeShare",
]
