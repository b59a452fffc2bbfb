"""The picture of the front page and of the README: the board after a game that bots have played.

`python docs/_ext/front.py` writes `docs/_static/front.svg`, which the README shows; a test checks that it is what the code draws. The
directive `{played} STACK` draws such a game into a page:

    ```{played} europe
    :players: Ada, Isambard, Grace
    :seed: 1912
    ```
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from ttr_rules import Game, new_game, play_game
from ttr_rules.render import draw_position

FRONT = Path(__file__).parents[1] / "_static" / "front.svg"


def played(*stack: str, players: list[str], seed: int) -> Game:
    """A game that bots have played to the end."""
    game = new_game(*stack, players=players, seed=seed)
    play_game(game)
    return game


def front_picture() -> str:
    """The picture of the README: the game that its first command plays."""
    return draw_position(played("europe", players=["Ada", "Isambard", "Grace"], seed=1912)).svg + "\n"


class Played(SphinxDirective):
    """The board at the end of a game between bots, with the result below it."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {
        "players": directives.unchanged_required,
        "seed": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        names = [name.strip() for name in self.options["players"].split(",")]
        game = played(*self.arguments[0].split(), players=names, seed=self.options["seed"])
        number = self.env.new_serialno("board")
        svg = draw_position(game, ids=f"board{number}-").svg
        told = ", ".join(f"{player.name} {player.total}" for player in game.final_scores.players)
        html = f'<figure class="board"><div class="board-scroll">\n{svg}\n</div><figcaption>{escape(told)}</figcaption></figure>'
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_directive("played", Played)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    FRONT.write_text(front_picture(), encoding="utf-8")
