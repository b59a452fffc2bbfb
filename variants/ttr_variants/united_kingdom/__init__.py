"""United Kingdom: technologies bought with locomotives open regions, long routes and ferries (U1–U27).

Where the rules are, in the order of the rulebook:

- players, cars, tickets, ties (U1, U4, U19, U20): below
- the technologies, card by card: `technologies.toml`; who owns which, what they allow and bring, in play, in tables and at the
  end (U7, U8, U10 to U12, U14, U15, U18, U21, U24, U25), and the options: `technologies`
- the deck, four cards for a locomotive, no sweep (U2, U3, U5, U6, U13, U26, U27), buying a technology (U9), the right of way
  (U16), two claims in a turn, three cards (U22, U23): `purchases`

The board (U8, U17, U18) is in the map file. `hints` advises bots and marks regions on pictures.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve

import ttr_maps
from ttr_rules import Board, Refusal, Route, State, View
from ttr_rules.actions import pays_with
from ttr_rules.errors import PluginError
from ttr_rules.hints import BotHint, MapMark
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Bonus,
    Components,
    Deal,
    DrawCounts,
    Economy,
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
)
from ttr_rules.scores import LONGER_PATH, MORE_TICKETS

from . import hints, purchases, technologies
from .purchases import (
    BritishCards,
    BuyTechnology,
    DrawThree,
    ExtraClaim,
    LocomotiveDealt,
    SecondClaimDue,
    SharedClaim,
    ShareRoute,
)
from .technologies import (
    TECHNOLOGIES,
    BritishOptions,
    Technologies,
    TechnologiesArranged,
    TechnologiesBoxed,
    Technology,
    TechnologyBought,
)


class UnitedKingdom(BritishOptions, name="united-kingdom", title="United Kingdom"):
    """Technologies, bought with locomotives, open regions, long routes, ferries.

    `advanced` adds the advanced technologies; the other options decide open cases.

    >>> UnitedKingdom(advanced=True).info.title
    'United Kingdom'
    """

    legend = (
        "Letters at cities are regions that need a concession: Wales, Scotland, Ireland, France. "
        "A star on a route: no technology needed."
    )

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        board = ttr_maps.load("united_kingdom")
        return with_double(board, "penzance", "plymouth") if self.unequal_double else board

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        """Two to four players, 35 cars; from three on both routes of a double are open (U1)."""
        return Components(cars=35, max_players=4, doubles_from=3)

    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        """Five tickets, at least three kept, the others under the pile (U4)."""
        return (Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="U4"),)

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts()

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return BritishCards(mixed=self.substitute_with_locomotives)

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Technologies,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        yield purchases.BuyTechnologyRule()
        yield purchases.ShareRouteRule()
        if self.advanced:
            yield purchases.ExtraClaimRule()
            yield purchases.DrawThreeRule(rules.economy)

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        return technologies.claim_refusal(state, seat, route)

    @hookimpl
    def claim_key(self, state: State, seat: int) -> Hashable:
        return technologies.claim_key(state, seat)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        technologies.score_claim(tx, seat, route)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        """The second claim comes between the first one and the end of the turn (U22, UR11)."""
        return purchases.second_claim(tx, seat) if self.advanced else ()

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (technologies.TERM,)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return technologies.bonuses(self)

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """More completed tickets; the longer path only if the option says so (U19)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break == "path" else (MORE_TICKETS,)

    @hookimpl
    def notes(self, rules: Rules) -> Iterable[str]:
        """None. Raises `PluginError` for stacks without train cards, which have no locomotives to buy with."""
        if not pays_with(rules.economy, BritishCards):
            raise PluginError(
                "technologies of the United Kingdom are bought with locomotives of its own train cards (U9)"
            )
        return ()

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        return hints.region_notes(rules)

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return hints.HINTS

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """The points from the seat's technologies for claims of routes (U14)."""
        return hints.extra_points(rules, view.part(Technologies).owned[view.seat or 0])


def with_double(board: Board, first: str, second: str) -> Board:
    """A board on which the routes between two cities are a double, even if their lengths differ (UR5)."""
    pair = {route.id for route in board.routes_between(first, second)}
    routes: dict[str, Route] = {
        id: evolve(route, double_group=f"{first}-{second}") if id in pair else route
        for id, route in board.routes.items()
    }
    return evolve(board, routes=routes)


__all__ = [
    "TECHNOLOGIES",
    "BritishCards",
    "BritishOptions",
    "BuyTechnology",
    "DrawThree",
    "ExtraClaim",
    "LocomotiveDealt",
    "SecondClaimDue",
    "ShareRoute",
    "SharedClaim",
    "Technologies",
    "TechnologiesArranged",
    "TechnologiesBoxed",
    "Technology",
    "TechnologyBought",
    "UnitedKingdom",
]
