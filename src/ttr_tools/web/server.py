"""The server as a Starlette application, run by uvicorn: a page and a socket for each table, and the files of pages.

Addresses: `/ID` is the page of a table, `/ID/socket` speaks the messages of `ttr_rules.clients` to any client, and
`/ID/socket/page` the same with words for the page. What makes somebody a player is the token of a seat. In a
link it stands behind a `#`, which browsers do not send: it reaches the server in the first message of the socket, and
is in no log.
"""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cache, lru_cache, partial
from hashlib import sha256
from socket import AF_INET, AF_INET6, create_server, socket
from urllib.parse import urlsplit

from ttr_rules import Rules
from ttr_rules.clients import ErrorMessage, Hello, Join, ServerMessage, to_json
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.language import SOURCE, language, marked
from ttr_rules.play import Game
from ttr_rules.text import reason_of
from ttr_tools.extras import extra
from ttr_tools.narration import Names, languages
from ttr_tools.render import draw_board, lay_out
from ttr_tools.replay import color_variables, fill_page, json_in_page, page_texts, read
from ttr_tools.web.tables import Client, Room, Tables, read_message

with extra("web"):
    import anyio
    import uvicorn
    from anyio import to_thread
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket, WebSocketDisconnect

#: The longest message that is taken from a socket at all, in bytes; the application refuses shorter ones in words.
LONGEST_TAKEN = 1 << 20
#: The most connections at the same time.
MOST_CONNECTIONS = 2000
#: The seconds that a client has to join, and to take a message.
PATIENCE = 10.0
#: From this many connections on, a table has no room for further spectators, but always for players.
MOST_CONNECTED = 200
#: The code with which a connection is closed for good: a client should not try again.
REFUSED = 4000
#: The code with which it is closed for the moment.
TRY_LATER = 1013
#: The message about a game whose files are broken. The fault itself may be secret.
UNREADABLE = marked("This game cannot be read: tell those who run the server.")
_log = logging.getLogger("ttr_tools.web")


def application(tables: Tables, *, pause: float = 0.0, origins: Iterable[str] = (), lang: str = SOURCE) -> Starlette:
    """A server for these tables, to be run by uvicorn or mounted in an application of your own.

    Bots wait `pause` seconds before each move. Browsers may connect from pages of this server, and from those of
    `origins`, such as "https://games.example.org". `lang` is the language of pages that do not ask for one by `?lang=`.

    >>> from tempfile import mkdtemp
    >>> tables = Tables(f"{mkdtemp()}/games.db")
    >>> sorted(route.path for route in application(tables).routes)
    ['/table.css', '/table.js', '/{id}', '/{id}/socket', '/{id}/socket/page']
    >>> tables.close()
    """
    lobby = _Lobby(tables, pause)
    allowed = frozenset(map(_read_origin, origins))

    async def page(request: Request) -> Response:
        id = request.path_params["id"]
        wanted = choose_language(request.query_params.get("lang"), lang)
        say = language(wanted).gettext
        if id not in tables:
            return PlainTextResponse(say("There is no such game: check the link."), 404, HEADERS)
        async with lobby.visit(id) as room:
            if room is None:
                return PlainTextResponse(say(UNREADABLE), 503, HEADERS)
            html, policy = await to_thread.run_sync(make_page, room.table.game, wanted)
        return Response(html, headers={**HEADERS, "Content-Security-Policy": policy}, media_type="text/html")

    async def connect(socket: WebSocket, *, page: bool = False) -> None:
        id = socket.path_params["id"]
        if id not in tables or not _is_allowed(socket, allowed):
            await socket.close()
            return
        await socket.accept()
        async with lobby.visit(id) as room:
            if room is None:
                await _refuse(socket, language(lang).gettext(UNREADABLE))
            else:
                await _Connection(socket, room, lang, page=page).run()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        yield
        lobby.close()

    async def file(request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        return Response(read_file(name), headers={**HEADERS, "Cache-Control": "no-cache"}, media_type=FILES[name])

    files = [Route(f"/{name}", file) for name in FILES]
    at = "/{id}/socket"
    sockets = [WebSocketRoute(at, connect), WebSocketRoute(f"{at}/page", partial(connect, page=True))]
    starlette = Starlette(routes=[*files, Route("/{id}", page), *sockets], lifespan=lifespan)
    starlette.router.redirect_slashes = False
    return starlette


class _Lobby:
    """The rooms of tables that somebody came to."""

    def __init__(self, tables: Tables, pause: float) -> None:
        self._tables = tables
        self._pause = pause
        self._rooms: dict[str, Room] = {}
        self._reading = asyncio.Lock()

    @asynccontextmanager
    async def visit(self, id: str) -> AsyncGenerator[Room | None, None]:
        """The room of a table, or None if its game cannot be read.

        The game is read when the first visitor comes, in a thread, so that other tables go on. See `leave` for the end of a visit.
        """
        if id not in self._rooms:
            async with self._reading:
                if id not in self._rooms:
                    try:
                        table = await to_thread.run_sync(self._tables.get, id)
                    except SaveError:
                        _log.error("game %s cannot be read", id)
                        yield None
                        return
                    self._rooms[id] = room = Room(table, self._pause)
                    if room.bots is not None:
                        room.bots.add_done_callback(lambda _: self.leave(room))
        room = self._rooms[id]
        try:
            yield room
        finally:
            self.leave(room)

    def leave(self, room: Room) -> None:
        """Drop a room from memory once its game is over and nobody is connected.

        Later visitors get the game from its file.
        """
        id = room.table.id
        if room.is_over and not room.connected and self._rooms.get(id) is room:
            del self._rooms[id]
            self._tables.release(id)
            room.close()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        self._tables.close()


def _read_origin(url: str) -> str:
    """The origin of a page, as browsers send it.

    >>> _read_origin("https://games.example.org/club/")
    'https://games.example.org'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_allowed(socket: WebSocket, origins: frozenset[str]) -> bool:
    """True if a page of this origin may connect. Programs other than browsers send none."""
    origin = socket.headers.get("origin")
    return origin is None or origin in origins or origin.partition("://")[2] == socket.headers.get("host")


# -- connections -----------------------------------------------------------------------------------------------------


class _RefusedError(Exception):
    """The connection ends here. Its arguments are those of `_refuse`: the problem in words, perhaps a code."""


async def _refuse(socket: WebSocket, problem: str, code: int = REFUSED) -> None:
    """Tell a client why it cannot go on, and close its connection."""
    with suppress(WebSocketDisconnect), anyio.move_on_after(PATIENCE):
        await socket.send_text(json.dumps({"type": ErrorMessage.type, "reason": problem, "id": None}))
        await socket.close(code)


class _Connection:
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
                await _refuse(self._socket, *error.args)
        except* (WebSocketDisconnect, TimeoutError):
            pass  # gone, or too slow
        finally:
            self._room.connected -= 1

    async def _join(self) -> tuple[Client, int | None]:
        """Read the first message: the client, and the last move that it has seen."""
        text = None
        with anyio.move_on_after(PATIENCE):
            text = await self._receive()
        if text is None:
            raise _RefusedError(f"nothing came for {PATIENCE:.0f} seconds: a client joins first")
        game = self._room.table.game
        try:
            message = read_message(game.rules, text)
            if not isinstance(message, Join):
                raise InvalidInputError("a client joins first")  # noqa: TRY301
            client = self._client(message)
        except InvalidInputError as error:
            raise _RefusedError(str(error)) from error
        await self._send(Hello.of(game, client.seat, await to_thread.run_sync(lay_out, game.rules.board)))
        return client, message.since

    def _client(self, message: Join) -> Client:
        table = self._room.table
        rules = table.game.rules
        names = Names(rules, table.game.players, rules.language(choose_language(message.lang, self._lang)))
        seat = None if message.token is None else table.find_seat(message.token)
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
                    message = read_message(client.names.rules, text)
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


# -- the page -----------------------------------------------------------------------------------------------------------

#: The files that pages load, with their types.
FILES = {"table.css": "text/css", "table.js": "text/javascript"}
#: Sent with everything: nothing guesses types, tells others where its reader comes from, or is kept by proxies.
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


def choose_language(wanted: str | None, default: str) -> str:
    """The language that a client asks for, if there is one.

    >>> choose_language("de", "en"), choose_language("../de", "en")
    ('de', 'en')
    """
    return wanted if wanted in languages() else default


@cache
def read_file(name: str) -> str:
    """One of the `FILES`: that of replays, and what is added for games in play."""
    own = read(name, "ttr_tools.web")
    if name.endswith(".css"):
        return f"{color_variables()}\n{read('page.css')}\n\n{own}"
    return f"{read('panels.js')}\n\n{own}"


def make_page(game: Game, lang: str) -> tuple[str, str]:
    """The page of a game in a language, the same for all readers, and its Content-Security-Policy."""
    names = Names(game.rules, game.players, game.rules.language(lang))
    picture, policy = _picture(game.rules, lang)
    routes = {id: names.route(id) for id in names.board.routes}
    nothing: dict[str, object] = {"viewer": None, "tickets": {}, "cards": {}, "counts": {}}
    recording = {"players": list(names.players), "routes": routes, **nothing}
    title = f"{names.language.name(names.board.name)}: {', '.join(names.players)}"
    parts = {"picture": picture, "recording": json_in_page(recording)}
    return fill_page(read("page.html", "ttr_tools.web"), lang, title, page_texts(names.language, "play"), parts), policy


@lru_cache(maxsize=64)
def _picture(rules: Rules, lang: str) -> tuple[str, str]:
    """The board of some rules, and the Content-Security-Policy of a page with it.

    The page may load its own files and socket, and has the style of the picture, which is known by its digest.
    """
    svg = draw_board(rules, lang=lang).svg
    style = svg.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return svg, (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{digest}'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


# -- the process -----------------------------------------------------------------------------------------------------


def listen(host: str = "127.0.0.1", port: int = 8765) -> socket:
    """A socket that listens at an address. Port 0 is any that is free. Raises `InvalidInputError` if it cannot."""
    try:
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    except OSError as error:
        raise InvalidInputError(f"the server cannot listen on {host}, port {port}: {reason_of(error)}") from error


def make_server(application: Starlette) -> uvicorn.Server:
    """A server that is not running yet, to be started and stopped by hand: `server.run(sockets=[listen()])`."""
    config = uvicorn.Config(
        application,
        ws="websockets-sansio",
        ws_max_size=LONGEST_TAKEN,
        ws_per_message_deflate=False,
        limit_concurrency=MOST_CONNECTIONS,
        access_log=False,
        log_level="warning",
        server_header=False,
    )
    return uvicorn.Server(config)


def run(application: Starlette, listening: socket) -> None:
    """Serve an application until Ctrl-C."""
    make_server(application).run(sockets=[listening])
