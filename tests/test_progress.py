"""What tickets still miss: compared with every other way to work it out."""

from __future__ import annotations

from itertools import product

import pytest
from helpers import rules_of
from official import every_map

import ttr_rules as ttr
from ttr_rules.engine import final_scores
from ttr_rules.kernel.state import recount
from ttr_rules.play import TicketProgress, ticket_progress
from ttr_tools.bots import play_game

EUROPE = rules_of("europe")


def position(*routes: object, tickets: list[object], others: list[object] | None = None, **more: object) -> ttr.Game:
    ada = {"name": "Ada", "routes": list(routes), "tickets": tickets, **more}
    return ttr.arrange(EUROPE, {"seed": 1, "players": [ada, {"name": "Bo", "routes": others or []}]})


def test_a_completed_ticket_misses_nothing() -> None:
    game = position(["paris", "zurich"], tickets=["paris-zagrab", "palermo-constantinople"])
    assert [each.completed for each in ticket_progress(game.state, 0)] == [False, False]
    whole = position(["paris", "zurich"], ["zurich", "venezia"], ["venezia", "zagrab"], tickets=["paris-zagrab"])
    assert ticket_progress(whole.state, 0) == (TicketProgress("paris-zagrab", completed=True, spaces=0),)


def test_own_routes_are_ways_for_nothing_and_others_are_none() -> None:
    free = position(tickets=["paris-wien"])
    assert ticket_progress(free.state, 0)[0].spaces == 8
    own = position(["munchen", "wien"], tickets=["paris-wien"])
    assert (
        own_progress := ticket_progress(own.state, 0)[0]
    ).spaces == 5 and "munchen-wien-orange" not in own_progress.missing
    taken = position(tickets=["paris-wien"], others=[["munchen", "wien"], ["zurich", "munchen"]])
    found = ticket_progress(taken.state, 0)[0]
    assert found.spaces is not None and found.spaces >= 8
    assert not set(found.missing) & set(taken.state.owners)


def test_a_ticket_that_no_route_completes_any_more() -> None:
    """With two players the other half of a double is closed too."""
    game = position(tickets=["edinburgh-athina", "brest-marseille"], others=[["edinburgh", "london"]])
    lost, other = ticket_progress(game.state, 0)
    assert (lost.completed, lost.spaces, lost.missing) == (False, None, ()) and other.spaces == 7


def test_a_route_that_takes_more_cars_than_are_left_is_no_way() -> None:
    game = position(tickets=["stockholm-wien"])
    before = ticket_progress(game.state, 0)[0]
    state = game.state
    state.cars[0] = 2
    recount(state, 0)
    after = ticket_progress(state, 0)[0]
    assert before.spaces is not None and (after.spaces is None or after.spaces >= before.spaces)
    assert all(EUROPE.board.routes[id].length <= 2 for id in after.missing)


def test_nothing_for_no_tickets_and_no_seat() -> None:
    assert ticket_progress(position(tickets=[]).state, 1) == ()
    with pytest.raises(ttr.InvalidInputError, match="expected a state, as game.state or .*, not <View of Ada"):
        ticket_progress(position(tickets=[]).view(0), 0)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="a seat is one of 0 to 1, not 2"):
        ticket_progress(position(tickets=[]).state, 2)


@pytest.mark.slow_cases("united-kingdom", "germany-tickets")
@pytest.mark.thorough_cases("nordic-countries", "europe")
@every_map
def test_the_shortest_ways_of_whole_games(stack: tuple[str, ...]) -> None:
    """As found by going through all pairs of cities again and again until nothing gets shorter."""
    game = ttr.new_game(rules=rules_of(*stack), players=rules_of(*stack).components.max_players, seed=7)
    play_game(game)
    for number in (game.played // 3, 2 * game.played // 3, game.played):
        state = game.at(number).state
        sheet = final_scores(state, game.players)
        for seat in range(len(game.players)):
            far = distances(state, seat, set(sheet.players[seat].lends.values()))
            for each, score in zip(ticket_progress(state, seat), sheet.players[seat].tickets, strict=True):
                assert each.ticket == score.id and each.completed is score.completed
                if not each.completed:
                    assert each.spaces == shortest(state, far, each.ticket)
                    lengths = [game.rules.board.routes[id].length for id in each.missing]
                    assert sum(lengths) == (each.spaces or 0)
                    assert all(
                        state.open[seat] & state.rules.network.bits[state.rules.network.route_number[id]]
                        for id in each.missing
                    )


ENDLESS = 10_000


def distances(state: ttr.State, seat: int, lent: set[str]) -> list[list[int]]:
    """The fewest missing spaces between cities, by Floyd and Warshall."""
    network = state.rules.network
    cities = range(len(network.city_ids))
    far = [[0 if one == two else ENDLESS for two in cities] for one in cities]
    own = {*state.routes_of(seat), *(network.route_number[id] for id in lent)}
    for route, (one, two) in enumerate(network.ends):
        if route in own or state.open[seat] >> route & 1:
            length = 0 if route in own else network.lengths[route]
            far[one][two] = far[two][one] = min(far[one][two], length)
    for by, one in product(cities, cities):
        if far[one][by] < ENDLESS:
            far[one] = [min(straight, far[one][by] + rest) for straight, rest in zip(far[one], far[by], strict=True)]
    return far


def shortest(state: ttr.State, far: list[list[int]], ticket: str) -> int | None:
    """The fewest missing spaces of a ticket."""
    best = min(far[one][two] for _, places in state.rules.ticket_goals[ticket] for one, two in product(*places))
    return None if best >= ENDLESS else best
