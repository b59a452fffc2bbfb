"""Saved games of the first version: dice types were tagged with the last plugin that adjusted the economy."""

from __future__ import annotations

from typing import Any, cast

from .turn import DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn

_NAMES = {
    kind.__name__
    for kind in (DrawTicketsWithDice, Reroll, RerollChoice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn)
}


def with_own_tags(value: Any) -> Any:
    """Plain data in which the types of the dice are tagged by their own plugin.

    >>> with_own_tags([{"type": "marklin.Reroll", "seat": 0}, {"type": "marklin.Journey"}])
    [{'type': 'dice.Reroll', 'seat': 0}, {'type': 'marklin.Journey'}]
    """
    if isinstance(value, list):
        return [with_own_tags(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    found = {key: with_own_tags(each) for key, each in cast("dict[str, Any]", value).items()}
    tag = found.get("type")
    name = tag.rpartition(".")[2] if isinstance(tag, str) else None
    return {**found, "type": f"dice.{name}"} if name in _NAMES else found
