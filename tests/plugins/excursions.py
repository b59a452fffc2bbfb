"""A mechanic: an excursion from a city that one's routes reach brings a postcard, kept secret, worth points at the end.

An excursion costs one space more each time, whatever the stack pays with. Two postcards are drawn and one is kept. After the
last turn the owner of two or more frames one of them, which doubles it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ttr_rules import Action, Counts, Decision, Event, Refusal, State, Turn, View
from ttr_rules.events import Unknown
from ttr_rules.model import Cost, Dealer, HiddenDecision, to_counts
from ttr_rules.plugins import (
    ActionRule,
    Economy,
    Part,
    Question,
    Rules,
    Score,
    ScoringTerm,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    public,
    secret,
)

VALUES: Mapping[str, int] = {f"view-{number}": 1 + number % 4 for number in range(1, 13)}


class Album(Part):
    """Where excursions went, the postcards left, those that each seat keeps, and those framed for all to see."""

    visited: dict[str, int] = public()
    left: tuple[str, ...] = hidden(default=tuple(VALUES))
    cards: list[tuple[str, ...]] = by_seat()
    framed: list[str | None] = public(each=None)

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        shown = view.part(Album)
        self.visited = dict(shown.visited)
        self.framed = list(shown.framed)
        own = () if view.seat is None else shown.cards[view.seat]
        mine = view.decision.cards if isinstance(view.decision, PostcardChoice) else ()
        pool = dealer.shuffled([card for card in VALUES if card not in (*own, *mine, *self.framed)])
        cards: list[tuple[str, ...] | Unknown] = [*shown.cards]
        for seat, held in enumerate(cards):
            if isinstance(held, Unknown):
                framed = tuple(card for card in self.framed[seat : seat + 1] if card)
                hidden = (held.count or 0) - len(framed)
                self.cards[seat] = (*pool[:hidden], *framed)
                pool = pool[hidden:]
            else:
                self.cards[seat] = held
        self.left = tuple(card for card in VALUES if card in (*pool, *mine))

    def sample_decision(self, hidden: HiddenDecision, view: View, dealer: Dealer, rules: Rules) -> Decision | None:
        if hidden.kind == "PostcardChoice":
            return PostcardChoice(hidden.seat, dealer.shuffled(self.left)[:2])
        return Framing(hidden.seat) if hidden.kind == "Framing" else None


class Travel(Action):
    """Go on an excursion from a city."""

    city: str
    payment: Counts

    def __init__(self, seat: int, city: str, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, city, to_counts(payment))


class KeepPostcard(Action):
    """Keep this one of the two postcards."""

    card: str


class FramePostcard(Action):
    """Frame one postcard."""

    card: str


class PostcardChoice(Decision):
    """Which postcard to keep; the postcards are the seat's secret."""

    cards: tuple[str, ...]

    def __str__(self) -> str:
        return "to choose a postcard"


class Framing(Decision):
    """Which postcard to frame, after the last turn."""

    def __str__(self) -> str:
        return "to frame a postcard"


class PostcardsDrawn(Event):
    """An excursion: the seat drew postcards."""

    seat: int
    city: str
    cards: tuple[str, ...] | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        state.part(Album).visited[self.city] = self.seat


class PostcardKept(Event):
    """The seat kept one postcard; any other went back."""

    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: State) -> None:
        album = state.part(Album)
        album.cards[self.seat] += (known(self.card),)
        album.left = tuple(other for other in album.left if other != known(self.card))


class PostcardFramed(Event):
    """The seat framed a postcard, for all to see."""

    seat: int
    card: str

    def apply(self, state: State) -> None:
        state.part(Album).framed[self.seat] = known(self.card)


def reached(state: State, seat: int) -> list[str]:
    """The cities that a seat may travel from, by name."""
    board = state.rules.board
    visited = state.part(Album).visited
    ends = {city for id, owner in state.owners.items() if owner == seat for city in board.routes[id].cities}
    return sorted(ends - visited.keys())


def cost(state: State, seat: int) -> Cost:
    return Cost("excursion", 1 + len(state.part(Album).cards[seat]))


class TravelRule(ActionRule[Turn, Travel]):
    def __init__(self, economy: Economy) -> None:
        self.economy = economy

    def offers(self, state: State, decision: Turn) -> Sequence[Travel]:
        seat = decision.seat
        if not state.part(Album).left:
            return ()
        payments = tuple(self.economy.payments(state, seat, cost(state, seat)))
        return [Travel(seat, city, payment) for city in reached(state, seat) for payment in payments]

    def refusal(self, state: State, decision: Turn, action: Travel) -> Refusal | None:
        album = state.part(Album)
        if action.city not in state.rules.board.cities:
            return Refusal("excursion-1", f"there is no city {action.city!r}")
        if action.city in album.visited:
            return Refusal("excursion-2", f"{action.city} has been left for an excursion already")
        routes = state.rules.board.routes
        if not any(action.city in routes[id].cities for id, owner in state.owners.items() if owner == action.seat):
            return Refusal("excursion-3", f"no route of seat {action.seat} reaches {action.city}")
        if not album.left:
            return Refusal("excursion-4", "no postcards are left")
        return self.economy.refusal(state, action.seat, cost(state, action.seat), action.payment)

    def perform(self, tx: Transaction, decision: Turn, action: Travel) -> Question:
        self.economy.pay(tx, action.seat, cost(tx.state, action.seat), action.payment)
        cards = tx.shuffled(tx.state.part(Album).left)[:2]
        tx.emit(PostcardsDrawn, action.seat, action.city, cards)
        return PostcardChoice(action.seat, cards)


class KeepRule(ActionRule[PostcardChoice, KeepPostcard]):
    def offers(self, state: State, decision: PostcardChoice) -> Sequence[KeepPostcard]:
        return [KeepPostcard(decision.seat, card) for card in decision.cards]

    def refusal(self, state: State, decision: PostcardChoice, action: KeepPostcard) -> Refusal | None:
        return None if action.card in decision.cards else Refusal("excursion-5", f"{action.card!r} was not drawn")

    def perform(self, tx: Transaction, decision: PostcardChoice, action: KeepPostcard) -> None:
        tx.emit(PostcardKept, action.seat, action.card)


class FrameRule(ActionRule[Framing, FramePostcard]):
    def offers(self, state: State, decision: Framing) -> Sequence[FramePostcard]:
        return [FramePostcard(decision.seat, card) for card in state.part(Album).cards[decision.seat]]

    def refusal(self, state: State, decision: Framing, action: FramePostcard) -> Refusal | None:
        if action.card in state.part(Album).cards[decision.seat]:
            return None
        return Refusal("excursion-6", f"seat {decision.seat} has no postcard {action.card!r}")

    def perform(self, tx: Transaction, decision: Framing, action: FramePostcard) -> Question:
        tx.emit(PostcardFramed, action.seat, action.card)
        return next_owner(tx.state)


def next_owner(state: State) -> Question:
    """The next seat that has postcards to choose from."""
    album = state.part(Album)
    for seat, cards in enumerate(album.cards):
        if len(cards) > 1 and album.framed[seat] is None:
            return Framing(seat)
    return ()


def worth(state: State, seat: int) -> Score:
    album = state.part(Album)
    kept = [*album.cards[seat], *([album.framed[seat]] if album.framed[seat] else [])]
    return Score(sum(VALUES[card] for card in kept if card), len(album.cards[seat]))


class Excursions(Variant, name="excursions"):
    """Excursions: postcards from the cities that one reaches."""

    @hookimpl
    def parts(self, rules: Rules) -> Iterable[type[Part]]:
        return (Album,)

    @hookimpl
    def actions(self, rules: Rules) -> Iterable[ActionRule[Any, Any]]:
        return (TravelRule(rules.economy), KeepRule(), FrameRule())

    @hookimpl
    def scoring(self, rules: Rules) -> Iterable[ScoringTerm]:
        return (ScoringTerm("excursions", worth),)

    @hookimpl
    def on_game_end(self, tx: Transaction) -> Question:
        return next_owner(tx.state)
