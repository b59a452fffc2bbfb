"""The question of a decision and labels for its actions, for menus of terminals and web pages.

Nothing here decides what is legal, and nothing knows a variant: an action is described by its name and its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NotRequired, TypedDict

import attrs

from ttr_rules import model as core
from ttr_rules.language import marked
from ttr_rules.model import Action, Decision, KeepTickets, TicketChoice, TicketSetup, TunnelDue, Turn
from ttr_rules.play import Game, OfferedKind
from ttr_rules.text import spaced, titled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, NextCard
from ttr_tools.narration.labels import cards_label, ticket_label, value_label
from ttr_tools.narration.words import Names

_KINDS: Mapping[type[Action], str] = {
    DrawBlind: marked("Draw a card from the pile"),
    DrawFaceUp: marked("Take a face-up card"),
    core.ClaimRoute: marked("Claim a route"),
    core.PayTunnel: marked("Pay for the tunnel"),
    core.AbandonTunnel: marked("Abandon the tunnel"),
    core.DrawTickets: marked("Draw tickets"),
    core.KeepTickets: marked("Keep tickets"),
    core.Pass: marked("Pass"),
    core.AnnounceMix: marked("Announce mix"),
}


def kind_label(kind: type[Action], decision: Decision, names: Names) -> str:
    """The label of a type of action in a menu, as an answer to a decision.

    >>> from ttr_rules import DrawTickets, Turn, new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> kind_label(DrawTickets, Turn(0), Names(game.rules, game.players))
    'Draw tickets: 3, of which at least 1 must be kept'
    """
    say = names.language.gettext
    if kind is core.Pass and decision.passing:
        return say(decision.passing)
    if kind is core.AbandonTunnel and names.pays_with_cards:
        return say("Abandon the tunnel, take the cards back")
    label = say(_KINDS.get(kind) or kind.message or titled(kind.__name__))
    if kind is core.DrawTickets:
        counts = names.rules.draw_counts
        template = "{label}: {drawn}, of which at least {keep} must be kept" if counts.keep else "{label}: {drawn}"
        return say(template, label=label, drawn=counts.drawn, keep=counts.keep)
    return label


def question(decision: Decision, names: Names) -> str:
    """The question of a decision to its player.

    >>> from ttr_rules import Turn, new_game
    >>> game = new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> question(Turn(0), Names(game.rules, game.players))
    'Your turn:'
    """
    say = names.language.gettext
    if isinstance(decision, TicketSetup | TicketChoice):
        return say("Which of these tickets do you keep?")
    if isinstance(decision, TunnelDue):
        if names.pays_with_cards:
            one = "For {route} you laid {cards}; {revealed} turned up: {count} more is due."
            many = "For {route} you laid {cards}; {revealed} turned up: {count} more are due."
        else:
            one = "For {route} you put in {cards}; {revealed} came up: {count} more space to fill."
            many = "For {route} you put in {cards}; {revealed} came up: {count} more spaces to fill."
        return names.language.ngettext(
            one,
            many,
            decision.extra.spaces,
            route=names.kind_of_route(decision.route),
            cards=cards_label(decision.laid, names.card_words, names.language),
            revealed=names.one_by_one(decision.revealed),
        )
    if isinstance(decision, NextCard):
        return say("Your second card:" if names.rules.draw_counts.cards == 2 else "Your next card:")
    if isinstance(decision, Turn):
        return say("Your turn:")
    fields = dict(read_fields(decision))
    own = names.message(type(decision), fields)
    if own is not None:
        return own
    details = [
        f"{names.language.name(spaced(name))} {value_label(value, names, name)[0]}"
        for name, value in fields.items()
        if value not in ((), {}, None, "", False)
    ]
    about = f" ({'; '.join(details)})" if details else ""
    return f"{say(titled(type(decision).__name__))}{about}:"


# -- the words of an offer -----------------------------------------------------------------------------------------


class TicketWords(TypedDict):
    """A ticket to tick, in words."""

    id: str
    label: str


class KindWords(TypedDict):
    """A type of action of an offer in words: for each entry its label, the places that it names, perhaps its price."""

    label: str
    labels: list[str]
    named: list[list[str]]
    prices: NotRequired[list[str]]
    tickets: NotRequired[list[TicketWords]]


class OfferWords(TypedDict):
    """The words of an offer, in its order."""

    question: str
    kinds: list[KindWords]


def offer_words(game: Game, seat: int, names: Names) -> OfferWords | None:
    """The question to a seat, and labels for the kinds of its offer; None if it has nothing to decide.

    >>> from ttr_rules import new_game
    >>> game = new_game("nordic-countries", players=["Ada", "Bo"], seed=1, first_seat=0)
    >>> words = offer_words(game, 0, Names(game.rules, game.players))
    >>> words["question"], words["kinds"][0]["label"]
    ('Which of these tickets do you keep?', 'Keep tickets')
    """
    decision = game.decision(seat)
    if decision is None:
        return None
    kinds = [_kind_words(kind, decision, names) for kind in game.offer(seat).kinds]
    return {"question": question(decision, names), "kinds": kinds}


def _kind_words(kind: OfferedKind, decision: Decision, names: Names) -> KindWords:
    actions = [purchase.cheapest for purchase in kind.purchases] or list(kind.actions)
    words: KindWords = {
        "label": kind_label(type(actions[0]), decision, names),
        "labels": [action_label(action, names, payment=not kind.purchases) for action in actions],
        "named": [places_on_board(action, names) for action in actions],
    }
    if kind.purchases:
        words["prices"] = [payment_label(action, names) for action in actions]
    tickets: tuple[str, ...] = getattr(decision, "tickets", ())
    if isinstance(actions[0], KeepTickets) and tickets:  # ticked one by one, not listed in all combinations
        words["tickets"] = [{"id": id, "label": ticket_label(names.rules.tickets[id], names)} for id in tickets]
    return words


def read_fields(thing: Action | Decision) -> Iterator[tuple[str, object]]:
    """The fields of an action or a decision by name, without its seat."""
    for field in attrs.fields(type(thing)):
        if field.name != "seat":
            yield field.name, getattr(thing, field.name)


def action_label(action: Action, names: Names, *, payment: bool = True) -> str:
    """The fields of an action in words, the payment only if it is wanted.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> action_label(DrawFaceUp(0, "red"), Names(compile_rules("europe"), ["Ada", "Bo"]))
    'red'
    """
    labels = (
        value_label(value, names, name)[0] + (names.meant(value) if isinstance(value, str) else "")
        for name, value in read_fields(action)
        if payment or name != "payment"
    )
    return ": ".join(filter(None, labels))


def places_on_board(action: Action, names: Names) -> list[str]:
    """The routes and cities that an action names: it can be chosen by a click on one of them.

    >>> from ttr_rules import ClaimRoute, compile_rules
    >>> places_on_board(ClaimRoute(0, "paris-zurich-gray", {"red": 3}), Names(compile_rules("europe"), ["Ada", "Bo"]))
    ['paris-zurich-gray']
    """
    places = names.board.routes.keys() | names.board.cities.keys()
    return [value for _, value in read_fields(action) if isinstance(value, str) and value in places]


def payment_label(action: Action, names: Names) -> str:
    """The payment of an action, such as `2 red + 1 locomotive`."""
    return value_label(dict(read_fields(action))["payment"], names, "payment")[0]
