"""Nordic Countries: two or three players, locomotives for ferries and tunnels only, cards that stand in (V9, N1–N9)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import ttr_maps
from ttr_rules import Board, Counts, Refusal, View
from ttr_rules.hints import RouteNote
from ttr_rules.language import Message
from ttr_rules.model import Card, Cost
from ttr_rules.plugins import (
    Below,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Rules,
    Stage,
    Unkept,
    Variant,
    always,
    hookimpl,
)
from ttr_rules.scores import LONGER_PATH, MORE_TICKETS, MOST_TICKETS
from ttr_rules.train_cards import Lot, Reading, TrainCards

LOCOMOTIVE = str(Card.LOCOMOTIVE)
#: The mark of the route that any four cards help to pay (N6).
FOUR_FOR_ONE = "four_for_one"
FOR_LOCOMOTIVE = 3  # N5
FOR_CARD = 4  # N6


class NordicCards(TrainCards):
    """Train cards whose locomotives may be used only on ferries and in tunnels (N4), with stand-ins (N5, N6).

    The row is never swept (N3).
    """

    def __init__(self) -> None:
        super().__init__(sweep_at=None)

    def wild_spaces(self, cost: Cost) -> int:
        return super().wild_spaces(cost) if cost.tunnel or cost.wilds or cost.only_wilds else 0

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        """On a ferry any three cards stand for each symbol (N5), on the marked route any four for each card (N6)."""
        cards, replaced = (FOR_CARD, cost.spaces) if FOUR_FOR_ONE in cost.marks else (FOR_LOCOMOTIVE, cost.wilds)
        if not replaced:
            return super().readings(cost, powers)
        worths = [{color: 1} for color in self.colors_for(cost)] or [{}]
        return [
            Reading(
                Lot(worth, cost.spaces - times),
                Lot(dict.fromkeys(self.kinds, 1), cards * times),
                wilds=self.wild_spaces(cost),
                needs_wilds=max(cost.wilds - times, 0),
            )
            for times in range(replaced + 1)
            for worth in worths
        ]

    def stand_in_rule(self, cost: Cost, problem: str) -> str:
        return "N6" if FOUR_FOR_ONE in cost.marks else "N5"

    def mismatch(self, cost: Cost, payment: Counts, powers: Hashable = None) -> Refusal | None:
        if payment[LOCOMOTIVE] and not (cost.tunnel or cost.wilds or cost.only_wilds or FOUR_FOR_ONE in cost.marks):
            return Refusal("N4", "locomotives may only be used on ferries and in tunnels")
        return super().mismatch(cost, payment, powers)


class NordicCountries(Variant, name="nordic-countries", title="Nordic Countries"):
    """Two or three players; any three cards for a ferry's locomotive; ten points for the most tickets."""

    rulebook = "nordic_countries.toml"
    legend = "4:1: any four cards stand in for a card of that route."

    board = always(ttr_maps.load("nordic_countries"))
    # Forty cars, two or three players; with three both routes of a double are open (N1).
    components = always(Components(cars=40, max_players=3, doubles_from=3))
    # Five tickets, at least two kept, the others leave the game (N2).
    setup = always((Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(2), rule="N2"),))
    # Three tickets, at least one kept, the others leave the game; a face-up locomotive is an ordinary card (N2, N3).
    draw_counts = always(DrawCounts(unkept=Unkept.BOX, wild_cards=1))
    # Ten points for the most completed tickets, none for the longest path (N8).
    bonuses = always((MOST_TICKETS,))
    # More completed tickets, then the longest path (N9).
    tie_breaks = always((MORE_TICKETS, LONGER_PATH))

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return NordicCards()

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        for route in rules.board.routes.values():
            if FOUR_FOR_ONE in route.marks:
                yield RouteNote(route.id, "4:1", Message("any four cards stand in for a card of this route"))
