"""Checks of the course of a game, its events, and the values used in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

import attrs

from ttr_rules import State
from ttr_rules.engine import advance
from ttr_rules.events import DecisionOpened, Event, ExtraTurnBegun, GameEnded, TurnBegun, TurnEnded
from ttr_rules.model import Action, Decision, Turn
from ttr_rules.play import new_game
from ttr_rules.reading import is_list, is_table
from ttr_rules.saves import converter
from ttr_tools.testing.check_numbers import counted
from ttr_tools.testing.compare import differing
from ttr_tools.testing.game_run import Check, GameRun, some_of
from ttr_tools.testing.names import class_name, owner_of, raised, rule_name, short
from ttr_tools.testing.problems import CheckFailed

#: More actions than any turn has.
MOST_IN_TURN = 100


class CourseCheck(Check):
    """Until the game is over a decision is pending and has a legal answer, and every game ends."""

    name = "course"
    claim = "somebody is asked, and can answer, until the game is over"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.in_turn: list[type[Any]] = []

    def start(self) -> None:
        self._look(())

    def before(self, action: Action) -> None:
        self._asked = self.game.decision(action.seat)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self._look(events)
        self._goes_on(action, events)

    def _goes_on(self, action: Action, events: Sequence[Event]) -> None:
        """Pending decisions can be answered, answered ones are closed, and every turn ends."""
        for event in events:
            lost = event.decision if isinstance(event, DecisionOpened) else None
            if lost is not None and not isinstance(lost, Turn) and lost not in self.game.state.pending:
                raise CheckFailed(
                    f"{short(lost)} is asked after {short(action)}, and the turn goes on before it is answered: `after` "
                    "asks nothing; return the question from perform, or from a hook such as on_claim"
                )
        if any(isinstance(event, TurnBegun | TurnEnded) for event in events):
            self.in_turn = []
            return
        extra_turns = [ExtraTurnBegun for event in events if isinstance(event, ExtraTurnBegun)]
        self.in_turn += extra_turns or [type(self._asked)]
        if len(self.in_turn) > MOST_IN_TURN:
            extra = self.in_turn.count(ExtraTurnBegun)
            often = max(dict.fromkeys(self.in_turn), key=self.in_turn.count)
            what = (
                f"seat {action.seat} had {extra} extra turns in succession: grant_turn must run out"
                if often is ExtraTurnBegun
                else f"{often.__name__} is asked again and again: what {rule_name(self.rules, self._asked, action)} allows must run out"
            )
            raise CheckFailed(f"a turn does not end; {len(self.in_turn)} actions were played in it. {what}")

    def _look(self, events: Sequence[Event]) -> None:
        game = self.game
        asked = game.to_act
        if len(set(asked)) < len(asked) or not set(asked) <= set(range(self.game_run.players)):
            raise CheckFailed(f"seats {list(asked)} are asked: a seat is asked one thing at a time, and must exist")
        for seat in range(self.game_run.players):
            decision = game.decision(seat)
            if seat not in asked:
                if len(game.legal_actions(seat)):
                    raise CheckFailed(f"seat {seat} is not asked, but has legal actions")
                continue
            if decision is None or type(decision) not in self.rules.answers:
                raise CheckFailed(
                    f"seat {seat} is asked {type(decision).__name__}, which no action rule answers: give a rule with "
                    f"on = {type(decision).__name__} to the hook actions"
                )
            if not self._legal(seat, decision):
                rules = ", ".join(
                    class_name(type(rule)) for rule in self.rules.answers[type(decision)].by_action.values()
                )
                raise CheckFailed(
                    f"seat {seat} is asked {short(decision)} but has no legal action: let {rules} offer something, or do "
                    "not ask when there is nothing to answer"
                )
        if not asked and events and not any(isinstance(event, GameEnded) for event in events):
            raise CheckFailed("nobody is asked any more, but the game did not end: finish with end_turn(tx, seat)")

    def _legal(self, seat: int, decision: Decision) -> int:
        """How many actions are legal; where that cannot be told, which rule is at fault."""
        try:
            return len(self.game.legal_actions(seat))
        except Exception:
            for rule in self.rules.answers[type(decision)].rules:
                counted(rule, self.game.state, decision)
            raise


class CountsCheck(Check):
    """No number of a part that is above zero when the game begins falls below it."""

    name = "counts"
    claim = "no count in a part falls below zero"

    def start(self) -> None:
        self.begun = {name: count for name, count in self._counts() if count > 0}

    def before(self, action: Action) -> None:
        self._asked = self.game.decision(action.seat)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        for name, count in self._counts():
            if count < 0 < self.begun.get(name, 0):
                raise CheckFailed(
                    f"{name} is {count} after {short(action)}, played by {rule_name(self.rules, self._asked, action)}; when the "
                    f"game began it was {self.begun[name]}: more was taken than there was. Let offers and refusal, or the hook "
                    "that asks, look at what is left"
                )

    def _counts(self) -> Iterator[tuple[str, int]]:
        """The numbers in the fields of all parts, by themselves, in lists or in tables, with where they are."""
        for kind, part in self.game.state.parts.items():
            for field in attrs.fields(kind) if attrs.has(kind) else ():
                value: object = getattr(part, field.name)
                name = f"{class_name(kind)}.{field.name}"
                if type(value) is int:
                    yield name, value
                elif is_list(value):
                    yield from ((f"{name}[{place}]", each) for place, each in enumerate(value) if type(each) is int)
                elif is_table(value):
                    yield from ((f"{name}[{key!r}]", each) for key, each in value.items() if type(each) is int)


class EventsCheck(Check):
    """The events rebuild the state: only their effects change it."""

    name = "events"
    claim = "folding the events gives the same state"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.shadow = State(self.rules, game_run.players, self.game.state.chance)

    def start(self) -> None:
        self._fold(self.game.events, "the set-up")

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self._fold(events, f"{short(action)}, played by {rule_name(self.rules, self._asked, action)}")

    def before(self, action: Action) -> None:
        self._asked = self.game.decision(action.seat)

    def _fold(self, events: Iterable[Event], after: str) -> None:
        applied: list[str] = []
        for event in events:
            applied.append(type(event).__name__)
            try:
                event.apply(self.shadow)
            except Exception as error:
                raise CheckFailed(
                    f"the effect of {class_name(type(event))} cannot be applied to the state before it: {raised(error)}"
                ) from error
        state = self.game.state
        self.shadow.chance_calls = state.chance_calls
        if self.shadow != state:
            where = differing(state, self.shadow, "in the game", "when its events are folded")
            raise CheckFailed(
                f"after {after}, the events ({', '.join(applied)}) do not tell all that happened: {where}. Something "
                "changed the state outside an effect, or an effect uses more than its own fields: change state by "
                "tx.emit(Event, …) alone"
            )

    def end(self) -> None:
        """The same must happen if no events are kept."""
        game = new_game(rules=self.rules, players=self.game_run.players, seed=self.game_run.seed)
        state = game.state
        for number, move in enumerate(self.game.moves[1:], start=1):
            assert move.action is not None
            advance(state, move.action)
            if state.chance_calls != move.chance_calls:
                raise CheckFailed(
                    f"chance is asked {state.chance_calls} times up to action {number} when nobody keeps events, else "
                    f"{move.chance_calls} times: no rule may look at tx.log"
                )
        if state != self.game.state:
            where = differing(self.game.state, state, "with events", "without")
            raise CheckFailed(
                f"played without keeping events, the game ends differently: {where}; no rule may look at tx.log"
            )


class ValuesCheck(Check):
    """Actions, decisions and events are frozen values of registered types, and survive JSON."""

    name = "values"
    claim = "every action, decision and event is a registered, frozen value that JSON keeps"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.known = set(self.rules.types.values())
        self.json = converter(self.rules)

    def start(self) -> None:
        self._look([*self.game.events, *self.game.state.pending])

    def before(self, action: Action) -> None:
        self._action(action)
        firsts: dict[type[Action], Action] = {}
        for each in some_of(self.game.legal_actions(action.seat)):
            firsts.setdefault(type(each), each)
        for each in firsts.values():
            self._action(each)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self._look([*events, *self.game.state.pending])

    def _look(self, values: Iterable[object]) -> None:
        for value in values:
            if isinstance(value, Decision | Event):
                self._value(value, Decision if isinstance(value, Decision) else Event)

    def _action(self, action: Action) -> None:
        self._value(action, Action)
        name = class_name(type(action))
        try:
            hash(action)
        except TypeError as error:
            raise CheckFailed(
                f"{name} cannot be hashed ({error}): its fields must be values such as ids, numbers, tuples and Counts; "
                "give a field a converter (to_counts, tuple)"
            ) from error
        other = attrs.evolve(action)
        if other != action or hash(other) != hash(action) or attrs.evolve(action, seat=action.seat + 1) == action:
            raise CheckFailed(
                f"two equal {name} do not compare and hash equal, or unequal ones do: write @frozen above it"
            )

    def _value(self, value: Any, base: type[Any]) -> None:
        kind = cast("Any", type(value))
        name = class_name(kind)
        if kind not in self.known:
            raise CheckFailed(self._unregistered(kind, base))
        if not attrs.has(kind) or "__attrs_attrs__" not in vars(kind):
            raise CheckFailed(f"{name} is no class of its own to attrs: write @frozen above it")
        if attrs.fields(kind):
            first = attrs.fields(kind)[0].name
            try:
                setattr(value, first, getattr(value, first))
            except attrs.exceptions.FrozenError:
                pass
            else:
                raise CheckFailed(f"{name} can be changed after it was made: write @frozen (attrs) above it")
        try:
            text = json.dumps(self.json.unstructure(value))
            again = self.json.structure(json.loads(text), base)
        except Exception as error:
            raise CheckFailed(
                f"{name} of {owner_of(self.rules, kind)} cannot be saved: {type(error).__name__}: {error}. Its fields "
                "must be annotated with what they hold: str, int, bool, Counts, tuples of these, decisions"
            ) from error
        if again != value:
            raise CheckFailed(f"{name} is not the same after saving: {short(value)} became {short(again)}")

    def _unregistered(self, kind: type[Any], base: type[Any]) -> str:
        name = class_name(kind)
        if base is Event:
            return (
                f"the event {name} belongs to no plugin: define it in the module or package of the plugin that emits it"
            )
        what = "action" if base is Action else "decision"
        return f"the {what} {name} belongs to no action rule: give the rule that answers with it to the hook actions"
