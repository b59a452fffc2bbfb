"""The makeup of a state's parts and of events: their fields, who may see them, what they mean.

For tools that show, encode or compare any state, whatever plugins add to it.
"""

from ttr_rules.kernel.fields import (
    EVERYBODY,
    NOBODY,
    OWNER,
    TICKETS,
    PartField,
    Place,
    exposed_fields,
    items,
    part_fields,
    places,
)
from ttr_rules.kernel.state import COMPARED
from ttr_rules.model.values import SECRET

__all__ = [
    "COMPARED",
    "EVERYBODY",
    "NOBODY",
    "OWNER",
    "SECRET",
    "TICKETS",
    "PartField",
    "Place",
    "exposed_fields",
    "items",
    "part_fields",
    "places",
]
