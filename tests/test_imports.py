"""Importing the library: what it loads, what its modules offer, and that the core knows no variant."""

from __future__ import annotations

import ast
import py_compile
import re
import subprocess
import sys
from doctest import DocTestParser
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

import ttr_maps
import ttr_rules
import ttr_tools
import ttr_variants
from ttr_rules import errors
from ttr_rules._internal.lazy import _imports

CORE, TOOLS, VARIANTS, MAPS = (
    Path(str(package.__file__)).parent for package in (ttr_rules, ttr_tools, ttr_variants, ttr_maps)
)
#: The modules for everybody: what a tool, a variant, a map, a test or a page of the docs imports.
RULES = (
    *("boards", "clients", "engine", "errors", "events", "fields", "graph", "hidden", "hints", "language", "marks"),
    *("model", "play", "plugins", "reading", "saves", "sequences", "text", "train_cards"),
)
KIT = ("bots", "learning", "narration", "render", "replay", "simulation", "testing", "web")
PUBLIC = {"ttr_rules", *(f"ttr_rules.{name}" for name in RULES), *(f"ttr_tools.{name}" for name in KIT)}


@cache
def modules() -> dict[str, Path]:
    """Every module of the library, its variants and its maps, by its name."""
    found: dict[str, Path] = {}
    for folder in (CORE, TOOLS, VARIANTS, MAPS):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


# -- the words of variants -----------------------------------------------------------------------------------------

#: What belongs to variants alone. Names of maps may stand in docstrings and comments, as examples.
THINGS = re.compile(
    r"(?i)(?<![a-z])(station|dice(?![a-z])|passenger|journey|märklin|marklin|nordic|swiss|switzerland|orient.express|mega"
    r"|mandala|mountain|compan(?:y|ies)|technolog|concession|district|attraction|right.of.way|tender|boiler|majorit"
    r"|india(?![a-z])|legendary|(?<!east_)asia|london|new.york|pennsylvania|british|united.kingdom|big.cit|bonus.ticket)"
)
MAP_NAMES = re.compile(r"(?i)(?<![a-z])(europ[ae]|north.america)")
EXAMPLE = "an example: "

#: Where they stand all the same, and why. A line that is no longer needed fails the test.
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "kernel/fields.py": ({"station"}, EXAMPLE + "a label for a column"),
    "kernel/variant.py": ({"mountain", "station"}, EXAMPLE + "a plugin of one hook, and the sentence below a picture"),
    "kernel/plugin.py": ({"station"}, EXAMPLE + "how an option is set"),
    "model/board.py": ({"london"}, EXAMPLE + "how half of a double is printed"),
    "model/decisions.py": ({"dice", "station"}, EXAMPLE + "a decision and an action of a variant"),
    "play/tables.py": ({"europe"}, EXAMPLE + "a message shows how the names of plugins are written"),
    "plugins/type_tags.py": ({"dice"}, EXAMPLE + "a tag"),
}


def words_in(path: Path) -> set[str]:
    """The words of variants in a file, its comments and docstrings included. Doctests are examples and do not count."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return {word.lower() for pattern in (THINGS, MAP_NAMES) for word in pattern.findall(text)}
    if not THINGS.search(text) and not MAP_NAMES.search(text):
        return set()
    lines, tree = text.splitlines(), ast.parse(text)
    docs = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    told: list[str] = []
    for doc in docs:
        if isinstance(doc.value, str):
            told += [each for each in DocTestParser().parse(doc.value) if isinstance(each, str)]
            last = doc.end_lineno or doc.lineno
            lines[doc.lineno - 1 : last] = [""] * (last - doc.lineno + 1)
    found = {word.lower() for word in THINGS.findall("\n".join([*told, *lines]))}
    return found | {word.lower() for line in lines for word in MAP_NAMES.findall(line.partition("#")[0])}


def test_the_core_has_no_word_of_a_variant() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(CORE.rglob("*.*")):
        name = path.relative_to(CORE).as_posix()
        if path.suffix in (".py", ".toml") and (words := words_in(path)):
            found[name] = words
    assert found == {name: words for name, (words, _) in EXCEPTIONS.items()}, (
        "say why in EXCEPTIONS, or take the words out"
    )


def test_words_of_variants_are_found(tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    for text, words in (
        ('def f() -> None:\n    """Like Europe\'s.\n\n    >>> f(\'dice\')\n    """', set()),
        ("indices = 1  # for the dice", {"dice"}),
        ("stations_left = 0", {"station"}),
        ("FEWER_STATIONS = 'north-america'", {"station", "north-america"}),
        ("class EuropeTie: ...", {"europe"}),
        ("def mandala(): ...  # mountains, companies", {"mandala", "mountain", "companies"}),
    ):
        file.write_text(text, encoding="utf-8")
        assert words_in(file) == words, text


# -- importing -----------------------------------------------------------------------------------------------------


#: What comes with extras.
EXTRAS = {
    *("anyio", "babel", "click", "gymnasium", "hypothesis", "matplotlib", "numpy", "openskill", "pettingzoo", "polars"),
    *("pyspiel", "pytest", "resvg_py", "rich", "scipy", "starlette", "uvicorn"),
}


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_importing_warns_of_nothing_and_prints_nothing() -> None:
    assert run("import ttr_rules, ttr_tools, ttr_variants, ttr_maps") == ""


def test_importing_the_library_loads_nothing_that_it_does_not_need() -> None:
    loaded = set(run("import ttr_rules; print(*sys.modules)").split())
    assert not loaded & {*EXTRAS, "_pytest", "ttr_tools", "ttr_variants", "ttr_maps"}
    # Whoever plays here or in other processes needs no extra.
    play = "list(simulation.simulate('london', ['random', 'random'], 1, 1))"
    loaded = set(run(f"from ttr_tools import simulation; {play}; print(*sys.modules)").split())
    assert not loaded & EXTRAS


def test_no_name_stands_for_a_function_and_a_module() -> None:
    """`ttr_tools.testing.playthrough` is the function, whatever was imported before."""
    for name in modules():
        package, _, inner = name.rpartition(".")
        if inner in getattr(import_module(package), "__all__", ()) if package else False:
            assert isinstance(getattr(import_module(package), inner), ModuleType), (
                f"{name} is a module and something else"
            )


@pytest.mark.pure
@pytest.mark.parametrize("package", sorted(PUBLIC))
def test_public_modules_say_what_they_have(package: str) -> None:
    if package == "ttr_tools.web":
        pytest.importorskip("starlette", reason="the extra web is not installed")
        pytest.importorskip("uvicorn", reason="the extra web is not installed")
    if package == "ttr_tools.simulation":
        for library in ("polars", "scipy", "matplotlib"):
            pytest.importorskip(library, reason="the extra data is not installed")
    if package == "ttr_tools.learning":
        pytest.importorskip("pettingzoo", reason="the extra learning is not installed")
    names = import_module(package).__all__
    assert list(names) == sorted(set(names), key=names.index)
    for name in names:
        each = getattr(import_module(package), name)
        if isinstance(each, type) or (
            callable(each) and getattr(each, "__module__", "").startswith(("ttr_rules", "ttr_tools"))
        ):
            assert (each.__doc__ or "").strip(), f"{package}.{name} has no docstring"


def test_every_error_of_the_library_is_one_family() -> None:
    found = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(found) >= 12
    assert all(issubclass(each, errors.TTRError) for each in found)
    assert issubclass(errors.IllegalActionError, ValueError)
    assert issubclass(errors.GameOverError, errors.IllegalActionError)
    assert issubclass(errors.NotYourTurnError, errors.IllegalActionError)


def test_names_are_found_in_a_zip_file(tmp_path: Path) -> None:
    """Lazy packages read their own source, wherever it was imported from."""
    package = tmp_path / "lib.zip"
    with ZipFile(package, "w") as archive:
        archive.writestr("somewhere/__init__.py", LAZY)
    program = f"import sys; sys.path.insert(0, {str(package)!r}); import somewhere; print(somewhere.Counts(red=2))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2 red\n"), done.stderr


def test_names_are_found_where_only_compiled_files_are(tmp_path: Path) -> None:
    """As `compileall -b` leaves them when the sources are deleted."""
    source = tmp_path / "somewhere" / "__init__.py"
    source.parent.mkdir()
    source.write_text(LAZY, encoding="utf-8")
    py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")), doraise=True)
    source.unlink()
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import somewhere; print(somewhere.Counts(red=2))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "2 red\n"), done.stderr


def test_a_lazy_package_imports_each_of_its_names_for_type_checkers() -> None:
    for package in ("", ".boards", ".play", ".plugins", ".train_cards"):
        module = import_module(f"ttr_rules{package}")
        found = _imports(module.__name__)
        assert set(module.__all__) <= found.keys() | {"__version__"}
        assert all(getattr(module, name) is getattr(import_module(found[name]), name) for name in module.__all__)


LAZY = """
from typing import TYPE_CHECKING
from ttr_rules._internal.lazy import lazily
if TYPE_CHECKING:
    from ttr_rules.model import Counts
else:
    __getattr__, __dir__ = lazily(__name__)
__all__ = ["Counts"]
"""
