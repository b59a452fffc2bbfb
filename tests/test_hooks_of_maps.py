"""What maps with prices of their own use: marks of routes, where wild things serve, long lists, a hook that goes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import pytest
from attrs import evolve
from helpers import AS_IS, COLORS, arranged, happened, legal, refused, rules_of
from plugins.made import plugin as made_plugin

import ttr_rules as ttr
from ttr_rules.engine import LegalActions
from ttr_rules.errors import InvalidTableError, MapError, PluginConflictError
from ttr_rules.events import RowSwept
from ttr_rules.model import Cost, TicketSetup
from ttr_rules.parts import KeyHelp, Position, Report
from ttr_rules.plugins import (
    Below,
    Deal,
    Economy,
    KeepAtLeast,
    Part,
    Rules,
    Score,
    ScoringTerm,
    Setup,
    Stage,
    Transaction,
    Variant,
    hookimpl,
    public,
    tryfirst,
)
from ttr_rules.train_cards import TrainCards

TOY: dict[str, Any] = {
    "id": "toy",
    "name": "Toy",
    "points": {2: 2, 3: 4},
    "cities": [{"id": id, "name": id.title()} for id in ("ada", "bree", "cole")],
    "routes": [
        {"cities": ["ada", "bree"], "length": 2, "color": "red", "marks": ["scenic", "steep"]},
        {"cities": ["bree", "cole"], "length": 3, "color": "blue"},
    ],
    "tickets": [{"cities": ["ada", "cole"], "points": 2, "id": f"ada-cole-{n}"} for n in range(20)],
}


class OneWild(TrainCards):
    """A locomotive may stand in once, on scenic routes only."""

    def wild_spaces(self, cost: Cost) -> int:
        return 1 if "scenic" in cost.marks else 0


def plugin(name: str, *, first: bool = False, requires: tuple[str, ...] = (), gives: type[Economy]) -> type[Variant]:
    made = made_plugin(name, requires, economy=lambda below, board: gives())
    if first:
        tryfirst(made.economy)
    return made


# -- marks --------------------------------------------------------------------------------------------------------


def test_marks_come_from_the_map_to_the_route_and_its_cost() -> None:
    board = ttr.load_board(TOY)
    marked, plain = board.routes.values()
    assert marked.marks == Cost.of_route(marked).marks == ("scenic", "steep")
    assert plain.marks == Cost.of_route(plain).marks == ()
    assert Cost.of_route(marked) != Cost.of_route(ttr.Route("x", ("ada", "bree"), 2, marked.color))


@pytest.mark.parametrize("marks", ["scenic", ["Scenic"], [""], [3], 5])
def test_marks_are_ids(marks: object) -> None:
    routes = [{**TOY["routes"][0], "marks": marks}, TOY["routes"][1]]
    with pytest.raises(MapError, match=r"routes\[0\].marks"):
        ttr.load_board({**TOY, "routes": routes})


# -- where wild things serve --------------------------------------------------------------------------------------


@pytest.mark.rule("C2")
def test_an_economy_says_how_many_spaces_wild_things_may_fill() -> None:
    rules = ttr.compile_rules(plugin("one_wild", gives=OneWild), board=ttr.load_board(TOY))
    game = arranged(rules, {"hand": {"red": 2, "blue": 3, "locomotive": 5}}, {})
    assert {(claim.route, claim.payment) for claim in legal(game, ttr.ClaimRoute)} == {
        ("ada-bree-red", ttr.Counts(red=2)),
        ("ada-bree-red", ttr.Counts(red=1, locomotive=1)),
        ("bree-cole-blue", ttr.Counts(blue=3)),
    }
    assert refused(game, ttr.ClaimRoute(0, "ada-bree-red", {"locomotive": 2})) == "C2"
    assert refused(game, ttr.ClaimRoute(0, "bree-cole-blue", {"blue": 2, "locomotive": 1})) == "C2"


@pytest.mark.rule("C2")
@pytest.mark.parametrize(
    ("most", "said"),
    [
        (0, "no locomotive pays for this"),
        (1, "at most 1 locomotive pays for this, not 3"),
        (2, "at most 2 locomotives pay for this, not 3"),
    ],
)
def test_a_refusal_says_how_many_locomotives_pay(most: int, said: str) -> None:
    class Few(TrainCards):
        def wild_spaces(self, cost: Cost) -> int:
            return most

    rules = ttr.compile_rules(plugin("few", gives=Few), board=ttr.load_board(TOY))
    game = arranged(rules, {"hand": {"locomotive": 5}}, {})
    refusal = game.refusal(ttr.ClaimRoute(0, "bree-cole-blue", {"locomotive": 3}))
    assert refusal is not None and refusal.reason == f"{said}; 3 blue would do"


@pytest.mark.rule("R1")
@pytest.mark.parametrize(("others", "swept"), [(3, False), (4, True)])
def test_a_row_that_two_locomotives_sweep_is_swept_while_it_can_be_mended(others: int, swept: bool) -> None:
    """Of the locomotives one may lie in the row: four other cards are enough."""

    class Strict(TrainCards):
        def __init__(self) -> None:
            super().__init__(sweep_at=2)

    rules = ttr.compile_rules("north-america", plugin("strict", requires=("north-america",), gives=Strict))
    row = ["locomotive", "blue", "red", "red", "red"]
    pile = ["locomotive", "locomotive", "white"][: others - 1]
    game = arranged(rules, {}, {}, face_up=row, draw_pile=pile, chance=[AS_IS] * 40)
    assert bool(happened(game.play(ttr.DrawFaceUp(0, "blue")), RowSwept)) == swept


@pytest.mark.rule("R2", "D3")
@pytest.mark.parametrize(("row", "asked"), [(["red", "blue"], True), (["red", "locomotive"], False)])
def test_a_second_card_is_asked_for_wherever_the_locomotives_stand_among_the_kinds(row: list[str], asked: bool) -> None:
    class Reversed(TrainCards):
        def __init__(self) -> None:
            super().__init__(dict(reversed(list(TrainCards().cards.items()))))

    rules = ttr.compile_rules(
        "north-america",
        plugin("reversed", requires=("north-america",), gives=Reversed),
        rulings={"face_up_when_exhausted": True},
    )
    game = arranged(rules, {}, {}, face_up=row, draw_pile=[])
    game.play(ttr.DrawFaceUp(0, "red"))
    assert game.to_act == ((0,) if asked else (1,))


def test_bots_know_where_locomotives_are_of_no_use() -> None:
    from ttr_tools.bots.links import card_needs

    def no_wild_routes(rules: ttr.Rules) -> set[str]:
        return {route for route, need in card_needs(rules).items() if not need.locomotives + need.replaceable}

    assert no_wild_routes(rules_of("europe")) == set()
    swiss = rules_of("switzerland")
    assert no_wild_routes(swiss) == {route.id for route in swiss.board.routes.values() if not route.tunnel}
    nordic = rules_of("nordic-countries")
    assert no_wild_routes(nordic) == {
        route.id for route in nordic.board.routes.values() if not route.tunnel and not route.ferry_locomotives
    }


@pytest.mark.parametrize(("most", "missing"), [(None, 1), (3, 1), (2, 2), (1, 3), (0, 4)])
def test_bots_know_how_many_locomotives_help(most: int | None, missing: int) -> None:
    """Of six gray spaces, two with symbols, two red cards fill two; three locomotives are there."""
    from ttr_tools.bots.links import GRAY, CardNeed, Openings, Shortages, card_need

    rules = rules_of("europe")
    long = rules.board.routes["palermo-smyrna-gray"]
    cost = evolve(Cost.of_route(long), wilds=0, most_wilds=most)
    hand = ttr.Counts(red=2, locomotive=3)
    view = ttr.new_game(rules=rules, players=2, seed=1).view(0)
    shortages = Shortages(rules, {0: [long]}, Openings(view, rules), {long.id: cost})
    assert shortages.count_by_route([long], hand) == [shortages.count(hand, [0])] == [missing]
    assert card_need(rules, evolve(cost, wilds=2, most_wilds=3)) == CardNeed(GRAY, 4, 2, 1)


# -- many legal actions -------------------------------------------------------------------------------------------


def test_legal_actions_can_be_sampled_and_asked_for_one_action() -> None:
    game = arranged("nordic-countries", {"hand": {"red": 4, "blue": 4, "purple": 3, "locomotive": 2}}, {})
    choices = game.legal_actions(0)
    assert isinstance(choices, LegalActions)
    listed = list(choices)
    few = list(choices.sample(3))
    assert 50 < len(few) < len(listed)
    assert set(few) < set(listed)
    assert [action for action in few if not isinstance(action, ttr.ClaimRoute)] == [
        action for action in listed if not isinstance(action, ttr.ClaimRoute)
    ]
    assert {a.route for a in few if isinstance(a, ttr.ClaimRoute)} == {
        a.route for a in listed if isinstance(a, ttr.ClaimRoute)
    }
    assert Counter(choices.sample(10**6)) == Counter(listed)
    assert all(action in choices for action in few)
    claim = next(action for action in few if isinstance(action, ttr.ClaimRoute))
    for stranger in (ttr.ClaimRoute(1, claim.route, claim.payment), ttr.Pass(0), ttr.DrawBlind(1), None, "red"):
        assert stranger not in choices
    for part in (slice(2, 9), slice(-4, None), slice(9, 2, -3), slice(None, None, 7), slice(5, 5)):
        assert list(choices[part]) == listed[part]


def test_actions_that_are_few_anyway_are_all_in_the_sample() -> None:
    game = ttr.new_game("europe", players=2, seed=1, first_seat=0)
    choices = game.legal_actions(0)
    assert isinstance(choices, LegalActions)
    assert list(choices.sample()) == list(choices)


def test_a_sample_holds_a_hundred_ways_to_pay_unless_told_otherwise() -> None:
    game = arranged("nordic-countries", {"hand": {**dict.fromkeys(COLORS, 6), "locomotive": 4}}, {})
    choices = game.legal_actions(0)
    assert isinstance(choices, LegalActions)
    sizes = [len(list(choices.sample(most))) for most in (99, 100, 101)]
    assert sizes[0] < sizes[1] == len(list(choices.sample())) < sizes[2]


def test_the_actions_of_a_seat_are_not_those_of_another() -> None:
    tables = [{"hand": {"red": 3}}, {"hand": {"red": 3}}]
    for seat in (0, 1):
        game = arranged("north-america", *tables, to_act=seat)
        claim = legal(game, ttr.ClaimRoute)[0]
        assert claim in game.legal_actions(seat)
        assert ttr.ClaimRoute(1 - seat, claim.route, claim.payment) not in game.legal_actions(seat)


# -- a hook that goes first ---------------------------------------------------------------------------------------


class Barter(TrainCards):
    """Another economy, to be told from the first."""


def test_a_hook_marked_tryfirst_replaces_what_a_map_decides_wherever_it_stands() -> None:
    wild, barter = plugin("one_wild", gives=OneWild), plugin("barter", first=True, gives=Barter)
    for stack in (("europe", wild, barter), ("europe", barter, wild), (barter, wild, "europe")):
        rules = ttr.compile_rules(*stack)
        assert type(rules.economy) is Barter
        assert "economy: barter (replaces one_wild, train-cards)" in rules.explain().splitlines()


@pytest.mark.parametrize("first", [False, True])
def test_two_that_would_both_go_first_or_neither_conflict(first: bool) -> None:
    wild, barter = plugin("one_wild", first=first, gives=OneWild), plugin("barter", first=first, gives=Barter)
    for stack in (("europe", wild, barter), (barter, "europe", wild)):
        with pytest.raises(PluginConflictError, match="'barter' and 'one_wild' both replace 'economy'"):
            ttr.compile_rules(*stack)


# -- conditions on claims and boxed piles -------------------------------------------------------------------------


def test_a_condition_speaks_before_the_want_of_cars() -> None:
    """So a plugin can say by its own rule why a route takes more cars than it has spaces."""

    class Heavy(Variant, name="heavy"):
        @hookimpl
        def route_cars(self, below: Below[Mapping[str, int]], board: ttr.Board) -> Mapping[str, int]:
            return {id: cars + 43 for id, cars in below().items()}

        @hookimpl
        def claim_refusal(self, state: ttr.State, seat: int, route: ttr.Route) -> ttr.Refusal | None:
            needed, left = state.rules.route_cars[route.id], state.cars[seat]
            return ttr.Refusal("B1", f"{needed} of {left}") if needed > left else None

        @hookimpl
        def closed_routes(self, state: ttr.State, seat: int) -> Iterable[int]:
            return ()

    game = arranged(ttr.compile_rules(Heavy, board=ttr.load_board(TOY)), {"hand": {"red": 2, "blue": 3}}, {})
    assert {claim.route for claim in legal(game, ttr.ClaimRoute)} == {"ada-bree-red"}
    assert refused(game, ttr.ClaimRoute(0, "bree-cole-blue", {"blue": 3})) == "B1"
    assert game.view(0).barred == {}


def test_tickets_of_a_boxed_pile_that_are_not_kept_go_to_the_box_too() -> None:
    """The others go under their pile, and worlds that are dealt anew know where the tickets can be."""

    class Mixed(Variant, name="mixed", requires=("europe",)):
        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return (Stage((Deal("long", 1), Deal("regular", 3)), KeepAtLeast(2), under="regular", box_rest=("long",)),)

    game = ttr.new_game("europe", Mixed, players=2, seed=1, first_seat=0)
    dealt = [decision.tickets for decision in map(game.decision, (0, 1)) if isinstance(decision, TicketSetup)]
    for seat, (_, *regular) in enumerate(dealt):
        game.play(ttr.KeepTickets(seat, regular[:2]))
    assert "long" not in game.state.ticket_piles
    assert game.state.ticket_pile[-2:] == (dealt[0][3], dealt[1][3]) and len(game.state.ticket_pile) == 36
    for seed in range(20):
        world = ttr.determinize(game.view(0), game.rules, seed)
        assert {game.rules.tickets[ticket].kind for ticket in world.state.ticket_pile} == {"regular"}
        assert world.view(0) == game.view(0)


def test_a_rule_that_keeps_tickets_says_only_its_limits() -> None:
    class AllButOne(KeepAtLeast):
        def limits(self, dealt: Sequence[ttr.Ticket], before: Sequence[ttr.Ticket]) -> tuple[int, int]:
            return self.least, len([ticket for ticket in dealt if ticket.points]) - 1

    class Choosy(Variant, name="choosy", requires=("europe",)):
        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return (Stage((Deal("regular", 3),), AllButOne(1), under="regular"),)

    game = ttr.new_game("europe", Choosy, players=2, seed=1)
    kept = [action.tickets for action in game.legal_actions(0) if isinstance(action, ttr.KeepTickets)]
    assert list(map(len, kept)) == [1, 1, 1, 2, 2, 2]
    decision = game.decision(0)
    assert isinstance(decision, TicketSetup)
    told = "[S7] at most 2 of the 3 tickets may be kept, not 3"
    assert str(game.refusal(ttr.KeepTickets(0, decision.tickets))) == told


# -- what is nobody's on a scored table ---------------------------------------------------------------------------


class Depot(Part):
    """Things that lie in a depot that belongs to nobody."""

    part_keys: ClassVar[Mapping[str, KeyHelp]] = {"depot": KeyHelp("What lies in the depot.", "{{things = 1}}")}

    things: int = public(default=0)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        tx.emit(DepotFilled, position.part("depot", report).number("things", 0, 0, 9, report))


class DepotFilled(ttr.Event):
    """So many things lie in the depot."""

    things: int

    def apply(self, state: ttr.State) -> None:
        state.part(Depot).things = self.things


def test_a_scored_table_may_tell_what_a_part_counts_that_is_nobodys() -> None:
    class Depots(Variant, name="depots", requires=("north-america",)):
        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return (Depot,)

        @hookimpl
        def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
            return (ScoringTerm("depot", lambda state, seat: Score(state.part(Depot).things)),)

    rules = ttr.compile_rules("north-america", Depots)
    table: dict[str, Any] = {"players": [{"name": "A"}, {"name": "B"}], "parts": {"depot": {"things": 4}}}
    assert [player.total for player in ttr.score(rules, table).players] == [4, 4]
    assert ttr.arrange(rules, {**table, "seed": 1}).state.part(Depot).things == 4
    with pytest.raises(InvalidTableError) as caught:
        ttr.score(rules, {**table, "parts": {"depto": {}}})
    assert caught.value.problems == ("parts: unknown key 'depto'; did you mean 'depot'?",)
    with pytest.raises(InvalidTableError) as caught:
        ttr.score(None, {**table, "stack": ["north-america"], "parts": 5})
    assert caught.value.problems == ("parts: expected a table, got 5",)
