"""Claims that cost nothing, or that something else has paid for (`claim_route`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from helpers import arranged
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules.actions import claim_route
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteCarsChanged, RouteClaimed, RoutePointsScored, TurnEnded
from ttr_rules.plugins import ActionRule, Confirm, Question, Rules, Transaction, Variant, hookimpl
from ttr_rules.train_cards import NextCard
from ttr_tools.narration import narrate
from ttr_tools.testing import check_variant

ROUTE = "paris-zurich-gray"  # three spaces, four points
TWINS = "edinburgh-london-black", "edinburgh-london-orange"


class Grant(ttr.Action):
    message = "Grant a route"
    to: int
    route: str


class GrantRule(ActionRule[ttr.Turn, Grant]):
    """The only route of these tests, to anybody, as the action of a turn."""

    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[Grant]:
        free = ROUTE not in state.owners
        return [Grant(decision.seat, to, ROUTE) for to in range(state.players) if free and state.cars[to] > 2]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Grant) -> Question | None:
        return claim_route(tx, action.to, action.route)


class FreeGrantRule(GrantRule):
    free = True


class Grants(Variant, name="grants"):
    """Grants: a route for nothing."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (GrantRule(),)


class FreeGrants(Variant, name="free-grants"):
    """Free grants: a route for nothing, before the action of a turn."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (FreeGrantRule(),)


class Praise(Confirm):
    """Asked by a plugin that reacts to claims."""

    message = "Do you praise the claim?"

    def chosen(self, tx: Transaction, option: bool) -> None:
        """Nothing follows."""


def praising(name: str) -> type[Variant]:
    """A plugin that asks the seat to the left of a claim."""

    def on_claim(tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        assert points == tx.rules.route_points[route.id]
        return Praise((seat + 1) % tx.state.players)

    return plugin(name, (), __name__, on_claim=on_claim)


def praise(game: ttr.Game) -> None:
    """Let seat 1, which alone is asked, praise a claim."""
    decision = game.decision(1)
    assert game.to_act == (1,) and isinstance(decision, Praise)
    game.play(decision.choose(True))


def test_the_claim_is_like_any_other_and_ends_the_turn_as_its_action_does() -> None:
    game = arranged(ttr.compile_rules("europe", Grants), {}, {})
    assert game.play(Grant(0, 1, ROUTE))[:2] == (RouteClaimed(1, ROUTE, 4), TurnEnded(0, passed=False))
    assert (game.state.owners, game.state.scores, game.state.cars) == ({ROUTE: 1}, [0, 4], [45, 42])
    assert game.to_act == (1,)
    assert any("Paris" in line for line in narrate(game, None, seat=None))


def test_after_a_free_action_the_turn_goes_on() -> None:
    game = arranged(ttr.compile_rules("europe", FreeGrants), {}, {})
    assert game.play(Grant(0, 0, ROUTE)) == (RouteClaimed(0, ROUTE, 4),)
    assert game.to_act == (0,) and isinstance(game.decision(0), ttr.Turn)


@pytest.mark.parametrize(("grants", "then"), [(Grants, 1), (FreeGrants, 0)])
def test_plugins_that_react_to_claims_ask_one_after_the_other(grants: type[Variant], then: int) -> None:
    both = ttr.compile_rules("europe", grants, praising("praise"), praising("praise-too"))
    game = arranged(both, {}, {})
    game.play(Grant(0, 0, ROUTE))
    praise(game)
    praise(game)
    assert game.to_act == (then,) and isinstance(game.decision(then), ttr.Turn)


def test_a_hook_may_claim_between_turns() -> None:
    def on_turn_start(tx: Transaction, seat: int) -> Question | None:
        return claim_route(tx, seat, ROUTE) if ROUTE not in tx.state.owners else None

    starting = plugin("starting", on_turn_start=on_turn_start)
    game = ttr.new_game("europe", starting, praising("praise"), players=2, seed=1, first_seat=0)
    while isinstance(game.decision(game.to_act[0]), ttr.model.TicketSetup):
        game.play(game.legal_actions(game.to_act[0])[0])
    assert game.state.owners == {ROUTE: 0}
    praise(game)
    assert isinstance(game.decision(0), ttr.Turn)


def test_points_for_others_and_other_numbers_of_cars() -> None:
    changing = plugin(
        "changing",
        claim_points=lambda state, seat, route, points: {**points, 1 - seat: 2},
        claim_cars=lambda state, seat, route, cars: cars - 1,
    )
    game = arranged(ttr.compile_rules("europe", Grants, changing), {}, {})
    events = game.play(Grant(0, 0, ROUTE))
    assert events[:3] == (RouteCarsChanged(0, ROUTE, 2), RouteClaimed(0, ROUTE, 4), RoutePointsScored(1, 2, ROUTE))
    assert game.state.cars == [43, 45]


@pytest.mark.parametrize(
    ("seat", "route", "words"),
    [
        (2, ROUTE, "the seats are 0 to 1"),
        (-1, ROUTE, "the seats are 0 to 1"),
        (0, "paris-rome", "there is no such route on the board Europe"),
        (0, "brest-dieppe-orange", r"\[C3\] brest-dieppe-orange is claimed already, by seat 1"),
        (0, TWINS[1], r"\[C6\] with 2 players"),
        (1, ROUTE, r"\[C3\] paris-zurich-gray takes 3 train cars; seat 1 has 2"),
    ],
)
def test_a_claim_that_the_board_does_not_allow_is_refused(seat: int, route: str, words: str) -> None:
    game = arranged("europe", {}, {"routes": [["Brest", "Dieppe"], TWINS[0]], "cars": 2})
    before = game.state.copy()
    tx = Transaction(game.state, [])
    with pytest.raises(PluginError, match=f"claims .* for seat .*: {words}"):
        claim_route(tx, seat, route)
    assert tx.log == [] and game.state == before


class NextGrantRule(ActionRule[NextCard, Grant]):
    """A grant in place of the second card."""

    def offers(self, state: ttr.State, decision: NextCard) -> Sequence[Grant]:
        return [Grant(decision.seat, to, ROUTE) for to in range(state.players) if ROUTE not in state.owners]

    def perform(self, tx: Transaction, decision: NextCard, action: Grant) -> Question | None:
        return claim_route(tx, action.to, action.route)


@pytest.mark.parametrize("asked", [(), ("praise",), ("praise", "praise-too")])
def test_the_turn_that_ends_is_that_of_the_seat_that_has_it(asked: tuple[str, ...]) -> None:
    instead = plugin("instead", actions=lambda rules: (NextGrantRule(),))
    game = arranged(
        ttr.compile_rules("europe", instead, *map(praising, asked)), {}, {}, {}, draw_pile=["red", "blue", "white"]
    )
    game.play(ttr.DrawBlind(0))
    game.play(Grant(0, 2, ROUTE))
    for _ in asked:
        decision = game.decision(0)
        assert game.to_act == (0,) and isinstance(decision, Praise)
        game.play(decision.choose(True))
    assert game.state.owners == {ROUTE: 2} and game.to_act == (1,) and game.state.turn_number == 2


def test_a_claim_that_follows_a_claim_is_told_to_all() -> None:
    """A plugin that claims another route after each claim, between one that asks and one that is told."""
    told: list[tuple[str, str]] = []

    def another(tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question | None:
        told.append(("b-another", route.id))
        return claim_route(tx, seat, "brest-dieppe-orange") if route.id == ROUTE else None

    def tell(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        told.append(("c-tell", route.id))

    more, teller = (plugin(name, on_claim=hook) for name, hook in (("b-another", another), ("c-tell", tell)))
    game = arranged(ttr.compile_rules("europe", FreeGrants, praising("a-praise"), more, teller), {}, {})
    game.play(Grant(0, 0, ROUTE))
    praise(game)  # of the first
    praise(game)  # of the second
    assert game.to_act == (0,) and isinstance(game.decision(0), ttr.Turn) and game.state.todo == ()
    other = "brest-dieppe-orange"
    assert told == [("b-another", ROUTE), ("b-another", other), ("c-tell", other), ("c-tell", ROUTE)]


def test_a_game_is_saved_between_the_questions() -> None:
    rules = ttr.compile_rules("europe", Grants, praising("praise"), praising("praise-too"))
    game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}]})
    game.play(Grant(0, 0, ROUTE))
    loaded = ttr.loads(ttr.dumps(game), rules=rules)
    assert loaded == game and [item.hook for item in loaded.state.todo] == ["end of turn", "on_claim"]


def test_other_plugins_react_if_nobody_can_answer_the_first() -> None:
    told: list[str] = []

    def more_cards(tx: Transaction, seat: int, route: ttr.Route, points: int) -> Question:
        return NextCard(seat, 1)

    def tell(tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        told.append(route.id)

    more, teller = plugin("a-more", (), __name__, on_claim=more_cards), plugin("b-teller", on_claim=tell)
    ada = {"red": 12, "blue": 12, "green": 12, "yellow": 12, "white": 12}
    bo = {"black": 12, "orange": 12, "purple": 12, "locomotive": 14}
    for grants, then in ((Grants, 1), (FreeGrants, 0)):
        rules = ttr.compile_rules("europe", grants, more, teller)
        game = arranged(rules, {"hand": ada}, {"hand": bo}, face_up=[], draw_pile=[], discards=[])
        game.play(Grant(0, 0, ROUTE))
        assert told == [ROUTE] and game.to_act == (then,) and isinstance(game.decision(then), ttr.Turn)
        assert game.state.todo == ()
        told.clear()


@pytest.mark.thorough
def test_the_kit_finds_nothing() -> None:
    check_variant("europe", FreeGrants, players=3, games=1, skip=["processes"])
