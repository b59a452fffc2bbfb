"""The server as a process: uvicorn, with limits, and without a log of who asks for what."""

from __future__ import annotations

from ttr_rules.errors import extra

with extra("web"):
    import uvicorn
    from starlette.applications import Starlette

#: The longest message that is taken from a socket at all, in bytes; the application refuses shorter ones in words.
LONGEST_TAKEN = 1 << 20
#: How many connections there may be at the same time.
MOST_CONNECTIONS = 2000


def run(application: Starlette, *, host: str = "127.0.0.1", port: int = 8765) -> None:
    """Serve an application until Ctrl-C."""
    uvicorn.run(
        application,
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=LONGEST_TAKEN,
        ws_per_message_deflate=False,
        limit_concurrency=MOST_CONNECTIONS,
        access_log=False,
        log_level="warning",
        server_header=False,
    )
