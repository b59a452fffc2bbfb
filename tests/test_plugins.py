"""Plugins: how they are found, put together, checked and refused. Every mistake is one `TTRError` that says whose it is."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest
from plugins import coins, excursions

import ttr_maps
import ttr_rules as ttr
from ttr_rules import Components, DrawCounts, PluginInfo, Rulings, hookimpl
from ttr_variants import north_america
from ttr_variants.europe import Europe

EUROPE = Europe()

VALUE_HOOKS: dict[str, object] = {
    "board": ttr_maps.load("europe"),
    "components": Components(),
    "ticket_deck": ttr.TicketDeck.by_kind(ttr_maps.load("europe").tickets),
    "setup": (ttr.Stage((ttr.Deal("regular", 3),), ttr.KeepAtLeast(2), under="regular"),),
    "draw_counts": DrawCounts(),
    "economy": ttr.TrainCards(),
    "rulings": Rulings(),
    "bonuses": (ttr.LONGEST_PATH,),
    "tie_break": ttr.TIE_BREAK_P5,
}
COLLECTING_HOOKS = (
    "action_rules", "state_parts", "event_types", "scoring_terms", "ticket_links", "after_claims", "endings", "problems",
)  # fmt: skip


def plugin(name: str, requires: Sequence[str] = (), **hooks: Callable[..., object]) -> ModuleType:
    """A plugin made on the spot: a module with these functions as hooks."""
    module = ModuleType(f"plugin_{name}")
    module.info = PluginInfo(name, name.title(), requires=tuple(requires))  # type: ignore[attr-defined]
    for hook, function in hooks.items():
        marked = getattr(function, "ttr_rules_impl", None) is not None
        setattr(module, hook, function if marked else hookimpl(function))
    return module


def giving(value: object) -> Callable[[], object]:
    def answer() -> object:
        return value

    return answer


def compiled(*stack: object, **more: Any) -> ttr.Rules:
    return ttr.compile_rules(*stack, **more)


def raised(*stack: object, kind: type[ttr.TTRError] = ttr.PluginError, **more: Any) -> str:
    """The message with which a stack is refused."""
    with pytest.raises(ttr.TTRError) as caught:
        compiled(*stack, **more)
    assert isinstance(caught.value, kind), repr(caught.value)
    message = str(caught.value)
    assert message.strip()
    return message


def installed_as(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Install plugins for this test: name to module, beside those that are installed."""
    real = importlib.metadata.entry_points

    def entry_points(**params: Any) -> Any:
        found = list(real(**params))
        if params.get("group") == "ttr_rules.plugins":
            found += [EntryPoint(name.replace("_", "-"), value, "ttr_rules.plugins") for name, value in points.items()]
        return importlib.metadata.EntryPoints(found)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    for module in [module for name, module in sys.modules.items() if name.startswith("ttr_rules.")]:
        if getattr(module, "entry_points", None) is real:
            monkeypatch.setattr(module, "entry_points", entry_points)


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, object], None]:
    return lambda name, module: monkeypatch.setitem(sys.modules, name, module)  # type: ignore[call-overload, no-any-return]


# -- discovery ---------------------------------------------------------------------------------------------------------


def test_the_variants_are_found_by_entry_point() -> None:
    found = {each.name: each for each in ttr.installed()}
    for name, module in (("north-america", north_america), ("europe", EUROPE)):
        assert found[name].info == module.info
        assert found[name].distribution == "ttr-rules"
        assert found[name].problem is None
    assert list(found) == sorted(found)


def test_a_plugin_can_be_given_by_name_as_a_module_or_as_an_instance() -> None:
    by_name, by_module = compiled("europe"), compiled(EUROPE)
    assert by_name.stack == by_module.stack == ("europe",)
    assert by_name.board is by_module.board
    assert compiled("europe", coins.CoinsPlugin()).stack == ("europe", "coins")
    assert compiled(Europe(), excursions).stack == ("europe", "excursions")


def test_a_third_party_is_found_as_module_class_or_instance(
    monkeypatch: pytest.MonkeyPatch, modules: Callable[[str, object], None]
) -> None:
    holder = ModuleType("third_party")
    holder.Coins, holder.coins = coins.CoinsPlugin, coins.CoinsPlugin()  # type: ignore[attr-defined]
    modules("third_party", holder)
    for value in ("third_party:Coins", "third_party:coins"):
        with monkeypatch.context() as patch:
            installed_as(patch, coins=value)
            assert {each.name: each.info for each in ttr.installed()}["coins"] == coins.CoinsPlugin.info
            assert isinstance(ttr.compile_rules("europe", "coins").economy, coins.Coins)
            game = ttr.new_game("europe", "coins", players=2, seed=1)
            assert ttr.loads(ttr.dumps(game)) == game
    with monkeypatch.context() as patch:
        installed_as(patch, excursions="plugins.excursions")
        assert ttr.compile_rules("north-america", "excursions").stack == ("north-america", "excursions")
