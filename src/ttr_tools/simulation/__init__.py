"""Many games at once: played by bots, on any executor, with results as tables, files and statistics.

`running` has plans, plays them, and makes their results. `tables`, with the files that keep them and
statistics, needs the extra `data`.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.simulation.running import (
        GameResult,
        RouteResult,
        SeatResult,
        TicketResult,
        simulate,
        summarize_game,
        tournament,
    )
    from ttr_tools.simulation.tables import (
        Tables,
        draws,
        duels,
        endings,
        ratings,
        read_results,
        route_rates,
        score_lines,
        scores,
        simulate_to,
        tabulate,
        ticket_rates,
        win_rates,
    )
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            ".running": "GameResult RouteResult SeatResult TicketResult simulate summarize_game tournament",
            ".tables": "Tables draws duels endings ratings read_results route_rates score_lines scores simulate_to tabulate"
            " ticket_rates win_rates",
        },
    )

__all__ = [
    "GameResult",
    "RouteResult",
    "SeatResult",
    "Tables",
    "TicketResult",
    "draws",
    "duels",
    "endings",
    "ratings",
    "read_results",
    "route_rates",
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
