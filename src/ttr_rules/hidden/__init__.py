"""Hidden information: worlds that fit what a seat can see.

`sampling` deals one, `ticket_layouts` counts where the tickets can be.
"""

from ttr_rules.hidden.sampling import determinize

__all__ = ["determinize"]
