"""Every error this library raises on purpose: all are `TTRError`, each with a human-readable message."""

from __future__ import annotations

from typing import Protocol

from attrs import define, field

from ttr_rules.text import brief, first, line

_LONGEST_MESSAGE = 3000


class TTRError(Exception):
    """The base of every error that this library raises on purpose.

    >>> import ttr_rules as ttr
    >>> for text in ("{}", "[1, 2"):
    ...     try:
    ...         ttr.loads(text)
    ...     except ttr.TTRError as error:
    ...         print(error)
    not a saved game: missing format, moves
    not a saved game: not JSON at column 6
    """


class InvalidInputError(TTRError, ValueError):
    """A caller passed an invalid value: an unknown route, a malformed payment, a seat out of range.

    >>> import ttr_rules as ttr
    >>> ttr.new_game("europe", players=7)
    Traceback (most recent call last):
        ...
    ttr_rules.errors.InvalidInputError: [S1] europe is for 2 to 5 players, not 7
    """


@define(slots=False, eq=False, repr=False)
class InvalidTableError(InvalidInputError):
    r"""A table to score or a position to arrange has mistakes. `problems` lists each one and where it is.

    The message shows the first twenty.

    >>> import ttr_rules as ttr
    >>> try:
    ...     ttr.score(None, {"stack": ["europe"], "players": [{"name": "Ada", "routes": [["Paris", "Wien"]]}, {}]})
    ... except InvalidTableError as error:
    ...     print(*error.problems, sep="\n")
    players[0].routes[0]: no route 'Paris-Wien' on the board Europe
    """

    what: str
    problems: tuple[str, ...] = field(converter=tuple[str, ...])

    def __str__(self) -> str:
        count = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        return "\n  ".join([f"{line(self.what)}: {count}", *first(self.problems)])


class MapError(InvalidTableError):
    """A map has mistakes. `problems` lists each one and where it is. The message shows the first twenty.

    >>> import ttr_rules as ttr
    >>> try:
    ...     ttr.load_board({"id": "tiny", "name": "Tiny", "cities": [{"id": "a", "name": "A"}], "routes": []})
    ... except MapError as error:
    ...     print(error)
    map tiny: 2 problems
      points: missing; a table of route lengths with their points is needed
      routes: there are none
    """


# Not frozen: a frozen one takes twice as long to create, and rules of plugins refuse several times a turn.
@define(unsafe_hash=True)
class Refusal:
    """A refusal of an action: the id of the rule and a human-readable reason.

    `lasting` is for claim conditions: False if the seat may be able to claim the route later, so that bots plan with it.

    >>> print(Refusal("C5", "seat 1 holds the other half of this double route already"))
    [C5] seat 1 holds the other half of this double route already
    """

    rule: str
    reason: str
    lasting: bool = True

    def __str__(self) -> str:
        return f"[{self.rule}] {self.reason}"


class SeatAction(Protocol):
    """An action as errors need it: with its seat. In practice an `Action`.

    >>> import ttr_rules as ttr
    >>> def blamed(action: SeatAction) -> str:
    ...     return f"seat {action.seat} tried {action}"
    >>> blamed(ttr.Pass(1))
    'seat 1 tried Pass(seat=1)'
    """

    @property
    def seat(self) -> int:
        """The seat that acts."""
        ...


@define(slots=False, eq=False, repr=False)
class IllegalActionError(TTRError, ValueError):
    """An action that the rules refuse. The game is unchanged.

    `action` is what was tried, `refusal` says which rule refuses it and why. The error holds no state, so it is safe to
    show to the player who tried.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> try:
    ...     game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    ... except IllegalActionError as error:
    ...     print(error.refusal.rule, error.action.seat, error)
    C1 0 [C1] seat 0 does not hold 3 white; the payment was 3 white
    """

    action: SeatAction
    refusal: Refusal

    def __str__(self) -> str:
        return str(self.refusal)


class NotYourTurnError(IllegalActionError):
    """An action by a seat that has no pending decision (S5).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.play(ttr.DrawBlind(1))
    Traceback (most recent call last):
        ...
    ttr_rules.errors.NotYourTurnError: [S5] seat 0 has to decide (Turn), not seat 1
    """


class GameOverError(IllegalActionError):
    """An action attempted after the end of the game (E1).

    >>> import ttr_rules as ttr
    >>> from ttr_tools.bots import play_game
    >>> game = ttr.new_game("london", players=2, seed=1)
    >>> play_game(game)
    >>> game.play(ttr.DrawBlind(0))
    Traceback (most recent call last):
        ...
    ttr_rules.errors.GameOverError: [E1] the game is over
    """


@define(slots=False, eq=False, repr=False)
class OutdatedActionError(TTRError, ValueError):
    """An action meant for another moment: after `expected` actions, while `played` have been played.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> action, seen = ttr.DrawBlind(0), game.moment(0)
    >>> _ = game.play(action, expected=seen)
    >>> try:
    ...     game.play(action, expected=seen)  # a second click on the same button
    ... except OutdatedActionError as error:
    ...     print(error.expected, error.played)
    0 1
    """

    expected: object
    played: int

    def __str__(self) -> str:
        return (
            f"this action was meant for the moment after {brief(self.expected)} actions; {self.played} are played by now: "
            "refresh the view of the game"
        )


@define(slots=False, eq=False, repr=False)
class GameInUseError(TTRError, RuntimeError):
    """A game or a journal was used while another thread was playing on it. The other thread is not affected.

    >>> str(GameInUseError("game")).partition(":")[0]
    'another thread is using this game'
    """

    what: str

    def __str__(self) -> str:
        return (
            f"another thread is using this {self.what}: only one thread at a time may use it. "
            "Give each game a lock or a queue, or each thread a game of its own (game.copy())"
        )


class PluginError(TTRError):
    """A plugin, or a stack of plugins, that is unusable.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("dice")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.PluginError: the stack dice has no map: add a plugin with one, or give board=
    """


class UnknownPluginError(PluginError):
    """A stack names a plugin that is not installed.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("eruope")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.UnknownPluginError: no plugin 'eruope' is installed; did you mean 'europe'? installed: ...
    """


class PluginConflictError(PluginError):
    """Two plugins of a stack decide the same thing, and neither is built on the other.

    >>> import ttr_rules as ttr
    >>> ttr.compile_rules("europe", "switzerland")
    Traceback (most recent call last):
        ...
    ttr_rules.errors.PluginConflictError: 'europe' and 'switzerland' both replace 'board', and neither is built on ...
    """


class HookTypeError(PluginError):
    """A hook returned something other than its specification says.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Mine(Variant, name="mine"):
    ...     @hookimpl
    ...     def notes(self, rules):
    ...         return "No ferries today"
    >>> ttr.compile_rules("europe", Mine)
    Traceback (most recent call last):
        ...
    ttr_rules.errors.HookTypeError: hook 'notes' of plugin 'mine' must give several of str, not 'No ferries today': write (…,), a tuple of it
    """


class ChanceError(TTRError):
    """A caller's chance object broke its contract: it returned no permutation, or a face that is not on the die.

    >>> import ttr_rules as ttr
    >>> class Forgetful:
    ...     def shuffled(self, items):
    ...         return items[1:]
    ...     def roll(self, faces):
    ...         return faces[0]
    >>> ttr.new_game("europe", players=2, chance=Forgetful())
    Traceback (most recent call last):
        ...
    ttr_rules.errors.ChanceError: Forgetful.shuffled returned no permutation of the 2 items it was given
    """


class SaveError(TTRError):
    """A saved game that cannot be read. The message says what is wrong and where, and its length is limited.

    >>> import ttr_rules as ttr
    >>> ttr.loads('{"format": 1}')
    Traceback (most recent call last):
        ...
    ttr_rules.errors.SaveError: not a saved game: missing moves
    """

    def __init__(self, message: str) -> None:
        super().__init__(message if len(message) <= _LONGEST_MESSAGE else f"{message[:_LONGEST_MESSAGE]}…")
