"""Plain data for the other side of a connection, and from it: whatever is wrong with what comes is an `InvalidInputError`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast, get_args

from cattrs import Converter
from cattrs.errors import StructureHandlerNotFoundError

from ttr_rules._internal.exact import read
from ttr_rules.clients.converting import client_converter
from ttr_rules.clients.messages import PROTOCOL, BoardInfo, ClientMessage, ServerMessage, StackEntry, Update
from ttr_rules.errors import InvalidInputError, PluginError, SaveError
from ttr_rules.hidden.sampling import problems_of_view
from ttr_rules.kernel.events import Event, SeenEvent
from ttr_rules.kernel.offer import Offer, PaymentPage
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.view import View
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.game import SeenMove
from ttr_rules.play.starting import check_rules_are_compiled
from ttr_rules.reading import MOST_IN_ACTION, MOST_SAVED, JsonObject, is_table, read_json, too_deep
from ttr_rules.saves.moves import converter
from ttr_rules.saves.saving import PLAIN, registered, rules_of
from ttr_rules.text import brief

T = TypeVar("T")


def action_from_json(rules: Rules, data: object) -> Action:
    """Read an action sent by a client, as `to_json` writes it; whether it is legal is up to the game.

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
    _check_view(view, rules, "view")
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
    found: ClientMessage = _message(rules, message, ClientMessage, MOST_IN_ACTION)
    return found


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
    found: ServerMessage = _message(rules, message, ServerMessage, MOST_SAVED)
    if isinstance(found, Update):
        _check_view(found.view, rules, "message.view")
    return found


def rules_from_json(data: object) -> Rules:
    """The rules of the game that a `Hello` is about, made from the plugins installed here.

    `data` is the message or its text. Raises `InvalidInputError` if the messages have another version, if a plugin is missing
    here, or if the rules differ from those of the server, as they do if it has a board of its own.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.clients import Hello
    >>> game = ttr.new_game("europe:tie_break=P6", players=2, seed=1)
    >>> rules_from_json(ttr.to_json(game.rules, Hello.of(game, 0))).same_as(game.rules)
    True
    """
    hello = _data(data, MOST_SAVED)
    if not is_table(hello) or not {"stack", "fingerprint"} <= hello.keys():
        raise InvalidInputError(f"expected a message of the type 'hello', got {brief(hello)}")
    if hello.get("protocol") != PROTOCOL:
        raise InvalidInputError(
            f"hello.protocol: the server sends version {brief(hello.get('protocol'))} of the messages, and this library reads "
            f"version {PROTOCOL}"
        )
    stack = read(PLAIN, hello["stack"], list[StackEntry], "hello.stack", InvalidInputError)
    try:
        rules = rules_of([(plugin.name, dict(plugin.options)) for plugin in stack], registered)
    except (SaveError, PluginError) as error:
        raise InvalidInputError(f"hello.stack: {error}") from error
    if rules.fingerprint != hello["fingerprint"]:
        raise InvalidInputError(
            f"the server plays by other rules than {rules} here: their fingerprints differ. Compile the rules yourself if "
            "the server has a board or plugins of its own"
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


def _check_view(view: View, rules: Rules, place: str) -> None:
    """Raise `InvalidInputError` for a view with names that the rules do not have, or seats that are not at the table."""
    problem = next(problems_of_view(view, rules), None)
    if problem is not None:
        raise InvalidInputError(f"{place}.{problem}")


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
            f"{type(written).__name__} is an event as it happened, which may hold secrets: pass event.seen_by(seat), or a move that "
            "game.messages(since, seat) returns; to save a game, use dumps(game)"
        )
    if not isinstance(written, get_args(Writable)):
        raise InvalidInputError(
            "expected a message, an action, a decision, a seen event or move, an offer, a view, a board or a score sheet, "
            f"got {brief(written)}"
        )
    return cast("JsonObject", client_converter(rules).unstructure(written))
