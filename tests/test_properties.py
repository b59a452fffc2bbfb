"""Whole games of drawn actions, on both boards, with two to five players: what must hold after every action."""

from __future__ import annotations

from random import Random

import pytest
from helpers import rules_of
from hypothesis import given, settings, strategies as st
from playing import PLAYED, any_action, follow, frozen, open_routes, picks, players, seeds, told_open

import ttr_rules as ttr
from ttr_rules.errors import GameOverError, InvalidTableError
from ttr_rules.model import CARD_COLORS, Card

BOARDS = ("north-america", "europe")
WHOLE_DECK = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.rule("P1", "S1", "S2", "S7", "S8", "C3", "C5", "C6", "D7", "E1", "K2", "R4")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=picks)
def test_a_drawn_game_keeps_every_invariant(stack: str, count: int, seed: int | str, choice: int) -> None:
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=seed)
    assert follow(game, Random(choice), look_every=4).cards == WHOLE_DECK
    check_over(game)


@pytest.mark.slow
@pytest.mark.parametrize("stack", BOARDS)
@pytest.mark.parametrize("ruling", ["face_up_when_exhausted", "second_card_optional", "shuffle_returned_tickets"])
@settings(PLAYED, max_examples=1)
@given(count=players, seed=seeds, choice=picks)
def test_a_game_with_another_ruling_keeps_every_invariant(
    stack: str, ruling: str, count: int, seed: int | str, choice: int
) -> None:
    rules = ttr.compile_rules(stack, rulings={ruling: True})
    follow(ttr.new_game(rules=rules, players=count, seed=seed), Random(choice))


@pytest.mark.slow
@pytest.mark.thorough_but("europe")
@pytest.mark.rule("S4", "D5", "D7", "D8", "R1", "R2", "R3", "R4", "T6")
@pytest.mark.parametrize("stack", BOARDS)
@settings(PLAYED, max_examples=2)
@given(count=players, seed=picks, exhausted=st.booleans(), choice=picks)
def test_a_game_with_few_cards_left_keeps_every_invariant(
    stack: str, count: int, seed: int, exhausted: bool, choice: int
) -> None:
    """Piles run out, rows have gaps, locomotives lie about, players pass: all of it holds there too, and the game ends."""
    rules = ttr.compile_rules(stack, rulings={"face_up_when_exhausted": exhausted})
    random = Random(choice)
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
    follow(ttr.arrange(rules, position), random, look_every=4)


@pytest.mark.slow
@pytest.mark.rule("B4")
@settings(PLAYED, max_examples=2)
@given(count=players, seed=seeds, choice=picks)
def test_a_game_that_asks_for_lent_routes_keeps_every_invariant(count: int, seed: int | str, choice: int) -> None:
    """R8 "ask": the owners of stations are asked at the end; validator and generator agree there too."""
    from ttr_variants.europe import StationLinks
    from ttr_variants.europe.stations import BuildStation

    asked: list[ttr.Decision] = []

    def note(game: ttr.Game) -> None:
        asked.extend(decision for decision in game.state.pending if isinstance(decision, StationLinks))

    def pick(game: ttr.Game, seat: int, random: Random) -> ttr.Action:
        builds = [action for action in game.legal_actions(seat) if isinstance(action, BuildStation)]
        return random.choice(builds) if builds and random.random() < 0.2 else any_action(game, seat, random)

    rules = ttr.compile_rules("europe", rulings={"station_choice": "ask"})
    game = ttr.new_game(rules=rules, players=count, seed=seed)
    follow(game, Random(choice), pick, look_at=(StationLinks,), each=note)
    assert asked, "nobody was asked"


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
@given(stack=st.sampled_from(BOARDS), count=players, seed=seeds, choice=picks)
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
