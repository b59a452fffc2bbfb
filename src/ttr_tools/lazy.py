"""Packages that import their modules when a name is first used: some need libraries that not everybody has, or that load slowly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazily(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package that hands on some names of each of its modules, with spaces between them."""
    homes = {name: f"{package}.{module}" for module, names in modules.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted({*homes, *(name for name in vars(sys.modules[package]) if name.startswith("__"))})
