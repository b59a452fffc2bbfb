"""What is printed in a notebook: one short line for whatever a caller gets in hand."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from helpers import names_in, rules_of
from official import every_map
from stacks import official_stacks

import ttr_maps
import ttr_rules as ttr
from ttr_rules.actions import economy_of
from ttr_rules.kernel.events import Played
from ttr_rules.model import Cost, Dealer
from ttr_rules.parts import Report
from ttr_rules.plugins import Part, PluginInfo, Stage, TicketDeck, Transaction, rulebook
from ttr_rules.train_cards import Pool, TrainCards
from ttr_tools.bots import Bot, play_game

MODULES = (
    "ttr_rules",
    *(
        f"ttr_rules.{name}"
        for name in ("boards", "events", "hidden", "model", "play", "plugins", "saves", "train_cards")
    ),
    *(f"ttr_tools.{name}" for name in ("bots", "testing")),
)
LONGEST = 120
#: What is printed as the call that makes it, whole: actions, decisions, events, and the data of a board or a set-up.
WHOLE = (ttr.Action, ttr.Decision, ttr.Event, ttr.Route, ttr.Ticket, Stage)
LONGEST_WHOLE = 280


def public_classes() -> dict[type[Any], str]:
    """Every class that a public module gives, but exceptions."""
    found: dict[type[Any], str] = {}
    for module in map(importlib.import_module, MODULES):
        for name in names_in(module):
            value = getattr(module, name)
            if isinstance(value, type) and not issubclass(value, BaseException):
                found[value] = name
    return found


PUBLIC = public_classes()


def inside(thing: object, seen: set[int], depth: int = 0) -> Iterator[object]:
    """A thing and all that it is made of."""
    if id(thing) in seen or depth > 6:
        return
    seen.add(id(thing))
    yield thing
    parts: list[object] = []
    if isinstance(thing, Mapping):
        parts = [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        parts = list(thing)[:200]
    elif attrs.has(kind := type(thing)):
        parts = [getattr(thing, each.name, None) for each in attrs.fields(kind)]
    for part in parts[:400]:
        yield from inside(part, seen, depth + 1)


def things(*stack: str) -> Iterator[object]:
    """What a caller of a stack gets in hand, over a game."""
    rules = rules_of(*stack)
    game = ttr.new_game(rules=rules, players=3, seed=1)
    yield from (rules, rules.board, rules.deck, game, game.view(None), list(rules.rulebook.values()))
    for _ in range(60):
        for seat in game.to_act[:1]:
            legal = game.legal_actions(seat)
            state = game.state
            yield from (game.decision(seat), game.view(seat), state, state.parts, legal, legal[:3], game.offer(seat))
            action = legal[len(legal) // 2]
            yield rules.play(state, action)
            if isinstance(action, ttr.ClaimRoute):
                yield game.payments(action)
            game.play(action)
    play_game(game)
    yield from (game, game.state, game.view(0), game.moves, game.events, game.messages(None, 0), game.final_scores)


@pytest.mark.slow_cases("united-kingdom", "germany-tickets", "nordic-countries")
@every_map
def test_everything_public_prints_on_a_short_line(stack: tuple[str, ...]) -> None:
    seen: set[int] = set()
    kept = list(things(*stack))  # so that no id comes twice
    kinds: set[type[Any]] = set()
    for thing in inside(kept, seen):
        if type(thing) in PUBLIC or isinstance(thing, Part):
            kinds.add(type(thing))
            check_repr(thing)
    assert len(kinds) >= 25


def check_repr(thing: object) -> None:
    text = repr(thing)
    assert len(text) <= (LONGEST_WHOLE if isinstance(thing, WHOLE) else LONGEST), (type(thing), len(text), text)
    assert "\n" not in text and " object at 0x" not in text, text


def test_no_public_class_prints_an_address() -> None:
    """What has no state of its own, such as a protocol, is never printed."""
    plain: Any = object.__repr__
    bare = {name for kind, name in PUBLIC.items() if kind.__repr__ is plain}
    assert bare == {"Chance", "KeepRule", "Player"}
    assert all(getattr(kind, "_is_protocol", False) for kind, name in PUBLIC.items() if name in bare)


def test_what_authors_and_embedders_make_prints_on_a_short_line(tmp_path: Path) -> None:
    rules = rules_of("nordic-countries")
    game = ttr.arrange(rules, {"seed": 1, "players": [{"hand": {"red": 6, "blue": 6, "locomotive": 8}}, {}]})
    report = Report()
    for number in range(30):
        report.add(f"players[{number}]", "is not there")
    prices = rules.economy.prices([Cost("single", 3), Cost("station", 2)])
    stand_ins = economy_of(rules.economy, TrainCards).bill(Cost("single", 2, "red", wilds=1)).stand_ins
    with ttr.Journals(tmp_path / "games.db") as journals:
        journal = journals.begin(game, "a")
        things = [
            *(
                journals,
                journal,
                report,
                Transaction(game.state),
                Transaction(game.state, []),
                Dealer(7),
                Dealer("x" * 500),
            ),
            *(Pool([12] * 8), prices, stand_ins),
            *(*rules.action_rules, *game.offer(0).kinds, Bot("Ada")),
            *(each for kind in game.offer(0).kinds for each in kind.purchases),
        ]
        for thing in things:
            check_repr(thing)
    assert repr(report).startswith("<Report of 30 problems: players[0]: is not there, ")
    assert repr(prices) == "<CardPrices of 2 costs>" and repr(Pool([2, 1])) == "Pool((2, 1))"
    assert repr(Transaction(game.state, [])).startswith("<Transaction: 0 events, <State of nordic-countries: ")


def test_other_things_that_are_looked_at() -> None:
    others = [*ttr.installed(), *official_stacks(), *rulebook().values(), Bot("Ada"), PluginInfo("a", "A")]
    others += [ttr_maps.load(name) for name in ttr_maps.NAMES]
    for thing in others:
        assert len(repr(thing)) <= LONGEST and "\n" not in repr(thing), thing


def test_reprs_say_what_matters() -> None:
    rules = rules_of("europe")
    assert repr(rules.board) == "<Board Europe: 47 cities, 101 routes, 101 tickets>"
    assert repr(rules.deck) == "<TicketDeck: 6 long, 40 regular>" and isinstance(rules.deck, TicketDeck)
    assert repr(rules.network) == "<Network of 47 cities and 101 routes>"
    assert repr(rules.economy) == "<TrainCards>"
    assert repr(rules.rulebook["C5"]) == "<Rule C5: Never both halves>"
    ticket = rules.tickets["brest-petrograd"]
    assert repr(ticket).startswith(
        "Ticket(id='brest-petrograd', cities=('brest', 'petrograd'), points=20, kind='long', "
    )
    assert eval(repr(ticket), {"Ticket": ttr.Ticket}) == ticket
    route = rules.board.routes["paris-zurich-gray"]
    assert repr(route) == "Route(id='paris-zurich-gray', cities=('paris', 'zurich'), length=3, tunnel=True)"
    assert eval(repr(route), {"Route": ttr.Route}) == route

    position = {
        "seed": 1,
        "players": [{"name": "Ada", "hand": {"red": 3}, "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}],
    }
    game = ttr.arrange(rules, position)
    assert repr(game.view(0)) == "<View of Ada, seat 0: 4 points, 42 cars, 0 tickets; Ada to act>"
    assert repr(game.view(None)) == "<View of a spectator: scores [4, 0], Ada to act>"
    assert repr(game.state) == "<State of europe: scores [4, 0], pending Turn of seat 0>"
    claim = ttr.ClaimRoute(0, "berlin-frankfurt-red", {"red": 3})
    played = rules.play(game.state, claim)
    assert isinstance(played, Played)
    assert repr(played) == (
        "<Played: CardsSpent, RouteClaimed, TurnEnded, TurnBegun; "
        "<State of europe: scores [8, 0], pending Turn of seat 1>>"
    )
    game.play(claim)
    assert repr(game.moves[0]) == repr(tuple(game.moves[0]))
    assert repr(game.last_move) == repr(game.last_move.events)
    assert repr(game.offer(1)).startswith("<Offer of ") and "core.DrawTickets" in repr(game.offer(1))
    assert repr(game.messages(0, 1)) == "(<SeenMove 1 by seat 0: 4 events>,)"
    many = ttr.new_game("europe", players=2, seed=1)
    play_game(many)
    assert len(repr(many.view(0).owners)) <= LONGEST and repr(many.view(0).owners).endswith("…}")


def test_a_map_that_cannot_be_changed_prints_as_one_that_can() -> None:
    from ttr_rules.sequences import FrozenMap

    assert repr(FrozenMap({"berlin": 1, "wien": 2})) == "{'berlin': 1, 'wien': 2}" and repr(FrozenMap()) == "{}"
    assert repr(FrozenMap(dict.fromkeys(range(20)))).endswith(", 11: None, 12: Non…}")
