"""Legal actions as a numbered menu: first the type of action, then what it is about, then how it is paid for.

Nothing here decides what is legal: every entry of a menu is one of the legal actions, or leads to some of them. Actions
of plugins need no special wording: an action is described by its name and its fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

import attrs
from attrs import evolve, field, frozen

from ttr_rules.model import Action, Card, Counts, Decision, KeepTickets, plain
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
#: The number of entries of a `LongList` that are searched.
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
    def summary(self) -> str:
        """The entry as shown, with the number of entries below it in brackets."""
        return f"{self.label} ({len(self.children):,})" if self.children else self.label

    @property
    def leaves(self) -> int:
        """The number of actions that this entry leads to."""
        if isinstance(self.children, LongList):
            return len(self.children)
        return sum(child.leaves for child in self.children) if self.children else 1

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


# -- menus ---------------------------------------------------------------------------------------------------------


def offer_menu(game: Game, seat: int, decision: Decision, names: Names) -> Choice:
    """The menu of all legal actions of a seat. If there are very many, they are created when shown."""
    offer = game.offer(seat)
    if offer.total <= LISTED:
        return menu(decision, game.legal_actions(seat), names)
    return _join_kinds([_offered(kind, game, seat, decision, names) for kind in offer.kinds])


def menu(decision: Decision, actions: Sequence[Action], names: Names) -> Choice:
    """The menu of all legal actions; grouped by type, with small groups shown directly."""
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
            page = actions[kind.first + start : min(kind.first + start + LARGEST_PAGE, end)]
            return [_single(action, names) for action in page]

        return Choice(label, children=LongList(kind.total, read))
    cheapest = [purchase.cheapest for purchase in kind.purchases]
    things = _group(Choice(label), cheapest, [name for name in action_fields(type_of) if name != "payment"], names)
    payments = {id(purchase.cheapest): purchase.payments for purchase in kind.purchases}
    return _with_payments(things, payments, game, names)


def _single(action: Action, names: Names) -> Choice:
    """The entry for one action, described only by its fields."""
    entry = _group(Choice(""), [action], action_fields(type(action)), names)
    return entry.children[0] if entry.children else evolve(entry, label=printable(str(action)))


def _with_payments(entry: Choice, payments: Mapping[int, int], game: Game, names: Names) -> Choice:
    """Turn an entry for things with their cheapest payments into one that leads to all payments."""
    cheapest = entry.action
    if cheapest is None:
        children = [_with_payments(child, payments, game, names) for child in entry.children]
        return evolve(entry, children=tuple(sorted(children, key=lambda child: plain(child.label))))

    def payment(action: Action) -> Choice:
        return Choice(value_label(getattr(action, "payment", None), names)[0], action)

    def read(start: int) -> Sequence[Choice]:
        return [payment(action) for action in game.payments(cheapest, start, LARGEST_PAGE).actions]

    count = payments[id(cheapest)]
    ways = (payment(cheapest),) if count == 1 else LongList(count, read)
    return evolve(entry, action=None, children=ways).collapse()


def _kind(kind: type[Action], actions: list[Action], decision: Decision, names: Names) -> Choice:
    label = kind_label(kind, decision, names)
    if kind is KeepTickets:
        return Choice(label, children=tuple(_keeps(decision, cast("list[KeepTickets]", actions), names)))
    return _group(Choice(label), actions, action_fields(kind), names)


def action_fields(kind: type[Action]) -> list[str]:
    """The names of the fields that tell actions of one seat apart."""
    return [attribute.name for attribute in attrs.fields(kind) if attribute.name != "seat"]


def _keeps(decision: Decision, actions: list[KeepTickets], names: Names) -> Iterator[Choice]:
    """The choices of tickets to keep, by their letters in the prompt; the most tickets first."""
    tickets: tuple[str, ...] = getattr(decision, "tickets", ())
    letters = {id: letter_of(index) for index, id in enumerate(tickets)}

    def by_letter(id: str) -> str:
        return letters.get(id, "")

    for action in sorted(actions, key=lambda action: (-len(action.tickets), sorted(map(by_letter, action.tickets)))):
        kept = sorted(action.tickets, key=by_letter)
        label = " ".join(letters.get(id, id) for id in kept) or names.language.gettext("none")
        if len(kept) == len(letters) > 1:
            label += names.language.gettext(" (all)")
        words = " ".join(value_label(id, names)[0] for id in kept)
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
            bare, words = field_label(value, names, name)
            number = sum(group.bare == bare for group in groups.values()) + 1
            label = names.language.gettext("{label}, no. {number}", label=bare, number=number) if number > 1 else bare
            groups[key] = _Group(Choice(label, words=words), bare)
        groups[key].actions.append(action)
    return list(groups.values())


def field_label(value: object, names: Names, name: str) -> tuple[str, str]:
    """The label of a field, with the meaning of a name that has one, and what a filter may match besides it."""
    label, words = value_label(value, names, name)
    return (label + names.meant(value) if isinstance(value, str) else label), words


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
        label, words = value_label(value, names)
        below = Choice(f"{names.value(key)}: {label}", words=words)
        children.append(_group_by_keys(below, group, name, more, rest, names).collapse())
    return evolve(entry, children=tuple(children))
