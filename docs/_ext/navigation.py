"""Pages of source code show only the first level of the navigation, made once for all pages of the same depth.

Making it for each of them took as long as the page itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    trees: dict[int, str] = {}  # links are relative, so they depend on how deep a page lies

    def shorten(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
        """Give one level, before the theme asks for all of them."""
        if not page.startswith("_modules/") or "toctree" not in context:
            return
        whole: Callable[..., str] = context["toctree"]

        def first_level(**options: Any) -> str:
            depth = page.count("/")
            if depth not in trees:
                trees[depth] = whole(**{**options, "maxdepth": 1})
            return trees[depth]

        context["toctree"] = first_level

    app.connect("html-page-context", shorten, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
