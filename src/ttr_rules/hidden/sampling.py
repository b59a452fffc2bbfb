"""A world that fits a view: a game in which everything that a seat cannot see is dealt anew, for bots to play on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, cast

import attrs
from attrs import frozen

from ttr_rules._internal.messages import brief
from ttr_rules.errors import InvalidInputError, PluginError, TTRError
from ttr_rules.hidden.ticket_layouts import Places, Seat, deal_layout, kinds_of
from ttr_rules.kernel.events.arranged import CarsArranged
from ttr_rules.kernel.events.base import Event, secret
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.state import State
from ttr_rules.kernel.tables import tables_of
from ttr_rules.kernel.view import View
from ttr_rules.model.chance import SeededChance, checked_seed
from ttr_rules.model.dealer import Dealer
from ttr_rules.model.decisions import Decision, HiddenDecision, TicketChoice, TicketMix, TicketSetup
from ttr_rules.play.game import Game
from ttr_rules.play.moves import Move


def determinize(view: View, rules: Rules, seed: int | str) -> Game:
    """A game that `view` could be the view of, with everything that it does not show dealt by `seed`.

    Its own chance comes from `seed` too, so it can be played on, and the view of that seat in it is `view`. Every layout
    of hidden cards and tickets that fits the view and the rules of set-up is equally likely: see the page on what a
    player may know. Nothing but the view is looked at.

    Raises `InvalidInputError` for a view that cannot be of a game by these rules, `PluginError` if a part of the state
    that hides something does not say how to deal it (`Part.sample_hidden`).

    >>> from ttr_rules import compile_rules, new_game
    >>> rules = compile_rules("europe")
    >>> view = new_game(rules=rules, players=3, seed=1912).view(2)
    >>> world = determinize(view, rules, seed=7)
    >>> world.view(2) == view, world.legal_actions(0) == determinize(view, rules, seed=8).legal_actions(0)
    (True, False)
    """
    if not isinstance(view, View):
        raise InvalidInputError(f"expected a view, as game.view(seat) gives it, got {brief(view)}")
    if not isinstance(rules, Rules):
        raise InvalidInputError(f"rules are what compile_rules gives, not {brief(rules)}")
    seed = checked_seed(seed)
    try:
        _check(view, rules)
        state = State(rules, len(view.players), SeededChance(seed))
        dealt = WorldDealt(view.seat, view, seed)
        dealt.apply(state)
        world = Game(rules, state, view.players, seed, [Move(None, (dealt,), 0)])
        fits = world.view(view.seat) == view
        for to_act in world.to_act:
            len(world.legal_actions(to_act))
    except TTRError:
        raise
    except Exception as error:  # a view that was made or changed by hand may break anything that reads it
        raise InvalidInputError(f"this view does not fit together: {brief(error)}") from error
    if not fits:
        raise InvalidInputError("this view does not fit together: no game looks like it")
    return world


@frozen
class WorldDealt(Event):
    """A world was dealt that fits a view: what `determinize` gives begins with it. Such games are not meant to be saved."""

    seat: int | None
    view: Any = secret("seat", counted=False)
    seed: Any = secret(counted=False)

    @staticmethod
    def effect(state: State, seat: int | None, view: View, seed: int | str) -> None:
        sample_world(state, view, Dealer(seed))


def sample_world(state: State, view: View, dealer: Dealer, real: State | None = None) -> None:
    """Make a new `state` one that `view` could be of; what parts cannot sample is as in `real`, if there is one."""
    rules = state.rules
    network = rules.network
    for id, seat in view.owners.items():
        state.owner[network.route_number[id]] = seat
    state.shared = {network.route_number[id]: seats for id, seats in view.shared.items()}
    for seat, cars in enumerate(view.cars):
        CarsArranged.effect(state, seat, cars)
    state.scores = list(view.route_points)
    state.points = {name: list(points) for name, points in view.points.items()}
    state.turn_number = view.turn_number
    state.extra_turns = view.extra_turns
    state.turn = view.turn
    state.turns_left = view.turns_left
    state.passes = view.passes
    state.passed = view.passed
    state.stage = view.stage
    state.first_tickets = view.first_tickets
    state.revealed = view.all_tickets is not None
    for kind, part in state.parts.items():
        try:
            part.sample_hidden(view, dealer)
        except NotImplementedError:
            if real is None:
                raise PluginError(
                    f"{kind.__name__} shows something of itself, but does not say how to deal what it hides: "
                    "it needs a method sample_hidden(view, dealer)"
                ) from None
            state.parts[kind] = real.part(kind).copy()
    for part in state.parts.values():
        part.share_hidden(state.parts)
    choices = _deal_tickets(state, view, dealer)
    state.pending = tuple(question(decision, choices, state, view, dealer, real) for decision in view.pending)


def _check(view: View, rules: Rules) -> None:
    """Raise `InvalidInputError` for a view of a game by other rules, or with more tickets in it than there are.

    That each field is what its type says is taken for granted: a view is made by `Game.view`.
    """
    tickets = [*view.tickets, *view.rejects, *chain(*(view.all_tickets or ()))]
    strange = [
        *(id for id in (*view.owners, *view.shared) if id not in rules.network.route_number),
        *(id for id in tickets if id not in rules.tickets),
        *(name for name in view.ticket_pile_sizes if name not in rules.deck.piles),
    ]
    parts = set(rules.part_names.values())
    strange += [name for name in view.parts if name not in parts]
    if strange:
        raise InvalidInputError(f"this view is not of a game by the rules {rules}: they have no {brief(strange[0])}")
    if len(view.players) > rules.components.max_players:
        raise InvalidInputError(f"this view is of {len(view.players)} players, more than {rules} is for")
    to_deal = [deal.pile for stage in rules.setup[view.stage + 1 :] for deal in stage.deals]
    missing = [name for name in (*rules.draw_counts.piles, *to_deal) if name not in view.ticket_pile_sizes]
    if missing:
        raise InvalidInputError(f"this view does not fit together: it has no pile of {missing[0]} tickets")
    held = [count or 0 for count in view.ticket_counts]
    chosen = [decision.count or 0 for decision in view.pending if isinstance(decision, HiddenDecision)]
    counts = [*held, *chosen, *view.ticket_pile_sizes.values()]
    if min(0, *counts, *view.first_tickets) < 0 or max(sum(counts), 0, *view.first_tickets) > len(rules.tickets):
        raise InvalidInputError(f"this view does not fit together: {rules} has {len(rules.tickets)} tickets")


# -- tickets ---------------------------------------------------------------------------------------------------


def _deal_tickets(state: State, view: View, dealer: Dealer) -> dict[int, tuple[str, ...]]:
    """Put every ticket somewhere; give what other seats choose from."""
    rules = state.rules
    kinds = kinds_of(rules)
    asked = {decision.seat: decision for decision in view.pending}
    own = asked.get(cast("int", view.seat))
    known = {*view.tickets, *view.rejects, *chain(*(view.all_tickets or ())), *getattr(own, "tickets", ())}
    unseen: list[tuple[str, ...]] = [
        dealer.shuffled([id for id, kind in kinds.of.items() if kind == number and id not in known])
        for number in range(kinds.count)
    ]
    piles = [0] * kinds.count
    for name, size in view.ticket_pile_sizes.items():
        piles[kinds.number[name]] += size
    others = [seat for seat in range(state.players) if seat != view.seat]
    layout = deal_layout(
        rules,
        [_seat(seat, asked.get(seat), view) for seat in others],
        view.stage,
        tuple(piles),
        tuple(map(len, unseen)),
        dealer,
        arranged=view.stage == len(rules.setup) and not view.first_tickets,
    )
    if layout is None:
        raise InvalidInputError(f"no tickets of {rules} can be dealt so that they fit this view")

    def take(counts: Iterable[int]) -> tuple[str, ...]:
        taken: list[str] = []
        for kind, count in enumerate(counts):
            taken += unseen[kind][:count]
            unseen[kind] = unseen[kind][count:]
        return tuple(taken)

    pending: dict[int, tuple[str, ...]] = {}
    for seat, places in zip(others, layout, strict=True):
        _fill(state, view, seat, places, take)
        pending[seat] = take(places.choice)
    if view.seat is not None:
        state.tickets[view.seat] = view.tickets
        state.rejects[view.seat] = view.rejects
    for name, size in view.ticket_pile_sizes.items():
        state.ticket_piles[name] = take([size if kind == kinds.number[name] else 0 for kind in range(kinds.count)])
    return pending


def _fill(state: State, view: View, seat: int, places: Places, take: Any) -> None:
    shown = view.all_tickets
    state.tickets[seat] = take(places.held) if shown is None else shown[seat]
    state.rejects[seat] = take(places.rejects)


def _seat(seat: int, asked: Decision | None, view: View) -> Seat:
    """What the view tells of the tickets of another seat."""
    choice = None if asked is None or asked.public else len(getattr(asked, "tickets", ()))
    if isinstance(asked, HiddenDecision):
        choice = asked.count
    if view.all_tickets is not None:
        return Seat(0, choice, None)
    first = view.first_tickets[seat] if view.first_tickets else None
    mixing = isinstance(asked, TicketMix) and asked.stage is not None
    return Seat(view.ticket_counts[seat], choice, first, mixing)


# -- questions -------------------------------------------------------------------------------------------------


def question(
    decision: Decision,
    choices: Mapping[int, tuple[str, ...]],
    state: State,
    view: View,
    dealer: Dealer,
    real: State | None,
) -> Decision:
    """A question in full, of which the view tells only the kind if it is another seat's secret."""
    if not isinstance(decision, HiddenDecision):
        if decision.public or decision.seat == view.seat:
            return decision
        decision = HiddenDecision(decision.seat, type(decision).__name__)  # shown by mistake: not believed
    seat = decision.seat
    if decision.kind == TicketSetup.__name__:
        return TicketSetup(seat, choices[seat], view.stage)
    if decision.kind == TicketChoice.__name__:
        return TicketChoice(seat, choices[seat])
    for part in state.parts.values():
        found: Decision | None = part.sample_decision(decision, view, dealer)
        if found is not None:
            return found
    for kind in tables_of(state).answers:
        if kind.__name__ == decision.kind and [field.name for field in attrs.fields(kind)] == ["seat"]:
            plain: Decision = kind(seat)
            return plain
    if real is not None:
        return next(each for each in real.pending if each.seat == seat)
    raise PluginError(
        f"no part of {state.rules} says what a {decision.kind} of another seat may be: declare it public, or give a part "
        "the method sample_decision(hidden, view, dealer)"
    )
