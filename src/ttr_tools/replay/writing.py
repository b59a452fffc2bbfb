"""A replay as one HTML file: the board, the moves, and a small program that goes through them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Literal

from ttr_rules.language import SOURCE, Language
from ttr_rules.play import Game
from ttr_rules.reading import read_toml
from ttr_tools.render import draw_board, variables
from ttr_tools.replay.recording import Viewer, record


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
    recording, texts = record(game, seat, language), page_texts(language, "replay")
    about = texts["seat" if isinstance(seat, int) else seat or "spectator"]
    parts = {
        "about": escape(about.format(name=recording["players"][seat]) if isinstance(seat, int) else about),
        "style": f"{color_variables()}\n{read('page.css')}",
        "picture": draw_board(game.rules, lang=lang).svg,
        "recording": json_in_page(recording),
        "script": "\n\n".join(map(read, ("panels.js", "shown.js", "moves.js"))),
    }
    return fill_page(read("page.html"), lang, recording["title"], texts, parts)


def page_texts(language: Language, page: Literal["replay", "play"]) -> dict[str, str]:
    """Every text of a page by its key, in a language. Words in braces are filled in by the page.

    Narration, sheets and labels have their own texts.

    >>> from ttr_rules.language import language
    >>> page_texts(language("en"), "replay")["move_of"]
    'Move {number} of {count}'
    """
    texts = _texts()["both"] | _texts()[page]
    return {key: language.gettext(texts[key]) for key in sorted(texts)}


@cache
def _texts() -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = read_toml(read("texts.toml"))["texts"]
    return texts


def fill_page(template: str, lang: str, title: str, texts: Mapping[str, str], parts: Mapping[str, str]) -> str:
    """A page made of a template, its language and title, its texts, and other parts."""
    escaped = {key: escape(text) for key, text in texts.items()}
    head = {"language": escape(lang.replace("_", "-")), "title": escape(title)}
    players_and_sheet = frame(read("players.html"), escaped)
    shared = {"players_and_sheet": players_and_sheet, "texts": json_in_page(texts)}
    return frame(template, {**escaped, **head, **shared, **parts})


def frame(text: str, parts: Mapping[str, str]) -> str:
    """A page with parts in the place of their names in braces. Braces inside parts stay.

    >>> frame("<p>{one}</p>", {"one": "{two}"})
    '<p>{two}</p>'
    """
    pieces = text.split("{")
    return pieces[0] + "".join(parts[key] + rest for key, _, rest in (piece.partition("}") for piece in pieces[1:]))


def color_variables() -> str:
    """The colors of pictures as CSS variables of a page, light or dark as its reader asks for."""
    return f"{variables('light', ':root')}\n@media (prefers-color-scheme: dark) {{\n{variables('dark', ':root')}\n}}"


def read(name: str) -> str:
    """A file of this package, such as the style or a part of the program of the page."""
    return files("ttr_tools.replay").joinpath(name).read_text(encoding="utf-8").rstrip()


def json_in_page(value: object) -> str:
    r"""Plain data inside a script element, which ends at the first `</script`, even inside a string.

    >>> json_in_page("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
