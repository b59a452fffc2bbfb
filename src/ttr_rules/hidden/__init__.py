"""Hidden information: sampling worlds that are consistent with what a seat can see.

`sampling` samples one, `ticket_layouts` counts where the tickets can be.
"""

from ttr_rules.hidden.sampling import deal_pools, determinize, missing, question, sample_world, tickets_out_of_the_game

__all__ = ["deal_pools", "determinize", "missing", "question", "sample_world", "tickets_out_of_the_game"]
