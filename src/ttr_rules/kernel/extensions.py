"""What plugins add to the course of a game: parts of the state, follow-ups to claims, final decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import field, frozen

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.messages import brief
from ttr_rules.errors import Refusal
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.actions import Action
from ttr_rules.model.cost import Cost
from ttr_rules.model.network import numbers


@frozen
class KeyHelp:
    """What a key of a player in a score file is for, and a value for it as TOML.

    In the example, `{city}` stands for the quoted name of a city where a route of this player meets a route of another,
    `{route}` for that other route; other braces are doubled.

    >>> KeyHelp("The cities with a depot of this player.", "[{city}]").example.format(city='"Paris"')
    '["Paris"]'
    """

    summary: str = field(repr=brief)
    example: str


@frozen
class PrintedName:
    """What an id is called in print, and in a few words what it means.

    >>> PrintedName("Propellers", "for ferries").name
    'Propellers'
    """

    name: str
    meaning: str = ""


@frozen
class PartSpec:
    """A part of the state that a plugin keeps, and how to read it from a table or position.

    `start` creates the part for a number of players. `player_keys` are the keys of a player in a table that `arrange`
    understands in addition to the core's, `part_keys` those of the table `parts` of a position; `arrange` turns them
    into events, or reports what is wrong with them. `set_up` deals what the part needs before the first turn, using
    chance: it is called after the economy has dealt. `key_help` explains player keys to people who write a score file;
    `names` says what people call the ids that the part holds.
    """

    type: type[Part]
    start: Callable[[GameData, int], Part] = field(repr=False)
    player_keys: tuple[str, ...] = ()
    arrange: Callable[[Transaction, Position, Report], None] | None = field(default=None, repr=False)
    part_keys: tuple[str, ...] = ()
    set_up: Callable[[Transaction], None] | None = field(default=None, repr=False)
    key_help: Mapping[str, KeyHelp] = field(
        factory=FrozenMap[str, KeyHelp], converter=FrozenMap[str, KeyHelp], repr=False
    )
    names: Mapping[str, PrintedName] = field(
        factory=FrozenMap[str, PrintedName], converter=FrozenMap[str, PrintedName], repr=False
    )


@frozen
class Ending:
    """A decision after the last turn, before scoring: `ask(tx, reason)` returns whether it opened one."""

    name: str
    ask: Callable[[Transaction, str], bool] = field(repr=False)


@frozen
class AfterClaim:
    """Something that follows the claim of a route, before the turn ends (M4).

    `ask(tx, seat, route)` returns whether it opened a decision. If it did, the rule that takes the answer calls
    `after_claim(tx, seat, route, this)`, which gives later plugins of the stack their chance, then ends the turn.
    """

    name: str
    ask: Callable[[Transaction, int, str], bool] = field(repr=False)


@frozen
class ClaimCondition:
    """A condition on claims: `refusal(state, seat, route)` says which rule closes an open route to a seat, and why.

    `closed(state, seat)` gives the same as a mask of route numbers, for speed: states are queried a thousand times a
    game, and a condition that keeps its mask in a part of the state costs nothing. Without it the condition is checked
    for every open route. It governs what is offered, what is refused, and what a view shows as barred. Its refusal
    comes before the one for too few train cars (C3), so that a plugin can say why a route takes more cars than it has
    spaces.
    """

    name: str
    refusal: Callable[[State, int, str], Refusal | None] = field(repr=False)
    closed: Callable[[State, int], int] | None = field(default=None, repr=False)

    def mask(self, state: State, seat: int, open_routes: int) -> int:
        """The numbers of the open routes that are closed to a seat, as a mask."""
        if self.closed is not None:
            return self.closed(state, seat)
        ids = state.rules.network.route_ids
        return sum(1 << route for route in numbers(open_routes) if self.refusal(state, seat, ids[route]) is not None)


@frozen
class Guard:
    """A condition on actions of one type: `refusal(state, decision, action)` says why such an action may not be taken now.

    It filters what the rule of the action offers; with another economy, also an action that replaces this one
    (`Action.instead_of`). For claims use `ClaimCondition`, which need not list them all.
    """

    name: str
    action: type[Action]
    refusal: Callable[[State, Any, Any], Refusal | None] = field(repr=False)


@frozen
class FollowUp:
    """Immediately follows every action of a type: `then(tx, action)` emits events. For decisions use `TurnHook`."""

    name: str
    action: type[Action]
    then: Callable[[Transaction, Any], None] = field(repr=False)


@frozen
class TurnHook:
    """Something that happens when a turn begins or ends: `call(tx, seat)` returns whether it opened a decision.

    If it did, the rule that takes the answer calls `begin_turn(tx, seat, after=this)` or `end_turn(tx, seat,
    after=this)`, which continues with later turn hooks.
    """

    name: str
    call: Callable[[Transaction, int], bool] = field(repr=False)


@frozen
class CostChange:
    """A change to what claims currently cost a seat: `change(state, seat, cost)` gives the cost to pay instead.

    Whatever it returns, at least one space is paid, and at least one for every locomotive symbol, so `spaces - 1` is
    safe on a ferry too.
    """

    name: str
    change: Callable[[State, int, Cost], Cost] = field(repr=False)
