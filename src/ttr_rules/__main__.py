"""`python -m ttr_rules`: the command line that an installed tool provides, the same as the command `ttr-rules`."""

from __future__ import annotations

import sys

from ttr_rules.loading import find_tool


def main() -> None:
    """Run the command line and end the process: exit code 0 on success, 2 for invalid input."""
    command = find_tool("command")
    if command is None:
        sys.exit("no command line is installed")
    command()


if __name__ == "__main__":
    main()
