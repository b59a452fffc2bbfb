"""What a seat cannot know changes nothing for it: over whole games of every official stack; and planted leaks are found."""

from __future__ import annotations

import copy
import gc
import pickle
import types
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import attrs
import pytest
from helpers import all_but, rules_of
from official import MAPS, STACKS, every_map
from plugins import excursions
from plugins.flags import FlagsPlugin, faulty_flags

import ttr_rules as ttr
from ttr_rules import determinize
from ttr_rules.engine import view_of
from ttr_rules.errors import Refusal
from ttr_rules.events import (
    CardDrawn,
    CardsDealt,
    OpenCardsDealt,
    PileShuffled,
    SeenEvent,
    TicketsChosen,
    TicketsDealt,
    TicketsDrawn,
    TicketsKept,
    TicketsReturned,
    TicketsShuffled,
    TurnBegun,
    Unknown,
)
from ttr_rules.kernel import turn
from ttr_rules.mechanics.claims import ClaimRule
from ttr_rules.mechanics.tickets import DrawTicketsRule, SetupChoiceRule
from ttr_rules.model import SeededChance, TicketChoice, TicketSetup
from ttr_rules.model.decisions import replace
from ttr_rules.parts import part_fields
from ttr_rules.play import game as game_module
from ttr_rules.plugins import ActionRule, Part, Transaction, compiler as compiling
from ttr_rules.sequences import FrozenMap
from ttr_rules.train_cards import CardPiles, SeenCards
from ttr_rules.train_cards.draws import DrawBlindRule, DrawFaceUpRule
from ttr_tools.testing import VariantError, check_variant
from ttr_tools.testing.runs import Picks
from ttr_tools.testing.secrets import exchange_tickets, find_known_tickets, rename_items

SECRET_SEED = "seed-that-nobody-may-see"


def check_secrets(*stack: object, players: int, games: int = 1, seed: int = 1) -> None:
    check_variant(*stack, players=players, games=games, seed=seed, skip=all_but("secrets"))


# -- every official stack ------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.rule("S6", "S7", "R10")
@pytest.mark.thorough_but("europe", "united-kingdom")
@pytest.mark.parametrize(
    "stack",
    [pytest.param(stack, id="+".join(stack)) for stack in STACKS if len(stack) == 1],
)
def test_nothing_interferes_in_a_whole_game(stack: tuple[str, ...]) -> None:
    """Views, questions, legal actions, refusals, reprs, and what is told when others act.

    With a number of players between the fewest and the most, with which `test_stacks.py` checks each base. Stacks whose
    rules do not ask for that number are checked there alone.
    """
    box = rules_of(*stack).components
    check_secrets(*stack, players=max(box.max_players - 1, box.min_players + 1))


@pytest.mark.slow
@pytest.mark.thorough_but("europe", "united-kingdom")
@pytest.mark.rule("S6")
@every_map
def test_errors_are_the_same_in_every_world(stack: tuple[str, ...]) -> None:
    """Not only the refusal: type, text, repr, arguments and pickle of the error that a seat gets for what it may not do."""
    rules, picks = rules_of(*stack), Picks(3)
    game = ttr.new_game(rules=rules, players=3, seed=SECRET_SEED)
    told: set[str] = set()
    route = next(iter(rules.board.routes))
    for number in range(60):
        if not game.to_act:
            break
        seat = number % 3
        world = determinize(game.view(seat), rules, number)
        for action in (ttr.DrawBlind(seat), ttr.DrawTickets(seat), ttr.Pass(seat), ttr.ClaimRoute(seat, route, {"red": 9}),
                       ttr.KeepTickets(seat, tuple(rules.tickets)[number % 3 : 9]), ttr.PayTunnel(seat, {"single": 1})):  # fmt: skip
            errors: list[tuple[object, ...]] = []
            for each in (game, world):
                try:
                    each.copy().play(action)
                except ttr.IllegalActionError as error:
                    error.__traceback__ = None
                    errors.append((type(error), str(error), repr(error), error.args, vars(error), pickle.dumps(error)))
                    told.add(error.refusal.rule)
                else:
                    errors.append(("played",))
            assert errors[0] == errors[1]
        game.play(picks.action(game.legal_actions(picks.seat(game))))
    assert len(told) >= 4


# -- planted leaks -------------------------------------------------------------------------------------------------


@attrs.frozen
class SeenMore(SeenCards):
    """Train cards as a seat sees them, and something more."""

    more: Any = None


def shows_more(more: Callable[[CardPiles, int | None], object]) -> Callable[[pytest.MonkeyPatch], None]:
    """A part that shows something more of the train cards."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = CardPiles.seen_by

        def leaking(self: CardPiles, seat: int | None) -> SeenCards:
            seen = real(self, seat)
            known = {field.name: getattr(seen, field.name) for field in attrs.fields(SeenCards)}
            return SeenMore(**known, more=more(self, seat))

        patch.setattr(CardPiles, "seen_by", leaking)

    return plant


def view_with(**fields: Callable[[ttr.State, int | None], object]) -> Callable[[pytest.MonkeyPatch], None]:
    """A view one field of which tells too much."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = view_of

        def leaking(state: ttr.State, players: Any, seat: int | None) -> ttr.View:
            new: dict[str, Any] = {name: leak(state, seat) for name, leak in fields.items()}
            return attrs.evolve(real(state, players, seat), **new)

        patch.setattr(game_module, "view_of", leaking)

    return plant


def told_in_full(kind: type[ttr.Event | ttr.Decision]) -> Callable[[pytest.MonkeyPatch], None]:
    """An event or a decision that everybody sees as it is."""
    whole = (lambda self, seat: SeenEvent(self)) if issubclass(kind, ttr.Event) else (lambda self, seat: self)
    return lambda patch: patch.setattr(kind, "seen_by", whole)


def told_after_turns(patch: pytest.MonkeyPatch) -> None:
    """A fact more after each turn, if the card that now lies on top is a locomotive."""
    real = turn.finish_turn

    def telling(tx: Transaction, seat: int, passed: bool = False) -> None:
        real(tx, seat, passed)
        if ttr.cards(tx.state).draw_pile[:1] == ("locomotive",) and type(tx.state.pending[0]) is ttr.Turn:
            tx.emit(TurnBegun, tx.state.turn)

    patch.setattr(turn, "finish_turn", telling)


def chosen_numbers_told(patch: pytest.MonkeyPatch) -> None:
    def seen(self: TicketsChosen, seat: int | None) -> SeenEvent:
        told = TicketsChosen(self.seat, Unknown(len(self.kept)), Unknown())  # type: ignore[arg-type]
        return SeenEvent(self if seat == self.seat else told)

    patch.setattr(TicketsChosen, "seen_by", seen)


def offered_if(rule: type[Any], wanted: Callable[[ttr.State], bool]) -> Callable[[pytest.MonkeyPatch], None]:
    """Actions that are offered only if something holds that the seat cannot know."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = rule.count
        patch.setattr(rule, "count", lambda self, state, seat: real(self, state, seat) if wanted(state) else 0)
        patch.setattr(compiling, "_compiled", {})  # compiled rules hold the methods that they found

    return plant


def refused_with(rule: type[Any], more: Callable[[ttr.State, Any], object]) -> Callable[[pytest.MonkeyPatch], None]:
    """A refusal that says too much."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = rule.refusal

        def refusal(self: Any, state: ttr.State, decision: Any, action: Any) -> Refusal | None:
            refused = real(self, state, decision, action)
            return None if refused is None else Refusal(refused.rule, f"{refused.reason}; {more(state, action)}")

        patch.setattr(rule, "refusal", refusal)

    return plant


def turn_error_tells(patch: pytest.MonkeyPatch) -> None:
    """Who is not asked is told what the others are asked about."""
    from ttr_rules.kernel import answers
    from ttr_tools.testing import secrets

    real = answers.refusal

    def refusal(state: ttr.State, action: ttr.Action) -> Refusal | None:
        refused = real(state, action)
        return Refusal("S5", f"asked are {state.pending}") if refused is not None and refused.rule == "S5" else refused

    for module in (answers, game_module):
        patch.setattr(module, "refusal", refusal)
    patch.setattr(secrets, "engine_refusal", refusal)


def game_repr_tells(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ttr.Game, "__repr__", lambda self: f"<Game {ttr.cards(self._state).draw_pile[:1]}>")


def top(state: ttr.State) -> str:
    return ttr.cards(state).draw_pile[0] if ttr.cards(state).draw_pile else ""


def other(state: ttr.State, seat: int | None) -> int:
    return 0 if seat is None else (seat + 1) % state.players


def named(state: ttr.State, seat: int | None) -> tuple[str, ...]:
    return (f"A {getattr(state.chance, 'seed', '')}", "B", "C")


LEAKS: dict[str, tuple[tuple[object, ...], Callable[[pytest.MonkeyPatch], None]]] = {
    # parts
    "all hands": (("europe",), shows_more(lambda piles, seat: piles.hands)),
    "the hand of the next seat": (("europe",), shows_more(lambda piles, seat: piles.counts(((seat or 0) + 1) % 3))),
    "locomotives in hands": (("europe",), shows_more(lambda piles, seat: [hand["locomotive"] for hand in piles.hands])),
    "the draw pile": (("europe",), shows_more(lambda piles, seat: piles.draw_pile)),
    "the top card": (("europe",), shows_more(lambda piles, seat: piles.draw_pile[:1])),
    "the bottom card": (("europe",), shows_more(lambda piles, seat: piles.draw_pile[-1:])),
    "locomotives in the pile": (("europe",), shows_more(lambda piles, seat: piles.draw_pile.count("locomotive"))),
    "the hand of a spectator": (("europe",), shows_more(lambda piles, seat: piles.counts(seat or 0))),
    "a plugin's part": (("north-america", faulty_flags("leaking part")), lambda patch: None),
    # fields of views
    "tickets of another seat": (("europe",), view_with(tickets=lambda state, seat: state.tickets[other(state, seat)])),
    "all tickets before the end": (("europe",), view_with(open_tickets=lambda state, seat: tuple(state.tickets))),
    "how many were kept": (("europe",), view_with(ticket_counts=lambda state, seat: tuple(map(len, state.tickets)))),
    "what others reject": (("europe",), view_with(rejects=lambda state, seat: state.rejects[other(state, seat)])),
    "how many others reject": (("europe",), view_with(passes=lambda state, seat: sum(map(len, state.rejects)))),
    "questions of others": (("europe",), view_with(pending=lambda state, seat: state.pending)),
    "the decision of another seat": (("europe",), view_with(decision=lambda state, seat: state.decision(other(state, seat)))),
    "the seed": (("europe",), view_with(players=named)),
    "the top of the ticket pile": (("europe",), view_with(turn=lambda state, seat: hash(state.ticket_pile[:1]))),
    "long tickets of others": (("mega-europa",), view_with(stage=lambda state, seat: sum("long" in state.rules.tickets[id].kind for held in state.tickets for id in held))),
    "piles by name and order": (("germany-tickets",), view_with(passes=lambda state, seat: hash(tuple(state.ticket_piles.items())) % 7)),
    # events in play; for those of the set-up, see below
    "cards drawn": (("europe",), told_in_full(CardDrawn)),
    "tickets chosen": (("europe",), told_in_full(TicketsChosen)),
    "how many were chosen": (("europe",), chosen_numbers_told),
    "tickets drawn": (("europe",), told_in_full(TicketsDrawn)),
    "tickets drawn by mix": (("germany-tickets",), told_in_full(TicketsDrawn)),
    "tickets kept": (("europe",), told_in_full(TicketsKept)),
    "tickets put back": (("north-america",), told_in_full(TicketsReturned)),
    "whether a locomotive lies on top": (("europe",), told_after_turns),
    "what a plugin tells": (("north-america", faulty_flags("told to all")), lambda patch: None),
    "tickets that a plugin tells": (("north-america", faulty_flags("ticket shown")), lambda patch: None),
    # decisions
    "the first tickets of others": (("europe",), told_in_full(TicketSetup)),
    "the tickets that others choose from": (("europe",), told_in_full(TicketChoice)),
    "postcards that others choose from": (("europe", excursions), told_in_full(excursions.PostcardChoice)),
    # offers and refusals
    "blind draws by the top card": (("europe",), offered_if(DrawBlindRule, lambda state: top(state) != "red")),
    "face-up draws by a hand": (("europe",), offered_if(DrawFaceUpRule, lambda state: ttr.cards(state).hands[0]["red"] != 1)),
    "claims by tickets": (("europe",), offered_if(ClaimRule, lambda state: hash(state.tickets[1]) % 3 > 0)),
    "ticket draws by the top ticket": (("europe",), offered_if(DrawTicketsRule, lambda state: hash(state.ticket_pile[:1]) % 3 > 0)),
    "offers of a plugin": (("north-america", faulty_flags("offers leak")), lambda patch: None),
    "a refusal that names a hand": (("europe",), refused_with(ClaimRule, lambda state, action: ttr.cards(state).hands[other(state, action.seat)])),
    "a refusal that names the top card": (("europe",), refused_with(ClaimRule, lambda state, action: top(state))),
    "a refusal that names tickets": (("europe",), refused_with(SetupChoiceRule, lambda state, action: state.tickets[other(state, action.seat)])),
    "an error that names a question": (("europe",), turn_error_tells),
    # texts
    "the repr of a game": (("europe",), game_repr_tells),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.pure
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stack, plant = LEAKS[leak]
    plant(monkeypatch)
    with pytest.raises(VariantError) as caught:
        check_secrets(*stack, players=3, games=3)
    (problem,) = caught.value.problems
    assert problem.check == "secrets" and "cannot know" in problem.message, problem


# -- events of the set-up -------------------------------------------------------------------------------------------


def told_at_set_up(game: ttr.Game) -> set[str]:
    """The events of the set-up that tell a seat a ticket or the cards of others."""
    told: set[str] = set()
    for seat in (None, *range(len(game.players))):
        names = exchange_tickets(game.rules, find_known_tickets(game.state, seat), Random(1))
        for event in game.events:
            seen = event.seen_by(seat).event
            there = rename_items(seen, names)
            dealt = isinstance(event, CardsDealt | PileShuffled) and not isinstance(event, OpenCardsDealt)
            if dealt and getattr(event, "seat", None) != seat:
                name = "cards" if isinstance(event, CardsDealt) else "order"
                other = replace(event, **{name: (*getattr(event, name)[1:], "another card")})
                there = other.seen_by(seat).event
            if there != seen:
                told.add(type(event).__name__)
    return told


@every_map
def test_the_set_up_tells_nothing(stack: tuple[str, ...]) -> None:
    assert told_at_set_up(ttr.new_game(rules=rules_of(*stack), players=3, seed=1)) == set()


@pytest.mark.pure
@pytest.mark.parametrize("kind", [CardsDealt, PileShuffled, TicketsShuffled, TicketsDealt])
def test_what_a_set_up_tells_is_found(kind: type[ttr.Event], monkeypatch: pytest.MonkeyPatch) -> None:
    told_in_full(kind)(monkeypatch)
    assert told_at_set_up(ttr.new_game("europe", players=3, seed=1)) == {kind.__name__}


@pytest.mark.thorough
def test_without_a_leak_nothing_is_found() -> None:
    """What the planted ones are found in is sound otherwise, in the same games."""
    for stack in {stack for stack, _ in LEAKS.values() if not any(isinstance(each, FlagsPlugin) for each in stack)}:
        check_secrets(*stack, players=3, games=1)
    check_secrets("north-america", FlagsPlugin(), players=3, games=1)


@pytest.mark.slow_cases("nordic-countries", "germany-tickets", "united-kingdom")
@pytest.mark.rule("S6")
@every_map
def test_what_is_sent_as_json_is_the_same_in_every_world(stack: tuple[str, ...]) -> None:
    rules, picks = rules_of(*stack), Picks(4)
    game = ttr.new_game(rules=rules, players=3, seed=SECRET_SEED)
    for number in range(20):
        for seat in (None, number % 3):
            view = game.view(seat)
            world = determinize(view, rules, number)
            assert ttr.to_json(rules, world.view(seat)) == ttr.to_json(rules, view)
            if seat is not None:
                theirs, mine = (list(each.legal_actions(seat))[:50] for each in (world, game))
                assert [ttr.to_json(rules, action) for action in theirs] == [
                    ttr.to_json(rules, action) for action in mine
                ]
            told = [ttr.to_json(rules, event) for event in game.events_since(None, seat)]
            assert told == [ttr.to_json(rules, event.seen_by(seat)) for event in game.events]
        game.play(picks.action(game.legal_actions(picks.seat(game))))


# -- nothing leads back --------------------------------------------------------------------------------------------

#: What leads everywhere in a running Python, and nowhere in what is sent: classes, modules, code.
EVERYWHERE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType,
              types.WrapperDescriptorType, types.GetSetDescriptorType, types.MemberDescriptorType, types.FrameType, types.TracebackType)  # fmt: skip
FORBIDDEN = (ttr.State, ttr.Game, SeededChance, ttr.Rules, Transaction, ttr.Board, ActionRule)


def reachable(*found: object) -> Iterator[object]:
    """Everything that the garbage collector can find from some things, and the attributes of the instances there."""
    waiting, seen = list(found), set[int]()
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, EVERYWHERE):
            continue
        seen.add(id(each))
        yield each
        waiting += gc.get_referents(each)
        waiting += [getattr(each, "__dict__", None)]


@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", ["north-america", "nordic-countries", "united-kingdom"])
def test_rules_that_games_share_keep_no_hand(stack: str) -> None:
    """What was counted for a hand is kept with its state, not where another game could look it up."""
    game = ttr.new_game(stack, players=2, seed=1)
    while game.played < 60 or type(game.decision(game.to_act[0])) is not ttr.Turn:
        game.play(game.legal_actions(game.to_act[0])[0])  # tickets, then cards
    assert game.legal_actions()
    hands = game.state.part(CardPiles).hand
    assert all(sum(hand) > 10 for hand in hands)
    kept = list(reachable(game.rules))
    assert len(kept) > 1000
    assert not [each for each in kept if type(each) is list and each in hands]


@pytest.mark.slow_cases("europe", "germany-tickets+dice", "united-kingdom", "europe+<module 'plugins.excursions' from")
@pytest.mark.thorough_cases(
    "switzerland",
    "legendary-asia",
    "mega-europa",
    "nordic-countries",
    "germany-tickets",
    "pennsylvania+dice",
    "north-america",
    "europa-1912",
    "big-cities",
    "india",
)
@pytest.mark.rule("S6")
@pytest.mark.parametrize("stack", [*MAPS, ("europe", excursions)], ids=lambda stack: "+".join(map(str, stack))[:40])
def test_nothing_that_a_player_is_sent_leads_to_the_state_the_seed_or_a_pile(stack: tuple[object, ...]) -> None:
    """By references, pickles, copies and deep copies: views, events as seen, refusals and errors."""
    rules = rules_of(*stack) if all(isinstance(each, str) for each in stack) else ttr.compile_rules(*stack)
    picks = Picks(2)
    game = ttr.new_game(rules=rules, players=2, seed=SECRET_SEED)
    for number in range(60):
        if not game.to_act:
            break
        events = game.play(picks.action(game.legal_actions(picks.seat(game)))) if number else game.events
        if number % 6:
            continue
        state = game.state
        for seat in (None, 0, 1):
            action = ttr.DrawBlind(1 - game.to_act[0] if game.to_act else 0)
            refusal = game.refusal(action)
            try:
                game.copy().play(action)
            except ttr.IllegalActionError as caught:
                error: object = caught
            else:
                error = None
            choices = () if seat is None else game.legal_actions(seat)
            offer = None if seat is None else game.offer(seat)
            sent = (game.view(seat), [event.seen_by(seat) for event in events], refusal, error, choices, offer)
            hidden = {
                ticket
                for other, held in enumerate(state.tickets)
                if other != seat and not state.revealed
                for ticket in held
            }
            kept = {id(part) for part in game._state.parts.values()}
            hidden |= {ticket for pile in state.ticket_piles.values() for ticket in pile}
            hidden |= {ticket for each in state.pending if each.seat != seat for ticket in getattr(each, "tickets", ())}
            pickled = pickle.dumps(sent)
            assert SECRET_SEED.encode() not in pickled
            for things in (sent, pickle.loads(pickled), copy.copy(sent), copy.deepcopy(sent)):
                for each in reachable(things):
                    assert not isinstance(each, FORBIDDEN), f"{type(each).__name__} can be reached"
                    if isinstance(each, Part):  # a copy of what the seat may see of it
                        assert id(each) not in kept, f"the {type(each).__name__} of the game can be reached"
                        kind: Any = type(each)
                        for name, declared in part_fields(kind).items():
                            shown = declared.by_seat or not each.hides(name, None, seat)
                            assert shown or isinstance(getattr(each, name), Unknown), name
                    if isinstance(each, str):
                        assert SECRET_SEED not in each
                        assert each not in hidden, f"{each} can be reached by {seat}"
                    if isinstance(each, tuple) and len(each) > 8 and CardPiles in state.parts:
                        assert each != ttr.cards(state).draw_pile
            assert pickle.loads(pickled)[0] == sent[0] == copy.deepcopy(sent)[0]


def test_reachable_finds_what_hides_in_a_slot() -> None:
    """The search above finds a state however deep it lies."""
    game = ttr.new_game("europe", players=2, seed=1)
    hidden = FrozenMap({"a": (1, [{"b": game}])})
    assert any(isinstance(each, ttr.State) for each in reachable(hidden))
