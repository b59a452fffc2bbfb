"""A server for games in the browser, with the extra `web`.

It is small enough to read, as an example of how to embed the library.

`tables` keeps games and tells them, knows whose token is whose, answers clients, plays bots and passes news on, but does not
know the web. `server` is the Starlette application, with its page, its sockets and its process.
"""

from ttr_tools.web.server import application as application, listen as listen, run as run
from ttr_tools.web.tables import Table as Table, Tables as Tables
