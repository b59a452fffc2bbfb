"""What a client sends to a server: each message a class, with its name in JSON under `type`.

A client may give a request an `id`: the answer has the same one, so that answers can be told from each other.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from attrs import field, frozen

from ttr_rules.model.actions import Action


def _hidden(token: str | None) -> str:
    """A token in a repr, which may end in a log."""
    return "None" if token is None else "'…'"


@frozen
class Join:
    """The first message of a client. The answer is `Hello`, then an `Update`.

    `token` is the secret that gives the client its seat; None for a spectator. The client has seen the first `since`
    actions, None for nothing yet. `lang` is the language for reasons in words, such as "de".

    >>> Join(since=12)
    Join(token=None, since=12, lang=None)
    """

    type: ClassVar[str] = "join"

    token: str | None = field(default=None, repr=_hidden)
    since: int | None = None
    lang: str | None = None


@frozen
class Act:
    """Play an action; `expected` is the number that came with the `Update` which the action answers.

    >>> import ttr_rules as ttr
    >>> Act(ttr.DrawBlind(0), expected=12)
    Act(action=DrawBlind(seat=0), expected=12, id=None)
    """

    type: ClassVar[str] = "act"

    action: Action
    expected: int
    id: int | None = None


@frozen
class ListPayments:
    """List the payments for what `action` buys, at most `limit` after the first `start`. The answer is `Payments`.

    >>> import ttr_rules as ttr
    >>> ListPayments(ttr.ClaimRoute(0, "frankfurt-paris-white", {})).limit
    20
    """

    type: ClassVar[str] = "list_payments"

    action: Action
    start: int = 0
    limit: int = 20
    id: int | None = None


@frozen
class ListActions:
    """List the legal actions of the seat after the `first` ones, at most `limit`. The answer is `Actions`.

    Needed only for a kind of action of which an `Offer` does not list all.

    >>> ListActions(first=100).limit
    20
    """

    type: ClassVar[str] = "list_actions"

    first: int
    limit: int = 20
    id: int | None = None


#: Whatever a client sends.
ClientMessage: TypeAlias = Join | Act | ListPayments | ListActions
