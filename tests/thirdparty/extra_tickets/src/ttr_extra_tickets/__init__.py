"""Extra tickets: two more tickets between the first cities of the board join the deck; five are drawn, one kept."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from ttr_rules import Board, PlayerScore, State, Ticket
from ttr_rules.plugins import Below, Bonus, DrawCounts, TicketDeck, Variant, hookimpl


def new_tickets(board: Board) -> Sequence[Ticket]:
    cities = [city.id for city in board.cities.values() if city.country is None]
    return [Ticket(f"extra-{end}", (cities[0], end), 9, set="extra") for end in cities[-2:]]


def completed(state: State, player: PlayerScore) -> int | None:
    return player.completed_tickets or None


class ExtraTickets(Variant, name="extra-tickets"):
    """Extra tickets: two more tickets; five are drawn at a time."""

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        deck = below()
        pile = "regular" if "regular" in deck.piles else next(iter(deck.piles))
        return deck.beside(new_tickets(board), pile)

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return evolve(below(), drawn=5)

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return (*below(), Bonus.ranked("extra_tickets.most", (9, 5, 2), completed, label="Tickets by rank"))
