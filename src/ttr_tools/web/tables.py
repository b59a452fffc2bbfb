"""Tables: games kept in journals, their stories, the secret tokens of their seats, and the bots that play the others.

Nothing here knows of sockets or of the web. A table may be used by one thread at a time.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from hmac import compare_digest

from ttr_rules import Rules
from ttr_rules.errors import InvalidInputError, SaveError
from ttr_rules.model import Action
from ttr_rules.play import Game
from ttr_rules.saves import Journal, Journals
from ttr_rules.text import brief
from ttr_tools.bots import Player, load_bot
from ttr_tools.narration import Narrator
from ttr_tools.replay.recording import LineData, line_data


class Stories:
    """The stories of a game, one for each reader (a seat or None, and a language) that asked for it.

    >>> from ttr_rules import new_game
    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1)
    >>> Stories(game).since(None, None, "de")[0]["lines"][0]
    ['Ada und Isambard spielen; Isambard beginnt.', None]
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        # The narrator of each reader, and the lines of each move, by its number.
        self._stories: dict[tuple[int | None, str], tuple[Narrator, list[list[LineData]]]] = {}

    def narrator(self, seat: int | None, lang: str) -> Narrator:
        """The narrator of a reader, who has told the whole game so far."""
        return self._story(seat, lang)[0]

    def since(self, since: int | None, seat: int | None, lang: str) -> list[dict[str, object]]:
        """The moves after a number of actions, as `Game.messages` counts them: their numbers, seats, and lines."""
        lines = self._story(seat, lang)[1]
        moves = self._game.messages(since, seat)
        return [{"number": move.number, "seat": move.seat, "lines": lines[move.number]} for move in moves]

    def _story(self, seat: int | None, lang: str) -> tuple[Narrator, list[list[LineData]]]:
        game, key = self._game, (seat, lang)
        if key not in self._stories:
            self._stories[key] = Narrator(game.rules, game.players, seat, game.rules.language(lang)), []
        narrator, lines = self._stories[key]
        for move in game.messages(len(lines) - 1 if lines else None, seat):
            lines.append([line_data(line) for line in narrator.tell(move.events)])
        return narrator, lines


class Table:
    """A game at a table: people have the seats with a token, bots the others.

    >>> from tempfile import TemporaryDirectory
    >>> from ttr_rules import new_game
    >>> with TemporaryDirectory() as folder:
    ...     tables = Tables(f"{folder}/games.db")
    ...     table = tables.open(new_game("europe", players=["Ada", "Bo"], seed=1), people=[0])
    ...     table.people, table.find_seat(table.tokens[0]), table.find_seat("guessed")
    ...     tables.close()
    ((0,), 0, None)
    """

    def __init__(self, journal: Journal, tokens: Sequence[str | None], bot: str) -> None:
        self.id = journal.id
        self.tokens = tuple(tokens)
        self._journal = journal
        self._bots: dict[int, Player] = {
            seat: load_bot(bot)(f"{journal.game.seed} {seat}") for seat, token in enumerate(tokens) if token is None
        }
        self.stories = Stories(journal.game)

    @property
    def game(self) -> Game:
        """The game: read it freely; it is played by `play` and `play_bot`."""
        return self._journal.game

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people have."""
        return tuple(seat for seat, token in enumerate(self.tokens) if token is not None)

    def find_seat(self, token: str) -> int | None:
        """The seat of a token; None if there is none. It takes the same time for all tokens of a length."""
        encoded, own = token.encode(errors="replace"), None
        for seat, secret in enumerate(self.tokens):
            if secret is not None and compare_digest(secret.encode(), encoded):
                own = seat
        return own

    def play(self, action: Action, expected: int) -> int:
        """Play an action; returns the number of the move, which is on disk by then.

        Raises what `Game.play` raises, and `SaveError` if the move cannot be written. The game is unchanged then.
        """
        self._journal.play(action, expected=expected)
        return self.game.played

    @property
    def bot_to_act(self) -> int | None:
        """The seat of a bot that may act now."""
        return next((seat for seat in self.game.to_act if seat in self._bots), None)

    def play_bot(self) -> None:
        """Let a bot that may act play one action, if there is one."""
        seat, game = self.bot_to_act, self.game
        if seat is not None:
            self._journal.play(self._bots[seat].choose(game.view(seat), game.rules, game.legal_actions(seat)))


class Tables:
    """The tables in a file of journals, which keeps their tokens and bots with the games.

    `Tables(path)` finds them again after a crash. Games are read when they are asked for. `rules` are for games with
    plugins that are not installed, such as variants from files.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     tables = Tables(f"{folder}/games.db")
    ...     list(tables)
    ...     tables.close()
    []
    """

    def __init__(self, path: str | os.PathLike[str], rules: Rules | None = None) -> None:
        self._journals = Journals(path)
        self.path = self._journals.path
        self._rules = rules
        self._open: dict[str, Table] = {}
        # In memory, so that whoever guesses ids does not wait for the disk.
        self._known = dict.fromkeys(id for id in self._journals if self._journals.about(id))

    def __iter__(self) -> Iterator[str]:
        """The ids of all tables."""
        return iter(tuple(self._known))

    def __contains__(self, id: object) -> bool:
        return id in self._known

    def open(self, game: Game, people: Sequence[int], bot: str = "planner") -> Table:
        """Begin to keep a game in which people have some seats and bots the others.

        Raises `InvalidInputError` for seats that are not at the table or a bot that is not installed, `SaveError` if
        the game cannot be kept.
        """
        count = len(game.players)
        if not people or not set(people) <= set(range(count)):
            raise InvalidInputError(f"people have one or more of the seats 0 to {count - 1}, not {brief(list(people))}")
        load_bot(bot)
        tokens = [secrets.token_urlsafe(18) if seat in people else None for seat in range(count)]
        table = Table(self._journals.begin(game, about={"tokens": tokens, "bot": bot}), tokens, bot)
        self._known[table.id] = None
        self._open[table.id] = table
        return table

    def get(self, id: str) -> Table:
        """The table with an id. Raises `KeyError` if there is none, `SaveError` if it cannot be read."""
        if id not in self._known:
            raise KeyError(id)
        if id not in self._open:
            self._open[id] = self._resume(id)
        return self._open[id]

    def _resume(self, id: str) -> Table:
        place = f"{self.path}, game {id}"
        try:
            journal = self._journals.resume(id)
        except SaveError:
            if self._rules is None:
                raise
            journal = self._journals.resume(id, rules=self._rules)
        about = self._journals.about(id)
        try:
            tokens, bot = [None if token is None else str(token) for token in about["tokens"]], str(about["bot"])
        except (KeyError, TypeError):  # which is not quoted: it may be a token
            raise SaveError(f"{place}: the seats of this game cannot be read") from None
        if len(tokens) != len(journal.game.players):
            raise SaveError(f"{place}: there are {len(tokens)} tokens for {len(journal.game.players)} seats")
        try:
            return Table(journal, tokens, bot)
        except InvalidInputError as error:
            raise SaveError(f"{place}: {error}") from error

    def close(self) -> None:
        """Close the file; the games can be taken up again."""
        self._journals.close()
        self._open.clear()
