"""The mutants of a module: its text with one small change each, as cosmic-ray makes them, less those that change nothing."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import cosmic_ray.plugins
from attrs import frozen
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

#: Comparisons by `is` in place of another, and the other way round: for classes and small numbers, and no others are compared here, `is`
#: is `==`, and `==` is tried as well. (`is not` for `is` stays: that is how None is told.)
POINTLESS = re.compile(r"(?<!_Is)_IsNot$|(?<!_IsNot)_Is$|_Is_(?!IsNot)|_IsNot_(?!Is$)")


#: A comment at the end of a line, or on a line of its own above it, about mutants of the line that make no difference: what stands in the
#: line instead, "-" for what is only taken away, and the reason. `# survives >=, -1: nothing is equal, and none is below 0`.
SURVIVES = re.compile(r"# survives ([^:]+): ")


@frozen
class Mutant:
    """A module's text with one change, and the lines of the statement that the change is in.

    Statements that run when the module is imported, or whose results are kept, have no lines: every test may notice. `identity` tells people of the mutant: the
    module and the lines that differ, and a number if the same was done further up in the module. `explained` says that a comment
    beside the line tells why it survives.
    """

    module: str
    text: str
    identity: str
    lines: range
    explained: bool

    @property
    def digest(self) -> str:
        """A name for the changed text, the same as long as the module and the change are the same."""
        return sha256(f"{self.module}\n{self.text}".encode()).hexdigest()


def mutants(module: str, path: Path) -> list[Mutant]:
    """All mutants of a module, in the order of cosmic-ray's operators.

    Left out are those that no run of the program could tell from the module: `is` for `==` and the like, `strict=False`, those that have the same syntax tree once
    the annotations of functions are taken off, and those that have the same as another mutant. (`from __future__ import annotations`
    makes annotations texts; cattrs reads those of classes, which are kept, and nothing reads those of functions.)
    """
    original = path.read_text(encoding="utf-8")
    assert "from __future__ import annotations" in original, f"{module} runs its annotations"
    places = list(_statements(ast.parse(original)))
    seen = {_meaning(original)}
    strict = original.count("strict=True")
    found = []
    named: Counter[str] = Counter()
    for name, occurrence, line in _places(original):
        try:
            changed = mutate_code(original, cosmic_ray.plugins.get_operator(name)(), occurrence)
        except AttributeError:  # cosmic-ray fails over `except` with a dotted name
            continue
        meaning = _meaning(changed)
        if meaning not in seen and changed.count("strict=True") == strict:
            seen.add(meaning)
            identity = f"{module}: {_changed_lines(original, changed)}"
            named[identity] += 1
            if named[identity] > 1:
                identity += f" ({named[identity]})"
            explained = _explained(original, changed)
            found.append(Mutant(module, changed, identity, _lines_at(places, line), explained))
    return found


def _places(text: str) -> Iterator[tuple[str, int, int]]:
    """What can be changed: the name of the operator, the how-many-th of its places, and the line."""
    nodes = list(ast_nodes(get_ast(text)))
    for name in cosmic_ray.plugins.operator_names():
        kind = cosmic_ray.plugins.get_operator(name)
        if not kind.arguments() and not POINTLESS.search(name):  # those with arguments need a configuration
            operator = kind()
            positions = [start for node in nodes for start, _ in operator.mutation_positions(node)]
            for occurrence, (line, _) in enumerate(positions):
                yield name, occurrence, line


def _meaning(text: str) -> str:
    """The syntax tree without the annotations of functions; a text that is no Python is itself."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
            for each in ast.walk(node):
                if isinstance(each, ast.AnnAssign):
                    each.annotation = ast.Constant(None)
    return ast.dump(tree)


def _statements(tree: ast.AST, inside: bool = False) -> Iterator[tuple[range, bool]]:
    """The lines of every statement (of a compound one: its head), and whether it is in a function; inner statements last."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            yield range(start, max(end, node.lineno) + 1), inside
        yield from _statements(node, inside or (isinstance(node, ast.FunctionDef) and not _runs_once(node)))


def _runs_once(function: ast.FunctionDef) -> bool:
    """Whether what a function gives is kept, so that tests which do not run it may notice a change: hooks, constructors, caches."""
    marks = " ".join(map(ast.dump, function.decorator_list))
    return function.name == "__init__" or "hookimpl" in marks or "cache" in marks


def _lines_at(statements: list[tuple[range, bool]], line: int) -> range:
    found = [(lines, inside) for lines, inside in statements if line in lines]
    return found[-1][0] if found and found[-1][1] else range(0)


def _explained(before: str, after: str) -> bool:
    """Whether a comment in the text before says that the change makes no difference."""
    old, new = before.split("\n"), after.split("\n")
    for tag, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            above = start
            while above and old[above - 1].lstrip().startswith("# survives "):
                above -= 1
            told = [SURVIVES.search(line) for line in old[above:end]]
            names = {name.strip() for each in told if each for name in each[1].split(",")}
            return difference("\n".join(old[start:end]), "\n".join(new[first:last])) in names
    return False


def difference(before: str, after: str) -> str:
    """What stands in a changed line instead, without blanks; "-" if something was only taken away.

    >>> difference("if a > 0:", "if a >= 0:"), difference("if not a:", "if  a:")
    ('>=', '-')
    """
    old, new = (re.findall(r"\w+|[^\w\s]+", text.partition("# survives")[0]) for text in (before, after))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return (
        "".join("".join(new[first:last]) for tag, _, _, first, last in matcher.get_opcodes() if tag != "equal") or "-"
    )


def _changed_lines(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    kept = [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()]
    return " ".join(" ".join(f"{line[0]} {line[1:]}".split()) for line in kept)
