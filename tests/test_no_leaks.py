"""No leaks: what a seat can see, do and be told does not depend on what it cannot know (S6, S7)."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any

import attrs
import pytest
from helpers import rules_of, whole
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from playing import frozen, mutants
from plugins import coins, excursions

import ttr_rules as ttr
from ttr_rules.events import PileShuffled, TicketsRevealed, TurnBegun
from ttr_rules.model import Card, SeededChance, TicketSetup, TunnelDue
from ttr_rules.model.decisions import replace
from ttr_rules.plugins import ActionRule, Part, Question, Rules, Transaction, Variant, hookimpl
from ttr_rules.train_cards import CardPiles
from ttr_variants.europe import Stations

STACKS = ("north-america", "europe")
OTHERS = ("north-america", "europe+dice", "germany-tickets", "europe+excursions+coins")
PLAYED = settings(
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
SECRET_SEED = "seed-that-nobody-may-see"


# -- another world that a seat cannot tell from this one ----------------------------------------------------------


def redealt(
    game: ttr.Game, seat: int | None, random: Random, known_top: int = 0, same_numbers: bool = False
) -> ttr.Game:
    """The same game in another world: everything that `seat` cannot know is dealt anew, public numbers kept.

    Hands of others and the draw pile (below its `known_top` cards), tickets of others, ticket piles, what others are
    choosing from, how many tickets they kept while that is secret (unless `same_numbers`), the seed, and the postcards
    of the test mechanic.
    """
    state = game.state
    if CardPiles in state.parts:
        redeal_cards(state, seat, random, known_top)
    redeal_tickets(state, seat, random, same_numbers, shown=tickets_lie_open(game))
    if excursions.Album in state.parts:
        redeal_postcards(state, seat, random)
    if isinstance(state.chance, SeededChance):
        state.chance = SeededChance(f"another {random.random()}")
    return ttr.Game(state, game.players, game.seed, game.moves)


def tickets_lie_open(game: ttr.Game) -> bool:
    """Whether the last turn is over: then all show their tickets."""
    return any(isinstance(event, TicketsRevealed) for event in game.events)


def redeal_cards(state: ttr.State, seat: int | None, random: Random, known_top: int) -> None:
    piles = ttr.cards(state)
    top = piles.undrawn[:known_top]
    pool = list(piles.undrawn[known_top:])
    others = [other for other in range(state.players) if other != seat]
    for other in others:
        pool += [card for card, count in enumerate(piles.hand[other]) for _ in range(count)]
    random.shuffle(pool)
    for other in others:
        dealt = [pool.pop() for _ in range(sum(piles.hand[other]))]
        piles.hand[other] = [dealt.count(card) for card in range(len(piles.kinds))]
    piles.lay_piles((*top, *pool))


def redeal_tickets(state: ttr.State, seat: int | None, random: Random, same_numbers: bool, shown: bool) -> None:
    known = set(() if seat is None else (*state.tickets[seat], *state.rejects[seat]))
    for decision in state.pending:
        if decision.seat == seat:
            known.update(getattr(decision, "tickets", ()))
    if shown:
        known.update(chain(*state.tickets))
    setup = any(isinstance(decision, TicketSetup) for decision in state.pending)
    unseen: dict[str, list[str]] = {name: [] for name in state.rules.deck.piles}
    for name, tickets in state.rules.deck.piles.items():
        unseen[name] = [ticket.id for ticket in tickets if ticket.id not in known]
        random.shuffle(unseen[name])

    def others(count: int, like: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Unseen tickets: of the same piles as `like`, or of any that are left."""
        if like:
            return tuple(unseen[state.rules.tickets[ticket].kind].pop() for ticket in like)
        kinds = [kind for kind, left in unseen.items() for _ in left]
        chosen = random.sample(kinds, count)
        return tuple(unseen[kind].pop() for kind in chosen)

    for name, pile in state.ticket_piles.items():
        state.ticket_piles[name] = tuple(unseen[name].pop() for _ in pile)
    for number, decision in enumerate(state.pending):
        choice: tuple[str, ...] = getattr(decision, "tickets", ())
        if choice and decision.seat != seat:
            held: Any = decision
            new = replace(held, tickets=others(len(choice), choice))
            state.pending = (*state.pending[:number], new, *state.pending[number + 1 :])
    for other in range(state.players):
        if other == seat or shown:
            continue
        if setup:  # how many were kept is secret as well (S7)
            dealt = others(0, (*state.tickets[other], *state.rejects[other]))
            kept = len(state.tickets[other]) if same_numbers else random.randint(min(2, len(dealt)), len(dealt))
            state.tickets[other], state.rejects[other] = dealt[:kept], dealt[kept:]
        else:
            state.tickets[other] = others(len(state.tickets[other]))


def redeal_postcards(state: ttr.State, seat: int | None, random: Random) -> None:
    album = state.part(excursions.Album)
    known = set(() if seat is None else album.cards[seat]) | {card for card in album.framed if card}
    pool = [card for card in excursions.VALUES if card not in known]
    random.shuffle(pool)
    for other, cards in enumerate(album.cards):
        if other != seat:
            album.cards[other] = tuple(card if card in album.framed else pool.pop() for card in cards)
    mine = next((d for d in state.pending if d.seat == seat and isinstance(d, excursions.PostcardChoice)), None)
    album.left = tuple(pool) if mine is None else tuple(card for card in album.left if card not in known)
    for number, decision in enumerate(state.pending):
        if isinstance(decision, excursions.PostcardChoice) and decision.seat != seat:
            new = replace(decision, cards=tuple(pool[: len(decision.cards)]))
            state.pending = (*state.pending[:number], new, *state.pending[number + 1 :])


def strings(value: object) -> Iterator[str]:
    """Every text inside a value, keys included."""
    if isinstance(value, str):
        yield str(value)
    elif attrs.has(type(value)):
        for field in attrs.fields(type(value)):  # type: ignore[arg-type]
            yield from strings(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from strings(pair)
    elif isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from strings(each)


# -- views, legal actions, refusals ------------------------------------------------------------------------------


def check_same(game: ttr.Game, other: ttr.Game, seat: int, random: Random) -> None:
    """For `seat`, two worlds look the same."""
    view, view_there = game.view(seat), other.view(seat)
    assert view == view_there
    assert whole(view) == whole(view_there) and repr(view) == repr(view_there)
    assert game.to_act == other.to_act
    assert game.is_over == other.is_over
    assert game.decision(seat) == other.decision(seat)
    mine = list(game.legal_actions(seat))
    assert mine == list(other.legal_actions(seat))
    assert repr(game) == repr(other)
    near = mutants(game, mine[random.randrange(len(mine))] if mine else ttr.DrawBlind(seat), random)
    for action in near:
        if action.seat != seat:
            continue
        refusal = game.refusal(action)
        assert refusal == other.refusal(action), f"the refusal of {action} tells something"
        if refusal is not None and random.random() < 0.1:
            messages: list[str] = []
            for world in (game, other):
                with pytest.raises(ttr.IllegalActionError) as caught:
                    world.play(action)
                messages.append(f"{caught.value} {caught.value!r}")
            assert messages[0] == messages[1]


def stacked(name: str) -> ttr.Rules:
    if name in STACKS or name in ("europe+dice", "germany-tickets"):
        return rules_of(*name.split("+"))
    return ttr.compile_rules("europe", excursions, *([coins.CoinsPlugin()] if "coins" in name else []))


@pytest.mark.rule("S6", "S7", "R10")
@pytest.mark.parametrize(
    "stack",
    [
        pytest.param("europe", marks=pytest.mark.slow),
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("europe+excursions", *OTHERS)),
    ],
)
@settings(PLAYED, max_examples=1)
@given(count=st.integers(2, 5), choice=st.integers(0, 2**32))
def test_another_deal_of_what_a_seat_cannot_know_changes_nothing_for_it(stack: str, count: int, choice: int) -> None:
    random = Random(choice)
    game = ttr.new_game(rules=stacked(stack), players=count, seed=SECRET_SEED)
    while game.to_act:
        for seat in range(count):
            check_same(game, redealt(game, seat, random), seat, random)
        assert game.view(None) == redealt(game, None, random).view(None)
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])


@pytest.mark.rule("S6", "S7")
@pytest.mark.slow_cases("europe")
@pytest.mark.parametrize("stack", STACKS)
@settings(PLAYED, max_examples=2)
@given(count=st.integers(2, 5), choice=st.integers(0, 2**32))
def test_what_others_do_is_told_the_same_in_another_deal(stack: str, count: int, choice: int) -> None:
    """One seat acts, in two worlds that another seat cannot tell apart: that one is told the same."""
    random = Random(choice)
    game = ttr.new_game(rules=rules_of(stack), players=count, seed=SECRET_SEED)
    compared = 0
    while game.to_act:
        actor = random.choice(game.to_act)
        decision = game.decision(actor)
        watcher = random.choice([seat for seat in range(count) if seat != actor])
        choices = game.legal_actions(actor)
        action = choices[random.randrange(len(choices))]
        # What is turned up in public is the same in both worlds: the top of the pile, enough for ten sweeps.
        last = len(game.to_act) == 1  # the last answer at set-up reveals how many each seat kept
        other = redealt(game, watcher, random, known_top=60, same_numbers=last)
        there = counterpart(action, decision, other, random, last)
        told = [event.seen_by(watcher) for event in game.play(action)]
        if there is not None and not any(isinstance(seen.event, PileShuffled | TicketsRevealed) for seen in told):
            compared += 1
            assert told == [event.seen_by(watcher) for event in other.play(there)]
            assert game.view(watcher) == other.view(watcher)
    assert compared > 10


def counterpart(
    action: ttr.Action, decision: ttr.Decision | None, other: ttr.Game, random: Random, last: bool
) -> ttr.Action | None:
    """What the actor may have done in the other world for all that a watcher can see; None if nothing fits."""
    seat = action.seat
    if isinstance(action, ttr.KeepTickets):
        there = [each for each in other.legal_actions(seat) if isinstance(each, ttr.KeepTickets)]
        if not isinstance(decision, TicketSetup) or last:
            there = [each for each in there if len(each.tickets) == len(action.tickets)]
        return random.choice(there)
    return action if other.refusal(action) is None else None


@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_events_as_others_see_them_name_no_secret(stack: str, seed: int) -> None:
    """No ticket, no card drawn blind and no order of a pile is in what another seat is told, in a whole game."""
    game, random = ttr.new_game(rules=rules_of(stack), players=3, seed=seed), Random(seed)
    while game.to_act:
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
    tickets = set(game.rules.tickets)
    for watcher in (0, 1, 2, None):
        own: set[str] = set()
        for move in game.moves:
            for event in move.events:
                if watcher is not None and getattr(event, "seat", None) == watcher:
                    own |= tickets & set(strings(event))
                if isinstance(event, TicketsRevealed):
                    own |= tickets  # from here on nothing about tickets in hand is secret
                seen = event.seen_by(watcher)
                named = tickets & set(strings(seen))
                assert named <= own, f"{seen} tells {watcher} of {named - own}"
                assert seen.event.seen_by(watcher) == seen
                if type(event).__name__ in ("CardDrawn", "CardsDealt") and getattr(event, "seat", None) != watcher:
                    assert not set(strings(seen)) & set(Card), f"{seen} tells a card"
                if type(event).__name__ in ("PileShuffled", "TicketsShuffled"):
                    assert len(set(strings(seen)) - {"long", "regular"}) == 0, f"{seen} tells an order"


@pytest.mark.slow
@pytest.mark.thorough_but("north-america")
@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", STACKS)
def test_tickets_are_shown_after_the_last_turn_and_not_before(stack: str) -> None:
    game, random = ttr.new_game(rules=rules_of(stack), players=3, seed=6), Random(6)
    while game.to_act:
        assert not tickets_lie_open(game)
        for seat in (None, 0, 1, 2):
            others = [tickets for other, tickets in enumerate(game.state.tickets) if other != seat and tickets]
            assert not any(holds(game.view(seat), tickets) for tickets in others)
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
    shown = [event for event in game.events if isinstance(event, TicketsRevealed)]
    assert len(shown) == 1
    assert not any(isinstance(event, TurnBegun) for event in game.events[game.events.index(shown[0]) :])
    for tickets in game.state.tickets:
        assert holds(game.view(None), tickets)


# -- set-up --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("S7")
@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("count", [2, 3, 5])
def test_nobody_sees_how_many_tickets_were_kept_until_all_have_chosen(stack: str, count: int) -> None:
    least = ttr.new_game(rules=rules_of(stack), players=count, seed=9)
    most = least.copy()
    for actor in range(count - 1):
        fewest, *_, all_of_them = least.legal_actions(actor)
        assert isinstance(fewest, ttr.KeepTickets) and isinstance(all_of_them, ttr.KeepTickets)
        assert len(fewest.tickets) < len(all_of_them.tickets)
        told, told_there = least.play(fewest), most.play(all_of_them)
        for watcher in (None, *range(count)):
            if watcher is not None and watcher <= actor:
                continue
            assert least.view(watcher) == most.view(watcher)
            assert [event.seen_by(watcher) for event in told] == [event.seen_by(watcher) for event in told_there]
            counts = least.view(watcher).ticket_counts
            assert all(each is None for seat, each in enumerate(counts) if seat != watcher)
    for game in (least, most):
        game.play(game.legal_actions(count - 1)[-1])
        held = tuple(map(len, game.state.tickets))
        for watcher in (None, *range(count)):
            assert game.view(watcher).ticket_counts == held


# -- texts ---------------------------------------------------------------------------------------------------------


def hidden_texts(game: ttr.Game, seat: int | None) -> list[str]:
    """Texts that only a leak would print: the seed, the order of the piles, tickets of others, their hands."""
    state = game.state
    found = [SECRET_SEED, *chain(*state.ticket_piles.values())]
    found += [ticket for other, held in enumerate(state.tickets) if other != seat for ticket in held]
    found += [ticket for d in state.pending if d.seat != seat for ticket in getattr(d, "tickets", ())]
    found = [f"'{text}'" for text in found]
    if len(ttr.cards(state).draw_pile) > 8:
        found += [
            repr(ttr.cards(state).draw_pile)[1:-1],
            ", ".join(ttr.cards(state).draw_pile[:9]),
            repr(list(ttr.cards(state).draw_pile[:9]))[1:-1],
        ]
    found += [repr(hand) for other, hand in enumerate(ttr.cards(state).hands) if other != seat and hand.total > 3]
    own = () if seat is None else (repr(ttr.cards(state).hands[seat]),)
    return [text for text in found if text not in own]


@pytest.mark.slow
@pytest.mark.thorough_but("north-america")
@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", STACKS)
def test_no_text_tells_a_seed_a_pile_or_what_others_hold(stack: str) -> None:
    game, random = ttr.new_game(rules=rules_of(stack), players=4, seed=SECRET_SEED), Random(4)
    while game.to_act:
        for seat in (None, *range(4)):
            view = game.view(seat)
            texts = [whole(view), repr(view), str(view), repr(game)]
            for action in (ttr.DrawBlind(0 if seat is None else seat), ttr.Pass(game.to_act[0])):
                refusal = game.refusal(action)
                if refusal is not None:
                    texts += [str(refusal), repr(refusal)]
                    with pytest.raises(ttr.IllegalActionError) as caught:
                        game.play(action)
                    texts += [str(caught.value), repr(caught.value)]
            secrets = hidden_texts(game, seat)
            for text in texts:
                assert SECRET_SEED not in text
                for hidden in secrets:
                    assert hidden not in text, f"seat {seat} can read {hidden}"
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])


@pytest.mark.parametrize("stack", STACKS)
def test_a_view_holds_no_way_back_to_the_game(stack: str) -> None:
    """Whatever is reachable from a view, the state, the seed and the rules are not."""
    game = ttr.new_game(rules=rules_of(stack), players=2, seed=SECRET_SEED)
    found: list[object] = [game.view(0)]
    seen: set[int] = set()
    while found:
        each = found.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        assert not isinstance(each, ttr.State | ttr.Game | SeededChance | ttr.Rules)
        if isinstance(each, Part):  # a copy of what the seat may see of it
            assert all(each is not part for part in game._state.parts.values())
        assert each != SECRET_SEED
        if isinstance(each, Mapping):
            found += chain(*each.items())
        elif isinstance(each, tuple | list | set):
            found += each
        elif attrs.has(type(each)):
            found += [getattr(each, field.name) for field in attrs.fields(type(each))]  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [None, 0])
def test_a_saved_view_tells_no_seed(seat: int | None) -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=SECRET_SEED)
    saved = pickle.dumps(game.view(seat))
    assert SECRET_SEED.encode() not in saved
    assert pickle.loads(saved) == game.view(seat)


def test_changing_what_a_view_holds_does_not_change_the_game() -> None:
    game = ttr.new_game(rules=rules_of("europe"), players=2, seed=5)
    before = frozen(game.state)
    view = game.view(0)
    for mapping in (view.owners, view.ticket_pile_sizes, view.parts, *view.parts.values()):
        if isinstance(mapping, dict):
            mapping.clear()
    assert frozen(game.state) == before
    assert game.view(0).parts


# -- what is public is shown -----------------------------------------------------------------------------------------


def a_tunnel(seat: int = 0) -> ttr.Game:
    """A game in which a tunnel asks seat 0 for more."""
    random = Random(1)
    for seed in range(200):
        game = ttr.new_game(rules=rules_of("europe"), players=3, seed=seed, first_seat=seat)
        for _ in range(120):
            if not game.to_act or isinstance(game.decision(game.to_act[0]), TunnelDue):
                break
            choices = game.legal_actions(game.to_act[0])
            claims = [action for action in choices if isinstance(action, ttr.ClaimRoute)]
            tunnels = [action for action in claims if game.rules.board.routes[action.route].tunnel]
            game.play(random.choice(tunnels) if tunnels else choices[random.randrange(min(len(choices), 4))])
        if game.to_act and isinstance(game.decision(game.to_act[0]), TunnelDue):
            return game
    raise AssertionError("no tunnel in 200 games")


def holds(value: object, wanted: tuple[Any, ...]) -> bool:
    """Whether a tuple with these texts, in whatever order, is anywhere inside a value."""
    if isinstance(value, tuple | list):
        if sorted(map(str, value)) == sorted(map(str, wanted)):
            return True
        return any(holds(each, wanted) for each in value)
    if isinstance(value, Mapping):
        return any(holds(each, wanted) for each in value.values())
    if attrs.has(type(value)):
        return any(holds(getattr(value, field.name), wanted) for field in attrs.fields(type(value)))  # type: ignore[arg-type]
    return False


@pytest.mark.rule("S6", "R18")
def test_cards_revealed_for_a_tunnel_are_in_every_view() -> None:
    """S6: cards revealed for a tunnel are public, and a view shows what is public now (R18)."""
    game = a_tunnel()
    due = game.decision(game.to_act[0])
    assert isinstance(due, TunnelDue)
    for seat in (None, 0, 1, 2):
        assert holds(game.view(seat), due.revealed), f"the view of {seat} does not show {due.revealed}"


@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", STACKS)
def test_a_view_shows_what_is_public(stack: str) -> None:
    game, random = ttr.new_game(rules=rules_of(stack), players=3, seed=8), Random(8)
    for _ in range(60):
        choices = game.legal_actions(random.choice(game.to_act))
        game.play(choices[random.randrange(len(choices))])
    state = game.state
    for seat in (None, 0, 1, 2):
        view = game.view(seat)
        assert (view.owners, view.cars, view.scores) == (state.owners, tuple(state.cars), tuple(state.scores))
        assert (ttr.cards(view).face_up, ttr.cards(view).discards) == (
            ttr.cards(state).face_up,
            ttr.cards(state).discards,
        )
        assert ttr.cards(view).draw_pile_size == len(ttr.cards(state).draw_pile)
        sizes = tuple(hand.total for hand in ttr.cards(state).hands)
        assert ttr.cards(view).hand_sizes == ttr.cards(state).hand_sizes == sizes
        assert view.ticket_counts == tuple(map(len, state.tickets))
        assert view.tickets == (() if seat is None else state.tickets[seat])
        assert ttr.cards(view).hand == (None if seat is None else ttr.cards(state).hands[seat])
    if stack == "europe":
        assert game.view(1).part(Stations).built == dict(state.part(Stations).built)


# -- plugins ---------------------------------------------------------------------------------------------------------


class Riddle(ttr.Decision):
    """A question whose text is for the seat alone."""

    answer: str


class Guess(ttr.Action):
    word: str


class GuessRule(ActionRule[Riddle, Guess]):
    on = Riddle
    action = Guess

    def offers(self, state: ttr.State, decision: Riddle) -> list[Guess]:
        return [Guess(decision.seat, decision.answer)]

    def refusal(self, state: ttr.State, decision: Riddle, action: Guess) -> ttr.Refusal | None:
        return None if action.word == decision.answer else ttr.Refusal("riddle", "that is wrong")

    def perform(self, tx: Transaction, decision: Riddle, action: Guess) -> None:
        pass


class Wonder(ttr.Action):
    pass


class WonderRule(ActionRule[ttr.Turn, Wonder]):
    on = ttr.Turn
    action = Wonder

    def offers(self, state: ttr.State, decision: ttr.Turn) -> list[Wonder]:
        return [Wonder(decision.seat)]

    def refusal(self, state: ttr.State, decision: ttr.Turn, action: Wonder) -> ttr.Refusal | None:
        return None

    def perform(self, tx: Transaction, decision: ttr.Turn, action: Wonder) -> Question:
        return Riddle(decision.seat, tx.shuffled(["sphinx", "minotaur"])[0])


class Hoard(Part):
    """A part of a plugin that says nothing of who may see it."""

    __slots__ = ("gold",)

    def __init__(self) -> None:
        self.gold = "buried treasure"

    def copy(self) -> Hoard:
        return Hoard()

    def value(self) -> object:
        return self.gold


class Riddles(Variant, name="riddles"):
    """Riddles: whoever wonders is asked one."""

    @hookimpl
    def actions(self, rules: Rules) -> list[ActionRule[Any, Any]]:
        return [WonderRule(), GuessRule()]

    @hookimpl
    def parts(self, rules: Rules) -> list[type[Part]]:
        return [Hoard]


def a_riddle() -> tuple[ttr.Game, Sequence[ttr.Event], str]:
    game = ttr.new_game("europe", Riddles, players=2, seed=1, first_seat=0)
    for seat in game.to_act:
        game.play(game.legal_actions(seat)[0])
    events = game.play(Wonder(0))
    decision = game.decision(0)
    assert isinstance(decision, Riddle)
    return game, events, decision.answer


def test_a_part_that_says_nothing_of_who_may_see_it_is_seen_by_nobody() -> None:
    game, _, _ = a_riddle()
    for seat in (0, 1, None):
        assert "treasure" not in whole(game.view(seat)) + repr(game.view(seat))
        assert "Hoard" not in game.view(seat).parts


def test_what_a_plugin_asks_one_seat_is_not_told_to_the_others() -> None:
    """A question may hold secrets: views and events of others do not show them."""
    game, events, answer = a_riddle()
    for watcher in (1, None):
        assert answer not in whole(game.view(watcher)) + repr(game.view(watcher))
        assert game.decision(1) is None
        assert answer not in repr([event.seen_by(watcher) for event in events])
    assert answer in repr([event.seen_by(0) for event in events])


def test_a_refusal_does_not_tell_what_another_seat_is_asked_about() -> None:
    game, _, answer = a_riddle()
    refusal = game.refusal(ttr.DrawBlind(1))
    assert refusal is not None and refusal.rule == "S5"
    assert answer not in str(refusal)
