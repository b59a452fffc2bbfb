"""Read-only sequences of actions and payments that are created as they are read, and samples of them.

>>> list(spread(range(10), 5))
[0, 2, 4, 6, 8]
"""

from ttr_rules._internal.frozen import FrozenMap, LazySequence, spread
from ttr_rules.kernel.answers import LegalActions, sampled
from ttr_rules.kernel.economy import LazyPayments, cheapest_first

__all__ = ["FrozenMap", "LazyPayments", "LazySequence", "LegalActions", "cheapest_first", "sampled", "spread"]
