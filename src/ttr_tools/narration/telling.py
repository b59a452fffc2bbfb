"""The story of a game for somebody who asks for it: a seat or a spectator, in a language, from a moment on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ttr_rules import Rules
from ttr_rules.events import SeenEvent
from ttr_rules.language import SOURCE
from ttr_tools.narration.narrator import Narrator


class Told(Protocol):
    """A move as somebody sees it: `SeenMove`."""

    @property
    def events(self) -> tuple[SeenEvent, ...]: ...


class Tellable(Protocol):
    """What can be told: a `Game`."""

    @property
    def rules(self) -> Rules: ...
    @property
    def players(self) -> tuple[str, ...]: ...
    def messages(self, since: int | None, seat: int | None) -> Sequence[Told]:
        """The moves after a number of actions, as a seat may see them."""
        ...


def narrate(game: Tellable, since: int | None, seat: int | None, lang: str = SOURCE) -> tuple[str, ...]:
    """What happened after a number of actions, in sentences in a language, as `seat` may see it (None: a spectator).

    `since` is as for `Game.messages`. The language is the caller's choice each time: several players can follow one
    game in different languages.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
    >>> narrate(game, None, None, "de")[0], narrate(game, None, 0)[0]
    ('Ada und Isambard spielen; Isambard beginnt.', 'Ada and Isambard play; Isambard begins.')
    """
    moves = game.messages(None, seat)
    narrator = Narrator(game.rules, game.players, seat, game.rules.language(lang))
    story = [narrator.tell(move.events) for move in moves]
    return tuple(line.text for lines in story[len(moves) - len(game.messages(since, seat)) :] for line in lines)
