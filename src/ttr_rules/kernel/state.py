"""The state of a game: compact internally, so that copies are cheap; readable from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs
from attrs import Factory, define

from ttr_rules._internal.messages import cut
from ttr_rules.errors import PluginError
from ttr_rules.kernel.copying import copier
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.part import Part
from ttr_rules.model.chance import Chance, SeededChance, check_can_be_pickled, deep_copy
from ttr_rules.model.decisions import Decision

P = TypeVar("P", bound=Part)
T = TypeVar("T")
FREE = -1  #: The owner of a route that nobody has claimed.


def _made(start: Callable[[State], T]) -> T:
    """A field whose initial value is a function of the rules and the number of players."""
    made: T = Factory(start, takes_self=True)
    return made


@define(eq=False, repr=False)
class State:
    """The complete state of a game at one moment.

    Seats, routes and cities are numbers internally (`owner`, `open`); the properties give them as ids.
    Only effects of events change a state; see `ttr_rules.events`.

    `owner` holds the seat that owns each route, or `FREE`; `shared` the seats that hold a route besides its owner;
    `open` a bit mask of the routes that each seat could still claim with its remaining cars; `ticket_piles` the piles
    of tickets by name, top first; `tickets` the ids that each seat holds; `pending` the pending decisions; `turn` whose
    turn it is; `turns_left` is 0 until the last round has begun; `passes` counts consecutive passes, `passed` says whether a turn that waits for
    an answer before it ends was a pass; `scores` are the
    points for routes, `points` those scored in play under other terms; `turn_number` counts the turns, `extra_turns`
    those granted to the seat whose turn it is; `rejects` holds the tickets not kept in this stage of set-up;
    `first_tickets` says how many tickets each seat kept at set-up, () before all have chosen and in arranged positions;
    `revealed` says whether the tickets are face up, at the end; `chance_calls` how often chance was used. `parts` holds
    the state of the economy and of plugins, by type: read it with `part`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> state.owners, state.cars, state.to_act
    ({'paris-zurich-gray': 0}, [42, 45], (0,))
    >>> state.copy() == state, state.copy() is state
    (True, False)
    """

    rules: GameData
    players: int
    chance: SeededChance | Chance
    chance_calls: int = 0
    owner: list[int] = _made(lambda state: [FREE] * len(state.rules.network.route_ids))
    shared: dict[int, tuple[int, ...]] = Factory(dict[int, tuple[int, ...]])
    cars: list[int] = _made(lambda state: [state.rules.components.cars] * state.players)
    open: list[int] = _made(lambda state: [state.rules.network.within(state.rules.components.cars)] * state.players)
    scores: list[int] = _made(lambda state: [0] * state.players)
    tickets: list[tuple[str, ...]] = _made(lambda state: [()] * state.players)
    ticket_piles: dict[str, tuple[str, ...]] = Factory(dict[str, tuple[str, ...]])
    rejects: list[tuple[str, ...]] = _made(lambda state: [()] * state.players)
    first_tickets: tuple[int, ...] = ()
    stage: int = 0
    pending: tuple[Decision, ...] = ()
    points: dict[str, list[int]] = Factory(dict[str, list[int]])
    turn: int = 0
    turn_number: int = 0
    extra_turns: int = 0
    turns_left: int = 0
    passes: int = 0
    passed: bool = False
    revealed: bool = False
    parts: dict[type[Part], Any] = _made(
        lambda state: {type(each): each for each in state.rules.new_parts(state.players)}
    )

    def copy(self) -> State:
        """An independent copy; the rules and a caller's chance object are shared."""
        copied: State = _copied(self)
        return copied

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        new = self.copy()
        new.chance = deep_copy(self.chance, memo)
        return new

    def __getstate__(self) -> dict[str, Any]:
        check_can_be_pickled(self.chance)
        return {each.name: getattr(self, each.name) for each in attrs.fields(State)}

    def __setstate__(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)

    def part(self, kind: type[P]) -> P:
        """The part of this type. Raises `PluginError` if no plugin of the stack keeps one."""
        part: P | None = self.parts.get(kind)
        if part is None:
            there = ", ".join(each.__name__ for each in self.parts) or "none"
            raise PluginError(
                f"the state of {self.rules} has no part {kind.__name__}, only {there}: give it to the hook state_parts"
            )
        return part

    # -- for readers -----------------------------------------------------------------------------------------

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now: empty if and only if the game is over."""
        return tuple([decision.seat for decision in self.pending])

    def decision(self, seat: int) -> Decision | None:
        """The pending decision of `seat`, or None."""
        for decision in self.pending:
            if decision.seat == seat:
                return decision
        return None

    @property
    def owners(self) -> dict[str, int]:
        """The claimed routes, by id, with the owner of each: the first one if several seats hold it."""
        ids = self.rules.network.route_ids
        return {ids[route]: seat for route, seat in enumerate(self.owner) if seat != FREE}

    def routes_of(self, seat: int) -> list[int]:
        """The numbers of the routes that `seat` holds, alone or with others."""
        return [route for route, owner in enumerate(self.owner) if owner == seat or self.shares(seat, route)]

    def shares(self, seat: int, route: int) -> bool:
        """Whether `seat` holds a route besides its owner."""
        return bool(self.shared) and seat in self.shared.get(route, ())

    @property
    def ticket_pile(self) -> tuple[str, ...]:
        """The pile that tickets are drawn from in play, top first; if there are several, one after the other."""
        counts = self.rules.draw_counts
        pile = self.ticket_piles.get(counts.pile, ())
        for name in counts.more_piles:
            pile += self.ticket_piles.get(name, ())
        return pile

    @property
    def has_tickets(self) -> bool:
        """Whether `ticket_pile` has any tickets."""
        counts = self.rules.draw_counts
        piles = self.ticket_piles
        if piles.get(counts.pile):
            return True
        return bool(counts.more_piles) and any(piles.get(name) for name in counts.more_piles)

    def values(self) -> dict[str, object]:
        """The whole state except rules and chance object, by field, as plain values to compare."""
        found: dict[str, object] = {name: getattr(self, name) for name in COMPARED}
        found["parts"] = {f"{key.__module__}.{key.__qualname__}": part.value() for key, part in self.parts.items()}
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.rules.same_as(other.rules) and self.values() == other.values()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pending = ", ".join(f"{type(each).__name__} of seat {each.seat}" for each in self.pending) or "nothing"
        return cut(f"<State of {self.rules}: scores {self.scores}, pending {pending}>")


#: The fields of a state that are compared as they are.
COMPARED = tuple(each.name for each in attrs.fields(State) if each.name not in ("rules", "chance", "parts"))
_copied = copier(
    State, chance="self.chance", rules="self.rules", parts="{key: part.copy() for key, part in self.parts.items()}"
)
