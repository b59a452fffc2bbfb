"""Events of dice and tokens."""

from __future__ import annotations

from attrs import frozen

from ttr_rules import Counts, Event, State

from .faces import TOKENS
from .state import NOTHING, Dice, counted


@frozen
class DiceRolled(Event):
    """A seat rolled all five dice: its turn begins (X3)."""

    message = "{seat} rolls {faces}\n"

    seat: int
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, faces: tuple[str, ...]) -> None:
        state.part(Dice).begin(seat, faces)


@frozen
class DiceRerolled(Event):
    """A seat rolled some dice once more; `faces` are all five now (X3)."""

    message = "{seat} rolls {again} again and has {faces}\n"

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
    """A seat spent dice and tokens (X4, X6); `traded` dice gave the tokens missing from its stock (R11)."""

    message = "with {payment:with}"

    seat: int
    payment: Counts
    traded: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts, traded: Counts) -> None:
        state.part(Dice).spend(seat, payment, traded)


@frozen
class DiceLaid(Event):
    """A seat committed dice and tokens to a tunnel (X10); `traded` as in `DiceSpent`."""

    message = "with {payment:with}"

    seat: int
    payment: Counts
    traded: Counts

    @staticmethod
    def effect(state: State, seat: int, payment: Counts, traded: Counts) -> None:
        dice = state.part(Dice)
        dice.held = (dice.unused, dice.tokens[seat])
        dice.spend(seat, payment, traded)


@frozen
class TunnelDiceRolled(Event):
    """The tunnel dice were rolled (X10). Only a roll without a tunnel is told here; others cost more and are told with that."""

    message = "with no tunnel on the tunnel dice"

    seat: int
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, faces: tuple[str, ...]) -> None:
        pass


@frozen
class LaidDiceSpent(Event):
    """A tunnel was paid for: what was committed to it is spent (X10)."""

    message = ""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.part(Dice).held = None


@frozen
class LaidDiceTakenBack(Event):
    """A tunnel failed: nothing is spent, and no token gained (R12). The dice cannot be used again, unless `tokens`."""

    message = ""

    seat: int
    tokens: bool

    @staticmethod
    def effect(state: State, seat: int, tokens: bool) -> None:
        dice = state.part(Dice)
        assert dice.held is not None, "a tunnel was entered"
        dice.unused, dice.tokens[seat] = dice.held
        if not tokens:
            dice.unused = NOTHING
        dice.held = None


@frozen
class TokensTaken(Event):
    """A seat took tokens for unused dice (X6)."""

    message = "{seat} takes {tokens}"

    seat: int
    tokens: Counts

    @staticmethod
    def effect(state: State, seat: int, tokens: Counts) -> None:
        dice = state.part(Dice)
        stock = dice.tokens[seat]
        dice.tokens[seat] = Counts({token: stock[token] + tokens[token] for token in TOKENS.values()})
        dice.unused = NOTHING


@frozen
class TokensReturned(Event):
    """A seat gave tokens back (X7)."""

    message = "{seat} gives {tokens} back"

    seat: int
    tokens: Counts

    @staticmethod
    def effect(state: State, seat: int, tokens: Counts) -> None:
        dice = state.part(Dice)
        stock = dice.tokens[seat]
        dice.tokens[seat] = Counts({token: stock[token] - tokens[token] for token in TOKENS.values()})


@frozen
class DiceArranged(Event):
    """An arranged position: all players' tokens, and the dice, none if they have yet to be rolled."""

    message = ""

    faces: tuple[str, ...]
    tokens: tuple[Counts, ...]

    @staticmethod
    def effect(state: State, faces: tuple[str, ...], tokens: tuple[Counts, ...]) -> None:
        if len(tokens) != state.players:
            raise ValueError(f"{len(tokens)} seats have tokens, not {state.players}")  # an invalid event
        dice = state.part(Dice)
        dice.faces = faces
        dice.tokens = list(tokens)
        dice.set_out = bool(faces)


@frozen
class DiceFound(Event):
    """A seat's turn begins with the dice of an arranged position, which have been rolled already (X3)."""

    message = "{seat} has rolled {faces}\n"

    seat: int
    faces: tuple[str, ...]

    @staticmethod
    def effect(state: State, seat: int, faces: tuple[str, ...]) -> None:
        dice = state.part(Dice)
        dice.begin(seat, faces)
        dice.set_out = False
