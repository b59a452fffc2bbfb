"""Rulings about tickets for cases that the rulebooks leave open."""

from __future__ import annotations

from attrs import frozen

from ttr_rules.kernel.plugin import option


@frozen
class TicketOptions:
    """How open cases about tickets are decided.

    >>> TicketOptions().shuffle_returned_tickets
    False
    """

    shuffle_returned_tickets: bool = option(
        False, True, rule="R9", meaning="tickets put back under a pile are shuffled among themselves first"
    )
