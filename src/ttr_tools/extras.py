"""Libraries of extras, the error that names a missing one, and packages that import their modules when a name is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Self

from ttr_rules.errors import TTRError


class MissingExtraError(TTRError, ImportError):
    """A library is not installed that only an extra of this one brings; the message says how to install it.

    >>> print(MissingExtraError("polars", "data"))
    polars is not installed; install it with: pip install 'ttr-rules[data]'
    """

    def __init__(self, library: str, extra: str) -> None:
        self.library = library
        self.extra = extra
        super().__init__(f"{library} is not installed; install it with: pip install 'ttr-rules[{extra}]'")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.library, self.extra)


@contextmanager
def extra(name: str) -> Generator[None, None, None]:
    """For imports of what an extra installs: raises `MissingExtraError` if one of them is missing.

    >>> with extra("data"):
    ...     import no_such_library
    Traceback (most recent call last):
    ttr_tools.extras.MissingExtraError: no_such_library is not installed; install it with: pip install 'ttr-rules[data]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), name) from error


def require(extra: str, *libraries: str) -> None:
    """Raise `MissingExtraError` if a library of an extra is not installed, before a long computation needs it."""
    for library in libraries:
        try:
            version(library)
        except PackageNotFoundError:
            raise MissingExtraError(library, extra) from None


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
