"""Checks of a stack before any game, checks of its bots, and advice on speed."""

from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import chain
from operator import sub
from statistics import mean, stdev
from typing import TypeAlias
from unittest import SkipTest

import attrs

from ttr_rules import Rules, State, View, compile_rules
from ttr_rules.actions import ClaimRule, economy_layers
from ttr_rules.engine import advance, running_scores
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.hidden import missing
from ttr_rules.hints import ActionValue, RouteCosts, RouteValues
from ttr_rules.model import Action, ClaimRoute, Decision, DrawTickets, Pass, Turn
from ttr_rules.parts import keys_of
from ttr_rules.play import Game, arrange, new_game, score
from ttr_rules.plugins import Choice, Economy, EconomyLayer, PaidRule, Variant
from ttr_rules.plugins.stack_checks import shortages
from ttr_rules.train_cards import CardPiles, TrainCards
from ttr_tools.bots import Bot, Player, play_game
from ttr_tools.bots.evaluation import Evaluation
from ttr_tools.bots.planner import Options
from ttr_tools.testing.names import class_name, describe_error, full_text, is_core, mark, rule_name, short
from ttr_tools.testing.play import check_boxes, check_cars, counts
from ttr_tools.testing.positions import Table, arrange_last_turns, required_table
from ttr_tools.testing.runs import (
    AFTER_POSITION,
    FEW_READ,
    LAST_TURNS,
    LONG_ROUTES,
    MOST_READ,
    CheckFailed,
    Picks,
    Problem,
    StackCheck,
    StallingPicks,
    Trial,
    arrange_position,
    begin,
    blaming,
    played,
    sample_actions,
)

PLANNER_GAMES = 4
MOST_PICKS = 20
CLEARLY_MORE, FAR_MORE = 1.5, 3  #: times the points of the others
#: The hooks that tell bots what actions and routes are worth.
HINTS = ("hints", "route_values")
#: The part of another planner's points that is clearly less, and the number of further games that must show it.
CLEARLY_LESS, MORE_GAMES = 0.8, 8
#: How many times the rounds without hints games between bots take if they drag on, and how many games must show it.
DRAGGING, LONG_GAMES = 1.5, 3
#: Random players end games early if games between bots take more than this many times as many rounds.
EARLY = 2


# -- before any game -------------------------------------------------------------------------------------------------


class DoNothing(Variant, name="does-nothing"):
    """Nothing: a stack is the same with it."""


def look_at_stack(trial: Trial) -> Iterable[str]:
    """What is wrong with a stack before any game."""
    rules, box = trial.rules, trial.rules.components
    messages = [*_find_idle(rules), *dict.fromkeys(_find_unpayable(rules))]  # once for rules of several decisions
    for count in trial.players:
        if not box.min_players <= count <= box.max_players:
            messages.append(f"components says {box.players_text}, not {count}")
        cure = "deal less, add tickets, or lower max_players in components"
        messages += [f"{shortage}; {cure}" for shortage in shortages(rules, count)]
    return messages or _compile_again(trial)


def _find_idle(rules: Rules) -> list[str]:
    """Plugins of the stack that should adjust something but do not, and have no note that says so."""
    return [
        f"plugin {name!r} adjusts {answer.hook!r}, but gives back what it is given: in this stack it changes nothing. Let it "
        f"raise a PluginError for what it cannot adjust, or say so in its notes: '{name}: …'"
        for answer in rules.provenance
        for name in answer.unchanged
        if name in rules.requested and not any(note.startswith(f"{name}:") for note in rules.notes)
    ]


def _find_unpayable(rules: Rules) -> Iterator[str]:
    """Describe what no train cards ever pay for, of each rule the first thing, where nothing else pays."""
    cards = rules.economy
    if not isinstance(cards, TrainCards) or not cards.inherits("powers", "payments", "prices"):
        return
    for rule in chain.from_iterable(answer.by_action.values() for answer in rules.answers.values()):
        if not isinstance(rule, PaidRule) or isinstance(rule, ClaimRule):
            continue
        if type(rule).make_prices is not vars(PaidRule)["make_prices"]:
            continue
        pairs = list(rule.every(rules))
        payable = {thing for thing, cost in pairs if cards.bill(cost).examples()}
        for thing, cost in [(thing, cost) for thing, cost in pairs if thing not in payable][:1]:
            what = rule.action.__name__ if thing == () else f"{rule.action.__name__} of {thing!r}"
            yield (
                f"{what} is never payable on this map: no hand pays {cost}. Where locomotives pay in tunnels only, they pay "
                "for it with tunnel=True, or alone with only_wilds=True"
            )
        for _, cost in pairs if cards.inherits("readings") and not cards.more_readings else ():
            if cost.color is not None and cost.color not in cards.kinds and not (cost.any_cards or cost.colors):
                costs = f"{rule.action.__name__} costs {cost.color} cards"
                yield f"{costs}, of which there are none: the colors are {', '.join(cards.colors)}"


def _compile_again(trial: Trial) -> Iterator[str]:
    """Compile the stack once more, beside a plugin that does nothing.

    Whether games are the same is for `replay` to find.
    """
    again = compile_rules(*trial.stack, DoNothing(), rulings=trial.rulings)
    if again.fingerprint != trial.rules.fingerprint:
        yield (
            "compiled a second time, together with a plugin that does nothing, the stack gives other rules: a hook depends on "
            "something else than its arguments (chance, the clock, the order of a set, the plugins beside it)"
        )


# -- tables and positions --------------------------------------------------------------------------------------------


#: Values that hardly any key of a table has: a plugin reports them.
JUNK: tuple[object, ...] = (
    "", "nowhere", -1, 0, 999, 10**9, True, 1.5, None, [], ["nowhere"], [-1], [[1]], {}, {"nowhere": -1}, {"nowhere": ["nowhere"]},
)  # fmt: skip
#: Values that a key may have.
SMALL = range(1, 10)


def look_at_tables(trial: Trial) -> Iterator[str]:
    """Keys of tables and positions that fail at some value, beginning with a position without keys of plugins."""
    rules, required = trial.rules, required_table(trial.rules)
    _check_position(rules, required)
    without = {"a position": READINGS["a position"](rules, required)}
    # A table may be refused, as may that of an unfinished game.
    with blaming("a table in which nobody has anything yet cannot be scored"), suppress(InvalidTableError):
        without["a table"] = score(rules, required)
    with (
        blaming("a game that ends before anybody has claimed a route cannot be played to its end"),
        suppress(InvalidTableError),
    ):
        _play_to_the_end(rules, required)
    owned: list[tuple[type[object], Iterable[str], Iterable[str]]] = [
        (kind, *keys_of(kind)) for kind in rules.part_types
    ]
    for layer in economy_layers(rules.economy):
        # A layer has the keys of those below it, too; its class has its own alone.
        named = type(layer) if isinstance(layer, EconomyLayer) else layer
        owned.append((type(layer), named.player_keys, named.part_keys))
    for owner, player_keys, part_keys in owned:
        keys = [*((key, "of a player") for key in player_keys), *((key, "of parts") for key in part_keys)]
        for key, where in keys:
            is_scored = not issubclass(owner, Economy) or key in rules.economy.score_keys
            read = {name: result for name, result in without.items() if is_scored or name != "a table"}
            if message := _try_values(rules, required, key, where, read):
                yield f"{class_name(owner)} {message}"


def _check_position(rules: Rules, required: Table) -> None:
    """A position without keys of plugins, but those that are required, can be arranged."""
    try:
        arrange(rules, {**required, "seed": 1})
    except InvalidTableError as error:
        if required["parts"] or any(len(player) > 1 for player in required["players"]):
            raise CheckFailed(
                f"no position can be arranged with the keys that are required, nor with their examples: {error}"
            ) from error
    except Exception as error:
        raise CheckFailed(
            f"no position can be arranged, not even an empty one: {describe_error(error)}. A position begins with a turn: "
            "on_turn_start is called, on_deal, on_game_start and on_round_start are not. Move what they prepare to Part.set_up, "
            "or declare the key of a field required=True"
        ) from error


def _play_to_the_end(rules: Rules, required: Table) -> None:
    """Play a game that ends before anybody has claimed a route."""
    rounds = rules.components.rounds
    late = {"turns_left": 1} if rounds is None else {"round": rounds}
    game = arrange(rules, {**required, "seed": 1, **late})
    while game.to_act and game.played < MOST_STALLED:
        actions = sample_actions(game.legal_actions(game.to_act[0]))
        game.play(next((action for action in actions if not isinstance(action, ClaimRoute)), actions[0]))


def failed_position(trial: Trial, players: int, seed: int, position: str, error: Exception) -> Problem:
    """The problem of an arranged position that failed with an error, or that of an empty position if it fails, too."""
    try:
        _check_position(trial.rules, required_table(trial.rules))
    except CheckFailed as failed:
        return Problem(TABLES.name, str(failed))
    what = "the keys of parts hold something" if position == LAST_TURNS else "hands are large"
    message = f"a position in which {what} cannot be arranged: {describe_error(error)}"
    return Problem(TABLES.name, message, players, seed, 0, trial.again(players, seed, 0, position))


#: The ways to read a table with keys: their names, and functions with a result that can be compared.
READINGS: Mapping[str, Callable[[Rules, Mapping[str, object]], object]] = {
    "a position": lambda rules, table: arrange(rules, {**table, "seed": 1}).state,
    "a table": score,
}


def _try_values(rules: Rules, required: Table, key: str, where: str, without: Mapping[str, object]) -> str | None:
    """Describe the first value of a key at which reading a table fails, or say that no value is refused or used.

    `without` has the ways in which the key is read, each with its result without the key.
    """
    begun = {name: count for state in without.values() if isinstance(state, State) for name, count, _ in counts(state)}
    is_refused, used, accepted = set[str](), set[object](), set[object]()
    for value in (*JUNK, *SMALL):
        if where == "of a player":
            first, *others = required["players"]
            table = {**required, "players": [{**first, key: value}, *others]}
        else:
            table = {**required, "parts": {**required["parts"], key: value}}
        for name, plain in without.items():
            try:
                result = READINGS[name](rules, table)
            except InvalidTableError:
                is_refused.add(name)
                continue
            except Exception as error:
                return (
                    f"fails at the key {key!r} {where} in {name} if it is {value!r}: {describe_error(error)}. Its arrange checks "
                    "what is written, and tells what is wrong with report.add(place, problem)"
                )
            if value in SMALL:
                (accepted if result == plain else used).add(value)
            for field, count, _ in counts(result) if isinstance(result, State) else ():
                if count < 0 < begun.get(field, 0):
                    return f"accepts {value!r} under the key {key!r} {where}, with {field} at {count}: refuse it with report.add(place, problem)"
    for name in without:
        if name not in is_refused:
            return (
                f"accepts whatever is written under the key {key!r} {where} in {name}, such as {JUNK[-1]!r}. Let its arrange read the "
                "key, and tell what is wrong with report.add(place, problem)"
            )
    if len(accepted) > 1 and not used:
        return f"reads the key {key!r} {where}, but no number that it accepts changes anything: emit an event that writes it into a part"
    return None


# -- games without end -----------------------------------------------------------------------------------------------

#: The number of actions in a game that players draw out, four times as many while hands grow, as that ends; and how often their
#: points are compared in its second half.
MOST_STALLED = 400
COMPARED = 10
#: So many actions of a game are played before players draw it out with routes of their own.
BEGUN = 100
#: The extra turns that a seat may have in a game in which it does everything for them, and the options of a question that are tried.
MOST_HELD, OPTIONS_TRIED = 40, 3


def look_at_endings(trial: Trial) -> None:
    """No game scores forever if nobody claims a route and everybody passes, or acts, as often as possible.

    Once nobody can do anything useful, it ends.
    """
    players, seed = trial.players[0], trial.seed
    for passing, begun, position in ((True, 0, ""), (True, BEGUN, ""), (True, 0, "poor"), (False, 0, "")):
        if position:
            game = arrange_position(trial.rules, players, seed, position)
        else:
            game = played(rules=trial.rules, players=players, seed=seed, actions=begun)
        picks = StallingPicks(seed, passing)
        try:
            for limit in (game.played + MOST_STALLED, 2 * MOST_STALLED, 4 * MOST_STALLED):
                message, goes_on = _find_endless_points(game, picks, limit)
                if not goes_on:
                    break
        except Exception as error:
            message = f"a game in which hardly any route is claimed cannot be played on: {describe_error(error)}"
            raise CheckFailed(message, players, seed, game.played + 1) from error
        if message:
            does, when = "passes" if passing else "acts", f" after {begun} actions" if begun else ""
            empty = "all hands are empty, " if position else ""
            message = f"if {empty}nobody claims a route{when} and everybody {does} who may, the game does not end, and is paid: {message}"
            raise CheckFailed(message, players, seed, game.played)
        if not trial.rules.may_pass and not any(isinstance(move.action, Pass) for move in game.moves):
            break  # nobody may pass, so the other game is the same
    _check_held_turn(trial)
    for position in ("stuck", "drained") if trial.rules.components.rounds is None else ():
        try:
            _check_stuck(trial, position)
        except CheckFailed:
            raise
        except Exception as error:  # hardly any game comes to this, so what else fails in it is not a mistake
            if str(error).startswith("goes_on of"):
                raise CheckFailed(str(error)) from error


def _check_held_turn(trial: Trial) -> None:
    """No seat keeps the turn as long as it likes: it takes what grants it another one, and passes or draws in between."""
    players, seed = trial.players[0], trial.seed
    game, picks = new_game(rules=trial.rules, players=players, seed=seed), StallingPicks(seed, passing=True)
    held, holder, granting = 0, -1, ""
    with suppress(Exception):  # it is told where the actions are checked
        while game.to_act and game.played < MOST_STALLED and held <= MOST_HELD:
            seat = picks.seat(game)
            state, legal = game.state, game.legal_actions(seat)
            asked = state.decision(seat)
            if asked is not None and not is_core(type(asked)):
                own = [*legal[:OPTIONS_TRIED], *legal[-1:]]
            else:
                one_of_each = {type(action): action for action in sample_actions(legal, FEW_READ)}
                own = [action for kind, action in one_of_each.items() if not is_core(kind)]
            better = next((action for action in own if _grants(state, action)), None)
            if seat != holder and isinstance(asked, Turn):
                held, holder = 0, seat
            if better is not None:
                held, granting = held + 1, type(better).__name__
            elif not granting and game.played > MOST_HELD:
                return  # nothing grants turns, or not soon
            game.play(better or picks.action(legal))
    if held > MOST_HELD:
        message = (
            f"seat {holder} can keep the turn: {granting} has given it {held} extra turns, with passes and draws in between. Let what "
            "tx.grant_turn takes run out"
        )
        raise CheckFailed(message, players, seed, game.played)


def _grants(state: State, action: Action) -> bool:
    """True if an action grants its seat another turn."""
    after = state.copy()
    advance(after, action)
    return after.turns_granted + after.extra_turns > state.turns_granted + state.extra_turns


def _find_endless_points(game: Game, picks: StallingPicks, most: int) -> tuple[str, bool]:
    """Play on until `most` actions, and describe how points rose in the second half while nobody claimed, if they did.

    Points that an action of a plugin gives to others do not count, as whoever plays it may stop. Also returns true if hands
    have grown in that time. Cards run out, and perhaps the points with them.
    """
    half, points, told = most // 2, list[list[int]](), list[list[int]]()
    cars, held = game.state.cars, 0
    scores, given = running_scores(game.state), [0] * len(game.players)
    while game.to_act and game.played < most:
        if game.played == half:
            cars, held = game.state.cars, _count_hand_cards(game)
        if game.played >= half and game.played % (half // COMPARED) == 0:
            told.append(scores)
            points.append(list(map(sub, scores, given)))
        action = picks.next(game)
        game.play(action)
        before, scores = scores, running_scores(game.state)
        for seat, more in enumerate(map(sub, scores, before)):
            given[seat] += 0 if seat == action.seat or is_core(type(action)) else max(more, 0)
    told.append(scores)
    points.append(list(map(sub, scores, given)))
    # Points that also fall, as with loans that are paid back, need not grow forever.
    rising = any(list(column) == sorted(column) and column[0] < column[-1] for column in zip(*points, strict=True))
    if not game.to_act or cars != game.state.cars or not rising:
        return "", False
    actions = Counter(type(move.action).__name__ for move in game.moves[-half:])
    message = (
        f"after {half} actions the points are {told[0]}, and {told[-1]} after {most} (mostly "
        f"{actions.most_common(1)[0][0]}). Let what gives the points run out, or the game end: Components(rounds=…), "
        "tx.begin_last_round"
    )
    return message, _count_hand_cards(game) > held


def _count_hand_cards(game: Game) -> int:
    """The number of train cards in all hands."""
    state = game.state
    return sum(state.part(CardPiles).hand_sizes) if state.has_part(CardPiles) else 0


def _check_stuck(trial: Trial, position: str) -> None:
    """A game ends without cards and tickets to draw (R4): no action stays legal for ever, nor is passing endless.

    With cards in hand nobody claims.
    """
    players, seed, kinds = trial.players[0], trial.seed, Counter[type[Action]]()
    is_drained = position == "drained"
    limit = 3 * MOST_STALLED if is_drained else MOST_STALLED
    game, picks = arrange_position(trial.rules, players, seed, position), StallingPicks(seed, passing=False)
    if is_drained and not game.state.has_part(CardPiles):
        return
    points, cars = running_scores(game.state), list(game.state.cars)
    for number in range(limit):
        if not game.to_act or (is_drained and cars != game.state.cars):
            return
        seat = picks.seat(game)
        decision, legal = game.decision(seat), game.legal_actions(seat)
        action = picks.least(decision, legal) if is_drained else picks.action(legal)
        if number >= limit // 2 and not is_drained:
            kinds.update({type(action) for action in sample_actions(legal)})
        elif number >= limit // 2 and isinstance(decision, Turn):
            kinds[type(action)] += 1
        game.play(action)
    if any(now < before for now, before in zip(running_scores(game.state), points, strict=True)):
        return  # what costs points is not done for ever
    others = [kind for kind in kinds if kind is not Pass]
    lasts = bool(others) if is_drained else sum(kinds[kind] for kind in others or kinds) >= limit // 2
    if not lasts or any(map(is_core, others)):
        return
    why = "nobody can do anything but pass, and a turn skipped (tx.end_round) or granted (tx.grant_turn) resets the count of passes"
    if others:
        stays = max(others, key=kinds.__getitem__).__name__
        why = f"{stays} stays legal, so nobody ever has to {'claim a route' if is_drained else 'pass'}"
    raise CheckFailed(
        f"if no train cards and tickets are left, the game does not end (R4): {why}. Limit this, or end the game with "
        "Components(rounds=…) or tx.begin_last_round"
    )


# -- another process -------------------------------------------------------------------------------------------------

#: The number of actions of a game whose offers are compared in another process. Events and scores are compared to its end.
MOST_ELSEWHERE = 120
#: The positions whose courses are compared, besides those of two whole games, and how many endings.
COMPARED_ELSEWHERE, ENDINGS = (LONG_ROUTES, "spending", "late"), 4
#: A game by its number of players, its seed and its position.
Course: TypeAlias = tuple[int, int, str | None]
#: The number of an action, and marks of what is compared before it, by what to say if they differ: the first that does is told.
Moment: TypeAlias = tuple[int, dict[str, str]]
_ELSEWHERE = """
import json, pickle, sys
sys.path[:], rules, games = pickle.load(sys.stdin.buffer)
from ttr_tools.testing.stack import play_elsewhere
print(json.dumps(play_elsewhere(rules, games)))
"""
_NOT_THERE = "the plugins cannot be imported in another process"
_SORT = "Sort the items of a set before they are listed, dealt or chosen from"
_CAUSE = "something depends on the order of a set, or on hash or id"


def look_at_processes(trial: Trial) -> None:
    """Games are the same in two processes, whose sets have another order."""
    games: list[Course] = [(players, seed, None) for players, seed in trial.last_turns]
    games += [(trial.players[0], trial.seed, position) for position in COMPARED_ELSEWHERE]
    games += [(trial.players[0], trial.seed + more, LAST_TURNS) for more in range(ENDINGS)]
    try:
        given = pickle.dumps((sys.path, pickle.dumps(trial.rules), games))
    except Exception as error:
        raise SkipTest(_NOT_THERE) from error
    answers: list[list[list[Moment]]] = []
    for hash_seed in ("1", "2"):
        done = subprocess.run(  # noqa: S603 (the Python that runs this)
            [sys.executable, "-c", _ELSEWHERE],
            input=given,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=False,
        )
        if done.returncode != 0:
            raise SkipTest(_NOT_THERE)
        answer: list[list[Moment]] | str = json.loads(done.stdout.splitlines()[-1])  # plugins may print before
        if isinstance(answer, str):
            raise CheckFailed(f"compiled in another process, the stack gives other rules: {answer}. {_SORT}")
        answers.append(answer)
    for (players, seed, position), *courses in zip(games, *answers, strict=True):
        for (number, here), (_, there) in zip(*courses, strict=False):
            for told in {**here, **there} if here != there else ():
                if here.get(told) != there.get(told):
                    again = trial.again(players, seed, number, position)
                    raise CheckFailed(f"{told}. {_SORT}", players, seed, number, again)


def play_elsewhere(pickled: bytes, games: Sequence[Course]) -> list[list[Moment]] | str:
    """The courses of games of pickled rules, or why they are other rules here. Fails if they cannot be imported."""
    try:
        rules: Rules = pickle.loads(pickled)  # noqa: S301 (from the process that started this one)
    except PluginError as error:
        return str(error)
    return [list(_course(rules, *game)) for game in games]


def _course(rules: Rules, players: int, seed: int, position: str | None) -> Iterator[Moment]:
    """What is offered at each action of a seeded game and what happened before it, then its end.

    From a position only some actions are played, and errors are ignored: it may be refused, or be impossible.
    """
    with suppress(Exception) if position else nullcontext():
        game, picks = begin(rules, players, seed, position)
        last = len(game.moves) + AFTER_POSITION
        while game.to_act and (position is None or len(game.moves) <= last):
            choices = game.legal_actions(picks.seat(game))
            is_listed = len(game.moves) <= MOST_ELSEWHERE or position
            offered = sample_actions(choices, FEW_READ if position else MOST_READ) if is_listed else ()
            yield _moment(game, offered)
            game.play(picks.action(choices))
        yield _moment(game, is_last=True)


def _moment(game: Game, offered: Sequence[Action] = (), *, is_last: bool = False) -> Moment:
    """What is compared at a moment of a game: offers by type, the events of the last action by type, all of them, and the end."""
    texts: dict[str, list[str]] = {}
    for kind, one in {type(action): action for action in offered}.items():
        rule = rule_name(game.rules, game.decision(one.seat), one)
        told = f"{rule}: in another process, offers lists {kind.__name__} in another order, or others"
        texts[told] = [str(action) for action in offered if type(action) is kind]
    action, events = game.last_move.action, game.last_move.events
    what = "the set-up is another one" if action is None else f"{short(action)} has other effects"
    for event in events:
        texts.setdefault(f"in another process, {what} in {type(event).__name__}: {_CAUSE}", []).append(str(event))
    texts[f"in another process, {what}: {_CAUSE}"] = [str(event) for event in events]
    for name, part in game.view(None).parts.items() if is_last else ():
        told = f"in another process, what all see of {name} is in another order: an effect goes through a set"
        texts[told] = [full_text(part)]
    if is_last and (scores := game.final_scores):
        for sheet in scores.players:
            for name, entry in chain(*[lines.items() for lines in (sheet.terms, sheet.bonuses, sheet.bonus_details)]):
                told = f"in another process, the final scores for {name} differ: {_CAUSE}"
                texts.setdefault(told, []).append(full_text(entry))
        texts[f"in another process, the final scores differ: {_CAUSE}"] = [full_text(scores)]
    return len(game.moves) - 1, {told: mark(listed) for told, listed in texts.items()}


# -- bots ------------------------------------------------------------------------------------------------------------


def look_at_bots(trial: Trial) -> None:
    """Bots play one game to its end, and nothing gets lost in it: they claim long routes."""
    players, seed = trial.players[0], trial.seed
    game = new_game(rules=trial.rules, players=players, seed=seed)
    try:
        complete = [pool for pool, items in missing(game.state).items() if not items]
        _play_with_bots(game)
        check_boxes(game.state, complete, "a game between bots")
        check_cars(game.state, "a game between bots")
    except CheckFailed as failed:
        again = f"{trial.again(players, seed, 0)}, then ttr_tools.bots.play_game"
        raise CheckFailed(str(failed), players, seed, len(game.moves), again) from failed


def _play_with_bots(game: Game, players: Sequence[Player] | None = None) -> None:
    """Play a game with these players, or bots. Raises `CheckFailed` if something keeps them from its end."""
    try:
        play_game(game, players)
    except PluginError as error:
        raise CheckFailed(str(error)) from error
    except Exception as error:
        check_cars(game.state, "moves of bots")
        raise CheckFailed(f"a bot cannot play on: {describe_error(error)}") from error


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


class _Planner(Bot):
    """The planner, which also notes whether a route was closed to it for ever."""

    is_shut_out = False

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        self.is_shut_out = self.is_shut_out or any(view.barred.values())
        return super().choose(view, rules, actions)


class _Patient(Bot):
    """A planner that takes no route for lost because it is closed."""

    def choose(self, view: View, rules: Rules, actions: Sequence[Action]) -> Action:
        return super().choose(attrs.evolve(view, barred=dict.fromkeys(view.barred, False)), rules, actions)


class _Unadvised(Bot):
    """A planner that no hint tells what an action or a route is worth."""

    def answer(self, evaluation: Evaluation, options: Options, chance: float) -> Action:
        evaluation.values.clear()
        evaluation.shortages.wanted.clear()
        options.forget_values()
        return super().answer(evaluation, options, chance)


def look_at_planner(trial: Trial) -> None:
    """The planner plays no worse than it would if plugins told it something else, and clearly beats chance."""
    first = range(trial.seed, trial.seed + PLANNER_GAMES)
    is_told = any(answer.by for answer in trial.rules.provenance if answer.hook in HINTS)
    few = first if is_told else first[: PLANNER_GAMES // 2]
    mine, theirs, shut_out = _points(trial, _Planner, few)
    if few != first and (shut_out or sum(mine) <= FAR_MORE * theirs):  # half of the games do not say enough
        mine, theirs, shut_out = _points(trial, _Planner, first)
    _check_misleading(trial, mine, shut_out)
    _check_rounds(trial)
    ours = sum(mine)
    if ours <= max(CLEARLY_MORE * theirs, 0):
        others = _others(trial)  # they may be partners of either
        ours, theirs = (sum(_points(trial, make, first, others)[0]) for make in (Bot, _Chance))
    if ours <= max(CLEARLY_MORE * theirs, 0):
        raise CheckFailed(
            f"in {PLANNER_GAMES} games the planner scores {ours} points, and a player who acts at random in its place "
            f"{theirs:.0f}: the planner does not know how to play this variant. Give hints; let a claim_refusal that closes "
            f"routes only for now have lasting=False; or skip the property {PLANNER.name!r}, which says that bots cannot play this well"
        )


def _check_misleading(trial: Trial, points: Sequence[int], shut_out: bool) -> None:
    """Nothing that plugins say makes the planner score clearly less than without it."""
    games = range(trial.seed, trial.seed + PLANNER_GAMES + MORE_GAMES)
    refusals = [f"claim_refusal of {condition.name!r}" for condition in trial.rules.claim_conditions if shut_out]
    for make, misleading, otherwise, cure in (
        (_Patient, refusals, "if it gives up none of the closed routes",
         "where the seat may be able to claim the route later, return Refusal(…, lasting=False)"),
        (_Unadvised, [*_values(trial.rules)], "without that", "let a value promise neither more nor fewer points than its action or route brings"),
    ):  # fmt: skip
        if not misleading or not _is_clearly_less(points, _points(trial, make, games[: len(points)])[0]):
            continue
        mine, better = _points(trial, Bot, games)[0], _points(trial, make, games)[0]
        if _is_clearly_less(mine, better) and _is_beyond_chance(mine, better):
            raise CheckFailed(
                f"in {len(games)} games the planner scores {sum(mine)} points, and {sum(better)} {otherwise}: "
                f"{' or '.join(misleading)} made it play worse; {cure}"
            )


def _check_rounds(trial: Trial) -> None:
    """With the values that plugins tell bots, games between them do not last far longer than without."""
    values, rounds, without = [*_values(trial.rules)], 0, 0
    for seed in range(trial.seed, trial.seed + LONG_GAMES) if values else ():
        rounds += _rounds(trial, Bot, seed)
        without += _rounds(trial, _Unadvised, seed)
        if rounds <= DRAGGING * without:
            return
    if values:
        raise CheckFailed(
            f"{LONG_GAMES} games between bots take {rounds} rounds, and {without} if they are not told what actions are worth: "
            f"with {' or '.join(values)}, they put off the end; a value is what the action brings in points, less what it costs, "
            "and a turn that it takes costs three or four points"
        )


def _others(trial: Trial) -> Callable[[str], Player]:
    """The opponents in the comparison of the planner with a random player.

    They are random players, unless those end games too early.
    """
    seeds = range(trial.seed, trial.seed + LONG_GAMES)
    chance, bots = (sum(_rounds(trial, make, seed) for seed in seeds) for make in (_Chance, Bot))
    return Bot if EARLY * chance < bots else _Chance


def _rounds(trial: Trial, make: Callable[[int], Player], seed: int) -> int:
    """The rounds of a game between as many bots as can play it.

    The more there are, the longer they can put off the end.
    """
    players = max(trial.players)
    game = new_game(rules=trial.rules, players=players, seed=seed)
    _play_with_bots(game, [make(seed) for _ in range(players)])
    return game.state.round


def _values(rules: Rules) -> Iterator[str]:
    """The values of actions and routes that plugins tell bots, as their authors know them."""
    worths = {kind.action: f"{kind.__name__}.worth" for kind in rules.answers if issubclass(kind, Choice)}
    for hint in rules.bot_hints:
        if isinstance(hint, ActionValue):
            name = worths.get(hint.action, f"the ActionValue of {hint.action.__name__}")
            yield f"{name} of {getattr(hint.value, 'plugin', '?')!r}"
        elif isinstance(hint, RouteValues):
            yield f"route_values of {getattr(hint.values, 'plugin', '?')!r}"


def _is_clearly_less(points: Sequence[int], others: Sequence[int]) -> bool:
    """Tell whether the points of some games are clearly less than others, which may be below zero."""
    return sum(points) < sum(others) - (1 - CLEARLY_LESS) * abs(sum(others))


def _is_beyond_chance(points: Sequence[int], others: Sequence[int]) -> bool:
    """Tell whether the mean difference in the same games is more than two standard errors."""
    gains = [other - mine for mine, other in zip(points, others, strict=True)]
    return mean(gains) > 2 * stdev(gains) / math.sqrt(len(gains))


def _points(
    trial: Trial, make: Callable[[int], Player], seeds: Iterable[int], against: Callable[[str], Player] = _Chance
) -> tuple[list[int], float, bool]:
    """The points of a player in games against others, the average of theirs, and whether it is shut out.

    The others play at random by default.
    """
    mine: list[int] = []
    theirs, shut_out = 0.0, False
    players = trial.players[0]
    for seed in seeds:
        game, bot = new_game(rules=trial.rules, players=players, seed=seed), make(seed)
        _play_with_bots(game, [bot, *(against(f"{seed} {seat}") for seat in range(1, players))])
        assert game.final_scores is not None
        planner, *others = game.final_scores.players
        mine.append(planner.total)
        theirs += sum(player.total for player in others) / len(others)
        shut_out = shut_out or getattr(bot, "is_shut_out", False)
    return mine, theirs, shut_out


STACK = StackCheck("stack", look_at_stack)
ENDING = StackCheck("ending", look_at_endings)
PROCESSES = StackCheck("processes", look_at_processes)
TABLES = StackCheck("tables", look_at_tables)
BOTS = StackCheck("bots", look_at_bots)
PLANNER = StackCheck("planner", look_at_planner)


# -- speed -----------------------------------------------------------------------------------------------------------


#: What to write instead of payments that are listed, by the kind of economy.
SLOW_PAYMENTS: Mapping[type[Economy], str] = {
    EconomyLayer: "say in alternatives what is paid with pieces of the layer, or in cost what changes, or override prices",
    TrainCards: "say in readings which cards pay, or override prices",
}

#: If a key is new in more than this share of the turns, caching helps little.
OFTEN_NEW = 1 / 5
#: What the methods of a rule for the claims of turns are asked about, and what to write instead.
OF_CLAIM_RULES: Mapping[str, tuple[str, str]] = {
    "route_refusal": (
        "every route that can be paid for, each turn",
        "write the hook claim_refusal, with claim_key or closed_routes",
    ),
    "cost": ("every route at every decision", "write the hook claim_cost, with claim_key"),
}


def _keyless(trial: Trial) -> Mapping[str, str]:
    """The plugins whose claim answers have no key, a key that is mostly None, or one that changes often, each with the cure."""
    rules = trial.rules
    keys = {condition.name: condition.key for condition in rules.claim_conditions}
    keys |= {change.name: change.key for change in rules.cost_changes}
    key_functions = {name: key for name, key in keys.items() if key is not None}
    turns, without, new = 0, Counter[str](), Counter[str]()
    known = {name: set[tuple[int, Hashable]]() for name in key_functions}
    for seed in (trial.seed, trial.seed + 1) if key_functions else ():
        game, picks = new_game(rules=rules, players=trial.players[0], seed=seed), Picks(seed)
        turns, without, new = 0, Counter[str](), Counter[str]()  # in the second game
        while game.to_act:
            seat = picks.seat(game)
            if isinstance(game.decision(seat), Turn):
                turns += 1
                for name, key in key_functions.items():
                    value = key(game.state, seat)
                    without[name] += value is None
                    new[name] += (seat, value) not in known[name]
                    known[name].add((seat, value))
            game.play(picks.action(game.legal_actions(seat)))
    cures = dict.fromkeys(keys.keys() - key_functions.keys(), "add claim_key, what its answers depend on")
    none = "its claim_key is mostly None, with which nothing is cached: give a value there, what its answers depend on"
    many = f"its claim_key has had {{}} new values in the {turns} turns of a second game, so little is cached: let it depend on less"
    cures |= {name: many.format(count) for name, count in new.items() if count > OFTEN_NEW * turns}
    return cures | {name: none for name, count in without.items() if 2 * count > turns}


def advise(trial: Trial) -> tuple[str, ...]:
    """Name what is asked far too often in a turn, costs that bots are not told, and what never came up.

    Each comes with the cure.
    """
    rules, keyless = trial.rules, _keyless(trial)
    claims = rules.answers[Turn].by_action[ClaimRoute]
    constant = isinstance(claims, ClaimRule) and claims.constant_tariff is not None
    slow = [change.name for change in rules.cost_changes if change.name in keyless and not constant]
    advice = [f"claim_cost of {name!r} is asked about every route at every decision: {keyless[name]}" for name in slow]
    advice += [
        f"payments of {type(layer).__name__} lists every payment for everything that is for sale, several times a turn: {cure}"
        for layer in economy_layers(rules.economy)
        for kind, cure in SLOW_PAYMENTS.items()
        if isinstance(layer, kind) and type(layer).payments is not kind.payments and type(layer).prices is kind.prices
    ]
    advice += [
        f"claim_refusal of {condition.name!r} is asked about every route that can be paid for, each turn: "
        f"{keyless[condition.name]}, or add closed_routes"
        for condition in rules.claim_conditions
        if not condition.has_closed_routes and condition.name in keyless
    ]
    advice += [
        f"{method} of {type(claims).__name__} is asked about {often}: {cure}"
        for method, (often, cure) in OF_CLAIM_RULES.items()
        if isinstance(claims, ClaimRule) and getattr(type(claims), method) is not getattr(ClaimRule, method)
        if not (method == "cost" and constant)
    ]
    by_action = chain.from_iterable(answers.by_action.items() for answers in rules.answers.values())
    paid = {kind for kind, rule in by_action if isinstance(rule, PaidRule)}
    advice += [
        f"refuse of an Around of {plugin!r} is asked about every payment for {kind.__name__}: write refuse_all if it does "
        "not look at the action"
        for plugin, around in rules.around
        for kind in around.actions
        if around.refuse is not None and kind in paid
    ]
    if not any(isinstance(hint, RouteCosts) for hint in rules.bot_hints):
        advice += [
            f"bots do not know what claim_cost of {change.name!r} makes of the costs of routes: tell them in hints with "
            "RouteCosts.of_hook"
            for change in rules.cost_changes
        ]
    return (*advice, *_never_held(trial), *_never_played(trial))


def _never_held(trial: Trial) -> Iterator[str]:
    """Name the keys of plugins that the check could not fill in before the last round, because their values were refused."""
    rules = trial.rules
    owners = {key: kind for kind in rules.part_types for key in chain(*keys_of(kind)) if not _is_known(kind)}
    refused: dict[str, dict[int, str]] = {}  # by the number of players, what is wrong
    for players, seed in trial.last_turns:
        try:
            problems = arrange_last_turns(rules, players, seed)[1]
        except InvalidTableError as error:
            problems = dict.fromkeys(owners, error.problems[0])
        for place, problem in problems.items():
            refused.setdefault(place.rpartition(".")[2], {})[players] = problem
    for key in [key for key in owners if key in refused]:
        yield (
            f"the check could not fill in the key {key!r} of {class_name(owners[key])} with {', '.join(map(str, sorted(refused[key])))} players: "
            f"what was written is refused ({[*refused[key].values()][-1]}). So it was not checked there: declare the field with an example= that "
            "is accepted, or test a position with the key yourself. For a key of `player_keys` or `part_keys` the example is in its `KeyHelp`"
        )


def _is_known(kind: type[object]) -> bool:
    """True for what comes with the library."""
    return is_core(kind) or kind.__module__.startswith("ttr_variants.")


def _of_other_variants(rules: Rules) -> Iterator[type[Decision]]:
    """The choices that stand in one module with a variant that is not in the stack, and may be its own."""
    here, kinds = tuple(map(type, rules.plugins.values())), [Variant]
    for kind in kinds:
        kinds += kind.__subclasses__()
    others = {kind.__module__ for kind in kinds if not any(issubclass(variant, kind) for variant in here)}
    choices: set[object] = {*Choice.every_kind}
    return (kind for kind in rules.answers if kind in choices and kind.__module__ in others)


def _never_played(trial: Trial) -> Iterator[str]:
    """Name the decisions and actions of plugins that never came up in the games, unless they come with the library."""
    cure = "little of it was checked. Play more games, or test it in an arranged position"
    others = {*_of_other_variants(trial.rules)}
    played = {asked for asked, _ in trial.played}
    for decision, answers in trial.rules.answers.items():
        if decision not in played:
            if not _is_known(decision) and decision not in others:
                yield f"{decision.__name__} was never asked: {cure}"
            continue
        for action in () if decision in others else answers.by_action:
            if not _is_known(action) and (decision, action) not in trial.played:
                yield f"{action.__name__} was never played for {decision.__name__}: {cure}"
