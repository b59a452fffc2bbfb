"""The list of rules: every id that refusals, docstrings and tests cite, with what it says in our words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from attrs import frozen

from ttr_rules._internal.limits import read_toml


@frozen
class Rule:
    """One rule. A ruling that can be decided otherwise names its field of `Rulings` and the other value, as in Python.

    >>> print(rulebook()["C5"])
    [C5] Never both halves
    """

    id: str
    title: str
    text: str
    section: str
    ruling: str | None = None
    alternative: str | None = None

    def __str__(self) -> str:
        return f"[{self.id}] {self.title}"


@cache
def rulebook() -> Mapping[str, Rule]:
    """Every rule by its id, in the order of a game: set-up, turns, the end, variants, rulings.

    >>> rules = rulebook()
    >>> rules["E1"].section
    'End and scores'
    >>> rules["R5"].ruling, rules["R5"].alternative
    ('second_card_optional', 'True')
    >>> rules["R1"].ruling is None
    True
    """
    from importlib.resources import files  # takes a while, and is seldom needed

    text = files("ttr_rules.model").joinpath("rulebook.toml").read_text(encoding="utf-8")
    return MappingProxyType({id: Rule(id, **entry) for id, entry in read_toml(text).items()})
