"""Märklin: its cards, its two stacks of tickets, its end (V11, M1–M3, M6–M8)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from helpers import AS_IS, Expect, ScriptedChance, Top, arranged, chance_of, happened, legal, play, refused, rules_of
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules import ClaimRoute, DrawBlind, DrawFaceUp, DrawTickets, KeepTickets
from ttr_rules.boards import read_tickets
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.events import (
    MixAnnounced,
    RouteClaimed,
    RowSwept,
    TicketsDrawn,
    TicketsReturned,
    TicketsShuffled,
    Unknown,
)
from ttr_rules.model import CARD_COLORS, AnnounceMix, Cost, TicketChoice, TicketMix, TicketSetup
from ttr_rules.plugins import Score
from ttr_rules.train_cards import NextCard, TrainCards
from ttr_variants.marklin import PILES, Marklin
from ttr_variants.marklin.cards import DECK, MarklinCards
from ttr_variants.marklin.passengers import Passengers

STACK = "germany-tickets"
FOUR, PASSENGER = "locomotive_4", "passenger"
#: Nobody's cards: places of the board with values that no card has.
MADE_UP: list[list[Any]] = [["Berlin", "Ulm", 901, "short"], ["Kiel", "Denmark", 902, "short"]] * 6 + [
    ["Berlin", "Köln", 903, "long"]
] * 12


def claims(game: ttr.Game, route: str) -> set[ttr.Counts]:
    return {action.payment for action in legal(game, ClaimRoute) if action.route == route}


# -- the stack -------------------------------------------------------------------------------------------------


@pytest.mark.rule("V11")
def test_the_bare_name_is_refused_and_says_what_is_needed() -> None:
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules("marklin")
    text = str(caught.value)
    for needed in (
        "46 tickets",
        "ttr-rules board marklin germany-tickets\n",
        "Marklin(tickets=",
        ".toml",
        '"short"',
        '"long"',
        "tickets = [",
    ):
        assert needed in text
    assert text.count("46 tickets") == 1
    with pytest.raises(PluginError, match="46 tickets"):
        ttr.compile_rules("marklin", "dice")


@pytest.mark.rule("V11")
@pytest.mark.parametrize(
    "stack", [("marklin", "germany-tickets"), ("germany-tickets",), ("germany-tickets", "marklin")]
)
def test_germanys_tickets_play_on_it(stack: tuple[str, ...]) -> None:
    rules = ttr.compile_rules(*stack)
    assert rules.stack == ("marklin", "germany-tickets")
    assert {name: len(pile) for name, pile in rules.deck.piles.items()} == {"short": 55, "long": 34}
    assert (rules.board.id, len(rules.board.routes)) == ("marklin", 110)


@pytest.mark.rule("V11")
def test_the_caller_gives_the_tickets(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    rows = "\n".join(
        f'  {{cities = ["{a}", "{b}"], points = {points}, kind = "{kind}"}},' for a, b, points, kind in MADE_UP
    )
    file.write_text(f"tickets = [\n{rows}\n]\n", encoding="utf-8")
    listed = ttr.compile_rules(Marklin(tickets=MADE_UP))
    for rules in (
        listed,
        ttr.compile_rules(Marklin(tickets=read_tickets(str(file)))),
        ttr.compile_rules(Marklin(tickets=file)),
    ):
        assert {name: len(pile) for name, pile in rules.deck.piles.items()} == {"short": 12, "long": 12}
        ticket = rules.tickets["kiel-country_denmark"]
        assert (ticket.points, ticket.kind, ticket.set) == (902, "short", "marklin")
        assert rules.tickets["berlin-ulm-6"].points == 901
    tickets = listed.deck.tickets
    assert ttr.compile_rules(Marklin(tickets=tickets)).deck.piles == listed.deck.piles


@pytest.mark.rule("V11")
def test_a_saved_game_keeps_the_tickets_that_were_given() -> None:
    game = ttr.new_game(Marklin(tickets=MADE_UP), players=2, seed=1)
    loaded = ttr.loads(ttr.dumps(game))
    assert loaded == game
    assert [ticket.points for ticket in loaded.rules.deck.tickets] == [t.points for t in game.rules.deck.tickets]
    assert ttr.loads(ttr.dumps(ttr.new_game("germany-tickets", "dice", players=2, seed=1))).is_over is False


@pytest.mark.rule("V11")
@pytest.mark.parametrize(
    ("tickets", "told"),
    [
        ([["Berlin", "Atlantis", 5, "short"]], "tickets[0].cities: unknown city or country 'Atlantis'"),
        ([["Berlin", "Ulm", 5]], "tickets[0].kind: unknown kind 'regular'; there are short, long"),
        ([["Berlin", "Ulm", 0, "short"]], "tickets[0].points: expected at least 1, got 0"),
        ([["Berlin", "Ulm", 5, "short"], ["Ulm", "Ulm", 5, "long"]], "tickets[1]: from 'ulm' to itself"),
        (MADE_UP[:5], "lets each of 2 players draw 4 tickets, but the deck holds 5"),
    ],
)
def test_tickets_that_cannot_be_are_refused(tickets: list[Any], told: str) -> None:
    with pytest.raises(PluginError) as caught:
        ttr.compile_rules(Marklin(tickets=tickets))
    assert told in str(caught.value)


@pytest.mark.rule("V11")
def test_two_sources_of_tickets_are_one_too_many() -> None:
    with pytest.raises(PluginError, match="leave germany-tickets out"):
        ttr.compile_rules(Marklin(tickets=MADE_UP), "germany-tickets")


def test_explain_tells_who_decided() -> None:
    text = rules_of(STACK).explain()
    for line in (
        "ticket_deck: germany-tickets (replaces core)",
        "economy: train-cards ⟵ adjusted by marklin",
        "on_claim: marklin",
    ):
        assert line in text


# -- cards (M1, M3) --------------------------------------------------------------------------------------------


@pytest.mark.rule("M1")
def test_the_pieces() -> None:
    rules = rules_of(STACK)
    assert (rules.components.cars, rules.components.min_players, rules.components.max_players) == (45, 2, 5)
    assert isinstance(rules.economy, MarklinCards)
    assert sum(DECK.values()) == 118
    assert {card: count for card, count in DECK.items() if count != 11} == {"locomotive": 14, FOUR: 6, PASSENGER: 10}
    handed = [card for card, count in DECK.items() for _ in range(count)]
    chance = ScriptedChance(Expect(handed), otherwise=AS_IS)
    game = ttr.new_game(STACK, players=2, chance=chance, first_seat=0)
    assert game.state.part(Passengers).left == [3, 3]
    assert [hand.total for hand in ttr.cards(game.state).hands] == [4, 4]
    assert len(ttr.cards(game.state).face_up) == 5


@pytest.mark.rule("M3", "C2")
def test_plus_four_locomotives_stand_in_on_routes_of_four_or_more() -> None:
    hand = {"white": 3, "locomotive": 1, FOUR: 2}
    game = arranged(STACK, {"hand": hand}, {})
    assert claims(game, "frankfurt-kassel-white") == {  # four spaces
        ttr.Counts(white=3, locomotive=1), ttr.Counts(white=3, locomotive_4=1), ttr.Counts(white=2, locomotive_4=2),
        ttr.Counts(white=2, locomotive=1, locomotive_4=1), ttr.Counts(white=1, locomotive=1, locomotive_4=2),
    }  # fmt: skip
    short = next(r.id for r in game.rules.board.routes.values() if r.length == 2 and r.color == "white")
    assert claims(game, short) == {ttr.Counts(white=2), ttr.Counts(white=1, locomotive=1)}
    assert refused(game, ClaimRoute(0, short, {"white": 1, FOUR: 1})) == "M3"
    assert refused(game, ClaimRoute(0, short, {FOUR: 2})) == "M3"
    three = next(r.id for r in game.rules.board.routes.values() if r.length == 3 and r.color == "gray")
    assert refused(game, ClaimRoute(0, three, {"white": 2, FOUR: 1})) == "M3"


@pytest.mark.rule("M3")
def test_plus_four_locomotives_alone_and_with_others() -> None:
    game = arranged(STACK, {"hand": {"locomotive": 2, FOUR: 3}}, {}, draw_pile=["red"])
    assert claims(game, "frankfurt-kassel-white") == {
        ttr.Counts(locomotive=2, locomotive_4=2),
        ttr.Counts(locomotive=1, locomotive_4=3),
    }
    events = play(game, ClaimRoute(0, "frankfurt-kassel-white", {"locomotive": 1, FOUR: 3}))
    assert happened(events, RouteClaimed)[0].points == 7
    assert ttr.cards(game.state).hands[0] == {"locomotive": 1}
    assert ttr.cards(game.state).discards == ("locomotive", FOUR, FOUR, FOUR)


@pytest.mark.rule("M5", "C1")
def test_passenger_cards_pay_for_no_route() -> None:
    game = arranged(STACK, {"hand": {"white": 3, PASSENGER: 4}}, {})
    assert refused(game, ClaimRoute(0, "frankfurt-kassel-white", {"white": 3, PASSENGER: 1})) == "M5"
    assert refused(game, ClaimRoute(0, "frankfurt-kassel-white", {PASSENGER: 4})) == "M5"
    assert not any(PASSENGER in action.payment for action in legal(game, ClaimRoute))


@pytest.mark.rule("M3", "D2", "D3")
def test_a_plus_four_locomotive_is_an_ordinary_card_to_draw() -> None:
    row = [FOUR, FOUR, "red", "locomotive", PASSENGER]
    game = arranged(STACK, {}, {}, face_up=row, draw_pile=["blue", "green", "white", "black", "red"])
    play(game, DrawFaceUp(0, FOUR))
    assert game.decision(0) == NextCard(0, of_draw=True)
    assert refused(game, DrawFaceUp(0, "locomotive")) == "D3"
    play(game, DrawFaceUp(0, FOUR))
    assert ttr.cards(game.state).hands[0] == {FOUR: 2}
    assert game.to_act == (1,)
    play(game, DrawFaceUp(1, PASSENGER), DrawBlind(1))
    assert ttr.cards(game.state).hands[1][PASSENGER] == 1
    assert game.to_act == (0,)


@pytest.mark.rule("M3", "S4")
@pytest.mark.parametrize(
    ("row", "swept"),
    [
        (["locomotive", "locomotive", "red", "blue"], "locomotive"),
        ([PASSENGER, PASSENGER, "red", "blue"], PASSENGER),
        (["locomotive", "locomotive", FOUR, "blue"], None),
        ([PASSENGER, PASSENGER, "locomotive", "locomotive"], None),
        ([FOUR, FOUR, "locomotive", "locomotive"], None),
    ],
)
def test_what_sweeps_the_row(row: list[str], swept: str | None) -> None:
    """Three locomotives or three passenger cards; "+4" locomotives do not count with either."""
    third = swept or FOUR
    game = arranged(
        STACK, {}, {}, face_up=[*row, "green"], draw_pile=[third, "red", "blue", "green", "white", "black", "red"]
    )
    events = play(game, DrawFaceUp(0, "green"))
    assert bool(happened(events, RowSwept)) == (swept is not None)
    if swept:
        assert list(ttr.cards(game.state).face_up) == ["red", "blue", "green", "white", "black"]
    else:
        assert sorted(ttr.cards(game.state).face_up) == sorted([*row, FOUR])


@pytest.mark.rule("M3", "R1")
def test_a_row_that_cannot_be_mended_is_not_swept() -> None:
    """Only locomotives and passengers are left: no five cards without three of a kind can lie there."""
    left = [PASSENGER] * 4 + ["locomotive"] * 4
    game = arranged(
        STACK, {}, {}, face_up=left[:3] + ["locomotive", "red"], draw_pile=["locomotive", "locomotive", PASSENGER]
    )
    events = play(game, DrawFaceUp(0, "red"))
    assert not happened(events, RowSwept)


# -- tickets (M2) ----------------------------------------------------------------------------------------------


@pytest.mark.rule("M2", "S7")
def test_at_setup_each_announces_draws_and_keeps_two() -> None:
    chance = ScriptedChance(otherwise=AS_IS)
    game = ttr.new_game(STACK, players=3, chance=chance, first_seat=0)
    piles = {name: [ticket.id for ticket in pile] for name, pile in game.rules.deck.piles.items()}
    assert game.to_act == (0, 1, 2)
    assert game.decision(1) == TicketMix(1, 4, 0)
    assert [action.mix for action in legal(game, AnnounceMix, 1)] == [
        {"short": 4}, {"short": 3, "long": 1}, {"short": 2, "long": 2}, {"short": 1, "long": 3}, {"long": 4},
    ]  # fmt: skip
    assert refused(game, AnnounceMix(0, {"short": 3})) == "M2"
    assert refused(game, AnnounceMix(0, {"short": 3, "long": 2})) == "M2"
    assert refused(game, AnnounceMix(0, {"regular": 4})) == "M2"
    assert refused(game, KeepTickets(0, ())) == "S8"
    events = play(game, AnnounceMix(1, {"short": 1, "long": 3}))  # in any order
    assert events[0].seen_by(0).event == MixAnnounced(1, ttr.Counts(short=1, long=3))
    assert list(game.to_act) == [0, 1, 2]
    assert game.decision(1) == TicketSetup(1, (piles["short"][0], *piles["long"][:3]), 0)
    play(game, KeepTickets(1, piles["long"][1:3]))
    assert list(game.to_act) == [0, 2]
    play(game, AnnounceMix(0, {"short": 4}), AnnounceMix(2, {"long": 4}))
    assert refused(game, KeepTickets(0, piles["short"][1:2])) == "M2"
    assert game.view(0).ticket_counts == (0, None, None)
    play(game, KeepTickets(0, piles["short"][1:5]))
    back = (piles["short"][0],)
    chance.script(
        Expect((*piles["short"][5:], *back), Top(*back)),
        Expect((*piles["long"][7:], piles["long"][0], *piles["long"][3:5]), AS_IS),
    )
    events = play(game, KeepTickets(2, piles["long"][5:7]))
    chance.done()
    assert game.view(0).ticket_counts == (4, 2, 2)
    assert [event.pile for event in happened(events, TicketsShuffled)] == list(PILES)
    shown = happened([event.seen_by(0).event for event in events], TicketsShuffled)
    assert len(shown) == 2 and all(isinstance(event.order, Unknown) for event in shown)
    assert game.state.ticket_piles["short"][0] == back[0]
    assert (len(game.state.ticket_piles["short"]), len(game.state.ticket_piles["long"])) == (51, 30)
    assert game.decision(0) == ttr.Turn(0)


@pytest.mark.rule("M2")
def test_at_setup_stacks_stay_as_they_are_when_all_is_kept() -> None:
    chance = ScriptedChance(otherwise=AS_IS)
    game = ttr.new_game(STACK, players=2, chance=chance, first_seat=0)
    chance.script()
    for seat in (0, 1):
        play(game, AnnounceMix(seat, {"short": 2, "long": 2}))
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup)
        play(game, KeepTickets(seat, decision.tickets))
    assert game.decision(0) == ttr.Turn(0)


@pytest.mark.rule("M2")
def test_five_players_may_all_ask_for_long_tickets_while_there_are_some() -> None:
    game = ttr.new_game(Marklin(tickets=MADE_UP), players=5, seed=1)
    for seat in range(3):
        play(game, AnnounceMix(seat, {"long": 4}))
    assert [action.mix for action in legal(game, AnnounceMix, 3)] == [{"short": 4}]
    assert refused(game, AnnounceMix(3, {"short": 3, "long": 1})) == "M2"


@pytest.mark.rule("M2", "K1", "K2")
def test_in_play_four_are_drawn_as_announced_and_one_kept() -> None:
    game = arranged(STACK, {}, {})
    piles = game.state.ticket_piles
    assert game.state.ticket_pile == piles["short"] + piles["long"]
    play(game, DrawTickets(0))
    assert game.decision(0) == TicketMix(0, 4)
    assert game.to_act == (0,)
    assert len(legal(game, AnnounceMix)) == 5
    events = play(game, AnnounceMix(0, {"short": 1, "long": 3}))
    drawn = (piles["short"][0], *piles["long"][:3])
    assert game.decision(0) == TicketChoice(0, drawn)
    assert happened(events, TicketsDrawn)[0].seen_by(1).event == TicketsDrawn(0, Unknown(4))
    assert refused(game, KeepTickets(0, ())) == "K1"
    events = play(game, KeepTickets(0, drawn[1:2]))
    returned = happened(events, TicketsReturned)
    assert returned == [TicketsReturned("short", drawn[:1]), TicketsReturned("long", drawn[2:])]
    assert game.state.ticket_piles["short"] == (*piles["short"][1:], drawn[0])
    assert game.state.ticket_piles["long"] == (*piles["long"][3:], *drawn[2:])
    assert game.to_act == (1,)


@pytest.mark.rule("M2", "R9")
def test_tickets_put_back_may_be_shuffled_stack_by_stack() -> None:
    rules = ttr.compile_rules(STACK, rulings={"shuffle_returned_tickets": True})
    game = arranged(rules, {}, {})
    long = game.state.ticket_piles["long"]
    play(game, DrawTickets(0), AnnounceMix(0, {"short": 1, "long": 3}))
    chance_of(game).script(Expect(long[1:3], long[2:0:-1]))
    play(game, KeepTickets(0, long[:1]))
    assert game.state.ticket_piles["long"][-2:] == (long[2], long[1])


@pytest.mark.rule("M2", "K3")
def test_what_is_left_is_drawn_and_nothing_is_announced_with_one_stack_left() -> None:
    rules = ttr.compile_rules(Marklin(tickets=MADE_UP))
    ids = {name: [ticket.id for ticket in pile] for name, pile in rules.deck.piles.items()}
    game = arranged(rules, {"tickets": ids["short"][1:]}, {"tickets": ids["long"][2:]})
    play(game, DrawTickets(0))
    assert game.decision(0) == TicketMix(0, 3)
    assert [action.mix for action in legal(game, AnnounceMix)] == [{"short": 1, "long": 2}]
    game = arranged(rules, {"tickets": ids["short"]}, {"tickets": ids["long"][2:]})
    play(game, DrawTickets(0))
    assert game.decision(0) == TicketChoice(0, tuple(ids["long"][:2]))
    game = arranged(rules, {"tickets": ids["short"]}, {"tickets": ids["long"]})
    assert refused(game, DrawTickets(0)) == "K3"


@pytest.mark.rule("M2", "X4", "V8")
def test_with_dice_as_many_are_announced_as_dice_were_put_in() -> None:
    from ttr_variants.dice import DrawTicketsWithDice, Reroll, TakeTokens

    faces = ("station", "station", "locomotive", "single", "single")
    chance = ScriptedChance(otherwise=AS_IS)
    game = ttr.new_game(STACK, "dice", players=2, chance=chance, first_seat=0)
    for seat in (0, 1):
        play(game, AnnounceMix(seat, {"short": 4}))
        decision = game.decision(seat)
        assert isinstance(decision, TicketSetup)
        if seat == 1:
            chance.script(*faces, otherwise=AS_IS)
        play(game, KeepTickets(seat, decision.tickets))
    play(game, Reroll(0, {}), DrawTicketsWithDice(0, {"station": 2, "locomotive": 1}))
    assert game.decision(0) == TicketMix(0, 3)
    play(game, AnnounceMix(0, {"short": 1, "long": 2}))
    decision = game.decision(0)
    assert isinstance(decision, TicketChoice)
    assert len(decision.tickets) == 3
    play(game, KeepTickets(0, ()), TakeTokens(0, {}))
    assert len(game.state.tickets[0]) == 4


# -- the board and the end (M6–M8) -----------------------------------------------------------------------------


@pytest.mark.rule("M6")
def test_the_tokens_of_the_cities() -> None:
    rules = rules_of(STACK)
    stacks = ttr.new_game(rules=rules, players=2, seed=1).state.part(Passengers).city_tokens
    assert Counter(stacks.values()) == {(7, 6, 5, 4): 1, (4, 3, 2): 6, (3, 2, 1): 12, (2,): 16}
    assert stacks["berlin"] == (7, 6, 5, 4)
    assert set(stacks) == {city.id for city in rules.board.cities.values() if city.country is None}


@pytest.mark.rule("M6")
@pytest.mark.parametrize(
    "row",
    [
        {"city": "nowhere", "tokens": [2]},
        {"city": "country_denmark_1", "tokens": [2]},
        {"city": "ulm", "tokens": [0]},
        7,
        {},
    ],
)
def test_tokens_of_a_map_of_ones_own_are_checked(row: object) -> None:
    import attrs

    board = attrs.evolve(rules_of(STACK).board, extra={"tokens": [row]})
    with pytest.raises(ttr.TTRError, match="extra.tokens"):
        ttr.new_game(STACK, board=board, players=2, seed=1)


@pytest.mark.rule("M7", "C5", "C6")
def test_triples_are_like_doubles() -> None:
    three = [route.id for route in rules_of(STACK).board.routes_between("dusseldorf", "koln")]
    assert len(three) == 3
    hand = {"red": 4}
    game = arranged(STACK, {"hand": hand, "routes": three[:1]}, {"routes": three[1:2]}, {}, {})
    assert refused(game, ClaimRoute(0, three[2], {"red": 1})) == "C5"
    game = arranged(STACK, {"hand": hand}, {"routes": three[:1]}, {}, {"routes": three[1:2]})
    assert claims(game, three[2])
    game = arranged(STACK, {"hand": hand}, {"routes": three[:1]}, {})
    assert refused(game, ClaimRoute(0, three[2], {"red": 1})) == "C6"


@pytest.mark.rule("M7", "C4")
def test_seven_spaces_score_eighteen() -> None:
    assert dict(rules_of(STACK).board.points) == {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}


@pytest.mark.rule("M8", "R6")
def test_the_most_completed_tickets_bring_ten_points_to_each_who_ties() -> None:
    def sheet(*players: dict[str, Any]) -> ttr.FinalScores:
        return ttr.score(None, {"stack": [STACK], "players": [{"name": "ABC"[i], **p} for i, p in enumerate(players)]})

    done = {"tickets": [["berlin", "leipzig"]], "routes": [["berlin", "leipzig"]]}
    also = {
        "tickets": [["kiel", "hamburg", 999]],
        "routes": [["kiel", "hamburg"]],
    }  # at a table, any ticket can be named
    failed = {"tickets": [["berlin", "bremen"]], "routes": [["koln", "dusseldorf"]]}
    tied = sheet(done, also, failed)
    assert [dict(player.bonuses) for player in tied.players] == [{"most_tickets": 10}, {"most_tickets": 10}, {}]
    nobody = sheet(failed, {})
    assert [dict(player.bonuses) for player in nobody.players] == [{}, {}]


@pytest.mark.rule("M8", "M6")
def test_tokens_count_and_break_ties_after_tickets() -> None:
    players = [
        {"name": "A", "tokens_taken": {"berlin": [7], "koln": [4]}},
        {"name": "B", "tokens_taken": [6, 5]},
        {"name": "C", "tokens_taken": [2]},
    ]
    sheet = ttr.score(None, {"stack": [STACK], "players": players})
    assert [player.terms["tokens"] for player in sheet.players] == [Score(11, 2), Score(11, 2), Score(2, 1)]
    assert sheet.winners == ("A", "B")
    assert json.dumps(sheet.to_json())
    one, other = (
        rules_of(STACK).board.routes_between(*pair)[0].id
        for pair in (("dusseldorf", "koln"), ("bremen", "bremerhaven"))
    )
    assert [rules_of(STACK).board.routes[id].length for id in (one, other)] == [1, 1]
    players = [{"name": "A", "routes": [one], "tokens_taken": [2]}, {"name": "B", "routes": [], "tokens_taken": [3]}]
    sheet = ttr.score(None, {"stack": [STACK], "players": players})
    assert [player.total for player in sheet.players] == [3, 3]
    assert [player.rank for player in sheet.players] == [2, 1]
    assert [tie.name for tie in rules_of(STACK).tie_break] == ["more completed tickets", "more points in tokens"]


# -- tables ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("M4", "M6", "M7")
@pytest.mark.parametrize(
    ("player", "told"),
    [
        ({"passengers": ["atlantis"]}, "players[0].passengers[0]: no city 'atlantis'"),
        ({"passengers": ["ulm"]}, "players[0].passengers[0]: no route of A ends in ulm (M4)"),
        ({"passengers": ["country_denmark_1"]}, "is a country"),
        ({"passengers": ["koln", "koln"]}, "a passenger stands in koln already (M4)"),
        ({"passengers": ["koln"], "passengers_gone": 3}, "a player has 3 passengers only (M1)"),
        ({"passengers_gone": -1}, "passengers_gone: expected a whole number from 0 to 3, got -1"),
        ({"tokens_taken": {"koln": [4, 4]}}, "tokens_taken.koln: koln has no token 4 left (M6)"),
        ({"tokens_taken": [7, 7]}, "tokens_taken: no token 7 is left (M6)"),
        (
            {"tokens_taken": {"atlantis": [4]}},
            "players[0].tokens_taken.atlantis: no city 'atlantis' on the board Märklin",
        ),
    ],
)
def test_tables_with_mistakes(player: dict[str, Any], told: str) -> None:
    route = rules_of(STACK).board.routes_between("dusseldorf", "koln")[0].id
    with pytest.raises(InvalidTableError) as caught:
        arranged(STACK, {"routes": [route], **player}, {})
    assert told in str(caught.value)


@pytest.mark.rule("M6")
def test_an_arranged_position_has_passengers_and_tokens() -> None:
    route = rules_of(STACK).board.routes_between("dusseldorf", "koln")[0].id
    player = {"routes": [route], "passengers": ["Köln"], "passengers_gone": 1, "tokens_taken": {"Berlin": [7, 5]}}
    game = arranged(STACK, player, {"tokens_taken": [6, 4]})
    part = game.state.part(Passengers)
    assert (part.standing, part.left) == ({"koln": 0}, [1, 3])
    assert (part.city_tokens["berlin"], part.city_tokens["dusseldorf"]) == ((), (4, 3, 2))  # the first 4 was Berlin's
    assert part.taken == [(7, 5), (6, 4)]
    assert ttr.loads(ttr.dumps(game), chance=chance_of(game)) == game
    view = game.view(None)
    assert view.part(Passengers).standing == {"koln": 0}
    assert view.part(Passengers).taken == [(7, 5), (6, 4)]
    assert view.part(Passengers).left == [1, 3]


class GoldCards(MarklinCards):
    """One more color, gold."""

    def __init__(self) -> None:
        TrainCards.__init__(self, {**DECK, "gold": 12}, 4, 5, 3)
        self.colors = (*map(str, CARD_COLORS), "gold")


class DullCards(MarklinCards):
    """White cards pay for nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.colors = tuple(color for color in self.colors if color != "white")


class ShyCards(MarklinCards):
    """White cards pay for nothing while a seat holds red ones."""

    def payments(self, state: ttr.State, seat: int, cost: Cost) -> list[ttr.Counts]:
        hand = ttr.cards(state).counts(seat)
        return [way for way in super().payments(state, seat, cost) if not (hand["red"] and way["white"])]


@pytest.mark.parametrize(
    ("kind", "hand"),
    [
        (GoldCards, {"gold": 12, "locomotive": 1, "locomotive_4": 1}),
        (DullCards, {"white": 4, "red": 2, "locomotive": 1}),
        (ShyCards, {"white": 4, "red": 2, "locomotive": 1}),
    ],
)
def test_cards_that_derive_from_these_are_asked_what_they_take(kind: type[MarklinCards], hand: dict[str, int]) -> None:
    rules = ttr.compile_rules(STACK, plugin("own", economy=giving(kind())))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": hand}, {}]})
    listed: dict[str, set[ttr.Counts]] = {}
    for action in legal(game, ClaimRoute):
        listed.setdefault(action.route, set()).add(action.payment)
    payments = {
        id: set(rules.economy.payments(game.state, 0, Cost.of_route(route))) for id, route in rules.board.routes.items()
    }
    assert listed == {id: ways for id, ways in payments.items() if ways}
    assert any("gold" in way for ways in listed.values() for way in ways) == (kind is GoldCards)
    # What is asked at each position has no numbers that hold in all.
    numbered = [each.answers[ttr.Turn].by_action[ClaimRoute].number_of_codes(each) for each in (rules, rules_of(STACK))]
    assert (numbered[0] is None) == (kind is ShyCards) and numbered[1] is not None


@pytest.mark.rule("M3")
def test_the_cheapest_payment_has_the_fewest_locomotives_of_either_kind() -> None:
    ways = [
        {"red": 4, "locomotive": 1},
        {"red": 3, "locomotive_4": 2},
        {"red": 3, "locomotive": 1, "locomotive_4": 1},
        {"red": 2, "locomotive": 2, "locomotive_4": 1},
        {"red": 5},
    ]
    ranks = [MarklinCards().payment_rank(ttr.Counts(way)) for way in ways]
    assert ranks == [(1, 5), (2, 5), (2, 5), (3, 5), (0, 5)]
