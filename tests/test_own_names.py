"""The plugins of the docs on every base, and what plugins call their bonuses and terms when others have that name too."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import define
from docs_pages import DOCS, blocks, plugin_of
from helpers import rules_of

import ttr_rules as ttr
from ttr_rules.errors import PluginConflictError, PluginError
from ttr_rules.plugins import Part, Rules, Variant, hookimpl, public

BASES = (
    "north-america", "europe", "europa-1912", "mega-europa", "grossstaedte", "nordic-countries", "switzerland", "germany-tickets",
)  # fmt: skip
LATER_BASES = ("india", "legendary-asia", "london", "new-york", "pennsylvania", "united-kingdom")
#: The others are tried by slow tests.
QUICK = ("north-america", "europe", "nordic-countries", "germany-tickets", "pennsylvania", "united-kingdom")
OTHERS: list[tuple[str, ...]] = [(base,) for base in (*BASES, *LATER_BASES) if base not in QUICK]
OTHERS += [(base, "dice") for base in BASES if base != "europe"]
ON_EVERY_BASE = [
    *((base,) for base in QUICK),
    ("europe", "dice"),
    *(pytest.param(stack, marks=pytest.mark.slow) for stack in OTHERS),
]

pytestmark = pytest.mark.installed_tree


@cache
def written_plugins() -> dict[str, Any]:
    """The plugins that the docs write out, for any base, by where they stand."""
    sources: dict[str, str] = {}
    for page in (
        "tutorial/your-first-variant.md",
        *(f"how-to/{path.name}" for path in sorted((DOCS / "how-to").glob("*.md"))),
    ):
        for block in blocks(page):
            if (
                block.file
                and "(Variant, name=" in block.text
                and "requires=" not in block.text
                and "__file__" not in block.text
            ):
                sources[f"{page}: {block.file}"] = block.text
    found: dict[str, Any] = {}
    for name, source in sources.items():
        module = ModuleType(f"written_{len(found)}")
        exec(compile(source, name, "exec"), module.__dict__)
        found[name] = plugin_of(module)
    return found


def test_there_are_plugins_to_try() -> None:
    names = {Path(name.rpartition(" ")[2]).name for name in written_plugins()}
    assert names >= {
        "ttr_globetrotter.py",
        "ttr_hasty.py",
        "ttr_no_trifles.py",
        "ttr_depots.py",
        "ttr_coins.py",
    }


@pytest.mark.slow_cases(
    "united-kingdom", "germany-tickets", "europe+dice", "nordic-countries", "pennsylvania", "europe"
)
@pytest.mark.parametrize("stack", ON_EVERY_BASE, ids="+".join)
def test_the_plugins_of_the_docs_join_every_base(stack: tuple[str, ...]) -> None:
    for name, plugin in written_plugins().items():
        if plugin.info.name == "coins" and "dice" in stack:  # each says that it comes first
            with pytest.raises(PluginConflictError, match="'coins' and 'dice' both replace 'economy'"):
                ttr.compile_rules(*stack, plugin)
            continue
        if plugin.info.name == "coins" and stack[0] == "united-kingdom":
            with pytest.raises(PluginError, match="bought with locomotives of its own train cards"):
                ttr.compile_rules(*stack, plugin)
            continue
        if plugin.info.name == "no-trifles" and stack[0] == "london":
            with pytest.raises(PluginError, match="deals 2 regular tickets to each of 2 players, but the deck holds 3"):
                ttr.compile_rules(*stack, plugin)
            continue
        rules = ttr.compile_rules(*stack, plugin)
        assert rules.fingerprint == ttr.compile_rules(plugin, *reversed(stack)).fingerprint, name
        assert ttr.playout(rules, 2, seed=1).winners, name


@pytest.mark.rule("N8", "M8")
@pytest.mark.parametrize("stack", ON_EVERY_BASE, ids="+".join)
def test_the_bonus_of_the_tutorial_is_there_beside_that_of_the_map(stack: tuple[str, ...]) -> None:
    own = {bonus.name: bonus.points for bonus in rules_of(*stack).bonuses}
    assert "globetrotter" not in own
    rules = ttr.compile_rules(*stack, written_plugins()["tutorial/your-first-variant.md: src/ttr_globetrotter.py"])
    assert {bonus.name: bonus.points for bonus in rules.bonuses} == {**own, "globetrotter": 15}
    for seed in range(4):
        players = ttr.playout(rules, 2, seed).players
        best = max(player.completed_tickets for player in players)
        for player in players:
            won = best > 0 and player.completed_tickets == best
            assert player.bonuses.get("globetrotter", 0) == (15 if won else 0)
            assert player.bonuses.get("most_tickets", 0) == (own.get("most_tickets", 0) if won else 0)
            assert player.total == (
                player.route_points
                + player.ticket_points
                + sum(term.points for term in player.terms.values())
                + sum(player.bonuses.values())
            )


# -- one key, two plugins ------------------------------------------------------------------------------------------


def keeping(plugin: str, player_key: str, part_key: str) -> type[Variant]:
    """A plugin with a part that is written under these keys."""

    @define(eq=False)
    class Notes(Part):
        player_keys = (player_key,)
        part_keys = (part_key,)
        taken: list[int] = public(factory=list)

    Notes.__name__ = f"Notes of {plugin}"

    class Keeping(Variant, name=plugin):
        """Keeping: a part with keys of its own."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Notes,)

    return Keeping


@pytest.mark.parametrize(
    ("stack", "clash"),
    [
        ([keeping("two", "notes", "more")], "plugin 'one' and plugin 'two' both read the player key 'notes'"),
        ([keeping("two", "scores", "common")], "plugin 'one' and plugin 'two' both read the key under parts 'common'"),
        (["pennsylvania", keeping("two", "shares", "more")], "plugin 'pennsylvania' and plugin 'two' both read the player key 'shares'"),
        ([keeping("two", "hand", "more")], "the economy of 'train-cards' and plugin 'two' both read the player key 'hand'"),
        ([keeping("two", "routes", "more")], "the library and plugin 'two' both read the player key 'routes'"),
    ],
)  # fmt: skip
def test_two_that_read_one_key_of_tables_are_a_conflict(stack: list[Any], clash: str) -> None:
    base = [] if "pennsylvania" in stack else ["north-america"]
    for names in permutations((*base, *stack, keeping("one", "notes", "common"))):
        with pytest.raises(PluginConflictError) as caught:
            ttr.compile_rules(*names)
        assert str(caught.value) == f"{clash} of tables and positions: one of them must call it something else"
