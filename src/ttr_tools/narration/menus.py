"""Menus of legal actions: the question of a decision, labels for a page, and a numbered menu for a terminal.

Nothing here decides what is legal, and nothing knows a variant: every entry is one of the legal actions, or leads to some
of them, and is described by the name of an action and its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, partial
from itertools import islice
from typing import Any

import attrs
from attrs import evolve, frozen

from ttr_rules import model as core, parts, plugins
from ttr_rules.actions import menu_points, route_cost
from ttr_rules.language import marked
from ttr_rules.model import (
    Action,
    Decision,
    KeepTickets,
    TicketChoice,
    TicketSetup,
    TunnelDue,
    Turn,
    plain,
)
from ttr_rules.play import Game, OfferedKind, Purchase
from ttr_rules.reading import JsonObject
from ttr_rules.sequences import LazySequence
from ttr_rules.text import printable, spaced, titled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, NextCard
from ttr_tools.narration.words import Names, letter, list_offered_tickets

#: If there are at most this many actions of a type, they appear in the first menu.
FEW = 5
#: The number of entries of a long list that are read at once, and the number that is searched: of many lists of payments fewer.
READ, SEARCHED = 100, 1000
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
    if kind is not core.DrawTickets:
        return label
    rule = names.rules.answers[type(decision)].by_action[kind]
    if rule.replaces or rule.on is not Turn or names.rules.tickets_drawn:
        return label  # plugins may do something else, or give a number to each seat
    counts = names.rules.draw_counts
    told = counts.keep and not names.rules.tickets_kept  # plugins give the number to a seat that has drawn
    template = "{label}: {drawn}, of which at least {keep} must be kept" if told else "{label}: {drawn}"
    return say(template, label=label, drawn=counts.drawn, keep=counts.keep)


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
        route, cards = names.route_with_kind(decision.route), names.cards_label(decision.laid)
        revealed = names.one_by_one(decision.revealed)
        return names.language.ngettext(one, many, decision.extra.spaces, route=route, cards=cards, revealed=revealed)
    if isinstance(decision, NextCard):
        second = decision.of_draw and names.rules.draw_counts.cards == 2 and not names.rules.cards_drawn
        return say("Your second card:" if second else "Your next card:")
    if isinstance(decision, Turn):
        return say("Your turn:")
    fields = dict(read_fields(decision))
    if (own := names.filled(type(decision).message, fields)) is not None:
        return own
    told = {name: value for name, value in fields.items() if value not in ((), {}, None, "", False)}
    details = [f"{names.language.name(spaced(name))} {names.label(value, name)}" for name, value in told.items()]
    about = f" ({'; '.join(details)})" if details else ""
    return f"{say(titled(type(decision).__name__))}{about}:"


# -- the words of an offer -----------------------------------------------------------------------------------------


def offer_words(game: Game, seat: int, names: Names) -> JsonObject | None:
    """The question to a seat and labels for the kinds of its offer, or None if it has nothing to decide.

    >>> from ttr_rules import new_game
    >>> game = new_game("nordic-countries", players=["Ada", "Bo"], seed=1, first_seat=0)
    >>> words = offer_words(game, 0, Names(game.rules, game.players))
    >>> words["question"], words["kinds"][0]["label"]
    ('Which of these tickets do you keep?', 'Keep tickets')
    """
    if (decision := game.decision(seat)) is None:
        return None
    names = _price_routes(names, game, seat)
    kinds = [_kind_words(kind, decision, names) for kind in game.offer(seat).kinds]
    return {"question": question(decision, names), "kinds": kinds}


def _price_routes(names: Names, game: Game, seat: int) -> Names:
    """Names whose labels of routes say what these cost a seat now, and score, where plugins change that."""
    names = copy(names)
    if game.rules.cost_changes:
        names.cost = partial(route_cost, game.state, seat)
    if game.rules.claim_points or game.rules.menu_points:
        names.points = partial(menu_points, game.state, seat)
    return names


def _kind_words(kind: OfferedKind, decision: Decision, names: Names) -> JsonObject:
    """A type of action in words: for each entry its label, the places that it names, perhaps its price."""
    actions = [purchase.cheapest for purchase in kind.purchases] or list(kind.actions)
    words: JsonObject = {
        "label": _heading(kind, actions[0], decision, names),
        "labels": [action_label(action, names, decision, payment=not kind.purchases) for action in actions],
        "named": [places_on_board(action, names) for action in actions],
    }
    if kind.purchases:
        words["prices"] = [payment_label(action, names) for action in actions]
    tickets = list_offered_tickets(decision, names.rules)
    if isinstance(actions[0], KeepTickets) and tickets:  # ticked one by one, not listed in all combinations
        words["tickets"] = [{"id": id, "label": names.ticket_label(names.rules.tickets[id])} for id in tickets]
    return words


def read_fields(thing: Action | Decision) -> Iterator[tuple[str, object]]:
    """The fields of an action or a decision by name, without its seat: they tell actions of one seat apart."""
    return ((name, value) for name, value in parts.exposed_fields(thing).items() if name != "seat")


def action_label(action: Action, names: Names, decision: Decision | None = None, *, payment: bool = True) -> str:
    """An action in words: its `label`, or its fields, and the payment if it is wanted. An option has the text of its `decision`.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> action_label(DrawFaceUp(0, "red"), Names(compile_rules("europe"), ["Ada", "Bo"]))
    'red'
    """
    if own := _own_label(action, decision, names):
        return own
    fields = dict(read_fields(action))
    paid = fields.pop("payment", None)
    told = names.filled(type(action).label, fields)
    labels = [_label(value, names, name) for name, value in fields.items()] if told is None else [told]
    if payment and paid is not None:
        labels.append(_label(paid, names, "payment"))
    return ": ".join(filter(None, labels))


def option_label(action: Action, names: Names) -> str:
    """The option that an answer chose: its label in the menu, without the details of a route, which hold commas."""
    choices: list[type[plugins.Choice[Any]]] = [
        kind for kind in names.rules.answers if issubclass(kind, plugins.Choice)
    ]
    for choice in choices:
        if choice.action is type(action):
            asks_more = any(field.default is attrs.NOTHING for field in attrs.fields(choice) if field.name != "seat")
            if label := _own_label(action, None if asks_more else choice(action.seat), names):
                return f"“{label}”" if label[:1].isupper() else label  # with a capital it may be a whole sentence
            option = choice.option_in(action)
            if isinstance(option, str):
                return names.value(option)
    return action_label(action, names)


def _own_label(action: Action, decision: Decision | None, names: Names) -> str:
    """The text that a choice of a plugin has for the option of an action, empty if it has none."""
    label = decision.label_of(action) if isinstance(decision, plugins.Choice) else None
    return "" if label is None else printable(names.text(label))


def _heading(kind: OfferedKind, first: Action, decision: Decision, names: Names) -> str:
    """The label of a type of action, of which `first` is one. It is empty above a few that have texts of their own."""
    own = _own_label(first, decision, names) if kind.total <= FEW else ""
    return "" if own else kind_label(type(first), decision, names)


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
    return names.label(dict(read_fields(action))["payment"], "payment")


# -- numbered menus --------------------------------------------------------------------------------------------------


@frozen
class Choice:
    """An entry of a menu: an action or a submenu.

    `words` is what a filter searches in addition to the label.
    """

    label: str
    action: Action | None = None
    children: Sequence[Choice] = ()
    words: str = ""

    @property
    def summary(self) -> str:
        """The entry as shown, with the number of entries below it in brackets."""
        return f"{self.label} ({len(self.children):,})" if self.children else self.label

    @property
    def is_long(self) -> bool:
        """Tell whether a list here or below is too long to be searched completely."""
        if isinstance(self.children, LongList):
            return len(self.children) > self.children.searched
        return any(child.is_long for child in self.children)

    def search(self, wanted: Sequence[str], path: str = "", words: str = "") -> Iterator[Choice]:
        """The entries below this one whose labels, or those of the menus above, contain all the wanted words."""
        most = self.children.searched if isinstance(self.children, LongList) else None
        for child in islice(self.children, most):
            label = f"{path}: {child.label}" if path else child.label
            text = f"{words} {plain(child.label)} {plain(child.words)}"
            if all(word in text for word in wanted):
                yield evolve(child, label=label)
            else:
                yield from child.search(wanted, label, text)


class LongList(LazySequence[Choice]):
    """Entries that are read a page at a time when they are shown, as there may be millions.

    Only the first `searched` entries are searched.
    """

    def __init__(self, size: int, read: Callable[[int], Sequence[Choice]], searched: int = SEARCHED) -> None:
        super().__init__(size)
        self.searched = searched
        self._read = cache(read)

    def nth(self, index: int) -> Choice:
        return self._read(index - index % READ)[index % READ]


def menu(game: Game, seat: int, names: Names) -> Choice:
    """The menu of a seat's legal actions: their types, or the actions themselves where there are few.

    Below a type are its actions. Below what can be paid for in several ways are the payments, the cheapest first.

    >>> from ttr_rules import arrange
    >>> players = [{"name": "Ada", "hand": {"red": 2}}, {"name": "Bo"}]
    >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> [entry.summary for entry in menu(game, 0, Names(game.rules, game.players)).children][-3:]
    ['Claim a route (12)', 'Draw tickets: 3, of which at least 1 must be kept', 'Build a station (47)']
    """
    names = _price_routes(names, game, seat)
    entries = [_kind_entry(game, seat, kind, names) for kind in game.offer(seat).kinds]
    if len(entries) == 1 and entries[0].children:
        return entries[0]
    children: list[Choice] = []
    for entry in entries:
        below = entry.children
        if 0 < len(below) <= FEW and not any(child.children for child in below):
            children += [evolve(child, label=": ".join(filter(None, (entry.label, child.label)))) for child in below]
        else:
            children.append(entry)
    return Choice("", children=tuple(children))


def _kind_entry(game: Game, seat: int, kind: OfferedKind, names: Names) -> Choice:
    """The entry for the legal actions of one type."""
    decision = game.decision(seat)
    assert decision is not None, "only a seat with a decision has legal actions"
    first = kind.purchases[0].cheapest if kind.purchases else kind.actions[0]
    entry = Choice(_heading(kind, first, decision, names))
    if kind.purchases:
        things = [_purchase_entry(game, purchase, names) for purchase in kind.purchases]
        return evolve(entry, children=tuple(sorted(things, key=lambda thing: plain(thing.label))))
    if kind.total == 1 and not action_label(first, names, decision):
        return evolve(entry, action=first)
    legal = game.legal_actions(seat)

    def read(start: int) -> list[Choice]:
        end = min(start + READ, kind.total)
        return [_action_entry(action, names, decision) for action in legal[kind.first + start : kind.first + end]]

    if isinstance(first, KeepTickets):
        keeps = [action for action in legal if isinstance(action, KeepTickets)]
        return evolve(entry, children=tuple(_keeps(decision, keeps, names)))
    return evolve(entry, children=tuple(read(0)) if kind.total <= READ else LongList(kind.total, read))


def _purchase_entry(game: Game, purchase: Purchase, names: Names) -> Choice:
    """The entry for something to pay for: with its payment, or above a list of all payments."""
    cheapest = purchase.cheapest
    if purchase.payments == 1:
        return _action_entry(cheapest, names)

    def read(start: int) -> list[Choice]:
        return [Choice(payment_label(action, names), action) for action in game.payments(cheapest, start, READ).actions]

    entry = _action_entry(cheapest, names, payment=False)
    return evolve(entry, action=None, children=LongList(purchase.payments, read, READ))


def _action_entry(action: Action, names: Names, decision: Decision | None = None, *, payment: bool = True) -> Choice:
    """The entry for one action, described by its fields, the payment only if it is wanted."""
    words = " ".join(names.search_words(value) for _, value in read_fields(action))
    return Choice(action_label(action, names, decision, payment=payment), action, words=words)


def _keeps(decision: Decision, actions: list[KeepTickets], names: Names) -> Iterator[Choice]:
    """The choices of tickets to keep, by their letters in the prompt, with the most tickets first."""
    letters = {id: letter(index) for index, id in enumerate(list_offered_tickets(decision, names.rules))}

    def by_letter(id: str) -> str:
        return letters.get(id, "")

    for action in sorted(actions, key=lambda action: (-len(action.tickets), sorted(map(by_letter, action.tickets)))):
        kept = sorted(action.tickets, key=by_letter)
        label = " ".join(letters.get(id, id) for id in kept) or names.language.gettext("none")
        if len(kept) == len(letters) > 1:
            label += names.language.gettext(" (all)")
        yield Choice(label, action, words=" ".join([*map(names.label, kept), *kept]))


def _label(value: object, names: Names, name: str) -> str:
    """The label of a field, with the meaning of a name that has one."""
    return names.label(value, name) + (names.meant(value) if isinstance(value, str) else "")
