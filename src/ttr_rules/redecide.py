"""Whether a saved game went as the rules say: every action decided once more, from the same chance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .engine import advance, refusal
from .events import Event, GameBegun
from .game import Game, Move, replayed, set_up
from .state import State
from .transaction import Transaction

_RULE_ID = re.compile(r"\b[A-Z]\d{1,2}\b")


def first_difference(game: Game) -> tuple[int, str] | None:
    """The number of the first move that the rules would have decided otherwise, and how; None if there is none.

    The set-up is decided again too, but not a position made by `arrange`, whose origin a saved game does not tell; that is
    taken as it is. A caller's chance object must give once more what it gave.

    >>> from ttr_rules import new_game
    >>> first_difference(new_game("europe", players=2, seed=1)) is None
    True
    """
    moves = game.moves
    state = _again(game, moves[0])
    if isinstance(state, str):
        return 0, state
    for number, move in enumerate(moves[1:], start=1):
        assert move.action is not None  # the set-up alone has none
        refused = refusal(state, move.action)
        if refused is not None:
            return number, f"[{refused.rule}] {refused.reason}"
        log: list[Event] = []
        advance(state, move.action, log)
        difference = _between(log, move.events)
        if difference is None and state.chance_calls != move.chance_calls:
            difference = f"chance was asked {state.chance_calls} times until then, not {move.chance_calls}"
        if difference is not None:
            return number, difference
    return None


def _again(game: Game, start: Move) -> State | str:
    """The state after the set-up, decided again; what is different if it does not come out the same."""
    state = game.state
    players, chance = len(game.players), state.chance
    begun = start.events[0]
    if not isinstance(begun, GameBegun):
        return replayed(game.rules, players, chance, [start])
    # The first seat was drawn, or it was given: then chance was asked once less.
    for first_seat in (None, begun.first_seat):
        fresh = State(game.rules, players, chance)
        log: list[Event] = []
        set_up(Transaction(fresh, log), game.players, first_seat)
        if fresh.chance_calls == start.chance_calls:
            return _between(log, start.events) or fresh
    return f"the set-up asks chance {fresh.chance_calls} times, not {start.chance_calls}"


def _between(decided: Sequence[Event], saved: Sequence[Event]) -> str | None:
    for number, (right, other) in enumerate(zip(decided, saved, strict=False)):
        if right != other:
            return f"events[{number}]: {_cited(right)}{right} follows by the rules, not {other}"
    if len(decided) > len(saved):
        return f"events[{len(saved)}]: {_cited(decided[len(saved)])}{decided[len(saved)]} is missing"
    if len(saved) > len(decided):
        return f"events[{len(decided)}]: by the rules nothing follows, not {saved[len(decided)]}"
    return None


def _cited(event: Event) -> str:
    """The first rule that the kind of event cites, in brackets."""
    found = _RULE_ID.search(type(event).__doc__ or "")
    return f"[{found[0]}] " if found else ""
