"""Plugins of the docs: each plays on every map, with cards and dice, whatever the order of the stack; and many play together."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from random import Random
from types import ModuleType, new_class
from typing import Any

import pytest
from docs_pages import DOCS, blocks, plugin_of
from helpers import all_but, rules_of
from plugins import made

import ttr_rules as ttr
from ttr_rules.errors import PluginConflictError, PluginError, Refusal
from ttr_rules.hints import BotHint, TicketRoutes
from ttr_rules.plugins import Around, Choice, Confirm, Question, Rules, Transaction, Variant, hookimpl
from ttr_tools.bots import plan_tickets, play_game
from ttr_tools.testing import VariantError, check_variant
from ttr_variants.dice import DrawTicketsWithDice

HOUSE_RULES = ("open-doubles", "plain-locomotives", "podium", "closing-time", "one-network")
#: The page of each plugin.
PAGES = {
    **dict.fromkeys(HOUSE_RULES, "how-to/house-rules.md"),
    "commitment": "how-to/change-tickets.md",
    "narrow-gauge": "how-to/change-claims.md",
    "color-of-the-day": "how-to/change-claims.md",
    "mountain-pass": "how-to/change-claims.md",
    "track-charges": "how-to/change-claims.md",
    "demolition": "how-to/change-claims.md",
    "tailwind": "how-to/change-a-turn.md",
    "weather": "how-to/change-a-turn.md",
    "few-engines": "how-to/deal-and-hide.md",
    "junctions": "how-to/score-points.md",
    "widest-network": "how-to/score-points.md",
    "teams": "how-to/score-points.md",
    "charter": "how-to/change-a-turn.md",
    "finish-line": "how-to/change-a-turn.md",
    "timetable": "how-to/change-a-turn.md",
    "siesta": "how-to/change-a-turn.md",
    "harvest": "how-to/change-a-turn.md",
    "push-on": "how-to/ask-a-question.md",
    "auction": "how-to/ask-a-question.md",
    "hosts": "how-to/ask-a-question.md",
    "veto": "how-to/ask-a-question.md",
    "trade": "how-to/ask-a-question.md",
    "route-auction": "how-to/add-an-action.md",
    "patrons": "how-to/deal-and-hide.md",
    "goods-depots": "how-to/deal-and-hide.md",
    "home-town": "how-to/ask-a-question.md",
    "postcards": "how-to/add-an-action.md",
    "land-grants": "how-to/add-an-action.md",
    "bullets": "how-to/change-claims.md",
    "thieves": "how-to/deal-and-hide.md",
    "lockers": "how-to/deal-and-hide.md",
    "spies": "how-to/deal-and-hide.md",
    "roundhouse": "how-to/replace-the-economy.md",
    "gems": "how-to/deal-and-hide.md",
    "snow": "how-to/draw-a-board.md",
    "three-draws": "how-to/change-the-deck.md",
    "scouts": "how-to/change-tickets.md",
}
#: Those that any number of players can play, with cards or dice.
NAMES = [name for name in PAGES if name not in ("teams", "postcards", "veto", "lockers")]
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
    for name in PAGES:
        (folder / f"{module_name(name)}.py").write_text(source(name), encoding="utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    yield {name: plugin_of(import_module(module_name(name))) for name in PAGES}
    sys.path.remove(str(folder))
    for name in PAGES:
        del sys.modules[module_name(name)]


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_house_rule_takes_at_most_forty_lines(name: str) -> None:
    assert len(source(name).splitlines()) <= 40


@pytest.mark.slow
@pytest.mark.thorough_but("north-america + dice", "nordic-countries")
@pytest.mark.parametrize("number", range(len(STACKS)), ids=lambda number: " + ".join(STACKS[number]))
def test_all_that_must_hold_of_a_variant_holds(plugins: Mapping[str, Any], number: int) -> None:
    """Each plugin on one of the stacks, beside one or two others."""
    names = NAMES[number :: len(STACKS)]
    assert check_variant(*STACKS[number], *(plugins[name] for name in names), players=2, games=1).games == 1


@pytest.mark.slow
def test_bots_build_what_serves_all_and_complete_more_tickets(plugins: Mapping[str, Any]) -> None:
    def unplanned(self: Any, rules: Rules) -> tuple[BotHint, ...]:
        return (TicketRoutes.of_hook(self.ticket_routes),)

    planned: type[Variant] = plugins["bullets"]
    other = new_class(
        "Unplanned", (planned,), {"name": "bullets"}, lambda names: names.update(hints=hookimpl(unplanned))
    )
    completed: list[int] = []
    for plugin in (planned, other):
        completed.append(0)
        for seed in (1, 2):
            game = ttr.new_game("north-america", plugin, players=3, seed=seed)
            play_game(game)
            assert game.final_scores is not None
            completed[-1] += sum(player.completed_tickets for player in game.final_scores.players)
    assert completed[0] > 1.2 * completed[1]


def test_a_plan_for_one_network_is_not_joined_by_what_only_serves_for_tickets(plugins: Mapping[str, Any]) -> None:
    rules = ttr.compile_rules("north-america", plugins["one-network"], plugins["bullets"])
    built = [id for id, route in rules.board.routes.items() if route.length >= 5]
    ada = {"routes": [["Seattle", "Portland"]], "tickets": [["Seattle", "Los Angeles"]]}
    game = ttr.arrange(rules, {"seed": 1, "players": [ada, {}], "parts": {"bullets": built}})
    plan = plan_tickets(game.view(0), rules)  # it was never done
    assert plan.tickets == ("seattle-los_angeles",)
    assert "portland-san_francisco-green" not in plan.routes


@pytest.mark.slow
@pytest.mark.thorough_but("north-america + dice", "nordic-countries")
@pytest.mark.parametrize("stack", STACKS, ids=" + ".join)
def test_all_of_them_play_together(plugins: Mapping[str, Any], stack: tuple[str, ...]) -> None:
    tried = [plugins[name] for name in NAMES]
    rules = ttr.compile_rules(*stack, *tried)
    other = ttr.compile_rules(*reversed(tried), *reversed(stack))
    assert {*NAMES} <= {*rules.stack}
    assert rules.fingerprint == other.fingerprint
    game = ttr.new_game(rules=rules, players=3, seed=1)
    play_game(game)
    assert ttr.loads(ttr.dumps(game), rules=other, verify=True).final_scores == game.final_scores


@pytest.mark.slow
@pytest.mark.thorough_but("stack0")
@pytest.mark.parametrize(
    "stack", [("europe", "teams", "podium"), ("legendary-asia", "teams", "dice"), ("teams", "pennsylvania")]
)
def test_partners_win_together(plugins: Mapping[str, Any], stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*(plugins.get(name, name) for name in stack))
    for seed in range(3):
        game = ttr.new_game(rules=rules, players=4, seed=seed)
        play_game(game)
        assert game.final_scores is not None
        players = game.final_scores.players
        own = [player.total - player.bonuses["teams"] for player in players]
        assert [player.total for player in players] == [own[0] + own[2], own[1] + own[3]] * 2
        assert [player.rank for player in players] in ([1, 3, 1, 3], [3, 1, 3, 1], [1] * 4)


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong_with_partners(plugins: Mapping[str, Any]) -> None:
    assert check_variant("legendary-asia", plugins["teams"], "dice", players=4, games=1, skip=["processes"]).games == 1


@pytest.mark.slow
def test_no_tickets_are_drawn_with_dice_at_closing_time(plugins: Mapping[str, Any]) -> None:
    game = ttr.new_game("europe", "dice", plugins["closing-time"], players=2, seed=1)
    random, offered = Random(1), {False: 0, True: 0}
    while game.to_act:
        actions = game.legal_actions(game.to_act[0])
        offered[game.state.turns_left > 0] += any(isinstance(each, DrawTicketsWithDice) for each in actions)
        game.play(actions[random.randrange(len(actions))])
    assert offered[False] > 5
    assert offered[True] == 0


def test_the_number_of_cards_is_asked_for_when_a_draw_begins(plugins: Mapping[str, Any]) -> None:
    asked: list[object] = []

    def count(state: ttr.State, seat: int, cards: int) -> int:
        asked.append(state.decision(seat))
        return cards

    rules = ttr.compile_rules("europe", plugins["postcards"], made.plugin("counting", cards_drawn=count))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    for _ in range(2):
        game.play(next(each for each in game.legal_actions(0) if type(each).__name__ == "TakePostcard"))
    assert asked == [ttr.Turn(0)] and game.to_act == (1,)


@pytest.mark.parametrize("hand", [{"locomotive": 4}, {}], ids=["can claim", "cannot"])
def test_who_passed_in_the_snow_has_a_turn_without_it(plugins: Mapping[str, Any], hand: dict[str, int]) -> None:
    no_tickets = Around(ttr.DrawTickets, refuse=lambda state, action: Refusal("none", "no tickets"))

    def tunnels_only(state: ttr.State, seat: int, route: ttr.Route) -> Refusal | None:
        return None if route.tunnel else Refusal("closed", "tunnels only")

    closed = made.plugin("closed", around=lambda rules: [no_tickets], claim_refusal=tunnels_only)
    nothing = {"draw_pile": [], "draw_pile_complete": True, "face_up": [], "round": 3}
    rules = ttr.compile_rules("nordic-countries", plugins["snow"], closed)
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {"hand": hand}], **nothing})
    for seat in (0, 1, 0):
        game.play(ttr.Pass(seat))
    assert game.state.round == 4 and game.to_act == (1,)
    if not hand:
        game.play(ttr.Pass(1))
    assert game.is_over != any(isinstance(action, ttr.ClaimRoute) for action in game.legal_actions(1))


@pytest.mark.slow
def test_a_card_taken_out_of_a_hand_leaks_nothing(plugins: Mapping[str, Any]) -> None:
    check_variant("europe", plugins["thieves"], players=3, games=1, skip=["processes"])


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong_with_a_veto(plugins: Mapping[str, Any]) -> None:
    check_variant("europe", plugins["veto"], players=5, games=1, seed=5, skip=["processes"])


class Allow(Confirm):
    """Somebody else may object to an action."""

    public = True
    passing = "Allow it"

    def chosen(self, tx: Transaction, option: bool) -> None:
        tx.cancel_action()


@pytest.mark.slow
@pytest.mark.parametrize("asked", [False, True])
def test_an_action_with_a_secret_field_leaks_nothing_even_while_it_waits(
    plugins: Mapping[str, Any], asked: bool
) -> None:
    locking = sys.modules["ttr_lockers"].LockCard

    def before(tx: Transaction, action: ttr.Action) -> Question:
        return Allow((action.seat + 1) % tx.state.players)

    asks = made.plugin("asks", (), __name__, around=lambda rules: [Around(locking, before=before)])
    stack = ("europe", plugins["lockers"], *([asks] if asked else []))
    assert check_variant(*stack, players=2, games=1, seed=2, skip=all_but("secrets")).games == 1


GUESSED = "known(tx.state.part(Spies).employer[action.other_seat])"
CLEARED = "tx.emit(SpyCleared, action.seat, action.other_seat, action.employer"
#: By name: what is exchanged in the page's plugin, and what the check says then.
LEAKS: dict[str, tuple[dict[str, str], list[str]]] = {
    "undeclared": ({"    reveals = Accuse\n": ""}, ["tells", "or reveals = Accuse if everybody may hear yes or no"]),
    "talkative": (
        {
            f"{CLEARED})": f"{CLEARED}, *{GUESSED})",
            "    employer: str\n\n    def apply(self, state: State) -> None:\n        state.part(Spies).cleared":
            "    employer: str\n    of: str\n\n    def apply(self, state: State) -> None:\n        state.part(Spies).cleared",
        },
        ["SpyCleared tells", "what it cannot know"],
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAKS)
def test_an_answer_to_a_guess_tells_yes_or_no_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    exchanged, words = LEAKS[name]
    text = source("spies").replace('name="spies"', f'name="{name}-spies"')
    for before, after in exchanged.items():
        assert before in text
        text = text.replace(before, after)
    (tmp_path / f"ttr_{name}_spies.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    leaky = plugin_of(import_module(f"ttr_{name}_spies"))
    with pytest.raises(VariantError) as caught:
        check_variant("europe", leaky, players=(2, 3), games=1, skip=all_but("secrets"))
    assert all(word in str(caught.value) for word in words), caught.value


# -- every plugin of the pages, on every base -------------------------------------------------------------------------

BASES = (
    "north-america", "europe", "europa-1912", "mega-europa", "grossstaedte", "nordic-countries", "switzerland", "germany-tickets",
)  # fmt: skip
LATER_BASES = ("india", "legendary-asia", "london", "new-york", "pennsylvania", "united-kingdom")
#: Every plugin is tried on these, every fourth one on each of the others.
QUICK = ("north-america", "europe", "nordic-countries", "germany-tickets", "pennsylvania", "united-kingdom")
OTHERS: list[tuple[str, ...]] = [(base,) for base in (*BASES, *LATER_BASES) if base not in QUICK]
OTHERS += [(base, "dice") for base in BASES if base != "europe"]
ON_EVERY_BASE = [
    *((base,) for base in QUICK),
    ("europe", "dice"),
    *(
        pytest.param(stack, marks=pytest.mark.slow if stack == ("london",) else pytest.mark.thorough)
        for stack in OTHERS
    ),
]


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
        sys.modules[module.__name__] = module  # annotations are looked up there
        exec(compile(source, name, "exec"), module.__dict__)
        found[name] = plugin_of(module)
    return found


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong_with_a_draft() -> None:
    draft = next(plugin for plugin in written_plugins().values() if plugin.info.name == "ticket-draft")
    assert check_variant("europe", draft, players=2, games=1, skip=["processes"]).games == 1


def test_there_are_plugins_to_try() -> None:
    names = {Path(name.rpartition(" ")[2]).name for name in written_plugins()}
    assert names >= {
        "ttr_one_network.py",
        "ttr_hasty.py",
        "ttr_no_trifles.py",
        "ttr_depots.py",
        "ttr_coins.py",
    }


#: Maps with cards of their own: a plugin with another deck is not for them.
OWN_CARDS = ("london", "new-york", "nordic-countries", "switzerland", "united-kingdom")


@pytest.mark.slow
@pytest.mark.thorough_but("europe+dice", "london")
@pytest.mark.parametrize("stack", ON_EVERY_BASE, ids="+".join)
def test_the_plugins_of_the_docs_join_every_base(stack: tuple[str, ...]) -> None:
    for number, (name, plugin) in enumerate(written_plugins().items()):
        if stack in OTHERS and (number + OTHERS.index(stack)) % 4 != 1:
            continue
        if plugin.info.name == "coins" and "dice" in stack:  # each says that it comes first
            with pytest.raises(PluginConflictError, match="'coins' and 'dice' both replace 'economy'"):
                ttr.compile_rules(*stack, plugin)
            continue
        deck = plugin.info.name
        if deck in ("lean-deck", "ships", "terrain", "workshops") and stack[0] in OWN_CARDS:
            with pytest.raises(PluginConflictError, match=f"'{stack[0]}' and '{deck}' both replace 'economy'"):
                ttr.compile_rules(*stack, plugin)
            continue
        if deck == "white-coal" and stack[0] in ("london", "new-york"):
            with pytest.raises(PluginError, match="takes 'white': the cards are purple, blue, orange, green"):
                ttr.compile_rules(*stack, plugin)
            continue
        if deck in ("white-coal", "veterans") and stack[0] == "united-kingdom":
            with pytest.raises(PluginError, match="no plugin can add readings to the cards of the United Kingdom"):
                ttr.compile_rules(*stack, plugin)
            continue
        if deck == "strike" and stack[0] == "united-kingdom":
            with pytest.raises(PluginError, match="no plugin can bar cards from the payments of the United Kingdom"):
                ttr.compile_rules(*stack, plugin)
            continue
        if deck in ("ships", "terrain", "workshops") and stack == ("germany-tickets",):
            with pytest.raises(PluginError, match="marklin has train cards of its own .M1., and cannot put them into"):
                ttr.compile_rules(*stack, plugin)
            continue
        if (
            deck == "ticket-draft" and stack[0] == "germany-tickets"
        ):  # it deals from the regular pile, and here are none
            with pytest.raises(
                PluginError, match="hook 'ticket_deck' of plugin 'ticket-draft' failed: KeyError: 'regular'"
            ):
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
        if (number + len("".join(stack))) % 3 == 0:  # each in another order on some bases
            assert rules.fingerprint == ttr.compile_rules(plugin, *reversed(stack)).fingerprint, name
        assert ttr.playout(rules, rules.components.min_players, seed=1).winners, name


@pytest.mark.rule("N8", "M8")
@pytest.mark.parametrize("stack", ON_EVERY_BASE, ids="+".join)
def test_the_bonus_of_the_tutorial_is_there_beside_that_of_the_map(stack: tuple[str, ...]) -> None:
    own = {bonus.name: bonus.points for bonus in rules_of(*stack).bonuses}
    assert "night_trains" not in own
    rules = ttr.compile_rules(
        *stack, written_plugins()["tutorial/your-first-variant.md: src/ttr_night_trains/__init__.py"]
    )
    assert {bonus.name: bonus.points for bonus in rules.bonuses} == {**own, "night_trains": 15}
    for seed in range(2):
        players = ttr.playout(rules, 2, seed).players
        best = max(player.completed_tickets for player in players)
        for player in players:
            won = best > 0 and player.completed_tickets == best
            assert player.bonuses.get("night_trains", 0) == (15 if won else 0)
            assert player.bonuses.get("most_tickets", 0) == (own.get("most_tickets", 0) if won else 0)
            assert player.total == (
                player.route_points
                + player.ticket_points
                + sum(term.points for term in player.terms.values())
                + sum(player.bonuses.values())
            )


def test_who_declines_to_use_a_depot_may_still_build_one(plugins: Mapping[str, Any]) -> None:
    ada = {"name": "Ada", "hand": {"white": 3}, "depots": ["Paris"], "warehouse": ["red"]}
    rules = ttr.compile_rules("europe", plugins["goods-depots"])
    game = ttr.arrange(rules, {"seed": 1, "players": [ada, {"name": "Bo"}]})
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    assert type(game.decision(0)).__name__ == "UseDepot"
    game.play(ttr.Pass(0))
    decision = game.decision(0)
    assert isinstance(decision, Choice) and list(decision.options(game.state)) == ["frankfurt"]


@pytest.mark.slow
@pytest.mark.parametrize("leak", ["", "points", "event"])
def test_an_event_that_shows_what_an_action_names_may_show_nothing_else(
    plugins: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    page: Any = sys.modules[plugins["gems"].__module__]
    rule, gems = page.ReturnGemRule, page.Gems
    perform = rule.perform

    def tell(self: Any, tx: Transaction, decision: ttr.Turn, action: Any) -> None:
        held = tx.state.part(gems).held[(action.seat + 1) % tx.state.players]
        perform(self, tx, decision, action)
        if held and leak == "points":
            tx.score(action.seat, page.GEMS.index(held[0]), "gems")
        if held and leak == "event":
            tx.emit(page.GemReturned, action.seat, held[0])

    monkeypatch.setattr(rule, "perform", tell)
    stack = "europe", page.GemsVariant
    if not leak:
        assert check_variant(*stack, players=3, games=2, skip=all_but("secrets")).games == 2
        return
    with pytest.raises(VariantError, match=r"\[secrets\]"):
        check_variant(*stack, players=3, games=4, skip=all_but("secrets"))


@pytest.mark.slow
def test_without_reveals_what_is_put_back_in_front_of_everybody_is_told_with_the_cure(
    plugins: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page: Any = sys.modules[plugins["gems"].__module__]
    monkeypatch.setattr(page.GemReturned, "reveals", None)
    with pytest.raises(VariantError, match="or write reveals = ReturnGem if the player shows it to everybody"):
        check_variant("europe", page.GemsVariant, players=3, games=3, skip=all_but("secrets"))


@pytest.mark.slow
def test_what_a_rule_makes_known_is_told_as_a_leak_unless_an_event_says_so(
    plugins: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page: Any = sys.modules[plugins["few-engines"].__module__]
    check_variant("europe", page.FewEngines, players=2, games=3, skip=all_but("secrets"))
    monkeypatch.setattr(page.TooManyEngines, "reveals", None)
    with pytest.raises(VariantError, match=r"secrets.* tells .* what it cannot know"):
        check_variant("europe", page.FewEngines, players=2, games=3, skip=all_but("secrets"))
