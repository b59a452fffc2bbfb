"""Changes to hands and piles of train cards, each with its event. Kinds of cards are numbers here, and names in events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ttr_rules._internal.native import i64
from ttr_rules.errors import PluginError
from ttr_rules.kernel.economy import economy_layers
from ttr_rules.kernel.effects import E, replay_with
from ttr_rules.kernel.transaction import Transaction, tell_plugins
from ttr_rules.model.cards import Counts
from ttr_rules.train_cards.events import (
    CardDrawn,
    CardsDealt,
    CardsDiscarded,
    CardsLaid,
    CardsRevealed,
    CardsSpent,
    CardsTurnedUp,
    DeckCardDrawn,
    DeckShuffled,
    FaceUpTaken,
    LaidSpent,
    LaidTakenBack,
    OpenCardDrawn,
    OpenCardsDealt,
    PileShuffled,
    RevealedDiscarded,
    RowSwept,
)
from ttr_rules.train_cards.piles import CardPiles, Cards, take_off


def in_numbers(tx: Transaction, payment: Counts) -> Cards:
    """A payment as pairs of a kind, as a number, and a count. Raises `PluginError` for anything but cards."""
    piles: CardPiles = tx.state.kept[0]
    try:
        return piles.in_numbers(payment)
    except KeyError as error:
        names = [type(layer).__name__ for layer in economy_layers(tx.rules.economy)][:-1]
        layer = f"{' or '.join(names)}, the layer over them," if names else "the economy layer that allows it"
        raise PluginError(
            f"{payment} is no payment in cards: {layer} must take {error} in pay, lay and spend_laid, and hand on the rest"
        ) from None


def form_pile(tx: Transaction, order: tuple[int, ...]) -> None:
    """`PileShuffled`: form the draw pile of a deck from new cards or its discards."""
    piles: CardPiles = tx.changing().kept[0]
    piles.rebuild(order)
    if tx.log is not None:
        if len(piles.piles) > 1 and order:
            tx.note(DeckShuffled, (piles.name_cards(order), piles.decks.names[piles.deck_of[order[0]]]))
        else:
            tx.note(PileShuffled, (piles.name_cards(order),))


def deal_cards(tx: Transaction, seat: i64, cards: tuple[int, ...]) -> None:
    """`CardsDealt`: move cards from the top of the pile to a hand (S3)."""
    piles: CardPiles = tx.changing().kept[0]
    hand = piles.hand[seat]
    for card in cards:
        hand[card] += 1
    take_off(piles, cards)
    if tx.log is not None:
        kind = OpenCardsDealt if cards and piles.is_open[cards[0]] else CardsDealt
        tx.note(kind, (seat, piles.name_cards(cards)))


def extend_row(tx: Transaction, cards: tuple[int, ...]) -> None:
    """`CardsTurnedUp`: move cards from the top of the pile to the right end of the row."""
    piles: CardPiles = tx.changing().kept[0]
    piles.row.extend(cards)
    for card in cards:
        if piles.shown[card] == 0:
            piles.lying += 1
        piles.shown[card] += 1
    take_off(piles, cards)
    if tx.log is not None:
        tx.note(CardsTurnedUp, (piles.name_cards(cards),))


def sweep_row(tx: Transaction) -> None:
    """`RowSwept`: move the whole row to the discards (S4)."""
    piles: CardPiles = tx.changing().kept[0]
    swept = piles.face_up if tx.log is not None else ()
    piles.sweep()
    if tx.log is not None:
        tx.note(RowSwept, (swept,))


def tell_row(tx: Transaction, seat: int | None, places: Sequence[int]) -> None:
    """Tell plugins which places of the row other cards lie in now (`Variant.on_row_changed`), from the first turn on."""
    if tx.state.turn_number:
        tell_plugins("on_row_changed", tx.rules.on_row_changed, tx, seat, places)


def draw_card(tx: Transaction, seat: i64, card: i64) -> None:
    """`CardDrawn`: move the top card of the pile to a hand (D1)."""
    state = tx.state
    state.version += 1
    piles: CardPiles = state.kept[0]
    hand = piles.hand[seat]
    held: i64 = hand[card]
    hand[card] = held + 1
    piles.newest = card
    take_off(piles, (card,))
    if tx.log is not None:
        if len(piles.piles) > 1 and not piles.is_open[card]:
            tx.note(DeckCardDrawn, (seat, piles.kinds[card], piles.decks.names[piles.deck_of[card]]))
        else:
            tx.note(OpenCardDrawn if piles.is_open[card] else CARD_DRAWN, (seat, piles.kinds[card]))


def take_face_up(tx: Transaction, seat: i64, card: i64, replacement: i64) -> i64:
    """`FaceUpTaken`: move a card from the row to a hand, and the top card of the pile, -1 for none, to its place (D1).

    Returns the place.
    """
    state = tx.state
    state.version += 1
    piles: CardPiles = state.kept[0]
    hand, row, shown = piles.hand[seat], piles.row, piles.shown
    held: i64 = hand[card]
    hand[card] = held + 1
    piles.newest = card
    slot: i64 = 0
    for lying in row:  # the compiled build finds it sooner than `index`
        if lying == card:
            break
        slot += 1
    if replacement < 0:
        del row[slot]
    else:
        row[slot] = replacement
        deck: i64 = piles.deck_of[replacement]  # as in `take_off`
        drawn: i64 = piles.drawn[deck]
        piles.drawn[deck] = drawn + 1
        piles.left -= 1
    if replacement != card:
        left: i64 = shown[card]
        shown[card] = left - 1
        if left == 1:
            piles.lying -= 1
        if replacement >= 0:
            others: i64 = shown[replacement]
            if others == 0:
                piles.lying += 1
            shown[replacement] = others + 1
    if tx.log is not None:
        kinds = piles.kinds
        tx.note(FACE_UP_TAKEN, (seat, kinds[card], None if replacement < 0 else kinds[replacement]))
    return slot


def spend_cards(tx: Transaction, seat: i64, payment: Counts, cards: Cards, for_nothing: bool = False) -> None:
    """`CardsSpent`: move a payment from a hand to the discards, in the order of `cards`, the payment in numbers (C4).

    With `for_nothing` it is `CardsDiscarded`.
    """
    state = tx.state
    state.version += 1
    piles: CardPiles = state.kept[0]
    piles.spend(seat, cards)
    if tx.log is not None:
        tx.note(CardsDiscarded if for_nothing else CARDS_SPENT, (seat, payment))


def lay_cards(tx: Transaction, seat: i64, payment: Counts, cards: Cards) -> None:
    """`CardsLaid`: move a payment from a hand to the table. `cards` are the same in numbers (T1)."""
    piles: CardPiles = tx.changing().kept[0]
    hand = piles.hand[seat]
    for card, count in cards:
        hand[card] -= count
    piles.laid, piles.laid_cards = payment, cards
    if tx.log is not None:
        tx.note(CardsLaid, (seat, payment))


def reveal_cards(tx: Transaction, cards: tuple[int, ...]) -> None:
    """`CardsRevealed`: turn up cards from the top of the pile for a tunnel (T1)."""
    piles: CardPiles = tx.changing().kept[0]
    piles.revealed += cards
    take_off(piles, cards)
    if tx.log is not None:
        tx.note(CardsRevealed, (piles.name_cards(cards),))


def take_back_cards(tx: Transaction, seat: i64) -> None:
    """`LaidTakenBack`: move the cards laid down back to the hand (T4)."""
    piles: CardPiles = tx.changing().kept[0]
    piles.pick_up_laid(seat)
    if tx.log is not None:
        tx.note(LaidTakenBack, (seat,))


def spend_laid_cards(tx: Transaction, seat: i64, extra: Counts) -> None:
    """`LaidSpent`: move the cards laid down, with others from the hand, to the discards (T2)."""
    piles: CardPiles = tx.changing().kept[0]
    cards = piles.pick_up_laid(seat)
    if extra.total:
        cards = sorted([*cards, *in_numbers(tx, extra)])
    piles.spend(seat, cards)
    if tx.log is not None:
        tx.note(LaidSpent, (seat, extra))


def discard_revealed(tx: Transaction) -> None:
    """`RevealedDiscarded`: move the cards turned up for a tunnel to the discards (T5)."""
    piles: CardPiles = tx.changing().kept[0]
    piles.discarded.extend(piles.revealed)
    piles.revealed = ()
    if tx.log is not None:
        tx.note(RevealedDiscarded, ())


# -- replays: names of kinds become numbers ------------------------------------------------------------------------------


def _replay_by_number(kind: type[E], change: Callable[..., object]) -> type[E]:
    """Replay events of a type with a function that takes numbers. Each payment is followed by the same in numbers."""

    def replay(tx: Transaction, *fields: int | str | tuple[str, ...] | Counts | None) -> None:
        piles: CardPiles = tx.state.kept[0]
        values: list[object] = []
        for field in fields:
            if isinstance(field, Counts):
                values += [field, in_numbers(tx, field)]
            elif isinstance(field, tuple):
                values.append(piles.number_cards(field))
            elif isinstance(field, str):
                values.append(piles.number[field])
            else:
                values.append(-1 if field is None else field)
        change(tx, *values)

    return replay_with(kind, replay)


def _sweep(tx: Transaction, cards: tuple[str, ...]) -> None:
    sweep_row(tx)


def _form_named_pile(tx: Transaction, order: tuple[str, ...], deck: str) -> None:
    piles: CardPiles = tx.state.kept[0]
    form_pile(tx, piles.number_cards(order))


def _draw_from(tx: Transaction, seat: int, card: str, deck: str) -> None:
    piles: CardPiles = tx.state.kept[0]
    draw_card(tx, seat, piles.number[card])


_replay_by_number(PileShuffled, form_pile)
replay_with(DeckShuffled, _form_named_pile)
_replay_by_number(CardsDealt, deal_cards)
_replay_by_number(CardsTurnedUp, extend_row)
CARD_DRAWN: Final = _replay_by_number(CardDrawn, draw_card)
FACE_UP_TAKEN: Final = _replay_by_number(FaceUpTaken, take_face_up)
CARDS_SPENT: Final = _replay_by_number(CardsSpent, spend_cards)
_replay_by_number(CardsDiscarded, spend_cards)
_replay_by_number(CardsLaid, lay_cards)
_replay_by_number(CardsRevealed, reveal_cards)
replay_with(DeckCardDrawn, _draw_from)
replay_with(RowSwept, _sweep)
replay_with(LaidTakenBack, take_back_cards)
replay_with(LaidSpent, spend_laid_cards)
replay_with(RevealedDiscarded, discard_revealed)
