"""The words of the page itself, in one table: what is said about the game comes from the library."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

#: Every text of the page by its key. What stands in braces is filled in by the page.
ENGLISH: Mapping[str, str] = MappingProxyType(
    {
        "all": "Everything is shown: all hands and all tickets.",
        "board": "Board",
        "cars": "Cars",
        "choosing": "Chooses from",
        "completed": "completed",
        "decided": "{name} has decided.",
        "draw_pile": "Draw pile",
        "enlarge": "Large board",
        "face_up": "Face up",
        "failed": "failed",
        "first": "First move",
        "hand": "Hand",
        "hide_cities": "Stop marking the cities of {ticket}",
        "impossible": "cannot be completed any more",
        "keys": "Left and right arrow: one move. On the slider also Home, End, Page up, Page down.",
        "last": "Last move",
        "last_round": "Last round: turns left",
        "mark_cities": "Mark the cities of {ticket} on the board",
        "missing": "{spaces} spaces missing",
        "missing_one": "1 space missing",
        "move": "Move",
        "move_of": "Move {number} of {count}",
        "moves": "Moves",
        "next": "Next move",
        "no_script": "This page needs JavaScript to go through the moves.",
        "nobody": "nobody",
        "none": "none",
        "nothing": "nothing",
        "now": "What happened",
        "on_table": "On the table",
        "over": "The game is over.",
        "pause": "Pause",
        "play": "Play",
        "player": "Player",
        "players": "Players",
        "points": "Points",
        "previous": "Previous move",
        "rank": "Rank",
        "routes_of": "Routes of each player",
        "seat": "The game as {name} saw it.",
        "sheet": "Score sheet",
        "spectator": "The game as a spectator saw it.",
        "story": "Story",
        "tickets": "Tickets",
        "tickets_left": "Tickets left",
        "to_act": "To act: {names}",
        "total": "Total",
        "you": "{name} (this seat)",
    }
)
