"""Packages that import their modules when a name is first asked for: `import ttr_rules` is quick, whatever is used of it.

Type checkers read the ordinary imports that stand under `TYPE_CHECKING` in such a package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data


def lazily(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, from the imports that it has under `TYPE_CHECKING`."""
    module = sys.modules[package]
    homes: dict[str, tuple[str, str]] = {}

    def read() -> None:
        found: dict[str, tuple[str, str]] = {}
        source = get_data(package, "__init__.py")  # from a zip file too
        assert source is not None
        for block in ast.parse(source).body:
            if isinstance(block, ast.If):
                for node in block.body:
                    if isinstance(node, ast.ImportFrom) and node.module:
                        found |= {each.asname or each.name: (node.module, each.name) for each in node.names}
        homes.update(found)  # all at once: other threads find every name, or none and read for themselves

    def get(name: str) -> object:
        if not homes:
            read()
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, original = homes[name]
        value = getattr(import_module(home), original)
        setattr(module, name, value)
        return value

    def names() -> list[str]:
        return sorted({*module.__all__, *(name for name in vars(module) if name.startswith("__"))})

    return get, names
