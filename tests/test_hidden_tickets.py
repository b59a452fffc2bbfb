"""Where unseen tickets may lie, counted: against every ticket put into every place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from helpers import rules_of

import ttr_rules as ttr
from ttr_rules.hidden.ticket_layouts import Kinds, Layouts, Places, Seat, TicketKinds, read_kinds
from ttr_rules.model import Dealer
from ttr_rules.plugins import Below, Deal, KeepAtLeast, KeepRule, Setup, Stage, Variant, hookimpl

EUROPE = read_kinds(rules_of("europe"))
MEGA = read_kinds(ttr.compile_rules("europe", "mega-europa"))
GERMANY = read_kinds(ttr.compile_rules("germany-tickets", "marklin"))
BOX = "box"


# -- layouts -----------------------------------------------------------------------------------------------------


def layouts_by_trying(
    seats: Sequence[Sequence[Places]], piles: Kinds, boxed: frozenset[int], unseen: Kinds
) -> Counter[tuple[Places, ...]]:
    """How many ways there are to put every single ticket somewhere, by what the seats then have."""
    kinds = range(len(unseen))
    tickets = [kind for kind in kinds for _ in range(unseen[kind])]
    spots: list[Any] = [(seat, part) for seat in range(len(seats)) for part in range(3)]
    found: Counter[tuple[Places, ...]] = Counter()
    for put in product([*spots, "pile", BOX], repeat=len(tickets)):
        there = Counter(zip(put, tickets, strict=True))
        if any(there["pile", kind] != piles[kind] or (there[BOX, kind] and kind not in boxed) for kind in kinds):
            continue
        filled = tuple(
            Places(*(tuple(there[(seat, part), kind] for kind in kinds) for part in range(3)))
            for seat in range(len(seats))
        )
        if all(places in allowed for places, allowed in zip(filled, seats, strict=True)):
            found[filled] += 1
    return found


ANY_HAND = [Places((2, 0), (0, 0), (0, 1)), Places((1, 1), (0, 0), (0, 0)), Places((0, 1), (1, 0), (0, 0))]
ONE = [Places((1, 0), (0, 0), (0, 0)), Places((0, 1), (0, 0), (0, 0))]
TABLES: list[tuple[list[list[Places]], Kinds, frozenset[int], Kinds]] = [
    ([ANY_HAND, ONE], (1, 0), frozenset({0, 1}), (3, 2)),
    ([ANY_HAND, ONE], (1, 0), frozenset({1}), (3, 2)),
    ([ANY_HAND, ONE], (0, 1), frozenset({0}), (3, 2)),
    ([ANY_HAND, ONE], (0, 0), frozenset(), (2, 2)),
    ([ONE, ANY_HAND], (1, 0), frozenset({0}), (3, 2)),
    ([ANY_HAND], (2, 1), frozenset({0, 1}), (4, 2)),
    ([ONE], (0, 3), frozenset({0}), (1, 2)),
]


class Answers(Dealer):
    """A dealer whose numbers are given, and who remembers how many there were to choose from."""

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__(0)
        self.numbers = list(numbers)
        self.limits: list[int] = []

    def below(self, limit: int) -> int:
        self.limits.append(limit)
        number = self.numbers[len(self.limits) - 1] if len(self.limits) <= len(self.numbers) else 0
        assert 0 <= number < limit
        return number


def picked(layouts: Layouts, unseen: Kinds) -> Iterator[tuple[tuple[Places, ...], Fraction]]:
    """What is picked for every answer that chance can give, with the part of all answers that leads there."""
    waiting: list[list[int]] = [[]]
    while waiting:
        numbers = waiting.pop()
        answers = Answers(numbers)
        found = layouts.pick(unseen, answers)
        assert found is not None
        if len(numbers) < len(answers.limits):
            waiting += [[*numbers, number] for number in range(answers.limits[len(numbers)])]
        else:
            part = Fraction(1)
            for limit in answers.limits:
                part /= limit
            yield tuple(found), part


@cache
def tried_on(table: int) -> Counter[tuple[Places, ...]]:
    return layouts_by_trying(*TABLES[table])


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_layouts_are_counted_and_each_is_as_likely_as_any_other(table: int) -> None:
    seats, piles, boxed, unseen = TABLES[table]
    tried = tried_on(table)
    layouts = Layouts(seats, piles, boxed)
    total = sum(tried.values())
    assert layouts.count(0, unseen) == total
    if not total:
        assert layouts.pick(unseen, Answers([])) is None
        return
    likely: Counter[tuple[Places, ...]] = Counter()
    for places, part in picked(layouts, unseen):
        likely[places] += part  # type: ignore[assignment]
    assert likely == {places: Fraction(ways, total) for places, ways in tried.items()}


def test_some_of_these_tables_allow_no_layout_and_some_many() -> None:
    counts = [sum(tried_on(table).values()) for table in range(len(TABLES))]
    assert counts.count(0) == 1 and sum(count > 20 for count in counts) >= 4


# -- the kinds of the decks --------------------------------------------------------------------------------------


def with_setup(*stages: Stage) -> TicketKinds:
    class Other(Variant, name="other", requires=("europe",)):
        """Other: other tickets are dealt."""

        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return stages

    return TicketKinds(ttr.compile_rules("europe", Other))


def test_kinds_are_the_piles_and_what_goes_to_the_box() -> None:
    assert (EUROPE.count, EUROPE.number, EUROPE.drawn, EUROPE.boxed) == (
        2,
        {"long": 0, "regular": 1},
        [1],
        frozenset({0, 1}),
    )
    assert (MEGA.count, MEGA.number, MEGA.drawn, MEGA.boxed) == (2, {"long": 0, "regular": 1}, [1], frozenset({0}))
    assert (GERMANY.count, GERMANY.number, GERMANY.drawn, GERMANY.boxed) == (
        2,
        {"short": 0, "long": 1},
        [0, 1],
        frozenset(),
    )
    for stack, boxed in (("north-america", set()), ("nordic-countries", {0}), ("switzerland", {0})):
        kinds = read_kinds(rules_of(stack))
        assert (kinds.count, kinds.number, kinds.drawn, kinds.boxed) == (1, {"regular": 0}, [0], frozenset(boxed))
    for pile, kind in EUROPE.number.items():
        ids = [ticket.id for ticket in EUROPE.rules.deck.piles[pile]]
        assert {EUROPE.of[id] for id in ids} == {kind} and EUROPE.tickets[kind] == ids
    assert EUROPE.nothing == (0, 0)


def test_piles_whose_tickets_are_put_back_under_one_are_of_one_kind() -> None:
    long, regular = Deal("long", 1), Deal("regular", 3)
    mixed = with_setup(Stage((long, regular), KeepAtLeast(2), under="regular"))
    assert (mixed.count, mixed.number, mixed.drawn, mixed.boxed) == (1, {"long": 0, "regular": 0}, [0], frozenset())
    assert set(mixed.of.values()) == {0} and mixed.dealt(mixed.rules.setup[0]) == [(4,)]
    apart = with_setup(Stage((long,), KeepAtLeast(0), under="long"), Stage((regular,), KeepAtLeast(1), under="regular"))
    assert (apart.count, apart.drawn, apart.boxed) == (2, [1], frozenset())
    boxed = with_setup(Stage((regular,), KeepAtLeast(1)))
    assert boxed.boxed == {1}
    rest = with_setup(Stage((regular,), KeepAtLeast(1), under="regular", box_rest=("long",)))
    assert rest.boxed == {0}


# -- what a seat may have ----------------------------------------------------------------------------------------


def test_mixes_are_all_ways_to_have_so_many() -> None:
    assert EUROPE.mixes(2, [0, 1]) == [(2, 0), (1, 1), (0, 2)]
    assert EUROPE.mixes(3, [1]) == EUROPE.mixes(3, [1, 1]) == [(0, 3)]
    assert EUROPE.mixes(0, [0, 1]) == [(0, 0)] and EUROPE.mixes(2, []) == []


def test_what_is_dealt_and_kept_at_set_up() -> None:
    (stage,) = EUROPE.rules.setup
    assert EUROPE.dealt(stage) == [(1, 3)]
    kept = [(0, 2), (0, 3), (1, 1), (1, 2), (1, 3)]
    assert list(EUROPE.keeps(stage, (1, 3), (0, 0))) == kept
    assert EUROPE.before(0) == [(0, 0)] and sorted(EUROPE.before(1)) == kept
    assert GERMANY.dealt(GERMANY.rules.setup[0]) == [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
    assert sorted(GERMANY.before(1)) == [
        (a, b) for a in range(5) for b in range(5) if 2 <= a + b <= 4
    ]  # two, three or four of four
    # One long ticket at most; three tickets in all, if none is long.
    assert sorted(MEGA.before(1)) == [(0, 0), (1, 0)]
    assert sorted(MEGA.before(2)) == [(0, 3), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5)]


class NotAlike(KeepRule):
    """For the rule that looks at the tickets: those held are as many as said, and others than those dealt."""

    def refusal(
        self, offered: Sequence[ttr.Ticket], kept: Sequence[ttr.Ticket], before: Sequence[ttr.Ticket]
    ) -> str | None:
        ids = {ticket.id for ticket in (*offered, *before)}
        return None if len(kept) == len(before) == 2 and len(offered) == 3 and len(ids) == 5 else "no"

    @property
    def at_least(self) -> int:
        return 0


def test_what_may_be_kept_is_asked_with_the_tickets_held_before() -> None:
    stage = Stage((Deal("regular", 3),), NotAlike())
    assert list(EUROPE.keeps(stage, (0, 3), (0, 2))) == list(EUROPE.keeps(stage, (0, 3), (1, 1))) == [(0, 2)]
    assert list(EUROPE.keeps(stage, (1, 2), (2, 0))) == [(0, 2), (1, 1)]
    assert list(EUROPE.keeps(stage, (0, 3), (0, 3))) == list(EUROPE.keeps(stage, (0, 3), (1, 0))) == []


class LongAlone(KeepRule):
    """For the rule that looks at the kinds: no regular ticket is kept, and none was held before."""

    def refusal(
        self, offered: Sequence[ttr.Ticket], kept: Sequence[ttr.Ticket], before: Sequence[ttr.Ticket]
    ) -> str | None:
        long = EUROPE.rules.deck.piles["long"]
        return None if all(ticket in long for ticket in (*kept, *before)) else "no"

    @property
    def at_least(self) -> int:
        return 0


def test_what_may_be_kept_is_asked_with_tickets_of_the_kinds_that_are_meant() -> None:
    stage = Stage((Deal("regular", 1), Deal("long", 2)), LongAlone())
    assert list(EUROPE.keeps(stage, (2, 1), (1, 0))) == [(0, 0), (1, 0), (2, 0)]
    assert list(EUROPE.keeps(stage, (2, 1), (0, 1))) == []


class KeepLong(KeepAtLeast):
    """Long tickets must be kept, and so many in all."""

    def refusal(
        self, dealt: Sequence[ttr.Ticket], kept: Sequence[ttr.Ticket], before: Sequence[ttr.Ticket]
    ) -> str | None:
        longs = [ticket for ticket in dealt if ticket.kind == "long" and ticket not in kept]
        return "keep the long one" if longs else super().refusal(dealt, kept, before)


def test_a_rule_about_tickets_with_a_refusal_of_its_own_holds_whatever_number_plugins_ask_for() -> None:
    class Long(Variant, name="long", requires=("europe",)):
        """Long: plugins ask for any number of tickets, but the long one is always kept."""

        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return (Stage((Deal("long", 1), Deal("regular", 3)), KeepLong(2), box_rest=("long",)),)

        @hookimpl
        def tickets_kept(self, state: ttr.State, seat: int, keep: int) -> int:
            return 1

    game = ttr.new_game("europe", Long, players=2, seed=1, first_seat=0)
    for seat in (0, 1):
        assert {len(action.tickets) for action in game.legal_actions(seat) if isinstance(action, ttr.KeepTickets)} == {
            2, 3, 4,
        }  # fmt: skip
        game.play(game.legal_actions(seat)[0])
    for seed in range(20):
        held = ttr.determinize(game.view(0), game.rules, seed).state.tickets[1]
        assert [game.rules.tickets[ticket].kind for ticket in held].count("long") == 1


def test_places_of_a_seat_at_set_up() -> None:
    assert GERMANY.places(Seat(0, None, None, undealt=True), 0) == [Places((0, 0), (0, 0), (0, 0))]
    assert MEGA.places(Seat(None, None, None, undealt=True), 1) == [
        Places((0, 0), (0, 0), (0, 0)),
        Places((1, 0), (0, 0), (0, 0)),
    ]
    assert MEGA.places(Seat(None, 5, None), 1) == [
        Places((0, 0), (0, 5), (0, 0)),
        Places((1, 0), (0, 5), (0, 0)),
    ]
    assert MEGA.places(Seat(None, 4, None), 1) == MEGA.places(Seat(None, 6, None), 1) == []
    assert MEGA.places(Seat(None, None, None), 0) == [
        Places((0, 0), (0, 0), (2, 0)),
        Places((1, 0), (0, 0), (1, 0)),
    ]
    assert MEGA.places(Seat(None, None, None), 1) == [
        *(Places((0, kept), (0, 0), (0, 5 - kept)) for kept in (3, 4, 5)),
        *(Places((1, kept), (0, 0), (0, 5 - kept)) for kept in (2, 3, 4, 5)),
    ]
    assert Places((1, 2), (3, 4), (5, 7)).all == (9, 13)


def test_places_of_a_seat_in_play() -> None:
    def places(*seat: Any) -> list[tuple[Kinds, Kinds]]:
        found = EUROPE.places(Seat(*seat), 1)
        assert all(each.rejects == (0, 0) for each in found)
        return [(each.held, each.choice) for each in found]

    assert places(None, None, 2) == []
    assert places(2, None, 2) == [((0, 2), (0, 0)), ((1, 1), (0, 0))]
    assert places(4, 3, 3) == [((0, 4), (0, 3)), ((1, 3), (0, 3))]  # what is drawn later is regular
    assert places(5, None, 2) == [((0, 5), (0, 0)), ((1, 4), (0, 0))]
    assert places(2, None, None) == [((2, 0), (0, 0)), ((1, 1), (0, 0)), ((0, 2), (0, 0))]
    assert sorted(places(1, None, 2)) == [((0, 1), (0, 0)), ((1, 0), (0, 0))]  # a plugin took one away
    assert (2, 0) not in {held for held, _ in places(2, None, 4)}
    assert read_kinds(EUROPE.rules).known_places(Seat(2, None, 2), 1) == EUROPE.places(Seat(2, None, 2), 1)


def test_any_places_are_all_that_the_numbers_allow() -> None:
    every = [(2, 0), (1, 1), (0, 2)]
    assert EUROPE.any_places(Seat(2, 1, None)) == [
        Places(held, choice, (0, 0)) for held in every for choice in ((1, 0), (0, 1))
    ]
    assert EUROPE.any_places(Seat(None, None, None)) == [Places((0, 0), (0, 0), (0, 0))]


# -- dealt -------------------------------------------------------------------------------------------------------


def test_what_the_rules_do_not_allow_is_dealt_somehow() -> None:
    seats = [Seat(2, None, 2)]
    # Two long tickets cannot be kept at set-up, but there is nothing else.
    assert EUROPE.known_layouts(tuple(seats), 1, (0, 0), False).pick((2, 0), Answers([])) is None
    anywhere = EUROPE.layouts_anywhere(seats, (0, 0))
    dealt = [Places((2, 0), (0, 0), (0, 0))]
    assert anywhere.pick((2, 0), Answers([])) == dealt
    # More tickets than the seats may hold lie in the box.
    assert anywhere.pick((5, 0), Answers([])) == dealt
    assert anywhere.pick((1, 0), Answers([])) is None


def test_in_an_arranged_position_what_is_not_drawn_may_be_out_of_the_game() -> None:
    for arranged, boxed in ((False, {0}), (True, {0})):
        assert read_kinds(MEGA.rules).known_layouts((), 2, (0, 0), arranged).boxed == boxed
    apart = with_setup(
        Stage((Deal("regular", 3),), KeepAtLeast(1), under="regular"),
    )
    for arranged, boxed in ((False, set()), (True, {0})):
        assert read_kinds(apart.rules).known_layouts((), 1, (0, 0), arranged).boxed == boxed
