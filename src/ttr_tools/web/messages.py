"""Answers of a table to the messages of `ttr_rules.clients`, and updates of its game.

A page gets the same messages as any other client, each with one more key, `words`: the same for people.
"""

from __future__ import annotations

from attrs import evolve

from ttr_rules import Rules
from ttr_rules.clients import (
    Accepted,
    Act,
    Actions,
    ClientMessage,
    ErrorMessage,
    Join,
    ListPayments,
    Over,
    Payments,
    Refused,
    ServerMessage,
    Update,
    read_client_message,
    to_json,
)
from ttr_rules.errors import IllegalActionError, InvalidInputError, OutdatedActionError, TTRError
from ttr_rules.reading import JsonObject
from ttr_tools.narration import Names
from ttr_tools.narration.menus import action_label, offer_words, payment_label
from ttr_tools.replay.recording import label_moments, line_data, sheet_data, snapshot
from ttr_tools.web.tables import Table

#: The longest message of a client, in characters; an action has a few hundred.
LONGEST = 16_000


def read_message(rules: Rules, text: str) -> ClientMessage:
    """Read a message of a client. Raises `InvalidInputError` for anything else.

    >>> from ttr_rules import compile_rules
    >>> read_message(compile_rules("europe"), '{"type": "join", "since": 12}').since
    12
    """
    if len(text) > LONGEST:
        raise InvalidInputError(f"a message has {LONGEST} characters at most, not {len(text)}")
    return read_client_message(rules, text)


def answer(table: Table, seat: int | None, message: ClientMessage, names: Names, *, page: bool) -> JsonObject:
    """The answer to a message of a client that has joined. A move is on disk before it is accepted.

    What cannot be done is refused in words, and changes nothing.
    """
    reply = _answer(table, seat, message, names)
    data = to_json(table.game.rules, reply)
    if page and isinstance(reply, Payments):
        data["words"] = [payment_label(action, names) for action in reply.page.actions]
    elif page and isinstance(reply, Actions):
        data["words"] = [action_label(action, names) for action in reply.actions]
    return data


def _answer(table: Table, seat: int | None, message: ClientMessage, names: Names) -> ServerMessage:
    game = table.game
    if isinstance(message, Join):
        return ErrorMessage("you have joined already", None)
    try:
        if seat is None:
            raise InvalidInputError(names.language.gettext("You are watching: only players can act."))
        if isinstance(message, Act):
            return _play(table, seat, message, names)
        if isinstance(message, ListPayments):
            _check_seat(seat, message.action.seat)
            page = game.payments(message.action, message.start, message.limit)
            return Payments(message.action, page, message.id)
        return Actions.of(game, seat, message.first, message.limit, message.id)
    except TTRError as error:
        return ErrorMessage(str(error), message.id)


def _play(table: Table, seat: int, message: Act, names: Names) -> ServerMessage:
    _check_seat(seat, message.action.seat)
    try:
        return Accepted(table.play(message.action, message.expected), message.id)
    except (IllegalActionError, OutdatedActionError) as error:
        refused = Refused.of(table.game, message.action, error, message.id)
        if isinstance(error, OutdatedActionError):
            return evolve(refused, reason=names.language.gettext("The game has gone on: look again, then choose."))
        return evolve(refused, reason=names.text(refused.reason))


def _check_seat(seat: int, named: int) -> None:
    """Refuse to act or to ask for another seat: its choices are its own secret."""
    if seat != named:
        raise InvalidInputError(f"you have seat {seat}: you cannot act for seat {named}")


def update(table: Table, seat: int | None, since: int | None, names: Names, *, page: bool) -> list[JsonObject]:
    """The messages for a client that has seen `since` moves (None: nothing yet): one, or two at the end."""
    game = table.game
    data = to_json(game.rules, Update.of(game, seat, since))
    if page:
        data["words"] = _words(table, seat, since, names)
    if not game.is_over:
        return [data]
    over = to_json(game.rules, Over.of(game))
    return [data, over | {"words": sheet_data(game, names.language)} if page else over]


def _words(table: Table, seat: int | None, since: int | None, names: Names) -> dict[str, object]:
    """A moment in words, for a page."""
    game, stories, lang = table.game, table.stories, names.language.code
    moment = snapshot(game.state, game.players, seat, names)
    return {
        "moves": stories.since(since, seat, lang),
        "now": [line_data(line) for line in stories.narrator(seat, lang).unfinished()],
        "shown": moment,
        "labels": label_moments([moment], names),
        "menu": None if seat is None else offer_words(game, seat, names),
    }
