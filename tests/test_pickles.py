"""Everything public can be sent to another process and copied, or says at once why not."""

from __future__ import annotations

import copy
import inspect
import json
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import attrs
import pytest
from helpers import names_in, rules_of
from official import every_map
from processes import HERE, THIRD_PARTY, installed_in, run

import ttr_rules as ttr
from ttr_rules import (
    actions,
    determinize,
    events as facts,
    hints,
    language,
    parts,
    plugins,
    scores,
)
from ttr_rules._internal.native import state_of
from ttr_rules.clients.converting import expose_parts
from ttr_rules.errors import InvalidTableError, MapError, OutdatedActionError, PluginError
from ttr_rules.model import Dealer, SeededChance
from ttr_rules.plugins import Below, DrawCounts, Variant, hookimpl, rulebook
from ttr_rules.scores import Loan
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import CardOptions, TrainCards
from ttr_tools.bots import Bot, play_game
from ttr_variants.europe.stations import Stations

PICKLERS = ["pickle", *(["cloudpickle"] if find_spec("cloudpickle") else [])]

# -- to a fresh process --------------------------------------------------------------------------------------------

SEND = """
import json, pickle, sys
from half_played import CASES, half_played, play_on
dumps = __import__(sys.argv[1]).dumps
cases = list(CASES.items())
for name, make in cases if sys.argv[1] == "pickle" else cases[::3]:
    sent = half_played(make())
    data = dumps(sent)
    print(json.dumps([name, data.hex(), play_on(sent)]))
"""
RECEIVE = """
import json, pickle, sys
for line in sys.stdin:
    name, data = json.loads(line)
    from half_played import play_on
    print(json.dumps([name, play_on(pickle.loads(bytes.fromhex(data)))]))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One in which a third party's package is installed."""
    found = installed_in(tmp_path_factory.mktemp("site"), THIRD_PARTY / "telegraph")
    return {**found, "PYTHONPATH": os.pathsep.join([str(HERE), found["PYTHONPATH"]])}


@pytest.mark.slow
@pytest.mark.thorough_but("cloudpickle")
@pytest.mark.parametrize("pickler", PICKLERS)
def test_a_game_goes_on_in_a_fresh_process_as_it_would_here(
    pickler: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """Its rules, bots, actions and hashes with it, whatever plugins the rules were compiled from; with cloudpickle, some of them."""
    sent = run({**environment, "PYTHONHASHSEED": "1"}, "-c", SEND, pickler, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    lines = [json.loads(line) for line in sent.stdout.splitlines()]
    given = "".join(json.dumps(line[:2]) + "\n" for line in lines)
    received = run({**environment, "PYTHONHASHSEED": "2"}, "-c", RECEIVE, cwd=tmp_path, stdin=given)
    assert received.returncode == 0, received.stderr
    there = dict(map(json.loads, received.stdout.splitlines()))
    assert len(there) == (11 if pickler == "pickle" else 4)
    assert there == {name: result for name, _, result in lines}


POOL = '''
import multiprocessing
import ttr_rules as ttr
from ttr_rules.plugins import DrawCounts, Variant, hookimpl, option
from ttr_tools.bots import Bot, play_game
from ttr_variants.europe.stations import Stations

class Generous(Variant, name="generous"):
    """Generous: a plugin of the script itself."""
    extra: int = option(0)

    @hookimpl
    def draw_counts(self, below, board):
        return DrawCounts(drawn=4 + self.extra)

def played(game, bots):
    play_game(game, bots)
    return game

if __name__ == "__main__":
    rules = ttr.compile_rules("north-america", Generous(extra=1))
    games = [ttr.new_game(rules=rules, players=2, seed=seed) for seed in (1, 2)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.starmap(played, [(game, [Bot(1), Bot(2)]) for game in games])
    assert [game.is_over for game in games] == [False, False]
    for game in games:
        play_game(game, [Bot(1), Bot(2)])
    assert found == games and found[0].rules is found[1].rules, "games of the same rules share them"
    print(found[0].rules.draw_counts.drawn)
'''


@pytest.mark.slow
def test_the_workers_of_a_pool_play_games_with_a_plugin_of_the_script(tmp_path: Path) -> None:
    (tmp_path / "pool.py").write_text(POOL, encoding="utf-8")
    done = run(dict(os.environ), "pool.py", cwd=tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, "5"), done.stderr


SCRIPT = (
    POOL.split("def played")[0]
    + """
import sys
rules = ttr.compile_rules("north-america", Generous(extra=2))
print(__import__(sys.argv[1]).dumps([ttr.new_game(rules=rules, players=2, seed=1), Generous]).hex())
"""
)
ARRIVE = """
import pickle, sys
game, kind = pickle.loads(bytes.fromhex(sys.stdin.read()))
seat = game.to_act[0]
assert game.is_legal(game.legal_actions(seat)[0]) and game.play(game.legal_actions(seat)[0])
print(game.rules.draw_counts.drawn, kind.__module__)
"""


@pytest.mark.slow
@pytest.mark.parametrize("pickler", PICKLERS)
def test_a_plugin_of_a_script_goes_where_its_class_goes(pickler: str, tmp_path: Path) -> None:
    """Into any process with cloudpickle; plain pickle says which class it does not find."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    sent = run(dict(os.environ), "script.py", pickler, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    there = run(dict(os.environ), "-c", ARRIVE, cwd=tmp_path, stdin=sent.stdout)
    if pickler == "pickle":
        assert there.returncode == 1 and "Can't get attribute 'Generous' on <module '__main__'" in there.stderr
    else:
        assert (there.returncode, there.stdout) == (0, "6 __main__\n"), there.stderr


HALF_PLAYED = """
import cloudpickle
from random import Random
rules, random = ttr.compile_rules("europe", FlagsPlugin()), Random(1)
game = ttr.new_game(rules=rules, players=2, seed=1)
while game.played < 40:
    choices = game.legal_actions(game.to_act[0])
    game.play(choices[random.randrange(len(choices))])
print(cloudpickle.dumps([game, game.state, RaiseFlag]).hex())
"""
PLAY_ON = """
import pickle, sys
import ttr_rules as ttr
from ttr_tools.bots import Bot, play_game
from ttr_variants.europe.stations import Stations
game, state, kind = pickle.loads(bytes.fromhex(sys.stdin.read()))
assert game.state == state and kind.__module__ == "__main__"
assert any(type(move.action) is kind for move in game.moves), "no flag was raised"
play_game(game)
assert ttr.loads(ttr.dumps(game), rules=game.rules, verify=True) == game
print(len([ttr.to_json(game.rules, move) for move in game.messages(None, 0)]) == len(game.moves))
"""


@pytest.mark.slow
def test_a_mechanic_of_a_notebook_is_played_and_saved_elsewhere(tmp_path: Path) -> None:
    """Its actions, events and state are classes of `__main__`, which cloudpickle sends as they are."""
    pytest.importorskip("cloudpickle")
    source = (HERE / "plugins" / "flags.py").read_text(encoding="utf-8")
    (tmp_path / "notebook.py").write_text(f"{source}\nimport ttr_rules as ttr\n{HALF_PLAYED}", encoding="utf-8")
    sent = run(dict(os.environ), "notebook.py", cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    there = run(dict(os.environ), "-c", PLAY_ON, cwd=tmp_path, stdin=sent.stdout)
    assert (there.returncode, there.stdout) == (0, "True\n"), there.stderr


# -- what cannot be sent -------------------------------------------------------------------------------------------


class Homemade(Variant, name="homemade"):
    """Homemade: more tickets are drawn."""

    drawn: ClassVar[int] = 5

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        return DrawCounts(drawn=self.drawn)


def test_a_plugin_that_cannot_be_imported_is_told_at_once() -> None:
    class Local(Homemade, name="local"):
        """Local: a class in a function."""

    rules = ttr.compile_rules("europe", Local)
    for thing in (rules, ttr.new_game(rules=rules, players=2, seed=1)):
        with pytest.raises((pickle.PicklingError, AttributeError), match=r"(pickle|local object).*Local"):
            pickle.dumps(thing)
        assert copy.copy(thing) is not None and copy.deepcopy(thing) is not None


def test_rules_that_are_others_on_arrival_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin of another version answers otherwise: games would go on by other rules."""
    sent = pickle.dumps(ttr.compile_rules("europe", Homemade))
    assert pickle.loads(sent).draw_counts.drawn == 5
    monkeypatch.setattr(Homemade, "drawn", 6)
    with pytest.raises(PluginError, match=r"europe \+ homemade .*fingerprints differ.*the same versions"):
        pickle.loads(sent)


class Dice:
    """A caller's chance that can be sent: it counts its calls."""

    def __init__(self) -> None:
        self.random = Random(1)

    def shuffled(self, items: Any) -> Any:
        return self.random.sample(list(items), len(items))

    def roll(self, faces: Any) -> Any:
        return self.random.choice(faces)


class Scripted(Dice):
    """One that holds what cannot be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.script: Iterator[int] = (number for number in range(5))


def test_a_chance_that_cannot_be_sent_or_copied_is_told_at_once() -> None:
    game = ttr.new_game("europe", players=2, chance=Scripted())
    for thing in (game, game.state, [game]):
        for call in (pickle.dumps, copy.deepcopy):
            with pytest.raises(
                ttr.InvalidInputError, match="Scripted: cannot pickle 'generator' object.*__getstate__.*loads"
            ):
                call(thing)
    assert copy.copy(game) == game and copy.copy(game).state.chance is game.state.chance
    assert ttr.loads(ttr.dumps(game), chance=Scripted()) == game


@pytest.mark.slow
def test_a_chance_goes_with_its_game() -> None:
    """On from where it is, and each copy on its own."""
    game = ttr.new_game("europe", players=2, chance=Dice())
    twins = [pickle.loads(pickle.dumps(game)), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for each in twins:
        assert each == game
        play_game(each)
        assert each.is_over and each == twins[0]
    assert not game.is_over
    state = game.state
    for each in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
        assert each == state and each.chance is not state.chance and isinstance(each.chance, Dice)
    assert copy.copy(state).chance is state.chance


def test_a_journal_stays_where_its_file_is(tmp_path: Path) -> None:
    with ttr.Journals(tmp_path / "games.db") as journals:
        journal = journals.begin(ttr.new_game("europe", players=2, seed=1))
        calls: tuple[Callable[[object], object], ...] = (pickle.dumps, copy.copy, copy.deepcopy)
        for call in calls:
            for thing in (journal, journals):
                with pytest.raises(
                    ttr.InvalidInputError, match=r"a journal cannot be pickled or copied.*journal\.game"
                ):
                    call(thing)
        assert pickle.loads(pickle.dumps(journal.game)) == journal.game


# -- copies --------------------------------------------------------------------------------------------------------


@every_map
@pytest.mark.parametrize(
    "how",
    [copy.copy, copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_of_a_game_is_one_of_its_own(how: Callable[[Any], Any], stack: tuple[str, ...]) -> None:
    """To play on it changes nothing here, and the other way round; so it is for states."""
    game = ttr.new_game(rules=rules_of(*stack), players=2, seed=3)
    random = Random(3)
    for _ in range(25):  # less than any game of two
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[random.randrange(len(choices))])
    before = game.copy()
    state, text = game.state, repr(game.state.values())
    other, other_state = how(game), how(state)
    assert other == game and other.rules is game.rules and other_state == state
    action = other.legal_actions(other.to_act[0])[0]
    events = other.play(action)
    assert game == before and other != game
    assert game.play(action) == events and game == other
    other_state.scores[0] += 1
    other_state.parts.clear()
    assert repr(state.values()) == text


@pytest.mark.slow
@pytest.mark.thorough_but("europe-copy", "germany-tickets+dice-pickle", "nordic-countries-deepcopy")
@pytest.mark.parametrize(
    "how", [copy.copy, copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))], ids=["copy", "deepcopy", "pickle"]
)
@pytest.mark.parametrize("stack", [("europe",), ("nordic-countries",), ("germany-tickets", "dice")], ids="+".join)
def test_a_copy_of_a_used_bot_decides_as_the_bot_would(how: Callable[[Any], Any], stack: tuple[str, ...]) -> None:
    """And takes no chance away from it."""
    game, bots = ttr.new_game(rules=rules_of(*stack), players=2, seed=1), [Bot(1), Bot(2)]
    while len(game.moves) < 30:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))
    copies = [how(bot) for bot in bots]
    twin = game.copy()
    play_game(game, bots)
    play_game(twin, copies)
    assert game == twin


def test_rules_are_their_own_copies_and_boards_have_equal_ones() -> None:
    rules = rules_of("europe")
    assert copy.copy(rules) is rules and copy.deepcopy(rules) is rules
    assert copy.deepcopy(rules.board) == rules.board
    assert pickle.loads(pickle.dumps(rules)) is ttr.compile_rules("europe")
    ruled = ttr.compile_rules("europe", rulings={"second_card_optional": True})
    assert pickle.loads(pickle.dumps(ruled)).plugin(CardOptions).second_card_optional


# -- everything public ---------------------------------------------------------------------------------------------


#: A function that can be sent, whatever it is said to give.
SENT: Any = max
#: What plugins of the maps below do not bring.
HOOKED: tuple[Any, ...] = (
    hints.ActionValue(ttr.DrawTickets, max),
    hints.BorrowHint(ttr.DrawTickets, SENT, SENT, 3),
    hints.LoanHint(ttr.DrawTickets, tuple),
    hints.RouteCosts(SENT),
    hints.TicketRoutes(SENT),
    hints.TurnsLeft(SENT),
    plugins.EconomyLayer(TrainCards()),
    scores.Detail("paris", 2),
    plugins.Mix(4, ("long", "regular")),
    plugins.load_variant({"name": "table", "title": "Table"}),
    plugins.Option("bags", 6, 6, (6, 8)),
    facts.CarsReturned(0, 1),
    facts.CarsUsed(0, 1),
    facts.LocationsArranged(0, "Stations", "built", ("paris",)),
    facts.NumberArranged(0, "Stations", "left", 1),
    facts.DeckCardDrawn(0, "double_ship", "ship"),
    facts.DeckShuffled(("ship", "double_ship"), "ship"),
    facts.PiecesSpent(0, ttr.Counts(coin=1)),
    facts.OpenCardDrawn(0, "forest"),
    facts.OpenCardsDealt(0, ("forest",)),
    facts.CardsDiscarded(0, ttr.Counts(red=1)),
    facts.CardExchanged(0, "red", "blue"),
    facts.CardsGiven(0, 1, ttr.Counts(red=1)),
    facts.FaceUpCleared("red", "blue", True),
    facts.RowReordered(("blue", "red")),
    facts.CardsLookedAt(0, ("red", "blue"), "train"),
    facts.CardsReordered(0, ("blue",), ("red",), "train"),
    facts.OpenCardsGiven(0, 1, ttr.Counts(forest=1)),
    facts.OpenHandArranged(0, ttr.Counts(forest=2)),
    facts.ItemsArranged("Market", "tickets", None, None, ("paris-wien",)),
    facts.UnseenItemsArranged("Warehouses", "stored", 0, None, ("red",)),
    facts.TurnsArranged(12),
    facts.SeatsArranged("Teams", "partner", 0, (1,)),
    facts.ExtraTurnBegun(0),
    parts.CarsOnRoutes(on={"paris-zurich-gray": 2}),
    parts.Fleets(left=[{"train": 20, "ship": 40}]),
    facts.ChoiceSealed(0, ttr.Pass(0)),
    facts.ChoicesOpened((ttr.Pass(0), ttr.Pass(1))),
    facts.FirstSeatChosen(0),
    facts.TurnContinued(0),
    facts.RouteCarsChanged(0, "paris-zurich-gray", 2),
    facts.FleetsSet(0, ttr.Counts({"ship": 5})),
    facts.PointsScored(0, "tolls", 2),
    facts.RoundBegun(2),
    facts.RoundEnded(2, 0),
    facts.RoutePointsScored(0, 2),
    facts.RouteFreed(0, "paris-zurich-gray", 4),
    facts.RouteShared(0, "paris-zurich-gray", 3),
    facts.TicketRevealed(0, "paris-wien"),
    facts.TurnGranted(0),
    facts.TurnPassed(0),
    facts.PassChosen(0),
    plugins.KeepBetween(most=1),
)


@cache
def samples() -> dict[type[Any], Any]:
    """One of every public class that there is one of in a game, its rules or its saves."""
    found: dict[type[Any], Any] = {}
    waiting: list[Any] = [
        rulebook(),
        *ttr.installed(),
        SeededChance(1),
        Bot(1),
        Dealer(1),
        Loan("paris", ("paris-dieppe-purple",)),
        language.Catalog("ttr_rules"),
        language.plural("{count} card is due, {seat}", "{count} cards are due, {seat}", 2, seat=language.Seat(1)),
        *HOOKED,
    ]
    for stack in [("europe", "dice"), ("germany-tickets",), ("nordic-countries",), ("europe",)]:
        game = ttr.new_game(rules=rules_of(*stack), players=2, seed=2)
        waiting += [
            game,
            game.rules,
            game.rules.network,
            game.state,
            *game.moves,
            game.rules.play(game.state, game.legal_actions(0)[0]),
        ]
        random = Random(1)
        while game.to_act and len(game.moves) < 400:
            choices = game.legal_actions(game.to_act[0])
            waiting += [choices, choices[0], choices[-1], game.decision(game.to_act[0])]
            move = choices[random.randrange(len(choices))]
            waiting += [*game.play(move), game.view(0), *game.view(None).pending, game.refusal(move)]
        waiting += [*game.events, *game.messages(None, 0)]
        players = [] if game.final_scores is None else game.final_scores.players
        waiting += [each for player in players for each in (player.longest_path, *player.tickets)]
        waiting += [game.final_scores, determinize(game.at(30).view(0), game.rules, 1).moves[0]]
        waiting += state_of(game.rules).values()
        waiting += expose_parts(game.rules).values()
        waiting += [price for rule in game.rules.action_rules for price in getattr(rule, "__dict__", {}).values()]
    british = ttr.compile_rules("united-kingdom")
    waiting += [*british.bot_hints]  # for what only it has
    waiting += [each for kind in british.part_types for each in (parts.keys_of(kind), kind.names)]
    notes = [hints.CityNote("wien", "7"), hints.CityPiece("wien", 0, "house"), hints.RouteNote("paris-wien", "X")]
    waiting += [language.Seat(1), *notes]
    tokens = ttr.new_game("europe", players=2, seed=1).state.part(Stations)
    waiting += [*parts.part_fields(Stations).values(), parts.Place(tokens, "left", 0)]
    waiting += ttr.arrange(
        None,
        {
            "stack": ["europe"],
            "seed": 1,
            "players": [
                {"hand": {"red": 3}, "cars": 20, "tickets": [["paris", "wien"]], "routes": ["paris-dieppe-purple"]},
                {},
            ],
        },
    ).events
    looked_at: Counter[type[Any]] = Counter()
    while waiting:
        thing = waiting.pop()
        kind = type(thing)
        if isinstance(thing, dict | FrozenMap):
            waiting += list(thing.values())[:40]
        elif isinstance(thing, tuple | list | set | frozenset):
            waiting += list(thing)[:40]
        if kind.__module__.startswith("ttr_") and not inspect.isroutine(thing) and looked_at[kind] < 40:
            looked_at[kind] += 1
            found.setdefault(kind, thing)
            slots = [name for each in kind.__mro__ for name in getattr(each, "__slots__", ())]
            waiting += [
                getattr(thing, name) for name in (*slots, *getattr(thing, "__dict__", {})) if hasattr(thing, name)
            ]
    return found


def error_of(kind: type[BaseException]) -> BaseException:
    refusal = ttr.Refusal("C1", "so")
    arguments: dict[type[Any], tuple[Any, ...]] = {
        ttr.IllegalActionError: (ttr.DrawBlind(0), refusal),
        OutdatedActionError: (3, 4),
        MapError: ("map", ["a", "b"]),
        InvalidTableError: ("table", ["a"]),
    }
    return kind(*next((given for each, given in arguments.items() if issubclass(kind, each)), ("so",)))


#: Public classes that no game, no rules and no save holds one of.
NOT_THERE = {
    "Chance": "a protocol", "KeepRule": "a protocol", "Action": "abstract", "Decision": "abstract", "Choice": "abstract", "Confirm": "abstract", "Choose": "made by each choice", "Event": "abstract", "Part": "abstract", "MapMark": "abstract",
    "Economy": "abstract", "Around": "compiled into what the engine calls", "Variant": "abstract", "ActionRule": "abstract", "SingleActionRule": "abstract", "LazyPayments": "abstract", "Journals": "says so itself",
    "Transaction": "lives as long as an action", "Position": "read while a table is", "Report": "read while a table is",
    "PlayerEntry": "read while a table is", "TableEntry": "read while a table is", "FieldOptions": "arguments of a function", "FieldOf": "a constant of a module",
}  # fmt: skip


#: Where the public classes are.
PUBLIC = (ttr, plugins, hints, actions, parts, scores, facts)


def public_classes() -> dict[str, type[Any]]:
    found = {name: getattr(module, name) for module in PUBLIC for name in names_in(module)}
    return {name: each for name, each in found.items() if inspect.isclass(each) and name not in NOT_THERE}


@pytest.mark.parametrize("name", public_classes())
def test_one_of_every_public_class_can_be_pickled_and_copied(name: str) -> None:
    kind: Any = public_classes()[name]
    if issubclass(kind, BaseException):
        thing: Any = error_of(kind)
    elif issubclass(kind, StrEnum):
        thing = next(iter(kind))
    else:
        found = [each for each in samples() if issubclass(each, kind)]
        if ttr.compiled and issubclass(kind, plugins.ActionRule | actions.Prices):
            # What is compiled comes with the rules of a stack, which are compiled again on arrival.
            found = [each for each in found if "__mypyc_attrs__" not in vars(each)]
        if ttr.compiled and not found:
            pytest.skip("a compiled object that is made with its rules, or that the garbage collector does not track")
        assert found, f"no {name} was found: play a game that has one, or say why there is none"
        thing = samples()[kind if kind in found else found[0]]
    for other in (
        pickle.loads(pickle.dumps(thing)),
        pickle.loads(pickle.dumps(thing, protocol=2)),
        copy.copy(thing),
        copy.deepcopy(thing),
    ):
        assert type(other) is type(thing)
        if isinstance(thing, BaseException):
            assert (str(other), vars(other)) == (str(thing), vars(thing))
        elif kind.__eq__ is not object.__eq__:
            assert other == thing
        elif attrs.has(type(thing)) and other is not thing and name != "Rules":
            for field in attrs.fields(type(thing)):
                if not field.init:
                    continue  # made of the others
                assert getattr(other, field.name) == getattr(thing, field.name), field.name


@pytest.mark.slow
@pytest.mark.pure
def test_everything_that_games_and_rules_hold_can_be_pickled() -> None:
    """Bundled plugins' own types too, but for what belongs to rules, which are compiled again on arrival."""
    failed = {}
    for kind, thing in samples().items():
        try:
            pickle.loads(pickle.dumps(thing))
        except Exception as error:
            failed[kind.__qualname__] = repr(error)
    assert set(failed) == {"TicketKinds", "ExposedPart"}, failed


@pytest.mark.parametrize(
    "name", [name for name in dir(ttr) if not name.startswith("_") and not inspect.isclass(getattr(ttr, name))]
)
def test_public_functions_and_values_can_be_pickled(name: str) -> None:
    thing = getattr(ttr, name)
    other = pickle.loads(pickle.dumps(thing))
    assert other == thing or type(other) is type(thing) is type(hookimpl)
