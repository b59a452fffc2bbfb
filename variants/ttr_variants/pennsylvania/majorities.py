"""What shares are worth: the places in each company, and the shares of a table that is scored or arranged (Y8, Y9)."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules import Route, State, View
from ttr_rules.plugins import (
    ActionValue,
    Detail,
    GameData,
    KeyHelp,
    Message,
    PartSpec,
    Position,
    Report,
    ScoringTerm,
    TableEntry,
    Term,
    Transaction,
    brief,
    marked,
    plural,
)

from .shares import DummyShareChoice, DummyShareTaken, Lot, Share, Shares, ShareTaken, TakeShare, companies_of, start

DUMMY = -1
UNFIT = "not all of these shares can have come with the routes: one for each, of a company on it (Y6)"
PLACES = (marked("1st"), marked("2nd"), marked("3rd"), marked("4th"), marked("5th"))


def ranking(state: State, company: str) -> list[int]:
    """The seats that hold shares of a company, best first: most shares, then the lowest number among them (Y8).

    The dummy is `DUMMY`; until half of its shares are turned up, all of them count.
    """
    part = state.part(Shares)
    lots = {**dict(enumerate(part.held)), DUMMY: part.dummy if part.turned_up is None else part.turned_up}
    numbers = {seat: [number for name, number in lot if name == company] for seat, lot in lots.items()}
    return sorted(
        (seat for seat, held in numbers.items() if held), key=lambda seat: (-len(numbers[seat]), numbers[seat])
    )


def share_points(state: State, seat: int) -> Term:
    """What the companies pay a seat, company by company (Y8, Y9)."""
    details: list[Detail] = []
    lot = state.part(Shares).held[seat]
    for company in state.rules.derived(companies_of).values():
        order = ranking(state, company.id)
        if seat in order:
            place = order.index(seat)
            count = sum(name == company.id for name, _ in lot)
            one, many = "{company}, {count} share, {place}", "{company}, {count} shares, {place}"
            what = plural(one, many, count, company=company.name, place=Message(PLACES[place]))
            details.append(Detail(what, company.pays[place] if place < len(company.pays) else 0))
    return Term(sum(detail.points for detail in details), len(lot), tuple(details))


SHARES = ScoringTerm("shares", share_points, label="Shares")

# -- tables --------------------------------------------------------------------------------------------------------


def fits(lot: Sequence[Share], routes: Sequence[Route]) -> bool:
    """Whether each share can be matched to a different route that bears its company (Y6)."""
    given: dict[str, str] = {}

    def find(company: str, tried: set[str]) -> bool:
        for route in routes:
            if company in route.marks and route.id not in tried:
                tried.add(route.id)
                if route.id not in given or find(given[route.id], tried):
                    given[route.id] = company
                    return True
        return False

    return all(find(company, set()) for company, _ in lot)


def read_lot(tx: Transaction, entry: TableEntry, routes: Sequence[Route], report: Report) -> Lot:
    """Read shares, given as numbers by company, and check that they exist, are free, and fit the routes."""
    companies = tx.rules.derived(companies_of)
    called = {letters(name): each for each in companies.values() for name in (each.id, each.short, each.name)}
    piles = tx.state.part(Shares).piles
    found: list[Share] = []
    for written in entry.raw:
        company = called.get(letters(written))
        if company is None:
            there = ", ".join(each.short for each in companies.values())
            report.add(entry.place, f"no company {brief(written)}; there are {there}")
            continue
        for number in entry.listed(written, report):
            if type(number) is not int or not 0 < number <= company.shares:
                what = f"the shares of {company.name} are numbered 1 to {company.shares}, not {brief(number)} (Y5)"
                report.add(f"{entry.place}.{written}", what)
            elif number not in piles[company.id] or (company.id, number) in found:
                report.add(f"{entry.place}.{written}", f"share {number} of {company.name} is taken already (Y5)")
            else:
                found.append((company.id, number))
    if fits(found, routes):
        return tuple(sorted(found))
    report.add(entry.place, UNFIT)
    return ()


def letters(text: str) -> str:
    """A company name normalized for comparison: "B&O" is "bo"."""
    return "".join(each for each in text.casefold() if each.isalnum())


def arrange_shares(tx: Transaction, position: Position, report: Report) -> None:
    """Read `shares` of the players and, in a game of two, the dummy's under `parts.dummy`."""
    owners, routes = tx.state.owners, tx.rules.board.routes
    for player in position.players:
        entry = TableEntry(player.place, player.raw).table("shares", report)
        own = [routes[id] for id, seat in owners.items() if seat == player.seat]
        for company, number in read_lot(tx, entry, own, report):
            tx.emit(ShareTaken, player.seat, company, number)
    entry = position.part("dummy", report)
    if entry.raw and len(position.players) != 2:
        report.add(entry.place, f"there is a dummy with two players only, not with {len(position.players)} (Y12)")
    for company, number in read_lot(tx, entry, [routes[id] for id in owners], report):
        tx.emit(DummyShareTaken, 0, company, number)


PART = PartSpec(
    Shares,
    start,
    ("shares",),
    arrange_shares,
    ("dummy",),
    key_help={"shares": KeyHelp("The numbers of this player's shares, by company.", "{{prr = [1], bo = [2]}}")},
)

# -- bots ----------------------------------------------------------------------------------------------------------


def worth(view: View, rules: GameData, action: TakeShare) -> float:
    """What a share may be worth: more in a company where the seat has shares; for the dummy, in another one (Y9)."""
    assert view.seat is not None
    own = sum(company == action.company for company, _ in view.part(Shares).held[view.seat])
    company = rules.derived(companies_of)[action.company]
    return 1 / (1 + own) if isinstance(view.decision, DummyShareChoice) else sum(company.pays) / company.shares + own


HINT = ActionValue(TakeShare, worth)
