"""The marks of hooks, the description of a plugin, and its options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import pluggy
from attrs import Attribute, field, frozen

from ttr_rules.errors import HookTypeError, InvalidInputError, PluginError, TTRError
from ttr_rules.reading import is_list
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, line, written

PROJECT = "ttr_rules"
CHANCE = "ttr_rules.model.chance"
hookspec = pluggy.HookspecMarker(PROJECT)
T = TypeVar("T")

if TYPE_CHECKING:
    # Type checkers see `typing.override`, so they compare name, order, types and result with the method of `Variant`.
    from typing_extensions import override as hookimpl
else:
    hookimpl = pluggy.HookimplMarker(PROJECT)
#: The key of a field's metadata for its alternatives, its rule and its meaning.
OPTION = "option"
_SAVED = "saved, but no option"


@frozen
class PluginInfo:
    """The description of a plugin: its name in a stack, a title, a one-line summary, and the plugins it is built on.

    `save_version` is the version of its data in saved games: see `ttr_rules.saves.saving`. `aliases` are alternative
    names, such as a former one. `titles` are titles in other languages.

    >>> import ttr_rules as ttr
    >>> dice = next(each for each in ttr.installed() if each.name == "dice").info
    >>> dice.title, dice.requires
    ('The dice expansion', ())
    """

    name: str
    title: str
    summary: str = ""
    requires: tuple[str, ...] = ()
    save_version: int = 1
    aliases: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(factory=FrozenMap[str, str], converter=FrozenMap[str, str])


#: Methods that may raise `InvalidInputError` about an action or a table.
_MAY_COMPLAIN = ("refusal", "refuse", "arrange")


def blame(failure: Exception, plugins: Iterable[object], doing: str) -> None:
    """Raise a `PluginError` that names a plugin and its method, if code of the plugin raised `failure`.

    `doing` says when it happened. If several plugins are in the traceback, the one that was called last is named. Plugins of
    one module are told apart by `self`, where possible. Errors of the library are included if a plugin caused them by a
    wrong call, for example of a transaction, and they do not name it yet. Errors of a caller's chance object are left alone,
    and so are those that a plugin raises on purpose about an action or a table.
    """
    is_ours = isinstance(failure, TTRError)
    if is_ours and (type(failure) not in (PluginError, HookTypeError, InvalidInputError) or "plugin '" in str(failure)):
        return
    homes: dict[str | None, list[object]] = {}
    for plugin in {id(plugin): plugin for plugin in plugins}.values():  # a plugin may occur several times
        home = sys.modules.get(type(plugin).__module__)
        if home is not None and not home.__name__.startswith("ttr_rules.") and _plugin_name(plugin):
            for place in {home.__name__, home.__package__ or home.__name__}:
                homes.setdefault(place, []).append(plugin)
    name = where = file = before = ""
    at = 0
    for frame, number in walk_tb(failure.__traceback__):
        module: str = frame.f_globals.get("__name__", "")
        if before == CHANCE and not module.startswith("ttr_rules."):
            return  # raised by the caller's chance object
        before = module
        nearby = homes.get(module) or homes.get(frame.f_globals.get("__package__"))
        if nearby is not None:
            called = [plugin for plugin in nearby if plugin is frame.f_locals.get("self")] or nearby
            names = [_plugin_name(plugin) for plugin in called]
            names_here = name if name in names else " or ".join(names)
            where = where if names_here == name else frame.f_code.co_qualname
            name, file, at = names_here, Path(frame.f_code.co_filename).name, number
            if type(failure) is InvalidInputError and frame.f_code.co_name in _MAY_COMPLAIN:
                return
    if name:
        source = f"plugin {name!r} failed in {where} ({file}, line {at}), {doing}"
        raise PluginError(
            f"{source}: {'' if is_ours else f'{type(failure).__name__}: '}{line(str(failure))}"
        ) from failure


def _plugin_name(plugin: object) -> str:
    """The name of a plugin, or None for another object."""
    info = getattr(plugin, "info", None)
    return info.name if isinstance(info, PluginInfo) else ""


@contextmanager
def blaming(plugins: Iterable[object], doing: str) -> Generator[None]:
    """Run a block and let `blame` handle its errors."""
    try:
        yield
    except Exception as failure:
        blame(failure, plugins, doing)
        raise


def blamed(
    source: str | Callable[[], str],
    call: Callable[..., T],
    *arguments: object,
    error: type[TTRError] = PluginError,
    passing: tuple[type[Exception], ...] = (PluginError,),
) -> T:
    """Call a function of a plugin. Its errors, except those in `passing`, become one that names `source`.

    >>> blamed("scoring term 'parks' of plugin 'mine'", int, "many")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.PluginError: scoring term 'parks' of plugin 'mine' failed: ValueError: invalid literal ...
    """
    try:
        return call(*arguments)
    except passing:
        raise
    except Exception as failure:
        name = source if isinstance(source, str) else source()
        is_clear = isinstance(failure, InvalidInputError)  # its message says what is wrong
        words = f"{name}: {failure}" if is_clear else f"{name} failed: {type(failure).__name__}: {line(str(failure))}"
        raise error(words) from failure


def one_of(*allowed: object) -> Callable[[object, Attribute[object], object], None]:
    """A validator for an attrs field that accepts only these values. It raises `InvalidInputError` for others.

    >>> @frozen
    ... class Mine:
    ...     pace: str = field(default="calm", validator=one_of("calm", "brisk"))
    >>> Mine("hasty")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: 'pace' is 'calm' or 'brisk', not 'hasty'
    """

    def check(_: object, attribute: Attribute[object], value: object) -> None:
        if not any(type(value) is type(one) and value == one for one in allowed):
            values = "true or false" if any(one is True for one in allowed) else " or ".join(map(repr, allowed))
            raise InvalidInputError(f"{(attribute.alias or attribute.name)!r} is {values}, not {brief(value)}")

    return check


@frozen
class Option:
    """An option of a plugin: its name, value, default, alternatives, the ruling that it decides, and its meaning.

    >>> from ttr_variants.europe import Europe
    >>> chosen = options_of(Europe(tie_break="P6"))["tie_break"]
    >>> chosen.value, chosen.default, chosen.rule
    ('P6', 'P5', 'P5')
    """

    name: str
    value: object
    default: object
    alternatives: tuple[object, ...] = ()
    rule: str = ""
    meaning: str = ""

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        default = ", the default"
        others = [
            f"{written(other)}{default if other == self.default else ''}"
            for other in self.alternatives
            if other != self.value
        ]
        more = f" (or {', '.join(others)})" if others else ""
        return f"{self.name} = {written(self.value)}{more}{rule}: {self.meaning}".rstrip(": ")


def option(default: T, *others: T, rule: str = "", meaning: str = "", **more: Any) -> T:
    """A field of a plugin that decides a case the rulebooks leave open: `default`, or one of the `others`.

    Without others, the `validator` decides which values are allowed. Further arguments go to `attrs.field`. An option
    whose default is a tuple also takes a list, as on a command line or in a saved game, or a single value.
    `explain` shows the option with its meaning and alternatives. Set it with
    `compile_rules("europe:station_choice=ask")`, `rulings={"station_choice": "ask"}`, or by creating the plugin in
    Python.

    >>> from ttr_rules.plugins import Variant
    >>> class Mine(Variant, name="mine"):
    ...     friendly: bool = option(False, True, meaning="nobody blocks anybody")
    >>> str(options_of(Mine())["friendly"])
    'friendly = false (or true): nobody blocks anybody'
    """
    values = (default, *others)
    if others:
        more["validator"] = one_of(*values)
    if is_list(default):
        more.setdefault("converter", _as_tuple)
    made: T = field(default=default, metadata={OPTION: (values if others else (), rule, meaning)}, **more)
    return made


def _as_tuple(value: object) -> object:
    return tuple(value) if is_list(value) else (value,)


def saved(*, default: Any = attrs.NOTHING, repr: bool = True) -> Any:
    """A field of a plugin that is not an option: it is saved with games, but people neither see nor set it.

    >>> @frozen
    ... class Mine:
    ...     table: tuple[int, ...] = saved(default=(1, 2))
    >>> list(options_of(Mine())), list(settings_of(Mine()))
    ([], ['table'])
    """
    return field(default=default, repr=repr, metadata={_SAVED: True})


def options_of(plugin: object) -> Mapping[str, Option]:
    """The options of a plugin instance, by argument name: its attrs fields without the `saved` ones."""
    return _settings(plugin, lambda attribute: _SAVED not in attribute.metadata)


def settings_of(plugin: object) -> Mapping[str, Option]:
    """The options and `saved` fields of a plugin instance, by argument name."""
    return _settings(plugin, lambda _: True)


def _settings(plugin: object, wanted: Callable[[Attribute[object]], bool]) -> Mapping[str, Option]:
    kind: type[object] = type(plugin)
    if isinstance(plugin, ModuleType) or not attrs.has(kind):
        return FrozenMap({})
    settings: dict[str, Option] = {}
    for attribute in attrs.fields(kind):
        if attribute.init and wanted(attribute):
            name = attribute.alias or attribute.name
            values, rule, meaning = attribute.metadata.get(OPTION, ((), "", ""))
            settings[name] = Option(name, getattr(plugin, attribute.name), attribute.default, values, rule, meaning)
    return FrozenMap(settings)


@frozen
class Provenance:
    """The plugins that answered a hook of this stack: the one that gave the value and its adjusters, or all contributors.

    `unchanged` are those that could have adjusted the value but returned it as it was. `replaced` are those whose answers
    do not count, because another plugin answered without calling `below()`.

    >>> print(Provenance("bonuses", ("night-trains",), replaced=("core",)))
    bonuses: night-trains (replaces core)
    """

    hook: str
    by: tuple[str, ...]
    adjusted: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = " + ".join(self.by)
        if self.replaced:
            text += f" (replaces {', '.join(self.replaced)})"
        return f"{self.hook}: {text}" + (f" ⟵ adjusted by {', '.join(self.adjusted)}" if self.adjusted else "")


__all__ = ["hookimpl"]
