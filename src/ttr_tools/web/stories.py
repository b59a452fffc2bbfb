"""A game in words as each of its readers may see it, told move by move."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from ttr_rules.play import Game
from ttr_tools.narration import Narrator
from ttr_tools.replay.moment import line_data


@define
class _Story:
    """What was told to one reader: the lines of each move, by its number."""

    narrator: Narrator
    told: list[list[Any]] = field(factory=list[list[Any]])


class Stories:
    """The stories of a game, one for each reader (a seat or None, and a language) that asked for it.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
    >>> Stories(game).since(None, None, "de")[0]["lines"][0]
    ['Ada und Isambard spielen; Isambard beginnt.', None]
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._stories: dict[tuple[int | None, str], _Story] = {}

    def narrator(self, seat: int | None, lang: str) -> Narrator:
        """The narrator of a reader, who has told everything that was played."""
        return self._story(seat, lang).narrator

    def since(self, since: int | None, seat: int | None, lang: str) -> list[dict[str, Any]]:
        """The moves after a number of actions, as `Game.messages` counts them: their numbers, seats, and lines."""
        told = self._story(seat, lang).told
        moves = self._game.messages(since, seat)
        return [{"number": move.number, "seat": move.seat, "lines": told[move.number]} for move in moves]

    def _story(self, seat: int | None, lang: str) -> _Story:
        game, key = self._game, (seat, lang)
        if key not in self._stories:
            self._stories[key] = _Story(Narrator(game.rules, game.players, seat, game.rules.language(lang)))
        story = self._stories[key]
        for move in game.messages(len(story.told) - 1 if story.told else None, seat):
            story.told.append([line_data(each) for each in story.narrator.tell(move.events)])
        return story
