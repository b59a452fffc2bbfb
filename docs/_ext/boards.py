"""The directive `board`: the map of a stack, drawn while the docs are built.

    ```{board} europe
    ```

The argument is a stack as on the command line. The option `alt` replaces the text for those who do not see the picture, `caption` is
a line below it.
"""

from __future__ import annotations

from html import escape
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ttr_rules import compile_rules
from ttr_tools.render import Picture, draw_board


def framed(picture: Picture, caption: str | None = None) -> str:
    """A picture that can be scrolled on a small screen, with a line below it."""
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return (
        f'<figure class="board"><div class="board-scroll" style="--least: {round(0.66 * picture.width)}px" role="group" '
        f'tabindex="0" aria-label="{escape(picture.name)}">\n'
        f"{picture.svg}\n</div>{below}</figure>"
    )


class BoardDirective(SphinxDirective):
    """The picture of a stack's board, in the page, so that it follows the page's light and dark."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, object]] = {
        "alt": directives.unchanged_required,
        "caption": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        stack = self.arguments[0].split()
        number = self.env.new_serialno("board")
        picture = draw_board(compile_rules(*stack), ids=f"board{number}-", about=self.options.get("alt"))
        return [nodes.raw("", framed(picture, self.options.get("caption")), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("board", BoardDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
