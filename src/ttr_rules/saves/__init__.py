"""Saved games: as text, as bytes, as journals on disk.

`saving` writes and loads games, and brings older ones up to date: the steps of the library (`UPCASTS`) and those of
plugins (`upcast`). `moves` reads the moves, and checks them on request. `journal` keeps games move by move in one file.
Everything that comes from outside as bytes or text is checked here. The package builds on `play`.
"""

from ttr_rules.saves.journal import Journal as Journal, Journals as Journals
from ttr_rules.saves.moves import converter as converter
from ttr_rules.saves.saving import dumps as dumps, loads as loads, pack as pack
