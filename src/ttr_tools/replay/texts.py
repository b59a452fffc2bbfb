"""The words of the page itself; what is said about the game comes from the narration, the sheet and the labels."""

from __future__ import annotations

from ttr_rules.language import Language


def texts_of(language: Language) -> dict[str, str]:
    """Every text of the page by its key, in a language. What stands in braces is filled in by the page.

    >>> from ttr_rules.language import language
    >>> texts_of(language("en"))["move_of"]
    'Move {number} of {count}'
    """
    say = language.gettext
    return {
        "all": say("Everything is shown: all hands and all tickets."),
        "board": say("Board"),
        "cars": say("Cars"),
        "choosing": say("Chooses from"),
        "completed": say("completed"),
        "decided": say("{name} has decided."),
        "draw_pile": say("Draw pile"),
        "enlarge": say("Large board"),
        "face_up": say("Face up"),
        "failed": say("failed"),
        "first": say("First move"),
        "hand": say("Hand"),
        "hide_cities": say("Stop marking the cities of {ticket}"),
        "impossible": say("cannot be completed any more"),
        "keys": say("Left and right arrow: one move. On the slider also Home, End, Page up, Page down."),
        "last": say("Last move"),
        "last_round": say("Last round: turns left"),
        "mark_cities": say("Mark the cities of {ticket} on the board"),
        "missing": say("{spaces} spaces missing"),
        "missing_one": say("1 space missing"),
        "move": say("Move"),
        "move_of": say("Move {number} of {count}"),
        "moves": say("Moves"),
        "next": say("Next move"),
        "no_script": say("This page needs JavaScript to go through the moves."),
        "nobody": say("nobody"),
        "none": say("none"),
        "nothing": say("nothing"),
        "now": say("What happened"),
        "on_table": say("On the table"),
        "over": say("The game is over."),
        "pause": say("Pause"),
        "play": say("Play"),
        "player": say("Player"),
        "players": say("Players"),
        "points": say("Points"),
        "previous": say("Previous move"),
        "rank": say("Rank"),
        "routes_of": say("Routes of each player"),
        "seat": say("The game as {name} saw it."),
        "sheet": say("Score sheet"),
        "spectator": say("The game as a spectator saw it."),
        "story": say("Story"),
        "tickets": say("Tickets"),
        "tickets_left": say("Tickets left"),
        "to_act": say("To act: {names}"),
        "total": say("Total"),
        "winner": say("winner"),
        "you": say("{name} (you)"),
    }
