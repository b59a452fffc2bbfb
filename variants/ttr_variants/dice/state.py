"""The dice of a turn and all players' tokens (X2, X6, X7)."""

from __future__ import annotations

from functools import lru_cache

from attrs import define

from ttr_rules import Counts
from ttr_rules.plugins import Part, brief, public

from .faces import DICE, MAX_TOKENS, STATION, TOKENS, TRAIN_DIE, WILD

NOTHING = Counts()


# survives -, 4095, 4097: how many are remembered is a choice; there are few different rolls
@lru_cache(maxsize=4096)
def counted(faces: tuple[str, ...]) -> Counts:
    """How many dice show each face."""
    return Counts({face: faces.count(face) for face in dict.fromkeys(faces)})


# survives True: parts show their fields as attrs does
@define(eq=False, repr=False)
class Dice(Part):
    """The dice of this turn and all players' tokens; all of it is public (S6).

    `faces` are the five dice, `unused` those not yet spent; `tokens` each player's stock.
    `may_gain` is false in a turn begun with three tokens (X7). `held` is what the seat had, in dice and tokens, before
    it committed some to a tunnel that is not yet resolved (X10). `set_out` says that the dice of an arranged position
    are waiting for the turn that begins with them.
    """

    tokens: list[Counts] = public(factory=list, label="Tokens")
    faces: tuple[str, ...] = public(default=(), label="Dice")
    unused: Counts = public(default=NOTHING, label="Unused")
    # survives False: each turn says it anew before anybody gains tokens
    may_gain: bool = public(default=True, label="")
    held: tuple[Counts, Counts] | None = public(default=None, label="")
    set_out: bool = public(default=False, label="")

    def validate(self) -> str | None:
        for seat, stock in enumerate(self.tokens):
            if stock.total > MAX_TOKENS or not set(stock) <= set(TOKENS.values()):
                return f"seat {seat} has the tokens {brief(dict(stock))}: {MAX_TOKENS} at most of {', '.join(TOKENS.values())} (X7)"
        if len(self.faces) not in (0, DICE) or not set(self.faces) <= set(TRAIN_DIE):
            return f"the dice show {brief(self.faces)} (X2)"
        return None

    def room(self, seat: int) -> int:
        """How many tokens a seat may gain now for its unused dice (X6, X7)."""
        # survives ^: nobody has more than three, all bits of which are set
        return min(self.unused.total // 2, MAX_TOKENS - self.tokens[seat].total) if self.may_gain else 0

    def begin(self, seat: int, faces: tuple[str, ...]) -> None:
        """Begin a turn with these dice; with three tokens, none are gained in it (X7)."""
        self.faces = faces
        self.unused = counted(faces)
        # survives !=: nobody has more
        self.may_gain = self.tokens[seat].total < MAX_TOKENS

    def trade(self, seat: int, payment: Counts) -> Counts:
        """The dice to trade for the tokens of a payment that are not in stock (X6, R11).

        Those of least use in this turn: faces that no route of this kind takes first, wild ones last. This leaves as
        much as possible for the extra cost of a tunnel.
        """
        kind = next((kind for kind, token in TOKENS.items() if token in payment), None)
        if kind is None:
            return NOTHING
        due = 2 * (payment[TOKENS[kind]] - self.tokens[seat][TOKENS[kind]])
        # survives <, 1, -1: it is even, and where nothing is due nothing is traded
        if due <= 0:
            return NOTHING
        other = next(each for each in TOKENS if each != kind)
        traded: dict[str, int] = {}
        for face in (STATION, other, kind, WILD):
            traded[face] = min(self.unused[face] - payment[face], due)
            due -= traded[face]
        return Counts(traded)

    def spend(self, seat: int, payment: Counts, traded: Counts) -> None:
        """Spend dice and tokens, after gaining the tokens not in stock for traded dice."""
        left = dict(self.unused.items())
        for spent in (payment, traded):
            for face, count in spent.items():
                if face in left:  # tokens are not
                    left[face] -= count
        self.unused = Counts(left)
        stock = self.tokens[seat]
        self.tokens[seat] = Counts({token: max(count - payment[token], 0) for token, count in stock.items()})
