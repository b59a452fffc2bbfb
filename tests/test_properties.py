"""Whole games of drawn actions, on both boards, with two to five players: what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playing import Watch, check_choices, check_mutants, frozen, open_routes, told_open

import ttr_rules as ttr
from ttr_rules.errors import GameOverError, InvalidTableError
from ttr_rules.model import CARD_COLORS, Card

BOARDS = ("north-america", "europe")
# Games are long: a failing one is told by its seed and its picks, not shrunk for minutes.
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
players = st.integers(2, 5)
seeds = st.integers(-(2**64), 2**64) | st.text(alphabet="abc XYZ 019 äß Łódź 東京 -_'\"", max_size=8)
MOST_ACTIONS = 5000
WHOLE_DECK = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


def pick(data: st.DataObject, choices: object) -> int:
    return data.draw(st.integers(0, len(choices) - 1))  # type: ignore[arg-type]


@pytest.mark.slow_cases("north-america")
@pytest.mark.rule("P1", "S1", "S2", "S7", "S8", "C3", "C5", "C6", "D7", "E1", "K2", "R4")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, data=st.data())
def test_a_drawn_game_keeps_every_invariant(stack: str, count: int, seed: int | str, data: st.DataObject) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=seed)
    watch = Watch(game)
    assert watch.cards == WHOLE_DECK
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        seat = data.draw(st.sampled_from(game.to_act)) if len(game.to_act) > 1 else game.to_act[0]
        choices = game.legal_actions(seat)
        watch.play(choices[pick(data, choices)])
    watch.end()


@pytest.mark.slow
@pytest.mark.parametrize("stack", BOARDS)
@pytest.mark.parametrize("ruling", ["face_up_when_exhausted", "second_card_optional", "shuffle_returned_tickets"])
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=st.integers(0, 2**32))
def test_a_game_with_another_ruling_keeps_every_invariant(
    stack: str, ruling: str, count: int, seed: int | str, choice: int
) -> None:
    rules = ttr.compile_rules(stack, rulings={ruling: True})
    game, random = ttr.new_game(rules=rules, players=count, seed=seed), Random(choice)
    watch = Watch(game)
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        choices = game.legal_actions(random.choice(game.to_act))
        watch.play(choices[random.randrange(len(choices))])
    watch.end()


@pytest.mark.slow
@pytest.mark.rule("S4", "D5", "D7", "D8", "R1", "R2", "R3", "R4", "T6")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=4)
@given(count=players, seed=st.integers(0, 2**32), exhausted=st.booleans(), data=st.data())
def test_a_game_with_few_cards_left_keeps_every_invariant(
    stack: str, count: int, seed: int, exhausted: bool, data: st.DataObject
) -> None:
    """Piles run out, rows have gaps, locomotives lie about, players pass: all of it holds there too, and the game ends."""
    rules = ttr.compile_rules(stack, rulings={"face_up_when_exhausted": exhausted})
    random = Random(data.draw(st.integers(0, 2**32)))
    deck = ["locomotive"] * random.randint(0, 14)
    for card in random.sample(list(CARD_COLORS), random.randint(0, 3)):
        deck += [str(card)] * random.randint(0, 12)
    random.shuffle(deck)

    def some(most: int) -> list[str]:
        taken = [deck.pop() for _ in range(min(random.randint(0, most), len(deck)))]
        return taken

    hands = [some(8) for _ in range(count)]
    position = {
        "players": [{"name": f"P{seat}", "hand": {card: hand.count(card) for card in hand}} for seat, hand in enumerate(hands)],
        "face_up": some(5), "discards": some(6), "draw_pile": some(12), "draw_pile_complete": True,
        "seed": seed, "to_act": random.randrange(count),
    }  # fmt: skip
    game = ttr.arrange(rules, position)
    watch = Watch(game)
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        choices = game.legal_actions()
        check_choices(game, game.to_act[0], every=False)
        action = choices[pick(data, choices)]
        if watch.step % 4 == 0:
            check_mutants(game, action, random)
        watch.play(action)
    watch.end()


@pytest.mark.slow
@pytest.mark.rule("B4")
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=st.integers(0, 2**32))
def test_a_game_that_asks_for_lent_routes_keeps_every_invariant(count: int, seed: int | str, choice: int) -> None:
    """R8 "ask": the owners of stations are asked at the end; validator and generator agree there too."""
    from ttr_variants.europe import StationLinks
    from ttr_variants.europe.stations import BuildStation

    rules = ttr.compile_rules("europe", rulings={"station_choice": "ask"})
    game, random = ttr.new_game(rules=rules, players=count, seed=seed), Random(choice)
    watch = Watch(game)
    asked = 0
    while game.to_act:
        assert watch.step < MOST_ACTIONS, "this game does not end"
        seat = random.choice(game.to_act)
        choices = game.legal_actions(seat)
        builds = [action for action in choices if isinstance(action, BuildStation)] if watch.step % 5 == 4 else []
        if isinstance(game.decision(seat), StationLinks):
            asked += 1
            check_choices(game, seat)
            check_mutants(game, choices[0], random)
        watch.play(random.choice(builds) if builds else choices[random.randrange(len(choices))])
    watch.end()
    assert asked, "nobody was asked"


@pytest.mark.slow_cases("north-america")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, data=st.data())
def test_generator_and_validator_agree(stack: str, count: int, seed: int | str, data: st.DataObject) -> None:
    """What is offered is accepted, what is not offered is refused, and refusing changes nothing."""
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=seed)
    random = Random(data.draw(st.integers(0, 2**32)))
    step = 0
    while game.to_act:
        for seat in game.to_act:
            check_choices(game, seat, every=step % 4 == 0)
        seat = data.draw(st.sampled_from(game.to_act)) if len(game.to_act) > 1 else game.to_act[0]
        choices = game.legal_actions(seat)
        action = choices[pick(data, choices)]
        check_mutants(game, action, random)
        game.play(action)
        step += 1
    check_over(game)


def check_over(game: ttr.Game) -> None:
    """After the end nothing is legal, for nobody, whatever it is (E1)."""
    before = frozen(game.state)
    for seat in range(len(game.players)):
        assert tuple(game.legal_actions(seat)) == ()
        for action in (ttr.DrawBlind(seat), ttr.Pass(seat), ttr.DrawTickets(seat), ttr.KeepTickets(seat, ())):
            refusal = game.refusal(action)
            assert refusal is not None and refusal.rule == "E1"
            with pytest.raises(GameOverError):
                game.play(action)
    assert tuple(game.legal_actions()) == ()
    assert frozen(game.state) == before


@settings(PLAYED, max_examples=6)
@given(stack=st.sampled_from(BOARDS), count=players, seed=seeds, choice=st.integers(0, 2**32))
def test_fast_playouts_end_and_agree_with_the_sheet(stack: str, count: int, seed: int | str, choice: int) -> None:
    sheet = ttr.playout(rules_of(stack), count, seed)
    assert len(sheet.players) == count
    assert sheet.winners
    assert ttr.playout(rules_of(stack), count, seed) == sheet
    for player in sheet.players:
        parts = (player.route_points, player.ticket_points, *player.bonuses.values())
        assert player.total == sum(parts) + sum(term.points for term in player.terms.values())
        assert set(player.terms) == ({"stations"} if stack == "europe" else set())


@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=6)
@given(count=players, data=st.data())
def test_open_routes_of_a_drawn_position(stack: str, count: int, data: st.DataObject) -> None:
    """`state.open` of an arranged position is what owners, cars and the number of players say."""
    rules = rules_of(stack)
    routes = data.draw(st.lists(st.sampled_from(list(rules.board.routes)), unique=True, max_size=20))
    cars = data.draw(st.lists(st.integers(0, 45), min_size=count, max_size=count))
    tables: list[dict[str, object]] = [{"name": f"P{seat}", "routes": [], "cars": cars[seat]} for seat in range(count)]
    for number, route in enumerate(routes):
        tables[number % count]["routes"].append(route)  # type: ignore[attr-defined]
    try:
        game = ttr.arrange(rules, {"players": tables, "seed": 1})
    except InvalidTableError as error:
        assert error.problems
        return
    for seat in range(count):
        assert told_open(game.state, seat) == open_routes(game.state, seat)
