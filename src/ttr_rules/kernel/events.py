"""Events: records of what happened, including every random outcome. Folding them rebuilds a state.

Each event has one effect, its method `apply`, and nothing else changes a state. The effect of a frequent event is a function
of the state and the event's fields: the engine calls it through `Transaction.emit` without creating the event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import attrs
from attrs import field, frozen

from ttr_rules.errors import PluginError
from ttr_rules.kernel.fields import Place, size_of
from ttr_rules.kernel.part import CarsOnRoutes, Fleets, Part
from ttr_rules.kernel.state import FREE, State, close_long, free_route, recount, use_pieces
from ttr_rules.model.board import Cost
from ttr_rules.model.cards import Counts, Unknown
from ttr_rules.model.decisions import SECRET, Action, Decision, TicketMix, ToDo, Turn, Value, replace, secret
from ttr_rules.text import cut


class Event(Value):
    """Something that happened. Plugins add their own: a class with fields, and `apply` for its effect.

    >>> import ttr_rules as ttr
    >>> class CarLost(ttr.Event):
    ...     message = "{seat} loses a train car"
    ...     seat: int
    ...     def apply(self, state):
    ...         state.cars[self.seat] -= 1
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> CarLost(seat=1).apply(state)
    >>> state.cars
    [45, 44]

    In place of `apply`, the effect can be a method of a part: `effect = Stations.build` calls
    `state.part(Stations).build(…)` with the fields in order. Then the event is created only for callers that keep it.

    An event that makes secret answers public names their decision, `reveals = Bid`, and one that shows everybody what an
    action names and the state then hides, such as something put back into a bag, names that action: `reveals = ReturnGoods`.
    So do events that tell everybody whether a guess about a secret is right: `reveals = Guess`. An event that tells
    everybody whether a question follows, when a secret decides that, names the question. An event before something that
    happens to everybody's knowledge only because of what a part hides, such as a discard down to a limit, names the part:
    `reveals = CardPiles`. So does one that lets a seat see once what then lies face down.
    """

    #: The sentence about this event on the command line, with its fields in braces. Plugins' events may set it (see
    #: `narration.telling`).
    message: ClassVar[str | None] = None

    #: The decision whose secret answers this event makes public, and not before the last answer, or the action whose
    #: fields it shows to everybody, or that it answers with yes or no (by its type or a bool), or the question of which it says
    #: whether it follows, or the part of which it tells something that is hidden, by happening at all.
    reveals: ClassVar[type[Decision | Action | Part] | None] = None

    #: All classes of events, so that saved games find those of a stack's plugins.
    every: ClassVar[list[type[Event]]] = []

    @staticmethod
    def effect(*args: Any, **kwargs: Any) -> None:
        """The effect, in place of `apply`: a method of a part, or a function of the state, which is given the fields in order."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        Event.every.append(cls)
        method = vars(cls).get("effect")
        if "apply" in vars(cls):
            type.__setattr__(cls, "effect", None)
        elif method is not None and not isinstance(method, staticmethod):
            part = getattr(method, "part", None) or getattr(method, "__objclass__", None)
            if part is not None and part is not State:
                type.__setattr__(cls, "effect", _part_effect(part, method))

    def apply(self, state: State) -> None:
        """Apply this event to `state`. By default it changes nothing."""
        effect: object = type(self).effect
        if callable(effect):
            names: tuple[str, ...] = self.__match_args__
            effect(state, *[getattr(self, name) for name in names])

    def seen_by(self, seat: int | None) -> SeenEvent:
        """The event as `seat` may see it. None is a spectator, who sees no secrets."""
        hidden: dict[str, Unknown] = {}
        for attribute in attrs.fields(type(self)):
            if SECRET not in attribute.metadata:
                continue
            owners, counted = attribute.metadata[SECRET]
            if seat is None or seat not in [getattr(self, owner) for owner in owners]:
                hidden[attribute.name] = Unknown(size_of(getattr(self, attribute.name)) if counted else None)
        return SeenEvent(replace(self, **hidden) if hidden else self)


def _part_effect(part: type[Part], method: Callable[..., None]) -> Callable[..., None]:
    """A function of a state that calls a method of its part."""

    def effect(state: State, *values: object) -> None:
        method(state.part(part), *values)

    effect.__wrapped__ = method  # type: ignore[attr-defined]
    return staticmethod(effect)


@frozen(repr=False)
class SeenEvent:
    """An event as one seat or a spectator sees it, made by `Event.seen_by`: safe to send to them.

    `event` has `Unknown` in place of secrets. Seen events have a type of their own, so that a server cannot send a full
    event by mistake: `to_json` refuses a bare `Event`.

    >>> from ttr_rules.events import CardDrawn
    >>> CardDrawn(seat=0, card="red").seen_by(1)
    SeenEvent(CardDrawn(seat=0, card=Unknown(count=1)))
    """

    event: Event

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.event!r})"


def fold(state: State, events: Iterable[Event]) -> None:
    """Apply recorded events to `state`.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> state = State(game.rules, 2, game.state.chance)
    >>> fold(state, game.events)
    >>> state.tickets == game.state.tickets, state.pending == game.state.pending
    (True, True)
    """
    for event in events:
        state.version += 1
        event.apply(state)
        state.version += 1  # as in `Transaction.emit`


# -- set-up --------------------------------------------------------------------------------------------


class GameBegun(Event):
    """A game begins: the names of the players, seat by seat, and who starts (S5).

    >>> import ttr_rules as ttr
    >>> ttr.new_game("europe", players=["Ada", "Bo"], seed=1).events[0]
    GameBegun(players=('Ada', 'Bo'), first_seat=1)
    """

    players: tuple[str, ...]
    first_seat: int

    @staticmethod
    def effect(state: State, players: tuple[str, ...], first_seat: int) -> None:
        state.turn = first_seat


class TicketsShuffled(Event):
    """A pile of tickets was shuffled. Its order is secret.

    >>> import ttr_rules as ttr
    >>> events = ttr.new_game("europe", players=2, seed=1).events
    >>> [event.seen_by(0).event.order for event in events if isinstance(event, TicketsShuffled)]
    [Unknown(count=6), Unknown(count=40)]
    """

    pile: str
    order: tuple[str, ...] | Unknown = secret()

    @staticmethod
    def effect(state: State, pile: str, order: tuple[str, ...]) -> None:
        state.ticket_piles[pile] = order


class MixAsked(Event):
    """Each seat must choose how many tickets of each pile it is dealt, `count` in all.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> game.events[-1], game.decision(1)
    (MixAsked(stage=0, count=4), TicketMix(seat=1, count=4, stage=0))
    """

    stage: int
    count: int

    def apply(self, state: State) -> None:
        state.pending = tuple(TicketMix(seat, self.count, self.stage) for seat in range(state.players))


class MixAnnounced(Event):
    """A seat announced how many tickets it will draw from each pile.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("germany-tickets", players=2, seed=1)
    >>> from ttr_rules.model import AnnounceMix
    >>> game.play(AnnounceMix(0, {"short": 3, "long": 1}))[0]
    MixAnnounced(seat=0, mix=Counts(short=3, long=1))
    """

    seat: int
    mix: Counts

    def apply(self, state: State) -> None:
        state.answered(self.seat)


class TicketsDealt(Event):
    """A seat was dealt tickets at set-up and must choose which to keep (S7).

    >>> import ttr_rules as ttr
    >>> events = ttr.new_game("europe", players=2, seed=1).events
    >>> [event.seen_by(1).event.tickets for event in events if isinstance(event, TicketsDealt)]
    [Unknown(count=4), ('edinburgh-athina', 'rostov-erzurum', 'warszawa-smolensk', 'essen-kyiv')]
    """

    seat: int
    stage: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    effect = State.tickets_dealt


class TicketsBoxed(Event):
    """The tickets left in a pile went to the box, unseen.

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> game.events[-1], list(game.state.ticket_piles)
    (TicketsBoxed(pile='long'), ['regular'])
    """

    pile: str

    @staticmethod
    def effect(state: State, pile: str) -> None:
        del state.ticket_piles[pile]


class TicketsChosen(Event):
    """A seat chose from its first tickets. The number that it kept is secret until all have chosen (S7).

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> chosen, = game.play(game.legal_actions(0)[0])
    >>> len(chosen.kept), len(chosen.rejected), chosen.seen_by(1)
    (2, 2, SeenEvent(TicketsChosen(seat=0, kept=Unknown(count=None), rejected=Unknown(count=None))))
    """

    seat: int
    kept: tuple[str, ...] | Unknown = secret("seat", counted=False)
    rejected: tuple[str, ...] | Unknown = secret("seat", counted=False)

    effect = State.tickets_chosen


class SetupRevealed(Event):
    """All have chosen: the number of tickets each seat holds becomes public, unless another stage follows (S7).

    >>> import ttr_rules as ttr
    >>> game = ttr.new_game("europe", players=2, seed=1)
    >>> events = [event for seat in (0, 1) for event in game.play(game.legal_actions(seat)[0])]
    >>> next(event for event in events if isinstance(event, SetupRevealed))
    SetupRevealed(held=(2, 2))
    """

    held: tuple[int, ...]

    effect = State.set_up_revealed


class PositionArranged(Event):
    """A game begins in an arranged position: the names of the players, and who is to act.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.events[0]
    PositionArranged(players=('Ada', 'Bo'), to_act=0)
    """

    players: tuple[str, ...]
    to_act: int

    def apply(self, state: State) -> None:
        state.turn = self.to_act
        state.stage = len(state.rules.setup)


class TurnsArranged(Event):
    """The number of turns that ended before an arranged position.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "round": 8, "players": [{}, {}]})
    >>> game.events[1], game.state.turn_number, game.state.round
    (TurnsArranged(turns=14), 15, 8)
    """

    turns: int

    def apply(self, state: State) -> None:
        state.turn_number = self.turns


class CarsArranged(Event):
    """A seat of an arranged position has this many train cars left.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "cars": 7}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.events[1]
    CarsArranged(seat=0, cars=7)
    """

    seat: int
    cars: int

    def apply(self, state: State) -> None:
        state.cars[self.seat] = self.cars
        recount(state, self.seat)


class TicketsArranged(Event):
    """A seat of an arranged position holds these tickets.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.events[1].seen_by(0)
    SeenEvent(TicketsArranged(seat=0, tickets=('paris-wien',)))
    >>> game.events[1].seen_by(1)
    SeenEvent(TicketsArranged(seat=0, tickets=Unknown(count=1)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    effect = State.hold_tickets


class ItemsArranged(Event):
    """A field of a part in an arranged position holds these tickets or other ids, under a `key` if it is a table.

    `seat` is None if all seats share it.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Part, Variant, hookimpl, public
    >>> class Stall(Part):
    ...     tickets: tuple[str, ...] = public(pool="tickets", key="stall")
    >>> class StallVariant(Variant, name="stall"):
    ...     @hookimpl
    ...     def parts(self, rules):
    ...         return (Stall,)
    >>> rules = ttr.compile_rules("europe", StallVariant)
    >>> game = ttr.arrange(rules, {"seed": 1, "players": [{}, {}], "parts": {"stall": ["Paris–Wien"]}})
    >>> game.events[1], game.view(None).part(Stall)
    (ItemsArranged(part='Stall', field='tickets', seat=None, key=None, items=('paris-wien',)), Stall(tickets=('paris-wien',)))
    """

    part: str
    field: str
    seat: int | None
    key: str | None
    items: tuple[str, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, part: str, field: str, seat: int | None, key: str | None, items: tuple[str, ...]) -> None:
        Place(_part(state, part), field, seat, key).put(items)


class UnseenItemsArranged(ItemsArranged):
    """A field of a part that nobody may look into holds these ids in an arranged position.

    >>> UnseenItemsArranged("Warehouses", "stored", 0, None, ("red",)).seen_by(0)
    SeenEvent(UnseenItemsArranged(part='Warehouses', field='stored', seat=0, key=None, items=Unknown(count=1)))
    """

    items: tuple[str, ...] | Unknown = secret()


class SeatsArranged(Event):
    """A field of a part in an arranged position holds these seats. `seat` is None if all seats share it.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Part, Variant, hookimpl, public
    >>> class Teams(Part):
    ...     partner: list[int] = public(each=-1, seats=True, key="partner")
    >>> class TeamsVariant(Variant, name="teams"):
    ...     @hookimpl
    ...     def parts(self, rules):
    ...         return (Teams,)
    >>> players = [{"name": "Ada", "partner": "Bo"}, {"name": "Bo"}]
    >>> game = ttr.arrange(ttr.compile_rules("europe", TeamsVariant), {"seed": 1, "players": players})
    >>> game.events[1], game.view(None).part(Teams)
    (SeatsArranged(part='Teams', field='partner', seat=0, seats=(1,)), Teams(partner=[1, -1]))
    """

    part: str
    field: str
    seat: int | None
    seats: tuple[int, ...] | Unknown = secret("seat")

    @staticmethod
    def effect(state: State, part: str, field: str, seat: int | None, seats: tuple[int, ...]) -> None:
        Place(_part(state, part), field, seat).put(seats)


class NumberArranged(Event):
    """A field of a part in an arranged position holds this number, for truth values 0 or 1.

    `seat` is None if all seats share it. With `key`, it lies under this key in a table.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> NumberArranged(0, "Stations", "left", 1).apply(state)
    >>> from ttr_variants.europe import Stations
    >>> state.part(Stations).left
    [1, 3]
    """

    seat: int | None
    part: str
    field: str
    number: int
    key: str | None = None

    def apply(self, state: State) -> None:
        place = Place(_part(state, self.part), self.field, self.seat, self.key)
        place.put([place.kind(self.number)])  # a bool, if it is a truth value


class LocationsArranged(Event):
    """A seat of an arranged position has these cities, or routes, in a field of a part.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> LocationsArranged(0, "Stations", "built", ("paris",)).apply(state)
    >>> from ttr_variants.europe import Stations
    >>> state.part(Stations).built
    {'paris': 0}
    """

    seat: int
    part: str
    field: str
    locations: tuple[str, ...]

    def apply(self, state: State) -> None:
        getattr(_part(state, self.part), self.field).update(dict.fromkeys(self.locations, self.seat))


def _part(state: State, name: str) -> object:
    """The part of a state with a name."""
    names = state.rules.part_names
    return next(part for kind, part in state.parts.items() if names[kind] == name)


# -- the course of a game ------------------------------------------------------------------------------


class TurnBegun(Event):
    """A seat's turn began (S5).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.events[-1], game.to_act
    (TurnBegun(seat=0), (0,))
    """

    seat: int


class DecisionOpened(Event):
    """A seat has a further decision to make.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> game.play(ttr.DrawBlind(0))[-1]
    DecisionOpened(decision=NextCard(seat=0, left=1, of_draw=True))
    """

    decision: Decision

    def seen_by(self, seat: int | None) -> SeenEvent:
        return SeenEvent(DecisionOpened(self.decision.seen_by(seat)))


class Asked(Event):
    """The game stops for the question of a plugin, or goes on after it.

    `todo` continues when all have answered, last item first. Seats see only one thing of it: an action of a turn that is about
    to be played and has no secret field.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> Asked(game.state.pending, (ToDo("turn", seat=0),)).seen_by(0).event
    Asked(decisions=(Turn(seat=0),), todo=Unknown(count=None))
    """

    decisions: tuple[Decision, ...]
    todo: tuple[ToDo, ...] | Unknown = secret(counted=False)

    def seen_by(self, seat: int | None) -> SeenEvent:
        decisions = tuple([decision.seen_by(seat) for decision in self.decisions])
        todo = () if isinstance(self.todo, Unknown) else self.todo
        announced = tuple([ToDo("before", seat=item.seat, action=item.action) for item in todo if _is_announced(item)])
        return SeenEvent(replace(self, decisions=decisions, todo=announced or Unknown(None)))

    effect = State.stopped


def _is_announced(item: ToDo) -> bool:
    """True for an action of a turn that waits for an answer, if everybody may know it."""
    action = item.action
    if action is None or item.hook != "before" or Turn(item.seat) not in item.pending:
        return False
    return not any(SECRET in field.metadata for field in attrs.fields(type(action)))


class ChoiceSealed(Event):
    """A seat answered a sealed question. Its answer waits until all have answered (`Choice.sealed`).

    >>> from ttr_rules import Pass
    >>> ChoiceSealed(0, Pass(0)).seen_by(1)
    SeenEvent(ChoiceSealed(seat=0, action=Unknown(count=None)))
    """

    message = "{seat} has chosen"

    seat: int
    action: Action | Unknown = secret("seat", counted=False)

    @staticmethod
    def effect(state: State, seat: int, action: Action) -> None:
        decision, todo = state.asked_of(seat), state.todo
        sealed = ToDo("sealed", seat=seat, pending=(decision,), action=action)
        later = todo[-1:]
        if later and later[0].hook == "next" and type(decision) in map(type, later[0].pending):
            state.todo = (*todo[:-1], sealed, *later)  # others are asked first
        else:
            state.todo = (*todo, sealed)


class ChoicesOpened(Event):
    """All have answered a sealed question, and everybody sees the answers (`Choice.sealed`).

    >>> from ttr_rules import Pass
    >>> ChoicesOpened((Pass(0), Pass(1)))
    ChoicesOpened(actions=(Pass(seat=0), Pass(seat=1)))
    """

    actions: tuple[Action, ...]


class TurnEnded(Event):
    """A seat's turn ended. `passed` is true if it had to pass (R4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[-2:]
    (TurnEnded(seat=0, passed=False), TurnBegun(seat=1))
    """

    seat: int
    passed: bool


class TurnPassed(Event):
    """A seat passed and has another decision before its turn ends, which counts as a pass (R4).

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> TurnPassed(seat=0).apply(state)
    >>> state.passed, state.passes
    (True, 0)
    """

    seat: int

    def apply(self, state: State) -> None:
        state.passed = True


class PassChosen(Event):
    """A seat passed by choice, although it could act without paying (`Variant.may_pass`). It does not count toward a deadlock.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Patience(Variant, name="patience"):
    ...     @hookimpl
    ...     def may_pass(self, state, seat):
    ...         return True
    >>> game = ttr.arrange(ttr.compile_rules("europe", Patience), {"seed": 1, "players": [{}, {}]})
    >>> game.play(ttr.Pass(0))[:2]
    (PassChosen(seat=0), TurnEnded(seat=0, passed=False))
    """

    seat: int


class TurnContinued(Event):
    """A seat takes another action in the same turn (see `Variant.acts_again`).

    >>> import ttr_rules as ttr
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state
    >>> TurnContinued(seat=0).apply(state)
    >>> state.to_act, state.passes
    ((0,), -1)
    """

    message = ""

    seat: int

    @staticmethod
    def effect(state: State, seat: int) -> None:
        state.passes = min(state.passes, 0) - 1  # below 0, so that a pass at the end of this turn does not count
        state.pending = (state.rules.turns[seat],)


class TurnGranted(Event):
    """A seat was granted another turn after this one.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state, [])
    >>> tx.grant_turn(0)
    >>> tx.log, tx.state.extra_turns
    ([TurnGranted(seat=0)], 1)
    """

    seat: int

    def apply(self, state: State) -> None:
        state.extra_turns += 1


class RoundEnded(Event):
    """A plugin ends the round with the current turn: `skipped` turns are dropped.

    `turns_left` is the number that remains if the last round has begun, otherwise 0.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}, {}]}).state, [])
    >>> tx.end_round()
    >>> tx.log
    [RoundEnded(skipped=2, turns_left=0)]
    """

    skipped: int
    turns_left: int

    def apply(self, state: State) -> None:
        state.turns_granted -= self.skipped
        state.turns_left = self.turns_left
        state.extra_turns = 0
        state.seats_to_skip = self.skipped


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

    def apply(self, state: State) -> None:
        state.turn = self.seat


def begin_parts(state: State) -> None:
    """Reset the fields of parts that are declared `per_turn`."""
    for kind in state.rules.parts_per_turn:
        state.part(kind).begin_turn(state)


class RoundBegun(Event):
    """A round begins, in games whose plugins have `on_round_start`, which is called next.

    `number` is 1 for the first round.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Bells(Variant, name="bells"):
    ...     @hookimpl
    ...     def on_round_start(self, tx, number):
    ...         pass
    >>> game = ttr.new_game("europe", Bells, players=2, seed=1)
    >>> events = [event for seat in (0, 1) for event in game.play(game.legal_actions(seat)[0])]
    >>> events[-2:]
    [RoundBegun(number=1), TurnBegun(seat=1)]
    """

    number: int


class ExtraTurnBegun(Event):
    """An extra turn began. It counts neither as a pass nor toward the last round.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> from ttr_rules.actions import finish_turn
    >>> tx = Transaction(ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{}, {}]}).state, [])
    >>> tx.grant_turn(0)
    >>> finish_turn(tx, 0)
    >>> tx.log, tx.state.to_act
    ([TurnGranted(seat=0), ExtraTurnBegun(seat=0)], (0,))
    """

    seat: int

    def apply(self, state: State) -> None:
        state.extra_turns -= 1
        state.turns_granted += 1
        state.turn_number += 1
        state.passes = 0
        state.passed = False
        state.pending = (state.rules.turns[self.seat],)
        begin_parts(state)


class LastRoundBegun(Event):
    """The last round begins: `turns_left` turns remain, including the current one if a plugin begins it during a turn.

    `reason` is the one that a plugin gave (see `Transaction.begin_last_round`), "" if a seat ran low on train cars (E1).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "cars": 4, "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    >>> LastRoundBegun(turns_left=2) in events, game.state.turns_left
    (True, 2)
    """

    turns_left: int
    reason: str = ""

    @staticmethod
    def effect(state: State, turns_left: int, reason: str = "") -> None:
        if not state.turns_left:
            state.last_round_turn = state.turn_number
        state.turns_left = turns_left


class TicketRevealed(Event):
    """A seat shows a ticket and holds it openly from then on (`Transaction.reveal_ticket`).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> TicketRevealed(0, "paris-wien").apply(state)
    >>> state.open_tickets
    frozenset({'paris-wien'})
    """

    message = "{seat} shows the ticket {ticket}"
    seat: int
    ticket: str

    effect = State.reveal_ticket


class TicketsRevealed(Event):
    """All tickets are face up, seat by seat: the last turn is over (S6), or they are open to all.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}, "tickets": [["Paris", "Wien"]]}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "turns_left": 1, "players": players})
    >>> game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))[-2]
    TicketsRevealed(tickets=(('paris-wien',), ()))
    """

    tickets: tuple[tuple[str, ...], ...]

    effect = State.reveal_tickets


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


# -- routes, tunnels, tickets --------------------------------------------------------------------------


class RouteClaimed(Event):
    """A seat claimed a route and scored its points (C4).

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players})
    >>> events = game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3}))
    >>> next(event for event in events if isinstance(event, RouteClaimed))
    RouteClaimed(seat=0, route='frankfurt-paris-white', points=4)
    """

    seat: int
    route: str
    points: int


class RoutePointsScored(Event):
    """A seat scored points for a route that another seat claimed (see the hook `claim_points`), or for routes in a table.

    >>> import ttr_rules as ttr
    >>> state = ttr.new_game("europe", players=2, seed=1).state
    >>> RoutePointsScored(seat=1, points=2).apply(state)
    >>> state.scores
    [0, 2]
    """

    seat: int
    points: int
    route: str | None = None

    def apply(self, state: State) -> None:
        state.scores[self.seat] += self.points


class RouteShared(Event):
    """A seat claimed a route that is already held, and holds it as well from then on, for all purposes.

    It takes the train cars of the route from this seat, unless it is `free`: `tx.emit(RouteShared, seat, route, points, True)`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> RouteShared(1, "paris-zurich-gray", 4).apply(state)
    >>> state.owners, state.routes_of(0) == state.routes_of(1), state.cars
    ({'paris-zurich-gray': 0}, True, [42, 42])
    """

    seat: int
    route: str
    points: int
    free: bool = False

    def apply(self, state: State) -> None:
        network = state.rules.network
        number = network.route_number[self.route]
        problem = ""
        if state.owner[number] == self.seat or state.shares(self.seat, number):
            problem = "it holds that already"
        elif state.owner[number] == FREE:
            problem = "nobody holds it"
        elif not self.free and state.cars[self.seat] < network.cars[number]:
            problem = "it has too few cars"
        if problem:
            raise PluginError(f"a plugin of {state.rules} lets seat {self.seat} share {self.route}: {problem}")
        state.shared[number] = (*state.shared.get(number, ()), self.seat)
        state.apart = None
        state.scores[self.seat] += self.points
        if not self.free:
            state.cars[self.seat] -= network.cars[number]
            if state.rules.fleet_of:
                use_pieces(state, self.seat, number)
        recount(state, self.seat)


class RouteFreed(Event):
    """A seat lost a route that it owned, and got the train cars back: anybody may claim it again.

    Seats that shared the route lose it, too, and get nothing back. See `Transaction.free_route`.

    >>> import ttr_rules as ttr
    >>> players = [{"name": "Ada", "routes": [["Paris", "Zürich"]]}, {"name": "Bo"}]
    >>> state = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": players}).state
    >>> RouteFreed(0, "paris-zurich-gray", 4).apply(state)
    >>> state.owners, state.cars, state.scores
    ({}, [45, 45], [0, 0])
    """

    seat: int
    route: str
    points: int

    def apply(self, state: State) -> None:
        number = state.rules.network.route_number[self.route]
        if self.seat == FREE or state.owner[number] != self.seat:
            raise PluginError(
                f"a plugin of {state.rules} lets seat {self.seat} give back {self.route}, which it does not own"
            )
        free_route(state, self.seat, number)
        state.scores[self.seat] -= self.points


class CarsUsed(Event):
    """A seat removed train cars from the game, in addition to those of a route.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.use_cars(seat=0, cars=2)
    >>> tx.log, tx.state.cars
    ([CarsUsed(seat=0, cars=2)], [43, 45])
    """

    message = "{seat} gives up {cars:car}"

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        before = state.cars[seat]
        state.cars[seat] = before - cars
        close_long(state, seat, before)


class CarsReturned(Event):
    """A seat got train cars back that were removed from the game.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.use_cars(seat=0, cars=2)
    >>> tx.return_cars(seat=0, cars=1)
    >>> tx.log[1], tx.state.cars
    (CarsReturned(seat=0, cars=1), [44, 45])
    """

    message = "{seat} takes back {cars:car}"

    seat: int
    cars: int

    @staticmethod
    def effect(state: State, seat: int, cars: int) -> None:
        state.cars[seat] += cars
        recount(state, seat)


class RouteCarsChanged(Event):
    """The claim that follows takes another number of train cars than the route usually does (see `Variant.claim_cars`).

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class ShortTrains(Variant, name="short-trains"):
    ...     @hookimpl
    ...     def claim_cars(self, state, seat, route, cars):
    ...         return 1
    >>> players = [{"name": "Ada", "hand": {"white": 3}}, {"name": "Bo"}]
    >>> game = ttr.arrange(ttr.compile_rules("europe", ShortTrains), {"seed": 1, "players": players})
    >>> [event for event in game.play(ttr.ClaimRoute(0, "frankfurt-paris-white", {"white": 3})) if hasattr(event, "cars")]
    [RouteCarsChanged(seat=0, route='frankfurt-paris-white', cars=1)]
    >>> game.state.part(CarsOnRoutes).on, game.state.cars
    ({'frankfurt-paris-white': 1}, [44, 45])
    """

    message = "with {cars:with car}"  # part of the sentence about the claim

    seat: int
    route: str
    cars: int

    @staticmethod
    def effect(state: State, seat: int, route: str, cars: int) -> None:
        state.part(CarsOnRoutes).on[route] = cars
        state.cars[seat] += state.rules.route_cars[route] - cars


class FleetsSet(Event):
    """A seat has these pieces left, by kind, after choosing its fleets or exchanging pieces.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Variant, hookimpl
    >>> class Ships(Variant, name="ships"):
    ...     @hookimpl
    ...     def components(self, below, board):
    ...         return ttr.model.Components(fleets={"train": 25, "ship": 15})
    >>> state = ttr.new_game("europe", Ships, players=2, seed=1).state
    >>> FleetsSet(0, Counts({"train": 30, "ship": 10})).apply(state)
    >>> state.left(0, "ship"), state.left(1, "ship")
    (10, 15)
    """

    message = "{seat} has {left} left"

    seat: int
    left: Counts

    def apply(self, state: State) -> None:
        state.part(Fleets).left[self.seat] = {kind: self.left[kind] for kind in state.rules.components.fleets}
        state.cars[self.seat] = self.left.total
        recount(state, self.seat)


class PointsScored(Event):
    """A seat scored points during play, under the name of a scoring term.

    >>> import ttr_rules as ttr
    >>> from ttr_rules.plugins import Transaction
    >>> tx = Transaction(ttr.new_game("europe", players=2, seed=1).state, [])
    >>> tx.score(seat=0, points=4, term="mountains")
    >>> tx.log, tx.state.points
    ([PointsScored(seat=0, term='mountains', points=4)], {'mountains': [4, 0]})
    """

    message = "{seat} scores {points} for {term}"

    seat: int
    term: str
    points: int

    @staticmethod
    def effect(state: State, seat: int, term: str, points: int) -> None:
        state.points.setdefault(term, [0] * state.players)[seat] += points


class PiecesSpent(Event):
    """A seat pays with pieces of an economy layer, or lays them for a tunnel. The layer's `spend` takes them.

    >>> PiecesSpent(0, Counts(coin=1))
    PiecesSpent(seat=0, pieces=Counts(coin=1))
    """

    seat: int
    pieces: Counts


class TunnelEntered(Event):
    """A tunnel costs extra: its player must pay `extra` or abandon it (T4). `sold_by` is that of `TunnelDue`.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> entered = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))[-1]
    >>> entered.revealed, entered.extra.spaces
    (('red', 'blue', 'green'), 1)
    """

    seat: int
    route: str
    laid: Counts
    revealed: tuple[str, ...]
    extra: Cost
    sold_by: str = field(default="", repr=False)


class TunnelAbandoned(Event):
    """A seat abandoned a tunnel (T4).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "draw_pile": ["red", "blue", "green"], "players": [
    ...     {"name": "Ada", "hand": {"red": 4}}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.ClaimRoute(0, "paris-zurich-gray", {"red": 3}))
    >>> TunnelAbandoned(0, "paris-zurich-gray") in game.play(ttr.AbandonTunnel(0)), game.state.owners
    (True, {})
    """

    seat: int
    route: str


class TicketsDrawn(Event):
    """A seat drew tickets from the top of the pile and must choose which to keep (K1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> drawn = game.play(ttr.DrawTickets(0))[0]
    >>> drawn
    TicketsDrawn(seat=0, tickets=('zurich-brindisi', 'paris-wien', 'zurich-budapest'))
    >>> drawn.seen_by(1)
    SeenEvent(TicketsDrawn(seat=0, tickets=Unknown(count=3)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    effect = State.tickets_drawn


class TicketsKept(Event):
    """A seat kept some of the tickets it had drawn (K1).

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> events = game.play(ttr.KeepTickets(0, ["paris-wien"]))
    >>> next(event.seen_by(1) for event in events if isinstance(event, TicketsKept))
    SeenEvent(TicketsKept(seat=0, tickets=Unknown(count=1)))
    """

    seat: int
    tickets: tuple[str, ...] | Unknown = secret("seat")

    effect = State.hold_tickets


class TicketsReturned(Event):
    """Tickets that were not kept went under a pile (K2). Which ones, and their order, are secret.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> _ = game.play(ttr.DrawTickets(0))
    >>> events = game.play(ttr.KeepTickets(0, ["paris-wien"]))
    >>> next(event.seen_by(0) for event in events if isinstance(event, TicketsReturned))
    SeenEvent(TicketsReturned(pile='regular', tickets=Unknown(count=2)))
    """

    pile: str
    tickets: tuple[str, ...] | Unknown = secret()

    effect = State.tickets_returned


@frozen(repr=False)
class Played:
    """The result of playing an action on a state: the new state and the events.

    >>> import ttr_rules as ttr
    >>> game = ttr.arrange(None, {"stack": ["europe"], "seed": 1, "players": [{"name": "Ada"}, {"name": "Bo"}]})
    >>> played = game.rules.play(game.state, ttr.DrawTickets(0))
    >>> [type(event).__name__ for event in played.events], played.state.pending[0].seat
    (['TicketsDrawn'], 0)
    """

    state: State
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        return cut(f"<Played: {', '.join(type(event).__name__ for event in self.events)}; {self.state!r}>")
