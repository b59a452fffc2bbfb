"""A game with its history: the high-level way to play. It is set up (S1–S7), or played at once by random actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import cast

from attrs import frozen

from ttr_rules.errors import InvalidInputError, Refusal
from ttr_rules.kernel.answers import play_on, refusal, replay_moves, require_action
from ttr_rules.kernel.events import Event, SeenEvent
from ttr_rules.kernel.offer import Offer, PaymentPage, offer_of, payments_of
from ttr_rules.kernel.plugin import blame, blaming
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scores import FinalScores
from ttr_rules.kernel.scoring import final_scores
from ttr_rules.kernel.state import State
from ttr_rules.kernel.transaction import Transaction
from ttr_rules.kernel.view import View
from ttr_rules.kernel.views import check_seat, view_of
from ttr_rules.loading import Shown
from ttr_rules.mechanics.tickets import set_up
from ttr_rules.model.board import Board
from ttr_rules.model.chance import Chance, SeededChance, check_can_be_pickled, checked_seed, new_seed
from ttr_rules.model.decisions import Action, Decision
from ttr_rules.play.course import Course, Move
from ttr_rules.plugins.compiler import compile_rules
from ttr_rules.plugins.discovery import read_name
from ttr_rules.plugins.stack_checks import shortages
from ttr_rules.reading import name_problem
from ttr_rules.text import brief


@frozen(repr=False)
class SeenMove:
    """One step of a history as a seat or a spectator sees it: who played, and the events. Made by `Game.messages`.

    `number` counts the actions from 1. The set-up has the number 0 and the `seat` None. The action is not included,
    since the events show it.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawBlind(0))
    >>> move, = game.messages(0, seat=1)
    >>> move.number, move.seat, move.events[0]
    (1, 0, SeenEvent(CardDrawn(seat=0, card=Unknown(count=1))))
    """

    number: int
    seat: int | None
    events: tuple[SeenEvent, ...]

    @classmethod
    def of(cls, move: Move, number: int, seat: int | None) -> SeenMove:
        """A move, the `number`-th of its game, as a seat may see it."""
        events = tuple([event.seen_by(seat) for event in move.events])
        return cls(number, None if move.action is None else move.action.seat, events)

    def __repr__(self) -> str:
        who = "" if self.seat is None else f" by seat {self.seat}"
        return f"<SeenMove {self.number}{who}: {len(self.events)} event{'' if len(self.events) == 1 else 's'}>"


class Game(Course, Shown):
    """A game in play: its rules, its players, its current state and all events.

    Made by `new_game`, `arrange` and `loads`. Only one thread at a time may use it (a second one that plays meanwhile
    gets a `GameInUseError`). Rules may be shared between threads. Games can be pickled and copied: `copy.copy(game)` is
    `game.copy()`, `copy.deepcopy(game)` copies a caller's chance object too.

    >>> import ttr_rules as ttr
    >>> from ttr_tools.bots import play_game
    >>> game = ttr.new_game("europe", players=["Ada", "Bo"], seed=1)
    >>> play_game(game)
    >>> game.is_over, game.final_scores.winners
    (True, ('Ada',))
    """

    __slots__ = ("_scores", "players", "seed")

    def __init__(self, state: State, players: Sequence[str], seed: int | str | None, moves: Sequence[Move]) -> None:
        super().__init__(state, moves)
        self.players: tuple[str, ...] = tuple(players)
        self.seed = seed
        self._scores: tuple[int, FinalScores] | None = None  # as of a change

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._state.rules

    @property
    def state(self) -> State:
        """A copy of the current state: yours to keep."""
        return self._state.copy()

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, including set-up. They hold secrets: show players `event.seen_by(seat)`."""
        return tuple(event for move in self._moves for event in move.events)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The history: one move per action, the set-up first."""
        return tuple(self._moves)

    def at(self, played: int) -> Game:
        """The game as it was after a number of actions: a copy, to inspect or to continue differently.

        A caller's chance object is shared and continues from its current state. Raises `InvalidInputError` for a number
        that the game has not reached.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> _ = game.play(game.legal_actions(0)[0])
        >>> game.at(0) == new_game("europe", players=2, seed=1)
        True
        """
        number = self._check_reached(played) + 1
        return Game(self._source.replay(number), self.players, self.seed, self._moves[:number])

    def messages(self, since: int | None, seat: int | None) -> tuple[SeenMove, ...]:
        """The moves after a number of actions, as `seat` may see them (None: a spectator), for clients that catch up.

        A client remembers the `number` of the last move that it has seen. Passing None includes the set-up. Raises
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
        first = 0 if since is None else self._check_reached(since) + 1
        with blaming(self.rules.plugins.values(), "when messages were made"):
            return tuple(SeenMove.of(move, number, seat) for number, move in enumerate(self._moves[first:], first))

    def events_since(self, played: int | None, seat: int | None) -> tuple[SeenEvent, ...]:
        """The events after a number of actions, as `seat` may see them: the events of all `messages` in order.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> known = game.played
        >>> _ = game.play(game.legal_actions(0)[0])
        >>> game.events_since(known, seat=1)
        (SeenEvent(TicketsChosen(seat=0, kept=Unknown(count=None), rejected=Unknown(count=None))),)
        """
        return tuple(event for move in self.messages(played, seat) for event in move.events)

    def _check_reached(self, played: object) -> int:
        if type(played) is not int or not 0 <= played <= self.played:
            raise InvalidInputError(f"0 to {self.played} actions were played, not {brief(played)}")
        return played

    @property
    def last_move(self) -> Move:
        """The last move of the history."""
        return self._moves[-1]

    def decision(self, seat: int) -> Decision | None:
        """The pending decision of `seat`, or None. Raises `InvalidInputError` for a seat that is not at the table."""
        check_seat(seat, len(self.players))
        return self._state.decision(seat)

    def offer(self, seat: int | None = None) -> Offer:
        """The legal actions of a seat in compact form: each thing to pay for is listed with its cheapest payment.

        `payments` gives the other payments. Without `seat`, for the only seat that may act. Raises `InvalidInputError`
        as `legal_actions` does.

        >>> from ttr_rules import new_game
        >>> game = new_game("nordic-countries", players=2, seed=1, first_seat=0)
        >>> [game.play(game.legal_actions(seat)[0]) for seat in (0, 1)] and [kind.type for kind in game.offer(0).kinds]
        ['train-cards.DrawBlind', 'train-cards.DrawFaceUp', 'core.ClaimRoute', 'core.DrawTickets']
        """
        seat = self._check_seat(seat)
        with blaming(self.rules.plugins.values(), "when legal actions were looked for"):
            return Offer(0, ()) if seat is None else offer_of(self._state, seat)

    def payments(self, action: Action, start: int = 0, limit: int = 20) -> PaymentPage:
        """The payments for the thing that `action` buys, such as the route of a `ClaimRoute`, cheapest first, a page at a time.

        The payment in `action` itself is ignored. The cheapest payments use the fewest wild cards, then the fewest
        cards (`Economy.payment_rank`). Something that cannot be bought now has no payments. `refusal` says why.

        Raises `InvalidInputError` for an action without a payment, for a page of more than 100, and if a plugin offers
        more than a thousand such actions without grouping them, as `PaidRule.purchases` does.

        >>> from ttr_rules import ClaimRoute, arrange
        >>> players = [{"name": "Ada", "hand": {"white": 3, "locomotive": 2}}, {"name": "Bo"}]
        >>> game = arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
        >>> page = game.payments(ClaimRoute(0, "frankfurt-paris-white", {}))
        >>> page.total, [str(claim.payment) for claim in page.actions]
        (3, ['3 white', '2 white, 1 locomotive', '1 white, 2 locomotive'])
        """
        with blaming(self.rules.plugins.values(), f"when payments for {brief(action)} were looked for"):
            return payments_of(self._state, require_action(action), start, limit)

    def refusal(self, action: Action) -> Refusal | None:
        """The rule that refuses an action and the reason, or None if the action is legal now."""
        try:
            return refusal(self._state, require_action(action))
        except Exception as failure:  # its text is written only when it is needed
            blame(failure, self.rules.plugins.values(), f"when {brief(action)} was checked")
            raise

    def is_legal(self, action: Action) -> bool:
        """True if the action is legal now."""
        return self.refusal(action) is None

    def moment(self, seat: int) -> int:
        """The moment to send to a seat with its view, for `play(action, expected=...)`: earlier ones are refused.

        It changes when the seat gets a new decision, and with every action that it must see before deciding. As all
        choose their first tickets simultaneously, others' choices do not change it. For a seat without a decision it is
        `played`.

        >>> from ttr_rules import new_game
        >>> game = new_game("europe", players=2, seed=1)
        >>> moments = [game.moment(seat) for seat in game.to_act]
        >>> for seat, expected in zip(game.to_act, moments):
        ...     _ = game.play(game.legal_actions(seat)[0], expected=expected)
        >>> moments, game.played, [game.moment(seat) for seat in game.to_act]
        ([0, 0], 2, [2])
        """
        check_seat(seat, len(self.players))
        return self._since(seat)

    def copy(self) -> Game:
        """An independent copy, which shares rules, events and a caller's chance object."""
        return Game(self._state.copy(), self.players, self.seed, self._moves)

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        """A copy with its own copy of the chance object. Raises `InvalidInputError` for one that cannot be copied."""
        return Game(deepcopy(self._state, memo), self.players, self.seed, self._moves)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        """Games are pickled as their moves. Raises `InvalidInputError` if a chance object cannot be pickled."""
        check_can_be_pickled(self._state.chance)
        return _unpickle, (self.rules, self.players, self.seed, self._state.chance, tuple(self._moves))

    def view(self, seat: int | None) -> View:
        """The view of `seat`, or of a spectator if None."""
        with blaming(self.rules.plugins.values(), "when a view was made"):
            return view_of(self._state, self.players, seat)

    @property
    def final_scores(self) -> FinalScores | None:
        """The score sheet, or None until the game is over."""
        if not self.is_over:
            return None
        if self._scores is None or self._scores[0] != self._source.changes:
            with blaming(self.rules.plugins.values(), "when the scores were counted"):
                self._scores = self._source.changes, final_scores(self._state, self.players)
        return self._scores[1]

    def __eq__(self, other: object) -> bool:
        """Equal games have equal rules, players, histories and states."""
        if not isinstance(other, Game):
            return NotImplemented
        mine = self.players, self.seed, self._moves, self._state
        return mine == (other.players, other.seed, other._moves, other._state)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        now = "over" if self.is_over else f"{self.played} actions played, seats {list(self.to_act)} to act"
        return f"<Game of {self.rules}: {', '.join(self.players)}; {now}>"


def _unpickle(
    rules: Rules, players: tuple[str, ...], seed: int | str | None, chance: SeededChance | Chance, moves: Sequence[Move]
) -> Game:
    """Unpickle a game."""
    return Game(replay_moves(rules, len(players), chance, moves), players, seed, moves)


def player_names(players: object, rules: Rules) -> tuple[str, ...]:
    """Names from a number of players or a list of names. Raises `InvalidInputError`, citing S1."""
    number = isinstance(players, int) and not isinstance(players, bool)
    if not number and (isinstance(players, str) or not isinstance(players, Sequence)):
        raise InvalidInputError(f"players are a number or a list of names, not {brief(players)}")
    entries = cast("Sequence[object]", players)
    count = cast("int", players) if number else len(entries)
    box = rules.components
    if not box.min_players <= count <= box.max_players:
        raise InvalidInputError(f"[S1] {rules} is for {box.players_text}, not {count}")
    if number:
        return tuple(f"Player {seat + 1}" for seat in range(count))
    names: list[str] = []
    for name in entries:
        problem = name_problem(name)
        if problem is not None:
            raise InvalidInputError(f"a player's name: {problem}")
        names.append(str.__str__(cast("str", name)))
    if len(set(names)) < len(names):
        raise InvalidInputError(f"two players have the same name: {brief(tuple(names))}")
    return tuple(names)


def check_rules_are_compiled(rules: object) -> None:
    """Raise `InvalidInputError` for anything other than compiled rules."""
    if not isinstance(rules, Rules):
        raise InvalidInputError(f"expected rules, as compile_rules gives them, got {brief(rules)}")


def rules_for(
    stack: Sequence[object], rules: Rules | None, board: Board | None, rulings: Mapping[str, object] | None
) -> Rules:
    """The rules given by a caller: compiled, or as a stack."""
    if rules is None:
        return compile_rules(*stack, rulings=rulings, board=board)
    check_rules_are_compiled(rules)
    if board is not None or rulings is not None:
        raise InvalidInputError("compiled rules have their board and rulings already: give those to compile_rules")
    names = tuple(map(read_name, stack))
    if names and not rules.agrees_with(names):
        raise InvalidInputError(f"the stack {' + '.join(names)} does not agree with the rules {rules}")
    return rules


def new_game(
    *stack: object,
    players: int | Sequence[str],
    seed: int | str | None = None,
    rules: Rules | None = None,
    board: Board | None = None,
    rulings: Mapping[str, object] | None = None,
    chance: Chance | None = None,
    first_seat: int | None = None,
) -> Game:
    """Set up a game: a stack of plugins or compiled `rules`, and the players, by number or by name (S1).

    The same `seed` gives the same game everywhere. `chance` replaces the seeded chance with any object that has its two
    methods. `first_seat` is random unless given (S5).

    Raises `InvalidInputError` for invalid players or seats, and the errors of `compile_rules`.

    >>> game = new_game("europe", players=["Ada", "Isambard"], seed=1912, first_seat=0)
    >>> game.to_act
    (0, 1)
    """
    rules = rules_for(stack, rules, board, rulings)
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    if seed is not None and chance is not None:
        raise InvalidInputError("a game has a seed or a chance object of your own, not both")
    if seed is None and chance is None:
        seed = new_seed()
    if seed is not None:
        checked_seed(seed)
    if chance is not None and not isinstance(chance, Chance):
        raise InvalidInputError(f"chance must have the methods shuffled and roll; {type(chance).__name__} does not")
    if first_seat is not None and (type(first_seat) is not int or not 0 <= first_seat < len(names)):
        raise InvalidInputError(f"[S5] first_seat is one of 0 to {len(names) - 1}, not {brief(first_seat)}")
    state = State(rules, len(names), chance if chance is not None else SeededChance(seed if seed is not None else 0))
    log: list[object] = []
    with blaming(rules.plugins.values(), "when a game was set up"):
        set_up(Transaction(state, log, later=True), names, first_seat)
    return Game(state, names, seed if chance is None else None, [Move(None, (), state.chance_calls, log)])


def check_tickets(rules: Rules, players: int) -> None:
    """Raise `InvalidInputError` if the set-up deals more tickets to this many players than there are."""
    for shortage in shortages(rules, players):
        raise InvalidInputError(shortage)


def playout(rules: Rules, players: int, seed: int | str) -> FinalScores:
    """Play a game of random legal actions to its end and score it. No event objects are created.

    The actions come from a separate random stream. At set-up, seats choose in order. Raises `InvalidInputError` for
    invalid players, seeds or rules, and `PluginError` for a game that does not end.

    >>> from ttr_rules import compile_rules
    >>> len(playout(compile_rules("europe"), 3, seed=1).players)
    3
    """
    check_rules_are_compiled(rules)
    names = player_names(players, rules)
    check_tickets(rules, len(names))
    checked_seed(seed)
    state = State(rules, len(names), SeededChance(seed))
    tx = Transaction(state)
    with blaming(rules.plugins.values(), f"in the playout {seed!r}"):
        set_up(tx, names, None)
        play_on(tx, Random(f"playout {seed!r}").random)  # the only method whose results Python guarantees not to change
        return final_scores(state, names)
