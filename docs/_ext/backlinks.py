"""Links from pages of source code back to the reference.

Sphinx takes it that all names of a module are documented under the same name of a module. Here the module `ttr_rules.errors`,
say, is documented in part as `ttr_rules` and in part as `ttr_rules.errors`, so each link gets the anchor that its name has.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.typing import ExtensionMetadata

logger = logging.getLogger(__name__)


def correct(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Replace the anchors in the links of a page of source code."""
    modules: dict[str, Any] = getattr(app.env, "_viewcode_modules", {})
    module = modules.get(pagename.removeprefix("_modules/").replace("/", "."))
    if not pagename.startswith("_modules/") or not module:
        return
    _, _, used, documented_as = module
    objects = app.env.domaindata["py"]["objects"]
    for name, docname in used.items():
        anchors = [
            each.node_id for full, each in objects.items() if each.docname == docname and full.endswith(f".{name}")
        ]
        if not anchors:
            logger.warning("the source page %s links to %s, which %s does not document", pagename, name, docname)
        elif f"{documented_as}.{name}" not in anchors:
            context["body"] = context["body"].replace(f'#{documented_as}.{name}"', f'#{anchors[0]}"')


def setup(app: Sphinx) -> ExtensionMetadata:
    """Called by Sphinx."""
    app.connect("html-page-context", correct)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
