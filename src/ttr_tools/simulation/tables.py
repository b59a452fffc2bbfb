"""Results as five tables whose columns are the same for every stack, a folder of Parquet files that keeps them, statistics.

The folder grows while a simulation runs, and an interrupted one continues in it. Statistics are of wins, scores, endings,
draws, tickets and routes, and of the strength of bots.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from pathlib import Path
from statistics import NormalDist
from time import monotonic

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

_GAME, _SEAT, _NUMBER = pl.Int64, pl.Int16, pl.Int32
#: The columns of every table, that of seats last: where its rows are stored, those of the others are too.
SCHEMAS: Mapping[str, pl.Schema] = {
    "games": pl.Schema({"game": _GAME, "seed": pl.String, "ending": pl.String, "rounds": _NUMBER, "margin": _NUMBER}),
    "points": pl.Schema({"game": _GAME, "seat": _SEAT, "term": pl.String, "points": _NUMBER}),
    "tickets": pl.Schema({
        "game": _GAME, "seat": _SEAT, "ticket": pl.String, "kept": pl.String, "completed": pl.Boolean, "points": _NUMBER,
    }),
    "routes": pl.Schema({"game": _GAME, "route": pl.String, "owner": _SEAT, "turn": _NUMBER}),
    "seats": pl.Schema({
        "game": _GAME, "seed": pl.String, "seat": _SEAT, "bot": pl.String, "order": _SEAT, "score": _NUMBER, "rank": _SEAT,
        "turns": _NUMBER, "blind_draws": _NUMBER, "face_up_draws": _NUMBER, "ticket_draws": _NUMBER,
        "failed_tunnels": _NUMBER,
    }),
}  # fmt: skip
NAMES = tuple(SCHEMAS)
#: The key of a file's metadata under which its origin is.
KEY = "ttr_rules"
#: Results are written to files when so many games have been played, or so many seconds have passed since the last time.
MOST_GAMES = 10_000
MOST_SECONDS = 15.0


@frozen(repr=False, eq=False)
class ResultTables:
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
        counts = (f"{table.height} {name}" for name, table in asdict(self, recurse=False).items())
        return f"<ResultTables: {', '.join(counts)}>"


def tabulate(results: Iterable[GameResult]) -> ResultTables:
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
    rows: dict[str, list[dict[str, object]]] = {name: [] for name in NAMES}
    for result in results:  # a row may have more columns than its table
        game: dict[str, object] = {"game": result.game, "seed": result.seed}
        rows["games"].append(game | {"ending": result.ending, "rounds": result.rounds, "margin": result.margin})
        for seat in result.seats:
            rows["seats"].append(game | asdict(seat, recurse=False))
            own = game | {"seat": seat.seat}
            rows["points"] += [own | {"term": term, "points": points} for term, points in seat.points.items()]
        rows["tickets"] += [game | asdict(ticket, recurse=False) for ticket in result.tickets]
        rows["routes"] += [game | asdict(route, recurse=False) for route in result.routes]
    return ResultTables(**{name: pl.DataFrame(rows[name], schema=SCHEMAS[name]) for name in NAMES})


# -- files -----------------------------------------------------------------------------------------------------------


def describe_origin(plan: Plan) -> Mapping[str, object]:
    """The origin of results, as in the metadata of every file. Results of the same rules, bots and seed are the same."""
    return {
        "kind": "simulation" if plan.seats is None else "tournament",
        "stack": list(plan.rules.stack),
        "rules": plan.rules.fingerprint,
        "bots": [bot.name for bot in plan.bots],
        "players": plan.players,
        "seed": plan.seed,
        "version": __version__,
    }


def _differences(origin: Mapping[str, object], other: Mapping[str, object]) -> str:
    """The differences between two origins in words, "" if there are none."""

    def word(value: object) -> str:
        return ", ".join(map(str, value)) if is_list(value) else brief(value)

    words = [(name, word(value), word(other.get(name))) for name, value in origin.items()]
    return "; ".join(f"{name} {one}, not {two}" for name, one, two in words if one != two)


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

    Yields the new results only. They are written every few seconds, when the iterator ends or is closed, and when it is
    interrupted, so that the same call continues. `read_results` reads the folder, and so does everything that reads
    folders of Parquet files: it holds one each for `games`, `seats`, `points`, `tickets` and `routes`.

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


def read_results(folder: str | PathLike[str]) -> ResultTables:
    """The tables in a folder of results, in order of the games.

    Raises `InvalidInputError` for a folder that has no results, or results of several simulations.
    """
    path = Path(folder)
    if _read_origin(path) is None:
        raise InvalidInputError(f"{path}: no results of a simulation")
    files = _files(path)
    tables = {name: pl.read_parquet([path / name / file.name for file in files], glob=False) for name in NAMES}
    return ResultTables(**{name: table.sort("game", maintain_order=True) for name, table in tables.items()})


class ResultFiles:
    """A folder of results. `games` are the numbers of those that it had at first.

    Each file holds the rows of some games. Files of the same name in all folders belong together. The one in `seats` is
    written last, and a file is in place only when it is complete. So a game is there as a whole, or not at all.
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
        self.games = {game for file in files for game in pl.read_parquet(file, columns=["game"], glob=False)["game"]}

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
        tables: dict[str, pl.DataFrame] = asdict(tabulate(results), recurse=False)
        metadata = json.dumps(self.origin)
        name = f"games-{results[0].game:09d}-{results[-1].game:09d}.parquet"
        for table in NAMES:
            path = self.folder / table / name
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_name(f".{name}.partial")  # readers of folders ignore names that begin with a dot
            tables[table].write_parquet(partial, metadata={KEY: metadata})
            partial.replace(path)


def _files(folder: Path) -> list[Path]:
    """The files of the table of seats, in order of their names."""
    return sorted((folder / "seats").glob("games-*.parquet"))


def _read_origin(folder: Path) -> Mapping[str, object] | None:
    """The origin of the results in a folder, or None. Raises `InvalidInputError` if it has something else."""
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
            differing = _differences(origin, common)
            raise InvalidInputError(f"{file} has other results than the files beside it: {differing}")
        common = origin
    return common


# -- statistics -------------------------------------------------------------------------------------------------------


#: The confidence of all intervals, and the number of standard deviations on either side that they reach.
CONFIDENCE = 0.95
DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def win_rates(tables: ResultTables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The wins of each group of seats, with Wilson's 95% confidence interval (`low`, `high`).

    `by` are columns of the table of seats: `["bot"]` compares bots, `["order"]` first players with later ones. A shared
    victory counts for everybody who shares it.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=8, seed=1))
    >>> win_rates(tables, ["bot"]).select("bot", "games", "wins").rows()
    [('planner', 8, 8), ('random', 8, 0)]
    """
    wins = (pl.col("rank") == 1).sum()
    return _group(tables.seats, by, games=pl.len(), wins=wins, **interval(wins, pl.len()))


def scores(tables: ResultTables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The scores of each group of seats: mean, standard deviation, extremes and quartiles.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=4, seed=1))
    >>> scores(tables).columns
    ['seat', 'bot', 'games', 'mean', 'deviation', 'least', 'lower', 'median', 'upper', 'most']
    """
    score = pl.col("score")
    return _group(
        tables.seats,
        by,
        games=pl.len(),
        mean=score.mean(),
        deviation=score.std(),
        least=score.min(),
        lower=score.quantile(0.25),
        median=score.median(),
        upper=score.quantile(0.75),
        most=score.max(),
    )


def endings(tables: ResultTables) -> pl.DataFrame:
    """The endings of games: for each reason its share of the games (with Wilson's 95% interval), the mean rounds and margin.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=4, seed=1))
    >>> endings(tables).select("ending", "games", "rate").rows()
    [('last round', 4, 1.0)]
    """
    counted = _group(
        tables.games,
        ["ending"],
        games=pl.len(),
        **interval(pl.len(), pl.lit(len(tables.games))),
        rounds=pl.col("rounds").mean(),
        margin=pl.col("margin").mean(),
    )
    return counted.sort(["games", "ending"], descending=[True, False])


def draws(tables: ResultTables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The means of each group of seats for a game: turns, cards drawn blind and face up, draws of tickets, failed tunnels.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("europe", ["planner", "random"], games=2, seed=1))
    >>> draws(tables, ["bot"]).columns
    ['bot', 'turns', 'blind_draws', 'face_up_draws', 'ticket_draws', 'failed_tunnels']
    """
    counts = ("turns", "blind_draws", "face_up_draws", "ticket_draws", "failed_tunnels")
    return _group(tables.seats, by, **{count: pl.col(count).mean() for count in counts})


def ticket_rates(tables: ResultTables) -> pl.DataFrame:
    """For each ticket the number of times that it was held, completed (with Wilson's 95% interval) and kept at set-up.

    `mean_points` are its mean points, `winners` the share of its holders who won.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=4, seed=1))
    >>> ticket_rates(tables).columns
    ['ticket', 'held', 'completed', 'rate', 'low', 'high', 'at_setup', 'mean_points', 'winners']
    """
    winners = tables.seats.select("game", "seat", won=pl.col("rank") == 1)
    completed = pl.col("completed").sum()
    counted = _group(
        tables.tickets.join(winners, on=["game", "seat"]),
        ["ticket"],
        held=pl.len(),
        completed=completed,
        **interval(completed, pl.len()),
        at_setup=(pl.col("kept") == "set-up").mean(),
        mean_points=pl.col("points").mean(),
        winners=pl.col("won").mean(),
    )
    return counted.sort(["rate", "held", "ticket"], descending=[True, True, False])


def route_rates(tables: ResultTables, routes: Iterable[str] = ()) -> pl.DataFrame:
    """For each route the share of the games in which it was claimed (with Wilson's 95% interval), and when.

    `turn` is the mean number of the owner's turn: the lower, the more urgent. `routes` are ids to list even if nobody
    ever claimed them, such as all of `board.routes`.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=4, seed=1))
    >>> route_rates(tables).columns
    ['route', 'games', 'claimed', 'rate', 'low', 'high', 'turn']
    """
    counted = _group(tables.routes, ["route"], claimed=pl.col("game").n_unique(), turn=pl.col("turn").mean())
    listed = pl.DataFrame({"route": sorted({*routes, *counted["route"]})}, schema={"route": pl.String})
    games, claimed = pl.lit(len(tables.games)), pl.col("claimed").fill_null(0)
    every = listed.join(counted, on="route", how="left").select(
        "route", games=games, claimed=claimed, **interval(claimed, games), turn="turn"
    )
    return every.sort(["rate", "turn", "route"], descending=[True, False, False])


def ratings(tables: ResultTables) -> pl.DataFrame:
    """The bots by their rating, the best first, with their wins as in `win_rates`.

    The rating is that of openskill's Plackett–Luce model, which looks at the ranks of all players of each game in turn:
    everybody begins with 25, and `deviation` says how sure it is.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> rated = ratings(tabulate(simulate("london", ["random", "planner"], games=6, seed=1, players=2)))
    >>> rated["bot"].to_list(), rated.columns
    (['planner', 'random'], ['bot', 'games', 'wins', 'rate', 'low', 'high', 'rating', 'deviation'])
    """
    with extra("data"):
        from openskill.models import PlackettLuce
    model = PlackettLuce()
    wins = win_rates(tables, ["bot"])
    rated = {bot: model.rating(name=bot) for bot in wins["bot"].to_list()}
    games = tables.seats.group_by("game", maintain_order=True).agg("bot", "rank")
    for bots, ranks in games.select("bot", "rank").iter_rows():
        after = model.rate([[rated[bot]] for bot in bots], ranks=[float(rank) for rank in ranks])
        rated.update((bot, team[0]) for bot, team in zip(bots, after, strict=True))
    schema = pl.Schema({"bot": pl.String, "rating": pl.Float64, "deviation": pl.Float64})
    strengths = [(bot, rating.mu, rating.sigma) for bot, rating in rated.items()]
    return wins.join(pl.DataFrame(strengths, schema, orient="row"), on="bot").sort("rating", descending=True)


def duels(tables: ResultTables) -> pl.DataFrame:
    """For each two bots that met, the number of their games in which the first was ahead, with Wilson's 95% interval.

    Games in which both have the same rank are left out.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["random", "planner"], games=6, seed=1, players=2))
    >>> duels(tables).select("bot", "other", "games", "ahead").rows()
    [('planner', 'random', 6, 6), ('random', 'planner', 6, 0)]
    """
    seats = tables.seats.select("game", "bot", "rank")
    pairs = seats.join(seats.rename({"bot": "other", "rank": "rank_of_other"}), on="game")
    met = pairs.filter((pl.col("bot") != pl.col("other")) & (pl.col("rank") != pl.col("rank_of_other")))
    ahead = (pl.col("rank") < pl.col("rank_of_other")).sum()
    return _group(met, ["bot", "other"], games=pl.len(), ahead=ahead, **interval(ahead, pl.len()))


def _group(table: pl.DataFrame, by: Iterable[str], **columns: pl.Expr) -> pl.DataFrame:
    """The rows of a table in groups, sorted by their keys, with a column for each expression."""
    keys = list(by)
    return table.group_by(keys).agg(**columns).sort(keys)


def interval(hits: pl.Expr, trials: pl.Expr) -> dict[str, pl.Expr]:
    """The columns with the rate of hits among trials, and the ends of Wilson's interval.

    >>> counted = pl.DataFrame({"wins": [8, 5], "games": [8, 10]})
    >>> rates = counted.select("wins", "games", **interval(pl.col("wins"), pl.col("games")))
    >>> [[round(value, 3) for value in row] for row in rates.rows()]
    [[8, 8, 1.0, 0.676, 1.0], [5, 10, 0.5, 0.237, 0.763]]
    """
    count, square = trials.cast(pl.Float64), DEVIATIONS**2  # whole numbers of games have no room for their squares
    rate = hits / count
    middle = (rate + square / (2 * count)) / (1 + square / count)
    half = DEVIATIONS * (rate * (1 - rate) / count + square / (4 * count**2)).sqrt() / (1 + square / count)
    low = pl.when(hits == 0).then(0.0).otherwise(middle - half)
    high = pl.when(rate == 1).then(1.0).otherwise(middle + half)
    return {"rate": rate, "low": low, "high": high}
