"""Map files in, checked `Board`s out. Knows the data types of the model and no rules.

`mapfile` and `ticketfile` read files and plain data, `maprows` checks the types of each row; `mapcheck` and
`ticketcheck` find mistakes in their content.
"""

from typing import TYPE_CHECKING

from ttr_rules._internal.lazy import lazily

if TYPE_CHECKING:
    from ttr_rules.boards.mapfile import load_board
    from ttr_rules.boards.ticketfile import make_tickets, read_tickets, tickets_option
else:
    __getattr__, __dir__ = lazily(__name__)

__all__ = ["load_board", "make_tickets", "read_tickets", "tickets_option"]
