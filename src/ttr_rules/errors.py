"""Every error this library raises on purpose: all are `TTRError`, each with a human-readable message."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, Self

from attrs import frozen

from ttr_rules._internal.messages import brief, first, line

_LONGEST_MESSAGE = 3000


class TTRError(Exception):
    """The base of every error that this library raises on purpose."""


class InvalidInputError(TTRError, ValueError):
    """A caller passed an invalid value: an unknown route, a malformed payment, a seat out of range."""


class InvalidTableError(InvalidInputError):
    """A table to score or a position to arrange has mistakes; `problems` lists each one and where it is.

    The message shows the first twenty.
    """

    def __init__(self, what: str, problems: Sequence[str]) -> None:
        self.what = what
        self.problems = tuple(problems)
        super().__init__(_listed(what, self.problems))

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[str, ...]]]:
        return type(self), (self.what, self.problems)


class MapError(InvalidTableError):
    """A map has mistakes; `problems` lists each one and where it is. The message shows the first twenty."""


def _listed(what: str, problems: Sequence[str]) -> str:
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return "\n  ".join([f"{line(what)}: {count}", *first(problems)])


@frozen
class Refusal:
    """Why an action is refused: the id of the rule and a human-readable reason.

    >>> print(Refusal("C5", "seat 1 holds the other half of this double route already"))
    [C5] seat 1 holds the other half of this double route already
    """

    rule: str
    reason: str

    def on_behalf_of(self, rule: str) -> Refusal:
        """The same reason under the rule that asked for the payment, if this refusal cites a train card rule.

        >>> print(Refusal("C1", "2 cards are asked for, not 1").on_behalf_of("B2"))
        [B2] 2 cards are asked for, not 1
        """
        return Refusal(rule, self.reason) if self.rule in ("C1", "C2", "F1") else self

    def __str__(self) -> str:
        return f"[{self.rule}] {self.reason}"


class SeatAction(Protocol):
    """What an error needs to know about its action: the seat. In practice an `Action`."""

    @property
    def seat(self) -> int:
        """The seat that acts."""
        ...


class IllegalActionError(TTRError, ValueError):
    """An action that the rules refuse. The game is unchanged.

    `action` is what was tried, `refusal` says which rule refuses it and why. The error holds no state, so it is safe to
    show to the player who tried.
    """

    def __init__(self, action: SeatAction, refusal: Refusal) -> None:
        self.action = action
        self.refusal = refusal
        super().__init__(str(refusal))

    def __reduce__(self) -> tuple[type[Self], tuple[SeatAction, Refusal]]:
        return type(self), (self.action, self.refusal)


class NotYourTurnError(IllegalActionError):
    """An action by a seat that has no pending decision (S5)."""


class GameOverError(IllegalActionError):
    """An action attempted after the end of the game (E1)."""


class OutdatedActionError(TTRError, ValueError):
    """An action meant for another moment: after `expected` actions, while `played` have been played."""

    def __init__(self, expected: object, played: int) -> None:
        self.expected = expected
        self.played = played
        super().__init__(
            f"this action was meant for the moment after {brief(expected)} actions; {played} are played by now: "
            "refresh the view of the game"
        )

    def __reduce__(self) -> tuple[type[Self], tuple[object, int]]:
        return type(self), (self.expected, self.played)


class GameInUseError(TTRError, RuntimeError):
    """A game or a journal was used while another thread was playing on it. The other thread is not affected."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(
            f"another thread is using this {what}: only one thread at a time may use it. Give each game a lock or a "
            "queue, or each thread a game of its own (game.copy())"
        )

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (self.what,)


class PluginError(TTRError):
    """A plugin, or a stack of plugins, that is unusable."""


class UnknownPluginError(PluginError):
    """A stack names a plugin that is not installed."""


class PluginConflictError(PluginError):
    """Two plugins of a stack decide the same thing, and neither is built on the other."""


class HookTypeError(PluginError):
    """A hook returned something other than its specification says."""


class ChanceError(TTRError):
    """A caller's chance object broke its contract: it returned no permutation, or a face that is not on the die."""


class SaveError(TTRError):
    """A saved game that cannot be read; the message says what is wrong and where, and its length is limited."""

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…")


class MissingExtraError(TTRError, ImportError):
    """A library is not installed that only an extra of this one brings; the message says how to install it."""

    def __init__(self, library: str, extra: str) -> None:
        self.library = library
        self.extra = extra
        super().__init__(f"{library} is not installed; install it with: pip install 'ttr-rules[{extra}]'")

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (self.library, self.extra)


@contextmanager
def extra(name: str) -> Generator[None, None, None]:
    """For imports of what an extra installs: raises `MissingExtraError` if one of them is missing.

    >>> with extra("data"):
    ...     import no_such_library
    Traceback (most recent call last):
    ttr_rules.errors.MissingExtraError: no_such_library is not installed; install it with: pip install 'ttr-rules[data]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), name) from error


__all__: list[str] = [
    "ChanceError",
    "GameInUseError",
    "GameOverError",
    "HookTypeError",
    "IllegalActionError",
    "InvalidInputError",
    "InvalidTableError",
    "MapError",
    "MissingExtraError",
    "NotYourTurnError",
    "OutdatedActionError",
    "PluginConflictError",
    "PluginError",
    "Refusal",
    "SaveError",
    "SeatAction",
    "TTRError",
    "UnknownPluginError",
]
