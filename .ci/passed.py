"""A pytest plugin that keeps a run from repeating what others did: `-p passed`, with this folder in PYTHONPATH.

A run with TTR_PASSED_NOTED adds the names of the tests that passed to that file. A run with TTR_PASSED_BEFORE reads them
from that file, and leaves those tests out; with TTR_NOT_REPEATED only those whose names begin like one of the words in it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

NOTED = os.environ.get("TTR_PASSED_NOTED", "")
BEFORE = os.environ.get("TTR_PASSED_BEFORE", "")
NOT_REPEATED = tuple(os.environ.get("TTR_NOT_REPEATED", "").split()) or ("",)
passed: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember a test that passed."""
    if report.when == "call" and report.passed:
        passed.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the names down, in the process that gets the reports of all workers."""
    if NOTED and not hasattr(session.config, "workerinput"):
        with Path(NOTED).open("a", encoding="utf-8") as file:
            file.writelines(f"{name}\n" for name in passed)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what passed before."""
    if BEFORE:
        before = set(Path(BEFORE).read_text(encoding="utf-8").splitlines())
        again = [item for item in items if item.nodeid in before and item.nodeid.startswith(NOT_REPEATED)]
        config.hook.pytest_deselected(items=again)
        left_out = set(again)
        items[:] = [item for item in items if item not in left_out]
