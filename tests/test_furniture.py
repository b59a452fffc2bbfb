"""What stands around the code fits together: the lock, the hooks of pre-commit, the sessions of nox, what people are told to type."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from docs_pages import DOCS, blocks, written_pages
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.installed_tree

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
#: Sessions that are run by hand only: the suite by whoever works on it (coverage runs it too), and what updates the lock and the catalogues.
BY_HAND = {"tests", "lock", "languages"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def pins() -> dict[str, set[str]]:
    """The versions in the lock, by name: several where Pythons or systems need different ones."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", read("requirements-dev.lock"), re.MULTILINE):
        found.setdefault(canonicalize_name(name), set()).add(version)
    return found


def requirements() -> list[str]:
    """Everything that the project, its extras and its dependency groups name."""
    project = PYPROJECT["project"]
    groups = [*project["optional-dependencies"].values(), *PYPROJECT["dependency-groups"].values()]
    return [*project["dependencies"], *(each for group in groups for each in group if isinstance(each, str))]


def sessions() -> set[str]:
    """The sessions that noxfile.py defines."""
    functions = [node for node in ast.parse(read("noxfile.py")).body if isinstance(node, ast.FunctionDef)]
    return {node.name for node in functions if any("nox.session" in ast.unparse(each) for each in node.decorator_list)}


@pytest.mark.parametrize("requirement", requirements())
def test_the_lock_pins_what_the_project_asks_for(requirement: str) -> None:
    wanted = Requirement(requirement)
    pinned = pins().get(canonicalize_name(wanted.name), set())
    assert pinned and all(version in wanted.specifier for version in pinned), "run `nox -s lock`"


def test_the_group_of_developers_has_all_groups() -> None:
    groups = dict(PYPROJECT["dependency-groups"])
    included = {each["include-group"] for each in groups.pop("dev") if isinstance(each, dict)}
    assert included == set(groups)


def test_the_lock_names_no_index_and_no_path() -> None:
    lines = [line.partition("#")[0].strip() for line in read("requirements-dev.lock").splitlines()]
    assert [line for line in lines if line and not re.fullmatch(r"[\w.-]+==[\w.+!]+( ; [^/]+)?", line)] == []


def test_pre_commit_uses_the_versions_of_the_lock() -> None:
    used = re.findall(r"additional_dependencies: \[([\w-]+)==([\w.]+)\]", read(".pre-commit-config.yaml"))
    assert {name for name, _ in used} == {"ruff", "codespell", "pre-commit-hooks"}
    assert [(name, version) for name, version in used if pins()[name] != {version}] == []


def test_everything_is_run_before_a_change_lands() -> None:
    lists = re.findall(r"--sessions((?: \\\n|[ \w-])+)", read(".ci/run"))
    assert sorted(" ".join(lists).replace("\\", "").split()) == sorted(sessions() - BY_HAND)


def test_contributors_are_told_of_every_session() -> None:
    table = "\n".join(line for line in read("CONTRIBUTING.md").splitlines() if line.startswith("| `"))
    assert sessions() <= set(re.findall(r"`(\w+)`", table))


def test_every_supported_python_is_tested() -> None:
    supported = re.search(r"^SUPPORTED = (\(.*\))$", read("noxfile.py"), re.MULTILINE)
    assert supported is not None
    listed = [each.rpartition(" :: ")[2] for each in PYPROJECT["project"]["classifiers"] if ":: 3." in each]
    assert set(listed) <= set(ast.literal_eval(supported[1]))
    assert ast.literal_eval(supported[1])[0] == PYPROJECT["project"]["requires-python"].removeprefix(">=")


@pytest.mark.parametrize("page", written_pages())
def test_pip_is_upgraded_before_it_is_told_of_groups(page: str) -> None:
    """The pip that comes with a supported Python may be too old for `--group`."""
    for block in blocks(page):
        if block.language in ("sh", "console") and "--group" in block.text:
            assert re.search(r"pip install (-U|--upgrade) pip\b", block.text.partition("--group")[0]), block.text


def test_the_docs_show_what_stands_at_the_top() -> None:
    for path in (DOCS / "project").glob("*.md"):
        assert path.read_text(encoding="utf-8").startswith(f"```{{include}} ../../{path.name}\n")
        assert (ROOT / path.name).is_file()


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
