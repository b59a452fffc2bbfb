"""Playing many games, here or by an executor: results in order, and the same whatever plays them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import islice
from time import perf_counter
from typing import ParamSpec, Protocol, TypeVar

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory
from ttr_tools.simulation.plan import Plan, plan_of
from ttr_tools.simulation.results import GameResult

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: A chunk of games should take about this long, in seconds: sending one takes a millisecond or so.
CHUNK_SECONDS = 0.5
#: How many chunks are submitted ahead: enough for some hundred processes.
AHEAD = 256


class Pending(Protocol[T_co]):
    """What an executor returns for a call, such as a `concurrent.futures.Future`."""

    def result(self) -> T_co:
        """Wait for the result of the call."""
        ...

    def cancel(self) -> bool:
        """Do not make the call, if it has not begun."""
        ...


class SubmitsCalls(Protocol):
    """An executor: `concurrent.futures.Executor` and anything else with its method `submit`."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Pending[T]:
        """Call a function, somewhere and some time."""
        ...


def simulate(
    stack: object,
    bots: Sequence[str | BotFactory],
    games: int | Iterable[int],
    seed: int | str,
    executor: SubmitsCalls | None = None,
) -> Generator[GameResult, None, None]:
    """Let bots play many games; their results come in order, each as soon as it and those before it are there.

    `stack` is a plugin, a list of plugins, or compiled rules. `bots` has one bot for each seat: the name of an
    installed one, or a class or function that takes a seed. `games` is how many, or the numbers of the games to play.

    Without an `executor` the games are played here. With one, such as a `ProcessPoolExecutor`, loky's or Dask's, they
    are sent to it in chunks. A game's seed depends on `seed` and its number alone, so the results are the same.

    Raises `InvalidInputError` for bots, numbers or seeds that cannot be, and what `compile_rules` raises, at once. Errors
    of bots and executors are raised where the result would have been; what came before them stands.

    >>> results = list(simulate("london", ["random", "random"], games=3, seed=1))
    >>> [result.game for result in results], results[1].seed
    ([0, 1, 2], '1:1')
    >>> results[1:] == list(simulate("london", ["random", "random"], games=[1, 2], seed=1))
    True
    """
    return played(plan_of(stack, bots, seed), numbers_of(games), executor)


def tournament(
    stack: object,
    bots: Sequence[str | BotFactory],
    games: int | Iterable[int],
    seed: int | str,
    executor: SubmitsCalls | None = None,
    players: int = 2,
) -> Generator[GameResult, None, None]:
    """Let bots play against each other, as `simulate` does: each combination of them in each order of seats in turn.

    There are `players` seats and at least as many bots, of different names. `ratings` says who is better.

    Raises `InvalidInputError` for too few bots, and what `simulate` raises.

    >>> games = tournament("london", ["planner", "random"], games=4, seed=1)
    >>> sorted([seat.bot for seat in result.seats] for result in games)
    [['planner', 'random'], ['planner', 'random'], ['random', 'planner'], ['random', 'planner']]
    """
    return played(plan_of(stack, bots, seed, players), numbers_of(games), executor)


def played(plan: Plan, games: Iterable[int], executor: SubmitsCalls | None) -> Generator[GameResult, None, None]:
    """The results of some games of a plan, in order."""
    return (plan.play(game) for game in games) if executor is None else _sent(plan, games, executor)


def numbers_of(games: int | Iterable[int]) -> Iterable[int]:
    """The numbers of the games to play. Raises `InvalidInputError` for a negative number of games."""
    if not isinstance(games, int):
        return games
    if isinstance(games, bool) or games < 0:
        raise InvalidInputError(f"games are a number of at least 0, or the numbers of the games, not {brief(games)}")
    return range(games)


def _sent(plan: Plan, games: Iterable[int], executor: SubmitsCalls) -> Generator[GameResult, None, None]:
    """The results of games that are played by an executor, in order."""
    numbers = iter(games)
    waiting: deque[Pending[tuple[float, tuple[GameResult, ...]]]] = deque()
    played, seconds, size = 0, 0.0, 1
    try:
        while True:
            while len(waiting) < AHEAD and (chunk := tuple(islice(numbers, size))):
                waiting.append(executor.submit(play_chunk, plan, chunk))
            if not waiting:
                return
            took, results = waiting[0].result()
            waiting.popleft()
            played, seconds = played + len(results), seconds + took
            size = chunk_size(seconds / played)
            yield from results
    finally:
        for each in waiting:
            each.cancel()


def chunk_size(seconds: float) -> int:
    """How many games of this length make a chunk.

    >>> chunk_size(0.05), chunk_size(60.0)
    (10, 1)
    """
    return max(1, round(CHUNK_SECONDS / max(seconds, 1e-4)))


#: The rules of the last chunk. They are compiled when they arrive, and then serve all games in this process.
_kept: list[Rules] = []


def play_chunk(plan: Plan, games: Sequence[int]) -> tuple[float, tuple[GameResult, ...]]:
    """Play some games of a plan, in the process of a worker: how long it took in seconds, and the results."""
    _kept[:] = [plan.rules]
    start = perf_counter()
    results = tuple(map(plan.play, games))
    return perf_counter() - start, results
