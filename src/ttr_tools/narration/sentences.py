"""Sentences of a story: what one player does in a turn becomes one sentence, whatever happens meanwhile follows it."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ttr_rules import Rules
from ttr_rules.language import WITH, Language
from ttr_rules.model import Counts
from ttr_tools.narration.words import Names, drawing


@frozen
class Line:
    """One line of a story: whose it is (None if nobody's), and whether it is a heading.

    >>> from ttr_rules import new_game
    >>> from ttr_tools.narration import Narrator
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> Narrator(game.rules, game.players).tell(game.events)[0]
    Line(text='Ada and Bo play; Bo begins.', seat=None, heading=False)
    """

    text: str
    seat: int | None = None
    heading: bool = False


class Sentences:
    """Puts clauses together to lines, in one language."""

    def __init__(self, rules: Rules, players: Sequence[str], language: Language) -> None:
        self.names = Names(rules, players, language)
        self._gettext = language.gettext
        self._ngettext = language.ngettext
        self._own: list[str] = []
        self._lines: list[Line] = []
        self._seat = 0
        self._clauses: list[str] = []
        self._followed: str | None = None
        self._drawn: list[str | None] = []
        self._later: list[str] = []
        self._with: list[str] = []
        self._paid: Counts | None = None
        self._laid: Counts | None = None

    def _say(self, seat: int, clause: str, followed: str | None = None) -> None:
        """Add something that a player did in this turn, without the name: `draws a card`.

        `followed` is said instead if another clause follows, for a clause that ends with a colon and what comes of it.
        """
        with_what = self._with_payment()
        self._settle()
        if seat != self._seat:
            self._flush()
            self._seat = seat
        self._add(clause + with_what)
        self._followed = None if followed is None else followed + with_what

    def _add(self, clause: str) -> None:
        if self._followed is not None:
            self._clauses[-1] = self._followed
            self._followed = None
        self._clauses.append(clause)

    def _aside(self, text: str, heading: bool = False) -> None:
        self._flush()
        self._lines.append(Line(text, heading=heading))

    def _settle(self) -> None:
        """Turn cards drawn so far, and any unexplained payment, into clauses."""
        if self._drawn:
            cards, self._drawn = self._drawn, []
            own, self._own = self._own, []
            for clause in drawing(cards, self.names.card_words, self.names.language, own):
                self._add(clause)
        if self._paid is not None:
            paid, self._paid = self._paid, None
            self._add(self._gettext("plays {cards}", cards=self.names.cards(paid)))
        if self._with:
            self._add(self._gettext("pays{payment}", payment=self._with_payment()))

    def _flush(self) -> None:
        self._settle()
        if self._clauses:
            what = self.names.language.joined(self._clauses)
            self._lines.append(Line(f"{self.names.player(self._seat)} {what}.", self._seat))
            self._clauses, self._followed = [], None
        self._lines += [Line(text) for text in self._later]
        self._later = []

    def _with_payment(self) -> str:
        """What is added to the next clause: a payment, or what plugins' events say."""
        parts, self._with = self._with, []
        if self._paid is not None:
            parts.append(self._gettext("with {cards}", cards=self.names.cards(self._paid, WITH)))
            self._paid = None
        return f" {', '.join(parts)}" if parts else ""

    def _of_piles(self, text: str) -> None:
        """Report what happens to the piles: immediately between two drawn cards, but not in the middle of a claim."""
        if self._clauses or self._paid is not None or self._laid is not None:
            self._later.append(text)
        else:
            self._aside(text)
