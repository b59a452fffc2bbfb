"""Checks of play: its course, events, values, points, copies, saved games, messages and pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from ttr_rules import ClaimRoute, Pass, State
from ttr_rules.clients import Update, json_schema, read_server_message, to_json
from ttr_rules.engine import RuleEntry, advance, legal_actions, open_routes, running_scores
from ttr_rules.errors import PluginError
from ttr_rules.events import (
    DecisionOpened,
    Event,
    ExtraTurnBegun,
    GameEnded,
    RouteClaimed,
    RouteFreed,
    RoutePointsScored,
    RouteShared,
    TurnBegun,
    TurnContinued,
    TurnEnded,
)
from ttr_rules.hidden import missing, tickets_out_of_the_game
from ttr_rules.model import Action, Decision, SeededChance, Turn
from ttr_rules.parts import exposed_fields, part_fields
from ttr_rules.play import Game, new_game
from ttr_rules.plugins import Unkept
from ttr_rules.reading import is_list, is_table
from ttr_rules.saves import converter, dumps, loads
from ttr_rules.text import closest
from ttr_rules.train_cards.piles import POOL as CARDS
from ttr_tools.testing.names import (
    class_name,
    describe_difference,
    full_text,
    is_core,
    part_values,
    rule_name,
    short,
    state_texts,
    view_difference,
)
from ttr_tools.testing.payments import Payments
from ttr_tools.testing.runs import LAST_TURNS, Check, CheckFailed, blaming, cannot_be_played, play_through

#: More actions than any turn has, and more extra turns or goings-on (`acts_again`) than a seat has in succession.
MOST_IN_TURN, MOST_EXTRA_TURNS = 100, 30
#: More actions than a free one can be repeated in a turn, and how many actions apart it is tried.
MOST_REPEATED, REPEATED_EVERY = 200, 16
#: So many values of a type are saved.
MOST_SAVED = 50


class CourseCheck(Check):
    """Until the game is over a decision is pending and has a legal answer, and every game ends."""

    name = "course"

    def start(self) -> None:
        self.in_turn: list[type[object]] = []

    def before(self, action: Action) -> None:
        if self.run.number % REPEATED_EVERY == 0 or self.run.is_first:
            self._repeat(action.seat)
        if self.run.position == LAST_TURNS and isinstance(self.run.asked, Turn):
            self._play_one_of_each(action.seat)

    def _play_one_of_each(self, seat: int) -> None:
        """One action of each type can be played, with what follows it, and a claim of each length and kind of route."""
        one_of_each: dict[object, Action] = {}
        for action in self.run.sample_legal_actions(seat):
            route = self.rules.board.routes[action.route] if isinstance(action, ClaimRoute) else None
            sort = None if route is None else (route.length, route.tunnel, route.ferry_locomotives > 0)
            one_of_each.setdefault((type(action), sort), action)
        for action in one_of_each.values():
            state = self.run.before.copy()
            try:
                play_through(state, action)
            except Exception as error:
                raise CheckFailed(cannot_be_played(self.game, action, error)) from error

    def after(self, events: Sequence[Event]) -> None:
        self._look(events)
        state, action = self.game.state, self.run.action
        asked = [*state.pending, *chain.from_iterable(item.pending for item in state.todo)]
        for event in events:
            lost = event.decision if isinstance(event, DecisionOpened) else None
            if lost is not None and not isinstance(lost, Turn) and lost not in asked:
                raise CheckFailed(
                    f"{short(lost)} is asked after {short(action)}, and the turn goes on before it is answered: "
                    "return the question from `after`, from perform, or from a hook such as on_claim"
                )
        if any(isinstance(event, TurnBegun | TurnEnded) for event in events):
            self.in_turn = []
            return
        more = [type(event) for event in events if isinstance(event, ExtraTurnBegun | TurnContinued)]
        self.in_turn += more or [type(self.run.asked)]
        extra, continued = self.in_turn.count(ExtraTurnBegun), self.in_turn.count(TurnContinued)
        if len(self.in_turn) <= MOST_IN_TURN and max(extra, continued) <= MOST_EXTRA_TURNS:
            return
        often, rule = max(self.in_turn, key=self.in_turn.count), rule_name(self.rules, self.run.asked, action)
        what = f"{often.__name__} is asked again and again: what {rule} allows must run out"
        if extra > MOST_EXTRA_TURNS:
            what = f"seat {action and action.seat} had {extra} extra turns in succession: tx.grant_turn must run out"
        elif continued > MOST_EXTRA_TURNS:
            plugins = " or ".join(repr(plugin) for plugin, _ in self.rules.acts_again)
            what = f"acts_again of {plugins} was True {continued} times: it must become False during a turn"
        raise CheckFailed(f"a turn does not end; {len(self.in_turn)} actions were played in it. {what}")

    def _repeat(self, seat: int) -> None:
        """An action that lets its seat go on cannot be repeated without end, nor can an answer to a plugin's question."""
        decision = self.run.asked
        if decision is None or type(decision) not in self.rules.answers:
            return
        if not is_core(type(decision)):
            for place in (0, -1, -2):  # to decline is the last
                self._repeat_answer(decision, place)
            return
        entries = self.rules.answers[type(decision)].entries
        self._repeat_several([entry for entry in entries if entry.rule.free], seat)
        for entry in entries:
            action = entry.rule.action
            if (
                entry.rule.free
                or not is_core(type(entry.rule))
                or (action is Pass and Pass in self.rules.around_actions)
            ):
                self._repeat_action(entry, decision, seat)

    def _repeat_several(self, entries: Sequence[RuleEntry], seat: int) -> None:
        """Play free actions of several rules, any that is legal, for as long as the turn lasts: one may undo another."""
        if len(entries) < 2:
            return
        after, turn = self.run.before.copy(), self.run.before.turn_number
        random, often = Random(self.run.number), Counter[str]()
        for _ in range(MOST_REPEATED):
            asked = after.decision(seat)
            if asked is None or after.turn_number != turn:
                return
            if not is_core(type(asked)):
                advance(after, legal_actions(after, seat)[0])
                continue
            legal = [(entry, count) for entry in entries if (count := entry.legal.count(after, seat))]
            if type(asked) is not type(self.run.asked) or not legal:
                return
            entry, count = random.choice(legal)
            advance(after, entry.action(after, seat, entry.legal.nth(after, seat, random.randrange(count))))
            often[entry.rule.action.__name__] += 1
        raise CheckFailed(
            f"{' and '.join(sorted(often))} are free and can be repeated without end: {often.total()} of them were played in one turn of "
            f"seat {seat}. One undoes the other: let something run out, or keep in a part how often they were used"
        )

    def _repeat_action(self, entry: RuleEntry, decision: Decision, seat: int) -> None:
        """Play the first action of a rule for as long as the seat may, in extra turns and those that `next_seat` gives it too."""
        rule, after, before = entry.rule, self.run.before.copy(), self.run.before
        times = next_ones = 0
        for _ in range(MOST_REPEATED):
            asked, extra = after.decision(seat), after.turns_granted - before.turns_granted
            next_ones = after.turn_number - before.turn_number - extra
            if asked is None or not (rule.free or type(asked) is type(decision) or extra or next_ones):
                return
            if next_ones > 0 and self.run.players == 1:
                return
            if extra > MOST_EXTRA_TURNS and times > MOST_EXTRA_TURNS // 2:
                break
            times += type(asked) is type(decision)
            if type(asked) is not type(decision):  # it has asked a question
                advance(after, legal_actions(after, seat)[0])
            elif entry.legal.count(after, seat):
                advance(after, entry.action(after, seat, entry.legal.nth(after, seat, 0)))
            else:
                return
        played = f"{rule.action.__name__} was played {times} times"
        what = "Pass" if rule.action is Pass else class_name(type(rule))
        if next_ones > 0:
            plugins = " or ".join(repr(plugin) for plugin, _ in self.rules.next_seat)
            raise CheckFailed(
                f"{what} can be repeated without end: {played} in turns that next_seat of {plugins} gave seat {seat} in succession. Let "
                "it give the turn to another seat in the end"
            )
        if after.turns_granted != before.turns_granted:
            raise CheckFailed(
                f"{what} can be repeated without end: {played} in extra turns of seat {seat}. Limit how often tx.grant_turn is called"
            )
        raise CheckFailed(
            f"{what} is free and can be repeated without end: {played} in one turn of seat {seat}. Let offers and refusal end "
            "it: pay for it, or keep in a part how often it was used"
        )

    def _repeat_answer(self, decision: Decision, place: int) -> None:
        """Give the answer at a place for as long as seats are asked a plugin's questions, in extra turns too."""
        after, before, kind = self.run.before.copy(), self.run.before, type(decision)
        answers = list[Action]()
        for _ in range(MOST_REPEATED):
            extra = after.turns_granted - before.turns_granted
            if len(after.pending) != 1:  # of several, who bid again after a tie, one may stop
                return
            asked = after.pending[0]
            if (is_core(type(asked)) and not extra) or after.turn_number - before.turn_number > extra:
                return
            try:
                choices = legal_actions(after, asked.seat)
                action = choices[0 if is_core(type(asked)) else place % len(choices)]
                advance(after, action)
            except Exception:
                return  # it is told when the answer is played
            if type(asked) is kind:
                answers.append(action)
        if len(answers) <= MOST_EXTRA_TURNS // 2:
            return
        seats, what = {answer.seat for answer in answers}, "it is asked again"
        where = "one seat" if len(seats) == 1 else f"{len(seats)} seats"
        if after.turns_granted != before.turns_granted:
            where, what = f"{where} in extra turns", "tx.grant_turn is called"
        raise CheckFailed(
            f"{kind.__name__} is asked again and again: {type(answers[0]).__name__} was played {len(answers)} times in answer "
            f"to it by {where}. Limit how often {what}"
        )

    def _look(self, events: Sequence[Event]) -> None:
        asked = self.game.to_act
        if len(set(asked)) < len(asked) or not set(asked) <= set(range(self.run.players)):
            raise CheckFailed(f"seats {list(asked)} are asked: a seat is asked one thing at a time, and must exist")
        for seat in asked:
            decision = self.game.decision(seat)
            if decision is None or type(decision) not in self.rules.answers:
                raise CheckFailed(
                    f"seat {seat} is asked {type(decision).__name__}, which no action rule answers: give an "
                    f"ActionRule[{type(decision).__name__}, …] to the hook actions"
                )
            answers = self.rules.answers[type(decision)]
            if not self.game.legal_actions(seat):
                rules = ", ".join(class_name(type(rule)) for rule in answers.by_action.values())
                raise CheckFailed(
                    f"seat {seat} is asked {short(decision)} but has no legal action: let {rules} offer something, or do "
                    "not ask when there is nothing to answer"
                )
        if not asked and events and not any(isinstance(event, GameEnded) for event in events):
            raise CheckFailed(
                "nobody is asked any more, but the game did not end: a rule with ends_itself = True must end the turn or ask something"
            )


def check_boxes(state: State, complete_pools: Container[str], what: str) -> None:
    """No pool has more than is in the box. One that begins with all of it never has less."""
    for pool, items in missing(state).items():
        for item, count in items.items():
            if count > 0 and pool not in complete_pools:
                continue  # what is not dealt lies in the box
            if count > 0:
                cards = (
                    "; cards go into a hand with CardPiles.give, and from there to the discards with TrainCards.discard"
                )
                raise CheckFailed(
                    f"after {what}, {count} × {short(item)} of the pool {pool!r} is nowhere: what leaves a field goes into another "
                    f'one with pool="{pool}"{cards if pool == CARDS else ""}'
                )
            raise CheckFailed(
                f"after {what}, there is {-count} × {short(item)} more than the box of the pool {pool!r} has: what comes into "
                "a field is taken out of another"
            )


class CountsCheck(Check):
    """Numbers of parts that start above zero never fall below it, the box loses nothing, cars and open routes agree."""

    name = "counts"

    def start(self) -> None:
        # A number that is below zero in a new game, such as -1 for no seat, may be below zero again. So may one that begins at
        # 0, unless its field has a key, since positions cannot write a number below zero.
        new = {name: count for name, count, _ in counts(State(self.rules, self.run.players, SeededChance(0)))}
        self.begun = {
            name: count
            for name, count, has_key in counts(self.game.state)
            if count >= (0 if has_key else 1) and new.get(name, 0) >= 0
        }
        self.boxed: int | None = None
        self.payments = Payments(self.run)

    def after(self, events: Sequence[Event]) -> None:
        own = ", ".join(dict.fromkeys(class_name(type(event)) for event in events if not is_core(type(event))))
        what = f"{self.run.told}, with the events {own}" if own else self.run.told
        for name, count, _ in counts(self.game.state):
            if count < 0 <= self.begun.get(name, -1):
                raise CheckFailed(
                    f"{name} is {count} after {what}; at the beginning it was {self.begun[name]}: more was taken than there "
                    "was. Let offers and refusal, or the hook that asks, look at what is left, and keep what is owed in a field of its own"
                )
        check_boxes(self.game.state, self.run.complete_pools, what)
        self._tickets(what)
        self._routes(what)
        self.payments.follow(events, what)

    def _routes(self, what: str) -> None:
        """The cars are those of the fleets, and the routes known to be open are those that are."""
        state = self.game.state
        fleets = self.rules.components.fleets
        check_cars(state, what)
        for seat, cars in enumerate(state.cars):
            pieces = sum(state.left(seat, kind) for kind in fleets)
            if fleets and pieces != cars:
                raise CheckFailed(
                    f"after {what}, seat {seat} has {cars} cars, but {pieces} pieces in its fleets: say what is left with tx.set_fleets"
                )
        if state.open != open_routes(state):
            raise CheckFailed(
                f"after {what}, the state lists routes as open that are not, or does not know that others are: an effect changed "
                "state.owner or state.cars itself. Use tx.free_route, tx.use_cars or tx.set_fleets"
            )

    def _tickets(self, what: str) -> None:
        """After the set-up no ticket leaves the game, unless the rules put those that are not kept into the box."""
        state = self.game.state
        if state.stage < len(self.rules.setup) or self.rules.draw_counts.unkept is Unkept.BOX:
            return
        boxed = tickets_out_of_the_game(state)
        if self.boxed is not None and boxed > self.boxed:
            raise CheckFailed(
                f'after {what}, a ticket more than before is nowhere: what leaves a pile or a field with pool="tickets" goes to '
                "another one, to a seat with state.give_ticket, or back with state.return_ticket"
            )
        self.boxed = boxed


def check_cars(state: State, what: str) -> None:
    """Raise `CheckFailed` if a seat has fewer than no cars."""
    for seat, cars in enumerate(state.cars):
        if cars < 0:
            raise CheckFailed(
                f"after {what}, seat {seat} has {cars} cars: more was taken than there was. tx.use_cars takes no more than are left"
            )


def counts(state: State) -> Iterator[tuple[str, int, bool]]:
    """The numbers in the fields of all parts, except seats, with where they are, and whether the field has a key.

    They stand by themselves, in lists or in tables.
    """
    for kind, field, value in part_values(state):
        declared = part_fields(kind).get(field)
        if declared is not None and declared.seats:
            continue
        entries = enumerate(value) if is_list(value) else value.items() if is_table(value) else ()
        places = [("", value), *((f"[{place!r}]", entry) for place, entry in entries)]
        has_key = declared is not None and bool(declared.key)
        yield from (
            (f"{class_name(kind)}.{field}{place}", entry, has_key) for place, entry in places if type(entry) is int
        )


class EventsCheck(Check):
    """The events rebuild the state: only their effects change it, and they follow from the state alone."""

    name = "events"

    def after(self, events: Sequence[Event]) -> None:
        state, folded = self.game.state, self.run.before.copy()
        for event in events:
            with blaming(f"the effect of {class_name(type(event))} cannot be applied to the state before it"):
                event.apply(folded)
        folded.chance_calls = state.chance_calls
        if folded != state:
            where = describe_difference(state, folded, "in the game", "when its events are folded")
            names = ", ".join(type(event).__name__ for event in events)
            raise CheckFailed(
                f"after {self.run.told}, the events ({names}) do not tell all that happened: {where}. Something "
                "changed the state outside an effect, or an effect uses more than its own fields: change state by "
                "tx.emit(Event, …) alone"
            )
        if self.run.action is None:
            return
        again: list[Event] = []
        advance(self.run.before.copy(), self.run.action, again)
        if again != [*events]:
            raise CheckFailed(
                f"{self.run.told}, has other effects when it is played once more in the same position: something depends on more than "
                "the state, such as the module random, the clock, or what a rule remembers. Chance comes from tx.shuffled and tx.roll"
            )


class ValuesCheck(Check):
    """Actions, decisions and events are values of registered types, and survive JSON."""

    name = "values"

    def start(self) -> None:
        self.known = set(self.rules.types.values())
        self.json = converter(self.rules)
        self.times = Counter[type[object]]()

    def before(self, action: Action) -> None:
        self._look([action, *{type(other): other for other in self.run.sample_legal_actions(action.seat)}.values()])

    def after(self, events: Sequence[Event]) -> None:
        self._look([*events, *self.game.state.pending])

    def _look(self, values: Iterable[Action | Decision | Event]) -> None:
        for value in values:
            kind, name = type(value), class_name(type(value))
            if kind not in self.known:
                raise CheckFailed(self._explain_unregistered(value, name))
            self.times[kind] += 1
            if self.times[kind] > MOST_SAVED:
                continue
            if not is_core(kind):
                try:
                    hash(value)
                except TypeError as error:
                    raise CheckFailed(
                        f"{name} cannot be hashed ({error}): its fields must be values such as ids, numbers, tuples and Counts; "
                        "give a field a converter (to_counts, tuple)"
                    ) from error
            base = next(base for base in (Action, Decision, Event) if isinstance(value, base))
            try:
                again = self.json.structure(json.loads(json.dumps(self.json.unstructure(value))), base)
            except Exception as error:
                tag = next(tag for tag, known in self.rules.types.items() if known is kind)
                raise CheckFailed(
                    f"{name} of plugin {tag.rpartition('.')[0]!r} cannot be saved: {type(error).__name__}: {error}. Its fields "
                    "must be annotated with what they hold: str, int, bool, Counts, tuples of these, decisions"
                ) from error
            if again != value:
                raise CheckFailed(f"{name} is not the same after saving: {short(value)} became {short(again)}")

    def _explain_unregistered(self, value: object, name: str) -> str:
        if isinstance(value, Event):
            return (
                f"the event {name} belongs to no plugin: define it in the module or package of the plugin that emits it"
            )
        what = "action" if isinstance(value, Action) else "decision"
        return f"the {what} {name} belongs to no action rule: give the rule that answers with it to the hook actions"


class ScoresCheck(Check):
    """Points follow from the routes claimed, and the score sheet from the state at the end."""

    name = "scores"

    def start(self) -> None:
        self.points = [0] * self.run.players

    def after(self, events: Sequence[Event]) -> None:
        state = self.game.state
        for event in events:
            if isinstance(event, RouteClaimed | RouteShared | RoutePointsScored):
                self.points[event.seat] += event.points
            elif isinstance(event, RouteFreed):
                self.points[event.seat] -= event.points
        if state.scores != self.points:
            raise CheckFailed(
                f"the event {_own(events)} changes the points of routes, which nobody can tell from its own: score with "
                "tx.score(seat, points, term), and return points_in_play(term) from the hook scoring"
            )
        in_play = [term.name for term in self.rules.scoring_terms if term.in_play]
        for name in state.points:
            if name not in in_play and not _counts_once(state, name):
                near = closest(name, in_play)
                hint = "" if near is None else f"; did you mean {near!r}?"
                raise CheckFailed(
                    f"points are scored in play under {name!r}, for which there is no points_in_play({name!r}) among the "
                    f"scoring terms: they are on no sheet, or another term counts them a second time{hint}"
                )

    def end(self) -> None:
        first, second = self.game.copy(), self.game.copy()
        before = first.state
        sheet, again = first.final_scores, second.final_scores
        if before != first.state:
            where = describe_difference(before, first.state, "before", "after")
            raise CheckFailed(f"counting the scores changed the state: {where}; terms, bonuses and loans only look")
        if sheet is None or sheet != again:
            raise CheckFailed(
                "the score sheet is another one when it is counted again: a term or bonus depends on more than the state"
            )
        for player in sheet.players:
            for route in player.lends.values():
                if self.game.state.owners.get(route, player.seat) == player.seat:
                    raise CheckFailed(f"{route} is lent to seat {player.seat}, but no other player owns it")


def _own(events: Sequence[Event]) -> str:
    """The events of plugins, for a message."""
    names = dict.fromkeys(class_name(type(event)) for event in events if not is_core(type(event)))
    return " or ".join(names) or "of some rule"


def _counts_once(state: State, name: str) -> bool:
    """True if the scores during play contain the points scored under a name exactly once, in whatever term."""
    without = state.copy()
    points = without.points.pop(name)
    with_them, rest = running_scores(state), running_scores(without)
    return all(with_them[seat] - rest[seat] == points[seat] for seat in range(state.players))


def _shares(value: object, other: object) -> bool:
    """True if two values hold the same list, table or set."""
    if value is other and isinstance(value, list | dict | set):
        return True
    if is_list(value) and is_list(other):
        return any(map(_shares, value, other))
    return is_table(value) and is_table(other) and any(_shares(inner, other.get(key)) for key, inner in value.items())


class CopiesCheck(Check):
    """A stored state or view is not changed by later play, nor a game by play on its copy."""

    name = "copies"
    looks = False

    def start(self) -> None:
        for kind in self.rules.part_types:
            one, other = (exposed_fields(kind.start(self.rules, self.run.players)) for _ in range(2))
            for name, value in one.items():
                if _shares(value, other.get(name)):
                    raise CheckFailed(
                        f"{class_name(kind)}.start begins {name!r} with the same list or table in every game, so one game changes the next: "
                        "make a new one each time"
                    )

    def before(self, action: Action) -> None:
        game = self.game
        self.looks = self.run.is_first or self.run.number % 2 == 0
        if not self.looks:
            return
        self.kept = game.state
        self.texts = state_texts(self.kept)
        self.view = game.view(action.seat)
        self.shown = full_text(self.view)
        if self.kept != game.state:
            where = describe_difference(self.kept, game.state, "in one copy", "in another")
            raise CheckFailed(
                f"two copies of a state are not equal: {where}; a part's copy() must keep everything, and value() tell it"
            )
        branch = game.copy()
        other = self.random.choice(branch.legal_actions(action.seat))
        branch.play(other)
        self._check_unchanged(f"playing {short(other)} on a copy changed the game it was copied from")

    def after(self, events: Sequence[Event]) -> None:
        if not self.looks:
            return
        action = self.run.action
        self._check_unchanged(f"playing {short(action)} changed a copy that was made before")
        if full_text(self.view) != self.shown:
            raise CheckFailed(
                f"playing {short(action)} changed a view that was made before: a part's seen_by() must return copies "
                "(tuple(…), dict(…)), not its own lists and tables"
            )

    def _check_unchanged(self, what: str) -> None:
        if (now := state_texts(self.kept)) != self.texts:
            raise CheckFailed(
                f"{what}: {describe_difference(self.texts, now, 'before', 'now')}. copy() of that part must copy its lists and tables, and effects must "
                "not change what is inside values"
            )


class MomentCheck(Check):
    """A property that is looked at after the set-up, after 1, 2, 4, 8 and so on actions, and at the end."""

    def look(self) -> None:
        """Check the game as it is now."""
        raise NotImplementedError

    def after(self, events: Sequence[Event]) -> None:
        if self.run.number.bit_count() < 2:  # after 1, 2, 4, 8 and so on actions: the check takes long
            self.look()

    def end(self) -> None:
        self.look()


class SavingCheck(MomentCheck):
    """A game saved at any time is the same game when loaded, and continues in the same way."""

    name = "saving"

    def start(self) -> None:
        self.resumed: list[Game] = []

    def after(self, events: Sequence[Event]) -> None:
        for other in self.resumed:
            assert self.run.action is not None
            if other.play(self.run.action) != tuple(events):
                raise CheckFailed(
                    f"in a game that was saved and loaded, {short(self.run.action)} gives other events: something that play depends "
                    "on is not in the state, or its order is lost"
                )
        super().after(events)

    def look(self) -> None:
        game = self.game
        with blaming("this game cannot be saved and loaded"):
            text = dumps(game)
            loaded = loads(text, rules=self.rules)
        if loaded != game:
            where = describe_difference(game.state, loaded.state, "in the game", "when it is loaded")
            raise CheckFailed(f"a loaded game is another game: {where}")
        if dumps(loaded) != text:
            raise CheckFailed("a loaded game is saved as another text: a field's order is not stable")
        for seat in game.to_act:
            if where := self.other_offer(seat, loaded.legal_actions(seat)):
                raise CheckFailed(f"{where}: a loaded game offers other actions, or in another order: sort them")
        self.resumed = [*self.resumed[-1:], loaded]

    def end(self) -> None:
        super().end()
        for other in self.resumed:
            if other.final_scores != self.game.final_scores:
                raise CheckFailed("a game that was saved and loaded ends with another score sheet")


class ReplayCheck(Check):
    """The same seed and the same actions give the same game, whether its events are kept or not."""

    name = "replay"

    def end(self) -> None:
        game = self.game
        again = new_game(rules=self.rules, players=self.run.players, seed=self.run.seed)
        without_log = again.state
        cause = (
            "chance must come from tx.shuffled and tx.roll alone, and what is remembered must be in a part of the state"
        )
        if again.events != game.moves[0].events:
            raise CheckFailed(f"the same seed gives another set-up the second time: {cause}")
        for number, move in enumerate(game.moves[1:], start=1):
            action = move.action
            assert action is not None
            name = rule_name(self.rules, again.decision(action.seat), action)
            told = f"{name}: played a second time, action {number}, {short(action)},"
            if (refused := again.refusal(action)) is not None:
                raise CheckFailed(f"{told} is refused ({refused}): {cause}")
            if again.play(action) != move.events:
                raise CheckFailed(f"{told} gives other events: {cause}")
            advance(without_log, action)
            if without_log.chance_calls != move.chance_calls or (number == game.played and without_log != game.state):
                where = describe_difference(again.state, without_log, "with events", "without")
                raise CheckFailed(
                    f"{told} goes on differently if no events are kept: {where}; no rule may look at tx.log"
                )


class ClientsCheck(MomentCheck):
    """Updates come back from JSON as they went, for each seat: views with their parts, events, offers."""

    name = "clients"

    def start(self) -> None:
        try:
            json_schema(self.rules)
        except PluginError as error:
            raise CheckFailed(f"clients cannot be told the types of this stack: {error}") from error

    def look(self) -> None:
        game = self.game
        for seat in (None, *range(len(game.players))):
            update = Update.of(game, seat, since=max(game.played - 1, 0))
            cure = "; a part's fields and the return type of its seen_by say what is sent"
            with blaming(f"what seat {seat} sees cannot be sent to a client and read there", cure):
                read = read_server_message(self.rules, json.dumps(to_json(self.rules, update)))
            assert isinstance(read, Update)
            if where := view_difference(update.view, read.view):
                raise CheckFailed(
                    f"a client reads another view than was sent: {where}; annotate the fields of the part, and what its "
                    "seen_by returns, with their types"
                )
            if read != update:
                raise CheckFailed(
                    "a client reads other events, decisions or actions than were sent: annotate their fields with their types"
                )


class PicturesCheck(MomentCheck):
    """The marks of the hook `map_marks` are on the board, before a game and at every moment of it."""

    name = "pictures"

    def look(self) -> None:
        views = [self.game.view(seat) for seat in (None, *self.game.to_act)]
        for marks in self.rules.map_marks:
            for view in (None, *views):
                try:
                    list(marks.marks(self.rules, view))
                except PluginError as error:
                    raise CheckFailed(str(error)) from error
