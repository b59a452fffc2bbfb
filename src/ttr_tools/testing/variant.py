"""`check_variant`: checks in one call whether a variant has the properties that every variant must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.plugins import compile_rules
from ttr_tools.testing import check_bots, check_stack
from ttr_tools.testing.check_choices import OffersCheck, RefusalsCheck
from ttr_tools.testing.check_clients import ClientsCheck
from ttr_tools.testing.check_keeping import CopiesCheck, ReplayCheck, SavingCheck
from ttr_tools.testing.check_numbers import NumbersCheck
from ttr_tools.testing.check_pictures import PicturesCheck
from ttr_tools.testing.check_play import CountsCheck, CourseCheck, EventsCheck, ValuesCheck
from ttr_tools.testing.check_scores import ScoresCheck
from ttr_tools.testing.check_secrets import SecretsCheck
from ttr_tools.testing.check_speed import slow_conditions
from ttr_tools.testing.game_run import MOST_ACTIONS, Check, GameRun
from ttr_tools.testing.names import raised, short, stack_name
from ttr_tools.testing.problems import CheckFailed, Problem, VariantError, VariantReport

#: The properties that are followed through games, in the order in which they are checked.
CHECKS: tuple[type[Check], ...] = (
    CourseCheck, CountsCheck, ValuesCheck, EventsCheck, OffersCheck, RefusalsCheck, NumbersCheck, CopiesCheck,
    SecretsCheck, ScoresCheck, SavingCheck, ReplayCheck, ClientsCheck, PicturesCheck,
)  # fmt: skip


def check_variant(
    *stack: object,
    players: int | Sequence[int] | None = None,
    games: int = 2,
    seed: int = 1,
    rulings: Mapping[str, Any] | None = None,
    skip: Sequence[str] = (),
) -> VariantReport:
    """Check a variant: play seeded random games of it and check everything that must hold for any variant.

    The stack is given as to `compile_rules`. Games are played for every number of players, or for those in `players`;
    `games` for each, with seeds counting up from `seed`, so that a second call does the same; bots play a few more.
    `skip` names properties to leave out (they are in `property_names()`): "secrets" if a variant shows hidden tickets
    or cards on purpose, "planner" if bots cannot be expected to play it well.

    Raises `VariantError` with everything that was found: what to fix, in which class, and how to reproduce it.
    Returns what was checked, with advice on what makes games slow.

    >>> report = check_variant("north-america", players=2, games=1)
    >>> report.games, "secrets" in report.checks
    (1, True)
    """
    names = property_names()
    for name in skip:
        if name not in names:
            raise InvalidInputError(f"there is no property {name!r} to skip; there are {', '.join(names)}")
    if games < 1:
        raise InvalidInputError(f"at least one game is to be played, not {games}")
    what = stack_name(stack)
    try:
        rules = compile_rules(*stack, rulings=rulings)
    except PluginError as error:
        raise VariantError(what, [Problem(check_stack.NAME, str(error))]) from error
    what = " + ".join(rules.stack)
    counts = player_counts(rules, players)
    found = check_stack.stack_problems(stack, rules, counts, rulings) if check_stack.NAME not in skip else []
    if found:
        raise VariantError(what, found)
    checks = [kind for kind in CHECKS if kind.name not in skip]
    problems: list[Problem] = []
    actions = 0
    for count in counts:
        for number in range(games):
            if breaks_off(problems):
                break  # these games need not end
            game_run = GameRun(stack, rules, count, seed + number)
            left = [kind for kind in checks if kind.name not in {problem.check for problem in problems}]
            problems += run(game_run, left)
            actions += game_run.number
    if check_bots.NAME not in skip and not problems:
        problems = check_bots.bot_problems(stack, rules, counts[0], seed)
    if check_bots.PLANNER not in skip and not problems:
        problems = check_bots.planner_problems(rules, counts[0], seed)
    if problems:
        raise VariantError(what, problems)
    held = tuple(name for name in names if name not in skip)
    advice = slow_conditions(rules, counts[0], seed)
    return VariantReport(rules.stack, len(counts) * games, actions, held, tuple(skip), advice)


def property_names() -> tuple[str, ...]:
    """The names of all properties, for `skip`.

    >>> "secrets" in property_names()
    True
    """
    return (check_stack.NAME, *(kind.name for kind in CHECKS), check_bots.NAME, check_bots.PLANNER)


def player_counts(rules: Rules, players: int | Sequence[int] | None) -> tuple[int, ...]:
    """The numbers of players to check."""
    if players is None:
        return tuple(range(rules.components.min_players, rules.components.max_players + 1))
    found = (players,) if isinstance(players, int) else tuple(players)
    if not found:
        raise InvalidInputError("players is empty: give a number of players, or several")
    return found


def breaks_off(problems: Iterable[Problem]) -> bool:
    """Whether a game of these problems is broken off: its course is wrong, or a part has less than nothing of something."""
    return any(problem.check in (CourseCheck.name, CountsCheck.name) for problem in problems)


def run(game_run: GameRun, kinds: Sequence[type[Check]]) -> list[Problem]:
    """Play one game while checks follow it; a check that found something is not run any further.

    A game whose course is broken is stopped, since it need not end.
    """
    problems: list[Problem] = []
    checks: list[Check] = []

    def look(look_at: Callable[[], None], check: Check, action: int) -> bool:
        if breaks_off(problems):
            return False  # what else does not hold follows from that
        try:
            look_at()
        except CheckFailed as broken:
            problems.append(game_run.problem(check.name, str(broken), action))
        except Exception as error:
            problems.append(
                game_run.problem(check.name, f"this could not be checked to the end: {raised(error)}", action)
            )
        else:
            return True
        return False

    for kind in kinds:
        check = kind(game_run)
        if look(check.start, check, 0):
            checks.append(check)
    while game_run.game.to_act:
        action_number = game_run.number + 1
        if action_number > MOST_ACTIONS:
            text = f"this game does not end: {MOST_ACTIONS} actions were played. Something must run out in every game"
            return [*problems, game_run.problem(CourseCheck.name, text, MOST_ACTIONS)]
        try:
            seat = game_run.picks.seat(game_run.game)
            action = game_run.picks.action(game_run.game.legal_actions(seat))
        except Exception as error:
            text = f"the legal actions of a seat cannot be listed: {raised(error)}"
            return problems or [game_run.problem(CourseCheck.name, text, action_number)]
        checks = [check for check in checks if look(partial(check.before, action), check, action_number)]
        try:
            events = game_run.game.play(action)
        except Exception as error:
            text = f"{short(action)}, which is legal, cannot be played: {raised(error)}"
            if isinstance(error, RecursionError):
                text = (
                    f"{short(action)}, which is legal, cannot be played: rules call each other without end. A hook for turns or "
                    "claims says whether it asked something; it does not begin or end the turn itself unless it is called "
                    "with after=…"
                )
            return [*problems, game_run.problem(CourseCheck.name, text, action_number)]
        checks = [check for check in checks if look(partial(check.after, action, events), check, action_number)]
        if breaks_off(problems):
            return problems
    for check in checks:
        look(check.end, check, game_run.number)
    return problems
