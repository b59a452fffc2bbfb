"""Everything readable is run: the examples of docstrings, and the code of the README."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import ttr_maps
import ttr_rules
import ttr_rules as ttr
import ttr_variants
from ttr_rules import __all__

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FLAGS = doctest.ELLIPSIS


def modules() -> list[str]:
    found = []
    for package in (ttr_rules, ttr_variants, ttr_maps):
        found.append(package.__name__)
        found += [each.name for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if not name.startswith("ttr_rules.cli") and not name.endswith("__main__")]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_docstrings_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder()
    assert sum(len(found.examples) for name in modules() for found in finder.find(importlib.import_module(name))) > 250


def test_the_session_in_the_readme_runs() -> None:
    sessions = [block for block in blocks("python") if ">>>" in block]
    assert len(sessions) == 1
    parsed = doctest.DocTestParser().get_doctest(sessions[0], {}, "README", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(parsed).failed == 0
    assert len(parsed.examples) >= 8


def test_the_readme_has_two_commands() -> None:
    """One to play and one to test, which CI reads from it and runs in a clean clone."""
    commands = [line for block in blocks("sh") for line in block.splitlines() if line]
    assert len(commands) == 2
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install ") for line in commands)
    assert "-m ttr_rules play europe" in commands[0]
    assert commands[1].endswith("&& .venv/bin/pytest -n auto")
    assert set(re.findall(r"^```(\w+)$", README, re.MULTILINE)) == {"sh", "python"}, "a block that nothing runs"


def test_the_links_of_the_readme_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert len(targets) >= 10
    assert [each for each in targets if not (ROOT / each).exists()] == []


def test_the_readme_fits_on_a_screen_or_two() -> None:
    """What it is, a picture, two commands, ten lines, links: everything else belongs in the docs."""
    assert len(README.splitlines()) <= 60


def test_every_public_name_says_what_it_is() -> None:
    for name in __all__:
        if name.startswith("__") or name == "FREE" or name.isupper():
            continue
        assert (getattr(ttr, name).__doc__ or "").strip(), name
