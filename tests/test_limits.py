"""What costs too much to read is refused before it is read, to the last byte, level and value; what people write is not."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from click.testing import CliRunner

import ttr_rules as ttr
import ttr_rules.reading as limits
from ttr_rules.boards import read_tickets
from ttr_rules.errors import InvalidTableError, MapError, SaveError
from ttr_rules.reading import DEEPEST, MOST_VALUES, read_file, read_json, too_deep
from ttr_rules.saves import pack
from ttr_rules.saves.saving import read_document
from ttr_rules.text import MOST_NAMES
from ttr_tools.cli import commands

# -- keys of TOML files --------------------------------------------------------------------------------------------


def key(parts: int) -> str:
    return ".".join(["a"] * parts)


@pytest.mark.parametrize("form", ["{} = 1", "x = 1\n\n{} = 1", "[[{}]]", "x = [ {{ {} = 1 }} ]", "# {}"])
def test_a_line_of_many_dots_is_refused(form: str) -> None:
    fits, too_many = (form.format(key(dots + 1)) for dots in (limits.MOST_DOTS, limits.MOST_DOTS + 1))
    assert limits.read_toml(fits) == tomllib.loads(fits)
    with pytest.raises(ValueError, match=rf"line {1 + form.count(chr(10))} has more than 300 dots"):
        limits.read_toml(too_many)


def test_many_dots_in_several_lines_are_read() -> None:
    text = "x = [\n" + "0.5,\n" * 1000 + "]"
    assert limits.read_toml(text) == {"x": [0.5] * 1000}


LONG = key(3000) + " = 1"


def of_file(folder: Path, read: Callable[[Path], object]) -> object:
    file = folder / "long.toml"
    file.write_text(LONG, encoding="utf-8")
    return read(file)


def test_every_reader_of_such_files_refuses_them(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="more than 300 dots"):
        of_file(tmp_path, ttr.load_board)
    with pytest.raises(InvalidTableError, match="more than 300 dots"):
        of_file(tmp_path, read_tickets)
    told = CliRunner().invoke(commands, ["score", "-"], input=LONG)
    assert told.exit_code == 2 and "more than 300 dots" in told.output
    with pytest.raises(ttr.TTRError, match=r"tie_break.*not '{a\.a"):  # it is taken for a text
        ttr.compile_rules(f"europe:tie_break={{{LONG}}}")


def test_a_table_may_be_as_long_as_its_limit() -> None:
    assert limits.read_toml("#" * limits.LONGEST_TABLE) == {}


def test_what_is_no_toml_is_told_in_words() -> None:
    for text, words in (
        ("x = " + "[" * 5000, "nested too deeply"),
        ("x = " + "9" * 5000, "a number in it is too long"),
        ("x = ", "Invalid value"),
        ("#" * (limits.LONGEST_TABLE + 1), "(limit 1000000)"),
    ):
        with pytest.raises(ValueError, match=words):
            limits.read_toml(text)


# -- names of players ----------------------------------------------------------------------------------------------


@pytest.mark.rule("S1")
@pytest.mark.parametrize(
    "name",
    [
        "\ud800",
        "a\nb",
        "\x1b[2J",
        "\x00",
        "\x9b",
        "two\u2028lines",
        "a\u202eb",
        "\u2067x",
        "\u200b",
        "\u200b \u00a0",
        "",
        " ",
        "x" * 201,
        "y" * 10_000_000,
    ],
    ids=lambda name: ascii(name[:9]),
)
def test_a_name_that_cannot_be_written_is_none(name: str) -> None:
    for call in (
        lambda: ttr.new_game("europe", players=[name, "Ada"], seed=1),
        lambda: ttr.arrange(None, {"stack": ["europe"], "players": [{"name": name}, {"name": "Ada"}]}),
        lambda: ttr.score(None, {"stack": ["europe"], "players": [{"name": name}, {"name": "Ada"}]}),
    ):
        with pytest.raises(ttr.InvalidInputError) as caught:
            call()
        message = str(caught.value)
        assert "name" in message and message.replace("\n", "").isprintable() and len(message) < 500


@pytest.mark.parametrize("name", ["Ada", "Zoë 👩‍🚀", "東京", " O’Neil ", "x" * 200, "عليّ"])
def test_people_may_be_called_as_they_are(name: str) -> None:
    game = ttr.new_game("europe", players=[name, "B"], seed=1)
    assert game.players[0] == name and ttr.loads(pack(game)) == game


def test_a_name_of_a_class_of_its_own_is_a_plain_text_in_the_game() -> None:
    class Name(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            return False

        __hash__ = str.__hash__

    game = ttr.new_game("europe", players=[Name("Ada"), "B"], seed=1)
    assert type(game.players[0]) is str and ttr.loads(ttr.dumps(game)) == game


# -- how much an error says ----------------------------------------------------------------------------------------

TOY = {
    "id": "toy",
    "name": "Toy",
    "points": {1: 1},
    "cities": [{"id": "ada", "name": "Ada"}, {"id": "bree", "name": "Bree"}],
    "routes": [{"cities": ["ada", "bree"], "length": 1, "color": "red"}],
}
ROUTE = {"length": 1, "color": "red"}


@pytest.mark.parametrize(
    "change",
    [
        {f"table{number}": {} for number in range(5000)},
        {"cities": [{"id": "b" * 9000 + str(n), "name": "\n" * 2000} for n in range(50)]},
        {"routes": [{**ROUTE, "cities": ["ada", "bree"], "double_group": f"g{n}"} for n in range(1000)]},
        {"routes": [{**ROUTE, "cities": ["b" * 9000, "c" * 9000]}] * 50},
        {"id": "x" * 9000, "name": "\x1b"},
        {"cities": [{"id": f"c{n}", "name": "C"} for n in range(1000)],
         "routes": [{**ROUTE, "cities": [f"c{n}", f"c{n + 1}"]} for n in range(0, 1000, 2)]},
        {"tickets": [{"cities": ["ada", "bree"], "points": 1, "set": "S" * 9000}] * 999},
    ],
    ids=["tables", "cities", "groups", "routes", "id", "pieces", "tickets"],
)  # fmt: skip
def test_a_map_with_mistakes_without_end_has_a_message_with_one(change: dict[str, object]) -> None:
    with pytest.raises(MapError) as caught:
        ttr.load_board({**TOY, **change})
    error, message = caught.value, str(caught.value)
    assert len(message) < 12_000 and all(line.isprintable() for line in message.split("\n"))
    assert sum(map(len, error.problems)) < 1_000_000
    if len(error.problems) > 20:
        assert message.splitlines()[-1] == f"  and {len(error.problems) - 20} more"
        assert f"{len(error.problems)} problems" in message.splitlines()[0]


def test_an_id_may_have_two_hundred_characters() -> None:
    assert ttr.load_board({**TOY, "id": "x" * 200}).id == "x" * 200
    with pytest.raises(MapError, match=r"is too long for an id \(limit 200\)"):
        ttr.load_board({**TOY, "id": "x" * 201})


def test_a_table_with_keys_without_end_is_read_no_further() -> None:
    players = [{"name": "Ada", **{f"key{number}": 1 for number in range(20_000)}}, {"name": "Grace"}]
    with pytest.raises(InvalidTableError) as caught:
        ttr.score(None, {"stack": ["europe"], "players": players})
    assert len(caught.value.problems) == limits.MOST_ROWS and len(str(caught.value)) < 12_000


def test_an_object_in_json_with_a_key_twice_among_many_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{" + ", ".join(f'"k{number}": 1' for number in [*range(30_000), 29_999]) + "}")
    told = CliRunner().invoke(commands, ["score", str(file)])
    assert told.exit_code == 2 and "the key 'k29999' occurs twice" in told.output


@pytest.mark.slow_cases("'xxxxxxxxx'")
@pytest.mark.parametrize(
    "text", ["\ud800", "\x1b[2J", "a\nb", "\u2028", "x" * 10_000], ids=lambda text: ascii(text[:9])
)
def test_what_stands_in_a_save_is_harmless_in_its_error(text: str) -> None:
    document = json.loads(ttr.dumps(ttr.new_game("europe", players=2, seed=1)))
    move = document["moves"][0]
    for change in (
        {"players": [text, text]},
        {"players": [[text]] * 5000},
        {text: 1},
        {"versions": {text: 1}},
        {"rulings": {text: 1}},
        {"stack": [[text, {}]]},
        {"stack": [["europe", {text: 1}]]},
        {"stack": [["europe", {}]] * 5000},
        {"seed": text},
        {"format": text},
        {"library": [text]},
        {"fingerprint": text},
        {"moves": text},
        {"moves": [{**move, text: 1}]},
        {"moves": [{**move, "events": [0] * 5000}]},
        {"moves": [{**move, "events": [{"type": text}] * 5000}]},
        {"moves": [{**move, "events": [{**move["events"][0], text: 1}]}]},
        {"moves": [{**move, "events": [{**move["events"][0], "players": [text, text]}]}]},
        {"moves": [move, {**move, "action": {"type": "core.KeepTickets", "seat": 0, "tickets": [text]}}]},
    ):
        for verify in (False, True):
            try:
                game = ttr.loads(json.dumps({**document, **change}), verify=verify)
            except SaveError as error:
                message = str(error)[:20_000]
                assert len(message) < 12_000
                assert message.replace("\n", "").isprintable() and message.count("\n") < 9, ascii(message)
            else:
                assert pack(game) and change.keys() <= {"seed", "fingerprint"}


# -- the limits themselves ------------------------------------------------------------------------------------------


def lists(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels - 1):
        found = [found]
    return found


def test_what_is_read_today_is_read_tomorrow() -> None:
    assert (limits.LONGEST_TABLE, limits.LONGEST_SAVE) == (1_000_000, 2_000_000)
    assert (limits.MOST_ROWS, MOST_NAMES, limits.MOST_COUNTED) == (1_000, 300, 1_000)


@pytest.mark.parametrize("most", [7, 8])
def test_a_file_is_read_to_its_limit_and_one_byte_to_tell(most: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for length, problem in ((most - 1, None), (most, None), (most + 1, "too long"), (5 * most, "too long")):
        path.write_bytes(b"x" * length)
        data, found = read_file(path, most)
        assert data == b"x" * min(length, most + 1)
        assert found == (problem and f"too long (limit {most} bytes)")


def test_a_file_is_read_where_there_is_no_opening_without_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On some systems a pipe cannot be opened so."""
    monkeypatch.delattr(os, "O_NONBLOCK", raising=False)
    path = tmp_path / "file"
    path.write_bytes(b"x")
    assert read_file(path, 1) == (b"x", None)


def test_a_text_may_be_as_long_as_its_limit() -> None:
    text = " " * (limits.LONGEST_SAVE - 2) + "[]"
    assert read_json(text) == read_json(text.encode()) == []
    for longer, unit in ((f" {text}", "characters"), (f" {text}".encode(), "bytes")):
        with pytest.raises(ValueError, match=rf"^too long: 2000001 {unit} \(limit 2000000\)$"):
            read_json(longer)


def test_lists_and_tables_may_lie_forty_levels_deep() -> None:
    assert DEEPEST == 40
    just: tuple[Any, ...] = (
        lists(40), [1, *lists(40)], {"a": lists(39), "b": 1}, (lists(39), {}), [[], lists(39), []],
    )  # fmt: skip
    for deep in just:
        assert too_deep(deep) is None
    too: tuple[Any, ...] = (
        lists(41), {"a": lists(40)}, (lists(40), {}), [{}, lists(40), []], [object(), lists(40), object()],
    )  # fmt: skip
    for deep in too:
        assert too_deep(deep) == "nested too deeply (limit 40)"
    assert too_deep(MappingProxyType({"a": lists(39)})) is None
    assert too_deep(MappingProxyType({"a": lists(40)})) == too_deep(lists(41))
    itself: list[Any] = []
    itself.append(itself)
    assert too_deep(itself) == too_deep(lists(41))


def test_a_saved_game_may_hold_two_hundred_thousand_values() -> None:
    most = {"moves": [0] * 199_999}
    assert read_document(json.dumps(most)) == most
    with pytest.raises(SaveError, match=r"^not a saved game: too many values \(limit 200000\)$"):
        read_document(json.dumps({"moves": [0] * 200_000}))


def test_a_million_values_are_read_or_as_many_as_are_asked_for() -> None:
    assert MOST_VALUES == 1_000_000 and limits.MOST_IN_ACTION == 1_000
    assert too_deep([0] * MOST_VALUES) is None
    assert too_deep([0] * (MOST_VALUES + 1)) == "too many values (limit 1000000)"
    for many in ([0] * 10, [[0] * 4, [1] * 4], {"a": (1, 2, 3), "b": {"c": [1, 2, 3, 4]}}):
        assert too_deep(many, 10) is None
    for many in ([0] * 11, [[0] * 4, [1] * 5], {"a": (1, 2, 3), "b": {"c": [1, 2, 3, 4, 5]}}):
        assert too_deep(many, 10) == "too many values (limit 10)"
    for plain in (None, 3, "x" * 99, object()):
        assert too_deep(plain, 1) is None
