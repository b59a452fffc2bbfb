"""Every way to pay with dice and tokens, against a table-top search that moves one die or token at a time (X4–X9, R11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest
from dicing import DOUBLE, FACES, SINGLE, claim, faces, most, plain, rolled, stock
from helpers import rules_of

import ttr_rules as ttr
from ttr_rules.model import Cost
from ttr_variants.dice import DiceEconomy, DicePlugin, TakeTokens
from ttr_variants.dice.state import Dice, DiceSpent, count_faces

EUROPE = rules_of("europe", "dice")
ROLLS = ["".join(roll) for roll in combinations_with_replacement(FACES, 5)]
STOCKS = [(single, double) for single in range(4) for double in range(4 - single)]
TOKEN = {"single": SINGLE, "double": DOUBLE}
KINDS = ("single", "double")

#: What is left on the table: dice as a sorted text, tokens; what has been put in: faces of the kind, wild ones, tokens.
Table = tuple[str, tuple[int, int], tuple[int, int, int]]


def without(dice: str, face: str) -> str:
    return dice.replace(face, "", 1)


def moves(table: Table, kind: str, may_gain: bool, most_spaces: int) -> Iterator[Table]:
    """One die or token put in, or one token gained for two dice: what a player's hand can do next."""
    dice, held, (plain, wild, tokens) = table
    number = KINDS.index(kind)
    if plain + wild + tokens < most_spaces:
        if kind[0] in dice:
            yield without(dice, kind[0]), held, (plain + 1, wild, tokens)
        if "w" in dice:
            yield without(dice, "w"), held, (plain, wild + 1, tokens)
        if held[number]:
            left = (held[0] - (number == 0), held[1] - (number == 1))
            yield dice, left, (plain, wild, tokens + 1)
    if may_gain and sum(held) < 3 and len(dice) >= 2:
        for first, second in {(a, b) for a, b in product(dice, repeat=2) if a in dice and b in without(dice, a)}:
            left_dice = without(without(dice, first), second)
            yield left_dice, (held[0] + 1, held[1]), (plain, wild, tokens)
            yield left_dice, (held[0], held[1] + 1), (plain, wild, tokens)


@cache
def reached(roll: str, held: tuple[int, int], kind: str, most_spaces: int = 9) -> frozenset[Table]:
    """Every table that can come about from a roll and a stock at the start of a turn."""
    start: Table = (roll, held, (0, 0, 0))
    may_gain = sum(held) < 3
    found, waiting = {start}, [start]
    while waiting:
        for table in moves(waiting.pop(), kind, may_gain, most_spaces):
            if table not in found:
                found.add(table)
                waiting.append(table)
    return frozenset(found)


def expected(roll: str, held: tuple[int, int], kind: str, spaces: int, wilds: int) -> set[ttr.Counts]:
    put_in = {table[2] for table in reached(roll, held, kind)}
    return {
        ttr.Counts({kind: plain, "locomotive": wild, TOKEN[kind]: tokens})
        for plain, wild, tokens in put_in
        if plain + wild + tokens == spaces and wild >= wilds
    }


def put(state: ttr.State, roll: str, held: tuple[int, int]) -> ttr.State:
    """Seat 0 begins its turn with this roll and these tokens."""
    dice = state.part(Dice)
    dice.tokens[0] = ttr.Counts({SINGLE: held[0], DOUBLE: held[1]})
    dice.begin(0, tuple(faces(roll)))
    return state


@pytest.mark.rule("X4", "X6", "X7", "X9", "R11")
@pytest.mark.parametrize("kind", KINDS)
def test_payments_are_what_a_hand_could_do_step_by_step(kind: str) -> None:
    state = rolled("europe", "sssss").state
    random = Random(kind)
    economy = EUROPE.economy
    compared = 0
    for roll, held in product(ROLLS, STOCKS):
        if kind == "double" and random.random() < 0.8:
            continue  # as single, with the letters exchanged
        put(state, roll, held)
        for spaces, wilds in product(range(1, 10), range(3)):
            cost = Cost(kind, spaces, random.choice([None, "red"]), wilds)
            listed = list(economy.payments(state, 0, cost))
            ways = expected(roll, held, kind, spaces, wilds)
            assert len(listed) == len(set(listed))
            assert set(listed) == ways, (roll, held, cost)
            compared += len(listed)
            for _ in range(3):
                wild, tokens = random.randint(0, 3), random.randint(0, 4)
                payment = ttr.Counts({kind: max(spaces - wild - tokens, 0), "locomotive": wild, TOKEN[kind]: tokens})
                assert (economy.refusal(state, 0, cost, payment) is None) is (payment in ways), (roll, held, payment)
    assert compared > 1000


@pytest.mark.rule("X4", "X9", "X11")
@pytest.mark.parametrize("kind", [*KINDS, "station"])
def test_every_payment_is_one_that_some_roll_and_stock_can_pay(kind: str) -> None:
    """With as many tokens as there can be, and two unused dice for each more."""
    state, economy = rolled("europe", "sssss").state, DiceEconomy(DicePlugin())
    dice = state.part(Dice)
    left = [
        count_faces(tuple(some)) for size in range(6) for some in combinations_with_replacement(FACES.values(), size)
    ]
    for spaces, wilds in product(range(1, 10), (0, 2)):
        cost = Cost(kind, spaces, None, wilds)
        found: set[ttr.Counts] = set()
        for dice.unused in left:
            dice.tokens[0] = ttr.Counts({TOKEN.get(kind, SINGLE): 3})
            found.update(economy.payments(state, 0, cost))
        every = economy.every_payment(cost)
        assert len(every) == len(found) and set(every) == found, cost


@pytest.mark.rule("X6", "R11")
@pytest.mark.parametrize(
    ("roll", "traded"), [("ssddw", {"double": 2, "single": 1, "locomotive": 1}), ("ssssd", {"double": 1, "single": 3})]
)
def test_what_is_put_in_is_not_traded_too(roll: str, traded: dict[str, int]) -> None:
    game = rolled("europe", roll)
    (spent, *_) = game.play(claim(plain(3), single=1, **{SINGLE: 2}))
    assert isinstance(spent, DiceSpent) and spent.traded == traded
    assert stock(game) == {} and most(game) == 0


@pytest.mark.rule("X6", "X7")
def test_room_for_more_tokens() -> None:
    state = rolled("europe", "sdtws").state
    assert state.part(Dice).validate(state.rules) is None, "all faces at once"
    rooms = {held: put(state, "sssss", held).part(Dice).room(0) for held in STOCKS}
    assert rooms == {held: (2, 2, 1, 0)[sum(held)] for held in STOCKS}


@pytest.mark.rule("X6", "X7", "R11")
def test_after_a_claim_the_tokens_are_what_a_hand_could_have() -> None:
    """Paying first and gaining afterwards leaves out nothing: every stock that any order of moves gives is on offer."""
    random = Random(7)
    by_cost = {
        (kind, length): next(
            route.id
            for route in EUROPE.board.routes.values()
            if route.length == length
            and (route.double_group is not None) is (kind == "double")
            and not route.tunnel
            and not route.ferry_locomotives
        )
        for kind in KINDS
        for length in (1, 2, 3, 4)
    }
    for _ in range(150):
        roll, held, kind = random.choice(ROLLS), random.choice(STOCKS), random.choice(KINDS)
        length = random.choice((1, 2, 3, 4))
        ways = sorted(expected(roll, held, kind, length, 0), key=repr)
        if not ways:
            continue
        payment = random.choice(ways)
        game = rolled("europe", roll, tokens=[{SINGLE: held[0], DOUBLE: held[1]}])
        game.play(claim(by_cost[kind, length], **payment))
        now = stock(game)
        taken = [action.tokens for action in game.legal_actions() if isinstance(action, TakeTokens)]
        offered = {(now[SINGLE] + more[SINGLE], now[DOUBLE] + more[DOUBLE]) for more in taken or [ttr.Counts()]}
        paid = (payment[kind], payment["locomotive"], payment[TOKEN[kind]])
        assert offered == {table[1] for table in reached(roll, held, kind, length) if table[2] == paid}, (roll, held)
        assert most(game) <= 3 - now.total


@pytest.mark.rule("X11", "X4")
def test_stations_take_what_shows_a_station_or_a_locomotive() -> None:
    state = rolled("europe", "sssss").state
    for roll, number in product(ROLLS, (1, 2, 3)):
        put(state, roll, (1, 1))
        count = Counter(roll)
        ways = {
            ttr.Counts(station=station, locomotive=number - station)
            for station in range(number + 1)
            if station <= count["t"] and number - station <= count["w"]
        }
        assert set(EUROPE.economy.payments(state, 0, Cost("station", number))) == ways
