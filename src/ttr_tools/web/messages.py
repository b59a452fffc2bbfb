"""What a table answers to the messages of `ttr_rules.clients`, and what it tells of itself.

A page gets the same messages as any other client, each with one more key, `words`: the same for people.
"""

from __future__ import annotations

from typing import Any

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
from ttr_rules.play import Game
from ttr_tools.narration import Names
from ttr_tools.replay.moment import labels_of, line_data, sheet_of, snapshot
from ttr_tools.web.menus import labels, menu, payment_label
from ttr_tools.web.tables import Table

#: The longest message of a client, in characters; an action has a few hundred.
LONGEST = 16_000


def read(rules: Rules, text: str) -> ClientMessage:
    """A message of a client. Raises `InvalidInputError` for anything else.

    >>> from ttr_rules import compile_rules
    >>> read(compile_rules("europe"), '{"type": "join", "since": 12}').since
    12
    """
    if len(text) > LONGEST:
        raise InvalidInputError(f"a message has {LONGEST} characters at most, not {len(text)}")
    return read_client_message(rules, text)


def answer(table: Table, seat: int | None, message: ClientMessage, names: Names, *, page: bool) -> dict[str, Any]:
    """The answer to a message of a client that has joined. A move is on disk before it is accepted.

    What cannot be done is refused in words, and changes nothing.
    """
    rules = table.game.rules
    found = _answer(table, seat, message, names)
    data = to_json(rules, found)
    if page and isinstance(found, Payments):
        data["words"] = [payment_label(each, names) for each in found.page.actions]
    elif page and isinstance(found, Actions):
        data["words"] = labels(found.actions, names)
    return data


def _answer(table: Table, seat: int | None, message: ClientMessage, names: Names) -> ServerMessage:
    game = table.game
    if isinstance(message, Join):
        return ErrorMessage("you have joined already", None)
    try:
        if seat is None:
            raise InvalidInputError(names.language.gettext("You are watching: only players can act."))
        if isinstance(message, Act):
            return _played(table, seat, message, names)
        if isinstance(message, ListPayments):
            _check_seat(seat, message.action.seat)
            page = game.payments(message.action, message.start, message.limit)
            return Payments(message.action, page, message.id)
        return Actions.of(game, seat, message.first, message.limit, message.id)
    except TTRError as error:
        return ErrorMessage(str(error), message.id)


def _played(table: Table, seat: int, message: Act, names: Names) -> ServerMessage:
    _check_seat(seat, message.action.seat)
    try:
        return Accepted(table.play(message.action, message.expected), message.id)
    except (IllegalActionError, OutdatedActionError) as error:
        refused = Refused.of(table.game, message.action, error, message.id)
        if isinstance(error, OutdatedActionError):
            return evolve(refused, reason=names.language.gettext("The game has gone on: look again, then choose."))
        return evolve(refused, reason=names.text(refused.reason))


def _check_seat(seat: int, named: int) -> None:
    """What a seat may do and ask is its own secret."""
    if seat != named:
        raise InvalidInputError(f"you have seat {seat}: you cannot act for seat {named}")


def update(table: Table, seat: int | None, since: int | None, names: Names, *, page: bool) -> list[dict[str, Any]]:
    """What a client needs to know that has seen `since` moves (None: nothing yet): one message, or two at the end."""
    game = table.game
    found = to_json(game.rules, Update.of(game, seat, since))
    if page:
        found["words"] = _words(table, seat, since, names)
    if not game.is_over:
        return [found]
    over = to_json(game.rules, Over.of(game))
    return [found, over | {"words": sheet_of(game, names.language)} if page else over]


def _words(table: Table, seat: int | None, since: int | None, names: Names) -> dict[str, Any]:
    """What a page shows of a moment, in words."""
    game, stories, lang = table.game, table.stories, names.language.code
    shown = snapshot(game.state, game.players, seat, names)
    return {
        "moves": stories.since(since, seat, lang),
        "now": [line_data(each) for each in stories.narrator(seat, lang).unfinished()],
        "shown": shown,
        "labels": labels_of([shown], names),
        "menu": None if seat is None else menu(game, seat, names),
    }


def names_of(game: Game, lang: str) -> Names:
    """The names of a game in a language."""
    return Names(game.rules, game.players, game.rules.language(lang))
