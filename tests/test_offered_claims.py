"""The claims that are offered are made when they are read: as a sequence they must say what the list of them says."""

from __future__ import annotations

from collections import Counter
from random import Random

import attrs
import pytest
from helpers import arranged, rules_of

import ttr_rules as ttr
from ttr_rules.kernel.prices import LAYERS, Layers
from ttr_rules.mechanics.claim_codes import route_classes
from ttr_rules.mechanics.claim_list import Claims
from ttr_rules.mechanics.claims import ClaimRule
from ttr_rules.model import Cost
from ttr_rules.model.network import numbers
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    PluginInfo,
    Price,
    PriceTable,
    Transaction,
    after_claim,
    hookimpl,
)


def claims(game: ttr.Game, seat: int = 0) -> Claims:
    """The claims offered to a seat."""
    rule = game.rules.answers[ttr.Turn][ttr.ClaimRoute]
    assert isinstance(rule, ClaimRule)
    found = rule.offers(game.state, ttr.Turn(seat))
    assert isinstance(found, Claims)
    return found


@pytest.mark.rule("C1", "C2")
def test_every_claim_has_its_place() -> None:
    offered = claims(arranged("europe", {"hand": {"red": 4, "blue": 2, "locomotive": 2}}, {}))
    listed = list(offered)
    assert len(listed) == len(offered) == len(set(listed)) > 60
    assert [offered.nth(number) for number in range(len(listed))] == listed
    for number in (len(listed), len(listed) + 1, 10**6):
        with pytest.raises(IndexError):
            offered.nth(number)
    assert list(offered.sample(1000)) == listed
    assert set(offered.sample(1)) <= set(listed) and len(list(offered.sample(1))) < len(listed)


MANY: dict[str, int] = {"red": 6, "blue": 6, "black": 5, "locomotive": 8}


@pytest.mark.rule("C1", "C2", "N6")
def test_prices_with_very_many_ways_are_counted_apart_and_come_last() -> None:
    """Up to six ways to pay are counted by layers; Nordic's stand-ins have hundreds."""
    for stack in ("europe", "nordic-countries"):
        ways = Counter(claim.route for claim in claims(arranged(stack, {"hand": MANY}, {})))
        taken = max(ways, key=lambda route: (ways[route], route))
        game = arranged(stack, {"hand": MANY}, {"routes": [taken]})
        offered = claims(game)
        listed = list(offered)
        economy, state, board = game.rules.economy, game.state, game.rules.board
        closed = {route.id for route in board.routes.values() if set(route.cities) == set(board.routes[taken].cities)}
        wanted = {
            ttr.ClaimRoute(0, route.id, payment)
            for route in board.routes.values()
            if route.id not in closed
            for payment in economy.payments(state, 0, Cost.of_route(route))
        }
        assert len(listed) == len(offered) == len(set(listed)) and set(listed) == wanted
        assert ways[taken] > LAYERS and max(Counter(claim.route for claim in listed).values()) > LAYERS
        assert [offered.nth(number) for number in range(0, len(listed), 7)] == listed[::7]
        for payment in {claim.payment for claim in listed[::29]}:
            for route in board.routes:
                claim = ttr.ClaimRoute(0, route, payment)
                assert (claim in offered) == (claim in wanted)


@pytest.mark.rule("C1", "N6")
def test_the_last_open_routes_are_offered_whatever_they_cost() -> None:
    game = arranged("nordic-countries", {"hand": MANY}, {})
    rule = game.rules.answers[ttr.Turn][ttr.ClaimRoute]
    assert isinstance(rule, ClaimRule)
    state, everything = game.state, list(claims(game))
    for alike in route_classes(game.rules.board):
        state.open[0] = alike.routes
        ids = {game.rules.network.route_ids[number] for number in numbers(alike.routes)}
        assert set(rule.offers(state, ttr.Turn(0))) == {claim for claim in everything if claim.route in ids}


def test_a_table_of_prices_counts_what_it_lists() -> None:
    """A thing with many ways to pay, and one that is there twice, are not lost."""
    few = [ttr.Counts(red=number) for number in range(1, 4)]
    many = [ttr.Counts(blue=number) for number in range(1, LAYERS + 2)]
    table = PriceTable([Price(0, few), Price(1, many), Price(0, many), Price(2, few[:1])])
    layers = Layers(table.prices, [0b0011, 0b0100, 0b1000], 4)
    assert [price.payments for _, price in layers.deep] == [many, many]
    assert layers.bits == 0b1011 | 0b0011 << 4 | 0b0011 << 8 and table.ways == 4 + 2 * (LAYERS + 1)
    assert layers.at(1) == few and layers.at(3) == few[:1]
    assert [table.payment(way) for way in range(table.ways)] == [*few, *many, *many, few[0]]
    assert 0b1010 * Layers.repeat(4) & layers.bits == 0b1010 | 0b0010 << 4 | 0b0010 << 8
    offered = Claims(0, ("a", "b", "c", "d"), [layers], [layers.bits], layers.deep, table.ways, 4)
    for most in (1, 2, 3, LAYERS, LAYERS + 1):
        ways = [("a", few), ("b", few), ("c", many), ("a", many), ("b", many), ("d", few[:1])]
        wanted = Counter(ttr.ClaimRoute(0, route, payment) for route, each in ways for payment in each[:most])
        assert Counter(offered.sample(most)) == wanted


def test_a_price_in_the_layers_is_found_whatever_stands_before_it() -> None:
    many = [ttr.Counts(red=number) for number in range(1, LAYERS + 3)]
    few = [ttr.Counts(blue=number) for number in (1, 2)]
    for first, second in ((many, few), (few, many), (few, few), (many, many)):
        table = PriceTable([Price(0, first), Price(0, second)])
        layers = Layers(table.prices, [1], 1)
        offered = Claims(0, ("a",), [layers], [layers.bits], layers.deep, table.ways, 1)
        wanted = Counter(ttr.ClaimRoute(0, "a", payment) for payment in (*first, *second))
        assert Counter(offered) == Counter(map(offered.nth, range(table.ways))) == wanted


@pytest.mark.rule("C1", "C3")
def test_what_is_among_the_claims_is_what_the_list_holds() -> None:
    """Every route of the board with every payment of some other route."""
    game = arranged("europe", {"hand": {"red": 4, "blue": 2, "locomotive": 2}}, {"routes": ["berlin-wien-green"]})
    offered = claims(game)
    listed = set(offered)
    payments = {claim.payment for claim in listed}
    there = absent = 0
    for route in rules_of("europe").board.routes:
        for payment in payments:
            claim = ttr.ClaimRoute(0, route, payment)
            assert (claim in offered) == (claim in listed)
            assert attrs.evolve(claim, seat=1) not in offered
            there, absent = there + (claim in listed), absent + (claim not in listed)
    assert there == len(listed) and absent > there
    some = Random(1).choice(sorted(listed, key=repr))
    assert attrs.evolve(some, route="nowhere") not in offered
    others: tuple[object, ...] = (ttr.DrawBlind(0), "a claim")
    assert all(other not in offered for other in others)
    assert ttr.ClaimRoute(0, some.route, {"red": 40}) not in offered


def asked_after_claims(names: str) -> list[str]:
    """Who is asked, in which order, when several plugins follow a claim and each asks in turn."""
    heard: list[str] = []

    @attrs.frozen
    class Nod(ttr.Action):
        pass

    @attrs.frozen
    class Hint(ttr.Decision):
        public = True
        name: str
        route: str

    def following(name: str) -> AfterClaim:
        def ask(tx: Transaction, seat: int, route: str) -> bool:
            heard.append(name)
            tx.ask(Hint(seat, name, route))
            return True

        return AfterClaim(name, ask)

    after = tuple(following(name) for name in names)

    class NodRule(ActionRule[Hint, Nod]):
        on = Hint
        action = Nod

        def offers(self, state: ttr.State, decision: Hint) -> list[Nod]:
            return [Nod(decision.seat)]

        def refusal(self, state: ttr.State, decision: Hint, action: Nod) -> None:
            return None

        def perform(self, tx: Transaction, decision: Hint, action: Nod) -> None:
            done = next(each for each in after if each.name == decision.name)
            after_claim(tx, decision.seat, decision.route, done)

    class Hints:
        info = PluginInfo("hints", "Hints")

        @hookimpl
        def after_claims(self) -> tuple[AfterClaim, ...]:
            return after

        @hookimpl
        def action_rules(self) -> list[ActionRule[Hint, Nod]]:
            return [NodRule()]

    game = arranged(ttr.compile_rules("europe", Hints()), {"hand": {"white": 4}}, {}, draw_pile=["red", "blue"])
    game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    while game.to_act == (0,):
        game.play(Nod(0))
    assert game.to_act == (1,)
    return heard


@pytest.mark.rule("M4")
@pytest.mark.parametrize("names", ["", "a", "ab", "abc"])
def test_what_follows_a_claim_asks_in_turn_and_once(names: str) -> None:
    assert asked_after_claims(names) == list(names)
