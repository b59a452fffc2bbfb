"""A plugin with an option, an action, an event, a part of the state, points and words of its own."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import Any

from attrs import define, evolve, frozen

from ttr_rules import Action, DrawTickets, Event, FinalScores, Refusal, State, Turn, View, compile_rules, playout
from ttr_rules.plugins import (
    ActionRule,
    Dealer,
    DrawCounts,
    GameData,
    Part,
    PartSpec,
    PluginInfo,
    ScoringTerm,
    Term,
    Transaction,
    Unknown,
    counted,
    end_turn,
    hookimpl,
    option,
    public,
    secret,
    secret_by_seat,
)


@define(eq=False)
class Diaries(Part):
    """Pages that each seat has written, secret to it, and how often it wrote."""

    written: list[int] = public(factory=list)
    pages: list[tuple[str, ...]] = secret_by_seat(factory=list)
    blank: tuple[str, ...] = counted(default=())

    def validate(self) -> str | None:
        return "a page was never written" if min(self.written, default=0) < 0 else None

    def sample_hidden(self, view: View, dealer: Dealer, rules: GameData) -> None:
        shown = view.part(Diaries)
        self.written = list(shown.written)
        self.blank = dealer.shuffled(self.blank)


@frozen
class Write(Action):
    """Write a page."""

    page: str


@frozen
class PageWritten(Event):
    """A seat wrote a page."""

    seat: int
    page: str | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, page: str) -> None:
        diaries = state.part(Diaries)
        diaries.written[seat] += 1
        diaries.pages[seat] += (page,)


class WriteRule(ActionRule[Turn, Write]):
    """Anybody may write once a turn."""

    on = Turn
    action = Write

    def offers(self, state: State, decision: Turn) -> Sequence[Write]:
        return [Write(decision.seat, "today"), Write(decision.seat, "nothing")]

    def refusal(self, state: State, decision: Turn, action: Write) -> Refusal | None:
        return None if action.page else Refusal("diary", "an empty page")

    def perform(self, tx: Transaction, decision: Turn, action: Write) -> None:
        tx.emit(PageWritten, action.seat, action.page)
        end_turn(tx, action.seat)


def start(rules: GameData, players: int) -> Part:
    """Nothing is written yet."""
    return Diaries(written=[0] * players, pages=[()] * players)


def worth(state: State, seat: int) -> Term:
    """A point a page."""
    return Term(state.part(Diaries).written[seat], len(state.part(Diaries).pages[seat]))


@frozen
class Diary:
    """The plugin."""

    more_tickets: bool = option(False, True, meaning="four tickets are drawn")

    @property
    def info(self) -> PluginInfo:
        return PluginInfo("diary", "Diary", "Pages are worth points.")

    @hookimpl
    def state_parts(self) -> Iterable[PartSpec]:
        return (PartSpec(Diaries, start),)

    @hookimpl
    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (WriteRule(),)

    @hookimpl
    def event_types(self) -> Iterable[type[Event]]:
        return (PageWritten,)

    @hookimpl
    def scoring_terms(self) -> Iterable[ScoringTerm]:
        return (ScoringTerm("diary", worth, label="Pages"),)

    @hookimpl(wrapper=True)
    def draw_counts(self) -> Generator[None, DrawCounts, DrawCounts]:
        below = yield
        return evolve(below, drawn=4) if self.more_tickets else below


rules = compile_rules("europe", Diary(more_tickets=True))
scores: FinalScores = playout(rules, 3, seed=1)
mine: Diary = rules.plugin(Diary)
kinds: tuple[type[Action], ...] = (Write, DrawTickets)
