"""Choices and observations: every legal action has its place, and a vector has nothing that the view has not."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from helpers import arranged
from official import QUICK
from plugins.made import plugin
from test_decks import TRAINS_AND_LAND

import ttr_rules as ttr
from ttr_rules.engine import legal_actions
from ttr_rules.errors import InvalidInputError
from ttr_rules.model import ToDo
from ttr_rules.sequences import spread
from ttr_tools.learning import Choices, Encoder, NumberedGame
from ttr_tools.learning.encoding import BUCKETS, bucket


def positions(table: NumberedGame, seed: int, actions: int) -> Any:
    """Some positions of a game of random choices."""
    table.begin(seed)
    random = Random(seed)
    for _ in range(actions):
        seat = table.seat
        if seat is None:
            return
        yield seat
        table.play(seat, random.choice(list(table.legal(seat))))


@pytest.mark.parametrize("stack", QUICK, ids=" + ".join)
def test_choices_are_the_legal_actions(stack: tuple[str, ...]) -> None:
    table = NumberedGame(ttr.compile_rules(*stack), players=2)
    choices = table.choices
    for seat in positions(table, seed=2, actions=60):
        state = table.state
        legal = choices.legal(state, seat)
        count = choices.numbers.count(state, seat)
        assert all(0 <= choice < choices.size for choice in legal)
        assert len(set(legal.values())) == len(legal)
        if choices.fixed:
            assert all(choice == number for choice, number in legal.items())
        if len(legal) < count:
            assert sum(choice >= choices.numbers.size for choice in legal) == choices.slots
        actions = [choices.numbers.action(state, seat, number) for number in legal.values()]
        assert set(actions) <= set(legal_actions(state, seat))


def test_more_actions_than_slots_are_spread() -> None:
    rules = ttr.compile_rules("united-kingdom")
    table = NumberedGame(rules, players=2, slots=7)
    full = 0
    for seat in positions(table, seed=1, actions=120):
        listed = table.choices.numbers.legal(table.state, seat)
        numbered = [number for number in listed if number < table.choices.numbers.size]
        others = [number for number in listed if number >= table.choices.numbers.size]
        full += len(others) > 7
        slots = enumerate(spread(others, 7), start=table.choices.numbers.size)
        assert table.choices.legal(table.state, seat) == {**dict(zip(numbered, numbered, strict=True)), **dict(slots)}
    assert full > 10


def test_a_seat_that_waits_has_no_choices() -> None:
    for stack in (["london"], ["london", "dice"]):
        game = ttr.arrange(None, {"stack": stack, "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
        assert Choices(game.rules).legal(game.state, 1) == {}


@pytest.mark.parametrize("stack", QUICK, ids=" + ".join)
def test_vectors_have_the_same_entries_in_every_position(stack: tuple[str, ...]) -> None:
    table = NumberedGame(ttr.compile_rules(*stack), players=3)
    encoder = table.encoder
    assert len(set(encoder.names)) == encoder.size
    seen = np.zeros(encoder.size)
    for _ in positions(table, seed=5, actions=60):
        for seat in range(3):
            vector = table.observation(seat)
            assert vector.shape == (encoder.size,) and vector.dtype == np.float32
            assert np.abs(vector).max() <= 1
            seen += vector != 0
    assert (seen > 0).mean() > 0.2


def test_what_a_vector_says_of_a_position() -> None:
    ada = {"name": "Ada", "hand": {"red": 3}, "tickets": ["paris-wien"], "routes": [["Paris", "Zürich"]]}
    bo = {"name": "Bo", "hand": {"blue": 10}, "tickets": ["berlin-roma"], "stations": ["Wien"]}
    cleo = {"name": "Cleo"}
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [ada, bo, cleo]})
    encoder = Encoder(game.rules, 3)
    seen = [encoder.named(encoder.encode(game.view(seat))) for seat in range(3)]
    for seat in range(3):
        assert seen[seat][f"route.paris-zurich-gray.seat+{(0 - seat) % 3}"] == 1
        assert seen[seat][f"hand_size.seat+{(1 - seat) % 3}"] == 0.5
        assert seen[seat][f"acting.seat+{(0 - seat) % 3}"] == 1
        places = {f".left.seat+{(1 - seat) % 3}": 2 / 7, f".built.wien.seat+{(1 - seat) % 3}": 1 / 6}
        assert all(
            seen[seat][f"part.Stations.{bucket(place, BUCKETS)}"] > least - 1e-6 for place, least in places.items()
        )
    assert seen[0]["hand.red"] == pytest.approx(3 / 13) and seen[1]["hand.red"] == 0
    assert seen[0]["own_ticket.paris-wien"] == 1 and seen[1]["own_ticket.paris-wien"] == 0
    assert seen[0]["decision.Turn"] == 1 and seen[1]["decision.Turn"] == 0 and seen[1]["others_decision.Turn"] == 1


@pytest.mark.parametrize(
    "stack", [("europe",), ("pennsylvania",), ("united-kingdom",), ("london", "dice")], ids="+".join
)
def test_vectors_have_no_secrets(stack: tuple[str, ...]) -> None:
    """Another game that fits what a seat sees gives the same vector."""
    rules = ttr.compile_rules(*stack)
    encoder = Encoder(rules, 2)
    for seed in range(4):
        game, random = ttr.new_game(rules=rules, players=2, seed=seed), Random(seed)
        while game.played < 20 * seed and not game.is_over:
            game.play(random.choice(game.legal_actions(game.to_act[0])))
        for seat in (0, 1):
            view = game.view(seat)
            other = ttr.determinize(view, rules, seed=seed).view(seat)
            assert np.array_equal(encoder.encode(view), encoder.encode(other))


def test_views_that_cannot_be_encoded_are_refused() -> None:
    game = ttr.new_game("london", players=2, seed=1)
    with pytest.raises(InvalidInputError, match="only what a seat sees can be encoded"):
        Encoder(game.rules, 2).encode(game.view(None))
    with pytest.raises(InvalidInputError, match="this encoder is for 3 players, not 2"):
        Encoder(game.rules, 3).encode(game.view(0))


def test_cards_that_lie_open_before_others_are_observed() -> None:
    piles = {"train": ["red"], "terrain": ["forest"]}
    hands = {"hand": {"red": 2, "hill": 1}}, {"hand": {"forest": 3}}
    game = arranged(TRAINS_AND_LAND, *hands, face_up=["red", "red", "blue", "hill"], draw_pile=piles)
    encoder = Encoder(game.rules, 2)
    for seat, own, other in ((0, "hill", "forest"), (1, "forest", "hill")):
        entries = encoder.named(encoder.encode(game.view(seat)))
        lying = {name for name, value in entries.items() if name.startswith("open_hand.") and value}
        assert lying == {f"open_hand.{own}.seat+0", f"open_hand.{other}.seat+1"}
    assert not any(name.startswith("open_hand") for name in Encoder(ttr.compile_rules("europe"), 2).names)


def test_what_waits_for_an_answer_and_what_lies_open_are_observed() -> None:
    game = arranged("europe", {"hand": {"white": 3}}, {"open_tickets": [["Paris", "Wien"]]})
    view = game.view(0)
    claims = [ttr.ClaimRoute(1, route, {"white": 3}) for route in ("frankfurt-paris-white", "paris-zurich-gray")]
    waiting = [ToDo("before", seat=1, what="0", action=claim) for claim in claims]
    moments = [
        view,
        *(evolve(view, todo=(item,)) for item in waiting),
        evolve(view, open_tickets=((), ())),
        evolve(view, open_tickets=(view.open_tickets[1], ())),
    ]
    encoder = Encoder(game.rules, 2)
    assert len({encoder.encode(moment).tobytes() for moment in moments}) == len(moments)


def test_who_learns_sees_the_rounds_that_are_left_in_any_order_of_play() -> None:
    twelve = plugin(
        "twelve",
        components=lambda below, board: evolve(below(), rounds=12, last_round_at=None),
        next_seat=lambda state, seat, following: seat if state.ends_round else following,
    )
    table = NumberedGame(ttr.compile_rules("london", twelve), 3)
    left: list[float] = []
    order: list[int] = []
    for seat in positions(table, 1, 500):
        if isinstance(table.state.decision(seat), ttr.Turn):
            left.append(float(table.encoder.named(table.observation(seat))["rounds.left"]))
            order.append(seat)
    assert left == sorted(left, reverse=True) and left[-1] == 0 < left[0] and len(left) == 36
    assert [order[2:4], order[5:7]] == [[order[2]] * 2, [order[5]] * 2]
