"""Conditions of plugins on claims and other actions, and changes of cost."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import inf
from typing import Any, Final, TypeAlias, TypeVar, cast, overload

from attrs import field, frozen

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import HookTypeError, PluginError, Refusal
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, Seat
from ttr_rules.model.board import Cost, Route
from ttr_rules.model.decisions import Action, Decision, Question
from ttr_rules.model.network import numbers
from ttr_rules.model.tickets import MOST_CARDS, MOST_PLAYERS
from ttr_rules.reading import is_class, is_texts
from ttr_rules.sequences import keep
from ttr_rules.text import brief

A = TypeVar("A", bound=Action)
B = TypeVar("B", bound=Action)
#: The functions of `Around`: one refuses an action, one all of a type, the others ask something before or after it.
Refuse: TypeAlias = Callable[[State, Any], Refusal | None]
RefuseAll: TypeAlias = Callable[[State, int, type[Action]], Refusal | None]
Ask: TypeAlias = Callable[[Transaction, Any], Question | None]

#: As many tickets can be drawn at once in any stack.
MOST_DRAWN: Final = 6
#: The most keys for which answers are cached, for one plugin and seat.
KEYS_KEPT: Final = 500
#: The answer of a condition for a route: none yet, open, closed for now, or closed for good.
UNKNOWN: Final = 0
OPEN: Final = 1
CLOSED: Final = 2
CLOSED_FOR_GOOD: Final = 3
#: Once a key has come up this often, the condition is asked about all routes, so that its answers can be kept as a mask.
ASK_ALL_AFTER: Final = 20


class Verdicts:
    """The answers of a condition for each route, under one key or at one moment.

    `of_route` holds `UNKNOWN`, `OPEN`, `CLOSED` or `CLOSED_FOR_GOOD` for each route: the condition is asked about a route when
    it matters. Once all answers are known, `closed` is the mask of the closed routes. If the mask comes from `closed_routes`,
    `of_route` is empty. `uses` counts how often the key has come up again.
    """

    __slots__ = ("closed", "of_route", "uses")
    uses: i64

    def __init__(self, of_route: list[int], closed: int | None = None) -> None:
        self.of_route = of_route
        self.closed = closed
        self.uses = 0


class ClaimCondition:
    """A plugin's condition on claims, which is asked a thousand times a game.

    It is made from the hooks `claim_refusal`, `claim_key` and `closed_routes`. Legal claims are counted with
    `closed_routes`, or with `claim_refusal` for each route that matters. These answers are cached under the
    `claim_key`, if any. An actual refusal always comes from `claim_refusal`. The kit checks that the two agree.

    >>> import ttr_rules as ttr
    >>> def refuse(state, seat, route):
    ...     return Refusal("X1", "London is closed") if "london" in route.cities else None
    >>> condition = ClaimCondition("london", refuse)
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> verdicts, number = condition.verdicts(state, 0), state.rules.network.route_number
    >>> routes = [number[route] for route in ("amsterdam-london-gray", "brest-paris-black")]
    >>> [condition.closes(state, 0, route, verdicts, state.version) for route in routes]
    [True, False]
    """

    def __init__(
        self,
        name: str,
        refuse: Callable[[State, int, Route], Refusal | None],
        key: Callable[[State, int], Hashable] | None = None,
        closed_routes: Callable[[State, int], Iterable[int] | int] | None = None,
        *,
        counts_cars: bool = False,
    ) -> None:
        self.name = name
        self._hook = f"claim_refusal of plugin {name!r}"
        self._refuse = refuse
        self._closed_routes = closed_routes
        #: By seat, the last mask that `closed_routes` gave. The next one is mostly the same object, and needs no check.
        self._last_mask: list[object] = [object()] * MOST_PLAYERS
        self.has_closed_routes: bool = closed_routes is not None
        #: True for the condition of `car_condition`, which is about train cars alone.
        self.counts_cars = counts_cars
        self.key = key
        #: By the number of players and the seat, then by key.
        self._verdicts: list[dict[Hashable, Verdicts]] = [{} for _ in range(MOST_PLAYERS * (MOST_PLAYERS + 1))]

    def refusal(self, state: State, seat: int, route: int) -> Refusal | None:
        """The refusal if a seat may not claim an open route, or None if it may."""
        return require_refusal(self._hook, self._refuse(state, seat, state.rules.network.routes[route]))

    def verdicts(self, state: State, seat: i64) -> Verdicts:
        """The answers for a seat so far, to pass to `closes` with the version that the state has before this call."""
        if self.has_closed_routes:
            return Verdicts([], self.read_closed_routes(state, seat))
        version = state.version
        key = None if self.key is None else self.key(state, seat)
        if key is None:
            return Verdicts([UNKNOWN] * len(state.owner))
        by_key = self._verdicts[state.players * MOST_PLAYERS + seat]
        try:
            verdicts = by_key.get(key)
        except TypeError as error:
            raise wrong_answer(self.name, "claim_key", key) from error
        if verdicts is None:
            verdicts = keep(by_key, key, Verdicts([UNKNOWN] * len(state.owner)), KEYS_KEPT)
        elif verdicts.closed is None:
            self._count_use(state, seat, verdicts, version)
        return verdicts

    def _count_use(self, state: State, seat: i64, verdicts: Verdicts, version: i64) -> None:
        """Count that a key has come up again. Once it has often enough, ask about all routes."""
        verdicts.uses += 1
        if verdicts.uses == ASK_ALL_AFTER:
            closed = self.closed_among(state, seat, (1 << len(state.owner)) - 1, verdicts, version)
            if state.version == version:
                verdicts.closed = closed

    def closed_among(self, state: State, seat: i64, routes: int, verdicts: Verdicts, version: i64) -> int:
        """The mask of the routes in the mask `routes` that are closed to a seat (see `closes`)."""
        if verdicts.closed is not None:
            return routes & verdicts.closed
        return sum([1 << route for route in numbers(routes) if self.closes(state, seat, route, verdicts, version)])

    def read_closed_routes(self, state: State, seat: i64) -> int:
        """The answer of the hook `closed_routes`, as a mask."""
        assert self._closed_routes is not None
        answer: object = self._closed_routes(state, seat)
        if answer is self._last_mask[seat]:
            return cast("int", answer)
        closed = answer if type(answer) is int else _mask(answer)
        if not 0 <= closed <= state.rules.network.every:
            again: object = self._closed_routes(state, seat)  # raises the plugin's own error, if that was the cause
            values = list(cast("Iterable[object]", again)) if isinstance(again, Iterable) else again
            raise wrong_answer(self.name, "closed_routes", values)
        if closed is answer:  # anything but a mask is not kept, as its plugin may change it
            self._last_mask[seat] = answer
        return closed

    def closes(self, state: State, seat: i64, route: i64, verdicts: Verdicts, version: i64) -> bool:
        """True if a seat may not claim an open route.

        `verdicts` comes from the method of that name, and keeps the answer unless the state has changed since `version`.
        """
        if verdicts.closed is not None:
            return bool(verdicts.closed & state.rules.network.bits[route])
        verdict: i64 = verdicts.of_route[route]
        if verdict == UNKNOWN:
            refusal = self.refusal(state, seat, route)
            verdict = OPEN if refusal is None else CLOSED_FOR_GOOD if refusal.lasting else CLOSED
            if state.version == version:
                verdicts.of_route[route] = verdict
        return verdict != OPEN

    def closed_now(self, state: State, seat: int, routes: int) -> dict[int, bool]:
        """The routes of a mask that are closed to a seat. The value is true if a route stays closed."""
        version = state.version
        verdicts = self.verdicts(state, seat)
        closed = numbers(self.closed_among(state, seat, routes, verdicts, version))
        if self._closed_routes is None:
            return {route: verdicts.of_route[route] == CLOSED_FOR_GOOD for route in closed}
        refusals = {route: self.refusal(state, seat, route) for route in closed}
        return {route: refusal is not None and refusal.lasting for route, refusal in refusals.items()}


def _mask(routes: object) -> int:
    """The mask of some numbers, or -1 for anything else."""
    try:
        return sum([1 << route for route in set(cast("Iterable[int]", routes))])
    except (TypeError, ValueError):
        return -1


#: No plugin needs a longer route in a longest path.
MOST_LENGTH = 1000

#: The results that hooks must give, in words.
_HOOK_RESULTS = {
    "cards_drawn": f"a number of cards, from 1 to {MOST_CARDS}",
    "tickets_drawn": f"a number of tickets, from 1 to twice the usual number, or to {MOST_DRAWN} if that is more",
    "tickets_kept": "a number of tickets, at least 0",
    "tickets_put_back": "a list or tuple of ids of the tickets that it was given, each once",
    "claim_key": "a number, a text or a tuple of these, which can be hashed",
    "closed_routes": "the numbers of routes, as in rules.network.route_ids, or their mask",
    "claim_cars": "a number of train cars, at least 0",
    "claim_points": "whole numbers of points by seat, {seat: points}",
    "menu_points": "a whole number of points",
    "ticket_points": "a whole number of points",
    "path_length": f"a length from 0 to {MOST_LENGTH}, or None",
    "may_pass": "True or False",
    "may_stop_drawing": "True or False",
    "goes_on": "True or False",
    "acts_again": "True, False, or a question to the seat",
}


def wrong_answer(plugin: str, hook: str, answer: object) -> HookTypeError:
    """The error for a wrong result of a hook.

    >>> print(wrong_answer("patience", "may_pass", "no"))
    may_pass of plugin 'patience' must give True or False, not 'no'
    """
    return HookTypeError(f"{hook} of plugin {plugin!r} must give {_HOOK_RESULTS[hook]}, not {brief(answer)}")


def require_refusal(by: str, answer: object) -> Refusal | None:
    """The answer of something that may refuse. Raises `HookTypeError` for anything but a refusal or None.

    >>> require_refusal("claim_refusal of plugin 'patience'", None)
    """
    if answer is None or isinstance(answer, Refusal):
        return answer
    raise HookTypeError(f"{by} must give a Refusal, or None, not {brief(answer)}")


def any_says_yes(hook: str, methods: Iterable[tuple[str, Callable[..., object]]], *arguments: object) -> bool:
    """True if any method of a hook answers True. Raises `HookTypeError` for an answer that is neither True nor False."""
    for plugin, method in methods:
        answer = method(*arguments)
        if answer is True:
            return True
        if answer is not False:
            raise wrong_answer(plugin, hook, answer)
    return False


def change_number(
    hook: str,
    methods: Iterable[tuple[str, Callable[..., object]]],
    arguments: tuple[object, ...],
    number: int,
    least: float = -inf,
    most: float = inf,
    none: int | None = None,
) -> int:
    """A number after the changes by all plugins: each method gets the arguments, then the number so far.

    With `none`, a method may answer None, which gives that number. Raises `HookTypeError` for anything else but a whole
    number from `least` to `most`.
    """
    for plugin, change in methods:
        answer = change(*arguments, number)
        if answer is None and none is not None:
            return none
        if type(answer) is not int or not least <= answer <= most:
            raise wrong_answer(plugin, hook, answer)
        number = answer
    return number


def card_refusal(state: State, seat: int) -> Refusal | None:
    """The refusal if plugins do not let a seat take train cards now (`Variant.card_refusal`), or None if they do.

    >>> import ttr_rules as ttr
    >>> card_refusal(ttr.new_game("europe", players=2, seed=1).state, 0)
    """
    for plugin, refuse in state.rules.card_refusal:
        answer: object = refuse(state, seat)
        if answer is not None:
            return require_refusal(f"card_refusal of plugin {plugin!r}", answer)
    return None


def cards_drawn(state: State, seat: int) -> int:
    """The number of cards of a draw that a seat begins now: `DrawCounts.cards`, unless plugins change it (`Variant.cards_drawn`).

    >>> import ttr_rules as ttr
    >>> cards_drawn(ttr.new_game("europe", players=2, seed=1).state, 0)
    2
    """
    rules = state.rules
    count: int = rules.draw_counts.cards
    return change_number("cards_drawn", rules.cards_drawn, (state, seat), count, 1, MOST_CARDS)


def claim_cars(state: State, seat: int, route: str) -> int:
    """The train cars that `seat` needs to claim a route now, including changes by plugins (`Variant.claim_cars`).

    >>> import ttr_rules as ttr
    >>> claim_cars(ttr.new_game("europe", players=2, seed=1).state, 0, "paris-zurich-gray")
    3
    """
    rules = state.rules
    arguments = state, seat, rules.board.routes[route]
    return change_number("claim_cars", rules.claim_cars, arguments, rules.route_cars[route], 0)


def too_few_cars(state: State, seat: int, route: Route) -> Refusal | None:
    """The refusal of a route for which a seat has too few train cars (C3), or None if it has enough."""
    cars, left = claim_cars(state, seat, route.id), state.cars[seat]
    if cars <= left:
        return None
    template = "{route} takes {cars} train cars; {seat} has {left}"
    return Refusal("C3", Message(template, route=route.id, cars=cars, seat=Seat(seat), left=left), lasting=False)


def car_condition(
    methods: Sequence[tuple[str, object]], keys: Mapping[str, Callable[[State, int], Hashable]]
) -> ClaimCondition:
    """The condition that a seat has enough train cars, where plugins change their number. `keys` are the plugins' keys."""

    def key(state: State, seat: int) -> Hashable:
        found = [keys[plugin](state, seat) for plugin, _ in methods]
        return None if None in found else (state.cars[seat], *found)

    keyless = [plugin for plugin, _ in methods if plugin not in keys]
    name = (keyless or [methods[0][0]])[0]
    return ClaimCondition(name, too_few_cars, None if keyless else key, counts_cars=True)


def most_drawn(usual: int) -> int:
    """The most tickets that can be drawn at once in play: twice the usual number, and at least `MOST_DRAWN`.

    Every selection that a seat may keep has a number, so there must be a limit; see `ActionRule.number_of_codes`.
    """
    return max(2 * usual, MOST_DRAWN)


def tickets_drawn(state: State, seat: int, count: int) -> int:
    """The number of tickets that a seat draws now: `count`, unless plugins change it (`Variant.tickets_drawn`).

    >>> import ttr_rules as ttr
    >>> tickets_drawn(ttr.new_game("europe", players=2, seed=1).state, 0, 3)
    3
    """
    changes = state.rules.tickets_drawn
    if not changes:
        return count
    return change_number("tickets_drawn", changes, (state, seat), count, 1, most_drawn(state.rules.draw_counts.drawn))


def tickets_kept(state: State, seat: int, keep: int, most: int) -> int:
    """The fewest tickets that a seat must keep: `keep`, unless plugins change it (`Variant.tickets_kept`), and at most `most`."""
    for method in state.rules.tickets_kept:
        keep = min(change_number("tickets_kept", [method], (state, seat), keep, 0), most)
    return keep


def tickets_put_back(tx: Transaction, seat: int, tickets: tuple[str, ...]) -> tuple[str, ...]:
    """The tickets of a draw that go back, of those not kept: all, unless plugins take some (`Variant.tickets_put_back`)."""
    for plugin, choose in tx.rules.tickets_put_back:
        ask: Callable[..., object] = choose  # untyped: the answer is checked here
        answer = ask(tx, seat, tickets)
        if not is_texts(answer) or len(set(answer)) < len(answer) or not set(answer) <= set(tickets):
            raise wrong_answer(plugin, "tickets_put_back", answer)
        tickets = tuple(answer)
    return tickets


@frozen
class CostChange:
    """A change to the cost of claims, made from the hook `claim_cost`: `change(state, seat, route, cost)` is paid instead.

    At least one space is always paid, and at least one for every locomotive symbol, so `spaces - 1` is safe on a ferry,
    too. With `key`, costs are cached as long as `key(state, seat)` stays the same.

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


@mypyc_attr(native_class=False)  # the compiler cannot construct one without knowing how many actions there are
class Around:
    """Functions that run around actions of one or two types, for the hook `around`.

    - `refuse(state, action)` may refuse such an action. For claims, use the hook `claim_refusal`, which is not called for
      every payment.
    - `refuse_all(state, seat, kind)` may refuse all actions of the type `kind` to a seat. It is called once for them all, so
      that it costs little even for what is paid for, such as claims. Views and bots do not know of it in advance: to close
      routes for long, use `claim_refusal`.
    - `before(tx, action)` may return a question, which is asked first. Then the action goes on, or its seat decides again
      if it is no longer legal. An answer may cancel it (`tx.cancel_action`).
    - `after(tx, action)` is called after the action, before the turn ends (see `tx.ends_turn`). A question that it
      returns is asked next.

    With `on`, only actions that answer a decision of this type count: `Around(Pass, on=Turn, after=…)` leaves out the pass
    that declines a `Choice`, and `Around(DrawBlind, DrawFaceUp, on=Turn, …)` all cards of a draw but the first.

    One function may serve two types, `action: DrawBlind | DrawFaceUp`. Actions that replace one of them in another economy
    (`Action.instead_of`) count as well: with several decks it is called with a `DrawFrom` or a `TakeFaceUp`. These are not
    subclasses, so use fields that both types have, such as `action.card`. `Around(CardDraw, …)` follows all actions that draw
    train cards, also those of other plugins, and `Around(Action, on=Turn, …)` all actions of turns, passes included.

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
    refuse_all: RefuseAll | None
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
        refuse_all: RefuseAll | None = None,
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
        refuse_all: RefuseAll | None = None,
        before: Callable[[Transaction, A | B], Question | None] | None = None,
        after: Callable[[Transaction, A | B], Question | None] | None = None,
    ) -> None: ...
    def __init__(
        self,
        *actions: type[Action],
        on: type[Decision] | None = None,
        refuse: Refuse | None = None,
        refuse_all: RefuseAll | None = None,
        before: Ask | None = None,
        after: Ask | None = None,
    ) -> None:
        for action in actions:
            if not is_class(action, Action):
                wrong: object = action
                name = wrong.__name__ if isinstance(wrong, type) else brief(wrong)
                raise PluginError(f"Around(…) takes types of actions, such as ClaimRoute or Pass, not {name}")
        if on is not None and not is_class(on, Decision):
            raise PluginError(f"Around(on=…) takes a type of decisions, such as Turn, not {brief(on)}")
        for given in (refuse, refuse_all, before, after):
            raw: object = given
            if raw is not None and not callable(raw):
                raise PluginError(f"Around(…) takes functions, not {brief(raw)}")
        if on is Decision or (Action in actions and (on is None or refuse is not None)):
            raise PluginError(
                "Around(Action, …) follows all answers to one type of decision: write on=Turn, or name their types, such as "
                "Around(ClaimRoute, …). To refuse them, write refuse_all"
            )
        self.actions = actions
        self.on = on
        self.refuse = refuse
        self.refuse_all = refuse_all
        self.before = before
        self.after = after

    def __repr__(self) -> str:
        does = [name for name in ("refuse", "refuse_all", "before", "after") if getattr(self, name) is not None]
        names = " and ".join(action.__name__ for action in self.actions)
        return f"<Around {names}: {', '.join(does) or 'nothing'}>"
