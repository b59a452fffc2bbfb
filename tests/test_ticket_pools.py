"""Tickets that plugins keep apart: fields with `pool="tickets"` are dealt anew, counted, arranged and checked by themselves."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from plugins.made import plugin

import ttr_rules as ttr
from ttr_rules import Action, Event, State, Turn
from ttr_rules.engine import view_of
from ttr_rules.errors import InvalidTableError, PluginError
from ttr_rules.events import Unknown
from ttr_rules.hidden import missing
from ttr_rules.plugins import (
    ActionRule,
    Part,
    Rules,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    public,
    secret,
)
from ttr_tools.testing import VariantError, check_variant


class Desk(Part):
    """Tickets that lie open, those that each seat has in its drawer, and those that nobody looks at."""

    opened: tuple[str, ...] = public(pool="tickets", key="opened", help="The tickets on the desk.")
    drawers: list[tuple[str, ...]] = by_seat(pool="tickets", key="drawer", help="The tickets in the drawer.")
    buried: tuple[str, ...] = hidden(pool="tickets")


class TicketOpened(Event):
    ticket: str

    def apply(self, state: State) -> None:
        state.part(Desk).opened += (state.take_ticket(self.ticket),)


class TicketStored(Event):
    seat: int
    ticket: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Desk).drawers[self.seat] += (state.take_ticket(known(self.ticket)),)


class TicketBuried(Event):
    ticket: str | Unknown = secret()

    def apply(self, state: State) -> None:
        state.part(Desk).buried += (state.take_ticket(known(self.ticket)),)


class DeskVariant(Variant, name="desk"):
    """Desk: one ticket is turned up, one buried, and one lies in the drawer of each seat."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Desk,)

    @hookimpl
    def on_game_start(self, tx: Transaction) -> None:
        tx.emit(TicketOpened, tx.state.ticket_pile[0])
        tx.emit(TicketBuried, tx.state.ticket_pile[0])
        for seat in range(tx.state.players):
            tx.emit(TicketStored, seat, tx.state.ticket_pile[0])


@pytest.fixture
def game() -> ttr.Game:
    game = ttr.new_game("europe", DeskVariant, players=3, seed=5)
    for seat in range(3):
        game.play(game.legal_actions(seat)[0])
    return game


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_sampled_world_deals_tickets_to_places_that_a_seat_does_not_see(game: ttr.Game, seat: int | None) -> None:
    here = game.state.part(Desk)
    buried: set[tuple[str, ...]] = set()
    for seed in range(8):
        state = ttr.determinize(game.view(seat), game.rules, seed=seed).state
        there = state.part(Desk)
        assert there.opened == here.opened
        assert [len(drawer) for drawer in there.drawers] == [1, 1, 1]
        assert seat is None or there.drawers[seat] == here.drawers[seat]
        assert missing(state)["tickets"] == {}
        buried.add(there.buried)
    assert len(buried) > 3


def test_every_ticket_is_equally_likely_to_be_buried(game: ttr.Game) -> None:
    view = game.view(0)
    seen = {*view.tickets, *view.part(Desk).opened, *view.part(Desk).drawers[0]}
    kinds = game.rules.tickets
    found = [ttr.determinize(view, game.rules, seed=seed).state.part(Desk).buried[0] for seed in range(120)]
    assert not seen.intersection(found)
    assert len(set(found)) > 25
    assert {kinds[ticket].kind for ticket in found} == {"long", "regular"}  # of the long ones, some are in the box


def test_tickets_are_written_under_keys() -> None:
    rules = ttr.compile_rules("europe", DeskVariant)
    players = [{"drawer": ["London–Wien"], "tickets": [["Paris", "Wien"]]}, {}]
    game = ttr.arrange(rules, {"seed": 1, "players": players, "parts": {"opened": [["Berlin", "Roma"]]}})
    assert game.view(None).part(Desk).opened == ("berlin-roma",)
    assert game.view(0).part(Desk).drawers == [("london-wien",), Unknown(count=0)]
    assert missing(game.state)["tickets"] == {}
    table = {"players": [{"drawer": [["Paris", "Wien"]], "tickets": [["Paris", "Wien"]]}, {}], "parts": {"opened": [7]}}
    with pytest.raises(InvalidTableError) as caught:
        ttr.arrange(rules, {"seed": 1, **table})
    assert "parts.opened[0]: a ticket is 2 to 8 places" in str(caught.value)
    assert "players[0].drawer[0]: paris-wien is already held or placed elsewhere" in str(caught.value)


def test_a_saved_game_may_not_name_other_tickets(game: ttr.Game) -> None:
    assert ttr.loads(ttr.dumps(game), rules=game.rules) == game
    text = ttr.dumps(game).replace(game.state.part(Desk).opened[0], "nosuch")
    with pytest.raises(ttr.TTRError, match="nosuch"):
        ttr.loads(text, rules=game.rules)


def test_tickets_move_between_pile_field_and_seat(game: ttr.Game) -> None:
    state = game.state
    top, *rest = state.ticket_pile
    assert state.take_ticket(top) == top
    assert state.ticket_pile == tuple(rest)
    with pytest.raises(PluginError, match="in no pile"):
        state.take_ticket(top)
    state.return_ticket(top)
    assert state.ticket_pile == (*rest, top)
    state.give_ticket(1, state.take_ticket(top))
    assert state.tickets[1][-1] == top
    with pytest.raises(PluginError, match="in no deck"):
        state.return_ticket("nosuch")


class Dump(Action):
    """Take the top ticket out of the game."""


class TicketDumped(Event):
    ticket: str

    def apply(self, state: State) -> None:
        state.take_ticket(self.ticket)


class DumpRule(ActionRule[Turn, Dump]):
    def offers(self, state: State, decision: Turn) -> Sequence[Dump]:
        return (Dump(decision.seat),) if state.has_tickets else ()

    def perform(self, tx: Transaction, decision: Turn, action: Dump) -> None:
        tx.emit(TicketDumped, tx.state.ticket_pile[0])


class Losing(Variant, name="losing"):
    """Losing: tickets vanish."""

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (DumpRule(),)


@pytest.mark.slow
def test_the_kit_finds_a_ticket_that_vanishes() -> None:
    with pytest.raises(VariantError, match="a ticket more than before is nowhere"):
        check_variant("europe", Losing, players=2, games=1, skip=("secrets", "planner"))


class OneTicket(Part):
    ticket: str = public(pool="tickets")


class OneTicketVariant(Variant, name="one-ticket"):
    """One ticket: a field that is no list of tickets."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (OneTicket,)


def test_a_field_of_another_type_is_refused() -> None:
    with pytest.raises(PluginError, match=r"'ticket' holds tickets, by id: it is a tuple\[str, \.\.\.\]"):
        ttr.compile_rules("europe", OneTicketVariant)


def test_a_field_with_a_pool_that_holds_one_item_is_refused() -> None:
    class Lot(Part):
        lot: list[str] = by_seat(each="", pool="lots")

        def box(self, rules: Rules) -> Mapping[str, tuple[str, ...]]:
            return {"lots": ("red", "blue")}

    message = r"'lot' has a pool, so it holds any number of items, perhaps none: it is a list\[tuple\[str, \.\.\.\]\], not a list\[str\]"
    with pytest.raises(PluginError, match=message):
        ttr.compile_rules("europe", plugin("lots", parts=lambda rules: [Lot]))


@pytest.mark.thorough
def test_the_kit_finds_nothing_wrong_with_tickets_kept_apart() -> None:
    assert check_variant("europe", DeskVariant, players=2, games=1, skip=["processes"]).games == 1


class Display(Variant, name="display"):
    """Display: in the first turn, a player lays a regular ticket of the hand open on the desk."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Desk,)

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        if tx.state.turn_number == 1:
            regular = [ticket for ticket in tx.state.tickets[seat] if tx.rules.tickets[ticket].kind == "regular"]
            tx.emit(TicketOpened, regular[0])


def test_a_ticket_that_leaves_a_hand_frees_no_seat_from_what_it_was_dealt() -> None:
    game = ttr.new_game("europe", Display, players=3, seed=2, first_seat=0)
    for seat in range(3):
        game.play(game.legal_actions(seat)[-1])  # all four, one of them long
    view, kinds = game.view(None), game.rules.tickets
    assert (view.first_tickets, view.ticket_counts) == ((4, 4, 4), (3, 4, 4))
    for seed in range(30):
        hands = ttr.determinize(view, game.rules, seed).state.tickets
        first, *others = [sum(kinds[ticket].kind == "long" for ticket in hand) for hand in hands]
        assert first <= 1 and others == [1, 1]


class TicketGiven(Event):
    seat: int
    to: int
    ticket: str | Unknown = secret("seat", "to")

    def apply(self, state: State) -> None:
        state.give_ticket(self.to, state.take_ticket(known(self.ticket)))


class Gift(Variant, name="gift"):
    """Gift: in the fourth turn, seat 1 gives its long ticket to seat 2."""

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        long = [ticket for ticket in tx.state.tickets[1] if tx.rules.tickets[ticket].kind == "long"]
        if tx.state.turn_number == 4:
            tx.emit(TicketGiven, 1, 2, long[0])


def test_a_ticket_given_to_another_hand_may_be_there_in_a_sampled_world() -> None:
    game = ttr.new_game("europe", Gift, players=3, seed=5, first_seat=0)
    for seat in range(3):
        game.play(game.legal_actions(seat)[-1])
    while game.state.turn_number < 4:
        game.play(ttr.DrawBlind(game.to_act[0]))
    view, kinds, found = game.view(0), game.rules.tickets, set[tuple[int, ...]]()
    for seed in range(150):
        hands = ttr.determinize(view, game.rules, seed).state.tickets[1:]
        found.add(tuple(sum(kinds[ticket].kind == "long" for ticket in hand) for hand in hands))
    assert any(giver == 0 and taker > 1 for giver, taker in found)


class PickyDesk(Desk):
    """The buried ticket is worth at least nine points."""

    def validate(self, rules: Rules) -> str | None:
        low = [ticket for ticket in known(self.buried) if rules.tickets[ticket].points < 9]
        return f"{low[0]} may not be buried" if low else None


def test_a_part_says_which_tickets_may_lie_in_a_hidden_place() -> None:
    picky = plugin("picky-desk", parts=lambda rules: (PickyDesk,))
    game = ttr.new_game("europe", picky, players=2, seed=5)
    for seat in range(2):
        game.play(game.legal_actions(seat)[0])
    state = game.state
    worth = next(ticket for ticket in state.ticket_pile if game.rules.tickets[ticket].points >= 9)
    state.part(PickyDesk).buried = (state.take_ticket(worth),)
    view = view_of(state, game.players, 0)
    worlds = [ttr.determinize(view, game.rules, seed).state for seed in range(40)]
    buried = {world.part(PickyDesk).buried for world in worlds}
    assert len(buried) > 5 and all(game.rules.tickets[known(some)[0]].points >= 9 for some in buried)
    assert not any(missing(world)["tickets"] for world in worlds)


@pytest.mark.parametrize(("on_top", "place"), [(True, 0), (False, -1)])
def test_a_ticket_goes_back_on_top_of_its_pile_or_under_it(on_top: bool, place: int) -> None:
    state = ttr.new_game("europe", players=2, seed=1).state
    before = state.ticket_pile
    ticket = state.take_ticket(before[3])
    state.return_ticket(ticket, on_top=on_top)
    assert state.ticket_pile[place] == ticket and sorted(state.ticket_pile) == sorted(before)
