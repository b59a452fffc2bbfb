"""Who decided what in a stack."""

from __future__ import annotations

from attrs import frozen


@frozen
class Provenance:
    """Who answered a hook of this stack: the plugin that gave the value and its adjusters, or all contributors.

    `unchanged` are those that could have adjusted it, but returned it as it was.
    """

    hook: str
    by: tuple[str, ...]
    adjusted: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = " + ".join(self.by) or "nobody"
        return f"{self.hook}: {text}" + (f" ⟵ adjusted by {', '.join(self.adjusted)}" if self.adjusted else "")
