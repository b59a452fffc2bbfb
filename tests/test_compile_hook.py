"""The compiled build, where it cannot be made: what is missing is said last, in one sentence, and nothing is left behind."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from loading import module_at

pytest.importorskip("hatchling")

from hatchling.bridge.app import Application

pytestmark = pytest.mark.installed_tree
ROOT = Path(__file__).parent.parent
#: What setuptools says of a compiler that fails, after much else.
COMPILER = [
    *(f"build/__native.c:{line}: note: much else" for line in range(100)),
    "build/__native.c:1:10: fatal error: Python.h: No such file or directory",
    "error: command '/usr/bin/gcc' failed with exit code 1",
]


def hook(target: str = "wheel") -> Any:
    module = module_at(ROOT / ".ci" / "compile_hook.py")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    config = project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
    none: Any = None
    return module.CompileHook(str(ROOT), config, none, none, "", target, Application())


@pytest.mark.parametrize("channel", ["stderr", "stdout"])
def test_what_is_missing_is_said_last_and_without_a_traceback(
    channel: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders: list[Path] = []

    def fail(command: list[str], *, cwd: Path, **_: Any) -> subprocess.CompletedProcess[str]:
        assert command[:2] == [sys.executable, "setup.py"] and (cwd / "setup.py").is_file()
        folders.append(cwd)
        said = {"stdout": "", "stderr": "", channel: "\n".join(COMPILER) + "\n"}
        return subprocess.CompletedProcess(command, 1, **said)

    monkeypatch.setenv("TTR_RULES_COMPILE", "1")
    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(SystemExit) as ended:
        hook().initialize("standard", {})
    assert ended.value.code == 1
    lines = capsys.readouterr()
    told = (lines.out + lines.err).splitlines()
    assert told[-3:] == [
        *COMPILER[-2:],
        "A C compiler and Python's headers are needed to compile ttr-rules; "
        "without TTR_RULES_COMPILE you get the pure build.",
    ]
    assert len(told) == 11
    assert [folder.exists() for folder in folders] == [False]


def test_nothing_is_compiled_that_nobody_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the setting, with 0, for a source distribution, and in an editable install."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("compiles"))
    for setting, target, version in (
        ("", "wheel", "standard"),
        ("0", "wheel", "standard"),
        ("1", "sdist", "standard"),
        ("1", "wheel", "editable"),
    ):
        monkeypatch.setenv("TTR_RULES_COMPILE", setting)
        data: dict[str, Any] = {}
        hook(target).initialize(version, data)
        assert data == {}
