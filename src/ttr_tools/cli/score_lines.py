"""Mistakes in a score file, told by its lines and its players instead of keys and indexes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ttr_rules.reading import is_table, name_problem

_TOKEN = re.compile(
    r"""
      \"{3} (?: [^"\\] | \\. | "(?!"") )*+ "{3,5}      # strings
    | '{3} (?: [^'] | '(?!'') )*+ '{3,5}
    | " (?: [^"\\\n] | \\. )*+ "
    | ' [^'\n]*+ '
    | [][{},=:]
    | (?P<left_out> \s++ | \# [^\n]*+ )
    | [^][{},=:"'\s\#] [^][{},="'\s\#]*+              # bare keys and other values
    """,
    re.DOTALL | re.VERBOSE,
)
_UNKNOWN = re.compile(r"unknown key '([^']+)'")
_PLAYER = re.compile(r"players\[(\d+)\]")


def located(problems: Sequence[str], table: Mapping[str, Any], text: str) -> list[str]:
    r"""Replace the places of problems such as `players[0].routes[2]` by the lines of the file and the names of players.

    `text` is the file, valid TOML or JSON, from which `table` was read.

    >>> text = 'stack = ["europe"]\\n[[players]]\\nname = "Ada"\\nroutes = [\\n  ["paris", "wien"],\\n]'
    >>> located(["players[0].routes[0]: no route 'paris-wien'"], {"players": [{"name": "Ada"}]}, text)
    ["line 5 (Ada, routes): no route 'paris-wien'"]
    """
    if not any(problem.startswith((*table, "unknown key")) for problem in problems):
        return list(problems)  # such as that it is nested too deeply
    lines = lines_of(text)
    return [_located(problem, table, lines) for problem in problems]


def _located(problem: str, table: Mapping[str, Any], lines: Mapping[str, int]) -> str:
    places = [place for place in lines if problem.startswith((f"{place}:", f"{place}.", f"{place}["))]
    known = max(places, key=len, default="")
    rest, _, what = problem[len(known) :].partition(": ") if known else ("", "", problem)
    keys = known + rest
    unknown = _UNKNOWN.match(what)
    inner = ".".join(filter(None, (keys, unknown[1]))) if unknown else keys
    line = lines.get(inner) or lines.get(known)
    if line is None:
        return problem
    words: list[str] = []
    player = _PLAYER.match(keys)
    if player:
        keys = keys[player.end() + 1 :]
        entry = table["players"][int(player[1])]
        name = entry.get("name") if is_table(entry) else None
        words.append(f"Player {int(player[1]) + 1}" if name_problem(name) else str(name))
    words += [re.sub(r"\[\d+\]", "", keys)] if keys else []
    return f"line {line} ({', '.join(words)}): {what}" if words else f"line {line}: {what}"


def lines_of(text: str) -> dict[str, int]:
    r"""The line in which each value of a TOML or JSON document begins, by a place such as `players[0].routes[2]`.

    >>> lines_of('stack = "europe"\\n[[players]]\\nroutes = [\\n  7,\\n  8,\\n]')
    {'stack': 1, 'players': 2, 'players[0]': 2, 'players[0].routes': 3, 'players[0].routes[0]': 4, 'players[0].routes[1]': 5}
    """
    document = _Document(text)
    document.read()
    return document.lines


class _Document:
    """A reader of the places in a document that is known to be valid."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.lines: dict[str, int] = {}
        self.tables: dict[str, int] = {}  # how many of each `[[array of tables]]` there are
        self.step()

    def step(self) -> str:
        """Go to the next token, and return the one read before."""
        before = getattr(self, "word", "")
        self.word, self.line = next(self.tokens, ("", 0))
        return before

    def read(self) -> None:
        """Read the whole document."""
        place = ""
        while self.word:
            if self.word == "{":  # JSON
                self.value("")
            elif self.word == "[":
                place = self.header()
            else:
                self.pair(place)

    def header(self) -> str:
        """Read the header of a TOML table: the place of the table."""
        line = self.line
        opened = 0
        while self.word == "[":
            self.step()
            opened += 1
        place = ""
        for part in self.key("]"):
            if place in self.tables:
                place += f"[{self.tables[place] - 1}]"
            place = f"{place}.{part}" if place else part
        for _ in range(opened):
            self.step()
        self.lines.setdefault(place, line)
        if opened == 2:
            count = self.tables[place] = self.tables.get(place, 0) + 1
            place += f"[{count - 1}]"
            self.lines[place] = line
        return place

    def key(self, end: str) -> list[str]:
        """Read a key, up to the sign after it: its parts."""
        parts: list[str] = [""]
        while self.word not in end:
            token = self.step()
            if token[0] in "\"'":
                parts[-1] = token[1:-1]
            else:
                first, *more = token.split(".")
                parts[-1] += first
                parts += more
        return parts

    def pair(self, place: str) -> None:
        """Read a key with its value, in the table at a place."""
        name = ".".join(self.key("=:"))
        self.step()
        self.value(f"{place}.{name}" if place else name)

    def value(self, place: str) -> None:
        """Read the value at a place, with all that is in it."""
        self.lines.setdefault(place, self.line)
        opening = self.step()
        if opening not in ("[", "{"):
            return
        number = 0
        while self.word not in ("]", "}"):
            if opening == "[":
                self.value(f"{place}[{number}]")
            else:
                self.pair(place)
            number += 1
            if self.word == ",":
                self.step()
        self.step()


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The tokens of a document, without space and comments, each with its line."""
    line = 1
    for found in _TOKEN.finditer(text):
        if found["left_out"] is None:
            yield found[0], line
        line += found[0].count("\n")
