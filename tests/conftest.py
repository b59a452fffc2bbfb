"""Makes `helpers` importable from every test file, however the tests are started."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# A package of its own, which is tested where it is installed.
collect_ignore = ["thirdparty"]

HERE = str(Path(__file__).parent)
for folder in (HERE, str(Path(HERE) / "bench")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
# The language of the machine makes no difference; tests of other languages say so.
os.environ["LANGUAGE"] = "en"
# Rules and boards stay for the whole run: looking through them for garbage all the time costs an eighth of it.
gc.set_threshold(100_000, 20, 100)
# How long a game takes depends on the machine.
settings.register_profile("ttr-rules", deadline=None)
settings.load_profile("ttr-rules")

pytest.register_assert_rewrite("helpers")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases that `slow_cases` names, before pytest leaves slow tests out."""
    for item in items:
        for mark in item.iter_markers("slow_cases"):
            if isinstance(item, pytest.Function) and item.callspec.id in mark.args:
                item.add_marker(pytest.mark.slow)
