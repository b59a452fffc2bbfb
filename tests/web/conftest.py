"""A server in this process, and clients that speak to it as any other client does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("uvicorn", reason="the extra web is not installed")
pytest.importorskip("websockets", reason="the extra web is not installed")

from serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server without games."""
    with Served(tmp_path / "games") as found:
        yield found
