"""The build of the library: compiled or plain Python."""

from __future__ import annotations

from ttr_rules.kernel import rules

#: Whether the hot path is compiled; otherwise everything is Python source. Games are the same.
compiled: bool = not str(rules.__file__).endswith((".py", ".pyc"))
