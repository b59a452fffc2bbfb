"""The runs of CI: nothing is left out, they say what failed, a few failed tests run once more; and the lock pins everything."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.installed_tree

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: Sessions that hosted checks run every night; and those that every change runs too, but quickly.
NIGHTLY = {"thorough"}
QUICK = {"bench", "compiled", "fuzz"}
#: Sessions that are run by hand only.
BY_HAND = {
    "tests",  # the session `coverage` runs them too
    "translations",
    "lock",
    "languages",
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_lock_pins_what_the_project_asks_for() -> None:
    """In versions that it allows, and from wherever a machine gets its packages."""
    lines = [line.partition("#")[0].strip() for line in read("requirements-dev.lock").splitlines()]
    assert [line for line in lines if line and not re.fullmatch(r"[\w.-]+==[\w.+!]+( ; [^/]+)?", line)] == []
    pins: dict[str, set[str]] = {}  # several versions where Pythons or systems need different ones
    for name, version in (line.partition(" ;")[0].split("==") for line in lines if line):
        pins.setdefault(canonicalize_name(name), set()).add(version)
    project = PYPROJECT["project"]
    groups = [*project["optional-dependencies"].values(), *PYPROJECT["dependency-groups"].values()]
    asked = [*project["dependencies"], *(each for group in groups for each in group if isinstance(each, str))]
    for requirement in map(Requirement, asked):
        versions = pins.get(canonicalize_name(requirement.name), set())
        assert versions and all(each in requirement.specifier for each in versions), f"{requirement}: run `nox -s lock`"
    used = re.findall(r"additional_dependencies: \[([\w-]+)==([\w.]+)\]", read(".pre-commit-config.yaml"))
    assert used and [(name, version) for name, version in used if pins[name] != {version}] == []


def test_everything_is_run_before_a_change_lands() -> None:
    functions = [node for node in ast.parse(read("noxfile.py")).body if isinstance(node, ast.FunctionDef)]
    sessions = {each.name for each in functions if any("nox.session" in ast.unparse(d) for d in each.decorator_list)}
    lists = re.findall(r"--sessions((?: \\\n|[ \w-])+)", read(".ci/run"))
    assert sorted(" ".join(lists).replace("\\", "").split()) == sorted(sessions - BY_HAND - NIGHTLY)
    workflow = read(".github/workflows/nightly.yml")
    assert "nox --sessions ${{ matrix.sessions }}" in workflow and "TTR_NIGHTLY:" in workflow
    assert {*re.findall(r"^          - (\w+)$", workflow, re.MULTILINE)} == NIGHTLY | QUICK
    quick = {
        each.name for each in functions if "QUICK" in {node.id for node in ast.walk(each) if isinstance(node, ast.Name)}
    }
    assert quick == QUICK


def test_the_end_of_a_run_says_what_failed(tmp_path: Path) -> None:
    """Sessions by name, with the tests that failed or with what was printed last; nothing of those that succeeded."""
    output = tmp_path / "output.txt"
    output.write_text(
        "nox > Running session lint\nAll checks passed!\nnox > Session lint was successful in 3 seconds.\n"
        "nox > Running session types\n\nsrc/one.py:4: error: no such name\nnox > Session types failed.\n"
        "nox > Running session threads\nnox > Session threads skipped: not on this machine.\n"
        "nox > Running session coverage\n..F.\nSKIPPED [1] tests/test_a.py:1: not here\n"
        "FAILED tests/test_c.py::test_that_passes_then - assert 1 == 2\nrunning again: tests/test_c.py::test_that_passes_then\n"
        "FAILED tests/test_a.py::test_of_a[1] - assert 1 == 2\n\x1b[31mERROR\x1b[0m tests/test_b.py::test_of_b - OSError\n"
        "1 failed, 1 error\nnox > Session coverage failed.\nnox > Running session wheel(3.11)\nstopped here\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(ROOT / ".ci" / "failures.py"), str(output), str(output)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    assert told[: len(told) // 2] == told[len(told) // 2 :] == [
        "types: FAILED", "  src/one.py:4: error: no such name",
        "coverage: FAILED", "  FAILED tests/test_a.py::test_of_a[1] - assert 1 == 2", "  ERROR tests/test_b.py::test_of_b - OSError",
        "wheel(3.11): FAILED", "  stopped here",
    ]  # fmt: skip


#: A file of tests, some of which fail the first time only.
FLAKY = """
from pathlib import Path
import pytest
seen = Path("seen")
first = not seen.exists()
seen.touch()
def test_passes(): pass
def test_fails_once(): assert not first
if first:
    def test_vanishes(): assert not VANISHES
@pytest.mark.parametrize("number", range(4))
def test_fails(number): assert number >= FAILING
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failing", "vanishes", "code", "told"),
    [
        (0, False, 0, "failed once in quick, passed when run again: test_flaky.py::test_fails_once"),
        (1, False, 1, "running again: test_flaky.py::test_fails_once, test_flaky.py::test_fails[0]"),
        (0, True, 1, "not found again: test_flaky.py::test_vanishes"),
        (4, False, 1, "nothing is run again: 5 failures, 3 single tests at most"),
    ],
)
def test_a_few_failed_tests_run_once_more(tmp_path: Path, failing: int, vanishes: bool, code: int, told: str) -> None:
    text = FLAKY.replace("VANISHES", str(vanishes)).replace("FAILING", str(failing))
    (tmp_path / "test_flaky.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:hypothesispytest", f"--rootdir={tmp_path}"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1
    again = [sys.executable, str(ROOT / ".ci" / "again.py"), "quick", ".pytest_cache", *command]
    done = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert told in done.stdout.splitlines()
    assert ("failed once" in done.stdout) == (code == 0)


def test_a_file_that_could_not_be_read_is_not_run_again(tmp_path: Path) -> None:
    noted = tmp_path / "v" / "cache" / "lastfailed"
    noted.parent.mkdir(parents=True)
    for failed in ({}, {"test_b.py": True}, {"gw1": True, "test_a.py::test": True}):
        noted.write_text(json.dumps(failed), encoding="utf-8")
        again = [sys.executable, str(ROOT / ".ci" / "again.py"), "quick", str(tmp_path), "not-a-command"]
        done = subprocess.run(again, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "nothing is run again" in done.stdout
