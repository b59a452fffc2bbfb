"""What a page shows of a moment of a game, as plain data, and the labels of what is in it: for replays and for games in play.

A seat's moment is made of its views, never of the saved game: what a seat may not know is not hidden in the page, it is
not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, cast

from ttr_rules import State, View
from ttr_rules.engine import final_scores, view_of
from ttr_rules.language import Language
from ttr_rules.model import Card
from ttr_rules.play import Game, ticket_progress
from ttr_rules.text import spaced
from ttr_rules.train_cards import SeenCards
from ttr_tools.narration.labels import ticket_label
from ttr_tools.narration.narrator import Line
from ttr_tools.narration.sheet import rows, victory
from ttr_tools.narration.shown import Shown, columns_of, shown_fields
from ttr_tools.narration.words import Names, labelled
from ttr_tools.render import changed_elements

#: Whose eyes a game is seen with: a seat, None for a spectator, or "all" for everything.
Viewer: TypeAlias = int | Literal["all"] | None


def line_data(line: Line) -> list[Any]:
    """A line of the narration: its text, the seat it is about, and True if it is a heading."""
    return [line.text, line.seat, True] if line.heading else [line.text, line.seat]


def snapshot(state: State, players: Sequence[str], viewer: Viewer, names: Names) -> dict[str, Any]:
    """Everything that the page shows of a moment; after the end, with the rank and the final points of each player."""
    public = view_of(state, players, None)
    columns = dict(columns_of(public, names))
    seats = range(len(players)) if viewer == "all" else [] if viewer is None else [viewer]
    shown: dict[str, Any] = {
        "acting": list(public.to_act),
        "left": public.turns_left,
        "owners": {route: [owner, *public.shared.get(route, ())] for route, owner in public.owners.items()},
        "players": {str(seat): _player(public, seat, columns) for seat in range(len(players))},
        "piles": {names.language.name(spaced(name)): size for name, size in public.ticket_pile_sizes.items()},
        "more": {each.label: each.text(names) for each in shown_fields(public, names) if _is_text(each, players)},
        "marks": changed_elements(public, names.rules, lang=names.language.code),
        "own": {str(seat): _own(state, players, seat, public, columns, names) for seat in seats},
    }
    if not state.pending:
        for player in final_scores(state, players).players:
            shown["players"][str(player.seat)] |= {"points": player.total, "rank": player.rank}
    for part in public.parts.values():
        if isinstance(part, SeenCards):
            shown |= {"row": list(part.face_up), "pile": part.draw_pile_size, "laid": list(part.revealed)}
    if public.all_tickets is not None:
        for seat in range(len(players)):
            shown["own"].setdefault(str(seat), {})["tickets"] = _progress(state, seat)
    return shown


def _is_text(shown: Shown, players: Sequence[str]) -> bool:
    return bool(shown.value) and not shown.is_column(len(players))


def _player(public: View, seat: int, columns: dict[str, list[str]]) -> dict[str, Any]:
    """What everybody sees of a player."""
    count = public.ticket_counts[seat]
    return {
        "points": public.scores[seat],
        "cars": public.cars[seat],
        "tickets": "?" if count is None else count,
        "columns": {label: cells[seat] for label, cells in columns.items()},
    }


def _own(
    state: State, players: Sequence[str], seat: int, public: View, columns: dict[str, list[str]], names: Names
) -> dict[str, Any]:
    """What only this seat sees: its hand, its tickets, and what plugins show it."""
    view = view_of(state, players, seat)
    texts = {each.label: each.text(names) for each in shown_fields(public, names)}
    more = {label: cells[seat] for label, cells in columns_of(view, names) if columns.get(label) != cells}
    more |= {
        each.label: each.text(names)
        for each in shown_fields(view, names)
        if _is_text(each, players) and texts.get(each.label) != each.text(names)
    }
    found: dict[str, Any] = {"tickets": _progress(state, seat), "more": more}
    for part in view.parts.values():
        if isinstance(part, SeenCards) and part.hand is not None:
            found["hand"] = dict(part.hand)
    choosing: object = getattr(view.decision, "tickets", ())
    if isinstance(choosing, tuple) and choosing and all(id in names.rules.tickets for id in cast("Any", choosing)):
        found["choosing"] = list(cast("tuple[str, ...]", choosing))
    return found


def _progress(state: State, seat: int) -> dict[str, int | bool]:
    """The tickets of a seat: True if completed, False if they cannot be any more, else how many spaces are missing."""
    return {
        each.ticket: True if each.completed else False if each.spaces is None else each.spaces
        for each in ticket_progress(state, seat)
    }


def _tickets_in(shown: dict[str, Any]) -> Iterator[str]:
    for own in shown["own"].values():
        yield from own.get("tickets", ())
        yield from own.get("choosing", ())


def _cards_in(shown: dict[str, Any]) -> Iterator[str]:
    yield from shown.get("row", ())
    yield from shown.get("laid", ())
    for own in shown["own"].values():
        yield from own.get("hand", ())


def labels_of(moments: Iterable[dict[str, Any]], names: Names) -> dict[str, Any]:
    """The labels of the tickets and cards in some moments, and of the numbers of cards in hands, such as `2 red`.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1, first_seat=0)
    >>> names = Names(game.rules, game.players)
    >>> labels_of([snapshot(game.state, game.players, 0, names)], names)["counts"]["white"]
    {1: '1 white'}
    """
    moments = list(moments)
    used = dict.fromkeys(ticket for shown in moments for ticket in _tickets_in(shown))
    seen = {card for shown in moments for card in _cards_in(shown)}
    cards = [*(card for card in Card if card in seen), *sorted(seen - set(Card))]
    hands = [own.get("hand", {}) for shown in moments for own in shown["own"].values()]
    counts: dict[str, dict[int, str]] = {}
    for card, count in dict.fromkeys((card, count) for hand in hands for card, count in hand.items()):
        counts.setdefault(card, {})[count] = labelled(count, card, names.card_words, names.language)
    return {
        "tickets": {id: _ticket(id, names) for id in used},
        "cards": {str(card): names.value(str(card)) for card in cards},
        "counts": counts,
    }


def _ticket(id: str, names: Names) -> dict[str, Any]:
    ticket = names.rules.tickets[id]
    cities = dict.fromkeys(city for place in ticket.places for city in names.board.place(place))
    return {"label": ticket_label(ticket, names), "cities": list(cities)}


def sheet_of(game: Game, language: Language) -> dict[str, Any] | None:
    """The score sheet of a game as plain data; None until the game is over."""
    scores = game.final_scores
    if scores is None:
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
    return {
        "victory": victory(scores.players, language),
        "ties": [language.text(tie) for tie in scores.ties],
        "players": players,
    }
