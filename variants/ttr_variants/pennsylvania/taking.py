"""Taking shares: after a claim, for the dummy too, and turning its shares up at the end (Y6, Y7, Y12, Y13)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Action, Decision, Pass, Refusal, Route, State
from ttr_rules.plugins import (
    ActionRule,
    Message,
    PassRule,
    Question,
    Transaction,
    brief,
    join_and,
    marked,
)

from .shares import DummyShareTaken, ShareOptions, Shares, SharesTurnedUp, ShareTaken


@frozen
class ShareChoice(Decision):
    """From which company of the route just claimed to take a share, if any (Y6)."""

    public = True
    message = "You claimed {route}. Of which company do you take a share?"
    passing = marked("Take no share")

    route: str
    companies: tuple[str, ...]


@frozen
class DummyShareChoice(ShareChoice):
    """From which company of the same route the dummy gets a share (Y12)."""

    message = "Of which company does the dummy get a share? {route} has these."


@frozen
class TakeShare(Action):
    """Take the top share of a company, for the seat or the dummy, depending on the decision (Y6, Y12)."""

    message = "Take a share"

    company: str


def on_offer(state: State, route: str) -> tuple[str, ...]:
    """The companies marked on a route that have a share left (Y6)."""
    piles = state.part(Shares).piles
    return tuple(mark for mark in state.rules.board.routes[route].marks if piles.get(mark))


def share_choice(state: State, seat: int, route: Route) -> Question:
    """The decision after a claim, if there is a share (Y6)."""
    companies = on_offer(state, route.id)
    return ShareChoice(seat, route.id, companies) if companies else ()


class TakeShareRule(ActionRule[ShareChoice, TakeShare]):
    """Take the top share of one company; with two players the dummy then gets one of the same route (Y6, Y12)."""

    on = ShareChoice
    action = TakeShare

    def offers(self, state: State, decision: ShareChoice) -> Sequence[TakeShare]:
        return [TakeShare(decision.seat, company) for company in decision.companies]

    def refusal(self, state: State, decision: ShareChoice, action: TakeShare) -> Refusal | None:
        if action.company in decision.companies:
            return None
        template = "{route} has shares left of {companies}, not of {company}"
        there, company = join_and(decision.companies), brief(action.company)
        return Refusal("Y6", Message(template, route=decision.route, companies=there, company=company))

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> Question:
        own = not isinstance(decision, DummyShareChoice)
        kind = ShareTaken if own else DummyShareTaken
        tx.emit(kind, action.seat, action.company, tx.state.part(Shares).piles[action.company][0])
        companies = on_offer(tx.state, decision.route)
        if own and tx.state.players == 2 and companies:
            return DummyShareChoice(action.seat, decision.route, companies)
        return ()


class TakeDummyShareRule(TakeShareRule):
    """Choose a share for the dummy (Y12)."""

    on = DummyShareChoice


class DeclineShareRule(PassRule[ShareChoice]):
    """Take no share (YR7)."""

    on = ShareChoice


class DeclineDummyShareRule(DeclineShareRule):
    """Give the dummy no share, if a ruling allows it (YR3)."""

    on = DummyShareChoice

    def refusal(self, state: State, decision: ShareChoice, action: Pass) -> Refusal | None:
        optional = state.rules.plugin(ShareOptions).dummy_share == "optional"
        return None if optional else Refusal("Y12", "a share must be chosen for the dummy")


RULES = (TakeShareRule(), TakeDummyShareRule(), DeclineShareRule(), DeclineDummyShareRule())


def turn_up(tx: Transaction) -> None:
    """At the end of the game, turn up a random half of the dummy's shares, rounded up (Y13, YR8)."""
    part = tx.state.part(Shares)
    half = tx.shuffled(part.dummy)[: (len(part.dummy) + 1) // 2]
    tx.emit(SharesTurnedUp, tuple(part.held), tuple(sorted(half)))
