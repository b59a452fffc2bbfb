"""Babel extractors for the texts of a plugin: of its source and of its maps.

Babel finds these functions by themselves: `pybabel extract` uses them for files that its configuration assigns to
`ttr_rules` (Python) and `ttr_rules_map` (map files):

    [ttr_rules: **.py]
    [ttr_rules_map: **.toml]

In Python they find what `gettext`, `ngettext`, `pgettext`, `npgettext`, `Message`, `plural`, `noun` and `Refusal` are called
with, the `message` of events, actions and decisions, the labels of fields, what keys of score files are for, scoring terms and bonuses, the legends of
map marks, the names of tie-breaks, and the titles of plugins.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import IO, TypeAlias

from ttr_rules.language import CARDS, COUNT, NAME, PLACE, WITH
from ttr_rules.reading import JsonObject, is_object, read_toml
from ttr_rules.text import pluralize, spaced, titled, with_article

#: A text as Babel wants it: the line, the function of gettext, its arguments, comments for translators.
Found: TypeAlias = tuple[int, str, tuple[str, ...], list[str]]
#: Functions whose first arguments are texts: the function of gettext, and where the texts stand.
_TEXTS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    **dict.fromkeys(("gettext", "marked", "Message", "TieBreak", "Detail", "KeyHelp"), ("gettext", (0,))),
    **dict.fromkeys(("ngettext", "plural"), ("ngettext", (0, 1))),
    "Refusal": ("gettext", (1,)),
    "pgettext": ("pgettext", (0, 1)),
    "npgettext": ("npgettext", (0, 1, 2)),
}
#: Calls that make something that scores: the first argument is the name, the label is a keyword.
_SCORING = ("ScoringTerm", "Bonus", "points_in_play", "ranked")
#: Calls that declare a field of a part of the state.
_FIELDS = ("public", "by_seat", "hidden")


def extract(fileobj: IO[bytes], keywords: object, comment_tags: object, options: object) -> Iterator[Found]:
    r"""The texts of a Python file.

    >>> source = b'class Won(Event):\n    message = "{seat} wins"\nx = public(label="Depots")'
    >>> import io
    >>> [(kind, texts) for _, kind, texts, _ in extract(io.BytesIO(source), (), (), {})]
    [('gettext', ('{seat} wins',)), ('gettext', ('Depots',))]
    """
    yield from sorted(_Reader(ast.parse(fileobj.read())).found, key=lambda text: text[:3])


class _Reader(ast.NodeVisitor):
    """Collects the texts of a module. A name in place of a text stands for what the function assigns to it."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[Found] = []
        self._scopes: list[Mapping[str, list[ast.expr]]] = [_collect_assignments(tree)]
        self._functions = dict(_TEXTS)
        for name, values in self._scopes[0].items():
            for value in values:
                if isinstance(value, ast.Attribute) and value.attr in _TEXTS:
                    self._functions[name] = _TEXTS[value.attr]  # say = language.gettext
        self.visit(tree)

    def _add(self, line: int, kind: str, *texts: str) -> None:
        if texts[-1]:
            self.found.append((line, kind, texts, []))

    def _add_all(self, line: int, kind: str, node: ast.expr, *context: str) -> None:
        for text in self._texts(node):
            self._add(line, kind, *context, text)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scopes.append(_collect_assignments(node))
        self.generic_visit(node)
        self._scopes.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if title := _keywords(node).get("title"):
            self._add_all(node.lineno, "pgettext", title, NAME)
        for line in node.body:
            if isinstance(line, ast.Assign) and _name(line.targets[0]) in ("message", "label", "legend"):
                self._add_all(line.lineno, "gettext", line.value)
            if not isinstance(line, ast.AnnAssign):
                continue
            call = line.value
            if isinstance(call, ast.Call) and _name(call.func) in _FIELDS and "label" not in _keywords(call):
                self._add(call.lineno, "gettext", titled(_name(line.target)))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name, line = _name(node.func), node.lineno
        translated = ("label", "legend", "help") if name in _FIELDS else ("label", "legend")
        labels = [word for keyword, word in _keywords(node).items() if keyword in translated]
        if name in self._functions:
            kind, places = self._functions[name]
            columns = [self._texts(node.args[place]) for place in places if place < len(node.args)]
            if len(columns) == len(places) and all(columns):
                for texts in zip_longest(*columns):
                    self._add(line, kind, *(text or column[0] for text, column in zip(texts, columns, strict=True)))
        elif name == "noun" and node.args:
            words = [self._texts(word) for word in node.args]
            for word in words[0]:
                self._noun(line, word, words[1][0] if len(words) > 1 else word)
        elif name == "named" and node.args:
            for context in self._texts(node.args[1]) if len(node.args) > 1 else [NAME]:
                self._add_all(line, "pgettext", node.args[0], context)
        elif name in _SCORING and node.args:
            labels += node.args[1:2] if name == "points_in_play" else []
            for text in self._texts(node.args[0]):
                self._add(line, "pgettext", NAME, spaced(text) if name == "points_in_play" and not labels else "")
                self._add(line, "gettext", "" if labels else titled(text))
        for label in labels:
            self._add_all(line, "gettext", label)
        self.generic_visit(node)

    def _noun(self, line: int, word: str, sentence: str) -> None:
        self._add(line, "pgettext", NAME, word)
        many = pluralize(word) if sentence == word else word  # colors are adjectives
        self._add(line, "npgettext", COUNT, f"{{count}} {word}", f"{{count}} {many}")
        for use in (CARDS, WITH) if sentence else ():
            self._add(line, "npgettext", use, with_article(sentence), f"{{number}} {pluralize(sentence)}")

    def _texts(self, node: ast.expr) -> list[str]:
        """The texts that an expression may be, none if it is made at run time."""
        if isinstance(node, ast.Name):
            for scope in reversed(self._scopes):
                if texts := [text for value in scope.get(_name(node), ()) for text in _constants(value)]:
                    return texts
        return _constants(node)


def _constants(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        return _constants(node.body) + _constants(node.orelse)
    if isinstance(node, ast.Dict):
        return [text for value in node.values for text in _constants(value)]
    return _constants(node.value) if isinstance(node, ast.Subscript) else []


def _collect_assignments(scope: ast.AST) -> dict[str, list[ast.expr]]:
    """The values that a function or a module assigns to each name."""
    assignments: dict[str, list[ast.expr]] = {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        value = node.value
        for target in node.targets:
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            for name, assigned in pairs:
                assignments.setdefault(_name(name), []).append(assigned)
    return assignments


def _keywords(node: ast.Call | ast.ClassDef) -> dict[str, ast.expr]:
    return {word.arg: word.value for word in node.keywords if word.arg}


def _name(node: ast.expr) -> str:
    """The name of a function or a variable, `gettext` for `self._gettext` too."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.lstrip("_")


# -- maps ----------------------------------------------------------------------------------------------------------


def extract_map(fileobj: IO[bytes], keywords: object, comment_tags: object, options: object) -> Iterator[Found]:
    r"""The names of a map file: its title, places with other names, marks of routes, kinds and logos of tickets, names in rows under `extra`.

    In any file also tables with a `name` and a `meaning`, from which a plugin makes a `PrintedName`, and the tables under
    `texts`, such as those of pages.

    >>> board = b'name = "Toy"\ncities = [{id = "bree", name = "Bree"}]\n[aliases]\nbree = ["Bry"]'
    >>> import io
    >>> [(kind, texts) for _, kind, texts, _ in extract_map(io.BytesIO(board), (), (), {})]
    [('pgettext', ('name', 'Toy')), ('pgettext', ('place', 'Bree'))]
    """
    table = read_toml(fileobj.read().decode())
    entries: list[tuple[str, str]] = []
    if isinstance(table.get("cities"), list) and "name" in table:
        entries.append((NAME, table["name"]))
    aliases = table.get("aliases", {})
    named = (city for city in _rows(table, "cities") if city.get("country", city.get("id")) in aliases)
    entries += [(PLACE, city["name"]) for city in named]
    for route in _rows(table, "routes"):
        entries += [(NAME, spaced(mark)) for mark in route.get("marks", ())]
    for texts in table.get("texts", {}).values():
        yield from ((1, "gettext", (text,), []) for text in texts.values())
    for row in filter(is_object, table.values()):
        if {"name", "meaning"} <= row.keys():
            entries.append((NAME, str(row["name"])))
            yield 1, "gettext", (str(row["meaning"]),), []
    extra: JsonObject = table.get("extra", {})
    entries += [(NAME, row["name"]) for key in extra for row in _rows(extra, key) if "name" in row]
    for ticket in _rows(table, "tickets"):
        entries += [(NAME, spaced(logo)) for logo in ticket.get("logos", ())]
    kinds = dict.fromkeys(str(ticket.get("kind", "regular")) for ticket in _rows(table, "tickets"))
    entries += [(NAME, kind) for kind in kinds]
    for context, text in dict.fromkeys(entries):
        yield 1, "pgettext", (context, text), []
    for kind in map(spaced, kinds):
        yield 1, "npgettext", (COUNT, f"{{count}} {kind}", f"{{count}} {kind}"), []
        yield 1, "npgettext", ("tickets", f"{{number}} {kind} ticket", f"{{number}} {kind} tickets"), []
        yield 1, "npgettext", ("tickets", f"{{number}} {kind} one", f"{{number}} {kind} ones"), []


def _rows(table: JsonObject, key: str) -> Iterator[JsonObject]:
    rows = table.get(key, [])
    yield from filter(is_object, rows)


__all__: list[str] = ["Found", "extract", "extract_map"]
