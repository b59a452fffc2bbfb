"""A folder of Parquet files that keeps results while a simulation runs, and in which an interrupted one continues."""

# The stubs of pyarrow leave some types of parameters open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from attrs import asdict, frozen

from ttr_rules._internal.messages import brief
from ttr_rules._version import __version__
from ttr_rules.bots import BotFactory
from ttr_rules.errors import InvalidInputError, extra
from ttr_rules.simulation.plan import Plan, plan_of
from ttr_rules.simulation.results import GameResult
from ttr_rules.simulation.running import SubmitsCalls, numbers_of, played
from ttr_rules.simulation.tables import NAMES, TableName, Tables, schemas_of, tabulate

if TYPE_CHECKING:
    import pyarrow as pa

#: The key of a file's metadata under which its `Origin` is.
KEY = b"ttr_rules"
#: Results are written to files when so many games have been played, or so many seconds have passed since the last time.
MOST_GAMES = 10_000
MOST_SECONDS = 15.0


@frozen
class Origin:
    """Where results come from, as the metadata of every file says: under the same rules, bots and seed they are the same.

    `rules` is the fingerprint of the rules.
    """

    kind: str
    stack: tuple[str, ...]
    rules: str
    bots: tuple[str, ...]
    players: int
    seed: int | str
    version: str

    def differences(self, other: Origin) -> list[str]:
        """What makes results of this origin others than those of another one, in words."""
        found: list[str] = []
        if self.kind != other.kind:
            found.append(f"of a {self.kind}, not a {other.kind}")
        if self.stack != other.stack:
            found.append(f"of {' + '.join(self.stack)}, not {' + '.join(other.stack)}")
        elif self.rules != other.rules:
            found.append(f"of {' + '.join(self.stack)} with other rulings, options or data")
        if self.bots != other.bots:
            found.append(f"by the bots {', '.join(self.bots)}, not {', '.join(other.bots)}")
        elif self.players != other.players:
            found.append(f"of {self.players} players, not {other.players}")
        if (type(self.seed), self.seed) != (type(other.seed), other.seed):
            found.append(f"from the seed {brief(self.seed)}, not {brief(other.seed)}")
        if self.version != other.version:
            found.append(f"by version {self.version} of ttr-rules, not {other.version}")
        return found


def simulate_to(
    folder: str | PathLike[str],
    stack: object,
    bots: Sequence[str | BotFactory],
    games: int,
    seed: int | str,
    executor: SubmitsCalls | None = None,
    players: int | None = None,
) -> Generator[GameResult, None, None]:
    """Simulate as `simulate` does, and keep the results in a folder: games that it has already are not played again.

    With a number of `players`, it is a `tournament`. Only new results come out. They are written every few seconds, when
    the iterator ends or is closed, and when it is interrupted, so that the same call continues. `read_results` reads the
    folder, and so does everything that reads Parquet: it holds the folders `seats`, `points`, `tickets` and `routes`.

    Raises `InvalidInputError` for a folder with results of other rules, bots or another seed, `MissingExtraError` without
    the extra `data`, and what `simulate` raises.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=2, seed=1)]
    ...     more = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=5, seed=1)]
    ...     tables = read_results(folder)
    >>> first, more, tables.seats.num_rows
    ([0, 1], [2, 3, 4], 10)
    """
    plan = plan_of(stack, bots, seed, players)
    kept = ResultFiles(Path(folder), origin_of(plan))
    missing = [number for number in numbers_of(games) if number not in kept.games]
    return kept.keep(played(plan, missing, executor))


def origin_of(plan: Plan) -> Origin:
    """Where the results of a plan come from."""
    rules, bots = plan.rules, tuple(bot.name for bot in plan.bots)
    return Origin(plan.kind, rules.stack, rules.fingerprint, bots, plan.players, plan.seed, __version__)


def read_results(folder: str | PathLike[str]) -> Tables:
    """The tables in a folder of results, in order of the games.

    Raises `InvalidInputError` for a folder that has no results, or results of several simulations.
    """
    with extra("data"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    path = Path(folder)
    origin = _origin_in(path)
    if origin is None:
        raise InvalidInputError(f"{path}: no results of a simulation")
    files = _files(path)
    found = {name: pa.concat_tables(pq.read_table(path / name / file.name) for file in files) for name in NAMES}
    return Tables(**{name: table.sort_by("game").replace_schema_metadata() for name, table in found.items()})


class ResultFiles:
    """A folder of results: `games` are the numbers of those that it has.

    Each file holds the rows of some games; files of the same name in the four folders belong together. That in `seats`
    is written last, and a file is in place only when it is complete: so a game is there as a whole, or not at all.
    """

    def __init__(self, folder: Path, origin: Origin) -> None:
        schemas_of()  # says at once what is not installed
        self.folder = folder
        self.origin = origin
        known = _origin_in(folder)
        if known is None and folder.exists() and any(each.name not in NAMES for each in folder.iterdir()):
            raise InvalidInputError(f"{folder} holds other files: name a new folder for the results")
        differences = [] if known is None else known.differences(origin)
        if differences:
            raise InvalidInputError(
                f"{folder} has results {'; '.join(differences)}: name another folder, or ask for the same games"
            )
        self.games = _games_in(folder)

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
        with extra("data"):
            import pyarrow.parquet as pq
        tables = tabulate(results)
        name = f"games-{results[0].game:09d}-{results[-1].game:09d}.parquet"
        metadata = json.dumps(asdict(self.origin)).encode()
        for table in NAMES:
            path = self.folder / table / name
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f".{name}.partial")  # readers of folders ignore names that begin with a dot
            pq.write_table(tables.table(table).replace_schema_metadata({KEY: metadata}), partial)
            partial.replace(path)
        self.games.update(result.game for result in results)


def _files(folder: Path, table: TableName = "seats") -> list[Path]:
    """The files of a table, in order of their names."""
    return sorted((folder / table).glob("games-*.parquet"))


def _games_in(folder: Path) -> set[int]:
    """The numbers of the games in a folder. Files that were not written to the end are removed, with those of their games."""
    with extra("data"):
        import pyarrow.parquet as pq
    files = _files(folder)
    whole = {file.name for file in files}
    for name in NAMES:
        for file in (folder / name).glob("*games-*"):
            if file.name not in whole:
                file.unlink()
    found: set[int] = set()
    for file in files:
        found.update(cast("list[int]", pq.read_table(file, columns=["game"]).column("game").to_pylist()))
    return found


def _origin_in(folder: Path) -> Origin | None:
    """Where the results in a folder come from; None if it has none. Raises `InvalidInputError` if it has something else."""
    with extra("data"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder} is a file: results are kept in a folder")
    found: Origin | None = None
    for file in _files(folder):
        try:
            origin = _read_origin(pq.read_schema(file))
        except (pa.ArrowException, ValueError, KeyError, TypeError) as error:
            raise InvalidInputError(f"{file}: not a file of results: {error}") from error
        if found is not None and origin.differences(found):
            raise InvalidInputError(f"{file} has results {'; '.join(origin.differences(found))}, as other files there")
        found = origin
    return found


def _read_origin(schema: pa.Schema) -> Origin:
    values: dict[str, Any] = json.loads((schema.metadata or {})[KEY])
    return Origin(
        kind=values["kind"],
        stack=tuple(values["stack"]),
        rules=values["rules"],
        bots=tuple(values["bots"]),
        players=values["players"],
        seed=values["seed"],
        version=values["version"],
    )
