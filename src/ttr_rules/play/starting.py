"""Games are set up (S1–S7), or played at once to their end by random actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ttr_rules.errors import InvalidInputError
from ttr_rules.kernel.answers import play_on
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.model.board import Board
from ttr_rules.model.chance import Chance, SeededChance, checked_seed, new_seed
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import info_of, split_name
from ttr_rules.plugins.stack_checks import shortages
from ttr_rules.reading import name_problem
from ttr_rules.text import brief


def player_names(players: object, rules: Rules) -> tuple[str, ...]:
    """Names from a number of players or a list of names. Raises `InvalidInputError`, citing S1."""
    least, most = rules.components.min_players, rules.components.max_players
    if isinstance(players, int) and not isinstance(players, bool):
        if not least <= players <= most:
            raise InvalidInputError(f"[S1] {rules} is for {least} to {most} players, not {players}")
        return tuple(f"Player {number + 1}" for number in range(players))
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise InvalidInputError(f"players are a number or a list of names, not {brief(players)}")
    count = len(players)  # pyright: ignore[reportUnknownArgumentType]
    if not least <= count <= most:
        raise InvalidInputError(f"[S1] {rules} is for {least} to {most} players, not {count}")
    names: tuple[Any, ...] = (*players,)  # pyright: ignore[reportUnknownVariableType]
    for name in names:
        problem = name_problem(name)
        if problem is not None:
            raise InvalidInputError(f"a player's name: {problem}")
    names = tuple(map(str.__str__, names))
    if len(set(names)) < len(names):
        raise InvalidInputError(f"two players have the same name: {brief(names)}")
    return names


def check_rules_are_compiled(rules: object) -> None:
    """Raise `InvalidInputError` for anything other than compiled rules."""
    if not isinstance(rules, Rules):
        raise InvalidInputError(f"rules are what compile_rules gives, not {brief(rules)}")


def rules_for(
    stack: Sequence[object], rules: Rules | None, board: Board | None, rulings: Mapping[str, object] | None
) -> Rules:
    """The rules given by a caller: compiled, or as a stack."""
    if rules is None:
        return compile_rules(*stack, rulings=rulings, board=board)
    check_rules_are_compiled(rules)
    if board is not None or rulings is not None:
        raise InvalidInputError("compiled rules have their board and rulings already: give those to compile_rules")
    names = tuple(split_name(each)[0] if isinstance(each, str) else info_of(each).name for each in stack)
    if names and not rules.agrees_with(names):
        raise InvalidInputError(f"the stack {' + '.join(names)} does not agree with the rules {rules}")
    return rules


def new_game(
    *stack: object,
    players: int | Sequence[str],
    seed: int | str | None = None,
    rules: Rules | None = None,
    board: Board | None = None,
    rulings: Mapping[str, object] | None = None,
    chance: Chance | None = None,
    first_seat: int | None = None,
) -> Game:
    """Set up a game: a stack of plugins or compiled `rules`, and the players, by number or by name (S1).

    The same `seed` gives the same game everywhere; `chance` replaces the seeded chance with any object that has its
    two methods. `first_seat` is random unless given (S5).

    Raises `InvalidInputError` for invalid players or seats, and what `compile_rules` raises.

    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1912, first_seat=0)
    >>> game.to_act
    (0, 1)
    """
    rules = rules_for(stack, rules, board, rulings)
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    if seed is not None and chance is not None:
        raise InvalidInputError("a game has a seed or a chance object of your own, not both")
    if seed is None and chance is None:
        seed = new_seed()
    if seed is not None:
        checked_seed(seed)
    if chance is not None and not isinstance(chance, Chance):
        raise InvalidInputError(f"chance must have the methods shuffled and roll; {type(chance).__name__} does not")
    if first_seat is not None and (type(first_seat) is not int or not 0 <= first_seat < len(names)):
        raise InvalidInputError(f"[S5] first_seat is one of 0 to {len(names) - 1}, not {brief(first_seat)}")
    state = State(rules, len(names), chance if chance is not None else SeededChance(seed if seed is not None else 0))
    log: list[object] = []
    set_up(Transaction(state, log, later=True), names, first_seat)
    return Game(state, names, seed if chance is None else None, [Move(None, (), state.chance_calls, log)])


def check_tickets(rules: Rules, players: int) -> None:
    """Raise `InvalidInputError` if the set-up deals more tickets to this many players than there are."""
    for shortage in shortages(rules, players):
        raise InvalidInputError(shortage)


def playout(rules: Rules, players: int, seed: int | str) -> FinalScores:
    """Play a game of random legal actions to its end and score it; no event objects are created.

    The actions come from a separate random stream. At set-up, seats choose in order. Raises `InvalidInputError` for
    invalid players, seeds or rules.

    >>> from ttr_rules import compile_rules
    >>> len(playout(compile_rules("europe"), 3, seed=1).players)
    3
    """
    check_rules_are_compiled(rules)
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    checked_seed(seed)
    state = State(rules, len(names), SeededChance(seed))
    tx = Transaction(state)
    set_up(tx, names, None)
    play_on(tx, Random(f"playout {seed!r}").random)  # the only method whose results Python guarantees not to change
    return final_scores(state, names)
