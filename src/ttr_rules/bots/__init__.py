"""Players made of code. They decide from a view and legal actions, as any client could."""

from ttr_rules.bots.planner import Bot, play_game

__all__ = ["Bot", "play_game"]
