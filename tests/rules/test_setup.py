"""Setting up a game: players, cards, first tickets, and the order in which chance is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

import pytest
from helpers import (
    AS_IS,
    COLORS,
    PLAIN_ROW,
    Expect,
    ScriptedChance,
    Top,
    arranged,
    happened,
    keep_all,
    play,
    refused,
    rules_of,
)

import ttr_rules as ttr
from ttr_rules.errors import ChanceError, NotYourTurnError
from ttr_rules.events import CardsDealt, CardsTurnedUp, RowSwept, SeenEvent, TicketsChosen, TicketsDealt, Unknown
from ttr_rules.model import TicketChoice, TicketSetup
from ttr_variants.europe.stations import BuildStation, Stations

T = TypeVar("T")

STACKS = ("north-america", "europe")


def new(stack: str, players: int = 2, *answers: object, first_seat: int | None = 0) -> tuple[ttr.Game, ScriptedChance]:
    """A new game with the script `answers`, then everything as it is."""
    chance = ScriptedChance(*answers, otherwise=AS_IS)
    return ttr.new_game(rules=rules_of(stack), players=players, chance=chance, first_seat=first_seat), chance


def deck_in_order() -> list[str]:
    """All train cards as they are handed over to be shuffled: a color after the other, the locomotives last."""
    return [color for color in COLORS for _ in range(12)] + ["locomotive"] * 14


def file_order(stack: str, kind: str) -> list[str]:
    """The tickets of a kind in the order of the map's file."""
    return [t.id for t in rules_of(stack).board.tickets if t.kind == kind and t.id in rules_of(stack).tickets]


def tickets_dealt(game: ttr.Game, seat: int) -> tuple[str, ...]:
    decision = game.decision(seat)
    assert isinstance(decision, TicketSetup)
    return decision.tickets


# -- players and pieces (S1) -----------------------------------------------------------------------------------


@pytest.mark.rule("S1")
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_two_to_five_players_with_45_cars(stack: str, players: int) -> None:
    game, _ = new(stack, players)
    assert len(game.players) == players
    assert list(game.state.cars) == [45] * players
    assert list(game.state.scores) == [0] * players


@pytest.mark.rule("S1")
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("players", [0, 1, 6, -2, True, ["Ada"], ["A", "B", "C", "D", "E", "F"]])
def test_other_numbers_of_players_are_refused(stack: str, players: object) -> None:
    with pytest.raises(ttr.InvalidInputError):
        ttr.new_game(stack, players=players, seed=1)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="S1"):
        ttr.new_game(stack, players=6, seed=1)


@pytest.mark.rule("S1")
def test_three_stations_each_in_europe_and_none_in_north_america() -> None:
    europe, _ = new("europe", 4)
    assert [europe.view(seat).part(Stations).left for seat in range(4)] == [[3, 3, 3, 3]] * 4
    america, _ = new("north-america", 4)
    assert Stations not in america.state.parts
    keep_all(america)
    assert refused(america, BuildStation(0, "miami", {"purple": 1})) == "S8"


# -- train cards (S2, S3, S4) ----------------------------------------------------------------------------------


@pytest.mark.rule("S2")
@pytest.mark.parametrize("stack", STACKS)
def test_110_train_cards(stack: str) -> None:
    game, chance = new(stack, 3)
    state = game.state
    cards: Counter[str] = (
        Counter(ttr.cards(state).draw_pile) + Counter(ttr.cards(state).face_up) + Counter(ttr.cards(state).discards)
    )
    for hand in ttr.cards(state).hands:
        cards.update(dict(hand))
    assert cards == {**dict.fromkeys(COLORS, 12), "locomotive": 14}
    assert Counter(chance.calls[0].items) == cards


@pytest.mark.rule("S3")
@pytest.mark.parametrize("stack", STACKS)
def test_four_cards_each_then_five_face_up(stack: str) -> None:
    hands = ("red", "red", "blue", "red"), ("green",) * 4, ("black", "white", "locomotive", "locomotive")
    row = ("yellow", "locomotive", "orange", "locomotive", "purple")
    game, _ = new(stack, 3, Top(*hands[0], *hands[1], *hands[2], *row, "white"))
    assert ttr.cards(game.state).hands == (
        ttr.Counts(red=3, blue=1),
        ttr.Counts(green=4),
        ttr.Counts(black=1, white=1, locomotive=2),
    )
    assert ttr.cards(game.state).face_up == row
    assert ttr.cards(game.state).draw_pile[0] == "white"
    assert len(ttr.cards(game.state).draw_pile) == 110 - 3 * 4 - 5
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("S4")
@pytest.mark.parametrize(
    "row",
    [
        ("locomotive", "red", "locomotive", "red", "locomotive"),
        ("locomotive", "locomotive", "locomotive", "locomotive", "red"),
        ("locomotive",) * 5,
    ],
)
def test_three_locomotives_at_set_up_are_swept(row: tuple[str, ...]) -> None:
    game, _ = new("north-america", 2, Top(*["blue"] * 8, *row, *PLAIN_ROW, "black"))
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert ttr.cards(game.state).discards == row
    assert ttr.cards(game.state).draw_pile[0] == "black"
    assert [sweep.cards for sweep in happened(game.events, RowSwept)] == [row]


@pytest.mark.rule("S4")
def test_two_locomotives_at_set_up_stay() -> None:
    row = ("locomotive", "red", "red", "red", "locomotive")
    game, _ = new("north-america", 2, Top(*["blue"] * 8, *row))
    assert ttr.cards(game.state).face_up == row
    assert ttr.cards(game.state).discards == ()


@pytest.mark.rule("S4")
def test_the_new_row_is_swept_too() -> None:
    first = ("locomotive", "locomotive", "locomotive", "red", "white")
    second = ("black", "locomotive", "locomotive", "locomotive", "green")
    game, _ = new("europe", 2, Top(*["blue"] * 8, *first, *second, *PLAIN_ROW))
    assert ttr.cards(game.state).face_up == PLAIN_ROW
    assert ttr.cards(game.state).discards == (*first, *second)


@pytest.mark.rule("S4", "R3")
def test_a_row_is_looked_at_when_it_is_full_never_card_by_card() -> None:
    """Three locomotives turned up first do not stop the other two cards of the row."""
    row = ("locomotive", "locomotive", "locomotive", "red", "white")
    game, _ = new("europe", 2, Top(*["blue"] * 8, *row, *PLAIN_ROW))
    assert happened(game.events, RowSwept)[0].cards == row
    assert len(ttr.cards(game.state).draw_pile) == 110 - 8 - 5 - 5


# -- who plays when (S5, S8) -----------------------------------------------------------------------------------


@pytest.mark.rule("S5")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_the_caller_may_name_the_start_player(first: int) -> None:
    game, chance = new("north-america", 3, first_seat=first)
    keep_all(game)
    assert game.to_act == (first,)
    assert chance.calls[0].items != (0, 1, 2)


@pytest.mark.rule("S5")
@pytest.mark.parametrize("first_seat", [-1, 2, "0", True, 1.0])
def test_no_other_start_player(first_seat: object) -> None:
    with pytest.raises(ttr.InvalidInputError):
        ttr.new_game("europe", players=2, seed=1, first_seat=first_seat)  # type: ignore[arg-type]


@pytest.mark.rule("S5")
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_start_player_is_drawn_by_chance(order: tuple[int, ...]) -> None:
    game, _ = new("north-america", 3, Expect((0, 1, 2), order), first_seat=None)
    keep_all(game)
    assert game.to_act == (order[0],)


@pytest.mark.rule("S5")
def test_the_start_player_is_drawn_from_the_seed() -> None:
    def first(seed: int) -> tuple[int, ...]:
        game = ttr.new_game("north-america", players=4, seed=seed)
        keep_all(game)
        return game.to_act

    assert [first(seed) for seed in range(30)] == [first(seed) for seed in range(30)]
    assert {first(seed) for seed in range(30)} == {(0,), (1,), (2,), (3,)}


@pytest.mark.rule("S5")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_turns_go_round_seat_by_seat(players: int) -> None:
    game, _ = new("north-america", players, first_seat=players - 1)
    keep_all(game)
    seats: list[int] = []
    for _ in range(2 * players + 1):
        (seat,) = game.to_act
        seats.append(seat)
        play(game, ttr.DrawBlind(seat), ttr.DrawBlind(seat))
    assert seats == [(players - 1 + turn) % players for turn in range(2 * players + 1)]


@pytest.mark.rule("S5")
def test_another_seat_may_not_act() -> None:
    game = arranged("europe", {}, {"hand": {"red": 4}}, {}, draw_pile=["red", "white"], to_act=2)
    assert game.to_act == (2,)
    for seat in (0, 1, 3, -1, True, "C", None):
        for action in (
            ttr.DrawBlind(seat),  # type: ignore[arg-type]
            ttr.DrawFaceUp(seat, "blue"),  # type: ignore[arg-type]
            ttr.DrawTickets(seat),  # type: ignore[arg-type]
            ttr.ClaimRoute(seat, "bruxelles-paris-red", {"red": 2}),  # type: ignore[arg-type]
            BuildStation(seat, "paris", {"red": 1}),  # type: ignore[arg-type]
            ttr.Pass(seat),  # type: ignore[arg-type]
        ):
            assert refused(game, action) == "S5"
            with pytest.raises(NotYourTurnError):
                game.play(action)
    game.play(ttr.DrawBlind(2))
    assert refused(game, ttr.DrawBlind(0)) == "S5"  # nor between the two cards of another seat
    game.play(ttr.DrawBlind(2))
    assert refused(game, ttr.DrawBlind(2)) == "S5"  # nor once the own turn is over
    assert game.is_legal(ttr.DrawTickets(0))


@pytest.mark.rule("S8")
def test_a_turn_is_one_action() -> None:
    for action in (
        ttr.ClaimRoute(0, "atlanta-nashville-gray", {"red": 1}),
        ttr.DrawFaceUp(0, "locomotive"),
    ):
        game = arranged(
            "north-america", {"hand": {"red": 4}}, {}, face_up=[*PLAIN_ROW[:4], "locomotive"], draw_pile=["red"] * 8
        )
        game.play(action)
        assert game.to_act == (1,)
        assert isinstance(game.decision(1), ttr.Turn)
    game = arranged("europe", {"hand": {"red": 4}}, {})
    game.play(BuildStation(0, "paris", {"red": 1}))
    assert game.to_act == (1,)


@pytest.mark.rule("S8")
def test_an_action_begun_is_finished_before_another() -> None:
    game = arranged("europe", {"hand": {"red": 4}}, {}, draw_pile=["red"] * 8)
    ticket = game.state.ticket_pile[0]
    others = [
        ttr.ClaimRoute(0, "bruxelles-paris-red", {"red": 2}),
        ttr.DrawTickets(0),
        BuildStation(0, "paris", {"red": 1}),
        ttr.KeepTickets(0, [ticket]),
        ttr.PayTunnel(0, {"red": 1}),
        ttr.AbandonTunnel(0),
    ]
    second = game.copy()
    second.play(ttr.DrawBlind(0))
    assert [refused(second, action) for action in others] == ["S8"] * 6
    choosing = game.copy()
    choosing.play(ttr.DrawTickets(0))
    others[3] = ttr.DrawBlind(0)
    assert [refused(choosing, action) for action in others] == ["S8"] * 6
    assert refused(game, ttr.KeepTickets(0, [ticket])) == "S8"
    assert refused(game, ttr.PayTunnel(0, {"red": 1})) == "S8"
    assert refused(game, ttr.AbandonTunnel(0)) == "S8"


# -- secrets (S6) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("S6")
def test_hands_and_tickets_of_others_are_secret_their_number_is_public() -> None:
    game = arranged(
        "europe",
        {"hand": {"red": 2, "locomotive": 1}, "tickets": [["paris", "wien"]]},
        {"hand": {"black": 5}, "tickets": [["essen", "kyiv"], ["berlin", "roma"]]},
        draw_pile=["red", "blue", "white"],
        discards=["green", "black"],
    )
    for seat, tickets in ((0, ("paris-wien",)), (1, ("essen-kyiv", "berlin-roma")), (None, ())):
        view = game.view(seat)
        assert view.tickets == tickets
        assert view.ticket_counts == (1, 2)
        assert ttr.cards(view).hand_sizes == (3, 5)
        assert ttr.cards(view).hand == (None if seat is None else ttr.cards(game.state).hands[seat])
        assert ttr.cards(view).draw_pile_size == 3
        assert ttr.cards(view).face_up == PLAIN_ROW
        assert ttr.cards(view).discards == ("green", "black")
        assert view.cars == (45, 45)
        assert view.scores == (0, 0)
        assert not hasattr(view, "hands")
        assert not hasattr(view, "draw_pile")
        assert not hasattr(view, "ticket_pile")


@pytest.mark.rule("S6")
def test_what_others_see_of_a_draw() -> None:
    game = arranged("north-america", {}, {}, draw_pile=["red", "black", "white", "white"])
    blind, face_up = game.play(ttr.DrawBlind(0))[0], game.play(ttr.DrawFaceUp(0, "blue"))[0]
    assert "red" in str(blind.seen_by(0))
    assert "red" not in str(blind.seen_by(1))
    assert "red" not in str(blind.seen_by(None))
    assert blind.seen_by(1).event.card == Unknown(1)  # type: ignore[attr-defined]
    assert face_up.seen_by(1) == face_up.seen_by(None) == face_up.seen_by(0) == SeenEvent(face_up)


@pytest.mark.rule("S6")
def test_what_others_see_of_drawn_tickets() -> None:
    game = arranged("north-america", {}, {})
    top = game.state.ticket_pile[:3]
    events = play(game, ttr.DrawTickets(0), ttr.KeepTickets(0, top[:1]))
    for event in events:
        for seat in (1, None):
            assert not any(ticket in str(event.seen_by(seat)) for ticket in top)
    assert game.view(1).ticket_counts == (1, 0)
    assert game.view(1).ticket_pile_sizes == {"regular": 29}


@pytest.mark.rule("S6")
def test_shuffles_are_secret() -> None:
    game, _ = new("europe", 2)
    shuffles = [event for event in game.events if type(event).__name__.endswith("Shuffled")]
    assert len(shuffles) == 3
    for event in shuffles:
        for seat in (0, 1, None):
            assert isinstance(event.seen_by(seat).event.order, Unknown)  # type: ignore[attr-defined]


# -- the first tickets (S7) ------------------------------------------------------------------------------------


@pytest.mark.rule("S7")
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_first_tickets_are_chosen_in_any_order_before_the_first_turn(order: tuple[int, ...]) -> None:
    game, _ = new("europe", 3, first_seat=1)
    assert list(game.to_act) == [0, 1, 2]
    with pytest.raises(ttr.InvalidInputError):
        game.legal_actions()
    kept = {seat: tickets_dealt(game, seat)[:2] for seat in order}
    for number, seat in enumerate(order):
        assert refused(game, ttr.DrawBlind(seat)) == "S8"
        game.play(ttr.KeepTickets(seat, kept[seat]))
        if number < 2:
            assert set(game.to_act) == set(order[number + 1 :])
            assert refused(game, ttr.KeepTickets(seat, kept[seat])) == "S5"
    assert game.to_act == (1,)
    assert isinstance(game.decision(1), ttr.Turn)
    assert [set(tickets) for tickets in game.state.tickets] == [set(kept[seat]) for seat in range(3)]


@pytest.mark.rule("S7", "S6")
@pytest.mark.parametrize("stack", STACKS)
def test_how_many_each_kept_shows_only_when_all_have_chosen(stack: str) -> None:
    game, _ = new(stack, 3)
    few, many = game.copy(), game.copy()
    few_events = few.play(ttr.KeepTickets(0, tickets_dealt(few, 0)[:2]))
    many_events = many.play(ttr.KeepTickets(0, tickets_dealt(many, 0)))
    for seat in (1, 2, None):
        assert few.view(seat) == many.view(seat)
        assert few.view(seat).ticket_counts[0] is None
        assert [event.seen_by(seat) for event in few_events] == [event.seen_by(seat) for event in many_events]
    assert few.view(0).ticket_counts == (2, None, None)
    (chosen,) = happened(few_events, TicketsChosen)
    assert chosen.seen_by(0).event == chosen
    for seat in (1, 2):
        few.play(ttr.KeepTickets(seat, tickets_dealt(few, seat)))
    everything = len(tickets_dealt(game, 0))
    assert [few.view(seat).ticket_counts for seat in (0, 1, 2, None)] == [(2, everything, everything)] * 4


@pytest.mark.rule("S7", "S6")
def test_tickets_dealt_are_seen_by_their_owner_alone() -> None:
    game, _ = new("europe", 2)
    mine = tickets_dealt(game, 1)
    assert game.view(1).decision == TicketSetup(1, mine)
    for seat in (0, None):
        shown = str(game.view(seat)) + "".join(str(event.seen_by(seat)) for event in game.events)
        assert not any(ticket in shown for ticket in mine)


# -- North America (V1) ----------------------------------------------------------------------------------------


@pytest.mark.rule("V1")
def test_north_america_deals_three_of_thirty() -> None:
    game, _ = new("north-america", 2)
    order = file_order("north-america", "regular")
    assert len(order) == len(set(order)) == 30
    assert tickets_dealt(game, 0) == tuple(order[:3])
    assert tickets_dealt(game, 1) == tuple(order[3:6])
    assert game.state.ticket_pile == tuple(order[6:])
    for seat in (0, 1):
        sizes = Counter(len(action.tickets) for action in game.legal_actions(seat))  # type: ignore[attr-defined]
        assert sizes == {2: 3, 3: 1}


@pytest.mark.rule("V1")
def test_north_america_keeps_two_at_least() -> None:
    game, _ = new("north-america", 2)
    first, second, third = tickets_dealt(game, 0)
    foreign = tickets_dealt(game, 1)[0]
    below = game.state.ticket_pile[0]
    for kept in ([], [first], [first, first], [first, second, foreign], [first, second, below], [first, "x"]):
        assert refused(game, ttr.KeepTickets(0, kept)) == "V1"
    game.play(ttr.KeepTickets(0, [third, first]))
    assert set(game.state.tickets[0]) == {first, third}


@pytest.mark.rule("V1", "K2")
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_north_america_puts_the_others_under_the_pile_in_seat_order(order: tuple[int, ...]) -> None:
    game, chance = new("north-america", 3)
    dealt = [tickets_dealt(game, seat) for seat in range(3)]
    pile = game.state.ticket_pile
    rejected = [dealt[0][1], dealt[1][2], dealt[2][0]]
    calls = len(chance.calls)
    for seat in order:
        game.play(ttr.KeepTickets(seat, [ticket for ticket in dealt[seat] if ticket not in rejected]))
    assert game.state.ticket_pile == (*pile, *rejected)
    assert len(chance.calls) == calls


@pytest.mark.rule("R9", "V1")
def test_the_ruling_shuffles_those_not_kept_at_set_up_in_one_call_after_the_last_answer() -> None:
    chance = ScriptedChance(otherwise=AS_IS)
    rules = ttr.compile_rules("north-america", rulings={"shuffle_returned_tickets": True})
    game = ttr.new_game(rules=rules, players=3, chance=chance, first_seat=0)
    pile = game.state.ticket_pile
    dealt = [tickets_dealt(game, seat) for seat in range(3)]
    rejected = [dealt[0][1], dealt[1][2], dealt[2][0]]
    chance.script(Expect(rejected, rejected[::-1]))
    for seat in (2, 0, 1):
        assert chance.calls == []
        game.play(ttr.KeepTickets(seat, [ticket for ticket in dealt[seat] if ticket not in rejected]))
    chance.done()
    assert game.state.ticket_pile == (*pile, *rejected[::-1])


@pytest.mark.rule("V1")
def test_north_america_has_no_chance_call_for_long_tickets() -> None:
    chance = ScriptedChance(AS_IS, Expect(file_order("north-america", "regular")))
    ttr.new_game(rules=rules_of("north-america"), players=2, chance=chance, first_seat=0)
    chance.done()
    assert len(chance.calls[0].items) == 110


# -- Europe (V2) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("V2")
def test_europe_has_six_long_and_forty_regular_tickets() -> None:
    assert len(file_order("europe", "long")) == 6
    assert len(file_order("europe", "regular")) == 40
    assert len(rules_of("europe").tickets) == 46


@pytest.mark.rule("V2")
@pytest.mark.parametrize("players", [2, 5])
def test_europe_deals_one_long_and_three_regular(players: int) -> None:
    game, _ = new("europe", players)
    long, regular = file_order("europe", "long"), file_order("europe", "regular")
    for seat in range(players):
        assert tickets_dealt(game, seat) == (long[seat], *regular[3 * seat : 3 * seat + 3])
    assert game.state.ticket_pile == tuple(regular[3 * players :])


@pytest.mark.rule("V2")
def test_europe_keeps_two_at_least_in_any_mix() -> None:
    game, _ = new("europe", 2)
    dealt = tickets_dealt(game, 0)
    sizes = Counter(len(action.tickets) for action in game.legal_actions(0))  # type: ignore[attr-defined]
    assert sizes == {2: 6, 3: 4, 4: 1}
    assert game.is_legal(ttr.KeepTickets(0, dealt[1:3]))  # without the long one
    assert game.is_legal(ttr.KeepTickets(0, dealt[:2]))
    assert refused(game, ttr.KeepTickets(0, [])) == "V2"
    for ticket in dealt:
        assert refused(game, ttr.KeepTickets(0, [ticket])) == "V2"


@pytest.mark.rule("V2")
def test_europe_sends_the_others_to_the_box() -> None:
    game, chance = new("europe", 2)
    pile = game.state.ticket_pile
    calls = len(chance.calls)
    kept = [tickets_dealt(game, 0)[:2], tickets_dealt(game, 1)[1:3]]
    for seat in (1, 0):
        game.play(ttr.KeepTickets(seat, kept[seat]))
    assert game.state.ticket_pile == pile
    assert len(chance.calls) == calls
    everywhere = [ticket for each in game.state.ticket_piles.values() for ticket in each]
    everywhere += [ticket for tickets in game.state.tickets for ticket in tickets]
    assert sorted(everywhere) == sorted([*pile, *kept[0], *kept[1]])  # no long one that was not kept
    assert game.view(0).ticket_pile_sizes == {"regular": 34}


@pytest.mark.rule("V1", "V2", "K1")
@pytest.mark.parametrize("stack", STACKS)
def test_three_drawn_and_one_kept_in_play(stack: str) -> None:
    game, _ = new(stack, 2)
    keep_all(game)
    top = game.state.ticket_pile[:3]
    game.play(ttr.DrawTickets(0))
    assert game.decision(0) == TicketChoice(0, top)
    assert len(game.legal_actions()) == 7


# -- the order of chance calls and of deals --------------------------------------------------------------------


@pytest.mark.rule("S5", "S2", "V2", "S3")
def test_the_order_of_chance_calls() -> None:
    """Seats, train cards, long tickets, regular tickets; nothing else, and nothing later."""
    chance = ScriptedChance(
        Expect((0, 1, 2), (2, 0, 1)),
        Top(*["red"] * 4, *["blue"] * 4, *["green"] * 4, *PLAIN_ROW),
        Expect(file_order("europe", "long"), Top(file_order("europe", "long")[5])),
        Expect(file_order("europe", "regular"), Top(*file_order("europe", "regular")[:-4:-1])),
    )
    game = ttr.new_game(rules=rules_of("europe"), players=3, chance=chance)
    chance.done()
    long, regular = file_order("europe", "long"), file_order("europe", "regular")
    assert ttr.cards(game.state).hands == (ttr.Counts(red=4), ttr.Counts(blue=4), ttr.Counts(green=4))
    assert tickets_dealt(game, 0) == (long[5], regular[39], regular[38], regular[37])
    assert tickets_dealt(game, 1) == (long[0], *regular[:3])
    assert tickets_dealt(game, 2) == (long[1], *regular[3:6])
    keep_all(game)
    assert game.to_act == (2,)
    assert len(chance.calls) == 4


@pytest.mark.rule("S2")
@pytest.mark.parametrize("stack", STACKS)
def test_the_train_cards_are_handed_over_color_after_color(stack: str) -> None:
    """Each color twelve times, in the order used everywhere, then the locomotives."""
    chance = ScriptedChance(Expect(deck_in_order()), otherwise=AS_IS)
    ttr.new_game(rules=rules_of(stack), players=2, chance=chance, first_seat=0)


@pytest.mark.rule("S3", "S7")
def test_the_order_of_deals() -> None:
    """Hands seat by seat, the row, then the tickets seat by seat."""
    game, _ = new("europe", 2, first_seat=1)
    deals = [event for event in game.events if isinstance(event, CardsDealt | CardsTurnedUp | TicketsDealt)]
    assert [(type(deal), getattr(deal, "seat", None)) for deal in deals] == [
        (CardsDealt, 0),
        (CardsDealt, 1),
        (CardsTurnedUp, None),
        (TicketsDealt, 0),
        (TicketsDealt, 1),
    ]


@pytest.mark.rule("S3", "S5")
def test_hands_are_dealt_from_seat_0_whoever_starts() -> None:
    cards = [*["red"] * 4, *["blue"] * 4, *["green"] * 4]
    game, _ = new("north-america", 3, Top(*cards), first_seat=2)
    assert ttr.cards(game.state).hands == (ttr.Counts(red=4), ttr.Counts(blue=4), ttr.Counts(green=4))
    assert tickets_dealt(game, 0) == tuple(file_order("north-america", "regular")[:3])


@pytest.mark.rule("S4")
def test_sweeps_at_set_up_come_before_the_tickets_but_need_no_chance() -> None:
    loco = ["locomotive"] * 3
    top = Top(*["red"] * 8, *loco, "blue", "white")
    chance = ScriptedChance(top, AS_IS, AS_IS)
    game = ttr.new_game(rules=rules_of("europe"), players=2, chance=chance, first_seat=0)
    chance.done()
    assert ttr.cards(game.state).discards == (*loco, "blue", "white")


@pytest.mark.rule("S2")
def test_a_result_that_is_no_permutation_is_noticed() -> None:
    class Loses(ScriptedChance):
        def shuffled(self, items: Sequence[T]) -> Sequence[T]:
            return items[1:]

    with pytest.raises(ChanceError):
        ttr.new_game("europe", players=2, chance=Loses(), first_seat=0)
