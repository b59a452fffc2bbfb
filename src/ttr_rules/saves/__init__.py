"""Saved games: as text, as bytes, as a journal on disk.

`saving` writes and loads games, `journal` writes a game move by move. `migrations` brings
older saved games up to date: the steps of the library (`UPCASTS`) and those of plugins (`upcast`). `verify` checks
every move. Everything that comes from outside as bytes or text is checked here; it builds on `play`.
"""

from ttr_rules.saves.journal import Journal, read_journal
from ttr_rules.saves.saving import dumps, loads, pack

__all__ = ["Journal", "dumps", "loads", "pack", "read_journal"]
