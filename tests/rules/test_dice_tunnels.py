"""Dice on ferries, in tunnels, for stations, on very long routes (X9–X11, R12, R14, R16, R17)."""

from __future__ import annotations

from typing import Any

import pytest
from dicing import DOUBLE, SINGLE, TUNNEL_DIE, choices, claim, draw, faces, leave_tokens, most, rolled, stock
from helpers import Expect, chance_of, happened, legal, refused, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.errors import SaveError
from ttr_rules.model import Cost, TunnelDue
from ttr_rules.plugins import Transaction
from ttr_variants.dice import (
    DicePlugin,
    DrawTicketsWithDice,
    Reroll,
    RerollChoice,
    ReturnTokens,
    TakeTokens,
    TokenChoice,
    TokenReturn,
)
from ttr_variants.dice.state import (
    Dice,
    DiceLaid,
    DiceSpent,
    LaidDiceSpent,
    LaidDiceTakenBack,
    TunnelDiceRolled,
)
from ttr_variants.europe.stations import BuildStation, Stations

EUROPE = rules_of("europe", "dice")
THREE, FOUR, TWO, DOUBLES = "paris-zurich-gray", "marseille-roma-gray", "venezia-zurich-green", "madrid-pamplona-black"
FERRY = "palermo-smyrna-gray"  # six spaces, two symbols


def tunnel_dice(tunnels: int) -> list[object]:
    """A roll of the three tunnel dice."""
    return [Expect(TUNNEL_DIE, "tunnel" if number < tunnels else "blank") for number in range(3)]


def entered(letters: str, tunnels: int, route: str, **payment: int) -> ttr.Game:
    """A seat without tokens has committed a payment to a tunnel that asks for more."""
    game = rolled("europe", letters, chance=tunnel_dice(tunnels))
    game.play(claim(route, **payment))
    decision = game.decision(0)
    assert isinstance(decision, TunnelDue)
    assert (decision.route, decision.laid, decision.extra.spaces) == (route, ttr.Counts(payment), tunnels)
    assert decision.revealed == ("tunnel",) * tunnels + ("blank",) * (3 - tunnels)
    return game


def extras(game: ttr.Game) -> list[ttr.Counts]:
    """The extra payments offered; giving up is always offered, and last."""
    actions = list(game.legal_actions())
    assert actions[-1] == ttr.AbandonTunnel(0)
    return [action.payment for action in actions if isinstance(action, ttr.PayTunnel)]


# -- X9: ferries -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("X9")
def test_a_ferry_takes_a_wild_die_for_each_symbol() -> None:
    game = rolled("europe", "sswws", tokens=[{SINGLE: 2}])
    offered = {action.payment for action in legal(game, ttr.ClaimRoute) if action.route == FERRY}
    assert offered == {
        ttr.Counts(single=3, locomotive=2, single_token=1),
        ttr.Counts(single=2, locomotive=2, single_token=2),
        ttr.Counts(single=1, locomotive=2, single_token=3),  # the third for the other two singles
    }
    assert refused(game, claim(FERRY, single=3, locomotive=1, single_token=2)) == "X9"
    assert refused(game, claim(FERRY, single=3, locomotive=1, single_token=3)) == "X4"
    assert refused(rolled("europe", "ssssw", tokens=[{SINGLE: 2}]), claim(FERRY, single=4, locomotive=2)) == "X4"
    game.play(claim(FERRY, single=3, locomotive=2, single_token=1))
    assert game.state.scores[0] == 15


@pytest.mark.rule("X9", "X13")
def test_a_ferry_of_a_double_takes_double_faces_beside_the_wild_ones() -> None:
    game = rolled("europe", "dsttw")
    offered = {action.payment for action in legal(game, ttr.ClaimRoute) if action.route == "dieppe-london-gray-1"}
    assert offered == {ttr.Counts(double=1, locomotive=1), ttr.Counts(locomotive=1, double_token=1)}


# -- X10: tunnels ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("X10", "R14")
def test_no_tunnel_shown_costs_nothing_extra() -> None:
    game = rolled("europe", "ssstt", chance=tunnel_dice(0))
    events = game.play(claim(THREE, single=3))
    assert happened(events, DiceLaid) == [DiceLaid(0, ttr.Counts(single=3), ttr.Counts())]
    assert happened(events, TunnelDiceRolled) == [TunnelDiceRolled(0, ("blank",) * 3)]
    assert happened(events, DiceSpent) == []
    assert happened(events, LaidDiceSpent) == [LaidDiceSpent(0)]
    assert game.state.owners == {THREE: 0}
    assert len(chance_of(game).calls) == 3
    assert most(game) == 1


@pytest.mark.rule("X10", "X6")
@pytest.mark.parametrize(
    ("letters", "base", "tunnels", "expected"),
    [
        ("sssss", {"single": 3}, 1, [{"single": 1}, {SINGLE: 1}]),
        ("sssss", {"single": 3}, 2, [{"single": 2}]),
        ("sssss", {"single": 3}, 3, []),
        ("sssww", {"single": 3}, 2, [{"locomotive": 2}]),
        ("ssssw", {"single": 3}, 2, [{"single": 1, "locomotive": 1}]),
        ("ssstt", {"single": 3}, 1, [{SINGLE: 1}]),  # gained for the two stations, just now
        ("ssstt", {"single": 3}, 2, []),
        ("sssdt", {"single": 3}, 1, [{SINGLE: 1}]),
        ("ssswt", {"single": 3}, 1, [{"locomotive": 1}, {SINGLE: 1}]),
        ("swwtt", {"single": 1, "locomotive": 2}, 1, [{SINGLE: 1}]),
    ],
)
def test_the_extra_comes_from_what_is_left(
    letters: str, base: dict[str, int], tunnels: int, expected: list[dict[str, int]]
) -> None:
    game = entered(letters, tunnels, THREE, **base)
    assert set(extras(game)) == set(map(ttr.Counts, expected))
    for payment in expected:
        there = game.copy()
        there.play(ttr.PayTunnel(0, payment))
        assert there.state.owners == {THREE: 0}
        assert there.state.scores[0] == 4
        assert there.state.cars[0] == 42


@pytest.mark.rule("X10")
def test_tokens_in_stock_pay_too_and_what_is_left_brings_tokens() -> None:
    game = rolled("europe", "ssstt", tokens=[{SINGLE: 2}], chance=tunnel_dice(2))
    game.play(claim(THREE, single=3))
    assert set(extras(game)) == {ttr.Counts(single_token=2)}
    game.play(ttr.PayTunnel(0, {SINGLE: 2}))
    assert stock(game) == {}
    assert most(game) == 1


@pytest.mark.rule("X10", "X4")
@pytest.mark.parametrize(
    ("payment", "rule"),
    [
        ({"double": 1}, "X10"),
        ({"station": 1}, "X10"),
        ({"single": 2}, "X10"),
        ({}, "X10"),
        ({"locomotive": 1}, "X10"),
        ({DOUBLE: 1}, "X10"),
        ({"red": 1}, "X10"),
    ],
)
def test_the_extra_is_of_the_kind_of_the_route(payment: dict[str, int], rule: str) -> None:
    game = entered("ssssd", 1, THREE, single=3)
    assert refused(game, ttr.PayTunnel(0, payment)) == rule


@pytest.mark.rule("X10", "X6")
def test_too_few_dice_are_left_for_a_token() -> None:
    game = entered("sssst", 1, FOUR, single=4)
    assert extras(game) == []
    assert refused(game, ttr.PayTunnel(0, {SINGLE: 1})) == "X6"


@pytest.mark.rule("X10", "X7")
def test_who_began_with_three_tokens_gains_none_for_a_tunnel() -> None:
    game = rolled("europe", "ssstt", tokens=[{DOUBLE: 3}], chance=tunnel_dice(1))
    game.play(claim(THREE, single=3))
    assert extras(game) == []
    assert refused(game, ttr.PayTunnel(0, {SINGLE: 1})) == "X7"


@pytest.mark.rule("X10", "X13")
def test_a_tunnel_of_a_double_takes_double_faces() -> None:
    game = entered("ddddw", 2, DOUBLES, double=3)
    assert set(extras(game)) == {ttr.Counts(double=1, locomotive=1)}


@pytest.mark.rule("X10", "R11")
def test_dice_of_no_other_use_go_first_for_tokens() -> None:
    """A token of the base payment takes the place of a double and a station: what may serve the tunnel is left."""
    game = rolled("europe", "sdtsw", chance=tunnel_dice(2))
    events = game.play(claim(TWO, single=1, single_token=1))
    (laid,) = happened(events, DiceLaid)
    assert laid.traded == {"double": 1, "station": 1}
    assert set(extras(game)) == {ttr.Counts(single=1, locomotive=1)}


@pytest.mark.rule("X10", "X3", "X5")
def test_after_the_tunnel_dice_there_is_no_other_action_and_no_roll() -> None:
    game = rolled("europe", "", chance=[*faces("sssdt"), *tunnel_dice(1)])
    game.play(Reroll(0, {}))  # rolled only once
    game.play(claim(THREE, single=3))
    for action in (Reroll(0, {"double": 1}), draw(station=1), claim(TWO, single=2), ttr.Pass(0)):
        assert refused(game, action) == "S8"
    assert refused(game, BuildStation(0, "wien", {"station": 1})) == "S8"


@pytest.mark.rule("R12", "R17", "X10", "R10")
@pytest.mark.parametrize("letters", ["sssss", "ssstt", "sssst"])
@pytest.mark.parametrize("tunnels", [1, 2, 3])
def test_a_failed_tunnel_costs_nothing_and_ends_the_turn(letters: str, tunnels: int) -> None:
    game = entered(letters, tunnels, THREE, single=3)
    events = game.play(ttr.AbandonTunnel(0))  # whether it could be paid or not
    assert happened(events, LaidDiceTakenBack) == [LaidDiceTakenBack(0, False)]
    assert game.state.owners == {}
    assert stock(game) == {}
    assert game.to_act == (1,)  # nothing is asked about tokens
    assert isinstance(game.decision(1), RerollChoice)
    assert (game.state.cars, game.state.scores) == ([45, 45], [0, 0])


@pytest.mark.rule("R12", "X7")
def test_tokens_come_back_from_a_failed_tunnel_and_none_is_gained() -> None:
    game = rolled("europe", "sdttt", tokens=[{SINGLE: 1}], chance=tunnel_dice(3))
    game.play(claim(THREE, single=1, single_token=2))  # one of them gained just now
    assert stock(game) == {}
    game.play(ttr.AbandonTunnel(0))
    assert stock(game) == {SINGLE: 1}
    assert game.decision(0) == TokenReturn(0)  # at the end of a turn tokens may be given back, whatever happened
    game.play(ReturnTokens(0, {}))
    assert game.to_act == (1,)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("held", [0, 2, 3])
def test_under_the_other_ruling_tokens_may_be_taken_after_a_failed_tunnel(held: int) -> None:
    rules = ttr.compile_rules("europe", "dice", rulings={"tokens_after_failed_tunnel": True})
    game = rolled(rules, "sssst", tokens=[{DOUBLE: held}], chance=tunnel_dice(3))
    game.play(claim(THREE, single=3))
    game.play(ttr.AbandonTunnel(0))
    room = {0: 2, 2: 1, 3: 0}[held]
    assert game.decision(0) == (TokenChoice(0, room) if room else TokenReturn(0))
    if room:
        game.play(TakeTokens(0, {SINGLE: room}))
        assert stock(game) == {SINGLE: room, DOUBLE: held}


@pytest.mark.rule("R14")
@pytest.mark.parametrize("count", [0, 1, 2, 6])
def test_how_many_faces_show_a_tunnel(count: int) -> None:
    die = ("tunnel",) * count + ("blank",) * (6 - count)
    rules = ttr.compile_rules("europe", DicePlugin(tunnel_faces=count))
    game = rolled(rules, "ssstt", chance=[Expect(die)] * 3)
    game.play(claim(THREE, single=3))
    shown = 3 if count else 0
    assert isinstance(game.decision(0), TunnelDue) is bool(shown)


@pytest.mark.rule("R14")
def test_the_default_is_one_face_and_a_game_keeps_its_dice() -> None:
    assert DicePlugin() == DicePlugin(tunnel_faces=1)
    rules = ttr.compile_rules("europe", DicePlugin(tunnel_faces=2))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    assert ttr.loads(ttr.dumps(game)) == game
    with pytest.raises(SaveError, match="tunnel_faces"):
        ttr.loads(ttr.dumps(game).replace('"tunnel_faces":2', '"tunnel_faces":7'))
    with pytest.raises(SaveError, match="pips"):
        ttr.loads(ttr.dumps(game).replace('"tunnel_faces":2', '"pips":2'))
    usual = ttr.new_game("europe", "dice", players=2, seed=1)
    assert ttr.loads(ttr.dumps(usual)) == usual
    for count in (-1, 7, True, 1.5, "1", None):
        with pytest.raises(ttr.InvalidInputError, match="tunnel_faces"):
            DicePlugin(tunnel_faces=count)  # type: ignore[arg-type]


# -- X11: stations ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("X11", "B1")
@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("letters", ["ssddd", "tssdd", "twssd", "ttsdd", "wwsdd", "ttwws", "tttws", "wwwtt"])
def test_the_nth_takes_n_station_or_wild_dice(letters: str, number: int) -> None:
    far = ["cadiz", "erzurum"][: number - 1]
    game = rolled("europe", letters, {"stations": far}, {}, tokens=[{SINGLE: 2}])
    station, wild = letters.count("t"), letters.count("w")
    ways = {
        ttr.Counts(station=number - wilds, locomotive=wilds)
        for wilds in range(number + 1)
        if wilds <= wild and number - wilds <= station
    }
    offered = legal(game, BuildStation)
    assert {action.payment for action in offered} == ways
    assert len(offered) == len(ways) * (47 - len(far))
    for some in range(5):
        for wilds in range(some + 1):
            payment = ttr.Counts(station=some - wilds, locomotive=wilds)
            if payment not in ways:
                assert refused(game, BuildStation(0, "wien", payment)) == "X11"
    for more in ({"single": 1}, {SINGLE: number}, {"station": number - 1, SINGLE: 1}, {"red": number}):
        assert refused(game, BuildStation(0, "wien", more)) == "X11"
    if ways:
        game.play(offered[0])
        assert most(game) == min((5 - number) // 2, 1)


@pytest.mark.rule("X11", "X5")
def test_building_is_the_action_of_the_turn() -> None:
    game = rolled("europe", "twsss")
    game.play(BuildStation(0, "wien", {"station": 1}))
    assert isinstance(game.decision(0), TokenChoice)
    assert refused(game, claim(THREE, single=3)) == "S8"
    leave_tokens(game)
    assert game.to_act == (1,)
    assert game.state.part(Stations).built == {"wien": 0}


@pytest.mark.rule("X11")
def test_where_there_are_no_stations_none_is_built() -> None:
    assert refused(rolled("north-america", "ttwss"), BuildStation(0, "denver", {"station": 1})) == "S8"


# -- X12, T3: things that take wild dice alone -----------------------------------------------------------------------------


@pytest.mark.rule("X9")
def test_what_asks_for_wild_ones_alone_gets_nothing_else() -> None:
    state = rolled("europe", "ssdww", tokens=[{SINGLE: 3}]).state
    economy = EUROPE.economy
    for cost in (Cost("any", 2, wilds=2), Cost("single", 2, only_wilds=True)):
        assert list(economy.payments(state, 0, cost)) == [{"locomotive": 2}]
        assert economy.refusal(state, 0, cost, ttr.Counts(locomotive=2)) is None
        assert economy.refusal(state, 0, cost, ttr.Counts(locomotive=1)) is not None
    one = Cost("single", 2, only_wilds=True)
    refusal = economy.refusal(state, 0, one, ttr.Counts(single=1, locomotive=1))
    assert refusal is not None
    assert refusal.rule == "X9"


@pytest.mark.rule("X4", "X10")
def test_few_wild_ones_pay_where_the_cost_says_so() -> None:
    state = rolled("europe", "sswww", tokens=[{SINGLE: 3}]).state
    economy = EUROPE.economy
    for limit, told in (
        (0, "no locomotive pays for this"),
        (1, "at most 1 locomotive die pays for this, not 3"),
        (2, "at most 2 locomotive dice pay for this, not 3"),
    ):
        free, few = Cost("single", 3), Cost("single", 3, most_wilds=limit)
        allowed = [payment for payment in economy.payments(state, 0, free) if payment["locomotive"] <= limit]
        assert list(economy.payments(state, 0, few)) == allowed
        assert len(allowed) == economy.prices([few]).ways(state, 0, 0)
        assert all(economy.refusal(state, 0, few, payment) is None for payment in allowed)
        refusal = economy.refusal(state, 0, few, ttr.Counts(locomotive=3))
        assert str(refusal) == f"[X4] {told}"
    tx = Transaction(state, [])
    _, extra = economy.enter_tunnel(
        tx, 0, Cost("single", 2, tunnel=True, most_wilds=3), ttr.Counts(single=1, locomotive=1)
    )
    assert extra == Cost("single", 3, tunnel=True, extra=True, most_wilds=2)


# -- R16: nine spaces ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("R16", "X1")
@pytest.mark.parametrize("as_eight", [False, True])
def test_a_route_of_nine_spaces(as_eight: bool) -> None:
    board = ttr_maps.load("nordic_countries")
    rules = ttr.compile_rules("north-america", "dice", board=board, rulings={"long_route_as_eight": as_eight})
    long = "lieksa-murmansk-gray"
    game = rolled(rules, "ssssw", tokens=[{SINGLE: 3}])
    eight: dict[str, Any] = {"single": 4, "locomotive": 1, SINGLE: 3}
    offered = [action.payment for action in legal(game, ttr.ClaimRoute) if action.route == long]
    assert offered == ([eight] if as_eight else [])
    nine = claim(long, single=4, locomotive=1, single_token=4)
    assert refused(game, nine) == ("X4" if as_eight else "R16")
    if as_eight:
        game.play(claim(long, **eight))
        assert game.state.scores[0] == 27
        assert game.state.cars[0] == 45 - 9
    else:
        assert refused(game, claim(long, **eight)) == "R16"


@pytest.mark.rule("R16", "X6", "N8")
@pytest.mark.parametrize(
    ("letters", "tokens", "payment"),
    [
        ("wwwww", {SINGLE: 3}, {"locomotive": 5, SINGLE: 3}),
        ("ssssw", {SINGLE: 2}, None),  # seven can be filled, no more
        ("ssssd", {SINGLE: 3}, None),  # four dice and three tokens; who begins with three gains none
        ("ddddd", {DOUBLE: 3}, None),  # a single route
    ],
)
def test_paid_as_eight_a_route_of_nine_takes_nine_cars_and_scores_for_nine(
    letters: str, tokens: dict[str, int], payment: dict[str, int] | None
) -> None:
    rules = ttr.compile_rules("nordic-countries", "dice", rulings={"long_route_as_eight": True})
    long = "lieksa-murmansk-gray"
    game = rolled(rules, letters, {"cars": 9}, {}, tokens=[tokens])
    offered = [action.payment for action in legal(game, ttr.ClaimRoute) if action.route == long]
    assert offered == ([] if payment is None else [payment])
    if payment is not None:
        game.play(claim(long, **payment))
        assert (game.state.scores[0], game.state.cars[0]) == (27, 0)
        short = rolled(rules, letters, {"cars": 8}, {}, tokens=[tokens])
        assert refused(short, claim(long, **payment)) == "C3"


@pytest.mark.rule("R16")
def test_eight_spaces_are_the_most() -> None:
    game = rolled("europe", "ssssw", tokens=[{SINGLE: 3}], chance=tunnel_dice(1))
    long = "petrograd-stockholm-gray"
    assert [action.payment for action in legal(game, ttr.ClaimRoute) if action.route == long] == [
        {"single": 4, "locomotive": 1, SINGLE: 3}
    ]
    game.play(claim(long, single=4, locomotive=1, single_token=3))
    assert extras(game) == []
    assert game.state.part(Dice).unused == {}
    assert choices(game, TakeTokens) == []
    assert legal(game, DrawTicketsWithDice) == []
