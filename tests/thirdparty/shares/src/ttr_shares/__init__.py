"""Shares: who claims a route takes a share of one of three companies, unseen; at the end the companies pay by rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, frozen

from ttr_rules import Action, Decision, Event, Refusal, State
from ttr_rules.events import Unknown
from ttr_rules.model import Dealer
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    GameData,
    KeyHelp,
    Part,
    PartSpec,
    PluginInfo,
    Position,
    Report,
    ScoringTerm,
    Term,
    Transaction,
    View,
    after_claim,
    hookimpl,
    public,
    secret,
    secret_by_seat,
)

info = PluginInfo("shares", "Shares", "A share for every claimed route.")
COMPANIES = ("north", "south", "coast")
EACH, PAYS = 12, (8, 4)


@define(eq=False)
class Shares(Part):
    """How many shares are left in all, and whose are whose."""

    left: int = public(default=EACH * len(COMPANIES), label="Shares left")
    held: list[tuple[str, ...]] = secret_by_seat(factory=list, label="Shares")

    def sample_hidden(self, view: View, dealer: Dealer, rules: GameData) -> None:
        shown = view.part(Shares)
        self.left = shown.left
        lots: list[object] = list(shown.held)
        own = [share for lot in lots if isinstance(lot, tuple) for share in lot]
        pool = dealer.shuffled([name for name in COMPANIES for _ in range(EACH - own.count(name))])
        for seat, lot in enumerate(lots):
            if isinstance(lot, Unknown):
                count = lot.count or 0
                self.held[seat], pool = pool[:count], pool[count:]
            else:
                self.held[seat] = shown.held[seat]


def arrange(tx: Transaction, position: Position, report: Report) -> None:
    for player in position.players:
        for number, company in enumerate(player.listed("shares", report)):
            if company in COMPANIES:
                tx.emit(ShareTaken, player.seat, company)
            else:
                report.add(f"{player.place}.shares[{number}]", f"there is no company {company!r}")


def start(rules: GameData, players: int) -> Part:
    return Shares(held=[()] * players)


@frozen
class ShareChoice(Decision):
    """Which company to take a share of."""

    public = True
    message = "Which company do you take a share of?"
    route: str


@frozen
class TakeShare(Action):
    """Take a share of a company."""

    message = "Take a share"
    company: str


@frozen
class ShareTaken(Event):
    """A seat took a share; of which company is its secret."""

    message = "{seat} takes a share"
    seat: int
    company: str | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, company: str) -> None:
        part = state.part(Shares)
        part.left -= 1
        part.held[seat] += (company,)


class TakeShareRule(ActionRule[ShareChoice, TakeShare]):
    on = ShareChoice
    action = TakeShare

    def offers(self, state: State, decision: ShareChoice) -> Sequence[TakeShare]:
        mine = state.part(Shares).held[decision.seat]
        return [TakeShare(decision.seat, name) for name in COMPANIES if mine.count(name) < EACH // 3]

    def refusal(self, state: State, decision: ShareChoice, action: TakeShare) -> Refusal | None:
        if action in self.offers(state, decision):
            return None
        return Refusal("shares", "no share of such a company can be taken")

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> None:
        tx.emit(ShareTaken, action.seat, action.company)
        after_claim(tx, action.seat, decision.route, TAKING)


def ask(tx: Transaction, seat: int, route: str) -> bool:
    if len(tx.state.part(Shares).held[seat]) >= EACH:
        return False
    tx.ask(ShareChoice(seat, route))
    return True


TAKING = AfterClaim("shares", ask)


def score(state: State, seat: int) -> Term:
    held = state.part(Shares).held
    points = 0
    for company in COMPANIES:
        mine = held[seat].count(company)
        better = sum(lot.count(company) > mine for lot in held)
        points += PAYS[better] if mine and better < len(PAYS) else 0
    return Term(points, len(held[seat]))


@hookimpl
def state_parts() -> Iterable[PartSpec]:
    help = KeyHelp("The shares of this player, by the names of the companies.", '["north"]')
    return (PartSpec(Shares, start, ("shares",), arrange, key_help={"shares": help}),)


@hookimpl
def action_rules() -> Iterable[ActionRule[Any, Any]]:
    return (TakeShareRule(),)


@hookimpl
def event_types() -> Iterable[type[Event]]:
    return (ShareTaken,)


@hookimpl
def after_claims() -> Iterable[AfterClaim]:
    return (TAKING,)


@hookimpl
def scoring_terms() -> Iterable[ScoringTerm]:
    return (ScoringTerm("shares", score, label="Shares"),)
