"""Dice and tokens of an arranged position, from the table `[parts.dice]`."""

from __future__ import annotations

from ttr_rules import Counts
from ttr_rules.plugins import Position, Report, Transaction

from .events import DiceArranged
from .faces import DICE, MAX_TOKENS, TOKENS, TRAIN_DIE

KEY = "dice"


def arrange_dice(tx: Transaction, position: Position, report: Report) -> None:
    """Set out the dice and give all players their tokens.

    `faces` are the five dice after the re-roll; without them the turn begins with a roll (X3). `tokens` is
    a table by player: `{Ada = {single_token = 2}}`, at most three per player (X7).
    """
    given = position.part(KEY, report)
    given.only(("faces", "tokens"), report)
    faces = given.entries("faces", report)
    if faces and len(faces) != DICE:
        report.add(given.under("faces"), f"expected all {DICE} dice, got {len(faces)}")
    for place, face in faces:
        if face not in TRAIN_DIE:
            known = ", ".join(dict.fromkeys(TRAIN_DIE))
            report.add(place, f"the faces of a train die are {known} (X2)")
    stocks = given.table("tokens", report)
    stocks.only([player.name for player in position.players], report)
    tokens: list[Counts] = []
    for player in position.players:
        stock = stocks.table(player.name, report)
        stock.only(TOKENS.values(), report)
        held = {token: stock.number(token, 0, 0, MAX_TOKENS, report) for token in TOKENS.values()}
        if sum(held.values()) > MAX_TOKENS:
            report.add(stock.place, f"a player holds {MAX_TOKENS} tokens at most, not {sum(held.values())} (X7)")
        tokens.append(Counts(held))
    if not report.problems:
        tx.emit(DiceArranged, tuple(face for _, face in faces), tuple(tokens))
