"""Makes `helpers` importable from every test file, however the tests are started."""

import sys
from pathlib import Path

import pytest

# A package of its own, which is tested where it is installed.
collect_ignore = ["thirdparty"]

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)
pytest.register_assert_rewrite("helpers")
