"""Tables: games kept in journals, their stories, the secret tokens of their seats, and the bots that play the others.

A room is a table in play: it answers the messages of clients, its bots play, and all connected clients hear of every move.
The messages are those of `ttr_rules.clients`. A page gets the same as any other client, each with one more key, `words`: the
same for people.

Nothing here knows of sockets or of the web. A table may be used by one thread at a time: all work on a game is done in a
thread, one piece at a time, so that a slow disk keeps only its own table waiting.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from hmac import compare_digest
from typing import TypeVar

from attrs import frozen

from ttr_rules import Rules
from ttr_rules.clients import (
    Accepted,
    Act,
    Actions,
    ClientMessage,
    ErrorMessage,
    Join,
    ListPayments,
    Over,
    Payments,
    Refused,
    ServerMessage,
    Update,
    read_client_message,
    to_json,
)
from ttr_rules.errors import (
    IllegalActionError,
    InvalidInputError,
    OutdatedActionError,
    PluginError,
    SaveError,
    TTRError,
)
from ttr_rules.model import Action
from ttr_rules.model.decisions import replace
from ttr_rules.play import Game
from ttr_rules.reading import JsonObject
from ttr_rules.saves import Journal, Journals
from ttr_rules.sequences import keep
from ttr_rules.text import brief
from ttr_tools.bots import Player, load_bot
from ttr_tools.extras import extra
from ttr_tools.narration import Names, Narrator
from ttr_tools.narration.menus import action_label, offer_words, payment_label
from ttr_tools.replay import LineData, label_moments, line_data, sheet_data, snapshot

with extra("web"):
    from anyio import to_thread


class Table:
    """A game at a table: people have the seats with a token, bots the others.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     tables = Tables(f"{folder}/games.db")
    ...     table = tables.open(new_game("europe", players=["Ada", "Bo"], seed=1), people=[0])
    ...     table.people, table.find_seat(table.tokens[0]), table.find_seat("guessed")
    ...     tables.close()
    ((0,), 0, None)
    """

    def __init__(self, journal: Journal, tokens: Sequence[str | None], bot: str) -> None:
        self.id = journal.id
        self.tokens = tuple(tokens)
        self._journal = journal
        free = [seat for seat, token in enumerate(tokens) if token is None]
        self._bots: dict[int, Player] = {seat: load_bot(bot)(f"{journal.game.seed} {seat}") for seat in free}
        #: For each reader, a seat or None and a language: a narrator, and the lines of the moves that it has told.
        self.stories: dict[tuple[int | None, str], tuple[Narrator, list[list[LineData]]]] = {}

    @property
    def game(self) -> Game:
        """The game, free to be read. It is played by `play` and `play_bot`."""
        return self._journal.game

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people have."""
        return tuple(seat for seat, token in enumerate(self.tokens) if token is not None)

    def find_seat(self, token: str) -> int | None:
        """The seat of a token, or None. It takes the same time for all tokens of a length."""
        encoded, own = token.encode(errors="replace"), None
        for seat, secret in enumerate(self.tokens):
            if secret is not None and compare_digest(secret.encode(), encoded):
                own = seat
        return own

    def play(self, action: Action, expected: int) -> int:
        """Play an action. Returns the number of the move, which is on disk by then.

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


class Tables:
    """The tables in a file of journals, which keeps their tokens and bots with the games.

    `Tables(path)` finds them again after a crash. Games are read when they are asked for. `rules` are for games with
    plugins that are not installed, such as variants from files.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tables = Tables(f"{folder}/games.db")
    ...     list(tables)
    ...     tables.close()
    []
    """

    def __init__(self, path: str | os.PathLike[str], rules: Rules | None = None) -> None:
        self._journals = Journals(path)
        self.path = self._journals.path
        self._rules = rules
        self._open: dict[str, Table] = {}
        # In memory, so that whoever guesses ids does not wait for the disk.
        self._known = dict.fromkeys(id for id in self._journals if self._journals.about(id))

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
        tokens = [secrets.token_urlsafe(18) if seat in people else None for seat in range(count)]
        table = Table(self._journals.begin(game, about={"tokens": tokens, "bot": bot}), tokens, bot)
        self._known[table.id] = None
        self._open[table.id] = table
        return table

    def get(self, id: str) -> Table:
        """The table with an id. Raises `KeyError` if there is none, `SaveError` if it cannot be read."""
        if id not in self._known:
            raise KeyError(id)
        if id not in self._open:
            self._open[id] = self._resume(id)
        return self._open[id]

    def _resume(self, id: str) -> Table:
        place = f"{self.path}, game {id}"
        try:
            journal = self._journals.resume(id)
        except SaveError:  # perhaps for want of a plugin
            journal = self._journals.resume(id, rules=self._rules)
        about = self._journals.about(id)
        try:
            seats = zip(journal.game.players, about["tokens"], strict=True)
            tokens, bot = [None if token is None else str(token) for _, token in seats], str(about["bot"])
        except (KeyError, TypeError, ValueError):  # which is not quoted: it may be a token
            raise SaveError(f"{place}: the seats of this game cannot be read") from None
        try:
            return Table(journal, tokens, bot)
        except InvalidInputError as error:
            raise SaveError(f"{place}: {error}") from error

    def release(self, id: str) -> None:
        """Free the memory of a table that nobody is using. `get` reads it again from the file."""
        self._open.pop(id, None)

    def close(self) -> None:
        """Close the file. The games can be taken up again."""
        self._journals.close()
        self._open.clear()


# -- rooms ------------------------------------------------------------------------------------------------------------


#: The longest message of a client, in characters; an action has a few hundred.
LONGEST = 16_000


def read_message(rules: Rules, text: str) -> ClientMessage:
    """Read a message of a client. Raises `InvalidInputError` for anything else.

    >>> from ttr_rules import compile_rules
    >>> read_message(compile_rules("europe"), '{"type": "join", "since": 12}').since
    12
    """
    if len(text) > LONGEST:
        raise InvalidInputError(f"a message has {LONGEST} characters at most, not {len(text)}")
    return read_client_message(rules, text)


@frozen
class Client:
    """Somebody at a table: a seat or None for a spectator, names in a language, and whether it is a page."""

    seat: int | None
    names: Names
    page: bool = False


def answer(table: Table, client: Client, message: ClientMessage) -> JsonObject:
    """The answer to a message of a client that has joined. A move is on disk before it is accepted.

    What cannot be done is refused in words, and changes nothing.
    """
    reply, names = _answer(table, client, message), client.names
    data = to_json(table.game.rules, reply)
    if client.page and isinstance(reply, Payments):
        data["words"] = [payment_label(action, names) for action in reply.page.actions]
    elif client.page and isinstance(reply, Actions):
        decision = None if client.seat is None else table.game.decision(client.seat)
        data["words"] = [action_label(action, names, decision) for action in reply.actions]
    return data


def _answer(table: Table, client: Client, message: ClientMessage) -> ServerMessage:
    game, seat, say = table.game, client.seat, client.names.language.gettext
    if isinstance(message, Join):
        return ErrorMessage("you have joined already", None)
    try:
        if seat is None:
            raise InvalidInputError(say("You are watching: only players can act."))
        if not isinstance(message, Act | ListPayments):
            return Actions.of(game, seat, message.first, message.limit, message.id)
        if message.action.seat != seat:  # the choices of another seat are its own secret
            raise InvalidInputError(f"you have seat {seat}: you cannot act for seat {message.action.seat}")
        if isinstance(message, ListPayments):
            return Payments(message.action, game.payments(message.action, message.start, message.limit), message.id)
        try:
            return Accepted(table.play(message.action, message.expected), message.id)
        except (IllegalActionError, OutdatedActionError) as error:
            refused = Refused.of(game, message.action, error, message.id)
            is_late = isinstance(error, OutdatedActionError)
            late = say("The game has gone on: look again, then choose.")
            return replace(refused, reason=late if is_late else client.names.text(refused.reason))
    except PluginError as error:  # its text may quote the game: only its kind is written
        _log.error("game %s: a plugin failed: %s", table.id, type(error.__cause__ or error).__name__)
        return ErrorMessage(say("The rules of this game cannot do that: a plugin failed."), message.id)
    except TTRError as error:
        return ErrorMessage(str(error), message.id)


def update(table: Table, client: Client, since: int | None) -> list[JsonObject]:
    """The messages for a client that has seen `since` moves (None: nothing yet): one, or two at the end."""
    game = table.game
    data = to_json(game.rules, Update.of(game, client.seat, since))
    if client.page:
        data["words"] = _words(table, client.seat, since, client.names)
    if not game.is_over:
        return [data]
    over = to_json(game.rules, Over.of(game))
    return [data, over | {"words": sheet_data(game, client.names.language)} if client.page else over]


def _words(table: Table, seat: int | None, since: int | None, names: Names) -> dict[str, object]:
    """A moment in words, for a page."""
    game, reader = table.game, (seat, names.language.code)
    if reader not in table.stories:
        table.stories[reader] = Narrator(names.rules, names.players, seat, names.language), []
    narrator, told = table.stories[reader]
    for move in game.messages(len(told) - 1 if told else None, seat):
        told.append([line_data(line) for line in narrator.tell(move.events)])
    moment = snapshot(game.state, game.players, seat, names)
    moves = game.messages(since, seat)
    return {
        "moves": [{"number": move.number, "seat": move.seat, "lines": told[move.number]} for move in moves],
        "now": [*map(line_data, narrator.unfinished())],
        "shown": moment,
        "labels": label_moments([moment], names),
        "menu": None if seat is None else offer_words(game, seat, names),
    }


T = TypeVar("T")

#: The number of different updates of a moment that are kept. Most clients have seen the same.
MOST_KEPT = 32
#: The seconds that bots wait before they try again after a move that could not be played or written.
RETRY = 5.0
_log = logging.getLogger("ttr_tools.web")


class Room:
    """A table, and those who wait for its news."""

    def __init__(self, table: Table, pause: float = 0.0) -> None:
        self.table = table
        self.connected = 0
        self._pause = pause
        self._lock = asyncio.Lock()
        self._number = table.game.played
        self._news = asyncio.Event()
        self._updates: dict[tuple[object, ...], list[str]] = {}
        #: The task in which bots play until the game is over, if there are any.
        self.bots = asyncio.create_task(self._play_bots()) if len(table.people) < len(table.tokens) else None

    @property
    def is_over(self) -> bool:
        """True if the game is over, and its last move is on disk."""
        return self.table.game.is_over and not self._lock.locked()

    async def _do(self, job: Callable[[], T]) -> T:
        """Do something with the game, alone. It is not broken off, even if whoever asked for it is gone."""
        async with self._lock:
            try:
                return await to_thread.run_sync(job)
            finally:
                if self.table.game.played != self._number:
                    self._number = self.table.game.played
                    self._updates.clear()
                    self._news.set()
                    self._news = asyncio.Event()

    async def answer(self, client: Client, message: ClientMessage) -> str:
        """The answer to a client's message."""
        return await self._do(lambda: json.dumps(answer(self.table, client, message)))

    async def later_than(self, number: int) -> None:
        """Wait until there is a move after the one with this number."""
        while number == self._number:
            await self._news.wait()

    async def news(self, client: Client, since: int | None) -> tuple[int, list[str]]:
        """The number of the last move, and how the table looks to a client that has seen `since` moves."""
        return await self._do(lambda: self._update(client, since))

    def _update(self, client: Client, since: int | None) -> tuple[int, list[str]]:
        """The messages as text, shared by those who see the same."""
        key = client.seat, client.page, client.names.language.code, since
        texts = self._updates.get(key)
        if texts is None:
            texts = keep(self._updates, key, [*map(json.dumps, update(self.table, client, since))], MOST_KEPT)
        return self.table.game.played, texts

    async def _play_bots(self) -> None:
        """Play the bots' moves whenever there are some."""
        number = None
        while not self.is_over:
            if number is not None:
                await self.later_than(number)
            number = self._number
            if self.table.bot_to_act is None:
                continue
            await asyncio.sleep(self._pause)
            try:
                await self._do(self.table.play_bot)
            except Exception as error:  # noqa: BLE001 - bots of others may fail in any way
                # The text of an error may quote the game: only its kind is written.
                _log.error("game %s: a bot could not play: %s", self.table.id, type(error).__name__)
                await asyncio.sleep(RETRY)
                number = None

    def close(self) -> None:
        """Stop the bots."""
        if self.bots is not None:
            self.bots.cancel()
