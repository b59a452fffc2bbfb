"""The words of the page of a game in play, besides those of a replay; what is said of the game comes from the narration."""

from __future__ import annotations

from ttr_rules.language import Language
from ttr_tools.replay import texts as replay

#: The words of the page of a replay that this one has too.
_SHARED = (
    *("board", "cars", "choosing", "completed", "draw_pile", "enlarge", "face_up", "failed", "hand"),
    *("hide_cities", "impossible", "last_round", "mark_cities", "missing", "missing_one", "nobody", "none", "nothing"),
    *("now", "on_table", "over", "player", "players", "points", "rank", "routes_of", "sheet", "story", "tickets"),
    *("tickets_left", "to_act", "total", "winner", "you"),
)


def texts_of(language: Language) -> dict[str, str]:
    """Every text of the page by its key, in a language. What stands in braces is filled in by the page.

    >>> from ttr_rules.language import language
    >>> texts_of(language("en"))["your_turn"]
    'It is your turn.'
    """
    say, shared = language.gettext, replay.texts_of(language)
    return {key: shared[key] for key in _SHARED} | {
        "all_choices": say("All choices"),
        "back": say("Back"),
        "choices": say("Your choices"),
        "connecting": say("Connecting …"),
        "find": say("Find"),
        "for_place": say("What you can do here: {place}"),
        "how_paid": say("How do you pay? {thing}"),
        "keep": say("Keep selected tickets"),
        "lost": say("The connection is lost. Trying again …"),
        "more": say("Show more"),
        "no_script": say("This page needs JavaScript to play."),
        "not_now": say("There is nothing that you can do here now: {place}"),
        "play_hint": say("Click on the board, or choose below."),
        "seat": say("You play {name}."),
        "spectator": say("You are watching."),
        "ways_to_pay": say("{count} ways to pay"),
        "your_turn": say("It is your turn."),
    }
