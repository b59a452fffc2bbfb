"""Actions as numbers: what is counted, picked, performed and masked by number is what is offered and played as actions."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from attrs import define
from official import QUICK
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import draw_tickets
from ttr_rules.engine import ActionNumbers, action_numbers, advance, final_scores, legal_actions
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.kernel.answers import PASS
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import TicketChoice
from ttr_rules.plugins import ActionRule, Around, Rules, ScoringTerm, Transaction, Variant, hookimpl, points_in_play
from ttr_rules.train_cards import CardPiles, DrawFaceUp, NextCard
from ttr_rules.train_cards.events import CardDrawn

MOST_COMPARED = 60


def compared(rules: ttr.Rules, players: int, seed: int, actions: int) -> set[type[ttr.Action]]:
    """A game played by numbers beside one played by actions; which types of actions were played."""
    numbers = action_numbers(rules)
    game = ttr.new_game(rules=rules, players=players, seed=seed)
    state, random, played = game.state, Random(seed), set[type[ttr.Action]]()
    mask = bytearray(numbers.size)
    while not game.is_over and game.played < actions:
        seat = random.choice(game.to_act)
        legal = game.legal_actions(seat)
        assert numbers.count(state, seat) == len(legal)
        known = numbers.legal(state, seat)
        assert len(known) == len(set(known)) == len(legal)
        for index in {0, len(legal) - 1, *(random.randrange(len(legal)) for _ in range(5))}:
            number = numbers.nth(state, seat, index)
            assert number == known[index]
            assert numbers.action(state, seat, number) == legal[index]
            assert numbers.number(state, legal[index]) == number
        around = {number + step for number in known[:20] for step in (-1, 0, 1)}
        assert [number for number in around if numbers.is_legal(state, seat, number)] == [
            number for number in around if number in set(known)
        ]
        if max(known) < numbers.size:
            numbers.mask(state, seat, mask)
            assert [number for number, on in enumerate(mask) if on] == sorted(known)
        index = random.randrange(len(legal))
        assert numbers.pick(state, seat, (index + 0.5) / len(legal)) == numbers.nth(state, seat, index)
        played.add(type(legal[index]))
        numbers.perform(state, seat, numbers.nth(state, seat, index))
        game.play(legal[index])
        assert state == game.state
    return played


@pytest.mark.parametrize("stack", QUICK, ids=" + ".join)
def test_a_game_by_numbers_is_the_game_by_actions(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    assert compared(rules, rules.components.min_players, seed=3, actions=MOST_COMPARED)


@pytest.mark.slow
@pytest.mark.thorough_but("nordic-countries", "europe + dice")
@pytest.mark.parametrize("stack", QUICK, ids=" + ".join)
def test_whole_games_by_numbers_are_the_games_by_actions(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    for seed in range(2):
        assert compared(rules, rules.components.max_players, seed, actions=2000)


def test_the_numbers_of_plain_stacks_are_fixed_and_dense() -> None:
    for stack in ("europe", "north-america", "switzerland"):
        numbers = action_numbers(ttr.compile_rules(stack))
        assert numbers.fixed and numbers.size < 4000
    assert not action_numbers(ttr.compile_rules("nordic-countries")).fixed


def test_numbers_can_be_pickled() -> None:
    """As games of OpenSpiel and environments are, which hold them."""
    numbers = action_numbers(ttr.compile_rules("london"))
    other = pickle.loads(pickle.dumps(numbers))
    assert (other.size, other.fixed, other.rules) == (numbers.size, numbers.fixed, numbers.rules)


def test_the_same_number_means_the_same_in_every_game() -> None:
    rules = ttr.compile_rules("europe")
    numbers, meanings = action_numbers(rules), dict[tuple[str, int], ttr.Action]()
    for seed in range(4):
        state, random = ttr.new_game(rules=rules, players=2, seed=seed).state, Random(seed)
        while state.pending:
            seat, kind = state.to_act[0], type(state.pending[0]).__name__
            number = numbers.nth(state, seat, random.randrange(numbers.count(state, seat)))
            action = numbers.action(state, seat, number)
            if not isinstance(action, ttr.KeepTickets) and seat == 0:
                assert meanings.setdefault((kind, number), action) == action
            numbers.perform(state, seat, number)


class Guarded(Variant, name="guarded"):
    """Guarded: no tickets in the first two rounds, no red cards from the row; a point for every claim."""

    @hookimpl
    def around(self, rules: Rules) -> Iterable[Around]:
        def early(state: ttr.State, action: ttr.DrawTickets) -> ttr.Refusal | None:
            return ttr.Refusal("X1", "no tickets yet") if state.turn_number <= 2 * state.players else None

        def red(state: ttr.State, action: DrawFaceUp) -> ttr.Refusal | None:
            return ttr.Refusal("X2", "no red cards") if action.card == "red" else None

        def reward(tx: Transaction, action: ttr.ClaimRoute) -> None:
            tx.score(action.seat, 1, "bonus")

        return (
            Around(ttr.DrawTickets, refuse=early),
            Around(DrawFaceUp, refuse=red),
            Around(ttr.ClaimRoute, after=reward),
        )

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (points_in_play("bonus"),)


def test_a_game_picked_by_numbers_is_the_playout_of_its_seed() -> None:
    for stack in (("europe",), ("nordic-countries", "dice")):
        rules = ttr.compile_rules(*stack)
        numbers, random = action_numbers(rules), Random("playout 7").random
        game = ttr.new_game(rules=rules, players=2, seed=7)
        state = game.state
        while state.pending:
            seat = state.pending[0].seat
            numbers.perform(state, seat, numbers.pick(state, seat, random()))
        assert final_scores(state, game.players) == ttr.playout(rules, 2, seed=7)


@pytest.mark.parametrize("fraction", [-0.1, 1.0, float("nan"), float("inf")])
def test_a_fraction_is_below_one(fraction: float) -> None:
    game = ttr.new_game("north-america", players=2, seed=1)
    with pytest.raises(IndexError, match=rf"seat 0 has \d+ legal actions, none of them at the fraction {fraction}$"):
        action_numbers(game.rules).pick(game.state, 0, fraction)


def change_by_number(state: ttr.State) -> ttr.State:
    numbers = action_numbers(ttr.compile_rules("north-america"))
    numbers.perform(state, 0, numbers.nth(state, 0, 0))
    return state


def change_by_action(state: ttr.State) -> ttr.State:
    advance(state, ttr.DrawBlind(0))
    return state


def change_by_event(state: ttr.State) -> ttr.State:
    Transaction(state).emit(CardDrawn, 0, "red")
    return state


def change_without_event(state: ttr.State) -> ttr.State:
    state.part(CardPiles).give(0, Counts(red=3))
    return state


def another(state: ttr.State) -> ttr.State:
    return ttr.new_game("north-america", players=2, seed=2, first_seat=0).state


def copied(state: ttr.State) -> ttr.State:
    return change_without_event(state.copy())


@pytest.mark.parametrize(
    "change", [change_by_number, change_by_action, change_by_event, change_without_event, another, copied]
)
def test_what_was_counted_before_a_change_is_not_used_after_it(change: Callable[[ttr.State], ttr.State]) -> None:
    hand = {color: 2 for color in ("red", "blue", "green", "white")}
    players = [{"name": "Ada", "hand": hand}, {"name": "Bo"}]
    rules = ttr.compile_rules("north-america")
    game = ttr.arrange(None, {"stack": ["north-america"], "seed": 1, "players": players})
    numbers, state = action_numbers(rules), game.state
    mask = bytearray(numbers.size)
    assert numbers.count(state, 0) == len(game.legal_actions(0))
    numbers.nth(state, 0, 5)
    numbers.pick(state, 0, 0.99)
    changed = change(state)
    legal = [numbers.number(changed, action) for action in legal_actions(changed, 0)]
    assert legal and numbers.count(changed, 0) == len(legal) and numbers.legal(changed, 0) == legal
    assert [numbers.nth(changed, 0, index) for index in range(len(legal))] == legal
    assert [numbers.pick(changed, 0, (place + 0.5) / len(legal)) for place in range(len(legal))] == legal
    numbers.mask(changed, 0, mask)
    assert [number for number, on in enumerate(mask) if on] == sorted(legal)


def test_after_an_undo_the_actions_are_counted_anew() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    numbers = action_numbers(game.rules)
    before = numbers.legal(game.state, 0)
    game.play(ttr.DrawBlind(0))
    assert numbers.count(game.state, 0) != len(before)
    game.undo()
    assert [numbers.nth(game.state, 0, index) for index in range(numbers.count(game.state, 0))] == before


def test_guards_and_follow_ups_hold_for_numbers_too() -> None:
    rules = ttr.compile_rules("north-america", Guarded)
    assert action_numbers(rules).fixed
    assert {ttr.ClaimRoute, ttr.DrawTickets, DrawFaceUp} <= compared(rules, 2, seed=1, actions=400)


class Whistled(ttr.Action):
    """The one action of a rule that has no hash."""


@define
class WhistleRule(ActionRule[ttr.Turn, Whistled]):
    on = ttr.Turn
    action = Whistled

    def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Whistled]:
        return [Whistled(decision.seat)]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Whistled) -> None:
        """Only the turn ends."""


def test_a_rule_needs_no_hash() -> None:
    whistle = plugin("whistle", actions=lambda rules: [WhistleRule()])
    assert Whistled in compared(ttr.compile_rules("north-america", whistle), 2, seed=1, actions=80)


def test_who_can_do_nothing_passes_by_number() -> None:
    position = {
        "stack": ["europe"],
        "seed": 1,
        "draw_pile": [],
        "face_up": [],
        "discards": [],
        "draw_pile_complete": True,
    }
    players = [{"name": "Ada", "stations": ["paris", "wien", "roma"]}, {"name": "Bo"}]
    game = ttr.arrange(None, {**position, "players": players})
    numbers, state = action_numbers(game.rules), game.state
    state.ticket_piles = {"regular": ()}
    assert list(legal_actions(state, 0)) == [ttr.Pass(0)]
    assert (numbers.count(state, 0), numbers.legal(state, 0), numbers.nth(state, 0, 0)) == (1, [PASS], PASS)
    assert numbers.pick(state, 0, 0.5) == PASS
    assert numbers.action(state, 0, PASS) == ttr.Pass(0) and numbers.number(state, ttr.Pass(0)) == PASS
    after = game.rules.play(state, ttr.Pass(0)).state
    numbers.perform(state, 0, PASS)
    assert state == after


def test_numbers_hold_for_states_of_equal_rules_that_are_another_object() -> None:
    def define() -> type[Variant]:
        class Again(Variant, name="again"):
            """Again: nothing changes."""

        return Again

    first, second = (ttr.compile_rules("north-america", define()) for _ in range(2))
    assert first is not second and first.fingerprint == second.fingerprint
    numbers, state = action_numbers(first), ttr.new_game(rules=second, players=2, seed=1, first_seat=0).state
    while state.pending:
        seat = state.pending[0].seat
        number = numbers.nth(state, seat, 0)
        assert numbers.is_legal(state, seat, number)
        assert numbers.number(state, numbers.action(state, seat, number)) == number
        numbers.perform(state, seat, number)


def test_a_seat_that_waits_has_no_numbers() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    numbers = action_numbers(game.rules)
    assert numbers.count(game.state, 1) == 0 and numbers.legal(game.state, 1) == []
    for use in (numbers.nth, numbers.pick, numbers.perform):
        with pytest.raises(InvalidInputError, match="seat 1 has nothing to decide"):
            use(game.state, 1, 0)
    with pytest.raises(InvalidInputError, match=r"a mask of europe has \d+ entries, not 3"):
        numbers.mask(game.state, 0, bytearray(3))
    with pytest.raises(InvalidInputError, match="answers Turn"):
        numbers.action(game.state, 0, numbers.size - 1)
    for index in (10_000, -1):
        with pytest.raises(IndexError):
            numbers.nth(game.state, 0, index)


def test_so_many_tickets_as_have_numbers_can_be_drawn() -> None:
    tx = Transaction(ttr.new_game("europe", players=2, seed=1).state)
    draw_tickets(tx, 0, 6)
    (choice,) = tx.state.pending
    numbers = action_numbers(ttr.compile_rules("europe"))
    assert isinstance(choice, TicketChoice) and len(choice.tickets) == 6
    assert max(numbers.legal(tx.state, 0)) < numbers.size
    with pytest.raises(PluginError, match=r"draws 7 tickets at once: 6 at most \(twice a usual draw, or 6\)"):
        draw_tickets(tx, 0, 7)


def test_a_number_or_an_action_that_answers_something_else_is_refused() -> None:
    """Nothing is performed in its place."""
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    numbers, state = action_numbers(game.rules), game.state
    for number in (-7, numbers.size - 1, numbers.size, 10**30):
        with pytest.raises(InvalidInputError, match=f"no action with the number {number} answers Turn"):
            numbers.perform(state, 0, number)
        assert not numbers.is_legal(state, 0, number)
    assert state == game.state
    for action in (
        ttr.Pass(0),
        ttr.KeepTickets(0, ("a",)),
        ttr.ClaimRoute(0, "nowhere", {"red": 1}),
        ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 99}),
    ):
        with pytest.raises(InvalidInputError, match="has no number: it does not answer Turn"):
            numbers.number(state, action)


def test_a_mask_is_written_into_whatever_can_be_indexed() -> None:
    game = ttr.new_game("london", players=2, seed=1, first_seat=0)
    numbers, state = action_numbers(game.rules), game.state
    wanted = bytearray(numbers.size)
    numbers.mask(state, 0, wanted)
    buffers: list[Any] = [[7] * numbers.size, memoryview(bytearray(numbers.size))]
    buffers += [array(kind, [7] * numbers.size) for kind in "bBiq"] + [memoryview(bytearray(2 * numbers.size))[::2]]
    for buffer in buffers:
        numbers.mask(state, 0, buffer)
        assert list(buffer) == list(wanted)
    with pytest.raises(TypeError):
        numbers.mask(state, 0, bytes(numbers.size))  # type: ignore[arg-type]


def test_a_mask_is_written_into_arrays_of_any_kind() -> None:
    numpy = pytest.importorskip("numpy")
    game = ttr.new_game("london", players=2, seed=1, first_seat=0)
    numbers, state = action_numbers(game.rules), game.state
    wanted = bytearray(numbers.size)
    numbers.mask(state, 0, wanted)
    for kind in (bool, "int8", "uint8", "int64", "float32", object):
        rows = numpy.ones((3, numbers.size, 2), kind)
        for buffer in (numpy.ones(numbers.size, kind), rows[1, :, 0]):
            numbers.mask(state, 0, buffer)
            assert buffer.tolist() == list(wanted)
        assert rows[0].all() and rows[2].all() and rows[1, :, 1].all()


def test_whether_one_of_very_many_actions_is_legal_takes_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = {color: 5 for color in ("red", "blue", "green", "white", "black", "purple", "yellow")}
    players = [{"name": "Ada", "hand": {**hand, "locomotive": 5}}, {"name": "Bo"}]
    game = ttr.arrange(None, {"stack": ["nordic-countries"], "seed": 1, "players": players})
    numbers, state = action_numbers(game.rules), game.state
    assert numbers.count(state, 0) > 50_000
    number = numbers.nth(state, 0, 40_000)
    monkeypatch.setattr(ActionNumbers, "legal", None)
    assert numbers.is_legal(state, 0, number) and not numbers.is_legal(state, 0, -1)


def test_no_action_is_created_in_a_playout(monkeypatch: pytest.MonkeyPatch) -> None:
    """None that a turn is spent on. The answers to tickets and tunnels, a few each game, may be made."""
    rules = ttr.compile_rules("europe", plugin("fresh"))  # rules of its own: nothing has been made in other games
    made: list[ttr.Action] = []

    def counted(kind: Any) -> None:
        plain = kind.__init__

        def init(self: ttr.Action, *args: Any, **more: Any) -> None:
            made.append(self)
            plain(self, *args, **more)

        monkeypatch.setattr(kind, "__init__", init)

    kinds = {rule.action for rule in rules.action_rules if rule.on in (ttr.Turn, NextCard)}
    assert {ttr.ClaimRoute, ttr.DrawTickets, ttr.DrawBlind, DrawFaceUp} <= kinds
    for kind in kinds:
        counted(kind)
    state = ttr.new_game(rules=rules, players=2, seed=5).state
    numbers, random = action_numbers(rules), Random(5)
    noticed, performed = set[type[ttr.Action]](), set[type[ttr.Action]]()
    while state.pending:
        seat = state.to_act[0]
        number = numbers.nth(state, seat, random.randrange(numbers.count(state, seat)))
        assert not made, f"made to count or pick actions: {made[0]!r}"
        action = numbers.action(state, seat, number)
        performed.add(type(action))
        noticed |= set(map(type, made))  # what is made here, on purpose, is seen
        made.clear()
        numbers.perform(state, seat, number)
        assert not made, f"made to perform a number: {made[0]!r}"
    assert {ttr.ClaimRoute, DrawFaceUp, ttr.DrawTickets} <= performed
    assert ttr.ClaimRoute in noticed  # claims are made once for each seat and kept: here for the first time
    assert Transaction(state).log is None and isinstance(numbers, ActionNumbers)
