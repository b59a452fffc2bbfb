"""Data-only variants: one TOML file says what is in the box, what is dealt and kept, what is scored.

`load_variant` reads a file and returns a plugin, reporting every mistake at once, as for maps.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import new_class
from typing import Any
from weakref import WeakSet

import attrs
import pluggy
from attrs import Factory, frozen

from ttr_rules._internal.exact import problems_of
from ttr_rules.boards.document import JOINED, bad_ids, rows_converter
from ttr_rules.boards.maps import load_board
from ttr_rules.errors import MapError, PluginError
from ttr_rules.kernel.plugin import PROJECT, saved
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import (
    LONGER_PATH,
    LONGEST_PATH,
    MORE_TICKETS,
    MOST_TICKETS,
    PATH_HOLDER,
    Bonus,
    TieBreak,
)
from ttr_rules.kernel.variant import Below, Variant
from ttr_rules.language import Message
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.tickets import (
    Components,
    Deal,
    DrawCounts,
    KeepRule,
    Stage,
    TicketDeck,
    Unkept,
    problems_of_components,
)
from ttr_rules.reading import read_table
from ttr_rules.text import brief

BONUSES: Mapping[str, Bonus] = {bonus.name: bonus for bonus in (LONGEST_PATH, MOST_TICKETS)}
TIE_BREAKS: Mapping[str, TieBreak] = {
    "more_tickets": MORE_TICKETS,
    "longest_path_holder": PATH_HOLDER,
    "longer_path": LONGER_PATH,
}
_impl = pluggy.HookimplMarker(PROJECT)
_RULE = re.compile(r"[A-Z]{1,2}[1-9][0-9]?")


@frozen
class KeepRow:
    """The number of tickets to keep: `least`, or `least_with_kept` after keeping one in an earlier stage, and `most`."""

    least: int = 0
    least_with_kept: int | None = None
    most: int | None = None

    def refusal(self, dealt: Sequence[Ticket], kept: Sequence[Ticket], before: Sequence[Ticket]) -> str | None:
        """See `KeepRule`."""
        wanted = self.least_with_kept if before and self.least_with_kept is not None else self.least
        least = min(wanted, len(dealt))
        if len(kept) < least:
            template = "at least {least} of the {dealt} tickets must be kept, not {kept}"
            return Message(template, least=least, dealt=len(dealt), kept=len(kept))
        if self.most is not None and len(kept) > self.most:
            template = "at most {most} of the {dealt} tickets may be kept, not {kept}"
            return Message(template, most=self.most, dealt=len(dealt), kept=len(kept))
        return None


@frozen
class StageRow:
    """One stage of set-up as written in a file; see `Stage`."""

    deals: dict[str, int]
    keep: KeepRow
    under: str | None = None
    shuffled: bool = False
    box_rest: list[str] = Factory(list[str])
    rule: str = "S7"


@frozen
class DeckRow:
    """The tickets of the board that are in the game: those of any of these sets, kinds and logos."""

    sets: list[str] = Factory(list[str])
    kinds: list[str] = Factory(list[str])
    logos: list[str] = Factory(list[str])

    def has(self, ticket: Ticket) -> bool:
        """True if a ticket is in the deck."""
        return (
            (not self.sets or ticket.set in self.sets)
            and (not self.kinds or ticket.kind in self.kinds)
            and (not self.logos or bool(ticket.logos.intersection(self.logos)))
        )


@frozen
class BoxRow:
    """Overrides of `Components`."""

    cars: int | None = None
    min_players: int | None = None
    max_players: int | None = None
    doubles_from: int | None = None
    last_round_at: int | None = None
    last_turns: int | None = None


@frozen
class DrawRow:
    """Tickets and cards drawn in play; see `DrawCounts`."""

    drawn: int = 3
    keep: int = 1
    box: bool = False
    pile: str = "regular"
    cards: int = 2
    wild_ends_draw: bool = True


@frozen
class VariantFile:
    """A variant as written in a file."""

    name: str
    title: str
    summary: str = ""
    requires: list[str] = Factory(list[str])
    names: dict[str, str] = Factory(dict[str, str])
    board: str | None = None
    components: BoxRow | None = None
    deck: DeckRow | None = None
    setup: list[StageRow] = Factory(list[StageRow])
    draw: DrawRow | None = None
    bonuses: dict[str, int] | None = None
    tie_break: list[str] | None = None
    rulings: dict[str, Any] = Factory(dict[str, Any])


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
    def rulings(self) -> Mapping[str, Any]:
        """The options of other plugins of the stack that this variant sets."""
        return self.data.rulings


#: The variants in use that were made of files.
_made: WeakSet[DataVariant] = WeakSet()


def made_variant(data: VariantFile, own_board: Board | None) -> DataVariant:
    """The variant that a file describes: an instance of a class with the hooks that it answers. Equal files share it."""
    for known in tuple(_made):
        if (known.data, known.own_board) == (data, own_board):
            return known
    about = {"name": data.name, "title": data.title, "requires": tuple(data.requires), "titles": data.names}
    body: dict[str, Any] = {**_answers(data, own_board), "__doc__": data.summary, "__module__": __name__}
    body |= {"__eq__": _equal, "__hash__": _hash, "__reduce__": _reduce}
    class_name = data.name.replace("-", " ").title().replace(" ", "")
    kind: Any = new_class(class_name, (DataVariant,), about, lambda namespace: namespace.update(body))
    made: DataVariant = kind(data=data, own_board=own_board)
    _made.add(made)
    return made


def _equal(self: DataVariant, other: object) -> bool:
    return isinstance(other, DataVariant) and (self.data, self.own_board) == (other.data, other.own_board)


def _hash(self: DataVariant) -> int:
    return hash(self.data.name)


def _reduce(self: DataVariant) -> tuple[Any, ...]:
    return made_variant, (self.data, self.own_board)


def _answers(data: VariantFile, own_board: Board | None) -> dict[str, Any]:
    """The hooks that a file answers. One that requires no plugin and has no map overrides any map."""
    overrides = not data.requires and data.board is None
    found: dict[str, Any] = {}

    def replace(hook: str, value: object) -> None:
        def answer(self: DataVariant, below: Below[Any], board: Board) -> Any:
            return value

        found[hook] = _impl(answer, tryfirst=overrides)

    def board(self: DataVariant, below: Below[Board]) -> Board:
        return below() if own_board is None else own_board

    def components(self: DataVariant, below: Below[Components], board: Board) -> Components:
        given = {} if data.components is None else attrs.asdict(data.components)
        return attrs.evolve(below(), **{name: value for name, value in given.items() if value is not None})

    def ticket_deck(self: DataVariant, below: Below[TicketDeck], board: Board) -> TicketDeck:
        row = data.deck or DeckRow()
        return TicketDeck.by_kind([ticket for ticket in board.tickets if row.has(ticket)])

    def notes(self: DataVariant, rules: Rules) -> tuple[str, ...]:
        return _check_cited(data, rules)

    if own_board is not None:
        found["board"] = _impl(board)
    if data.components is not None:
        found["components"] = _impl(components)
    if data.deck is not None:
        found["ticket_deck"] = _impl(ticket_deck, tryfirst=overrides)
    if data.setup:
        replace("setup", tuple(map(_stage, data.setup)))
        found["notes"] = _impl(notes)
    if data.draw is not None:
        row = data.draw
        unkept = Unkept.BOX if row.box else Unkept.UNDER_PILE
        replace("draw_counts", DrawCounts(row.drawn, row.keep, unkept, row.pile, (), row.cards, row.wild_ends_draw))
    if data.bonuses is not None:
        points = data.bonuses.items()
        replace("bonuses", tuple([attrs.evolve(BONUSES[name], points=each) for name, each in points]))
    if data.tie_break is not None:
        replace("tie_breaks", tuple([TIE_BREAKS[name] for name in data.tie_break]))
    return found


def _check_cited(data: VariantFile, rules: Rules) -> tuple[str, ...]:
    """Raise `PluginError` for rules that stages cite and the rulebook of the stack lacks."""
    cited = {f"setup[{number}].rule": stage.rule for number, stage in enumerate(data.setup)}
    if not {*cited.values()} - {"S7"}:  # the usual rule alone needs no look
        return ()
    known = rules.rulebook
    wrong = [
        f"{place} of {data.name!r}: the rulebook of this stack has no rule {id!r}"
        for place, id in cited.items()
        if id not in known
    ]
    if wrong:
        raise PluginError("\n  ".join([f"the stack {rules} cannot be played:", *wrong]))
    return ()


def _stage(row: StageRow) -> Stage:
    deals = tuple(Deal(pile, count) for pile, count in row.deals.items())
    keep: KeepRule = row.keep
    return Stage(deals, keep, under=row.under, shuffled=row.shuffled, box_rest=tuple(row.box_rest), rule=row.rule)


def load_variant(source: str | os.PathLike[str] | Mapping[str, Any]) -> DataVariant:
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
    ttr_rules.errors.MapError: variant my-table: 2 problems
      title: missing
      unknown key 'titel'; known are name, title, ...
    """
    folder = Path() if isinstance(source, Mapping) else Path(source).parent
    try:
        table: Mapping[str, Any] = source if isinstance(source, Mapping) else read_table(Path(source))
    except ValueError as error:
        raise MapError(f"variant {source}", [str(error)]) from error
    what = f"variant {table.get('name', '')}".strip()
    try:
        data = rows_converter().structure(dict(table), VariantFile)
    except Exception as error:
        raise MapError(what, list(problems_of(error, ""))) from error
    problems = list(_problems(data))
    if problems:
        raise MapError(what, problems)
    return made_variant(data, None if data.board is None else load_board(folder / data.board))


def _problems(data: VariantFile) -> Iterator[str]:
    yield from bad_ids("name", data.name, form=JOINED)
    box = {} if data.components is None else attrs.asdict(data.components)
    for problem in problems_of_components({name: value for name, value in box.items() if value is not None}):
        yield f"components.{problem}"
    for name in data.bonuses or ():
        if name not in BONUSES:
            yield f"bonuses.{name}: there is no such bonus; there are {', '.join(BONUSES)}"
    for number, name in enumerate(data.tie_break or ()):
        if name not in TIE_BREAKS:
            yield f"tie_break[{number}]: there is no {name!r}; there are {', '.join(TIE_BREAKS)}"
    for number, stage in enumerate(data.setup):
        for pile, count in stage.deals.items():
            if count < 0:
                yield f"setup[{number}].deals.{pile}: at least 0, not {count}"
        yield from _keep_problems(f"setup[{number}].keep", stage.keep)
        if not _RULE.fullmatch(stage.rule):
            yield f"setup[{number}].rule: {brief(stage.rule)} is no id of a rule, such as S7"
    if data.draw is not None and not (0 <= data.draw.keep <= data.draw.drawn and data.draw.drawn):
        yield f"draw: {data.draw.drawn} tickets are drawn and {data.draw.keep} of them kept (K1)"


def _keep_problems(place: str, row: KeepRow) -> Iterator[str]:
    """Problems of the numbers to keep: negative ones, or more at least than at most."""
    numbers = {"least": row.least, "least_with_kept": row.least_with_kept, "most": row.most}
    for name, value in numbers.items():
        if value is not None and value < 0:
            yield f"{place}.{name}: at least 0, not {value}"
        elif value is not None and row.most is not None and value > row.most >= 0:
            yield f"{place}.{name}: at most `most`, which is {row.most}, not {value}"
