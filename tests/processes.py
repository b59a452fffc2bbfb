"""Python in a process of its own, with packages that count as installed there."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
THIRD_PARTY = HERE / "thirdparty"


def installed_in(folder: Path, package: Path) -> dict[str, str]:
    """An environment in which a package counts as installed: its source on the path, its metadata beside it."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    points = [
        line
        for group, entries in project["entry-points"].items()
        for line in [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    ]
    (info / "entry_points.txt").write_text("\n".join([*points, ""]), encoding="utf-8")
    path = [str(folder), str(package / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], *arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What Python answers to some arguments."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment,
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
