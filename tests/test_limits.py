"""What costs too much to read is refused before it is read; what people write is not."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import ttr_rules as ttr
from ttr_rules import limits
from ttr_rules.cli import commands

# -- keys of TOML files --------------------------------------------------------------------------------------------


def key(parts: int, dot: str = ".", part: str = "a") -> str:
    return dot.join([part] * parts)


@pytest.mark.parametrize(
    "form", ["{} = 1", "x = 1\n\n{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}", "x = [ {{ {} = 1 }} ]"]
)
@pytest.mark.parametrize("part", ["a", "1", '"a b"', "'a.b'", r'"\"."', '""'])
@pytest.mark.parametrize("dot", [".", " . ", "\t."])
def test_a_key_of_many_parts_is_refused_however_it_is_written(form: str, part: str, dot: str) -> None:
    fits, too_many = (form.format(key(count, dot, part)) for count in (limits.MOST_PARTS, limits.MOST_PARTS + 1))
    assert limits.read_toml(fits) == tomllib.loads(fits)
    with pytest.raises(ValueError, match=rf"more than 10 parts \(at line {1 + form.count(chr(10))}\)"):
        limits.read_toml(too_many)


@pytest.mark.parametrize(
    "text",
    [
        'x = "' + key(50) + '"',
        "x = '" + key(50) + "'",
        'x = """\n' + key(50) + '\n"""',
        'x = """""' + key(50) + '"""""',
        "x = '''" + key(50) + "'''''",
        'x = "\\"' + key(50) + '"',
        "# " + key(50),
        "x = 1 # it's " + key(50),
        "x = [" + "0.5, " * 50 + "]",
        "x = [" + "{a.b = 0.5, c = '...'}, " * 50 + "]",
        "x.y = 1979-05-27T07:32:00.999 # " + "." * 50,
    ],
)
def test_dots_that_are_of_no_key_are_read(text: str) -> None:
    assert limits.read_toml(text) == tomllib.loads(text)


@given(
    st.lists(
        st.sampled_from(["a", "1", '"', "'", '"""', "'''", "\\", ".", " ", "\n", "#", "=", "[", "]", "a.a.a.a"]),
        max_size=40,
    )
)
def test_whatever_has_short_keys_is_read_as_ever(words: list[str]) -> None:
    text = "".join(words)
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError, match="."):
            limits.read_toml(text)
        return
    try:
        assert limits.read_toml(text) == expected
    except ValueError as error:
        assert "more than 10 parts" in str(error)
        assert any(line.count(".") >= limits.MOST_PARTS for line in text.splitlines())


LONG = key(3000) + " = 1"


def of_file(folder: Path, read: Callable[[Path], object]) -> object:
    file = folder / "long.toml"
    file.write_text(LONG, encoding="utf-8")
    return read(file)


def test_every_reader_of_such_files_refuses_them(tmp_path: Path) -> None:
    with pytest.raises(ttr.MapError, match="more than 10 parts"):
        of_file(tmp_path, ttr.load_board)
    with pytest.raises(ttr.InvalidTableError, match="more than 10 parts"):
        of_file(tmp_path, ttr.read_tickets)
    told = CliRunner().invoke(commands, ["score", "-"], input=LONG)
    assert told.exit_code == 2 and "more than 10 parts" in told.output
    with pytest.raises(ttr.TTRError, match=r"tie_break.*not '{a\.a"):  # it is taken for a text
        ttr.compile_rules(f"europe:tie_break={{{LONG}}}")


def test_what_is_no_toml_is_told_in_words() -> None:
    for text, words in (
        ("x = " + "[" * 5000, "nested too deeply"),
        ("x = " + "9" * 5000, "a number in it is too long"),
        ("x = ", "Invalid value"),
        ("#" * (limits.LONGEST_TABLE + 1), "1000000 at most are read"),
    ):
        with pytest.raises(ValueError, match=words):
            limits.read_toml(text)
