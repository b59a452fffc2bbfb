"""Who owns which technologies, what that allows and brings, and how tables say it (U7–U14, U16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from attrs import define, frozen

from ttr_rules import Event, Refusal, Route, State
from ttr_rules.events import RouteShared
from ttr_rules.plugins import (
    KeyHelp,
    Message,
    Part,
    PlayerEntry,
    Position,
    PrintedName,
    Report,
    Rules,
    Seat,
    Transaction,
    brief,
    join_and,
    public,
)

from .options import BritishOptions
from .right_of_way import not_shareable
from .technologies import OPEN_TO_ALL, TECHNOLOGIES, THERMOCOMPRESSOR, Requirements, technology_called

OWNED, EARNED, SHARED = "technologies", "technology_points", "right_of_way"


@define(eq=False, repr=False)
class Technologies(Part):
    """Who owns which technologies, and how many are left; all of it is public (UR16).

    `owned` holds what each seat bought, in that order; `left` how many copies are for sale; `bought_in` the number of
    the turn of the last purchase; `second_claim` says whether the turn still has a second claim (U22).
    """

    player_keys = (OWNED, EARNED, SHARED)
    key_help: ClassVar[Mapping[str, KeyHelp]] = {
        OWNED: KeyHelp("The technologies that this player owns.", '["propellers", "boiler_lagging"]'),
        EARNED: KeyHelp("The points that boiler lagging and steam turbines brought.", "{{boiler_lagging = 1}}"),
        SHARED: KeyHelp("The routes of others that this player claimed as well, by right of way.", "[{route}]"),
    }
    names: ClassVar[Mapping[str, PrintedName]] = {id: card.printed for id, card in TECHNOLOGIES.items()}

    owned: list[tuple[str, ...]] = public(factory=list, label="Technologies")
    left: dict[str, int] = public(factory=dict, label="For sale")
    bought_in: int = public(default=0, label="")
    second_claim: bool = public(default=False, label="")

    @classmethod
    def start(cls, rules: Rules, players: int) -> Technologies:
        """Nobody owns anything, and the advanced technologies are for sale only by option (U21)."""
        advanced = rules.plugin(BritishOptions).advanced
        sold = [card for card in TECHNOLOGIES.values() if advanced or not card.advanced]
        return cls([()] * players, {card.id: card.copies for card in sold})

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_technologies(tx, position, report)

    def validate(self) -> str | None:
        sold_out = [id for id, left in self.left.items() if left < 0]
        return f"more copies of {' and '.join(sold_out)} are owned than there are" if sold_out else None

    def owns(self, seat: int, technology: str) -> bool:
        """Whether a seat owns a technology."""
        return technology in self.owned[seat]


@frozen
class TechnologyBought(Event):
    """A seat bought a technology (U9). One that is used up at once is for sale again (U16, U22)."""

    message = "{seat} buys {technology}"

    seat: int
    technology: str

    @staticmethod
    def effect(state: State, seat: int, technology: str) -> None:
        part = state.part(Technologies)
        part.bought_in = state.turn_number
        part.second_claim = technology == THERMOCOMPRESSOR
        if not TECHNOLOGIES[technology].at_once:
            part.owned[seat] = (*part.owned[seat], technology)
            part.left[technology] -= 1


@frozen
class TechnologiesBoxed(Event):
    """Technologies for sale only until the first reshuffle of the discards left the game (U26)."""

    message = "{technologies} leave the game"

    technologies: tuple[str, ...]

    @staticmethod
    def effect(state: State, technologies: tuple[str, ...]) -> None:
        part = state.part(Technologies)
        part.left.update(dict.fromkeys(technologies, 0))


@frozen
class TechnologiesArranged(Event):
    """A seat of an arranged position owns these technologies."""

    message = "{seat} owns {technologies}"

    seat: int
    technologies: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, technologies: tuple[str, ...]) -> None:
        part = state.part(Technologies)
        part.owned[seat] += technologies
        for each in technologies:
            part.left[each] -= 1


# -- what technologies allow and bring --------------------------------------------------------------------------


def claim_refusal(state: State, seat: int, route: Route) -> Refusal | None:
    """Why a seat may not claim a route for lack of technologies (U7, U10)."""
    part = state.part(Technologies)
    needs, owned = state.rules.derived(Requirements).of[route.id], part.owned[seat]
    lacking = tuple([id for id in needs if id not in owned])
    return _refuse(seat, route.id, needs, lacking, not all(part.left[id] for id in lacking)) if lacking else None


@lru_cache(maxsize=4096)  # views ask about every closed route
def _refuse(seat: int, route: str, needs: tuple[str, ...], lacking: tuple[str, ...], lasting: bool) -> Refusal:
    needed = join_and(TECHNOLOGIES[id].name for id in needs)
    missing = join_and(Message("no {technology}", technology=TECHNOLOGIES[id].name) for id in lacking)
    template = "{route} needs {needed}; {seat} has {missing}"
    return Refusal("U10", Message(template, route=route, needed=needed, seat=Seat(seat), missing=missing), lasting)


def is_ferry(rules: Rules, route: str) -> bool:
    """Whether a route is a ferry for steam turbines: New York is one, unless the ruling says otherwise (UR6)."""
    found = rules.board.routes[route]
    counts = OPEN_TO_ALL not in found.marks or rules.plugin(BritishOptions).new_york_ferry
    return bool(found.ferry_locomotives) and counts


def earned(rules: Rules, owned: Sequence[str], route: str) -> Iterator[tuple[str, int]]:
    """The extra points that the owner of some technologies gets for claiming a route, by technology (U14)."""
    for id in dict.fromkeys(owned):
        card = TECHNOLOGIES[id]
        points = card.a_route + (card.a_ferry if is_ferry(rules, route) else 0)
        if points:
            yield id, points * owned.count(id)


# -- tables ----------------------------------------------------------------------------------------------------


def arrange_technologies(tx: Transaction, position: Position, report: Report) -> None:
    """Read the keys of the players of a table."""
    for player in position.players:
        _put_technologies(tx, player, report)
        _put_shared(tx, player, report)
    for player in position.players:
        _put_points(tx, player, report)


def _put_technologies(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    left = tx.state.part(Technologies).left
    found: list[str] = []
    for place, written in player.entries(OWNED, report):
        each = technology_called(written)
        if each not in left:
            report.add(place, f"no technology {brief(written)} in this game; there are {', '.join(left)}")
        elif TECHNOLOGIES[each].at_once:
            report.add(place, f"{each} is used up at once, nobody keeps it (U16, U22)")
        elif each in found and not tx.rules.plugin(BritishOptions).copies:
            report.add(place, f"{player.name} owns {each} already (UR3)")
        elif found.count(each) >= left[each]:
            report.add(place, f"there are {TECHNOLOGIES[each].copies} copies of {each} only (U11 to U15)")
        else:
            found.append(each)
    if found:
        tx.emit(TechnologiesArranged, player.seat, tuple(found))


def _put_shared(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    for place, written in player.entries(SHARED, report):
        refused = {
            route: not_shareable(tx.state, player.seat, route) for route in player.routes(written, place, report)
        }
        found = next((route for route, refusal in refused.items() if refusal is None), None)
        if found is not None:
            tx.emit(RouteShared, player.seat, found, tx.rules.route_points[found])
        elif refused:
            report.add(
                place, "; ".join(f"{refusal.reason} ({refusal.rule})" for refusal in refused.values() if refusal)
            )


def _put_points(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    """Set the points from lagging and turbines: they depend on when these were bought, so they must be given (U14)."""
    state = tx.state
    given = player.table(EARNED, report)
    most: dict[str, list[int]] = {}
    for route in state.routes_of(player.seat):
        id = state.rules.network.route_ids[route]
        for technology, more in earned(tx.rules, state.part(Technologies).owned[player.seat], id):
            most.setdefault(technology, []).append(more)
    raw = {technology_called(written) or written: points for written, points in given.raw.items()}
    for technology, each in most.items():
        points: object = raw.get(technology)
        if points is None:
            what = f"{technology} is missing: what it brought depends on when it was bought (U14)"
            report.add(given.place, what)
        elif type(points) is not int or points not in range(0, sum(each) + 1, each[0]):
            what = f"0 to {sum(each)} points, {each[0]} a route, not {brief(points)} (U14)"
            report.add(f"{given.place}.{technology}", what)
        elif points:
            tx.score(player.seat, points, technology)
    for technology, brought in raw.items():
        if technology not in most and brought != 0:
            what = f"{player.name} has no routes that it brings points for (U14)"
            report.add(f"{given.place}.{brief(technology)}", what)
