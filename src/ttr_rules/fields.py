"""The makeup of a state's parts and of events: their fields, who may see them, what they mean.

For tools that show, encode or compare any state, whatever plugins add to it.
"""

from ttr_rules.kernel.events.base import SECRET
from ttr_rules.kernel.fields import LABEL, SEATS, exposed_fields, visible_fields
from ttr_rules.kernel.state import COMPARED

__all__ = ["COMPARED", "LABEL", "SEATS", "SECRET", "exposed_fields", "visible_fields"]
