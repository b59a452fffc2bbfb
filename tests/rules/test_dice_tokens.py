"""Tokens, the worked example, and having no action (X6–X8, R4, R11, R13)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from dicing import DOUBLE, SINGLE, choices, claim, draw, faces, leave_tokens, most, plain, rolled, stock
from helpers import happened, legal, refused, rules_of

import ttr_rules as ttr
from ttr_rules.events import GameEnded, PassChosen, TurnEnded
from ttr_rules.model import TicketChoice
from ttr_variants.dice import (
    DrawTicketsWithDice,
    Reroll,
    ReturnTokens,
    TakeTokens,
    TokenChoice,
    TokenReturn,
)
from ttr_variants.dice.state import Dice, DiceSpent, TokensReturned, TokensTaken
from ttr_variants.europe.stations import BuildStation

# -- X6, X7, R11: tokens -------------------------------------------------------------------------------------------------


@pytest.mark.rule("X6")
@pytest.mark.parametrize(("put_in", "tokens"), [(1, 2), (2, 1), (3, 1), (4, 0)])
def test_a_token_for_every_two_unused_dice(put_in: int, tokens: int) -> None:
    game = rolled("europe", "ssssd")
    game.play(claim(plain(put_in), single=put_in))
    assert most(game) == tokens
    if tokens:
        offered = choices(game, TakeTokens)
        ways = [{SINGLE: s, DOUBLE: d} for s in range(3) for d in range(3) if s + d <= tokens]
        assert len(offered) == len(ways)
        assert set(offered) == set(map(ttr.Counts, ways))
        assert refused(game, TakeTokens(0, {SINGLE: tokens + 1})) == "X6"
        assert refused(game, TakeTokens(0, {"station": 1})) == "X6"
        events = game.play(TakeTokens(0, {DOUBLE: tokens}))
        assert happened(events, TokensTaken) == [TokensTaken(0, ttr.Counts(double_token=tokens))]
        assert stock(game) == {DOUBLE: tokens}
    else:
        assert game.to_act == (1,)


@pytest.mark.rule("X6")
@pytest.mark.parametrize(
    "action", [draw(station=1), BuildStation(0, "wien", {"station": 1})], ids=["tickets", "station"]
)
def test_tokens_beside_tickets_and_stations(action: ttr.Action) -> None:
    game = rolled("europe", "tssdd")
    game.play(action)
    if isinstance(action, DrawTicketsWithDice):
        game.play(ttr.KeepTickets(0, ()))
    assert most(game) == 2


@pytest.mark.rule("X6", "R11")
def test_tokens_count_for_their_kind_now_or_later() -> None:
    game = rolled("europe", "sdttt", tokens=[{SINGLE: 1, DOUBLE: 1}])
    assert refused(game, claim(plain(4, double=True), double_token=4)) == "X6"
    events = game.play(claim(plain(3, double=True), double=1, double_token=2))
    (spent,) = happened(events, DiceSpent)
    assert spent.payment == {"double": 1, DOUBLE: 2}
    assert spent.traded.total == 2  # the second double token came for two stations
    assert stock(game) == {SINGLE: 1}
    assert most(game) == 1
    game.play(TakeTokens(0, {SINGLE: 1}))
    assert stock(game) == {SINGLE: 2}


@pytest.mark.rule("X7", "R11")
def test_no_more_than_three_at_any_time() -> None:
    game = rolled("europe", "wtttt", tokens=[{SINGLE: 2}])
    game.play(claim(plain(1), locomotive=1))
    assert most(game) == 1  # four unused dice, but room for one
    assert refused(game, TakeTokens(0, {SINGLE: 1, DOUBLE: 1})) == "X6"
    # Two are held; one is gained and spent before the next is gained: never more than three.
    game = rolled("europe", "wtttt", tokens=[{SINGLE: 2}])
    game.play(claim(plain(3, double=True), locomotive=1, double_token=2))
    assert stock(game) == {SINGLE: 2}
    assert not most(game)


@pytest.mark.rule("X7", "X6")
def test_who_begins_with_three_gains_none() -> None:
    three = {SINGLE: 2, DOUBLE: 1}
    game = rolled("europe", "wtttt", tokens=[three])
    assert refused(game, claim(plain(2, double=True), double_token=2)) == "X7"
    game.play(claim(plain(3), locomotive=1, single_token=2))  # not even after spending
    assert stock(game) == {DOUBLE: 1}
    assert isinstance(game.decision(0), TokenReturn)
    leave_tokens(game)
    # in the next turn it gains again
    game.play(Reroll(1, {}))
    while game.to_act == (1,):
        game.play(game.legal_actions()[0])
    assert game.state.part(Dice).may_gain


@pytest.mark.rule("X7")
def test_tokens_may_be_given_back_at_the_end() -> None:
    game = rolled("europe", "ssttt", tokens=[{SINGLE: 1, DOUBLE: 2}])
    game.play(claim(plain(2), single=2))
    assert game.decision(0) == TokenReturn(0)
    ways = [{SINGLE: s, DOUBLE: d} for s in range(2) for d in range(3)]
    assert set(choices(game, ReturnTokens)) == set(map(ttr.Counts, ways))
    for tokens in ({SINGLE: 2}, {DOUBLE: 3}, {"coin": 1}):
        assert refused(game, ReturnTokens(0, tokens)) == "X7"
    assert all(game.is_legal(ReturnTokens(0, tokens)) for tokens in ways), "some of a kind, all, or none"
    events = game.play(ReturnTokens(0, {DOUBLE: 2}))
    assert happened(events, TokensReturned) == [TokensReturned(0, ttr.Counts(double_token=2))]
    assert stock(game) == {SINGLE: 1}
    assert game.to_act == (1,)


@pytest.mark.rule("X7")
def test_nothing_is_asked_about_tokens_that_are_not_there() -> None:
    game = rolled("europe", "sssst")
    game.play(claim(plain(4), single=4))
    assert game.to_act == (1,)


# -- X8: the example -----------------------------------------------------------------------------------------------------

EXAMPLE: dict[str, Any] = {"tokens": [{DOUBLE: 2}]}


@pytest.mark.rule("X8")
@pytest.mark.parametrize("token", [SINGLE, DOUBLE])
def test_the_example_a_single_route_of_three(token: str) -> None:
    game = rolled("europe", "ssdtw", **EXAMPLE)
    game.play(claim(plain(3), single=2, locomotive=1))
    assert most(game) == 1
    game.play(TakeTokens(0, {token: 1}))
    assert stock(game).total == 3


@pytest.mark.rule("X8")
@pytest.mark.parametrize("token", [SINGLE, DOUBLE])
def test_the_example_a_double_route_of_four(token: str) -> None:
    game = rolled("europe", "ssdtw", **EXAMPLE)
    game.play(claim(plain(4, double=True), double=1, locomotive=1, double_token=2))
    assert stock(game) == {}
    assert most(game) == 1
    game.play(TakeTokens(0, {token: 1}))
    assert stock(game) == {token: 1}


@pytest.mark.rule("X8")
@pytest.mark.parametrize("token", [SINGLE, DOUBLE])
def test_the_example_two_tickets(token: str) -> None:
    game = rolled("europe", "ssdtw", **EXAMPLE)
    game.play(draw(station=1, locomotive=1))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice)
    assert len(decision.tickets) == 2
    game.play(ttr.KeepTickets(0, decision.tickets[:1]))
    assert most(game) == 1
    game.play(TakeTokens(0, {token: 1}))
    assert stock(game).total == 3


# -- R4, R13: no action --------------------------------------------------------------------------------------------------


@pytest.mark.rule("R13", "R4")
def test_an_action_must_be_taken_if_one_is_possible() -> None:
    for letters in ("stttt", "ddddd", "wtttt"):
        game = rolled("europe", letters)
        assert refused(game, ttr.Pass(0)) == "R4"
        assert ttr.Pass(0) not in game.legal_actions()


def small(*routes: tuple[str, str, int], double: bool = False, **rulings: object) -> ttr.Rules:
    """Dice on a board of a few routes; with `double`, each of them is one of two."""
    cities = sorted({city for route in routes for city in route[:2]})
    colors = ("red", "blue") if double else ("gray",)
    board = ttr.load_board(
        {
            "id": "small",
            "name": "Small",
            "points": {length: length for length in range(1, 10)},
            "cities": [{"id": city, "name": city.title(), "x": 0.1 * n, "y": 0.5} for n, city in enumerate(cities)],
            "routes": [
                {"cities": [a, b], "length": length, "color": color, **({"double_group": a + b} if double else {})}
                for a, b, length in routes
                for color in colors
            ],
            "tickets": [{"cities": [cities[0], cities[-1]], "points": n + 3} for n in range(6)],
        }
    )
    return ttr.compile_rules("north-america", "dice", board=board, rulings=rulings or None)


TICKETS = ["a-c", "a-c-2", "a-c-3", "a-c-4", "a-c-5", "a-c-6"]


@pytest.mark.rule("R13", "R4", "X6")
def test_who_can_do_nothing_passes_and_may_take_tokens() -> None:
    rules = small(("a", "b", 5), ("b", "c", 5))
    game = rolled(rules, "ddddt", {"tickets": TICKETS}, {})
    assert list(game.legal_actions()) == [ttr.Pass(0)]
    game.play(ttr.Pass(0))
    assert game.decision(0) == TokenChoice(0, 2, passed=True)
    game.play(TakeTokens(0, {SINGLE: 2}))
    events = game.play(ReturnTokens(0, {}))
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=True)]
    assert stock(game) == {SINGLE: 2}
    assert not game.is_over


@pytest.mark.rule("R13")
@pytest.mark.parametrize("letters", ["ssttt", "ddddd"])
def test_under_the_other_ruling_an_action_may_be_left_out(letters: str) -> None:
    game = rolled(ttr.compile_rules("europe", "dice", rulings={"dice_action_optional": True}), letters)
    (action,) = legal(game, ttr.Pass)
    events = game.play(action)
    assert most(game) == 2 and PassChosen(0) in events
    events = game.play(TakeTokens(0, {}))
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=False)]


@pytest.mark.rule("R4", "R13")
def test_a_round_of_passes_goes_on_while_some_roll_would_help() -> None:
    rules = small(("a", "b", 8), ("b", "c", 9))
    game = rolled(rules, "ddddt", {"tickets": TICKETS}, {}, chance=faces("ddddd" * 6))
    for turn in range(6):
        seat = turn % 2
        if turn:
            game.play(Reroll(seat, {}))
        game.play(ttr.Pass(seat))
        leave_tokens(game)
    assert not game.is_over  # five locomotives and three tokens would fill the eight spaces


@pytest.mark.rule("R4", "R16")
@pytest.mark.parametrize("as_eight", [False, True])
def test_when_no_roll_could_ever_help_a_round_of_passes_ends_the_game(as_eight: bool) -> None:
    rules = small(("a", "b", 9), ("b", "c", 9), long_route_as_eight=as_eight)
    game = rolled(rules, "ddddt", {"tickets": TICKETS}, {}, chance=faces("ddddd" * 2))
    game.play(ttr.Pass(0))
    leave_tokens(game)
    game.play(Reroll(1, {}))
    game.play(ttr.Pass(1))
    leave_tokens(game)
    assert game.is_over is not as_eight
    if game.is_over:
        assert game.events[-1] == GameEnded("deadlock")


def after_a_round_of_passes(rules: ttr.Rules, *players: dict[str, Any]) -> ttr.Game:
    """The game after every seat has had to pass once; no roll helped anybody."""
    game = rolled(rules, "ttttt", *players, chance=faces("ttttt" * len(players)))
    for seat in range(len(players)):
        if seat:
            game.play(Reroll(seat, {}))
        assert list(game.legal_actions()) == [ttr.Pass(seat)]
        game.play(ttr.Pass(seat))
        leave_tokens(game)
    return game


@pytest.mark.rule("R4")
@pytest.mark.parametrize("able", [0, 1, 2])
def test_a_game_goes_on_while_some_roll_would_help_anybody(able: int) -> None:
    """The one route takes eight cars, and one seat alone has them: whichever seat that is, the game goes on."""
    rules = small(("a", "b", 8))
    players: list[dict[str, Any]] = [{"cars": 8 if seat == able else 7} for seat in range(3)]
    players[1]["tickets"] = ["a-b", "a-b-2", "a-b-3", "a-b-4", "a-b-5", "a-b-6"]
    assert not after_a_round_of_passes(rules, *players).is_over
    players[able]["cars"] = 7
    assert after_a_round_of_passes(rules, *players).events[-1] == GameEnded("deadlock")


@pytest.mark.rule("R4", "X6")
@pytest.mark.parametrize("double", [False, True])
def test_a_game_goes_on_while_tokens_of_either_kind_would_help(double: bool) -> None:
    """Eight spaces take five locomotives and three tokens of the kind of the route, and no other."""
    tickets = ["a-b", "a-b-2", "a-b-3", "a-b-4", "a-b-5", "a-b-6"]
    for length, over in ((8, False), (9, True)):
        rules = small(("a", "b", length), double=double)
        assert after_a_round_of_passes(rules, {"tickets": tickets}, {}).is_over is over


@pytest.mark.rule("R4")
def test_tickets_in_the_pile_keep_a_game_going() -> None:
    rules = small(("a", "b", 9), ("b", "c", 9))
    game = rolled(rules, "ddddd", {"tickets": TICKETS[1:]}, {}, chance=faces("ddddd" * 2))
    for seat in (0, 1):
        if seat:
            game.play(Reroll(seat, {}))
        game.play(ttr.Pass(seat))
        leave_tokens(game)
    assert not game.is_over


@pytest.mark.rule("X2", "X7")
@pytest.mark.parametrize(
    ("tokens", "shown", "match"),
    [
        ({SINGLE: 2, DOUBLE: 2}, (), r"seat 1 has the tokens .*3 at most .*\(X7\)"),
        ({"gold": 1}, (), r"seat 1 has the tokens .*\(X7\)"),
        ({SINGLE: 3}, ("single",) * 4, r"the dice show .*\(X2\)"),
        ({}, ("single",) * 4 + ("gold",), r"the dice show .*\(X2\)"),
        ({SINGLE: 2, DOUBLE: 1}, ("single",) * 4 + ("locomotive",), None),
        ({}, (), None),
    ],
)
def test_tokens_and_dice_that_no_game_has(tokens: dict[str, int], shown: tuple[str, ...], match: str | None) -> None:
    found = Dice(tokens=[ttr.Counts(), ttr.Counts(tokens)], faces=shown).validate(rules_of("europe", "dice"))
    assert found is None if match is None else re.search(match, str(found))
