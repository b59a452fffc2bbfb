"""Packages that import their modules when a name is first used, so that `import ttr_rules` is fast.

Type checkers read the ordinary imports under `TYPE_CHECKING` in such a package.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package, from the imports that it has under `TYPE_CHECKING`."""
    module = sys.modules[package]
    homes: dict[str, str] = {}

    def get(name: str) -> object:
        if not homes:
            homes.update(
                _imports(package)
            )  # all at once: other threads find every name, or none and read for themselves
        if name not in module.__all__ or name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(module, name, value)
        return value

    def names() -> list[str]:
        return sorted({*module.__all__, *(name for name in vars(module) if name.startswith("__"))})

    return get, names


def _imports(package: str) -> dict[str, str]:
    """The names that a package imports for type checkers, each with the module that it comes from.

    The package is run once more, with an `__import__` that only takes notes. Unlike its source, what is run is there in
    a zip file and in an installation of compiled files alone.
    """
    found: dict[str, str] = {}

    def note(name: str, _globals: object = None, _locals: object = None, names: Any = (), _level: int = 0) -> object:
        found.update(dict.fromkeys(names or (), name))
        return _Anything()

    loader: Any = sys.modules[package].__loader__
    code = loader.get_code(package)
    exec(code, {"__name__": package, "__builtins__": {**vars(builtins), "__import__": note}})  # noqa: S102
    return found


class _Anything:
    """A module that has every name: each is true, as `TYPE_CHECKING` is for type checkers."""

    def __getattr__(self, name: str) -> bool:
        return True
