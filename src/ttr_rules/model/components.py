"""What is in the box besides the board, the tickets and what the economy needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from ttr_rules.text import brief

#: Nobody needs more seats: the largest boxes are for six.
MOST_PLAYERS = 10
_LEAST = {"cars": 1, "min_players": 1, "max_players": 1, "doubles_from": 1, "last_round_at": 0}


@frozen
class Components:
    """What is in the box besides the board, the tickets and what the economy needs (S1, C6, E1).

    `cars` are what every player starts with; `doubles_from` is the number of players from which all routes of a double
    may be used, `last_round_at` the number of remaining cars that triggers the last round. Plugins give and adjust them
    with the hook `components`.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("switzerland").components
    Components(cars=40, min_players=2, max_players=3, doubles_from=3, last_round_at=2)
    """

    cars: int = 45
    min_players: int = 2
    max_players: int = 5
    doubles_from: int = 4
    last_round_at: int = 2


def problems_of_components(given: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with some or all of the numbers of `Components`, by their names.

    >>> list(problems_of_components({"cars": -5, "min_players": 5, "max_players": 2}))
    ['cars: at least 1, not -5', 'min_players: at most max_players, which is 2, not 5']
    """
    good: dict[str, int] = {}
    for name, value in given.items():
        if type(value) is not int:
            yield f"{name}: expected a whole number, got {brief(value)}"
        elif value < _LEAST[name]:
            yield f"{name}: at least {_LEAST[name]}, not {value}"
        elif name in ("min_players", "max_players") and value > MOST_PLAYERS:
            yield f"{name}: at most {MOST_PLAYERS}, not {value}"
        else:
            good[name] = value
    least, most = good.get("min_players"), good.get("max_players")
    if least is not None and most is not None and least > most:
        yield f"min_players: at most max_players, which is {most}, not {least}"
    cars, last = good.get("cars"), good.get("last_round_at")
    if cars is not None and last is not None and last >= cars:
        yield f"last_round_at: less than cars, of which there are {cars}, not {last}"
