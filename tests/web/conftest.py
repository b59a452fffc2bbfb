"""A server in this process, and clients that speak to it as any other client does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from serving import Served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server without games."""
    from serving import Served  # needs the extra web, without which the modules here skip themselves

    with Served(tmp_path / "games") as found:
        yield found
