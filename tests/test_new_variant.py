"""New variants and third parties: packages of their own, installed beside the library, found by name, tested, played."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("click")

from click.testing import CliRunner
from processes import THIRD_PARTY, installed_in, run

import ttr_rules as ttr
import ttr_tools.testing
from ttr_tools.cli import commands
from ttr_tools.testing import write_variant


def check_package(tmp_path: Path, package: Path, name: str, words: tuple[str, ...]) -> str:
    """A package is found by its name, and is played by the command line; a game told in full."""
    environment = installed_in(tmp_path / "site", package)
    listed = run(environment, "-m", "ttr_rules", "variants", cwd=tmp_path)
    assert f"\n{name} " in f"\n{listed.stdout}" and "BROKEN" not in listed.stdout
    game = run(environment, "-m", "ttr_rules", "play", "europe", name, "--players", "3", "--seed", "4", cwd=tmp_path)
    assert game.returncode == 0, game.stderr
    for word in (*words, "wins"):
        assert word in game.stdout
    told = run(environment, "-m", "ttr_rules", "playthrough", "europe", name, "--seed", "1", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    return told.stdout


@pytest.mark.slow
def test_a_new_variant_is_found_and_played(tmp_path: Path) -> None:
    """That it passes its own tests, as a third party's does, the session `plugins` shows."""
    package = write_variant("golden-spike", tmp_path / "spike")
    assert sorted(str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()) == [
        "README.md",
        "pyproject.toml",
        "src/ttr_golden_spike/__init__.py",
        "src/ttr_golden_spike/py.typed",
        "tests/test_variant.py",
    ]
    for path in package.rglob("*.*"):
        if path.is_file():
            assert "@" not in path.read_text(encoding="utf-8").replace("@hookimpl", "")
    check_package(tmp_path, package, "golden-spike", ("draws four tickets", "Golden spike"))


@pytest.mark.slow
def test_a_new_variant_that_is_only_data_passes_its_own_tests_as_written(tmp_path: Path) -> None:
    result = CliRunner().invoke(commands, ["new-variant", "golden-spike", "--data", "--dir", str(tmp_path / "spike")])
    assert result.exit_code == 0 and "The variant is in src/ttr_golden_spike/variant.toml." in result.output
    package = tmp_path / "spike"
    source = (package / "src/ttr_golden_spike/__init__.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) == 1, "it needs no Python"
    check_package(tmp_path, package, "golden-spike", ("draws four tickets",))
    tests = run(installed_in(tmp_path / "tests", package), "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert " passed" in tests.stdout and "skipped" not in tests.stdout


@pytest.mark.thorough
def test_a_third_party_is_found_and_played(tmp_path: Path) -> None:
    package = tmp_path / "telegraph"
    shutil.copytree(THIRD_PARTY / "telegraph", package, ignore=shutil.ignore_patterns("__pycache__"))
    told = check_package(tmp_path, package, "telegraph", ("Telegraph",))
    assert "OfficeOpened(" in told and "OpenOffice" in told and "offices." in told


@pytest.mark.parametrize("name", ["board", "bonus", "variant", "true", "exception", "choice", "sequence", "turn"])
def test_the_class_of_a_new_variant_is_called_as_nothing_else(tmp_path: Path, name: str) -> None:
    package = write_variant(name, tmp_path / name)
    source = (package / f"src/ttr_{name}/__init__.py").read_text(encoding="utf-8")
    assert f'class {name.title()}Variant(Variant, name="{name}"):' in source
    assert f"ttr_{name}:{name.title()}Variant" in (package / "pyproject.toml").read_text(encoding="utf-8")
    module = ModuleType(f"ttr_{name}")
    exec(compile(source, f"ttr_{name}", "exec"), module.__dict__)
    assert ttr.compile_rules("europe", getattr(module, f"{name.title()}Variant")).draw_counts.drawn == 4


@pytest.mark.parametrize("data", [False, True])
def test_the_readme_of_a_new_variant_says_nothing_that_the_first_change_makes_wrong(tmp_path: Path, data: bool) -> None:
    readme = (write_variant("golden-spike", tmp_path / "spike", data=data) / "README.md").read_text(encoding="utf-8")
    assert "Golden Spike" in readme and "play europe golden-spike" in readme
    assert "four" not in readme and "points" not in readme


# -- the command ---------------------------------------------------------------------------------------------------


def test_the_command_writes_a_folder_here_and_says_what_is_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(commands, ["new-variant", "night-trains"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "ttr-night-trains" / "src" / "ttr_night_trains" / "__init__.py").is_file()
    assert "cd ttr-night-trains" in result.output and "play europe night-trains" in result.output
    assert "ttr-rules[" not in result.output, "the library is there already, and may be on no index"
    project = tomllib.loads((tmp_path / "ttr-night-trains" / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"] == {
        "ttr_rules.plugins": {"night-trains": "ttr_night_trains:NightTrainsVariant"}
    }
    again = CliRunner().invoke(commands, ["new-variant", "night-trains"])
    assert again.exit_code == 2 and "not empty" in again.output


def test_the_next_steps_use_the_interpreter_that_has_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    python = tmp_path / "my env" / "python"
    python.parent.mkdir()
    python.touch(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setenv("PATH", str(tmp_path))
    away = CliRunner().invoke(commands, ["new-variant", "night-trains", "--dir", "night trains"]).output
    assert "\n  cd 'night trains'\n" in away and f"\n  '{python}' -m pytest\n" in away
    monkeypatch.setenv("PATH", str(python.parent))
    active = CliRunner().invoke(commands, ["new-variant", "night-trains"]).output
    assert "\n  python -m pip install -e '.[test]'\n  python -m pytest\n" in active


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Europe", "not a valid name"), ("", "not a valid name"), ("a b", "not a valid name"), ("-a", "not a valid name"),
        ("a--b", "not a valid name"), ("a_b", "not a valid name"),
        ("../x", "not a valid name"), ("1912", "not a valid name"), ("ä", "not a valid name"),
        ("a" * 41, "not a valid name"), ("a\n", "not a valid name"),
        ("europe", "a plugin 'europe' already"), ("core", "a plugin 'core' already"), ("rules", "a package ttr_rules already"),
        ("maps", "a package ttr_maps already"),
    ],
)  # fmt: skip
def test_names_that_cannot_be_are_refused(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(ttr.InvalidInputError, match=reason):
        write_variant(name, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_empty_folder_may_be_there_a_file_or_a_full_one_not(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert write_variant("night-trains", tmp_path / "empty") == tmp_path / "empty"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    for taken in (tmp_path / "full", tmp_path / "full" / "mine.txt"):
        with pytest.raises(ttr.InvalidInputError, match="not empty"):
            write_variant("night-trains", taken)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


# -- the other commands --------------------------------------------------------------------------------------------


def test_perft_by_command() -> None:
    counted = CliRunner().invoke(commands, ["perft", "europe", "--players", "2", "--depth", "2", "--seed", "1"])
    assert (counted.exit_code, counted.output) == (0, "121\n")
    assert CliRunner().invoke(commands, ["perft", "europe", "--depth", "-1"]).exit_code == 2


def test_playthrough_by_command() -> None:
    told = CliRunner().invoke(commands, ["playthrough", "north-america", "--seed", "3", "--actions", "5"])
    assert told.exit_code == 0 and told.output == ttr_tools.testing.playthrough(
        "north-america", players=2, seed=3, actions=5
    )
    assert CliRunner().invoke(commands, ["playthrough"]).exit_code == 2
