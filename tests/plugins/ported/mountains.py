"""Mountains: some routes cost cars for their mountains too; each of those cars is worth two points."""

from collections.abc import Hashable, Iterable, Iterator, Mapping

from ttr_rules import Board, Refusal, Route, State, View
from ttr_rules.hints import RouteNote
from ttr_rules.plugins import Below, PluginError, Rules, Score, ScoringTerm, Variant, hookimpl
from ttr_rules.scores import Detail

POINTS = 2
MOUNTAINS = {  # spaces with an X
    "munchen-venezia-blue": 1,
    "venezia-zurich-green": 1,
    "marseille-zurich-purple": 1,
    "paris-zurich-gray": 2,
    "bucuresti-budapest-gray": 2,
    "budapest-kyiv-gray": 3,
    "sarajevo-sofia-gray": 1,
    "erzurum-sochi-red": 2,
    "denver-salt_lake_city-red": 2,
}


class Mountains(Variant, name="mountains"):
    """Mountains: some routes take more cars, for their mountains; two points for each."""

    legend = "Each X takes one more car and scores two points."

    @hookimpl
    def route_cars(self, below: Below[Mapping[str, int]], board: Board) -> Mapping[str, int]:
        return {id: cars + MOUNTAINS.get(id, 0) for id, cars in below().items()}

    @hookimpl
    def claim_refusal(self, state: State, seat: int, route: Route) -> Refusal | None:
        more, takes, left = MOUNTAINS.get(route.id, 0), state.rules.route_cars[route.id], state.cars[seat]
        if not more or left >= takes:
            return None  # C3 would refuse these claims anyway; this says why
        return Refusal("mountains-cars", f"seat {seat} has {left} cars; this takes {takes}, {more} for mountains")

    @hookimpl
    def claim_key(self, state: State, seat: int) -> Hashable:
        return state.cars[seat]

    def crossed(self, state: State, seat: int) -> Score:
        found = [(id, MOUNTAINS[id]) for id in state.routes(seat) if id in MOUNTAINS]
        cars = sum(count for _, count in found)
        return Score(POINTS * cars, cars, tuple(Detail(id, POINTS * count) for id, count in found))

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("mountains", self.crossed, running=True, label="Mountain crossing"),)

    @hookimpl
    def map_marks(self, rules: Rules, view: View | None) -> Iterator[RouteNote]:
        for id, count in MOUNTAINS.items():
            if id in rules.board.routes:
                yield RouteNote(id, " ".join("X" * count), f"{count} mountains")

    @hookimpl
    def notes(self, rules: Rules) -> Iterable[str]:
        if MOUNTAINS.keys().isdisjoint(rules.board.routes):
            raise PluginError(f"the map {rules.board.name} has no route with mountains")
        return ()
