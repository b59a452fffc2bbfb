"""The companies of routes on pictures of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttr_rules.plugins import Message, RouteNote, Rules, join_commas

from .shares import companies_of


def company_notes(rules: Rules) -> Iterator[RouteNote]:
    """The initials of the companies on each route."""
    companies = companies_of(rules)
    for route in rules.board.routes.values():
        found = [companies[mark] for mark in route.marks if mark in companies]
        if found:
            yield RouteNote(
                route.id,
                " ".join(each.short[:2].upper() for each in found),
                Message("share of {companies}", companies=_either([each.name for each in found])),
            )


def _either(names: Sequence[str]) -> str:
    """Names of which one can be chosen: `A, B or C`."""
    *most, last = names
    return Message("{one} or {other}", one=join_commas(most), other=last) if most else last
