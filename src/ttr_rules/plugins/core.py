"""The rules that every stack starts from, as a plugin like any other: card game, P5, no map of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.engine import ActionRule
from ttr_rules.kernel.rules import Components, PluginInfo, Rulings
from ttr_rules.kernel.scores import LONGEST_PATH, TIE_BREAK_P5, Bonus, TieBreak
from ttr_rules.mechanics.claims import AbandonTunnelRule, ClaimRule, PayTunnelRule
from ttr_rules.mechanics.ticket_mix import AnnounceMixRule
from ttr_rules.mechanics.tickets import DrawTicketsRule, SetupChoiceRule, TicketChoiceRule
from ttr_rules.model.board import Board
from ttr_rules.model.tickets import Deal, DrawCounts, KeepAtLeast, Setup, Stage, TicketDeck
from ttr_rules.plugins.hooks import hookimpl
from ttr_rules.train_cards.economy import TrainCards

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
