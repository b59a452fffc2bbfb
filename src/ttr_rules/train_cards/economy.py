"""The train-card economy: hands, the face-up row, piles, and what cards can pay (S2–S4, D, C1, C2, F, T)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ttr_rules.errors import Refusal, brief, word
from ttr_rules.kernel.economy import Cost, Economy, PriceList
from ttr_rules.kernel.engine import ActionRule
from ttr_rules.kernel.events import (
    CardsDealt,
    CardsLaid,
    CardsRevealed,
    CardsSpent,
    CardsTurnedUp,
    DecisionOpened,
    LaidSpent,
    LaidTakenBack,
    PileShuffled,
    RevealedDiscarded,
    RowSwept,
)
from ttr_rules.kernel.state import Part, State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.turn import end_turn
from ttr_rules.model.cards import Card, Counts
from ttr_rules.model.decisions import Decision, SecondCard, Turn
from ttr_rules.train_cards.draws import DrawBlindRule, DrawFaceUpRule, ForgoCardRule
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.prices import CardPriceList

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.kernel.table import Position, Report

#: The 110 train cards of the base games (S2).
STANDARD_CARDS: Mapping[str, int] = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
LOCOMOTIVE: str = Card.LOCOMOTIVE
MAX_SWEEPS = 10  # R1
TUNNEL_CARDS = 3  # T1


class TrainCards(Economy):
    """Pay with train cards: so many of one colour, locomotives standing in (C1, C2).

    `cards` is the deck, `hand` the number dealt to each seat, `row` the number of face-up cards. A row with
    `sweep_at` locomotives is swept (S4), None for never. With `locomotive_ends_draw`, a face-up
    locomotive costs the whole draw (D2, D3).

    A subclass with more kinds of cards says which of them are `colors`, and so many of which in the row sweep it
    (`sweepers`, M3).
    """

    #: The kinds of card of which `sweep_at` in the row sweep it.
    sweepers: tuple[str, ...] = (LOCOMOTIVE,)

    player_keys = ("hand",)
    position_keys = ("face_up", "draw_pile", "draw_pile_complete", "discards")

    def __init__(
        self,
        cards: Mapping[str, int] = STANDARD_CARDS,
        hand: int = 4,
        row: int = 5,
        sweep_at: int | None = 3,
        locomotive_ends_draw: bool = True,
    ) -> None:
        self.cards = MappingProxyType(dict(cards))
        self.kinds: tuple[str, ...] = tuple(str(kind) for kind in cards)
        self.number: Mapping[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.colors: tuple[str, ...] = tuple(kind for kind in self.kinds if kind != LOCOMOTIVE)
        self.hand = hand
        self.row = row
        self.sweep_at = sweep_at
        self.locomotive_ends_draw = locomotive_ends_draw
        self.wild = self.number[LOCOMOTIVE]
        self._second_cards: dict[int, SecondCard] = {}
        self._sweeping = tuple(self.number[kind] for kind in self.sweepers)

    def data(self) -> Mapping[str, object]:
        return {
            "cards": self.cards,
            "hand": self.hand,
            "row": self.row,
            "sweep_at": self.sweep_at,
            "locomotive_ends_draw": self.locomotive_ends_draw,
        }

    # -- payments --------------------------------------------------------------------------------------------

    def ways_with_color(self, cost: Cost, color: str, held: int, wild: int) -> tuple[Counts, ...]:
        """The payments for `cost` that use at least one card of `color`, of `held` ones and `wild` locomotives."""
        if cost.only_wilds or cost.color not in (None, color):
            return ()
        least_wild = max(cost.wilds, cost.spaces - held)
        most_wild = min(wild, cost.spaces - 1, self.wild_spaces(cost))
        return tuple(
            Counts({color: cost.spaces - wilds, LOCOMOTIVE: wilds}) for wilds in range(least_wild, most_wild + 1)
        )

    def ways_with_locomotives(self, cost: Cost, wild: int) -> tuple[Counts, ...]:
        """The one payment of locomotives alone, if there are enough (C2)."""
        enough = min(wild, self.wild_spaces(cost)) >= cost.spaces
        return (Counts({LOCOMOTIVE: cost.spaces}),) if enough else ()

    def held(self, state: State, seat: int) -> Sequence[int]:
        """How many cards of each kind a seat holds, by the numbers of the kinds (`number`); not to be changed."""
        piles: CardPiles = state.parts[CardPiles]
        return piles.hand[seat]

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        hand = self.held(state, seat)
        wild = hand[self.wild]
        found: list[Counts] = []
        for color in self.colors:
            if hand[self.number[color]]:
                found += self.ways_with_color(cost, color, hand[self.number[color]], wild)
        found += self.ways_with_locomotives(cost, wild)
        return found

    def price_list(self, costs: Sequence[Cost]) -> PriceList:
        return CardPriceList(self, costs)

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        hand = self.held(state, seat)
        for card, count in payment.items():
            held = hand[self.number[card]] if card in self.number else 0
            if count > held:
                return Refusal(
                    "C1", f"seat {seat} does not hold {brief(count)} {word(card)}: {word(str(payment))} was offered"
                )
        return self.mismatch(cost, payment)

    def mismatch(self, cost: Cost, payment: Counts) -> Refusal | None:
        """Why `payment`, from whatever hand, does not pay `cost`; None if it does."""
        colors = [card for card in payment if card != LOCOMOTIVE]
        if payment.total != cost.spaces:
            return Refusal(
                "C1",
                f"{cost.spaces} card{'s are' if cost.spaces != 1 else ' is'} asked for, not {payment.total} ({payment})",
            )
        if len(colors) > 1:
            return Refusal("C1", f"the cards must be of one colour, not {' and '.join(colors)}; locomotives stand in")
        if payment[LOCOMOTIVE] > self.wild_spaces(cost):
            most = self.wild_spaces(cost)
            return Refusal("C2", f"locomotives stand in for {most} card{'' if most == 1 else 's'} here at most")
        if cost.only_wilds and colors:
            return Refusal("T3", f"only locomotives can be played here, not {colors[0]}")
        if cost.color is not None and colors and colors[0] != cost.color:
            return Refusal("C1", f"{cost.color} cards are asked for, not {colors[0]}; locomotives stand in")
        if payment[LOCOMOTIVE] < cost.wilds:
            return Refusal(
                "F1",
                f"this ferry asks for {cost.wilds} locomotive{'' if cost.wilds == 1 else 's'} at least, not {payment[LOCOMOTIVE]}",
            )
        return None

    def pay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(CardsSpent, seat, payment)
        self.settle(tx)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, payment: Counts) -> None:
        tx.emit(CardsLaid, seat, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Turn up cards against those laid down (T1, T6) and count what they cost (T2, T3)."""
        self.lay(tx, seat, payment)
        piles: CardPiles = tx.state.parts[CardPiles]
        kinds = self.kinds
        revealed: tuple[str, ...] = ()
        while len(revealed) < TUNNEL_CARDS and piles.drawn < len(piles.pile):
            top = piles.pile[piles.drawn : piles.drawn + TUNNEL_CARDS - len(revealed)]
            turned_up = tuple([kinds[card] for card in top])
            tx.emit(CardsRevealed, turned_up)
            revealed += turned_up
            self.rebuild_pile(tx)
        color = None
        for card in payment:
            if card in self.colors:
                color = card
                break
        extra = revealed.count(LOCOMOTIVE) + (0 if color is None else revealed.count(color))
        if extra == 0:
            return revealed, None
        return revealed, Cost(cost.kind, extra, color, tunnel=True, only_wilds=color is None)

    def leave_tunnel(self, tx: Transaction, seat: int, extra: Counts | None) -> None:
        if extra is None:
            tx.emit(LaidTakenBack, seat)
        else:
            tx.emit(LaidSpent, seat, extra)
            self.settle(tx)
        piles: CardPiles = tx.state.parts[CardPiles]
        if piles.revealed:
            tx.emit(RevealedDiscarded)
            self.settle(tx)

    # -- the piles -------------------------------------------------------------------------------------------

    def part(self, rules: Rules, players: int) -> Part:
        return CardPiles(self.kinds, self.number, players)

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle the whole deck."""
        tx.emit(PileShuffled, tx.shuffled(self.in_order(self.cards)))

    def in_order(self, cards: Mapping[str, int]) -> list[str]:
        """Cards as they are handed over to be shuffled: kind after kind, the locomotives last."""
        return [kind for kind in self.kinds for _ in range(cards[kind])]

    def deal(self, tx: Transaction) -> None:
        """Deal the hands (S3), then the row, with S4 looked at when it is full."""
        piles = tx.state.part(CardPiles)
        for seat in range(tx.state.players):
            top = piles.pile[piles.drawn : piles.drawn + self.hand]
            tx.emit(CardsDealt, seat, tuple([self.kinds[card] for card in top]))
        self.settle(tx)

    def rebuild_pile(self, tx: Transaction) -> None:
        """D7: an empty pile is rebuilt at once from the discards, if there are any."""
        piles = tx.state.part(CardPiles)
        if piles.drawn == len(piles.pile) and piles.discarded:
            tx.emit(PileShuffled, tx.shuffled([self.kinds[card] for card in piles.discarded]))

    def settle(self, tx: Transaction) -> None:
        """Whenever cards have moved: rebuild the pile, fill the row (R3) and sweep it (S4, D5, R1)."""
        piles: CardPiles = tx.state.parts[CardPiles]
        if piles.drawn == len(piles.pile):
            self.rebuild_pile(tx)
        row = piles.row
        if len(row) < self.row:
            self._fill_row(tx, piles)
        at = self.sweep_at
        if at is not None:
            for kind in self._sweeping:
                if row.count(kind) >= at:
                    self._sweep(tx, piles)
                    return

    def _sweep(self, tx: Transaction, piles: CardPiles) -> None:
        """Sweep and fill the row until it may lie (S4), or it has been swept too often (R1)."""
        sweeps = 0
        while self._must_sweep(piles) and sweeps < MAX_SWEEPS:
            tx.emit(RowSwept, piles.face_up)
            sweeps += 1
            self._fill_row(tx, piles)

    def _fill_row(self, tx: Transaction, piles: CardPiles) -> None:
        """Turn up cards until the row is full or nothing is left."""
        while len(piles.row) < self.row and not piles.pile_is_empty:
            top = piles.pile[piles.drawn : piles.drawn + self.row - len(piles.row)]
            tx.emit(CardsTurnedUp, tuple([self.kinds[card] for card in top]))
            self.rebuild_pile(tx)

    def invites_sweep(self, piles: CardPiles) -> bool:
        """Whether the row holds what is swept (S4), where R1 does not let it lie."""
        at = self.sweep_at
        return at is not None and any(piles.row.count(kind) >= at for kind in self._sweeping)

    def _must_sweep(self, piles: CardPiles) -> bool:
        """S4 with R1: only while a card is left to turn up, and enough others to end the sweeping."""
        at = self.sweep_at
        if at is None or piles.pile_is_empty or not self.invites_sweep(piles):
            return False
        lying = (*piles.pile[piles.drawn :], *piles.discarded, *piles.row)
        counts = [lying.count(kind) for kind in self._sweeping]
        return len(lying) - sum(counts) + sum(min(count, at - 1) for count in counts) >= self.row

    # -- drawing ---------------------------------------------------------------------------------------------

    def action_rules(self) -> Iterable[ActionRule[Any, Any]]:
        return (
            DrawBlindRule(self, Turn),
            DrawFaceUpRule(self, Turn),
            DrawBlindRule(self, SecondCard),
            DrawFaceUpRule(self, SecondCard),
            ForgoCardRule(),
        )

    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """D8, R2: with no card left to draw, the row may not be touched, unless the ruling says otherwise."""
        return not piles.pile_is_empty or state.rules.rulings.face_up_when_exhausted

    def _takeable_row(self, state: State, piles: CardPiles) -> bool:
        """Whether the row holds a second card to take (D3, R2)."""
        takeable = any(card != self.wild or not self.locomotive_ends_draw for card in piles.row)
        return takeable and self.row_is_open(state, piles)

    def after_card(self, tx: Transaction, decision: Decision, ends_draw: bool) -> None:
        """Ask for the second card if there is one to take (R5), else end the turn."""
        seat = decision.seat
        if type(decision) is Turn and not ends_draw:
            piles: CardPiles = tx.state.parts[CardPiles]
            if piles.drawn < len(piles.pile) or self._takeable_row(tx.state, piles):
                if seat not in self._second_cards:
                    self._second_cards[seat] = SecondCard(seat)
                tx.emit(DecisionOpened, self._second_cards[seat])
                return
        end_turn(tx, seat)

    # -- arranged positions ----------------------------------------------------------------------------------

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        from ttr_rules.train_cards.arrange import arrange_cards

        arrange_cards(self, tx, position, report)
