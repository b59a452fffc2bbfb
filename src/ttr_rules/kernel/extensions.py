"""Conditions of plugins on claims and other actions, changes of cost, and the printed names of what plugins add."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from attrs import field, frozen

from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost
from ttr_rules.model.decisions import Action, Question
from ttr_rules.model.network import numbers
from ttr_rules.text import brief

A = TypeVar("A", bound=Action)


@frozen
class KeyHelp:
    """The purpose of a key of a player in a score file, and a value for it as TOML.

    In the example, `{city}` stands for the quoted name of a city where a route of this player meets a route of another,
    `{route}` for that other route; other braces are doubled.

    >>> KeyHelp("The cities with a depot of this player.", "[{city}]").example.format(city='"Paris"')
    '["Paris"]'
    """

    summary: str = field(repr=brief)
    example: str


@frozen(repr=False)
class PrintedName:
    """The name of an id in print, and its meaning in a few words.

    >>> PrintedName("Propellers", "for ferries").name
    'Propellers'
    """

    name: str
    meaning: str = field(default="", repr=brief)

    def __repr__(self) -> str:
        return f"<PrintedName: {self.name}>"


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
    #: Which of the closed routes stay closed, if that is known beforehand.
    lasting: Callable[[State, int], int] | None = field(default=None, repr=False)

    def lasting_mask(self, state: State, seat: int, closed: int) -> int:
        """The numbers of those closed routes that stay closed, as a mask."""
        if self.lasting is not None:
            return self.lasting(state, seat) & closed
        refusals = {route: self.refusal(state, seat, state.rules.network.route_ids[route]) for route in numbers(closed)}
        return sum(1 << route for route, refusal in refusals.items() if refusal is None or refusal.lasting)

    def mask(self, state: State, seat: int, open_routes: int) -> int:
        """The numbers of the open routes that are closed to a seat, as a mask."""
        if self.closed is not None:
            return self.closed(state, seat)
        ids = state.rules.network.route_ids
        return sum(1 << route for route in numbers(open_routes) if self.refusal(state, seat, ids[route]) is not None)


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


class Around:
    """Functions that a plugin runs around actions of a type; with another economy, also around those that replace it (`Action.instead_of`).

    `refuse(state, action)` says why such an action may not be taken now; for claims there is the hook `claim_refusal`,
    which need not read every payment. What `before(tx, action)` returns is asked first; then the action goes on, or its
    seat decides again if it is no longer legal. `after(tx, action)` follows the action, before the turn ends if that ends
    it.

    A plugin gives it with the hook `around`.

    >>> import ttr_rules as ttr
    >>> def not_at_the_start(state, action):
    ...     return Refusal("X2", "no tickets in the first round") if state.turn_number <= state.players else None
    >>> around = Around(ttr.DrawTickets, refuse=not_at_the_start)
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> print(around.refuse(game.state, ttr.DrawTickets(0)))
    [X2] no tickets in the first round
    """

    # Not generic: in `Iterable[Around[Any]]` checkers would take `Any` for the action.
    __slots__ = ("action", "after", "before", "refuse")

    action: type[Action]
    refuse: Callable[[State, Any], Refusal | None] | None
    before: Callable[[Transaction, Any], Question | None] | None
    after: Callable[[Transaction, Any], None] | None

    def __init__(
        self,
        action: type[A],
        *,
        refuse: Callable[[State, A], Refusal | None] | None = None,
        before: Callable[[Transaction, A], Question | None] | None = None,
        after: Callable[[Transaction, A], None] | None = None,
    ) -> None:
        self.action = action
        self.refuse = refuse
        self.before = before
        self.after = after

    def __repr__(self) -> str:
        does = [name for name in ("refuse", "before", "after") if getattr(self, name) is not None]
        return f"<Around {self.action.__name__}: {', '.join(does) or 'nothing'}>"
