"""Checks of play: its course, events, values, points, copies, saved games, messages and pictures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

from ttr_rules import ClaimRoute, Pass, State
from ttr_rules.actions import economy_layers
from ttr_rules.clients import Update, json_schema, read_server_message, to_json
from ttr_rules.engine import RuleEntry, advance, legal_actions, open_routes, refusal as engine_refusal, running_scores
from ttr_rules.errors import PluginError
from ttr_rules.events import (
    CardsLaid,
    DecisionOpened,
    Event,
    ExtraTurnBegun,
    GameEnded,
    PiecesSpent,
    RouteClaimed,
    RouteFreed,
    RoutePointsScored,
    RouteShared,
    TunnelEntered,
    TurnBegun,
    TurnContinued,
    TurnEnded,
)
from ttr_rules.hidden import missing, tickets_out_of_the_game
from ttr_rules.model import Action, Counts, Decision, PayTunnel, SeededChance, Turn
from ttr_rules.parts import exposed_fields, part_fields
from ttr_rules.play import Game, new_game
from ttr_rules.plugins import EconomyLayer, Part, Transaction, Unkept
from ttr_rules.reading import is_list, is_set, is_table
from ttr_rules.saves import converter, dumps, loads
from ttr_rules.sequences import FrozenMap
from ttr_rules.text import closest
from ttr_rules.train_cards import CardPiles
from ttr_rules.train_cards.piles import POOL as CARDS
from ttr_tools.testing.names import (
    class_name,
    describe_difference,
    describe_error,
    full_text,
    is_core,
    part_values,
    rule_name,
    short,
    state_texts,
    view_difference,
)
from ttr_tools.testing.runs import LAST_TURNS, Check, CheckFailed, cannot_be_played, play_through

#: More actions than any turn has, and more extra turns or goings-on (`acts_again`) than a seat has in succession.
MOST_IN_TURN, MOST_EXTRA_TURNS = 100, 30
#: More actions than a free one can be repeated in a turn, and how many actions apart it is tried.
MOST_REPEATED, REPEATED_EVERY = 200, 16
#: More pieces than a seat has.
MOST_SPENT = 100
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
            asked = (
                after.pending[0] if len(after.pending) == 1 else None
            )  # of several, who bid again after a tie, one may stop
            if asked is None or (is_core(type(asked)) and not extra) or after.turn_number - before.turn_number > extra:
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
        #: For the last tunnel that was entered: the state before, the action, what was laid down, and the pieces of layers in it.
        self.entered: tuple[State, Action, Counts, Counts] | None = None

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
        self._pieces(events, what)
        action = self.run.action
        payment: object = getattr(action, "payment", None)
        if action is not None and isinstance(payment, Counts) and payment:
            if self.run.before.has_part(CardPiles):
                self._payment(action.seat, payment, events, what)
            self._own_payment(action, payment, events, what)

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

    def _pieces(self, events: Sequence[Event], what: str) -> None:
        """Layers take all pieces paid, or something in their place, and give them back if a tunnel is abandoned."""
        if not any(isinstance(event, PiecesSpent) for event in events):
            return
        laying = any(isinstance(event, CardsLaid | TunnelEntered) for event in events)
        for event, state in self.run.steps(events):
            for layer, seat, pieces in self._find_pieces(event):
                for kind, count in pieces.items():
                    moves = _moves(layer, layer.spend, state, seat, kind, count)
                    if (
                        not moves
                        or _stays(layer, state, seat, kind, count)
                        or kind in _forgotten(layer, layer.spend, state, seat, pieces)
                    ):
                        raise CheckFailed(
                            f"after {what}, seat {seat} still has the {kind} that it paid with{_among(pieces)}: {class_name(type(layer))}.spend "
                            f"does not take {count}. If it is to stay with the seat, declare reusable = ({kind!r},) there"
                        )
                if laying and (returned := _return(layer, state, seat, pieces)):
                    kind, more = returned
                    raise CheckFailed(
                        f"after {what}, seat {seat} would have {abs(more)} {kind} {'more' if more > 0 else 'fewer'} than before if it laid down "
                        f"{short(pieces)} and abandoned the tunnel: {class_name(type(layer))}.take_back does not give back what spend takes. If it is to be lost, emit "
                        "an event of another type there that says so"
                    )
            event.apply(state)
        for layer, seat, pieces in chain.from_iterable(map(self._find_pieces, events if laying else ())):
            state = self.game.state
            for kind, count in pieces.items():
                moves = _moves(layer, layer.take_back, state, seat, kind, count)
                if not moves or kind in _forgotten(layer, layer.take_back, state, seat, pieces):
                    raise CheckFailed(
                        f"after {what}, seat {seat} would lose the {kind} that it laid down{_among(pieces)}, if it abandoned the tunnel: "
                        f"{class_name(type(layer))}.take_back does not give {count} back. If it is to be lost, emit an event there that says so"
                    )

    def _find_pieces(self, event: Event) -> Iterator[tuple[EconomyLayer, int, Counts]]:
        """Find the pieces that a seat spends according to an event, by layer, without the reusable ones."""
        if not isinstance(event, PiecesSpent):
            return
        for layer in economy_layers(self.rules.economy):
            if isinstance(layer, EconomyLayer):
                pieces = layer.without_reusable(layer.split(event.pieces)[0])
                if pieces:
                    yield layer, event.seat, pieces

    def _payment(self, seat: int, payment: Counts, events: Sequence[Event], what: str) -> None:
        """The events of a paid action take the payment from the hand of the seat."""
        spent = Counter[str]()
        for event, state in self.run.steps(events):
            hand = Counter(dict(state.part(CardPiles).counts(seat)))
            event.apply(state)
            spent += hand - Counter(dict(state.part(CardPiles).counts(seat)))
        kinds = self.run.before.part(CardPiles).number
        kept = {card: count for card, count in payment.items() if card in kinds and spent[card] < count}
        if kept and not any(item.action is not None for item in self.game.state.todo):  # something is asked before it
            raise CheckFailed(
                f"after {what}, seat {seat} still holds what it paid with: {Counts(kept)!r}. perform, or pay of an economy or "
                "layer, takes the payment: call economy.pay(tx, seat, cost, payment)"
            )

    def _own_payment(self, action: Action, payment: Counts, events: Sequence[Event], what: str) -> None:
        """What is paid, but neither in cards nor in pieces that a layer spends, leaves the fields in which the seat holds it.

        For a claim it must have left before the route is claimed, with what was laid down for a tunnel. After any other action some
        of it may come back, as income.
        """
        before, bought, seat = self.run.before, action, action.seat
        spent = sum([event.pieces for event in events if isinstance(event, PiecesSpent)], Counts())
        if any(isinstance(event, TunnelEntered) for event in events):
            self._laid(action, payment, what)
            self.entered = before, action, payment, spent
            return  # it may be taken only once the tunnel is paid for
        if isinstance(action, PayTunnel) and self.entered:
            before, bought, laid, pieces = self.entered
            payment, spent = laid + payment, pieces + spent
        cards = before.part(CardPiles).number if before.has_part(CardPiles) else {}
        own = Counts({kind: count for kind, count in payment.items() if kind not in cards and spent[kind] < count})
        for layer in economy_layers(self.rules.economy):
            own = layer.without_reusable(own) if isinstance(layer, EconomyLayer) else own
        if not own or any(item.action is not None for item in self.game.state.todo):
            return  # something is asked before it
        later = list[State]()
        for event, state in self.run.steps(events):
            if isinstance(event, RouteClaimed | RouteShared):
                break
            event.apply(state)
            later.append(state.copy())
        is_claim = isinstance(action, ClaimRoute | PayTunnel)
        if _is_kept(
            before, later, seat, lambda other: engine_refusal(other, bought) is None, own, may_gain=not is_claim
        ):
            economy = class_name(type(self.rules.economy))
            where = f"in the rule, or in pay of {economy}"
            if isinstance(action, PayTunnel):
                where = f"in spend_laid of {economy}"
            elif is_claim:
                where = f"in pay of {economy}, or for a tunnel in lay or spend_laid"
            raise CheckFailed(
                f"after {what}, seat {seat} still holds what it paid with: {short(own)}. Let an event take it, {where}"
            )

    def _laid(self, action: Action, laid: Counts, what: str) -> None:
        """Whoever abandons a tunnel gets back no more than what it laid down."""
        before, after, seat = self.run.before, self.game.state.copy(), action.seat
        try:
            self.rules.economy.take_back_laid(Transaction(after, []), seat, laid)
        except Exception:
            return  # it is told when a tunnel is abandoned
        for changed in _needed(before, seat, lambda other: engine_refusal(other, action) is None):
            if _amount(changed.other) < _amount(changed.entry) < _amount(changed.entry_in(after)):
                raise CheckFailed(
                    f"after {what}, seat {seat} would have more in {class_name(changed.part)}.{changed.field} than before if it laid down "
                    f"{short(laid)} and abandoned the tunnel: let take_back_laid of the economy give back only what lay took"
                )


def _numbers(value: object, place: str = "") -> Iterator[tuple[str, int]]:
    """Every number in a value with its place, and the number of items of every list and table."""
    if isinstance(value, int):
        yield place, int(value)
        return
    if is_list(value) or is_table(value):
        yield f"{place}#", len(value)
    inside = enumerate(value) if is_list(value) else exposed_fields(value).items()
    for name, member in inside:
        yield from _numbers(member, f"{place}.{name}")


def check_cars(state: State, what: str) -> None:
    """Raise `CheckFailed` if a seat has fewer than no cars."""
    for seat, cars in enumerate(state.cars):
        if cars < 0:
            raise CheckFailed(
                f"after {what}, seat {seat} has {cars} cars: more was taken than there was. tx.use_cars takes no more than are left"
            )


#: `spend` or `take_back` of a layer.
MovesPieces: TypeAlias = Callable[[Transaction, int, Counts], None]


def _moves(layer: EconomyLayer, method: MovesPieces, state: State, seat: int, kind: str, count: int) -> bool:
    """True if a method of a layer moves that many pieces of one kind, or fails without the other kinds.

    A method that emits an event counts as moving them, as it may lose pieces or take something else. If its only event moves
    too few of several pieces, they need only move more than one does, since what is held may be capped.
    """
    _, moved, told = _move(layer, method, state, seat, Counts({kind: count}))
    if count > 1 and 0 < abs(moved[kind]) < count and told == 1:
        return abs(moved[kind]) > abs(_move(layer, method, state, seat, Counts({kind: 1}))[1][kind])
    return told > 0


def _forgotten(layer: EconomyLayer, method: MovesPieces, state: State, seat: int, pieces: Counts) -> list[str]:
    """The kinds of pieces of which a method moves fewer when it is called for several kinds than for this one alone."""
    if len(pieces) < 2:
        return []
    _, together, _ = _move(layer, method, state, seat, pieces)
    alone = [_move(layer, method, state, seat, Counts({kind: count}))[1] for kind, count in pieces.items()]
    return [
        kind
        for (kind, count), moved in zip(pieces.items(), alone, strict=True)
        # Another kind may give change in this one.
        if abs(moved[kind]) == count and abs(together[kind]) < abs(sum(other[kind] for other in alone))
    ]


def _among(pieces: Counts) -> str:
    """All pieces that are paid, for a message about one kind of several."""
    return f", together with other pieces ({short(pieces)})" if len(pieces) > 1 else ""


def _stays(layer: EconomyLayer, state: State, seat: int, kind: str, count: int) -> bool:
    """True if `spend` leaves pieces of one kind with a seat, although what it holds of them is in a part.

    Pieces that are in no part, such as a license to pay a card less for points, never run out.
    """
    after, moved, _ = _move(layer, layer.spend, state, seat, Counts({kind: count}))
    return -moved[kind] < count and _is_kept(
        state, [after], seat, lambda other: layer.held(other, seat).get(kind, 0) >= count
    )


def _is_kept(
    state: State,
    later: Sequence[State],
    seat: int,
    can_pay: Callable[[State], bool],
    paid: Mapping[str, int] = FrozenMap(),
    *,
    may_gain: bool = False,
) -> bool:
    """True if a seat can pay because of its entries in fields of parts, and none of them has moved to where it could not.

    Entries that count things by kind must have lost all that is `paid` in one of the states, or another number of the seat has
    grown by what is missing. In the last state something must still be gone, unless the seat `may_gain` by the action.
    """
    needed = _needed(state, seat, can_pay)
    less, is_moved = dict[str, int](), False
    for changed in needed:
        then = [changed.entry_in(other) for other in later]
        for kind, count in paid.items():
            held = _count(changed.entry, kind, changed.field)
            if held >= count:
                less[kind] = _most_taken([held - _count(entry, kind, changed.field) for entry in then], may_gain)
        last = then if may_gain else then[-1:]
        is_moved = is_moved or any(_is_towards(changed.entry, entry, changed.other) for entry in last)
    if not less:
        return bool(needed) and not is_moved
    if 0 in less.values() or all(number == -paid[kind] for kind, number in less.items()):
        return True  # nothing was taken, or it was given
    gained = [kind for kind, number in less.items() if may_gain and number < 0]
    missing = [paid[kind] - number for kind, number in less.items() if number < paid[kind] and kind not in gained]
    return not all(_is_noted(state, later[-1], seat, number) for number in missing)


def _most_taken(changes: Sequence[int], may_gain: bool) -> int:
    """The most that was taken by the time of one of several states, below zero if the seat only gained.

    Unless it `may_gain`, a seat that has everything back in the last state has paid nothing.
    """
    if not changes:
        return 0
    return max(changes) or min(changes) if may_gain or changes[-1] > 0 else changes[-1]


def _is_noted(state: State, after: State, seat: int, number: int) -> bool:
    """True if another number of a seat has grown by this one, such as what it owes."""
    changed = [changed for changed in _change_entries(state, seat) if changed.seat is not None]
    pairs = [(changed.entry, changed.entry_in(after)) for changed in changed]
    return any(isinstance(before, int) and isinstance(now, int) and now - before == number for before, now in pairs)


def _needed(state: State, seat: int, can_pay: Callable[[State], bool]) -> list[Changed]:
    """The entries without which a seat cannot pay."""
    return [changed for changed in _change_entries(state, seat) if not _holds(can_pay, changed.state)]


def _holds(condition: Callable[[State], bool], state: State) -> bool:
    """True if a condition holds, or cannot be asked for in a state that need not be possible."""
    try:
        return condition(state)
    except Exception:
        return True


class Changed(NamedTuple):
    """A state with another entry of a seat in a field of a plugin's part, or with another value of all of a field (`seat` is None)."""

    state: State
    part: type[Part]
    field: str
    seat: int | None
    entry: object
    other: object

    def entry_in(self, state: State) -> object:
        """The entry in another state."""
        return _entry(getattr(state.part(self.part), self.field), self.seat)


def _change_entries(state: State, seat: int) -> Iterator[Changed]:
    """The state with other entries of a seat in the fields of plugins' parts, or in what all share, one at a time."""
    for kind, name, value in part_values(state):
        if is_core(kind):
            continue
        is_by_seat = is_list(value) and len(value) == state.players
        for whose in (seat,) if is_by_seat else (seat, None) if is_table(value) else (None,):
            entry = _entry(value, whose)
            for other in _other_entries(entry):
                changed = state.copy()
                setattr(changed.part(kind), name, _with_entry(value, whose, other))
                yield Changed(changed, kind, name, whose, entry, other)


def _with_entry(value: object, seat: int | None, entry: object) -> object:
    """A list or table with another entry of a seat. The entry itself for None."""
    if seat is None:
        return entry
    if is_table(value):
        return {**value, seat: entry}
    return [entry if place == seat else item for place, item in enumerate(value)] if is_list(value) else value


def _entry(value: object, seat: int | None) -> object:
    """The entry of a seat in a list or table, 0 if a table has none. All of it for None."""
    if seat is None:
        return value
    return value.get(seat, 0) if is_table(value) else value[seat] if is_list(value) else 0


def _other_entries(entry: object) -> list[object]:
    """The reverse of a truth value, no number and a larger one, or nothing in place of several things."""
    if isinstance(entry, bool):
        return [not entry]
    if isinstance(entry, int):
        return [0, entry + MOST_SPENT]
    if is_table(entry):
        return [Counts()] if isinstance(entry, Counts) else [{}, dict.fromkeys(entry, 0)]
    return [(), (0,) * len(entry)] if is_list(entry) else [frozenset()] if is_set(entry) else []


def _is_towards(entry: object, after: object, other: object) -> bool:
    """True if an entry has moved in the direction of another one, of which there is less or more."""
    if isinstance(entry, bool):
        return after != entry
    if isinstance(entry, int):
        return isinstance(after, int) and isinstance(other, int) and (after - entry) * (other - entry) > 0
    return _amount(after) < _amount(entry)


def _count(entry: object, kind: str, field: str) -> int:
    """The number of things of a kind in an entry that lists or counts them by kind, or in a field of the kind's name."""
    if is_list(entry):
        return [*entry].count(kind)
    number: object = entry.get(kind) if is_table(entry) else entry if field.rstrip("s") == kind.rstrip("s") else 0
    return number if isinstance(number, int) else 0


def _amount(value: object) -> int:
    """A measure of how much is in a value: larger if there is more of anything."""
    return len(value) if is_set(value) else sum(number for _, number in _numbers(value))


def _return(layer: EconomyLayer, state: State, seat: int, pieces: Counts) -> tuple[str, int] | None:
    """A kind of which a seat holds more, or fewer, once it has laid pieces down and taken them back, and by how many.

    Fewer count only if the same types of events tell of both: another type may say that pieces are lost.
    """
    after, spent, back = state.copy(), list[Event](), list[Event]()
    try:
        layer.spend(Transaction(after, spent), seat, pieces)
        layer.take_back(Transaction(after, back), seat, pieces)
        before, now = layer.held(state, seat), layer.held(after, seat)
    except Exception:
        return None
    are_alike = {*map(type, spent)} == {*map(type, back)}
    changes = ((kind, now.get(kind, 0) - before.get(kind, 0)) for kind in pieces)
    return next(((kind, more) for kind, more in changes if more > 0 or (more < 0 and are_alike)), None)


def _move(
    layer: EconomyLayer, method: MovesPieces, state: State, seat: int, pieces: Counts
) -> tuple[State, Counter[str], int]:
    """The state after a layer's method, the pieces that the seat holds more (or fewer, below zero), and the number of its events.

    If the method fails, it is as if all `pieces` had been taken, with two events.
    """
    log: list[Event] = []
    after = state.copy()
    try:
        moved = Counter({kind: -count for kind, count in layer.held(state, seat).items()})
        method(Transaction(after, log), seat, pieces)
        moved.update(layer.held(after, seat))
        return after, moved, len(log)
    except Exception:
        return after, Counter({kind: -count for kind, count in pieces.items()}), 2


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
            try:
                event.apply(folded)
            except Exception as error:
                raise CheckFailed(
                    f"the effect of {class_name(type(event))} cannot be applied to the state before it: {describe_error(error)}"
                ) from error
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
        try:
            text = dumps(game)
            loaded = loads(text, rules=self.rules)
        except Exception as error:
            raise CheckFailed(f"this game cannot be saved and loaded: {describe_error(error)}") from error
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
            try:
                read = read_server_message(self.rules, json.dumps(to_json(self.rules, update)))
            except Exception as error:
                raise CheckFailed(
                    f"what seat {seat} sees cannot be sent to a client and read there: {describe_error(error)}; a part's fields "
                    "and the return type of its seen_by say what is sent"
                ) from error
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
