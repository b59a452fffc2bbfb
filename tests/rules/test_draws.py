"""Drawing train cards: the two picks, locomotives, sweeps of the row, and piles that run out."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import (
    AS_IS,
    COLORS,
    PLAIN_ROW,
    Expect,
    arranged,
    chance_of,
    happened,
    legal,
    play,
    refused,
    rules_of,
)
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Event, State
from ttr_rules.actions import economy_of
from ttr_rules.errors import HookTypeError, PluginError
from ttr_rules.events import (
    CardsDiscarded,
    CardsSpent,
    LastRoundBegun,
    PileShuffled,
    RowSwept,
    TurnEnded,
    Unknown,
    fold,
)
from ttr_rules.model import Cost, TicketChoice
from ttr_rules.plugins import Transaction, known, secret
from ttr_rules.train_cards import CardOptions, CardPiles, NextCard, TrainCards, TrainCardsPlugin
from ttr_tools.narration import Narrator
from ttr_variants.europe.stations import BuildStation

LOCO = "locomotive"
BLIND = ttr.DrawBlind(0)
ROUTE_OF_1 = "atlanta-nashville-gray"
ROUTE_OF_2 = "pittsburgh-toronto-gray"


def take(card: str, seat: int = 0) -> ttr.DrawFaceUp:
    return ttr.DrawFaceUp(seat, card)


def america(*hands: dict[str, int], chance: Any = (), **position: Any) -> ttr.Game:
    """North America with these hands; two players at least."""
    players = [{"hand": hand} for hand in (*hands, {}, {})[: max(2, len(hands))]]
    return arranged("north-america", *players, chance=chance, **position)


def second_card(game: ttr.Game) -> bool:
    """Whether seat 0 is asked for the second card; its turn is over otherwise."""
    if game.to_act == (1,):
        assert game.decision(1) == ttr.Turn(1)
        return False
    assert game.decision(0) == NextCard(0, of_draw=True)
    return True


# -- two cards (D1) --------------------------------------------------------------------------------------------


@pytest.mark.rule("D1")
def test_two_cards_from_the_top_of_the_pile() -> None:
    game = america(draw_pile=["red", "blue", "black"])
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {"red": 1}
    assert second_card(game)
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {"red": 1, "blue": 1}
    assert ttr.cards(game.state).draw_pile == ("black",)
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert not second_card(game)


@pytest.mark.rule("D1")
def test_a_face_up_card_is_replaced_at_once_and_in_its_place() -> None:
    game = america(face_up=["purple", "blue", "orange", "white", "green"], draw_pile=["red", "black", "yellow"])
    game.play(take("orange"))
    assert ttr.cards(game.state).face_up == ("purple", "blue", "red", "white", "green")
    assert ttr.cards(game.state).draw_pile == ("black", "yellow")
    assert second_card(game)
    game.play(take("red"))  # the card that has just been turned up
    assert ttr.cards(game.state).face_up == ("purple", "blue", "black", "white", "green")
    assert ttr.cards(game.state).hands[0] == {"orange": 1, "red": 1}
    assert not second_card(game)


@pytest.mark.rule("D1")
def test_a_card_from_the_row_and_one_from_the_pile() -> None:
    game = america(draw_pile=["red", "black", "yellow"])
    play(game, take("blue"), BLIND)
    assert ttr.cards(game.state).hands[0] == {"blue": 1, "black": 1}
    assert ttr.cards(game.state).face_up == ("purple", "red", "orange", "white", "green")
    assert not second_card(game)


@pytest.mark.rule("D1")
def test_a_card_from_the_pile_and_one_from_the_row() -> None:
    game = america(draw_pile=["red", "black", "yellow"])
    play(game, BLIND, take("blue"))
    assert ttr.cards(game.state).hands[0] == {"blue": 1, "red": 1}
    assert ttr.cards(game.state).face_up == ("purple", "black", "orange", "white", "green")
    assert ttr.cards(game.state).draw_pile == ("yellow",)
    assert not second_card(game)


@pytest.mark.rule("D1")
def test_the_same_color_twice() -> None:
    game = america(face_up=["red", "red", "red", "blue", "red"], draw_pile=["black", "yellow"])
    play(game, take("red"), take("red"))
    assert ttr.cards(game.state).hands[0] == {"red": 2}
    assert sorted(ttr.cards(game.state).face_up) == ["black", "blue", "red", "red", "yellow"]


@pytest.mark.rule("D1")
def test_what_may_be_taken() -> None:
    game = america(face_up=["red", "red", "blue", LOCO, "red"], draw_pile=["black", "yellow"])
    assert {action.card for action in legal(game, ttr.DrawFaceUp)} == {"red", "blue", LOCO}
    assert len(legal(game, ttr.DrawFaceUp)) == 3
    assert legal(game, ttr.DrawBlind) == [BLIND]
    for card in ("black", "yellow", "gray", "", "Red", 0, None):
        assert refused(game, take(card)) == "D1"  # type: ignore[arg-type]
    game.play(take("blue"))
    assert refused(game, take("blue")) == "D1"
    assert game.is_legal(take("black"))


# -- locomotives (D2, D3, D4) ----------------------------------------------------------------------------------


@pytest.mark.rule("D2")
def test_a_face_up_locomotive_is_the_only_card() -> None:
    game = america(face_up=["red", LOCO, "blue", "red", "red"], draw_pile=["black", "yellow"])
    game.play(take(LOCO))
    assert ttr.cards(game.state).hands[0] == {LOCO: 1}
    assert ttr.cards(game.state).face_up == ("red", "black", "blue", "red", "red")
    assert not second_card(game)


@pytest.mark.rule("D3")
def test_no_face_up_locomotive_that_lay_there() -> None:
    game = america(face_up=["red", LOCO, "blue", "red", "red"], draw_pile=["black", "yellow"])
    game.play(take("blue"))
    assert second_card(game)
    assert refused(game, take(LOCO)) == "D3"
    assert {action.card for action in legal(game, ttr.DrawFaceUp)} == {"red", "black"}
    assert game.is_legal(BLIND)


@pytest.mark.rule("D3")
def test_no_face_up_locomotive_that_has_just_turned_up() -> None:
    game = america(draw_pile=[LOCO, "yellow", "red"])
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == ("purple", LOCO, "orange", "white", "green")
    assert second_card(game)
    assert refused(game, take(LOCO)) == "D3"
    play(game, BLIND)
    game.play(ttr.DrawFaceUp(1, LOCO))  # but the next player may begin with it
    assert game.to_act == (0,)


@pytest.mark.rule("D3")
def test_no_face_up_locomotive_after_a_blind_card() -> None:
    game = america(face_up=["red", LOCO, "blue", "red", "red"], draw_pile=["black", "yellow", "white"])
    game.play(BLIND)
    assert refused(game, take(LOCO)) == "D3"
    assert {action.card for action in legal(game, ttr.DrawFaceUp)} == {"red", "blue"}


@pytest.mark.rule("D4")
def test_a_locomotive_drawn_blind_is_one_card() -> None:
    game = america(draw_pile=[LOCO, LOCO, "red"])
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {LOCO: 1}
    assert second_card(game)
    assert game.is_legal(take("blue"))
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {LOCO: 2}
    assert not second_card(game)


@pytest.mark.rule("D4", "D3")
def test_after_a_locomotive_drawn_blind_no_face_up_one() -> None:
    game = america(face_up=["red", LOCO, "blue", "red", "red"], draw_pile=[LOCO, "yellow", "white"])
    game.play(BLIND)
    assert refused(game, take(LOCO)) == "D3"


# -- sweeps (S4, D5) -------------------------------------------------------------------------------------------


@pytest.mark.rule("D5", "S4")
def test_a_sweep_between_the_two_picks() -> None:
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, "red", "red", "black", "yellow", LOCO, "orange", "orange"],
        discards=["purple"],
    )
    events = game.play(take("blue"))
    assert [sweep.cards for sweep in happened(events, RowSwept)] == [(LOCO, LOCO, LOCO, "white", "green")]
    assert ttr.cards(game.state).face_up == ("red", "red", "black", "yellow", LOCO)
    assert ttr.cards(game.state).discards == ("purple", LOCO, LOCO, LOCO, "white", "green")
    assert ttr.cards(game.state).draw_pile == ("orange", "orange")
    assert second_card(game)
    assert refused(game, take("white")) == "D1"
    assert refused(game, take(LOCO)) == "D3"
    game.play(take("black"))
    assert ttr.cards(game.state).hands[0] == {"blue": 1, "black": 1}


@pytest.mark.rule("D5", "S4")
def test_a_sweep_after_the_second_pick() -> None:
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=["black", LOCO, *PLAIN_ROW, "red"],
    )
    play(game, take("white"), take("green"))
    assert ttr.cards(game.state).discards == (LOCO, "blue", LOCO, "black", LOCO)
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert not second_card(game)


@pytest.mark.rule("D5", "S4")
def test_two_locomotives_are_not_swept() -> None:
    game = america(face_up=[LOCO, "blue", "red", "white", "green"], draw_pile=[LOCO, *PLAIN_ROW, "red"])
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == (LOCO, LOCO, "red", "white", "green")
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("D5", "S4")
def test_a_locomotive_that_replaces_one_is_not_a_third() -> None:
    game = america(face_up=[LOCO, "blue", LOCO, "white", "green"], draw_pile=[LOCO, *PLAIN_ROW, "red"])
    game.play(take(LOCO))
    assert ttr.cards(game.state).face_up == (LOCO, "blue", LOCO, "white", "green")
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("D5", "S4")
def test_sweep_upon_sweep() -> None:
    second, third = (LOCO, LOCO, LOCO, LOCO, "red"), ("red", LOCO, LOCO, "red", LOCO)
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"], draw_pile=[LOCO, *second, *third, *PLAIN_ROW, "black"]
    )
    game.play(take("green"))
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert ttr.cards(game.state).discards == (LOCO, "blue", LOCO, "white", LOCO, *second, *third)


@pytest.mark.rule("D5", "D7")
def test_a_sweep_with_too_few_cards_in_the_pile_rebuilds_it_on_the_way() -> None:
    """Two cards are turned up, the pile is made of all discards, three more are turned up."""
    old, swept = ("black", "yellow"), (LOCO, LOCO, LOCO, "white", "green")
    rebuild = Expect([*old, *swept], ["black", "white", "yellow", LOCO, "green", LOCO, LOCO])
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, "red", "purple"],
        discards=old,
        chance=[rebuild],
    )
    game.play(take("blue"))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == ("red", "purple", "black", "white", "yellow")
    assert ttr.cards(game.state).draw_pile == (LOCO, "green", LOCO, LOCO)
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("D5", "D7")
def test_a_sweep_that_takes_the_last_card_of_the_pile_rebuilds_it() -> None:
    swept = (LOCO, LOCO, LOCO, "white", "green")
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, *PLAIN_ROW],
        chance=[Expect(swept, swept[::-1])],
    )
    game.play(take("blue"))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert ttr.cards(game.state).draw_pile == swept[::-1]


# -- sweeps that must stop (R1) --------------------------------------------------------------------------------


@pytest.mark.rule("R1")
def test_no_sweep_without_a_card_to_turn_up() -> None:
    game = america(face_up=[LOCO, "blue", LOCO, "white", "green"], draw_pile=[LOCO])
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == (LOCO, LOCO, LOCO, "white", "green")
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("R1")
def test_one_card_to_turn_up_is_enough() -> None:
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, "red"],
        chance=[Expect([LOCO, LOCO, LOCO, "white", "green"], ["white", "green", LOCO, LOCO, LOCO])],
    )
    game.play(take("blue"))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == ("red", "white", "green", LOCO, LOCO)
    assert ttr.cards(game.state).draw_pile == (LOCO,)


@pytest.mark.rule("R1")
@pytest.mark.parametrize("hand", [{}, {"red": 12, "purple": 12}])
def test_no_sweep_with_fewer_than_three_other_cards(hand: dict[str, int]) -> None:
    """What hands hold does not count."""
    game = america(hand, face_up=[LOCO, "blue", LOCO, "white", "green"], draw_pile=[LOCO, LOCO, LOCO, LOCO])
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == (LOCO, LOCO, LOCO, "white", "green")
    assert ttr.cards(game.state).draw_pile == (LOCO, LOCO, LOCO)
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("R1")
@pytest.mark.parametrize("third", ["red", LOCO])
def test_three_other_cards_in_row_and_pile_are_enough(third: str) -> None:
    swept = (LOCO, LOCO, LOCO, "white", "green")
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, third, LOCO],
        chance=[Expect(swept, ["white", "green", LOCO, LOCO, LOCO])],
    )
    game.play(take("blue"))
    if third == LOCO:
        assert ttr.cards(game.state).face_up == swept
    else:
        assert ttr.cards(game.state).face_up == ("red", LOCO, "white", "green", LOCO)
        assert ttr.cards(game.state).draw_pile == (LOCO, LOCO)


@pytest.mark.rule("R1")
@pytest.mark.parametrize("third", ["red", LOCO])
def test_three_other_cards_in_row_and_discards_are_enough(third: str) -> None:
    swept = (LOCO, LOCO, LOCO, "white", "green")
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, LOCO],
        discards=[third],
        chance=[Expect([third, *swept], [third, "white", "green", LOCO, LOCO, LOCO])],
    )
    game.play(take("blue"))
    if third == LOCO:
        assert ttr.cards(game.state).face_up == swept
    else:
        assert ttr.cards(game.state).face_up == (LOCO, "red", "white", "green", LOCO)
        assert ttr.cards(game.state).draw_pile == (LOCO, LOCO)


@pytest.mark.rule("R1")
def test_after_ten_sweeps_in_a_row_the_row_stays() -> None:
    """Two fives, each with three locomotives, trade places for ever."""
    one = (LOCO, LOCO, LOCO, "white", "green")
    other = (LOCO, LOCO, LOCO, "red", "black")
    game = america(
        face_up=[LOCO, "blue", LOCO, "white", "green"],
        draw_pile=[LOCO, *other],
        chance=[Expect(one), Expect(other)] * 5,
    )
    events = game.play(take("blue"))
    assert len(happened(events, RowSwept)) == 10
    assert len(happened(events, PileShuffled)) == 10
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == one
    assert ttr.cards(game.state).draw_pile == other
    assert second_card(game)
    assert refused(game, take(LOCO)) == "D3"


# -- no hand limit (D6) ----------------------------------------------------------------------------------------


@pytest.mark.rule("D6")
def test_no_hand_is_too_large() -> None:
    hand = {**dict.fromkeys(COLORS, 12), LOCO: 4}
    hand["red"] = 7
    game = america(hand, face_up=["red"] * 5, draw_pile=[LOCO] * 4)
    assert {BLIND, take("red")} <= set(game.legal_actions())
    play(game, BLIND, BLIND)
    assert ttr.cards(game.state).hands[0].total == 97
    assert ttr.cards(game.state).hands[0][LOCO] == 6


# -- rebuilding the pile (D7) ----------------------------------------------------------------------------------


@pytest.mark.rule("D7")
def test_the_pile_is_rebuilt_the_moment_its_last_card_is_drawn() -> None:
    game = america(
        draw_pile=["red"],
        discards=["black", "yellow", "yellow"],
        chance=[Expect(["black", "yellow", "yellow"], ["yellow", "black", "yellow"])],
    )
    game.play(BLIND)
    chance_of(game).done()
    assert ttr.cards(game.state).draw_pile == ("yellow", "black", "yellow")
    assert ttr.cards(game.state).discards == ()
    assert second_card(game)
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {"red": 1, "yellow": 1}


@pytest.mark.rule("D7")
def test_the_pile_is_rebuilt_the_moment_its_last_card_is_turned_up() -> None:
    game = america(
        draw_pile=["red"],
        discards=["black", "yellow"],
        chance=[Expect(["black", "yellow"], ["yellow", "black"])],
    )
    game.play(take("blue"))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == ("purple", "red", "orange", "white", "green")
    assert ttr.cards(game.state).draw_pile == ("yellow", "black")
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("D7")
def test_the_pile_is_rebuilt_at_the_end_of_a_turn_too() -> None:
    game = america(
        draw_pile=["red", "white"],
        discards=["black", "yellow"],
        chance=[Expect(["black", "yellow"], ["yellow", "black"])],
    )
    play(game, BLIND, BLIND)
    assert ttr.cards(game.state).draw_pile == ("yellow", "black")
    assert not second_card(game)


@pytest.mark.rule("D7")
def test_a_single_discard_is_no_matter_of_chance() -> None:
    game = america(draw_pile=["red"], discards=["black"])
    play(game, BLIND)
    assert ttr.cards(game.state).draw_pile == ("black",)
    assert ttr.cards(game.state).discards == ()
    play(game, BLIND)
    assert ttr.cards(game.state).hands[0] == {"red": 1, "black": 1}


@pytest.mark.rule("D7")
def test_as_long_as_the_pile_lasts_the_discards_lie() -> None:
    game = america(draw_pile=["red", "white"], discards=["black", "yellow"])
    game.play(BLIND)
    assert ttr.cards(game.state).draw_pile == ("white",)
    assert ttr.cards(game.state).discards == ("black", "yellow")


@pytest.mark.rule("D7", "D8")
def test_with_both_empty_the_next_discards_become_the_pile_at_once() -> None:
    game = america(
        {"red": 1, LOCO: 1},
        {"white": 1},
        chance=[Expect(["red", LOCO], [LOCO, "red"])],
    )
    assert ttr.cards(game.state).draw_pile == ttr.cards(game.state).discards == ()
    game.play(ttr.ClaimRoute(0, ROUTE_OF_2, {LOCO: 1, "red": 1}))
    chance_of(game).done()
    assert ttr.cards(game.state).draw_pile == (LOCO, "red")
    assert ttr.cards(game.state).discards == ()
    play(game, ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert ttr.cards(game.state).hands[1] == {"white": 1, LOCO: 1, "red": 1}


@pytest.mark.rule("D7", "D8")
def test_with_both_empty_one_discarded_card_becomes_the_pile() -> None:
    game = america({"red": 1})
    game.play(ttr.ClaimRoute(0, ROUTE_OF_1, {"red": 1}))
    assert ttr.cards(game.state).draw_pile == ("red",)
    assert game.is_legal(ttr.DrawBlind(1))


@pytest.mark.rule("D7", "D8")
def test_with_both_empty_the_cards_for_a_station_become_the_pile() -> None:
    game = arranged("europe", {"hand": {"red": 1}}, {})
    game.play(BuildStation(0, "paris", {"red": 1}))
    assert ttr.cards(game.state).draw_pile == ("red",)


# -- the order of discards -------------------------------------------------------------------------------------


@pytest.mark.rule("D7", "C4")
def test_discards_lie_in_the_order_of_play_a_payment_with_its_locomotives_last() -> None:
    game = america(
        {LOCO: 1, "red": 2},
        {"black": 1, LOCO: 2},
        draw_pile=["white"] * 3,
        discards=["green"],
        chance=[Expect(["green", "red", LOCO, "black", LOCO])],
    )
    game.play(ttr.ClaimRoute(0, ROUTE_OF_2, {LOCO: 1, "red": 1}))
    assert ttr.cards(game.state).discards == ("green", "red", LOCO)
    game.play(ttr.ClaimRoute(1, "dallas-little_rock-gray", {LOCO: 1, "black": 1}))
    assert ttr.cards(game.state).discards == ("green", "red", LOCO, "black", LOCO)
    play(game, BLIND, BLIND, ttr.DrawBlind(1))
    chance_of(game).done()


@pytest.mark.rule("D7", "S4")
def test_a_swept_row_lies_on_the_discards_left_to_right() -> None:
    row = [LOCO, "white", LOCO, "blue", "green"]
    game = america(face_up=row, draw_pile=[LOCO, *PLAIN_ROW, "red"], discards=["black", "yellow"])
    game.play(take("white"))
    assert ttr.cards(game.state).discards == ("black", "yellow", LOCO, LOCO, LOCO, "blue", "green")


@pytest.mark.rule("D7", "T5")
def test_a_tunnel_discards_laid_and_extra_together_then_what_was_turned_up() -> None:
    game = arranged(
        "europe",
        {"hand": {"red": 3, LOCO: 2}},
        {},
        draw_pile=["white", "red", LOCO, "blue"],
        discards=["green"],
    )
    game.play(ttr.ClaimRoute(0, "barcelona-pamplona-gray", {LOCO: 1, "red": 1}))
    assert ttr.cards(game.state).discards == ("green",)
    game.play(ttr.PayTunnel(0, {LOCO: 1, "red": 1}))
    assert ttr.cards(game.state).discards == ("green", "red", "red", LOCO, LOCO, "white", "red", LOCO)
    assert ttr.cards(game.state).draw_pile == ("blue",)


@pytest.mark.rule("D7", "T6")
def test_a_tunnel_rebuilds_the_pile_in_the_middle_of_turning_up() -> None:
    """The laid cards are not among the discards, nor are those turned up."""
    game = arranged(
        "europe",
        {"hand": {"red": 2}},
        {},
        draw_pile=["white"],
        discards=["green", "blue", "black"],
        chance=[Expect(["green", "blue", "black"], ["black", "green", "blue"])],
    )
    game.play(ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}))
    chance_of(game).done()
    assert game.state.owners == {"barcelona-pamplona-gray": 0}
    assert ttr.cards(game.state).draw_pile == ("blue",)
    assert ttr.cards(game.state).discards == ("red", "red", "white", "black", "green")


@pytest.mark.rule("D7", "T5")
def test_a_tunnel_that_empties_both_makes_a_new_pile_of_its_payment() -> None:
    """The payment is discarded first and becomes the pile; the cards turned up lie on the new discards."""
    game = arranged(
        "europe",
        {"hand": {"red": 2}},
        {},
        draw_pile=["white", "blue", "black"],
        chance=[Expect(["red", "red"])],
    )
    game.play(ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}))
    chance_of(game).done()
    assert ttr.cards(game.state).draw_pile == ("red", "red")
    assert ttr.cards(game.state).discards == ("white", "blue", "black")


@pytest.mark.rule("D7", "T4", "T5")
def test_an_abandoned_tunnel_that_emptied_both_gives_back_what_it_turned_up() -> None:
    game = arranged(
        "europe",
        {"hand": {"red": 2}},
        {},
        draw_pile=["white", "red", "black"],
        chance=[Expect(["white", "red", "black"], ["black", "red", "white"])],
    )
    play(game, ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}), ttr.AbandonTunnel(0))
    chance_of(game).done()
    assert ttr.cards(game.state).hands[0] == {"red": 2}
    assert ttr.cards(game.state).draw_pile == ("black", "red", "white")
    assert ttr.cards(game.state).discards == ()


# -- nothing to draw (D8, R2) ----------------------------------------------------------------------------------


@pytest.mark.rule("D8", "R2")
def test_with_both_empty_no_card_may_be_taken() -> None:
    game = america({"red": 2})
    assert refused(game, BLIND) == "D8"
    for card in PLAIN_ROW:
        assert refused(game, take(card)) == "D8"
    assert not legal(game, ttr.DrawBlind) and not legal(game, ttr.DrawFaceUp)
    assert game.is_legal(ttr.DrawTickets(0))
    assert game.is_legal(ttr.ClaimRoute(0, ROUTE_OF_2, {"red": 2}))
    assert refused(game, ttr.Pass(0)) == "R4"


@pytest.mark.rule("D8", "R2", "R5")
@pytest.mark.parametrize("first", [BLIND, ttr.DrawFaceUp(0, "blue")])
def test_the_last_card_of_all_ends_the_turn(first: ttr.Action) -> None:
    """The row may no longer be touched once the pile is gone for good."""
    game = america(draw_pile=["red"])
    game.play(first)
    assert not second_card(game)
    assert ttr.cards(game.state).draw_pile == ()
    assert len(ttr.cards(game.state).face_up) == 5


@pytest.mark.rule("R2")
def test_the_ruling_opens_the_row() -> None:
    game = america({"red": 2}, face_up=["purple", "blue", LOCO, "blue"], rulings={"face_up_when_exhausted": True})
    assert refused(game, BLIND) == "D8"
    assert {action.card for action in legal(game, ttr.DrawFaceUp)} == {"purple", "blue", LOCO}
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == ("purple", LOCO, "blue")  # not replaced
    assert second_card(game)
    assert refused(game, BLIND) == "D8"
    assert refused(game, take(LOCO)) == "D3"
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == ("purple", LOCO)
    assert ttr.cards(game.state).hands[0] == {"red": 2, "blue": 2}
    game.play(ttr.DrawFaceUp(1, LOCO))
    assert ttr.cards(game.state).face_up == ("purple",)
    game.play(take("purple"))
    assert game.to_act == (1,)  # nothing is left for a second card
    assert ttr.cards(game.state).face_up == ()
    assert legal(game, ttr.DrawFaceUp) == []
    assert game.refusal(ttr.DrawFaceUp(1, "purple")) is not None


@pytest.mark.rule("R2", "D8")
def test_the_ruling_changes_nothing_while_there_is_a_pile() -> None:
    game = america(draw_pile=["red", "white"], rulings={"face_up_when_exhausted": True})
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == ("purple", "red", "orange", "white", "green")
    assert game.is_legal(BLIND)


@pytest.mark.rule("R2")
def test_under_the_ruling_the_row_still_serves_after_the_last_card() -> None:
    game = america(draw_pile=["red"], rulings={"face_up_when_exhausted": True})
    game.play(BLIND)
    assert second_card(game)
    assert legal(game, ttr.DrawBlind) == []
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == ("purple", "orange", "white", "green")
    assert not second_card(game)


@pytest.mark.rule("R2", "R5", "D3")
def test_under_the_ruling_locomotives_alone_are_no_second_card() -> None:
    game = america(face_up=[LOCO, "blue", LOCO], rulings={"face_up_when_exhausted": True})
    game.play(take("blue"))
    assert not second_card(game)
    assert game.is_legal(ttr.DrawFaceUp(1, LOCO))


# -- a row with gaps (R3) --------------------------------------------------------------------------------------


@pytest.mark.rule("R3")
def test_a_row_with_gaps_is_filled_as_soon_as_there_are_cards() -> None:
    game = america(
        {"red": 2},
        face_up=["purple", "blue"],
        chance=[Expect(["red", "red"])],
    )
    assert ttr.cards(game.state).face_up == ("purple", "blue")
    game.play(ttr.ClaimRoute(0, ROUTE_OF_2, {"red": 2}))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == ("purple", "blue", "red", "red")
    assert ttr.cards(game.state).draw_pile == ttr.cards(game.state).discards == ()


@pytest.mark.rule("R3")
def test_a_row_is_filled_to_five_and_no_further() -> None:
    game = america(
        {"red": 3, LOCO: 3},
        face_up=["purple", "blue", "white"],
        chance=[["red", LOCO, "red", LOCO, LOCO, "red"]],
    )
    game.play(ttr.ClaimRoute(0, "sault_st_marie-winnipeg-gray", {"red": 3, LOCO: 3}))
    assert ttr.cards(game.state).face_up == ("purple", "blue", "white", "red", LOCO)
    assert ttr.cards(game.state).draw_pile == ("red", LOCO, LOCO, "red")


@pytest.mark.rule("R3", "S4")
def test_locomotives_count_when_the_row_is_full_again() -> None:
    """Four cards are turned up, three locomotives lie there, so all five go; the rest follows as S4 says."""
    first = [LOCO, LOCO, LOCO, "red", "red", "red"]
    second = ["purple", LOCO, LOCO, LOCO, "red"]
    game = america(
        {"red": 3, LOCO: 3},
        face_up=["purple"],
        chance=[Expect(["red"] * 3 + [LOCO] * 3, first), Expect(second, ["purple", "red", LOCO, LOCO, LOCO])],
    )
    game.play(ttr.ClaimRoute(0, "sault_st_marie-winnipeg-gray", {"red": 3, LOCO: 3}))
    chance_of(game).done()
    assert ttr.cards(game.state).face_up == ("red", "red", "purple", "red", LOCO)
    assert ttr.cards(game.state).draw_pile == (LOCO, LOCO)
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("R3", "R1")
def test_a_short_row_of_locomotives_is_not_swept_when_nothing_can_fill_it() -> None:
    game = america({"red": 1}, face_up=[LOCO, LOCO, LOCO])
    assert ttr.cards(game.state).face_up == (LOCO, LOCO, LOCO)
    game.play(ttr.ClaimRoute(0, ROUTE_OF_1, {"red": 1}))
    assert ttr.cards(game.state).face_up == (LOCO, LOCO, LOCO, "red")
    assert ttr.cards(game.state).discards == ttr.cards(game.state).draw_pile == ()


@pytest.mark.rule("R3", "R2")
def test_a_gap_left_by_the_ruling_is_filled_by_the_next_discards() -> None:
    game = america({}, {"red": 2}, chance=[Expect(["red", "red"])], rulings={"face_up_when_exhausted": True})
    play(game, take("blue"), take("green"))
    assert ttr.cards(game.state).face_up == ("purple", "orange", "white")
    game.play(ttr.ClaimRoute(1, ROUTE_OF_2, {"red": 2}))
    assert ttr.cards(game.state).face_up == ("purple", "orange", "white", "red", "red")


# -- the second card (R5) --------------------------------------------------------------------------------------


@pytest.mark.rule("R5")
def test_the_second_card_is_compulsory() -> None:
    game = america(draw_pile=["red"] * 4)
    game.play(BLIND)
    assert refused(game, ttr.Pass(0)) == "R5"
    assert legal(game, ttr.Pass) == []
    assert set(game.legal_actions()) == {BLIND, *map(take, PLAIN_ROW)}


@pytest.mark.rule("R5")
@pytest.mark.parametrize("first", [BLIND, ttr.DrawFaceUp(0, "blue")])
def test_the_ruling_makes_it_optional(first: ttr.Action) -> None:
    game = america(draw_pile=["red"] * 4, rulings={"second_card_optional": True})
    assert refused(game, ttr.Pass(0)) == "R4"  # the first card cannot be forgone
    game.play(first)
    assert set(game.legal_actions()) >= {BLIND, ttr.Pass(0)}
    other = game.copy()
    other.play(BLIND)
    assert not second_card(other)
    events = game.play(ttr.Pass(0))
    assert not second_card(game)
    assert ttr.cards(game.state).hands[0].total == 1
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=False)]


@pytest.mark.rule("R5")
def test_a_plugin_makes_later_cards_optional_in_some_turns() -> None:
    from_two = plugin("from-two", may_stop_drawing=lambda state, seat: state.part(CardPiles).hand_sizes[seat] >= 2)
    game = arranged(ttr.compile_rules("north-america", from_two), {"hand": {"red": 1}}, {}, draw_pile=["red"] * 4)
    assert refused(game, ttr.Pass(0)) == "R4"  # the first card cannot be forgone
    game.play(BLIND)
    assert game.legal_actions()[-1] == ttr.Pass(0)
    events = game.play(ttr.Pass(0))
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=False)]
    game.play(ttr.DrawBlind(1))  # the first card of this hand
    assert refused(game, ttr.Pass(1)) == "R5"
    assert legal(game, ttr.Pass) == []


def test_a_wrong_answer_of_a_plugin_about_later_cards_names_it() -> None:
    rules = ttr.compile_rules("north-america", plugin("vague", may_stop_drawing=lambda state, seat: 1))
    game = arranged(rules, {}, {}, draw_pile=["red"] * 4)
    message = "may_stop_drawing of plugin 'vague' must give True or False, not 1"
    with pytest.raises(HookTypeError, match=message):
        game.play(BLIND)
        game.legal_actions()


@pytest.mark.rule("R5", "R4")
def test_forgoing_second_cards_is_no_passing() -> None:
    """A game in which everybody does without the second card goes on."""
    game = america(draw_pile=["red"] * 12, rulings={"second_card_optional": True})
    for _ in range(3):
        for seat in (0, 1):
            play(game, ttr.DrawBlind(seat), ttr.Pass(seat))
    assert game.to_act == (0,)
    assert not happened(game.events, LastRoundBegun)


@pytest.mark.rule("R5")
def test_a_second_card_that_does_not_exist_is_not_asked_for() -> None:
    for rulings in ({}, {"second_card_optional": True}):
        game = america(draw_pile=["red"], rulings=rulings)
        game.play(BLIND)
        assert not second_card(game)


@pytest.mark.rule("R5", "R1", "D3")
def test_a_row_of_nothing_but_locomotives_leaves_the_pile_for_the_second_card() -> None:
    game = america(face_up=[LOCO, LOCO, "blue", LOCO, LOCO], draw_pile=[LOCO, "red"])
    game.play(take("blue"))
    assert ttr.cards(game.state).face_up == (LOCO,) * 5
    assert second_card(game)
    assert list(game.legal_actions()) == [BLIND]
    game.play(BLIND)
    assert ttr.cards(game.state).hands[0] == {"blue": 1, "red": 1}


@pytest.mark.rule("R2", "R5")
def test_rulings_are_given_to_compiled_rules_too() -> None:
    rules = ttr.compile_rules("north-america", rulings={"second_card_optional": True})
    assert rules.options["train-cards"] == {"face_up_when_exhausted": False, "second_card_optional": True}
    assert rules.plugin(CardOptions).second_card_optional
    assert rules_of("north-america").plugin(CardOptions) == TrainCardsPlugin()
    game = arranged(rules, {}, {}, draw_pile=["red"] * 4)
    play(game, BLIND, ttr.Pass(0))
    assert game.to_act == (1,)


# -- a row that is swept too often (R1) ------------------------------------------------------------------------


def after_ten_sweeps(*more: str, hand: dict[str, int] | None = None) -> ttr.Game:
    """Three locomotives come up again and again; seat 0 has drawn its first card. `more` lies in the pile as well."""
    game = america(
        {},
        hand or {},
        face_up=[LOCO, LOCO, "blue", "red", "red"],
        draw_pile=[LOCO, LOCO, LOCO, LOCO, "white", *(more or ["white"])],
        chance=[AS_IS] * 40,
    )
    events = game.play(take("blue"))
    assert len(happened(events, RowSwept)) == 10
    assert ttr.cards(game.state).face_up.count(LOCO) >= 3
    return game


def sweeps(game: ttr.Game, *actions: ttr.Action) -> list[bool]:
    """Whether the row is swept after each action."""
    return [bool(happened(game.play(action), RowSwept)) for action in actions]


@pytest.mark.rule("R1", "D5")
def test_after_ten_sweeps_a_blind_draw_alone_does_not_sweep_again() -> None:
    game = after_ten_sweeps()
    row = ttr.cards(game.state).face_up
    assert sorted(row) == [LOCO] * 3 + ["red"] * 2
    assert sweeps(game, BLIND, ttr.DrawBlind(1), ttr.DrawBlind(1)) == [False, False, False]
    assert ttr.cards(game.state).face_up == row and len(ttr.cards(game.state).draw_pile) == 2


@pytest.mark.rule("R1", "K1")
def test_after_ten_sweeps_what_moves_no_train_card_does_not_sweep_again() -> None:
    game = after_ten_sweeps(hand={"red": 1})
    assert sweeps(game, BLIND, ttr.DrawTickets(1)) == [False, False]
    choice = game.decision(1)
    assert isinstance(choice, TicketChoice)
    assert sweeps(game, ttr.KeepTickets(1, choice.tickets)) == [False]


@pytest.mark.rule("R1", "D5")
def test_after_ten_sweeps_the_row_is_looked_at_again_when_it_changes() -> None:
    game = after_ten_sweeps()
    assert sweeps(game, take("red")) == [True]


@pytest.mark.rule("R1", "D5")
def test_after_ten_sweeps_the_row_is_looked_at_again_when_the_discards_change() -> None:
    game = after_ten_sweeps(hand={"black": 1})
    assert sweeps(game, BLIND, ttr.ClaimRoute(1, ROUTE_OF_1, {"black": 1})) == [False, True]


@pytest.mark.rule("R1", "D5", "D7")
def test_after_ten_sweeps_the_row_is_looked_at_again_when_the_discards_are_shuffled() -> None:
    game = after_ten_sweeps(*[LOCO] * 6, "white")
    piles = ttr.cards(game.state)
    assert (len(piles.draw_pile), len(piles.discards)) == (6, 5)
    assert sweeps(game, *map(ttr.DrawBlind, [0, 1, 1, 0, 0, 1])) == [False] * 5 + [True]
    assert happened(game.last_move.events, PileShuffled)


@pytest.mark.rule("R1")
def test_after_ten_sweeps_a_payment_of_no_card_does_not_sweep_again() -> None:
    """An economy that is laid over the cards may pay for everything itself."""
    tx = Transaction(after_ten_sweeps().state, [])
    tx.rules.economy.pay(tx, 0, Cost("single", 0), ttr.Counts())
    assert tx.log == [CardsSpent(0, ttr.Counts())]


# -- what a refusal says ---------------------------------------------------------------------------------------


@pytest.mark.rule("D1")
def test_a_card_that_does_not_lie_there_is_refused_with_those_that_do() -> None:
    assert told(america(draw_pile=["red"]), take("black")) == (
        "no 'black' lies face up, only purple, blue, orange, white, green"
    )
    bare = america(face_up=[], rulings={"face_up_when_exhausted": True})
    assert told(bare, take("black")) == "no 'black' lies face up: the row is empty"


def told(game: ttr.Game, action: ttr.Action) -> str:
    refusal = game.refusal(action)
    assert refusal is not None
    return refusal.reason


# -- cards that plugins hand out ----------------------------------------------------------------------------------


@pytest.mark.rule("D7")
@pytest.mark.rule("S4")
def test_a_plugin_lets_seats_draw_and_take_cards_as_the_rules_say() -> None:
    row = ["red", "red", LOCO, LOCO, "blue"]
    pile = ["green", LOCO, *["white"] * 5]
    game = america(draw_pile=pile, face_up=row, discards=["black"], chance=[AS_IS] * 9)
    cards = economy_of(game.rules.economy, TrainCards)
    tx = Transaction(game.state.copy(), [])
    assert cards.draw(tx, 1) == "green"
    with pytest.raises(PluginError, match="no green lies face up, only red, red, locomotive, locomotive, blue"):
        cards.take_face_up(tx, 1, "green")
    cards.take_face_up(tx, 1, "blue")
    named = [type(event).__name__ for event in tx.log or ()]
    assert named == ["CardDrawn", "FaceUpTaken", "RowSwept", "CardsTurnedUp", "PileShuffled"]
    piles = tx.state.part(CardPiles)
    assert piles.face_up == ("white",) * 5, "a third locomotive swept the row"
    assert cards.draw(tx, 0) is not None, "the discards are the pile now"
    for _ in range(piles.left):
        cards.draw(tx, 0)
    assert cards.draw(tx, 0) is None


@pytest.mark.rule("D1", "S4")
def test_a_plugin_takes_several_face_up_cards_before_the_row_is_swept() -> None:
    game = america(draw_pile=[LOCO, "green", *["white"] * 5], face_up=["red", LOCO, LOCO, "black", "red"])
    tx = Transaction(game.state.copy(), [])
    assert economy_of(game.rules.economy, TrainCards).take_face_up(tx, 0, "red", LOCO) == 2
    assert tx.state.part(CardPiles).face_up == ("green", LOCO, LOCO, "black", "red"), (
        "three of them lay there meanwhile"
    )
    assert tx.state.part(CardPiles).counts(0) == {"red": 1, LOCO: 1}


@pytest.mark.rule("D7", "D8")
def test_of_several_face_up_cards_those_are_replaced_for_which_one_is_left() -> None:
    game = america(draw_pile=["green"], discards=["white"], face_up=["red", "black", "red", "blue", "white"])
    tx = Transaction(game.state.copy(), [])
    cards = economy_of(game.rules.economy, TrainCards)
    assert cards.take_face_up(tx, 0, "red", "red", "blue") == 3
    assert tx.state.part(CardPiles).face_up == ("green", "black", "white", "white")
    with pytest.raises(PluginError, match="no red lies face up, only green, black, white, white"):
        cards.take_face_up(tx, 0, "red")
    with pytest.raises(PluginError, match="no black lies face up, only green, white, white"):
        cards.take_face_up(tx, 0, "black", "black")


class CardBuried(Event):
    times: int
    card: str | Unknown = secret()

    def apply(self, state: State) -> None:
        for _ in range(self.times):
            state.part(CardPiles).draw(known(self.card))


@pytest.mark.rule("D7")
def test_a_plugin_puts_the_top_card_somewhere_else() -> None:
    game = america(draw_pile=["green", "red"], draw_pile_complete=True, discards=["black"], chance=[AS_IS] * 9)
    cards = economy_of(game.rules.economy, TrainCards)
    tx = Transaction(game.state.copy(), [])
    assert cards.draw(tx, 0, into=lambda card: CardBuried(1, card)) == "green"
    piles = tx.state.part(CardPiles)
    assert piles.draw_pile == ("red",)
    with pytest.raises(ValueError, match="'green' is not the top card of a draw pile"):
        piles.draw("green")
    with pytest.raises(
        PluginError, match=r"CardBuried must call state\.part\(CardPiles\)\.draw\(card\) once.*1 before, 1 after"
    ):
        cards.draw(tx, 0, into=lambda card: CardBuried(0, card))
    with pytest.raises(PluginError, match="into must make an event from the card, not None"):
        cards.draw(tx, 0, into=lambda card: None)  # type: ignore[arg-type,return-value]
    assert cards.draw(tx, 0, into=lambda card: CardBuried(1, card)) == "red"
    assert piles.draw_pile == ("black",), "the discards are the pile now"
    assert [type(event).__name__ for event in tx.log or ()] == [
        "CardBuried",
        "CardBuried",
        "CardBuried",
        "PileShuffled",
    ]
    assert all(hand.total == 0 for hand in piles.hands)


def test_a_plugin_lets_a_seat_discard_only_what_it_holds() -> None:
    game = america({"red": 3}, draw_pile=["white"])
    cards = economy_of(game.rules.economy, TrainCards)
    tx = Transaction(game.state.copy(), [])
    with pytest.raises(PluginError, match="seat 0 does not hold 4 red: its hand is 3 red"):
        cards.discard(tx, 0, ttr.Counts(red=4))
    with pytest.raises(PluginError, match="-1"):
        cards.discard(tx, -1, ttr.Counts())
    cards.discard(tx, 0, ttr.Counts(red=2))
    piles = tx.state.part(CardPiles)
    assert (piles.counts(0), piles.discards) == (ttr.Counts(red=1), ("red", "red"))


def test_cards_discarded_for_nothing_are_not_told_as_paid() -> None:
    game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada", "hand": {"red": 3}}, {}]})
    state, log = game.state.copy(), list[ttr.Event]()
    economy_of(game.rules.economy, TrainCards).discard(Transaction(state, log), 0, ttr.Counts(red=2))
    assert log == [CardsDiscarded(0, ttr.Counts(red=2))] and ttr.cards(state).discards == ("red", "red")
    replayed = game.state.copy()
    fold(replayed, log)
    assert replayed == state
    seen = [event.seen_by(1) for event in log]
    for language, told in (("en", "Ada discards two red cards."), ("de", "Ada wirft zwei rote Karten ab.")):
        narrator = Narrator(game.rules, game.players, 1, game.rules.language(language))
        assert [line.text for line in narrator.tell(seen)] == [told]
