"""Saved games of the first version: dice types were tagged with the last plugin that adjusted the economy."""

from __future__ import annotations

from .turn import DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn

_NAMES = {
    kind.__name__
    for kind in (DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn)
}


def own_tag(tag: str) -> str:
    """The tag of a type today: that of the dice for their own types, whatever plugin it names.

    >>> own_tag("marklin.Reroll"), own_tag("marklin.Journey")
    ('dice.Reroll', 'marklin.Journey')
    """
    name = tag.rpartition(".")[2]
    return f"dice.{name}" if name in _NAMES else tag
