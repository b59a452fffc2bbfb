"""How strong bots are that met in many games: ratings, and each against each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ttr_tools.extras import extra
from ttr_tools.simulation.statistics import win_rates, with_interval
from ttr_tools.simulation.tables import Tables

if TYPE_CHECKING:
    import polars as pl


def ratings(tables: Tables) -> pl.DataFrame:
    """The bots by their rating, the best first, with their wins as in `win_rates`.

    The rating is that of openskill's Plackett–Luce model, which looks at the ranks of all players of each game in turn:
    everybody begins with 25, and `deviation` says how sure it is. Raises `MissingExtraError` without the extra `data`.

    >>> from ttr_tools.simulation import tabulate, tournament
    >>> rated = ratings(tabulate(tournament("london", ["random", "planner"], games=6, seed=1)))
    >>> rated["bot"].to_list(), rated.columns
    (['planner', 'random'], ['bot', 'games', 'wins', 'rate', 'low', 'high', 'rating', 'deviation'])
    """
    with extra("data"):
        import polars as pl
        from openskill.models import PlackettLuce
    model = PlackettLuce()
    wins = win_rates(tables, ["bot"])
    rated = {bot: model.rating(name=bot) for bot in wins["bot"].to_list()}
    games = tables.seats.group_by("game", maintain_order=True).agg("bot", "rank")
    for bots, ranks in games.select("bot", "rank").iter_rows():
        after = model.rate([[rated[bot]] for bot in bots], ranks=[float(rank) for rank in ranks])
        rated.update((bot, team[0]) for bot, team in zip(bots, after, strict=True))
    found = pl.DataFrame(
        [(bot, rating.mu, rating.sigma) for bot, rating in rated.items()],
        schema={"bot": pl.String, "rating": pl.Float64, "deviation": pl.Float64},
        orient="row",
    )
    return wins.join(found, on="bot").sort("rating", descending=True)


def duels(tables: Tables) -> pl.DataFrame:
    """For each two bots that met, in how many of their games the first was ahead, with Wilson's 95% interval.

    Games in which both have the same rank are left out.

    >>> from ttr_tools.simulation import tabulate, tournament
    >>> tables = tabulate(tournament("london", ["random", "planner"], games=6, seed=1))
    >>> duels(tables).select("bot", "other", "games", "ahead").rows()
    [('planner', 'random', 6, 6), ('random', 'planner', 6, 0)]
    """
    with extra("data"):
        import polars as pl
    seats = tables.seats.select("game", "bot", "rank")
    pairs = seats.join(seats.rename({"bot": "other", "rank": "rank_of_other"}), on="game")
    counted = (
        pairs.filter((pl.col("bot") != pl.col("other")) & (pl.col("rank") != pl.col("rank_of_other")))
        .group_by("bot", "other")
        .agg(pl.len().alias("games"), (pl.col("rank") < pl.col("rank_of_other")).sum().alias("ahead"))
        .sort("bot", "other")
    )
    return with_interval(counted, "ahead", "games")
