"""Results as four tables whose columns are the same for every stack: seats, points, tickets and routes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import asdict, frozen

from ttr_rules.errors import MissingExtraError, extra
from ttr_rules.simulation.results import GameResult

if TYPE_CHECKING:
    import pyarrow as pa

TableName: TypeAlias = Literal["seats", "points", "tickets", "routes"]
#: The tables, that of seats last: where its rows are stored, those of the others are too.
NAMES: tuple[TableName, ...] = ("points", "tickets", "routes", "seats")


@frozen(repr=False)
class Tables:
    """The results of many games as Arrow tables: one row for each seat, score line, ticket and claimed route.

    They are joined by `game` and `seat` (in `routes` the seat is the `owner`). `tables.seats.to_pandas()` and
    `polars.from_arrow(tables.seats)` give data frames.

    >>> from ttr_rules.simulation import simulate
    >>> tables = tabulate(simulate("london", ["random", "random"], games=2, seed=1))
    >>> tables.points.column_names, tables.routes.column_names
    (['game', 'seat', 'term', 'points'], ['game', 'route', 'owner', 'turn'])
    """

    seats: pa.Table
    points: pa.Table
    tickets: pa.Table
    routes: pa.Table

    def __repr__(self) -> str:
        counts = ((name, self.table(name).num_rows) for name in ("seats", "points", "tickets", "routes"))
        return f"<Tables: {', '.join(f'{count} {name}' for name, count in counts)}>"

    def table(self, name: TableName) -> pa.Table:
        """A table by its name."""
        table: pa.Table = getattr(self, name)
        return table


def require() -> None:
    """Raise `MissingExtraError` if something of the extra `data` is not installed, before games are played for nothing."""
    for library in ("pyarrow", "polars", "scipy", "matplotlib", "openskill"):
        try:
            version(library)
        except PackageNotFoundError:
            raise MissingExtraError(library, "data") from None


def tabulate(results: Iterable[GameResult]) -> Tables:
    """The tables of some results. Raises `MissingExtraError` without the extra `data`.

    >>> from ttr_rules.simulation import simulate
    >>> tables = tabulate(simulate("london", ["random", "random"], games=2, seed=1))
    >>> tables.seats.column_names
    ['game', 'seed', 'seat', 'bot', 'order', 'score', 'rank', 'turns']
    >>> tables.seats.num_rows
    4
    """
    schemas = schemas_of()
    with extra("data"):
        import pyarrow as pa
    rows = _rows(results)
    return Tables(**{name: pa.Table.from_pylist(rows[name], schema=schemas[name]) for name in NAMES})


def _rows(results: Iterable[GameResult]) -> dict[TableName, list[dict[str, Any]]]:
    """The rows of every table, by column; there may be more in a row than the columns of its table."""
    rows: dict[TableName, list[dict[str, Any]]] = {name: [] for name in NAMES}
    for result in results:
        game: dict[str, Any] = {"game": result.game, "seed": result.seed}
        for seat in result.seats:
            rows["seats"].append(game | asdict(seat, recurse=False))
            rows["points"] += [
                game | {"seat": seat.seat, "term": term, "points": points} for term, points in seat.points.items()
            ]
        rows["tickets"] += [game | asdict(ticket, recurse=False) for ticket in result.tickets]
        rows["routes"] += [game | asdict(route, recurse=False) for route in result.routes]
    return rows


def schemas_of(metadata: Mapping[bytes | str, bytes | str] | None = None) -> dict[TableName, pa.Schema]:
    """The columns of every table. Raises `MissingExtraError` without the extra `data`."""
    with extra("data"):
        import pyarrow as pa
    seat = [("game", pa.int64()), ("seat", pa.int16())]
    columns: dict[TableName, list[tuple[str, pa.DataType]]] = {
        "seats": [
            ("game", pa.int64()),
            ("seed", pa.string()),
            ("seat", pa.int16()),
            ("bot", pa.string()),
            ("order", pa.int16()),
            ("score", pa.int32()),
            ("rank", pa.int16()),
            ("turns", pa.int32()),
        ],
        "points": [*seat, ("term", pa.string()), ("points", pa.int32())],
        "tickets": [
            *seat,
            ("ticket", pa.string()),
            ("kept", pa.string()),
            ("completed", pa.bool_()),
            ("points", pa.int32()),
        ],
        "routes": [("game", pa.int64()), ("route", pa.string()), ("owner", pa.int16()), ("turn", pa.int32())],
    }
    own = None if metadata is None else dict(metadata)
    return {name: pa.schema(fields, metadata=own) for name, fields in columns.items()}
