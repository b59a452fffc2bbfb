"""Chance: the same seed and actions give the same game everywhere, and a caller's chance is checked."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
import same_games
from helpers import AS_IS, Expect, ScriptedChance, Top, keep_all, rules_of
from playing import frozen

import ttr_rules as ttr
from ttr_rules.errors import ChanceError, SaveError
from ttr_rules.model import Card, SeededChance

#: Of whole games: stack, players, seed, number of actions, and a hash of their events. These never change without a
#: change of the rules or of the form of events; a difference between platforms or versions of Python is a bug.
GOLDEN: list[tuple[str, int, int | str, int, str]] = [
    ("north-america", 2, 1912, 159, "cd45fab84c06882f"),
    ("europe", 4, "Wien", 335, "d65f8aab8ab39a01"),
]


def played(stack: str, players: int, seed: int | str) -> ttr.Game:
    """A whole game; the actions are drawn by a sequence that is as simple as can be."""
    game = ttr.new_game(stack, players=players, seed=seed)
    number = 1
    while game.to_act:
        choices = game.legal_actions(game.to_act[number % len(game.to_act)])
        number = (number * 48271) % 2147483647
        game.play(choices[number % len(choices)])
    return game


def fingerprint(game: ttr.Game) -> str:
    """A hash of what happened."""
    events = [move["events"] for move in json.loads(ttr.dumps(game))["moves"]]
    text = json.dumps(events, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# -- the same everywhere --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stack", "players", "seed", "actions", "wanted"), GOLDEN)
def test_a_seed_gives_the_game_that_it_always_gave(
    stack: str, players: int, seed: int | str, actions: int, wanted: str
) -> None:
    game = played(stack, players, seed)
    assert (len(game.moves) - 1, fingerprint(game)) == (actions, wanted)


@pytest.mark.parametrize("stack", ["north-america", "europe"])
def test_the_same_seed_and_actions_give_the_same_game(stack: str) -> None:
    first, second, other = played(stack, 3, 5), played(stack, 3, 5), played(stack, 3, 6)
    assert first == second
    assert ttr.dumps(first) == ttr.dumps(second)
    assert first.final_scores == second.final_scores
    assert fingerprint(first) != fingerprint(other)


def test_a_seed_as_a_number_and_as_a_text_are_two_seeds() -> None:
    assert frozen(ttr.new_game("europe", players=2, seed=7).state) != frozen(
        ttr.new_game("europe", players=2, seed="7").state
    )


def test_without_a_seed_every_game_is_another_and_can_be_played_again() -> None:
    first, second = (ttr.new_game("europe", players=2) for _ in range(2))
    assert first.seed is not None and first.seed != second.seed
    assert ttr.new_game("europe", players=2, seed=first.seed) == first


def test_a_copy_goes_on_as_the_game_does() -> None:
    game = ttr.new_game("europe", players=3, seed=3)
    keep_all(game)
    copy = game.copy()
    number = 7
    while game.to_act:
        choices = game.legal_actions()
        number = (number * 48271) % 2147483647
        action = choices[number % len(choices)]
        assert game.play(action) == copy.play(action)
    assert game == copy and game.final_scores == copy.final_scores


@pytest.mark.slow
@pytest.mark.thorough_but("0", "4242")
@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_the_hash_seed_of_python_changes_nothing(hash_seed: str) -> None:
    program = (
        "import test_determinism as t\n"
        "for stack, players, seed, *_ in t.GOLDEN: print(t.fingerprint(t.played(stack, players, seed)))\n"
        "import ttr_rules as ttr\n"
        "print(ttr.playout(ttr.compile_rules('europe'), 3, 11).to_json())\n"
        "print(ttr.compile_rules('europe').explain())\n"
    )
    here = str(Path(__file__).parent)
    paths = os.pathsep.join([here, *(path for path in sys.path if path)])
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths, "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, encoding="utf-8", check=True, timeout=120
    )
    expected = [fingerprint(played(stack, players, seed)) for stack, players, seed, *_ in GOLDEN]
    expected.append(str(ttr.playout(rules_of("europe"), 3, 11).to_json()))
    expected += rules_of("europe").explain().splitlines()
    assert run.stdout.splitlines() == expected


# -- the seeded chance ----------------------------------------------------------------------------------------------


def test_a_call_of_seeded_chance_depends_on_seed_and_number_alone() -> None:
    items = [f"item-{number}" for number in range(20)]
    chance = SeededChance("seed")
    orders = [chance.shuffled(call, items) for call in range(5)]
    assert [SeededChance("seed").shuffled(call, items) for call in reversed(range(5))] == orders[::-1]
    assert len(set(orders)) == 5
    assert all(sorted(order) == sorted(items) for order in orders)
    assert chance.roll(3, items) == SeededChance("seed").roll(3, items)


def chi_square(found: Counter[Any], cells: int) -> float:
    expected = found.total() / cells
    return sum((found[cell] - expected) ** 2 / expected for cell in found) + (cells - len(found)) * expected


def uniform(draw: Callable[[int], object], cells: int, draws: int = 12_000) -> bool:
    """Whether the draws fall into all cells alike, by chi-square with a limit that one in 10**6 fair draws exceeds."""
    found = Counter(draw(number) for number in range(draws))
    degrees = cells - 1
    spread = 2 / (9 * degrees)  # Wilson and Hilferty's approximation of the distribution
    limit = degrees * (1 - spread + 4.75 * spread**0.5) ** 3
    return len(found) <= cells and chi_square(found, cells) < limit


@pytest.mark.slow_cases("1", "b", "a")
@pytest.mark.parametrize("seed", [0, 1, "a", "b"])
def test_seeded_shuffles_and_rolls_are_uniform(seed: int | str) -> None:
    chance = SeededChance(seed)
    for size, cells in ((2, 2), (3, 6), (4, 24), (5, 120)):
        items = tuple(range(size))
        assert len(set(permutations(items))) == cells
        assert uniform(lambda call: chance.shuffled(call, items), cells)
    for size in (2, 6, 7):
        assert uniform(lambda call: chance.roll(call, tuple(range(size))), size)


def test_neighboring_seeds_and_calls_are_independent() -> None:
    items = tuple(range(4))
    assert uniform(lambda seed: SeededChance(seed).shuffled(0, items), 24)
    pairs = [SeededChance(seed) for seed in range(3000)]
    assert uniform(lambda seed: (pairs[seed].roll(0, (0, 1, 2)), pairs[seed].roll(1, (0, 1, 2))), 9, draws=3000)
    assert uniform(lambda seed: (pairs[seed].roll(5, (0, 1)), pairs[seed].shuffled(5 + 1, (0, 1))), 4, draws=3000)


def test_every_card_is_found_everywhere_in_a_shuffled_deck() -> None:
    """The top card of a deck of 110 is each kind as often as the deck holds it."""
    tops: Counter[str] = Counter()
    deck = [str(card) for card in Card for _ in range(14 if card is Card.LOCOMOTIVE else 12)]
    for seed in range(4000):
        tops[SeededChance(seed).shuffled(2, deck)[0]] += 1
    expected = {str(card): 4000 * (14 if card is Card.LOCOMOTIVE else 12) / 110 for card in Card}
    assert sum((tops[card] - count) ** 2 / count for card, count in expected.items()) < 42.7  # one in 10**6, 8 degrees


# -- a caller's chance -----------------------------------------------------------------------------------------------


class Recording:
    """Leaves everything as it is and remembers what it was handed."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
        self.calls.append(tuple(items))
        return items

    def roll(self, faces: Sequence[Any]) -> Any:
        return faces[0]


@pytest.mark.rule("S2", "S5")
def test_what_chance_is_handed_at_set_up() -> None:
    """The seats, all cards, the long tickets, the regular ones: in this order, before any deal."""
    chance = Recording()
    game = ttr.new_game("europe", players=3, chance=chance)
    seats, cards, long, regular = chance.calls
    assert seats == (0, 1, 2)
    assert Counter(cards) == {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
    assert cards[-14:] == (Card.LOCOMOTIVE,) * 14
    piles = game.rules.deck.piles
    assert long == tuple(ticket.id for ticket in piles["long"])
    assert regular == tuple(ticket.id for ticket in piles["regular"])
    assert list(game.rules.deck.piles) == ["long", "regular"]


@pytest.mark.rule("S2")
def test_the_order_in_which_the_train_cards_are_handed_over() -> None:
    """Purple, blue, orange, white, green, yellow, black, red twelve times each, then 14 locomotives."""
    chance = Recording()
    ttr.new_game("north-america", players=2, chance=chance, first_seat=0)
    cards = chance.calls[0]
    colors = ["purple", "blue", "orange", "white", "green", "yellow", "black", "red"]
    in_rounds = [*colors * 12, *["locomotive"] * 14]
    color_by_color = [*(color for color in colors for _ in range(12)), *["locomotive"] * 14]
    assert list(cards) in (in_rounds, color_by_color)


def test_the_starting_seat_is_the_first_of_the_shuffled_seats_unless_given() -> None:
    chance = ScriptedChance(Expect(range(3), [2, 0, 1]), otherwise=AS_IS)
    game = ttr.new_game("europe", players=3, chance=chance)
    keep_all(game)
    assert game.to_act == (2,)
    chance = ScriptedChance(otherwise=AS_IS)
    game = ttr.new_game("europe", players=3, chance=chance, first_seat=1)
    assert len(chance.calls[0].items) == 110
    keep_all(game)
    assert game.to_act == (1,)


@pytest.mark.rule("S3")
def test_scripted_chance_deals_as_told() -> None:
    top = ["red"] * 4 + ["blue"] * 4 + ["white", "green", "black", "yellow", "orange"]
    game = ttr.new_game("north-america", players=2, chance=ScriptedChance(AS_IS, Top(*top), AS_IS))
    assert ttr.cards(game.state).hands == (ttr.Counts(red=4), ttr.Counts(blue=4))
    assert ttr.cards(game.state).face_up == ("white", "green", "black", "yellow", "orange")


def test_games_share_a_callers_chance_and_never_save_it() -> None:
    chance = Recording()
    game = ttr.new_game("europe", players=2, chance=chance)
    assert game.copy().state.chance is chance
    assert game.seed is None
    text = ttr.dumps(game)
    assert "Recording" not in text
    with pytest.raises(SaveError, match="chance"):
        ttr.loads(text)
    assert ttr.loads(text, chance=chance) == game


BROKEN: dict[str, Callable[[Sequence[Any]], Any]] = {
    "one is missing": lambda items: items[1:],
    "one too many": lambda items: [*items, items[0]],
    "one twice, another missing": lambda items: [items[0], *items[2:], items[0]],
    "something else": lambda items: ["x"] * len(items),
    "nothing": lambda items: [],
    "None": lambda items: None,
    "a number": lambda items: 5,
    "what cannot be hashed": lambda items: [[] for _ in items],
}


class BrokenAt:
    """Leaves everything as it is, until it is told to break its promise."""

    def __init__(self, how: Callable[[Sequence[Any]], Any]) -> None:
        self.how = how
        self.broken = False

    def shuffled(self, items: Sequence[Any]) -> Any:
        return self.how(items) if self.broken else items

    def roll(self, faces: Sequence[Any]) -> Any:
        return self.how(faces) if self.broken else faces[0]


@pytest.mark.parametrize("how", BROKEN)
def test_a_shuffle_that_is_no_permutation_is_an_error_at_set_up(how: str) -> None:
    chance = BrokenAt(BROKEN[how])
    chance.broken = True
    with pytest.raises(ChanceError) as caught:
        ttr.new_game("europe", players=2, chance=chance)
    assert "BrokenAt" in str(caught.value)


@pytest.mark.parametrize("how", BROKEN)
def test_a_shuffle_that_is_no_permutation_leaves_the_game_as_it_was(how: str) -> None:
    chance = BrokenAt(BROKEN[how])
    rules = ttr.compile_rules("europe", rulings={"shuffle_returned_tickets": True})
    game = ttr.new_game(rules=rules, players=2, chance=chance, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    game.play(ttr.DrawTickets(0))
    before, moves = frozen(game.state), game.moves
    choice = game.legal_actions(0)[0]
    chance.broken = True
    with pytest.raises(ChanceError):
        game.play(choice)
    assert (frozen(game.state), game.moves) == (before, moves)
    chance.broken = False
    game.play(choice)
    assert game.to_act == (1,)


def test_an_error_of_a_callers_chance_is_the_callers_and_changes_nothing() -> None:
    def fail(items: Sequence[Any]) -> Any:
        raise RuntimeError("no more chance today")

    chance = BrokenAt(fail)
    rules = ttr.compile_rules("europe", rulings={"shuffle_returned_tickets": True})
    game = ttr.new_game(rules=rules, players=2, chance=chance, first_seat=0)
    keep_all(game)
    game.play(ttr.DrawTickets(0))
    before = frozen(game.state)
    chance.broken = True
    with pytest.raises(RuntimeError, match="no more chance"):
        game.play(game.legal_actions(0)[0])
    assert frozen(game.state) == before


def test_a_face_that_a_die_does_not_have_is_an_error() -> None:
    from plugins.coins import CoinsPlugin, Earn

    class Loaded(Recording):
        def roll(self, faces: Sequence[Any]) -> Any:
            return "seven"

    game = ttr.new_game("europe", CoinsPlugin(), players=2, chance=Loaded(), first_seat=0)
    keep_all(game)
    before = frozen(game.state)
    with pytest.raises(ChanceError, match="seven"):
        game.play(Earn(0))
    assert frozen(game.state) == before


@pytest.mark.parametrize("chance", [object(), "dice", 5, type("Half", (), {"shuffled": lambda self, items: items})()])
def test_something_without_the_two_methods_is_no_chance(chance: Any) -> None:
    with pytest.raises(ttr.TTRError, match="shuffled and roll"):
        ttr.new_game("europe", players=2, chance=chance)


def test_chance_is_asked_about_two_or_more_items_only() -> None:
    """Whole games in which every shuffle is of two items at least, and of ids or enums."""
    asked: list[tuple[Any, ...]] = []

    class Watching:
        def __init__(self) -> None:
            self.seeded = SeededChance(3)

        def shuffled(self, items: Sequence[Any]) -> Sequence[Any]:
            asked.append(tuple(items))
            return self.seeded.shuffled(len(asked), items)

        def roll(self, faces: Sequence[Any]) -> Any:
            return self.seeded.roll(len(asked), faces)

    for stack, shuffle in product(("north-america", "europe"), (True, False)):
        rules = ttr.compile_rules(stack, rulings={"shuffle_returned_tickets": shuffle})
        game = ttr.new_game(rules=rules, players=5, chance=Watching())
        number = 3
        while game.to_act:
            choices = game.legal_actions(game.to_act[0])
            number = (number * 48271) % 2147483647
            game.play(choices[number % len(choices)])
    assert asked
    for items in asked:
        assert len(items) > 1
        assert all(isinstance(item, str | int) for item in items)


def test_games_of_another_build_than_the_one_that_is_wanted_are_refused() -> None:
    other, this = ("--pure", "compiled") if ttr.compiled else ("--compiled", "pure")
    with pytest.raises(SystemExit, match=f"is the {this} build"):
        same_games.main(["1", other])
