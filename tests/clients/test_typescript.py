"""A client in TypeScript, with types that a generator makes from the schema: it compiles strictly, and plays whole games.

The commands are those of the page that explains it. `nox -s clients` runs these tests, with Node in its own environment;
elsewhere they are skipped, with the reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

if os.environ.get("TTR_CLIENTS") != "required":
    pytest.skip("clients in TypeScript were NOT tested: `nox -s clients` does it", allow_module_level=True)

from serving import Served

HERE = Path(__file__).parent / "typescript"
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "generate-a-client.md"
#: What stands in the folder only where a developer has tried it there.
MADE = shutil.ignore_patterns("node_modules", "build", "messages.*")
#: What readers have of this folder when they follow the page: the rest comes from its commands.
SHOWN = shutil.ignore_patterns("node_modules", "build", "messages.*", "package*.json")


def typed(folder: Path, command: str) -> str:
    """What a command prints in a folder; it must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", command], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def commands(*programs: str) -> list[str]:
    """The commands of the page that begin with one of these words, in their order."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^(?:\$ )?((?:{'|'.join(programs)}) .*)$", text, re.MULTILINE)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client, with the generator and the compiler of the lock file."""
    folder = tmp_path_factory.mktemp("client") / "installed"
    shutil.copytree(HERE, folder, ignore=MADE)
    typed(folder, "npm ci")
    return folder


@pytest.fixture(scope="module")
def europe(installed: Path) -> Path:
    """The client for Europe."""
    return built(installed, "europe")


def built(installed: Path, stack: str) -> Path:
    """The client with the types of a stack, compiled as the page says."""
    folder = installed.parent / stack.replace(" ", "+")
    shutil.copytree(HERE, folder, ignore=SHOWN)
    (folder / "node_modules").symlink_to(installed / "node_modules")
    wanted = json.loads((installed / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    install, module = commands("npm")
    assert install == f"npm install --save-dev {' '.join(wanted)}"
    (folder / "package.json").write_text(json.dumps({"devDependencies": wanted}), encoding="utf-8")  # as `install` does
    if stack != "europe":
        (folder / "checks.ts").unlink()  # these are about the types of Europe
    schema, generate, compiled = commands("ttr-rules schema", "npx")
    for command in (module, schema.replace("europe", stack), generate, compiled):
        typed(folder, command)
    return folder


def plays(folder: Path, stack: str, kept: Path) -> None:
    """Let the client play a game against the server, with the command of the page."""
    (node,) = commands("node")
    with Served(kept / "games.db") as served:
        table = served.open(*stack.split(), people=(0,))
        address = f"localhost:{served.port}/{table.id}/"
        told = typed(folder, node.replace("localhost:8765/TABLE/", address).replace("TOKEN", table.tokens[0] or ""))
        sheet = table.game.final_scores
    assert sheet is not None
    assert told.splitlines() == [f"{each.name}: {each.total} points, rank {each.rank}" for each in sheet.players]


def test_a_generated_client_compiles_strictly_and_plays_a_whole_game(europe: Path, tmp_path: Path) -> None:
    plays(europe, "europe", tmp_path)


def test_the_same_client_plays_another_economy_with_its_types(installed: Path, tmp_path: Path) -> None:
    plays(built(installed, "europe dice"), "europe dice", tmp_path)


def test_the_compiler_finds_what_is_wrong(europe: Path) -> None:
    """Without the remarks which say that a line is wrong, each of them is an error."""
    checks = HERE.joinpath("checks.ts").read_text(encoding="utf-8")
    remark = "// @ts-expect-error"
    europe.joinpath("checks.ts").write_text(checks.replace(remark, "//"), encoding="utf-8")
    done = subprocess.run(["npx", "tsc", "--noEmit"], cwd=europe, capture_output=True, text=True, check=False)
    wrong = {int(line) for line in re.findall(r"^checks\.ts\((\d+),", done.stdout, re.MULTILINE)}
    expected = {number + 1 for number, line in enumerate(checks.splitlines(), 1) if remark in line}
    assert wrong == expected and len(expected) == 12, done.stdout


def test_the_lock_file_names_no_registry() -> None:
    lock = HERE.joinpath("package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock and '"integrity"' in lock
