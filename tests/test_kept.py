"""What rules keep to be fast: bounded by the stack, so that a server can play on one `Rules` for weeks."""

from __future__ import annotations

import gc
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest
from helpers import COLORS
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import PursePrices
from ttr_rules.model import Cost
from ttr_rules.plugins import compiler
from ttr_rules.train_cards import Lot, Reading, TrainCards


def objects_kept(keeper: object) -> int:
    """The number of objects that can be reached from rules or prices, without code."""
    reached: dict[int, object] = {}
    todo = [keeper]
    while todo:
        one = todo.pop()
        if id(one) not in reached and not isinstance(one, (type, ModuleType, FunctionType, BuiltinFunctionType)):
            reached[id(one)] = one
            todo += gc.get_referents(one)
    return len(reached)


def played(rules: ttr.Rules, first: int, games: int) -> int:
    for seed in range(first, first + games):
        ttr.playout(rules, players=3, seed=seed)
    return objects_kept(rules)


@pytest.mark.slow
@pytest.mark.thorough_but("dice", "british")
@pytest.mark.parametrize(
    ("stack", "games"),
    [
        pytest.param(["europe", "dice"], 15, id="dice"),
        pytest.param(["nordic-countries"], 15, id="nordic", marks=pytest.mark.slow),
        pytest.param(["united-kingdom"], 20, id="british", marks=pytest.mark.slow),
    ],
)
def test_many_games_add_ever_less_to_what_rules_keep(stack: list[str], games: int) -> None:
    rules = ttr.compile_rules(*stack, plugin("kept"))  # rules that no other test has played on
    new = objects_kept(rules)
    warm = played(rules, 0, games)
    later = played(rules, games, games)
    assert played(rules, 2 * games, games) - later < (warm - new) / 4


@pytest.mark.slow
def test_rules_keep_no_hands() -> None:
    """Hands of one shape, whose payments are counted: the rules know no more after the last than after the first."""
    rules = ttr.compile_rules("nordic-countries")

    def look_at(colors: tuple[str, ...]) -> int:
        hand = {**dict(zip(colors, (4, 3, 2), strict=True)), "locomotive": 2}
        game = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada", "hand": hand}, {"name": "Bo"}]})
        assert list(game.legal_actions(0))
        return objects_kept(rules)

    one, two, three = COLORS[:3]
    before = [
        look_at(hand) for hand in ((one, two, three), (two, three, one), (three, one, two))
    ]  # so many of each color
    assert [look_at(hand) for hand in ((one, three, two), (two, one, three), (three, two, one))] == [before[-1]] * 3


@pytest.mark.slow
def test_cards_of_groups_of_kinds_are_kept_in_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two kinds pay together, in more ways than are kept: what is not kept is looked up anew."""
    monkeypatch.setattr("ttr_rules.train_cards.prices.NUMBERS_KEPT", 8)

    class Ships(TrainCards):
        def readings(self, cost: Cost, powers: object) -> list[Reading]:
            return [Reading(Lot({"ship": 1, "double_ship": 2}, cost.spaces, spare=1))]

    ships = Ships({"ship": 12, "double_ship": 12, "locomotive": 4}, 4, 5)
    rules = ttr.compile_rules("north-america", plugin("ships", economy=giving(ships)))
    prices = rules.economy.prices([Cost("single", 4), Cost("single", 6)])
    state = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]}).state
    piles = ttr.cards(state)

    def look_at(single: int, double: int) -> int:
        piles.hand[0] = [single, double, 1]
        for number, cost in enumerate(prices.costs):
            assert [*prices.payments(state, 0, number)] == [*rules.economy.payments(state, 0, cost)]
        return objects_kept(prices)

    hands = [(single, double) for single in range(7) for double in range(7)]
    looked_at = [look_at(*hand) for hand in hands]
    assert max(looked_at) - looked_at[0] < 2 * (max(looked_at[:8]) - looked_at[0])


def test_prices_that_depend_on_a_purse_keep_a_bounded_number_of_purses() -> None:
    game = ttr.new_game("north-america", players=2, seed=1)
    coins, asked = 0, list[int]()

    def purse(state: ttr.State, seat: int) -> int:
        return coins

    def pays(purse: int, cost: Cost) -> list[ttr.Counts]:
        asked.append(purse)
        return [ttr.Counts(coin=cost.spaces)] if purse >= cost.spaces else []

    prices = PursePrices(game.rules.economy, [Cost("depot", 4)], purse, pays)
    limit = 1000
    purses = [*range(limit), *range(limit), limit, 0, 1, 2]
    for coins in purses:
        assert prices.count(game.state, 0, [2]) == prices.count(game.state, 0, [2]) == (2 if coins >= 4 else 0)
    assert asked == [*range(limit), limit, 0, 1, 2]


def test_rules_are_kept_for_a_bounded_number_of_spellings_of_a_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "MOST_STACKS", 3)
    spellings = [f"europe:station_choice={' ' * n}'ask'" for n in range(8)]
    rules = [ttr.compile_rules(spelling) for spelling in spellings]
    assert all(each is rules[0] for each in rules) and len(compiler._compiled) <= 3
