"""Single operations: copies, longest paths, scores, saves, views."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

from attrs import frozen

from ..compile import compile_rules
from ..game import Game
from ..network import Network
from ..paths import Edge, longest_trail
from ..scoring import final_scores, lend
from ..serial import dumps, loads
from ..state import State
from .games import by_hand, half_played
from .positions import Position, slow_positions

MS = 1e-3
US = 1e-6

#: Work to be timed, and how many units it does.
Prepared = tuple[Callable[[], object], int]


@frozen
class Operation:
    """One operation: `prepare` gives work to be timed; `goal` is the most seconds that a unit may take."""

    name: str
    goal: float | None
    prepare: Callable[[], Prepared]


def _edges(state: State, seat: int) -> list[Edge]:
    network: Network = state.rules.network
    return [(*network.ends[route], network.lengths[route]) for route in state.routes_of(seat)]


def _europe(played: Callable[..., Game], count: int) -> list[Game]:
    rules = compile_rules("europe")
    return [played(rules, 4, seed) for seed in range(count)]


def _copy() -> Prepared:
    states = [game.state for game in _europe(half_played, 5)]

    def run() -> None:
        for state in states:
            for _ in range(100):
                state.copy()

    return run, 100 * len(states)


def _longest_path() -> Prepared:
    ends = [_edges(game.state, seat) for game in _europe(by_hand, 20) for seat in range(4)]
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


def _one_game() -> float:
    """The seconds that a user's loop takes for one game on this machine."""
    _europe(by_hand, 5)
    begin = process_time()
    _europe(by_hand, 10)
    return (process_time() - begin) / 10


def _view() -> Prepared:
    games = _europe(half_played, 20)
    return lambda: [game.view(seat) for game in games for seat in range(4)], 4 * len(games)


def _compile_cached() -> Prepared:
    compile_rules("europe", "dice")
    return lambda: compile_rules("europe", "dice"), 1


def _slow_path(position: Position) -> Prepared:
    edges = _edges(position.game().state, 0)
    return lambda: longest_trail(edges), 1


def _slow_stations(position: Position) -> Prepared:
    state = position.game().state
    rules = state.rules
    links = [rules.network.ends[route] for route in state.routes_of(0)]
    goals = [rules.ticket_goals[ticket] for ticket in state.tickets[0]]
    loans = [loan for link in rules.ticket_links for loan in link.loans(state, 0)]
    return lambda: lend(rules.network, links, goals, loans), 1


def _slow_payments(position: Position) -> Prepared:
    game = position.game()
    seat = game.to_act[0]

    def run() -> None:  # count them, read one
        actions = game.legal_actions(seat)
        assert actions[len(actions) // 2]

    return run, 1


#: What is timed in a slow position of each kind, and the goal.
SLOW: dict[str, tuple[Callable[[Position], Prepared], float | None]] = {
    "longest path": (_slow_path, 3 * MS),
    "stations": (_slow_stations, 0.15 * MS),
    "payments": (_slow_payments, None),
}


def _of_slow(position: Position) -> Operation:
    prepare, goal = SLOW[position.what]
    return Operation(f"worst {position.what}: {position.title}", goal, lambda: prepare(position))


def operations() -> Sequence[Operation]:
    """All operations, those on slow positions last."""
    return (
        Operation("state.copy()", 2 * US, _copy),
        Operation("longest path, end of a game", 20 * US, _longest_path),
        Operation("final score sheet", 0.5 * MS, _score_sheet),
        Operation('compile_rules("europe", "dice"), cached', 50 * US, _compile_cached),
        Operation("dumps, finished game", 3 * MS, _dumps),
        Operation("loads, finished game", 10 * MS, _loads),
        Operation("loads(verify=True), finished game", 10 * MS + _one_game(), _verified_loads),
        Operation("view(seat)", 20 * US, _view),
        *map(_of_slow, slow_positions()),
    )
