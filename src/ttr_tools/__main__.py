"""The command line, `python -m ttr_rules` or `ttr-rules`: it needs the extra `cli`, and says so if it is missing."""

from __future__ import annotations

import sys

#: The libraries that the extra `cli` installs.
_EXTRA = ("click", "rich")


def main() -> None:
    """Run the command line and end the process: exit code 0 on success, 2 for invalid input."""
    try:
        from ttr_tools.cli import run

        run()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        print(
            "The command line needs two more packages; install them with: pip install 'ttr-rules[cli]'", file=sys.stderr
        )
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
