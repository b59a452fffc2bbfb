"""The navigation beside each page, made quickly.

It shows titles of pages alone, but Sphinx copies the headings of all pages, for each page, before it drops them: a fifth of the build.
So it is given tables of contents without headings. Pages of source code show only its first level, made once for all of the same depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.typing import ExtensionMetadata


def titles_alone(environment: BuildEnvironment) -> dict[str, nodes.bullet_list]:
    """The table of contents of each page: its title, and the pages below it."""
    found = {page: contents.deepcopy() for page, contents in environment.tocs.items()}
    for contents in found.values():
        for title in contents.children:
            if isinstance(title, nodes.Element) and len(title) > 1:
                below = list(title.findall(addnodes.toctree))
                title[1:] = [nodes.bullet_list("", *below)] if below else []
    return found


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    titles: dict[str, nodes.bullet_list] = {}
    trees: dict[int, str] = {}  # links are relative, so they depend on how deep a page lies

    def shorten(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        """Give titles alone, and of pages of source code one level, before the theme asks for all of them."""
        if "toctree" not in context:
            return
        whole: Callable[..., str] = context["toctree"]

        def of_titles(**options: Any) -> str:
            if not titles:
                titles.update(titles_alone(app.env))
            contents, app.env.tocs = app.env.tocs, titles
            try:
                return whole(**options)
            finally:
                app.env.tocs = contents

        def first_level(**options: Any) -> str:
            depth = page.count("/")
            if depth not in trees:
                trees[depth] = of_titles(**{**options, "maxdepth": 1})
            return trees[depth]

        context["toctree"] = first_level if page.startswith("_modules/") else of_titles

    app.connect("html-page-context", shorten, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
