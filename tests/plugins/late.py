"""Late: an action and a question that come up from a round on, if games last that long."""

from collections.abc import Iterable

from ttr_rules import Action, Refusal, State, Turn
from ttr_rules.plugins import (
    ActionRule,
    Confirm,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    option,
    points_in_play,
)


class LateAction(Action):
    message = "Be late"


class LateChoice(Confirm):
    message = "Is it late?"
    public = True

    def chosen(self, tx: Transaction, option: bool) -> None:
        pass


class LateRule(ActionRule[Turn, LateAction]):
    def __init__(self, begins: int) -> None:
        self.begins = begins

    def refusal(self, state: State, decision: Turn, action: LateAction) -> Refusal | None:
        return None if state.round >= self.begins else Refusal("late", "too early")

    def perform(self, tx: Transaction, decision: Turn, action: LateAction) -> None:
        tx.score(action.seat, 1, "late")


class Late(Variant, name="late"):
    """Late: something that comes up late, if at all."""

    begins: int = option(1)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[LateRule]:
        return (LateRule(self.begins),)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("late", "Late"),)

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question | None:
        return LateChoice(seat) if tx.state.round == self.begins else None
