"""Nordic Countries but for its payments: N1 to N3, N7 to N9, V9."""

from __future__ import annotations

import pytest
from helpers import AS_IS, ScriptedChance, Top, arranged, happened, keep_all, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.events import CardsRevealed, RowSwept, TicketsReturned, TunnelEntered
from ttr_rules.model import Cost, TicketChoice, TicketSetup
from ttr_rules.train_cards import NextCard
from ttr_tools.bots import play_game
from ttr_variants.nordic_countries import NordicCards

NORDIC = rules_of("nordic-countries")
LOCO = "locomotive"
STAVANGER = ("kristiansand-stavanger-green", "kristiansand-stavanger-orange")  # tunnel of two, ferry of three


def sheet(*players: dict[str, object]) -> tuple[ttr.PlayerScore, ...]:
    """The scores of players with these routes and tickets."""
    return ttr.score(NORDIC, {"players": [{"name": "ABC"[n], **each} for n, each in enumerate(players)]}).players


# -- players and doubles ------------------------------------------------------------------------------------------


@pytest.mark.rule("N1", "V9")
@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_players_with_forty_cars(players: int) -> None:
    game = ttr.new_game(rules=NORDIC, players=players, seed=1)
    assert tuple(game.state.cars) == (40,) * players
    assert all(hand.total == 4 for hand in ttr.cards(game.state).hands)
    assert len(ttr.cards(game.state).face_up) == 5
    assert len(NORDIC.board.routes) == 81
    assert {name: len(pile) for name, pile in NORDIC.deck.piles.items()} == {"regular": 46}


@pytest.mark.rule("N1")
@pytest.mark.parametrize("players", [1, 4, 5])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(ttr.InvalidInputError, match="2 to 3"):
        ttr.new_game(rules=NORDIC, players=players, seed=1)


@pytest.mark.rule("N1")
def test_two_players_use_one_route_of_a_double() -> None:
    game = arranged("nordic-countries", {"hand": {"blue": 3}}, {"routes": ["bergen-oslo-red"]})
    assert refused(game, ttr.ClaimRoute(0, "bergen-oslo-blue", {"blue": 3})) == "C6"


@pytest.mark.rule("N1")
def test_three_players_use_both_routes_of_a_double() -> None:
    game = arranged(
        "nordic-countries", {"hand": {"orange": 4}}, {"routes": ["boden-kiruna-black"]}, {}, draw_pile=["red"]
    )
    game.play(ttr.ClaimRoute(0, "boden-kiruna-orange", {"orange": 3}))
    assert game.state.owners == {"boden-kiruna-black": 1, "boden-kiruna-orange": 0}
    game = arranged("nordic-countries", {"hand": {"orange": 4}, "routes": ["boden-kiruna-black"]}, {}, {})
    assert refused(game, ttr.ClaimRoute(0, "boden-kiruna-orange", {"orange": 3})) == "C5"


# -- tickets ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("N2")
def test_five_tickets_two_kept_and_the_others_leave_the_game() -> None:
    game = ttr.new_game(rules=NORDIC, players=2, seed=1, first_seat=0)
    assert len(game.state.ticket_pile) == 36
    for seat in (0, 1):
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup) and len(decision.tickets) == 5
        assert refused(game, ttr.KeepTickets(seat, decision.tickets[:1])) == "N2"
        assert len(legal(game, ttr.KeepTickets, seat)) == 2**5 - 5 - 1
    first = game.decision(0)
    assert isinstance(first, TicketSetup)
    events = [*game.play(ttr.KeepTickets(0, first.tickets[:2]))]
    keep_all(game)
    assert not happened(events, TicketsReturned)
    assert len(game.state.ticket_pile) == 36
    assert not set(first.tickets[2:]) & set(game.state.ticket_pile)
    assert game.state.tickets[0] == first.tickets[:2]


@pytest.mark.rule("N2")
def test_tickets_drawn_in_play_and_not_kept_leave_the_game() -> None:
    game = arranged("nordic-countries", {}, {})
    before = game.state.ticket_pile
    game.play(ttr.DrawTickets(0))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice) and decision.tickets == before[:3]
    assert refused(game, ttr.KeepTickets(0, ())) == "K1"
    events = game.play(ttr.KeepTickets(0, decision.tickets[1:2]))
    assert not happened(events, TicketsReturned)
    assert game.state.ticket_pile == before[3:]
    assert game.state.tickets[0] == before[1:2]


# -- drawing ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("N3")
def test_both_cards_may_be_face_up_locomotives() -> None:
    row = [LOCO, LOCO, "red", "blue", "green"]
    game = arranged("nordic-countries", {}, {}, face_up=row, draw_pile=["red", "blue", "white"])
    game.play(ttr.DrawFaceUp(0, LOCO))
    assert isinstance(game.decision(0), NextCard)
    assert LOCO in [action.card for action in legal(game, ttr.DrawFaceUp)]
    game.play(ttr.DrawFaceUp(0, LOCO))
    assert game.decision(1) == ttr.Turn(1)
    assert ttr.cards(game.state).hands[0] == {LOCO: 2}


@pytest.mark.rule("N3")
def test_a_face_up_locomotive_may_be_one_of_the_two_cards() -> None:
    row = [LOCO, "red", "red", "blue", "green"]
    game = arranged("nordic-countries", {}, {}, face_up=row, draw_pile=["red", LOCO, "white", "blue"])
    play(game, ttr.DrawFaceUp(0, LOCO), ttr.DrawBlind(0))
    assert ttr.cards(game.state).hands[0] == {LOCO: 2}
    game = arranged("nordic-countries", {}, {}, face_up=row, draw_pile=["black", LOCO, "white", "blue"])
    play(game, ttr.DrawBlind(0), ttr.DrawFaceUp(0, LOCO))
    assert ttr.cards(game.state).hands[0] == {LOCO: 1, "black": 1}


@pytest.mark.rule("N3")
def test_the_row_is_never_swept() -> None:
    row = [LOCO] * 4 + ["red"]
    game = arranged("nordic-countries", {}, {}, face_up=row, draw_pile=[LOCO, "blue", "white", "green", "black"])
    events = game.play(ttr.DrawFaceUp(0, "red"))
    assert ttr.cards(game.state).face_up == (LOCO,) * 5
    assert not happened(events, RowSwept)
    game.play(ttr.DrawFaceUp(0, LOCO))
    assert ttr.cards(game.state).face_up.count(LOCO) == 4


@pytest.mark.rule("N3")
def test_the_row_is_not_swept_at_set_up() -> None:
    chance = ScriptedChance(Top(*["red"] * 8, *[LOCO] * 5), otherwise=AS_IS)
    game = ttr.new_game(rules=NORDIC, players=2, first_seat=0, chance=chance)
    assert ttr.cards(game.state).face_up == (LOCO,) * 5


# -- tunnels, unequal doubles -------------------------------------------------------------------------------------


@pytest.mark.rule("N7", "N4")
def test_tunnels_turn_up_three_cards_and_take_locomotives() -> None:
    pile = ["red", LOCO, "white", "blue", "green"]
    hand = {"red": 4, LOCO: 2}
    game = arranged("nordic-countries", {"hand": hand}, {}, draw_pile=pile)
    events = game.play(ttr.ClaimRoute(0, "bergen-oslo-red", {"red": 3, LOCO: 1}))
    assert happened(events, CardsRevealed)[0].cards == ("red", LOCO, "white")
    assert happened(events, TunnelEntered)[0].extra.spaces == 2
    assert {action.payment for action in legal(game, ttr.PayTunnel)} == {
        ttr.Counts(red=1, locomotive=1),
    }
    assert refused(game, ttr.PayTunnel(0, {"red": 2})) == "T2"
    game.play(ttr.PayTunnel(0, {"red": 1, LOCO: 1}))
    assert game.state.owners == {"bergen-oslo-red": 0}
    assert game.state.scores[0] == 7


@pytest.mark.rule("N7")
def test_against_locomotives_alone_only_locomotives_count() -> None:
    game = arranged("nordic-countries", {"hand": {LOCO: 3}}, {}, draw_pile=["purple", LOCO, "white", "blue"])
    game.play(ttr.ClaimRoute(0, "kiruna-narvik-purple", {LOCO: 1}))
    assert [action.payment for action in legal(game, ttr.PayTunnel)] == [ttr.Counts(locomotive=1)]
    game.play(ttr.AbandonTunnel(0))
    assert ttr.cards(game.state).hands[0] == {LOCO: 3}
    assert game.state.owners == {}


@pytest.mark.rule("N7")
def test_no_card_stands_in_for_a_tunnels_locomotive() -> None:
    game = arranged("nordic-countries", {"hand": {"purple": 1, "red": 9}}, {})
    assert refused(game, ttr.ClaimRoute(0, "kiruna-narvik-purple", {"red": 3})) == "C1"


@pytest.mark.rule("N7")
@pytest.mark.parametrize("double", [STAVANGER, ("mo_i_rana-trondheim-green", "mo_i_rana-trondheim-red")])
def test_routes_of_a_double_may_be_unequal(double: tuple[str, str]) -> None:
    tunnel, ferry = (NORDIC.board.routes[id] for id in double)
    assert tunnel.tunnel and ferry.ferry_locomotives and tunnel.length == ferry.length - 1
    payment = {str(tunnel.color): tunnel.length}
    game = arranged("nordic-countries", {"hand": payment, "routes": [ferry.id]}, {}, {})
    assert refused(game, ttr.ClaimRoute(0, tunnel.id, payment)) == "C5"
    game = arranged("nordic-countries", {"hand": payment}, {"routes": [ferry.id]})
    assert refused(game, ttr.ClaimRoute(0, tunnel.id, payment)) == "C6"
    game = arranged("nordic-countries", {"hand": payment}, {"routes": [ferry.id]}, {})
    assert game.is_legal(ttr.ClaimRoute(0, tunnel.id, payment))


# -- points and ties ----------------------------------------------------------------------------------------------


@pytest.mark.rule("N8")
def test_points_by_length() -> None:
    assert dict(NORDIC.board.points) == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}


@pytest.mark.rule("N8", "R6")
def test_ten_points_for_the_most_completed_tickets_to_all_tied() -> None:
    oslo = {"routes": ["kristiansand-oslo-black", STAVANGER[1]], "tickets": [["oslo", "stavanger"]]}
    helsinki = {
        "routes": ["orebro-oslo-green", "orebro-stockholm-black"],
        "tickets": [["oslo", "stockholm"], ["bergen", "narvik"]],
    }
    first, second, third = sheet(oslo, helsinki, {"tickets": [["oslo", "vaasa"]]})
    assert first.bonuses == second.bonuses == {"most_tickets": 10}
    assert third.bonuses == {}
    assert first.total == 2 + 4 + 4 + 10
    assert second.total == 2 + 2 + 4 - 16 + 10
    assert third.total == -9
    assert all(player.bonuses == {} for player in sheet({"tickets": [["oslo", "vaasa"]]}, {"routes": [STAVANGER[0]]}))


@pytest.mark.rule("N8")
def test_no_points_for_the_longest_path() -> None:
    (player, _) = sheet({"routes": ["lieksa-murmansk-gray"]}, {})
    assert player.total == 27
    assert player.longest_path.length == 9
    assert player.bonuses == {}


@pytest.mark.rule("N9", "R7")
def test_ties_go_to_tickets_then_to_the_longer_path() -> None:
    one = {"routes": ["boden-umea-red", "helsinki-tampere-orange"]}  # 4 + 1, longest 3
    two = {"routes": ["goteborg-orebro-blue", "orebro-oslo-green", "helsinki-turku-white"]}  # 2 + 2 + 1, longest 4
    scores = ttr.score(NORDIC, {"players": [{"name": "A", **one}, {"name": "B", **two}]})
    assert [player.total for player in scores.players] == [5, 5]
    assert scores.winners == ("B",)
    same = ttr.score(
        NORDIC,
        {"players": [{"name": "A", **one}, {"name": "B", "routes": ["boden-kiruna-black", "lahti-tampere-blue"]}]},
    )
    assert same.winners == ("A", "B")


@pytest.mark.rule("N9")
def test_more_completed_tickets_go_before_the_path() -> None:
    """A scores 27 for a long path and loses a ticket of 7; B scores 6, completes a ticket of 4 and gets the bonus."""
    one = {"name": "A", "routes": ["lieksa-murmansk-gray"], "tickets": [["bergen", "trondheim"]]}
    two = {"name": "B", "routes": ["kristiansand-oslo-black", STAVANGER[1]], "tickets": [["oslo", "stavanger"]]}
    scores = ttr.score(NORDIC, {"players": [one, two]})
    assert [player.total for player in scores.players] == [20, 20]
    assert [player.longest_path.length for player in scores.players] == [9, 5]
    assert [player.completed_tickets for player in scores.players] == [0, 1]
    assert scores.winners == ("B",)


# -- whole stacks -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("V9")
def test_a_finished_game_scores_the_same_from_a_table() -> None:
    game = ttr.new_game(rules=NORDIC, players=3, seed=5)
    play_game(game)
    players = [
        {
            "name": name,
            "routes": [id for id, owner in game.state.owners.items() if owner == seat],
            "tickets": list(game.state.tickets[seat]),
        }
        for seat, name in enumerate(game.players)
    ]
    assert ttr.score(None, {"stack": ["nordic-countries"], "players": players}) == game.final_scores


@pytest.mark.rule("V9")
@pytest.mark.parametrize("stack", [("nordic-countries", "dice"), ("dice", "nordic-countries")])
def test_dice_on_top(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    assert type(rules.economy).__name__ == "DiceEconomy"
    game = ttr.new_game(rules=rules, players=3, seed=2)
    play_game(game)
    assert game.is_over
    assert "lieksa-murmansk-gray" not in game.state.owners
    assert ttr.playout(rules, 2, seed=3).winners


@pytest.mark.rule("N6")
def test_the_mark_of_a_cost_is_written_to_saved_games_only_where_there_is_one() -> None:
    from ttr_rules.saves.moves import converter

    made = converter(NORDIC)
    long = Cost.of_route(NORDIC.board.routes["lieksa-murmansk-gray"])
    plain = Cost.of_route(NORDIC.board.routes["helsinki-imatra-red"])
    assert made.unstructure(long)["marks"] == ["four_for_one"]
    assert "marks" not in made.unstructure(plain)
    for cost in (long, plain):
        assert made.structure(made.unstructure(cost), Cost) == cost


@pytest.mark.rule("N5")
def test_a_refusal_says_how_many_cards_a_ferry_takes_at_most() -> None:
    refusal = NordicCards().mismatch(Cost("single", spaces=3, wilds=2), ttr.Counts(red=8))
    assert refusal is not None
    assert str(refusal) == "[N5] 3 or 5 or 7 cards pay for this, not 8 (8 red)"
