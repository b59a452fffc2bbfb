"""Statistics of results: wins, scores, endings, draws, tickets and routes, and the strength of bots."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import NormalDist

from ttr_tools.extras import extra
from ttr_tools.simulation.tables import Tables

with extra("data"):
    import polars as pl

#: The confidence of all intervals, and the number of standard deviations on either side that they reach.
CONFIDENCE = 0.95
DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def win_rates(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The wins of each group of seats, with Wilson's 95% confidence interval (`low`, `high`).

    `by` are columns of the table of seats: `["bot"]` compares bots, `["order"]` first players with later ones. A shared
    victory counts for everybody who shares it.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=8, seed=1))
    >>> win_rates(tables, ["bot"]).select("bot", "games", "wins").rows()
    [('planner', 8, 8), ('random', 8, 0)]
    """
    counted = _group(tables.seats, by, games=pl.len(), wins=(pl.col("rank") == 1).sum())
    return with_interval(counted, "wins", "games")


def scores(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
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


def score_lines(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The mean points of each group of seats, one column for each line of the score sheet.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("europe", ["random", "random"], games=2, seed=1))
    >>> score_lines(tables, ["bot"]).columns
    ['bot', 'routes', 'tickets', 'stations', 'longest_path']
    """
    keys = list(by)
    seats = tables.seats.select("game", "seat", *(key for key in keys if key not in ("game", "seat")))
    lines = tables.points.join(seats, on=["game", "seat"])
    return lines.pivot("term", index=keys, values="points", aggregate_function="mean").sort(keys)


def endings(tables: Tables) -> pl.DataFrame:
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
        of=pl.lit(len(tables.games)),
        rounds=pl.col("rounds").mean(),
        margin=pl.col("margin").mean(),
    )
    rates = with_interval(counted, "games", "of").select("ending", "games", "rate", "low", "high", "rounds", "margin")
    return rates.sort(["games", "ending"], descending=[True, False])


def draws(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The means of each group of seats for a game: turns, cards drawn blind and face up, draws of tickets, failed tunnels.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("europe", ["planner", "random"], games=2, seed=1))
    >>> draws(tables, ["bot"]).columns
    ['bot', 'turns', 'blind_draws', 'face_up_draws', 'ticket_draws', 'failed_tunnels']
    """
    counts = ("turns", "blind_draws", "face_up_draws", "ticket_draws", "failed_tunnels")
    return _group(tables.seats, by, **{count: pl.col(count).mean() for count in counts})


def ticket_rates(tables: Tables) -> pl.DataFrame:
    """For each ticket the number of times that it was held, completed (with Wilson's 95% interval) and kept at set-up.

    `mean_points` are its mean points, `winners` the share of its holders who won.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=4, seed=1))
    >>> ticket_rates(tables).columns
    ['ticket', 'held', 'completed', 'rate', 'low', 'high', 'at_setup', 'mean_points', 'winners']
    """
    winners = tables.seats.select("game", "seat", won=pl.col("rank") == 1)
    counted = _group(
        tables.tickets.join(winners, on=["game", "seat"]),
        ["ticket"],
        held=pl.len(),
        completed=pl.col("completed").sum(),
        at_setup=(pl.col("kept") == "set-up").mean(),
        mean_points=pl.col("points").mean(),
        winners=pl.col("won").mean(),
    )
    order = ["ticket", "held", "completed", "rate", "low", "high", "at_setup", "mean_points", "winners"]
    rates = with_interval(counted, "completed", "held").select(order)
    return rates.sort(["rate", "held", "ticket"], descending=[True, True, False])


def route_rates(tables: Tables, routes: Iterable[str] = ()) -> pl.DataFrame:
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
    every = listed.join(counted, on="route", how="left").with_columns(
        pl.col("claimed").fill_null(0), games=pl.lit(len(tables.games))
    )
    rates = with_interval(every, "claimed", "games").select("route", "games", "claimed", "rate", "low", "high", "turn")
    return rates.sort(["rate", "turn", "route"], descending=[True, False, False])


def ratings(tables: Tables) -> pl.DataFrame:
    """The bots by their rating, the best first, with their wins as in `win_rates`.

    The rating is that of openskill's Plackett–Luce model, which looks at the ranks of all players of each game in turn:
    everybody begins with 25, and `deviation` says how sure it is.

    >>> from ttr_tools.simulation import tabulate, tournament
    >>> rated = ratings(tabulate(tournament("london", ["random", "planner"], games=6, seed=1)))
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
    strengths = pl.DataFrame(
        [(bot, rating.mu, rating.sigma) for bot, rating in rated.items()],
        schema={"bot": pl.String, "rating": pl.Float64, "deviation": pl.Float64},
        orient="row",
    )
    return wins.join(strengths, on="bot").sort("rating", descending=True)


def duels(tables: Tables) -> pl.DataFrame:
    """For each two bots that met, the number of their games in which the first was ahead, with Wilson's 95% interval.

    Games in which both have the same rank are left out.

    >>> from ttr_tools.simulation import tabulate, tournament
    >>> tables = tabulate(tournament("london", ["random", "planner"], games=6, seed=1))
    >>> duels(tables).select("bot", "other", "games", "ahead").rows()
    [('planner', 'random', 6, 6), ('random', 'planner', 6, 0)]
    """
    seats = tables.seats.select("game", "bot", "rank")
    pairs = seats.join(seats.rename({"bot": "other", "rank": "rank_of_other"}), on="game")
    met = pairs.filter((pl.col("bot") != pl.col("other")) & (pl.col("rank") != pl.col("rank_of_other")))
    ahead = (pl.col("rank") < pl.col("rank_of_other")).sum()
    return with_interval(_group(met, ["bot", "other"], games=pl.len(), ahead=ahead), "ahead", "games")


def _group(table: pl.DataFrame, by: Iterable[str], **columns: pl.Expr) -> pl.DataFrame:
    """The rows of a table in groups, sorted by their keys, with a column for each expression."""
    keys = list(by)
    return table.group_by(keys).agg(**columns).sort(keys)


def with_interval(counted: pl.DataFrame, hits: str, trials: str) -> pl.DataFrame:
    """The rate of hits among trials, and the ends of Wilson's interval.

    >>> counted = pl.DataFrame({"wins": [8, 5], "games": [8, 10]})
    >>> [[round(value, 3) for value in row] for row in with_interval(counted, "wins", "games").rows()]
    [[8, 8, 1.0, 0.676, 1.0], [5, 10, 0.5, 0.237, 0.763]]
    """
    rate, count, square = pl.col(hits) / pl.col(trials), pl.col(trials), DEVIATIONS**2
    middle = (rate + square / (2 * count)) / (1 + square / count)
    half = DEVIATIONS * (rate * (1 - rate) / count + square / (4 * count**2)).sqrt() / (1 + square / count)
    return counted.with_columns(
        rate=rate,
        low=pl.when(pl.col(hits) == 0).then(0.0).otherwise(middle - half),
        high=pl.when(rate == 1).then(1.0).otherwise(middle + half),
    )
