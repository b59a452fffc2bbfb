"""What type checkers must find in programs that use the library, and what they must let pass: `tests/typing`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "typing"


def mypy(program: Path, cache: Path) -> Iterator[int]:
    """The lines that mypy has something to say of."""
    pytest.importorskip("mypy")
    command = ["-m", "mypy", "--strict", "--no-error-summary", "--no-pretty", f"--cache-dir={cache}", str(program)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr
    for line in done.stdout.splitlines():
        found = re.fullmatch(rf"\S*{program.name}:(\d+): (error|note): .*", line)
        assert found, line
        if found[2] == "error":
            yield int(found[1])


def pyright(program: Path, cache: Path) -> Iterator[int]:
    """The lines that pyright has something to say of."""
    pytest.importorskip("pyright")
    settings = cache / "pyrightconfig.json"
    (cache / program.name).write_bytes(program.read_bytes())  # a project has its files in its folder
    settings.write_text(json.dumps({"typeCheckingMode": "strict", "include": [program.name]}), encoding="utf-8")
    command = ["-m", "pyright", "--outputjson", f"--pythonpath={sys.executable}", f"--project={settings}"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=300, check=False)
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1, done.stdout
    for each in found["generalDiagnostics"]:
        assert each["severity"] == "error", each
        yield each["range"]["start"]["line"] + 1


@pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])
@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_type_checkers_find_what_is_wrong_and_nothing_else(program: Path, checker: object, tmp_path: Path) -> None:
    lines = program.read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, start=1) if line.endswith("  # wrong")}
    assert set(checker(program, tmp_path)) == wrong  # type: ignore[operator]


def test_there_are_programs_of_both_kinds() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PROGRAMS.glob("*.py")]
    assert any("# wrong\n" in text for text in texts) and any("# wrong\n" not in text for text in texts)
