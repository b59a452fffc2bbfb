"""Who imports whom, and how big a file may be: the core knows no variant and no map, variants use public names only."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ttr_maps
import ttr_rules
import ttr_variants

CORE, VARIANTS, MAPS = (Path(str(package.__file__)).parent for package in (ttr_rules, ttr_variants, ttr_maps))
FILES = sorted(path for folder in (CORE, VARIANTS, MAPS) for path in folder.rglob("*.py"))
LONGEST_FILE = 400


def name_of(path: Path) -> str:
    for folder in (CORE, VARIANTS, MAPS):
        if path.is_relative_to(folder):
            return str(path.relative_to(folder.parent))
    raise AssertionError(path)


def imported(path: Path) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """The absolute names of the modules that a file imports, the names it takes from each, and the line."""
    root = next(folder for folder in (CORE, VARIANTS, MAPS) if path.is_relative_to(folder))
    package = [root.name, *path.relative_to(root).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, (), node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield (
                ".".join([*base, *(node.module.split(".") if node.module else [])]),
                tuple(n.name for n in node.names),
                node.lineno,
            )


def of(folder: Path) -> list[Path]:
    return [path for path in FILES if path.is_relative_to(folder)]


def test_there_are_files_to_look_at() -> None:
    assert len(of(CORE)) > 20 and len(of(VARIANTS)) > 2 and len(of(MAPS)) > 0


@pytest.mark.parametrize("path", of(CORE), ids=name_of)
def test_the_core_imports_no_variant_and_no_map(path: Path) -> None:
    for module, _, line in imported(path):
        assert module.split(".")[0] not in ("ttr_variants", "ttr_maps"), f"line {line} imports {module}"


@pytest.mark.parametrize("path", of(VARIANTS), ids=name_of)
def test_variants_use_the_public_names_of_the_core_alone(path: Path) -> None:
    allowed = {"attrs", "ttr_maps", "ttr_variants"}
    for module, names, line in imported(path):
        top = module.split(".")[0]
        if top == "ttr_rules":
            assert module == "ttr_rules", f"line {line} imports {module}: a variant uses the top level alone"
            assert set(names) <= set(ttr_rules.__all__), (
                f"line {line}: {set(names) - set(ttr_rules.__all__)} is not public"
            )
        else:
            assert top in allowed or top in sys.stdlib_module_names, f"line {line} imports {module}"


@pytest.mark.parametrize("path", of(MAPS), ids=name_of)
def test_maps_know_no_variant(path: Path) -> None:
    for module, _, line in imported(path):
        assert module.split(".")[0] != "ttr_variants", f"line {line} imports {module}"


@pytest.mark.parametrize("path", of(CORE), ids=name_of)
def test_the_core_needs_attrs_cattrs_and_pluggy_alone(path: Path) -> None:
    """The command line may use the packages of its extra, the tools for tests those of theirs."""
    allowed = {"ttr_rules", "attrs", "attr", "cattrs", "pluggy"}
    parts = path.relative_to(CORE).parts
    if parts[0] == "cli" or parts[-1] == "__main__.py":
        allowed |= {"click", "rich"}
    if parts[0] == "testing":
        allowed |= {"hypothesis", "pytest"}
    for module, _, line in imported(path):
        top = module.split(".")[0]
        assert top in allowed or top in sys.stdlib_module_names, f"line {line} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_file_is_too_long_and_each_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    if text.strip() and not path.name.startswith("_") or path.name == "__init__.py":
        assert ast.get_docstring(ast.parse(text)), "a module needs a docstring"


def run(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_importing_warns_of_nothing_and_prints_nothing() -> None:
    assert run("import ttr_rules, ttr_variants, ttr_maps") == ""


def test_importing_the_core_loads_nothing_that_it_does_not_need() -> None:
    loaded = set(run("import ttr_rules; print(*sys.modules)").split())
    assert not loaded & {
        "click",
        "rich",
        "hypothesis",
        "pytest",
        "_pytest",
        "ttr_variants",
        "ttr_maps",
        "numpy",
        "random.SystemRandom",
    }


def test_the_public_names_are_there() -> None:
    assert len(ttr_rules.__all__) == len(set(ttr_rules.__all__))
    for name in ttr_rules.__all__:
        assert hasattr(ttr_rules, name), name
    for name in (
        "compile_rules",
        "new_game",
        "dumps",
        "loads",
        "score",
        "arrange",
        "longest_path",
        "playout",
        "load_board",
    ):
        assert name in ttr_rules.__all__
    for name in (
        "DrawBlind", "DrawFaceUp", "ClaimRoute", "DrawTickets", "KeepTickets", "PayTunnel", "AbandonTunnel", "Pass",
        "TTRError", "IllegalActionError", "NotYourTurnError", "GameOverError", "PluginError", "PluginConflictError",
        "UnknownPluginError", "HookTypeError", "SaveError", "Refusal", "hookimpl", "PluginInfo", "FinalScores", "Rulings",
    ):  # fmt: skip
        assert name in ttr_rules.__all__, name


@pytest.mark.parametrize("name", ttr_rules.__all__)
def test_every_public_class_and_function_has_a_docstring(name: str) -> None:
    each = getattr(ttr_rules, name)
    if isinstance(each, type) or (callable(each) and getattr(each, "__module__", "").startswith("ttr_rules")):
        assert (each.__doc__ or "").strip(), name


def test_every_error_of_the_library_is_one_family() -> None:
    errors = [each for each in vars(ttr_rules).values() if isinstance(each, type) and issubclass(each, Exception)]
    assert len(errors) >= 12
    assert all(issubclass(each, ttr_rules.TTRError) for each in errors)
    assert issubclass(ttr_rules.IllegalActionError, ValueError)
    assert issubclass(ttr_rules.GameOverError, ttr_rules.IllegalActionError)
    assert issubclass(ttr_rules.NotYourTurnError, ttr_rules.IllegalActionError)
