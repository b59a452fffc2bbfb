"""The command line: its output in pipes, its exit codes, and every kind of input that cannot be used."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ttr_rules.graph import LongestPath
from ttr_rules.language import ENGLISH

pytest.importorskip("click")
pytest.importorskip("rich")

from click.testing import CliRunner, Result
from rich.console import Console

import ttr_rules as ttr
from ttr_rules import events
from ttr_rules.model import Cost
from ttr_rules.play import Move
from ttr_rules.plugins import Score, discovery as plugins, secret
from ttr_rules.text import printable
from ttr_tools.__main__ import main
from ttr_tools.cli import commands
from ttr_tools.cli.terminal import print_sheet
from ttr_tools.narration.telling import Line, Narrator, narrate
from ttr_tools.narration.words import Names
from ttr_tools.testing.variant import property_names

EUROPE = ttr.compile_rules("europe")


@pytest.mark.parametrize(("least", "most", "count"), [(2, 2, 2), (4, 5, 4), (2, 5, 3)])
def test_without_a_number_as_many_play_as_the_variant_is_for(
    random_bots: None, tmp_path: Path, least: int, most: int, count: int
) -> None:
    file = tmp_path / "few.toml"
    file.write_text(
        f'name = "few"\ntitle = "Few"\nsummary = "Few players."\n[components]\nmin_players = {least}\nmax_players = {most}\n'
    )
    result = run("play", "europe", str(file), "--seed", "1", "--json")
    assert result.exit_code == 0, result.stderr
    assert len(json.loads(result.stdout)["players"]) == count
    alone = run("play", "europe", str(file), "--seed", "1", "--human", "Mary", input="q\n")
    assert alone.exit_code == 0 and "is for" not in alone.stderr
    pytest.importorskip("polars", reason="the extra data is not installed")
    games = run("simulate", "europe", str(file), "--bots", "random", "--games", "1", "--seed", "1", "--workers", "1")
    assert games.exit_code == 0, games.stderr


# What would let a terminal's colors or width into a pipe.
PLAIN = {"FORCE_COLOR": None, "TTY_COMPATIBLE": None, "TTY_INTERACTIVE": None, "COLUMNS": "80", "NO_COLOR": None}

TABLE = """
stack = ["europe"]
[[players]]
name = "Ada"
routes = ["frankfurt-paris-white", ["Frankfurt", "berlin", "black"], ["london", "edinburgh", "black"]]
stations = ["berlin"]
tickets = [["paris", "wien"]]
[[players]]
name = "Isambard"
routes = ["berlin-wien-green", ["Zürich", "Paris"]]
"""


def run(*arguments: str, input: str | bytes | None = None, env: dict[str, str | None] | None = None) -> Result:
    result = CliRunner().invoke(commands, arguments, input=input, env={**PLAIN, **(env or {})})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*arguments: str, input: str | bytes | None = None) -> str:
    """The message with which a command ends, in exit code 2 and with nothing on the standard output."""
    result = run(*arguments, input=input)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Error: " in result.stderr and "Traceback" not in result.stderr
    return result.stderr.partition("Error: ")[2].strip()


def process(*arguments: str, env: dict[str, str] | None = None, **more: Any) -> subprocess.CompletedProcess[bytes]:
    clean = {name: value for name, value in os.environ.items() if name not in PLAIN}
    command = [sys.executable, "-m", "ttr_rules", *arguments]
    return subprocess.run(command, check=False, capture_output=True, timeout=120, env={**clean, **(env or {})}, **more)


def at_random(chance: Random, legal: Sequence[ttr.Action]) -> ttr.Action:
    claims = [action for action in legal if isinstance(action, ttr.ClaimRoute | ttr.PayTunnel)]
    return chance.choice(claims if claims and chance.random() < 0.5 else legal)


def play_at_random(game: ttr.Game, bots: object = None, on_move: Callable[[Move], None] | None = None) -> None:
    """Random legal actions with a liking for claims, in place of bots: quick, and all over the rules."""
    chance = Random(f"{game.seed}")
    while game.to_act:
        game.play(at_random(chance, game.legal_actions(game.to_act[0])))
        if on_move is not None:
            on_move(game.moves[-1])


@pytest.fixture
def random_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is played as by `play_at_random`."""
    chances: dict[str, Random] = {}

    class RandomBot:
        def __init__(self, seed: str) -> None:
            game, _, seat = seed.rpartition(" ")
            if seat == "0":
                chances[game] = Random(game)
            self.chance = chances[game]

        def choose(self, view: ttr.View, rules: ttr.Rules, legal: Sequence[ttr.Action]) -> ttr.Action:
            return at_random(self.chance, legal)

    monkeypatch.setattr("ttr_tools.bots.planner.Bot", RandomBot)
    monkeypatch.setattr("ttr_tools.bots.playing.Bot", RandomBot)


# -- play ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stack", "players"), [("new-york", 2), ("north-america", 3), pytest.param("europe", 5, marks=pytest.mark.slow)]
)
def test_a_game_is_told_in_sentences_without_ids_and_codes(random_bots: None, stack: str, players: int) -> None:
    result = run("play", stack, "--players", str(players), "--seed", "1912")
    assert result.exit_code == 0 and result.stderr == ""
    story = result.stdout
    title = {"europe": "Europe (classic)", "north-america": "North America", "new-york": "New York"}[stack]
    assert story.startswith(f"A game of {title} on the map ") and "The seed is 1912." in story
    for name in ("Ada", "Isambard", "Grace", "Otto", "Clara")[:players]:
        assert f"\n{name} claims " in story
    rules = ttr.compile_rules(stack)
    assert "_" not in story and "\x1b" not in story and "seat" not in story
    for id in rules.board.routes:
        assert id not in story
    assert re.search(
        r"\n(Ada|Isambard|Grace|Otto|Clara)(, .*| and .*)? (wins|share the victory) with -?\d+ points?\.\n$", story
    )
    assert not [line for line in story.splitlines() if line != line.rstrip()], "blanks at the ends of lines"


def test_diacritics_arrive_as_printed(random_bots: None) -> None:
    story = run("play", "europe", "--seed", "1").stdout
    assert "Zürich" in story and "Cádiz" in story and "München" in story and "–" in story


@pytest.mark.slow
def test_the_same_seed_is_the_same_game_whether_number_or_text(random_bots: None) -> None:
    for seed in ("-7", "Orient Express", "9" * 2000):
        assert run("play", "new-york", "--seed", seed).stdout == run("play", "new-york", "--seed", seed).stdout
    assert json.loads(run("play", "europe", "--seed", "7", "--json").stdout)["seed"] == 7
    assert json.loads(run("play", "europe", "--seed", "seven", "--json").stdout)["seed"] == "seven"


def test_a_seed_that_was_drawn_is_told(random_bots: None) -> None:
    story = run("play", "new-york", "--players", "2").stdout
    found = re.search(r"The seed is (\d+), drawn at random; --seed (\d+) plays this game again\.", story)
    assert found is not None and found[1] == found[2]
    again = run("play", "new-york", "--players", "2", "--seed", found[1]).stdout
    assert again.split("\n", 1)[1] == story.split("\n", 1)[1]
    quiet = run("play", "new-york", "--quiet")
    seed = re.fullmatch(r"The seed drawn is (\d+)\.\n", quiet.stderr)
    assert seed is not None
    assert run("play", "new-york", "--quiet", "--seed", seed[1]).stdout == quiet.stdout


def test_quiet_prints_the_sheet_alone(random_bots: None) -> None:
    result = run("play", "new-york", "--seed", "3", "--quiet")
    assert result.stdout.startswith("Ada\nRoutes ") and result.stderr == ""
    assert run("play", "new-york", "--seed", "3").stdout.endswith("\n\n" + result.stdout)


def test_json_is_the_sheet_with_stack_and_seed(random_bots: None) -> None:
    result = run("play", "europe", "--seed", "3", "--json")
    sheet = json.loads(result.stdout)
    assert result.stderr == "" and list(sheet) == ["stack", "seed", "players", "winners"]
    game = ttr.new_game("europe", players=["Ada", "Isambard", "Grace"], seed=3)
    play_at_random(game)
    assert game.final_scores is not None
    assert sheet == {"stack": ["europe"], "seed": 3, **game.final_scores.to_json()}


def test_every_point_of_the_sheet_adds_up(random_bots: None) -> None:
    for seed in range(2):
        sheet = run("play", "europe", "--seed", str(seed), "--quiet").stdout
        for part in re.split(r"\n\n(?=(?:Ada|Isambard|Grace)\n)", sheet.split("\n\n Points")[0]):
            points = [int(line.split()[-1]) for line in part.splitlines() if re.search(r" -?\d+$", line)]
            assert sum(points[:-1]) == points[-1], part


def test_options_reach_the_game(random_bots: None) -> None:
    story = run("play", "europe:station_choice=ask", "--seed", "1").stdout
    heading, _, moves = story.partition("\n")
    assert "Europe (classic), station_choice=ask" in heading and "_" not in moves


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["europ"], "did you mean 'europe'"),
        (["dice"], "the stack dice has no map: add a plugin with one, as in: ttr-rules play europe dice"),
        (["europe", "north-america"], "both replace 'board'"),
        (["europe", "--players", "9"], "[S1] europe is for 2 to 5 players, not 9"),
        (["europe", "--players", "0"], "[S1]"),
        (["europe", "--players", "-1"], "[S1]"),
        (["europe", "--players", "many"], "not a valid integer"),
        (["europe:speed=true"], "plugin 'europe' has no option 'speed'; it has station_choice, tie_break"),
        (["europe:tie_break=P5,tie_break=P6"], "option 'tie_break' of plugin 'europe' is given twice"),
        (["europe:speed"], "options of a plugin read like europe:name=value, not 'europe:speed'"),
        (
            ["europe", "train-cards:second_card_optional=perhaps"],
            "'second_card_optional' is true or false, not 'perhaps'",
        ),
        (["europe:station_choice=worst"], "'station_choice' is 'best' or 'ask', not 'worst'"),
        ([], "Missing argument 'STACK...'"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], message: str) -> None:
    assert message in refused("play", *arguments, "--seed", "1")


def test_plugins_are_listed_by_the_name_that_variants_gives_them() -> None:
    said = refused("play", "foo")
    assert "installed: big-cities, " in said and "grossstaedte" not in said
    assert "did you mean 'grossstaedte'" in refused("play", "grosstaedte")


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ttr_tools.bots.planner.Bot.choose", interrupted)
    result = CliRunner().invoke(commands, ["play", "europe", "--seed", "1"])
    assert result.exit_code == 130 and "Traceback" not in result.stderr


# -- variants, explain -----------------------------------------------------------------------------------------


def test_variants_lists_each_plugin_in_one_line() -> None:
    lines = run("variants").stdout.splitlines()
    assert len(lines) == len(plugins.installed())
    europe = next(line for line in lines if line.startswith("europe "))
    assert "Europe (classic)" in europe and ttr.__version__ not in europe  # the library's own need no origin


def test_a_check_takes_several_numbers_of_players() -> None:
    skip = [word for name in property_names() if name != "values" for word in ("--skip", name)]
    for players, games in (([], 4), (["--players", "3"], 1), (["--players", "2", "--players", "3"] * 2, 2)):
        result = run("check", "north-america", *players, "--games", "1", *skip)
        assert result.stdout.startswith(f"north-america: {games} game"), result.output
    result = run("check", "north-america", "--players", "2", "--players", "6")
    assert result.exit_code == 1 and "components says 2 to 5 players, not 6" in result.stdout


def test_variants_fit_the_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    narrow = Console(file=written, force_terminal=True, width=80, color_system=None, markup=False)
    monkeypatch.setattr("ttr_tools.cli.authors.console", lambda: narrow)
    run("variants")
    lines = written.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [
        each.name for each in plugins.installed()
    ]


def test_a_broken_plugin_is_listed_with_its_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "no_such_module_at_all", plugins.GROUP)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [broken])
    line = run("variants").stdout
    assert line.startswith("broken ") and "BROKEN: " in line and "no_such_module_at_all" in line
    assert "no_such_module_at_all" in refused("explain", "broken")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [])
    assert run("variants").stdout == "No plugin is installed.\n"


def test_explain_prints_what_the_rules_say_of_themselves() -> None:
    assert run("explain", "europe").stdout == EUROPE.explain() + "\n"
    assert "station_choice = ask (or best, the default)" in run("explain", "europe:station_choice=ask").stdout
    assert "installed" in refused("explain", "atlantis")


# -- score -----------------------------------------------------------------------------------------------------


def test_score_gives_the_sheet_with_its_breakdown(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text(TABLE, encoding="utf-8")
    sheet = run("score", str(file)).stdout
    assert "\x1b" not in sheet
    lines = [" ".join(line.split()) for line in sheet.splitlines()]
    for line in (
        "Routes 15", "Tickets Paris–Wien completed 8", "Stations left 2 8", "Berlin lends Berlin–Wien",
        "Longest path 6 cars: ", "Total 41", "Tickets none 0", "Points Ada Isambard",
        "Tickets done 1/1 0/0", "Rank 1 2",
    ):  # fmt: skip
        assert any(line in found for found in lines), (line, sheet)


PLAYER_KEYS = [
    "name", "route_points", "tickets", "ticket_points", "lends", "needed_loans", "longest_path", "bonuses", "terms",
    "total", "rank",
]  # fmt: skip


def test_score_as_json_has_exactly_these_keys(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_text(TABLE, encoding="utf-8")
    sheet = json.loads(run("score", str(file), "--json").stdout)
    assert list(sheet) == ["players", "winners"]
    for player in sheet["players"]:
        assert list(player) == PLAYER_KEYS
        assert list(player["longest_path"]) == ["length", "routes", "cities"]
        for ticket in player["tickets"]:
            assert set(ticket) == {"id", "cities", "goals", "points", "completed"}
    ada, isambard = sheet["players"]
    assert ada["lends"] == {"berlin": "berlin-wien-green"} and ada["total"] == 41
    assert isambard["terms"] == {"stations": {"points": 12, "count": 3}} and isambard["tickets"] == []
    assert sheet == ttr.score(EUROPE, tomllib.loads(TABLE)).to_json()


def test_a_table_may_be_toml_or_json_by_suffix_or_by_content(tmp_path: Path) -> None:
    as_json = json.dumps(tomllib.loads(TABLE), ensure_ascii=False)
    sheets = set()
    for name, text in {
        "a.toml": TABLE,
        "a.json": as_json,
        "toml": TABLE,
        "json": f"\n {as_json}",
        "bom": "\ufeff" + TABLE,
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        sheets.add(run("score", "--json", str(tmp_path / name)).stdout)
    sheets |= {run("score", "-", "--json", input=text).stdout for text in (TABLE, as_json)}
    assert len(sheets) == 1


#: A file full of mistakes, and of signs in texts and comments that mean nothing there.
MISTAKEN = """\
stack = ["europe"]  # ["no"] {end}
color = "[red]"
[[players]]
name = "Ada"
routes = [  # [[players]]
  "frankfurt-paris-pink",
  ["Paris", 'Zürich'], ["wien", "atlantis"],

  5,
]
stations = ["berlin", "berlin"]
tickets = [["paris", "wien"], ["paris",
  "nowhere"], "no # \\" one"]
lends = {berlin = 7, "Roma.Nova" = 8}
[[players]]
name = '''Ada'''
[players.lends]
wien . x = 7
"""


def test_every_mistake_is_reported_with_its_place() -> None:
    message = refused("score", "-", input=MISTAKEN)
    first, *problems = message.splitlines()
    assert first == "standard input: this table cannot be scored: 11 problems"
    assert [re.split("[:;] ", problem)[0].strip() for problem in problems] == [
        "unknown key 'color'", "players[1].name",
        "players[0].routes[0]", "players[0].routes[2]", "players[0].routes[3]", "players[0].tickets[1]", "players[0].tickets[2]",
        "players[0].stations[1]", "players[0].lends.Roma.Nova", "players[0].lends.berlin", "players[1].lends.wien",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.toml", b"stack = [\n\n", "a.toml cannot be read: "),
        ("a.toml", b"a = 1\nb = x", "(at line 2, column 5)"),
        ("a.json", b'{"stack": ["europe"],\n "players": [}', "at line 2, column 14"),
        ("a.json", b"", "a.json cannot be read: not JSON at "),
        ("a.toml", b"", "stack"),
        ("a.toml", b"# \xe9\n", "not UTF-8 at byte 3"),
        ("a", b'{"stack": 1,\n"\xff": 2}', "not UTF-8 at byte 15"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply"),
        ("a.json", b'{"stack": ["europe"], "players": ' + b"[" * 900 + b"]" * 900 + b"}", "(limit 40)"),
        ("a.json", b'{"stack": "europe", "players": [], "players": []}', "the key 'players' occurs twice"),
        ("a.json", b"[1]", "got [1]"),
        ("a.json", b"true", "got true"),
        ("a.json", b"null", "got null"),
        ("a.json", b"1e3", "got 1000.0"),
        ("a.json", b'"europe"', 'got "europe"'),
        ("a.toml", b"a = " + b"9" * 5000, "number in it is too long"),
        ("a.json", b'{"a": ' + b"9" * 5000 + b"}", "number in it is too long"),
        ("a.json", b" " * 1_000_001, "too long for a table"),
        ("a.json", b'{"stack": ["europ"]}', "did you mean 'europe'?"),
        ("a.json", b'{"stack": ["dice"]}', "has no map: add a plugin with one, as in: ttr-rules play europe dice"),
        ("a.json", b'{"stack": ["europe"]}', "players: europe is for 2 to 5 players, not 0"),
        ("a.json", b'{"stack": ["europe"], "players": ["\\u001b[31m", 1]}', "players[0]: expected a table"),
    ],
)
def test_files_that_are_no_table(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    said = refused("score", str(tmp_path / name))
    assert message in said
    assert "\x1b" not in said and max(map(len, said.splitlines())) < 1000


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "missing.toml cannot be read: " in refused("score", str(tmp_path / "missing.toml"))
    assert "cannot be read: " in refused("score", str(tmp_path))
    assert "cannot be read: " in refused("score", "")
    assert "Missing argument 'FILE [STACK...]'" in refused("score")


def test_the_example_in_the_help_of_score_can_be_scored() -> None:
    text = run("score", "--help").stdout
    table = re.search(r"Example, game.toml:\n(.*?)\n\s*Then:", text, re.DOTALL)
    assert table is not None
    assert run("score", "-", input=table[1]).exit_code == 0


# -- the whole -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "play",
        "variants",
        "explain",
        "hooks",
        "board",
        "score",
        "schema",
        "new-variant",
        "perft",
        "playthrough",
        None,
    ],
)
def test_help_teaches_with_examples(command: str | None) -> None:
    result = run(*([command] if command else []), "--help")
    assert result.exit_code == 0 and f"ttr-rules {command or 'play'}" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_version_and_unknown_commands() -> None:
    assert run("--version").stdout == f"ttr-rules, version {ttr.__version__}\n"
    assert "No such command 'fly'" in refused("fly")


@pytest.mark.slow
def test_an_output_that_is_no_utf_8_gets_what_it_can_show() -> None:
    for arguments in (["explain", "europe"], ["variants"]):
        result = process(*arguments, env={"PYTHONIOENCODING": "ascii"})
        assert result.returncode == 0 and result.stderr == b""
        assert result.stdout.isascii()
    assert process("score", "-", input=TABLE.encode(), env={"PYTHONIOENCODING": "ascii"}).stdout.isascii()
    played = process("score", "-", "--json", input=TABLE.encode(), env={"PYTHONIOENCODING": "ascii"})
    assert [player["name"] for player in json.loads(played.stdout)["players"]] == ["Ada", "Isambard"]


@pytest.mark.slow
def test_as_a_process_of_its_own() -> None:
    played = process("play", "europe", "--players", "3", "--seed", "1912", env={"PYTHONIOENCODING": "utf-8"})
    assert played.returncode == 0 and played.stderr == b""
    story = played.stdout.decode()
    assert "\x1b" not in story and "_" not in story and "wins with" in story
    again = process("play", "europe", "--players", "3", "--seed", "1912", env={"PYTHONHASHSEED": "5", "NO_COLOR": "1"})
    assert again.stdout == played.stdout
    wrong = process("play", "europ")
    assert wrong.returncode == 2 and wrong.stdout == b"" and wrong.stderr.startswith(b"Error: no plugin 'europ'")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_a_closed_pipe_ends_quietly() -> None:
    for arguments in (["play", "europe", "--seed", "1"], ["play", "europe", "--seed", "1", "--json"], ["variants"]):
        with subprocess.Popen(
            [sys.executable, "-m", "ttr_rules", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            assert child.stdout is not None and child.stderr is not None
            child.stdout.close()
            assert child.stderr.read() == b""


def test_main_runs_the_arguments_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="ascii")
    monkeypatch.setattr(sys, "argv", ["ttr-rules", "explain", "europe:station_choice=ask"])
    monkeypatch.setattr(sys, "stdout", out)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    out.flush()
    assert written.getvalue().startswith(b"Stack: europe\n")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(28, "No space left"), 2, "Error: the output: No space left\n"),
        (FileNotFoundError(2, "No such file", "map.toml"), 2, "Error: map.toml: No such file\n"),
        (BrokenPipeError(32, "CheckFailed pipe"), 1, ""),
    ],
)
def test_errors_of_the_system(monkeypatch: pytest.MonkeyPatch, error: OSError, code: int, message: str) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("ttr_tools.bots.planner.Bot.choose", failing)
    result = run("play", "europe", "--seed", "1", "--quiet")
    assert (result.exit_code, result.stderr) == (code, message)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "ttr_rules", "variants"]
        result = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert result.returncode == 2 and result.stderr.startswith(b"Error: the output: No space")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_control_c_ends_a_process_with_130(tmp_path: Path) -> None:
    pipe = tmp_path / "game.toml"
    os.mkfifo(pipe)
    # What runs in the background of a shell ignores Control-C, and so do its children, unless they say otherwise.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{code}; from ttr_tools.__main__ import main; main()", "score", str(pipe)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        with pipe.open("wb"):  # opens as soon as the child reads
            time.sleep(0.1)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
    assert child.returncode == 130 and out == b"" and b"Traceback" not in err


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['{}'] = None; from ttr_tools.__main__ import main; main()"
    for missing in ("click", "rich"):
        command = [sys.executable, "-c", code.format(missing)]
        result = subprocess.run(command, check=False, capture_output=True, timeout=60)
        assert result.returncode == 2 and result.stdout == b""
        assert b"pip install 'ttr-rules[cli]'" in result.stderr and b"Traceback" not in result.stderr


# -- sentences -------------------------------------------------------------------------------------------------


def told(game: ttr.Game, *actions: ttr.Action) -> list[str]:
    """The lines of an arranged position in which seat 0 does something."""
    narrator = Narrator(game.rules, game.players)
    lines: list[Line] = [line for move in game.moves for line in narrator.tell(move.events)][2:]
    for action in actions:
        lines += narrator.tell(game.play(action))
    return [line.text for line in lines if not line.heading]


def position(**more: Any) -> ttr.Game:
    players = [{"name": "Ada", "hand": {"red": 4, "blue": 4, "locomotive": 2}}, {"name": "Bo"}]
    row = ["red", "red", "blue", "green", "locomotive"]
    return ttr.arrange(EUROPE, {"players": players, "face_up": row, "seed": 1, "discards": [], **more})


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (ttr.DrawBlind(0), "Ada takes a red card and draws one from the pile."),
        (ttr.DrawFaceUp(0, "red"), "Ada takes two red cards."),
        (ttr.DrawFaceUp(0, "green"), "Ada takes a red card and a green card."),
    ],
)
def test_two_cards_are_one_sentence(second: ttr.Action, sentence: str) -> None:
    game = position(draw_pile=["orange", "yellow", "white"])
    assert told(game, ttr.DrawFaceUp(0, "red"), second) == [sentence]


def test_cards_from_the_pile_are_not_named() -> None:
    assert told(position(), ttr.DrawBlind(0), ttr.DrawBlind(0)) == ["Ada draws two cards from the pile."]
    game = position()
    assert told(game, ttr.DrawBlind(0), ttr.DrawFaceUp(0, "blue")) == [
        "Ada draws a card from the pile and takes a blue card."
    ]
    assert told(position(), ttr.DrawFaceUp(0, "locomotive")) == ["Ada takes a locomotive."]


def test_tickets_are_counted_and_not_named() -> None:
    game = position()
    drawn = game.copy().play(ttr.DrawTickets(0))
    tickets = next(event for event in drawn if isinstance(event, events.TicketsDrawn)).tickets
    assert isinstance(tickets, tuple)
    lines = told(game, ttr.DrawTickets(0), ttr.KeepTickets(0, tickets[:1]))
    assert lines == ["Ada draws three tickets and keeps one."]


def test_claims_name_what_was_paid_and_scored() -> None:
    claim = ttr.ClaimRoute(0, "frankfurt-munchen-purple", {"locomotive": 2})
    assert told(position(), claim) == ["Ada claims Frankfurt–München for 2 points with two locomotives."]
    ferry = ttr.ClaimRoute(0, "dieppe-london-gray-1", {"red": 1, "locomotive": 1})
    assert told(position(), ferry) == [
        "Ada claims the ferry Dieppe–London for 2 points with a red card and a locomotive."
    ]
    double = ttr.ClaimRoute(0, "bruxelles-paris-red", {"red": 2})
    assert told(position(), double) == ["Ada claims Bruxelles–Paris (red) for 2 points with two red cards."]
    single = ttr.ClaimRoute(0, "amsterdam-bruxelles-black", {"locomotive": 1})
    assert told(position(), single) == ["Ada claims Amsterdam–Bruxelles for 1 point with a locomotive."]


def test_a_tunnel_is_told_step_by_step() -> None:
    claim = ttr.ClaimRoute(0, "constantinople-smyrna-gray", {"red": 2})
    assert told(position(draw_pile=["green", "green", "orange"]), claim) == [
        "Ada claims the tunnel Constantinople–Smyrna for 2 points with two red cards "
        "(green, green and orange turned up, nothing more due)."
    ]
    pay = ttr.PayTunnel(0, {"red": 1, "locomotive": 1})
    assert told(position(draw_pile=["red", "green", "locomotive"]), claim, pay) == [
        "Ada lays two red cards for the tunnel Constantinople–Smyrna: "
        "red, green and locomotive turned up, two more are due.",
        "Ada adds a red card and a locomotive and claims the tunnel Constantinople–Smyrna for 2 points.",
    ]
    assert told(position(draw_pile=["red", "green", "green"]), claim, ttr.AbandonTunnel(0)) == [
        "Ada lays two red cards for the tunnel Constantinople–Smyrna: red, green and green turned up, one more is due.",
        "Ada abandons the tunnel and takes back the cards.",
    ]


def test_sweeps_and_new_piles_are_told_in_their_place() -> None:
    row = ["red", "locomotive", "blue", "green", "locomotive"]
    pile = ["locomotive", "white", "white", "black", "black", "orange", "orange"]
    lines = told(position(face_up=row, draw_pile=pile), ttr.DrawFaceUp(0, "red"), ttr.DrawBlind(0))
    assert lines == [
        "Ada takes a red card.",
        "With three locomotives among the cards face up, all are replaced.",
        "Turned up: white, white, black, black and orange.",
        "Ada draws a card from the pile.",
    ]
    empty = {"draw_pile": [], "draw_pile_complete": True}
    lines = told(position(**empty), ttr.ClaimRoute(0, "frankfurt-munchen-purple", {"locomotive": 2}))
    assert lines == [
        "Ada claims Frankfurt–München for 2 points with two locomotives.",
        "The discards are shuffled into a new draw pile.",
    ]


def test_the_end_is_told() -> None:
    game = ttr.new_game("europe", players=2, seed=2)
    narrator = Narrator(game.rules, game.players)
    lines = [line.text for move in game.moves for line in narrator.tell(move.events)]
    play_at_random(game, on_move=lambda move: lines.extend(line.text for line in narrator.tell(move.events)))
    assert lines[-1] == "That was the last turn. The game is over."
    assert any(line.endswith(" has hardly any train cars left: everybody has one more turn.") for line in lines)
    last = told(position(turns_left=1), ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert "That was the last turn. The game is over." in last


def test_a_narrator_takes_the_code_of_a_language() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"], language="de")
    assert [line.text for line in narrator.tell([events.TurnBegun(0)])] == ["Runde 1"]


def test_passes_and_deadlock_are_told() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    lines = narrator.tell([events.TurnBegun(0), events.TurnEnded(0, passed=True), events.GameEnded("deadlock")])
    assert [line.text for line in lines] == [
        "Round 1", "Ada can do nothing and passes.", "Nobody can do anything any more. The game is over.",
    ]  # fmt: skip


class DiceRolled(ttr.Event):
    seat: int
    faces: tuple[str, ...]
    route: str
    ticket: str
    spare: ttr.Counts
    hidden: int | events.Unknown = secret("seat")


class WeatherChanged(ttr.Event):
    city: str
    to_seat: int
    is_fine: bool
    cost: Cost
    nothing: tuple[str, ...] = ()


class TowerBuilt(ttr.Event):
    message = "{seat} builds a tower in {city}."

    seat: int
    city: str


class Misprinted(ttr.Event):
    message = "{nobody} knows"

    seat: int


class Flooded(ttr.Event):
    message = "the water rises in {city}\n"

    city: str


class Delivered(ttr.Event):
    message = "{color} goes to {seat}"

    seat: int
    color: str


def test_a_message_that_stands_alone_is_a_whole_sentence() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    lines = narrator.tell([events.TurnBegun(0), Flooded("zurich"), Delivered(1, "red")])
    assert [line.text for line in lines] == ["Round 1", "The water rises in Zürich.", "Red goes to Bo."]


def test_rounds_go_on_from_those_of_a_position() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "round": 9, "players": [{}, {}]})
    for seat in (0, 0, 1, 1):
        game.play(ttr.DrawBlind(seat))
    assert [line for line in narrate(game, None, seat=None) if line.startswith("Round")] == ["Round 9", "Round 10"]


def test_events_of_plugins_are_told_too() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    rolled = DiceRolled(1, ("single", "wild_face"), "berlin-wien-green", "paris-wien", ttr.Counts(red=1), 7)
    changed = WeatherChanged("zurich", 0, True, Cost("station", 2, "red"))
    paid = [events.CardsSpent(0, ttr.Counts(red=2)), TowerBuilt(0, "zurich"), events.TurnEnded(0, passed=False)]
    lines = [line.text for line in narrator.tell([events.TurnBegun(0), rolled, changed, *paid, Misprinted(1)])]
    assert lines == [
        "Round 1",
        "Bo: dice rolled (faces single and wild face, route Berlin–Wien, ticket Paris–Wien 8, spare a red card, hidden ?).",
        "Weather changed (city Zürich, to seat Ada, is fine yes, cost kind station, spaces 2, color red, nothing nothing).",
        "Ada builds a tower in Zürich with two red cards.",
        "Bo: misprinted.",
    ]


def test_one_player_after_the_other_without_turns() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    facts = [TowerBuilt(0, "roma"), TowerBuilt(1, "zurich"), TowerBuilt(1, "paris"), events.CardDrawn(0, "red")]
    assert [line.text for line in narrator.tell([*facts, events.TurnEnded(0, passed=False)])] == [
        "Ada builds a tower in Roma.",
        "Bo builds a tower in Zürich and builds a tower in Paris.",
        "Ada draws a card from the pile.",
    ]


def test_a_payment_that_nothing_explains_is_told() -> None:
    narrator = Narrator(EUROPE, ["Ada", "Bo"])
    spent = [events.TurnBegun(0), events.CardsSpent(0, ttr.Counts(red=2)), events.TurnEnded(0, passed=False)]
    assert narrator.tell(spent)[-1] == Line("Ada pays two red cards.", 0)


def test_words() -> None:
    assert ENGLISH.joined([]) == "nothing" and ENGLISH.joined(["a"]) == "a"
    assert (
        Names(EUROPE, ["Ada"]).cards({"locomotive": 1, "orange": 1, "red": 0, "passenger": 7})
        == "an orange card, seven passengers and a locomotive"
    )
    assert printable("a\tb\n", keep="\n") == "a�b\n"
    assert Names(EUROPE, ["Ada"]).player(3) == "seat 3"
    assert Names(EUROPE, ["Ada"]).value(2.5) == "2.5"
    assert Names(EUROPE, ["Ada"]).value(events.Unknown(None)) == "some"
    assert Names(EUROPE, ["Ada"]).value({"berlin": "berlin-wien-green"}) == "Berlin: Berlin–Wien"


# -- sheets ----------------------------------------------------------------------------------------------------


def test_terms_and_bonuses_of_plugins_have_their_rows() -> None:
    path = LongestPath(0, ())
    ada = ttr.PlayerScore(
        0,
        "Ada",
        7,
        (),
        path,
        terms={"city_tokens": Score(9, 3), "luck": Score(1)},
        bonuses={"most_tickets": 10},
        rank=1,
    )
    bo = ttr.PlayerScore(1, "Bo", 0, (), path, rank=2)
    with Console(file=io.StringIO(), width=80, _environ={}) as screen:
        print_sheet(screen, ttr.FinalScores((ada, bo)))
    lines = [" ".join(line.split()) for line in screen.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    for line in (
        "City tokens 3 9",
        "Luck 1",
        "Most tickets 10",
        "Total 27",
        "City tokens 9 0",
        "Luck 1 0",
        "Most tickets 10 0",
    ):
        assert line in lines, lines


def test_a_narrow_terminal_loses_no_points(random_bots: None) -> None:
    result = run("play", "europe", "--seed", "5", "--players", "5", "--quiet", env={"COLUMNS": "46"})
    assert max(map(len, result.stdout.splitlines())) <= 46
    assert len(re.findall(r"^Total +-?\d+$", result.stdout, re.MULTILINE)) == 5
    assert re.search(r"^ Total( +-?\d+){5}$", result.stdout, re.MULTILINE)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(**environ: str) -> str:
    screen = Console(file=Terminal(), width=80, _environ={"TERM": "xterm-256color", **environ})
    scores = ttr.score(EUROPE, tomllib.loads(TABLE))
    print_sheet(screen, scores)
    assert isinstance(screen.file, Terminal)
    return screen.file.getvalue()


def test_a_terminal_gets_colors_unless_it_wants_none() -> None:
    assert "\x1b[32mcompleted" in on_terminal() and "\x1b[1;36mAda" in on_terminal()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", on_terminal(NO_COLOR="1"))
