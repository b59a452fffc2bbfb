"""What the modules that can be compiled need of the compiler. Never compiled itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:
    T = TypeVar("T")

    def mypyc_attr(*_names: str, **_settings: object) -> Callable[[type[T]], type[T]]:
        """Tell mypyc about a class; without it, nothing."""

        def same(kind: type[T]) -> type[T]:
            return kind

        return same


__all__ = ["mypyc_attr"]
