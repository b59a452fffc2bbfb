"""Pickling of rules: what they were compiled from is pickled, and compiled again when loaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from weakref import WeakValueDictionary

from attrs import resolve_types

from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Board, Ticket


def reduced(
    rules: Rules, compile: Callable[..., Rules], made_here: str
) -> tuple[Callable[..., Rules], tuple[object, ...]]:
    """How rules are pickled: what they were compiled from, and `compile` to do so again.

    `made_here` is the fingerprint of the rules this compiles to now. Raises `InvalidInputError` for rules
    that were changed after they were compiled.
    """
    stack = rules.recipe
    for kind in rules.types.values():
        if kind.__module__ == "__main__":  # cloudpickle pickles such a class, but not the names in its annotations
            with suppress(NameError):
                resolve_types(kind)
    if made_here != rules.fingerprint:
        raise InvalidInputError(
            f"the rules {rules} cannot be pickled: they were not made by compile_rules, but changed afterwards. "
            "Write the change as a plugin and compile it with the others"
        )
    return compiled_again, (compile, stack, rules.own_board, rules.more_tickets, rules.fingerprint, str(rules))


#: Unpickled rules still in use, with their stack, by fingerprint: games with the same rules share them.
_arrived: WeakValueDictionary[str, Rules] = WeakValueDictionary()


def compiled_again(
    compile: Callable[..., Rules],
    stack: Sequence[object],
    board: Board | None,
    more_tickets: tuple[Ticket, ...],
    fingerprint: str,
    title: str,
) -> Rules:
    """Compile unpickled rules. Raises `PluginError` if they differ from those that were pickled."""
    known = _arrived.get(fingerprint)
    if known is not None and known.more_tickets == more_tickets and list(known.recipe) == list(stack):
        return known
    rules = compile(*stack, board=board)
    if rules.fingerprint != fingerprint:
        raise PluginError(
            f"the rules {title} that were pickled are not those that the same stack makes here: their fingerprints differ. "
            "Use the same versions of the library and of the plugins on both sides"
        )
    if more_tickets:
        rules = rules.with_tickets(more_tickets)
    _arrived[fingerprint] = rules
    return rules
