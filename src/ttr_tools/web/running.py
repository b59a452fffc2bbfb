"""The server as a process: uvicorn, with limits, and without a log of who asks for what."""

from __future__ import annotations

from socket import AF_INET, AF_INET6, create_server, socket

from ttr_rules.errors import InvalidInputError
from ttr_rules.text import reason_of
from ttr_tools.extras import extra

with extra("web"):
    import uvicorn
    from starlette.applications import Starlette

#: The longest message that is taken from a socket at all, in bytes; the application refuses shorter ones in words.
LONGEST_TAKEN = 1 << 20
#: How many connections there may be at the same time.
MOST_CONNECTIONS = 2000


def listen(host: str = "127.0.0.1", port: int = 8765) -> socket:
    """A socket that listens at an address; port 0 is any that is free. Raises `InvalidInputError` if it cannot."""
    try:
        return create_server((host, port), family=AF_INET6 if ":" in host else AF_INET)
    except OSError as error:
        raise InvalidInputError(f"the server cannot listen at {host}, port {port}: {reason_of(error)}") from error


def server_of(application: Starlette) -> uvicorn.Server:
    """A server that is not running yet, for those who start and stop it themselves: `server.run(sockets=[listen()])`."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            ws="websockets-sansio",
            ws_max_size=LONGEST_TAKEN,
            ws_per_message_deflate=False,
            limit_concurrency=MOST_CONNECTIONS,
            access_log=False,
            log_level="warning",
            server_header=False,
        )
    )


def run(application: Starlette, listening: socket) -> None:
    """Serve an application until Ctrl-C."""
    server_of(application).run(sockets=[listening])
