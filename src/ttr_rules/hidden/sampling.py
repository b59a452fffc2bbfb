"""Sampling a world consistent with a view: a game in which everything hidden from a seat is redealt, for bots.

Fields of any parts with the same `pool` hold items of the box that one part declares (`Part.box`), or tickets of the deck
with the pool `tickets`. They are redealt, sampled and counted without code by the plugin's author.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import cast
from weakref import ref

import attrs

from ttr_rules.errors import InvalidInputError, PluginError, TTRError
from ttr_rules.hidden.ticket_layouts import Kinds, Places, Seat, TicketKinds, read_kinds
from ttr_rules.kernel.answers import LegalActions, legal_actions
from ttr_rules.kernel.events import Event
from ttr_rules.kernel.fields import TICKETS, Place, items, part_fields, places
from ttr_rules.kernel.part import Part, boxes
from ttr_rules.kernel.plugin import blaming
from ttr_rules.kernel.rules import Rules
from ttr_rules.kernel.scoring import never_hidden
from ttr_rules.kernel.state import State, recount_all
from ttr_rules.kernel.view import View
from ttr_rules.kernel.views import PUBLIC, is_dealing, problems_of_todo
from ttr_rules.model.cards import Unknown
from ttr_rules.model.chance import Dealer, SeededChance, checked_seed
from ttr_rules.model.decisions import (
    Action,
    Decision,
    HiddenAction,
    HiddenDecision,
    KeepTickets,
    TicketChoice,
    TicketMix,
    TicketSetup,
    ToDo,
    secret,
)
from ttr_rules.play.course import Move
from ttr_rules.play.game import Game, check_rules_are_compiled
from ttr_rules.text import brief

#: The most deals tried until no seat has a ticket that it cannot hold in secret, and the most further ones, with exchanges.
MOST_DEALS, MOST_MENDED = 100, 20
#: The most deals of what is hidden, until no part has a problem (`Part.validate`).
MOST_TRIED = 200
#: The number of times that each ticket is exchanged for another.
EXCHANGES = 8


def determinize(view: View, rules: Rules, seed: int | str) -> Game:
    """Sample a game that could have this `view`, with everything it does not show dealt according to `seed`.

    Its chance also comes from `seed`, so it can be continued, and the same seat's view of it is `view`. Every layout of
    hidden cards and tickets consistent with the view and the rules of set-up is equally likely: see the page on what a
    player may know. Only the view is used. It is checked when it is first sampled with these rules.

    Raises `InvalidInputError` for a view that no game with these rules can have, `PluginError` if a part of the state
    with secrets does not say how to sample them (`Part.redeal`).

    >>> from ttr_rules import compile_rules, new_game
    >>> rules = compile_rules("europe")
    >>> view = new_game(rules=rules, players=3, seed=1912).view(2)
    >>> world = determinize(view, rules, seed=7)
    >>> world.view(2) == view, world.legal_actions(0) == determinize(view, rules, seed=8).legal_actions(0)
    (True, False)
    """
    if not isinstance(view, View):
        raise InvalidInputError(f"expected a view, as game.view(seat) gives it, got {brief(view)}")
    check_rules_are_compiled(rules)
    seed = checked_seed(seed)
    fitting = getattr(view, "sampled_with", None)
    checked = fitting is not None and fitting() is rules
    try:
        if not checked:
            check_view(view, rules, f"inconsistent view, not of a game by the rules {rules}: ")
        state = State(rules, len(view.players), SeededChance(seed))
        dealt = WorldDealt(view.seat, view, seed)
        with blaming(rules.plugins.values(), "when a world was sampled"):
            dealt.apply(state)
        world = Game(state, view.players, seed, [Move(None, (dealt,), 0)])
        fits = checked or world.view(view.seat) == view
        for to_act in world.to_act:
            len(world.legal_actions(to_act))
    except TTRError:
        raise
    except Exception as error:  # a view created or changed by hand may break anything that reads it
        named = error.args[0] if isinstance(error, KeyError) and error.args else None
        problem = f"{rules} has no {brief(named)}" if isinstance(named, str) else "no game looks like it"
        raise InvalidInputError(f"inconsistent view: {problem}") from error
    if not fits:
        raise InvalidInputError("inconsistent view: no game could produce it")
    if not checked:
        object.__setattr__(view, "sampled_with", ref(rules))
    return world


class WorldDealt(Event):
    """A world was sampled for a view: the first event of the result of `determinize`. Such games are not for saving."""

    seat: int | None
    view: View = secret("seat", counted=False)
    seed: int | str = secret(counted=False)

    @staticmethod
    def effect(state: State, seat: int | None, view: View, seed: int | str) -> None:
        sample_world(state, view, Dealer(seed))


def sample_world(state: State, view: View, dealer: Dealer, real: State | None = None) -> None:
    """Fill a new `state` with a sample for `view`. Parts that cannot sample are copied from `real`, if given."""
    rules = state.rules
    network = rules.network
    for id, seat in view.owners.items():
        state.owner[network.route_number[id]] = seat
    state.shared = {network.route_number[id]: seats for id, seats in view.shared.items()}
    state.cars = list(view.cars)
    state.scores = list(view.route_points)
    state.points = {name: list(points) for name, points in view.points.items()}
    for name in PUBLIC:
        setattr(state, name, getattr(view, name))
    state.open_tickets = frozenset(chain(*view.open_tickets))
    state.revealed = view.tickets_revealed
    choices: dict[int, tuple[str, ...]] = {}
    for tried in range(MOST_TRIED):
        if tried:
            for part in rules.new_parts(state.players):
                state.set_part(part)
            state.tickets, state.rejects, state.ticket_piles = [()] * state.players, [()] * state.players, {}
            state.pending = ()
        choices = _deal_hidden(state, view, dealer, real)
        state.pending = tuple(question(decision, choices, state, view, dealer, real) for decision in view.pending)
        parts = [state.part(kind) for kind in rules.part_types]
        if all(part.validate(rules) is None and part.fits(state) for part in parts):
            break
    waiting: list[ToDo] = []
    for item in view.todo:
        pending = tuple([question(decision, choices, state, view, dealer, real) for decision in item.pending])
        action = item.action
        if isinstance(action, HiddenAction):
            action = (
                _sample_kept(action, state, dealer) if item.hook == "after" else _legal(action, pending, state, dealer)
            )
        waiting.append(attrs.evolve(item, pending=pending, action=action))
    state.todo = tuple(waiting)


def _deal_hidden(state: State, view: View, dealer: Dealer, real: State | None) -> dict[int, tuple[str, ...]]:
    """Fill all parts with what the view shows, deal what they hide, and all tickets.

    Returns the tickets that other seats choose from.
    """
    rules = state.rules
    unable: list[type[Part]] = []
    for kind, part in [*state.parts.items()]:
        try:
            part.sample_hidden(view, dealer, rules)
        except NotImplementedError:
            unable.append(kind)
            if real is not None:
                state.set_part(real.part(kind).copy())
    deal_pools(state.parts.values(), rules, dealer)
    for kind, part in state.parts.items():
        part.redeal(view, dealer, state)
        state.version += 1
        undealt = [name for name in part.undealt() if part_fields(kind)[name].pool != TICKETS]
        if undealt or (kind in unable and real is None):
            if real is None:
                raise PluginError(
                    f"{kind.__name__} shows something of itself, but does not say how to deal what it hides: give its fields a "
                    "pool, and a part a box of that name, or write a method redeal(view, dealer, world)"
                )
            state.set_part(real.part(kind).copy())
    recount_all(state)
    return _deal_tickets(state, view, dealer)


def _legal(hidden: HiddenAction, pending: tuple[Decision, ...], state: State, dealer: Dealer) -> Action:
    """Sample an action of another seat that is still to come: any legal one.

    If there is none, the action stays hidden.
    """
    before = state.copy()
    before.pending = pending
    for group in cast("LegalActions", legal_actions(before, hidden.seat)).groups:
        if type(group[0]).__name__ == hidden.kind:
            action: Action = group[dealer.below(len(group))]
            return action
    return hidden


def _sample_kept(hidden: HiddenAction, state: State, dealer: Dealer) -> Action:
    """Sample an action of another seat that has been played: it kept tickets that it holds.

    Other actions stay hidden.
    """
    if hidden.kind != KeepTickets.__name__:
        return hidden
    held = state.tickets[hidden.seat]
    if hidden.count is not None:  # preferably tickets that it has not shown
        shown = [ticket for ticket in held if ticket in state.open_tickets]
        unshown = [ticket for ticket in held if ticket not in shown]
        return KeepTickets(hidden.seat, (*dealer.shuffled(unshown), *shown)[: hidden.count])
    stage = state.rules.setup[state.stage]  # as long as others choose, nobody knows how many
    piles = [deal.pile for deal in stage.deals] if stage.mix is None else stage.mix.piles
    dealt = {ticket.id for pile in piles for ticket in state.rules.deck.piles[pile]}
    return KeepTickets(hidden.seat, [ticket for ticket in held if ticket in dealt] or held)


def check_view(view: View, rules: Rules, where: str) -> None:
    """Raise `InvalidInputError` for a view that no game by these rules can have, with the first of its problems."""
    for problem in _problems(view, rules):
        raise InvalidInputError(f"{where}{problem}")


def _problems(view: View, rules: Rules) -> Iterator[str]:
    """The problems of a view, each with its field: names that the rules do not have, seats not at the table, too many tickets.

    Field types are not checked, because views are created by `Game.view`.
    """
    players, box = len(view.players), rules.components
    if not box.min_players <= players <= box.max_players:
        yield f"players: {rules} is for {box.players_text}, not {players}"
    for name in ("cars", "scores", "route_points", "ticket_counts", "open_tickets"):
        if len(getattr(view, name)) != players:
            yield f"{name}: expected one for each of {players} players, got {len(getattr(view, name))}"
    lists = {"first_tickets": view.first_tickets, "team_tickets": view.team_tickets, **view.points}
    for name, values in lists.items():
        if len(values) not in (0, players):
            yield f"{name}: expected one for each of {players} players, got {len(values)}"
    decisions = [*_list_decisions(view), *([] if view.decision is None else [view.decision])]
    seats = [*view.to_act, *view.owners.values(), *chain(*view.shared.values())]
    seats += [decision.seat for decision in decisions]
    for seat in seats if view.seat is None else [view.seat, *seats]:
        if seat not in range(players):
            yield f"seat: no seat {seat} at a table of {players}"
    if view.decision is not None and view.decision.seat != view.seat:
        yield f"decision: it is of seat {view.decision.seat}"
    yield from problems_of_todo(view.todo, rules, players)
    hidden = [decision for decision in decisions if isinstance(decision, HiddenDecision)]
    shown = (*view.tickets, *view.rejects, *chain(*view.open_tickets, *view.team_tickets))
    shown += tuple(chain.from_iterable([getattr(decision, "tickets", ()) for decision in decisions]))
    apart = [place for part in view.parts.values() for place in places(part, TICKETS)]
    shown += tuple(chain.from_iterable([items(place.content) for place in apart]))
    piles = {*rules.deck.piles, *rules.draw_counts.discards.values()}
    kinds = {kind.__name__ for kind in rules.types.values() if issubclass(kind, Decision)}
    for place, what, names, known in (
        ("owners", "route", (*view.owners, *view.shared, *view.barred), rules.network.route_number),
        ("tickets", "ticket", shown, rules.tickets),
        ("ticket_pile_sizes", "pile", view.ticket_pile_sizes, piles),
        ("parts", "part", view.parts, rules.part_names.values()),
        ("pending", "decision", [decision.kind for decision in hidden], kinds),
    ):
        yield from (f"{place}: {rules} has no {what} {brief(name)}" for name in names if name not in known)
    to_deal = [deal.pile for stage in rules.setup[view.stage + 1 :] for deal in stage.deals]
    for name in (*rules.draw_counts.piles, *to_deal):
        if name not in view.ticket_pile_sizes:
            yield f"ticket_pile_sizes: there is no pile of {name} tickets"
    counts = [count or 0 for count in (*view.ticket_counts, *(decision.count for decision in hidden))]
    counts += view.ticket_pile_sizes.values()
    if min(0, *counts, *view.first_tickets) < 0 or max(sum(counts), 0, *view.first_tickets) > len(rules.tickets):
        yield f"ticket_counts: {rules} has {len(rules.tickets)} tickets"


# -- tickets ---------------------------------------------------------------------------------------------------


def _list_decisions(table: View | State) -> list[Decision]:
    """The pending decisions, and those that wait until they are answered."""
    return [*table.pending, *chain.from_iterable([item.pending for item in table.todo])]


def _deal_tickets(state: State, view: View, dealer: Dealer) -> dict[int, tuple[str, ...]]:
    """Place every ticket and return those that other seats choose from."""
    rules = state.rules
    kinds = read_kinds(rules)
    decisions: dict[int, list[Decision]] = {seat: [] for seat in (view.seat, *range(state.players)) if seat is not None}
    for decision in _list_decisions(view):
        decisions[decision.seat].append(decision)
    own = [] if view.seat is None else decisions[view.seat]
    apart = [place for part in state.parts.values() for place in places(part, TICKETS)]
    seen = view.seen_tickets
    known = {*view.tickets, *view.rejects, *chain(*seen)}
    known.update(*[getattr(decision, "tickets", ()) for decision in own])
    known.update(*[items(place.content) for place in apart])
    elsewhere = sum([_number_in(place) for place in apart]) + sum(map(len, seen))
    kept = zip(view.first_tickets, view.ticket_counts, strict=False)
    lost = sum([max(first - (held or 0), 0) for first, held in kept])
    apart = [place for place in apart if isinstance(place.content, Unknown)]
    others = [seat for seat in range(state.players) if seat != view.seat]
    piles = [0] * kinds.count
    for name, size in view.ticket_pile_sizes.items():
        piles[kinds.number[name]] += size
    seats = [_seat(seat, decisions[seat], view, kinds) for seat in others]
    closed = [never_hidden(state, seat) for seat in others] if rules.never_hidden and not view.todo else []
    aside = tuple([Seat(_number_in(place), None, None) for place in apart])
    likely = kinds.known_layouts(tuple(seats), view.stage, tuple(piles), _is_arranged(view, rules), aside)
    unknown = [[id for id in tickets if id not in known] for tickets in kinds.tickets]
    left = tuple(map(len, unknown))
    unseen: list[tuple[str, ...]] = []
    # Tickets that a plugin took from a hand may be in a part or lie open; those that went to another hand could be any.
    is_likely = lost <= elsewhere and likely.count(0, left)
    layouts = likely if is_likely else kinds.layouts_anywhere([*seats, *aside], tuple(piles))
    if any(closed):
        layouts = layouts.within([tuple([len({*tickets} - barred) for tickets in unknown]) for barred in closed])
    for deal in range(MOST_DEALS + MOST_MENDED):
        unseen = [dealer.shuffled(tickets) for tickets in unknown]
        layout = layouts.pick(left, dealer)
        if layout is None or _try_to_fit(unseen, layout, closed, dealer, 0 if deal < MOST_DEALS else EXCHANGES):
            break
    else:
        layout = None
    if layout is None:
        hooks = f" and never_hidden of {' and '.join(name for name, _ in rules.never_hidden)}" if any(closed) else ""
        raise InvalidInputError(f"no tickets of {rules} can be dealt so that they fit this view{hooks}")

    def take(counts: Kinds) -> tuple[str, ...]:
        taken = tuple(chain.from_iterable([some[:count] for some, count in zip(unseen, counts, strict=True)]))
        unseen[:] = [some[count:] for some, count in zip(unseen, counts, strict=True)]
        return taken

    pending: dict[int, tuple[str, ...]] = {}
    for seat, filled in zip(others, layout, strict=False):
        state.tickets[seat] = seen[seat] + take(filled.held)
        state.rejects[seat] = take(filled.rejects)
        pending[seat] = take(filled.choice)
    for place, filled in zip(apart, layout[len(others) :], strict=True):
        place.put(take(filled.held))
    if view.seat is not None:
        state.tickets[view.seat] = view.tickets
        state.rejects[view.seat] = view.rejects
    for name, size in view.ticket_pile_sizes.items():
        in_pile = [size if kind == kinds.number[name] else 0 for kind in range(kinds.count)]
        state.ticket_piles[name] = take(tuple(in_pile))
    return pending


def _number_in(place: Place) -> int:
    """The number of tickets in a place of a part."""
    return place.content.count or 0 if isinstance(place.content, Unknown) else len(items(place.content))


def _try_to_fit(
    unseen: list[tuple[str, ...]],
    layout: Sequence[Places],
    closed: Sequence[Container[str]],
    dealer: Dealer,
    exchanges: int,
) -> bool:
    """Exchange tickets of a kind at random.

    Returns true if no seat then has one of the tickets that are `closed` to it.

    Exchanges that put more tickets where they cannot be are skipped. The possible worlds are then almost equally likely.
    """
    for kind, order in enumerate(map(list, unseen)) if closed else ():
        holders: list[Container[str]] = []  # for each ticket, those that its holder cannot hold
        for filled, barred in zip(layout, chain(closed, repeat(())), strict=False):
            holders += [barred] * filled.held[kind] + [()] * (filled.rejects[kind] + filled.choice[kind])
        holders += [()] * (len(order) - len(holders))
        if exchanges:
            _put_right(order, holders)
        for _ in range(exchanges):
            for one in range(len(order)):
                other = dealer.below(len(order))
                now = (order[one] in holders[one]) + (order[other] in holders[other])
                if (order[other] in holders[one]) + (order[one] in holders[other]) <= now:
                    order[one], order[other] = order[other], order[one]
        if any(id in barred for id, barred in zip(order, holders, strict=True)):
            return False
        unseen[kind] = tuple(order)
    return True


def _put_right(order: list[str], holders: Sequence[Container[str]]) -> None:
    """Move tickets round in cycles until no holder has one that it cannot hold, if that is possible."""
    for start, barred in enumerate(holders):
        before, queue = {start: start}, [start] if order[start] in barred else []
        for place in queue:
            if order[place] not in barred:  # the last of a cycle: each ticket moves one place on
                last = order[place]
                while place != start:
                    order[place], place = order[before[place]], before[place]
                order[start] = last
                break
            for other, its in enumerate(holders):
                if other not in before and order[place] not in its:
                    before[other] = place
                    queue.append(other)


def _is_arranged(table: View | State, rules: Rules) -> bool:
    """True in a game that began as an arranged position."""
    return table.stage == len(rules.setup) and not table.first_tickets


def _choice(decision: Decision) -> int | None:
    """The number of tickets that another seat chooses from, or None if its decision is not about tickets."""
    if isinstance(decision, HiddenDecision):
        return decision.count
    return None if decision.public else len(getattr(decision, "tickets", ()))


def _seat(seat: int, decisions: Iterable[Decision], view: View, kinds: TicketKinds) -> Seat:
    """The part of another seat's tickets that a view shows."""
    choice = next((count for count in map(_choice, decisions) if count is not None), None)
    if view.tickets_revealed:
        return Seat(0, choice, None)
    first = view.first_tickets[seat] if view.first_tickets else None
    mixing = any(isinstance(decision, TicketMix) and decision.stage is not None for decision in decisions)
    undealt = mixing or is_dealing(view.todo)
    held = view.seen_tickets[seat]
    shown = tuple([sum([kinds.of[id] == kind for id in held]) for kind in range(kinds.count)]) if held else ()
    return Seat(view.ticket_counts[seat], choice, first, undealt, shown)


# -- decisions -------------------------------------------------------------------------------------------------


def question(
    decision: Decision,
    choices: Mapping[int, tuple[str, ...]],
    state: State,
    view: View,
    dealer: Dealer,
    real: State | None,
) -> Decision:
    """The decision in full. If it is another seat's secret, the view shows only its type."""
    if not isinstance(decision, HiddenDecision):
        if decision.public or decision.seat == view.seat:
            return decision
        decision = HiddenDecision(decision.seat, type(decision).__name__)  # shown by mistake, so not used
    seat = decision.seat
    if decision.kind == TicketSetup.__name__:
        return TicketSetup(seat, choices[seat], view.stage)
    if decision.kind == TicketChoice.__name__:
        return TicketChoice(seat, choices[seat])
    for part in state.parts.values():
        sample: Decision | None = part.sample_decision(decision, view, dealer, state.rules)
        if sample is not None:
            return sample
    for answered in state.rules.answers:
        if answered.__name__ == decision.kind and [field.name for field in attrs.fields(answered)] == ["seat"]:
            plain: Decision = answered(seat)
            return plain
    if real is not None:
        asked = [each for each in _list_decisions(real) if each.seat == seat]
        return next(each for each in asked if type(each).__name__ == decision.kind)
    raise PluginError(
        f"no part of {state.rules} says what a {decision.kind} of another seat may be: declare it public, "
        "with secret_answer = True if the answer is secret, or give a part the method sample_decision(hidden, view, dealer, rules)"
    )


# -- pools -------------------------------------------------------------------------------------------------------


def missing(state: State) -> Mapping[str, Mapping[object, int]]:
    """The number of each item that is missing, by pool, below 0 if there are too many of it.

    Tickets that the rules may have put back into the box are not missing.

    >>> import ttr_rules as ttr
    >>> missing(ttr.new_game("europe", players=2, seed=1).state)
    {'tickets': {}, 'cards': {}}
    """
    parts, rules = state.parts.values(), state.rules
    kinds = read_kinds(rules)
    boxed = kinds.may_be_boxed(_is_arranged(state, rules))
    misplaced = _count_misplaced(state).items()
    counts: dict[str, dict[object, int]] = {}
    counts[TICKETS] = {id: count for id, count in misplaced if count < 0 or kinds.of[id] not in boxed}
    for pool, inside in boxes(parts, rules).items():
        counts[pool] = {item: count for item, count in _in_no_part(parts, pool, inside).items() if count}
    return counts


def tickets_out_of_the_game(state: State) -> int:
    """The number of tickets that are nowhere on the table.

    >>> import ttr_rules as ttr
    >>> tickets_out_of_the_game(ttr.new_game("europe", players=2, seed=1).state)   # the long ones that nobody was dealt
    4
    """
    return sum([count for count in _count_misplaced(state).values() if count > 0])


def _count_misplaced(state: State) -> dict[str, int]:
    """The tickets that are nowhere (1), or in several places (below 0)."""
    choices = [getattr(decision, "tickets", ()) for decision in _list_decisions(state)]
    left = _in_no_part(state.parts.values(), TICKETS, state.rules.tickets.keys())
    left.subtract(Counter(chain(*state.tickets, *state.rejects, *state.ticket_piles.values(), *choices)))
    return {id: left[id] for id in state.rules.tickets if left[id]}


def _in_no_part(parts: Iterable[Part], pool: str, items: Iterable[object]) -> Counter[object]:
    """The number of each of these items of a pool that no part holds."""
    left = Counter(items)
    left.subtract(Counter(chain.from_iterable([part.items_in(pool) for part in parts])))
    return left


def deal_pools(parts: Iterable[Part], rules: Rules, dealer: Dealer) -> None:
    """Deal the items that lie nowhere to the places that are still `Unknown`, with each outcome equally likely.

    Raises `InvalidInputError` if a box has too few items for that. A pool without a box is left as it is.
    """
    parts = list(parts)
    unknown: dict[str, list[Place]] = {}
    for part in parts:
        for pool in {declared.pool: None for declared in part_fields(type(part)).values() if declared.pool}:
            lots = [place for place in places(part, pool) if isinstance(place.content, Unknown)]
            unknown.setdefault(pool, []).extend(lots)
    full = boxes(parts, rules) if any(unknown.values()) else {}
    for pool, lots in unknown.items():
        left = _in_no_part(parts if lots and full.get(pool) else (), pool, full.get(pool, ()))
        rest = list(dealer.shuffled([item for item in left for _ in range(left[item])]))
        wanted = sum(place.content.count or 0 for place in lots)
        if wanted and pool not in full:
            continue
        if min(left.values(), default=0) < 0 or len(rest) < wanted:
            raise InvalidInputError(f"inconsistent view: it shows more {pool} than there are")
        for place in lots:
            count = place.content.count or 0
            place.put(rest[:count])
            rest = rest[count:]
