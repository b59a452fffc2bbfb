"""Bots. They decide from a view and legal actions, as any client could.

`planner` is the bot, which sorts its legal actions by their use. `evaluation` plans for its tickets, for other bots too, on
the graph of `links` with their weights and the cards that a hand lacks for them. `search` tries actions in sampled worlds,
`playing` lets bots play a game and finds them by name.
"""

from ttr_tools.bots.evaluation import (
    TicketPlan as TicketPlan,
    cheapest_claims as cheapest_claims,
    plan_path as plan_path,
    plan_tickets as plan_tickets,
    shortage as shortage,
)
from ttr_tools.bots.planner import Bot as Bot
from ttr_tools.bots.playing import (
    BotFactory as BotFactory,
    Player as Player,
    RandomBot as RandomBot,
    load_bot as load_bot,
    play_game as play_game,
)
from ttr_tools.bots.search import SearchBot as SearchBot
