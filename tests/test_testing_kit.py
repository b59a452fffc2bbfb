"""The kit for authors of variants: sound variants pass, and every planted fault is found and told so that one can mend it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from attrs import evolve
from helpers import all_but
from plugins import coins, excursions, flags, made
from plugins.flags import FlagsPlugin, faulty_flags
from plugins.late import Late

import ttr_rules as ttr
from ttr_rules.actions import ClaimRule
from ttr_rules.errors import UnknownPluginError
from ttr_rules.plugins import (
    Around,
    Below,
    Cost,
    Deal,
    DrawCounts,
    Economy,
    EconomyLayer,
    KeepAtLeast,
    Part,
    Setup,
    Stage,
    Transaction,
    Variant,
    hookimpl,
    public,
)
from ttr_rules.train_cards import CardOptions, TrainCards
from ttr_tools import testing
from ttr_tools.testing import Problem, VariantError, check_variant, conformance_suite, played
from ttr_variants.europe import BuildStation


def found(fault: str, *names: str, **more: object) -> tuple[Problem, ...]:
    """What the kit finds in the mechanic with a fault, by the checks named or by all of them."""
    with pytest.raises(VariantError) as caught:
        asked: dict[str, Any] = {"games": 1, "skip": all_but(*names) if names else (), **more}
        check_variant("north-america", faulty_flags(fault), players=3, **asked)
    assert f"north-america + flags:fault={fault}: " in str(caught.value).splitlines()[0]
    return caught.value.problems


# -- sound variants ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe+flags")
@pytest.mark.parametrize(
    "stack",
    [("europe", coins.CoinsPlugin(), excursions.Excursions()), ("europe", FlagsPlugin())],
    ids=lambda stack: "+".join(each if isinstance(each, str) else each.info.name for each in stack),
)
def test_sound_variants_pass(stack: tuple[object, ...]) -> None:
    report = check_variant(*stack, players=3, games=1)
    assert report.games == 1 and report.actions > 50
    assert report.checks == testing.property_names() and report.skipped == ()
    assert "1 game, " in str(report)


@pytest.mark.parametrize("plugin", [FlagsPlugin, FlagsPlugin(), flags, "new-york"])
def test_a_variant_is_given_as_a_class_an_instance_a_module_or_a_name(plugin: object) -> None:
    stack = [plugin] if isinstance(plugin, str) else ["north-america", plugin]
    assert check_variant(*stack, players=2, games=1, skip=all_but("stack", "course")).games == 1


def test_a_variant_with_secrets_of_its_own_says_how_to_deal_them(monkeypatch: pytest.MonkeyPatch) -> None:
    skip = all_but("secrets")
    check_variant("north-america", FlagsPlugin(), players=2, games=1, skip=skip)
    monkeypatch.delattr(flags.Flags, "sample_hidden")
    with pytest.raises(
        VariantError,
        match=r"\[secrets\] determinize deals no world.*Flags shows something of itself.*redeal\(view, dealer",
    ):
        check_variant("north-america", FlagsPlugin(), players=2, games=1, skip=skip)


@pytest.mark.slow
def test_a_secret_number_may_be_seen_to_be_there() -> None:
    """Everybody sees who drew a number; that a made-up 0 would look like none is no leak."""
    assert check_variant("north-america", FlagsPlugin(), players=3, games=3, skip=all_but("secrets")).games == 3


@pytest.mark.slow
def test_postcards_stay_secret_when_they_are_dealt_anew() -> None:
    assert check_variant("europe", excursions.Excursions(), players=[2, 4], games=1, skip=all_but("secrets")).games == 2


# -- planted faults ------------------------------------------------------------------------------------------------

# fault: the property that finds it, and words that the message must have.
FAULTS = {
    "generator misses one": ("refusals", ["RaiseFlagRule", "refusal lets RaiseFlag(", ", 3) pass", "offers does not list it"]),
    "validator misses one": ("offers", ["RaiseFlagRule", "offers lists RaiseFlag(", ", 9)", "there is no flag 9"]),
    "offered twice": ("offers", ["RaiseFlagRule: offers lists", "2 times"]),
    "unstable order": ("offers", ["RaiseFlagRule", "another list", "order"]),
    "offers change the state": ("refusals", ["plugins.flags.Flags.secret is", "offers and refusal must only look"]),
    "validator fails": ("refusals", ["RaiseFlagRule", "refusal fails for", "IndexError", "flags.py line"]),
    "no reason": ("refusals", ["RaiseFlagRule", "Refusal(rule, reason)"]),
    "no effect": ("events", ["RaiseFlagRule", "Flags.secret is", "tx.emit(Event"]),
    "points": ("events", ["RaiseFlagRule", "state.scores is", "tx.emit(Event"]),
    "looks at the log": ("replay", ["tx.log"]),
    "event not registered": ("values", ["elsewhere.NumberTaken", "belongs to no plugin"]),
    "badly typed": ("values", ["plugins.flags.BadlyTyped", "of plugin 'flags' cannot be saved", "annotated"]),
    "unhashable": ("values", ["plugins.flags.TagFlag", "cannot be hashed", "converter"]),
    "shared copy": ("copies", ["plugins.flags.Flags.raised is", "copy()"]),
    "live view": ("copies", ["seen_by()", "tuple("]),
    "way back": ("secrets", ["'part'", "plugins.flags.Flags", "plain values"]),
    "offers leak": ("secrets", ["RaiseFlagRule", "depends on what seat", "cannot know"]),
    "ticket shown": ("secrets", ["plugins.flags.TicketShown", "tells", 'secret("seat")']),
    "seen as it happened": ("secrets", ["plugins.flags.FlagSaluted.seen_by() must return a SeenEvent, not FlagSaluted("]),
    "own chance": ("replay", ["RaiseFlagRule", "tx.shuffled and tx.roll"]),
    "no answer": ("course", ["asked Nothing", "no action rule answers", "to the hook actions"]),
    "breaks off": ("course", ["RaiseFlag(", "cannot be played", "the mast is broken", "perform, flags.py line"]),
    "scoring changes the state": ("scores", ["Flags.raised is", "only look"]),
    "untyped part": ("clients", ["another view than was sent", "'number' of Flags.seen_by", "annotate the fields of the part"]),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_told(fault: str) -> None:
    check, words = FAULTS[fault]
    problems = {problem.check: problem for problem in found(fault, check)}
    assert check in problems, f"found instead: {problems}"
    text = str(problems[check])
    assert text.startswith(f"[{check}] ")
    for word in words:
        assert word in text, text


@pytest.mark.slow
@pytest.mark.thorough_but("told to all")
@pytest.mark.parametrize("fault", ["leaking part", "told to all"])
def test_leaks_of_what_a_plugin_hides_are_found_when_it_can_be_dealt_anew(fault: str) -> None:
    problems = {each.check: each for each in found(fault, games=3)}
    assert problems.keys() - {"clients"} == {"secrets"}
    assert ("'number' of Flags.seen_by" if fault == "leaking part" else "NumberTold") in problems["secrets"].message


def test_a_problem_names_the_game_and_the_way_to_its_position() -> None:
    problem = next(each for each in found("no effect", "events") if each.check == "events")
    assert problem.players == 3 and problem.seed == 1 and problem.action
    call = "ttr_tools.testing.played('north-america', FlagsPlugin(fault='no effect'), players=3, seed=1, actions="
    assert problem.again == f"{call}{problem.action - 1})"
    game = played("north-america", faulty_flags("no effect"), players=3, seed=1, actions=problem.action - 1)
    assert len(game.moves) == problem.action
    longer = played("north-america", faulty_flags("no effect"), players=3, seed=1, actions=problem.action)
    assert isinstance(longer.last_move.action, flags.RaiseFlag)


def test_a_problem_names_the_rulings_that_are_not_the_usual_ones() -> None:
    problems = found("no effect", "events", rulings={"second_card_optional": True})
    assert all(", rulings={'second_card_optional': True})" in problem.again for problem in problems)
    game = played("europe", players=2, actions=1, rulings={"second_card_optional": True})
    assert game.rules.plugin(CardOptions).second_card_optional


@pytest.mark.slow
def test_one_fault_is_told_once_however_many_games_show_it() -> None:
    checks = [problem.check for problem in found("event not registered", games=3)]
    assert len(checks) == len(set(checks)) and "values" in checks


def test_a_stack_that_cannot_be_is_a_problem_of_the_stack() -> None:
    with pytest.raises(VariantError, match=r"\[stack\] .*no plugin 'atlantis'"):
        check_variant("atlantis")

    class Greedy(Variant, name="greedy", requires=("north-america",)):
        """Greedy: seven tickets at the start."""

        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return (Stage((Deal("regular", 7),), KeepAtLeast(2), under="regular"),)

    with pytest.raises(VariantError, match=r"deals 7 regular tickets to each of 5 players.*max_players"):
        check_variant("north-america", Greedy)
    with pytest.raises(VariantError, match="2 to 5 players, not 6"):
        check_variant("europe", players=6)


def test_a_hook_that_depends_on_the_clock_is_found() -> None:
    calls: list[int] = []

    class Moody(Variant, name="moody"):
        """Moody: every time something else."""

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            calls.append(0)
            return DrawCounts(drawn=2 + len(calls))

    with pytest.raises(VariantError, match=r"\[stack\] compiled a second time"):
        check_variant("north-america", Moody, players=2)


def test_a_game_that_does_not_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_tools.testing.variant.MOST_ACTIONS", 20)
    with pytest.raises(VariantError, match="does not end: 20 actions"):
        check_variant("north-america", players=2, games=1, skip=["secrets"])


@pytest.mark.slow
def test_what_is_asked_of_the_kit_is_checked() -> None:
    with pytest.raises(ttr.InvalidInputError, match="no property 'leaks'"):
        check_variant("europe", skip=["leaks"])
    with pytest.raises(ttr.InvalidInputError, match="at least one game"):
        check_variant("europe", games=0)
    with pytest.raises(ttr.InvalidInputError, match="players is empty"):
        check_variant("europe", players=[])
    skip = all_but("stack", "course")
    assert check_variant("new-york", players=2, games=1, skip=skip).skipped == skip
    assert issubclass(VariantError, ttr.TTRError)


def test_a_plugin_that_does_nothing_changes_no_mark_of_the_rules() -> None:
    from ttr_tools.testing.stack import DoNothing

    assert ttr.compile_rules("europe", DoNothing()).fingerprint == ttr.compile_rules("europe").fingerprint
    assert ttr.compile_rules("europe", FlagsPlugin()).fingerprint != ttr.compile_rules("europe").fingerprint


@pytest.mark.slow
def test_the_kit_needs_neither_pytest_nor_hypothesis() -> None:
    program = (
        "import sys; sys.modules['pytest'] = sys.modules['hypothesis'] = None\n"
        "from ttr_tools.testing import check_variant, perft, playthrough\n"
        "print(check_variant('north-america', players=2, games=1).games)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("1\n", "")


# -- the suite -----------------------------------------------------------------------------------------------------

TestNorthAmerica = pytest.mark.slow(conformance_suite("north-america", players=2, games=1, skip=["processes"]))
TestEurope = conformance_suite("europe", players=[2], games=1, rulings={"station_choice": "ask"})


def test_a_suite_has_a_test_for_each_property() -> None:
    tests = [name for name in vars(TestEurope) if name.startswith("test_")]
    assert tests == [f"test_{name}" for name in testing.property_names()]
    assert "test_copies" not in vars(conformance_suite("europe", skip=["copies", "stack"]))


@pytest.mark.parametrize("fault", ["shared copy", "event not registered", "generator misses one"])
def test_a_suite_fails_in_the_test_of_the_property(fault: str) -> None:
    check = FAULTS[fault][0]
    suite = conformance_suite("north-america", faulty_flags(fault), players=3, games=2)
    with pytest.raises(VariantError, match=rf"\[{check}\]"):
        getattr(suite(), f"test_{check}")()


def test_a_suite_of_a_stack_that_cannot_be_fails_when_it_runs() -> None:
    suite = conformance_suite("atlantis")
    with pytest.raises(UnknownPluginError):
        suite().test_stack()


# -- advice --------------------------------------------------------------------------------------------------------


class AsksEach(Variant, name="each"):
    """Each: a condition on claims that is asked about each route, and closes none."""

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> None:
        return None


class Keyed(AsksEach, name="keyed"):
    """Keyed: it depends on nothing that changes."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int:
        return seat


class Numbered(AsksEach, name="numbered"):
    """Numbered: it knows which routes are closed."""

    @hookimpl
    def closed_routes(self, state: ttr.State, seat: int) -> Sequence[int]:
        return ()


class OftenNew(AsksEach, name="often-new"):
    """Often new: its key changes at every claim."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> tuple[str, ...]:
        return tuple(state.routes(seat))


class Cheap(Variant, name="cheap"):
    """Cheap: it changes no cost, and is asked once for each."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return cost


class Costly(Variant, name="costly"):
    """Costly: it looks at the state, and is asked for each cost again and again."""

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return cost if state.round else evolve(cost, spaces=1)


class MostlyNone(AsksEach, name="mostly-none"):
    """Mostly none: it has a key in the first round alone."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int | None:
        return 1 if state.round == 1 else None


class OftenCostly(Costly, name="often-costly"):
    """Often costly: it has a key in the first round alone."""

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> int | None:
        return 1 if state.round == 1 else None


class ListingLayer(EconomyLayer):
    """A layer that lists payments without a need."""

    def payments(self, state: ttr.State, seat: int, cost: Cost) -> Iterable[ttr.Counts]:
        return [*self.below.payments(state, seat, cost)]


class ListingCards(TrainCards):
    """Train cards that do."""

    def payments(self, state: ttr.State, seat: int, cost: Cost) -> Sequence[ttr.Counts]:
        return [*super().payments(state, seat, cost)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layer", "advice"),
    [
        (ListingLayer, "payments of ListingLayer lists .* say in alternatives"),
        (lambda below: ListingCards(), "payments of ListingCards lists .* say in readings"),
        (EconomyLayer, None),
    ],
)
def test_payments_that_are_listed_are_named(layer: Callable[[Economy], Economy], advice: str | None) -> None:
    listing = made.plugin("listing", economy=lambda below, board: layer(below()))
    report = check_variant("north-america", listing, players=2, games=1, skip=all_but("course"))
    assert [bool(re.match(advice or "", told)) for told in report.advice] == [True] * bool(advice)


@pytest.mark.parametrize(
    ("plugin", "advice"),
    [
        (Keyed, None),
        (Cheap, None),
        (Costly, "claim_cost of 'costly' is asked about every route at every decision: add claim_key, "),
        (Numbered, None),
        (
            MostlyNone,
            "claim_refusal of 'mostly-none' is asked about every route that can be paid for, each turn: its claim_key is ",
        ),
        (
            OftenNew,
            "claim_refusal of 'often-new' is asked about every route that can be paid for, each turn: its claim_key has ",
        ),
        (
            OftenCostly,
            "claim_cost of 'often-costly' is asked about every route at every decision: its claim_key is mostly None",
        ),
        (
            AsksEach,
            "claim_refusal of 'each' is asked about every route that can be paid for, each turn: add claim_key, ",
        ),
    ],
)
def test_slow_conditions_on_claims_are_named(plugin: type[Variant], advice: str | None) -> None:
    report = check_variant("london", plugin, players=2, games=1, skip=all_but("course"))
    of_costs = [told for told in report.advice if "bots do not know what claim_cost of" in told]
    assert len(of_costs) == (plugin in (Cheap, Costly, OftenCostly))
    if advice is None:
        assert list(report.advice) == of_costs
    else:
        (told,) = [told for told in report.advice if told not in of_costs]
        assert told.startswith(advice) and ("closed_routes" in told or "claim_key" in told)
        assert f"advice: {told}" in str(report)


@pytest.mark.parametrize(
    ("guards", "told"), [({"refuse": made.giving(None)}, 1), ({"refuse_all": made.giving(None)}, 0)]
)
def test_refusing_each_payment_of_what_is_paid_for_is_named(guards: dict[str, Any], told: int) -> None:
    late = made.plugin("late", around=lambda rules: (Around(BuildStation, **guards), Around(ttr.DrawTickets, **guards)))
    report = check_variant("europe", late, players=2, games=1, skip=all_but("course"))
    advice = [line for line in report.advice if "every payment for BuildStation" in line]
    assert len(advice) == told and all("write refuse_all" in line for line in advice)
    assert not any("DrawTickets" in line for line in report.advice)


class OpenLater(ClaimRule[ttr.Turn]):
    """It refuses nothing, but looks."""

    replaces = True

    def route_refusal(self, state: ttr.State, seat: int, thing: str) -> None:
        return None


class Dearer(ClaimRule[ttr.Turn]):
    """A cost that looks at the state."""

    replaces = True

    def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
        cost = super().cost(state, seat, thing)
        return cost if state.round else evolve(cost, spaces=1)


class Cheaper(ClaimRule[ttr.Turn]):
    """A cost that does not."""

    replaces = True

    def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
        return Cost("single", 2)


@pytest.mark.parametrize(
    ("rule", "advice"),
    [
        (
            OpenLater,
            "route_refusal of OpenLater is asked about every route that can be paid for, each turn: write the hook ",
        ),
        (Dearer, "cost of Dearer is asked about every route at every decision: write the hook claim_cost"),
        (Cheaper, None),
    ],
)
def test_slow_rules_for_claims_are_named(rule: type[ClaimRule[ttr.Turn]], advice: str | None) -> None:
    own = made.plugin("own-claims", actions=lambda rules: [rule()])
    report = check_variant("london", own, players=2, games=1, skip=all_but("course"))
    assert [bool(re.match(advice or "", told)) for told in report.advice] == [True] * bool(advice)


@pytest.mark.parametrize("begins", [1, 1000])
def test_what_never_came_up_is_named(begins: int) -> None:
    report = check_variant("london", Late(begins=begins), players=2, games=1, skip=all_but("course"))
    missing = ["LateAction was never played for Turn: ", "LateChoice was never asked: "]
    assert sorted(told[: told.index(": ") + 2] for told in report.advice) == (missing if begins > 1 else [])


class Lantern(Part):
    holder: int = public(default=2, label="Lantern", seats=True)  # -1: nobody


class LanternPassed(ttr.Event):
    holder_seat: int

    def apply(self, state: ttr.State) -> None:
        state.part(Lantern).holder = self.holder_seat


@pytest.mark.slow
def test_a_seat_is_no_supply() -> None:
    """-1 is nobody there, and nothing was taken."""

    def put_out(tx: Transaction, seat: int) -> None:
        if tx.state.round == 2 and tx.state.part(Lantern).holder == 2:
            tx.emit(LanternPassed, -1)

    lantern = made.plugin("lantern", parts=lambda rules: (Lantern,), on_turn_start=put_out)
    check_variant("europe", lantern, players=3, games=1, skip=all_but("counts"))
