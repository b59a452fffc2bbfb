"""Saved games in the forms of earlier versions, written from one of today."""

from __future__ import annotations

import json
from typing import Any

from ttr_rules.plugins import retagged
from ttr_rules.saves.migrations import RETAGGED

#: The rulings of formats 1 and 2, with their defaults.
RULINGS = {
    "face_up_when_exhausted": False,
    "second_card_optional": False,
    "station_choice": "best",
    "shuffle_returned_tickets": False,
    "tokens_after_failed_tunnel": False,
    "dice_action_optional": False,
    "long_route_as_eight": False,
}
#: The options that plugins had then: those that were rulings are not among them.
OPTIONS = ("tie_break", "tunnel_faces", "tickets")


def in_format(form: int, text: str) -> str:
    """A saved game, or the lines of a journal, of today as format 1 or 2 wrote it."""
    return "".join(
        json.dumps(_older(form, json.loads(line)), separators=(",", ":")) + "\n" for line in text.splitlines()
    )


def _older(form: int, document: dict[str, Any]) -> dict[str, Any]:
    old_tags = {new: old for old, new in RETAGGED.items()}
    document = retagged(document, lambda tag: old_tags.get(tag, tag))
    if "format" not in document:
        return document  # a line of a journal
    rulings = RULINGS | {
        name: value for _, options in document["stack"] for name, value in options.items() if name in RULINGS
    }
    stack = [
        [name, {option: value for option, value in options.items() if option in OPTIONS}]
        for name, options in document["stack"]
        if name not in ("core", "train-cards")  # these lay below every stack, and were not named
    ]
    changed: dict[str, Any] = {}
    for key, value in document.items():
        changed[key] = {"format": form, "stack": stack, "fingerprint": "sha256:another"}.get(key, value)
        if key == "versions":
            changed["rulings"] = rulings
    if form == 1:
        del changed["versions"]
    return changed
