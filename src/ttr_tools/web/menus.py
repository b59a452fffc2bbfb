"""The words for what a seat can do: labels for the entries of an offer, in its order.

Nothing here decides what is legal, and nothing knows a variant: an action is described by its name and its fields. Together
with an `Offer`, and the pages of payments and actions beyond it, every legal action can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import attrs

from ttr_rules.model import Action, KeepTickets
from ttr_rules.play import Game, OfferedKind
from ttr_tools.narration.labels import ticket_label, value_label
from ttr_tools.narration.questions import kind_label, question
from ttr_tools.narration.words import Names


def menu(game: Game, seat: int, names: Names) -> dict[str, Any] | None:
    """What a seat is asked, and labels for the kinds of its offer; None if it has nothing to decide.

    >>> from ttr_rules import new_game
    >>> game = new_game("nordic-countries", players=["Ada", "Bo"], seed=1, first_seat=0)
    >>> found = menu(game, 0, Names(game.rules, game.players))
    >>> found["question"], found["kinds"][0]["label"]
    ('Which of these tickets do you keep?', 'Keep tickets')
    """
    decision = game.decision(seat)
    if decision is None:
        return None
    kinds: list[dict[str, Any]] = []
    for kind in game.offer(seat).kinds:
        actions = [purchase.cheapest for purchase in kind.purchases] or kind.actions
        found = {"label": kind_label(type(actions[0]), decision, names), **_entries(kind, names)}
        tickets: tuple[str, ...] = getattr(decision, "tickets", ())
        if isinstance(actions[0], KeepTickets) and tickets:  # ticked one by one, not listed in all combinations
            found["tickets"] = [{"id": id, "label": ticket_label(game.rules.tickets[id], names)} for id in tickets]
        kinds.append(found)
    return {"question": question(decision, names), "kinds": kinds}


def _entries(kind: OfferedKind, names: Names) -> dict[str, Any]:
    """Labels for the entries of a kind, what they name on the board, and the prices of what is paid for."""
    if not kind.purchases:
        return {"labels": labels(kind.actions, names), "named": [named(each, names) for each in kind.actions]}
    cheapest = [purchase.cheapest for purchase in kind.purchases]
    return {
        "labels": labels(cheapest, names, payment=False),
        "named": [named(each, names) for each in cheapest],
        "prices": [payment_label(each, names) for each in cheapest],
    }


def labels(actions: Iterable[Action], names: Names, *, payment: bool = True) -> list[str]:
    """Labels for actions of one type: their fields in words, the payment only if it is wanted.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> labels([DrawFaceUp(0, "red")], Names(compile_rules("europe"), ["Ada", "Bo"]))
    ['red']
    """
    return [": ".join(filter(None, _fields(action, names, payment=payment))) for action in actions]


def _fields(action: Action, names: Names, *, payment: bool) -> Iterable[str]:
    for name, value in _values(action):
        if payment or name != "payment":
            yield value_label(value, names, name)[0] + (names.meant(value) if isinstance(value, str) else "")


def _values(action: Action) -> Iterable[tuple[str, object]]:
    for each in attrs.fields(cast("Any", type(action))):
        if each.name != "seat":
            yield each.name, getattr(action, each.name)


def named(action: Action, names: Names) -> list[str]:
    """The routes and cities that an action names: it can be chosen by a click on one of them.

    >>> from ttr_rules import ClaimRoute, compile_rules
    >>> named(ClaimRoute(0, "paris-zurich-gray", {"red": 3}), Names(compile_rules("europe"), ["Ada", "Bo"]))
    ['paris-zurich-gray']
    """
    board = names.board
    return [
        each for _, each in _values(action) if isinstance(each, str) and (each in board.routes or each in board.cities)
    ]


def payment_label(action: Action, names: Names) -> str:
    """The payment of an action, such as `2 red + 1 locomotive`."""
    return value_label(cast("Any", action).payment, names, "payment")[0]
