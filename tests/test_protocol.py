"""The version of the messages: what may change within one, held against the schema with which it began."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import ttr_rules as ttr
from ttr_rules.clients import PROTOCOL, Hello, client_schema, rules_from_json

#: The schema of a stack as it was when the version began, without descriptions. A new version has a new file.
BEGAN = Path(__file__).parent / "clients" / f"protocol-{PROTOCOL}.json"
STACK = "europe"
Schema = dict[str, Any]


def plain(value: Any) -> Any:
    """A schema without what is for people."""
    if isinstance(value, dict):
        # A property may be called "description" too: its schema is an object.
        return {
            key: plain(each)
            for key, each in value.items()
            if not (key in ("description", "title") and isinstance(each, str))
        }
    return [plain(each) for each in value] if isinstance(value, list) else value


def current() -> Schema:
    found: Schema = plain(client_schema(ttr.compile_rules(STACK)))["definitions"]
    return found


def named(value: Any) -> Iterator[str]:
    """The definitions that a schema refers to."""
    if isinstance(value, dict):
        yield from [value["$ref"].removeprefix("#/definitions/")] if isinstance(value.get("$ref"), str) else []
        for each in value.values():
            yield from named(each)
    elif isinstance(value, list):
        for each in value:
            yield from named(each)


def reached(schema: Schema, start: str) -> set[str]:
    """A definition and all that it refers to."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += named(schema[name])
    return found


def breaches(old: Schema, new: Schema) -> list[str]:
    """What breaks the promise of a version, in words."""
    requests, answers = reached(old, "ClientMessage"), reached(old, "ServerMessage")
    found: list[str] = []
    for name, before in old.items():
        if name not in new:
            found.append(f"{name} is gone")
            continue
        after = new[name]
        found += [f"{name}: {each['$ref']} is gone" for each in before.get("oneOf", ()) if each not in after["oneOf"]]
        for key, was in before.get("properties", {}).items():
            if after.get("properties", {}).get(key) != was:
                found.append(f"{name}.{key} is {after.get('properties', {}).get(key)}, and was {was}")
        needed, still = set(before.get("required", ())), set(after.get("required", ()))
        if name in answers:
            found += [f"{name}.{key} is not always sent any more" for key in sorted(needed - still)]
        if name in requests:
            found += [f"{name}.{key} has to be sent now" for key in sorted(still - needed)]
        rest = {"oneOf", "properties", "required"}
        others = [{key: each for key, each in one.items() if key not in rest} for one in (before, after)]
        if others[0] != others[1]:
            found.append(f"{name} is {others[1]}, and was {others[0]}")
    return found


def test_the_schema_keeps_what_its_version_promises() -> None:
    """If this fails, the change needs a new `PROTOCOL`, and a new file with the schema it begins with."""
    assert breaches(json.loads(BEGAN.read_text(encoding="utf-8")), current()) == []


def removed(schema: Schema) -> None:
    del schema["Hello"]["properties"]["players"]


def retyped(schema: Schema) -> None:
    schema["Update"]["properties"]["number"] = {"type": "string"}


def left_out(schema: Schema) -> None:
    schema["Over"]["required"].remove("scores")


def demanded(schema: Schema) -> None:
    schema["Join"]["properties"]["club"] = {"type": "string"}
    schema["Join"]["required"].append("club")


def renamed(schema: Schema) -> None:
    schema["ServerMessage"]["oneOf"].remove({"$ref": "#/definitions/Refused"})


def recolored(schema: Schema) -> None:
    schema["Color"]["enum"].remove("gray")


def undefined(schema: Schema) -> None:
    del schema["core.ClaimRoute"]


@pytest.mark.parametrize(
    ("change", "breach"),
    [
        (removed, "Hello.players is None"),
        (retyped, "Update.number is {'type': 'string'}"),
        (left_out, "Over.scores is not always sent any more"),
        (demanded, "Join.club has to be sent now"),
        (renamed, "ServerMessage: #/definitions/Refused is gone"),
        (recolored, "Color is "),
        (undefined, "core.ClaimRoute is gone"),
    ],
)
def test_a_change_that_breaks_clients_is_found(change: Callable[[Schema], None], breach: str) -> None:
    before = current()
    after = deepcopy(before)
    change(after)
    (found,) = breaches(before, after)
    assert found.startswith(breach)


def test_what_is_added_breaks_nothing() -> None:
    before = current()
    after = deepcopy(before)
    after["Hello"]["properties"]["club"] = {"type": "string"}
    after["Hello"]["required"].append("club")
    after["Join"]["properties"]["club"] = {"type": "string"}
    after["Greeting"] = {"type": "object"}
    after["ServerMessage"]["oneOf"].append({"$ref": "#/definitions/Greeting"})
    assert breaches(before, after) == []


def test_a_client_is_told_the_version_and_refuses_another() -> None:
    game = ttr.new_game(STACK, players=2, seed=1)
    hello = ttr.to_json(game.rules, Hello.of(game, seat=0))
    assert hello["protocol"] == PROTOCOL and rules_from_json(hello).same_as(game.rules)
    for other in (PROTOCOL + 1, None, "1"):
        with pytest.raises(
            ttr.InvalidInputError, match=rf"^hello\.protocol: .* version {other!r} .* version {PROTOCOL}$"
        ):
            rules_from_json(hello | {"protocol": other})
    del hello["protocol"]
    with pytest.raises(ttr.InvalidInputError, match="hello.protocol"):
        rules_from_json(hello)
