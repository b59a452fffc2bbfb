"""Many games at once: played by bots, on any executor, with results as tables, files, statistics and plots.

`plan` says what is played, `running` plays it, `results` are what it gives. Tables and what is made of them need the
extra `data`: `tables` has their columns, `files` keeps them, `statistics`, `rating`, `plots` and
`route_map` show them.
"""

from typing import TYPE_CHECKING

from ttr_tools.lazy import lazily

if TYPE_CHECKING:
    from ttr_tools.simulation.files import read_results, simulate_to
    from ttr_tools.simulation.plots import plot_points, plot_scores, plot_tickets, plot_wins, save_plots
    from ttr_tools.simulation.rating import duels, ratings
    from ttr_tools.simulation.results import GameResult, RouteResult, SeatResult, TicketResult, result_of
    from ttr_tools.simulation.route_map import draw_routes
    from ttr_tools.simulation.running import simulate, tournament
    from ttr_tools.simulation.statistics import (
        draws,
        endings,
        route_rates,
        score_lines,
        scores,
        ticket_rates,
        win_rates,
    )
    from ttr_tools.simulation.tables import Tables, tabulate
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "files": ("read_results", "simulate_to"),
            "plots": ("plot_points", "plot_scores", "plot_tickets", "plot_wins", "save_plots"),
            "rating": ("duels", "ratings"),
            "results": ("GameResult", "RouteResult", "SeatResult", "TicketResult", "result_of"),
            "route_map": ("draw_routes",),
            "running": ("simulate", "tournament"),
            "statistics": ("draws", "endings", "route_rates", "score_lines", "scores", "ticket_rates", "win_rates"),
            "tables": ("Tables", "tabulate"),
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
    "result_of",
    "route_rates",
    "save_plots",
    "score_lines",
    "scores",
    "simulate",
    "simulate_to",
    "tabulate",
    "ticket_rates",
    "tournament",
    "win_rates",
]
