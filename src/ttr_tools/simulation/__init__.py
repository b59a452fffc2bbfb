"""Many games at once: played by bots, on any executor, with results as tables, files and statistics.

`running` has plans, plays them, and makes their results. `tables`, with the files that keep them and
statistics, needs the extra `data`.
"""

from typing import TYPE_CHECKING

from ttr_rules.loading import lazily

if TYPE_CHECKING:
    from ttr_tools.simulation.running import (
        GameResult as GameResult,
        RouteResult as RouteResult,
        SeatResult as SeatResult,
        TicketResult as TicketResult,
        simulate as simulate,
        summarize_game as summarize_game,
    )
    from ttr_tools.simulation.tables import (
        ResultTables as ResultTables,
        draws as draws,
        duels as duels,
        endings as endings,
        ratings as ratings,
        read_results as read_results,
        route_rates as route_rates,
        scores as scores,
        simulate_to as simulate_to,
        tabulate as tabulate,
        ticket_rates as ticket_rates,
        win_rates as win_rates,
    )
else:
    modules = {
        ".running": "GameResult RouteResult SeatResult TicketResult simulate summarize_game",
        ".tables": "ResultTables draws duels endings ratings read_results route_rates scores simulate_to tabulate ticket_rates win_rates",
    }
    __getattr__, __dir__, __all__ = lazily(__name__, modules)
