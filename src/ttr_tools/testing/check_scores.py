"""Checks of points, cars and the score sheet by recounting them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttr_rules import PlayerScore, State
from ttr_rules.engine import running_scores
from ttr_rules.events import CarsUsed, Event, RouteClaimed, RoutePointsScored, RouteShared
from ttr_rules.graph import components
from ttr_rules.model import Action
from ttr_tools.testing.compare import differing
from ttr_tools.testing.game_run import Check, GameRun
from ttr_tools.testing.names import class_name, is_core
from ttr_tools.testing.problems import CheckFailed


class ScoresCheck(Check):
    """Points and cars follow from the routes claimed, and the score sheet from the state at the end.

    If a plugin's event changes cars or owners itself, cars are not counted.
    """

    name = "scores"
    claim = "points, cars and the score sheet are what a recount gives"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.shadow = State(self.rules, game_run.players, self.game.state.chance)
        self.points = [0] * game_run.players
        self.put_away = [0] * game_run.players
        self.plain = True

    def start(self) -> None:
        self._follow(self.game.events)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self._follow(events)

    def _follow(self, events: Iterable[Event]) -> None:
        for event in events:
            before = (self.shadow.scores[:], self.shadow.cars[:], self.shadow.owner[:])
            event.apply(self.shadow)
            if not is_core(type(event)) and before != (self.shadow.scores, self.shadow.cars, self.shadow.owner):
                if before[0] != self.shadow.scores:
                    raise CheckFailed(
                        f"the event {class_name(type(event))} changes the points of routes, which nobody can tell from its "
                        "own: score with tx.score(seat, points, term), and give points_in_play(term) to scoring_terms"
                    )
                self.plain = False
            if isinstance(event, RouteClaimed | RouteShared | RoutePointsScored):
                self.points[event.seat] += event.points
            elif isinstance(event, CarsUsed):
                self.put_away[event.seat] += event.cars
        state = self.game.state
        if state.scores != self.points:
            raise CheckFailed(f"the scores are {state.scores}, but the routes claimed gave {self.points} (P1)")
        in_play = [term.name for term in self.rules.scoring_terms if term.in_play]
        for name in state.points:
            if name not in in_play and not _counted_once(state, name):
                raise CheckFailed(
                    f"points are scored in play under {name!r}, for which there is no points_in_play({name!r}) among the "
                    "scoring terms: they are on no sheet, or another term counts them a second time"
                )
        if not self.plain:
            return
        taken = self.rules.network.cars
        for seat in range(self.game_run.players):
            used = self.put_away[seat] + sum(taken[route] for route in state.routes_of(seat))
            if state.cars[seat] < 0 or state.cars[seat] + used != self.rules.components.cars:
                raise CheckFailed(
                    f"seat {seat} has {state.cars[seat]} cars left and {used} used, of {self.rules.components.cars} (S1)"
                )

    def end(self) -> None:
        first, second = self.game.copy(), self.game.copy()
        before = first.state
        sheet, again = first.final_scores, second.final_scores
        if before != first.state:
            where = differing(before, first.state, "before", "after")
            raise CheckFailed(f"counting the scores changed the state: {where}; terms, bonuses and loans only look")
        if sheet is None or sheet != again:
            raise CheckFailed(
                "the score sheet is another one when it is counted again: a term or bonus depends on more than the state"
            )
        if [player.name for player in sheet.players] != list(self.game.players):
            raise CheckFailed(f"the score sheet has the players {[player.name for player in sheet.players]}")
        best = max(player.total for player in sheet.players)
        winning = [player for player in sheet.players if player.rank == 1]
        if not winning or any(player.total != best for player in winning):
            raise CheckFailed(f"the winners {sheet.winners} do not have the most points, {best}")
        for player in sheet.players:
            self._player(player)

    def _player(self, player: PlayerScore) -> None:
        state, rules, seat = self.game.state, self.rules, player.seat
        if player.route_points != state.scores[seat]:
            raise CheckFailed(
                f"seat {seat} has {state.scores[seat]} points, {player.route_points} of them on the sheet"
            )
        wanted = [term.name for term in rules.scoring_terms]
        if list(player.terms) != wanted or len(set(wanted)) < len(wanted):
            raise CheckFailed(
                f"the sheet of seat {seat} has the terms {list(player.terms)}, the stack {wanted}: each needs its own name"
            )
        network = rules.network
        own = [network.route_ids[route] for route in state.routes_of(seat)]
        for route in player.lends.values():
            if state.owners.get(route, seat) == seat:
                raise CheckFailed(f"{route} is lent to seat {seat}, but no other player owns it")
        links = [network.ends[network.route_number[id]] for id in (*own, *player.lends.values())]
        labels = components(links, len(network.city_ids))
        held = state.tickets[seat]
        if len(held) != len(player.tickets):
            raise CheckFailed(f"seat {seat} holds {len(held)} tickets, {len(player.tickets)} are on the sheet")
        for id, given in zip(held, player.tickets, strict=True):
            worth = max(
                (
                    self._worth(seat, id, points)
                    for points, pairs in rules.ticket_goals[id]
                    if any(labels[a] == labels[b] for a, b in pairs)
                ),
                default=None,
            )
            if given.completed != (worth is not None) or given.signed != (
                worth if worth is not None else self._worth(seat, id, -rules.tickets[id].penalty)
            ):
                raise CheckFailed(f"the ticket {id} of seat {seat} is given as {given}; a recount gives {worth} (P2)")
        path = player.longest_path
        if path.length != sum(rules.board.routes[id].length for id in path.routes) or not set(path.routes) <= set(own):
            raise CheckFailed(f"the longest path of seat {seat} is given as {path} (P3)")

    def _worth(self, seat: int, ticket: str, points: int) -> int:
        """What plugins make of the points of a ticket."""
        for change in self.rules.ticket_points:
            points = change(self.game.state, seat, self.rules.tickets[ticket], points)
        return points


def _counted_once(state: State, name: str) -> bool:
    """Whether the scores during play contain the points scored under a name exactly once, in whatever term."""
    without = state.copy()
    points = without.points.pop(name)
    with_them, rest = running_scores(state), running_scores(without)
    return all(with_them[seat] - rest[seat] == points[seat] for seat in range(state.players))
