"""London: O1 to O8, OR1."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import AS_IS, Expect, ScriptedChance, arranged, happened, legal, play, refused, rules_of

import ttr_maps
import ttr_rules as ttr
from ttr_rules.events import LastRoundBegun, RowSwept, TicketsReturned
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_rules.train_cards import NextCard
from ttr_variants import london

LONDON = rules_of("london")
LOCO = "locomotive"
COLORS = ["purple", "blue", "orange", "green", "yellow", "black"]
ROW = COLORS[:5]
DECK = [*(color for color in COLORS for _ in range(6)), *[LOCO] * 8]


def position(*players: dict[str, Any], **more: Any) -> ttr.Game:
    return arranged("london", *players, **{"face_up": ROW, **more})


def sheet(*players: dict[str, Any]) -> ttr.FinalScores:
    """The scores of players with these routes and tickets."""
    return ttr.score(LONDON, {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]})


def routes(*pairs: tuple[str, str]) -> list[str]:
    return [LONDON.board.find_route(*pair).id for pair in pairs]


# -- players, cards, tickets --------------------------------------------------------------------------------------


@pytest.mark.rule("O1", "O2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_seventeen_buses_and_two_cards_out_of_44(players: int) -> None:
    chance = ScriptedChance(Expect(DECK), otherwise=AS_IS)
    game = ttr.new_game(rules=LONDON, players=players, chance=chance, first_seat=0)
    assert game.state.cars == [17] * players
    assert all(hand.total == 2 for hand in ttr.cards(game.state).hands)
    assert len(ttr.cards(game.state).face_up) == 5
    assert len(ttr.cards(game.state).draw_pile) == 44 - 2 * players - 5
    for wrong in (1, 5):
        with pytest.raises(ttr.InvalidInputError, match="2 to 4"):
            ttr.new_game(rules=LONDON, players=wrong, seed=1)


@pytest.mark.rule("O1")
def test_doubles_are_open_from_three_players_on() -> None:
    first, second = "piccadilly_circus-trafalgar_square-blue", "piccadilly_circus-trafalgar_square-orange"
    claim = ttr.ClaimRoute(0, second, {"orange": 1})
    hand = {"hand": {"orange": 1}}
    assert refused(position(hand, {"routes": [first]}), claim) == "C6"
    assert position(hand, {"routes": [first]}, {}).is_legal(claim)
    assert refused(position({**hand, "routes": [first]}, {}, {}), claim) == "C5"


@pytest.mark.rule("O4")
def test_two_tickets_of_which_one_is_kept_and_the_other_goes_under_the_pile() -> None:
    game = ttr.new_game(rules=LONDON, players=2, seed=1, first_seat=0)
    assert len(LONDON.deck.tickets) == 20 and len(game.state.ticket_pile) == 16
    dealt: list[tuple[str, ...]] = []
    for seat in (0, 1):
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup) and len(decision.tickets) == 2
        assert refused(game, ttr.KeepTickets(seat, ())) == "O4"
        assert len(legal(game, ttr.KeepTickets, seat)) == 3
        dealt.append(decision.tickets)
    events = play(game, *(ttr.KeepTickets(seat, dealt[seat][:1]) for seat in (0, 1)))
    assert [event.tickets for event in happened(events, TicketsReturned)] == [(dealt[0][1], dealt[1][1])]
    assert game.state.ticket_pile[-2:] == (dealt[0][1], dealt[1][1])


@pytest.mark.rule("O4")
def test_two_tickets_are_drawn_in_play_and_one_is_kept() -> None:
    game = position({}, {})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice) and decision.tickets == before[:2]
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    game.play(ttr.KeepTickets(0, before[1:2]))
    assert game.state.ticket_pile == (*before[2:], before[0])


@pytest.mark.rule("O4")
def test_the_last_ticket_is_drawn_and_kept() -> None:
    *others, last = [ticket.id for ticket in LONDON.deck.tickets]
    game = position({"tickets": others[:10]}, {"tickets": others[10:]})
    assert game.state.ticket_pile == (last,)
    game.play(ttr.DrawTickets(0))
    assert [action.tickets for action in legal(game, ttr.KeepTickets)] == [(last,)]


# -- drawing and paying -------------------------------------------------------------------------------------------


@pytest.mark.rule("O3")
def test_a_face_up_wild_card_is_the_only_card_and_never_the_second() -> None:
    row = [LOCO, "blue", "green", "black", "purple"]
    game = position({}, {}, face_up=row, draw_pile=["blue", "green"])
    game.play(ttr.DrawFaceUp(0, LOCO))
    assert game.to_act == (1,)
    game = position({}, {}, face_up=row, draw_pile=["blue", "green"])
    game.play(ttr.DrawFaceUp(0, "blue"))
    assert isinstance(game.decision(0), NextCard)
    assert refused(game, ttr.DrawFaceUp(0, LOCO)) == "D3"


@pytest.mark.rule("O3", "OR1")
def test_three_wild_cards_sweep_the_row() -> None:
    row = [LOCO, LOCO, "blue", "green", "black"]
    game = position({}, {}, face_up=row, draw_pile=[LOCO, *COLORS, *COLORS])
    events = game.play(ttr.DrawFaceUp(0, "blue"))
    assert [event.cards for event in happened(events, RowSwept)] == [(LOCO, LOCO, LOCO, "green", "black")]
    assert ttr.cards(game.state).face_up == tuple(COLORS[:5])


@pytest.mark.rule("OR1", "R1")
def test_a_row_that_cannot_be_mended_stays() -> None:
    row = [LOCO, LOCO, "blue", "green", "black"]
    game = position({}, {}, face_up=row, draw_pile=[LOCO, LOCO, LOCO])
    assert not happened(game.play(ttr.DrawFaceUp(0, "blue")), RowSwept)
    assert ttr.cards(game.state).face_up.count(LOCO) == 3


@pytest.mark.rule("O2")
def test_there_is_no_white_and_no_red_card() -> None:
    assert LONDON.economy.fingerprint_data()["cards"] == {**dict.fromkeys(COLORS, 6), LOCO: 8}
    assert {str(route.color) for route in LONDON.board.routes.values()} == {*COLORS, "gray"}
    game = position({"hand": {"blue": 2}}, {})
    assert refused(game, ttr.ClaimRoute(0, "buckingham_palace-trafalgar_square-gray", {"red": 2})) == "C1"


@pytest.mark.rule("O2", "O5")
@pytest.mark.parametrize("payment", [{"yellow": 3}, {"yellow": 2, LOCO: 1}, {"yellow": 1, LOCO: 2}, {LOCO: 3}])
def test_a_yellow_route_of_three(payment: dict[str, int]) -> None:
    """The official example; the route from Big Ben to Elephant & Castle is one."""
    game = position({"hand": payment}, {}, draw_pile=["blue"])
    game.play(ttr.ClaimRoute(0, "big_ben-elephant_castle-yellow", payment))
    assert (game.state.scores[0], game.state.cars[0]) == (4, 14)


@pytest.mark.rule("O5")
def test_points_and_no_ferries_or_tunnels() -> None:
    assert dict(LONDON.board.points) == {1: 1, 2: 2, 3: 4, 4: 7}
    assert not any(route.tunnel or route.ferry_locomotives for route in LONDON.board.routes.values())


# -- districts ----------------------------------------------------------------------------------------------------

DISTRICT_2 = (("big_ben", "trafalgar_square"), ("trafalgar_square", "piccadilly_circus"), ("trafalgar_square", "buckingham_palace"))  # fmt: skip


@pytest.mark.rule("O7")
def test_the_districts() -> None:
    found = LONDON.derived(london.districts)
    assert {number: [LONDON.board.cities[id].name for id in places] for number, places in found.items()} == {
        "1": ["British Museum", "Covent Garden"],
        "2": ["Big Ben", "Buckingham Palace", "Piccadilly Circus", "Trafalgar Square"],
        "3": ["Elephant & Castle", "Globe Theatre", "Waterloo"],
        "4": ["Brick Lane", "St Paul's", "The Charterhouse", "Tower of London"],
        "5": ["Baker Street", "Hyde Park", "King's Cross", "Regent's Park"],
    }
    assert sorted(id for places in found.values() for id in places) == sorted(LONDON.board.cities)


@pytest.mark.rule("O6")
def test_a_district_whose_places_are_all_joined_scores_its_number() -> None:
    whole, nothing = sheet({"routes": routes(*DISTRICT_2)}, {}).players
    assert (whole.terms["districts"].points, whole.terms["districts"].count) == (2, 1)
    assert [detail.what for detail in whole.terms["districts"].details] == ["district 2"]
    assert nothing.terms["districts"].points == 0
    three_of_four, _ = sheet({"routes": routes(*DISTRICT_2[:2])}, {}).players
    assert three_of_four.terms["districts"].points == 0


@pytest.mark.rule("O6")
def test_a_district_may_be_joined_through_other_places_and_by_several_players() -> None:
    through = [("british_museum", "piccadilly_circus"), ("piccadilly_circus", "covent_garden")]
    direct = [("british_museum", "covent_garden")]
    for player in sheet({"routes": routes(*through)}, {"routes": routes(*direct)}).players:
        assert player.terms["districts"].points == 1


@pytest.mark.rule("O6")
def test_pieces_that_do_not_hang_together_do_not_count() -> None:
    """Both halves of district 5 are joined, but not to each other; all places of it have a route."""
    two = [("baker_street", "hyde_park"), ("king_s_cross", "regent_s_park")]
    assert sheet({"routes": routes(*two)}, {}).players[0].terms["districts"].points == 0
    joined = [*two, ("baker_street", "regent_s_park")]
    assert sheet({"routes": routes(*joined)}, {}).players[0].terms["districts"].points == 5


@pytest.mark.rule("O6", "O7")
def test_all_five_districts_are_15() -> None:
    every = list(LONDON.board.routes)
    state = position({}, {}).state
    state.owner = [0] * len(every)
    term = london.score_districts(state, 0)
    assert (term.points, term.count) == (15, 5)
    assert london.score_districts(state, 1).points == 0


# -- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("O8", "E1")
@pytest.mark.parametrize(("cars", "begins"), [(3, True), (4, False)])
def test_the_last_round_begins_with_two_buses(cars: int, begins: bool) -> None:
    game = position({"hand": {"black": 1}, "cars": cars}, {})
    events = game.play(ttr.ClaimRoute(0, "st_paul_s-the_charterhouse-black", {"black": 1}))
    assert bool(happened(events, LastRoundBegun)) == begins


@pytest.mark.rule("O8")
def test_no_bonus_and_ties_go_to_tickets_alone() -> None:
    long_path = {
        "routes": routes(("brick_lane", "st_paul_s"), ("brick_lane", "the_charterhouse"))
    }  # 4 + 4, a path of 6
    tickets = {"routes": routes(("trafalgar_square", "waterloo"), ("piccadilly_circus", "trafalgar_square"), ("big_ben", "buckingham_palace")),
               "tickets": [["piccadilly_circus", "waterloo"]]}  # 2 + 1 + 2 + 3, a path of 3  # fmt: skip
    scores = sheet(long_path, tickets)
    assert [player.total for player in scores.players] == [8, 8]
    assert [player.longest_path.length for player in scores.players] == [6, 3]
    assert all(player.bonuses == {} for player in scores.players)
    assert scores.winners == ("B",)
    short_path = {
        "routes": routes(("brick_lane", "tower_of_london"), ("king_s_cross", "the_charterhouse"))
    }  # 4 + 4, a path of 3
    assert sheet(long_path, short_path).winners == ("A", "B")


@pytest.mark.rule("O6")
def test_bots_see_what_a_district_is_worth() -> None:
    board = LONDON.board
    view = position({"routes": routes(*DISTRICT_2[:2])}, {}).view(0)
    worth = dict.fromkeys(board.routes, 0.0) | dict(london.London().route_values(LONDON, view))
    assert worth["buckingham_palace-trafalgar_square-gray"] == worth["big_ben-buckingham_palace-green"] == 2
    assert worth["british_museum-covent_garden-gray-1"] == 1
    assert worth["baker_street-hyde_park-black"] == 5 / 9
    assert worth["big_ben-waterloo-blue"] == 0


def test_a_map_without_districts_has_none() -> None:
    rules = ttr.compile_rules("london", board=ttr_maps.load("new_york"))
    assert ttr.playout(rules, 2, seed=1).players[0].terms["districts"].count == 0
