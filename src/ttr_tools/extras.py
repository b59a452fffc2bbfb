"""Libraries of extras, and the error that names a missing one."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Self

from ttr_rules.errors import TTRError


class MissingExtraError(TTRError, ImportError):
    """A missing library that only an extra of this one brings. The message says how to install it.

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
