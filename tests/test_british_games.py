"""Whole games of the United Kingdom, with and without the advanced technologies: what must hold after every action."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from helpers import arranged, chance_of, rules_of
from hypothesis import given, settings
from playing import PLAYED, follow, picks, seeds

import ttr_rules as ttr
from ttr_rules.events import RouteShared
from ttr_tools.bots import Bot, play_game
from ttr_tools.testing import check_variant
from ttr_variants.united_kingdom import (
    BuyTechnology,
    DrawThree,
    ExtraClaim,
    SecondClaimDue,
    ShareRoute,
    Technologies,
)
from ttr_variants.united_kingdom.hints import extra_points, worth

BASIC, ADVANCED = "united-kingdom", "united-kingdom:advanced=true"
LOCO = "locomotive"


def next_action(game: ttr.Game, seat: int, random: Random) -> ttr.Action:
    """A legal action by chance: mostly cards, so that hands grow; and what leads to more claims, if it can be had."""
    offer = game.offer(seat)
    things = [each.cheapest for kind in offer.kinds for each in kind.purchases]
    at_once = [each for each in things if getattr(each, "technology", "") in ("right_of_way", "thermocompressor")]
    if at_once and random.random() < 0.3:
        return at_once[0]
    draws = [kind for kind in offer.kinds if "Draw" in kind.type and "Ticket" not in kind.type]
    kind = random.choice(draws if draws and random.random() < 0.6 else offer.kinds)
    return game.legal_actions(seat)[kind.first + random.randrange(kind.total)]


@pytest.mark.slow
@pytest.mark.thorough_but("united-kingdom:advanced=true-3")
@pytest.mark.rule("U1", "U2", "U3", "U4", "U5", "U6", "U9", "U10", "U14", "U16", "U18", "P1")
@pytest.mark.parametrize(
    ("stack", "players"), [pytest.param(BASIC, 4, marks=pytest.mark.thorough), (ADVANCED, 2), (ADVANCED, 3)]
)
@settings(PLAYED, max_examples=1)
@given(seed=seeds, choice=picks)
def test_a_random_game_keeps_every_invariant(stack: str, players: int, seed: int | str, choice: int) -> None:
    watch = follow(ttr.new_game(rules=rules_of(stack), players=players, seed=seed), Random(choice), next_action)
    assert watch.cards is not None and watch.cards.total() == 116


@pytest.mark.slow
def test_games_come_to_a_right_of_way_and_to_second_claims() -> None:
    """What the invariants are checked of, as it comes up by itself in games of chance."""
    seen: set[str] = set()
    for seed in range(3):
        game, random = ttr.new_game(rules=rules_of(ADVANCED), players=3, seed=seed), Random(seed)
        while game.to_act:
            game.play(next_action(game, game.to_act[0], random))
        seen |= {type(event).__name__ for event in game.events}
    assert {RouteShared.__name__, SecondClaimDue.__name__, "TechnologiesBoxed"} <= seen


@pytest.mark.slow
@pytest.mark.thorough_but("options0-3")
@pytest.mark.parametrize(
    ("options", "players"),
    [({"advanced": True}, 3), ({"advanced": True, "copies": True, "substitute_with_locomotives": True}, 2)],
)
def test_it_keeps_what_every_variant_must(options: dict[str, bool], players: int) -> None:
    """With its options; without them it is one of the stacks of `test_stacks.py`."""
    assert check_variant(BASIC, players=players, games=1, rulings=options, skip=["processes", "planner"]).games == 1


@pytest.mark.parametrize("decision", ["SharedClaim", "ExtraClaim"])
def test_a_game_is_saved_and_imagined_in_the_middle_of_a_turn(decision: str) -> None:
    technology, price = ("right_of_way", 4) if decision == "SharedClaim" else ("thermocompressor", 1)
    players: list[dict[str, Any]] = [{"hand": {LOCO: price, "green": 2}}, {"routes": ["bristol-southampton-green"]}]
    game = arranged(ADVANCED, *players, draw_pile=["red"] * 5)
    game.play(BuyTechnology(0, technology, {LOCO: price}))
    assert type(game.decision(0)).__name__ == decision
    assert ttr.loads(ttr.dumps(game), verify=True, chance=chance_of(game)) == game
    for seat in (None, 0, 1):
        view = game.view(seat)
        world = ttr.determinize(view, game.rules, seed=1)
        assert world.view(seat) == view
        assert type(world.decision(0)) is type(game.decision(0))


@pytest.mark.slow
@pytest.mark.rule("U16")
def test_a_shared_route_is_saved_and_imagined() -> None:
    players: list[dict[str, Any]] = [{"hand": {LOCO: 4, "green": 2}}, {"routes": ["bristol-southampton-green"]}]
    game = ttr.arrange(
        rules_of(BASIC), {"seed": 1, "players": [{"name": "A", **players[0]}, {"name": "B", **players[1]}]}
    )
    game.play(BuyTechnology(0, "right_of_way", {LOCO: 4}))
    game.play(ShareRoute(0, "bristol-southampton-green", {"green": 2}))
    assert ttr.loads(ttr.dumps(game), verify=True) == game
    assert ttr.determinize(game.view(1), game.rules, seed=1).view(1) == game.view(1)
    play_game(game)
    assert "bristol-southampton-green" in game.view(None).shared


@pytest.mark.rule("UR10")
def test_the_second_claim_is_asked_for_whatever_is_in_the_hand() -> None:
    """Else the question would tell the others whether a claim could be paid."""
    rich, poor = ({LOCO: 1, "green": 1, **more} for more in ({"yellow": 3}, {}))
    for hand in (rich, poor):
        game = arranged(ADVANCED, {"hand": hand}, {}, draw_pile=["red"] * 5)
        game.play(BuyTechnology(0, "thermocompressor", {LOCO: 1}))
        game.play(ttr.ClaimRoute(0, "london-reading-green", {"green": 1}))
        assert game.decision(0) == ExtraClaim(0, second=True)


def test_a_sample_of_purchases_is_bounded() -> None:
    hand = {"red": 6, "blue": 6, "green": 6, LOCO: 5}
    game = arranged(BASIC, {"hand": hand}, {"routes": ["bristol-southampton-green"]})
    choices = game.legal_actions(0)
    few = [action for action in choices.sample(3) if isinstance(action, BuyTechnology)]  # type: ignore[attr-defined]
    assert max(map([action.technology for action in few].count, {action.technology for action in few})) == 3
    assert {action.technology for action in few} == set(game.state.part(Technologies).left)


def test_actions_with_payments_are_equal_when_all_of_them_are() -> None:
    def offered(hand: dict[str, int], theirs: str = "bristol-southampton-green") -> list[object]:
        game = arranged(BASIC, {"hand": hand}, {"routes": [theirs]})
        rule = game.rules.answers[ttr.Turn].by_action[BuyTechnology]
        return [rule.offers(game.state, ttr.Turn(0)), game.legal_actions(0)]

    one, other = {"red": 4, LOCO: 2}, {"blue": 4, LOCO: 2}
    assert offered(one) == offered(dict(one))
    assert all(mine != theirs for mine, theirs in zip(offered(one), offered(other), strict=True))
    assert all(mine != theirs for mine, theirs in zip(offered(one), offered({"red": 4, LOCO: 1}), strict=True))
    assert offered(one)[0] == list(offered(one)[0])  # type: ignore[call-overload]
    assert offered(one)[0] != list(offered(other)[0])  # type: ignore[call-overload]


# -- bots ------------------------------------------------------------------------------------------------------------


def value(technology: str, game: ttr.Game, payment: dict[str, int]) -> float:
    return worth(game.view(0), game.rules, BuyTechnology(0, technology, payment))


def chosen(game: ttr.Game) -> ttr.Action:
    return Bot(1).choose(game.view(0), game.rules, game.legal_actions(0))


@pytest.mark.rule("U10", "U11")
@pytest.mark.parametrize(
    ("ticket", "technologies", "bought"),
    [
        (["aberdeen", "glasgow"], [], "scotland_concession"),
        (["londonderry", "dublin"], [], "ireland_france_concession"),
        (["aberystwyth", "cardiff"], [], "wales_concession"),
        (["aberystwyth", "cardiff"], ["wales_concession"], None),
        (["london", "brighton"], [], None),
    ],
)
def test_a_bot_buys_what_its_ticket_needs(ticket: list[str], technologies: list[str], bought: str | None) -> None:
    mine = {"tickets": [ticket], "technologies": technologies, "hand": {LOCO: 1}}
    action = chosen(arranged(BASIC, mine, {}, draw_pile=["red"] * 9))
    assert (action.technology if isinstance(action, BuyTechnology) else None) == bought


@pytest.mark.rule("U5")
def test_a_bot_keeps_cards_that_its_plan_needs_and_buys_with_others() -> None:
    needed = {"white": 1, "red": 1, "black": 1, "yellow": 1}  # from Aberdeen by Dundee and Edinburgh to Glasgow
    for more, buys in (({}, False), ({"green": 4}, True)):
        mine = {
            "tickets": [["aberdeen", "glasgow"]],
            "hand": {**needed, **more},
            "technologies": ["boiler_lagging"],
        }
        action = chosen(arranged(BASIC, mine, {}, draw_pile=["red"] * 9))
        assert isinstance(action, BuyTechnology) == buys
        if isinstance(action, BuyTechnology):
            assert action.technology == "scotland_concession" and not {"white", "black"} & set(action.payment)


@pytest.mark.rule("U14", "U15")
def test_lagging_is_worth_more_early_turbines_with_propellers_and_double_heading_late() -> None:
    early, late = arranged(BASIC, {}, {}), arranged(BASIC, {"cars": 3}, {})
    two = {LOCO: 2}
    assert value("boiler_lagging", early, two) > 5 > 0 > value("boiler_lagging", late, two)
    sailing = arranged(BASIC, {"technologies": ["propellers"]}, {})
    assert value("steam_turbines", sailing, two) > 0 > value("steam_turbines", early, two)
    tickets = {"tickets": [["aberdeen", "glasgow"], ["dublin", "cork"], ["london", "brighton"]]}
    assert value("double_heading", arranged(BASIC, tickets, {}), {LOCO: 4}) < 0
    assert value("double_heading", arranged(BASIC, {**tickets, "cars": 9}, {}), {LOCO: 4}) > 0
    both = extra_points(early.rules, ("boiler_lagging", "steam_turbines"))
    assert both["barrow-liverpool-gray"] == 3
    assert both["london-reading-green"] == 1
    assert extra_points(early.rules, ())["barrow-liverpool-gray"] == 0


@pytest.mark.rule("U16")
def test_a_bot_buys_a_right_of_way_for_the_route_that_its_ticket_lacks() -> None:
    needed = "bristol-reading-white"
    mine = {"routes": ["bristol-cardiff-gray", "london-reading-green"], "hand": {LOCO: 4, "white": 2}}
    for tickets, buys in ([["cardiff", "london"]], True), ([], False):
        game = arranged(BASIC, {**mine, "tickets": tickets}, {"routes": [needed]}, draw_pile=["red"] * 9)
        action = chosen(game)
        assert (isinstance(action, BuyTechnology) and action.technology == "right_of_way") == buys
        if buys:
            game.play(action)
            claim = chosen(game)
            assert isinstance(claim, ShareRoute) and claim.route == needed


@pytest.mark.rule("U22", "U23", "U24", "U25", "U27")
def test_bots_use_the_advanced_technologies() -> None:
    hand = {LOCO: 3, "green": 1, "yellow": 2}
    last = arranged(
        ADVANCED, {"hand": hand, "technologies": ["boiler_lagging"]}, {}, turns_left=2, draw_pile=["red"] * 9
    )
    action = chosen(last)
    assert isinstance(action, BuyTechnology) and action.technology == "thermocompressor"
    last.play(action)
    for second in (False, True):
        assert last.decision(0) == ExtraClaim(0, second=second)
        claim = chosen(last)
        assert isinstance(claim, ttr.ClaimRoute)
        last.play(claim)
    mine = {"tickets": [["liverpool", "southampton"]], "technologies": ["water_tenders", "boiler_lagging"]}
    game = arranged(ADVANCED, mine, {}, draw_pile=["red"] * 9)
    assert isinstance(chosen(game), DrawThree)
    tickets = [["aberdeen", "glasgow"], ["dublin", "cork"], ["london", "brighton"]]
    theirs = [["cork", "leeds"], ["dublin", "london"], ["galway", "barrow"]]
    ahead, level = (arranged(ADVANCED, {"tickets": tickets}, {"tickets": theirs[:most]}) for most in (2, 3))
    assert value("risky_contracts", ahead, {LOCO: 2}) > 0 > value("risky_contracts", level, {LOCO: 2})
    long, short = ({"routes": [["hull", "newcastle"]]}, {"routes": [["london", "reading"]]})
    one, other = arranged(ADVANCED, long, short), arranged(ADVANCED, short, long)
    assert value("equalising_beam", one, {LOCO: 2}) > value("equalising_beam", other, {LOCO: 2})
    early, late = arranged(ADVANCED, {}, {}), arranged(ADVANCED, {"cars": 5}, {})
    for technology in ("diesel_power", "water_tenders"):
        assert value(technology, early, {LOCO: 3}) > 0 > value(technology, late, {LOCO: 3})
