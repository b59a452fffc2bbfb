"""How a game ends: the last round, forced passes, deadlock; and that nothing happens afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from helpers import PLAIN_ROW, arranged, happened, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.errors import GameOverError
from ttr_rules.events import GameEnded, LastRoundBegun, TurnEnded
from ttr_variants.europe.stations import BuildStation

PLENTY = ["black"] * 12 + ["blue"] * 11 + ["white"] * 10  # no red ones: hands have those
ROUTE_OF_1 = "atlanta-nashville-gray"
ROUTE_OF_2 = "pittsburgh-toronto-gray"


def position(stack: str, seats: int, *, first: Any = (), others: Any = (), **more: Any) -> ttr.Game:
    """Seat 0 as `first` says, the others as `others` says, and plenty of cards to draw."""
    return arranged(stack, dict(first), *[dict(others) for _ in range(seats - 1)], **{"draw_pile": PLENTY, **more})


def draw_two(game: ttr.Game) -> tuple[ttr.Event, ...]:
    """The seat to act draws two cards blind."""
    (seat,) = game.to_act
    return play(game, ttr.DrawBlind(seat), ttr.DrawBlind(seat))


def seats_until_the_end(game: ttr.Game) -> list[int]:
    """Who takes a turn until the game is over, each drawing two cards."""
    seats: list[int] = []
    while not game.is_over:
        assert len(seats) < 20, "the game does not end"
        seats += game.to_act
        draw_two(game)
    return seats


def round_from(seat: int, seats: int) -> list[int]:
    """All seats once, the one after `seat` first, `seat` itself last."""
    return [(seat + step) % seats for step in range(1, seats + 1)]


# -- the last round (E1) ---------------------------------------------------------------------------------------


@pytest.mark.rule("E1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_two_or_fewer_cars_begin_the_last_round(seats: int, left: int) -> None:
    """Everybody has one more turn, the player who brought it about as the last."""
    game = position("north-america", seats, first={"hand": {"red": 2}, "cars": left + 2})
    events = game.play(ttr.ClaimRoute(0, ROUTE_OF_2, {"red": 2}))
    assert game.state.cars[0] == left
    assert happened(events, LastRoundBegun) == [LastRoundBegun(seats)]
    assert game.view(None).turns_left == seats
    assert seats_until_the_end(game) == round_from(0, seats)
    assert happened(game.events, GameEnded) == [GameEnded("last round")]


@pytest.mark.rule("E1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_last_round_goes_on_from_any_seat(seats: int) -> None:
    for trigger in range(seats):
        tables: list[dict[str, Any]] = [{} for _ in range(seats)]
        tables[trigger] = {"hand": {"purple": 1}, "cars": 3}
        game = arranged("europe", *tables, draw_pile=PLENTY, to_act=trigger)
        game.play(ttr.ClaimRoute(trigger, "dieppe-paris-purple", {"purple": 1}))
        assert seats_until_the_end(game) == round_from(trigger, seats)


@pytest.mark.rule("E1")
def test_three_cars_do_not_begin_it() -> None:
    game = position("north-america", 2, first={"hand": {"red": 2}, "cars": 5})
    events = game.play(ttr.ClaimRoute(0, ROUTE_OF_2, {"red": 2}))
    assert game.state.cars[0] == 3
    assert happened(events, LastRoundBegun) == []
    assert game.view(0).turns_left == 0
    for _ in range(6):
        draw_two(game)
    assert not game.is_over


@pytest.mark.rule("E1")
def test_it_begins_at_the_end_of_the_turn_of_the_one_who_is_short() -> None:
    """Another player's cars count only when that player's turn ends."""
    game = position("north-america", 3, others={"cars": 1})
    assert happened(draw_two(game), LastRoundBegun) == []
    assert happened(draw_two(game), LastRoundBegun) == [LastRoundBegun(3)]
    assert seats_until_the_end(game) == [2, 0, 1]


@pytest.mark.rule("E1", "B1")
def test_a_turn_with_a_station_can_begin_it() -> None:
    game = position("europe", 3, first={"hand": {"red": 1}, "cars": 2})
    events = game.play(BuildStation(0, "paris", {"red": 1}))
    assert happened(events, LastRoundBegun) == [LastRoundBegun(3)]
    assert seats_until_the_end(game) == [1, 2, 0]


@pytest.mark.rule("E1", "T2")
def test_a_tunnel_paid_for_can_begin_it() -> None:
    game = position("europe", 2, first={"hand": {"red": 3}, "cars": 4}, draw_pile=["red", "yellow", "yellow", *PLENTY])
    events = game.play(ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}))
    assert happened(events, LastRoundBegun) == []
    assert game.state.cars[0] == 4
    events = game.play(ttr.PayTunnel(0, {"red": 1}))
    assert game.state.cars[0] == 2
    assert happened(events, LastRoundBegun) == [LastRoundBegun(2)]
    assert seats_until_the_end(game) == [1, 0]


@pytest.mark.rule("E1", "T1")
def test_a_tunnel_without_extra_cards_can_begin_it() -> None:
    game = position(
        "europe", 2, first={"hand": {"red": 2}, "cars": 4}, draw_pile=["white", "yellow", "white", *PLENTY[:20]]
    )
    game.play(ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}))
    assert seats_until_the_end(game) == [1, 0]


@pytest.mark.rule("E1", "T4")
def test_a_tunnel_given_up_does_not_begin_it() -> None:
    game = position("europe", 2, first={"hand": {"red": 2}, "cars": 4}, draw_pile=["red", *PLENTY])
    events = play(game, ttr.ClaimRoute(0, "barcelona-pamplona-gray", {"red": 2}), ttr.AbandonTunnel(0))
    assert game.state.cars[0] == 4
    assert happened(events, LastRoundBegun) == []
    assert game.view(0).turns_left == 0


@pytest.mark.rule("E1", "K1")
def test_a_turn_ends_only_when_its_last_question_is_answered() -> None:
    game = position("north-america", 2, first={"cars": 2})
    drawing = game.copy()
    assert happened(drawing.play(ttr.DrawBlind(0)), LastRoundBegun) == []
    assert drawing.to_act == (0,)
    assert happened(drawing.play(ttr.DrawBlind(0)), LastRoundBegun) == [LastRoundBegun(2)]
    top = game.state.ticket_pile[0]
    assert happened(game.play(ttr.DrawTickets(0)), LastRoundBegun) == []
    assert happened(game.play(ttr.KeepTickets(0, [top])), LastRoundBegun) == [LastRoundBegun(2)]
    assert seats_until_the_end(game) == [1, 0]


@pytest.mark.rule("E1")
def test_a_second_player_who_is_short_changes_nothing() -> None:
    game = position(
        "north-america",
        3,
        first={"hand": {"red": 1}, "cars": 3},
        others={"cars": 2},
    )
    game.play(ttr.ClaimRoute(0, ROUTE_OF_1, {"red": 1}))
    first = draw_two(game)
    second = draw_two(game)
    assert happened([*first, *second], LastRoundBegun) == []
    assert game.to_act == (0,)
    draw_two(game)
    assert game.is_over
    assert len(happened(game.events, LastRoundBegun)) == 1


@pytest.mark.rule("E1")
def test_a_claim_in_the_last_round_changes_nothing_either() -> None:
    game = position("north-america", 2, first={"hand": {"red": 2}, "cars": 3}, others={"hand": {"red": 2}, "cars": 4})
    game.play(ttr.ClaimRoute(0, ROUTE_OF_1, {"red": 1}))
    events = game.play(ttr.ClaimRoute(1, ROUTE_OF_2, {"red": 2}))
    assert happened(events, LastRoundBegun) == []
    assert game.view(0).turns_left == 1
    draw_two(game)
    assert game.is_over


@pytest.mark.rule("E1")
@pytest.mark.parametrize("turns_left", [1, 2, 3])
def test_a_position_in_the_last_round(turns_left: int) -> None:
    game = position("europe", 3, first={"cars": 1}, others={"cars": 2}, turns_left=turns_left)
    assert seats_until_the_end(game) == [0, 1, 2][:turns_left]


# -- after the end (E1) ----------------------------------------------------------------------------------------


@pytest.mark.rule("E1")
def test_after_the_end_nothing_happens_any_more() -> None:
    game = position("europe", 2, first={"hand": {"red": 4}, "tickets": [["paris", "wien"]]}, turns_left=1)
    assert [game.final_scores] == [None]
    draw_two(game)
    assert game.is_over
    assert game.to_act == ()
    assert game.final_scores is not None
    assert [game.decision(seat) for seat in (0, 1)] == [None, None]
    assert [tuple(game.legal_actions(seat)) for seat in (0, 1)] == [(), ()]
    assert tuple(game.legal_actions()) == ()
    for seat in (0, 1):
        for action in (
            ttr.DrawBlind(seat),
            ttr.DrawFaceUp(seat, "blue"),
            ttr.DrawTickets(seat),
            ttr.KeepTickets(seat, ["paris-wien"]),
            ttr.ClaimRoute(seat, "dieppe-paris-purple", {"red": 1}),
            BuildStation(seat, "paris", {"red": 1}),
            ttr.PayTunnel(seat, {"red": 1}),
            ttr.AbandonTunnel(seat),
            ttr.Pass(seat),
        ):
            assert refused(game, action) == "E1"
            with pytest.raises(GameOverError):
                game.play(action)


# -- forced passes and deadlock (R4) ---------------------------------------------------------------------------


def stuck(stack: str, *hands: dict[str, int], **more: Any) -> ttr.Game:
    """No card to draw and no ticket: seat 0 holds them all, nobody has anything else but a hand."""
    regular = [ticket.id for ticket in rules_of(stack).deck.piles["regular"]]
    tables: list[dict[str, Any]] = [{"hand": hand} for hand in hands]
    tables[0]["tickets"] = regular
    return arranged(stack, *tables, **more)


@pytest.mark.rule("R4")
@pytest.mark.parametrize("stack", ["north-america", "europe"])
def test_who_can_do_nothing_passes(stack: str) -> None:
    game = stuck(stack, {}, {})
    assert list(game.legal_actions()) == [ttr.Pass(0)]
    assert refused(game, ttr.DrawBlind(0)) == "D8"
    assert refused(game, ttr.DrawFaceUp(0, "blue")) == "D8"
    assert refused(game, ttr.DrawTickets(0)) == "K3"
    events = game.play(ttr.Pass(0))
    assert happened(events, TurnEnded) == [TurnEnded(0, passed=True)]
    assert game.to_act == (1,)


@pytest.mark.rule("R4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("to_act", [0, 1])
def test_when_all_have_passed_in_turn_the_game_ends(seats: int, to_act: int) -> None:
    game = stuck("europe", *[{} for _ in range(seats)], to_act=to_act)
    for step in range(seats):
        assert game.to_act == ((to_act + step) % seats,)
        events = game.play(ttr.Pass((to_act + step) % seats))
    assert game.is_over
    assert happened(events, GameEnded) == [GameEnded("deadlock")]
    scores = game.final_scores
    assert scores is not None
    assert [player.total for player in scores.players][1:] == [12] * (seats - 1)
    assert refused(game, ttr.Pass(to_act)) == "E1"


@pytest.mark.rule("R4", "S8")
@pytest.mark.parametrize(
    "way_out",
    [
        {"draw_pile": ["red"]},
        {"discards": ["red"]},
        {"tickets": 1},
        {"hand": {"red": 1}},
        {"rulings": {"face_up_when_exhausted": True}},
        {"rulings": {"face_up_when_exhausted": True}, "face_up": ["locomotive"]},
    ],
    ids=str,
)
def test_passing_is_refused_as_long_as_anything_else_is_possible(way_out: dict[str, Any]) -> None:
    regular = [ticket.id for ticket in rules_of("north-america").deck.piles["regular"]]
    held = regular[: len(regular) - way_out.get("tickets", 0)]
    rest = {key: value for key, value in way_out.items() if key not in ("tickets", "hand")}
    game = arranged("north-america", {"hand": way_out.get("hand", {})}, {"tickets": held}, **rest)
    assert refused(game, ttr.Pass(0)) == "R4"
    assert legal(game, ttr.Pass) == []
    assert len(game.legal_actions()) >= 1


@pytest.mark.rule("R4", "B1")
def test_a_station_that_can_be_built_is_a_way_out() -> None:
    """One card is enough for a station in Europe; with all three built and nothing to claim it is not."""
    game = stuck("europe", {"black": 1}, {})
    assert {type(action) for action in game.legal_actions()} >= {BuildStation}
    assert refused(game, ttr.Pass(0)) == "R4"
    regular = [ticket.id for ticket in rules_of("europe").deck.piles["regular"]]
    game = arranged(
        "europe",
        {"hand": {"blue": 1}, "stations": ["paris", "wien", "roma"], "tickets": regular},
        {},
    )
    assert list(game.legal_actions()) == [ttr.Pass(0)]


@pytest.mark.rule("R4")
def test_a_turn_that_is_no_pass_begins_the_count_anew() -> None:
    game = stuck("north-america", {}, {}, {"red": 1})
    play(game, ttr.Pass(0), ttr.Pass(1), ttr.ClaimRoute(2, ROUTE_OF_1, {"red": 1}))
    assert ttr.cards(game.state).draw_pile == ("red",)
    assert refused(game, ttr.Pass(0)) == "R4"
    game.play(ttr.DrawBlind(0))  # the only card there is
    play(game, ttr.Pass(1), ttr.Pass(2))
    assert not game.is_over
    assert refused(game, ttr.Pass(0)) == "R4"  # the card drawn pays for a route
    game.play(legal(game, ttr.ClaimRoute)[0])
    assert not game.is_over
    assert game.to_act == (1,)
    assert game.is_legal(ttr.DrawBlind(1))


@pytest.mark.rule("R4")
def test_passes_that_are_not_one_after_the_other_do_not_end_the_game() -> None:
    game = stuck("north-america", {}, {"red": 1})
    game.play(ttr.Pass(0))
    game.play(ttr.ClaimRoute(1, ROUTE_OF_1, {"red": 1}))
    game.play(ttr.DrawBlind(0))
    game.play(ttr.Pass(1))
    assert not game.is_over
    assert game.to_act == (0,)


@pytest.mark.rule("R4", "E1")
def test_forced_passes_in_the_last_round_are_turns() -> None:
    game = stuck("north-america", {}, {}, {}, turns_left=2)
    play(game, ttr.Pass(0), ttr.Pass(1))
    assert game.is_over
    assert game.final_scores is not None


@pytest.mark.rule("R4")
def test_the_row_is_no_way_out_by_default() -> None:
    game = stuck("north-america", {}, {}, face_up=PLAIN_ROW)
    assert list(game.legal_actions()) == [ttr.Pass(0)]
