"""The contents of the dice expansion (X2): its rulings, its state, its decisions and actions, its events."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from ttr_rules import Action, Counts, Decision, DrawTickets, Event, State
from ttr_rules.language import named, noun
from ttr_rules.model import to_counts
from ttr_rules.plugins import Part, Rules, Variant, option, public
from ttr_rules.text import brief

DICE = 5
#: X7. Of each kind there are 15 tokens (X2), three for each of five players, so they never run out.
MAX_TOKENS = 3
LONGEST = DICE + MAX_TOKENS  # more spaces than these can never be filled (R16)
WILD = "locomotive"
#: The mark of a cost that one locomotive face has already paid, if the ruling says so (R19).
SAME_JOURNEY = "same_journey"
STATION = noun("station")
SINGLE, DOUBLE = noun("single"), noun("double")
#: The faces of a train die.
TRAIN_DIE = (SINGLE, SINGLE, DOUBLE, DOUBLE, STATION, WILD)
#: The faces of a tunnel die.
TUNNEL, BLANK = named("tunnel"), named("blank")
#: The kinds of route, and the token of each.
TOKENS: Mapping[str, str] = {SINGLE: "single_token", DOUBLE: "double_token"}
#: The names of tokens.
TOKEN_NAMES = (noun("single token"), noun("double token"))


class DiceOptions(Variant):
    """Rulings on open cases about dice. `tunnel_faces` is the number of the six faces of a tunnel die that show a tunnel (R14).

    >>> DiceOptions(tunnel_faces=2).dice_action_optional
    False
    """

    tunnel_faces: int = option(
        1, 0, 2, 3, 4, 5, 6, rule="R14", meaning="how many of the six faces of a tunnel die show a tunnel"
    )
    tokens_after_failed_tunnel: bool = option(
        False, True, rule="R12", meaning="after a failed tunnel, unused dice may still be traded for tokens"
    )
    dice_action_optional: bool = option(False, True, rule="R13", meaning="no action need be taken")
    long_route_as_eight: bool = option(
        False, True, rule="R16", meaning="a route longer than eight spaces is paid as eight"
    )
    one_wild_a_journey: bool = option(
        False, True, rule="R19", meaning="one locomotive die opens the routes of others for a whole journey"
    )


NOTHING = Counts()
_known: dict[Counts, Counts] = {}


def _same(counts: Mapping[str, int]) -> Counts:
    """Counts of dice or tokens: one object for those that are equal, which makes comparing them quick."""
    made = Counts(counts)
    return _known.setdefault(made, made)


@cache
def stock(single: int, double: int) -> Counts:
    """So many tokens of either kind."""
    return _same(dict(zip(TOKENS.values(), (single, double), strict=True)))


@lru_cache(maxsize=4096)
def count_faces(faces: tuple[str, ...]) -> Counts:
    """The number of dice that show each face."""
    return _same({face: faces.count(face) for face in dict.fromkeys(TRAIN_DIE)})


@lru_cache(maxsize=4096)
def less(held: Counts, *gone: Counts) -> Counts:
    """The dice or tokens left when some are gone. Tokens gained and spent at once were never held."""
    return _same({kind: max(count - sum([some[kind] for some in gone]), 0) for kind, count in held.items()})


@lru_cache(maxsize=4096)
def to_trade(unused: Counts, held: Counts, payment: Counts) -> Counts:
    """The dice to trade for the tokens of a payment that are not in stock (X6, R11).

    Those of least use in this turn: faces that no route of this kind takes first, wild ones last. This leaves as
    much as possible for the extra cost of a tunnel.
    """
    kind, token = next(((kind, token) for kind, token in TOKENS.items() if token in payment), (SINGLE, ""))
    due = max(2 * (payment[token] - held[token]), 0)
    traded = dict.fromkeys(TRAIN_DIE, 0)
    for face in (STATION, DOUBLE if kind == SINGLE else SINGLE, kind, WILD):
        traded[face] = min(unused[face] - payment[face], due)
        due -= traded[face]
    return _same(traded)


class Dice(Part):
    """The dice of this turn and all players' tokens, all of it public (S6).

    `faces` are the five dice, `unused` those not yet spent, and `tokens` is each player's stock. `may_gain` is false in
    a turn begun with three tokens (X7). `held` is what the seat had, in dice and tokens, before it committed some to a
    tunnel that is not yet resolved (X10). `set_out` says that the dice of an arranged position are waiting for the turn
    that begins with them.
    """

    tokens: list[Counts] = public(each=NOTHING, label="Tokens")
    faces: tuple[str, ...] = public(default=(), label="Dice")
    unused: Counts = public(default=NOTHING, label="Unused")
    may_gain: bool = public(default=True, label="")
    held: tuple[Counts, Counts] | None = public(default=None, label="")
    set_out: bool = public(default=False, label="")

    def validate(self, rules: Rules) -> str | None:
        for seat, stock in enumerate(self.tokens):
            if stock.total > MAX_TOKENS or not set(stock) <= set(TOKENS.values()):
                return f"seat {seat} has the tokens {brief(dict(stock))}: {MAX_TOKENS} at most of {', '.join(TOKENS.values())} (X7)"
        if len(self.faces) not in (0, DICE) or not set(self.faces) <= set(TRAIN_DIE):
            return f"the dice show {brief(self.faces)} (X2)"
        return None

    def room(self, seat: int) -> int:
        """The number of tokens that a seat may gain now for its unused dice (X6, X7)."""
        return min(self.unused.total // 2, MAX_TOKENS - self.tokens[seat].total) if self.may_gain else 0

    def begin(self, seat: int, faces: tuple[str, ...]) -> None:
        """Begin a turn with these dice. With three tokens, none are gained in it (X7)."""
        self.faces = faces
        self.unused = count_faces(faces)
        self.may_gain = self.tokens[seat].total < MAX_TOKENS
        self.set_out = False

    def roll_again(self, seat: int, again: Counts, faces: tuple[str, ...]) -> None:
        """Replace the faces of all dice after a re-roll (X3)."""
        self.faces = faces
        self.unused = count_faces(faces)

    def lay(self, seat: int, payment: Counts, traded: Counts) -> None:
        """Commit dice and tokens to a tunnel (X10)."""
        self.held = (self.unused, self.tokens[seat])
        self.spend(seat, payment, traded)

    def leave(self, seat: int) -> None:
        """Leave a tunnel that was paid for."""
        self.held = None

    def take_back(self, seat: int, tokens: bool) -> None:
        """Leave a tunnel that failed. Without `tokens` the dice are used up (R12)."""
        assert self.held is not None, "a tunnel was entered"
        self.unused, self.tokens[seat] = self.held
        if not tokens:
            self.unused = NOTHING
        self.held = None

    def take(self, seat: int, tokens: Counts) -> None:
        """Add tokens to a stock, for all dice that are left (X6)."""
        held = self.tokens[seat]
        self.tokens[seat] = stock(*[held[token] + tokens[token] for token in TOKENS.values()])
        self.unused = NOTHING

    def give_back(self, seat: int, tokens: Counts) -> None:
        """Remove tokens from a stock (X7)."""
        self.tokens[seat] = less(self.tokens[seat], tokens)

    def spend(self, seat: int, payment: Counts, traded: Counts) -> None:
        """Spend dice and tokens, after gaining the tokens not in stock for traded dice."""
        self.unused = less(self.unused, payment, traded)
        self.tokens[seat] = less(self.tokens[seat], payment)


# -- decisions and actions -----------------------------------------------------------------------------------


class RerollChoice(Decision):
    """Choose the dice to roll once more, or none (X3)."""

    public = True
    message = "Your dice: {faces}. Which of them do you roll again?"

    faces: tuple[str, ...]


class Reroll(Action):
    """Roll dice with these faces once more, or keep the roll with none (X3)."""

    message = "Roll again"

    dice: Counts

    def __init__(self, seat: int, dice: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(dice))


class DrawTicketsWithDice(Action):
    """Draw as many tickets as station and locomotive faces are spent on them (X4)."""

    message = "Draw a ticket for each die put in"
    instead_of = DrawTickets

    payment: Counts

    def __init__(self, seat: int, payment: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(payment))


class TokenChoice(Decision):
    """Choose the tokens to take for unused dice, at most `most` (X6)."""

    public = True
    message = "Which tokens do you take for your unused dice? {most} at most."

    most: int
    passed: bool = False


class TakeTokens(Action):
    """Take these tokens, or none, for unused dice (X6)."""

    message = "Take tokens"

    tokens: Counts

    def __init__(self, seat: int, tokens: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(tokens))


class TokenReturn(Decision):
    """Choose the tokens to give back at the end of the turn, or none (X7)."""

    public = True
    message = "Do you give tokens back?"

    passed: bool = False


class ReturnTokens(Action):
    """Give these tokens back, or none (X7)."""

    message = "Give tokens back"

    tokens: Counts

    def __init__(self, seat: int, tokens: Mapping[str, int]) -> None:
        self.__attrs_init__(seat, to_counts(tokens))


# -- events ----------------------------------------------------------------------------------------------------


class DiceRolled(Event):
    """A seat rolled all five dice: its turn begins (X3)."""

    message = "{seat} rolls {faces}\n"

    seat: int
    faces: tuple[str, ...]

    effect = Dice.begin


class DiceRerolled(Event):
    """A seat rolled some dice once more. `faces` are all five now (X3)."""

    message = "{seat} rolls {again} again and has {faces}\n"

    seat: int
    again: Counts
    faces: tuple[str, ...]

    effect = Dice.roll_again


class DiceSpent(Event):
    """A seat spent dice and tokens (X4, X6). The `traded` dice gave the tokens missing from its stock (R11)."""

    message = "with {payment:with}"

    seat: int
    payment: Counts
    traded: Counts

    effect = Dice.spend


class DiceLaid(Event):
    """A seat committed dice and tokens to a tunnel (X10). `traded` is as in `DiceSpent`."""

    message = "with {payment:with}"

    seat: int
    payment: Counts
    traded: Counts

    effect = Dice.lay


class TunnelDiceRolled(Event):
    """The tunnel dice were rolled (X10).

    Only a roll without a tunnel is told here. Others cost more and are told with that.
    """

    message = "with no tunnel on the tunnel dice"

    seat: int
    faces: tuple[str, ...]


class LaidDiceSpent(Event):
    """A tunnel was paid for: what was committed to it is spent (X10)."""

    message = ""

    seat: int

    effect = Dice.leave


class LaidDiceTakenBack(Event):
    """A tunnel failed: nothing is spent, and no token gained (R12). The dice cannot be used again, unless `tokens`."""

    message = ""

    seat: int
    tokens: bool

    effect = Dice.take_back


class TokensTaken(Event):
    """A seat took tokens for unused dice (X6)."""

    message = "{seat} takes {tokens}"

    seat: int
    tokens: Counts

    effect = Dice.take


class TokensReturned(Event):
    """A seat gave tokens back (X7)."""

    message = "{seat} gives {tokens} back"

    seat: int
    tokens: Counts

    effect = Dice.give_back


class DiceArranged(Event):
    """An arranged position: all players' tokens, and the dice, none if they have yet to be rolled."""

    message = ""

    faces: tuple[str, ...]
    tokens: tuple[Counts, ...]

    def apply(self, state: State) -> None:
        if len(self.tokens) != state.players:
            raise ValueError(f"{len(self.tokens)} seats have tokens, not {state.players}")  # an invalid event
        dice = state.part(Dice)
        dice.faces = self.faces
        dice.tokens = list(self.tokens)
        dice.set_out = bool(self.faces)


class DiceFound(Event):
    """A seat's turn begins with the dice of an arranged position, which have been rolled already (X3)."""

    message = "{seat} has rolled {faces}\n"

    seat: int
    faces: tuple[str, ...]

    effect = Dice.begin
