"""The train-card economy: what cards pay (C1, C2, F1), tunnels (T1–T3, T5, T6), arranged positions, and its plugin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ttr_rules.errors import Refusal
from ttr_rules.kernel.action_rule import ActionRule
from ttr_rules.kernel.economy import Economy
from ttr_rules.kernel.events.base import Event
from ttr_rules.kernel.plugin import hookimpl
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import PlayerEntry, Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.variant import Below, Variant
from ttr_rules.language import Message, Seat, join_and, plural
from ttr_rules.model.board import Board, Cost
from ttr_rules.model.cards import Counts
from ttr_rules.model.tickets import RuleFile
from ttr_rules.text import brief, word
from ttr_rules.train_cards.draws import (
    DrawBlindRule,
    DrawFaceUpRule,
    DrawNextBlindRule,
    DrawNextFaceUpRule,
    ForgoCardRule,
)
from ttr_rules.train_cards.events import (
    EVENTS,
    CardsArranged,
    CardsLaid,
    HandArranged,
)
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.prices import CardPrices
from ttr_rules.train_cards.row import LOCOMOTIVE, STANDARD_CARDS, CardRow
from ttr_rules.train_cards.values import CardOptions


@cache
def _lot(wilds: int, color: str = "", count: int = 0) -> Counts:
    """Locomotives, with cards of a color if any: the same few hundred payments stand in the tables of many hands."""
    return Counts({color: count, LOCOMOTIVE: wilds})


def arrange_cards(economy: CardRow, tx: Transaction, position: Position, report: Report) -> None:
    """Deal the cards that a position names and shuffle the rest under the draw pile."""
    used: Counter[str] = Counter()
    hands: list[dict[str, int]] = []
    for player in position.players:
        hand = _hand(economy, player, report)
        hands.append(hand)
        used.update(hand)
    face_up, draw_pile, discards = (
        _pile(economy, position, key, report) for key in ("face_up", "draw_pile", "discards")
    )
    if len(face_up) > economy.row:
        report.add("face_up", f"{economy.row} cards lie face up at most, not {len(face_up)}")
    for pile in (face_up, draw_pile, discards):
        used.update(pile)
    for card, count in used.items():
        if count > economy.cards[card]:
            report.add(
                "", f"{brief(count)} {card} cards in hands and piles together; the deck has {economy.cards[card]} (S2)"
            )
    complete = position.raw.get("draw_pile_complete", False)
    if not isinstance(complete, bool):
        report.add("draw_pile_complete", f"expected true or false, got {brief(complete)}")
    if report.problems:
        return
    rest = (
        ()
        if complete
        else tx.shuffled(economy.in_order({card: economy.cards[card] - used[card] for card in economy.kinds}))
    )
    if "face_up" not in position.raw and not complete:  # the row comes from the rest, not from the given top
        face_up, rest = list(rest[: economy.row]), rest[economy.row :]
    for player, hand in zip(position.players, hands, strict=True):
        if hand:
            tx.emit(HandArranged, player.seat, Counts(hand))
    tx.emit(CardsArranged, tuple(face_up), tuple(discards), (*draw_pile, *rest))
    economy.settle(tx)


def _hand(economy: CardRow, player: PlayerEntry, report: Report) -> dict[str, int]:
    hand: dict[str, int] = {}
    table = player.table("hand", report)
    for card, count in table.raw.items():
        if card not in economy.number:
            report.add(table.place, f"no card {brief(card)}; there are {', '.join(economy.kinds)}")
        elif type(count) is not int or count < 0:
            report.add(table.under(card), f"expected a number of cards, got {brief(count)}")
        elif count:
            hand[card] = count
    return hand


def _pile(economy: CardRow, position: Position, key: str, report: Report) -> list[str]:
    pile: list[str] = []
    for place, card in position.entries(key, report):
        if isinstance(card, str) and card in economy.number:
            pile.append(card)
        else:
            report.add(place, f"no card {brief(card)}; there are {', '.join(economy.kinds)}")
    return pile


class TrainCards(CardRow):
    """Pay with train cards: a number of cards of one color, with locomotives as wild cards (C1, C2).

    `cards` is the deck; the other arguments are those of `CardRow`. A subclass with more types of cards says which of
    them are `colors`, and which ones make the row be swept (`sweepers`). A map where cards pay in other ways overrides
    `ways_with` and `mismatch`.

    >>> TrainCards().cards["locomotive"], TrainCards(sweep_at=None).sweep_at
    (14, None)
    """

    route_rules = ("C1", "C2", "F1")
    tunnel_rule = "T2"
    player_keys = ("hand",)
    position_keys: tuple[str, ...] = ("face_up", "draw_pile", "draw_pile_complete", "discards")

    def __init__(
        self,
        cards: Mapping[str, int] = STANDARD_CARDS,
        hand: int = 4,
        row: int = 5,
        sweep_at: int | None = 3,
    ) -> None:
        super().__init__(cards, hand, row, sweep_at)

    def data(self) -> Mapping[str, object]:
        return {
            "cards": self.cards,
            "hand": self.hand,
            "row": self.row,
            "sweep_at": self.sweep_at,
        }

    # -- paying ----------------------------------------------------------------------------------------------

    def ways_with_color(self, cost: Cost, color: str, held: int, wild: int) -> tuple[Counts, ...]:
        """The payments for `cost` that use at least one card of `color`, of `held` ones and `wild` locomotives."""
        if cost.only_wilds or cost.color not in (None, color):
            return ()
        least_wild = max(cost.wilds, cost.spaces - held)
        most_wild = min(wild, cost.spaces - 1, self.wild_spaces(cost))
        return tuple([_lot(wilds, color, cost.spaces - wilds) for wilds in range(least_wild, most_wild + 1)])

    def ways_with_locomotives(self, cost: Cost, wild: int) -> tuple[Counts, ...]:
        """The one payment with only locomotives, if there are enough (C2)."""
        enough = min(wild, self.wild_spaces(cost)) >= cost.spaces
        return (_lot(cost.spaces),) if enough else ()

    def ways_with(self, cost: Cost, kind: str, held: int, wilds: tuple[int, ...]) -> Sequence[Counts]:
        """The payments with at least one card of a kind, of `held` ones; for the wild kind, those with nothing else."""
        if kind == self.kinds[self.wild]:
            return self.ways_with_locomotives(cost, held)
        return self.ways_with_color(cost, kind, held, wilds[0]) if kind in self.colors else ()

    def held(self, state: State, seat: int) -> Sequence[int]:
        """The number of cards of each kind in a seat's hand, by kind number (`number`); do not modify."""
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
            return Refusal("T3", Message("only locomotives can be played here, not {card}", card=colors[0]))
        if cost.color is not None and colors and colors[0] != cost.color:
            template = "{color} cards are asked for, not {card}; locomotives stand in"
            return Refusal("C1", Message(template, color=cost.color, card=colors[0]))
        if payment[LOCOMOTIVE] < cost.wilds:
            one = "this ferry asks for {count} locomotive at least, not {played}"
            many = "this ferry asks for {count} locomotives at least, not {played}"
            return Refusal("F1", plural(one, many, cost.wilds, played=payment[LOCOMOTIVE]))
        return None

    def prices(self, costs: Sequence[Cost]) -> Prices:
        return CardPrices(self, costs) if self.leaves("payments", "held") else Prices(self, costs)

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        self.upkeep.pay(tx, seat, payment)

    def leaves(self, *methods: str) -> bool:
        """Whether these methods are as they are here: what a subclass changes is asked, not looked up."""
        return all(getattr(type(self), name) is getattr(TrainCards, name) for name in methods)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(CardsLaid, seat, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Turn up cards against those laid down (T1, T6) and count what they cost (T2, T3)."""
        return self.upkeep.enter_tunnel(tx, seat, cost.kind, payment)

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        self.upkeep.leave_tunnel(tx, seat, extra)

    # -- what it brings --------------------------------------------------------------------------------------

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (
            DrawBlindRule(self),
            DrawFaceUpRule(self),
            DrawNextBlindRule(self),
            DrawNextFaceUpRule(self),
            ForgoCardRule(),
        )

    def event_types(self) -> Iterable[type[Event]]:
        return EVENTS

    def rulebooks(self) -> Iterable[RuleFile]:
        return (RuleFile("ttr_rules.train_cards"),)

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        arrange_cards(self, tx, position, report)


class TrainCardsPlugin(CardOptions, Variant, name="train-cards", title="Train cards"):
    """Hands, a face-up row and a draw pile of train cards.

    Every stack has this plugin below all others: maps adjust its economy, other economies replace it.

    >>> TrainCardsPlugin(second_card_optional=True).info.name
    'train-cards'
    """

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return TrainCards()
