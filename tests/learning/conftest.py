"""What these tests need: the libraries of the extra `learning`."""

from __future__ import annotations

import os

import pytest

#: The session `learning` says so, that nothing is skipped there.
if os.environ.get("TTR_LEARNING") != "required":
    pytest.importorskip("pettingzoo")
    pytest.importorskip("gymnasium")
