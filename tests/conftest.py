"""Makes `helpers` importable from every test file, however the tests are started."""

import sys
from pathlib import Path

import pytest

# A package of its own, which is tested where it is installed.
collect_ignore = ["thirdparty"]

HERE = str(Path(__file__).parent)
for folder in (HERE, str(Path(HERE) / "bench")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
pytest.register_assert_rewrite("helpers")
