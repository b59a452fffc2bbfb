"""The rules that every stack starts from, as a plugin like any other: the longest path, P5, no map of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ttr_rules.kernel.action_rule import AnyRule
from ttr_rules.kernel.part import CarsOnRoutes, Fleets, Part
from ttr_rules.kernel.plugin import hookimpl, option
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import LONGEST_PATH, TIE_BREAK_P5
from ttr_rules.kernel.variant import Below, Variant, always
from ttr_rules.mechanics.claims import ClaimRule
from ttr_rules.mechanics.ticket_mix import AnnounceMixRule
from ttr_rules.mechanics.tickets import DrawTicketsRule, SetupChoiceRule, TicketChoiceRule
from ttr_rules.mechanics.tunnels import AbandonTunnelRule, PayTunnelRule
from ttr_rules.model.board import Board
from ttr_rules.model.tickets import Components, Deal, DrawCounts, KeepAtLeast, Setup, Stage, TicketDeck


class Core(Variant, name="core", title="The rules that all maps share"):
    """The base of every stack: plugins replace and adjust it.

    >>> Core().info.name
    'core'
    """

    shuffle_returned_tickets: bool = option(
        False, True, rule="R9", meaning="tickets put back under a pile are shuffled among themselves first"
    )

    components = always(Components())
    draw_counts = always(DrawCounts())
    bonuses = always((LONGEST_PATH,))
    tie_breaks = always(TIE_BREAK_P5)

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {route.id: route.length for route in board.routes.values()}

    @hookimpl
    def route_points(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {route.id: board.points[route.length] for route in board.routes.values()}

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return TicketDeck.by_kind(board.tickets)

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        kept: list[type[Part]] = [Fleets] if rules.components.fleets else []
        return [*kept, CarsOnRoutes] if rules.claim_cars else kept

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[AnyRule]:
        return (
            ClaimRule(),
            PayTunnelRule(),
            AbandonTunnelRule(),
            SetupChoiceRule(),
            DrawTicketsRule(),
            TicketChoiceRule(),
            AnnounceMixRule(),
        )


def default_setup(deck: TicketDeck) -> Setup:
    """The default deal: three tickets, at least two of them kept."""
    pile = "regular" if "regular" in deck.piles else next(iter(deck.piles), "regular")
    return (Stage(deals=(Deal(pile, 3),), keep=KeepAtLeast(2), under=pile),)
