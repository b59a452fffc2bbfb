"""The legal actions that somebody asked for last: an action just read from them need not be checked once more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_rules.kernel.choices import Choices
from ttr_rules.kernel.engine import legal_actions
from ttr_rules.kernel.state import State
from ttr_rules.model.actions import Action


class LastOffer:
    """The legal actions asked for last, while the game stands still."""

    __slots__ = ("_changes", "_offered")

    def __init__(self) -> None:
        # How often a change of the game began or ended. It is read before the actions are listed, so that a list which
        # another thread made in the middle of a change counts for nothing; neither does one of a state that the game
        # has since replaced, as `undo` does.
        self._changes = 0
        self._offered: tuple[Any, ...] = (0, None, ())  # one object, which no thread finds half replaced

    def ask(self, state: State, seat: int) -> Sequence[Action]:
        """List the legal actions of a seat."""
        changes = self._changes
        found = legal_actions(state, seat)
        self._offered = changes, state, found
        return found

    def expire(self) -> None:
        """Say that the game is about to change, or has changed."""
        self._changes += 1

    def has_just_given(self, state: State, action: Action) -> bool:
        """Whether this very object was the last one to be read from the legal actions of this moment."""
        changes, asked, offered = self._offered
        return changes == self._changes and asked is state and isinstance(offered, Choices) and offered.picked is action
