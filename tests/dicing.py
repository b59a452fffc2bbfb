"""What the tests of the dice expansion share: positions with a roll written in five letters, and rolls by script.

`rolled("europe", "ssdtw", {}, {}, tokens=[{"double_token": 2}])` is a game with dice over Europe in which A (seat 0) is to
act, the dice lying as written: `s`ingle, `d`ouble, s`t`ation, `w`ild. Without letters (`""`) the turn begins with a
roll. `tokens` are those of the seats in turn. `chance=[...]` is the script for what follows, `faces("ssdtw")` being rolls; after it
every die shows its first face.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from helpers import AS_IS, ScriptedChance, rules_of

import ttr_rules as ttr
from ttr_variants.dice import DrawTicketsWithDice, ReturnTokens, TakeTokens, TokenChoice, TokenReturn
from ttr_variants.dice.state import Dice

FACES = {"s": "single", "d": "double", "t": "station", "w": "locomotive"}
TRAIN_DIE = ("single", "single", "double", "double", "station", "locomotive")
TUNNEL_DIE = ("tunnel", *["blank"] * 5)
SINGLE, DOUBLE = "single_token", "double_token"


def faces(letters: str) -> list[str]:
    """The faces that these letters stand for."""
    return [FACES[letter] for letter in letters]


def rolled(
    stack: str | ttr.Rules,
    letters: str,
    *players: Mapping[str, Any],
    tokens: Sequence[Mapping[str, int]] = (),
    chance: Sequence[object] = (),
    **position: Any,
) -> ttr.Game:
    """A position with dice; see the docstring of this module."""
    tables = [{"name": "ABCDE"[seat], **player} for seat, player in enumerate(players or ({}, {}))]
    dice: dict[str, Any] = {"tokens": {"ABCDE"[seat]: dict(held) for seat, held in enumerate(tokens)}}
    if letters:
        dice["faces"] = faces(letters)
    scripted = ScriptedChance(AS_IS, *([] if letters else chance[:5]), otherwise=AS_IS)
    rules = rules_of(stack, "dice") if isinstance(stack, str) else stack
    game = ttr.arrange(rules, {**position, "parts": {"dice": dice}, "players": tables}, chance=scripted)
    scripted.script(*(chance if letters else chance[5:]), otherwise=AS_IS)
    return game


def stock(game: ttr.Game, seat: int = 0) -> ttr.Counts:
    """The tokens of a seat."""
    return game.state.part(Dice).tokens[seat]


def choices(game: ttr.Game, kind: type[Any]) -> list[ttr.Counts]:
    """The tokens of the legal actions of one kind."""
    return [action.tokens for action in game.legal_actions() if isinstance(action, kind)]


def most(game: ttr.Game) -> int:
    """How many tokens the seat that is asked may take now; 0 if it is asked something else."""
    decision = game.decision(game.to_act[0]) if game.to_act else None
    return decision.most if isinstance(decision, TokenChoice) else 0


def leave_tokens(game: ttr.Game) -> None:
    """Take no tokens and give none back."""
    while game.to_act and isinstance(decision := game.decision(game.to_act[0]), TokenChoice | TokenReturn):
        kind = TakeTokens if isinstance(decision, TokenChoice) else ReturnTokens
        game.play(kind(decision.seat, {}))


def plain(length: int, *, double: bool = False, rules: ttr.Rules | None = None) -> str:
    """A route of this length that is neither a tunnel nor a ferry."""
    return next(
        route.id
        for route in (rules or rules_of("europe", "dice")).board.routes.values()
        if route.length == length
        and bool(route.double_group) is double
        and not route.tunnel
        and not route.ferry_locomotives
    )


def claim(route: str, **payment: int) -> ttr.ClaimRoute:
    """Seat 0 claims a route."""
    return ttr.ClaimRoute(0, route, payment)


def draw(**payment: int) -> DrawTicketsWithDice:
    """Seat 0 draws tickets."""
    return DrawTicketsWithDice(0, payment)
