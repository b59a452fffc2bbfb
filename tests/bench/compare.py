"""Run the benchmarks of the parent commit and of this tree in turn, and print them side by side.

`python tests/bench/compare.py [COMMIT] [--seconds 0.2]`; needs git and pytest-benchmark. Each run has a line for the kernel: what
that differs by is the machine, not the library.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
BENCH = "tests/bench/bench_tables.py"


def run_benchmarks(tree: Path, saved: Path, seconds: float) -> None:
    """Run a tree's own benchmarks on its own code, each for about so many seconds."""
    path = os.pathsep.join(str(tree / each) for each in ("src", "variants", "maps"))
    quick = [f"--benchmark-max-time={seconds}", f"--benchmark-min-rounds={3 if seconds > 0.1 else 1}"]
    command = [sys.executable, "-m", "pytest", "-q", BENCH, *quick, f"--benchmark-json={saved}"]
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, cwd=tree, env=env, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}the benchmarks of {tree} failed")


def main(commit: str, seconds: float = 0.2) -> None:
    """Compare with a commit."""
    known = ["git", "-C", str(HERE), "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}"]
    if subprocess.run(known, check=False, stdout=subprocess.DEVNULL).returncode:
        sys.exit(f"{commit} is no commit of the repository in {HERE}")
    with tempfile.TemporaryDirectory() as folder:
        parent = Path(folder, "parent")
        subprocess.run(["git", "-C", str(HERE), "worktree", "add", "--detach", str(parent), commit], check=True)
        try:
            if not (parent / BENCH).exists():
                print(f"{commit} has no benchmarks to compare with")
                return
            results = [Path(folder, f"{name}.json") for name in ("0_before", "1_after")]
            for tree, saved in zip((parent, HERE), results, strict=True):
                run_benchmarks(tree, saved, seconds)
            columns = "--columns=min,median,rounds"
            subprocess.run(
                [sys.executable, "-m", "pytest_benchmark", "compare", columns, "--group-by=name", *map(str, results)],
                check=True,
            )
        finally:
            subprocess.run(["git", "-C", str(HERE), "worktree", "remove", "--force", str(parent)], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Benchmarks of another commit and of this tree, side by side.")
    parser.add_argument("commit", nargs="?", default="HEAD^", help="the other commit (default: HEAD^)")
    parser.add_argument("--seconds", type=float, default=0.2, help="how long each benchmark runs (default: 0.2)")
    asked = parser.parse_args()
    main(asked.commit, asked.seconds)
