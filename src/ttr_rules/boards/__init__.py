"""Map files in, checked `Board`s out. Knows the nouns of the model and nothing of any rule.

`mapfile` and `ticketfile` read files and plain data, `maprows` each row by its types; `mapcheck` and `ticketcheck` find what is wrong with them.
"""

from ttr_rules.boards.mapfile import load_board
from ttr_rules.boards.ticketfile import make_tickets, read_tickets, tickets_option

__all__ = ["load_board", "make_tickets", "read_tickets", "tickets_option"]
