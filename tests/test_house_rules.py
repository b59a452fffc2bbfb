"""House rules of a few lines: open tickets, tickets that are discarded, who begins, decisions before the first turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from attrs import evolve
from helpers import arranged

import ttr_rules as ttr
from ttr_rules.clients import to_json, view_from_json
from ttr_rules.errors import InvalidInputError, InvalidTableError
from ttr_rules.events import FirstSeatChosen, TicketsReturned, TicketsShuffled
from ttr_rules.hidden import determinize
from ttr_rules.parts import Fleets
from ttr_rules.plugins import (
    Below,
    Choice,
    Components,
    DrawCounts,
    Part,
    PluginError,
    Question,
    Rules,
    Transaction,
    Unkept,
    Variant,
    hookimpl,
    public,
)
from ttr_tools.narration.telling import Narrator
from ttr_tools.testing import check_variant


class OpenTickets(Variant, name="open-tickets"):
    """Open tickets: everybody sees everybody's tickets."""

    @hookimpl
    def components(self, below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), open_tickets=True)


class Discards(Variant, name="discards"):
    """Discards: tickets that are not kept are discarded, and shuffled when the pile runs out."""

    @hookimpl
    def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
        return evolve(below(), unkept=Unkept.DISCARD)


class Bid(Choice[int]):
    """A bid for who begins: whoever bids most. All bid at once."""

    message = "How much do you bid to begin?"

    def options(self, state: ttr.State) -> Sequence[int]:
        return (0, 1, 2)

    def chosen(self, tx: Transaction, option: int) -> Question | None:
        tx.emit(BidMade, self.seat, option)
        bids = tx.state.part(Bids).bids
        if min(bids) >= 0:
            tx.first_seat(bids.index(max(bids)))
        return None


class Swap(Choice[bool]):
    """The other way: one after the other says whether the next one begins."""

    public = True
    message = "Does the next one begin?"

    def options(self, state: ttr.State) -> Sequence[bool]:
        return (True, False)

    def chosen(self, tx: Transaction, option: bool) -> Question | None:
        following = self.seat + 1
        if option:
            tx.first_seat(following % tx.state.players)
        return Swap(following) if following < tx.state.players else None


class BidMade(ttr.Event):
    message = "{seat} bids {points}"

    seat: int
    points: int

    def apply(self, state: ttr.State) -> None:
        state.part(Bids).bids[self.seat] = self.points


class Bids(Part):
    """What each seat has bid; -1 before it has."""

    bids: list[int] = public(each=-1)


class Ships(Variant, name="ships", requires=("europe",)):
    """Ships: ferries take ships, of which there are few; a turn begins with an exchange while there are more trains."""

    @hookimpl
    def board(self, below: Below[ttr.Board]) -> ttr.Board:
        routes = [
            evolve(route, marks=(*route.marks, "ship")) if route.ferry_locomotives else route
            for route in below().routes.values()
        ]
        return evolve(below(), routes=tuple(routes))

    @hookimpl
    def components(self, below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), fleets={"train": 30, "ship": 5})


class Shipyard(Variant, name="shipyard", requires=("ships",)):
    """Shipyard: who has claimed a tunnel exchanges a train for a ship."""

    @hookimpl
    def on_claim(self, tx: Transaction, seat: int, route: ttr.Route, points: int) -> None:
        trains, ships = tx.state.left(seat, "train"), tx.state.left(seat, "ship")
        if route.tunnel and trains:
            tx.set_fleets(seat, {"train": trains - 1, "ship": ships + 1})


class Auction(Variant, name="auction"):
    """Auction: who bids most begins."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Bids,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return [Bid(seat) for seat in range(tx.state.players)]


class Swaps(Variant, name="swaps"):
    """Swaps: one after the other may let the next one begin."""

    @hookimpl
    def on_game_start(self, tx: Transaction) -> Question:
        return Swap(0)


def begun(*stack: object, players: int = 3, first_seat: int = 0) -> ttr.Game:
    """A game in which everybody has kept all tickets."""
    game = ttr.new_game(*stack, players=players, seed=1, first_seat=first_seat)
    for seat in range(players):
        game.play(ttr.KeepTickets(seat, game.decision(seat).tickets))  # type: ignore[union-attr]
    return game


@pytest.mark.slow
@pytest.mark.thorough_but("questions", "tickets")
@pytest.mark.parametrize(
    "house_rules",
    [("london", OpenTickets, Auction), ("london", Discards, Swaps), (Ships, Shipyard)],
    ids=["tickets", "questions", "ships"],
)
def test_they_stand_the_checks_of_the_kit(house_rules: Sequence[object]) -> None:
    check_variant(*house_rules, players=3, games=1, skip=["processes"])


# -- open tickets --------------------------------------------------------------------------------------------------------


def test_open_tickets_are_seen_by_all_once_set_up_is_over() -> None:
    game = ttr.new_game("europe", OpenTickets, players=3, seed=1)
    game.play(ttr.KeepTickets(0, game.decision(0).tickets))  # type: ignore[union-attr]
    assert (
        game.view(1).open_tickets == game.view(None).open_tickets == ((), (), ()) and not game.view(1).tickets_revealed
    )
    game = begun("europe", OpenTickets)
    assert game.view(1).open_tickets == game.view(None).open_tickets == tuple(game.state.tickets)
    assert game.view(1).tickets_revealed and not begun("europe").view(1).tickets_revealed


def test_a_sampled_world_has_the_tickets_that_are_open() -> None:
    game = begun("europe", OpenTickets)
    game.play(ttr.DrawTickets(0))
    game.play(ttr.KeepTickets(0, game.decision(0).tickets))  # type: ignore[union-attr]
    assert len(game.view(1).open_tickets[0]) > 4
    for seat in (1, None):
        view = game.view(seat)
        world = determinize(view, game.rules, seed=7)
        assert world.state.tickets == game.state.tickets and world.view(seat) == view


def test_tickets_of_an_arranged_position_are_open_too() -> None:
    game = ttr.arrange(
        ttr.compile_rules("europe", OpenTickets), {"seed": 1, "players": [{"tickets": [["Paris", "Wien"]]}, {}]}
    )
    assert game.view(1).open_tickets == (("paris-wien",), ())
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


def test_open_tickets_are_true_or_false() -> None:
    class Many(Variant, name="many"):
        @hookimpl
        def components(self, below: Below[Components], board: ttr.Board) -> Components:
            return evolve(below(), open_tickets=2)  # type: ignore[arg-type]

    with pytest.raises(PluginError, match="open_tickets is True or False, not 2"):
        ttr.compile_rules("europe", Many)


class Teams(Variant, name="teams"):
    """Teams: those who sit face to face see each other's tickets."""

    @hookimpl
    def components(self, below: Below[Components], board: ttr.Board) -> Components:
        return evolve(below(), min_players=3, max_players=4, ticket_teams=((0, 2), (1, 3)))


def test_a_team_sees_its_tickets_and_nobody_else_does_once_set_up_is_over() -> None:
    game = ttr.new_game("europe", Teams, players=4, seed=1)
    game.play(ttr.KeepTickets(2, game.decision(2).tickets))  # type: ignore[union-attr]
    assert game.view(0).team_tickets == ()
    for seat in (0, 1, 3):
        game.play(game.legal_actions(seat)[0])
    held = game.state.tickets
    nothing: tuple[str, ...] = ()
    assert game.view(0).team_tickets == game.view(0).seen_tickets == (nothing, nothing, held[2], nothing)
    assert game.view(3).team_tickets == (nothing, held[1], nothing, nothing)
    assert game.view(None).team_tickets == ()
    assert game.view(0).open_tickets == (nothing,) * 4 and game.state.open_tickets == frozenset()
    seat = game.to_act[0]
    game.play(ttr.DrawTickets(seat))
    chosen = game.decision(seat).tickets  # type: ignore[union-attr]
    partner = game.view((seat + 2) % 4)
    assert not set(chosen) & {*partner.team_tickets[seat]}, "they are not its own yet"
    game.play(ttr.KeepTickets(seat, chosen))
    assert {*chosen} < {*game.view(partner.seat).team_tickets[seat]}


def test_a_sampled_world_has_the_tickets_of_the_team_and_hides_them_from_others() -> None:
    game = begun("europe", Teams, players=4)
    for seed in range(5):
        view = view_from_json(game.rules, to_json(game.rules, game.view(0)))
        world = determinize(view, game.rules, seed)
        assert world.view(0) == game.view(0) and world.state.tickets[2] == game.state.tickets[2]
        assert world.state.open_tickets == frozenset() and world.view(1).seen_tickets[2] == ()
    assert determinize(game.view(1), game.rules, 1).state.tickets[2] != game.state.tickets[2]
    over = arranged(
        ttr.compile_rules("europe", Teams), {}, {}, {"tickets": ["paris-wien"]}, turns_left=1, draw_pile=["red"] * 3
    )
    for _ in range(2):
        over.play(ttr.DrawBlind(0))
    assert determinize(over.view(0), over.rules, 1).view(1).open_tickets[2] == ("paris-wien",)


def test_the_open_ticket_of_a_partner_stays_open_in_sampled_worlds() -> None:
    partner = {"tickets": ["paris-wien"], "open_tickets": ["berlin-roma"]}
    game = arranged(ttr.compile_rules("europe", Teams), {"tickets": ["brest-marseille"]}, {}, partner, {})
    assert game.view(0).open_tickets == ((), (), ("berlin-roma",), ())
    assert game.view(0).seen_tickets[2] == game.view(0).team_tickets[2] == game.state.tickets[2]
    assert game.view(1).seen_tickets[2] == ("berlin-roma",) and game.view(1).team_tickets == ((),) * 4
    for seat in (None, *range(4)):
        world = determinize(game.view(seat), game.rules, 1)
        assert world.state.open_tickets == {"berlin-roma"} and world.view(seat) == game.view(seat)
        assert world.view(1).seen_tickets == game.view(1).seen_tickets
    with pytest.raises(InvalidInputError, match="team_tickets: expected one for each of 4 players, got 1"):
        determinize(evolve(game.view(0), team_tickets=((),)), game.rules, 1)


def test_a_seat_without_a_partner_at_the_table_sees_its_own_tickets_only() -> None:
    game = begun("europe", Teams)
    assert [any(game.view(seat).team_tickets) for seat in range(3)] == [True, False, True]


@pytest.mark.parametrize("teams", [2, (0, 2), ((0, 2), (2, 3)), ((0, -1),), ((0, "x"),), ("02",), ((0, 99),)])
def test_teams_are_seats_each_in_one_of_them(teams: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"ticket_teams are teams of seats, as \(\(0, 2\), \(1, 3\)\), not "):
        Components(ticket_teams=teams)


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong_with_teams() -> None:
    assert check_variant("north-america", Teams, players=4, games=1, skip=["processes"]).games == 1


# -- discarded tickets ---------------------------------------------------------------------------------------------------


def draw(game: ttr.Game, seat: int, keep: int) -> tuple[list[ttr.Event], tuple[str, ...]]:
    """Draw tickets and keep the first; give the events, and those drawn."""
    events = list(game.play(ttr.DrawTickets(seat)))
    drawn: tuple[str, ...] = game.decision(seat).tickets  # type: ignore[union-attr]
    return [*events, *game.play(ttr.KeepTickets(seat, drawn[:keep]))], drawn


def test_discarded_tickets_are_drawn_again_when_the_pile_runs_out() -> None:
    deck = [ticket.id for ticket in ttr.compile_rules("north-america").deck.tickets]
    rules = ttr.compile_rules("north-america", Discards)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"tickets": deck[:10]}, {"tickets": deck[10:25]}]})
    events, first = draw(game, 0, 1)
    assert [event.pile for event in events if isinstance(event, TicketsReturned)] == ["regular discards"]
    assert game.view(1).ticket_pile_sizes == {"regular": 2, "regular discards": 2}
    events, second = draw(game, 1, 1)
    assert [event.pile for event in events if isinstance(event, TicketsShuffled)] == ["regular", "regular discards"]
    assert len(second) == 3 and second[2] in first
    assert game.view(1).ticket_pile_sizes == {"regular": 1, "regular discards": 2}
    for seat in (0, 1, None):
        view = game.view(seat)
        assert determinize(view, rules, seed=3).view(seat) == view
    assert ttr.loads(ttr.dumps(game), rules=rules) == game


def test_a_pile_is_never_empty_while_tickets_are_discarded() -> None:
    deck = [ticket.id for ticket in ttr.compile_rules("north-america").deck.tickets]
    rules = ttr.compile_rules("north-america", Discards)
    game = ttr.arrange(rules, {"seed": 1, "players": [{"tickets": deck[:10]}, {"tickets": deck[10:27]}]})
    draw(game, 0, 1)
    assert game.view(1).ticket_pile_sizes == {"regular": 2, "regular discards": 0}
    assert game.is_legal(ttr.DrawTickets(1))


# -- before the first turn -----------------------------------------------------------------------------------------------


@pytest.mark.rule("S5")
def test_all_bid_at_once_and_the_highest_bid_begins() -> None:
    game = begun("europe", Auction)
    assert game.state.pending == (Bid(0), Bid(1), Bid(2))
    events = [event for seat, bid in ((1, 2), (0, 1), (2, 0)) for event in game.play(Bid(seat).choose(bid))]
    assert FirstSeatChosen(1) in events and game.to_act == (1,)
    narrator = Narrator(game.rules, ("Ada", "Bo", "Cy"))
    assert [line.text for line in narrator.tell([FirstSeatChosen(1)])] == ["Bo begins."]
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game


@pytest.mark.rule("S5")
def test_one_after_the_other_decides() -> None:
    game = begun("europe", Swaps)
    asked: list[object] = []
    for seat, option in ((0, True), (1, True), (2, False)):
        asked += game.state.pending
        game.play(Swap(seat).choose(option))
    assert asked == [Swap(0), Swap(1), Swap(2)] and game.state.pending == (ttr.Turn(2),)


def test_nobody_begins_after_the_first_turn_has_begun_or_at_a_seat_that_is_not_there() -> None:
    state = begun("europe").state.copy()
    with pytest.raises(PluginError, match="lets seat 1 begin: the first turn has begun"):
        Transaction(state, []).first_seat(1)
    state = ttr.new_game("europe", players=2, seed=1).state.copy()
    with pytest.raises(PluginError, match="lets seat 2 begin: there are 2 seats"):
        Transaction(state, []).first_seat(2)


# -- fleets --------------------------------------------------------------------------------------------------------------

FERRY, ANOTHER, TRAINS = "dieppe-london-gray-1", "palermo-smyrna-gray", "frankfurt-paris-white"


def harbor(*stack: object) -> ttr.Game:
    """The first has claimed a ferry of four spaces with ships, and has cards for everything."""
    hand = {"locomotive": 6, "white": 3, "purple": 3}
    players = [{"name": "Ada", "routes": [["Amsterdam", "London"]], "hand": hand}, {"name": "Bo"}]
    return ttr.arrange(ttr.compile_rules(*stack), {"seed": 1, "players": players})


@pytest.mark.rule("C3")
def test_a_route_takes_pieces_of_its_kind() -> None:
    game = harbor(Ships)
    assert game.state.left(0, "ship") == 3 and game.state.cars == [33, 35]
    game.play(ttr.ClaimRoute(0, TRAINS, {"white": 3}))
    assert game.view(1).part(Fleets).left == [{"train": 27, "ship": 3}, {"train": 30, "ship": 5}]
    assert game.state.cars == [30, 35]
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
    assert determinize(game.view(1), game.rules, seed=1).view(1) == game.view(1)


@pytest.mark.rule("C3")
def test_routes_for_which_the_pieces_of_their_kind_are_too_few_are_closed() -> None:
    game = harbor(Ships)
    action = ttr.ClaimRoute(0, ANOTHER, {"locomotive": 6})
    refused = game.refusal(action)
    assert refused is not None and "takes 6 pieces of the kind ship; seat 0 has 3" in str(refused)
    offered = {action.route for action in game.legal_actions(0) if isinstance(action, ttr.ClaimRoute)}
    assert FERRY in offered and ANOTHER not in offered
    assert not game.state.open_to(1) >> game.rules.network.route_number[ANOTHER] & 1, "five ships are too few too"


def test_a_plugin_sets_fleets() -> None:
    game = harbor(Ships, Shipyard)
    game.play(ttr.ClaimRoute(0, "marseille-zurich-purple", {"purple": 2}))
    while game.to_act == (0,):  # a tunnel may cost more
        game.play(game.legal_actions(0)[0])
    assert (game.state.left(0, "train"), game.state.left(0, "ship"), game.state.cars[0]) == (27, 4, 31)


def test_fleets_are_set_and_read_by_the_kinds_that_there_are() -> None:
    tx = Transaction(harbor(Ships).state.copy(), [])
    with pytest.raises(PluginError, match="sets 1 pieces 'plane'; it has train, ship"):
        tx.set_fleets(0, {"plane": 1})
    with pytest.raises(PluginError, match="take pieces with tx.set_fleets"):
        tx.use_cars(0, 1)
    with pytest.raises(PluginError, match="no fleet of pieces 'plane'; it has train, ship"):
        tx.state.left(0, "plane")
    with pytest.raises(PluginError, match="no fleet of pieces 'ship'; it has none"):
        ttr.new_game("europe", players=2, seed=1).state.left(0, "ship")


def test_a_position_says_how_many_pieces_of_each_kind_are_left() -> None:
    route = ["Amsterdam", "London"]  # a ferry: two ships
    ada = {"name": "Ada", "routes": [route], "cars": {"train": 7, "ship": 1}}
    position = {"seed": 1, "players": [ada, {"name": "Bo", "cars": {"ship": 4}}]}
    rules = ttr.compile_rules("europe", Ships)
    game = ttr.arrange(rules, position)
    assert game.state.part(Fleets).left == [{"train": 7, "ship": 1}, {"train": 30, "ship": 4}]
    assert game.state.cars == [8, 34]
    assert ttr.loads(ttr.dumps(game), rules=rules) == game
    for cars, problem in {
        7: "players[0].cars: expected a table, got 7",
        "ship": "players[0].cars: expected a table, got 'ship'",
    }.items():
        with pytest.raises(InvalidTableError) as caught:
            ttr.arrange(rules, {"seed": 1, "players": [{**ada, "cars": cars}]})
        assert problem in str(caught.value)
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, {"seed": 1, "players": [{**ada, "cars": {"ship": 4, "raft": 1}}]})
    assert "players[0].cars.ship: expected a whole number from 0 to 3, got 4" in str(caught.value)
    assert "players[0].cars: unknown key 'raft'" in str(caught.value)


def test_fleets_of_no_pieces_are_refused() -> None:
    class Rafts(Variant, name="rafts"):
        @hookimpl
        def components(self, below: Below[Components], board: ttr.Board) -> Components:
            return evolve(below(), fleets={"raft": 0})

    with pytest.raises(PluginError, match=r"fleets\.raft is a whole number of at least 1, not 0"):
        ttr.compile_rules("europe", Rafts)
