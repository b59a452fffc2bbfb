"""The train-card economy: payments (C1, C2, F1), tunnels (T1–T3, T5, T6), arranged positions, and its plugin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, TypeVar, overload

import attrs

from ttr_rules._internal.native import overrides
from ttr_rules.errors import PluginError, Refusal
from ttr_rules.kernel.action_rule import AnyRule
from ttr_rules.kernel.economy import Economy, refuse_not_held
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.extensions import card_refusal, require_refusal
from ttr_rules.kernel.fields import KeyHelp
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.plugin import hookimpl
from ttr_rules.kernel.prices import Prices
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.table import PlayerEntry, Position, Report
from ttr_rules.kernel.transaction import Transaction, tell_plugins
from ttr_rules.kernel.variant import Below, Variant
from ttr_rules.language import Message, join_and, join_or, plural
from ttr_rules.model.board import Board, Cost
from ttr_rules.model.cards import Card, Counts
from ttr_rules.sequences import FrozenMap, keep
from ttr_rules.text import brief
from ttr_rules.train_cards.bills import AllPowers, Bill, CardEconomy, MoreReadings, PowersOf
from ttr_rules.train_cards.draws import (
    DrawBlindRule,
    DrawFaceUpRule,
    DrawFromRule,
    DrawNextBlindRule,
    DrawNextFaceUpRule,
    DrawNextFromRule,
    ForgoCardRule,
    TakeFaceUpRule,
    TakeNextFaceUpRule,
)
from ttr_rules.train_cards.effects import draw_card, in_numbers, spend_cards, take_face_up, tell_row
from ttr_rules.train_cards.events import (
    CardExchanged,
    CardsArranged,
    CardsGiven,
    CardsLaid,
    CardsLookedAt,
    CardsReordered,
    FaceUpCleared,
    HandArranged,
    OpenCardsGiven,
    OpenHandArranged,
    RowReordered,
)
from ttr_rules.train_cards.piles import POOL, CardPiles, DeckPiles
from ttr_rules.train_cards.prices import CardPrices, PowerPrices
from ttr_rules.train_cards.readings import Lot, Reading
from ttr_rules.train_cards.stand_ins import StandIns
from ttr_rules.train_cards.tunnels import TunnelCost, Tunnels
from ttr_rules.train_cards.upkeep import RowUpkeep
from ttr_rules.train_cards.values import (
    CardDeck,
    CardOptions,
    Decks,
    DrawBlind,
    DrawFaceUp,
    DrawFrom,
    NextCard,
    TakeFaceUp,
)

#: The 110 train cards of the base games (S2).
STANDARD_CARDS: Mapping[str, int] = {card: 14 if card is Card.LOCOMOTIVE else 12 for card in Card}
LOCOMOTIVE: str = Card.LOCOMOTIVE
#: The actions that draw or take a card.
DRAWING = (DrawBlind, DrawFaceUp, DrawFrom, TakeFaceUp)
#: The faults of a payment: the number of cards, too few or too many locomotives, or too few cards of the color.
Problem: TypeAlias = Literal["cards", "few_wilds", "many_wilds", "color"]
#: The most bills that are cached: there may always be new powers of seats.
BILLS_KEPT = 5000

#: The powers of a seat on which added readings depend.
P = TypeVar("P", bound=Hashable)
#: The bills of an economy, by the cost and the powers of the seat.
Bills: TypeAlias = dict[tuple[Cost, Hashable], Bill]


def _no_powers(state: State, seat: int) -> None:
    """The powers of any seat for cards that are barred by cost alone."""


@lru_cache(maxsize=8)
def _share_bills(cards: tuple[tuple[str, int], ...], colors: tuple[str, ...], wilds: tuple[str, ...]) -> Bills:
    """The bills of all plain `TrainCards` with these cards, colors and wild cards, which are all that a bill is made from."""
    return {}


class TrainCards(CardEconomy):
    """Pay with train cards: a number of cards of one color, with locomotives as wild cards (C1, C2).

    `cards` is the deck: the number of cards of each kind, with or without locomotives. `hand` is the number of cards
    dealt to each seat (S3), and `row` the number of face-up cards. A row with `sweep_at` of one of the `sweepers` is
    swept (S4). With None, it never is. Several `decks` in place of these each have a draw pile and discards. A kind of
    card is in one deck only, and hands hold cards of all decks. With a `shared_row`, the seat that takes a card from
    the row chooses the deck that fills its place.

    A subclass with more kinds of cards defines `colors` and `sweepers`. A map on which cards pay in other ways overrides
    `readings`, from which payments and refusals follow, and may word the refusals in `mismatch`.

    >>> TrainCards().cards["locomotive"], TrainCards(sweep_at=None).sweep_at
    (14, None)
    """

    #: The kinds of wild cards, the locomotive first.
    wilds: tuple[str, ...] = (LOCOMOTIVE,)
    #: The kinds of cards that cause a sweep: `sweep_at` of one of them in the row.
    sweepers: tuple[str, ...] = (LOCOMOTIVE,)
    #: The number of the deck from which cards are turned up for tunnels (T1).
    tunnel_deck: int = 0

    route_rules = ("C1", "C2", "F1")
    tunnel_rule = "T2"
    player_keys: tuple[str, ...] = ("hand", "looked_at")
    position_keys: tuple[str, ...] = ("face_up", "draw_pile", "draw_pile_complete", "discards")

    def __init__(
        self,
        cards: Mapping[str, int] = STANDARD_CARDS,
        hand: int = 4,
        row: int = 5,
        sweep_at: int | None = 3,
        *,
        decks: Sequence[CardDeck] = (),
        shared_row: bool = False,
    ) -> None:
        decks = tuple(decks) or (CardDeck("train", cards, hand, row),)
        kinds: dict[str, int] = {}
        for deck in decks:
            for kind in sorted({*kinds} & {*deck.cards}):
                raise PluginError(
                    f"{kind!r} is in two decks, and a card shows its deck by its kind: "
                    f"give the deck {deck.name!r} kinds of its own, such as '{deck.name}_{kind}'"
                )
            kinds.update(deck.cards)
        kinds.setdefault(LOCOMOTIVE, 0)
        self.cards = FrozenMap(kinds)
        self.kinds: tuple[str, ...] = tuple(str(kind) for kind in kinds)
        self.number: dict[str, int] = {kind: number for number, kind in enumerate(self.kinds)}
        self.colors: tuple[str, ...] = tuple(kind for kind in self.kinds if kind != LOCOMOTIVE)
        self.wild = self.number[LOCOMOTIVE]
        self.decks = decks
        self.deck_names = [deck.name for deck in decks]
        self.hand = sum(deck.hand for deck in decks)
        self.row = sum(deck.row for deck in decks)
        self.sweep_at = sweep_at
        self.shared_row = shared_row
        #: The number of the deck of each kind, by the number of the kind: `deck_of[number["red"]]`.
        self.deck_of = [next((n for n, deck in enumerate(decks) if kind in deck.cards), 0) for kind in self.kinds]
        #: True if cards in hands lie open, by the number of the kind.
        self.is_open = [self.decks[deck].open for deck in self.deck_of]
        if any(self.is_open):
            card = self.kinds[self.is_open.index(True)]
            help = KeyHelp(
                "The cards that lie open in front of this player.", f"{{{{{card} = {min(2, kinds[card])}}}}}"
            )
            self.score_keys = {"hand": help, **self.score_keys}
        self._bills: Bills = {}  # a subclass may read costs by what else it knows
        if type(self) is TrainCards:
            self._bills = _share_bills(tuple(self.cards.items()), self.colors, self.wilds)
        self.more_readings = []
        #: Functions that bar cards, each with the index of the powers that they depend on, and the functions for these powers.
        self._bars: list[tuple[Callable[..., Mapping[str, Refusal]], int]] = []
        self._powers: list[PowersOf] = []
        self._ordered: list[list[int]] = []  # by deck, in the order given to the shuffle
        self._decks_in_numbers: Decks | None = None  # the same for all games
        sweeping = tuple(self.number[kind] for kind in self.sweepers)
        self.upkeep = RowUpkeep(self, self.kinds, [deck.row for deck in decks], sweep_at, sweeping)
        self.tunnels = Tunnels(self.upkeep)

    def fingerprint_data(self) -> Mapping[str, object]:
        return {
            "cards": self.cards,
            "hand": self.hand,
            "row": self.row,
            "sweep_at": self.sweep_at,
            **(
                {"decks": self.decks, "shared_row": self.shared_row} if len(self.decks) > 1 or any(self.is_open) else {}
            ),
            **({"more_readings": len(self.more_readings)} if self.more_readings else {}),
            **({"bars": len(self._bars)} if self._bars else {}),
        }

    # -- cards on the table ---------------------------------------------------------------------------------------

    def part(self, rules: Rules, players: int) -> Part:
        if self._decks_in_numbers is None:
            swept = {self.deck_of[kind] for kind in self.upkeep.sweeping}
            spared = [not self.shared_row and deck not in swept for deck in range(len(self.decks))]
            self._decks_in_numbers = Decks(
                self.cards, self.kinds, self.number, self.deck_names, self.deck_of, spared, self.is_open
            )
        kind = CardPiles if len(self.decks) == 1 and not self.decks[0].open else DeckPiles
        return kind(self._decks_in_numbers, players)

    def in_order(self, cards: Mapping[str, int]) -> list[str]:
        """Cards in the order given to the shuffle: by kind."""
        return [kind for kind in self.kinds for _ in range(cards[kind])]

    def shuffle(self, tx: Transaction) -> None:
        """Shuffle each deck."""
        if not self._ordered:
            ordered = [self.number[kind] for kind in self.in_order(self.cards)]
            self._ordered = [[card for card in ordered if self.deck_of[card] == n] for n in range(len(self.decks))]
        for cards in self._ordered:
            self.upkeep.shuffle(tx, cards)

    def deal(self, tx: Transaction) -> None:
        """Deal the hands (S3), then the row, checking S4 when it is full."""
        self.upkeep.deal(tx, [deck.hand for deck in self.decks])
        self.upkeep.settle(tx)

    def rebuild_pile(self, tx: Transaction, deck: int) -> None:
        """Rebuild the empty pile of a deck at once from its discards, if there are any (D7)."""
        discarded = tx.state.part(CardPiles).discards_of(deck)
        if discarded:
            self.upkeep.shuffle(tx, discarded)
            tell_plugins("on_pile_rebuilt", tx.rules.on_pile_rebuilt, tx, self.deck_names[deck])

    def first_row(self, pile: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The first row, of the top cards of a draw pile, and the rest of the pile."""
        row = tuple([card for deck in self.decks for card in [kind for kind in pile if kind in deck.cards][: deck.row]])
        left = list(pile)
        for card in row:
            left.remove(card)
        return row, tuple(left)

    def invites_sweep(self, piles: CardPiles) -> bool:
        """True if the row holds enough cards for a sweep (S4), before R1 is applied."""
        return any(piles.row.count(kind) >= self.upkeep.sweep_at for kind in self.upkeep.sweeping)

    def can_draw(self, state: State, seat: int) -> bool:
        answers, asked = state.rules.answers[NextCard], state.rules.numbers_of.get(NextCard, -1)
        if asked < 0:
            return False
        state = state.copy()
        state.ask_by_fields(seat, asked, (1, False))  # plugins see the question whose answers they may refuse
        return any(entry.legal.count(state, seat) for entry in answers.entries if entry.rule.action in DRAWING)

    def row_is_open(self, state: State, piles: CardPiles) -> bool:
        """True if cards may be taken from the row: not if the draw pile is empty, unless the ruling allows it (D8, R2)."""
        return not piles.pile_is_empty or state.rules.derived(_stays_open)

    # -- paying ----------------------------------------------------------------------------------------------

    def powers(self, state: State, seat: int) -> Hashable:
        """The powers of a seat now: everything that the readings of a cost depend on besides the cost."""
        return None

    def all_powers(self, state: State, seat: int) -> Hashable:
        own = self.powers(state, seat)
        return AllPowers(own, tuple([powers(state, seat) for powers in self._powers])) if self._powers else own

    def readings(self, cost: Cost, powers: Hashable) -> Sequence[Reading]:
        """The ways to read a cost: by default cards of one color, with locomotives for any of them (C1, C2, F1).

        They are cached, so they must depend on the cost and the powers alone.
        """
        wilds = self.wild_spaces(cost)
        worths = [{color: 1} for color in self.colors_for(cost)] or [{}]
        return [Reading(Lot(worth, cost.spaces), wilds=wilds, needs_wilds=cost.wilds) for worth in worths]

    @overload
    def add_readings(self, more: MoreReadings) -> None: ...
    @overload
    def add_readings(
        self, more: Callable[[Cost, Sequence[Reading], P], Sequence[Reading]], powers: Callable[[State, int], P]
    ) -> None: ...
    def add_readings(self, more: Callable[..., Sequence[Reading]], powers: PowersOf | None = None) -> None:
        """Let the cards of a map pay in more ways: `more(cost, readings)` gives the readings besides those of the map.

        A plugin calls it in its hook `economy`, on the cards below. Several plugins may do so, each of which sees the
        readings before its own. `more` must depend on its arguments alone. For readings that depend on the seat as well,
        `powers(state, seat)` gives all that they depend on, a value that can be hashed, and `more(cost, readings, powers)`
        is called with it. Costs of several colors, or of any cards, have no other readings. Raises `PluginError` on the map
        of the United Kingdom, whose payments are counted in another way.

        >>> cards = TrainCards()
        >>> cards.add_readings(lambda cost, readings: [Reading(Lot({"white": 1}, cost.spaces + 1))])
        >>> [str(payment) for payment in cards.bill(Cost("single", 1, "red")).all_payments]
        ['2 white', '1 white, 1 locomotive', '1 red', '1 locomotive', '2 locomotive']
        """
        self.more_readings.append(
            (more, self._add_powers("add_readings takes functions: readings of a cost", more, powers))
        )

    @overload
    def bar_cards(self, barred: Callable[[Cost, None], Mapping[str, Refusal]]) -> None: ...
    @overload
    def bar_cards(
        self, barred: Callable[[Cost, P], Mapping[str, Refusal]], powers: Callable[[State, int], P]
    ) -> None: ...
    def bar_cards(self, barred: Callable[..., Mapping[str, Refusal]], powers: PowersOf = _no_powers) -> None:
        """Keep cards of some kinds from paying: `barred(cost, powers)` gives these kinds for a cost, each with the refusal.

        A plugin calls it in its hook `economy`, on the cards below, as it does `add_readings`. `powers(state, seat)` gives all
        that the answer depends on besides the cost, a value that can be hashed. Without it, `barred(cost, None)` is called.
        What a tunnel costs extra is a cost, too (`Cost.extra`). Wild cards cannot be barred; `Cost.most_wilds` limits them.
        Raises `PluginError` on the map of the United Kingdom, whose payments are counted in another way.

        >>> from ttr_rules import Refusal
        >>> cards = TrainCards()
        >>> cards.bar_cards(lambda cost, powers: {"red": Refusal("strike-1", "red is on strike")})
        >>> [str(payment) for payment in cards.bill(Cost("single", 1, "red"), cards.all_powers(None, 0)).all_payments]
        ['1 locomotive']
        """
        what = "bar_cards takes functions: the kinds barred from a cost"
        self._bars.append((barred, self._add_powers(what, barred, powers)))

    def _add_powers(self, what: str, function: object, powers: PowersOf | None) -> int:
        """Keep the powers on which a function depends. Returns their index, -1 for None.

        Raises `PluginError`, with `what` is expected, unless both are functions.
        """
        if not callable(function) or not (powers is None or callable(powers)):
            raise PluginError(f"{what}, and powers of a seat, not {brief(function)}, {brief(powers)}")
        self._bills = {}  # its own from now on: others share those of plain cards
        if powers is None:
            return -1
        self._powers.append(powers)
        return len(self._powers) - 1

    def _find_barred(self, cost: Cost, powers: Hashable) -> dict[str, Refusal]:
        """The kinds of cards that do not pay a cost, for a seat with all these powers, each with the refusal."""
        found: dict[str, Refusal] = {}
        if not isinstance(powers, AllPowers):
            return found
        for barred, index in self._bars:
            for kind, answer in barred(cost, powers.added[index]).items():
                name = f"{getattr(barred, '__qualname__', brief(barred))}, given to bar_cards,"
                if kind not in self.number or kind in self.wilds:
                    raise PluginError(f"{name} bars {brief(kind)}: the colors are {', '.join(self.colors)}")
                refusal = require_refusal(name, answer)
                if refusal is not None:
                    found.setdefault(kind, refusal)
        return found

    def colors_for(self, cost: Cost) -> tuple[str, ...]:
        """The colors of cards that may pay a cost: none if it takes locomotives only."""
        return tuple([color for color in self.colors if cost.color in (None, color) and not cost.only_wilds])

    def _any_cards(self, cost: Cost) -> Sequence[Reading]:
        """The ways to read a cost that any cards pay, on every map."""
        lot = self._any_lot(cost.spaces)
        first = Lot({next(iter(lot.worth), LOCOMOTIVE): 1}, 0)  # makes them stand-ins (`StandIns`)
        return [Reading(first, lot, needs_wilds=cost.wilds)]

    def _any_lot(self, spaces: int) -> Lot:
        """A lot of cards of any kinds, one a space."""
        return Lot({kind: 1 for kind in self.kinds if kind != LOCOMOTIVE}, spaces)

    def _several_colors(self, cost: Cost) -> Sequence[Reading]:
        """The ways to read a cost in cards of several colors, on every map."""
        if wrong := [color for color in cost.colors if color not in self.kinds or color in self.wilds]:
            raise PluginError(f"{cost} asks for {', '.join(wrong)}: the colors are {', '.join(self.colors)}")
        lots = [Lot({color: 1}, count) for color, count in cost.colors.items()]
        if cost.spaces > cost.colors.total:
            lots.append(self._any_lot(cost.spaces - cost.colors.total))
        return [Reading(*lots, wilds=self.wild_spaces(cost), needs_wilds=cost.wilds)]

    def bill(self, cost: Cost, powers: Hashable = None) -> Bill:
        """The bill for a cost, for a seat with these powers: its own in this economy, or all of them (`all_powers`).

        With its own alone, readings that depend on other powers are left out, and no card is barred.
        """
        bill = self._bills.get((cost, powers))
        if bill is None:
            if cost.any_cards:
                readings = self._any_cards(cost)
            elif cost.colors:
                readings = self._several_colors(cost)
            else:
                own, added = powers if isinstance(powers, AllPowers) else AllPowers(powers, ())
                readings = self.readings(cost, own)
                for more, index in self.more_readings:
                    if index < 0:
                        readings = [*readings, *more(cost, readings)]
                    elif added:
                        readings = [*readings, *more(cost, readings, added[index])]
            new = Bill(cost, readings, self, self._find_barred(cost, powers))
            bill = keep(self._bills, (cost, powers), new, BILLS_KEPT)
        return bill

    def held(self, state: State, seat: int) -> Sequence[int]:
        """The number of cards of each kind in a seat's hand, by kind number (`number`). Do not modify the result."""
        piles: CardPiles = state.kept[0]
        return piles.hand[seat]

    def payments(self, state: State, seat: int, cost: Cost) -> Sequence[Counts]:
        hand = dict(zip(self.kinds, self.held(state, seat), strict=True))
        return self.bill(cost, self.all_powers(state, seat)).payments(hand)

    def payment_rank(self, payment: Counts) -> tuple[int, ...]:
        """Few locomotives, then few cards."""
        return payment[LOCOMOTIVE], payment.total

    def refusal(self, state: State, seat: int, cost: Cost, payment: Counts) -> Refusal | None:
        held = dict(zip(self.kinds, self.held(state, seat), strict=True))
        refused = refuse_not_held("C1", seat, payment, payment, held)
        if refused is not None:
            return refused
        powers = self.all_powers(state, seat)
        barred = self._find_barred(cost, powers)
        for kind in payment:
            if kind in barred:
                return barred[kind]
        if cost.any_cards:
            return self._any_cards_refusal(cost, payment)
        if self.more_readings and self._takes(self.bill(cost, powers), payment):
            return None  # whatever the map says about its own readings
        return self.mismatch(cost, payment, powers.own if isinstance(powers, AllPowers) else powers)

    def _takes(self, bill: Bill, payment: Counts) -> bool:
        """True if a payment fits a reading of a bill, with few enough wild cards."""
        if self.wilds_in(payment) > bill.most:
            return False
        return any(reading.takes(payment, self.wilds) for reading in bill.readings)

    def _any_cards_refusal(self, cost: Cost, payment: Counts) -> Refusal | None:
        """The refusal of a payment for a cost that any cards pay: too few cards, too many, or too few or too many wild ones."""
        if payment.total != cost.spaces:
            one = "this costs {count} card of any kind; you paid {total} ({payment})"
            many = "this costs {count} cards of any kind; you paid {total} ({payment})"
            return Refusal("C1", plural(one, many, cost.spaces, total=payment.total, payment=payment))
        bill, played = self.bill(cost), self.wilds_in(payment)
        return self._too_few_wilds(cost, played) or self._too_many_wilds(bill, played, bill.most)

    def _refuse_colors(self, cost: Cost, payment: Counts) -> Refusal:
        """The refusal of a payment that does not pay a cost in several colors."""
        if payment.total == cost.spaces:
            refusal = self._too_few_wilds(cost, self.wilds_in(payment))
            if refusal is not None:
                return refusal
        rest = cost.spaces - cost.colors.total
        cards = [Counts({color: count}) for color, count in cost.colors.items()]
        others = [plural("{count} other card", "{count} other cards", rest)] if rest > 0 else []
        template = "this costs {cards}, or locomotives in their place; you paid {payment}"
        if self.wild_spaces(cost) == 0:
            template = "this costs {cards}; you paid {payment}"
        return Refusal("C1", Message(template, cards=join_and([*cards, *others]), payment=payment))

    def _too_few_wilds(self, cost: Cost, played: int) -> Refusal | None:
        if played >= cost.wilds:
            return None
        one = "this costs at least {count} locomotive; you paid {played}"
        many = "this costs at least {count} locomotives; you paid {played}"
        return Refusal("F1", plural(one, many, cost.wilds, played=played))

    def _too_many_wilds(self, bill: Bill, played: int, most: int) -> Refusal | None:
        if played <= most:
            return None
        one = "at most {count} locomotive pays for this, not {played}"
        many = "at most {count} locomotives pay for this, not {played}"
        refused = plural(one, many, most, played=played) if most else Message("no locomotive pays for this")
        would = bill.examples()
        template = "{refused}; {payments} would do"
        return Refusal("C2", Message(template, refused=refused, payments=join_or(would)) if would else refused)

    def mismatch(self, cost: Cost, payment: Counts, powers: Hashable = None) -> Refusal | None:
        """A refusal if `payment` does not pay `cost`, whatever the hand, or None if it does.

        The `most_wilds` of the cost and the readings decide. Lists and counts of payments and the stand-ins of the bill are
        used only to say why.
        """
        bill, wilds = self.bill(cost, powers), self.wilds_in(payment)
        refusal = self._too_many_wilds(bill, wilds, bill.most)
        if refusal is not None:
            return refusal
        if not self._asks_for_one_color(bill):
            if self._takes(bill, payment):
                return None
            if cost.colors:
                return self._refuse_colors(cost, payment)
            if bill.stand_ins:
                return self._refuse_stand_ins(bill.stand_ins, cost, payment)
            return Refusal("C1", self._reason_against(bill, payment))
        colors = [card for card in payment if card != LOCOMOTIVE]
        if payment.total != cost.spaces:
            one, many = (
                "this costs {count} card; you paid {total} ({payment})",
                "this costs {count} cards; you paid {total} ({payment})",
            )
            return Refusal("C1", plural(one, many, cost.spaces, total=payment.total, payment=payment))
        if len(colors) > 1:
            template = "the cards must be of one color, not {colors}; locomotives stand in"
            if min(bill.most, self.wild_spaces(cost)) == 0:
                template = "the cards must be of one color, not {colors}"
            return Refusal("C1", Message(template, colors=join_and(colors)))
        refusal = self._too_many_wilds(bill, wilds, self.wild_spaces(cost))
        if refusal is not None:
            return refusal
        if cost.only_wilds and colors:
            rule = "T3" if cost.extra else "C1"
            return Refusal(rule, Message("only locomotives can be played here, not {card}", card=colors[0]))
        if cost.color is not None and colors and colors[0] != cost.color:
            template = "this costs {color} cards, or locomotives in their place, not {card}"
            if min(bill.most, self.wild_spaces(cost)) == 0:
                template = "this costs {color} cards, not {card}"
            return Refusal("C1", Message(template, color=cost.color, card=colors[0]))
        if colors and colors[0] not in self.colors_for(cost):
            return Refusal("C1", self._reason_against(bill, payment))
        return self._too_few_wilds(cost, wilds)

    def _asks_for_one_color(self, bill: Bill) -> bool:
        """True if a cost has the default readings: as many cards of one color as it has spaces."""
        cost = bill.cost
        worths: list[Mapping[str, int]] = [{color: 1} for color in self.colors_for(cost)] or [{}]
        lots = [[(lot.worth, lot.spaces) for lot in reading.lots] for reading in bill.readings]
        most, wilds = bill.most, {cost.spaces if reading.wilds is None else reading.wilds for reading in bill.readings}
        return (
            bill.of_one_color
            and lots == [[(worth, cost.spaces)] for worth in worths]
            and {min(number, most) for number in wilds} == {min(self.wild_spaces(cost), most)}
            and {reading.needs_wilds for reading in bill.readings} == {cost.wilds}
        )

    def _reason_against(self, bill: Bill, payment: Counts) -> str:
        """The reason for refusing a payment, with a few that pay the bill."""
        would = bill.examples() if bill.of_one_color else ()
        if not would:
            return Message("{payment} does not pay for this", payment=payment)
        return Message("{payment} does not pay for this; {payments} would", payment=payment, payments=join_or(would))

    def stand_in_rule(self, cost: Cost, problem: Problem) -> str:
        """The rule that refuses a payment with this problem, if cards stand in for others."""
        return {"cards": "C1", "few_wilds": "F1", "many_wilds": "C2", "color": "C1"}[problem]

    def _refuse_stand_ins(self, stand_ins: StandIns, cost: Cost, payment: Counts) -> Refusal:
        """The refusal of a payment that does not pay a cost with stand-ins."""
        wilds = payment[LOCOMOTIVE]
        reading = next((reading for reading in stand_ins.readings if reading.cards == payment.total), None)
        if reading is None:
            sizes = join_or(sorted(reading.cards for reading in stand_ins.readings))
            template = "{sizes} cards pay for this, not {total} ({payment})"
            message = Message(template, sizes=sizes, total=payment.total, payment=payment)
            return Refusal(self.stand_in_rule(cost, "cards"), message)
        if wilds < reading.needs_wilds:
            one = "{count} locomotive is needed among {total} cards, not {payment}"
            many = "{count} locomotives are needed among {total} cards, not {payment}"
            message = plural(one, many, reading.needs_wilds, total=payment.total, payment=payment)
            return Refusal(self.stand_in_rule(cost, "few_wilds"), message)
        needed = reading.needed(wilds)
        if needed is None:
            message = Message("locomotives do not stand for locomotives: {payment}", payment=payment)
            return Refusal(self.stand_in_rule(cost, "many_wilds"), message)
        if cost.color is None:  # more than one, as any payment has one card of some color
            message = Message("{count} cards of one color are needed with {payment}", count=needed, payment=payment)
        else:
            one, many = (
                "{count} {color} card is needed with {payment}",
                "{count} {color} cards are needed with {payment}",
            )
            message = plural(one, many, needed, color=cost.color, payment=payment)
        return Refusal(self.stand_in_rule(cost, "color"), message)

    def prices(self, costs: Sequence[Cost]) -> Prices:
        kind = CardPrices if self._has_no_powers() else PowerPrices
        return kind(self, costs) if self.inherits("payments", "held") else Prices(self, costs)

    def pay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        spend_cards(tx, seat, payment, in_numbers(tx, payment))
        if payment:
            self.upkeep.settle(tx)

    def _has_no_powers(self) -> bool:
        """True if readings depend on costs alone."""
        return self.inherits("powers") and not self._powers

    def inherits(self, *methods: str) -> bool:
        """True if a subclass overrides none of these methods. Tables cannot stand in for an overridden method."""
        return not overrides(self, TrainCards, *methods)

    # -- tunnels ---------------------------------------------------------------------------------------------

    def lay(self, tx: Transaction, seat: int, cost: Cost, payment: Counts) -> None:
        tx.emit(CardsLaid, seat, payment)

    def enter_tunnel(
        self, tx: Transaction, seat: int, cost: Cost, payment: Counts
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Lay down a payment, turn up cards (T1, T6), and count the extra cost (T2, T3)."""
        self.lay(tx, seat, cost, payment)
        own = [(self.number[kind], count) for kind, count in payment.items() if kind in self.number]
        return self.tunnels.turn_up(tx, TunnelCost(cost, self.number, self.wild), sorted(own))

    def spend_laid(self, tx: Transaction, seat: int, extra: Counts) -> None:
        self.tunnels.spend(tx, seat, extra)

    def take_back_laid(self, tx: Transaction, seat: int, laid: Counts) -> None:
        self.tunnels.take_back(tx, seat, laid)

    # -- for plugins ------------------------------------------------------------------------------------------------

    def card_refusal(self, state: State, seat: int) -> Refusal | None:
        """The refusal if plugins do not let a seat take cards now (`Variant.card_refusal`), or None if they do."""
        return card_refusal(state, seat)

    def draw(
        self, tx: Transaction, seat: int, deck: str = "", into: Callable[[str], Event] | None = None
    ) -> str | None:
        """Let a seat draw the top card of a pile, apart from its own draws. Returns the card.

        Returns None if no card is left (D8) or the seat may take none (`card_refusal`). `deck` names one of several decks.
        Raises `PluginError` for a seat or a deck that is not in the game.

        With `into`, the card goes somewhere other than the hand, and `card_refusal` is not asked: `into` creates the event
        for the card, and its effect takes the card off the pile with `CardPiles.draw`.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> from ttr_rules.plugins import Transaction
        >>> from ttr_rules.train_cards import TrainCards
        >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).draw(tx, seat=1)
        'green'
        """
        _check_seat(tx, seat)
        top = tx.state.part(CardPiles).top(self._deck_number(deck), 1)
        if not top or (into is None and self.card_refusal(tx.state, seat) is not None):
            return None
        if into is None:
            draw_card(tx, seat, top[0])
        else:
            self._draw_into(tx, into(self.kinds[top[0]]))
        self.upkeep.settle(tx)
        return self.kinds[top[0]]

    def _draw_into(self, tx: Transaction, event: object) -> None:
        """Emit the event that stores the top card of a pile. Raises `PluginError` if it takes another number of cards."""
        if not isinstance(event, Event):
            raise PluginError(f"into must make an event from the card, not {brief(event)}")
        piles = tx.state.part(CardPiles)
        left = piles.left
        tx.emit(type(event), *attrs.astuple(event, recurse=False))
        if piles.left != left - 1:
            call = f"must call state.part(CardPiles).draw(card) once, with the card that it stores (cards in draw piles: {left} before, {piles.left} after)"
            raise PluginError(f"the effect of {type(event).__name__} {call}")

    def take_face_up(self, tx: Transaction, seat: int, *cards: str) -> int:
        """Let a seat take face-up cards, one or several, apart from its own draws. Each is replaced by the top card of its deck.

        Returns how many it takes: fewer if it may take no more (`card_refusal`). The row is swept (S4) only after the last.
        Raises `PluginError` for cards that do not lie face up, and for a seat that is not at the table.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> row = ["red", "blue", "green", "red", "black"]
        >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "draw_pile": ["white", "yellow"], "players": [{}, {}]}
        >>> tx = Transaction(ttr.arrange(None, position).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).take_face_up(tx, 0, "red", "red")
        2
        >>> ttr.cards(tx.state).face_up
        ('white', 'blue', 'green', 'yellow', 'black')
        """
        _check_seat(tx, seat)
        piles = tx.state.part(CardPiles)
        row = list[str | None](piles.face_up)
        places: list[int] = []
        for card in cards:
            places.append(_find_face_up(row, card))
            row[places[-1]] = None
        taken = 0
        for card in cards:
            if self.card_refusal(tx.state, seat) is not None:
                break
            self.upkeep.rebuild(tx, piles)
            top = piles.top(self.deck_of[self.number[card]], 1)
            take_face_up(tx, seat, self.number[card], top[0] if top else -1)
            taken += 1
        if taken:
            tell_row(tx, seat, places[:taken])
            self.upkeep.settle(tx)
        return taken

    def look(self, tx: Transaction, seat: int, count: int = 1, deck: str = "") -> tuple[str, ...]:
        """Let a seat look at the top cards of a draw pile, which stay there: `count` of them, or all that are left.

        Its views show them until they are drawn, and worlds sampled for it leave them in place. `deck` names one of several
        decks. `reorder` lays them in another order. Raises `PluginError` for a seat or a deck that is not in the game, and for
        anything but a number of cards.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).look(tx, 0, 2)
        ('green', 'black')
        >>> [looked.card for looked in tx.state.part(CardPiles).seen_by(0).looked_at]
        ['green', 'black']
        """
        _check_seat(tx, seat)
        if type(count) is not int or count < 0:
            raise PluginError(f"seat {seat} looks at {brief(count)} cards, which is not a number of cards")
        number = self._deck_number(deck)
        piles = tx.state.part(CardPiles)
        cards = piles.name_cards(piles.top(number, count))
        if cards:
            tx.emit(CardsLookedAt, seat, cards, self.deck_names[number])
        return cards

    def reorder(
        self, tx: Transaction, seat: int, top: Sequence[str], bottom: Sequence[str] = (), deck: str = ""
    ) -> None:
        """Let a seat that has looked at the top cards of a draw pile lay them in another order, some under the pile.

        `top` and `bottom` are in the order in which they will be drawn. Raises `PluginError` for other cards than those on top of
        the pile, and for cards that the seat has not looked at.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
        >>> cards = economy_of(tx.rules.economy, TrainCards)
        >>> one, other, last = cards.look(tx, 0, 3)
        >>> cards.reorder(tx, 0, [last, one], bottom=[other])
        >>> ttr.cards(tx.state).draw_pile[:2] == (last, one), ttr.cards(tx.state).draw_pile[-1] == other
        (True, True)
        """
        _check_seat(tx, seat)
        number = self._deck_number(deck)
        piles = tx.state.part(CardPiles)
        cards = [*top, *bottom]
        here = piles.name_cards(piles.top(number, len(cards)))
        if sorted(cards) != sorted(here):
            raise PluginError(
                f"seat {seat} cannot reorder {', '.join(cards)}: the top cards of the pile are {', '.join(here)}"
            )
        if not piles.knows(seat, number, len(cards)):
            raise PluginError(f"seat {seat} cannot reorder {', '.join(cards)}: it must look at them first")
        if cards:
            tx.emit(CardsReordered, seat, tuple(top), tuple(bottom), self.deck_names[number])

    def _deck_number(self, deck: str) -> int:
        """The number of a deck, given by name, or of the first. Raises `PluginError` for a name that no deck has."""
        if deck and deck not in self.deck_names:
            raise PluginError(f"there is no deck {deck!r}, only {', '.join(self.deck_names)}")
        return self.deck_names.index(deck) if deck else 0

    def exchange(self, tx: Transaction, seat: int, card: str, face_up: str) -> None:
        """Let a seat lay a card from its hand into the row, in the place of a face-up card that it takes.

        The row is then swept if it must be (S4). Raises `PluginError` for a card that the seat does not hold, for one that
        does not lie face up or is of another deck, and for a seat that is not at the table.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> row = ["red", "blue", "green", "white", "black"]
        >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "players": [{"hand": {"yellow": 1}}, {}]}
        >>> tx = Transaction(ttr.arrange(None, position).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).exchange(tx, 0, "yellow", "blue")
        >>> ttr.cards(tx.state).face_up, ttr.cards(tx.state).hands[0]
        (('red', 'yellow', 'green', 'white', 'black'), Counts(blue=1))
        """
        _require_held(tx, seat, {card: 1})
        piles = tx.state.part(CardPiles)
        place = _find_face_up(piles.face_up, face_up)
        if self.deck_of[self.number[card]] != self.deck_of[self.number[face_up]]:
            raise PluginError(f"seat {seat} exchanges {card} for {face_up}, which is of another deck")
        tx.emit(CardExchanged, seat, card, face_up)
        tell_row(tx, seat, (place,))
        self.upkeep.settle(tx)

    def clear_face_up(self, tx: Transaction, card: str, *, under_pile: bool = False) -> None:
        """Discard a face-up card, or put it under the draw pile of its deck. The top card of the deck takes its place.

        If it goes under the pile, everybody knows that it is there. The row is then filled and, if necessary, swept (S4).
        Raises `PluginError` for a card that does not lie face up.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> row = ["red", "blue", "green", "white", "black"]
        >>> position = {"stack": ["europe"], "seed": 1, "face_up": row, "draw_pile": ["yellow"], "players": [{}, {}]}
        >>> tx = Transaction(ttr.arrange(None, position).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).clear_face_up(tx, "blue")
        >>> ttr.cards(tx.state).face_up, ttr.cards(tx.state).discards
        (('red', 'yellow', 'green', 'white', 'black'), ('blue',))
        """
        piles = tx.state.part(CardPiles)
        place = _find_face_up(piles.face_up, card)
        top = piles.top_card(self.deck_of[self.number[card]])
        tx.emit(FaceUpCleared, card, None if top < 0 else self.kinds[top], under_pile)
        tell_row(tx, None, (place,))
        self.upkeep.settle(tx)

    def reorder_row(self, tx: Transaction, cards: Sequence[str]) -> None:
        """Lay the face-up row in another order, even in the hook `on_row_changed`. Raises `PluginError` for other cards.

        Where the cards to the right of a gap move up, and a new card lies at the end, `on_row_changed` does this:

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> class Belt(Variant, name="belt"):
        ...     @hookimpl
        ...     def on_row_changed(self, tx, seat, places):
        ...         row = list(ttr.cards(tx.state).face_up)
        ...         if len(places) == 1 and len(row) == 5:
        ...             row.append(row.pop(places[0]))
        ...             economy_of(tx.rules.economy, TrainCards).reorder_row(tx, row)
        >>> row = ["red", "blue", "green", "white", "black"]
        >>> position = {"seed": 1, "face_up": row, "draw_pile": ["yellow"], "players": [{}, {}]}
        >>> game = ttr.arrange(ttr.compile_rules("europe", Belt), position)
        >>> _ = game.play(DrawFaceUp(0, "blue"))
        >>> ttr.cards(game.state).face_up
        ('red', 'green', 'white', 'black', 'yellow')
        """
        piles = tx.state.part(CardPiles)
        if sorted(cards) != sorted(piles.face_up):
            raise PluginError(f"the row is laid as {', '.join(cards)}, but {', '.join(piles.face_up)} lie face up")
        if tuple(cards) != piles.face_up:
            tx.emit(RowReordered, tuple(cards))

    def settle(self, tx: Transaction) -> None:
        """Rebuild an empty draw pile (D7), fill the row and sweep it if it must be (S4), after an event of a plugin moved cards.

        The other methods do this themselves.
        """
        self.upkeep.settle(tx)

    def replace_row(self, tx: Transaction) -> None:
        """Discard all face-up cards and turn up new ones. A row that must be swept is swept (S4)."""
        if tx.state.part(CardPiles).row:
            self.upkeep.replace_row(tx, rebuild=True)
        self.upkeep.settle(tx)

    def discard(self, tx: Transaction, seat: int, cards: Counts) -> None:
        """Let a seat discard cards from its hand, for nothing.

        Raises `PluginError` for cards that it does not hold, and for a seat that is not at the table.
        """
        cards = _require_held(tx, seat, cards)
        spend_cards(tx, seat, cards, in_numbers(tx, cards), for_nothing=True)
        self.upkeep.settle(tx)

    def give(self, tx: Transaction, seat: int, other_seat: int, cards: Counts, *, openly: bool = False) -> None:
        """Let a seat give cards from its hand to another one.

        Only these two see which, unless the cards lie open or are given `openly`. The hook `card_refusal` is not called.
        Raises `PluginError` for cards that the seat does not hold, and for a seat that is not at the table.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.actions import economy_of
        >>> players = [{"name": "Ada", "hand": {"red": 2}}, {"name": "Bo"}]
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state, [])
        >>> economy_of(tx.rules.economy, TrainCards).give(tx, 0, 1, Counts(red=1))
        >>> tx.log, ttr.cards(tx.state).hands
        ([CardsGiven(seat=0, other_seat=1, cards=Counts(red=1))], (Counts(red=1), Counts(red=1)))
        """
        cards = _require_held(tx, seat, cards)
        _check_seat(tx, other_seat)
        if other_seat == seat:
            raise PluginError(f"seat {seat} gives {cards} to itself")
        for is_open in (False, True):
            some = Counts(
                {card: n for card, n in cards.items() if (openly or self.is_open[self.number[card]]) == is_open}
            )
            if some:
                tx.emit(OpenCardsGiven if is_open else CardsGiven, seat, other_seat, some)

    # -- actions, events, rules --------------------------------------------------------------------------------------

    def action_rules(self) -> Iterable[AnyRule]:
        one_deck = DrawBlindRule, DrawFaceUpRule, DrawNextBlindRule, DrawNextFaceUpRule
        several = DrawFromRule, TakeFaceUpRule, DrawNextFromRule, TakeNextFaceUpRule
        kinds: Sequence[Callable[[CardEconomy], AnyRule]] = several if len(self.decks) > 1 else one_deck
        return (*[kind(self) for kind in kinds], ForgoCardRule())

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Deal the cards that a position names and shuffle the rest under the draw pile.

        For a table to score, deal only.
        """
        hands = [player.counts("hand", self.kinds, report) for player in position.players]
        looked_at = [self._read_looked_at(player, report) for player in position.players]
        face_up, discards = (position.ids(key, self.kinds, report) for key in ("face_up", "discards"))
        if len(self.decks) == 1:
            draw_pile = position.ids("draw_pile", self.kinds, report)
        else:
            piles = position.table("draw_pile", report)
            piles.only(self.deck_names, report)
            draw_pile = tuple([card for deck in self.decks for card in piles.ids(deck.name, deck.cards, report)])
        if len(face_up) > self.row:
            report.add("face_up", f"{self.row} cards lie face up at most, not {len(face_up)}")
        used = Counter([card for part in tx.state.parts.values() for card in part.items_in(POOL)])
        for lot in (*hands, face_up, draw_pile, discards):
            used.update(lot)
        for card, count in used.items():
            if count > self.cards[card]:
                report.add(
                    "", f"{brief(count)} {card} cards in hands and piles together; the deck has {self.cards[card]} (S2)"
                )
        complete = position.to_score or position.flag("draw_pile_complete", False, report)
        if report.problems:
            return
        rest = (
            () if complete else tx.shuffled(self.in_order({card: self.cards[card] - used[card] for card in self.kinds}))
        )
        if "face_up" not in position.raw and not complete:  # the row comes from the rest, not from the arranged top
            face_up, rest = self.first_row(rest)
        for player, hand in zip(position.players, hands, strict=True):
            for kind, is_open in ((HandArranged, False), (OpenHandArranged, True)):
                held = {card: count for card, count in hand.items() if self.is_open[self.number[card]] == is_open}
                if held:
                    tx.emit(kind, player.seat, Counts(held))
        tx.emit(CardsArranged, face_up, discards, (*draw_pile, *rest))
        self.upkeep.settle(tx)
        for player, counts in zip(position.players, looked_at, strict=True):
            for deck, count in counts.items():
                self.look(tx, player.seat, count, deck)

    def _read_looked_at(self, player: PlayerEntry, report: Report) -> Counts:
        """Read how many top cards of each deck a player knows: a number for the only one, or a table by deck."""
        if len(self.decks) > 1:
            return player.counts("looked_at", self.deck_names, report)
        return Counts({self.deck_names[0]: player.number("looked_at", 0, 0, sum(self.cards.values()), report)})


def _stays_open(rules: Rules) -> bool:
    """True if cards may be taken from the row while the draw pile is empty (R2)."""
    return rules.plugin(CardOptions).face_up_when_exhausted


def _check_seat(tx: Transaction, seat: int) -> None:
    if type(seat) is not int or not 0 <= seat < tx.state.players:
        raise PluginError(f"there is no seat {brief(seat)}: the seats are 0 to {tx.state.players - 1}")


def _find_face_up(row: Sequence[str | None], card: str) -> int:
    """The place of a card in the row, where None stands for one found before. Raises `PluginError` if it does not lie there."""
    if card not in row:
        others = ", ".join(filter(None, row))
        raise PluginError(f"no {card} lies face up{f', only {others}' if others else ': the row is empty'}")
    return row.index(card)


def _require_held(tx: Transaction, seat: int, wanted: Mapping[str, int]) -> Counts:
    """Check that a seat holds some cards, and return them. Raises `PluginError` if it does not."""
    _check_seat(tx, seat)
    held = tx.state.part(CardPiles).counts(seat)
    try:
        cards = Counts.of(wanted)
    except (TypeError, ValueError) as error:
        raise PluginError(f"a plugin of {tx.rules} takes {brief(wanted)} from seat {seat}: {error}") from error
    if not cards.within(held):
        raise PluginError(f"seat {seat} does not hold {cards}: its hand is {held}")
    return cards


class TrainCardsPlugin(CardOptions, Variant, name="train-cards", title="Train cards"):
    """Hands, a face-up row and a draw pile of train cards.

    Every stack has this plugin below all others: maps adjust its economy, other economies replace it.

    >>> TrainCardsPlugin(second_card_optional=True).info.name
    'train-cards'
    """

    @hookimpl
    def economy(self, below: Below[Economy], board: Board) -> Economy:
        return TrainCards()
