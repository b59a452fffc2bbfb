"""Many games at once: the same results whatever plays them, from seeds that depend on nothing else."""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from importlib.metadata import EntryPoint, EntryPoints
from itertools import permutations
from typing import Any

import pytest
from official import every_map
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.events import CardDrawn, FaceUpTaken, GameEnded, TicketsDrawn, TunnelAbandoned, TurnBegun
from ttr_rules.plugins import Transaction
from ttr_tools.bots import Bot, RandomBot, SearchBot, load_bot, play_game, playing
from ttr_tools.extras import MissingExtraError, extra
from ttr_tools.simulation import GameResult, SeatResult, running, simulate, summarize_game

RANDOM = ["random", "random"]


class Manual(Executor):
    """An executor that makes a call only when its result is asked for, and notes what it was given."""

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.cancelled = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.calls.append(args[1])
        manual = self

        class Later:
            def result(self) -> Any:
                return pickle.loads(pickle.dumps(fn(*pickle.loads(pickle.dumps(args)))))

            def cancel(self) -> bool:
                manual.cancelled += 1
                return True

        return Later()


@pytest.mark.slow
def test_results_are_the_same_whatever_plays_the_games() -> None:
    here = list(simulate("london", RANDOM, games=12, seed=7))
    assert [result.game for result in here] == list(range(12))
    assert len({result.seed for result in here}) == 12
    assert list(simulate("london", RANDOM, 12, 7, Manual())) == here
    with ThreadPoolExecutor(3) as threads:
        assert list(simulate("london", RANDOM, 12, 7, threads)) == here
    assert list(simulate("london", RANDOM, [5, 3], 7)) == [here[5], here[3]]
    assert list(simulate(ttr.compile_rules("london"), ["random", RandomBot], 1, 7))[0].scores == here[0].scores


def test_another_seed_gives_other_games() -> None:
    one, two = (list(simulate("london", RANDOM, games=3, seed=seed)) for seed in (1, 2))
    assert not {result.scores for result in one} & {result.scores for result in two}


@pytest.mark.slow
def test_the_command_line_plays_a_game_of_planners_again() -> None:
    """As the help says: `play --seed 1:2`."""
    result = list(simulate("london", ["planner", "planner"], games=[2], seed=1))[0]
    game = ttr.new_game("london", players=["Ada", "Isambard"], seed=result.seed)
    play_game(game)
    assert game.final_scores is not None
    assert tuple(player.total for player in game.final_scores.players) == result.scores


def test_results_come_one_by_one() -> None:
    results = simulate("london", RANDOM, games=10**9, seed=1)
    assert [next(results).game for _ in range(3)] == [0, 1, 2]
    results.close()


@pytest.mark.slow
def test_long_simulations_are_submitted_bit_by_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "AHEAD", 4)
    executor = Manual()
    results = simulate("london", RANDOM, games=36, seed=1, executor=executor)
    next(results)
    assert executor.calls == [0, 1, 2, 3]
    assert [result.game for result in results] == list(range(1, 36))
    assert executor.calls == list(range(36))


def test_games_that_nobody_waits_for_are_cancelled() -> None:
    executor = Manual()
    results = simulate("london", RANDOM, games=50, seed=1, executor=executor)
    next(results)
    results.close()
    assert executor.cancelled == len(executor.calls) - 1


class Broken:
    """A bot that fails in the middle of one game."""

    def __init__(self, seed: int | str) -> None:
        self.seed = str(seed)

    def choose(self, view: ttr.View, rules: ttr.Rules, actions: Sequence[ttr.Action]) -> ttr.Action:
        if self.seed.startswith("1:2 "):
            raise ZeroDivisionError("a bot's own mistake")
        return actions[0]


@pytest.mark.parametrize("executor", [None, Manual()])
def test_what_came_before_an_error_stands_and_the_error_names_the_game(executor: Manual | None) -> None:
    results = simulate("london", [Broken, "random"], games=5, seed=1, executor=executor)
    assert [next(results).game, next(results).game] == [0, 1]
    with pytest.raises(ZeroDivisionError) as caught:
        next(results)
    assert caught.value.__notes__ == ["in game 2 of a simulation of london, with the seed '1:2'"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("london", "random", 1, 1), "bots are a list"),
        (("london", ["random"], 1, 1), "S1.*2 to 4 players, not 1"),
        (("london", ["random", 7], 1, 1), "a bot is a name, or a class or function"),
        (("london", ["random", "randm"], 1, 1), "no bot 'randm' is installed; did you mean 'random'"),
        (("london", RANDOM, -1, 1), "games are a number of at least 0"),
        (("london", RANDOM, True, 1), "games are a number of at least 0"),
        (("london", RANDOM, 1, 1.5), "a seed is"),
        (("lodnon", RANDOM, 1, 1), "did you mean 'london'"),
    ],
)
def test_what_cannot_be_simulated_is_refused_at_once(arguments: Any, message: str) -> None:
    with pytest.raises(ttr.TTRError, match=message):
        simulate(*arguments)


# -- tournaments ---------------------------------------------------------------------------------------------------


def first_action(seed: int | str) -> Any:
    return Broken("always the first action")


def test_in_a_tournament_every_lineup_comes_once_a_round() -> None:
    bots: list[Any] = ["random", first_action, RandomBot]
    played = list(simulate("london", bots, games=12, seed=1, players=2))
    lineups = [tuple(seat.bot for seat in result.seats) for result in played]
    wanted = set(permutations(["random", "first_action", "RandomBot"], 2))
    assert set(lineups[:6]) == set(lineups[6:]) == wanted
    assert lineups[:6] != lineups[6:]
    assert list(simulate("london", bots, games=[7], seed=1, players=2)) == [played[7]]
    assert list(simulate("london", bots, 12, 1, Manual(), players=2)) == played


@pytest.mark.parametrize(
    ("bots", "players", "message"),
    [
        (["random", "planner"], 3, "games of 3 players need 3 different bots at least, not 2"),
        (["random", "random"], 2, "two bots have the same name: random, random"),
        (["random", "planner"], 1, "S1.*2 to 4 players, not 1"),
    ],
)
def test_tournaments_that_cannot_be_are_refused_at_once(bots: list[str], players: int, message: str) -> None:
    with pytest.raises(ttr.InvalidInputError, match=message):
        simulate("london", bots, 1, 1, players=players)


# -- results -------------------------------------------------------------------------------------------------------


@every_map
def test_a_result_tells_of_every_stack_what_its_sheet_and_its_state_tell(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    count = rules.components.min_players
    game = ttr.new_game(rules=rules, players=count, seed=5)
    with pytest.raises(ttr.InvalidInputError, match="not over"):
        summarize_game(game, ["random"] * count)
    play_game(game, [RandomBot(seat) for seat in range(count)])
    result = summarize_game(game, ["random"] * count)
    assert game.final_scores is not None
    state = game.state
    for seat, sheet in zip(result.seats, game.final_scores.players, strict=True):
        assert (seat.score, seat.rank, sum(seat.points.values())) == (sheet.total, sheet.rank, sheet.total)
        held = [each.ticket for each in result.tickets if each.seat == seat.seat]
        assert held == list(state.tickets[seat.seat])
        at_setup = [each for each in result.tickets if each.seat == seat.seat and each.kept == "set-up"]
        assert len(at_setup) == state.first_tickets[seat.seat]
        routes = {each.route for each in result.routes if each.owner == seat.seat}
        assert routes == {rules.network.route_ids[number] for number in state.routes_of(seat.seat)}
    assert {tuple(seat.points) for seat in result.seats} == {tuple(result.seats[0].points)}
    assert sorted(seat.order for seat in result.seats) == list(range(1, count + 1))
    assert sum(seat.turns for seat in result.seats) == state.turn_number
    assert result.rounds == -(-sum(isinstance(each, TurnBegun) for each in game.events) // count)
    assert [result.ending] == [event.reason for event in game.events if isinstance(event, GameEnded)]
    assert result.margin == max(result.scores) - sorted(result.scores)[-2]
    for seat in result.seats:
        for kind, number in (
            (CardDrawn, seat.blind_draws), (FaceUpTaken, seat.face_up_draws), (TicketsDrawn, seat.ticket_draws),
            (TunnelAbandoned, seat.failed_tunnels),
        ):  # fmt: skip
            assert number == sum(isinstance(event, kind) and event.seat == seat.seat for event in game.events)
    assert all(1 <= each.turn <= result.seats[each.owner].turns for each in result.routes)
    assert pickle.loads(pickle.dumps(result)) == result


class Collapsed(TunnelAbandoned):
    """A kind of a plugin's own."""


def test_events_that_derive_from_counted_ones_count_as_well() -> None:
    def collapse(tx: Transaction, seat: int) -> None:
        tx.emit(Collapsed, seat, "paris-zurich-gray")

    rules = ttr.compile_rules("london", plugin("collapses", on_turn_start=collapse))
    game = ttr.new_game(rules=rules, players=2, seed=5)
    play_game(game, [RandomBot(seat) for seat in range(2)])
    for seat in summarize_game(game, RANDOM).seats:
        assert seat.failed_tunnels == seat.turns


def test_the_margin_is_that_between_the_first_and_the_second() -> None:
    def seat(number: int, score: int, rank: int) -> SeatResult:
        return SeatResult(number, "random", number + 1, score, rank, 1, {})

    def margin(*seats: SeatResult) -> int:
        return GameResult(0, "0", seats, (), (), "last round", 1).margin

    assert margin(seat(0, 20, 3), seat(1, 50, 1), seat(2, 41, 2)) == 9
    assert margin(seat(0, 50, 2), seat(1, 50, 1)) == margin(seat(0, 50, 1), seat(1, 50, 1)) == 0
    assert margin(seat(0, 50, 1)) == 0


def test_a_ticket_drawn_in_play_is_told_from_one_kept_at_setup() -> None:
    results = list(simulate("london", RANDOM, games=5, seed=1))
    assert {ticket.kept for result in results for ticket in result.tickets} == {"set-up", "drawn"}


# -- bots by name --------------------------------------------------------------------------------------------------


class Patient:
    """A bot with an option.

    More about it.
    """

    slow = True

    def __init__(self, seed: int | str, patience: int = 1) -> None:
        self.patience = patience


def test_bots_of_other_packages_are_found_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "some_bots", type("some_bots", (), {"Patient": Patient, "number": 7}))
    points = [
        EntryPoint(name, value, playing.GROUP)
        for name, value in (
            ("patient", "some_bots:Patient"),
            ("gone", "no_such_module:Bot"),
            ("seven", "some_bots:number"),
        )
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: EntryPoints(points).select(group=group))
    bot: Any = load_bot("patient:patience=3")(1)
    assert bot.patience == 3
    for name, problem in {
        "gone": "bot 'gone' cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'",
        "seven": "bot 'seven' is 7, not a class or a function that takes a seed",
        "fast": "no bot 'fast' is installed; installed: gone, patient, seven",
    }.items():
        with pytest.raises(ttr.InvalidInputError, match=problem):
            load_bot(name)


def test_random_bots_choose_any_action_and_repeat_themselves() -> None:
    game = ttr.new_game("london", players=2, seed=1)
    actions = game.legal_actions(0)
    bot, again = RandomBot(3), RandomBot(3)
    chosen = [bot.choose(game.view(0), game.rules, actions) for _ in range(200)]
    assert chosen == [again.choose(game.view(0), game.rules, actions) for _ in range(200)]
    assert {actions.index(each) for each in chosen} == set(range(len(actions)))
    with pytest.raises(ttr.InvalidInputError, match="one legal action"):
        bot.choose(game.view(0), game.rules, [])


def test_the_library_has_its_bots_under_names() -> None:
    assert (load_bot("planner"), load_bot("random"), load_bot("search")) == (Bot, RandomBot, SearchBot)


def test_a_missing_extra_is_named() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'ttr-rules\[data\]'") as caught, extra("data"):
        importlib.import_module("no_such_library")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.library, error.extra, str(error)) == ("no_such_library", "data", str(caught.value))
