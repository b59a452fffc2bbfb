"""What bots know about stations."""

from __future__ import annotations

from collections.abc import Mapping

from ttr_rules import View
from ttr_rules.plugins import BorrowHint, BotHint, LoanHint

from .lending import LendRoutes
from .stations import POINTS_UNBUILT, BuildStation, Stations


def _built(view: View) -> Mapping[str, int]:
    return view.part(Stations).built


def _left(view: View, seat: int) -> int:
    return view.part(Stations).left[seat]


def _lent(action: LendRoutes) -> tuple[str, ...]:
    return tuple(action.lends.values())


#: A station costs its cards, its turn, and the points for not building it (B6).
HINTS: tuple[BotHint, ...] = (
    BorrowHint(BuildStation, built=_built, left=_left, turns=48, points=POINTS_UNBUILT),
    LoanHint(LendRoutes, routes=_lent),
)
