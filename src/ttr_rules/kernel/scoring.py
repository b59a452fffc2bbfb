"""The final scores of a state (P1–P5, R6, R7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ttr_rules._internal.frozenmap import FrozenMap
from ttr_rules._internal.language import Message
from ttr_rules._internal.messages import brief
from ttr_rules.errors import HookTypeError, InvalidInputError, PluginError
from ttr_rules.graph.goals import Goal
from ttr_rules.graph.lending import best_lending, components, points_of, reached
from ttr_rules.graph.paths import LongestPath
from ttr_rules.graph.trails import longest_trail, stops
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.player_score import PlayerScore, Term, TicketScore
from ttr_rules.kernel.scores import Bonus, FinalScores, Loan, ScoringTerm, TieBreak
from ttr_rules.kernel.state import FREE, State
from ttr_rules.kernel.tables import RuleTables, tables_of
from ttr_rules.model.board import Ticket
from ttr_rules.model.network import Network

#: Shared by all sheets on which nothing is lent.
NOTHING: Mapping[str, str] = FrozenMap()


def final_scores(state: State, names: Sequence[str]) -> FinalScores:
    """The score sheet of a state as if the game ended here, ranked (P4)."""
    rules = tables_of(state)
    routes: list[list[int]] = [[] for _ in names]
    for route, owner in enumerate(state.owner):
        # survives >: free is -1, and seats are numbered from 0
        if owner != FREE:
            routes[owner].append(route)
    for seat in {seat for seats in state.shared.values() for seat in seats}:
        routes[seat] = state.routes_of(seat)
    sheets = tuple([_sheet(state, seat, name, routes[seat]) for seat, name in enumerate(names)])
    won: list[dict[str, int]] = [{} for _ in sheets]
    for bonus in rules.bonuses:
        for seat, points in _awards(rules, bonus, sheets).items():
            won[seat][bonus.name] = points
    for seat, sheet in enumerate(sheets):
        if won[seat]:
            _complete(sheet, "bonuses", FrozenMap(won[seat]))
    keys = [(sheet.total, *[_tie_key(rules, tie, sheet) for tie in rules.tie_break]) for sheet in sheets]
    for sheet, rank in zip(sheets, _ranks(rules, keys), strict=True):
        _complete(sheet, "rank", rank)
    return FinalScores(sheets, rules.sheet_words, tuple(_ties(sheets, rules)))


def _tie_key(rules: RuleTables, tie: TieBreak, sheet: PlayerScore) -> Any:
    """What a plugin's tie-break compares; a mistake in it is the plugin's."""
    key: Any = tie.key  # which may return anything
    try:
        return key(sheet)
    except Exception as error:
        who = rules.answered_by("tie_break")
        raise PluginError(f"tie-break {tie.name!r} of {who} failed: {type(error).__name__}: {error}") from error


def _ranks(rules: RuleTables, keys: Sequence[tuple[Any, ...]]) -> list[int]:
    """The rank of each key, the best first; keys that cannot be compared are the plugin's mistake."""
    try:
        return [1 + sum([other > key for other in keys]) for key in keys]
    except Exception as error:
        names = " or ".join(repr(tie.name) for tie in rules.tie_break)
        who = rules.answered_by("tie_break")
        raise PluginError(f"tie-break {names} of {who} cannot be compared: {type(error).__name__}: {error}") from error


def _ties(players: Sequence[PlayerScore], rules: RuleTables) -> Iterator[str]:
    """Why players with equal points do not share a rank."""
    for ahead, behind in pairwise(sorted(players, key=_rank)):
        if ahead.total == behind.total and ahead.rank != behind.rank:
            reason = next((tie.name for tie in rules.tie_break if tie.key(ahead) != tie.key(behind)), "")
            template = "{ahead} is ahead of {behind} at equal points: {reason}."
            yield Message(template, ahead=ahead.name, behind=behind.name, reason=Message(reason))


def _rank(player: PlayerScore) -> int:
    return player.rank


def _sheet(state: State, seat: int, name: str, routes: list[int]) -> PlayerScore:
    """A seat's column, from the numbers of its routes; without bonuses and rank."""
    rules = tables_of(state)
    network = rules.network
    links = [network.ends[route] for route in routes]
    loans = [loan for link in rules.ticket_links for loan in link.loans(state, seat)]
    known = rules.derived(scored_tickets)
    tickets = [known[id] for id in state.tickets[seat]]
    goals = [each.goal for each in tickets]
    lent = lend(network, links, goals, loans)
    borrowed = [network.ends[network.route_number[route]] for _, route in lent]
    labels = components([*links, *borrowed], len(network.city_ids))
    needed = _needed(links, borrowed, goals, labels) if borrowed and goals else ()
    length, trail = longest_trail([(*network.ends[route], network.lengths[route]) for route in routes])
    path = tuple([network.route_ids[routes[edge]] for edge in trail])
    way = stops([network.ends[routes[edge]] for edge in trail])
    return PlayerScore(
        seat=seat,
        name=name,
        route_points=state.scores[seat],
        tickets=tuple([ticket.scores[reached(ticket.goal, labels)] for ticket in tickets]),
        longest_path=LongestPath(length, path, tuple([network.city_ids[city] for city in way])),
        lends=FrozenMap(dict(lent)) if lent else NOTHING,
        needed_loans=tuple([lent[index][0] for index in needed]),
        terms=FrozenMap({term.name: _term(state, seat, term) for term in rules.scoring_terms}),
        keys=rules.derived(_keys),
        borrows=bool(rules.ticket_links),
    )


def _needed(
    links: Sequence[tuple[int, int]], borrowed: Sequence[tuple[int, int]], goals: Sequence[Goal], labels: Sequence[int]
) -> tuple[int, ...]:
    """Which of the borrowed links the tickets need: the smallest set that scores as much. `labels` are with all."""
    wanted = points_of(goals, labels)
    if points_of(goals, components(links, len(labels))) == wanted:
        return ()
    kept = list(range(len(borrowed)))
    for index in reversed(range(len(borrowed))) if len(borrowed) > 1 else ():
        fewer = [each for each in kept if each != index]
        if points_of(goals, components([*links, *[borrowed[each] for each in fewer]], len(labels))) == wanted:
            kept = fewer
    return tuple(kept)


def _term(state: State, seat: int, term: ScoringTerm) -> Term:
    """What a plugin's term gives a seat; errors in it are reported as the plugin's."""
    score: Any = term.score  # which may return anything
    try:
        given = score(state, seat)
    except Exception as error:
        who = tables_of(state).answered_by("scoring_terms")
        raise PluginError(f"scoring term {term.name!r} of {who} failed: {type(error).__name__}: {error}") from error
    if not isinstance(given, Term) or type(getattr(given, "points", None)) is not int:
        who = tables_of(state).answered_by("scoring_terms")
        raise HookTypeError(f"scoring term {term.name!r} of {who} must give a Term, not {brief(given)}")
    return given


def _awards(rules: RuleTables, bonus: Bonus, sheets: Sequence[PlayerScore]) -> dict[int, int]:
    """The seats that get a plugin's bonus, with their points; errors in it are reported as the plugin's."""
    holders: Any = bonus.holders  # either may return anything
    awards: Any = bonus.awards
    try:
        found: dict[Any, Any] = dict.fromkeys(holders(sheets), bonus.points) if awards is None else dict(awards(sheets))
    except Exception as error:
        who = rules.answered_by("bonuses")
        raise PluginError(f"bonus {bonus.name!r} of {who} failed: {type(error).__name__}: {error}") from error
    if not all(type(seat) is int and 0 <= seat < len(sheets) for seat in found):
        who = rules.answered_by("bonuses")
        raise HookTypeError(
            f"bonus {bonus.name!r} of {who} must go to seats from 0 to {len(sheets) - 1}, not {brief(list(found))}"
        )
    return found


def running_scores(state: State) -> list[int]:
    """The points of each seat in play: those of its routes and of the terms that count during play."""
    terms = [term for term in tables_of(state).scoring_terms if term.running]
    if not terms:
        return state.scores.copy()
    return [points + sum(_term(state, seat, term).points for term in terms) for seat, points in enumerate(state.scores)]


def lend(
    network: Network, links: Sequence[tuple[int, int]], goals: Sequence[Goal], loans: Sequence[Loan]
) -> list[tuple[str, str]]:
    """The city and route of every loan that yields one: those chosen, and the best choice for the others."""
    if not loans:
        return []
    options: list[list[tuple[str, int, int]]] = []
    for loan in loans:
        routes = loan.routes if loan.chosen is None else (loan.chosen,)
        options.append([(route, *network.ends[network.route_number[route]]) for route in sorted(routes)])
    chosen = best_lending(links, goals, options)
    return [(loan.city, route) for loan, route in zip(loans, chosen, strict=True) if route is not None]


class ScoredTicket:
    """A ticket as numbers, and its line on the sheet: `scores` by the value reached, the last one if none is (P2)."""

    __slots__ = ("goal", "scores")

    def __init__(self, ticket: Ticket, goal: Goal) -> None:
        several = tuple([place for place, _ in ticket.alternatives])
        self.goal = goal
        self.scores = [
            TicketScore((ticket.cities[0], ticket.goals[number][0]), points, True, ticket.id, several)
            for number, (points, _) in enumerate(goal)
        ]
        self.scores.append(TicketScore(ticket.cities, ticket.penalty, False, ticket.id, several))


def scored_tickets(rules: GameData) -> dict[str, ScoredTicket]:
    """The tickets of a stack as they are scored, by id."""
    return {id: ScoredTicket(ticket, rules.ticket_goals[id]) for id, ticket in rules.tickets.items()}


def _keys(rules: RuleTables) -> Mapping[str, tuple[str, str]]:
    """The JSON names of the terms that have some."""
    return FrozenMap({term.name: term.keys for term in rules.scoring_terms if term.keys is not None})


def _complete(sheet: PlayerScore, name: str, value: object) -> None:
    """Fill in a field of a sheet that nobody else has yet: a copy of every sheet would take as long as its scores."""
    object.__setattr__(sheet, name, value)


def connected(state: State, seat: int, first: str, second: str) -> bool:
    """Whether a seat's own routes join two cities. Raises `InvalidInputError` for a city that is not on the board.

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
    labels = components([network.ends[route] for route in state.routes_of(seat)], len(network.city_ids))
    return labels[network.city_number[first]] == labels[network.city_number[second]]
