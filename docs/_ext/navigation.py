"""Pages of source code show the first level of the navigation only: the whole tree, for each of them, took a quarter of a build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


def shorten(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Ask for one level, before the theme asks for all of them."""
    if not page.startswith("_modules/") or "toctree" not in context:
        return
    whole: Callable[..., str] = context["toctree"]
    context["toctree"] = lambda **options: whole(**{**options, "maxdepth": 1})


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("html-page-context", shorten, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
