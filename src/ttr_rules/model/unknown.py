"""The placeholder for something secret."""

from __future__ import annotations

from attrs import frozen


@frozen
class Unknown:
    """The placeholder in events and views for what a seat may not see; `count` is None if even the number is secret.

    >>> Unknown(4)
    Unknown(count=4)
    """

    count: int | None = None
