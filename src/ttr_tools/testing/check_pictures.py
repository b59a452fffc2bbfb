"""What must hold for pictures: what plugins add to the map can be drawn, whoever looks."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules import View
from ttr_rules.errors import PluginError
from ttr_rules.events import Event
from ttr_rules.model import Action
from ttr_tools.testing.game_run import Check
from ttr_tools.testing.problems import CheckFailed


class PicturesCheck(Check):
    """The marks of the hook `map_marks` are on the board, before a game and at every moment of it."""

    name = "pictures"
    claim = "what plugins add to pictures of the board can be drawn, before a game and as each seat sees it"

    def start(self) -> None:
        self._drawn(None)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        if self.rules.map_marks:
            self._drawn(self.game.view(action.seat))
            self._drawn(self.game.view(None))

    def _drawn(self, view: View | None) -> None:
        for given in self.rules.map_marks:
            try:
                list(given.marks(self.rules, view))
            except PluginError as error:
                raise CheckFailed(str(error)) from error
