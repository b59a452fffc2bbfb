"""Data-only variants: one TOML file says what is in the box, what is dealt and kept, what is scored.

`load_variant` reads a file and returns a plugin, reporting every mistake at once, as for maps.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from attrs import Factory, frozen

from ttr_rules._internal.language import Message
from ttr_rules._internal.limits import LONGEST_TABLE, read_file, read_toml
from ttr_rules._internal.messages import brief
from ttr_rules.boards.checks import JOINED, bad_ids
from ttr_rules.boards.mapfile import load_board
from ttr_rules.boards.maprows import problems_of, rows_converter
from ttr_rules.errors import MapError
from ttr_rules.kernel.plugin import PluginInfo, hookimpl, saved
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
from ttr_rules.model.board import Board, Ticket
from ttr_rules.model.components import Components, problems_of_components
from ttr_rules.model.tickets import Deal, DrawCounts, KeepRule, Setup, Stage, TicketDeck, Unkept

BONUSES: Mapping[str, Bonus] = {bonus.name: bonus for bonus in (LONGEST_PATH, MOST_TICKETS)}
TIE_BREAKS: Mapping[str, TieBreak] = {
    "more_tickets": MORE_TICKETS,
    "longest_path_holder": PATH_HOLDER,
    "longer_path": LONGER_PATH,
}
_RULE = re.compile(r"[A-Z]{1,2}[1-9][0-9]?")


@frozen
class KeepRow:
    """How many tickets are kept: `least`, or `least_with_kept` after keeping one in an earlier stage, and `most`."""

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
    """Which tickets of the board are in the game: those of any of these sets, kinds and logos."""

    sets: list[str] = Factory(list[str])
    kinds: list[str] = Factory(list[str])
    logos: list[str] = Factory(list[str])

    def has(self, ticket: Ticket) -> bool:
        """Whether a ticket is in the deck."""
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


@frozen
class DrawRow:
    """Tickets drawn in play; see `DrawCounts`."""

    drawn: int = 3
    keep: int = 1
    box: bool = False
    pile: str = "regular"


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


@frozen
class DataVariant:
    """A plugin made from a file; `data` is its content, `own_board` the map that it names.

    It implements only the hooks for which the file has content; the others are `unanswered`.

    >>> variant = load_variant({"name": "my-table", "title": "My table", "draw": {"drawn": 4}})
    >>> from ttr_rules import compile_rules
    >>> compile_rules("europe", variant).draw_counts.drawn, variant.info.requires
    (4, ())
    """

    data: VariantFile = saved(repr=False)
    own_board: Board | None = saved(default=None, repr=False)

    @property
    def info(self) -> PluginInfo:
        data = self.data
        return PluginInfo(data.name, data.title, data.summary, requires=tuple(data.requires), titles=data.names)

    @property
    def rulings(self) -> Mapping[str, Any]:
        """The options of other plugins of the stack that this variant sets."""
        return self.data.rulings

    @property
    def unanswered(self) -> tuple[str, ...]:
        """The hooks for which the file has no content."""
        said = {
            "board": self.own_board,
            "components": self.data.components,
            "ticket_deck": self.data.deck,
            "setup": self.data.setup or None,
            "draw_counts": self.data.draw,
            "bonuses": self.data.bonuses,
            "tie_break": self.data.tie_break,
            "problems": self.data.setup or None,
        }
        return tuple(hook for hook, value in said.items() if value is None)

    @hookimpl
    def board(self) -> Board | None:
        return self.own_board

    @hookimpl(wrapper=True)
    def components(self) -> Generator[None, Components, Components]:
        box = yield
        given = {} if self.data.components is None else attrs.asdict(self.data.components)
        return attrs.evolve(box, **{name: value for name, value in given.items() if value is not None})

    @hookimpl
    def ticket_deck(self, board: Board) -> TicketDeck | None:
        if self.data.deck is None:
            return None
        return TicketDeck.by_kind([ticket for ticket in board.tickets if self.data.deck.has(ticket)])

    @hookimpl
    def setup(self) -> Setup | None:
        return tuple(map(_stage, self.data.setup)) or None

    @hookimpl
    def draw_counts(self) -> DrawCounts | None:
        row = self.data.draw
        if row is None:
            return None
        return DrawCounts(row.drawn, row.keep, Unkept.BOX if row.box else Unkept.UNDER_PILE, row.pile)

    @hookimpl
    def bonuses(self) -> tuple[Bonus, ...] | None:
        given = self.data.bonuses
        return None if given is None else tuple(attrs.evolve(BONUSES[name], points=given[name]) for name in given)

    @hookimpl
    def tie_break(self) -> tuple[TieBreak, ...] | None:
        return None if self.data.tie_break is None else tuple(TIE_BREAKS[name] for name in self.data.tie_break)

    @hookimpl
    def problems(self, rules: Rules) -> list[str]:
        """Rules that stages cite and the rulebook of the stack lacks; it is read where one is not the usual rule alone."""
        cited = {f"setup[{number}].rule": stage.rule for number, stage in enumerate(self.data.setup)}
        known = rules.rulebook if {*cited.values()} - {"S7"} else {"S7": None}
        return [
            f"{place} of {self.data.name!r}: the rulebook of this stack has no rule {id!r}"
            for place, id in cited.items()
            if id not in known
        ]


@frozen
class TableVariant(DataVariant):
    """A file that requires no plugin and has no map: its content overrides any map."""

    @hookimpl(tryfirst=True)
    def ticket_deck(self, board: Board) -> TicketDeck | None:
        return super().ticket_deck(board)

    @hookimpl(tryfirst=True)
    def setup(self) -> Setup | None:
        return super().setup()

    @hookimpl(tryfirst=True)
    def draw_counts(self) -> DrawCounts | None:
        return super().draw_counts()

    @hookimpl(tryfirst=True)
    def bonuses(self) -> tuple[Bonus, ...] | None:
        return super().bonuses()

    @hookimpl(tryfirst=True)
    def tie_break(self) -> tuple[TieBreak, ...] | None:
        return super().tie_break()


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
      unknown key 'titel'
    """
    folder = Path()
    if isinstance(source, Mapping):
        table: Mapping[str, Any] = source
    else:
        folder, table = Path(source).parent, _read(Path(source))
    what = f"variant {table.get('name', '')}".strip()
    try:
        data = rows_converter().structure(dict(table), VariantFile)
    except Exception as error:
        found = [problem.lstrip(": .") for problem in problems_of(error, "")]
        raise MapError(what, found) from error
    problems = list(_problems(data))
    if problems:
        raise MapError(what, problems)
    kind = DataVariant if data.requires or data.board else TableVariant
    return kind(data, None if data.board is None else load_board(folder / data.board))


def _read(path: Path) -> dict[str, Any]:
    try:
        text, problem = read_file(path, LONGEST_TABLE)
        if problem is not None:
            raise MapError(f"variant {path}", [problem])
        return read_toml(text.decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError(f"variant {path}", [str(getattr(error, "strerror", None) or error)]) from error


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
    """How many tickets are kept: no negative numbers, and not more at least than at most."""
    numbers = {"least": row.least, "least_with_kept": row.least_with_kept, "most": row.most}
    for name, value in numbers.items():
        if value is not None and value < 0:
            yield f"{place}.{name}: at least 0, not {value}"
        elif value is not None and row.most is not None and value > row.most >= 0:
            yield f"{place}.{name}: at most `most`, which is {row.most}, not {value}"
