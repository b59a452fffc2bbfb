"""The bot that searches: it plays every stack, repeats itself, sees no secrets, and beats the planner."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from helpers import arranged, rules_of
from official import QUICK
from plugins import excursions
from plugins.coins import CoinsPlugin
from test_bots import redealt

import ttr_rules as ttr
from ttr_rules.engine import legal_actions, view_of
from ttr_rules.hints import ActionValue, BotHint
from ttr_rules.plugins import ActionRule, Transaction, Variant, hookimpl
from ttr_tools.bots import Bot, Player, SearchBot, load_bot, play_game
from ttr_tools.bots.search import play_out


def begin(rules: ttr.Rules, players: int, seed: int, cars: int) -> ttr.Game:
    """A game played by planners until somebody has few cars left."""
    game = ttr.new_game(rules=rules, players=players, seed=seed)
    bots = [Bot(seat) for seat in range(players)]
    while min(game.state.cars) > cars:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), rules, game.legal_actions(seat)))
    return game


def search(game: ttr.Game, choices: int) -> None:
    """Let the seats that act search for some choices."""
    for number in range(choices):
        seat = game.to_act[0]
        bot = SearchBot(f"{number} {seat}", iterations=1)
        game.play(bot.choose(game.view(seat), game.rules, game.legal_actions(seat)))


@pytest.mark.slow
@pytest.mark.thorough_but("united-kingdom", "nordic-countries", "europe+dice")
@pytest.mark.parametrize("stack", QUICK, ids="+".join)
def test_it_plays_every_kind_of_stack(stack: tuple[str, ...]) -> None:
    """Tickets at the beginning, and turns near the end."""
    rules = rules_of(*stack)
    players = rules.components.min_players
    if stack in (("europe",), ("pennsylvania",)):
        search(ttr.new_game(rules=rules, players=players, seed=1), 1)
    search(begin(rules, players, 1, cars=9), 2)


@pytest.mark.slow
@pytest.mark.thorough_but("coins")
@pytest.mark.parametrize("plugins", [(CoinsPlugin(),), (excursions,)], ids=["coins", "excursions"])
def test_it_plays_with_plugins(plugins: tuple[object, ...]) -> None:
    rules = ttr.compile_rules("north-america", *plugins)
    search(ttr.new_game(rules=rules, players=3, seed=2), 3)
    search(begin(rules, 3, 2, cars=9), 3)


class Note(ttr.Action):
    """An action that cannot be hashed."""

    words: dict[str, int]


class NoteRule(ActionRule[ttr.Turn, Note]):
    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[Note]:
        return [Note(decision.seat, {"notes": 1})]

    def refusal(self, state: ttr.State, decision: ttr.Turn, action: Note) -> ttr.Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Note) -> None:
        """Nothing happens."""


class Notes(Variant, name="notes"):
    @hookimpl
    def actions(self, rules: ttr.Rules) -> Sequence[NoteRule]:
        return (NoteRule(),)

    @hookimpl
    def hints(self, rules: ttr.Rules) -> Sequence[BotHint]:
        return (ActionValue(Note, lambda view, rules, action: 100),)


def test_actions_of_plugins_need_not_be_hashable() -> None:
    game = arranged(ttr.compile_rules("europe", Notes()), {"hand": {"red": 4}}, {}, turns_left=2)
    choices = [
        bot.choose(game.view(0), game.rules, game.legal_actions()) for bot in (Bot(1), SearchBot(1, iterations=1))
    ]
    assert choices[0] == Note(0, {"notes": 1}), "the search bot tries what the planner would do"
    assert choices[1] in list(game.legal_actions())


@pytest.mark.slow
def test_the_same_seed_gives_the_same_choices() -> None:
    game = begin(rules_of("north-america"), 2, 3, cars=9)
    again = game.copy()
    for each in (game, again):
        search(each, 4)
    assert game.moves == again.moves


@pytest.mark.slow
def test_a_choice_depends_on_nothing_that_the_seat_does_not_see() -> None:
    rules = rules_of("europe")
    game = begin(rules, 3, 4, cars=9)
    seat, random = game.to_act[0], Random(7)
    other = redealt(game.state, seat, random)
    assert other != game.state
    seen, also_seen = game.view(seat), view_of(other, game.players, seat)
    chosen = SearchBot(1, iterations=4).choose(seen, rules, game.legal_actions(seat))
    assert SearchBot(1, iterations=4).choose(also_seen, rules, legal_actions(other, seat)) == chosen


def test_choosing_changes_nothing() -> None:
    game = begin(rules_of("north-america"), 2, 5, cars=9)
    before, (seat,) = game.copy(), game.to_act
    SearchBot(0, iterations=4).choose(game.view(seat), game.rules, game.legal_actions(seat))
    assert game == before


def test_it_sees_what_the_planner_does_not() -> None:
    """In the last turn a route of three spaces is worth more than one of four, as it makes the path longest."""
    mine = {
        "routes": ["atlanta-nashville-gray", "nashville-saint_louis-gray", "chicago-saint_louis-green"],
        "hand": {"red": 4},
    }
    game = arranged("north-america", mine, {"routes": ["duluth-helena-orange"]}, turns_left=1, draw_pile=["blue"] * 4)
    view, actions = game.view(0), game.legal_actions(0)
    results = {}
    bots: tuple[Player, ...] = (Bot(1), SearchBot(1, iterations=20))
    for bot in bots:
        after = game.copy()
        after.play(bot.choose(view, game.rules, actions))
        assert after.final_scores is not None
        results[type(bot).__name__] = after.final_scores.players[0].total
    assert results["SearchBot"] > results["Bot"]
    best = 0
    for action in actions:
        after = game.copy()
        after.play(action)
        if after.final_scores is not None:
            best = max(best, after.final_scores.players[0].total)
    assert results["SearchBot"] == best


def test_a_playout_ends_the_game_that_it_was_given() -> None:
    game = ttr.new_game(rules=rules_of("north-america"), players=2, seed=1)
    state = game.state
    totals = play_out(game.rules, state, game.players, game.legal_actions(0)[0], [Bot(0), Bot(1)])
    assert not state.pending and len(totals) == 2 and min(totals) > 40


@pytest.mark.thorough
def test_it_scores_more_than_the_planner() -> None:
    rules = rules_of("north-america")
    ahead = 0
    for seed in range(4):
        game = ttr.new_game(rules=rules, players=2, seed=seed, first_seat=0)
        bots: list[Player] = [SearchBot(seed, iterations=16), Bot(seed)]
        mine = seed % 2
        play_game(game, bots[::-1] if mine else bots)
        assert game.final_scores is not None
        ahead += game.final_scores.players[mine].total - game.final_scores.players[1 - mine].total
    assert ahead > 0


@pytest.mark.parametrize("iterations", [0, -1, 2.5, "many", True])
def test_iterations_are_a_number(iterations: object) -> None:
    with pytest.raises(ttr.InvalidInputError, match="iterations is a whole number of at least 1, not"):
        SearchBot(1, iterations=iterations)  # type: ignore[arg-type]


def test_what_it_cannot_choose_from() -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=1)
    with pytest.raises(ttr.InvalidInputError, match="at least"):
        SearchBot(1).choose(game.view(None), game.rules, game.legal_actions(0))
    assert repr(load_bot("search:iterations=12")("Ada")) == "SearchBot('Ada', iterations=12)"
