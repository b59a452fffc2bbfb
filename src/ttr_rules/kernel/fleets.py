"""Fleets: pieces of several kinds, such as trains and ships, where a route takes those of its own kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

from ttr_rules.kernel.fields import public
from ttr_rules.kernel.part import Part

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules


class Fleets(Part):
    """The pieces that each seat has left, by kind; there are fleets where `Components.fleets` says so.

    `State.cars` counts all of them together, which is what the last round depends on (E1).

    >>> from ttr_rules import compile_rules, new_game
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Ships(Variant, name="ships"):
    ...     @hookimpl
    ...     def components(self, below, board):
    ...         return Components(fleets={"train": 25, "ship": 15})
    >>> from ttr_rules.model import Components
    >>> game = new_game("europe", Ships, players=2, seed=1)
    >>> game.view(1).part(Fleets).left[0], game.state.cars
    ({'train': 25, 'ship': 15}, [40, 40])
    """

    left: list[dict[str, int]] = public()

    @classmethod
    def start(cls, rules: Rules, players: int) -> Self:
        return cls(left=[dict(rules.components.fleets) for _ in range(players)])

    def validate(self) -> str | None:
        """The problem with pieces that no game can have left; None if there is none."""
        wrong = [left for fleets in self.left for left in fleets.values() if left < 0]
        return f"{wrong[0]} pieces of a kind are left" if wrong else None


def kind_of_route(marks: Sequence[str], fleets: Mapping[str, int]) -> str:
    """The kind of pieces that a route takes: one of its marks, else the first."""
    return next((mark for mark in marks if mark in fleets), next(iter(fleets)))
