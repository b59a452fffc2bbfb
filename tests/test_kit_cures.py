"""What the kit says of a question at the end of a turn that goes wrong: the cause, and nothing that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

import ttr_rules as ttr
from ttr_rules.errors import PluginError
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.plugins import ActionRule, Question, Rules, Transaction, Variant, hookimpl
from ttr_tools.testing import VariantError, check_variant


class Nod(Decision):
    """A question at the end of every turn."""


class Nodded(Action):
    """Its only answer."""


class RepeatingRule(ActionRule[Nod, Nodded]):
    on = Nod
    action = Nodded

    def offers(self, state: ttr.State, decision: Nod) -> Sequence[Nodded]:
        return (Nodded(decision.seat),)

    def perform(self, tx: Transaction, decision: Nod, action: Nodded) -> Question:
        return Nod(action.seat)


class Asks(Variant, name="asks"):
    """Asks: a question that nothing answers."""

    @hookimpl
    def on_turn_end(self, tx: Transaction, seat: int) -> Question:
        return Nod(seat)


class Repeats(Asks, name="repeats"):
    """Repeats: a question that is asked without end."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (RepeatingRule(),)


def problems_of(*stack: object) -> VariantError:
    with pytest.raises(VariantError) as raised:
        check_variant(*stack, players=2, games=1)
    return raised.value


def test_a_question_that_is_asked_without_end_is_told() -> None:
    (problem,) = problems_of("north-america", Repeats).problems
    assert problem.check == "course" and "Nod is asked again and again" in problem.message
    assert "RepeatingRule allows must run out" in problem.message


def test_a_question_without_a_rule_is_told() -> None:
    problems = problems_of("north-america", Asks).problems
    assert "course" in {problem.check for problem in problems}
    assert all("Nod(seat=1), which no action rule answers" in problem.message for problem in problems)


def test_a_stack_is_called_the_same_whether_it_holds_or_not() -> None:
    error = problems_of(Asks, "north-america")
    assert str(error).startswith("north-america + asks: ")


def test_a_question_without_a_rule_leaves_the_game_as_it_was() -> None:
    game = ttr.new_game("north-america", Asks, players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    before = game.state.copy()
    with pytest.raises(PluginError, match=r"Nod\(seat=0\), which no action rule answers"):
        game.play(next(action for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)))
    assert game.state == before and ttr.loads(ttr.dumps(game), rules=game.rules).state == before
