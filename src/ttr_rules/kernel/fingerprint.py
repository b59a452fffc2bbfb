"""A short mark of compiled rules, so that a saved game is not taken up under other ones unnoticed."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from ttr_rules._internal.jsonable import plain

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


def heard(rules: Rules) -> frozenset[str]:
    """The plugins of a stack that decide something or add to it."""
    return frozenset(name for each in rules.provenance for name in (*each.by, *each.adjusted))


def fingerprint_of(rules: Rules) -> str:
    """A hash of all data of these rules; of code only the names: which rules and terms there are.

    A plugin that decides nothing and adds nothing leaves it as it is.
    """
    board = rules.board
    deciding = heard(rules)
    parts = {
        "stack": [name for name in rules.stack if name in deciding],
        "options": {name: options for name, options in rules.options.items() if name in deciding},
        "rulings": rules.rulings,
        "board": [board.id, board.cities, board.routes, board.points, board.tickets, board.extra],
        "components": rules.components,
        "deck": rules.deck.piles,
        "setup": [[type(stage.keep).__qualname__, stage] for stage in rules.setup],
        "draw_counts": rules.draw_counts,
        "economy": [type(rules.economy).__qualname__, rules.economy.data()],
        "bonuses": [[bonus.name, bonus.points] for bonus in rules.bonuses],
        "tie_break": [tie.name for tie in rules.tie_break],
        "terms": sorted(term.name for term in rules.scoring_terms),
        "links": sorted(link.name for link in rules.ticket_links),
        "endings": sorted(ending.name for ending in rules.endings),
    }
    text = json.dumps(plain(parts), sort_keys=True)
    return f"sha256:{sha256(text.encode()).hexdigest()[:32]}"
