"""Tables: a game kept in a journal, the secret tokens of its seats, and the bots that play the others.

Nothing here knows of sockets or of the web. A table may be used by one thread at a time.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from hmac import compare_digest
from pathlib import Path
from typing import Any

from ttr_rules._internal.messages import brief, reason_of
from ttr_rules.bots import Player, load_bot
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.actions import Action
from ttr_rules.play.game import Game
from ttr_rules.saves.journal import Journal
from ttr_rules.web.stories import Stories

_ID = re.compile(r"[0-9a-f]{16}")


class Table:
    """A game at a table: people have the seats with a token, bots the others.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     tables = Tables(folder)
    ...     table = tables.open(new_game("europe", players=["Ada", "Bo"], seed=1), people=[0])
    ...     table.people, table.seat_of(table.tokens[0]), table.seat_of("guessed")
    ...     tables.close()
    ((0,), 0, None)
    """

    def __init__(self, id: str, journal: Journal, tokens: Sequence[str | None], bot: str) -> None:
        self.id = id
        self.tokens = tuple(tokens)
        self._journal = journal
        self._bots: dict[int, Player] = {
            seat: load_bot(bot)(f"{journal.game.seed} {seat}") for seat, token in enumerate(tokens) if token is None
        }
        self.stories = Stories(journal.game)

    @property
    def game(self) -> Game:
        """The game: read it freely; it is played by `play` and `play_bot`."""
        return self._journal.game

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people have."""
        return tuple(seat for seat, token in enumerate(self.tokens) if token is not None)

    def seat_of(self, token: str) -> int | None:
        """The seat that a token is for; None if there is none. It takes the same time for all tokens of a length."""
        given, found = token.encode(errors="replace"), None
        for seat, known in enumerate(self.tokens):
            if known is not None and compare_digest(known.encode(), given):
                found = seat
        return found

    def play(self, action: Action, expected: int) -> int:
        """Play an action; returns the number of the move, which is on disk by then.

        Raises what `Game.play` raises, and `SaveError` if the move cannot be written. The game is unchanged then.
        """
        self._journal.play(action, expected=expected)
        return self.game.played

    @property
    def bot_to_act(self) -> int | None:
        """The seat of a bot that may act now."""
        return next((seat for seat in self.game.to_act if seat in self._bots), None)

    def play_bot(self) -> None:
        """Let a bot that may act play one action, if there is one."""
        seat, game = self.bot_to_act, self.game
        if seat is not None:
            self._journal.play(self._bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()


class Tables:
    """The tables of a folder. Each has two files: `ID.jsonl`, its journal, and `ID.json`, its tokens and bots.

    Both are readable by their owner alone, and `Tables(folder)` finds them again after a crash. Games are read when
    they are asked for. Ids are looked up among those found, never made into the names of files. `rules` are for games
    with plugins that are not installed, such as variants from files.

    >>> from tempfile import mkdtemp
    >>> tables = Tables(mkdtemp())
    >>> list(tables)
    []
    """

    def __init__(self, folder: str | os.PathLike[str], rules: Rules | None = None) -> None:
        self._folder = Path(folder)
        self._rules = rules
        self._open: dict[str, Table] = {}
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._known = dict.fromkeys(
                path.stem
                for path in sorted(self._folder.glob("*.json"))
                if _ID.fullmatch(path.stem) and path.with_suffix(".jsonl").exists()
            )
        except OSError as error:
            raise SaveError(f"{self._folder}: no games can be kept here: {reason_of(error)}") from error

    def __iter__(self) -> Iterator[str]:
        """The ids of all tables."""
        return iter(tuple(self._known))

    def __contains__(self, id: object) -> bool:
        return id in self._known

    def open(self, game: Game, people: Sequence[int], bot: str = "planner") -> Table:
        """Begin to keep a game in which people have some seats and bots the others.

        Raises `InvalidInputError` for seats that are not at the table or a bot that is not installed, `SaveError` if
        the game cannot be kept.
        """
        count = len(game.players)
        if not people or not set(people) <= set(range(count)):
            raise InvalidInputError(f"people have one or more of the seats 0 to {count - 1}, not {brief(list(people))}")
        load_bot(bot)
        id = secrets.token_hex(8)
        tokens = [secrets.token_urlsafe(18) if seat in people else None for seat in range(count)]
        # The tokens first: a crash in between leaves no game without them.
        _write(self._folder / f"{id}.json", {"tokens": tokens, "bot": bot})
        table = Table(id, Journal.begin(self._folder / f"{id}.jsonl", game), tokens, bot)
        self._known[id] = None
        self._open[id] = table
        return table

    def get(self, id: str) -> Table:
        """The table with an id. Raises `KeyError` if there is none, `SaveError` if its files cannot be read."""
        if id not in self._known:
            raise KeyError(id)
        if id not in self._open:
            self._open[id] = self._resumed(id)
        return self._open[id]

    def _resumed(self, id: str) -> Table:
        path = self._folder / f"{id}.json"
        tokens, bot = _read_seats(path)
        journal = self._journal(path.with_suffix(".jsonl"))
        if len(tokens) != len(journal.game.players):
            journal.close()
            raise SaveError(f"{path}: it has {len(tokens)} seats, and the game {len(journal.game.players)}")
        try:
            return Table(id, journal, tokens, bot)
        except InvalidInputError as error:
            journal.close()
            raise SaveError(f"{path}: {error}") from error

    def _journal(self, path: Path) -> Journal:
        try:
            return Journal.resume(path)
        except SaveError:
            if self._rules is None:
                raise
            return Journal.resume(path, rules=self._rules)

    def close(self) -> None:
        """Close all journals; the games can be taken up again."""
        for table in self._open.values():
            table.close()
        self._open.clear()


def _read_seats(path: Path) -> tuple[list[str | None], str]:
    """The tokens of a table, and its bot. Nothing of what is wrong is quoted: it may be a token."""
    try:
        kept: Any = json.loads(path.read_text(encoding="utf-8"))
        tokens, bot = [None if each is None else str(each) for each in kept["tokens"]], str(kept["bot"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SaveError(f"{path}: the seats of this game cannot be read") from error
    return tokens, bot


def _write(path: Path, data: object) -> None:
    """Write a new file that only its owner can read, and wait until it is on the disk."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(data, file)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise SaveError(f"{path}: cannot be written: {reason_of(error)}") from error
