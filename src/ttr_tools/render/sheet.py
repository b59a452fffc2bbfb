"""The final sheet as SVG: the players side by side, every point of each with where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ttr_rules import FinalScores, PlayerScore
from ttr_rules.language import SOURCE, Language
from ttr_rules.play import SheetWords
from ttr_tools.narration.sheet import Row, rows, victory
from ttr_tools.render.elements import element, text
from ttr_tools.render.letters import width_of
from ttr_tools.render.names import Box
from ttr_tools.render.picture import Picture, document
from ttr_tools.render.style import PLAYER_COLORS, Theme

#: The width of a player's column, the most columns side by side, the air around them, and the height of a line.
COLUMN, ACROSS, PAD, STEP = 330.0, 3, 18.0, 20.0
SIZE, LABEL, POINTS = 14.0, 104.0, 44.0
#: Where a line may end: after a dash or a slash, or after a space, but not before a dash.
_BREAKS = re.compile(r"(?<=[–/])(?=\S)|(?<= )(?!– )")
SIGNS = {"completed": "✓", "failed": "✗"}


def draw_sheet(scores: FinalScores, *, lang: str = SOURCE, theme: Theme = "auto", ids: str = "") -> Picture:
    """The sheet of a finished game. `lang` is its language, such as "de".

    >>> from ttr_rules import score
    >>> draw_sheet(score(None, {"stack": ["europe"], "players": [{"name": "Ada"}, {"name": "Bo"}]})).name
    'Ada and Bo share the victory with 12 points.'
    """
    words = scores.words.in_language(lang)
    language = words.language
    won = victory(scores.players, language)
    wide = min(len(scores.players), ACROSS)
    width = PAD + wide * (COLUMN + PAD)
    found: list[str] = []
    y = PAD + STEP / 2
    for sentence in (won, *map(language.text, scores.ties)):
        for number, each in enumerate(wrapped(sentence, width - 2 * PAD)):
            kind = "line strong" if sentence is won else "line faint"
            found.append(element("text", text(each), class_=kind, x=PAD, y=y + STEP * number))
        y += STEP * len(wrapped(sentence, width - 2 * PAD))
    y += STEP / 2
    for first in range(0, len(scores.players), ACROSS):
        players = scores.players[first : first + ACROSS]
        columns = [list(_lines(player, words)) for player in players]
        lowest = y + STEP * (max(map(len, columns)) + 2.2)
        for place, (player, lines) in enumerate(zip(players, columns, strict=True)):
            found.append(_column(player, lines, PAD + place * (COLUMN + PAD), y, lowest, language))
        y = lowest + 2 * STEP
    about = ", ".join(f"{player.name} {player.total}" for player in scores.players)
    return document(
        won,
        language.gettext("Points: {scores}.", scores=about),
        "\n".join(found),
        Box(0.0, 0.0, width, y - STEP),
        theme=theme,
        ids=ids,
        board=None,
    )


def _column(
    player: PlayerScore, lines: Sequence[Row], left: float, top: float, bottom: float, language: Language
) -> str:
    """A player's column, with the total at the bottom."""
    right = left + COLUMN
    head = element(
        "g",
        element("rect", class_="shape", x=left, y=top - 14, width=COLUMN, height=24.0, rx=5),
        element("text", text(_cut(f"{player.seat + 1}  {player.name}", COLUMN - 80)), class_="owner-mark head", x=left + 10, y=top + 3),
        element("text", text(language.gettext("rank {rank}", rank=player.rank)), class_="owner-mark tail", x=right - 10, y=top + 3),
        class_=f"owner-{player.seat % PLAYER_COLORS}",
    )  # fmt: skip
    found = [head]
    y = top + STEP * 1.4
    for row in lines:
        found += [element("text", text(row.label), class_="line faint", x=left, y=y)] if row.label else []
        found += [element("text", text(row.text), class_="line", x=left + LABEL, y=y)] if row.text else []
        if row.mark:
            found.append(element("text", SIGNS.get(row.mark, ""), class_=f"line {row.mark}", x=right - POINTS - 8, y=y))
        if row.points is not None:
            found.append(element("text", str(row.points), class_="line tail", x=right, y=y))
        y += STEP
    found.append(element("path", class_="rule", d=f"M{left:.1f} {bottom - STEP * 0.9:.1f} H{right:.1f}"))
    found.append(element("text", text(language.gettext("Total")), class_="line strong", x=left, y=bottom))
    found.append(element("text", str(player.total), class_="line strong tail", x=right, y=bottom))
    return element("g", "\n", "\n".join(found), "\n", class_="sheet-column", data_seat=player.seat)


def _lines(player: PlayerScore, words: SheetWords) -> Iterator[Row]:
    """The rows of a player, with long labels and texts on several lines."""
    for row in rows(player, words):
        labels = wrapped(row.label, LABEL - 8)
        texts = wrapped(row.text, COLUMN - LABEL - POINTS - 14)
        for number in range(max(len(labels), len(texts))):
            yield Row(
                labels[number] if number < len(labels) else "",
                texts[number] if number < len(texts) else "",
                "" if number else row.mark,
                None if number else row.points,
            )


def wrapped(written: str, width: float) -> list[str]:
    """A text in lines that fit a width, broken at spaces and dashes where there are any."""
    found = [""]
    for word in _BREAKS.split(written):
        if found[-1] and width_of((found[-1] + word).rstrip(), SIZE) > width:
            found.append("")
        for each in word:  # a word that is too long is cut
            if found[-1] and width_of(found[-1] + each, SIZE) > width:
                found.append("")
            found[-1] += each
    return [each.rstrip() for each in found]


def _cut(written: str, width: float) -> str:
    """A text that fits a width on one line."""
    lines = wrapped(written, width)
    return lines[0] if len(lines) == 1 else f"{lines[0]}…"
