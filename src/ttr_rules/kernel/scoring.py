"""The final scores of a state (P1–P5, R6, R7)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter, itemgetter, ne
from typing import TYPE_CHECKING, Final, TypeAlias

from ttr_rules._internal.native import i64
from ttr_rules.errors import HookTypeError, InvalidInputError
from ttr_rules.graph.lending import NOWHERE, Goal, best_lending, joined, passes_in_order, points_of, reached
from ttr_rules.kernel.column import Details, PlayerScore
from ttr_rules.kernel.extensions import MOST_LENGTH, change_number
from ttr_rules.kernel.player_score import Detail, Score, TicketScore, to_details
from ttr_rules.kernel.plugin import blamed
from ttr_rules.kernel.scores import Bonus, FinalScores, Loan, ScoringTerm, TieBreak
from ttr_rules.kernel.state import FREE, State
from ttr_rules.language import Message
from ttr_rules.model.board import Ticket
from ttr_rules.model.network import Network
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Methods, Rules


#: The methods of plugins for `ticket_points`, each with its plugin.
TicketChanges: TypeAlias = tuple[tuple[str, Callable[[State, int, Ticket, int], int]], ...]


def final_scores(state: State, names: Sequence[str]) -> FinalScores:
    """The score sheet of a state as if the game ended here, ranked (P4)."""
    rules = state.rules
    routes: list[list[int]] = [[] for _ in names]
    number: i64 = 0
    for owner in state.owner:
        if owner != FREE:
            routes[owner].append(number)
        number += 1
    for seat in {seat for seats in state.shared.values() for seat in seats} if state.shared else ():
        routes[seat] = state.routes_of(seat)
    sheets = tuple([_sheet(state, seat, names[seat], routes[seat]) for seat in range(len(names))])
    for bonus in rules.bonuses:
        _award(state, bonus, sheets)
    totals = [sheet.total for sheet in sheets]
    tied = len(set(totals)) < len(totals)
    keys: list[tuple[int, ...]] = _keys(state, sheets) if tied else [(total,) for total in totals]
    for sheet in sheets:
        sheet.rank = 1 + sum([other > keys[sheet.seat] for other in keys])
    return FinalScores(sheets, rules.sheet_words, tuple(_ties(sheets, keys, rules.tie_break)) if tied else ())


def _keys(state: State, sheets: Sequence[PlayerScore]) -> list[tuple[int, ...]]:
    """The sort key of each sheet: its total and the keys of tie-breaks. Errors in a tie-break name its plugin."""
    keys: list[tuple[int, ...]] = [(sheet.total,) for sheet in sheets]
    for tie in state.rules.tie_break:
        source = f"tie-break {tie.name!r} of {state.rules.answered_by('tie_breaks')}"
        key_of: Callable[..., object] = tie.key  # untyped: its result is checked below
        for sheet in sheets:
            key = blamed(source, key_of, state, sheets, sheet, passing=())
            if not isinstance(key, int):
                raise HookTypeError(f"{source} must give a whole number, not {brief(key)}")
            keys[sheet.seat] += (key,)
    return keys


def _ties(players: Sequence[PlayerScore], keys: list[tuple[int, ...]], ties: Sequence[TieBreak]) -> Iterator[str]:
    """Sentences that explain why players with equal points do not share a rank."""
    for ahead, behind in pairwise(sorted(players, key=attrgetter("rank"))):
        if ahead.total == behind.total and ahead.rank != behind.rank:
            unequal = map(ne, keys[ahead.seat][1:], keys[behind.seat][1:])
            reason = next(tie.name for tie, decides in zip(ties, unequal, strict=True) if decides)
            template = "{ahead} is ahead of {behind} at equal points: {reason}."
            yield Message(template, ahead=ahead.name, behind=behind.name, reason=Message(reason))


def _sheet(state: State, seat: i64, name: str, routes: list[int]) -> PlayerScore:
    """The column of a seat without bonuses and rank. `routes` are the numbers of its routes."""
    rules = state.rules
    network: Network = rules.network
    known: dict[str, ScoredTicket] = rules.derived(scored_tickets)
    own = labels_of(network, routes)
    serving, connected = routes, own
    if rules.ticket_routes:
        serving = [*routes, *ticket_routes(state, int(seat))]
        connected = labels_of(network, serving)
    tickets: list[ScoredTicket] = []
    for id in state.tickets[seat]:
        ticket = known[id]
        if ticket.ordered is not None and ticket.reached(connected) >= 0:
            links = [network.ends[route] for route in serving]
            ticket = ticket.ordered if passes_in_order(links, ticket.places) else ticket
        tickets.append(_change_ticket(state, seat, ticket, rules.ticket_points) if rules.ticket_points else ticket)
    loans: list[Loan] = []
    for _, method in rules.loans:
        loans += method(state, seat)
    lent: list[int] = []
    labels = connected
    if loans:
        lent, labels = lend(network, tickets, loans, connected)
    find = partial(_details, network, tickets, loans, lent, connected, labels)
    terms: dict[str, Score] = {}
    for term in rules.scoring_terms:
        terms[term.name] = _term(state, seat, term)
    lengths = network.lengths
    if rules.path_length:
        lengths = path_lengths(state, int(seat), routes)
        routes = [route for route in routes if lengths[route] != NO_PATH]
    sheet = PlayerScore(
        seat, name, state.scores[seat], terms=terms, find=find, network=network, routes=routes, lengths=lengths
    )
    points: i64 = 0
    for ticket in tickets:
        reached = ticket.reached(labels)
        if reached >= 0:
            sheet.completed_tickets += 1
            points += ticket.points[reached]
        else:
            points -= ticket.penalty
    sheet.ticket_points = points
    return sheet


#: The length of a route that no path uses.
NO_PATH: Final = -1


def labels_of(network: Network, routes: list[int]) -> list[int]:
    """A label for each city, the same for cities that some routes connect (P2)."""
    return joined(network.own_labels.copy(), network.first, network.second, routes)


def path_lengths(state: State, seat: int, routes: list[int]) -> list[int]:
    """The lengths of all routes, by number.

    Those of a seat are as plugins count them in its longest path (`path_length`), `NO_PATH` if no path uses them.
    """
    network: Network = state.rules.network
    lengths = network.lengths.copy()
    changes = state.rules.path_length
    for route in routes if changes else ():
        arguments = state, seat, network.routes[route]
        lengths[route] = change_number("path_length", changes, arguments, lengths[route], 0, MOST_LENGTH, NO_PATH)
    return lengths


def ticket_routes(state: State, seat: int) -> list[int]:
    """The numbers of the routes of others that plugins let a seat use for its tickets."""
    number = state.rules.network.route_number
    return [number[id] for id in _ids(state, seat, "ticket_routes", state.rules.ticket_routes, number, "routes")]


def never_hidden(state: State, seat: int) -> set[str]:
    """The tickets that a seat cannot hold in secret now, by the hook `never_hidden`."""
    return set(_ids(state, seat, "never_hidden", state.rules.never_hidden, state.rules.tickets, "tickets"))


def _ids(
    state: State,
    seat: int,
    hook: str,
    methods: Methods[Callable[[State, int], Iterable[str]]],
    known: Container[str],
    kind: str,
) -> Iterator[str]:
    """The ids that a hook returns for a seat. Raises `HookTypeError` for an unknown one."""
    for plugin, method in methods:
        for id in method(state, seat):
            if id not in known:
                raise HookTypeError(f"{hook} of plugin {plugin!r} must give ids of {kind}, not {brief(id)}")
            yield id


def _details(
    network: Network, tickets: list[ScoredTicket], loans: list[Loan], lent: list[int], own: list[int], labels: list[int]
) -> Details:
    """The details of a column: `own` labels the cities that are connected without loans, `labels` those with them."""
    ids = network.route_ids
    used = [loan for loan, route in enumerate(lent) if route >= 0]
    needed = _find_needed_loans(network, tickets, used, lent, own, labels)
    return Details(
        tuple([ticket.lines()[ticket.reached(labels)] for ticket in tickets]),
        # If a city has several loans, a needed one is shown.
        FrozenMap({loans[loan].city: ids[lent[loan]] for loan in [*used, *needed]}),
        tuple([loans[loan].city for loan in needed]),
    )


def _find_needed_loans(
    network: Network, tickets: list[ScoredTicket], used: list[int], lent: list[int], own: list[int], labels: list[int]
) -> list[int]:
    """The loans needed for these points: any that can be spared are left out, starting with the last."""
    goals = [ticket.goal for ticket in tickets]
    wanted = points_of(goals, labels)
    if points_of(goals, own) == wanted:
        return []
    kept = used
    for loan in reversed(used) if len(used) > 1 else ():
        fewer = [other for other in kept if other != loan]
        some = [lent[other] for other in fewer]
        if points_of(goals, joined(own.copy(), network.first, network.second, some)) == wanted:
            kept = fewer
    return kept


def _term(state: State, seat: int, term: ScoringTerm) -> Score:
    """The points of a seat for a term. Errors in it name the plugin."""

    def source() -> str:
        return f"scoring term {term.name!r} of plugin {state.rules.score_owners[term.name]!r}"

    result: object = blamed(source, term.score, state, seat, passing=())
    if not isinstance(result, Score) or type(getattr(result, "points", None)) is not int:
        raise HookTypeError(f"{source()} must give a Score, not {brief(result)}")
    return result


def _award(state: State, bonus: Bonus, sheets: Sequence[PlayerScore]) -> None:
    """Give a bonus to the seats that get it. Errors in it name the plugin."""

    def source() -> str:
        return f"bonus {bonus.name!r} of plugin {state.rules.score_owners[bonus.name]!r}"

    def details(seat: int) -> tuple[Detail, ...]:
        return () if bonus.details is None else to_details(bonus.details(state, seat))

    points = blamed(source, bonus.points_of, state, sheets, passing=())
    seats: list[object] = [*points]  # untyped: checked below
    amounts: list[object] = [*points.values()]
    if not all(type(seat) is int and 0 <= seat < len(sheets) for seat in seats):
        raise HookTypeError(f"{source()} must go to seats from 0 to {len(sheets) - 1}, not {brief(seats)}")
    if not all(type(amount) is int for amount in amounts):
        raise HookTypeError(f"{source()} must give whole numbers of points, not {brief(amounts)}")
    for seat, amount in points.items():
        sheets[seat].award(bonus.name, amount, blamed(source, details, seat, passing=()))


def running_scores(state: State) -> list[int]:
    """The points of each seat so far, for routes and for terms that count in play, as in `View.scores`.

    `state.scores` are the points for routes alone.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> running_scores(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state)
    [4, 0]
    """
    terms = [term for term in state.rules.scoring_terms if term.running]
    if not terms:
        return state.scores.copy()
    return [points + sum(_term(state, seat, term).points for term in terms) for seat, points in enumerate(state.scores)]


def lend(
    network: Network, tickets: list[ScoredTicket], loans: list[Loan], labels: list[int]
) -> tuple[list[int], list[int]]:
    """The route of each loan, chosen or else the best, and the labels with these routes.

    A loan without routes has -1. If no ticket gains, the labels stay as they are.
    """
    options: list[list[int]] = []
    for loan in loans:
        ids: Iterable[str] = sorted(loan.routes) if loan.chosen is None else (loan.chosen,)
        options.append([network.route_number[id] for id in ids])
    all_lent = joined(labels.copy(), network.first, network.second, [route for routes in options for route in routes])
    goals = [ticket.goal for ticket in tickets if ticket.reached(all_lent) != ticket.reached(labels)]
    if not goals:
        return [routes[0] if routes else -1 for routes in options], labels
    ways = [[(route, network.first[route], network.second[route]) for route in routes] for routes in options]
    lent = [-1 if route is None else route for route in best_lending(labels, goals, ways)]
    return lent, joined(labels.copy(), network.first, network.second, [route for route in lent if route >= 0])


class ScoredTicket:
    """A ticket as numbers: its possible values, the best first, with their points and places (P2).

    `ends` are the last places of the values, for the sheet. `ordered` is the ticket with its points for passing the
    places in order, or None without such points.
    """

    ordered: ScoredTicket | None

    penalty: i64
    _first: i64
    _second: i64

    def __init__(self, ticket: Ticket, goal: Goal, ends: Sequence[str], penalty: int) -> None:
        self.ticket = ticket
        self.goal = goal
        self.ends = ends
        self.points: list[int] = [points for points, _ in goal]
        self.penalty = penalty
        self.ordered = None
        self._lines: list[TicketScore] = []
        self.places = places = goal[0][1]
        self._first = places[0][0]
        self._second = places[1][0]
        # Two cities, one value.
        self._simple = len(goal) == 1 and len(places) == 2 and len(places[0]) == len(places[1]) == 1

    def reached(self, labels: list[int]) -> i64:
        """The index of the value that the connected cities reach, or -1 for none."""
        if self._simple:
            return 0 if labels[self._first] == labels[self._second] else -1
        return reached(self.goal, labels)

    def lines(self) -> list[TicketScore]:
        """Its possible lines on the sheet, one for each value, and a last one if it is not completed (P2)."""
        if not self._lines:
            card: Ticket = self.ticket
            several = tuple([place for place, _ in card.alternatives])
            lines = [
                TicketScore((*card.cities[:-1], end), points, True, card.id, several)
                for end, points in zip(self.ends, self.points, strict=False)
            ]
            self._lines = [*lines, TicketScore(card.cities, int(self.penalty), False, card.id, several)]
        return self._lines


def _change_ticket(state: State, seat: int, ticket: ScoredTicket, changes: TicketChanges) -> ScoredTicket:
    """A ticket with the points that plugins give it for a seat (`ticket_points`)."""
    card: Ticket = ticket.ticket
    values = [
        (_change_points(state, seat, card, points, changes), places, end)
        for (points, places), end in zip(ticket.goal, ticket.ends, strict=False)
    ]
    values.sort(key=itemgetter(0), reverse=True)
    penalty = -_change_points(state, seat, card, -int(ticket.penalty), changes)
    goal = [*[(points, places) for points, places, _ in values], (penalty, NOWHERE)]
    return ScoredTicket(card, goal, [end for _, _, end in values], penalty)


def _change_points(state: State, seat: int, ticket: Ticket, points: int, changes: TicketChanges) -> int:
    """The points of a ticket for a seat, after the changes of all plugins."""
    return change_number("ticket_points", changes, (state, seat, ticket), points)


def scored_tickets(rules: Rules) -> dict[str, ScoredTicket]:
    """The tickets of a stack as they are scored, by id."""
    scored: dict[str, ScoredTicket] = {}
    for id, ticket in rules.tickets.items():
        ends = [place for place, _ in ticket.goals]
        goal = rules.ticket_goals[id]
        scored[id] = ScoredTicket(ticket, goal, ends, ticket.penalty)
        if ticket.in_order is not None:
            better = [(ticket.in_order, goal[0][1]), *goal[1:], (ticket.penalty, NOWHERE)]
            scored[id].ordered = ScoredTicket(ticket, better, ends, ticket.penalty)
    return scored


def completed(
    state: State, seat: int, tickets: Iterable[str] | None = None, *, routes: Iterable[str] | None = None
) -> tuple[str, ...]:
    """The tickets that a seat's routes complete (P2): of those in its hand, or of `tickets`.

    Routes of partners count (`Variant.ticket_routes`), but not routes to be borrowed at the end, for example by
    stations. With `routes`, only those count, whoever owns them. To find the tickets that a claim has just completed,
    ask once with the route and once without it. A ticket with places to pass in order is completed once they are joined.
    The order only adds points. This is cheap enough for `offers` and `options`. `ttr_rules.play.ticket_progress` also
    says what is missing, and takes longer. A hint, which has a view, asks
    `ttr_tools.bots.plan_tickets(view, rules, tickets).complete`. Raises `InvalidInputError` for a view, and for a route
    that is not on the board.

    >>> import ttr_rules as ttr
    >>> routes = [["Paris", "Zürich"], ["Zürich", "München"], ["München", "Wien"]]
    >>> players = [{"name": "Ada", "routes": routes, "tickets": [["Paris", "Wien"], ["Brest", "Venezia"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> completed(state, 0), completed(state, 0, routes=state.routes(0)[1:])
    (('paris-wien',), ())
    """
    value: object = state
    if not isinstance(value, State):
        raise InvalidInputError(f"expected a state, not {brief(value)}: with a view, ask plan_tickets(…).complete")
    held = state.tickets[seat] if tickets is None else tickets
    if not held and routes is None:
        return ()
    network, known = state.rules.network, state.rules.derived(scored_tickets)
    serving: list[int] = []
    if routes is None:
        serving = [*state.routes_of(seat), *ticket_routes(state, seat)]
    for route in [routes] if isinstance(routes, str) else routes or ():
        if isinstance(routes, str) or route not in network.route_number:
            raise InvalidInputError(
                f"routes are ids of routes on the board {state.rules.board.name}, not {brief(route)}"
            )
        serving.append(network.route_number[route])
    labels = labels_of(network, serving)
    return tuple([ticket for ticket in held if known[ticket].reached(labels) >= 0])


def connected(state: State, seat: int, first: str, second: str) -> bool:
    """True if a seat's own routes join two cities. `ttr_rules.model.networks` finds all cities that some routes join.

    Raises `InvalidInputError` for a city that is not on the board.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"], ["Zürich", "Venezia"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> connected(state, 0, "paris", "venezia"), connected(state, 1, "paris", "venezia")
    (True, False)
    """
    network = state.rules.network
    for city in (first, second):
        if city not in network.city_number:
            raise InvalidInputError(f"no city {city!r} on the board {state.rules.board.name}")
    labels = labels_of(network, state.routes_of(seat))
    return labels[network.city_number[first]] == labels[network.city_number[second]]
