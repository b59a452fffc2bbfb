"""Night: when a turn begins a die is rolled; when it shows a moon, tunnels are closed in that turn."""

from __future__ import annotations

from collections.abc import Iterable

from ttr_rules import Event, Refusal, Route, State
from ttr_rules.plugins import Part, Rules, Transaction, Variant, hookimpl, public

FACES = ("sun", "sun", "moon")


class Sky(Part):
    """What the die shows, and the turns that were dark."""

    face: str = public(default="sun", label="Sky")
    nights: int = public(default=0, label="Nights so far")


class SkyRolled(Event):
    """The die was rolled at the beginning of a turn."""

    message = "The sky shows a {face}"
    face: str

    def apply(self, state: State) -> None:
        sky = state.part(Sky)
        sky.face = self.face
        sky.nights += self.face == "moon"


class Night(Variant, name="night"):
    """Night: a die closes the tunnels of a turn."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Sky,)

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        tx.emit(SkyRolled, tx.roll(FACES))

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        if state.part(Sky).face == "sun" or not route.tunnel:
            return None
        return Refusal("night", f"{route.id} is a tunnel, and it is night", lasting=False)

    @hookimpl
    def claim_key(self, state: State, seat: int) -> str:
        return state.part(Sky).face
