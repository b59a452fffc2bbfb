"""Says what failed, from what nox printed: `python .ci/failures.py FILE...`.

Each failed session by its name, with the lines in which pytest sums up its failed tests, or with the end of its output where there
are none. It is short enough to be the end of a long log.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

#: So many lines of one session are shown, the last ones.
MOST = 20
LONGEST = 300
_STARTED = re.compile(r"^nox > Running session (.+)$")
_ENDED = re.compile(r"^nox > Session (.+?) (failed|aborted|was successful|skipped)\b")
_TEST = re.compile(r"^(FAILED|ERROR) \S*\.\w+")
#: What a terminal would color.
_COLOR = re.compile(r"\x1b\[[\d;]*m")


def failures(output: str) -> Iterator[str]:
    """The lines to show of one list of sessions. A session that never ended has failed too."""
    name, lines = None, list[str]()
    for line in [_COLOR.sub("", each).rstrip() for each in output.splitlines()]:
        if started := _STARTED.match(line):
            yield from _shown(name, lines)
            name, lines = started[1], []
        elif (ended := _ENDED.match(line)) and name is not None:
            if ended[2] in ("failed", "aborted"):
                yield from _shown(name, lines)
            name, lines = None, []
        elif line.startswith("running again: "):  # what failed before is forgiven, or fails again
            lines = []
        else:
            lines.append(line)
    yield from _shown(name, lines)


def _shown(name: str | None, lines: list[str]) -> Iterator[str]:
    if name is None:
        return
    tests = [line for line in lines if _TEST.match(line)]
    shown = tests or [line for line in lines if line]
    yield f"{name}: FAILED"
    if len(shown) > MOST:
        yield f"  ({len(shown) - MOST} more lines above)"
    yield from (f"  {line[:LONGEST]}" for line in shown[-MOST:])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        for line in failures(Path(name).read_text(encoding="utf-8", errors="replace")):
            print(line)
