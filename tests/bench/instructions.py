"""How many instructions of the processor random games take with a plugin, as a multiple of the same games without it.

`python tests/bench/instructions.py` with the compiled build; needs valgrind. Unlike seconds, instructions are the same on a busy
machine. It fails if a plugin takes more than its ceiling.
"""

from __future__ import annotations

import ctypes
import gc
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ttr_bench.permits import Permits, PermitTaken, TakePermit, TakePermitRule

import ttr_rules as ttr
from ttr_rules import Board, Refusal, Route, State, Turn
from ttr_rules.model import Cost
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Economy,
    EconomyLayer,
    Part,
    Rules,
    Transaction,
    Variant,
    hookimpl,
)
from ttr_rules.train_cards import Lot, Reading

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from plugins.ported.rails_sails import COLORS, TwoDecks  # noqa: E402

LONG = 6
MANY_CARS = 40


class Keyed(Variant, name="keyed"):
    """Keyed: seats with many cars claim no long routes."""

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        return Refusal("keyed", "too long") if route.length >= LONG and state.cars[seat] > MANY_CARS else None

    @hookimpl
    def claim_key(self, state: State, seat: int) -> bool:
        return state.cars[seat] > MANY_CARS


class Keyless(Variant, name="keyless"):
    """Keyless: the same without a key."""

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        return Refusal("keyless", "too long") if route.length >= LONG and state.cars[seat] > MANY_CARS else None


class OneNetwork(Variant, name="one-network"):
    """One network: whoever has a route continues from a city of it."""

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        if not state.routes(seat) or any(state.reaches(seat, city) for city in route.cities):
            return None
        return Refusal("one-network", "it touches no route of this seat", lasting=False)

    @hookimpl
    def closed_routes(self, state: State, seat: int) -> int:
        return state.routes_apart(seat)


class Connected(Variant, name="connected"):
    """Connected: the same with a key that changes at every claim."""

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        if not state.routes(seat) or any(state.reaches(seat, city) for city in route.cities):
            return None
        return Refusal("connected", "it touches no route of this seat", lasting=False)

    @hookimpl
    def claim_key(self, state: State, seat: int) -> tuple[str, ...]:
        return tuple(state.routes(seat))


class FixedWordsRule(TakePermitRule):
    """The same in fixed words: what it takes to fill a message in is not what is counted."""

    def refusal(self, state: State, decision: Turn, action: TakePermit) -> Refusal | None:
        return Refusal("permits", "there is a permit already") if state.part(Permits).held[action.seat] else None


class OwnActions(Variant, name="own-actions"):
    """Own actions: each seat may take a permit."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Permits,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (FixedWordsRule(),)


class OwnEvents(Variant, name="own-events"):
    """Own events: each claim is noted."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Permits,)

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: Route, points: int) -> None:
        tx.emit(PermitTaken, seat)


class Unchanged(EconomyLayer):
    """A layer that changes no payment."""


class UnchangedLayer(Variant, name="unchanged"):
    """Unchanged: a layer that changes no payment."""

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return Unchanged(below())


class SameCosts(EconomyLayer):
    """A layer that looks at each cost."""

    def cost(self, state: State, seat: int, cost: Cost) -> Cost:
        return cost


class CostLayer(Variant, name="cost-layer"):
    """Cost layer: a layer that looks at each cost."""

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return SameCosts(below())


class ClaimCosts(Variant, name="claim-costs"):
    """Claim costs: `claim_cost` without a key."""

    @hookimpl
    def claim_cost(self, state: State, seat: int, route: Route, cost: Cost) -> Cost:
        return cost


OTHER_COLORS = {"orange": "yellow", "blue": "purple"}


class ShipsOnGray(TwoDecks):
    """The cards of Rails & Sails on a map of land: ships for the gray routes that are longer than one space."""

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        colors = [OTHER_COLORS.get(cost.color, cost.color)] if cost.color else COLORS
        if not cost.color and cost.spaces > 1:
            return [Reading(Lot({f"ship_{c}_port": 1, f"double_ship_{c}": 2}, cost.spaces, spare=1)) for c in colors]
        return [Reading(Lot({f"train_{c}": 1, f"train_{c}_port": 1}, cost.spaces)) for c in colors]


class TwoDeckMap(Variant, name="two-decks"):
    """Two decks: trains and ships on the map of North America."""

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return ShipsOnGray()


#: By plugin the most that games may take, as a multiple of games of Europe without it, and how many are played to find out: what it
#: takes now and a little more.
CEILINGS: Mapping[type[Variant], tuple[float, int]] = {
    Keyed: (1.2, 20),
    OwnActions: (1.26, 20),
    UnchangedLayer: (1.03, 20),
    OwnEvents: (1.15, 20),
    OneNetwork: (1.31, 20),
    Keyless: (2.30, 5),
    Connected: (10.75, 3),
    CostLayer: (1.08, 3),
    ClaimCosts: (1.05, 3),
    TwoDeckMap: (3, 20),
}
#: The numbers of games.
NUMBERS = sorted({games for _, games in CEILINGS.values()}, reverse=True)
#: The map of a plugin, if it is not Europe.
MAPS: Mapping[type[Variant], str] = {TwoDeckMap: "north-america"}
#: Starts counting; until then valgrind runs ten times as fast.
START = "#include <valgrind/callgrind.h>\nvoid start(void) { CALLGRIND_START_INSTRUMENTATION; }\n"


def play(rules: Rules, seeds: Iterable[int]) -> None:
    """Play some random games."""
    for seed in seeds:
        ttr.playout(rules, 4, seed=seed)


def stacks() -> Iterator[tuple[Rules, int]]:
    """What is counted, with how many games: first, once for each number of games, Europe without a plugin."""
    for games in NUMBERS:
        yield ttr.compile_rules("europe"), games
    for plugin, (_, games) in CEILINGS.items():
        yield ttr.compile_rules(MAPS.get(plugin, "europe"), plugin), games


def count(library: str) -> None:
    """Play the games of each stack in a process of its own."""
    counting = ctypes.CDLL(library)
    for rules, games in stacks():
        play(rules, range(1000, 1000 + 2 * games))  # other games fill the caches first
        gc.collect()
        gc.freeze()
        child = os.fork()
        if not child:
            counting.start()
            play(rules, range(games))
            os._exit(0)
        _, failed = os.waitpid(child, 0)
        if failed:
            sys.exit(f"games with {', '.join(rules.stack)} cannot be played")


def main() -> None:
    """Print a table; fails if a plugin is above its ceiling."""
    if not ttr.compiled:
        sys.exit("the ceilings are those of the compiled build")
    with tempfile.TemporaryDirectory() as folder:
        library = f"{folder}/start.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=START, text=True, check=True)
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=/dev/null"]
        program = [sys.executable, __file__, library]
        env = {**os.environ, "PYTHONHASHSEED": "0"}
        done = subprocess.run([*valgrind, *program], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    counted = [int(number) for number in re.findall(r"Collected : (\d+)", done.stderr)]
    plain = dict(zip(NUMBERS, counted, strict=False))
    above = False
    for (plugin, (ceiling, games)), here in zip(CEILINGS.items(), counted[len(NUMBERS) :], strict=False):
        ratio = here / plain[games]
        above |= ratio > ceiling
        print(
            f"{plugin.__name__:16}{ratio:7.2f} times as many, at most {ceiling:6.2f}{'  TOO MANY' if ratio > ceiling else ''}"
        )
    print(f"A game without plugins: {counted[0] / NUMBERS[0] / 1e6:.2f} million instructions")
    sys.exit(above)


if __name__ == "__main__":
    count(sys.argv[1]) if sys.argv[1:] else main()
