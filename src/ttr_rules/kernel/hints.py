"""Hints of plugins for bots, such as the value of an action, and marks for pictures of the board.

Marks are data. Whoever draws the board decides how they look. Hints and marks are made from the rules and a view, never
from a state, so they give away nothing that a seat may not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from attrs import evolve, field, frozen

from ttr_rules.errors import PluginError
from ttr_rules.kernel.plugin import blamed
from ttr_rules.kernel.view import View
from ttr_rules.model.board import Cost, Route, changed_cost
from ttr_rules.model.cards import Color
from ttr_rules.model.decisions import Action
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


@frozen
class BotHint:
    """The base class of the hints that the hook `hints` returns.

    >>> import ttr_rules as ttr
    >>> [type(hint).__name__ for hint in ttr.compile_rules("europe").bot_hints]
    ['BorrowHint', 'LoanHint']
    """


@frozen
class BorrowHint(BotHint):
    """An action that lets its seat use others' routes at a city, for tickets, with fields `city` and `payment`.

    `built(view)` gives, for each city where this has been done, the seat that did it. `left(view, seat)` is the number of
    times that a seat may still do it. `turns` is roughly its cost in tenths of a turn, and `points` the value of not doing it.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("europe")
    >>> hint = next(hint for hint in rules.bot_hints if isinstance(hint, BorrowHint))
    >>> hint.action.__name__, hint.left(ttr.new_game(rules=rules, players=2, seed=1).view(0), 0), hint.points
    ('BuildStation', 3, 4)
    """

    action: type[Action]
    built: Callable[[View], Mapping[str, int]] = field(repr=False)
    left: Callable[[View, int], int] = field(repr=False)
    turns: int
    points: int = 0


@frozen
class LoanHint(BotHint):
    """An action that chooses which routes of other players are used for tickets: `routes(action)` gives their ids.

    >>> import ttr_rules as ttr
    >>> hints = ttr.compile_rules("europe:station_choice=ask").bot_hints
    >>> next(hint.action.__name__ for hint in hints if isinstance(hint, LoanHint))
    'LendRoutes'
    """

    action: type[Action]
    routes: Callable[[Any], tuple[str, ...]] = field(repr=False)


@frozen
class ActionValue(BotHint):
    """The value of an action in points, minus its cost: `value(view, rules, action)`.

    A bot takes the best action above 0. Instead of a turn it takes only one above 2, since a turn is worth about as much.
    What bots know themselves (draws, tickets, tunnels, actions of `DrawHint`, `BorrowHint` and `LoanHint`) they go on judging,
    and the value is added: 0 changes nothing, and at -2 or less it is hardly done. Like an `Around`, it counts for actions that
    replace its own in another economy: with several decks, one of `DrawBlind` is asked about a `DrawFrom`, and one of
    `CardDraw` about every action that draws cards and has no value of its own.
    A bot is asked for values once the action is legal. `wants(view, rules)` is the cost that it saves cards for until then, None
    while it wants nothing.

    >>> import ttr_rules as ttr
    >>> sweep = ActionValue(ttr.DrawTickets, lambda view, rules, action: 4 - len(view.tickets))
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> sweep.value(game.view(0), game.rules, ttr.DrawTickets(0))
    4
    """

    action: type[Action]
    value: Callable[[View, Rules, Any], float] = field(repr=False)
    wants: Callable[[View, Rules], Cost | None] | None = field(default=None, repr=False)


@frozen
class RouteValues(BotHint):
    """The value of routes to a seat besides their points and tickets: `values(view, rules)`, in points, by id.

    >>> import ttr_rules as ttr
    >>> tunnels = RouteValues(lambda view, rules: {id: -1 for id, route in rules.board.routes.items() if route.tunnel})
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> tunnels.values(game.view(0), game.rules)["paris-zurich-gray"]
    -1
    """

    values: Callable[[View, Rules], Mapping[str, float]] = field(repr=False)


@frozen
class RouteCosts(BotHint):
    """The current costs of routes, by id: `costs(view, rules)` has all that differ from the board's, `read` only those.

    Bots cannot call the hook `claim_cost`, because it reads the state, so they need this hint. If the hook reads only
    things that a view has under the same names, such as `part(…)` with public fields, `has_part(CardPiles)`, `round`,
    `owners`, `routes(seat)` and `cards(…).hand_sizes`, `of_hook` builds the hint from it. A view has no `rules`: a
    function that needs them gets them with `partial`. Its `players` are names: count them with `len(view.cars)`.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.model import Cost
    >>> painted = RouteCosts(lambda view, rules: {"paris-zurich-gray": Cost("single", 3, color="red", tunnel=True)})
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> painted.costs(game.view(0), game.rules)["paris-zurich-gray"].color
    'red'
    """

    costs: Callable[[View, Rules], Mapping[str, Cost]] = field(repr=False)

    @classmethod
    def of_hook(cls, claim_cost: Callable[[View, int, Route, Cost], Cost]) -> RouteCosts:
        """The hint for a method `claim_cost(self, state: State | View, …)` that takes a view in place of a state.

        `scores` of a view are all points so far, those of a state only the points of routes (`running_scores` has all): a
        method that looks at points needs a hint of its own.

        >>> import ttr_rules as ttr
        >>> from attrs import evolve
        >>> def first_round(state, seat, route, cost):
        ...     return evolve(cost, spaces=cost.spaces + 1) if state.round == 1 and route.tunnel else cost
        >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]})
        >>> hint, view = RouteCosts.of_hook(first_round), game.view(0)
        >>> hint.costs(view, game.rules)["paris-zurich-gray"].spaces
        4
        >>> len(hint.costs(view, game.rules)), len(hint.read(view, game.rules))     # all routes, and the tunnels
        (101, 18)
        """

        def costs(view: View, rules: Rules) -> Mapping[str, Cost]:
            seat, routes = view.seat or 0, rules.board.routes
            return {id: claim_cost(view, seat, route, Cost.of_route(route)) for id, route in routes.items()}

        return cls(costs)

    def read(self, view: View, rules: Rules) -> dict[str, Cost]:
        """The costs that differ from the printed ones, raised to the least that can be paid, like those of `claim_cost`.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.model import Cost
        >>> game = ttr.new_game("europe", players=2, seed=1)
        >>> free = RouteCosts(lambda view, rules: {"paris-zurich-gray": Cost("single", 0)})
        >>> free.read(game.view(0), game.rules)["paris-zurich-gray"].spaces
        1
        """
        routes = rules.board.routes
        read: dict[str, Cost] = {}
        for id, cost in self.costs(view, rules).items():
            printed = Cost.of_route(routes[id]) if id in routes else None
            told = None if printed is None else changed_cost(printed, cost, f"RouteCosts for {id}")
            if told is not None and told != printed:
                read[id] = told
        return read


@frozen
class TicketRoutes(BotHint):
    """The routes of others that a seat may use for its tickets, so that bots plan with them: `routes(view, rules)`, by id.

    Bots cannot call the hook `ticket_routes`, because it reads the state, so they need this hint. If the hook reads only
    things that a view has under the same names, `of_hook` builds the hint from it.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada"}, {"name": "Bo", "routes": ["Paris-Dieppe"]}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> TicketRoutes(lambda view, rules: tuple(view.owners)).routes(game.view(0), game.rules)
    ('dieppe-paris-purple',)
    """

    routes: Callable[[View, Rules], tuple[str, ...]] = field(repr=False)

    @classmethod
    def of_hook(cls, ticket_routes: Callable[[View, int], Iterable[str]]) -> TicketRoutes:
        """The hint for a method `ticket_routes(self, state: State | View, seat)` that takes a view in place of a state.

        >>> import ttr_rules as ttr
        >>> def partner(state, seat):
        ...     return state.routes(1 - seat)
        >>> players = [{"name": "Ada"}, {"name": "Bo", "routes": ["Paris-Dieppe"]}]
        >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
        >>> TicketRoutes.of_hook(partner).routes(game.view(0), game.rules)
        ('dieppe-paris-purple',)
        """
        return cls(lambda view, rules: tuple(ticket_routes(view, view.seat or 0)))


@frozen
class OpeningHint(BotHint):
    """An action that opens routes barred to its seat, such as the purchase of a license.

    Each thing that opens routes has a name. `lacking(view, rules)` gives the names that each barred route still needs,
    if it can be opened. `opens(action)` is the name of the thing that an action brings, and `cost(view, rules, name)`
    its cost. Without `cost` it takes a turn and nothing else. Bots plan with routes that they can open, and get the
    things needed. With `claimed=False` nobody claims such a route: once it is paid for, it serves as `TicketRoutes`
    says. Then each is one thing, with its id as the name.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("united-kingdom")
    >>> hint = next(hint for hint in rules.bot_hints if isinstance(hint, OpeningHint))
    >>> view = ttr.new_game(rules=rules, players=2, seed=1).view(0)
    >>> hint.action.__name__, hint.lacking(view, rules)[rules.board.find_route("Edinburgh", "Newcastle").id]
    ('BuyTechnology', ('scotland_concession', 'mechanical_stoker'))
    """

    action: type[Action]
    lacking: Callable[[View, Rules], Mapping[str, tuple[str, ...]]] = field(repr=False)
    opens: Callable[[Any], str] = field(repr=False)
    cost: Callable[[View, Rules, str], Cost] | None = field(default=None, repr=False)
    claimed: bool = True


@frozen
class DrawHint(BotHint):
    """An action that draws several cards from the pile instead of an ordinary draw of two.

    >>> import ttr_rules as ttr
    >>> hints = ttr.compile_rules("united-kingdom:advanced=true").bot_hints
    >>> [(hint.action.__name__, hint.cards) for hint in hints if isinstance(hint, DrawHint)]
    [('DrawThree', 3)]
    """

    action: type[Action]
    cards: int


@frozen
class TurnsLeft(BotHint):
    """Roughly the number of turns that a seat has left, where a plugin ends the game.

    `turns_left(view, rules)` counts the current turn. Bots ask until the last round begins. They take the answer if it is
    less than what train cars and `Components.rounds` say. With `last_round_at=None`, cars say nothing.

    >>> import ttr_rules as ttr
    >>> hint = TurnsLeft(lambda view, rules: 12 - view.round)
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> hint.turns_left(game.view(0), game.rules)
    12
    """

    turns_left: Callable[[View, Rules], int] = field(repr=False)


#: The result types of the functions of hints, by name.
_RESULTS: Mapping[str, tuple[tuple[type[object], ...], str]] = {
    "value": ((int, float), "a number"),
    "wants": ((Cost, type(None)), "a cost or None"),
    "values": ((Mapping,), "points by route"),
    "left": ((int,), "a whole number"),
    "turns_left": ((int,), "a whole number"),
    "built": ((Mapping,), "seats by city"),
    "routes": ((tuple,), "a tuple of ids of routes"),
    "lacking": ((Mapping,), "names by route"),
    "opens": ((str,), "a name"),
    "cost": ((Cost,), "a cost"),
    "costs": ((Mapping,), "costs by route"),
}


@frozen(repr=False)
class GuardedCall:
    """A function of a hint. Its errors become a `PluginError` that names the plugin."""

    call: Callable[..., object]
    what: str
    plugin: str
    kinds: tuple[type[object], ...]
    expected: str

    def __repr__(self) -> str:
        return f"<{self.what} of {self.plugin}>"

    def __str__(self) -> str:
        return f"{self.what} in the bot hint of plugin {self.plugin!r}"

    def __call__(self, *values: object) -> object:
        answer = blamed(self.__str__, self.call, *values)
        if not isinstance(answer, self.kinds):
            raise PluginError(f"{self} must give {self.expected}, not {brief(answer)}")
        return answer


def guard_hint(hint: BotHint, plugin: str, method: str = "") -> BotHint:
    """The hint with its functions guarded: they raise only a `PluginError` that names the plugin and the `method`, if given."""
    kind = "route_" if isinstance(hint, RouteValues) else f"{type(hint).__name__}."  # as it is written in the plugin
    calls: dict[str, object] = {
        name: GuardedCall(getattr(hint, name), method or f"{kind}{name}", plugin, kinds, expected)
        for name, (kinds, expected) in _RESULTS.items()
        if getattr(hint, name, None) is not None
    }
    return evolve(hint, **calls)


# -- marks on pictures of the board --------------------------------------------------------------------------------


@frozen
class MapMark:
    """The base class of marks on pictures of the board. `title` explains the mark in words, for tooltips and screen readers.

    A title with values is a `Message`, so that it can be translated.

    >>> issubclass(CityNote, MapMark), issubclass(MapMarks, MapMark)
    (True, False)
    """


@frozen
class CityNote(MapMark):
    """A few characters below the name of a city, such as the values of tokens there.

    >>> CityNote("berlin", "7 6 5", "Tokens, top first: 7, 6, 5").text
    '7 6 5'
    """

    city: str
    text: str
    title: str = ""


@frozen
class CityPiece(MapMark):
    """A piece of a player at a city. Several at the same city stand side by side.

    >>> CityPiece("berlin", 0, "person", "Passenger of Ada").seat
    0
    """

    city: str
    seat: int
    shape: Literal["house", "person", "disc"] = "disc"
    title: str = ""


@frozen
class RouteNote(MapMark):
    """A few characters on a route, such as initials or signs, and a color that its spaces get, claimed or not.

    Several words, or notes of several plugins on one route, are put on several spaces. Of their colors the last one is
    shown. A `color` of routes, such as "red", replaces the printed one, in words and as the letter on the spaces, too.
    Any other is written `#rrggbb`, and needs a text or a title that says what it means.

    >>> RouteNote("berlin-wien-green", "NR", "Northern Railway").text
    'NR'
    >>> snow = RouteNote("paris-zurich-gray", "*", "Snowed in", color="#cfe8ff")
    """

    route: str
    text: str = ""
    title: str = ""
    color: str = ""


@frozen
class MapMarks:
    """The marks that a plugin adds to pictures of the board, checked: `method` is its answer to the hook `map_marks`.

    `legend` is a sentence below the picture that explains the marks. Without marks it is not shown.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("europe")
    >>> depots = MapMarks("depots", lambda rules, view: [CityPiece("wien", 0, "house", "Depot of Ada")])
    >>> list(depots.marks(rules, None))
    [CityPiece(city='wien', seat=0, shape='house', title='Depot of Ada')]
    """

    name: str
    method: Callable[[Rules, View | None], Iterable[object]] = field(repr=False)
    legend: str = field(default="", repr=brief)

    def marks(self, rules: Rules, view: View | None) -> Iterator[MapMark]:
        """The marks. Without a view, before a game, those printed on the board.

        Raises `PluginError` if the plugin's method fails or returns something that cannot be drawn.
        """
        source = f"the map marks of plugin {self.name!r}"
        for mark in blamed(source, lambda: list(self.method(rules, view)), passing=()):
            problem = _problem(mark, rules, view)
            if problem:
                raise PluginError(f"{source} gave {brief(mark)}: {problem}")
            yield cast("MapMark", mark)


def _problem(mark: object, rules: Rules, view: View | None) -> str:
    """The problem with a mark that cannot be drawn, or an empty text."""
    if isinstance(mark, CityNote | CityPiece) and mark.city not in rules.board.cities:
        return f"{mark.city!r} is not a city of {rules.board.name}"
    if isinstance(mark, RouteNote) and mark.route not in rules.board.routes:
        return f"{mark.route!r} is not a route of {rules.board.name}"
    if isinstance(mark, RouteNote) and mark.color and mark.color not in [*Color]:
        if not re.fullmatch("#[0-9a-fA-F]{6}", str(mark.color)):
            return f"a color is {', '.join(Color)} or '#rrggbb', not {mark.color!r}"
        if not mark.text and not mark.title:
            return f"the color {mark.color} needs a text or a title that says what it means"
    seats = len(view.players) if view is not None else rules.components.max_players
    if isinstance(mark, CityPiece) and not 0 <= mark.seat < seats:
        return f"there is no seat {mark.seat}"
    if isinstance(mark, CityPiece) and mark.shape not in ("house", "person", "disc"):
        return "a shape is 'house', 'person' or 'disc'"
    return (
        "" if isinstance(mark, CityNote | CityPiece | RouteNote) else "expected a CityNote, a CityPiece or a RouteNote"
    )
