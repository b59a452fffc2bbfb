"""Faults in the numbers of actions: the kit finds each of them and names the method to mend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from helpers import all_but
from official import QUICK
from plugins.faulty import BidRule, Bids, bids, plugin
from plugins.made import giving

import ttr_rules as ttr
from ttr_rules import Action, DrawTickets, KeepTickets, Refusal, State, Turn
from ttr_rules.actions import NumberedRule, end_turn
from ttr_rules.errors import HookTypeError
from ttr_rules.mechanics.tickets import DrawTicketsRule
from ttr_rules.plugins import Around, Transaction
from ttr_tools.testing import VariantError, check_variant
from ttr_tools.testing.runs import Picks

#: What is left out where a test looks at the numbers alone.
OTHERS = all_but("course", "numbers")


class Knock(Action):
    """Knock on the table some times, which does nothing but to end the turn."""

    message = "Knock"
    times: int


class KnockRule(NumberedRule[Turn, Knock]):
    """Knocks of 2, 4 and 6 times, in the first three rounds."""

    on, action = Turn, Knock

    def number_of_codes(self, rules: Any) -> int | None:
        return 7

    def count(self, state: State, seat: int) -> int:
        return 3 if state.turn_number <= 3 * state.players else 0

    def nth(self, state: State, seat: int, index: int) -> int:
        return 2 * index + 2

    def action_of(self, state: State, seat: int, code: int) -> Knock:
        return Knock(seat, code)

    def code_of(self, state: State, seat: int, action: Knock) -> int:
        return action.times

    def refusal(self, state: State, decision: Turn, action: Knock) -> Refusal | None:
        return None if action in self.offers(state, decision) else Refusal("K", "knock 2, 4 or 6 times")

    def perform_code(self, tx: Transaction, seat: int, code: int) -> None:
        end_turn(tx, seat)


class OwnOffers(KnockRule):
    """Lists its actions itself, so that faults in its numbers do not stop a game of actions."""

    def offers(self, state: State, decision: Turn) -> Sequence[Knock]:
        count = KnockRule.count(self, state, decision.seat)
        return [Knock(decision.seat, 2 * index + 2) for index in range(count)]

    def perform(self, tx: Transaction, decision: Turn, action: Knock) -> None:
        end_turn(tx, action.seat)


def rule(**methods: Callable[..., object]) -> KnockRule:
    """The rule with other methods."""
    kind: Any = type("KnockWrongly", (OwnOffers,), {"__module__": __name__, **methods})
    made: KnockRule = kind()
    return made


def gives(value: object) -> Callable[..., object]:
    return lambda *_: value


def fails(*_: object) -> object:
    raise KeyError("knock")


def scores_too(rule: KnockRule, tx: Transaction, seat: int, code: int) -> None:
    tx.use_cars(seat, 1)
    end_turn(tx, seat)


#: The faulty method and what the message must say, beside its name.
FAULTS: dict[str, tuple[str, Callable[..., object], list[str]]] = {
    "count 2.0": ("count", gives(2.0), ["gives 2.0: it must be an int (Turn of seat"]),
    "count None": ("count", gives(None), ["gives None: it must be an int"]),
    "count True": ("count", gives(True), ["gives True: it must be an int"]),
    "count -3": ("count", gives(-3), ["gives -3, but offers lists 3 actions"]),
    "count fails": ("count", fails, ["fails: KeyError: 'knock' (in fails, test_planted_numbers.py line"]),
    "nth 99": ("nth", gives(99), ["gives the code 99 to both Knock(", "each needs its own"]),
    "nth is text": ("nth", gives("x"), ["gives 'x' for the index 0: it must be an int"]),
    "nth below 0": ("nth", lambda rule, state, seat, index: index - 1, ["gives the code -1 for Knock(", "codes begin at 0"]),
    "too few codes": ("number_of_codes", gives(5), ["gives 5, but Knock(", "codes are below the number of codes"]),
    "codes in another order": ("codes", gives([6, 4, 2]), ["has 6 at the index 0, but nth gives 2"]),
    "codes that lack one": ("codes", gives([2, 4]), ["lists 2 codes, but count gives 3"]),
    "another action": ("action_of", lambda rule, state, seat, code: Knock(seat, code + 1), ["makes Knock(", "of the code 2, but offers lists Knock("]),
    "no action": ("action_of", gives(None), ["makes None of the code 2, but offers lists Knock("]),
    "another code": ("code_of", gives(4), ["gives 4 for Knock(", "whose code by nth is"]),
    "another effect": ("perform_code", scores_too, ["do not do the same for Knock("]),
    "performing fails": ("perform_code", fails, ["fails for the code", "KeyError"]),
}  # fmt: skip


def found(knocking: KnockRule) -> str:
    """What the kit says of the numbers of a rule."""
    with pytest.raises(VariantError) as caught:
        check_variant(
            "north-america", plugin("knocks", actions=lambda rules: [knocking]), players=2, games=1, skip=OTHERS
        )
    problem = caught.value.problems[0]  # a game whose actions cannot be counted breaks off in the course, too
    assert problem.check in ("course", "numbers") and problem.again
    return problem.message


def test_a_number_of_codes_that_is_none_is_refused_with_the_stack() -> None:
    with pytest.raises(HookTypeError, match=r"KnockWrongly\.number_of_codes gives '7': it must be an int or None"):
        ttr.compile_rules("north-america", plugin("knocks", actions=lambda rules: [rule(number_of_codes=gives("7"))]))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_numbers_is_found_and_told(fault: str) -> None:
    method, wrong, words = FAULTS[fault]
    message = found(rule(**{method: wrong}))
    assert f"test_planted_numbers.KnockWrongly.{method} " in message, message
    for word in words:
        assert word in message, message


def test_a_list_that_fails_at_a_number_is_told_with_the_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a compiled build the list of legal actions itself fails at a text."""

    pick = Picks.action

    def fails_to_pick(picks: Picks, choices: Sequence[Action]) -> Action:
        if not isinstance(choices[0], KeepTickets):
            raise TypeError("int object expected; got str")
        return pick(picks, choices)

    monkeypatch.setattr(Picks, "action", fails_to_pick)
    message = found(rule(nth=gives("x")))
    assert "test_planted_numbers.KnockWrongly.nth gives 'x' for the index 0: it must be an int" in message


def test_a_numbered_rule_whose_offers_alone_are_changed_is_told_with_the_method_it_inherits() -> None:
    class Fewer(KnockRule):
        def offers(self, state: State, decision: Turn) -> Sequence[Knock]:
            return [each for each in super().offers(state, decision) if each.times != 4]

    message = found(Fewer())
    assert "KnockRule.count (inherited by " in message and "Fewer) gives 3, but offers lists 2 actions" in message


def test_a_rule_whose_perform_alone_is_changed_is_told() -> None:
    class Dearer(KnockRule):
        def perform(self, tx: Transaction, decision: Turn, action: Knock) -> None:
            tx.use_cars(decision.seat, 1)
            end_turn(tx, decision.seat)

    message = found(Dearer())
    assert "Dearer.perform and " in message and "KnockRule.perform_code do not do the same" in message
    assert "state.cars is" in message


def test_an_action_that_cannot_be_performed_is_no_fault_of_its_numbers() -> None:
    assert "KnockWrongly.perform fails" not in found(rule(perform=fails))


@pytest.mark.parametrize("rules", [KnockRule(), rule()], ids=["numbered", "with offers of its own"])
def test_sound_numbers_pass(rules: KnockRule) -> None:
    kit = check_variant("north-america", plugin("knocks", actions=giving([rules])), players=2, games=1, skip=OTHERS)
    assert kit.checks == ("course", "numbers")


def test_the_numbers_of_a_guarded_rule_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def early(state: State, action: object) -> Refusal | None:
        return Refusal("X", "not yet") if state.turn_number < 3 else None

    late = plugin("late", around=lambda rules: [Around(DrawTickets, refuse=early)])
    check_variant("north-america", late, players=2, games=1, skip=OTHERS)
    monkeypatch.setattr(DrawTicketsRule, "count", lambda self, state, seat: 2)
    # Compiled code lists the one offer whatever the class says now, so there the count is wrong first.
    with pytest.raises(
        VariantError, match=r"DrawTicketsRule(\) gives the code 0 to both|\.count gives 2, but offers lists 1)"
    ):
        check_variant("north-america", late, players=2, games=1, skip=OTHERS)


@pytest.mark.slow
def test_few_of_a_million_numbers_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    class NumberedBids(BidRule):
        def count(self, state: State, seat: int) -> int:
            return len(self.offers(state, Turn(seat)))

        def codes(self, state: State, seat: int) -> Sequence[int]:
            assert self.count(state, seat) < 1000
            return super().codes(state, seat)

    made: list[int] = []
    nth = Bids.nth

    def counted(self: Bids, index: int) -> Any:
        made.append(index)
        return nth(self, index)

    monkeypatch.setattr(Bids, "nth", counted)
    report = check_variant("north-america", bids(NumberedBids()), players=2, games=1, skip=OTHERS)
    assert report.actions > 8 and 0 < len(made) < 10_000 * report.actions  # in positions too


@pytest.mark.slow
@pytest.mark.parametrize("stack", QUICK, ids=" + ".join)
def test_the_numbers_of_official_stacks_are_sound(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    assert check_variant(*stack, players=rules.components.min_players, games=1, skip=OTHERS).checks == (
        "course",
        "numbers",
    )
