"""The problems found: each says what to fix and how to reproduce it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules.errors import TTRError


class CheckFailed(Exception):  # noqa: N818 (never leaves this package)
    """A property does not hold; the message is for the author of a variant."""


@frozen
class Problem:
    """A violated property: which one, what to fix, and the game in which it was found.

    `action` is the number of the action in the game, counted from 1, or 0 for the set-up; None if no game is needed.

    >>> print(Problem("offers", "MyRule.offers lists an action twice", players=3, seed=17, action=4))
    [offers] MyRule.offers lists an action twice
        at action 4 of the game with 3 players and seed 17
    """

    check: str
    message: str
    players: int | None = None
    seed: int | None = None
    action: int | None = None
    again: str = ""

    def __str__(self) -> str:
        lines = [f"[{self.check}] {self.message}"]
        if self.action is not None:
            place = f"at action {self.action}" if self.action else "at the set-up"
            lines.append(f"    {place} of the game with {self.players} players and seed {self.seed}")
        if self.again:
            lines.append(f"    the position: {self.again}")
        return "\n".join(lines)


class VariantError(TTRError):
    """A variant violates properties that every variant must have; `problems` lists everything that was found.

    >>> print(VariantError("europe + mine", [Problem("offers", "MyRule.offers lists an action twice")]))
    europe + mine: 1 problem
    [offers] MyRule.offers lists an action twice
    """

    def __init__(self, what: str, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        super().__init__("\n".join([f"{what}: {count}", *map(str, self.problems)]))


@frozen
class VariantReport:
    """What was checked for a variant in which no problem was found.

    `checks` names the properties that hold, `skipped` those that the caller excluded; `advice` says what makes games slow.

    >>> from ttr_tools.testing import check_variant
    >>> report = check_variant("london", players=2, games=1, skip=["secrets", "bots"])
    >>> report.games, report.skipped, "offers" in report.checks
    (1, ('secrets', 'bots'), True)
    """

    stack: tuple[str, ...]
    games: int
    actions: int
    checks: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{' + '.join(self.stack)}: {self.games} {'game' if self.games == 1 else 'games'}, {self.actions} actions, {len(self.checks)} properties hold"
        return "\n  ".join(
            [text, *(f"not checked: {name}" for name in self.skipped), *(f"slow: {each}" for each in self.advice)]
        )
