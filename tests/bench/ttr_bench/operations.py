"""Single operations: copies, longest paths, scores, saves, views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from attrs import frozen

from ttr_bench.games import by_hand, half_played, part_played
from ttr_bench.measure import Prepared
from ttr_bench.positions import Position, slow_positions
from ttr_rules import State
from ttr_rules._internal.native import compiled
from ttr_rules.engine import action_numbers, final_scores
from ttr_rules.graph.lengths import Edge, longest_trail
from ttr_rules.hidden import determinize
from ttr_rules.kernel.answers import play_on
from ttr_rules.kernel.scoring import labels_of, lend, scored_tickets
from ttr_rules.model.decisions import replace
from ttr_rules.model.network import Network
from ttr_rules.play.game import Game, new_game
from ttr_rules.plugins import Transaction
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.saves.saving import dumps, loads
from ttr_tools.bots import play_game

MS = 1e-3
US = 1e-6


@frozen
class Operation:
    """One operation: `prepare` gives work to be timed; `goal` is the most seconds that a unit may take.

    With work `beside` it, the goal is on top of the time that a unit of that takes.
    """

    name: str
    goal: float | None
    prepare: Callable[[], Prepared]
    beside: Callable[[], Prepared] | None = None


def edges_of(state: State, seat: int) -> list[Edge]:
    """The routes of a seat, as a longest path is sought in them."""
    network: Network = state.rules.network
    return [(*network.ends[route], network.lengths[route]) for route in state.routes_of(seat)]


def _europe(played: Callable[..., Game], count: int) -> list[Game]:
    rules = compile_rules("europe")
    return [played(rules, 4, seed) for seed in range(count)]


def _bots() -> Prepared:
    rules = compile_rules("europe")

    def run() -> None:
        for seed in range(4):
            play_game(new_game(rules=rules, players=4, seed=seed))

    return run, 4


def _copy() -> Prepared:
    states = [game.state for game in _europe(half_played, 5)]

    def run() -> None:
        for state in states:
            for _ in range(100):
                state.copy()

    return run, 100 * len(states)


def _mask() -> Prepared:
    rules = compile_rules("europe")
    numbers = action_numbers(rules)
    states = [game.state for game in _europe(half_played, 20)]
    buffer = bytearray(numbers.size)

    def run() -> None:
        for state in states:
            numbers.mask(state, state.pending[0].seat, buffer)

    return run, len(states)


def _worlds() -> Prepared:
    """What a searching bot does: sample what a seat cannot see, and play to the end at random."""
    rules = compile_rules("north-america")
    views = [part_played(rules, 2, seed, 75).view(0) for seed in range(3)]

    def run() -> None:
        for seed, view in enumerate(views):
            state = determinize(view, rules, seed).state
            play_on(Transaction(state), Random(seed).random)

    return run, len(views)


def _longest_path() -> Prepared:
    ends = [edges_of(game.state, seat) for game in _europe(by_hand, 20) for seat in range(4)]
    return lambda: [longest_trail(edges) for edges in ends], len(ends)


def _score_sheet() -> Prepared:
    games = _europe(by_hand, 20)
    ends = [(game.state, game.players) for game in games]
    return lambda: [final_scores(state, names) for state, names in ends], len(ends)


def _dumps() -> Prepared:
    games = _europe(by_hand, 5)
    return lambda: [dumps(game) for game in games], len(games)


def _loads() -> Prepared:
    texts = [dumps(game) for game in _europe(by_hand, 5)]
    return lambda: [loads(text) for text in texts], len(texts)


def _verified_loads() -> Prepared:
    texts = [dumps(game) for game in _europe(by_hand, 5)]
    return lambda: [loads(text, verify=True) for text in texts], len(texts)


def _same_games() -> Prepared:
    return lambda: _europe(by_hand, 5), 5


def _view() -> Prepared:
    games = _europe(half_played, 20)
    return lambda: [game.view(seat) for game in games for seat in range(4)], 4 * len(games)


def _compile_cached() -> Prepared:
    compile_rules("europe", "dice")
    return lambda: compile_rules("europe", "dice"), 1


def _slow_path(position: Position) -> Prepared:
    edges = edges_of(position.game().state, 0)
    return lambda: longest_trail(edges), 1


def lend_of(state: State) -> Callable[[], object]:
    """The search for what the stations of the first player lend best."""
    rules = state.rules
    network, known = rules.network, rules.derived(scored_tickets)
    labels = labels_of(network, state.routes_of(0))
    tickets = [known[ticket] for ticket in state.tickets[0]]
    loans = [loan for _, method in rules.loans for loan in method(state, 0)]
    return lambda: lend(network, tickets, loans, labels)


def _count_payments(position: Position) -> Prepared:
    game = position.game()
    seat = game.to_act[0]

    def run() -> None:  # counts them, makes one
        actions = game.legal_actions(seat)
        assert actions[len(actions) // 2]

    return run, 1


def _list_payments(position: Position) -> Prepared:
    game = position.game()
    seat = game.to_act[0]
    return lambda: list(game.legal_actions(seat)), 1


def _check_payment(position: Position) -> Prepared:
    game = position.game()
    actions = game.legal_actions(game.to_act[0])
    action = replace(actions[len(actions) // 2])  # equal to what is offered, and not the same object
    return lambda: game.is_legal(action), 1


#: Where all actions are listed, and where one is checked. In the Nordic Countries they are over 600,000: a list of them
#: takes seconds.
LISTED = ("europe",)
CHECKED = ("europe", "nordic-countries")


def slow_operations(position: Position) -> list[Operation]:
    """What is slow in a position."""
    title = position.title
    if position.what == "longest path":
        return [Operation(f"worst longest path: {title}", 3 * MS, lambda: _slow_path(position))]
    if position.what == "stations":
        return [Operation(f"worst stations: {title}", 0.15 * MS, lambda: (lend_of(position.game().state), 1))]
    found = [Operation(f"count, 40 cards: {title}", None, lambda: _count_payments(position))]
    if title in LISTED:
        found.append(Operation(f"list, 40 cards: {title}", None, lambda: _list_payments(position)))
    if title in CHECKED:
        found.append(Operation(f"check one, 40 cards: {title}", None, lambda: _check_payment(position)))
    return found


def operations() -> Sequence[Operation]:
    """All operations, those on slow positions last."""
    return (
        Operation("state.copy()", (1.5 if compiled else 2) * US, _copy),
        Operation("mask of legal actions, a bytearray", (3 if compiled else 10) * US, _mask),
        Operation("determinize and play on, from mid-game", 0.25 * MS if compiled else None, _worlds),
        Operation("a game of four bots", (20 if compiled else 60) * MS, _bots),
        Operation("longest path, end of a game", 20 * US, _longest_path),
        Operation("final score sheet", 0.5 * MS, _score_sheet),
        Operation('compile_rules("europe", "dice"), cached', 50 * US, _compile_cached),
        Operation("dumps, finished game", 3 * MS, _dumps),
        Operation("loads, finished game", 10 * MS, _loads),
        Operation("loads(verify=True), finished game", 10 * MS, _verified_loads, _same_games),
        Operation("view(seat)", 20 * US, _view),
        *(each for position in slow_positions() for each in slow_operations(position)),
    )
