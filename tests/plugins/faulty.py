"""Small plugins with one fault each, as authors make them, and sound ones that look like it; the kit must tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from types import ModuleType
from typing import Any

from attrs import define, evolve, frozen

from ttr_rules import Action, Board, ClaimRoute, Counts, Decision, DrawBlind, Event, Refusal, State, Ticket, Turn, View
from ttr_rules.events import Unknown
from ttr_rules.model import Components, Dealer
from ttr_rules.plugins import (
    ActionRule,
    AfterClaim,
    ClaimCondition,
    DrawCounts,
    FollowUp,
    GameData,
    Guard,
    LazyActions,
    Part,
    PartSpec,
    PluginInfo,
    ScoringTerm,
    Term,
    TicketDeck,
    Transaction,
    TurnHook,
    after_claim,
    end_turn,
    grant_turn,
    hookimpl,
    points_in_play,
    public,
    secret,
    secret_by_seat,
)
from ttr_rules.train_cards import CardPiles, CardStore


def plugin(name: str, **hooks: Callable[..., Any]) -> ModuleType:
    """A plugin with these hooks, for short games."""
    made = ModuleType(name)
    made.info = PluginInfo(name, name.title())  # type: ignore[attr-defined]
    hooks.setdefault("components", few_cars)
    for hook, function in hooks.items():
        setattr(made, hook, function if hasattr(function, "ttr_rules_impl") else hookimpl(function))
    return made


@hookimpl(wrapper=True)
def few_cars() -> Generator[None, Components, Components]:
    return evolve((yield), cars=14)


def parts(kind: type[Part], make: Callable[[int], Part], **more: Any) -> Callable[[], list[PartSpec]]:
    def start(rules: GameData, players: int) -> Part:
        return make(players)

    return lambda: [PartSpec(kind, start, **more)]


# -- what seats hide -------------------------------------------------------------------------------------------------


@define(eq=False)
class Letters(Part):
    """Letters that each seat holds, unseen."""

    held: list[tuple[str, ...]] = secret_by_seat(factory=list)


@define(eq=False)
class DealtLetters(Letters):
    """The same, with a way to deal them: those of others may be any."""

    def sample_hidden(self, view: View, dealer: Dealer, rules: GameData) -> None:
        lots: list[object] = list(view.part(DealtLetters).held)
        self.held = [
            tuple("ab"[dealer.below(2)] for _ in range(lot.count or 0)) if isinstance(lot, Unknown) else lot  # type: ignore[misc]
            for lot in lots
        ]


@frozen
class LettersDealt(Event):
    """The letters of a seat, told to everybody."""

    seat: int
    letters: tuple[str, ...] | Unknown

    @staticmethod
    def effect(state: State, seat: int, letters: tuple[str, ...]) -> None:
        state.part(DealtLetters).held[seat] = letters


@frozen
class LettersDealtInSecret(LettersDealt):
    """The letters of a seat, its secret."""

    letters: tuple[str, ...] | Unknown = secret("seat")


def deal(kind: type[LettersDealt]) -> Callable[[Transaction], None]:
    def deal_letters(tx: Transaction) -> None:
        for seat in range(tx.state.players):
            tx.emit(kind, seat, tx.shuffled(("a", "b", "a"))[:2])

    return deal_letters


def letters(kind: type[LettersDealt]) -> ModuleType:
    made = parts(DealtLetters, lambda players: DealtLetters([()] * players), set_up=deal(kind))
    return plugin("letters", state_parts=made, event_types=lambda: [kind])


@define(eq=False)
class Chest(CardStore):
    """Cards put aside, counted with the deck."""


@define(eq=False)
class LooseChest(Part):
    """Cards put aside in a part that the economy knows nothing of."""

    stored: list[Counts] = secret_by_seat(factory=list)

    def sample_hidden(self, view: View, dealer: Dealer, rules: GameData) -> None:
        lots: list[object] = list(view.part(LooseChest).stored)
        self.stored = [lot if isinstance(lot, Counts) else Counts(red=getattr(lot, "count", 0) or 0) for lot in lots]


@frozen
class StoreChoice(Decision):
    public = True
    message = "Which card do you put aside?"


@frozen
class Store(Action):
    message = "Put a card aside"
    card: str


@frozen
class Stored(Event):
    """A card was put aside; which one is told to everybody."""

    message = "{seat} puts a card aside"
    seat: int
    card: str | Unknown

    @staticmethod
    def effect(state: State, seat: int, card: str) -> None:
        state.part(CardPiles).take(seat, Counts({card: 1}))
        part: Any = next(part for kind, part in state.parts.items() if kind in (Chest, LooseChest))
        part.stored[seat] = Counts({**part.stored[seat], card: part.stored[seat][card] + 1})


@frozen
class StoredInSecret(Stored):
    card: str | Unknown = secret("seat")


class StoreRule(ActionRule[StoreChoice, Store]):
    on = StoreChoice
    action = Store

    def __init__(self, event: type[Stored]) -> None:
        self.event = event

    def offers(self, state: State, decision: StoreChoice) -> Sequence[Store]:
        return [Store(decision.seat, card) for card in state.part(CardPiles).counts(decision.seat)]

    def perform(self, tx: Transaction, decision: StoreChoice, action: Store) -> None:
        tx.emit(self.event, action.seat, action.card)
        end_turn(tx, action.seat, after=STORING)


def ask_to_store(tx: Transaction, seat: int) -> bool:
    held = tx.state.part(CardPiles).hand[seat]
    if sum(held) < 3:
        return False
    tx.ask(StoreChoice(seat))
    return True


STORING = TurnHook("store", ask_to_store)


def chest(kind: type[Part], event: type[Stored]) -> ModuleType:
    return plugin(
        "chest",
        state_parts=parts(kind, lambda players: kind([Counts()] * players)),  # type: ignore[call-arg]
        event_types=lambda: [event],
        action_rules=lambda: [StoreRule(event)],
        turn_ends=lambda: [STORING],
    )


# -- points ----------------------------------------------------------------------------------------------------------


@frozen
class TollPaid(Event):
    """Puts points into the points of routes."""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.scores[seat] += 2


def pay_by_event(tx: Transaction, seat: int, route: str) -> bool:
    tx.emit(TollPaid, seat)
    return False


def pay_by_score(tx: Transaction, seat: int, route: str) -> bool:
    tx.score(seat, 2, "tolls")
    return False


def two_a_route(state: State, seat: int) -> Term:
    return Term(2 * len(state.routes_of(seat)))


def tolls(pay: Callable[[Transaction, int, str], bool], term: ScoringTerm) -> ModuleType:
    return plugin(
        "tolls",
        after_claims=lambda: [AfterClaim("tolls", pay)],
        scoring_terms=lambda: [term],
        event_types=lambda: [TollPaid],
    )


# -- questions -------------------------------------------------------------------------------------------------------


@frozen
class ShareChoice(Decision):
    public = True
    message = "Which share do you take?"
    route: str


@frozen
class TakeShare(Action):
    message = "Take a share"
    company: str


@define(eq=False)
class Taken(Part):
    shares: list[str] = public(factory=list)


@frozen
class ShareTaken(Event):
    message = "{seat} takes a share of {company}"
    seat: int
    company: str

    @staticmethod
    def effect(state: State, seat: int, company: str) -> None:
        state.part(Taken).shares.append(company)


class TakeShareRule(ActionRule[ShareChoice, TakeShare]):
    on = ShareChoice
    action = TakeShare

    def __init__(self, goes_on: str) -> None:
        self.goes_on = goes_on

    def offers(self, state: State, decision: ShareChoice) -> Sequence[TakeShare]:
        return [TakeShare(decision.seat, name) for name in ("north", "south")]

    def perform(self, tx: Transaction, decision: ShareChoice, action: TakeShare) -> None:
        tx.emit(ShareTaken, action.seat, action.company)
        if self.goes_on == "asks again":
            tx.ask(decision)
        elif self.goes_on == "ends":
            after_claim(tx, action.seat, decision.route, TAKING)


def ask_for_share(tx: Transaction, seat: int, route: str) -> bool:
    tx.ask(ShareChoice(seat, route))
    return True


TAKING = AfterClaim("shares", ask_for_share)


def shares(goes_on: str) -> ModuleType:
    return plugin(
        "shares",
        state_parts=parts(Taken, lambda players: Taken()),
        event_types=lambda: [ShareTaken],
        action_rules=lambda: [TakeShareRule(goes_on)],
        after_claims=lambda: [TAKING],
    )


def says_it_asked(tx: Transaction, seat: int) -> bool:
    return True


def ends_the_turn(tx: Transaction, seat: int) -> bool:
    end_turn(tx, seat)
    return False


def another_turn(tx: Transaction, seat: int) -> bool:
    grant_turn(tx, seat)
    return False


def ask_and_go_on(tx: Transaction, action: ClaimRoute) -> None:
    tx.ask(ShareChoice(action.seat, action.route))


def turn_hook(call: Callable[[Transaction, int], bool]) -> ModuleType:
    return plugin("hooked", turn_ends=lambda: [TurnHook("hooked", call)])


# -- a draw that first asks (sound) ----------------------------------------------------------------------------------


@frozen
class DrawChoice(Decision):
    public = True
    message = "Do you draw from the pile?"


@frozen
class DrawNow(Action):
    message = "Draw"


@frozen
class DrawnAfterAll(Event):
    message = "{seat} draws a card"
    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        piles = state.part(CardPiles)
        card = piles.pile[piles.drawn]
        piles.drawn += 1
        piles.hand[seat][card] += 1


class AskBeforeDrawing(ActionRule[Turn, DrawBlind]):
    on = Turn
    action = DrawBlind
    replaces = True

    def offers(self, state: State, decision: Turn) -> Sequence[DrawBlind]:
        piles = state.part(CardPiles)
        return [DrawBlind(decision.seat)] if len(piles.pile) - piles.drawn > 1 else ()

    def perform(self, tx: Transaction, decision: Turn, action: DrawBlind) -> None:
        tx.ask(DrawChoice(action.seat))


class DrawNowRule(ActionRule[DrawChoice, DrawNow]):
    on = DrawChoice
    action = DrawNow

    def offers(self, state: State, decision: DrawChoice) -> Sequence[DrawNow]:
        return [DrawNow(decision.seat)]

    def perform(self, tx: Transaction, decision: DrawChoice, action: DrawNow) -> None:
        tx.emit(DrawnAfterAll, action.seat)
        end_turn(tx, action.seat)


# -- conditions, tickets, words, adjusters ---------------------------------------------------------------------------


class Moody:
    """Refuses a route every other time it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, state: State, seat: int, route: str) -> Refusal | None:
        self.calls += 1
        return Refusal("moody", "not today") if self.calls % 2 else None


def no_tunnels(state: State, seat: int, route: str) -> Refusal | None:
    return Refusal("night", "no long routes") if state.rules.board.routes[route].length > 4 else None


def no_routes_at_all(state: State, seat: int) -> int:
    return (1 << len(state.rules.board.routes)) - 1


def dear_claims(state: State, decision: Decision, action: ClaimRoute) -> Refusal | None:
    return None


@hookimpl(wrapper=True)
def ticket_twice(board: Board) -> Generator[None, TicketDeck, TicketDeck]:
    deck = yield
    name, pile = next(iter(deck.piles.items()))
    return TicketDeck({**deck.piles, name: (*pile, Ticket(pile[0].id, pile[0].cities[::-1], 3))})


@frozen
class WrongWords(Event):
    message = "{seat} does something in {town}"
    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        """Nothing happens."""


@frozen
class WrongQuestion(StoreChoice):
    message = "Which of {cards}?"


@frozen
class WrongHeading(Store):
    message = "Put {card} aside"


@frozen
class BrokenWords(WrongWords):
    message = "{seat does something"


class WrongQuestionRule(StoreRule):
    on = WrongQuestion


class WrongHeadingRule(StoreRule):
    action = WrongHeading


@hookimpl(wrapper=True)
def unchanged_counts() -> Generator[None, DrawCounts, DrawCounts]:
    return (yield)


# -- very many actions -----------------------------------------------------------------------------------------------


@frozen
class Bid(Action):
    message = "Bid"
    points: int


class Bids(LazyActions[Bid]):
    """Very many bids."""

    __slots__ = ("_seat",)

    def __init__(self, seat: int, size: int) -> None:
        super().__init__(size)
        self._seat = seat

    def nth(self, index: int) -> Bid:
        return Bid(self._seat, index)

    def sample(self, most: int = 100) -> Iterator[Bid]:
        return (self.nth(index) for index in range(len(self) - 1, -1, -(len(self) // most)))

    def __contains__(self, action: object) -> bool:
        return type(action) is Bid and action.seat == self._seat and action.points in range(len(self))


@frozen
class BidMade(Event):
    message = "{seat} bids {points}"
    seat: int
    points: int

    @staticmethod
    def effect(state: State, seat: int, points: int) -> None:
        state.part(Taken).shares.append(f"{seat}: {points}")


class BidRule(ActionRule[Turn, Bid]):
    on = Turn
    action = Bid
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
        end_turn(tx, action.seat)


class TooManyBids(BidRule):
    size = 1_000_001


def bids(rule: BidRule) -> ModuleType:
    made = parts(Taken, lambda players: Taken())
    return plugin("bids", action_rules=lambda: [rule], event_types=lambda: [BidMade], state_parts=made)


#: Sound plugins that look like those with faults.
SOUND: dict[str, Callable[[], ModuleType]] = {
    "letters dealt in secret": lambda: letters(LettersDealtInSecret),
    "a store of cards": lambda: chest(Chest, StoredInSecret),
    "points in play": lambda: tolls(pay_by_score, points_in_play("tolls")),
    "a question that ends": lambda: shares("ends"),
    "a million actions": lambda: bids(BidRule()),
    "a draw that first asks": lambda: plugin(
        "asked", action_rules=lambda: [AskBeforeDrawing(), DrawNowRule()], event_types=lambda: [DrawnAfterAll]
    ),
}

#: Plugins with a fault: the property that must find it, and words that the message must have.
FAULTY: dict[str, tuple[Callable[[], ModuleType], str, list[str]]] = {
    "a part without sampling": (
        lambda: plugin("letters", state_parts=parts(Letters, lambda players: Letters([("a",)] * players))),
        "secrets", ["plugins.faulty.Letters hides something", "determinize fails", "sample_hidden(view, dealer, rules)"],
    ),
    "letters told to all at set-up": (
        lambda: letters(LettersDealt),
        "secrets", ["plugins.faulty.LettersDealt tells", "'letters'", 'secret("seat")'],
    ),
    "a card told to all": (
        lambda: chest(Chest, Stored), "secrets", ["plugins.faulty.Stored tells", "'card'", 'secret("seat")'],
    ),
    "a wrong deck in sampled worlds": (
        lambda: chest(LooseChest, StoredInSecret), "secrets", ["in a world that determinize deals", "CardStore"],
    ),
    "points counted twice": (
        lambda: tolls(pay_by_event, ScoringTerm("tolls", two_a_route)),
        "scores", ["plugins.faulty.TollPaid changes the points of routes", "tx.score(seat, points, term)"],
    ),
    "points in play without their term": (
        lambda: tolls(pay_by_score, ScoringTerm("tolls", two_a_route)), "scores", ["points_in_play('tolls')"],
    ),
    "a question left open": (
        lambda: shares("nothing"),
        "course", ["plugins.faulty.TakeShareRule leaves its question open", "ShareChoice(", "end_turn(tx, seat)"],
    ),
    "the same asked for ever": (
        lambda: shares("asks again"), "course", ["a turn does not end", "ShareChoice is asked again and again", "must say which one it answers"],
    ),
    "a part that is not given": (
        lambda: plugin(
            "shares", event_types=lambda: [ShareTaken], action_rules=lambda: [TakeShareRule("ends")],
            after_claims=lambda: [TAKING],
        ),
        "course", ["TakeShare(", "has no part Taken", "give it to the hook state_parts"],
    ),
    "a hook that says it asked": (lambda: turn_hook(says_it_asked), "course", ["say True only if it asked"]),
    "a hook that ends the turn": (lambda: turn_hook(ends_the_turn), "course", ["call each other without end"]),
    "extra turns without end": (lambda: turn_hook(another_turn), "course", ["a turn does not end", "extra turns in succession", "grant_turn"]),
    "a follow-up that asks": (
        lambda: plugin(
            "asking", follow_ups=lambda: [FollowUp("asking", ClaimRoute, ask_and_go_on)],
            state_parts=parts(Taken, lambda players: Taken()), event_types=lambda: [ShareTaken],
            action_rules=lambda: [TakeShareRule("ends")],
        ),
        "course", ["ShareChoice(", "a FollowUp asks nothing"],
    ),
    "a condition that changes its mind": (
        lambda: plugin("moody", claim_conditions=lambda: [ClaimCondition("moody", Moody())]),
        "offers", ["the claim condition 'moody' changes its mind", "depend on the state alone"],
    ),
    "a mask that says something else": (
        lambda: plugin("night", claim_conditions=lambda: [ClaimCondition("night", no_tunnels, no_routes_at_all)]),
        "offers", ["the claim condition 'night' says two things", "by its refusal it is open", "`closed` closed"],
    ),
    "one of a million actions too many": (
        lambda: bids(TooManyBids()), "offers", ["TooManyBids: offers lists", ", 1000000)", "bids are from 0 to 999999"],
    ),
    "a guard on claims": (
        lambda: plugin("dear", guards=lambda: [Guard("dear", ClaimRoute, dear_claims)]),
        "stack", ["the guard 'dear' is on ClaimRoute", "ClaimCondition"],
    ),
    "a ticket twice": (lambda: plugin("more", ticket_deck=ticket_twice), "stack", ["same id", "TicketDeck.beside"]),
    "an event whose words name no field": (
        lambda: plugin("words", event_types=lambda: [WrongWords]),
        "stack", ["words.WrongWords names {town}, which is not a field of it; it has seat"],
    ),
    "a question whose words name no field": (
        lambda: plugin("words", action_rules=lambda: [WrongQuestionRule(Stored)]),
        "stack", ["words.WrongQuestion names {cards}, which is not a field of it"],
    ),
    "a heading with fields": (
        lambda: plugin("words", action_rules=lambda: [WrongHeadingRule(Stored)]),
        "stack", ["words.WrongHeading is the heading of a menu and has no fields, but names {card}"],
    ),
    "words that cannot be read": (
        lambda: plugin("words", event_types=lambda: [BrokenWords]), "stack", ["words.BrokenWords", "cannot be read"],
    ),
    "an adjuster that did nothing": (
        lambda: plugin("idle", draw_counts=unchanged_counts),
        "stack", ["plugin 'idle' adjusts 'draw_counts', but gives back what it is given"],
    ),
}  # fmt: skip
