"""Reading passengers and tokens from a table to score or a position to arrange."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

from ttr_rules.plugins import KeyHelp, PartSpec, PlayerEntry, Position, Report, Transaction, brief

from .state import PASSENGERS_EACH, Passengers, PassengersArranged, TokensArranged, start


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def arrange_passengers(tx: Transaction, position: Position, report: Report) -> None:
    """Read `passengers`, `passengers_gone` and `tokens_taken` of the players.

    `tokens_taken` is a table of cities with the values taken there, or, if nobody remembers the cities, a list of
    values; those come from the first cities, in the order of the map, that still have them.
    """
    for player in position.players:
        _passengers(tx, player, report)
    by_city = [player for player in position.players if not _is_list(player.raw.get("tokens_taken"))]
    for player in by_city:
        for city, values in player.table("tokens_taken", report).items():
            for value in values if _is_list(values) else [values]:
                _token(tx, player, city, value, report)
    for player in position.players:
        if player not in by_city:
            for value in player.listed("tokens_taken", report):
                _token(tx, player, None, value, report)


def _passengers(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    board, part = tx.rules.board, tx.state.part(Passengers)
    ends = {city for id, seat in tx.state.owners.items() if seat == player.seat for city in board.routes[id].cities}
    cities: list[str] = []
    for place, city in player.cities("passengers", report):
        if board.cities[city].country is not None:
            report.add(place, f"{city} is a country: no passenger can stand there (M7)")
        elif city in part.standing or city in cities:
            report.add(place, f"a passenger stands in {city} already (M4)")
        elif city not in ends:
            report.add(place, f"no route of {player.name} ends in {city} (M4)")
        else:
            cities.append(city)
    gone = player.raw.get("passengers_gone", 0)
    if type(gone) is not int or gone < 0:
        report.add(f"{player.place}.passengers_gone", f"expected a number of passengers, got {brief(gone)}")
    elif len(cities) + gone > PASSENGERS_EACH:
        report.add(f"{player.place}.passengers", f"a player has {PASSENGERS_EACH} passengers only (M1)")
    elif cities or gone:
        tx.emit(PassengersArranged, player.seat, tuple(cities), gone)


def _token(tx: Transaction, player: PlayerEntry, city: str | None, value: object, report: Report) -> None:
    stacks = tx.state.part(Passengers).city_tokens
    place = f"{player.place}.tokens_taken"
    where = [each for each in ([city] if city is not None else stacks) if value in stacks.get(each, ())]
    if type(value) is int and where:
        tx.emit(TokensArranged, player.seat, {where[0]: (value,)})
    elif city is not None:
        report.add(f"{place}.{city}", f"{city} has no token {brief(value)} left (M6)")
    else:
        report.add(place, f"no token {brief(value)} is left (M6)")


#: The passengers of a game.
PART = PartSpec(
    Passengers,
    start,
    ("passengers", "passengers_gone", "tokens_taken"),
    arrange_passengers,
    key_help={
        "passengers": KeyHelp("The cities where passengers of this player stand.", "[{city}]"),
        "passengers_gone": KeyHelp("How many passengers of this player have travelled and left the game.", "1"),
        "tokens_taken": KeyHelp(
            "The values of the tokens that this player took; or a table of the cities where they were taken.", "[2, 3]"
        ),
    },
)
