"""Hidden information: sampling worlds that are consistent with the view of a seat.

`sampling` samples one. `ticket_layouts` counts the ways in which the tickets can be distributed.
"""

from ttr_rules.hidden.sampling import (
    deal_pools as deal_pools,
    determinize as determinize,
    missing as missing,
    question as question,
    sample_world as sample_world,
    tickets_out_of_the_game as tickets_out_of_the_game,
)
