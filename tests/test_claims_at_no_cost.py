"""Claims that cost nothing, or that something else has paid for (`claim_route`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from attrs import evolve
from helpers import arranged
from plugins.made import giving, plugin

import ttr_rules as ttr
from ttr_rules.actions import ClaimRule, can_act, claim_route, claimable_routes, perform_claim
from ttr_rules.errors import PluginError
from ttr_rules.events import RouteCarsChanged, RouteClaimed, RoutePointsScored, TurnEnded
from ttr_rules.model import CardDraw, Cost, TicketChoice, TunnelDue
from ttr_rules.plugins import ActionRule, Confirm, Part, Question, Rules, Transaction, Variant, hookimpl, public
from ttr_rules.train_cards import CardPiles, NextCard, cards
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


# -- a claim for an action of a plugin, with its payment ------------------------------------------------------------


class Collect(ttr.Action):
    message = "Take up the cards laid aside, and claim with them"
    payment: ttr.Counts


class CardsTakenUp(ttr.Event):
    seat: int

    def apply(self, state: ttr.State) -> None:
        aside = state.part(Aside)
        state.part(CardPiles).give(self.seat, aside.cards)
        aside.cards = ttr.Counts()


class Aside(Part):
    """Cards that lie aside, and the route that nobody may claim without them."""

    cards: ttr.Counts = public(pool="cards", key="aside")


class CollectRule(ActionRule[ttr.Turn, Collect]):
    """Whoever has the turn claims the route with the cards aside and others of the hand."""

    route = ROUTE

    def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[Collect]:
        seat = decision.seat
        if self.route not in claimable_routes(state, seat, ignoring="aside"):
            return []
        aside, hand = state.part(Aside).cards, cards(state).hands[seat]
        payments = [ttr.Counts({color: 3}) for color in ("red", "blue") if aside[color] + hand[color] >= 3]
        return [Collect(seat, payment) for payment in payments if aside.within(payment)]

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Collect) -> None:
        tx.emit(CardsTakenUp, action.seat)
        perform_claim(tx, decision, ttr.ClaimRoute(action.seat, self.route, action.payment))


def closed_while_cards_lie_aside(state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
    return ttr.Refusal("aside-1", "cards lie aside for it") if route.id == ROUTE else None


AsideVariant = plugin(
    "aside", (), __name__,
    parts=giving((Aside,)), actions=giving((CollectRule(),)), claim_refusal=closed_while_cards_lie_aside,
)  # fmt: skip


def collected(pile: Sequence[str], hand: dict[str, int]) -> ttr.Game:
    players = [{"name": "Ada", "hand": hand}, {"name": "Bo"}]
    position = {"seed": 1, "draw_pile": [*pile], "parts": {"aside": {"red": 2}}, "players": players}
    return ttr.arrange(ttr.compile_rules("europe", AsideVariant), position)


@pytest.mark.rule("T1", "T2")
def test_a_claim_for_an_action_of_a_plugin_turns_up_cards_for_a_tunnel() -> None:
    game = collected(["red", "white", "white"], {"red": 2})
    assert ROUTE not in claimable_routes(game.state, 0) and ROUTE in claimable_routes(game.state, 0, ignoring="aside")
    game.play(Collect(0, ttr.Counts(red=3)))
    due = game.decision(0)
    assert isinstance(due, TunnelDue) and due.laid == {"red": 3} and due.extra.spaces == 1
    game = ttr.loads(ttr.dumps(game), rules=game.rules)
    game.play(ttr.PayTunnel(0, {"red": 1}))
    assert game.state.owners == {ROUTE: 0} and game.state.turn == 1 and game.state.scores == [4, 0]
    assert not cards(game.state).hands[0]


@pytest.mark.rule("T4")
def test_cards_taken_up_for_a_tunnel_that_is_abandoned_come_back_to_the_hand() -> None:
    game = collected(["red", "white", "white"], {"red": 1})
    game.play(Collect(0, ttr.Counts(red=3)))
    game.play(ttr.AbandonTunnel(0))
    assert cards(game.state).hands[0] == {"red": 3} and game.state.turn == 1 and not game.state.owners


def test_a_claim_with_nothing_turned_up_ends_the_turn_at_once() -> None:
    game = collected(["white"] * 3, {"red": 1})
    events = game.play(Collect(0, ttr.Counts(red=3)))
    assert sum(isinstance(event, TurnEnded) for event in events) == 1 and game.state.owners == {ROUTE: 0}
    assert "Ada claims the tunnel Paris–Zürich for 4 points with three red cards" in narrate(game, 0, seat=None)[-1]


@pytest.mark.parametrize(
    ("seat", "route", "payment", "reason"),
    [
        (0, "berlin-frankfurt-red", {"blue": 3}, "this costs red cards"),
        (0, "berlin-frankfurt-red", {"red": 2}, "3 cards"),
        (0, "nowhere", {}, "there is no such route"),
        (1, "berlin-frankfurt-red", {}, r"Turn\(seat=0\) is not what it has to answer"),
    ],
)
def test_a_claim_for_an_action_that_cannot_be_made_is_refused(
    seat: int, route: str, payment: dict[str, int], reason: str
) -> None:
    game = arranged("europe", {"hand": {"red": 3, "blue": 3}}, {"hand": {"red": 3}})
    before = game.state
    with pytest.raises(PluginError, match=reason):
        perform_claim(Transaction(game.state), ttr.Turn(0), ttr.ClaimRoute(seat, route, payment))
    assert game.state == before


class CheapClaimRule(ClaimRule[ttr.Turn]):
    """Every route costs one card, and none to London may be claimed."""

    replaces = True

    def cost(self, state: ttr.State, seat: int, thing: str) -> Cost:
        return evolve(super().cost(state, seat, thing), spaces=1)

    def route_refusal(self, state: ttr.State, seat: int, thing: str) -> ttr.Refusal | None:
        return ttr.Refusal("cheap-1", "London is closed") if "london" in thing else None


@pytest.mark.parametrize(
    ("route", "payment", "reason"),
    [
        ("berlin-frankfurt-red", {"red": 1}, ""),
        ("berlin-frankfurt-red", {"red": 3}, "1 card"),
        ("dieppe-london-gray-1", {"locomotive": 1}, "London is closed"),
    ],
)
def test_a_claim_for_an_action_follows_the_rule_for_claims_of_a_plugin(
    route: str, payment: dict[str, int], reason: str
) -> None:
    rules = ttr.compile_rules("europe", plugin("cheap", actions=lambda rules: (CheapClaimRule(),)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3, "locomotive": 1}}, {}]})
    state = game.state
    claim = ttr.ClaimRoute(0, route, payment)
    if not reason:
        perform_claim(Transaction(state), ttr.Turn(0), claim)
        assert state.owners == {route: 0}
        return
    with pytest.raises(PluginError, match=reason):
        perform_claim(Transaction(state), ttr.Turn(0), claim)


def test_on_claim_of_a_plugin_asks_about_a_claim_for_an_action() -> None:
    players = [{"name": "Ada", "hand": {"red": 3}}, {"name": "Bo"}]
    position = {"seed": 1, "draw_pile": ["white"] * 3, "parts": {"aside": {"red": 2}}, "players": players}
    game = ttr.arrange(ttr.compile_rules("europe", AsideVariant, praising("praise")), position)
    game.play(Collect(0, ttr.Counts(red=3)))
    assert game.state.owners == {ROUTE: 0} and game.state.turn == 0
    praise(game)
    assert game.state.turn == 1 and isinstance(game.decision(1), ttr.Turn)


@pytest.mark.parametrize("claim", [None, ttr.DrawBlind(0), "paris-zurich-gray"])
def test_a_claim_for_an_action_takes_a_claim(claim: Any) -> None:
    with pytest.raises(PluginError, match="perform_claim takes a ClaimRoute, not"):
        perform_claim(Transaction(collected([], {}).state), ttr.Turn(0), claim)


def test_refusals_of_others_than_the_ignored_plugin_hold() -> None:
    closed = plugin("closed", claim_refusal=lambda state, seat, route: ttr.Refusal("closed-1", "closed"))
    state = ttr.new_game(rules=ttr.compile_rules("europe", AsideVariant, closed), players=2, seed=1).state
    assert claimable_routes(state, 0, ignoring="aside") == []
    assert claimable_routes(state, 0, ignoring="closed") == [
        route for route in state.rules.network.route_ids if route != ROUTE
    ]
    with pytest.raises(PluginError, match=r"no plugin 'asides' in europe \+ aside \+ closed"):
        claimable_routes(state, 0, ignoring="asides")


@pytest.mark.parametrize(
    ("seat", "kind"), [(2, ttr.ClaimRoute), (-1, ttr.ClaimRoute), (0, "ClaimRoute"), (0, ttr.Turn)]
)
def test_what_a_seat_could_do_is_asked_of_a_seat_and_a_type_of_action(seat: Any, kind: Any) -> None:
    with pytest.raises(PluginError, match="can_act"):
        can_act(collected([], {}).state, seat, kind)


def test_what_a_seat_could_do_in_its_turn() -> None:
    game = collected([], {"red": 1})
    assert can_act(game.state, 0, Collect) and not can_act(game.state, 1, Collect)
    assert can_act(game.state, 0, CardDraw) and can_act(game.state, 1, CardDraw)


def test_what_a_seat_could_answer() -> None:
    game = collected([], {"red": 1})
    asked = TicketChoice(1, ("paris-wien",))
    assert can_act(game.state, 1, ttr.KeepTickets, asked) and not can_act(game.state, 1, ttr.ClaimRoute, asked)
    assert isinstance(game.decision(0), ttr.Turn)
    for wrong in (TicketChoice(0, ("paris-wien",)), "TicketChoice"):
        with pytest.raises(PluginError, match="can_act takes a decision of seat 1 that an action rule answers"):
            can_act(game.state, 1, ttr.KeepTickets, wrong)  # type: ignore[arg-type]


def test_the_kit_finds_nothing_wrong_with_claims_for_actions_of_plugins() -> None:
    assert check_variant("europe", AsideVariant, players=2, games=1, skip=["planner", "processes"]).games == 1


def test_a_claim_for_an_action_answers_the_decision_of_its_seat() -> None:
    state = arranged("europe", {"hand": {"red": 3}}, {"hand": {"red": 3}}).state
    for decision in (None, ttr.Turn(1), NextCard(0, 1)):
        with pytest.raises(PluginError, match="is not what it has to answer"):
            perform_claim(Transaction(state), decision, ttr.ClaimRoute(0, "berlin-frankfurt-red", {"red": 3}))  # type: ignore[arg-type]


def test_no_claim_is_made_for_an_action_where_claims_have_another_rule() -> None:
    class NoClaims(ActionRule[ttr.Turn, ttr.ClaimRoute]):
        replaces = True

        def offers(self, state: ttr.State, decision: ttr.Turn) -> Sequence[ttr.ClaimRoute]:
            return []

        def perform(self, tx: Transaction, decision: ttr.Turn, action: ttr.ClaimRoute) -> None:
            raise AssertionError

    rules = ttr.compile_rules("europe", plugin("no-claims", actions=lambda rules: (NoClaims(),)))
    state = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 3}}, {}]}).state
    with pytest.raises(PluginError, match="claims are not made by a ClaimRule"):
        perform_claim(Transaction(state), ttr.Turn(0), ttr.ClaimRoute(0, "berlin-frankfurt-red", {"red": 3}))
