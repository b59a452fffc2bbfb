"""Mistakes that authors make are found: by type checkers, or by the compiler with what to write instead."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest
from planted_mistakes import MISTAKES

import ttr_rules as ttr
from ttr_rules.plugins import Below, Bonus, Variant, hookimpl

CONFIGURATION = {
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "reportWildcardImportFromLibrary": False,
    "reportUnusedImport": False,
}


@pytest.mark.parametrize(("number", "title"), list(enumerate(MISTAKES, start=1)))
def test_the_compiler_says_what_to_write_instead(number: int, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType(f"mistake{number}")  # a stack has all events of its plugins' modules
    monkeypatch.setitem(sys.modules, module.__name__, module)
    told = ""
    try:
        exec(compile(MISTAKES[title].program, "mistake.py", "exec"), module.__dict__)
        ttr.compile_rules("north-america", module.Mistake)
    except ttr.TTRError as error:
        told = str(error).replace(module.__name__, "mistake")
    assert MISTAKES[title].compiler in told and bool(told) == bool(MISTAKES[title].compiler)


def test_every_mistake_is_found_by_something() -> None:
    assert len(MISTAKES) >= 50 and all(mistake.checkers or mistake.compiler for mistake in MISTAKES.values())


@pytest.mark.slow
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_find_mistakes(checker: str, tmp_path: Path) -> None:
    if find_spec(checker) is None and os.environ.get("TTR_TYPES") != "required":
        pytest.skip(f"{checker} is not installed: `nox -s types` runs it")
    files = {f"m{number:02}.py": title for number, title in enumerate(MISTAKES, start=1)}
    for name, title in files.items():
        (tmp_path / name).write_text(MISTAKES[title].program, encoding="utf-8")
    lines = (mypy if checker == "mypy" else pyright)(tmp_path)
    wrong: list[str] = []
    for name, title in files.items():
        program = MISTAKES[title].program.splitlines()
        marked = {number for number, line in enumerate(program, start=1) if line.endswith("# mistake")}
        found = {number for file, number in lines if file == name}
        if bool(found) != (checker in MISTAKES[title].checkers) or not found <= marked:
            wrong.append(f"{title}: found in {sorted(found)}, marked are {sorted(marked)}")
    assert not wrong, "\n".join(wrong)


def mypy(folder: Path) -> set[tuple[str, int]]:
    """The lines in which mypy finds mistakes."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--no-error-summary", "--no-color-output",
         *map(str, sorted(folder.glob("*.py")))],
        capture_output=True, encoding="utf-8", timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    return {
        (Path(file).name, int(line)) for file, line in re.findall(r"^(.+?):(\d+): error: ", done.stdout, re.MULTILINE)
    }


def pyright(folder: Path) -> set[tuple[str, int]]:
    """The lines in which pyright finds mistakes."""
    (folder / "pyrightconfig.json").write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(folder)],
        capture_output=True, encoding="utf-8", timeout=600, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr + done.stdout
    rows = json.loads(done.stdout)["generalDiagnostics"]
    return {(Path(row["file"]).name, row["range"]["start"]["line"] + 1) for row in rows if row["severity"] == "error"}


def test_a_bonus_that_forgets_what_is_below_shows_in_the_provenance() -> None:
    class Forgetful(Variant, name="forgetful", requires=("europe",)):
        """Forgetful: means to add a bonus, and replaces all others."""

        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: ttr.Board) -> tuple[Bonus, ...]:
            return (Bonus("most", 5, lambda state, sheets: [0]),)

    rules = ttr.compile_rules("europe", Forgetful)
    (answer,) = [answer for answer in rules.provenance if answer.hook == "bonuses"]
    assert answer.by == ("forgetful",) and not answer.adjusted
    assert "bonuses: forgetful (replaces core)" in rules.explain().splitlines()
