"""Fuzz every parser for so many seconds: `python tests/fuzz/run.py --seconds 20`.

With atheris (the dependency group `fuzz`) the search is guided by coverage, one process for each target; without it, or with
`--plain`, documents are changed at random. Prints how many documents each target read and refused. Anything
else than a parsed value or a `TTRError`, and a document that takes more than ten seconds, ends with exit code 1 and
the bytes that did it. `--only maps` runs one target, `--seed` another search.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent))

LONGEST_INPUT = 4096


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="for all targets together")
    parser.add_argument("--only", help="the name of one target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without atheris")
    asked = parser.parse_args()
    has_atheris = not asked.plain and _instrumented()
    from targets import TARGETS

    names = [asked.only] if asked.only else list(TARGETS)
    print(
        "coverage-guided"
        if has_atheris
        else "without coverage (atheris is not installed)"
        if not asked.plain
        else "without coverage"
    )
    each = asked.seconds / len(names)
    total = failed = 0
    for name in names:
        if has_atheris:
            code, output = forked(name, each, asked.seed)
            line = next((line for line in output.splitlines() if line.startswith(f"{name}: ")), "")
            if code or not line:
                failed += 1
                print(f"{name}: FAILED\n{output[-6000:]}")
                continue
        else:
            found = plain(name, each, asked.seed)
            if found is None:
                failed += 1
                continue
            line = found
        print(line, flush=True)
        total += int(line.split()[1])
    print(f"{total} documents, {failed} targets failed")
    return 1 if failed else 0


def _instrumented() -> bool:
    """Import the library so that what it runs is seen, which takes seconds; False without atheris."""
    try:
        import atheris
    except ImportError:
        return False
    with atheris.instrument_imports(include=["ttr_rules", "ttr_tools", "tomllib", "json"]):
        import targets  # noqa: F401
    return True


class Tally:
    """How many documents a target read and refused so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.read = self.refused = 0
        self.slowest = 0.0

    def run(self, data: bytes) -> None:
        from targets import parsed

        began = time.process_time()
        if parsed(self.name, data):
            self.read += 1
        else:
            self.refused += 1
        took = time.process_time() - began
        self.slowest = max(self.slowest, took)
        assert took < 10, f"{took:.1f} s for one document"

    def __str__(self) -> str:
        count = self.read + self.refused
        return f"{self.name}: {count} documents, {self.read} read, {self.refused} refused; the slowest took {self.slowest:.2f} s"


def plain(name: str, seconds: float, seed: int) -> str | None:
    """Random documents; None, with the fault printed, if one did what it must not."""
    random, tally, end = Random(seed), Tally(name), time.monotonic() + seconds
    while time.monotonic() < end or not tally.read + tally.refused:
        data = random.randbytes(random.choice([2, 9, 9, 9, 200]))
        try:
            tally.run(data)
        except Exception:
            print(f"{name}: FAILED for {data!r}")
            traceback.print_exc(file=sys.stdout)
            return None
    return str(tally)


def forked(name: str, seconds: float, seed: int) -> tuple[int, str]:
    """One target in a process of its own, as the search never comes back: its exit code and what it printed."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        sys.stdout.flush()
        child = os.fork()
        if not child:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            try:
                guided(name, seconds, seed)
            finally:
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        output.seek(0)
        return os.waitstatus_to_exitcode(status), output.read()


def guided(name: str, seconds: float, seed: int) -> None:
    """Search with atheris until the time is over; ends the process."""
    import atheris

    tally, end = Tally(name), time.monotonic() + seconds

    def one(data: bytes) -> None:
        tally.run(data)
        if time.monotonic() > end:
            print(tally, flush=True)
            os._exit(0)

    arguments = [
        sys.argv[0],
        f"-seed={seed}",
        f"-max_len={LONGEST_INPUT}",
        "-rss_limit_mb=2048",
        "-timeout=60",  # the first document waits for the games that valid ones come from
        f"-artifact_prefix={tempfile.gettempdir()}/",
    ]
    atheris.Setup(arguments, one)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
