"""What a page of a replay knows: a snapshot of the start, and for every move what was told and what changed.

A seat's recording is made of its views and of the events as it sees them, never of the saved game: what a seat may not
know is not hidden in the page, it is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ttr_rules import State
from ttr_rules.engine import check_seat
from ttr_rules.events import Event, SeenEvent, fold
from ttr_rules.language import ENGLISH, Language
from ttr_rules.play import Game
from ttr_tools.narration.narrator import Narrator
from ttr_tools.narration.words import Names
from ttr_tools.replay.moment import Viewer, labels_of, line_data, sheet_of, snapshot
from ttr_tools.replay.patches import patch_of


def recording(game: Game, viewer: Viewer, language: Language = ENGLISH) -> dict[str, Any]:
    """A game as plain data for a page, as `viewer` may see it, in a language.

    Raises `InvalidInputError` for a seat that is not at the table.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> found = recording(game, None)
    >>> found["players"], found["moves"][0]["lines"][0]
    (['Ada', 'Bo'], ['Ada and Bo play; Bo begins.', None])
    """
    if viewer != "all":
        check_seat(viewer, len(game.players))
    names = Names(game.rules, game.players, language)
    steps = list(_steps(game, viewer, names))
    moves: list[dict[str, Any]] = []
    before: dict[str, Any] = {}
    for story, shown in steps:
        moves.append({**story, "patch": patch_of(before, shown)})
        before = shown
    return {
        "title": f"{language.name(names.board.name)}: {', '.join(names.players)}",
        "viewer": "spectator" if viewer is None else viewer,
        "players": list(names.players),
        "routes": {id: names.route(id) for id in names.board.routes},
        **labels_of((shown for _, shown in steps), names),
        "moves": moves,
        "sheet": sheet_of(game, language),
    }


def _steps(game: Game, viewer: Viewer, names: Names) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Each move: what is told of it, and what is shown after it."""
    narrator = Narrator(game.rules, game.players, None if viewer == "all" else viewer, names.language)
    state = State(game.rules, len(game.players), game.state.chance)  # nothing is left to chance: events are folded
    for move in game.moves:
        fold(state, move.events)
        lines = narrator.tell([_seen(event, viewer) for event in move.events])
        story: dict[str, Any] = {"lines": [line_data(each) for each in lines]}
        if not any(not line.heading for line in lines):
            story["now"] = [line_data(each) for each in narrator.unfinished()]
        if move.action is not None:
            story["seat"] = move.action.seat
        yield story, snapshot(state, game.players, viewer, names)


def _seen(event: Event, viewer: Viewer) -> SeenEvent:
    """An event as the viewer may see it; who sees everything sees each event as the player whose it is."""
    if viewer != "all":
        return event.seen_by(viewer)
    seat: object = getattr(event, "seat", None)
    return event.seen_by(seat if isinstance(seat, int) else None)
