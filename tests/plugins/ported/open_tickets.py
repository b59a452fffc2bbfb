"""Open tickets: everybody sees everybody's tickets."""

from attrs import evolve

from ttr_rules import Board
from ttr_rules.plugins import Below, Components, Variant, hookimpl


class OpenTickets(Variant, name="open-tickets"):
    """Open tickets: everybody sees everybody's tickets."""

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return evolve(below(), open_tickets=True)
