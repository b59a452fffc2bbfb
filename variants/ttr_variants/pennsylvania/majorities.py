"""What shares are worth: the places in each company (Y8, Y9)."""

from __future__ import annotations

from ttr_rules import State, View
from ttr_rules.plugins import ActionValue, Detail, Message, Rules, ScoringTerm, Term, marked, plural

from .shares import Shares, companies_of
from .taking import DummyShareChoice, TakeShare

DUMMY = -1
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

# -- bots ----------------------------------------------------------------------------------------------------------


def worth(view: View, rules: Rules, action: TakeShare) -> float:
    """What a share may be worth: more in a company where the seat has shares; for the dummy, in another one (Y9)."""
    assert view.seat is not None
    own = sum(company == action.company for company, _ in view.part(Shares).held[view.seat])
    company = rules.derived(companies_of)[action.company]
    return 1 / (1 + own) if isinstance(view.decision, DummyShareChoice) else sum(company.pays) / company.shares + own


HINT = ActionValue(TakeShare, worth)
