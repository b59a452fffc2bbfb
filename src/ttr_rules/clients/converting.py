"""The cattrs converter for all that clients get and send: actions, seen events, views, messages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import starmap
from types import GenericAlias, NoneType
from typing import Any, Union, cast, get_args, get_type_hints

import attrs
from attrs import AttrsInstance, field, frozen
from cattrs import Converter
from cattrs.gen import override

from ttr_rules._internal.exact import entries, object_hook, read_tagged, writer
from ttr_rules.clients.messages import ClientMessage, ServerMessage
from ttr_rules.errors import PluginError
from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.kernel.economy import EconomyLayer
from ttr_rules.kernel.events import Event, SeenEvent
from ttr_rules.kernel.fields import EVERYBODY, exposed_fields, part_fields
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.player_score import Score, TicketScore
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Unknown
from ttr_rules.reading import MOST_ROWS, JsonObject, to_jsonable
from ttr_rules.saves.moves import LARGEST, is_union, new_converter
from ttr_rules.text import brief
from ttr_rules.train_cards import DrawFaceUp, SeenCards, SeenDecks, events
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.row import CardRow

SERVER: tuple[type[ServerMessage], ...] = get_args(ServerMessage)
CLIENT: tuple[type[ClientMessage], ...] = get_args(ClientMessage)
#: The largest whole number that a part of a view may show: a mask with a bit for each route of the largest map.
LARGEST_IN_PARTS = 2**MOST_ROWS
#: Every class of messages, by the union that it belongs to.
UNIONS: Mapping[object, Mapping[str, type[ServerMessage | ClientMessage]]] = {
    ServerMessage: {kind.type: kind for kind in SERVER},
    ClientMessage: {kind.type: kind for kind in CLIENT},
}


def client_converter(rules: Rules) -> Converter:
    """The cattrs converter for what clients of a game with these rules get and send; created once."""
    return rules.derived(_client_converter)


def _client_converter(rules: Rules) -> Converter:
    made = new_converter(rules, seen=True)
    in_parts = new_converter(rules, seen=True, largest=LARGEST_IN_PARTS)

    def read_event(value: object, _: object) -> SeenEvent:
        return SeenEvent(made.structure(value, Event))

    def read_scores(value: object, _: object) -> FinalScores:
        return read_sheet(value, rules, made)

    def read_parts(value: object, _: object) -> dict[str, object]:
        return _read_parts(rules, in_parts, value)

    def read_message(value: object, union: object) -> object:
        known = UNIONS[union]
        return read_tagged(made, value, known, f"the messages are {', '.join(known)}: there is none")

    parts = override(unstruct_hook=_write_parts, struct_hook=read_parts)
    made.register_unstructure_hook(SeenEvent, lambda seen: made.unstructure(seen.event))
    made.register_structure_hook(SeenEvent, read_event)
    made.register_unstructure_hook(FinalScores, FinalScores.to_json)
    made.register_structure_hook(FinalScores, read_scores)
    made.register_unstructure_hook(View, writer(View, made, parts=parts))
    made.register_structure_hook(View, object_hook(View, made, parts=parts))
    made.register_structure_hook_func(lambda kind: is_union(kind) and kind in UNIONS, read_message)
    # There may be more legal actions and payments than any client reads.
    made.register_unstructure_hook(int, lambda count: min(count, LARGEST))
    for kind in (*SERVER, *CLIENT):
        made.register_unstructure_hook(kind, writer(kind, made, kind.type))
    return made


def _write_parts(parts: Mapping[str, object]) -> JsonObject:
    return {name: to_jsonable(exposed_fields(shown)) for name, shown in parts.items()}


def _read_parts(rules: Rules, made: Converter, value: object) -> dict[str, object]:
    known = exposed_parts(rules)
    parts = made.structure(value, dict[str, Any])
    unknown = [name for name in parts if name not in known]
    if unknown:
        raise ValueError(f"these rules have no part {brief(unknown[0])}")
    missing = [name for name, part in known.items() if part.always and name not in parts]
    if missing:
        raise ValueError(f"missing {', '.join(missing)}")

    def read(name: str) -> tuple[str, object]:
        part = known[name]
        if part.shape is None:
            return name, made.structure(parts[name], dict[str, Any])
        return name, part.rebuilt(made.structure(parts[name], part.shape))

    return dict(entries(parts, map(read, parts), dict))


_LOOKED_UP = "import it outside of TYPE_CHECKING, at the top of the module"


@frozen
class ExposedPart:
    """A part as views show it: the class of what they hold, and its shape, an attrs class of the fields that they show.

    Without a shape it is a table of anything. `always` says whether every view has it. A shape is made from its `part`, and
    made again from it when an `ExposedPart` is unpickled.
    """

    part: type[Part]
    kind: type[object]
    shape: type[AttrsInstance] | None = field(eq=False)
    always: bool

    def __reduce__(self) -> tuple[object, ...]:
        return _exposed, (self.part,)

    def rebuilt(self, shown: object) -> object:
        """Build the part of a view from an instance of the shape."""
        if self.kind is self.shape:
            return shown
        kind: Any = self.kind
        made = kind.__new__(kind)
        for each in attrs.fields(kind):
            object.__setattr__(made, each.name, getattr(shown, each.name))
        return made


def exposed_parts(rules: Rules) -> Mapping[str, ExposedPart]:
    """The shapes of parts in views of these rules, by their names in `View.parts`. Raises `PluginError` for unknown types."""
    return rules.derived(_exposed_parts)


def _exposed_parts(rules: Rules) -> dict[str, ExposedPart]:
    parts = {name: _exposed(kind) for kind, name in rules.part_names.items()}
    return {name: part for name, part in parts.items() if part is not None}


def _exposed(kind: type[Part]) -> ExposedPart | None:
    """The shape of a part in views; None if they do not show it."""
    if kind.seen_by is Part.seen_by:
        return ExposedPart(kind, kind, _shape(kind), always=True) if part_fields(kind) else None
    # Compiled methods have no annotations: such a class says what it shows.
    returned: Any = getattr(kind, "exposes", None) or _hints(kind.seen_by, kind)["return"]
    kinds = [hint for hint in get_args(returned) or (returned,) if hint is not NoneType]
    always = len(get_args(returned) or (returned,)) == len(kinds)
    shown: Any = kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and attrs.has(kinds[0]) else kind
    if part_fields(shown):
        return ExposedPart(kind, shown, _shape(shown), always)
    if shown is kind:
        return ExposedPart(kind, dict, None, always=False)
    return ExposedPart(kind, shown, resolved(shown), always)


def _shape(kind: type[object]) -> type[AttrsInstance]:
    """An attrs class with the visible fields of a part, each with the type that a view shows of it."""
    hints = _hints(kind, kind)
    fields: JsonObject = {}
    for name, declared in part_fields(kind).items():
        hint: Any = hints[name]
        if declared.by_seat:
            inside = get_args(hint)
            hint = cast("Any", GenericAlias(list, (_or_unknown(inside[0]),))) if inside else hint
        elif declared.visible != EVERYBODY:
            hint = _or_unknown(hint)
        fields[name] = attrs.field(type=hint)
    made = attrs.make_class(kind.__name__, fields, frozen=True)
    made.__doc__ = kind.__doc__
    return made


def _or_unknown(hint: object) -> object:
    return Union[hint, Unknown]  # noqa: UP007 (made at run time)


def resolved(kind: type[object]) -> type[AttrsInstance]:
    """An attrs class whose fields have their types, rather than the names of their types. Raises `PluginError`."""
    try:
        return attrs.resolve_types(cast("type[AttrsInstance]", kind))
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error


def _hints(thing: object, kind: type[object]) -> JsonObject:
    try:
        return get_type_hints(thing, include_extras=True)
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error


#: The types in which every name is that of a card, and everything counted is cards.
OF_CARDS: frozenset[type[object]] = frozenset(
    {SeenCards, SeenDecks, DrawFaceUp, *(getattr(events, name) for name in events.__all__)}
)


#: The fields of actions, decisions and events that hold a payment.
PAID = frozenset({"payment", "laid"})


def card_kinds(rules: Rules) -> tuple[str, ...]:
    """The kinds of train cards in these rules; () if they have another economy.

    >>> from ttr_rules import compile_rules
    >>> card_kinds(compile_rules("marklin", "germany-tickets"))[-2:], card_kinds(compile_rules("europe", "dice"))
    (('locomotive_4', 'passenger'), ())
    """
    piles = (part for part in rules.new_parts(rules.components.min_players) if isinstance(part, CardPiles))
    return next((part.kinds for part in piles), ())


def pays_with_cards(rules: Rules) -> bool:
    """Return True if all payments are train cards: not with another economy, nor with a layer that has payments of its own.

    >>> from ttr_rules import compile_rules
    >>> pays_with_cards(compile_rules("europe")), pays_with_cards(compile_rules("europe", "dice"))
    (True, False)
    """
    economy = rules.economy
    while isinstance(economy, EconomyLayer):
        if type(economy).payments is not EconomyLayer.payments:
            return False
        economy = economy.below
    return isinstance(economy, CardRow)


@frozen
class PlayerSheet:
    """A player's column of the score sheet: where every point comes from."""

    name: str
    route_points: int
    tickets: tuple[TicketScore, ...]
    ticket_points: int
    lends: dict[str, str]
    needed_loans: tuple[str, ...]
    longest_path: LongestPath
    bonuses: dict[str, int]
    terms: dict[str, Score]
    total: int
    rank: int


@frozen
class Sheet:
    """The score sheet of a finished game, players in the order of their seats."""

    players: tuple[PlayerSheet, ...]
    winners: tuple[str, ...]


def read_sheet(value: object, rules: Rules, made: Converter) -> FinalScores:
    """A sheet from plain data; its sums must add up."""
    sheet = made.structure(value, Sheet)
    scores = FinalScores(tuple(starmap(_player, enumerate(sheet.players))), rules.sheet_words)
    for player, read in zip(scores.players, sheet.players, strict=True):
        if (player.total, player.ticket_points) != (read.total, read.ticket_points):
            raise ValueError(f"the points of {player.name!r} do not add up to {read.total}")
    if scores.winners != sheet.winners:
        raise ValueError(f"the ranks do not agree with the winners {', '.join(sheet.winners)}")
    return scores


def _player(seat: int, sheet: PlayerSheet) -> PlayerScore:
    fields = attrs.asdict(sheet, recurse=False)
    del fields["total"], fields["ticket_points"]
    return PlayerScore(seat=seat, **fields)
