"""What plugins say about points of claims and tickets, about what is drawn, and about the last round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from attrs import evolve
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import State, Ticket
from ttr_rules.errors import HookTypeError, InvalidInputError, InvalidTableError, PluginError
from ttr_rules.events import LastRoundBegun, RouteClaimed, RoutePointsScored
from ttr_rules.plugins import Around, Below, Components, DrawCounts, KeepAtLeast, KeepBetween, Rules, Variant, hookimpl
from ttr_rules.train_cards import NextCard
from ttr_tools.narration import Names, Narrator
from ttr_tools.narration.menus import offer_words

CLAIM = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})


class ThreeCards(Variant, name="three-cards"):
    """Three cards: three train cards are drawn."""

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        return evolve(below(), cards=3)


class Shared(Variant, name="shared"):
    """Shared: a point of every claim goes to the next seat."""

    @hookimpl
    def claim_points(self, state: State, seat: int, route: ttr.Route, points: Mapping[int, int]) -> Mapping[int, int]:
        after = (seat + 1) % state.players
        return {**points, seat: points[seat] - 1, after: points.get(after, 0) + 1}


class Doubled(Variant, name="doubled", requires=("shared",)):
    """Doubled: what claims score is doubled."""

    @hookimpl
    def claim_points(self, state: State, seat: int, route: ttr.Route, points: Mapping[int, int]) -> Mapping[int, int]:
        return {other: 2 * more for other, more in points.items()}


class Gentle(Variant, name="gentle"):
    """Gentle: a ticket of seat 0 that is not completed costs nothing; all others count a point more."""

    @hookimpl
    def ticket_points(self, state: State, seat: int, ticket: Ticket, points: int) -> int:
        return 0 if points < 0 and seat == 0 else points + 1


def arranged(*stack: object, hand: Mapping[str, int] | None = None, **position: object) -> ttr.Game:
    players = [{"name": "Ada", "hand": {"white": 3} if hand is None else dict(hand)}, {"name": "Bo"}]
    return ttr.arrange(ttr.compile_rules("europe", *stack), {"seed": 1, "players": players, **position})


@pytest.mark.parametrize("name", ["least", "least_with_kept", "most"])
@pytest.mark.parametrize("number", [True, -1, 1.0, "1"])
def test_the_tickets_to_keep_are_a_number(name: str, number: Any) -> None:
    with pytest.raises(InvalidInputError, match=f"{name} is a whole number of at least 0, not {number!r}"):
        KeepBetween(**{name: number})
    for least in (number, None):
        with pytest.raises(InvalidInputError, match="least is a whole number"):
            KeepAtLeast(least)  # type: ignore[arg-type]


# -- claims ----------------------------------------------------------------------------------------------------


def test_points_of_a_claim_go_to_whom_plugins_say() -> None:
    game = arranged(Shared)
    events = game.play(CLAIM)
    assert RouteClaimed(0, CLAIM.route, 3) in events
    assert RoutePointsScored(1, 1, CLAIM.route) in events
    assert game.view(None).route_points == (3, 1)


@pytest.mark.parametrize(
    ("points", "english", "german"),
    [
        (2, "Bo scores 2 for Frankfurt–Paris (white).", "Bo erhält 2 Punkte (Frankfurt–Paris (weiß))."),
        (-1, "Bo loses 1 for Frankfurt–Paris (white).", "Bo verliert 1 Punkt (Frankfurt–Paris (weiß))."),
    ],
)
def test_points_for_the_routes_of_others_are_told_won_or_lost(points: int, english: str, german: str) -> None:
    game = arranged(plugin("others", claim_points=lambda state, seat, route, own: {**own, 1: points}))
    game.play(CLAIM)
    for language, text in (("en", english), ("de", german)):
        narrator = Narrator(game.rules, game.players, language=game.rules.language(language))
        assert text in [line.text for line in narrator.tell(game.events)]


def test_the_menu_shows_the_points_that_a_claim_will_score_its_seat() -> None:
    for stack, points in (((), "4 points"), ((Shared,), "3 points"), ((Doubled, Shared), "6 points")):
        game = arranged(*stack)
        words: Any = offer_words(game, 0, Names(game.rules, game.players))
        labels = [label for kind in words["kinds"] for label in kind["labels"]]
        assert f"Frankfurt–Paris, 3 white, {points}" in labels


def test_each_plugin_gets_the_points_that_those_below_gave() -> None:
    game = arranged(Doubled, Shared)
    game.play(CLAIM)
    assert game.view(None).route_points == (6, 2)


def test_a_claim_may_score_nothing() -> None:
    game = arranged(plugin("nothing", claim_points=lambda state, seat, route, points: {}))
    assert RouteClaimed(0, CLAIM.route, 0) in game.play(CLAIM)


@pytest.mark.parametrize("points", [None, {7: 1}, {0: "1"}, {0: True}])
def test_points_for_nobody_are_refused(points: object) -> None:
    game = arranged(plugin("wrong", claim_points=lambda state, seat, route, given: points))
    with pytest.raises(
        PluginError, match=r"claim_points of plugin .wrong. must give whole numbers of points by seat, \{seat: points\}"
    ):
        game.play(CLAIM)


def test_a_game_with_such_points_is_saved_and_replayed() -> None:
    rules = ttr.compile_rules("europe", Doubled, Shared)
    game = ttr.new_game(rules=rules, players=3, seed=4)
    while not game.is_over:
        game.play(game.legal_actions(game.to_act[0])[-1])
    assert sum(game.state.scores) == 2 * sum(rules.route_points[route] for route in game.state.owners)
    assert ttr.loads(ttr.dumps(game), rules=rules).state == game.state


def test_a_table_states_the_points_for_routes() -> None:
    rules = ttr.compile_rules("europe", Shared)
    players = [{"name": "Ada", "routes": [["Paris", "Zürich"]], "route_points": 9}, {"name": "Bo", "route_points": 0}]
    assert [player.route_points for player in ttr.score(rules, {"players": players}).players] == [9, 0]
    for wrong, message in ((None, "missing"), ("9", "expected a whole number"), (1000, "expected a whole number")):
        table = {"players": [players[0] if wrong is None else {**players[0], "route_points": wrong}, {"name": "Bo"}]}
        with pytest.raises(InvalidTableError, match=rf"players\[\d\]\.route_points: {message}"):
            ttr.score(rules, table)
    with pytest.raises(InvalidTableError, match="unknown key 'route_points'"):
        ttr.score(ttr.compile_rules("europe"), {"players": players})


def test_a_position_may_state_them() -> None:
    rules = ttr.compile_rules("europe", Shared)
    players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo", "route_points": 5}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    assert game.view(None).route_points == (4, 5)
    assert ttr.loads(ttr.dumps(game), rules=rules).state == game.state


# -- tickets ---------------------------------------------------------------------------------------------------


def sheet(rules: Rules, *players: Mapping[str, object]) -> list[ttr.PlayerScore]:
    return list(ttr.score(rules, {"players": [*players]}).players)


def test_tickets_are_worth_what_plugins_say() -> None:
    rules = ttr.compile_rules("europe", Gentle)
    tickets = [["Paris", "Wien"], ["Paris", "Zagrab"]]
    first, second = sheet(rules, {"tickets": tickets[:1]}, {"tickets": tickets[1:]})
    assert (first.ticket_points, second.ticket_points) == (0, -6)
    assert [ticket.signed for ticket in (*first.tickets, *second.tickets)] == [0, -6]
    done, _ = sheet(
        rules, {"routes": [["Paris", "Zürich"], ["Zürich", "Venezia"]], "tickets": [["Zürich", "Venezia", 3]]}, {}
    )
    assert (done.ticket_points, done.completed_tickets, done.tickets[0].completed) == (4, 1, True)


def test_of_several_places_the_best_by_then_counts() -> None:
    def upside_down(state: State, seat: int, ticket: Ticket, points: int) -> int:
        return 20 - points if points > 0 else points

    rules = ttr.compile_rules("switzerland", plugin("upside-down", ticket_points=upside_down))
    ticket = next(each for each in rules.deck.tickets if each.cities[0] == "bern" and each.alternatives)
    player, _ = sheet(rules, {"tickets": [ticket.id]}, {})
    assert player.ticket_points == -5
    own = ["bern-neuchatel-red", "la_chaux_de_fonds-neuchatel-orange", "la_chaux_de_fonds-country_france_3-green"]
    player, _ = sheet(rules, {"routes": own, "tickets": [ticket.id]}, {})
    assert (player.ticket_points, player.tickets[0].cities) == (15, ("bern", "country_france"))


def test_loans_are_chosen_by_what_tickets_are_worth() -> None:
    """The station lends a route either to a ticket of 8 or to one of 7: worth most is what plugins say."""

    def cheap(state: State, seat: int, ticket: Ticket, points: int) -> int:
        return 0 if "wien" in ticket.cities else points

    ada = {
        "routes": [["Wien", "Zagrab"]],
        "stations": ["Zagrab"],
        "tickets": [["Wien", "Venezia", 9], ["Zagrab", "Budapest", 5]],
    }
    bo = {"routes": [["Venezia", "Zagrab"], ["Budapest", "Zagrab"]]}
    plain, _ = sheet(ttr.compile_rules("europe"), ada, bo)
    changed, _ = sheet(ttr.compile_rules("europe", plugin("cheap", ticket_points=cheap)), ada, bo)
    assert dict(plain.lends) == {"zagrab": "venezia-zagrab-gray"}
    assert dict(changed.lends) == {"zagrab": "budapest-zagrab-orange"}
    assert (plain.ticket_points, changed.ticket_points) == (4, 5)


def test_points_of_a_ticket_are_whole_numbers() -> None:
    rules = ttr.compile_rules("europe", plugin("half", ticket_points=lambda state, seat, ticket, points: points / 2))
    with pytest.raises(HookTypeError, match="a whole number of points"):
        sheet(rules, {"tickets": [["Paris", "Wien"]]}, {})


# -- what is drawn ---------------------------------------------------------------------------------------------


@pytest.mark.rule("D1", "D3")
def test_three_cards_are_drawn() -> None:
    row = ["locomotive", "red", "blue", "white", "green"]
    game = arranged(ThreeCards, hand={}, face_up=row, draw_pile=["black", "yellow"])
    game.play(ttr.DrawBlind(0))
    assert game.decision(0) == NextCard(0, left=2, of_draw=True)
    game.play(ttr.DrawFaceUp(0, "red"))
    assert game.decision(0) == NextCard(0, left=1, of_draw=True)
    game.play(ttr.DrawFaceUp(0, "blue"))
    assert game.to_act == (1,)
    assert sum(ttr.cards(game.state).hands[0].values()) == 3


@pytest.mark.rule("D2", "D3")
def test_a_face_up_locomotive_counts_as_two_of_three_cards() -> None:
    row, pile = ["locomotive", "locomotive", "blue", "white", "green"], ["red"] * 5
    game = arranged(ThreeCards, hand={}, face_up=row, draw_pile=pile)
    late = game.copy()
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.decision(0) == NextCard(0, 1, of_draw=True)
    assert ttr.DrawFaceUp(0, "locomotive") not in game.legal_actions(0)
    game.play(ttr.DrawFaceUp(0, "red"))
    assert game.to_act == (1,)
    late.play(ttr.DrawBlind(0))
    assert ttr.DrawFaceUp(0, "locomotive") in late.legal_actions(0)
    both = late.copy()
    both.play(ttr.DrawFaceUp(0, "locomotive"))
    assert both.to_act == (1,)
    late.play(ttr.DrawBlind(0))
    assert str(late.refusal(ttr.DrawFaceUp(0, "locomotive"))) == (
        "[D3] a face-up locomotive counts as 2 cards, more than are left to draw"
    )


@pytest.mark.rule("D2", "D3")
def test_a_face_up_locomotive_may_count_as_all_cards() -> None:
    whole = plugin("whole", draw_counts=lambda below, board: evolve(below(), cards=3, wild_cards=3))
    game = arranged(whole, hand={}, face_up=["locomotive", "locomotive", "blue", "white", "green"])
    late = game.copy()
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.to_act == (1,)
    late.play(ttr.DrawBlind(0))
    assert str(late.refusal(ttr.DrawFaceUp(0, "locomotive"))) == "[D3] a face-up locomotive can only be the first card"


@pytest.mark.rule("D3")
def test_a_draw_ends_where_only_locomotives_that_count_too_much_are_left() -> None:
    rules = ttr.compile_rules("europe", ThreeCards, rulings={"face_up_when_exhausted": True})
    row = {"face_up": ["locomotive"] * 5, "draw_pile": [], "draw_pile_complete": True}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}], **row})
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.to_act == (1,)


def test_one_card_may_be_drawn() -> None:
    game = arranged(plugin("one", draw_counts=lambda below, board: evolve(below(), cards=1)))
    game.play(ttr.DrawBlind(0))
    assert game.to_act == (1,)


def test_a_locomotive_may_be_a_card_like_any_other() -> None:
    plain = plugin("plain", draw_counts=lambda below, board: evolve(below(), wild_cards=1))
    game = arranged(plain, face_up=["locomotive", "locomotive", "blue", "white", "green"], draw_pile=["red", "black"])
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.decision(0) == NextCard(0, of_draw=True)
    game.play(ttr.DrawFaceUp(0, "locomotive"))
    assert game.to_act == (1,)


@pytest.mark.parametrize("cards", [0, "2", True])
def test_at_least_a_card_is_drawn(cards: int) -> None:
    with pytest.raises(InvalidInputError, match="cards is a whole number from 1 to 1000, not"):
        DrawCounts(cards=cards)


def test_an_economy_says_whether_there_is_a_card() -> None:
    game = arranged(hand={})
    assert game.rules.economy.can_draw(game.state, 0)
    empty = arranged(hand={}, draw_pile=[], draw_pile_complete=True, face_up=["red"] * 5)
    assert not empty.rules.economy.can_draw(empty.state, 0), "the row is closed then (R2)"
    rules = ttr.compile_rules("europe", rulings={"face_up_when_exhausted": True})
    position = {"seed": 1, "players": [{}, {}], "draw_pile": [], "draw_pile_complete": True, "face_up": ["red"] * 5}
    assert rules.economy.can_draw(ttr.arrange(rules, position).state, 0)
    wild = {**position, "face_up": ["locomotive"] * 5}
    assert not rules.economy.can_draw(ttr.arrange(rules, wild).state, 0), "none of them may be a later card (D3)"
    full = plugin(
        "full",
        around=lambda rules: [Around(ttr.DrawBlind, ttr.DrawFaceUp, refuse=lambda *_: ttr.Refusal("full", "no"))],
    )
    assert not arranged(full, hand={}).state.rules.economy.can_draw(arranged(full, hand={}).state, 0)
    dice = ttr.new_game("europe", "dice", players=2, seed=1)
    assert not dice.rules.economy.can_draw(dice.state, 0)


# -- the last round --------------------------------------------------------------------------------------------


@pytest.mark.rule("E1")
def test_the_last_round_may_have_two_turns_for_everybody() -> None:
    def components(below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), last_turns=2)

    rules = ttr.compile_rules("europe", plugin("longer", components=components))
    players = [{"name": "Ada", "cars": 4, "hand": {"white": 3}}, {"name": "Bo"}]
    game = ttr.arrange(rules, {"seed": 1, "players": players})
    assert LastRoundBegun(4) in game.play(CLAIM)
    turns = 0
    while not game.is_over:
        assert game.view(None).is_last_turn == (game.view(None).turns_left <= 2)
        turns += isinstance(game.decision(game.to_act[0]), ttr.Turn)
        game.play(game.legal_actions(game.to_act[0])[0])
    assert turns == 4
    late = ttr.arrange(rules, {"seed": 1, "turns_left": 4, "players": players})
    assert ttr.loads(ttr.dumps(late), rules=rules).state.turns_left == 4
