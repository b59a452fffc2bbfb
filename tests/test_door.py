"""The hooks are enough: an economy without cards and a mechanic of its own play with Europe's stations, none knowing another.

`plugins/coins.py` pays with coins, `plugins/excursions.py` adds an action with a question, facts, a state part, points and a
last question. Everything they do goes through the public names of `ttr_rules`.
"""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module
from itertools import permutations
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from helpers import keep_all, names_in
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from playing import Watch, check_choices, check_mutants, frozen
from plugins import coins, excursions
from plugins.coins import CoinsPlugin, Donate, Donation, Earn
from plugins.excursions import Album, FramePostcard, KeepPostcard, PostcardChoice, Travel

import ttr_rules as ttr
from ttr_rules.errors import SaveError
from ttr_rules.model import SeededChance, TicketChoice, TicketSetup, TunnelDue
from ttr_rules.plugins import Score
from ttr_rules.train_cards import CardPiles
from ttr_variants.europe import LendRoutes, StationLinks
from ttr_variants.europe.stations import BuildStation, Stations

PUBLIC = (
    "ttr_rules",
    *(
        f"ttr_rules.{name}"
        for name in ("events", "hints", "language", "model", "parts", "plugins", "scores", "actions")
    ),
)
COINS = CoinsPlugin()
STACKS: dict[str, tuple[object, ...]] = {
    "europe+coins": ("europe", COINS),
    "europe+excursions": ("europe", excursions),
    "north-america+excursions": ("north-america", excursions),
    "north-america+coins+excursions": ("north-america", COINS, excursions),
    "europe+coins+excursions": ("europe", COINS, excursions),
}
ALL_ORDERS = list(permutations(("europe", COINS, excursions)))
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
MOST_ACTIONS = 5000


def rules_of(stack: tuple[object, ...], **rulings: object) -> ttr.Rules:
    return ttr.compile_rules(*stack, rulings=rulings or None)


# -- neither knows the other ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plugin", [coins, excursions], ids=lambda plugin: plugin.__name__)
def test_the_plugins_import_the_public_names_of_the_core_alone(plugin: ModuleType) -> None:
    assert plugin.__file__ is not None
    tree = ast.parse(Path(plugin.__file__).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            raise AssertionError(f"line {node.lineno}: a plain import hides which names are used")
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            assert node.module is not None
            if node.module.partition(".")[0] == "ttr_rules":
                assert node.module in PUBLIC, node.module
                assert {name.name for name in node.names} <= {*names_in(import_module(node.module))}
            else:
                assert node.module in ("__future__", "attrs", "collections.abc", "typing"), node.module


def test_the_mechanic_names_no_economy_and_the_economy_no_mechanic() -> None:
    for plugin, words in ((coins, {"excursion", "postcard", "album"}), (excursions, {"coin", "purses"})):
        tree = ast.parse(Path(str(plugin.__file__)).read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for word in (*words, "station", "cardpiles", "hands", "locomotive"):
            assert not [name for name in names if word in name.lower()], f"{plugin.__name__} knows of {word}"


# -- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.thorough_but("europe+coins")
@pytest.mark.parametrize("stack", STACKS)
@settings(PLAYED, max_examples=2)
@given(count=st.integers(2, 5), seed=st.integers(0, 2**32), data=st.data())
def test_whole_games_keep_every_invariant(stack: str, count: int, seed: int, data: st.DataObject) -> None:
    game = ttr.new_game(rules=rules_of(STACKS[stack]), players=count, seed=seed)
    watch = Watch(game)
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        seat = data.draw(st.sampled_from(game.to_act)) if len(game.to_act) > 1 else game.to_act[0]
        choices = game.legal_actions(seat)
        watch.play(choices[data.draw(st.integers(0, len(choices) - 1))])
        check_sums(game)
    watch.end()


def check_sums(game: ttr.Game) -> None:
    """Coins and postcards are conserved: none is made, none below zero, none in two albums."""
    state = game.state
    if coins.Purses in state.parts:
        purses = state.part(coins.Purses)
        assert purses.bank >= 0 and min(purses.coins) >= 0 and purses.laid >= 0
        assert sum(purses.coins) + purses.bank + purses.laid <= coins.BANK_EACH * state.players
        assert CardPiles not in state.parts
        assert purses.laid == 0 or any(isinstance(decision, TunnelDue) for decision in state.pending)
    if Album in state.parts:
        album = state.part(Album)
        everywhere = [*album.left, *(card for cards in album.cards for card in cards)]
        assert Counter(everywhere) == dict.fromkeys(excursions.VALUES, 1)
        waiting = sum(isinstance(decision, PostcardChoice) for decision in state.pending)
        assert sum(map(len, album.cards)) + waiting == len(album.visited)


@pytest.mark.slow
@pytest.mark.thorough_but("europe+coins+excursions")
@pytest.mark.parametrize("stack", STACKS)
@settings(PLAYED, max_examples=1)
@given(count=st.integers(2, 5), seed=st.integers(0, 2**32), choice=st.integers(0, 2**32))
def test_generator_and_validator_agree(stack: str, count: int, seed: int, choice: int) -> None:
    game, random = ttr.new_game(rules=rules_of(STACKS[stack]), players=count, seed=seed), Random(choice)
    step = 0
    while game.to_act:
        for seat in game.to_act:
            check_choices(game, seat, every=step % 3 == 0)
        choices = game.legal_actions(random.choice(game.to_act))
        action = choices[random.randrange(len(choices))]
        check_mutants(game, action, random)
        for foreign in (Earn(action.seat), Donate(action.seat, 1), KeepPostcard(action.seat, "view-1"),
                        FramePostcard(action.seat, "view-1"), Travel(action.seat, "paris", {"coin": 1}),
                        BuildStation(action.seat, "paris", {"coin": 2})):  # fmt: skip
            assert (game.refusal(foreign) is None) == (foreign in list(game.legal_actions(action.seat))), foreign
        game.play(action)
        step += 1


def thinned(choices: list[ttr.Action], random: Random) -> ttr.Action:
    """A random action, of a random kind first: rare kinds are played too."""
    kind = random.choice(sorted({type(action).__name__ for action in choices}))
    return random.choice([action for action in choices if type(action).__name__ == kind])


@pytest.mark.slow
@pytest.mark.thorough_but("ask-2", "best-5")
@pytest.mark.parametrize("count", [2, 5])
@pytest.mark.parametrize("station_choice", ["best", "ask"])
def test_every_order_of_the_stack_gives_the_same_game(count: int, station_choice: str) -> None:
    """The same actions in the same order, the same facts, questions and scores, whatever the order of the stack."""
    games = [
        ttr.new_game(rules=rules_of(stack, station_choice=station_choice), players=count, seed=count)
        for stack in ALL_ORDERS
    ]
    random = Random(count)
    first = games[0]
    kinds: set[type[ttr.Action]] = set()
    asked: set[type[ttr.Decision]] = set()
    while first.to_act:
        seat = random.choice(first.to_act)
        decision = first.decision(seat)
        assert decision is not None
        asked.add(type(decision))
        choices = list(first.legal_actions(seat))
        for game in games[1:]:
            assert game.to_act == first.to_act
            assert list(game.legal_actions(seat)) == choices
        action = thinned(choices, random)
        kinds.add(type(action))
        told = first.play(action)
        for game in games[1:]:
            assert game.play(action) == told
            assert game.state.values() == first.state.values()
    assert {ttr.ClaimRoute, Earn, Travel, KeepPostcard, BuildStation, ttr.DrawTickets} <= kinds
    assert {ttr.Turn, TicketSetup, TicketChoice, PostcardChoice} <= asked
    assert (StationLinks in asked) == (station_choice == "ask")
    for game in games[1:]:
        assert game.final_scores == first.final_scores


@pytest.mark.slow_cases("2-1", "5-0", "5-5")
@pytest.mark.thorough_cases("2-3", "2-5", "2-0", "5-1", "5-2", "5-3", "5-4")
@pytest.mark.parametrize("order", range(len(ALL_ORDERS)))
@pytest.mark.parametrize("count", [2, 5])
def test_last_questions_of_two_plugins_are_all_asked(order: int, count: int) -> None:
    """Owners of stations choose what they lend, owners of postcards frame one, in every order of the stack."""
    rules = rules_of(ALL_ORDERS[order], station_choice="ask")
    game, random = ttr.new_game(rules=rules, players=count, seed=order), Random(order)
    last: list[type[ttr.Action]] = []
    due: tuple[set[int], set[int]] | None = None
    while game.to_act:
        action = thinned(list(game.legal_actions(game.to_act[0])), random)
        if isinstance(action, LendRoutes | FramePostcard):
            if due is None:
                due = owners_of_loans(game), owners_of_postcards(game)
            last.append(type(action))
            check_mutants(game, action, random)
            assert ttr.loads(ttr.dumps(game), rules=rules) == game
        else:
            assert not last, "play went on after the last question"
        game.play(action)
        if due is not None:
            answered = {move.action.seat for move in game.moves if isinstance(move.action, LendRoutes)}
            assert answered <= due[0]
    assert due is not None, "nobody was asked"
    answers = Counter(last)
    assert answers[LendRoutes] == len(due[0])
    assert answers[FramePostcard] == len(due[1])
    assert game.final_scores is not None
    for player in game.final_scores.players:
        album = game.state.part(Album)
        framed = album.framed[player.seat]
        cards = [*album.cards[player.seat], *([framed] if framed else [])]
        assert player.terms["excursions"] == Score(
            sum(excursions.VALUES[card] for card in cards), len(album.cards[player.seat])
        )
        assert player.terms["stations"].points == 4 * player.terms["stations"].count


def owners_of_loans(game: ttr.Game) -> set[int]:
    routes = game.rules.board.routes
    return {
        seat
        for city, seat in game.state.part(Stations).built.items()
        if any(city in routes[id].cities and owner != seat for id, owner in game.state.owners.items())
    }


def owners_of_postcards(game: ttr.Game) -> set[int]:
    return {seat for seat, cards in enumerate(game.state.part(Album).cards) if len(cards) > 1}


# -- what things cost in coins ------------------------------------------------------------------------------------------


def rich(*, players: int = 2, coins_each: int = 40) -> ttr.Game:
    """A game in which everybody has coins, seat 0 to act."""
    game = ttr.new_game("europe", COINS, excursions, players=players, seed=4, first_seat=0)
    keep_all(game)
    state = game.state
    state.part(coins.Purses).coins = [coins_each] * players
    return ttr.Game(state, game.players, game.seed, game.moves)


def cheapest(game: ttr.Game, wanted: type[ttr.Action], name: str) -> int:
    """The one payment for a route or a city, in coins."""
    found = {
        action.payment  # type: ignore[attr-defined]
        for action in game.legal_actions(0)
        if isinstance(action, wanted) and name in (getattr(action, "route", None), getattr(action, "city", None))
    }
    (payment,) = found
    assert set(payment) == {coins.COIN}
    return int(payment.total)


def test_demand_in_the_words_of_the_board_supply_in_coins() -> None:
    game = rich()
    routes = game.rules.board.routes.values()
    plain = next(r for r in routes if not r.tunnel and not r.ferry_locomotives and r.double_group is None)
    double = next(r for r in routes if r.double_group is not None and not r.tunnel)
    ferry = next(r for r in routes if r.ferry_locomotives == 2)
    assert cheapest(game, ttr.ClaimRoute, plain.id) == plain.length
    assert cheapest(game, ttr.ClaimRoute, double.id) == double.length + 1
    assert cheapest(game, ttr.ClaimRoute, ferry.id) == ferry.length + 2
    for number, city in enumerate(("paris", "wien", "roma"), start=1):
        assert cheapest(game, BuildStation, city) == 2 * number
        game.play(next(a for a in game.legal_actions(0) if isinstance(a, BuildStation) and a.city == city))
        while game.to_act != (0,):
            game.play(ttr.DrawTickets(1) if isinstance(game.decision(1), ttr.Turn) else game.legal_actions(1)[0])
        if isinstance(game.decision(0), Donation):
            game.play(Donate(0, 0))
            while game.to_act != (0,):
                game.play(ttr.DrawTickets(1) if isinstance(game.decision(1), ttr.Turn) else game.legal_actions(1)[0])
    assert not any(isinstance(action, BuildStation) for action in game.legal_actions(0))


@pytest.mark.parametrize(("face", "toll"), [("free", 0), ("one", 1), ("two", 2)])
@pytest.mark.parametrize("pays", [True, False])
def test_a_tunnel_asks_for_a_toll_by_the_roll(face: str, toll: int, pays: bool) -> None:
    game = rich()
    tunnel = next(route for route in game.rules.board.routes.values() if route.tunnel and route.double_group is None)
    chance = next(
        seed for seed in range(99) if SeededChance(seed).roll(game.moves[-1].chance_calls, coins.TOLLS) == face
    )
    state = game.state
    state.chance = SeededChance(chance)
    game = ttr.Game(state, game.players, game.seed, game.moves)
    game.play(ttr.ClaimRoute(0, tunnel.id, {coins.COIN: tunnel.length}))
    if not toll:
        assert game.state.owners == {tunnel.id: 0}
        return
    due = game.decision(0)
    assert isinstance(due, TunnelDue) and due.revealed == (face,)
    assert list(game.legal_actions(0)) == [ttr.PayTunnel(0, {coins.COIN: toll}), ttr.AbandonTunnel(0)]
    assert game.state.part(coins.Purses).laid == tunnel.length
    game.play(ttr.PayTunnel(0, {coins.COIN: toll}) if pays else ttr.AbandonTunnel(0))
    assert game.state.owners == ({tunnel.id: 0} if pays else {})
    assert game.state.part(coins.Purses).coins[0] == (40 - tunnel.length - toll if pays else 40)
    assert game.to_act == (0,) and isinstance(game.decision(0), Donation)


def test_the_economy_asks_at_the_end_of_a_turn_and_gives_at_the_beginning() -> None:
    game = rich(coins_each=20)
    game.play(ttr.DrawTickets(0))
    game.play(game.legal_actions(0)[0])
    assert game.decision(0) == Donation(0)
    assert game.decision(1) is None
    game.play(Donate(0, 3))
    assert game.to_act == (1,) and game.state.part(coins.Purses).coins == [17, 20]
    poor = rich(coins_each=0)
    poor.play(ttr.DrawTickets(0))
    poor.play(poor.legal_actions(0)[0])
    assert poor.state.part(coins.Purses).coins == [0, 1]


def test_cards_of_the_replaced_economy_are_no_money() -> None:
    game = rich()
    before = frozen(game.state)
    route = next(route for route in game.rules.board.routes.values() if not route.tunnel)
    for action in (
        ttr.ClaimRoute(0, route.id, {"red": route.length}),
        ttr.ClaimRoute(0, route.id, {"coin": 1, "locomotive": route.length}),
        ttr.DrawBlind(0),
        ttr.DrawFaceUp(0, "red"),
    ):
        assert game.refusal(action) is not None
        with pytest.raises(ttr.IllegalActionError):
            game.play(action)
    assert frozen(game.state) == before


def test_a_round_of_passes_ends_a_game_without_money() -> None:
    """R4: nothing to earn, nothing to pay with, no tickets left: everybody passes and the game ends."""
    game = ttr.new_game("europe", COINS, excursions, players=3, seed=4, first_seat=0)
    keep_all(game)
    state = game.state
    purses = state.part(coins.Purses)
    purses.coins, purses.bank = [0, 0, 0], 0
    state.ticket_piles = {"regular": ()}
    game = ttr.Game(state, game.players, game.seed, game.moves)
    for seat in (0, 1, 2):
        assert list(game.legal_actions()) == [ttr.Pass(seat)]
        game.play(ttr.Pass(seat))
    assert game.is_over


def test_a_saved_game_of_plugins_that_are_not_installed_needs_its_rules() -> None:
    game = ttr.new_game("europe", COINS, excursions, players=2, seed=4)
    text = ttr.dumps(game)
    with pytest.raises(SaveError, match="coins|excursions"):
        ttr.loads(text)
    assert ttr.loads(text, rules=game.rules) == game


@pytest.mark.slow
def test_fast_playouts_of_every_stack_end() -> None:
    for stack in (*STACKS.values(), *ALL_ORDERS):
        for count in (2, 3, 4, 5):
            sheet = ttr.playout(rules_of(stack), count, seed=count)
            assert len(sheet.players) == count and sheet.winners


def test_explain_says_who_pays_and_who_adds() -> None:
    text = rules_of(("europe", COINS, excursions)).explain()
    assert "economy: coins" in text
    assert "actions: core + europe + excursions" in text
    assert "scoring: europe + excursions" in text
    assert "on_game_end: europe + excursions" in text
