"""The rules that every stack starts from, as a plugin like any other: the longest path, P5, no map of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.plugin import PluginInfo, hookimpl
from ttr_rules.kernel.scores import LONGEST_PATH, TIE_BREAK_P5, Bonus, TieBreak
from ttr_rules.mechanics.claims import ClaimRule
from ttr_rules.mechanics.options import TicketOptions
from ttr_rules.mechanics.ticket_mix import AnnounceMixRule
from ttr_rules.mechanics.tickets import DrawTicketsRule, SetupChoiceRule, TicketChoiceRule
from ttr_rules.mechanics.tunnels import AbandonTunnelRule, PayTunnelRule
from ttr_rules.model.board import Board
from ttr_rules.model.components import Components
from ttr_rules.model.rulebook import RuleFile
from ttr_rules.model.tickets import Deal, DrawCounts, KeepAtLeast, Setup, Stage, TicketDeck


@frozen
class Core(TicketOptions):
    """The base of every stack; plugins replace and adjust it.

    >>> Core().draw_counts().drawn
    3
    """

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("core", "The rules that all maps share")

    @hookimpl
    def components(self) -> Components:
        return Components()

    @hookimpl
    def route_cars(self, board: Board) -> Mapping[str, int]:
        return {route.id: route.length for route in board.routes.values()}

    @hookimpl
    def route_points(self, board: Board) -> Mapping[str, int]:
        return {route.id: board.points[route.length] for route in board.routes.values()}

    @hookimpl
    def ticket_deck(self, board: Board) -> TicketDeck:
        return TicketDeck.by_kind(board.tickets)

    @hookimpl
    def setup(self, deck: TicketDeck) -> Setup:
        pile = "regular" if "regular" in deck.piles else next(iter(deck.piles), "regular")
        return (Stage(deals=(Deal(pile, 3),), keep=KeepAtLeast(2), under=pile),)

    @hookimpl
    def draw_counts(self) -> DrawCounts:
        return DrawCounts()

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...]:
        return (LONGEST_PATH,)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...]:
        return TIE_BREAK_P5

    @hookimpl
    def action_rules(self, economy: Economy, board: Board) -> Iterable[ActionRule[Any, Any]]:
        return (
            ClaimRule(economy, board),
            PayTunnelRule(economy),
            AbandonTunnelRule(economy),
            SetupChoiceRule(),
            DrawTicketsRule(),
            TicketChoiceRule(),
            AnnounceMixRule(),
        )

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_rules.mechanics"),)
