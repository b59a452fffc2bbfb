"""Bots. They decide from a view and legal actions, as any client could.

`planner` is the bot, `options` sorts its legal actions, `evaluation` and `link_graph` work out what its tickets need,
`openings` what barred routes need, `weights` what routes cost;
`random_bot` plays at random, `registry` finds bots by name.
"""

from ttr_rules.bots.planner import Bot, Player, play_game
from ttr_rules.bots.random_bot import RandomBot
from ttr_rules.bots.registry import BotFactory, InstalledBot, installed_bots, load_bot

__all__ = ["Bot", "BotFactory", "InstalledBot", "Player", "RandomBot", "installed_bots", "load_bot", "play_game"]
