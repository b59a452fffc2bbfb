"""Shares: who claims a route takes a share of one of three companies, unseen; at the end the companies pay by rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ttr_rules import Action, Decision, Event, Refusal, Route, State
from ttr_rules.events import Unknown
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    ActionRule,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hookimpl,
    known,
    public,
    secret,
)

COMPANIES = ("north", "south", "coast")
EACH, PAYS = 12, (8, 4)


class Shares(Part):
    """How many shares are left in all, and whose are whose."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "shares": KeyHelp("The shares of this player, by the names of the companies.", '["north"]')
    }

    left: int = public(default=EACH * len(COMPANIES), label="Shares left")
    held: list[tuple[str, ...]] = by_seat(pool="shares", label="Shares")

    def box(self, rules: Rules) -> Mapping[str, Iterable[str]]:
        return {"shares": [name for name in COMPANIES for _ in range(EACH)]}

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        for player in position.players:
            for place, company in player.entries("shares", report):
                if company in COMPANIES:
                    tx.emit(ShareTaken, player.seat, company)
                else:
                    report.add(place, f"there is no company {company!r}")


class ShareChoice(Decision):
    """Which company to take a share of."""

    public = True
    message = "Which company do you take a share of?"
    route: str


class TakeShare(Action):
    """Take a share of a company."""

    message = "Take a share"
    company: str


class ShareTaken(Event):
    """A seat took a share; of which company is its secret."""

    message = "{seat} takes a share"
    seat: int
    company: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        part = state.part(Shares)
        part.left -= 1
        part.held[self.seat] += (known(self.company),)


def most(state: State) -> int:
    """How many shares of a company a seat may take: so many that nobody needs to know who took which."""
    return EACH // max(state.players, len(COMPANIES))


class TakeShareRule(ActionRule[ShareChoice, TakeShare]):
    def offers(self, state: State, decision: ShareChoice) -> Sequence[TakeShare]:
        mine = state.part(Shares).held[decision.seat]
        return [TakeShare(decision.seat, name) for name in COMPANIES if mine.count(name) < most(state)]

    def refusal(self, state: State, decision: ShareChoice, action: TakeShare) -> Refusal | None:
        if action in self.offers(state, decision):
            return None
        return Refusal("shares", "no share of such a company can be taken")

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> None:
        tx.emit(ShareTaken, action.seat, action.company)


def score(state: State, seat: int) -> Score:
    held = state.part(Shares).held
    points = 0
    for company in COMPANIES:
        mine = held[seat].count(company)
        better = sum(lot.count(company) > mine for lot in held)
        points += PAYS[better] if mine and better < len(PAYS) else 0
    return Score(points, len(held[seat]))


class SharesVariant(Variant, name="shares"):
    """Shares: a share for every claimed route."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Shares,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (TakeShareRule(),)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        full = len(tx.state.part(Shares).held[seat]) >= most(tx.state) * len(COMPANIES)
        return () if full else ShareChoice(seat, route.id)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("shares", score, label="Shares"),)
