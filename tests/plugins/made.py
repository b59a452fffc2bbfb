"""Plugins made on the spot, for one test each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import new_class
from typing import Any

from ttr_rules.plugins import Variant, hookimpl


def plugin(
    name: str, requires: Sequence[str] = (), home: str = __name__, /, **hooks: Callable[..., object]
) -> type[Variant]:
    """A plugin with these functions as hooks; each takes the arguments of its hook without `self`.

    The events of the module `home` are its own.
    """
    made = new_class(f"{name.title().replace('-', '')}Plugin", (Variant,), {"name": name, "requires": tuple(requires)},
                     lambda body: body.update({hook: method(hook, function) for hook, function in hooks.items()}, __module__=home))  # fmt: skip
    return made


def method(hook: str, function: Callable[..., object]) -> Any:
    """A function as the method for a hook."""

    def answer(self: Variant, *given: object, **named: object) -> object:
        return function(*given, **named)

    spec = getattr(Variant, hook, None)
    answer.__dict__["__signature__"] = inspect.signature(answer if spec is None else spec)
    mark: Any = hookimpl
    return mark(answer)


def giving(value: object) -> Callable[..., object]:
    """A hook that gives this, whatever it is asked."""
    return lambda *_, **__: value
