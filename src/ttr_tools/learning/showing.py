"""What `render` gives: a table in text, or a picture of the board."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_rules import Rules, View
from ttr_tools.render import draw_view

#: The ways to render: printed, as a string, as a picture in SVG.
MODES = ["human", "ansi", "svg"]


def shown(view: View, rules: Rules, mode: str | None) -> str | None:
    """What a spectator sees of a game, in one of the `MODES`; "human" prints it and gives None.

    >>> from ttr_rules import new_game
    >>> game = new_game("london", players=2, seed=1)
    >>> shown(game.view(None), game.rules, "human")
    London: Player 1 and Player 2 to act
    Player 1: 0 points, 0 routes, 17 cars, ? tickets
    Player 2: 0 points, 0 routes, 17 cars, ? tickets
    """
    if mode == "svg":
        return draw_view(view, rules).svg
    text = "\n".join(lines(view, rules))
    if mode == "ansi":
        return text
    print(text)  # noqa: T201
    return None


def lines(view: View, rules: Rules) -> Sequence[str]:
    """A game in a few lines: who acts, and what each player has."""
    acting = " and ".join(view.players[seat] for seat in view.to_act)
    found = [f"{rules.board.name}: {f'{acting} to act' if acting else 'the game is over'}"]
    for seat, name in enumerate(view.players):
        routes = sum(owner == seat or seat in view.shared.get(route, ()) for route, owner in view.owners.items())
        held = view.ticket_counts[seat]
        tickets = "?" if held is None else held
        found.append(f"{name}: {view.scores[seat]} points, {routes} routes, {view.cars[seat]} cars, {tickets} tickets")
    return found
