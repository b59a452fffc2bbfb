"""Events of the course of a game: turns, decisions, the end."""

from __future__ import annotations

from ttr_rules.kernel.events.base import Event, SeenEvent
from ttr_rules.kernel.state import State
from ttr_rules.model.cards import Unknown
from ttr_rules.model.decisions import Decision, ToDo
from ttr_rules.model.values import replace, secret


class TurnBegun(Event):
    """A seat's turn began (S5).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.events[-1], game.to_act
    (TurnBegun(seat=0), (0,))
    """

    seat: int

    effect = State.turn_begun


class DecisionOpened(Event):
    """A seat has a further decision to make.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.play(ttr.DrawBlind(0))[-1]
    DecisionOpened(decision=NextCard(seat=0, left=1))
    """

    decision: Decision

    def seen_by(self, seat: int | None) -> SeenEvent:
        return SeenEvent(DecisionOpened(self.decision.seen_by(seat)))

    effect = State.opened


class Asked(Event):
    """The game stops for the question of a plugin, or goes on after it: who decides what, and what is still to do.

    `todo`, which nobody sees, is what goes on when all have answered, last item first.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> Asked(game.state.pending, (ToDo("turn", seat=0),)).seen_by(0).event
    Asked(decisions=(Turn(seat=0),), todo=Unknown(count=None))
    """

    decisions: tuple[Decision, ...]
    todo: tuple[ToDo, ...] | Unknown = secret(counted=False)

    def seen_by(self, seat: int | None) -> SeenEvent:
        decisions = tuple([each.seen_by(seat) for each in self.decisions])
        return SeenEvent(replace(self, decisions=decisions, todo=Unknown(None)))

    effect = State.stopped


class TurnEnded(Event):
    """A seat's turn ended; `passed` if it had to pass (R4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[-2:]
    (TurnEnded(seat=0, passed=False), TurnBegun(seat=1))
    """

    seat: int
    passed: bool

    @staticmethod
    def effect(state: State, seat: int, passed: bool) -> None:
        state.turn_ended(passed)


class TurnPassed(Event):
    """A seat passed, and has another decision before its turn ends: the turn will have ended with a pass (R4).

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> TurnPassed(seat=0).apply(state)
    >>> state.passed, state.passes
    (True, 0)
    """

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.passed = True


class TurnGranted(Event):
    """A seat was granted another turn after this one.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.grant_turn(0)
    >>> tx.log, tx.state.extra_turns
    ([TurnGranted(seat=0)], 1)
    """

    message = "{seat} will have another turn"

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.extra_turns += 1


class FirstSeatChosen(Event):
    """A plugin decided who begins, before the first turn.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1, first_seat=0).state, [])
    >>> tx.first_seat(1)
    >>> tx.log, tx.state.turn
    ([FirstSeatChosen(seat=1)], 1)
    """

    message = "{seat} begins"

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.turn = seat


class ExtraTurnBegun(Event):
    """An extra turn began; it counts neither as a pass nor toward the last round.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> from ttr_rules.turns import finish_turn
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.grant_turn(0)
    >>> finish_turn(tx, 0)
    >>> tx.log, tx.state.to_act
    ([TurnGranted(seat=0), ExtraTurnBegun(seat=0)], (0,))
    """

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.extra_turns -= 1
        state.turn_number += 1
        state.passes = 0
        state.passed = False
        state.pending = (state.rules.turns[seat],)


class LastRoundBegun(Event):
    """The last round begins: `turns_left` turns remain (E1).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "cars": 4, "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    >>> LastRoundBegun(turns_left=2) in events, game.state.turns_left
    (True, 2)
    """

    turns_left: int

    @staticmethod
    def effect(state: State, turns_left: int) -> None:
        state.turns_left = turns_left


class TicketsRevealed(Event):
    """All tickets are face up, seat by seat: the last turn is over (S6), or they are open to all.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}, "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "turns_left": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[-2]
    TicketsRevealed(tickets=(('paris-wien',), ()))
    """

    tickets: tuple[tuple[str, ...], ...]

    @staticmethod
    def effect(state: State, tickets: tuple[tuple[str, ...], ...]) -> None:
        state.revealed = True


class GameEnded(Event):
    """The game is over. `reason` is "last round" or "deadlock" (R4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "turns_left": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[-1], game.is_over
    (GameEnded(reason='last round'), True)
    """

    reason: str

    @staticmethod
    def effect(state: State, reason: str) -> None:
        state.pending = ()
        state.todo = ()
