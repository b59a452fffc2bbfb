"""Every parser of the library as a fuzz target: bytes go in, a parsed value or a `TTRError` comes out, nothing else.

Each target reads its bytes in two ways, told by the first one: as the text of a document as it is, so that a
coverage-guided fuzzer can find its own way into the parser; or as the seed of changes to a valid document, so that
everything behind the first checks is reached too.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import mutations
from click.testing import CliRunner

import ttr_rules as ttr
from ttr_rules import clients
from ttr_rules.boards import make_tickets, read_tickets
from ttr_tools.cli import commands

_TEMPORARY = tempfile.TemporaryDirectory(prefix="fuzz-")  # taken away when Python ends
_FOLDER = Path(_TEMPORARY.name)
_RULES: dict[tuple[str, ...], ttr.Rules] = {}


def _rules(*stack: str) -> ttr.Rules:
    if stack not in _RULES:
        _RULES[stack] = ttr.compile_rules(*stack)
    return _RULES[stack]


def _random(data: bytes) -> Random | None:
    """Chance for changes to a valid document, if these bytes ask for them."""
    return Random(data[1:]) if data[:1] < b"\x80" else None


def _text(data: bytes) -> str:
    return data[1:].decode("utf-8", "surrogateescape")


def maps(data: bytes) -> None:
    """`load_board` of a TOML file and of a mapping, and rules on what was read."""
    random = _random(data)
    if random is None:
        source: Any = _FOLDER / "map.toml"
        source.write_bytes(data[1:])
    else:
        source = mutations.mutated(random.choice(mutations.maps()), random, random.randrange(4))
        if random.random() < 0.5:
            text = mutations.to_toml(source)
            source = _FOLDER / "map.toml"
            source.write_bytes(
                mutations.broken(text, random, random.randrange(2)).encode(
                    "utf-8", "surrogatepass" if random.random() < 0.5 else "replace"
                )
            )
    board = ttr.load_board(source)
    ttr.compile_rules("europe", board=board)


def tickets(data: bytes) -> None:
    """`read_tickets` and `make_tickets`."""
    random = _random(data)
    if random is None:
        source: Any = _FOLDER / "tickets.toml"
        source.write_bytes(data[1:])
    else:
        source = mutations.mutated(random.choice(mutations.maps())["tickets"][:8], random, 2)
    make_tickets(_rules("europe").board, read_tickets(source), set="mine", kinds=("regular", "long"))


def scores(data: bytes) -> None:
    """`score` of tables, and the command that reads them from files."""
    random = _random(data)
    if random is None:
        _command(("score", "-"), data[1:])
        return
    table = mutations.mutated(random.choice(mutations.SCORES), random, random.randrange(4))
    if random.random() < 0.3:
        _command(("score", "-"), json.dumps(table).encode("utf-8", "replace"))
    ttr.score(None, table)


def positions(data: bytes) -> None:
    """`arrange`, and the first legal action of what was arranged."""
    random = _random(data)
    position: Any = (
        json.loads(_text(data))
        if random is None
        else mutations.mutated(random.choice(mutations.POSITIONS), random, random.randrange(4))
    )
    game = ttr.arrange(None, position)
    if game.to_act:
        game.play(game.legal_actions(game.to_act[0])[0])


def saves(data: bytes) -> None:
    """`loads`: what it gives can be saved again and viewed; what it verifies can be played on too."""
    random = _random(data)
    if random is None:
        text = _text(data)
    else:
        text = json.dumps(mutations.mutated(random.choice(mutations.saves()), random, random.randrange(3)))
        text = mutations.broken(text, random, random.randrange(2))
    _go_on(ttr.loads(text))
    _play_on(ttr.loads(text, verify=True), data)


def packed(data: bytes) -> None:
    """`loads` of bytes: packed games with other bytes in them, and other texts that are packed."""
    random = _random(data)
    if random is None:
        _go_on(ttr.loads(data[1:]))
        return
    text = json.dumps(mutations.mutated(random.choice(mutations.saves()), random, random.randrange(2)))
    found = bytearray(
        zlib.compress(mutations.broken(text, random, random.randrange(2)).encode("utf-8", "surrogatepass"))
    )
    for _ in range(random.randrange(3)):
        start = random.randrange(len(found) + 1)
        found[start : start + random.randrange(3)] = random.randbytes(random.randrange(3))
    _play_on(ttr.loads(bytes(found), verify=True), data)


def journals(data: bytes) -> None:
    """Files of journals, damaged anywhere: a game that is resumed can be played and undone, and is then read as it is."""
    random, path = _random(data), _FOLDER / "games.db"
    for file in _FOLDER.glob("games.db*"):
        file.unlink()
    if random is None:
        path.write_bytes(data[1:])
    else:
        _write_journal(path, random)
    with ttr.Journals(path) as kept:
        for id in kept:
            game = kept.read(id)
            _go_on(game)
            journal = kept.resume(id, verify=True)
            assert journal.game == game and kept.to_act(id) is not None
            for _ in range(2):
                if game.to_act:
                    journal.play(journal.game.legal_actions(journal.game.to_act[0])[0])
                    journal.undo()
            assert kept.read(id) == journal.game == game


def _write_journal(path: Path, random: Random) -> None:
    """A file with a game whose texts were changed, or which was changed at some of its bytes."""
    document = random.choice(mutations.saves())
    with ttr.Journals(path) as kept:
        kept.begin(ttr.loads(json.dumps(document)), "a")
    if random.randrange(2):
        found = bytearray(path.read_bytes())
        for _ in range(random.randrange(1, 4)):
            start = random.randrange(len(found))
            found[start : start + 4] = random.randbytes(4)
        path.write_bytes(found)
        return
    changed = mutations.mutated(document, random, random.randrange(2))
    moves = changed.pop("moves", []) if isinstance(changed, dict) else []
    texts = [json.dumps(each) for each in (changed, *(moves if isinstance(moves, list) else [moves]))]
    header, *rest = [mutations.broken(text, random, 1) if random.random() < 0.02 else text for text in texts]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE games SET header = ?", (header.encode("utf-8", "surrogatepass"),))
        db.execute("DELETE FROM moves")
        rows = (("a", number, text.encode("utf-8", "surrogatepass")) for number, text in enumerate(rest))
        db.executemany("INSERT INTO moves VALUES (?, ?, CAST(? AS TEXT))", rows)
        db.execute("UPDATE games SET header = CAST(header AS TEXT)")


def _go_on(game: ttr.Game) -> None:
    """A game that was loaded, trusted perhaps: it can be saved and looked at."""
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
    for seat in (None, *range(len(game.players))):
        ttr.to_json(game.rules, game.view(seat))
        game.events_since(None, seat)


def _play_on(game: ttr.Game, data: bytes) -> None:
    """A game that was verified: a few more moves, whichever."""
    random = Random(data)
    for _ in range(4):
        if game.to_act:
            choices = game.legal_actions(random.choice(game.to_act))
            game.play(choices[random.randrange(len(choices))])
    _go_on(game)


def actions(data: bytes) -> None:
    """Actions from JSON, and what a game says to them."""
    random = _random(data)
    if random is None:
        rules, document = _rules("europe"), json.loads(_text(data))
    else:
        rules, document = random.choice(mutations.actions())
        document = mutations.mutated(document, random, random.randrange(1, 3))
    action = ttr.action_from_json(rules, document)
    game = ttr.new_game(rules=rules, players=2, seed=3)
    before = repr(game.state.values())
    refusal = game.refusal(action)
    assert refusal is None or (refusal.rule and len(str(refusal)) < 2000)
    assert repr(game.state.values()) == before


def messages(data: bytes) -> None:
    """Messages between a server and its clients, and worlds that fit the views in them."""
    random = _random(data)
    document: Any
    if random is None:
        rules, document = _rules("europe"), _text(data)
    else:
        rules, valid = random.choice(mutations.messages())
        document = mutations.mutated(valid, random, random.randrange(3))
    asked = isinstance(document, dict) and document.get("type") in ("join", "act", "list_payments", "list_actions")
    read = clients.read_client_message if asked else clients.read_server_message
    message = read(rules, document)
    assert read(rules, json.dumps(ttr.to_json(rules, message))) == message
    if isinstance(message, clients.Update):
        world = ttr.determinize(message.view, rules, seed=1)
        assert world.view(message.view.seat) == message.view
    if isinstance(message, clients.Hello):
        assert clients.rules_from_json(document).stack


def stacks(data: bytes) -> None:
    """Names of plugins with options, and rulings."""
    random = _random(data)
    name = (
        _text(data)
        if random is None
        else mutations.broken(random.choice(["europe:tie_break=P6", "dice:tunnel_faces=2", "marklin"]), random, 2)
    )
    ttr.compile_rules(name)


def command_line(data: bytes) -> None:
    """Arguments of the command line: exit code 0 or 2, and no traceback."""
    random = Random(data)
    words = list(random.choice(mutations.COMMANDS))
    for _ in range(random.randrange(3)):
        number = random.randrange(len(words) + 1)
        words[number : number + random.randrange(2)] = [
            random.choice([*words, "", "--", "-h", "\ud800", "\x00", "9" * 5000, "--seed", "europe:x=[", "dice"])
        ]
    if random.random() < 0.4:
        number = random.randrange(len(words))
        words[number] = mutations.broken(words[number], random)
    if not any(word.startswith(("--hu", "--wr", "--di")) for word in words) and "new-variant" not in words:
        _command(tuple(words), b"")


def _command(words: tuple[str, ...], given: bytes) -> None:
    result = CliRunner().invoke(commands, list(words), input=given, standalone_mode=True)
    assert result.exit_code in (0, 1, 2), f"{words}: exit code {result.exit_code}"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output


TARGETS: dict[str, Callable[[bytes], None]] = {
    "maps": maps,
    "tickets": tickets,
    "scores": scores,
    "positions": positions,
    "saves": saves,
    "packed": packed,
    "journals": journals,
    "actions": actions,
    "messages": messages,
    "stacks": stacks,
    "commands": command_line,
}


def parsed(target: str, data: bytes) -> bool:
    """Run a target; whether its document was read. Raises whatever is neither a value nor a `TTRError`."""
    try:
        TARGETS[target](data)
    except ttr.TTRError as error:
        text = str(error)
        assert text and len(text) < 200_000, "an error without words, or with too many"
        return False
    except json.JSONDecodeError:
        return False  # read by the target itself
    return True
