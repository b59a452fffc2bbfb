"""The dice expansion: dice and tokens in place of train cards, on any map (V8, X1–X13)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from attrs import evolve, frozen

from ttr_rules import Event
from ttr_rules.plugins import Catalog, DrawCounts, Economy, PluginInfo, RuleFile, hookimpl, retagged

from .economy import DiceEconomy
from .events import (
    EVENTS,
    DiceArranged,
    DiceFound,
    DiceLaid,
    DiceRerolled,
    DiceRolled,
    DiceSpent,
    LaidDiceSpent,
    LaidDiceTakenBack,
    TokensReturned,
    TokensTaken,
    TunnelDiceRolled,
)
from .older_saves import own_tag
from .options import DiceOptions
from .state import Dice
from .turn import DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn


@frozen
class DicePlugin(DiceOptions):
    """Dice for any stack. `tunnel_faces` is how many of the six faces of a tunnel die show a tunnel (R14).

    Raises `InvalidInputError` for a number of faces that a die does not have.

    >>> DicePlugin(tunnel_faces=2).info.name
    'dice'
    """

    @property
    def info(self) -> PluginInfo:
        summary = "Dice and tokens in place of train cards, on any map."
        return PluginInfo("dice", "The dice expansion", summary, save_version=2, shown_on=("europe", "germany-tickets"))

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        """Migrate a saved game from version 1 to version 2."""
        return {**document, "moves": retagged(document.get("moves"), own_tag)}

    @hookimpl(tryfirst=True)
    def economy(self) -> Economy:
        """Replaces the cards of any map without a conflict (V8); others may still adjust it."""
        return DiceEconomy(self)

    @hookimpl(wrapper=True, tryfirst=True)
    def draw_counts(self) -> Generator[None, DrawCounts, DrawCounts]:
        """Any number of the tickets drawn may be kept, including none (X4)."""
        return evolve((yield), keep=0)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS

    @hookimpl
    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_variants.dice"),)

    @hookimpl
    def catalogs(self) -> Iterable[Catalog]:
        return (Catalog("ttr_variants"),)


__all__ = [
    "Dice",
    "DiceArranged",
    "DiceEconomy",
    "DiceFound",
    "DiceLaid",
    "DiceOptions",
    "DicePlugin",
    "DiceRerolled",
    "DiceRolled",
    "DiceSpent",
    "DrawTicketsWithDice",
    "LaidDiceSpent",
    "LaidDiceTakenBack",
    "Reroll",
    "RerollChoice",
    "ReturnTokens",
    "TakeTokens",
    "TokenChoice",
    "TokenReturn",
    "TokensReturned",
    "TokensTaken",
    "TunnelDiceRolled",
]
