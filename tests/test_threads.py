"""Rules may be shared between threads; a game belongs to one at a time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import attrs
import pytest
from helpers import rules_of

import ttr_rules as ttr
from ttr_rules import determinize

STACKS = (("europe",), ("nordic-countries",), ("germany-tickets",), ("switzerland", "dice"))
THREADS = 8


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    """Threads take turns after a millionth of a second, so that whatever can go wrong between two steps does."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def told(rules: ttr.Rules, seed: int) -> str:
    """A whole game with all that is asked of rules on the way, as a text."""
    game, random = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
    parts: list[object] = []
    while game.to_act:
        seat = game.to_act[0]
        choices = game.legal_actions(seat)
        action = choices[random.randrange(len(choices))]
        assert game.refusal(action) is None
        parts += [len(choices), game.play(action)]
        if len(parts) % 40 == 0:
            view = game.view(1)
            parts.append(determinize(view, rules, seed).state.values())
            assert ttr.loads(ttr.dumps(game), rules=rules) == game
    return repr([parts, game.final_scores, game.state.values()])


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """The results of calls that all begin at the same moment, each in a thread of its own."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        gate.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_games_in_many_threads_go_as_they_go_one_after_the_other(stack: tuple[str, ...]) -> None:
    """With rules made just now, so that every table that fills when it is needed is filled by all of them at once."""
    seeds = [1, 2, 1, 2, 1, 2, 1, 2]
    alone = ttr.compile_rules(*stack)
    expected = {seed: told(alone, seed) for seed in set(seeds)}
    shared = ttr.compile_rules(*stack)
    found = at_once([lambda seed=seed: told(shared, seed) for seed in seeds])  # type: ignore[misc]
    for seed, text in zip(seeds, found, strict=True):
        assert text == expected[seed]
    assert shared.fingerprint == alone.fingerprint


def test_rules_are_compiled_and_plugins_found_in_many_threads() -> None:
    prints = at_once([lambda: ttr.compile_rules("europe", "dice").fingerprint for _ in range(THREADS)])
    assert set(prints) == {rules_of("europe", "dice").fingerprint}
    names = at_once([lambda: tuple(each.name for each in ttr.installed()) for _ in range(THREADS)])
    assert len(set(names)) == 1


def test_playouts_in_many_threads() -> None:
    rules = ttr.compile_rules("mega-europa")
    expected = [ttr.playout(rules, 3, seed) for seed in range(THREADS)]
    fresh = ttr.compile_rules("mega-europa")
    assert at_once([lambda seed=seed: ttr.playout(fresh, 3, seed) for seed in range(THREADS)]) == expected  # type: ignore[misc]


def test_rules_cannot_be_changed() -> None:
    rules = rules_of("europe")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.stack = ()  # type: ignore[misc]
    # (`answers` and `offers_on`, which the engine looks into at every step, are read-only for type checkers alone.)
    for mapping in (rules.types, rules.tickets, rules.ticket_goals, rules.deck.piles,
                    rules.board.cities, rules.board.routes, rules.board.points, rules.board.extra, rules.options):  # fmt: skip
        with pytest.raises(TypeError):
            mapping["europe"] = None  # type: ignore[index]
    for each in (rules.board.routes["frankfurt-paris-white"], rules.components, rules.draw_counts, rules.rulings):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(each, attrs.fields(type(each))[0].name, 5)


def test_a_game_goes_from_thread_to_thread() -> None:
    """One thread at a time: here each action is played in another one."""
    game = ttr.new_game("europe", players=2, seed=1)
    same = game.copy()
    for number in range(40):
        choices = game.legal_actions(game.to_act[0])
        action = choices[number % len(choices)]
        thread = threading.Thread(target=lambda action=action: game.play(action))
        thread.start()
        thread.join()
        same.play(action)
    assert game == same
