"""Final sheets as plain data: what their keys are under some rules, and how they are read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from cattrs import Converter

from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.kernel.player_score import Term, TicketScore
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores

#: The key of a field's metadata which says that an empty one is not written.
LEFT_OUT = "left out"


def sheet_shape(rules: Rules) -> type[Any]:
    """An attrs class with the fields of a sheet in JSON; those of the players depend on the scoring terms of the rules."""
    return rules.derived(_sheet_shape)


def _sheet_shape(rules: Rules) -> type[Any]:
    keyed = {key: int for term in rules.scoring_terms for key in reversed(term.keys or ())}
    fields: dict[str, Any] = {
        "name": str,
        "route_points": int,
        "tickets": tuple[TicketScore, ...],
        "ticket_points": int,
        **keyed,
        **({"lends": dict[str, str], "needed_loans": tuple[str, ...]} if rules.ticket_links else {}),
        "longest_path": LongestPath,
        "bonuses": dict[str, int],
        "terms": dict[str, Term],
        "total": int,
        "rank": int,
    }
    # A sheet without other terms has no key for them.
    own = {name: attrs.field(type=hint, kw_only=True) for name, hint in fields.items()}
    own["terms"] = attrs.field(type=fields["terms"], factory=dict, kw_only=True, metadata={LEFT_OUT: True})
    player = attrs.make_class("PlayerScore", own, frozen=True)
    player.__doc__ = PlayerScore.__doc__
    sheet = {"players": attrs.field(type=tuple[player, ...]), "winners": attrs.field(type=tuple[str, ...])}  # type: ignore[valid-type]
    made = attrs.make_class("FinalScores", sheet, frozen=True)
    made.__doc__ = FinalScores.__doc__
    return made


def read_sheet(value: Any, rules: Rules, made: Converter) -> FinalScores:
    """A sheet from plain data; its sums must add up."""
    shown: Any = made.structure(value, sheet_shape(rules))
    found = FinalScores(
        tuple([_player(seat, each, rules) for seat, each in enumerate(shown.players)]), rules.sheet_words
    )
    for player, each in zip(found.players, shown.players, strict=True):
        if (player.total, player.ticket_points) != (each.total, each.ticket_points):
            raise ValueError(f"the points of {player.name!r} do not add up to {each.total}")
    if found.winners != shown.winners:
        raise ValueError(f"the ranks do not agree with the winners {', '.join(shown.winners)}")
    return found


def _player(seat: int, shown: Any, rules: Rules) -> PlayerScore:
    keys: dict[str, tuple[str, str]] = {term.name: term.keys for term in rules.scoring_terms if term.keys}
    terms: Mapping[str, Term] = {
        **{name: Term(getattr(shown, points), getattr(shown, count)) for name, (points, count) in keys.items()},
        **shown.terms,
    }
    order = [term.name for term in rules.scoring_terms if term.name in terms]
    return PlayerScore(
        seat=seat,
        name=shown.name,
        route_points=shown.route_points,
        tickets=shown.tickets,
        longest_path=shown.longest_path,
        lends=getattr(shown, "lends", {}),
        terms={name: terms[name] for name in [*order, *(each for each in terms if each not in order)]},
        bonuses=shown.bonuses,
        rank=shown.rank,
        keys=keys,
        borrows=bool(rules.ticket_links),
        needed_loans=getattr(shown, "needed_loans", ()),
    )
