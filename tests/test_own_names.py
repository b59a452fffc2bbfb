"""The plugins of the docs on every base, and what plugins call their bonuses and terms when others have that name too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from io import StringIO
from itertools import permutations
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from attrs import define, frozen
from docs_pages import DOCS, blocks, plugin_of
from helpers import rules_of

import ttr_rules as ttr
from ttr_rules import Event, PlayerScore
from ttr_rules.errors import PluginConflictError, PluginError
from ttr_rules.play.score_files import score_keys, score_template
from ttr_rules.plugins import (
    Bonus,
    GameData,
    KeyHelp,
    Part,
    PartSpec,
    PluginInfo,
    Position,
    Report,
    ScoringTerm,
    Term,
    TicketLink,
    TieBreak,
    Transaction,
    hookimpl,
    public,
)

BASES = (
    "north-america", "europe", "europa-1912", "mega-europa", "grossstaedte", "nordic-countries", "switzerland", "germany-tickets",
)  # fmt: skip
LATER_BASES = ("india", "legendary-asia", "london", "new-york", "pennsylvania", "united-kingdom")
CARDS_OF_THEIR_OWN = ("nordic-countries", "switzerland", "london", "new-york", "united-kingdom")
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
                and "PluginInfo(" in block.text
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


@pytest.mark.slow_cases("united-kingdom", "germany-tickets", "europe+dice", "nordic-countries", "pennsylvania")
@pytest.mark.parametrize("stack", ON_EVERY_BASE, ids="+".join)
def test_the_plugins_of_the_docs_join_every_base(stack: tuple[str, ...]) -> None:
    for name, plugin in written_plugins().items():
        if plugin.info.name == "coins" and stack[0] in CARDS_OF_THEIR_OWN:
            with pytest.raises(PluginConflictError, match="and 'coins' both decide 'economy'"):
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


# -- one name, two plugins -----------------------------------------------------------------------------------------------


def naming(name: str, points: int, *, requires: Sequence[str] = ()) -> ModuleType:
    """A plugin with a term and a bonus called `streak`, and a tie-break that looks at both."""
    module = ModuleType(f"naming_{name}")

    def term(state: ttr.State, seat: int) -> Term:
        return Term(points * (seat + 1))

    def holders(players: Sequence[PlayerScore]) -> list[int]:
        return [player.seat for player in players if player.terms["streak"].points == points]

    def key(player: PlayerScore) -> int:
        return player.terms["streak"].points + player.bonuses.get("streak", 0)

    def bonuses() -> Any:
        return (*(yield), Bonus("streak", points, holders))

    def tie_break() -> Any:
        return (*(yield), TieBreak(f"streak of {name}", key))

    module.info = PluginInfo(name, name.title(), requires=tuple(requires))  # type: ignore[attr-defined]
    hooks: dict[str, Callable[..., Any]] = {"bonuses": bonuses, "tie_break": tie_break}
    for hook, function in hooks.items():
        setattr(module, hook, hookimpl(wrapper=True)(function))
    module.scoring_terms = hookimpl(lambda: [ScoringTerm("streak", term)])  # type: ignore[attr-defined]
    return module


def test_of_two_plugins_with_one_name_the_upper_says_whose_it_is() -> None:
    one, two = naming("one", 3), naming("two", 5)
    for stack in permutations(("north-america", one, two)):
        rules = ttr.compile_rules(*stack)
        assert [bonus.name for bonus in rules.bonuses] == ["longest_path", "streak", "two.streak"]
        assert [term.name for term in rules.scoring_terms] == ["streak", "two.streak"]
        first, second = ttr.score(rules, {"players": [{}, {}]}).players
        assert {name: term.points for name, term in first.terms.items()} == {"streak": 3, "two.streak": 5}
        assert {name: term.points for name, term in second.terms.items()} == {"streak": 6, "two.streak": 10}
        # Each looked at its own term: seat 0 alone has the bonus of both.
        assert dict(first.bonuses) == {"streak": 3, "two.streak": 5}
        assert dict(second.bonuses) == {}
        assert (first.total, second.total) == (16, 16)
        keys = {tie.name: [tie.key(player) for player in (first, second)] for tie in rules.tie_break[2:]}
        assert keys == {"streak of one": [6, 6], "streak of two": [10, 10]}


def test_the_name_of_a_map_stays_as_it_is() -> None:
    """Märklin's tie-break looks at its tokens, whatever somebody else calls tokens."""
    module = ModuleType("mint")
    module.info = PluginInfo("a-mint", "Mint")  # type: ignore[attr-defined]
    module.scoring_terms = hookimpl(lambda: [ScoringTerm("tokens", lambda state, seat: Term(7))])  # type: ignore[attr-defined]
    for stack in permutations(("germany-tickets", module)):
        rules = ttr.compile_rules(*stack)
        assert [term.name for term in rules.scoring_terms] == ["tokens", "a-mint.tokens"]
        sheet = ttr.score(rules, {"players": [{"tokens_taken": [7]}, {}]}).players
        assert [player.terms["tokens"].points for player in sheet] == [7, 0]
        assert [tie.key(sheet[0]) for tie in rules.tie_break] == [0, 7]


@pytest.mark.parametrize("what", ["scoring terms", "bonuses"])
def test_a_plugin_that_gives_a_name_twice_is_told(what: str) -> None:
    module = ModuleType("twice")
    module.info = PluginInfo("twice", "Twice")  # type: ignore[attr-defined]
    if what == "bonuses":
        both = (Bonus("same", 1, lambda players: []), Bonus("same", 2, lambda players: []))
        module.bonuses = hookimpl(lambda: both)  # type: ignore[attr-defined]
    else:
        terms = [ScoringTerm("same", lambda state, seat: Term(0)), ScoringTerm("same", lambda state, seat: Term(1))]
        module.scoring_terms = hookimpl(lambda: terms)  # type: ignore[attr-defined]
    with pytest.raises(PluginConflictError, match=f"plugin 'twice' brings two {what} called 'same'"):
        ttr.compile_rules("north-america", module)


def keeping(name: str, worth: int) -> Any:
    """A plugin with a part called `Notes`, the keys `notes` and `common` and a ticket link called `loans`."""

    @define(eq=False)
    class Notes(Part):
        taken: list[int] = public(factory=list)
        common: list[str] = public(factory=list)

    @frozen
    class Noted(Event):
        seat: int
        count: int
        common: str

        @staticmethod
        def effect(state: ttr.State, seat: int, count: int, common: str) -> None:
            state.part(Notes).taken[seat] = count
            state.part(Notes).common = [common]

    class Keeping:
        info = PluginInfo(name, name.title())

        @hookimpl
        def state_parts(self) -> list[PartSpec]:
            def start(rules: GameData, players: int) -> Part:
                return Notes([0] * players)

            help = {"notes": KeyHelp(f"The notes of {name}.", "1")}
            return [PartSpec(Notes, start, ("notes",), self.arrange, ("common",), key_help=help)]

        def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
            common = position.part("common", report)
            common.only(["text"], report)
            for player in position.players:
                count = player.raw.get("notes", 0)
                tx.emit(Noted, player.seat, count * worth, common.raw.get("text", "nothing"))

        @hookimpl
        def event_types(self) -> list[type[Event]]:
            return [Noted]

        @hookimpl
        def scoring_terms(self) -> list[ScoringTerm]:
            return [ScoringTerm("notes", lambda state, seat: Term(state.part(Notes).taken[seat]))]

        @hookimpl
        def ticket_links(self) -> list[TicketLink]:
            return [TicketLink("loans", lambda state, seat: ())]

        part = Notes

    return Keeping()


def test_of_two_plugins_with_a_part_of_one_name_each_keeps_its_own() -> None:
    one, two = keeping("one", 3), keeping("two", 50)
    table = {
        "players": [{"name": "Ada", "notes": 1, "two.notes": 2}, {"two.notes": 1}],
        "parts": {"common": {"text": "first"}, "two.common": {"text": "second"}},
    }
    for stack in permutations(("north-america", one, two)):
        rules = ttr.compile_rules(*stack)
        assert [link.name for link in rules.ticket_links] == ["loans", "two.loans"]
        assert [key.name for key in score_keys(rules)][-2:] == ["notes", "two.notes"]
        assert '#"two.notes" = 1' in score_template(rules) and "# The notes of two." in score_template(rules)
        ada, other = ttr.score(rules, table).players
        assert {name: term.points for name, term in ada.terms.items()} == {"notes": 3, "two.notes": 100}
        assert {name: term.points for name, term in other.terms.items()} == {"notes": 0, "two.notes": 50}
        game = ttr.arrange(rules, {**table, "seed": 1})
        view = game.view(0)
        assert list(view.parts) == ["CardPiles", "Notes", "two.Notes"]
        assert (view.part(one.part).taken, view.part(one.part).common) == ([3, 0], ["first"])
        assert (view.part(two.part).taken, view.part(two.part).common) == ([100, 50], ["second"])
        assert ttr.to_json(rules, view)["parts"]["two.Notes"] == {"taken": [100, 50], "common": ["second"]}
        assert ttr.determinize(view, rules, seed=1).view(0) == view
        assert ttr.loads(ttr.dumps(game), rules=rules) == game
    again = game.copy()
    again._state.part(two.part).taken[0] = 7
    assert again != game, "neither part hides the other where games are compared"


def test_a_plugin_that_brings_one_part_or_key_twice_is_told() -> None:
    one = keeping("one", 1)

    class Twice:
        info = PluginInfo("twice", "Twice")

        @hookimpl
        def state_parts(self) -> list[PartSpec]:
            return [*one.state_parts(), *one.state_parts()]

        @hookimpl
        def event_types(self) -> list[type[Event]]:
            return list(one.event_types())

    with pytest.raises(PluginConflictError, match="'twice' brings two things of one name: the player key 'notes'"):
        ttr.compile_rules("north-america", Twice())


def test_a_sheet_at_the_terminal_says_whose_name_it_is() -> None:
    pytest.importorskip("rich")
    from rich.console import Console

    from ttr_rules.cli.sheets import print_sheet

    rules = ttr.compile_rules("north-america", naming("one", 3), naming("two", 5))
    console = Console(width=76, record=True, file=StringIO())
    print_sheet(console, ttr.score(rules, {"players": [{}, {}]}))
    text = console.export_text()
    assert re.search(r"^ Streak +3 +6 *$", text, re.M) and re.search(r"^ Streak \(two\) +5 +10 *$", text, re.M)
