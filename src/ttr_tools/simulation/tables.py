"""Results as five tables whose columns are the same for every stack, and a folder of Parquet files that keeps them.

The folder grows while a simulation runs, and an interrupted one continues in it.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Literal, TypeAlias

from attrs import asdict, frozen

from ttr_rules import __version__
from ttr_rules.errors import InvalidInputError
from ttr_rules.reading import is_list, is_object, read_json
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory
from ttr_tools.extras import extra
from ttr_tools.simulation.running import GameResult, Plan, make_plan, number_games, play_games

with extra("data"):
    import polars as pl

TableName: TypeAlias = Literal["games", "seats", "points", "tickets", "routes"]
#: The tables, that of seats last: where its rows are stored, those of the others are too.
NAMES: tuple[TableName, ...] = ("games", "points", "tickets", "routes", "seats")
_GAME, _SEAT, _NUMBER = pl.Int64, pl.Int16, pl.Int32
#: The columns of every table.
SCHEMAS: Mapping[TableName, pl.Schema] = {
    "games": pl.Schema({"game": _GAME, "seed": pl.String, "ending": pl.String, "rounds": _NUMBER, "margin": _NUMBER}),
    "seats": pl.Schema({
        "game": _GAME, "seed": pl.String, "seat": _SEAT, "bot": pl.String, "order": _SEAT, "score": _NUMBER, "rank": _SEAT,
        "turns": _NUMBER, "blind_draws": _NUMBER, "face_up_draws": _NUMBER, "ticket_draws": _NUMBER,
        "failed_tunnels": _NUMBER,
    }),
    "points": pl.Schema({"game": _GAME, "seat": _SEAT, "term": pl.String, "points": _NUMBER}),
    "tickets": pl.Schema({
        "game": _GAME, "seat": _SEAT, "ticket": pl.String, "kept": pl.String, "completed": pl.Boolean, "points": _NUMBER,
    }),
    "routes": pl.Schema({"game": _GAME, "route": pl.String, "owner": _SEAT, "turn": _NUMBER}),
}  # fmt: skip
#: The key of a file's metadata under which its origin is.
KEY = "ttr_rules"
#: Results are written to files when so many games have been played, or so many seconds have passed since the last time.
MOST_GAMES = 10_000
MOST_SECONDS = 15.0


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


def tabulate(results: Iterable[GameResult]) -> Tables:
    """The tables of some results.

    >>> from ttr_tools.simulation import simulate
    >>> tables = tabulate(simulate("london", ["random", "random"], games=2, seed=1))
    >>> tables.games.columns
    ['game', 'seed', 'ending', 'rounds', 'margin']
    >>> tables.seats.columns[:8]
    ['game', 'seed', 'seat', 'bot', 'order', 'score', 'rank', 'turns']
    >>> tables.seats.columns[8:], tables.seats.height
    (['blind_draws', 'face_up_draws', 'ticket_draws', 'failed_tunnels'], 4)
    """
    rows = _rows(results)
    return Tables(**{name: pl.DataFrame(rows[name], schema=SCHEMAS[name]) for name in NAMES})


def _rows(results: Iterable[GameResult]) -> dict[TableName, list[dict[str, object]]]:
    """The rows of every table, by column; there may be more in a row than the columns of its table."""
    rows: dict[TableName, list[dict[str, object]]] = {name: [] for name in NAMES}
    for result in results:
        game: dict[str, object] = {"game": result.game, "seed": result.seed}
        rows["games"].append(game | {"ending": result.ending, "rounds": result.rounds, "margin": result.margin})
        for seat in result.seats:
            rows["seats"].append(game | asdict(seat, recurse=False))
            rows["points"] += [
                game | {"seat": seat.seat, "term": term, "points": points} for term, points in seat.points.items()
            ]
        rows["tickets"] += [game | asdict(ticket, recurse=False) for ticket in result.tickets]
        rows["routes"] += [game | asdict(route, recurse=False) for route in result.routes]
    return rows


# -- files -----------------------------------------------------------------------------------------------------------


def describe_origin(plan: Plan) -> Mapping[str, object]:
    """The origin of results, as in the metadata of every file: under the same rules, bots and seed they are the same."""
    return {
        "kind": plan.kind,
        "stack": list(plan.rules.stack),
        "rules": plan.rules.fingerprint,
        "bots": [bot.name for bot in plan.bots],
        "players": plan.players,
        "seed": plan.seed,
        "version": __version__,
    }


def _differences(origin: Mapping[str, object], other: Mapping[str, object]) -> str:
    """The differences between two origins in words; "" if there are none."""
    words = {
        name: [", ".join(map(str, one)) if is_list(one) else brief(one) for one in (value, other.get(name))]
        for name, value in origin.items()
    }
    return "; ".join(f"{name} {one}, not {two}" for name, (one, two) in words.items() if one != two)


def simulate_to(
    folder: str | PathLike[str],
    stack: object,
    bots: Sequence[str | BotFactory],
    games: int,
    seed: int | str,
    executor: Executor | None = None,
    players: int | None = None,
) -> Generator[GameResult, None, None]:
    """Simulate as `simulate` does, and keep the results in a folder: games that it has already are not played again.

    With a number of `players`, it is a `tournament`. Only new results come out. They are written every few seconds, when
    the iterator ends or is closed, and when it is interrupted, so that the same call continues. `read_results` reads the
    folder, and so does everything that reads folders of Parquet files: it holds one each for `games`, `seats`, `points`,
    `tickets` and `routes`.

    Raises `InvalidInputError` for a folder with results of other rules, bots or another seed, and what `simulate` raises.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=2, seed=1)]
    ...     more = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=5, seed=1)]
    ...     tables = read_results(folder)
    >>> first, more, tables.seats.height
    ([0, 1], [2, 3, 4], 10)
    """
    plan = make_plan(stack, bots, seed, players)
    files = ResultFiles(Path(folder), describe_origin(plan))
    missing = [number for number in number_games(games) if number not in files.games]
    return files.keep(play_games(plan, missing, executor))


def read_results(folder: str | PathLike[str]) -> Tables:
    """The tables in a folder of results, in order of the games.

    Raises `InvalidInputError` for a folder that has no results, or results of several simulations.
    """
    path = Path(folder)
    if _read_origin(path) is None:
        raise InvalidInputError(f"{path}: no results of a simulation")
    files = _files(path)
    parts = {name: [pl.read_parquet(path / name / file.name, glob=False) for file in files] for name in NAMES}
    return Tables(**{name: pl.concat(frames).sort("game", maintain_order=True) for name, frames in parts.items()})


class ResultFiles:
    """A folder of results: `games` are the numbers of those that it has.

    Each file holds the rows of some games; files of the same name in all folders belong together. That in `seats`
    is written last, and a file is in place only when it is complete: so a game is there as a whole, or not at all.
    """

    def __init__(self, folder: Path, origin: Mapping[str, object]) -> None:
        self.folder = folder
        self.origin = origin
        stored = _read_origin(folder)
        if stored is None and folder.exists() and any(file.name not in NAMES for file in folder.iterdir()):
            raise InvalidInputError(f"{folder} holds other files: name a new folder for the results")
        differences = "" if stored is None else _differences(stored, origin)
        if differences:
            raise InvalidInputError(
                f"{folder} has other results ({differences}): name another folder, or ask for the same games"
            )
        files = _files(folder)
        whole = {file.name for file in files}
        for name in NAMES:  # files that were not written to the end go, with those of their games
            for file in (folder / name).glob("*games-*"):
                if file.name not in whole:
                    file.unlink()
        self.games: set[int] = set()
        for file in files:
            self.games.update(pl.read_parquet(file, columns=["game"], glob=False)["game"])

    def keep(self, results: Generator[GameResult, None, None]) -> Generator[GameResult, None, None]:
        """Hand on results and write them, also when interrupted."""
        waiting: list[GameResult] = []
        written = monotonic()
        try:
            for result in results:
                waiting.append(result)
                if len(waiting) >= MOST_GAMES or monotonic() - written >= MOST_SECONDS:
                    self.write(waiting)
                    waiting, written = [], monotonic()
                yield result
        finally:
            results.close()
            if waiting:
                self.write(waiting)

    def write(self, results: Sequence[GameResult]) -> None:
        """Write results to files of their own."""
        tables, metadata = tabulate(results), json.dumps(self.origin)
        name = f"games-{results[0].game:09d}-{results[-1].game:09d}.parquet"
        for table in NAMES:
            path = self.folder / table / name
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f".{name}.partial")  # readers of folders ignore names that begin with a dot
            tables.table(table).write_parquet(partial, metadata={KEY: metadata})
            partial.replace(path)
        self.games.update(result.game for result in results)


def _files(folder: Path) -> list[Path]:
    """The files of the table of seats, in order of their names."""
    return sorted((folder / "seats").glob("games-*.parquet"))


def _read_origin(folder: Path) -> Mapping[str, object] | None:
    """The origin of the results in a folder; None if it has none. Raises `InvalidInputError` if it has something else."""
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder} is a file: results are kept in a folder")
    common: Mapping[str, object] | None = None
    for file in _files(folder):
        try:
            origin = read_json(pl.read_parquet_metadata(file)[KEY])
        except (pl.exceptions.PolarsError, ValueError, KeyError) as error:
            raise InvalidInputError(f"{file}: not a file of results: {error}") from error
        if not is_object(origin):
            raise InvalidInputError(f"{file}: not a file of results: expected a table, got {brief(origin)}")
        if common is not None and origin != common:
            raise InvalidInputError(
                f"{file} has other results than the files beside it: {_differences(origin, common)}"
            )
        common = origin
    return common
