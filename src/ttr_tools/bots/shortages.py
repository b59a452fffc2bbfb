"""How many cards a hand lacks for planned links. Bots ask hundreds of times for each choice, so much is looked up in advance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ttr_rules import Rules
from ttr_rules.model import Card, Color, Route
from ttr_tools.bots.openings import Openings
from ttr_tools.bots.weights import no_wild_routes, weight_of

LOCOMOTIVE: str = Card.LOCOMOTIVE
GRAY: str = Color.GRAY.value


class CardNeed(NamedTuple):
    """What a route needs: cards of its color, and the locomotives of a ferry; `no_wild` if locomotives cannot replace cards."""

    color: str
    cards: int
    locomotives: int
    no_wild: bool


def card_needs(rules: Rules) -> Mapping[str, CardNeed]:
    """What every route needs: `rules.derived(card_needs)` finds it out once."""
    no_wild = no_wild_routes(rules)
    return {
        id: CardNeed(
            route.color.value, route.length - route.ferry_locomotives, route.ferry_locomotives, route.id in no_wild
        )
        for id, route in rules.board.routes.items()
    }


class Shortages:
    """What hands lack for the links in `open`, each with the routes that can be claimed, and for what opens these."""

    def __init__(self, rules: Rules, open: Mapping[int, Sequence[Route]], openings: Openings) -> None:
        self._needs = rules.derived(card_needs)
        self._open = open
        self._openings = openings
        self._asked_before: dict[frozenset[int], Sequence[Sequence[CardNeed]]] = {}

    def of(self, hand: Mapping[str, int], claims: Iterable[int], bought: Collection[str] = ()) -> int:
        """How many cards a hand lacks to claim all of some links and to buy what they need, except what was `bought`.

        Locomotives that are needed as such count twice.
        """
        claims = frozenset(claims)
        left = dict(hand)
        wild, missing = left.pop(LOCOMOTIVE, 0), 0
        if self._openings.locked:
            wild, missing = self._openings.paid_first(wild, self.opened_by(claims).difference(bought))
        surely = 0  # cards that no locomotive can replace
        for needs in self._asked(claims):
            need = needs[0]
            if len(needs) > 1:
                need = max(needs, key=lambda need: left.get(need.color, 0) - need.cards - need.locomotives)
            color, cards, locomotives, no_wild = need
            if color == GRAY:
                color = max(left, key=left.__getitem__, default="")
            spare = left.get(color, 0) - cards
            left[color] = max(0, spare)
            if spare < 0 and no_wild:
                surely -= spare
            elif spare < 0:
                missing -= spare
            wild -= locomotives
        return surely + (missing - 2 * wild if wild < 0 else max(missing - wild, 0))

    def opened_by(self, claims: Iterable[int]) -> frozenset[str]:
        """What must be bought before all of some links can be claimed."""
        return self._openings.needs(self._open.get(link, ()) for link in claims)

    def _asked(self, claims: frozenset[int]) -> Sequence[Sequence[CardNeed]]:
        """For each of some links, the needs among which the hand decides.

        First the colored ones, in the order of the links; then one gray route each, the longest first.
        """
        found = self._asked_before.get(claims)
        if found is None:
            colored: list[Sequence[CardNeed]] = []
            grays: list[Route] = []
            for link in sorted(claims):
                routes = self._open.get(link, ())
                gray = [route for route in routes if route.color is Color.GRAY]
                if gray:
                    grays.append(min(gray, key=weight_of))
                elif routes:
                    colored.append([self._needs[route.id] for route in routes])
            grays.sort(key=lambda route: -route.length)
            found = self._asked_before[claims] = [*colored, *((self._needs[route.id],) for route in grays)]
        return found

    def of_routes(self, routes: Iterable[Route], hand: Mapping[str, int]) -> list[int]:
        """How many cards a hand lacks to open and claim each of some routes, with one to spare for a tunnel."""
        wilds, others = hand.get(LOCOMOTIVE, 0), 0
        most = max([count for card, count in hand.items() if card != LOCOMOTIVE], default=0)
        found: list[int] = []
        for route in routes:
            color, cards, locomotives, no_wild = self._needs[route.id]
            wild = wilds
            if self._openings.locked:
                wild, others = self._openings.paid_first(wilds, self._openings.locked.get(route.id, ()))
            if no_wild:
                wild = min(wild, 0)
            wanted = cards + route.tunnel + others - (most if color == GRAY else hand.get(color, 0))
            if wild < locomotives:
                found.append(2 * (locomotives - wild) + max(wanted, 0))
            else:
                found.append(max(wanted + locomotives - wild, 0))
        return found
