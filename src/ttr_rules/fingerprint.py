"""A short mark of compiled rules, so that a saved game is not taken up under other ones unnoticed."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board, Ticket
    from .rules import Rules


def fingerprint(rules: Rules) -> str:
    """A hash of the data of these rules: board, tickets, set-up, counts, rulings; not of their code."""
    parts = (
        rules.stack,
        sorted((name, sorted(options.items())) for name, options in rules.options.items()),
        rules.rulings,
        _board(rules.board),
        rules.components,
        [(name, [ticket.id for ticket in pile]) for name, pile in rules.deck.piles.items()],
        [
            (stage.deals, type(stage.keep).__qualname__, stage.under, stage.shuffled, stage.box_rest, stage.mix)
            for stage in rules.setup
        ],
        rules.draw_counts,
        sorted(rules.types),
    )
    return f"sha256:{sha256(repr(parts).encode()).hexdigest()[:32]}"


def _board(board: Board) -> object:
    return (
        board.id,
        tuple(board.cities.values()),
        tuple(board.routes.values()),
        sorted(board.points.items()),
        [_ticket(ticket) for ticket in board.tickets],
        sorted(board.extra.items()),
    )


def _ticket(ticket: Ticket) -> object:
    logos = sorted(ticket.logos)
    return (ticket.id, ticket.cities, ticket.points, ticket.kind, ticket.set, logos, ticket.alternatives)
