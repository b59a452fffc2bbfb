"""Verifies that a saved game follows the rules, by playing every action again with the same chance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, takewhile

from ttr_rules.errors import TTRError
from ttr_rules.kernel.answers import advance, legal_actions, refusal, replayed
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.events.course import TurnBegun
from ttr_rules.kernel.events.play import RouteClaimed, RoutePointsScored, RouteShared
from ttr_rules.kernel.events.setup import GameBegun, PositionArranged
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import FREE, State, closed_by_twin
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import begin_turn
from ttr_rules.kernel.views import view_of
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.model.chance import SeededChance
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.text import line

_RULE_ID = re.compile(r"\b[A-Z]{1,2}\d{1,2}\b")


def first_difference(game: Game) -> tuple[int, str] | None:
    """Find the first move whose events differ from what the rules give: its number and the difference, or None.

    The set-up is verified too. A position made by `arrange`, whose origin is not in the saved game, is accepted as it
    is, up to its first turn, if it can be arranged. A caller's chance object must return what it returned before.

    >>> from ttr_rules import new_game
    >>> first_difference(new_game("europe", players=2, seed=1)) is None
    True
    """
    number = 0
    try:
        state = _again(game, game.moves[0])
        if isinstance(state, str):
            return 0, state
        for number, move in enumerate(game.moves[1:], start=1):
            difference = _decided(state, move)
            if difference is not None:
                return number, difference
    except Exception as error:  # noqa: BLE001 (a chance object may raise anything, and so may an impossible position)
        kind = "" if isinstance(error, TTRError) else f"{type(error).__name__}: "
        return number, f"this cannot be decided again: {kind}{line(str(error))}"
    return None


def _decided(state: State, move: Move) -> str | None:
    """Play a move again, which changes the state; returns what differs."""
    assert move.action is not None  # only the set-up has none
    refused = refusal(state, move.action)
    if refused is not None:
        return f"[{refused.rule}] {refused.reason}"
    log: list[Event] = []
    advance(state, move.action, log)
    if state.chance_calls != move.chance_calls:
        mismatch = f"chance was asked {state.chance_calls} times until then, not {move.chance_calls}"
        return _between(log, move.events) or mismatch
    return _between(log, move.events)


def _again(game: Game, start: Move) -> State | str:
    """The state after repeating the set-up, or what differs."""
    state = game.state
    players, chance = len(game.players), state.chance
    begun = start.events[0]
    if isinstance(begun, PositionArranged):
        return _arranged_again(game, start, begun.to_act)
    assert isinstance(begun, GameBegun)  # every game begins with one of the two
    # The first seat was either drawn, or given with one chance call fewer.
    for first_seat in (None, begun.first_seat):
        fresh = State(game.rules, players, chance)
        log: list[Event] = []
        set_up(Transaction(fresh, log), game.players, first_seat)
        if fresh.chance_calls == start.chance_calls:
            return _between(log, start.events) or fresh
    return f"the set-up asks chance {fresh.chance_calls} times, not {start.chance_calls}"


def _arranged_again(game: Game, start: Move, to_act: int) -> State | str:
    """The state of an arranged position, taken as it is, with the beginning of its first turn repeated."""
    put = tuple(takewhile(lambda event: not isinstance(event, TurnBegun), start.events))
    chance = game.state.chance
    state = replayed(game.rules, len(game.players), chance, [Move(None, put, start.chance_calls)])
    impossible = _impossible(state, put)
    if impossible is not None:
        return impossible
    log: list[Event] = []
    begun = state.copy()
    begin_turn(Transaction(begun, log), to_act)
    calls = begun.chance_calls - start.chance_calls
    if calls and isinstance(chance, SeededChance):  # these calls are included in the count
        log = []
        begun = state
        begun.chance_calls -= calls
        begin_turn(Transaction(begun, log), to_act)
    begun.chance_calls = start.chance_calls
    _try_out(begun, game.players)
    return _between(log, start.events[len(put) :], len(put)) or begun


def _impossible(state: State, put: Sequence[Event]) -> str | None:
    """Describe why a position is impossible; None if it can be arranged."""
    network, rules = state.rules.network, state.rules
    if state.pending:
        return "in an arranged position nobody is asked anything before the first turn"
    table = State(state.rules, state.players, state.chance)
    for event in put:
        if isinstance(event, RouteClaimed):
            route = network.route_number[event.route]
            if table.owner[route] != FREE or closed_by_twin(table, event.seat, route) is not None:
                return f"[C3] {event.route}, or the other half of it, is claimed already (C5, C6)"
        elif isinstance(event, RouteShared):
            route = network.route_number[event.route]
            if table.owner[route] in (FREE, event.seat):
                return f"[C3] nobody else has claimed {event.route}"
        else:
            if isinstance(event, RoutePointsScored) and rules.claim_points:
                event.apply(table)
            continue
        type(event)(event.seat, event.route, network.points[route]).apply(table)
    if table.scores != state.scores:
        return f"[C4] the routes are worth {table.scores}, not {state.scores}"
    if any(not 0 <= left <= most for left, most in zip(state.cars, table.cars, strict=True)):
        return f"[C3] the routes leave {table.cars} cars, not {state.cars}"
    held = Counter(chain(*state.tickets))
    for ticket, count in held.items():
        if count > 1:
            return f"[K1] there are {count} of the ticket {ticket}"
    decks = {name: [ticket.id for ticket in rules.deck.piles[name]] for name in rules.draw_counts.piles}
    piles = {name: sorted(id for id in deck if id not in held) for name, deck in decks.items()}
    if {name: sorted(pile) for name, pile in state.ticket_piles.items()} != piles:
        return f"[K1] the ticket piles are not those tickets of {' and '.join(decks)} that nobody holds"
    if not 0 <= state.turns_left <= state.players * rules.components.last_turns:
        return f"[E1] {state.turns_left} turns are left"
    return None


def _try_out(state: State, players: Sequence[str]) -> None:
    """Try to view, play and score a position; raises whatever they raise, nothing if the position is possible."""
    for seat in range(state.players):
        view_of(state, players, seat)
        len(legal_actions(state, seat))
    final_scores(state, players)


def _between(decided: Sequence[Event], saved: Sequence[Event], before: int = 0) -> str | None:
    """The first difference of two lists of events, which follow `before` others."""
    for number, (right, other) in enumerate(zip(decided, saved, strict=False)):
        if right != other:
            return f"events[{before + number}]: {_cited(right)}{right} follows by the rules, not {other}"
    if len(decided) > len(saved):
        return f"events[{before + len(saved)}]: {_cited(decided[len(saved)])}{decided[len(saved)]} is missing"
    if len(saved) > len(decided):
        return f"events[{before + len(decided)}]: by the rules nothing follows, not {saved[len(decided)]}"
    return None


def _cited(event: Event) -> str:
    """The first rule that the kind of event cites, in brackets."""
    found = _RULE_ID.search(type(event).__doc__ or "")
    return f"[{found[0]}] " if found else ""
