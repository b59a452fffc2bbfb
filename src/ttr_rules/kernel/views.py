"""The view of one seat, put together field by field from a state (S6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import ref

import attrs
from attrs import evolve

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.choices import Choice
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scoring import running_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.model.decisions import SECRET, Action, HiddenAction, KeepTickets, ToDo
from ttr_rules.text import brief

#: The fields that views copy from a state unchanged.
PUBLIC = (
    "turn_number", "turns_granted", "extra_turns", "seats_to_skip", "turn", "turns_left", "last_round_turn", "passes", "passed",
    "stage", "first_tickets",
)  # fmt: skip
#: The hooks that may ask something: those called for a seat, and those called for the table.
_OF_A_SEAT = ("on_turn_start", "on_claim", "on_turn_end")
_OF_ALL = ("on_deal", "on_game_start", "on_round_start", "on_game_end")


def check_seat(seat: object, players: int) -> None:
    """Raise `InvalidInputError` unless `seat` is a seat of a game with this many players, or None for a spectator."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise InvalidInputError(f"a seat is one of 0 to {players - 1}, not {brief(seat)}")


def view_of(state: State, players: Sequence[str], seat: int | None) -> View:
    """The view of `seat`. Raises `InvalidInputError` for a seat that is not at the table."""
    check_seat(seat, state.players)
    choosing = state.stage < len(state.rules.setup) and bool(state.pending) and not is_dealing(state.todo)
    names = state.rules.part_names
    shown = {names[kind]: part.seen_by(seat) for kind, part in state.parts.items()}
    view = View(
        seat=seat,
        players=tuple(players),
        to_act=state.to_act,
        pending=tuple([decision.seen_by(seat) for decision in state.pending]),
        decision=None if seat is None else state.decision(seat),
        todo=_todo(state, seat, choosing) if state.todo else (),
        owners=state.owners,
        shared={state.rules.network.route_ids[route]: seats for route, seats in state.shared.items()},
        cars=tuple(state.cars),
        scores=tuple(running_scores(state)),
        route_points=tuple(state.scores),
        points={name: tuple(points) for name, points in state.points.items()},
        barred={} if seat is None else barred(state, seat),
        tickets=() if seat is None else state.tickets[seat],
        ticket_counts=tuple(
            [None if choosing and other != seat else len(held) for other, held in enumerate(state.tickets)]
        ),
        open_tickets=tuple([tuple([id for id in held if id in state.open_tickets]) for held in state.tickets]),
        team_tickets=() if choosing else team_tickets(state, seat),
        tickets_revealed=state.revealed,
        ticket_pile_sizes={name: len(pile) for name, pile in state.ticket_piles.items()},
        rejects=() if seat is None else state.rejects[seat],
        parts={name: part for name, part in shown.items() if part is not None},
        **{name: getattr(state, name) for name in PUBLIC},
    )
    object.__setattr__(view, "drawn_with", ref(state.rules))
    return view


def team_tickets(state: State, seat: int | None) -> tuple[tuple[str, ...], ...]:
    """The tickets held by the partners of a seat, with () in everybody else's place, or () if it has none."""
    partners = state.rules.components.partners_of(seat)
    return tuple([held if other in partners else () for other, held in enumerate(state.tickets)]) if partners else ()


def is_dealing(todo: Sequence[ToDo]) -> bool:
    """True if the first tickets are dealt once the pending questions are answered."""
    return any(item.hook == "on_deal" for item in todo)


def _todo(state: State, seat: int | None, choosing: bool) -> tuple[ToDo, ...]:
    """The work that waits for an answer, as far as a seat may know it."""
    secret = state.rules.derived(_secret_actions)
    shown: list[ToDo] = []
    for item in state.todo:
        action = item.action
        if action is not None and action.seat != seat and type(action) in secret:
            kept = action.tickets if isinstance(action, KeepTickets) and item.hook == "after" and not choosing else None
            action = HiddenAction(action.seat, type(action).__name__, None if kept is None else len(kept))
        shown.append(evolve(item, action=action, pending=tuple([decision.seen_by(seat) for decision in item.pending])))
    return tuple(shown)


def problems_of_todo(todo: Sequence[ToDo], rules: Rules, players: int) -> Iterator[str]:
    """The problems of a `todo` under these rules: views and saved games may have been edited."""
    for number, item in enumerate(todo):
        place, of_all = f"todo[{number}]", item.hook in _OF_ALL
        if item.hook in ("before", "after", "sealed"):
            if item.action is None or item.action.seat != item.seat:
                yield f"{place}: it has no action of seat {item.seat}"
            numbers = item.what.split() if item.hook != "before" else [item.what]
            if not all(number.isdecimal() and len(number) <= 4 for number in numbers):
                yield f"{place}: {brief(item.what)} is not the number of a question"
            if item.hook != "after" and item.seat not in [decision.seat for decision in item.pending]:
                yield f"{place}: seat {item.seat} was asked nothing"
        elif of_all or item.hook in _OF_A_SEAT:
            if item.after and item.after not in dict(getattr(rules, item.hook)):
                yield f"{place}: {brief(item.after)} has no method {item.hook} in {rules}"
        elif item.hook not in ("turn", "end of turn", "next"):
            yield f"{place}: no hook or step is called {brief(item.hook)}"
        if item.hook == "on_claim" and item.what not in rules.network.route_number:
            yield f"{place}: {rules} has no route {brief(item.what)}"
        if item.seat not in range(-1 if of_all else 0, players):
            yield f"{place}: no seat {item.seat} at a table of {players}"


def _secret_actions(rules: Rules) -> frozenset[type[Action]]:
    """The actions that only their seat knows: those with a secret field, secret answers, and answers to secret decisions."""
    sealed = {kind.reveals for kind in rules.types.values() if issubclass(kind, Event)}
    sealed |= {kind for kind in rules.answers if issubclass(kind, Choice) and kind.sealed}
    secret_kinds: set[type[Action]] = set()
    for decision, answers in rules.answers.items():
        for kind in answers.by_action:
            fields = [field for field in attrs.fields(kind) if field.name != "seat"]
            secret = decision.secret_answer or not decision.public or decision in sealed
            if fields and (secret or any(SECRET in field.metadata for field in fields)):
                secret_kinds.add(kind)
    return frozenset(secret_kinds)


def barred(state: State, seat: int) -> dict[str, bool]:
    """The open routes that plugins do not let a seat claim now, by id. The value is true if that lasts."""
    lasting: dict[str, bool] = {}
    ids = state.rules.network.route_ids
    for condition in state.rules.claim_conditions:
        for route, lasts in condition.closed_now(state, seat, state.open_to(seat)).items():
            lasting[ids[route]] = lasting.get(ids[route], False) or lasts
    return lasting
