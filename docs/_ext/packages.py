"""The packages of the library and those that each uses, read from the imports in the code."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from attrs import frozen

#: Not drawn: these only hand on what others define.
FACADES = frozenset({"__init__", "__main__", "_version"})


@frozen
class Package:
    """A package or module right below the root of a distribution: its name, purpose, modules, and the packages it uses."""

    name: str
    purpose: str
    modules: tuple[str, ...]
    uses: frozenset[str]


def packages(roots: Sequence[Path], *others: Path) -> dict[str, Package]:
    """The packages below each of `roots`, and other top-level packages as a whole.

    All imports count, also those inside functions and those for types alone. A name that a root re-exports counts as an import of
    the package that defines it.
    """
    paths = [path for root in roots for path in sorted(root.iterdir())]
    parts = {path.stem: path for path in paths if _is_code(path) and path.stem not in FACADES}
    parts |= {path.name: path for path in others}
    exported = {
        name: target.split(".")[1]
        for root in roots
        for target, names in _imports(root / "__init__.py", root.name)
        if target.startswith(f"{root.name}.")
        for name in names.values()
    }
    found: dict[str, Package] = {}
    for name, path in parts.items():
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        uses: set[str] = set()
        for file in files:
            base = path.parent if path in others else path.parent.parent
            package = ".".join(file.relative_to(base).with_suffix("").parts[:-1])
            for target, names in _imports(file, package):
                uses |= set(_targets(target, names, frozenset(root.name for root in roots), parts, exported))
        modules = tuple(
            file.stem for file in files if path.is_dir() and file.stem not in FACADES and file.parent == path
        )
        found[name] = Package(name, _purpose(path), modules, frozenset(uses - {name}))
    return found


def _is_code(path: Path) -> bool:
    return path.suffix == ".py" or (path / "__init__.py").is_file()


def _purpose(path: Path) -> str:
    """The first sentence of a package's docstring."""
    source = path / "__init__.py" if path.is_dir() else path
    text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split()).partition(". ")[0].rstrip(".")


def _imports(file: Path, package: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The absolute modules that a file imports, each with the names that it takes from there, and what it calls them."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, {}) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parents, *([node.module] if node.module else [])])
            yield module, {alias.name: alias.asname or alias.name for alias in node.names}


def _targets(
    module: str, names: Iterable[str], roots: frozenset[str], parts: Mapping[str, Path], exported: Mapping[str, str]
) -> Iterator[str]:
    """The packages that an import uses."""
    top, _, rest = module.partition(".")
    if top not in roots:
        yield from {top} & parts.keys()
    elif rest:
        yield from {rest.partition(".")[0]} & parts.keys()
    else:
        for name in names:
            yield from {name if name in parts else exported.get(name, "")} & parts.keys()
