"""Short, stable names for the elements of a game, and descriptions of where two states or views differ."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import attr
import attrs

import ttr_rules
import ttr_tools
from ttr_rules import Action, Decision, Rules, State, View
from ttr_rules.errors import PluginError
from ttr_rules.model import Counts
from ttr_rules.parts import COMPARED, exposed_fields
from ttr_rules.plugins import Part, Variant, options_of
from ttr_rules.plugins.discovery import as_variant, load_plugin
from ttr_rules.reading import is_list, is_set, is_table
from ttr_rules.text import written

#: A list longer than this is shown by its length and a hash of its content.
LONGEST_LIST = 12


def short(value: object, *, without: tuple[str, ...] = ()) -> str:
    """A value in a few words, stable between runs, without the fields named in `without`.

    >>> from ttr_rules import ClaimRoute
    >>> short(ClaimRoute(0, "paris-wien-red", {"red": 2, "locomotive": 1}), without=("seat",))
    'ClaimRoute(paris-wien-red, 2 red + 1 locomotive)'
    >>> short(["red"] * 110)
    '[110 × #fc8e8b]'
    """
    if isinstance(value, Counts):
        return " + ".join(f"{count} {name}" for name, count in value.items()) or "nothing"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value or "''"
    if attrs.has(type(value)):
        parts = [short(inner) for name, inner in exposed_fields(value).items() if name not in without]
        name = type(value).__name__
        return f"{name}({', '.join(parts)})" if parts else name
    if is_table(value):
        return _in_braces([f"{short(key)}={short(inner)}" for key, inner in value.items()], "{}")
    if is_set(value):
        return _in_braces(sorted(map(short, value)), "{}")
    if is_list(value):
        return _in_braces([short(item) for item in value], "[]")
    return "-" if value is None else str(value)


def _in_braces(parts: list[str], braces: str) -> str:
    inside = " ".join(parts) if len(parts) <= LONGEST_LIST else f"{len(parts)} × #{mark(parts)}"
    return f"{braces[0]}{inside}{braces[1]}"


def mark(parts: Iterable[str]) -> str:
    """Six digits that change when a list or its order changes."""
    return sha256("\n".join(parts).encode()).hexdigest()[:6]


def members(value: object) -> Iterator[tuple[str, object]]:
    """The members of a value, by name."""
    if is_list(value) or is_set(value):
        yield from ((str(number), item) for number, item in enumerate(value))
    else:
        yield from exposed_fields(value).items()


def part_values(state: State) -> Iterator[tuple[type[Part], str, object]]:
    """The fields of all parts of a state: the type of the part, the name of the field, its value."""
    for kind, part in state.parts.items():
        for name, value in exposed_fields(part).items():
            yield kind, name, value


def plugin_name(plugin: object) -> str:
    """A plugin of a stack as written in code: its name in quotes, its class or module, or the instance."""
    if isinstance(plugin, str):
        return repr(plugin)
    return plugin.__name__ if isinstance(plugin, ModuleType | type) else repr(plugin)[:200]


def stack_name(stack: Iterable[object]) -> str:
    """A stack in a sentence: `europe + mine`."""
    names = [plugin if isinstance(plugin, str) else as_variant(plugin).info.name for plugin in stack]
    return " + ".join(names) or "an empty stack"


def list_changed_options(rules: Rules) -> Iterator[tuple[Variant, list[str]]]:
    """The plugins of a stack, each with its options that differ from their defaults, as they are typed: `tie_break=P6`.

    The library's own plugins are left out if none of their options differs.
    """
    instances = [*rules.plugins.values(), *(part for part in rules.recipe if not isinstance(part, str))]
    plugins = {plugin.info.name: plugin for plugin in map(as_variant, instances)}
    for name in dict.fromkeys((*rules.stack, *plugins)):
        plugin = plugins.get(name) or load_plugin(name)
        changed = [option for option in options_of(plugin).values() if option.value != option.default]
        typed = [f"{option.name}={written(option.value)}" for option in changed if isinstance(option.value, int | str)]
        if typed or name in rules.stack:
            yield plugin, typed


def spell_stack(rules: Rules) -> tuple[str, ...]:
    """Spell a stack as it is typed, with its options: `europe:tie_break=P6`, `dice`."""
    plugins = ((plugin.info.name, ",".join(changed)) for plugin, changed in list_changed_options(rules))
    return tuple(f"{name}:{options}" if options else name for name, options in plugins)


def class_name(kind: type[object]) -> str:
    """A class with its module."""
    return f"{kind.__module__}.{kind.__qualname__}"


def seat_name(seat: int | None) -> str:
    """A seat, or a spectator, in a sentence."""
    return "a spectator" if seat is None else f"seat {seat}"


def is_core(kind: type[object]) -> bool:
    """True if a class belongs to the library itself."""
    return kind.__module__.split(".", 1)[0] in ("ttr_rules", "ttr_tools")


def rule_name(rules: Rules, decision: object, action: object) -> str:
    """The rule that lets an action answer a decision, for a message: its class, and the economy it uses."""
    answers = rules.answers.get(type(decision)) if isinstance(decision, Decision) else None
    rule = answers.by_action.get(type(action)) if answers is not None and isinstance(action, Action) else None
    if rule is None:
        return f"the rule for {type(action).__name__}"
    kind = type(rule)
    economy: object = getattr(rule, "economy", None)
    paid = f" (paid with {class_name(type(economy))})" if economy is not None and is_core(kind) else ""
    return class_name(kind) + paid


#: The folders of the library and of `attrs`, and code that has no file.
_NOT_OF_PLUGINS = (
    *[f"{Path(module.__file__ or '').parent}{os.sep}" for module in (ttr_rules, ttr_tools, attrs, attr)],
    "<",
)


def describe_error(error: BaseException) -> str:
    """An error and where it came from, in one line."""
    cure = ""
    if isinstance(_origin(error), attrs.exceptions.FrozenInstanceError):
        cure = "; variants, rules and values never change: keep what a game changes in a field of a part"
    named = _origin(error) is not error  # it names the plugin, and what was done
    return f"{'' if named else f'{type(error).__name__}: '}{error} (in {where_raised(error)}){cure}"


def _origin(error: BaseException) -> BaseException:
    """The error of a plugin that a `PluginError` tells of, or else the error itself."""
    return error.__cause__ or error if isinstance(error, PluginError) else error


def where_raised(error: BaseException) -> str:
    """The place that an error came from, innermost in a plugin, or else outside this package: function, file and line."""
    frames = traceback.extract_tb(_origin(error).__traceback__)[::-1]
    not_here = [frame for frame in frames if not frame.filename.startswith(str(Path(__file__).parent))]
    of_plugins = [frame for frame in not_here if not frame.filename.startswith(_NOT_OF_PLUGINS)]
    frame = [*of_plugins, *not_here, frames[0]][0]
    return f"{frame.name}, {Path(frame.filename).name} line {frame.lineno}"


# -- differences -----------------------------------------------------------------------------------------------------


def full_text(value: object) -> str:
    """The full text of a value, even if its repr is short. Later changes of the value do not affect it.

    >>> from ttr_rules import Counts
    >>> full_text({"hand": Counts(red=2)})
    "{'hand': {'red': 2}}"
    """
    return repr(_in_full(value))


_PLAIN = frozenset({int, str, bool, float, type(None)})


def _in_full(value: object) -> object:
    kind: type[object] = type(value)
    if kind in _PLAIN:
        return value
    if is_list(value):  # most are long ones of plain values
        items = [item if type(item) in _PLAIN else _in_full(item) for item in value]
        return tuple(items) if kind is tuple else items
    if is_table(value):
        return {key: _in_full(inner) for key, inner in value.items()}
    if attrs.has(kind):
        return (kind.__qualname__, {name: _in_full(inner) for name, inner in exposed_fields(value).items()})
    return value


def state_texts(state: State) -> dict[str, str]:
    """Everything about a state by name, as texts that later changes of the state do not affect."""
    texts = {f"state.{name}": full_text(getattr(state, name)) for name in COMPARED}
    for kind, part in state.parts.items():
        texts[class_name(kind)] = full_text(part.value())
        texts.update({f"{class_name(kind)}.{name}": text for name, text in _attributes(part).items()})
    return texts


def _attributes(part: Part) -> dict[str, str]:
    names: dict[str, None] = dict.fromkeys(getattr(part, "__dict__", ()))
    for kind in type(part).__mro__:
        slots: str | Iterable[str] = vars(kind).get("__slots__", ())
        names.update(dict.fromkeys([slots] if isinstance(slots, str) else slots))
    return {name: full_text(getattr(part, name)) for name in names if hasattr(part, name) and name != "__weakref__"}


def differences(mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The names with different texts, with both. A name is left out where a more specific one says it."""
    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    names = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    return [(name, mine.get(name, "-"), theirs.get(name, "-")) for name in names]


def describe_difference(
    state: State | Mapping[str, str], other: State | Mapping[str, str], first: str, second: str
) -> str:
    """Describe where two states, or their texts, differ: `Album.left is [1] in the game, [2] in the copy`."""
    mine, theirs = (state_texts(side) if isinstance(side, State) else side for side in (state, other))
    changes = differences(mine, theirs)[:3]
    texts = [f"{name} is {_cut(here)} {first}, {_cut(there)} {second}" for name, here, there in changes]
    return "; ".join(texts) or "a part's value() differs, though all of its attributes read the same"


def view_differences(view: View, other: View) -> list[tuple[str, str, str]]:
    """The names of what two views show differently, with both texts. What parts show goes by its key."""
    if view == other:
        return []
    mine, theirs = _collect_shown(view), _collect_shown(other)
    # Texts of these alone: views have too many to write all.
    names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
    texts = [{name: full_text(shown[name]) for name in names if name in shown} for shown in (mine, theirs)]
    return differences(*texts)


def _collect_shown(view: View) -> dict[str, object]:
    shown = {f"view.{field.name}": getattr(view, field.name) for field in attrs.fields(View) if field.name != "parts"}
    for name, part in view.parts.items():
        shown.update({f"{key!r} of {name}.seen_by": value for key, value in exposed_fields(part).items()})
    return shown


def view_difference(view: View, other: View) -> str:
    """Describe the first place where two views differ. The text is empty if there is none."""
    first = view_differences(view, other)[:1]
    return "".join(f"{name} ({_cut(mine)} or {_cut(theirs)})" for name, mine, theirs in first)


def _cut(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:40]}…{text[-35:]}"
