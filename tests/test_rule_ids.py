"""Every rule has a test, and every id that is cited anywhere is a rule."""

from __future__ import annotations

import ast
import re
from ast import literal_eval
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

import ttr_rules as ttr
import ttr_variants
from ttr_rules.kernel.plugin import options_of
from ttr_rules.model.rulebook import Rule
from ttr_rules.plugins import rulebook
from ttr_rules.plugins.discovery import BUILT_IN, load_plugin
from ttr_rules.train_cards import TrainCards

TESTS = Path(__file__).parent
SOURCES = (Path(str(files(ttr))), Path(str(files(ttr_variants))))

ID = re.compile(r"(?<![\w.])[A-Z]{1,2}\d{1,2}(?!\w)")  # two letters are rulings of one map: IR1


def marks_in(tree: ast.AST) -> Iterator[str]:
    """The ids in every `pytest.mark.rule(...)` of a file: on tests, classes, parameters or the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and re.fullmatch(r"(pytest\.)?mark\.rule", ast.unparse(node.func)):
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"line {node.lineno}: write the ids out"
                assert isinstance(argument.value, str), f"line {node.lineno}: an id is a text"
                yield argument.value


@cache
def marked() -> dict[str, set[str]]:
    """The marked ids, each with the files that test it."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for id in marks_in(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            found.setdefault(id, set()).add(path.relative_to(TESTS).as_posix())
    return found


def source_files() -> list[Path]:
    return sorted(path for folder in SOURCES for path in folder.rglob("*.py"))


@pytest.mark.parametrize("id", rulebook())
def test_every_rule_has_a_test(id: str) -> None:
    assert id in marked(), f'no test is marked @pytest.mark.rule("{id}"): {rulebook()[id]}'


def test_every_mark_is_a_rule() -> None:
    assert {id: where for id, where in marked().items() if id not in rulebook()} == {}


def test_marks_are_found_wherever_they_stand() -> None:
    tree = ast.parse(
        "pytestmark = pytest.mark.rule('A1')\n"
        "@pytest.mark.rule('A2', 'A3')\ndef test(): ...\n"
        "@mark.rule('A4')\nclass TestIt:\n"
        "    @pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('A5'))])\n"
        "    def test(self, x): ...\n"
        "book.rule('B1')\n"
    )
    assert sorted(marks_in(tree)) == ["A1", "A2", "A3", "A4", "A5"]


@pytest.mark.parametrize("path", source_files(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_cited_id_is_a_rule(path: Path) -> None:
    cited = set(ID.findall(path.read_text(encoding="utf-8")))
    assert cited - set(rulebook()) == set()


def test_refusals_cite_rules_that_exist() -> None:
    """Refusals by their ids as written, and the rule that a stage of set-up names."""
    found: set[str] = set()
    for path in source_files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id == "Refusal" and node.args:
                found |= {
                    each.value
                    for each in ast.walk(node.args[0])
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                }
            found |= {
                keyword.value.value
                for keyword in node.keywords
                if keyword.arg == "rule" and isinstance(keyword.value, ast.Constant)
            }
    assert {"S5", "S8", "R4", "E1", "C1", "D3", "K3", "V2"} <= found
    assert found - set(rulebook()) == set()


# -- the list itself -------------------------------------------------------------------------------------------


def test_every_rule_is_written_out() -> None:
    for id, rule in rulebook().items():
        assert ID.fullmatch(id)
        assert rule == Rule(id, rule.title, rule.text, rule.section, rule.ruling, rule.alternative)
        assert rule.title.strip() == rule.title != ""
        assert rule.text.endswith((".", ")")), id
        assert len(rule.text) > len(rule.title) or id == "P4"
        assert set(ID.findall(rule.text)) <= set(rulebook())
    titles = [rule.title for rule in rulebook().values()]
    assert len(set(titles)) == len(titles)


def test_ids_of_a_letter_are_numbered_without_gaps() -> None:
    numbers: dict[str, list[int]] = {}
    for id in rulebook():
        letters = id.rstrip("0123456789")
        numbers.setdefault(letters, []).append(int(id.removeprefix(letters)))
    for letter, count in numbers.items():
        assert sorted(count) == list(range(1, len(count) + 1)), letter
    assert set(numbers) >= set("SDCFTKXBEPVNHMR")


def test_no_two_files_have_a_rule_of_the_same_id() -> None:
    plugins = [kind() for kind in BUILT_IN.values()] + [
        load_plugin(each.name) for each in ttr.installed() if each.problem is None
    ]
    rule_files = {file for plugin in plugins for file in getattr(plugin, "rulebooks", tuple)()} | set(
        TrainCards().rulebooks()
    )
    ids = [rule.id for file in rule_files for rule in file.read()]
    assert sorted(ids) == sorted(rulebook())


def test_rulings_with_an_alternative_are_options_of_plugins() -> None:
    plugins = [kind() for kind in BUILT_IN.values()] + [
        load_plugin(each.name) for each in ttr.installed() if each.problem is None
    ]
    options = {name: option for plugin in plugins for name, option in options_of(plugin).items() if option.rule}
    rulings = {rule.ruling: rule for rule in rulebook().values() if rule.ruling is not None}
    for name, rule in rulings.items():
        assert "R" in rule.id and rule.id == options[name].rule
        assert rule.alternative is not None
        assert (
            literal_eval(rule.alternative) in options[name].alternatives
            and literal_eval(rule.alternative) != options[name].default
        )
    assert all((rule.ruling is None) == (rule.alternative is None) for rule in rulebook().values())


def test_the_list_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        rulebook()["S1"] = rulebook()["S2"]  # type: ignore[index]
