"""A short mark of compiled rules, so that a saved game is not taken up under other ones unnoticed."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board, Ticket
    from .rules import Rules


def fingerprint(rules: Rules) -> str:
    """A hash of the data of these rules: board, tickets, set-up, counts, rulings; not of their code.

    A plugin that decides nothing and adds nothing leaves it as it is.
    """
    heard = {name for each in rules.answered for name in (*each.by, *each.adjusted)}
    parts = (
        tuple(name for name in rules.stack if name in heard),
        sorted((name, sorted(options.items())) for name, options in rules.options.items() if name in heard),
        rules.rulings,
        _board(rules.board),
        rules.components,
        [(name, [ticket.id for ticket in pile]) for name, pile in rules.deck.piles.items()],
        [
            (stage.deals, type(stage.keep).__qualname__, stage.under, stage.shuffled, stage.box_rest)
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
    )


def _ticket(ticket: Ticket) -> object:
    logos = sorted(ticket.logos)
    return (ticket.id, ticket.cities, ticket.points, ticket.kind, ticket.set, logos, ticket.alternatives)
