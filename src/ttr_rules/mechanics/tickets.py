"""Tickets: the simultaneous choice at set-up (S7) and draws in play (K1–K3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import Final, TypeVar

from ttr_rules._internal.native import i64, mypyc_attr
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ListedRule, SingleActionRule
from ttr_rules.kernel.effects import keep_tickets, return_tickets
from ttr_rules.kernel.events import (
    GameBegun,
    SetupRevealed,
    TicketsChosen,
    TicketsRevealed,
    TicketsShuffled,
)
from ttr_rules.kernel.extensions import most_drawn, tickets_drawn, tickets_kept, tickets_put_back
from ttr_rules.kernel.part import set_up_parts
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import FieldOf, State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import begin_set_up, deal_stage, end_turn
from ttr_rules.language import Message
from ttr_rules.mechanics.ticket_mix import draw_tickets, use_discards
from ttr_rules.model.board import Ticket
from ttr_rules.model.decisions import Decision, DrawTickets, KeepTickets, TicketChoice, TicketSetup, Turn
from ttr_rules.model.tickets import KeepAtLeast, KeepBetween, KeepRule, Unkept, has_limits
from ttr_rules.text import word

D = TypeVar("D", bound=Decision)
OFFERED: Final = FieldOf(TicketChoice, "tickets")


def set_up(tx: Transaction, names: tuple[str, ...], first_seat: int | None) -> None:
    """Set up a game: first seat, shuffles, deals, then the first tickets (S1–S7)."""
    rules = tx.rules
    if first_seat is None:
        first_seat = tx.shuffled(range(len(names)))[0]
    tx.emit(GameBegun, names, first_seat)
    rules.economy.shuffle(tx)
    for name, tickets in rules.ticket_ids:
        tx.emit(TicketsShuffled, name, tx.shuffled(tickets))
    rules.economy.deal(tx)
    set_up_parts(tx)
    begin_set_up(tx)


def _rule_for(state: State, seat: int, keep: KeepRule, dealt: list[Ticket], before: list[Ticket]) -> KeepRule:
    """The rule about the tickets that a seat keeps, with the number that plugins give (`Variant.tickets_kept`)."""
    if not state.rules.tickets_kept or not has_limits(keep):
        return keep
    least, most = keep.limits(dealt, before)
    return KeepBetween(tickets_kept(state, seat, least, most), most=most)


def _refuse_choice(
    state: State, keep: KeepRule, rule: str, offered: tuple[str, ...], action: KeepTickets, before: Iterable[str]
) -> Refusal | None:
    """The refusal if these tickets may not be kept. It mentions only tickets that the action itself names."""
    for ticket in action.tickets:
        if ticket not in offered:
            return Refusal(rule, Message("{ticket} is not among the tickets to choose from", ticket=word(ticket)))
    if len(set(action.tickets)) < len(action.tickets):
        return Refusal(rule, "a ticket is named twice")
    dealt, held = _cards(state.rules, offered), _cards(state.rules, before)
    keep = _rule_for(state, action.seat, keep, dealt, held)
    reason = keep.refusal(dealt, _cards(state.rules, action.tickets), held)
    return None if reason is None else Refusal(rule, reason)


def _cards(rules: Rules, ids: Iterable[str]) -> list[Ticket]:
    return [rules.tickets[id] for id in ids]


def of_pile(rules: Rules, name: str, tickets: Iterable[str]) -> tuple[str, ...]:
    """The tickets that belong to a pile of the deck."""
    piles = rules.derived(_piles)
    return tuple([ticket for ticket in tickets if piles.get(ticket) == name])


def _piles(rules: Rules) -> dict[str, str]:
    """The pile of the deck that each ticket belongs to."""
    return {ticket.id: name for name, pile in rules.deck.piles.items() for ticket in pile}


@cache
def _masks(count: int, least: int, most: int) -> list[int]:
    """The ways to pick `least` to `most` of `count` items, fewest first, as codes: a bit for each item."""
    some = [places for size in range(least, most + 1) for places in combinations(range(count), size)]
    return [sum([1 << place for place in places]) for places in some]


def _split(offered: tuple[str, ...], code: i64) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tickets that a code keeps, and the others."""
    kept: list[str] = []
    rest: list[str] = []
    for ticket in offered:
        if code & 1:
            kept.append(ticket)
        else:
            rest.append(ticket)
        code >>= 1
    return tuple(kept), tuple(rest)


def _choice(state: State, seat: i64) -> tuple[str, ...]:
    """The tickets that a seat chooses from."""
    offered: tuple[str, ...] = state.field(seat, OFFERED)
    return offered


@mypyc_attr(allow_interpreted_subclasses=True)
class KeepTicketsRule(ListedRule[D, KeepTickets]):
    """Keep some of the tickets on offer. A code has a bit for each of them."""

    action = KeepTickets
    ends_itself = True

    def action_of(self, state: State, seat: i64, code: i64) -> KeepTickets:
        return KeepTickets(seat, _split(_choice(state, seat), code)[0])

    def code_of(self, state: State, seat: i64, action: KeepTickets) -> i64:
        offered = _choice(state, seat)
        return sum([1 << offered.index(ticket) for ticket in set(action.tickets)])


class SetupChoiceRule(KeepTicketsRule[TicketSetup]):
    """Keep some of the tickets dealt at set-up, hidden from the others and in any order of seats (S7)."""

    on = TicketSetup

    def number_of_codes(self, rules: Rules) -> int:
        dealt = [stage.mix.count if stage.mix else sum(deal.count for deal in stage.deals) for stage in rules.setup]
        return 1 << max([0, *dealt])

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        decision: TicketSetup = state.asked_of(seat)
        keep = state.rules.setup[decision.stage].keep
        offered = decision.tickets
        count = len(offered)
        if type(keep) is KeepAtLeast and not state.rules.tickets_kept:  # usually
            return _masks(count, min(keep.least, count), count)
        cards, held = _cards(state.rules, offered), _cards(state.rules, state.tickets[seat])
        keep = _rule_for(state, decision.seat, keep, cards, held)
        if has_limits(keep):
            least, most = keep.limits(cards, held)
            return _masks(count, least, most)
        return [
            code
            for code in _masks(count, 0, count)
            if keep.refusal(cards, _cards(state.rules, _split(offered, code)[0]), held) is None
        ]

    def refusal(self, state: State, decision: TicketSetup, action: KeepTickets) -> Refusal | None:
        stage = state.rules.setup[decision.stage]
        before = state.tickets[decision.seat]
        return _refuse_choice(state, stage.keep, stage.rule, decision.tickets, action, before)

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        state = tx.state
        kept, rejected = _split(state.asked_of(seat).tickets, code)
        tx.emit(TicketsChosen, seat, kept, rejected)
        if state.actor < 0:
            self._reveal(tx)

    def _reveal(self, tx: Transaction) -> None:
        """All have chosen: put the rejected tickets back, and begin the next stage or the first turn."""
        state = tx.state
        stage = tx.rules.setup[state.stage]
        rejects = tuple([ticket for seat in state.rejects for ticket in seat])
        if stage.mix is not None:
            for name in stage.mix.piles:
                back = of_pile(tx.rules, name, rejects)
                if back:
                    tx.emit(TicketsShuffled, name, tx.shuffled((*state.ticket_piles[name], *back)))
        elif stage.under is not None:
            boxed = [ticket for name in stage.box_rest for ticket in of_pile(tx.rules, name, rejects)]
            back = tuple([ticket for ticket in rejects if ticket not in boxed])
            if stage.shuffled or tx.rules.shuffles_returned:
                back = tx.shuffled(back)
            if back:
                return_tickets(tx, stage.under, back)
        is_last = state.stage == len(tx.rules.setup) - 1
        held = tuple([len(tickets) for tickets in state.tickets]) if is_last else ()
        tx.emit(SetupRevealed, held)
        deal_stage(tx)


class DrawTicketsRule(SingleActionRule[Turn, DrawTickets]):
    """Draw tickets, fewer if fewer are left (K1). Refused if none are (K3)."""

    on = Turn
    action = DrawTickets
    ends_itself = True

    def bind(self, rules: Rules) -> None:
        self._drawn: int = rules.draw_counts.drawn

    def count(self, state: State, seat: i64) -> i64:
        return 1 if state.ticket_piles.get(state.rules.ticket_pile) or state.has_tickets else 0

    def refusal(self, state: State, decision: Turn, action: DrawTickets) -> Refusal | None:
        return None if state.has_tickets else Refusal("K3", "no tickets are left to draw")

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        draw_tickets(tx, seat, tickets_drawn(tx.state, int(seat), self._drawn))


class TicketChoiceRule(KeepTicketsRule[TicketChoice]):
    """Keep some of the tickets drawn. The others go under the pile they came from in the order drawn (K1, K2, R9)."""

    on = TicketChoice

    def bind(self, rules: Rules) -> None:
        counts = rules.draw_counts
        self._keep: int = counts.keep

    def number_of_codes(self, rules: Rules) -> int:
        return 1 << most_drawn(rules.draw_counts.drawn)

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        count = len(_choice(state, seat))
        return _masks(count, tickets_kept(state, int(seat), min(self._keep, count), count), count)

    def refusal(self, state: State, decision: TicketChoice, action: KeepTickets) -> Refusal | None:
        return _refuse_choice(state, KeepAtLeast(self._keep), "K1", decision.tickets, action, ())

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        state = tx.state
        kept, rest = _split(_choice(state, seat), code)
        keep_tickets(tx, seat, kept)
        if state.revealed:  # open tickets
            tx.emit(TicketsRevealed, tuple(state.tickets))
        put_back_tickets(tx, tickets_put_back(tx, seat, rest))
        end_turn(tx, seat)


def put_back_tickets(tx: Transaction, tickets: Iterable[str]) -> None:
    """Put tickets where those of a draw go that are not kept (K2, R9): under their piles, on their discards, or into the box.

    They must have been taken out of what held them before, in the effect of an event.

    >>> from ttr_rules import new_game
    >>> tx = Transaction(new_game("europe", players=2, seed=1).state, [])
    >>> tx.state.take_ticket("brest-venezia")
    'brest-venezia'
    >>> put_back_tickets(tx, ["brest-venezia"])
    >>> tx.state.ticket_pile[-1]
    'brest-venezia'
    """
    rest = tuple(tickets)
    if tx.rules.tickets_return:  # usually
        if rest:
            return_tickets(tx, tx.rules.ticket_pile, rest)
        return
    counts = tx.rules.draw_counts
    if counts.unkept is Unkept.BOX:
        return
    several = len(counts.piles) > 1
    for name in counts.piles:
        back = of_pile(tx.rules, name, rest) if several else rest
        if back and tx.rules.shuffles_returned and not counts.discards:
            back = tx.shuffled(back)
        if back:
            return_tickets(tx, counts.discards.get(name, name), back)
    if counts.discards:
        use_discards(tx, 1)
