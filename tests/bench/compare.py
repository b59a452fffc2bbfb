"""Run the benchmarks of the parent commit and of this tree in turn, and print them side by side.

`python tests/bench/compare.py [COMMIT]`; needs git and pytest-benchmark. Each run has a line for the kernel: what
that differs by is the machine, not the library.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
BENCH = "tests/bench/bench_tables.py"


def run_benchmarks(tree: Path, saved: Path) -> None:
    """Run a tree's own benchmarks on its own code."""
    path = os.pathsep.join(str(tree / each) for each in ("src", "variants", "maps"))
    quick = ["--benchmark-max-time=0.2", "--benchmark-min-rounds=3"]
    command = [sys.executable, "-m", "pytest", "-q", BENCH, *quick, f"--benchmark-json={saved}"]
    subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": path}, check=True, stdout=subprocess.DEVNULL)


def main(commit: str) -> None:
    """Compare with a commit."""
    with tempfile.TemporaryDirectory() as folder:
        parent = Path(folder, "parent")
        subprocess.run(["git", "-C", str(HERE), "worktree", "add", "--detach", str(parent), commit], check=True)
        try:
            if not (parent / BENCH).exists():
                print(f"{commit} has no benchmarks to compare with")
                return
            results = [Path(folder, f"{name}.json") for name in ("0_before", "1_after")]
            for tree, saved in zip((parent, HERE), results, strict=True):
                run_benchmarks(tree, saved)
            columns = "--columns=min,median,rounds"
            subprocess.run(
                [sys.executable, "-m", "pytest_benchmark", "compare", columns, "--group-by=name", *map(str, results)],
                check=True,
            )
        finally:
            subprocess.run(["git", "-C", str(HERE), "worktree", "remove", "--force", str(parent)], check=True)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "HEAD^")
