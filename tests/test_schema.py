"""JSON for clients: everything that is written fits the schema, junk does not, and actions come back as they went."""

from __future__ import annotations

import gc
import json
import pickle
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from random import Random
from typing import Annotated, Any, NewType

import pytest
from attrs import evolve, frozen
from cattrs import Converter
from helpers import arranged
from hypothesis import given, settings, strategies as st
from jsonschema import Draft7Validator
from official import QUICK, every_map
from test_offer import Counted, Ring, shop

import ttr_rules as ttr
from ttr_rules import determinize
from ttr_rules._internal.exact import exact_converter
from ttr_rules.clients import (
    Actions,
    Hello,
    Over,
    Payments,
    Update,
    client_schema,
    json_schema,
    read_client_message,
    read_server_message,
    rules_from_json,
)
from ttr_rules.errors import PluginError
from ttr_rules.events import Unknown
from ttr_rules.hidden import ticket_layouts as hidden_tickets
from ttr_rules.model import Color, Cost
from ttr_rules.model.decisions import replace
from ttr_rules.play import Offer, OfferedKind, PaymentPage, Purchase
from ttr_rules.plugins import (
    Below,
    Economy,
    EconomyLayer,
    Part,
    Rules,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    public,
)
from ttr_rules.saves import moves
from ttr_tools.bots import Bot, links
from ttr_tools.render import lay_out

rules_of = cache(ttr.compile_rules)


@cache
def schema_of(stack: tuple[str, ...]) -> Mapping[str, Any]:
    schema = json_schema(rules_of(*stack))
    Draft7Validator.check_schema(schema)
    return schema


@cache
def validator(stack: tuple[str, ...], kind: str) -> Draft7Validator:
    return Draft7Validator({**schema_of(stack), "$ref": f"#/definitions/{kind}"})


@cache
def client_validator(stack: tuple[str, ...]) -> Draft7Validator:
    schema = client_schema(rules_of(*stack))
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def fits(stack: tuple[str, ...], kind: str, data: object) -> bool:
    return bool(validator(stack, kind).is_valid(json.loads(json.dumps(data))))


@pytest.mark.slow
@pytest.mark.thorough_but("europe+dice", "united-kingdom")
@every_map
def test_all_that_a_game_writes_fits_the_schema(stack: tuple[str, ...]) -> None:
    rules, random = rules_of(*stack), Random("+".join(stack))
    game = ttr.new_game(rules=rules, players=2, seed="schema")
    while game.to_act:
        seat = random.choice(game.to_act)
        choices = game.legal_actions(seat)
        action = choices[random.randrange(len(choices))]
        data = ttr.to_json(rules, action)
        assert ttr.action_from_json(rules, json.loads(json.dumps(data))) == action
        game.play(action)
        if len(game.moves) % 40 == 0:
            assert fits(stack, "Action", data), data
            for who in game.to_act:
                for each in [each for kind in game.offer(who).kinds for each in kind.purchases][:2]:
                    page = ttr.to_json(rules, game.payments(each.cheapest))
                    assert fits(stack, "PaymentPage", page), page
                    assert ttr.action_from_json(rules, page["actions"][0]) == each.cheapest
            for seen_by in (None, 0, 1):
                view = ttr.to_json(rules, game.view(seen_by))
                assert ttr.view_from_json(rules, json.loads(json.dumps(view))) == game.view(seen_by)
                for event in game.last_move.events:
                    seen = ttr.to_json(rules, event.seen_by(seen_by))
                    assert ttr.event_from_json(rules, json.loads(json.dumps(seen))) == event.seen_by(seen_by)
                update = Update.of(game, seen_by, since=game.played - 1)
                sent = json.dumps(ttr.to_json(rules, update))
                assert fits(stack, "ServerMessage", json.loads(sent))
                assert seen_by or client_validator(stack).is_valid(json.loads(sent))
                assert read_server_message(rules, sent) == update
    validator(stack, "Save").validate(json.loads(ttr.dumps(game.at(min(20, game.played)))))
    decisions = [d for n in range(0, game.played, 30) for s in (0, 1) if (d := game.at(n).decision(s)) is not None]
    for decision in decisions:
        assert fits(stack, "Decision", ttr.to_json(rules, decision)), decision
    over = ttr.to_json(rules, Over.of(game))
    assert fits(stack, "FinalScores", over["scores"]) and fits(stack, "ServerMessage", over), over
    read = read_server_message(rules, json.dumps(over))
    assert isinstance(read, Over) and game.final_scores is not None
    assert ttr.to_json(rules, read) == over and read.scores.winners == game.final_scores.winners


@pytest.mark.slow_cases("nordic-countries", "europe+dice", "germany-tickets", "united-kingdom")
@every_map
def test_what_a_client_learns_first_fits_the_schema_and_names_the_rules(stack: tuple[str, ...]) -> None:
    """The board with positions, routes and tickets as these rules play them."""
    rules = rules_of(*stack)
    greeting = Hello.of(ttr.new_game(rules=rules, players=2, seed=1), seat=1, layout=lay_out(rules.board))
    hello = ttr.to_json(rules, greeting)
    sent = json.dumps(hello)
    assert read_server_message(rules, sent) == greeting
    assert fits(stack, "Hello", hello) and client_validator(stack).is_valid(json.loads(sent))
    assert rules_from_json(sent).same_as(rules)
    board = hello["board"]
    assert {city["id"] for city in board["cities"]} == set(rules.board.cities)
    assert all(0 <= city[axis] <= 1 for city in board["cities"] for axis in "xy")
    assert {route["id"]: (route["cars"], route["points"]) for route in board["routes"]} == {
        id: (rules.route_cars[id], rules.route_points[id]) for id in rules.board.routes
    }
    assert {ticket["id"]: ticket["penalty"] for ticket in board["tickets"]} == {
        id: ticket.penalty for id, ticket in rules.tickets.items()
    }
    assert [route["id"] for route in board["layout"]["routes"]] == [route["id"] for route in board["routes"]]
    places = {each["id"] for each in (*board["cities"], *board["countries"])}
    assert {goal["place"] for ticket in board["tickets"] for goal in ticket["goals"]} <= places


@pytest.mark.parametrize("stack", [("nordic-countries",), ("united-kingdom",)])
def test_a_hand_of_the_whole_deck_has_ways_to_pay_that_every_language_can_count(stack: tuple[str, ...]) -> None:
    """No official stack has more than those whose cards stand in for others."""
    rules = rules_of(*stack)
    economy: Any = rules.economy
    hand = {kind: economy.cards[kind] for kind in economy.kinds}
    game = ttr.arrange(rules, {"seed": 1, "players": [{"name": "Ada", "hand": hand}, {"name": "Bo"}]})
    update = ttr.to_json(rules, Update.of(game, seat=0))
    assert 10**8 < update["offer"]["total"] < 2**53 and fits(stack, "ServerMessage", update)


def test_numbers_that_javascript_would_round_do_not_fit_the_schema() -> None:
    """Clients are refused them; of counts that a plugin brings the largest number is written that is exact."""
    many = 2**60
    rules = shop(Counted(many, lambda index: Ring(0, index % 7)), Ring)
    schema, game = Draft7Validator(client_schema(rules)), arranged(rules, {}, {})
    asked: dict[str, Any] = {"type": "list_actions", "first": 2**53}
    assert schema.is_valid(asked) and read_client_message(rules, asked)
    asked["first"] += 1
    assert not schema.is_valid(asked)
    with pytest.raises(ttr.InvalidInputError, match="at most 9007199254740992, got 9007199254740993"):
        read_client_message(rules, asked)
    update, ring = Update.of(game, 0), Ring(0, 1)
    assert update.offer is not None and update.offer.total > many
    bought = Offer(many, (OfferedKind("shop.Ring", many, many, (), (Purchase(ring, many),)),))
    for message in (
        update,
        replace(update, offer=bought),
        Actions(many, 0, (ring,), id=None),
        Payments(ring, PaymentPage(many, 0, (ring,)), id=None),
    ):
        sent = ttr.to_json(rules, message)
        assert schema.is_valid(sent) and read_server_message(rules, sent)
        assert str(2**53) in json.dumps(sent)


def test_payments_name_the_cards_of_the_stack() -> None:
    """Not where other things pay too: dice, or what a layer over the cards takes."""

    class Tolls(EconomyLayer):
        def payments(self, state: ttr.State, seat: int, cost: Cost) -> list[ttr.Counts]:
            return [ttr.Counts({**payment, "toll": 1}) for payment in self.below.payments(state, seat, cost)]

    class Dear(EconomyLayer):
        def cost(self, state: ttr.State, seat: int, cost: Cost) -> Cost:
            return evolve(cost, spaces=cost.spaces + 1)

    def layered(kind: type[EconomyLayer]) -> ttr.Rules:
        class Layer(Variant, name="layer"):
            """Layer: what is paid changes."""

            @hookimpl
            def economy(self, below: Below[Economy], board: ttr.Board) -> Economy:
                return kind(below())

        return ttr.compile_rules("europe", Layer)

    claim: dict[str, Any] = {"type": "core.ClaimRoute", "seat": 0, "route": "x"}
    for rules, kind, named in (
        (rules_of("europe"), "red", True),
        (rules_of("germany-tickets"), "locomotive_4", True),
        (layered(Dear), "red", True),
        (layered(Tolls), "red", False),
        (rules_of("europe", "dice"), "locomotive", False),
    ):
        reader = Draft7Validator({**json_schema(rules), "$ref": "#/definitions/core.ClaimRoute"})
        assert reader.is_valid({**claim, "payment": {kind: 2}})
        assert reader.is_valid({**claim, "payment": {"toll": 1}}) != named
        laid = json_schema(rules)["definitions"]["core.TunnelDue"]["properties"]["laid"]
        assert (laid == {"$ref": "#/definitions/CardCounts"}) == named


def test_a_view_tells_no_more_as_json_than_as_it_is() -> None:
    game = ttr.new_game("europe", players=3, seed=4)
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        data = ttr.to_json(game.rules, view)
        assert data["tickets"] == list(view.tickets) and data["seat"] == seat
        hand = ttr.cards(view).hand
        assert data["parts"]["CardPiles"].get("hand") == (None if hand is None else dict(hand))
        text = json.dumps(data)
        for other in range(3):
            for ticket in game.decision(other).tickets:  # type: ignore[union-attr]
                assert (ticket in text) == (other == seat)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_document_that_is_changed_fits_no_more(data: st.DataObject) -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    for _ in range(8):
        game.play(game.legal_actions(game.to_act[0])[0])
    document = json.loads(ttr.dumps(game))
    here: Any = document
    place = data.draw(st.sampled_from(["header", "move", "action", "event"]))
    if place != "header":
        here = data.draw(st.sampled_from(document["moves"][1:]))
        here = {"move": here, "action": here["action"], "event": here["events"][0]}[place]
    key = data.draw(st.sampled_from(sorted(here)))
    change = data.draw(st.sampled_from(["missing", "more", "other"]))
    if change == "missing":
        del here[key]
    elif change == "more":
        here["surplus"] = 1
    else:
        here[key] = [{"what": 1.5}]
    assert not fits(("europe",), "Save", document), (place, key, change)


@pytest.mark.parametrize(
    "data",
    [
        None, 3, [], {}, {"type": "core.Turn", "seat": 0}, {"type": "core.Fly"}, {"type": ["train-cards.DrawBlind"]},
        {"type": "train-cards.DrawBlind"}, {"type": "train-cards.DrawBlind", "seat": "0"}, {"type": "train-cards.DrawBlind", "seat": True},
        {"type": "train-cards.DrawBlind", "seat": 0, "x": 1}, {"type": "core.ClaimRoute", "seat": 0, "route": 3, "payment": {}},
        {"type": "core.ClaimRoute", "seat": 0, "route": "x", "payment": {"red": -1}},
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_action_is_refused_with_its_place(data: object) -> None:
    with pytest.raises(ttr.InvalidInputError, match="action|actions|type"):
        ttr.action_from_json(rules_of("europe"), data)
    assert not validator(("europe",), "Action").is_valid(data)


def test_what_clients_do_not_get_is_refused() -> None:
    with pytest.raises(ttr.InvalidInputError, match="expected a message, an action, .* a score sheet, got <Game"):
        ttr.to_json(rules_of("europe"), ttr.new_game("europe", players=2, seed=1))  # type: ignore[arg-type]


@pytest.mark.parametrize("stack", [("europe", "dice"), ("germany-tickets",)], ids="+".join)
def test_an_event_as_it_happened_is_not_sent(stack: tuple[str, ...]) -> None:
    """Not one of any type: the draw pile and what somebody is asked are in events too."""
    rules, random = rules_of(*stack), Random(3)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    while game.to_act and game.played < 150:
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[random.randrange(len(choices))])
    kinds = {type(event): event for event in game.events}
    assert len(kinds) > 12
    for kind, event in kinds.items():
        with pytest.raises(ttr.InvalidInputError, match=rf"{kind.__name__} is an event as it happened.*event\.seen_by"):
            ttr.to_json(rules, event)  # type: ignore[arg-type]
        with pytest.raises(ttr.InvalidInputError, match="expected a message, an action"):
            ttr.to_json(rules, (event,))  # type: ignore[arg-type]
        assert ttr.to_json(rules, event.seen_by(None))["type"].endswith(kind.__name__)


@pytest.mark.slow
@pytest.mark.thorough_but("europe+dice", "nordic-countries")
@pytest.mark.parametrize("stack", QUICK, ids="+".join)
def test_a_client_gets_the_moves_that_it_missed_with_their_numbers(stack: tuple[str, ...]) -> None:
    """Whenever it was here last; each with what the seat may see of it."""
    rules, random = rules_of(*stack), Random(4)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    while game.to_act and game.played < 25:
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[random.randrange(len(choices))])
    for seat in (None, 0, 1):
        everything = game.messages(None, seat)
        assert [move.number for move in everything] == list(range(26))
        assert everything[0].seat is None
        for seen, move in zip(everything, game.moves, strict=True):
            assert seen.seat == (None if move.action is None else move.action.seat)
            assert seen.events == tuple(event.seen_by(seat) for event in move.events)
            assert seen.number % 4 or fits(stack, "SeenMove", ttr.to_json(rules, seen))
        assert ttr.to_json(rules, everything[3]) == {
            "number": 3, "seat": everything[3].seat, "events": [ttr.to_json(rules, seen) for seen in everything[3].events],
        }  # fmt: skip
        for since in range(26):
            assert game.messages(since, seat) == everything[since + 1 :]
            assert game.events_since(since, seat) == tuple(
                each for move in everything[since + 1 :] for each in move.events
            )
    invalid: list[tuple[Any, int]] = [(26, 0), (-1, 0), (True, 0), ("3", 0), (3, 2), (3, True)]
    for moment, who in invalid:
        with pytest.raises(ttr.InvalidInputError):
            game.messages(moment, who)


def test_the_types_of_plugins_are_described_or_named() -> None:
    class Odd(ttr.Event):
        __module__ = "ttr_odd"  # the events of a module belong to every plugin in it

        when: complex

        def apply(self, state: ttr.State) -> None: ...

    Odd.__annotations__["when"] = complex

    class OddPlugin(Variant, name="odd"):
        """Odd: an event that cannot be described."""

        __module__ = "ttr_odd"

    with pytest.raises(PluginError, match=r"odd\.Odd\.when is a complex, which JSON cannot hold"):
        json_schema(ttr.compile_rules("europe", OddPlugin))


Place = NewType("Place", str)


class Depots(Part):
    """Fields of every type that JSON can hold in some way, some of them secret."""

    open_in: frozenset[str] = public(default=frozenset({"wien", "paris"}))
    by_turn: dict[int, str] = public(default={3: "wien"})
    color: Color = public(default=Color.RED)
    stop: Place = public(default=Place("wien"))
    last: Annotated[int | None, "a remark"] = public(default=None)
    mask: int = public(default=2**300)
    held: list[tuple[str, ...] | Unknown] = by_seat(each=("a", "b"))
    bag: tuple[str, ...] | Unknown = hidden(default=("x", "y", "z"))
    vault: list[tuple[str, ...]] = by_seat(each=("c",))


@frozen
class SeenVaults:
    gold: tuple[int, ...]


class Vaults(Part):
    gold: list[int] = hidden(default=[1, 2])

    def seen_by(self, seat: int | None) -> SeenVaults | None:
        return None if seat is None else SeenVaults(tuple(self.gold))


def with_parts(*kinds: type[Part]) -> type[Variant]:
    """A plugin with these parts."""

    class Parts(Variant, name="parts"):
        """Parts: they are described and read back."""

        @hookimpl
        def parts(self, rules: Rules) -> Iterable[type[Part]]:
            return kinds

    return Parts


def test_what_parts_show_is_described_and_read_back() -> None:
    """Those of plugins like those of the library; without a part that this seat does not see."""
    rules = ttr.compile_rules("europe", with_parts(Depots, Vaults))
    game = ttr.new_game(rules=rules, players=2, seed=1)
    schema = json_schema(rules)
    assert schema["definitions"]["Parts"]["required"] == ["CardPiles", "Stations", "Depots"]
    assert schema["definitions"]["Depots"]["properties"]["color"] == {"$ref": "#/definitions/Color"}
    for seat in (0, None):
        data = json.loads(json.dumps(ttr.to_json(rules, game.view(seat))))
        Draft7Validator({**schema, "$ref": "#/definitions/View"}).validate(data)
        assert ttr.view_from_json(rules, data) == game.view(seat)
        assert ("Vaults" in data["parts"]) == (seat is not None)
    data["parts"]["Depots"]["by_turn"] = {"three": "wien"}
    with pytest.raises(
        ttr.InvalidInputError, match=r"view.parts.Depots.by_turn.three: expected a whole number as key, got 'three'"
    ):
        ttr.view_from_json(rules, data)
    data["parts"]["Depots"] |= {"by_turn": {}, "open_in": "wien"}
    with pytest.raises(ttr.InvalidInputError, match=r"view.parts.Depots.open_in: expected a list, got 'wien'"):
        ttr.view_from_json(rules, data)


def test_a_part_with_types_that_cannot_be_known_is_named() -> None:
    @frozen
    class Here:
        pass

    @frozen
    class There:
        here: Here

    class Local(Part):
        def seen_by(self, seat: int | None) -> Here:
            return Here()

    class Far(Part):
        def seen_by(self, seat):  # type: ignore[no-untyped-def]
            return There(Here())

    Far.seen_by.__annotations__["return"] = There

    class Odd(Part):
        when: complex = public(default=1j)

    for kind, name in ((Local, "Local"), (Far, "There")):
        with pytest.raises(
            PluginError, match=rf"{name}: name 'Here' is not defined; import it outside of TYPE_CHECKING"
        ):
            json_schema(ttr.compile_rules("europe", with_parts(kind)))
    with pytest.raises(PluginError, match=r"Odd\.when is a complex, which JSON cannot hold"):
        json_schema(ttr.compile_rules("europe", with_parts(Odd)))


# -- servers with many rule sets -----------------------------------------------------------------------------------


def many_rules(count: int) -> list[ttr.Rules]:
    """So many rule sets, none of which is kept by the library; each has a board of its own, since equal ones are one object."""
    board = rules_of("north-america").board
    return [ttr.compile_rules("north-america", board=evolve(board, name=f"Board {number}")) for number in range(count)]


@pytest.mark.slow
def test_each_rules_object_keeps_its_converter_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make one takes milliseconds: a server that goes round its games must not make them again and again."""
    made: list[object] = []

    def counted(largest: int) -> Converter:
        made.append(largest)
        return exact_converter(largest)

    monkeypatch.setattr(moves, "exact_converter", counted)
    rules = many_rules(70)
    data = {"type": "train-cards.DrawBlind", "seat": 0}
    for _ in range(3):
        for each in rules:
            assert ttr.action_from_json(each, data) == ttr.DrawBlind(0)
    assert len(made) == 70


@pytest.mark.slow
def test_what_bots_and_worlds_work_out_is_kept_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for what else takes time and depends on the rules alone."""
    calls: Counter[str] = Counter()
    for module, name in ((links, "card_needs"), (hidden_tickets, "TicketKinds")):
        real = getattr(module, name)
        monkeypatch.setattr(module, name, lambda rules, name=name, real=real: calls.update([name]) or real(rules))
    several = many_rules(70)
    for _ in range(2):
        for each in several:
            view = ttr.new_game(rules=each, players=2, seed=1).view(0)
            world = determinize(view, each, 1)
            assert Bot(1).choose(view, each, world.legal_actions(0)) in world.legal_actions(0)
    assert calls == {"card_needs": 70, "TicketKinds": 70}


@pytest.mark.slow
def test_rules_that_nobody_uses_any_more_are_freed() -> None:
    (rules,) = many_rules(1)
    game = ttr.new_game(rules=rules, players=2, seed=1)
    ttr.to_json(rules, game.view(0))
    Bot(1).choose(game.view(0), rules, game.legal_actions(0))
    determinize(game.view(0), rules, 1)
    pickle.loads(pickle.dumps(game))
    there = weakref.ref(rules)
    del rules, game
    gc.collect()
    assert there() is None
