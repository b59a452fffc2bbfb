"""The directive `replay`: a game of bots, as the page that `ttr-rules replay` writes, inside a page of the docs.

    ```{replay} europe
    :players: Ada, Isambard, Grace
    :seed: 1912
    ```

The argument is a stack as on the command line. The game is played while the docs are built. The option `seat` is a player's name,
"spectator" or "all", which is the default; `at` is the move that is shown first.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from front import played
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ttr_tools.cli.pictures import find_viewer
from ttr_tools.replay import page


class ReplayDirective(SphinxDirective):
    """A frame with a replay, and a link that shows it alone."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {
        "players": directives.unchanged_required,
        "seed": directives.unchanged_required,
        "seat": directives.unchanged_required,
        "at": directives.nonnegative_int,
    }

    def run(self) -> list[nodes.Node]:
        stack = self.arguments[0].split()
        players = [name.strip() for name in self.options["players"].split(",")]
        seed = self.options["seed"]
        game = played(*stack, players=players, seed=int(seed) if seed.isdecimal() else seed)
        seat = self.options.get("seat", "all")
        name = f"{'-'.join([*stack, seed, seat]).lower().replace(' ', '-')}.html"
        target = Path(self.env.app.outdir) / "replays" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(game, find_viewer(seat, game)), encoding="utf-8")
        address = f"{'../' * self.env.docname.count('/')}replays/{name}#move-{self.options.get('at', 0)}"
        title = f"Replay of a game of {' + '.join(stack)}: {', '.join(players)}"
        html = (
            f'<iframe class="replay" src="{escape(address)}" title="{escape(title)}" loading="lazy"></iframe>\n'
            f'<p class="replay-link"><a href="{escape(address)}">Open the replay by itself</a></p>'
        )
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("replay", ReplayDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
