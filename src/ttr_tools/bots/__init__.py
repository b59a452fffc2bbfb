"""Bots. They decide from a view and legal actions, as any client could.

`planner` is the bot, which sorts its legal actions by their use. `evaluation` plans for its tickets, for other bots too, on
the graph of `links` with their weights and the cards that a hand lacks for them. `search` tries actions in sampled worlds,
`playing` lets bots play a game and finds them by name.
"""

from ttr_tools.bots.evaluation import TicketPlan, cheapest_claims, plan_path, plan_tickets
from ttr_tools.bots.planner import Bot
from ttr_tools.bots.playing import BotFactory, Player, RandomBot, load_bot, play_game
from ttr_tools.bots.search import SearchBot

__all__ = [
    "Bot",
    "BotFactory",
    "Player",
    "RandomBot",
    "SearchBot",
    "TicketPlan",
    "cheapest_claims",
    "load_bot",
    "plan_path",
    "plan_tickets",
    "play_game",
]
