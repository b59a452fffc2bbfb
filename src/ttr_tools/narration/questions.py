"""What a player is asked, and what each type of action is called in a menu: for terminals and web pages."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from ttr_rules import model as core
from ttr_rules.language import marked
from ttr_rules.model import Action, Decision, TicketChoice, TicketSetup, TunnelDue, Turn
from ttr_rules.text import spaced, titled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, NextCard
from ttr_tools.narration.labels import cards_label, value_label
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
    """What a menu says for a type of action, as an answer to a decision.

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
    """What a decision asks its player.

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
    fields = {each.name: getattr(decision, each.name) for each in attrs.fields(type(decision)) if each.name != "seat"}
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
