"""A game with its history: the friendly way to play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from threading import get_ident
from typing import Any, cast

from ttr_rules._internal.messages import brief
from ttr_rules.errors import GameInUseError, InvalidInputError, OutdatedActionError, Refusal
from ttr_rules.kernel.engine import advance, an_action, checked, legal_actions, refusal
from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.offer import Offer, PaymentPage, offer_of, payments_of
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.view import View
from ttr_rules.kernel.views import check_seat, view_of
from ttr_rules.model.actions import Action
from ttr_rules.model.chance import Chance, SeededChance, check_can_be_pickled
from ttr_rules.model.decisions import Decision
from ttr_rules.play.moves import Move, SeenMove, asked_at, replayed


class Game:
    """A game in play: its rules, its players, the state now and all that happened.

    Made by `new_game`, `arrange` and `loads`. One thread at a time may use it (another one that plays meanwhile gets a
    `GameInUseError`); rules may be shared.
    Games can be pickled and copied: `copy.copy(game)` is `game.copy()`, `copy.deepcopy(game)` copies a caller's chance object too.
    """

    __slots__ = ("_moves", "_rules", "_scores", "_state", "_thread", "players", "seed")

    def __init__(
        self, rules: Rules, state: State, players: Sequence[str], seed: int | str | None, moves: Sequence[Move]
    ) -> None:
        self._rules = rules
        self._state = state
        self.players: tuple[str, ...] = tuple(players)
        self.seed = seed
        self._moves: list[Move] = list(moves)
        self._scores: FinalScores | None = None
        # The thread that is playing just now. From the look at it to the statement that sets it nothing is called, so no
        # other thread comes in between; without the global lock of Python one can, rarely.
        self._thread = 0

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._rules

    @property
    def state(self) -> State:
        """A copy of the state now: yours to keep."""
        return self._state.copy()

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; () exactly when the game is over."""
        return self._state.to_act

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self._state.pending

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, set-up included. It holds secrets: show players `event.seen_by(seat)`."""
        return tuple(event for move in self._moves for event in move.events)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The history, a move an action, the set-up first."""
        return tuple(self._moves)

    def at(self, played: int) -> Game:
        """The game as it was after so many actions: a copy, to look at or to play on another way.

        A caller's chance object is shared and goes on from where it is now. Raises `InvalidInputError` for a number that the
        game has not reached.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> _ = game.play(game.legal_actions(0)[0])
        >>> game.at(0) == new_game("europe", players=2, seed=1)
        True
        """
        kept = self._moves[: self._reached(played) + 1]
        return Game(
            self.rules, replayed(self.rules, len(self.players), self._state.chance, kept), self.players, self.seed, kept
        )

    def undo(self) -> Move:
        """Take the last move back and return it.

        With a seed, the same action has the same outcome again: what was seen stays seen. A caller's chance object goes on
        from where it is. Raises `InvalidInputError` when there is nothing but the set-up.
        """
        me = get_ident()
        if self._thread and self._thread != me:
            raise GameInUseError("game")
        try:
            self._thread = me
            if len(self._moves) == 1:
                raise InvalidInputError("nothing to undo")
            move, kept = self._moves[-1], self._moves[:-1]
            state = replayed(self.rules, len(self.players), self._state.chance, kept)
            # In one statement, so that an interrupt falls before all of it or after.
            self._state, self._moves, self._scores = state, kept, None
        finally:
            self._thread = 0
        return move

    def messages(self, since: int | None, seat: int | None) -> tuple[SeenMove, ...]:
        """The moves after so many actions, as `seat` may see them, None for a spectator: for clients that catch up.

        A client remembers the `number` of the last move that it has seen; None in its place includes the set-up. Raises
        `InvalidInputError` for a number that the game has not reached, or a seat that is not at the table.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> _ = game.play(game.legal_actions(0)[0])
        >>> [(move.number, move.seat) for move in game.messages(None, seat=1)]
        [(0, None), (1, 0)]
        >>> game.messages(0, seat=1)[0].events
        (SeenEvent(TicketsChosen(seat=0, kept=Unknown(count=None), rejected=Unknown(count=None))),)
        """
        check_seat(seat, len(self.players))
        first = 0 if since is None else self._reached(since) + 1
        return tuple(move.seen_by(seat, number) for number, move in enumerate(self._moves[first:], start=first))

    def events_since(self, played: int | None, seat: int | None) -> tuple[SeenEvent, ...]:
        """What happened after so many actions, as `seat` may see it: the events of all `messages`, one after the other.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> known = game.played
        >>> _ = game.play(game.legal_actions(0)[0])
        >>> game.events_since(known, seat=1)
        (SeenEvent(TicketsChosen(seat=0, kept=Unknown(count=None), rejected=Unknown(count=None))),)
        """
        return tuple(event for move in self.messages(played, seat) for event in move.events)

    def _reached(self, played: object) -> int:
        if type(played) is not int or not 0 <= played <= self.played:
            raise InvalidInputError(f"0 to {self.played} actions were played, not {brief(played)}")
        return played

    @property
    def last_move(self) -> Move:
        """The last step of the history."""
        return self._moves[-1]

    def decision(self, seat: int) -> Decision | None:
        """What `seat` is asked, or None. Raises `InvalidInputError` for a seat that is not at the table."""
        check_seat(seat, len(self.players))
        return self._state.decision(seat)

    def legal_actions(self, seat: int | None = None) -> Sequence[Action]:
        """Every legal action of a seat in a stable order; () for a seat that is not asked.

        Without a seat, those of the one that is asked. Raises `InvalidInputError`, a `ValueError`, if several are, or for
        a seat that is not at the table.
        """
        seat = self._asked_seat(seat)
        return () if seat is None else legal_actions(self._state, seat)

    def _asked_seat(self, seat: int | None) -> int | None:
        """The seat that is meant, checked: the one that is asked if none is given, None if the game is over."""
        check_seat(seat, len(self.players))
        if seat is not None:
            return seat
        asked = self.to_act
        if len(asked) > 1:
            raise InvalidInputError(
                f"seats {', '.join(map(str, asked))} may act now: say whose legal actions are meant"
            )
        return asked[0] if asked else None

    def offer(self, seat: int | None = None) -> Offer:
        """What a seat can do, however many legal actions that is: things to pay for are told with the cheapest payment each.

        `payments` gives the other payments. Without a seat, for the one that is asked. Raises `InvalidInputError` as
        `legal_actions` does.

        >>> from ttr_rules import new_game
        >>> game = new_game("nordic-countries", players=2, seed=1, first_seat=0)
        >>> [game.play(game.legal_actions(seat)[0]) for seat in (0, 1)] and [kind.type for kind in game.offer(0).kinds]
        ['train-cards.DrawBlind', 'train-cards.DrawFaceUp', 'core.ClaimRoute', 'core.DrawTickets']
        """
        seat = self._asked_seat(seat)
        return Offer(0, ()) if seat is None else offer_of(self._state, seat)

    def payments(self, action: Action, start: int = 0, limit: int = 20) -> PaymentPage:
        """The payments for what `action` buys, such as the route of a `ClaimRoute`, the cheapest first, a page at a time.

        The payment that `action` has itself does not matter. Cheap is what takes few wild things, then few things at all
        (`Economy.payment_rank`). What cannot be bought now has no payments; `refusal` says why.

        Raises `InvalidInputError` for an action that pays for nothing, a page of more than 100, and where a plugin offers
        more than a thousand such actions without telling what they buy (see `LazyActions.purchases`).

        >>> from ttr_rules import ClaimRoute, arrange
        >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 2}}, {"name": "Bo"}]
        >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
        >>> page = game.payments(ClaimRoute(0, "frankfurt-paris-white", {}))
        >>> page.total, [str(claim.payment) for claim in page.actions]
        (3, ['3 white', '2 white, 1 locomotive', '1 white, 2 locomotive'])
        """
        return payments_of(self._state, an_action(action), start, limit)

    def refusal(self, action: Action) -> Refusal | None:
        """None if the action is legal now, else which rule refuses it and why."""
        return refusal(self._state, action)

    def is_legal(self, action: Action) -> bool:
        """Whether the action is legal now."""
        return self.refusal(action) is None

    @property
    def played(self) -> int:
        """How many actions were played; see `moment`."""
        return len(self._moves) - 1

    def play(self, action: Action, *, expected: int | None = None) -> tuple[Event, ...]:
        """Play an action and return what happened. With `expected`, only if it was meant for this moment.

        That is a number of actions after which the seat saw the game: `played`, or `moment(seat)`. The number comes again after
        `undo`: it then means another moment.

        Raises `IllegalActionError` (`NotYourTurnError`, `GameOverError`) for an action that the rules refuse,
        `OutdatedActionError` for one that was meant for another moment; the game is then as it was. Raises `GameInUseError`
        while another thread plays.
        """
        me = get_ident()
        if self._thread and self._thread != me:
            raise GameInUseError("game")
        try:
            self._thread = me
            an_action(action)
            if expected is not None and not self._is_moment(expected, action.seat):
                raise OutdatedActionError(expected, self.played)
            checked(self._state, action)
            log: list[Event] = []
            try:
                advance(self._state, action, log)
                events = tuple(log)
                self._moves.append(Move(action, events, self._state.chance_calls))
            except BaseException:  # a caller's chance object, a plugin or an interrupt broke off in the middle
                self._state = replayed(self.rules, len(self.players), self._state.chance, self._moves)
                raise
        finally:
            self._thread = 0
        return events

    def moment(self, seat: int) -> int:
        """The moment to send to a seat with its view, for `play(action, expected=...)`: an action for an earlier one is refused.

        It changes when the seat is asked something new, and with every action that it must see before it answers. As all choose
        their first tickets at once, what others choose does not change it. A seat that is not asked has `played`.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> moments = [game.moment(seat) for seat in game.to_act]
        >>> for seat, expected in zip(game.to_act, moments):
        ...     _ = game.play(game.legal_actions(seat)[0], expected=expected)
        >>> moments, game.played, [game.moment(seat) for seat in game.to_act]
        ([0, 0], 2, [2])
        """
        check_seat(seat, len(self.players))
        decision = self._state.decision(seat)
        return (
            asked_at(seat, State(self.rules, len(self.players), self._state.chance), self._moves)
            if decision is not None and decision.concurrent
            else self.played
        )

    def _is_moment(self, expected: object, seat: object) -> bool:
        """Whether a number of actions is a moment since which `seat` need not look at the game again."""
        if type(expected) is not int or not 0 <= expected <= self.played:
            return False
        known = type(seat) is int and 0 <= seat < len(self.players)
        return expected == self.played or (known and expected >= self.moment(cast("int", seat)))

    def copy(self) -> Game:
        """An independent copy; rules, events and a caller's chance object are shared."""
        return Game(self.rules, self._state.copy(), self.players, self.seed, self._moves)

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """A copy with a chance object of its own. Raises `InvalidInputError` for one that cannot be copied."""
        return Game(self.rules, deepcopy(self._state, memo), self.players, self.seed, self._moves)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        """Games are pickled as their moves. Raises `InvalidInputError` where a caller's chance object cannot be pickled."""
        check_can_be_pickled(self._state.chance)
        return _of_moves, (self.rules, self.players, self.seed, self._state.chance, tuple(self._moves))

    def view(self, seat: int | None) -> View:
        """What `seat` may see, None for a spectator."""
        return view_of(self._state, self.players, seat)

    @property
    def final_scores(self) -> FinalScores | None:
        """The score sheet; None until the game is over."""
        if not self.is_over:
            return None
        if self._scores is None:
            self._scores = final_scores(self._state, self.players)
        return self._scores

    def __eq__(self, other: object) -> bool:
        """Equal games have equal rules, players, histories and states."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.players == other.players
            and self.seed == other.seed
            and self._moves == other._moves
            and self._state == other._state
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        now = "over" if self.is_over else f"{len(self._moves) - 1} actions played, seats {list(self.to_act)} to act"
        return f"<Game of {self.rules}: {', '.join(self.players)}; {now}>"


def _of_moves(
    rules: Rules, players: tuple[str, ...], seed: int | str | None, chance: SeededChance | Chance, moves: Sequence[Move]
) -> Game:
    """A game that was pickled."""
    return Game(rules, replayed(rules, len(players), chance, moves), players, seed, moves)
