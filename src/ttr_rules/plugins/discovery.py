"""Finding plugins, installed ones by entry point and others as given, and all plugins of a stack, in order."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, cast

import attrs
from attrs import frozen

from ttr_rules.errors import InvalidInputError, PluginConflictError, PluginError, TTRError, UnknownPluginError
from ttr_rules.kernel.plugin import OPTION, PluginInfo, options_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.variant import Variant
from ttr_rules.language import Catalog
from ttr_rules.model.tickets import Rule, RuleFile
from ttr_rules.plugins.core import Core
from ttr_rules.reading import is_class, is_table, read_toml
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, closest, line, written
from ttr_rules.train_cards.economy import TrainCardsPlugin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


#: The entry-point group of plugins.
GROUP = "ttr_rules.plugins"


#: The plugins below every stack: they answer the hooks that maps leave open.
BUILT_IN: Mapping[str, type[Variant]] = {"core": Core, "train-cards": TrainCardsPlugin}


@frozen(repr=False)
class Installed:
    """An installed plugin: its name, its description, and the distribution it came with.

    `problem` is set, and `info` is None, if it cannot be loaded.

    >>> from ttr_rules import installed
    >>> europe = next(each for each in installed() if each.name == "europe")
    >>> europe.distribution, europe.info.title, europe.problem
    ('ttr-rules', 'Europe (classic)', None)
    """

    name: str
    distribution: str
    version: str
    info: PluginInfo | None
    problem: str | None = None

    def __repr__(self) -> str:
        state = "" if self.problem is None else ", which cannot be loaded"
        return f"<Installed {self.name} of {self.distribution} {self.version}{state}>"


@cache
def _entry_points() -> Mapping[str, EntryPoint]:
    """The installed entry points, cached because the search takes milliseconds."""
    from importlib.metadata import entry_points  # takes a tenth of the start-up time, and is not always needed

    return {point.name: point for point in entry_points(group=GROUP)}


def _find_point(name: str) -> EntryPoint:
    if name not in _entry_points():
        _entry_points.cache_clear()  # it may have been installed in the meantime
    known = _entry_points()
    if name not in known:
        near = closest(name, known, 0.7)
        hint = f"did you mean {near!r}? " if near else ""
        raise UnknownPluginError(
            f"no plugin {brief(name)} is installed; {hint}installed: {', '.join(each.name for each in installed()) or 'none'}"
        )
    return known[name]


def installed() -> tuple[Installed, ...]:
    """All installed plugins by name. One that cannot be loaded is included, with its problem.

    >>> "europe" in {each.name for each in installed()}
    True
    """
    _entry_points.cache_clear()
    result: list[Installed] = []
    for name, point in sorted(_entry_points().items()):
        distribution, version = ("?", "?") if point.dist is None else (point.dist.name, point.dist.version)
        try:
            info, problem = load_plugin(name).info, None
            if name in info.aliases:
                continue
        except PluginError as error:
            info, problem = None, str(error)
        result.append(Installed(name, distribution, version, info, problem))
    return tuple(result)


#: A comma before a name and an equals sign; others belong to a value.
_BETWEEN_OPTIONS = re.compile(r",(?=[^][{}\"',=]*=)")


def split_name(text: str) -> tuple[str, dict[str, str]]:
    """Split a text such as `europe:tie_break=P6` into the name and the options, with values as written.

    >>> split_name("europe:tie_break=P6,number=2")
    ('europe', {'tie_break': 'P6', 'number': '2'})
    >>> split_name('passes:routes=["bern-wien", "bern-roma"]')
    ('passes', {'routes': '["bern-wien", "bern-roma"]'})
    """
    name, _, rest = text.partition(":")
    options: dict[str, str] = {}
    for part in _BETWEEN_OPTIONS.split(rest) if rest else ():
        key, equals, value = part.partition("=")
        if not equals or not key:
            raise PluginError(f"options of a plugin read like {name}:name=value, not {brief(text)}")
        if key in options:
            raise PluginError(f"option {key!r} of plugin {name!r} is given twice: {brief(text)}")
        options[key] = value
    return name, options


def _value(kind: type[object], option: str, text: str) -> object:
    """The value of an option that is given as text: the alternative that is written like this, else the text read as TOML.

    A string needs no quotes. A text that is not valid TOML, such as P6, is a string. The plugin decides whether to
    accept it.
    """
    declared = next(field for field in attrs.fields(cast("Any", kind)) if field.alias == option)
    for value in declared.metadata.get(OPTION, [()])[0]:
        if written(value) == text:
            return value
    if declared.type not in (str, "str", str | None, "str | None"):
        return read_value(text)
    return text


def read_value(text: str) -> object:
    """The value typed for an option of a plugin or a bot: parsed as TOML if possible, otherwise as written."""
    try:
        return read_toml(f"value = {text}")["value"]
    except ValueError:  # not TOML, a number of thousands of digits, or lists a thousand deep
        return text


def load_plugin(text: str, more: Mapping[str, object] | None = None) -> Variant:
    """Load the plugin installed under a name, with the options in the text and those given.

    Raises `UnknownPluginError` if there is none, `PluginError` if it cannot be loaded or has no such options.
    """
    name, options = split_name(text)
    load = partial(BUILT_IN.__getitem__, name) if name in BUILT_IN else partial(_load_target, name, _find_point(name))
    return with_options(f"plugin {name!r}", load, options, more or {})


def _load_target(name: str, point: EntryPoint) -> object:
    """Load the target of an entry point.

    It is a module, a class, an instance, or a data file, as in `my_package:table.toml`.
    """
    if point.value.endswith(".toml"):
        from importlib.resources import as_file, files

        from ttr_rules.plugins.datafile import load_variant  # most stacks have none

        with as_file(files(point.module).joinpath(point.attr)) as path:
            target: object = load_variant(path)
    else:
        target = point.load()
    if isinstance(target, ModuleType):
        target = variant_in(target)
    info: object = getattr(target, "info", None)
    if isinstance(info, PluginInfo) and name not in (info.name, *info.aliases):  # stacks and saves use both
        raise PluginError(
            f"it calls itself {brief(info.name)}: an entry point must have the name in the plugin's `info`, "
            f"so call the entry point {brief(info.name)}, or the plugin {brief(name)}"
        )
    return target


def with_options(
    source: str, load: Callable[[], object], texts: Mapping[str, str], given: Mapping[str, object]
) -> Variant:
    """The variant that `load` gives, made with options if that is a class.

    Those in `texts` are as typed, those in `given` are values. Raises `PluginError`, whose message begins with the `source`,
    if it cannot be loaded or has no such options.
    """
    try:
        kind: Any = load()
        is_class = isinstance(kind, type) and attrs.has(kind)
        known = [field.alias for field in attrs.fields(kind) if field.init] if is_class else []
        unknown = [option for option in (*texts, *given) if option not in known]
        if not unknown:
            values = {option: _value(kind, option, value) for option, value in texts.items()}
            return as_variant(_create(kind, **values, **given) if is_class else kind)
    except (Exception, SystemExit) as error:
        reason = str(error) if isinstance(error, TTRError) else f"{type(error).__name__}: {line(str(error))}"
        raise PluginError(f"{source} cannot be loaded: {reason}") from error
    if not known:
        raise PluginError(f"{source} has no options")
    near = closest(unknown[0], known)
    hint = f"did you mean {near}? It has" if near else "it has"
    raise PluginError(f"{source} has no option {brief(unknown[0])}; {hint} {', '.join(known)}")


def _create(kind: type[Any], /, **options: object) -> object:
    """A variant with these options. Raises `PluginError` if one without a default is not among them."""
    try:
        return kind(**options)
    except TypeError as error:
        need = f"cannot be created: {line(str(error))}"
        for field in attrs.fields(kind):
            if field.init and field.default is attrs.NOTHING and field.alias not in options:
                of = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "…")
                need = f"needs options: write {field.name}: {of} = option(…), or give {kind.__name__}({field.alias}=…)"
        raise PluginError(f"plugin {kind.info.name!r} {need}") from error


def read_name(plugin: object) -> str:
    """The name of a plugin of a stack, without its options."""
    return split_name(plugin)[0] if isinstance(plugin, str) else as_variant(plugin).info.name


def as_variant(given: object) -> Variant:
    """The given variant, or that of the given class or module. Raises `PluginError` for anything else."""
    if isinstance(given, ModuleType):
        given = variant_in(given)
    if is_class(given, Variant):
        given = _create(given)
    if isinstance(given, Rules):
        raise PluginError(
            f"{given!r} is not a plugin: these rules are compiled already, so start a game with new_game(rules=...); "
            "to add plugins to them, compile the whole stack anew"
        )
    if not isinstance(given, Variant):
        raise PluginError(f'{brief(given)} is not a plugin: a plugin is a class, class Mine(Variant, name="mine")')
    kind, info, version = type(given), given.info, given.info.save_version
    if not info.name:
        raise PluginError(
            f"{kind.__name__} has no name, and is a base for variants: write class {kind.__name__}(Variant, name=…)"
        )
    if type(version) is not int or version < 1:
        raise PluginError(f"save_version of {info.name!r} is a whole number of at least 1, not {brief(version)}")
    if version > 1 and kind.upcast is Variant.upcast:
        raise PluginError(
            f"{info.name!r} has save_version {version} and no `upcast`: games saved by version {version - 1} could not be "
            "loaded; see `ttr_rules.saves.saving`"
        )
    return given


def variant_in(module: ModuleType) -> type[Variant]:
    """The variant of a module that defines one. Raises `PluginError` for a module with none or several."""
    kinds = [kind for kind in vars(module).values() if is_class(kind, Variant)]
    own = {kind for kind in kinds if kind.__module__ == module.__name__ and kind.info.name}
    if len(own) != 1:
        names = ", ".join(sorted(kind.__name__ for kind in own)) or "none"
        raise PluginError(f"the module {module.__name__} is no plugin: it must have one variant, and has {names}")
    return own.pop()


def rulebook() -> Mapping[str, Rule]:
    """The rules of the library and of every installed plugin by their ids, those of the library first.

    >>> rulebook()["E1"].section
    'End and scores'
    """
    rules: dict[str, Rule] = {}
    plugins: list[Variant] = [kind() for kind in BUILT_IN.values()]
    plugins += [load_plugin(entry.name) for entry in installed() if entry.problem is None]
    for plugin in plugins:
        rules.update((rule.id, rule) for file in rule_files(plugin) for rule in file.read())
    return FrozenMap(rules)


def _package(plugin: Variant) -> str:
    """The package that contains a variant."""
    module = sys.modules.get(type(plugin).__module__)
    return getattr(module, "__package__", None) or ""


def _has(package: str, name: str) -> bool:
    """True if a package contains this file or folder."""
    from importlib.resources import files

    try:
        path = files(package).joinpath(name)
        return path.is_file() or path.is_dir()
    except (ModuleNotFoundError, TypeError, ValueError):
        return False


def catalogs(plugin: Variant) -> Iterator[Catalog]:
    """The translations of a variant: in its package, or in one that contains it."""
    package = _package(plugin)
    while package and not package.startswith("ttr_rules"):
        if _has(package, plugin.texts):
            yield Catalog(package, plugin.texts)
            return
        package = package.rpartition(".")[0]


def rule_files(plugin: Variant) -> Iterator[RuleFile]:
    """The rulebook that a plugin brings, if it has one."""
    package = _package(plugin)
    if package and _has(package, plugin.rulebook):
        yield RuleFile(package, plugin.rulebook)
    elif plugin.rulebook != Variant.rulebook:
        where = package or "its package"
        raise PluginError(f"plugin {plugin.info.name!r}: there is no file {plugin.rulebook!r} in {where}")


# -- the plugins of a stack ------------------------------------------------------------------------------------


def resolve(
    stack: Sequence[str | Variant], rulings: Mapping[str, object] | None
) -> tuple[dict[str, Variant], set[str]]:
    """The plugins of a stack by name, in an order that does not depend on how they are named.

    The built-in ones come first. Also returns the names of those that are neither named, required nor changed by
    rulings. Raises `PluginError` for plugins that are not installed or conflict, `InvalidInputError` for rulings that
    none of them has.
    """
    named = _find_named(stack)
    plugins = {name: named[name] if name in named else kind() for name, kind in BUILT_IN.items()}
    plugins |= {name: plugin for name, plugin in in_order(named).items() if name not in BUILT_IN}
    changed: set[str] = set()
    # Data-only variants set options of others.
    for options in (*[getattr(plugin, "rulings", None) for plugin in plugins.values()], rulings):
        if options is not None:
            changed |= _apply_rulings(plugins, options)
    # A built-in plugin counts as named if it was changed: saved games must record its options.
    return plugins, BUILT_IN.keys() - named.keys() - changed


def _find_named(stack: Sequence[str | Variant]) -> dict[str, Variant]:
    """The plugins that a stack names and those they require."""
    objects = {plugin.info.name: plugin for plugin in reversed(stack) if not isinstance(plugin, str)}
    plugins: dict[str, Variant] = {}
    waiting: list[tuple[str | Variant, str]] = [(item, "") for item in stack]
    for item, above in waiting:
        if isinstance(item, str) and item in plugins:
            continue  # named or required before
        try:
            plugin = load_plugin(item) if isinstance(item, str) else item
        except PluginError as error:
            if not above:
                raise
            raise type(error)(f"plugin {above!r} requires {item!r}: {error}") from error
        info = plugin.info
        if info.name in BUILT_IN and not isinstance(plugin, BUILT_IN[info.name]):
            raise PluginConflictError(f"no plugin can be called {info.name!r}: that name is the library's own")
        if info.name not in plugins:
            plugins[info.name] = plugin
            # A plugin given as an object is as good as an installed one.
            waiting += [(objects.get(name, name), info.name) for name in info.requires]
        elif plugins[info.name] is not plugin and not isinstance(item, str):
            raise PluginConflictError(f"two plugins of this stack are called {info.name!r}")
    try:
        TopologicalSorter({name: plugin.info.requires for name, plugin in plugins.items()}).prepare()
    except CycleError as error:
        raise PluginError(f"plugins require each other in a circle: {' → '.join(reversed(error.args[1]))}") from None
    return plugins


def _apply_rulings(plugins: dict[str, Variant], rulings: object) -> set[str]:
    """Set options of plugins by name, or as `plugin.option`. Returns the names of the plugins that changed."""
    if not is_table(rulings):
        raise InvalidInputError(f"rulings are a mapping such as {{'second_card_optional': True}}, not {brief(rulings)}")
    changed: set[str] = set()
    for key, value in rulings.items():
        owner, _, option = str(key).rpartition(".")
        having = [name for name, plugin in plugins.items() if option in options_of(plugin) and owner in ("", name)]
        if len(having) != 1:
            known = sorted(option for plugin in plugins.values() for option in options_of(plugin))
            what = f"there is no ruling {brief(key)}" if not having else f"several plugins have the option {brief(key)}"
            raise InvalidInputError(f"{what}; this stack has {', '.join(known) or 'none'}")
        (name,) = having
        setting = _value(type(plugins[name]), option, value) if isinstance(value, str) else value
        plugin: Variant = attrs.evolve(cast("Any", plugins[name]), **{option: setting})
        if plugin != plugins[name]:
            plugins[name] = plugin
            changed.add(name)
    return changed


def in_order(plugins: Mapping[str, Variant]) -> dict[str, Variant]:
    """The plugins of a stack by name, in the order in which their hooks are called. No two of them require each other.

    >>> list(in_order({each: load_plugin(each) for each in ("dice", "mega-europa", "europe")}))
    ['europe', 'mega-europa', 'dice']
    """
    below = {name: all_required(name, plugins) for name in plugins}
    maps = {name for name, plugin in plugins.items() if _replaces_board(plugin)}
    below_maps = {required for name in maps for required in below[name]}

    def place(name: str) -> tuple[int, int, str]:
        level = 0 if name in maps | below_maps else 1 if below[name] & maps else 2
        return level, len(below[name]), name

    ordered: dict[str, Variant] = {}
    waiting = sorted(plugins, key=place)
    while waiting:
        following = next(name for name in waiting if below[name] <= ordered.keys())
        waiting.remove(following)
        ordered[following] = plugins[following]
    return ordered


def all_required(name: str, plugins: Mapping[str, Variant]) -> set[str]:
    """The plugins that a plugin requires, directly or not."""
    direct = plugins[name].info.requires if name in plugins else ()
    return {*direct, *chain.from_iterable([all_required(each, plugins) for each in direct])}


class BelowAskedError(BaseException):
    """Ends the call of a method that adjusts as soon as it asks for the answer below."""


def ask_below() -> NoReturn:
    """Stand in for the answer below, to learn whether a method asks for it. Raises `BelowAskedError`."""
    raise BelowAskedError


def _replaces_board(plugin: Variant) -> bool:
    """True if a variant gives a map of its own, rather than adjusting another's: it does not ask for the one below."""
    try:
        with suppress(Exception):  # it is raised again when the map is asked for
            plugin.board(ask_below)
    except BelowAskedError:
        return False
    return True
