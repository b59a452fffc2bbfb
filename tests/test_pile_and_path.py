"""Two hooks: a draw pile that is rebuilt, and the lengths of routes in the longest path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.errors import HookTypeError
from ttr_rules.events import PileShuffled
from ttr_rules.plugins import Transaction, Variant, points_in_play
from ttr_rules.scores import LONGER_PATH
from ttr_tools.render import draw_view
from ttr_tools.testing import check_variant


def few_cards(*plugins: object, pile: Sequence[str], discards: Sequence[str], **more: object) -> ttr.Game:
    rules = ttr.compile_rules("europe", *plugins)
    cards = {
        "draw_pile": [*pile],
        "draw_pile_complete": True,
        "discards": [*discards],
        "face_up": ["red"] * 2 + ["blue"] * 3,
    }
    return ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 3}}, {}], **cards, **more})


def hearing(heard: list[str]) -> type[Variant]:
    return plugin("hearing", on_pile_rebuilt=lambda tx, deck: heard.append(deck))


@pytest.mark.rule("D7")
def test_a_plugin_hears_of_each_new_pile_at_once() -> None:
    heard: list[str] = []
    game = few_cards(hearing(heard), pile=["red", "green"], discards=["blue", "blue", "white"])
    game.play(ttr.DrawBlind(0))
    assert heard == []
    events = game.play(ttr.DrawBlind(0))
    assert heard == ["train"]
    assert sum(isinstance(event, PileShuffled) for event in events) == 1


def test_neither_the_first_shuffle_nor_an_empty_pile_without_discards_is_one() -> None:
    heard: list[str] = []
    ttr.new_game("europe", hearing(heard), players=5, seed=1)
    game = few_cards(hearing(heard), pile=["red"], discards=[])
    game.play(ttr.DrawBlind(0))
    assert heard == []


def test_what_a_plugin_does_then_is_part_of_the_move() -> None:
    def scored(tx: Transaction, deck: str) -> None:
        tx.score(tx.state.turn, 2, "rebuilt")

    rebuilt = plugin("rebuilt", on_pile_rebuilt=scored, scoring=lambda rules: (points_in_play("rebuilt", "Piles"),))
    game = few_cards(rebuilt, pile=["red"], discards=["blue", "white"])
    game.play(ttr.DrawBlind(0))
    assert game.state.points["rebuilt"] == [2, 0]
    assert ttr.loads(ttr.dumps(game), rules=game.rules).state == game.state


def test_a_new_pile_is_no_time_to_ask() -> None:
    asking: Any = plugin("asking", on_pile_rebuilt=lambda tx, deck: ttr.Turn(0))
    game = few_cards(asking, pile=["red"], discards=["blue", "white"])
    with pytest.raises(HookTypeError, match="on_pile_rebuilt of plugin 'asking' must give nothing"):
        game.play(ttr.DrawBlind(0))


# -- lengths in the longest path ---------------------------------------------------------------------------------------


TABLE = {
    "players": [
        {"name": "Ada", "routes": [["Palermo", "Smyrna"], ["Athina", "Smyrna"]]},
        {"name": "Bo", "routes": [["Paris", "Zürich"], ["Bruxelles", "Paris"], ["Amsterdam", "Bruxelles"]]},
    ]
}


def with_lengths(length: Any) -> type[Variant]:
    return plugin("lengths", path_length=length)


@pytest.mark.rule("P3")
def test_lengths_change_the_path_the_bonus_and_tie_breaks() -> None:
    printed = ttr.score(ttr.compile_rules("europe"), TABLE)
    assert [player.path_length for player in printed.players] == [8, 6]
    rules = ttr.compile_rules(
        "europe", with_lengths(lambda state, seat, route, length: 1 if route.ferry_locomotives else length)
    )
    short = ttr.score(rules, TABLE)
    assert [player.path_length for player in short.players] == [2, 6]
    assert [dict(player.bonuses) for player in short.players] == [{}, {"longest_path": 10}]
    assert short.players[1].longest_path.length == 6
    assert short.players[0].route_points == printed.players[0].route_points
    longer = plugin(
        "longer", tie_breaks=lambda below, board: (*below()[:0], LONGER_PATH), bonuses=lambda below, board: below()[:0]
    )
    tied = {"players": [{"routes": [["Paris", "Zürich"]]}, {"routes": [["Madrid", "Pamplona"]]}]}
    own = with_lengths(lambda state, seat, route, length: length + seat)
    assert [player.rank for player in ttr.score(ttr.compile_rules("europe", longer), tied).players] == [1, 1]
    assert [player.rank for player in ttr.score(ttr.compile_rules("europe", longer, own), tied).players] == [2, 1]


@pytest.mark.rule("P3")
def test_no_path_uses_a_route_without_a_length() -> None:
    """Not even to pass from one city to another, as with a length of 0."""
    for length, longest in ((0, 4), (None, 3)):
        rules = ttr.compile_rules(
            "europe",
            with_lengths(
                lambda state, seat, route, below, length=length: (
                    length if "paris" in route.cities and below == 2 else below
                )
            ),
        )
        bo = ttr.score(rules, TABLE).players[1]
        assert (bo.path_length, bo.longest_path.length) == (longest, longest)
        assert "bruxelles-paris" not in "".join(bo.longest_path.routes) or length == 0
        assert bo.route_points == ttr.score(ttr.compile_rules("europe"), TABLE).players[1].route_points


def test_plugins_get_the_length_below() -> None:
    double = plugin("double", path_length=lambda state, seat, route, length: 2 * length)
    more = plugin("more", path_length=lambda state, seat, route, length: length + 1)
    sheet = ttr.score(ttr.compile_rules("europe", double, more), TABLE)
    assert sheet.players[1].path_length == 2 * 6 + 3


@pytest.mark.parametrize("length", [-1, 1001, 1.0, True, "1"])
def test_a_length_is_a_number(length: object) -> None:
    rules = ttr.compile_rules("europe", with_lengths(lambda *_: length))
    with pytest.raises(HookTypeError, match="path_length of plugin 'lengths' must give a length from 0 to 1000"):
        ttr.score(rules, TABLE)


@pytest.mark.slow
@given(lengths=st.dictionaries(st.integers(0, 100), st.integers(0, 9), max_size=40), seed=st.integers(0, 5))
def test_paths_of_changed_lengths_are_the_longest(lengths: dict[int, int], seed: int) -> None:
    """Compared with a board whose routes have these lengths."""
    rules = ttr.compile_rules("europe")
    numbers = rules.network.route_number
    changed = with_lengths(lambda state, seat, route, length: lengths.get(numbers[route.id], length))
    held = [id for id, number in numbers.items() if (number * 7 + seed) % 9 == 0]
    sheet = ttr.score(ttr.compile_rules("europe", changed), {"players": [{"routes": held}, {}]})
    assert sheet.players[0].path_length == _longest(rules, held, lengths)
    assert sheet.players[0].longest_path.length == sheet.players[0].path_length


def _longest(rules: ttr.Rules, held: list[str], lengths: dict[int, int]) -> int:
    """By trying every way."""
    network = rules.network
    edges = {
        id: (
            network.ends[network.route_number[id]],
            lengths.get(network.route_number[id], network.lengths[network.route_number[id]]),
        )
        for id in held
    }

    def walk(city: int, used: frozenset[str]) -> int:
        best = 0
        for id, ((first, second), length) in edges.items():
            if id not in used and city in (first, second):
                best = max(best, length + walk(second if city == first else first, used | {id}))
        return best

    return max((walk(city, frozenset()) for (ends, _) in edges.values() for city in ends), default=0)


def test_the_picture_of_the_end_shows_the_path_as_scored() -> None:
    tripled = with_lengths(lambda state, seat, route, length: length * (1 + 2 * (route.id == "paris-zurich-gray")))
    players = [
        {"name": "Ada", "routes": [["Paris", "Zürich"]]},
        {"name": "Bo", "routes": [["Edinburgh", "London"], ["Amsterdam", "London"]]},
    ]
    lit: set[str] = set()
    for plugins in ((), (tripled,)):
        rules = ttr.compile_rules("europe", *plugins)
        view = ttr.arrange(rules, {"seed": 1, "players": players}).view(None)
        scores = ttr.score(rules, {"players": players})
        lit.add(str(draw_view(view, rules, scores=scores, paths=True)))
    assert len(lit) == 2


@pytest.mark.slow
def test_the_kit_finds_nothing_wrong_with_them() -> None:
    def scored(tx: Transaction, deck: str) -> None:
        tx.score(tx.state.turn, 2, "rebuilt")

    both = plugin(
        "both",
        on_pile_rebuilt=scored,
        scoring=lambda rules: (points_in_play("rebuilt", "Piles"),),
        path_length=lambda state, seat, route, length: 2 * length if route.tunnel else length,
    )
    check_variant("europe", both, players=3, games=1, skip=["processes"])
