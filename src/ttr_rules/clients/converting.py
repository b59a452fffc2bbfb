"""Plain data for clients and from them: actions, seen events, views, messages, with one cattrs converter for all.

Whatever is wrong with what comes from the other side is an `InvalidInputError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import starmap
from types import GenericAlias, NoneType
from typing import Any, TypeAlias, TypeVar, Union, cast, get_args, get_type_hints

import attrs
from attrs import AttrsInstance, frozen
from cattrs import Converter
from cattrs.errors import StructureHandlerNotFoundError
from cattrs.gen import override

from ttr_rules._internal.exact import entries, object_hook, read, read_tagged, writer
from ttr_rules.clients.messages import PROTOCOL, BoardInfo, ClientMessage, ServerMessage, StackEntry, Update
from ttr_rules.errors import InvalidInputError, PluginError, SaveError
from ttr_rules.hidden.sampling import check_view
from ttr_rules.kernel.column import PlayerScore
from ttr_rules.kernel.economy import EconomyLayer, economy_layers, pays_with
from ttr_rules.kernel.events import Event, SeenEvent
from ttr_rules.kernel.fields import EVERYBODY, exposed_fields, part_fields, tables_of
from ttr_rules.kernel.offer import Offer, PaymentPage
from ttr_rules.kernel.part import Part
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores, PlayerSheet, Sheet
from ttr_rules.kernel.view import View
from ttr_rules.model.cards import Unknown
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.game import SeenMove, check_rules_are_compiled
from ttr_rules.reading import (
    MOST_IN_ACTION,
    MOST_ROWS,
    MOST_SAVED,
    JsonObject,
    is_table,
    read_json,
    to_jsonable,
    too_deep,
)
from ttr_rules.saves.moves import LARGEST, converter, new_converter
from ttr_rules.saves.saving import PLAIN, compile_stack, load_registered
from ttr_rules.text import brief
from ttr_rules.train_cards import DrawFaceUp, LookedAtCard, SeenCards, SeenDecks, events
from ttr_rules.train_cards.economy import TrainCards
from ttr_rules.train_cards.piles import CardPiles

SERVER: tuple[type[ServerMessage], ...] = get_args(ServerMessage)
CLIENT: tuple[type[ClientMessage], ...] = get_args(ClientMessage)
#: The largest whole number that a part of a view may show: a mask with a bit for each route of the largest map.
LARGEST_IN_PARTS = 2**MOST_ROWS


def client_converter(rules: Rules) -> Converter:
    """The cattrs converter for what clients of a game with these rules get and send. It is created once."""
    return rules.derived(_client_converter)


def _client_converter(rules: Rules) -> Converter:
    made = new_converter(rules, seen=True)
    in_parts = new_converter(rules, seen=True, largest=LARGEST_IN_PARTS)

    def read_message(value: object, union: object) -> object:
        known: dict[str, type[ServerMessage | ClientMessage]] = {kind.type: kind for kind in get_args(union)}
        return read_tagged(made, value, known, f"the messages are {', '.join(known)}: there is none")

    parts = override(
        unstruct_hook=lambda parts: {name: to_jsonable(exposed_fields(shown)) for name, shown in parts.items()},
        struct_hook=lambda value, _: _read_parts(rules, in_parts, value),
    )
    made.register_unstructure_hook(SeenEvent, lambda seen: made.unstructure(seen.event))
    made.register_structure_hook(SeenEvent, lambda value, _: SeenEvent(made.structure(value, Event)))
    made.register_unstructure_hook(FinalScores, FinalScores.to_json)
    made.register_structure_hook(FinalScores, lambda value, _: read_sheet(value, rules, made))
    made.register_unstructure_hook(View, writer(View, made, parts=parts))
    made.register_structure_hook(View, object_hook(View, made, parts=parts))
    made.register_structure_hook_func(lambda kind: kind in (ServerMessage, ClientMessage), read_message)
    # There may be more legal actions and payments than any client reads.
    made.register_unstructure_hook(int, lambda count: min(count, LARGEST))
    for kind in (*SERVER, *CLIENT):
        made.register_unstructure_hook(kind, writer(kind, made, kind.type))
    return made


def _read_parts(rules: Rules, made: Converter, value: object) -> dict[str, object]:
    known = expose_parts(rules)
    parts = made.structure(value, JsonObject)
    unknown = [name for name in parts if name not in known]
    if unknown:
        raise ValueError(f"these rules have no part {brief(unknown[0])}")
    missing = [name for name, part in known.items() if part.always and name not in parts]
    if missing:
        raise ValueError(f"missing {', '.join(missing)}")

    def read(name: str) -> tuple[str, object]:
        kind, shape = known[name].kind, known[name].shape
        shown = made.structure(parts[name], JsonObject if shape is None else shape)
        if shape is None or shape is kind:
            return name, shown
        part = kind.__new__(kind)
        for field in attrs.fields(shape):
            object.__setattr__(part, field.name, getattr(shown, field.name))
        return name, part

    return dict(entries(parts, map(read, parts), dict))


@frozen
class ExposedPart:
    """A part as views show it: the class of what they hold, and its shape, an attrs class of the fields that they show.

    Without a shape it is a table of anything. `always` says whether every view has it.
    """

    kind: type[object]
    shape: type[AttrsInstance] | None
    always: bool


def expose_parts(rules: Rules) -> Mapping[str, ExposedPart]:
    """The shapes of parts in views of these rules, by their names in `View.parts`.

    Raises `PluginError` for unknown types.
    """
    return rules.derived(_expose_parts)


def _expose_parts(rules: Rules) -> dict[str, ExposedPart]:
    parts = {name: _expose(kind) for kind, name in rules.part_names.items()}
    return {name: part for name, part in parts.items() if part is not None}


def _expose(kind: type[Part]) -> ExposedPart | None:
    """The shape of a part in views, or None if they do not show it."""
    # Compiled methods have no annotations: such a class says what it shows.
    returned: object = getattr(kind, "exposes", None) or _look_up(kind, get_type_hints, kind.seen_by)["return"]
    kinds = [hint for hint in get_args(returned) or (returned,) if hint is not NoneType]
    always = kind.seen_by is Part.seen_by or len(get_args(returned) or (returned,)) == len(kinds)
    shown: type[object] = kinds[0] if len(kinds) == 1 and isinstance(kinds[0], type) and attrs.has(kinds[0]) else kind
    if part_fields(shown):
        return ExposedPart(shown, _shape(shown), always)
    if shown is not kind:
        return ExposedPart(shown, resolve_fields(shown), always)
    return None if kind.seen_by is Part.seen_by else ExposedPart(dict, None, always=False)


def _shape(kind: type[object]) -> type[AttrsInstance]:
    """An attrs class with the visible fields of a part, each with the type that a view shows of it."""
    hints: JsonObject = _look_up(kind, partial(get_type_hints, include_extras=True), kind)
    fields: JsonObject = {}
    for name, declared in part_fields(kind).items():
        hint: object = hints[name]
        if declared.visible != EVERYBODY and name not in tables_of(kind):
            inside = get_args(hint)
            hint = GenericAlias(list, (_or_unknown(inside[0]),)) if declared.by_seat and inside else _or_unknown(hint)
        fields[name] = attrs.field(type=cast("type", hint))
    made = attrs.make_class(kind.__name__, fields, frozen=True)
    made.__doc__ = kind.__doc__
    return made


def _or_unknown(hint: object) -> object:
    return Union[hint, Unknown]  # noqa: UP007 (made at run time)


def resolve_fields(kind: type[object]) -> type[AttrsInstance]:
    """An attrs class whose fields have their types, rather than the names of their types. Raises `PluginError`."""
    return cast("type[AttrsInstance]", _look_up(kind, attrs.resolve_types, kind))


def _look_up(kind: type[object], look: Callable[..., Any], thing: object) -> Any:
    """The types that a class names. Raises `PluginError` for a name that is not there."""
    try:
        return look(thing)
    except NameError as error:
        raise PluginError(
            f"{kind.__name__}: {error}; import it outside of TYPE_CHECKING, at the top of the module"
        ) from error


#: The types in which every name but that of a `deck` is that of a card, and everything counted is cards.
OF_CARDS: frozenset[type[object]] = frozenset(
    {
        SeenCards,
        SeenDecks,
        LookedAtCard,
        DrawFaceUp,
        *[kind for kind in Event.every if kind.__module__ == events.__name__],
    }
)


#: The fields of actions, decisions and events that hold a payment.
PAID = frozenset({"payment", "laid"})


def card_kinds(rules: Rules) -> tuple[str, ...]:
    """The kinds of train cards in these rules, () if they have another economy.

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
    layers = [layer for layer in economy_layers(rules.economy) if isinstance(layer, EconomyLayer)]
    own = any(type(layer).payments is not EconomyLayer.payments or layer.pieces for layer in layers)
    return pays_with(rules.economy, TrainCards) and not own


def read_sheet(value: object, rules: Rules, made: Converter) -> FinalScores:
    """A sheet from plain data, whose sums must add up."""
    sheet = made.structure(value, Sheet)
    scores = FinalScores(tuple(starmap(_player, enumerate(sheet.players))), rules.sheet_words)
    for player, written in zip(scores.players, sheet.players, strict=True):
        if (player.total, player.ticket_points) != (written.total, written.ticket_points):
            raise ValueError(f"the points of {player.name!r} do not add up to {written.total}")
    if scores.winners != sheet.winners:
        raise ValueError(f"the ranks do not agree with the winners {', '.join(sheet.winners)}")
    return scores


def _player(seat: int, sheet: PlayerSheet) -> PlayerScore:
    fields = attrs.asdict(sheet, recurse=False)
    del fields["total"], fields["ticket_points"]
    return PlayerScore(seat=seat, **fields)


T = TypeVar("T")


def action_from_json(rules: Rules, data: object) -> Action:
    """Read an action sent by a client, as `to_json` writes it. The game decides if it is legal.

    Raises `InvalidInputError` for anything that is not an action of these rules, with the place of the mistake.

    >>> from ttr_rules import compile_rules
    >>> action_from_json(compile_rules("europe"), {"type": "train-cards.DrawFaceUp", "seat": 0, "card": "red"})
    DrawFaceUp(seat=0, card='red')
    """
    return _read(converter, rules, data, Action, "action", MOST_IN_ACTION)


def event_from_json(rules: Rules, data: object) -> SeenEvent:
    """Read an event that a server sent, as `to_json` writes it: what is hidden from the reader is `Unknown` again.

    Raises `InvalidInputError` for anything that is not an event of these rules, with the place of the mistake.

    >>> from ttr_rules import compile_rules
    >>> event_from_json(compile_rules("europe"), {"type": "train-cards.CardDrawn", "seat": 0, "card": {"count": 1}})
    SeenEvent(CardDrawn(seat=0, card=Unknown(count=1)))
    """
    return _read(client_converter, rules, data, SeenEvent, "event", MOST_SAVED)


def view_from_json(rules: Rules, data: object) -> View:
    """Read a view that a server sent, as `to_json` writes it: for a bot that plays far away and samples worlds from it.

    Raises `InvalidInputError` for anything that is not a view of a game with these rules, with the place of the mistake.
    Whether a game can come to look like that is up to `determinize`.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> view = view_from_json(game.rules, ttr.to_json(game.rules, game.view(0)))
    >>> view == game.view(0), ttr.determinize(view, game.rules, seed=7).view(0) == view
    (True, True)
    """
    view = _read(client_converter, rules, data, View, "view", MOST_SAVED)
    check_view(view, rules, "view.")
    return view


def read_client_message(rules: Rules, message: object) -> ClientMessage:
    """Read a message of a client: its text, or the plain data in it.

    Raises `InvalidInputError` for anything that is not a message of a client of a game with these rules.

    >>> from ttr_rules import compile_rules
    >>> rules = compile_rules("europe")
    >>> read_client_message(rules, '{"type": "join", "since": null}')
    Join(token=None, since=None, lang=None)
    >>> read_client_message(rules, '{"type": "act", "action": {"type": "core.Pass", "seat": "0"}, "expected": 3}')
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: message.action.seat: expected a whole number, got '0'
    """
    answer: ClientMessage = _message(rules, message, ClientMessage, MOST_IN_ACTION)
    return answer


def read_server_message(rules: Rules, message: object) -> ServerMessage:
    """Read a message of a server: its text, or the plain data in it. For clients that have this library.

    Raises `InvalidInputError` for anything that is not a message of a server of a game with these rules.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.clients import Update
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> sent = Update.of(game, seat=1)
    >>> read_server_message(game.rules, ttr.to_json(game.rules, sent)) == sent
    True
    """
    answer: ServerMessage = _message(rules, message, ServerMessage, MOST_SAVED)
    if isinstance(answer, Update):
        check_view(answer.view, rules, "message.view.")
    return answer


def rules_from_json(data: object) -> Rules:
    """The rules of the game that a `Hello` is about, made from the plugins installed here.

    `data` is the message or its text. Raises `InvalidInputError` if the messages have another version, if a plugin is missing
    here, or if the rules differ from those of the server, as they do if it has a board of its own.

    >>> from ttr_rules import new_game
    >>> from ttr_rules.clients import Hello
    >>> game = new_game("europe:tie_break=P6", players=2, seed=1)
    >>> rules_from_json(to_json(game.rules, Hello.of(game, 0))).same_as(game.rules)
    True
    """
    hello = _data(data, MOST_SAVED)
    if not is_table(hello) or not {"stack", "fingerprint"} <= hello.keys():
        raise InvalidInputError(f"expected a message of the type 'hello', got {brief(hello)}")
    if hello.get("protocol") != PROTOCOL:
        raise InvalidInputError(
            f"hello.protocol: the server sends version {brief(hello.get('protocol'))} of the messages, "
            f"and this library reads version {PROTOCOL}"
        )
    stack = read(PLAIN, hello["stack"], list[StackEntry], "hello.stack", InvalidInputError)
    try:
        rules = compile_stack([(plugin.name, dict(plugin.options)) for plugin in stack], load_registered)
    except (SaveError, PluginError) as error:
        raise InvalidInputError(f"hello.stack: {error}") from error
    if rules.fingerprint != hello["fingerprint"]:
        raise InvalidInputError(
            f"the server plays by other rules than {rules} here: their fingerprints differ. "
            "Compile the rules yourself if the server has a board or plugins of its own"
        )
    return rules


# -- checks ------------------------------------------------------------------------------------------------------


def _message(rules: Rules, message: object, union: Any, most: int) -> Any:
    return _read(client_converter, rules, _data(message, most), union, "message", most)


def _data(message: object, most: int) -> object:
    """The plain data of a message that may be text."""
    if not isinstance(message, str | bytes):
        return message
    try:
        return read_json(message, most)
    except ValueError as error:
        raise InvalidInputError(f"not a message: {error}") from error


def _read(find: Callable[[Rules], Converter], rules: Rules, data: object, kind: type[T], what: str, most: int) -> T:
    check_rules_are_compiled(rules)
    problem = too_deep(data, most)
    if problem is not None:
        raise InvalidInputError(f"{what}: {problem}")
    try:
        return read(find(rules), data, kind, what, InvalidInputError)
    except StructureHandlerNotFoundError as error:
        raise PluginError(f"a {what} of these rules cannot be read: {error}") from error


#: Everything that `to_json` writes.
Writable: TypeAlias = (
    Action | Decision | SeenEvent | SeenMove | View | Offer | PaymentPage | FinalScores | BoardInfo | ServerMessage | ClientMessage
)  # fmt: skip


def to_json(rules: Rules, thing: Writable) -> JsonObject:
    """Turn a message, or something that a message holds, into plain data: an action, a view, a seen event, an offer.

    The result is suitable for `json.dumps`. What is hidden in an event or a view is written as a number of items.
    Raises `InvalidInputError` for anything else, including an event as it happened, which holds secrets: pass
    `event.seen_by(seat)`.

    >>> from ttr_rules import DrawFaceUp, compile_rules
    >>> to_json(compile_rules("europe"), DrawFaceUp(seat=0, card="red"))
    {'type': 'train-cards.DrawFaceUp', 'seat': 0, 'card': 'red'}
    """
    check_rules_are_compiled(rules)
    written: object = thing
    if isinstance(written, Event):
        raise InvalidInputError(
            f"{type(written).__name__} is an event as it happened, which may hold secrets: pass event.seen_by(seat), "
            "or a move that game.messages(since, seat) returns; to save a game, use dumps(game)"
        )
    if not isinstance(written, get_args(Writable)):
        raise InvalidInputError(
            "expected a message, an action, a decision, a seen event or move, an offer, a view, a board or a score sheet, "
            f"got {brief(written)}"
        )
    return cast("JsonObject", client_converter(rules).unstructure(written))
