"""A plugin full of mistakes: every line marked `# mistake` must be found, and no other."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, frozen

from ttr_rules import Action, Event, Refusal, State, Turn, View
from ttr_rules.plugins import (
    ActionRule,
    Bonus,
    DrawCounts,
    GameData,
    Part,
    PartSpec,
    PluginInfo,
    ScoringTerm,
    Term,
    Transaction,
    end_turn,
    public,
)
from ttr_rules.plugins import secretby_seat  # mistake


@define(eq=False)
class Depots(Part):
    built: dict[str, int] = public(factory=dict)

    def validate(self) -> int:  # mistake
        return 0

    def seen_by(self, seat: str) -> object:  # mistake
        return None


@frozen
class Build(Action):
    city: str


@frozen
class Built(Event):
    seat: int
    city: str

    @staticmethod
    def effect(state: State, seat: int, city: str) -> None:
        state.part(Depots).biult[city] = seat  # mistake
        state.part(Depots).built[seat] = seat  # mistake


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
        end_turn(tx)  # mistake


class Unfinished(ActionRule[Turn, Build]):
    on = Turn
    action = Build

    def offers(self, state: State, decision: Turn) -> Sequence[Build]:
        return ()


def start(players: int) -> Part:
    return Depots()


def worth(state: State, seat: int) -> int:
    return seat


def best(view: View) -> list[int]:
    return []


def made(rules: GameData) -> object:
    return rules.nonsense  # mistake


info = PluginInfo("depots")  # mistake
spec = PartSpec(Depots, start)  # mistake
term = ScoringTerm("depots", worth)  # mistake
bonus = Bonus("depots", 5, best)  # mistake
counts = DrawCounts(drawn=4, kept=2)  # mistake
points = Term(pionts=3)  # mistake
rule = Unfinished()  # mistake for mypy
