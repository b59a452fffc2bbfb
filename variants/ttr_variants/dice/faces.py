"""What is in the box of the dice expansion (X2)."""

from __future__ import annotations

from collections.abc import Mapping

from ttr_rules.plugins import named, noun

DICE = 5
TUNNEL_DICE = 3
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
#: What tokens are called.
TOKEN_NAMES = (noun("single token"), noun("double token"))
