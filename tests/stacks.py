"""The stacks of the variants that come with the library, for tests and for the pages about variants."""

from __future__ import annotations

import attrs
from attrs import frozen

from ttr_rules import compile_rules, installed
from ttr_rules.errors import PluginError
from ttr_rules.text import brief


@frozen
class OfficialStack:
    """A stack of the variants that are shipped with the library; `problem` says why it cannot be played as it is."""

    stack: tuple[str, ...]
    problem: str | None = attrs.field(default=None, repr=brief)


def official_stacks() -> tuple[OfficialStack, ...]:
    """Every stack of one or two variants of the library: maps and decks alone, and with each variant without a map."""
    alone = [_official(plugin.name) for plugin in installed() if plugin.distribution == "ttr-rules"]
    bases = [
        (official.stack[0], compile_rules(*official.stack).stack) for official in alone if official.problem is None
    ]
    found = [OfficialStack((base,)) for base, _ in bases]
    for other in (official for official in alone if official.problem is not None):
        (name,) = other.stack
        on_top = [_official(base, name) for base, stack in bases if name not in stack]  # else it is in there already
        found += on_top if any(official.problem is None for official in on_top) else [other]
    return tuple(found)


def _official(*stack: str) -> OfficialStack:
    try:
        compile_rules(*stack)
    except PluginError as error:
        return OfficialStack(stack, str(error))
    return OfficialStack(stack)
