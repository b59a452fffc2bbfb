"""Rules may be shared between threads; a game belongs to one at a time."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from helpers import rules_of, unused_rules
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import determinize
from ttr_rules.actions import economy_of, unbarred_routes
from ttr_rules.engine import Answers
from ttr_rules.errors import GameInUseError, NotYourTurnError
from ttr_rules.events import TicketsChosen
from ttr_rules.kernel.extensions import ASK_ALL_AFTER
from ttr_rules.kernel.scoring import ScoredTicket, scored_tickets
from ttr_rules.model import Cost
from ttr_rules.plugins import Part, public
from ttr_rules.scores import TicketScore
from ttr_rules.train_cards import TrainCards
from ttr_rules.train_cards.bills import Bill
from ttr_rules.train_cards.piles import CardPiles
from ttr_variants.dice import DiceEconomy
from ttr_variants.dice.state import Dice
from ttr_variants.europe import Europe

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


@pytest.mark.slow_cases("germany-tickets", "nordic-countries", "switzerland+dice")
@pytest.mark.parametrize("stack", STACKS, ids="+".join)
def test_games_in_many_threads_go_as_they_go_one_after_the_other(stack: tuple[str, ...]) -> None:
    """With rules made just now, so that every table that fills when it is needed is filled by all of them at once."""
    seeds = [1, 2, 1, 2, 1, 2, 1, 2]
    alone = rules_of(*stack)
    expected = {seed: told(alone, seed) for seed in set(seeds)}
    shared = unused_rules(*stack)
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
    fresh = unused_rules("mega-europa")
    assert at_once([lambda seed=seed: ttr.playout(fresh, 3, seed) for seed in range(THREADS)]) == expected  # type: ignore[misc]


def test_lines_of_tickets_are_made_in_many_threads() -> None:
    """They are made when a ticket is first scored, here by all threads."""
    rules = rules_of("switzerland")

    def lines(tickets: Mapping[str, ScoredTicket]) -> list[Sequence[TicketScore]]:
        return [list(ticket.lines()) for ticket in tickets.values()]

    expected = lines(scored_tickets(rules))
    for _ in range(10):
        tickets = scored_tickets(rules)
        assert at_once([lambda tickets=tickets: lines(tickets)] * 4) == [expected] * 4  # type: ignore[misc]


class Slow:
    """A chance that waits in the middle of an action until it is told to go on."""

    def __init__(self) -> None:
        self.random = Random(1)
        self.reached, self.go_on = threading.Event(), threading.Event()
        self.go_on.set()

    def shuffled(self, items: Any) -> Any:
        self.reached.set()
        assert self.go_on.wait(60)
        return self.random.sample(list(items), len(items))

    def roll(self, faces: Any) -> Any:
        return self.random.choice(faces)


class Sleepy(Slow):
    """One that lets other threads run in the middle of every action with dice."""

    def roll(self, faces: Any) -> Any:
        time.sleep(1e-5)
        return super().roll(faces)


def almost_shuffled(chance: Slow) -> ttr.Game:
    """A game in which drawing a card makes the discards a pile."""
    position: Any = {
        "draw_pile": ["red"],
        "draw_pile_complete": True,
        "discards": ["blue"] * 9,
        "face_up": ["red", "blue", "green", "black", "white"],
    }
    return ttr.arrange(rules_of("europe"), {"players": [{}, {}], "to_act": 0, **position}, chance=chance)


@pytest.mark.parametrize("kind", ["game", "journal"])
def test_a_second_thread_is_refused_at_once(kind: str, tmp_path: Path) -> None:
    """And disturbs nothing: what the first one does comes to its end."""
    chance = Slow()
    game = almost_shuffled(chance)
    journals = ttr.Journals(tmp_path / "games.db")
    table: Any = game if kind == "game" else journals.begin(game, "a")
    chance.reached.clear()
    chance.go_on.clear()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(table.play, ttr.DrawBlind(0))
        try:
            assert chance.reached.wait(60), "the draw pile is not made anew"
            for call in (lambda: table.play(ttr.DrawBlind(0)), lambda: table.play(ttr.DrawBlind(1)), table.undo):
                with pytest.raises(GameInUseError, match=f"another thread is using this {kind}") as caught:
                    call()
                assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
        finally:
            chance.go_on.set()
        assert first.result(60) == game.last_move.events
    assert game.played == 1 and table.play(ttr.DrawBlind(0)) and table.undo()
    if kind == "journal":
        assert journals.read("a", chance=chance) == game
    journals.close()
    assert ttr.loads(ttr.dumps(game), chance=chance) == game


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(),
    reason="without the global lock few such accidents are not noticed",
)
def test_a_game_that_three_threads_use_stays_whole() -> None:
    """Whoever comes second is told so, or is refused by a rule; every action that was played was played as a whole."""
    chance = Sleepy()
    game = ttr.new_game("europe", "dice", players=3, chance=chance)

    def play_on(seed: int) -> int:
        """For whoever is to act."""
        played, random, end = 0, Random(seed), time.monotonic() + 300
        while game.played <= 40:
            assert time.monotonic() < end, "the game does not go on"
            try:
                choices = game.legal_actions(game.to_act[0])
                action = choices[random.randrange(len(choices))]
            except Exception:  # noqa: S112 (a look at a game that is being played on)
                continue
            try:
                game.play(action)
                played += 1
                if random.random() < 0.1:
                    game.undo()
            except (GameInUseError, ttr.IllegalActionError):
                continue
        return played

    assert sum(at_once([lambda seed=seed: play_on(seed) for seed in range(3)])) >= 40  # type: ignore[misc]
    again = ttr.loads(ttr.dumps(game), chance=chance)
    assert again == game
    for number, move in enumerate(game.moves[1:]):
        assert move.action is not None and again.at(number).is_legal(move.action)


@pytest.mark.pure
def test_what_was_legal_before_an_undo_is_checked_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread undoes a move while the legal actions are being listed."""
    game = ttr.new_game("europe", players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        game.play(game.legal_actions(seat)[0])
    real = Answers.counts

    def late(self: Answers, state: ttr.State, seat: int) -> list[int]:
        thread = threading.Thread(target=game.undo)
        thread.start()
        thread.join()
        return real(self, state, seat)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Answers, "counts", late)
        action = game.legal_actions(0)[0]
    assert game.to_act == (1,)
    with pytest.raises(NotYourTurnError):
        game.play(action)
    assert game.played == 1


def test_a_look_at_a_game_that_is_played_on_spoils_no_other_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """What rules keep is right for what it is kept under, even if the state changed while it was computed."""
    game = ttr.new_game("europe", "dice", players=2, seed=1)
    dice = game._state.part(Dice)
    before, after = ttr.Counts(single=2), ttr.Counts(locomotive=2)
    real = DiceEconomy.pays

    def played_on(self: DiceEconomy, held: Any, cost: Cost) -> list[ttr.Counts]:
        dice.unused = after  # as another thread does it
        return real(self, held, cost)

    dice.unused = before
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(DiceEconomy, "pays", played_on)
        prices = game.rules.economy.prices([Cost("single", 2)])
        prices.payments(game._state, 0, 0)
    for held in (before, after):
        dice.unused = held
        assert list(prices.payments(game._state, 0, 0)) == [held]


def test_a_look_at_a_hand_that_is_played_on_spoils_no_other_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for cards that stand in for others."""
    game = ttr.new_game("united-kingdom", players=2, seed=1)
    cards = economy_of(game.rules.economy, TrainCards)
    hand, prices = game._state.part(CardPiles).hand[0], cards.prices([Cost("single", 2, "red")])
    red = cards.number["red"]
    real = Bill.payments

    def played_on(self: Bill, held: Mapping[str, int]) -> Sequence[ttr.Counts]:
        hand[red] = 0  # as another thread does it
        return real(self, held)

    hand[:] = [0] * len(hand)
    hand[red] = 2
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Bill, "payments", played_on)
        prices.ways(game._state, 0, 0)
    for held, payable in ((2, 1), (0, 0)):
        hand[red] = held
        assert prices.ways(game._state, 0, 0) == payable


class Whistle(Part):
    blown: bool = public(default=False, label="")


@pytest.mark.parametrize(("hook", "looks"), [("claim_refusal", 0), ("claim_refusal", ASK_ALL_AFTER), ("claim_cost", 0)])
def test_a_look_at_claims_that_a_plugin_changes_spoils_no_other_game(hook: str, looks: int) -> None:
    """The same for what a plugin says under a key: here all routes are closed, or cost more, once a whistle is blown."""
    interrupted = False

    def blown(state: ttr.State) -> bool:
        if interrupted:  # as another thread does it
            state.version += 1
            state.part(Whistle).blown = True
        return state.part(Whistle).blown

    def refuse(state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
        return ttr.Refusal("whistle", "closed") if blown(state) else None

    def dearer(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return attrs.evolve(cost, spaces=cost.spaces + blown(state))

    answer: Callable[..., Any] = refuse if hook == "claim_refusal" else dearer
    key: Callable[..., Any] = lambda state, seat: state.part(Whistle).blown  # noqa: E731
    whistle = plugin("whistle", parts=lambda rules: (Whistle,), claim_key=key, **{hook: answer})
    rules = ttr.compile_rules("europe", whistle)
    hand = {"hand": {"red": 2, "blue": 3, "locomotive": 1}}
    state = ttr.arrange(rules, {"seed": 1, "players": [hand, hand]}).state

    def look(whistle: bool = False) -> tuple[int, ttr.State]:
        """The number of claims, and the state."""
        copy = state.copy()
        copy.part(Whistle).blown = whistle
        return rules.answers[ttr.Turn].by_action[ttr.ClaimRoute].count(copy, 0), copy

    for _ in range(looks):
        look()
    interrupted = True
    _, changed = look()
    interrupted = False
    (before, first), (after, second) = look(), look(True)
    assert before > after and changed.rules.answers[ttr.Turn].by_action[ttr.ClaimRoute].count(changed, 0) == after
    assert unbarred_routes(first, 0, first.open[0]) == first.open[0]
    assert unbarred_routes(second, 0, first.open[0]) == (0 if hook == "claim_refusal" else first.open[0])


def test_a_thread_that_was_interrupted_leaves_the_game_to_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    action = game.legal_actions(0)[0]

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(TicketsChosen, "effect", stop)
        with pytest.raises(KeyboardInterrupt):
            game.play(action)
    thread = threading.Thread(target=lambda: game.play(action))
    thread.start()
    thread.join()
    assert game.played == 1


def test_rules_cannot_be_changed() -> None:
    rules = rules_of("europe")
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.stack = ()
    # (`answers` and `offers_on`, which the engine looks into at every step, are read-only for type checkers alone.)
    for mapping in (rules.types, rules.tickets, rules.ticket_goals, rules.deck.piles,
                    rules.board.cities, rules.board.routes, rules.board.points, rules.board.extra, rules.options):  # fmt: skip
        with pytest.raises(TypeError):
            mapping["europe"] = None  # type: ignore[index]
    for each in (
        rules.board.routes["frankfurt-paris-white"],
        rules.components,
        rules.draw_counts,
        rules.plugin(Europe),
    ):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(each, next(iter(attrs.fields_dict(type(each)))), 5)  # type: ignore[arg-type]


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
