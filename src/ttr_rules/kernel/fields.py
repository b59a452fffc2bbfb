"""Declarations of the fields of a part: visibility, first value, key in tables, box of the items.

Copying, comparing, showing, arranging, sampling and counting follow from the declaration.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import GenericAlias
from typing import Any, Final, TypedDict, TypeVar, Union, Unpack, cast, get_args, get_origin, get_type_hints, overload

import attrs
from attrs import field, frozen

from ttr_rules.errors import PluginError
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.reading import is_list, is_table
from ttr_rules.sequences import once
from ttr_rules.text import brief

T = TypeVar("T")

#: Who sees a field: `PartField.visible` of those declared with `public`.
EVERYBODY = "everybody"
#: Who sees a field: `PartField.visible` of those declared with `by_seat`.
OWNER = "its owner"
#: Who sees a field: `PartField.visible` of those declared with `hidden`, or with `by_seat` and `look=False`.
NOBODY = "nobody"
#: The pool of fields that hold tickets of the deck, by id.
TICKETS = "tickets"
#: Values of `of` for the ids of the board's cities, or of its routes.
CITIES, ROUTES = "cities", "routes"
#: The key of a field's metadata for its `PartField`.
_PART = "part"
#: Stands for a field that begins as the empty value of its type.
EMPTY: Final = Ellipsis


@frozen
class PartField:
    """The declaration of a field of a part.

    `visible` says who sees its items. With `by_seat` it is a list with an entry for each seat. `label` is its name when a
    table is shown, "" to leave it out there. With `seats` its numbers are seats. With `counted`, those who may not see the
    items see how many there are. `locations` is "cities" or "routes" if `of` was one of them.

    >>> from ttr_variants.europe import Stations
    >>> part_fields(Stations)["left"].label, part_fields(Stations)["left"].visible
    ('Stations left', 'everybody')
    """

    visible: str
    by_seat: bool = False
    start: object = EMPTY
    each: bool = False
    label: str | None = None
    seats: bool = False
    pool: str = ""
    key: str = ""
    of: tuple[str, ...] = field(default=(), converter=tuple[str, ...])
    locations: str = ""
    help: str = ""
    counted: bool = True
    per_turn: bool = False
    required: bool = False
    example: str = ""


@frozen
class KeyHelp:
    """Help for a key of a player in a score file: its purpose, and an example of its value as TOML.

    In the example, `{city}` stands for the quoted name of a city where a route of this player meets a route of another,
    `{route}` for that other route, `{route_name}` for it as a single text, `{id}` for one of the ids `of`, another for each
    seat. Other braces are doubled. A table or position without a key that is `required` is refused.

    >>> KeyHelp("The cities with a depot of this player.", "[{city}]").filled("Paris", ["Paris", "Zürich"])
    '["Paris"]'
    """

    summary: str = field(repr=brief)
    example: str
    required: bool = field(default=False, kw_only=True)
    of: tuple[str, ...] = field(default=(), repr=brief, kw_only=True)

    def filled(self, city: str, route: Sequence[str], seat: int = 0) -> str:
        """The example for a seat with the name of a city, and of the two cities of a route."""
        texts: dict[str, object] = {"city": city, "route": [*route], "route_name": "–".join(route)}
        if self.of:
            texts["id"] = self.of[seat % len(self.of)]
        return self.example.format_map({name: json.dumps(text, ensure_ascii=False) for name, text in texts.items()})


@frozen
class PrintedName:
    """The printed name of an id, and its meaning in a few words.

    >>> PrintedName("Propellers", "for ferries").name
    'Propellers'
    """

    name: str
    meaning: str = field(default="", repr=brief)


class FieldOptions(TypedDict, total=False):
    """The arguments of every declaration of a field. `public` explains them.

    >>> sorted(FieldOptions.__annotations__)
    ['counted', 'example', 'help', 'key', 'label', 'of', 'per_turn', 'pool', 'required', 'seats']
    """

    label: str | None
    seats: bool
    pool: str
    key: str
    of: Collection[str]
    help: str
    counted: bool
    per_turn: bool
    required: bool
    example: str


#: The cure for an argument that a declaration does not have.
_INSTEAD = {
    ("by_seat", "default"): "each=, the entry with which each seat begins",
    ("hidden", "each"): "default=, or by_seat(each=) for an entry for each seat",
}


def _declare(
    declaration: str,
    visible: str,
    more: FieldOptions,
    start: object = EMPTY,
    *,
    each: bool = False,
    by_seat: bool = False,
) -> Any:
    """A field of a part. Raises `PluginError` for an argument that its declaration does not have."""
    for name in more:
        if name not in FieldOptions.__annotations__:
            instead = _INSTEAD.get((declaration, name), f"one of {', '.join(FieldOptions.__annotations__)}")
            raise PluginError(f"{declaration}() has no {name}=: write {instead}")
    if more.get("pool") and more.get("per_turn"):
        raise PluginError(f"{declaration}(): items from a pool would be lost with every turn: leave out per_turn=True")
    if more.get("pool") and not more.get("counted", True):
        raise PluginError(f"{declaration}(): items from a pool are always counted: leave out counted=False")
    if more.get("key") and more.get("per_turn"):
        raise PluginError(
            f"{declaration}(): a position begins with a turn, which resets a field with per_turn=True: leave out key="
        )
    if more.get("required") and not (more.get("key") and more.get("help")):
        raise PluginError(
            f"{declaration}(): required=True needs key= and help=: the error for a missing key shows the help"
        )
    if more.get("example") and not more.get("key"):
        raise PluginError(f"{declaration}(): example= is a value of its key: write key= too, or leave it out")
    ids: object = more.get("of", ())
    locations = ids if ids in (CITIES, ROUTES) else ""
    if locations:
        ids = more["of"] = ()
    if isinstance(ids, str):
        raise PluginError(f"{declaration}(): write of=({ids!r},), several ids, or of={CITIES!r}, or of={ROUTES!r}")
    if ids and more.get("key") and more.get("seats"):
        raise PluginError(
            f"{declaration}(): with seats=True its key names players, cities or routes: leave out of={ids!r}"
        )
    if not isinstance(ids, Collection) or not all(isinstance(id, str) for id in cast("Collection[object]", ids)):
        raise PluginError(f"{declaration}(): of= takes several ids, which are texts")
    declared = PartField(visible, by_seat, start, each, locations=str(locations), **more)
    return field(default=EMPTY, metadata={_PART: declared})


@overload
def public(**more: Unpack[FieldOptions]) -> Any: ...
@overload
def public(*, default: T, **more: Unpack[FieldOptions]) -> T: ...
@overload
def public(*, each: T, **more: Unpack[FieldOptions]) -> list[T]: ...
def public(*, default: object = EMPTY, each: object = EMPTY, **more: Unpack[FieldOptions]) -> Any:
    """A field of a part that all players see.

    It begins as `default`, as a list with `each` for every seat, or as the empty value of its type. `label` is its name
    when the table is shown, such as "Stations left". An empty label leaves it out there. With `seats` its numbers are
    seats, shown and written as the names of their players.

    With `per_turn` it is reset when a turn begins, even a granted one, and has no `key`. Use it for things done or
    announced during a turn.

    With `key`, tables and positions have this key, which `help` explains. With `required` they must have it: a position
    without it is refused, and the error repeats the help. `example` is a value of the key as TOML, as in `KeyHelp`, for a
    field that may not hold everything that its type allows. Without one, help shows an example for the type. The key belongs
    to each player for these types:

    - `list[int]`: a whole number
    - `list[bool]`: true or false
    - `dict[str, int]` of seats by city, or by route with `seats=True` and `of="routes"`: a list of cities or routes
    - `list[str]` with `each`: one of the ids `of`
    - `list[tuple[str, ...]]`: a list of these ids
    - `list[Counts]`: a table with a number for some of these ids

    With `pool`, `of` is not needed: the ids are those in the box. `of="cities"` adds names such as "Paris".

    A field without an entry for each seat has its key under `parts`: an `int`, a `bool`, a `str`, a `tuple[str, ...]`,
    `Counts`, or a table `dict[str, X]` of one of the first three by the ids `of`. With `of="cities"` or `of="routes"`, ids
    are those of cities or routes, written by any of their names. With `seats`, an `int` is written as the
    name of a player, and a `tuple[int, ...]` as a list of names. Other types need a `Part.arrange` that reads the key, as do
    numbers that not all see.

    With `pool`, the items come from a box (`Part.box`), as `Counts`, or as a tuple, list or set of items. In a
    `dict[str, X | Unknown]`, which is annotated so even if nothing in it is hidden, each value is one of these, and `of`
    is about its keys, such as cities. With `each=()` or `each=Counts()`, each seat holds some. With
    `pool="tickets"`, they are ids of tickets from the piles, and are sampled and counted with the others. A `key` for
    them is a list of tickets.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Part
    >>> class Depots(Part):
    ...     built: dict[str, int] = public(seats=True)
    ...     left: list[int] = public(each=3, label="Depots left")
    >>> Depots.start(ttr.compile_rules("europe"), players=2)
    Depots(built={}, left=[3, 3])
    """
    start = default if each is EMPTY else each
    lots = isinstance(each, Collection) and not isinstance(each, str) and bool(more.get("pool"))
    return _declare("public", EVERYBODY, more, start, each=each is not EMPTY, by_seat=lots)


@overload
def by_seat(*, look: bool = ..., **more: Unpack[FieldOptions]) -> Any: ...
@overload
def by_seat(*, each: T, look: bool = ..., **more: Unpack[FieldOptions]) -> list[T]: ...
def by_seat(*, each: object = EMPTY, look: bool = True, **more: Unpack[FieldOptions]) -> Any:
    """A field of a part that is a list with an entry for each seat, visible to that seat alone.

    Others see only the number of items in it, `Unknown(count)`, and with `counted=False` not even that: `Unknown()`. With
    `look=False` the seat may not look at its own entry either. Each entry begins as `each`, or empty.

    Annotate it `list[X | Unknown]`: views have the same type, so type checkers point out that it may be hidden. `known` gives
    the value where it is visible, as in the rules of the game. In a `list[dict[str, X | Unknown]]` each value is hidden
    separately, and everybody sees the keys, such as cities.

    >>> from ttr_rules.plugins import Part, known
    >>> class Letters(Part):
    ...     held: list[tuple[str, ...] | Unknown] = by_seat()
    >>> letters = Letters(held=[("paris",), ("wien", "roma")])
    >>> letters.seen_by(0), known(letters.held[1])
    (Letters(held=[('paris',), Unknown(count=2)]), ('wien', 'roma'))
    """
    return _declare("by_seat", OWNER if look else NOBODY, more, each, each=True, by_seat=True)


@overload
def hidden(**more: Unpack[FieldOptions]) -> Any: ...
@overload
def hidden(*, default: T, **more: Unpack[FieldOptions]) -> T: ...
def hidden(*, default: object = EMPTY, **more: Unpack[FieldOptions]) -> Any:
    """A field of a part whose items nobody sees, such as a pile. Annotate it `X | Unknown`.

    Only their number is shown, with `counted=False` not even that. In a `dict[str, X | Unknown]` each value is hidden
    separately, and everybody sees the keys, such as cities.

    >>> from ttr_rules.plugins import Part
    >>> class Bag(Part):
    ...     tokens: tuple[str, ...] | Unknown = hidden(default=("red", "red", "blue"))
    >>> Bag().seen_by(0)
    Bag(tokens=Unknown(count=3))
    """
    return _declare("hidden", NOBODY, more, default)


def size_of(value: object) -> int | None:
    """The number of items in a value, 1 for a value that holds none, or None if it is not known.

    >>> size_of(("a", "b")), size_of(Counts(red=3)), size_of("wien")
    (2, 3, 1)
    """
    if isinstance(value, Counts):
        return value.total
    if isinstance(value, Unknown):
        return value.count
    return len(value) if is_list(value) or is_table(value) else 1


@once
def part_fields(kind: type[object]) -> Mapping[str, PartField]:
    """The fields of a part, by name. Other classes have none."""
    attributes = attrs.fields(kind) if attrs.has(kind) else ()
    return {field.name: field.metadata[_PART] for field in attributes if _PART in field.metadata}


@once
def _annotations(kind: type[object]) -> Mapping[str, object]:
    try:
        return get_type_hints(kind, include_extras=True)
    except NameError as error:
        raise TypeError(
            f"an annotation of {kind.__name__} cannot be read, {error}: import that name outside of TYPE_CHECKING, at "
            "the top of the module"
        ) from error


@once
def hints_of(kind: type[object]) -> Mapping[str, object]:
    """The types of a part's fields, without `Unknown`. Raises `TypeError` for an annotation that cannot be read."""
    return {name: _without_unknown(hint) for name, hint in _annotations(kind).items()}


@once
def tables_of(kind: type[object]) -> Collection[str]:
    """The fields of a part that hide the values of a table one by one: `dict[str, X | Unknown]`, or a list of such tables."""
    return [name for name, hint in _annotations(kind).items() if _has_hidden_values(hint)]


def _has_hidden_values(hint: object) -> bool:
    inside = get_args(hint)
    if get_origin(hint) is list:
        return _has_hidden_values(inside[0])
    return get_origin(hint) is dict and Unknown in get_args(inside[1])


def _without_unknown(hint: object) -> object:
    """A type without `Unknown`, also in the entries of a list and in the values of a table.

    >>> _without_unknown(list[tuple[str, ...] | Unknown])
    list[tuple[str, ...]]
    """
    inside = get_args(hint)
    if Unknown in inside:
        return Union[tuple(argument for argument in inside if argument is not Unknown)]  # noqa: UP007 (created at run time)
    origin = get_origin(hint)
    return GenericAlias(origin, (*inside[:-1], _without_unknown(inside[-1]))) if origin in (list, dict) else hint


_COLLECTIONS: tuple[Any, ...] = (list, set, frozenset, tuple, deque)


def holds_one(kind: object) -> bool:
    """True for the type of a single item, False for one that holds several."""
    return kind not in (*_COLLECTIONS, Counts)


#: The types whose empty value a field can begin with.
_STARTING: tuple[type[object], ...] = (*_COLLECTIONS, dict, int, float, bool, str, Counts)


def empty(hint: object, write: str = "default=") -> object:
    """The empty value of a type: `[]`, `()`, `{}`, 0, False, "", or None for a type that allows it.

    Raises `TypeError` for a type that has none. `write` is the argument that the error asks for.

    >>> empty(list[int]), empty(tuple[str, ...]), empty(bool), empty(str | None)
    ([], (), False, None)
    """
    if type(None) in get_args(hint):
        return None
    for kind in _STARTING:
        if kind is (get_origin(hint) or hint):
            return kind()
    raise TypeError(f"a {getattr(hint, '__name__', hint)} has no empty value to begin with: write {write}")


@once
def first_value(kind: type[object], name: str) -> object:
    """The value with which a field of a part begins, or its entry for each seat. Raises `TypeError` as `empty` does."""
    declared = part_fields(kind)[name]
    if declared.start is not EMPTY:
        return declared.start
    hint = hints_of(kind)[name]
    return empty((get_args(hint) or (object,))[0], "each=") if declared.each else empty(hint)


def exposed_fields(exposed: object) -> dict[str, object]:
    """The fields that a part exposes, by name, or the entries of a part that exposes a table, by key.

    >>> exposed_fields({"depots": 2}), exposed_fields(None)
    ({'depots': 2}, {})
    """
    if is_table(exposed):
        return {str(key): inner for key, inner in exposed.items()}
    known: Any = exposed
    return attrs.asdict(known, recurse=False) if attrs.has(type(exposed)) else {}


@frozen
class Place:
    """A place for items: a field of a part, or the entry of a seat in it. With `key`, the value in a table there.

    >>> from ttr_rules.plugins import Part
    >>> class Letters(Part):
    ...     held: list[tuple[str, ...]] = by_seat(pool="letters")
    >>> letters = Letters(held=[("paris",), ("wien", "roma")])
    >>> [(place.field, place.seat, place.content) for place in places(letters, "letters")]
    [('held', 0, ('paris',)), ('held', 1, ('wien', 'roma'))]
    """

    part: object
    field: str
    seat: int | None
    key: str | None = None

    @property
    def path(self) -> list[int | str]:
        """The name of the field, and the indexes that lead here from its value."""
        return [self.field, *[index for index in (self.seat, self.key) if index is not None]]

    def _holder(self) -> Any:
        """The container of the value here: the fields of the part, a list of seats, or a table."""
        holder: Any = vars(self.part)
        for index in self.path[:-1]:
            holder = holder[index]
        return holder

    @property
    def content(self) -> Any:
        """The value here, or `Unknown` if it is not dealt yet."""
        return self._holder()[self.path[-1]]

    @property
    def kind(self) -> Any:
        """The type of the value here, such as `tuple`."""
        hint = hints_of(type(self.part))[self.field]
        for _ in self.path[1:]:  # through a list of seats, a table, or both
            hint = get_args(hint)[-1]
        return get_origin(hint) or hint

    @property
    def is_one(self) -> bool:
        """True for the place of a single item."""
        return holds_one(self.kind)

    def put(self, items: Iterable[Any]) -> None:
        """Put items here as a collection of the field's type, or the only item if it holds a single one."""
        kind = self.kind
        if self.is_one:
            (new,) = items
        else:
            new = Counts(Counter(items)) if kind is Counts else kind(items)
        self._holder()[self.path[-1]] = new


def places(part: object, pool: str) -> Iterator[Place]:
    """The places of a part, or of the part of a view, that hold items of a pool."""
    for name, declared in part_fields(type(part)).items():
        if declared.pool != pool:
            continue
        value: object = getattr(part, name)
        count = len(value) if declared.by_seat and is_list(value) else None
        for seat in (None,) if count is None else range(count):
            place = Place(part, name, seat)
            if name in tables_of(type(part)):
                yield from (Place(part, name, seat, key) for key in place.content)
            else:
                yield place


def items(content: object) -> list[Any]:
    """The items of a list, a tuple or `Counts`, or those of a table as pairs with their key.

    >>> items(Counts(red=2)), items(("a", "b")), items([Counts(), Counts(red=1)]), items({"prr": (1, 2)})
    (['red', 'red'], ['a', 'b'], ['red'], [('prr', 1), ('prr', 2)])
    """
    if isinstance(content, Counts):
        return [name for name, count in content.items() for _ in range(count)]
    if isinstance(content, Mapping):
        table = cast("Mapping[object, Iterable[object]]", content)
        return [(key, item) for key, inside in table.items() for item in inside]
    if isinstance(content, Unknown) or content is None:
        return []
    entries = cast("Iterable[object]", content)
    return [item for entry in entries for item in (items(entry) if isinstance(entry, Counts) else [entry])]
