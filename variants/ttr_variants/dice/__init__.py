"""The dice expansion: dice and tokens in place of train cards, on any map (V8, X1–X13)."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from attrs import evolve, field, frozen, validators

from ttr_rules import DrawCounts, Economy, Event, PluginInfo, hookimpl

from .economy import DiceEconomy
from .state import EVENTS


@frozen
class DicePlugin:
    """Dice for any stack. `tunnel_faces` is how many of the six faces of a tunnel die show a tunnel (R14).

    >>> DicePlugin(tunnel_faces=2).info.name
    'dice'
    """

    tunnel_faces: int = field(default=1, validator=[validators.instance_of(int), validators.ge(0), validators.le(6)])

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("dice", "The dice expansion", "Dice and tokens in place of train cards, on any map.")

    @hookimpl(tryfirst=True)
    def economy(self) -> Economy:
        """Dice instead of whatever a map is paid with."""
        return DiceEconomy(self.tunnel_faces)

    @hookimpl(wrapper=True)
    def draw_counts(self) -> Generator[None, DrawCounts, DrawCounts]:
        """Any number of the tickets drawn may be kept, none included (X4)."""
        return evolve((yield), keep=0)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS
