"""Read-only sequences of actions and payments that are created as they are read, and samples of them.

>>> list(spread(range(10), 5))
[0, 2, 4, 6, 8]
"""

from ttr_rules._internal.frozen import FrozenMap, LazySequence, spread
from ttr_rules.kernel.lazy_actions import LazyActions, LazyPayments, cheapest_first, sampled

__all__ = ["FrozenMap", "LazyActions", "LazyPayments", "LazySequence", "cheapest_first", "sampled", "spread"]
