"""Drawing tickets in play: how many, which may be kept, and where the others go."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from helpers import Expect, arranged, chance_of, keep_all, legal, play, refused, rules_of

import ttr_rules as ttr
from ttr_rules.model import TicketChoice

DRAW = ttr.DrawTickets(0)
STACKS = ("north-america", "europe")


def piled(stack: str, count: int | None = None, chance: Any = (), **position: Any) -> ttr.Game:
    """A position in which the ticket pile holds `count` tickets: the other player has the rest."""
    regular = [ticket.id for ticket in rules_of(stack).deck.piles["regular"]]
    held = [] if count is None else regular[: len(regular) - count]
    return arranged(stack, {}, {"tickets": held}, chance=chance, **position)


def keep(*tickets: str) -> ttr.KeepTickets:
    return ttr.KeepTickets(0, tickets)


# -- how many (K1) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("K1")
@pytest.mark.parametrize("stack", STACKS)
def test_the_top_three_are_drawn(stack: str) -> None:
    game = piled(stack)
    top, rest = game.state.ticket_pile[:3], game.state.ticket_pile[3:]
    game.play(DRAW)
    assert game.to_act == (0,)
    assert game.decision(0) == TicketChoice(0, top)
    assert game.state.ticket_pile == rest
    assert game.state.tickets[0] == ()


@pytest.mark.rule("K1")
@pytest.mark.parametrize("stack", STACKS)
def test_one_two_or_three_are_kept(stack: str) -> None:
    game = piled(stack)
    top = game.state.ticket_pile[:3]
    game.play(DRAW)
    choices = {frozenset(action.tickets) for action in legal(game, ttr.KeepTickets)}
    assert choices == {frozenset(some) for count in (1, 2, 3) for some in combinations(top, count)}
    assert len(game.legal_actions()) == 7
    for choice in choices:
        other = game.copy()
        other.play(keep(*choice))
        assert set(other.state.tickets[0]) == choice
        assert other.to_act == (1,)


@pytest.mark.rule("K1")
def test_none_is_too_few_and_foreign_ones_are_refused() -> None:
    game = piled("north-america")
    top, below = game.state.ticket_pile[:3], game.state.ticket_pile[3]
    game.play(DRAW)
    for kept in ([], [below], [top[0], below], [top[0], top[0]], ["nowhere"], [*top, below]):
        assert refused(game, keep(*kept)) == "K1"


@pytest.mark.rule("K1")
def test_a_refusal_names_the_ticket_and_no_more_of_it_than_can_be_read() -> None:
    game = piled("north-america")
    game.play(DRAW)
    for named, said in (("x" * 60, "x" * 60), ("x" * 200, "'xxxxxxxxxxxx...xxxxxxxxxxxxx'"), ("a\n", r"'a\n'")):
        refusal = game.refusal(keep(named))
        assert refusal is not None and refusal.reason == f"{said} is not among the tickets to choose from"


@pytest.mark.rule("K1")
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize(("left", "choices"), [(1, 1), (2, 3), (3, 7), (4, 7)])
def test_with_fewer_left_fewer_are_drawn_and_one_is_kept(stack: str, left: int, choices: int) -> None:
    game = piled(stack, left)
    pile = game.state.ticket_pile
    assert len(pile) == left
    game.play(DRAW)
    assert game.decision(0) == TicketChoice(0, pile[:3])
    assert len(game.legal_actions()) == choices
    assert refused(game, keep()) == "K1"
    game.play(keep(pile[0]))
    assert game.state.tickets[0] == (pile[0],)
    assert game.state.ticket_pile == (*pile[3:], *pile[1:3])


# -- those not kept, and those kept (K2) -----------------------------------------------------------------------


@pytest.mark.rule("K2", "R9")
@pytest.mark.parametrize("stack", STACKS)
def test_those_not_kept_go_under_the_pile_in_the_order_drawn(stack: str) -> None:
    game = piled(stack, 8)
    a, b, c, *rest = game.state.ticket_pile
    for kept, back in (((b,), (a, c)), ((c,), (a, b)), ((a,), (b, c)), ((c, a), (b,)), ((a, b, c), ())):
        other = game.copy()
        play(other, DRAW, keep(*kept))
        assert other.state.ticket_pile == (*rest, *back)
    assert chance_of(game).calls == []


@pytest.mark.rule("K2")
def test_tickets_put_back_come_up_again_at_the_end() -> None:
    game = piled("north-america", 4)
    a, b, c, d = game.state.ticket_pile
    play(game, DRAW, keep(b), ttr.DrawTickets(1))
    assert game.decision(1) == TicketChoice(1, (d, a, c))


@pytest.mark.rule("K2")
def test_kept_tickets_stay_and_are_never_too_many() -> None:
    game = arranged("north-america", {}, {}, draw_pile=["red"] * 12 + ["blue"] * 8)
    held: tuple[str, ...] = ()
    for _ in range(10):
        top = game.state.ticket_pile[:3]
        play(game, DRAW, keep(*top))
        assert set(game.state.tickets[0]) == {*held, *top}
        held = game.state.tickets[0]
        play(game, ttr.DrawBlind(1), ttr.DrawBlind(1))
    assert len(held) == 30
    assert refused(game, DRAW) == "K3"


@pytest.mark.rule("K2")
def test_a_ticket_held_cannot_be_given_back_later() -> None:
    game = piled("north-america")
    play(game, DRAW, keep(*game.state.ticket_pile[:1]), ttr.DrawTickets(1))
    mine = game.state.tickets[0][0]
    decision = game.decision(1)
    assert isinstance(decision, TicketChoice)
    game.play(ttr.KeepTickets(1, decision.tickets[:1]))
    game.play(DRAW)
    drawn = game.decision(0)
    assert isinstance(drawn, TicketChoice)
    assert mine not in drawn.tickets
    game.play(keep(drawn.tickets[0]))
    assert mine in game.state.tickets[0]


@pytest.mark.rule("K2", "V2")
def test_in_europe_long_tickets_are_never_drawn_in_play() -> None:
    game = ttr.new_game("europe", players=2, seed=4, first_seat=0)
    keep_all(game)
    long = {ticket.id for ticket in rules_of("europe").deck.piles["long"]}
    assert not long & set(game.state.ticket_pile)
    assert len(game.state.ticket_pile) == 34


# -- no tickets left (K3) --------------------------------------------------------------------------------------


@pytest.mark.rule("K3")
@pytest.mark.parametrize("stack", STACKS)
def test_without_tickets_the_action_is_not_there(stack: str) -> None:
    game = piled(stack, 0, draw_pile=["red", "blue"])
    assert game.state.ticket_pile == ()
    assert refused(game, DRAW) == "K3"
    assert legal(game, ttr.DrawTickets) == []
    assert game.is_legal(ttr.DrawBlind(0))


@pytest.mark.rule("K3", "K1")
def test_the_last_ticket_can_be_drawn_and_then_none() -> None:
    game = piled("north-america", 1)
    (last,) = game.state.ticket_pile
    play(game, DRAW, keep(last))
    assert refused(game, ttr.DrawTickets(1)) == "K3"


# -- the order of those put back (R9) --------------------------------------------------------------------------


@pytest.mark.rule("R9")
def test_the_ruling_shuffles_those_put_back() -> None:
    game = piled("north-america", 8, rulings={"shuffle_returned_tickets": True})
    a, b, c, *rest = game.state.ticket_pile
    for kept, handed, answer in (((b,), (a, c), (c, a)), ((c,), (a, b), (a, b)), ((a,), (b, c), (c, b))):
        other = game.copy()
        chance_of(other).script(Expect(handed, answer))
        play(other, DRAW, keep(*kept))
        chance_of(other).done()
        assert other.state.ticket_pile == (*rest, *answer)


@pytest.mark.rule("R9")
def test_one_ticket_put_back_is_no_matter_of_chance() -> None:
    game = piled("north-america", 8, rulings={"shuffle_returned_tickets": True})
    a, b, c, *rest = game.state.ticket_pile
    other = game.copy()
    play(other, DRAW, keep(a, c))
    assert other.state.ticket_pile == (*rest, b)
    play(game, DRAW, keep(a, b, c))
    assert game.state.ticket_pile == tuple(rest)
    assert chance_of(game).calls == []


@pytest.mark.rule("R9", "K2")
def test_by_default_nothing_is_shuffled() -> None:
    game = piled("europe", 8)
    a, b, c, *rest = game.state.ticket_pile
    play(game, DRAW, keep(b))
    assert game.state.ticket_pile == (*rest, a, c)
    assert chance_of(game).calls == []
