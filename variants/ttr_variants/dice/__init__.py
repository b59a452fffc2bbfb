"""The dice expansion: dice and tokens in place of train cards, on any map (V8, X1–X13)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from attrs import Attribute, evolve, field, frozen

from ttr_rules import DrawCounts, Economy, Event, InvalidInputError, PluginInfo, hookimpl

from .economy import DiceEconomy
from .facts import EVENTS


def _check_faces(_: object, attribute: Attribute[Any], value: object) -> None:
    if type(value) is not int or not 0 <= value <= 6:
        raise InvalidInputError(f"{attribute.name} is a number of faces from 0 to 6, not {value!r:.40}")


@frozen
class DicePlugin:
    """Dice for any stack. `tunnel_faces` is how many of the six faces of a tunnel die show a tunnel (R14).

    Raises `InvalidInputError` for a number of faces that a die does not have.

    >>> DicePlugin(tunnel_faces=2).info.name
    'dice'
    """

    tunnel_faces: int = field(default=1, validator=_check_faces)

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("dice", "The dice expansion", "Dice and tokens in place of train cards, on any map.")

    @hookimpl(tryfirst=True)
    def economy(self) -> Economy:
        """In place of the cards of any map, which does not stand against it (V8); others may still adjust it."""
        return DiceEconomy(self.tunnel_faces)

    @hookimpl(wrapper=True, tryfirst=True)
    def draw_counts(self) -> Generator[None, DrawCounts, DrawCounts]:
        """Any number of the tickets drawn may be kept, none included (X4)."""
        return evolve((yield), keep=0)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS
