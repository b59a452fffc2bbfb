"""Parts of a state: their fields and who sees them, their keys in tables and positions, their words, fleets.

For tools that show, encode or compare any state, whatever plugins add to it, and for parts that people write down.
"""

from ttr_rules.kernel.fields import (
    EVERYBODY as EVERYBODY,
    NOBODY as NOBODY,
    OWNER as OWNER,
    TICKETS as TICKETS,
    FieldOptions as FieldOptions,
    KeyHelp as KeyHelp,
    PartField as PartField,
    Place as Place,
    PrintedName as PrintedName,
    exposed_fields as exposed_fields,
    items as items,
    part_fields as part_fields,
    places as places,
)
from ttr_rules.kernel.part import CarsOnRoutes as CarsOnRoutes, Fleets as Fleets, keys_of as keys_of
from ttr_rules.kernel.state import COMPARED as COMPARED
from ttr_rules.kernel.table import (
    PlayerEntry as PlayerEntry,
    Position as Position,
    Report as Report,
    TableEntry as TableEntry,
)
from ttr_rules.model.decisions import SECRET as SECRET
