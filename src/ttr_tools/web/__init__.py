"""A server for games in the browser, with the extra `web`; small enough to read, as an example of how to embed the library.

`tables` keeps games and knows whose token is whose, `messages` answers clients, `menus` and `stories` put it in words; none
of these knows the web. `rooms` plays bots and passes news on, `sockets` is one connection, `pages` the page, `server` puts
them together as a Starlette application, `running` runs it.
"""

from typing import TYPE_CHECKING

from ttr_tools.lazy import lazily

if TYPE_CHECKING:
    from ttr_tools.web.running import listen, run
    from ttr_tools.web.server import application
    from ttr_tools.web.tables import Table, Tables
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "running": ("listen", "run"),
            "server": ("application",),
            "tables": ("Table", "Tables"),
        },
    )

__all__ = ["Table", "Tables", "application", "listen", "run"]
