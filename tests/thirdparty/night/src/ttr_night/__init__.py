"""Night: when a turn begins a die is rolled; when it shows a moon, tunnels are closed in that turn."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, frozen

from ttr_rules import Event, Refusal, State
from ttr_rules.plugins import (
    ClaimCondition,
    GameData,
    Part,
    PartSpec,
    PluginInfo,
    Transaction,
    TurnHook,
    hookimpl,
    public,
)

info = PluginInfo("night", "Night", "A die closes the tunnels of a turn.")
FACES = ("sun", "sun", "moon")


@define(eq=False)
class Sky(Part):
    """What the die shows, and the turns that were dark."""

    face: str = public(default="sun", label="Sky")
    nights: int = public(default=0, label="Nights so far")


def start(rules: GameData, players: int) -> Part:
    return Sky()


@frozen
class SkyRolled(Event):
    """The die was rolled at the beginning of a turn."""

    message = "The sky shows a {face}"
    face: str

    @staticmethod
    def effect(state: State, face: str) -> None:
        sky = state.part(Sky)
        sky.face = face
        sky.nights += face == "moon"


def roll(tx: Transaction, seat: int) -> bool:
    tx.emit(SkyRolled, tx.roll(FACES))
    return False


def dark(state: State, seat: int, route: str) -> Refusal | None:
    if state.part(Sky).face == "sun" or not state.rules.board.routes[route].tunnel:
        return None
    return Refusal("night", f"{route} is a tunnel, and it is night")


@hookimpl
def state_parts() -> Iterable[PartSpec]:
    return (PartSpec(Sky, start),)


@hookimpl
def event_types() -> Iterable[type[Event]]:
    return (SkyRolled,)


@hookimpl
def turn_begins() -> Iterable[TurnHook]:
    return (TurnHook("night", roll),)


@hookimpl
def claim_conditions() -> Iterable[ClaimCondition]:
    return (ClaimCondition("night", dark),)
