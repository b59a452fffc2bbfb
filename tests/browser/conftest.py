"""A real Chromium for these tests: they are skipped, with the reason, where there is none.

`nox -s browser` installs one and sets `TTR_BROWSER=required`: then a missing browser is a failure.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

#: Programs that speak the protocol, as distributions name them.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: No look-ups and no updates of the browser's own: the tests watch what is requested.
ARGUMENTS = (
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)


def missing(what: str) -> None:
    """Skip these tests, or fail them where they are wanted."""
    reason = f"{what}: the tests of pages in a browser did NOT run; `nox -s browser` runs them"
    if os.environ.get("TTR_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
        return
    if program is None:
        missing("no Chromium is installed")
        return
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=[*ARGUMENTS], timeout=180_000)
        yield found
        found.close()
