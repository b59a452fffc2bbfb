"""What stands in place of something secret."""

from __future__ import annotations

from attrs import frozen


@frozen
class Unknown:
    """What stands in an event or a view for something that a seat may not see; `count` is None where even the number is secret.

    >>> Unknown(4)
    Unknown(count=4)
    """

    count: int | None = None
