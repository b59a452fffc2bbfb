"""Creating a new variant from a template: a complete package with a working example, tests and an entry point."""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ttr_rules import installed
from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST = 40


def write_variant(name: str, folder: str | Path | None = None, *, data: bool = False) -> Path:
    """Write a package for a variant called `name` into a folder (by default `ttr-NAME`) and return the folder.

    It has a `pyproject.toml` with the entry point, the plugin in `src/ttr_NAME/`, tests and a README, and passes its
    tests as soon as it is installed. With `data` the variant is a TOML file, `src/ttr_NAME/variant.toml`, and needs no
    Python.

    Raises `InvalidInputError` for an invalid or taken name, and for a folder that is not empty.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     written = write_variant("golden-spike", f"{folder}/ttr-golden-spike")
    ...     sorted(path.name for path in written.iterdir())
    ['README.md', 'pyproject.toml', 'src', 'tests']
    """
    check_name(name)
    target = Path(f"ttr-{name}") if folder is None else Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidInputError(f"{target} already exists and is not empty: nothing was written")
    title = name.replace("-", " ").title()
    words = {
        "name": name,
        "distribution": f"ttr-{name}",
        "package": package_name(name),
        "title": title,
        "class": f"{title.replace(' ', '')}Variant",
        "term": name.replace("-", "_"),
    }
    _write(files("ttr_tools.testing").joinpath("data_template" if data else "template"), target, words)
    return target


def package_name(name: str) -> str:
    """The import package of a variant.

    >>> package_name("golden-spike")
    'ttr_golden_spike'
    """
    return f"ttr_{name.replace('-', '_')}"


def check_name(name: object) -> None:
    """Raise `InvalidInputError` unless a new variant can have this name."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise InvalidInputError(
            f"{brief(name)} is not a valid name for a variant; a name consists of a-z and 0-9, words joined by single hyphens, such as "
            f"golden-spike, with at most {_LONGEST} characters"
        )
    if name == "core" or name in {plugin.name for plugin in installed()}:
        raise InvalidInputError(f"there is a plugin {name!r} already: choose another name")
    if (package := package_name(name)) in sys.modules or importlib.util.find_spec(package) is not None:
        raise InvalidInputError(f"there is a package {package} already: choose another name")


def _write(source: Traversable, target: Path, words: dict[str, str]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        name = entry.name.replace("PACKAGE", words["package"])
        if entry.is_dir():
            _write(entry, target / name, words)
        elif name.endswith(".in"):
            text = entry.read_text(encoding="utf-8")
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            (target / name.removesuffix(".in")).write_text(text, encoding="utf-8", newline="\n")
