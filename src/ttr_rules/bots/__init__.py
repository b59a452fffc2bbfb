"""Players made of code. They decide from a view and legal actions, as any client could."""

from ttr_rules.bots.planner import Bot, Player, play_game

__all__ = ["Bot", "Player", "play_game"]
