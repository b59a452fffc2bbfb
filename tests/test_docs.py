"""The documentation: its code runs, its reference is whole, and the site builds without a warning."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs_pages import DOCS, NOT_TYPED, Block, Reader, blocks, has_commands, pages_in_order, written_pages

import ttr_rules as ttr
from ttr_rules.kernel.variant import HOOKS, VALUES
from ttr_rules.plugins import Variant, rulebook
from ttr_rules.plugins.discovery import load_plugin, rule_files
from ttr_rules.scores import TicketScore
from ttr_tools.cli.authors import purpose_and_example
from ttr_tools.cli.score import score_keys

pytestmark = pytest.mark.installed_tree
RULES = rulebook()
NAMES = [name for name in dir(ttr) if not name.startswith("_")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, from which modules can be imported; afterwards everything is as it was."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "src"), *sys.path])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    importlib.invalidate_caches()
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in (getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]


#: Pages of variants that stand for the others where time is short.
QUICK_VARIANTS = ("variants/united-kingdom.md", "variants/london.md")
#: They build packages, start processes, or play many games.
SLOW = (
    "tutorial/your-first-variant.md",
    "tutorial/score-your-game.md",
    "how-to/add-a-language.md",
    "how-to/add-an-action.md",
    "how-to/ask-a-question.md",
    "how-to/change-the-deck.md",
    "how-to/change-tickets.md",
    "how-to/check-a-variant.md",
    "how-to/deal-and-hide.md",
    "how-to/choose-rulings.md",
    "how-to/draw-a-board.md",
    "how-to/generate-a-client.md",
    "how-to/give-the-tickets.md",
    "how-to/house-rules.md",
    "how-to/keep-a-journal.md",
    "how-to/play-at-the-table.md",
    "how-to/play-in-the-browser.md",
    "how-to/score-a-table.md",
    "how-to/simulate-many-games.md",
    "how-to/use-more-processes.md",
    "how-to/watch-a-game-again.md",
    "how-to/write-a-client.md",
    "how-to/write-a-variant-without-python.md",
    "tutorial/first-game.md",
    "tutorial/a-bot-in-30-lines.md",
    "how-to/replace-the-economy.md",
    "how-to/write-a-bot.md",
    "index.md",
    "how-to/change-a-turn.md",
    "how-to/change-claims.md",
    "cookbook/score-a-photo.md",
    "cookbook/drawing.md",
    "cookbook/tournament.md",
    "explanation/costs-and-payments.md",
    *(page for page in written_pages() if page.startswith("variants/") and page not in QUICK_VARIANTS),
)
#: What the code of a page needs besides the command line.
NEEDED = {
    "how-to/simulate-many-games.md": ("polars", "matplotlib", "openskill"),
    "how-to/train-a-policy.md": ("pettingzoo", "pyspiel"),
    "how-to/play-in-the-browser.md": ("starlette", "uvicorn", "websockets"),
}


def marks(page: str) -> list[pytest.MarkDecorator]:
    """The session `pages` does what slow pages with commands say; the tutorials' output is compared here alone."""
    if page not in SLOW:
        return []
    typed = has_commands(page) and not page.startswith("tutorial/")
    return [pytest.mark.slow, *([pytest.mark.typed] if typed else [])]


@pytest.mark.parametrize("page", [pytest.param(page, marks=marks(page)) for page in written_pages()])
def test_the_code_of_a_page_runs(page: str, folder: Path) -> None:
    if any(block.language == "console" for block in blocks(page)):
        pytest.importorskip("click")
        pytest.importorskip("rich")
    for library in NEEDED.get(page, ()):
        pytest.importorskip(library)
    Reader(page, folder).read()


def test_there_is_code_to_run() -> None:
    languages = [block.language for page in written_pages() for block in blocks(page)]
    assert languages.count("python") > 60
    assert languages.count("console") >= 6


def test_no_block_of_code_is_overlooked() -> None:
    """Every fence opens and closes at the margin, so that the reader finds it."""
    for page in written_pages():
        text = (DOCS / page).read_text(encoding="utf-8")
        assert not re.search(r"^[ \t]+```", text, re.MULTILINE), page
        assert len(re.findall(r"^```", text, re.MULTILINE)) % 2 == 0, page
        fences = re.findall(r"^```(\S*)\n", text, re.MULTILINE)
        assert {each for each in fences if each and not each.startswith("{")} <= {
            "python",
            "toml",
            "console",
            "text",
            "sh",
        }, page


# -- the reference ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference() -> Iterator[dict[str, str]]:
    """The generated pages."""
    pytest.importorskip("click")
    pytest.importorskip("rich")
    pytest.importorskip("starlette", reason="the extra web is not installed")
    pytest.importorskip("pettingzoo", reason="the extra learning is not installed")
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        yield importlib.import_module("pages").pages()
    finally:
        sys.path.remove(str(DOCS / "_ext"))


def test_every_public_name_is_in_the_reference(reference: dict[str, str]) -> None:
    text = "\n".join(page for name, page in reference.items() if name.startswith("api/"))
    listed = re.findall(r"^\.\. (?:autoclass|autofunction|py:data):: ttr_rules\.([\w.]+)$", text, re.MULTILINE)
    times = Counter(listed)
    assert {name: times[name] for name in NAMES} == dict.fromkeys(NAMES, 1)


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented_with_its_exact_signature(hook: str, reference: dict[str, str]) -> None:
    signature = str(inspect.signature(getattr(Variant, hook))).replace("'", "")
    assert f".. py:function:: ttr_rules.plugins.Variant.{hook}{signature}\n" in reference["hooks"]
    section = reference["hooks"].partition(f"### `{hook}`\n")[2].partition("\n### ")[0]
    purpose, example = purpose_and_example(hook)
    assert purpose in re.sub(r"\[([A-Z]+\d+)\]\(#rule-\1\)", r"\1", section)
    assert f"```python\n{example}\n```" in section or hook == "claim_key"
    assert f"def {hook}(self" in example or hook == "claim_key", "an example is in the docstring of the hook"


@pytest.mark.parametrize("hook", HOOKS)
def test_of_every_hook_its_users_are_shown(hook: str, reference: dict[str, str]) -> None:
    section = reference["hooks"].partition(f"### `{hook}`\n")[2].partition("\n### ")[0].partition("\n## ")[0]
    assert ("- Replaced by: " if hook in VALUES else "- Overridden by: ") in section
    for page in re.findall(r"\]\(\.\./((?:how-to|tutorial|explanation)/[\w-]+\.md)\)", section):
        assert any(f"def {hook}(" in block.text for block in blocks(page)), page


def test_who_implements_a_hook_is_told_as_explain_tells_it(reference: dict[str, str]) -> None:
    for each in ttr.compile_rules("europe", "dice").provenance:
        section = reference["hooks"].partition(f"### `{each.hook}`\n")[2].partition("\n### ")[0]
        for name in (*each.by, *each.adjusted):
            assert f"`{name}`" in section, (each.hook, name)


def test_every_rule_is_in_the_index(reference: dict[str, str]) -> None:
    for id, rule in RULES.items():
        entry = reference["rules"].partition(f"(rule-{id})=\n### {id}: {rule.title}\n")[2].partition("\n(rule-")[0]
        assert re.sub(r"\[([A-Z]+\d+)\]\(#rule-\1\)", r"\1", entry).lstrip().startswith(rule.text), id
        assert re.search(r"<b>Tests</b>: \d+ places|\*\*Tests\*\*: `", entry), f"no test of {id}"
        if rule.ruling is not None:
            assert f"`{rule.ruling} = " in entry, id
            assert f"the alternative is `{rule.alternative}`" in entry, id


def test_the_index_names_the_code_that_keeps_a_rule(reference: dict[str, str]) -> None:
    """What refuses by the rule first; neither whole modules, nor what only tells of it, nor examples."""
    for id, first, *others in (
        ("T3", "train_cards.economy: TrainCards.mismatch", "train_cards.economy: TrainCards.enter_tunnel"),
        ("D3", "train_cards.draws: FaceUpRule"),
        ("P3", "graph.frontier: longest_chosen", "graph.paths: longest_path"),
        ("S5", "kernel.answers: check_legal", "kernel.answers: refusal"),
    ):
        entry = reference["rules"].partition(f"(rule-{id})=")[2].partition("\n(rule-")[0]
        keepers = re.findall(r"`([^`]+)`", entry.partition("**Kept in**: ")[2].partition("\n")[0])
        assert keepers[0] == f"ttr_rules.{first}", id
        assert {f"ttr_rules.{place}" for place in others} <= set(keepers)
        assert all(": " in place and "events" not in place and ".errors" not in place for place in keepers)


def test_every_action_decision_and_event_is_in_a_table(reference: dict[str, str]) -> None:
    for stack in (("north-america",), ("europe",), ("europe", "dice"), ("switzerland",)):
        for tag, kind in ttr.compile_rules(*stack).types.items():
            row = rf"^\| (?:\{{py:class\}}`~ttr_rules\.(?:\w+\.)?{kind.__name__}`|`{kind.__name__}`) \| {tag.partition('.')[0]} \|"
            assert len(re.findall(row, reference["moves"], re.MULTILINE)) == 1, tag


def test_every_map_command_and_error_is_in_the_reference(reference: dict[str, str]) -> None:
    import ttr_maps
    from ttr_tools.cli import commands

    for name in ttr_maps.NAMES:
        assert f"| `{name}` |" in reference["maps"]
    for name in commands.commands:
        assert f"## `ttr-rules {name}`\n" in reference["cli"]
    for name in NAMES:
        value = getattr(ttr, name)
        if isinstance(value, type) and issubclass(value, ttr.TTRError):
            assert f"`~ttr_rules.{name}`" in reference["errors"]


def test_the_keys_of_score_files_are_listed_stack_by_stack(reference: dict[str, str]) -> None:
    page = reference["score-files"]
    for stack, keys in {
        "europe": "`name`, `routes`, `tickets`, `stations`, `lends`",
        "germany-tickets": "`name`, `routes`, `tickets`, `passengers`, `passengers_gone`, `tokens_taken`",
        "nordic-countries": "`name`, `routes`, `tickets`",
    }.items():
        assert f"| `{stack}` | {keys} |" in page
    for key in ("stations", "tokens_taken", "routes"):
        assert f"| `{key}` | " in page
    # That dice add none is what the page says of all stacks.
    for stack in ("europe", "germany-tickets", "switzerland"):
        assert score_keys(ttr.compile_rules(stack, "dice")) == score_keys(ttr.compile_rules(stack))


# -- the site --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for module in ("sphinx", "furo", "myst_parser"):
        pytest.importorskip(module)
    command = [sys.executable, "-m", "sphinx", "-nWq", "--keep-going", "-b", "html", "-d", str(tmp_path / "trees")]
    done = subprocess.run([*command, str(DOCS), str(tmp_path / "html")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names = zlib.decompress((tmp_path / "html" / "objects.inv").read_bytes().split(b"\n", 4)[4]).decode()
    found = set(re.findall(r"^ttr_rules\.(\w+) py:", names, re.MULTILINE))
    assert set(NAMES) <= found
    assert all(re.search(rf"^rule-{id.lower()} std:label", names, re.MULTILINE) for id in RULES)
    cards = (tmp_path / "html" / "variants" / "index.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'<img class="small-board" src="\.\./(_static/boards/\w+\.svg)"', cards))
    assert len(shown) == 11, "a board beside each map"
    assert all((tmp_path / "html" / path).exists() for path in shown)
    scores = (tmp_path / "html" / "_static" / "language_data.js").read_text(encoding="utf-8")
    assert 'startsWith("reference/")' in scores, "pages come before the reference in search results"
    _check_search(tmp_path / "html")


def _check_search(site: Path) -> None:
    """Check that players' words lead to pages for people before the reference, and names of the library to the reference."""
    node = shutil.which("node")
    if node is None:
        return
    words = ["play online", "shares", "tie", "double route 2 players", "ferry"]
    names = ["legal_actions", "Game.play", "Counts"]
    command = [node, str(Path(__file__).parent / "search_docs.js"), str(site), *words, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = dict(zip([*words, *names], map(json.loads, done.stdout.splitlines()), strict=True))
    for word in words:
        assert found[word] and found[word][0].startswith(("variants/", "how-to/", "faq", "explanation/glossary")), word
        reference = next((n for n, page in enumerate(found[word]) if page.startswith("reference/")), len(found[word]))
        assert any(page.startswith(("variants/", "how-to/", "faq")) for page in found[word][:reference]), word
    for name in names:
        assert found[name][0].startswith("reference/api/"), name


def test_the_landing_page_shows_how_to_play_in_the_browser_before_anything_else_to_look_at() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    assert text.index("ttr-rules serve europe") < text.index("{grid}")


@pytest.mark.slow
@pytest.mark.installed_tree
def test_the_reference_is_written_without_openspiel() -> None:
    """The recipe in CONTRIBUTING installs no OpenSpiel: what cites a rule is read, not imported."""
    program = f"import sys; sys.modules['pyspiel'] = None; sys.path.insert(0, {str(DOCS / '_ext')!r}); import catalog; print(catalog.kept()['C5'])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "closed_by_twin" in done.stdout
    recipe = (DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("--group docs -e '.[")[2]
    assert "learning" in recipe.partition("]")[0].split(",")


# -- a page for every variant ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [each.name for each in ttr.installed() if each.distribution == "ttr-rules"])
def test_every_variant_has_a_page(name: str) -> None:
    """Each plugin that comes with the library has a page with its facts, its rules and the keys of its score files."""
    plugin: Any = load_plugin(name)
    info = plugin.info
    page = DOCS / "variants" / f"{info.name}.md"
    assert page.exists(), f"no page docs/variants/{info.name}.md"
    text = page.read_text(encoding="utf-8")
    wanted = ["facts"]
    if any(file.read() for file in rule_files(load_plugin(name))):
        wanted.append("rules-of")
    for directive in wanted:
        assert f"```{{{directive}}} {info.name}\n" in text, directive
    for heading in ("## Score files", "## Options", "## What is different", "## What is not known"):
        assert heading in text, heading
    assert any(">>>" in block.text for block in blocks(f"variants/{info.name}.md")), "no example"
    assert re.search(rf"^{info.name}$", (DOCS / "variants" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_picture_of_the_readme_is_what_the_code_draws() -> None:
    sys.path.insert(0, str(DOCS / "_ext"))
    try:
        front = importlib.import_module("front")
        assert front.FRONT.read_text(encoding="utf-8") == front.front_picture(), "run: python docs/_ext/front.py"
    finally:
        sys.path.remove(str(DOCS / "_ext"))


# -- the reference, by what people want to do ------------------------------------------------------------------


def test_what_people_look_for_is_under_what_they_want_to_do(reference: dict[str, str]) -> None:
    for page, names in {
        "play": ("new_game", "Game", "compile_rules", "ClaimRoute", "Bot"),
        "score": ("score", "FinalScores"),
        "save": ("dumps", "loads", "Journals"),
        "show": ("View", "SeenEvent"),
        "clients": ("to_json", "view_from_json", "json_schema", "Update"),
    }.items():
        for name in names:
            assert re.search(rf"^\.\. auto\w+:: ttr_\w+\.(?:\w+\.)?{name}$", reference[f"api/{page}"], re.MULTILINE), (
                page,
                name,
            )


def test_the_list_of_names_says_from_which_module_each_is_imported(reference: dict[str, str]) -> None:
    module = ""
    for said, known in re.findall(r"in `(ttr_[\w.]+)`|`~(ttr_[\w.]+)\.\w+`", reference["api/index"]):
        module = said or module
        assert known in ("", module)


def test_every_name_of_the_root_is_under_a_task(reference: dict[str, str]) -> None:
    assert importlib.import_module("tasks").unplaced() == [], "say in docs/_ext/tasks.py where these belong"


def test_signatures_have_the_defaults_of_the_source(reference: dict[str, str]) -> None:
    pytest.importorskip("sphinx")
    signature = importlib.import_module("reference").plain_signature
    shown, _ = signature(None, "class", "", TicketScore, None, "(cities, goals=NOTHING)", None)
    assert shown.startswith("(cities: tuple[str, ...], points: int, completed: bool,") and "NOTHING" not in shown
    assert "id: str = ''" in shown and "goals: tuple[str, ...] = ()" in shown
    assert signature(None, "function", "", len, None, "(f: Callable[~P, T])", "T") == ("(f: Callable[P, T])", "T")


def test_every_page_is_in_the_table_of_contents() -> None:
    """So that `nox -s pages` does what each of them says, in the order in which a reader meets them."""
    assert {each for each in pages_in_order() if not each.startswith("..")} == set(written_pages())
    assert pages_in_order()[:4] == ["../README.md", "index.md", "tutorial/score-your-game.md", "tutorial/first-game.md"]


def test_what_is_not_typed_is_on_a_page() -> None:
    lines = [
        line
        for page in pages_in_order()
        for block in blocks(page)
        if block.language == "sh"
        for line in block.text.splitlines()
    ]
    assert [pattern for pattern in NOT_TYPED if not any(re.match(pattern, line) for line in lines)] == []


def test_commands_are_typed_as_they_are(tmp_path: Path) -> None:
    reader = Reader("index.md", tmp_path, literal=True)
    reader._type("echo one > file\ncat file", "here")
    with pytest.raises(AssertionError, match=r"here: cat nothing\ncat: nothing: No such file"):
        reader._type("cat nothing", "here")
    reader._console(Block("console", None, 1, "$ python -c 'print(1, 2)'\n1 ...\n"), "here")
    with pytest.raises(AssertionError, match=r"here: \$ python -c 'print\(1\)'\n1\n\ninstead of\n2\n"):
        reader._console(Block("console", None, 1, "$ python -c 'print(1)'\n2\n"), "here")
