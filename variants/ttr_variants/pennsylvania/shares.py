"""Shares: taken after a claim, hidden until the end; with two players a dummy takes some too (Y5–Y7, Y12, Y13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Literal, cast

from attrs import define, frozen

from ttr_rules import Action, Decision, Event, InvalidInputError, Pass, Refusal, State, View
from ttr_rules.events import Unknown
from ttr_rules.model import Dealer
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    Ending,
    GameData,
    Message,
    Part,
    PassRule,
    Transaction,
    after_claim,
    anded,
    brief,
    counted,
    events_in,
    marked,
    option,
    public,
    secret_by_seat,
)

#: A share, by its company and its number; and several of them, in that order.
Share = tuple[str, int]
Lot = tuple[Share, ...]


@frozen
class ShareOptions:
    """The rulings about shares."""

    dummy_share: Literal["compulsory", "optional"] = option(
        "compulsory", "optional", rule="YR3", meaning="whether the dummy must get a share when one is left for it"
    )
    open_shares: bool = option(
        False, True, rule="YR5", meaning="whether everybody sees which shares the others have, not only how many"
    )


@frozen
class Company:
    """A company of the map: how many shares it has, numbered from 1, and what its places pay at the end, best first."""

    id: str
    short: str
    name: str
    shares: int
    pays: tuple[int, ...]


def companies_of(rules: GameData) -> Mapping[str, Company]:
    """The companies of a map by id, from `extra.companies`; empty if there are none.

    Raises `InvalidInputError` for rows that do not describe companies.
    """
    rows = rules.board.extra.get("companies", ())
    try:
        found = [
            Company(row["id"], row["short"], row["name"], int(row["shares"]), tuple(map(int, row["pays"])))
            for row in rows
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(
            f"extra.companies of the board {rules.board.name}: a company has id, short, name, shares (a number) and pays "
            f"(numbers); {type(error).__name__}: {error}"
        ) from error
    return {company.id: company for company in found}


# -- the state ---------------------------------------------------------------------------------------------------


@define(eq=False, repr=False)
class Shares(Part):
    """Who has which shares. The order in which they were taken does not matter, so every lot is sorted.

    `piles` are the numbers left of each company, top first; `held` the shares of each seat, secret until the end;
    `dummy` those of the dummy; `turned_up` those of them that count, None until the end. `open_to_all` is a ruling
    (YR5).
    """

    piles: dict[str, tuple[int, ...]] = public(factory=dict, label="Shares left")
    held: list[Lot] = secret_by_seat(factory=list, label="Shares")
    dummy: Lot = counted(default=(), label="Shares of the dummy")
    turned_up: Lot | None = public(default=None, label="Turned up")
    open_to_all: bool = public(default=False, label="")

    def seen_by(self, seat: int | None) -> Shares:
        shown = cast("Shares", Part.seen_by(self, seat))
        if self.open_to_all or self.turned_up is not None:
            shown.held = self.held.copy()
        if self.open_to_all:
            shown.dummy = self.dummy
        return shown

    def validate(self) -> str | None:
        left = [(company, number) for company, pile in self.piles.items() for number in pile]
        everywhere = [*left, *self.dummy, *chain(*self.held)]
        return "a share is in two places (Y5)" if len(set(everywhere)) < len(everywhere) else None

    def sample_hidden(self, view: View, dealer: Dealer, rules: GameData) -> None:
        shown = view.part(Shares)
        lots: list[Lot | Unknown] = [*shown.held, shown.dummy]
        taken = {(company, number) for company, pile in self.piles.items() for number in pile}
        taken -= {(company, number) for company, pile in shown.piles.items() for number in pile}
        taken -= {share for lot in lots if isinstance(lot, tuple) for share in lot}
        rest = list(dealer.shuffled(sorted(taken)))
        if len(rest) != sum(lot.count or 0 for lot in lots if isinstance(lot, Unknown)):
            raise InvalidInputError("this view does not fit together: not every share is in one place")
        *self.held, self.dummy = [
            tuple(sorted(rest.pop() for _ in range(lot.count or 0))) if isinstance(lot, Unknown) else lot
            for lot in lots
        ]
        self.piles, self.turned_up = shown.piles.copy(), shown.turned_up


def start(rules: GameData, players: int) -> Shares:
    """The start of a game: all shares on their piles, number 1 on top (Y5)."""
    piles = {company.id: tuple(range(1, company.shares + 1)) for company in rules.derived(companies_of).values()}
    return Shares(piles, [()] * players, open_to_all=rules.plugin(ShareOptions).open_shares)


def take(part: Shares, company: str, number: int, lot: Lot) -> Lot:
    """Add a share to a lot and remove it from its pile."""
    part.piles[company] = tuple(each for each in part.piles[company] if each != number)
    return tuple(sorted([*lot, (company, number)]))


@frozen
class ShareTaken(Event):
    """A seat took a share from the top of a pile, in public (Y6)."""

    message = "{seat} takes share {number} of {company}"

    seat: int
    company: str
    number: int

    @staticmethod
    def effect(state: State, seat: int, company: str, number: int) -> None:
        part = state.part(Shares)
        part.held[seat] = take(part, company, number, part.held[seat])


@frozen
class DummyShareTaken(ShareTaken):
    """A seat chose a share for the dummy (Y12)."""

    message = "{seat} gives the dummy share {number} of {company}"

    @staticmethod
    def effect(state: State, seat: int, company: str, number: int) -> None:
        part = state.part(Shares)
        part.dummy = take(part, company, number, part.dummy)


@frozen
class SharesTurnedUp(Event):
    """The game is over: all shares of the players are revealed, and the dummy's shares that count (Y7, Y13)."""

    message = "the shares are turned up"

    held: tuple[Lot, ...]
    dummy: Lot

    @staticmethod
    def effect(state: State, held: tuple[Lot, ...], dummy: Lot) -> None:
        state.part(Shares).turned_up = dummy


EVENTS = events_in(globals())

# -- decisions -----------------------------------------------------------------------------------------------------


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


def ask_share(tx: Transaction, seat: int, route: str) -> bool:
    """Open the share decision after a claim, if there is a share (Y6)."""
    companies = on_offer(tx.state, route)
    if companies:
        tx.ask(ShareChoice(seat, route, companies))
    return bool(companies)


AFTER_CLAIM = AfterClaim("shares", ask_share)


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
        there, company = anded(decision.companies), brief(action.company)
        return Refusal("Y6", Message(template, route=decision.route, companies=there, company=company))

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> None:
        own = not isinstance(decision, DummyShareChoice)
        kind = ShareTaken if own else DummyShareTaken
        tx.emit(kind, action.seat, action.company, tx.state.part(Shares).piles[action.company][0])
        companies = on_offer(tx.state, decision.route)
        if own and tx.state.players == 2 and companies:
            tx.ask(DummyShareChoice(action.seat, decision.route, companies))
        else:
            after_claim(tx, action.seat, decision.route, AFTER_CLAIM)


class TakeDummyShareRule(TakeShareRule):
    """Choose a share for the dummy (Y12)."""

    on = DummyShareChoice


class DeclineShareRule(PassRule[ShareChoice]):
    """Take no share (YR7)."""

    on = ShareChoice

    def perform(self, tx: Transaction, decision: ShareChoice, action: Pass) -> None:
        after_claim(tx, action.seat, decision.route, AFTER_CLAIM)


class DeclineDummyShareRule(DeclineShareRule):
    """Give the dummy no share, if a ruling allows it (YR3)."""

    on = DummyShareChoice

    def refusal(self, state: State, decision: ShareChoice, action: Pass) -> Refusal | None:
        optional = state.rules.plugin(ShareOptions).dummy_share == "optional"
        return None if optional else Refusal("Y12", "a share must be chosen for the dummy")


RULES = (TakeShareRule(), TakeDummyShareRule(), DeclineShareRule(), DeclineDummyShareRule())


def turn_up(tx: Transaction, reason: str) -> bool:
    """At the end of the game, turn up a random half of the dummy's shares, rounded up (Y13, YR8)."""
    part = tx.state.part(Shares)
    if part.turned_up is None:
        half = tx.shuffled(part.dummy)[: (len(part.dummy) + 1) // 2]
        tx.emit(SharesTurnedUp, tuple(part.held), tuple(sorted(half)))
    return False


TURN_UP = Ending("shares", turn_up)
