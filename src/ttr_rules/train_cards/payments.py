"""What train cards can pay: cards of one color, with locomotives as wild cards (C1, C2, F1, T3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ttr_rules.errors import Refusal
from ttr_rules.kernel.state import State
from ttr_rules.language import Message, Seat, join_and, plural
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief, word
from ttr_rules.train_cards.kinds import LOCOMOTIVE, CardKinds
from ttr_rules.train_cards.piles import CardPiles


class CardPayments(CardKinds):
    """Payments with train cards. A map with other cards overrides `ways_with` and `mismatch`."""

    route_rules = ("C1", "C2", "F1")
    tunnel_rule = "T2"

    def ways_with_color(self, cost: Cost, color: str, held: int, wild: int) -> tuple[Counts, ...]:
        """The payments for `cost` that use at least one card of `color`, of `held` ones and `wild` locomotives."""
        if cost.only_wilds or cost.color not in (None, color):
            return ()
        least_wild = max(cost.wilds, cost.spaces - held)
        most_wild = min(wild, cost.spaces - 1, self.wild_spaces(cost))
        return tuple([_lot(wilds, color, cost.spaces - wilds) for wilds in range(least_wild, most_wild + 1)])

    def ways_with_locomotives(self, cost: Cost, wild: int) -> tuple[Counts, ...]:
        """The one payment with only locomotives, if there are enough (C2)."""
        # survives ==: locomotives stand in for no more cards than are asked for
        enough = min(wild, self.wild_spaces(cost)) >= cost.spaces
        return (_lot(cost.spaces),) if enough else ()

    def ways_with(self, cost: Cost, kind: str, held: int, wilds: tuple[int, ...]) -> Sequence[Counts]:
        """The payments with at least one card of a kind, of `held` ones; for the wild kind, those with nothing else."""
        if kind == self.kinds[self.wild]:
            return self.ways_with_locomotives(cost, held)
        return self.ways_with_color(cost, kind, held, wilds[0]) if kind in self.colors else ()

    def held(self, state: State, seat: int) -> Sequence[int]:
        """How many cards of each kind a seat holds, by kind number (`number`); do not modify."""
        piles: CardPiles = state.kept[0]
        return piles.hand[seat]

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        hand = self.held(state, seat)
        wilds = tuple([hand[kind] for kind in self.wild_kinds])
        found: list[Counts] = []
        for kind, held in zip(self.kinds, hand, strict=True):
            if held or kind == LOCOMOTIVE:
                found += self.ways_with(cost, kind, held, wilds)
        return found

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few locomotives, then few cards."""
        return payment[LOCOMOTIVE], payment.total

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        hand = self.held(state, seat)
        for card, count in payment.items():
            # survives -1: a payment holds one at least of each card that it names
            held = hand[self.number[card]] if card in self.number else 0
            if count > held:
                template = "{seat} does not hold {count} {card}; the payment was {payment}"
                given = payment if word(str(payment)) == str(payment) else word(str(payment))
                return Refusal(
                    "C1", Message(template, seat=Seat(seat), count=brief(count), card=word(card), payment=given)
                )
        return self.mismatch(cost, payment)

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        """Why `payment` does not pay `cost`, whatever the hand; None if it does."""
        colors = [card for card in payment if card != LOCOMOTIVE]
        if payment.total != cost.spaces:
            one, many = (
                "{count} card is asked for, not {total} ({payment})",
                "{count} cards are asked for, not {total} ({payment})",
            )
            return Refusal("C1", plural(one, many, cost.spaces, total=payment.total, payment=payment))
        if len(colors) > 1:
            template = "the cards must be of one color, not {colors}; locomotives stand in"
            return Refusal("C1", Message(template, colors=join_and(colors)))
        if payment[LOCOMOTIVE] > self.wild_spaces(cost):
            most = self.wild_spaces(cost)
            one = "locomotives stand in for at most {count} card here"
            many = "locomotives stand in for at most {count} cards here"
            return Refusal("C2", plural(one, many, most))
        if cost.only_wilds and colors:
            # survives -1: two colors are refused before
            return Refusal("T3", Message("only locomotives can be played here, not {card}", card=colors[0]))
        # survives -1: two colors are refused before
        if cost.color is not None and colors and colors[0] != cost.color:
            # survives -1: two colors are refused before
            template = "{color} cards are asked for, not {card}; locomotives stand in"
            return Refusal("C1", Message(template, color=cost.color, card=colors[0]))
        if payment[LOCOMOTIVE] < cost.wilds:
            one = "this ferry asks for {count} locomotive at least, not {played}"
            many = "this ferry asks for {count} locomotives at least, not {played}"
            return Refusal("F1", plural(one, many, cost.wilds, played=payment[LOCOMOTIVE]))
        return None


@cache
def _lot(wilds: int, color: str = "", count: int = 0) -> Counts:
    """Locomotives, with cards of a color if any: the same few hundred payments stand in the tables of many hands."""
    return Counts({color: count, LOCOMOTIVE: wilds})
