"""Parts of a state in words and in files: keys of tables and positions, what ids are called; fleets of pieces."""

from ttr_rules.kernel.fields import KeyHelp, PrintedName
from ttr_rules.kernel.fleets import Fleets
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry

__all__ = [
    "Fleets",
    "KeyHelp",
    "PlayerEntry",
    "Position",
    "PrintedName",
    "Report",
    "TableEntry",
]
