"""The longest path is worth 15."""

from attrs import evolve

from ttr_rules import Board
from ttr_rules.plugins import Below, Bonus, Variant, hookimpl


class Fifteen(Variant, name="fifteen"):
    """Fifteen: the longest path is worth 15."""

    @hookimpl
    def bonuses(self, below: Below[tuple[Bonus, ...]], board: Board) -> tuple[Bonus, ...]:
        return tuple(evolve(each, points=15) if each.shows_path else each for each in below())
