"""The results of a simulated game: seats, tickets and routes, as plain values that can be sent between processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import field, frozen

from ttr_rules import PlayerScore
from ttr_rules.errors import InvalidInputError
from ttr_rules.events import (
    CardDrawn,
    ExtraTurnBegun,
    FaceUpTaken,
    GameBegun,
    GameEnded,
    RouteClaimed,
    RouteShared,
    TicketsChosen,
    TicketsDrawn,
    TunnelAbandoned,
    TurnBegun,
)
from ttr_rules.play import Game
from ttr_rules.sequences import FrozenMap


@frozen
class SeatResult:
    """What a seat achieved: `order` is 1 for the seat that played first, `rank` 1 for a winner.

    `points` has every line of the score sheet, also those that are 0: those for routes and tickets under "routes" and
    "tickets", the others under the names of their terms and bonuses. Their sum is the `score`.

    Draws are counted in train cards: from the pile and from the face-up row; `ticket_draws` is how often tickets were
    drawn in play. `failed_tunnels` are those that were abandoned, or could not be paid (T4).

    >>> from ttr_tools.simulation import simulate
    >>> seat = next(simulate("europe", ["random", "random"], games=1, seed=1)).seats[0]
    >>> list(seat.points), sum(seat.points.values()) == seat.score
    (['routes', 'tickets', 'stations', 'longest_path'], True)
    """

    seat: int
    bot: str
    order: int
    score: int
    rank: int
    turns: int
    points: Mapping[str, int] = field(converter=FrozenMap[str, int])
    blind_draws: int = 0
    face_up_draws: int = 0
    ticket_draws: int = 0
    failed_tunnels: int = 0


@frozen
class TicketResult:
    """A ticket that a seat held at the end: kept at set-up or drawn later, and what it gave.

    >>> from ttr_tools.simulation import simulate
    >>> ticket = next(simulate("europe", ["planner", "random"], games=1, seed=1)).tickets[0]
    >>> ticket.seat, ticket.kept, ticket.completed
    (0, 'set-up', True)
    """

    seat: int
    ticket: str
    kept: Literal["set-up", "drawn"]
    completed: bool
    points: int


@frozen
class RouteResult:
    """A route that somebody claimed, and in which of the owner's turns. A route with several owners has several.

    >>> from ttr_tools.simulation import simulate
    >>> routes = next(simulate("europe", ["random", "random"], games=1, seed=1)).routes
    >>> min(route.turn for route in routes if route.owner == 0) >= 1
    True
    """

    route: str
    owner: int
    turn: int


@frozen
class GameResult:
    """The result of one game of a simulation: its number, its seed, and what happened.

    `new_game(..., seed=result.seed)` deals the game again. `ending` is the reason of the event `GameEnded`, such as "last
    round" (E1) or "deadlock" (R4), and `rounds` counts the rounds of turns, the last one too.

    >>> from ttr_tools.simulation import simulate
    >>> result = next(simulate("europe", ["random", "random"], games=1, seed=1))
    >>> result
    GameResult(game=0, seed='1:0')
    >>> result.scores == tuple(seat.score for seat in result.seats)
    True
    >>> result.ending, result.rounds
    ('last round', 66)
    """

    game: int
    seed: str
    seats: tuple[SeatResult, ...] = field(repr=False)
    tickets: tuple[TicketResult, ...] = field(repr=False)
    routes: tuple[RouteResult, ...] = field(repr=False)
    ending: str = field(repr=False)
    rounds: int = field(repr=False)

    @property
    def margin(self) -> int:
        """The points between the winner and the next player: 0 if they share the victory or a tie was broken."""
        first, *others = sorted(self.seats, key=lambda seat: seat.rank)
        return first.score - others[0].score if others else 0

    @property
    def scores(self) -> tuple[int, ...]:
        """The final scores, seat by seat."""
        return tuple(seat.score for seat in self.seats)


def result_of(game: Game, bots: Sequence[str], number: int = 0) -> GameResult:
    """The result of a finished game, played by bots of these names. Raises `InvalidInputError` if it is not over.

    >>> from ttr_rules import new_game
    >>> from ttr_tools.bots import play_game
    >>> game = new_game("london", players=2, seed=1)
    >>> play_game(game)
    >>> result_of(game, ["planner", "planner"]).scores == tuple(each.total for each in game.final_scores.players)
    True
    """
    sheets = game.final_scores
    if sheets is None:
        raise InvalidInputError("the game is not over: it has no result yet")
    count = len(game.players)
    first, ordinary_turns, ending = 0, 0, ""
    turns, blind, face_up, ticket_draws, failed_tunnels = ([0] * count for _ in range(5))
    dealt: list[set[str]] = [set() for _ in range(count)]
    routes: list[RouteResult] = []
    for move in game.moves:
        for event in move.events:
            match event:
                case TurnBegun(seat):
                    turns[seat] += 1
                    ordinary_turns += 1
                case ExtraTurnBegun(seat):
                    turns[seat] += 1
                case CardDrawn(seat):
                    blind[seat] += 1
                case FaceUpTaken(seat):
                    face_up[seat] += 1
                case TicketsDrawn(seat):
                    ticket_draws[seat] += 1
                case TunnelAbandoned(seat):
                    failed_tunnels[seat] += 1
                case RouteClaimed(seat, route) | RouteShared(seat, route):
                    routes.append(RouteResult(route, seat, turns[seat]))
                case TicketsChosen(seat, tuple(kept)):
                    dealt[seat].update(kept)
                case GameBegun(_, first_seat):
                    first = first_seat
                case GameEnded(reason):
                    ending = reason
                case _:
                    pass
    tickets = tuple(
        TicketResult(
            sheet.seat, each.id, "set-up" if each.id in dealt[sheet.seat] else "drawn", each.completed, each.signed
        )
        for sheet in sheets.players
        for each in sheet.tickets
    )
    bonuses = [bonus.name for bonus in game.rules.bonuses]
    seats = tuple(
        SeatResult(
            seat=sheet.seat,
            bot=bot,
            order=1 + (sheet.seat - first) % count,
            score=sheet.total,
            rank=sheet.rank,
            turns=turns[sheet.seat],
            points=_points(sheet, bonuses),
            blind_draws=blind[sheet.seat],
            face_up_draws=face_up[sheet.seat],
            ticket_draws=ticket_draws[sheet.seat],
            failed_tunnels=failed_tunnels[sheet.seat],
        )
        for sheet, bot in zip(sheets.players, bots, strict=True)
    )
    rounds = -(-ordinary_turns // count)
    return GameResult(number, str(game.seed), seats, tickets, tuple(routes), ending, rounds)


def _points(sheet: PlayerScore, bonuses: Sequence[str]) -> dict[str, int]:
    """Every line of a score sheet. Lines of the same name are added up."""
    found = {"routes": sheet.route_points, "tickets": sheet.ticket_points}
    more = [(name, term.points) for name, term in sheet.terms.items()]
    for name, points in (*more, *((name, sheet.bonuses.get(name, 0)) for name in bonuses)):
        found[name] = found.get(name, 0) + points
    return found
