"""Nonsense from outside: changed documents, giant and deep ones, and a look at the source for what must not be there."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import ttr_rules as ttr
import ttr_rules.reading as limits
from ttr_rules.boards import read_tickets
from ttr_rules.errors import MapError, SaveError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "fuzz"))

import mutations  # noqa: E402
import targets  # noqa: E402

FUZZED = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


# -- changed documents -----------------------------------------------------------------------------------------------


@st.composite
def changed(draw: st.DrawFn, documents: Any) -> Any:
    """A valid document with up to three changes."""
    return mutations.mutated(
        draw(st.sampled_from(documents)), Random(draw(st.integers(0, 2**32))), draw(st.integers(0, 3))
    )


def parses(read: Callable[[], Any]) -> Any:
    """What is read; None for a `TTRError`. Anything else is an error of the library."""
    try:
        return read()
    except ttr.TTRError as error:
        assert str(error).strip() and "Traceback" not in str(error)
        assert all(line.isprintable() for line in str(error).split("\n")), ascii(str(error))
        return None


@pytest.mark.slow
@FUZZED
@given(changed(mutations.maps()[:2]))
def test_maps(document: Any) -> None:
    board = parses(lambda: ttr.load_board(document))
    if board is not None:
        parses(lambda: ttr.compile_rules("north-america", board=board))


@FUZZED
@given(changed(mutations.SCORES))
def test_tables_to_score(document: Any) -> None:
    parses(lambda: ttr.score(None, document))


@FUZZED
@given(changed(mutations.POSITIONS))
def test_positions(document: Any) -> None:
    game = parses(lambda: ttr.arrange(None, document))
    if game is not None and game.to_act:
        assert len(game.legal_actions(game.to_act[0])) > 0


@pytest.mark.slow
@FUZZED
@given(changed(mutations.saves()))
def test_saved_games(document: Any) -> None:
    game = parses(lambda: ttr.loads(json.dumps(document)))
    if game is not None:
        assert ttr.loads(ttr.dumps(game)) == game
    verified = parses(lambda: ttr.loads(json.dumps(document), verify=True))
    if verified is not None and verified.to_act:
        verified.play(verified.legal_actions(verified.to_act[0])[-1])


@FUZZED
@given(st.sampled_from(mutations.saves()), st.integers(0, 2**32))
def test_texts_of_saved_games(document: Any, seed: int) -> None:
    parses(lambda: ttr.loads(mutations.broken(json.dumps(document), Random(seed), 2)))


@FUZZED
@given(st.sampled_from(mutations.actions()), st.integers(0, 2**32))
def test_actions(document: tuple[ttr.Rules, Any], seed: int) -> None:
    rules, action = document
    parses(lambda: ttr.action_from_json(rules, mutations.mutated(action, Random(seed), 2)))


@pytest.mark.slow
@settings(FUZZED, max_examples=150)
@given(st.integers(0, 2**64))
def test_messages_of_servers_and_clients(seed: int) -> None:
    """What is read can be written again; a view is one that worlds can be dealt for, or refused in words."""
    targets.parsed("messages", seed.to_bytes(9, "big"))


@pytest.mark.slow
@settings(FUZZED, max_examples=25)
@given(st.integers(0, 2**64))
def test_arguments_of_the_command_line(seed: int) -> None:
    assert targets.parsed("commands", seed.to_bytes(9, "big"))


@pytest.mark.slow
@pytest.mark.thorough_but("saves")
@pytest.mark.parametrize("target", targets.TARGETS)
def test_every_target_reads_some_documents_and_refuses_others(target: str) -> None:
    """A target that refuses everything, or nothing, tests little."""
    random = Random(5)
    told = {
        targets.parsed(target, bytes([n % 256]) + random.randbytes(8))
        for n in range(1500 if target == "tickets" else 80)
    }
    assert told == {"commands": {True}, "stacks": {False}}.get(target, {True, False})
    if target == "stacks":
        assert targets.parsed("stacks", b"\xffeurope:tie_break=P6")


@pytest.mark.installed_tree
@pytest.mark.slow
def test_the_fuzzer_runs_and_tells_how_many_documents() -> None:
    command = [sys.executable, str(HERE / "fuzz" / "run.py"), "--seconds", "1", "--plain"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 targets failed" in done.stdout


# -- giant and deep documents ----------------------------------------------------------------------------------------


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def itself() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["again"] = [value]
    return value


MAP = mutations.maps()[0]
SAVE = json.dumps(mutations.saves()[0])
GIANTS: dict[str, tuple[Callable[[], object], str]] = {
    "a save that is too long": (lambda: ttr.loads("[" + " " * limits.LONGEST_SAVE), "limit 2000000"),
    "a save that is too deep": (lambda: ttr.loads(json.dumps(nested(100))), "limit 40"),
    "a save that is deeper still": (lambda: ttr.loads("[" * 200_000), "not a saved game"),
    "a save with a deep option": (lambda: ttr.loads(SAVE.replace('["europe", {', f'["europe", {{"x": {nested(60)}, ')), "limit 40"),
    "a save with a giant number": (lambda: ttr.loads(SAVE.replace('"seed": 3', '"seed": ' + "9" * 5000)), "not a saved game"),
    "a map that is too deep": (lambda: ttr.load_board({**MAP, "extra": {"a": nested(60)}}), "limit 40"),
    "a map that holds itself": (lambda: ttr.load_board({**MAP, "extra": itself()}), "limit 40"),
    "a map with too many cities": (lambda: ttr.load_board({**MAP, "cities": [{"id": "a", "name": "A"}] * 100_000}), "limit 1000"),
    "a map with too many values": (lambda: ttr.load_board({**MAP, "extra": {"a": [0] * 2_000_000}}), "limit 1000000"),
    "a map with a thousand equal routes": (lambda: ttr.load_board({**MAP, "routes": [{"cities": ["ada", "bree"], "length": 1, "color": "red"}] * 1000}), "and 994 more"),
    "tickets that are too deep": (lambda: read_tickets([nested(60)]), "limit 40"),
    "tickets that are too many": (lambda: read_tickets([["a", "b", 1]] * 5000), "limit 1000"),
    "a table that is too deep": (lambda: ttr.score(None, {"stack": ["europe"], "players": nested(60)}), "limit 40"),
    "a table with too many routes": (lambda: ttr.score(None, {"stack": ["europe"], "players": [{"routes": ["x"] * 5000}, {}]}), "limit 1000"),
    "a position that holds itself": (lambda: ttr.arrange(None, {"stack": ["europe"], "players": [{}, {}], "parts": itself()}), "limit 40"),
    "a seed that is a giant number": (lambda: ttr.arrange(None, {"stack": ["europe"], "players": [{}, {}], "seed": 10**5000}), "256 bits"),
    "a seed that cannot be written": (lambda: ttr.arrange(None, {"stack": ["europe"], "players": [{}, {}], "seed": "\ud800"}), "seed"),
    "options nested a thousand deep": (lambda: ttr.compile_rules("europe:tie_break=" + "[" * 5000), "tie_break"),
    "an option that is a giant number": (lambda: ttr.compile_rules("europe:tie_break=" + "9" * 5000), "tie_break"),
}  # fmt: skip


@pytest.mark.slow_cases("a map with too many cities")
@pytest.mark.parametrize("giant", GIANTS)
def test_what_is_too_long_or_too_deep_is_refused_early(giant: str) -> None:
    read, words = GIANTS[giant]
    with pytest.raises(ttr.TTRError) as caught:
        read()
    assert words in str(caught.value)
    assert len(str(caught.value)) < 200_000


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    long = tmp_path / "long.toml"
    long.write_bytes(b"#" * (limits.LONGEST_TABLE + 1))
    with pytest.raises(MapError, match=r"too long \(limit 1000000 bytes\)"):
        ttr.load_board(long)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    """To open a pipe that nobody writes to would take for ever, and a device may have no end."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for file in (pipe, Path("/dev/zero")):
        for read in (ttr.load_board, read_tickets, ttr.Journals):
            with pytest.raises(ttr.TTRError, match="not a regular file"):
                read(file)


def test_limits_let_everything_through_that_is_printed() -> None:
    for text in map(json.dumps, mutations.saves()):
        assert len(text) <= limits.LONGEST_SAVE // 10
    assert limits.too_deep(nested(limits.DEEPEST - 1)) is None
    assert limits.too_deep(nested(limits.DEEPEST)) is not None


@pytest.mark.parametrize("count", [13, 1_000, 1_001, 10**10, 10**40])
def test_a_saved_game_cannot_spend_more_cards_than_there_are(count: int) -> None:
    """A payment in a file is a number: it must not become a list of that length."""
    game = ttr.arrange(None, {"stack": ["north-america"], "seed": 1, "players": [{"hand": {"red": 3}}, {}]})
    game.play(next(each for each in game.legal_actions(0) if isinstance(each, ttr.ClaimRoute)))
    document = json.loads(ttr.dumps(game))
    spent = next(event for event in document["moves"][1]["events"] if event["type"] == "train-cards.CardsSpent")
    spent["payment"] = {"red": count}
    with pytest.raises(SaveError) as caught:
        ttr.loads(json.dumps(document))
    assert ("does not hold" in str(caught.value)) == (count <= limits.MOST_COUNTED)


# -- what must not be in the source --------------------------------------------------------------------------------


#: Modules that do so on purpose.
ALLOWED = (
    "testing/new_variant.py",  # asks whether a name is taken, and imports nothing
    "testing/stack.py",  # pickles what it loads again
    "_internal/native.py",  # asks whether a module of this library is compiled, and imports nothing
    "loading.py",  # imports what a package of this library lists
    "cli/options.py",  # runs the variant that a user names by its file
)


def forbidden(tree: ast.AST) -> list[str]:
    """What of a module could run something that a file names."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found += [name for name in names if name.split(".")[0] in ("pickle", "marshal", "shelve", "dill", "importlib", "runpy", "code", "ctypes")
                      and name not in ("importlib.metadata", "importlib.resources")]  # fmt: skip
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += [
                name for name in ("eval", "exec", "compile", "__import__", "globals", "locals") if node.func.id == name
            ]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found += [name for name in ("import_module", "system", "popen") if node.func.attr == name]
    return found


@pytest.mark.slow
def test_no_file_can_make_the_library_run_or_import_something() -> None:
    import ttr_maps
    import ttr_tools
    import ttr_variants

    seen = 0
    for package in (ttr, ttr_tools, ttr_maps, ttr_variants):
        for file in Path(package.__path__[0]).rglob("*.py"):
            if file.relative_to(package.__path__[0]).as_posix() in ALLOWED:
                continue
            assert not forbidden(ast.parse(file.read_text(encoding="utf-8"))), file
            seen += 1
    assert seen > 80
    for text in (
        "import pickle",
        "from importlib import import_module",
        "eval('1')",
        "import importlib.util",
        "__import__('os')",
        "os.system('x')",
    ):
        assert forbidden(ast.parse(text)), f"{text} is not found"


@pytest.mark.parametrize(
    "name",
    [
        "os",
        "os:system",
        "ttr_rules",
        "ttr_variants.europe:Europe",
        "json",
        "../europe",
        "plugins.flags",
        "europe\x00",
        "",
    ],
)
def test_a_plugin_of_a_saved_game_is_looked_up_by_its_registered_name_alone(name: str) -> None:
    """No module is imported because a file names it."""
    document = json.loads(SAVE)
    document["stack"] = [[name, {}]]
    ttr.installed()  # imports all that are installed, as the message that lists them does
    before = set(sys.modules)
    with pytest.raises(SaveError):
        ttr.loads(json.dumps(document))
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    "tag",
    [
        "State",
        "os.system",
        "core.State",
        "builtins.eval",
        "core.Part",
        "core.Game",
        "core.Decision",
        5,
        None,
        ["core.Pass"],
    ],
)
def test_a_type_of_a_saved_game_is_looked_up_among_registered_types_alone(tag: object) -> None:
    document = json.loads(SAVE)
    document["moves"][0]["events"][0]["type"] = tag
    with pytest.raises(SaveError):
        ttr.loads(json.dumps(document))
