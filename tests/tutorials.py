"""Does what the tutorials say at a shell, literally: `python tests/tutorials.py CLONE`, with a fresh clone of the project.

The pages are read in the order of the table of contents, by one shell that begins in the clone, as a reader would: `sh` blocks, the
lines after `$` in `console` blocks, and files (blocks with a caption), which are written to the folder the shell is in. (Sessions
in Python, and what commands print, are checked by `test_docs.py`.) Then a new variant is made, and the next steps that the
command prints are taken. The first command that fails ends it all, and is named with its page and line.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from docs_pages import DOCS, Block, blocks

NEW_VARIANT = """\
cd ..
ttr-rules new-variant golden-spike | tee next.txt
sed -n 's/^  //p' next.txt > next.sh
test -s next.sh
"""


def tutorial_pages() -> list[str]:
    """The tutorials in the order of the table of contents."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    return [f"{name}.md" for name in re.findall(r"^(tutorial/[\w-]+)$", index, re.MULTILINE)]


def script() -> str:
    """All that is typed, as one script."""
    lines = ["set -e", "trap 'code=$?; test $code = 0 || echo \"FAILED ($code): $where\"' EXIT"]
    for page in tutorial_pages():
        for block in blocks(page):
            for command in commands(block):
                lines += step(f"{page}:{block.line}", command)
    lines += step("the new variant", NEW_VARIANT)
    lines += step("the next steps that new-variant prints", "cat next.sh\n. ./next.sh\n")
    return "\n".join([*lines, "where=", "echo All commands worked."])


def step(where: str, command: str) -> Iterator[str]:
    """A command that is shown before it is run."""
    yield f"where={shlex.quote(where)}"
    yield f"printf '\\n[%s]\\n%s' \"$where\" {shlex.quote(command)}"
    yield command


def commands(block: Block) -> Iterator[str]:
    """What somebody does who reads a block."""
    if block.file is not None:
        name = shlex.quote(block.file)
        yield f"mkdir -p \"$(dirname {name})\"\ncat > {name} <<'END OF FILE'\n{block.text}END OF FILE\n"
    elif block.language == "sh":
        yield block.text
    elif block.language == "console":
        yield "".join(f"{line.removeprefix('$ ')}\n" for line in block.text.splitlines() if line.startswith("$ "))


def main(clone: Path) -> int:
    """Type everything; the exit code of the shell."""
    ours = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(["bash", "-c", script()], cwd=clone, env=environment, stdin=subprocess.DEVNULL, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
