"""Variants that are only data: a TOML file says what a plugin in Python says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ttr_rules as ttr
from ttr_rules.errors import InvalidInputError, MapError, PluginConflictError, PluginError
from ttr_rules.plugins import Mix, load_variant
from ttr_tools.testing import check_variant

FILES = Path(__file__).parent / "data_variants"
SAME = {"europa_1912": "europa-1912", "big_cities": "big-cities", "mega_europa": "mega-europa"}


@pytest.mark.parametrize("file", SAME)
def test_a_file_says_what_the_plugin_says(file: str) -> None:
    written = ttr.compile_rules(load_variant(FILES / f"{file}.toml"))
    built = ttr.compile_rules(SAME[file])
    assert {name: list(pile) for name, pile in written.deck.piles.items()} == {
        name: list(pile) for name, pile in built.deck.piles.items()
    }
    assert written.draw_counts == built.draw_counts
    for players in (2, 5):
        assert ttr.playout(written, players, seed=7) == ttr.playout(built, players, seed=7)


@pytest.mark.slow
def test_a_file_keeps_what_every_variant_keeps() -> None:
    check_variant("europe", load_variant(FILES / "mega_europa.toml"), players=2, games=1, skip=["processes"])


def test_components_bonuses_tie_break_and_rulings() -> None:
    variant = load_variant({
        "name": "short", "title": "Short games", "requires": ["north-america"],
        "components": {"cars": 20, "max_players": 4},
        "bonuses": {"most_tickets": 15, "longest_path": 5},
        "tie_break": ["longer_path"],
        "rulings": {"second_card_optional": True},
    })  # fmt: skip
    rules = ttr.compile_rules(variant)
    assert (rules.components.cars, rules.components.max_players, rules.components.min_players) == (20, 4, 2)
    assert {bonus.name: bonus.points for bonus in rules.bonuses} == {"most_tickets": 15, "longest_path": 5}
    assert [tie.name for tie in rules.tie_break] == ["longer path"]
    assert rules.options["train-cards"]["second_card_optional"] is True
    again = ttr.compile_rules(variant, rulings={"second_card_optional": False})
    assert again.options["train-cards"]["second_card_optional"] is False


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"title": "x"}, "name: missing"),
        ({"name": "x", "title": 5}, "title: expected a string, got 5"),
        ({"name": "x", "title": "x", "decks": {}}, "unknown key 'decks'"),
        ({"name": "x", "title": "x", "setup": [{"deals": {"regular": 3}}]}, "setup[0].keep: missing"),
        ({"name": "x", "title": "x", "setup": [{"deals": {"regular": "1"}, "keep": {}}]}, "setup[0].deals.regular"),
        ({"name": "x", "title": "x", "bonuses": {"fastest": 3}}, "bonuses: there is no 'fastest'"),
        ({"name": "x", "title": "x", "tie_break": ["luck"]}, "tie_break[0]"),
        ({"name": "x", "title": "x", "draw": {"drawn": 2, "keep": 3}}, "draw: 2 tickets"),
        (
            {"name": "x", "title": "x", "draw": {"drawn": 0, "keep": 0}},
            "draw: drawn is a whole number of at least 1, not 0",
        ),
        ({"name": "", "title": "x"}, "name: '' is not an id"),
        ({"name": "My Table:x", "title": "x"}, "name: 'My Table:x' is not an id; ids consist of a-z, 0-9 and _"),
        (
            {"name": "x", "title": "x", "components": {"cars": -5}},
            "components: cars is a whole number of at least 1, not -5",
        ),
        (
            {"name": "x", "title": "x", "components": {"cars": 0}},
            "components: cars is a whole number of at least 1, not 0",
        ),
        (
            {"name": "x", "title": "x", "components": {"max_players": 50}},
            "components: max_players is a whole number from 1 to 10, not 50",
        ),
        (
            {"name": "x", "title": "x", "components": {"last_round_at": -1}},
            "components: last_round_at is a whole number of at least 0",
        ),
        (
            {"name": "x", "title": "x", "setup": [{"deals": {}, "keep": {"least": 3, "most": 1}}]},
            "setup[0].keep: at least 3 and at most 1 tickets cannot be kept",
        ),
        (
            {"name": "x", "title": "x", "setup": [{"deals": {}, "keep": {"least_with_kept": -1, "most": -2}}]},
            "setup[0].keep: least_with_kept is a whole number of at least 0, not -1",
        ),
        (
            {"name": "x", "title": "x", "setup": [{"deals": {}, "keep": {"least": True}}]},
            "setup[0].keep.least: expected a whole number, got True",
        ),
        (
            {"name": "x", "title": "x", "draw": {"unkept": "away"}},
            "draw.unkept: there is no 'away'; there are under the pile",
        ),
    ],
)
def test_every_mistake_is_told_with_its_place(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(MapError) as caught:
        load_variant(table)
    assert problem in str(caught.value)


def test_mistakes_of_all_kinds_are_told_at_once() -> None:
    with pytest.raises(MapError) as caught:
        load_variant({
            "name": "", "title": "x", "components": {"cars": -1, "max_players": 0},
            "setup": [{"deals": {"regular": ""}, "keep": {"least": 2, "most": 1}, "rule": 5}], "draw": {"keep": 9},
        })  # fmt: skip
    assert [problem.partition(":")[0] for problem in caught.value.problems] == [
        "name", "components", "setup[0].deals.regular", "setup[0].keep", "setup[0].rule", "draw",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("components", "problem"),
    [
        ({"min_players": 5, "max_players": 2}, "min_players must be at most max_players (2), not 5"),
        ({"last_round_at": 99}, "last_round_at must be less than cars (45), not 99"),
        ({"min_players": 6}, "min_players must be at most max_players (5), not 6"),
    ],
)
def test_what_does_not_fit_the_stack_is_told_when_it_compiles(components: dict[str, int], problem: str) -> None:
    variant = load_variant({"name": "x", "title": "x", "components": components})
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules("europe", variant)
    assert "the components of core, x" in str(caught.value) and problem in str(caught.value)


def test_a_stage_cites_a_rule_of_the_stack() -> None:
    stages = [{"deals": {"regular": 3}, "keep": {"least": 2}, "under": "regular", "rule": "S7"}]
    stages += [{**stages[0], "rule": "K1"}, {**stages[0], "rule": "Z9"}]
    good = load_variant({"name": "x", "title": "x", "setup": stages[:2]})
    assert [stage.rule for stage in ttr.compile_rules("europe", good).setup] == ["S7", "K1"]
    with pytest.raises(PluginError, match=r"setup\[2\].rule of 'x': the rulebook of this stack has no rule 'Z9'"):
        ttr.compile_rules("europe", load_variant({"name": "x", "title": "x", "setup": stages}))


@pytest.mark.slow
def test_a_file_may_mix_piles_and_put_tickets_on_discards() -> None:
    """What Python says of stages, draws and the box, a file says too."""
    table = {
        "name": "x", "title": "x", "requires": ["germany-tickets"], "components": {"open_tickets": True},
        "setup": [{"deals": {}, "mix": {"count": 5, "piles": ["short", "long"]}, "keep": {"least": 3}}],
        "draw": {"pile": "short", "more_piles": ["long"], "unkept": "to the discards"},
    }  # fmt: skip
    rules = ttr.compile_rules("marklin", load_variant(table))
    assert rules.setup[0].mix == Mix(5, ("short", "long")) and rules.components.open_tickets
    assert rules.draw_counts.discards == {"short": "short discards", "long": "long discards"}
    assert ttr.playout(rules, 2, seed=1).winners


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(MapError) as caught:
        load_variant({"title": 5, "summary": 6, "bonuses": 7})
    assert len(caught.value.problems) == 4


def test_a_file_that_is_not_there_or_not_toml(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="No such file"):
        load_variant(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("name = ")
    with pytest.raises(MapError, match="variant"):
        load_variant(tmp_path / "bad.toml")


def test_a_board_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(
        'id = "toy"\nname = "Toy"\npoints = {2 = 2}\n'
        'cities = [{id = "ada", name = "Ada"}, {id = "bree", name = "Bree"}, {id = "cay", name = "Cay"}]\n'
        'routes = [{cities = ["ada", "bree"], length = 2, color = "red"},'
        ' {cities = ["bree", "cay"], length = 2, color = "blue"}]\n'
        'tickets = [{cities = ["ada", "cay"], points = 4}, {cities = ["ada", "bree"], points = 2}]\n'
    )
    (tmp_path / "variant.toml").write_text(
        'name = "toy"\ntitle = "Toy"\nboard = "toy.toml"\ncomponents = {max_players = 2}\n'
        "setup = [{deals = {regular = 1}, keep = {least = 1}}]\n"
    )
    rules = ttr.compile_rules(load_variant(tmp_path / "variant.toml"))
    assert rules.board.name == "Toy"
    assert ttr.playout(rules, 2, seed=1).winners


# -- at the command line -------------------------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A file for a table of one's own."""
    file = tmp_path / "my-table.toml"
    file.write_text(
        'name = "my-table"\ntitle = "My table"\n[components]\ncars = 25\n[draw]\ndrawn = 4\n[names]\nde = "Mein Tisch"\n'
    )
    return str(file)


@pytest.mark.slow
def test_a_file_is_played_with_a_stack(table: str) -> None:
    pytest.importorskip("click")
    from test_cli import run

    played = run("play", "europe", table, "--players", "2", "--seed", "4")
    assert "A game of Europe (classic) + My table on the map Europe." in played.stdout and "wins with" in played.stdout
    assert run("play", "europe", table, "--players", "2", "--seed", "4").stdout == played.stdout
    german = run("play", "europe", table, "--players", "2", "--seed", "4", "--lang", "de").stdout
    assert "Eine Partie Europa (klassisch) + Mein Tisch auf dem Spielplan Europa." in german
    assert (
        "draw_counts: my-table (replaces nordic-countries, core)\n" in run("explain", "nordic-countries", table).stdout
    )
    assert run("board", "europe", table).exit_code == 0
    checked = run("check", "europe:tie_break=P6", table, "--players", "2", "--games", "1", "--skip", "secrets")
    assert checked.stdout.startswith("europe:tie_break=P6 + my-table: 1 game")


def test_a_table_that_names_a_file_is_scored_with_it(table: str, tmp_path: Path) -> None:
    """The template names the variant; the file has to be given again."""
    pytest.importorskip("click")
    from test_cli import run

    template = run("score", "--template", "europe", table).stdout
    assert 'stack = ["europe", "my-table"]\n' in template
    game = tmp_path / "game.toml"
    game.write_text(template, encoding="utf-8")
    assert "Total" in run("score", str(game), "europe", table).stdout
    alone = run("score", str(game))
    assert alone.exit_code == 2 and "no plugin 'my-table' is installed" in alone.stderr


PLUGIN = """
from ttr_rules.plugins import DrawCounts, Variant, hookimpl, option

class Base(Variant):
    "A base for variants is no variant."

class {kind}(Base, name="{name}", title="Four and two"):
    drawn: int = option(4, 5, meaning="tickets drawn")

    @hookimpl
    def draw_counts(self, below, board):
        return DrawCounts(self.drawn, 2)
"""


def python_file(folder: Path, name: str) -> str:
    """A Python file with a plugin."""
    file = folder / f"{name}.py"
    file.write_text(PLUGIN.format(kind="Four", name=name))
    return str(file)


def test_a_python_file_is_played_with_a_stack(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import run

    file = python_file(tmp_path, "four_and_two")
    played = run("play", "europe", file, "--players", "2", "--seed", "4")
    assert "A game of Europe (classic) + Four and two on the map Europe." in played.stdout, played.stderr
    assert "wins with" in played.stdout
    name = Path(file).stem
    assert f"draw_counts: {name} (replaces core)\n" in run("explain", "europe", file).stdout


def test_a_python_file_takes_options(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import refused, run

    file = python_file(tmp_path, "four_or_five")
    assert "four_or_five: drawn = 5 (or 4, the default)" in run("explain", "europe", f"{file}:drawn=5").stdout
    assert f"score game.toml europe {file}:drawn=5\n" in run("score", "--template", "europe", f"{file}:drawn=5").stdout
    assert "four_or_five.py has no option 'draw'; did you mean drawn? It has drawn" in refused(
        "play", "europe", f"{file}:draw=5"
    )
    assert "'drawn' is 4 or 5, not 6" in refused("play", "europe", f"{file}:drawn=6")
    assert "options of a plugin read like four_or_five.py:name=value" in refused("play", "europe", f"{file}:drawn")


@pytest.mark.slow
def test_other_processes_play_with_a_python_file_too(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    file = f"{python_file(tmp_path, 'four_elsewhere')}:drawn=5"
    words = ["simulate", "europe", "--bots", "random", "--games", "4", "--seed", "1", "--workers", "2", file]
    done = subprocess.run([sys.executable, "-m", "ttr_rules", *words], capture_output=True, text=True, check=False)
    assert "4 games of Europe (classic) + Four and two, drawn=5 on the map Europe." in done.stdout, done.stderr


def test_a_wrong_value_for_an_option_of_a_file_is_refused_in_plain_words(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import refused

    file = tmp_path / "sprint.py"
    file.write_text(
        "from ttr_rules.plugins import Variant, option\n"
        'class Sprint(Variant, name="sprint"):\n'
        '    """Sprint: few cars."""\n'
        "    cars: int = option(25, 20, 30)\n"
    )
    assert f"{file} cannot be loaded: 'cars' is 25 or 20 or 30, not 12" in refused(
        "explain", "europe", f"{file}:cars=12"
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("nothing_there", "x = 1", "the module nothing_there is no plugin: it must have one variant, and has none"),
        ("broken_plugin", "1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("broken_syntax", "def", "cannot be loaded: SyntaxError: "),
        ("json", "x = 1", "another module has this name: rename the file"),
        ("missing_file", None, "missing_file.py: No such file or directory"),
        ("two", PLUGIN.format(kind="A", name="a") + 'class B(Base, name="b"):\n    pass\n', "it must have one variant, and has A, B"),
    ],
)  # fmt: skip
def test_python_files_that_are_no_plugin_are_refused(
    tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    pytest.importorskip("click")
    from test_cli import refused

    file = tmp_path / f"{name}.py"
    if content is not None:
        file.write_text(content)
    said = refused("play", "europe", str(file))
    assert message in said and "Traceback" not in said


def test_every_mistake_of_the_file_is_told_at_once(table: str) -> None:
    pytest.importorskip("click")
    from test_cli import run

    Path(table).write_text('name = "my-table"\ntitel = "My table"\nbonuses = 7\n')
    refused = run("play", "europe", table, "--quiet")
    assert refused.exit_code == 2
    for problem in ("title: missing", "unknown key 'titel'", "bonuses"):
        assert problem in refused.stderr, refused.stderr


@pytest.mark.parametrize("cars", [-5, 0, 2])
def test_numbers_that_cannot_be_played_are_no_traceback(table: str, cars: int) -> None:
    pytest.importorskip("click")
    from test_cli import run

    Path(table).write_text(f'name="bad"\ntitle="B"\n[components]\ncars={cars}\n')
    refused = run("play", "europe", table)
    assert refused.exit_code == 2 and "Traceback" not in refused.stderr
    assert "cars" in refused.stderr


def test_a_game_with_a_file_is_saved_and_taken_up_with_it(table: str, tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import run

    rules = ttr.compile_rules("europe", load_variant(table))
    game = ttr.new_game(rules=rules, players=2, seed=4)
    (tmp_path / "saved.json").write_text(ttr.dumps(game))
    refused = run("play", "--resume", str(tmp_path / "saved.json"), "--quiet")
    assert refused.exit_code == 2 and "'my-table'" in refused.stderr
    assert "wins with" in run("play", "europe", table, "--resume", str(tmp_path / "saved.json"), "--quiet").stdout


def test_a_file_that_requires_nothing_replaces_what_any_map_decides(table: str) -> None:
    for base in ("europe", "nordic-countries", "mega-europa"):
        for stack in ((base, load_variant(table), "dice"), ("dice", load_variant(table), base)):
            rules = ttr.compile_rules(*stack)
            assert (rules.draw_counts.drawn, rules.draw_counts.keep) == (4, 0), "dice adjust what the table says"
            assert rules.components.cars == 25 and rules.board.id == ttr.compile_rules(base).board.id
    other = load_variant({"name": "other", "title": "Other", "draw": {"drawn": 5}})
    with pytest.raises(PluginConflictError, match="'my-table' and 'other' both replace 'draw_counts'"):
        ttr.compile_rules("europe", load_variant(table), other)


def test_what_a_file_says_is_no_option(table: str) -> None:
    rules = ttr.compile_rules("europe", load_variant(table))
    assert not [line for line in rules.explain().splitlines() if line.startswith("  my-table:")]
    for name in ("data", "my-table.data", "own_board"):
        with pytest.raises(InvalidInputError, match="there is no ruling"):
            ttr.compile_rules("europe", load_variant(table), rulings={name: 5})
    other = load_variant({"name": "my-table", "title": "My table", "draw": {"drawn": 5}})
    assert set(rules.options["my-table"]) == {"data", "own_board"}, "saved games tell it"
    assert ttr.compile_rules("europe", other).fingerprint != rules.fingerprint


def test_titles_in_other_languages_are_listed(table: str) -> None:
    assert load_variant(table).info.titles == {"de": "Mein Tisch"}


def test_a_file_in_another_encoding_is_a_problem_in_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfename")
    with pytest.raises(ttr.TTRError, match="not UTF-8 at byte 1"):
        load_variant(path)


def test_a_variant_nested_too_deeply_is_refused_in_words() -> None:
    table: dict[str, Any] = {"name": "deep"}
    inner = table
    for _ in range(3000):
        inner["extra"] = {}
        inner = inner["extra"]
    with pytest.raises(MapError, match="variant deep"):
        load_variant(table)
