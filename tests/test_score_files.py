"""Files to score a table with: the keys of every stack, and the file to fill in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import pytest
from attrs import evolve
from helpers import rules_of
from official import OFFICIAL
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Board
from ttr_rules.errors import InvalidTableError
from ttr_rules.model import Components
from ttr_rules.parts import KeyHelp
from ttr_rules.plugins import Below, Part, Rules, Variant, hookimpl, public
from ttr_tools.cli.score import score_keys, score_template

STACKS = [each.stack for each in OFFICIAL if each.problem is None]


class Whistles(Part):
    """A part of the state without anything in it."""

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {"whistles": KeyHelp("The whistles of this player.", "[]")}

    def copy(self) -> "Whistles":
        return self

    def value(self) -> object:
        return None


def filled_in(text: str) -> str:
    """The file with all its examples in use."""
    return re.sub(r"^( *)#(?! )", r"\1", text, flags=re.MULTILINE)


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_a_template_scores_as_it_is_and_filled_in(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    text = score_template(rules)
    empty = tomllib.loads(text)
    assert empty["stack"] == list(stack) and len(empty["players"]) == rules.components.min_players
    assert {player.route_points for player in ttr.score(None, empty).players} == {0}
    table = tomllib.loads(filled_in(text))
    first, second = ttr.score(None, table).players[:2]
    assert first.route_points > 0 and second.route_points > 0 and first.tickets
    assert list(table["players"][0]) == [key.name for key in score_keys(rules)], "an example of every key"
    for key in score_keys(rules):
        assert key.summary in text or key.name == "name"
        tomllib.loads(f"{key.name} = {key.example}")


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_the_keys_listed_are_those_that_are_read(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    with pytest.raises(InvalidTableError, match="known keys:") as caught:
        ttr.score(rules, {"players": [{"xyzzy": 1}, {}]})
    listed = caught.value.problems[0].partition("known keys: ")[2]
    assert listed.split(", ") == [key.name for key in score_keys(rules)]


def test_which_keys_there_are() -> None:
    core = ["name", "routes", "tickets"]
    for stack, more in {
        ("europe",): ["stations", "lends"],
        ("mega-europa", "dice"): ["stations", "lends"],
        ("germany-tickets",): ["passengers", "passengers_gone", "tokens_taken"],
        ("switzerland",): [],
        ("north-america", "dice"): [],
    }.items():
        assert [key.name for key in score_keys(rules_of(*stack))] == core + more


def test_the_keys_of_a_plugin_are_listed() -> None:
    class Quiet(Variant, name="quiet"):
        """Quiet: no whistle sounds."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Whistles]

    rules = ttr.compile_rules("europe", Quiet)
    key = score_keys(rules)[-1]
    assert key.name == "whistles" and "#whistles = []" in score_template(rules)
    assert ttr.score(rules, {"players": tomllib.loads(filled_in(score_template(rules)))["players"]})


class Homes(Part):
    """Where players live, and the weather."""

    town: list[str] = public(each="", key="home", of="cities", required=True, help="The home town of this player.")
    sky: str = public(default="calm", key="sky", of=("calm", "storm"), required=True, help="The weather.")


class HomesVariant(Variant, name="homes"):
    """Homes: everybody has a home town."""

    @hookimpl
    def parts(self, rules: Rules) -> list[type[Part]]:
        return [Homes]


def test_keys_that_are_required_are_written_for_every_player() -> None:
    rules = ttr.compile_rules("europe", HomesVariant)
    text = score_template(rules)
    table = tomllib.loads(text)
    assert [player["home"] for player in table["players"]] == ["Amsterdam", "Essen"] and table["parts"] == {
        "sky": "calm"
    }
    assert [
        player.total for player in ttr.score(rules, {"players": table["players"], "parts": table["parts"]}).players
    ] == [12, 12]
    assert text.count("# The home town of this player. It is required.\n") == 1
    assert text.count("# The weather. It is required.\n") == 1
    assert "# The weather. Das muss angegeben werden.\n" in score_template(rules, lang="de")
    assert [key.name for key in score_keys(rules) if key.required] == ["home"]


class Claims(Part):
    """Cities, each with the seat that it belongs to."""

    placed: dict[str, int] = public(
        seats=True, key="markers", required=True, help="The cities with this player's markers."
    )


def test_examples_of_players_name_different_cities() -> None:
    class Markers(Variant, name="markers"):
        """Markers: a city belongs to one player."""

        @hookimpl
        def parts(self, rules: Rules) -> list[type[Part]]:
            return [Claims]

        @hookimpl
        def components(self, below: Below[Components], board: Board) -> Components:
            return evolve(below(), min_players=4)

    rules = ttr.compile_rules("europe", Markers)
    table = tomllib.loads(score_template(rules))
    assert len({player["markers"][0] for player in table["players"]}) == 4
    assert [player.total for player in ttr.score(rules, {"players": table["players"]}).players] == [12, 12, 12, 12]


def test_examples_of_players_name_different_ids() -> None:
    class Colors(Part):
        color: list[str] = public(
            each="", of=("red", "blue"), key="color", required=True, help="The color of this player."
        )

        def validate(self, rules: Rules) -> str | None:
            return "two players have the same color" if self.color[0] == self.color[1] else None

    rules = ttr.compile_rules("europe", plugin("colors", parts=lambda rules: [Colors]))
    assert 'color = "blue"' in score_template(rules)
    assert len(ttr.score(rules, tomllib.loads(score_template(rules))).players) == 2
    with pytest.raises(ttr.InvalidInputError, match='missing: The color of this player. For example: color = "blue"'):
        ttr.score(rules, {"players": [{"color": "red"}, {}]})


def test_more_players_than_cities_have_examples_all_the_same() -> None:
    rules = rules_of("europe")
    cities, routes = len(rules.board.cities), len({route.cities for route in rules.board.routes.values()})
    keys = [score_keys(rules, seat=seat)[-1].example for seat in (0, cities * routes, 1)]
    assert keys[0] == keys[1] != keys[2]


def test_the_command_writes_it(tmp_path: Path) -> None:
    pytest.importorskip("click")
    pytest.importorskip("rich")
    from test_cli import refused, run

    text = run("score", "--template", "europe:tie_break=P6", "dice").stdout
    assert tomllib.loads(text)["stack"] == ["europe:tie_break=P6", "dice"]
    file = tmp_path / "game.toml"
    file.write_text(filled_in(text), encoding="utf-8")
    sheet = run("score", str(file))
    assert sheet.exit_code == 0 and re.search(r"^Ada\nRoutes +[1-9]", sheet.stdout)
    assert "did you mean 'europe'" in refused("score", "--template", "europ")
    assert "cannot be combined with --json" in refused("score", "--template", "europe", "--json")
    assert "no plugin 'other.json' is installed" in refused("score", str(file), "other.json")
    assert "both replace 'board'" in refused("score", str(file), "europe", "north-america")


def test_the_comments_of_a_template_are_in_the_language_asked_for() -> None:
    pytest.importorskip("click")
    from test_cli import run

    for stack in (("europe",), ("united-kingdom",), ("pennsylvania",), ("germany-tickets",), ("legendary-asia",)):
        english, german = (run("score", "--template", *stack, "--lang", lang).stdout for lang in ("en", "de"))
        assert [*map(code_of, english.splitlines())] == [*map(code_of, german.splitlines())]
        comments = {line for line in english.splitlines() if line.startswith("# ") and "ttr-rules" not in line}
        assert comments.isdisjoint(german.splitlines())
        assert tomllib.loads(filled_in(english)) == tomllib.loads(filled_in(german))


def code_of(line: str) -> str:
    return "#" if line.startswith("# ") else line


def test_the_command_in_a_template_names_the_files_of_the_stack(tmp_path: Path) -> None:
    pytest.importorskip("click")
    from test_cli import run

    variant = str(Path(__file__).parent / "data_variants" / "big_cities.toml")
    text = run("score", "--template", "europe", variant).stdout
    (command,) = re.findall(r"^#     ttr-rules (score .*)", text, re.MULTILINE)
    assert command == f"score game.toml europe {variant}"
    (tmp_path / "game.toml").write_text(text, encoding="utf-8")
    sheet = run(*command.replace("game.toml", str(tmp_path / "game.toml")).split())
    assert sheet.exit_code == 0 and "Ada and Isambard share" in sheet.stdout
    assert "#     ttr-rules score game.toml\n" in run("score", "--template", "europe").stdout
