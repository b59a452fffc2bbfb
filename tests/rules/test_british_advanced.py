"""United Kingdom with the advanced technologies: U21 to U27 and their rulings, but for diesel power's payments."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import AS_IS, arranged, happened, legal, play, refused, rules_of
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.engine import advance
from ttr_rules.errors import InvalidTableError
from ttr_rules.events import CardDrawn, CardsSpent, LastRoundBegun, PileShuffled
from ttr_rules.model import Chance
from ttr_tools.bots import play_game
from ttr_variants.united_kingdom import (
    BuyTechnology,
    DrawThree,
    ExtraClaim,
    Technologies,
    TechnologiesBoxed,
    TechnologyBought,
)

STACK = "united-kingdom:advanced=true"
UK = rules_of(STACK)
LOCO = "locomotive"
LONDON_READING = "london-reading-green"  # one space
LEEDS_HULL = "hull-leeds-yellow"  # one space
PILE = ["white"] * 9


def table(*players: dict[str, Any], stack: str = STACK, **more: Any) -> ttr.Game:
    return arranged(stack, *players, **{"draw_pile": PILE, **more})


def buy(technology: str, payment: dict[str, int]) -> BuyTechnology:
    return BuyTechnology(0, technology, payment)


def claim(route: str, payment: dict[str, int]) -> ttr.ClaimRoute:
    return ttr.ClaimRoute(0, route, payment)


def sheet(*players: dict[str, Any], stack: str = STACK) -> ttr.FinalScores:
    return ttr.score(rules_of(stack), {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]})


@pytest.mark.rule("U21")
def test_six_more_cards_of_five_kinds() -> None:
    basic, more = (rules_of(stack).new_parts(2) for stack in ("united-kingdom", STACK))
    first, second = (next(part for part in parts if isinstance(part, Technologies)).left for parts in (basic, more))
    assert (sum(first.values()), len(first)) == (41, 11)
    assert (sum(second.values()), len(second)) == (47, 16)
    assert {id: second[id] for id in second if id not in first} == {
        "thermocompressor": 1, "water_tenders": 2, "risky_contracts": 1, "equalising_beam": 1, "diesel_power": 1,
    }  # fmt: skip


# -- thermocompressor ---------------------------------------------------------------------------------------------

TWO = {"hand": {LOCO: 1, "green": 1, "yellow": 1}}


@pytest.mark.rule("U22", "UR10")
def test_two_claims_in_a_turn_each_paid_by_itself() -> None:
    game = table(TWO, {})
    game.play(buy("thermocompressor", {LOCO: 1}))
    assert game.decision(0) == ExtraClaim(0)
    assert {type(action) for action in game.legal_actions(0)} == {ttr.ClaimRoute}
    assert refused(game, ttr.Pass(0)) == "UR10"
    assert refused(game, ttr.DrawBlind(0)) == "S8"
    game.play(claim(LONDON_READING, {"green": 1}))
    assert game.decision(0) == ExtraClaim(0, second=True)
    assert LEEDS_HULL in [action.route for action in legal(game, ttr.ClaimRoute)]
    game.play(claim(LEEDS_HULL, {"yellow": 1}))
    assert game.to_act == (1,)
    assert game.state.owners == {LEEDS_HULL: 0, LONDON_READING: 0}
    assert (game.state.scores[0], game.state.cars[0]) == (2, 33)
    part = game.state.part(Technologies)
    assert (part.left["thermocompressor"], part.owned[0], part.second_claim) == (1, (), False)


@pytest.mark.rule("U22", "U10", "U14")
def test_each_claim_is_allowed_by_itself_and_brings_its_points() -> None:
    game = table({**TWO, "technologies": ["boiler_lagging"]}, {})
    play(game, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}))
    assert refused(game, claim("aberdeen-dundee-white", {"yellow": 1})) == "U10"
    assert refused(game, claim(LONDON_READING, {"yellow": 1})) == "C3"
    game.play(claim(LEEDS_HULL, {"yellow": 1}))
    assert game.view(0).scores[0] == 4


@pytest.mark.rule("UR10")
def test_the_second_claim_may_be_left_out() -> None:
    game = table(TWO, {})
    play(game, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}), ttr.Pass(0))
    assert game.to_act == (1,) and game.state.passes == 0
    compulsory = table(TWO, {}, stack=f"{STACK},second_claim_compulsory=true")
    play(compulsory, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}))
    assert refused(compulsory, ttr.Pass(0)) == "UR10"
    none_left = table({"hand": {LOCO: 1, "green": 1}}, {}, stack=f"{STACK},second_claim_compulsory=true")
    play(none_left, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}))
    assert none_left.legal_actions(0) == [ttr.Pass(0)]
    none_left.play(ttr.Pass(0))
    assert none_left.to_act == (1,)


@pytest.mark.rule("UR10")
@pytest.mark.parametrize("player", [{"hand": {LOCO: 1}}, {"hand": {LOCO: 1, "green": 1}, "cars": 0}, {"hand": {LOCO: 1, "white": 1}, "cars": 1}])  # fmt: skip
def test_it_is_bought_only_if_a_claim_can_follow(player: dict[str, Any]) -> None:
    white = {"routes": ["birmingham-northampton-white", "ipswich-london-white"]}
    gray = {"routes": ["birmingham-nottingham-gray", "brighton-london-gray", "cambridge-northampton-gray"]}
    game = table(player, {"routes": [*white["routes"], *gray["routes"]]})
    assert refused(game, buy("thermocompressor", {LOCO: 1})) == "UR10"


@pytest.mark.rule("UR11", "E1")
def test_the_last_round_is_looked_at_when_the_turn_ends() -> None:
    game = table({**TWO, "cars": 3}, {})
    events = play(game, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}))
    assert not happened(events, LastRoundBegun)
    assert happened(game.play(claim(LEEDS_HULL, {"yellow": 1})), LastRoundBegun) == [LastRoundBegun(2)]


@pytest.mark.rule("U9", "U22")
def test_it_is_the_one_technology_of_the_turn_and_can_be_bought_again() -> None:
    game = table({"hand": {LOCO: 5, "green": 1}}, {}, draw_pile=PILE)
    play(game, buy("thermocompressor", {LOCO: 1}), claim(LONDON_READING, {"green": 1}))
    assert refused(game, buy("mechanical_stoker", {LOCO: 1})) == "S8"
    play(game, claim(LEEDS_HULL, {LOCO: 1}), ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert game.is_legal(buy("thermocompressor", {LOCO: 1}))


# -- water tenders ------------------------------------------------------------------------------------------------


@pytest.mark.rule("U23")
def test_three_cards_from_the_pile_in_place_of_two() -> None:
    game = table({"technologies": ["water_tenders"]}, {}, draw_pile=["red", LOCO, "blue", "white"])
    assert game.is_legal(ttr.DrawBlind(0)) and game.is_legal(ttr.DrawFaceUp(0, "blue"))
    events = game.play(DrawThree(0))
    assert [event.card for event in happened(events, CardDrawn)] == ["red", LOCO, "blue"]
    assert ttr.cards(game.state).hands[0] == {"red": 1, "blue": 1, LOCO: 1}
    assert game.to_act == (1,)
    assert refused(game, DrawThree(1)) == "U23"
    assert happened([event.seen_by(1).event for event in events], CardDrawn)[0].card != "red"


@pytest.mark.rule("U23", "UR12", "D8")
@pytest.mark.parametrize(("pile", "discards", "drawn"), [(["red"], [], 1), (["red", "blue"], [], 2), (["red"], ["blue", "black"], 3)])  # fmt: skip
def test_fewer_than_three_cards(pile: list[str], discards: list[str], drawn: int) -> None:
    game = table({"technologies": ["water_tenders"]}, {}, draw_pile=pile, discards=discards, chance=[AS_IS] * 2)
    events = game.play(DrawThree(0))
    assert len(happened(events, CardDrawn)) == ttr.cards(game.state).hands[0].total == drawn
    assert bool(happened(events, PileShuffled)) == bool(discards)
    empty = table({"technologies": ["water_tenders"]}, {}, draw_pile=[])
    assert refused(empty, DrawThree(0)) == "D8"


@pytest.mark.rule("U23")
@pytest.mark.parametrize("usual", [1, 2, 4])
def test_water_tenders_draw_three_cards_whatever_a_plugin_makes_of_the_usual_draw(usual: int) -> None:
    """The number is printed on the technology. The draw that it replaces (D1) has that of the plugin."""
    asked: list[int] = []

    def cards_drawn(state: ttr.State, seat: int, count: int) -> int:
        asked.append(seat)
        return usual

    rules = ttr.compile_rules(STACK, plugin("other-draws", cards_drawn=cards_drawn))
    game = arranged(rules, {"technologies": ["water_tenders"]}, {}, draw_pile=PILE)
    usually = game.copy()
    assert len(happened(game.play(DrawThree(0)), CardDrawn)) == 3 and game.to_act == (1,) and not asked
    for left in range(usual, 0, -1):
        assert usually.to_act == (0,), left
        usually.play(ttr.DrawBlind(0))
    assert usually.to_act == (1,) and set(asked) == {0}


# -- risky contracts, equalising beam ------------------------------------------------------------------------------

BRIGHTON = {"routes": [["london", "brighton"]], "tickets": [["london", "brighton"]]}
LEEDS = {"routes": [["leeds", "manchester"]], "tickets": [["leeds", "manchester"]]}
RISKY, BEAM = {"technologies": ["risky_contracts"]}, {"technologies": ["equalising_beam"]}


@pytest.mark.rule("U24", "UR4")
def test_risky_contracts() -> None:
    def won(*players: dict[str, Any], stack: str = STACK) -> object:
        return sheet(*players, stack=stack).players[0].bonuses

    assert won({**BRIGHTON, **RISKY}, {}) == {"risky_contracts": 20}
    assert won({**RISKY}, BRIGHTON) == {"risky_contracts": -20}
    failed = {"tickets": [["wick", "dundee"], ["cork", "leeds"]]}
    assert won({**RISKY, **failed}, BRIGHTON) == {"risky_contracts": -20}, "completed ones alone count"
    assert won({**BRIGHTON, **RISKY}, failed) == {"risky_contracts": 20}
    assert won({**BRIGHTON, **RISKY}, LEEDS) == {"risky_contracts": 20}
    assert won({**BRIGHTON, **RISKY}, LEEDS, stack=f"{STACK},ties_fail=true") == {"risky_contracts": -20}
    assert won({**RISKY}, {}) == {"risky_contracts": -20}
    assert won(BRIGHTON, {}) == {}


@pytest.mark.rule("U25", "UR4", "P3")
def test_the_equalising_beam() -> None:
    two = {"routes": [["london", "southampton", "black"]]}
    other = {"routes": [["bristol", "southampton"]]}

    def won(*players: dict[str, Any], stack: str = STACK) -> object:
        return sheet(*players, stack=stack).players[0].bonuses

    assert won({**two, **BEAM}, LEEDS) == {"equalising_beam": 15}
    assert won({**LEEDS, **BEAM}, two) == {"equalising_beam": -15}
    apart = {
        "routes": [["leeds", "manchester"], ["london", "reading"], ["london", "brighton"]]
    }  # 1 + 1 + 1, a path of 2
    three = {"routes": [["barrow", "leeds"], ["barrow", "carlisle"]]}  # 2 + 1, a path of 3
    assert won({**apart, **BEAM}, three) == {"equalising_beam": -15}, "in one path, not in all"
    assert won({**three, **BEAM}, apart) == {"equalising_beam": 15}
    assert won({**two, **BEAM}, other) == {"equalising_beam": 15}
    assert won({**two, **BEAM}, other, stack=f"{STACK},ties_fail=true") == {"equalising_beam": -15}
    assert won({**BEAM}, {}) == {"equalising_beam": -15}
    assert won(two, {}) == {}


@pytest.mark.rule("U25", "U16")
def test_a_route_by_right_of_way_counts_for_the_path() -> None:
    owner = {"routes": [["bristol", "southampton"], ["leeds", "hull"]]}
    mine = {"routes": [["london", "southampton", "black"]], "right_of_way": [["bristol", "southampton"]], **BEAM}
    first, second = sheet(mine, owner).players
    assert (first.longest_path.length, second.longest_path.length) == (4, 2)
    assert first.bonuses == {"equalising_beam": 15}


@pytest.mark.rule("U26", "U24", "U25")
def test_they_are_for_sale_until_the_first_new_pile() -> None:
    game = table({"hand": {LOCO: 4}, "technologies": ["risky_contracts"]}, {}, draw_pile=["red", "blue"], discards=["black", "white"], chance=[AS_IS] * 2)  # fmt: skip
    assert game.is_legal(buy("equalising_beam", {LOCO: 2}))
    events = play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert happened(events, TechnologiesBoxed) == [TechnologiesBoxed(("equalising_beam",))]
    part = game.state.part(Technologies)
    assert part.left["equalising_beam"] == part.left["risky_contracts"] == 0
    assert part.owned[0] == ("risky_contracts",)  # what is sold stays
    play(game, ttr.DrawBlind(1), ttr.DrawFaceUp(1, "blue"))
    assert refused(game, buy("equalising_beam", {LOCO: 2})) == "U26"
    assert game.is_legal(buy("water_tenders", {LOCO: 2}))


@pytest.mark.rule("U26", "U9")
def test_a_card_that_another_player_bought_has_not_left_the_game() -> None:
    game = table({"hand": {LOCO: 2}}, {"technologies": ["equalising_beam"]})
    assert refused(game, buy("equalising_beam", {LOCO: 2})) == "U9"


@pytest.mark.rule("U26", "UR17")
def test_cards_that_come_back_into_an_empty_pile_count_as_the_shuffle() -> None:
    game = table({"hand": {"green": 1, LOCO: 2}}, {}, draw_pile=[])
    events = game.play(claim(LONDON_READING, {"green": 1}))
    assert len(happened(events, PileShuffled)) == 1
    assert len(happened(events, TechnologiesBoxed)) == 1


def with_nothing_to_draw() -> ttr.Game:
    """Draw pile and discards are empty, and two players can buy an advanced technology."""
    players = [{"name": name, "hand": {LOCO: 2}} for name in ("Ada", "Bo")]
    return ttr.arrange(UK, {"players": players, "seed": 1, "draw_pile_complete": True, "face_up": ["red"] * 5})


@pytest.mark.rule("U26", "UR17", "U21", "U9")
@pytest.mark.parametrize(("bought", "other"), [("risky_contracts", "equalising_beam"), ("equalising_beam", "risky_contracts")])  # fmt: skip
def test_a_card_paid_for_with_the_new_pile_is_sold_before_the_other_one_leaves(bought: str, other: str) -> None:
    game = with_nothing_to_draw()
    unlogged = game.state.copy()
    events = game.play(buy(bought, {LOCO: 2}))
    assert [type(event) for event in events] == [TechnologyBought, CardsSpent, PileShuffled, TechnologiesBoxed]
    assert happened(events, TechnologiesBoxed) == [TechnologiesBoxed((other,))]
    part = game.state.part(Technologies)
    assert (part.left[bought], part.left[other], part.owned[0]) == (0, 0, (bought,))
    assert ttr.loads(ttr.dumps(game), verify=True) == game
    advance(unlogged, buy(bought, {LOCO: 2}))
    assert unlogged == game.state
    play(game, ttr.DrawBlind(0), ttr.DrawBlind(0))
    assert refused(game, BuyTechnology(1, bought, {LOCO: 2})) == "U9"
    assert refused(game, BuyTechnology(1, other, {LOCO: 2})) == "U26"


@pytest.mark.rule("U26")
@pytest.mark.parametrize(("rebuilt", "left"), [(False, 1), (True, 0)])
def test_a_position_says_whether_the_pile_has_been_rebuilt(rebuilt: bool, left: int) -> None:
    players: list[dict[str, Any]] = [{"hand": {LOCO: 2}}, {"technologies": ["risky_contracts"]}]
    game = table(*players, pile_rebuilt=rebuilt)
    part = game.state.part(Technologies)
    assert (part.left["equalising_beam"], part.left["risky_contracts"], part.left["water_tenders"]) == (left, 0, 2)
    assert part.owned[1] == ("risky_contracts",), "what is sold stays"
    assert game.is_legal(buy("equalising_beam", {LOCO: 2})) is not rebuilt
    assert happened(game.events, TechnologiesBoxed) == [TechnologiesBoxed(("equalising_beam",))] * rebuilt
    chance = game.state.chance
    assert isinstance(chance, Chance) and ttr.loads(ttr.dumps(game), chance=chance) == game


@pytest.mark.rule("U26")
def test_what_a_position_cannot_say_of_the_pile_is_refused() -> None:
    with pytest.raises(InvalidTableError, match="pile_rebuilt: expected true or false, got 'yes'"):
        table({}, {}, pile_rebuilt="yes")
    with pytest.raises(InvalidTableError, match=r"pile_rebuilt: .*united-kingdom:advanced=true \(U26\)"):
        table({}, {}, stack="united-kingdom", pile_rebuilt=True)


@pytest.mark.slow
@pytest.mark.rule("U26")
def test_the_shuffle_at_set_up_is_none_and_the_second_one_says_nothing() -> None:
    game = ttr.new_game(rules=UK, players=4, seed=1)
    assert not happened(game.events, TechnologiesBoxed)
    play_game(game)
    assert len(happened(game.events, PileShuffled)) > 2
    assert len(happened(game.events, TechnologiesBoxed)) == 1


@pytest.mark.rule("U22", "U16")
def test_what_is_used_up_at_once_is_in_no_score_file() -> None:
    with pytest.raises(InvalidTableError, match="thermocompressor is used up at once"):
        sheet({"technologies": ["thermocompressor"]}, {})
