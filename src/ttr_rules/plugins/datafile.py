"""Data-only variants: one TOML file says what is in the box, what is dealt and kept, what is scored.

`load_variant` reads a file and returns a plugin, reporting every mistake at once, as for maps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import starmap
from pathlib import Path
from types import new_class
from typing import NewType, TypeVar, cast

from attrs import evolve, field, frozen

from ttr_rules._internal.exact import exact_converter, problems_of
from ttr_rules.boards import JOINED, LARGEST, bad_ids, load_board
from ttr_rules.errors import MapError, PluginError
from ttr_rules.kernel.plugin import hookimpl, saved
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import LONGER_PATH, LONGEST_PATH, MORE_TICKETS, MOST_TICKETS, PATH_HOLDER, Bonus, TieBreak
from ttr_rules.kernel.variant import Below, Variant, always, tryfirst
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.tickets import (
    Components,
    Deal,
    DrawCounts,
    KeepBetween,
    KeepRule,
    Stage,
    TicketDeck,
    Unkept,
)
from ttr_rules.reading import JsonObject, read_table
from ttr_rules.text import brief

T = TypeVar("T")

BONUSES: Mapping[str, Bonus] = {bonus.name: bonus for bonus in (LONGEST_PATH, MOST_TICKETS)}
TIE_BREAKS: Mapping[str, TieBreak] = {
    "more_tickets": MORE_TICKETS,
    "longest_path_holder": PATH_HOLDER,
    "longer_path": LONGER_PATH,
}

#: The name of a plugin.
Name = NewType("Name", str)
#: Some fields of `Components`, by name.
Changes = NewType("Changes", JsonObject)


@frozen
class DeckRow:
    """The tickets of the board that are in the game: those of any of these sets, kinds and logos."""

    sets: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    logos: tuple[str, ...] = ()

    def has(self, ticket: Ticket) -> bool:
        """True if a ticket is in the deck."""
        named = (self.sets, [ticket.set]), (self.kinds, [ticket.kind]), (self.logos, ticket.logos)
        return all(not wanted or not set(wanted).isdisjoint(of) for wanted, of in named)


@frozen
class VariantFile:
    """A variant as written in a file."""

    name: Name
    title: str
    summary: str = ""
    requires: tuple[str, ...] = ()
    names: dict[str, str] = field(factory=dict[str, str], hash=False)
    board: str | None = None
    components: Changes = field(factory=lambda: Changes({}), hash=False)
    deck: DeckRow | None = None
    setup: tuple[Stage, ...] = ()
    draw: DrawCounts | None = None
    bonuses: tuple[Bonus, ...] | None = None
    tie_break: tuple[TieBreak, ...] | None = None
    rulings: JsonObject = field(factory=JsonObject, hash=False)


def _read_name(value: object) -> Name:
    name = _CONVERTER.structure(value, str)
    for problem in bad_ids("", name, form=JOINED):
        raise ValueError(problem.removeprefix(": "))
    return Name(name)


def _read_changes(value: object) -> Changes:
    changes = _CONVERTER.structure(value, JsonObject)
    if changes.get("last_round_at") == "never":
        changes = JsonObject({**changes, "last_round_at": None})
    _CONVERTER.structure(changes, Components)
    return Changes(changes)


def _read_bonuses(value: object) -> tuple[Bonus, ...]:
    points = _CONVERTER.structure(value, dict[str, int])
    return tuple(evolve(_look_up(name, BONUSES), points=count) for name, count in points.items())


def _look_up(name: str, things: Mapping[str, T]) -> T:
    if name not in things:
        raise ValueError(f"there is no {brief(name)}; there are {', '.join(things)}")
    return things[name]


_CONVERTER = exact_converter(LARGEST, "a table")
_READERS: Mapping[object, Callable[[object], object]] = {
    Name: _read_name,
    Changes: _read_changes,
    tuple[Deal, ...]: lambda value: tuple(starmap(Deal, _CONVERTER.structure(value, dict[str, int]).items())),
    KeepRule: lambda value: _CONVERTER.structure(value, KeepBetween),
    Unkept: lambda value: _look_up(_CONVERTER.structure(value, str), {place.value: place for place in Unkept}),
    tuple[Bonus, ...]: _read_bonuses,
    TieBreak: lambda value: _look_up(_CONVERTER.structure(value, str), TIE_BREAKS),
}
_CONVERTER.register_structure_hook_func(lambda kind: kind in _READERS, lambda value, kind: _READERS[kind](value))


class DataVariant(Variant):
    """A plugin made from a file: `data` is its content, `own_board` the map that it names.

    Each is an instance of a class of its own, which has only the hooks that the file answers.

    >>> variant = load_variant({"name": "my-table", "title": "My table", "draw": {"drawn": 4}})
    >>> from ttr_rules import compile_rules
    >>> compile_rules("europe", variant).draw_counts.drawn, variant.info.requires
    (4, ())
    """

    data: VariantFile = saved(repr=False)
    own_board: Board | None = saved(default=None, repr=False)

    @property
    def rulings(self) -> Mapping[str, object]:
        """The options of other plugins of the stack that this variant sets."""
        return self.data.rulings

    @hookimpl
    def notes(self, rules: Rules) -> tuple[str, ...]:
        """No notes. Raises `PluginError` if a stage of set-up cites a rule that the rulebook of the stack lacks."""
        cited = [(number, stage.rule) for number, stage in enumerate(self.data.setup) if stage.rule != "S7"]
        known = set(rules.rulebook) if cited else set[str]()
        of = f".rule of {self.info.name!r}: the rulebook of this stack has no rule"
        wrong = [f"setup[{number}]{of} {brief(id)}" for number, id in cited if id not in known]
        if wrong:
            raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *wrong]))
        return ()

    def __reduce__(self) -> tuple[object, ...]:
        return make_variant, (self.data, self.own_board)


@lru_cache(maxsize=64)
def make_variant(data: VariantFile, own_board: Board | None) -> DataVariant:
    """The variant that a file describes: an instance of a class with the hooks that it answers.

    Equal files share it.
    """
    about = {"name": data.name, "title": data.title, "requires": data.requires, "titles": data.names}
    body: dict[str, object] = {**_answers(data, own_board), "__doc__": data.summary, "__module__": __name__}
    class_name = data.name.replace("-", " ").title().replace(" ", "")
    kind = new_class(class_name, (DataVariant,), about, lambda namespace: namespace.update(body))
    return cast("type[DataVariant]", kind)(data=data, own_board=own_board)


def _answers(data: VariantFile, own_board: Board | None) -> Mapping[str, object]:
    """The hooks that a file answers. One that requires no plugin and has no map overrides any map."""
    overrides = not data.requires and data.board is None

    def components(self: DataVariant, below: Below[Components], board: Board) -> Components:
        return evolve(below(), **data.components)

    def ticket_deck(self: DataVariant, below: Below[TicketDeck], board: Board) -> TicketDeck:
        row = data.deck or DeckRow()
        return TicketDeck.by_kind([ticket for ticket in board.tickets if row.has(ticket)])

    values = {
        "board": own_board,
        "setup": data.setup or None,
        "draw_counts": data.draw,
        "bonuses": data.bonuses,
        "tie_breaks": data.tie_break,
    }
    answers: dict[str, Callable[..., object]] = {
        hook: always(value) for hook, value in values.items() if value is not None
    }
    if data.deck is not None:
        answers["ticket_deck"] = hookimpl(ticket_deck)
    replacing = {hook: tryfirst(method) if overrides else method for hook, method in answers.items()}
    return replacing | ({"components": hookimpl(components)} if data.components else {})


def load_variant(source: str | os.PathLike[str] | Mapping[str, object]) -> DataVariant:
    """Load the variant described by a TOML file or by a mapping of the same shape: a plugin to put into a stack.

    A file has `name` and `title` and, where they differ from the plugins below: `summary`, `requires`, `names` (titles
    by language), `board` (a map file beside it), `components`, `deck`, `setup`, `draw`, `bonuses` (points by name),
    `tie_break`, and `rulings` for options of other plugins. A variant that requires nothing overrides any map. Raises
    `MapError` with every mistake and where it is.

    >>> variant = load_variant({
    ...     "name": "my-table", "title": "My table", "requires": ["europe"],
    ...     "deck": {"logos": ["big_city"]}, "draw": {"drawn": 4},
    ...     "setup": [{"deals": {"regular": 5}, "keep": {"least": 2}, "under": "regular"}],
    ... })
    >>> from ttr_rules import compile_rules
    >>> len(compile_rules("europe", variant).deck.tickets)
    45
    >>> load_variant({"name": "my-table", "titel": "My table", "bonuses": {"longest": 10}})
    Traceback (most recent call last):
    ttr_rules.errors.MapError: variant my-table: 3 problems
      title: missing
      bonuses: there is no 'longest'; there are longest_path, most_tickets
      unknown key 'titel'; did you mean 'title'?
    """
    folder = Path() if isinstance(source, Mapping) else Path(source).parent
    what = "variant" if isinstance(source, Mapping) else f"variant {source}"
    try:
        table: Mapping[str, object] = source if isinstance(source, Mapping) else read_table(Path(source))
        what = f"variant {table.get('name', '')}".strip()
        data = _CONVERTER.structure(dict(table), VariantFile)
    except Exception as error:  # noqa: BLE001 (any error is reported as a mistake in the file)
        raise MapError(what, list(problems_of(error, ""))) from None
    return make_variant(data, None if data.board is None else load_board(folder / data.board))
