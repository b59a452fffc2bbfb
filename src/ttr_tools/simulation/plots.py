"""Plots of results: wins, scores, what they are made of, tickets, and the routes on the board."""

# The stubs of matplotlib leave some types of parameters open.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from ttr_rules import Rules
from ttr_rules.model import Board
from ttr_rules.play import SheetWords
from ttr_tools.extras import extra
from ttr_tools.render import Picture, draw_shares
from ttr_tools.simulation.statistics import route_rates, score_lines, ticket_rates, win_rates
from ttr_tools.simulation.tables import Tables

with extra("data"):
    import polars as pl
    from matplotlib import colormaps
    from matplotlib.colors import to_hex
    from matplotlib.figure import Figure

#: About how many bins a histogram of scores has.
BINS = 40
#: The colors of the shares from 0 to 1, by their name in matplotlib: they differ in brightness too.
COLORS = "YlGnBu"


def save_plots(tables: Tables, rules: Rules, folder: str | PathLike[str]) -> list[Path]:
    """Write all plots to a folder, and return their files: PNGs, and the board with its routes as SVG.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import compile_rules
    >>> from ttr_tools.simulation import simulate, tabulate
    >>> rules = compile_rules("london")
    >>> tables = tabulate(simulate(rules, ["planner", "random"], games=4, seed=1))
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in save_plots(tables, rules, folder)]
    ['wins.png', 'scores.png', 'points.png', 'tickets.png', 'routes.svg']
    """
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    figures: dict[str, Callable[[], Figure]] = {
        "wins.png": lambda: plot_wins(tables),
        "scores.png": lambda: plot_scores(tables),
        "points.png": lambda: plot_points(tables, rules),
        "tickets.png": lambda: plot_tickets(tables, rules),
    }
    for name, make in figures.items():
        make().savefig(path / name, dpi=150)
    routes = path / "routes.svg"
    routes.write_text(draw_routes(tables, rules.board).svg, encoding="utf-8")
    return [*(path / name for name in figures), routes]


def plot_wins(tables: Tables) -> Figure:
    """The wins of each seat, and of the first player, the second and so on, with 95% intervals.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> plot_wins(tabulate(simulate("london", ["random", "random"], games=2, seed=1)))
    <Figure size 800x400 with 2 Axes>
    """
    figure = _figure(8, 4)
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, title, rates, labels in (
        (left, "by seat", seats := win_rates(tables), _seat_labels(seats)),
        (right, "by order of play", orders := win_rates(tables, ["order"]), [f"{place}." for place in orders["order"]]),
    ):
        share = rates["rate"].to_list()
        axes.bar(labels, share, color="#6ba6d6")
        axes.errorbar(labels, share, yerr=_error_bars(rates), fmt="none", ecolor="#26231d", capsize=5)
        axes.axhline(1 / len(seats), color="#b3261e", linestyle="--", linewidth=1)
        axes.set_title(f"Wins {title}")
    left.set_ylim(0, 1)
    left.set_ylabel(f"share of {len(tables.games):,} games")
    return figure


def plot_scores(tables: Tables) -> Figure:
    """The distribution of the final scores of each seat.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> plot_scores(tabulate(simulate("london", ["random", "random"], games=2, seed=1)))
    <Figure size 800x450 with 1 Axes>
    """
    figure = _figure(8, 4.5)
    axes = figure.subplots()
    seats = tables.seats
    rows = seats.select("seat", "bot").unique().sort("seat", "bot")
    labels = _seat_labels(rows)
    groups = [seats.filter(seat=seat, bot=bot)["score"].to_list() for seat, bot in rows.iter_rows()]
    least, most = (min(map(min, groups)), max(map(max, groups))) if groups else (0, 0)
    wide = max(1, -(-(most - least) // BINS))  # whole points: bins of the same width hold as many scores
    axes.hist(groups, bins=range(least, most + wide + 1, wide), label=labels, histtype="step", linewidth=1.6)
    axes.set_xlabel("final score")
    axes.set_ylabel("games")
    axes.set_title("Scores")
    axes.legend()
    return figure


def plot_points(tables: Tables, rules: Rules | None = None) -> Figure:
    """The mean points of each seat by line of the score sheet; with `rules`, the lines have their printed names.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> plot_points(tabulate(simulate("london", ["random", "random"], games=2, seed=1)))
    <Figure size 800x450 with 1 Axes>
    """
    figure = _figure(8, 4.5)
    axes = figure.subplots()
    lines = score_lines(tables)
    labels = _seat_labels(lines)
    terms = [name for name in lines.columns if name not in ("seat", "bot")]
    width = 0.8 / len(labels)
    for number, label in enumerate(labels):
        places = [place + (number - (len(labels) - 1) / 2) * width for place in range(len(terms))]
        axes.bar(places, [lines[term][number] for term in terms], width, label=label)
    axes.set_xticks(range(len(terms)), [_words(rules).label(term) for term in terms])
    axes.axhline(0, color="#26231d", linewidth=0.8)
    axes.set_ylabel("mean points")
    axes.set_title("Where the points come from")
    axes.legend()
    return figure


def plot_tickets(tables: Tables, rules: Rules | None = None) -> Figure:
    """For each ticket how often its holders complete it, with 95% intervals, its mean points, and how often they win.

    The dashed line is how often any player wins. With `rules`, tickets are shown by their places instead of their ids.

    >>> from ttr_tools.simulation import simulate, tabulate
    >>> plot_tickets(tabulate(simulate("london", ["planner", "random"], games=2, seed=1))).axes[0].get_xlabel()
    'completed by its holder'
    """
    rates = ticket_rates(tables).reverse()
    figure = _figure(11, 1.6 + 0.22 * len(rates))
    left, middle, right = figure.subplots(1, 3, sharey=True, width_ratios=[3, 2, 2])
    words = _words(rules)
    labels = [f"{words.name(ticket)}  ({held:,}×)" for ticket, held in rates.select("ticket", "held").iter_rows()]
    places = range(len(labels))
    share = rates["rate"].to_list()
    left.barh(places, share, color="#86b35a")
    left.errorbar(share, places, xerr=_error_bars(rates), fmt="none", ecolor="#26231d", elinewidth=0.8, capsize=2)
    left.set_xlim(0, 1)
    left.set_yticks(places, labels, fontsize=7)
    left.set_ylim(-0.7, len(labels) - 0.3)
    left.set_xlabel("completed by its holder")
    middle.barh(places, rates["mean_points"].to_list(), color="#e99b4c")
    middle.axvline(0, color="#26231d", linewidth=0.8)
    middle.set_xlabel("mean points")
    right.barh(places, rates["winners"].to_list(), color="#6ba6d6")
    if labels:
        ranks = tables.seats["rank"]
        right.axvline((ranks == 1).sum() / len(ranks), color="#b3261e", linestyle="--", linewidth=1)
    right.set_xlim(0, 1)
    right.set_xlabel("won by its holder")
    figure.suptitle("Tickets (how often held)")
    return figure


def _figure(width: float, height: float) -> Figure:
    """An empty figure. It is made without a window or a global state, so this works anywhere."""
    return Figure(figsize=(width, height), layout="constrained")


def _words(rules: Rules | None) -> SheetWords:
    return SheetWords() if rules is None else rules.sheet_words


def _seat_labels(rows: pl.DataFrame) -> list[str]:
    """The names of seats in plots: numbered from 1, as in `Player 1`, with their bots."""
    return [f"{seat + 1}: {bot}" for seat, bot in rows.select("seat", "bot").iter_rows()]


def _error_bars(rates: pl.DataFrame) -> list[list[float]]:
    """The lengths of the error bars of rates, below and above."""
    columns = zip(*(rates[name].to_list() for name in ("rate", "low", "high")), strict=True)
    lengths = [(max(0.0, rate - low), max(0.0, high - rate)) for rate, low, high in columns]
    return [[below for below, _ in lengths], [above for _, above in lengths]]


# -- the board -------------------------------------------------------------------------------------------------------


def draw_routes(tables: Tables, board: Board) -> Picture:
    """Draw the board with each route colored by the share of games in which it was claimed; its title has the numbers.

    >>> from ttr_maps import load
    >>> from ttr_tools.simulation import simulate, tabulate
    >>> tables = tabulate(simulate("london", ["planner", "planner"], games=2, seed=1))
    >>> "claimed in 100% of 2 games" in draw_routes(tables, load("london")).svg
    True
    """
    games = len(tables.games)
    shares: dict[str, tuple[float, str]] = {}
    for row in route_rates(tables, board.routes).iter_rows(named=True):
        when = "" if row["turn"] is None else f", on average in turn {row['turn']:.0f} of its owner"
        shares[row["route"]] = row["rate"], f"claimed in {row['rate']:.0%} of {games} games{when}"
    colors = colormaps[COLORS]
    caption = f"Share of {games} games in which the route was claimed"
    return draw_shares(board, shares, lambda share: to_hex(colors(share)), caption)
