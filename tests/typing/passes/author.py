"""A plugin with options, an action, a question, an event, a part of the state, points, marks and words of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from attrs import evolve

from ttr_rules import (
    Action,
    Board,
    Decision,
    DrawBlind,
    DrawFaceUp,
    DrawTickets,
    Event,
    FinalScores,
    Refusal,
    Route,
    State,
    Turn,
    View,
    compile_rules,
    playout,
)
from ttr_rules.events import Unknown
from ttr_rules.hints import BotHint, CityNote, DrawHint, MapMark, RouteNote
from ttr_rules.model import Dealer
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Bonus,
    Components,
    Cost,
    DrawCounts,
    Economy,
    EconomyLayer,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Setup,
    TicketDeck,
    TieBreak,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    option,
    public,
    secret,
    tryfirst,
    trylast,
)
from ttr_rules.scores import Loan


class Diaries(Part):
    """Pages that each seat has written, secret to it, and how often it wrote."""

    written: list[int] = public(each=0)
    pages: list[tuple[str, ...] | Unknown] = by_seat()
    blank: tuple[str, ...] = hidden()
    sealed: list[int | Unknown] = by_seat(each=3)

    def validate(self, rules: Rules) -> str | None:
        return "a page was never written" if min(self.written, default=0) < 0 else None

    def box(self, rules: Rules) -> Mapping[str, Sequence[str]]:
        return {"paper": ["today", "nothing"]}

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        self.blank = dealer.shuffled(self.blank)


class Ink(Decision):
    """Which ink to write with."""

    page: str


class Write(Action):
    """Write a page."""

    page: str


class Dip(Action):
    """Dip the pen."""

    color: str


class PageWritten(Event):
    """A seat wrote a page."""

    seat: int
    page: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        diaries = state.part(Diaries)
        diaries.written[self.seat] += 1
        diaries.pages[self.seat] = (*known(diaries.pages[self.seat]), known(self.page))


class WriteRule(ActionRule[Turn, Write]):
    """Anybody may write once a turn."""

    on = Turn
    action = Write

    def offers(self, state: State, decision: Turn) -> Sequence[Write]:
        return [Write(decision.seat, "today"), Write(decision.seat, "nothing")]

    def refusal(self, state: State, decision: Turn, action: Write) -> Refusal | None:
        return None if action.page else Refusal("diary", "an empty page")

    def perform(self, tx: Transaction, decision: Turn, action: Write) -> Question:
        return Ink(action.seat, action.page) if action.page == "today" else ()


class DipRule(ActionRule[Ink, Dip]):
    """The page is written with one ink or another."""

    on = Ink
    action = Dip

    def offers(self, state: State, decision: Ink) -> Sequence[Dip]:
        return [Dip(decision.seat, "blue")]

    def refusal(self, state: State, decision: Ink, action: Dip) -> Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: Ink, action: Dip) -> None:
        tx.emit(PageWritten, action.seat, decision.page)


def worth(state: State, seat: int) -> Score:
    """A point a page."""
    return Score(state.part(Diaries).written[seat], len(known(state.part(Diaries).pages[seat])))


def dry(state: State, action: DrawBlind | DrawFaceUp) -> Refusal | None:
    return Refusal("diary-2", "no ink") if state.turn_number < 2 else None


def not_first(state: State, action: DrawTickets) -> Refusal | None:
    """Who draws tickets has written before."""
    return None if state.part(Diaries).written[action.seat] else Refusal("diary", "nothing is written yet")


def blot(tx: Transaction, action: DrawTickets) -> None:
    """A blot for who draws tickets."""
    tx.emit(PageWritten, action.seat, "blot")


class Diary(Variant, name="diary", requires=("europe",), save_version=2):
    """Diary: pages are worth points."""

    legend = "Numbers are pages."

    more_tickets: bool = option(False, True, meaning="four tickets are drawn")
    ink: Literal["blue", "black"] = option("blue", "black")

    def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
        return document

    @hookimpl
    def board(self, below: Below[Board]) -> Board:
        return evolve(below(), name="Diary")

    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components:
        return evolve(below(), cars=40)

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {**below(), **{route.id: 1 for route in board.routes.values() if route.tunnel}}

    @hookimpl
    def ticket_deck(self, below: Below[TicketDeck], board: Board) -> TicketDeck:
        return below()

    @trylast
    @hookimpl
    def setup(self, below: Below[Setup], board: Board) -> Setup:
        return below()

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return evolve(below(), drawn=4) if self.more_tickets else below()

    @tryfirst
    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return EconomyLayer(below())

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return below()[:1]

    @hookimpl
    def tie_breaks(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
        return below()

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Diaries,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return [WriteRule(), DipRule()]

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        draws = Around(DrawBlind, DrawFaceUp, refuse=dry, after=lambda tx, action: tx.score(action.seat, 1, "diary"))
        return Around(DrawTickets, refuse=not_first, after=blot), draws, Around(DrawBlind, refuse=dry)

    @hookimpl
    def may_pass(self, state: State, seat: int) -> bool:
        return state.turn_number > 3

    @hookimpl
    def scoring(self, rules: Rules) -> Iterator[ScoringTerm]:
        yield ScoringTerm("diary", worth, label="Pages")

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (DrawHint(Write, 1),)

    @hookimpl
    def notes(self, rules: Rules) -> list[str]:
        return ["Write in the evening."]

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        return Refusal("diary", "not by night") if route.tunnel and self.ink == "black" else None

    @hookimpl
    def claim_key(self, state: State, seat: int) -> int:
        return state.part(Diaries).written[seat]

    @hookimpl
    def closed_routes(self, state: State, seat: int) -> Iterator[int]:
        yield from ()

    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        return evolve(cost, spaces=cost.spaces - 1)

    @hookimpl
    def loans(self, state: State, seat: int) -> tuple[Loan, ...]:
        return (Loan("paris", ("paris-dieppe-purple",)),)

    @hookimpl
    def on_deal(self, tx: Transaction) -> None:
        tx.shuffled(("today", "nothing"))

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [Ink(seat, "before") for seat in range(tx.state.players)]

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> Ink:
        return Ink(seat, "morning")

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Ink | None:
        return Ink(seat, route.id) if route.length > 3 else None

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> None:
        tx.use_cars(seat, 1)

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question | None:
        return ()

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        yield RouteNote("paris-dieppe-purple", "P")
        yield RouteNote("paris-zurich-gray", color="red")
        if view is not None:
            yield CityNote("paris", str(view.part(Diaries).written))

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
        return {route.id: route.length for route in rules.board.routes.values()}


rules = compile_rules("europe", Diary(more_tickets=True), Diary)
scores: FinalScores = playout(rules, 3, seed=1)
mine: Diary = rules.plugin(Diary)
kinds: tuple[type[Action], ...] = (Write, DrawTickets)
title: str = Diary.info.title
