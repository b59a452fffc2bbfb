"""Bots. They decide from a view and legal actions, as any client could.

`planner` is the bot, `options` sorts its legal actions, `evaluation` and `link_graph` work out what its tickets need.
"""

from ttr_rules.bots.planner import Bot, Player, play_game

__all__ = ["Bot", "Player", "play_game"]
