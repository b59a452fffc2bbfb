"""The tour of variants: each plugin of its pages plays on three maps, with cards and dice, whatever the order of the stack."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module, invalidate_caches
from random import Random
from typing import Any

import pytest
from docs_pages import DOCS, blocks, plugin_of

import ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.testing import check_variant
from ttr_variants.dice import DrawTicketsWithDice

pytestmark = pytest.mark.installed_tree
PAGES = sorted(path.stem for path in DOCS.glob("tour/*.md") if path.stem != "index")
MAPS = ("north-america", "europe", "nordic-countries")
STACKS = [(board, *dice) for board in MAPS for dice in ((), ("dice",))]


@pytest.fixture(scope="module")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Any]]:
    """The plugins by the names of their pages."""
    folder = tmp_path_factory.mktemp("tour")
    files = {page: next(each for each in blocks(f"tour/{page}.md") if each.file) for page in PAGES}
    for block in files.values():
        assert block.file is not None
        (folder / block.file).write_text(block.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    modules = {page: import_module(str(block.file).removesuffix(".py")) for page, block in files.items()}
    yield {page: plugin_of(module) for page, module in modules.items()}
    sys.path.remove(str(folder))
    for module in modules.values():
        del sys.modules[module.__name__]


def test_there_are_twelve_and_each_is_on_the_list() -> None:
    listed = (DOCS / "tour" / "index.md").read_text(encoding="utf-8")
    assert len(PAGES) == 12
    assert [page for page in PAGES if f"({page}.md)" not in listed] == []


@pytest.mark.parametrize(
    ("page", "stack"),
    [
        pytest.param(
            page, stack, id=f"{page}-{' + '.join(stack)}", marks=[pytest.mark.slow] if (first + second) % 6 else []
        )
        for first, page in enumerate(PAGES)
        for second, stack in enumerate(STACKS)
    ],
)
def test_it_plays_whatever_the_order_of_the_stack(tour: Mapping[str, Any], page: str, stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack, tour[page])
    other = ttr.compile_rules(tour[page], *reversed(stack))
    assert page in rules.stack and rules.stack == other.stack
    assert rules.fingerprint == other.fingerprint != ttr.compile_rules(*stack).fingerprint
    assert ttr.playout(other, 2, seed=page).winners


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_all_that_must_hold_of_a_variant_holds(tour: Mapping[str, Any], page: str) -> None:
    stack = STACKS[PAGES.index(page) % len(STACKS)]
    assert check_variant(*stack, tour[page], players=2, games=1).games == 1


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS, ids=" + ".join)
def test_all_of_them_play_together(tour: Mapping[str, Any], stack: tuple[str, ...]) -> None:
    plugins = [tour[page] for page in PAGES]
    rules = ttr.compile_rules(*stack, *plugins)
    other = ttr.compile_rules(*reversed(plugins), *reversed(stack))
    assert {*PAGES} <= {*rules.stack}
    assert rules.fingerprint == other.fingerprint
    game = ttr.new_game(rules=rules, players=3, seed=1)
    play_game(game)
    assert ttr.loads(ttr.dumps(game), rules=other, verify=True).final_scores == game.final_scores


def test_no_tickets_are_drawn_with_dice_at_closing_time(tour: Mapping[str, Any]) -> None:
    game = ttr.new_game("europe", "dice", tour["closing-time"], players=2, seed=1)
    random, offered = Random(1), {False: 0, True: 0}
    while game.to_act:
        actions = game.legal_actions(game.to_act[0])
        offered[game.state.turns_left > 0] += any(isinstance(each, DrawTicketsWithDice) for each in actions)
        game.play(actions[random.randrange(len(actions))])
    assert offered[False] > 5
    assert offered[True] == 0
