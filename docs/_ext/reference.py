"""A Sphinx extension: writes the reference pages before a build, and makes the docstrings' names and rule ids links."""

from __future__ import annotations

import re
from pathlib import Path

import catalog
import pages
import pictures
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

FOLDER = "reference"
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def write_pages(app: Sphinx) -> None:
    """Write the generated pages; those that did not change are left alone, so that Sphinx need not read them again."""
    folder = Path(app.srcdir) / FOLDER
    made = {folder / f"{name}.md": text.rstrip() + "\n" for name, text in pages.pages().items()}
    made |= {folder / "schema" / f"{name}.json": text for name, text in pages.schemas().items()}
    made |= {folder / "pictures" / f"{name}.svg": text for name, text in pictures.pictures().items()}
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in {*folder.rglob("*.md"), *folder.rglob("*.json"), *folder.rglob("*.svg")} - set(made):
        path.unlink()


def public_target(code: str) -> str | None:
    """The public name, or member of one, that a piece of code in a docstring names."""
    module = next((each for each in reversed(catalog.PUBLIC) if code.startswith(f"{each}.")), "")
    name, *members = code.removeprefix(f"{module}.").split(".")
    found = catalog.public_names().get(name)
    if found is None:
        return None
    value = catalog.value_of(name)
    inner = [getattr(value, each, None) for each in members]
    return ".".join((found.module, name, *members)) if all(map(_documented, inner)) else None


def _documented(member: object) -> bool:
    return callable(member) or isinstance(member, property)


def link_docstring(_app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Docstrings are written in plain words with `code`: link public names and rule ids, leave examples alone."""
    known = pages.all_rules()
    example = False

    def code(found: re.Match[str]) -> str:
        target = public_target(found[1])
        return f":py:obj:`{found[1]} <{target}>`" if target else f"``{found[1]}``"

    for number, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            text = _CODE.sub(code, line)
            lines[number] = pages.RULE_ID.sub(lambda m: f":ref:`{m[0]} <rule-{m[0]}>`" if m[0] in known else m[0], text)


def plain_signature(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Sphinx marks the parameters of callables so that it cannot read them again: take the marks away."""
    return None if signature is None else re.sub(r"~(typing\.~)?P\b", "P", signature), returned


def resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.TextElement) -> nodes.reference | None:
    """Annotations name types where they are defined; public ones are documented as `ttr_rules.Name`."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rpartition(".")[2]
    public = catalog.public_names().get(name)
    if public is None or node["reftarget"] == f"{public.module}.{name}":
        return None
    python = env.domains["py"]
    source = node.get("refdoc", env.docname)
    found = python.resolve_xref(env, source, app.builder, "obj", f"{public.module}.{name}", node, inner)
    return found if isinstance(found, nodes.reference) else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-process-docstring", link_docstring)
    app.connect("autodoc-process-signature", plain_signature)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
