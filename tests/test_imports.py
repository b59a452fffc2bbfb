"""Importing the library: what it loads, and what its modules offer."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from helpers import names_in

import ttr_maps
import ttr_rules
import ttr_tools
import ttr_variants
from ttr_rules import errors

CORE, TOOLS, VARIANTS, MAPS = (
    Path(str(package.__file__)).parent for package in (ttr_rules, ttr_tools, ttr_variants, ttr_maps)
)
#: The modules for everybody: what a tool, a variant, a map, a test or a page of the docs imports.
RULES = (
    *(
        "actions",
        "boards",
        "clients",
        "engine",
        "errors",
        "events",
        "graph",
        "hidden",
        "hints",
        "language",
        "loading",
    ),
    *(
        "model",
        "parts",
        "play",
        "plugins",
        "reading",
        "saves",
        "scores",
        "sequences",
        "text",
        "train_cards",
    ),
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


# -- importing -----------------------------------------------------------------------------------------------------


#: What comes with extras.
EXTRAS = {
    *("anyio", "babel", "click", "gymnasium", "hypothesis", "numpy", "openskill", "pettingzoo", "polars"),
    *("pyspiel", "pytest", "resvg_py", "rich", "starlette", "uvicorn"),
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


@pytest.mark.slow
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
        found = getattr(import_module(package), inner, None) if package in PUBLIC else None
        assert found is None or isinstance(found, ModuleType), f"{name} is a module and something else"


@pytest.mark.pure
@pytest.mark.parametrize("package", sorted(PUBLIC))
def test_public_modules_say_what_they_have(package: str) -> None:
    if package == "ttr_tools.web":
        pytest.importorskip("starlette", reason="the extra web is not installed")
        pytest.importorskip("uvicorn", reason="the extra web is not installed")
    if package == "ttr_tools.simulation":
        pytest.importorskip("polars", reason="the extra data is not installed")
    if package == "ttr_tools.learning":
        pytest.importorskip("pettingzoo", reason="the extra learning is not installed")
    names = names_in(import_module(package))
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


def test_the_lazy_package_hands_on_what_type_checkers_see_in_it() -> None:
    tree = ast.parse(Path(ttr_rules.__file__).read_text(encoding="utf-8"))
    checking = next(node for node in tree.body if isinstance(node, ast.If))
    homes = {
        name.name: node.module for node in checking.body if isinstance(node, ast.ImportFrom) for name in node.names
    }
    assert set(names_in(ttr_rules)) == homes.keys()
    for name in homes:
        assert getattr(ttr_rules, name) is getattr(import_module(str(homes[name])), name)
        assert name in dir(ttr_rules)
