"""Menus of legal actions: the question of a decision, labels for a page, and a numbered menu for a terminal.

Nothing here decides what is legal, and nothing knows a variant: every entry is one of the legal actions, or leads to some
of them, and is described by the name of an action and its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NotRequired, TypedDict

import attrs
from attrs import evolve, field, frozen

from ttr_rules import model as core
from ttr_rules.actions import cheapest_first
from ttr_rules.engine import LegalActions
from ttr_rules.language import marked
from ttr_rules.model import (
    Action,
    Card,
    Counts,
    Decision,
    KeepTickets,
    TicketChoice,
    TicketSetup,
    TunnelDue,
    Turn,
    plain,
)
from ttr_rules.play import Game, OfferedKind
from ttr_rules.reading import is_table
from ttr_rules.sequences import LazySequence
from ttr_rules.text import printable, spaced, titled
from ttr_rules.train_cards import DrawBlind, DrawFaceUp, NextCard
from ttr_tools.narration.words import Names, letter, offered_tickets

#: If there are at most this many actions of a type, they appear in the first menu.
FEW = 5
#: Up to this many legal actions are all created for a menu; of more, only those that are shown.
LISTED = 2000
#: The number of entries of a `LongList` that are searched.
SEARCHED = 100
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
            route=names.route_with_kind(decision.route),
            cards=names.cards_label(decision.laid),
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
        f"{names.language.name(spaced(name))} {names.label(value, name)}"
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
    tickets = offered_tickets(decision, names.rules)
    if isinstance(actions[0], KeepTickets) and tickets:  # ticked one by one, not listed in all combinations
        words["tickets"] = [{"id": id, "label": names.ticket_label(names.rules.tickets[id])} for id in tickets]
    return words


def action_fields(kind: type[Action | Decision]) -> list[str]:
    """The names of the fields that tell actions of one seat apart."""
    return [attribute.name for attribute in attrs.fields(kind) if attribute.name != "seat"]


def read_fields(thing: Action | Decision) -> Iterator[tuple[str, object]]:
    """The fields of an action or a decision by name, without its seat."""
    for name in action_fields(type(thing)):
        yield name, getattr(thing, name)


def action_label(action: Action, names: Names, *, payment: bool = True) -> str:
    """The fields of an action in words, the payment only if it is wanted.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> action_label(DrawFaceUp(0, "red"), Names(compile_rules("europe"), ["Ada", "Bo"]))
    'red'
    """
    labels = (_label(value, names, name) for name, value in read_fields(action) if payment or name != "payment")
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
            return len(self.children) > SEARCHED
        return any(child.is_long for child in self.children)

    def search(self, wanted: Sequence[str], path: str = "", words: str = "") -> Iterator[Choice]:
        """The entries below this one whose labels, or those of the menus above, contain all the wanted words."""
        for child in islice(self.children, SEARCHED) if isinstance(self.children, LongList) else self.children:
            label = f"{path}: {child.label}" if path else child.label
            text = f"{words} {plain(child.label)} {plain(child.words)}"
            if all(word in text for word in wanted):
                yield evolve(child, label=label)
            else:
                yield from child.search(wanted, label, text)

    def collapse(self) -> Choice:
        """Replace a menu with a single entry by that entry: `Paris–Zürich …: 3 red`."""
        entry = self
        while len(entry.children) == 1:
            (only,) = entry.children
            entry = evolve(only, label=f"{entry.label}: {only.label}", words=f"{entry.words} {only.words}")
        return entry


class LongList(LazySequence[Choice]):
    """Entries that are created when they are shown: there may be millions."""

    __slots__ = ("_entry",)

    def __init__(self, size: int, entry: Callable[[int], Choice]) -> None:
        super().__init__(size)
        self._entry = entry

    def nth(self, index: int) -> Choice:
        return self._entry(index)


# -- menus ---------------------------------------------------------------------------------------------------------


def menu(decision: Decision, actions: Sequence[Action], names: Names) -> Choice:
    """The menu of all legal actions; grouped by type, with small groups shown directly.

    If there are very many, they are created when shown.
    """
    if isinstance(actions, LegalActions) and len(actions) > LISTED:
        return _join_kinds([_large(group, decision, names) for group in actions.groups])
    kinds: dict[type[Action], list[Action]] = {}
    for action in actions:
        kinds.setdefault(type(action), []).append(action)
    return _join_kinds([_kind(kind, group, decision, names) for kind, group in kinds.items()])


def _join_kinds(entries: Sequence[Choice]) -> Choice:
    """The first menu: the types of action, but the actions themselves where there are few."""
    if len(entries) == 1 and entries[0].children:
        return entries[0]
    children: list[Choice] = []
    for entry in entries:
        if 0 < len(entry.children) <= FEW and not any(child.children for child in entry.children):
            children += [evolve(child, label=f"{entry.label}: {child.label}") for child in entry.children]
        else:
            children.append(entry)
    return Choice("", children=tuple(children))


def _large(group: LegalActions, decision: Decision, names: Names) -> Choice:
    """An entry for the actions of one type, of which there may be very many."""
    first: Action = group[0]
    kind = type(first)
    if len(group) <= LISTED:
        return _kind(kind, list(group), decision, names)
    entry, purchases = Choice(kind_label(kind, decision, names)), group.purchases()
    if purchases is None:
        return evolve(entry, children=LongList(len(group), lambda index: _single(group[index], names)))
    payments = dict(purchases)
    things = _group(entry, list(payments), [name for name in action_fields(kind) if name != "payment"], names)
    return _with_payments(things, payments, names)


def _single(action: Action, names: Names) -> Choice:
    """The entry for one action, described only by its fields."""
    entry = _group(Choice(""), [action], action_fields(type(action)), names)
    return entry.children[0] if entry.children else evolve(entry, label=printable(str(action)))


def _with_payments(entry: Choice, payments: Mapping[Action, Sequence[Counts]], names: Names) -> Choice:
    """Turn an entry for things into one that leads to all payments for them, the cheapest first."""
    thing: Any = entry.action  # with a payment
    if thing is None:
        children = [_with_payments(child, payments, names) for child in entry.children]
        return evolve(entry, children=tuple(sorted(children, key=lambda child: plain(child.label))))
    ways = cheapest_first(payments[thing], names.rules.economy.payment_rank)

    def pay(index: int) -> Choice:
        return Choice(names.label(ways[index]), evolve(thing, payment=ways[index]))

    return evolve(entry, action=None, children=LongList(len(ways), pay)).collapse()


def _kind(kind: type[Action], actions: list[Action], decision: Decision, names: Names) -> Choice:
    label = kind_label(kind, decision, names)
    if kind is KeepTickets:
        keeps = [action for action in actions if isinstance(action, KeepTickets)]
        return Choice(label, children=tuple(_keeps(decision, keeps, names)))
    return _group(Choice(label), actions, action_fields(kind), names)


def _keeps(decision: Decision, actions: list[KeepTickets], names: Names) -> Iterator[Choice]:
    """The choices of tickets to keep, by their letters in the prompt; the most tickets first."""
    tickets = offered_tickets(decision, names.rules)
    letters = {id: letter(index) for index, id in enumerate(tickets)}

    def by_letter(id: str) -> str:
        return letters.get(id, "")

    for action in sorted(actions, key=lambda action: (-len(action.tickets), sorted(map(by_letter, action.tickets)))):
        kept = sorted(action.tickets, key=by_letter)
        label = " ".join(letters.get(id, id) for id in kept) or names.language.gettext("none")
        if len(kept) == len(letters) > 1:
            label += names.language.gettext(" (all)")
        words = " ".join(map(names.label, kept))
        yield Choice(label, action, words=f"{words} {' '.join(kept)}")


# -- grouping by fields --------------------------------------------------------------------------------------------


@frozen
class _Group:
    """Actions that agree in a field, under an entry; `bare` is its label without a number for duplicates."""

    entry: Choice
    bare: str
    actions: list[Action] = field(factory=list[Action])


def _group(entry: Choice, actions: list[Action], fields: Sequence[str], names: Names) -> Choice:
    """Put actions of one type below an entry, by their first field, with submenus by the other fields."""
    if not fields:
        if len(actions) == 1:
            return evolve(entry, action=actions[0])
        return evolve(entry, children=tuple(Choice(printable(str(action)), action) for action in actions))
    name, *rest = fields
    if len(actions) > FEW and (keys := _common_keys(actions, name)):
        return _group_by_keys(entry, actions, name, keys, rest, names)
    groups = _split(actions, name, names)
    children = [_group(group.entry, group.actions, rest, names) for group in groups]
    if all(isinstance(getattr(action, name), Counts) for action in actions):
        order = {group.entry.label: _wildness(getattr(group.actions[0], name)) for group in groups}
        children.sort(key=lambda child: order[child.label])
    elif rest:
        children.sort(key=lambda child: plain(child.label))
    return evolve(entry, children=tuple(child.collapse() for child in children))


def _split(actions: list[Action], name: str, names: Names) -> Sequence[_Group]:
    """Actions by their values of a field; routes that look alike are numbered."""
    groups: dict[object, _Group] = {}
    for action in actions:
        value = getattr(action, name)
        key = _hashable(value)
        if key not in groups:
            bare = _label(value, names, name)
            number = sum(group.bare == bare for group in groups.values()) + 1
            label = names.language.gettext("{label}, no. {number}", label=bare, number=number) if number > 1 else bare
            groups[key] = _Group(Choice(label, words=names.search_words(value)), bare)
        groups[key].actions.append(action)
    return list(groups.values())


def _label(value: object, names: Names, name: str) -> str:
    """The label of a field, with the meaning of a name that has one."""
    return names.label(value, name) + (names.meant(value) if isinstance(value, str) else "")


def _hashable(value: object) -> object:
    if isinstance(value, Counts):
        return value
    if is_table(value):
        return tuple(value.items())
    return value if isinstance(value, Hashable) else repr(value)


def _wildness(payment: object) -> tuple[int, int]:
    """The order of payments: few locomotives first, then few cards."""
    return (payment.get(Card.LOCOMOTIVE, 0), payment.total) if isinstance(payment, Counts) else (0, 0)


def _common_keys(actions: list[Action], name: str) -> list[str]:
    """The keys of a field that has the same keys in all the actions, such as lent routes by city; else none."""
    values = [getattr(action, name) for action in actions]
    if not all(isinstance(value, Mapping) and not isinstance(value, Counts) for value in values):
        return []
    keys = list(values[0])
    same = all(list(value) == keys and all(isinstance(item, str) for item in value.values()) for value in values)
    return keys if same else []


def _group_by_keys(
    entry: Choice, actions: list[Action], name: str, keys: Sequence[str], rest: Sequence[str], names: Names
) -> Choice:
    """Put actions below an entry by the first key of a mapping, then by the next key, and so on."""
    if not keys:
        return _group(entry, actions, rest, names)
    key, *more = keys
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(getattr(action, name)[key], []).append(action)
    children: list[Choice] = []
    for value, group in groups.items():
        below = Choice(f"{names.value(key)}: {names.label(value)}", words=names.search_words(value))
        children.append(_group_by_keys(below, group, name, more, rest, names).collapse())
    return evolve(entry, children=tuple(children))
