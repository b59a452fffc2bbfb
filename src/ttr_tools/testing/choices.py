"""Checks of choices: offers, refusals and numbers of actions agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from random import Random
from typing import Any, TypeAlias, cast

from ttr_rules import State
from ttr_rules.actions import ClaimRule, NumberedRule, claim_cars, economy_layers, route_cost
from ttr_rules.engine import advance, legal_actions, refusal as engine_refusal
from ttr_rules.errors import IllegalActionError, Refusal, TTRError
from ttr_rules.events import CarsArranged, Event
from ttr_rules.hints import RouteCosts
from ttr_rules.model import (
    AbandonTunnel,
    Action,
    Card,
    ClaimRoute,
    Cost,
    Counts,
    Decision,
    DrawTickets,
    KeepTickets,
    Pass,
    PayTunnel,
    Turn,
    numbers,
)
from ttr_rules.model.decisions import replace
from ttr_rules.parts import exposed_fields, part_fields
from ttr_rules.play import Game
from ttr_rules.plugins import ActionRule, Choice, Part, Transaction
from ttr_rules.reading import is_list, is_table
from ttr_rules.text import brief
from ttr_rules.train_cards import CardPiles, DrawBlind
from ttr_tools.testing.names import (
    class_name,
    describe_difference,
    describe_error,
    is_core,
    part_values,
    rule_name,
    short,
)
from ttr_tools.testing.runs import INTO_KEY, Check, CheckFailed, blaming, deal_hand, payment_of, play_through

#: The number of offered values of a field that are remembered, to be tried elsewhere.
MOST_KEPT = 40
#: The actions between trials of margins, the largest numbers tried, the earlier offers of a type that are asked about, and
#: the number of actions that is too slow for it.
MARGINS_EVERY, MOST_IN_PURSE, MOST_IN_HAND, MOST_KNOWN, MOST_TRIED = 8, 12, 10, 12, 200
#: So many offers at a decision are asked for a refusal, and as many read by index: each may list all of them again.
MOST_REFUSED = 24
#: The codes of more actions than this are not listed, and so many actions of a rule are compared at a decision.
MOST_LISTED, COMPARED = 100, 8
#: The first decisions of a type are all looked at, later ones every so often.
FIRST, THEN_EVERY = 3, 6


class Mutants:
    """Creates changed actions, with the help of previous offers, the best source of nearly legal actions."""

    def __init__(self, game: Game, random: Random) -> None:
        board = game.rules.board
        self.random = random
        self.players = len(game.players)
        self.routes, self.cities, self.cards = list(board.routes), list(board.cities), [str(card) for card in Card]
        if game.state.has_part(CardPiles):
            self.cards = [*game.state.part(CardPiles).kinds]
        self.tickets = list(game.rules.tickets) or ["nowhere-else"]
        self._values: dict[tuple[type[Action], str], list[object]] = {}
        self._kinds: dict[type[Action], Action] = {}

    def learn(self, actions: Sequence[Action]) -> None:
        """Keep the values of some offered actions for later."""
        for action in actions:
            self._kinds[type(action)] = action
            for name, value in exposed_fields(action).items():
                values = self._values.setdefault((type(action), name), [])
                if name != "seat" and len(values) < MOST_KEPT and value not in values:
                    values.append(value)

    def near(self, action: Action) -> list[Action]:
        """Actions like `action` with one thing changed, and answers to other decisions. Some are legal, most are not.

        Actions that cannot be created because their class raises a `TTRError` are left out.
        """
        seats: list[object] = [*range(-1, self.players + 1), None, str(action.seat)]
        changes: list[tuple[Action, str, object]] = [(action, "seat", seat) for seat in seats if seat != action.seat]
        changes += [(other, "seat", action.seat) for other in self._kinds.values()]
        for name, value in exposed_fields(action).items():
            if name != "seat":
                known = self._values.get((type(action), name), [])
                others = [*self.vary(value), *self.random.sample(known, min(8, len(known)))]
                changes += [(action, name, other) for other in others]
        mutants: list[Action] = []
        for original, name, value in changes:
            with suppress(TTRError):
                mutants.append(replace(original, **{name: value}))
        seat, choose = action.seat, self.random.choice
        some = {choose(self.cards): self.random.randint(1, 3)}
        return [
            *mutants, DrawBlind(seat), DrawTickets(seat), Pass(seat), AbandonTunnel(seat), PayTunnel(seat, some),
            KeepTickets(seat, ()), KeepTickets(seat, (choose(self.tickets),)), ClaimRoute(seat, choose(self.routes), some),
        ]  # fmt: skip

    def vary(self, value: object) -> Sequence[object]:
        """Vary a value: counts with one more or less or another name, ids of other items, longer and shorter tuples."""
        choose = self.random.choice
        if isinstance(value, Counts):
            other, changed = choose([*value, *self.cards]), [Counts()]
            for kind in {other: None, **dict.fromkeys(value)}:
                rest = {name: count for name, count in value.items() if name != kind}
                changed += [Counts({**rest, kind: value[kind] + 1}), Counts({**rest, kind: max(value[kind] - 1, 0)})]
                changed.append(Counts({**rest, other: rest.get(other, 0) + value[kind]}))
            return [*changed, Counts({name: count * 9 for name, count in value.items()})]
        if is_list(value):
            items, ticket = tuple(value), choose(self.tickets)
            return [items[1:], items[:-1], (*items, *items[:1]), (*items, ticket), (ticket,), (), ("nowhere",)]
        if isinstance(value, str):
            return [choose(self.routes), choose(self.cities), choose(self.cards), choose(self.tickets), "", "nowhere"]
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1, value + 2, -value]
        if is_table(value):
            fewer = dict(list(value.items())[1:])
            return [{}, fewer, {choose(self.cities): choose(self.routes)}, {key: choose(self.routes) for key in value}]
        return []


class OffersCheck(Check):
    """Offered actions are legal, listed once, for the seat with the decision, and always in the same order."""

    name = "offers"

    def start(self) -> None:
        self._lost: set[tuple[str, int, str]] = set()
        #: The train cars that claims take, by the seat, the keys of plugins and the route.
        self._cars: dict[tuple[int, Hashable, int], int] = {}

    def before(self, action: Action) -> None:
        if self.run.number % 4 == 0:
            self._conditions(action.seat)
        for seat in self.game.to_act:
            choices, listed = self.game.legal_actions(seat), self.run.sample_legal_actions(seat)
            decision = self.game.decision(seat)
            self._listing(seat, choices, listed)
            for offered in listed:
                if isinstance(decision, Choice):
                    decision.label_of(offered)
                if offered.seat != seat:
                    raise CheckFailed(f"{self.rule(offered, seat)} offers seat {seat} an action of another: {offered}")
            step = 1 + len(listed) // MOST_REFUSED
            some = [*listed[:2], *listed[-2:]] if self.run.number % 3 else listed[self.run.number % step :: step]
            for offered in (*some, *choices[-1:]):
                if refusal := self.game.refusal(offered):
                    self._conditions(seat)
                    raise CheckFailed(_contradiction(self.rule(offered), offered, refusal))

    def _conditions(self, seat: int) -> None:
        """A condition on claims is consistent about a route, and its mask agrees with its refusal."""
        state = self.run.before
        for condition in self.rules.claim_conditions:
            hook = f"{'claim_cars' if condition.counts_cars else 'claim_refusal'} of {condition.name!r}"
            key = condition.key(state, seat) if condition.counts_cars and condition.key else None
            for route in numbers(state.open_to(seat)):
                id = self.rules.network.route_ids[route]
                cars = 0 if key is None else claim_cars(state, seat, id)
                if (before := self._cars.setdefault((seat, key, route), cars)) != cars:
                    raise CheckFailed(
                        f"{hook} says two things of {id} for seat {seat}: {before} train cars, and then {cars}, with an equal "
                        f"claim_key. Put everything that the number depends on {INTO_KEY}"
                    )
                first, again = (condition.refusal(state, seat, route) for _ in range(2))
                if first != again:
                    raise CheckFailed(
                        f"{hook} changes its mind: of {id} it says {first} to seat {seat}, and then {again}; it must depend on the state alone"
                    )
                said = condition.name, seat, id
                if first is None and said in self._lost:
                    raise CheckFailed(
                        f"{hook} closed {id} to seat {seat} for good, but later it is open: return Refusal(…, lasting=False) there"
                    )
                if first is not None and first.lasting:
                    self._lost.add(said)
                is_closed = condition.closes(state, seat, route, condition.verdicts(state, seat), state.version)
                if is_closed != (first is not None):
                    raise CheckFailed(
                        f"{hook} says two things of {id} for seat {seat}: by {'its number' if condition.counts_cars else 'its refusal'} it is "
                        f"{'open' if is_closed else 'closed'}, by claim_key or closed_routes {'closed' if is_closed else 'open'}. "
                        f"Put everything that this depends on {INTO_KEY}"
                    )
        if self.rules.cost_changes or any(isinstance(hint, RouteCosts) for hint in self.rules.bot_hints):
            self._costs(seat)

    def _costs(self, seat: int) -> None:
        """The costs of routes are those that plugins would give anew, and those that a hint tells bots."""
        state, view = self.run.before, self.game.view(seat)
        claims: Any = self.rules.answers[Turn].by_action[ClaimRoute]
        plugins = " or ".join(repr(change.name) for change in self.rules.cost_changes)
        hints = [hint for hint in self.rules.bot_hints if isinstance(hint, RouteCosts)]
        # Where several plugins change costs, none of their hints tells all, and a rule for claims may have costs of its own.
        single = len(hints) == len([*economy_layers(self.rules.economy)]) == 1 and len(self.rules.cost_changes) < 2
        told = hints[0].read(view, self.rules) if single and type(claims) is ClaimRule else None
        tariff = claims.tariff(state, seat) if isinstance(claims, ClaimRule) else None
        for route in numbers(state.open_to(seat)):
            id = self.rules.network.route_ids[route]
            cost = route_cost(state, seat, id)
            if tariff is not None and (kept := tariff.prices.costs[tariff.cost_of[route]]) != cost:
                raise CheckFailed(
                    f"claim_cost of {plugins} says two things of {id} for seat {seat}: {kept}, and then {cost}. It must "
                    f"depend on the state alone; put everything that it depends on {INTO_KEY}"
                )
            hinted = None if told is None else told.get(id, Cost.of_route(self.rules.board.routes[id]))
            if hinted not in (None, cost):
                raise CheckFailed(
                    f"RouteCosts of {plugins or self.rules.answered_by('hints')} tells bots that {id} costs seat {seat} {hinted}, but it costs "
                    f"{cost}: write one function for states and views, and give it to RouteCosts.of_hook"
                )

    def _listing(self, seat: int, choices: Sequence[Action], listed: Sequence[Action]) -> None:
        """The list names each action once, and is the same when it is asked for, iterated or indexed again."""
        for action, times in Counter(listed).items():
            if times > 1:
                raise CheckFailed(f"{self.rule(action)}: offers lists {short(action)} {times} times for seat {seat}")
        again, step = self.game.legal_actions(seat), 1 + len(listed) // MOST_REFUSED
        is_whole = len(listed) == len(choices)
        places = range(self.run.number % step, len(listed), step) if is_whole else ()
        where = next((self.rule(listed[place]) for place in places if listed[place] != again[place]), "")
        if where or ((len(listed) <= MOST_LISTED or not is_whole) and (where := self.other_offer(seat, again))):
            raise CheckFailed(
                f"{where}: offers gives another list when it is asked again or read by index; a list must have one order "
                "(sort the items of a set) and depend on the state alone"
            )


def _contradiction(rule: str, action: Action, refusal: Refusal | None) -> str:
    """A rule that offers what it refuses, or allows what it does not offer."""
    if refusal is None:
        return f"{rule}: refusal lets {short(action)} pass, but offers does not list it: one of the two is wrong"
    return f"{rule}: offers lists {short(action)}, but refusal says {refusal}: one of the two is wrong"


class RefusalsCheck(Check):
    """Anything not offered is refused with a rule and a reason, and refusing changes nothing."""

    name = "refusals"

    def start(self) -> None:
        self.mutants = Mutants(self.game, self.random)

    def before(self, action: Action) -> None:
        if self.run.number % 2 and not self.run.is_first:
            return
        game, before = self.game, self.run.before
        self.state = game.state
        listed = self.run.sample_legal_actions(action.seat)
        others = [*{type(offered): offered for offered in listed if type(offered) is not type(action)}.values()]
        some = [action, *self.random.sample(others, min(1, len(others)))]
        self.mutants.learn([*listed[:3], *listed[-3:], *some])
        offered_to = {seat: self._legal_actions(seat) for seat in range(self.run.players)}
        mutants = [mutant for original in some for mutant in self.mutants.near(original)]
        refused = [mutant for mutant in mutants if self._is_refused(mutant, offered_to)]
        self._check_unchanged(before, self.state, "asking about actions")
        for mutant in self.random.sample(refused, min(3, len(refused))):
            try:
                game.play(mutant)
            except IllegalActionError:
                self._check_unchanged(before, game.state, f"{short(mutant)} was refused, but this")
            else:
                raise CheckFailed(f"{short(mutant)} was played though it is refused")

    def _legal_actions(self, seat: int) -> Container[Action]:
        """The legal actions of a seat: as a set, if all of them were read and can be hashed."""
        choices, listed = self.game.legal_actions(seat), self.run.sample_legal_actions(seat)
        if len(listed) < len(choices):
            return choices
        try:
            return frozenset(listed)
        except TypeError:
            return listed

    def _check_unchanged(self, before: State, after: State, what: str) -> None:
        if before != after:
            raise CheckFailed(
                f"{what} changed the game: {describe_difference(before, after, 'before', 'after')}; offers and refusal must only look at it"
            )

    def _is_refused(self, mutant: Action, offered_to: Mapping[int, Container[Action]]) -> bool:
        seat: object = mutant.seat
        is_offered = type(seat) is int and mutant in offered_to.get(seat, ())
        try:
            refusal: object = engine_refusal(self.state, mutant)
        except Exception as error:
            raise CheckFailed(
                f"{self.rule(mutant)}: refusal fails for {mutant!r}, but must refuse it: {describe_error(error)}"
            ) from error
        if refusal is not None and not (isinstance(refusal, Refusal) and refusal.rule and refusal.reason):
            raise CheckFailed(
                f"{self.rule(mutant)}: refusal must give None or Refusal(rule, reason), both with text, not {refusal!r}"
            )
        if (refusal is None) != is_offered:
            raise CheckFailed(_contradiction(self.rule(mutant), mutant, refusal))
        return refusal is not None


class MarginsCheck(Check):
    """Offers and refusals agree where a seat has nothing, just enough or more, and what is offered can be paid for.

    Its own numbers are tried one by one, at the start of a turn: entries of plugins' parts for each seat, up to the
    largest that the game had, and cards of one kind in its hand. Such a position need not be possible: what fails in it
    is not a fault.
    """

    name = "margins"

    def start(self) -> None:
        self.known: dict[type[Action], list[Action]] = {}
        #: The largest number in each purse: the fields of plugins' parts that have a whole number for each seat.
        self.largest: dict[tuple[type[Part], str], int] = {}
        #: Those that begin at 0 and have no key, so that they may be negative, as in `CountsCheck`.
        self.owing: set[tuple[type[Part], str]] = set()
        for kind, name, value in part_values(self.game.state):
            if is_core(kind) or not is_list(value) or isinstance(value, tuple):
                continue
            numbers = [number for number in value if type(number) is int]
            if len(numbers) == len(value) == self.run.players:
                self.largest[kind, name] = 0
                declared = part_fields(kind).get(name)
                if max(numbers) <= 0 and not (declared and declared.key):
                    self.owing.add((kind, name))

    def before(self, action: Action) -> None:
        choices = self.game.legal_actions(action.seat)
        if len(choices) > MOST_TRIED:
            return
        for offered in (*choices[:2], *choices[-2:], action):
            known = self.known.setdefault(type(offered), [])
            if offered not in known and len(known) < MOST_KNOWN:
                known.append(offered)
        state = self.run.before
        for purse, largest in self.largest.items():
            self.largest[purse] = max(largest, *_amounts(state, purse))
        if self.run.number % MARGINS_EVERY == 0 and isinstance(state.decision(action.seat), Turn):
            known = [replace(other, seat=action.seat) for other in chain(*self.known.values())]
            for what, position in self._positions(state, action.seat):
                self._agree(what, position, action.seat, known)

    def after(self, events: Sequence[Event]) -> None:
        action, is_last = self.run.action, not self.game.to_act
        is_due = self.run.number % MARGINS_EVERY == 0 or hasattr(action, "payment")
        if action is not None and (is_last or (is_due and isinstance(self.run.asked, Turn))):
            self._play_with_nothing_left(action)
            if isinstance(action, ClaimRoute) and not self.rules.components.fleets:
                self._play_with_nothing_left(action, cars=claim_cars(self.run.before, action.seat, action.route))

    def _play_with_nothing_left(self, action: Action, cars: int | None = None) -> None:
        """An action can be played where the hand holds nothing but what it pays, and others hold nothing; with `cars`, it has so many."""
        state, seat = self.run.before.copy(), action.seat
        if cars is not None:
            CarsArranged(seat, cars).apply(state)
        if state.todo or not state.has_part(CardPiles):
            return
        kinds = state.part(CardPiles).number
        paid = {card: count for card, count in payment_of(action).items() if card in kinds}
        if not all(deal_hand(state, holder, paid if holder == seat else {}) for holder in range(self.run.players)):
            return
        parts = [state.part(kind) for kind in self.rules.part_types]
        if any(part.validate(self.rules) or not part.fits(state) for part in parts) or engine_refusal(state, action):
            return
        where = f"where seat {seat} holds nothing but what it pays{'' if cars is None else ' and its last cars'}"
        rule = rule_name(self.rules, self.run.asked, action)
        with blaming(f"{where}, and the others hold nothing, {rule}: {short(action)} cannot be played"):
            play_through(state, action)

    def _positions(self, state: State, seat: int) -> Iterator[tuple[str, State]]:
        """The state with other amounts of one seat, and what they are."""
        for purse, largest in self.largest.items():
            for value in reversed(range(min(largest, MOST_IN_PURSE) + 1)):
                other = state.copy()
                _amounts(other, purse)[seat] = value
                yield f"where {class_name(purse[0])}.{purse[1]}[{seat}] is {value}", other
        if state.has_part(CardPiles):
            kind = self.random.choice((self.random.choice(state.part(CardPiles).kinds), str(Card.LOCOMOTIVE)))
            for count in reversed(range(MOST_IN_HAND)):
                other = state.copy()
                if deal_hand(other, seat, {kind: count}):
                    yield f"where seat {seat} holds {count} {kind} cards", other

    def _agree(self, what: str, state: State, seat: int, known: list[Action]) -> None:
        """Check actions of each type that are offered in a state, or were offered to any seat before."""
        try:
            listed = list(legal_actions(state, seat))
            related = [*{type(action): action for action in listed}.values(), *listed[:2], *known]
            refusals = [(action, engine_refusal(state, action)) for action in related]
        except Exception:
            return
        offered = set(listed)
        for action, refusal in refusals:
            if (refusal is None) != (action in offered):
                raise CheckFailed(f"{what}, {_contradiction(self.rule(action), action, refusal)}")
        for action in {type(action): action for action in listed if not is_core(type(action))}.values():
            if type(action) not in self.known:
                self.known[type(action)] = [action]
                known.append(action)
            self._can_be_paid(what, state, action)

    def _can_be_paid(self, what: str, state: State, action: Action) -> None:
        after = state.copy()
        try:
            advance(after, action)
        except Exception:
            return
        for kind, name in self.largest:
            if (kind, name) in self.owing:
                continue
            amounts = _amounts(after, (kind, name))
            if min(amounts) < 0 <= min(_amounts(state, (kind, name))):
                raise CheckFailed(
                    f"{what}, {self.rule(action)} offers {short(action)}, after which {class_name(kind)}.{name} is {amounts}: more was "
                    f"taken than there was. Let offers and refusal look at what is left in {kind.__name__}, and keep what is owed in a field of its own"
                )


def _amounts(state: State, purse: tuple[type[Part], str]) -> list[int]:
    """The numbers of all seats in a field of a part."""
    kind, name = purse
    amounts: list[int] = getattr(state.part(kind), name)
    return amounts


# -- numbers ---------------------------------------------------------------------------------------------------------

#: The methods of a rule about its numbers. A rule that inherits all of them from `ActionRule` is right by definition.
METHODS = ("number_of_codes", "count", "nth", "codes", "action_of", "code_of", "perform_code")

#: Offered actions by their index: all, or some.
Offers: TypeAlias = Mapping[int, Action] | Sequence[Action]
_Unnumbered: Any = ActionRule
_Numbered: Any = NumberedRule


class NumbersCheck(Check):
    """The numbers of actions, which playouts, masks and searches use alone, stand for the actions that are offered."""

    name = "numbers"

    def start(self) -> None:
        self.decisions: Counter[type[Decision]] = Counter()

    def before(self, action: Action) -> None:
        for decision in self.run.before.pending:
            if type(decision) not in self.rules.answers:
                continue  # `course` says that nothing answers it
            self.decisions[type(decision)] += 1
            times = self.decisions[type(decision)]
            if times <= FIRST or times % THEN_EVERY == 0:
                check_numbers(self.run.before, decision, self.decisions.total())


def check_numbers(state: State, decision: Decision, offset: int = 0) -> None:
    """Compare the numbers of all rules that answer a decision with their offers, from `offset` on if there are many."""
    for entry in state.rules.answers[type(decision)].entries:
        rule = entry.rule
        if any(getattr(type(rule), name) is not getattr(_Unnumbered, name) for name in METHODS):
            _Numbers(rule, state, decision).check(offset)


class _Numbers:
    """The numbers of a rule at one decision, and how to tell what is wrong with them."""

    def __init__(self, rule: ActionRule[Any, Any], state: State, decision: Decision) -> None:
        self.rule = rule
        self.kind = type(rule)
        self.state = state
        self.decision = decision
        self.seat = decision.seat

    def check(self, offset: int) -> None:
        """Compare the numbers with what the rule offers."""
        state, seat = self.state, self.seat
        size = self._call("number_of_codes", state.rules)
        count = self._number("count", state, seat)
        step = max(1, count // COMPARED)
        indices = sorted({*range(offset % step, count, step), *((0, count - 1) if count > 0 else ())})
        length, offers = self._offers(count, indices)
        if count != length:
            raise self._fault("count", f"gives {count}, but offers lists {length} actions")
        codes = {index: self._number("nth", state, seat, index, about=f"the index {index}") for index in indices}
        self._check_list(count, codes, offers)
        for index, code in codes.items():
            self._check_code(size, index, code, offers[index])
        if indices:
            index = indices[len(indices) // 2]
            self._check_effect(codes[index], offers[index])

    def _offers(self, count: int, indices: Sequence[int]) -> tuple[int, Offers]:
        """The number of offers, and at least those with some indices.

        If there are many that follow from codes, no others are made.
        """
        if count <= MOST_LISTED or self.kind.offers is not _Numbered.offers:
            offers = self.rule.offers(self.state, self.decision)
            return len(offers), offers
        codes: Sequence[int] = self._call("codes", self.state, self.seat)
        some = self.rule.actions_of(self.state, self.seat, [codes[index] for index in indices if index < len(codes)])
        return len(codes), dict(zip(indices, some, strict=False))

    def _check_list(self, count: int, codes: Mapping[int, int], offers: Offers) -> None:
        """The list of all codes has those of `nth`, and no code twice."""
        listed = codes
        if count <= MOST_LISTED:
            listed = dict(enumerate(cast("Sequence[int]", self._call("codes", self.state, self.seat))))
            if len(listed) != count:
                raise self._fault("codes", f"lists {len(listed)} codes, but count gives {count}")
        index_of: dict[int, int] = {}
        for index, code in listed.items():
            if index in codes and codes[index] != code:
                raise self._fault("codes", f"has {brief(code)} at the index {index}, but nth gives {codes[index]}")
            if (other := index_of.setdefault(code, index)) != index:
                both = f"{short(offers[other])} and {short(offers[index])}"
                raise self._fault("nth", f"gives the code {code} to both {both}: each needs its own")

    def _check_code(self, size: int | None, index: int, code: int, offered: Action) -> None:
        """One code against the action that is offered in its place."""
        if code < 0:
            raise self._fault("nth", f"gives the code {code} for {short(offered)}: codes begin at 0")
        if size is not None and code >= size:
            raise self._fault(
                "number_of_codes",
                f"gives {size}, but {short(offered)} has the code {code} (by {self._method('nth')}): codes are below the "
                "number of codes; return None if it changes from position to position",
            )
        action = self._call("action_of", self.state, self.seat, code, about=f"the code {code}")
        if action != offered:
            raise self._fault(
                "action_of",
                f"makes {short(action) if isinstance(action, Action) else brief(action)} of the code {code}, but offers lists "
                f"{short(offered)} where nth gives that code: the two must agree",
            )
        if self.kind.code_of is _Unnumbered.code_of and index > MOST_LISTED:
            return  # it would search all offers
        number = self._call("code_of", self.state, self.seat, offered, about=short(offered))
        if number != code or type(number) is not int:
            raise self._fault("code_of", f"gives {brief(number)} for {short(offered)}, whose code by nth is {code}")

    def _check_effect(self, code: int, action: Action) -> None:
        """Play one action and its code on two copies."""
        by_action, by_code = self.state.copy(), self.state.copy()
        try:
            self.rule.perform(Transaction(by_action, []), self.decision, action)
        except Exception:
            return  # `course` says so when such an action is played
        self._call("perform_code", Transaction(by_code), self.seat, code, about=f"the code {code}")
        if by_action != by_code:
            where = describe_difference(by_action, by_code, "after perform", "after perform_code")
            raise CheckFailed(
                f"{self._method('perform')} and {self._method('perform_code')} do not do the same for {short(action)}, which "
                f"has the code {code}: {where}; games are played by perform, and playouts by perform_code. A class that "
                "changes one of them changes the other too"
            )

    def _method(self, name: str) -> str:
        """A method by the class that it is written in."""
        return f"{class_name(next((kind for kind in self.kind.__mro__ if name in vars(kind)), self.kind))}.{name}"

    def _fault(self, name: str, text: str) -> CheckFailed:
        """The failure of a method of the rule. If the method is inherited, the rule is named too."""
        inherited = "" if name in vars(self.kind) else f" (inherited by {class_name(self.kind)})"
        asked = type(self.decision).__name__
        return CheckFailed(f"{self._method(name)}{inherited} {text} ({asked} of seat {self.seat})")

    def _call(self, name: str, *values: object, about: str = "") -> Any:
        try:
            return getattr(self.rule, name)(*values)
        except Exception as error:
            raise self._fault(name, f"fails{about and f' for {about}'}: {describe_error(error)}") from error

    def _number(self, name: str, *values: object, about: str = "") -> int:
        """The whole number that a method gives."""
        value = self._call(name, *values, about=about)
        if type(value) is int:
            return value
        raise self._fault(name, f"gives {brief(value)}{about and f' for {about}'}: it must be an int")
