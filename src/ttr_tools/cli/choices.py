"""Legal actions as a menu: first the type of action, then what it is about, then how it is paid for.

Nothing here decides what is legal: every entry of a menu is one of the legal actions, or leads to some of them. Actions
of plugins need no special wording: an action is described by its name and its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, cast

import attrs
from attrs import evolve, field, frozen

from ttr_rules import model as core
from ttr_rules.model import Action, Card, Counts, Decision, plain
from ttr_rules.play import LARGEST_PAGE, Game, OfferedKind
from ttr_rules.sequences import LazySequence
from ttr_rules.text import printable
from ttr_tools.narration.labels import letter_of, value_label
from ttr_tools.narration.questions import kind_label
from ttr_tools.narration.words import Names

#: If there are at most this many actions of a type, they appear in the first menu.
FEW = 5
#: Up to this many legal actions are all created for a menu; of more, only those that are shown.
LISTED = 2000
#: How many entries of a `LongList` are searched.
SEARCHED = 100


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
    def leaves(self) -> int:
        """How many actions this entry leads to."""
        if isinstance(self.children, LongList):
            return len(self.children)
        return sum(child.leaves for child in self.children) if self.children else 1

    @property
    def is_long(self) -> bool:
        """Whether a list here or below is too long to be searched completely."""
        if isinstance(self.children, LongList):
            return len(self.children) > SEARCHED
        return any(child.is_long for child in self.children)

    def found(self, wanted: Sequence[str], path: str = "", words: str = "") -> Iterator[Choice]:
        """The entries below this one whose labels, or those of the menus above, contain all the wanted words."""
        for child in islice(self.children, SEARCHED) if isinstance(self.children, LongList) else self.children:
            label = f"{path}: {child.label}" if path else child.label
            text = f"{words} {plain(child.label)} {plain(child.words)}"
            if all(word in text for word in wanted):
                yield evolve(child, label=label)
            else:
                yield from child.found(wanted, label, text)


class LongList(LazySequence[Choice]):
    """Entries that are created a page at a time, when shown: there may be millions."""

    __slots__ = ("_entries", "_read")

    def __init__(self, size: int, read: Callable[[int], Sequence[Choice]]) -> None:
        super().__init__(size)
        self._read = read
        self._entries: dict[int, Choice] = {}

    def nth(self, index: int) -> Choice:
        if index not in self._entries:
            start = index - index % LARGEST_PAGE
            self._entries = dict(enumerate(self._read(start), start))
        return self._entries[index]


# -- the menu ------------------------------------------------------------------------------------------------------


def menu_of(game: Game, seat: int, decision: Decision, names: Names) -> Choice:
    """The menu of all legal actions of a seat. If there are very many, they are created when shown."""
    offer = game.offer(seat)
    if offer.total <= LISTED:
        return menu(decision, game.legal_actions(seat), names)
    return _menu([_offered(kind, game, seat, decision, names) for kind in offer.kinds])


def _offered(kind: OfferedKind, game: Game, seat: int, decision: Decision, names: Names) -> Choice:
    """An entry for one type of action, from its part of the offer."""
    actions = game.legal_actions(seat)
    type_of = type(actions[kind.first])
    end = kind.first + kind.total
    if kind.total <= LISTED:
        return _kind(type_of, list(actions[kind.first : end]), decision, names)
    label = kind_label(type_of, decision, names)
    if not kind.purchases:

        def read(start: int) -> Sequence[Choice]:
            some = actions[kind.first + start : min(kind.first + start + LARGEST_PAGE, end)]
            return [_single(each, names) for each in some]

        return Choice(label, children=LongList(kind.total, read))
    things = _grouped(
        label, "", [each.cheapest for each in kind.purchases], [f for f in _fields(type_of) if f != "payment"], names
    )
    payments = {id(each.cheapest): each.payments for each in kind.purchases}
    return _with_payments(things, payments, game, names)


def _single(action: Action, names: Names) -> Choice:
    """The entry for one action, described only by its fields."""
    entry = _grouped("", "", [action], _fields(type(action)), names)
    return entry.children[0] if entry.children else evolve(entry, label=printable(str(action)))


def _with_payments(entry: Choice, payments: Mapping[int, int], game: Game, names: Names) -> Choice:
    """Turn an entry for things with their cheapest payments into one that leads to all payments."""
    action = entry.action
    if action is None:
        below = [_with_payments(child, payments, game, names) for child in entry.children]
        return evolve(entry, children=tuple(sorted(below, key=lambda child: plain(child.label))))

    def payment(paid: Action) -> Choice:
        return Choice(value_label(cast("Any", paid).payment, names)[0], paid)

    def read(start: int) -> Sequence[Choice]:
        return [payment(each) for each in game.payments(action, start, LARGEST_PAGE).actions]

    if payments[id(action)] == 1:
        return _short(evolve(entry, action=None, children=(payment(action),)))
    return _short(evolve(entry, action=None, children=LongList(payments[id(action)], read)))


def menu(decision: Decision, actions: Sequence[Action], names: Names) -> Choice:
    """The menu of all legal actions; grouped by type, with small groups shown directly."""
    kinds: dict[type[Action], list[Action]] = {}
    for action in actions:
        kinds.setdefault(type(action), []).append(action)
    return _menu([_kind(kind, each, decision, names) for kind, each in kinds.items()])


def _menu(entries: Sequence[Choice]) -> Choice:
    """The menu of several types of action."""
    if len(entries) == 1 and entries[0].children:
        return entries[0]
    return Choice("", children=tuple(open for entry in entries for open in _opened(entry)))


def _opened(entry: Choice) -> Iterable[Choice]:
    """A type of action in the first menu: a submenu, or its few actions."""
    if entry.children and len(entry.children) <= FEW and not any(child.children for child in entry.children):
        return [evolve(child, label=f"{entry.label}: {child.label}") for child in entry.children]
    return [entry]


def _kind(kind: type[Action], actions: list[Action], decision: Decision, names: Names) -> Choice:
    label = kind_label(kind, decision, names)
    if kind is core.KeepTickets:
        return Choice(label, children=tuple(_keeps(decision, cast("list[core.KeepTickets]", actions), names)))
    return _grouped(label, "", actions, _fields(kind), names)


def _fields(kind: type[Action]) -> list[str]:
    return [each.name for each in attrs.fields(kind) if each.name != "seat"]


def _keeps(decision: Decision, actions: list[core.KeepTickets], names: Names) -> Iterator[Choice]:
    """Which tickets to keep, by their letters in the prompt; the most tickets first."""
    letters = ticket_letters(decision)
    order = sorted(
        actions, key=lambda action: (-len(action.tickets), sorted(letters.get(id, "") for id in action.tickets))
    )
    for action in order:
        kept = sorted(action.tickets, key=lambda each: letters.get(each, ""))
        label = " ".join(letters.get(id, id) for id in kept) or names.language.gettext("none")
        if len(kept) == len(letters) > 1:
            label += names.language.gettext(" (all)")
        words = " ".join(value_label(id, names)[0] for id in kept)
        yield Choice(label, action, words=f"{words} {' '.join(kept)}")


def ticket_letters(decision: Decision) -> dict[str, str]:
    """The letters that a prompt uses for its tickets."""
    tickets: tuple[str, ...] = getattr(decision, "tickets", ())
    return {id: letter_of(index) for index, id in enumerate(tickets)}


@frozen
class _Group:
    """Actions that agree in a field, and their label: `bare` is the label without a number for duplicates."""

    label: str
    bare: str
    words: str
    actions: list[Action] = field(factory=list[Action])


def _grouped(label: str, words: str, actions: list[Action], fields: Sequence[str], names: Names) -> Choice:
    """Actions of one type as a menu by their first field, with submenus by the other fields."""
    if not fields:
        if len(actions) == 1:
            return Choice(label, actions[0], words=words)
        return Choice(label, children=tuple(Choice(printable(str(each)), each) for each in actions), words=words)
    name, *rest = fields
    if (cities := _split(actions, name)) and len(actions) > FEW:
        return _by_key(label, words, actions, name, cities, rest, names)
    groups: dict[object, _Group] = {}
    for action in actions:
        value = getattr(action, name)
        key = _hashable(value)
        if key not in groups:
            bare, found = value_label(value, names, name)
            if isinstance(value, str):
                bare += names.meant(value)
            again = sum(group.bare == bare for group in groups.values())  # duplicates: routes that look alike
            own = names.language.gettext("{label}, no. {number}", label=bare, number=again + 1) if again else bare
            groups[key] = _Group(own, bare, found)
        groups[key].actions.append(action)
    entries = [_grouped(each.label, each.words, each.actions, rest, names) for each in groups.values()]
    if all(isinstance(getattr(action, name), Counts) for action in actions):
        order = {each.label: _wildness(getattr(each.actions[0], name)) for each in groups.values()}
        entries.sort(key=lambda entry: order[entry.label])
    elif rest:
        entries.sort(key=lambda entry: plain(entry.label))
    return Choice(label, children=tuple(_short(entry) for entry in entries), words=words)


def _short(entry: Choice) -> Choice:
    """Collapse a menu with a single entry: `Paris–Zürich …: 3 red`."""
    while len(entry.children) == 1:
        (only,) = entry.children
        words = f"{entry.words} {only.words}"
        entry = evolve(only, label=f"{entry.label}: {only.label}", words=words)
    return entry


def _hashable(value: object) -> object:
    if isinstance(value, Mapping) and not isinstance(value, Counts):
        return tuple(cast("Mapping[str, object]", value).items())
    return value if not isinstance(value, list | set) else repr(cast("object", value))


def _wildness(payment: object) -> tuple[int, int]:
    """The order of payments: few locomotives first, then few cards."""
    if not isinstance(payment, Mapping):
        return (0, 0)
    counts = cast("Mapping[str, int]", payment)
    return counts.get(Card.LOCOMOTIVE, 0), sum(counts.values())


def _split(actions: list[Action], name: str) -> list[str]:
    """The keys of a field that has the same keys in all the actions, such as lent routes by city; else none."""
    values = [getattr(action, name) for action in actions]
    if not all(isinstance(value, Mapping) and not isinstance(value, Counts) for value in values):
        return []
    keys = list(values[0])
    same = all(list(value) == keys and all(isinstance(each, str) for each in value.values()) for value in values)
    return keys if same else []


def _by_key(
    label: str, words: str, actions: list[Action], name: str, keys: Sequence[str], rest: Sequence[str], names: Names
) -> Choice:
    """A menu for the first key of a mapping, then one for the next key, and so on."""
    if not keys:
        return _grouped(label, words, actions, rest, names)
    key, *more = keys
    groups: dict[str, list[Action]] = {}
    for action in actions:
        groups.setdefault(getattr(action, name)[key], []).append(action)
    place = names.value(key)
    entries: list[Choice] = []
    for value, each in groups.items():
        name_of_value, found = value_label(value, names)
        entries.append(_by_key(f"{place}: {name_of_value}", found, each, name, more, rest, names))
    return Choice(label, children=tuple(map(_short, entries)), words=words)


def summary(entry: Choice) -> str:
    """An entry of a menu as shown, with the number of actions below it in brackets."""
    return f"{entry.label} ({len(entry.children):,})" if entry.children else entry.label
