"""Tickets from several piles: the player announces how many from each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import ListedRule
from ttr_rules.kernel.effects import take_tickets
from ttr_rules.kernel.events import MixAnnounced, TicketsDealt, TicketsShuffled
from ttr_rules.kernel.extensions import MOST_DRAWN, most_drawn
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.language import Message, join_and
from ttr_rules.model.cards import Counts
from ttr_rules.model.decisions import AnnounceMix, TicketMix
from ttr_rules.model.tickets import Unkept
from ttr_rules.text import brief


def draw_tickets(tx: Transaction, seat: i64, count: i64) -> None:
    """Draw tickets, fewer if fewer are left (K1), to choose from. With several piles, ask for a mix first.

    Raises `PluginError` for more than twice the usual number, or six if that is more.

    >>> from ttr_rules import new_game
    >>> tx = Transaction(new_game("europe", players=2, seed=1).state, [])
    >>> draw_tickets(tx, 0, 2)
    >>> tx.log
    [TicketsDrawn(seat=0, tickets=('brest-venezia', 'athina-angora'))]
    """
    state = tx.state
    if not tx.rules.tickets_return:
        use_discards(tx, count)
    if not tx.rules.more_ticket_piles and count <= MOST_DRAWN:
        take_tickets(tx, seat, state.ticket_piles[tx.rules.ticket_pile][:count])
        return
    most = most_drawn(tx.rules.draw_counts.drawn)
    if count > most:
        raise PluginError(
            f"a plugin of {tx.rules} draws {count} tickets at once: {most} at most (twice a usual draw, or {MOST_DRAWN})"
        )
    piles = [name for name in tx.rules.draw_counts.piles if state.ticket_piles.get(name)]
    if len(piles) > 1:
        tx.ask(TicketMix(seat, min(count, len(state.ticket_pile))))
    else:
        take_tickets(tx, seat, state.ticket_pile[:count])


def use_discards(tx: Transaction, least: i64) -> None:
    """Shuffle the discarded tickets of each pile that has fewer than `least` left, and put them under it."""
    if tx.rules.draw_counts.unkept is not Unkept.DISCARD:
        return
    piles = tx.state.ticket_piles
    for name, discards in tx.rules.draw_counts.discards.items():
        lying = piles.get(discards, ())
        if lying and len(piles[name]) < least:
            tx.emit(TicketsShuffled, name, (*piles[name], *tx.shuffled(lying)))
            tx.emit(TicketsShuffled, discards, ())


def piles_of(rules: Rules, decision: TicketMix) -> tuple[str, ...]:
    """The piles that a mix draws from."""
    if decision.stage is None:
        return rules.draw_counts.piles
    mix = rules.setup[decision.stage].mix
    return () if mix is None else mix.piles


@lru_cache(maxsize=1024)
def _codes(sizes: tuple[int, ...], count: int, radix: int) -> list[int]:
    """The ways to draw `count` tickets from piles of these sizes, as codes, most from the first pile first."""
    mixes = product(*[range(size, -1, -1) for size in sizes])
    return [sum([taken * radix**place for place, taken in enumerate(mix)]) for mix in mixes if sum(mix) == count]


class AnnounceMixRule(ListedRule[TicketMix, AnnounceMix]):
    """Announce how many tickets to draw from each pile, adding up to the number due. The draw follows at once.

    At set-up the seats announce in any order, and each is dealt its tickets once it has announced. Refusals cite the
    rule of that stage, or K1 in play. A code has a digit for each pile.
    """

    on = TicketMix
    action = AnnounceMix
    ends_itself = True

    def bind(self, rules: Rules) -> None:
        mixes = [stage.mix for stage in rules.setup if stage.mix is not None]
        #: The most piles that tickets are drawn from at once, and the most tickets plus one.
        self.most = max([len(rules.draw_counts.piles), *[len(mix.piles) for mix in mixes]])
        self.radix = 1 + max([most_drawn(rules.draw_counts.drawn), *[mix.count for mix in mixes]])
        self.asked = bool(mixes or rules.draw_counts.more_piles)

    def number_of_codes(self, rules: Rules) -> int:
        return self.radix**self.most if self.asked else 0

    def codes(self, state: State, seat: i64) -> Sequence[int]:
        decision: TicketMix = state.asked_of(seat)
        piles = piles_of(state.rules, decision)
        sizes = tuple([min(len(state.ticket_piles.get(name, ())), decision.count) for name in piles])
        return _codes(sizes, decision.count, self.radix)

    def action_of(self, state: State, seat: i64, code: i64) -> AnnounceMix:
        mix: dict[str, int] = {}
        for name in piles_of(state.rules, state.asked_of(seat)):
            mix[name] = code % self.radix
            code //= self.radix
        return AnnounceMix(seat, Counts(mix))

    def code_of(self, state: State, seat: i64, action: AnnounceMix) -> i64:
        code = 0
        for name in reversed(piles_of(state.rules, state.asked_of(seat))):
            code = code * self.radix + action.mix[name]
        return code

    def refusal(self, state: State, decision: TicketMix, action: AnnounceMix) -> Refusal | None:
        rule = "K1" if decision.stage is None else state.rules.setup[decision.stage].rule
        piles = piles_of(state.rules, decision)
        for name, count in action.mix.items():
            if name not in piles:
                template = "there is no pile {pile} to draw tickets from, only {piles}"
                return Refusal(rule, Message(template, pile=brief(name), piles=join_and(piles)))
            left = len(state.ticket_piles.get(name, ()))
            if count > left:
                return Refusal(
                    rule, Message("{left} {pile} tickets are left, not {count}", left=left, pile=name, count=count)
                )
        if action.mix.total != decision.count:
            template = "{count} tickets are drawn in all, not {total}"
            return Refusal(rule, Message(template, count=decision.count, total=action.mix.total))
        return None

    def perform_code(self, tx: Transaction, seat: i64, code: i64) -> None:
        decision: TicketMix = tx.state.asked_of(seat)
        mix = self.action_of(tx.state, seat, code).mix
        piles = tx.state.ticket_piles
        tickets = tuple([ticket for name, count in mix.items() for ticket in piles[name][:count]])
        tx.emit(MixAnnounced, seat, mix)
        if decision.stage is None:
            take_tickets(tx, seat, tickets)
        else:
            tx.emit(TicketsDealt, seat, decision.stage, tickets)
