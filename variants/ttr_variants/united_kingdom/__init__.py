"""United Kingdom: technologies bought with locomotives open regions, long routes and ferries (U1–U27).

Where the rules are, in the order of the rulebook:

- players, cars, tickets, ties (U1, U4, U19, U20): below
- the technologies, card by card: `technologies.toml`
- who owns which, what they allow and bring, in play, in tables and at the end (U7, U8, U10 to U12, U14, U15, U18, U21,
  U24, U25), and the options: `technologies`
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
from ttr_rules.hints import MapMark
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Bonus,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Question,
    Rules,
    Stage,
    TieBreak,
    Transaction,
    always,
    hookimpl,
)
from ttr_rules.scores import LONGER_PATH, MORE_TICKETS

from . import hints, purchases, technologies
from .purchases import (
    BritishCards as BritishCards,
    BuyTechnology as BuyTechnology,
    DrawThree as DrawThree,
    ExtraClaim as ExtraClaim,
    LocomotiveDealt as LocomotiveDealt,
    SecondClaimDue as SecondClaimDue,
    SharedClaim as SharedClaim,
    ShareRoute as ShareRoute,
)
from .technologies import (
    TECHNOLOGIES as TECHNOLOGIES,
    BritishOptions as BritishOptions,
    Technologies as Technologies,
    TechnologiesArranged as TechnologiesArranged,
    TechnologiesBoxed as TechnologiesBoxed,
    Technology as Technology,
    TechnologyBought as TechnologyBought,
    requirements,
)


class UnitedKingdom(BritishOptions, name="united-kingdom", title="United Kingdom"):
    """Technologies, bought with locomotives, open regions, long routes, ferries.

    `advanced` adds the advanced technologies. The other options decide open cases.

    >>> UnitedKingdom(advanced=True).info.title
    'United Kingdom'
    """

    legend = (
        "Letters at cities are regions that need a concession: Wales, Scotland, Ireland, France. "
        "A star on a route: no technology needed."
    )

    # Two to four players, 35 cars; from three on both routes of a double are open (U1).
    components = always(Components(cars=35, max_players=4, doubles_from=3))
    # Five tickets, at least three kept, the others under the pile (U4).
    setup = always((Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="U4"),))
    draw_counts = always(DrawCounts())
    parts = always((Technologies,))
    scoring = always((technologies.TERM,))
    hints = always(hints.HINTS)

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        board, pair = ttr_maps.load("united_kingdom"), ("penzance", "plymouth")
        if not self.unequal_double:
            return board
        double = {route.id: evolve(route, double_group="-".join(pair)) for route in board.routes_between(*pair)}
        return evolve(board, routes={**board.routes, **double})

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return BritishCards(mixed=self.substitute_with_locomotives)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        yield purchases.BuyTechnologyRule()
        yield purchases.ShareRouteRule()
        if self.advanced:
            yield purchases.ExtraClaimRule()
            yield purchases.DrawThreeRule()

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        """A seat lacks technologies that the route needs (U7, U10)."""
        needs = state.rules.derived(requirements)[route.id]
        if not needs:
            return None
        part = state.part(Technologies)
        owned = part.owned[seat]
        lacking = tuple([id for id in needs if id not in owned])
        lasting = not all(part.left[id] for id in lacking)
        return technologies.refuse_claim(seat, route.id, needs, lacking, lasting) if lacking else None

    @hookimpl
    def claim_key(self, state: State, seat: int) -> Hashable:
        """The technologies that open routes and that refusals depend on: those that a seat owns, and those sold out."""
        part = state.part(Technologies)
        sold_out = [id for id in technologies.OPENING if not part.left[id]] if 0 in part.left.values() else ()
        return technologies.OPENING.intersection(part.owned[seat]), *sold_out

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        """Score what technologies bring for a claim after their purchase (U14, UR18)."""
        for technology, more in technologies.bonus_points(tx.rules, tx.state.part(Technologies).owned[seat], route.id):
            tx.score(seat, more, technology)

    @hookimpl
    def on_pile_rebuilt(self, tx: Transaction, deck: str) -> None:
        """The first time, some advanced technologies leave the game (U26, UR17)."""
        purchases.box_early(tx)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        """The second claim, if due, even if the seat cannot make it, so that nothing is given away (U22, UR11)."""
        if not tx.state.part(Technologies).second_claim:
            return ()
        tx.emit(SecondClaimDue, seat)
        return ExtraClaim(seat, second=True)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return technologies.bonuses(self)

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """More completed tickets win. The longer path follows only if the option says so (U19)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break == "path" else (MORE_TICKETS,)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        return hints.region_notes(rules)

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        """The points from the seat's technologies for claims of routes (U14)."""
        return hints.extra_points(rules, view.part(Technologies).owned[view.seat or 0])
