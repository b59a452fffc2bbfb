"""The cattrs converter for all that clients get and send: actions, seen events, views, messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import starmap
from types import GenericAlias, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import attrs
from attrs import field, frozen
from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

from ttr_rules._internal.exact import Hook, entries
from ttr_rules.clients.messages import Actions, ClientMessage, ServerMessage, StackEntry
from ttr_rules.errors import PluginError
from ttr_rules.graph.paths import LongestPath
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.kernel.economy import EconomyLayer
from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.fields import EVERYBODY, exposed_fields, part_fields
from ttr_rules.kernel.offer import Offer, OfferedKind, PaymentPage, Purchase
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.player_score import Term, TicketScore
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Unknown
from ttr_rules.reading import MOST_ROWS, JsonObject, is_table, to_jsonable
from ttr_rules.saves.moves import LARGEST, new_converter, object_reader
from ttr_rules.text import brief
from ttr_rules.train_cards import DrawFaceUp, SeenCards, events
from ttr_rules.train_cards.piles import CardPiles
from ttr_rules.train_cards.row import CardKinds

SERVER: tuple[type[Any], ...] = get_args(ServerMessage)
CLIENT: tuple[type[Any], ...] = get_args(ClientMessage)
#: The largest whole number that a part of a view may show: a mask with a bit for each route of the largest map.
LARGEST_IN_PARTS = 2**MOST_ROWS
#: Counts of legal actions and payments, innermost first. Of more than `LARGEST` this number is written: no client reads so many.
_TOTALS: Mapping[type[Any], tuple[str, ...]] = {
    Purchase: ("payments",),
    OfferedKind: ("total", "first"),
    Offer: ("total",),
    PaymentPage: ("total",),
    Actions: ("total",),
}
_NUMBER = re.compile("-?[0-9]{1,20}")
#: Every class of messages.
MESSAGES = (*SERVER, *CLIENT)


def client_converter(rules: Rules) -> Converter:
    """The cattrs converter for what clients of a game with these rules get and send; created once."""
    return rules.derived(_client_converter)


def _client_converter(rules: Rules) -> Converter:
    made = new_converter(rules, seen=True)

    def read_event(value: object, _: object) -> SeenEvent:
        return SeenEvent(made.structure(value, Event))

    def read_scores(value: object, _: object) -> FinalScores:
        return read_sheet(value, rules, made)

    made.register_unstructure_hook(SeenEvent, lambda seen: made.unstructure(seen.event))
    made.register_structure_hook(SeenEvent, read_event)
    made.register_unstructure_hook(FinalScores, FinalScores.to_json)
    made.register_structure_hook(FinalScores, read_scores)
    made.register_unstructure_hook(View, partial(_view, made))
    in_parts = _for_parts(rules)
    parts = override(struct_hook=partial(_read_parts, rules, in_parts))
    made.register_structure_hook(View, object_reader(View, made, parts=parts))
    options = override(unstruct_hook=to_jsonable, struct_hook=_read_options)
    made.register_unstructure_hook(StackEntry, make_dict_unstructure_fn(StackEntry, made, options=options))
    made.register_structure_hook(StackEntry, object_reader(StackEntry, made, options=options))
    for kind in _TOTALS:
        made.register_unstructure_hook(kind, _fields_of(kind, made))
    for kind in MESSAGES:
        made.register_unstructure_hook(kind, _writer(kind, made))
    made.register_structure_hook_func(_is_message, partial(_read_message, made))
    return made


def _fields_of(kind: type[Any], made: Converter) -> Callable[[Any], JsonObject]:
    """A hook that writes the fields of a class."""
    make: Any = make_dict_unstructure_fn  # its overrides are typed as if they were its own arguments
    limited = dict.fromkeys(_TOTALS.get(kind, ()), override(unstruct_hook=_at_most_the_largest))
    found: Callable[[Any], JsonObject] = make(kind, made, **limited)
    return found


def _at_most_the_largest(count: int) -> int:
    return min(count, LARGEST)


def _for_parts(rules: Rules) -> Converter:
    """A converter for what parts show: also masks, sets, which JSON has as lists, and numbers as keys, which are text."""
    made = new_converter(rules, seen=True, largest=LARGEST_IN_PARTS)

    def of_set(kind: Any) -> Hook:
        whole: Any = get_origin(kind)
        listed: Any = GenericAlias(list, get_args(kind))
        return lambda value, _: whole(made.structure(value, listed))

    def by_number(kind: Any) -> Hook:
        by_text: Any = GenericAlias(dict, (str, get_args(kind)[1]))
        return lambda value, _: {_key(key): each for key, each in made.structure(value, by_text).items()}

    made.register_structure_hook_factory(_is_set, of_set)
    made.register_structure_hook_factory(_is_by_number, by_number)
    return made


def _is_set(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin in (set, frozenset)


def _is_by_number(kind: Any) -> bool:
    origin: Any = get_origin(kind)
    return origin in (dict, Mapping) and get_args(kind)[0] is int


def _key(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"expected a whole number as key, got {brief(text)}")
    return int(text)


def _view(made: Converter, view: View) -> JsonObject:
    fields = {field.name: getattr(view, field.name) for field in attrs.fields(View)}
    data = {name: to_jsonable(value) for name, value in fields.items() if name not in ("pending", "decision")}
    decision = None if view.decision is None else made.unstructure(view.decision)
    parts = {name: to_jsonable(exposed_fields(shown)) for name, shown in view.parts.items()}
    return {**data, "parts": parts, "pending": [made.unstructure(each) for each in view.pending], "decision": decision}


def _read_parts(rules: Rules, made: Converter, value: object, _: object) -> dict[str, object]:
    known = exposed_parts(rules)
    given = _table(value)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ValueError(f"these rules have no part {brief(unknown[0])}")
    missing = [name for name, part in known.items() if part.always and name not in given]
    if missing:
        raise ValueError(f"missing {', '.join(missing)}")

    def read(name: str) -> tuple[str, object]:
        part = known[name]
        return name, _table(given[name]) if part.shape is None else part.rebuilt(
            made.structure(given[name], part.shape)
        )

    return dict(entries(given, map(read, given), dict))


def _read_options(value: object, _: object) -> JsonObject:
    return dict(_table(value))


def _table(value: object) -> Mapping[str, Any]:
    if not is_table(value) or not all(isinstance(key, str) for key in value):
        raise ValueError(f"expected an object, got {brief(value)}")
    return value


# -- messages ----------------------------------------------------------------------------------------------------


def _writer(kind: type[Any], made: Converter) -> Callable[[Any], JsonObject]:
    fields = _fields_of(kind, made)
    return lambda message: {"type": kind.type, **fields(message)}


def _is_message(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType) and set(get_args(kind)) in (set(SERVER), set(CLIENT))


def _read_message(made: Converter, value: Any, union: Any) -> Any:
    data = dict(_table(value))
    known: dict[str, type[Any]] = {kind.type: kind for kind in get_args(union)}
    tag = data.pop("type", None)
    kind = known.get(tag) if isinstance(tag, str) else None
    if kind is None:
        raise ValueError(f"a message has one of these types: {', '.join(known)}; not {brief(tag)}")
    return made.structure(data, kind)


_LOOKED_UP = "import it outside of TYPE_CHECKING, at the top of the module"


@frozen
class ExposedPart:
    """A part as views show it: the class of what they hold, and its shape, an attrs class of the fields that they show.

    Without a shape it is a table of anything. `always` says whether every view has it. A shape is made from its `part`, and
    made again from it when an `ExposedPart` is unpickled.
    """

    part: type[Part]
    kind: type[Any]
    shape: type[Any] | None = field(eq=False)
    always: bool

    def __reduce__(self) -> tuple[Any, ...]:
        return _exposed, (self.part,)

    def rebuilt(self, shown: Any) -> Any:
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
    found = {name: _exposed(kind) for kind, name in rules.part_names.items()}
    return {name: each for name, each in found.items() if each is not None}


def _exposed(kind: type[Part]) -> ExposedPart | None:
    """The shape of a part in views; None if they do not show it."""
    if kind.seen_by is Part.seen_by:
        return ExposedPart(kind, kind, _shape(kind), always=True) if part_fields(kind) else None
    # Compiled methods have no annotations: such a class says what it shows.
    returned: Any = getattr(kind, "exposes", None) or _hints(kind.seen_by, kind)["return"]
    kinds = [each for each in get_args(returned) or (returned,) if each is not type(None)]
    always = len(get_args(returned) or (returned,)) == len(kinds)
    shown: Any = kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and attrs.has(kinds[0]) else kind
    if part_fields(shown):
        return ExposedPart(kind, shown, _shape(shown), always)
    if shown is kind:
        return ExposedPart(kind, dict, None, always=False)
    return ExposedPart(kind, shown, resolved(shown), always)


def _shape(kind: type[Any]) -> type[Any]:
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
    return cast("type[Any]", made)


def _or_unknown(hint: Any) -> Any:
    return Union[hint, Unknown]  # noqa: UP007 (made at run time)


def resolved(kind: type[Any]) -> type[Any]:
    """An attrs class whose fields have their types, rather than the names of their types. Raises `PluginError`."""
    try:
        return attrs.resolve_types(kind)
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error


def _hints(thing: Any, kind: type[Any]) -> JsonObject:
    try:
        return get_type_hints(thing, include_extras=True)
    except NameError as error:
        raise PluginError(f"{kind.__name__}: {error}; {_LOOKED_UP}") from error


#: The types in which every name is that of a card, and everything counted is cards.
OF_CARDS: frozenset[type[Any]] = frozenset({SeenCards, DrawFaceUp, *(getattr(events, name) for name in events.__all__)})


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
    return isinstance(economy, CardKinds)


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
    terms: dict[str, Term]
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
