"""What one seat may see: a type of its own, built up field by field, so that nothing slips through (S6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules.errors import InvalidInputError, brief
from ttr_rules.kernel.state import State
from ttr_rules.model.decisions import Decision


@frozen
class View:
    """A game as one seat sees it (S6, R18); `seat` is None for a spectator.

    `pending` are the open decisions as far as they are public, `decision` the seat's own. Public: routes, cars, scores, how many tickets each seat holds (not during set-up, S7), the size of the
    ticket pile, whose turn it is. Secret: the tickets of others. `parts` holds what the economy and the
    plugins show to this seat, by the name of their state part; `all_tickets` what everybody holds, once that is shown at
    the end. `rejects` are the tickets that the seat gave back in this stage of set-up, `stage` counts the stages that are
    done, `first_tickets` says how many tickets each seat kept at set-up, () before all have chosen; `passes` counts the passes in a row.
    """

    seat: int | None
    players: tuple[str, ...]
    to_act: tuple[int, ...]
    turn: int
    turns_left: int
    pending: tuple[Decision, ...]
    decision: Decision | None
    owners: Mapping[str, int] = field(converter=FrozenMap[str, int])
    cars: tuple[int, ...]
    scores: tuple[int, ...]
    tickets: tuple[str, ...]
    ticket_counts: tuple[int | None, ...]
    all_tickets: tuple[tuple[str, ...], ...] | None
    ticket_pile_sizes: Mapping[str, int] = field(converter=FrozenMap[str, int])
    rejects: tuple[str, ...]
    stage: int
    first_tickets: tuple[int, ...]
    passes: int
    parts: Mapping[str, Mapping[str, Any]] = field(hash=False)

    def __getattr__(self, name: str) -> Any:
        # Only for names that a view itself does not have: `view.hand` is `view.parts["CardPiles"]["hand"]`.
        if not name.startswith("_"):
            for part in self.parts.values():
                if name in part:
                    return part[name]
        raise AttributeError(f"a view has no {name!r}, and no part of it shows one")


def check_seat(seat: object, players: int) -> None:
    """Raise `InvalidInputError` for what is neither a seat of a game of so many players nor None, a spectator."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise InvalidInputError(f"a seat is one of 0 to {players - 1}, not {brief(seat)}")


def view_of(state: State, players: Sequence[str], seat: int | None) -> View:
    """What `seat` may see of a state. Raises `InvalidInputError` for a seat that is not at the table."""
    check_seat(seat, state.players)
    choosing = state.stage < len(state.rules.setup) and bool(state.pending)
    shown = {kind.__name__: part.seen_by(seat) for kind, part in state.parts.items()}
    return View(
        seat=seat,
        players=tuple(players),
        to_act=state.to_act,
        turn=state.turn,
        turns_left=state.turns_left,
        pending=tuple(decision.seen_by(seat) for decision in state.pending),
        decision=None if seat is None else state.decision(seat),
        owners=state.owners,
        cars=tuple(state.cars),
        scores=tuple(state.scores),
        tickets=() if seat is None else state.tickets[seat],
        ticket_counts=tuple(
            None if choosing and other != seat else len(held) for other, held in enumerate(state.tickets)
        ),
        all_tickets=tuple(state.tickets) if state.revealed else None,
        ticket_pile_sizes={name: len(pile) for name, pile in state.ticket_piles.items()},
        rejects=() if seat is None else state.rejects[seat],
        stage=state.stage,
        first_tickets=state.first_tickets,
        passes=state.passes,
        parts={name: part for name, part in shown.items() if part is not None},
    )
