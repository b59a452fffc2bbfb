"""The types that users of the library see: sound programs pass, and every mistake of the others is found.

`typing/passes` holds programs that mypy and pyright accept in strict mode; in `typing/fails` every line with a mistake is
marked `# mistake`, or `# mistake for mypy` if pyright cannot see it, and exactly these lines must be found.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from ttr_tools.testing import write_variant

FOLDER = Path(__file__).parent / "typing"
PASSES = sorted(FOLDER.glob("passes/*.py"))
FAILS = sorted(FOLDER.glob("fails/*.py"))
Found = dict[str, dict[int, list[str]]]

pytestmark = pytest.mark.slow


def by_line(problems: list[tuple[str, int, str]]) -> Found:
    """What was found, by the path of the file and the line."""
    found: Found = {}
    for file, line, message in problems:
        found.setdefault(str(Path(file).resolve()), {}).setdefault(line, []).append(message)
    return found


@cache
def mypy() -> Found:
    """What mypy finds in all programs, in strict mode and without any configuration."""
    command = [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--no-error-summary", "--hide-error-context"]
    done = subprocess.run(
        [*command, "--no-color-output", *map(str, (*PASSES, *FAILS))],
        capture_output=True, encoding="utf-8", cwd=FOLDER.parent.parent, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    rows = re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    return by_line([(str(FOLDER.parent.parent / file), int(line), message) for file, line, message in rows])


@cache
def pyright() -> Found:
    """What pyright finds in all programs, in strict mode."""
    project = FOLDER / "pyrightconfig.json"
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(project)]
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=600, check=False, env=dict(os.environ)
    )
    assert done.returncode in (0, 1), done.stderr + done.stdout
    rows = json.loads(done.stdout)["generalDiagnostics"]
    return by_line(
        [(row["file"], row["range"]["start"]["line"] + 1, row["message"]) for row in rows if row["severity"] == "error"]
    )


CHECKERS = {"mypy": mypy, "pyright": pyright}


@pytest.mark.parametrize("checker", CHECKERS)
def test_programs_pass_and_every_mistake_is_found(checker: str) -> None:
    if find_spec(checker) is None and os.environ.get("TTR_TYPES") != "required":
        pytest.skip(f"{checker} is not installed: `nox -s types` runs it")
    found = CHECKERS[checker]()
    wrong: list[str] = []
    for path in (*PASSES, *FAILS):
        lines = path.read_text(encoding="utf-8").splitlines()
        marks = ("# mistake", f"# mistake for {checker}")
        marked = {number for number, line in enumerate(lines, start=1) if line.endswith(marks)}
        there = found.get(str(path.resolve()), {})
        wrong += [f"{path.name}:{line}: not found: {lines[line - 1].strip()}" for line in sorted(marked - there.keys())]
        wrong += [f"{path.name}:{line}: {' / '.join(there[line])}" for line in sorted(there.keys() - marked)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_new_variant_passes_as_it_is_configured(checker: str, tmp_path: Path) -> None:
    if find_spec(checker) is None and os.environ.get("TTR_TYPES") != "required":
        pytest.skip(f"{checker} is not installed: `nox -s types` runs it")
    package = write_variant("golden-spike", tmp_path / "spike")
    command = [sys.executable, "-m", checker, *(["--pythonpath", sys.executable] if checker == "pyright" else [])]

    def run() -> subprocess.CompletedProcess[str]:
        # What mypy knows of the library is that of the test above.
        env = {**os.environ, "MYPYPATH": "src", "MYPY_CACHE_DIR": str(FOLDER.parent.parent / ".mypy_cache")}
        return subprocess.run(
            command, cwd=package, env=env, capture_output=True, encoding="utf-8", timeout=600, check=False
        )

    sound = run()
    assert sound.returncode == 0, sound.stdout + sound.stderr
    source = package / "src" / "ttr_golden_spike" / "__init__.py"
    source.write_text(source.read_text(encoding="utf-8").replace("def draw_counts", "def draw_count"), encoding="utf-8")
    wrong = run()
    assert wrong.returncode == 1 and "__init__.py" in wrong.stdout, wrong.stdout


def test_a_new_variant_is_formatted(tmp_path: Path) -> None:
    if find_spec("ruff") is None and os.environ.get("TTR_TYPES") != "required":
        pytest.skip("ruff is not installed: `nox -s types` runs it")
    for name in ("x", "a-variant-with-a-very-long-name"):
        package = write_variant(name, tmp_path / name)
        for command in (["check"], ["format", "--check"]):
            done = subprocess.run(
                [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
                cwd=package,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_programs() -> None:
    mistakes = [path.read_text(encoding="utf-8").count("# mistake\n") for path in FAILS]
    assert len(PASSES) >= 3 and sum(mistakes) > 60 and min(mistakes) > 5
    assert not any("# mistake\n" in path.read_text(encoding="utf-8") for path in PASSES)
