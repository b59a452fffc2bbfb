"""What must hold for clients: what a seat sees can be sent as JSON that fits the schema's types, and read back."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ttr_rules.clients import Update, json_schema, read_server_message, to_json
from ttr_rules.errors import PluginError
from ttr_rules.events import Event
from ttr_rules.model import Action
from ttr_tools.testing.compare import view_differences
from ttr_tools.testing.game_run import Check
from ttr_tools.testing.names import raised
from ttr_tools.testing.problems import CheckFailed


class ClientsCheck(Check):
    """Updates come back from JSON as they went, for each seat: views with their parts, events, offers."""

    name = "clients"
    claim = "what a seat sees can be sent as JSON, and a client reads the same from it"

    def start(self) -> None:
        try:
            json_schema(self.rules)
        except PluginError as error:
            raise CheckFailed(f"clients cannot be told the types of this stack: {error}") from error
        self._send()

    def after(self, action: Action, events: Sequence[Event]) -> None:
        if self.game_run.number & (self.game_run.number - 1) == 0:
            self._send()

    def end(self) -> None:
        self._send()

    def _send(self) -> None:
        game = self.game
        for seat in (None, *range(len(game.players))):
            update = Update.of(game, seat, since=max(game.played - 1, 0))
            try:
                read = read_server_message(self.rules, json.dumps(to_json(self.rules, update)))
            except Exception as error:
                raise CheckFailed(
                    f"what seat {seat} sees cannot be sent to a client and read there: {raised(error)}; a part's fields "
                    "and the return type of its seen_by say what is sent"
                ) from error
            assert isinstance(read, Update)
            for where in view_differences(update.view, read.view):
                raise CheckFailed(
                    f"a client reads another view than was sent: {where}; annotate the fields of the part, and what its "
                    "seen_by returns, with their types"
                )
            if read != update:
                raise CheckFailed(
                    "a client reads other events, decisions or actions than were sent: annotate their fields with their types"
                )
