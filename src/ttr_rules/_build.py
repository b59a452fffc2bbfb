"""Which build of the library this is."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES

from ttr_rules.kernel import course

#: Whether the hot path is compiled; otherwise everything is Python source. Games are the same.
compiled: bool = str(course.__file__).endswith(tuple(EXTENSION_SUFFIXES))
