"""The server as a Starlette application: a page and a socket for each table, and the files that pages load.

Addresses: `/ID` is the page of a table, `/ID/socket` speaks the messages of `ttr_rules.clients` to any client, and
`/ID/socket/page` the same with words for the page. What makes somebody a player is the token of a seat. In a
link it stands behind a `#`, which browsers do not send: it reaches the server in the first message of the socket, and
is in no log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TypeAlias
from urllib.parse import urlsplit

from ttr_rules.errors import SaveError
from ttr_rules.language import SOURCE
from ttr_tools.extras import extra
from ttr_tools.web.pages import FILES, HEADERS, file_of, language_of, page_of, policy_of
from ttr_tools.web.rooms import Room
from ttr_tools.web.sockets import Connection, refuse
from ttr_tools.web.tables import Table, Tables

with extra("web"):
    from anyio import to_thread
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

#: What is said of a game whose files are broken; what is wrong with them may be secret.
UNREADABLE = "This game cannot be read: tell those who run the server."
_log = logging.getLogger("ttr_tools.web")
_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def application(tables: Tables, *, pause: float = 0.0, origins: Iterable[str] = (), lang: str = SOURCE) -> Starlette:
    """A server for these tables, to be run by uvicorn or mounted in an application of your own.

    Bots wait `pause` seconds before each move. Browsers may connect from pages of this server, and from those of
    `origins`, such as "https://games.example.org". `lang` is the language of pages that do not ask for one by `?lang=`.

    >>> from tempfile import mkdtemp
    >>> sorted(route.path for route in application(Tables(f"{mkdtemp()}/games.db")).routes)
    ['/table.css', '/table.js', '/{id}', '/{id}/socket', '/{id}/socket/page']
    """
    lobby = _Lobby(tables, pause)
    allowed = frozenset(map(_origin_of, origins))

    async def page(request: Request) -> Response:
        id = request.path_params["id"]
        if id not in tables:
            return PlainTextResponse("There is no such game: look at the link again.", 404, HEADERS)
        try:
            room = await lobby.room(id)
        except SaveError:
            return PlainTextResponse(UNREADABLE, 503, HEADERS)
        wanted = language_of(request.query_params.get("lang"), lang)
        html, style = await to_thread.run_sync(page_of, room.table.game, wanted)
        return Response(html, headers={**HEADERS, "Content-Security-Policy": policy_of(style)}, media_type="text/html")

    async def connect(socket: WebSocket, *, page: bool = False) -> None:
        id = socket.path_params["id"]
        if id not in tables or not _is_allowed(socket, allowed):
            await socket.close()
            return
        await socket.accept()
        try:
            room = await lobby.room(id)
        except SaveError:
            await refuse(socket, UNREADABLE)
            return
        await Connection(socket, room, lang, page=page).run()

    async def connect_page(socket: WebSocket) -> None:
        await connect(socket, page=True)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        yield
        lobby.close()

    files = [Route(f"/{name}", _file(name, kind)) for name, kind in FILES.items()]
    routes = [*files, Route("/{id}", page)]
    sockets = [WebSocketRoute("/{id}/socket", connect), WebSocketRoute("/{id}/socket/page", connect_page)]
    found = Starlette(routes=[*routes, *sockets], lifespan=lifespan)
    found.router.redirect_slashes = False
    return found


class _Lobby:
    """The rooms of tables that somebody came to."""

    def __init__(self, tables: Tables, pause: float) -> None:
        self._tables = tables
        self._pause = pause
        self._rooms: dict[str, Room] = {}
        self._reading = asyncio.Lock()

    async def room(self, id: str) -> Room:
        """The room of a table; its game is read when the first one comes, in a thread: other tables go on."""
        if id not in self._rooms:
            async with self._reading:
                if id not in self._rooms:
                    self._rooms[id] = Room(await self._table(id), self._pause)
        return self._rooms[id]

    async def _table(self, id: str) -> Table:
        try:
            return await to_thread.run_sync(self._tables.get, id)
        except SaveError:
            _log.error("game %s cannot be read", id)
            raise

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        self._tables.close()


def _file(name: str, media_type: str) -> _Answer:
    async def answer(_: Request) -> Response:
        return Response(file_of(name), headers={**HEADERS, "Cache-Control": "no-cache"}, media_type=media_type)

    return answer


def _origin_of(url: str) -> str:
    """What a browser sends as the origin of a page.

    >>> _origin_of("https://games.example.org/club/")
    'https://games.example.org'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_allowed(socket: WebSocket, origins: frozenset[str]) -> bool:
    """Whether a page of this origin may connect; programs that are no browsers send none."""
    origin = socket.headers.get("origin")
    return origin is None or origin in origins or origin.partition("://")[2] == socket.headers.get("host")
