"""A table in play: its bots play, and all connected clients hear of every move.

All work on a game is done in a thread, one piece at a time, so that a slow disk keeps only its own table waiting.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

from ttr_rules.clients import ClientMessage
from ttr_tools.extras import extra
from ttr_tools.narration import Names
from ttr_tools.web.messages import answer, update
from ttr_tools.web.tables import Table

with extra("web"):
    from anyio import to_thread

T = TypeVar("T")

#: How many different updates of a moment are kept: most clients have seen the same.
MOST_KEPT = 32
#: How many seconds bots wait before they try again after a move that could not be played or written.
RETRY = 5.0
_log = logging.getLogger("ttr_tools.web")


@frozen
class Client:
    """Somebody at a table: a seat or None for a spectator, names in a language, and whether it is a page."""

    seat: int | None
    names: Names
    page: bool = False


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
        self._bots = asyncio.create_task(self._play_bots()) if len(table.people) < len(table.tokens) else None

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
        return await self._do(
            lambda: json.dumps(answer(self.table, client.seat, message, client.names, page=client.page))
        )

    async def later_than(self, number: int) -> None:
        """Wait until there is a move after the one with this number."""
        while number == self._number:
            await self._news.wait()

    async def news(self, client: Client, since: int | None) -> tuple[int, list[str]]:
        """The number of the last move, and how the table looks to a client that has seen `since` moves."""
        return await self._do(lambda: self._update(client, since))

    def _update(self, client: Client, since: int | None) -> tuple[int, list[str]]:
        """The messages as text; those who see the same share them."""
        key = client.seat, client.page, client.names.language.code, since
        if key not in self._updates:
            if len(self._updates) >= MOST_KEPT:
                self._updates.clear()
            messages = update(self.table, client.seat, since, client.names, page=client.page)
            self._updates[key] = [json.dumps(message) for message in messages]
        return self.table.game.played, self._updates[key]

    async def _play_bots(self) -> None:
        """Play the bots' moves whenever there are some."""
        number = None
        while True:
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
        if self._bots is not None:
            self._bots.cancel()
