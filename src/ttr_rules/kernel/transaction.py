"""The only way to change a state: events, decisions and chance go through a `Transaction`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple

from ttr_rules.errors import HookTypeError, PluginError
from ttr_rules.kernel.events import (
    Asked,
    CarsReturned,
    CarsUsed,
    DecisionOpened,
    Event,
    FirstSeatChosen,
    FleetsSet,
    ItemsArranged,
    LastRoundBegun,
    LocationsArranged,
    NumberArranged,
    PointsScored,
    RoundEnded,
    RouteFreed,
    SeatsArranged,
    TicketRevealed,
    TunnelAbandoned,
    TurnGranted,
    UnseenItemsArranged,
)
from ttr_rules.kernel.fields import NOBODY, Place, part_fields
from ttr_rules.kernel.state import State, cars_on
from ttr_rules.model.cards import Counts
from ttr_rules.model.chance import SeededChance, checked_roll, checked_shuffle
from ttr_rules.model.decisions import Action, Decision, InTurn, Pass, PayTunnel, Question, ToDo, TunnelDue, Turn
from ttr_rules.text import brief, cut

#: `ToDo.what` for the end of a turn whose action was cancelled.
CANCELLED = "cancelled"
#: The effect of events that change nothing.
NO_EFFECT: Final = Event.effect

if TYPE_CHECKING:
    from ttr_rules.kernel.part import Part
    from ttr_rules.kernel.rules import Rules

Values = TypeVarTuple("Values")
T = TypeVar("T")


class Transaction:
    """An action that is being applied to a state. `ActionRule.perform` and economies work with it.

    `log` collects the events. With None no event objects are created.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.events import RouteClaimed
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.emit(RouteClaimed, 0, "paris-zurich-gray", 4)
    >>> tx.log, tx.state.scores
    ([RouteClaimed(seat=0, route='paris-zurich-gray', points=4)], [4, 0])
    >>> tx.roll([1, 2, 3]) in (1, 2, 3)
    True
    """

    __slots__ = ("between_turns", "ending", "following", "later", "log", "performing", "rules", "state")

    def __init__(self, state: State, log: list[Any] | None = None, later: bool = False) -> None:
        # True if the log gets the type and the fields of each event in turn: the events are created when they are read.
        self.later = later
        self.state = state
        state.version += 1  # it may have been changed without a transaction
        self.rules: Rules = state.rules
        self.log = log
        self.performing: type[Action] | None = None  # the type of the action being played
        self.following: tuple[Any, ...] = ()  # follow-ups of the action being played
        self.ending = False  # true once the last turn is over
        self.between_turns = False  # true while hooks are called between two turns

    def __repr__(self) -> str:
        log = "no log" if self.log is None else f"{len(self.log) // (2 if self.later else 1)} events"
        return cut(f"<Transaction: {log}, {self.state!r}>")

    def changing(self) -> State:
        """The state, for an effect that is about to change it: answers of plugins about it no longer hold."""
        self.state.version += 1
        return self.state

    def emit(self, kind: Callable[[*Values], Event], *values: *Values) -> None:
        """Emit an event: apply its effect and, if there is a log, record it.

        Fields are given by position: `tx.emit(RouteClaimed, seat, route, points)`.
        """
        event: Any = kind
        effect, state = event.effect, self.state
        state.version += 1
        if effect is None:
            kind(*values).apply(state)
        elif effect is not NO_EFFECT:
            effect(*(state,) + values)  # noqa: RUF005 (compiled, the other way makes a list first)
        state.version += 1  # the effect may have asked plugins before it changed the state
        if self.log is not None:
            self.note(event, values)

    def note(self, kind: Callable[..., Event], values: tuple[object, ...]) -> None:
        """Record an event if there is a log: for `emit`, and for functions that change the state themselves."""
        log = self.log
        if log is None:
            return
        if self.later:
            log.append(kind)
            log.append(values)
        else:
            log.append(kind(*values))

    def score(self, seat: int, points: int, term: str) -> None:
        """Give a seat points in play under a scoring term declared with `points_in_play`.

        Raises `PluginError` for a seat that is not at the table, points that are not a whole number, or a term that is not a
        text.

        >>> import ttr_rules as ttr
        >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
        >>> tx.score(2, 5, "tolls")
        Traceback (most recent call last):
        ...
        ttr_rules.errors.PluginError: a plugin of europe calls tx.score(2, 5, 'tolls'): the seats are 0 to 1
        """
        arguments: tuple[object, object, object] = seat, points, term
        problem = ""
        if type(arguments[0]) is not int or not 0 <= seat < self.state.players:
            problem = f"the seats are 0 to {self.state.players - 1}"
        elif type(arguments[1]) is not int:
            problem = "points are a whole number"
        elif not isinstance(arguments[2], str):
            problem = "the term is the name of one of points_in_play"
        if problem:
            call = ", ".join(map(brief, arguments))
            raise PluginError(f"a plugin of {self.rules} calls tx.score({call}): {problem}")
        self.emit(PointsScored, seat, term, points)

    def reveal_ticket(self, seat: int, ticket: str) -> None:
        """Let a seat show a ticket that it holds: everybody knows it from then on. Nothing happens if it is open already.

        Let the seat decide by an action or a choice: the page on tickets explains what an automatic reveal gives away.
        Raises `PluginError` for a ticket that the seat does not hold.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state, [])
        >>> tx.reveal_ticket(0, "paris-wien")
        >>> tx.log
        [TicketRevealed(seat=0, ticket='paris-wien')]
        """
        state = self.state
        held = state.tickets[seat] if 0 <= seat < state.players else ()
        if ticket not in state.open_tickets or ticket not in held:
            self.emit(TicketRevealed, seat, ticket)

    def use_cars(self, seat: int, cars: int) -> None:
        """Remove train cars of a seat from the game, in addition to those of a route. `return_cars` gives them back.

        Raises `PluginError` for more than the seat has left, or for a negative number.
        """
        if self.rules.components.fleets:
            raise PluginError(f"a plugin of {self.rules} takes train cars: with fleets, take pieces with tx.set_fleets")
        left = self.state.cars[seat]
        if not 0 <= cars <= left:
            during = "" if self.performing is None else f" after {self.performing.__name__}"
            cure = "tx.return_cars gives cars back" if cars < 0 else "look at tx.state.cars[seat] before tx.use_cars"
            raise PluginError(
                f"a plugin of {self.rules} takes {cars} train cars of seat {seat}{during}, which has {left}: {cure}"
            )
        self.emit(CarsUsed, seat, cars)

    def return_cars(self, seat: int, cars: int) -> None:
        """Give a seat train cars back that `use_cars` has removed.

        Routes that a seat shares count as if they had taken cars. Raises `PluginError` for more than were removed, for a
        negative number, and for a seat that is not at the table.

        >>> import ttr_rules as ttr
        >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
        >>> tx.use_cars(0, 3)
        >>> tx.return_cars(0, 2)
        >>> tx.log[-1], tx.state.cars
        (CarsReturned(seat=0, cars=2), [44, 45])
        """
        if self.rules.components.fleets:
            raise PluginError(
                f"a plugin of {self.rules} returns train cars: with fleets, give pieces with tx.set_fleets"
            )
        if not 0 <= seat < self.state.players:
            seats = f"the seats are 0 to {self.state.players - 1}"
            raise PluginError(f"a plugin of {self.rules} returns train cars to seat {seat}: {seats}")
        number = self.rules.network.route_number
        on_routes = sum([cars_on(self.state, seat, number[route]) for route in self.state.routes(seat)])
        out = max(self.rules.components.cars - self.state.cars[seat] - on_routes, 0)
        if not 0 <= cars <= out:
            raise PluginError(
                f"a plugin of {self.rules} returns {cars} train cars to seat {seat}, of which {out} were removed from the game"
            )
        self.emit(CarsReturned, seat, cars)

    def free_route(self, route: str, points: int | None = None) -> None:
        """Take back a claimed route: its owner gets the train cars and loses the points, by default those printed.

        If `claim_points` changes the points of claims, give the points that this one scored. The route and the other half
        of its double are open again to all who may claim them, and a seat that shared the route no longer holds it.
        Other consequences of the claim remain, such as train cars taken in addition. Raises `PluginError` for a route that
        nobody owns, and for points that are not a whole number.

        >>> import ttr_rules as ttr
        >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state, [])
        >>> tx.free_route("paris-zurich-gray")
        >>> tx.log, tx.state.cars
        ([RouteFreed(seat=0, route='paris-zurich-gray', points=4)], [45, 45])
        """
        raw_route: object = route
        owner = self.state.owners.get(route) if isinstance(raw_route, str) else None
        if owner is None:
            raise PluginError(f"a plugin of {self.rules} frees the route {brief(raw_route)}, which nobody owns")
        lost: object = points
        if points is None:
            lost = self.rules.route_points[route]
        if type(lost) is not int:
            problem = f"takes back {brief(lost)} points for the route {route}: give a whole number"
            raise PluginError(f"a plugin of {self.rules} {problem}")
        self.emit(RouteFreed, owner, route, lost)
        tell_plugins("on_route_freed", self.rules.on_route_freed, self, owner, self.rules.board.routes[route])

    def set_fleets(self, seat: int, left: Mapping[str, int]) -> None:
        """Set the number of pieces of each kind that a seat has left, in games with fleets (`Components.fleets`).

        Raises `PluginError` for an unknown kind or a negative number.
        """
        fleets = self.rules.components.fleets
        wrong = [kind for kind, count in left.items() if kind not in fleets or type(count) is not int or count < 0]
        if wrong:
            known = ", ".join(fleets) or "none"
            raise PluginError(f"a plugin of {self.rules} sets {left[wrong[0]]!r} pieces {wrong[0]!r}; it has {known}")
        self.emit(FleetsSet, seat, Counts({kind: left.get(kind, 0) for kind in fleets}))

    def put_number(self, part: Part, field: str, seat: int | None, number: int, key: str | None = None) -> None:
        """Record the number that a table or position gives a seat in a field of a part.

        `seat` is None for a shared field. With `key`, it lies under this key in a table.
        """
        self.emit(NumberArranged, seat, self.rules.part_names[type(part)], field, number, key)

    def put_locations(self, part: Part, field: str, seat: int, locations: tuple[str, ...]) -> None:
        """Record the cities or routes that a table or position gives a seat in a field of a part."""
        self.emit(LocationsArranged, seat, self.rules.part_names[type(part)], field, locations)

    def put_items(
        self, part: Part, field: str, seat: int | None, items: tuple[str, ...], key: str | None = None
    ) -> None:
        """Record the ids that a table or position gives a seat in a field of a part. `seat` is None for a shared field.

        If the field is a table, such as one by city, they lie under `key` there. Raises `PluginError` for a `key` of anything
        else.
        """
        declared = part_fields(type(part)).get(field)
        if key is not None and not isinstance(Place(part, field, seat).content, dict):
            raise PluginError(
                f"put_items(…, {brief(key)}): {type(part).__name__}.{field} is not a table, so it has no keys: leave it out"
            )
        unseen = declared is not None and declared.visible == NOBODY
        kind = UnseenItemsArranged if unseen else ItemsArranged
        self.emit(kind, self.rules.part_names[type(part)], field, seat, key, items)

    def put_seats(self, part: Part, field: str, seat: int | None, seats: tuple[int, ...]) -> None:
        """Record the seats that a table or position gives a seat in a field of a part.

        `seat` is None for a shared field.
        """
        self.emit(SeatsArranged, self.rules.part_names[type(part)], field, seat, seats)

    @property
    def ends_turn(self) -> bool:
        """True in `Around(…, after=)` if the turn ends with the action.

        Then nothing is pending, no hook waits for the action, and no plugin lets the turn go on.

        >>> import ttr_rules as ttr
        >>> Transaction(ttr.new_game("europe", players=2, seed=1).state).ends_turn
        False
        """
        # Nothing else waits than the end of the turn itself.
        waiting = [item for item in self.state.todo if item.hook != "end of turn"]
        if self.state.to_act or waiting:
            return False
        if self.performing is Pass:
            return True
        return not any(method(self.state, int(self.state.turn)) is True for _, method in self.rules.acts_again)

    def cancel_action(self) -> None:
        """Cancel the action of a turn before which a question of `Around(…, before=)` is asked.

        Called in the answer to it. The action is not played, nothing is paid, other questions that were to be asked
        before it lapse, and the turn ends. The turn goes on if the action was a free one. If the seat was about to pay
        what a tunnel costs extra, the tunnel is abandoned (T4). Raises `PluginError` if no action of a turn waits for an
        answer.
        """
        state = self.state
        waiting = [number for number, item in enumerate(state.todo) if item.hook == "before"]
        item = state.todo[waiting[-1]] if waiting else None
        asked = None if item is None else next((one for one in item.pending if one.seat == item.seat), None)
        if item is None or asked is None or not (isinstance(asked, Turn) or type(item.action) is PayTunnel):
            raise PluginError(
                f"a plugin of {self.rules} cancels an action, but no action of a turn waits for an answer: call cancel_action "
                "in the answer to a question of Around(..., on=Turn, before=...) or Around(PayTunnel, before=...)"
            )
        if isinstance(asked, TunnelDue):
            abandon_tunnel(self, item.seat, asked.route, asked.laid)
        free = [entry.rule.action for entry in self.rules.answers[type(asked)].free]
        step = "turn" if type(item.action) in free else "end of turn"
        self.emit(Asked, state.pending, (*state.todo[: waiting[-1]], ToDo(step, seat=item.seat, what=CANCELLED)))

    def grant_turn(self, seat: int) -> None:
        """Grant the current seat another turn after this one, unless the round has been ended (`end_round`).

        Raises `PluginError` for any other seat, and outside a turn: before the first one, between two turns, after the last.

        >>> import ttr_rules as ttr
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state, [])
        >>> tx.grant_turn(0)
        >>> tx.log, tx.state.extra_turns
        ([TurnGranted(seat=0)], 1)
        """
        if seat != self.state.turn:
            raise PluginError(
                f"a plugin of {self.rules} grants another turn to seat {brief(seat)}, but the turn is that of seat "
                f"{self.state.turn}; the hook next_seat says whose turn is next"
            )
        if self._is_between_turns() or not self.state.turn_number or self._is_over():
            raise PluginError(
                f"a plugin of {self.rules} grants another turn to seat {seat}, which has no turn now: grant it during the turn, "
                "in on_turn_end at the latest"
            )
        if self.state.seats_to_skip < 0:
            self.emit(TurnGranted, seat)

    def end_round(self) -> None:
        """End the round with the current turn: the seats that have had no turn in it are skipped, and turns still granted lapse.

        The next round begins with the seat that would have begun it, or with that of the hook `next_seat`. If the last
        round began before this turn, skipped turns are lost: they are subtracted from `turns_left`, even if `begin_last_round`
        has set it anew in this turn. Nothing happens in `on_round_start`, and once the last turn is over. Raises
        `PluginError` before the first turn.

        >>> import ttr_rules as ttr
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}, {}]}).state, [])
        >>> tx.end_round()
        >>> tx.state.round, tx.state.ends_round
        (1, True)
        >>> from ttr_rules.actions import finish_turn
        >>> finish_turn(tx, 0)
        >>> tx.log[-1], tx.state.round
        (TurnBegun(seat=0), 2)
        """
        state = self.state
        if not state.turn_number:
            raise PluginError(f"a plugin of {self.rules} ends a round before the first turn")
        if self._is_over() or state.seats_to_skip >= 0:
            return
        skipped = state.turns_left_in_round
        left = int(state.turns_left)
        if left:
            if state.last_round_turn != state.turn_number:
                left = max(left - skipped, 1)
            left = min(left, turns_to_come(state) - skipped + (not self._is_between_turns()))
        self.emit(RoundEnded, skipped, left)

    def _is_over(self) -> bool:
        """True once the last turn is over."""
        return self.ending or any(item.hook == "on_game_end" for item in self.state.todo)

    def _is_between_turns(self) -> bool:
        """True between two turns, while a question of `on_round_start` is pending, too."""
        return self.between_turns or any(item.hook == "on_round_start" for item in self.state.todo)

    def in_turn(self, kind: Callable[[int], Decision], seats: Iterable[int] | None = None) -> Question:
        """A question for one seat after another, in the order of `seats`: by default all, beginning with the one whose turn it is.

        `kind` makes the decision for a seat: it can be the class of the decision, if that has no other fields. A seat may
        come several times, `[0, 1, 1, 0]`, unless the answers are sealed.

        >>> import ttr_rules as ttr
        >>> Transaction(ttr.new_game("europe", players=3, seed=1, first_seat=2).state).in_turn(ttr.Turn)
        (Turn(seat=2), Turn(seat=0), Turn(seat=1))
        """
        if seats is None:
            seats = [*range(self.state.turn, self.state.players), *range(self.state.turn)]
        return InTurn(map(kind, seats))

    def begin_last_round(self, reason: str, turns: int | None = None) -> None:
        """Begin the last round: `turns` more turns follow the current one, by default as many as after E1.

        With 0, the current turn is the last. Before the first turn and between two turns, in `on_last_round` and
        `on_round_start`, `turns` are all that are left, at least 1. The reason is shown to players: a sentence without its
        full stop, in which `{seat}` is the player whose turn it is, or was last. A hook may call this again: a last round
        never gets longer, a game never has more than its `rounds`, and nothing happens once the last turn is over. A turn
        granted before counts as one of the last round; with E1, the last round begins after such a turn.

        >>> import ttr_rules as ttr
        >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state, [])
        >>> tx.begin_last_round("{seat} has had enough")
        >>> tx.log, tx.state.turns_left
        ([LastRoundBegun(turns_left=3, reason='{seat} has had enough')], 3)
        """
        state = self.state
        current = int(state.turn_number > 0 and not self._is_between_turns())
        raw_turns: object = turns
        if raw_turns is not None and (type(raw_turns) is not int or raw_turns + current < 1):
            problem = f"turns={brief(raw_turns)}, which must be a whole number of at least {1 - current}"
            raise PluginError(f"a plugin of {self.rules} begins the last round with {problem}")
        raw_reason: object = reason
        if not isinstance(raw_reason, str) or not raw_reason.strip():
            raise PluginError(
                f"a plugin of {self.rules} begins the last round for the reason {brief(raw_reason)}: write a sentence"
            )
        left = current + (int(state.players * self.rules.last_turns) if turns is None else turns)
        left = min(left, turns_to_come(state) + current)
        if not self._is_over() and not 0 < state.turns_left <= left:
            start_last_round(self, left, reason)

    def first_seat(self, seat: int) -> None:
        """Let a seat begin.

        Called before the first turn, in `on_deal`, `on_game_start`, `on_round_start` or the answers to their questions.
        Raises `PluginError` when the first turn has begun, and for a seat that is not at the table.
        """
        if self.state.turn_number or not 0 <= seat < self.state.players:
            problem = "the first turn has begun" if self.state.turn_number else f"there are {self.state.players} seats"
            raise PluginError(f"a plugin of {self.rules} lets seat {seat} begin: {problem}")
        self.emit(FirstSeatChosen, seat)

    def ask(self, decision: Decision) -> None:
        """Give one seat a decision, which replaces all pending ones."""
        self.emit(DecisionOpened, decision)

    def shuffled(self, items: Sequence[T], without: Iterable[T] = ()) -> tuple[T, ...]:
        """The items in random order. Chance is not used for fewer than two.

        `without` are items that are left out, each once, such as those of a deck that have been drawn.
        """
        if without:
            items = list((Counter(items) - Counter(without)).elements())
        if len(items) < 2:
            return tuple(items)
        call, chance = self._next_call(), self.state.chance
        return chance.shuffled(call, items) if isinstance(chance, SeededChance) else checked_shuffle(chance, items)

    def _next_call(self) -> int:
        """The number of this call of chance."""
        call = self.state.chance_calls
        self.state.chance_calls = call + 1
        return call

    def shuffled_numbers(self, numbers: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
        """As `shuffled`, for things that have numbers internally. A caller's chance object is given their names."""
        if isinstance(self.state.chance, SeededChance):
            return self.shuffled(numbers)
        number = {name: number for number, name in enumerate(names)}
        return tuple([number[name] for name in self.shuffled([names[index] for index in numbers])])

    def roll(self, faces: Sequence[T]) -> T:
        """Roll one of the faces."""
        call, chance = self._next_call(), self.state.chance
        return chance.roll(call, faces) if isinstance(chance, SeededChance) else checked_roll(chance, faces)

    def roll_dice(self, faces: Sequence[T], count: int) -> tuple[T, ...]:
        """Roll several dice with these faces at once. A caller's chance object rolls one after the other."""
        call, chance = self._next_call(), self.state.chance
        if isinstance(chance, SeededChance):
            return chance.roll_dice(call, faces, count)
        return tuple([checked_roll(chance, faces) for _ in range(count)])


def turns_to_come(state: State) -> int:
    """The turns that follow the current one until all rounds are over (`Components.rounds`)."""
    return int(state.players * state.rules.rounds + state.turns_granted - state.turn_number)


def start_last_round(tx: Transaction, turns: int, reason: str = "") -> None:
    """Begin the last round, or shorten it. When it begins, `on_last_round` is called.

    >>> import ttr_rules as ttr
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> start_last_round(tx, 2)
    >>> tx.log
    [LastRoundBegun(turns_left=2, reason='')]
    """
    begins = not tx.state.turns_left
    tx.emit(LastRoundBegun, turns, reason)
    if begins:
        tell_plugins("on_last_round", tx.rules.on_last_round, tx)


def tell_plugins(hook: str, methods: Iterable[tuple[str, Callable[..., object]]], *values: object) -> None:
    """Call the methods of a hook that cannot ask anything. Raises `HookTypeError` for one that does."""
    for plugin, method in methods:
        answer = method(*values)
        if answer not in (None, ()):
            needed = "nothing, and ask questions in on_turn_start"
            raise HookTypeError(f"{hook} of plugin {plugin!r} must give {needed}, not {brief(answer)}")


def abandon_tunnel(tx: Transaction, seat: int, route: str, laid: Counts) -> None:
    """Abandon a tunnel (T4): the payment laid down goes back to its seat."""
    tx.emit(TunnelAbandoned, seat, route)
    tx.rules.economy.take_back_laid(tx, seat, laid)
