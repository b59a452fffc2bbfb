"""What plugins add to the course of a game: parts of the state, what follows a claim, what is asked last."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction


@frozen
class PartSpec:
    """A part of the state that a plugin keeps, and what of a table or position it reads.

    `start` makes the part for a number of players. `player_keys` are the keys of a player in a table that
    `arrange` understands beyond the core's, `part_keys` those of the table `parts` of a position; it turns them into
    events, or reports what is wrong with them.
    """

    type: type[Part]
    start: Callable[[GameData, int], Part] = field(repr=False)
    player_keys: tuple[str, ...] = ()
    arrange: Callable[[Transaction, Position, Report], None] | None = field(default=None, repr=False)
    part_keys: tuple[str, ...] = ()


@frozen
class Ending:
    """A question that is asked after the last turn, before the scores: `ask(tx, reason)` says whether it asked."""

    name: str
    ask: Callable[[Transaction, str], bool] = field(repr=False)


@frozen
class AfterClaim:
    """Something that follows the claim of a route, before the turn ends (M4).

    `ask(tx, seat, route)` says whether it asked somebody something. If it did, the rule that takes the answer calls
    `after_claim(tx, seat, route, this)`, which lets those that come later in the stack ask, then ends the turn.
    """

    name: str
    ask: Callable[[Transaction, int, str], bool] = field(repr=False)
