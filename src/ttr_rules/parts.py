"""Parts of a state: their fields and who sees them, their keys in tables and positions, their words; fleets of pieces.

For tools that show, encode or compare any state, whatever plugins add to it, and for parts that people write down.
"""

from ttr_rules.kernel.fields import (
    EVERYBODY,
    NOBODY,
    OWNER,
    TICKETS,
    FieldOptions,
    KeyHelp,
    PartField,
    Place,
    PrintedName,
    exposed_fields,
    items,
    part_fields,
    places,
)
from ttr_rules.kernel.part import Fleets
from ttr_rules.kernel.state import COMPARED
from ttr_rules.kernel.table import PlayerEntry, Position, Report, TableEntry
from ttr_rules.model.decisions import SECRET

__all__ = [
    "COMPARED",
    "EVERYBODY",
    "NOBODY",
    "OWNER",
    "SECRET",
    "TICKETS",
    "FieldOptions",
    "Fleets",
    "KeyHelp",
    "PartField",
    "Place",
    "PlayerEntry",
    "Position",
    "PrintedName",
    "Report",
    "TableEntry",
    "exposed_fields",
    "items",
    "part_fields",
    "places",
]
