"""Checks of a stack before any game, and of its bots; advice on speed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import attrs

from ttr_rules import Rules, State, View
from ttr_rules.errors import PluginError
from ttr_rules.events import Event
from ttr_rules.model import Action, Decision, DrawTickets
from ttr_rules.play import Game, Move, new_game
from ttr_rules.plugins import Variant, compile_rules, shortages
from ttr_tools.bots import Bot, Player, play_game
from ttr_tools.testing.names import class_name, describe_error, owner_name
from ttr_tools.testing.runs import MOST_ACTIONS, Picks, Problem, StackCheck, Trial, played

#: How many actions of two games are compared; some games do not end.
MOST_COMPARED = 600
PLANNER_GAMES = 4
CLEARLY_MORE = 1.5  #: How many times the points of the others.
MOST_PICKS = 20
#: How far the game goes in which conditions are asked: routes have been claimed, and many are open.
ACTIONS = 60
#: More lines than this take longer than what the engine itself does to count the claims of a seat.
MOST_LINES = 60


# -- before any game -------------------------------------------------------------------------------------------------


class DoNothing(Variant, name="does-nothing"):
    """Nothing: a stack is the same with it."""


def find_in_stack(trial: Trial) -> list[Problem]:
    """The problems of a stack before any game."""
    rules, box = trial.rules, trial.rules.components
    messages = [*_find_types(rules), *_find_idle(rules)]
    for count in trial.players:
        if not box.min_players <= count <= box.max_players:
            messages.append(f"components says {box.min_players} to {box.max_players} players, not {count}")
        messages += [
            f"{shortage}; deal less, add tickets, or lower max_players in components"
            for shortage in shortages(rules, count)
        ]
    if not messages and (message := _compile_again(trial)):
        messages = [message]
    return [Problem(STACK.name, message) for message in messages]


def _find_types(rules: Rules) -> Iterator[str]:
    """Types that are no values, or lack what every type of their kind has."""
    for kind in rules.types.values():
        if not attrs.has(kind) or "__attrs_attrs__" not in vars(kind):
            yield f"{class_name(kind)} of {owner_name(rules, kind)} must be an attrs class: write @frozen above it"
        elif issubclass(kind, Event) and not callable(getattr(kind, "effect", None)):
            yield f"the event {class_name(kind)} has no effect: give it a static method effect(state, …)"
        elif not issubclass(kind, Event) and "seat" not in {field.name for field in attrs.fields(kind)}:
            what = "decision" if issubclass(kind, Decision) else "action"
            yield f"the {what} {class_name(kind)} has no field seat"


def _find_idle(rules: Rules) -> list[str]:
    """Plugins of the stack that should adjust something but do not, and have no note that says so."""
    return [
        f"plugin {name!r} adjusts {answer.hook!r}, but gives back what it is given: in this stack it changes nothing. Let it "
        f"raise a PluginError for what it cannot adjust, or say so in its notes: '{name}: …'"
        for answer in rules.provenance
        for name in answer.unchanged
        if name in rules.requested and not any(note.startswith(f"{name}:") for note in rules.notes)
    ]


def _compile_again(trial: Trial) -> str | None:
    """Compile the stack and play it once more, beside a plugin that does nothing."""
    rules = trial.rules
    again = compile_rules(*trial.stack, DoNothing(), rulings=trial.rulings)
    beginning = "compiled a second time, together with a plugin that does nothing, the stack"
    if again.fingerprint != rules.fingerprint:
        return (
            f"{beginning} gives other rules: a hook depends on something else than its arguments (chance, the clock, the "
            "order of a set, the plugins beside it)"
        )
    try:
        first, second = (
            played(rules=compiled, players=trial.players[0], actions=MOST_COMPARED) for compiled in (rules, again)
        )
        same = first.events == second.events and first.final_scores == second.final_scores
    except Exception:  # the checks that follow games say why
        return None
    if same:
        return None
    return (
        f"{beginning} plays another game from the same seed: an action rule keeps something from game to game, or chance "
        "does not come from tx.shuffled and tx.roll"
    )


# -- bots ------------------------------------------------------------------------------------------------------------


class _TooLongError(Exception):
    """A game of bots that does not end."""


def find_in_bots(trial: Trial) -> list[Problem]:
    """What keeps bots from playing one game to its end."""
    players, seed = trial.players[0], trial.seed
    game = new_game(rules=trial.rules, players=players, seed=seed)
    message = _play_with_bots(game)
    if message is None:
        return []
    again = f"ttr_rules.play_game(ttr_rules.new_game({trial.arguments(players, seed)}))"
    return [Problem(BOTS.name, message, players, seed, len(game.moves), again)]


def _play_with_bots(game: Game, players: Sequence[Player] | None = None) -> str | None:
    """Play a game with these players, or bots; returns what keeps them from its end."""

    def count(move: Move) -> None:
        if len(game.moves) > MOST_ACTIONS:
            raise _TooLongError

    try:
        play_game(game, players, count)
    except _TooLongError:
        return f"bots play {MOST_ACTIONS} actions, and the game does not end: an ActionValue that never falls to 0 has this effect"
    except PluginError as error:
        return str(error)
    except Exception as error:
        return f"a bot cannot play on: {describe_error(error)}"
    return None


class _Chance:
    """Takes any action, but more tickets only if it must: those it fails would let the worst planner look good."""

    def __init__(self, seed: int | str) -> None:
        self._picks = Picks(seed)

    def choose(self, view: View, rules: Rules, actions: Sequence[Action], /) -> Action:
        action = self._picks.action(actions)
        for _ in range(MOST_PICKS):
            if not isinstance(action, DrawTickets):
                break
            action = self._picks.action(actions)
        return action


def find_in_planner(trial: Trial) -> list[Problem]:
    """The planner hardly beats chance: the variant leaves it helpless."""
    players, seed = trial.players[0], trial.seed
    mine, theirs = 0, 0.0
    for number in range(seed, seed + PLANNER_GAMES):
        game = new_game(rules=trial.rules, players=players, seed=number)
        message = _play_with_bots(game, [Bot(number), *(_Chance(f"{number} {seat}") for seat in range(1, players))])
        if message is not None:
            return [Problem(PLANNER.name, message, players, number)]
        assert game.final_scores is not None
        planner, *others = game.final_scores.players
        mine += planner.total
        theirs += sum(player.total for player in others) / len(others)
    if mine > max(CLEARLY_MORE * theirs, 0):
        return []
    message = (
        f"in {PLANNER_GAMES} games the planner scores {mine} points, and players who take any action {theirs:.0f}: it does not "
        "know how to play this variant. Give hints; let a claim_refusal that closes routes only for now have "
        f"lasting=False; or skip the property {PLANNER.name!r}, which says that bots cannot play this well"
    )
    return [Problem(PLANNER.name, message, players, seed)]


STACK = StackCheck(
    "stack", "the stack compiles to the same rules each time, and serves every number of players", find_in_stack
)
BOTS = StackCheck("bots", "bots play a game to its end, with the hints that plugins give them", find_in_bots)
PLANNER = StackCheck("planner", "the planner scores clearly more than a player who takes any action", find_in_planner)


# -- speed -----------------------------------------------------------------------------------------------------------


def advise(trial: Trial) -> tuple[str, ...]:
    """Which conditions on claims execute much Python in every turn, and what to do about it.

    The lines of Python that they execute are counted, so that every machine says the same.
    """
    rules, players = trial.rules, trial.players[0]
    conditions: tuple[Any, ...] = rules.claim_conditions
    if not conditions:
        return ()
    state = played(rules=rules, players=players, seed=trial.seed, actions=ACTIONS).state
    advice: list[str] = []
    for condition in conditions:
        lines = max(_count_lines(condition, state, seat) for seat in range(players))
        if condition.closed is None:
            advice.append(
                f"claim_refusal of {condition.name!r} is asked about every open route, at least twice a turn: add claim_key, "
                "what its answers depend on, or closed_routes"
            )
        elif lines > MOST_LINES:
            advice.append(
                f"to find the routes that {condition.name!r} closes takes {lines} lines of Python, at least twice a turn: keep "
                "them in a part of the state, updated in the effects of events, and return them in closed_routes"
            )
    return tuple(advice)


def _count_lines(condition: Any, state: State, seat: int) -> int:
    """How many lines of Python a condition executes when it is asked for the second time: the first may fill tables."""
    routes = state.open[seat]
    condition.mask(state, seat, routes)
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        condition.mask(state, seat, routes)
    finally:
        sys.settrace(before)
    return lines
