"""A plugin full of mistakes: every line marked `# mistake` must be found, and no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from ttr_rules import Action, Board, Decision, DrawTickets, Event, Refusal, Route, State, Ticket, Turn, View
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Bonus,
    Components,
    Cost,
    DrawCounts,
    Rules,
    Part,
    Question,
    ScoringTerm,
    Score,
    TieBreak,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    option,
    public,
)
from ttr_rules.plugins import byseat  # mistake


class Depots(Part):
    built: dict[str, int] = public()

    @classmethod
    def start(cls, players: int) -> Depots:  # mistake
        return cls(built={})

    def validate(self, rules: Rules) -> int:  # mistake
        return 0

    def seen_by(self, seat: str) -> object:  # mistake
        return None


class Starts(Part):
    left: list[int] = public(each="3")  # mistake
    rank: dict[str, int] = public(default=3)  # mistake
    pile: tuple[str, ...] = hidden(default=[1])  # mistake
    held: list[tuple[str, ...]] = by_seat(each=3)  # mistake


class Where(Decision):
    cities: tuple[str, ...]


class Build(Action):
    city: str


class Built(Event):
    seat: int
    city: str

    def apply(self, state: State) -> None:
        state.part(Depots).biult[self.city] = self.seat  # mistake
        state.part(Depots).built[self.seat] = self.seat  # mistake


class BuildRule(ActionRule[Turn, Build]):
    on = Turn
    action = Build

    def offers(self, state: State, decision: Turn) -> Sequence[str]:  # mistake
        return [decision.seat.city]  # mistake

    def refusal(self, state: State, decision: Turn, action: Build) -> Refusal | None:
        return Refusal("depots")  # mistake

    def perform(self, tx: Transaction, decision: Turn, action: Build) -> None:
        tx.emti(Built, action.seat, action.city)  # mistake
        tx.emit(Built, action.seat)  # mistake
        tx.emit(Built, action.city, action.seat)  # mistake
        tx.emit(Built(action.seat, action.city))  # mistake
        tx.ask(action)  # mistake
        tx.roll()  # mistake
        return Where(action.seat, ("wien",))  # mistake


class AskingRule(ActionRule[Turn, Build]):
    on = Turn
    action = Build

    def offers(self, state: State, decision: Turn) -> Sequence[Build]:
        return ()

    def refusal(self, state: State, decision: Turn, action: Build) -> Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: Turn, action: Build) -> bool:  # mistake
        return True


class Unfinished(ActionRule[Turn, Build]):
    on = Turn
    action = Build

    def offers(self, state: State, decision: Turn) -> Sequence[Build]:
        return ()


def worth(state: State, seat: int) -> int:
    return seat


def best(view: View) -> list[int]:
    return []


def made(rules: Rules) -> object:
    return rules.nonsense  # mistake


def late(state: State, decision: Turn, action: DrawTickets) -> Refusal | None:
    return None


def early(state: State, action: Build) -> Refusal | None:
    return None


class Misspelt(Variant, name="misspelt"):
    @hookimpl
    def on_claims(self, tx: Transaction, seat: int, route: Route, points: int) -> None:  # mistake
        pass

    @hookimpl
    def after_claims(self) -> Iterable[object]:  # mistake
        return ()

    @hookimpl
    def tie_break(self, below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:  # mistake
        return below()


class WrongArguments(Variant, name="wrong-arguments"):
    @hookimpl
    def board(self) -> Board:  # mistake
        raise NotImplementedError

    @hookimpl
    def components(self, board: Board, below: Below[Components]) -> Components:  # mistake
        return below()

    @hookimpl
    def draw_counts(self, below: DrawCounts, board: Board) -> DrawCounts:  # mistake
        return below

    @hookimpl
    def actions(self, rules: Rules, board: Board) -> Iterable[ActionRule[Any, Any]]:  # mistake
        return ()

    @hookimpl
    def claim_refusal(self, seat: int, state: State, route: Route) -> Refusal | None:  # mistake
        return None

    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: int) -> Cost:  # mistake
        return Cost("red", cost)

    @hookimpl
    def claim_points(self, state: State, seat: int, route: str, points: Mapping[int, int]) -> Any:  # mistake
        return points

    @hookimpl
    def ticket_points(self, state: State, seat: int, ticket: str, points: int) -> int:  # mistake
        return points

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: str, points: int) -> None:  # mistake
        pass

    @hookimpl
    def on_turn_end(self, seat: int, tx: Transaction) -> None:  # mistake
        pass

    @hookimpl
    def on_game_end(self, tx: Transaction, reason: str) -> None:  # mistake
        pass

    @hookimpl
    def map_marks(self, rules: Rules, view: View) -> Iterable[Any]:  # mistake
        return ()


class WrongResults(Variant, name="wrong-results"):
    @hookimpl
    def components(self, below: Below[Components], board: Board) -> Components | None:  # mistake
        return None

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return below  # mistake

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return below() + (4,)  # mistake

    @hookimpl
    def route_points(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {route: 1 for route in board.routes.values()}  # mistake

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Depots({}),)  # mistake

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return BuildRule()  # mistake

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return None  # mistake

    @hookimpl
    def notes(self, rules: Rules) -> Iterable[str]:
        rules.bonusses  # mistake
        return [3]  # mistake

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> bool:  # mistake
        return True

    @hookimpl
    def claim_points(self, state: State, seat: int, route: Route, points: Mapping[int, int]) -> Mapping[int, int]:
        return points[seat]  # mistake

    @hookimpl
    def ticket_points(self, state: State, seat: int, ticket: Ticket, points: int) -> int:
        return ticket.penalty / 2  # mistake

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Question | None:
        return True  # mistake

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> bool:  # mistake
        return True

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question:
        return Build(0, "wien")  # mistake

    @hookimpl
    def route_values(self, rules: Rules, view: View) -> Mapping[str, str]:  # mistake
        return {"paris-zurich-gray": "much"}


class WrongOptions(Variant, name=3):  # mistake
    pace: Literal["calm", "brisk"] = option("calm", "hasty")  # mistake
    many: int = option(3)

    def upcast(self, document: dict[str, Any]) -> dict[str, Any]:  # mistake
        return document


chosen = WrongOptions(many="3")  # mistake
misnamed = WrongOptions(number=3)  # mistake
term = ScoringTerm("depots", worth)  # mistake
bonus = Bonus("depots", 5, best)  # mistake
around = Around(DrawTickets, refuse=late)  # mistake
other = Around(DrawTickets, refuse=early)  # mistake
several = Around(DrawTickets, Build, refuse=late)  # mistake
asking = Around(DrawTickets, before=early)  # mistake
counts = DrawCounts(drawn=4, kept=2)  # mistake
cards = DrawCounts(cards="3")  # mistake
points = Score(pionts=3)  # mistake
rule = Unfinished()  # mistake for mypy
built = Built(0)  # mistake
builder = Built("wien", 0)  # mistake
where = Where(0, cities=("wien",)).towns  # mistake
built_at = Build(0, "wien", payment={})  # mistake
depots = Depots(buildings={})  # mistake
