"""Bots. They decide from a view and legal actions, as any client could.

`planner` is the bot, `options` sorts its legal actions, `turns` chooses among them, `evaluation` and `link_graph` find the
links that its tickets need, `shortages` the cards that these need, `openings` what barred routes need, `weights` what routes
cost; `planning` has the same for other bots.
`random_bot` plays at random, `search` tries actions in sampled worlds: `proposals` says which, `playouts` plays them out.
`playing` lets bots play a game, `registry` finds them by name.
"""

from ttr_tools.bots.planner import Bot
from ttr_tools.bots.planning import TicketPlan, cheapest_claims, plan_path, plan_tickets
from ttr_tools.bots.playing import Player, play_game
from ttr_tools.bots.random_bot import RandomBot
from ttr_tools.bots.registry import BotFactory, InstalledBot, installed_bots, load_bot
from ttr_tools.bots.search import SearchBot

__all__ = [
    "Bot",
    "BotFactory",
    "InstalledBot",
    "Player",
    "RandomBot",
    "SearchBot",
    "TicketPlan",
    "cheapest_claims",
    "installed_bots",
    "load_bot",
    "plan_path",
    "plan_tickets",
    "play_game",
]
