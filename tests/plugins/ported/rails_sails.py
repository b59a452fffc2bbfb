"""Rails & Sails on a map of land and sea: trains and ships in two fleets, two decks of cards, and harbours."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

from attrs import evolve

import ttr_maps
from ttr_rules import Action, Board, Counts, Event, Refusal, Rules, State, Turn, View
from ttr_rules.hints import ActionValue, BotHint, CityPiece, MapMark
from ttr_rules.model import Color, Route
from ttr_rules.parts import Fleets
from ttr_rules.plugins import (
    ActionRule,
    Below,
    Choice,
    Components,
    Cost,
    Deal,
    DrawCounts,
    Economy,
    KeepAtLeast,
    PaidRule,
    Part,
    Question,
    Score,
    ScoringTerm,
    Stage,
    Transaction,
    Unkept,
    Variant,
    always,
    hookimpl,
    points_in_play,
    public,
)
from ttr_rules.scores import MORE_TICKETS, Detail, completed
from ttr_rules.train_cards import CardDeck, Lot, Reading, TrainCards

LEAST_TRAINS, MOST_TRAINS = 10, 30  # of 45 pieces
HARBOURS, PORT_POINTS, UNBUILT = 3, (0, 20, 30, 40), 4
COLORS = ("red", "green", "black", "white", "yellow", "purple")
REPAINTED = {"orange": Color.YELLOW, "blue": Color.PURPLE}


def repainted(route: Route) -> Route:
    """Long gray routes are for ships, those of two spaces take a pair of cards for each space."""
    if route.color == Color.GRAY:
        return evolve(route, marks={1: (), 2: ("pair",)}.get(route.length, ("ship",)))
    return evolve(route, color=REPAINTED.get(route.color, route.color))


LAND = ttr_maps.load("north_america")
SEA = evolve(LAND, routes=tuple(repainted(route) for route in LAND.routes.values()))
PORTS = sorted({city for route in SEA.routes.values() if "ship" in route.marks for city in route.cities})


class TwoDecks(TrainCards):
    """Train cards with all locomotives, and ship cards, some of them double; some cards have a harbour mark."""

    def __init__(self) -> None:
        trains = {**{f"train_{c}": 7 for c in COLORS}, **{f"train_{c}_port": 4 for c in COLORS}, "locomotive": 14}
        ships = {**{f"ship_{c}_port": 4 for c in COLORS}, **{f"double_ship_{c}": 6 for c in COLORS}}
        decks = CardDeck("train", trains, hand=3, row=3), CardDeck("ship", ships, hand=7, row=3)
        super().__init__(decks=decks, shared_row=True)
        self.colors = (*trains, *ships)

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        colors = [cost.color] if cost.color else COLORS
        if cost.kind == "harbour":
            return [Reading(Lot({f"train_{c}_port": 1}, 2), Lot({f"ship_{c}_port": 1}, 2)) for c in colors]
        if "ship" in cost.marks:
            return [Reading(Lot({f"ship_{c}_port": 1, f"double_ship_{c}": 2}, cost.spaces, spare=1)) for c in colors]
        if "pair" in cost.marks:
            chosen = combinations_with_replacement(COLORS, cost.spaces)
            return [Reading(*(Lot({f"train_{c}": 1, f"train_{c}_port": 1}, 2) for c in some)) for some in chosen]
        return [Reading(Lot({f"train_{c}": 1, f"train_{c}_port": 1}, cost.spaces)) for c in colors]


# The fleets, chosen in secret before the first turn, and exchanged in a turn.
def trains_of(state: State, seat: int) -> int:
    """The trains of a fleet, claimed routes included."""
    used = [route.length for id in state.routes(seat) if "ship" not in (route := SEA.routes[id]).marks]
    return state.left(seat, "train") + sum(used)


def take(tx: Transaction, seat: int, trains: int) -> None:
    left = tx.state.part(Fleets).left[seat]
    more = trains - trains_of(tx.state, seat)
    tx.set_fleets(seat, {"train": left["train"] + more, "ship": left["ship"] - more})


class ChooseFleet(Choice[int]):
    """How many of the pieces are trains."""

    public = True
    sealed = True
    message = "How many of your 45 pieces are trains?"

    def options(self, state: State) -> Sequence[int]:
        return range(LEAST_TRAINS, MOST_TRAINS + 1)

    def all_chosen(self, tx: Transaction, answers: Mapping[int, int]) -> None:
        for seat, trains in answers.items():
            take(tx, seat, trains)

    def worth(self, view: View, rules: Rules, option: int) -> float:
        return 30 - abs(option - 25)


class Exchange(Action):
    """This many ships for trains; below 0, trains for ships."""

    message = "Exchange pieces"
    trains: int


class ExchangeRule(ActionRule[Turn, Exchange]):
    def offers(self, state: State, decision: Turn) -> Sequence[Exchange]:
        seat, mine = decision.seat, trains_of(state, decision.seat)
        least = -min(state.left(seat, "train"), mine - LEAST_TRAINS)
        most = min(state.left(seat, "ship"), MOST_TRAINS - mine)
        return [Exchange(seat, number) for number in range(least, most + 1) if number]

    def perform(self, tx: Transaction, decision: Turn, action: Exchange) -> None:
        take(tx, action.seat, trains_of(tx.state, action.seat) + action.trains)
        tx.score(action.seat, -abs(action.trains), "exchanges")


class Harbours(Part):
    built: dict[str, int] = public(label="Harbours", seats=True, key="harbours", help="The cities with a harbour.")


class BuildHarbour(Action):
    message = "Build a harbour"
    city: str
    payment: Counts


class HarbourBuilt(Event):
    message = "{seat} builds a harbour in {city}"
    seat: int
    city: str

    def apply(self, state: State) -> None:
        state.part(Harbours).built[self.city] = self.seat


class BuildHarbourRule(PaidRule[Turn, BuildHarbour]):
    def every(self, rules: Rules) -> Iterable[tuple[str, Cost]]:
        return [(city, Cost("harbour", 4)) for city in PORTS]

    def no_sale(self, state: State, seat: int, thing: str) -> Refusal | None:
        built = state.part(Harbours).built
        if thing in built or [*built.values()].count(seat) == HARBOURS:
            return Refusal("harbours", f"{thing} has a harbour, or seat {seat} has {HARBOURS}")
        reached = any(thing in SEA.routes[id].cities for id in state.routes(seat))
        return None if reached else Refusal("harbours", f"no route of seat {seat} reaches {thing}")

    def bought(self, tx: Transaction, seat: int, thing: str) -> None:
        tx.emit(HarbourBuilt, seat, thing)


def worth(view: View, rules: Rules, action: BuildHarbour) -> float:
    here = sum(action.city in rules.tickets[id].cities for id in view.tickets)
    return PORT_POINTS[min(here, 3)] * 0.7 + UNBUILT - 6


class RailsAndSails(Variant, name="rails-sails"):
    """Rails & Sails: trains and ships, two decks of cards, and harbours."""

    legend = "Houses are harbours."
    board = always(SEA)
    components = always(Components(fleets={"train": 20, "ship": 25}, last_round_at=15, last_turns=2))
    setup = always((Stage((Deal("regular", 5),), KeepAtLeast(3), under="regular"),))
    draw_counts = always(DrawCounts(drawn=4, keep=1, unkept=Unkept.DISCARD))
    bonuses = always(())
    tie_breaks = always((MORE_TICKETS,))

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return TwoDecks()

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Harbours,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (ExchangeRule(), BuildHarbourRule())

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [ChooseFleet(seat) for seat in range(tx.state.players)]  # all at once

    def harbours(self, state: State, seat: int) -> Score:
        mine = [city for city, owner in state.part(Harbours).built.items() if owner == seat]
        done = [state.rules.tickets[id] for id in completed(state, seat)]
        points = {city: PORT_POINTS[min(sum(city in ticket.cities for ticket in done), 3)] for city in mine}
        details = tuple(Detail(city, each) for city, each in points.items())
        return Score(sum(points.values()) - UNBUILT * (HARBOURS - len(mine)), len(mine), details)

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("harbours", self.harbours, label="Harbours"), points_in_play("exchanges", "Exchanges"))

    @hookimpl
    def hints(self, rules: Rules) -> Iterable[BotHint]:
        return (ActionValue(BuildHarbour, worth),)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterable[MapMark]:
        built = {} if view is None else view.part(Harbours).built
        return [CityPiece(city, seat, "house", "Harbour") for city, seat in built.items()]
