"""How wide text is: the widths of Helvetica and Arial, so that labels can be placed without a browser."""

from __future__ import annotations

from unicodedata import combining, east_asian_width, normalize

#: Widths in thousandths of the size of the font, for the letters that need more or less than the usual.
_WIDTHS = {
    **dict.fromkeys("ijl'|", 222),
    **dict.fromkeys(" !,./:;I[]\\ftſı", 278),
    **dict.fromkeys("()-r`{}·", 333),
    **dict.fromkeys("Jckvsxyz", 500),
    **dict.fromkeys('"*°', 380),
    **dict.fromkeys("FTZß", 611),
    **dict.fromkeys("ABEKPSVXYÞ&", 667),
    **dict.fromkeys("CDHNRUw", 722),
    **dict.fromkeys("GOQØ", 778),
    **dict.fromkeys("Mm", 833),
    **dict.fromkeys("æœ%✓✗×★", 889),
    **dict.fromkeys("W", 944),
    **dict.fromkeys("ÆŒ@—…", 1000),
}
_USUAL = 556


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """The width of a line of text in a font of this size.

    >>> round(width_of("Paris", 10)), round(width_of("東京", 10))
    (23, 20)
    """
    total = 0
    for letter in normalize("NFD", text):
        if not combining(letter):
            total += 1000 if east_asian_width(letter) in "WF" else _WIDTHS.get(letter, _USUAL)
    return total * size * (1.06 if bold else 1.0) / 1000


def two_lines(text: str) -> tuple[str, str] | None:
    """A name broken at the space or the hyphen that leaves the shortest longer line; None if it has neither.

    >>> two_lines("Sault Ste. Marie"), two_lines("Paris")
    (('Sault', 'Ste. Marie'), None)
    """
    breaks = [number for number, letter in enumerate(text) if letter in " -" and 0 < number < len(text) - 1]
    lines = [
        (text[:number] if text[number] == " " else text[: number + 1], text[number + 1 :].lstrip()) for number in breaks
    ]
    return min(lines, key=lambda pair: max(len(pair[0]), len(pair[1])), default=None)
