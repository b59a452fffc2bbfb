"""How much is read of what comes from outside: to the last byte, level and value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ttr_rules import limits
from ttr_rules.limits import DEEPEST, MOST_VALUES, read_file, too_deep, too_long


def lists(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels - 1):
        found = [found]
    return found


def test_what_is_read_today_is_read_tomorrow() -> None:
    assert (limits.LONGEST_TABLE, limits.LONGEST_SAVE) == (1_000_000, 16_000_000)
    assert (limits.MOST_ROWS, limits.MOST_NAMES, limits.MOST_COUNTED) == (1_000, 300, 1_000)


@pytest.mark.parametrize("most", [7, 8])
def test_a_file_is_read_to_its_limit_and_one_byte_to_tell(most: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for length, problem in ((most - 1, None), (most, None), (most + 1, "too long"), (5 * most, "too long")):
        path.write_bytes(b"x" * length)
        data, found = read_file(path, most)
        assert data == b"x" * min(length, most + 1)
        assert found == (problem and f"it is too long: {most} bytes at most are read")


def test_a_text_may_be_as_long_as_its_limit() -> None:
    assert too_long("x" * 10, 10) is None and too_long(b"x" * 10, 10) is None
    assert too_long("x" * 11, 10) == "it is too long: 11 characters, and 10 at most are read"
    assert too_long(b"x" * 11, 10) == "it is too long: 11 bytes, and 10 at most are read"


def test_lists_and_tables_may_lie_forty_levels_deep() -> None:
    assert DEEPEST == 40
    for deep in (lists(40), [1, *lists(40)], {"a": lists(39), "b": 1}, (lists(39), {}), [[], lists(39), []]):
        assert too_deep(deep) is None
    for deep in (lists(41), {"a": lists(40)}, (lists(40), {}), [{}, lists(40), []], [object(), lists(40), object()]):
        assert too_deep(deep) == "lists and tables lie too deep in each other: 40 levels at most are read"
    itself: list[Any] = []
    itself.append(itself)
    assert too_deep(itself) == too_deep(lists(41))


def test_a_million_values_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_VALUES == 1_000_000
    monkeypatch.setattr(limits, "MOST_VALUES", 10)
    for many in ([0] * 10, [[0] * 4, [1] * 4], {"a": (1, 2, 3), "b": {"c": [1, 2, 3, 4]}}):
        assert too_deep(many) is None
    for many in ([0] * 11, [[0] * 4, [1] * 5], {"a": (1, 2, 3), "b": {"c": [1, 2, 3, 4, 5]}}):
        assert too_deep(many) == "it holds too many values: 10 at most are read"
    for plain in (None, 3, "x" * 99, object()):
        assert too_deep(plain) is None
