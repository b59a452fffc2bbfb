"""Worlds that fit a view: they look the same to the seat, can be played on, and each is as likely as any other."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from itertools import chain, combinations, permutations, product
from random import Random
from typing import Any

import attrs
import pytest
from helpers import all_but, rules_of, whole
from official import every_map
from playing import any_action, check_state, tickets_everywhere
from plugins import coins, excursions

import ttr_rules as ttr
from ttr_rules import determinize
from ttr_rules.engine import view_of
from ttr_rules.errors import InvalidInputError, PluginError
from ttr_rules.events import Unknown
from ttr_rules.hidden import missing, sampling
from ttr_rules.hidden.ticket_layouts import Layouts, Places, Seat, read_kinds
from ttr_rules.model import AnnounceMix, Card, Dealer, HiddenDecision, SeededChance, TicketMix, TicketSetup
from ttr_rules.plugins import (
    Below,
    Components,
    Deal,
    DrawCounts,
    KeepAtLeast,
    Mix,
    Part,
    Rules,
    Setup,
    Stage,
    TicketDeck,
    Transaction,
    Variant,
    by_seat,
    hidden,
    hookimpl,
    known,
    public,
    secret,
)
from ttr_rules.train_cards import STANDARD_CARDS, CardPiles, cards
from ttr_tools.testing import VariantError, check_variant
from ttr_variants.dice.state import Dice

#: Upper ends of the chi-square distribution that one case in 100,000 exceeds, by degrees of freedom.
LIMITS = {1: 19.5, 2: 23.0, 3: 25.9, 4: 28.5, 5: 30.9, 6: 33.1, 7: 35.3, 8: 37.3, 9: 39.3}


def limit(freedom: int) -> float:
    """The same for any degrees of freedom (Wilson and Hilferty)."""
    return LIMITS.get(freedom) or freedom * (1 - 2 / (9 * freedom) + 4.265 * (2 / (9 * freedom)) ** 0.5) ** 3


def check_uniform(seen: Counter[object], possible: int) -> None:
    expected = seen.total() / possible
    assert expected >= 5, "too few for the test to mean anything"
    assert len(seen) <= possible
    chi = sum((count - expected) ** 2 / expected for count in seen.values()) + (possible - len(seen)) * expected
    assert chi < limit(possible - 1), f"chi-square {chi} with {possible} equally likely outcomes"


# -- every moment of every official stack --------------------------------------------------------------------------


def moments(stack: tuple[str, ...], players: int, seed: int) -> Iterator[ttr.Game]:
    """All moments of set-up, many of the game and the end."""
    game, random = ttr.new_game(rules=rules_of(*stack), players=players, seed=seed), Random(seed)
    number = 0
    while game.to_act:
        if number < 4 * players or random.random() < 0.05 or type(game.decision(game.to_act[0])) is not ttr.Turn:
            yield game
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
        number += 1
    yield game


@pytest.mark.slow
@pytest.mark.thorough_but("united-kingdom")
@pytest.mark.rule("S6", "S7")
@every_map
def test_a_world_looks_like_the_game_to_the_seat_that_it_was_dealt_for(stack: tuple[str, ...]) -> None:
    rules = rules_of(*stack)
    players = rules.components.max_players
    random = Random(11)
    for number, game in enumerate(moments(stack, players, seed=11)):
        for seat in (None, random.randrange(players)):
            view = game.view(seat)
            world = determinize(view, rules, number)
            assert world.view(seat) == view
            assert whole(world.view(seat)) == whole(view)
            assert world.to_act == game.to_act
            if seat is not None:
                assert world.decision(seat) == game.decision(seat)
                assert world.legal_actions(seat) == game.legal_actions(seat)


@pytest.mark.slow
@pytest.mark.rule("S6", "S7")
@every_map
def test_a_world_can_be_played_on_and_keeps_the_rules(stack: tuple[str, ...]) -> None:
    rules, random = rules_of(*stack), Random(3)
    played = 0
    for number, game in enumerate(moments(stack, 3, seed=12)):
        if number % 9 > 1 and game.to_act:
            continue
        seat = random.choice([None, 0, 1, 2])
        world = determinize(game.view(seat), rules, number)
        check_state(world.state)
        everywhere = tickets_everywhere(world.state)
        assert set(everywhere) <= set(rules.tickets)
        assert len(everywhere) == len(tickets_everywhere(game.state))
        assert world.copy().moves[0].events[0].seen_by(seat) is not None
        while world.to_act:
            choices = world.legal_actions(random.choice(world.to_act))
            world.play(choices[random.randrange(len(choices))])
            if random.random() < 0.1:
                check_state(world.state)
        assert world.final_scores is not None
        played += 1
    assert played >= 3


@every_map
def test_the_real_layout_is_always_one_of_those_counted(stack: tuple[str, ...]) -> None:
    """The rules of set-up rule nothing out that happens."""
    rules = rules_of(*stack)
    kinds = read_kinds(rules)

    def count(tickets: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(sum(kinds.of[ticket] == kind for ticket in tickets) for kind in range(kinds.count))

    for game in moments(stack, rules.components.max_players, seed=13):
        state = game.state
        if state.revealed:
            continue
        asked = {decision.seat: decision for decision in state.pending}
        for seat, held in enumerate(state.tickets):
            choice = getattr(asked.get(seat), "tickets", ())
            setup = state.stage < len(rules.setup)
            told = Seat(
                None if setup else len(held),
                len(choice) if choice else None,
                state.first_tickets[seat] if state.first_tickets else None,
                isinstance(asked.get(seat), TicketMix) and setup,
            )
            real = Places(count(held), count(choice), count(state.rejects[seat]))
            assert real in read_kinds(rules).known_places(told, state.stage), f"{real} is not reckoned with"
        for name, pile in state.ticket_piles.items():
            assert {kinds.of[ticket] for ticket in pile} <= {kinds.number[name]}
        boxed = [id for id in rules.tickets if id not in tickets_everywhere(state)]
        assert {kinds.of[id] for id in boxed} <= kinds.boxed


@pytest.mark.slow
def test_worlds_of_plugins_with_parts_and_questions_of_their_own() -> None:
    rules = ttr.compile_rules("europe", excursions, coins.CoinsPlugin())
    game, random = ttr.new_game(rules=rules, players=3, seed=6), Random(6)
    kinds: set[str] = set()
    while game.to_act:
        for seat in (None, 0, 1, 2):
            assert determinize(game.view(seat), rules, 1).view(seat) == game.view(seat)
        kinds |= {decision.kind for decision in game.view(None).pending if isinstance(decision, HiddenDecision)}
        choices = game.legal_actions(random.choice(game.to_act))
        earnings = [
            action for action in choices if isinstance(action, coins.Earn)
        ]  # who is rich is asked what to give away
        game.play(earnings[0] if earnings and random.random() < 0.7 else choices[random.randrange(len(choices))])
    assert {"PostcardChoice", "Framing", "Donation"} <= kinds


def test_the_same_seed_deals_the_same_world_and_nothing_but_the_view_counts() -> None:
    game = ttr.new_game("europe", players=3, seed=1)
    view, rules = game.view(1), game.rules
    world = determinize(view, rules, "a seed")
    assert world == determinize(view, rules, "a seed")
    assert world != determinize(view, rules, "another seed")
    other = determinize(view, rules, 5)  # another game, in which seat 1 sees the same
    assert determinize(other.view(1), rules, "a seed") == world
    assert world.state.tickets == other.state.tickets == [(), (), ()]
    assert world.state.pending != other.state.pending


@pytest.mark.pure
def test_a_world_goes_on_by_its_own_chance_and_can_be_taken_back() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    world = determinize(game.view(0), game.rules, 3)
    before = world.copy()
    broken = ttr.TTRError("out of order")

    def perform(*_: object) -> None:
        raise broken

    rule = world.rules.answers[TicketSetup].by_action[ttr.KeepTickets]
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ttr.TTRError, match="out of order"):
        patch.setattr(rule, "perform_code", perform, raising=False)
        world.play(world.legal_actions(0)[0])
    assert world == before, "the history of a world is enough to go back to it"


def test_what_a_world_was_dealt_from_is_told_to_nobody_else() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    world = determinize(game.view(0), game.rules, "seed-of-the-world")
    (event,) = world.events
    for seat in (None, 1):
        text = whole(event.seen_by(seat))
        assert "seed-of-the-world" not in text and not any(id in text for id in game.rules.tickets)
    assert "seed-of-the-world" not in whole(event.seen_by(0)) + whole(world.view(0))


def test_what_is_no_view_or_of_other_rules_is_told() -> None:
    game = ttr.new_game("europe", players=2, seed=1)
    with pytest.raises(ttr.InvalidInputError, match="expected a view"):
        determinize(game, game.rules, 1)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="expected rules, as compile_rules gives them"):
        determinize(game.view(0), "europe", 1)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="a seed is"):
        determinize(game.view(0), game.rules, 1.5)  # type: ignore[arg-type]
    with pytest.raises(ttr.InvalidInputError, match="not of a game by the rules north-america"):
        determinize(game.view(0), rules_of("north-america"), 1)
    keep = {"players": [{"hand": {"red": 12}}, {"hand": {"red": 12}}]}
    with pytest.raises(ttr.TTRError):
        ttr.arrange(game.rules, keep)


def test_seats_in_a_view_are_at_the_table() -> None:
    """No world has cars for fewer seats than players, or routes of a seat that is not there or is counted from the end."""
    rules = rules_of("europe")
    view = ttr.new_game(rules=rules, players=3, seed=1).view(0)
    route = rules.network.route_ids[0]
    for cars in ((), view.cars[:2], (*view.cars, 45)):
        with pytest.raises(ttr.InvalidInputError, match=f"cars: expected one for each of 3 players, got {len(cars)}"):
            determinize(attrs.evolve(view, cars=cars), rules, 1)
    for seat in (3, 10**9, -1, -3):
        for changed in (attrs.evolve(view, owners={route: seat}), attrs.evolve(view, shared={route: (1, seat)})):
            with pytest.raises(ttr.InvalidInputError, match=f"no seat {seat} at a table of 3$"):
                determinize(changed, rules, 1)


@pytest.mark.parametrize("stack", ["europe", "mega-europa", "germany-tickets", "switzerland+dice"])
def test_a_view_that_somebody_changed_gives_a_world_or_is_refused(stack: str) -> None:
    """Nothing but a `TTRError`, and nothing without end; and a world that is given can be looked at and played."""
    rules = rules_of(*stack.split("+"))
    game, random = ttr.new_game(rules=rules, players=2, seed=1), Random(1)
    refused = 0
    for number in range(12):
        view = game.view(number % 2)
        changed = [
            attrs.evolve(view, ticket_counts=(count, *view.ticket_counts[1:]), ticket_pile_sizes={name: size})
            for name in (*view.ticket_pile_sizes, "nothing")
            for count in (None, 0, 1, 200)
            for size in (0, 1, 10**9)
        ]
        changed += [attrs.evolve(view, owners={route: 1}) for route in ("nothing", *rules.network.route_ids[:3])]
        changed += [attrs.evolve(view, tickets=(id,)) for id in ("nothing", *list(rules.tickets)[:3])]
        changed += [
            attrs.evolve(view, pending=(HiddenDecision(1 - number % 2, kind, count),))
            for kind in ("TicketSetup", "TicketChoice", "Turn", "nothing")
            for count in (None, 0, 10**9)
        ]
        for each in changed if number % 4 == 0 else changed[number :: len(changed) // 20]:
            try:
                world = determinize(each, rules, 1)
            except ttr.TTRError as error:
                refused += 1
                assert str(error).isprintable() and len(str(error)) < 500
                continue
            assert world.view(each.seat) == each
            for _ in range(3):
                if world.to_act and each.parts == view.parts:  # what plugins show is theirs to check
                    choices = world.legal_actions(world.to_act[-1])
                    world.play(choices[random.randrange(len(choices))])
            for seat in (None, 0, 1):
                world.view(seat)
        choices = game.legal_actions(game.to_act[0])
        game.play(choices[random.randrange(len(choices))])
    assert refused > 50


@pytest.mark.parametrize("stack", ["europe", "mega-europa", "europa-1912", "germany-tickets", "nordic-countries"])
def test_many_tickets_in_a_view_do_not_take_long(stack: str) -> None:
    """As many as there are, however they are shared out: more are refused."""
    rules = rules_of(stack)
    players = rules.components.max_players
    game = ttr.new_game(rules=rules, players=players, seed=1)
    while game.state.stage < len(rules.setup):
        game.play(game.legal_actions(game.to_act[0])[0])
    view, tickets = game.view(None), len(rules.tickets)
    view = attrs.evolve(view, ticket_pile_sizes=dict.fromkeys(view.ticket_pile_sizes, 0))
    for counts in ((tickets // players,) * players, (tickets, *(0,) * (players - 1)), (tickets - 1,) * players):
        try:
            determinize(attrs.evolve(view, ticket_counts=counts), rules, 1)
        except ttr.InvalidInputError as error:
            assert "inconsistent view" in str(error)


def test_a_part_that_does_not_say_how_to_deal_its_secrets_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ttr.new_game("europe", excursions, players=2, seed=1)
    monkeypatch.delattr(excursions.Album, "sample_hidden")
    with pytest.raises(PluginError, match=r"Album shows something .* redeal\(view, dealer, world\)"):
        determinize(game.view(0), game.rules, 1)


@pytest.mark.parametrize("stack", ["europe", "mega-europa"])
def test_an_arranged_position_may_hold_anything_that_fits(stack: str) -> None:
    rules = rules_of(stack)
    long = [id for id, ticket in rules.tickets.items() if ticket.kind == "long"]
    position = {"seed": 1, "players": [{"tickets": long[:3], "hand": {"red": 3}}, {"tickets": long[3:5]}, {}]}
    game = ttr.arrange(rules, position)
    held: Counter[str] = Counter()
    for seed in range(60):
        world = determinize(game.view(2), rules, seed)
        assert world.view(2) == game.view(2)
        held.update(rules.tickets[id].kind for id in world.state.tickets[0])
    assert held["long"] > 0, "nothing is known of how the tickets came to be there"


# -- uniformly -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("others", [1, 2])
def test_hidden_cards_are_dealt_uniformly(others: int) -> None:
    """Three unseen cards of three kinds: each of the six ways to lay them out comes up as often."""
    rules = rules_of("europe")
    deck = {str(card): 14 if card == "locomotive" else 12 for card in Card}
    hidden = ("red", "blue", "locomotive")
    for card in hidden:
        deck[card] -= 1
    hand = dict(deck)
    row = ["red", "blue", "green", "white", "black"]
    for card in row:
        hand[card] -= 1
    position = {
        "seed": 1,
        "face_up": row,
        "players": [{"hand": hand}, *({"hand": {card: 1}} for card in hidden[:others])],
        "draw_pile": list(hidden[others:]),
    }
    game = ttr.arrange(rules, position)
    view = game.view(0)
    assert ttr.cards(view).draw_pile_size == 3 - others
    seen: Counter[object] = Counter()
    for seed in range(1200):
        state = determinize(view, rules, seed).state
        seen[(*(next(iter(hand)) for hand in ttr.cards(state).hands[1:]), *ttr.cards(state).draw_pile)] += 1
    check_uniform(seen, 6)
    assert set(seen) == set(permutations(hidden))


def tiny(long: int, regular: int, setup: tuple[Stage, ...], counts: DrawCounts) -> ttr.Rules:
    """Rules with few tickets."""
    board = rules_of("europe").board
    wanted = [
        *[t for t in board.tickets if t.kind == "long"][:long],
        *[t for t in board.tickets if t.kind == "regular"][:regular],
    ]

    class Tiny(Variant, name="tiny", requires=("europe",)):
        """Tiny: a few tickets, two players."""

        @hookimpl
        def ticket_deck(self, below: Below[TicketDeck], board: ttr.Board) -> TicketDeck:
            return TicketDeck.by_kind(wanted)

        @hookimpl
        def setup(self, below: Below[Setup], board: ttr.Board) -> Setup:
            return setup

        @hookimpl
        def draw_counts(self, below: Below[DrawCounts], board: ttr.Board) -> DrawCounts:
            return counts

        @hookimpl
        def components(self, below: Below[Components], board: ttr.Board) -> Components:
            return Components(max_players=2)

    return ttr.compile_rules("europe", Tiny)


@pytest.mark.slow
@pytest.mark.thorough_but("3")
@pytest.mark.parametrize("long", [2, 3])
def test_tickets_are_dealt_uniformly_over_all_that_the_other_may_hold_after_set_up(long: int) -> None:
    """As in Europe: one long ticket and two regular ones, two kept at least, those not kept leave the game.

    With three long tickets two are unseen, but nobody can have been dealt both.
    The possible layouts are listed here by dealing every deal and keeping everything that may be kept.
    """
    stage = Stage((Deal("long", 1), Deal("regular", 2)), KeepAtLeast(2), box_rest=("long",))
    rules = tiny(long, 6, (stage,), DrawCounts())
    longs, regulars = (tuple(t.id for t in rules.deck.piles[name]) for name in ("long", "regular"))
    game = ttr.new_game(rules=rules, players=2, seed=4)
    game.play(ttr.KeepTickets(0, game.decision(0).tickets[:2]))  # type: ignore[union-attr]
    game.play(ttr.KeepTickets(1, game.decision(1).tickets[1:]))  # type: ignore[union-attr]
    view = game.view(0)
    assert view.first_tickets == (2, 2) and view.ticket_pile_sizes == {"regular": 2}
    possible: set[object] = set()
    for mine in combinations(regulars, 2):
        for my_long in longs:
            if not set(view.tickets) <= {*mine, my_long}:
                continue
            left = [id for id in regulars if id not in mine]
            for theirs in combinations(left, 2):
                pile = [id for id in left if id not in theirs]
                for their_long in longs:
                    if their_long != my_long:
                        for kept in combinations((their_long, *theirs), 2):
                            possible |= {(frozenset(kept), order) for order in permutations(pile)}
    seen: Counter[object] = Counter()
    for seed in range(20 * len(possible)):
        state = determinize(view, rules, seed).state
        seen[frozenset(state.tickets[1]), state.ticket_pile] += 1
    assert set(seen) <= possible
    check_uniform(seen, len(possible))


@pytest.mark.slow
def test_tickets_are_dealt_uniformly_while_others_choose() -> None:
    """In two stages, as in Mega Europa: what was kept before, what was chosen now and what is not kept are all unknown."""

    class OneAtMost:
        def refusal(self, dealt: object, kept: Sequence[object], before: object) -> str | None:
            return "one at most" if len(kept) > 1 else None

    class MoreWithout:
        def refusal(self, dealt: object, kept: Sequence[object], before: Sequence[object]) -> str | None:
            return None if len(kept) >= (1 if before else 2) else "more"

    first = Stage((Deal("long", 2),), OneAtMost(), box_rest=("long",))
    second = Stage((Deal("regular", 2),), MoreWithout(), under="regular", shuffled=True)
    rules = tiny(4, 5, (first, second), DrawCounts())
    longs, regulars = (tuple(t.id for t in rules.deck.piles[name]) for name in ("long", "regular"))
    game = ttr.new_game(rules=rules, players=2, seed=4)
    game.play(ttr.KeepTickets(0, ()))
    game.play(ttr.KeepTickets(1, game.decision(1).tickets[:1]))  # type: ignore[union-attr]
    game.play(ttr.KeepTickets(1, game.decision(1).tickets[:1]))  # type: ignore[union-attr]
    view = game.view(0)
    own = view.decision.tickets  # type: ignore[union-attr]
    possible: set[object] = set()
    for before in ((), *((id,) for id in longs)):
        for dealt in combinations([id for id in regulars if id not in own], 2):
            for size in range(1 if before else 2, 3):
                for kept in combinations(dealt, size):
                    (pile,) = (id for id in regulars if id not in (*own, *dealt))
                    possible.add((frozenset((*before, *kept)), frozenset(dealt) - set(kept), pile))
    assert len(possible) == 3 + 4 * 3 * 3
    seen: Counter[object] = Counter()
    for seed in range(20 * len(possible)):
        state = determinize(view, rules, seed).state
        seen[frozenset(state.tickets[1]), frozenset(state.rejects[1]), *state.ticket_pile] += 1
    assert set(seen) <= possible
    check_uniform(seen, len(possible))


def test_tickets_of_two_piles_are_dealt_uniformly() -> None:
    """As in Märklin: what is not held is in the pile it came from, so the sizes of the piles tell how many of each are held."""
    stage = Stage((), KeepAtLeast(1), mix=Mix(2, ("long", "regular")))
    rules = tiny(3, 3, (stage,), DrawCounts(pile="long", more_piles=("regular",)))
    game = ttr.new_game(rules=rules, players=2, seed=4)
    game.play(AnnounceMix(0, {"long": 1, "regular": 1}))
    game.play(AnnounceMix(1, {"regular": 1, "long": 1}))
    game.play(ttr.KeepTickets(0, game.decision(0).tickets[:1]))  # type: ignore[union-attr]
    game.play(ttr.KeepTickets(1, game.decision(1).tickets))  # type: ignore[union-attr]
    view = game.view(0)
    mine = view.tickets
    piles = [[t.id for t in rules.deck.piles[name] if t.id not in mine] for name in ("long", "regular")]
    sizes = [view.ticket_pile_sizes[name] for name in ("long", "regular")]
    possible = {
        (frozenset(held), long, regular)
        for held in combinations([*piles[0], *piles[1]], 2)
        for long, regular in product(*(permutations([id for id in pile if id not in held]) for pile in piles))
        if [len(long), len(regular)] == sizes
    }
    seen: Counter[object] = Counter()
    for seed in range(20 * len(possible)):
        state = determinize(view, rules, seed).state
        seen[frozenset(state.tickets[1]), state.ticket_piles["long"], state.ticket_piles["regular"]] += 1
    assert set(seen) <= possible
    check_uniform(seen, len(possible))


def test_layouts_are_counted_as_a_list_of_them_would_be() -> None:
    """Two seats, two kinds, a pile and a box: the number is that of all ways to hand the tickets out."""
    tickets = [("a", 0), ("b", 0), ("c", 0), ("x", 1), ("y", 1)]
    seat = [Places((1, 0), (0, 0), (0, 0)), Places((0, 1), (0, 0), (0, 0))]
    layouts = Layouts([seat, seat], (1, 0), frozenset({0, 1}))
    listed = {(first, second, top) for first, second, top in permutations(tickets, 3) if top[1] == 0}
    assert layouts.count(0, (3, 2)) == len(listed)
    closed = Layouts([seat, seat], (1, 0), frozenset({0}))  # no ticket of the second kind in the box
    assert closed.count(0, (3, 2)) == len({each for each in listed if each[0][1] == each[1][1] == 1})


@pytest.mark.parametrize("stack", ["mega-europa", "north-america"])
def test_what_the_rules_never_put_into_the_box_is_never_there(stack: str) -> None:
    """Where tickets that are not kept go back under a pile, only those of a pile that is boxed leave the game."""
    rules = rules_of(stack)
    boxed = {name for stage in rules.setup for name in stage.box_rest}
    boxed |= {deal.pile for stage in rules.setup if stage.under is None for deal in stage.deals}
    game, random = ttr.new_game(rules=rules, players=3, seed=8), Random(8)
    for number in range(60):
        state = determinize(game.view(number % 3), rules, number).state
        gone = set(rules.tickets) - set(tickets_everywhere(state))
        assert {name for name, pile in rules.deck.piles.items() if gone & {each.id for each in pile}} <= boxed
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])


def test_every_world_has_a_chance_of_its_own_apart_from_what_was_dealt() -> None:
    game = ttr.new_game("europe", "dice", players=2, seed=1)
    view = game.view(0)
    rolls: set[object] = set()
    for seed in range(12):
        world = determinize(view, game.rules, seed)
        for seat in (0, 1):
            world.play(world.legal_actions(seat)[0])
        rolls.add(world.state.part(Dice).faces)
    assert len(rolls) > 6
    for seed_of_both in (7, "7"):
        dealer, chance = Dealer(seed_of_both), SeededChance(seed_of_both)
        dealt = {dealer.shuffled(range(40)) for _ in range(20)}
        assert not dealt & {chance.shuffled(call, range(40)) for call in range(30)}


def test_numbers_of_any_size_are_drawn_uniformly() -> None:
    dealer = Dealer(5)
    check_uniform(Counter(dealer.below(7) for _ in range(2000)), 7)
    check_uniform(Counter(dealer.below(10**60) * 10 // 10**60 for _ in range(2000)), 10)
    assert dealer.below(1) == 0
    check_uniform(Counter(dealer.shuffled("abc") for _ in range(1200)), 6)


@pytest.mark.slow
def test_the_real_world_is_as_likely_as_the_others() -> None:
    """Over many games, the real hand of another seat is hit as often as one of as many equally likely ones would be."""
    rules = rules_of("north-america")
    hits = expected = 0.0
    for seed in range(300):
        game = ttr.new_game(rules=rules, players=2, seed=seed)
        view = game.view(0)
        state = game.state
        cards = Counter({str(card): 14 if card == "locomotive" else 12 for card in Card})
        cards.subtract(
            chain(
                ttr.cards(view).face_up,
                ttr.cards(view).discards,
                [card for card, count in (ttr.cards(view).hand or {}).items() for _ in range(count)],
            )
        )
        top = ttr.cards(state).draw_pile[0]
        expected += cards[top] / cards.total()
        hits += ttr.cards(determinize(view, rules, f"world {seed}").state).draw_pile[0] == top
    assert abs(hits - expected) < 5 * expected**0.5


def test_layouts_are_kept_for_views_that_share_them() -> None:
    rules = ttr.compile_rules("europe", board=rules_of("europe").board)
    game = ttr.new_game(rules=rules, players=3, seed=1)
    known_layouts = read_kinds(rules).known_layouts
    known_layouts.cache_clear()
    for seed in range(5):
        determinize(game.view(0), game.rules, seed)
    assert known_layouts.cache_info().misses == 1


# -- parts that fail -------------------------------------------------------------------------------------------------------


class Failing(Part):
    """A part whose method has a mistake."""

    built: list[int] = public()

    def sample_hidden(self, view: ttr.View, dealer: Dealer, rules: Rules) -> None:
        raise KeyError("wien")


def test_a_mistake_in_a_part_is_told_as_the_plugins() -> None:
    class Depots(Variant, name="depots"):
        """Depots: a part with a mistake."""

        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (Failing,)

    rules = ttr.compile_rules("europe", Depots)
    message = r"plugin 'depots' failed in .*Failing.sample_hidden .*, when a world was sampled: KeyError: 'wien'"
    with pytest.raises(PluginError, match=message):
        determinize(ttr.new_game(rules=rules, players=2, seed=1).view(0), rules, seed=2)


def test_a_view_is_checked_once_with_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    europe, america = ttr.compile_rules("europe"), ttr.compile_rules("north-america")
    view = ttr.new_game(rules=europe, players=2, seed=1, first_seat=0).view(0)
    checked: list[ttr.View] = []
    check: Any = sampling.check_view

    def counted(view: ttr.View, rules: ttr.Rules, where: str) -> None:
        checked.append(view)
        check(view, rules, where)

    monkeypatch.setattr(sampling, "check_view", counted)
    with pytest.raises(InvalidInputError, match="not of a game by the rules north-america"):
        determinize(view, america, seed=1)
    worlds = [determinize(view, europe, seed) for seed in range(5)]
    assert len(checked) == 2 and all(world.view(0) == view for world in worlds)
    with pytest.raises(InvalidInputError, match="not of a game by the rules north-america"):
        determinize(view, america, seed=1)
    with pytest.raises(InvalidInputError, match="there is no pile of regular tickets"):
        determinize(attrs.evolve(view, ticket_pile_sizes={}), europe, seed=1)
    for same in (copy(view), deepcopy(view), pickle.loads(pickle.dumps(view)), attrs.evolve(view)):
        known = len(checked)
        determinize(same, europe, seed=1)
        assert len(checked) == known + 1


# -- cards that players put back -----------------------------------------------------------------------------------


class Backs(Part):
    """A pile of each player on which they put cards back: they know these and their order, the others their number."""

    back: list[tuple[str, ...] | Unknown] = by_seat(pool="cards")


class CardPutBack(ttr.Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        card, back = str(self.card), state.part(Backs).back
        state.part(CardPiles).take(self.seat, ttr.Counts({card: 1}))
        back[self.seat] = (*known(back[self.seat]), card)


class CardTakenBack(ttr.Event):
    seat: int
    card: str | Unknown = secret("seat")

    def apply(self, state: ttr.State) -> None:
        back = state.part(Backs).back
        back[self.seat] = known(back[self.seat])[:-1]
        state.part(CardPiles).give(self.seat, ttr.Counts({str(self.card): 1}))


class BacksVariant(Variant, name="backs"):
    """Backs: now and then a card of the hand is put back, or the last one taken from there."""

    @hookimpl
    def parts(self, rules: Rules) -> tuple[type[Part], ...]:
        return (Backs,)

    @hookimpl
    def on_turn_start(self, tx: Transaction, seat: int) -> None:
        hand, back = cards(tx.state).hands[seat], known(tx.state.part(Backs).back[seat])
        if back and tx.state.round % 3 == 0:
            tx.emit(CardTakenBack, seat, back[-1])
        elif hand:
            tx.emit(CardPutBack, seat, tx.shuffled([*hand])[0])


@pytest.mark.parametrize("seed", range(2))
def test_cards_that_players_put_back_stay_where_these_know_them(seed: int) -> None:
    game = ttr.new_game("europe", BacksVariant, players=3, seed=seed)
    random, dealt = Random(seed), set[tuple[str, ...]]()
    for moment in range(12):
        for _ in range(8):
            game.play(any_action(game, game.to_act[0], random))
        backs = game.state.part(Backs).back
        for seat in (0, 1, 2, None):
            view = game.view(seat)
            world = determinize(view, game.rules, f"{seed} {moment}")
            assert world.view(seat) == view and not any(missing(world.state).values())
            piles = [known(pile) for pile in world.state.part(Backs).back]
            assert list(map(len, piles)) == [len(known(pile)) for pile in backs]
            assert seat is None or piles[seat] == backs[seat]
            dealt.update(pile for other, pile in enumerate(piles) if other != seat and pile != backs[other])
    assert len(dealt) > 12  # those of others are dealt anew


# -- hidden things that the rules limit ----------------------------------------------------------------------------


class Covers(Part):
    """Cards that players have laid down in secret, at least one of them red or a locomotive."""

    laid: list[tuple[str, ...] | Unknown] = by_seat(pool="cards", key="laid", of=STANDARD_CARDS)

    def validate(self, rules: Rules) -> str | None:
        known_cards = [known(cards) for cards in self.laid]
        fits = all({"red", "locomotive"} & {*some} for some in known_cards if some)
        return None if fits else "one of the cards laid down must be red or a locomotive"


class Impossible(Covers):
    def validate(self, rules: Rules) -> str | None:
        return "nobody can lay cards" if any(map(known, self.laid)) else None


def covering(part: type[Part]) -> type[Variant]:
    class CoversVariant(Variant, name="covers"):
        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (part,)

    return CoversVariant


def test_worlds_are_dealt_again_until_no_part_has_a_problem() -> None:
    players = [{"hand": {"white": 5}}, {"hand": {"blue": 3}, "laid": ["red", "blue", "white"]}, {}]
    game = ttr.arrange(ttr.compile_rules("europe", covering(Covers)), {"seed": 1, "players": players})
    laid: set[tuple[str, ...]] = set()
    for seed in range(60):
        for seat in (0, 2, None):
            world = determinize(game.view(seat), game.rules, seed)
            assert world.view(seat) == game.view(seat) and not any(missing(world.state).values())
            laid.add(known(world.state.part(Covers).laid[1]))
    assert len(laid) > 20 and all({"red", "locomotive"} & {*some} for some in laid)


def test_the_kit_tells_of_worlds_to_which_a_part_objects() -> None:
    class Laid(Impossible):
        def set_up(self, tx: Transaction) -> None:
            tx.emit(CoverLaid, 0)

    class CoverLaid(ttr.Event):
        seat: int

        def apply(self, state: ttr.State) -> None:
            cards = state.part(CardPiles)
            name = cards.kinds[cards.top_card(0)]
            cards.draw(name)
            state.part(Laid).laid[self.seat] = (name,)

    with pytest.raises(
        VariantError,
        match=r"Laid.validate still has a problem with the last of 200 worlds that determinize dealt for .*: nobody",
    ):
        check_variant("north-america", covering(Laid), players=2, games=1, skip=all_but("secrets"))


def test_parts_are_new_each_time_that_a_world_is_dealt_again() -> None:
    """A `sample_hidden` of a plugin adds to what the part has at the start of a game."""

    class Numbers(Part):
        lying: tuple[int, ...] = public()

        def seen_by(self, seat: int | None) -> Part:
            return Numbers(lying=(len(self.lying),))

        def sample_hidden(self, view: ttr.View, dealer: Dealer, rules: Rules) -> None:
            (count,) = view.part(Numbers).lying
            self.lying += tuple([dealer.below(9) for _ in range(count)])

        def validate(self, rules: Rules) -> str | None:
            return "the first number is 7" if self.lying and self.lying[0] != 7 else None

    class NumbersVariant(Variant, name="numbers"):
        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (Numbers,)

    game = ttr.new_game("europe", NumbersVariant, players=2, seed=1)
    state = game.state
    state.part(Numbers).lying = (7, 1, 2)
    view = view_of(state, game.players, 0)
    worlds = [determinize(view, game.rules, seed) for seed in range(12)]
    assert {world.state.part(Numbers).lying[0] for world in worlds} == {7}
    assert all(world.view(0) == view for world in worlds)


def test_each_time_that_a_world_is_dealt_hands_of_tickets_are_empty_when_parts_are_dealt() -> None:
    seen: list[int] = []

    class Counted(Part):
        number: int = hidden(default=0)

        def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
            seen.append(sum(map(len, world.tickets)) + sum(map(len, world.ticket_piles.values())))
            self.number = dealer.below(4)

        def validate(self, rules: Rules) -> str | None:
            return "the number is odd" if self.number % 2 else None

    class CountedVariant(Variant, name="counted"):
        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (Counted,)

    game = ttr.new_game("europe", CountedVariant, players=2, seed=1)
    worlds = [determinize(game.view(0), game.rules, seed) for seed in range(9)]
    assert len(seen) > 9 and {*seen} == {0}
    assert all(world.state.part(Counted).number % 2 == 0 for world in worlds)


def test_after_many_deals_the_last_world_is_taken() -> None:
    deals: list[int] = []

    class Never(Part):
        number: int = hidden(default=0)

        def redeal(self, view: ttr.View, dealer: Dealer, world: ttr.State) -> None:
            deals.append(1)
            self.number = 1

        def validate(self, rules: Rules) -> str | None:
            return "never" if self.number else None

    class NeverVariant(Variant, name="never"):
        @hookimpl
        def parts(self, rules: Rules) -> tuple[type[Part], ...]:
            return (Never,)

    game = ttr.new_game("europe", NeverVariant, players=2, seed=1)
    assert determinize(game.view(0), game.rules, 1).state.part(Never).number == 1 and len(deals) == sampling.MOST_TRIED
