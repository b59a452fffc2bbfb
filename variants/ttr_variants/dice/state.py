"""The state of the dice economy, and the facts that change it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ttr_rules import Counts, Event, Part, State

from .faces import MAX_TOKENS, STATION, TOKENS, WILD

NOTHING = Counts()


class Dice(Part):
    """The dice of this turn and everybody's tokens; all of it public (X2).

    `faces` are the five dice as they lie, `unused` those not put into anything yet; `tokens` everybody's stock.
    `may_gain` is false in a turn begun with three tokens (X7). `laid` is what a tunnel was entered with and `held` what
    was there before, while it is being paid for.
    """

    __slots__ = ("faces", "held", "laid", "may_gain", "tokens", "unused")

    shown = ("dice", "tokens")

    def __init__(self, players: int) -> None:
        self.faces: tuple[str, ...] = ()
        self.unused = NOTHING
        self.tokens: list[Counts] = [NOTHING] * players
        self.may_gain = True
        self.laid: Counts | None = None
        self.held: tuple[Counts, Counts] | None = None

    @property
    def dice(self) -> tuple[str, ...]:
        """The faces of the five dice, left to right."""
        return self.faces

    def copy(self) -> Dice:
        new = Dice.__new__(Dice)
        new.faces = self.faces
        new.unused = self.unused
        new.tokens = self.tokens.copy()
        new.may_gain = self.may_gain
        new.laid = self.laid
        new.held = self.held
        return new

    def value(self) -> object:
        return (self.faces, self.unused, self.tokens, self.may_gain, self.laid, self.held)

    def seen_by(self, seat: int | None) -> Mapping[str, Any]:
        return {"dice": self.faces, "unused": self.unused, "tokens": tuple(self.tokens)}

    def stock(self, seat: int) -> Counts:
        """The tokens of a seat."""
        return self.tokens[seat]

    def room(self, seat: int) -> int:
        """How many tokens a seat may gain now for its unused dice (X6, X7)."""
        return min(self.unused.total // 2, MAX_TOKENS - self.stock(seat).total) if self.may_gain else 0

    def spend(self, seat: int, payment: Counts) -> None:
        """Put dice and tokens in; what the stock lacks in tokens is gained from unused dice first (R11).

        The dice traded are those of least use in this turn: faces that no route of this kind takes, wild ones last.
        """
        unused = {face: self.unused[face] - payment[face] for face in (*TOKENS, STATION, WILD)}
        stock = {token: self.stock(seat)[token] - payment[token] for token in TOKENS.values()}
        kind = next((kind for kind, token in TOKENS.items() if payment[token]), None)
        for token, count in stock.items():
            for _ in range(2 * max(-count, 0)):
                order = sorted(unused, key=lambda face: (face == WILD, face == kind, face))
                traded = next(face for face in order if unused[face])
                unused[traded] -= 1
            stock[token] = max(count, 0)
        self.unused = Counts(unused)
        self.tokens[seat] = Counts(stock)


@frozen
class DiceRolled(Event):
    """A seat rolled all five dice (X3)."""

    seat: int
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, faces: tuple[str, ...]) -> None:
        dice = state.part(Dice)
        dice.faces = faces
        dice.unused = counted(faces)
        dice.may_gain = dice.stock(seat).total < MAX_TOKENS


@frozen
class DiceRerolled(Event):
    """A seat rolled some dice once more; `faces` are all five now (X3)."""

    seat: int
    again: Counts
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, again: Counts, faces: tuple[str, ...]) -> None:
        dice = state.part(Dice)
        dice.faces = faces
        dice.unused = counted(faces)


@frozen
class DiceSpent(Event):
    """A seat put dice and tokens in (X4, X6)."""

    seat: int
    payment: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts) -> None:
        dice = state.part(Dice)
        dice.spend(seat, payment)
        dice.laid = dice.held = None


@frozen
class DiceLaid(Event):
    """A seat committed dice and tokens to a tunnel (X10)."""

    seat: int
    payment: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts) -> None:
        dice = state.part(Dice)
        dice.held = (dice.unused, dice.stock(seat))
        dice.laid = payment
        dice.spend(seat, payment)


@frozen
class TunnelDiceRolled(Event):
    """The tunnel dice fell (X10)."""

    seat: int
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, faces: tuple[str, ...]) -> None:
        pass


@frozen
class DiceTakenBack(Event):
    """A tunnel failed: nothing is spent (R12). Unless `tokens` says otherwise, the dice are of no more use."""

    seat: int
    tokens: bool

    @staticmethod
    def effect(state: State, seat: int, tokens: bool) -> None:
        dice = state.part(Dice)
        if dice.held is not None:
            dice.unused, dice.tokens[seat] = dice.held
        if not tokens:
            dice.unused = NOTHING
        dice.laid = dice.held = None


@frozen
class TokensTaken(Event):
    """A seat took tokens for unused dice (X6)."""

    seat: int
    tokens: Counts

    @staticmethod
    def effect(state: State, seat: int, tokens: Counts) -> None:
        dice = state.part(Dice)
        stock = dice.stock(seat)
        dice.tokens[seat] = Counts({token: stock[token] + tokens[token] for token in TOKENS.values()})
        dice.unused = NOTHING


@frozen
class TokensReturned(Event):
    """A seat gave tokens back (X7)."""

    seat: int
    tokens: Counts

    @staticmethod
    def effect(state: State, seat: int, tokens: Counts) -> None:
        dice = state.part(Dice)
        stock = dice.stock(seat)
        dice.tokens[seat] = Counts({token: stock[token] - tokens[token] for token in TOKENS.values()})


def counted(faces: tuple[str, ...]) -> Counts:
    """How many dice show each face."""
    return Counts({face: faces.count(face) for face in dict.fromkeys(faces)})


EVENTS = (
    DiceRolled,
    DiceRerolled,
    DiceSpent,
    DiceLaid,
    TunnelDiceRolled,
    DiceTakenBack,
    TokensTaken,
    TokensReturned,
)
