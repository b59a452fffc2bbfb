"""Results as five tables whose columns are the same for every stack: seats, points, tickets and routes."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import asdict, frozen

from ttr_tools.extras import MissingExtraError, extra
from ttr_tools.simulation.results import GameResult

if TYPE_CHECKING:
    import polars as pl

TableName: TypeAlias = Literal["games", "seats", "points", "tickets", "routes"]
#: The tables, that of seats last: where its rows are stored, those of the others are too.
NAMES: tuple[TableName, ...] = ("games", "points", "tickets", "routes", "seats")


@frozen(repr=False, eq=False)
class Tables:
    """The results of many games as polars data frames: a row for each game, seat, score line, ticket and claimed route.

    They are joined by `game` and `seat` (in `routes` the seat is the `owner`).

    >>> from ttr_tools.simulation import simulate
    >>> tables = tabulate(simulate("london", ["random", "random"], games=2, seed=1))
    >>> tables.points.columns, tables.routes.columns
    (['game', 'seat', 'term', 'points'], ['game', 'route', 'owner', 'turn'])
    """

    games: pl.DataFrame
    seats: pl.DataFrame
    points: pl.DataFrame
    tickets: pl.DataFrame
    routes: pl.DataFrame

    def __repr__(self) -> str:
        counts = ((name, self.table(name).height) for name in ("games", "seats", "points", "tickets", "routes"))
        return f"<Tables: {', '.join(f'{count} {name}' for name, count in counts)}>"

    def table(self, name: TableName) -> pl.DataFrame:
        """A table by its name."""
        table: pl.DataFrame = getattr(self, name)
        return table


def require(*libraries: str) -> None:
    """Raise `MissingExtraError` if a library of the extra `data` is not installed, before games are played for nothing."""
    for library in libraries:
        try:
            version(library)
        except PackageNotFoundError:
            raise MissingExtraError(library, "data") from None


def tabulate(results: Iterable[GameResult]) -> Tables:
    """The tables of some results. Raises `MissingExtraError` without the extra `data`.

    >>> from ttr_tools.simulation import simulate
    >>> tables = tabulate(simulate("london", ["random", "random"], games=2, seed=1))
    >>> tables.games.columns
    ['game', 'seed', 'ending', 'rounds', 'margin']
    >>> tables.seats.columns[:8]
    ['game', 'seed', 'seat', 'bot', 'order', 'score', 'rank', 'turns']
    >>> tables.seats.columns[8:], tables.seats.height
    (['blind_draws', 'face_up_draws', 'ticket_draws', 'failed_tunnels'], 4)
    """
    schemas = schemas_of()
    with extra("data"):
        import polars as pl
    rows = _rows(results)
    return Tables(**{name: pl.DataFrame(rows[name], schema=schemas[name]) for name in NAMES})


def _rows(results: Iterable[GameResult]) -> dict[TableName, list[dict[str, Any]]]:
    """The rows of every table, by column; there may be more in a row than the columns of its table."""
    rows: dict[TableName, list[dict[str, Any]]] = {name: [] for name in NAMES}
    for result in results:
        game: dict[str, Any] = {"game": result.game, "seed": result.seed}
        rows["games"].append(game | {"ending": result.ending, "rounds": result.rounds, "margin": result.margin})
        for seat in result.seats:
            rows["seats"].append(game | asdict(seat, recurse=False))
            rows["points"] += [
                game | {"seat": seat.seat, "term": term, "points": points} for term, points in seat.points.items()
            ]
        rows["tickets"] += [game | asdict(ticket, recurse=False) for ticket in result.tickets]
        rows["routes"] += [game | asdict(route, recurse=False) for route in result.routes]
    return rows


def schemas_of() -> dict[TableName, pl.Schema]:
    """The columns of every table. Raises `MissingExtraError` without the extra `data`."""
    with extra("data"):
        import polars as pl
    game, seat, turn, count, points = pl.Int64, pl.Int16, pl.Int32, pl.Int32, pl.Int32
    return {
        "games": pl.Schema({"game": game, "seed": pl.String, "ending": pl.String, "rounds": turn, "margin": points}),
        "seats": pl.Schema({
            "game": game, "seed": pl.String, "seat": seat, "bot": pl.String, "order": seat, "score": points, "rank": seat,
            "turns": turn, "blind_draws": count, "face_up_draws": count, "ticket_draws": count, "failed_tunnels": count,
        }),
        "points": pl.Schema({"game": game, "seat": seat, "term": pl.String, "points": points}),
        "tickets": pl.Schema({
            "game": game, "seat": seat, "ticket": pl.String, "kept": pl.String, "completed": pl.Boolean, "points": points,
        }),
        "routes": pl.Schema({"game": game, "route": pl.String, "owner": seat, "turn": turn}),
    }  # fmt: skip
