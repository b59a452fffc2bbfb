"""A Sphinx extension: writes the reference pages before a build, and makes the docstrings' names and rule ids links."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
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

    def rule(found: re.Match[str]) -> str:
        return f":ref:`{found[0]} <rule-{found[0]}>`" if found[0] in known else found[0]

    for number, line in enumerate(lines):
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            text = _CODE.sub(code, line)
            lines[number] = re.sub(rf"(?<!=){catalog.RULE_ID.pattern}", rule, text)


def plain_signature(
    _app: Sphinx, _what: str, _name: str, obj: object, _options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Signatures as people write them: the fields of a class with their defaults, and no marks on the parameters of callables."""
    if signature is None:
        return None, returned
    if isinstance(obj, type) and attrs.has(obj) and re.search(r"\bNOTHING\b|attr_dict\[", signature):
        signature = f"({', '.join(fields_of(obj))})"
    return re.sub(r"~(typing\.~)?P\b", "P", signature), returned


def fields_of(kind: type[Any]) -> Iterator[str]:
    """The parameters of an attrs class, as in its source."""
    written = {name: note.replace(" | Unknown", "") for name, note, _ in catalog.fields_of(kind)}
    keyword = False
    for each in attrs.fields(kind):
        if not each.init:
            continue
        if each.kw_only and not keyword:
            keyword = True
            yield "*"
        name = each.alias or each.name
        note = f": {written[each.name]}" if written.get(each.name) else ""
        yield f"{name}{note}" + ("" if each.default is attrs.NOTHING else f" = {default_of(each.default)}")


def default_of(value: object) -> str:
    """A default in a signature; "..." for what is made anew, and for what is long."""
    factory = getattr(value, "factory", None)
    if factory is not None:
        return {"dict": "{}", "FrozenMap": "{}", "list": "[]", "tuple": "()"}.get(
            getattr(factory, "__name__", ""), "..."
        )
    shown = str(value) if isinstance(value, enum.Enum) else repr(value)
    return shown if len(shown) <= 30 and "<" not in shown else "..."


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
