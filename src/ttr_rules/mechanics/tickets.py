"""Tickets: the simultaneous choice at set-up (S7) and draws in play (K1–K3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

from ttr_rules._internal.language import Message
from ttr_rules._internal.messages import word
from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ActionRule, NumberedRule
from ttr_rules.kernel.data import GameData
from ttr_rules.kernel.events.play import TicketsKept, TicketsReturned
from ttr_rules.kernel.events.setup import (
    MixAsked,
    SetupRevealed,
    TicketsBoxed,
    TicketsChosen,
    TicketsDealt,
    TicketsShuffled,
)
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import begin_turn, end_turn
from ttr_rules.mechanics.keeps import Keeps
from ttr_rules.mechanics.options import TicketOptions
from ttr_rules.mechanics.ticket_mix import draw_tickets, most_drawn
from ttr_rules.model.actions import DrawTickets, KeepTickets
from ttr_rules.model.board import Ticket
from ttr_rules.model.decisions import TicketChoice, TicketSetup, Turn
from ttr_rules.model.tickets import KeepAtLeast, KeepRule, Unkept


def deal_stage(tx: Transaction) -> None:
    """Deal the tickets of the current stage of set-up, or begin the first turn when all stages are done."""
    state = tx.state
    rules = tx.rules
    # survives >=: no stage is counted beyond the last
    if state.stage == len(rules.setup):
        begin_turn(tx, state.turn)
        return
    stage = rules.setup[state.stage]
    if stage.mix is not None:
        tx.emit(MixAsked, state.stage, stage.mix.count)
        return
    dealt: list[tuple[str, ...]] = [()] * state.players
    gone: dict[str, int] = {}
    for deal in stage.deals:
        for seat in range(state.players):
            start = gone.get(deal.pile, 0)
            gone[deal.pile] = start + deal.count
            dealt[seat] += state.ticket_piles[deal.pile][start : start + deal.count]
    for seat in range(state.players):
        tx.emit(TicketsDealt, seat, state.stage, dealt[seat])
    for name in stage.box_rest:
        tx.emit(TicketsBoxed, name)


def _kept_refusal(
    rules: GameData, keep: KeepRule, rule: str, offered: tuple[str, ...], action: KeepTickets, before: Iterable[str]
) -> Refusal | None:
    """Why these tickets may not be kept; mentions only tickets that the action itself names."""
    for ticket in action.tickets:
        if ticket not in offered:
            return Refusal(rule, Message("{ticket} is not among the tickets to choose from", ticket=word(ticket)))
    # survives !=: a set holds no more than what it is made from
    if len(set(action.tickets)) < len(action.tickets):
        return Refusal(rule, "a ticket is named twice")
    reason = keep.refusal(_cards(rules, offered), _cards(rules, action.tickets), _cards(rules, before))
    return None if reason is None else Refusal(rule, reason)


def _cards(rules: GameData, ids: Iterable[str]) -> list[Ticket]:
    return [rules.tickets[id] for id in ids]


def of_pile(rules: GameData, name: str, tickets: Iterable[str]) -> tuple[str, ...]:
    """The tickets that belong to a pile of the deck."""
    known = {ticket.id for ticket in rules.deck.piles.get(name, ())}
    return tuple(ticket for ticket in tickets if ticket in known)


@cache
def _subsets(count: int, least: int) -> tuple[tuple[int, ...], ...]:
    """The ways to pick at least a given number of `count` items, fewest first."""
    # survives <<, 2: no more of them can be picked than there are
    return tuple(some for size in range(least, count + 1) for some in combinations(range(count), size))


def _choices(rules: GameData, keep: KeepRule, seat: int, offered: tuple[str, ...], before: Iterable[str]) -> Keeps:
    if type(keep) is KeepAtLeast:
        return Keeps(seat, offered, _subsets(len(offered), min(keep.least, len(offered))))
    held = _cards(rules, before)
    cards = _cards(rules, offered)
    return Keeps(
        seat,
        offered,
        [some for some in _subsets(len(cards), 0) if keep.refusal(cards, [cards[i] for i in some], held) is None],
    )


def _mask(offered: Sequence[str], kept: Iterable[str]) -> int:
    """Tickets as a code: a bit for each place among those on offer."""
    found = 0
    for ticket in kept:
        found |= 1 << offered.index(ticket)
    return found


def _masked(offered: Sequence[str], code: int) -> tuple[str, ...]:
    """The tickets that a code stands for."""
    return tuple([ticket for place, ticket in enumerate(offered) if code >> place & 1])


class SetupChoiceRule(ActionRule[TicketSetup, KeepTickets]):
    """Keep some of the tickets dealt at set-up, hidden from the others and in any order of seats (S7).

    A code has a bit for each ticket on offer.
    """

    on = TicketSetup
    action = KeepTickets

    def number_of_codes(self, rules: GameData) -> int:
        return 1 << max(
            (stage.mix.count if stage.mix else sum(deal.count for deal in stage.deals) for stage in rules.setup),
            default=0,
        )

    def nth(self, state: State, decision: TicketSetup, index: int) -> int:
        return _mask(decision.tickets, self.offers(state, decision)[index].tickets)

    def action_of(self, state: State, decision: TicketSetup, code: int) -> KeepTickets:
        return KeepTickets(decision.seat, _masked(decision.tickets, code))

    def code_of(self, state: State, decision: TicketSetup, action: KeepTickets) -> int:
        return _mask(decision.tickets, action.tickets)

    def offers(self, state: State, decision: TicketSetup) -> Sequence[KeepTickets]:
        keep = state.rules.setup[decision.stage].keep
        return _choices(state.rules, keep, decision.seat, decision.tickets, state.tickets[decision.seat])

    def refusal(self, state: State, decision: TicketSetup, action: KeepTickets) -> Refusal | None:
        stage = state.rules.setup[decision.stage]
        before = state.tickets[decision.seat]
        return _kept_refusal(state.rules, stage.keep, stage.rule, decision.tickets, action, before)

    def perform(self, tx: Transaction, decision: TicketSetup, action: KeepTickets) -> None:
        state = tx.state
        kept = tuple(ticket for ticket in decision.tickets if ticket in action.tickets)
        rejected = tuple(ticket for ticket in decision.tickets if ticket not in action.tickets)
        tx.emit(TicketsChosen, decision.seat, kept, rejected)
        if state.pending:
            return
        stage = tx.rules.setup[decision.stage]
        rejects = tuple(ticket for seat in state.rejects for ticket in seat)
        if stage.mix is not None:
            for name in stage.mix.piles:
                back = of_pile(tx.rules, name, rejects)
                if back:
                    tx.emit(TicketsShuffled, name, tx.shuffled((*state.ticket_piles[name], *back)))
        elif stage.under is not None:
            boxed = [ticket for name in stage.box_rest for ticket in of_pile(tx.rules, name, rejects)]
            back = tuple(ticket for ticket in rejects if ticket not in boxed)
            if stage.shuffled or tx.rules.plugin(TicketOptions).shuffle_returned_tickets:
                back = tx.shuffled(back)
            if back:
                tx.emit(TicketsReturned, stage.under, back)
        # survives >=: no stage is counted beyond the last
        is_last = decision.stage == len(tx.rules.setup) - 1
        tx.emit(SetupRevealed, tuple(map(len, state.tickets)) if is_last else ())
        deal_stage(tx)


class DrawTicketsRule(NumberedRule[Turn, DrawTickets]):
    """Draw tickets, fewer if fewer are left (K1); not without any (K3). The only code is 0."""

    on = Turn
    action = DrawTickets

    def __init__(self) -> None:
        self._actions: dict[int, DrawTickets] = {}

    def number_of_codes(self, rules: GameData) -> int:
        return 1

    def count(self, state: State, decision: Turn) -> int:
        return 1 if state.has_tickets else 0

    def nth(self, state: State, decision: Turn, index: int) -> int:
        return 0

    def offers(self, state: State, decision: Turn) -> Sequence[DrawTickets]:
        return (self.action_of(state, decision, 0),) if state.has_tickets else ()

    def action_of(self, state: State, decision: Turn, code: int) -> DrawTickets:
        found = self._actions.get(decision.seat)
        if found is None:
            found = self._actions[decision.seat] = DrawTickets(decision.seat)
        return found

    def code_of(self, state: State, decision: Turn, action: DrawTickets) -> int:
        return 0

    def refusal(self, state: State, decision: Turn, action: DrawTickets) -> Refusal | None:
        return None if state.has_tickets else Refusal("K3", "no tickets are left to draw")

    def perform_code(self, tx: Transaction, decision: Turn, code: int) -> None:
        draw_tickets(tx, decision.seat, tx.rules.draw_counts.drawn)


class TicketChoiceRule(ActionRule[TicketChoice, KeepTickets]):
    """Keep some of the tickets drawn; the others go under the pile they came from in the order drawn (K1, K2, R9).

    A code has a bit for each ticket on offer.
    """

    on = TicketChoice
    action = KeepTickets

    def number_of_codes(self, rules: GameData) -> int:
        return 1 << most_drawn(rules)

    def nth(self, state: State, decision: TicketChoice, index: int) -> int:
        found = 0
        for place in self._ways(state, decision)[index]:
            found |= 1 << place
        return found

    def action_of(self, state: State, decision: TicketChoice, code: int) -> KeepTickets:
        return KeepTickets(decision.seat, _masked(decision.tickets, code))

    def code_of(self, state: State, decision: TicketChoice, action: KeepTickets) -> int:
        return _mask(decision.tickets, action.tickets)

    def count(self, state: State, decision: TicketChoice) -> int:
        return len(self._ways(state, decision))

    def _ways(self, state: State, decision: TicketChoice) -> Sequence[tuple[int, ...]]:
        size = len(decision.tickets)
        return _subsets(size, min(state.rules.draw_counts.keep, size))

    def offers(self, state: State, decision: TicketChoice) -> Sequence[KeepTickets]:
        return Keeps(decision.seat, decision.tickets, self._ways(state, decision))

    def refusal(self, state: State, decision: TicketChoice, action: KeepTickets) -> Refusal | None:
        keep = KeepAtLeast(state.rules.draw_counts.keep)
        return _kept_refusal(state.rules, keep, "K1", decision.tickets, action, ())

    def perform(self, tx: Transaction, decision: TicketChoice, action: KeepTickets) -> None:
        self.perform_code(tx, decision, _mask(decision.tickets, action.tickets))

    def perform_code(self, tx: Transaction, decision: TicketChoice, code: int) -> None:
        counts = tx.rules.draw_counts
        kept = _masked(decision.tickets, code)
        rest = _masked(decision.tickets, ~code)
        tx.emit(TicketsKept, decision.seat, kept)
        if rest and counts.unkept is Unkept.UNDER_PILE:
            for name in counts.piles:
                back = of_pile(tx.rules, name, rest) if counts.more_piles else rest
                if back and tx.rules.plugin(TicketOptions).shuffle_returned_tickets:
                    back = tx.shuffled(back)
                if back:
                    tx.emit(TicketsReturned, name, back)
        end_turn(tx, decision.seat)
