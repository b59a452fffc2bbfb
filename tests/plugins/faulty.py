"""Small plugins with one fault each, as authors make them, and sound ones that look like it; the kit must tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from ttr_rules import (
    Action,
    Board,
    ClaimRoute,
    Counts,
    Decision,
    DrawBlind,
    DrawFaceUp,
    DrawTickets,
    Event,
    Pass,
    Refusal,
    Route,
    State,
    Ticket,
    Turn,
    View,
    cards,
)
from ttr_rules.actions import economy_of, end_turn
from ttr_rules.events import Unknown
from ttr_rules.model import Components, Dealer
from ttr_rules.plugins import (
    ActionRule,
    Around,
    Below,
    Choice,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    TicketDeck,
    Transaction,
    Variant,
    by_seat,
    hidden,
    known,
    points_in_play,
    public,
    secret,
)
from ttr_rules.sequences import LazySequence
from ttr_rules.train_cards import CardPiles, TrainCards

from . import made


def few_cars(below: Below[Components], board: Board) -> Components:
    return evolve(below(), cars=14)


def plugin(name: str, **hooks: Callable[..., object]) -> type[Variant]:
    """A plugin with these hooks, for short games."""
    return made.plugin(name, (), __name__, **{"components": few_cars, **hooks})


# -- what seats hide -------------------------------------------------------------------------------------------------


class Letters(Part):
    """Letters that each seat holds, unseen."""

    held: list[tuple[str, ...]] = by_seat(each=("a",))


class DealtLetters(Letters):
    """The same, with a way to deal them: those of others may be any."""

    held: list[tuple[str, ...]] = by_seat()

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        lots: list[object] = list(self.held)
        self.held = [
            tuple("ab"[dealer.below(2)] for _ in range(lot.count or 0)) if isinstance(lot, Unknown) else lot  # type: ignore[misc]
            for lot in lots
        ]


class LettersDealt(Event):
    """The letters of a seat, told to everybody."""

    seat: int
    letters: tuple[str, ...] | Unknown

    def apply(self, state: State) -> None:
        state.part(DealtLetters).held[self.seat] = known(self.letters)


class LettersDealtInSecret(LettersDealt):
    """The letters of a seat, its secret."""

    letters: tuple[str, ...] | Unknown = secret("seat")


def deal(kind: type[LettersDealt]) -> Callable[[Transaction], None]:
    def deal_letters(tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(kind, seat, tx.shuffled(("a", "b", "a"))[:2])

    return deal_letters


def letters(kind: type[LettersDealt]) -> type[Variant]:
    return plugin("letters", parts=lambda rules: [DealtLetters], on_deal=deal(kind))


class Chest(Part):
    """Cards put aside, counted with the deck."""

    stored: list[Counts] = by_seat(pool="cards")


class LooseChest(Part):
    """Cards put aside in a part that the economy knows nothing of."""

    stored: list[Counts] = by_seat()

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        lots: list[object] = list(self.stored)
        self.stored = [lot if isinstance(lot, Counts) else Counts(red=getattr(lot, "count", 0) or 0) for lot in lots]


class StoreChoice(Decision):
    public = True
    message = "Which card do you put aside?"


class Store(Action):
    message = "Put a card aside"
    card: str


class Stored(Event):
    """A card was put aside; which one is told to everybody."""

    message = "{seat} puts a card aside"
    seat: int
    card: str | Unknown

    def apply(self, state: State) -> None:
        state.part(CardPiles).take(self.seat, Counts({known(self.card): 1}))
        part: Any = next(part for kind, part in state.parts.items() if kind in (Chest, LooseChest))
        part.stored[self.seat] = Counts(
            {**part.stored[self.seat], known(self.card): part.stored[self.seat][known(self.card)] + 1}
        )


class StoredInSecret(Stored):
    card: str | Unknown = secret("seat")


class StoreRule(ActionRule[StoreChoice, Store]):
    def __init__(self, event: type[Stored]) -> None:
        self.event = event

    def offers(self, state: State, decision: StoreChoice) -> Sequence[Store]:
        return [Store(decision.seat, card) for card in state.part(CardPiles).counts(decision.seat)]

    def perform(self, tx: Transaction, decision: StoreChoice, action: Store) -> None:
        tx.emit(self.event, action.seat, action.card)


def ask_to_store(tx: Transaction, seat: int) -> Question:
    return StoreChoice(seat) if sum(tx.state.part(CardPiles).hand[seat]) >= 3 else ()


def chest(kind: type[Part], event: type[Stored]) -> type[Variant]:
    return plugin(
        "chest", parts=lambda rules: [kind], actions=lambda rules: [StoreRule(event)], on_turn_end=ask_to_store
    )


# -- points ----------------------------------------------------------------------------------------------------------


class TollPaid(Event):
    """Puts points into the points of routes."""

    seat: int

    def apply(self, state: State) -> None:
        state.scores[self.seat] += 2


def pay_by_event(tx: Transaction, seat: int, route: Route, points: int) -> None:
    tx.emit(TollPaid, seat)


def pay_by_score(tx: Transaction, seat: int, route: Route, points: int) -> None:
    tx.score(seat, 2, "tolls")


def two_a_route(state: State, seat: int) -> Score:
    return Score(2 * len(state.routes_of(seat)))


def tolls(pay: Callable[[Transaction, int, Route, int], None], term: ScoringTerm) -> type[Variant]:
    return plugin("tolls", on_claim=pay, scoring=lambda rules: [term])


# -- questions -------------------------------------------------------------------------------------------------------


class MuteChoice(Choice[int]):
    """A choice whose options have numbers in place of texts."""

    passing = "Neither"

    def options(self, state: State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> None:
        """Nothing follows."""

    def label(self, option: int) -> Any:
        return option


class ShareChoice(Decision):
    public = True
    message = "Which share do you take?"
    route: str


class TakeShare(Action):
    message = "Take a share"
    company: str


class Taken(Part):
    shares: list[str] = public()


class ShareTaken(Event):
    message = "{seat} takes a share of {company}"
    seat: int
    company: str

    def apply(self, state: State) -> None:
        state.part(Taken).shares.append(self.company)


class TakeShareRule(ActionRule[ShareChoice, TakeShare]):
    def __init__(self, again: bool) -> None:
        self.again = again

    def offers(self, state: State, decision: ShareChoice) -> Sequence[TakeShare]:
        return [TakeShare(decision.seat, name) for name in ("north", "south")]

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> Question:
        tx.emit(ShareTaken, action.seat, action.company)
        return decision if self.again else ()


def ask_for_share(tx: Transaction, seat: int, route: Route, points: int) -> Question:
    return ShareChoice(seat, route.id)


def shares(parts: Iterable[type[Part]] = (Taken,), again: bool = False) -> type[Variant]:
    return plugin(
        "shares", parts=lambda rules: parts, actions=lambda rules: [TakeShareRule(again)], on_claim=ask_for_share
    )


def ends_the_turn(tx: Transaction, seat: int) -> None:
    end_turn(tx, seat)


def another_turn(tx: Transaction, seat: int) -> None:
    tx.grant_turn(seat)


def ask_and_go_on(tx: Transaction, action: ClaimRoute) -> None:
    tx.ask(ShareChoice(action.seat, action.route))


# -- supplies --------------------------------------------------------------------------------------------------------


class Supplies(Part):
    """How much is left: in all, of each thing, for each seat; a balance that may be negative, and letters dealt from it."""

    left: int = public(default=3)
    things: dict[str, int] = public(default={"coal": 3, "wood": 90})
    seats: list[int] = public(each=3)
    balance: int = public(default=0)
    holder: int = public(default=-1)
    held: list[tuple[str, ...]] = by_seat(pool="letters")

    def box(self, rules: Rules) -> Mapping[str, Iterable[str]]:
        return {"letters": ["a"] * 3}


class SupplyTaken(Event):
    message = "{seat} takes from the supply"
    seat: int
    what: str

    def apply(self, state: State) -> None:
        part = state.part(Supplies)
        part.balance -= 1
        part.holder = -1 if part.holder == self.seat else self.seat
        if self.what == "left":
            part.left -= 1
            part.held[self.seat] += ("a",)
        elif self.what == "things":
            part.things["coal"] -= 1
        elif self.what == "seats":
            part.seats[self.seat] -= 1


def supplies(what: str) -> type[Variant]:
    """A plugin that takes one from this supply with every claim, whether or not there is any."""

    def take(tx: Transaction, action: ClaimRoute) -> None:
        tx.emit(SupplyTaken, action.seat, what)

    return plugin("supplies", parts=lambda rules: [Supplies], around=lambda rules: [Around(ClaimRoute, after=take)])


def at_turn_end(call: Callable[[Transaction, int], object]) -> type[Variant]:
    return plugin("hooked", on_turn_end=call)


# -- a draw that first asks (sound) ----------------------------------------------------------------------------------


class DrawChoice(Decision):
    public = True
    message = "Do you draw from the pile?"


class DrawNow(Action):
    message = "Draw"


class DrawnAfterAll(Event):
    message = "{seat} draws a card"
    seat: int

    def apply(self, state: State) -> None:
        piles = state.part(CardPiles)
        card = piles.draw_pile[0]
        piles.draw(card)
        piles.give(self.seat, Counts({card: 1}))


class AskBeforeDrawing(ActionRule[Turn, DrawBlind]):
    replaces = True

    def offers(self, state: State, decision: Turn) -> Sequence[DrawBlind]:
        piles = state.part(CardPiles)
        return [DrawBlind(decision.seat)] if piles.left > 1 else ()

    def perform(self, tx: Transaction, decision: Turn, action: DrawBlind) -> Question:
        return DrawChoice(action.seat)


class DrawNowRule(ActionRule[DrawChoice, DrawNow]):
    def offers(self, state: State, decision: DrawChoice) -> Sequence[DrawNow]:
        return [DrawNow(decision.seat)]

    def perform(self, tx: Transaction, decision: DrawChoice, action: DrawNow) -> None:
        tx.emit(DrawnAfterAll, action.seat)


# -- conditions, tickets, words, adjusters ---------------------------------------------------------------------------


class Moody:
    """Refuses a route every other time it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, state: State, seat: int, route: Route) -> Refusal | None:
        self.calls += 1
        return Refusal("moody", "not today") if self.calls % 2 else None


def closed_later(state: State, *asked: object) -> Refusal | None:
    return Refusal("closed", "closed for good") if state.round > 5 else None


def rests(state: State, seat: int, route: Route) -> Refusal | None:
    """Long routes are open from the fifth round on."""
    return Refusal("rest", "not yet") if route.length > 4 and state.round < 5 else None


def no_tunnels(state: State, seat: int, route: Route) -> Refusal | None:
    return Refusal("night", "no long routes") if route.length > 4 else None


def no_routes_at_all(state: State, seat: int) -> Iterable[int]:
    return range(len(state.rules.board.routes))


def dear_claims(state: State, action: ClaimRoute) -> Refusal | None:
    return None


def ticket_twice(below: Below[TicketDeck], board: Board) -> TicketDeck:
    deck = below()
    name, pile = next(iter(deck.piles.items()))
    return TicketDeck({**deck.piles, name: (*pile, Ticket(pile[0].id, pile[0].cities[::-1], 3))})


class WrongWords(Event):
    __module__ = "wrong_words"
    message = "{seat} does something in {town}"
    seat: int

    def apply(self, state: State) -> None:
        """Nothing happens."""


class WrongQuestion(StoreChoice):
    message = "Which of {cards}?"


class WrongHeading(Store):
    message = "Put {card} aside"


class WrongLabel(Store):
    label = "{card} and {other}"


class BrokenWords(WrongWords):
    __module__ = "broken_words"
    message = "{seat does something"


class WrongReveals(WrongWords):
    __module__ = "wrong_reveals"
    message = "{seat} does something"
    reveals = "Bid"  # type: ignore[assignment]  # the mistake


class WrongQuestionRule(StoreRule):
    on = WrongQuestion


class WrongHeadingRule(StoreRule):
    action = WrongHeading


class WrongLabelRule(StoreRule):
    action = WrongLabel


# -- very many actions -----------------------------------------------------------------------------------------------


class Bid(Action):
    message = "Bid"
    points: int


class Bids(LazySequence[Bid]):
    """Very many bids."""

    __slots__ = ("_seat",)

    def __init__(self, seat: int, size: int) -> None:
        super().__init__(size)
        self._seat = seat

    def nth(self, index: int) -> Bid:
        return Bid(self._seat, index)

    def __contains__(self, action: object) -> bool:
        return type(action) is Bid and action.seat == self._seat and action.points in range(len(self))


class BidMade(Event):
    message = "{seat} bids {points}"
    seat: int
    points: int

    def apply(self, state: State) -> None:
        state.part(Taken).shares.append(f"{self.seat}: {self.points}")


class BidRule(ActionRule[Turn, Bid]):
    size = 1_000_000

    def offers(self, state: State, decision: Turn) -> Sequence[Bid]:
        return Bids(decision.seat, self.size) if len(state.part(Taken).shares) < 8 else ()

    def refusal(self, state: State, decision: Turn, action: Bid) -> Refusal | None:
        if len(state.part(Taken).shares) >= 8:
            return Refusal("bids", "there were bids enough")
        if type(action.points) is not int or action.points not in range(BidRule.size):
            return Refusal("bids", f"bids are from 0 to {BidRule.size - 1}")
        return None

    def perform(self, tx: Transaction, decision: Turn, action: Bid) -> None:
        tx.emit(BidMade, action.seat, action.points)


class TooManyBids(BidRule):
    size = 1_000_001


def bids(rule: BidRule) -> type[Variant]:
    return plugin("bids", actions=lambda rules: [rule], parts=lambda rules: [Taken])


def nap(tx: Transaction, action: Pass) -> None:
    """A point in two rounds of three; the third takes both back."""
    tx.score(action.seat, 1 if tx.state.round % 3 else -2, "naps")


#: Sound plugins that look like those with faults.
class Hum(Action):
    """To hum, which changes nothing but that the seat has hummed this turn."""

    message = "Hum"


class Hummed(Part):
    already: bool = public(per_turn=True)


class HumDone(Event):
    seat: int

    def apply(self, state: State) -> None:
        state.part(Hummed).already = True


class HumRule(ActionRule[Turn, Hum]):
    def offers(self, state: State, decision: Turn) -> Sequence[Hum]:
        return () if state.part(Hummed).already else [Hum(decision.seat)]

    def perform(self, tx: Transaction, decision: Turn, action: Hum) -> None:
        tx.emit(HumDone, action.seat)


class AuctionBid(Choice[int]):
    """A bid of cards for nothing but points; a bid of 0 costs nothing."""

    public = True

    def options(self, state: State) -> Sequence[int]:
        return range(cards(state).hand_sizes[self.seat] + 1)

    def chosen(self, tx: Transaction, option: int) -> None:
        hand = cards(tx.state).hands[self.seat]
        paid = [card for card in hand for _ in range(hand[card])][:option]
        economy_of(tx.rules.economy, TrainCards).discard(tx, self.seat, Counts(Counter(paid)))


class StartAuction(Action):
    """Instead of a turn: all who hold cards bid."""

    message = "Put something up for auction"


class AuctionRule(ActionRule[Turn, StartAuction]):
    def offers(self, state: State, decision: Turn) -> Sequence[StartAuction]:
        return [StartAuction(decision.seat)] if any(cards(state).hand_sizes) else ()

    def perform(self, tx: Transaction, decision: Turn, action: StartAuction) -> Question:
        sizes = cards(tx.state).hand_sizes
        return tx.in_turn(AuctionBid, [seat for seat in range(tx.state.players) if sizes[seat]])


class FreeHumRule(HumRule):
    free = True


def humming(rule: HumRule) -> type[Variant]:
    return plugin("humming", parts=lambda rules: [Hummed], actions=lambda rules: [rule])


class Openings(Part):
    """Dealt in `on_deal`, which is not called for a position."""

    dealt: tuple[str, ...] = public()


class OpeningsDealt(Event):
    names: tuple[str, ...]

    def apply(self, state: State) -> None:
        state.part(Openings).dealt = self.names


def opens_turn(tx: Transaction, seat: int) -> None:
    assert tx.state.part(Openings).dealt[0]


# -- a pile whose top card is turned up in everybody's turn ------------------------------------------------------

HEADLINES = ("strike", "fair", "storm", "visit") * 12


class Headlines(Part):
    """A pile that nobody sees, what each seat has seen of it, and what lies open."""

    pile: tuple[str, ...] | Unknown = hidden(default=HEADLINES, pool="headlines")
    seen: list[tuple[str, ...] | Unknown] = by_seat(each=(), pool="headlines")
    up: tuple[str, ...] = public(pool="headlines")
    last_seat: int = public(default=-1, label="")

    def box(self, rules: Rules) -> Mapping[str, Iterable[str]]:
        return {"headlines": HEADLINES}


class PileOrdered(Event):
    message = ""
    order: tuple[str, ...] | Unknown = secret()

    def apply(self, state: State) -> None:
        state.part(Headlines).pile = known(self.order)


class HeadlineSeen(Event):
    message = "{seat} looks at a headline"
    seat: int
    headline: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        part = state.part(Headlines)
        part.pile = known(part.pile)[1:]
        part.seen[self.seat] = (known(self.headline),)
        part.last_seat = self.seat


class HeadlineUp(Event):
    """It turns up what a seat has seen, or the top of the pile."""

    message = "{headline}"
    headline: str

    def apply(self, state: State) -> None:
        part = state.part(Headlines)
        part.up += (self.headline,)
        if part.last_seat < 0:
            part.pile = known(part.pile)[1:]
        else:
            part.seen[part.last_seat] = ()
        part.last_seat = -1


class HeadlineTold(HeadlineUp):
    """It tells what a seat has seen, and leaves it there."""

    def apply(self, state: State) -> None:
        state.part(Headlines).last_seat = -1


class HeadlineReplaced(HeadlineUp):
    """It turns up the top of the pile; what lay open goes under it, which may be the same."""

    def apply(self, state: State) -> None:
        part = state.part(Headlines)
        part.pile = (*known(part.pile)[1:], *part.up)
        part.up = (self.headline,)


class Nicknames(Part):
    held: list[tuple[str, ...] | Unknown] = by_seat(each=(), pool="nicknames")
    told: tuple[str, ...] = public(default=())

    def box(self, rules: Rules) -> Mapping[str, Iterable[str]]:
        return {"nicknames": "abcdef"}


class NicknameDealt(Event):
    message = ""
    seat: int
    nickname: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Nicknames).held[self.seat] = (known(self.nickname),)


class NicknameTold(Event):
    message = "{nickname}"
    nickname: str

    def apply(self, state: State) -> None:
        state.part(Nicknames).told = (self.nickname,)


def nicknames() -> type[Variant]:
    """What is turned up in each turn is no excuse for what is told beside it."""

    def on_deal(tx: Transaction) -> None:
        tx.emit(PileOrdered, tx.shuffled(HEADLINES))
        for seat, nickname in zip(range(tx.state.players), tx.shuffled("abcdef"), strict=False):
            tx.emit(NicknameDealt, seat, nickname)

    def on_turn_start(tx: Transaction, seat: int) -> None:
        tx.emit(HeadlineReplaced, known(tx.state.part(Headlines).pile)[0])
        tx.emit(NicknameTold, known(tx.state.part(Nicknames).held[seat])[0])

    return plugin("nicknames", parts=lambda rules: [Headlines, Nicknames], on_deal=on_deal, on_turn_start=on_turn_start)


def headlines(up: type[HeadlineUp], look: bool) -> type[Variant]:
    def on_turn_start(tx: Transaction, seat: int) -> None:
        part = tx.state.part(Headlines)
        if known(part.pile) == HEADLINES:
            tx.emit(PileOrdered, tx.shuffled(HEADLINES))
        if part.last_seat >= 0:
            tx.emit(up, known(part.seen[part.last_seat])[0])
        elif not look and known(part.pile):
            tx.emit(up, known(part.pile)[0])
        if look and known(part.pile) and not known(part.seen[seat]):
            tx.emit(HeadlineSeen, seat, known(part.pile)[0])

    return plugin("headlines", parts=lambda rules: [Headlines], on_turn_start=on_turn_start)


# -- a turn of many questions, and points that end with the cards ----------------------------------------------------


class Nag(Choice[int]):
    """A question that is asked ten times a turn."""

    public = True
    left: int

    def options(self, state: State) -> Sequence[int]:
        return (1, 2)

    def chosen(self, tx: Transaction, option: int) -> Question:
        return Nag(self.seat, self.left - 1) if self.left else ()


def nagging() -> type[Variant]:
    def on_turn_start(tx: Transaction, seat: int) -> Question:
        if cards(tx.state).hand_sizes[seat] >= 8:
            tx.score(seat, 1, "nagging")
        return Nag(seat, 9)

    return plugin("nagging", on_turn_start=on_turn_start, scoring=lambda rules: [points_in_play("nagging")])


SOUND: dict[str, Callable[[], type[Variant]]] = {
    "points that end with the cards": nagging,
    "a pile that is turned up": lambda: headlines(HeadlineUp, look=False),
    "what one seat has seen is turned up": lambda: headlines(HeadlineUp, look=True),
    "what lay open goes under the pile": lambda: headlines(HeadlineReplaced, look=False),
    "letters dealt in secret": lambda: letters(LettersDealtInSecret),
    "a store of cards": lambda: chest(Chest, StoredInSecret),
    "points in play": lambda: tolls(pay_by_score, points_in_play("tolls")),
    "a question that ends": shares,
    "a million actions": lambda: bids(BidRule()),
    "a balance below zero": lambda: supplies("nothing"),
    "passes whose points come and go": lambda: plugin(
        "naps",
        may_pass=lambda state, seat: True,
        around=lambda rules: [Around(Pass, after=nap)],
        scoring=lambda rules: [points_in_play("naps", "Naps")],
    ),
    "a draw that first asks": lambda: plugin("asked", actions=lambda rules: [AskBeforeDrawing(), DrawNowRule()]),
    "a free action in every turn": lambda: humming(FreeHumRule()),
}

#: Plugins with a fault: the property that must find it, and words that the message must have.
FAULTY: dict[str, tuple[Callable[[], type[Variant]], str, list[str]]] = {
    "a part without sampling": (
        lambda: plugin("letters", parts=lambda rules: [Letters]),
        "secrets", ["determinize deals no world", "Letters shows something of itself", "how to deal what it hides", "redeal(view, dealer, world)"],
    ),
    "letters told to all at set-up": (
        lambda: letters(LettersDealt),
        "secrets", ["plugins.faulty.LettersDealt tells", "'letters'", 'secret("seat")'],
    ),
    "a secret told beside what is turned up": (nicknames, "secrets", ["plugins.faulty.NicknameTold tells"]),
    "what one seat has seen is told": (
        lambda: headlines(HeadlineTold, look=True), "secrets", ["plugins.faulty.HeadlineTold tells", 'secret("seat")', "something that is turned up"],
    ),
    "a card told to all": (
        lambda: chest(Chest, Stored), "secrets", ["plugins.faulty.Stored tells", "'card'", 'secret("seat")'],
    ),
    "a wrong deck in sampled worlds": (
        lambda: chest(LooseChest, StoredInSecret), "secrets", ["in a world that determinize deals", "pool=\"cards\""],
    ),
    "points counted twice": (
        lambda: tolls(pay_by_event, ScoringTerm("tolls", two_a_route)),
        "scores", ["plugins.faulty.TollPaid changes the points of routes", "tx.score(seat, points, term)"],
    ),
    "points in play without their term": (
        lambda: tolls(pay_by_score, ScoringTerm("tolls", two_a_route)), "scores", ["points_in_play('tolls')", "or another term counts them a second time"],
    ),
    "the same asked for ever": (
        lambda: shares(again=True), "course", ["ShareChoice is asked again and again", "TakeShare was played 200 times in answer to it"],
    ),
    "a part that is not given": (
        lambda: shares(parts=()), "course", ["TakeShare(", "has no part Taken", "give it to the hook parts"],
    ),
    "more taken than there is": (
        lambda: supplies("left"),
        "counts", ["plugins.faulty.Supplies.left is -1 after ClaimRoute(", "at the beginning it was 3", "more was taken than there was"],
    ),
    "more taken of a thing": (lambda: supplies("things"), "counts", ["Supplies.things['coal'] is -1", "more was taken than there was"]),
    "more taken of a seat": (lambda: supplies("seats"), "counts", ["Supplies.seats[", "] is -1", "more was taken than there was"]),
    "a hook that says it asked": (lambda: at_turn_end(lambda tx, seat: True), "course", ["a question is a decision"]),
    "a hook that ends the turn": (lambda: at_turn_end(ends_the_turn), "course", ["call each other without end"]),
    "extra turns without end": (lambda: at_turn_end(another_turn), "course", ["a turn does not end", "extra turns in succession", "grant_turn"]),
    "passes without end": (
        lambda: plugin(
            "closed", claim_refusal=closed_later, goes_on=lambda state: True,
            around=lambda rules: [Around(DrawTickets, refuse=closed_later), Around(DrawBlind, DrawFaceUp, refuse=closed_later)],
        ),
        "course", ["cannot be played", "goes_on of plugin 'closed' is still True after 100 rounds in which everybody had to pass"],
    ),
    "passes that are paid without end": (
        lambda: plugin(
            "lazy", may_pass=lambda state, seat: True,
            around=lambda rules: [Around(Pass, after=lambda tx, action: tx.score(action.seat, 1, "lazy"))],
            scoring=lambda rules: [points_in_play("lazy", "Lazy")],
        ),
        "ending", ["everybody passes who may, the game does not end, and is paid", "mostly Pass", "tx.begin_last_round"],
    ),
    "an action that stays legal": (
        lambda: humming(HumRule()),
        "ending", ["if no train cards and tickets are left, the game does not end", "Hum stays legal", "nobody ever has to pass"],
    ),
    "an auction that nobody need pay for": (
        lambda: plugin("auction", actions=lambda rules: [AuctionRule()]),
        "ending", ["if no train cards and tickets are left, the game does not end", "StartAuction stays legal", "nobody ever has to claim a route"],
    ),
    "passes that end the round": (
        lambda: plugin("early", around=lambda rules: [Around(Pass, before=lambda tx, action: tx.end_round())]),
        "ending", ["the game does not end (R4): nobody can do anything but pass", "tx.end_round"],
    ),
    "passes that grant a turn": (
        lambda: plugin("eager", around=lambda rules: [Around(Pass, after=lambda tx, action: tx.grant_turn(action.seat))]),
        "ending", ["the game does not end (R4): nobody can do anything but pass", "tx.grant_turn"],
    ),
    "a hook that fails in positions": (
        lambda: plugin(
            "openings", parts=lambda rules: [Openings], on_deal=lambda tx: tx.emit(OpeningsDealt, ("first",)), on_turn_start=opens_turn,
        ),
        "tables", ["no position can be arranged, not even an empty one", "plugin 'openings' failed in", "(in opens_turn, ", "Part.set_up"],
    ),
    "a follow-up that asks": (
        lambda: plugin(
            "asking", parts=lambda rules: [Taken], actions=lambda rules: [TakeShareRule(again=False)],
            around=lambda rules: [Around(ClaimRoute, after=ask_and_go_on)],
        ),
        "course", ["ShareChoice(", "before it is answered: return the question from `after`"],
    ),
    "a condition that changes its mind": (
        lambda: plugin("moody", claim_refusal=Moody()),
        "offers", ["claim_refusal of 'moody' changes its mind", "depend on the state alone"],
    ),
    "a route that was lost and is open again": (
        lambda: plugin("rest", claim_refusal=rests),
        "offers", ["claim_refusal of 'rest' closed ", "for good, but later it is open: return Refusal(…, lasting=False)"],
    ),
    "a mask that says something else": (
        lambda: plugin("night", claim_refusal=no_tunnels, closed_routes=no_routes_at_all),
        "offers", ["claim_refusal of 'night' says two things", "by its refusal it is open", "closed_routes closed"],
    ),
    "one of a million actions too many": (
        lambda: bids(TooManyBids()), "offers", ["TooManyBids: offers lists", ", 1000000)", "bids are from 0 to 999999"],
    ),
    "an option without a text": (
        lambda: plugin("mute", on_turn_start=lambda tx, seat: MuteChoice(seat)),
        "offers", ["label of the choice MuteChoice must give a text or None, not 1"],
    ),
    "a guard on claims": (
        lambda: plugin("dear", around=lambda rules: [Around(ClaimRoute, refuse=dear_claims)]),
        "stack", ["plugin 'dear' is on ClaimRoute", "claim_refusal"],
    ),
    "a ticket twice": (lambda: plugin("more", ticket_deck=ticket_twice), "stack", ["same id", "TicketDeck.beside"]),
    "an event whose words name no field": (
        lambda: made.plugin("words", (), "wrong_words"),
        "stack", ["words.WrongWords names {town}, which is not a field of it; it has seat"],
    ),
    "a question whose words name no field": (
        lambda: plugin("words", actions=lambda rules: [WrongQuestionRule(Stored)]),
        "stack", ["words.WrongQuestion names {cards}, which is not a field of it"],
    ),
    "a heading with fields": (
        lambda: plugin("words", actions=lambda rules: [WrongHeadingRule(Stored)]),
        "stack", ["words.WrongHeading is the heading of a menu and has no fields, but names {card}"],
    ),
    "a label that names no field": (
        lambda: plugin("words", actions=lambda rules: [WrongLabelRule(Stored)]),
        "stack", ["the label of words.WrongLabel names {other}, which is not a field of it; it has seat, "],
    ),
    "words that cannot be read": (
        lambda: made.plugin("words", (), "broken_words"), "stack", ["words.BrokenWords", "cannot be read"],
    ),
    "an event that reveals no class": (
        lambda: made.plugin("words", (), "wrong_reveals"),
        "stack", ["reveals of words.WrongReveals must be the class of the decision or action that it opens, such as reveals = Bid, or of the part of which it tells something, not 'Bid'"],
    ),
    "an adjuster that did nothing": (
        lambda: plugin("idle", draw_counts=lambda below, board: below()),
        "stack", ["plugin 'idle' adjusts 'draw_counts', but gives back what it is given"],
    ),
}  # fmt: skip
