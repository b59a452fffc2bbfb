"""What is simulated: rules, a bot for each seat, and a seed from which each game's own seed is derived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from attrs import frozen

from ttr_rules._internal.messages import brief
from ttr_rules.bots import BotFactory, load_bot, play_game
from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.rules import Rules
from ttr_rules.model.chance import checked_seed
from ttr_rules.play import new_game
from ttr_rules.play.starting import check_tickets, player_names
from ttr_rules.plugins import compile_rules
from ttr_rules.simulation.results import GameResult, result_of


@frozen
class SeatBot:
    """The bot of a seat: its name in the results, and what makes one for each game."""

    name: str
    make: BotFactory


@frozen
class Plan:
    """Games that could be played: the rules, the bot of each seat, and the seed."""

    rules: Rules
    bots: tuple[SeatBot, ...]
    seed: int | str

    def seed_of(self, game: int) -> str:
        """The seed of a game: it depends on nothing but the plan's seed and the game's number."""
        return f"{self.seed}:{game}"

    def play(self, game: int) -> GameResult:
        """Play the game with this number."""
        seed = self.seed_of(game)
        try:
            table = new_game(rules=self.rules, players=len(self.bots), seed=seed)
            play_game(table, [bot.make(f"{seed} {seat}") for seat, bot in enumerate(self.bots)])
        except Exception as error:
            error.add_note(f"in game {game} of a simulation of {self.rules}, with the seed {seed!r}")
            raise
        return result_of(table, [bot.name for bot in self.bots], game)


def plan_of(stack: object, bots: Sequence[str | BotFactory], seed: int | str) -> Plan:
    """A plan, checked: `stack` is a plugin, several, or compiled rules; `bots` are names or factories.

    Raises `InvalidInputError` for bots or seeds that cannot be, and what `compile_rules` raises.
    """
    rules = _rules_of(stack)
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise InvalidInputError(f"bots are a list with one bot for each seat, not {brief(bots)}")
    player_names(len(bots), rules)
    check_tickets(rules, len(bots))
    plan = Plan(rules, tuple(map(_bot_of, bots)), checked_seed(seed))
    checked_seed(plan.seed_of(10**12))  # a text may be too long to add a number
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
