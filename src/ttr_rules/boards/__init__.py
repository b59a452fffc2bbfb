"""Map files in, checked `Board`s out. Knows the data types of the model and no rules.

`maps` reads files and plain data, `document` checks the types of each row and what the rows say.
"""

from ttr_rules.boards.maps import load_board, make_tickets, read_tickets, tickets_option

__all__ = ["load_board", "make_tickets", "read_tickets", "tickets_option"]
