"""Conditions of plugins on claims and other actions, and changes of cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias, TypeVar, cast, overload

from attrs import field, frozen

from ttr_rules.errors import HookTypeError, PluginError, Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.board import Cost, Route
from ttr_rules.model.decisions import Action, Decision, Question
from ttr_rules.model.network import numbers
from ttr_rules.model.tickets import MOST_CARDS
from ttr_rules.text import brief

A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=Action)
#: The functions of `Around`: one refuses an action, the others ask something before or after it.
Refuse: TypeAlias = Callable[[State, Any], Refusal | None]
Ask: TypeAlias = Callable[[Transaction, Any], Question | None]

#: The most answers that are cached for one plugin.
MOST_KEPT = 10_000


class ClaimCondition:
    """A plugin's condition on claims, as masks of route numbers for the inner loop.

    It is made from the hooks `claim_refusal`, `claim_key` and `closed_routes`, and asked a thousand times a game. With
    `closed_routes`, that hook gives the mask; with `claim_key`, the mask is cached by the key; without either,
    `claim_refusal` is called for every open route.

    >>> import ttr_rules as ttr
    >>> def refuse(state, seat, route):
    ...     return Refusal("X1", "London is closed") if "london" in route.cities else None
    >>> condition = ClaimCondition("london", refuse)
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> mask = condition.mask(state, 0, state.open_to(0))
    >>> [state.rules.network.route_ids[route] for route in numbers(mask)][:2]
    ['amsterdam-london-gray', 'dieppe-london-gray-1']
    """

    def __init__(
        self,
        name: str,
        refuse: Callable[[State, int, Route], Refusal | None],
        key: Callable[[State, int], Hashable] | None = None,
        closed_routes: Callable[[State, int], Iterable[int]] | None = None,
    ) -> None:
        self.name = name
        self._refuse = refuse
        self._closed_routes = closed_routes
        self._key = None if closed_routes is not None else key
        #: True if `claim_refusal` is called for every open route.
        self.route_by_route = key is None and closed_routes is None
        self._kept: dict[tuple[int, int, Hashable], tuple[int, int]] = {}

    def refusal(self, state: State, seat: int, route: str) -> Refusal | None:
        """The refusal if a seat may not claim an open route; None if it may."""
        return _require_refusal(self.name, "claim_refusal", self._refuse(state, seat, state.rules.board.routes[route]))

    def mask(self, state: State, seat: int, open_routes: int) -> int:
        """A mask of the open routes that are closed to a seat; it may have other routes, too."""
        if self._closed_routes is not None:
            closed = 0
            try:
                for route in self._closed_routes(state, seat):
                    closed |= 1 << route
            except (TypeError, ValueError) as error:
                again: object = self._closed_routes(state, seat)  # raises here if it failed itself
                answer = list(cast("Iterable[object]", again)) if isinstance(again, Iterable) else again
                raise wrong_answer(self.name, "closed_routes", answer) from error
            return closed
        return self._by_key(state, seat, open_routes)[0]

    def lasting_mask(self, state: State, seat: int, closed: int) -> int:
        """A mask of those closed routes that stay closed."""
        masks = self._ask if self._closed_routes is not None else self._by_key
        return masks(state, seat, closed)[1] & closed

    def _by_key(self, state: State, seat: int, routes: int) -> tuple[int, int]:
        if self._key is None:
            return self._ask(state, seat, routes)
        key = self._key(state, seat)
        try:
            masks = None if key is None else self._kept.get((state.players, seat, key))
        except TypeError as error:
            raise wrong_answer(self.name, "claim_key", key) from error
        if masks is None:
            masks = self._ask(state, seat, (1 << len(state.rules.board.routes)) - 1)
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            if key is not None:
                self._kept[state.players, seat, key] = masks
        return masks

    def _ask(self, state: State, seat: int, routes: int) -> tuple[int, int]:
        """Masks of those of some routes that are closed, and of those that stay closed."""
        closed = lasting = 0
        for route in numbers(routes):
            refusal = self.refusal(state, seat, state.rules.network.route_ids[route])
            if refusal is not None:
                closed |= 1 << route
                lasting |= refusal.lasting << route
        return closed, lasting


#: The results that hooks must give, in words.
_ANSWERS = {
    "claim_refusal": "a Refusal, or None",
    "card_refusal": "a Refusal, or None",
    "cards_drawn": f"a number of cards, from 1 to {MOST_CARDS}",
    "claim_key": "a number, a text or a tuple of these, which can be hashed",
    "closed_routes": "the numbers of routes, as in rules.network.route_ids",
    "claim_points": "whole numbers of points by seat, {seat: points}",
    "ticket_points": "a whole number of points",
    "may_pass": "True or False",
    "goes_on": "True or False",
}


def wrong_answer(plugin: str, hook: str, answer: object) -> HookTypeError:
    """The error for a wrong result of a hook.

    >>> print(wrong_answer("patience", "may_pass", "no"))
    may_pass of plugin 'patience' must give True or False, not 'no'
    """
    return HookTypeError(f"{hook} of plugin {plugin!r} must give {_ANSWERS[hook]}, not {brief(answer)}")


def _require_refusal(plugin: str, hook: str, answer: object) -> Refusal | None:
    if answer is None or isinstance(answer, Refusal):
        return answer
    raise wrong_answer(plugin, hook, answer)


def any_says_yes(hook: str, methods: Iterable[tuple[str, Callable[..., object]]], *arguments: object) -> bool:
    """True if any method of a hook answers True. Raises `HookTypeError` for an answer that is neither True nor False."""
    for plugin, method in methods:
        answer = method(*arguments)
        if answer is True:
            return True
        if answer is not False:
            raise wrong_answer(plugin, hook, answer)
    return False


def card_refusal(state: State, seat: int) -> Refusal | None:
    """The refusal if plugins do not let a seat take train cards now (`Variant.card_refusal`); None if they do.

    >>> import ttr_rules as ttr
    >>> card_refusal(ttr.new_game("europe", players=2, seed=1).state, 0)
    """
    for plugin, refuse in state.rules.card_refusal:
        refusal = _require_refusal(plugin, "card_refusal", refuse(state, seat))
        if refusal is not None:
            return refusal
    return None


def cards_drawn(state: State, seat: int) -> int:
    """The number of cards of a draw that a seat begins now: `DrawCounts.cards`, unless plugins change it (`Variant.cards_drawn`).

    >>> import ttr_rules as ttr
    >>> cards_drawn(ttr.new_game("europe", players=2, seed=1).state, 0)
    2
    """
    cards: int = state.rules.draw_counts.cards
    for plugin, change in state.rules.cards_drawn:
        answer: object = change(state, seat, cards)
        if type(answer) is not int or not 1 <= answer <= MOST_CARDS:
            raise wrong_answer(plugin, "cards_drawn", answer)
        cards = answer
    return cards


@frozen
class CostChange:
    """A change to the cost of claims, made from the hook `claim_cost`: `change(state, seat, route, cost)` is paid instead.

    At least one space is always paid, and at least one for every locomotive symbol, so `spaces - 1` is safe on a ferry,
    too. With `key`, costs are cached as long as `key(state, seat)` is equal.

    >>> import ttr_rules as ttr
    >>> from attrs import evolve
    >>> rebate = CostChange("rebate", lambda state, seat, route, cost: evolve(cost, spaces=cost.spaces - 1))
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> route = game.rules.board.routes["paris-zurich-gray"]
    >>> rebate.change(game.state, 0, route, Cost.of_route(route)).spaces
    2
    """

    name: str
    change: Callable[[State, int, Route, Cost], Cost] = field(repr=False)
    key: Callable[[State, int], Hashable] | None = field(default=None, repr=False)


class Around:
    """Functions that run around actions of one or two types, for the hook `around`.

    - `refuse(state, action)` may refuse such an action. For claims, use the hook `claim_refusal`, which is not called for
      every payment.
    - `before(tx, action)` may return a question, which is asked first. Then the action goes on, or its seat decides again
      if it is no longer legal.
    - `after(tx, action)` is called after the action, before that ends the turn (see `tx.ends_turn`). A question that it
      returns is asked next.

    With `on`, only actions that answer a decision of this type count: `Around(Pass, on=Turn, after=…)` leaves out the pass
    that declines a `Choice`, and `Around(DrawBlind, DrawFaceUp, on=Turn, …)` all cards of a draw but the first.

    One function may serve two types, `action: DrawBlind | DrawFaceUp`. Actions that replace one of them in another economy
    (`Action.instead_of`) count as well: with several decks it is called with a `DrawFrom` or a `TakeFaceUp`. These are not
    subclasses, so use fields that both types have, such as `action.card`.

    >>> import ttr_rules as ttr
    >>> def not_at_the_start(state, action):
    ...     return Refusal("X2", "no tickets in the first round") if state.round == 1 else None
    >>> around = Around(ttr.DrawTickets, refuse=not_at_the_start)
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> print(around.refuse(game.state, ttr.DrawTickets(0)))
    [X2] no tickets in the first round
    """

    # Not generic, as type checkers could not infer the type of a tuple of several.
    actions: tuple[type[Action], ...]
    on: type[Decision] | None
    refuse: Refuse | None
    before: Ask | None
    after: Ask | None

    @overload
    def __init__(
        self,
        action: type[A],
        /,
        *,
        on: type[Decision] | None = None,
        refuse: Callable[[State, A], Refusal | None] | None = None,
        before: Callable[[Transaction, A], Question | None] | None = None,
        after: Callable[[Transaction, A], Question | None] | None = None,
    ) -> None: ...
    @overload  # with one type variable for both, mypy would infer their common base class
    def __init__(
        self,
        action: type[A],
        other: type[B],
        /,
        *,
        on: type[Decision] | None = None,
        refuse: Callable[[State, A | B], Refusal | None] | None = None,
        before: Callable[[Transaction, A | B], Question | None] | None = None,
        after: Callable[[Transaction, A | B], Question | None] | None = None,
    ) -> None: ...
    def __init__(
        self,
        *actions: type[Action],
        on: type[Decision] | None = None,
        refuse: Refuse | None = None,
        before: Ask | None = None,
        after: Ask | None = None,
    ) -> None:
        raw_on: object = on
        if not (raw_on is None or (isinstance(raw_on, type) and issubclass(raw_on, Decision))):
            raise PluginError(f"Around(on=…) takes a type of decisions, such as Turn, not {brief(raw_on)}")
        if Action in actions:
            raise PluginError(
                "Around(Action, …) would follow no action: name their types, such as Around(ClaimRoute, …)"
            )
        self.actions = actions
        self.on = on
        self.refuse = refuse
        self.before = before
        self.after = after

    def __repr__(self) -> str:
        does = [name for name in ("refuse", "before", "after") if getattr(self, name) is not None]
        names = " and ".join(action.__name__ for action in self.actions)
        return f"<Around {names}: {', '.join(does) or 'nothing'}>"
