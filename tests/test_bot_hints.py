"""Hints for bots that fail: who gave them is named, and the kit finds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from attrs import evolve
from plugins.made import giving, plugin
from test_decks import TwoDecks

import ttr_rules as ttr
from ttr_rules import Counts, State, View
from ttr_rules.actions import route_cost
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.hints import ActionValue, BotHint, DrawHint, OpeningHint, RouteCosts, TurnsLeft
from ttr_rules.model import Cost, Route
from ttr_rules.plugins import (
    ActionRule,
    Choice,
    PaidRule,
    Part,
    Question,
    Rules,
    ScoringTerm,
    Transaction,
    Variant,
    hookimpl,
    option,
    points_in_play,
    public,
)
from ttr_rules.train_cards import DrawFrom, TakeFaceUp
from ttr_tools.bots import Bot, plan_path, plan_tickets, play_game
from ttr_tools.bots.evaluation import evaluate
from ttr_tools.bots.planner import Options
from ttr_tools.testing import VariantError, check_variant, conformance_suite
from ttr_variants.europe.stations import BuildStation
from ttr_variants.united_kingdom import BuyTechnology


def divides(view: View, rules: Rules, action: Any = None) -> Any:
    return 1 / (view.scores[0] * 0)


def nothing(view: View, rules: Rules, action: Any = None) -> Any:
    return None


def hinted(hint: BotHint) -> type[Variant]:
    """A plugin that gives a hint."""

    class Hinted(Variant, name="hinted"):
        """Hinted: bots are told something."""

        @hookimpl
        def hints(self, rules: Rules) -> Iterable[BotHint]:
            return (hint,)

    return Hinted


def valued(values: Any) -> type[Variant]:
    """A plugin that says what routes are worth."""

    class Valued(Variant, name="hinted"):
        """Hinted: routes are worth more or less."""

        @hookimpl
        def route_values(self, rules: Rules, view: View) -> Mapping[str, float]:
            points: Mapping[str, float] = values(view, rules)
            return points

    return Valued


class Gate(Variant, name="gate"):
    """Gate: long routes are closed."""

    @hookimpl
    def claim_refusal(self, state: ttr.State, seat: int, route: Route) -> ttr.Refusal | None:
        return ttr.Refusal("gate", f"{route.id} is closed") if route.length > 3 else None


def offered(worth: Any) -> type[Variant]:
    """A plugin that asks something at the end of every turn."""

    class Offer(Choice[int]):
        """What is taken."""

        def options(self, state: State) -> Sequence[int]:
            return (1, 2)

        def chosen(self, tx: Transaction, option: int) -> None:
            pass

        def worth(self, view: View, rules: Rules, option: int) -> float:
            value: float = worth(view, rules)
            return value

    class Hinted(Variant, name="hinted"):
        """Hinted: bots are told something."""

        @hookimpl
        def on_turn_end(self, tx: Transaction, seat: int) -> Question:
            return Offer(seat)

    return Hinted


BROKEN: dict[str, tuple[type[Variant], str]] = {
    "raises": (valued(divides), r"route_values in the bot hint of plugin 'hinted' failed: ZeroDivisionError"),
    "of an action": (
        hinted(ActionValue(ttr.DrawTickets, divides)),
        r"ActionValue\.value in the bot hint of plugin 'hinted' failed: ZeroDivisionError",
    ),
    "no number": (valued(nothing), r"route_values in the bot hint of plugin 'hinted' must give points by route"),
}


@pytest.mark.parametrize(("plugin", "message"), BROKEN.values(), ids=BROKEN)
def test_a_hint_that_fails_names_its_plugin(plugin: type[Variant], message: str) -> None:
    with pytest.raises(PluginError, match=message):
        play_game(ttr.new_game("new-york", plugin, players=2, seed=1))


@pytest.mark.parametrize(
    ("worth", "problem"), [(divides, "failed: ZeroDivisionError"), (nothing, "must give a number, not None")]
)
def test_the_worth_of_an_option_that_fails_names_its_choice_and_plugin(worth: Any, problem: str) -> None:
    with pytest.raises(PluginError, match=rf"Offer\.worth in the bot hint of plugin 'hinted' {problem}"):
        play_game(ttr.new_game("new-york", offered(worth), players=2, seed=1))


@pytest.mark.parametrize(
    ("lacking", "opens", "cost", "message"),
    [
        (divides, str, nothing, r"OpeningHint\.lacking in the bot hint of plugin 'hinted' failed: ZeroDivisionError"),
        (nothing, str, nothing, r"OpeningHint\.lacking .* must give names by route"),
        (
            lambda view, rules: dict.fromkeys(view.barred, ("gate",)),
            str,
            nothing,
            r"OpeningHint\.cost .* must give a cost",
        ),
    ],
)
def test_a_hint_about_what_opens_routes_that_fails_names_its_plugin(
    lacking: Any, opens: Any, cost: Any, message: str
) -> None:
    hint = OpeningHint(ttr.DrawTickets, lacking, opens, cost)
    with pytest.raises(PluginError, match=message):
        play_game(ttr.new_game("north-america", hinted(hint), Gate, players=2, seed=1))


@pytest.mark.slow
def test_the_kit_finds_a_hint_that_fails() -> None:
    skip = ["course", "values", "events", "offers", "refusals", "copies", "secrets", "scores", "saving", "replay"]
    plugin = BROKEN["raises"][0]
    with pytest.raises(VariantError, match=r"\[bots\] .*plugin 'hinted' failed: ZeroDivisionError"):
        check_variant("north-america", plugin, players=2, games=1, skip=skip)
    suite = conformance_suite("north-america", plugin, players=2, games=1)
    with pytest.raises(VariantError, match=r"\[bots\]"):
        suite().test_bots()
    with pytest.raises(VariantError, match=r"\[planner\] .*plugin 'hinted' failed: ZeroDivisionError"):
        check_variant("north-america", plugin, players=2, games=1, skip=[*skip, "bots"])
    assert check_variant("north-america", plugin, players=2, games=1, skip=[*skip, "bots", "planner"]).games == 1


def between(view: View, rules: Rules) -> Mapping[str, float]:
    """Routes that would join two cities."""
    plan = plan_path(view, rules, "miami", "raleigh")
    return {} if plan is None else dict.fromkeys(plan.routes, 20.0)


def test_an_action_value_of_claims_is_refused() -> None:
    with pytest.raises(PluginError, match=r"'hinted' gives an ActionValue of ClaimRoute.*route_values.*RouteCosts"):
        ttr.compile_rules("north-america", hinted(ActionValue(ttr.ClaimRoute, lambda view, rules, claim: 3)))


def actions_of_bots(*plugins: type[Variant]) -> list[ttr.Action | None]:
    game = ttr.new_game("europe", *plugins, players=2, seed=1)
    play_game(game)
    return [move.action for move in game.moves]


@cache
def usual_actions() -> list[ttr.Action | None]:
    return actions_of_bots()


@pytest.mark.slow
@pytest.mark.thorough_but("KeepTickets-0.0-0.0", "PayTunnel-0.0--5.0", "BuildStation-5.0--5.0", "DrawTickets-5.0--5.0")
@pytest.mark.parametrize(
    ("kind", "often", "seldom"),
    [
        (ttr.DrawFaceUp, 1.0, -1.0),
        (ttr.DrawBlind, 1.0, -1.0),
        (ttr.DrawTickets, 5.0, -5.0),
        (ttr.KeepTickets, 0.0, 0.0),
        (ttr.PayTunnel, 0.0, -5.0),
        (BuildStation, 5.0, -5.0),
    ],
)
def test_a_value_is_added_to_what_bots_know_of_an_action(kind: type[ttr.Action], often: float, seldom: float) -> None:
    def valued_at(value: float) -> list[ttr.Action | None]:
        return actions_of_bots(hinted(ActionValue(kind, lambda view, rules, action: value)))

    found = {value: valued_at(value) for value in (seldom, 0.0, often)}
    assert found[0.0] == usual_actions()
    times = [sum(isinstance(action, kind) for action in found[value]) for value in (seldom, 0.0, often)]
    assert 0 < times[1] and times == sorted(times)
    assert (times[0] < times[1]) is (seldom < 0) and (times[1] < times[2]) is (often > 0)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "of_decks"), [(ttr.DrawBlind, DrawFrom), (ttr.DrawFaceUp, TakeFaceUp)])
def test_a_value_of_draws_is_added_with_several_decks_too(kind: type[ttr.Action], of_decks: type[ttr.Action]) -> None:
    """The one that names the action of a single deck counts for what takes its place, as in `Around`."""

    def played(*hints: BotHint) -> list[ttr.Action | None]:
        decks = plugin("decks", economy=giving(TwoDecks(False)), hints=lambda rules: hints)
        game = ttr.new_game("north-america", decks, players=2, seed=1)
        play_game(game)
        return [move.action for move in game.moves]

    def valued_at(points: float, kind: type[ttr.Action]) -> list[ttr.Action | None]:
        return played(ActionValue(kind, lambda view, rules, action: points))

    usual = played()
    assert valued_at(0.0, kind) == valued_at(0.0, of_decks) == usual
    assert valued_at(1.0, kind) == valued_at(1.0, of_decks) != usual


def test_each_of_several_known_actions_has_its_own_value() -> None:
    def likes(card: str) -> BotHint:
        return ActionValue(ttr.DrawFaceUp, lambda view, rules, draw: 3.0 * (draw.card == card))

    def keeps(points: float) -> BotHint:
        return ActionValue(ttr.KeepTickets, lambda view, rules, keep: points * ("london-wien" in keep.tickets))

    cards = ["blue", "purple", "red", "white", "green"]
    dealt = {"seed": 1, "players": [{"hand": {"black": 1}, "tickets": ["Brest-Marseille"]}, {}], "face_up": cards}
    for card in cards:
        game = ttr.arrange(ttr.compile_rules("europe", hinted(likes(card))), dealt)
        assert Bot(1).choose(game.view(0), game.rules, game.legal_actions()) == ttr.DrawFaceUp(0, card)
    for points, kept in ((0.01, "palermo-moskva"), (100.0, "london-wien")):
        game = ttr.new_game("europe", hinted(keeps(points)), players=2, seed=1)
        keep = Bot(1).choose(game.view(0), game.rules, game.legal_actions(0))
        assert isinstance(keep, ttr.KeepTickets) and kept in keep.tickets


class Tower(ttr.Action):
    payment: Counts


class TowerRule(PaidRule[ttr.Turn, Tower]):
    def every(self, rules: Rules) -> Iterable[tuple[tuple[()], Cost]]:
        return [((), Cost("tower", 6, "red"))]

    def bought(self, tx: Transaction, seat: int, thing: Any) -> None:
        tx.score(seat, 15, "towers")


class Towers(Variant, name="towers"):
    """Towers: six red cards for fifteen points."""

    saved: bool = option(True, False)

    @hookimpl
    def actions(self, rules: Rules) -> tuple[TowerRule, ...]:
        return (TowerRule(),)

    @hookimpl
    def scoring(self, rules: Rules) -> tuple[ScoringTerm, ...]:
        return (points_in_play("towers", "Towers"),)

    @hookimpl
    def hints(self, rules: Rules) -> tuple[BotHint, ...]:
        def wants(view: View, rules: Rules) -> Cost | None:
            return Cost("tower", 6, "red") if self.saved and view.points["towers"][view.seat or 0] < 30 else None

        return (ActionValue(Tower, lambda view, rules, action: 10.0, wants),)


def test_bots_save_cards_for_what_a_hint_wants() -> None:
    built = {}
    for saved in (False, True):
        game = ttr.new_game("north-america", Towers(saved=saved), players=2, seed=1)
        play_game(game)
        built[saved] = sum(isinstance(move.action, Tower) for move in game.moves)
    assert built[True] > built[False] + 1
    with pytest.raises(
        PluginError, match=r"ActionValue\.wants in the bot hint of plugin 'hinted' must give a cost or None"
    ):
        hint = ActionValue(Tower, nothing, lambda view, rules: 3)  # type: ignore[arg-type,return-value]
        play_game(ttr.new_game("north-america", hinted(hint), players=2, seed=1))


def test_what_a_hint_wants_may_depend_on_a_plan() -> None:
    planned: list[int] = []

    def wants(view: View, rules: Rules) -> Cost | None:
        planned.append(len(plan_tickets(view, rules).routes))
        return Cost("tower", 6, "red") if planned[-1] else None

    rules = ttr.compile_rules("north-america", hinted(ActionValue(Tower, nothing, wants)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 5}, "tickets": ["Seattle-New York"]}, {}]})
    assert game.is_legal(Bot(1).choose(game.view(0), rules, game.legal_actions()))
    assert planned and all(planned)


def test_route_values_may_plan_a_path() -> None:
    plugin = valued(between)
    players = [{"hand": {"purple": 4, "red": 2}, "tickets": ["Seattle-New York"]}, {}]
    game = ttr.arrange(ttr.compile_rules("north-america", plugin), {"seed": 1, "players": players})
    view = game.view(0)
    assert between(view, game.rules) == {"charleston-miami-purple": 20, "charleston-raleigh-gray": 20}
    assert evaluate(view, game.rules).extra_points == between(view, game.rules)
    plan = plan_path(view, game.rules, "miami", "raleigh")
    assert plan is not None and plan.routes == set(between(view, game.rules))


@pytest.mark.slow
def test_games_in_which_route_values_plan_are_played_to_the_end() -> None:
    game = ttr.new_game("north-america", valued(between), players=2, seed=1)
    play_game(game)
    assert game.final_scores is not None


def test_of_two_hints_for_one_action_the_last_one_holds() -> None:
    """A plugin may say better than the one before what a station is for."""
    rules = ttr.compile_rules("europe", hinted(DrawHint(BuildStation, 3)))
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 2}}, {}]})
    for actions in (game.legal_actions(0), list(game.legal_actions(0))):
        options = Options(actions, rules)
        stations = [action for action in options.blind if isinstance(action, BuildStation)]
        assert len(stations) == len(rules.board.cities) and options.borrows == []


class TakeToken(ttr.Action):
    """Take the token that opens the routes of four spaces."""

    message = "Take a token"


class Tokens(Part):
    held: list[bool] = public(each=False)


class TokenTaken(ttr.Event):
    message = "{seat} takes a token"
    seat: int

    def apply(self, state: State) -> None:
        state.part(Tokens).held[self.seat] = True


class TakeTokenRule(ActionRule[ttr.Turn, TakeToken]):
    def offers(self, state: State, decision: ttr.Turn) -> list[TakeToken]:
        return [] if state.part(Tokens).held[decision.seat] else [TakeToken(decision.seat)]

    def refusal(self, state: State, decision: ttr.Turn, action: TakeToken) -> Refusal | None:
        return Refusal("T1", "one token is enough") if state.part(Tokens).held[action.seat] else None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: TakeToken) -> None:
        tx.emit(TokenTaken, action.seat)


class Tolled(Variant, name="tolled"):
    """Tolled: routes of four spaces need a token, which takes a turn."""

    @hookimpl
    def parts(self, rules: Rules) -> tuple[type[Part], ...]:
        return (Tokens,)

    @hookimpl
    def actions(self, rules: Rules) -> tuple[TakeTokenRule, ...]:
        return (TakeTokenRule(),)

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: ttr.Route) -> Refusal | None:
        closed = route.length == 4 and not state.part(Tokens).held[seat]
        return Refusal("T1", "a token is needed") if closed else None

    @hookimpl
    def claim_key(self, state: State, seat: int) -> bool:
        return state.part(Tokens).held[seat]

    @hookimpl
    def hints(self, rules: Rules) -> tuple[BotHint, ...]:
        def lacking(view: ttr.View, rules: Rules) -> dict[str, tuple[str, ...]]:
            return dict.fromkeys(view.barred, ("token",))

        return (OpeningHint(TakeToken, lacking, lambda action: "token"),)


@pytest.mark.parametrize("turns", [1, 30])
def test_bots_plan_for_the_turns_that_hints_say_are_left(turns: int) -> None:
    hints = TurnsLeft(lambda view, rules: turns), TurnsLeft(lambda view, rules: 40)
    rules = ttr.compile_rules("north-america", plugin("hinted", hints=lambda rules: hints))
    game = ttr.arrange(rules, {"seed": 1, "draw_pile": ["red"] * 9, "players": [{}, {}]})
    assert evaluate(game.view(0), rules).horizon == turns
    action = Bot(0).choose(game.view(0), rules, game.legal_actions(0))
    assert (action == ttr.DrawTickets(0)) == (turns == 30), "a bot with its tickets done draws more while there is time"


def test_the_last_round_counts_more_than_a_hint_about_turns() -> None:
    rules = ttr.compile_rules("europe", hinted(TurnsLeft(lambda view, rules: 9)))
    game = ttr.arrange(rules, {"seed": 1, "turns_left": 2, "players": [{}, {}]})
    assert evaluate(game.view(0), rules).horizon == 1


@pytest.mark.parametrize(("hand", "expected"), [({}, TakeToken), ({"white": 3}, ttr.ClaimRoute)])
def test_in_the_last_turn_a_small_value_is_better_than_nothing_and_less_than_a_claim(
    hand: dict[str, int], expected: type[ttr.Action]
) -> None:
    value = ActionValue(TakeToken, lambda view, rules, action: 1.0)
    rules = ttr.compile_rules(
        "europe",
        plugin("tokens", parts=giving([Tokens]), actions=lambda rules: [TakeTokenRule()], hints=lambda rules: [value]),
    )
    game = ttr.arrange(rules, {"seed": 1, "turns_left": 1, "players": [{"hand": hand}, {}]})
    assert isinstance(Bot(0).choose(game.view(0), rules, game.legal_actions(0)), expected)


@pytest.mark.slow
def test_bots_take_what_opens_the_routes_they_plan_and_costs_a_turn_only() -> None:
    taken = 0
    for seed in range(3):
        game = ttr.new_game("north-america", Tolled, players=2, seed=seed)
        play_game(game)
        taken += sum(isinstance(event, TokenTaken) for event in game.events)
        owners = game.view(None).owners
        assert any(game.rules.board.routes[id].length == 4 for id in owners)
    assert 3 <= taken <= 6, "each seat at most once"


def test_bots_follow_the_first_of_two_hints_about_what_opens_routes() -> None:
    hint = OpeningHint(ttr.DrawTickets, lambda view, rules: {}, str, lambda view, rules, name: Cost(name, 1))
    game = ttr.new_game("united-kingdom", hinted(hint), players=2, seed=1)
    bots = [Bot(seat) for seat in range(2)]
    bought = 0
    while game.played < 60:
        seat = game.to_act[0]
        action = bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat))
        bought += isinstance(action, BuyTechnology)
        game.play(action)
    assert bought


class Red(Variant, name="red"):
    """Red: the gray stretches of one ticket are red, and bots know it."""

    stretches = ("denver-santa_fe-gray", "el_paso-santa_fe-gray")

    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        return self.red(cost) if route.id in self.stretches else cost

    @hookimpl
    def hints(self, rules: Rules) -> tuple[BotHint, ...]:
        routes = rules.board.routes
        return (RouteCosts(lambda view, rules: {id: self.red(Cost.of_route(routes[id])) for id in self.stretches}),)

    @staticmethod
    def red(cost: Cost) -> Cost:
        return evolve(cost, color="red")


def test_bots_draw_the_color_that_routes_cost_now() -> None:
    position: dict[str, Any] = {
        "seed": 1,
        "players": [{"hand": {"red": 1, "blue": 1}, "tickets": [["Denver", "El Paso"]]}, {}],
        "face_up": ["blue", "blue", "red", "blue", "blue"],
    }
    for plugins, wanted in (((Red,), True), ((), False)):
        game = ttr.arrange(ttr.compile_rules("north-america", *plugins), position)
        drawn = [Bot(seed).choose(game.view(0), game.rules, game.legal_actions(0)) for seed in range(8)]
        assert (drawn == [ttr.DrawFaceUp(0, "red")] * 8) is wanted


def test_bots_read_costs_that_can_be_paid_and_leave_out_routes_of_other_maps() -> None:
    told = {"denver-santa_fe-gray": Cost("single", 0, wilds=-1), "paris-wien": Cost("single", 2)}
    hint = RouteCosts(lambda view, rules: told)
    game = ttr.new_game("north-america", hinted(hint), players=2, seed=1)
    assert hint.read(game.view(0), game.rules) == {"denver-santa_fe-gray": Cost("single", 1)}
    play_game(game)


class Fares(Part):
    doubled: str = public(default="gray", label="Dear color")


class Dear(Variant, name="dear"):
    """Dear: routes of a color cost a space more in even rounds, and all routes for whoever holds three."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Fares,)

    @hookimpl
    def claim_cost(self, state: State | View, seat: int, route: Route, cost: Cost) -> Cost:
        dear = route.color == state.part(Fares).doubled and state.round % 2 == 0
        return evolve(cost, spaces=cost.spaces + dear + (len(state.routes(seat)) >= 3))

    @hookimpl
    def hints(self, rules: Rules) -> tuple[BotHint, ...]:
        return (RouteCosts.of_hook(self.claim_cost),)


@pytest.mark.slow
def test_the_hint_of_the_hook_gives_what_routes_cost() -> None:
    rules = ttr.compile_rules("europe", Dear)
    game = ttr.new_game(rules=rules, players=2, seed=3)
    hint = next(each for each in rules.bot_hints if isinstance(each, RouteCosts))
    changed = 0
    while game.played < 60:
        seat = game.to_act[0]
        told = hint.read(game.view(seat), rules)
        for id, route in rules.board.routes.items():
            assert told.get(id, Cost.of_route(route)) == route_cost(game.state, seat, id)
        changed += len(told)
        legal = game.legal_actions(seat)
        game.play(next((each for each in legal if isinstance(each, ttr.ClaimRoute)), legal[0]))
    assert changed


class Twins(Choice[tuple[str, str]]):
    public = True
    message = "Which two cities?"

    def options(self, state: State) -> Sequence[tuple[str, str]]:
        return [("brest", "paris"), ("paris", "zurich"), ("roma", "venezia")]

    def chosen(self, tx: Transaction, option: tuple[str, str]) -> None:
        tx.score(self.seat, 1, "twins")

    def worth(self, view: View, rules: Rules, option: tuple[str, str]) -> float:
        city, other_city = option
        return float(city == "paris" and other_city == "zurich")


class Toll(Choice[Counts]):
    public = True
    message = "What do you pay?"

    def options(self, state: State) -> Sequence[Counts]:
        return [Counts(red=2), Counts(white=1), Counts(blue=3)]

    def chosen(self, tx: Transaction, option: Counts) -> None:
        tx.score(self.seat, 1, "toll")

    def worth(self, view: View, rules: Rules, option: Counts) -> float:
        return 4.0 - option.total


@pytest.mark.parametrize(("asked", "best"), [(Twins, ("paris", "zurich")), (Toll, Counts(white=1))])
def test_bots_choose_pairs_of_cities_and_payments_by_their_worth(asked: type[Choice[Any]], best: object) -> None:
    class Asking(Variant, name="asking"):
        """Asking: whoever claims a route is asked something."""

        @hookimpl
        def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> Any:
            return asked(seat)

    rules = ttr.compile_rules("europe", Asking)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"white": 2}}, {}]})
    game.play(ttr.ClaimRoute(0, "amsterdam-frankfurt-white", {"white": 2}))
    for seed in range(3):
        assert Bot(seed).choose(game.view(0), rules, game.legal_actions()) == asked(0).choose(best)
