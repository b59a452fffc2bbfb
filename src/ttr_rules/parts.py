"""Parts of a state in words and in files: keys of tables and positions, what ids are called."""

from ttr_rules.kernel.extensions import KeyHelp, PrintedName
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry

__all__ = [
    "KeyHelp",
    "PlayerEntry",
    "Position",
    "PrintedName",
    "Report",
    "TableEntry",
]
