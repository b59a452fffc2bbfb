"""The page of a table: the board, what the page needs to know at once, and the files that it loads."""

from __future__ import annotations

from base64 import b64encode
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files

from ttr_rules import Rules
from ttr_rules.play import Game
from ttr_tools.narration import Names, languages
from ttr_tools.render import draw_board
from ttr_tools.replay.writing import color_variables, fill_page, json_in_page, page_texts, read

#: The files that pages load, with their types.
FILES = {"table.css": "text/css", "table.js": "text/javascript"}
#: Sent with everything: nothing guesses types, tells others where its reader comes from, or is kept by proxies.
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


def choose_language(wanted: str | None, default: str) -> str:
    """The language that a client asks for, if there is one.

    >>> choose_language("de", "en"), choose_language("../de", "en")
    ('de', 'en')
    """
    return wanted if wanted in _languages() else default


@cache
def _languages() -> frozenset[str]:
    return frozenset(languages())


@cache
def read_file(name: str) -> str:
    """One of the `FILES`: that of replays, and what is added for games in play."""
    own = _read(name)
    if name.endswith(".css"):
        return f"{color_variables()}\n{read('page.css')}\n\n{own}"
    return f"{read('panels.js')}\n\n{own}"


def _read(name: str) -> str:
    return files("ttr_tools.web").joinpath(name).read_text(encoding="utf-8")


def make_page(game: Game, lang: str) -> tuple[str, str]:
    """The page of a game in a language, the same for all its readers, and the style of the picture in it."""
    names = Names(game.rules, game.players, game.rules.language(lang))
    picture, style = _picture(game.rules, lang)
    routes = {id: names.route(id) for id in names.board.routes}
    nothing: dict[str, object] = {"viewer": None, "tickets": {}, "cards": {}, "counts": {}}
    known = {"players": list(names.players), "routes": routes, **nothing}
    title = f"{names.language.name(names.board.name)}: {', '.join(names.players)}"
    parts = {"picture": picture, "recording": json_in_page(known)}
    return fill_page(_read("page.html"), lang, title, page_texts(names.language, "play"), parts), style


@lru_cache(maxsize=64)
def _picture(rules: Rules, lang: str) -> tuple[str, str]:
    """The board of some rules, and the style that stands in its picture."""
    svg = draw_board(rules, lang=lang).svg
    return svg, svg.partition("<style>")[2].partition("</style>")[0]


def content_policy(style: str) -> str:
    """The policy of a page: it may load its own files and socket, and has the style of the picture, known by its digest."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{digest}'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
