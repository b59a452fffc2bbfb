"""A replay as one HTML file: the board, the moves, and a small program that goes through them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

from ttr_rules.language import SOURCE
from ttr_rules.play import Game
from ttr_tools.render import draw_board, variables
from ttr_tools.replay.moment import Viewer
from ttr_tools.replay.recording import recording
from ttr_tools.replay.texts import texts_of


def page(game: Game, seat: Viewer = None, lang: str = SOURCE) -> str:
    """A replay of a game as an HTML file that needs nothing else: no network, no other files.

    The page shows what `seat` may see: None is a spectator, "all" shows every hand and every ticket. What a seat may not
    know is not in the page, and neither is the seed. `lang` is the language of the page, such as "de".

    Raises `InvalidInputError` for a seat that is not at the table.

    >>> from ttr_rules import new_game
    >>> html = page(new_game("europe", players=["Ada", "Bo"], seed=1))
    >>> html.startswith("<!doctype html>"), "https://" in html
    (True, False)
    """
    language = game.rules.language(lang)
    found, words = recording(game, seat, language), texts_of(language)
    about = words["seat"].format(name=found["players"][seat]) if isinstance(seat, int) else words[found["viewer"]]
    parts = {
        **text_parts(words),
        "language": escape(lang.replace("_", "-")),
        "title": escape(found["title"]),
        "about": escape(about),
        "style": f"{color_variables()}\n{read('page.css')}",
        "picture": draw_board(game.rules, lang=lang).svg,
        "recording": json_in_page(found),
        "texts": json_in_page(words),
        "script": "\n\n".join(map(read, ("panels.js", "shown.js", "moves.js"))),
    }
    return frame(read("page.html"), parts)


def text_parts(words: Mapping[str, str]) -> dict[str, str]:
    """The parts of a page made from its texts alone: those of replays and those of games in play have them."""
    escaped = {key: escape(text) for key, text in words.items()}
    return {**escaped, "players_and_sheet": frame(read("players.html"), escaped)}


def color_variables() -> str:
    """The colors of pictures as CSS variables of a page, light or dark as its reader asks for."""
    return f"{variables('light', ':root')}\n@media (prefers-color-scheme: dark) {{\n{variables('dark', ':root')}\n}}"


def frame(text: str, parts: Mapping[str, str]) -> str:
    """A page with parts in the place of their names in braces. Parts are not looked into.

    >>> frame("<p>{one}</p>", {"one": "{two}"})
    '<p>{two}</p>'
    """
    pieces = text.split("{")
    return pieces[0] + "".join(parts[key] + rest for key, _, rest in (piece.partition("}") for piece in pieces[1:]))


def read(name: str) -> str:
    """A file of this package, such as the style or a part of the program of the page."""
    return files("ttr_tools.replay").joinpath(name).read_text(encoding="utf-8").rstrip()


def json_in_page(value: Any) -> str:
    r"""Plain data inside a script element, which ends at the first `</script`, whatever it stands in.

    >>> json_in_page("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
