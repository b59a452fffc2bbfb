"""A Sphinx extension: `{played} STACK` draws a game that bots have played to the end.

```{played} europe
:players: Ada, Isambard, Grace
:seed: 1912
```
"""

from __future__ import annotations

from typing import ClassVar

from boards import framed
from docutils import nodes
from docutils.parsers.rst import directives
from front import played
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from ttr_tools.render import draw_position, draw_sheet


class Played(SphinxDirective):
    """The board at the end of a game between bots, with the result below it."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {
        "players": directives.unchanged_required,
        "seed": directives.nonnegative_int,
        "sheet": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        names = [name.strip() for name in self.options["players"].split(",")]
        game = played(*self.arguments[0].split(), players=names, seed=self.options["seed"])
        number = self.env.new_serialno("board")
        pictures = [draw_position(game, ids=f"board{number}-")]
        if "sheet" in self.options and game.final_scores is not None:
            pictures.append(draw_sheet(game.final_scores, ids=f"sheet{number}-"))
        return [nodes.raw("", framed(picture), format="html") for picture in pictures]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.add_directive("played", Played)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
