"""A Sphinx extension: `{played} STACK` draws a game that bots have played to the end.

```{played} europe
:players: Ada, Isambard, Grace
:seed: 1912
```
"""

from __future__ import annotations

from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from front import played
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from ttr_rules.render import draw_position


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
