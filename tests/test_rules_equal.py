"""Rules are equal if they are of equal plugins with equal options, and a process has one object for each."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest
from attrs import evolve

import ttr_rules as ttr
from ttr_rules import Board
from ttr_rules.plugins import Below, DrawCounts, Variant, hookimpl, option
from ttr_rules.plugins.compiler import with_tickets
from ttr_variants.europe import Europe


class Hasty(Variant, name="hasty"):
    """Hasty: players draw more tickets."""

    drawn: Literal[4, 5] = option(4, 5, meaning="how many tickets are drawn")

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(drawn=self.drawn)


@pytest.mark.parametrize(
    "rules",
    [
        ttr.compile_rules("europe"),
        ttr.compile_rules("europe", rulings={"station_choice": "ask"}),
        ttr.compile_rules(Europe(station_choice="ask"), "dice"),
        ttr.compile_rules("north-america", Hasty),
        ttr.compile_rules("north-america", Hasty(drawn=5)),
        with_tickets(ttr.compile_rules("north-america"), [ttr.Ticket("a-b", ("boston", "miami"), 5)]),
    ],
    ids=str,
)
def test_rules_that_travel_are_equal_to_those_that_stayed(rules: ttr.Rules) -> None:
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules and hash(again) == hash(rules) and len({again, rules}) == 1
    assert ttr.loads(ttr.dumps(ttr.new_game(rules=rules, players=2, seed=1)), rules=rules).rules is rules


def test_one_stack_is_one_object_however_it_is_written() -> None:
    asking = ttr.compile_rules("europe:station_choice=ask")
    assert asking is ttr.compile_rules("europe", rulings={"station_choice": "ask"})
    assert asking is ttr.compile_rules(Europe(station_choice="ask"))
    assert ttr.compile_rules("north-america", Hasty) is ttr.compile_rules("north-america", Hasty())


def test_boards_that_look_different_are_other_rules() -> None:
    """A board's name and the positions of its cities change no rule, but every picture."""
    board = ttr.compile_rules("north-america").board
    renamed = ttr.compile_rules("north-america", board=evolve(board, name="Elsewhere"))
    assert renamed.board.name == "Elsewhere" and renamed != ttr.compile_rules("north-america", board=board)
    assert renamed is ttr.compile_rules("north-america", board=evolve(board, name="Elsewhere"))


def test_other_options_plugins_and_tickets_are_other_rules() -> None:
    europe = ttr.compile_rules("europe")
    others = (ttr.compile_rules("europe:station_choice=ask"), ttr.compile_rules("europe", "dice"), None, "europe")
    assert all(europe != other for other in others)
    assert ttr.compile_rules("north-america", Hasty) != ttr.compile_rules("north-america", Hasty(drawn=5))


def test_a_class_that_is_defined_again_is_another_plugin() -> None:
    def define() -> type[Variant]:
        class Again(Variant, name="again"):
            """Again: nothing changes."""

        return Again

    first, second = (ttr.compile_rules("north-america", define()) for _ in range(2))
    assert first.fingerprint == second.fingerprint and first != second
    for rules in (first, second):  # as pickle does it, which cannot name such a class
        reduced: Any = rules.__reduce__()
        compile_again, recipe = reduced
        assert compile_again(*recipe) is rules


@pytest.mark.slow
def test_threads_that_compile_one_stack_get_one_object() -> None:
    program = """
from concurrent.futures import ThreadPoolExecutor
import ttr_rules as ttr
from ttr_rules.plugins import Variant
class Mine(Variant, name="mine"):
    "Mine: nothing changes."
for stack in (("london",), ("new-york", Mine)):
    with ThreadPoolExecutor(8) as pool:
        assert len({id(each) for each in [*pool.map(lambda _: ttr.compile_rules(*stack), range(8))]}) == 1, stack
import gc
import pickle
rules = ttr.compile_rules("new-york", Mine)
assert pickle.loads(pickle.dumps(rules)) is rules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
    with ThreadPoolExecutor(8) as pool:
        assert len({id(each) for each in pool.map(lambda _: ttr.compile_rules("north-america", Hasty), range(8))}) == 1


def test_rules_that_nobody_uses_any_more_are_forgotten() -> None:
    gc.freeze()  # what earlier tests made is not looked through
    rules = weakref.ref(ttr.compile_rules("north-america", Hasty(drawn=5), "dice"))
    gc.collect()
    assert rules() is None
