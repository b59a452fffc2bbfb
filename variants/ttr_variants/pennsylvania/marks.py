"""The companies of routes on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_rules import View
from ttr_rules.plugins import GameData, MapMarks, Message, RouteNote, listed

from .shares import companies_of


def _companies(rules: GameData, view: View | None) -> Iterator[RouteNote]:
    companies = companies_of(rules)
    for route in rules.board.routes.values():
        found = [companies[mark] for mark in route.marks if mark in companies]
        if found:
            yield RouteNote(
                route.id,
                " ".join(each.short.upper() for each in found),
                Message("share of {companies}", companies=_either([each.name for each in found])),
            )


def _either(names: Sequence[str]) -> str:
    """Names of which one can be chosen: `A, B or C`."""
    *most, last = names
    return Message("{one} or {other}", one=listed(most), other=last) if most else last


COMPANIES = MapMarks(
    "companies", _companies, legend="Initials on routes are companies, of which a claim brings a share."
)
