"""What is in the box besides the board, the tickets and what the economy needs."""

from __future__ import annotations

from attrs import frozen


@frozen
class Components:
    """What is in the box besides the board, the tickets and what the economy needs (S1, C6, E1).

    `doubles_from` is the number of players from which all routes of a double may be used; `last_round_at` the
    number of remaining cars that triggers the last round.
    """

    cars: int = 45
    min_players: int = 2
    max_players: int = 5
    doubles_from: int = 4
    last_round_at: int = 2
