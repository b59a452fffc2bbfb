"""Many games between bots, played here or by an executor: results in order, and the same whatever plays them.

Results are plain values, which can be sent between processes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from itertools import islice, permutations
from typing import Literal

from attrs import field, frozen

from ttr_rules import Rules, compile_rules
from ttr_rules.engine import check_tickets, player_names
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import (
    CardDrawn,
    ExtraTurnBegun,
    FaceUpTaken,
    FirstSeatChosen,
    GameBegun,
    GameEnded,
    RouteClaimed,
    RouteShared,
    TicketsChosen,
    TicketsDrawn,
    TunnelAbandoned,
    TurnBegun,
)
from ttr_rules.model import SeededChance, checked_seed
from ttr_rules.play import Game, new_game
from ttr_rules.reading import is_list
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory, load_bot, play_game
from ttr_tools.narration.sheet import points_by_line

#: The number of games submitted ahead, enough for some hundred processes.
AHEAD = 256


# -- results ---------------------------------------------------------------------------------------------------------


@frozen
class SeatResult:
    """The achievements of a seat: `order` is 1 for the seat that played first, `rank` 1 for a winner.

    `points` has every line of the score sheet, also those that are 0: those for routes and tickets under "routes" and
    "tickets", the others under the names of their terms and bonuses. Their sum is the `score`.

    Draws from the pile and from the face-up row are counted in train cards. `ticket_draws` is how often tickets were
    drawn in play. `failed_tunnels` are those that were abandoned, or could not be paid (T4).

    >>> from ttr_tools.simulation import simulate
    >>> seat = next(simulate("europe", ["random", "random"], games=1, seed=1)).seats[0]
    >>> list(seat.points), sum(seat.points.values()) == seat.score
    (['routes', 'tickets', 'stations', 'longest_path'], True)
    """

    seat: int
    bot: str
    order: int
    score: int
    rank: int
    turns: int
    points: Mapping[str, int] = field(converter=FrozenMap[str, int])
    blind_draws: int = 0
    face_up_draws: int = 0
    ticket_draws: int = 0
    failed_tunnels: int = 0


@frozen
class TicketResult:
    """A ticket that a seat held at the end: kept at set-up or drawn later, and its points.

    >>> from ttr_tools.simulation import simulate
    >>> ticket = next(simulate("europe", ["planner", "random"], games=1, seed=1)).tickets[0]
    >>> ticket.seat, ticket.kept, ticket.completed
    (0, 'set-up', True)
    """

    seat: int
    ticket: str
    kept: Literal["set-up", "drawn"]
    completed: bool
    points: int


@frozen
class RouteResult:
    """A route that somebody claimed, and in which of the owner's turns. A route with several owners has several.

    >>> from ttr_tools.simulation import simulate
    >>> routes = next(simulate("europe", ["random", "random"], games=1, seed=1)).routes
    >>> min(route.turn for route in routes if route.owner == 0) >= 1
    True
    """

    route: str
    owner: int
    turn: int


@frozen
class GameResult:
    """The result of one game of a simulation: its number, its seed, and what happened.

    `new_game(..., seed=result.seed)` deals the game again. `ending` is the reason of the event `GameEnded`, such as "last
    round" (E1) or "deadlock" (R4), and `rounds` counts the rounds of turns, the last one too.

    >>> from ttr_tools.simulation import simulate
    >>> result = next(simulate("europe", ["random", "random"], games=1, seed=1))
    >>> result
    GameResult(game=0, seed='1:0')
    >>> result.scores == tuple(seat.score for seat in result.seats)
    True
    >>> result.ending, result.rounds
    ('last round', 66)
    """

    game: int
    seed: str
    seats: tuple[SeatResult, ...] = field(repr=False)
    tickets: tuple[TicketResult, ...] = field(repr=False)
    routes: tuple[RouteResult, ...] = field(repr=False)
    ending: str = field(repr=False)
    rounds: int = field(repr=False)

    @property
    def margin(self) -> int:
        """The points between the winner and the next player: 0 if they share the victory or a tie was broken."""
        first, *others = sorted(self.seats, key=lambda seat: seat.rank)
        return first.score - others[0].score if others else 0

    @property
    def scores(self) -> tuple[int, ...]:
        """The final scores, seat by seat."""
        return tuple(seat.score for seat in self.seats)


def summarize_game(game: Game, bots: Sequence[str], number: int = 0) -> GameResult:
    """The result of a finished game, played by bots of these names. Raises `InvalidInputError` if it is not over.

    >>> from ttr_rules import new_game
    >>> from ttr_tools.bots import play_game
    >>> game = new_game("london", players=2, seed=1)
    >>> play_game(game)
    >>> summarize_game(game, ["planner", "planner"]).scores == tuple(player.total for player in game.final_scores.players)
    True
    """
    if (sheets := game.final_scores) is None:
        raise InvalidInputError("the game is not over: it has no result yet")
    seats = len(game.players)
    first, ending = 0, ""
    counts = [Counter(turns=0) for _ in range(seats)]
    dealt: list[set[str]] = [set() for _ in range(seats)]
    routes: list[RouteResult] = []
    for event in game.events:
        match event:
            case TurnBegun(seat) | ExtraTurnBegun(seat):
                counts[seat]["turns"] += 1
            case CardDrawn(seat):
                counts[seat]["blind_draws"] += 1
            case FaceUpTaken(seat):
                counts[seat]["face_up_draws"] += 1
            case TicketsDrawn(seat):
                counts[seat]["ticket_draws"] += 1
            case TunnelAbandoned(seat):
                counts[seat]["failed_tunnels"] += 1
            case RouteClaimed(seat, route) | RouteShared(seat, route):
                routes.append(RouteResult(route, seat, counts[seat]["turns"]))
            case TicketsChosen(seat, tuple(kept)):
                dealt[seat].update(kept)
            case GameBegun(_, first_seat) | FirstSeatChosen(first_seat):
                first = first_seat
            case GameEnded(reason):
                ending = reason
            case _:
                pass
    held = [(sheet.seat, ticket) for sheet in sheets.players for ticket in sheet.tickets]
    tickets = tuple(
        TicketResult(
            seat, ticket.id, "set-up" if ticket.id in dealt[seat] else "drawn", ticket.completed, ticket.signed
        )
        for seat, ticket in held
    )
    bonuses = [bonus.name for bonus in game.rules.bonuses]
    results = tuple(
        SeatResult(
            seat=sheet.seat,
            bot=bot,
            order=1 + (sheet.seat - first) % seats,
            score=sheet.total,
            rank=sheet.rank,
            points=points_by_line(sheet, bonuses),
            **counts[sheet.seat],
        )
        for sheet, bot in zip(sheets.players, bots, strict=True)
    )
    return GameResult(number, str(game.seed), results, tickets, tuple(routes), ending, game.state.round)


# -- plans -----------------------------------------------------------------------------------------------------------


@frozen
class SeatBot:
    """A bot: its name in the results, and the factory that makes one for each game."""

    name: str
    make: BotFactory


@frozen
class Plan:
    """Games that could be played: the rules, the bots, and the seed.

    Each bot has a seat, the same in all games. With a number of `seats`, they are a tournament: bots meet in every
    combination and every order of seats, equally often.
    """

    rules: Rules
    bots: tuple[SeatBot, ...]
    seed: int | str
    seats: int | None = None

    @property
    def players(self) -> int:
        """The number of players of each game."""
        return len(self.bots) if self.seats is None else self.seats

    def lineup(self, game: int) -> tuple[SeatBot, ...]:
        """The bots of a game, seat by seat: in a tournament all lineups in turn, in an order of its own for each round."""
        if self.seats is None:
            return self.bots
        lineups = list(permutations(self.bots, self.seats))
        around, place = divmod(game, len(lineups))
        return SeededChance(f"tournament {self.seed}").shuffled(around, lineups)[place]

    def derive_seed(self, game: int) -> str:
        """The seed of a game: it depends on nothing but the plan's seed and the game's number."""
        return f"{self.seed}:{game}"

    def play(self, game: int) -> GameResult:
        """Play the game with this number."""
        seed, bots = self.derive_seed(game), self.lineup(game)
        try:
            table = new_game(rules=self.rules, players=len(bots), seed=seed)
            play_game(table, [bot.make(f"{seed} {seat}") for seat, bot in enumerate(bots)])
        except Exception as error:
            error.add_note(f"in game {game} of a simulation of {self.rules}, with the seed {seed!r}")
            raise
        return summarize_game(table, [bot.name for bot in bots], game)

    def check(self) -> None:
        """Raise `InvalidInputError` if no game can be played by this plan."""
        player_names(self.players, self.rules)
        check_tickets(self.rules, self.players)
        checked_seed(self.seed)
        checked_seed(self.derive_seed(10**12))  # a text may be too long to add a number
        names, seats = [bot.name for bot in self.bots], self.players
        if len(names) < seats:
            raise InvalidInputError(f"games of {seats} players need {seats} different bots at least, not {len(names)}")
        if self.seats is not None and len(set(names)) < len(names):
            raise InvalidInputError(f"two bots have the same name: {', '.join(names)}")


def make_plan(stack: object, bots: Sequence[str | BotFactory], seed: int | str, players: int | None = None) -> Plan:
    """A checked plan. `stack` is a plugin, several, or compiled rules. `bots` are names or factories.

    With a number of `players`, it is a tournament. Raises `InvalidInputError` for bots or seeds that are not valid, and what
    `compile_rules` raises.
    """
    rules = stack if isinstance(stack, Rules) else compile_rules(*(stack if is_list(stack) else (stack,)))
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise InvalidInputError(f"bots are a list with one bot for each seat, not {brief(bots)}")
    loaded = tuple(map(_load_bot, bots))
    plan = Plan(rules, loaded, seed, players)
    plan.check()
    return plan


def _load_bot(bot: str | BotFactory) -> SeatBot:
    if isinstance(bot, str):
        return SeatBot(bot, load_bot(bot))
    if not callable(bot):
        raise InvalidInputError(f"a bot is a name, or a class or function that takes a seed, not {brief(bot)}")
    return SeatBot(getattr(bot, "__qualname__", None) or brief(bot), bot)


# -- running ---------------------------------------------------------------------------------------------------------


def simulate(
    stack: object,
    bots: Sequence[str | BotFactory],
    games: int | Iterable[int],
    seed: int | str,
    executor: Executor | None = None,
    players: int | None = None,
) -> Generator[GameResult, None, None]:
    """Let bots play many games. Their results come in order, each as soon as it and those before it are there.

    `stack` is a plugin, a list of plugins, or compiled rules. `bots` has one bot for each seat: the name of an
    installed one, or a class or function that takes a seed. `games` is how many, or the numbers of the games to play.

    Without an `executor` the games are played here. With one, such as a `ProcessPoolExecutor`, loky's or Dask's, they
    are sent to it one by one. A game's seed depends on `seed` and its number alone, so the results are the same.

    With a number of `players` it is a tournament. There are at least as many bots, of different names, and each
    combination of them plays in each order of seats in turn. `ratings` says who is better.

    Raises `InvalidInputError` for bots, numbers or seeds that are not valid, and what `compile_rules` raises, at once.
    Errors of bots and executors are raised where the result would have been. What came before them stands.

    >>> results = list(simulate("london", ["random", "random"], games=3, seed=1))
    >>> [result.game for result in results], results[1].seed
    ([0, 1, 2], '1:1')
    >>> results[1:] == list(simulate("london", ["random", "random"], games=[1, 2], seed=1))
    True
    >>> games = simulate("london", ["planner", "random"], games=4, seed=1, players=2)
    >>> sorted([seat.bot for seat in result.seats] for result in games)
    [['planner', 'random'], ['planner', 'random'], ['random', 'planner'], ['random', 'planner']]
    """
    return play_games(make_plan(stack, bots, seed, players), number_games(games), executor)


def play_games(plan: Plan, games: Iterable[int], executor: Executor | None) -> Generator[GameResult, None, None]:
    """The results of some games of a plan, in order."""
    return (plan.play(game) for game in games) if executor is None else _send_games(plan, games, executor)


def number_games(games: int | Iterable[int]) -> Iterable[int]:
    """The numbers of the games to play. Raises `InvalidInputError` for a negative number of games."""
    if not isinstance(games, int):
        return games
    if isinstance(games, bool) or games < 0:
        raise InvalidInputError(f"games are a number of at least 0, or the numbers of the games, not {brief(games)}")
    return range(games)


def _send_games(plan: Plan, games: Iterable[int], executor: Executor) -> Generator[GameResult, None, None]:
    """The results of games that are played by an executor, in order."""
    numbers = iter(games)
    waiting: deque[Future[GameResult]] = deque()
    try:
        while True:
            more = islice(numbers, AHEAD - len(waiting))
            waiting.extend(executor.submit(play_elsewhere, plan, number) for number in more)
            if not waiting:
                return
            result = waiting[0].result()
            waiting.popleft()
            yield result
    finally:
        for pending in waiting:
            pending.cancel()


#: The rules of the last game. They are compiled when they arrive, and then serve all games in this process.
_kept: list[Rules] = []


def play_elsewhere(plan: Plan, game: int) -> GameResult:
    """Play a game of a plan, in the process of a worker."""
    _kept[:] = [plan.rules]
    return plan.play(game)
