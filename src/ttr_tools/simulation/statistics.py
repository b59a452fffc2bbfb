"""Statistics of results: wins, scores, endings, draws, tickets and routes, and the strength of bots."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_tools.extras import extra
from ttr_tools.simulation.tables import Tables

with extra("data"):
    import polars as pl
    from scipy.stats import binomtest  # pyright: ignore[reportUnknownVariableType]  # its stubs, in some versions

#: The confidence of all intervals.
CONFIDENCE = 0.95


def win_rates(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The wins of each group of seats, with Wilson's 95% confidence interval (`low`, `high`).

    `by` are columns of the table of seats: `["bot"]` compares bots, `["order"]` first players with later ones. A shared
    victory counts for everybody who shares it.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=8, seed=1))
    >>> win_rates(tables, ["bot"]).select("bot", "games", "wins").rows()
    [('planner', 8, 8), ('random', 8, 0)]
    """
    keys = list(by)
    counted = tables.seats.group_by(keys).agg(pl.len().alias("games"), (pl.col("rank") == 1).sum().alias("wins"))
    return with_interval(counted.sort(keys), "wins", "games")


def scores(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The scores of each group of seats: mean, standard deviation, extremes and quartiles.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "random"], games=4, seed=1))
    >>> scores(tables).columns
    ['seat', 'bot', 'games', 'mean', 'deviation', 'least', 'lower', 'median', 'upper', 'most']
    """
    keys, score = list(by), pl.col("score")
    return (
        tables.seats.group_by(keys)
        .agg(
            pl.len().alias("games"),
            score.mean().alias("mean"),
            score.std().alias("deviation"),
            score.min().alias("least"),
            score.quantile(0.25).alias("lower"),
            score.median().alias("median"),
            score.quantile(0.75).alias("upper"),
            score.max().alias("most"),
        )
        .sort(keys)
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
    counted = tables.games.group_by("ending").agg(
        pl.len().alias("games"), pl.col("rounds").mean(), pl.col("margin").mean()
    )
    rates = with_interval(counted.with_columns(pl.lit(len(tables.games)).alias("of")), "games", "of")
    order = ["ending", "games", "rate", "low", "high", "rounds", "margin"]
    return rates.select(order).sort(["games", "ending"], descending=[True, False])


def draws(tables: Tables, by: Iterable[str] = ("seat", "bot")) -> pl.DataFrame:
    """The means of each group of seats for a game: turns, cards drawn blind and face up, draws of tickets, failed tunnels.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("europe", ["planner", "random"], games=2, seed=1))
    >>> draws(tables, ["bot"]).columns
    ['bot', 'turns', 'blind_draws', 'face_up_draws', 'ticket_draws', 'failed_tunnels']
    """
    keys = list(by)
    means = pl.col("turns", "blind_draws", "face_up_draws", "ticket_draws", "failed_tunnels").mean()
    return tables.seats.group_by(keys).agg(means).sort(keys)


def ticket_rates(tables: Tables) -> pl.DataFrame:
    """For each ticket the number of times that it was held, completed (with Wilson's 95% interval) and kept at set-up.

    `mean_points` are its mean points, `winners` the share of its holders who won.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=4, seed=1))
    >>> ticket_rates(tables).columns
    ['ticket', 'held', 'completed', 'rate', 'low', 'high', 'at_setup', 'mean_points', 'winners']
    """
    winners = tables.seats.select("game", "seat", (pl.col("rank") == 1).alias("won"))
    counted = (
        tables.tickets.join(winners, on=["game", "seat"])
        .group_by("ticket")
        .agg(
            pl.len().alias("held"),
            pl.col("completed").sum(),
            (pl.col("kept") == "set-up").mean().alias("at_setup"),
            pl.col("points").mean().alias("mean_points"),
            pl.col("won").mean().alias("winners"),
        )
    )
    rates = with_interval(counted, "completed", "held")
    order = ["ticket", "held", "completed", "rate", "low", "high", "at_setup", "mean_points", "winners"]
    return rates.select(order).sort(["rate", "held", "ticket"], descending=[True, True, False])


def route_rates(tables: Tables, routes: Iterable[str] = ()) -> pl.DataFrame:
    """For each route the share of the games in which it was claimed (with Wilson's 95% interval), and when.

    `turn` is the mean number of the owner's turn: the lower, the more urgent. `routes` are ids to list even if nobody
    ever claimed them, such as all of `board.routes`.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=4, seed=1))
    >>> route_rates(tables).columns
    ['route', 'games', 'claimed', 'rate', 'low', 'high', 'turn']
    """
    games = len(tables.games)
    counted = tables.routes.group_by("route").agg(pl.col("game").n_unique().alias("claimed"), pl.col("turn").mean())
    listed = pl.DataFrame({"route": sorted({*routes, *counted["route"]})}, schema={"route": pl.String})
    every = listed.join(counted, on="route", how="left").with_columns(
        pl.col("claimed").fill_null(0), pl.lit(games).alias("games")
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
    counted = (
        pairs.filter((pl.col("bot") != pl.col("other")) & (pl.col("rank") != pl.col("rank_of_other")))
        .group_by("bot", "other")
        .agg(pl.len().alias("games"), (pl.col("rank") < pl.col("rank_of_other")).sum().alias("ahead"))
        .sort("bot", "other")
    )
    return with_interval(counted, "ahead", "games")


def with_interval(counted: pl.DataFrame, hits: str, trials: str) -> pl.DataFrame:
    """The rate of hits among trials, and the ends of Wilson's interval."""
    rows: list[tuple[float, float, float]] = []
    for hit, trial in counted.select(hits, trials).iter_rows():
        interval = binomtest(hit, trial).proportion_ci(CONFIDENCE, method="wilson")
        rows.append((hit / trial, float(interval.low), float(interval.high)))
    rates = pl.DataFrame(rows, schema={"rate": pl.Float64, "low": pl.Float64, "high": pl.Float64}, orient="row")
    return pl.concat([counted, rates], how="horizontal")
