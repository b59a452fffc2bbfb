"""What plugins add to the course of a game: parts of the state, follow-ups to claims, final decisions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ttr_rules._internal.frozen import FrozenMap
from ttr_rules.errors import Refusal
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.decisions import Action
from ttr_rules.model.network import numbers
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


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


@frozen(repr=False)
class PrintedName:
    """What an id is called in print, and in a few words what it means.

    >>> PrintedName("Propellers", "for ferries").name
    'Propellers'
    """

    name: str
    meaning: str = field(default="", repr=brief)

    def __repr__(self) -> str:
        return f"<PrintedName: {self.name}>"


@frozen(repr=False)
class PartSpec:
    """A part of the state that a plugin keeps, and how to read it from a table or position.

    `start` creates the part for a number of players. `player_keys` are the keys of a player in a table that `arrange`
    understands in addition to the core's, `part_keys` those of the table `parts` of a position; `arrange` turns them
    into events, or reports what is wrong with them. `set_up` deals what the part needs before the first turn, using
    chance: it is called after the economy has dealt. `key_help` explains player keys to people who write a score file;
    `names` says what people call the ids that the part holds.

    Made from the parts that plugins give (the hook `parts`).

    >>> from attrs import define
    >>> from ttr_rules import compile_rules
    >>> from ttr_rules.plugins import public
    >>> @define(eq=False)
    ... class Depots(Part):
    ...     left: list[int] = public()
    >>> spec = PartSpec(Depots, lambda rules, players: Depots([3] * players), player_keys=("depots",))
    >>> spec.start(compile_rules("europe"), 2)
    Depots(left=[3, 3])
    """

    type: type[Part]
    start: Callable[[Rules, int], Part] = field(repr=False)
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

    def __repr__(self) -> str:
        keys = ", ".join((*self.player_keys, *self.part_keys))
        return f"<PartSpec of {self.type.__name__}{': reads ' if keys else ''}{keys}>"


@frozen
class Ending:
    """A decision after the last turn, before scoring: `ask(tx, reason)` returns whether it opened one.

    Made from the hook `on_game_end`.

    >>> import ttr_rules as ttr
    >>> [ending.name for ending in ttr.compile_rules("europe:station_choice=ask").endings]
    ['europe']
    """

    name: str
    ask: Callable[[Transaction, str], bool] = field(repr=False)


@frozen
class AfterClaim:
    """Something that follows the claim of a route, before the turn ends.

    `ask(tx, seat, route)` returns whether it opened a decision. If it did, the rule that takes the answer calls
    `after_claim(tx, seat, route, this)`, which gives later plugins of the stack their chance, then ends the turn.

    Made from the hook `on_claim`.

    >>> import ttr_rules as ttr
    >>> journeys, = ttr.compile_rules("germany-tickets").after_claims
    >>> tx = Transaction(ttr.new_game("germany-tickets", players=2, seed=1).state, [])
    >>> journeys.name, journeys.ask(tx, 0, "berlin-leipzig-orange")
    ('marklin', True)
    """

    name: str
    ask: Callable[[Transaction, int, str], bool] = field(repr=False)


@frozen
class ClaimCondition:
    """A condition on claims: `refusal(state, seat, route)` says which rule closes an open route to a seat, and why.

    `closed(state, seat)` gives the same as a mask of route numbers, for speed: states are queried a thousand times a
    game, and a condition that keeps its mask in a part of the state costs nothing. Without it the condition is checked
    for every open route. It governs what is offered, what is refused, and what a view shows as barred. Bots plan as if
    a route that it closes were lost, unless the refusal has `lasting=False`: not yet, or not in this turn. Its refusal
    comes before the one for too few train cars (C3), so that a plugin can say why a route takes more cars than it has
    spaces.

    Made from the hooks `claim_refusal`, `claim_key` and `closed_routes`.

    >>> import ttr_rules as ttr
    >>> def closed(state, seat, route):
    ...     return Refusal("X1", "London is closed") if "london" in route else None
    >>> condition = ClaimCondition("london", closed)
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> mask = condition.mask(state, 0, state.open[0])
    >>> [state.rules.network.route_ids[route] for route in numbers(mask)][:2]
    ['amsterdam-london-gray', 'dieppe-london-gray-1']
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

    Made from `refuse` of an `Around`.

    >>> import ttr_rules as ttr
    >>> def not_at_the_start(state, decision, action):
    ...     return Refusal("X2", "no tickets in the first round") if state.turn_number <= state.players else None
    >>> guard = Guard("late tickets", ttr.DrawTickets, not_at_the_start)
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> print(guard.refusal(game.state, game.decision(0), ttr.DrawTickets(0)))
    [X2] no tickets in the first round
    """

    name: str
    action: type[Action]
    refusal: Callable[[State, Any, Any], Refusal | None] = field(repr=False)


@frozen
class FollowUp:
    """Immediately follows every action of a type: `then(tx, action)` emits events. For decisions use `TurnHook`.

    Made from `after` of an `Around`.

    >>> import ttr_rules as ttr
    >>> toll = FollowUp("toll", ttr.ClaimRoute, lambda tx, action: tx.use_cars(action.seat, 1))
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> toll.then(tx, ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> tx.log
    [CarsUsed(seat=0, cars=1)]
    """

    name: str
    action: type[Action]
    then: Callable[[Transaction, Any], None] = field(repr=False)


@frozen
class TurnHook:
    """Something that happens when a turn begins or ends: `call(tx, seat)` returns whether it opened a decision.

    If it did, the rule that takes the answer calls `begin_turn(tx, seat, after=this)` or `end_turn(tx, seat,
    after=this)`, which continues with later turn hooks.

    Made from the hooks `on_turn_start` and `on_turn_end`.

    >>> import ttr_rules as ttr
    >>> def income(tx, seat):
    ...     tx.score(seat, 1, "income")
    ...     return False  # no decision
    >>> hook = TurnHook("income", income)
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> hook.call(tx, 0), tx.log
    (False, [PointsScored(seat=0, term='income', points=1)])
    """

    name: str
    call: Callable[[Transaction, int], bool] = field(repr=False)


@frozen
class CostChange:
    """A change to what claims currently cost a seat: `change(state, seat, cost)` gives the cost to pay instead.

    Whatever it returns, at least one space is paid, and at least one for every locomotive symbol, so `spaces - 1` is
    safe on a ferry too. With `key`, what was given before holds as long as `key(state, seat)` is equal.

    Made from the hook `claim_cost`.

    >>> import ttr_rules as ttr
    >>> from attrs import evolve
    >>> rebate = CostChange("rebate", lambda state, seat, cost: evolve(cost, spaces=cost.spaces - 1))
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> rebate.change(game.state, 0, Cost("single", 4)).spaces
    3
    """

    name: str
    change: Callable[[State, int, Cost], Cost] = field(repr=False)
    key: Callable[[State, int], Hashable] | None = field(default=None, repr=False)
