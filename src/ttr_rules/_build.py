"""The build of the library: compiled or plain Python."""

from __future__ import annotations

from ttr_rules.kernel import rules

#: True if the hot path is compiled, which changes no game. Otherwise everything is Python source.
compiled: bool = not str(rules.__file__).endswith((".py", ".pyc"))
