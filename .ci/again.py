"""Runs once more the few tests that failed: `python .ci/again.py SESSION CACHE COMMAND...`.

COMMAND is what ran them, CACHE is the folder in which pytest noted what failed. Among thousands of tests on a busy machine, a test may trip
over what another left behind, or wait too long. Most bugs in the code fail again, also those that Hypothesis finds: in CI it generates the
same examples every time. A test that passes this time is named here, and at the end of `.ci/run`: it needs fixing, but should not hold up an
unrelated change.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

#: At most this many tests are run again: if more fail, that is no accident.
MOST = 3


def noted(cache: Path) -> list[str]:
    """The tests that failed, as pytest has noted them in its cache."""
    file = cache / "v" / "cache" / "lastfailed"
    return list(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else []


def main(session: str, cache: Path, command: list[str]) -> int:
    """Run what failed; returns 0 if all of it was run and passed."""
    failed = noted(cache)
    # What is noted without "::" is a file that could not be read, or a process.
    if not 1 <= len(failed) <= MOST or not all("::" in each for each in failed):
        print(f"nothing is run again: {len(failed)} failures, {MOST} single tests at most")
        return 1
    print(f"running again: {', '.join(failed)}", flush=True)
    code = subprocess.run([*command, "--last-failed"], check=False).returncode
    if code == 0 and noted(cache):
        print(f"not found again: {', '.join(noted(cache))}")
        return 1
    if code == 0:
        print(f"failed once in {session}, passed when run again: {', '.join(failed)}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
