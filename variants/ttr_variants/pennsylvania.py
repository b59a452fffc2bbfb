"""Pennsylvania: shares of railway companies, taken with routes and counted at the end (Y1–Y14).

A share is taken after a claim and hidden until the end. With two players a dummy takes some too (Y5–Y7, Y12, Y13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import ClassVar, Literal

from attrs import evolve, frozen

import ttr_maps
from ttr_rules import Action, Board, Event, Refusal, Route, State, View
from ttr_rules.boards import read_extra
from ttr_rules.hints import RouteNote
from ttr_rules.language import Message, join_commas, join_or, marked, plural
from ttr_rules.model import Dealer
from ttr_rules.parts import KeyHelp, Position, Report, TableEntry
from ttr_rules.plugins import (
    Below,
    Bonus,
    Choice,
    Components,
    Deal,
    DrawCounts,
    KeepAtLeast,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Stage,
    TieBreak,
    Transaction,
    Variant,
    always,
    by_seat,
    hidden,
    hookimpl,
    option,
    public,
)
from ttr_rules.scores import LONGER_PATH, LONGEST_PATH, MORE_TICKETS, MOST_TICKETS, TIE_BREAK_P5, Detail
from ttr_rules.text import brief

#: A share, by its company and its number; and several of them, in that order.
Share = tuple[str, int]
Lot = tuple[Share, ...]
#: Stands for the dummy where a seat is expected.
DUMMY = -1
UNFIT = "not all of these shares can have come with the routes: one for each, of a company on it (Y6)"


@frozen
class Company:
    """A company of the map: how many shares it has, numbered from 1, and what its places pay at the end, best first."""

    id: str
    short: str
    name: str
    shares: int
    pays: tuple[int, ...]


def read_companies(rules: Rules) -> Mapping[str, Company]:
    """The companies of a map by id, from `extra.companies`, if it has any."""
    return {company.id: company for company in read_extra(rules.board, "companies", list[Company])}


# -- the state ---------------------------------------------------------------------------------------------------


class Shares(Part):
    """The shares of all players. The order in which they were taken does not matter, so every lot is sorted.

    `piles` are the numbers left of each company, top first. `held` are the shares of each seat, secret until the end,
    and `dummy` those of the dummy. `turned_up` are the dummy's shares that count, None until the end. `open_to_all` is a
    ruling (YR5).
    """

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "shares": KeyHelp("The numbers of this player's shares, by company.", "{{prr = [1], bo = [1]}}"),
    }
    part_keys: ClassVar[Mapping[str, KeyHelp]] = {
        "dummy": KeyHelp("With two players: the dummy's shares that were turned up, by company.", "{{prr = [2]}}"),
    }

    piles: dict[str, tuple[int, ...]] = public(pool="shares", label="Shares left")
    held: list[Lot] = by_seat(pool="shares", label="Shares")
    dummy: Lot = hidden(pool="shares", label="Shares of the dummy")
    turned_up: Lot | None = public(default=None, label="Turned up")
    open_to_all: bool = public(default=False, label="")

    @classmethod
    def start(cls, rules: Rules, players: int) -> Shares:
        """All shares on their piles, number 1 on top (Y5)."""
        part = super().start(rules, players)
        companies = rules.derived(read_companies)
        part.piles = {id: tuple(range(1, company.shares + 1)) for id, company in companies.items()}
        part.open_to_all = rules.plugin(Pennsylvania).open_shares
        return part

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read `shares` of the players and, in a game of two, the dummy's under `parts.dummy`."""
        known = len(report.problems)
        routes = [(tx.rules.board.routes[id], seat) for id, seat in tx.state.owners.items()]
        for player in position.players:
            entry = player.table("shares", report)
            lot = read_lot(tx, entry, report)
            if not from_routes(lot, [route for route, seat in routes if seat == player.seat]):
                report.add(entry.place, UNFIT)
                continue
            for company, number in lot:
                tx.emit(ShareTaken, player.seat, company, number)
        entry = position.part("dummy", report)
        if entry.raw and len(position.players) != 2:
            report.add(entry.place, f"there is a dummy with two players only, not with {len(position.players)} (Y12)")
        for company, number in read_lot(tx, entry, report):
            tx.emit(DummyShareTaken, 0, company, number)
        if len(report.problems) == known:
            _check_takings(tx, entry, routes, report)

    def hides(self, field: str, owner: int | None, seat: int | None) -> bool:
        if self.open_to_all or (field == "held" and self.turned_up is not None):
            return False
        return super().hides(field, owner, seat)

    def validate(self, rules: Rules) -> str | None:
        left = [(company, number) for company, pile in self.piles.items() for number in pile]
        everywhere = [*left, *self.dummy, *chain(*self.held)]
        return "a share is in two places (Y5)" if len(set(everywhere)) < len(everywhere) else None

    def box(self, rules: Rules) -> Mapping[str, Iterable[Share]]:
        companies = rules.derived(read_companies)
        return {
            "shares": [(id, number) for id, company in companies.items() for number in range(1, company.shares + 1)]
        }

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        *self.held, self.dummy = [tuple(sorted(lot)) for lot in (*self.held, self.dummy)]

    def take(self, seat: int, company: str, number: int) -> None:
        """The effect of `ShareTaken`."""
        self.held[seat] = self._add_share(self.held[seat], company, number)

    def take_for_dummy(self, seat: int, company: str, number: int) -> None:
        """The effect of `DummyShareTaken`."""
        self.dummy = self._add_share(self.dummy, company, number)

    def _add_share(self, lot: Lot, company: str, number: int) -> Lot:
        """A lot with a share that is taken from its pile."""
        self.piles[company] = tuple([other for other in self.piles[company] if other != number])
        return tuple(sorted((*lot, (company, number))))


class ShareTaken(Event):
    """A seat took a share from the top of a pile, in public (Y6)."""

    message = "{seat} takes share {number} of {company}"

    seat: int
    company: str
    number: int

    effect = Shares.take


class DummyShareTaken(ShareTaken):
    """A seat chose a share for the dummy (Y12)."""

    message = "{seat} gives the dummy share {number} of {company}"

    effect = Shares.take_for_dummy


class SharesTurnedUp(Event):
    """The game is over: all shares of the players are revealed, and the dummy's shares that count (Y7, Y13)."""

    message = "the shares are turned up"

    held: tuple[Lot, ...]
    dummy: Lot

    def apply(self, state: State) -> None:
        state.part(Shares).turned_up = self.dummy


# -- tables --------------------------------------------------------------------------------------------------------


def from_routes(lot: Lot, routes: Sequence[Route]) -> bool:
    """Return True if each share can have come with a different route that bears its company (Y6)."""
    share_of: dict[str, int] = {}

    def place(share: int, tried: set[str]) -> bool:
        for route in routes:
            if lot[share][0] in route.marks and route.id not in tried:
                tried.add(route.id)
                if route.id not in share_of or place(share_of[route.id], tried):
                    share_of[route.id] = share
                    return True
        return False

    return all(place(share, set()) for share in range(len(lot)))


def read_lot(tx: Transaction, entry: TableEntry, report: Report) -> Lot:
    """Read shares, given as numbers by company, and check that they exist and are free."""
    companies = tx.rules.derived(read_companies)
    called = {
        letters(name): company for company in companies.values() for name in (company.id, company.short, company.name)
    }
    piles = tx.state.part(Shares).piles
    lot: list[Share] = []
    for written in entry.raw:
        company = called.get(letters(written))
        if company is None:
            known = ", ".join(company.short for company in companies.values())
            report.add(entry.place, f"no company {brief(written)}; there are {known}")
            continue
        for _, number in entry.entries(written, report):
            if type(number) is not int or not 0 < number <= company.shares:
                what = f"the shares of {company.name} are numbered 1 to {company.shares}, not {brief(number)} (Y5)"
                report.add(entry.under(written), what)
            elif number not in piles[company.id] or (company.id, number) in lot:
                report.add(entry.under(written), f"share {number} of {company.name} is taken already (Y5)")
            else:
                lot.append((company.id, number))
    return tuple(sorted(lot))


def letters(text: str) -> str:
    """A company name normalized for comparison: "B&O" is "bo"."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _check_takings(tx: Transaction, entry: TableEntry, routes: Sequence[tuple[Route, int]], report: Report) -> None:
    """Report shares that lay under others and nobody has, and a wrong number of the dummy's shares (Y6, Y12, Y13)."""
    part = tx.state.part(Shares)
    missing = missing_shares(tx)
    scored = not tx.state.stage  # a finished table lists the dummy's shares that were turned up, a position all of them
    if len(missing) > (len(part.dummy) if scored else 0):
        for id in dict.fromkeys(company for company, _ in missing):
            numbers = join_commas([number for company, number in missing if company == id])
            name = tx.rules.derived(read_companies)[id].name
            report.add("", f"shares are taken from the top of a pile: who has {numbers} of {name}? (Y5, Y6)")
        return
    taken, known = sum(map(len, part.held)), len(part.dummy) + len(missing)
    if tx.state.players == 2 and not _fits_number(tx, known, routes, scored=scored):
        turned_up = f", of which {(taken + 1) // 2} are turned up (Y13)" if scored else ""
        report.add(
            entry.place,
            f"with each of the {taken} shares of the players the dummy got one (Y12, YR3): it has {taken}{turned_up}, "
            f"not {len(part.dummy)}",
        )


def _fits_number(tx: Transaction, known: int, routes: Iterable[tuple[Route, int]], *, scored: bool) -> bool:
    """Return True if the dummy can have as many shares as are listed: one with each of the players' (Y12, YR3).

    `known` of its shares have a number. Of a finished table, half of all are listed, rounded up (Y13).
    """
    part = tx.state.part(Shares)
    taken, listed = sum(map(len, part.held)), len(part.dummy)
    optional = tx.rules.plugin(Pennsylvania).dummy_share == "optional"
    for count in (2 * listed - 1, 2 * listed) if scored and listed else (listed,):
        if known <= count <= taken:
            # The dummy gets none where the companies of a route have none left, the shares without a number counted.
            empty = sum(sum(len(part.piles.get(id, ())) for id in route.marks) <= count - listed for route, _ in routes)
            if optional or taken - count <= empty:
                return True
    return False


def missing_shares(tx: Transaction) -> Lot:
    """The shares that are nowhere though shares that lay under them are taken."""
    companies = tx.rules.derived(read_companies)
    return tuple(
        (id, number)
        for id, pile in tx.state.part(Shares).piles.items()
        for number in pile
        if number < companies[id].shares - pile[::-1].index(number)
    )


class TakeShare(Action):
    """Take the top share of a company, for the seat or the dummy, depending on the decision (Y6, Y12)."""

    message = "Take a share"

    company: str


class ShareChoice(Choice[str]):
    """From which company of the route just claimed to take a share, if any (Y6, YR7)."""

    action = TakeShare
    public = True
    message = "You claimed {route}. Of which company do you take a share?"
    passing = marked("Take no share")

    route: str
    companies: tuple[str, ...]

    def options(self, state: State) -> Sequence[str]:
        return self.companies

    def chosen(self, tx: Transaction, option: str) -> Question:
        """Take it. With two players the dummy then gets one of the same route (Y12)."""
        tx.emit(ShareTaken, self.seat, option, tx.state.part(Shares).piles[option][0])
        companies = on_offer(tx.state, self.route) if tx.state.players == 2 else ()
        return DummyShareChoice(self.seat, self.route, companies) if companies else ()

    def worth(self, view: View, rules: Rules, option: str) -> float:
        """The likely worth of a share: more in a company where the seat has shares (Y9)."""
        company = rules.derived(read_companies)[option]
        return sum(company.pays) / company.shares + self.own(view, option)

    def own(self, view: View, company: str) -> int:
        """The number of shares of a company that the seat has."""
        return sum(share[0] == company for share in view.part(Shares).held[self.seat])


class DummyShareChoice(ShareChoice):
    """From which company of the same route the dummy gets a share (Y12)."""

    message = "Of which company does the dummy get a share? {route} has these."

    def chosen(self, tx: Transaction, option: str) -> Question:
        tx.emit(DummyShareTaken, self.seat, option, tx.state.part(Shares).piles[option][0])
        return ()

    def worth(self, view: View, rules: Rules, option: str) -> float:
        """More in a company where the seat has no shares."""
        return 1 / (1 + self.own(view, option))

    def pass_refusal(self, state: State) -> Refusal | None:
        """None is taken only if a ruling allows it (YR3)."""
        optional = state.rules.plugin(Pennsylvania).dummy_share == "optional"
        return None if optional else Refusal("Y12", "a share must be chosen for the dummy")


def on_offer(state: State, route: str) -> tuple[str, ...]:
    """The companies marked on a route that have a share left (Y6)."""
    piles = state.part(Shares).piles
    return tuple([mark for mark in state.rules.board.routes[route].marks if piles.get(mark)])


PLACES = [Message(place) for place in (marked("1st"), marked("2nd"), marked("3rd"), marked("4th"), marked("5th"))]


def holders(state: State) -> dict[str, dict[int, list[int]]]:
    """The seats that hold shares of each company, with the numbers of these.

    The dummy is `DUMMY`. Until half of its shares are turned up, all of them count.
    """
    part = state.part(Shares)
    numbers: dict[str, dict[int, list[int]]] = {}
    for seat, lot in (*enumerate(part.held), (DUMMY, part.dummy if part.turned_up is None else part.turned_up)):
        for company, number in lot:
            numbers.setdefault(company, {}).setdefault(seat, []).append(number)
    return numbers


@cache
def _place(company: Company, count: int, place: int) -> Detail:
    """The line of a company, with what a place there pays."""
    one, many = "{company}, {count} share, {place}", "{company}, {count} shares, {place}"
    what = plural(one, many, count, company=company.name, place=PLACES[place])
    return Detail(what, company.pays[place] if place < len(company.pays) else 0)


def share_points(state: State, seat: int) -> Score:
    """The points that companies pay a seat, one by one: for most shares, then the lowest number (Y8, Y9)."""
    details: list[Detail] = []
    by_company = holders(state)
    for company in state.rules.derived(read_companies).values():
        numbers = by_company.get(company.id, {})
        if seat in numbers:
            ranks = sorted([(-len(held), held) for held in numbers.values()])
            count = len(numbers[seat])
            details.append(_place(company, count, ranks.index((-count, numbers[seat]))))
    return Score(sum([detail.points for detail in details]), len(state.part(Shares).held[seat]), tuple(details))


SHARES = ScoringTerm("shares", share_points, label="Shares")

# -- the variant ----------------------------------------------------------------------------------------------


class Pennsylvania(Variant, name="pennsylvania", title="Pennsylvania"):
    """Shares of companies, taken with routes; majorities at the end.

    For two to five players; with two of them a dummy takes shares too.

    >>> Pennsylvania(open_shares=True).info.title
    'Pennsylvania'
    """

    rulebook = "pennsylvania.toml"
    legend = (
        "Tags on routes are companies, of which a claim brings a share: BO Baltimore and Ohio, BR Buffalo Rochester and "
        "Pittsburgh, ER Erie Lackawanna, JC Jersey Central Lines, LV Lehigh Valley, NY New York Central System, "
        "PR Pennsylvania Railroad, RE Reading Lines, WM Western Maryland."
    )

    dummy_share: Literal["compulsory", "optional"] = option(
        "compulsory", "optional", rule="YR3", meaning="whether the dummy must get a share when one is left for it"
    )
    open_shares: bool = option(
        False, True, rule="YR5", meaning="whether everybody sees which shares the others have, not only how many"
    )
    doubles_from: Literal[4, 2, 3] = option(
        4, 2, 3, rule="YR1", meaning="from how many players on both routes of a double may be used"
    )
    longest_path: bool = option(False, True, rule="YR2", meaning="whether the longest path brings 10 points")
    tie_break: Literal["P5", "path"] = option(
        "P5",
        "path",
        rule="YR4",
        meaning="what breaks a tie after the completed tickets: nothing, or the longer path",
    )

    board = always(ttr_maps.load("pennsylvania"))
    # Five tickets, at least three kept, the others under the pile (Y2).
    setup = always((Stage(deals=(Deal("regular", 5),), keep=KeepAtLeast(3), under="regular", rule="Y2"),))
    draw_counts = always(DrawCounts(drawn=4))
    parts = always((Shares,))
    scoring = always((SHARES,))

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return Components(doubles_from=self.doubles_from)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question:
        """A share of a company on the route may be taken (Y6)."""
        companies = on_offer(tx.state, route.id)
        return ShareChoice(seat, route.id, companies) if companies else ()

    @hookimpl
    def on_game_end(self, tx: Transaction) -> None:
        """A random half of the dummy's shares, rounded up, is turned up (Y13, YR8)."""
        part = tx.state.part(Shares)
        half = tx.shuffled(part.dummy)[: (len(part.dummy) + 1) // 2]
        tx.emit(SharesTurnedUp, tuple(part.held), tuple(sorted(half)))

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        """Fifteen points for the most completed tickets.

        The longest path scores only if a ruling says so (Y10, YR2).
        """
        return (evolve(MOST_TICKETS, points=15, label="Globetrotter"), *([LONGEST_PATH] if self.longest_path else []))

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        """As P5, whose second step has no effect if nobody holds the longest path (Y14)."""
        return (MORE_TICKETS, LONGER_PATH) if self.tie_break == "path" else TIE_BREAK_P5

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        """The initials of the companies on each route."""
        companies = rules.derived(read_companies)
        for route in rules.board.routes.values():
            if on_route := [companies[mark] for mark in route.marks if mark in companies]:
                initials = " ".join(company.short[:2].upper() for company in on_route)
                names = join_or([company.name for company in on_route])
                yield RouteNote(route.id, initials, Message("share of {companies}", companies=names))
