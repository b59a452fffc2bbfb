"""A folder of Parquet files that keeps results while a simulation runs, and in which an interrupted one continues."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from time import monotonic
from typing import Any

from attrs import asdict, frozen

from ttr_rules import __version__
from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory
from ttr_tools.extras import extra
from ttr_tools.simulation.plan import Plan, plan_of
from ttr_tools.simulation.results import GameResult
from ttr_tools.simulation.running import SubmitsCalls, numbers_of, played
from ttr_tools.simulation.tables import NAMES, Tables, schemas_of, tabulate

#: The key of a file's metadata under which its `Origin` is.
KEY = "ttr_rules"
#: Results are written to files when so many games have been played, or so many seconds have passed since the last time.
MOST_GAMES = 10_000
MOST_SECONDS = 15.0
#: When a simulation has ended, small files are joined to files of so many games at most: larger ones would need much memory.
MOST_JOINED = 100_000


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
    the iterator ends or is closed, and when it is interrupted, so that the same call continues; at the end, small files are
    joined. `read_results` reads the folder, and so does everything that reads Parquet: it holds the folders `games`,
    `seats`, `points`, `tickets` and `routes`.

    Raises `InvalidInputError` for a folder with results of other rules, bots or another seed, `MissingExtraError` without
    the extra `data`, and what `simulate` raises.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=2, seed=1)]
    ...     more = [result.game for result in simulate_to(folder, "london", ["random", "random"], games=5, seed=1)]
    ...     tables = read_results(folder)
    >>> first, more, tables.seats.height
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
    path = Path(folder)
    origin = _origin_in(path)
    if origin is None:
        raise InvalidInputError(f"{path}: no results of a simulation")
    return _read(path, [file for file, games in _games_by_file(path).items() if games])


class ResultFiles:
    """A folder of results: `games` are the numbers of those that it has.

    Each file holds the rows of some games; files of the same name in all folders belong together. That in `seats`
    is written last, and a file is in place only when it is complete: so a game is there as a whole, or not at all. When
    files are joined, the old ones are removed after the new one is in place.
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
        self._tidy()
        self.games: set[int] = set().union(*_games_by_file(folder).values())

    def keep(self, results: Generator[GameResult, None, None]) -> Generator[GameResult, None, None]:
        """Hand on results and write them, also when interrupted; at the end, join small files."""
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
        self.join()

    def write(self, results: Sequence[GameResult]) -> None:
        """Write results to files of their own."""
        self._write(tabulate(results))
        self.games.update(result.game for result in results)

    def join(self) -> None:
        """Join files of few games to files of at most `MOST_JOINED`."""
        batches: list[list[Path]] = []
        room = 0
        for file, games in _games_by_file(self.folder).items():
            room -= len(games)
            if room < 0:
                batches.append([])
                room = MOST_JOINED - len(games)
            batches[-1].append(file)
        for batch in batches:
            if len(batch) > 1:
                tables = _read(self.folder, batch)
                if _name(tables) not in {file.name for file in batch}:
                    self._write(tables)
        self._tidy()

    def _write(self, tables: Tables) -> None:
        name = _name(tables)
        metadata = json.dumps(asdict(self.origin))
        for table in NAMES:
            path = self.folder / table / name
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f".{name}.partial")  # readers of folders ignore names that begin with a dot
            tables.table(table).write_parquet(partial, metadata={KEY: metadata})
            partial.replace(path)

    def _tidy(self) -> None:
        """Remove files that were not written to the end, with those of their games, and those that were joined to others."""
        whole: set[str] = set()
        for file, games in _games_by_file(self.folder).items():
            if games:
                whole.add(file.name)
            else:
                file.unlink()
        for name in NAMES:
            for file in (self.folder / name).glob("*games-*"):
                if file.name not in whole:
                    file.unlink()


def _name(tables: Tables) -> str:
    """The name of files with these results."""
    games = tables.games["game"]
    return f"games-{games[0]:09d}-{games[-1]:09d}.parquet"


def _read(folder: Path, files: Sequence[Path]) -> Tables:
    """The tables in some files, in order of the games."""
    with extra("data"):
        import polars as pl
    found = {
        name: pl.concat([pl.read_parquet(folder / name / file.name, glob=False) for file in files]) for name in NAMES
    }
    return Tables(**{name: table.sort("game", maintain_order=True) for name, table in found.items()})


def _files(folder: Path) -> list[Path]:
    """The files of the table of seats, in order of their names."""
    return sorted((folder / "seats").glob("games-*.parquet"))


def _games_by_file(folder: Path) -> dict[Path, set[int]]:
    """The games in each file of the table of seats, in order of their names: none if a joined file has them too."""
    with extra("data"):
        import polars as pl
    found = {file: set(pl.read_parquet(file, columns=["game"], glob=False)["game"]) for file in _files(folder)}
    seen: set[int] = set()
    for file in sorted(found, key=lambda file: len(found[file]), reverse=True):
        if found[file] <= seen:
            found[file] = set()
        seen |= found[file]
    return found


def _origin_in(folder: Path) -> Origin | None:
    """Where the results in a folder come from; None if it has none. Raises `InvalidInputError` if it has something else."""
    with extra("data"):
        import polars as pl
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder} is a file: results are kept in a folder")
    found: Origin | None = None
    for file in _files(folder):
        try:
            origin = _read_origin(pl.read_parquet_metadata(file))
        except (pl.exceptions.PolarsError, ValueError, KeyError, TypeError) as error:
            raise InvalidInputError(f"{file}: not a file of results: {error}") from error
        if found is not None and origin.differences(found):
            raise InvalidInputError(f"{file} has results {'; '.join(origin.differences(found))}, as other files there")
        found = origin
    return found


def _read_origin(metadata: Mapping[str, str]) -> Origin:
    values: dict[str, Any] = json.loads(metadata[KEY])
    return Origin(
        kind=values["kind"],
        stack=tuple(values["stack"]),
        rules=values["rules"],
        bots=tuple(values["bots"]),
        players=values["players"],
        seed=values["seed"],
        version=values["version"],
    )
