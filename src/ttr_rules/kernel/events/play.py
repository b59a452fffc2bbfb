"""Events of routes, tunnels and tickets."""

from __future__ import annotations

from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.fleets import Fleets
from ttr_rules.kernel.state import State, close_long, recount, route_claimed, use_pieces
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.decisions import TunnelDue
from ttr_rules.model.values import secret


class RouteClaimed(Event):
    """A seat claimed a route and scored its points (C4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    >>> next(event for event in events if isinstance(event, RouteClaimed))
    RouteClaimed(seat=0, route='frankfurt-paris-white', points=4)
    """

    seat: int
    route: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, route: str, points: int) -> None:
        route_claimed(state, seat, state.rules.network.route_number[route], points)


class RoutePointsScored(Event):
    """A seat scored points for routes, other than those of its own claim (see the hook `claim_points`).

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> RoutePointsScored(seat=1, points=2).apply(state)
    >>> state.scores
    [0, 2]
    """

    message = "{seat} scores {points:point} for a route"

    seat: int
    points: int

    @staticmethod
    def effect(state: State, seat: int, points: int) -> None:
        state.scores[seat] += points


class RouteShared(Event):
    """A seat claimed a route that is already held: from now on all of them hold it, for all purposes.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> RouteShared(1, "paris-zurich-gray", 4).apply(state)
    >>> state.owners, state.routes_of(0) == state.routes_of(1), state.cars
    ({'paris-zurich-gray': 0}, True, [42, 42])
    """

    message = "{seat} claims {route} as well, for {points:point}"

    seat: int
    route: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, route: str, points: int) -> None:
        network = state.rules.network
        number = network.route_number[route]
        state.shared[number] = (*state.shared.get(number, ()), seat)
        state.cars[seat] -= network.cars[number]
        state.scores[seat] += points
        if state.rules.fleet_of:
            use_pieces(state, seat, number)
        else:
            recount(state, seat)


class CarsUsed(Event):
    """A seat removed train cars from the game, in addition to those of a route.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.use_cars(seat=0, cars=2)
    >>> tx.log, tx.state.cars
    ([CarsUsed(seat=0, cars=2)], [43, 45])
    """

    message = "{seat} gives up {cars:car}"

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        before = state.cars[seat]
        state.cars[seat] = before - cars
        close_long(state, seat, before)


class FleetsSet(Event):
    """A seat has these pieces left, by kind: it chose its fleets, or exchanged pieces.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Ships(Variant, name="ships"):
    ...     @hookimpl
    ...     def components(self, below, board):
    ...         return ttr.model.Components(fleets={"train": 25, "ship": 15})
    >>> state = ttr.new_game("europe", Ships, players=2, seed=1).state
    >>> FleetsSet(0, Counts({"train": 30, "ship": 10})).apply(state)
    >>> state.left(0, "ship"), state.left(1, "ship")
    (10, 15)
    """

    message = "{seat} has {left} left"

    seat: int
    left: Counts

    @staticmethod
    def effect(state: State, seat: int, left: Counts) -> None:
        state.part(Fleets).left[seat] = {kind: left[kind] for kind in state.rules.components.fleets}
        state.cars[seat] = left.total
        recount(state, seat)


class PointsScored(Event):
    """A seat scored points during play, under the name of a scoring term.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.score(seat=0, points=4, term="mountains")
    >>> tx.log, tx.state.points
    ([PointsScored(seat=0, term='mountains', points=4)], {'mountains': [4, 0]})
    """

    message = "{seat} scores {points} for {term}"

    seat: int
    term: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, term: str, points: int) -> None:
        state.points.setdefault(term, [0] * state.players)[seat] += points


class TunnelEntered(Event):
    """A tunnel costs extra: its player must pay `extra` or abandon it (T4).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> entered = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))[-1]
    >>> entered.revealed, entered.extra.spaces
    (('red', 'blue', 'green'), 1)
    """

    seat: int
    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost

    @staticmethod
    def effect(state: State, seat: int, route: str, laid: Counts, revealed: tuple[str, ...], extra: Cost) -> None:
        state.pending = (TunnelDue(seat, route, laid, revealed, extra),)


class TunnelAbandoned(Event):
    """A seat abandoned a tunnel (T4).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> TunnelAbandoned(0, "paris-zurich-gray") in game.play(ttr.AbandonTunnel(0)), game.state.owners
    (True, {})
    """

    seat: int
    route: str


class TicketsDrawn(Event):
    """A seat drew tickets from the top of the pile and must choose which to keep (K1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> drawn = game.play(ttr.DrawTickets(0))[0]
    >>> drawn
    TicketsDrawn(seat=0, tickets=('zurich-brindisi', 'paris-wien', 'zurich-budapest'))
    >>> drawn.seen_by(1)
    SeenEvent(TicketsDrawn(seat=0, tickets=Unknown(count=3)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    effect = State.tickets_drawn


class TicketsKept(Event):
    """A seat kept some of the tickets it had drawn (K1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> events = game.play(ttr.KeepTickets(0, ["paris-wien"]))
    >>> next(event.seen_by(1) for event in events if isinstance(event, TicketsKept))
    SeenEvent(TicketsKept(seat=0, tickets=Unknown(count=1)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, seat: int, tickets: tuple[str, ...]) -> None:
        state.tickets[seat] += tickets


class TicketsReturned(Event):
    """Tickets that were not kept went under a pile (K2). Which ones, and their order, are secret.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> events = game.play(ttr.KeepTickets(0, ["paris-wien"]))
    >>> next(event.seen_by(0) for event in events if isinstance(event, TicketsReturned))
    SeenEvent(TicketsReturned(pile='regular', tickets=Unknown(count=2)))
    """

    pile: str
    tickets: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, pile: str, tickets: tuple[str, ...]) -> None:
        state.ticket_piles[pile] = state.ticket_piles.get(pile, ()) + tickets
