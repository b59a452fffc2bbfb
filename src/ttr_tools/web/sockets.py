"""One connection: a client joins a table, is sent what it does not know yet, and is answered."""

from __future__ import annotations

import json
from contextlib import suppress

from ttr_rules.clients import ErrorMessage, Hello, Join, ServerMessage, to_json
from ttr_rules.errors import InvalidInputError
from ttr_tools.extras import extra
from ttr_tools.render import lay_out
from ttr_tools.web.messages import names_of, read
from ttr_tools.web.pages import language_of
from ttr_tools.web.rooms import Client, Room

with extra("web"):
    import anyio
    from anyio import to_thread
    from starlette.websockets import WebSocket, WebSocketDisconnect

#: How many seconds a client has to join, and to take what it is sent.
PATIENCE = 10.0
#: With how many connections a table has no room for further spectators; there always is for players.
MOST_CONNECTED = 200
#: The code with which a connection is closed for good: a client should not try again.
REFUSED = 4000
#: The code with which it is closed for the moment.
TRY_LATER = 1013


class _RefusedError(Exception):
    """The connection ends here: the problem in words, and the code that it is closed with."""

    def __init__(self, problem: str, code: int = REFUSED) -> None:
        super().__init__(problem)
        self.code = code


async def refuse(socket: WebSocket, problem: str, code: int = REFUSED) -> None:
    """Tell a client why it cannot go on, and close its connection."""
    with suppress(WebSocketDisconnect), anyio.move_on_after(PATIENCE):
        await socket.send_text(json.dumps({"type": ErrorMessage.type, "reason": problem, "id": None}))
        await socket.close(code)


class Connection:
    """A socket that was accepted."""

    def __init__(self, socket: WebSocket, room: Room, lang: str, *, page: bool) -> None:
        self._socket = socket
        self._room = room
        self._lang = lang
        self._page = page
        # Held from the look at the game until what was seen is sent: all is sent in the order in which it happened.
        self._telling = anyio.Lock()

    async def run(self) -> None:
        """Serve the client until it leaves."""
        self._room.connected += 1
        try:
            client, since = await self._join()
            async with anyio.create_task_group() as group:
                group.start_soon(self._tell_news, client, since)
                await self._answer_messages(client)
        except* _RefusedError as refused:
            for error in refused.exceptions:
                await refuse(self._socket, str(error), getattr(error, "code", REFUSED))
        except* (WebSocketDisconnect, TimeoutError):
            pass  # gone, or too slow
        finally:
            self._room.connected -= 1

    async def _join(self) -> tuple[Client, int | None]:
        """Read the first message: who it is, and the last move that it has seen."""
        text = None
        with anyio.move_on_after(PATIENCE):
            text = await self._receive()
        if text is None:
            raise _RefusedError(f"nothing came for {PATIENCE:.0f} seconds: a client joins first")
        game = self._room.table.game
        try:
            message = read(game.rules, text)
            if not isinstance(message, Join):
                raise InvalidInputError("a client joins first")  # noqa: TRY301
            client = self._client(message)
        except InvalidInputError as error:
            raise _RefusedError(str(error)) from error
        layout = await to_thread.run_sync(lay_out, game.rules.board)
        await self._send(Hello.of(game, client.seat, layout))
        return client, message.since

    def _client(self, message: Join) -> Client:
        table = self._room.table
        names = names_of(table.game, language_of(message.lang, self._lang))
        seat = None if message.token is None else table.seat_of(message.token)
        if message.token is not None and seat is None:
            problem = "This link is for no seat of this game: ask for a new one."
            raise InvalidInputError(names.language.gettext(problem))
        if seat is None and self._room.connected > MOST_CONNECTED:
            problem = "Too many are watching this game: try again later."
            raise _RefusedError(names.language.gettext(problem), TRY_LATER)
        if message.since is not None and not 0 <= message.since <= table.game.played:
            raise InvalidInputError(f"0 to {table.game.played} actions were played, not {message.since}")
        return Client(seat, names, self._page)

    async def _tell_news(self, client: Client, since: int | None) -> None:
        """Send an update at once, then after every move; a client that is slower than the game gets several moves at once."""
        while True:
            async with self._telling:
                since, texts = await self._room.news(client, since)
                for text in texts:
                    await self._send_text(text)
            await self._room.later_than(since)

    async def _answer_messages(self, client: Client) -> None:
        while True:
            text = await self._receive()
            async with self._telling:
                try:
                    message = read(client.names.rules, text)
                except InvalidInputError as error:
                    await self._send(ErrorMessage(str(error), None))
                else:
                    await self._send_text(await self._room.answer(client, message))

    async def _receive(self) -> str:
        received = await self._socket.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(received.get("code", 1000))
        text = received.get("text")
        if not isinstance(text, str):
            raise _RefusedError("a message is text, not bytes", 1003)
        return text

    async def _send(self, message: ServerMessage) -> None:
        await self._send_text(json.dumps(to_json(self._room.table.game.rules, message)))

    async def _send_text(self, text: str) -> None:
        with anyio.fail_after(PATIENCE):
            await self._socket.send_text(text)
