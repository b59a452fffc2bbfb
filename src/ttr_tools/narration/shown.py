"""What the parts of a view expose, field by field, with labels and in words: for tables and status lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard, cast

import attrs
from attrs import frozen

from ttr_rules import View
from ttr_rules.fields import LABEL, SEATS, visible_fields
from ttr_rules.model import Counts, Unknown
from ttr_rules.text import titled
from ttr_rules.train_cards import SeenCards
from ttr_tools.narration.labels import cards_label, value_label
from ttr_tools.narration.words import Names


def is_table(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Tell whether a value is a table."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Tell whether a value is a list or a tuple."""
    return isinstance(value, list | tuple)


@frozen
class Shown:
    """A field that a part of the state exposes: its label, its value, and whether its numbers are seats."""

    label: str
    value: object
    seats: bool = False

    @property
    def table(self) -> Mapping[str, object]:
        """The value if it is a table, by city for example; otherwise an empty one."""
        return self.value if is_table(self.value) and not isinstance(self.value, Counts) else {}

    @property
    def row(self) -> Sequence[object]:
        """The value if it is a list, otherwise an empty one."""
        return self.value if is_list(self.value) else ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it, as far as this seat can tell."""
        return not self.value or (isinstance(self.value, Unknown) and self.value.count == 0)

    def is_column(self, players: int) -> bool:
        """Whether it is a number, a stock or a list of numbers per player; seats do not count as numbers."""
        if self.seats or len(self.row) != players:
            return False
        return all(isinstance(one, int | Counts | Unknown) or _is_numbers(one) for one in self.row)

    def text(self, names: Names) -> str:
        """All of it on one line."""
        return "; ".join(self.entries(names))

    def entries(self, names: Names) -> list[str]:
        """Its entries in words: those of a table one by one."""
        if self.table:
            return [self.entry(names.value(key) + names.meant(key), value, names) for key, value in self.table.items()]
        if self.seats:
            return [names.value(self.value, "seat")]
        if len(self.row) == len(names.players) and all(is_list(each) or isinstance(each, Unknown) for each in self.row):
            return [f"{names.player(seat)}: {_things(each, names)}" for seat, each in enumerate(self.row)]
        return [value_label(self.value, names)[0]]

    def entry(self, key: str, value: object, names: Names) -> str:
        """An entry of a table in words: `Berlin (Ada)`, `Berlin: 7, 6 and 5`."""
        if self.seats and isinstance(value, int):
            return f"{key} ({names.player(value)})"
        return f"{key}: {value_label(value, names)[0]}"


def _things(value: object, names: Names) -> str:
    """What one player has of something, or how much if only that is known."""
    if isinstance(value, Unknown):
        return _short(value, names)
    return value_label(value, names)[0] if value else names.language.gettext("none")


def _is_numbers(value: object) -> bool:
    return isinstance(value, tuple) and all(type(one) is int for one in cast("tuple[object, ...]", value))


def shown_fields(view: View, names: Names) -> Iterator[Shown]:
    """What the parts of the state expose to a seat, field by field; train cards are shown separately."""
    for part in view.parts.values():
        kind: Any = type(part)
        if isinstance(part, SeenCards) or not attrs.has(kind):
            continue
        visible = visible_fields(kind)
        for each in attrs.fields(kind):
            label = each.metadata.get(LABEL)
            if label != "" and (not visible or each.name in visible):
                title = names.language.gettext(label or titled(each.name))
                yield Shown(title, getattr(part, each.name), bool(each.metadata.get(SEATS)))


def columns_of(view: View, names: Names) -> Iterator[tuple[str, list[str]]]:
    """The numbers and stocks of each player, as columns of a table."""
    for part in view.parts.values():
        if isinstance(part, SeenCards):
            yield names.language.gettext("Cards"), [str(size) for size in part.hand_sizes]
    for shown in shown_fields(view, names):
        if shown.is_column(len(view.players)):
            yield shown.label, [_short(each, names) for each in shown.row]


def _short(value: object, names: Names) -> str:
    if isinstance(value, Unknown):
        return "?" if value.count is None else str(value.count or names.language.gettext("none"))
    if isinstance(value, Counts):
        return cards_label(value, names.card_words, names.language) if value else names.language.gettext("none")
    if isinstance(value, tuple):
        return "+".join(map(str, cast("tuple[object, ...]", value))) or names.language.gettext("none")
    return str(value)
