"""The possible layouts of tickets that a seat does not see, and random sampling of one.

A layout puts every unseen ticket into one place: the tickets, the choice or the rejects of another seat, a pile in some
order, or the box. `Layouts` counts, seat by seat, the layouts that a view allows. With these numbers every layout is
equally likely to be dealt. Kinds of tickets (the piles of the deck) matter, as a seat cannot hold more long tickets
than it was dealt. Within a kind all tickets are equivalent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import comb, prod

from attrs import evolve, frozen

from ttr_rules.kernel.rules import Rules
from ttr_rules.model.board import Ticket, networks
from ttr_rules.model.chance import Dealer
from ttr_rules.model.tickets import KeepBetween, Stage, Unkept, has_limits

#: The number of tickets of each kind.
Kinds = tuple[int, ...]


@frozen
class Places:
    """Numbers of tickets by kind that a seat holds, chooses from, and has rejected in this stage of set-up."""

    held: Kinds
    choice: Kinds
    rejects: Kinds

    @property
    def all(self) -> Kinds:
        """The three together."""
        return _plus(_plus(self.held, self.choice), self.rejects)


@frozen
class Seat:
    """The public facts about a seat: how many tickets it holds and chooses from, or None if that is secret.

    `first` is how many it kept at set-up, None if that is not known. `undealt` is true if it has yet to get the tickets
    of this stage of set-up. `shown` are the tickets that it holds openly, () for none: they are not part of a layout.
    """

    held: int | None
    choice: int | None
    first: int | None
    undealt: bool = False
    shown: Kinds = ()


def _plus(some: Kinds, more: Kinds) -> Kinds:
    return tuple(a + b for a, b in zip(some, more, strict=True))


def _minus(some: Kinds, less: Kinds) -> Kinds:
    return tuple(a - b for a, b in zip(some, less, strict=True))


def _choose(tickets: Kinds, count: int) -> Iterator[Kinds]:
    """All ways to have `count` of these tickets."""
    return (some for some in product(*(range(most + 1) for most in tickets)) if sum(some) == count)


class TicketKinds:
    """The kinds of tickets of some rules: the piles of the deck, merging those whose tickets may be mixed in play."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        mixed = networks(
            (stage.under, deal.pile)
            for stage in rules.setup
            if stage.under is not None and stage.mix is None
            for deal in stage.deals
            if deal.pile not in stage.box_rest
        )
        kinds = list(dict.fromkeys(mixed.get(name, frozenset([name])) for name in rules.deck.piles))
        self.count = len(kinds)
        self.number = {name: number for number, kind in enumerate(kinds) for name in kind}
        discards = rules.draw_counts.discards.items()
        self.number |= {lying: self.number[name] for name, lying in discards if name in self.number}
        self.of = {ticket.id: self.number[name] for name, pile in rules.deck.piles.items() for ticket in pile}
        #: The tickets of each kind.
        self.tickets = [[id for id, kind in self.of.items() if kind == number] for number in range(self.count)]
        self.nothing: Kinds = (0,) * self.count
        self.drawn = sorted({self.number[name] for name in rules.draw_counts.piles if name in self.number})
        boxed = {self.number[name] for stage in rules.setup for name in stage.box_rest if name in self.number}
        for stage in rules.setup:
            if stage.under is None and stage.mix is None:
                boxed |= {self.number[deal.pile] for deal in stage.deals}
        if rules.draw_counts.unkept is Unkept.BOX:
            boxed |= set(self.drawn)
        #: The kinds of tickets that may be in the box.
        self.boxed = frozenset(boxed)
        self.known_places = lru_cache(maxsize=256)(self.places)
        self.known_layouts = lru_cache(maxsize=64)(self._layouts)

    def _layouts(
        self, seats: tuple[Seat, ...], stage: int, piles: Kinds, arranged: bool, apart: tuple[Seat, ...] = ()
    ) -> Layouts:
        seated = [self.known_places(seat, stage) for seat in seats]
        return Layouts([*seated, *map(self.any_places, apart)], piles, self.may_be_boxed(arranged))

    def layouts_anywhere(self, seats: Iterable[Seat], piles: Kinds) -> Layouts:
        """All layouts, whatever the rules allow."""
        return Layouts([*map(self.any_places, seats)], piles, frozenset(range(self.count)))

    def may_be_boxed(self, arranged: bool) -> frozenset[int]:
        """The kinds of tickets that may be in the box, in a game or in an arranged position."""
        if arranged:  # unheld tickets of piles that are not drawn from are out of the game
            return self.boxed | (frozenset(range(self.count)) - frozenset(self.drawn))
        return self.boxed

    def mixes(self, count: int, kinds: Iterable[int]) -> list[Kinds]:
        """Every way to have a number of tickets of some kinds."""
        every = combinations_with_replacement(sorted(set(kinds)), count)
        return [tuple(some.count(kind) for kind in range(self.count)) for some in every]

    def dealt(self, stage: Stage) -> list[Kinds]:
        """All deals that a seat may get in a stage of set-up."""
        if stage.mix is not None:
            return self.mixes(stage.mix.count, [self.number[name] for name in stage.mix.piles])
        dealt = [0] * self.count
        for deal in stage.deals:
            dealt[self.number[deal.pile]] += deal.count
        return [tuple(dealt)]

    def keeps(self, stage: Stage, dealt: Kinds, before: Kinds) -> Iterator[Kinds]:
        """All sets of these tickets that a seat which already holds `before` may keep."""
        cards = [self._some(kind, count) for kind, count in enumerate(dealt)]
        held = [ticket for kind, count in enumerate(before) for ticket in self._some(kind, count, last=True)]
        offered = [ticket for lot in cards for ticket in lot]
        keep = stage.keep
        if self.rules.tickets_kept and has_limits(keep):  # plugins may have asked for any number
            keep = KeepBetween(most=keep.limits(offered, held)[1])
        for kept in product(*(range(count + 1) for count in dealt)):
            some = [ticket for kind, count in enumerate(kept) for ticket in cards[kind][:count]]
            if keep.refusal(offered, some, held) is None:
                yield kept

    def _some(self, kind: int, count: int, *, last: bool = False) -> list[Ticket]:
        tickets = [ticket for ticket in self.rules.deck.tickets if self.of[ticket.id] == kind]
        return tickets[len(tickets) - count :] if last else tickets[:count]

    def before(self, stage: int) -> list[Kinds]:
        """All sets of tickets that a seat may hold after a number of stages of set-up."""
        held = [self.nothing]
        for earlier in self.rules.setup[:stage]:
            held = list(dict.fromkeys(_plus(before, kept) for before, _, kept in self.choices(earlier, held)))
        return held

    def choices(self, stage: Stage, before: Iterable[Kinds]) -> Iterator[tuple[Kinds, Kinds, Kinds]]:
        """Every way in which a seat may choose in a stage of set-up: the tickets it held, is dealt, and keeps."""
        for held, dealt in product(before, self.dealt(stage)):
            yield from ((held, dealt, kept) for kept in self.keeps(stage, dealt, held))

    def places(self, seat: Seat, stage: int) -> list[Places]:
        """Every way to fill the places of a seat, by kinds, besides the tickets that it holds openly."""
        if not seat.shown:
            return self._all_places(seat, stage)
        rests = [evolve(places, held=_minus(places.held, seat.shown)) for places in self._all_places(seat, stage)]
        return [rest for rest in rests if min(rest.held) >= 0]

    def _all_places(self, seat: Seat, stage: int) -> list[Places]:
        nothing = self.nothing
        if stage < len(self.rules.setup):
            now = self.rules.setup[stage]
            before = self.before(stage)
            if seat.undealt:  # it may have got others from a plugin: then there is no layout by the rules of set-up
                return [Places(held, nothing, nothing) for held in before if seat.held in (None, sum(held))]
            if seat.choice is not None:
                deals = product(before, self.dealt(now))
                return [Places(held, dealt, nothing) for held, dealt in deals if sum(dealt) == seat.choice]
            chosen = self.choices(now, before)
            fillings = (Places(_plus(held, kept), nothing, _minus(dealt, kept)) for held, dealt, kept in chosen)
            return list(dict.fromkeys(fillings))
        choices = self.mixes(seat.choice or 0, self.drawn)
        if seat.held is None:
            return []
        if seat.first is None:
            holdings = self.mixes(seat.held, range(self.count))
        else:
            first = [held for held in self.before(stage) if sum(held) == seat.first]
            if seat.held < seat.first:  # a plugin took some of them
                first = [some for all in first for some in _choose(all, seat.held)]
            drawn = self.mixes(max(seat.held - seat.first, 0), self.drawn)
            holdings = list(dict.fromkeys(_plus(held, more) for held in first for more in drawn))
        return [Places(held, choice, nothing) for held in holdings for choice in choices]

    def any_places(self, seat: Seat) -> list[Places]:
        """Every way to fill the places of a seat, if plugins hand out tickets other than by the rules of set-up.

        A place of a plugin is filled like the hand of a seat.
        """
        every = range(self.count)
        choices = self.mixes(seat.choice or 0, every)
        held = max((seat.held or 0) - sum(seat.shown), 0)
        return [Places(mix, choice, self.nothing) for mix in self.mixes(held, every) for choice in choices]


class Layouts:
    """The layouts of unseen tickets over seats and piles, counted."""

    def __init__(self, seats: Sequence[Sequence[Places]], piles: Kinds, boxed: frozenset[int]) -> None:
        self.seats = seats
        self.piles = piles
        self.boxed = boxed
        self._counted = cache(self._count_each)

    def within(self, most: Sequence[Kinds]) -> Layouts:
        """The layouts in which the first seats hold at most this many tickets of each kind."""
        few = [
            [places for places in seat if min(_minus(limit, places.held), default=0) >= 0]
            for seat, limit in zip(self.seats, most, strict=False)
        ]
        return Layouts([*few, *self.seats[len(few) :]], self.piles, self.boxed)

    def count(self, seat: int, left: Kinds) -> int:
        """The number of ways to divide tickets among this seat, those after it, and the piles, whose order is ignored."""
        if seat < len(self.seats):
            return self._counted(seat, left)[0]
        # As many as there are ways to choose the contents of the piles; all have the same number of orders.
        ways = 1
        for kind, (count, pile) in enumerate(zip(left, self.piles, strict=True)):
            if count > pile and kind not in self.boxed:
                return 0  # there is no place for the rest
            ways *= comb(count, pile)
        return ways

    def _count_each(self, seat: int, left: Kinds) -> tuple[int, list[tuple[Places, int]]]:
        """The number of layouts, and the ways to fill a seat's places from the tickets left, each with its share."""
        fillings: list[tuple[Places, int]] = []
        for places in self.seats[seat]:
            after = _minus(left, places.all)
            if min(after, default=0) >= 0:
                ways = self.count(seat + 1, after)
                # Each pile is chosen from what is left without the piles before it: they go back from the last one on.
                for some in (places.rejects, places.choice, places.held):
                    after = _plus(after, some)
                    ways *= prod(map(comb, after, some))
                fillings.append((places, ways))
        return sum([ways for _, ways in fillings]), fillings

    def pick(self, left: Kinds, dealer: Dealer) -> list[Places] | None:
        """Pick a random layout, all equally likely, or None if there is none."""
        if not self.count(0, left):
            return None
        picked: list[Places] = []
        for seat in range(len(self.seats)):
            count, fillings = self._counted(seat, left)
            number = dealer.below(count)
            for places, ways in fillings:
                if number < ways:
                    picked.append(places)
                    left = _minus(left, places.all)
                    break
                number -= ways
        return picked


def read_kinds(rules: Rules) -> TicketKinds:
    """The kinds of tickets of these rules."""
    return rules.derived(TicketKinds)
