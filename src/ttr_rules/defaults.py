"""The rules that every stack starts from, as a plugin like any other: card game, P5, no map of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .board import Board
from .economy import Economy
from .engine import ActionRule
from .hooks import hookimpl
from .mechanics.claim import AbandonTunnelRule, ClaimRule, PayTunnelRule
from .mechanics.ticket_draws import DrawTicketsRule, SetupChoiceRule, TicketChoiceRule
from .mechanics.ticket_mix import AnnounceMixRule
from .mechanics.train_cards import TrainCards
from .rules import Components, PluginInfo, Rulings
from .scores import LONGEST_PATH, TIE_BREAK_P5, Bonus, TieBreak
from .tickets import Deal, DrawCounts, KeepAtLeast, Setup, Stage, TicketDeck

info = PluginInfo("core", "The rules that all maps share")


@hookimpl
def components() -> Components:
    return Components()


@hookimpl
def ticket_deck(board: Board) -> TicketDeck:
    return TicketDeck.by_kind(board.tickets)


@hookimpl
def setup(deck: TicketDeck) -> Setup:
    pile = "regular" if "regular" in deck.piles else next(iter(deck.piles), "regular")
    return (Stage(deals=(Deal(pile, 3),), keep=KeepAtLeast(2), under=pile),)


@hookimpl
def draw_counts() -> DrawCounts:
    return DrawCounts()


@hookimpl
def economy() -> Economy:
    return TrainCards()


@hookimpl
def rulings() -> Rulings:
    return Rulings()


@hookimpl
def bonuses() -> tuple[Bonus, ...]:
    return (LONGEST_PATH,)


@hookimpl
def tie_break() -> tuple[TieBreak, ...]:
    return TIE_BREAK_P5


@hookimpl
def action_rules(economy: Economy, board: Board) -> Iterable[ActionRule[Any, Any]]:
    return (
        ClaimRule(economy, board),
        PayTunnelRule(economy),
        AbandonTunnelRule(economy),
        SetupChoiceRule(),
        DrawTicketsRule(),
        TicketChoiceRule(),
        AnnounceMixRule(),
    )
