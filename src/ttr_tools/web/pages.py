"""The page of a table: the board, what the page needs to know at once, and the files that it loads."""

from __future__ import annotations

from base64 import b64encode
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.resources import files

from ttr_rules import Rules
from ttr_rules.play import Game
from ttr_tools.narration import Names, languages
from ttr_tools.render import draw_board
from ttr_tools.replay.writing import color_variables, frame, json_in_page, read, text_parts
from ttr_tools.web.texts import texts_of

#: The files that pages load, with their types.
FILES = {"table.css": "text/css", "table.js": "text/javascript"}
#: Sent with everything: nothing guesses types, tells others where its reader comes from, or is kept by proxies.
HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}


def language_of(wanted: str | None, default: str) -> str:
    """The language that a client asks for, if there is one.

    >>> language_of("de", "en"), language_of("../de", "en")
    ('de', 'en')
    """
    return wanted if wanted in _languages() else default


@cache
def _languages() -> frozenset[str]:
    return frozenset(languages())


@cache
def file_of(name: str) -> str:
    """One of the `FILES`: what pages of replays have, and what is added for games in play."""
    own = files("ttr_tools.web").joinpath(name).read_text(encoding="utf-8")
    if name.endswith(".css"):
        return f"{color_variables()}\n{read('page.css')}\n\n{own}"
    return f"{read('panels.js')}\n\n{own}"


def page_of(game: Game, lang: str) -> tuple[str, str]:
    """The page of a game in a language, the same for all its readers, and the style of the picture in it."""
    language = game.rules.language(lang)
    names, words = Names(game.rules, game.players, language), texts_of(language)
    picture, style = _picture(game.rules, lang)
    known = {
        "players": list(names.players),
        "routes": {id: names.route(id) for id in names.board.routes},
        "viewer": None,
        "tickets": {},
        "cards": {},
        "counts": {},
    }
    parts = {
        **text_parts(words),
        "language": escape(lang.replace("_", "-")),
        "title": escape(f"{language.name(names.board.name)}: {', '.join(names.players)}"),
        "picture": picture,
        "recording": json_in_page(known),
        "texts": json_in_page(words),
    }
    template = files("ttr_tools.web").joinpath("page.html").read_text(encoding="utf-8")
    return frame(template, parts), style


@lru_cache(maxsize=64)
def _picture(rules: Rules, lang: str) -> tuple[str, str]:
    """The board of some rules, and the style that stands in its picture."""
    svg = draw_board(rules, lang=lang).svg
    return svg, svg.partition("<style>")[2].partition("</style>")[0]


def policy_of(style: str) -> str:
    """What a page may load and do: its own files and socket, and the style of the picture, known by its digest."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{digest}'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
