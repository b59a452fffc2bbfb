"""Train cards of an arranged position: hands, row, draw pile and discards from plain data."""

from __future__ import annotations

from collections import Counter

from ttr_rules.kernel.table import PlayerEntry, Position, Report
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.model.cards import Counts
from ttr_rules.text import brief
from ttr_rules.train_cards.events import CardsArranged, HandArranged
from ttr_rules.train_cards.row import CardRow


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
