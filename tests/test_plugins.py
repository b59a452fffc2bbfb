"""Plugins: how they are found, put together, checked and refused. Every mistake is one `TTRError` that says whose it is."""

from __future__ import annotations

import importlib.metadata
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import EntryPoint
from itertools import permutations
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import attrs
import pytest
from attrs import evolve
from helpers import arranged, keep_all
from playing import label
from plugins import coins, excursions
from plugins.made import giving, plugin

import ttr_maps
import ttr_rules as ttr
from ttr_rules import Board, boards
from ttr_rules.actions import NumberedRule, Prices
from ttr_rules.engine import action_numbers, final_scores
from ttr_rules.errors import HookTypeError, PluginConflictError, PluginError, SaveError, UnknownPluginError
from ttr_rules.events import SetupRevealed, TurnEnded
from ttr_rules.kernel.variant import HOOKS, VALUES
from ttr_rules.model import Cost
from ttr_rules.parts import KeyHelp
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Bonus,
    Components,
    Deal,
    DrawCounts,
    KeepAtLeast,
    PaidRule,
    Part,
    Rules,
    Score,
    ScoringTerm,
    Setup,
    Stage,
    TicketDeck,
    TieBreak,
    Transaction,
    Variant,
    always,
    hookimpl,
    option,
    options_of,
    public,
    tryfirst,
)
from ttr_rules.plugins.discovery import load_plugin
from ttr_rules.scores import LONGEST_PATH, TIE_BREAK_P5
from ttr_rules.train_cards import CardOptions, TrainCards, TrainCardsPlugin
from ttr_variants import north_america
from ttr_variants.europe import Europe

EUROPE = Europe()

THINGS = ("parts", "actions", "around", "scoring", "hints", "notes")
VALUE_HOOKS: dict[str, object] = {
    "board": ttr_maps.load("europe"),
    "components": Components(),
    "ticket_deck": TicketDeck.by_kind(ttr_maps.load("europe").tickets),
    "setup": (Stage((Deal("regular", 3),), KeepAtLeast(2), under="regular"),),
    "draw_counts": DrawCounts(),
    "economy": TrainCards(),
    "route_cars": {id: route.length for id, route in ttr_maps.load("europe").routes.items()},
    "route_points": {id: 1 for id in ttr_maps.load("europe").routes},
    "bonuses": (LONGEST_PATH,),
    "tie_breaks": TIE_BREAK_P5,
}
#: What rules call the answers to hooks, where it is not the hook's name.
ATTRIBUTES = {"ticket_deck": "deck", "tie_breaks": "tie_break"}


def compiled(*stack: object, **more: Any) -> ttr.Rules:
    return ttr.compile_rules(*stack, **more)


def raised(*stack: object, kind: type[ttr.TTRError] = PluginError, **more: Any) -> str:
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
        found: list[Any] = list(real(**params))
        if params.get("group") == "ttr_rules.plugins":
            found += [EntryPoint(name.replace("_", "-"), value, "ttr_rules.plugins") for name, value in points.items()]
        return importlib.metadata.EntryPoints(found)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    for module in [module for name, module in sys.modules.items() if name.startswith("ttr_rules.")]:
        if getattr(module, "entry_points", None) is real:
            monkeypatch.setattr(module, "entry_points", entry_points)


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, object], None]:
    known: dict[str, Any] = sys.modules
    return lambda name, module: monkeypatch.setitem(known, name, module)


# -- discovery ---------------------------------------------------------------------------------------------------------


def test_the_variants_are_found_by_entry_point() -> None:
    found = {each.name: each for each in ttr.installed()}
    for name, module in (("north-america", north_america.NorthAmerica), ("europe", EUROPE)):
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


@pytest.mark.parametrize(
    ("name", "near"), [("europ", "europe"), ("Europe", "europe"), ("north_america", "north-america")]
)
def test_an_unknown_name_is_told_with_what_was_meant(name: str, near: str) -> None:
    message = raised(name, kind=UnknownPluginError)
    assert repr(name) in message
    assert f"did you mean {near!r}" in message


def test_an_unknown_name_far_from_all_is_told_with_what_there_is() -> None:
    message = raised("europe", "qqq", kind=UnknownPluginError)
    assert "'qqq'" in message and "north-america" in message and "did you mean" not in message


BROKEN_MODULES = {
    "cannot be imported": "raise RuntimeError('out of order')",
    "needs what is not there": "import nothing_of_this_name",
    "is no Python": "def (",
    "has no info": "x = 1",
    "has an info of another type": "info = 'me'",
    "ends the program": "raise SystemExit(3)",
}


@pytest.mark.parametrize("how", BROKEN_MODULES)
def test_a_broken_installed_plugin_hinders_only_those_who_ask_for_it(
    how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "broken_plugin.py").write_text(BROKEN_MODULES[how], encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "broken_plugin", raising=False)
    installed_as(monkeypatch, broken="broken_plugin")
    fresh_rulings = {"station_choice": "ask"}
    assert compiled("europe", rulings=fresh_rulings).stack == ("europe",)
    game = ttr.new_game("north-america", players=2, seed=1)
    keep_all(game)
    assert ttr.loads(ttr.dumps(game)) == game
    assert "'broken'" in raised("europe", "broken")
    listed = {each.name: each for each in ttr.installed()}
    assert listed["broken"].info is None and listed["broken"].problem
    assert listed["europe"].problem is None
    sys.modules.pop("broken_plugin", None)


def test_an_entry_point_to_a_name_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_as(monkeypatch, gone="plugins.excursions:nothing", nowhere="no_such_module_at_all")
    assert "'gone'" in raised("europe", "gone")
    assert "'nowhere'" in raised("europe", "nowhere")
    assert compiled("europe").stack == ("europe",)


def test_an_entry_point_to_a_class_that_is_no_plugin_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_as(monkeypatch, album="plugins.excursions:Album")
    assert "plugin 'album' cannot be loaded: " in (message := raised("europe", "album"))
    assert "is not a plugin: a plugin is a class, class Mine(Variant, name" in message


def test_an_entry_point_with_another_name_than_its_plugin_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the stack and the saved game would name a plugin that is not installed."""
    installed_as(monkeypatch, tours="plugins.excursions")
    message = raised("europe", "tours")
    assert "plugin 'tours'" in message and "'excursions'" in message and "entry point" in message
    listed = {each.name: each for each in ttr.installed()}
    assert listed["tours"].info is None and "'excursions'" in (listed["tours"].problem or "")
    wants = plugin("wants", ["tours"])
    assert "'tours'" in raised("europe", wants)
    assert compiled("europe", excursions).stack == ("europe", "excursions")


@pytest.mark.parametrize("name", ["marklin", "orient-express", "max"])
def test_a_string_names_no_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever gives a server a stack does not learn which files it has."""
    (tmp_path / "there.toml").write_text("tickets = [{cities = ['berlin', 'ulm'], points = 9, kind = 'short'}]")
    monkeypatch.chdir(tmp_path)
    looked_at: list[object] = []
    monkeypatch.setattr(boards, "read_table", looked_at.append)
    messages: list[str] = []
    for file in ("there.toml", "gone.toml", "."):
        for text in (f"{name}:tickets={file}", f"{name}:tickets='{file}'", f'{name}:tickets="{tmp_path / file}"'):
            messages.append(re.sub("the string '.*': ", "", raised("europe", text)))
        for many in (f"{name}:tickets=['{file}']", f"{name}:tickets={{tickets='{file}'}}"):
            assert "tickets" in raised("europe", many)
        kind: Any = type(load_plugin(name, {"tickets": [["Paris", "Wien", 9]]}))
        with pytest.raises(ttr.InvalidInputError, match="strings cannot name files"):
            kind(tickets=file)
    assert not looked_at
    assert (
        len(set(messages)) == 1 and "strings cannot name files" in messages[0] and "PLUGIN:tickets=FILE" in messages[0]
    )


def test_a_plugin_class_that_cannot_be_made_is_told(
    monkeypatch: pytest.MonkeyPatch, modules: Callable[[str, object], None]
) -> None:
    class Needy(Variant, name="needy"):
        what: int

    holder = ModuleType("needy_plugin")
    holder.Needy = Needy  # type: ignore[attr-defined]
    modules("needy_plugin", holder)
    installed_as(monkeypatch, needy="needy_plugin:Needy")
    assert "'needy'" in raised("europe", "needy")


@pytest.mark.parametrize("thing", [object(), 5, None, ("europe",), ModuleType("empty"), b"europe", int])
def test_something_that_is_no_plugin_is_refused(thing: object) -> None:
    assert "plugin" in raised("europe", thing)


@pytest.mark.parametrize("more", [(), ("dice",)])
def test_compiled_rules_in_the_place_of_a_plugin_are_told_where_they_go(more: tuple[str, ...]) -> None:
    rules: Any = ttr.compile_rules("europe")
    for call in (ttr.compile_rules, partial(ttr.new_game, players=2)):
        with pytest.raises(PluginError, match=r"^<Rules europe> is not a plugin: .* with new_game\(rules=\.\.\.\)"):
            call(rules, *more)


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "2", None])
def test_forms_in_saved_games_are_counted_from_one(version: Any) -> None:
    class Odd(Variant, name="odd", save_version=version):
        """Odd: of this version."""

    assert raised("europe", Odd) == f"save_version of 'odd' is a whole number of at least 1, not {version!r}"


def test_a_plugin_that_cannot_bring_its_older_games_up_to_date_is_refused() -> None:
    class Odd(Variant, name="odd", save_version=3):
        """Odd: of the third version."""

    class Kept(Odd, name="odd", save_version=3):
        def upcast(self, document: dict[str, Any], version: int) -> dict[str, Any]:
            return document

    message = "'odd' has save_version 3 and no `upcast`: games saved by version 2 could not be loaded"
    assert raised("europe", Odd).startswith(message)
    assert ttr.compile_rules("europe", Kept).plugin(Kept).info.save_version == 3


def test_a_class_in_place_of_an_instance_is_created() -> None:
    assert compiled("europe", coins.CoinsPlugin).fingerprint == compiled("europe", coins.CoinsPlugin()).fingerprint


def test_a_class_that_needs_an_option_is_not_created_without() -> None:
    class Needy(Variant, name="needy"):
        what: int

    assert raised("europe", Needy) == "plugin 'needy' needs options: write what: int = option(…), or give Needy(what=…)"
    assert compiled("europe", Needy(what=1)).stack == ("europe", "needy")


# -- replace and adjust --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", VALUE_HOOKS)
def test_a_plain_hook_replaces_what_lies_below(hook: str) -> None:
    value = VALUE_HOOKS[hook]
    board = ttr_maps.load(
        "europe" if hook in ("ticket_deck", "route_cars", "route_points") else "north_america"
    )  # these name places
    rules = compiled(plugin("base", board=giving(board)), plugin("top", ["base"], **{hook: giving(value)}))
    name = ATTRIBUTES.get(hook, hook)
    assert getattr(rules, name) == value


@pytest.mark.parametrize("hook", VALUE_HOOKS)
def test_below_leaves_what_lies_below(hook: str) -> None:
    without = compiled("europe")
    rules = compiled("europe", plugin("quiet", ["europe"], **{hook: lambda below, *_: below()}))
    name = ATTRIBUTES.get(hook, hook)
    if hook == "economy":
        assert isinstance(rules.economy, TrainCards)
    elif hook == "ticket_deck":
        assert rules.deck.tickets == without.deck.tickets
    else:
        assert getattr(rules, name) == getattr(without, name)


def test_an_answer_that_never_changes_needs_no_method() -> None:
    class Slow(Variant, name="slow"):
        """Slow: four tickets are drawn, and routes are never closed."""

        draw_counts = always(DrawCounts(drawn=4))
        scoring = always((ScoringTerm("nothing", lambda state, seat: Score(0)),))

    class Quick(Variant, name="quick"):
        """Quick: five tickets, whatever the others say."""

        draw_counts = tryfirst(always(DrawCounts(drawn=5)))

    rules = ttr.compile_rules("north-america", Slow)
    assert rules.draw_counts.drawn == 4 and "draw_counts: slow (replaces core)" in rules.explain()
    assert "nothing" in ttr.playout(rules, players=2, seed=1).players[0].terms
    assert ttr.compile_rules("north-america", Slow, Quick).draw_counts.drawn == 5

    class Wrong(Variant, name="wrong"):
        """Wrong: not even numbers."""

        draw_counts = always(4)  # type: ignore[arg-type]

    with pytest.raises(HookTypeError, match="hook 'draw_counts' of plugin 'wrong' must give a DrawCounts, not 4"):
        ttr.compile_rules("north-america", Wrong)

    class Typed(Variant, name="typed"):
        """Typed: an option, as it seems."""

        draw_counts: Any = always(DrawCounts())

    with pytest.raises(PluginError, match="'draw_counts' is a hook, but has a type like an option"):
        ttr.compile_rules("north-america", Typed)

    class Miscalled(Variant, name="miscalled"):
        """Miscalled: no hook."""

        drawing = always(4)

    with pytest.raises(PluginError, match="plugin 'miscalled' has no hook 'drawing'"):
        ttr.compile_rules("north-america", Miscalled)


def test_explain_names_every_hook() -> None:
    night = plugin(
        "night",
        claim_refusal=lambda state, seat, route: None,
        claim_key=lambda state, seat: 0,
        closed_routes=lambda state, seat: (),
    )
    lines = dict(
        line.split(": ", 1) for line in ttr.compile_rules("europe", night).explain().splitlines() if ": " in line
    )
    unused = lines["unused"].split(", ")
    assert {*HOOKS} - {*lines, *unused} == {"notes"}, "those are at the end"
    assert not {*unused} & {*lines} and "on_claim" in unused
    assert [lines[hook] for hook in ("claim_refusal", "claim_key", "closed_routes")] == ["night"] * 3


def test_explain_does_not_credit_a_plugin_that_left_the_answer_to_others() -> None:
    rules = compiled("europe", plugin("quiet", ["europe"], board=lambda below: below(), scoring=giving(())))
    line = next(line for line in rules.explain().splitlines() if line.startswith("board:"))
    assert "europe" in line and "quiet" not in line
    terms = next(line for line in rules.explain().splitlines() if line.startswith("scoring:"))
    assert "quiet" not in terms


def test_a_wrapper_adjusts_what_lies_below() -> None:
    def draw_counts(below: Below[DrawCounts], board: Board) -> DrawCounts:
        return evolve(below(), drawn=4)

    def components(below: Below[Components], board: Board) -> Components:
        return evolve(below(), cars=below().cars + 1)

    one = plugin("one", draw_counts=draw_counts, components=components)
    two = plugin("two", components=components)
    for stack in (("europe", one, two), (two, "europe", one), (one, two, "europe")):
        rules = compiled(*stack)
        assert rules.draw_counts == DrawCounts(drawn=4)
        assert rules.components.cars == 47
        line = next(line for line in rules.explain().splitlines() if line.startswith("components:"))
        assert "core" in line and "one" in line and "two" in line


def test_wrappers_from_base_to_top() -> None:
    order: list[str] = []

    def adjusting(name: str, add: str) -> type[Variant]:
        def tie_breaks(below: Below[tuple[TieBreak, ...]], board: Board) -> tuple[TieBreak, ...]:
            lower = below()
            order.append(name)
            return (*lower, TieBreak(add, lambda state, players, player: 0))

        return plugin(name, tie_breaks=tie_breaks)

    rules = compiled("europe", adjusting("lower", "a"), adjusting("upper", "b"))
    assert order == ["lower", "upper"]
    assert [tie.name for tie in rules.tie_break][-2:] == ["a", "b"]


def term(name: str) -> Callable[..., object]:
    return giving([ScoringTerm(name, lambda state, seat: Score(0))])


def terms(*stack: object) -> list[str]:
    return [each.name for each in compiled(*stack).scoring_terms]


@pytest.mark.slow
def test_collecting_hooks_put_together_what_all_give_the_base_first() -> None:
    """First what is required, then what requires it; plugins on a level by name, whatever their order in the stack."""
    upper = plugin("a-upper", ["z-base"], scoring=term("upper"))
    base = plugin("z-base", scoring=term("base"))
    other = plugin("m-other", scoring=term("other"))
    for stack in permutations(("europe", base, other, upper)):
        assert terms(*stack) == ["stations", "other", "base", "upper"]


@pytest.mark.parametrize("container", [list, tuple, iter, set])
def test_a_collecting_hook_may_give_any_iterable(container: Callable[[Any], Any]) -> None:
    extra = ScoringTerm("extra", lambda state, seat: Score(3, 1))
    rules = compiled("europe", plugin("z-adds", scoring=lambda rules: container([extra])))
    assert rules.scoring_terms[-1] is extra


def test_a_collecting_hook_may_be_a_generator() -> None:
    def scoring(rules: Rules) -> Iterator[ScoringTerm]:
        yield ScoringTerm("one", lambda state, seat: Score(1))
        yield ScoringTerm("two", lambda state, seat: Score(2))

    assert terms("europe", plugin("z-adds", scoring=scoring)) == ["stations", "one", "two"]


def test_each_hook_is_called_exactly_once() -> None:
    calls: list[str] = []

    def counting(hook: str, value: object) -> Callable[..., object]:
        def answer(*_: object, **__: object) -> object:
            calls.append(hook)
            return value

        return answer

    hooks = {hook: counting(hook, value) for hook, value in VALUE_HOOKS.items()}
    hooks |= {hook: counting(hook, ()) for hook in THINGS}
    rules = compiled(plugin("all", **hooks))
    calls.remove("board")  # asked first of all: whose map it is decides the order of the stack
    assert sorted(calls) == sorted([*VALUE_HOOKS, *THINGS])
    ttr.playout(rules, 2, 1)
    assert len(calls) == len(hooks), "a hook was called while a game was played"


# -- conflicts and requirements ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", VALUE_HOOKS)
def test_two_plugins_that_replace_the_same_conflict(hook: str) -> None:
    one = plugin("one", **{hook: giving(VALUE_HOOKS[hook])})
    two = plugin("two", **{hook: giving(VALUE_HOOKS[hook])})
    base = () if hook == "board" else (plugin("base", board=giving(VALUE_HOOKS["board"])),)
    for stack in ((one, two), (two, one)):
        message = raised(*base, *stack, kind=PluginConflictError)
        assert "'one'" in message and "'two'" in message and hook in message


def test_boards_of_two_variants_conflict() -> None:
    message = raised("europe", "north-america", kind=PluginConflictError)
    assert "'europe'" in message and "'north-america'" in message


def test_two_that_replace_the_same_conflict_even_with_one_between_that_requires_one_of_them() -> None:
    one = plugin("one", draw_counts=giving(DrawCounts(4)))
    two = plugin("two", ["one"], draw_counts=giving(DrawCounts(5)))
    three = plugin("three", ["one"], draw_counts=giving(DrawCounts(6)))
    assert compiled("europe", one, two).draw_counts.drawn == 5
    message = raised("europe", one, two, three, kind=PluginConflictError)
    assert "'two'" in message and "'three'" in message and "draw_counts" in message


def test_the_upper_of_two_may_replace_what_the_one_it_requires_gave() -> None:
    base = plugin("base", draw_counts=giving(DrawCounts(4)))
    middle = plugin("middle", ["base"])
    top = plugin("top", ["middle"], draw_counts=giving(DrawCounts(5)))
    for stack in ((base, middle, top), (top, middle, base), (middle, top, base)):
        rules = compiled("europe", *stack)
        assert rules.draw_counts.drawn == 5
        assert [name for name in rules.stack if name != "europe"] == ["base", "middle", "top"]


def test_required_plugins_are_pulled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    top = plugin("top", ["europe"], draw_counts=giving(DrawCounts(4)))
    assert compiled(top).stack == ("europe", "top")
    assert compiled("europe", top).stack == ("europe", "top")
    assert compiled(top, "europe").stack == ("europe", "top")
    assert compiled(Europe(), top).stack == ("europe", "top")
    assert compiled(top, EUROPE).stack == ("europe", "top")


@pytest.mark.parametrize("stack", [("mega-europa", "europe:tie_break=P6"), ("europe:tie_break=P6", "mega-europa")])
def test_a_required_plugin_has_the_options_that_the_stack_names(stack: tuple[str, ...]) -> None:
    assert ttr.compile_rules(*stack).options["europe"]["tie_break"] == "P6"


def test_a_required_plugin_that_is_not_there_is_told() -> None:
    message = raised("europe", plugin("top", ["no-such-base"]), kind=UnknownPluginError)
    assert "no-such-base" in message
    assert "'top'" in message, "the message does not say which plugin requires it"


def test_plugins_that_require_each_other_are_refused(
    monkeypatch: pytest.MonkeyPatch, modules: Callable[[str, object], None]
) -> None:
    one, two = plugin("one", ["two"]), plugin("two", ["one"])
    message = raised("europe", one, two)
    assert "one" in message and "two" in message and "circle" in message
    assert "itself" in raised("europe", plugin("itself", ["itself"]))
    holder = ModuleType("circle")
    holder.One, holder.Two = one, two  # type: ignore[attr-defined]
    modules("circle", holder)
    installed_as(monkeypatch, one="circle:One", two="circle:Two")
    message = raised("europe", "one")
    assert "one" in message and "two" in message


def test_the_same_plugin_twice_is_once_and_two_of_one_name_are_refused() -> None:
    assert compiled("europe", "europe").stack == ("europe",)
    assert compiled(EUROPE, EUROPE, "europe").stack == ("europe",)
    money = coins.CoinsPlugin()
    assert compiled("europe", money, money).stack == ("europe", "coins")
    message = raised("europe", plugin("twin"), plugin("twin"), kind=PluginConflictError)
    assert "'twin'" in message


def test_a_stack_without_a_map_is_told() -> None:
    for stack in ((), (excursions,), (coins.CoinsPlugin(), excursions)):
        message = raised(*stack)
        assert "map" in message or "board" in message


def test_a_plugin_cannot_be_called_core() -> None:
    assert "core" in raised("europe", plugin("core"))


# -- wrong answers ----------------------------------------------------------------------------------------------------------


WRONG: tuple[object, ...] = (5, "text", ["a list"], (1, 2), object(), {"a": 1})


@pytest.mark.parametrize("hook", VALUE_HOOKS)
@pytest.mark.parametrize("wrong", WRONG, ids=label)
def test_a_value_hook_of_the_wrong_type_is_told(hook: str, wrong: object) -> None:
    base = plugin("base", board=giving(VALUE_HOOKS["board"]))
    message = raised(base, plugin("wrong", ["base"], **{hook: giving(wrong)}), kind=HookTypeError)
    assert "wrong" in message and hook in message


@pytest.mark.parametrize("hook", THINGS)
@pytest.mark.parametrize(
    "wrong", [5, "text", [5], [None], [object()], ScoringTerm("x", lambda state, seat: Score(0))], ids=label
)
def test_a_collecting_hook_of_the_wrong_type_is_told(hook: str, wrong: object) -> None:
    message = raised("europe", plugin("wrong", **{hook: giving(wrong)}), kind=HookTypeError)
    assert "wrong" in message and hook in message


def test_a_wrapper_that_returns_something_else_is_told() -> None:
    def draw_counts(below: Below[DrawCounts], board: Board) -> object:
        below()
        return 4

    message = raised("europe", plugin("wrong", draw_counts=draw_counts), kind=HookTypeError)
    assert "wrong" in message and "draw_counts" in message


# -- exceptions inside hooks ------------------------------------------------------------------------------------------------


def failing(*_: object) -> Any:
    raise RuntimeError("this plugin is out of order")


@pytest.mark.parametrize("hook", [*VALUE_HOOKS, *THINGS])
def test_an_exception_inside_a_hook_is_told(hook: str) -> None:
    def answer(*_: object, **__: object) -> object:
        raise RuntimeError("out of order")

    base = plugin("base", board=giving(VALUE_HOOKS["board"]))
    message = raised(base, plugin("sick", ["base"], **{hook: answer}))
    assert "sick" in message and hook in message and "out of order" in message


@pytest.mark.parametrize("hook", THINGS)
def test_an_exception_inside_a_generator_is_told(hook: str) -> None:
    def answer(rules: Rules) -> Iterator[object]:
        yield from ()
        raise RuntimeError("out of order")

    message = raised("europe", plugin("sick", **{hook: answer}))
    assert "sick" in message and hook in message and "out of order" in message


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_exception_inside_a_wrapper_is_told(when: str) -> None:
    def components(below: Below[Components], board: Board) -> Components:
        if when == "before":
            raise RuntimeError("out of order")
        below()
        raise RuntimeError("out of order")

    message = raised("europe", plugin("sick", components=components))
    assert "sick" in message and "components" in message and "out of order" in message


def test_an_exception_inside_an_economy_is_told() -> None:
    class Sick(coins.Coins):
        def action_rules(self) -> Any:
            raise RuntimeError("out of order")

    class Poor(coins.Coins):
        def prices(self, costs: Sequence[Cost]) -> Prices:
            raise RuntimeError("out of order")

    for economy in (Sick, Poor):
        message = raised("europe", plugin("sick", economy=giving(economy())))
        assert "sick" in message and "out of order" in message


# -- the course of a game that plugins shape ----------------------------------------------------------------------------


@pytest.mark.rule("S7")
def test_how_many_tickets_are_kept_shows_after_the_last_of_three_stages() -> None:
    stages = tuple(Stage((Deal("regular", 2),), KeepAtLeast(1), under="regular") for _ in range(3))
    game = ttr.new_game(
        "north-america", plugin("slow", ("north-america",), setup=giving(stages)), players=2, seed=1, first_seat=0
    )
    shown = []
    for _ in range(3):
        for seat in (0, 1):
            tickets = game.decision(seat).tickets  # type: ignore[union-attr]
            events = game.play(ttr.KeepTickets(seat, tickets[: 2 - seat]))
        shown += [event.held for event in events if isinstance(event, SetupRevealed)]
    assert shown == [(), (), (6, 3)]
    assert game.state.first_tickets == (6, 3)
    assert isinstance(game.decision(0), ttr.Turn)


@pytest.mark.rule("R4")
def test_passes_end_the_game_as_soon_as_the_economy_has_nothing_left() -> None:
    class Slow(TrainCards):
        def exhausted(self, state: ttr.State) -> bool:
            return state.passes > 3

    tickets = [ticket.id for ticket in ttr.compile_rules("north-america").deck.piles["regular"]]
    rules = ttr.compile_rules("north-america", plugin("slow", economy=giving(Slow())))
    game = arranged(rules, {"tickets": tickets}, {})
    for turn in range(4):
        assert not game.is_over
        game.play(ttr.Pass(turn % 2))
    assert game.is_over


def test_a_turn_that_ends_after_a_question_was_no_pass() -> None:
    game = ttr.new_game("europe", coins.CoinsPlugin(), players=2, seed=1, first_seat=0)
    keep_all(game)
    while not isinstance(game.decision(game.to_act[0]), coins.Donation):
        game.play(coins.Earn(game.to_act[0]))
    events = game.play(coins.Donate(game.to_act[0], 0))
    assert [event.passed for event in events if isinstance(event, TurnEnded)] == [False]


# -- hooks that are not there, wrappers where there is nothing to wrap ------------------------------------------------------


def failing_key(state: ttr.State, players: object, sheet: ttr.PlayerScore) -> Any:
    raise KeyError("wien")


def no_number(state: ttr.State, players: object, sheet: ttr.PlayerScore) -> Any:
    return None if sheet.seat else 1


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (failing_key, "tie-break 'luck' of plugin 'ties' failed: KeyError: 'wien'"),
        (no_number, "tie-break 'luck' of plugin 'ties' must give a whole number, not None"),
    ],
)
def test_a_tie_break_that_fails_is_told_as_the_plugins(key: Callable[..., Any], message: str) -> None:
    ties = (TieBreak("luck", key),)
    rules = compiled("north-america", plugin("ties", tie_breaks=giving(ties)))
    with pytest.raises(PluginError, match=re.escape(message)):
        final_scores(ttr.new_game(rules=rules, players=2, seed=1).state, ["Ada", "Ben"])


@pytest.mark.parametrize(
    ("numbers", "problem"),
    [
        ({"cars": 0}, "cars is a whole number of at least 1, not 0"),
        ({"cars": "45"}, "cars is a whole number of at least 1, not '45'"),
        ({"min_players": 0}, "min_players is a whole number from 1 to 10, not 0"),
        ({"max_players": True}, "max_players is a whole number from 1 to 10, not True"),
        ({"min_players": 4, "max_players": 3}, "min_players must be at most max_players (3), not 4"),
        ({"doubles_from": 0}, "doubles_from is a whole number of at least 1, not 0"),
        ({"rounds": 1}, "rounds is a whole number of at least 2, not 1"),
        ({"last_turns": None}, "last_turns is a whole number of at least 1, not None"),
        ({"cars": 9, "last_round_at": 9}, "last_round_at must be less than cars (9), not 9"),
    ],
)
def test_components_that_nobody_can_play_with_are_refused(numbers: Any, problem: str) -> None:
    def components(below: Below[Components], board: ttr.Board) -> Components:
        return Components(**numbers)

    message = raised("europe", plugin("box", components=components))
    assert "box" in message and problem in message


# -- marks, names and arguments of hooks ------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", [*VALUES, *THINGS])
def test_a_hook_that_yields_as_a_wrapper_is_refused(hook: str) -> None:
    wraps = plugin("wraps", **{hook: giving(())})
    vars(wraps)[hook].ttr_rules_impl["wrapper"] = True
    message = raised("europe", wraps)
    assert "wraps" in message and hook in message and "below()" in message


# -- instances ---------------------------------------------------------------------------------------------------------------


class Draws(Variant, name="draws"):
    """Draws: other numbers of tickets are drawn."""

    drawn: int = option(4)

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: Board) -> DrawCounts:
        return DrawCounts(self.drawn)


def test_an_instance_with_options_is_a_plugin() -> None:
    assert compiled("europe", Draws(drawn=4)).draw_counts.drawn == 4
    assert compiled("europe", Draws(drawn=5)).draw_counts.drawn == 5
    game = ttr.new_game("europe", Draws(drawn=6), players=2, seed=1)
    assert game.rules.draw_counts.drawn == 6
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


class Passes(Variant, name="passes"):
    """Passes: some routes are passes."""

    routes: tuple[str, ...] = option(())
    mode: str = option("plain")


@pytest.mark.parametrize(
    ("typed", "routes", "mode"),
    [
        ("passes", (), "plain"),
        ("passes:routes=bern-wien", ("bern-wien",), "plain"),
        ('passes:routes=["bern-wien", "a=b,c"],mode=rough', ("bern-wien", "a=b,c"), "rough"),
        ('passes:mode=rough,routes=["bern-wien","bern-roma"]', ("bern-wien", "bern-roma"), "rough"),
    ],
)
def test_an_option_may_be_a_tuple(
    typed: str, routes: tuple[str, ...], mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_as(monkeypatch, passes=f"{__name__}:Passes")
    rules = compiled("europe", typed)
    assert (rules.plugin(Passes).routes, rules.plugin(Passes).mode) == (routes, mode)
    assert str(options_of(rules.plugin(Passes))["routes"]).startswith(f"routes = {list(routes)}".replace("'", '"'))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    assert ttr.loads(ttr.dumps(game)).rules == rules


def test_equal_instances_of_one_name_are_told() -> None:
    assert "draws" in raised("europe", Draws(drawn=4), Draws(drawn=4))
    assert "draws" in raised("europe", Draws(drawn=4), Draws(drawn=5))


def test_a_property_that_fails_is_not_run() -> None:
    class Moody(Variant, name="moody"):
        @property
        def mood(self) -> str:
            raise RuntimeError("not today")

    assert compiled("europe", Moody).stack == ("europe", "moody")


# -- what does not fit together ------------------------------------------------------------------------------------------------


class Nap(ttr.Action):
    pass


class NapRule(ActionRule[ttr.Turn, Nap]):
    def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Nap]:
        return [Nap(decision.seat)]

    def refusal(self, state: ttr.State, decision: ttr.Turn, action: Nap) -> ttr.Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Nap) -> None:
        """Only the turn ends."""


def test_two_rules_for_one_decision_and_action_conflict() -> None:
    one, two = (plugin(name, actions=lambda rules: [NapRule()]) for name in ("one", "two"))
    assert compiled("europe", one).stack == ("europe", "one")
    message = raised("europe", one, two, kind=PluginConflictError)
    assert "Turn" in message and "Nap" in message
    assert "one" in message and "two" in message
    twice = plugin("twice", actions=lambda rules: [NapRule(), NapRule()])
    assert "Nap" in raised("europe", twice)


def test_a_rule_that_does_not_say_what_it_answers_is_told() -> None:
    class Vague(NapRule):
        on = None  # type: ignore[assignment]

    class Aimless(NapRule):
        action = "Nap"  # type: ignore[assignment]

    class Bare(ActionRule[Any, Any]):
        offers = refusal = perform = lambda self, *_: None  # type: ignore[assignment]

    for rule in (Vague, Aimless, Bare):
        message = raised("europe", plugin("vague", actions=giving([rule()])))
        assert "vague" in message or rule.__name__ in message


class LongNap(ttr.Action):
    hours: int


def without(base: Any, *names: str, action: type[ttr.Action] = Nap) -> ActionRule[Any, Any]:
    """A rule with every method but some."""
    made = "offers refusal perform number_of_codes count nth action_of code_of perform_code every bought".split()
    methods = {name: lambda self, *_: None for name in made if name not in names}
    kind: Any = type("Unfinished", (base,), {"on": ttr.Turn, "action": action, **methods})
    rule: ActionRule[Any, Any] = kind()
    return rule


@pytest.mark.parametrize(
    ("base", "names"),
    [
        (ActionRule, "perform"),
        *((NumberedRule, name) for name in ("number_of_codes", "count", "nth", "action_of", "code_of", "perform_code")),
        (PaidRule, "every"),
        (PaidRule, "bought"),
        (NumberedRule, "offers perform"),
        (ActionRule, "count nth codes number_of_codes"),
        (ActionRule, "offers count"),
    ],
)  # fmt: skip
def test_a_rule_without_a_method_that_it_needs_is_told(base: Any, names: str) -> None:
    unfinished = plugin("unfinished", actions=lambda rules: [without(base, *names.split())])
    if " " in names:  # all of these are inherited
        assert compiled("europe", unfinished).stack == ("europe", "unfinished")
        return
    message = raised("europe", unfinished)
    assert "Unfinished of plugin 'unfinished' lacks" in message and repr(names) in message


@pytest.mark.parametrize("action", [Nap, LongNap])
def test_refusal_is_enough_only_for_an_action_without_fields(action: type[ttr.Action]) -> None:
    def needing(*names: str) -> Any:
        return plugin("needing", actions=lambda rules: [without(ActionRule, *names, "count", action=action)])

    assert "lacks the method 'offers', which every ActionRule must have" in raised(
        "europe", needing("offers", "refusal")
    )
    if action is LongNap:
        assert "lacks the method 'offers'" in raised("europe", needing("offers"))
    else:
        compiled("europe", needing("offers"))


def test_a_rule_for_an_action_without_fields_needs_no_offers() -> None:
    """Its only action has one number in every position, legal or not."""

    class Naps(ActionRule[ttr.Turn, Nap]):
        def refusal(self, state: ttr.State, decision: ttr.Turn, action: Nap) -> ttr.Refusal | None:
            early = ttr.Refusal("X1", "too early") if state.round == 1 else None
            return early or super().refusal(state, decision, action)

        def perform(self, tx: Transaction, decision: ttr.Turn, action: Nap) -> None:
            tx.score(action.seat, 1, "nap")

    rules = compiled("europe", plugin("naps", actions=lambda rules: [Naps()]))
    game, numbers = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]}), action_numbers(rules)
    early = game.state
    while game.state.round == 1:
        assert not any(isinstance(action, Nap) for action in game.legal_actions())
        game.play(game.legal_actions()[0])
    seat = game.to_act[0]
    number = numbers.number(game.state, Nap(seat))
    assert numbers.fixed and numbers.is_legal(game.state, seat, number)
    assert numbers.action(early, 0, number) == Nap(0) and not numbers.is_legal(early, 0, number)
    game.play(Nap(seat))
    assert game.to_act == (1 - seat,)


def test_all_missing_methods_are_told_at_once() -> None:
    rule = without(ActionRule, "offers", "perform", action=LongNap)
    message = raised("europe", plugin("bare", actions=lambda rules: [rule]))
    assert (
        "Unfinished of plugin 'bare' lacks the methods 'offers', 'perform', which every ActionRule must have" in message
    )


@pytest.mark.parametrize("name", ["free", "replaces"])
@pytest.mark.parametrize("value", [1, None, "no"])
def test_a_rule_is_free_or_not(name: str, value: object) -> None:
    kind: Any = type("Vague", (NapRule,), {name: value})
    message = raised("europe", plugin("vague", actions=lambda rules: [kind()]))
    assert f"{name} of Vague of plugin 'vague' is {value!r}: it must be True or False" in message


def test_two_parts_of_one_type_conflict() -> None:
    one, two = (plugin(name, parts=giving([excursions.Album])) for name in ("one", "two"))
    message = raised("europe", one, two, kind=PluginConflictError)
    assert "Album" in message and "one" in message and "two" in message
    message = raised("europe", excursions, one, kind=PluginConflictError)
    assert "Album" in message


def test_two_types_of_one_name_in_a_plugin_are_told() -> None:
    def make(number: int) -> type[ttr.Event]:
        class Sneezed(ttr.Event):
            __module__ = f"cold_{number}"
            seat: int

            def apply(self, state: ttr.State) -> None: ...

        return Sneezed

    first, second = make(1), make(2)

    class Cold(Variant, name="cold"):
        __module__ = "cold_1"

    class WorseCold(Cold, name="cold"):
        __module__ = "cold_2"

    message = raised("europe", WorseCold)
    assert "cold" in message and "Sneezed" in message
    rules = compiled("europe", plugin("cold", (), "cold_1"), plugin("flu", (), "cold_2"))
    assert {first, second} <= set(rules.types.values())


def stages(*piles: tuple[str, int], **more: Any) -> Callable[..., Setup]:
    return lambda *_: (Stage(tuple(Deal(*each) for each in piles), KeepAtLeast(1), **more),)


def test_a_set_up_that_deals_more_than_the_deck_holds_is_told() -> None:
    for deal in (("long", 4), ("regular", 21), ("no-such-pile", 1)):
        message = raised("europe", plugin("greedy", ["europe"], setup=stages(deal)))
        assert deal[0] in message
    two_stages = plugin(
        "greedy", ["europe"],
        setup=lambda below, board: stages(("long", 2))() + stages(("long", 2))(),
    )  # fmt: skip
    assert "long" in raised("europe", two_stages)


def test_a_set_up_too_big_for_the_most_players_is_refused_at_once_or_for_them() -> None:
    """Six long tickets, two each: enough for three players, not for four."""
    greedy = plugin("greedy", ["europe"], setup=stages(("long", 2), under="long"))
    try:
        rules = compiled("europe", greedy)
    except PluginError as error:
        assert "long" in str(error)
        return
    assert len(ttr.new_game(rules=rules, players=3, seed=1).decision(2).tickets) == 2  # type: ignore[union-attr]
    for count in (4, 5):
        with pytest.raises(ttr.TTRError, match="long"):
            ttr.new_game(rules=rules, players=count, seed=1)
        with pytest.raises(ttr.TTRError, match="long"):
            ttr.playout(rules, count, 1)


@pytest.mark.parametrize(
    "setup",
    [
        stages(("regular", 3), box_rest=("no-such-pile",)),
        stages(("regular", 3), under="no-such-pile"),
        lambda below, board: stages(("long", 1), box_rest=("long",))() + stages(("long", 1))(),
    ],
    ids=["boxes what is not there", "puts under what is not there", "deals from the box"],
)
def test_a_set_up_with_piles_that_are_not_there_is_told(setup: Callable[..., Setup]) -> None:
    message = raised("europe", plugin("confused", ["europe"], setup=setup))
    assert "pile" in message or "long" in message or "regular" in message


def test_a_set_up_that_deals_less_than_nothing_is_told() -> None:
    message = raised("europe", plugin("confused", ["europe"], setup=stages(("regular", -1))))
    assert "plugin 'confused': count is a whole number of at least 0, not -1" in message


def test_draw_counts_of_a_pile_that_is_not_there_are_told() -> None:
    message = raised("europe", plugin("confused", draw_counts=giving(DrawCounts(pile="no-such-pile"))))
    assert "no-such-pile" in message


def test_draw_counts_that_keep_more_than_they_draw_are_told() -> None:
    message = raised("europe", plugin("greedy", draw_counts=lambda below, board: DrawCounts(drawn=2, keep=3)))
    assert "greedy" in message and "2 tickets are drawn and 3 of them kept" in message
    wrong: Any
    for wrong, told in (
        ({"drawn": 0, "keep": 0}, "drawn is a whole number of at least 1, not 0"),
        ({"keep": -1}, "keep is a whole number of at least 0, not -1"),
        ({"keep": "1"}, "keep is a whole number of at least 0, not '1': write keep=1"),
        ({"drawn": True}, "drawn is a whole number of at least 1, not True"),
        ({"cards": 2.5}, "cards is a whole number from 1 to 1000, not 2.5"),
    ):
        with pytest.raises(ttr.InvalidInputError, match=f"^{told}$"):
            DrawCounts(**wrong)


def test_tickets_that_lead_nowhere_and_routes_without_points_are_told() -> None:
    board = ttr.compile_rules("europe").board
    lost = ttr.Ticket("atlantis-wien", ("atlantis", "wien"), 5)
    with pytest.raises(ttr.InvalidInputError, match="atlantis-wien names 'atlantis', which is not a place of Europe"):
        evolve(board, tickets=(*board.tickets, lost))
    with pytest.raises(ttr.InvalidInputError, match="ends in 'wien', which is not a city of Europe"):
        evolve(board, cities={id: city for id, city in board.cities.items() if id != "wien"})
    deck = giving(TicketDeck({"regular": [*board.tickets, lost], "long": []}))
    assert "atlantis" in raised("europe", plugin("lost", ["europe"], ticket_deck=deck))
    with pytest.raises(ttr.InvalidInputError, match="is 8 long, and Europe has no points for that"):
        evolve(board, points={1: 1, 2: 2, 3: 4, 4: 7, 6: 15})


def test_a_plugin_that_finds_the_stack_unplayable_has_the_last_word() -> None:
    seen: list[Rules] = []

    def notes(rules: Rules) -> Iterable[str]:
        seen.append(rules)
        raise PluginError("picky: this map has no windmills")

    assert "picky: this map has no windmills" in raised("europe", plugin("picky", notes=notes))
    assert seen[0].board.id == "europe"


def test_what_plugins_note_stands_at_the_end_of_explain() -> None:
    seen: list[Rules] = []

    def notes(rules: Rules) -> Iterable[str]:
        seen.append(rules)
        return ["the ferries leave at noon"]

    rules = compiled("europe", plugin("captain", notes=notes))
    assert seen[0].board is rules.board
    assert rules.notes == ("the ferries leave at noon",)
    assert rules.explain().splitlines()[-2:] == ["notes:", "  the ferries leave at noon"]
    assert rules.fingerprint == compiled("europe").fingerprint
    plain = compiled("europe", plugin("silent", notes=giving(())))
    assert plain.notes == () and "notes:" not in plain.explain()


def test_a_broken_stack_can_be_mended_and_compiled_again() -> None:
    broken = True

    def notes(rules: Rules) -> Iterable[str]:
        if broken:
            raise PluginError("not yet")
        return ()

    moody = plugin("moody", notes=notes)
    raised("europe", moody)
    broken = False
    assert compiled("europe", moody).stack == ("europe", "moody")


# -- rules ----------------------------------------------------------------------------------------------------------------------


def test_rules_are_frozen_and_cached_by_stack() -> None:
    rules = compiled("europe")
    assert compiled("europe") is rules
    assert compiled("europe", rulings={"second_card_optional": True}) is not rules
    assert compiled("north-america") is not rules
    for name in ("stack", "board", "components", "draw_counts", "options", "economy", "scoring_terms"):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(rules, name, None)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.plugin(CardOptions).second_card_optional = True  # type: ignore[misc]


@pytest.mark.parametrize(
    "name", ["board.cities", "board.routes", "board.points", "deck.piles", "options", "types", "tickets"]
)
def test_the_mappings_of_rules_cannot_be_changed(name: str) -> None:
    """Rules are shared by all games, and by threads: whoever reads them cannot change them by mistake."""
    mapping = attrgetter(name)(compiled("europe"))
    try:
        with pytest.raises(TypeError):
            mapping["new"] = None
    finally:
        if "new" in mapping:
            del mapping["new"]


def test_the_economy_of_rules_cannot_be_changed_through_its_deck() -> None:
    cards = compiled("europe").economy.cards  # type: ignore[attr-defined]
    try:
        with pytest.raises(TypeError):
            cards["new"] = 1
    finally:
        if "new" in cards:
            del cards["new"]


def test_stacks_of_instances_are_not_confused_with_each_other() -> None:
    assert compiled("europe", Draws(drawn=2)).draw_counts.drawn == 2
    assert compiled("europe", Draws(drawn=3)).draw_counts.drawn == 3
    assert compiled("europe").draw_counts.drawn == 3


def test_options_are_the_fields_of_an_instance() -> None:
    rules = compiled("europe", Draws(drawn=4), coins.CoinsPlugin())
    assert dict(rules.options["draws"]) == {"drawn": 4}
    assert dict(rules.options["coins"]) == {}
    assert dict(rules.options["europe"]) == {"tie_break": "P5", "station_choice": "best"}


def test_a_saved_game_with_options_does_not_come_back_without_them(
    monkeypatch: pytest.MonkeyPatch, modules: Callable[[str, object], None]
) -> None:
    holder = ModuleType("draws_plugin")
    holder.Draws = Draws  # type: ignore[attr-defined]
    modules("draws_plugin", holder)
    installed_as(monkeypatch, draws="draws_plugin:Draws")
    game = ttr.new_game("europe", Draws(drawn=5), players=2, seed=1)
    try:
        assert ttr.loads(ttr.dumps(game)).rules.draw_counts.drawn == 5
    except SaveError as error:
        assert "draws" in str(error)
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


def test_explain_says_who_decided_what() -> None:
    short = plugin("short", components=lambda below, board: evolve(below(), cars=30))
    text = compiled("europe", short, rulings={"second_card_optional": True}).explain()
    lines = {line.split(":")[0].strip(): line for line in text.splitlines()}
    assert "europe + short" in text.splitlines()[0]
    assert "europe" in lines["board"] and "core" not in lines["board"]
    assert "train-cards" in lines["economy"]
    assert "core" in lines["components"] and "short" in lines["components"]
    assert "core" in lines["actions"] and "europe" in lines["actions"]
    assert "train-cards: second_card_optional = true (or false, the default) [R5]: a player may pass" in text
    assert "train-cards: face_up_when_exhausted = false (or true) [R2]: with draw pile and discards empty" in text


def test_a_board_of_ones_own_is_played() -> None:
    board = ttr_maps.load("north_america")
    rules = compiled(board=board)
    assert rules.board is board
    assert ttr.playout(rules, 3, 1).winners
    assert "board" in rules.explain()
    other = ttr_maps.load("europe")
    own = compiled("north-america", board=other, rulings={"second_card_optional": True})
    assert own.board is other and own.plugin(CardOptions).second_card_optional
    assert ttr.new_game("north-america", board=other, players=2, seed=1).rules.board is other
    assert compiled("north-america").board is board, "the cache confuses a stack with the same on another map"


def test_a_game_on_a_board_of_ones_own_is_never_loaded_on_another() -> None:
    north = ttr_maps.load("north_america")
    city, *others = north.cities.values()
    board = ttr.Board(
        "own", "Own", (evolve(city, name="Mine"), *others), tuple(north.routes.values()), north.points, north.tickets
    )
    game = ttr.new_game("north-america", board=board, players=2, seed=1)
    assert game.rules.board is board
    text = ttr.dumps(game)
    assert ttr.loads(text, rules=game.rules) == game
    try:
        loaded = ttr.loads(text)
    except SaveError:
        return
    assert loaded.rules.board.cities == board.cities, "the game was loaded on another map without a word"


def test_something_that_is_no_board_is_refused() -> None:
    others: tuple[Any, ...] = ("europe", {"cities": []}, 5)
    for board in others:
        with pytest.raises(ttr.TTRError):
            compiled("europe", board=board)


# -- rulings ----------------------------------------------------------------------------------------------------------------------


def test_rulings_come_as_a_mapping_field_by_field() -> None:
    rules = compiled("europe", rulings={"second_card_optional": True})
    assert rules.plugin(CardOptions).second_card_optional
    assert not compiled("europe", rulings={}).plugin(CardOptions).second_card_optional
    assert compiled("europe", rulings=None) is compiled("europe")


def test_rules_are_the_same_wherever_their_options_are_written() -> None:
    """In the name of a plugin, in the rulings, in an instance; of those below every stack as of any other."""
    given = {"second_card_optional": True, "shuffle_returned_tickets": True, "station_choice": "ask"}
    rules = compiled("europe", rulings=given)
    assert rules.stack == ("core", "train-cards", "europe")
    for stack, rulings in (
        (("europe:station_choice=ask", "train-cards:second_card_optional=true"), {"shuffle_returned_tickets": True}),
        (("core:shuffle_returned_tickets=true", "europe"), {"station_choice": "ask", "second_card_optional": True}),
        (
            (TrainCardsPlugin(second_card_optional=True), Europe(station_choice="ask")),
            {"core.shuffle_returned_tickets": True},
        ),
    ):
        assert compiled(*stack, rulings=rulings).fingerprint == rules.fingerprint
    usual = compiled("europe", rulings={"second_card_optional": False, "station_choice": "best"})
    assert usual.fingerprint == compiled("europe").fingerprint and usual.stack == ("europe",)


def test_a_mapping_changes_options_that_the_stack_has_set() -> None:
    strict = Europe(station_choice="ask")
    merged = compiled(strict, rulings={"second_card_optional": True})
    assert merged.plugin(Europe).station_choice == "ask" and merged.plugin(CardOptions).second_card_optional
    assert compiled(strict, rulings={"station_choice": "best"}).plugin(Europe).station_choice == "best"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"second_card_optionl": True}, "second_card_optionl"),
        ({"second_card_optional": "yes"}, "second_card_optional"),
        ({"second_card_optional": 1}, "second_card_optional"),
        ({"second_card_optional": None}, "second_card_optional"),
        ({"second_card_optional": []}, "second_card_optional"),
        ({"station_choice": "worst"}, "station_choice"),
        ({"station_choice": True}, "station_choice"),
        ({"station_choice": ["ask"]}, "station_choice"),
        ({5: True}, "5"),
    ],
    ids=label,
)
def test_a_ruling_that_does_not_exist_is_told(given: Any, named: str) -> None:
    assert named in raised("europe", rulings=given, kind=ttr.InvalidInputError)


def test_a_wrong_ruling_is_told_even_when_an_equal_right_one_was_given_before() -> None:
    """1 equals True, but is no answer to yes or no, whatever was compiled before."""
    right = compiled("north-america", rulings={"face_up_when_exhausted": True})
    assert right.plugin(CardOptions).face_up_when_exhausted is True
    raised("north-america", rulings={"face_up_when_exhausted": 1}, kind=ttr.InvalidInputError)


@pytest.mark.parametrize(
    "given", ["second_card_optional", 5, ["second_card_optional"], True, [("second_card_optional", True)]], ids=label
)
def test_something_that_is_no_rulings_is_refused(given: Any) -> None:
    raised("europe", rulings=given, kind=ttr.InvalidInputError)


@pytest.mark.parametrize("given", [{"second_card_optional": "no"}, {"station_choice": "worst"}], ids=label)
def test_rulings_with_a_value_that_does_not_exist_are_told(given: dict[str, Any]) -> None:
    with pytest.raises(ttr.InvalidInputError, match=next(iter(given))):
        compiled("europe", rulings=given)


# -- answers that only show when they are used -----------------------------------------------------------------------


def _cars_left(state: ttr.State, seat: int) -> Score:
    return state.cars[seat]  # type: ignore[return-value]  # the mistake of this test


def _raising(*_: object) -> Any:
    raise ZeroDivisionError("by zero")


@pytest.mark.parametrize(
    ("hook", "given", "error", "said"),
    [
        ("scoring", ScoringTerm("cars", _cars_left), HookTypeError, "scoring term 'cars' of plugin 'mine' must give a Score, not 45"),
        ("scoring", ScoringTerm("cars", _raising), PluginError, "scoring term 'cars' of plugin 'mine' failed: ZeroDivisionError: by zero"),
        ("scoring", ScoringTerm("cars", lambda *_: Score(True)), HookTypeError, "scoring term 'cars' of plugin 'mine' must give a Score, not Score(points=..."),
        ("bonuses", Bonus("best", 5, lambda *_: [4]), HookTypeError, "bonus 'best' of plugin 'mine' must go to seats from 0 to 3, not [4]"),
        ("bonuses", Bonus("best", 5, lambda *_: [-1]), HookTypeError, "bonus 'best' of plugin 'mine' must go to seats from 0 to 3, not [-1]"),
        ("bonuses", Bonus("best", 5, lambda *_: [True]), HookTypeError, "bonus 'best' of plugin 'mine' must go to seats from 0 to 3, not [True]"),
        ("bonuses", Bonus("best", 5, lambda *_: [7]), HookTypeError, "bonus 'best' of plugin 'mine' must go to seats from 0 to 3, not [7]"),
        ("bonuses", Bonus("best", 5, lambda *_: ["Ada"]), HookTypeError, "bonus 'best' of plugin 'mine' must go to seats from 0 to 3"),
        ("bonuses", Bonus("best", awards=lambda *_: {0: "7"}), HookTypeError, "bonus 'best' of plugin 'mine' must give whole numbers of points, not ['7']"),
        ("bonuses", Bonus("best", awards=lambda *_: {0: 2.5}), HookTypeError, "bonus 'best' of plugin 'mine' must give whole numbers of points, not [2.5]"),
        ("bonuses", Bonus("best", 5, lambda *_: None), PluginError, "bonus 'best' of plugin 'mine' failed: TypeError"),  # type: ignore[arg-type]
        ("bonuses", Bonus("best", 5, lambda *_: [0], details=lambda *_: ["wien"]), PluginError, "bonus 'best' of plugin 'mine': each of the details must be a Detail(what, points), not 'wien'"),
        ("scoring", ScoringTerm("cars", lambda *_: Score(1, 1, [("wien", 1)])), PluginError, "'mine': each of the details must be a Detail(what, points), not ('wien', 1)"),  # type: ignore[list-item]
        ("bonuses", Bonus("best", 5, _raising), PluginError, "bonus 'best' of plugin 'mine' failed: ZeroDivisionError: by zero"),
    ],
)  # fmt: skip
def test_what_a_plugin_scores_by_names_the_plugin_when_it_fails(
    hook: str, given: object, error: type[PluginError], said: str
) -> None:
    rules = ttr.compile_rules("north-america", plugin("mine", (), **{hook: giving((given,))}))
    with pytest.raises(error) as caught:
        ttr.score(rules, {"players": [{}, {}, {}, {}]})
    assert said in str(caught.value)


def test_a_bonus_sees_the_state_and_the_bonuses_before_it() -> None:
    def half_of_the_rest(state: ttr.State, players: Sequence[ttr.PlayerScore]) -> dict[int, int]:
        return {player.seat: sum(player.bonuses.values()) // 2 for player in players if state.routes(player.seat)}

    bonuses = (
        Bonus("first", 8, lambda *_: [0, 1]),
        Bonus("half", awards=half_of_the_rest),
        Bonus("last", 2, lambda *_: [0]),
    )
    rules = ttr.compile_rules("north-america", plugin("mine", (), bonuses=giving(bonuses)))
    ada, bo = ttr.score(rules, {"players": [{"routes": [["Denver", "Omaha"]]}, {}]}).players
    assert ada.bonuses == {"first": 8, "half": 4, "last": 2} and ada.total == 7 + 14
    assert bo.bonuses == {"first": 8}


def test_of_bonuses_that_come_last_one_that_requires_the_other_comes_after_it() -> None:
    class Zebra(Variant, name="zebra"):
        @tryfirst
        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("zebra", 1, lambda *_: [0]))

    class Ant(Variant, name="ant", requires=("zebra",)):
        @tryfirst
        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("ant", 1, lambda *_: [0]))

    class Bee(Variant, name="bee"):
        @hookimpl
        def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
            return (*below(), Bonus("bee", 1, lambda *_: [0]))

    rules = ttr.compile_rules("europe", Ant, Zebra, Bee)
    assert [bonus.name for bonus in rules.bonuses][-3:] == ["bee", "zebra", "ant"]


def test_a_bonus_has_no_line_for_a_seat_to_which_it_gives_nothing() -> None:
    mine = plugin("mine", bonuses=lambda below, board: (*below(), Bonus("best", awards=lambda *_: {0: 0, 1: 5})))
    sheet = ttr.score(ttr.compile_rules("europe", mine), {"players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert [dict(player.bonuses) for player in sheet.players] == [{}, {"best": 5}]
    ada, bo, *_ = str(sheet).split("\n\n")
    assert "Best" not in ada and "Best" in bo


@pytest.mark.parametrize("given", [{}, {"holders": lambda *_: [0], "awards": lambda *_: {0: 1}}])
def test_a_bonus_has_holders_or_awards(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="bonus 'best' needs either holders, the seats that get its points, or awards"):
        Bonus("best", 5, **given)


# -- one key, two plugins ------------------------------------------------------------------------------------------


def keeping(plugin: str, player_key: str, part_key: str) -> type[Variant]:
    """A plugin with a part that is written under these keys."""

    class Notes(Part):
        player_keys: ClassVar[Mapping[str, KeyHelp]] = {player_key: KeyHelp("Notes of a player.", "[]")}
        part_keys: ClassVar[Mapping[str, KeyHelp]] = {part_key: KeyHelp("Notes of all.", "{{}}")}
        taken: list[int] = public()

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
        ([keeping("two", "open_tickets", "more")], "the library and plugin 'two' both read the player key 'open_tickets'"),
    ],
)  # fmt: skip
def test_two_that_read_one_key_of_tables_are_a_conflict(stack: list[Any], clash: str) -> None:
    base = [] if "pennsylvania" in stack else ["north-america"]
    names = (*base, *stack, keeping("one", "notes", "common"))
    for names in (names, names[::-1]):
        with pytest.raises(PluginConflictError) as caught:
            ttr.compile_rules(*names)
        assert str(caught.value) == f"{clash} of tables and positions: one of them must call it something else"


def test_two_fields_of_a_part_with_one_key_are_refused() -> None:
    class Purse(Part):
        silver: list[int] = public(each=0, key="coins")
        gold: list[int] = public(each=0, key="coins")

    class Purses(Variant, name="purses"):
        """Purses: two kinds of coins."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Purse,)

    with pytest.raises(PluginError, match="two fields of the state part Purse have the key 'coins': rename one"):
        ttr.compile_rules("europe", Purses)


def test_always_takes_no_answer_that_stacks_cannot_share() -> None:
    with pytest.raises(PluginError, match="an iterator, which can be read only once: give it a tuple"):
        always(iter(()))
    for hook, answer in (("actions", ()), ("economy", TrainCards())):
        kind = type("Odd", (Variant,), {hook: always(answer)}, name="odd")
        with pytest.raises(PluginError, match=f"each stack needs {hook} of its own: write a method in place of always"):
            ttr.compile_rules("europe", kind)


def test_mistakes_in_a_class_are_told_when_it_is_made() -> None:
    with pytest.raises(PluginError, match="Left.left has no annotation: write left: list"):
        type("Left", (Part,), {"left": public(each=3)})
    with pytest.raises(PluginError, match="write @tryfirst above @hookimpl, not below it"):
        tryfirst(lambda self, below, board: below())

    with pytest.raises(PluginError, match="Paced needs no __init__: its fields are options, such as pace: int"):

        class Paced(Variant, name="paced"):
            """Paced: it has a pace."""

            def __init__(self) -> None: ...

    with pytest.raises(PluginError, match="Named.info describes the plugin: give the option another name"):

        class Named(Variant, name="named"):
            """Named: it has a name."""

            info: str = option("a", "b")  # type: ignore[assignment, misc]
