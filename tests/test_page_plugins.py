"""Plugins of the docs: each plays on three maps, with cards and dice, whatever the order of the stack, and all play together."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module, invalidate_caches
from random import Random
from typing import Any

import pytest
from docs_pages import blocks, plugin_of

import ttr_rules as ttr
from ttr_tools.bots import play_game
from ttr_tools.testing import check_variant
from ttr_variants.dice import DrawTicketsWithDice

pytestmark = pytest.mark.installed_tree
HOUSE_RULES = ("open-doubles", "plain-locomotives", "podium", "closing-time", "one-network")
#: The page of each plugin.
PAGES = {
    **dict.fromkeys(HOUSE_RULES, "how-to/house-rules.md"),
    "commitment": "how-to/change-tickets.md",
    "narrow-gauge": "how-to/change-claims.md",
    "color-of-the-day": "how-to/change-claims.md",
    "tailwind": "how-to/change-a-turn.md",
    "junctions": "how-to/score-points.md",
    "charter": "how-to/change-a-turn.md",
    "push-on": "how-to/ask-a-question.md",
    "patrons": "how-to/deal-and-hide.md",
    "home-town": "how-to/ask-a-question.md",
}
NAMES = [*PAGES]
#: Plugins that change nothing on a map.
THE_RULE_OF_THE_MAP = {("plain-locomotives", "nordic-countries")}
MAPS = ("north-america", "europe", "nordic-countries")
STACKS = [(board, *dice) for board in MAPS for dice in ((), ("dice",))]


def source(name: str) -> str:
    """The file of a plugin."""
    (text,) = (block.text for block in blocks(PAGES[name]) if block.file == f"{module_name(name)}.py")
    return text


def module_name(name: str) -> str:
    return f"ttr_{name.replace('-', '_')}"


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Any]]:
    """The plugins by their names."""
    folder = tmp_path_factory.mktemp("plugins")
    for name in NAMES:
        (folder / f"{module_name(name)}.py").write_text(source(name), encoding="utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    yield {name: plugin_of(import_module(module_name(name))) for name in NAMES}
    sys.path.remove(str(folder))
    for name in NAMES:
        del sys.modules[module_name(name)]


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_house_rule_takes_at_most_forty_lines(name: str) -> None:
    assert len(source(name).splitlines()) <= 40


@pytest.mark.parametrize(
    ("name", "stack"),
    [
        pytest.param(
            name, stack, id=f"{name}-{' + '.join(stack)}", marks=[pytest.mark.slow] if (first + second) % 6 else []
        )
        for first, name in enumerate(NAMES)
        for second, stack in enumerate(STACKS)
    ],
)
def test_it_plays_whatever_the_order_of_the_stack(
    plugins: Mapping[str, Any], name: str, stack: tuple[str, ...]
) -> None:
    rules = ttr.compile_rules(*stack, plugins[name])
    other = ttr.compile_rules(plugins[name], *reversed(stack))
    assert name in rules.stack and rules.stack == other.stack
    assert rules.fingerprint == other.fingerprint
    assert (rules.fingerprint == ttr.compile_rules(*stack).fingerprint) is ((name, stack[0]) in THE_RULE_OF_THE_MAP)
    assert ttr.playout(other, 2, seed=name).winners


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_that_must_hold_of_a_variant_holds(plugins: Mapping[str, Any], name: str) -> None:
    stack = STACKS[NAMES.index(name) % len(STACKS)]
    assert check_variant(*stack, plugins[name], players=2, games=1).games == 1


@pytest.mark.slow
@pytest.mark.parametrize("stack", STACKS, ids=" + ".join)
def test_all_of_them_play_together(plugins: Mapping[str, Any], stack: tuple[str, ...]) -> None:
    tried = [*plugins.values()]
    rules = ttr.compile_rules(*stack, *tried)
    other = ttr.compile_rules(*reversed(tried), *reversed(stack))
    assert {*NAMES} <= {*rules.stack}
    assert rules.fingerprint == other.fingerprint
    game = ttr.new_game(rules=rules, players=3, seed=1)
    play_game(game)
    assert ttr.loads(ttr.dumps(game), rules=other, verify=True).final_scores == game.final_scores


def test_no_tickets_are_drawn_with_dice_at_closing_time(plugins: Mapping[str, Any]) -> None:
    game = ttr.new_game("europe", "dice", plugins["closing-time"], players=2, seed=1)
    random, offered = Random(1), {False: 0, True: 0}
    while game.to_act:
        actions = game.legal_actions(game.to_act[0])
        offered[game.state.turns_left > 0] += any(isinstance(each, DrawTicketsWithDice) for each in actions)
        game.play(actions[random.randrange(len(actions))])
    assert offered[False] > 5
    assert offered[True] == 0
