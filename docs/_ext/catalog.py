"""Collects everything to document from the code: names, hooks, plugins, types, rules and their tests."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
from attrs import frozen

import ttr_rules
import ttr_tools
import ttr_variants
from ttr_rules import Action, Decision, Event, Rules, compile_rules, installed
from ttr_rules.errors import PluginError
from ttr_rules.kernel.variant import HOOKS, VALUES
from ttr_rules.model import Rule
from ttr_rules.plugins import Installed, Variant, options_of
from ttr_rules.plugins.discovery import BUILT_IN, load_plugin, rule_files

TESTS = Path(__file__).parents[2] / "tests"
DOCS = Path(__file__).parents[1]
OURS = "ttr-rules"
#: The modules that people import from. A name is documented with the first of them that has it.
PUBLIC = (
    "ttr_rules",
    "ttr_rules.plugins",
    "ttr_rules.events",
    "ttr_rules.model",
    "ttr_rules.play",
    "ttr_rules.train_cards",
    "ttr_rules.boards",
    "ttr_rules.saves",
    "ttr_rules.clients",
    "ttr_rules.language",
    "ttr_rules.engine",
    "ttr_rules.parts",
    "ttr_rules.actions",
    "ttr_rules.scores",
    "ttr_rules.hints",
    "ttr_rules.sequences",
    "ttr_rules.graph",
    "ttr_rules.reading",
    "ttr_rules.loading",
    "ttr_rules.text",
    "ttr_tools.narration",
    "ttr_tools.replay",
    "ttr_tools.bots",
    "ttr_tools.render",
    "ttr_rules.hidden",
    "ttr_tools.simulation",
    "ttr_tools.learning",
    "ttr_tools.web",
    "ttr_tools.testing",
    "ttr_rules.errors",
)
RULE_ID = re.compile(r"(?<![\w.])[A-Z]{1,2}\d{1,2}(?!\w)")


def source_of(module: str) -> str:
    """The source of a module. It is not imported: that may need a library that is not installed, such as OpenSpiel."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return Path(spec.origin).read_text(encoding="utf-8")


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module, which is not imported."""
    return ast.parse(source_of(module))


@frozen
class PublicName:
    """A public name: the module that it is imported from, and the one that defines it, both in full."""

    module: str
    home: str


def names_in(module: str) -> list[str]:
    """The public names of a module: those in `__all__`, or all that it defines, or imports, if it only hands them on."""
    there = import_module(module)
    own = [name for name, value in vars(there).items() if name[0] != "_" and not isinstance(value, ModuleType)]
    defined = [name for name in own if getattr(vars(there)[name], "__module__", "") == module]
    return getattr(there, "__all__", sorted(defined or own))


@cache
def public_names() -> Mapping[str, PublicName]:
    """Every public name, under the first public module that has it."""
    found: dict[str, PublicName] = {}
    for module in PUBLIC:
        for name in names_in(module):
            if name not in found and not name.startswith("__"):
                found[name] = PublicName(module, home_of(name, module))
    return found


def value_of(name: str) -> Any:
    """The object that a public name stands for."""
    return getattr(import_module(public_names()[name].module), name)


def home_of(name: str, module: str) -> str:
    """The module that defines what another one hands on."""
    value = getattr(import_module(module), name)
    if isinstance(value, type) or inspect.isroutine(value):
        return value.__module__ if value.__module__.startswith("ttr_") else module  # `i64` is `int`
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            return home_of(name, node.module)
    return module


def comment_on(name: str, module: str) -> str:
    """The `#:` comment at a constant: beside it, or in the lines above."""
    source = source_of(module)
    found = re.search(rf"((?:^#:.*\n)*)^{name}\b[^\n]*?(#:.*)?$", source, re.MULTILINE)
    lines = (found[1] + (found[2] or "")).splitlines() if found else []
    return " ".join(line.removeprefix("#:").strip() for line in lines)


def first_line(thing: object) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split())


# -- plugins and hooks -----------------------------------------------------------------------------------------


@cache
def plugins() -> list[Installed]:
    """The plugins of this distribution, by name."""
    return [each for each in installed() if each.distribution == OURS and each.info is not None]


@cache
def rules_with(name: str) -> Rules | None:
    """The rules of a stack with a plugin: alone if it can be, else with one that is built on it, else on Europe."""
    built_on_it = [(each.name,) for each in plugins() if each.info is not None and name in each.info.requires]
    for stack in ((name,), *built_on_it, ("europe", name)):
        try:
            return compile_rules(*stack)
        except PluginError:
            continue
    return None


def hook_functions(plugin: object) -> dict[str, Any]:
    """The methods of a plugin that override hooks, by hook."""
    return {name: getattr(plugin, name) for name in HOOKS if getattr(type(plugin), name) is not getattr(Variant, name)}


def own_rules(name: str) -> list[Rule]:
    """The rules that a plugin brings."""
    return [rule for file in rule_files(load_plugin(name)) for rule in file.read()]


def is_wrapper(function: Any) -> bool:
    """True if a method for a value adjusts the value below."""
    return function.__name__ in VALUES and "below()" in inspect.getsource(function)


#: The hooks whose answers are collected when a stack is compiled.
THINGS = [hook for hook in HOOKS if [*inspect.signature(getattr(Variant, hook)).parameters] == ["self", "rules"]]


@cache
def implementations() -> Mapping[str, Mapping[str, Any]]:
    """For each hook the functions that implement it, by plugin: those below every stack first."""
    found: dict[str, dict[str, Any]] = {name: {} for name in hook_signatures()}
    for name in (*BUILT_IN, *(each.name for each in plugins())):
        for hook, function in hook_functions(load_plugin(name)).items():
            found[hook][name] = function
    return found


@cache
def hook_signatures() -> Mapping[str, str]:
    """Every hook with its signature as written, in the order of `Variant`."""
    (variant,) = (
        node
        for node in parsed("ttr_rules.kernel.variant").body
        if isinstance(node, ast.ClassDef) and node.name == "Variant"
    )
    return {
        node.name: f"{node.name}({ast.unparse(node.args)}) -> {ast.unparse(node.returns)}"
        for node in variant.body
        if isinstance(node, ast.FunctionDef) and node.name in HOOKS and node.returns is not None
    }


@cache
def shown_on() -> Mapping[str, Mapping[str, str]]:
    """For each hook the pages with a plugin that overrides it, with their titles."""
    shown: dict[str, dict[str, str]] = {name: {} for name in HOOKS}
    for folder in ("how-to", "tutorial", "explanation"):
        for path in sorted(DOCS.glob(f"{folder}/*.md")):
            text = path.read_text(encoding="utf-8")
            for hook in re.findall(r"^ +@hookimpl\n +def (\w+)", text, re.MULTILINE):
                shown[hook][path.relative_to(DOCS).as_posix()] = text.partition("\n")[0].removeprefix("# ")
    return shown


# -- actions, decisions, events --------------------------------------------------------------------------------


@cache
def types() -> Mapping[str, type[Any]]:
    """Every action, decision and event of the plugins here, under its tag in saved games; the core's first."""
    found: dict[str, type[Any]] = {}
    for each in plugins():
        rules = rules_with(each.name)
        if rules is not None:
            found |= rules.types
    return dict(sorted(found.items(), key=lambda item: (not item[0].startswith("core."), item[0])))


def types_of(base: type[Action | Decision | Event]) -> dict[str, type[Any]]:
    """Those of one base."""
    return {tag: kind for tag, kind in types().items() if issubclass(kind, base)}


def answers() -> Mapping[type[Any], list[type[Any]]]:
    """For each decision the actions that answer it, in any stack."""
    found: dict[type[Any], list[type[Any]]] = {}
    for each in plugins():
        rules = rules_with(each.name)
        for rule in rules.action_rules if rules else ():
            listed = found.setdefault(rule.on, [])
            if rule.action not in listed:
                listed.append(rule.action)
    turn = found.setdefault(ttr_rules.Turn, [])
    turn += [ttr_rules.Pass] if ttr_rules.Pass not in turn else []
    return found


def fields_of(kind: type[Any]) -> Iterator[tuple[str, str, str]]:
    """The fields of a class: name, type as written, and whose secret it is."""
    written: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        written |= {name: str(note) for name, note in inspect.get_annotations(base).items()}
    for each in attrs.fields(kind):
        secrecy = ""
        if "secret" in each.metadata:
            owner, counted = each.metadata["secret"]
            owners = " and ".join(f"`{each}`" for each in owner)
            secrecy = f"seen by {owners} only" if owner else "seen by nobody"
            secrecy += "" if counted else ", not even how many"
        yield each.name, written.get(each.name, "").replace(" | Unknown", ""), secrecy


# -- rules -----------------------------------------------------------------------------------------------------


def _nodes(body: Iterable[ast.AST], prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """The functions and classes of a module with their dotted names, those inside before the whole."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            name = f"{prefix}{node.name}"
            yield from _nodes(node.body, f"{name}.")
            yield name, node


@cache
def cited() -> Mapping[str, list[str]]:
    """For each rule id the classes and functions whose source cites it, the innermost, as `module: name`; examples do not count."""
    found: dict[str, list[str]] = {}
    for package in (ttr_rules, ttr_tools, ttr_variants):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if each.name.endswith("__main__"):
                continue
            lines = _without_examples(source_of(each.name).splitlines())
            cites = {number: ids for number, line in enumerate(lines, 1) if (ids := RULE_ID.findall(line))}
            for name, node in [*_nodes(parsed(each.name).body), ("", None)] if cites else ():
                first = getattr(node, "lineno", 1)
                last = getattr(node, "end_lineno", None) or len(lines)
                inside = [number for number in cites if first <= number <= last]
                for id in dict.fromkeys(id for number in inside for id in cites.pop(number)):
                    found.setdefault(id, []).append(f"{each.name}: {name}" if name else each.name)
    return {id: sorted(places) for id, places in found.items()}


def _without_examples(lines: Iterable[str]) -> list[str]:
    """The lines of a module; those of examples in docstrings are empty."""
    found: list[str] = []
    example = False
    for line in lines:
        text = line.strip()
        example = text not in ("", '"""') and (example or text.startswith(">>> "))
        found.append("" if example else line)
    return found


#: What describes, checks or plays by the rules, and keeps none of them.
NO_KEEPERS = re.compile(r"ttr_rules\.(model|errors)\b|ttr_tools\b|ttr_\w+\.[\w.]*events\b")


@cache
def kept() -> Mapping[str, list[str]]:
    """For each rule id the classes and functions that keep it, as `module: name`: those that refuse by it first.

    They are cited places of the rules of play, without whole modules, and without the events that tell what happened.
    """
    refusing = _in_code()
    found: dict[str, list[str]] = {}
    for id, places in cited().items():
        keepers = [place for place in places if ": " in place and not NO_KEEPERS.match(place)]
        found[id] = sorted(keepers, key=lambda place: place not in refusing.get(id, ()))
    return found


def _in_code() -> Mapping[str, set[str]]:
    """For each rule id the classes and functions that have it as a text of its own, as in `Refusal("C5", ...)`."""
    found: dict[str, set[str]] = {}
    for package in (ttr_rules, ttr_tools, ttr_variants):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, node in _nodes(parsed(each.name).body) if not each.name.endswith("__main__") else ():
                for text in ast.walk(node):
                    if isinstance(text, ast.Constant) and RULE_ID.fullmatch(str(text.value)):
                        found.setdefault(str(text.value), set()).add(f"{each.name}: {name}")
    return found


def _ids_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and re.fullmatch(r"(pytest\.)?mark\.rule", ast.unparse(call.func)):
                yield from (each.value for each in call.args if isinstance(each, ast.Constant))  # type: ignore[misc]


@cache
def tested() -> Mapping[str, list[str]]:
    """For each rule id the tests that are marked with it, as `file::test`; a mark on a file or class names that."""
    found: dict[str, list[str]] = {}

    def walk(body: Iterable[ast.AST], place: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                inner = f"{place}::{node.name}"
                for id in dict.fromkeys(_ids_in(node.decorator_list)):
                    found.setdefault(id, []).append(inner)
                if isinstance(node, ast.ClassDef):
                    walk(node.body, inner)
            else:
                for id in dict.fromkeys(_ids_in([node])):
                    found.setdefault(id, []).append(place)

    for path in sorted(TESTS.rglob("test_*.py")):
        walk(ast.parse(path.read_text(encoding="utf-8")).body, path.relative_to(TESTS).as_posix())
    return found


@cache
def defaults() -> Mapping[str, str]:
    """The default of every option of the library and of the plugins that come with it, as in Python; the first of a name."""
    found: dict[str, str] = {}
    for name in (*BUILT_IN, *(each.name for each in installed() if each.distribution == OURS and each.problem is None)):
        for option, value in options_of(load_plugin(name)).items():
            found.setdefault(option, repr(value.default))
    return found
