"""Checks of a stack before any game: it compiles to the same rules each time, for every number of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ttr_rules import Rules
from ttr_rules.events import Event
from ttr_rules.model import Decision
from ttr_rules.plugins import Variant, compile_rules, info_of, shortages
from ttr_tools.testing.game_run import played
from ttr_tools.testing.names import class_name, owner_of
from ttr_tools.testing.problems import Problem

#: How many actions of two games are compared; some games do not end.
MOST_COMPARED = 600
NAME = "stack"
CLAIM = "the stack compiles to the same rules each time, and serves every number of players"


class DoNothing(Variant, name="does-nothing"):
    """Nothing: a stack is the same with it."""


def stack_problems(
    stack: Sequence[object], rules: Rules, players: Sequence[int], rulings: Mapping[str, Any] | None
) -> list[Problem]:
    """The problems of a stack before any game."""
    found: list[str] = []
    for each in stack:
        info = None if isinstance(each, str) else info_of(each)
        if info is not None and not (info.name.strip() and info.title.strip()):
            found.append(f"plugin {info.name!r} needs a name and a title: they are what players see")
    found += _types(rules)
    found += _idle(rules)
    most = rules.components
    for count in players:
        if not most.min_players <= count <= most.max_players:
            found.append(f"components says {most.min_players} to {most.max_players} players, not {count}")
        found += [
            f"{short}; deal less, add tickets, or lower max_players in components" for short in shortages(rules, count)
        ]
    if not found:
        found += _compiled_again(stack, rules, players[0], rulings)
    return [Problem(NAME, message) for message in found]


def _types(rules: Rules) -> list[str]:
    found: list[str] = []
    for kind in rules.types.values():
        if not attrs.has(kind) or "__attrs_attrs__" not in vars(kind):
            found.append(
                f"{class_name(kind)} of {owner_of(rules, kind)} must be an attrs class: write @frozen above it"
            )
        elif issubclass(kind, Event) and not callable(getattr(kind, "effect", None)):
            found.append(f"the event {class_name(kind)} has no effect: give it a static method effect(state, …)")
        elif not issubclass(kind, Event) and "seat" not in {field.name for field in attrs.fields(kind)}:
            what = "decision" if issubclass(kind, Decision) else "action"
            found.append(f"the {what} {class_name(kind)} has no field seat")
    return found


def _idle(rules: Rules) -> list[str]:
    """Plugins of the stack that should adjust something but do not, and have no note that says so."""
    return [
        f"plugin {name!r} adjusts {each.hook!r}, but gives back what it is given: in this stack it changes nothing. Let it "
        f"raise a PluginError for what it cannot adjust, or say so in its notes: '{name}: …'"
        for each in rules.provenance
        for name in each.unchanged
        if name in rules.requested and not any(note.startswith(f"{name}:") for note in rules.notes)
    ]


def _compiled_again(
    stack: Sequence[object], rules: Rules, players: int, rulings: Mapping[str, Any] | None
) -> list[str]:
    again = compile_rules(*stack, DoNothing(), rulings=rulings)
    if again.fingerprint != rules.fingerprint:
        return [
            (
                "compiled a second time, together with a plugin that does nothing, the stack gives other rules: a hook depends "
                "on something else than its arguments (chance, the clock, the order of a set, the plugins beside it)"
            )
        ]
    try:
        first, second = (played(rules=each, players=players, seed=1, actions=MOST_COMPARED) for each in (rules, again))
        same = first.events == second.events and first.final_scores == second.final_scores
    except Exception:  # the checks that follow games say why
        return []
    if not same:
        return [
            (
                "compiled a second time, together with a plugin that does nothing, the stack plays another game from the same "
                "seed: an action rule keeps something from game to game, or chance does not come from tx.shuffled and tx.roll"
            )
        ]
    return []
