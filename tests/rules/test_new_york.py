"""New York: W1 to W7, WR1."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import AS_IS, Expect, ScriptedChance, arranged, happened, legal, play, refused, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.events import LastRoundBegun, RowSwept, TicketsReturned
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_variants import new_york

NEW_YORK = rules_of("new-york")
LOCO = "locomotive"
COLORS = ["purple", "blue", "orange", "green", "black", "red"]
ROW = COLORS[:5]
DECK = [*(color for color in COLORS for _ in range(6)), *[LOCO] * 8]
BRIDGE = "brooklyn-wall_street-blue"


def position(*players: dict[str, Any], **more: Any) -> ttr.Game:
    return arranged("new-york", *players, **{"face_up": ROW, **more})


def sheet(*players: dict[str, Any]) -> ttr.FinalScores:
    """The scores of players with these routes and tickets."""
    return ttr.score(NEW_YORK, {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]})


def routes(*pairs: tuple[str, str]) -> list[str]:
    return [NEW_YORK.board.find_route(*pair).id for pair in pairs]


def attractions(*names: str) -> ttr.PlayerScore:
    return sheet({"routes": list(names)}, {}).players[0]


# -- players, cards, tickets --------------------------------------------------------------------------------------


@pytest.mark.rule("W1", "W2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_fifteen_taxis_and_two_cards_out_of_44(players: int) -> None:
    chance = ScriptedChance(Expect(DECK), otherwise=AS_IS)
    game = ttr.new_game(rules=NEW_YORK, players=players, chance=chance, first_seat=0)
    assert game.state.cars == [15] * players
    assert all(hand.total == 2 for hand in ttr.cards(game.state).hands)
    assert len(ttr.cards(game.state).face_up) == 5
    for wrong in (1, 5):
        with pytest.raises(ttr.InvalidInputError, match="2 to 4"):
            ttr.new_game(rules=NEW_YORK, players=wrong, seed=1)


@pytest.mark.rule("W1")
def test_doubles_are_open_from_three_players_on() -> None:
    claim = ttr.ClaimRoute(0, "brooklyn-wall_street-black", {"black": 3})
    hand = {"hand": {"black": 3}}
    assert refused(position(hand, {"routes": [BRIDGE]}), claim) == "C6"
    assert position(hand, {"routes": [BRIDGE]}, {}).is_legal(claim)
    assert refused(position({**hand, "routes": [BRIDGE]}, {}, {}), claim) == "C5"


@pytest.mark.rule("W2")
def test_there_is_no_white_and_no_yellow_card() -> None:
    assert NEW_YORK.economy.fingerprint_data()["cards"] == {**dict.fromkeys(COLORS, 6), LOCO: 8}
    assert {str(route.color) for route in NEW_YORK.board.routes.values()} == {*COLORS, "gray"}


@pytest.mark.rule("W2", "O3")
def test_wild_cards_are_drawn_and_swept_as_in_london() -> None:
    row = [LOCO, LOCO, "blue", "green", "black"]
    game = position({}, {}, face_up=row, draw_pile=[LOCO, *COLORS, *COLORS])
    assert happened(game.play(ttr.DrawFaceUp(0, "blue")), RowSwept)
    game = position({}, {}, face_up=row, draw_pile=["blue", "red"])
    game.play(ttr.DrawBlind(0))
    assert refused(game, ttr.DrawFaceUp(0, LOCO)) == "D3"


@pytest.mark.rule("W3")
def test_two_tickets_of_which_one_is_kept_and_the_other_goes_under_the_pile() -> None:
    game = ttr.new_game(rules=NEW_YORK, players=2, seed=1, first_seat=0)
    assert len(NEW_YORK.deck.tickets) == 18 and len(game.state.ticket_pile) == 14
    dealt: list[tuple[str, ...]] = []
    for seat in (0, 1):
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup) and len(decision.tickets) == 2
        assert refused(game, ttr.KeepTickets(seat, ())) == "W3"
        dealt.append(decision.tickets)
    events = play(game, *(ttr.KeepTickets(seat, dealt[seat][:1]) for seat in (0, 1)))
    assert [event.tickets for event in happened(events, TicketsReturned)] == [(dealt[0][1], dealt[1][1])]


@pytest.mark.rule("W3")
def test_two_tickets_are_drawn_in_play_and_one_is_kept() -> None:
    game = position({}, {})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice) and decision.tickets == before[:2]
    assert len(legal(game, ttr.KeepTickets)) == 3
    game.play(ttr.KeepTickets(0, before[1:2]))
    assert game.state.ticket_pile == (*before[2:], before[0])


# -- routes -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("W4", "W2")
@pytest.mark.parametrize("payment", [{"blue": 3}, {"blue": 2, LOCO: 1}, {"blue": 1, LOCO: 2}, {LOCO: 3}])
def test_a_blue_route_of_three(payment: dict[str, int]) -> None:
    """The official example; from Brooklyn to Wall Street there is one. Its points are scored at once."""
    game = position({"hand": payment}, {}, draw_pile=["blue"])
    game.play(ttr.ClaimRoute(0, BRIDGE, payment))
    assert (game.state.scores[0], game.state.cars[0]) == (4, 12)


@pytest.mark.rule("W4")
def test_points() -> None:
    assert dict(NEW_YORK.board.points) == {1: 1, 2: 2, 3: 4, 4: 7}


# -- attractions --------------------------------------------------------------------------------------------------


@pytest.mark.rule("W6")
def test_the_attractions() -> None:
    assert [NEW_YORK.board.cities[id].name for id in NEW_YORK.derived(new_york.attractions)] == [
        "Brooklyn", "Central Park", "Chelsea", "Chinatown", "Empire State Building",
        "Greenwich Village", "Times Square", "United Nations", "Wall Street",
    ]  # fmt: skip


@pytest.mark.rule("W5")
def test_a_point_for_each_attraction_at_which_a_route_ends() -> None:
    bridge = attractions(BRIDGE)
    assert (bridge.route_points, bridge.terms["attractions"].points) == (4, 2)
    assert [detail.what for detail in bridge.terms["attractions"].details] == ["brooklyn", "wall_street"]
    three = attractions(*routes(("chelsea", "empire_state_building"), ("empire_state_building", "times_square")))
    assert three.terms["attractions"].points == 3
    assert attractions(*routes(("soho", "wall_street"))).terms["attractions"].points == 1
    assert attractions(*routes(("east_village", "lower_east_side"))).terms["attractions"].points == 0


@pytest.mark.rule("W5")
def test_several_players_may_visit_an_attraction() -> None:
    both = sheet({"routes": [BRIDGE]}, {"routes": routes(("soho", "wall_street"))}).players
    assert [player.terms["attractions"].points for player in both] == [2, 1]


@pytest.mark.rule("W5", "W6")
def test_at_most_nine() -> None:
    state = position({}, {}).state
    state.owner = [0] * len(NEW_YORK.board.routes)
    assert new_york.score_attractions(state, 0).points == 9
    assert new_york.score_attractions(state, 1).points == 0


@pytest.mark.rule("WR1", "W5")
def test_an_attraction_on_a_ticket_alone_brings_nothing() -> None:
    player = sheet({"tickets": [["chelsea", "wall_street"]]}, {}).players[0]
    assert (player.terms["attractions"].points, player.total) == (0, -6)


# -- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("W7", "E1")
@pytest.mark.parametrize(("cars", "begins"), [(3, True), (4, False)])
def test_the_last_round_begins_with_two_taxis(cars: int, begins: bool) -> None:
    game = position({"hand": {"black": 1}, "cars": cars}, {}, draw_pile=["blue"])
    events = game.play(ttr.ClaimRoute(0, "east_village-lower_east_side-black", {"black": 1}))
    assert bool(happened(events, LastRoundBegun)) == begins


@pytest.mark.rule("W7")
def test_no_bonus_and_ties_go_to_tickets_alone() -> None:
    long_path = {
        "routes": routes(
            ("soho", "wall_street"), ("east_village", "lower_east_side"), ("east_village", "gramercy_park")
        )
    }
    ticket = {
        "routes": routes(("chinatown", "lower_east_side"), ("chinatown", "wall_street")),
        "tickets": [["lower_east_side", "wall_street"]],
    }
    scores = sheet(long_path, ticket)
    assert [player.total for player in scores.players] == [2 + 1 + 2 + 1, 1 + 1 + 2 + 2]
    assert [player.longest_path.length for player in scores.players] == [3, 2]
    assert all(player.bonuses == {} for player in scores.players)
    assert scores.winners == ("B",)


@pytest.mark.rule("W7")
def test_those_who_are_level_share_the_victory() -> None:
    short_path = {
        "routes": routes(
            ("chinatown", "lower_east_side"), ("lincoln_center", "midtown_west"), ("east_village", "gramercy_park")
        )
    }
    scores = sheet({"routes": [BRIDGE]}, short_path)
    assert [player.total for player in scores.players] == [6, 6]
    assert [player.longest_path.length for player in scores.players] == [3, 2]
    assert scores.winners == ("A", "B")


@pytest.mark.rule("W5")
def test_bots_see_what_an_attraction_is_worth() -> None:
    view = position({"routes": [BRIDGE]}, {"routes": routes(("chelsea", "soho"))}).view(0)
    worth = new_york.NewYork().route_values(NEW_YORK, view)
    assert worth["soho-wall_street-gray"] == worth["brooklyn-lower_east_side-gray"] == 0
    assert worth["chinatown-wall_street-green"] == worth["chelsea-gramercy_park-orange"] == 1
    assert worth["chinatown-greenwich_village-gray-1"] == 2


def test_a_map_without_attractions_has_none() -> None:
    rules = ttr.compile_rules("new-york", board=ttr_maps.load("london"))
    assert ttr.playout(rules, 2, seed=1).players[0].terms["attractions"].count == 0
