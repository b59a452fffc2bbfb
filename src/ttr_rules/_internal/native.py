"""Names of the compiler for modules that can be compiled, and whether they are. Never compiled itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import (
        i64 as i64,
        mypyc_attr,
    )
else:
    T = TypeVar("T")
    i64 = int

    def mypyc_attr(*_names: str, **_settings: object) -> Callable[[type[T]], type[T]]:
        """Tell mypyc about a class. Without mypyc this does nothing."""

        def same(kind: type[T]) -> type[T]:
            return kind

        return same


#: True if the hot path is compiled, which changes no game. Otherwise everything is Python source.
compiled: bool = not str(getattr(find_spec("ttr_rules._internal.shuffling"), "origin", "")).endswith((".py", ".pyc"))


def state_of(thing: object) -> dict[str, object]:
    """The attributes of an object whose class derives from one that may be compiled, for `__getstate__`.

    The default of a compiled class knows only its own attributes, and would lose those of a subclass in plain Python.
    """
    values: dict[str, object] = dict(getattr(thing, "__dict__", {}))
    for kind in type(thing).__mro__:
        slots: str | Iterable[str] = vars(kind).get("__slots__", ())
        compiled: Iterable[str] = vars(kind).get("__mypyc_attrs__", ())
        for name in (*((slots,) if isinstance(slots, str) else slots), *compiled):
            if name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                values[name] = getattr(thing, name)
    return values


def as_given(thing: object, name: str) -> object:
    """An attribute of an object from a caller, of any type. Compiled code would rely on the declared one."""
    return getattr(thing, name)


def overrides(thing: object, base: type[object], *methods: str) -> bool:
    """True if the class of an object overrides any of these methods of a base class."""
    return any(getattr(type(thing), name) is not getattr(base, name) for name in methods)


def set_state(thing: object, state: Mapping[str, object]) -> None:
    """Set the attributes that `state_of` gave, for `__setstate__`."""
    for name, value in state.items():
        object.__setattr__(thing, name, value)


__all__ = ["as_given", "compiled", "i64", "mypyc_attr", "overrides", "set_state", "state_of"]
