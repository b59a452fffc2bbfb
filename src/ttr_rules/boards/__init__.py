"""Map files in, checked `Board`s out. Knows the data types of the model and no rules.

`maps` and `tickets` read files and plain data, `document` checks the types of each row and what the rows say.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules.boards.maps import load_board, make_tickets, read_tickets, tickets_option
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "ttr_rules.boards.maps": "load_board make_tickets read_tickets tickets_option",
        },
    )

__all__ = ["load_board", "make_tickets", "read_tickets", "tickets_option"]
