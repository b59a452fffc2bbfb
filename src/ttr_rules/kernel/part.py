"""Parts: the state of one mechanic or economy, kept by the plugin that adds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from inspect import get_annotations
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast, dataclass_transform, get_args, get_origin

import attrs

from ttr_rules._internal.native import set_state, state_of
from ttr_rules.errors import PluginError
from ttr_rules.kernel.copying import copies_of, copy_deeply
from ttr_rules.kernel.fields import (
    CITIES,
    EMPTY,
    EVERYBODY,
    OWNER,
    ROUTES,
    TICKETS,
    KeyHelp,
    PartField,
    Place,
    PrintedName,
    by_seat,
    first_value,
    hidden,
    hints_of,
    holds_one,
    items,
    part_fields,
    places,
    public,
    size_of,
    tables_of,
)
from ttr_rules.kernel.table import MOST_NUMBER, PlayerEntry, Report, TableEntry
from ttr_rules.kernel.view import View
from ttr_rules.language import Message
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.chance import Dealer
from ttr_rules.model.decisions import Decision, HiddenDecision
from ttr_rules.reading import is_list, is_table
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import brief, cut

if TYPE_CHECKING:
    from ttr_rules.kernel.rules import Rules
    from ttr_rules.kernel.state import State
    from ttr_rules.kernel.table import Position
    from ttr_rules.kernel.transaction import Transaction

#: The type of a declared field of which attrs has not made an attribute yet.
_DECLARED = cast("type[object]", type(attrs.field()))


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(public, by_seat, hidden))
class Part:  # noqa: PLW1641 (parts change: they have no hash)
    """The state of one mechanic or economy. A plugin keeps its state in a part of its own.

    A subclass declares its fields: who sees them, and how they begin.

    >>> class Depots(Part):
    ...     built: dict[str, int] = public()
    ...     cards: list[tuple[str, ...] | Unknown] = by_seat()
    >>> depots = Depots(built={"wien": 0}, cards=[("red",), ("blue", "blue")])
    >>> depots.seen_by(0)
    Depots(built={'wien': 0}, cards=[('red',), Unknown(count=2)])
    >>> depots.copy() == depots
    True

    Copying, comparing and showing follow from the declaration. A part that stores its state in another way defines
    `__init__` and overrides these methods.
    """

    __slots__ = ()

    #: The keys of a player that `arrange` reads besides those of fields, with help for people who write score files.
    player_keys: ClassVar[Mapping[str, KeyHelp]] = FrozenMap[str, KeyHelp]()
    #: The keys under `parts` that `arrange` reads besides those of fields, with help.
    part_keys: ClassVar[Mapping[str, KeyHelp]] = FrozenMap[str, KeyHelp]()
    #: The printed names of the ids that the part holds, by id. They belong to the class, so they are the same on every map:
    #: an item with another name on another map needs another id, or a part of another class.
    names: ClassVar[Mapping[str, PrintedName]] = FrozenMap[str, PrintedName]()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        body = vars(cls)
        if "__attrs_attrs__" in body:  # a class with slots is created twice
            raise PluginError(f"{cls.__name__} needs no decorator: leave out @define or @frozen")
        for method in body.values():
            if isinstance(method, FunctionType):
                method.__dict__.setdefault("part", cls)  # for events whose effect it is
        for name, value in body.items():
            if isinstance(value, _DECLARED) and name not in get_annotations(cls):
                raise PluginError(
                    f"{cls.__name__}.{name} has no annotation: write {name}: list[int] = …, or what it holds"
                )
        if "__init__" not in body:
            attrs.define(slots=False, eq=False, repr=False, kw_only=True)(cls)
            declared: Any = cls  # untyped: attrs has just added its fields
            for name in [field.name for field in attrs.fields(declared)]:
                if hasattr(Part, name):
                    raise PluginError(f"{cls.__name__}.{name} hides a method of Part: give the field another name")
                if name not in part_fields(cls):
                    raise PluginError(
                        f"{cls.__name__}.{name} does not say who sees it: write {name} = public(), by_seat() or hidden()"
                    )

    def __attrs_post_init__(self) -> None:
        for name, declared in part_fields(type(self)).items():
            if getattr(self, name) is EMPTY:
                setattr(self, name, [] if declared.each else copy_deeply(first_value(type(self), name)))

    def __repr__(self) -> str:
        return cut(
            f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in part_fields(type(self)))})"
        )

    def __getstate__(self) -> object:
        return state_of(self)

    def __setstate__(self, state: Mapping[str, object]) -> None:
        set_state(self, state)

    @classmethod
    def start(cls, rules: Rules, players: int) -> Self:
        """The part at the start of a game, by default with the declared values of all fields."""
        try:
            part = cls()
            for name, declared in part_fields(cls).items():
                if declared.each:
                    start = first_value(cls, name)
                    setattr(part, name, [copy_deeply(start) for _ in range(players)])
        except TypeError as error:
            raise PluginError(f"the state part {cls.__name__}: {error}") from error
        return part

    def set_up(self, tx: Transaction) -> None:
        """Set up the part with chance, by events: in a game before `Variant.on_deal`, in a position before its keys are read.

        Events whose changes a key of the position replaces are dropped. If the outcome does not fit the keys of the position
        (`validate` objects, or a box holds too few items), it is called again, up to 200 times. It is not called for a table to
        score, where fields keep their declared values unless they are written. It must not use train cards or tickets, which
        are not in place yet in a position.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.plugins import Variant, hookimpl
        >>> class Weather(Part):
        ...     sky: str = public(key="sky", of=("calm", "storm"))
        ...     def set_up(self, tx):
        ...         tx.put_items(self, "sky", None, (tx.roll(("calm", "storm")),))
        >>> class Skies(Variant, name="skies"):
        ...     @hookimpl
        ...     def parts(self, rules):
        ...         return (Weather,)
        >>> game = ttr.new_game("europe", Skies, players=2, seed=1)
        >>> game.state.part(Weather), ttr.arrange(game.rules, {"seed": 2, "players": [{}, {}]}).state.part(Weather)
        (Weather(sky='storm'), Weather(sky='calm'))
        """

    def begin_turn(self, state: State) -> None:
        """Reset the fields declared `per_turn`."""
        fresh = self.start(state.rules, state.players)
        for name, declared in part_fields(type(self)).items():
            if declared.per_turn:
                setattr(self, name, getattr(fresh, name))

    def arrange(self, tx: Transaction, position: Position, report: Report) -> None:
        """Read the keys of a table or position: emit events, or report mistakes.

        By default it reads the fields that have a `key`: numbers, true or false, cities, routes, ids, counts, players.
        The routes and tickets of all players are already in place (`tx.state`), with the train cars that these routes
        leave. The keys `cars` and `turns_left`, hands and draw piles are read afterwards. No hook was called for any of
        them. `set_up` has been called before, except for a table to score (`position.to_score`), where chance must not
        be used. The turn has not begun, so `tx.state.round` may be the round before:
        `tx.state.turn_number // tx.state.players + 1` is the position's.
        """
        before = count_items(tx)
        for name, declared in part_fields(type(self)).items():
            if declared.pool == TICKETS:
                continue  # read together with all other tickets
            of_players = _is_key_of_players(type(self), name)
            for entry in position.players if of_players else (position.table("parts", Report()),):
                if declared.key and declared.key in entry.raw:
                    self._arrange_field(tx, name, declared, entry, position, report)
        return_to_piles(tx, before)

    def _arrange_field(
        self, tx: Transaction, name: str, declared: PartField, entry: TableEntry, position: Position, report: Report
    ) -> None:
        """Read the key of a field from the entry of a player, or from `parts`: the values of a table one by one."""
        key, seat = declared.key, entry.seat if isinstance(entry, PlayerEntry) else None
        if isinstance(entry, PlayerEntry) and isinstance(getattr(self, name), dict):
            self._arrange_locations(tx, name, declared, entry, report)
            return
        place = Place(self, name, seat)
        if place.kind is not dict:
            self._arrange_value(tx, place, entry, key, position, report)
            return
        known, of = declared.of, declared.locations
        if name in tables_of(type(self)):
            are_fixed = bool(Place(self.start(tx.rules, tx.state.players), name, seat).content)
            known = tuple(place.content) if are_fixed else ()
            of = of or (CITIES if entry.board.cities.keys() >= place.content.keys() else "")
        written = entry.by_location(key, report, of=of) if of else entry.table(key, report).raw
        table = TableEntry(entry.under(key), written, entry.board)
        if known:
            table.only(known, report)
        for id in [id for id in written if not known or id in known]:
            self._arrange_value(tx, Place(self, name, seat, id), table, id, position, report)

    def _arrange_value(
        self, tx: Transaction, place: Place, entry: TableEntry, key: str, position: Position, report: Report
    ) -> None:
        """Read what a key gives a place: seats, ids, a truth value or a number."""
        declared, one = part_fields(type(self))[place.field], place.is_one
        if declared.seats:
            seats = position.seats(entry, key, report, one=one)
            if seats or not one:
                tx.put_seats(self, place.field, place.seat, seats)
        elif place.kind is bool:
            flag = entry.flag(key, place.key is None and place.content, report)
            tx.put_number(self, place.field, place.seat, int(flag), place.key)
        elif place.kind is not int and (declared.of or declared.locations or declared.pool):
            ids = _read_items(tx, place, entry, key, report)
            if ids or not one:
                tx.put_items(self, place.field, place.seat, ids, place.key)
        else:
            now = place.content if place.key is None else 0
            tx.put_number(self, place.field, place.seat, entry.number(key, now, 0, MOST_NUMBER, report), place.key)

    def _arrange_locations(
        self, tx: Transaction, name: str, declared: PartField, player: PlayerEntry, report: Report
    ) -> None:
        """Read the cities or routes of a player for a field that maps them to seats."""
        locations: list[str] = []
        for place, id in player.locations(declared.key, report, of=declared.locations or CITIES):
            if id in getattr(self, name) or id in locations:
                report.add(place, f"{id} is already there")
            else:
                locations.append(id)
        if locations:
            tx.put_locations(self, name, player.seat, tuple(locations))

    def copy(self) -> Self:
        """An independent copy. It is made often, so it must be cheap."""
        kind: type[Self] = type(self)
        copied = kind.__new__(kind)
        for name, copy in copies_of(kind):
            value: object = getattr(self, name)
            setattr(copied, name, value if copy is None else copy(value))
        return copied

    def value(self) -> object:
        """A plain value that is equal for equal parts."""
        return [getattr(self, name) for name in part_fields(type(self))]

    def hides(self, field: str, owner: int | None, seat: int | None) -> bool:
        """True if `seat` (None: a spectator) may not look into a field, or into the entry of `owner` in a field by seat.

        By default this is as declared. Override it if it depends on a ruling or the course of the game. Views and
        sampled worlds respect it.
        """
        visible = part_fields(type(self))[field].visible
        return visible != EVERYBODY and (visible != OWNER or seat is None or owner != seat)

    def seen_by(self, seat: int | None) -> object | None:
        """A copy with `Unknown` for all that `seat` (None: a spectator) may not see, or None to show nothing."""
        fields = part_fields(type(self))
        if not fields:
            return None
        shown = self.copy()
        for name, declared in fields.items():
            if declared.visible == EVERYBODY:
                continue
            value: object = getattr(self, name)
            if declared.by_seat:
                hidden: object = [
                    _hide(self, name, entry) if self.hides(name, owner, seat) else entry
                    for owner, entry in enumerate(getattr(shown, name))
                ]
                setattr(shown, name, hidden)
            elif self.hides(name, None, seat):
                setattr(shown, name, _hide(self, name, value))
        return shown

    def validate(self, rules: Rules) -> str | None:
        """The problem with a part that no game can have, or None, the default.

        Called when a saved game, a position or a table to score has been read, and for sampled worlds, which are dealt again
        if there is a problem, up to 200 times (then the last one is taken). So it may limit what is hidden.
        """
        return None

    def fits(self, state: State) -> bool:
        """True, the default, if a sampled world agrees with what everybody knows.

        For example, if everybody knows that a seat could declare one of some tickets, it must hold one of them. `state` is
        the whole world, with hands, tickets, all parts and the questions asked now. A world that does not fit is dealt again, as with `validate`. The
        real game must always fit.

        >>> import ttr_rules as ttr
        >>> class Feared(Part):
        ...     def fits(self, state):
        ...         return any(state.tickets)     # somebody holds a ticket
        >>> Feared().fits(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state)
        False
        """
        return True

    def box(self, rules: Rules) -> Mapping[str, Iterable[object]]:
        """The contents of the box, by pool: all items that the fields with this `pool` hold together, in all parts.

        If they depend on the number of players, count the seats in a field that has a value for each: `len(self.held)`.
        """
        return {}

    def items_in(self, pool: str) -> list[Any]:
        """The items of a pool that lie in this part."""
        return [item for place in places(self, pool) for item in items(place.content)]

    def sample_hidden(self, view: View, dealer: Dealer, rules: Rules) -> None:
        """Turn this part, as it is at the start of a game, into a sample that is consistent with `view`.

        By default it copies the part that the view shows. Then fields with a `pool` are dealt from their box, and `redeal`
        does the rest. Override it only with a `seen_by` of your own. See `determinize`.
        """
        name = type(self).__name__
        shown = next((part for part in view.parts.values() if type(part) is type(self)), view.parts.get(name))
        if shown is not None:
            if not isinstance(shown, type(self)):  # it has a `seen_by` of its own
                raise NotImplementedError
            copy = shown.copy()
            for name in part_fields(type(self)):
                setattr(self, name, getattr(copy, name))

    def redeal(self, view: View, dealer: Dealer, world: State) -> None:
        """Replace the values that are still `Unknown` in a sample, with each possibility equally likely.

        `world` is the state being dealt. Pools and hands of cards are dealt already, so that a secret about a hand can
        match it. Tickets are not. Not needed if all secrets are in fields with a `pool`.

        >>> import ttr_rules as ttr
        >>> from ttr_rules.plugins import Variant, hookimpl
        >>> class Guesses(Part):
        ...     made: list[int | Unknown] = by_seat(each=3)
        ...     def redeal(self, view, dealer, world):
        ...         self.made = [dealer.below(10) if isinstance(guess, Unknown) else guess for guess in self.made]
        >>> class Guessing(Variant, name="guessing"):
        ...     @hookimpl
        ...     def parts(self, rules):
        ...         return (Guesses,)
        >>> game = ttr.new_game("europe", Guessing, players=2, seed=1)
        >>> view = game.view(0)
        >>> view.part(Guesses), ttr.determinize(view, game.rules, seed=1).state.part(Guesses)
        (Guesses(made=[3, Unknown(count=1)]), Guesses(made=[3, 7]))
        """

    def undealt(self) -> list[str]:
        """The fields in which a sample still has an `Unknown`."""
        return [name for name in part_fields(type(self)) if _has_unknown(getattr(self, name))]

    def sample_decision(self, hidden: HiddenDecision, view: View, dealer: Dealer, rules: Rules) -> Decision | None:
        """Sample another seat's pending decision, whose type `view` shows. None if it is not this part's."""
        return None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Part) and other.value() == self.value()


def _hide(part: Part, name: str, value: object) -> object:
    """The value shown in place of a field, or of an entry in it, to seats that may not look into it."""
    counted = part_fields(type(part))[name].counted
    if name in tables_of(type(part)):
        table = cast("Mapping[str, object]", value)
        return {key: Unknown(size_of(inside) if counted else None) for key, inside in table.items()}
    return Unknown(size_of(value) if counted else None)


def _has_unknown(value: object) -> bool:
    """True if a value, or one of the entries of a list or table, is `Unknown`."""
    if is_table(value):
        value = [*value.values()]
    return isinstance(value, Unknown) or (is_list(value) and any(map(_has_unknown, value)))


def boxes(parts: Iterable[Part], rules: Rules) -> dict[str, list[object]]:
    """The items of each box, by pool."""
    by_pool: dict[str, list[object]] = {}
    for part in parts:
        for pool, inside in part.box(rules).items():
            by_pool.setdefault(pool, []).extend(inside)
    return by_pool


def count_items(tx: Transaction) -> dict[str, Counter[str]]:
    """The items in the parts of plugins, by pool, without tickets."""
    parts = [tx.state.part(kind) for kind in tx.rules.part_types]
    return {
        pool: Counter([item for part in parts for item in part.items_in(pool)])
        for pool in boxes(parts, tx.rules)
        if pool != TICKETS
    }


def return_to_piles(tx: Transaction, before: Mapping[str, Counter[str]]) -> None:
    """Put the items of the set-up that keys have replaced back on a pile.

    A pile is a field of the pool that has no key.
    """
    after, parts = count_items(tx), [tx.state.part(kind) for kind in tx.rules.part_types]
    for pool, count in before.items():
        lost = count - after[pool]
        lots = [(part, place) for part in parts for place in places(part, pool)] if lost else []
        for part, place in lots:
            if not (part_fields(type(part))[place.field].key or place.is_one or place.path[1:]):
                tx.put_items(part, place.field, None, (*items(place.content), *lost.elements()))
                break


def set_up_parts(tx: Transaction) -> None:
    """Set up the parts of plugins."""
    for kind in tx.rules.part_types:
        tx.state.part(kind).set_up(tx)


def keys_of(kind: type[Part]) -> tuple[dict[str, KeyHelp], dict[str, KeyHelp]]:
    """The keys that a part reads from each player, and from the table `parts`, with help: those of its fields, then others.

    >>> class Depots(Part):
    ...     built: dict[str, int] = public(seats=True, key="depots", help="The cities with a depot.")
    ...     lit: bool = public(key="lit")
    >>> players, parts = keys_of(Depots)
    >>> players["depots"].example, parts["lit"].example
    ('[{city}]', 'true')
    """
    of_players: dict[str, KeyHelp] = {}
    of_parts: dict[str, KeyHelp] = {}
    for name, field in part_fields(kind).items():
        if field.key:
            keys = of_players if _is_key_of_players(kind, name) else of_parts
            if field.key in keys:
                raise PluginError(
                    f"two fields of the state part {kind.__name__} have the key {field.key!r}: rename one"
                )
            example = field.example or _example(kind, name)
            keys[field.key] = KeyHelp(_help(field), example, required=field.required, of=field.of)
    return {**of_players, **kind.player_keys}, {**of_parts, **kind.part_keys}


def _read_items(tx: Transaction, place: Place, entry: TableEntry, key: str, report: Report) -> tuple[str, ...]:
    """Read the ids, or counts of ids, that a key gives a place: ids that its field names, or else ids in the box."""
    declared, of_table = part_fields(type(place.part))[place.field], place.key is not None
    if of_table and place.field not in tables_of(type(place.part)):
        value = entry.raw[key]
        if isinstance(value, str):
            return (value,)
        report.add(entry.under(key), f"expected a text, got {brief(value)}")
        return ()
    if declared.locations and not of_table:
        return tuple(id for _, id in entry.locations(key, report, one=place.is_one, of=declared.locations))
    known = declared.of or [
        id for id in boxes(tx.state.parts.values(), tx.rules).get(declared.pool, []) if isinstance(id, str)
    ]
    if place.kind is Counts:
        return tuple(items(entry.counts(key, known, report)))
    return entry.ids(key, known, report, one=place.is_one)


def _is_key_of_players(kind: type[object], name: str) -> bool:
    """True if the key of a field is written with each player, not under `parts`."""
    field = part_fields(kind)[name]
    of_each: tuple[object, ...] = () if field.seats else (list[int], list[bool])
    if field.seats or not (field.of or field.locations):
        of_each = (*of_each, dict[str, int])
    return field.each or hints_of(kind)[name] in of_each


def _example(kind: type[object], name: str) -> str:
    """An example of a value for the key of a field, as TOML, by its type."""
    hint, declared = hints_of(kind)[name], part_fields(kind)[name]
    entry = (*get_args(hint), object)[0] if declared.each else hint
    shape = get_origin(entry) or entry
    location = "{route}" if declared.locations == ROUTES else "{city}"
    if shape is dict and (declared.pool or not _is_key_of_players(kind, name)):
        id = declared.of[0] if declared.of else location.replace("route", "route_name")
        value = "[]" if declared.pool else {bool: "true", int: "1"}.get(get_args(entry)[1], '"…"')
        return f"{{{{{id} = {value}}}}}"
    if declared.locations or shape is dict:
        return location if holds_one(shape) and shape is not dict else f"[{location}]"
    if shape is Counts:
        return f"{{{{{next(iter(declared.of))} = 2}}}}" if declared.of else "{{}}"
    if declared.pool and not declared.of:
        return "[]"
    if declared.of:
        return "{id}" if holds_one(shape) else f'["{declared.of[0]}"]'
    if declared.seats:
        return '"Isambard"' if holds_one(shape) else '["Isambard"]'
    number = str(declared.start) if type(declared.start) is int and declared.start > 0 else "1"
    return "true" if entry in (bool, list[bool]) else number


def _help(field: PartField) -> str:
    """The purpose of a key, with its default unless that is 0."""
    start: object = field.start
    if (
        field.required
        or field.seats
        or (not (isinstance(start, str) and start) and (type(start) is not int or start <= 0))
    ):
        return field.help
    template = "{help} Without it: {start}." if field.help else "Without it: {start}."
    return Message(template, help=Message(field.help), start=field.start)


# -- fleets: pieces of several kinds, such as trains and ships -------------------------------------------------------------


class Fleets(Part):
    """The pieces that each seat has left, by kind, in games with `Components.fleets`.

    `State.cars` is their sum, on which the last round depends (E1).

    >>> from ttr_rules import compile_rules, new_game
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Ships(Variant, name="ships"):
    ...     @hookimpl
    ...     def components(self, below, board):
    ...         return Components(fleets={"train": 25, "ship": 15})
    >>> from ttr_rules.model import Components
    >>> game = new_game("europe", Ships, players=2, seed=1)
    >>> game.view(1).part(Fleets).left[0], game.state.cars
    ({'train': 25, 'ship': 15}, [40, 40])
    """

    left: list[dict[str, int]] = public(each={})

    @classmethod
    def start(cls, rules: Rules, players: int) -> Self:
        return cls(left=[dict(rules.components.fleets) for _ in range(players)])

    def validate(self, rules: Rules) -> str | None:
        """The problem with a negative number of pieces, or None."""
        for seat, fleet in enumerate(self.left):
            for kind, left in fleet.items():
                if left < 0:
                    return f"the routes of seat {seat} take {-left} more of the kind {kind!r} than it has (C3)"
        return None


class CarsOnRoutes(Part):
    """The train cars on routes that took another number than usual, in games in which `Variant.claim_cars` changes it.

    See the example of `RouteCarsChanged`, whose effect writes it.

    >>> CarsOnRoutes(on={"frankfurt-paris-white": 1}).on["frankfurt-paris-white"]
    1
    """

    on: dict[str, int] = public(default={}, label="Train cars on routes")


def kind_of_route(marks: Sequence[str], fleets: Mapping[str, int]) -> str:
    """The kind of pieces that a route takes: one of its marks, else the first."""
    return next((mark for mark in marks if mark in fleets), next(iter(fleets)))
