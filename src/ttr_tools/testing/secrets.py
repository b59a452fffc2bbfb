"""Checks that what a seat sees and may do does not depend on what it cannot know (S6, S7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, cast

import attrs
from attrs import frozen

from ttr_rules import Rules, State
from ttr_rules.engine import advance, view_of
from ttr_rules.engine import refusal as engine_refusal
from ttr_rules.errors import TTRError
from ttr_rules.events import (
    CardsDealt,
    Event,
    PileShuffled,
    RowSwept,
    SeenEvent,
    TicketsRevealed,
    Unknown,
)
from ttr_rules.fields import SECRET, TICKETS, exposed_fields, items, part_fields, places
from ttr_rules.hidden import determinize, missing, sample_world
from ttr_rules.model import Action, Counts, Dealer, Decision, SeededChance, TicketSetup
from ttr_rules.model.values import replace
from ttr_rules.payments import economy_of, pays_with
from ttr_rules.play import Game
from ttr_rules.plugins import Part
from ttr_rules.train_cards import CardPiles, DrawBlind, TrainCards
from ttr_tools.testing.choices import Mutants, first_difference
from ttr_tools.testing.names import (
    class_name,
    field_values,
    full_text,
    is_core,
    seat_name,
    short,
    view_differences,
)
from ttr_tools.testing.runs import Check, CheckFailed, Run


@frozen
class World:
    """A game like another one; `names` maps tickets of that game to tickets of this one."""

    game: Game
    names: Mapping[str, str]

    def translated(self, value: object) -> Any:
        """A value of the other game, with its ticket names replaced by those of this one."""
        return rename_items(value, self.names)


def rename_items(value: object, names: Mapping[str, str]) -> Any:
    """A value with some names in it replaced by others: in texts, tuples, lists, and the fields of values.

    >>> rename_items(("paris-wien", ["berlin-roma"]), {"paris-wien": "berlin-roma", "berlin-roma": "paris-wien"})
    ('berlin-roma', ['paris-wien'])
    """
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(rename_items(each, names) for each in cast("tuple[object, ...]", value))
    if isinstance(value, list):
        return [rename_items(each, names) for each in cast("list[object]", value)]
    kind = cast("Any", type(value))
    if attrs.has(kind) and not isinstance(value, Counts):
        fields = {field.name: getattr(value, field.name) for field in attrs.fields(kind) if field.init}
        new = {name: rename_items(each, names) for name, each in fields.items()}
        return attrs.evolve(cast("Any", value), **{name: each for name, each in new.items() if each != fields[name]})
    return value


def another_world(game: Game, seat: int | None, random: Random) -> Game:
    """A game that `seat` (None: a spectator) cannot tell from this one, as `determinize`, with any chance.

    Parts of plugins that cannot sample are unchanged.
    """
    state = game.state
    chance = SeededChance(f"another {random.random()}") if isinstance(state.chance, SeededChance) else state.chance
    there = State(state.rules, state.players, chance)
    sample_world(there, game.view(seat), Dealer(f"another {random.random()}"), real=state)
    return Game(there, game.players, game.seed, game.moves)


def same_moves_elsewhere(
    game: Game,
    seat: int | None,
    random: Random,
    *,
    keep: tuple[int, Counts],
    drawn: slice,
    opened: Collection[str] = (),
    turned_up: Iterable[str] = (),
) -> World:
    """A game that `seat` cannot tell from this one and in which others can do what looks the same to it.

    What chance does next in public stays the same: the seed, those cards of the draw pile that are `drawn`, and the places
    of the tickets that are `turned_up`. So do the parts of plugins that open their secrets now. `keep` names a seat and
    cards that must stay in its hand.
    """
    state, other = game.state, another_world(game, seat, random).state
    for ticket in turned_up:
        _keep_place(ticket, state, other)
    names = dict(zip(_hidden_tickets(state), _hidden_tickets(other), strict=False))
    state.tickets, state.rejects, state.ticket_piles = other.tickets, other.rejects, other.ticket_piles
    state.pending = other.pending
    if state.has_part(CardPiles):
        _deal_cards(state, seat, random, drawn, keep)
    owners = state.rules.part_owners
    for kind, part in other.parts.items():
        if not isinstance(part, CardPiles) and not _keeps_cards(part) and owners.get(kind) not in opened:
            state.set_part(part)
    return World(Game(state, game.players, game.seed, game.moves), names)


def _keeps_cards(part: Part) -> bool:
    """True if a part of a plugin keeps train cards apart."""
    return any(declared.pool == "cards" for declared in part_fields(type(part)).values())


def _hidden_tickets(state: State) -> list[str]:
    """The tickets of all seats, those that they rejected or choose from, and those in piles, each lot by the piles they are of."""
    lots: list[Iterable[str]] = [(*state.tickets[seat], *state.rejects[seat]) for seat in range(state.players)]
    lots += [_named(decision) for decision in state.pending]
    piles = {ticket.id: name for name, pile in state.rules.deck.piles.items() for ticket in pile}
    lots += [items(place.content) for part in state.parts.values() for place in places(part, TICKETS)]
    named = [[name for name in lot if name in state.rules.tickets] for lot in (*lots, *state.ticket_piles.values())]
    return [name for lot in named for name in sorted(lot, key=lambda name: piles.get(name, ""))]


def _keep_place(ticket: str, state: State, other: State) -> None:
    """Exchange two tickets in `other`, so that this one is in the same place of a pile as in `state`."""
    for name, pile in state.ticket_piles.items():
        if ticket in pile:
            there = other.ticket_piles[name][pile.index(ticket)]
            exchanged = {ticket: there, there: ticket}
            other.tickets = rename_items(other.tickets, exchanged)
            other.rejects = rename_items(other.rejects, exchanged)
            other.ticket_piles = {name: rename_items(pile, exchanged) for name, pile in other.ticket_piles.items()}
            other.pending = rename_items(other.pending, exchanged)
            for part in other.parts.values():
                for place in places(part, TICKETS):
                    place.put(rename_items(items(place.content), exchanged))


def turned_up_by(game: Game, action: Action, seat: int | None) -> list[str]:
    """The tickets that a legal action puts from a pile into a field of a part where `seat` sees them."""
    after = game.state
    if not any(field.pool == TICKETS for kind in after.parts for field in part_fields(kind).values()):
        return []
    before = _shown_apart(after, seat)
    advance(after, action)
    return sorted(_shown_apart(after, seat) - before)


def _shown_apart(state: State, seat: int | None) -> set[str]:
    """The tickets in fields of parts that a seat sees."""
    shown = [
        place
        for part in state.parts.values()
        for place in places(part, TICKETS)
        if not part.hides(place.field, place.seat, seat)
    ]
    return {ticket for place in shown for ticket in items(place.content)}


def drawn_by(game: Game, action: Action) -> slice:
    """The cards of the draw pile that are revealed by a legal action: all but one that is drawn blind.

    The whole pile if it is rebuilt or the row may be swept, because then its content matters (D7, R1).
    """
    after = game.state
    if not after.has_part(CardPiles):
        return slice(0, 0)
    piles, economy = after.part(CardPiles), after.rules.economy
    pile, before = piles.pile, piles.drawn
    log: list[Event] = []
    advance(after, action, log)
    swept = pays_with(economy, TrainCards) and economy_of(economy, TrainCards).invites_sweep(piles)
    all_of_it = piles.pile is not pile or swept or any(isinstance(event, RowSwept) for event in log)
    drawn = (len(pile) if all_of_it else piles.drawn) - before
    return slice(min(int(type(action) is DrawBlind), drawn), drawn)  # a plugin may ask before it draws


def opened_by(game: Game, action: Action) -> set[str]:
    """The plugins that open secret answers in a legal action, by an event with `reveals`."""
    kinds = game.rules.types.items()
    opening = {kind: tag.partition(".")[0] for tag, kind in kinds if issubclass(kind, Event) and kind.reveals}
    log: list[Event] = []
    if opening:
        advance(game.state, action, log)
    return {opening[type(event)] for event in log if type(event) in opening}


def _deal_cards(state: State, seat: int | None, random: Random, known: slice, keep: tuple[int, Counts]) -> None:
    piles = state.part(CardPiles)
    pile = piles.pile[piles.drawn :]
    top = pile[known]
    pool = [*pile[: known.start], *pile[known.stop :]]
    others = [other for other in range(state.players) if other != seat]
    kept = {other: [0] * len(piles.kinds) for other in others}
    if keep[0] in kept:
        for card, count in keep[1].items():
            if card in piles.number:
                number = piles.number[card]
                kept[keep[0]][number] = min(count, piles.hand[keep[0]][number])
    for other in others:
        pool += [card for card, count in enumerate(piles.hand[other]) for _ in range(count - kept[other][card])]
    random.shuffle(pool)
    for other in others:
        decks = [
            piles.deck_of(card)
            for card, count in enumerate(piles.hand[other])
            for _ in range(count - kept[other][card])
        ]
        dealt = [_popped(pool, piles, deck) for deck in decks]
        piles.hand[other] = [dealt.count(card) + count for card, count in enumerate(kept[other])]
    first = min(known.start, len(pile))
    piles.pile = (*pool[:first], *top, *pool[first:])
    piles.drawn = 0


def _popped(cards: list[int], piles: CardPiles, deck: int) -> int:
    """The last of some cards that is of a deck, taken out."""
    at = next(at for at in range(len(cards) - 1, -1, -1) if piles.deck_of(cards[at]) == deck)
    return cards.pop(at)


def known_tickets(state: State, seat: int | None) -> set[str]:
    """The ids of the tickets that a seat sees."""
    known: set[str] = set()
    if seat is not None:
        known.update(state.tickets[seat], state.rejects[seat], _named(state.decision(seat)))
    if state.revealed:
        known.update(chain(*state.tickets))
    known.update(_shown_apart(state, seat))
    return known


def _named(value: object) -> list[str]:
    """Every text in a value."""
    return [value] if isinstance(value, str) else [text for _, member in _inside(value) for text in _named(member)]


#: The number of events of a type that are remembered, and of other values tried for a field.
REMEMBERED, TRIED = 20, 4


class OpenEvents:
    """A different value in a public field of an event must make a visible difference afterwards.

    If a seat that is shown the value then sees the same state either way, although the state differs, the value is a
    secret that the event leaks.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.players = run.game.players
        self.random = run.random
        rules, state = run.rules, run.game.state
        self.pools: list[list[str]] = [list(rules.tickets), list(rules.board.cities), list(rules.board.routes)]
        if state.has_part(CardPiles):
            self.pools.append([*state.part(CardPiles).kinds])
        self.seen: dict[type[Event], list[Event]] = {}

    def follow(self, events: Sequence[Event]) -> None:
        """Check the events since the last action."""
        own = [event for event in events if not is_core(type(event))]
        for event in own:
            self.seen.setdefault(type(event), []).append(event)
        for event, state in self.run.steps(events if own else ()):
            if not is_core(type(event)):
                self._look(event, state)
            event.apply(state)

    def _look(self, event: Event, state: State) -> None:
        """Compare the state after an event with the states after events that differ in one field."""
        after = self._after(event, state)
        if after is None:
            return
        own: object = getattr(event, "seat", None)
        watchers = [None, *(seat for seat in range(len(self.players)) if seat != own)]
        for field in attrs.fields(type(event)):
            if field.name == "seat":
                continue
            watcher = self.random.choice(watchers)
            secret = SECRET in field.metadata
            if secret and not isinstance(getattr(_seen(event, watcher), field.name), Unknown):
                continue
            for value in self._others(event, field.name):
                if secret and _size(value) != _size(getattr(event, field.name)):
                    continue  # how many there are may be seen
                there = self._after(replace(event, **{field.name: value}), state)
                if there is None or there == after:
                    continue
                here, elsewhere = (view_of(each, self.players, watcher) for each in (after, there))
                differences = list(view_differences(here, elsewhere))
                who, kind = seat_name(watcher), class_name(type(event))
                if secret and any("Unknown(" in difference for difference in differences):
                    continue  # with that value something else is hidden: it is not a possible one
                if secret and differences:
                    raise CheckFailed(
                        f"the event {kind} hides {field.name!r} from {who}, which cannot know it, but sees it in the state afterwards: {differences[0]} "
                        f"changes with it; declare it by_seat or counted in the part, or show {field.name!r} to all"
                    )
                if not secret and not differences:
                    raise CheckFailed(
                        f"the event {kind} tells {who} {field.name!r}, which it cannot know, as the state hides it: "
                        f"{short(event)} or with {short(value)} there, {who} sees the same table afterwards; declare the field "
                        'secret("seat") and annotate it with | Unknown, or show it in the part'
                    )

    def _after(self, event: Event, before: State) -> State | None:
        """The state after an event; None if it cannot be applied."""
        state = before.copy()
        try:
            event.apply(state)
            view_of(state, self.players, None)
        except Exception:  # a made-up value need not be valid
            return None
        return state

    def _others(self, event: Event, name: str) -> Iterator[object]:
        """Some other values of a field: from other events, and similar ones."""
        value: object = getattr(event, name)
        known = [getattr(each, name) for each in self.seen[type(event)][:REMEMBERED]]
        others = [*known, *self._like(value)]
        different = [each for each in others if each != value]
        yield from self.random.sample(different, min(TRIED, len(different)))

    def _like(self, value: object) -> Iterable[object]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + 1, value - 1]
        if isinstance(value, str):
            return [self.random.choice(pool) for pool in self.pools if value in pool] or [f"{value}?"]
        if isinstance(value, Counts):
            kinds = next((pool for pool in self.pools if set(value) <= set(pool)), None)
            return [Counts({self.random.choice(kinds): value.total})] if kinds and value else []
        if isinstance(value, tuple) and value:
            first, *rest = cast("tuple[object, ...]", value)
            return [(each, *rest) for each in self._like(first)]
        return []


#: The number of actions from one sampled world to the next.
SAMPLED_EVERY = 16


def _size(value: object) -> object:
    """The number of items that all may see of a hidden value."""
    if isinstance(value, Counts):
        return value.total
    return len(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else None


class SecretsCheck(Check):
    """Two worlds that a seat cannot tell apart look the same to it.

    That covers its view, its decision, its legal actions, refusals, and the events it sees when another seat acts.
    """

    name = "secrets"

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.mutants = Mutants(self.game, self.random)
        self.there: World | None = None
        self.played_there: Action | None = None
        self.watcher: int | None = None
        self.everybody: list[int | None] = [None, *range(run.players)]
        self.open_events = OpenEvents(run)
        self.asked: set[type[Decision]] = set()

    def start(self) -> None:
        self._can_be_dealt()
        for seat in self.everybody:
            self._holds_no_game(seat)
            self._look(seat)
            self._sampled(seat)
            self._told_at_set_up(seat)
        self.open_events.follow(self.game.events)

    def before(self, action: Action) -> None:
        if self.run.number % 4 == 0 or self.run.is_first:
            self._look(action.seat)
        elif self.run.number % 2 == 0:
            self._look(self.random.choice(self.everybody))
        asked = {type(decision) for decision in self.game.state.pending} - self.asked
        if asked:
            self.asked |= asked
            for seat in self.everybody:
                self._sampled(seat)
        elif self.run.number % SAMPLED_EVERY == 1:
            self._sampled(self.random.choice(self.everybody))
        self._prepare(action)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self.open_events.follow(events)
        self._opened_in_time(action, events)
        self._told(action, events)
        if not self.game.to_act:
            for seat in self.everybody:
                self._look(seat)

    # -- sampled worlds -----------------------------------------------------------------------

    def _can_be_dealt(self) -> None:
        """A plugin's part with secrets says how to sample them."""
        hiding = [
            class_name(kind)
            for kind, part in self.game.state.parts.items()
            if _hides(kind, part, self.run.players) and not _can_sample(self.game, part)
        ]
        if hiding:
            raise CheckFailed(
                f"{' and '.join(hiding)} hides something and does not say how to deal it, so determinize fails: give its fields a pool "
                'whose box a part has, or the part a method redeal(view, dealer, rules); train cards belong in pool="cards"'
            )

    def _sampled(self, seat: int | None) -> None:
        """A world consistent with a seat's view can be sampled, with the same cards as in this one."""
        who = seat_name(seat)
        try:
            world = determinize(self.game.view(seat), self.rules, seed=self.random.randrange(2**32))
        except TTRError as error:
            for _ in range(8):  # random worlds: one of them may show why
                self._look(seat)
            raise CheckFailed(f"determinize deals no world that fits what {who} sees: {error}") from error
        here, there = (missing(state) for state in (self.game.state, world.state))
        for pool in self.run.complete_pools:
            if here[pool] != there[pool]:
                item = next(iter({**there[pool], **here[pool]}))
                raise CheckFailed(
                    f"in a world that determinize deals for {who}, {there[pool].get(item, 0)} × {short(item)} of the pool {pool!r} is "
                    f'nowhere, in the game {here[pool].get(item, 0)}: what a plugin keeps belongs in a field with pool="{pool}"'
                )

    # -- what a seat sees and may do -------------------------------------------------------------------------

    def _look(self, seat: int | None) -> None:
        game = self.game
        there = another_world(game, seat, self.random)
        who = seat_name(seat)
        for where in view_differences(game.view(seat), there.view(seat)):
            raise CheckFailed(
                f"{who} sees what it cannot know: {where} changes when the hands, piles and tickets that {who} cannot see "
                "are dealt anew; show how many, or nothing, in seen_by(), and let sample_hidden() take over what it shows"
            )
        if repr(game) != repr(there):
            raise CheckFailed(f"the repr of the game tells {who} what it cannot know: {game!r} or {there!r}")
        if seat is None:
            return
        mine, theirs = self.run.offered(seat), self.run.sample(there.legal_actions(seat))
        if mine != theirs:
            other = first_difference(mine, theirs)
            raise CheckFailed(
                f"{self.rule(other, seat)}: what it offers {who} depends on what {who} cannot know, such as "
                f"{short(other)}: offers may look at public things and the seat's own"
            )
        states = game.state, there.state
        near = self.mutants.near(self.random.choice(mine) if mine else DrawBlind(seat))
        for mutant in self.random.sample(near, 6):
            if type(mutant.seat) is not int or mutant.seat != seat:
                continue
            refusals = [engine_refusal(state, mutant) for state in states]
            if refusals[0] != refusals[1]:
                raise CheckFailed(
                    f"{self.rule(mutant)}: the refusal of {short(mutant)} tells {who} what it cannot "
                    f"know: {refusals[0]} or {refusals[1]}"
                )

    def _holds_no_game(self, seat: int | None) -> None:
        """A view holds no reference to the state, the seed or the rules."""
        waiting: list[tuple[str, object]] = [("the view", self.game.view(seat))]
        while waiting:
            place, each = waiting.pop()
            if isinstance(each, Part) and place.count(" of ") == 1:  # what a part exposes may be of its own type
                waiting += [(f"{key!r} of {place}", value) for key, value in exposed_fields(each).items()]
                continue
            if isinstance(each, State | Game | Part | SeededChance | Rules):
                raise CheckFailed(
                    f"{place} holds a {class_name(type(each))}: a view must hold plain values (ids, numbers, tuples)"
                )
            waiting += [
                (f"{key!r} of {place}" if place != "the view" else repr(key), value) for key, value in _inside(each)
            ]

    # -- events shown to a seat ---------------------------------------------------------------------------------

    def _told_at_set_up(self, seat: int | None) -> None:
        """The set-up events shown to a seat name no ticket that it does not know, and no card of others."""
        known = known_tickets(self.game.state, seat)
        names: dict[str, str] = {}
        for tickets in self.rules.deck.piles.values():
            unknown = [ticket.id for ticket in tickets if ticket.id not in known]
            names.update(zip(unknown, [*unknown[1:], *unknown[:1]], strict=True))
        for event in self.game.events:
            seen = _seen(event, seat)
            there = rename_items(seen, names)
            if isinstance(event, CardsDealt | PileShuffled) and _plain_seat(event) != seat:
                name = "cards" if isinstance(event, CardsDealt) else "order"
                other = replace(event, **{name: (*getattr(event, name)[1:], "another card")})
                there = _seen(other, seat)
            if there != seen:
                who = seat_name(seat)
                raise CheckFailed(
                    f"at set-up the event {class_name(type(event))} tells {who} what it cannot know: {short(seen)}; "
                    'declare the field secret("seat") and annotate it with | Unknown'
                )

    def _prepare(self, action: Action) -> None:
        """Prepare another world in which the same happens, as far as an observer can see."""
        game = self.game
        self.there = None
        self.watcher = self.random.choice([seat for seat in self.everybody if seat != action.seat])
        decision = game.decision(action.seat)
        if isinstance(decision, TicketSetup) and len(game.to_act) == 1:
            return  # with the last choice everybody learns how many others kept
        choosing = isinstance(decision, TicketSetup)
        announced = [item.action for item in game.state.todo if item.action is not None]
        values = [value for each in (action, *announced) for _, value in _inside(each)]
        paid = next((value for value in values if isinstance(value, Counts)), Counts())
        there = same_moves_elsewhere(
            game, self.watcher, self.random,
            keep=(action.seat, paid), drawn=drawn_by(game, action), opened=opened_by(game, action),
            turned_up=turned_up_by(game, action, self.watcher),
        )  # fmt: skip
        piles = {ticket.id: name for name, pile in self.rules.deck.piles.items() for ticket in pile}
        if any(piles.get(name) != piles.get(there.names.get(name, name)) for name in _named(decision)):
            return  # the seat may have drawn from other piles there, which all have seen
        if choosing:  # how many are kept is secret too
            choices = there.game.legal_actions(action.seat)
            other = choices[self.random.randrange(len(choices))]
        else:
            other = there.translated(action)
        if there.game.refusal(other) is None:
            self.there, self.played_there = there, other

    def _opened_in_time(self, action: Action, events: Sequence[Event]) -> None:
        """An event that opens the answers to a question comes when nobody else has yet to answer it."""
        for event in events:
            if event.reveals is None:
                continue
            asked = event.reveals
            others = [decision for decision in self.run.before.pending if decision.seat != action.seat]
            waiting = [decision.seat for decision in others if isinstance(decision, asked)]
            if waiting:
                raise CheckFailed(
                    f"the event {class_name(type(event))} reveals the answers to {asked.__name__} when seat {action.seat} has "
                    f"answered, but seat {waiting[0]} has yet to: emit it with the last answer, when tx.state.to_act is one seat"
                )

    def _told(self, action: Action, events: Sequence[Event]) -> None:
        if self.there is None or self.played_there is None:
            return
        other = self.there.game
        events_there = other.play(self.played_there)
        who = seat_name(self.watcher)
        own = False
        for mine, theirs in zip(events, events_there, strict=False):
            if isinstance(mine, TicketsRevealed):
                return
            first, second = _seen(mine, self.watcher), _seen(theirs, self.watcher)
            if (
                first != second
                and _plain_seat(mine) == self.watcher is not None
                and self.there.translated(first) == second
            ):
                own = True  # it was dealt something itself, which differs in the other world
            elif first != second:
                what, asked = class_name(type(mine)), type(self.run.asked)
                opens = f", or write reveals = {asked.__name__} if it opens what all have answered"
                raise CheckFailed(
                    f"when seat {action.seat} plays {short(action)}, the event {what} tells {who} what it cannot know: "
                    f"{short(first)} here, {short(second)} in a world that looks the same to it; declare the field "
                    f'secret("seat") and annotate it with | Unknown{"" if is_core(asked) else opens}'
                )
        if len(events) != len(events_there):
            raise CheckFailed(
                f"when seat {action.seat} plays {short(action)}, what happens tells {who} what it cannot know"
            )
        if own:
            return
        for where in view_differences(self.game.view(self.watcher), other.view(self.watcher)):
            raise CheckFailed(
                f"after seat {action.seat} played {short(action)}, {who} sees what it cannot know: {where}"
            )


def _seen(event: Event, seat: int | None) -> Event:
    """An event as a seat sees it."""
    seen: object = event.seen_by(seat)
    if not isinstance(seen, SeenEvent):
        raise CheckFailed(f"{class_name(type(event))}.seen_by() must return a SeenEvent, not {short(seen)}")
    return seen.event


def _plain_seat(event: Event) -> int | None:
    seat = getattr(event, "seat", None)
    return seat if type(seat) is int else None


def _hides(kind: type[Part], part: Part, players: int) -> bool:
    """True if a part of a plugin shows different things to different seats."""
    if is_core(kind) or kind is CardPiles:
        return False
    return len({full_text(part.seen_by(seat)) for seat in (None, *range(players))}) > 1


def _can_sample(game: Game, part: Part) -> bool:
    """True if a part says how to deal what it hides."""
    fresh = next(each for each in game.rules.new_parts(len(game.players)) if type(each) is type(part))
    try:
        fresh.sample_hidden(game.view(None), Dealer(0), game.rules)
    except NotImplementedError:
        return False
    pooled = all(part_fields(type(fresh))[name].pool for name in fresh.undealt())
    return pooled or type(fresh).redeal is not Part.redeal


def _inside(value: object) -> Iterator[tuple[str, object]]:
    """The members of a value, by name."""
    if isinstance(value, Mapping):
        for key, each in cast("Mapping[object, object]", value).items():
            yield str(key), each
    elif isinstance(value, tuple | list | set | frozenset):
        for number, each in enumerate(cast("Sequence[object]", value)):
            yield str(number), each
    else:
        yield from field_values(value).items()
