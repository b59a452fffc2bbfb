"""What is simulated: rules, a bot for each seat, and a seed from which each game's own seed is derived."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import ClassVar, cast

from attrs import frozen

from ttr_rules import Rules
from ttr_rules.engine import check_tickets, player_names
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import SeededChance, checked_seed
from ttr_rules.play import new_game
from ttr_rules.plugins import compile_rules
from ttr_rules.text import brief
from ttr_tools.bots import BotFactory, load_bot, play_game
from ttr_tools.simulation.results import GameResult, result_of


@frozen
class SeatBot:
    """The bot of a seat: its name in the results, and what makes one for each game."""

    name: str
    make: BotFactory


@frozen
class Plan:
    """Games that could be played: the rules, the bot of each seat, and the seed."""

    #: What a plan of this class is called in files.
    kind: ClassVar[str] = "simulation"

    rules: Rules
    bots: tuple[SeatBot, ...]
    seed: int | str

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.bots)

    def lineup(self, game: int) -> tuple[SeatBot, ...]:
        """The bots of a game, seat by seat: here the same for all games."""
        return self.bots

    def seed_of(self, game: int) -> str:
        """The seed of a game: it depends on nothing but the plan's seed and the game's number."""
        return f"{self.seed}:{game}"

    def play(self, game: int) -> GameResult:
        """Play the game with this number."""
        seed, bots = self.seed_of(game), self.lineup(game)
        try:
            table = new_game(rules=self.rules, players=len(bots), seed=seed)
            play_game(table, [bot.make(f"{seed} {seat}") for seat, bot in enumerate(bots)])
        except Exception as error:
            error.add_note(f"in game {game} of a simulation of {self.rules}, with the seed {seed!r}")
            raise
        return result_of(table, [bot.name for bot in bots], game)

    def check(self) -> None:
        """Raise `InvalidInputError` if no game can be played by this plan."""
        player_names(self.players, self.rules)
        check_tickets(self.rules, self.players)
        checked_seed(self.seed)
        checked_seed(self.seed_of(10**12))  # a text may be too long to add a number


@frozen
class Tournament(Plan):
    """Games in which bots meet in every combination and every order of seats, equally often."""

    kind: ClassVar[str] = "tournament"

    seats: int

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.seats

    def lineup(self, game: int) -> tuple[SeatBot, ...]:
        """The bots of a game: all lineups in turn, in an order of its own for each round."""
        lineups = list(permutations(self.bots, self.seats))
        around, place = divmod(game, len(lineups))
        return SeededChance(f"tournament {self.seed}").shuffled(around, lineups)[place]

    def check(self) -> None:
        """Raise `InvalidInputError` if no game can be played by this plan."""
        super().check()
        names = [bot.name for bot in self.bots]
        if len(names) < self.seats:
            raise InvalidInputError(
                f"games of {self.seats} players need {self.seats} different bots at least, not {len(names)}"
            )
        if len(set(names)) < len(names):
            raise InvalidInputError(f"two bots have the same name: {', '.join(names)}")


def plan_of(stack: object, bots: Sequence[str | BotFactory], seed: int | str, players: int | None = None) -> Plan:
    """A plan, checked: `stack` is a plugin, several, or compiled rules; `bots` are names or factories.

    With a number of `players`, it is a tournament. Raises `InvalidInputError` for bots or seeds that cannot be, and what
    `compile_rules` raises.
    """
    rules = _rules_of(stack)
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise InvalidInputError(f"bots are a list with one bot for each seat, not {brief(bots)}")
    named = tuple(map(_bot_of, bots))
    plan = Plan(rules, named, seed) if players is None else Tournament(rules, named, seed, players)
    plan.check()
    return plan


def _rules_of(stack: object) -> Rules:
    if isinstance(stack, Rules):
        return stack
    return compile_rules(*(cast("Sequence[object]", stack) if isinstance(stack, list | tuple) else (stack,)))


def _bot_of(given: object) -> SeatBot:
    if isinstance(given, str):
        return SeatBot(given, load_bot(given))
    if not callable(given):
        raise InvalidInputError(f"a bot is a name, or a class or function that takes a seed, not {brief(given)}")
    return SeatBot(getattr(given, "__qualname__", None) or brief(given), cast("BotFactory", given))
