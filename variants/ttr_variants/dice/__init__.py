"""The dice expansion: dice and tokens in place of train cards, on any map (V8, X1–X13)."""

from __future__ import annotations

from attrs import evolve

from ttr_rules import Board
from ttr_rules.plugins import Below, DrawCounts, Economy, hookimpl, tryfirst

from .economy import DiceEconomy as DiceEconomy
from .state import (
    Dice as Dice,
    DiceArranged as DiceArranged,
    DiceFound as DiceFound,
    DiceLaid as DiceLaid,
    DiceOptions as DiceOptions,
    DiceRerolled as DiceRerolled,
    DiceRolled as DiceRolled,
    DiceSpent as DiceSpent,
    DrawTicketsWithDice as DrawTicketsWithDice,
    LaidDiceSpent as LaidDiceSpent,
    LaidDiceTakenBack as LaidDiceTakenBack,
    Reroll as Reroll,
    RerollChoice as RerollChoice,
    ReturnTokens as ReturnTokens,
    TakeTokens as TakeTokens,
    TokenChoice as TokenChoice,
    TokenReturn as TokenReturn,
    TokensReturned as TokensReturned,
    TokensTaken as TokensTaken,
    TunnelDiceRolled as TunnelDiceRolled,
)


class DicePlugin(DiceOptions, name="dice", title="The dice expansion"):
    """Dice and tokens in place of train cards, on any map.

    `tunnel_faces` is the number of the six faces of a tunnel die that show a tunnel (R14). Raises `InvalidInputError` for a
    number of faces that a die does not have.

    >>> DicePlugin(tunnel_faces=2).info.name
    'dice'
    """

    @tryfirst
    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        """Replaces the cards of any map without a conflict (V8). Others may still adjust it."""
        return DiceEconomy(self)

    @tryfirst
    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        """Any number of the tickets drawn may be kept, including none (X4)."""
        return evolve(below(), keep=0)
