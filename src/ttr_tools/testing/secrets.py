"""Checks that what a seat sees and may do does not depend on what it cannot know (S6, S7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, islice, starmap
from random import Random
from typing import Any, TypeAlias, TypeVar, cast

import attrs
from attrs import evolve

from ttr_rules import Rules, State, View
from ttr_rules.actions import economy_of, menu_points, pays_with
from ttr_rules.engine import advance, never_hidden, refusal as engine_refusal, view_of
from ttr_rules.errors import TTRError
from ttr_rules.events import (
    CardsDiscarded,
    CardsGiven,
    CardsSpent,
    ChoicesOpened,
    Event,
    OpenCardDrawn,
    RowSwept,
    SeenEvent,
    TicketRevealed,
    TicketsRevealed,
    TurnEnded,
    Unknown,
)
from ttr_rules.hidden import determinize, missing, sample_world
from ttr_rules.hidden.sampling import MOST_TRIED
from ttr_rules.model import Action, Counts, Dealer, Decision, HiddenAction, SeededChance, TicketSetup, ToDo
from ttr_rules.model.decisions import replace
from ttr_rules.parts import EVERYBODY, SECRET, TICKETS, Place, exposed_fields, items, part_fields, places
from ttr_rules.play import Game
from ttr_rules.plugins import Choice, Part
from ttr_rules.reading import is_list, is_table
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import CardPiles, DrawBlind, DrawFrom, TrainCards
from ttr_rules.train_cards.piles import POOL, DeckPiles, announced_payments
from ttr_tools.testing.choices import Mutants
from ttr_tools.testing.names import (
    class_name,
    is_core,
    members,
    seat_name,
    short,
    view_difference,
    view_differences,
)
from ttr_tools.testing.positions import wrongly_hidden
from ttr_tools.testing.runs import Check, CheckFailed, Run, blaming

T = TypeVar("T")
#: The orders that chance gives, by call.
Orders: TypeAlias = dict[int, Sequence[Any]]


def another_world(game: Game, seat: int | None, random: Random) -> Game:
    """A game that `seat` (None: a spectator) cannot tell from this one, as `determinize`, with any chance.

    Parts of plugins that cannot sample are unchanged.
    """
    state = game.state
    chance = SeededChance(f"another {random.random()}") if isinstance(state.chance, SeededChance) else state.chance
    world = State(state.rules, state.players, chance)
    sample_world(world, game.view(seat), Dealer(f"another {random.random()}"), real=state)
    return Game(world, game.players, game.seed, game.moves)


@attrs.frozen
class RepeatedChance(SeededChance):
    """Chance that keeps the orders that it gives, by call, and gives them again as far as the items are the same.

    What chance picks out of a hidden hand, in front of everybody, is picked in every world in which that happens.
    """

    orders: Orders = attrs.field(factory=Orders, repr=False)

    def shuffled(self, call: int, items: Sequence[T]) -> tuple[T, ...]:
        left = [*super().shuffled(call, items)]
        again: dict[int, T] = {}
        for place, item in enumerate(self.orders.setdefault(call, tuple(left))[: len(left)]):
            if item in left:
                again[place] = left.pop(left.index(item))
        rest = iter(left)
        return tuple([again[place] if place in again else next(rest) for place in range(len(items))])


class Preview:
    """A legal action played on a copy of its game: what a watcher learns by it, which must be the same in another world."""

    def __init__(self, game: Game, action: Action, watcher: int | None = None) -> None:
        self.game = game
        self.before, self.after = game.state, game.state
        self.action = action
        self.watcher = watcher
        self.log: list[Event] = []
        self.orders: Orders = {}
        if isinstance(self.after.chance, SeededChance):
            self.after.chance = RepeatedChance(self.after.chance.seed, self.orders)
        advance(self.after, action, self.log)

    @cached_property
    def drawn(self) -> set[int]:
        """The places of the cards that are revealed, in all draw piles together: all that are drawn but one drawn blind.

        They are the whole pile of a deck if it is rebuilt or the row may be swept, because then its content matters (D7, R1).
        """
        if not self.before.has_part(CardPiles):
            return set()
        old, piles, economy = self.before.part(CardPiles), self.after.part(CardPiles), self.after.rules.economy
        swept = pays_with(economy, TrainCards) and economy_of(economy, TrainCards).invites_sweep(piles)
        all_of_it = swept or any(isinstance(event, RowSwept) for event in self.log)
        is_open = any(isinstance(event, OpenCardDrawn) for event in self.log)
        blind = "" if is_open else _find_blind_deck(old, self.action)
        places: set[int] = set()
        for deck, name in enumerate(old.decks.names):
            rebuilt = piles.piles[deck] is not old.piles[deck]
            count = old.size(deck) if all_of_it or rebuilt else old.size(deck) - piles.size(deck)
            first = _find_first_place(old, deck)
            places.update(range(first + (name == blind), first + count))  # a plugin may ask before it draws
        return places

    def find_known_places(self) -> set[int]:
        """The places of the cards that the watcher has looked at, or looks at during the action, in all draw piles together.

        A card keeps its height while its pile is drawn from. A pile that changes in another way is all in `drawn`.
        """
        old, seat = self.before.part(CardPiles), self.watcher
        looked = [*old.looked.items(), *self.after.part(CardPiles).looked.items()]
        known = [at for at, seats in looked if seat is not None and seats >> seat & 1]
        sizes = [old.size(deck) for deck in range(len(old.piles))]
        return {_find_first_place(old, deck) + sizes[deck] - height for deck, height in known if height <= sizes[deck]}

    def cards_leaving(self, seat: int) -> Counter[str]:
        """The cards that leave a hand by the action: it holds them in every world in which that happens."""
        old, new = (Counter(state.part(CardPiles).counts(seat)) for state in (self.before, self.after))
        return old - new

    def leave(self, place: Place) -> bool:
        """True if items leave a place of a part by the action: what they are may come out."""
        after = self.after.part(type(cast("Part", place.part)))
        left = [items(other.content) for other in places(after, POOL) if other.path == place.path]
        return bool(Counter(items(place.content)) - Counter(chain(*left)))

    @cached_property
    def opening(self) -> set[str]:
        """The plugins that open secret answers by an event with `reveals`.

        Their parts stay as they are in other worlds.
        """
        revealing = {type(event): event.reveals for event in self.log if event.reveals}
        return self.owners([kind for kind, opened in revealing.items() if issubclass(opened, Decision)])

    @cached_property
    def turning_up(self) -> set[type[Part]]:
        """The parts from whose hidden places an event moves what it names to where the watcher can look.

        Parts of the same pools count too.
        """
        kinds, seat = set[type[Part]](), self.watcher
        state = self.before.copy()
        for event in self.log:
            before = None if is_core(type(event)) else state.copy()
            event.apply(state)
            if before is None:
                continue
            named = {*_collect_names(_show_to(event, seat))}
            own = [kind for kind in state.parts if state.rules.part_owners.get(kind) and not is_core(kind)]
            shown = {text for kind in own for text in _collect_names(state.part(kind).seen_by(seat))}
            for kind in own:
                was, now = (_hidden(moment.part(kind), seat) for moment in (before, state))
                if was != now and named & shown & _hidden_ids(before.part(kind), seat):
                    kinds.add(kind)
        pools = {field.pool for kind in kinds for field in part_fields(kind).values() if field.pool}
        owners = {self.before.rules.part_owners.get(kind) for kind in kinds}
        sharing = [kind for kind in self.before.parts if any(each.pool in pools for each in part_fields(kind).values())]
        return kinds | {kind for kind in sharing if self.before.rules.part_owners.get(kind) in owners}

    @property
    def shown(self) -> set[str]:
        """The ids that the action names and its events reveal on purpose, even if they leave the hand at once."""
        showing = [event for event in self.log if isinstance(event, TicketRevealed) or event.reveals]
        return {name for event in showing for name in _collect_names(event)}.intersection(_collect_names(self.action))

    def moves_cards(self, item: ToDo) -> bool:
        """True if cards leave the hand of the seat of a sealed answer: it must hold those that the answer names."""
        losing = [event.seat for event in self.log if isinstance(event, CardsDiscarded | CardsGiven | CardsSpent)]
        return item.seat in losing or (self.before.has_part(CardPiles) and bool(self.cards_leaving(item.seat)))

    def owners(self, kinds: Collection[type[object]]) -> set[str]:
        """The plugins that these types of events and actions belong to."""
        return {tag.partition(".")[0] for tag, kind in self.after.rules.types.items() if kind in kinds}

    def keeps(self, item: ToDo) -> bool:
        """False for an answer that stays sealed: any other action that waits is the same in every world that looks the same.

        A seat that is given cards knows the answer of the seat that gives them.
        """
        if item.hook != "sealed":
            return True
        if item in self.after.todo:
            return False
        given = [(event.seat, event.other_seat) for event in self.log if isinstance(event, CardsGiven)]
        opened = [action for event in self.log if isinstance(event, ChoicesOpened) for action in event.actions]
        is_open = item.action in opened or not self.opening.isdisjoint(self.owners([type(item.action)]))
        return is_open or (item.seat, self.watcher) in given

    def elsewhere(self, random: Random) -> tuple[Game, Mapping[str, str]]:
        """A game that the watcher cannot tell from this one, in which the action looks the same to it.

        Also returns the names that tickets have there.

        Hidden tickets have other names, and hidden cards are in other hands. What chance does next in public stays the same:
        the seed and the orders of what is shuffled, the cards of the draw piles that come out or that the watcher looks at, the
        tickets that it gets to know. So do the parts of plugins that open their secrets or turn something up now. The
        cards that are paid stay in the hand of the seat that plays, announced payments in theirs.
        """
        game, state, seat = self.game, self.game.state, self.watcher
        if isinstance(state.chance, SeededChance):
            state.chance = RepeatedChance(state.chance.seed, {**self.orders})
        closed: dict[str, set[str]] = {}
        for moment in (state, self.after) if state.rules.never_hidden else ():
            for holder, held in enumerate(moment.tickets):
                for ticket in held:
                    closed.setdefault(ticket, set()).update(never_hidden(moment, holder))
        known = find_known_tickets(state, seat) | find_known_tickets(self.after, seat) | self.shown
        names = exchange_tickets(state.rules, known, random, closed)
        other = another_world(game, seat, random).state
        state.tickets = rename_items(state.tickets, names)
        state.rejects = rename_items(state.rejects, names)
        state.ticket_piles = {name: rename_items(pile, names) for name, pile in state.ticket_piles.items()}

        def elsewhere(mine: T, theirs: T, opened: bool = False) -> T:
            renamed: T = rename_items(mine, names)
            # What names tickets is renamed like the tickets held here; those of the other world are elsewhere.
            opened = opened or not state.rules.tickets.keys().isdisjoint(_collect_names(mine))
            return renamed if opened or is_core(type(mine)) or isinstance(theirs, HiddenAction) else theirs

        turned, owners = self.turning_up, state.rules.part_owners
        turning = {owners.get(kind) for kind in turned}

        def is_kept(mine: ToDo, theirs: ToDo) -> bool:
            """True if the action that waits is the same there: what it names may lie in a part that is."""
            return (
                self.keeps(mine)
                or not turning.isdisjoint(self.owners([type(mine.action)]))
                or (self.moves_cards(mine) and not _holds_named(state, theirs.action))
            )

        def wait_elsewhere(mine: ToDo, theirs: ToDo) -> ToDo:
            pending = tuple(map(elsewhere, mine.pending, theirs.pending))
            return evolve(mine, pending=pending, action=elsewhere(mine.action, theirs.action, is_kept(mine, theirs)))

        state.pending = tuple(map(elsewhere, state.pending, other.pending))
        state.todo = tuple(starmap(wait_elsewhere, zip(state.todo, other.todo, strict=True)))
        opening = self.opening
        closed_parts = [kind for kind in state.parts if owners.get(kind) not in opening and kind not in turned]
        for kind, part in other.parts.items():
            pools = {declared.pool for declared in part_fields(kind).values()}
            if TICKETS in pools:
                for place in places(state.part(kind), TICKETS):
                    place.put(rename_items(items(place.content), names))
            elif not issubclass(kind, CardPiles) and "cards" not in pools and kind in closed_parts:
                state.set_part(part)
        if state.has_part(CardPiles):
            self._exchange_cards(state, random, closed_parts)
            for kind in closed_parts:
                if kind.redeal is not Part.redeal:
                    _redeal(state, kind, game.view(seat), Dealer(f"secrets {random.random()}"))
        return Game(state, game.players, game.seed, game.moves), names

    def _exchange_cards(self, state: State, random: Random, closed_parts: Sequence[type[Part]]) -> None:
        """Exchange the cards that the watcher does not see, in hands, in piles and in closed parts, but those that come out."""
        seat, piles = self.watcher, state.part(CardPiles)
        kept = {payer: self.cards_leaving(payer) for payer in range(state.players)}
        paid = next((value for _, value in members(self.action) if isinstance(value, Counts)), Counts())
        for payer, payment in (*announced_payments(state.todo, seat).items(), (self.action.seat, paid)):
            kept[payer] |= Counter(payment)
        for item in state.todo:
            if item.hook == "sealed" and self.moves_cards(item):
                kept[item.seat] |= _count_named_cards(state, item.action)
        loose: dict[int, list[int]] = {}
        for other in range(state.players):
            if other != seat:
                stays = kept[other] | Counter(piles.open_cards(other) if isinstance(piles, DeckPiles) else {})
                hand = zip(piles.kinds, piles.hand[other], strict=True)
                loose[other] = [card for card, (kind, count) in enumerate(hand) for _ in range(count - stays[kind])]
        pile, staying = piles.undrawn, self.drawn | self.find_known_places()
        moving = [place for place in range(len(pile)) if place not in staying]
        aside = [
            place
            for kind in closed_parts
            if not issubclass(kind, CardPiles)
            for place in places(state.part(kind), POOL)
            if state.part(kind).hides(place.field, place.seat, seat) and not self.leave(place)
        ]
        stores = [[piles.number[str(card)] for card in items(place.content)] for place in aside]
        hidden = [*[pile[place] for place in moving], *chain(*loose.values(), *stores)]
        decks: dict[int, list[int]] = {}  # a card comes to the place of one of its deck
        for card in hidden:
            decks.setdefault(piles.deck_of[card], []).append(card)
        for cards in decks.values():
            random.shuffle(cards)
        mixed = iter([decks[piles.deck_of[card]].pop() for card in hidden])
        new_pile = dict(enumerate(pile)) | dict(zip(moving, mixed, strict=False))
        piles.lay_piles([*new_pile.values()])
        for other, cards in loose.items():
            new = Counter(islice(mixed, len(cards)))
            lost = Counter(cards)
            piles.hand[other] = [count + new[card] - lost[card] for card, count in enumerate(piles.hand[other])]
        for place, cards in zip(aside, stores, strict=True):
            place.put([piles.kinds[card] for card in islice(mixed, len(cards))])


def _find_blind_deck(piles: CardPiles, action: Action) -> str:
    """The deck from which an action draws blind, or an empty text."""
    if isinstance(action, DrawFrom):
        return action.deck
    return piles.decks.names[0] if type(action) is DrawBlind else ""


def _find_first_place(piles: CardPiles, deck: int) -> int:
    """The place of the top card of a deck in all draw piles together."""
    return sum(map(piles.size, range(deck)))


def _hidden(part: Part, seat: int | None) -> dict[str, object]:
    """The fields of a part that a seat does not see as they are."""
    shown = exposed_fields(part.seen_by(seat))
    return {name: value for name, value in exposed_fields(part).items() if shown.get(name) != value}


def _hidden_ids(part: Part, seat: int | None) -> set[str]:
    """The ids in a part that a seat does not see there. What it holds itself is not hidden."""
    return {*(Counter(_collect_names(part)) - Counter(_collect_names(part.seen_by(seat))))}


def _count_named_cards(state: State, action: Action | None) -> Counter[str]:
    """The train cards that an action names."""
    kinds = state.part(CardPiles).number if state.has_part(CardPiles) else ()
    return Counter(name for name in _collect_names(action) if name in kinds)


def _holds_named(state: State, action: Action | None) -> bool:
    """True if the seat of a sealed answer holds the cards that it names: then they stay in its hand."""
    named = _count_named_cards(state, action)
    return action is None or not named or named <= Counter(state.part(CardPiles).counts(action.seat))


def _redeal(state: State, kind: type[Part], view: View, dealer: Dealer) -> None:
    """Deal the secrets of a part anew that come from no box, to fit the cards that a state has now."""
    part = next(new_part for new_part in state.rules.new_parts(state.players) if type(new_part) is kind)
    try:
        part.sample_hidden(view, dealer, state.rules)
    except NotImplementedError:
        return
    real = state.part(kind).copy()
    for name, declared in part_fields(kind).items():
        if declared.pool:
            setattr(part, name, getattr(real, name))
    part.redeal(view, dealer, state)
    if not part.undealt():
        state.set_part(part)


def exchange_tickets(
    rules: Rules, known: Container[str], random: Random, closed: Mapping[str, Container[str]] = FrozenMap()
) -> Mapping[str, str]:
    """Other names for all tickets but those known, each of the same pile. `closed` has the names that a ticket cannot get."""
    names: dict[str, str] = {}
    for tickets in rules.deck.piles.values():
        unknown = [ticket.id for ticket in tickets if ticket.id not in known]
        names |= zip(unknown, unknown, strict=True)
        for one, other in zip(unknown, random.choices(unknown, k=len(unknown)) if unknown else (), strict=True):
            if names[other] not in closed.get(one, ()) and names[one] not in closed.get(other, ()):
                names[one], names[other] = names[other], names[one]
    return names


def rename_items(value: object, names: Mapping[str, str]) -> Any:
    """A value with some names in it replaced by others: in texts, tuples, lists, `Counts`, and the fields of values.

    >>> rename_items(("paris-wien", ["berlin-roma"]), {"paris-wien": "berlin-roma", "berlin-roma": "paris-wien"})
    ('berlin-roma', ['paris-wien'])
    """
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Counts):
        return Counts({names.get(kind, kind): count for kind, count in value.items()})
    if is_list(value):
        renamed = [rename_items(item, names) for item in value]
        return tuple(renamed) if isinstance(value, tuple) else renamed
    kind = type(value)
    if attrs.has(kind):
        fields = {field.name: getattr(value, field.name) for field in attrs.fields(kind) if field.init}
        new = {name: rename_items(member, names) for name, member in fields.items()}
        changed = {name: member for name, member in new.items() if member != fields[name]}
        return attrs.evolve(cast("Any", value), **changed)
    return value


def find_known_tickets(state: State, seat: int | None) -> set[str]:
    """The ids of the tickets that a seat sees."""
    known: set[str] = set()
    if seat is not None:
        asked = chain(state.pending, *[item.pending for item in state.todo])
        known.update(state.tickets[seat], state.rejects[seat])
        known.update(*[_collect_names(decision) for decision in asked if decision.seat == seat])
    known.update(state.open_tickets)
    known.update(*[state.tickets[partner] for partner in state.rules.components.partners_of(seat)])
    for part in state.parts.values():
        shown = [place for place in places(part, TICKETS) if not part.hides(place.field, place.seat, seat)]
        known.update(ticket for place in shown for ticket in items(place.content))
    return known


def _collect_names(value: object) -> list[str]:
    """Every text in a value, and the kinds of `Counts`, each as often as there."""
    if isinstance(value, str | Counts):
        return [value] if isinstance(value, str) else items(value)
    return [text for _, member in members(value) for text in _collect_names(member)]


#: What is hidden in the text of a view, with the number of things.
_UNKNOWN = re.compile(r"\('Unknown', \{[^}]*")
#: The number of events of a type that are remembered, and of other values tried for a field.
REMEMBERED, TRIED = 20, 4


class OpenEvents:
    """A different value in a public field of an event must make a visible difference afterwards.

    If a seat that is shown the value then sees the same state either way, although the state differs, the value is a
    secret that the event leaks, unless the seat sees what it names leave its place. A seat that a secret field names may
    look at hidden things, but what lies in a part afterwards must be there for it to see.
    """

    def __init__(self, run: Run, mutants: Mutants) -> None:
        self.run = run
        self.mutants = mutants
        self.players = run.game.players
        self.random = run.random
        self.seen: dict[type[Event], list[Event]] = {}
        rules = run.rules
        #: Ids of one sort each, the items of boxes first: what names one of them could name another instead.
        every = (*_list_boxes(run.game.state), rules.tickets, rules.board.routes, rules.board.cities, mutants.cards)
        self.sorts = [{id: None for id in ids if isinstance(id, str)} for ids in every]

    def follow(self, events: Sequence[Event]) -> None:
        """Check the events since the last action."""
        own = [event for event in events if not is_core(type(event))]
        for event in own:
            self.seen.setdefault(type(event), []).append(event)
        for event, state in self.run.steps(events if own else ()):
            if not is_core(type(event)) and not _tells_of_part(event, state):
                self._look(event, state)
            event.apply(state)

    def _look(self, event: Event, state: State) -> None:
        """Compare the state after an event with the states after events that differ in one field."""
        own: object = getattr(event, "seat", None)
        others = [None, *(seat for seat in range(len(self.players)) if seat != own)]
        for field in attrs.fields(type(event)):
            if field.name != "seat":
                self._look_at(event, state, field, self.random.choice(others))
                if SECRET in field.metadata and type(own) is int and 0 <= own < len(self.players):
                    self._look_at(event, state, field, own)

    def _look_at(self, event: Event, state: State, field: attrs.Attribute[object], watcher: int | None) -> None:
        """Compare the state after an event with those after events with another value of a field, as a seat sees them."""
        mine: object = getattr(event, field.name)
        secret = SECRET in field.metadata
        hides = secret and isinstance(getattr(_show_to(event, watcher), field.name), Unknown)
        if not hides and mine in self._known_values(event, watcher):
            return
        after = self._after(event, state, watcher)
        if after is None:
            return
        if not hides and (names := Counter(_collect_names(mine))):
            shown = Counter(_collect_names(view_of(state, self.players, watcher).parts))
            if names <= shown - Counter(_collect_names(after[1].parts)):
                return
        who, kind = seat_name(watcher), class_name(type(event))
        for value in self._others(event, field.name, KnownPlaces(state, watcher) if secret else None):
            if hides and _size(value) != _size(mine):
                continue  # how many there are may be seen
            changes = {field.name: value}
            changed = self._after(event, state, watcher, **changes)
            changed = changed or self._after(event, lay_on_top(state, mine, value), watcher, **changes)
            if changed is None or changed[0] == after[0]:
                continue
            differing = view_differences(after[1], changed[1])
            if hides:
                # No seat holds such a ticket in secret: it is shown at once. A value with which something else is hidden is not possible.
                is_shown = after[2] or changed[2]
                hides_more = any(len({(*_UNKNOWN.findall(text),) for text in texts}) > 1 for _, *texts in differing)
                if differing and not is_shown and not hides_more:
                    raise CheckFailed(
                        f"the event {kind} hides {field.name!r} from {who}, which cannot know it, but sees it in the state afterwards: {differing[0][0]} "
                        f"changes with it; declare it by_seat or hidden in the part, or show {field.name!r} to all, or in secret(…) to that seat"
                    )
            elif not differing:
                told = (
                    f"the event {kind} tells {who} {field.name!r}, which it cannot know, as the state hides it: "
                    f"{short(event)} or with {short(value)} there, {who} sees the same table afterwards; "
                )
                if not secret:
                    raise CheckFailed(
                        f'{told}declare the field secret("seat") and annotate it with | Unknown, with counted=False if the number alone tells, '
                        f"or show it in the part{self._cure(mine)}"
                    )
                for part in after[0].parts:
                    if not is_core(part) and after[0].part(part) != changed[0].part(part):
                        raise CheckFailed(
                            f"{told}name in secret(…) the seats that may see it, or none, or write reveals = {class_name(part)} if they see it only now"
                        )

    def _cure(self, value: object) -> str:
        """Another cure for an event that tells a value, if the action of a plugin names it, too."""
        action = self.run.action
        if action is None or is_core(type(action)) or value not in [named for _, named in members(action)]:
            return ""
        return f", or write reveals = {type(action).__name__} if the player shows it to everybody"

    def _known_values(self, event: Event, watcher: int | None) -> list[object]:
        """The values that an event may repeat: of the question answered, as a watcher saw it, and of the action if that is its own or is revealed."""
        asked, action = self.run.asked, self.run.action
        shown: list[object] = [] if asked is None else [asked.seen_by(watcher)]
        if action is not None and (action.seat == watcher or _is_revealed(action, event)):
            shown.append(action)
        return [value for thing in shown for _, value in members(thing)]

    def _after(
        self, event: Event, before: State, watcher: int | None, **changes: object
    ) -> tuple[State, View, bool] | None:
        """The state after an event with changes, a watcher's view of it, and whether a ticket is wrongly hidden there.

        None if the event cannot be applied, or a hook cannot look at the state: a made-up value need not be valid.
        """
        state = before.copy()
        try:
            replace(event, **changes).apply(state)
            return state, view_of(state, self.players, watcher), any(wrongly_hidden(state))
        except Exception:
            return None

    def _others(self, event: Event, name: str, known: KnownPlaces | None) -> Iterator[object]:
        """Some other values of a field, from other events or made up. They need not be possible.

        With `known`, for a secret, they name only tickets and cards that the event could be about as well.
        """
        value: object = getattr(event, name)
        others = [getattr(other, name) for other in self.seen[type(event)][:REMEMBERED]]
        if known is None:
            others += self.mutants.vary(value)
            names = dict.fromkeys(_collect_names(value))
            if sort := next((sort for sort in self.sorts if not sort.keys().isdisjoint(names)), None):
                some = self.random.sample([*sort], min(TRIED, len(sort)))
                others += [rename_items(value, {name: other}) for name in names for other in some]
                others = [other for other in others if sort.keys() >= {*_collect_names(other)}]
        else:
            others = [*filter(partial(known.fit, value), others), *known.exchange(value)]
        different = [other for other in others if other != value]
        yield from self.random.sample(different, min(TRIED, len(different)))


def lay_on_top(state: State, value: object, other: object) -> State:
    """The state with cards that another value names in the places of those that a value names, in the draw piles."""
    state = state.copy()
    if state.has_part(CardPiles) and not (piles := state.part(CardPiles)).looked:
        pile = [*piles.draw_pile]
        for card, instead in zip(_collect_names(value), _collect_names(other), strict=False):
            if card in pile and instead in pile:
                here, there = pile.index(card), pile.index(instead)
                pile[here], pile[there] = instead, card
        piles.lay_piles(piles.number_cards(pile))
    return state


class KnownPlaces:
    """The hidden places of tickets and items, such as a hand, and the decks of cards: an event that hides one may be about another of the same place.

    A ticket that lies elsewhere, comes from another pile, or is known to the watcher would be another event, which the
    watcher may tell from this one. So would a card of another deck, which has another back.
    """

    def __init__(self, state: State, watcher: int | None) -> None:
        self.places: dict[str, object] = {}
        lying: dict[str, list[object]] = {}
        for kind, part in state.parts.items():
            for pool in {declared.pool for declared in part_fields(kind).values()} - {"", TICKETS, POOL}:
                for own in places(part, pool):
                    here = (kind, own.field, own.seat) if part.hides(own.field, own.seat, watcher) else ""
                    for item in {item for item in items(own.content) if isinstance(item, str)}:
                        lying.setdefault(item, []).append(here)
        self.places.update({item: where[0] for item, where in lying.items() if len(where) == 1 and where[0]})
        pile_of = {ticket.id: name for name, tickets in state.rules.deck.piles.items() for ticket in tickets}
        hands = [("hand", seat, held) for seat, held in enumerate(state.tickets)]
        piles = [("pile", name, pile) for name, pile in state.ticket_piles.items()]
        fields = [(kind, place) for kind, part in state.parts.items() for place in places(part, TICKETS)]
        kept = [(kind, (place.field, place.seat), items(place.content)) for kind, place in fields]
        for *place, tickets in (*hands, *piles, *kept):
            self.places.update({ticket: (*place, pile_of.get(ticket)) for ticket in tickets})
        self.places.update({ticket: ticket for ticket in find_known_tickets(state, watcher)})
        if state.has_part(CardPiles):
            cards = state.part(CardPiles)
            self.places.update({kind: ("deck", deck) for kind, deck in zip(cards.kinds, cards.deck_of, strict=True)})

    def fit(self, value: object, other: object) -> bool:
        """True if what another value names lies in the places of what this value names."""
        sides = [[self.places[name] for name in _collect_names(side) if name in self.places] for side in (value, other)]
        return Counter(sides[0]) == Counter(sides[1])

    def exchange(self, value: object) -> Iterator[object]:
        """The value with a ticket or a kind of card exchanged for another of the same place."""
        if is_list(value):
            yield (*reversed(value),)  # in another order
        named = [name for name in _collect_names(value) if name in self.places]
        for name in named:
            for other, place in self.places.items():
                if place == self.places[name] and other not in named:
                    yield rename_items(value, {name: other})


#: What to do about a secret that is told by something of the library, or by a part.
_LIBRARY_TELLS = (
    "that of the library comes there from a rule or hook that looks at what is hidden: let what everybody sees depend on public "
    "things, or on what an event has shown before. If the rules let everybody learn it, emit an event with reveals = CardPiles, "
    "or another part, before it"
)
_REVEAL_TELLS = (
    "a ticket that tx.reveal_ticket shows by itself tells about the rest of the hand, and so does one that it does not show: let "
    "the player decide, by an action or a choice that names the ticket, or say with the hook never_hidden which tickets "
    "would have been shown"
)
_PART_TELLS = (
    "declare the field by_seat or hidden, with counted=False if the number alone tells; a seen_by() of your own shows less, and "
    "sample_hidden() takes over what it shows"
)
#: The number of actions from one sampled world to the next, and from one look at what a seat sees in another world.
SAMPLED_EVERY, LOOKED_EVERY = 16, 4
#: The most other worlds that are dealt for an action that reveals something, and how many are wanted for an action of a plugin.
MOST_WORLDS, WORLDS_OF_OWN = 20, 3
#: So many questions are answered in a sampled world, until nothing waits for them.
MOST_ANSWERS = 20


def _size(value: object) -> object:
    """The number of items that all may see of a hidden value."""
    return value.total if isinstance(value, Counts) else len(value) if is_list(value) else None


class SecretsCheck(Check):
    """Two worlds that a seat cannot tell apart look the same to it.

    That covers its view, its decision, its legal actions, refusals, and the events it sees when another seat acts.
    """

    name = "secrets"

    def start(self) -> None:
        run = self.run
        self.mutants = Mutants(self.game, self.random)
        #: Other games, each with what is played there instead of the action.
        self.there: list[tuple[Game, Action]] = []
        self.watcher: int | None = None
        self.everybody: list[int | None] = [None, *range(run.players)]
        self.open_events = OpenEvents(run, self.mutants)
        self.asked: set[type[Decision]] = set()
        #: The answers to public choices, with the fields of events that have always hidden them.
        self.answers: dict[type[Decision], tuple[list[object], set[tuple[str, str]]]] = {}
        #: The questions whose answers are secret until an event opens them.
        self.sealed = {kind.reveals for kind in run.rules.types.values() if issubclass(kind, Event)}
        self.sealed |= {kind for kind in run.rules.answers if issubclass(kind, Choice) and kind.sealed}
        for seat in self.everybody:
            self._holds_no_game(seat)
            self._look(seat)
            self._check_sampling(seat)

    def before(self, action: Action) -> None:
        number, is_own = self.run.number, not is_core(type(action))
        if self.run.is_first or number % (2 * LOOKED_EVERY) == 0:
            self._look(action.seat)
        elif number % LOOKED_EVERY == 0:
            self._look(self.random.choice(self.everybody))
        asked = {type(decision) for decision in self.game.state.pending} - self.asked
        if asked:
            self.asked |= asked
            for seat in self.everybody:
                self._check_sampling(seat)
        elif number % SAMPLED_EVERY == 1:
            self._check_sampling(self.random.choice(self.everybody))
        self.there = []
        if number % 2 == 0 or is_own or self.run.is_first:
            self._prepare(action)

    def after(self, events: Sequence[Event]) -> None:
        self.open_events.follow(events)
        self._holds_nothing_shown()
        if self.run.action is not None:
            self._check_open_answer(self.run.action, events)
            for other, played_there in self.there:
                self._compare_with(other, played_there, self.run.action, events)
        deciding = self.game.to_act
        # Seats that decide in secret know nothing of what others have chosen.
        seats: Sequence[int | None] = deciding if len(self.run.before.pending) > 1 else ()
        if not deciding or (self.run.position and not seats):
            seats = self.everybody
        for seat in seats:
            self._look(seat)

    # -- sampled worlds -----------------------------------------------------------------------

    def _check_sampling(self, seat: int | None) -> None:
        """Check that a world consistent with a seat's view can be sampled, with the same cards as in this one."""
        who = seat_name(seat)
        try:
            world = determinize(self.game.view(seat), self.rules, seed=self.random.randrange(2**32))
        except TTRError as error:
            for _ in range(8):  # random worlds: one of them may show why
                self._look(seat)
            raise CheckFailed(f"determinize deals no world that fits what {who} sees: {error}") from error
        state, dealt = self.game.state, world.state
        here, there = missing(state), missing(dealt)
        for pool in self.run.complete_pools:
            if here[pool] != there[pool]:
                item = next(iter({**there[pool], **here[pool]}))
                raise CheckFailed(
                    f"in a world that determinize deals for {who}, {there[pool].get(item, 0)} × {short(item)} of the pool {pool!r} is "
                    f'nowhere, in the game {here[pool].get(item, 0)}: what a plugin keeps belongs in a field with pool="{pool}"'
                )
        for kind in self.rules.part_types:
            name = class_name(kind)
            if not state.part(kind).fits(state):
                raise CheckFailed(f"{name}.fits is False for the game itself: it must always be True there")
            if not dealt.part(kind).fits(dealt):
                raise CheckFailed(
                    f"{name}.fits is still False for the last of {MOST_TRIED} worlds that determinize dealt for {who}; make it "
                    "refuse fewer worlds, or write a redeal"
                )
            if problem := dealt.part(kind).validate(self.rules):
                raise CheckFailed(
                    f"{name}.validate still has a problem with the last of {MOST_TRIED} worlds that determinize dealt for {who}: "
                    f"{problem}; deal what fits in redeal, or let validate report only what no game can have"
                )
        self._agrees(world, who)
        self._goes_on(world, who)

    def _holds_nothing_shown(self) -> None:
        """No seat holds a ticket in secret if `never_hidden` says that it cannot."""
        state = self.game.state
        for seat, ticket in () if state.todo else wrongly_hidden(state):
            raise CheckFailed(
                f"never_hidden says that seat {seat} cannot hold the ticket {ticket} in secret, but it does: show it with "
                "tx.reveal_ticket as soon as the seat holds it and whenever the answer of the hook changes, or leave it out there"
            )

    def _agrees(self, world: Game, who: str) -> None:
        """The tickets that public fields name for their holder are dealt to the same seat."""
        for kind, part in self.game.state.parts.items():
            for field, seat, ticket in _find_noted_tickets(part, self.run.players):
                if ticket in self.game.state.tickets[seat] and ticket not in world.state.tickets[seat]:
                    raise CheckFailed(
                        f"{class_name(kind)}.{field} tells everybody that seat {seat} holds the ticket {ticket}, but a world that "
                        f"determinize deals for {who} has it elsewhere: give it openly, with state.give_ticket(seat, ticket, open=True), or "
                        "show it with tx.reveal_ticket"
                    )

    def _goes_on(self, world: Game, who: str) -> None:
        """In a sampled world everything that waits for the answer to a question can be done."""
        for _ in range(MOST_ANSWERS):
            if not world.state.todo:
                return
            cure = '. If a question names what others cannot know, declare that field secret("seat")'
            with blaming(f"a world that determinize deals for {who} cannot go on with what waits for an answer", cure):
                world.play(self.random.choice(world.legal_actions(world.to_act[0])))

    # -- what a seat sees and may do -------------------------------------------------------------------------

    def _look(self, seat: int | None) -> None:
        """In another world that a seat cannot tell from this one, what it sees and may do is the same."""
        game, who = self.game, seat_name(seat)
        world = another_world(game, seat, self.random)
        if where := view_difference(game.view(seat), world.view(seat)):
            raise CheckFailed(
                f"{who} sees what it cannot know: {where} changes when the hands, piles and tickets that {who} cannot see "
                f"are dealt anew; {self._cure_of_view(where)}"
            )
        if seat is not None and (where := self.other_offer(seat, world.legal_actions(seat))):
            raise CheckFailed(
                f"{where}: what it offers {who} depends on what {who} cannot know; offers may look at public things and the "
                "seat's own"
            )
        for what, (here, there) in self._list_told(seat, world):
            if here != there:
                teller = f"{self.rule(what)}: the refusal of {short(what)}" if isinstance(what, Action) else what
                raise CheckFailed(f"{teller} tells {who} what it cannot know: {here} or {there}")

    def _list_told(self, seat: int | None, world: Game) -> Iterator[tuple[str | Action, list[object]]]:
        """What else is told to a seat, in this world and in another. An action is told to be refused."""
        states = self.game.state, world.state
        yield "the repr of the game", [repr(self.game), repr(world)]
        for other in range(self.run.players) if self.rules.never_hidden else ():
            yield f"never_hidden of seat {other}", [short(never_hidden(state, other)) for state in states]
        if seat is None:
            return
        for route in self.random.sample([*self.rules.board.routes], 4) if self.rules.menu_points else ():
            yield "menu_points", [f"{menu_points(state, seat, route)} points for {route}" for state in states]
        mine = self.run.sample_legal_actions(seat)
        near = self.mutants.near(self.random.choice(mine) if mine else DrawBlind(seat))
        for mutant in self.random.sample(near, 6):
            if type(mutant.seat) is int and mutant.seat == seat:
                yield mutant, [engine_refusal(state, mutant) for state in states]

    def _cure_of_view(self, where: str) -> str:
        """The cure for something in a view that changes with what is hidden."""
        if where.startswith("view.barred"):
            plugins = " or ".join(repr(condition.name) for condition in self.rules.claim_conditions)
            return f"claim_refusal, claim_cars or closed_routes of {plugins} may look at public things and what the seat itself sees"
        return _LIBRARY_TELLS if where.startswith("view.") else _PART_TELLS

    def _holds_no_game(self, seat: int | None) -> None:
        """A view holds no reference to the state, the seed or the rules."""
        waiting: list[tuple[str, object]] = [("the view", self.game.view(seat))]
        while waiting:
            place, thing = waiting.pop()
            if isinstance(thing, Part) and place.count(" of ") == 1:  # what a part exposes may be of its own type
                waiting += [(f"{key!r} of {place}", value) for key, value in exposed_fields(thing).items()]
                continue
            if isinstance(thing, State | Game | Part | SeededChance | Rules):
                raise CheckFailed(
                    f"{place} holds a {class_name(type(thing))}: a view must hold plain values (ids, numbers, tuples)"
                )
            inside = "" if place == "the view" else f" of {place}"
            waiting += [(f"{key!r}{inside}", value) for key, value in members(thing)]

    # -- events shown to a seat ---------------------------------------------------------------------------------

    def _prepare(self, action: Action) -> None:
        """Prepare another world in which the same happens, as far as an observer can see."""
        game = self.game
        self.watcher = self.random.choice([seat for seat in self.everybody if seat != action.seat])
        decision = game.decision(action.seat)
        is_last = len(game.to_act) == 1
        if isinstance(decision, TicketSetup) and is_last:
            return  # with the last choice everybody learns how many others kept
        choosing = isinstance(decision, TicketSetup) or (type(decision) in self.sealed and not is_last)
        preview = Preview(game, action, self.watcher)
        # The other world must contain what the action reveals. Most might not, so try several.
        shows = any(_is_revealed(action, event) for event in preview.log)
        wanted = 1 if is_core(type(action)) else WORLDS_OF_OWN
        for _ in range(MOST_WORLDS if shows else wanted):
            world, names = preview.elsewhere(self.random)
            # How many are kept is secret too, and what is answered until it is opened.
            other = self.random.choice(world.legal_actions(action.seat)) if choosing else rename_items(action, names)
            fits = all(world.state.part(kind).fits(world.state) for kind in self.rules.part_types)
            if fits and world.refusal(other) is None:
                self.there.append((world, other))
            if len(self.there) == wanted:
                return

    def _check_open_answer(self, action: Action, events: Sequence[Event]) -> None:
        """Check that a public question has no answer that an event hides.

        Views show what waits as openly as its question.
        """
        asked = self.run.asked
        answer: object = getattr(action, "option", None)
        if answer is None or asked is None or not asked.public or asked.secret_answer or type(asked) in self.sealed:
            return
        hidden = {
            (class_name(type(event)), field.name)
            for event in events
            for field in attrs.fields(type(event))
            if SECRET in field.metadata and getattr(event, field.name) == answer and _show_to(event, None) != event
        }
        answers, always = self.answers.setdefault(type(asked), ([], hidden))
        answers.append(answer)
        always &= hidden
        if always and len(answers) > 2 and any(other != answer for other in answers):
            event, field = min(always)
            raise CheckFailed(
                f"{class_name(type(asked))} is public, so everybody sees its answer in view.todo while another plugin's question waits, "
                f"but the event {event} hides it in {field!r}: write secret_answer = True too"
            )

    def _compare_with(self, other: Game, played_there: Action, action: Action, events: Sequence[Event]) -> None:
        """Compare what a watcher sees of an action with what happens in another world."""
        events_there = other.play(played_there)
        who, told = seat_name(self.watcher), f"when seat {action.seat} plays {short(action)}"
        for mine, theirs in zip(events, events_there, strict=False):
            if isinstance(mine, TicketsRevealed):
                return
            if type(mine) is CardsGiven and mine.other_seat == self.watcher:
                return  # by the cards that it is given, it can tell the two worlds apart from here on
            first, second = _show_to(mine, self.watcher), _show_to(theirs, self.watcher)
            if first != second and self._tells_yes_or_no(action, first, second):
                return  # everybody learns that, so everybody can tell the two worlds apart from here on
            if first != second:
                raise CheckFailed(
                    f"{told}, the event {class_name(type(mine))} tells {who} what it cannot know: "
                    f"{short(first)} here, {short(second)} in a world that looks the same to it; {self._cure(type(mine), type(theirs))}"
                )
            if isinstance(mine, TurnEnded) and not self.game.to_act:
                return  # all tickets lay open before, and the end of the game may reveal everything else
        if len(events) != len(events_there):
            raise CheckFailed(f"{told}, what happens tells {who} what it cannot know")
        if where := view_difference(self.game.view(self.watcher), other.view(self.watcher)):
            raise CheckFailed(
                f"after seat {action.seat} played {short(action)}, {who} sees what it cannot know: {where}"
            )

    def _tells_yes_or_no(self, action: Action, mine: Event, theirs: Event) -> bool:
        """True if two events that are declared to answer an action, or to say whether a question follows, say yes and no.

        They differ in their type or in truth values alone. An event that is declared to tell something of a part may be
        missing in the other world.
        """
        if any(_tells_of_part(event, self.run.before) for event in (mine, theirs)):
            return True
        opened = mine.reveals
        if opened is None or theirs.reveals is not opened:
            return False
        others = sum(isinstance(decision, opened) for decision in self.run.before.pending)
        if not isinstance(action, opened) and (issubclass(opened, Action) or others > 1):
            return False
        here, there = dict(members(mine)), dict(members(theirs))
        known = [value for _, value in members(action)]
        alone = [value for name, value in (*here.items(), *there.items()) if not (name in here and name in there)]
        both = [(value, there[name]) for name, value in here.items() if name in there]
        return all(value in known for value in alone) and all(
            one == other or type(one) is type(other) is bool for one, other in both
        )

    def _cure(self, told: type[Event], there: type[Event]) -> str:
        """The cure for an event that tells what its watcher cannot know."""
        if TicketRevealed in (told, there):
            return _REVEAL_TELLS
        if is_core(told):
            return _LIBRARY_TELLS
        opened = told.reveals
        if opened is not None and sum(isinstance(decision, opened) for decision in self.run.before.pending) > 1:
            return f"emit it with the last answer to {opened.__name__}, when tx.state.to_act is one seat"
        asked = type(self.run.asked)
        opens = "" if is_core(asked) else f", or write reveals = {asked.__name__} if it opens what all have answered"
        action = self.run.action
        if action is not None and not is_core(type(action)) and not isinstance(action, opened or ()):
            guess = type(action).__name__
            opens += f", or reveals = {guess} if everybody may hear yes or no in answer to it"
        turned_up = "or, if it names something that is turned up, let its effect move that to a public field"
        cure = 'declare the field secret("seat") and annotate it with | Unknown, with counted=False if the number alone tells'
        return f"{cure}, {turned_up}{opens}"


def _is_revealed(action: Action | None, event: Event) -> bool:
    """True if an event declares with `reveals` that it shows or answers this action."""
    return event.reveals is not None and isinstance(action, event.reveals)


def _tells_of_part(event: Event, state: State) -> bool:
    """True if an event declares with `reveals` that it tells something of what a part hides, and is about nothing else.

    What it names lies in the part before the event or after it, and it changes no other part of a plugin.
    """
    kind = event.reveals
    if kind is None or not issubclass(kind, Part) or not state.has_part(kind):
        return False
    rules, after = state.rules, state.copy()
    with suppress(Exception):
        event.apply(after)
    if any(
        part != after.part(other) for other, part in state.parts.items() if other is not kind and not is_core(other)
    ):
        return False
    ids = {*rules.tickets, *chain.from_iterable(_list_boxes(state))}
    named = {name for name in _collect_names(event) if name in ids}
    inside: set[object] = set()
    for part in (state.part(kind), after.part(kind)):
        inside.update(_collect_names(part))
        for pool in part.box(rules).keys() | {field.pool for field in part_fields(kind).values()}:
            inside.update(part.items_in(pool))
    return named <= inside


def _list_boxes(state: State) -> list[Iterable[object]]:
    """What is in the boxes of all parts, by pool of each."""
    return [inside for part in state.parts.values() for inside in part.box(state.rules).values()]


def _show_to(event: Event, seat: int | None) -> Event:
    """Show an event as a seat sees it."""
    seen: object = event.seen_by(seat)
    if not isinstance(seen, SeenEvent):
        raise CheckFailed(f"{class_name(type(event))}.seen_by() must return a SeenEvent, not {short(seen)}")
    return seen.event


def _find_noted_tickets(part: Part, players: int) -> Iterator[tuple[str, int, str]]:
    """Find the names that public fields have for a seat, each with its field.

    A name is in the seat's entry, under its number, or with it.
    """
    for name, declared in part_fields(type(part)).items():
        value: object = getattr(part, name)
        if declared.visible != EVERYBODY or declared.pool:
            continue
        if is_list(value) and not isinstance(value, tuple) and len(value) == players:
            value = dict(enumerate(value))
        for one, other in value.items() if is_table(value) else ():
            seat, named = (one, other) if type(one) is int else (other, one)
            if type(seat) is int and 0 <= seat < players:
                yield from ((name, seat, text) for text in _collect_names(named))
