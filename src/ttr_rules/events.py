"""Events: what happened in a game, including every random outcome. Folding them rebuilds a state.

`Event` is the base, `Unknown` stands for what a seat may not see. The events of train cards are here too; those of a
variant are imported from the variant.
"""

import ttr_rules.kernel.events as kernel_events  # this form lets pyright read `__all__`
import ttr_rules.train_cards.events as card_events
from ttr_rules.kernel.events import *  # noqa: F403
from ttr_rules.model.cards import Unknown
from ttr_rules.train_cards.events import *  # noqa: F403

__all__ = ["Unknown"]
__all__ += kernel_events.__all__
__all__ += card_events.__all__
