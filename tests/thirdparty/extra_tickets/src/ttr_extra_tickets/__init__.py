"""Extra tickets: two more tickets between the first cities of the board join the deck; five are drawn, one kept."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from attrs import evolve

from ttr_rules import Board, PlayerScore, Ticket
from ttr_rules.plugins import Bonus, DrawCounts, PluginInfo, TicketDeck, hookimpl, ranked_bonus

info = PluginInfo("extra-tickets", "Extra tickets", "Two more tickets; five are drawn at a time.")


def new_tickets(board: Board) -> Sequence[Ticket]:
    cities = [city.id for city in board.cities.values() if city.country is None]
    return [Ticket(f"extra-{end}", (cities[0], end), 9, set="extra") for end in cities[-2:]]


def completed(player: PlayerScore) -> int:
    return player.completed_tickets


@hookimpl(wrapper=True)
def ticket_deck(board: Board) -> Generator[None, TicketDeck, TicketDeck]:
    deck = yield
    pile = "regular" if "regular" in deck.piles else next(iter(deck.piles))
    return deck.beside(new_tickets(board), pile)


@hookimpl(wrapper=True)
def draw_counts() -> Generator[None, DrawCounts, DrawCounts]:
    return evolve((yield), drawn=5)


@hookimpl(wrapper=True)
def bonuses() -> Generator[None, tuple[Bonus, ...], tuple[Bonus, ...]]:
    return (*(yield), ranked_bonus("extra_tickets.most", (9, 5, 2), completed, label="Tickets by rank"))
