"""The technologies: what they are, who owns which, what that allows and brings (U7–U16, U21, U24, U25)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import ClassVar, Literal

from attrs import frozen

from ttr_rules import Event, PlayerScore, Refusal, State
from ttr_rules.boards import read_extra
from ttr_rules.events import RouteShared
from ttr_rules.language import Message, Seat, join_and, marked, plural
from ttr_rules.parts import KeyHelp, PlayerEntry, Position, PrintedName, Report
from ttr_rules.plugins import Bonus, Part, Rules, Score, ScoringTerm, Transaction, Variant, option, public
from ttr_rules.scores import Detail
from ttr_rules.text import brief


class BritishOptions(Variant):
    """The options of the map, by the rulings that they decide.

    >>> BritishOptions(advanced=True).copies
    False
    """

    advanced: bool = option(False, True, rule="U21", meaning="the six advanced technology cards are in the game")
    substitute_with_locomotives: bool = option(
        False, True, rule="UR2", meaning="the cards that stand for a locomotive may be locomotives themselves"
    )
    copies: bool = option(False, True, rule="UR3", meaning="a player may own several copies of a technology")
    ties_fail: bool = option(
        False, True, rule="UR4", meaning="who is tied for most has not the most: risky contracts, equalising beam"
    )
    unequal_double: bool = option(False, True, rule="UR5", meaning="Penzance–Plymouth is a double")
    new_york_ferry: bool = option(True, False, rule="UR6", meaning="New York is a ferry for steam turbines")
    second_claim_compulsory: bool = option(
        False, True, rule="UR10", meaning="the second claim of a thermocompressor must be made if it can be"
    )
    tie_break: Literal["tickets", "path"] = option(
        "tickets",
        "path",
        rule="U19",
        meaning="with equal points and tickets the victory is shared, or the longer path wins",
    )


@frozen
class Technology:
    """A technology card: its table in `technologies.toml`, where the keys are explained."""

    id: str
    name: str
    meaning: str
    price: int
    copies: int
    regions: Sequence[str] = ()
    lengths: Sequence[int] = ()
    ferries: bool = False
    a_route: int = 0
    a_ferry: int = 0
    advanced: bool = False
    at_once: bool = False
    early: bool = False

    @property
    def printed(self) -> PrintedName:
        """Its name and a short description."""
        one, many = "{count} locomotive, {meaning}", "{count} locomotives, {meaning}"
        return PrintedName(self.name, plural(one, many, self.price, meaning=Message(self.meaning)))


ROWS = tomllib.loads(files("ttr_variants.united_kingdom").joinpath("technologies.toml").read_text(encoding="utf-8"))
TECHNOLOGIES: Mapping[str, Technology] = {id: Technology(id, **row) for id, row in ROWS.items()}


def technology_called(written: object) -> str | None:
    """The id of a technology that is given by its id or its printed name, if there is one."""
    word = written.casefold() if isinstance(written, str) else ""
    return next((id for id, card in TECHNOLOGIES.items() if word in (id, card.name.casefold())), None)


# Those that the code knows by name.
PROPELLERS, BOOSTER, DOUBLE_HEADING, DIESEL = "propellers", "booster", "double_heading", "diesel_power"
RIGHT_OF_WAY, THERMOCOMPRESSOR, WATER_TENDERS = "right_of_way", "thermocompressor", "water_tenders"
RISKY_CONTRACTS, EQUALISING_BEAM = "risky_contracts", "equalising_beam"
#: Those that routes need, in both sets of cards.
OPENING = frozenset(id for id, card in TECHNOLOGIES.items() if card.regions or card.lengths or card.ferries)
#: The mark of a route that needs no technology at all (U8).
OPEN_TO_ALL = "open_to_all"


# -- what a route needs ----------------------------------------------------------------------------------------


def requirements(rules: Rules) -> Mapping[str, tuple[str, ...]]:
    """Every technology that applies to a route (U10 to U12), by route. A route that is open to all has none (U8)."""
    regions = read_extra(rules.board, "regions", dict[str, list[str]])
    needs: dict[str, tuple[str, ...]] = {}
    for route in rules.board.routes.values():
        ends = {region for region, cities in regions.items() if any(city in cities for city in route.cities)}
        needs[route.id] = tuple(
            card.id
            for card in TECHNOLOGIES.values()
            if OPEN_TO_ALL not in route.marks
            and (
                ends.intersection(card.regions)
                or route.length in card.lengths
                or (card.ferries and route.ferry_locomotives)
            )
        )
    return needs


# -- who owns which -----------------------------------------------------------------------------------------------

OWNED, EARNED, SHARED = "technologies", "technology_points", "right_of_way"


class Technologies(Part):
    """The technologies of each seat and the number left, all of it public (UR16).

    `owned` holds what each seat bought, in that order, and `left` the number of copies for sale. `bought_in` is the
    number of the turn of the last purchase. `second_claim` is true while the turn still has a second claim (U22).
    """

    player_keys: ClassVar[Mapping[str, KeyHelp]] = {
        OWNED: KeyHelp("The technologies that this player owns.", '["propellers", "boiler_lagging"]'),
        EARNED: KeyHelp("The points that boiler lagging and steam turbines brought.", "{{boiler_lagging = 1}}"),
        SHARED: KeyHelp("The routes of others that this player claimed as well, by right of way.", "[{route}]"),
    }
    names: ClassVar[Mapping[str, PrintedName]] = {id: card.printed for id, card in TECHNOLOGIES.items()}

    owned: list[tuple[str, ...]] = public(each=(), label="Technologies")
    left: dict[str, int] = public(label="For sale")
    bought_in: int = public(default=0, label="")
    second_claim: bool = public(default=False, label="")

    @classmethod
    def start(cls, rules: Rules, players: int) -> Technologies:
        """Nobody owns anything, and the advanced technologies are for sale only by option (U21)."""
        part = super().start(rules, players)
        advanced = rules.plugin(BritishOptions).advanced
        part.left = {card.id: card.copies for card in TECHNOLOGIES.values() if advanced or not card.advanced}
        return part

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read the keys of the players of a table."""
        for player in position.players:
            _put_technologies(tx, player, report)
            _put_shared(tx, player, report)
        for player in position.players:
            _put_points(tx, player, report)

    def validate(self, rules: Rules) -> str | None:
        sold_out = [id for id, left in self.left.items() if left < 0]
        return f"more copies of {' and '.join(sold_out)} are owned than there are" if sold_out else None


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


class TechnologiesBoxed(Event):
    """Technologies for sale only until the first reshuffle of the discards left the game (U26)."""

    message = "{technologies} leave the game"

    technologies: tuple[str, ...]

    def apply(self, state: State) -> None:
        part = state.part(Technologies)
        part.left.update(dict.fromkeys(self.technologies, 0))


class TechnologiesArranged(Event):
    """A seat of an arranged position owns these technologies."""

    message = "{seat} owns {technologies}"

    seat: int
    technologies: tuple[str, ...]

    def apply(self, state: State) -> None:
        part = state.part(Technologies)
        part.owned[self.seat] += self.technologies
        for id in self.technologies:
            part.left[id] -= 1


# -- what technologies allow and bring --------------------------------------------------------------------------


@lru_cache(maxsize=4096)  # views ask about every closed route
def refuse_claim(seat: int, route: str, needs: tuple[str, ...], lacking: tuple[str, ...], lasting: bool) -> Refusal:
    """The refusal of a claim for lack of technologies, `lasting` if one of them is sold out (U7, U10)."""
    needed = join_and(TECHNOLOGIES[id].name for id in needs)
    missing = join_and(Message("no {technology}", technology=TECHNOLOGIES[id].name) for id in lacking)
    template = "{route} needs {needed}; {seat} has {missing}"
    return Refusal("U10", Message(template, route=route, needed=needed, seat=Seat(seat), missing=missing), lasting)


def bonus_points(rules: Rules, owned: Sequence[str], route: str) -> Iterator[tuple[str, int]]:
    """The extra points that the owner of some technologies gets for claiming a route, by technology (U14).

    New York is a ferry for steam turbines, unless the ruling says otherwise (UR6).
    """
    info = rules.board.routes[route]
    ferry = info.ferry_locomotives and (OPEN_TO_ALL not in info.marks or rules.plugin(BritishOptions).new_york_ferry)
    for id in dict.fromkeys(owned):
        card = TECHNOLOGIES[id]
        points = card.a_route + (card.a_ferry if ferry else 0)
        if points:
            yield id, points * owned.count(id)


def not_shareable(state: State, seat: int, route: str) -> Refusal | None:
    """The reason that a right of way does not allow a seat to claim a route, whatever it can pay (U16, UR8)."""
    network, own = state.rules.network, state.routes_of(seat)
    number = network.route_number[route]
    if route not in state.owners or number in own:
        template = "{route} is not held by others alone: a right of way leads along their routes"
        return Refusal("U16", Message(template, route=route))
    if network.beside(network.mask(own)) >> number & 1:
        template = "{seat} holds the other half of the double route {route}"
        return Refusal("C5", Message(template, seat=Seat(seat), route=route))
    if network.cars[number] > state.cars[seat]:
        template = "{route} takes {cars} train cars, {seat} has {left}"
        cars, left = network.cars[number], state.cars[seat]
        return Refusal("C3", Message(template, route=route, cars=cars, seat=Seat(seat), left=left))
    return None


# -- tables ----------------------------------------------------------------------------------------------------


def _put_technologies(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    left = tx.state.part(Technologies).left
    owned: list[str] = []
    for place, written in player.entries(OWNED, report):
        id = technology_called(written)
        if id not in left:
            report.add(place, f"no technology {brief(written)} in this game; there are {', '.join(left)}")
        elif TECHNOLOGIES[id].at_once:
            report.add(place, f"{id} is used up at once, nobody keeps it (U16, U22)")
        elif id in owned and not tx.rules.plugin(BritishOptions).copies:
            report.add(place, f"{player.name} owns {id} already (UR3)")
        elif owned.count(id) >= left[id]:
            report.add(place, f"no more than {TECHNOLOGIES[id].copies} of {id} can be owned (U11 to U15)")
        else:
            owned.append(id)
    if owned:
        tx.emit(TechnologiesArranged, player.seat, tuple(owned))


def _put_shared(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    for place, written in player.entries(SHARED, report):
        refused = {
            route: not_shareable(tx.state, player.seat, route) for route in player.routes(written, place, report)
        }
        shared = next((route for route, refusal in refused.items() if refusal is None), None)
        if shared is not None:
            tx.emit(RouteShared, player.seat, shared, tx.rules.route_points[shared])
        elif refused:
            report.add(
                place, "; ".join(f"{refusal.reason} ({refusal.rule})" for refusal in refused.values() if refusal)
            )


def _put_points(tx: Transaction, player: PlayerEntry, report: Report) -> None:
    """Set the points from lagging and turbines: they depend on when these were bought, so they must be given (U14)."""
    state = tx.state
    table = player.table(EARNED, report)
    by_route: dict[str, list[int]] = {}
    for route in state.routes_of(player.seat):
        id = state.rules.network.route_ids[route]
        for technology, more in bonus_points(tx.rules, state.part(Technologies).owned[player.seat], id):
            by_route.setdefault(technology, []).append(more)
    raw = {technology_called(written) or written: points for written, points in table.raw.items()}
    for technology, worths in by_route.items():
        points: object = raw.get(technology)
        if points is None:
            what = f"{technology} is missing: what it brought depends on when it was bought (U14)"
            report.add(table.place, what)
        elif type(points) is not int or points not in range(0, sum(worths) + 1, worths[0]):
            what = f"0 to {sum(worths)} points, {worths[0]} a route, not {brief(points)} (U14)"
            report.add(f"{table.place}.{technology}", what)
        elif points:
            tx.score(player.seat, points, technology)
    for technology, brought in raw.items():
        if technology not in by_route and brought != 0:
            what = f"{player.name} has no routes that it brings points for (U14)"
            report.add(f"{table.place}.{brief(technology)}", what)


# -- scores ----------------------------------------------------------------------------------------------------

A_TICKET, MOST_TICKETS, LONGEST_PATH = 2, 20, 15  # U15, U24, U25


def technologies(state: State, seat: int) -> Score:
    """The technologies that a seat owns, card by card, with the points that each kind has scored in play."""
    owned = state.part(Technologies).owned[seat]
    points = {id: state.points[id][seat] if id in state.points else 0 for id in owned}
    details = [
        Detail(TECHNOLOGIES[id].name, 0 if id in owned[:number] else points[id]) for number, id in enumerate(owned)
    ]
    return Score(sum(points.values()), len(owned), tuple(details))


TERM = ScoringTerm("technologies", technologies, running=True, label="Technologies")


def copies(player: PlayerScore, technology: str) -> int:
    """The number of copies of a technology that a player owns, according to the sheet."""
    return [detail.what for detail in player.terms[TERM.name].details].count(TECHNOLOGIES[technology].name)


#: The labels of the bonuses below, for translators.
LABELS = (marked("Double Heading"), marked("Risky Contracts"), marked("Equalising Beam"))


def _double_heading(state: State, players: Sequence[PlayerScore]) -> Mapping[int, int]:
    """Two points for each completed ticket (U15)."""
    points = {player.seat: A_TICKET * copies(player, DOUBLE_HEADING) * player.completed_tickets for player in players}
    return {seat: number for seat, number in points.items() if number}


def all_or_nothing(technology: str, points: int, key: Callable[[PlayerScore], int], *, ties_fail: bool) -> Bonus:
    """Points for an owner of a technology with the most of something, else minus as many. 0 is never most (UR4)."""

    def awards(state: State, players: Sequence[PlayerScore]) -> Mapping[int, int]:
        counts = [key(player) for player in players]
        best = max(counts)
        won = best > 0 and not (ties_fail and counts.count(best) > 1)
        owners = [player for player in players if copies(player, technology)]
        return {owner.seat: points if won and key(owner) == best else -points for owner in owners}

    return Bonus(technology, points, awards=awards, label=TECHNOLOGIES[technology].name)


def bonuses(options: BritishOptions) -> tuple[Bonus, ...]:
    """The bonuses of technologies at the end. There are no others (U19)."""
    label = TECHNOLOGIES[DOUBLE_HEADING].name
    heading = Bonus(DOUBLE_HEADING, A_TICKET, awards=_double_heading, label=label)
    if not options.advanced:
        return (heading,)
    fail = options.ties_fail
    tickets = all_or_nothing(RISKY_CONTRACTS, MOST_TICKETS, lambda player: player.completed_tickets, ties_fail=fail)
    path = all_or_nothing(EQUALISING_BEAM, LONGEST_PATH, lambda player: player.path_length, ties_fail=fail)
    return (heading, tickets, path)
