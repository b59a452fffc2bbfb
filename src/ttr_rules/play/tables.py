"""The players and routes of a table to score or a position to arrange (S1, C3–C6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from ttr_rules.errors import InvalidTableError
from ttr_rules.kernel.events.play import RouteClaimed
from ttr_rules.kernel.open_routes import closed_by_twin
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FREE
from ttr_rules.kernel.table import PlayerEntry, Position, Report, read_list, read_table, routes_named
from ttr_rules.kernel.tables import RuleTables, tables_of
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.reading import is_list, name_problem
from ttr_rules.text import brief

#: The key of a player for points scored during play.
POINTS_IN_PLAY = "points_in_play"
#: More points than any game gives.
MOST_POINTS = 1000


def stack_of(table: object) -> tuple[str, ...]:
    """The stack that a table names. Raises `InvalidTableError` if it names none."""
    if not isinstance(table, Mapping):
        raise InvalidTableError(
            "this table", [f"expected a table with a stack and players, got {type(table).__name__}"]
        )
    if "stack" not in table:
        raise InvalidTableError("this table", ['stack: missing; expected the names of plugins, like ["europe"]'])
    stack = cast("Mapping[str, Any]", table)["stack"]
    if isinstance(stack, str):
        return (stack,)
    if is_list(stack) and stack and all(isinstance(name, str) for name in stack):
        return tuple(stack)
    raise InvalidTableError(
        "this table", [f'stack: expected the names of plugins, like ["europe"], got {brief(stack)}']
    )


def check_stack(rules: Rules, table: Mapping[str, Any], report: Report) -> None:
    """Check that the stack of a table, if given, is that of the rules."""
    if "stack" not in table:
        return
    try:
        stack = stack_of(table)
    except InvalidTableError as error:
        report.problems += error.problems
        return
    if not rules.agrees_with(stack):
        report.add("stack", f"{' + '.join(stack)} does not agree with the rules {rules}")


def read_players(rules: Rules, table: Mapping[str, Any], keys: Iterable[str], report: Report) -> Position:
    """Read the players of a table and check their names and keys (S1)."""
    known = ["name", "routes", "tickets", *([POINTS_IN_PLAY] if terms_in_play(rules) else []), *keys]
    entries: list[PlayerEntry] = []
    for seat, raw in enumerate(read_list(table, "players", "", report)):
        place = f"players[{seat}]"
        if not isinstance(raw, Mapping):
            report.add(place, f"expected a table, got {brief(raw)}")
            raw = {}
        raw = cast("Mapping[str, Any]", raw)
        name = raw.get("name", f"Player {seat + 1}")
        problem = name_problem(name)
        if problem is not None:
            report.add(f"{place}.name", problem)
            name = f"Player {seat + 1}"
        elif any(entry.name == name for entry in entries):
            report.add(f"{place}.name", f"another player is called {brief(name)} too")
        report.unknown_keys(place, raw, known)
        entries.append(PlayerEntry(seat, name, place, raw, rules.board))
    least, most = rules.components.min_players, rules.components.max_players
    if not least <= len(entries) <= most:
        report.add("players", f"{rules} is for {least} to {most} players, not {len(entries)} (S1)")
    return Position(table, tuple(entries))


def terms_in_play(rules: RuleTables) -> list[str]:
    """The names of the terms whose points are scored during play, and cannot be derived from the final position."""
    return [term.name for term in rules.scoring_terms if term.in_play]


def put_points(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players the points that they scored during play, by the name of the term."""
    terms = terms_in_play(tables_of(tx.state))
    for player in position.players:
        given = read_table(player.raw, POINTS_IN_PLAY, player.place, report)
        place = f"{player.place}.{POINTS_IN_PLAY}"
        report.unknown_keys(place, given, terms)
        for name, points in given.items():
            if type(points) is not int or abs(points) >= MOST_POINTS:
                report.add(f"{place}.{name}", f"expected a whole number of points, got {brief(points)}")
            elif name in terms:
                tx.score(player.seat, points, name)


def put_routes(tx: Transaction, position: Position, report: Report) -> None:
    """Give the players their routes: exact ones first, then the first free match for the others (C3, C5, C6)."""
    exact: list[tuple[PlayerEntry, str, tuple[str, ...]]] = []
    vague: list[tuple[PlayerEntry, str, tuple[str, ...]]] = []
    for player in position.players:
        for number, written in enumerate(player.listed("routes", report)):
            place = f"{player.place}.routes[{number}]"
            routes = routes_named(tx.rules.board, written, place, report)
            if routes:
                (exact if len(routes) == 1 else vague).append((player, place, routes))
    for player, place, routes in [*exact, *vague]:
        _put_route(tx, player, place, routes, position, report)
    for player in position.players:
        if tx.state.cars[player.seat] < 0:
            cars = tx.rules.components.cars
            report.add(f"{player.place}.routes", f"they take {cars - tx.state.cars[player.seat]} cars of {cars} (C3)")


def _put_route(
    tx: Transaction, player: PlayerEntry, place: str, routes: tuple[str, ...], position: Position, report: Report
) -> None:
    network = tx.rules.network
    owner = tx.state.owner
    free = [id for id in routes if owner[network.route_number[id]] == FREE]
    if not free:
        holder = position.players[owner[network.route_number[routes[0]]]].name
        report.add(place, f"{' and '.join(routes)} taken already, by {holder} (C3)")
        return
    problems = {id: _closed(tx, player, network.route_number[id]) for id in free}
    first = next((id for id in free if problems[id] is None), None)
    if first is None:
        report.add(place, problems[free[0]] or "")
    else:
        tx.emit(RouteClaimed, player.seat, first, network.points[network.route_number[first]])


def _closed(tx: Transaction, player: PlayerEntry, route: int) -> str | None:
    """Why a free route cannot be this player's: another half of its double is claimed (C5, C6)."""
    closed = closed_by_twin(tx.state, player.seat, route)
    if closed is None:
        return None
    rule, twin = closed
    other = tx.rules.network.route_ids[twin]
    if rule == "C5":
        return f"{player.name} holds {other} already, another half of this double (C5)"
    return f"closed with {tx.state.players} players: {other} is claimed (C6)"
