"""No leaks: what a seat can see and do, and the events shown to it, do not depend on what it cannot know (S6, S7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import attrs

from ttr_rules import Rules, State
from ttr_rules.engine import refusal as engine_refusal
from ttr_rules.errors import TTRError
from ttr_rules.events import CardsDealt, Event, PileShuffled, SeenEvent, TicketsRevealed
from ttr_rules.fields import exposed_fields
from ttr_rules.hidden import determinize
from ttr_rules.model import Action, Counts, Dealer, Decision, SeededChance, TicketSetup
from ttr_rules.play import Game
from ttr_rules.plugins import Part
from ttr_rules.train_cards import CardPiles, DrawBlind
from ttr_tools.testing.compare import text_of, view_differences
from ttr_tools.testing.game_run import Check, GameRun, some_of
from ttr_tools.testing.mutants import Mutants
from ttr_tools.testing.names import class_name, is_core, rule_name, short
from ttr_tools.testing.open_events import OpenEvents
from ttr_tools.testing.problems import CheckFailed
from ttr_tools.testing.worlds import (
    World,
    another_world,
    can_sample,
    cards_of,
    drawn_by,
    exchanged,
    known_tickets,
    same_moves_elsewhere,
)

#: How many actions apart worlds are sampled.
SAMPLED_EVERY = 16


class SecretsCheck(Check):
    """Two worlds that a seat cannot tell apart look the same to it.

    That covers its view, its decision, its legal actions, refusals, and the events it sees when another seat acts.
    """

    name = "secrets"
    claim = "views, offers, refusals and events tell a seat nothing that it cannot know"

    def __init__(self, game_run: GameRun) -> None:
        super().__init__(game_run)
        self.mutants = Mutants(self.game, self.random)
        self.there: World | None = None
        self.played_there: Action | None = None
        self.watcher: int | None = None
        self.open_events = OpenEvents(self.game, self.random)
        self.asked: set[type[Decision]] = set()

    def start(self) -> None:
        self._can_be_dealt()
        for seat in (None, *range(self.game_run.players)):
            self._holds_no_game(seat)
            self._look(seat)
            self._sampled(seat)
            self._told_at_set_up(seat)
        self.open_events.follow(self.game.events)

    def before(self, action: Action) -> None:
        if self.game_run.number % 2:
            self._look(self.random.choice([None, *range(self.game_run.players)]))
        else:
            self._look(action.seat)
        asked = {type(decision) for decision in self.game.state.pending} - self.asked
        if asked:
            self.asked |= asked
            for seat in (None, *range(self.game_run.players)):
                self._sampled(seat)
        elif self.game_run.number % SAMPLED_EVERY == 1:
            self._sampled(self.random.choice([None, *range(self.game_run.players)]))
        self._prepare(action)

    def after(self, action: Action, events: Sequence[Event]) -> None:
        self.open_events.follow(events)
        self._told(action, events)
        if not self.game.to_act:
            for seat in (None, *range(self.game_run.players)):
                self._look(seat)

    # -- sampled worlds -----------------------------------------------------------------------

    def _can_be_dealt(self) -> None:
        """A plugin's part with secrets says how to sample them."""
        hiding = [
            class_name(kind)
            for kind, part in self.game.state.parts.items()
            if _hides(kind, part, self.game_run.players) and not _can_sample(self.game, part)
        ]
        if hiding:
            raise CheckFailed(
                f"{' and '.join(hiding)} hides something and does not say how to deal it, so determinize fails: give it a method "
                "sample_hidden(view, dealer, rules); cards belong in a CardStore, which has one"
            )

    def _sampled(self, seat: int | None) -> None:
        """A world consistent with a seat's view can be sampled, with the same cards as in this one."""
        who = "a spectator" if seat is None else f"seat {seat}"
        try:
            world = determinize(self.game.view(seat), self.rules, seed=self.random.randrange(2**32))
        except TTRError as error:
            for _ in range(8):  # random worlds: one of them may show why
                self._look(seat)
            raise CheckFailed(f"determinize deals no world that fits what {who} sees: {error}") from error
        if CardPiles in self.game.state.parts:
            cards, there = cards_of(self.game.state), cards_of(world.state)
            if cards == Counter(dict(self.game.state.part(CardPiles).deck)) != there:
                card = next(each for each in (*cards, *there) if cards[each] != there[each])
                raise CheckFailed(
                    f"in a world that determinize deals for {who} there are {there[card]} {card} cards, in the game "
                    f"{cards[card]}: cards that a plugin keeps belong in a CardStore, which is counted with the deck"
                )

    # -- what a seat sees and may do -------------------------------------------------------------------------

    def _look(self, seat: int | None) -> None:
        game = self.game
        there = another_world(game, seat, self.random)
        who = "a spectator" if seat is None else f"seat {seat}"
        for where in view_differences(game.view(seat), there.view(seat)):
            raise CheckFailed(
                f"{who} sees what it cannot know: {where} changes when the hands, piles and tickets that {who} cannot see "
                "are dealt anew; show how many, or nothing, in seen_by(), and let sample_hidden() take over what it shows"
            )
        if repr(game) != repr(there):
            raise CheckFailed(f"the repr of the game tells {who} what it cannot know: {game!r} or {there!r}")
        if seat is None:
            return
        decision = game.decision(seat)
        mine, theirs = some_of(game.legal_actions(seat)), some_of(there.legal_actions(seat))
        if mine != theirs:
            other = next((a for a, b in zip(mine, theirs, strict=False) if a != b), (mine or theirs)[-1])
            raise CheckFailed(
                f"{rule_name(self.rules, decision, other)}: what it offers {who} depends on what {who} cannot know, such as "
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
                    f"{rule_name(self.rules, decision, mutant)}: the refusal of {short(mutant)} tells {who} what it cannot "
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
            there = exchanged(seen, names)
            if isinstance(event, CardsDealt | PileShuffled) and _plain_seat(event) != seat:
                name = "cards" if isinstance(event, CardsDealt) else "order"
                other = attrs.evolve(cast("Any", event), **{name: (*getattr(event, name)[1:], "another card")})
                there = _seen(other, seat)
            if there != seen:
                who = "a spectator" if seat is None else f"seat {seat}"
                raise CheckFailed(
                    f"at set-up the event {class_name(type(event))} tells {who} what it cannot know: {short(seen)}; "
                    'declare the field secret("seat") and annotate it with | Unknown'
                )

    def _prepare(self, action: Action) -> None:
        """Prepare another world in which the same happens, as far as an observer can see."""
        game = self.game
        self.there = None
        self.watcher = self.random.choice(
            [None, *(seat for seat in range(self.game_run.players) if seat != action.seat)]
        )
        decision = game.decision(action.seat)
        choosing = isinstance(decision, TicketSetup) and len(game.to_act) > 1
        paid = next((value for _, value in _inside(action) if isinstance(value, Counts)), Counts())
        there = same_moves_elsewhere(
            game, self.watcher, self.random,
            keep=(action.seat, paid), same_numbers=not choosing, drawn=drawn_by(game, action),
        )  # fmt: skip
        if choosing:  # how many are kept is secret too
            choices = there.game.legal_actions(action.seat)
            other = choices[self.random.randrange(len(choices))]
        else:
            other = there.translated(action)
        if there.game.refusal(other) is None:
            self.there, self.played_there = there, other

    def _told(self, action: Action, events: Sequence[Event]) -> None:
        if self.there is None or self.played_there is None:
            return
        other = self.there.game
        events_there = other.play(self.played_there)
        who = "a spectator" if self.watcher is None else f"seat {self.watcher}"
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
                what = class_name(type(mine))
                raise CheckFailed(
                    f"when seat {action.seat} plays {short(action)}, the event {what} tells {who} what it cannot know: "
                    f"{short(first)} here, {short(second)} in a world that looks the same to it; declare the field "
                    'secret("seat") and annotate it with | Unknown'
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
    """What a seat sees of an event."""
    seen: object = event.seen_by(seat)
    if not isinstance(seen, SeenEvent):
        raise CheckFailed(f"{class_name(type(event))}.seen_by() must return a SeenEvent, not {short(seen)}")
    return seen.event


def _plain_seat(event: Event) -> int | None:
    seat = getattr(event, "seat", None)
    return seat if type(seat) is int else None


def _hides(kind: type[Part], part: Part, players: int) -> bool:
    """Whether a part of a plugin shows different things to different seats."""
    if is_core(kind) or kind is CardPiles:
        return False
    return len({text_of(part.seen_by(seat)) for seat in (None, *range(players))}) > 1


def _can_sample(game: Game, part: Part) -> bool:
    """Whether a part says how to deal what it hides."""
    fresh = next(each for each in game.rules.new_parts(len(game.players)) if type(each) is type(part))
    return can_sample(fresh, game.view(None), Dealer(0), game.rules)


def _inside(value: object) -> Iterator[tuple[str, object]]:
    """The members of a value, by name."""
    if isinstance(value, Mapping):
        for key, each in cast("Mapping[object, object]", value).items():
            yield str(key), each
    elif isinstance(value, tuple | list | set | frozenset):
        for number, each in enumerate(cast("Sequence[Any]", value)):
            yield str(number), each
    elif attrs.has(type(value)):
        for field in attrs.fields(cast("Any", type(value))):
            yield field.name, getattr(value, field.name)
