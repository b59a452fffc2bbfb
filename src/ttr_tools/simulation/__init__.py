"""Many games at once: played by bots, on any executor, with results as tables, files, statistics and plots.

`running` has plans, plays them, and makes their results. Everything else needs the extra `data`: `tables` with the files
that keep them, `statistics`, `plots`.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.simulation.plots import draw_routes, plot_points, plot_scores, plot_tickets, plot_wins, save_plots
    from ttr_tools.simulation.running import (
        GameResult,
        RouteResult,
        SeatResult,
        TicketResult,
        simulate,
        summarize_game,
        tournament,
    )
    from ttr_tools.simulation.statistics import (
        draws,
        duels,
        endings,
        ratings,
        route_rates,
        score_lines,
        scores,
        ticket_rates,
        win_rates,
    )
    from ttr_tools.simulation.tables import Tables, read_results, simulate_to, tabulate
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            ".plots": "draw_routes plot_points plot_scores plot_tickets plot_wins save_plots",
            ".running": "GameResult RouteResult SeatResult TicketResult simulate summarize_game tournament",
            ".statistics": "draws duels endings ratings route_rates score_lines scores ticket_rates win_rates",
            ".tables": "Tables read_results simulate_to tabulate",
        },
    )

__all__ = [
    "GameResult",
    "RouteResult",
    "SeatResult",
    "Tables",
    "TicketResult",
    "draw_routes",
    "draws",
    "duels",
    "endings",
    "plot_points",
    "plot_scores",
    "plot_tickets",
    "plot_wins",
    "ratings",
    "read_results",
    "route_rates",
    "save_plots",
    "score_lines",
    "scores",
    "simulate",
    "simulate_to",
    "summarize_game",
    "tabulate",
    "ticket_rates",
    "tournament",
    "win_rates",
]
