"""A game as a web page to go through move by move: one HTML file that needs nothing else.

A replay is a game from move to move as data: what a page shows of each moment, and the changes between them. It is put
together with the picture of the board, the style and the program, which are files of their own, as are the texts of pages.

A seat's data is made of its views and of events as it sees them, never of the saved game: what a seat may not know is not
hidden in the page, it is not there. Replays and games in play show the same moments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Literal, TypeAlias

from ttr_rules import State
from ttr_rules.engine import check_seat, final_scores, view_of
from ttr_rules.events import Event, SeenEvent, fold
from ttr_rules.language import ENGLISH, SOURCE, Language
from ttr_rules.model import Card
from ttr_rules.play import Game, ticket_progress
from ttr_rules.reading import JsonObject, is_object, read_toml
from ttr_rules.text import spaced
from ttr_tools.narration import Line, Names, Narrator
from ttr_tools.narration.sheet import rows, victory
from ttr_tools.narration.words import (
    find_cards,
    list_fields,
    list_holders,
    list_offered_tickets,
    player_columns,
)
from ttr_tools.render import changed_elements, draw_board, variables

#: The viewer of a game: a seat, None for a spectator, or "all" to see everything.
Viewer: TypeAlias = int | Literal["all"] | None
#: A line of the narration: its text, the seat it is about, and True if it is a heading.
LineData: TypeAlias = list[str | int | None]


def line_data(line: Line) -> LineData:
    """A line of the narration as plain data."""
    return [line.text, line.seat, True] if line.heading else [line.text, line.seat]


# -- moments -------------------------------------------------------------------------------------------------------


def snapshot(state: State, players: Sequence[str], viewer: Viewer, names: Names) -> JsonObject:
    """Everything that a page shows of a moment, as a viewer may see it.

    `players` has what is public about each seat, after the end with the rank and the final points. `own` has what only
    the seat knows: its hand, its tickets and their state, those to choose from, and fields of plugins.
    """
    public = view_of(state, players, None)
    columns = dict(player_columns(public, names))
    shared = {field.label: field.text for field in list_fields(public, names)}
    seats = range(len(players)) if viewer == "all" else [] if viewer is None else [viewer]

    def own(seat: int) -> JsonObject:
        """The information that only this seat has, besides public columns and texts."""
        view = view_of(state, players, seat)
        more = {label: cells[seat] for label, cells in player_columns(view, names) if columns.get(label) != cells}
        texts = {field.label: field.text for field in list_fields(view, names)}
        more |= {label: text for label, text in texts.items() if shared.get(label) != text}
        known: JsonObject = {"tickets": _progress(state, seat), "more": more}
        if (cards := find_cards(view)) is not None and cards.hand is not None:
            known["hand"] = dict(cards.hand)
        choosing = list_offered_tickets(view.decision, names.rules)
        return known | {"choosing": list(choosing)} if choosing else known

    moment: JsonObject = {
        "acting": list(public.to_act),
        "left": public.turns_left,
        "owners": {route: list(seats) for route, seats in list_holders(public).items()},
        "players": {
            str(seat): {
                "points": public.scores[seat],
                "cars": public.cars[seat],
                "tickets": "?" if count is None else count,
                "columns": {label: cells[seat] for label, cells in columns.items()},
            }
            for seat, count in enumerate(public.ticket_counts)
        },
        "piles": {names.language.name(spaced(name)): size for name, size in public.ticket_pile_sizes.items()},
        "more": shared,
        "marks": changed_elements(public, names.rules, lang=names.language.code),
        "own": {str(seat): own(seat) for seat in seats},
    }
    if not state.pending:
        for player in final_scores(state, players).players:
            moment["players"][str(player.seat)].update({"points": player.total, "rank": player.rank})
    if (cards := find_cards(public)) is not None:
        sizes = ", ".join(f"{pile} {size}".strip() for pile, size in names.pile_sizes(cards).items())
        moment.update({"row": [*cards.face_up], "pile": sizes, "laid": [*cards.revealed]})
    if public.tickets_revealed:
        for seat in range(len(players)):
            moment["own"].setdefault(str(seat), {})["tickets"] = _progress(state, seat)
    return moment


def _progress(state: State, seat: int) -> dict[str, int | bool]:
    """The tickets of a seat: True if completed, False if they cannot be any more, else how many spaces are missing."""
    return {
        goal.ticket: True if goal.completed else False if goal.spaces is None else goal.spaces
        for goal in ticket_progress(state, seat)
    }


# -- labels --------------------------------------------------------------------------------------------------------


def label_moments(moments: Collection[JsonObject], names: Names) -> JsonObject:
    """The labels of the tickets and cards in some moments, and of the numbers of cards in hands, such as `2 red`.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1, first_seat=0)
    >>> names = Names(game.rules, game.players)
    >>> label_moments([snapshot(game.state, game.players, 0, names)], names)["counts"]["white"]
    {1: '1 white'}
    """
    owns = [own for moment in moments for own in moment["own"].values()]
    tickets = dict.fromkeys(id for own in owns for id in (*own.get("tickets", ()), *own.get("choosing", ())))
    hands = [own.get("hand", {}) for own in owns]
    used = {card for moment in moments for card in (*moment.get("row", ()), *moment.get("laid", ()))}.union(*hands)
    cards = [*(card for card in Card if card in used), *sorted(used - set(Card))]
    counts: dict[str, dict[int, str]] = {}
    for card, count in dict.fromkeys((card, count) for hand in hands for card, count in hand.items()):
        counts.setdefault(card, {})[count] = names.count_label(count, card)
    labels = {id: _label_ticket(id, names) for id in tickets}
    return {"tickets": labels, "cards": {str(card): names.value(str(card)) for card in cards}, "counts": counts}


def _label_ticket(id: str, names: Names) -> JsonObject:
    """A ticket in words, and the cities to mark on the board."""
    ticket = names.rules.tickets[id]
    cities = dict.fromkeys(city for place in ticket.places for city in names.board.place(place))
    return {"label": names.ticket_label(ticket), "cities": list(cities)}


def sheet_data(game: Game, language: Language) -> JsonObject | None:
    """The score sheet of a game as plain data, or None until the game is over."""
    if (scores := game.final_scores) is None:
        return None
    words = scores.words.in_language(language.code)
    players = [
        {
            "seat": player.seat,
            "rank": player.rank,
            "total": player.total,
            "rows": [[row.label, row.text, row.mark, row.points] for row in rows(player, words)],
        }
        for player in scores.players
    ]
    ties = [language.text(tie) for tie in scores.ties]
    return {"victory": victory(scores.players, language), "ties": ties, "players": players}


# -- games ---------------------------------------------------------------------------------------------------------


def record(game: Game, viewer: Viewer, language: Language = ENGLISH) -> JsonObject:
    """A game as plain data for a page, as `viewer` may see it, in a language.

    Raises `InvalidInputError` for a seat that is not at the table.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> recording = record(game, None)
    >>> recording["players"], recording["moves"][0]["lines"][0]
    (['Ada', 'Bo'], ['Ada and Bo play; Bo begins.', None])
    """
    if viewer != "all":
        check_seat(viewer, len(game.players))
    names = Names(game.rules, game.players, language)
    narrator = Narrator(game.rules, game.players, None if viewer == "all" else viewer, language)
    state = State(game.rules, len(game.players), game.state.chance)  # nothing is left to chance: events are folded
    moves, moments = list[JsonObject](), list[JsonObject]()
    for move in game.moves:
        fold(state, move.events)
        lines = narrator.tell([_see(event, viewer) for event in move.events])
        story: JsonObject = {"lines": [line_data(line) for line in lines]}
        if all(line.heading for line in lines):  # the sentence so far
            story["now"] = [line_data(line) for line in narrator.unfinished()]
        if move.action is not None:
            story["seat"] = move.action.seat
        moment = snapshot(state, game.players, viewer, names)
        moves.append({**story, "patch": diff(moments[-1] if moments else {}, moment)})
        moments.append(moment)
    return {
        "title": f"{language.name(names.board.name)}: {', '.join(names.players)}",
        "viewer": "spectator" if viewer is None else viewer,
        "players": list(names.players),
        "routes": {id: names.route(id) for id in names.board.routes},
        **label_moments(moments, names),
        "moves": moves,
        "sheet": sheet_data(game, language),
    }


def _see(event: Event, viewer: Viewer) -> SeenEvent:
    """An event as the viewer may see it. A viewer of everything sees each event as its player does."""
    if viewer != "all":
        return event.seen_by(viewer)
    seat: object = getattr(event, "seat", None)
    return event.seen_by(seat if isinstance(seat, int) else None)


def diff(before: Mapping[str, object], after: Mapping[str, object]) -> JsonObject:
    """The JSON merge patch (RFC 7386) that leads from `before` to `after`. Lists are replaced whole.

    >>> diff({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"x": 1, "z": 3}, "b": [1, 2]})
    {'a': {'z': 3, 'y': None}, 'b': [1, 2]}
    """
    patch: JsonObject = {}
    for key, value in after.items():
        old = before.get(key)
        if is_object(value) and is_object(old):
            if inner := diff(old, value):
                patch[key] = inner
        elif key not in before or old != value:
            patch[key] = value
    return patch | {key: None for key in before if key not in after}


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
    of_pages: dict[str, dict[str, str]] = read_toml(read("texts.toml"))["texts"]
    texts = of_pages["both"] | of_pages[page]
    return {key: language.gettext(texts[key]) for key in sorted(texts)}


def fill_page(template: str, lang: str, title: str, texts: Mapping[str, str], parts: Mapping[str, str]) -> str:
    """A page made of a template, its language and title, its texts, and other parts."""
    escaped = {key: escape(text) for key, text in texts.items()}
    head = {"language": escape(lang.replace("_", "-")), "title": escape(title)}
    shared = {"players_and_sheet": frame(read("players.html"), escaped), "texts": json_in_page(texts)}
    return frame(template, {**escaped, **head, **shared, **parts})


def frame(text: str, parts: Mapping[str, str]) -> str:
    """A page with parts in the place of their names in braces. Braces inside parts stay.

    >>> frame("<p>{one}</p>", {"one": "{two}"})
    '<p>{two}</p>'
    """
    return re.sub(r"\{(\w+)\}", lambda name: parts[name[1]], text)


def color_variables() -> str:
    """The colors of pictures as CSS variables of a page, light or dark as its reader asks for."""
    return f"{variables('light', ':root')}\n@media (prefers-color-scheme: dark) {{\n{variables('dark', ':root')}\n}}"


def read(name: str, package: str = "ttr_tools.replay") -> str:
    """A file of a package, such as the style or a part of the program of the page."""
    return files(package).joinpath(name).read_text(encoding="utf-8").rstrip()


def json_in_page(value: object) -> str:
    r"""Plain data inside a script element, which ends at the first `</script`, even inside a string.

    >>> json_in_page("</script>")
    '"\\u003c/script>"'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


__all__ = ["Viewer", "page"]
