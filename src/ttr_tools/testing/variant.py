"""`check_variant`: checks in one call whether a variant has the properties that every variant must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from unittest import SkipTest

from ttr_rules import Rules, compile_rules
from ttr_rules.errors import InvalidInputError, InvalidTableError, PluginError
from ttr_rules.events import Event
from ttr_rules.play import Game
from ttr_tools.bots.playing import MOST_ACTIONS
from ttr_tools.testing.choices import MarginsCheck, NumbersCheck, OffersCheck, RefusalsCheck, check_numbers
from ttr_tools.testing.names import describe_error, spell_stack, stack_name, where_raised
from ttr_tools.testing.play import (
    ClientsCheck,
    CopiesCheck,
    CountsCheck,
    CourseCheck,
    EventsCheck,
    PicturesCheck,
    ReplayCheck,
    SavingCheck,
    ScoresCheck,
    ValuesCheck,
)
from ttr_tools.testing.runs import (
    ARRANGED,
    INTO_KEY,
    LAST_TURNS,
    LONG_ROUTES,
    POSITIONS,
    Check,
    CheckFailed,
    Problem,
    Run,
    StackCheck,
    Trial,
    VariantError,
    VariantReport,
    cannot_be_played,
)
from ttr_tools.testing.secrets import SecretsCheck
from ttr_tools.testing.stack import (
    BOTS,
    ENDING,
    PLANNER,
    PROCESSES,
    STACK,
    TABLES,
    advise,
    failed_position,
)

#: The properties that are followed through games, in the order in which they are checked.
CHECKS: tuple[type[Check], ...] = (
    CourseCheck, CountsCheck, ValuesCheck, EventsCheck, OffersCheck, RefusalsCheck, NumbersCheck, MarginsCheck,
    CopiesCheck, SecretsCheck, ScoresCheck, SavingCheck, ReplayCheck, ClientsCheck, PicturesCheck,
)  # fmt: skip
#: Those of a whole stack that are checked after the games.
AFTER_GAMES = (ENDING, PROCESSES, TABLES, BOTS, PLANNER)
PROPERTIES: tuple[type[Check] | StackCheck, ...] = (STACK, *CHECKS, *AFTER_GAMES)
#: Those in every position: few, as with large hands there are many actions.
IN_POSITIONS: tuple[type[Check], ...] = (CourseCheck, CountsCheck)
IN_LATE: tuple[type[Check], ...] = (*IN_POSITIONS, OffersCheck, RefusalsCheck, NumbersCheck)
IN_LAST_TURNS: tuple[type[Check], ...] = (*IN_LATE, EventsCheck, SecretsCheck, ScoresCheck, PicturesCheck)
#: The positions with further checks.
OF_POSITION = {None: CHECKS, "late": IN_LATE, LONG_ROUTES: (*IN_LAST_TURNS, MarginsCheck), LAST_TURNS: IN_LAST_TURNS}


def check_variant(
    *stack: object,
    players: int | Sequence[int] | None = None,
    games: int = 2,
    seed: int = 1,
    rulings: Mapping[str, object] | None = None,
    skip: Sequence[str] = (),
    on_progress: Callable[[str], object] = lambda text: None,
) -> VariantReport:
    """Check a variant: play seeded random games of it and check everything that must hold for any variant.

    The stack is given as to `compile_rules`: names, variants, their classes, or modules with one variant. For every
    number of players, or for those in `players`, `games` games are played with seeds counting up from `seed`, so that a
    second call does the same. Bots play a few more. `skip` names properties to leave out (they are in
    `property_names()`): "secrets" if a variant shows hidden tickets or cards on purpose, "planner" if bots cannot be
    expected to play it well. `on_progress` is called now and then with what is being checked.

    Raises `VariantError` with everything that was found: what to fix, in which class, and how to reproduce it.
    Returns what was checked, with advice on what makes games slow.

    >>> report = check_variant("new-york", players=2, games=1)
    >>> report.games, "secrets" in report.checks
    (1, True)
    """
    names = property_names()
    for name in skip:
        if name not in names:
            raise InvalidInputError(f"there is no property {name!r} to skip; there are {', '.join(names)}")
    if games < 1:
        raise InvalidInputError(f"at least one game is to be played, not {games}")
    try:
        rules = compile_rules(*stack, rulings=rulings)
    except PluginError as error:
        raise VariantError(stack_name(stack), [Problem(STACK.name, str(error))]) from error
    trial = Trial(stack, rules, player_counts(rules, players), seed)
    problems = [] if STACK.name in skip else STACK.find(trial)
    actions = 0
    if not problems:
        problems, actions = _play_games(trial, games, [kind for kind in CHECKS if kind.name not in skip], on_progress)
    skipped = list(skip)
    for check in AFTER_GAMES:
        if not problems and check.name not in skip:
            on_progress(f"checking {check.name}")
            try:
                problems = check.find(trial)
            except SkipTest:
                skipped.append(check.name)
            except PluginError as error:
                problems = [Problem(check.name, f"this could not be checked to the end: {describe_error(error)}")]
    trial.fail_for(problems)
    held = tuple(name for name in names if name not in skipped)
    return VariantReport(spell_stack(rules), len(trial.players) * games, actions, held, tuple(skipped), advise(trial))


def property_names() -> tuple[str, ...]:
    """The names of all properties, for `skip`.

    >>> "secrets" in property_names()
    True
    """
    return tuple(check.name for check in PROPERTIES)


def player_counts(rules: Rules, players: int | Sequence[int] | None) -> tuple[int, ...]:
    """The numbers of players to check, each once."""
    if players is None:
        return tuple(range(rules.components.min_players, rules.components.max_players + 1))
    counts = (players,) if isinstance(players, int) else tuple(dict.fromkeys(players))
    if not counts:
        raise InvalidInputError("players is empty: give a number of players, or several")
    return counts


def _play_games(
    trial: Trial, games: int, kinds: Sequence[type[Check]], on_progress: Callable[[str], object]
) -> tuple[list[Problem], int]:
    """Play so many games for each number of players, then positions.

    Returns the problems, and the actions of whole games.
    """
    problems: list[Problem] = []
    actions = 0
    plans: list[tuple[int, int, str | None]] = []
    plans += [(players, trial.seed + number, None) for players in trial.players for number in range(games)]
    plans += [(trial.players[0], trial.seed, position) for position in POSITIONS if position != LAST_TURNS]
    plans += [(players, seed, LAST_TURNS) for players, seed in trial.last_turns]
    for players, seed, position in plans:
        if _breaks_off(problems) or (problems and position):
            break  # these games need not end
        try:
            run = Run(trial, players, seed, position)
        except Exception as error:
            if position not in ARRANGED:
                raise
            # A position that is refused is told by advice, or by the property `tables`.
            if not isinstance(error, InvalidTableError):
                problems.append(failed_position(trial, players, seed, position, error))
            continue
        here = OF_POSITION.get(position, IN_POSITIONS)
        broken = {problem.check for problem in problems}
        told = {problem.message for problem in problems}
        found = run_checks(run, [kind for kind in kinds if kind in here and kind.name not in broken], on_progress)
        problems += [problem for problem in found if problem.message not in told]
        actions += 0 if position else run.number
    return problems, actions


def _breaks_off(problems: Iterable[Problem]) -> bool:
    """A game of these problems is broken off: its course or a key is wrong, or a part has less than nothing of something."""
    broken = (CourseCheck.name, CountsCheck.name)
    return any(problem.check in broken or problem.message.endswith(INTO_KEY) for problem in problems)


def run_checks(
    run: Run, kinds: Sequence[type[Check]], on_progress: Callable[[str], object] = lambda text: None
) -> list[Problem]:
    """Play one game while checks follow it. A check that found something is not run any further.

    A game whose course is broken is stopped, since it need not end. An error that several checks run into is told once.
    """
    game = run.game
    problems: list[Problem] = []
    of_errors: dict[str, Problem] = {}

    def holds(look: Callable[[], None], check: Check, action: int) -> bool:
        if _breaks_off(problems):
            return False  # what else does not hold follows from that
        try:
            look()
        except CheckFailed as broken:
            problems.append(run.problem(check.name, str(broken), action))
        except Exception as error:
            if where_raised(error) not in of_errors:
                problem = run.problem(check.name, _not_checked(game, error), action)
                of_errors[where_raised(error)] = problem
                problems.append(problem)
        else:
            return True
        return False

    checks = [check for check in (kind(run) for kind in kinds) if holds(check.start, check, 0)]
    is_whole = run.position in (None, *ARRANGED)
    begun: list[Event] = []
    if is_whole and checks and not holds(lambda: begun.extend(game.events), checks[0], 0):
        return problems
    events: Sequence[Event] = begun
    checks = [check for check in checks if holds(partial(check.after, events), check, 0)]
    while run.goes_on:
        number = run.number + 1
        on_progress(f"{run.players} players, seed {run.seed}, {run.position or 'whole game'}: action {number}")
        if number > MOST_ACTIONS:
            text = f"this game does not end: {MOST_ACTIONS} actions were played. Something must run out in every game"
            return [*problems, run.problem(CourseCheck.name, text, MOST_ACTIONS)]
        try:
            action = run.picks.next(game)
        except Exception as error:
            return problems or [run.problem(CourseCheck.name, _not_checked(game, error), number)]
        run.begin(action)
        checks = [check for check in checks if holds(partial(check.before, action), check, number)]
        try:
            events = game.play(action)
        except Exception as error:
            others = [problem for problem in problems if problem is not of_errors.get(where_raised(error))]
            return [*others, run.problem(CourseCheck.name, cannot_be_played(game, action, error), number)]
        checks = [check for check in checks if holds(partial(check.after, events), check, number)]
        if _breaks_off(problems):
            return problems
    for check in checks if is_whole and not game.to_act else ():
        holds(check.end, check, run.number)
    return problems


def _not_checked(game: Game, error: Exception) -> str:
    """The rule whose numbers are wrong, so that no actions can be listed, else the error."""
    for decision in game.state.pending:
        try:
            check_numbers(game.state, decision)
        except CheckFailed as broken:
            return str(broken)
        except Exception:  # the error says more
            break
    return f"this could not be checked to the end: {describe_error(error)}"
