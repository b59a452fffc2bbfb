"""The picture of the README: the board after the game that its first command plays.

`python docs/_ext/front.py` writes `docs/_static/front.svg`; a test checks that it is what the code draws.
"""

from __future__ import annotations

from pathlib import Path

from ttr_rules import Game, new_game
from ttr_tools.bots import play_game
from ttr_tools.render import draw_position

FRONT = Path(__file__).parents[1] / "_static" / "front.svg"


def played(*stack: str, players: list[str], seed: int | str) -> Game:
    """A game that bots have played to the end."""
    game = new_game(*stack, players=players, seed=seed)
    play_game(game)
    return game


def front_picture() -> str:
    """The picture of the README."""
    return draw_position(played("europe", players=["Ada", "Isambard", "Grace"], seed=1912)).svg + "\n"


if __name__ == "__main__":
    FRONT.write_text(front_picture(), encoding="utf-8")
