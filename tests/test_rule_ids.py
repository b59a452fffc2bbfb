"""Every rule has a test, and every id that is cited anywhere is a rule."""

from __future__ import annotations

import ast
import re
from ast import literal_eval
from collections.abc import Iterator
from doctest import DocTestParser
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest

import ttr_rules as ttr
import ttr_variants
from ttr_rules import installed
from ttr_rules.model import AnnounceMix, Counts
from ttr_rules.model.tickets import Rule, RuleFile
from ttr_rules.plugins import (
    Below,
    DrawCounts,
    KeepAtLeast,
    Mix,
    Setup,
    Stage,
    Variant,
    hookimpl,
    options_of,
    rulebook,
    tryfirst,
)
from ttr_rules.plugins.discovery import BUILT_IN, as_variant, load_plugin, rule_files
from ttr_rules.train_cards import TrainCardsPlugin

TESTS = Path(__file__).parent
SOURCES = (Path(str(files(ttr))), Path(str(files(ttr_variants))))

ID = re.compile(r"(?<![\w.])[A-Z]{1,2}\d{1,2}(?!\w)")  # two letters are rulings of one map: IR1
RULES = rulebook()


def marks_in(text: str) -> Iterator[str]:
    """The ids in every `pytest.mark.rule(...)` of a file: on tests, classes, parameters or the module."""
    for written in re.findall(r"\bmark\.rule\(([^()]*)\)", text):
        yield from literal_eval(f"[{written}]")


@cache
def marked() -> dict[str, set[str]]:
    """The marked ids, each with the files that test it."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for id in marks_in(path.read_text(encoding="utf-8")) if path != Path(__file__) else ():
            found.setdefault(id, set()).add(path.relative_to(TESTS).as_posix())
    return found


def source_files() -> list[Path]:
    return sorted(path for folder in SOURCES for path in folder.rglob("*.py"))


def test_every_rule_has_a_test() -> None:
    untested = [
        f'no test is marked @pytest.mark.rule("{id}"): {rule}' for id, rule in RULES.items() if id not in marked()
    ]
    assert not untested, "\n".join(untested)


def test_every_mark_is_a_rule() -> None:
    assert {id: where for id, where in marked().items() if id not in RULES} == {}


def test_marks_are_found_wherever_they_stand() -> None:
    text = (
        "pytestmark = pytest.mark.rule('A1')\n"
        "@pytest.mark.rule('A2', 'A3')\ndef test(): ...\n"
        "@mark.rule('A4')\nclass TestIt:\n"
        "    @pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('A5'))])\n"
        "    def test(self, x): ...\n"
        "book.rule('B1')\n"
    )
    assert sorted(marks_in(text)) == ["A1", "A2", "A3", "A4", "A5"]


def test_every_cited_id_is_a_rule() -> None:
    unknown = {
        f"{path}: cites {id}, which is no rule"
        for path in source_files()
        for id in set(ID.findall(path.read_text(encoding="utf-8"))) - set(RULES)
    }
    assert not unknown, "\n".join(sorted(unknown))


@cache
def refused_by(path: Path) -> frozenset[str]:
    """The ids that the refusals of a file cite, and the stages of set-up in it."""
    found: set[str] = set()
    text = path.read_text(encoding="utf-8")
    if "Refusal" not in text and "rule" not in text:
        return frozenset()
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == "Refusal" and node.args:
            found |= {
                each.value
                for each in ast.walk(node.args[0])
                if not isinstance(node.args[0], ast.Call)  # a method that says which rule it is
                and isinstance(each, ast.Constant)
                and isinstance(each.value, str)
            }
        found |= {
            keyword.value.value
            for keyword in node.keywords
            if keyword.arg == "rule"
            and isinstance(keyword.value, ast.Constant)
            and isinstance(keyword.value.value, str)
        }
    return frozenset(found)


@cache
def core_ids() -> set[str]:
    """The rules of what is below every stack."""
    return ids_in()


def ids_in(*stack: object) -> set[str]:
    """The rules of everything that plugins of a stack bring, those below every stack included."""
    given = [*map(as_variant, stack), *(kind() for kind in BUILT_IN.values())]
    return {rule.id for plugin in given for file in rule_files(plugin) for rule in file.read()}


MECHANICS = {rule.id for rule in RuleFile("ttr_rules.plugins").read()}
#: What may cite the rules of train cards: the economy, and what knows of it.
ABOVE_CARDS = {"train_cards", "bots", "testing", "cli"}


def test_the_core_cites_only_rules_that_every_stack_has() -> None:
    """No rule of a variant; and of train cards only what builds on them. Doctests are examples and do not count."""
    ours = Path(str(files(ttr)))
    foreign: list[str] = []
    for path in sorted(ours.rglob("*.py")):
        name = path.relative_to(ours)
        known = core_ids() if name.parts[0] in ABOVE_CARDS else MECHANICS
        cited = set(ID.findall("\n".join(outside_examples(path))))
        foreign += [f"{name}: {id}" for id in sorted(cited - known) if (str(name), id) not in EXAMPLES]
    assert not foreign, "\n".join(foreign)


def test_the_rulebook_of_an_economy_comes_with_it() -> None:
    """Train cards are found as any plugin's economy, and are in a stack as long as it pays with them."""
    assert {rule.id for file in rule_files(TrainCardsPlugin()) for rule in file.read()} >= {"C1", "D1", "T2"}
    assert {"C1", "T2"} <= set(ttr.compile_rules("europe").rulebook)
    dice = ttr.compile_rules("europe", "dice").rulebook
    assert {"C3", "T4", "X4"} <= set(dice) and not {"C1", "C2", "F1", "T2", "D1"} & set(dice)


#: Values of an option that look like ids: how the names of plugins with options are written.
EXAMPLES = {
    ("plugins/compiler.py", "P6"),
    ("plugins/discovery.py", "P6"),
    ("cli/authors.py", "P6"),
}


def outside_examples(path: Path) -> Iterator[str]:
    """What a file says outside its doctests."""
    for part in DocTestParser().parse(path.read_text(encoding="utf-8")):
        if isinstance(part, str):
            yield part


def test_no_rule_of_mechanics_speaks_of_what_an_economy_brings() -> None:
    assert len(MECHANICS) > 25
    told = {rule.id: rule.text for rule in RuleFile("ttr_rules.plugins").read()}
    words = re.compile(r"(?i)locomotive|draw pile|discard|colou?r|palermo")
    assert {id: words.findall(text) for id, text in told.items() if words.findall(text)} == {}


@pytest.mark.slow
def test_the_core_refuses_by_rules_that_every_stack_has() -> None:
    ours = Path(str(files(ttr)))
    foreign = {
        f"{path.relative_to(ours)}: {id}"
        for path in sorted(ours.rglob("*.py"))
        for id in refused_by(path) - (core_ids() if "train_cards" in path.parts else MECHANICS)
    }
    assert not foreign


def test_a_variant_refuses_by_rules_that_its_own_stack_has() -> None:
    """Those of the core, its own, and those of the plugins that it requires."""
    folder, checked = Path(str(files(ttr_variants))), 0
    for plugin in plugins():
        module = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
        if not module.startswith("ttr_variants."):
            continue
        name = module.split(".")[1]
        paths = [folder / f"{name}.py"] if (folder / f"{name}.py").exists() else sorted((folder / name).rglob("*.py"))
        required = [load_plugin(each) for each in plugin.info.requires]
        known = ids_in(plugin, *required)
        for path in paths:
            checked += 1
            assert refused_by(path) <= known, path.relative_to(folder)
    assert checked > 20


def test_a_mix_of_tickets_is_refused_by_rules_that_the_stack_has() -> None:
    """A plugin that is not Märklin may let seats choose from several piles as well."""

    class Piles(Variant, name="piles"):
        """Piles: tickets of several piles."""

        @tryfirst
        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return (Stage((), KeepAtLeast(1), mix=Mix(2, ("long", "regular"))),)

        @tryfirst
        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return DrawCounts(more_piles=("long",))

    rules = ttr.compile_rules("europe", Piles)
    game = ttr.new_game(rules=rules, players=2, seed=1, first_seat=0)
    wrong = [{"short": 2}, {"regular": 4}, {"long": 1}, {"long": 200}]
    found = {game.refusal(AnnounceMix(0, Counts(mix))) for mix in wrong}
    for seat in (0, 1):
        game.play(AnnounceMix(seat, Counts(long=1, regular=1)))
        game.play(game.legal_actions(seat)[0])
    game.play(ttr.DrawTickets(0))
    found |= {game.refusal(AnnounceMix(0, Counts(mix))) for mix in wrong}
    assert {refusal.rule for refusal in found if refusal is not None} == {"S7", "K1"} <= set(rules.rulebook)
    assert None not in found


def test_refusals_cite_rules_that_exist() -> None:
    """Refusals by their ids as written, and the rule that a stage of set-up names."""
    found = {id for path in source_files() for id in refused_by(path)}
    assert {"S5", "S8", "R4", "E1", "C1", "D3", "K3", "V2"} <= found
    assert found - set(RULES) == set()


# -- the list itself -------------------------------------------------------------------------------------------


def test_every_rule_is_written_out() -> None:
    for id, rule in RULES.items():
        assert ID.fullmatch(id)
        assert rule == Rule(id, rule.title, rule.text, rule.section, rule.ruling, rule.alternative)
        assert rule.title.strip() == rule.title != ""
        assert rule.text.endswith((".", ")")), id
        assert len(rule.text) > len(rule.title) or id == "P4"
        assert set(ID.findall(rule.text)) <= set(RULES)
    titles = [rule.title for rule in RULES.values()]
    assert len(set(titles)) == len(titles)


def test_ids_of_a_letter_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for id in RULES:
        letters = id.rstrip("0123456789")
        numbers.setdefault(letters, []).append(int(id.removeprefix(letters)))
    for letter, count in numbers.items():
        assert sorted(count) == list(range(1, len(count) + 1)), letter
    assert set(numbers) >= set("SDCFTKXBEPVNHMR")


def test_the_files_of_rules_say_nothing_twice() -> None:
    """Each rule stands in the file of one plugin, and all of them together are the rulebook."""
    files = {file for plugin in plugins() for file in rule_files(plugin)}
    written = [rule.id for each in files for rule in each.read()]
    assert len(files) > 10
    assert sorted(written) == sorted(RULES)


def test_the_rulings_of_the_rulebook_are_the_options_of_plugins() -> None:
    """A ruling that can be decided otherwise names the option and its other value; the option names the ruling."""
    options = [option for plugin in plugins() for option in options_of(plugin).values()]
    named = {(option.rule, option.name): option for option in options if option.rule in rulings()}
    assert set(named) == {(id, rule.ruling) for id, rule in rulings().items()}
    for (id, name), option in named.items():
        other = literal_eval(str(rulings()[id].alternative))
        assert other in option.alternatives and other != option.default, f"{id}: {name} = {other!r}"
        assert option.meaning
    assert {option.rule for option in options if option.rule} <= set(RULES)
    assert all((rule.ruling is None) == (rule.alternative is None) for rule in RULES.values())


def plugins() -> list[Variant]:
    """Every plugin that comes along."""
    found: list[Variant] = [kind() for kind in BUILT_IN.values()]
    return found + [load_plugin(each.name) for each in installed() if each.distribution == "ttr-rules"]


def rulings() -> dict[str, Rule]:
    """The rules that can be decided otherwise."""
    return {id: rule for id, rule in RULES.items() if rule.ruling is not None}


def test_the_list_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        RULES["S1"] = RULES["S2"]  # type: ignore[index]
