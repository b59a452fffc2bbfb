"""The packages of third parties as people and bots meet them: in score files, at the terminal, in what bots choose."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

pytest.importorskip("click")
pytest.importorskip("rich")

from click.testing import CliRunner
from test_cli_words import Seen, labels
from third_party import PLUGINS, STACKS, played_to_the_end, site

import ttr_rules as ttr
from ttr_rules.text import spaced
from ttr_tools.bots import Bot, play_game
from ttr_tools.bots.evaluation import evaluate
from ttr_tools.cli import commands
from ttr_tools.cli.score import score_template
from ttr_tools.narration.telling import Narrator
from ttr_tools.testing.runs import Picks

__all__ = ["site"]

# -- scored from a file ----------------------------------------------------------------------------------------------


@pytest.mark.slow_cases("nordic-countries dice", "north-america dice", "europe")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_a_table_is_scored_from_a_file(stack: tuple[str, ...]) -> None:
    """What was played, written down as people do, gives the sheet that the game gave."""
    names = (*stack, *(name for name in PLUGINS if name != "warehouses"))
    game = played_to_the_end(*names, players=3, seed=5)
    offices, shares = (part_of(game, name) for name in ("Offices", "Shares"))
    players = [
        {
            "name": game.players[seat],
            "routes": [id for id, owner in game.state.owners.items() if owner == seat],
            "tickets": list(game.state.tickets[seat]),
            "offices": [city for city, owner in offices.offices.items() if owner == seat],
            "shares": list(shares.held[seat]),
            "points_in_play": {name: points[seat] for name, points in game.state.points.items()},
            **({"stations": cities} if (cities := stations_of(game, seat)) else {}),
        }
        for seat in range(3)
    ]
    sheet = ttr.score(None, {"stack": list(names), "players": players})
    assert sheet == game.final_scores
    with pytest.raises(ttr.TTRError, match=r"players\[0\].shares\[0\]: there is no company 'west'"):
        ttr.score(None, {"stack": list(names), "players": [{**players[0], "shares": ["west"]}, *players[1:]]})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"crossing": 2}, "players[0].points_in_play: unknown key 'crossing'; did you mean 'crossings'?"),
        ({"crossings": "2"}, "players[0].points_in_play.crossings: expected a whole number from -999 to 999, got '2'"),
        (
            {"crossings": 1000},
            "players[0].points_in_play.crossings: expected a whole number from -999 to 999, got 1000",
        ),
        (3, "players[0].points_in_play"),
    ],
)
def test_points_in_play_that_cannot_be_are_told(given: object, problem: str) -> None:
    with pytest.raises(ttr.TTRError) as caught:
        ttr.score(None, {"stack": ["europe", "crossings"], "players": [{"points_in_play": given}, {}]})
    assert problem in str(caught.value)
    with pytest.raises(ttr.TTRError, match="unknown key 'points_in_play'"):
        ttr.score(None, {"stack": ["europe"], "players": [{"points_in_play": {}}, {}]})


def part_of(game: ttr.Game, name: str) -> Any:
    return next(part for part in game.state.parts.values() if type(part).__name__ == name)


def stations_of(game: ttr.Game, seat: int) -> list[str]:
    parts: list[Any] = [part for part in game.state.parts.values() if type(part).__name__ == "Stations"]
    return [city for part in parts for city, owner in part.built.items() if owner == seat]


def test_the_file_to_fill_in_explains_the_keys_of_packages() -> None:
    text = score_template(ttr.compile_rules("europe", *PLUGINS))
    assert '# The cities with a telegraph office of this player.\n#offices = ["' in text
    assert '# The shares of this player, by the names of the companies.\n#shares = ["north"]' in text
    sheet = ttr.score(None, tomllib.loads(re.sub(r"^( *)#(?! )", r"\1", text, flags=re.MULTILINE)))
    assert sheet.players[0].terms["telegraph"].count == 1


# -- at the terminal -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe dice", "nordic-countries")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_everything_is_told_in_words(stack: tuple[str, ...]) -> None:
    """Questions, menus, the table, what happens and the sheet: no name of a field, an event or a class is seen."""
    game, picks = ttr.new_game(*stack, *PLUGINS, players=2, seed=3), Picks(3)
    asked: dict[str, str] = {}
    told: list[str] = []
    while game.to_act:
        seat = picks.seat(game)
        kind = type(game.decision(seat)).__name__
        if kind not in asked or game.played % 40 == 7:
            seen = Seen(game, seat)
            asked[kind] = seen.question.text
            told += [seen.question.text, seen.status, *labels(seen.question.menu), seen.look("*"), seen.look("paris")]
        game.play(picks.action(game.legal_actions(seat)))
    for viewer in (None, 0):
        narrator = Narrator(game.rules, game.players, viewer)
        told += [line.text for line in narrator.tell(game.events)]
    assert game.final_scores is not None
    told.append(str(game.final_scores))
    own = [kind for tag, kind in game.rules.types.items() if tag.partition(".")[0] in PLUGINS]
    raw = [spaced(kind.__name__) for kind in own if issubclass(kind, ttr.Event)]
    for text in told:
        assert "_" not in text and "()" not in text and "…" not in text, text
        assert not [name for name in raw if name in text.lower()], text
        assert "True" not in text and "False" not in text, text
    story = "\n".join(told)
    for words in ("Shares left", "Telegraph offices", "Mail bags", "mail line", "Sky", "Joined twice"):
        assert words in story, words
    # A title at the head of the table is in two lines where there are many columns.
    assert "Mail carried" in story or re.search(r"Mail.*\n.*carried", story)
    assert asked["ShareChoice"] == "Which company do you take a share of?"
    assert ("StoreChoice" in asked) == ("dice" not in stack)


def test_explain_names_the_option_the_note_and_who_says_what() -> None:
    text = ttr.compile_rules("europe:station_choice=ask", "mail:bags=8", "crossings").explain()
    assert "  mail: bags = 8 (or 6, the default, 4) [mail]: so many cities have mail" in text
    assert "  Mail lies in 8 cities; " in text
    assert "route_cars: core ⟵ adjusted by crossings" in text
    assert "route_points: core ⟵ adjusted by mail" in text


# -- bots ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe", "nordic-countries")
@pytest.mark.parametrize("stack", STACKS, ids=" ".join)
def test_bots_play_to_the_end_and_follow_the_hints(stack: tuple[str, ...]) -> None:
    game = ttr.new_game(*stack, *PLUGINS, players=2, seed=9)
    play_game(game)
    assert game.final_scores is not None
    assert sum(isinstance(move.action, ttr.ClaimRoute) for move in game.moves) > 10
    for player in game.final_scores.players:
        assert player.completed_tickets, "bots that play by chance complete hardly any ticket"


def test_a_bot_buys_what_its_hint_says_is_worth_it() -> None:
    """An office where four routes of its own end is worth its cards; a licence that nobody needs is not."""
    rules = ttr.compile_rules("europe", "telegraph")
    routes = ["paris-zurich", "brest-paris", "dieppe-paris", "paris-pamplona-green", "frankfurt-paris-white"]
    table = {"seed": 1, "players": [{"routes": routes, "hand": {"red": 1}}, {}]}
    game = ttr.arrange(rules, table)
    action = Bot(seed=1).choose(game.view(0), rules, game.legal_actions(0))
    assert type(action).__name__ == "OpenOffice" and action.city == "paris"  # type: ignore[attr-defined]
    few = ttr.arrange(rules, {"seed": 1, "players": [{"routes": routes[:1], "hand": {"red": 1}}, {}]})
    assert type(Bot(seed=1).choose(few.view(0), rules, few.legal_actions(0))).__name__ != "OpenOffice"


def test_bots_like_routes_that_a_package_says_are_worth_more() -> None:
    extra: dict[str, float] = {}
    for stack in (("europe",), ("europe", "crossings")):
        rules = ttr.compile_rules(*stack)
        view = ttr.new_game(*stack, players=2, seed=1).view(0)
        evaluation = evaluate(view, rules)
        longest = max(rules.board.routes.values(), key=lambda route: route.length)
        extra[" ".join(stack)] = evaluation.extra_points.get(longest.id, 0)
    assert extra == {"europe": 0, "europe crossings": 2}


@pytest.mark.slow
def test_the_kit_is_run_from_the_command_line() -> None:
    result = CliRunner().invoke(
        commands, ["check", "nordic-countries", "night", "--players", "2", "--games", "1", "--skip", "secrets"]
    )
    assert result.exit_code == 0, result.output
    assert result.output.startswith("nordic-countries + night: 1 game, ")
