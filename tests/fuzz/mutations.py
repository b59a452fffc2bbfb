"""Valid documents and what becomes of them: the strategies that tests/test_fuzz.py and the fuzz targets share.

A document is plain data (a map, a score file, a position, a saved game, an action). `mutated(document)` changes some places in
it: values of other types, huge and empty ones, very many of them, entries that are missing, doubled, moved from elsewhere. `broken(text)`
changes the text of a document instead: cut, repeated, with other characters in it.
"""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

import ttr_rules as ttr
from ttr_rules import clients
from ttr_rules.saves.moves import converter
from ttr_tools.bots import play_game

#: Values that are put in the place of others.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 2.5, float("nan"), float("inf"), 10**30, -(10**30), "", "x", "paris", "red", "europe", "1",
    "\x00", "\ud800", "\u202e", "x" * 3000, [], {}, [[]], {"": ""}, {"seat": 0}, ["paris", "wien"], {"red": -1}, {"red": True},
    {"red": 10**30}, [[[[[[]]]]]], {"type": "core.DrawBlind", "seat": 0},
)  # fmt: skip


@cache
def maps() -> tuple[dict[str, Any], ...]:
    """The maps that come along, as plain data, and a small one."""
    found: list[dict[str, Any]] = []
    for name in ("europe", "north_america", "switzerland", "marklin"):
        merged: dict[str, Any] = {}
        for file in sorted(files("ttr_maps").joinpath(name).iterdir(), key=lambda each: each.name):
            if file.name.endswith(".toml"):
                for key, value in tomllib.loads(file.read_text(encoding="utf-8")).items():
                    merged[key] = [*merged.get(key, []), *value] if isinstance(value, list) else value
        found.append(merged)
    toy = {
        "id": "toy", "name": "Toy", "points": {"1": 1, "2": 2},
        "cities": [{"id": "ada", "name": "Ada", "x": 1.5, "y": 2}, {"id": "bree", "name": "Bree", "country": "land"}],
        "routes": [{"cities": ["ada", "bree"], "length": 2, "color": "red", "double_group": "m", "tunnel": True},
                   {"cities": ["ada", "bree"], "length": 2, "color": "gray", "double_group": "m", "ferry_locomotives": 1, "marks": ["m"]}],
        "tickets": [{"cities": ["ada", "bree"], "points": 2, "logos": ["big"], "kind": "long"},
                    {"cities": ["ada"], "alternatives": {"bree": 3}}],
        "unequal_doubles": ["m"], "extra": {"tokens": [{"city": "ada", "tokens": [7, 6]}]},
    }  # fmt: skip
    return (toy, *found)


SCORES: tuple[dict[str, Any], ...] = (
    {"stack": ["europe"], "rulings": {"station_choice": "ask"}, "players": [
        {"name": "Ada", "routes": [["paris", "zurich"], "munchen-zurich-yellow"], "stations": ["berlin"], "tickets": [["paris", "wien"]],
         "lends": {"berlin": ["berlin", "wien", "green"]}},
        {"name": "Isambard", "tickets": [["paris", "wien", 8], ["roma", "kyiv", 5]], "routes": ["berlin-wien-green"]}]},
    {"stack": ["north-america"], "players": [{"name": "A", "routes": [["boston", "montreal"]]}, {"name": "B"}]},
    {"stack": ["marklin", "germany-tickets"], "players": [{"tokens": {"berlin": [7]}, "passengers": ["ulm"]}, {}]},
)  # fmt: skip
POSITIONS: tuple[dict[str, Any], ...] = (
    {"stack": ["europe"], "seed": 1, "to_act": "Ada", "turns_left": 2, "rulings": {"second_card_optional": True},
     "face_up": ["red", "blue", "green", "locomotive", "white"], "draw_pile": ["red"], "draw_pile_complete": True, "discards": ["blue"],
     "ticket_pile": [["paris", "wien"]],
     "players": [{"name": "Ada", "hand": {"red": 3, "locomotive": 1}, "cars": 30, "routes": [["paris", "zurich"]], "stations": ["berlin"]},
                 {"name": "Isambard", "tickets": [["roma", "smyrna"]]}]},
    {"stack": ["europe", "dice"], "seed": "a", "parts": {"dice": {"faces": ["single", "single", "double", "double", "station"],
     "tokens": {"Ada": {"single_token": 1}}}}, "players": [{"name": "Ada"}, {"name": "B"}]},
    {"stack": ["marklin", "germany-tickets"], "seed": 2, "players": [{"hand": {"passenger": 2}}, {}, {}]},
)  # fmt: skip
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("variants",),
    ("explain", "europe:station_choice=ask"),
    ("board", "europe"),
    ("play", "europe", "--players", "2", "--seed", "1", "--quiet"),
    ("play", "north-america", "--players", "2", "--seed", "x", "--json"),
    ("score", "-"),
    ("perft", "two-cities.perft"),
)


@cache
def saves() -> tuple[dict[str, Any], ...]:
    """Saved games: in set-up, in play, with dice, and arranged ones."""
    found: list[dict[str, Any]] = []
    for stack, actions in (
        (("europe",), 0),
        (("north-america",), 12),
        (("switzerland", "dice"), 25),
        (("germany-tickets",), 9),
    ):
        game, random = ttr.new_game(*stack, players=2, seed=3), Random(3)
        for _ in range(actions):
            choices = game.legal_actions(game.to_act[0])
            game.play(choices[random.randrange(len(choices))])
        found.append(json.loads(ttr.dumps(game)))
    for position in POSITIONS:
        game = ttr.arrange(None, position)
        for number in range(3):
            choices = game.legal_actions(game.to_act[0])
            game.play(choices[number % len(choices)])
        found.append(json.loads(ttr.dumps(game)))
    return tuple(found)


@cache
def actions() -> tuple[tuple[ttr.Rules, dict[str, Any]], ...]:
    """Actions of games as JSON has them, with their rules."""
    found: dict[str, tuple[ttr.Rules, dict[str, Any]]] = {}
    for stack in (("europe",), ("europe", "dice"), ("germany-tickets",)):
        game, random = ttr.new_game(*stack, players=2, seed=3), Random(4)
        made = converter(game.rules)
        while game.to_act:
            choices = game.legal_actions(game.to_act[0])
            action = choices[random.randrange(len(choices))]
            found.setdefault(f"{stack} {type(action).__name__}", (game.rules, made.unstructure(action)))
            game.play(action)
    return tuple(found.values())


@cache
def messages() -> tuple[tuple[ttr.Rules, dict[str, Any]], ...]:
    """What servers and clients send each other: messages with views, events and decisions of games, with their rules."""
    found: list[tuple[ttr.Rules, dict[str, Any]]] = []
    for stack, actions in (
        (("europe",), 0),
        (("pennsylvania",), 30),
        (("marklin", "germany-tickets"), 24),
        (("europe", "dice"), 16),
    ):
        game, random = ttr.new_game(*stack, players=3, seed=3), Random(5)
        for _ in range(actions):
            choices = game.legal_actions(game.to_act[0])
            game.play(choices[random.randrange(len(choices))])
        seat = game.to_act[0]
        action = game.legal_actions(seat)[0]
        sent: list[clients.ServerMessage | clients.ClientMessage] = [
            *(clients.Update.of(game, each, max(0, actions - 3)) for each in (0, 1, 2, None)),
            clients.Hello.of(game, None),
            clients.Join("x", 3),
            clients.Act(action, game.played),
            clients.ListPayments(action),
            clients.ListActions(0),
        ]
        found += [(game.rules, ttr.to_json(game.rules, message)) for message in sent]
    game = ttr.new_game("europe", players=2, seed=1)
    play_game(game)
    found.append((game.rules, ttr.to_json(game.rules, clients.Over.of(game))))
    return tuple(found)


# -- changes -------------------------------------------------------------------------------------------------------


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, each in value.items():
            found += _places(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value[:60]):
            found += _places(each, (*path, number))
    return found


def mutated(document: Any, random: Random, changes: int = 2) -> Any:
    """A copy of a document with some changes."""
    new = json.loads(json.dumps(document))
    for _ in range(changes):
        places = _places(new)
        if not places:
            return deepcopy(random.choice(ODD))
        *way, last = random.choice(places)
        parent = new
        for step in way:
            parent = parent[step]
        kind = random.randrange(7)
        if random.random() < 0.01:  # very much of it: whatever is read must be read in little time
            very_many = random.choice([3_000, 30_000, 90_000])
            parent[last] = random.choice(
                [[parent[last]] * min(very_many, 1_000_000 // (1 + len(json.dumps(parent[last])))),
                 {f"{number}": number for number in range(very_many)}, "x" * 10 * very_many]
            )  # fmt: skip
        elif kind == 0:
            del parent[last]
        elif kind == 1 and isinstance(parent, list):
            parent.insert(last, parent[random.randrange(len(parent))])
        elif kind == 2 and isinstance(parent, dict):
            parent[random.choice([str(last) + "x", "", "type", "seat", "\x00", "id"])] = parent.pop(last)
        elif kind == 3:  # something from elsewhere in the document
            other = new
            for step in random.choice(places):
                try:
                    other = other[step]
                except (KeyError, IndexError, TypeError):
                    break
            parent[last] = json.loads(json.dumps(other)) if other is not new else None
        elif kind == 4 and isinstance(parent[last], int | float) and not isinstance(parent[last], bool):
            parent[last] = parent[last] * random.choice([-1, 0, 2, 10**6, 10**40]) + random.choice([0, 1, -1])
        elif kind == 5 and isinstance(parent[last], str):
            parent[last] = broken(parent[last], random)
        else:
            parent[last] = deepcopy(random.choice(ODD))
    return new


def broken(text: str, random: Random, changes: int = 1) -> str:
    """A text with some of it cut, repeated or replaced."""
    for _ in range(changes):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 1, 2, 5, 40]))
        new = random.choice(
            [
                "",
                text[start:end] * 2,
                "\x00",
                '"',
                "[",
                "]",
                "{",
                "}",
                "=",
                "\n",
                "\ud800",
                "9" * 30,
                "é",
                "1e999",
                "null",
                "'''",
                "-",
            ]
        )
        text = text[:start] + new + text[end:]
    return text


def to_toml(value: Any, key: str = "") -> str:
    """A document as TOML, everything in one line a key; what TOML has no word for is left out."""

    def inline(each: Any) -> str:
        if isinstance(each, dict):
            return (
                "{"
                + ", ".join(f"{json.dumps(name)} = {inline(one)}" for name, one in each.items() if one is not None)
                + "}"
            )
        if isinstance(each, list):
            return "[" + ", ".join(inline(one) for one in each if one is not None) + "]"
        return json.dumps(each).replace("Infinity", "inf").replace("NaN", "nan")

    return (
        "\n".join(f"{json.dumps(name)} = {inline(each)}" for name, each in value.items() if each is not None)
        if isinstance(value, dict)
        else inline(value)
    )
