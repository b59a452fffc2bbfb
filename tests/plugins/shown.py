"""Sound: a turn exchanges the hidden tickets for one that is shown at once if it is completed; a running term counts these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttr_rules import Action, DrawTickets, Event, KeepTickets, Refusal, Route, State, Turn
from ttr_rules.events import Unknown
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    known,
    secret,
)
from ttr_rules.scores import completed


class Drawn(Event):
    message = "{seat} draws {ticket:ticket}"
    seat: int
    ticket: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.give_ticket(self.seat, state.take_ticket(known(self.ticket)))


class PutBack(Event):
    message = "{seat} puts {ticket:ticket} back"
    seat: int
    ticket: str | Unknown = secret()

    def apply(self, state: State) -> None:
        state.return_ticket(state.take_ticket(known(self.ticket)))


class DrawOne(Action):
    message = "Draw one ticket"


class DrawOneRule(ActionRule[Turn, DrawOne]):
    def offers(self, state: State, decision: Turn) -> Sequence[DrawOne]:
        return (DrawOne(decision.seat),) if state.has_tickets else ()

    def perform(self, tx: Transaction, decision: Turn, action: DrawOne) -> None:
        for ticket in [ticket for ticket in tx.state.tickets[action.seat] if ticket not in tx.state.open_tickets]:
            tx.emit(PutBack, action.seat, ticket)
        tx.emit(Drawn, action.seat, tx.state.ticket_pile[0])
        show(tx)


def show(tx: Transaction) -> None:
    for seat in range(tx.state.players):
        for ticket in completed(tx.state, seat):
            tx.reveal_ticket(seat, ticket)


def refuse(state: State, action: DrawTickets) -> Refusal:
    return Refusal("one", "one ticket is drawn")


def show_after(tx: Transaction, action: KeepTickets) -> None:
    show(tx)


class Shown(Variant, name="shown"):
    """Shown: completed tickets are shown at once, and are worth a point in play."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[DrawOneRule]:
        return (DrawOneRule(),)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        show(tx)

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        return Around(DrawTickets, refuse=refuse), Around(KeepTickets, after=show_after)

    @hookimpl
    def never_hidden(self, state: State, seat: int) -> Iterable[str]:
        return completed(state, seat, state.rules.tickets)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("shown", lambda state, seat: Score(len(completed(state, seat))), running=True),)
