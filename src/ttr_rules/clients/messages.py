"""Messages between a server and its clients: each a class, with its name in JSON under `type`.

A server's message is made for one seat and holds nothing that the seat may not see. `None` is a spectator. An answer
has the `id` of its request.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from attrs import asdict, field, frozen

from ttr_rules._version import __version__
from ttr_rules.errors import IllegalActionError, InvalidInputError, OutdatedActionError
from ttr_rules.kernel.offer import LARGEST_PAGE, Offer, PaymentPage
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.kernel.views import check_seat
from ttr_rules.model.board import City, Route, Ticket
from ttr_rules.model.decisions import Action, Value
from ttr_rules.play.game import Game, SeenMove, check_rules_are_compiled
from ttr_rules.reading import to_jsonable
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import Compact, cut


@frozen
class Country:
    """A country that tickets name: any of its border crossings counts as the country.

    >>> from ttr_rules import board, compile_rules
    >>> board(compile_rules("switzerland")).countries[0]
    Country(id='country_austria', name='Österreich', crossings=('country_austria_1', ...))
    """

    id: str
    name: str
    crossings: tuple[str, ...]


@frozen(repr=False)
class RouteInfo(Route):
    """A route as these rules play it: `cars` are the train cars that it takes, `points` what it is worth.

    >>> from ttr_rules import board, compile_rules
    >>> route = board(compile_rules("europe")).routes[0]
    >>> route.cities, route.length, route.color, route.cars, route.points
    (('amsterdam', 'bruxelles'), 1, 'black', 1, 1)
    """

    cars: int = field(kw_only=True)
    points: int = field(kw_only=True)


@frozen
class TicketGoal:
    """The last place of a ticket, and the points for it.

    >>> TicketGoal("wien", 8)
    TicketGoal(place='wien', points=8)
    """

    place: str
    points: int


@frozen(repr=False)
class TicketInfo(Compact):
    """A ticket of these rules: from `start` and all places of `via` to one of the `goals`, the best one first.

    All of them must be in one network. `penalty` is what is subtracted if they are not, `in_order` what the ticket is
    worth if a path passes them in this order.

    >>> from ttr_rules import board, compile_rules
    >>> board(compile_rules("europe")).tickets[0].goals
    (TicketGoal(place='petrograd', points=20),)
    """

    id: str
    start: str
    goals: tuple[TicketGoal, ...]
    penalty: int
    kind: str
    set: str
    logos: tuple[str, ...]
    via: tuple[str, ...] = ()
    in_order: int | None = None

    @classmethod
    def of(cls, ticket: Ticket) -> TicketInfo:
        """A ticket for clients."""
        goals = tuple([TicketGoal(place, points) for place, points in ticket.goals])
        logos = tuple(sorted(ticket.logos))
        start, *via = ticket.cities[:-1]
        return cls(ticket.id, start, goals, ticket.penalty, ticket.kind, ticket.set, logos, tuple(via), ticket.in_order)


@frozen
class CityLayout:
    """The position of a city in a `BoardLayout`.

    >>> CityLayout("wien", 620.5, 410.0).x
    620.5
    """

    id: str
    x: float
    y: float


@frozen
class SpaceLayout:
    """A space of a route in a `BoardLayout`: its middle, its length along the route, and its angle, clockwise in degrees.

    >>> SpaceLayout(x=100.0, y=50.0, length=30.0, angle=90.0).angle
    90.0
    """

    x: float
    y: float
    length: float
    angle: float


@frozen
class RouteLayout:
    """The course of a route in a `BoardLayout`: the points of the line from its first city to its second, and its spaces.

    >>> spaces = (SpaceLayout(45.0, 0.0, 30.0, 0.0),)
    >>> RouteLayout("paris-zurich-gray", ((0.0, 0.0), (90.0, 0.0)), spaces).line[-1]
    (90.0, 0.0)
    """

    id: str
    line: tuple[tuple[float, float], ...]
    spaces: tuple[SpaceLayout, ...]


@frozen(repr=False)
class BoardLayout:
    """A board laid out for drawing: routes bend around what is in their way, double routes lie side by side.

    All coordinates have the same scale. x grows to the right, y downwards. `left`, `top`, `width` and `height` are the
    frame around everything, with room for the names of cities: the `viewBox` of an SVG. `space_width` is how wide
    spaces are. `ttr_tools.render.lay_out` makes one.

    >>> BoardLayout(0.0, 0.0, 800.0, 600.0, 12.0, (), ())
    <BoardLayout 800 × 600: 0 cities, 0 routes>
    """

    left: float
    top: float
    width: float
    height: float
    space_width: float
    cities: tuple[CityLayout, ...]
    routes: tuple[RouteLayout, ...]

    def __repr__(self) -> str:
        counts = f"{len(self.cities)} cities, {len(self.routes)} routes"
        return f"<BoardLayout {self.width:.0f} × {self.height:.0f}: {counts}>"


@frozen(repr=False)
class BoardInfo:
    """A board as some rules play it: what a client needs to draw it and to name what is on it. Made by `board`.

    `cities` have their positions on the picture of the board, as fractions of its width and height, `tickets` are all that
    can occur in a game, `cars` is the number of train cars of each player. `layout` is None if the server has none.

    >>> from ttr_rules import board, compile_rules
    >>> found = board(compile_rules("europe"))
    >>> found, found.cities[0].id, 0 < found.cities[0].x < 1
    (<BoardInfo Europe: 47 cities, 101 routes, 46 tickets>, 'amsterdam', True)
    """

    id: str
    name: str
    cities: tuple[City, ...]
    countries: tuple[Country, ...]
    routes: tuple[RouteInfo, ...]
    tickets: tuple[TicketInfo, ...]
    cars: int
    layout: BoardLayout | None = None

    def __repr__(self) -> str:
        counts = f"{len(self.cities)} cities, {len(self.routes)} routes, {len(self.tickets)} tickets"
        return f"<BoardInfo {self.name}: {counts}>"


def board(rules: Rules, layout: BoardLayout | None = None) -> BoardInfo:
    """The board of these rules for clients. `to_json` makes it plain data.

    A `layout` for clients that draw comes from `ttr_tools.render.lay_out`.

    >>> import ttr_rules as ttr
    >>> rules = ttr.compile_rules("north-america")
    >>> ttr.to_json(rules, ttr.board(rules))["routes"][0]["cities"]
    ['atlanta', 'charleston']
    """
    check_rules_are_compiled(rules)
    drawn = rules.board
    names = sorted({city.country for city in drawn.cities.values() if city.country is not None})
    return BoardInfo(
        id=drawn.id,
        name=drawn.name,
        cities=tuple(drawn.cities.values()),
        countries=tuple([Country(id, drawn.place_name(id), drawn.place(id)) for id in names]),
        routes=tuple([
            RouteInfo(**asdict(route, recurse=False), cars=rules.route_cars[route.id], points=rules.route_points[route.id])
            for route in drawn.routes.values()
        ]),
        tickets=tuple(map(TicketInfo.of, rules.tickets.values())),
        cars=rules.components.cars,
        layout=layout,
    )  # fmt: skip


#: The version of the messages. Within a version, messages and their keys keep their names, types and meanings; keys, messages
#: and types of moves may be added.
PROTOCOL = 1


def _options(given: Mapping[str, object]) -> Mapping[str, object]:
    return FrozenMap({name: to_jsonable(value) for name, value in given.items()})


class Message(Value):
    """The base of messages. `type` is the name of a message in JSON."""

    type: ClassVar[str]

    def __init_subclass__(cls, *, type: str = "") -> None:
        super().__init_subclass__()
        cls.type = type or cls.type


def offer_to(game: Game, seat: int | None) -> Offer | None:
    """The offer to a seat, or None if it has nothing to decide."""
    return None if seat is None or seat not in game.to_act else game.offer(seat)


@frozen
class StackEntry:
    """A plugin of a stack, with its options as plain data.

    >>> StackEntry("europe", {"tie_break": "P5"}).name
    'europe'
    """

    name: str
    options: Mapping[str, Any] = field(converter=_options, hash=False)


class Hello(Message, type="hello"):
    """The first message to a client: which game this is, and which `seat` the client has.

    `protocol` is the version of the messages, `PROTOCOL`. A client that has the library makes the same rules from `stack` by `rules_from_json`, and compares `fingerprint`.

    >>> import ttr_rules as ttr
    >>> Hello.of(ttr.new_game("europe", players=["Ada", "Bo"], seed=1), seat=0)
    <Hello to Ada, seat 0: europe, 2 players>
    """

    protocol: int
    seat: int | None
    players: tuple[str, ...]
    library: str
    stack: tuple[StackEntry, ...]
    fingerprint: str
    board: BoardInfo

    @classmethod
    def of(cls, game: Game, seat: int | None, layout: BoardLayout | None = None) -> Hello:
        """The message for a seat of a game, with the layout of its board if clients want to draw it.

        Raises `InvalidInputError` for a seat that is not at the table.
        """
        check_seat(seat, len(game.players))
        rules = game.rules
        stack = tuple([StackEntry(name, rules.options[name]) for name in rules.stack])
        return cls(PROTOCOL, seat, game.players, __version__, stack, rules.fingerprint, board(rules, layout))

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"{self.players[self.seat]}, seat {self.seat}"
        stack = " + ".join([entry.name for entry in self.stack])
        return cut(f"<Hello to {who}: {stack}, {len(self.players)} players>")


class Update(Message, type="update"):
    """News for a client: the `moves` that it has not seen, the view of the table now, and the offer to its seat.

    `number` counts the actions played: a client that comes back sends it in `Join`. `expected` belongs to whatever the
    seat answers with `Act`. `offer` is None if the seat has nothing to decide.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> _ = game.play(game.legal_actions(0)[0])
    >>> update = Update.of(game, seat=1, since=0)
    >>> update, update.moves[0].seat, update.offer
    (<Update 1 to seat 1: 1 move>, 0, <Offer of 11: 11 core.KeepTickets>)
    """

    number: int
    moves: tuple[SeenMove, ...]
    view: View
    expected: int
    offer: Offer | None

    @classmethod
    def of(cls, game: Game, seat: int | None, since: int | None = None) -> Update:
        """The message for a seat that has seen the first `since` actions, by default nothing, not even the set-up.

        Raises `InvalidInputError` for a number that the game has not reached, or a seat that is not at the table.
        """
        moves = game.messages(since, seat)
        expected = game.played if seat is None else game.moment(seat)
        return cls(game.played, moves, game.view(seat), expected, offer_to(game, seat))

    def __repr__(self) -> str:
        who = "a spectator" if self.view.seat is None else f"seat {self.view.seat}"
        moves = "1 move" if len(self.moves) == 1 else f"{len(self.moves)} moves"
        return f"<Update {self.number} to {who}: {moves}>"


class Accepted(Message, type="accepted"):
    """The answer to `Act`: the action was played, and is the `number`-th of the game. The `Update` comes to everybody.

    >>> Accepted(number=3, id=None)
    Accepted(number=3, id=None)
    """

    number: int
    id: int | None


class Payments(Message, type="payments"):
    """The answer to `ListPayments`: some of the payments for what `action` buys, cheapest first.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 1}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> claim = ttr.ClaimRoute(0, "frankfurt-paris-white", {})
    >>> Payments(claim, game.payments(claim), id=None).page
    <PaymentPage: 1 to 2 of 2 payments>
    """

    action: Action
    page: PaymentPage
    id: int | None

    def __repr__(self) -> str:
        return cut(f"<Payments for {self.action!r}: {self.page!r}>")


class Actions(Message, type="actions"):
    """The answer to `ListActions`: some of the `total` legal actions of the seat, after the `first` ones.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> Actions.of(game, seat=0, first=8, limit=5, id=1)
    <Actions 9 to 11 of 11>
    """

    total: int
    first: int
    actions: tuple[Action, ...]
    id: int | None

    @classmethod
    def of(cls, game: Game, seat: int, first: int, limit: int, id: int | None = None) -> Actions:
        """The message for a seat. Raises `InvalidInputError` unless `limit` is 1 to 100."""
        if first < 0 or not 1 <= limit <= LARGEST_PAGE:
            raise InvalidInputError(f"a page begins at 0 or later and has 1 to {LARGEST_PAGE} actions")
        every = game.legal_actions(seat)
        return cls(len(every), first, tuple(every[first : first + limit]), id)

    def __repr__(self) -> str:
        return f"<Actions {self.first + 1} to {self.first + len(self.actions)} of {self.total}>"


class Refused(Message, type="refused"):
    """An action was not played: the `reason` in words, the ids of the rules that refuse it, and what would be `allowed`.

    `rules` is empty if the action was meant for an earlier moment: the client has to look again. `allowed` is None if
    the seat has nothing to decide. `number` and `expected` are as in an `Update`.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> action = ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})
    >>> try:
    ...     game.play(action)
    ... except ttr.IllegalActionError as error:
    ...     refused = Refused.of(game, action, error)
    >>> refused.rules, refused.reason
    (('C1',), 'seat 0 does not hold 3 white; the payment was 3 white')
    >>> [kind.type for kind in refused.allowed.kinds]
    ['train-cards.DrawBlind', 'train-cards.DrawFaceUp', 'core.DrawTickets']
    """

    reason: str
    rules: tuple[str, ...]
    action: Action
    number: int
    expected: int
    allowed: Offer | None
    id: int | None

    @classmethod
    def of(
        cls, game: Game, action: Action, error: IllegalActionError | OutdatedActionError, id: int | None = None
    ) -> Refused:
        """The message to the seat that tried an action."""
        refusal = error.refusal if isinstance(error, IllegalActionError) else None
        reason, rules = (str(error), ()) if refusal is None else (refusal.reason, (refusal.rule,))
        return cls(reason, rules, action, game.played, game.moment(action.seat), offer_to(game, action.seat), id)

    def __repr__(self) -> str:
        return cut(f"<Refused {', '.join(self.rules)}: {self.reason}>")


class Over(Message, type="over"):
    """The game is over: the final sheet, the same for everybody.

    >>> import ttr_rules as ttr
    >>> from ttr_tools.bots import play_game
    >>> game = ttr.new_game("london", players=["Ada", "Bo"], seed=1)
    >>> play_game(game)
    >>> Over.of(game)
    <Over: Ada 5, Bo 36>
    """

    number: int
    scores: FinalScores

    @classmethod
    def of(cls, game: Game) -> Over:
        """The message at the end of a game. Raises `InvalidInputError` before it."""
        if game.final_scores is None:
            raise InvalidInputError(f"the game is not over: seats {', '.join(map(str, game.to_act))} have to decide")
        return cls(game.played, game.final_scores)

    def __repr__(self) -> str:
        return f"<Over: {repr(self.scores).removeprefix('<FinalScores: ')}"


class ErrorMessage(Message, type="error"):
    """The server could not read what the client sent, or does not do it: the `reason` in words.

    >>> ErrorMessage("not a message: it has no type", id=None).type
    'error'
    """

    reason: str
    id: int | None


#: Whatever a server sends.
ServerMessage: TypeAlias = Hello | Update | Accepted | Payments | Actions | Refused | Over | ErrorMessage


class Join(Message, type="join"):
    """The first message of a client. The answer is `Hello`, then an `Update`.

    `token` is the secret that gives the client its seat, None for a spectator. The client has seen the first `since`
    actions, None for nothing yet. `lang` is the language for reasons in words, such as "de".

    >>> Join(since=12)
    Join(token=None, since=12, lang=None)
    """

    token: str | None = field(default=None, repr=lambda token: repr(token and "…"))  # a repr may end in a log
    since: int | None = None
    lang: str | None = None


class Act(Message, type="act"):
    """Play an action. `expected` is the number that came with the `Update` which the action answers.

    >>> import ttr_rules as ttr
    >>> Act(ttr.DrawBlind(0), expected=12)
    Act(action=DrawBlind(seat=0), expected=12, id=None)
    """

    action: Action
    expected: int
    id: int | None = None


class ListPayments(Message, type="list_payments"):
    """List the payments for what `action` buys, at most `limit` after the first `start`. The answer is `Payments`.

    >>> import ttr_rules as ttr
    >>> ListPayments(ttr.ClaimRoute(0, "frankfurt-paris-white", {})).limit
    20
    """

    action: Action
    start: int = 0
    limit: int = 20
    id: int | None = None


class ListActions(Message, type="list_actions"):
    """List the legal actions of the seat after the `first` ones, at most `limit`. The answer is `Actions`.

    Needed only for kinds of actions that an `Offer` does not list in full.

    >>> ListActions(first=100).limit
    20
    """

    first: int
    limit: int = 20
    id: int | None = None


#: Whatever a client sends.
ClientMessage: TypeAlias = Join | Act | ListPayments | ListActions
