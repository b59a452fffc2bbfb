"""What London and New York share: a small deck, two starting cards, two tickets, no bonuses (O1–O4, W1–W3)."""

from __future__ import annotations

from ttr_rules.model import Card, Color
from ttr_rules.plugins import (
    MORE_TICKETS,
    Bonus,
    Components,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    Setup,
    Stage,
    TieBreak,
    hookimpl,
)
from ttr_rules.train_cards import TrainCards

CARDS_OF_A_COLOR = 6
LOCOMOTIVES = 8
HAND = 2
TICKETS = 2


# Hooks that a module of a short game imports: they are then its own.


@hookimpl
def draw_counts() -> DrawCounts:
    """Two tickets are drawn, at least one is kept (O4, W3)."""
    return DrawCounts(drawn=TICKETS)


@hookimpl
def bonuses() -> tuple[Bonus, ...]:
    """None: only routes, tickets and the map's own terms score points."""
    return ()


@hookimpl
def tie_break() -> tuple[TieBreak, ...]:
    """More completed tickets, then a shared victory."""
    return (MORE_TICKETS,)


# What differs.


def components(cars: int) -> Components:
    """Two to four players; from three on both routes of a double are open."""
    return Components(cars=cars, max_players=4, doubles_from=3)


def economy(*colors: Color) -> Economy:
    """Train cards of only these colours, two of them dealt to each player; the row is swept as in S4.

    >>> economy(Color.BLUE, Color.RED).data()["cards"]
    {'blue': 6, 'red': 6, 'locomotive': 8}
    """
    deck = {str(color): CARDS_OF_A_COLOR for color in colors}
    return TrainCards(cards={**deck, str(Card.LOCOMOTIVE): LOCOMOTIVES}, hand=HAND)


def setup(rule: str) -> Setup:
    """Two tickets dealt, at least one kept, the other one under the pile."""
    return (Stage(deals=(Deal("regular", TICKETS),), keep=KeepAtLeast(1), under="regular", rule=rule),)
