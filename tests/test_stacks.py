"""Every stack that the rules allow, of bases, dice and bonus tickets, with every number of players that it allows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st
from official import MAPS as FOLLOWED
from stacks import official_stacks

import ttr_rules as ttr
from ttr_rules.errors import PluginConflictError
from ttr_tools.cli import commands
from ttr_tools.testing import check_variant
from ttr_variants.bonus_tickets import Max, OrientExpress
from ttr_variants.marklin import Marklin

# Cards made up for these tests: the printed ones are known to their owners only.
SIX = [
    {"cities": cities, "points": 1 + number, "kind": "long" if number == 5 else "regular",
     "logos": ["europe", "europa_1912", "big_city"]}
    for number, cities in enumerate(
        [["Paris", "Wien"], ["Berlin", "Roma"], ["London", "Moskva"], ["Wien", "Athina"], ["Paris", "Kyïv"], ["Brest", "Rostov"]]
    )
]  # fmt: skip
SHORT = [["Berlin", "Ulm", 5 + n, "short"] for n in range(23)]
LONG = [["Hamburg", "München", 12 + n, "long"] for n in range(23)]
ON_EUROPE = ("europe", "europa-1912", "mega-europa", "big-cities")
OTHERS = (
    "north-america",
    "nordic-countries",
    "switzerland",
    "germany-tickets",
    "india",
    "legendary-asia",
    "london",
    "new-york",
    "pennsylvania",
)
NO_DICE = ("united-kingdom",)


@cache
def plugin(name: str) -> object:
    made: dict[str, Any] = {"orient-express": OrientExpress, "max": Max}
    if name == "marklin":
        return Marklin(tickets=SHORT + LONG)
    return made[name](tickets=SIX if name == "orient-express" else SIX[:1]) if name in made else name


def stacks() -> Iterator[tuple[str, ...]]:
    for base in (*ON_EUROPE, *OTHERS, "marklin"):
        for dice in ((), ("dice",)):
            for size in range(3 if base in ON_EUROPE else 1):
                for bonus in combinations(("orient-express", "max"), size):
                    yield (base, *bonus, *dice)
    yield from ((base,) for base in NO_DICE)


STACKS = tuple(stacks())


@cache
def rules_of(stack: tuple[str, ...]) -> ttr.Rules:
    return ttr.compile_rules(*map(plugin, stack))


@pytest.mark.slow
def test_they_are_all_there() -> None:
    assert len(STACKS) == 4 * 2 * 4 + (len(OTHERS) + 1) * 2 + len(NO_DICE)
    assert {each.stack for each in official_stacks() if each.problem is None} <= set(STACKS)
    assert {
        each.distribution for each in ttr.installed() if each.name in {name for stack in STACKS for name in stack}
    } == {"ttr-rules"}
    ours = {each.name for each in ttr.installed() if each.distribution == "ttr-rules"}
    assert ours == {name for stack in STACKS for name in stack}, "a plugin is in none of these stacks"


@pytest.mark.rule("V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11")
@pytest.mark.parametrize(
    "stack",
    # Every sixth: the playthroughs of `test_playthroughs.py` stand beside them.
    [
        pytest.param(each, id="+".join(each), marks=[pytest.mark.slow] if number % 6 else [])
        for number, each in enumerate(STACKS)
    ],
)
@settings(max_examples=1, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_stack_plays_out_with_every_number_of_players(stack: tuple[str, ...], seed: int) -> None:
    rules = rules_of(stack)
    box = rules.components
    for count in range(box.min_players, box.max_players + 1):
        sheet = ttr.playout(rules, count, seed)
        assert len(sheet.players) == count and sheet.winners
    for wrong in (box.min_players - 1, box.max_players + 1):
        with pytest.raises(
            ttr.InvalidInputError, match=rf"\[S1\].*is for {box.min_players} to {box.max_players} players"
        ):
            ttr.new_game(rules=rules, players=wrong)


MAPS = ("india", "legendary-asia", "pennsylvania", "united-kingdom", "london", "new-york")


@pytest.mark.parametrize("pair", [*combinations(MAPS, 2), *((map, "europe") for map in MAPS)], ids=" ".join)
def test_two_maps_in_a_stack_are_refused(pair: tuple[str, str]) -> None:
    first, second = sorted(pair)
    with pytest.raises(PluginConflictError, match=f"'{first}' and '{second}' both replace 'board'"):
        ttr.compile_rules(*pair)


@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("bonus", ["orient-express", "max"])
def test_bonus_tickets_of_europe_are_refused_on_other_maps_and_the_error_says_whose_they_are(
    map: str, bonus: str
) -> None:
    with pytest.raises(PluginConflictError, match=f"both replace 'board', .*; '{bonus}' is built on 'europe'$"):
        ttr.compile_rules(map, bonus)


@pytest.mark.slow_cases(
    "big-cities+max+dice", "big-cities+orient-express+max", "big-cities+orient-express+max+dice", "marklin"
)
@pytest.mark.rule("V6", "V7")
@pytest.mark.parametrize("stack", [stack for stack in STACKS if "max" in stack or "marklin" in stack], ids="+".join)
def test_games_with_given_tickets_are_saved_with_them(stack: tuple[str, ...]) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=2, seed=3)
    for seat in game.to_act:
        game.play(game.legal_actions(seat)[0])
    assert ttr.loads(ttr.dumps(game), verify=True) == game


#: Each base; those with dice on which `official.py` follows no property of its own; and more tickets on two, one of them with dice.
BASES = [each for each in STACKS if len(each) == 1]
CHECKED = [*BASES, *[each for each in STACKS if len(each) == 2 and "dice" in each and each not in FOLLOWED]]
CHECKED += [
    ("mega-europa", "orient-express", "max"),
    ("europe", "orient-express", "max", "dice"),
]
#: Those that are checked for every change: the quickest, with one of each economy and way to deal tickets. Dice are among them on the only
#: map on which cards pay for more than they show.
EVERY_CHANGE = [
    *[(name,) for name in ("europe", "germany-tickets", "legendary-asia", "new-york")],
    ("nordic-countries", "dice"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, marks=() if stack in EVERY_CHANGE else pytest.mark.thorough) for stack in CHECKED],
    ids="+".join,
)
def test_every_stack_keeps_what_every_variant_must(stack: tuple[str, ...]) -> None:
    """Every second base with the most players; the others, and those with bonus tickets or dice, with the fewest.

    Other processes play the same games: `same_games.py`, in the session `compiled`.
    """
    box = rules_of(stack).components
    players = box.max_players if stack in BASES[::2] else box.min_players
    report = check_variant(*map(plugin, stack), players=players, games=1, skip=["processes"])
    assert report.skipped == ("processes",) and report.games == 1


@pytest.mark.slow
def test_tickets_are_given_on_the_command_line(tmp_path: Path) -> None:
    rows = ",\n".join(
        f"  {{cities = {json.dumps(row[:2], ensure_ascii=False)}, points = {row[2]}, kind = {json.dumps(row[3])}}}"
        for row in SHORT + LONG
    )
    path = tmp_path / "mine.toml"
    path.write_text(f"tickets = [\n{rows}\n]\n", encoding="utf-8")
    table = tmp_path / "table.toml"
    table.write_text('stack = ["marklin"]\n[[players]]\ntickets = [["berlin", "ulm"]]\n[[players]]\n', encoding="utf-8")
    told: list[str] = []
    for words in (
        ["play", f"marklin:tickets={path}", "--quiet", "--seed", "1"],
        ["board", f"marklin:tickets={path}"],
        ["explain", f"marklin:tickets={path}"],
        ["schema", f"marklin:tickets={path}"],
        ["perft", f"marklin:tickets={path}", "--depth", "1"],
        ["playthrough", f"marklin:tickets={path}", "--actions", "1"],
        ["score", str(table), f"marklin:tickets={path}"],
    ):
        done = CliRunner().invoke(commands, words)
        assert done.exit_code == 0, done.output
        told.append(done.output)
    assert f"marklin:tickets={path} --players 2 --seed 1 --actions 1\n" in told[5]
    done = CliRunner().invoke(commands, ["board", f"europe:tickets={path}"])
    assert done.exit_code == 2 and "has no option 'tickets'" in done.output
    done = CliRunner().invoke(commands, ["play", "marklin"])
    assert done.exit_code != 0 and "46 tickets of Märklin" in done.output and "Traceback" not in done.output
    assert "ttr-rules play marklin:tickets=my-tickets.toml" in done.output
    done = CliRunner().invoke(commands, ["play", f"marklin:tickets={tmp_path / 'none.toml'}"])
    assert done.exit_code != 0 and "none.toml" in done.output and "Traceback" not in done.output
    done = CliRunner().invoke(commands, ["explain", "europe", "train-cards:second_card_optional=true"])
    assert done.exit_code == 0 and "train-cards: second_card_optional = true (or false, the default)" in done.output
