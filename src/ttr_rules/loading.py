"""Lazy loading: the modules of a package when their names are first used, and tools of other installed packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import cast


def lazily(
    package: str, modules: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from the names that it re-exports, by module (PEP 562).

    A module is named in full, or as `.module` of the package. Spaces separate its names. Type checkers read the imports
    under `TYPE_CHECKING` in such a package, where `import Name as Name` means that it is handed on.

    >>> get, _, names = lazily("ttr_rules", {".errors": "TTRError Refusal"})
    >>> get("TTRError"), names
    (<class 'ttr_rules.errors.TTRError'>, ['Refusal', 'TTRError'])
    """
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*homes, *(name for name in vars(sys.modules[package]) if name.startswith("__"))})

    return get, names, sorted(homes)


#: The group of entry points for tools that another installed package adds to the rules.
GROUP = "ttr_rules.tools"


@cache
def find_tool(name: str) -> Callable[..., object] | None:
    """The function installed under this name in the entry points `ttr_rules.tools`, or None.

    - `command`: what `python -m ttr_rules` runs.
    - `sheet`: a score sheet as text, which `print` shows.
    - `picture`: a board, view, game or score sheet as SVG, which notebooks show, or None for anything else.
    """
    from importlib.metadata import entry_points  # takes a tenth of the start-up time, and is not always needed

    for point in entry_points(group=GROUP, name=name):
        load: Callable[..., object] = point.load()
        return load
    return None


class Shown:
    """An object that notebooks show as a picture, if a tool for pictures is installed."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks, or None if there is nothing to draw it from."""
        draw = find_tool("picture")
        return None if draw is None else cast("str | None", draw(self))


__all__ = ["find_tool", "lazily"]
