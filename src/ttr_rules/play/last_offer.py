"""The legal actions that somebody asked for last: an action just read from them need not be checked once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ttr_rules.kernel.answers import LegalActions, Moment
from ttr_rules.kernel.engine import answers_of
from ttr_rules.kernel.state import State
from ttr_rules.model.decisions import Action


class LastOffer:
    """The legal actions asked for last, while the game stands still."""

    __slots__ = ("_changes", "_moment", "_offered")

    def __init__(self) -> None:
        # How often a change of the game began or ended. It is read before the actions are listed, so that a list which
        # another thread made in the middle of a change counts for nothing; neither does one of a state that the game
        # has since replaced, as `undo` does.
        self._changes = 0
        self._moment: Moment | None = None  # that of the offers since the last change
        self._offered: tuple[Any, ...] = (0, None, ())  # one object, which no thread finds half replaced

    def __reduce__(self) -> tuple[Any, ...]:
        return LastOffer, ()

    def ask(self, state: State, seat: int) -> Sequence[Action]:
        """List the legal actions of a seat."""
        changes = self._changes
        decision = state.decision(seat)
        if decision is None:
            return ()
        if self._moment is None:
            self._moment = Moment(state)
        found = LegalActions(answers_of(state, decision), state, decision, self._moment)
        self._offered = changes, state, found
        return found

    def expire(self, again: Callable[[], State] | None = None) -> None:
        """Say that the game is about to change, or has changed; `again` gives the state as it was."""
        self._changes += 1
        if again is not None and self._moment is not None:
            self._moment.leave(again)
        self._moment = None

    def has_just_given(self, state: State, action: Action) -> bool:
        """Return True if this very object was the last one to be read from the legal actions of this moment."""
        changes, asked, offered = self._offered
        return (
            changes == self._changes
            and asked is state
            and isinstance(offered, LegalActions)
            and offered.picked is action
        )
