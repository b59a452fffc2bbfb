"""Tunnels: T1 to T8, and ruling R10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

import pytest
from attrs import evolve
from helpers import COLORS, PLAIN_ROW, Expect, arranged, chance_of, happened, legal, play, refused, rules_of
from hypothesis import given, settings, strategies as st
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import FieldOf, Prices
from ttr_rules.errors import PluginError
from ttr_rules.events import (
    CardsRevealed,
    LaidTakenBack,
    PileShuffled,
    RevealedDiscarded,
    RouteClaimed,
    TunnelAbandoned,
    TunnelEntered,
    TurnBegun,
)
from ttr_rules.model import Cost, TunnelDue
from ttr_rules.plugins import Part, Rules, Transaction, Variant, hookimpl, public
from ttr_rules.train_cards import Lot, Reading, TrainCards
from ttr_tools.testing import played
from ttr_variants.europe.stations import BuildStation

EUROPE = rules_of("europe")
GRAY = "angora-constantinople-gray"  # 2 spaces
GREEN = "venezia-zurich-green"  # 2 spaces
RED = "erzurum-sochi-red"  # 3 spaces
LOCO = "locomotive"


def tunnel(hand: dict[str, int], pile: Sequence[str], *, chance: Sequence[object] = (), **position: object) -> ttr.Game:
    """Seat 0 is to act with this hand; the draw pile is this and no more."""
    return arranged("europe", {"hand": hand}, {}, draw_pile=list(pile), chance=chance, **position)


def claim(game: ttr.Game, route: str, payment: dict[str, int]) -> Sequence[ttr.Event]:
    return game.play(ttr.ClaimRoute(0, route, payment))


def due(game: ttr.Game) -> TunnelDue:
    decision = game.decision(0)
    assert isinstance(decision, TunnelDue), decision
    return decision


def extra_of(game: ttr.Game) -> int:
    """How many cards more a claim costs; 0 when it went through."""
    decision = game.decision(0)
    return decision.extra.spaces if isinstance(decision, TunnelDue) else 0


# -- the course of it ---------------------------------------------------------------------------------------------


@pytest.mark.rule("T1")
def test_three_cards_are_turned_up_after_the_cards_are_laid_down() -> None:
    game = tunnel({"red": 3}, ["red", "blue", "white", "black", "green"])
    events = claim(game, GRAY, {"red": 2})
    assert [card for event in happened(events, CardsRevealed) for card in event.cards] == ["red", "blue", "white"]
    decision = due(game)
    assert (decision.route, decision.laid, decision.revealed) == (GRAY, ttr.Counts(red=2), ("red", "blue", "white"))
    state = game.state
    assert state.to_act == (0,)
    assert ttr.cards(state).draw_pile == ("black", "green")
    assert ttr.cards(state).hands[0] == {"red": 1}
    # Nothing is settled yet.
    assert ttr.cards(state).discards == ()
    assert state.owners == {}
    assert (state.scores, state.cars) == ([0, 0], [45, 45])


@pytest.mark.rule("T1")
def test_the_cards_laid_down_must_pay_for_the_route() -> None:
    game = tunnel({"red": 2, "blue": 1, LOCO: 1}, ["red"] * 3)
    assert refused(game, ttr.ClaimRoute(0, GRAY, {"red": 1})) == "C1"
    assert refused(game, ttr.ClaimRoute(0, GRAY, {"red": 1, "blue": 1})) == "C1"
    assert refused(game, ttr.ClaimRoute(0, RED, {"red": 2, "blue": 1})) == "C1"
    assert refused(game, ttr.ClaimRoute(0, GREEN, {"red": 2})) == "C1"
    assert game.refusal(ttr.ClaimRoute(0, RED, {"red": 2, LOCO: 1})) is None


@pytest.mark.rule("T1", "T2", "T5")
def test_a_tunnel_that_costs_nothing_extra() -> None:
    game = tunnel({"red": 3}, ["blue", "white", "black", "green"])
    events = claim(game, GRAY, {"red": 2})
    assert not happened(events, TunnelEntered)
    assert [event.route for event in happened(events, RouteClaimed)] == [GRAY]
    state = game.state
    assert state.to_act == (1,)
    assert state.owners == {GRAY: 0}
    assert (state.scores, state.cars) == ([2, 0], [43, 45])
    assert ttr.cards(state).hands[0] == {"red": 1}
    assert ttr.cards(state).discards == ("red", "red", "blue", "white", "black")
    assert ttr.cards(state).draw_pile == ("green",)


# -- T2, T3, T7: what it costs --------------------------------------------------------------------------------------


@pytest.mark.rule("T7", "T2")
def test_two_red_laid_one_red_up_is_one_red_more() -> None:
    game = tunnel({"red": 3}, ["blue", "red", "white", "black"])
    claim(game, GRAY, {"red": 2})
    assert list(game.legal_actions()) == [ttr.PayTunnel(0, {"red": 1}), ttr.AbandonTunnel(0)]
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert game.state.owners == {GRAY: 0}
    assert ttr.cards(game.state).hands[0] == {}
    assert ttr.cards(game.state).discards == ("red", "red", "red", "blue", "red", "white")


@pytest.mark.rule("T7", "T2")
def test_two_green_laid_one_locomotive_up_is_one_green_more() -> None:
    game = tunnel({"green": 3}, [LOCO, "red", "white", "black"])
    claim(game, GREEN, {"green": 2})
    assert list(game.legal_actions()) == [ttr.PayTunnel(0, {"green": 1}), ttr.AbandonTunnel(0)]
    game.play(ttr.PayTunnel(0, {"green": 1}))
    assert game.state.owners == {GREEN: 0}
    assert ttr.cards(game.state).discards == ("green", "green", "green", LOCO, "red", "white")


@pytest.mark.rule("T7", "T3")
def test_two_locomotives_laid_one_locomotive_up_is_one_locomotive_more() -> None:
    game = tunnel({LOCO: 3, "green": 2}, ["green", LOCO, "green", "black"])
    claim(game, GREEN, {LOCO: 2})
    assert due(game).extra.spaces == 1
    assert refused(game, ttr.PayTunnel(0, {"green": 1})) == "T3"
    assert list(game.legal_actions()) == [ttr.PayTunnel(0, {LOCO: 1}), ttr.AbandonTunnel(0)]
    game.play(ttr.PayTunnel(0, {LOCO: 1}))
    assert game.state.owners == {GREEN: 0}
    assert ttr.cards(game.state).hands[0] == {"green": 2}
    assert ttr.cards(game.state).discards == (LOCO, LOCO, LOCO, "green", LOCO, "green")


@pytest.mark.rule("T2", "T3")
@pytest.mark.parametrize(
    ("laid", "up", "extra"),
    [
        ({"red": 3}, ["blue", "white", "green"], 0),
        ({"red": 3}, ["red", "white", "green"], 1),
        ({"red": 3}, ["blue", "red", "red"], 2),
        ({"red": 3}, ["red", "red", "red"], 3),
        ({"red": 3}, [LOCO, LOCO, LOCO], 3),
        ({"red": 3}, [LOCO, "red", "blue"], 2),
        ({"red": 2, LOCO: 1}, ["red", "white", LOCO], 2),
        ({"red": 1, LOCO: 2}, ["red", "white", "green"], 1),
        ({"red": 1, LOCO: 2}, ["white", "white", "green"], 0),
        ({LOCO: 3}, ["red", "red", "red"], 0),
        ({LOCO: 3}, ["red", LOCO, "red"], 1),
        ({LOCO: 3}, [LOCO, LOCO, "blue"], 2),
        ({LOCO: 3}, [LOCO, LOCO, LOCO], 3),
    ],
)
def test_what_counts_against_a_red_tunnel(laid: dict[str, int], up: list[str], extra: int) -> None:
    game = tunnel(laid, [*up, "yellow"])
    claim(game, RED, laid)
    assert extra_of(game) == extra
    assert game.state.owners == ({} if extra else {RED: 0})


@pytest.mark.rule("T2")
def test_only_the_color_laid_on_a_gray_tunnel_counts() -> None:
    up = ["red", "blue", "green"]
    for color, extra in [("red", 1), ("blue", 1), ("white", 0)]:
        game = tunnel({color: 2}, [*up, "black"])
        claim(game, GRAY, {color: 2})
        assert extra_of(game) == extra


@pytest.mark.rule("T1", "T2")
def test_only_three_cards_count() -> None:
    game = tunnel({"red": 2}, ["blue", "white", "green", "red", LOCO])
    claim(game, GRAY, {"red": 2})
    assert game.state.owners == {GRAY: 0}


@pytest.mark.rule("T2", "T3")
@settings(max_examples=80, deadline=None)
@given(
    up=st.lists(st.sampled_from(["red", "blue", LOCO]), min_size=3, max_size=3),
    color=st.sampled_from(["red", "blue", "green"]),
    of_color=st.integers(0, 2),
    left=st.fixed_dictionaries(
        {"red": st.integers(0, 4), "blue": st.integers(0, 2), "green": st.integers(0, 3), LOCO: st.integers(0, 4)}
    ),
)
def test_every_way_to_pay_the_extra_and_no_other(
    up: list[str], color: str, of_color: int, left: dict[str, int]
) -> None:
    laid = Counter({color: of_color, LOCO: 2 - of_color})
    hand = Counter(left) + laid
    game = tunnel(dict(hand), [*up, "yellow"])
    claim(game, GRAY, dict(laid))
    counting = {LOCO, color} if of_color else {LOCO}
    extra = sum(card in counting for card in up)
    if not extra:
        assert game.to_act == (1,)
        return
    assert ttr.cards(game.state).hands[0] == left
    held = sorted(Counter(left).elements())
    payments = [ttr.Counts(Counter(pick)) for pick in set(combinations(held, extra)) if set(pick) <= counting]
    offered = [action.payment for action in legal(game, ttr.PayTunnel)]
    assert len(offered) == len(set(offered))
    assert set(offered) == set(payments)
    for size in range(5):
        for pick in set(combinations(held, size)):
            action = ttr.PayTunnel(0, Counter(pick))
            assert (game.refusal(action) is None) is (action.payment in payments)
    assert game.refusal(ttr.AbandonTunnel(0)) is None


@pytest.mark.rule("T2")
@pytest.mark.parametrize(
    "payment",
    [
        {},
        {"red": 1},
        {"red": 3},
        {LOCO: 1},
        {"blue": 2},
        {"red": 1, "blue": 1},
        {"red": 1, LOCO: 2},
        {"white": 2},
        {"pink": 2},
        {LOCO: 3},
    ],
    ids=str,
)
def test_extra_payments_that_are_refused(payment: dict[str, int]) -> None:
    game = tunnel({"red": 5, "blue": 2, LOCO: 2}, ["red", LOCO, "blue", "black"])
    claim(game, GRAY, {"red": 2})
    assert due(game).extra.spaces == 2
    assert refused(game, ttr.PayTunnel(0, payment)) == "T2"


@pytest.mark.rule("T2")
def test_cards_that_are_laid_down_cannot_pay_again() -> None:
    game = tunnel({"red": 3}, ["red", "red", "blue", "black"])
    claim(game, GRAY, {"red": 2})
    assert refused(game, ttr.PayTunnel(0, {"red": 2})) == "T2"


@pytest.mark.rule("S5", "S8")
def test_only_the_player_answers_and_only_the_question() -> None:
    game = tunnel({"red": 4}, ["red", "blue", "white", "black"])
    claim(game, GRAY, {"red": 2})
    assert refused(game, ttr.PayTunnel(1, {"red": 1})) == "S5"
    assert refused(game, ttr.AbandonTunnel(1)) == "S5"
    for action in (
        ttr.DrawBlind(0),
        ttr.DrawFaceUp(0, "purple"),
        ttr.DrawTickets(0),
        ttr.Pass(0),
        ttr.ClaimRoute(0, GRAY, {"red": 2}),
        BuildStation(0, "wien", {"red": 1}),
    ):
        assert refused(game, action) == "S8"
    fresh = tunnel({"red": 4}, ["red", "blue", "white", "black"])
    assert refused(fresh, ttr.PayTunnel(0, {"red": 1})) == "S8"
    assert refused(fresh, ttr.AbandonTunnel(0)) == "S8"


# -- T4, T5, R10: giving it up ---------------------------------------------------------------------------------------


def test_a_field_of_the_question_is_the_same_whether_or_not_it_has_been_read() -> None:
    before = tunnel({"red": 3}, ["red", "blue", "green"]).state
    state = before.rules.play(before, ttr.ClaimRoute(0, RED, ttr.Counts(red=3))).state
    assert state.opened is None
    unread = [state.field(0, FieldOf(TunnelDue, name)) for name in ("extra", "laid", "revealed", "route")]
    asked = state.pending[0]
    assert isinstance(asked, TunnelDue) and unread == [asked.extra, asked.laid, asked.revealed, asked.route]


class AnyExtra(TrainCards):
    """What a tunnel costs extra, any cards pay."""

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: ttr.Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        super().enter_tunnel(tx, seat, cost, payment)
        return (), Cost(cost.kind, 2, tunnel=True, extra=True, any_cards=True)


class SureOfItsPrices(AnyExtra):
    """The same by a class that has prices of its own, so that they are taken to have numbers for its extra costs."""

    enter_tunnel = AnyExtra.enter_tunnel

    def prices(self, costs: Sequence[Cost]) -> Prices:
        return super().prices(costs)


def test_extra_costs_that_are_paid_in_other_ways_have_no_numbers() -> None:
    hand = {"red": 4, "blue": 1}
    rules = ttr.compile_rules("europe", plugin("any", economy=giving(AnyExtra())))
    game = arranged(rules, {"hand": hand}, {})
    claim(game, RED, {"red": 3})
    assert {str(action.payment) for action in game.legal_actions(0) if isinstance(action, ttr.PayTunnel)} == {
        "1 blue, 1 red"
    }
    game = arranged(ttr.compile_rules("europe", plugin("sure", economy=giving(SureOfItsPrices()))), {"hand": hand}, {})
    claim(game, RED, {"red": 3})
    with pytest.raises(
        PluginError, match="SureOfItsPrices makes a tunnel cost .* let all_payments of its prices give None"
    ):
        game.legal_actions(0)


@pytest.mark.rule("T4", "T5")
def test_giving_up_takes_the_cards_back_claims_nothing_and_ends_the_turn() -> None:
    hand = {"red": 3, LOCO: 2, "blue": 1}
    game = tunnel(hand, ["red", LOCO, "white", "black"], discards=["yellow"])
    claim(game, GRAY, {"red": 1, LOCO: 1})
    events = game.play(ttr.AbandonTunnel(0))
    state = game.state
    assert ttr.cards(state).hands[0] == hand
    assert state.owners == {}
    assert (state.scores, state.cars) == ([0, 0], [45, 45])
    assert ttr.cards(state).discards == ("yellow", "red", LOCO, "white")
    assert ttr.cards(state).draw_pile == ("black",)
    assert state.to_act == (1,)
    assert not happened(events, RouteClaimed)
    assert happened(events, TunnelAbandoned) == [TunnelAbandoned(0, GRAY)]
    assert happened(events, TurnBegun) == [TurnBegun(1)]


@pytest.mark.rule("T4")
def test_one_who_could_pay_may_give_up_and_try_again_later() -> None:
    pile = ["red", "blue", "white", "black", "green", "yellow", "red", "blue", "white"]
    game = tunnel({"red": 3}, pile)
    claim(game, GRAY, {"red": 2})
    game.play(ttr.AbandonTunnel(0))
    play(game, ttr.DrawBlind(1), ttr.DrawFaceUp(1, "purple"))
    events = claim(game, GRAY, {"red": 2})
    assert [card for event in happened(events, CardsRevealed) for card in event.cards] == ["yellow", "red", "blue"]
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert game.state.owners == {GRAY: 0}


@pytest.mark.rule("R10", "T4")
def test_one_who_cannot_pay_is_asked_all_the_same() -> None:
    game = tunnel({"red": 2, "blue": 3}, ["red", "blue", "white", "black"])
    claim(game, GRAY, {"red": 2})
    assert due(game).extra.spaces == 1
    assert list(game.legal_actions()) == [ttr.AbandonTunnel(0)]
    assert refused(game, ttr.Pass(0)) == "S8"
    game.play(ttr.AbandonTunnel(0))
    assert ttr.cards(game.state).hands[0] == {"red": 2, "blue": 3}
    assert game.to_act == (1,)


@pytest.mark.rule("R10", "S6")
def test_declining_tells_nothing_of_the_hand() -> None:
    views = []
    told = []
    for other in ("red", "blue"):
        game = tunnel({"red": 2, other: 3 if other == "blue" else 5}, ["red", "red", "white", "black"])
        claim(game, GRAY, {"red": 2})
        views.append([game.view(1), game.view(None)])
        game.play(ttr.AbandonTunnel(0))
        views[-1] += [game.view(1), game.view(None)]
        told.append([event.seen_by(1) for move in game.moves[1:] for event in move.events])
    assert views[0] == views[1]
    assert told[0] == told[1]


# -- T5, T6: the piles ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("T5", "C4")
def test_laid_and_extra_cards_are_one_lot_and_the_revealed_ones_lie_on_top() -> None:
    game = tunnel({"red": 2, LOCO: 2}, ["red", LOCO, "white", "black"], discards=["yellow"])
    claim(game, GRAY, {"red": 1, LOCO: 1})
    game.play(ttr.PayTunnel(0, {"red": 1, LOCO: 1}))
    assert ttr.cards(game.state).discards == ("yellow", "red", "red", LOCO, LOCO, "red", LOCO, "white")


@pytest.mark.rule("T6")
@pytest.mark.parametrize("pile", [["red"], ["red", "red"], ["blue", LOCO]])
def test_fewer_than_three_cards_are_turned_up_if_there_are_no_more(pile: list[str]) -> None:
    # The pile runs empty with nothing to rebuild it from, until the red ones are played.
    lot = Expect(("red",) * (2 + pile.count("red") + pile.count(LOCO)))
    game = tunnel({"red": 5}, pile, chance=[lot])
    events = claim(game, GRAY, {"red": 2})
    assert [card for event in happened(events, CardsRevealed) for card in event.cards] == pile
    extra = sum(card in ("red", LOCO) for card in pile)
    assert due(game).extra.spaces == extra
    game.play(ttr.PayTunnel(0, {"red": extra}))
    assert game.state.owners == {GRAY: 0}
    assert ttr.cards(game.state).draw_pile == lot.items
    assert ttr.cards(game.state).discards == tuple(pile)


@pytest.mark.rule("T6")
def test_with_no_card_at_all_the_tunnel_costs_nothing_extra() -> None:
    game = tunnel({"red": 2}, [], chance=[Expect(("red", "red"))])
    events = claim(game, GRAY, {"red": 2})
    assert not happened(events, CardsRevealed)
    assert game.state.owners == {GRAY: 0}
    assert game.state.to_act == (1,)
    # What was laid down is all there is: it is the new pile (D7).
    assert ttr.cards(game.state).draw_pile == ("red", "red")
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("T6", "D7")
def test_the_pile_is_rebuilt_in_the_middle_of_turning_up_without_the_cards_laid_down() -> None:
    rebuilt = Expect(("yellow", "black", "red"), ["red", "yellow", "black"])
    game = tunnel({"red": 4}, ["blue"], discards=["yellow", "black", "red"], chance=[rebuilt])
    events = claim(game, GRAY, {"red": 2})
    kinds = (CardsRevealed, PileShuffled)
    assert [type(event) for event in events if isinstance(event, kinds)] == [
        CardsRevealed,
        PileShuffled,
        CardsRevealed,
    ]
    assert due(game).revealed == ("blue", "red", "yellow")
    assert ttr.cards(game.state).draw_pile == ("black",)
    assert ttr.cards(game.state).discards == ()
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert ttr.cards(game.state).discards == ("red", "red", "red", "blue", "red", "yellow")
    chance_of(game).done()


@pytest.mark.rule("T6", "D7")
def test_the_pile_is_rebuilt_the_moment_its_last_card_is_turned_up() -> None:
    rebuilt = Expect(("yellow", "black"), ["black", "yellow"])
    game = tunnel({"red": 3}, ["blue", "red", "white"], discards=["yellow", "black"], chance=[rebuilt])
    claim(game, GRAY, {"red": 2})
    assert ttr.cards(game.state).draw_pile == ("black", "yellow")
    assert ttr.cards(game.state).discards == ()
    game.play(ttr.AbandonTunnel(0))
    assert ttr.cards(game.state).discards == ("blue", "red", "white")


@pytest.mark.rule("T6")
def test_a_rebuilt_pile_may_be_too_small_as_well() -> None:
    game = tunnel({"red": 2}, ["blue"], discards=["white"], chance=[Expect(("red", "red"))])
    events = claim(game, GRAY, {"red": 2})
    assert [card for event in happened(events, CardsRevealed) for card in event.cards] == ["blue", "white"]
    assert game.state.owners == {GRAY: 0}
    assert ttr.cards(game.state).draw_pile == ("red", "red")
    assert ttr.cards(game.state).discards == ("blue", "white")


@pytest.mark.rule("T5", "D7")
def test_an_empty_pile_is_rebuilt_from_the_lot_and_the_revealed_cards_are_the_first_discards() -> None:
    lot = Expect(("red", "red", LOCO, LOCO), [LOCO, "red", LOCO, "red"])
    game = tunnel({"red": 2, LOCO: 2}, ["red", "blue", LOCO], chance=[lot])
    claim(game, GRAY, {"red": 1, LOCO: 1})
    assert (ttr.cards(game.state).draw_pile, ttr.cards(game.state).discards) == ((), ())
    game.play(ttr.PayTunnel(0, {"red": 1, LOCO: 1}))
    assert ttr.cards(game.state).draw_pile == (LOCO, "red", LOCO, "red")
    assert ttr.cards(game.state).discards == ("red", "blue", LOCO)
    chance_of(game).done()


@pytest.mark.rule("T4", "T5", "D7")
def test_an_empty_pile_is_rebuilt_from_the_revealed_cards_when_the_tunnel_is_given_up() -> None:
    rebuilt = Expect(("red", "blue", LOCO), ["blue", LOCO, "red"])
    game = tunnel({"red": 2}, ["red", "blue", LOCO], chance=[rebuilt])
    claim(game, GRAY, {"red": 2})
    game.play(ttr.AbandonTunnel(0))
    assert ttr.cards(game.state).draw_pile == ("blue", LOCO, "red")
    assert ttr.cards(game.state).discards == ()
    chance_of(game).done()


@pytest.mark.rule("T1", "T5")
def test_the_row_is_left_alone() -> None:
    game = tunnel({"red": 3}, [LOCO, LOCO, LOCO, "black"])
    claim(game, GRAY, {"red": 2})
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    game.play(ttr.AbandonTunnel(0))
    assert ttr.cards(game.state).face_up == PLAIN_ROW


# -- T8 --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("T8", "C4")
def test_extra_cards_take_no_cars_and_score_nothing() -> None:
    game = tunnel({"red": 5}, ["red", "red", "red", "black"], chance=[])
    claim(game, GRAY, {"red": 2})
    events = game.play(ttr.PayTunnel(0, {"red": 3}))
    assert happened(events, RouteClaimed) == [RouteClaimed(0, GRAY, 2)]
    assert (game.state.scores, game.state.cars) == ([2, 0], [43, 45])


@pytest.mark.rule("T8", "E1")
def test_a_tunnel_needs_cars_for_its_length_only() -> None:
    game = arranged("europe", {"hand": {"red": 5}, "cars": 2}, {}, draw_pile=["red", "red", "red", "black"], chance=[])
    claim(game, GRAY, {"red": 2})
    game.play(ttr.PayTunnel(0, {"red": 3}))
    assert game.state.cars == [0, 45]
    assert game.state.turns_left == 2


@pytest.mark.rule("T1", "C5", "C6")
def test_double_tunnels_close_like_other_doubles() -> None:
    hand = {"black": 3, "white": 3}
    game = arranged("europe", {"hand": hand}, {"hand": hand}, draw_pile=["red", "red", "red", "red"])
    claim(game, "madrid-pamplona-black", {"black": 3})
    assert refused(game, ttr.ClaimRoute(1, "madrid-pamplona-white", {"white": 3})) == "C6"


@pytest.mark.rule("T4")
def test_a_tunnel_given_up_stays_open_for_everybody() -> None:
    hand = {"black": 3, "white": 3}
    game = arranged("europe", {"hand": hand}, {"hand": hand}, draw_pile=[LOCO, "red", "red", "red", "red"])
    claim(game, "madrid-pamplona-black", {"black": 3})
    game.play(ttr.AbandonTunnel(0))
    offered = {action.route for action in legal(game, ttr.ClaimRoute)}
    assert {"madrid-pamplona-black", "madrid-pamplona-white"} <= offered


@pytest.mark.rule("T1")
def test_every_tunnel_of_the_board_turns_cards_up_and_no_other_route_does() -> None:
    for route in EUROPE.board.routes.values():
        color = "black" if route.color == "gray" else str(route.color)
        payment = {color: route.length - route.ferry_locomotives, LOCO: route.ferry_locomotives}
        up = [next(c for c in COLORS if c not in (color, "red"))] * 3
        game = tunnel(payment, [*up, "red"])
        events = claim(game, route.id, payment)
        assert len(happened(events, CardsRevealed)) == route.tunnel, route.id
        assert game.state.owners == {route.id: 0}


@pytest.mark.rule("T2", "T4")
def test_revealed_events_come_before_the_question_and_are_discarded_last() -> None:
    game = tunnel({"red": 3}, ["red", "blue", "white", "black"])
    events = claim(game, GRAY, {"red": 2})
    assert isinstance(events[-1], TunnelEntered)
    events = game.play(ttr.AbandonTunnel(0))
    kinds = [type(event) for event in events]
    assert kinds.index(LaidTakenBack) < kinds.index(RevealedDiscarded) < kinds.index(TurnBegun)


# -- another number of cards ----------------------------------------------------------------------------------------


class Weather(Part):
    """The weather of the round."""

    rain: bool = public(default=False)


class Rain(ttr.Event):
    """It begins or ends."""

    rain: bool

    def apply(self, state: ttr.State) -> None:
        state.part(Weather).rain = self.rain


class Weathers(Variant, name="weathers"):
    """Weathers: in rain, every other round, a tunnel turns up a card more."""

    @hookimpl
    def parts(self, rules: Rules) -> Sequence[type[Part]]:
        return (Weather,)

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        tx.emit(Rain, tx.state.round % 2 == 0)

    @hookimpl
    def claim_cost(self, state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        wet = route.tunnel and state.part(Weather).rain
        return evolve(cost, tunnel_cards=cost.tunnel_cards + 1) if wet else cost

    @hookimpl
    def claim_key(self, state: ttr.State, seat: int) -> bool:
        return state.part(Weather).rain


@pytest.mark.rule("T1", "T2", "T6")
@pytest.mark.parametrize(
    ("rain", "pile", "discards", "revealed"),
    [
        (False, ["blue", "red", "white", "red"], [], ["blue", "red", "white"]),
        (True, ["blue", "red", "white", "red", "green"], [], ["blue", "red", "white", "red"]),
        (True, ["blue", "red"], ["red"] * 4, ["blue", "red", "red", "red"]),
        (True, ["blue", "red"], [], ["blue", "red"]),
    ],
)
def test_plugins_say_how_many_cards_are_turned_up(
    rain: bool, pile: list[str], discards: list[str], revealed: list[str]
) -> None:
    rules = ttr.compile_rules("europe", Weathers)
    cards = {"face_up": PLAIN_ROW, "draw_pile": pile, "draw_pile_complete": True, "discards": discards}
    position = {"seed": 1, **cards, "players": [{"hand": {"red": 6}}, {}]}
    game = ttr.arrange(rules, position)
    while game.state.part(Weather).rain != rain:
        game.play(ttr.DrawTickets(game.to_act[0]))
        game.play(game.legal_actions()[0])
    events = claim(game, GRAY, {"red": 2})
    assert [card for event in happened(events, CardsRevealed) for card in event.cards] == revealed
    assert extra_of(game) == revealed.count("red")
    assert ttr.loads(ttr.dumps(game), rules=rules, verify=True) == game
    game.play(ttr.PayTunnel(0, {"red": revealed.count("red")}))
    assert game.state.owners == {GRAY: 0}


@pytest.mark.rule("T1")
@pytest.mark.parametrize("number", [0, 1, 6])
@pytest.mark.parametrize("more", [(), ("dice",)])
def test_a_tunnel_may_turn_up_any_number_of_cards(number: int, more: tuple[str, ...]) -> None:
    def many(state: ttr.State, seat: int, route: ttr.Route, cost: Cost) -> Cost:
        return evolve(cost, tunnel_cards=number) if route.tunnel else cost

    rules = ttr.compile_rules("europe", *more, plugin("many", claim_cost=many))
    entered: list[TunnelEntered] = []
    for seed in range(1, 4):
        entered += happened(played(rules=rules, players=2, seed=seed).events, TunnelEntered)
    assert {len(event.revealed) for event in entered} == ({number} if number else set())


@pytest.mark.parametrize("number", [-1, 7])
def test_a_tunnel_turns_up_no_more_cards_than_can_be_paid(number: int) -> None:
    many = plugin("many", claim_cost=lambda state, seat, route, cost: evolve(cost, tunnel_cards=number))
    with pytest.raises(PluginError, match=f"gives a Cost with tunnel_cards={number}: a tunnel turns up 0 to 6 cards"):
        ttr.playout(ttr.compile_rules("europe", many), players=2, seed=1)


class TwoForOne(TrainCards):
    """Two cards of one color stand for one of the color of a route."""

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        pairs = dict.fromkeys(self.colors, 1)
        return [
            Reading(Lot({color: 1}, cost.spaces - times), Lot(pairs, 2 * times, alike=2))
            for times in range(cost.spaces + 1)
            for color in self.colors_for(cost)
        ]


@pytest.mark.rule("T2")
@pytest.mark.parametrize("pairs", ["blue", "white"])
def test_extra_cards_are_of_the_color_of_the_tunnel_whatever_stood_in_for_it(pairs: str) -> None:
    rules = ttr.compile_rules("europe", plugin("pairs", economy=lambda below, board: TwoForOne()))
    hand = {"purple": 2, pairs: 2}
    position = {"seed": 1, "draw_pile": [pairs, "purple", pairs], "players": [{"hand": hand}, {}]}
    game = ttr.arrange(rules, position)
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"purple": 1, pairs: 2}))
    extra = due(game).extra
    assert (extra.color, extra.spaces) == ("purple", 1)


@pytest.mark.rule("T2")
@pytest.mark.parametrize("laid", [{"blue": 1, "green": 2}, {"blue": 2, "green": 1}])
def test_the_last_of_several_colors_counts_in_a_gray_tunnel(laid: dict[str, int]) -> None:
    """No printed rule: C1 lets one color pay, so T2 speaks of one."""
    cards = TwoForOne()
    assert cards.kinds.index("green") > cards.kinds.index("blue")
    rules = ttr.compile_rules("europe", plugin("pairs", economy=lambda below, board: cards))
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["blue", "green", "blue"], "players": [{"hand": laid}, {}]})
    game.play(ttr.ClaimRoute(0, GRAY, laid))
    extra = due(game).extra
    assert (extra.color, extra.spaces) == ("green", 1)
