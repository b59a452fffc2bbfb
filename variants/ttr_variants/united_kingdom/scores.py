"""The points from technologies: in play, and bonuses at the end (U14, U15, U24, U25)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ttr_rules import PlayerScore, Route, State
from ttr_rules.plugins import Bonus, Detail, ScoringTerm, Term, Transaction, marked

from .options import BritishOptions
from .state import Technologies, earned
from .technologies import DOUBLE_HEADING, EQUALISING_BEAM, RISKY_CONTRACTS, TECHNOLOGIES

A_TICKET, MOST_TICKETS, LONGEST_PATH = 2, 20, 15  # U15, U24, U25


def score_claim(tx: Transaction, seat: int, route: Route) -> None:
    """Score what technologies bring for a claim after their purchase (U14, UR18)."""
    for technology, points in earned(tx.rules, tx.state.part(Technologies).owned[seat], route.id):
        tx.score(seat, points, technology)


def technologies(state: State, seat: int) -> Term:
    """The technologies that a seat owns, card by card, with the points that each kind has scored in play."""
    owned = state.part(Technologies).owned[seat]
    points = {id: state.points[id][seat] if id in state.points else 0 for id in owned}
    details = [
        Detail(TECHNOLOGIES[id].name, 0 if id in owned[:number] else points[id]) for number, id in enumerate(owned)
    ]
    return Term(sum(points.values()), len(owned), tuple(details))


TERM = ScoringTerm("technologies", technologies, running=True, label="Technologies")

# -- at the end ------------------------------------------------------------------------------------------------


def copies(player: PlayerScore, technology: str) -> int:
    """How many copies of a technology a player owns, according to the sheet."""
    return [detail.what for detail in player.terms[TERM.name].details].count(TECHNOLOGIES[technology].name)


#: The labels of the bonuses below, for translators.
LABELS = (marked("Double Heading"), marked("Risky Contracts"), marked("Equalising Beam"))


def _bonus(technology: str, points: int, awards: Callable[[Sequence[PlayerScore]], Mapping[int, int]]) -> Bonus:
    label = TECHNOLOGIES[technology].name
    return Bonus(technology, points, lambda players: list(awards(players)), awards=awards, label=label)


def _double_heading(players: Sequence[PlayerScore]) -> Mapping[int, int]:
    """Two points for each completed ticket (U15)."""
    points = {each.seat: A_TICKET * copies(each, DOUBLE_HEADING) * each.completed_tickets for each in players}
    return {seat: each for seat, each in points.items() if each}


def all_or_nothing(technology: str, points: int, key: Callable[[PlayerScore], int], *, ties_fail: bool) -> Bonus:
    """Points for an owner of a technology with the most of something, else minus as many; 0 is never most (UR4)."""

    def awards(players: Sequence[PlayerScore]) -> Mapping[int, int]:
        counts = [key(player) for player in players]
        found: dict[int, int] = {}
        for player in players:
            if copies(player, technology):
                best = key(player) == max(counts) > 0 and not (ties_fail and counts.count(key(player)) > 1)
                found[player.seat] = points if best else -points
        return found

    return _bonus(technology, points, awards)


def bonuses(options: BritishOptions) -> tuple[Bonus, ...]:
    """The bonuses of technologies at the end; there are no others (U19)."""
    found = (_bonus(DOUBLE_HEADING, A_TICKET, _double_heading),)
    if not options.advanced:
        return found
    fail = options.ties_fail
    tickets = all_or_nothing(RISKY_CONTRACTS, MOST_TICKETS, lambda player: player.completed_tickets, ties_fail=fail)
    path = all_or_nothing(EQUALISING_BEAM, LONGEST_PATH, lambda player: player.longest_path.length, ties_fail=fail)
    return (*found, tickets, path)
