"""Waiting for something that another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def until(true: Callable[[], bool], failure: str = "it does not happen", seconds: float = 60) -> None:
    """Wait for something that takes a moment, or much longer on a busy machine."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, failure
        time.sleep(0.02)
